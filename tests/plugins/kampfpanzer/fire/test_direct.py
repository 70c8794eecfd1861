"""Direct fire: sections 9.0, 9.1, 9.4, 9.5, 9.7, 9.8 and 10.2, in the combat phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kampfpanzer.model.events import (
    FacingChanged,
    FireResolved,
    FireWithheld,
    OverrunResolved,
    ResultsApplied,
    UnitsFrozen,
    UnitsMoved,
    WrecksLeft,
)
from kampfpanzer.model.orders import GroupFire
from sandtable.kernel.events import PhaseEnded

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay

from tests.plugins.kampfpanzer.cases import group

SIGHT = {"KP-9.13c", "KP-9.15a", "KP-9.15b", "KP-9.16b", "KP-9.16d", "R-KP-29", "R-KP-30", "R-KP-31"}


def down(hexes: int, start: str = "0802") -> str:
    """Return the hex so many below another."""
    return f"{start[:2]}{int(start[2:]) + hexes:02}"


def duel(lay: Lay, firer: str, victim: str, hexes: int, die: int = 6, **rest: Any) -> Case:
    """Let a French unit fire down a column at a German one; guns face it."""
    facing = " D" if firer in {"35", "38", "62"} else ""
    own = " A" if victim in {"115", "39"} else ""
    case = lay(
        french=f"{firer} 0802{facing}", germans=f"{victim} {down(hexes)}{own}", dice={"fire:*": str(die)}, **rest
    )
    return case.turn(french=f"{firer} N {down(hexes)}")


# --- strengths: range and weapons ---


@pytest.mark.rule("KP-9.0e", "KP-9.18a", "KP-9.51a", "KP-9.51c", "KP-9.51d", "KP-3.24a", "KP-3.24b", "KP-3.24e")
@pytest.mark.parametrize(
    ("firer", "victim", "hexes", "strength", "superiority"),
    [
        ("11", "94", 1, 8, 5),  # A at hard
        ("11", "94", 2, 4, 1),
        ("11", "94", 5, 4, 1),
        ("11", "94", 6, 3, 0),
        ("11", "94", 10, 3, 0),
        ("1", "94", 11, 3, 0),
        ("1", "94", 15, 3, 0),
        ("6", "122", 6, 1, -1),
        ("35", "94", 1, 4, 1),
        ("35", "138", 5, 2, 1),  # A at soft
        ("19", "105", 2, 6, 2),  # M at hard
        ("19", "105", 6, 5, 1),
        ("19", "112", 5, 12, 4),  # M at soft
        ("19", "112", 1, 24, 8),
        ("19", "112", 10, 10, 2),
        ("29", "138", 5, 4, 3),  # R at soft
        ("29", "112", 1, 8, 0),
        ("29", "138", 10, 3, 2),
        ("48", "112", 5, 5, -3),
    ],
)
def test_strengths(lay: Lay, firer: str, victim: str, hexes: int, strength: int, superiority: int) -> None:
    shot = duel(lay, firer, victim, hexes).one(FireResolved)
    assert (shot.firers, shot.targets, shot.hex) == ([firer], [victim], down(hexes))
    assert (shot.strengths, shot.superiority, shot.addition, shot.cover) == ([strength], superiority, 0, "")


@pytest.mark.rule("KP-9.18a", "R-KP-42")
@pytest.mark.parametrize(
    ("option", "attack", "hexes", "strength"),
    [("0", 6, 16, 3), ("0", 6, 20, 3), ("0", 2, 16, 0), ("none", 2, 16, -1), ("none", 6, 16, 3), ("0", 1, 6, 0)],
)
def test_a_gun_that_reached_farther_than_any_printed_one(
    lay: Lay, option: str, attack: int, hexes: int, strength: int
) -> None:
    kinds = {"kinds": {"S35": {"range_hexes": 20, "attack": attack}}}
    shot = duel(lay, "1", "91", hexes, more=kinds, attack_floor=option).one(FireResolved)
    assert (shot.strengths, shot.superiority) == ([strength], strength - 1)


@pytest.mark.rule("KP-9.51b", "KP-3.24f")
@pytest.mark.parametrize("firer", ["29", "48", "58"])
@pytest.mark.parametrize("victim", ["94", "52", "146"])
def test_small_arms_have_no_hard_targets(lay: Lay, firer: str, victim: str) -> None:
    case = lay(french=f"{firer} 0802", germans=f"{victim} 0804")
    assert case.refused(f"{firer} N 0804") == "KP-9.51b"


@pytest.mark.rule("KP-9.0b", "KP-9.51e", "KP-5.21a", "KP-5.21c", "KP-5.4a", "KP-9.0h")
def test_each_kind_of_weapon_has_its_own_fire(lay: Lay) -> None:
    case = lay(french="39 0802 D; 1 0902; 19 0702; 29 0602", germans="112 0806")
    assert case.refused("39 N 0806")
    assert case.refused("39 P 0805") == "KP-9.0h"
    assert [case.refused(f"39 {code} 0806") for code in "TL"] == ["", ""]
    assert all(case.refused(f"{unit} {code} 0806") for unit in ("1", "19", "29") for code in "TL")
    assert [case.refused(f"{unit} N 0806") for unit in ("1", "19", "29")] == ["", "", ""]


@pytest.mark.rule("KP-9.13b", "KP-3.24c", "KP-9.17a")
@pytest.mark.parametrize(
    ("firer", "last", "beyond"),
    [("6 0802", "0810", "0811"), ("6 0808", "1604", "1603"), ("6 0808", "1612", "1613"), ("29 0802", "0812", "0813")],
)
def test_no_farther_than_the_range(lay: Lay, firer: str, last: str, beyond: str) -> None:
    case = lay(french=firer, germans=f"138 {last}; 139 {beyond}")
    unit = firer[: firer.index(" ")]
    assert case.refused(f"{unit} N {last}") == ""
    assert case.refused(f"{unit} N {beyond}") == "KP-9.13b"


# --- targets ---


@pytest.mark.rule("KP-5.21b", "KP-5.21d", "KP-5.21e", "KP-9.12a")
def test_a_plot_names_a_hex_and_one_unit_or_none(lay: Lay) -> None:
    case = lay(french="1 0802", germans="112 0805; 115 0805 A; 94 0905")
    assert [case.refused(f"1 {text}") for text in ("N 0805", "N 0805/112", "N0805 / 115", "N 0905/94")] == [""] * 4
    for wrong in ("N", "N 0805/112/115", "N 0805 0905", "N 0805/94", "N 0905/112", "N 0805/999", "N 0805/1"):
        assert case.refused(f"1 {wrong}"), wrong


@pytest.mark.rule("R-KP-26")
def test_fire_at_nobody_is_not_plotted(lay: Lay) -> None:
    case = lay(french="1 0802; 2 0806", germans="94 0807")
    assert {case.refused("1 N 0805"), case.refused("1 N 0806")} == {"R-KP-26"}


@pytest.mark.rule("R-KP-26")
def test_or_is_wasted(lay: Lay) -> None:
    case = lay(french="1 0802; 2 0806", germans="94 0807", fire_at_empty_hex="wasted")
    assert case.refused("1 N 0805") == ""
    assert case.turn(french="1 N 0805").fire() == []


@pytest.mark.rule("KP-9.12b", "KP-9.11b")
def test_two_units_of_a_hex_suffer_one_result(lay: Lay) -> None:
    case = lay(french="19 0804; 20 0904", germans="112 0806; 115 0806 A", dice={"fire:0806:*": "6"})
    case.turn(group("french", "19 20"), french="19 N 0806; 20 N 0806")
    shot = case.one(FireResolved)
    assert (shot.strengths, shot.defence, shot.superiority, shot.result) == ([12, 12], 12, 8, "D4")
    assert case.levels("112", "115") == [4, 4]


# --- combining ---


@pytest.mark.rule("KP-9.11a", "KP-9.11c", "KP-9.0d", "KP-9.7c")
@pytest.mark.parametrize("groups", [["1 2 11"], ["1 2", "11"], ["1", "2 11"], ["1", "2", "11"], ["11 1", "2"]])
def test_the_firer_groups_as_he_likes(lay: Lay, groups: list[str]) -> None:
    dice = {"fire:*": " ".join("6" for _ in groups)}
    case = lay(french="1 0802; 2 0902; 11 0702", germans="94 0806", dice=dice)
    case.turn(group("french", *groups), french="1 N 0806; 2 N 0806; 11 N 0806")
    strengths = {"1": 5, "2": 5, "11": 4}
    expected = [(sorted(each.split()), min(sum(strengths[unit] for unit in each.split()) - 3, 8)) for each in groups]
    assert sorted((sorted(event.firers), event.superiority) for event in case.events(FireResolved)) == sorted(expected)


@pytest.mark.rule("KP-9.0d", "KP-9.11a")
def test_the_owner_of_the_firers_is_asked(lay: Lay) -> None:
    case = lay(french="1 0806", germans="102 0802; 103 0902", dice={"fire:*": "6"})
    case.upto(germans="102 N 0806; 103 N 0806")
    assert case.asked.side == "germans"
    case.answer(group("germans", "102 103"))


@pytest.mark.rule("KP-9.7b", "KP-9.11a")
def test_no_group_may_be_hopeless(lay: Lay) -> None:
    case = lay(french="6 0802; 1 0905; 2 0705", germans="52 0808", dice={"fire:*": "6 6"})
    case.upto(french="6 N 0808; 1 N 0808; 2 N 0808")
    assert case.asked.side == "french"
    assert case.refuses("french", GroupFire([["6"], ["1", "2"]])) == "KP-9.7b"
    case.answer(group("french", "6 1", "2"))
    assert sorted(value for _, _, value in case.fire()) == [-3, -2]


@pytest.mark.rule("KP-9.7b", "KP-9.11a")
def test_where_only_together_will_do_nobody_is_asked(lay: Lay) -> None:
    case = lay(french="11 0804; 12 0904", germans="52 0808", dice={"fire:*": "4"})
    case.turn(french="11 N 0808; 12 N 0808")
    assert [(sorted(firers.split()), value) for firers, _, value in case.fire()] == [(["11", "12"], 0)]


@pytest.mark.rule("KP-9.7b")
def test_even_together_it_may_be_hopeless(lay: Lay) -> None:
    case = lay(french="6 0802; 7 0903", germans="52 0810").turn(french="6 N 0810; 7 N 0810")
    assert case.fire() == []
    assert {unit for event in case.events(FireWithheld) for unit in event.firers} == {"6", "7"}


@pytest.mark.rule("R-KP-25")
def test_other_targets_are_other_attacks(lay: Lay) -> None:
    case = lay(french="1 0804; 2 0904", germans="112 0806; 115 0806 A", dice={"fire:*": "6"})
    case.turn(french="1 N 0806; 2 N 0806/115")
    assert case.fire() == [("2", "115", 1)]
    assert case.one(FireWithheld).firers == ["1"]  # 5 - 12


@pytest.mark.rule("R-KP-25")
def test_or_overlapping_ones_may_be_combined(lay: Lay) -> None:
    case = lay(
        french="19 0804; 20 0904",
        germans="112 0806; 115 0806 A",
        dice={"fire:*": "1"},
        combine_identical_targets="any_overlap",
    )
    case.turn(group("french", "19 20"), french="19 N 0806; 20 N 0806/115")
    assert len(case.events(FireResolved)) == 1


# --- the results table ---

TABLE = {
    -3: "D1 P P P P P",
    -2: "D1 D1 P P P P",
    -1: "D1 D1 D1 P P P",
    0: "D2 D1 D1 P P P",
    1: "D2 D2 D1 D1 P P",
    2: "D3 D2 D2 D1 D1 P",
    3: "D3 D3 D2 D2 D2 D1",
    4: "D3 D3 D3 D2 D2 D2",
    5: "D3 D3 D3 D3 D2 D2",
    6: "D3 D3 D3 D3 D3 D2",
    7: "D3 D3 D3 D3 D3 D3",
    8: "D4 D4 D4 D4 D4 D4",
}
"""Copied from the book once more, column by column."""

REACHED = [
    (-3, "1", "52", 2),
    (-2, "19", "52", 2),
    (-1, "1", "48", 2),
    (0, "1", "20", 2),
    (1, "1", "105", 2),
    (2, "1", "94", 2),
    (3, "1", "122", 2),
    (4, "1", "91", 2),
    (5, "19", "91", 2),
    (6, "1", "105", 1),
    (7, "1", "94", 1),
    (8, "1", "122", 1),
    (8, "1", "91", 1),  # 10 - 1 = 9
]


@pytest.mark.rule("KP-9.7a", "KP-9.7c", "KP-3.3a", "KP-9.71b")
@pytest.mark.parametrize(("superiority", "firer", "victim", "hexes"), REACHED)
def test_the_results_table(lay: Lay, superiority: int, firer: str, victim: str, hexes: int) -> None:
    for die, result in enumerate(TABLE[superiority].split(), start=1):
        case = duel(lay, firer, victim, hexes, die)
        shot = case.one(FireResolved)
        assert (shot.superiority, shot.die, shot.result) == (superiority, die, result)
        assert case.level(victim) == (0 if result == "P" else int(result[1]))
        assert case.pinned() == ([victim] if result == "P" else [])


# --- results come into force as the phase ends ---


@pytest.mark.rule("KP-5.0e", "KP-5.0f", "KP-9.81a", "KP-2.0b", "KP-9.0f", "KP-4.1c")
def test_units_destroy_each_other(lay: Lay) -> None:
    case = lay(french="1 0804", germans="122 0805", dice={"fire:0805:122": "1", "fire:0804:1": "1"})
    case.turn(french="1 N 0805", germans="122 N 0804")
    assert case.levels("1", "122") == [3, 4]


@pytest.mark.rule("KP-5.0e", "KP-9.71d", "KP-9.71e")
@pytest.mark.parametrize(
    ("dice", "level", "pinned"),
    [
        ("6 6", 0, ["94"]),
        ("6 5", 1, []),
        ("5 6", 1, []),
        ("5 5", 2, []),
        ("3 1", 4, []),
        ("1 6", 3, []),
        ("1 5", 4, []),
    ],
)
def test_results_of_a_phase_add_up(lay: Lay, dice: str, level: int, pinned: list[str]) -> None:
    case = lay(french="1 0804; 2 0904", germans="94 0806", dice={"fire:0806:94": dice})
    case.turn(group("french", "1", "2"), french="1 N 0806; 2 N 0806")
    assert (case.level("94"), case.pinned()) == (level, pinned)


@pytest.mark.rule("KP-9.72a", "KP-9.71a", "R-KP-80", "KP-5.0g", "KP-6.0a")
@pytest.mark.parametrize(
    ("german", "plot", "french", "die"),
    [
        ("94 0808", "94 D2", "1 0804", "6"),
        ("94 0808", "94 D1 VD", "1 0804; 29 0810", "6"),
        ("112 0808; 138 0809", "112 M; 138 M 0808", "1 0804", "6"),
        ("138 0808; 112 0809", "112 M; 138 M 0809", "6 0804", "6"),
        ("138 0808; 112 aboard 138", "112 Q; 138 Q 0809", "6 0804", "6"),
        ("115 0808 A", "115 C", "1 0804", "6"),
    ],
)
def test_a_pin_cancels_all_but_fire(lay: Lay, german: str, plot: str, french: str, die: str) -> None:
    case = lay(french=french, germans=german, dice={"fire:*": die})
    before = {unit_id: (unit.hex, unit.carrier, unit.facing) for unit_id, unit in case.state.units.items()}
    firer = french.partition(" ")[0]
    case.turn(french=f"{firer} N 0808", germans=plot)
    assert case.pinned()
    assert {unit_id: (unit.hex, unit.carrier, unit.facing) for unit_id, unit in case.state.units.items()} == before
    assert case.never(UnitsMoved, OverrunResolved, FacingChanged)
    assert not any(unit.pinned for unit in case.state.units.values())


@pytest.mark.rule("KP-9.81b", "KP-9.71c", "KP-6.0a", "KP-5.0g")
@pytest.mark.parametrize(("german", "plot"), [("94 0808", "94 D2"), ("115 0808 A", "115 C")])
def test_disruption_cancels_everything(lay: Lay, german: str, plot: str) -> None:
    case = lay(french="1 0804", germans=german, dice={"fire:*": "4"})
    case.turn(french="1 N 0808", germans=plot)
    unit_id = plot.partition(" ")[0]
    assert (case.level(unit_id), case.at(unit_id), case.hexes(unit_id)) == (1, "0808", "")
    assert case.events(FacingChanged) == []


@pytest.mark.rule("R-KP-54")
@pytest.mark.parametrize(("option", "end"), [("if_overrun_survives_to_phase_e", "0811"), ("always", "0810")])
def test_an_overrunner_pinned_in_the_combat_phase_freezes_nobody(lay: Lay, option: str, end: str) -> None:
    case = lay(french="1 0804; 29 0810", germans="94 0808", dice={"fire:*": "6"}, overrun_freeze=option)
    case.turn(french="1 N 0808; 29 D1", germans="94 D1 VD")
    assert case.at("29") == end
    assert bool(case.events(UnitsFrozen)) == (option == "always")


@pytest.mark.rule("KP-9.81a", "KP-4.1c")
def test_results_are_applied_once_all_have_fired(lay: Lay) -> None:
    case = lay(french="1 0804", germans="122 0808", dice={"fire:*": "6 6"})
    case.turn(french="1 N 0808", germans="122 N 0804")
    kinds = [type(event) for event in case.all_events()]
    assert kinds.index(ResultsApplied) > max(place for place, kind in enumerate(kinds) if kind is FireResolved)
    ended = [event.phase for event in case.all_events() if isinstance(event, PhaseEnded)]
    assert ended == ["plot", "panic", "combat", "panic_plot", "movement", "recovery"]


@pytest.mark.rule("KP-9.92a", "KP-9.91a")
def test_a_tank_killed_by_fire_is_a_wreck_only_after_movement(lay: Lay) -> None:
    case = lay(french="1 0805", germans="122 0806; 94 0809", dice={"fire:*": "1"})
    case.turn(french="1 N 0806", germans="94 C1")
    kinds = [type(event) for event in case.all_events()]
    assert kinds.index(WrecksLeft) > kinds.index(UnitsMoved)
    assert case.state.wrecks == ["0806"]


@pytest.mark.rule("R-KP-90", "KP-14.0a")
def test_the_order_of_attacks(lay: Lay) -> None:
    case = lay(
        french="1 0804; 2 1204; 3 0404; 4 1205",
        germans="105 0810; 106 1210; 107 0410",
        dice={"fire:*": " ".join("6" for _ in range(7))},
    )
    case.turn(
        group("french", "2", "4"),
        french="1 N 0810; 2 N 1210; 3 N 0410; 4 N 1210",
        germans="105 N 0804; 106 N 1204; 107 N 0404",
    )
    order = [(event.hex, event.firers) for event in case.events(FireResolved)]
    french = [("0410", ["3"]), ("0810", ["1"]), ("1210", ["2"]), ("1210", ["4"])]
    assert order == [*french, ("0404", ["107"]), ("0804", ["105"]), ("1204", ["106"])]


@pytest.mark.rule("KP-9.0f", "KP-9.0g", "KP-9.11a", "KP-9.24b")
def test_fire_of_the_combat_phase_is_told_apart_from_opportunity_fire(lay: Lay) -> None:
    direct = lay(french="1 0805; 2 0806", germans="94 0808", dice={"fire:*": "6"})
    direct.upto(french="1 N 0808; 2 N 0808")
    assert (direct.asked.rule, direct.asked.side) == ("KP-9.11a", "french")
    shot = direct.answer(group("french", "1 2")).one(FireResolved)
    assert (shot.opportunity, shot.rule) == (False, "KP-9.0e")
    weak = lay(french="6 0802", germans="112 0808").turn(french="6 N 0808").one(FireWithheld)  # 2 - 1 - 8
    assert (weak.opportunity, weak.rule, weak.superiority) == (False, "KP-9.7b", -7)
    passing = lay(french="1 0803; 2 0802", germans="94 0708", dice={"fire:*": "6"})
    passing.upto(french="1 P 0810; 2 P 0810", germans="94 C2")
    assert passing.asked.rule == "KP-9.24b"
    shot = passing.answer(group("french", "1 2")).one(FireResolved)
    assert (shot.opportunity, shot.rule) == (True, "KP-9.24a")
