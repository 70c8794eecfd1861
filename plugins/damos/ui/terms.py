"""Words for the tokens of the game: units, hexes, sides, points, loss points, modifiers."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from damos.model.board import Board
from sandtable.pictures import in_words, listed, number_word

PLANS = {"meeting": "meeting engagement", "standard": "standard attack", "grand": "grand assault"}
SINGULAR = {"are": "is", "have": "has", "rally": "rallies", "try": "tries"}
MODIFIERS = {
    "plan": "the attack plan",
    "matrix": "the combat matrix",
    "demoralized": "demoralization",
    "supply": "no supply line",
    "mobile": "stronger mobile units",
    "zone": "an enemy without a zone",
    "range": "a distance of 3 hexes",
    "settled": "a settlement",
    "single unit": "a single unit",
    "full hex": "a full hex",
}
"""Words for modifiers whose token is unclear."""


def side_of(side: str, board: Board) -> str:
    """Return the title of a side with its article, such as "the Germans"."""
    return f"the {board.titles.get(side, in_words(side))}".rstrip()


def side_of_units(units: Iterable[str], board: Board) -> str:
    """Return the owner of units, such as "the Germans", or "a side" if it is unknown."""
    counters = (board.counters.get(unit_id) for unit_id in units)
    return next((side_of(counter.side, board) for counter in counters if counter), "a side")


def name_of(unit_id: str, board: Board) -> str:
    """Return the name of a unit, such as "3 Pz" or "267 Inf"; never a bare number."""
    counter = board.counters.get(unit_id)
    if counter is None:
        return f"unit {unit_id}" if unit_id else "a unit"
    return counter.title


def names(units: Iterable[str], board: Board) -> str:
    """Return the names of units as a list in words: "3 Pz, 4 Pz and 267 Inf"."""
    return listed(name_of(unit_id, board) for unit_id in units) or "no unit"


def place(hex_: str, board: Board) -> str:
    """Return a hex with the name of its town: "2819 (Minsk)", "2820"."""
    name = board.names.get(hex_, "")
    return f"{hex_} ({name})" if name else hex_ or "nowhere"


def places(hexes: Iterable[str], board: Board) -> str:
    """Return hexes as a list in words: "2820, 2819 (Minsk) and 2818"."""
    return listed(place(hex_, board) for hex_ in hexes)


def points(halves: int) -> str:
    """Return half movement points as points: "2", "½", "3½"."""
    whole = halves // 2
    return f"{whole or ''}½" if halves % 2 else str(whole)


def moves(halves: int, kind: str = "movement point") -> str:
    """Return half movement points with their unit: "6 movement points", "½ movement point", "no movement points"."""
    return f"{points(halves) if halves > 0 else 'no'} {kind}{'' if 0 < halves <= 2 else 's'}"


def loss(token: str) -> str:
    """Return loss points as the table has them: "1", "0 with a heart", "1 with a diamond"."""
    number = token.rstrip("hd")
    mark = {"h": " with a heart", "d": " with a diamond"}.get(token[len(number) :], "")
    return f"{number or '0'}{mark}"


def signed(number: int) -> str:
    """Return a number with its sign: "+1", "-2", "0"."""
    return f"{number:+}" if number else "0"


def rolled(dice: Iterable[int], modifiers: Iterable[tuple[str, int]], total: int) -> str:
    """Return the faces, modifiers and total of a roll: "4 and 5 (+1 for stronger mobile units, total 10)"."""
    faces = listed(map(str, dice)) or "no dice"
    changes = [f"{signed(number)} for {modifier(name)}" for name, number in modifiers if number]
    return f"{faces} ({', '.join([*changes, f'total {total}'])})"


def modifier(name: str) -> str:
    """Return the words of a modifier."""
    return MODIFIERS.get(name, in_words(name))


def counted_points(number: int, kind: str = "point") -> str:
    """Return a number of points in words: "no points", "one point", "two loss points"."""
    return f"{number_word(number)} {kind}{'' if number == 1 else 's'}"


def do(units: Collection[str], board: Board, what: str) -> str:
    """Return the units with a verb that agrees: "3 Pz retreats", "3 Pz and 4 Pz retreat"."""
    return f"{names(units, board)} {agreed(what, units)}"


def agreed(what: str, items: Collection[str]) -> str:
    """Return ``what``, which begins with a plural verb, in agreement with the items."""
    verb, blank, rest = what.partition(" ")
    return what if len(items) > 1 else f"{SINGULAR.get(verb, f'{verb}s')}{blank}{rest}"


def gathered(hexes: dict[str, str], board: Board) -> str:
    """Return units with their hexes: "4 RC in 2625 (Grodno) and 3 Pz and 4 Pz in 3128"."""
    by_hex: dict[str, list[str]] = {}
    for unit_id, hex_ in sorted(hexes.items(), key=lambda item: (item[1], item[0])):
        by_hex.setdefault(hex_, []).append(unit_id)
    return listed(f"{names(units, board)} in {place(hex_, board)}" for hex_, units in by_hex.items()) or "no units"


def path_words(path: list[str], board: Board) -> str:
    """Return a path in words: "from 2924 to 2923 (Baranovichi) by 3023", with the hexes between in order."""
    between = f" by {listed(path[1:-1])}" if path[1:-1] else ""
    return f"from {place(path[0], board)} to {place(path[-1], board)}{between}" if path else "nowhere"


def plan_words(plan: str) -> str:
    """Return an attack plan in words: "grand assault"."""
    return PLANS.get(plan, in_words(plan))


class Force(NamedTuple):
    """Units in a template: ``{units}`` is their names, ``{units:retreat}`` adds a verb that agrees with them."""

    units: Collection[str]
    board: Board

    def __format__(self, verb: str) -> str:
        """Return the names, with the verb if one is given."""
        return do(self.units, self.board, verb) if verb else names(self.units, self.board)


FIELDS: dict[str, Callable[[Any, Board], object]] = {
    "side": side_of,
    "hex": place,
    "target": place,
    "hexes": gathered,
    "path": path_words,
    "units": Force,
    "why": lambda why, _: in_words(why),
    "halves": lambda halves, _: moves(halves),
    "left": lambda left, _: moves(left, "point"),
}
"""Formatters by the name of an event's field; other fields are written unchanged."""


class Fields(dict[str, object]):
    """The fields of an event in words, for ``str.format_map``; ``owner`` is the side of its units."""

    def __init__(self, event: Any, board: Board) -> None:
        super().__init__()
        self.event, self.board = event, board

    def __missing__(self, name: str) -> object:
        """Return a field in words."""
        if name == "owner":
            return side_of_units(self.event.units, self.board)
        value = getattr(self.event, name)
        return FIELDS[name](value, self.board) if name in FIELDS else value
