"""The next activation: a force, a concerted attack and its plan, or the end of operations (DM-7.0a, DM-8.1b)."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from msgspec import field

from damos.map.boundaries import must_leave, why_no_move
from damos.map.terrain import step_halves
from damos.map.zones import can_influence, has_influence, is_zone_capable
from damos.model.forces import enemy_of, is_demoralized, stacks
from damos.model.orders import Activate, DeclareAttack, EndPhase, PlanAttack
from damos.model.state import DamosState
from damos.model.tables import ATTACK_PLANS, GRAND, PENETRATION
from damos.movement.march import END_PHASE, TRIES, March, Menu, printed_rate, some_of, why_no_force
from damos.movement.pause import hexes_allowed, may_attack
from damos.movement.steps import can_leave, least_halves, least_step, limit_refusal
from sandtable import Decision, Form, OneOf, Procedure, Refusal, Space, Stream, shown

if TYPE_CHECKING:
    from damos.model.board import Board

PLANS = (GRAND, PENETRATION)
GRAND_HALVES = ATTACK_PLANS[GRAND].halves or 0


def _within_assault(board: "Board", target: str) -> dict[str, int]:
    """Return the hexes from which the fastest unit may reach and attack a target, each with its distance in hexes."""
    known: dict[str, dict[str, int]] = board.caches.setdefault("within_assault", {})
    found = known.get(target)
    if found is None:
        highest = max(counter.ma_halves for counter in board.counters.values())
        farthest = max(1, (highest - GRAND_HALVES) // least_step(board))
        hexmap = board.hexmap
        found = known[target] = {each: hexmap.range_hexes(each, target) for each in hexmap.within(target, farthest)}
    return found


def why_no_attack(state: DamosState, side: str, target: str, plan: str, units: list[str]) -> Refusal | None:
    """Return why units of one hex, sorted, cannot carry out a concerted attack, or None (DM-8.1a, DM-8.1g)."""
    if is_demoralized(state, units):
        down = ", ".join(each for each in units if state.units[each].demoralized)
        return Refusal("DM-2.8d", f"{down}: demoralized units cannot attack; leave them out, or rally first")
    if not is_zone_capable(state, units):
        reason = f"{', '.join(units)}: no zone of influence; a concerted attack needs a unit that has one"
        return Refusal("DM-8.1a", reason)
    still = [each for each in units if not may_attack(state, each)]
    if still:
        return Refusal("AGC-4.7a", f"{', '.join(still)} may not attack this turn")
    start = state.units[units[0]].hex
    allowance = min(int(state.board.counters[each].ma_halves) for each in units)
    if plan == GRAND:
        if least_halves(state, units, start, target, allowance - GRAND_HALVES) is None:
            return Refusal("DM-8.1h", f"the force cannot move from {start} to {target} with 2 points left")
        return None
    if target not in state.board.hexmap.around[start]:
        return Refusal("DM-8.1g", f"{start} is not adjacent to {target}: only a grand assault is possible from there")
    halves = step_halves(state, units, start, target)
    if halves is None or halves > allowance:
        return Refusal("DM-8.1g", f"the force cannot enter {target}")
    refusal: Refusal | None = why_no_move(state, side, start, target)
    return refusal


def ready_stacks(state: DamosState, side: str) -> dict[str, list[str]]:
    """Return a side's fresh, non-demoralized units in each hex where one of them has a zone of influence."""
    found = {}
    known = state.units
    for hex_, units in stacks(state, side).items():
        fresh = [each for each in units if not known[each].spent and not known[each].demoralized]
        if fresh and is_zone_capable(state, fresh):
            found[hex_] = fresh
    return found


