"""Replacements and reinforcements (DM-5, AGC-4.5, AGC-4.9)."""

from itertools import product

import pytest
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import PlaceReinforcements, Replace
from damos.turn.reinforcement import Shares
from sandtable.kernel.dice import Stream

# --- replacements and reinforcements ---


@pytest.mark.rule("AGC-4.5a", "AGC-4.5b", "AGC-4.5c", "DM-5.0a", "DM-5.0g")
@pytest.mark.parametrize(("side", "turn", "points"), [
    ("german", 1, 0), ("german", 2, 0), ("german", 3, 2), ("german", 12, 2), ("soviet", 2, 5), ("soviet", 12, 5),
])  # fmt: skip
def test_the_points_of_a_turn_are_added_to_saved_points(lay: Lay, side: str, turn: int, points: int) -> None:
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
def test_soviet_points_for_turn_1_arrive_by_option(lay: Lay, option: str, total: int) -> None:
    case = lay(turn=1, russian_rp_turn1=option, dice={"duty": "1", "rail": "*"}).to_phase("soviet.operations")
    assert case.state.turn == 2
    assert case.state.replacements["soviet"] == total


@pytest.mark.rule("DM-5.0e", "R-DM-08", "DM-5.0g")
@pytest.mark.parametrize(("option", "least"), [("any_sp_up_to_printed", 1), ("full_only", 4)])
def test_rebuilt_units_arrive_as_reinforcements(lay: Lay, option: str, least: int) -> None:
    case = lay(
        "eliminated i1:4",
        side="soviet",
        phase="reinforcement",
        rebuild_eliminated=option,
        tweak=lambda state: None,
        dice="rail *",
    )
    case.until(lambda case: case.accepts(Replace))
    assert [points for points in range(6) if case.allows(Replace({"i1": points}))] == list(range(least, 5))
    case.submit(Replace({"i1": 4}))
    rebuilt = case.one(events.UnitsRebuilt)
    assert (rebuilt.units, rebuilt.arrives, case.standing("i1")) == (["i1"], 4, "pool")
    assert (case.unit("i1").sp, case.unit("i1").arrives, case.state.replacements["soviet"]) == (4, 4, 1)
    case.to_turn(4).to(PlaceReinforcements)
    assert case.pending.seat == "soviet"
    case.submit(PlaceReinforcements({"i1": "2601"}))
    assert (case.at("i1"), case.sp("i1"), case.spent("i1")) == ("2601", [4], [False])


@pytest.mark.rule("AGC-4.9a", "R-DM-69")
@pytest.mark.parametrize(("side", "hex_", "german", "control", "legal"), [
    *[("soviet", hex_, "", {}, True) for hex_ in ("2601", "2102", "2612", "3902")],
    ("soviet", "2610", "", {}, False), ("soviet", "2630", "", {}, False),
    *[("german", hex_, "", {}, hex_.endswith("30")) for hex_ in ("2630", "3530", "2629", "2601")],
    ("soviet", "2612", "2611 I1:1", {}, False), ("soviet", "2612", "2611 I1:1!", {}, True),
    ("soviet", "2612", "", {"german": "2612"}, False),
])  # fmt: skip
def test_reinforcements_arrive_at_an_edge_or_a_soviet_city(
    lay: Lay, side: str, hex_: str, german: str, control: dict[str, str], legal: bool
) -> None:
    """The city must be friendly and outside enemy zones."""
    unit = "I9" if side == "german" else "i9"
    position = f"{german}; pool {unit}:4" if side == "german" else german
    soviet = "" if side == "german" else f"pool {unit}:4"
    case = lay(german=position, soviet=soviet, side=side, phase="reinforcement", city="2612", control=control)
    case.to(PlaceReinforcements)
    assert case.allows(PlaceReinforcements({unit: hex_})) == legal
    assert case.allows(PlaceReinforcements({}))


@pytest.mark.rule("R-DM-50", "R-DM-51", "R-DM-52", "DM-3.0a", "DM-8.4a")
def test_a_user_may_replace_the_player_aid(lay: Lay) -> None:
    aid = {
        "terrain": {"forest": {"defense": 6, "points": 3}},
        "matrix": {"standard": {"steadfast": {"defender_points": 2}}},
    }
    case = lay("2816 I1:6; 2815 i1:6", forest="2815", aid=aid, dice="attack 4; defense 11").attack("I1", "2815")
    assert case.one(events.ForceMoved).halves == 6
    assert case.one(events.CombatResolved).defense_modified == 12
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
        ("I7", 1, "DM-5.0e"),  # not yet arrived
        ("i1", 1, "DM-5.0b"),
        ("nobody", 1, "DM-5.0b"),
    ],
)
def test_a_replacement_is_legal_or_refused_by_its_rule(lay: Lay, unit: str, points: int, rule: str) -> None:
    case = lay(
        "2820 I1:4/6; 2821 I2:6; 2816 I3:3/6; 3520 I4:3/6; eliminated I5:0/6;"
        "surrendered I6:0/6; pool I7:5/6; 2815 i1:5/6",
        phase="reinforcement",
        replacements={"german": 3},
        tweak=lambda state: setattr(state.units["I7"], "arrives", 9),
    )
    assert case.state.replacements["german"] == 5  # including the two points of the turn
    assert case.why_not(Replace({unit: points})) == rule


