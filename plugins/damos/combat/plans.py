"""Attack plan and posture (DM-8.3, DM-8.4, AGC-2), and the units that sit a combat out (DM-2.3f)."""

from collections.abc import Callable, Sequence

from damos.combat.battle import ATTACKER, DEFENDER, ROLES, Battle
from damos.map.stacking import excess, left_out_options
from damos.map.zones import is_zone_capable
from damos.model.events import PlansRevealed, UnitsLeftOut
from damos.model.forces import is_demoralized
from damos.model.orders import ChoosePlan, ChoosePosture, LeaveOut
from damos.model.state import DamosState
from damos.model.tables import (
    ATTACK_PLANS,
    COUNTERATTACK,
    COUNTERATTACKING_TYPES,
    GRAND,
    MEETING,
    SOVIET,
    STANDARD,
    STEADFAST,
)
from damos.model.terrain_chart import CITY, CLEAR, MAJOR_CITY, SETTLEMENTS, Terrain
from sandtable import Claim, Decision, OneOf, Procedure, Sealed, listing

CITIES = {"city_and_major_city": (CITY, MAJOR_CITY), "city_only": (CITY,)}
"""Terrain that counts as a city (R-DM-53)."""


def postures(state: DamosState, defenders: Sequence[str], hex_: str) -> list[str]:
    """Return the postures, at least one, that a non-demoralized force may choose in a hex (R-DM-83)."""
    side = state.units[defenders[0]].side
    fitting = _fitting(state, defenders, side, hex_)
    if _is_bound(state, hex_):
        counters = state.options["soviet_city_counterattack"] == "counterattack_wins"  # R-DM-54
        return [COUNTERATTACK] if counters and side == SOVIET and COUNTERATTACK in fitting else [STEADFAST]
    if side == SOVIET:  # AGC-2.1b
        return [COUNTERATTACK if COUNTERATTACK in fitting else STEADFAST]
    return fitting


def _is_bound(state: DamosState, hex_: str) -> bool:
    """Return whether the terrain of a hex allows Steadfast only (AGC-2.1a)."""
    cities = CITIES[state.options["city_means"]]
    return any(
        row.steadfast and (row.name in cities or row.name not in (CITY, MAJOR_CITY)) for row in _rows(state, hex_)
    )


def _rows(state: DamosState, hex_: str) -> list[Terrain]:
    """Return the rows of the terrain chart that apply in a hex."""
    board = state.board
    return [board.aid.terrain[kind] for kind in board.hexmap.terrain_of(hex_)]


def _fitting(state: DamosState, defenders: Sequence[str], side: str, hex_: str) -> list[str]:
    """Return the postures that side, units and terrain allow (AGC-2.1c, AGC-2.1d)."""
    board = state.board
    is_mobile = any(board.counters[each].type in COUNTERATTACKING_TYPES for each in defenders)
    kinds = [row.name for row in _rows(state, hex_)]
    if all(kind in SETTLEMENTS for kind in kinds):
        kinds.append(CLEAR)  # the ground around a settlement
    return [
        name
        for name, posture in board.aid.postures.items()
        if name == STEADFAST
        or (side in posture.sides and (is_mobile or not posture.mobile) and not any(k in posture.closed for k in kinds))
    ]


def leave_out(battle: Battle) -> Procedure:
    """Let each side name its excess units in the hex before strengths are revealed (DM-2.3f, R-DM-39)."""
    for role in ROLES:
        side = battle.side_of(role)
        if excess(battle.state, side, battle.hex) > 0:
            space = left_out_options(battle.state, side, battle.hex)
            prompt = f"choose the excess units that take no part in the combat in {battle.hex}"
            purpose = f"leave_out.{battle.hex}.{role}"
            order: LeaveOut = yield Decision(side, prompt, space, "DM-2.3f", purpose=purpose)
            battle.left_out[role] = sorted({*battle.left_out[role], *order.units})
            battle.forces[role] = [each for each in battle.forces[role] if each not in order.units]
            yield UnitsLeftOut(sorted(order.units), battle.hex)


# --- plans and postures that may be chosen ---


def plans_open(state: DamosState, attackers: Sequence[str], left_halves: int, *, exploiting: bool = False) -> list[str]:
    """Return the attack plans that a force may choose on entering with ``left_halves`` left (DM-8.0b, DM-8.12e)."""
    plans = [MEETING]
    if left_halves >= (ATTACK_PLANS[STANDARD].halves or 0):
        plans.append(STANDARD)
    is_able = exploiting and is_zone_capable(state, attackers)  # DM-8.1a
    if is_able and left_halves >= (ATTACK_PLANS[GRAND].halves or 0):
        plans.append(GRAND)
    return plans


