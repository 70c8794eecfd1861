"""The names of platoons in sentences: titles of their types, with a number if a side has several of a type."""

from collections.abc import Iterable, Mapping
from typing import Any

from axis_attack.model.cards import Board
from axis_attack.model.events import CompanyBuilt, PlatoonExchanged
from axis_attack.ui.terms import fielded_words, purchase_words, side_words
from sandtable import Event
from sandtable.pictures import in_words, listed

TypeIds = dict[str, dict[str, str]]
"""The ids of platoon types, by side and platoon id."""
HQ = "hq"
SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


class PlatoonNames:
    """The names of all platoons whose type is known, by side and id. Other platoons are named by their ids."""

    def __init__(self, board: Board, types: TypeIds | None = None) -> None:
        self._board = board
        start = {side: {each.id: each.type for each in it.start} for side, it in board.lists.items()}
        self._types = {side: dict(known) for side, known in (types or start).items()}
        self._names: dict[str, dict[str, str]] = {}

    def follow(self, event: Event) -> None:
        """Record the types of platoons that a side built or received in an exchange."""
        if isinstance(event, CompanyBuilt):
            self._types[event.side] = {each: bought.type for each, bought in event.platoons.items()}
        elif isinstance(event, PlatoonExchanged):
            self._types.setdefault(event.side, {})[event.platoon] = event.wanted.type
        else:
            return
        self._names.pop(event.side, None)

    def of(self, side: str, platoon: str) -> str:
        """Return "the PaK40 platoon" or "the 2nd Panzergrenadier platoon"."""
        if platoon == HQ:
            return "the headquarters"
        if side not in self._names:
            self._names[side] = self._all(side)
        name = self._names[side].get(platoon)
        return f"the {name}" if name else in_words(platoon)

    def owned(self, side: str, platoon: str) -> str:
        """Return "the Germans' PaK40 platoon"."""
        owner = side_words(side, self._board)
        return f"{owner}'{'' if owner.endswith('s') else 's'} {self.of(side, platoon).removeprefix('the ')}"

    def list(self, side: str, platoons: Iterable[str]) -> str:
        """Return the names of several platoons as a list."""
        return listed(self.of(side, each) for each in platoons)

    def force(self, side: str, fielded: Any) -> str:
        """Return "the PaK40 platoon (3 teams, off the table)"."""
        return fielded_words(fielded, lambda each: self.of(side, each))

    def purchase(self, side: str, bought: Any) -> str:
        """Return a special rule that a side bought, with the names of its platoons."""
        return purchase_words(bought, lambda each: self.of(side, each))

    def _all(self, side: str) -> dict[str, str]:
        types: Mapping[str, Any] = self._board.lists[side].types if side in self._board.lists else {}
        titles = {each: types[kind].title for each, kind in self._types.get(side, {}).items() if kind in types}
        counts: dict[str, int] = {}
        names: dict[str, str] = {}
        for each, title in titles.items():
            counts[title] = counts.get(title, 0) + 1
            alone = list(titles.values()).count(title) == 1
            names[each] = title if alone else f"{ordinal(counts[title])} {title}"
        return names


def ordinal(number: int) -> str:
    """Return "1st", "2nd", "11th"."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else SUFFIXES.get(number % 10, 'th')}"
