"""Activating and marching: who goes next, where to, whether to attack on the way."""

from typing import Any

from damos.operations.choices import FreshForces
from damos.orders import Activate, DeclareAttack, EndActivation, EndPhase, Rally, Step
from damos.staff.outlook import FAR, Outlook
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form

GOOD_ODDS = 170
"""Own strength for each hundred of the enemy's at which an attack is made."""
CONCERTED_ODDS = 140
"""The same for a concerted attack, which has better modifiers."""


def activate(outlook: Outlook, decision: Decision, tried: dict[str, int]) -> Order:
    """Return a concerted attack, the next force with something to do, or the end of operations.

    ``tried`` notes targets of attacks that were announced this turn already.
    """
    forces = _space_of(decision, Activate, "units")
    if isinstance(forces, FreshForces):
        target = _target(outlook, decision, forces, tried)
        if target:
            tried[target] = outlook.view.turn
            return DeclareAttack(target)
        best = max(_candidates(outlook, forces), default=None)
        if best is not None:
            return Activate(list(best[2]))
    return EndPhase()


def _space_of(decision: Decision, kind: type[Order], field: str) -> Any:
    spaces = getattr(decision.options, "spaces", ())
    return next((each.fields[field] for each in spaces if isinstance(each, Form) and each.order is kind), None)


def _candidates(outlook: Outlook, forces: FreshForces) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return the forces worth activating with what it is worth: foot units apart from mobile ones."""
    found = []
    for hex_, fresh in forces.by_hex.items():
        for mobile in (False, True):
            units = tuple(each for each in fresh if outlook.is_mobile(each) == mobile)
            if units and forces.why_not(list(units)) is None:
                value = _value(outlook, hex_, list(units), mobile=mobile)
                if value > 0:
                    found.append((value, hex_, units))
    return found


def _value(outlook: Outlook, hex_: str, units: list[str], *, mobile: bool) -> int:
    """Foot units go first; of each kind those nearest to the objective, so that others come up behind."""
    if any(outlook.units[each].demoralized for each in units):
        return 5
    near = outlook.board.around[hex_]
    attacks = any(outlook.enemies_in(each) and outlook.odds(units, each) >= GOOD_ODDS for each in near)
    if outlook.advances():
        if outlook.far(hex_) == 0:
            return 0
        return (2000 if not mobile else 1000) - min(outlook.far(hex_), 500)
    if attacks and hex_ != outlook.board.victory.objective:
        return 2000 if not mobile else 1000
    return 0


def _target(outlook: Outlook, decision: Decision, forces: FreshForces, tried: dict[str, int]) -> str:
    """Return the target of a concerted attack, "" for none: beaten by one mobile stack next to it."""
    targets = _space_of(decision, DeclareAttack, "target")
    if targets is None or (not forces.zones_only and _has_foot(outlook, forces)):
        return ""
    best: tuple[int, str] = (0, "")
    for hex_, fresh in forces.by_hex.items():
        mobile = [each for each in fresh if not outlook.units[each].demoralized]
        for near in outlook.board.around[hex_]:
            if not outlook.enemies_in(near) or tried.get(near) == outlook.view.turn:
                continue
            if outlook.advances() and outlook.far(near) > outlook.far(hex_):
                continue
            odds = outlook.odds(mobile, near)
            if odds >= CONCERTED_ODDS and odds > best[0] and targets.why_not(near) is None:
                best = (odds, near)
    return best[1]


def _has_foot(outlook: Outlook, forces: FreshForces) -> bool:
    return any(not outlook.is_mobile(each) for fresh in forces.by_hex.values() for each in fresh)


def march(outlook: Outlook, decision: Decision) -> Order:
    """Return the next step of the active force: towards the objective, or into an enemy that it can beat."""
    units = list(outlook.view.active)
    options = decision.options
    if any(outlook.units[each].demoralized for each in units) and options.why_not(Rally()) is None:
        return Rally()
    here = outlook.units[units[0]].hex if units else ""
    best: tuple[int, str] = (_worth(outlook, units, here, here), "")
    for near in outlook.board.around.get(here, ()):
        if options.why_not(Step(near)) is not None:
            continue
        worth = _worth(outlook, units, here, near)
        if worth > best[0]:
            best = (worth, near)
    return Step(best[1]) if best[1] else EndActivation()


def _worth(outlook: Outlook, units: list[str], here: str, hex_: str) -> int:
    """Return what it is worth to be in a hex next."""
    enemies = outlook.enemies_in(hex_)
    if enemies and outlook.odds(units, hex_) < GOOD_ODDS:
        return -FAR
    if not outlook.advances():
        return 50 if enemies else -outlook.far(hex_) if hex_ != here else 0
    crowd = 3 * max(0, len(outlook.stacks[outlook.side].get(hex_, [])) - 2) if hex_ != here else 0
    return (15 if enemies else 0) - 10 * outlook.far(hex_) - crowd
