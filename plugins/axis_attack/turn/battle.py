"""The battle: a brief goes to the umpire, a result comes back, points are counted (AOA-3.17, AOA-5.16 to AOA-5.25)."""

from msgspec.structs import replace

from axis_attack.battle.briefs import brief_of
from axis_attack.battle.points import CONCEDED, score
from axis_attack.battle.reports import report_space
from axis_attack.model.cards import DEPLETED, ENEMY
from axis_attack.model.events import BattleBriefed, BattleFought, GameConceded
from axis_attack.model.roster import kind_of
from axis_attack.model.state import AxisState
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.sequence import Procedure
from sandtable.rules.tabletop.result import ReportBattle, Result


def battle(state: AxisState) -> Procedure:
    """Have the game fought, unless a side conceded it; then give the points."""
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
    order: ReportBattle = yield Decision(UMPIRE, prompt, report_space(brief), "AOA-5.16", secret=True)
    result = order.result
    if result.conceded:
        yield GameConceded(result.conceded)
        result = _won_by_concession(state, result)
    yield BattleFought(result)
    return result


def _won_by_concession(state: AxisState, result: Result) -> Result:
    """Return a concession as a result: the points (AOA-5.23), and all the winner's recon platoons ahead (AOA-5.25)."""
    winner, roster = result.winner, state.rosters[result.winner]
    recon = tuple(each for each in roster if kind_of(state, winner, each).recon and roster[each].level >= DEPLETED)
    return replace(result, points=dict(zip((winner, ENEMY[winner]), CONCEDED, strict=True)), recon_ahead=recon)
