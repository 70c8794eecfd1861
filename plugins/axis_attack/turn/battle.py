"""Forces chosen in secret (AOA-R14), the battle on the table (AOA-5.16 to AOA-5.25), and casualties (AOA-10.01)."""

from msgspec.structs import replace

from axis_attack.battle.briefs import CONCEDED, brief_of, score
from axis_attack.battle.reports import report_space
from axis_attack.forces.force import cost_calculation, force_space, limit_calculation, points_calculation
from axis_attack.model.cards import DEPLETED, ENEMY, SIDES
from axis_attack.model.events import BattleBriefed, BattleFought, ForceChosen, GameConceded
from axis_attack.model.orders import ChooseForce, Concede
from axis_attack.model.state import AxisState
from axis_attack.model.strength import kind_of, shown_of
from axis_attack.recovery.casualties import assess_all
from sandtable import UMPIRE, Decision, Form, OneOf, Procedure, Sealed, Stream
from sandtable.tabletop import ReportBattle, Result


def battle(state: AxisState) -> Procedure:
    """Ask for the result of the game, unless a side conceded it, and score the victory points."""
    if state.conceded:
        result = _won_by_concession(state, Result(ENEMY[state.conceded], conceded=state.conceded))
        yield BattleFought(result, "AOA-5.23")
    else:
        result = yield from _fight(state)
    yield from score(state, result)


def _fight(state: AxisState) -> Procedure:
    brief = brief_of(state)
    yield BattleBriefed(brief)
    prompt = f"report the battle in sector {state.sector}, {brief.place_title}: {brief.mission}"
    purpose = f"report.{state.sector}.{state.mission}.{state.attacker or 'both'}"
    space = report_space(brief)
    order: ReportBattle = yield Decision(UMPIRE, prompt, space, "AOA-5.16", secret=True, purpose=purpose)
    result = order.result
    if result.conceded:
        yield GameConceded(result.conceded)
        result = _won_by_concession(state, result)
    yield BattleFought(result)
    return result


def _won_by_concession(state: AxisState, result: Result) -> Result:
    """Return the result of a concession: points (AOA-5.23), and all the winner's recon platoons ahead (AOA-5.25)."""
    winner, roster = result.winner, state.rosters[result.winner]
    recon = tuple(each for each in roster if kind_of(state, winner, each).recon and roster[each].level >= DEPLETED)
    return replace(result, points=dict(zip((winner, ENEMY[winner]), CONCEDED, strict=True)), recon_ahead=recon)


SELDOM = 6


def choose_forces(state: AxisState) -> Procedure:
    """Ask for concessions, then for both forces; on the second call ask again for concessions (AOA-R28).

    Two calls let a simulated game begin after the forces are shown. Returns True when the phase is over.
    """
    if state.forces:
        yield from _concede(state, "play with these forces, or concede the game")
        return True
    yield from _concede(state, "play the mission, or concede the game without playing")
    if state.conceded:
        return True
    spaces = {side: force_space(state, side) for side in SIDES}
    for side in in_order(state):
        if spaces[side].is_empty():
            yield GameConceded(side, "AOA-R62")
            return True
    prompt = "choose your force for this game"
    decisions = (
        Decision(side, prompt, spaces[side], "AOA-3.01", secret=True, purpose=f"force.{state.mission}.{side}")
        for side in SIDES
    )
    answers: dict[str, ChooseForce] = yield Sealed(tuple(decisions))
    for side in SIDES:
        yield force_chosen(state, side, answers[side])
    return False


def in_order(state: AxisState) -> tuple[str, str]:
    """Return both sides, the attacker first. It decides first on a concession, and concedes if no side has a force."""
    first, second = SIDES
    return (second, first) if state.attacker == second else (first, second)


def force_chosen(state: AxisState, side: str, order: ChooseForce) -> ForceChosen:
    """Return the force of a legal order as an event, platoons in the order of the roster."""
    fielded = {each.platoon: each for each in order.platoons}
    platoons = [fielded[each] for each in state.rosters[side] if each in fielded]
    extra, bought = order.extra, order.purchase
    points, cost = points_calculation(state, side, platoons, order.air), cost_calculation(extra, bought)
    calculations = (points, limit_calculation(state, extra), cost)
    shown = shown_of(state, side, [each.platoon for each in platoons])
    return ForceChosen(
        side, platoons, points.total, extra, bought, order.air, cost.total, shown=shown, calculations=calculations
    )


class Conceding(Form):
    """The decision whether to concede. A random order concedes one game in ``SELDOM``, so that most are played."""

    def sample(self, stream: Stream) -> Concede:
        """Draw an order, which seldom concedes."""
        return Concede(stream.one_in(SELDOM))


def _concede(state: AxisState, prompt: str) -> Procedure:
    """Ask each side whether it concedes; if one does, the other has won (AOA-5.22, AOA-5.23)."""
    for side in in_order(state):
        space = Conceding(Concede, {"concede": OneOf((False, True), "AOA-5.22")})
        purpose = f"concede.{'forces' if state.forces else state.mission}.{side}"
        order: Concede = yield Decision(side, prompt, space, "AOA-5.22", done=Concede(), purpose=purpose)
        if order.concede:
            yield GameConceded(side)
            return


def casualties(state: AxisState) -> Procedure:
    """Assess the platoons of both forces; after a concession no platoon has losses (AOA-R29)."""
    if state.report is not None and not state.conceded:
        yield from assess_all(state, state.report)
