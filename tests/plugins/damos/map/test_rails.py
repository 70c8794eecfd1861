"""Railways: railheads, conversion, junctions, and the optional rules (AGC-4.3)."""

import pytest
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.positions import GERMAN, SOVIET
from tests.plugins.damos.scattered import opening, scattered

from damos.map.rails import Line, lines_ahead, railheads
from damos.model.events import RailExtended
from damos.model.orders import ExtendRail
from damos.model.state import DamosState
from damos.turn.rail_conversion import Extension, extend_rails, why_not_converted
from sandtable.kernel.decisions import Decision, Roll
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import Calculation

EAST = "2815 2814 2813 2812 2811 2810 2809"
"""The hexes ahead of 2816, the railhead of the small map."""
FORK = "2830 2829 2828 2827 2826 2825 2824 2823 2822 2821 2820 2819 2818 2817 2816 2815 2814 2813,2814 2714 2613"
"""A short version of the railway of the small map, with a branch from 2814."""


def played(state: DamosState, dice: list[int], orders: list[list[str]]) -> tuple[list[RailExtended], list[str]]:
    """Run the conversion with these dice and orders, and return the events and the purposes of the rolls."""
    state.phasing_side = GERMAN
    procedure = extend_rails(state)
    answer: object = None
    found: list[RailExtended] = []
    rolls: list[str] = []
    while True:
        try:
            step = procedure.send(answer)
        except StopIteration:
            assert not dice
            assert not orders
            return found, rolls
        answer = None
        if isinstance(step, Roll):
            rolls.append(step.purpose)
            answer = (dice.pop(0),)
        elif isinstance(step, Decision):
            order = ExtendRail(orders.pop(0))
            step.options.check(order)
            answer = order
        else:
            assert isinstance(step, RailExtended)
            found.append(step)
            state.converted = sorted({*state.converted, *step.hexes})


# --- railheads ---


@pytest.mark.rule("AGC-4.3.1d", "AGC-4.3.1c", "AGC-4.4a")
def test_a_railhead_is_the_last_german_rail_hex_before_more_rail(lay: Lay) -> None:
    state = lay().state
    assert railheads(state) == ["2816"]
    assert lines_ahead(state) == [Line("2816", "2815")]
    state.control["2816"] = SOVIET
    assert lines_ahead(state) == []
    assert railheads(state) == ["2817"]  # R-DM-89


@pytest.mark.rule("AGC-4.3.1c")
def test_only_rail_behind_the_frontier_is_converted_at_the_start() -> None:
    state = opening()
    assert all(state.board.home[hex_] == GERMAN for hex_ in state.converted)
    assert {line.railhead for line in lines_ahead(state)} == set(state.board.railheads)


# --- conversion ---


