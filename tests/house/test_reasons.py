"""Every comment that silences ruff or mypy gives its reason."""

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("framework", "plugins", "tests", "docs")
SILENCES = re.compile(r"\bnoqa\b|type:\s*ignore\b")
WITH_REASON = re.compile(
    r"# noqa: [A-Z]+\d+(, [A-Z]+\d+)* - \S.*|# type: ignore\[[a-z-]+(,[a-z-]+)*\]  # (?!noqa|type:)\S.*"
)


def bare(path: Path) -> Iterator[str]:
    """Yield the comments of ``path`` that silence a tool without a reason, with their lines."""
    if SILENCES.search(path.read_text(encoding="utf-8")):
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                is_silence = token.type == tokenize.COMMENT and SILENCES.search(token.string)
                if is_silence and not WITH_REASON.fullmatch(token.string):
                    yield f"{path}:{token.start[0]}: {token.string}"


@pytest.mark.full
def test_every_suppressed_warning_has_a_reason() -> None:
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(paths) > 1_000
    assert [found for path in paths for found in bare(path)] == []


@pytest.mark.parametrize(
    ("comment", "is_bare"),
    [
        ("# noqa: S603 - arguments are ours", False),
        ("# noqa: S603, S607 - arguments are ours", False),
        ("# type: ignore[arg-type]  # a wrong type on purpose", False),
        ("# type: ignore[misc,arg-type]  # a wrong type on purpose", False),
        ("# a comment", False),
        ("# noqa", True),
        ("# noqa: S603", True),
        ("# noqa: S603 -", True),
        ("# ruff: noqa: S603", True),
        ("# a reason before  # noqa: S603", True),
        ("# type: ignore", True),
        ("# type: ignore[arg-type]", True),
        ("# type: ignore[arg-type]  # noqa: S603", True),
    ],
)
def test_suppression_without_a_reason_is_found(tmp_path: Path, comment: str, is_bare: bool) -> None:
    (tmp_path / "module.py").write_text(f'"""# noqa"""\nrun()  {comment}\n', encoding="utf-8")
    assert len(list(bare(tmp_path / "module.py"))) == is_bare
