"""The mission of the turn (AOA-8.01 to AOA-8.20): recon claims, dice, an adjustment, a change for points."""

from axis_attack.mission.selection import (
    adjuster,
    can_change,
    claimable,
    higher,
    modifiers,
    neighbors,
    richer,
    total_calculation,
)
from axis_attack.model.cards import ENEMY, SIDES
from axis_attack.model.events import (
    ChoiceRolled,
    MissionChanged,
    MissionSelected,
    ReconClaimed,
    SelectionRolled,
    TotalAdjusted,
)
from axis_attack.model.orders import AdjustTotal, ChangeMission, ClaimRecon
from axis_attack.model.state import AxisState
from axis_attack.model.strength import roll_off, shown_of
from axis_attack.model.tables import CHANGE_PRICE, LADDER_ROWS, mission_of
from axis_attack.recovery.mobility import assess
from sandtable import Calculation, Decision, Form, OneOf, Procedure, Roll, SomeOf


def select_mission(state: AxisState) -> Procedure:
    """Select the mission from the last game; the first turn has a fixed mission (AOA-2.05)."""
    if state.turn == 1:
        return
    recon = yield from _claim_recon(state)
    named = {side: modifiers(state, side, recon) for side in SIDES}
    dice = {}
    for side in SIDES:
        (dice[side],) = yield Roll(1, 6, f"selection:{side}", "AOA-8.01")
    calculations = {side: total_calculation(side, dice[side], named[side]) for side in SIDES}
    totals = {side: calculation.total for side, calculation in calculations.items()}
    yield SelectionRolled(dice, named, totals, calculations=tuple(calculations.values()))
    totals = yield from _adjust(state, totals)
    attacker = higher(totals)
    defender = ENEMY[attacker] if attacker else ""
    rule = "AOA-8.07" if attacker else "AOA-8.09"
    total = max(totals.values())
    mission = mission_of(total)
    row, its_rule = LADDER_ROWS[mission]
    ladder_row = Calculation(
        "total",
        ((f"{attacker} total" if attacker else "total of both sides", total, its_rule),),
        ("AOA-8.07", row, mission),
    )
    yield MissionSelected(mission, attacker, defender, rule, (ladder_row,))
    yield from _change_mission(state)


def _claim_recon(state: AxisState) -> Procedure:
    """Ask the winner for recon claims, assess the claimed platoons, and return how many count (AOA-10.15)."""
    side, platoons = state.winner, claimable(state)
    if not platoons:
        return 0
    space = Form(ClaimRecon, {"platoons": SomeOf(platoons, rule="AOA-8.05")})
    prompt = "claim reconnaissance platoons in the enemy's half for the selection"
    order: ClaimRecon = yield Decision(side, prompt, space, "AOA-8.04", purpose=f"claim_recon.{side}")
    claimed = [each for each in platoons if each in order.platoons]
    immobile = yield from assess(state, side, claimed, "AOA-10.15")
    yield ReconClaimed(side, claimed, immobile, shown=shown_of(state, side, claimed))
    return len(claimed) - len(immobile)


def _adjust(state: AxisState, totals: dict[str, int]) -> Procedure:
    """Let a winning defender change the higher total, or one of two equal totals, by one; return the totals."""
    side = adjuster(state)
    if not side:
        return totals
    top = higher(totals)
    nothing = AdjustTotal()
    orders = [nothing, *(AdjustTotal(of, by) for of in ([top] if top else SIDES) for by in (1, -1))]
    current = ", ".join(f"{state.board.sides[each]} {totals[each]}" for each in SIDES)
    rule = "AOA-8.10" if top else "AOA-8.11"
    name = state.board.sides[top] if top else ""
    why = f"the total of the {name} is higher: only it may change by one" if top else "change either total by one"
    prompt = f"change a selection total by one, or leave it ({current})"
    space, purpose = OneOf(orders, rule, why), f"adjust_total.{top or 'either'}"
    order: AdjustTotal = yield Decision(side, prompt, space, rule, done=nothing, purpose=purpose)
    if not order.side:
        return totals
    changed = Calculation(
        f"total.{order.side}", (("rolled", totals[order.side], "AOA-8.01"), ("changed", order.by, rule))
    )
    totals = {**totals, order.side: changed.total}
    yield TotalAdjusted(side, order.side, order.by, totals, rule, (changed,))
    return totals


def _change_mission(state: AxisState) -> Procedure:
    """Ask the side with more victory points whether it pays for a different mission (AOA-8.19).

    If it declines or cannot pay, ask the other side (AOA-8.20). If neither can pay, no decision is made.
    """
    if not any(can_change(state, side) for side in SIDES):
        return
    first = yield from _first_right(state)
    for side, rule in ((first, "AOA-8.19"), (ENEMY[first], "AOA-8.20")):
        if not can_change(state, side):
            continue
        missions = ["", *neighbors(state.mission)]
        why = f"choose a neighbor of {state.mission} on the ladder: {' or '.join(missions[1:])}, or leave it"
        space = Form(ChangeMission, {"mission": OneOf(missions, "AOA-8.19", why)})
        title = state.board.missions[state.mission].title
        prompt = f"change the mission ({title}) for {CHANGE_PRICE} victory points, or leave it"
        purpose = f"change_mission.{state.mission}.{side}"
        order: ChangeMission = yield Decision(side, prompt, space, rule, done=ChangeMission(), purpose=purpose)
        if order.mission:
            cost = Calculation("cost", (("change of mission", CHANGE_PRICE, "AOA-8.19"),))
            yield MissionChanged(side, order.mission, cost.total, rule, (cost,))
            return


def _first_right(state: AxisState) -> Procedure:
    """Return the side that decides first: the richer one, the last winner, or the winner of a roll-off (AOA-R06)."""
    first = richer(state) or (state.winner if state.winner in SIDES else "")
    if not first:
        first, dice = yield from roll_off("choice", "AOA-R06")
        yield ChoiceRolled(first, dice, "AOA-R06")
    return first