@pytest.mark.rule("R-DM-08", "DM-5.0e")
@pytest.mark.parametrize(("option", "stock", "points"), [("any_sp_up_to_printed", 1, [1]), ("full_only", 5, [6])])
def test_a_lost_unit_is_rebuilt_with_any_or_all_points_by_option(
    lay: Lay, option: str, stock: int, points: list[int]
) -> None:
    case = lay(
        "eliminated I5:0/6", phase="reinforcement", replacements={"german": stock - 1}, rebuild_eliminated=option
    )
    found = sorted(order.points["I5"] for order in case.offered(Replace))
    assert found == (points if option == "full_only" else list(range(1, stock + 2)))


@pytest.mark.rule("R-DM-08")
def test_no_decision_is_pending_with_too_few_points(lay: Lay) -> None:
    case = lay("eliminated I5:0/6", phase="reinforcement", replacements={"german": 3}, rebuild_eliminated="full_only")
    assert not case.accepts(Replace)


@pytest.mark.rule("DM-5.0b", "DM-5.0g", "AGC-4.5c")
def test_points_are_shared_in_secret_and_the_rest_is_saved(lay: Lay) -> None:
    case = lay("2820 I1:4/6 I2:3/6", phase="reinforcement", replacements={"german": 4})
    assert case.pending.secret
    assert case.why_not(Replace({"I1": 2, "I2": 4})) == "DM-5.0c"
    assert case.why_not(Replace({})) == "DM-5.0b"
    case.submit(Replace({"I2": 3, "I1": 1}))
    spent = case.one(events.ReplacementsSpent)
    assert (spent.points, spent.units) == (4, {"I1": 1, "I2": 3})
    assert case.seen(spent, "soviet") == events.ReplacementsSpent("german", 4, {})
    assert case.sp("I1 I2") == [5, 6]
    assert case.state.replacements["german"] == 2
    assert not case.accepts(Replace)


@pytest.mark.rule("DM-5.0b")
def test_a_share_of_more_points_than_are_saved_is_refused(lay: Lay) -> None:
    case = lay("2820 I1:1/6 I2:1/6", phase="reinforcement", replacements={"german": 1})
    space = case.pending.options
    assert case.allows(Replace({"I1": 1, "I2": 2}))
    refusal = space.why_not(Replace({"I1": 2, "I2": 2}))
    assert refusal == ("DM-5.0b", "that is a total of 4 points, but only 3 are saved")


@pytest.mark.rule("DM-5.0b", "R-DM-08")
@pytest.mark.parametrize("option", ["any_sp_up_to_printed", "full_only"])
def test_the_number_of_shares_equals_the_listed_shares(lay: Lay, option: str) -> None:
    units = "2820 I1:4/6 I2:3/6; eliminated I5:0/3 I6:0/2"
    case = lay(german=units, phase="reinforcement", replacements={"german": 3}, rebuild_eliminated=option)
    space = Shares.of(case.state, "german")
    found = list(space.values())
    assert len({tuple(sorted(each.items())) for each in found}) == len(found) == space.count()
    every = product(range(4), range(5), range(5), range(5))
    tables = [{unit: n for unit, n in zip(("I1", "I2", "I5", "I6"), each, strict=True) if n} for each in every]
    assert sorted(map(str, found)) == sorted(str(table) for table in tables if space.is_legal(table))


@pytest.mark.rule("DM-5.0d", "R-DM-07")
@pytest.mark.parametrize(("option", "legal"), [("blocked", False), ("allowed", True)])
def test_a_unit_in_an_enemy_zone_is_replaced_by_option(lay: Lay, option: str, legal: bool) -> None:
    case = lay(
        "2817 I1:4/6; 2815 i1:6; 2816 i2:6!", phase="reinforcement", replacements={"german": 4}, rp_ezoc_friendly=option
    )
    assert case.allows(Replace({"I1": 1}))  # demoralized neighbors have no zone
    case.end()
    case = lay("2817 I1:4/6; 2718 i1:6", phase="reinforcement", rp_ezoc_friendly=option, control={"german": ""})
    assert case.allows(Replace({"I1": 1})) == legal


@pytest.mark.rule("DM-5.0b")
def test_each_random_share_is_legal(lay: Lay) -> None:
    case = lay("2820 I1:4/6 I2:1/9; eliminated I5:0/6", phase="reinforcement", replacements={"german": 9})
    stream = Stream(b"drawn")
    drawn = [case.pending.options.sample(stream) for _ in range(60)]
    assert all(case.allows(order) for order in drawn)
    assert {unit for order in drawn if isinstance(order, Replace) for unit in order.points} == {"I1", "I2", "I5"}
