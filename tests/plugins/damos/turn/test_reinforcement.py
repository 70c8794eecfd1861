"""Replacements, reinforcements and set-up: 5.0 of the series, 4.5, 4.9 and 6.0 of the exclusive rules."""

from itertools import product
from typing import Any

import pytest
from tests.plugins.damos.conftest import Lay, Prepare

from damos.model import events
from damos.model.orders import PlaceReinforcements, Replace, SetUp
from damos.turn.reinforcement import Shares
from sandtable.kernel.dice import Stream
from sandtable.testing.loaded_dice import LoadedDice

# --- replacements and reinforcements ---


@pytest.mark.rule("AGC-4.5a", "AGC-4.5b", "AGC-4.5c", "DM-5.0a", "DM-5.0g")
@pytest.mark.parametrize(("side", "turn", "points"), [
    ("german", 1, 0), ("german", 2, 0), ("german", 3, 2), ("german", 12, 2), ("soviet", 2, 5), ("soviet", 12, 5),
])  # fmt: skip
def test_points_of_a_turn_are_added_to_what_was_saved(lay: Lay, side: str, turn: int, points: int) -> None:
    case = lay(
        side=side,
        phase="reinforcement",
        turn=turn,
        replacements={side: 4},
        dice={"duty": "1"} if (side, turn) == ("soviet", 2) else {},
    )
    received = [event for event in case.events(events.ReplacementsReceived) if event.side == side]
    assert sum(event.points for event in received) == points
    assert case.state.replacements[side] == 4 + points


@pytest.mark.rule("R-DM-61", "AGC-4.5b", "AGC-4.6.1a")
@pytest.mark.parametrize(("option", "total"), [("none", 5), ("5", 10)])
def test_soviet_points_of_the_turn_that_they_do_not_have(lay: Lay, option: str, total: int) -> None:
    case = lay(turn=1, russian_rp_turn1=option, dice={"duty": "1", "rail": "*"}).to_phase("soviet.operations")
    assert case.state.turn == 2
    assert case.state.replacements["soviet"] == total


@pytest.mark.rule("DM-5.0b", "DM-5.0c")
def test_a_point_restores_a_point_up_to_the_printed_strength(lay: Lay) -> None:
    case = lay("2810 i1:3/5 i2:5/5", side="soviet", phase="reinforcement", replacements={"soviet": 3})
    case.until(lambda case: case.asks(Replace))
    assert case.allows(Replace({"i1": 2}))
    assert not case.allows(Replace({"i1": 3}))
    assert not case.allows(Replace({"i2": 1}))
    assert not case.allows(Replace({"i1": 0}))
    case.submit(Replace({"i1": 2}))
    assert case.sp("i1") == [5]
    assert case.state.replacements["soviet"] == 3 + 5 - 2
    told = case.one(events.ReplacementsSpent)
    assert case.seen(told, "german") == events.ReplacementsSpent("soviet", 2, {})


@pytest.mark.rule("DM-5.0b")
def test_not_more_than_there_is(lay: Lay) -> None:
    case = lay("2810 i1:1/9", side="soviet", phase="reinforcement")
    case.until(lambda case: case.asks(Replace))
    assert case.allows(Replace({"i1": 5}))
    assert not case.allows(Replace({"i1": 6}))


@pytest.mark.rule("DM-5.0e", "R-DM-08", "DM-5.0g")
@pytest.mark.parametrize(("option", "least"), [("any_sp_up_to_printed", 1), ("full_only", 4)])
def test_eliminated_units_are_rebuilt_and_come_as_reinforcements(lay: Lay, option: str, least: int) -> None:
    case = lay(
        "eliminated i1:4",
        side="soviet",
        phase="reinforcement",
        rebuild_eliminated=option,
        tweak=lambda state: None,
        dice="rail *",
    )
    case.until(lambda case: case.asks(Replace))
    assert [points for points in range(6) if case.allows(Replace({"i1": points}))] == list(range(least, 5))
    case.submit(Replace({"i1": 4}))
    rebuilt = case.one(events.UnitsRebuilt)
    assert (rebuilt.arrives, case.unit("i1").sp, case.state.replacements["soviet"]) == (4, 4, 1)
    case.to_turn(4).to(PlaceReinforcements)
    assert case.asked.seat == "soviet"
    case.submit(PlaceReinforcements({"i1": "2601"}))
    assert (case.at("i1"), case.sp("i1"), case.spent("i1")) == ("2601", [4], [False])


