"""Responses to an engagement: stand, fighting withdrawal, or withdrawal of single formations (KH-19)."""

from collections.abc import Mapping

from khamsin.engagement.mission import fighters, label, title_of, withdraws
from khamsin.engagement.retreat import retreat_areas
from khamsin.leaders.honor import pay_for_withdrawal
from khamsin.model.battle_events import FormationWithdrew, WithdrawalAllowed, WithdrawalChosen
from khamsin.model.cards import ENEMY, SIDES, Board
from khamsin.model.cards import RECON as RECON_MOBILITY
from khamsin.model.forces import card
from khamsin.model.orders import LetGo, Withdraw
from khamsin.model.state import DEFENDS, FIGHTING, PRECIPITOUS, RECON, Engagement, KhamsinState
from khamsin.model.tables import PRECIPITOUS_DICE, PRECIPITOUS_PLUS, RECON_GENERAL
from khamsin.movement.out_of_sight import out_of_sight
from sandtable import AnyOf, Calculation, Decision, Form, OneOf, Procedure, Refusal, Roll, Sealed, Sheet, Space

LEDGERS = ("general", "armor")


def meet(state: KhamsinState, engagement: Engagement) -> Procedure:
    """Let both sides choose their response in secret, and carry it out; formations that leave separately go first.

    Both sides always decide, so that the existence of a decision reveals nothing (KH-R58).
    """
    answers: dict[str, Withdraw] = yield Sealed(tuple(_decision(state, engagement, side) for side in SIDES))
    for side in SIDES:
        leaving = dict(sorted(answers[side].leaving.items()))
        yield WithdrawalChosen(engagement.id, side, answers[side].how, leaving, len(leaving))
    for side in SIDES:
        for each in list(engagement.forces[side]):
            how = answers[side].leaving.get(each, FIGHTING if answers[side].how == FIGHTING else DEFENDS)
            yield from pay_for_withdrawal(state, each, how)
    yield from out_of_sight(lambda work: _leave_all(work, engagement.id, answers), "withdrawal", "KH-19.10")
    yield from _end_without_fight(state, engagement)


def _leave_all(state: KhamsinState, engagement_id: str, answers: Mapping[str, Withdraw]) -> Procedure:
    """Remove the formations that leave separately. The enemy learns their number, but not their names or losses."""
    for side in SIDES:
        for each, how in sorted(answers[side].leaving.items()):
            yield from _leave(state, engagement_id, each, how, answers[side].ledger)


def _decision(state: KhamsinState, engagement: Engagement, side: str) -> Decision:
    prompt, purpose = f"meet the enemy at {title_of(state, engagement)}", f"withdraw.{label(engagement)}.{side}"
    space = withdraw_space(state, engagement, side)
    return Decision(side, prompt, space, "KH-19.01", secret=True, purpose=purpose, discloses="KH-R122")


# --- choices ---


def withdraw_space(state: KhamsinState, engagement: Engagement, side: str) -> Space:
    """Return the responses that a side may choose (KH-R57).

    The whole force withdraws fighting; single formations withdraw precipitously. Formations of recon mobility, in
    supply or not, may also withdraw as reconnaissance (KH-19.14). By option, a force without a free adjacent area may
    not withdraw (KH-R68). From a connector the area from which it came is always free.
    """
    ledgers = LEDGERS if state.options["precip_attrition_type"] == "owner_choice" else LEDGERS[:1]
    ledger = OneOf(ledgers, "KH-R63")
    force = engagement.forces[side]
    is_open = engagement.on_connector or any(retreat_areas(state, each) for each in force)
    if not is_open and state.options["withdraw_noarea"] == "must_fight":
        board: Board = state.board
        why = f"no area next to {board.names[engagement.area]} is free for a withdrawal: the force must fight"
        refusal = Refusal("KH-R68", why)
        leaving: Space = Sheet({}, stranger=lambda _: refusal, rule="KH-R68")
        return Form(Withdraw, {"how": OneOf((DEFENDS,), "KH-R68", why), "leaving": leaving, "ledger": ledger})
    lines = {each: _line(state, each) for each in force}
    leaving = Sheet(lines, stranger=lambda _: _UNKNOWN, rule="KH-19.09", blanks=2)
    fields = {"how": OneOf((DEFENDS, FIGHTING), "KH-19.01"), "leaving": leaving, "ledger": ledger}
    stand = Form(
        Withdraw, {"how": OneOf((DEFENDS,), "KH-19.01"), "leaving": Sheet({}, rule="KH-19.09"), "ledger": ledger}
    )
    return AnyOf((stand, Form(Withdraw, fields, _why_not_withdrawing)))


