"""The luck ledger as tables: one row per roll, and the luck of every side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sandtable.journal.luck.ledger import LuckEntry

NOBODY = "nobody"
NONE = "n/a"
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class TableSheet:
    """A table: headings, rows of text and the right-aligned columns; the first ``keys`` columns identify a row."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    keys: int = 1


@dataclass(frozen=True)
class SideLuck:
    """The luck of a side: its rolls, hits and faces with expected values, and its total luck in hits.

    ``sigmas`` is the luck in standard deviations, or None if all results were certain.
    """

    rolls: int
    hits: int
    hits_expected: float
    faces: int
    faces_expected: float
    luck: float
    sigmas: float | None


def luck_of(entries: Sequence[LuckEntry]) -> SideLuck:
    """Return the luck of a side from its own entries."""
    luck = sum((each.luck for each in entries), Fraction(0))
    deviation = sum((each.deviation / each.span) ** 2 for each in entries) ** 0.5
    by_hits, by_faces = ([each for each in entries if each.by_hits == kind] for kind in (True, False))
    return SideLuck(
        len(entries),
        *(sum(each.came for each in by_hits), float(sum(each.expected for each in by_hits))),
        *(sum(each.came for each in by_faces), float(sum(each.expected for each in by_faces))),
        float(luck),
        float(luck) / deviation if deviation else None,
    )


def by_side(entries: Iterable[LuckEntry]) -> dict[str, SideLuck]:
    """Return the luck of each side that had any, sorted by name."""
    own: dict[str, list[LuckEntry]] = {}
    for each in entries:
        if each.side:
            own.setdefault(each.side, []).append(each)
    return {side: luck_of(each) for side, each in sorted(own.items())}


def facts(entry: LuckEntry) -> dict[str, object]:
    """Return a roll as plain data; ``luck`` is null if the roll belongs to no side."""
    return {
        "record": entry.record,
        "roll": entry.label,
        "dice": entry.dice,
        "read_by": "hits" if entry.by_hits else "faces",
        "came": entry.came,
        "expected": float(entry.expected),
        "deviation": entry.deviation,
        "side": entry.side,
        "luck": float(entry.luck) if entry.side else None,
    }


def rolls(entries: Sequence[LuckEntry]) -> TableSheet:
    """Return the table of rolls: result and expected result in hits, or as totals of faces."""
    rows = []
    for each in entries:
        sigmas = NONE if each.sigmas is None else _signed(each.sigmas)
        came = (str(each.came), f"{float(each.expected):.2f}", _signed(float(each.surplus)), sigmas)
        luck = _signed(float(each.luck)) if each.side else ""
        read = "hits" if each.by_hits else "faces"
        rows.append((str(each.record), each.label, str(each.dice), read, *came, each.side or NOBODY, luck))
    headings = ("record", "roll", "dice", "of", "came", "expected", "more", "deviations", "luck of", "luck")
    return TableSheet("rolls", headings, tuple(rows), (0, 2, 4, 5, 6, 7, 9))


def luck(found: Mapping[str, SideLuck]) -> TableSheet:
    """Return the table of luck by side: hits and faces with expected values, total luck in hits, and deviations."""
    every = found.values()
    columns = [("side", list(found)), ("rolls", [str(each.rolls) for each in every])]
    if any(each.hits_expected or each.hits for each in every):
        columns.append(("hits", [str(each.hits) for each in every]))
        columns.append(("expected", [f"{each.hits_expected:.2f}" for each in every]))
    if any(each.faces for each in every):
        columns.append(("faces", [str(each.faces) for each in every]))
        columns.append(("expected", [f"{each.faces_expected:.1f}" for each in every]))
    columns.append(("luck", [_signed(each.luck) for each in every]))
    columns.append(("deviations", [NONE if each.sigmas is None else _signed(each.sigmas) for each in every]))
    rows = tuple(zip(*(cells for _, cells in columns), strict=True))
    return TableSheet("luck", tuple(heading for heading, _ in columns), rows, tuple(range(1, len(columns))))


def _signed(value: float) -> str:
    text = f"{abs(value):.2f}"
    return text if text == "0.00" else f"{'+' if value > 0 else MINUS}{text}"
