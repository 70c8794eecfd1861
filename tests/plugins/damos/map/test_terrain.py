"""The exclusive rules of Army Group Center on ground, words and stacks: 1 to 4.2."""

import pytest
from tests.plugins.damos.cases import activate
from tests.plugins.damos.conftest import Lay, Prepare, Stage

from damos.model.orders import EndPhase, LeaveOut, Step
from damos.model.tables import d2, d3

# --- ground and words ---


@pytest.mark.rule("AGC-1.2a")
def test_dice_of_two_and_three_sides() -> None:
    assert [d3(die) for die in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert [d2(die) for die in range(1, 7)] == [1, 1, 1, 2, 2, 2]


@pytest.mark.rule("R-DM-59", "AGC-1.3d")
def test_five_steps_south_east_of_3218_lies_3716(prepare: Prepare) -> None:
    around = prepare().board.hexmap.around
    hex_ = "3218"
    for _ in range(5):
        hex_ = around[hex_][2]
    assert hex_ == "3716"
    assert around["2815"] == ("2715", "2814", "2915", "2916", "2816", "2716")
    assert around["2915"] == ("2814", "2914", "3014", "3015", "2916", "2815")


@pytest.mark.rule("AGC-1.3d")
def test_the_southern_boundary_runs_from_3218_to_3716(prepare: Prepare) -> None:
    """Its line is part of the area; what lies west of it below row 32 is not."""
    board = prepare().board
    assert {"3218", "3318", "3417", "3517", "3616", "3716"} <= board.area
    assert not {"3319", "3418", "3518", "3617", "3717", "3816"} & board.area
    assert {"3701", "3715"} <= board.area


@pytest.mark.rule("AGC-1.3f", "AGC-1.3a")
def test_the_northern_boundary_climbs_eastwards(prepare: Prepare) -> None:
    area = prepare().board.area
    assert {"2530", "2422", "2401", "2317", "2212", "2201"} <= area
    assert not {"2423", "2430", "2318", "2322", "2213", "2217", "2112", "2101"} & area


@pytest.mark.rule("AGC-1.3h", "R-DM-49")
@pytest.mark.parametrize(("option", "bounded"), [("off", True), ("on", False)])
def test_the_combined_game_knows_no_boundaries(prepare: Prepare, option: str, bounded: bool) -> None:
    board = prepare(combined_game=option).board
    assert ("2112" not in board.area) == bounded


@pytest.mark.rule("AGC-1.3a", "AGC-1.3g")
@pytest.mark.parametrize(
    ("side", "start", "out"), [("german", "2524", "2423"), ("soviet", "2524", "2423"), ("soviet", "2317", "2318")]
)
def test_nobody_leaves_the_area(stage: Stage, side: str, start: str, out: str) -> None:
    unit = {"german": "g-3pz", "soviet": "s-13mc"}[side]
    case = stage(**{side: f"{start} {unit}"}, side=side).go(activate(unit))
    assert case.refuses(Step(out))


@pytest.mark.rule("AGC-1.3b", "AGC-1.3d", "R-DM-55")
@pytest.mark.parametrize(("option", "elsewhere", "may"), [
    ("map_region_file", "", False), ("map_region_file", "2811 g-4pz", True), ("free", "", True),
])  # fmt: skip
def test_the_germans_go_south_when_one_of_them_is_past_the_marsh(
    stage: Stage, option: str, elsewhere: str, may: bool
) -> None:
    case = stage(f"3218 g-3pz; {elsewhere}", marsh_boundary=option).go(activate("g-3pz"))
    assert case.allows(Step("3318")) == may


@pytest.mark.rule("AGC-1.3b", "R-DM-55")
@pytest.mark.parametrize(("option", "may"), [("map_region_file", False), ("free", True)])
def test_nor_do_they_enter_the_marsh_region(stage: Stage, option: str, may: bool) -> None:
    """Infantry at 3122, beside 3123 in the marshes."""
    case = stage("3122 g-267", marsh_boundary=option).go(activate("g-267"))
    assert case.allows(Step("3123")) == may


@pytest.mark.rule("AGC-1.3b")
def test_soviets_may(stage: Stage) -> None:
    case = stage("3122 s-49rd", side="soviet").go(activate("s-49rd"))
    assert case.allows(Step("3123"))


@pytest.mark.rule("AGC-1.3c", "R-DM-71")
def test_who_was_driven_into_the_marsh_leaves_it_the_shortest_way(stage: Stage) -> None:
    case = stage("3123 g-267").go(activate("g-267"))
    assert not case.allows(Step("3124"))
    assert not case.allows(Step("3223"))
    assert case.allows(Step("3122"))


# --- stacking ---


@pytest.mark.rule("AGC-4.1a", "AGC-4.1b", "AGC-4.1c", "AGC-4.1d", "AGC-4.1e", "DM-2.3a", "R-DM-56")
@pytest.mark.parametrize(("side", "units", "too_many"), [
    ("german", "I1 I2 I3 I4", 0), ("german", "I1 I2 I3 I4 I5", 1), ("german", "A1 R1 R2 R3", 0),
    ("german", "H1 H2 H3", 0), ("german", "Q1 Q2 Q3", 1), ("german", "H1 Q1 H2", 0), ("soviet", "r1 r2", 0),
    ("soviet", "r1 r2 r3", 1), ("soviet", "r1 r2 i1", 1), ("soviet", "r1 i1 i2", 0), ("soviet", "i1 i2 i3", 0),
    ("soviet", "i1 i2 r1", 0), ("soviet", "i1 i2 i3 i4", 1), ("soviet", "b1 b2 r1", 0), ("soviet", "d1 b1 b2", 0),
    ("soviet", "r1 r2 n1", 0), ("soviet", "i1 i2 i3 n1", 0), ("soviet", "i1 i2 i3 n1 n2", 1), ("soviet", "n1 n2 n3", 0),
    ("soviet", "n1 n2 n3 n4", 1),
])  # fmt: skip
def test_how_many_end_in_a_hex(lay: Lay, side: str, units: str, too_many: int) -> None:
    hex_ = "2620" if side == "german" else "2610"
    words = " ".join(f"{unit}:1" for unit in units.split())
    case = lay(**{side: f"{hex_} {words}"}, side=side, dice={"rail": "*"}).end()
    assert sum(case.sp(units)) == len(units.split()) - too_many


@pytest.mark.rule("R-DM-56", "AGC-4.1c")
@pytest.mark.parametrize(("option", "left"), [("two_divisions_of_three", 2), ("any_third", 3)])
def test_two_regiments_and_a_division(lay: Lay, option: str, left: int) -> None:
    case = lay("2610 r1:1 r2:1 i1:1", side="soviet", russian_third_division=option, dice="rail *").end()
    assert sum(case.sp("r1 r2 i1")) == left


@pytest.mark.rule("R-DM-56", "DM-2.3f", "DM-2.3e")
@pytest.mark.parametrize(("order", "may"), [("r1", True), ("r2", True), ("i1", False), ("r1 r2", False)])
def test_those_left_over_must_be_a_stack_that_may_be(lay: Lay, order: str, may: bool) -> None:
    """Of two regiments and two divisions a regiment goes: with one division less no third unit could stay."""
    case = lay("2610 r1:1 r2:1 i1:1 i2:1", side="soviet", dice="rail *")
    case.submit(EndPhase()).to(LeaveOut)
    assert case.allows(LeaveOut(order.split())) == may


@pytest.mark.rule("DM-2.2a", "DM-2.4a", "DM-2.1g")
def test_what_is_printed_on_a_unit(prepare: Prepare) -> None:
    counter = prepare().board.counters["g-3pz"]
    assert (counter.name, counter.side, counter.type, counter.size) == ("3 Pz", "german", "armor", "division")
    assert counter.corps
    assert counter.sp > 0
    assert counter.ma > 0
    kinds = {each.type for each in prepare().board.counters.values()}
    assert kinds == {"infantry", "cavalry", "motorized", "mechanized", "armor"}
