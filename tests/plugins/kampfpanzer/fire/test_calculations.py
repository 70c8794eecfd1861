"""Calculations of events: worked turns as transcripts, and totals of steps in random games."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import UNSET
from tests.plugins.kampfpanzer.cases import Case, counter, group, target
from tests.plugins.kampfpanzer.movement.test_opportunity_fire import TIE, TIE_PLOTS
from tests.plugins.kampfpanzer.rows import Row, row
from tests.plugins.kampfpanzer.test_properties import melee

from kampfpanzer.fire.calculations import attack_calculations
from kampfpanzer.fire.superiority import compute_attack
from kampfpanzer.model.events import (
    CounterattackResolved,
    FireResolved,
    FireWithheld,
    OverrunResolved,
    PanicPlotted,
    PanicRolled,
    RecoveryRolled,
    ResultsApplied,
    TurnCleared,
    UnitsExited,
    UnitShelled,
    UnitsMoved,
)
from kampfpanzer.model.orders import Counterattack, HandInPlots
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.events import Calculation, Event
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.players.players import name_seats, seat_players

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase, Prepare, Stage
    from transcripts import Transcript


def calculations_of(event: Any) -> dict[str, Calculation]:
    """Return the calculations of an event by name; each name is unique."""
    assert event.calculations is not UNSET, event
    found = {each.name: each for each in event.calculations}
    assert len(found) == len(event.calculations)
    return found


def written(case: Case) -> str:
    """Return all calculations of the turn, with a paragraph per event and a line per step."""
    lines = []
    for event in case.all_events():
        if getattr(event, "calculations", UNSET) is UNSET or isinstance(event, PanicRolled):
            continue
        lines.append(f"{type(event).__name__} {getattr(event, 'rule', '')}")
        for name, each in calculations_of(event).items():
            lines.append(f"  {name} = {each.total} {' '.join(each.table)}".rstrip())
            lines += [f"    {points:+} {what} ({rule})" for what, points, rule in each.steps]
    return "\n".join(lines)


@pytest.mark.rule("KP-10.0i", "KP-10.0j")
@pytest.mark.parametrize(("firers", "rule"), [(["107"], "KP-10.0i"), (["107", "108"], "KP-10.0j")])
def test_slope_rule_depends_on_the_number_of_firers(new_case: NewCase, firers: list[str], rule: str) -> None:
    state = new_case(french="1 0808", germans="107 0807; 108 0806", slope="0808", crest_sides="0807/0808").state
    *_, defense, _ = attack_calculations(state, compute_attack(state, firers, ["1"], "0808"))
    assert [step[2] for step in defense.steps if step[0] == "slope"] == [rule]


# --- worked turns ---

BOTH = [group("germans", "107 108")]
THREE = "105 N 0808; 106 N 0808; 107 N 0808"


@pytest.mark.rule(
    "KP-10.0a KP-10.0c KP-10.0g KP-10.0i KP-10.0j KP-10.2a KP-10.2b KP-13.0d KP-13.22a KP-13.23a KP-3.24a KP-3.24b"
    " KP-5.1d KP-6.0c KP-6.4c KP-6.4d KP-9.0e KP-9.11c KP-9.18a KP-9.22b KP-9.22c KP-9.37c KP-9.37d KP-9.39a KP-9.39b"
    " KP-9.51d KP-9.63a KP-9.64a KP-9.68b KP-9.69a KP-9.6d KP-9.71b KP-9.71d KP-9.72b KP-9.7b KP-9.7c R-KP-13 R-KP-48"
    " R-KP-59 R-KP-72"
)
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-9.18a KP-10.0i KP-10.0j KP-9.7c KP-9.11c KP-9.0e KP-3.24a KP-3.24b", "range_and_slope", "1 0808",
            "107 0807; 108 0806", slope="0808", crest_sides="0807/0808", dice="fire:0808:1 1", reply=BOTH,
            g="107 N 0808; 108 N 0808"),
        row("KP-9.7c KP-9.51d", "beyond_the_last_column", "29 0808", "19 0807", dice="fire:0808:29 6", g="19 N 0808"),
        row("KP-10.2a KP-10.2b KP-10.0c", "woods_once_for_all", "29 0808; 38 0808 A", "102 0806; 103 0706; 104 0906",
            woods="0808", dice="fire:0808:* 6", g="102 N 0808; 103 N 0808; 104 N 0808"),
        row("R-KP-72 KP-13.0d", "entrenchment_once", "29 0808 entrenched; 38 0808 A", "105 0806; 106 0706; 107 0906",
            dice="fire:0808:* 6", entrench_combined="once", reply=[group("germans", "105 106 107")], g=THREE),
        row("R-KP-72 KP-13.0d", "entrenchment_for_each", "29 0808 entrenched; 38 0808 A",
            "105 0806; 106 0706; 107 0906", dice="fire:0808:* 6", entrench_combined="per_unit", g=THREE),
        row("KP-9.7b", "withheld", "6 0802", "52 0810", f="6 N 0810"),
        row("KP-9.37d R-KP-48 KP-9.39b", "six_in_woods", "39 0820 A", "112 0808", woods="0808", dice="shell:112:39 6",
            f="39 T 0808", g="112 P 0815"),
        row("KP-9.37c KP-13.23a KP-9.39a", "loose_fire_at_woods", "39 0820 A", "112 0808", woods="0808",
            dice="shell:112:39 3", f="39 L 0808"),
        row("KP-9.37c KP-13.23a KP-9.39a", "loose_fire_at_entrenchment", "39 0820 A", "112 0808 entrenched",
            dice="shell:112:39 3", f="39 L 0808"),
        row("KP-9.63a KP-9.64a KP-9.68b KP-9.69a KP-13.22a", "overrun_of_the_entrenched",
            "29 0808 entrenched; 38 0808 A", "94 0806", dice="overrun:0808 6; counter:29 6; counter:38 6",
            reply=[counter("french", "94")] * 2, g="94 D1 VD"),
        row("KP-9.6d", "overrun_points_before_entry", "29 0808", "94 0806", dice="overrun:0808 6",
            overrun_points_timing="before_entry", g="94 D1 VD"),
        row("KP-10.0a KP-10.0c KP-10.0g KP-5.1d KP-6.0c", "steps", "1 0808", woods="0806", road="0805 0804",
            f="1 A1 S1 A1 A2"),
        *(row("KP-9.71d", f"level{before.replace(' ', '_')}", "1 0804", f"94 0808{before}", dice="fire:0808:94 4",
              f="1 N 0808") for before in ("", " D1", " D3")),
        *(row("KP-9.71b KP-9.72b R-KP-59", f"recovery_{option}", "1 0804 D2", dice="recovery:1 2", recovery=option)
          for option in ("full", "one_level")),
        row("KP-6.4c KP-6.4d R-KP-13", "contest", "29 0807; 30 0506", "112 0809; 138 0308",
            dice="contest:0808:* 5 2", f="29 D1", g="112 A1"),
        row("KP-9.22b KP-9.22c", "first_to_pass", "35 0803 D", "94 0707; 95 0907", dice="fire:* 1", f="35 P 0808",
            g="94 C2; 95 S1 E2"),
    ],
)  # fmt: skip
def test_calculations_list_each_step_of_a_turn(new_case: NewCase, turn: Row, transcript: Transcript) -> None:
    transcript(written(new_case(**turn.setup).turn(*turn.reply, **turn.sheets)))


@pytest.mark.rule("KP-9.63a", "KP-9.68b")
def test_rolls_name_their_units(new_case: NewCase) -> None:
    dice = {"overrun:0808": "6", "counter:29": "6", "counter:38": "6"}
    case = new_case(french="29 0808 entrenched; 38 0808 A", germans="94 0806", dice=dice)
    case.turn(counter("french", "94"), counter("french", "94"), germans="94 D1 VD")
    rolls = [record for record in case.game.records if isinstance(record, RollRecord)]
    units = {record.label.split("/")[-2]: record.units for record in rolls}
    assert (units["overrun:0808"], units["counter:38"]) == (("94",), ("38",))


def ending(rules: str, name: str, scenario: str, **words: Any) -> Any:
    return pytest.param(scenario, words, marks=pytest.mark.rule(*rules.split()), id=name)


SPAIN = {"nationalists": "26 2138", "republicans": "63 2340; 72 2341"}


@pytest.mark.rule("KP-14.3.4 KP-14.6.4 R-KP-93 R-KP-94")
@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ending("KP-14.6.4", "hannut", "hannut", turn=10, french="1 1610; 2 0101", germans=""),
        *(ending("R-KP-93 R-KP-94", f"bid_{side}_{units}", "spain", turn=10, **SPAIN, **{f"bid_{side}": units})
          for side, units in (("first", "2"), ("first", "1"), ("second", "1"))),
        ending("KP-14.3.4", "multiple", "bain_tsagan", turn=16, russians="81 0938", japanese="130 0939"),
    ],
)  # fmt: skip
def test_final_count_is_itemized(stage: Stage, scenario: str, words: dict[str, Any], transcript: Transcript) -> None:
    case = stage(scenario, **words).turn()
    transcript(f"{written(case)}\nOutcome: {case.state.outcome}")


# --- refusals and decisions ---


@pytest.mark.rule("KP-4.0b", "KP-9.11a", "KP-14.0a", "KP-4.1a", "KP-9.0a", "KP-2.0b")
def test_decisions_name_their_purpose(new_case: NewCase, prepare: Prepare) -> None:
    case = new_case(french="1 0804; 2 0904", germans="94 0806", dice={"fire:*": "6"})
    assert [each.purpose for each in case.game.waiting()] == ["plots.french", "plots.germans"]
    assert case.refuses("french", Counterattack("94")) == "KP-4.0b"
    case.upto(french="1 N 0806; 2 N 0806")
    assert case.pending.purpose == "group.0806.94:1.2"
    assert case.refuses("french", HandInPlots({"1": "D1"})) == "KP-4.0b"
    case.answer(group("french", "1 2"))
    game = prepare("hannut").new_game(KeyedDice(key_from_seed("0")))
    game.start()
    assert game.waiting()[0].purpose == "deploy.french"


@pytest.mark.rule("R-KP-23", "R-KP-36")
@pytest.mark.parametrize(("option", "purpose"), [("end_of_phase_a", "target.35"), ("lazy", "target")])
def test_hidden_firer_is_not_named(new_case: NewCase, option: str, purpose: str) -> None:
    case = new_case(**TIE, dice={"fire:*": "1"}, reveal_plots=option)
    case.upto(**TIE_PLOTS)
    assert case.pending.purpose == purpose
    case.answer(target("french", "94"))


@pytest.mark.rule("R-KP-23", "KP-9.37c")
@pytest.mark.parametrize("plot", ["", "112 D1"])
def test_cover_does_not_reveal_a_hidden_move(new_case: NewCase, plot: str) -> None:
    dice = {"shell:112:39": "6 6" if plot else "6"}
    case = new_case(french="39 0820 A", germans="112 0808", woods="0808", dice=dice, reveal_plots="lazy")
    case.turn(french="39 L 0808", germans=plot)
    assert calculations_of(case.events(UnitShelled)[0])["die"].steps[-1] == (
        "counts as moving: in cover",
        0,
        "KP-9.37c",
    )


# --- random games ---


def spent(event: UnitsMoved | UnitsExited, units: dict[str, str]) -> dict[str, int]:
    """Return the half points by group of units, and check that each unit is in one group."""
    groups = list(calculations_of(event))
    assert sorted(".".join(groups).split(".")) == sorted([*units, *["spent"] * len(groups)])
    return dict.fromkeys(groups, event.tick)


FIGURES: dict[type[Event], Callable[[Any], dict[str, int]]] = {
    FireResolved: lambda it: {
        "superiority": it.superiority,
        "defense": it.defense,
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
"""The figures of each event type that have steps, by the name of their calculation."""


def check(event: Event, *, by_points: bool = True) -> None:
    """Compare each figure with the total of its steps; moves are checked only if the clock counts half points."""
    if isinstance(event, UnitsMoved | UnitsExited) and not by_points:
        return
    expected = FIGURES[type(event)](event) if type(event) in FIGURES else {}
    if expected or isinstance(event, PanicRolled):
        found = calculations_of(event)
        assert {name: found[name].total for name in expected} == expected, event
        assert all(rule.startswith(("KP-", "R-KP-")) for each in found.values() for _, _, rule in each.steps)


@pytest.mark.rule("KP-9.0e", "KP-9.63a", "KP-9.34a", "KP-10.0a")
@pytest.mark.parametrize("number", [0, 3, *(pytest.param(each, marks=pytest.mark.full) for each in range(12))])
def test_every_figure_of_a_melee_is_the_total_of_its_steps(number: int) -> None:
    stream = Stream.for_player(key_from_seed(f"steps/{number}"), "melee")
    clock = ("mp_ticks", "hex_steps")[number % 4 == 3]
    game = melee(stream, {"movement_clock": clock, "attack_floor": ("0", "none")[number % 2]})
    game.start()
    while not game.is_over:
        decision = game.waiting()[0]
        game.submit(decision.options.sample(stream), decision.seat)
    for record in game.records:
        if isinstance(record, EventRecord):
            check(record.event, by_points=clock == "mp_ticks")


@pytest.mark.full
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
    assert calculations_of(cleared[-1])
