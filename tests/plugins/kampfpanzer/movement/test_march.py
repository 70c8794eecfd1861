"""Entering and leaving the map, 14.0, and setting up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kampfpanzer.model.events import EntryMissed, FireTriggered, ForceDeployed, UnitsExited, UnitShelled
from kampfpanzer.model.orders import Deploy
from kampfpanzer.model.state import EXITED, ON_MAP, WAITING
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Game

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay, Prepare, Stage

from tests.plugins.kampfpanzer.cases import TableDice

# --- entering ---


@pytest.mark.rule("KP-14.0d", "KP-14.0g", "R-KP-20", "KP-10.0a")
@pytest.mark.parametrize(
    ("unit", "ground", "track"),
    [
        ("94", {}, [(2, "0801"), (4, "0802"), (6, "0803")]),
        ("138", {}, [(4, "0801"), (8, "0802"), (12, "0803")]),
        ("94", {"woods": "0801"}, [(6, "0801"), (8, "0802"), (10, "0803")]),
        ("138", {"town": "0801"}, [(1, "0801"), (5, "0802"), (9, "0803")]),
        ("94", {"road": "0801 0802 0803"}, [(2, "0801"), (3, "0802"), (4, "0803")]),
        ("94", {"wrecks": "0801"}, [(4, "0801"), (6, "0802"), (8, "0803")]),
    ],
)
def test_the_entry_hex_is_paid_for(lay: Lay, unit: str, ground: dict[str, str], track: list[tuple[int, str]]) -> None:
    case = lay(germans=f"{unit} enters 0801", **ground).turn(germans=f"{unit} 0801 D2")
    assert case.track(unit) == track
    assert case.state.units[unit].standing == ON_MAP


@pytest.mark.rule("KP-14.0g", "KP-6.0c", "KP-14.0d")
def test_and_counts_against_the_allowance(lay: Lay) -> None:
    case = lay(french="6 enters 0801; 29 enters 0801")
    assert case.refused("6 0801 D5; 29 0801") == ""
    assert case.refused("6 0801 D6; 29 0801") in {"KP-5.1d", "KP-6.0c", "KP-14.0g"}
    assert case.refused("6 0801 D5; 29 0801 D1") in {"KP-5.1d", "KP-6.0c", "KP-14.0g"}


@pytest.mark.rule("KP-14.0d", "R-KP-22", "KP-14.0e")
@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "1 0801",
        "1 0801; 94 0802",
        "94 0801",
        "94 D1",
        "94 0901 D1",
        "94 0801 N 0805",
        "94 0801 S20 D1",
        "94 0801 A1",
        "95 0801",
    ],
)
def test_who_is_due_must_enter_by_his_hex(lay: Lay, sheet: str) -> None:
    case = lay(french="1 1212", germans="94 enters 0801; 95 enters 0801 turn 2; 96 0405")
    expected = {"94 0801": True}
    assert (case.refused(sheet, "germans") == "") == expected.get(sheet, False)


@pytest.mark.rule("KP-14.0d", "R-KP-22")
def test_not_before_its_turn(lay: Lay) -> None:
    case = lay(french="1 1212", germans="95 enters 0801 turn 2; 96 0405")
    assert case.refused("95 0801") != ""
    case.turn()
    assert case.refused("96 D1") != ""  # without 95, who is due now
    assert case.turn(germans="95 0801 D1").at("95") == "0802"


@pytest.mark.rule("KP-14.0f", "KP-7.0a", "KP-7.0b")
def test_any_number_by_one_hex_if_they_do_not_end_together(lay: Lay) -> None:
    units = ("94", "95", "96", "97", "98")
    case = lay(germans="; ".join(f"{unit} enters 0801" for unit in units))
    sheet = "; ".join(f"{unit} 0801 D{steps}" for steps, unit in enumerate(units, start=1))
    assert case.refused("94 0801 D1; 95 0801 D1; 96 0801 D2; 97 0801 D3; 98 0801 D4") == "KP-7.0a"
    assert case.turn(germans=sheet).at(*units) == "0802 0803 0804 0805 0806"


@pytest.mark.rule("KP-14.0f", "R-KP-20", "KP-7.0a")
def test_who_finds_the_entry_hex_full_waits(lay: Lay) -> None:
    # Infantry on foot gets no farther than its entry hex, and has to be plotted all the same.
    case = lay(germans="112 enters 0801; 113 enters 0801").turn(germans="112 0801; 113 0801")
    assert case.at("112", "113") == "0801 -"
    assert case.turn(germans="112 D1; 113 0801").at("112", "113") == "0802 0801"


@pytest.mark.rule("R-KP-20", "KP-14.0d")
def test_a_range_of_entry_hexes(lay: Lay) -> None:
    case = lay(germans="94 enters 0801/0901/1001")
    assert [case.refused(f"94 {hex_}") == "" for hex_ in ("0801", "0901", "1001", "1101", "0802")] == [True] * 3 + [
        False
    ] * 2


@pytest.mark.rule("R-KP-20", "R-KP-22", "KP-7.0c")
@pytest.mark.parametrize(("option", "later"), [("allowed_if_blocked", True), ("never", False)])
def test_an_enemy_in_the_entry_hex(lay: Lay, option: str, later: bool) -> None:
    case = lay(french="138 0801", germans="94 enters 0801; 95 0405", entry_delay=option).turn(germans="94 0801 D2")
    missed = case.one(EntryMissed)
    assert (missed.units, missed.lost, case.at("94")) == (["94"], not later, "-")
    assert case.state.units["94"].standing == WAITING
    assert (case.refused("94 0801 D2") == "") == later
    if later:
        case.turn(french="138 D4", germans="94 0801")  # too late
        assert case.at("94") == "-"
        assert case.turn(germans="94 0801").at("94") == "0801"
    else:
        assert case.refused("95 D1") == ""


@pytest.mark.rule("R-KP-20", "KP-6.3a", "KP-14.0f")
def test_an_enemy_zone_at_the_entry_hex(lay: Lay) -> None:
    case = lay(french="29 0902", germans="94 enters 0801; 95 enters 0801").turn(germans="94 0801 D3; 95 0801 D2")
    # 0902 has a zone in 0801: one stops there, and there is no room for the other
    assert case.at("94", "95") == "0801 -"
    assert case.one(EntryMissed).units == ["95"]
    case.turn(french="29 D1", germans="94 E2; 95 0801")
    assert case.at("95") == "0801"


@pytest.mark.rule("R-KP-20", "R-KP-07", "KP-7.0a")
def test_a_friend_who_leaves_the_entry_hex_at_that_moment_makes_room(lay: Lay) -> None:
    case = lay(french="29 0902", germans="94 enters 0801; 95 0801").turn(germans="94 0801 D3; 95 E1")
    assert case.at("94", "95") == "0801 0702"


@pytest.mark.rule("R-KP-20", "KP-6.3a")
def test_later_comers_pass_when_the_first_has_gone_on(lay: Lay) -> None:
    case = lay(french="29 0804", germans="94 enters 0801; 138 enters 0801").turn(germans="94 0801 D5; 138 0801 E1")
    assert case.at("94", "138") == "0803 0702"


@pytest.mark.rule("R-KP-20", "KP-6.4b", "KP-6.4d")
def test_a_race_for_the_entry_hex(lay: Lay) -> None:
    case = lay(french="6 0802", germans="94 enters 0801").turn(french="6 A1", germans="94 0801")
    assert (case.at("6"), case.at("94")) == ("0802", "0801")
    case = lay(french="58 0802", germans="94 enters 0801").turn(french="58 A1", germans="94 0801")
    assert (case.at("58"), case.at("94")) == ("0801", "-")


@pytest.mark.rule("KP-14.0h", "KP-12.2b", "KP-14.0d")
@pytest.mark.parametrize("rider", ["112", "115"])
def test_passengers_enter_with_their_vehicle(lay: Lay, rider: str) -> None:
    case = lay(germans=f"138 enters 0801; {rider} aboard 138").turn(germans="138 0801 D2")
    assert case.at("138", rider) == "0803 0803"
    assert case.state.units[rider].standing == ON_MAP


@pytest.mark.rule("R-KP-47", "KP-9.32c", "R-KP-39", "KP-9.23a")
def test_entering_is_moving(lay: Lay) -> None:
    dice = {"shell:138:39": "1", "fire:0802:138": "6"}
    case = lay(french="39 0820 A; 35 0805 A", germans="138 enters 0801", dice=dice)
    case.turn(french="39 T 0801; 35 P 0802", germans="138 0801 D1 C2")
    assert [(event.hex, event.column) for event in case.events(UnitShelled)] == [("0801", "moving")]
    assert [event.hex for event in case.events(FireTriggered)] == ["0802"]
    assert case.level("138") == 1  # the shot pins only


@pytest.mark.rule("KP-9.6d", "KP-9.62a", "KP-14.0g")
def test_an_overrun_straight_from_the_edge(lay: Lay) -> None:
    case = lay(french="29 0803", germans="94 enters 0801", dice={"overrun:0803": "6"})
    case.turn(germans="94 0801 D1 VD")
    assert case.track("94") == [(2, "0801"), (4, "0802"), (6, "0803"), (12, "0804")]


# --- leaving ---

WAY_OUT: dict[str, Any] = {"exits": {"germans": "0801 0901"}}
LOAD = {"94": "", "138": "; 112 aboard 138"}


@pytest.mark.rule("KP-14.0i", "R-KP-21")
@pytest.mark.parametrize(
    ("option", "unit", "tick"),
    [("clear_cost", "94", 6), ("clear_cost", "138", 12), ("free", "94", 4), ("free", "138", 8)],
)
def test_leaving_the_map(lay: Lay, option: str, unit: str, tick: int) -> None:
    case = lay(germans=f"{unit} 0803{LOAD[unit]}", more=WAY_OUT, map_exit=option).turn(germans=f"{unit} A3")
    gone = case.one(UnitsExited)
    assert (gone.tick, gone.edges) == (tick, {unit: "0801"})
    assert (case.state.units[unit].standing, case.at(unit)) == (EXITED, "-")
    assert case.refused(f"{unit} 0801", "germans") != ""


@pytest.mark.rule("R-KP-21", "KP-6.0c")
@pytest.mark.parametrize(("option", "steps"), [("clear_cost", 6), ("free", 7)])
def test_it_costs_as_much_as_clear_ground(lay: Lay, option: str, steps: int) -> None:
    for hexes in (steps, steps + 1):
        case = lay(germans=f"6 08{hexes:02}", more=WAY_OUT, map_exit=option)
        assert (case.refused(f"6 A{hexes}") == "") == (hexes == steps)


@pytest.mark.rule("R-KP-21", "KP-14.0i")
@pytest.mark.parametrize(
    ("plot", "leaves"),
    [
        ("94 A2", True),  # by 0801
        ("95 A2", True),
        ("95 A1 B1", True),  # a column that begins higher has three sides off the map
        ("95 A1 F1", True),
        ("96 A2", False),  # no exit hex
        ("1 A2", False),  # not his
        ("94 A3", False),  # nothing beyond
        ("94 A2 D1", False),
        ("94 A2 S1", False),
    ],
)
def test_only_by_its_exit_hexes(lay: Lay, plot: str, leaves: bool) -> None:
    case = lay(french="1 0702", germans="94 0802; 95 0902; 96 1002", more=WAY_OUT)
    assert (case.refused(plot) == "") == leaves


@pytest.mark.rule("KP-14.0i", "KP-12.2b", "KP-14.0j")
def test_passengers_leave_too(lay: Lay) -> None:
    case = lay(germans="146 0802; 112 aboard 146", more=WAY_OUT).turn(germans="146 A2")
    assert case.left("146")
    assert case.left("112")


@pytest.mark.rule("KP-14.0i", "KP-14.0j")
@pytest.mark.parametrize("vehicle", ["138", "146"])
def test_an_empty_vehicle_fulfils_nothing_outside(lay: Lay, vehicle: str) -> None:
    assert lay(germans=f"{vehicle} 0802", more=WAY_OUT).refused(f"{vehicle} A2") == "KP-14.0i"


@pytest.mark.rule("KP-8.0d", "KP-6.3a", "R-KP-21")
def test_zones_at_the_edge(lay: Lay) -> None:
    case = lay(french="29 0902", germans="94 0803", more=WAY_OUT).turn(germans="94 A3")
    assert case.at("94") == "0802"  # a zone holds it before it is out
    case = lay(french="29 0802", germans="94 0801", more=WAY_OUT).turn(germans="94 A1")
    assert case.left("94")  # there is no zone off the map


@pytest.mark.rule("R-KP-07", "R-KP-10", "KP-7.0c")
def test_one_leaves_and_another_enters_by_the_same_hex(lay: Lay) -> None:
    case = lay(french="1 enters 0801", germans="94 0801", more=WAY_OUT).turn(french="1 0801", germans="94 A1")
    assert (case.left("94"), case.at("1")) == (True, "0801")


@pytest.mark.rule("KP-14.0i", "R-KP-21")
def test_infantry_walks_off(lay: Lay) -> None:
    case = lay(germans="112 0801", more=WAY_OUT).turn(germans="112 A1")
    assert case.left("112")


@pytest.mark.rule("KP-14.0i", "KP-7.0a")
def test_many_may_leave_by_one_hex(lay: Lay) -> None:
    case = lay(germans="94 0802; 95 0803; 96 0804", more=WAY_OUT).turn(germans="94 A2; 95 A3; 96 A4")
    assert [case.left(unit) for unit in ("94", "95", "96")] == [True] * 3


# --- setting up ---


def set_up(prepare: Prepare, scenario: str, seed: bytes = b"1", **options: str) -> Game:
    """Return a game of a shipped scenario in which both sides have set up at random."""
    game = prepare(scenario, **options).new_game(TableDice({}))
    game.start()
    stream = Stream(seed)
    while not game.state.turn:
        decision = game.waiting()[0]
        game.submit(decision.options.sample(stream), decision.seat)
    return game


SCENARIOS = ("spain", "czechoslovakia", "bain_tsagan", "poland", "summa", "hannut", "flavion", "arras", "abbeville")


@pytest.mark.rule("KP-14.0a", "KP-2.0a", "KP-3.2b")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_first_side_sets_up_first(prepare: Prepare, scenario: str) -> None:
    game = set_up(prepare, scenario)
    deployed = [record.event for record in game.records if getattr(record, "event", None).__class__ is ForceDeployed]
    assert [event.side for event in deployed] == list(game.state.board.sides)


@pytest.mark.rule("KP-14.0k", "KP-14.0d", "R-KP-77", "KP-7.0a", "KP-9.4b", "KP-13.0b")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_set_ups_keep_the_rules(prepare: Prepare, scenario: str) -> None:
    for seed in (b"1", b"2", b"3", b"4"):
        state: Any = set_up(prepare, scenario, seed).state
        board = state.board
        for unit_id, unit in state.units.items():
            group, kind = board.group_of[unit_id], board.kind_of(unit_id)
            assert (unit.standing == WAITING) == (group.enters > 0)
            if unit.standing == ON_MAP:
                assert unit.hex in (group.area if not unit.carrier else board.group_of[unit.carrier].area)
                assert bool(unit.facing) == (kind.is_gun and not unit.carrier)
                assert not (unit.hex in state.entrenchments and not kind.is_foot)
        for hex_ in {unit.hex for unit in state.units.values() if unit.hex}:
            there = [unit_id for unit_id, unit in state.units.items() if unit.hex == hex_ and not unit.carrier]
            categories = sorted(board.kind_of(unit_id).category for unit_id in there)
            assert len(there) == 1 or categories == ["artillery", "infantry"]


DEPLOYMENTS = {
    # one line changed in a set-up that is allowed otherwise
    "26": [
        "0101",
        "9999",
        "1903 A B",
        "",
        "aboard 1",
        "aboard 146 entrenched",
        "entrenched",
        "aboard 26",
        "1903 entrenched",
    ],
    "35": ["1903", "1903 G", "1903 A entrenched"],
    "1": ["1903 A", "1903 entrenched", "aboard 146"],
    "146": ["aboard 147", "1909"],
}


@pytest.mark.rule("R-KP-77", "KP-14.0h", "KP-9.4b", "KP-13.0b", "KP-12.0a", "KP-14.6.1")
@pytest.mark.parametrize(("unit", "line"), [(unit, line) for unit, rows in DEPLOYMENTS.items() for line in rows])
def test_what_no_deployment_may_say(prepare: Prepare, unit: str, line: str) -> None:
    game = prepare("hannut").new_game(TableDice({}))
    game.start()
    decision = game.waiting()[0]
    order = decision.options.sample(Stream(b"7"))
    assert decision.options.why_not(order) is None
    refusal = decision.options.why_not(Deploy({**order.lines, unit: line}))
    assert refusal is not None
    assert refusal.rule


@pytest.mark.rule("KP-14.0h", "R-KP-63", "R-KP-77", "KP-7.1a", "KP-7.2a")
def test_stacks_and_passengers_at_the_start(prepare: Prepare) -> None:
    game = prepare("hannut").new_game(TableDice({}))
    game.start()
    decision = game.waiting()[0]
    area = sorted(game.state.board.group_of["1"].area)
    tanks = [*(str(number) for number in range(1, 6)), *(str(number) for number in range(11, 16))]
    lines = dict(zip(tanks, area, strict=False))
    vehicles = dict(zip(("146", "147", "148", "149"), area[10:], strict=False))
    lines |= vehicles | {"26": "aboard 146", "27": "aboard 147", "28": "aboard 148"}
    lines |= {"29": area[14], "35": f"{area[14]} A", "36": f"{area[15]} B", "37": f"{area[16]} C", "38": "aboard 149"}
    assert decision.options.why_not(Deploy(lines)) is None
    for unit, line in {
        "27": "aboard 146",
        "29": f"{area[0]}",
        "36": f"{area[14]} A",
        "2": area[0],
        "26": area[10],
    }.items():
        assert decision.options.why_not(Deploy(lines | {unit: line})) is not None, (unit, line)
    without = {unit: line for unit, line in lines.items() if unit != "29"}
    assert decision.options.why_not(Deploy(without)) is not None
    game.submit(Deploy(lines))
    state: Any = game.state
    assert [(state.units[unit].hex, state.units[unit].carrier) for unit in ("38", "149")] == [
        (area[13], "149"),
        (area[13], ""),
    ]


@pytest.mark.rule("KP-14.0h", "KP-14.0d", "KP-14.2.4", "KP-14.1.2")
def test_who_enters_later_may_be_aboard_already(prepare: Prepare) -> None:
    game = prepare("czechoslovakia").new_game(TableDice({}))
    game.start()
    game.submit(game.waiting()[0].options.sample(Stream(b"1")))
    decision = game.waiting()[0]
    state: Any = game.state
    infantry = next(unit_id for unit_id, unit in state.units.items() if (unit.side, unit.kind) == ("czechs", "Inf-Fr"))
    gun = next(unit_id for unit_id, unit in state.units.items() if (unit.side, unit.kind) == ("czechs", "25mm"))
    truck = next(unit_id for unit_id, unit in state.units.items() if (unit.side, unit.kind) == ("czechs", "Truck"))
    other = str(int(truck) + 1)
    aboard = {infantry: f"aboard {truck}", gun: f"aboard {other}"}
    assert decision.options.why_not(Deploy(aboard)) is None
    assert decision.options.why_not(Deploy({infantry: f"aboard {truck}", gun: f"aboard {truck}"})) is not None
    assert decision.options.why_not(Deploy({infantry: "0954"})) is not None
    game.submit(Deploy(aboard))
    state = game.state
    assert (state.units[infantry].carrier, state.units[infantry].standing) == (truck, WAITING)


@pytest.mark.rule("KP-14.7.2", "R-KP-78")
@pytest.mark.parametrize(("option", "fires"), [("no_movement_or_overrun", True), ("no_operation", False)])
def test_the_french_stand_still_for_a_turn(stage: Stage, option: str, fires: bool) -> None:
    case = stage("flavion", french="11 2138; 6 2338", germans="122 2142; 112 2343", flavion_turn1=option)
    assert case.refused("11 A1") in {"KP-14.7.2", "R-KP-78"}
    assert case.refused("6 D4 VD") != ""
    assert (case.refused("6 P 2334") == "") == fires
    case.turn(germans="122 A1")
    assert case.at("11", "122") == "2138 2141"
    assert case.refused("11 A1") == ""
