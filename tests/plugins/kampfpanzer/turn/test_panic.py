"""Panic, section 11: who panics, what becomes of his plot, how he moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from kampfpanzer.model.events import (
    ContestDecided,
    FacingChanged,
    FireTriggered,
    PanicPlotted,
    PanicRolled,
    UnitShelled,
)
from sandtable.kernel.events import PhaseBegan

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay, Stage

from tests.plugins.kampfpanzer.cases import group


def panicked(case: Case, side: str = "french") -> list[str]:
    """Return who of a side panicked this turn."""
    return sorted(next(event.units for event in case.events(PanicRolled) if event.side == side))


def mad(lay: Lay, units: str, die: str, **rest: Any) -> Case:
    """Lay a case in which the French have panic level 2 and roll ``die``."""
    more = {"panic": {"french": 2}, **rest.pop("more", {})}
    dice = {"panic:french": die, **rest.pop("dice", {})}
    return lay(french=units, more=more, dice=dice, **rest)


# --- who ---

TABLE = {
    1: ("1", "2", "3", "4", "5", ""),
    2: ("17", "28", "39", "40", "5", "6"),
    3: ("179", "238", "39", "450", "15", "26"),
    4: ("2480", "1379", "359", "460", "157", "268"),
    5: ("1234", "5678", "1290", "3456", "7890", "67890"),
}
TEN = [str(number) for number in (1, 2, 3, 4, 5, 69, 70, 71, 72, 73)]


@pytest.mark.rule("KP-11.3a", "KP-11.11a", "KP-11.11b", "KP-11.11c", "KP-11.0a", "KP-3.3a")
@pytest.mark.parametrize("level", TABLE)
@pytest.mark.parametrize("die", range(1, 7))
def test_the_panic_table(lay: Lay, level: int, die: int) -> None:
    units = "; ".join(f"{unit} 08{row:02}" for row, unit in enumerate(TEN, start=1))
    case = lay(french=units, more={"panic": {"french": level}}, dice={"panic:french": str(die)}).turn()
    digits = TABLE[level][die - 1]
    assert panicked(case) == sorted(unit for row, unit in enumerate(TEN, start=1) if str(row)[-1] in digits)
    rolled = next(event for event in case.events(PanicRolled) if event.side == "french")
    assert (rolled.level, rolled.die, sorted(rolled.digits)) == (level, die, sorted(digits))


@pytest.mark.rule("KP-11.11b", "KP-4.1b", "KP-4.0a")
def test_each_side_rolls_once_by_its_own_level(lay: Lay) -> None:
    case = lay(
        french="1 0807",
        germans="94 0507",
        more={"panic": {"french": 2, "germans": 4}},
        dice={"panic:french": "1", "panic:germans": "1"},
    ).turn()
    assert [(event.side, event.level) for event in case.events(PanicRolled)] == [("french", 2), ("germans", 4)]
    assert (panicked(case), panicked(case, "germans")) == (["1"], [])
    phases = [event.phase for event in case.events(PhaseBegan)][:5]
    assert phases == ["panic", "combat", "panic_plot", "movement", "recovery"]


@pytest.mark.rule("KP-11.12a")
def test_the_disrupted_never_panic(lay: Lay) -> None:
    assert panicked(mad(lay, "1 0807 D1; 2 0507 D3; 3 0301", "1").turn()) == ["3"]


@pytest.mark.rule("KP-12.13a", "KP-12.13b", "KP-12.13c", "KP-11.0a")
@pytest.mark.parametrize(
    ("units", "plots", "who", "end"),
    [
        ("29 0807; 138 0806", "29 M; 138 M 0807", ["29"], "0807 0806"),  # the infantry panics: nothing comes of it
        ("29 0806; 138 0807", "29 M; 138 M 0806", [], "0806 0806"),  # the vehicle cannot
        ("138 0807; 29 aboard 138", "138 Q 0808; 29 Q", ["138", "29"], "0807 0807"),
        ("138 0807; 29 aboard 138", "138 D1", ["138", "29"], "0808 0808"),
    ],
)
def test_vehicles(lay: Lay, units: str, plots: str, who: list[str], end: str) -> None:
    dice = {"scatter:138": "4", "points:138": "2"} if "D1" in plots else {}
    case = mad(lay, units, "1", dice=dice).turn(french=plots)
    assert panicked(case) == sorted(who)
    assert case.at("29", "138") == end
    if "M" in plots and who:
        assert case.state.units["29"].carrier == ""


@pytest.mark.rule("KP-12.13a")
def test_a_vehicle_that_does_not_embark_anybody_can(lay: Lay) -> None:
    assert panicked(mad(lay, "138 0807; 29 0806", "1").turn()) == ["138"]


@pytest.mark.rule("KP-14.0e", "KP-11.0a")
def test_who_enters_this_turn_cannot(lay: Lay) -> None:
    case = mad(lay, "1 enters 0701; 2 0811; 3 enters 0301 turn 2", "1").turn(french="1 0701 D6")
    assert panicked(case) == ["2"]
    assert case.at("1") == "0707"
    case = mad(lay, "1 0807; 3 enters 0301 turn 2", "1").turn()
    assert panicked(case) == ["1"]


@pytest.mark.rule("KP-11.0d")
def test_it_lasts_a_turn_and_may_come_again(lay: Lay) -> None:
    case = mad(lay, "1 0807", "1 2 1").turn()
    assert not case.state.units["1"].panicked
    assert panicked(case.turn()) == []
    assert panicked(case.turn()) == ["1"]


# --- what becomes of the plot ---


@pytest.mark.rule("KP-11.0c", "KP-11.21a")
@pytest.mark.parametrize(
    ("units", "plot"),
    [
        ("1 0807", "1 N 0811"),
        ("39 0807 D", "39 T 0811"),
        ("38 0807 A", "38 C"),
        ("1 0807", "1 P 0810"),
    ],
)
def test_other_operations_are_lost(lay: Lay, units: str, plot: str) -> None:
    case = mad(lay, units, "1", germans="94 0811; 95 0710")
    case.turn(french=plot, germans="95 C1")
    unit = units.partition(" ")[0]
    assert panicked(case) == [unit]
    assert case.fire() == []
    assert case.never(FacingChanged, PanicPlotted, UnitShelled)
    assert (case.events(FireTriggered), case.at(unit)) == ([], "0807")


@pytest.mark.rule("R-KP-68", "KP-11.21a")
def test_without_a_plot_nothing_is_lost(lay: Lay) -> None:
    case = mad(lay, "1 0807", "1").turn()
    assert (case.events(PanicPlotted), case.at("1")) == ([], "0807")


@pytest.mark.rule("KP-11.0b", "KP-11.21a", "KP-11.22a", "R-KP-03", "KP-4.1d", "KP-11.22c")
@pytest.mark.parametrize(
    ("die", "end"), [("1", "0805"), ("2", "1006"), ("3", "1008"), ("4", "0809"), ("5", "0608"), ("6", "0606")]
)
def test_the_scatter_die(lay: Lay, die: str, end: str) -> None:
    case = mad(lay, "1 0807", "1", dice={"scatter:1": die, "points:1": "2"}).turn(french="1 D9")
    assert case.at("1") == end
    plotted = case.one(PanicPlotted)
    assert (plotted.unit, plotted.direction, plotted.points) == ("1", "ABCDEF"[int(die) - 1], 2)


@pytest.mark.rule("R-KP-03")
@pytest.mark.parametrize(("option", "end"), [("die1_is_a_clockwise", "0806"), ("custom_table", "0808")])
def test_another_scatter_diagram(lay: Lay, option: str, end: str) -> None:
    dice = {"scatter:1": "1", "points:1": "1"}
    case = mad(lay, "1 0807", "1", dice=dice, more={"scatter": list("DEFABC")}, scatter=option)
    assert case.turn(french="1 B1").at("1") == end


@pytest.mark.rule("KP-11.22b", "R-KP-69")
@pytest.mark.parametrize("ground", [{}, {"woods": "0806"}, {"stream_sides": "0806/0807"}, {"slope": "0806"}])
def test_infantry_runs_one_hex(lay: Lay, ground: dict[str, str]) -> None:
    case = mad(lay, "29 0807", "1", dice={"scatter:29": "1"}, **ground).turn(french="29 D1")
    plotted = case.one(PanicPlotted)
    assert (plotted.direction, plotted.points, plotted.plot) == ("A", 1, "A1")
    assert case.at("29") == "0806"


@pytest.mark.rule("KP-11.22b", "R-KP-69")
def test_infantry_runs_one_hex_on_a_road_too(lay: Lay) -> None:
    case = mad(lay, "29 0807", "1", dice={"scatter:29": "1"}, road="0805 0806 0807").turn(french="29 D1")
    assert case.at("29") == "0806"


@pytest.mark.rule("KP-11.22c", "R-KP-69", "KP-6.0b")
@pytest.mark.parametrize(
    ("unit", "points", "ground", "end"),
    [
        ("1", "6", {}, "0801"),
        ("1", "3", {"woods": "0806"}, "0806"),
        ("1", "2", {"woods": "0806"}, "0807"),  # not enough for the first hex
        ("1", "4", {"woods": "0806 0805"}, "0806"),
        ("1", "5", {"stream_sides": "0805/0806"}, "0805"),
        ("1", "4", {"stream_sides": "0805/0806"}, "0806"),
        ("138", "5", {}, "0805"),
        ("138", "1", {}, "0807"),
        ("48", "6", {}, "0804"),  # an A11 has three points
        ("1", "2", {"road": "0807 0806 0805 0804"}, "0803"),
        ("1", "1", {"road": "0807 0806 0805 0804"}, "0805"),
    ],
)
def test_points_of_the_second_die(lay: Lay, unit: str, points: str, ground: dict[str, str], end: str) -> None:
    roads = {"0803": "0807 0806 0805 0804 0803"}
    ground = {**ground, **({"road": roads[end]} if end in roads else {})}
    case = mad(lay, f"{unit} 0807", "1", dice={f"scatter:{unit}": "1", f"points:{unit}": points}, **ground)
    assert case.turn(french=f"{unit} D1").at(unit) == end


@pytest.mark.rule("R-KP-67", "KP-11.22c", "KP-11.22b")
def test_a_carrier_and_its_infantry_run_as_one(lay: Lay) -> None:
    dice = {"scatter:146": "1", "points:146": "3"}
    case = mad(lay, "146 0807; 29 aboard 146", "1", dice=dice).turn(french="146 D1")
    assert case.at("146", "29") == "0804 0804"
    assert [event.unit for event in case.events(PanicPlotted)] == ["146"]


@pytest.mark.rule("KP-11.22d", "KP-11.22c", "KP-14.0i")
@pytest.mark.parametrize(
    ("unit", "hex_", "scatter", "end"),
    [
        ("1", "0803", "1", "0801"),
        ("1", "0801", "1", "0801"),
        ("29", "0801", "1", "0801"),
        ("1", "0217", "5", "0118"),
        ("1", "1507", "3", "1607"),
        ("1", "0101", "6", "0101"),
    ],
)
def test_nobody_panics_off_the_map(lay: Lay, unit: str, hex_: str, scatter: str, end: str) -> None:
    dice = {f"scatter:{unit}": scatter} | ({f"points:{unit}": "4"} if unit == "1" else {})
    plot = "D1"
    for more in ({}, {"exits": {"french": end}}):  # not even by a hex through which it might leave
        case = mad(lay, f"{unit} {hex_}", "3" if hex_[-1] == "3" else "1", dice=dice, more=more)
        assert case.turn(french=f"{unit} {plot}").at(unit) == end


@pytest.mark.rule("KP-11.22d", "KP-11.0d", "KP-4.1e")
def test_who_has_nowhere_to_run_keeps_nobody_else(lay: Lay) -> None:
    dice = {"panic:french": "1", "scatter:1": "1", "points:1": "6"}  # 1, 2, 3 and 4
    case = lay(french="1 0801; 2 1208", dice=dice, more={"panic": {"french": 5}})
    assert case.turn(french="1 D2; 2 D2").at("1", "2") == "0801 1210"


@pytest.mark.rule("KP-11.12b", "KP-9.71a", "KP-9.71c")
@pytest.mark.parametrize(("die", "level"), [("6", 0), ("3", 1)])
def test_who_is_hit_before_does_not_move_at_all(lay: Lay, die: str, level: int) -> None:
    case = mad(lay, "6 0807", "1", germans="102 0804", dice={"fire:0807:6": die})  # +1
    case.turn(french="6 D2", germans="102 N 0807")
    assert (case.at("6"), case.events(PanicPlotted)) == ("0807", [])
    assert case.level("6") == level


@pytest.mark.rule("KP-11.21a", "R-KP-54", "KP-11.0b")
def test_an_overrun_is_a_movement_plot(lay: Lay) -> None:
    case = mad(lay, "1 0807", "1", germans="112 0809", dice={"scatter:1": "1", "points:1": "1"})
    assert case.turn(french="1 D1 VD").at("1") == "0806"


# --- how it is executed ---


@pytest.mark.rule("KP-11.23a", "KP-6.3a")
def test_zones_stop_a_panicked_unit(lay: Lay) -> None:
    case = mad(lay, "1 0807", "1", germans="112 0803", dice={"scatter:1": "1", "points:1": "6"}).turn(french="1 D1")
    assert (case.at("1"), case.stops()["1"]) == ("0804", ("0804", "zone"))


@pytest.mark.rule("R-KP-70", "KP-7.0c", "KP-11.23a")
def test_enemies_are_in_its_way(lay: Lay) -> None:
    case = mad(lay, "1 0807", "1", germans="138 0804", dice={"scatter:1": "1", "points:1": "6"}).turn(french="1 D1")
    assert (case.at("1"), case.stops()["1"]) == ("0805", ("0805", "enemy"))


@pytest.mark.rule("R-KP-70", "R-KP-15")
@pytest.mark.parametrize(("points", "end"), [("2", "0806"), ("3", "0804"), ("1", "0806")])
def test_on_a_friend_it_goes_back(lay: Lay, points: str, end: str) -> None:
    case = mad(lay, "1 0807; 2 0805", "1", dice={"scatter:1": "1", "points:1": points}).turn(french="1 D1")
    assert case.at("1", "2") == f"{end} 0805"


@pytest.mark.rule("R-KP-70", "R-KP-74", "KP-13.0c")
def test_in_an_entrenchment_too(lay: Lay) -> None:
    case = mad(lay, "1 0807; 29 0805 entrenched", "1", dice={"scatter:1": "1", "points:1": "2"})
    assert case.turn(french="1 D1").at("1") == "0806"


@pytest.mark.rule("R-KP-70", "KP-7.1a")
def test_infantry_that_runs_to_a_gun_stays(lay: Lay) -> None:
    case = mad(lay, "29 0807; 38 0806 A", "1", dice={"scatter:29": "1"}).turn(french="29 D1")
    assert case.at("29", "38") == "0806 0806"


@pytest.mark.rule("KP-11.23b", "KP-6.4d")
@pytest.mark.parametrize(("mad_die", "winner"), [("1", "105"), ("2", "1")])
def test_a_panicked_unit_counts_as_slower(lay: Lay, mad_die: str, winner: str) -> None:
    # S35 with 12 against PzIVE with 10, both one hex from 0808
    dice = {"scatter:1": "4", "points:1": "1"} if mad_die == "1" else {}
    case = mad(lay, "1 0807", mad_die, germans="105 0809", dice=dice).turn(french="1 D1", germans="105 A1")
    event = case.one(ContestDecided)
    assert (event.winners, event.by) == ([winner], "allowance")


@pytest.mark.rule("KP-11.23b", "KP-6.4c")
def test_fewer_hexes_still_come_first(lay: Lay) -> None:
    dice = {"scatter:1": "4", "points:1": "1"}
    case = mad(lay, "1 0807", "1", germans="105 0810", dice=dice, road="0810 0809 0808")
    case.turn(french="1 D1", germans="105 A2")
    assert (case.one(ContestDecided).winners, case.one(ContestDecided).by) == (["1"], "hexes")


@pytest.mark.rule("R-KP-14", "KP-11.23b")
def test_of_two_in_panic_the_printed_allowance_decides(lay: Lay) -> None:
    dice = {"panic:germans": "4", "scatter:1": "4", "points:1": "1", "scatter:105": "1", "points:105": "1"}
    more = {"panic": {"french": 2, "germans": 4}}
    case = mad(lay, "1 0807", "1", germans="105 0809", dice=dice | {"panic:germans": "2"}, more=more)
    case.turn(french="1 D1", germans="105 A1")
    assert (case.one(ContestDecided).winners, case.one(ContestDecided).by) == (["1"], "allowance")


@pytest.mark.rule("KP-11.23b")
def test_slower_even_than_infantry(lay: Lay) -> None:
    dice = {"scatter:1": "4", "points:1": "1"}
    case = mad(lay, "1 0807", "1", germans="112 0809", dice=dice).turn(french="1 D1", germans="112 A1")
    assert case.one(ContestDecided).winners == ["112"]


@pytest.mark.rule("R-KP-78", "KP-14.7.2")
def test_nobody_panics_into_a_move_where_nobody_may_move(stage: Stage) -> None:
    case = stage("flavion", french="11 2138; 6 2338", germans="122 0101", dice={"panic:french": "2"})
    case.turn()
    assert case.events(PanicPlotted) == []
    assert case.at("11", "6") == "2138 2338"


@pytest.mark.rule("R-KP-71")
@pytest.mark.parametrize("option", ["open", "hidden"])
def test_the_rolls_are_on_the_table_or_not(lay: Lay, option: str) -> None:
    case = mad(lay, "1 1211", "1", germans="102 1215; 103 1115", panic_roll_secret=option, dice={"fire:*": "6"})
    case.upto(germans="102 N 1211; 103 N 1211")  # the phase after the rolls
    rolled = next(each for each in case.events(PanicRolled) if each.side == "french")
    assert case.seen(rolled, "french") == rolled
    assert (case.seen(rolled, "germans") is not None) == (option == "open")
    views = [msgspec.to_builtins(case.game.view(side)) | {"side": ""} for side in ("french", "germans")]
    assert (views[0] == views[1]) == (option == "open")
    case.answer(group("germans", "102 103"))
