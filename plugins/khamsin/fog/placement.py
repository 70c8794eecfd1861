"""Placement of hidden enemies: formations are put on the map so that all that a side knows about them holds (KH-6).

Its last report and its engagements name areas and companies by class. Other formations are placed out of its sight.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from khamsin.fog.muster import Demand, Muster
from khamsin.fog.views import EngagementSeen, SideView
from khamsin.model.cards import ENEMY, RECON, Board, Broken
from khamsin.model.forces import card, strength
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
from khamsin.movement.orders_sheet import are_apart
from khamsin.turn.victory import is_out
from sandtable import Stream

MOVED = ("engagements", "aftermath", "end")
"""Phases in which enemies may have left the areas of the last report."""
NOT_YET = ("setup.deploy", "start.supply", "start.arrivals")
"""Phases before the reinforcements of the turn arrive."""
KNOWN, LEAVES = 3, 4
"""Weight of areas with reported enemies for other formations; one in ``LEAVES`` formations leaves an engagement."""
TRIES = 12
"""Maximum number of draws of the formations that left an engagement."""


def place(state: KhamsinState, view: SideView, stream: Stream) -> None:
    """Place the enemies of ``view.side`` in possible areas, or leave them off the map, where all of them begin."""
    PlacementSearch(state, view, stream).place()


class PlacementSearch:
    """The search for areas; ``pool`` has the formations without an area, in random order."""

    def __init__(self, state: KhamsinState, view: SideView, stream: Stream) -> None:
        self.state, self.view, self.stream = state, view, stream
        self.board: Board = state.board
        self.side, self.enemy = view.side, ENEMY[view.side]
        self.report = view.reports[view.side]
        self.has_moved = view.phase in MOVED
        self.mine = {it.area for it in view.formations.values() if it.standing == ON_MAP}
        counted = set() if self.has_moved else set(self.report.seen)  # all enemies there were counted
        self.barred = self.mine | self._seen_empty() | counted
        self._create_known_parts()
        self.pool = self._shuffled([each for each, it in state.formations.items() if it.side == self.enemy])
        self.pool = [each for each in self.pool if self._is_due(each)]
        self.fates = [it.standing for it in view.formations.values() if it.standing != WAITING and not it.parent]
        self.muster = Muster(state, self.enemy, self.pool, self.barred)

    def place(self) -> None:
        """Place the formations, best known ones first."""
        state = self.state
        met = [it for it in self.view.engagements.values() if self.has_moved and not it.settled]
        reported = () if self.has_moved else self.report.occupied
        demands = [*map(self._met, met), *(Demand(area, self.report.seen.get(area)) for area in reported)]
        forces, self.pool = self.muster.forces(demands)
        for index, (demand, force) in enumerate(zip(demands, forces, strict=True)):
            for each in force:
                self._put(each, demand.area)
            if index < len(met):
                self._engage(state.engagements[met[index].id], force)
        for each in sorted(self.pool, key=lambda each: not state.formations[each].parent):
            self._place_other(each)
        state.formations = dict(sorted(state.formations.items()))

    # --- knowledge of the side ---

    def _create_known_parts(self) -> None:
        """Create the parts that are known only because they left an engagement that is settled."""
        settled = (it for it in self.view.engagements.values() if it.settled or not self.has_moved)
        for part in sorted({each for it in settled for each in it.left if self._is_enemy(each)}):
            whole = self.state.formations.get(part.rpartition("_")[0])
            if whole is not None and part not in self.state.formations:
                whole.strength -= 1
                self.state.formations[part] = Formation(self.enemy, 1, parent=part.rpartition("_")[0])

    def _shuffled(self, values: Sequence[str]) -> list[str]:
        left = list(values)
        return [left.pop(self.stream.below(len(left))) for _ in values]

    def _is_due(self, each: str) -> bool:
        enters = card(self.state, each).enters
        return enters < self.view.turn or (enters == self.view.turn and self.view.phase not in NOT_YET)

    def _seen_empty(self) -> set[str]:
        """Return the areas where the report would show enemies if there were any (KH-6.03)."""
        if self.has_moved or not self.report.turn:
            return set()
        cards, own = self.board.formations, self.view.formations.items()
        here = [(each, it) for each, it in own if it.standing == ON_MAP]
        looked = {it.area for each, it in here if cards[it.parent or each].enters < self.view.turn}
        return {near for area in looked for near in self.board.neighbors[area]} - set(self.report.occupied)

    def _met(self, it: EngagementSeen) -> Demand:
        fielded = it.fielded.get(self.enemy, ())
        area = it.area
        if it.other:  # both sides are in the areas that they came from
            ours = {start for each, start in it.origins.items() if not self._is_enemy(each)}
            area = it.other if it.area in ours else it.area
        names = (*it.forces.get(self.enemy, ()), *(each for each in it.left if self._is_enemy(each)))
        return Demand(area, it.companies.get(self.enemy), tuple(sorted({one.company for one in fielded})), names)

    def _is_enemy(self, each: str) -> bool:
        return each not in self.view.formations

    # --- areas ---

    def _put(self, each: str, area: str) -> None:
        formation = self.state.formations[each]
        formation.standing, formation.area = ON_MAP, area

    def _place_other(self, each: str) -> None:
        """Place an unknown formation, off the map as often as the side's own formations are (KH-22.14)."""
        formation, its_card = self.state.formations[each], card(self.state, each)
        fate = self.stream.pick(self.fates) if self.fates else ON_MAP
        family = self._family_areas(each)
        forts = sorted(self.muster.forts - self.barred - family)
        if formation.parent and forts:
            self._put(each, self.stream.pick(forts))
        elif fate != ON_MAP and not formation.parent and self._may_be_out(each):
            formation.standing, formation.area = fate, self.board.base[self.enemy] if fate == IN_BASE else ""
        elif not family and its_card.enters and not self._is_open(its_card.entries):
            formation.delayed = True
        elif areas := self._ground(each):
            self._put(each, self.stream.pick(areas))
        elif (formation.parent or not self._may_be_out(each)) and (met := self._uncounted()) is not None:
            self._join(each, met)
        else:
            formation.standing = LOST

    def _family_areas(self, each: str) -> set[str]:
        """Return the areas of the other pieces of a divided formation."""
        formations, whole = self.state.formations, card(self.state, each).id
        return {it.area for key, it in formations.items() if key != each and whole in (key, it.parent)} - {""}

    def _is_open(self, entries: Sequence[str]) -> bool:
        return any(self.state.control[area] == self.enemy for area in entries)

    def _uncounted(self) -> Engagement | None:
        """Return an engagement in an area whose enemies were not counted, or None."""
        met = (it for it in self.state.engagements.values() if self.has_moved and not it.settled and not it.other)
        return next((it for it in met if self.enemy not in it.companies), None)

    def _join(self, each: str, met: Engagement) -> None:
        """Add a formation to an engagement. If the fight shows that it was not in it, it has left (KH-19.09)."""
        self._put(each, met.area)
        if met.stationary != self.enemy:
            self._march_in(met.area, [each])
        force = sorted([*met.forces[self.enemy], each])
        if not met.over or (len(force) > 1 and self._could_fight(self.view.engagements[met.id], force)):
            met.forces[self.enemy] = force
        else:
            met.left[each] = self._withdrawal_of(each)

    def _may_be_out(self, each: str) -> bool:
        """Return whether the side would still not have won if this formation were out, too (KH-25.01)."""
        broken = [it for it in self.board.victory.conditions if isinstance(it, Broken) and each in it.of]
        return all(sum(is_out(self.state, one) for one in it.of) + 1 < it.count for it in broken)

    def _ground(self, each: str) -> list[str]:
        """Return the possible areas of a formation, each as often as its weight."""
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
        family = self._family_areas(each)
        there = [area for area in near if area not in family and not self._is_apart(each, self._friends(area))]
        return [area for area in there for _ in range(KNOWN if area in self.report.occupied else 1)]

    def _is_apart(self, each: str, others: list[str]) -> bool:
        return bool(self.board.apart) and any(are_apart(self.state, each, one) for one in others)

    def _friends(self, area: str) -> list[str]:
        if not self.board.apart:
            return []
        return [each for each, it in self.state.formations.items() if it.area == area and it.side == self.enemy]

    # --- engagements ---

    def _engage(self, engagement: Engagement, force: list[str]) -> None:
        """Make a force the enemy's force in an engagement, as it is seen (KH-12.06, KH-12.13, KH-19)."""
        seen = self.view.engagements[engagement.id]
        if not any(self._is_enemy(each) for each in [*seen.forces.get(self.enemy, ()), *seen.left]):
            left = self._leavers(seen, force)
            engagement.forces[self.enemy] = sorted(each for each in force if each not in left)
            engagement.left |= {each: self._withdrawal_of(each) for each in sorted(left)}
        if engagement.on_connector:
            engagement.origins = {each: self.state.formations[each].area for each in force} | engagement.origins
        elif engagement.stationary != self.enemy:
            self._march_in(engagement.area, force)
        fielded = engagement.fielded.get(self.enemy, [])
        for index, company in enumerate(fielded):
            owners = [each for each in force if company.company in card(self.state, each).options]
            if not company.formation and owners:
                fielded[index] = replace(company, formation=self.stream.pick(owners))

    def _leavers(self, seen: EngagementSeen, force: list[str]) -> list[str]:
        """Return the enemy formations that left an engagement separately before it was fought (KH-19.09).

        If there was no fight, all left: always if nothing else explains it, otherwise with a probability of one in
        ``LEAVES``. In other cases formations are drawn so that the rest could have fought.
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

    def _withdrawal_of(self, each: str) -> str:
        return SLIPPED_AWAY if card(self.state, each).mobility == RECON else PRECIPITOUS

    def _march_in(self, area: str, force: list[str]) -> None:
        """Make a force one that entered ``area`` this turn, by one connector or by several at random (KH-16.07)."""
        board, control = self.board, self.state.control
        near = [each for each in board.neighbors[area] if each not in self.mine] or board.neighbors[area]
        sources = [each for each in near if control[each] == self.enemy] or near
        source, is_split = self.stream.pick(sources), self.stream.one_in(2)
        for each in force:
            self.state.formations[each].path = [self.stream.pick(sources) if is_split else source, area]
