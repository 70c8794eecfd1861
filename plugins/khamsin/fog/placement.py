"""Where the enemy may be: his formations put on the map so that all that a side was told of them holds (KH-6).

Its last report and its engagements name areas and companies by class; elsewhere he stands where it would not see him.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from msgspec.structs import replace

from khamsin.fog.views import EngagementSeen, SideView
from khamsin.model.cards import ENEMY, RECON, Board, Broken
from khamsin.model.forces import card, composition, strength
from khamsin.model.state import (
    FIGHTING,
    IN_BASE,
    LOST,
    ON_MAP,
    PRECIPITOUS,
    WAITING,
    Engagement,
    Formation,
    KhamsinState,
)
from khamsin.model.state import RECON as SLIPPED_AWAY
from khamsin.model.tables import ALLOWANCE, USUAL_MOST
from khamsin.movement.orders_sheet import are_apart, piece_name
from khamsin.turn.victory import is_out
from sandtable import Stream

MOVED = ("engagements", "aftermath", "end")
"""Phases in which the enemy may stand elsewhere than the last report has him."""
NOT_YET = ("setup.deploy", "start.supply", "start.arrivals")
"""Phases in which the reinforcements of the turn have not come on."""
KNOWN, LEAVES = 3, 4
"""Others are so many times as often where enemies were reported as unseen; one in so many has left an engagement."""
MOST_TRIED, MOST_DIVIDED = 400, 2
"""So many forces are tried together, and so many formations divided, where they have to fit."""
TRIES, WAYS = 12, 40
"""So often it is drawn who left an engagement; so many forces for a place are tried when another's do not come out."""


class Demand(NamedTuple):
    """What is known of the enemy in ``area``: companies by class (None: only that he can fight), types, names."""

    area: str
    companies: dict[str, int] | None = None
    types: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def place(state: KhamsinState, view: SideView, stream: Stream) -> None:
    """Put the formations of the enemy of ``view.side``, all of whom wait off the map, where they may be."""
    PlacementSearch(state, view, stream).place()