class Plans(Space):
    """The ``PlanAttack`` orders for a target: plan, and fresh units of one hex that can carry it out."""

    state: DamosState
    side: str
    target: str

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse an invalid plan, and one that the force cannot carry out."""
        if type(value) is not PlanAttack:
            return Refusal("DM-8.1b", "choose the plan and the units of the attack")
        if value.plan not in PLANS:
            return Refusal(
                "DM-8.1a", f"{shown(value.plan)} is not a plan of a concerted attack: choose {' or '.join(PLANS)}"
            )
        refusal = why_no_force(self.state, self.side, value.units, "DM-7.0a")
        return refusal or why_no_attack(self.state, self.side, self.target, value.plan, sorted(value.units))

    def _starts(self) -> list[tuple[str, list[str]]]:
        """Return the stacks that may be near enough, nearest first."""
        near = _within_assault(self.state.board, self.target)
        ready = [item for item in ready_stacks(self.state, self.side).items() if item[0] in near]
        return sorted(ready, key=lambda item: (near[item[0]], item[0]))

    def _leaders(self) -> Iterator[tuple[str, list[str], str]]:
        """Yield plans that single units can carry out; if no single unit can, no force of them can."""
        state, board = self.state, self.state.board
        for start, units in self._starts():
            judged: dict[tuple[str, int, str], bool] = {}
            for plan in self._plans_from(start):
                for each in units:
                    counter = board.counters[each]
                    alike = (counter.type, int(counter.ma_halves), plan)
                    if alike not in judged:
                        judged[alike] = why_no_attack(state, self.side, self.target, plan, [each]) is None
                    if judged[alike]:
                        yield plan, units, each

    def _plans_from(self, start: str) -> tuple[str, ...]:
        """Return the plans that may be possible from a hex."""
        return (PENETRATION, GRAND) if _within_assault(self.state.board, self.target)[start] == 1 else (GRAND,)

    def is_empty(self) -> bool:
        """Return whether no unit can attack the target."""
        return next(self._leaders(), None) is None

    def sample(self, stream: Stream) -> PlanAttack:
        """Return a random plan that some unit can carry out, with more of its stack if that is possible."""
        leaders = list(self._leaders())
        if not leaders:
            raise ValueError("no choice is possible")
        plan, units, leader = stream.pick(leaders)
        for attempt in range(TRIES):
            force = list(units) if attempt == 0 and stream.one_in(2) else some_of(units, stream)
            if leader in force and why_no_attack(self.state, self.side, self.target, plan, force) is None:
                return PlanAttack(plan, force)
        return PlanAttack(plan, [leader])

    def values(self) -> Iterator[PlanAttack]:
        """Yield every plan, near stacks first, few units first."""
        reached = {(plan, units[0]) for plan, units, _ in self._leaders()}
        for _, units in self._starts():
            for plan in PLANS:
                if (plan, units[0]) in reached:
                    for size in range(1, len(units) + 1):
                        for force in map(list, combinations(units, size)):
                            if why_no_attack(self.state, self.side, self.target, plan, force) is None:
                                yield PlanAttack(plan, force)


class Targets(Space):
    """The hexes whose enemy force can be named as target: within a zone of influence, and within reach (DM-8.1c).

    ``judged`` caches the results: a target is checked when it is first requested.
    """

    state: DamosState
    side: str
    judged: dict[str, Refusal | None] = field(default_factory=dict)

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a hex without enemies, outside the zones, or that no unit can attack."""
        if not isinstance(value, str) or value not in stacks(self.state, enemy_of(self.side)):
            return Refusal("DM-8.1c", f"no enemy force is in {shown(value)}")
        if value not in self.judged:
            self.judged[value] = self._why_no_target(value)
        return self.judged[value]

    def _why_no_target(self, hex_: str) -> Refusal | None:
        if not can_influence(self.state, self.side, hex_):
            return Refusal("DM-8.1c", f"{hex_} is outside the zone of influence of every fresh force")
        if Plans(self.state, self.side, hex_).is_empty():
            ready = [each for units in ready_stacks(self.state, self.side).values() for each in units]
            still = [each for each in ready if has_influence(self.state, each) and not may_attack(self.state, each)]
            if still and not any(has_influence(self.state, each) for each in ready if each not in still):
                return Refusal("AGC-4.7a", "no unit with a zone of influence may attack this turn")
            return Refusal("DM-8.1a", f"no force can carry out a concerted attack on {hex_}")
        return None

    def values(self) -> Iterator[str]:
        """Yield the targets, sorted."""
        return (each for each in sorted(stacks(self.state, enemy_of(self.side))) if self.why_not(each) is None)

    def sample(self, stream: Stream) -> str:
        """Return a random target. Raises ValueError if there is none."""
        hexes = sorted(stacks(self.state, enemy_of(self.side)))
        left = [each for each in hexes if each not in self.judged or self.judged[each] is None]
        while left:
            target = left.pop(stream.below(len(left)))
            if self.why_not(target) is None:
                return target
        raise ValueError("no choice is possible")


