"""Entry and exit of units (14.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.kampfpanzer.rows import OBSERVED, Row, play, row

from kampfpanzer.model.events import EntryMissed, FireTriggered, UnitsExited
from kampfpanzer.model.state import EXITED, ON_MAP, WAITING

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase, Stage

# --- entering ---

FIVE = ("94", "95", "96", "97", "98")
SOUTH = {unit: steps for steps, unit in enumerate(FIVE, start=1)}


@pytest.mark.rule(
    "KP-10.0a KP-12.2b KP-14.0d KP-14.0f KP-14.0g KP-14.0h KP-6.0c KP-6.3a KP-6.4b KP-6.4d KP-7.0a KP-7.0b KP-9.23a"
    " KP-9.32c KP-9.62a KP-9.6d R-KP-07 R-KP-20 R-KP-22 R-KP-39 R-KP-47"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-14.0d KP-14.0g R-KP-20 KP-10.0a", name, "", f"{unit} enters 0801", **ground, g=f"{unit} 0801 D2",
              track=f"{unit} {track}", standing=f"{unit} {ON_MAP}")
          for name, unit, ground, track in (
              ("tank", "94", {}, "2:0801 4:0802 6:0803"), ("truck", "138", {}, "4:0801 8:0802 12:0803"),
              ("tank_in_woods", "94", {"woods": "0801"}, "6:0801 8:0802 10:0803"),
              ("truck_in_town", "138", {"town": "0801"}, "1:0801 5:0802 9:0803"),
              ("road", "94", {"road": "0801 0802 0803"}, "2:0801 3:0802 4:0803"),
              ("wreck", "94", {"wrecks": "0801"}, "4:0801 6:0802 8:0803"))),
        row("KP-14.0g KP-6.0c KP-14.0d", "allowance", "6 enters 0801; 29 enters 0801",
            refused={"6 0801 D5; 29 0801": "", "6 0801 D6; 29 0801": "KP-6.0c", "6 0801 D5; 29 0801 D1": "KP-6.0c"}),
        row("KP-14.0f KP-7.0a KP-7.0b", "any_number_by_one_hex", "", "; ".join(f"{unit} enters 0801" for unit in FIVE),
            refused={"94 0801 D1; 95 0801 D1; 96 0801 D2; 97 0801 D3; 98 0801 D4": "KP-7.0a"},
            g="; ".join(f"{unit} 0801 D{steps}" for unit, steps in SOUTH.items()),
            at="94 0802; 95 0803; 96 0804; 97 0805; 98 0806"),
        row("R-KP-20 KP-14.0d", "range_of_entry_hexes", "", "94 enters 0801/0901/1001",
            refused={"94 0801": "", "94 0901": "", "94 1001": "", "94 1101": True, "94 0802": True}),
        row("R-KP-20 R-KP-07 KP-7.0a", "friend_leaves_the_entry_hex", "29 0902", "94 enters 0801; 95 0801",
            g="94 0801 D3; 95 E1", at="94 0801; 95 0702"),
        row("R-KP-20 KP-6.3a", "later_unit_passes", "29 0804", "94 enters 0801; 138 enters 0801",
            g="94 0801 D5; 138 0801 E1", at="94 0803; 138 0702"),
        row("R-KP-20 KP-6.4b KP-6.4d", "contest_won", "6 0802", "94 enters 0801", f="6 A1", g="94 0801",
            at="6 0802; 94 0801"),
        row("R-KP-20 KP-6.4b KP-6.4d", "contest_lost", "58 0802", "94 enters 0801", f="58 A1", g="94 0801",
            at="58 0801; 94 -"),
        *(row("KP-14.0h KP-12.2b KP-14.0d", f"passenger_{rider}", "", f"138 enters 0801; {rider} aboard 138",
              g="138 0801 D2", at=f"138 0803; {rider} 0803", standing=f"{rider} {ON_MAP}") for rider in ("112", "115")),
        # the shot only pins
        row("R-KP-47 KP-9.32c R-KP-39 KP-9.23a", "shelled_and_shot_at", "39 0820 A; 35 0805 A", "138 enters 0801",
            dice="shell:138:39 1; fire:0802:138 6", f="39 T 0801; 35 P 0802", g="138 0801 D1 C2",
            shelled="138 0801 moving D1", one=(FireTriggered, {"hex": "0802"}), levels="138 1"),
        row("KP-9.6d KP-9.62a KP-14.0g", "overrun", "29 0803", "94 enters 0801", dice="overrun:0803 6",
            g="94 0801 D1 VD", track="94 2:0801 4:0802 6:0803 12:0804"),
        row("R-KP-20", "zone_at_the_entry_hex", "29 0106", "94 enters 0105; 95 enters 0105; 112 enters 0105",
            g="94 0105 B1; 95 0105 A1; 112 0105", at="94 0105; 95 -",
            stops="95 0105 entry; 94 0105 zone; 112 0105 entry",
            one=(EntryMissed, {"units": ["95", "112"]})),
        row("R-KP-20 R-KP-22 KP-14.0g", "enemy_in_the_entry_hex_of_one", "138 0105", "94 enters 0105; 95 enters 0103",
            g="94 0105 D1; 95 0103 B1", at="94 -; 95 0202", track="95 2:0103 4:0202",
            one=(EntryMissed, {"units": ["94"], "lost": False})),
    ],
)  # fmt: skip
def test_units_enter_by_their_entry_hexes(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-14.0d", "R-KP-22", "KP-14.0e")
@pytest.mark.parametrize(
    "sheet",
    ["", "1 0801", "1 0801; 94 0802", "94 0801", "94 D1", "94 0901 D1", "94 0801 N 0805", "94 0801 S20 D1",
    "94 0801 A1",
     "95 0801"],
)  # fmt: skip
def test_due_unit_must_enter_by_its_hex(new_case: NewCase, sheet: str) -> None:
    case = new_case(french="1 1212", germans="94 enters 0801; 95 enters 0801 turn 2; 96 0405")
    assert (case.refused(sheet, "germans") == "") == (sheet == "94 0801")


@pytest.mark.rule("KP-14.0d", "R-KP-22")
def test_unit_enters_on_its_turn(new_case: NewCase) -> None:
    case = new_case(french="1 1212", germans="95 enters 0801 turn 2; 96 0405")
    assert case.refused("95 0801") != ""
    case.turn()
    assert case.refused("96 D1") != ""  # 95 is due and has no plot
    assert case.turn(germans="95 0801 D1").at("95") == "0802"


@pytest.mark.rule("KP-14.0f", "R-KP-20", "KP-7.0a")
def test_unit_waits_if_the_entry_hex_is_full(new_case: NewCase) -> None:
    # infantry on foot reaches only its entry hex, and still requires a plot
    case = new_case(germans="112 enters 0801; 113 enters 0801").turn(germans="112 0801; 113 0801")
    assert case.at("112", "113") == "0801 -"
    assert case.turn(germans="112 D1; 113 0801").at("112", "113") == "0802 0801"


@pytest.mark.rule("R-KP-20", "R-KP-22", "KP-7.0c")
@pytest.mark.parametrize(("option", "later"), [("allowed_if_blocked", True), ("never", False)])
def test_enemy_in_the_entry_hex_delays_or_excludes_the_unit(new_case: NewCase, option: str, later: bool) -> None:
    case = new_case(french="138 0801", germans="94 enters 0801; 95 0405", entry_delay=option).turn(germans="94 0801 D2")
    missed = case.one(EntryMissed)
    assert (missed.units, missed.lost, case.at("94")) == (["94"], not later, "-")
    assert (case.state.units["94"].standing, case.state.missed) == (WAITING, [] if later else ["94"])
    assert (case.refused("94 0801 D2") == "") == later
    if later:
        case.turn(french="138 D4", germans="94 0801")  # too late
        assert case.at("94") == "-"
        assert case.turn(germans="94 0801").at("94") == "0801"
    else:
        assert case.refused("95 D1") == ""


@pytest.mark.rule("R-KP-20", "KP-6.3a", "KP-14.0f")
def test_enemy_zone_at_the_entry_hex_delays_the_next_unit(new_case: NewCase) -> None:
    case = new_case(french="29 0902", germans="94 enters 0801; 95 enters 0801").turn(germans="94 0801 D3; 95 0801 D2")
    # 29 in 0902 has a zone in 0801, where one tank stops and blocks the other
    assert case.at("94", "95") == "0801 -"
    assert case.one(EntryMissed).units == ["95"]
    case.turn(french="29 D1", germans="94 E2; 95 0801")
    assert case.at("95") == "0801"


# --- leaving ---

WAY_OUT: dict[str, Any] = {"more": {"exits": {"germans": "0801 0901"}}}
LOAD = {"94": "", "138": "; 112 aboard 138", "146": "; 112 aboard 146"}


@pytest.mark.rule("KP-12.2b KP-14.0i KP-14.0j KP-6.0c KP-6.3a KP-7.0a KP-7.0c KP-8.0d R-KP-07 R-KP-10 R-KP-21")
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-14.0i R-KP-21", f"{unit}_{option}", "", f"{unit} 0803{LOAD[unit]}", **WAY_OUT, map_exit=option,
              g=f"{unit} A3", one=(UnitsExited, {"tick": tick, "edges": {unit: "0801"}}), at=f"{unit} -",
              standing=f"{unit} {EXITED}")
          for option, unit, tick in (("clear_cost", "94", 6), ("clear_cost", "138", 12), ("free", "94", 4),
                                     ("free", "138", 8))),
        *(row("R-KP-21 KP-6.0c", f"cost_{option}_{hexes}", "", f"6 08{hexes:02}", **WAY_OUT, map_exit=option,
              refused={f"6 A{hexes}": "" if hexes == steps else True})
          for option, steps in (("clear_cost", 6), ("free", 7)) for hexes in (steps, steps + 1)),
        # only by its exit hexes; in a column that begins higher, three hexsides lead off the map
        row("R-KP-21 KP-14.0i", "exit_hexes", "1 0702", "94 0802; 95 0902; 96 1002", **WAY_OUT,
            refused={"94 A2": "", "95 A2": "", "95 A1 B1": "", "95 A1 F1": "", "96 A2": True, "1 A2": True,
                     "94 A3": True, "94 A2 D1": True, "94 A2 S1": True}),
        row("KP-14.0i KP-12.2b KP-14.0j", "passenger", "", f"146 0802{LOAD['146']}", **WAY_OUT, g="146 A2",
            standing=f"146 {EXITED}; 112 {EXITED}"),
        row("KP-14.0i KP-14.0j", "empty_vehicles", "", "138 0802; 146 0902", **WAY_OUT,
            refused={"138 A2": "KP-14.0i", "146 A2": "KP-14.0i"}),
        row("KP-8.0d KP-6.3a R-KP-21", "held_by_a_zone", "29 0902", "94 0803", **WAY_OUT, g="94 A3", at="94 0802"),
        row("KP-8.0d KP-6.3a R-KP-21", "no_zone_off_the_map", "29 0802", "94 0801", **WAY_OUT, g="94 A1",
            standing=f"94 {EXITED}"),
        row("R-KP-07 R-KP-10 KP-7.0c", "another_enters", "1 enters 0801", "94 0801", **WAY_OUT, f="1 0801", g="94 A1",
            standing=f"94 {EXITED}", at="1 0801"),
        row("KP-14.0i R-KP-21", "infantry", "", "112 0801", **WAY_OUT, g="112 A1", standing=f"112 {EXITED}"),
        row("KP-14.0i KP-7.0a", "many_by_one_hex", "", "94 0802; 95 0803; 96 0804", **WAY_OUT, g="94 A2; 95 A3; 96 A4",
            standing=f"94 {EXITED}; 95 {EXITED}; 96 {EXITED}"),
    ],
)  # fmt: skip
def test_units_exit_by_their_exit_hexes(new_case: NewCase, turn: Row) -> None:
    case = play(new_case, turn)
    for unit, standing in OBSERVED["standing"](case, "94" if "94" in case.state.units else "").items():
        assert standing != EXITED or case.refused(f"{unit} 0801", "germans") != ""


@pytest.mark.rule("KP-14.7.2", "R-KP-78")
@pytest.mark.parametrize(("option", "fires"), [("no_movement_or_overrun", True), ("no_operation", False)])
def test_french_do_not_move_on_the_first_turn(stage: Stage, option: str, fires: bool) -> None:
    case = stage("flavion", french="11 2138; 6 2338", germans="122 2142; 112 2343", flavion_turn1=option)
    assert case.refused("11 A1") in {"KP-14.7.2", "R-KP-78"}
    assert case.refused("6 D4 VD") != ""
    assert (case.refused("6 P 2334") == "") == fires
    case.turn(germans="122 A1")
    assert case.at("11", "122") == "2138 2141"
    assert case.refused("11 A1") == ""