class PlacementSearch:
    """The search for places; ``pool`` are those who have none yet, in random order."""

    def __init__(self, state: KhamsinState, view: SideView, stream: Stream) -> None:
        self.state, self.view, self.stream = state, view, stream
        self.board: Board = state.board
        self.side, self.enemy = view.side, ENEMY[view.side]
        self.report = view.reports[view.side]
        self.has_moved = view.phase in MOVED
        self.mine = {it.area for it in view.formations.values() if it.standing == ON_MAP}
        counted = set() if self.has_moved else set(self.report.seen)  # all who are there have been found
        self.barred = self.mine | self._seen_empty() | counted
        self.pool = self._shuffled([each for each, it in state.formations.items() if it.side == self.enemy])
        self.pool = [each for each in self.pool if self._is_due(each)]
        self.fates = [it.standing for it in view.formations.values() if it.standing != WAITING and not it.parent]
        self._tried, self._parts_go = 0, False
        self._classes: dict[tuple[str, int], dict[str, int]] = {}

    def place(self) -> None:
        """Place those first of whom most is known."""
        state = self.state
        met = [it for it in self.view.engagements.values() if self.has_moved and not it.settled]
        told = () if self.has_moved else self.report.occupied
        demands = [*map(self._met, met), *(Demand(area, self.report.seen.get(area)) for area in told)]
        for demand in demands:
            self._part_named(demand)
        order = sorted(range(len(demands)), key=lambda place: not demands[place].companies)
        forces = dict(zip(order, self._assign([demands[place] for place in order]), strict=True))
        for place, demand in enumerate(demands):
            for each in forces[place]:
                self._stand(each, demand.area)
            if place < len(met):
                self._engage(self.state.engagements[met[place].id], forces[place])
        for each in sorted(self.pool, key=lambda each: not state.formations[each].parent):
            self._place_other(each)

    # --- what is known ---

    def _shuffled(self, values: Sequence[str]) -> list[str]:
        left = list(values)
        return [left.pop(self.stream.below(len(left))) for _ in values]

    def _is_due(self, each: str) -> bool:
        enters = self.board.formations[each].enters
        return enters < self.view.turn or (enters == self.view.turn and self.view.phase not in NOT_YET)

    def _seen_empty(self) -> set[str]:
        """Return the areas where the report would have the enemy, if he were there (KH-6.03)."""
        if self.has_moved or not self.report.turn:
            return set()
        cards, own = self.board.formations, self.view.formations.items()
        here = [(each, it) for each, it in own if it.standing == ON_MAP]
        looked = {it.area for each, it in here if cards[it.parent or each].enters < self.view.turn}
        return {near for area in looked for near in self.board.neighbours[area]} - set(self.report.occupied)

    def _met(self, it: EngagementSeen) -> Demand:
        fielded = it.fielded.get(self.enemy, ())
        area = it.area
        if it.other:  # both stand where they came from
            ours = {start for each, start in it.origins.items() if not self._is_enemy(each)}
            area = it.other if it.area in ours else it.area
        names = (*it.forces.get(self.enemy, ()), *(each for each in it.left if self._is_enemy(each)))
        return Demand(area, it.companies.get(self.enemy), tuple(sorted({one.company for one in fielded})), names)

    def _is_enemy(self, each: str) -> bool:
        return each not in self.view.formations

    # --- forces ---

    def _assign(self, demands: list[Demand]) -> list[list[str]]:
        """Return a force for each demand, nobody in two; where they do not all come out, for as many as do."""
        chosen = self._together(demands, self.pool)
        for self._parts_go in (False, True):
            if chosen is None:
                chosen = self._divided(demands, MOST_DIVIDED)
        if chosen is None:
            chosen, pool = [], self.pool
            for demand in demands:
                force = next(self._forces(demand, pool), None) or pool[:1]
                chosen.append(force)
                pool = [each for each in pool if each not in force]
        taken = {each for force in chosen for each in force}
        self.pool = [each for each in self.pool if each not in taken]
        return chosen

    def _together(self, demands: list[Demand], pool: list[str]) -> list[list[str]] | None:
        if not demands:
            return []
        self._tried += 1
        if self._tried > MOST_TRIED:
            return None
        for force in islice(self._forces(demands[0], pool), WAYS):
            rest = self._together(demands[1:], [each for each in pool if each not in force])
            if rest is not None:
                return [force, *rest]
        return None

    def _forces(self, demand: Demand, pool: list[str]) -> Iterator[list[str]]:
        """Yield forces from ``pool`` that fit a demand."""
        if demand.names:
            yield self._named(demand)
            return
        if not self._parts_go and self.board.fortress.get(demand.area) != self.enemy:
            pool = [each for each in pool if not self.state.formations[each].parent]
        if demand.companies is None:
            found: Iterator[list[str]] = ([each] for each in self._likely(demand.area, pool))
        elif not demand.companies:
            found = ([each] for each in pool if not self.state.formations[each].strength)
        else:
            found = self._muster(pool, demand.companies)
        yield from (force for force in found if self._fits(demand, force))
        if demand.companies is None:
            yield from (force for force in map(list, combinations(pool, 2)) if self._fits(demand, force))

    def _likely(self, area: str, pool: list[str]) -> list[str]:
        """Return those first who may be in an area: on ground of the side only guns do not take it (KH-11.05)."""
        is_taken = self.state.control[area] == self.enemy or area in self.mine
        return sorted(pool, key=lambda each: bool(self.state.formations[each].strength) != is_taken)

    def _fits(self, demand: Demand, force: list[str]) -> bool:
        """Tell whether a force has all the company types that were fielded, and may be in one area (KH-7.03)."""
        options = {kind for each in force for kind in card(self.state, each).options}
        if any(self.state.formations[each].parent in force or self._is_apart(each, force) for each in force):
            return False
        return options.issuperset(demand.types)

    def _is_apart(self, each: str, others: list[str]) -> bool:
        return bool(self.board.apart) and any(are_apart(self.state, each, one) for one in others)

    def _muster(self, pool: list[str], wanted: dict[str, int]) -> Iterator[list[str]]:
        """Yield forces of exactly these companies by class."""
        if not any(wanted.values()):
            yield []
            return
        for place, each in enumerate(pool):
            own = self._companies(each, self.state.formations[each].strength)
            if own and _is_within(own, wanted):
                yield from ([each, *more] for more in self._muster(pool[place + 1 :], _less(wanted, own)))

    def _companies(self, each: str, strength: int) -> dict[str, int]:
        """Return the companies by class of a formation that has so many."""
        found = self._classes.get((each, strength))
        if found is None:
            formation = self.state.formations[each]
            whole, formation.strength = formation.strength, strength
            found = self._classes[each, strength] = composition(self.state, [each])
            formation.strength = whole
        return found

    # --- parts (KH-R117) ---

    def _divided(self, demands: list[Demand], most: int) -> list[list[str]] | None:
        """Return forces for the demands with ``most`` formations or fewer divided.

        Part of each is in a fortress, or was there: with ``_parts_go`` it may have been driven out.
        """
        whole = list(self.pool)
        hard = [each for each in demands if not self._can(each)]
        is_open = self._forts() or (
            self._parts_go and self.enemy in self.board.fortress.values()
        )  # lost: parts are out
        for each in whole if most and is_open else ():
            formation = self.state.formations[each]
            for number in () if formation.parent else range(1, formation.strength):
                part = self._divide(each, number)
                self.pool, self._tried = [part, *whole], 0
                if not hard or self._can(hard[0]):
                    chosen = self._together(demands, self.pool)
                    if chosen is None or not self._has_room(chosen):
                        chosen = self._divided(demands, most - 1)
                    if chosen is not None:
                        return chosen
                formation.strength += number
                del self.state.formations[part]
        self.pool = whole
        return None

    def _has_room(self, chosen: list[list[str]]) -> bool:
        """Tell whether all parts are in forces, or there is a fortress for the others."""
        parts = {each for each in self.pool if self.state.formations[each].parent}
        return not self._forts() <= self.barred or all(any(part in force for force in chosen) for part in parts)

    def _can(self, demand: Demand) -> bool:
        return next(self._forces(demand, self.pool), None) is not None

    def _forts(self) -> set[str]:
        """Return the fortresses of the enemy that he controls."""
        control = self.state.control
        return {area for area, side in self.board.fortress.items() if side == self.enemy == control[area]}

    def _divide(self, each: str, number: int) -> str:
        """Take a part of ``number`` companies from a formation; return its id."""
        part = piece_name(self.state, each)
        self.state.formations[part] = Formation(self.enemy, number, parent=each)
        self.state.formations[each].strength -= number
        return part

    def _part_named(self, demand: Demand) -> None:
        """Make the parts that are known by name, of the companies that the others of their force have not."""
        formations, made = self.state.formations, []
        for each in demand.names:
            parent = each.rpartition("_")[0]
            if each not in formations and parent in self.board.formations:
                formations[each] = Formation(self.enemy, 0, parent=parent)
                made.append(each)
        for each in made:
            part, whole = formations[each], formations[formations[each].parent]
            lacking = sum((demand.companies or {}).values()) - strength(self.state, list(demand.names))
            part.strength = min(max(1, lacking), whole.strength - 1)
            whole.strength -= part.strength

    def _named(self, demand: Demand) -> list[str]:
        """Return a force that is known by name; of who has more companies than were seen a part is elsewhere."""
        force = [each for each in demand.names if each in self.state.formations]
        over = strength(self.state, force) - sum((demand.companies or {}).values())
        if demand.companies and over > 0:
            able = [each for each in force if self.state.formations[each].strength > over]
            whole = [each for each in able if not self.state.formations[each].parent]
            self.pool = [*self.pool, *(self._divide(each, over) for each in whole[:1])]
        return force

    # --- places ---

    def _stand(self, each: str, area: str) -> None:
        formation = self.state.formations[each]
        formation.standing, formation.area = ON_MAP, area

    def _place_other(self, each: str) -> None:
        """Place a formation of which nothing is known: as often off the map as one of the side's own (KH-22.14)."""
        formation, its_card = self.state.formations[each], card(self.state, each)
        fate = self.stream.pick(self.fates) if self.fates else ON_MAP
        forts = sorted(self._forts() - self.barred or self._forts())
        if formation.parent and forts:
            self._stand(each, self.stream.pick(forts))
        elif fate != ON_MAP and self._may_be_out(each):
            formation.standing, formation.area = fate, self.board.base[self.enemy] if fate == IN_BASE else ""
        elif its_card.enters and not any(self.state.control[area] == self.enemy for area in its_card.entries):
            formation.delayed = True
        elif areas := self._ground(each):
            self._stand(each, self.stream.pick(areas))
        elif not self._may_be_out(each) and (met := self._uncounted()) is not None:
            self._stand(each, met.area)
            met.forces[self.enemy] = sorted([*met.forces[self.enemy], each])
        else:
            formation.standing = LOST

    def _uncounted(self) -> Engagement | None:
        """Return an engagement in an area of which the side knows no more than that there are enemies."""
        met = (it for it in self.state.engagements.values() if self.has_moved and not it.over and not it.other)
        return next((it for it in met if self.enemy not in it.companies), None)

    def _may_be_out(self, each: str) -> bool:
        """Tell whether the side has not won even if this formation is out, too (KH-25.01)."""
        broken = [it for it in self.board.victory.conditions if isinstance(it, Broken) and each in it.of]
        return all(sum(is_out(self.state, one) for one in it.of) + 1 < it.count for it in broken)

    def _ground(self, each: str) -> list[str]:
        """Return where a formation may be, each area as often as it is likely."""
        board, its_card, state = self.board, card(self.state, each), self.state
        open_ = [area for area in board.areas if state.control[area] == self.enemy and area not in self.barred]
        if self.view.turn == 1 and not self.has_moved:
            return [area for area in its_card.start or its_card.entries if area in open_] or open_
        home = its_card.historical or (its_card.start or its_card.entries)[0]
        if its_card.held_until > self.view.turn and home in open_:
            return [home]
        turns = self.view.turn - its_card.enters
        far = ALLOWANCE[its_card.mobility] * turns
        near = [area for area in open_ if board.distance(home, area) <= far] or open_
        parts = {it.area for it in state.formations.values() if it.parent == each}
        there = [area for area in near if area not in parts and not self._is_apart(each, self._friends(area))]
        return [area for area in there for _ in range(KNOWN if area in self.report.occupied else 1)]

    def _friends(self, area: str) -> list[str]:
        if not self.board.apart:
            return []
        return [each for each, it in self.state.formations.items() if it.area == area and it.side == self.enemy]

    # --- engagements ---

    def _engage(self, engagement: Engagement, force: list[str]) -> None:
        """Let a force be that of the enemy in an engagement, as it is seen (KH-12.06, KH-12.13, KH-19)."""
        seen = self.view.engagements[engagement.id]
        if not any(self._is_enemy(each) for each in [*seen.forces.get(self.enemy, ()), *seen.left]):
            left = self._leavers(seen, force)
            engagement.forces[self.enemy] = sorted(each for each in force if each not in left)
            engagement.left |= {each: self._way_off(each) for each in sorted(left)}
        if engagement.on_connector:
            engagement.origins = {each: self.state.formations[each].area for each in force} | engagement.origins
        elif engagement.stationary != self.enemy:
            self._march_in(engagement.area, force)
        fielded = engagement.fielded.get(self.enemy, [])
        for place, company in enumerate(fielded):
            owners = [each for each in force if company.company in card(self.state, each).options]
            if not company.formation and owners:
                fielded[place] = replace(company, formation=self.stream.pick(owners))

    def _leavers(self, seen: EngagementSeen, force: list[str]) -> list[str]:
        """Return who of the enemy left an engagement by himself before it was fought (KH-19.09).

        All did if there was no fight and nothing else can be why, or may have; else those without whom it is the same.
        """
        if not seen.over:
            return []
        if not seen.scale:
            is_sure = bool(seen.forces[self.side]) and FIGHTING not in seen.withdrawing.values()
            if is_sure or self.stream.one_in(LEAVES):
                return force
        for _ in range(TRIES):
            left = [each for each in force if self.stream.one_in(LEAVES)]
            if self._could_fight(seen, [each for each in force if each not in left]):
                return left
        return []

    def _could_fight(self, seen: EngagementSeen, force: list[str]) -> bool:
        options = {kind for each in force for kind in card(self.state, each).options}
        if not options.issuperset(each.company for each in seen.fielded.get(self.enemy, ())):
            return False
        there = strength(self.state, force)
        if self.state.options["actions_per_engagement"] != "by_strength" or not seen.number:
            return there > 0
        weaker = min(there, strength(self.state, list(seen.forces[self.side])))
        return min(USUAL_MOST, weaker) == seen.number

    def _way_off(self, each: str) -> str:
        return SLIPPED_AWAY if card(self.state, each).mobility == RECON else PRECIPITOUS

    def _march_in(self, area: str, force: list[str]) -> None:
        """Let a force have come into ``area`` this turn: by one connector, or each by one of his own (KH-16.07)."""
        board, control = self.board, self.state.control
        near = [each for each in board.neighbours[area] if each not in self.mine] or board.neighbours[area]
        ways = [each for each in near if control[each] == self.enemy] or near
        way, is_split = self.stream.pick(ways), self.stream.one_in(2)
        for each in force:
            self.state.formations[each].path = [self.stream.pick(ways) if is_split else way, area]


def _is_within(own: dict[str, int], wanted: dict[str, int]) -> bool:
    return all(number <= wanted.get(name, 0) for name, number in own.items())


def _less(wanted: dict[str, int], own: dict[str, int]) -> dict[str, int]:
    return {name: number - own.get(name, 0) for name, number in wanted.items()}
