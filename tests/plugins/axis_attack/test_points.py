"""Victory points: of the game, for the outnumbered, and of a conceded one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.axis_attack.cases import concedes, concession, result

from axis_attack.battle.briefs import band_titles
from axis_attack.model import orders
from axis_attack.model.events import BattleFought, GameConceded, PointsScored
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.result import Attrition, PlatoonLosses, ReportBattle, Result

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay


@pytest.mark.rule("AOA-5.16", "AOA-R04")
@pytest.mark.parametrize(
    ("winner", "score", "balance"), [("german", "6-1", (9, 5)), ("soviet", "5-2", (5, 9)), ("german", "4-3", (7, 7))]
)
def test_points_are_added_to_what_is_there(lay: Lay, winner: str, score: str, balance: tuple[int, int]) -> None:
    case = lay("battle", balance=(3, 4)).play(result(winner, score))
    assert case.balance() == balance
    assert case.state.earned == {"german": balance[0], "soviet": balance[1]}


@pytest.mark.rule("AOA-5.17", "AOA-5.18", "AOA-5.19", "AOA-5.20", "AOA-5.21", "AOA-R26", "AOA-R27")
@pytest.mark.parametrize(
    ("difference", "bonus"), [(0, 0), (50, 0), (51, 1), (150, 1), (151, 2), (299, 2), (300, 2), (301, 3), (725, 3)]
)
@pytest.mark.parametrize("low", ["german", "soviet"])
def test_fewer_points_on_the_table_bring_a_bonus(lay: Lay, difference: int, bonus: int, low: str) -> None:
    points = (1725 - difference, 1725) if low == "german" else (1725, 1725 - difference)
    case = lay("battle", points=points).play(result("german", "5-2"))
    assert case.balance() == ((5 + bonus, 2) if low == "german" else (5, 2 + bonus))
    assert case.state.raw == {"german": 5, "soviet": 2}
    assert case.one(PointsScored, side=low).bonus == bonus


@pytest.mark.rule("AOA-5.22", "AOA-R28")
@pytest.mark.parametrize("side", ["german", "soviet"])
def test_a_player_may_concede_before_deployment(lay: Lay, side: str) -> None:
    case = lay("forces", mission="hold_the_line").play(concedes(side))
    assert case.one(GameConceded).side == side
    assert case.balance() == ((1, 6) if side == "german" else (6, 1))
    assert case.state.track[-1].conceded == side


@pytest.mark.rule("AOA-R28")
def test_also_when_forces_are_known(lay: Lay) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    case.game.submit(case.answer(case.decision("german")), "german")
    case.game.submit(case.answer(case.decision("soviet")), "soviet")
    assert case.asks(orders.Concede) or case.asks(ReportBattle)
    case.play(*([concedes("soviet")] if case.asks(orders.Concede) else [concession("soviet")]))
    assert case.state.track[-1].conceded == "soviet"


@pytest.mark.rule("AOA-5.23", "AOA-5.24")
@pytest.mark.parametrize("points", [(1500, 1100), (1100, 1500)])
def test_who_concedes_gets_one_point_and_no_bonus(lay: Lay, points: tuple[int, int]) -> None:
    case = lay("battle", points=points).play(concession("soviet"))
    assert case.balance()[1] == 1
    assert case.state.raw == {"german": 6, "soviet": 1}


@pytest.mark.rule("AOA-R29")
def test_nobody_is_lost_in_a_game_that_was_conceded(lay: Lay) -> None:
    german = "pg1 pg full; pg2 pg full; cars cars depleted"
    case = lay("forces", german=german, mission="hold_the_line").play(concedes("german"))
    assert case.level("pg1", "pg2", "cars") == "full strength, full strength, depleted"


@pytest.mark.rule("AOA-R31")
@pytest.mark.parametrize(
    ("losses", "score"), [({}, "1-1"), ({"scouts": "7d"}, "2-1"), ({"scouts": "7d", "t1": "7d", "s1": "13d"}, "3-1")]
)
def test_a_draw_scores_by_the_platoons_that_the_enemy_lost(lay: Lay, losses: dict[str, str], score: str) -> None:
    case = lay("battle").play(result("draw", score, soviet=losses))
    assert case.balance() == tuple(map(int, score.split("-")))


# --- a result is checked ---


def report(brief: Brief, **platoon: Any) -> ReportBattle:
    return ReportBattle(
        brief.id, Result("german", {"german": 6, "soviet": 1}, {"german": {"pg1": PlatoonLosses(**platoon)}})
    )


@pytest.mark.rule("AOA-5.16")
def test_more_losses_than_teams_are_refused(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7"}).play(until=ReportBattle)
    brief = case.brief()
    rule = case.rejects(("umpire", report(brief, destroyed=8)))
    assert rule.startswith("AOA-")
    assert case.rejects(("umpire", report(brief, destroyed=4, bailed=4))) == rule
    assert case.rejects(("umpire", report(brief, transports=5))) == rule
    assert case.allows(("umpire", report(brief, destroyed=4, bailed=3, transports=4)))


@pytest.mark.rule("AOA-5.16")
@pytest.mark.parametrize(
    "points", [{"german": 7, "soviet": 0}, {"german": 1, "soviet": 6}, {"german": 5, "soviet": 1}, {}]
)
def test_points_are_those_of_the_tabletop(lay: Lay, points: dict[str, int]) -> None:
    case = lay("battle").play(until=ReportBattle)
    assert case.rejects(("umpire", ReportBattle(case.brief().id, Result("german", points)))) == "AOA-5.16"


@pytest.mark.rule("AOA-10.01")
def test_losses_are_told_platoon_by_platoon(lay: Lay) -> None:
    """Attrition in short says nothing of levels."""
    case = lay("battle").play(until=ReportBattle)
    brief = case.brief()
    parent = brief.parties["german"].companies[0].parent
    short = Result("german", {"german": 6, "soviet": 1}, short={"german": {parent: Attrition(0, 3)}})
    assert case.rejects(("umpire", ReportBattle(brief.id, short))) == "AOA-10.01"


@pytest.mark.rule("AOA-R31", "AOA-R34")
def test_only_a_fair_fight_is_drawn(lay: Lay) -> None:
    case = lay("battle", mission="hold_the_line").play(until=ReportBattle)
    assert case.why_not(("umpire", ReportBattle(case.brief().id, Result("draw", {"german": 1, "soviet": 1}))))


@pytest.mark.rule("AOA-8.04")
def test_only_the_winners_recon_platoons_are_ahead(lay: Lay) -> None:
    case = lay("battle").play(until=ReportBattle)
    brief = case.brief()
    for wrong in (("scouts",), ("pg1",)):
        assert (
            case.why_not(
                ("umpire", ReportBattle(brief.id, Result("german", {"german": 6, "soviet": 1}, recon_ahead=wrong)))
            )
            == "AOA-8.04"
        )
    case.play(result("german", "6-1", recon="cars"))
    assert case.state.recon_ahead == ["cars"]


@pytest.mark.rule("AOA-5.16")
def test_a_result_may_come_from_another_ruleset(lay: Lay) -> None:
    case = lay("battle").play(result("german", "6-1", source="kampfpanzer", battle="0123456789abcdef" * 4))
    assert case.one(BattleFought).result.source == "kampfpanzer"


@pytest.mark.rule("AOA-5.17", "AOA-R27")
def test_the_table_of_bonuses_is_headed_by_its_differences() -> None:
    assert band_titles() == ("up to 50", "51 to 150", "151 to 300", "301 or more")
