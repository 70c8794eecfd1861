"""Stacking: legal stacks, and units in excess (DM-2.3, AGC-4.1)."""

from itertools import combinations

import pytest
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.positions import GERMAN, SOVIET

from damos.map.stacking import excess, excess_of, is_full, is_legal, left_out_options, may_join, trim
from damos.model.events import UnitsEliminated
from damos.model.orders import LeaveOut
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, Space

# i: division, b: brigade, r: regiment, n: NKVD regiment, h: allied division, q: allied regiment


STACKS = {
    0: "i1 i2, r1 r2, i1 r1 i2, i1 i2 i3, i1 i2 r1, b1 b2 r1, i1 b1 r1, d1 b1 b2, i1 i2 i3 n1, r1 r2 n1, i1 i2 n1 n2,"
    "n1 n2 n3, I1 I2 I3 I4, I1 R1 A1 B1, A1 R1 R2 R3, H1 H2, H1 H2 H3, H1 H2 Q1, H1 Q1 H2, I1 I2 H1 H2",
    1: "r1 r2 i1, r1 r2 r3, i1 i2 i3 i4, i1 n1 n2 n3, i1 i2 i3 n1 n2, n1 n2 n3 n4, I1 I2 I3 I4 R1, I1 I2 I3 I4 I5,"
    "Q1 Q2 H1, Q1 Q2 Q3, H1 H2 H3 H4, I1 I2 I3 H1 H2, I1 Q1 Q2 Q3",
    2: "i1 r1 r2 r3",
}
"""Stacks by the number of units in excess."""


@pytest.mark.rule("AGC-4.1a", "AGC-4.1b", "AGC-4.1c", "AGC-4.1d", "AGC-4.1e", "DM-2.3a", "R-DM-56", "X-DM-7n")
@pytest.mark.parametrize(
    ("units", "number"), [(each, number) for number, text in STACKS.items() for each in text.split(",")]
)
def test_units_in_excess_are_counted_and_eliminated(lay: Lay, units: str, number: int) -> None:
    side, hex_ = (GERMAN, "2620") if units.strip()[0].isupper() else (SOVIET, "2610")
    strengths = " ".join(f"{unit}:1" for unit in units.split())
    case = lay(**{side: f"{hex_} {strengths}"}, side=side, dice={"rail": "*"})
    assert excess(case.state, side, hex_) == number
    assert is_legal(case.state, units.split()) is (number == 0)
    assert sum(case.end().sp(units)) == len(units.split()) - number


@pytest.mark.rule("R-DM-56", "AGC-4.1c")
@pytest.mark.parametrize(("option", "left"), [("two_divisions_of_three", 2), ("any_third", 3)])
def test_division_may_stack_with_two_regiments_by_option(lay: Lay, option: str, left: int) -> None:
    case = lay("2610 r1:1 r2:1 i1:1; 2711 r3:1 r4:1 r5:1", side="soviet", russian_third_division=option, dice="rail *")
    assert [excess(case.state, SOVIET, hex_) for hex_ in ("2610", "2711")] == [3 - left, 1]
    assert sum(case.end().sp("r1 r2 i1")) == left


@pytest.mark.rule("DM-2.3b", "X-DM-4")
def test_each_side_has_its_own_limit(lay: Lay) -> None:
    case = lay("2816 I1 I2 I3 I4; 2815 i1 i2 i3")
    for unit_id in ("i1", "i2", "i3"):
        case.state.units[unit_id].hex = "2816"
    assert excess(case.state, GERMAN, "2816") == excess(case.state, SOVIET, "2816") == 0


@pytest.mark.rule("DM-2.3a", "DM-2.6.1r")
def test_units_may_join_a_stack_up_to_its_limit(lay: Lay) -> None:
    state = lay("2811 i1 i2; 2812 i3 i4; 2813 n1").state
    assert may_join(state, ["i3"], "2811")
    assert not may_join(state, ["i3", "i4"], "2811")
    assert may_join(state, ["i3", "n1"], "2811")
    assert may_join(state, ["i1"], "2811"), "it is there already"
    assert may_join(state, [], "2811")


