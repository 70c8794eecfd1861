"""Find where the sources of a ruleset cite its rules, by searching them as text.

An id counts anywhere: in code, a docstring, a comment or a scenario's table. "DAA-7.01 to DAA-7.04", "DAA-7.01 to 7.04"
and "DAA-7.01, 7.03" cite every rule that they include. The index itself does not count: neither a ``RuleRow`` nor a
TOML file with tables of rules or rulings.
"""

import ast
import re
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sandtable.cli.ruleset.rule_tests import MAX_SOURCE
from sandtable.files.reading import read_file

_ID = r"\w[\w-]*(?:\.\w[\w-]*)*"
_WORD = re.compile(rf"(?<![\w.-]){_ID}")
_MORE = re.compile(rf"(,\s+|\s+(?:and|or|to)\s+)({_ID}|\.\w+)")
_TABLE = re.compile(r"""^id = ["'](.+)["']""", re.MULTILINE)


def find_citations(idents: Sequence[str], files: Iterable[Path], home: Path) -> dict[str, list[str]]:
    """Return the places that cite each rule id, such as "combat/rounds.py:57", in the order of ``files``.

    ``idents`` are all ids in the order of the index, which defines what lies between two of them. Only Python and TOML
    files are read. Their names are relative to ``home`` if they are inside it.
    """
    found: dict[str, list[str]] = {ident: [] for ident in idents}
    for path in files:
        text = read_file(path, MAX_SOURCE).decode(errors="replace") if path.suffix in {".py", ".toml"} else ""
        if path.suffix == ".py":
            text = without_rows(text)
        elif any(match[1] in found for match in _TABLE.finditer(text)):
            continue
        ends = [match.start() for match in re.finditer("\n", text)]
        name = (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()
        for ident, offset in cited_in(text, idents):
            place = f"{name}:{bisect_left(ends, offset) + 1}"
            if place not in found[ident]:
                found[ident].append(place)
    return found


def cited_in(text: str, idents: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield (id, offset) for every rule that ``text`` cites."""
    number = {ident: place for place, ident in enumerate(idents)}
    for match in _WORD.finditer(text):
        if match[0] in number:
            yield match[0], match.start()
            yield from ((ident, match.start()) for ident in _meant_with(match[0], text, match.end(), idents, number))
    for ident in idents:
        if not _WORD.fullmatch(ident):  # authors may choose any form of id
            yield from ((ident, match.start()) for match in re.finditer(re.escape(ident), text))


def _meant_with(first: str, text: str, offset: int, idents: Sequence[str], number: dict[str, int]) -> Iterator[str]:
    """Yield the rules cited from ``offset`` on, after the id ``first``: further ids, or a range up to an id."""
    before = first
    while (more := _MORE.match(text, offset)) and (ident := _whole(more[2], first, number)):
        if more[1].strip() == "to":
            yield from idents[number[before] + 1 : number[ident]]
        yield ident
        before, offset = ident, more.end()


def _whole(word: str, first: str, number: dict[str, int]) -> str:
    """Return the full id that ``word`` means after the id ``first``, or "".

    After "DAA-7.01", both "7.04" and ".04" mean "DAA-7.04".
    """
    stem = first.rpartition(".")[0] if word.startswith(".") else first[: first.rfind("-") + 1]
    return next((each for each in (word, stem + word) if each in number), "")


def without_rows(source: str) -> str:
    """Return the source of a module with its calls of ``RuleRow`` blanked; unchanged if it cannot be parsed."""
    if "RuleRow" not in source:
        return source
    try:
        with warnings.catch_warnings(action="ignore"):  # warnings about the author's source are not ours to show
            module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return source
    lines = source.encode().split(b"\n")  # as Python counts them
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "RuleRow":
            last = node.end_lineno or node.lineno
            for row in range(node.lineno, last + 1):
                line = lines[row - 1]
                start = node.col_offset if row == node.lineno else 0
                end = (node.end_col_offset or 0) if row == last else len(line)
                lines[row - 1] = line[:start] + b" " * (end - start) + line[end:]
    return b"\n".join(lines).decode()