_UNKNOWN = Refusal("KH-19.09", "no formation of this side in this engagement has this name")


def _line(state: KhamsinState, formation_id: str) -> OneOf:
    its_card = card(state, formation_id)
    if its_card.mobility == RECON_MOBILITY:
        return OneOf((PRECIPITOUS, RECON), "KH-19.14")
    why = f"{its_card.title} does not have recon mobility: it can leave precipitously, or with its force"
    return OneOf((PRECIPITOUS,), "KH-19.14", why)


def _why_not_withdrawing(order: Withdraw) -> Refusal | None:
    """Refuse a response in which the whole force stays. It has a separate form, so that no order is listed twice."""
    if order.how == DEFENDS and not order.leaving:
        return Refusal("KH-19.01", "standing without withdrawals is a separate choice")
    return None


# --- results ---


def _leave(state: KhamsinState, engagement_id: str, formation_id: str, how: str, ledger: str) -> Procedure:
    """Remove a formation from an engagement and record the attrition. It retreats later, with all others."""
    side = state.formations[formation_id].side
    if how == RECON:
        cost = Calculation("general", (("reconnaissance withdraws", RECON_GENERAL, "KH-19.16"),))
        yield FormationWithdrew(engagement_id, formation_id, side, RECON, [], 0, RECON_GENERAL, "KH-19.16", (cost,))
        return
    purpose = f"withdrawal:{formation_id}"
    units = (formation_id,) * PRECIPITOUS_DICE
    dice = yield Roll(PRECIPITOUS_DICE, 6, purpose, "KH-19.10", side=side, favors=ENEMY[side], units=units)
    rolled = tuple(("die", die, "KH-19.10") for die in dice)
    cost = Calculation("attrition", (*rolled, ("plus 1", PRECIPITOUS_PLUS, "KH-19.10")))
    armor, general = _ledgers(cost.total, state.options["precip_attrition_type"], ledger)
    sums = tuple(_part(cost, *each) for each in (("armor", armor), ("general", general)) if each[1])
    yield FormationWithdrew(
        engagement_id, formation_id, side, PRECIPITOUS, list(dice), armor, general, "KH-19.10", sums
    )


def _part(cost: Calculation, ledger: str, points: int) -> Calculation:
    """Return the part of a cost that goes to a ledger."""
    other = cost.total - points
    return Calculation(ledger, (*cost.steps, ("in the other ledger", -other, "KH-R63")) if other else cost.steps)


def _ledgers(points: int, option: str, chosen: str) -> tuple[int, int]:
    """Return the armor and general attrition of a precipitous withdrawal (KH-R63).

    The odd point of an even split is general.
    """
    if option == "split_evenly":
        return points // 2, points - points // 2
    is_armor = option == "armor" or (option == "owner_choice" and chosen == "armor")
    return (points, 0) if is_armor else (0, points)


def _end_without_fight(state: KhamsinState, engagement: Engagement) -> Procedure:
    """End the engagement if there is no fight.

    There is none if a side has no fighters left (KH-R65, KH-R66), if both forces withdraw (KH-19.13), or if one
    withdraws and the enemy lets it go (KH-19.08).
    """
    gone = [side for side in SIDES if not fighters(state, engagement, side)]
    if gone:
        yield WithdrawalAllowed(engagement.id, gone, "KH-19.09")
        return
    going = [side for side in SIDES if withdraws(engagement, side)]
    if len(going) == len(SIDES):
        yield WithdrawalAllowed(engagement.id, going, "KH-19.13")
    elif going:
        enemy = ENEMY[going[0]]
        prompt = f"let the enemy withdraw from {title_of(state, engagement)}, or fight"
        space = Form(LetGo, {"let_go": OneOf((False, True), "KH-19.08")})
        order: LetGo = yield Decision(enemy, prompt, space, "KH-19.08", purpose=f"let_go.{label(engagement)}")
        if order.let_go:
            yield WithdrawalAllowed(engagement.id, going, "KH-19.08")