class FreshForces(Space):
    """Lists of units that can be activated: one or more fresh units of one hex.

    ``by_hex`` holds the candidates. Forces without a zone of influence activate before all others: with ``zones_only``
    they are too late (DM-7.0d).
    """

    state: DamosState
    by_hex: dict[str, list[str]]
    zones_only: bool

    @classmethod
    def of(cls, state: DamosState, side: str) -> "FreshForces":
        """Return the space of the forces that can be activated now (DM-7.0a)."""
        by_hex, known = {}, state.units
        for hex_, units in stacks(state, side).items():
            fresh = [each for each in units if not known[each].spent and hexes_allowed(state, each) != 0]
            if fresh and (not state.zone_phase or is_zone_capable(state, fresh)):
                by_hex[hex_] = fresh
        return cls(state, by_hex, state.zone_phase)

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse units that are spent, in different hexes, or out of turn."""
        state = self.state
        refusal = why_no_force(state, state.phasing_side, value, "DM-7.0a")
        if refusal is not None:
            return refusal
        still = next((each for each in value if hexes_allowed(state, each) == 0), None)
        return limit_refusal(still, 0) if still is not None else self._why_not_together(sorted(value))

    def _why_not_together(self, units: list[str]) -> Refusal | None:
        zone = is_zone_capable(self.state, units)
        if zone and is_demoralized(self.state, units):
            down = ", ".join(each for each in units if self.state.units[each].demoralized)
            reason = f"{down}: demoralized units cannot act with a force that has a zone of influence; leave them out"
            return Refusal("DM-2.6c", reason)
        if self.zones_only and not zone:
            return Refusal(
                "DM-7.0d", "forces without a zone of influence act before all others: it is too late for this one"
            )
        return None

    def values(self) -> Iterator[list[str]]:
        """Yield every force, hex by hex, few units first."""
        for units in self.by_hex.values():
            for size in range(1, len(units) + 1):
                for force in map(list, combinations(units, size)):
                    if self._why_not_together(force) is None:
                        yield force

    def sample(self, stream: Stream) -> list[str]:
        """Return a random force, a whole stack half the time. Raises ValueError if there is none."""
        if not self.by_hex:
            raise ValueError("no choice is possible")
        hexes = list(self.by_hex)
        for _ in range(TRIES):
            units = self.by_hex[stream.pick(hexes)]
            force = list(units) if stream.one_in(2) else some_of(units, stream)
            if self._why_not_together(force) is None:
                return force
        found = next(self.values(), None)
        if found is None:
            raise ValueError("no choice is possible")
        return found


def choose_activation(state: DamosState) -> Procedure:
    """Let the side choose its next activation. Return the order, or None if no force is left (DM-7.0i)."""
    side = state.phasing_side
    forces = FreshForces.of(state, side)
    if not forces.by_hex:
        return None
    targets = Targets(state, side)
    stuck = hexes_to_leave(state, forces)
    spaces: list[Space] = [*([] if stuck else [OneOf([END_PHASE], "DM-7.0i")]), Form(Activate, {"units": forces})]
    if ready_stacks(state, side):
        spaces.append(Form(DeclareAttack, {"target": targets}))
    out = Refusal("AGC-1.3c", f"the force in {' and '.join(stuck)} must leave the marsh first: activate it")
    closed: dict[type[Any], Callable[[Any], Refusal | None]] = {
        DeclareAttack: lambda order: targets.why_not(order.target),
        EndPhase: lambda _: out if stuck else None,
    }
    prompt = "activate a force, announce a concerted attack, or end operations"
    menu = Menu(spaces, closed=closed)
    done = None if stuck else END_PHASE
    return (yield Decision(side, prompt, menu, "DM-7.0a", done=done, purpose="activate"))


def hexes_to_leave(state: DamosState, forces: FreshForces) -> list[str]:
    """Return the hexes out of bounds from which a fresh unit could leave by a step that meets no enemy (R-DM-88)."""
    return [
        hex_
        for hex_ in must_leave(state, state.phasing_side)
        if any(
            forces.why_not([each]) is None and can_leave(state, March(state, [each], printed_rate(state)))
            for each in forces.by_hex.get(hex_, ())
        )
    ]
