"""The table: placing and shifting."""

from dataclasses import replace

import pytest
from tests.plugins.axis_attack.cases import Lay, places
from tests.plugins.axis_attack.cases import shifts as shifts_by
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.positions import campaign

from axis_attack.model import events, orders
from axis_attack.model.events import ChoiceRolled, PointsSpent, SelectionRolled, TableShifted
from axis_attack.model.orders import ShiftTable
from axis_attack.turn.table import shifts

WON = "german won hold_the_line as attacker 5-2"


@pytest.mark.rule("AOA-8.22", "AOA-R42")
@pytest.mark.parametrize(("corner", "points"), [([0, 0], 1), ([3, 4], 2), ([1, 2], 9), ([2, 2], 0)])
def test_shifts_are_affordable_and_stay_inside_the_map(corner: list[int], points: int) -> None:
    """A table of 3 by 2 squares on a map of 6 by 6 has 4 by 5 possible corners."""
    state = campaign(corner=corner, balance={"german": 0, "soviet": points})
    wanted = {
        (column - corner[0], row - corner[1])
        for column in range(4)
        for row in range(5)
        if abs(column - corner[0]) + abs(row - corner[1]) <= points
    }
    found = shifts(state, "soviet")
    assert found[0] == ShiftTable()
    assert sorted((each.east, each.south) for each in found) == sorted(wanted)


@pytest.mark.rule("AOA-8.21", "AOA-8.22")
def test_no_shift_decision_without_points_or_space(lay: Lay) -> None:
    case = lay("table", last=WON, balance=(9, 0)).play(places("german", 1, 1), until=orders.Concede)
    assert case.events(events.TableShifted) == []
    small = [replace(each, columns=3, rows=2) for each in the_board().sectors]
    case = lay("table", last=WON, balance=(9, 9), changes={"sectors": tuple(small)}).play(until=orders.Concede)
    assert (case.one(events.TablePlaced).column, case.one(events.TablePlaced).row) == (0, 0)
    assert case.left == []
    for columns, rows, place in ((4, 2, (1, 0)), (3, 3, (0, 1))):
        sectors = tuple(replace(each, columns=columns, rows=rows) for each in small)
        case = lay("table", last=WON, balance=(9, 9), changes={"sectors": sectors}).play(until=orders.PlaceTable)
        assert case.allows(places("german", *place))
        assert not case.allows(places("german", place[1], place[0]))


@pytest.mark.rule("AOA-8.21", "AOA-R42")
def test_winner_places_the_table_inside_the_map(lay: Lay) -> None:
    case = lay("selection", last="soviet won hold_the_line as attacker 5-2").play(until=orders.PlaceTable)
    assert [each.side for each in case.pending] == ["soviet"]
    assert case.allows(places("soviet", 3, 4))  # 3 x 2 squares on a map of 6 x 6
    for column, row in ((4, 0), (0, 5), (-1, 0)):
        assert case.why_not(places("soviet", column, row)) in {"AOA-8.21", "AOA-R42"}
    case.play(places("soviet", 3, 4), until=orders.ChooseForce)
    assert case.state.corner == [3, 4]


@pytest.mark.rule("AOA-8.22", "AOA-R42")
def test_other_side_shifts_the_table_for_a_point_per_square(lay: Lay) -> None:
    case = lay("selection", last=WON, balance=(9, 3))
    case.play(places("german", 0, 4), until=orders.ShiftTable)
    assert [each.side for each in case.pending] == ["soviet"]
    assert case.allows(shifts_by("soviet", 1, -2))
    assert case.why_not(shifts_by("soviet", 2, -2))  # four squares for three points
    assert case.why_not(shifts_by("soviet", -1, 0)) in {"AOA-8.22", "AOA-R42"}
    assert case.why_not(shifts_by("soviet", 0, 1)) in {"AOA-8.22", "AOA-R42"}
    case.play(shifts_by("soviet", 1, -1), until=orders.ChooseForce)
    assert case.state.corner == [1, 3]
    assert case.one(TableShifted).cost == 2
    assert case.balance() == (9, 1)
    assert case.events(PointsSpent) == []


@pytest.mark.rule("AOA-R33", "AOA-R69", "AOA-8.21", "AOA-8.22")
def test_roll_off_places_the_table_after_a_draw(lay: Lay) -> None:
    dice = {"choice:german": "4 2", "choice:soviet": "4 5"}
    case = lay("selection", last="draw encounter 1-1", dice=dice, balance=(2, 2)).play(until=orders.PlaceTable)
    assert case.one(ChoiceRolled).winner == "soviet"
    assert [each.side for each in case.pending] == ["soviet"]
    case.play(until=orders.ShiftTable)
    assert [each.side for each in case.pending] == ["german"]


@pytest.mark.rule("AOA-R33", "AOA-2.05")
def test_roll_off_places_the_table_in_the_first_game(lay: Lay) -> None:
    dice = {"choice:german": "1", "choice:soviet": "2"}
    case = lay("setup.company", dice=dice).play(until=orders.PlaceTable)
    assert [each.side for each in case.pending] == ["soviet"]
    assert case.events(SelectionRolled) == []
