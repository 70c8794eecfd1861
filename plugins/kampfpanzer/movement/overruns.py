"""Overruns: units held in place, units that reach the target, attack and counterattacks (KP-9.6a to KP-9.69a)."""

from collections.abc import Callable, Sequence

from kampfpanzer.fire.calculations import OVERRUN_TABLE, combat_cell
from kampfpanzer.fire.damage import eliminate, kill_if_due
from kampfpanzer.model.events import CounterattackResolved, OverrunResolved, UnitBackedUp, UnitsFrozen
from kampfpanzer.model.orders import Counterattack, DeclineCounterattack
from kampfpanzer.model.state import ON_MAP, KampfState
from kampfpanzer.model.tables import COUNTERATTACK_SUPERIORITY, combat_result, overrun_superiority
from kampfpanzer.movement.march import Halt, March, Mover
from kampfpanzer.terrain.zones import by_number, is_hard, kind_of, passengers_of
from sandtable import Calculation, Decision, OneOf, Procedure, Roll

MAX_DEFENDING, MAX_OVERRUNNING = 4, 6
"""The last row and column of the overrun table (KP-9.69a)."""


# --- units held in place ---


def freeze(march: March) -> Procedure:
    """Hold soft units in place that are targets of plotted overruns; they may only fire (KP-9.67a, KP-9.67c)."""
    found: list[str] = []
    for hex_, mover in FREEZES[march.state.options["overrun_freeze"]](march):
        yield from march.show(mover.unit_id)
        soft = (each for each in march.positions.enemies(mover.side, hex_) if not is_hard(march.state, each))
        found += [each for each in soft if each not in found]
    if found:
        for each in found:
            march.movers.pop(each, None)
        yield UnitsFrozen(by_number(found))


def _survivors(march: March) -> list[tuple[str, Mover]]:
    return [(mover.target, mover) for mover in march.movers.values() if mover.target]


def _all(march: March) -> list[tuple[str, Mover]]:
    """Return all plotted overruns, including those of units pinned, disrupted or panicked before the phase."""
    found = []
    for unit_id in by_number([unit_id for unit_id, plot in march.plots.items() if plot.kind == "overrun"]):
        mover = march.mover_of(unit_id, march.plots[unit_id])
        if mover is not None:
            found.append((mover.target, mover))
    return found


FREEZES: dict[str, Callable[[March], list[tuple[str, Mover]]]] = {
    "if_overrun_survives_to_phase_e": _survivors,
    "always": _all,
}
"""By value of the option, the function that returns the target and mover of each overrun that counts (R-KP-54)."""


# --- overruns that fail ---


def lose_by_hit(march: March, mover: Mover) -> Procedure:
    """Cancel the overrun of a unit that is hit before it; the unit ends in front of its target (KP-9.65a).

    A pin is not a hit (KP-9.65b). A unit that is hit as it enters the target goes back.
    """
    if march.state.units[mover.unit_id].pending:
        if mover.is_inside:
            yield from turn_back(march, Halt(mover, "hit"))
        else:
            mover.lose_overrun()
    if mover.is_lost and not mover.stopped and not mover.is_moving:
        yield from march.stop(mover, "hit")


def turn_back(march: March, halt: Halt) -> Procedure:
    """Move a unit out of the hex that it overruns, to the hex in front if no enemy is there (KP-9.65a, R-KP-53).

    If an enemy is there, it goes farther back on its path, or else to any adjacent hex where it may end. If no such hex
    exists, it is eliminated.
    """
    mover, rule = halt.mover, "KP-9.65a" if halt.why == "hit" else "R-KP-53"
    here, path, positions = mover.hex, mover.path, march.positions
    mover.is_inside, mover.stopped = False, True
    if mover in march.attacks.get(here, ()):
        march.attacks[here].remove(mover)
    while path and path[-1][0] and positions.enemies(mover.side, path[-1][0]):
        path.pop()
    if not path:
        free = [each for each in positions.around[here] if each and positions.may_end_in(mover.unit_id, each)]
        if not free:
            yield from eliminate(march.state, mover.unit_id, rule)
            march.note_losses((mover.unit_id,))
            return
        path.append((free[0], march.tick))
    yield UnitBackedUp(mover.unit_id, here, path[-1][0], "overrun", rule)
    mover.hex = path[-1][0]
    positions.remove(mover.unit_id)
    if mover.hex:
        positions.put(mover.unit_id, mover.hex)
    yield from march.stop(mover, halt.why, halt.by)


# --- the attack ---


def begin_overrun(march: March, mover: Mover) -> Procedure:
    """Record a unit that has entered the hex it overruns; it turns back if an enemy is behind that hex (R-KP-53)."""
    barring = march.positions.enemies(mover.side, mover.next.hex)
    if barring:
        yield from turn_back(march, Halt(mover, "exit", barring[0]))
    else:
        march.attacks.setdefault(mover.hex, []).append(mover)


