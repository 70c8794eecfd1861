"""The worked examples of the book, X-KP-1 to X-KP-6, and derived examples, X-KP-7 to X-KP-18.

The diagrams of the book are lost. Hexes that it does not name are chosen so that every statement of the example holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import (
    CounterattackResolved,
    FireResolved,
    FireTriggered,
    FireWithheld,
    ImpactPlaced,
    OverrunResolved,
    PanicRolled,
    UnitsFrozen,
    UnitShelled,
    UnitsMoved,
    UnitStopped,
)

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import NewCase

from tests.plugins.kampfpanzer.cases import counter, group
from tests.plugins.kampfpanzer.rows import Row, play, row

GERMANS_55 = "145 0102; 94 0702; 93 0804; 104 0202; 105 1002; 114 0304 D1"
FRENCH_55 = "39 0313 A; 38 0708 A entrenched; 10 0508; 20 0509; 18 1205; 29 0807"
GERMAN_PLOTS_55 = "145 C7; 94 D5 VD; 93 D2VD; 104 D6; 105 D3"
FRENCH_PLOTS_55 = "39 L 0304; 38 P 0603; 10 A2 F4; {unit_20}; 18 F2B4; 29 E1"
DICE_55 = {
    "shell:114:39": "6", "contest:1004:germans": "5", "contest:1004:french": "2", "fire:0706:94": "3",
    "shell:145:39": "2 5", "overrun:0807": "4", "counter:29": "3",
}  # fmt: skip


def example_55(new_case: NewCase, unit_20: str = "20 F1 A2 F3", **dice: str) -> Case:
    case = new_case(french=FRENCH_55, germans=GERMANS_55, dice=DICE_55 | dice, hilltop="0807")
    french = FRENCH_PLOTS_55.format(unit_20=unit_20)
    return case.turn(counter("french", "93"), french=french, germans=GERMAN_PLOTS_55)


@pytest.mark.rule("KP-5.5a", "KP-5.1b", "KP-9.71c", "KP-5.0a")
def test_x01_every_plot_is_legal_except_for_the_disrupted_unit(new_case: NewCase) -> None:
    case = new_case(french=FRENCH_55, germans=GERMANS_55, hilltop="0807")
    assert case.refused(GERMAN_PLOTS_55) == ""
    assert case.refused(FRENCH_PLOTS_55.format(unit_20="20 F1 A2 F3")) == ""
    assert case.refused("93 D2 VD") == case.refused("93 D2VD") == ""
    assert case.refused("114 D1") in {"KP-9.71c", "KP-5.0a"}


@pytest.mark.rule("KP-5.5a", "KP-9.32b", "KP-9.33c", "KP-9.34a")
def test_x01_impact_covers_the_unit_in_its_hexes(new_case: NewCase) -> None:
    case = example_55(new_case)
    impact = case.one(ImpactPlaced)
    assert (impact.firer, impact.hex, impact.pattern) == ("39", "0304", "L")
    assert sorted(impact.hexes) == ["0203", "0204", "0303", "0304", "0305", "0403", "0404"]
    first = case.events(UnitShelled)[0]
    assert (first.unit, first.hex, first.column, first.die, first.result) == ("114", "0304", "static", 6, "")


STEPS_55 = {
    1: {"94": "0703", "93": "0805", "104": "0203", "105": "1003", "10": "0507", "20": "0408", "18": "1105"},
    2: {"94": "0704", "93": "0806", "104": "0204", "105": "1004", "10": "0506", "20": "0407", "145": "0202"},
    3: {"94": "0705", "93": "0807", "104": "0205", "10": "0405", "20": "0406"},
    4: {"94": "0706", "104": "0206", "10": "0305", "20": "0306", "145": "0303"},
    5: {"94": "0707", "10": "0204"},
    6: {"93": "0808", "10": "0104", "145": "0403"},
    8: {"145": "0504"},
    10: {"145": "0604"},
    12: {"145": "0705"},
    14: {"145": "0805"},
}


@pytest.mark.rule("KP-5.5a", "R-KP-06", "KP-6.0f", "R-KP-09", "R-KP-91", "R-KP-01")
def test_x01_every_unit_moves_as_printed(new_case: NewCase) -> None:
    case = example_55(new_case)
    assert {event.tick: event.hexes for event in case.events(UnitsMoved)} == {
        2 * at: row for at, row in STEPS_55.items()
    }


@pytest.mark.rule("KP-5.5a", "KP-6.4e", "KP-6.4f", "KP-6.3b", "KP-9.65a", "KP-9.67a", "KP-9.22a")
def test_x01_units_stop_for_the_printed_reasons(new_case: NewCase) -> None:
    case = example_55(new_case)
    assert {each.unit: (each.tick, each.hex, each.why) for each in case.events(UnitStopped)} == {
        "18": (4, "1105", "contest"),
        "105": (4, "1004", "contest_won"),
        "94": (10, "0707", "hit"),
        "104": (8, "0206", "zone"),
        "20": (8, "0306", "zone"),
    }
    assert case.events(UnitsFrozen)[0].units == ["29", "38"]
    assert case.hexes("29") == ""


@pytest.mark.rule("KP-5.5a", "KP-9.24a", "KP-9.63a", "KP-9.68b", "KP-9.36a", "KP-9.33d", "R-KP-38")
def test_x01_fire_overrun_and_counterattack_match_the_book(new_case: NewCase) -> None:
    case = example_55(new_case)
    trigger = case.one(FireTriggered)
    assert (trigger.firers, trigger.target, trigger.hex, trigger.tick) == (["38"], "94", "0706", 8)
    shot = case.one(FireResolved)
    assert (shot.strengths, shot.defense, shot.superiority, shot.result) == ([2], 3, -1, "D1")
    overrun = case.one(OverrunResolved)
    assert (overrun.hex, overrun.attackers, overrun.defenders) == ("0807", ["93"], ["29"])
    assert (overrun.counted, overrun.superiority, overrun.result) == (1, 3, "D2")
    answer = case.one(CounterattackResolved)
    assert (answer.unit, answer.target, answer.superiority, answer.result) == ("29", "93", -2, "P")
    shells = [(each.unit, each.hex, each.column, each.result) for each in case.events(UnitShelled)[1:]]
    assert shells == [("145", "0303", "moving", "D1"), ("145", "0403", "moving", "")]


@pytest.mark.rule("KP-5.5a", "KP-9.82a", "KP-9.83a")
def test_x01_final_positions_and_levels_match_the_book(new_case: NewCase) -> None:
    case = example_55(new_case)
    ends = {
        "145": "0805", "94": "0707", "93": "0808", "104": "0206", "105": "1004", "114": "0304", "39": "0313",
        "38": "0708", "10": "0104", "20": "0306", "18": "1105", "29": "0807",
    }  # fmt: skip
    assert {unit_id: unit.hex for unit_id, unit in case.state.units.items()} == ends
    assert {unit_id: case.level(unit_id) for unit_id in ends if case.level(unit_id)} == {
        "145": 1,
        "94": 1,
        "114": 1,
        "29": 2,
    }
    assert case.pinned() == []


@pytest.mark.rule("KP-5.5a", "KP-5.1e", "KP-6.3c")
def test_x01_unit_20_with_a_halt_does_not_meet_unit_104(new_case: NewCase) -> None:
    case = example_55(new_case, "20 F1 S2 A2 F3")
    assert case.at("20", "104") == "0105 0208"
    assert not {"20", "104"} & set(case.stops())


@pytest.mark.rule("KP-5.5a", "KP-9.64a", "KP-13.22a")
def test_x01_entrenched_gun_counts_twice(new_case: NewCase) -> None:
    case = new_case(french="38 0708 A entrenched", germans="94 0706", dice={"overrun:0708": "6"})
    case.turn(germans="94 D1 VD")
    overrun = case.one(OverrunResolved)
    assert (overrun.counted, overrun.superiority, case.at("94")) == (2, 0, "0709")


# --- X-KP-2: opportunity fire, 9.24a ---

FRENCH_924 = "11 0305; 6 0702; 1 1302; 19 1402"
FRENCH_PLOTS_924 = "11 P 0905; 6 P 0708; 1 P 1308; 19 P 1408"


def example_924(new_case: NewCase, plot_105: str, dice_105: str, *answers: tuple[str, ...], **dice: str) -> Case:
    loaded = {"fire:1306:102": "6", "fire:1406:102": "6", **dice}
    case = new_case(french=FRENCH_924, germans="105 0607; 102 1206", dice=loaded | {"fire:*:105": dice_105})
    groups = [group("french", *each) for each in answers]
    return case.turn(*groups, french=FRENCH_PLOTS_924, germans=f"105 {plot_105}; 102 B1 C1")


@pytest.mark.rule("KP-9.24b", "R-KP-40", "KP-9.23b", "KP-9.11a")
def test_x02_two_triggered_firers_may_combine(new_case: NewCase) -> None:
    case = example_924(new_case, "A2 B1", "5", ("6 11",))
    assert case.at("105", "102") == "0705 1406"
    assert [shot for shot in case.fire() if shot[1] == "105"] in ([("6 11", "105", 2)], [("11 6", "105", 2)])
    assert case.level("105") == 1  # +2, die 5


@pytest.mark.rule("KP-9.24b", "KP-9.11a")
def test_x02_two_triggered_firers_may_fire_separately(new_case: NewCase) -> None:
    case = example_924(new_case, "A2 B1", "4 4", ("6", "11"))
    assert {shot for shot in case.fire() if shot[1] == "105"} == {("11", "105", 0), ("6", "105", -2)}
    assert case.level("105") == 0  # both results are pins


@pytest.mark.rule("KP-9.23b")
def test_x02_hexes_beside_the_line_trigger_nothing(new_case: NewCase) -> None:
    case = example_924(new_case, "A2 B1", "5", ("6 11",))
    entered = {event.hex: event.firers for event in case.events(FireTriggered) if event.target == "105"}
    assert {hex_: sorted(firers) for hex_, firers in entered.items()} == {"0705": ["11", "6"]}


@pytest.mark.rule("KP-9.24c", "KP-9.24a")
def test_x02_entering_two_hexes_causes_two_attacks(new_case: NewCase) -> None:
    case = example_924(new_case, "A2 B1", "5", ("6 11",))
    shots = [(each.firers, each.hex, each.strengths, each.superiority) for each in case.events(FireResolved)]
    assert (["1"], "1306", [5], 2) in shots
    assert (["19"], "1406", [6], 3) in shots
    assert case.level("102") == 1  # a pin, and D1


@pytest.mark.rule("KP-9.23b")
def test_x02_crossing_a_hexside_of_the_line_triggers_fire(new_case: NewCase) -> None:
    case = example_924(new_case, "A3", "1")
    assert [(e.firers, e.hex) for e in case.events(FireTriggered) if e.target == "105"] == [(["11"], "0604")]
    assert ("11", "105", 0) in case.fire()


# --- X-KP-3 to X-KP-6 ---

PAIR, THREE = "29 0808; 38 0808 A", "102 0806; 103 0706; 104 0906"
DUG, TANKS = "29 0808 entrenched; 38 0808 A", "105 0806; 106 0706; 107 0906"
STRIKE = counter("french", "94")


@pytest.mark.rule(
    "KP-10.2a KP-10.2b KP-13.0d KP-13.0e KP-13.21a KP-5.1c KP-5.1d KP-5.21d KP-5.21e KP-6.0c KP-9.12b KP-9.64a"
    " KP-9.66a KP-9.68a KP-9.68b KP-9.71b KP-9.71d KP-9.71e KP-9.81a R-KP-55 R-KP-58 R-KP-72"
)
@pytest.mark.parametrize(
    "turn",
    [
        # against both targets only all three together may fire, so no decision is pending
        *(row("KP-10.2a KP-10.2b KP-5.21d KP-5.21e KP-9.12b", f"x03_woods_count_once_{defense}", PAIR, THREE,
              woods="0808",
              dice="fire:0808:* 6", reply=[group("germans", "102 103 104")] if aim else [],
              g="; ".join(f"{unit} N 0808{aim}" for unit in ("102", "103", "104")),
              one=(FireResolved, {"targets": hit.split(), "defense": defense, "addition": 2, "cover": "woods",
                                  "superiority": min(15 - defense, 8)}))
          for aim, hit, defense in (("/29", "29", 7), ("/38", "38", 6), ("", "29 38", 11))),
        row("KP-13.0d KP-13.0e", "x04_entrenchment_instead_of_woods", "29 0808 entrenched", "19 0806", woods="0808",
            dice="fire:0808:29 6", g="19 N 0808",
            one=(FireResolved, {"defense": 9, "addition": 4, "cover": "entrenchment", "superiority": 3})),
        row("KP-9.64a KP-9.68a KP-9.68b KP-13.21a R-KP-55", "x04_two_entrenched_count_four_and_strike_back", DUG,
            "94 0806",
            dice="overrun:0808 6; counter:29 6; counter:38 6", reply=[STRIKE, STRIKE], g="94 D1 VD",
            overrun="94>29+38 4 -2", countered="29>94 -2; 38>94 -2"),
        *(row("R-KP-72", f"x04_two_entrenched_in_one_attack_{option}", DUG, TANKS, dice="fire:0808:* 6",
              entrench_combined=option, reply=reply, g="105 N 0808; 106 N 0808; 107 N 0808",
              one=(FireResolved, {"defense": defense}))
          for option, defense, reply in (("once", 13, [group("germans", "105 106 107")]), ("per_unit", 17, []))),
        row("KP-9.66a", "x04_no_overrun_in_woods", "29 0808 entrenched", "94 0806", woods="0808",
            refused={"94 D1 VD": "KP-9.66a"}),
        # superiority +1; a pin changes nothing
        *(row("KP-9.71d KP-9.71e KP-9.71b", f"x05_levels_add_up_{before}_{die}", f"11 0808 {before}", "102 0806",
              dice=f"fire:0808:11 {die}", g="102 N 0808", levels=f"11 {after}", pinned="")
          for before, die, after in (("D1", 3, 2), ("D1", 2, 3), ("D2", 1, 4), ("D1", 6, 1), ("D3", 6, 3), ("D3", 4, 4),
                                     ("", 2, 2))),
        row("KP-9.71d R-KP-58 KP-9.81a", "x05_two_d2_destroy", "11 0808", "102 0806; 103 0906", dice="fire:0808:11 2 2",
            reply=[group("germans", "102", "103")], g="102 N 0808; 103 N 0808", levels="11 4", wrecked="0808"),
        row("KP-5.1c KP-5.1d KP-6.0c", "x06_halts_count", "19 0512; 6 0912",
            refused={"19 F1 S2 A2 F3": "", "6 F1 S2 A2 F3": "KP-6.0c"}),
    ],
)  # fmt: skip
def test_book_example_has_its_printed_outcome(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


# --- derived examples ---

SHELL = {"french": "39 0820 A", "germans": "112 0808", "woods": "0808"}


@pytest.mark.rule(
    "KP-10.0g KP-12.0c KP-12.15c KP-9.11a KP-9.11c KP-9.16b KP-9.16c KP-9.18a KP-9.37c KP-9.37d KP-9.51b KP-9.51d"
    " KP-9.63a KP-9.69a KP-9.7b R-KP-17 R-KP-31 R-KP-48 R-KP-52"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-9.18a KP-9.51d", f"x0{number}_mixed_weapon", "19 0804", f"112 {at}", dice="fire:* 6", f=f"19 N {at}",
              one=(FireResolved, {"strengths": [strength]})) for number, at, strength in ((7, "0805", 24), (8, "0810",
              10))),
        row("KP-9.51b", "x09_small_arms_at_armor", "6 0808", "91 0806; 112 0706; 48 0606",
            refused={f"{unit} N 0808": "KP-9.51b" for unit in ("91", "112", "48")}),
        *(row("KP-9.11a KP-9.11c KP-9.18a", f"x10_{name}", "6 0802; 7 0903", "122 0810", dice=f"fire:0810:122 {dice}",
              reply=[group("french", *groups)], f="6 N 0810; 7 N 0810", fire=fire)
          for name, groups, dice, fire in (("together", ["6 7"], "6", "6+7>122 0"),
                                           ("one_by_one", ["6", "7"], "6 6", "6>122 -1; 7>122 -1"))),
        row("KP-9.7b", "x11_hopeless_attack", "6 0802", "52 0810", f="6 N 0810", fire="",
            one=(FireWithheld, {"superiority": -7})),
        *(row("KP-9.37d R-KP-48", f"x12_tight_fire_into_woods_{die}", **SHELL, dice=f"shell:112:39 {die}",
              f="39 T 0808",
              g="112 P 0815", levels=f"112 {level}", one=(UnitShelled, {"column": "static", "added": 1}))
          for die, level in ((1, 2), (2, 2), (3, 1), (4, 1), (5, 0), (6, 0))),
        *(row("KP-9.37c", f"x13_loose_fire_into_woods_{die}", **SHELL, dice=f"shell:112:39 {die}", f="39 L 0808",
              levels=f"112 {level}", one=(UnitShelled, {"column": "moving"})) for die, level in ((1, 1), (2, 1), (3,
              0))),
        row("KP-9.63a KP-9.69a R-KP-52", "x14_three_tanks_overrun_two_units", "29 0808; 38 0808 A",
            "94 0806; 95 0707; 96 0907", dice="overrun:0808 6", g="94 D1 VD; 95 D1 VC; 96 D1 VE",
            overrun="94+95+96>29+38 2 5", at="94 0809; 95 0909; 96 0709"),
        row("KP-12.15c KP-12.0c", "x15_truck_and_infantry_are_one_unit", "138 0808; 29 aboard 138", "94 0806",
            dice="overrun:0808 5", g="94 D1 VD", one=(OverrunResolved, {"counted": 1, "superiority": 3}),
            levels="138 2; 29 2"),
        row("KP-10.0g R-KP-17", "x17_infantry_walks_two_hexes_of_road", "29 0808", road="0806 0807 0808",
            refused={"29 A2": ""}, f="29 A2", track="29 1:0807 2:0806"),
        *(row("KP-9.16b KP-9.16c R-KP-31", f"x18_crest_{number}", "1 0803", "94 0809", crest_sides=crest, **ground,
              refused={"1 N 0809": rule})
          for number, (ground, crest, rule) in enumerate((
              ({}, "0805/0806", "KP-9.16b"), ({"hilltop": "0809"}, "0805/0806", "KP-9.16b"),
              ({"slope": "0803", "hilltop": "0809"}, "0805/0806", ""), ({}, "0803/0804", ""), ({}, "0808/0809", ""),
              ({"hilltop": "0809"}, "0808/0809", "")))),
    ],
)  # fmt: skip
def test_derived_example_has_the_computed_outcome(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-11.11c", "KP-11.11a", "KP-11.12a")
def test_x16_units_panic_by_row_and_level(new_case: NewCase) -> None:
    units = "1 0204; 2 0510; 3 0805; 4 1014 D1; 29 1220"
    case = new_case(french=units, more={"panic": {"french": 2}}, dice={"panic:french": "4"})
    rolled = next(event for event in case.turn().events(PanicRolled) if event.side == "french")
    assert (rolled.level, rolled.die) == (2, 4)
    assert (sorted(rolled.digits), sorted(rolled.units)) == (["0", "4"], ["1", "2", "29"])
