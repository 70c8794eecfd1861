"""Stacking: who may end where, who is too many, and what becomes of them."""

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

SOVIET_STACKS = [
    ("i1 i2", 0),
    ("r1 r2", 0),
    ("i1 r1 i2", 0),
    ("i1 i2 i3", 0),
    ("i1 i2 r1", 0),
    ("b1 b2 r1", 0),
    ("i1 b1 r1", 0),
    ("r1 r2 i1", 1),
    ("r1 r2 r3", 1),
    ("i1 i2 i3 i4", 1),
    ("i1 r1 r2 r3", 2),
    ("i1 i2 i3 n1", 0),
    ("r1 r2 n1", 0),
    ("i1 i2 n1 n2", 0),
    ("i1 n1 n2 n3", 1),
    ("i1 i2 i3 n1 n2", 1),
    ("n1 n2 n3", 0),
    ("n1 n2 n3 n4", 1),
]


@pytest.mark.rule("AGC-4.1b", "AGC-4.1c", "AGC-4.1d", "AGC-4.1e", "R-DM-56", "X-DM-7n")
@pytest.mark.parametrize(("units", "too_many"), SOVIET_STACKS)
def test_soviets_in_a_hex(lay: Lay, units: str, too_many: int) -> None:
    state = lay(f"2811 {units}").state
    assert excess(state, SOVIET, "2811") == too_many
    assert is_legal(state, units.split()) is (too_many == 0)


@pytest.mark.rule("R-DM-56")
def test_a_third_beside_one_division_by_the_other_reading(lay: Lay) -> None:
    state = lay("2811 r1 r2 i1; 2711 r3 r4 r5", russian_third_division="any_third").state
    assert excess(state, SOVIET, "2811") == 0
    assert excess(state, SOVIET, "2711") == 1


GERMAN_STACKS = [
    ("I1 I2 I3 I4", 0),
    ("I1 R1 A1 B1", 0),
    ("I1 I2 I3 I4 R1", 1),
    ("H1 H2", 0),
    ("H1 H2 Q1", 0),
    ("Q1 Q2 H1", 1),
    ("H1 H2 H3 H4", 1),
    ("I1 I2 H1 H2", 0),
    ("I1 I2 I3 H1 H2", 1),
    ("I1 Q1 Q2 Q3", 1),
]


@pytest.mark.rule("AGC-4.1a", "AGC-4.1b", "AGC-4.1c")
@pytest.mark.parametrize(("units", "too_many"), GERMAN_STACKS)
def test_germans_and_their_allies_in_a_hex(lay: Lay, units: str, too_many: int) -> None:
    state = lay(f"2820 {units}").state
    assert excess(state, GERMAN, "2820") == too_many


@pytest.mark.rule("DM-2.3b", "X-DM-4")
def test_each_side_has_its_own_limit(lay: Lay) -> None:
    case = lay("2816 I1 I2 I3 I4; 2815 i1 i2 i3")
    for unit_id in ("i1", "i2", "i3"):
        case.state.units[unit_id].hex = "2816"
    assert excess(case.state, GERMAN, "2816") == excess(case.state, SOVIET, "2816") == 0


@pytest.mark.rule("DM-2.3a", "DM-2.6.1r")
def test_who_may_join_a_stack(lay: Lay) -> None:
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
def test_when_a_hex_is_at_the_limit(lay: Lay, units: str, *, full: bool) -> None:
    state = lay(f"2820 I1 I2 I3 I4; 2822 I5 I6 I7; 2811 {units}").state
    assert is_full(state, SOVIET, "2811") is full
    assert is_full(state, GERMAN, "2820")
    assert not is_full(state, GERMAN, "2822")
    assert not is_full(state, GERMAN, "2811")


# --- who is too many ---


@pytest.mark.rule("DM-2.3e", "DM-2.3f", "R-DM-39", "D-DM-16")
@pytest.mark.parametrize("units", ["i1 i2 i3 i4", "r1 r2 i1 i2", "i1 r1 r2 r3 n1", "r1 r2 r3 r4 i1 i2 n1 n2"])
def test_the_owner_names_as_few_as_can_be(lay: Lay, units: str) -> None:
    state = lay(f"2811 {units}").state
    force = sorted(units.split())
    space = left_out_options(state, SOVIET, "2811")
    number = excess_of(state, force)
    wanted = [
        list(out)
        for out in combinations(force, number)
        if is_legal(state, [unit_id for unit_id in force if unit_id not in out])
    ]
    assert sorted(order.units for order in space.values()) == sorted(wanted)
    stream = Stream(b"any")
    drawn = {tuple(space.sample(stream).units) for _ in range(60)}
    assert drawn <= {tuple(each) for each in wanted}
    assert len(drawn) > 1
    for out in wanted:
        space.check(LeaveOut(out))


@pytest.mark.rule("DM-2.3a")
def test_orders_that_leave_out_too_many_too_few_or_the_wrong_ones(lay: Lay) -> None:
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


@pytest.mark.rule("DM-2.3c", "DM-2.3d", "DM-2.3e", "D-DM-24")
def test_at_the_end_of_the_owners_operations_they_are_lost(lay: Lay) -> None:
    case = lay("2816 I1 I2 I3 I4 I5; 2620 I6 I7 I8 I9 A1; 2811 r1 r2 r3")
    asked: list[tuple[str, str]] = []
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
            asked.append((step.side, step.rule))
            answer = next(step.options.values())
        else:
            assert isinstance(step, UnitsEliminated)
            lost.append((step.hex, step.units))
            assert step.why == "stacking"
    assert asked == [(GERMAN, "DM-2.3e")] * 2
    assert [hex_ for hex_, _ in lost] == ["2620", "2816"]
    assert all(len(units) == 1 for _, units in lost)


@pytest.mark.rule("DM-2.3d")
def test_trimming_is_played(lay: Lay) -> None:
    case = lay("2820 I1:5 I2:5 I3:5 I4:5 I5:5")
    case.until(lambda each: each.asks(LeaveOut), "who is given up")
    assert case.refuses(LeaveOut(["I1", "I2"]))
    case.submit(LeaveOut(["I3"]))
    assert case.at("I3 I1") == "- 2820"
    assert case.one(UnitsEliminated).rule == "DM-2.3e"


def test_a_refusal_is_one(lay: Lay) -> None:
    space: Space = left_out_options(lay("2811 r1 r2 r3").state, SOVIET, "2811")
    refusal = space.why_not("r1")
    assert isinstance(refusal, Refusal)
