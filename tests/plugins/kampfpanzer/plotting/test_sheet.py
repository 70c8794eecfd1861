"""A side's sheet of plots: rules between its lines, random sheets, and typed sheets."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refused import assert_all_named, reasons
from tests.plugins.kampfpanzer.positions import shipped

import kampfpanzer
from kampfpanzer.model.events import PlotsWritten
from kampfpanzer.model.forces import ARTILLERY, INFANTRY
from kampfpanzer.model.orders import ChooseFacing, Counterattack, Deploy, GroupFire, HandInPlots
from kampfpanzer.model.state import WAITING, KampfState
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.sheet import PlotSheet, plot_options
from kampfpanzer.plotting.situation import Situation, follow
from kampfpanzer.ui.parsing import read_order
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.kernel.options import Form, OneOf
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

AWAY = "94 1624"


def sheet_of(state: KampfState, side: str) -> PlotSheet:
    sheet = plot_options(state, side).fields["plots"]
    assert isinstance(sheet, PlotSheet)
    return sheet


def refusals(state: KampfState, side: str, **plots: str) -> dict[str, str]:
    found = sheet_of(state, side).refusals({unit.removeprefix("u"): text for unit, text in plots.items()})
    return {unit: refusal.rule for unit, refusal in found.items()}


# --- end hexes ---


@pytest.mark.rule("KP-7.0a", "KP-7.0b", "KP-7.1a", "KP-7.2a", "KP-13.21a", "R-KP-16")
@pytest.mark.parametrize(
    ("plots", "refused"),
    [
        ({"u1": "D1"}, {"1": "KP-7.0a"}),  # 2 stays there
        ({"u1": "D1", "u2": "D1"}, {}),  # 2 moves on
        ({"u1": "D1", "u2": "A1"}, {}),  # they swap hexes
        ({"u1": "D2"}, {}),  # through a friend
        ({"u1": "D2", "u2": "D1"}, {"2": "KP-7.0a"}),  # both end in 0507: the lower number has priority
        ({"u1": "D1", "u2": "D2", "u3": "A1"}, {}),
        ({"u1": "D1", "u2": "D4"}, {"1": "KP-7.0a", "2": "KP-7.0a"}),  # 3 blocks 2, and so 2 blocks 1
        ({"u29": "A1"}, {}),  # infantry to a gun
        ({"u29": "A1", "u30": "B1"}, {"30": "KP-7.0a"}),  # two infantry units to a gun
        ({"u4": "A1"}, {"4": "KP-7.0a"}),  # a tank to a gun
        ({"u1": "D1 A1"}, {}),  # back to its start
        ({"u5": "A1"}, {"5": "KP-7.0a"}),  # to a disrupted friend, which stays
    ],
)
def test_planned_stacks_are_refused(new_case: NewCase, plots: dict[str, str], refused: dict[str, str]) -> None:
    case = new_case(
        french="1 0505; 2 0506; 3 0510; 38 0905 A; 29 0906; 30 0805; 4 0907; 5 1206; 6 1205 D1",
        germans=AWAY,
    )
    if "u4" in plots:
        case.state.units["29"].hex, case.state.units["4"].hex = "0920", "0906"
    assert refusals(case.state, "french", **plots) == refused
    sound = {unit: text for unit, text in plots.items() if unit.removeprefix("u") not in refused}
    assert refusals(case.state, "french", **sound) == {}


@pytest.mark.rule("R-KP-53", "KP-9.62c", "KP-7.0a")
def test_overrunners_require_separate_exit_hexes(new_case: NewCase) -> None:
    case = new_case(french="1 0505; 2 0504; 3 0507", germans="112 0506; 94 1624")
    assert refusals(case.state, "french", u1="VD") == {"1": "KP-7.0a"}
    assert refusals(case.state, "french", u1="VD", u3="D1") == {}
    assert refusals(case.state, "french", u1="VD", u2="D1 VD", u3="D1") == {"2": "KP-7.0a"}


@pytest.mark.rule("R-KP-20", "KP-14.0f")
def test_several_units_may_enter_by_one_hex(new_case: NewCase) -> None:
    case = new_case(french="1 enters 0501; 2 enters 0501; 3 enters 0501; 4 0506", germans=AWAY)
    state = case.state
    assert sorted(sheet_of(state, "french").required) == ["1", "2", "3"]
    assert refusals(state, "french", u1="0501", u2="0501", u3="0501") == {}
    assert refusals(state, "french", u1="0501 D2", u2="0501 D2", u3="0501") == {"2": "KP-7.0a"}
    assert refusals(state, "french", u1="0501 D5", u2="0501", u3="0501") == {"1": "KP-7.0a"}
    assert refusals(state, "french", u1="0501 D1") == {"2": "KP-14.0d", "3": "KP-14.0d"}
    drawn = [sheet_of(state, "french").sample(Stream(bytes([seed]))) for seed in range(40)]
    assert all({"1", "2", "3"} <= each.keys() for each in drawn)
    assert any(each["1"] != "0501" for each in drawn)  # a unit may move beyond its entry hex


# --- partners ---


@pytest.mark.rule("KP-12.11a", "KP-5.31a", "KP-5.32a", "R-KP-63", "KP-12.0e")
@pytest.mark.parametrize(
    ("plots", "refused"),
    [
        ({"u29": "M", "u138": "M 0505"}, {}), ({"u29": "M"}, {"29": "KP-12.11a"}),
        ({"u138": "M 0505"}, {"138": "KP-12.11a"}), ({"u29": "F1", "u138": "M 0505"}, {"138": "KP-12.11a"}),
        ({"u29": "M", "u138": "M 0505", "u139": "M 0505"}, {"139": "R-KP-63"}),
        ({"u30": "Q", "u140": "Q 0905"}, {}), ({"u30": "Q"}, {"30": "KP-12.11a"}),
        ({"u140": "Q 0905"}, {"140": "KP-12.11a"}), ({"u30": "Q", "u140": "E1"}, {"30": "KP-12.11a"}),
        ({"u30": "Q", "u140": "Q 0907"}, {"30": "KP-12.11a", "140": "R-KP-65"}),  # 1 stays there
        ({"u30": "Q", "u140": "Q 0907", "u1": "D1"}, {}),
        ({"u30": "Q", "u140": "Q 1006", "u31": "Q", "u141": "Q 1006"}, {"31": "KP-12.11a", "141": "R-KP-65"}),
        ({"u29": "M", "u138": "M 0505", "u2": "A1"}, {"2": "KP-7.0a"}),  # into the hex of the pair
        ({"u30": "Q", "u140": "Q 0905", "u1": "A1"}, {"1": "KP-7.0a"}),  # 30 stays in 0906
    ],
)  # fmt: skip
def test_both_partners_must_plot(new_case: NewCase, plots: dict[str, str], refused: dict[str, str]) -> None:
    case = new_case(
        french="29 0505; 138 0605; 139 0504; 2 0506; 140 0906; 30 aboard 140; 1 0907; 141 1106; 31 aboard 141",
        germans=AWAY,
    )
    assert refusals(case.state, "french", **plots) == refused


@pytest.mark.rule("KP-12.0f", "KP-7.0a")
def test_vehicle_that_embarks_a_unit_vacates_its_hex(new_case: NewCase) -> None:
    case = new_case(french="29 0505; 138 0605; 1 0606", germans=AWAY)
    assert refusals(case.state, "french", u29="M", u138="M 0505", u1="A1") == {}


@pytest.mark.rule("R-KP-76", "KP-14.5.3", "KP-14.5.7")
def test_tanks_carry_riders_if_the_scenario_allows(new_case: NewCase) -> None:
    riders = {"riders": True}
    case = new_case(french="69 0505; 81 0506; 35 0504 A; 70 0905; 82 aboard 70", germans=AWAY, more=riders)
    assert refusals(case.state, "french", u69="M 0506", u81="M") == {}
    assert refusals(case.state, "french", u69="M 0504", u35="M") == {"69": "KP-12.0f", "35": "KP-12.0f"}
    assert refusals(case.state, "french", u70="Q 0906", u82="Q") == {}
    assert refusals(case.state, "french", u70="D3") == refusals(case.state, "french", u70="P 0908") == {}
    case.state.units["82"].disruption = 1
    assert refusals(case.state, "french", u70="Q 0906", u82="Q") == {"82": "KP-9.71c", "70": "KP-12.11a"}


# --- lines and stored plots ---


@pytest.mark.rule("KP-5.0a", "KP-4.1a")
def test_sheet_has_a_line_for_each_unit_with_a_plot(new_case: NewCase) -> None:
    case = new_case(french="1 0505; 6 0605 D2; 146 0705; 29 aboard 146; 2 enters 0101 turn 4; 138 0905", germans=AWAY)
    sheet = sheet_of(case.state, "french")
    assert list(sheet.lines) == ["1", "29", "138", "146"]
    assert sheet.titles["29"] == "Inf-Fr 29 aboard APC 146"
    assert sheet.titles["146"] == "APC 146 in 0705, with Inf-Fr 29"
    assert list(sheet.lines["29"].values()) == ["Q"]
    assert sheet.read is not None
    assert sheet.read("1", "d2vd") == "D2 VD"


@pytest.mark.rule("R-KP-23", "KP-2.0b", "KP-5.1b")
@pytest.mark.parametrize(("option", "secret"), [("end_of_phase_a", False), ("lazy", True)])
def test_plots_are_sealed_and_written_canonically(new_case: NewCase, option: str, secret: bool) -> None:
    case = new_case(french="1 0505; 2 0905", germans=AWAY, reveal_plots=option)
    assert [each.secret for each in case.game.waiting()] == [secret, secret]
    case.game.submit(HandInPlots({"2": "d1a1", "1": "D1D1"}), "french")
    assert case.state.plots == {}
    assert [each.side for each in case.game.waiting()] == ["germans"]
    case.game.submit(HandInPlots({"94": "F1"}), "germans")
    written = [each.event for each in case.game.records if isinstance(each, EventRecord)]
    sheets = [event for event in written if isinstance(event, PlotsWritten)]
    assert [(event.side, list(event.plots.items())) for event in sheets] == [
        ("french", [("1", "D2"), ("2", "D1 A1")]),
        ("germans", [("94", "F1")]),
    ]


# --- random sheets, checked against the rules ---


def drawn_games(scenario: str, seed: int, options: tuple[tuple[str, str], ...]) -> Any:
    """Yield each state in phase A of a random game with its decision and the sampled sheet."""
    ready = shipped(scenario, options)
    game = ready.new_game(KeyedDice(bytes([seed]) * 32))
    streams = {side: Stream(bytes([seed, 1]) + side.encode()) for side in ready.board.sides}
    game.start()
    while not game.is_over:
        for decision in game.waiting():
            order = decision.options.sample(streams[decision.side])
            if isinstance(order, HandInPlots):
                yield game.state, decision, order
            game.submit(order, decision.side)


def check_sheet(state: Any, side: str, plots: dict[str, str]) -> None:
    """Check allowances, partners and stacking limits of a sheet."""
    situation, ends = Situation(state, side), Counter[str]()
    stacks: dict[str, list[str]] = {}
    parsed = {unit_id: parse_plot(text) for unit_id, text in plots.items()}
    for unit_id, unit in state.units.items():
        if unit.side != side or unit.carrier:
            continue
        plot, kind, end = parsed.get(unit_id), state.board.kinds[unit.kind], unit.hex
        if plot and plot.is_movement:
            route = follow(situation.ground, kind.mobility, unit.hex, plot, situation.exits)
            assert route.halves <= 2 * kind.movement
            assert not route.lost
            end = route.end(unit.hex)
            if unit.standing == WAITING and len(route.hexes) == 1 and not route.left:
                end = ""
        elif plot and plot.kind in ("embark", "debark") and plot.hex:
            partner = situation.passengers.get(unit_id) or situation.own_at[plot.hex][0]
            assert parsed[partner].kind == plot.kind
            end = "" if plot.kind == "embark" else plot.hex
            if plot.kind == "debark":
                stacks.setdefault(unit.hex, []).append(partner)
        if end:
            stacks.setdefault(end, []).append(unit_id)
            ends[end] += 1
            assert not (end in state.entrenchments and not kind.is_foot)
    for row in stacks.values():
        categories = sorted(state.board.kinds[state.units[each].kind].category for each in row)
        assert len(row) == 1 or categories == sorted((INFANTRY, ARTILLERY))


OPTIONS = (
    (),
    (("overrun_target", "any_hex"), ("fire_at_empty_hex", "wasted"), ("map_exit", "free"), ("facing_arc", "strict")),
    (("plot_validation", "void_plot"), ("los_ties", "clear"), ("woods_hexsides", "lone_blocks")),
    (("embark_entrenched", "allowed"), ("multi_terrain_hex", "dominant_only"), ("flavion_turn1", "no_operation")),
)


@pytest.mark.full
@pytest.mark.rule("KP-5.0b", "KP-6.0c", "KP-7.0a", "KP-13.0c", "KP-12.11a", "R-KP-16")
@settings(max_examples=12)
@given(st.sampled_from(kampfpanzer.SCENARIOS), st.integers(0, 250), st.sampled_from(OPTIONS))
def test_random_sheet_is_legal(scenario: str, seed: int, options: tuple[tuple[str, str], ...]) -> None:
    for state, decision, order in drawn_games(scenario, seed, options):
        check_sheet(state, decision.side, order.plots)
        again = plot_options(state, decision.side)
        assert again.why_not(order) is None
        assert all(parse_plot(text).text == text for text in order.plots.values())


@pytest.mark.full
@pytest.mark.rule("KP-5.21a", "KP-5.31a", "KP-5.33a")
def test_random_sheets_contain_every_operation() -> None:
    kinds = Counter[str]()
    for scenario in ("spain", "summa"):
        for _, _, order in drawn_games(scenario, 5, ()):
            kinds.update(parse_plot(text).kind for text in order.plots.values())
    assert set(kinds) == {
        "move", "overrun", "direct", "tight", "loose", "opportunity", "embark", "debark", "facing"
    }  # fmt: skip


@pytest.mark.full
def test_listed_sheets_are_legal_and_unique() -> None:
    for number, (state, decision, _) in enumerate(drawn_games("hannut", 3, ())):
        if number % 5:
            continue
        sheet = sheet_of(state, decision.side)
        listed = list(islice(sheet.values(), 40))
        assert listed[0] == {}
        assert all(sheet.why_not(each) is None for each in listed)
        assert len({str(each) for each in listed}) == len(listed)
        for line in islice(sheet.lines.values(), 4):
            texts = list(islice(line.values(), 60))
            assert len(set(texts)) == len(texts)
            assert all(line.why_not(each) is None for each in texts)
        assert sheet.count(31) == 31


def test_small_sheet_is_counted_exactly(new_case: NewCase) -> None:
    case = new_case(french="29 0101", germans="94 0224 D1", more={"exits": {}})
    sheet = sheet_of(case.state, "germans")
    assert (list(sheet.values()), sheet.count()) == ([{}], 1)
    assert sheet.sample(Stream(b"x")) == {}
    line = sheet_of(case.state, "french").lines["29"]
    moves = [each for each in line.values() if parse_plot(each).is_movement]
    assert sorted(moves) == ["C1", "D1"]
    gun = sheet_of(new_case(french="35 0101 A", germans="94 0224 D1").state, "french")
    known = 1 + sum(1 for _ in gun.lines["35"].values())  # 1 for the empty sheet
    assert [gun.count(known + more) for more in (-1, 0, 1, 500)] == [known - 1, known, known, known]
    assert sum(1 for _ in gun.values()) == known


# --- hostile sheets ---


@pytest.mark.rule("KP-5.0h", "KP-3.2b")
@pytest.mark.parametrize(
    ("plots", "rule"),
    [
        ({"1": 7}, "KP-5.0h"), ({"1": None}, "KP-5.0h"), ({"1": ["D1"]}, "KP-5.0h"), ({"nobody": "D1"}, "KP-3.2b"),
        ({"1": "D1" * 5000}, "KP-5.0h"), (["D1"], "KP-5.0h"), (None, "KP-5.0h"),
    ],
)  # fmt: skip
def test_hostile_sheet_is_refused_briefly(new_case: NewCase, plots: Any, rule: str) -> None:
    case = new_case(french="1 0505", germans=AWAY)
    refusal = plot_options(case.state, "french").why_not(HandInPlots(plots))
    assert refusal is not None
    assert refusal.rule == rule
    assert len(refusal.reason) < 300


# --- typed sheets ---


def pending(state: KampfState, side: str = "french") -> Decision:
    return Decision(side, "plots", plot_options(state, side), "KP-4.1a")


@pytest.mark.rule("KP-5.0h", "KP-5.0j")
def test_typed_sheet_is_parsed(new_case: NewCase) -> None:
    state = new_case(french="1 0505; 2 0705; 38 0905 A", germans=AWAY).state
    board: Any = state.board
    assert read_order(pending(state), "1 d5vd", board) == HandInPlots({"1": "D5 VD"})
    assert read_order(pending(state), "1: D5 VD", board) == HandInPlots({"1": "D5 VD"})
    assert read_order(pending(state), " 38 : c; 2:; 1 F1 S2\n", board) == HandInPlots({"38": "C", "1": "F1 S2"})
    assert read_order(pending(state), "38: N 1010 / 7\n2 e2", board) == HandInPlots({"38": "N 1010/7", "2": "E2"})
    shown = read_order(pending(state), "?", board)
    assert pending(state).options.why_not(read_order(pending(state), str(shown), board)) is None, (
        "examples must be legal"
    )
    assert read_order(pending(state), "what", board) is None
    assert read_order(pending(state), "", board) is None


@pytest.mark.parametrize(
    ("typed", "rule", "says"),
    [
        ("1 D5 VX", "KP-5.22c", "1: character 5 of 'D5 VX'"), ("1 D1; 1 D2", "KP-5.0b", "1 is written twice"),
        ("1 D1; D2", "KP-5.0h", "begins with the number"), ("1 D1; :", "KP-5.0h", "begins with the number"),
        ("hit 94", "KP-4.1a", "does not apply now"), (";".join(["1 D1"] * 600), "KP-5.0h", "600 lines"),
    ],
)  # fmt: skip
def test_mistyped_sheet_is_refused_with_its_position(new_case: NewCase, typed: str, rule: str, says: str) -> None:
    state = new_case(french="1 0505; 2 0705", germans=AWAY).state
    with pytest.raises(IllegalOrder) as caught:
        read_order(pending(state), typed, state.board)
    assert caught.value.rule == rule
    assert says in caught.value.reason


def test_other_orders_are_typed_as_words() -> None:
    def read(text: str, *orders: Any) -> object:
        return read_order(Decision("french", "choose", OneOf(orders), "KP-9.68a"), text, shipped("hannut").board)

    grouped = Decision("french", "group", Form(GroupFire, {}), "KP-9.11a")
    assert read_order(grouped, "fire 1+2 3", shipped("hannut").board) == GroupFire([["1", "2"], ["3"]])
    assert read("counter 94", Counterattack("94")) == Counterattack("94")
    assert read("face c", ChooseFacing("A")) == ChooseFacing("C")
    for typed in ("face x", "face", "face a b"):
        with pytest.raises(IllegalOrder):
            read(typed, ChooseFacing("A"))
    for typed in ("fire", "fire 1+x"):
        with pytest.raises(IllegalOrder):
            read_order(grouped, typed, shipped("hannut").board)
    deploy = Decision("french", "set up", Form(Deploy, {}), "KP-14.0a")
    assert read_order(deploy, "38 2138a entr; 29 aboard 146", shipped("hannut").board) == Deploy(
        {"38": "2138 A entrenched", "29": "aboard 146"}
    )


@pytest.mark.full
def test_random_game_is_reproducible() -> None:
    """Equal streams give equal sheets, independent of earlier queries."""

    def played() -> list[Any]:
        return [order for _, _, order in drawn_games("poland", 8, ())]

    assert played() == played()
    assert isinstance(shipped("poland").new_game(KeyedDice(bytes(32))), Game)


def test_all_errors_of_several_lines_are_reported(new_case: NewCase) -> None:
    state = new_case(french="1 0505; 2 0705; 38 0905 A", germans=AWAY).state
    text = "1 D5 VX; 2 D1; D2; 2 E1; 38 Q9"
    wrong = ["1: character 5 of 'D5 VX'", "D2: a line begins with the number", "2 is written twice", "38: character"]
    assert_all_named(reasons(lambda: read_order(pending(state), text, state.board)), wrong)
