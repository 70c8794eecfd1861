"""Search for the enemy's forces: companies are distributed so that all that a side knows of them holds (KH-6).

A formation may be divided by a fortress (KH-7.02, KH-R117), so a force takes all or some companies of a formation.
Searches with fewer parts come first.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from khamsin.model.cards import Board
from khamsin.model.forces import card, card_id, companies_by_class
from khamsin.model.state import Formation, KhamsinState
from khamsin.movement.orders_sheet import are_apart, piece_name
from sandtable import NoDeal

SEARCHES = ((0, False), (1, False), (2, False), (1, True), (2, True), (3, True), (4, True))
"""Maximum number of parts, and whether a part may be outside a fortress (it was driven out), for each search."""
MAX_TRIED, MAX_FORCES = 400, 40
"""Maximum number of steps of a search, and of forces that are tried for one area in a step."""
MAX_TOGETHER = 3
"""Maximum number of formations in a force whose companies are not known."""


class Demand(NamedTuple):
    """Knowledge of the enemy in ``area``: companies by class (None: only that it can fight), types, names."""

    area: str
    companies: dict[str, int] | None = None
    types: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class Piece(NamedTuple):
    """A number of companies of a formation; ``name`` is the id of the piece, or "" if it is not known."""

    formation: str
    number: int
    name: str = ""


Force = list[Piece]


class Muster:
    """Search for forces; ``pool`` has the formations in random order, ``barred`` areas that others may not be in."""

    def __init__(self, state: KhamsinState, enemy: str, pool: Sequence[str], barred: set[str]) -> None:
        self.state, self.enemy, self.barred = state, enemy, barred
        self.board: Board = state.board
        self.pool = list(pool)
        self.left = {each: state.formations[each].strength for each in pool}
        self.areas: dict[str, list[str]] = {each: [] for each in pool}
        control, fortress = state.control, self.board.fortress
        self.forts = {area for area, side in fortress.items() if side == enemy == control[area]}
        self._searches = SEARCHES if enemy in fortress.values() else SEARCHES[:1]
        self._has_ground = any(side == enemy and area not in barred for area, side in control.items())
        self._tried, self._parts, self._parts_go = 0, 0, False
        self._known: set[str] = set()  # ids of pieces that are known
        self._taken: set[str] = set()  # ids of pieces in a force
        self._classes: dict[tuple[str, int], dict[str, int]] = {}

    def forces(self, demands: Sequence[Demand]) -> tuple[list[list[str]], list[str]]:
        """Return a force for each demand, and the formations and parts that belong to no force.

        Raises NoDeal if no search finds forces for all demands.
        """
        self._known = {name for demand in demands for name in demand.names}
        order = sorted(range(len(demands)), key=lambda index: _difficulty(demands[index]), reverse=True)
        ordered = [demands[index] for index in order]
        chosen = self._search(ordered)
        if chosen is None:
            areas = ", ".join(demand.area for demand in ordered)
            raise NoDeal(f"found no forces of the {self.enemy} in {areas} that fit what is known of them (KH-6)")
        found = dict(zip(order, chosen, strict=True))
        return self._divide([found[index] for index in range(len(demands))], demands)

    # --- the search ---

    def _search(self, demands: list[Demand]) -> list[Force] | None:
        for parts, parts_go in self._searches:
            self._tried, self._parts, self._parts_go = 0, parts, parts_go
            chosen = self._share_out(demands)
            if chosen is not None:
                return chosen
        return None

    def _share_out(self, demands: list[Demand]) -> list[Force] | None:
        """Take companies for all demands and return the forces, or return None if no search step succeeds."""
        if not demands:
            return [] if self._rest_fits() else None
        self._tried += 1
        if self._tried > MAX_TRIED:
            return None
        for force in islice(self._forces(demands[0]), MAX_FORCES):
            parts = self._parts
            self._take(force, demands[0].area)
            rest = self._share_out(demands[1:])
            if rest is not None:
                return [force, *rest]
            self._give_back(force)
            self._parts = parts
        return None

    def _take(self, force: Force, area: str) -> None:
        for piece in force:
            if piece.name:
                self._taken.add(piece.name)
            else:
                self._parts -= self._cost(piece)
            self.left[piece.formation] -= piece.number
            self.areas[piece.formation].append(area)

    def _give_back(self, force: Force) -> None:
        for piece in force:
            self._taken.discard(piece.name)
            self.left[piece.formation] += piece.number
            self.areas[piece.formation].pop()

    def _cost(self, piece: Piece) -> int:
        """Return the number of parts that a piece adds; the last piece of a divided formation adds none."""
        return int(self.left[piece.formation] > piece.number)

    def _rest_fits(self) -> bool:
        """Return whether the rest of each divided formation can be somewhere, in a fortress or driven out of it."""
        if self._parts_go and self._has_ground:
            return True
        open_ = self.forts - self.barred
        divided = [set(areas) for each, areas in self.areas.items() if areas and self.left[each]]
        return all(areas <= self.forts or open_ - areas for areas in divided)

    # --- forces for one demand ---

    def _forces(self, demand: Demand) -> Iterator[Force]:
        """Yield forces that fit a demand."""
        if demand.names:
            yield from self._by_name(demand)
            return
        if demand.companies is None:
            found = self._that_can_fight(demand.area)
        elif not demand.companies:
            found = ([Piece(each, 0)] for each in self.pool if self._is_here(each) and not self.left[each])
        else:
            usable = [each for each in self.pool if self.left[each] and demand.area not in self.areas[each]]
            found = self._counted(demand.area, self._with_reach(usable), demand.companies, self._parts)
        yield from (force for force in found if self._fits(demand, force))

    def _is_here(self, each: str) -> bool:
        """Return whether a formation has companies left, or is guns without companies in no force."""
        return bool(self.left[each]) or not self.areas[each]

    def _that_can_fight(self, area: str) -> Iterator[Force]:
        """Yield forces of up to ``MAX_TOGETHER`` formations.

        In an area that the enemy neither controls nor shares with the side, guns without companies come first, because
        they do not take control (KH-11.05).
        """
        is_taken = self.state.control[area] == self.enemy or area in self.barred
        usable = sorted(filter(self._is_here, self.pool), key=lambda each: bool(self.left[each]) != is_taken)
        pieces = [Piece(each, self.left[each]) for each in usable if self._may_take(each, self.left[each], area)]
        for size in range(1, MAX_TOGETHER + 1):
            yield from map(list, combinations(pieces, size))
        if self._parts:
            yield from ([Piece(each, 1)] for each in usable if self.left[each] > 1 and self._may_take(each, 1, area))

    def _with_reach(self, pool: Sequence[str]) -> list[tuple[str, dict[str, int]]]:
        """Return each formation with the companies by class of itself and all later ones."""
        found: list[tuple[str, dict[str, int]]] = []
        there: dict[str, int] = {}
        for each in reversed(pool):
            own = self.classes(each, self.left[each])
            there = there | {name: number + there.get(name, 0) for name, number in own.items()}
            found.append((each, there))
        return found[::-1]

    def _counted(
        self, area: str, pool: Sequence[tuple[str, dict[str, int]]], required: dict[str, int], parts: int
    ) -> Iterator[Force]:
        """Yield forces of exactly these companies by class, with at most ``parts`` new parts."""
        if not any(required.values()):
            yield []
            return
        for index, (each, there) in enumerate(pool):
            if not _is_within(required, there):
                return
            for number in range(self.left[each], 0, -1):
                own = self.classes(each, number)
                piece = Piece(each, number)
                cost = self._cost(piece)
                if cost <= parts and _is_within(own, required) and self._may_take(each, number, area):
                    more = self._counted(area, pool[index + 1 :], _less(required, own), parts - cost)
                    yield from ([piece, *force] for force in more)

    def classes(self, each: str, number: int) -> dict[str, int]:
        """Return the companies by class of a formation that has ``number`` companies."""
        found = self._classes.get((each, number))
        if found is None:
            found = self._classes[each, number] = companies_by_class(self.board, card(self.state, each), number)
        return found

    def _may_take(self, each: str, number: int, area: str) -> bool:
        """Return whether a piece may be in an area; parts are in fortresses unless they were driven out (KH-7.02)."""
        areas = self.areas[each]
        if area in areas or (not self._parts_go and areas and self._outside(area) + sum(map(self._outside, areas)) > 1):
            return False
        return number == self.left[each] or self._parts_go or bool(self.forts)

    def _outside(self, area: str) -> bool:
        return area not in self.forts

    def _fits(self, demand: Demand, force: Force) -> bool:
        """Return whether a force has all company types that were fielded, and may be in one area (KH-7.03)."""
        names = [piece.formation for piece in force]
        if len({card_id(self.state, each) for each in names}) < len(names):
            return False
        if self.board.apart and any(are_apart(self.state, one, other) for one, other in combinations(names, 2)):
            return False
        return {kind for each in names for kind in card(self.state, each).options}.issuperset(demand.types)

    # --- forces of known formations ---

    def _by_name(self, demand: Demand) -> Iterator[Force]:
        """Yield forces of known formations and parts, those with the fewest parts first."""
        owned = [(name, self._whole(name)) for name in demand.names]
        owned = [(name, each) for name, each in owned if each in self.left]
        if demand.companies is None:
            yield [Piece(each, self._most(name, each, []), name) for name, each in owned]
            return
        for parts in range(len(owned) + 1):
            yield from self._numbered(owned, demand.companies, parts)

    def _whole(self, name: str) -> str:
        """Return the formation that a piece with this id is all or part of."""
        return name if name in self.board.formations else name.rpartition("_")[0]

    def _numbered(
        self, owned: list[tuple[str, str]], required: dict[str, int], parts: int, force: Force | None = None
    ) -> Iterator[Force]:
        """Yield forces of these pieces with exactly the required companies, in ``parts`` parts."""
        taken = force or []
        if not owned:
            if not parts and not any(required.values()):
                yield taken
            return
        (name, each), *more = owned
        most = self._most(name, each, taken)
        for number in range(most, min(most, 1) - 1, -1):
            own = self.classes(each, number)
            cost = int(number < most)
            if cost <= parts and _is_within(own, required):
                piece = Piece(each, number, name)
                yield from self._numbered(more, _less(required, own), parts - cost, [*taken, piece])

    def _most(self, name: str, each: str, taken: Force) -> int:
        """Return the maximum number of companies of a piece: those of its formation minus one for each other piece."""
        pieces = {each, *(one for one in self._known if self._whole(one) == each)}
        waiting = pieces - self._taken - {name} - {piece.name for piece in taken}
        taken_here = sum(piece.number for piece in taken if piece.formation == each)
        return max(0, self.left[each] - taken_here - len(waiting))

    # --- parts ---

    def _divide(self, forces: list[Force], demands: Sequence[Demand]) -> tuple[list[list[str]], list[str]]:
        """Create the parts (KH-R117); return the ids of each force, and those of pieces in no force."""
        places: dict[str, list[tuple[int, Piece]]] = {}
        for index, force in enumerate(forces):
            for piece in force:
                places.setdefault(piece.formation, []).append((index, piece))
        ids: list[list[str]] = [[] for _ in forces]
        others = [each for each in self.pool if each not in places]
        for each, pieces in places.items():
            if self.left[each]:
                pieces.append((-1, Piece(each, self.left[each])))
            main = self._main(pieces, demands)
            for index, piece in sorted(pieces, key=lambda it: not it[1].name):  # no new part takes a known id
                name = self._make(piece, is_main=(index, piece) == main)
                (others if index < 0 else ids[index]).append(name)
        return ids, others

    def _main(self, pieces: list[tuple[int, Piece]], demands: Sequence[Demand]) -> tuple[int, Piece]:
        """Return the piece that keeps the id of its formation: a known one, or one outside fortresses if possible."""
        known = [each for each in pieces if each[1].name == each[1].formation]
        free = [each for each in pieces if not each[1].name]
        outside = [each for each in free if each[0] >= 0 and self._outside(demands[each[0]].area)]
        rest = [each for each in free if each[0] < 0]
        return [*known, *outside, *rest, *free, *pieces][0]

    def _make(self, piece: Piece, *, is_main: bool) -> str:
        """Give a piece its companies, and return its id."""
        formations = self.state.formations
        if is_main:
            formations[piece.formation].strength = piece.number
            return piece.formation
        name = piece.name or piece_name(self.state, piece.formation)
        formations[name] = Formation(self.enemy, piece.number, parent=piece.formation)
        return name


def _difficulty(demand: Demand) -> tuple[bool, int]:
    """Return a key for sorting demands in descending order: known names first, then by number of companies."""
    return bool(demand.names), sum((demand.companies or {}).values())


def _is_within(own: dict[str, int], required: dict[str, int]) -> bool:
    for name, number in own.items():  # noqa: SIM110 - the innermost step of the search, twice as fast as all()
        if number > required.get(name, 0):
            return False
    return True


def _less(required: dict[str, int], own: dict[str, int]) -> dict[str, int]:
    return {name: number - own.get(name, 0) for name, number in required.items()}
