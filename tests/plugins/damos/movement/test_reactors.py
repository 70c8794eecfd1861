"""The spaces of reactions: forces and paths, compared with brute force, and refusals."""

from itertools import combinations

import pytest
from tests.plugins.damos.cases import Case, avoid, react
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.forces import enemy_of, stacks
from damos.model.orders import React
from damos.movement.reaction import spent_by_reaction
from damos.movement.reactors import (
    Responders,
    Trigger,
    avoiding_retreats,
    groups,
    near_enough,
    reaction_paths,
    why_not_away,
    why_not_in,
)
from sandtable.kernel.dice import Stream


def trigger_of(case: Case, hex_: str) -> Trigger:
    """Return the trigger of the enemy in a hex."""
    side = case.state.phasing_side
    return Trigger(case.state, hex_, tuple(stacks(case.state, side)[hex_]), "move", enemy_of(side))


def responders_in(case: Case, hex_: str) -> Responders:
    """Return the forces that may react into a hex."""
    trigger = trigger_of(case, hex_)
    return Responders(trigger, groups(trigger, near_enough(trigger), why_not_in), why_not_in)


# --- forces ---

CROWD = "2815 a1:4 i1:3 i2:3; 2716 a2:4! i3:3!; 2717 a3:4~ i4:3; 2817 i5:6; 2917 a4:5 m1:3"


@pytest.mark.rule("DM-2.6.1a", "DM-2.6.1b", "DM-2.6.1r", "R-DM-48")
@pytest.mark.parametrize(("option", "some"), [("any_subset", True), ("all_or_none", False)])
def test_units_of_one_hex_react_together_by_option(lay: Lay, option: str, some: bool) -> None:
    case = lay(german="2816 A1:7", soviet=CROWD, reaction_stack_subset=option)
    space = responders_in(case, "2816")
    found = list(space.values())
    stacked = [list(each) for size in (1, 2, 3) for each in combinations(["a1", "i1", "i2"], size) if "a1" in each]
    expected = [*stacked, ["a4"], ["m1"], ["a4", "m1"]] if some else [["a1", "i1", "i2"], ["a4", "m1"]]
    assert sorted(found) == sorted(expected)
    assert all(space.is_legal(units) for units in found)
    stream = Stream(b"who")
    assert {tuple(space.sample(stream)) for _ in range(200)} == {tuple(units) for units in found}


@pytest.mark.rule("DM-2.6.1a", "DM-2.6.1b", "DM-2.6.1c", "DM-2.6.1f", "DM-2.6.1r")
@pytest.mark.parametrize(("units", "rule"), [
    ("a1", ""), ("i1", "DM-2.6.1a"), ("a1 a4", "DM-2.6.1f"), ("a2", "DM-2.6.1b"), ("a3", "DM-2.6.1b"),
    ("A1", "DM-2.6.1a"), ("a99", "DM-2.6.1c"), ("a1 a1", "DM-2.6.1a"),
])  # fmt: skip
def test_a_refused_reaction_cites_its_rule(lay: Lay, units: str, rule: str) -> None:
    space = responders_in(lay(german="2816 A1:7", soviet=CROWD), "2816")
    refusal = space.why_not(units.split())
    assert (refusal.rule if refusal else "") == rule


@pytest.mark.rule("R-DM-25")
@pytest.mark.parametrize(("option", "rule"), [("one_per_activation", "R-DM-25"), ("one_per_hex_entered", "")])
def test_a_second_reaction_cites_its_rule(lay: Lay, option: str, rule: str) -> None:
    case = lay(
        german="2816 A1:7", soviet=CROWD, reaction_attempts=option, tweak=lambda state: state.reacted.append("a1")
    )
    refusal = responders_in(case, "2816").why_not(["a1"])
    assert (refusal.rule if refusal else "") == rule


# --- paths ---


@pytest.mark.rule("R-DM-10")
@pytest.mark.parametrize("option", ["shortest_legal", "any"])
@pytest.mark.parametrize("start", ["2815", "2814", "2713", "2813", "2715"])
def test_reaction_paths_match_a_brute_force_search(lay: Lay, option: str, start: str) -> None:
    barred = "2815" if start == "2813" else "2616"
    case = lay(f"2816 A1:7; {barred} A2:1; {start} a1:14", reaction_path=option)
    board = case.state.board
    paths = [[start]]
    found = []
    for _ in range(3):
        paths = [[*path, near] for path in paths for near in board.around[path[-1]] if near not in path]
        found += [path for path in paths if path[-1] == "2816" and not {"2816", barred} & {*path[:-1]}]
    if option == "shortest_legal":
        found = [path for path in found if len(path) == min(map(len, found))]
    assert sorted(reaction_paths(trigger_of(case, "2816"), start, ["a1"])) == sorted(found)


@pytest.mark.rule("R-DM-24", "DM-2.6.1i")
def test_a_retreat_that_avoids_combat_has_two_or_three_hexes(lay: Lay) -> None:
    case = lay("2816 A1:7; 2815 a1:6")
    trigger = trigger_of(case, "2816")
    assert why_not_away(trigger, "2815", ["a1"]) is None
    lengths = {len(order.path) - 1 for order in avoiding_retreats(trigger, "2815", ["a1"]).values()}
    assert lengths == {2, 3}


# --- sequence ---


@pytest.mark.rule("R-DM-03", "DM-2.6.1r")
def test_reactions_are_announced_and_then_rolled_for_while_there_is_room(lay: Lay) -> None:
    """The last of three forces finds no room. It does not roll and stays fresh."""
    case = lay("2817 A1:9; 2815 a1:4 a2:4; 2716 a3:4; 2916 a4:4", dice="reaction 66,66; attack 11; defense 11")
    announced = [react("a3", "2716 2816"), react("a1 a2", "2815 2816"), react("a4", "2916 2816")]
    case.march("A1", "2816", *announced)
    rolled = [event.units for event in case.events(events.ReactionRolled)]
    assert rolled == [["a3"], ["a1", "a2"]]
    given = [order for _, order in case.given(React)]
    assert given == announced
    case.rest()
    assert case.spent("a1 a2 a3 a4") == [True, True, True, False]


@pytest.mark.rule("DM-2.6.1s", "R-DM-05")
@pytest.mark.parametrize(("option", "spent"), [("yes", ["a1", "a2"]), ("no", ["a2"])])
def test_units_that_tried_to_react_are_spent_by_option(lay: Lay, option: str, spent: list[str]) -> None:
    case = lay("2817 A1:9; 2815 a1:4; 2716 a2:4", dice="reaction 11,66", failed_reaction_spent=option)
    case.march("A1", "2816", avoid("a1", "2815 2814 2813"), avoid("a2", "2716 2715 2714"))
    case.until(lambda case: len(case.state.reacted) == 2)
    assert spent_by_reaction(case.state) == spent
    case.rest()
    assert [unit for unit in ("a1", "a2") if case.unit(unit).spent] == spent
