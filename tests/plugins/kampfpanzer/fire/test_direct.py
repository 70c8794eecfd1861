"""Direct fire in the combat phase: sections 9.0, 9.1, 9.4, 9.5, 9.7, 9.8 and 10.2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.kampfpanzer.cases import group
from tests.plugins.kampfpanzer.model.test_tables import COMBAT, cells
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import (
    FacingChanged,
    FireResolved,
    FireWithheld,
    OverrunResolved,
    UnitsFrozen,
    UnitsMoved,
)
from kampfpanzer.model.orders import GroupFire
from sandtable.errors import IllegalOrder

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import NewCase

PIN = "fire:* 6"


def duel(new_case: NewCase, firer: str, victim: str, hexes: int, die: int = 6, **rest: Any) -> Case:
    """Let a French unit in 0802 fire down the column at a German unit; guns face their target."""
    at = f"08{2 + hexes:02}"
    facing = " D" if firer in {"35", "38", "62"} else ""
    own = " A" if victim in {"115", "39"} else ""
    case = new_case(french=f"{firer} 0802{facing}", germans=f"{victim} {at}{own}", dice={"fire:*": str(die)}, **rest)
    return case.turn(french=f"{firer} N {at}")


# --- strengths: range and weapons ---


@pytest.mark.rule("KP-9.0e", "KP-9.18a", "KP-9.51a", "KP-9.51c", "KP-9.51d", "KP-3.24a", "KP-3.24b", "KP-3.24e")
@pytest.mark.parametrize(
    ("firer", "victim", "hexes", "strength", "superiority"),
    [
        ("11", "94", 1, 8, 5),  # A at hard
        ("11", "94", 2, 4, 1), ("11", "94", 5, 4, 1), ("11", "94", 6, 3, 0), ("11", "94", 10, 3, 0),
        ("1", "94", 11, 3, 0), ("1", "94", 15, 3, 0), ("6", "122", 6, 1, -1), ("35", "94", 1, 4, 1),
        ("35", "138", 5, 2, 1),  # A at soft
        ("19", "94", 1, 12, 8),  # M at hard
        ("19", "105", 2, 6, 2),
        ("19", "105", 6, 5, 1),
        ("19", "112", 5, 12, 4),  # M at soft
        ("19", "112", 1, 24, 8),
        ("19", "112", 10, 10, 2),
        ("29", "138", 5, 4, 3),  # R at soft
        ("29", "112", 1, 8, 0),
        ("29", "138", 10, 3, 2),
        ("48", "112", 5, 5, -3),
    ],
)  # fmt: skip
def test_strength_depends_on_range_weapon_and_target(
    new_case: NewCase, firer: str, victim: str, hexes: int, strength: int, superiority: int
) -> None:
    shot = duel(new_case, firer, victim, hexes).one(FireResolved)
    assert (shot.firers, shot.targets, shot.hex) == ([firer], [victim], f"08{2 + hexes:02}")
    assert (shot.strengths, shot.superiority, shot.addition, shot.cover) == ([strength], superiority, 0, "")


@pytest.mark.rule("KP-9.18a", "R-KP-42")
@pytest.mark.parametrize(
    ("option", "attack", "hexes", "strength"),
    [("0", 6, 16, 3), ("0", 6, 20, 3), ("0", 2, 16, 0), ("none", 2, 16, -1), ("none", 6, 16, 3), ("0", 1, 6, 0)],
)
def test_range_beyond_printed_columns_follows_the_option(
    new_case: NewCase, option: str, attack: int, hexes: int, strength: int
) -> None:
    kinds = {"kinds": {"S35": {"range_hexes": 20, "attack": attack}}}
    shot = duel(new_case, "1", "91", hexes, more=kinds, attack_floor=option).one(FireResolved)
    assert (shot.strengths, shot.superiority) == ([strength], strength - 1)


# --- legal targets ---

WRONG = ("N", "N 0805/112/115", "N 0805 0905", "N 0805/94", "N 0905/112", "N 0805/999", "N 0805/1")
RIGHT = ("N 0805", "N 0805/112", "N0805 / 115", "N 0905/94")


@pytest.mark.rule(
    "KP-3.24c KP-3.24f KP-5.21a KP-5.21b KP-5.21c KP-5.21d KP-5.21e KP-5.4a KP-9.0b KP-9.0h KP-9.12a KP-9.13b"
    " KP-9.17a KP-9.51b KP-9.51e R-KP-26"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-9.51b KP-3.24f", f"small_arms_{firer}_at_{victim}", f"{firer} 0802", f"{victim} 0804",
              refused={f"{firer} N 0804": "KP-9.51b"}) for firer in ("29", "48", "58") for victim in ("94", "52",
              "146")),
        row("KP-9.0b KP-9.51e KP-5.21a KP-5.21c KP-5.4a KP-9.0h", "fire_by_weapon",
            "39 0802 D; 1 0902; 19 0702; 29 0602", "112 0806",
            refused={"39 N 0806": True, "39 P 0805": "KP-9.0h", "39 T 0806": "", "39 L 0806": ""}
            | {f"{unit} {code} 0806": True for unit in ("1", "19", "29") for code in "TL"}
            | {f"{unit} N 0806": "" for unit in ("1", "19", "29")}),
        *(row("KP-9.13b KP-3.24c KP-9.17a", f"range_of_{name}", firer, f"138 {last}; 139 {beyond}",
              refused={f"{firer.split()[0]} N {last}": "", f"{firer.split()[0]} N {beyond}": "KP-9.13b"})
          for name, firer, last, beyond in (
              ("tank_down", "6 0802", "0810", "0811"), ("tank_north_east", "6 0808", "1604", "1603"),
              ("tank_south_east", "6 0808", "1612", "1613"), ("infantry", "29 0802", "0812", "0813"))),
        row("KP-5.21b KP-5.21d KP-5.21e KP-9.12a", "hex_and_one_unit", "1 0802", "112 0805; 115 0805 A; 94 0905",
            refused={f"1 {text}": "" for text in RIGHT} | {f"1 {text}": True for text in WRONG}),
        row("R-KP-26", "empty_hex", "1 0802; 2 0806", "94 0807", refused={"1 N 0805": "R-KP-26",
            "1 N 0806": "R-KP-26"}),
        row("R-KP-26", "empty_hex_wasted", "1 0802; 2 0806", "94 0807", fire_at_empty_hex="wasted",
            refused={"1 N 0805": ""}, f="1 N 0805", fire=""),
    ],
)  # fmt: skip
def test_direct_fire_plots_are_legal_or_refused(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


# --- combined fire ---

STACK = "112 0806; 115 0806 A"


@pytest.mark.rule("KP-9.0d KP-9.11a KP-9.11b KP-9.11c KP-9.12b KP-9.7b KP-9.7c R-KP-25")
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-9.12b KP-9.11b", "one_result_for_two_units", "19 0804; 20 0904", STACK, dice="fire:0806:* 6",
            reply=[group("french", "19 20")], f="19 N 0806; 20 N 0806", levels="112 4; 115 4",
            one=(FireResolved, {"strengths": [12, 12], "defense": 12, "superiority": 8, "result": "D4"})),
        *(row("KP-9.11a KP-9.11c KP-9.0d KP-9.7c", f"groups_{number}", "1 0802; 2 0902; 11 0702", "94 0806",
              dice=f"fire:*{' 6' * len(groups)}", reply=[group("french", *groups)], f="1 N 0806; 2 N 0806; 11 N 0806",
              fire=fire)
          for number, (groups, fire) in enumerate((
              (["1 2 11"], "1+2+11>94 8"), (["1 2", "11"], "1+2>94 7; 11>94 1"), (["1", "2 11"], "1>94 2; 2+11>94 6"),
              (["1", "2", "11"], "11>94 1; 1>94 2; 2>94 2"), (["11 1", "2"], "1+11>94 6; 2>94 2")))),
        row("KP-9.7b KP-9.11a", "only_together", "11 0804; 12 0904", "52 0808", dice="fire:* 4",
            f="11 N 0808; 12 N 0808", fire="11+12>52 0"),
        row("KP-9.7b", "too_weak_together", "6 0802; 7 0903", "52 0810", f="6 N 0810; 7 N 0810", fire="",
            withheld="6+7 -6"),
        row("R-KP-25", "different_targets", "1 0804; 2 0904", STACK, dice=PIN, f="1 N 0806; 2 N 0806/115",
            fire="2>115 1", withheld="1 -7"),
        row("R-KP-25", "overlapping_targets", "19 0804; 20 0904", STACK, dice="fire:* 1",
            combine_identical_targets="any_overlap", reply=[group("french", "19 20")], f="19 N 0806; 20 N 0806/115",
            fire="19+20>112+115 8"),
    ],
)  # fmt: skip
def test_combined_fire_is_grouped_by_target(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-9.7b", "KP-9.11a")
def test_too_weak_fire_group_is_refused(new_case: NewCase) -> None:
    case = new_case(french="6 0802; 1 0905; 2 0705", germans="52 0808", dice={"fire:*": "6 6"})
    case.upto(french="6 N 0808; 1 N 0808; 2 N 0808")
    assert case.pending.side == "french"
    assert case.refuses("french", GroupFire([["6"], ["1", "2"]])) == "KP-9.7b"
    with pytest.raises(IllegalOrder, match="superiority -7"):
        case.game.submit(GroupFire([["6"], ["1", "2"]]), "french")
    assert case.refuses("french", GroupFire([["1", "2"]])) == "KP-9.11a"  # each firer is in a group
    case.answer(group("french", "6 1", "2"))
    assert sorted(value for _, _, value in case.fire()) == [-3, -2]


# --- the results table ---

REACHED = [
    (-3, "1", "52", 2), (-2, "19", "52", 2), (-1, "1", "48", 2), (0, "1", "20", 2), (1, "1", "105", 2),
    (2, "1", "94", 2), (3, "1", "122", 2), (4, "1", "91", 2), (5, "19", "91", 2), (6, "1", "105", 1),
    (7, "1", "94", 1), (8, "1", "122", 1),
    (8, "1", "91", 1),  # 10 - 1 = 9
]  # fmt: skip


@pytest.mark.rule("KP-9.7a", "KP-9.7c", "KP-3.3a", "KP-9.71b")
@pytest.mark.parametrize(("superiority", "firer", "victim", "hexes"), REACHED)
def test_combat_results_match_the_table(
    new_case: NewCase, superiority: int, firer: str, victim: str, hexes: int
) -> None:
    for die in range(1, 7):
        result = cells(COMBAT)[str(die), f"{superiority:+}" if superiority else "0"]
        case = duel(new_case, firer, victim, hexes, die)
        shot = case.one(FireResolved)
        assert (shot.superiority, shot.die, shot.result) == (superiority, die, result)
        assert case.level(victim) == (0 if result == "P" else int(result[1]))
        assert case.pinned() == ([victim] if result == "P" else [])


# --- results are applied at the end of the phase ---


@pytest.mark.rule(
    "KP-2.0b KP-4.1c KP-5.0e KP-5.0f KP-5.0g KP-6.0a KP-9.0f KP-9.71c KP-9.71d KP-9.71e KP-9.81a KP-9.81b R-KP-54"
)
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-5.0e KP-5.0f KP-9.81a KP-2.0b KP-9.0f KP-4.1c", "units_hit_each_other", "1 0804", "122 0805",
            dice="fire:0805:122 1; fire:0804:1 1", f="1 N 0805", g="122 N 0804", levels="1 3; 122 4"),
        *(row("KP-5.0e KP-9.71d KP-9.71e", f"dice_{dice.replace(' ', '_')}", "1 0804; 2 0904", "94 0806",
              dice=f"fire:0806:94 {dice}", reply=[group("french", "1", "2")], f="1 N 0806; 2 N 0806",
              levels=f"94 {level}", pinned=pinned)
          for dice, level, pinned in (("6 6", 0, "94"), ("6 5", 1, ""), ("5 6", 1, ""), ("5 5", 2, ""), ("3 1", 4, ""),
                                      ("1 6", 3, ""), ("1 5", 4, ""))),
        *(row("KP-9.81b KP-9.71c KP-6.0a KP-5.0g", f"disrupted_{plot.replace(' ', '_')}", "1 0804", german,
              dice="fire:* 4", f="1 N 0808", g=plot, levels=f"{plot.split()[0]} 1", at=f"{plot.split()[0]} 0808",
              hexes=f"{plot.split()[0]}", never=(FacingChanged,))
          for german, plot in (("94 0808", "94 D2"), ("115 0808 A", "115 C"))),
        *(row("R-KP-54", f"pinned_overrunner_{option}", "1 0804; 29 0810", "94 0808", dice=PIN, overrun_freeze=option,
              f="1 N 0808; 29 D1", g="94 D1 VD", at=at, **frozen)
          for option, at, frozen in (
              ("if_overrun_survives_to_phase_e", "29 0811", {"never": (UnitsFrozen,)}),
              ("always", "29 0810", {"one": (UnitsFrozen, {"units": ["29"]})}))),
    ],
)  # fmt: skip
def test_results_are_accumulated_and_applied_by_phase(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-9.72a", "KP-9.71a", "R-KP-80", "KP-5.0g", "KP-6.0a")
@pytest.mark.parametrize(
    ("german", "plot", "french"),
    [
        ("94 0808", "94 D2", "1 0804"),
        ("94 0808", "94 D1 VD", "1 0804; 29 0810"),
        ("112 0808; 138 0809", "112 M; 138 M 0808", "1 0804"),
        ("138 0808; 112 0809", "112 M; 138 M 0809", "6 0804"),
        ("138 0808; 112 aboard 138", "112 Q; 138 Q 0809", "6 0804"),
        ("115 0808 A", "115 C", "1 0804"),
    ],
)
def test_pin_cancels_all_but_fire(new_case: NewCase, german: str, plot: str, french: str) -> None:
    case = new_case(french=french, germans=german, dice={"fire:*": "6"})
    before = {unit_id: (unit.hex, unit.carrier, unit.facing) for unit_id, unit in case.state.units.items()}
    firer = french.partition(" ")[0]
    case.turn(french=f"{firer} N 0808", germans=plot)
    assert case.pinned()
    assert {unit_id: (unit.hex, unit.carrier, unit.facing) for unit_id, unit in case.state.units.items()} == before
    assert case.never(UnitsMoved, OverrunResolved, FacingChanged)
    assert not any(unit.pinned for unit in case.state.units.values())


@pytest.mark.rule("R-KP-90", "KP-14.0a")
def test_attacks_are_resolved_by_side_and_hex(new_case: NewCase) -> None:
    case = new_case(
        french="1 0804; 2 1204; 3 0404; 4 1205", germans="105 0810; 106 1210; 107 0410", dice={"fire:*": "6 " * 7}
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
def test_direct_and_opportunity_fire_are_distinguished(new_case: NewCase) -> None:
    direct = new_case(french="1 0805; 2 0806", germans="94 0808", dice={"fire:*": "6"})
    direct.upto(french="1 N 0808; 2 N 0808")
    assert (direct.pending.rule, direct.pending.side) == ("KP-9.11a", "french")
    shot = direct.answer(group("french", "1 2")).one(FireResolved)
    assert (shot.opportunity, shot.rule) == (False, "KP-9.0e")
    weak = new_case(french="6 0802", germans="112 0808").turn(french="6 N 0808").one(FireWithheld)  # 2 - 1 - 8
    assert (weak.opportunity, weak.rule, weak.superiority) == (False, "KP-9.7b", -7)
    passing = new_case(french="1 0803; 2 0802", germans="94 0708", dice={"fire:*": "6"})
    passing.upto(french="1 P 0810; 2 P 0810", germans="94 C2")
    assert passing.pending.rule == "KP-9.24b"
    shot = passing.answer(group("french", "1 2")).one(FireResolved)
    assert (shot.opportunity, shot.rule) == (True, "KP-9.24a")
