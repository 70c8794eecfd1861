"""Words for players: sides, sectors, missions, scores, platoons with their upgrades."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from axis_attack.fog.views import SideView
from axis_attack.model.cards import COMBAT, HQ, LEVEL_TITLES, SIDES, SUPPORT, WEAPONS, Board, PlatoonType
from axis_attack.model.events import CompanyBuilt, PlatoonExchanged
from axis_attack.model.state import AirSupport, Fielded, Purchase
from axis_attack.model.tables import OFFERS
from sandtable import Event
from sandtable.pictures import in_words, listed

SLOT_ORDER = (COMBAT, WEAPONS, SUPPORT, HQ)
SLOT_TITLES = {COMBAT: "combat", WEAPONS: "weapons", SUPPORT: "support", HQ: "headquarters"}

RESULTS = {"hold": "hold", "advance": "advance", "breakthrough": "breakthrough", "retreat": "retreat"}
PROFILES = {"close_support": "close air support", "superiority": "air superiority", "interdiction": "interdiction"}
ENDINGS = {
    "home_sector": "the enemy's home sector is taken",
    "front": "a minor victory: after the last turn the front is at the enemy's home",
    "stalemate": "a stalemate: after the last turn the front is far from both homes",
}
"""The endings of a campaign in words (AOA-12.01 to AOA-12.04)."""

TypeIds = dict[str, dict[str, str]]
"""The ids of platoon types, by side and platoon id."""
SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def side_words(side: str, board: Board) -> str:
    """Return a side in words, such as "the Germans"."""
    return f"the {board.sides[side]}" if side in board.sides else f"the {in_words(side)}"


def sector_words(number: int, board: Board) -> str:
    """Return a sector in words, such as "sector 4 (Center)"."""
    known = 1 <= number <= len(board.sectors)
    return f"sector {number} ({board.sector(number).title})" if known else f"sector {number}"


def mission_words(mission: str, board: Board) -> str:
    """Return the title of a mission."""
    return board.missions[mission].title if mission in board.missions else in_words(mission)


def roles_words(mission: str, attacker: str, board: Board) -> str:
    """Return "the Germans attack", or "both sides attack" if the mission has no defender (AOA-7.07).

    If no attacker is known yet, the words are that the mission's own method decides.
    """
    if mission in board.missions and not board.missions[mission].defender:
        return "both sides attack"
    return f"{side_words(attacker, board)} attack" if attacker else "the mission's own method decides the attacker"


def level_words(level: int) -> str:
    """Return the name of a level."""
    return LEVEL_TITLES[level] if 0 <= level < len(LEVEL_TITLES) else str(level)


def score_words(points: Mapping[str, int], board: Board) -> str:
    """Return a score in words, such as "Germans 5, Soviets 2"."""
    return ", ".join(f"{board.sides.get(side, side)} {points[side]}" for side in _ordered(points))


def _ordered(sides: Iterable[str]) -> list[str]:
    there = list(sides)
    return [side for side in SIDES if side in there] + [side for side in there if side not in SIDES]


def result_words(points: Mapping[str, int], winner: str, board: Board) -> str:
    """Return a result in words, such as "Germans 5-2", with the winner's points first, or "draw 1-1"."""
    enemy = next((side for side in points if side != winner), "")
    if winner in points and enemy:
        return f"{board.sides.get(winner, winner)} {points[winner]}-{points[enemy]}"
    return "draw " + "-".join(str(points[side]) for side in _ordered(points))


def fielded_words(each: Fielded, name_of: Callable[[str], str] = str) -> str:
    """Return a platoon of a force, such as "PaK40 platoon (3 teams, off the table)". ``name_of`` returns its name."""
    upgrades = [f"{in_words(name)}{f' ({n})' if n > 1 else ''}" for name, n in sorted(each.upgrades.items())]
    parts = [f"{each.teams} team{'s' * (each.teams != 1)}"]
    parts += [f"with {listed(upgrades)}"] if upgrades else []
    parts += [f"on {name_of(each.carried_by)}"] if each.carried_by else []
    parts += ["off the table"] if each.off_table else []
    return f"{name_of(each.platoon)} ({', '.join(parts)})"


def purchase_words(bought: Purchase, name_of: Callable[[str], str] = str) -> str:
    """Return a special rule that was bought, or "". ``name_of`` returns the name of a platoon."""
    if not bought.kind:
        return ""
    title = OFFERS[bought.kind].title if bought.kind in OFFERS else in_words(bought.kind)
    times = f" ({bought.number})" if bought.number > 1 else ""
    platoons = f" for {listed(map(name_of, bought.platoons))}" if bought.platoons else ""
    targets = f" at {listed(bought.targets)}" if bought.targets else ""
    return f"{title}{times}{platoons}{targets}"


def plane_words(aircraft: str) -> str:
    """Return "Ju 87D" for "ju_87d"."""
    return in_words(aircraft).title()


def air_words(air: AirSupport) -> str:
    """Return the air support of a game, or ""."""
    if not air.aircraft:
        return ""
    load = f" with {air.load}" if air.load else ""
    return f"{air.level} {PROFILES.get(air.profile, in_words(air.profile))} by {plane_words(air.aircraft)}{load}"


def corner_words(column: int, row: int) -> str:
    """Return the column and row of the table's north-west corner, counted from 1."""
    return f"column {column + 1}, row {row + 1}"


def sizes_words(kind: PlatoonType, most: int = 0) -> str:
    """Return the sizes of a type, in teams and points, such as "5 (145), 7 (205)"; those above ``most`` are omitted."""
    return ", ".join(f"{size.teams} ({size.points})" for size in kind.sizes if not most or size.teams <= most)


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
        """Return the name of a platoon, such as "the 2nd Panzergrenadier platoon", or its id if its type is unknown."""
        if platoon == HQ:
            return "the headquarters"
        if side not in self._names:
            self._names[side] = self._all(side)
        name = self._names[side].get(platoon)
        return f"the {name}" if name else in_words(platoon).replace("-", " ")

    def owned(self, side: str, platoon: str) -> str:
        """Return the name of a platoon with its side, such as "the Germans' PaK40 platoon"."""
        owner = side_words(side, self._board)
        return f"{owner}'{'' if owner.endswith('s') else 's'} {self.of(side, platoon).removeprefix('the ')}"

    def list(self, side: str, platoons: Iterable[str]) -> str:
        """Return the names of several platoons as a list."""
        return listed(self.of(side, each) for each in platoons)

    def force(self, side: str, fielded: Any) -> str:
        """Return a fielded platoon in words, such as "the PaK40 platoon (3 teams, off the table)"."""
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


def names_in(view: SideView, board: Board) -> PlatoonNames:
    """Return the names of the platoons that a side sees."""
    types = {side: {each: seen.type for each, seen in roster.items()} for side, roster in view.rosters.items()}
    return PlatoonNames(board, types)


def ordinal(number: int) -> str:
    """Return an ordinal number, such as "1st", "2nd" or "11th"."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else SUFFIXES.get(number % 10, 'th')}"