@pytest.mark.rule("AGC-4.9a", "R-DM-69")
@pytest.mark.parametrize(("side", "hex_", "may"), [
    ("soviet", "2601", True), ("soviet", "2102", True), ("soviet", "2610", False), ("soviet", "2612", True),
    ("soviet", "3902", True), ("soviet", "2630", False), ("german", "2630", True), ("german", "3530", True),
    ("german", "2629", False), ("german", "2601", False),
])  # fmt: skip
def test_where_reinforcements_arrive(lay: Lay, side: str, hex_: str, may: bool) -> None:
    unit = "I1" if side == "german" else "i1"
    case = lay(**{side: f"pool {unit}:4"}, side=side, phase="reinforcement", city="2612").to(PlaceReinforcements)
    assert case.allows(PlaceReinforcements({unit: hex_})) == may
    assert case.allows(PlaceReinforcements({}))


@pytest.mark.rule("AGC-4.9a", "R-DM-69")
@pytest.mark.parametrize(("german", "control", "may"), [
    ("", {}, True), ("2611 I1:1", {}, False), ("2611 I1:1!", {}, True), ("", {"german": "2612"}, False),
])  # fmt: skip
def test_a_city_must_be_friendly_and_in_no_enemy_zone(
    lay: Lay, german: str, control: dict[str, str], may: bool
) -> None:
    case = lay(
        german=german, soviet="pool i1:4", side="soviet", phase="reinforcement", city="2612", control=control
    ).to(PlaceReinforcements)
    assert case.allows(PlaceReinforcements({"i1": "2612"})) == may


@pytest.mark.rule("AGC-4.9a", "DM-5.0a", "R-DM-69", "R-DM-78")
def test_nobody_comes_before_his_turn(prepare: Prepare) -> None:
    board = prepare().board
    later = {counter.arrives for counter in board.counters.values()}
    assert {0, 2, 3, 7} <= later
    assert all(counter.sp >= 1 and counter.ma >= 1 for counter in board.counters.values())
    assert (
        len([counter for counter in board.counters.values() if counter.side == "soviet" and not counter.arrives]) >= 8
    )


# --- set-up ---


def new_game(prepare: Prepare) -> Any:
    game = prepare().new_game(LoadedDice())
    game.start()
    return game


def a_set_up(game: Any) -> dict[str, str]:
    order = game.waiting()[0].options.sample(Stream(b"set-up"))
    assert isinstance(order, SetUp)
    return dict(order.hexes)


@pytest.mark.rule("AGC-6.0a", "AGC-6.0b", "AGC-6.0c", "R-DM-78")
def test_the_soviets_set_up_first_with_somebody_in_every_frontier_hex(prepare: Prepare) -> None:
    game = new_game(prepare)
    board = game.state.board
    assert [decision.seat for decision in game.waiting()] == ["soviet"]
    hexes = a_set_up(game)
    space = game.waiting()[0].options
    assert space.is_legal(SetUp(hexes))
    assert set(board.frontier) <= set(hexes.values())
    assert len(board.frontier) >= 8
    rest = {hex_ for hex_ in hexes.values() if hex_ not in board.frontier}
    places = {*board.towns, *board.cities, *board.major_cities}
    assert rest <= places
    assert all(board.home[hex_] == "soviet" for hex_ in rest)
    lonely = next(hex_ for hex_ in board.frontier if list(hexes.values()).count(hex_) == 1)
    mover = next(unit for unit, hex_ in hexes.items() if hex_ == lonely)
    assert not space.is_legal(SetUp(hexes | {mover: "2819"}))
    assert not space.is_legal(SetUp({unit: hex_ for unit, hex_ in hexes.items() if unit != mover}))


@pytest.mark.rule("AGC-6.0c", "AGC-6.0b")
@pytest.mark.parametrize("hex_", ["2815", "3029", "2119", "9999", ""])
def test_nowhere_else(prepare: Prepare, hex_: str) -> None:
    """Open country, the Germans' Siedlce, Daugavpils out of the area."""
    game = new_game(prepare)
    hexes = a_set_up(game)
    counts = list(hexes.values())
    mover = next(unit for unit, at in hexes.items() if counts.count(at) > 1 or at not in game.state.board.frontier)
    assert not game.waiting()[0].options.is_legal(SetUp(hexes | {mover: hex_}))


