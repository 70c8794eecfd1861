"""Removing proofs from a log: one line or field, all of a kind, openings, the key, or a commitment."""

from collections.abc import Callable
from random import Random
from typing import Any

from format_proofs import Tables
from rechained import places

REFERENCES = ("at", "to", "amends", "withdraws", "disputed", "from")
"""Fields of records that hold the number of another record."""


def without_key(lines: Tables) -> Tables:
    """Return the lines without the dice key.

    The field is removed, and openings of header or close that show it.
    """
    found = [dict(line) for line in lines]
    for line in (found[0], found[-1]):
        line.pop("key", None)
        line["opened"] = {to: part for to, part in line.get("opened", {}).items() if "key" not in part}
    return found


def openings_of(lines: Tables) -> list[tuple[int, str]]:
    """Return the openings of the lines, by line number and recipient."""
    return [
        (index, to) for index, line in enumerate(lines) for to, part in line.get("opened", {}).items() if "salt" in part
    ]


def without_openings(lines: Tables, gone: set[tuple[int, str]]) -> Tables:
    """Return the lines without some openings. The commitments stay."""
    found, first = [], 0
    for index, line in enumerate(lines):
        first = index if "root" in line else first
        kept = {to: part for to, part in line.get("opened", {}).items() if (first, to) not in gone}
        found.append({**line, "opened": kept} if "opened" in line else line)
    return found


def renumbered(lines: Tables) -> Tables:
    """Return the lines numbered consecutively, with numbers in them that name others."""
    new = {line.get("n", index): index for index, line in enumerate(lines[1:], start=1)}

    def moved(number: int) -> int:
        return new.get(number, next((new[each] for each in range(number, 0, -1) if each in new), 0))

    found = [lines[0]]
    for index, line in enumerate(lines[1:], start=1):
        named = {name: moved(line[name]) for name in REFERENCES if line.get(name) and isinstance(line[name], int)}
        found.append({**{name: value for name, value in line.items() if name != "last"}, **named, "n": index})
    return found


def _bare(lines: Tables, index: int, *gone: str) -> Tables:
    """Return the lines without fields of one of them."""
    line = {name: value for name, value in lines[index].items() if name not in gone}
    return [*lines[:index], line, *lines[index + 1 :]]


Removal = Callable[[Random, Tables], tuple[str, Tables]]


def _a_line(rng: Random, lines: Tables) -> tuple[str, Tables]:
    index = rng.randrange(1, len(lines))
    kept = lines[:index] + lines[index + 1 :]
    kind = lines[index]["kind"]
    return (f"{kind} {index}", renumbered(kept)) if rng.randrange(3) else (f"{kind} {index}, not renumbered", kept)


def _a_line_of_a_kind(rng: Random, lines: Tables) -> tuple[str, Tables]:
    kind = rng.choice(sorted({line["kind"] for line in lines[1:]}))
    index = rng.choice([index for index, line in enumerate(lines) if line["kind"] == kind])
    return f"{kind} {index}", renumbered(lines[:index] + lines[index + 1 :])


def _a_kind(rng: Random, lines: Tables) -> tuple[str, Tables]:
    kind = rng.choice(sorted({line["kind"] for line in lines[1:]}))
    return f"every {kind}", renumbered([line for line in lines if line["kind"] != kind])


def _a_field(rng: Random, lines: Tables) -> tuple[str, Tables]:
    """Remove a field or an item of a list, at any depth, of any line or opening."""
    index = rng.choice((0, len(lines) - 1, rng.randrange(len(lines)), rng.randrange(len(lines))))
    spots = [keys for number, keys in places([lines[index]]) if keys and not number]
    if not spots:
        return f"n of {index}", _bare(lines, index, "n")
    keys = rng.choice(spots)
    return f"{keys} of {index}", [*lines[:index], _cut(lines[index], keys), *lines[index + 1 :]]


def _cut(tree: Any, keys: tuple[Any, ...]) -> Any:
    key, *rest = keys
    if rest:
        inner = _cut(tree[key], tuple(rest))
        return {**tree, key: inner} if isinstance(tree, dict) else [*tree[:key], inner, *tree[key + 1 :]]
    return (
        {name: value for name, value in tree.items() if name != key}
        if isinstance(tree, dict)
        else [
            *tree[:key],
            *tree[key + 1 :],
        ]
    )


def _a_named_field(rng: Random, lines: Tables) -> tuple[str, Tables]:
    """Remove a field of one line, or of all lines of its kind; every name of a field is equally probable."""
    names = sorted({(line["kind"], name) for line in lines for name in line if name not in {"kind", "n"}})
    kind, name = rng.choice(names)
    spots = [index for index, line in enumerate(lines) if line["kind"] == kind and name in line]
    if rng.randrange(2):
        return f"{name} of every {kind}", [
            {each: value for each, value in line.items() if each != name} if line["kind"] == kind else line
            for line in lines
        ]
    index = rng.choice(spots)
    return f"{name} of {kind} {index}", _bare(lines, index, name)


def _an_opening(rng: Random, lines: Tables) -> tuple[str, Tables]:
    openings = openings_of(lines)
    gone = set(rng.sample(openings, min(len(openings), rng.randrange(1, 3))))
    return f"openings {sorted(gone)}", without_openings(lines, gone)


def _openings_of_one(rng: Random, lines: Tables) -> tuple[str, Tables]:
    openings = openings_of(lines)
    to = rng.choice(sorted({to for _, to in openings}) or [""])
    return f"openings for {to}", without_openings(lines, {each for each in openings if each[1] == to})


def _all_openings(rng: Random, lines: Tables) -> tuple[str, Tables]:
    return "all openings", without_openings(lines, set(openings_of(lines)))


def _the_key(rng: Random, lines: Tables) -> tuple[str, Tables]:
    return "the key", without_key(lines)


def _a_commitment(rng: Random, lines: Tables) -> tuple[str, Tables]:
    """Remove the commitment of a line with its openings, or the commitment to the key, or all keys of seats."""
    spots = [index for index, line in enumerate(lines) if "root" in line]
    gone = rng.choice(
        (("root", "opened"), ("commitment", "root", "opened"), ("parent", "dice_set"), ("keys",), ("chains",))
    )
    index = rng.choice(spots) if gone == ("root", "opened") and spots else 0
    return f"{gone} of {index}", _bare(lines, index, *gone)


_COMMITTING = (("root", "opened"), ("commitment", "root", "opened"), ("parent", "dice_set"), ("keys",), ("chains",))

REMOVALS: tuple[Removal, ...] = (
    _a_line,
    _a_line_of_a_kind,
    _a_kind,
    _a_field,
    _a_named_field,
    _an_opening,
    _openings_of_one,
    _all_openings,
    _the_key,
    _a_commitment,
)
