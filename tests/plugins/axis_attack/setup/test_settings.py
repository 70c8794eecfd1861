"""Options that change the board, and companies reduced to a total."""

from dataclasses import replace

import pytest
from changing import TAKEN_OUT
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.modules import SHIPPED, USUAL, board, built, refusals, scenario

import axis_attack
from axis_attack.model.cards import SIDES, Sector
from axis_attack.setup.reading import opening_state
from axis_attack.setup.settings import start_sector_of
from axis_attack.setup.validation import start_points


@pytest.mark.rule("AOA-2.02", "AOA-2.04", "AOA-R01", "AOA-R02")
def test_track_of_three_sectors_begins_in_the_middle() -> None:
    gone = {f"sectors.{number}": TAKEN_OUT for number in range(4, 8)}
    short = built(gone, sector_graph="custom_graph")
    assert [(each.number, each.title) for each in short.sectors] == [
        (1, "German home"),
        (2, "German rear"),
        (3, "German forward"),
    ]
    assert (short.start_sector, short.home["soviet"]) == (2, 3)
    sector = short.sectors[0]
    assert (sector.columns, sector.rows, bool(sector.terrain)) == (6, 6, True)
    options = USUAL | {"start_sector": "scenario"}
    for count, middle in ((3, 2), (4, 2), (5, 3), (8, 4)):
        track = tuple(Sector(number, "x") for number in range(1, count + 1))
        assert start_sector_of(the_board(sectors=track, start_sector=0), options) == middle
    assert start_sector_of(the_board(start_sector=6), options) == 6
    assert [each.key for each in refusals({}, start_sector="0")] == ["start_sector"]
    assert built({}, start_sector="1").start_sector == 1
    assert built({}, start_sector="7").start_sector == 7
    assert built({}, vp_start="100").start_points == 100
    assert refusals({"campaign.start_sector": 7}) == []
    assert [each.key for each in refusals({"campaign.start_sector": 8})] == ["campaign.start_sector"]


EIGHTH = {"title": "Beyond", "columns": 6, "rows": 6}


@pytest.mark.rule("AOA-R02")
def test_campaign_begins_in_the_middle_by_default() -> None:
    assert board().start_sector == 4
    assert built({"campaign.start_sector": 2}).start_sector == 2
    assert built({"campaign.start_sector": 2}, start_sector="6").start_sector == 6
    (found,) = refusals({}, start_sector="8")
    assert str(found) == "the options: start_sector: is 8; choose one of the sectors 1 to 7 (AOA-R02)"


@pytest.mark.rule("AOA-R01", "AOA-2.04")
def test_track_of_a_different_length_has_homes_at_its_ends() -> None:
    longer = built({"sectors.8": EIGHTH, "sectors.9": EIGHTH}, sector_graph="custom_graph")
    assert longer.home == {"german": 1, "soviet": 9}
    assert longer.start_sector == 5
    assert longer.sector(9).title == "Beyond"
    assert board().home == {"german": 1, "soviet": 7}
    short = refusals({f"sectors.{number}": TAKEN_OUT for number in range(3, 8)}, sector_graph="custom_graph")
    assert [each.problem for each in short] == [
        "has 2 sectors; a track needs 3 or more, two homes and one between (AOA-2.04)"
    ]


@pytest.mark.rule("AOA-R03")
def test_any_two_lists_may_meet_by_option() -> None:
    civil = {"soviet": scenario("armoured_clash").data["german"]}
    assert [each.key for each in refusals(civil)] == ["side"]
    assert built(civil, sides="any_two").lists["soviet"].title == "Panzerkompanie"


@pytest.mark.rule("AOA-R07", "AOA-R04")
def test_both_sides_begin_with_the_agreed_victory_points() -> None:
    assert opening_state(board(), USUAL).balance == {"german": 0, "soviet": 0}
    state = opening_state(board(vp_start="3"), USUAL | {"vp_start": "3"})
    assert state.balance == {"german": 3, "soviet": 3}
    assert state.earned == state.raw == {"german": 0, "soviet": 0}
    (found,) = refusals({}, vp_start="101")
    assert (found.key, found.problem) == ("vp_start", "is 101; use 0 to 100 (AOA-R07)")


@pytest.mark.rule("AOA-O2", "AOA-1.01")
@pytest.mark.parametrize("total", ["900", "1500", "2000", "2980", "5000"])
@pytest.mark.parametrize("name", SHIPPED)
def test_starting_forces_are_reduced_to_the_agreed_total(name: str, total: str) -> None:
    agreed = board(name, start_total=total)
    assert agreed.points == int(total)
    for side in SIDES:
        usual, cut = board(name).lists[side], agreed.lists[side]
        assert start_points(cut) <= int(total)
        assert sum(cut.types[each.type].slot == "combat" for each in cut.start) >= cut.least
        assert (cut == replace(usual, points=0)) == (start_points(usual) <= int(total))
        assert agreed.points_of(side) == int(total)


@pytest.mark.rule("AOA-1.01")
def test_list_may_have_a_total_that_differs_from_the_campaign() -> None:
    agreed = board("eastern_front")
    assert (agreed.points, agreed.points_of("german"), agreed.points_of("soviet")) == (3000, 2500, 3000)
    assert [board("armoured_clash").points_of(side) for side in SIDES] == [2550, 3000]
    (found,) = refusals({"german.points": 2000})
    assert (
        found.problem
        == "costs 2495 points, but german.points allows 2000; reduce it by 495, or agree on more (AOA-1.01)"
    )


@pytest.mark.rule("AOA-O3", "AOA-O4")
def test_each_side_has_an_option_for_a_bid() -> None:
    bids = {option.bid: option for option in axis_attack.options() if option.bid}
    assert set(bids) == set(SIDES)
    assert all(bids[side].name == f"bid_{side}" and bids[side].number for side in SIDES)


@pytest.mark.rule("AOA-O3", "AOA-O4")
def test_bid_gives_victory_points_to_one_side() -> None:
    for side, other in (("german", "soviet"), ("soviet", "german")):
        options = USUAL | {"vp_start": "2", f"bid_{side}": "7"}
        assert opening_state(board("eastern_front", **options), options).balance == {side: 9, other: 2}
    assert opening_state(board(), USUAL).balance == {"german": 0, "soviet": 0}


@pytest.mark.rule("AOA-O2")
def test_total_below_the_smallest_company_is_refused() -> None:
    (found,) = refusals({}, start_total="400")
    left = "the smallest starting force of soviet costs 450; agree on more (AOA-O2)"
    assert str(found) == f"the options: start_total: is 400, but {left}"