def postures_open(state: DamosState, defenders: Sequence[str], hex_: str) -> list[str]:
    """Return the postures that a defender may choose, or [] if it is demoralized (DM-2.8e, DM-8.4d)."""
    if is_demoralized(state, defenders):
        return []
    return postures(state, list(defenders), hex_)


# --- choosing ---


def choose_plan(state: DamosState, hex_: str, attackers: Sequence[str], left_halves: int) -> Procedure:
    """Let an attacker choose in secret before any reaction, and return the plan (``entry_order`` of R-DM-11)."""
    plans = plans_open(state, attackers, left_halves)
    if len(plans) > 1:
        order: ChoosePlan = yield _plan(state, hex_, plans, secret=True)
        return order.plan
    return plans[0]


def state_plan(state: DamosState, hex_: str, plan: str) -> Procedure:
    """Return the plan that was chosen in secret, which the attacker states when the combat begins (R-DM-11)."""
    return (yield Claim(state.phasing_side, f"plan.{hex_}", OneOf((MEETING, STANDARD)), lambda: plan, "DM-8.0b"))


def choose_posture(state: DamosState, hex_: str, defenders: Sequence[str]) -> Procedure:
    """Let a defender choose before the attacking force is known. Return the posture, "" for none (DM-8.1f)."""
    postures = postures_open(state, defenders, hex_)
    if len(postures) > 1:
        order: ChoosePosture = yield _posture(state, hex_, defenders, postures)
        return order.posture
    return next(iter(postures), "")


def choose_plans(battle: Battle, left_halves: int) -> Procedure:
    """Let each side choose the plan or posture that is not fixed yet, and reveal both (R-DM-13).

    A side without a choice has no decision.
    """
    state = battle.state
    plans = plans_open(state, battle.attackers, left_halves, exploiting=battle.exploiting)
    if battle.plan:
        plans = [battle.plan]
    postures = postures_open(state, battle.defenders, battle.hex)
    if battle.posture and postures:
        postures = [battle.posture]
    decisions = {}
    if len(plans) > 1:
        decisions[ATTACKER] = _plan(state, battle.hex, plans)
    if len(postures) > 1:
        decisions[DEFENDER] = _posture(state, battle.hex, battle.defenders, postures)
    yield from CHIT_REVEAL[state.options["chit_reveal"]](battle, decisions)
    battle.plan = battle.plan or plans[0]
    battle.posture = battle.posture if postures and battle.posture else next(iter(postures), "")
    yield PlansRevealed(battle.hex, battle.plan, battle.posture)


def _plan(state: DamosState, hex_: str, plans: Sequence[str], *, secret: bool = False) -> Decision:
    why = f"on entering {hex_} the force can choose: {listing(plans)}"
    space = OneOf([ChoosePlan(each) for each in plans], "DM-8.0b", why)
    prompt = f"choose the plan of the attack on {hex_}"
    stand_in = ChoosePlan(plans[0]) if secret else None
    purpose = f"plan.{hex_}"
    return Decision(state.phasing_side, prompt, space, "DM-8.0b", secret=secret, purpose=purpose, stand_in=stand_in)


def _posture(state: DamosState, hex_: str, defenders: Sequence[str], postures: Sequence[str]) -> Decision:
    why = f"the defender of {hex_} can choose: {listing(postures)}"
    space = OneOf([ChoosePosture(each) for each in postures], "DM-8.4a", why)
    side, prompt = state.units[defenders[0]].side, f"choose the posture of the defender of {hex_}"
    return Decision(side, prompt, space, "DM-8.2d", purpose=f"posture.{hex_}")


def _together(battle: Battle, decisions: dict[str, Decision]) -> Procedure:
    if decisions:
        orders = yield Sealed(tuple(decisions.values()))
        _note(battle, *orders.values())


def _defender_first(battle: Battle, decisions: dict[str, Decision]) -> Procedure:
    for role in (DEFENDER, ATTACKER):
        if role in decisions:
            _note(battle, (yield decisions[role]))


def _note(battle: Battle, *orders: ChoosePlan | ChoosePosture) -> None:
    for order in orders:
        if isinstance(order, ChoosePlan):
            battle.plan = order.plan
        else:
            battle.posture = order.posture


CHIT_REVEAL: dict[str, Callable[[Battle, dict[str, Decision]], Procedure]] = {
    "simultaneous": _together,
    "defender_first": _defender_first,
}
"""Functions that let both sides choose and reveal plan and posture, by option (R-DM-13)."""
