"""Losses for hits: the power that chooses, and the units that are lost (DAA-17.06, DAA-17.12)."""

from collections.abc import Callable, Sequence

from desert_aa.model.events import UnitsLost
from desert_aa.model.orders import TakeLosses
from desert_aa.model.state import ADVANCED, DesertState
from desert_aa.model.tables import SIDE_OF, VALUES
from sandtable import UNSET, Calculation, Calculations, Decision, Form, Procedure, SomeOf

Share = tuple[str, list[str], int]
"""A power, the units from which it chooses losses, and the number of hits that it must take."""


def cheapest_first(state: DesertState, units: Sequence[str]) -> list[str]:
    """Return ``units`` sorted by price, then by id."""
    known = state.units
    return sorted(units, key=lambda each: (VALUES[known[each].power][known[each].kind].cost, each))


def take_losses(
    state: DesertState, share: Share, space: str, cause: str, rule: str, all_hits: int | None = None
) -> Procedure:
    """Let a power lose one unit for each hit. It chooses only if the units differ (DAA-17.06, DAA-R65).

    ``all_hits`` is the number of hits on all partners together (default: the hits of ``share``).
    """
    power, units, hits = share
    if hits <= 0 or not units:
        return
    lost = cheapest_first(state, units)
    if hits < len(lost):
        if _differ(state, lost):
            form = Form(TakeLosses, {"units": SomeOf(lost, hits, hits, rule)})
            prompt = f"choose {hits} of {len(lost)} units to lose in {state.board.names[space]}"
            purpose = f"losses.{space}.{cause}.{power}"
            order: TakeLosses = yield Decision(SIDE_OF[power], prompt, form, rule, power, purpose=purpose)
            lost = order.units
        else:
            lost = lost[:hits]
    yield UnitsLost(space, list(lost), cause, rule, _lost(share, hits if all_hits is None else all_hits, rule))


def _lost(share: Share, all_hits: int, rule: str) -> Calculations:
    """Return the calculation of the number of units lost from ``all_hits``, or UNSET if both are equal."""
    _, units, hits = share
    number = min(hits, len(units))
    if number == all_hits:
        return UNSET
    steps = [("hits", all_hits, rule)]
    if hits < all_hits:
        steps.append(("hits on partners, or without a target", hits - all_hits, "DAA-R64"))
    if number < hits:
        steps.append(("no units left", number - hits, rule))
    return (Calculation("lost", tuple(steps)),)


def _differ(state: DesertState, units: Sequence[str]) -> bool:
    """Return whether it matters which of ``units`` are lost."""
    first = _likeness(state, units[0])
    return any(_likeness(state, each) != first for each in units[1:])


def _likeness(state: DesertState, unit_id: str) -> tuple[object, ...]:
    """Return the facts that distinguish a unit. Its path counts in its power's turn, or if its supply can be cut."""
    unit = state.units[unit_id]
    came: tuple[object, ...] = ()
    if unit.power == state.phasing_power or unit.condition == ADVANCED:
        came = (unit.moved, *unit.path)
    spent = state.battle is not None and unit_id in state.battle.spent
    return unit.power, unit.kind, unit.condition, unit.stands_up, spent, came


# --- partners that defend together (DAA-R64) ---


def by_proportion(state: DesertState, space: str, units: list[str], hits: int) -> list[Share]:
    """Divide the hits in proportion to the units of each power; the rest goes to the largest remainders (DAA-R64)."""
    groups: dict[str, list[str]] = {}
    for unit_id in units:
        groups.setdefault(state.units[unit_id].power, []).append(unit_id)
    hits = min(hits, len(units))
    shares = {power: hits * len(group) // len(units) for power, group in groups.items()}
    holder = state.control[space]
    order = sorted(groups, key=lambda power: (-(hits * len(groups[power]) % len(units)), power != holder, power))
    for power in order[: hits - sum(shares.values())]:
        shares[power] += 1
    return [(power, groups[power], shares[power]) for power in sorted(groups)]


SHARES: dict[str, Callable[[DesertState, str, list[str], int], list[Share]]] = {
    "space_owner": lambda state, space, units, hits: [(state.control[space], units, hits)],
    "proportional": by_proportion,
}


def defenders_lose(state: DesertState, space: str, units: list[str], hits: int, cause: str, rule: str) -> Procedure:
    """Let the defenders of ``space`` lose units for ``hits``, by the shares of the option (DAA-17.12, DAA-R64)."""
    for share in SHARES[state.options["multi_defense"]](state, space, units, hits):
        yield from take_losses(state, share, space, cause, rule, hits)
