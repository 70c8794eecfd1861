"""The luck ledger of a game as a table: a row for each roll, and the luck of every side below."""

from collections.abc import Sequence
from fractions import Fraction

from sandtable.arena.ratings.luck import Entry
from sandtable.arena.standings.figures import MINUS, NONE
from sandtable.arena.standings.tables import Sheet

NOBODY = "nobody"


def rolls(entries: Sequence[Entry]) -> Sheet:
    """Return every roll against its expectation: hits, or the total of faces where dice are not read by hits."""
    rows = []
    for each in entries:
        sigmas = NONE if each.sigmas is None else _signed(each.sigmas)
        read = "hits" if each.counted else "faces"
        came = (str(each.came), f"{float(each.expected):.2f}", _signed(float(each.surplus)), sigmas)
        rows.append((str(each.record), each.label, each.side or NOBODY, str(each.dice), read, *came))
    headings = ("record", "roll", "side", "dice", "of", "came", "expected", "more", "deviations")
    return Sheet("rolls", headings, tuple(rows), (0, 3, 5, 6, 7, 8))


def luck(entries: Sequence[Entry]) -> Sheet:
    """Return the luck of each side: hits more than expected, in all its rolls for hits, and how rare that is."""
    sides = sorted({each.side for each in entries if each.counted and each.side})
    rows = []
    for side in sides:
        own = [each for each in entries if each.counted and each.side == side]
        surplus = sum((each.surplus for each in own), Fraction(0))
        deviation = sum(each.deviation**2 for each in own) ** 0.5
        sigmas = _signed(float(surplus) / deviation) if deviation else NONE
        came, expected = sum(each.came for each in own), float(sum(each.expected for each in own))
        rows.append((side, str(len(own)), str(came), f"{expected:.2f}", _signed(float(surplus)), sigmas))
    headings = ("side", "rolls", "hits", "expected", "luck", "deviations")
    return Sheet("luck", headings, tuple(rows), (1, 2, 3, 4, 5))


def _signed(value: float) -> str:
    text = f"{abs(value):.2f}"
    return text if text == "0.00" else f"{'+' if value > 0 else MINUS}{text}"
