"""Calculations in events."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from tests.plugins.axis_attack.cases import (
    Lay,
    adjusts,
    ahead,
    assigns,
    builds,
    changes,
    chooses,
    concession,
    result,
    sky,
)
from tests.plugins.axis_attack.positions import installed
from transcripts import Transcript

from axis_attack.model import events, orders
from axis_attack.model.state import Purchase
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.events import Calculation, Event
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.tabletop.result import ReportBattle

WON = "german won hold_the_line as attacker 5-2"


def calculations_of(event: Any) -> dict[str, Calculation]:
    """Return the calculations of an event by name, and check that names are unique."""
    assert event.calculations is not UNSET, event
    found = {each.name: each for each in event.calculations}
    assert len(found) == len(event.calculations)
    return found


def shown(event: Any) -> str:
    """Return an event and its calculations, one per line: name, steps with rules, total, and row of a table."""
    facts = [str(getattr(event, name)) for name in ("side", "platoon") if getattr(event, name, "")]
    lines = [" ".join([type(event).__name__, *facts])]
    for each in calculations_of(event).values():
        steps = ", ".join(f"{what} {value:+d} [{rule}]" for what, value, rule in each.steps)
        table = f" (row {each.table[1]} of {each.table[0]}: {each.table[2]})" if each.table else ""
        lines.append(f"  {each.name}: {steps} = {each.total}{table}")
    return "\n".join(lines)


def row(name: str, rules: str, kinds: Any, *answers: Any, until: Any = None, **position: Any) -> Any:
    return pytest.param(kinds, answers, until, position, id=name, marks=pytest.mark.rule(*rules.split()))


SELECTED: dict[str, Any] = {
    "at": "selection",
    "last": WON,
    "german": "pg1 pg full; pg2 pg full; cars cars full",
    "balance": (5, 4),
}
HELD: dict[str, Any] = {"at": "selection", "last": "german won breakthrough as defender 5-2", "balance": (5, 4)}
RICH: dict[str, Any] = {"at": "forces", "balance": (0, 9), "mission": "hold_the_line", "attacker": "soviet"}
SHOT = chooses("soviet", "t1 10 cupola=3; t2 10; zis3 4; scouts 7", 2, Purchase("battalion_shoot", 2))
TIRED = "pg1 pg full; pg2 pg full; panzer panzer depleted bought=full"
PLAIN = {"german": "pg1 7; pg2 7"}
LINE: dict[str, Any] = {"at": "battle", "mission": "hold_the_line", "sector": 5}
SELECTION = (events.SelectionRolled, events.MissionSelected)
CHANGED = (events.SelectionRolled, events.TotalAdjusted, events.MissionChanged)


@pytest.mark.rule(
    "AOA-1.01 AOA-1.02 AOA-1.05 AOA-1.14 AOA-10.02 AOA-10.05 AOA-10.07 AOA-10.08 AOA-10.09 AOA-11.02 AOA-11.06"
    " AOA-11.11 AOA-11.12 AOA-12.01 AOA-12.03 AOA-3.02 AOA-3.03 AOA-3.04 AOA-3.17 AOA-5.17 AOA-5.19 AOA-5.23 AOA-6.03"
    " AOA-6.11 AOA-6.14 AOA-7.03 AOA-7.08 AOA-8.01 AOA-8.02 AOA-8.03 AOA-8.04 AOA-8.06 AOA-8.07 AOA-8.10 AOA-8.14"
    " AOA-8.19 AOA-9.02 AOA-R17 AOA-R26"
)
@pytest.mark.parametrize(
    ("kinds", "answers", "until", "position"),
    [
        row(
            "selection", "AOA-8.01 AOA-8.02 AOA-8.03 AOA-8.04 AOA-8.07 AOA-8.14", SELECTION,
            ("german", orders.ClaimRecon(["cars"])), until=orders.PlaceTable, tweak=ahead("cars"),
            dice={"selection:german": "1", "selection:soviet": "5"}, **SELECTED,
        ),
        row(
            "changed_mission", "AOA-8.06 AOA-8.10 AOA-8.19", CHANGED,
            adjusts("german", "german", 1), changes("german", "cauldron"), until=orders.PlaceTable,
            dice={"selection:german": "3", "selection:soviet": "1"}, **HELD,
        ),
        row(
            "starting_force", "AOA-1.01 AOA-1.02 AOA-1.05 AOA-1.14", events.CompanyBuilt,
            builds("soviet", "t1 tankovy 10 cupola=3; t2 tankovy 10"), until=orders.ChooseForce, at="setup.company",
        ),
        row(
            "force", "AOA-3.02 AOA-3.03 AOA-3.04 AOA-3.17 AOA-9.02", events.ForceChosen, SHOT,
            until=ReportBattle, **RICH,
        ),
        row(
            "x11_steady_rain_after_showers", "AOA-6.03 AOA-6.11 AOA-6.14", events.WeatherRolled, until=ReportBattle,
            at="weather", tweak=sky("intermittent_rain", 1), dice={"weather": "5"},
        ),
        row(
            "mud_has_a_limit", "AOA-6.14 AOA-R17", events.WeatherRolled, until=ReportBattle,
            at="weather", tweak=sky("intermittent_rain", 3), dice={"weather": "5"},
        ),
        row(
            "x08_bonus", "AOA-5.17 AOA-5.19 AOA-R26", events.PointsScored, result("german", "5-2"),
            at="battle", points=(1500, 1375),
        ),
        row("x10_concession", "AOA-5.23", events.PointsScored, concession("soviet"), at="battle"),
        row(
            "teams_left", "AOA-10.02 AOA-10.05 AOA-10.07 AOA-10.08 AOA-10.09", events.StrengthAssessed,
            result("german", "5-2", soviet={"t1": "1d 2b 1r 2:1 4:1"}), at="battle",
            forces={**PLAIN, "soviet": "t1 10; t2 10"},
        ),
        row(
            "reinforcement", "AOA-11.02 AOA-11.06 AOA-11.11 AOA-11.12", (events.DiceBought, events.PlatoonReinforced),
            result("german", "5-2"), assigns("german", 1, panzer=5), at="battle", german=TIRED, forces=PLAIN,
            balance=(3, 0), dice={"reinforce:german:panzer": "6+1+1+1+1"},
        ),
        row("front", "AOA-7.03 AOA-7.08", events.FrontMoved, result("german", "5-2"), **LINE),
        row(
            "home_sector", "AOA-12.01", (events.FrontMoved, events.TurnClosed), result("german", "5-2"),
            **(LINE | {"sector": 7}),
        ),
        row(
            "last_turn", "AOA-12.03", (events.FrontMoved, events.TurnClosed), result("german", "5-2"), **LINE, turn=9
        ),
    ],
)  # fmt: skip
def test_events_list_their_calculations(
    lay: Lay, transcript: Transcript, kinds: Any, answers: Any, until: Any, position: dict[str, Any]
) -> None:
    case = lay(**position).play(*answers, until=until)
    transcript("\n".join(shown(each) for each in case.happened() if isinstance(each, kinds)))


def test_reinforcement_roll_names_its_platoon_for_each_die(lay: Lay) -> None:
    dice = {"reinforce:german:panzer": "6+1+1+1+1"}
    case = lay("battle", german=TIRED, forces=PLAIN, balance=(3, 0), dice=dice)
    case.play(result("german", "5-2"), assigns("german", 1, panzer=5))
    (roll,) = [each for each in case.game.records if isinstance(each, RollRecord) and "reinforce" in each.label]
    assert roll.units == ("panzer",) * 5


@pytest.mark.rule("AOA-12.01", "AOA-12.03")
def test_turn_that_does_not_end_the_campaign_has_no_calculation(lay: Lay) -> None:
    assert lay(**LINE).play(result("german", "5-2")).one(events.TurnClosed).calculations is UNSET
    assert lay(**LINE, turn=9).play(result("german", "5-2")).ended() == ("german", "front")


@pytest.mark.rule("AOA-10.16", "AOA-10.17")
def test_lacking_transports_are_hidden_from_the_enemy(lay: Lay) -> None:
    german = "pg1 pg full; pg2 pg full; cycles cycles full transports=4"
    case = lay("selection", last=WON, german=german, tweak=ahead("cycles"))
    case.play(("german", orders.ClaimRecon(["cycles"])), until=orders.PlaceTable)
    assessed = case.one(events.MobilityAssessed)
    assert calculations_of(assessed)["transports.cycles"].steps == (
        ("transports", 4, "AOA-10.16"),
        ("needed", -5, "AOA-10.17"),
    )
    rules = case.game.ruleset
    assert rules.visible(assessed, "german") == assessed
    assert rules.visible(assessed, "soviet") is None


@pytest.mark.rule("AOA-9.17")
def test_force_is_shown_with_calculations_but_without_targets(lay: Lay) -> None:
    case = lay("forces", balance=(0, 9), mission="hold_the_line", attacker="soviet")
    shoot = Purchase("battalion_shoot", 1, (), ("the crossroads",))
    case.play(chooses("soviet", "t1 10; t2 10", 0, shoot), until=ReportBattle)
    chosen = case.events(events.ForceChosen, side="soviet")[0]
    seen = case.game.ruleset.visible(chosen, "german")
    assert isinstance(seen, events.ForceChosen)
    assert (seen.purchase.targets, seen.calculations) == ((), chosen.calculations)
    assert "crossroads" not in repr(chosen.calculations)


@pytest.mark.rule("AOA-3.01", "AOA-5.22", "AOA-8.21")
def test_purposes_of_decisions_name_their_subject(lay: Lay) -> None:
    case = lay("table", last=WON)
    found = []
    for _ in range(40):
        found += [each.purpose for each in case.pending]
        if case.game.is_over or case.expects(ReportBattle):
            break
        case.game.submit(case.answer(case.pending[0]), case.pending[0].seat)
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
"""Functions that return the figures of an event, by the name of their calculation."""


@pytest.mark.rule("AOA-8.01", "AOA-3.01", "AOA-10.09", "AOA-7.01")
@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("mud", ["after_weather_roll", "end_of_turn"])
def test_every_figure_equals_the_total_of_its_calculation(number: int, mud: str) -> None:
    prepared = installed().prepare(options={"mud_timing": mud})
    key = key_from_seed(f"steps/{number}")
    game = prepared.new_game(KeyedDice(key))
    game.play(seat_players(prepared, name_seats(prepared, {}), key))
    happened = [each.event for each in game.records if isinstance(each, EventRecord)]
    for event in happened:
        if type(event) in FIGURES:
            expected, found = FIGURES[type(event)](event), calculations_of(event)
            assert {name: found[name].total for name in expected} == expected, event
            assert all(rule.startswith("AOA-") for each in found.values() for _, _, rule in each.steps)
        if isinstance(event, events.ForceChosen):
            assert event.points <= calculations_of(event)["limit"].total
    closed = [event for event in happened if isinstance(event, events.TurnClosed)]
    assert [event.calculations is UNSET for event in closed] == [True] * (len(closed) - 1) + [False]