@pytest.mark.rule("AGC-6.0a", "AGC-6.0d")
def test_then_the_germans_on_or_behind_the_frontier(prepare: Prepare) -> None:
    game = new_game(prepare)
    game.submit(SetUp(a_set_up(game)))
    assert [decision.seat for decision in game.waiting()] == ["german"]
    hexes = a_set_up(game)
    space = game.waiting()[0].options
    assert all(game.state.board.home[hex_] == "german" and 25 <= int(hex_[:2]) <= 32 for hex_ in hexes.values())
    unit = min(hexes)
    for hex_ in ("2430", "3329", "2727", "2819"):
        assert not space.is_legal(SetUp(hexes | {unit: hex_}))
    crowd = dict.fromkeys(list(hexes)[:5], next(iter(hexes.values())))
    assert not space.is_legal(SetUp(hexes | crowd))
    game.submit(SetUp(hexes))
    assert game.state.phase.startswith("german.")
    assert game.state.turn == 1


@pytest.mark.rule("R-DM-60", "AGC-1.0a")
@pytest.mark.parametrize(("option", "turns"), [("t1_1st_july", 12), ("t1_22_june", 13), ("thirteen_turns", 13)])
def test_how_many_turns(prepare: Prepare, option: str, turns: int) -> None:
    assert prepare(calendar=option).board.last_turn == turns


@pytest.mark.rule("R-DM-50", "R-DM-51", "R-DM-52", "DM-3.0a", "DM-8.4a")
def test_the_player_aid_is_a_file_that_a_user_may_replace(lay: Lay) -> None:
    aid = {
        "terrain": {"forest": {"defence": 6, "points": 3}},
        "matrix": {"standard": {"steadfast": {"defender_points": 2}}},
    }
    case = lay("2816 I1:6; 2815 i1:6", forest="2815", aid=aid, dice="attack 4; defence 11").attack("I1", "2815")
    assert case.one(events.ForceMoved).halves == 6
    assert case.one(events.CombatResolved).defence_modified == 12
    assert case.one(events.CombatResolved).on_defender == "1d"


@pytest.mark.rule("DM-5.0b", "DM-5.0c", "DM-5.0d", "DM-5.0e", "DM-5.0f", "R-DM-08")
@pytest.mark.parametrize(
    ("unit", "points", "rule"),
    [
        ("I1", 1, ""),
        ("I1", 2, ""),
        ("I1", 3, "DM-5.0c"),
        ("I1", 0, "DM-5.0c"),
        ("I2", 1, "DM-5.0c"),  # at full strength
        ("I3", 1, "DM-5.0d"),  # in an enemy zone
        ("I4", 1, "DM-5.0d"),  # without supply
        ("I5", 5, ""),  # eliminated
        ("I5", 6, "R-DM-08"),
        ("I6", 1, "DM-5.0f"),  # surrendered
        ("I7", 1, "DM-5.0e"),  # on its way
        ("i1", 1, "DM-5.0b"),
        ("nobody", 1, "DM-5.0b"),
    ],
)
def test_who_can_get_how_many(lay: Lay, unit: str, points: int, rule: str) -> None:
    case = lay(
        "2820 I1:4/6; 2821 I2:6; 2816 I3:3/6; 3520 I4:3/6; eliminated I5:0/6;"
        "surrendered I6:0/6; pool I7:5/6; 2815 i1:5/6",
        phase="reinforcement",
        replacements={"german": 3},
        tweak=lambda state: setattr(state.units["I7"], "arrives", 9),
    )
    assert case.state.replacements["german"] == 5  # with the two of the turn
    assert case.why_not(Replace({unit: points})) == rule
    case.end()


@pytest.mark.rule("R-DM-08", "DM-5.0e")
@pytest.mark.parametrize(("option", "stock", "points"), [("any_sp_up_to_printed", 1, [1]), ("full_only", 5, [6])])
def test_with_how_many_points_a_lost_unit_comes_back(lay: Lay, option: str, stock: int, points: list[int]) -> None:
    case = lay(
        "eliminated I5:0/6", phase="reinforcement", replacements={"german": stock - 1}, rebuild_eliminated=option
    )
    found = sorted(order.points["I5"] for order in case.offered(Replace))
    assert found == (points if option == "full_only" else list(range(1, stock + 2)))
    case.end()


@pytest.mark.rule("R-DM-08")
def test_nobody_is_asked_who_has_too_few_points(lay: Lay) -> None:
    case = lay("eliminated I5:0/6", phase="reinforcement", replacements={"german": 3}, rebuild_eliminated="full_only")
    assert not case.asks(Replace)


