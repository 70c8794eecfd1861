"""Attrition: what a force without a line of supply loses that has gone far (DM-9.0)."""

from damos.combat.absorption import ATTRITION, absorb
from damos.map.stacking import is_full
from damos.map.supply import has_supply_line
from damos.map.terrain import attrition_modifier
from damos.model.events import AttritionRolled
from damos.model.forces import is_demoralized, stacks, strength
from damos.model.state import ON_MAP, DamosState
from damos.model.tables import attrition_losses
from damos.movement.march import March
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure


def check_attrition(state: DamosState, march: March) -> Procedure:
    """Check the force where it ends its activation, hex by hex if it has parted (DM-9.0a, R-DM-40).

    Only if it spent more than half of what its slowest unit had at the beginning; what exploitation took, and who was
    picked up or dropped, does not count. Never on the first turn (DM-9.0i, R-DM-79).
    """
    if state.turn == 1 or 2 * march.spent <= march.first_rate:
        return
    by_hex: dict[str, list[str]] = {}
    for each in sorted(state.active):
        unit = state.units[each]
        if unit.standing == ON_MAP:
            by_hex.setdefault(unit.hex, []).append(each)
    for hex_, units in sorted(by_hex.items()):
        if not has_supply_line(state, march.side, hex_):  # 1 SP loses nothing; not to roll would tell of it (DM-2.4c)
            yield from _roll(state, march.side, hex_, units)


def _roll(state: DamosState, side: str, hex_: str, units: list[str]) -> Procedure:
    """Roll for a force and take what it loses; nobody is eliminated by it (DM-9.0b, DM-9.0h)."""
    dice: tuple[int, ...] = yield Roll(2, 6, f"attrition:{hex_}", "DM-9.0b", favours=side)
    modifiers = modifiers_of(state, side, hex_, units)
    total = sum(dice) + sum(number for _, number in modifiers)
    losses = attrition_losses(strength(state, units), total)
    yield AttritionRolled(units, hex_, list(dice), modifiers, total, losses)
    if losses:
        yield from absorb(state, hex_, units, losses, ATTRITION)


def modifiers_of(state: DamosState, side: str, hex_: str, units: list[str]) -> list[tuple[str, int]]:
    """Return what changes the roll of a force in a hex; for numbers of units all friends there count (R-DM-40)."""
    found = [
        ("settled", attrition_modifier(state, hex_)),  # DM-9.0c
        ("single unit", int(len(stacks(state, side)[hex_]) == 1)),  # DM-9.0d
        ("demoralized", -int(is_demoralized(state, units))),  # DM-9.0e
        ("full hex", -int(is_full(state, side, hex_))),  # DM-9.0f
    ]
    return [(name, number) for name, number in found if number]