@pytest.mark.rule("AGC-4.3.1d", "AGC-1.2a", "R-DM-57")
@pytest.mark.parametrize(("die", "hexes"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_a_line_is_extended_by_1d3(lay: Lay, die: int, hexes: int) -> None:
    case = lay(phase="strategic", control={GERMAN: EAST}, dice={"rail": str(die)})
    longest = EAST.split()[:hexes]
    assert case.refuses(ExtendRail(EAST.split()[: hexes + 1]))
    case.submit(ExtendRail(longest))
    why = (Calculation("allowed", ((f"1d3, die {die}", hexes, "AGC-1.2a"),)),)
    assert case.one(RailExtended) == RailExtended("2816", die, hexes, longest, calculations=why)
    assert set(longest) <= set(case.state.converted)


@pytest.mark.rule("AGC-4.3.1d", "AGC-1.2a")
@pytest.mark.parametrize(
    ("turn", "die", "hexes"), [(10, 6, 3), (11, 1, 1), (11, 3, 1), (11, 4, 2), (11, 6, 2), (12, 6, 2)]
)
def test_a_line_is_extended_by_1d2_from_turn_11_on(lay: Lay, turn: int, die: int, hexes: int) -> None:
    case = lay(phase="strategic", turn=turn, control={GERMAN: EAST}, dice={"rail": str(die)})
    assert not case.allows(ExtendRail(EAST.split()[: hexes + 1]))
    case.submit(ExtendRail(EAST.split()[:hexes]))
    assert case.one(RailExtended).allowed == hexes


@pytest.mark.rule("AGC-4.3.1d")
@pytest.mark.parametrize("hexes", [[], ["2815"]])
def test_fewer_hexes_or_none_may_be_converted(lay: Lay, hexes: list[str]) -> None:
    case = lay(phase="strategic", control={GERMAN: EAST}, dice={"rail": "6"})
    assert case.submit(ExtendRail(hexes)).one(RailExtended).hexes == hexes


@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.1e", "R-DM-57")
@pytest.mark.parametrize(("german", "soviet", "control", "reach", "rule"), [
    ("", "", "2815 2813", 1, "R-DM-57"), ("", "2712 i1", EAST, 3, ""), ("", "2713 i1", EAST, 2, "AGC-4.3.1e"),
    ("2814 I1!; 2813 I2", "2713 i1", EAST, 3, ""), ("", "2713 i1!", EAST, 3, ""),
    ("", "2714 i1", EAST, 1, "AGC-4.3.1e"),
    ("2814 I1", "2714 i1", EAST, 2, "AGC-4.3.1e"), ("2814 I1; 2813 I2", "2714 i1", EAST, 3, ""),
])  # fmt: skip
def test_a_line_stops_before_soviet_control_and_enemy_zones(
    lay: Lay, german: str, soviet: str, control: str, reach: int, rule: str
) -> None:
    """A friendly unit, demoralized or not, cancels the zone in its hex."""
    case = lay(german=german, soviet=soviet, phase="strategic", control={GERMAN: control}, dice="rail 6")
    line = EAST.split()
    assert [case.allows(ExtendRail(line[:count])) for count in (1, 2, 3)] == [count <= reach for count in (1, 2, 3)]
    assert case.why_not(ExtendRail(line[:3])) == rule
    case.submit(ExtendRail(line[:reach]))


@pytest.mark.rule("AGC-4.3.1e", "R-DM-57")
def test_no_die_is_rolled_if_no_hex_can_be_converted(lay: Lay) -> None:
    assert lay(phase="strategic").never(RailExtended)
    assert lay("2715 i1", phase="strategic", control={GERMAN: EAST}).never(RailExtended)


@pytest.mark.rule("AGC-4.3.1d")
def test_the_soviets_convert_nothing(lay: Lay) -> None:
    case = lay(phase="strategic", side=SOVIET, control={GERMAN: EAST})
    assert case.never(RailExtended)


@pytest.mark.rule("AGC-4.3.1d")
def test_invalid_extensions_are_refused(lay: Lay) -> None:
    state = lay(control={GERMAN: EAST}).state
    space = Extension(state, [Line("2816", "2815")], 3)
    for value in (
        ["2814"],
        ["2815", "2813"],
        ["2815", "2815"],
        ["2817"],
        ["9999"],
        "2815",
        [1],
        None,
        ["2815", "2816"],
    ):
        refusal = space.why_not(value)
        assert refusal is not None, value
        assert (refusal.rule, bool(refusal.reason)) == ("AGC-4.3.1d", True)
    assert list(space.values()) == [[], ["2815"], ["2815", "2814"], ["2815", "2814", "2813"]]
    assert space.sample(Stream(b"any")) in list(space.values())


# --- junctions ---


@pytest.mark.rule("AGC-4.3.1f")
def test_a_line_that_passes_a_junction_follows_one_branch(lay: Lay) -> None:
    case = lay(phase="strategic", rails=FORK, control={GERMAN: "2815 2814 2813 2714 2613"}, dice={"rail": "6"})
    offered = [order.hexes for order in case.offered(ExtendRail)]
    assert ["2815", "2814", "2813"] in offered
    assert ["2815", "2814", "2714"] in offered
    assert not case.allows(ExtendRail(["2815", "2714", "2814"]))
    case.submit(ExtendRail(["2815", "2814", "2714"]))
    assert len(case.events(RailExtended)) == 1, "the other line waits for a later turn"
    assert lines_ahead(case.state) == [Line("2714", "2613"), Line("2814", "2813")]


@pytest.mark.rule("AGC-4.3.1f", "R-DM-57")
@pytest.mark.parametrize(("option", "dice", "rolls", "allowed"), [
    ("one_roll_per_line", [1, 6], ["rail:2814"] * 2, [1, 3]), ("one_roll_shared", [3], ["rail:2814"], [2, 2]),
])  # fmt: skip
def test_each_line_from_a_junction_is_extended(
    lay: Lay, option: str, dice: list[int], rolls: list[str], allowed: list[int]
) -> None:
    state = lay(rails=FORK, control={GERMAN: "2815 2814 2813 2714 2613"}, rail_conversion_rolls=option).state
    state.converted = sorted([*state.converted, "2815", "2814"])
    hexes = [["2714", "2613"][: allowed[0]], ["2813"]]
    events, rolled = played(state, list(dice), list(hexes))
    assert rolled == rolls
    assert [(event.railhead, event.allowed, event.hexes) for event in events] == [
        ("2814", most, line) for most, line in zip(allowed, hexes, strict=True)
    ]


@pytest.mark.rule("AGC-4.3.1f")
def test_two_lines_that_meet_convert_a_hex_once(lay: Lay) -> None:
    meeting = "2830 2829 2828 2827 2826 2825 2824 2823 2822 2821 2820 2819 2818 2817 2816 2815 2814"
    other = "2730 2729 2728 2727 2726 2725 2724 2723 2722 2721 2720 2719 2718 2717 2716 2715 2814"
    state = lay(rails=f"{meeting},{other}", control={GERMAN: "2815 2814 2715"}).state
    assert railheads(state) == ["2716", "2816"]
    events, rolls = played(state, [6], [["2715", "2814", "2815"]])
    assert rolls == ["rail:2716"]
    assert len(events) == 1


# --- the optional rules ---


@pytest.mark.rule("AGC-4.3.1g", "R-DM-70")
def test_the_optional_rule_extends_one_line_by_a_further_hex(lay: Lay) -> None:
    state = lay(rails=FORK, control={GERMAN: "2815 2814 2813 2714 2613"}, optional_rules="on").state
    state.converted = sorted([*state.converted, "2815", "2814"])
    events, _ = played(state, [3], [["2714", "2613"]])
    assert [(event.railhead, event.allowed, event.rule) for event in events] == [("2814", 3, "AGC-4.3.1g")]


@pytest.mark.rule("R-DM-70", "AGC-4.3.1g")
@pytest.mark.parametrize(("option", "lines"), [("off", 2), ("on", 1)])
def test_the_optional_rule_extends_one_railhead_only(lay: Lay, option: str, lines: int) -> None:
    state = lay(
        rails="2830 2829 2828 2827 2826 2825 2824,3030 3029 3028 3027 3026 3025 3024", optional_rules=option
    ).state
    state.converted = ["2829", "2830", "3029", "3030"]
    events, _ = played(state, [1] * lines, [["2828"], ["3028"]][:lines])
    assert len(events) == lines


@pytest.mark.rule("AGC-4.3.1h", "R-DM-70")
@pytest.mark.parametrize(
    ("turn", "held", "die", "allowed"), [(5, True, 6, 8), (5, False, 6, 4), (4, True, 1, 2), (6, True, 2, 2)]
)
def test_a_pause_in_august_earns_one_long_extension(lay: Lay, turn: int, *, held: bool, die: int, allowed: int) -> None:
    state = lay(control={GERMAN: f"{EAST} 2808"}, turn=turn, optional_rules="on_with_pause").state
    state.held = held
    hexes = f"{EAST} 2808".split()[:allowed]
    events, _ = played(state, [die], [hexes])
    assert [(event.allowed, event.hexes) for event in events] == [(allowed, hexes)]


# --- random positions ---


@pytest.mark.rule("AGC-4.3.1d", "AGC-4.3.1e", "AGC-4.3.1f")
@pytest.mark.parametrize("seed", range(8))
def test_each_offered_hex_can_be_converted_and_joins_the_railway(seed: int) -> None:
    state = scattered(seed)
    board = state.board
    for line in lines_ahead(state):
        assert line.ahead in board.rail_around[line.railhead]
        for hexes in Extension(state, [line], 3).values():
            joined = [line.railhead, *hexes]
            assert all(near in board.rail_around[here] for here, near in zip(joined, hexes, strict=False))
            assert all(why_not_converted(state, hex_) is None for hex_ in hexes)
            assert len(set(hexes)) == len(hexes)
