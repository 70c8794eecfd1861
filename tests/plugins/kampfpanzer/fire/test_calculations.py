"""How figures came about: worked cases, and in games at random every figure is the total of its steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import UNSET
from tests.plugins.kampfpanzer.cases import back, counter, group, target
from tests.plugins.kampfpanzer.movement.test_opportunity_fire import TIE, TIE_PLOTS
from tests.plugins.kampfpanzer.test_properties import melee

from kampfpanzer.model.events import (
    ContestDecided,
    CounterattackResolved,
    FireResolved,
    FireTriggered,
    FireWithheld,
    OverrunResolved,
    PanicPlotted,
    PanicRolled,
    RecoveryRolled,
    ResultsApplied,
    TurnCleared,
    UnitDestroyed,
    UnitsExited,
    UnitShelled,
    UnitsMoved,
)
from kampfpanzer.model.orders import Counterattack, HandInPlots
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.events import Calculation, Event
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.players.players import name_seats, seat_players

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay, Prepare, Stage


def told(event: Any) -> dict[str, Calculation]:
    """Return the calculations of an event by name; no name is there twice."""
    assert event.calculations is not UNSET, event
    found = {each.name: each for each in event.calculations}
    assert len(found) == len(event.calculations)
    return found


# --- fire ---


@pytest.mark.rule("KP-9.18a", "KP-10.0i", "KP-10.0j", "KP-9.7c", "KP-9.11c", "KP-9.0e", "KP-3.24a", "KP-3.24b")
def test_the_range_of_each_firer_and_the_slope_are_told(lay: Lay) -> None:
    case = lay(
        germans="107 0807; 108 0806",
        french="1 0808",
        slope="0808",
        crest_sides="0807/0808",
        dice={"fire:0808:1": "1"},
    )
    asked = [] if case.why_not("107 N 0808; 108 N 0808") else [group("germans", "107 108")]
    shot = case.turn(*asked, germans="107 N 0808; 108 N 0808").one(FireResolved)
    assert (shot.strengths, shot.defence, shot.superiority, shot.result) == ([10, 5], 7, 8, "D4")
    assert told(shot) == {
        "strength.107": Calculation("strength.107", (("attack strength", 5, "KP-3.24a"), ("range 1", 5, "KP-9.18a"))),
        "strength.108": Calculation("strength.108", (("attack strength", 5, "KP-3.24a"),)),
        "defence": Calculation("defence", (("1", 4, "KP-3.24b"), ("slope", 3, "KP-10.0j"))),
        "superiority": Calculation(
            "superiority",
            (("107", 10, "KP-9.11c"), ("108", 5, "KP-9.11c"), ("defence", -7, "KP-9.0e")),
            ("KP-9.7a", "1", "+8"),
        ),
    }


@pytest.mark.rule("KP-9.7c")
def test_what_is_beyond_the_last_column_is_taken_off(lay: Lay) -> None:
    case = lay(french="29 0808", germans="19 0807", dice={"fire:0808:29": "6"})
    shot = case.turn(germans="19 N 0808").one(FireResolved)
    steps = told(shot)["superiority"].steps
    assert steps[-1] == ("beyond the last column", -11, "KP-9.7c")
    assert told(shot)["strength.19"].steps == (
        ("attack strength", 6, "KP-3.24a"),
        ("range 1", 6, "KP-9.18a"),
        ("mixed weapon at soft targets: doubled", 12, "KP-9.51d"),
    )


@pytest.mark.rule("KP-10.2a", "KP-10.2b", "KP-10.0c")
def test_woods_are_one_step_for_all_targets(lay: Lay) -> None:
    case = lay(
        french="29 0808; 38 0808 A", germans="102 0806; 103 0706; 104 0906", woods="0808", dice={"fire:0808:*": "6"}
    )
    shot = case.turn(germans="102 N 0808; 103 N 0808; 104 N 0808").one(FireResolved)
    defence = told(shot)["defence"]
    assert [(what, rule) for what, _, rule in defence.steps] == [
        ("29", "KP-3.24b"),
        ("38", "KP-3.24b"),
        ("woods", "KP-10.0c"),
    ]
    assert defence.total == shot.defence == 11


@pytest.mark.rule("R-KP-72", "KP-13.0d")
@pytest.mark.parametrize(
    ("option", "cover"),
    [
        ("once", [("entrenchment", 4, "KP-13.0d")]),
        ("per_unit", [("entrenchment", 4, "KP-13.0d"), ("entrenchment, for each unit", 4, "R-KP-72")]),
    ],
)
def test_an_entrenchment_counts_once_or_for_each(lay: Lay, option: str, cover: list[tuple[str, int, str]]) -> None:
    case = lay(
        french="29 0808 entrenched; 38 0808 A",
        germans="105 0806; 106 0706; 107 0906",
        dice={"fire:0808:*": "6"},
        entrench_combined=option,
    )
    asked = [group("germans", "105 106 107")] if option == "once" else []
    case.turn(*asked, germans="105 N 0808; 106 N 0808; 107 N 0808")
    defence = told(case.one(FireResolved))["defence"]
    assert list(defence.steps[2:]) == cover


@pytest.mark.rule("KP-9.7b")
def test_fire_that_is_withheld_tells_its_sum_and_no_cell(lay: Lay) -> None:
    withheld = lay(french="6 0802", germans="52 0810").turn(french="6 N 0810").one(FireWithheld)
    sums = told(withheld)
    assert (sums["superiority"].total, sums["superiority"].table) == (withheld.superiority, ())
    assert ("range 8", -1, "KP-9.18a") in sums["strength.6"].steps


@pytest.mark.rule("KP-9.37d", "R-KP-48", "KP-9.39b")
def test_a_six_in_woods_stays_a_six(lay: Lay) -> None:
    case = lay(french="39 0820 A", germans="112 0808", woods="0808", dice={"shell:112:39": "6"})
    hit = case.turn(french="39 T 0808", germans="112 P 0815").one(UnitShelled)
    assert hit.calculations == (
        Calculation(
            "die",
            (("die", 6, "KP-9.34a"), ("woods or town", 1, "KP-9.37d"), ("6 is the highest", -1, "R-KP-48")),
            ("KP-9.39b", "6", "static"),
        ),
    )


@pytest.mark.rule("KP-9.37c", "KP-13.23a", "KP-9.39a")
@pytest.mark.parametrize(("place", "woods", "rule"), [("", "0808", "KP-9.37c"), (" entrenched", "", "KP-13.23a")])
def test_loose_fire_tells_why_who_stays_counts_as_moving(lay: Lay, place: str, woods: str, rule: str) -> None:
    case = lay(
        french="39 0820 A",
        germans=f"112 0808{place}",
        **({"woods": woods} if woods else {}),
        dice={"shell:112:39": "3"},
    )
    hit = case.turn(french="39 L 0808").one(UnitShelled)
    (die,) = told(hit).values()
    assert die.steps[-1] == ("as if moving, for its cover", 0, rule)
    assert die.table == ("KP-9.39a", "3", "moving")


# --- overruns ---


@pytest.mark.rule("KP-9.63a", "KP-9.64a", "KP-9.68b", "KP-9.69a", "KP-13.22a")
def test_entrenched_units_count_double_against_an_overrun(lay: Lay) -> None:
    dice = {"overrun:0808": "6", "counter:29": "6", "counter:38": "6"}
    case = lay(french="29 0808 entrenched; 38 0808 A", germans="94 0806", dice=dice)
    case.turn(counter("french", "94"), counter("french", "94"), germans="94 D1 VD")
    overrun = case.one(OverrunResolved)
    assert overrun.calculations == (
        Calculation("attackers", (("94", 1, "KP-9.63a"),)),
        Calculation(
            "counted",
            (("29", 1, "KP-9.63a"), ("38", 1, "KP-9.63a"), ("entrenched: each counts as two", 2, "KP-9.64a")),
            ("KP-9.69a", "4", "1"),
        ),
        Calculation("superiority", (("by the numbers", -2, "KP-9.63a"),), ("KP-9.7a", "6", "-2")),
    )
    blows = case.events(CounterattackResolved)
    assert [told(each)["superiority"].table for each in blows] == [("KP-9.7a", "6", "-2")] * 2
    units = {
        record.label.split("/")[-2]: record.units for record in case.game.records if isinstance(record, RollRecord)
    }
    assert (units["overrun:0808"], units["counter:38"]) == (("94",), ("38",))


# --- movement ---


@pytest.mark.rule("KP-10.0a", "KP-10.0c", "KP-10.0g", "KP-5.1d", "KP-6.0c")
def test_each_step_tells_what_it_cost(lay: Lay) -> None:
    case = lay(french="1 0808", woods="0806", road="0805 0804")
    case.turn(french="1 A1 S1 A1 A2")
    paid = [told(each)["spent.1"].steps for each in case.events(UnitsMoved)]
    assert paid == [
        (("clear", 2, "KP-10.0a"),),
        (("before", 2, "KP-6.0c"), ("halt", 2, "KP-5.1d"), ("woods", 6, "KP-10.0c")),
        (("before", 10, "KP-6.0c"), ("clear", 2, "KP-10.0a")),
        (("before", 12, "KP-6.0c"), ("road", 1, "KP-10.0g")),
    ]
    assert [each.tick for each in case.events(UnitsMoved)] == [2, 10, 12, 13]


@pytest.mark.rule("KP-9.6d")
@pytest.mark.parametrize(("option", "before"), [("in_target_hex", False), ("before_entry", True)])
def test_an_overrun_tells_its_two_points(lay: Lay, option: str, before: bool) -> None:
    case = lay(french="29 0808", germans="94 0806", dice={"overrun:0808": "6"}, overrun_points_timing=option)
    case.turn(germans="94 D1 VD")
    extra = [("overrun", 4, "KP-9.6d") in told(each)["spent.94"].steps for each in case.events(UnitsMoved)]
    assert extra == [False, before, not before]


# --- results, recovery, panic ---


@pytest.mark.rule("KP-9.71d")
@pytest.mark.parametrize(("before", "die", "level"), [("", 4, 1), (" D1", 4, 2), (" D3", 4, 4)])
def test_a_new_level_is_the_old_one_and_the_results(lay: Lay, before: str, die: int, level: int) -> None:
    case = lay(french="1 0804", germans=f"94 0808{before}", dice={"fire:0808:94": str(die)})
    case.turn(french="1 N 0808")
    event = case.one(UnitDestroyed if level == 4 else ResultsApplied)
    had = (("disruption before", int(before[-1]), "KP-9.71d"),) if before else ()
    assert told(event)["level.94"].steps == (*had, ("pending results", 1, "KP-9.71d"))


@pytest.mark.rule("KP-9.71b", "KP-9.72b", "R-KP-59")
@pytest.mark.parametrize(("option", "gone", "rule"), [("full", -2, "KP-9.72b"), ("one_level", -1, "R-KP-59")])
def test_recovery_tells_what_the_die_had_to_show(lay: Lay, option: str, gone: int, rule: str) -> None:
    case = lay(french="1 0804 D2", dice={"recovery:1": "2"}, recovery=option)
    rolled = case.turn().one(RecoveryRolled)
    assert rolled.calculations == (
        Calculation(
            "after", (("disruption before", 2, "KP-9.71d"), ("recovery", gone, rule)), ("KP-9.71b", "D2", "1-2")
        ),
    )


# --- the end, and what is refused ---


@pytest.mark.rule("KP-14.6.4")
def test_what_decides_the_game_is_counted_as_it_ends(stage: Stage) -> None:
    case = stage("hannut", turn=10, french="1 1610; 2 0101", germans="")
    case.turn()
    assert case.state.outcome == "french"
    last = case.one(TurnCleared)
    assert last.calculations == (
        Calculation("undisrupted.french", (("1", 1, "KP-14.6.4"),)),
        Calculation("undisrupted.germans"),
    )


@pytest.mark.rule("R-KP-93", "R-KP-94")
@pytest.mark.parametrize(
    ("bids", "side", "units", "rule"),
    [
        ({"bid_first": "2"}, "nationalists", 2, "R-KP-93"),
        ({"bid_first": "1"}, "nationalists", 1, "R-KP-93"),
        ({"bid_second": "1"}, "republicans", 1, "R-KP-94"),
    ],
)
def test_a_bid_is_counted_for_the_side_it_favours(
    stage: Stage, bids: dict[str, str], side: str, units: int, rule: str
) -> None:
    case = stage("spain", nationalists="26 2138", republicans="63 2340; 72 2341", turn=10, **bids)
    found = told(case.turn().one(TurnCleared))
    assert found[f"bid.{side}"] == Calculation(f"bid.{side}", (("the bid", units, rule),))
    assert [name for name in found if name.startswith("bid.")] == [f"bid.{side}"]


@pytest.mark.rule("KP-14.3.4")
def test_what_is_needed_is_as_many_as_the_enemy_so_many_times(stage: Stage) -> None:
    case = stage("bain_tsagan", russians="81 0938", japanese="130 0939", turn=16)
    needed = told(case.turn().one(TurnCleared))["needed.russians"]
    assert [told for told, _, _ in needed.steps] == ["as many as the enemy, time 1", "as many as the enemy, time 2"]


@pytest.mark.rule("KP-4.0b")
def test_an_order_of_another_phase_is_refused_by_the_rule_of_phases(lay: Lay) -> None:
    case = lay(french="1 0804; 2 0904", germans="94 0806", dice={"fire:*": "6"})
    assert case.refuses("french", Counterattack("94")) == "KP-4.0b"
    case.upto(french="1 N 0806; 2 N 0806")
    assert case.refuses("french", HandInPlots({"1": "D1"})) == "KP-4.0b"
    case.answer(group("french", "1 2"))


# --- races ---


@pytest.mark.rule("KP-6.4c", "KP-6.4d", "R-KP-13")
def test_a_race_tells_what_both_sides_went_by(lay: Lay) -> None:
    case = lay(french="29 0807; 30 0506", germans="112 0809; 138 0308", dice={"contest:0808:*": "5 2"})
    case.turn(french="29 D1", germans="112 A1")
    assert told(case.one(ContestDecided)) == {
        "hexes.29": Calculation("hexes.29", (("hexes entered", 0, "KP-6.4c"),)),
        "allowance.29": Calculation("allowance.29", (("movement allowance", 1, "KP-6.4d"),)),
        "hexes.112": Calculation("hexes.112", (("hexes entered", 0, "KP-6.4c"),)),
        "allowance.112": Calculation("allowance.112", (("movement allowance", 1, "KP-6.4d"),)),
    }


@pytest.mark.rule("KP-9.22b", "KP-9.22c")
def test_the_first_to_pass_is_told_by_points_and_range(lay: Lay) -> None:
    case = lay(french="35 0803 D", germans="94 0707; 95 0907", dice={"fire:*": "1"})
    case.turn(french="35 P 0808", germans="94 C2; 95 S1 E2")
    fired = case.one(FireTriggered)
    assert fired.target == "94"
    assert fired.calculations == (
        Calculation("spent", (("half points", fired.tick, "KP-9.22b"),)),
        Calculation("range.35", (("hexes", 4, "KP-9.22c"),)),
    )


# --- what questions are called ---


@pytest.mark.rule("KP-9.11a", "KP-14.0a", "KP-4.1a")
def test_questions_name_what_they_are_about(lay: Lay, prepare: Prepare) -> None:
    case = lay(french="1 0804; 2 0904", germans="94 0806", dice={"fire:*": "6"})
    assert [each.purpose for each in case.game.waiting()] == ["plots.french", "plots.germans"]
    case.upto(french="1 N 0806; 2 N 0806")
    assert case.asked.purpose == "group.0806.94:1.2"
    case.answer(group("french", "1 2"))
    game = prepare("hannut").new_game(KeyedDice(key_from_seed("0")))
    game.start()
    assert game.waiting()[0].purpose == "deploy.french"


@pytest.mark.rule("KP-9.68a")
def test_a_counterattack_names_the_unit_and_who_comes(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0806", dice={"overrun:0808": "6"})
    case.upto(germans="94 D1 VD")
    assert case.asked.purpose == "counterattack.29:94"
    case.answer()


@pytest.mark.rule("R-KP-15")
def test_a_unit_to_go_back_is_asked_for_by_hex(lay: Lay) -> None:
    case = lay(french="29 0908", germans="94 0706; 95 0804", end_overstack="owner_chooses")
    case.upto(germans="94 C1 D2; 95 D5")
    assert case.asked.purpose == f"back_up.{case.at('94')}.94.95"
    case.answer(back("germans", "94"))


@pytest.mark.rule("R-KP-23", "R-KP-36")
@pytest.mark.parametrize(("option", "purpose"), [("end_of_phase_a", "target.35"), ("lazy", "target")])
def test_who_fires_is_not_named_before_his_plot_is_shown(lay: Lay, option: str, purpose: str) -> None:
    case = lay(**TIE, dice={"fire:*": "1"}, reveal_plots=option)
    case.upto(**TIE_PLOTS)
    assert case.asked.purpose == purpose
    case.answer(target("french", "94"))


@pytest.mark.rule("R-KP-23", "KP-9.37c")
@pytest.mark.parametrize("plot", ["", "112 D1"])
def test_cover_does_not_tell_whether_a_unit_was_to_move(lay: Lay, plot: str) -> None:
    dice = {"shell:112:39": "6 6" if plot else "6"}
    case = lay(french="39 0820 A", germans="112 0808", woods="0808", dice=dice, reveal_plots="lazy")
    case.turn(french="39 L 0808", germans=plot)
    assert told(case.events(UnitShelled)[0])["die"].steps[-1] == ("as if moving, for its cover", 0, "KP-9.37c")


# --- in every game ---


def spent(event: UnitsMoved | UnitsExited, units: dict[str, str]) -> dict[str, int]:
    """Return the half points by group of units; each unit is in one group."""
    groups = list(told(event))
    assert sorted(".".join(groups).split(".")) == sorted([*units, *["spent"] * len(groups)])
    return dict.fromkeys(groups, event.tick)


FIGURES: dict[type[Event], Callable[[Any], dict[str, int]]] = {
    FireResolved: lambda it: {
        "superiority": it.superiority,
        "defence": it.defence,
        **{f"strength.{each}": n for each, n in zip(it.firers, it.strengths, strict=True)},
    },
    FireWithheld: lambda it: {"superiority": it.superiority},
    UnitShelled: lambda it: {"die": min(it.die + it.added, 6)},
    OverrunResolved: lambda it: {
        "attackers": len(it.attackers),
        "counted": it.counted,
        "superiority": it.superiority,
    },
    CounterattackResolved: lambda it: {"superiority": it.superiority},
    RecoveryRolled: lambda it: {"after": it.after},
    ResultsApplied: lambda it: {f"level.{each}": level for each, level in it.disruption.items()},
    PanicPlotted: lambda it: {"points": it.points},
    UnitsMoved: lambda it: spent(it, it.hexes),
    UnitsExited: lambda it: spent(it, it.edges),
}
"""The figures of an event that have steps, by the name of their calculation."""


def check(event: Event, *, by_points: bool = True) -> None:
    """Compare each figure with the total of its steps; ``by_points``: the clock counts half points."""
    if isinstance(event, UnitsMoved | UnitsExited) and not by_points:
        return
    expected = FIGURES[type(event)](event) if type(event) in FIGURES else {}
    if expected or isinstance(event, PanicRolled):
        found = told(event)
        assert {name: found[name].total for name in expected} == expected, event
        assert all(rule.startswith(("KP-", "R-KP-")) for each in found.values() for _, _, rule in each.steps)


def finish(game: Game, stream: Stream) -> None:
    """Play to the end at random."""
    game.start()
    while not game.is_over:
        for decision in game.waiting()[:1]:
            game.submit(decision.options.sample(stream), decision.seat)


@pytest.mark.rule("KP-9.0e", "KP-9.63a", "KP-9.34a", "KP-10.0a")
@pytest.mark.parametrize("number", range(12))
def test_every_figure_of_a_melee_is_the_total_of_its_steps(number: int) -> None:
    stream = Stream.for_player(key_from_seed(f"steps/{number}"), "melee")
    clock = ("mp_ticks", "hex_steps")[number % 4 == 3]
    game = melee(stream, {"movement_clock": clock, "attack_floor": ("0", "none")[number % 2]})
    finish(game, stream)
    for record in game.records:
        if isinstance(record, EventRecord):
            check(record.event, by_points=clock == "mp_ticks")


@pytest.mark.parametrize("scenario", ["spain", "czechoslovakia", "bain_tsagan", "poland", "flavion", "abbeville"])
def test_every_scenario_ends_with_a_count(prepare: Prepare, scenario: str) -> None:
    prepared = prepare(scenario)
    key = key_from_seed(f"count/{scenario}")
    game = prepared.new_game(KeyedDice(key))
    game.play(seat_players(prepared, name_seats(prepared, {}), key))
    happened = [record.event for record in game.records if isinstance(record, EventRecord)]
    for event in happened:
        check(event)
    cleared = [event for event in happened if isinstance(event, TurnCleared)]
    assert all(event.calculations is UNSET for event in cleared[:-1])
    assert told(cleared[-1])
