"""English style: at most a few bad habits per thousand words in every package, for each kind of text (english.toml)."""

import ast
import io
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from sandtable.scaffold.writing import files_of

ROOT = Path(__file__).parents[2]
MAX_PER_1000 = {"docs": 3.0, "help": 3.0}
"""Maximum number of hits in 1,000 words of these kinds of text; ``MAX_OTHERS`` holds for all others."""
MAX_OTHERS = 5.0
FREE_HITS = 2
"""Hits that a package may always have, because a few words give no meaningful rate."""
MAX_WORDS = {"docs": 40, "help": 32, "docstring": 32, "message": 40, "comment": 30}
"""Maximum number of words in a sentence."""
MAX_TEST_NAME = 70
MIN_MESSAGE_WORDS = 4
HABITS: dict[str, dict[str, list[str]]] = tomllib.loads((Path(__file__).parent / "english.toml").read_text())
PATTERNS = {name: re.compile("|".join(f"(?:{each})" for each in row["patterns"])) for name, row in HABITS.items()}
CODE = re.compile(r"``[^`]*``|`[^`]*`|https?://\S+|\{[^{}]*\}")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"(])|\n\s*\n")
WORD = re.compile(r"[A-Za-z']+")
DIRECTIVE = re.compile(r"#!|# *(?:noqa|type:|pragma|fmt:)")


class Text(NamedTuple):
    """A text of a file: its package, its kind, its line, and its words."""

    package: str
    kind: str
    where: str
    text: str


def package_of(path: Path) -> str:
    """Return the package whose texts are counted together: "sandtable.journal", "plugins/damos", "docs"."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "framework":
        return ".".join(parts[1:3]).removesuffix(".py")
    return "/".join(parts[: 2 if parts[0] in ("plugins", "tests") else 1]).removesuffix(".md")


def texts_of(path: Path) -> Iterator[Text]:
    """Yield the texts of a Python or Markdown file."""
    source = path.read_text(encoding="utf-8")
    found = python_texts(source, in_tests="tests" in path.parts) if path.suffix == ".py" else markdown_texts(source)
    place = path.relative_to(ROOT).as_posix()
    for kind, line, text in found:
        yield Text(package_of(path), kind, f"{place}:{line}", text)


def new_texts() -> Iterator[Text]:
    """Yield the texts of the packages that ``sandtable new`` writes."""
    for board in ("none", "areas", "hexes", "cards"):
        cards = board == "cards"
        for path, source in files_of("sample", "", "none" if cards else board, "1", cards=cards, secrets=True).items():
            if path.endswith((".py", ".md")):
                is_code = path.endswith(".py")
                found = python_texts(source, in_tests=path.startswith("tests")) if is_code else markdown_texts(source)
                for kind, line, text in found:
                    yield Text(f"sandtable new, {board}", kind, f"{path}:{line}", text)


def markdown_texts(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield the paragraphs and list items of a Markdown file, without code and tables."""
    prose = re.sub(
        r"^(```|~~~).*?^\1|^(?: {4,}|\|).*?$", lambda block: "\n" * block[0].count("\n"), source, flags=re.M | re.S
    )
    line = 1
    for block in re.split(r"(\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.) ))", prose):
        if block.strip():
            yield "docs", line, block
        line += block.count("\n")


def python_texts(source: str, *, in_tests: bool) -> Iterator[tuple[str, int, str]]:
    """Yield the docstrings, help texts, comments, messages and test names of a module."""
    tree = ast.parse(source)
    documented = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            documented.add(id(node.value))
            yield "docstring", node.lineno, node.value.value
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield "test name", node.lineno, node.name
        if isinstance(node, ast.keyword) and node.arg == "help" and isinstance(node.value, ast.Constant):
            documented.add(id(node.value))
            yield "help", node.value.lineno, str(node.value.value)
    for node in () if in_tests else ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            documented.update(map(id, node.values))
            parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
            yield from _message(node.lineno, "".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield from _message(node.lineno, node.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not DIRECTIVE.match(token.string):
            yield "comment", token.start[0], token.string.lstrip("# ")


def _message(line: int, text: str) -> Iterator[tuple[str, int, str]]:
    if len(WORD.findall(text)) >= MIN_MESSAGE_WORDS and " " in text.strip() and "\\" not in text:
        yield "message", line, text


def hits_in(text: Text) -> Iterator[str]:
    """Yield the bad habits of a text, with what matched and what to write instead."""
    if text.kind == "test name":
        if len(text.text) > MAX_TEST_NAME:
            yield f"name of {len(text.text)} letters: at most {MAX_TEST_NAME}"
        sentences = [text.text.removeprefix("test_").replace("_", " ")]
    else:
        sentences = [" ".join(each.split()) for each in SENTENCE_END.split(CODE.sub("X", text.text)) if each]
    for sentence in sentences:
        for name, pattern in PATTERNS.items():
            if found := pattern.search(sentence):
                yield f"{found[0]!r}: {HABITS[name]['instead']}"
        words = len(WORD.findall(sentence))
        if words > MAX_WORDS.get(text.kind, words):
            yield f"sentence of {words} words: split it"


@cache
def all_texts() -> tuple[Text, ...]:
    """Return the texts of the repository, except the changelog's history and what the user typed."""
    files = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]
    for folder in ("framework", "plugins", "tests", "docs", "replays"):
        files += sorted(each for each in (ROOT / folder).rglob("*") if each.suffix in (".py", ".md"))
    written = (text for file in files if "_build" not in file.parts for text in texts_of(file))
    return (*written, *new_texts())


@pytest.mark.full
def test_every_package_keeps_to_plain_english() -> None:
    words: Counter[tuple[str, str]] = Counter()
    hits: dict[tuple[str, str], list[str]] = {}
    for text in all_texts():
        key = text.package, text.kind
        words[key] += len(WORD.findall(CODE.sub("", text.text.replace("_", " "))))
        hits.setdefault(key, []).extend(f"  {text.where}: {each}" for each in hits_in(text))
    too_many = [
        f"{package}, {kind}: {len(found)} in {words[package, kind]} words\n" + "\n".join(found)
        for (package, kind), found in sorted(hits.items())
        if len(found) > max(FREE_HITS, MAX_PER_1000.get(kind, MAX_OTHERS) * words[package, kind] / 1000)
    ]
    assert not too_many, "\n".join(too_many)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("docstring", "Return what is left."),
        ("docstring", "Who enters the city pays."),
        ("message", "nobody is asked to choose"),
        ("comment", "it stands in the table"),
        ("help", "Where there is no key, nothing is checked."),
        ("docs", "So many records are kept."),
        ("docstring", "The unit is no tank."),
        ("message", "he has the armor"),
        ("docs", "The result hangs on the dice."),
        ("test name", "test_" + "long_" * 14),
        ("test name", "test_whoever_moves_pays"),
        ("docstring", "A sentence of many words " + "and more of them " * 8 + "."),
    ],
)
def test_bad_habit_is_noticed(kind: str, text: str) -> None:
    assert list(hits_in(Text("a package", kind, "a place", text)))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("docstring", "Return the units that are left."),
        ("docs", "Use `so many` and ``nobody`` in code."),
        ("message", "there is no order to undo"),
        ("test name", "test_unit_that_enters_the_city_pays"),
    ],
)
def test_plain_sentence_is_accepted(kind: str, text: str) -> None:
    assert not list(hits_in(Text("a package", kind, "a place", text)))
