"""Set-up of the shipped scenarios: order of the sides, random deployments, and refused lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.kampfpanzer.cases import TableDice

from kampfpanzer import SCENARIOS
from kampfpanzer.model.events import ForceDeployed
from kampfpanzer.model.orders import Deploy
from kampfpanzer.model.state import ON_MAP, WAITING
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Game

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Prepare


def begun(prepare: Prepare, scenario: str) -> tuple[Game, Decision]:
    """Return a game and its first decision: the deployment of the first side."""
    game = prepare(scenario).new_game(TableDice({}))
    game.start()
    return game, game.waiting()[0]


@pytest.mark.rule("KP-14.0a", "KP-2.0a", "KP-3.2b", "KP-14.0k", "KP-14.0d", "R-KP-77", "KP-7.0a", "KP-9.4b", "KP-13.0b")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_deployments_are_legal(prepare: Prepare, scenario: str) -> None:
    for seed in (b"1", b"2", b"3", b"4"):
        game, _ = begun(prepare, scenario)
        stream = Stream(seed)
        while not game.state.turn:
            decision = game.waiting()[0]
            game.submit(decision.options.sample(stream), decision.seat)
        happened = [getattr(record, "event", None) for record in game.records]
        state: Any = game.state
        board = state.board
        assert [event.side for event in happened if isinstance(event, ForceDeployed)] == list(board.sides)
        for unit_id, unit in state.units.items():
            group, kind = board.group_of[unit_id], board.kind_of(unit_id)
            assert (unit.standing == WAITING) == (group.enters > 0)
            if unit.standing == ON_MAP:
                assert unit.hex in (group.area if not unit.carrier else board.group_of[unit.carrier].area)
                assert bool(unit.facing) == (kind.is_gun and not unit.carrier)
                assert not (unit.hex in state.entrenchments and not kind.is_foot)
        for hex_ in {unit.hex for unit in state.units.values() if unit.hex}:
            there = [unit_id for unit_id, unit in state.units.items() if unit.hex == hex_ and not unit.carrier]
            categories = sorted(board.kind_of(unit_id).category for unit_id in there)
            assert len(there) == 1 or categories == ["artillery", "infantry"]


REFUSED = {
    # lines that make a legal deployment illegal, by unit
    "26": "0101|9999|1903 A B||aboard 1|aboard 146 entrenched|entrenched|aboard 26|1903 entrenched",
    "35": "1903|1903 G|1903 A entrenched",
    "1": "1903 A|1903 entrenched|aboard 146",
    "146": "aboard 147|1909",
}


@pytest.mark.rule("R-KP-77", "KP-14.0h", "KP-9.4b", "KP-13.0b", "KP-12.0a", "KP-14.6.1")
@pytest.mark.parametrize("unit", REFUSED)
def test_illegal_deployment_lines_are_refused(prepare: Prepare, unit: str) -> None:
    _, decision = begun(prepare, "hannut")
    order = decision.options.sample(Stream(b"7"))
    assert decision.options.why_not(order) is None
    for line in REFUSED[unit].split("|"):
        refusal = decision.options.why_not(Deploy({**order.lines, unit: line}))
        assert refusal is not None, line
        assert refusal.rule


@pytest.mark.rule("KP-14.0h", "R-KP-63", "R-KP-77", "KP-7.1a", "KP-7.2a")
def test_starting_stacks_and_passengers_are_legal_or_refused(prepare: Prepare) -> None:
    game, decision = begun(prepare, "hannut")
    area = sorted(game.state.board.group_of["1"].area)
    tanks = [str(number) for number in (*range(1, 6), *range(11, 16))]
    lines = dict(zip(tanks, area, strict=False)) | dict(zip(("146", "147", "148", "149"), area[10:], strict=False))
    lines |= {"26": "aboard 146", "27": "aboard 147", "28": "aboard 148", "38": "aboard 149"}
    lines |= {"29": area[14], "35": f"{area[14]} A", "36": f"{area[15]} B", "37": f"{area[16]} C"}
    assert decision.options.why_not(Deploy(lines)) is None
    for unit, line in {"27": "aboard 146", "29": area[0], "36": f"{area[14]} A", "2": area[0], "26": area[10]}.items():
        assert decision.options.why_not(Deploy(lines | {unit: line})) is not None, (unit, line)
    without = {unit: line for unit, line in lines.items() if unit != "29"}
    assert decision.options.why_not(Deploy(without)) is not None
    game.submit(Deploy(lines))
    units: Any = game.state.units  # type: ignore[attr-defined]  # a State of this game
    found = [(units[unit].hex, units[unit].carrier) for unit in ("38", "149")]
    assert found == [(area[13], "149"), (area[13], "")]


@pytest.mark.rule("KP-14.0h", "KP-14.0d", "KP-14.2.4", "KP-14.1.2")
def test_units_that_enter_later_may_be_aboard(prepare: Prepare) -> None:
    game, decision = begun(prepare, "czechoslovakia")
    game.submit(decision.options.sample(Stream(b"1")))
    decision = game.waiting()[0]
    state: Any = game.state
    czechs = {unit.kind: unit_id for unit_id, unit in reversed(state.units.items()) if unit.side == "czechs"}
    infantry, gun, truck = czechs["Inf-Fr"], czechs["25mm"], czechs["Truck"]
    aboard = {infantry: f"aboard {truck}", gun: f"aboard {int(truck) + 1}"}
    assert decision.options.why_not(Deploy(aboard)) is None
    assert decision.options.why_not(Deploy(aboard | {gun: f"aboard {truck}"})) is not None
    assert decision.options.why_not(Deploy({infantry: "0954"})) is not None
    game.submit(Deploy(aboard))
    state = game.state
    assert (state.units[infantry].carrier, state.units[infantry].standing) == (truck, WAITING)


@pytest.mark.rule("KP-13.0a", "KP-13.0b", "KP-14.1.1", "KP-14.5.1", "KP-14.9.2")
@pytest.mark.parametrize(
    ("scenario", "unit", "line", "allowed"),
    [
        ("spain", "26", "2138 entrenched", True), ("spain", "35", "2138 A entrenched", True),
        ("summa", "63", "0305 entrenched", True), ("hannut", "26", "1903 entrenched", False),
        ("hannut", "1", "1903 entrenched", False), ("arras", "112", "2138 entrenched", False),
    ],
)  # fmt: skip
def test_units_that_may_start_entrenched(prepare: Prepare, scenario: str, unit: str, line: str, allowed: bool) -> None:
    _, decision = begun(prepare, scenario)
    plain, dug = (decision.options.why_not(Deploy({unit: each})) for each in (line.removesuffix(" entrenched"), line))
    assert plain is not None  # the rest of the force is missing
    assert dug is not None
    assert (dug.reason == plain.reason) == allowed
