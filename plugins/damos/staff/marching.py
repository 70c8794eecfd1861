"""Activating and marching: who goes next, where to, whether to attack on the way."""

from typing import Any

from damos.operations.choices import FreshForces
from damos.orders import Activate, DeclareAttack, EndActivation, EndPhase, Rally, Step
from damos.staff.outlook import FAR, Outlook
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form

GOOD_ODDS = 170
"""Own strength for each hundred of the enemy's at which an attack is made."""
UNSUPPLIED_ODDS = 300
"""The same out of supply, where each die loses two (DM-8.5a)."""
CONCERTED_ODDS = 140
"""The same for a concerted attack, which has better modifiers."""
GATE = 8
"""What it is worth to stand in another hex beside the objective."""
SURE_ODDS = 350
"""The odds wanted by who stands at the gates as the end is near: a lost attack would throw him back."""
LAST = 2
"""So many turns are the end."""


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
            if units and outlook.free_gates(hex_) and len(outlook.stacks[outlook.side][hex_]) > 1:
                units = units[:1]  # one goes on to the next gate, the rest holds this one
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
    attacks = any(outlook.enemies_in(each) and outlook.odds(units, each) >= _wanted(outlook, hex_) for each in near)
    if outlook.advances():
        spreads = outlook.free_gates(hex_) and len(outlook.stacks[outlook.side][hex_]) > len(units)
        if spreads:
            return 3000
        if outlook.far(hex_) == 0 or (_at_the_gates(outlook, hex_) and not _sure(outlook, units, hex_)):
            return 0
        return (2000 if not mobile else 1000) - min(outlook.far(hex_), 500)
    if attacks and hex_ != outlook.board.victory.objective:
        return 2000 if not mobile else 1000
    return 0


def _at_the_gates(outlook: Outlook, hex_: str) -> bool:
    """Tell whether a force stands beside the objective and should stay there to the end (AGC-5.0c)."""
    beside = outlook.board.victory.objective in outlook.board.around[hex_]
    return bool(_is_end(outlook) and outlook.advances() and beside)


def _is_end(outlook: Outlook) -> bool:
    return bool(outlook.board.last_turn - outlook.view.turn < LAST)


def _sure(outlook: Outlook, units: list[str], hex_: str) -> bool:
    goal = outlook.board.victory.objective
    return bool(goal in outlook.board.around[hex_] and outlook.odds(units, goal) >= SURE_ODDS)


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
            if _at_the_gates(outlook, hex_) and odds < SURE_ODDS:
                continue
            wanted = CONCERTED_ODDS if hex_ in outlook.supplied else UNSUPPLIED_ODDS
            if odds >= wanted and odds > best[0] and targets.why_not(near) is None:
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


def _wanted(outlook: Outlook, here: str) -> int:
    """Return the odds at which a force attacks from where it stands."""
    if _at_the_gates(outlook, here):
        return SURE_ODDS
    return GOOD_ODDS if here in outlook.supplied else UNSUPPLIED_ODDS


def _worth(outlook: Outlook, units: list[str], here: str, hex_: str) -> int:
    """Return what it is worth to be in a hex next."""
    enemies = outlook.enemies_in(hex_)
    if enemies and outlook.odds(units, hex_) < _wanted(outlook, here):
        return -FAR
    if not outlook.advances():
        return 50 if enemies else -outlook.far(hex_) if hex_ != here else 0
    crowd = 3 * max(0, len(outlook.stacks[outlook.side].get(hex_, [])) - 2) if hex_ != here else 0
    gate = GATE if hex_ in outlook.gates and not outlook.stacks[outlook.side].get(hex_) else 0
    return (15 if enemies else 0) + gate - 5 * outlook.far(hex_) - crowd
