from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from transcripts import Transcript, refuse_shared, transcript_of

TRANSCRIPTS = sorted(Path(__file__).parents[1].rglob("transcripts/*.txt"))


def item(name: str) -> Any:
    return SimpleNamespace(path=Path("tests/test_menu.py"), name=name)


def test_text_that_differs_fails_and_update_rewrites_it(tmp_path: Path) -> None:
    file = tmp_path / "transcripts" / "menu.shown.txt"
    with pytest.raises(AssertionError, match="run pytest with --update"):
        Transcript(file)("one\r\nline")
    Transcript(file, updates=True)("one\r\nline")
    Transcript(file)("one\r\nline\n")
    for other in ("one\nline\n", "one\r\nline\n\n", "one\r\n"):
        with pytest.raises(AssertionError):
            Transcript(file)(other)
    Transcript(file, updates=True)("other")
    assert file.read_bytes() == b"other\n"


def test_test_case_cannot_compare_two_transcripts(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "transcripts" / "menu.txt", updates=True)
    transcript("one")
    with pytest.raises(AssertionError, match="has one transcript"):
        transcript("two")


def test_each_case_has_its_own_file() -> None:
    files = [transcript_of(item(f"test_shown{case}")) for case in ("", "[a]", "[a/b c]", "[b]")]
    names = ["menu.shown.txt", "menu.shown.a.txt", "menu.shown.a-b-c.txt", "menu.shown.b.txt"]
    assert files == [Path("tests/transcripts") / name for name in names]
    refuse_shared(files)


@pytest.mark.parametrize("second", ["[a b]", "[A-b]", "[a-b]"])
def test_two_cases_with_one_file_are_refused(second: str) -> None:
    with pytest.raises(pytest.UsageError, match="two test cases share"):
        refuse_shared(transcript_of(item(f"test_shown{case}")) for case in ("[a-b]", second))


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.name)
def test_every_transcript_belongs_to_a_test(file: Path) -> None:
    module, function = file.name.split(".")[:2]
    assert f"def test_{function}(" in (file.parents[1] / f"test_{module}.py").read_text("utf-8")