def resolve_overruns(march: March) -> Procedure:
    """Resolve the overruns that are due, hex by hex (KP-9.63a, R-KP-52)."""
    is_due = DUE[march.state.options["overrun_combination"]]
    for hex_ in sorted(march.attacks):
        if is_due(march, hex_):
            attackers = [each.unit_id for each in march.attacks.pop(hex_)]
            units = march.state.units
            attackers = by_number([each for each in attackers if units[each].standing == ON_MAP])
            if attackers:
                side = units[attackers[0]].side
                yield from _overrun(march, hex_, attackers, by_number(march.positions.enemies(side, hex_)))


DUE: dict[str, Callable[[March, str], bool]] = {
    "all_units_same_hex_one_attack": lambda march, hex_: not any(each.is_coming for each in march.heading[hex_]),
    "per_arrival": lambda march, hex_: True,  # noqa: ARG005 - same signature as the others
}
"""By value of the option, whether an overrun is resolved now or waits for units that have yet to enter (R-KP-52)."""


def _overrun(march: March, hex_: str, attackers: list[str], defenders: list[str]) -> Procedure:
    """Roll for the overrun and the counterattacks before any result is applied (R-KP-56)."""
    state = march.state
    if not defenders:
        return
    counted = len(defenders) * (2 if hex_ in state.entrenchments else 1)  # KP-9.64a
    superiority = overrun_superiority(min(counted, MAX_DEFENDING), min(len(attackers), MAX_OVERRUNNING))
    aims = {}
    fighters = [*defenders, *(each for unit_id in defenders for each in passengers_of(state, unit_id))]
    for unit_id in by_number(fighters):
        if MAY_COUNTER[state.options["counterattack_eligible"]](state, unit_id):
            order = yield _counterattack_decision(state, unit_id, attackers)
            if isinstance(order, Counterattack):
                aims[unit_id] = order.target
    attacked, attacking = (state.units[each[0]].side for each in (defenders, attackers))  # a low die favors the striker
    alone = tuple(attackers) if len(attackers) == 1 else ()
    (die,) = yield Roll(1, 6, f"overrun:{hex_}", "KP-9.63a", favors=attacked, units=alone)
    struck = {}
    for unit_id in aims:
        (struck[unit_id],) = yield Roll(1, 6, f"counter:{unit_id}", "KP-9.68b", favors=attacking, units=(unit_id,))
    results = dict.fromkeys(defenders, combat_result(superiority, die))
    calculations = _calculations(attackers, defenders, counted, superiority, die)
    yield OverrunResolved(
        hex_, attackers, defenders, counted, superiority, die, results[defenders[0]], calculations=calculations
    )
    for unit_id, target in aims.items():
        results[target] = combat_result(COUNTERATTACK_SUPERIORITY, struck[unit_id])
        calculations = (_counterattack_calculation(struck[unit_id]),)
        yield CounterattackResolved(
            unit_id, target, COUNTERATTACK_SUPERIORITY, struck[unit_id], results[target], calculations=calculations
        )
    for unit_id in by_number(list(results)):
        yield from kill_if_due(state, unit_id, results[unit_id])
    march.note_losses(results)


def _calculations(
    attackers: list[str], defenders: list[str], counted: int, superiority: int, die: int
) -> tuple[Calculation, ...]:
    """Return the derivation of an overrun: the units counted, the superiority, the cell of the combat table."""
    row, column = min(counted, MAX_DEFENDING), min(len(attackers), MAX_OVERRUNNING)
    steps = [(each, 1, "KP-9.63a") for each in defenders]
    if counted > len(defenders):
        steps.append(("entrenched: each counts as two", counted - len(defenders), "KP-9.64a"))
    return (
        Calculation("attackers", tuple((each, 1, "KP-9.63a") for each in attackers)),
        Calculation("counted", tuple(steps), (OVERRUN_TABLE, str(row), str(column))),
        Calculation("superiority", (("by number of units", superiority, "KP-9.63a"),), combat_cell(superiority, die)),
    )


def _counterattack_calculation(die: int) -> Calculation:
    steps = (("counterattack (fixed)", COUNTERATTACK_SUPERIORITY, "KP-9.68b"),)
    return Calculation("superiority", steps, combat_cell(COUNTERATTACK_SUPERIORITY, die))


def _counterattack_decision(state: KampfState, unit_id: str, attackers: Sequence[str]) -> Decision:
    """Return the decision about one counterattack (KP-9.68a)."""
    orders = [*(Counterattack(each) for each in attackers), DeclineCounterattack()]
    prompt = f"choose the unit that {unit_id} counterattacks as it is overrun"
    space, purpose = OneOf(orders, "KP-9.68a"), f"counterattack.{unit_id}:{'.'.join(attackers)}"
    return Decision(state.units[unit_id].side, prompt, space, "KP-9.68a", purpose=purpose)


def _is_combat_unit(state: KampfState, unit_id: str) -> bool:
    return not kind_of(state, unit_id).is_vehicle


def _is_fit(state: KampfState, unit_id: str) -> bool:
    unit = state.units[unit_id]
    return _is_combat_unit(state, unit_id) and not unit.disruption and not unit.carrier


MAY_COUNTER: dict[str, Callable[[KampfState, str], bool]] = {
    "not_disrupted_not_vehicle": _is_fit,
    "all": _is_combat_unit,
}
"""By value of the option, whether an overrun unit may counterattack (R-KP-55); trucks and APCs never do (KP-12.31a)."""
