"""Text files that hold the complete expected output of a test, next to it in ``transcripts/``."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest


class Transcript:
    """The expected output of one case; ``updates`` rewrites the file instead of comparing."""

    def __init__(self, file: Path, *, updates: bool = False) -> None:
        self.file = file
        self._updates = updates
        self._is_used = False

    def __call__(self, text: str) -> None:
        """Fail if ``text`` differs from the file. Each case compares once, so that its file has one meaning."""
        assert not self._is_used, "a case has one transcript: join the texts, or parametrize the test"
        self._is_used = True
        text = text if text.endswith("\n") else f"{text}\n"
        if self._updates:
            self.file.parent.mkdir(exist_ok=True)
            self.file.write_text(text, "utf-8", newline="")
        assert self.file.exists(), f"{self.file.name} does not exist: run pytest with --update, then read it"
        with self.file.open(encoding="utf-8", newline="") as file:
            assert text == file.read()


def transcript_of(item: pytest.Item) -> Path:
    """Return the file of a test case: ``transcripts/MODULE.FUNCTION[.CASE].txt``, without ``test_``."""
    name, _, case = item.name.partition("[")
    parts = [item.path.stem, name, re.sub(r"[^\w.-]+", "-", case.removesuffix("]"))]
    return item.path.parent / "transcripts" / f"{'.'.join(part.removeprefix('test_') for part in parts if part)}.txt"


def refuse_shared(files: Iterable[Path]) -> None:
    """Raise UsageError if two cases have one file, also on a file system that ignores case."""
    seen = set[str]()
    for file in files:
        key = str(file).lower()
        if key in seen:
            raise pytest.UsageError(f"two test cases share {file}: give them different ids")
        seen.add(key)
