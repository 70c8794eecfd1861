"""Calculations in events."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from tests.plugins.axis_attack.cases import Lay, adjusts, assigns, builds, changes, chooses, concession, result
from tests.plugins.axis_attack.positions import installed

from axis_attack.model import events, orders
from axis_attack.model.state import AxisState, Purchase
from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.events import Calculation, Event
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.tabletop.result import ReportBattle

WON = "german won hold_the_line as attacker 5-2"


def told(event: Any) -> dict[str, Calculation]:
    """Return the calculations of an event by name; no name is there twice."""
    assert event.calculations is not UNSET, event
    found = {each.name: each for each in event.calculations}
    assert len(found) == len(event.calculations)
    return found


@pytest.mark.rule("AOA-8.01", "AOA-8.02", "AOA-8.03", "AOA-8.04", "AOA-8.07", "AOA-8.14")
def test_each_modifier_of_a_selection_has_its_rule(lay: Lay) -> None:
    def ahead(state: AxisState) -> None:
        state.recon_ahead = ["cars"]

    case = lay(
        "selection",
        last=WON,
        german="pg1 pg full; pg2 pg full; cars cars full",
        balance=(5, 4),
        dice={"selection:german": "1", "selection:soviet": "5"},
        tweak=ahead,
    )
    case.play(("german", orders.ClaimRecon(["cars"])), until=orders.PlaceTable)
    rolled = told(case.one(events.SelectionRolled))
    assert rolled["total.german"].steps == (
        ("die", 1, "AOA-8.01"),
        ("points", 5, "AOA-8.02"),
        ("higher_total", 1, "AOA-8.03"),
        ("recon", 1, "AOA-8.04"),
    )
    assert rolled["total.soviet"].steps == (("die", 5, "AOA-8.01"), ("points", 2, "AOA-8.02"))
    assert case.one(events.MissionSelected).calculations == (
        Calculation("total", (("of german", 8, "AOA-8.14"),), ("AOA-8.07", "8 or 9", "encounter")),
    )


@pytest.mark.rule("AOA-8.06", "AOA-8.10", "AOA-8.19")
def test_a_defender_who_won_has_a_modifier_and_may_change_the_total(lay: Lay) -> None:
    case = lay(
        "selection",
        last="german won breakthrough as defender 5-2",
        balance=(5, 4),
        dice={"selection:german": "3", "selection:soviet": "1"},
    )
    case.play(adjusts("german", "german", 1), changes("german", "cauldron"), until=orders.PlaceTable)
    assert ("won_as_defender", -2, "AOA-8.06") in told(case.one(events.SelectionRolled))["total.german"].steps
    adjusted = case.one(events.TotalAdjusted)
    assert told(adjusted)["total.german"].steps == (("rolled", 7, "AOA-8.01"), ("changed", 1, "AOA-8.10"))
    assert told(case.one(events.MissionChanged))["cost"].total == 5


@pytest.mark.rule("AOA-1.01", "AOA-1.02", "AOA-1.05", "AOA-1.14")
def test_a_starting_force_adds_up_platoon_by_platoon(lay: Lay) -> None:
    case = lay("setup.company")
    case.play(builds("soviet", "t1 tankovy 10 cupola=3; t2 tankovy 10"), until=orders.ChooseForce)
    built = case.events(events.CompanyBuilt, side="soviet")[0]
    assert told(built)["points"].steps == (
        ("headquarters", 30, "AOA-1.01"),
        ("t1, 10 teams", 635, "AOA-1.05"),
        ("t1, 3 cupola", 15, "AOA-1.02"),
        ("t2, 10 teams", 635, "AOA-1.05"),
    )
    assert built.points == 1315


@pytest.mark.rule("AOA-3.02", "AOA-3.03", "AOA-3.04", "AOA-3.17", "AOA-9.02")
def test_a_force_tells_its_points_its_limit_and_its_price(lay: Lay) -> None:
    case = lay("forces", balance=(0, 9), mission="hold_the_line", attacker="soviet")
    shoots = Purchase("battalion_shoot", 2)
    case.play(chooses("soviet", "t1 10 cupola=3; t2 10; zis3 4; scouts 7", 2, shoots), until=ReportBattle)
    chosen = case.events(events.ForceChosen, side="soviet")[0]
    sums = told(chosen)
    assert sums["points"].steps[:3] == (
        ("headquarters", 30, "AOA-3.17"),
        ("t1, 10 teams", 635, "AOA-1.05"),
        ("t1, 3 cupola", 15, "AOA-1.02"),
    )
    assert sums["limit"].steps == (
        ("limit of a game", 1500, "AOA-3.02"),
        ("2 victory points, each 75", 150, "AOA-3.04"),
    )
    assert sums["cost"].steps == (("for a higher limit", 2, "AOA-3.03"), ("2 of a battalion shoot", 6, "AOA-9.02"))
    assert chosen.cost == 8


@pytest.mark.rule("AOA-1.01", "AOA-3.01")
def test_an_order_of_another_kind_is_refused_by_a_rule(lay: Lay) -> None:
    case = lay("setup.company")
    with pytest.raises(IllegalOrder) as caught:
        case.decision("german").options.check(orders.Concede())
    assert caught.value.rule == "AOA-1.01"
    case = lay("forces").play(until=orders.ChooseForce)
    with pytest.raises(IllegalOrder) as caught:
        case.decision("german").options.check(orders.Concede())
    assert caught.value.rule == "AOA-3.01"


@pytest.mark.rule("AOA-6.03", "AOA-6.11", "AOA-6.14", "AOA-R17")
@pytest.mark.parametrize(("mud", "cap"), [(1, ()), (3, (("from dry to flood, no further", -1, "AOA-R17"),))])
def test_x11_steady_rain_after_showers(lay: Lay, mud: int, cap: tuple[tuple[str, int, str], ...]) -> None:
    def showers(state: AxisState) -> None:
        state.weather, state.mud = "intermittent_rain", mud

    case = lay("weather", tweak=showers, dice={"weather": "5"}).play(until=ReportBattle)
    assert case.one(events.WeatherRolled).calculations == (
        Calculation("weather", (), ("AOA-6.03", "intermittent_rain", "5")),
        Calculation("mud", (("ground before", mud, "AOA-6.14"), ("steady_rain", 2, "AOA-6.11"), *cap)),
    )


@pytest.mark.rule("AOA-5.17", "AOA-5.19", "AOA-R26")
def test_x08_the_bonus_goes_by_a_row_of_the_table(lay: Lay) -> None:
    case = lay("battle", points=(1500, 1375)).play(result("german", "5-2"))
    scored = told(case.events(events.PointsScored, side="soviet")[0])
    assert scored["difference"] == Calculation(
        "difference",
        (("points of german", 1500, "AOA-R26"), ("points of soviet", -1375, "AOA-R26")),
        ("AOA-5.17", "51 to 150", "1"),
    )
    assert scored["bonus"].steps == (("outnumbered", 1, "AOA-5.19"),)


@pytest.mark.rule("AOA-5.23")
def test_x10_points_of_a_concession(lay: Lay) -> None:
    case = lay("battle").play(concession("soviet"))
    steps = {each.side: told(each)["points"].steps for each in case.events(events.PointsScored)}
    assert steps == {"german": (("the enemy conceded", 6, "AOA-5.23"),), "soviet": (("conceded", 1, "AOA-5.23"),)}


@pytest.mark.rule("AOA-10.02", "AOA-10.05", "AOA-10.07", "AOA-10.08", "AOA-10.09")
def test_teams_are_counted_step_by_step(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7", "soviet": "t1 10; t2 10"})
    case.play(result("german", "5-2", soviet={"t1": "1d 2b 1r 2:1 4:1"}))
    (assessed,) = case.events(events.StrengthAssessed, platoon="t1")
    sums = told(assessed)
    assert sums["teams"].steps == (
        ("fielded", 10, "AOA-10.02"),
        ("destroyed", -1, "AOA-10.02"),
        ("bailed or bogged", -2, "AOA-10.07"),
        ("routed", -1, "AOA-10.08"),
        ("left the table early", -1, "AOA-10.05"),
    )
    assert (assessed.teams, assessed.level) == (5, 2)
    assert (sums["level"].table[0], sums["level"].table[2]) == ("AOA-10.09", "depleted")


@pytest.mark.rule("AOA-11.02", "AOA-11.06", "AOA-11.11", "AOA-11.12")
def test_reinforcement_tells_what_a_die_needs(lay: Lay) -> None:
    case = lay(
        "battle",
        german="pg1 pg full; pg2 pg full; panzer panzer depleted",
        forces={"german": "pg1 7; pg2 7"},
        balance=(3, 0),
        dice={"reinforce:german:panzer": "6+1+1+1+1"},
    )
    case.platoon("panzer").bought = 4
    case.play(result("german", "5-2"), assigns("german", 1, panzer=5))
    bought = case.events(events.DiceBought, side="german")[0]
    assert told(bought)["dice"].steps == (("of the turn", 4, "AOA-11.02"), ("bought", 1, "AOA-11.02"))
    (reinforced,) = case.events(events.PlatoonReinforced)
    assert told(reinforced)["needs"].steps[-1] == ("tanks only", 1, "AOA-11.12")
    assert told(reinforced)["level"].steps[1][0] == "raised"
    (roll,) = [each for each in case.game.records if isinstance(each, RollRecord) and "reinforce" in each.label]
    assert roll.units == ("panzer",) * 5


@pytest.mark.rule("AOA-7.03", "AOA-7.08", "AOA-12.01")
def test_the_front_tells_the_cell_and_the_end_its_condition(lay: Lay) -> None:
    case = lay("battle", mission="hold_the_line", sector=5).play(result("german", "5-2"))
    assert case.one(events.FrontMoved).calculations == (
        Calculation("result", (), ("AOA-7.08", "hold_the_line", "attacker")),
        Calculation("sector", (("sector", 5, "AOA-7.01"), ("advance", 1, "AOA-7.03"))),
    )
    assert case.one(events.TurnClosed).calculations is UNSET
    last = lay("battle", mission="hold_the_line", sector=7).play(result("german", "5-2"))
    assert told(last.one(events.TurnClosed))["home"].steps[0][1:] == (7, "AOA-12.01")


@pytest.mark.rule("AOA-12.03")
def test_after_the_last_turn_the_distance_of_the_front_decides(lay: Lay) -> None:
    case = lay("battle", mission="hold_the_line", sector=5, turn=9).play(result("german", "5-2"))
    assert case.ended() == ("german", "front")
    closed = told(case.one(events.TurnClosed))
    assert {name: each.total for name, each in closed.items()} == {"distance.german": 1, "distance.soviet": 5}


@pytest.mark.rule("AOA-10.16", "AOA-10.17")
def test_transports_that_are_lacking_are_the_owners_secret(lay: Lay) -> None:
    def ahead(state: AxisState) -> None:
        state.recon_ahead = ["cycles"]

    case = lay("selection", last=WON, german="pg1 pg full; pg2 pg full; cycles cycles full transports=4", tweak=ahead)
    case.play(("german", orders.ClaimRecon(["cycles"])), until=orders.PlaceTable)
    assessed = case.one(events.MobilityAssessed)
    assert told(assessed)["transports.cycles"].steps == (("transports", 4, "AOA-10.16"), ("needed", -5, "AOA-10.17"))
    rules = case.game.ruleset
    assert rules.visible(assessed, "german") == assessed
    assert rules.visible(assessed, "soviet") is None


@pytest.mark.rule("AOA-9.17")
def test_a_force_is_seen_with_its_sums_but_without_targets(lay: Lay) -> None:
    case = lay("forces", balance=(0, 9), mission="hold_the_line", attacker="soviet")
    shoot = Purchase("battalion_shoot", 1, (), ("the crossroads",))
    case.play(chooses("soviet", "t1 10; t2 10", 0, shoot), until=ReportBattle)
    chosen = case.events(events.ForceChosen, side="soviet")[0]
    seen = case.game.ruleset.visible(chosen, "german")
    assert isinstance(seen, events.ForceChosen)
    assert (seen.purchase.targets, seen.calculations) == ((), chosen.calculations)
    assert "crossroads" not in repr(chosen.calculations)


@pytest.mark.rule("AOA-3.01", "AOA-5.22", "AOA-8.21")
def test_questions_name_what_they_are_about(lay: Lay) -> None:
    case = lay("table", last=WON)
    found = []
    for _ in range(40):
        found += [each.purpose for each in case.asked]
        if case.game.is_over or case.asks(ReportBattle):
            break
        case.game.submit(case.answer(case.asked[0]), case.asked[0].seat)
    assert found[0] == "place_table.4.german"
    mission = case.state.mission
    assert {f"concede.{mission}.soviet", f"force.{mission}.german", "concede.forces.german"} <= {*found}
    assert found[-1] == f"report.4.{mission}.german"


FIGURES: dict[type[Event], Callable[[Any], dict[str, int]]] = {
    events.CompanyBuilt: lambda it: {"points": it.points},
    events.SelectionRolled: lambda it: {f"total.{side}": total for side, total in it.totals.items()},
    events.TotalAdjusted: lambda it: {f"total.{it.of}": it.totals[it.of]},
    events.MissionChanged: lambda it: {"cost": it.cost},
    events.TableShifted: lambda it: {"cost": it.cost},
    events.ForceChosen: lambda it: {"points": it.points, "cost": it.cost},
    events.WeatherRolled: lambda it: {"mud": it.mud},
    events.PointsScored: lambda it: {"points": it.points, **({"bonus": it.bonus} if it.bonus else {})},
    events.StrengthAssessed: lambda it: {"teams": it.teams, "level": it.level},
    events.FrontMoved: lambda it: {"sector": it.sector},
    events.DiceBought: lambda it: {"dice": it.dice},
    events.PlatoonRaised: lambda it: {"dice": it.dice},
    events.PlatoonReinforced: lambda it: {"needs": it.needs, "level": it.level},
    events.PlatoonExchanged: lambda it: {"cost": it.cost},
    events.GroundChanged: lambda it: {"mud": it.mud},
}
"""The figures of an event, by the name of their calculation."""


@pytest.mark.rule("AOA-8.01", "AOA-3.01", "AOA-10.09", "AOA-7.01")
@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("mud", ["after_weather_roll", "end_of_turn"])
def test_every_figure_of_a_campaign_is_the_total_of_its_steps(number: int, mud: str) -> None:
    prepared = installed().prepare(options={"mud_timing": mud})
    key = key_from_seed(f"steps/{number}")
    game = prepared.new_game(KeyedDice(key))
    game.play(seat_players(prepared, name_seats(prepared, {}), key))
    happened = [each.event for each in game.records if isinstance(each, EventRecord)]
    for event in happened:
        if type(event) in FIGURES:
            expected, found = FIGURES[type(event)](event), told(event)
            assert {name: found[name].total for name in expected} == expected, event
            assert all(rule.startswith("AOA-") for each in found.values() for _, _, rule in each.steps)
        if isinstance(event, events.ForceChosen):
            assert event.points <= told(event)["limit"].total
    closed = [event for event in happened if isinstance(event, events.TurnClosed)]
    assert [event.calculations is UNSET for event in closed] == [True] * (len(closed) - 1) + [False]