@pytest.mark.rule("DM-5.0e", "R-DM-08")
def test_a_rebuilt_unit_comes_in_with_the_next_turn(lay: Lay) -> None:
    case = lay("eliminated I5:0/6", phase="reinforcement", replacements={"german": 2}, turn=3)
    case.submit(Replace({"I5": 4}))
    rebuilt = case.one(events.UnitsRebuilt)
    assert (rebuilt.units, rebuilt.arrives) == (["I5"], 4)
    assert (case.standing("I5"), case.unit("I5").sp, case.unit("I5").arrives) == ("pool", 4, 4)
    assert case.state.replacements["german"] == 0


@pytest.mark.rule("DM-5.0b", "DM-5.0g", "AGC-4.5c")
def test_points_are_shared_out_in_secret_and_the_rest_is_saved(lay: Lay) -> None:
    case = lay("2820 I1:4/6 I2:3/6", phase="reinforcement", replacements={"german": 4})
    assert case.asked.secret
    assert case.why_not(Replace({"I1": 2, "I2": 4})) == "DM-5.0c"
    assert case.why_not(Replace({})) == "DM-5.0b"
    case.submit(Replace({"I2": 3, "I1": 1}))
    spent = case.one(events.ReplacementsSpent)
    assert (spent.points, spent.units) == (4, {"I1": 1, "I2": 3})
    assert case.seen(spent, "soviet") == events.ReplacementsSpent("german", 4, {})
    assert case.sp("I1 I2") == [5, 6]
    assert case.state.replacements["german"] == 2
    assert not case.asks(Replace)


@pytest.mark.rule("DM-5.0b")
def test_no_more_can_be_shared_out_than_is_saved(lay: Lay) -> None:
    case = lay("2820 I1:1/6 I2:1/6", phase="reinforcement", replacements={"german": 1})
    space = case.asked.options
    assert case.allows(Replace({"I1": 1, "I2": 2}))
    refusal = space.why_not(Replace({"I1": 2, "I2": 2}))
    assert refusal == ("DM-5.0b", "that is a total of 4 points, but only 3 are saved")
    case.end()


@pytest.mark.rule("DM-5.0b", "R-DM-08")
@pytest.mark.parametrize("option", ["any_sp_up_to_printed", "full_only"])
def test_the_number_of_ways_is_that_of_those_listed(lay: Lay, option: str) -> None:
    units = "2820 I1:4/6 I2:3/6; eliminated I5:0/3 I6:0/2"
    case = lay(german=units, phase="reinforcement", replacements={"german": 3}, rebuild_eliminated=option)
    space = Shares.of(case.state, "german")
    found = list(space.values())
    assert len({tuple(sorted(each.items())) for each in found}) == len(found) == space.count()
    every = product(range(4), range(5), range(5), range(5))
    tables = [{unit: n for unit, n in zip(("I1", "I2", "I5", "I6"), each, strict=True) if n} for each in every]
    assert sorted(map(str, found)) == sorted(str(table) for table in tables if space.is_legal(table))
    case.end()


@pytest.mark.rule("DM-5.0d", "R-DM-07")
@pytest.mark.parametrize(("option", "may"), [("blocked", False), ("allowed", True)])
def test_in_an_enemy_zone_the_unit_is_its_own_friend_or_not(lay: Lay, option: str, may: bool) -> None:
    case = lay(
        "2817 I1:4/6; 2815 i1:6; 2816 i2:6!", phase="reinforcement", replacements={"german": 4}, rp_ezoc_friendly=option
    )
    assert case.allows(Replace({"I1": 1}))  # demoralised neighbours have no zone
    case.end()
    case = lay("2817 I1:4/6; 2718 i1:6", phase="reinforcement", rp_ezoc_friendly=option, control={"german": ""})
    assert case.allows(Replace({"I1": 1})) == may
    case.end()


@pytest.mark.rule("DM-5.0b")
def test_what_is_drawn_can_be_given(lay: Lay) -> None:
    case = lay("2820 I1:4/6 I2:1/9; eliminated I5:0/6", phase="reinforcement", replacements={"german": 9})
    stream = Stream(b"drawn")
    drawn = [case.asked.options.sample(stream) for _ in range(60)]
    assert all(case.allows(order) for order in drawn)
    assert {unit for order in drawn if isinstance(order, Replace) for unit in order.points} == {"I1", "I2", "I5"}
    case.end()
