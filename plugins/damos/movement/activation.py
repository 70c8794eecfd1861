"""Activations of forces: march, combat, exploitation (DM-7.0), and attrition without supply (DM-9.0)."""

from damos.combat.battle import Outcome
from damos.combat.losses import ATTRITION, absorb, propagate_demoralization
from damos.map.stacking import is_full
from damos.map.supply import has_supply_line
from damos.map.terrain import attrition_modifier
from damos.map.zones import is_zone_capable
from damos.model.calculations import ATTRITION as MODIFIER_RULES
from damos.model.calculations import rolled
from damos.model.events import ActivationEnded, AttritionRolled, ForceActivated
from damos.model.forces import is_demoralized, stacks, strength
from damos.model.orders import Activate, DeclareAttack, EndPhase
from damos.model.state import ON_MAP, DamosState
from damos.model.tables import attrition_cell, attrition_losses
from damos.movement.concerted import concerted_attack
from damos.movement.march import March, printed_rate
from damos.movement.moving import exploit, march_on
from damos.movement.pause import check_smolensk
from damos.movement.planning import choose_activation
from damos.movement.reaction import spent_by_reaction
from sandtable import Calculation, Claim, OneOf, Procedure, Roll


def check_attrition(state: DamosState, march: March) -> Procedure:
    """Check the force where it ends its activation, hex by hex if it has split up (DM-9.0a, R-DM-40).

    There is a check only if the force spent more than half the allowance that its slowest unit had at the beginning.
    Points of an exploitation, and units picked up or dropped, do not count. There is no check on the first turn
    (DM-9.0i, R-DM-79).
    """
    if state.turn == 1 or 2 * march.spent <= march.first_rate:
        return
    by_hex: dict[str, list[str]] = {}
    for each in sorted(state.active):
        unit = state.units[each]
        if unit.standing == ON_MAP:
            by_hex.setdefault(unit.hex, []).append(each)
    for hex_, units in sorted(by_hex.items()):
        if not has_supply_line(state, march.side, hex_):  # skipping a roll would reveal 1 SP (DM-2.4c)
            yield from _roll(state, march, hex_, units)


def _roll(state: DamosState, march: March, hex_: str, units: list[str]) -> Procedure:
    """Roll for a force and take its losses; they eliminate no unit (DM-9.0b, DM-9.0h).

    The column of the table reveals the strength of the force, so only the event of its losses contains it (DM-2.4c).
    """
    side = march.side
    dice: tuple[int, ...] = yield Roll(2, 6, f"attrition:{hex_}", "DM-9.0b", favors=side)
    modifiers = modifiers_of(state, side, hex_, units)
    summed = rolled("total", dice, "DM-9.0b", modifiers, MODIFIER_RULES)
    total, points = summed.total, strength(state, units)
    most = sum(int(state.board.counters[each].sp) for each in units)
    possible = sorted({attrition_losses(each, total) for each in range(len(units), most + 1)})
    stated = OneOf(possible)
    losses = yield Claim(side, f"attrition.{hex_}", stated, lambda: attrition_losses(points, total), "DM-9.0j")
    row, column = attrition_cell(points, total)
    why = (
        _too_far(march),
        summed,
        Calculation("points", (("table", losses, "DM-9.0j"),), ("attrition_table", row, "")),
    )
    yield AttritionRolled(units, hex_, list(dice), modifiers, total, losses, calculations=why)
    if losses:
        cell = ("attrition_table", row, column)
        looked_up = Calculation("points", ((f"strength {points}", losses, "DM-9.0j"),), cell)
        yield from absorb(state, hex_, units, losses, ATTRITION, why=(looked_up,))


def _too_far(march: March) -> Calculation:
    """Return the calculation that causes a check: twice the points spent, less the slowest's allowance (DM-9.0a)."""
    steps = (("spent", march.spent, "DM-9.0a"), ("doubled", march.spent, "DM-9.0a"))
    return Calculation("overspent", (*steps, ("allowance of the slowest unit", -march.first_rate, "DM-9.0a")))


def modifiers_of(state: DamosState, side: str, hex_: str, units: list[str]) -> list[tuple[str, int]]:
    """Return the modifiers of a force's roll in a hex. The modifiers for stacking count all friends there (R-DM-40)."""
    found = [
        ("settled", attrition_modifier(state, hex_)),  # DM-9.0c
        ("single unit", int(len(stacks(state, side)[hex_]) == 1)),  # DM-9.0d
        ("demoralized", -int(is_demoralized(state, units))),  # DM-9.0e
        ("full hex", -int(is_full(state, side, hex_))),  # DM-9.0f
    ]
    return [(name, number) for name, number in found if number]


def operations(state: DamosState) -> Procedure:
    """Play one activation of the phasing side. Return True when its operations are over (DM-7.0i)."""
    order: Activate | DeclareAttack | EndPhase | None = yield from choose_activation(state)
    if order is None or isinstance(order, EndPhase):
        return True
    if isinstance(order, DeclareAttack):
        march: March | None = yield from concerted_attack(state, order.target)
    else:
        march = yield from _activate(state, sorted(order.units))
    yield from _finish(state, march)
    return False


def _activate(state: DamosState, units: list[str]) -> Procedure:
    """Let a force march, rally and fight (DM-7.0b). Return its March."""
    march = March(state, units, printed_rate(state))
    yield ForceActivated(
        units, march.hex, is_zone_capable(state, units), march.left, calculations=march.calculated("halves")
    )
    while march.units:
        outcome: Outcome | None = yield from march_on(state, march)
        if outcome is None:
            break
        exploited = yield from exploit(state, march, outcome)
        if exploited or state.options["after_combat"] != "may_continue" or outcome.winner != "attacker":  # R-DM-09
            break
    return march


def _finish(state: DamosState, march: March | None) -> Procedure:
    """End an activation: attrition, then active and reacting units are spent (DM-7.0e, DM-7.0f, DM-2.6.1s).

    Without a ``march`` a concerted attack was abandoned: no force was activated, but some may have reacted (R-DM-27).
    """
    if march is not None:
        yield from check_attrition(state, march)
    for side in state.board.sides:
        yield from _spread(state, side)
    if state.active or state.reacted or state.attack_target:  # a concerted attack may have cost the whole force
        yield ActivationEnded(list(state.active), spent_by_reaction(state))
    yield from check_smolensk(state)  # AGC-4.7a


def _spread(state: DamosState, side: str) -> Procedure:
    """Demoralize units that end stacked with demoralized units (DM-2.8b, R-DM-06, R-DM-80)."""
    mixed = [hex_ for hex_, units in stacks(state, side).items() if is_demoralized(state, units)]
    for hex_ in sorted(mixed):
        yield from propagate_demoralization(state, side, hex_)