@pytest.mark.rule("DM-9.0f")
@pytest.mark.parametrize(
    ("units", "full"), [("i1 i2", False), ("i1 r1", False), ("r1 r2", True), ("i1 i2 r1", True), ("i1 n1", False)]
)
def test_a_hex_is_full_at_its_limit(lay: Lay, units: str, *, full: bool) -> None:
    state = lay(f"2820 I1 I2 I3 I4; 2822 I5 I6 I7; 2811 {units}").state
    assert is_full(state, SOVIET, "2811") is full
    assert is_full(state, GERMAN, "2820")
    assert not is_full(state, GERMAN, "2822")
    assert not is_full(state, GERMAN, "2811")


# --- units in excess ---


@pytest.mark.rule("DM-2.3e", "DM-2.3f", "R-DM-39")
@pytest.mark.parametrize("units", ["i1 i2 i3 i4", "r1 r2 i1 i2", "i1 r1 r2 r3 n1", "r1 r2 r3 r4 i1 i2 n1 n2"])
def test_the_owner_names_the_smallest_number_of_excess_units(lay: Lay, units: str) -> None:
    state = lay(f"2811 {units}").state
    force = sorted(units.split())
    space = left_out_options(state, SOVIET, "2811")
    number = excess_of(state, force)
    expected = [
        list(out)
        for out in combinations(force, number)
        if is_legal(state, [unit_id for unit_id in force if unit_id not in out])
    ]
    assert sorted(order.units for order in space.values()) == sorted(expected)
    stream = Stream(b"any")
    drawn = {tuple(space.sample(stream).units) for _ in range(60)}
    assert drawn <= {tuple(each) for each in expected}
    assert len(drawn) > 1
    for out in expected:
        space.check(LeaveOut(out))


@pytest.mark.rule("DM-2.3a")
def test_a_wrong_choice_of_excess_units_is_refused(lay: Lay) -> None:
    state = lay("2811 r1 r2 i1 i2; 2711 i3").state
    space = left_out_options(state, SOVIET, "2811")
    for units in ([], ["r1", "r2"], ["i3"], ["r1", "r1"], ["nobody"]):
        refusal = space.why_not(LeaveOut(units))
        assert refusal is not None, units
        assert refusal.rule == "DM-2.3f"
        assert refusal.reason
    wrong = space.why_not(LeaveOut(["i1"]))
    assert wrong is not None
    assert "still" in wrong.reason


@pytest.mark.rule("DM-2.3c", "DM-2.3d", "DM-2.3e")
def test_units_in_excess_are_lost_at_the_end_of_their_operations(lay: Lay) -> None:
    case = lay("2816 I1 I2 I3 I4 I5; 2620 I6 I7 I8 I9 A1; 2811 r1 r2 r3")
    decisions: list[tuple[str, str]] = []
    lost: list[tuple[str, list[str]]] = []
    procedure = trim(case.state, GERMAN)
    answer: LeaveOut | None = None
    while True:
        try:
            step = procedure.send(answer)
        except StopIteration:
            break
        answer = None
        if isinstance(step, Decision):
            decisions.append((step.side, step.rule))
            answer = next(step.options.values())
        else:
            assert isinstance(step, UnitsEliminated)
            lost.append((step.hex, step.units))
            assert step.why == "stacking"
    assert decisions == [(GERMAN, "DM-2.3e")] * 2
    assert [hex_ for hex_, _ in lost] == ["2620", "2816"]
    assert all(len(units) == 1 for _, units in lost)


@pytest.mark.rule("DM-2.3d")
def test_the_player_chooses_the_unit_that_is_lost(lay: Lay) -> None:
    case = lay("2820 I1:5 I2:5 I3:5 I4:5 I5:5")
    case.until(lambda each: each.accepts(LeaveOut), "who is given up")
    assert case.refuses(LeaveOut(["I1", "I2"]))
    case.submit(LeaveOut(["I3"]))
    assert case.at("I3 I1") == "- 2820"
    assert case.one(UnitsEliminated).rule == "DM-2.3e"


def test_an_order_of_another_type_is_refused(lay: Lay) -> None:
    space: Space = left_out_options(lay("2811 r1 r2 r3").state, SOVIET, "2811")
    refusal = space.why_not("r1")
    assert isinstance(refusal, Refusal)
