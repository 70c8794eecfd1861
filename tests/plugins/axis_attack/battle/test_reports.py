"""Results of the tabletop: accepted and refused."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay, result

from axis_attack.model.events import BattleFought
from sandtable.kernel.dice import Stream
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.result import Attrition, PlatoonLosses, ReportBattle, Result


@pytest.mark.rule("AOA-10.01")
def test_summed_losses_are_refused_and_never_drawn(lay: Lay) -> None:
    case = lay("battle").play(until=ReportBattle)
    space = results_in(case.pending[0].options)
    assert space is not None
    brief = space.brief
    short = {"german": {brief.parties["german"].companies[0].parent: Attrition(1, 1)}}
    refusal = space.why_not(result("german", "6-1", short=short)(brief))
    assert refusal is not None
    assert refusal.rule == case.rejects(("umpire", ReportBattle(brief.id, result("german", "6-1", short=short)(brief))))
    assert refusal.rule == "AOA-10.01"
    assert "platoon by platoon" in refusal.reason
    stream = Stream(bytes(32))
    drawn = [space.sample(stream) for _ in range(300)]
    assert all(space.is_legal(each) and not each.short for each in drawn)
    assert any(each.conceded for each in drawn)
    assert all(not each.short for each in space.values())


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
def test_points_must_fit_the_tabletop_rules(lay: Lay, points: dict[str, int]) -> None:
    case = lay("battle").play(until=ReportBattle)
    assert case.rejects(("umpire", ReportBattle(case.brief().id, Result("german", points)))) == "AOA-5.16"


@pytest.mark.rule("AOA-R31", "AOA-R34")
def test_only_a_fair_fight_may_be_a_draw(lay: Lay) -> None:
    case = lay("battle", mission="hold_the_line").play(until=ReportBattle)
    assert case.why_not(("umpire", ReportBattle(case.brief().id, Result("draw", {"german": 1, "soviet": 1}))))


@pytest.mark.rule("AOA-8.04")
def test_only_the_winners_recon_platoons_may_be_ahead(lay: Lay) -> None:
    case = lay("battle").play(until=ReportBattle)
    brief = case.brief()
    for wrong in (("scouts",), ("pg1",)):
        won = Result("german", {"german": 6, "soviet": 1}, recon_ahead=wrong)
        assert case.why_not(("umpire", ReportBattle(brief.id, won))) == "AOA-8.04"
    case.play(result("german", "6-1", recon="cars"))
    assert case.state.recon_ahead == ["cars"]


@pytest.mark.rule("AOA-5.16")
def test_a_result_may_come_from_another_ruleset(lay: Lay) -> None:
    case = lay("battle").play(result("german", "6-1", source="kampfpanzer", battle="0123456789abcdef" * 4))
    assert case.one(BattleFought).result.source == "kampfpanzer"
