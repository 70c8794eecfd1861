"""Results as shares, and the endings that people make: resignation, agreed draw, adjudication, abandonment.

A game of any number of sides has one result: a share for each side, in thousandths, which add up to 1,000.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from sandtable.errors import PlayError
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import EndRecord
from sandtable.kernel.ruleset import Ruleset

DRAW = "draw"
WHOLE = 1000
"""The whole of a game, in thousandths."""
RESIGNATION = "resignation"
AGREED_DRAW = "agreed_draw"
ADJUDICATION = "adjudication"
ABANDONMENT = "abandonment"
BY_PEOPLE = (RESIGNATION, AGREED_DRAW, ADJUDICATION, ABANDONMENT)
"""The endings that people make. No ruleset may use them for its own."""


def equal_shares(among: Sequence[str], sides: Sequence[str]) -> dict[str, int]:
    """Return a share for each of ``sides``: equal ones for those ``among`` them, and 0 for the others.

    The first of ``among`` get one thousandth more where 1,000 does not divide.
    """
    part, rest = divmod(WHOLE, len(among))
    given = {side: part + (place < rest) for place, side in enumerate(among)}
    return {side: given.get(side, 0) for side in sides}


def shares_of(outcome: str, shares: Mapping[str, int], sides: Sequence[str]) -> dict[str, int]:
    """Return the share of each of ``sides`` of a finished game: ``shares`` if given, otherwise by its ``outcome``.

    A winner gets everything; a draw is shared equally.
    """
    if shares:
        return {side: shares.get(side, 0) for side in sides}
    return equal_shares([outcome] if outcome in sides else sides, sides)


def leading(shares: Mapping[str, int]) -> list[str]:
    """Return the sides with the largest share. A thousandth less counts as equal, because thirds are rounded."""
    largest = max(shares.values(), default=0)
    return [side for side, share in shares.items() if share > 0 and share >= largest - 1]


def exact_shares(outcome: str, shares: Mapping[str, int], sides: Sequence[str]) -> dict[str, Fraction]:
    """Return ``shares_of`` as parts of 1. Sides that divide a draw equally get exactly equal parts."""
    stated = shares_of(outcome, shares, sides)
    best = leading(stated)
    if outcome == DRAW and len(best) == sum(share > 0 for share in stated.values()):
        return {side: Fraction(side in best, len(best)) for side in sides}
    return {side: Fraction(share, WHOLE) for side, share in stated.items()}


def wrong_shares(outcome: str, shares: Mapping[str, int], sides: Sequence[str]) -> str:
    """Return why ``shares`` are not those of a game with this ``outcome``, or "".

    The winner has more than any other side. In a draw at least two sides have the largest share, up to rounding.
    """
    if outcome not in (*sides, DRAW):
        return f"the outcome {outcome} is neither a side nor a draw: use {', '.join(sides)} or {DRAW}"
    if not shares:
        return ""
    if unknown := next((side for side in shares if side not in sides), None):
        return f"{unknown} has a share, but is not a side of this game: {', '.join(sides)}"
    if any(share < 0 for share in shares.values()) or sum(shares.values()) != WHOLE:
        return f"shares are 0 or more and add up to {WHOLE}, not {sum(shares.values())}"
    largest = max(shares.values())
    best = [side for side in sides if shares.get(side, 0) == largest]
    if best == [outcome] or (outcome == DRAW and len(leading(shares)) > 1):
        return ""
    return f"the outcome is {outcome}, but the largest share is that of {' and '.join(best)}"


def resignation(ruleset: Ruleset, number: int, seat: str, reason: str = "") -> EndRecord:
    """Return record ``number``: ``seat`` resigns, and the other side wins."""
    side = ruleset.side_of(seat)
    winner = next((each for each in ruleset.viewers if each != side), DRAW)
    return EndRecord(number, seat, RESIGNATION, winner, reason, (side,))


def agreed_draw(
    ruleset: Ruleset, number: int, by: str, shares: dict[str, int] | None = None, reason: str = ""
) -> EndRecord:
    """Return record ``number``: all sides agree on a draw, equal or with ``shares`` (thousandths by side)."""
    return EndRecord(number, by, AGREED_DRAW, DRAW, reason, ruleset.viewers, shares or {})


def adjudication(number: int, outcome: str, reason: str, shares: dict[str, int] | None = None) -> EndRecord:
    """Return record ``number``: the umpire adjudicates the game."""
    return EndRecord(number, UMPIRE, ADJUDICATION, outcome, reason, (), shares or {})


def abandonment(
    number: int, outcome: str, left: Sequence[str], reason: str = "", shares: dict[str, int] | None = None
) -> EndRecord:
    """Return record ``number``: the umpire ends the game, which the sides ``left`` have abandoned."""
    return EndRecord(number, UMPIRE, ABANDONMENT, outcome, reason, tuple(left), shares or {})


def left_by(ruleset: Ruleset, number: int, side: str, reason: str) -> EndRecord:
    """Return record ``number``: ``side`` left the game, and the other side wins or the others share equally."""
    others = [each for each in ruleset.viewers if each != side]
    shares = equal_shares(others, ruleset.viewers) if len(others) > 1 else {}
    return abandonment(number, others[0] if len(others) == 1 else DRAW, [side], reason, shares)


def check_ending(record: EndRecord, ruleset: Ruleset) -> None:
    """Raise PlayError unless people may end a game of ``ruleset`` as ``record`` says."""
    sides = ruleset.viewers
    check = _CHECKS.get(record.how)
    if check is None:
        raise PlayError(f"{record.how} is not an ending that people make: {', '.join(BY_PEOPLE)}")
    problem = wrong_shares(record.outcome, record.shares, sides) or check(record, ruleset)
    if problem:
        raise PlayError(problem)


def _resignation(record: EndRecord, ruleset: Ruleset) -> str:
    if ruleset.side_of(record.by) not in ruleset.viewers:
        return f"{record.by} cannot resign: it is not a seat of {ruleset.id}"
    own = ruleset.side_of(record.by)
    others = [side for side in ruleset.viewers if side != own]
    if len(others) != 1:
        return (
            f"a resignation ends a game of two sides only; {len(others)} other sides continue to play here: "
            "agree on a draw, or ask the umpire to adjudicate"
        )
    if record.sides != (own,) or record.shares or record.outcome != others[0]:
        return f"if {record.by} resigns, {others[0]} wins"
    return ""


def _agreed_draw(record: EndRecord, ruleset: Ruleset) -> str:
    missing = [side for side in ruleset.viewers if side not in record.sides]
    if record.by != UMPIRE and ruleset.side_of(record.by) not in ruleset.viewers:
        return f"{record.by} is neither the umpire nor a seat of {ruleset.id}"
    if missing or len(record.sides) != len(ruleset.viewers):
        return f"a draw needs the agreement of every side, each once; missing: {', '.join(missing) or 'none'}"
    return "" if record.outcome == DRAW else f"the outcome of an agreed draw is {DRAW}, not {record.outcome}"


def _adjudication(record: EndRecord, _: Ruleset) -> str:
    if record.by != UMPIRE:
        return f"only the umpire adjudicates a game, not {record.by}"
    if record.sides:
        return "an adjudication must not name sides"
    return "" if record.reason else "an adjudication requires a reason"


def _abandonment(record: EndRecord, ruleset: Ruleset) -> str:
    if record.by != UMPIRE:
        return f"only the umpire, or the clock on its behalf, ends an abandoned game, not {record.by}"
    if not record.sides or any(side not in ruleset.viewers for side in record.sides):
        return f"an abandonment must name the sides that left; choose from {', '.join(ruleset.viewers)}"
    gains = record.outcome in record.sides or any(record.shares.get(side, 0) for side in record.sides)
    return f"{record.outcome} left the game, so it cannot win or receive a share" if gains else ""


_CHECKS: dict[str, Callable[[EndRecord, Ruleset], str]] = {
    RESIGNATION: _resignation,
    AGREED_DRAW: _agreed_draw,
    ADJUDICATION: _adjudication,
    ABANDONMENT: _abandonment,
}
