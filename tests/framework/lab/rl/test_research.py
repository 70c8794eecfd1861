"""The scripts of docs/research: their stated results hold."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import sandtable as st
from sandtable.lab.matches.games import MatchPlan
from sandtable.lab.matches.match import run_match
from sandtable.plugin.manager import Rulesets

DOCS = Path(__file__).parents[4] / "docs"
CONNECT4 = str(DOCS / "examples" / "connect4" / "src")


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / "research" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


def test_kuhn_poker_is_solved_to_a_hundredth(monkeypatch: pytest.MonkeyPatch) -> None:
    cfr: Any = script("kuhn_cfr", monkeypatch)
    root, players = cfr.grown(st.load("kuhn", cfr.KUHN).prepare()), ["first_0", "second_1"]
    strategy = cfr.solved(root, players, 60)
    assert len(strategy) == 12
    assert cfr.exploitability(root, strategy, players) < 0.01
    assert cfr.expected(root, strategy, "first_0") == pytest.approx(-1 / 18, abs=0.002)
    uniform = {knows: [0.5, 0.5] for knows in strategy}
    assert cfr.exploitability(root, uniform, players) == pytest.approx(0.458, abs=0.001)


def test_kuhn_poker_anchor_is_an_equilibrium(monkeypatch: pytest.MonkeyPatch) -> None:
    cfr: Any = script("kuhn_cfr", monkeypatch)
    anchors: Any = script("anchors", monkeypatch)
    root = cfr.grown(st.load("kuhn", cfr.KUHN).prepare())
    held = {}
    for (card, side, bets), of_six in anchors.EQUILIBRIUM.items():
        agent = {"first": "first_0", "second": "second_1"}[side]
        bold_last = not bets  # the actions are check or bet, but call or fold
        shares = [1 - of_six / 6, of_six / 6] if bold_last else [of_six / 6, 1 - of_six / 6]
        held[f"{agent} { ({'card': card, 'bets': bets})!r} [] what"] = shares
    assert cfr.exploitability(root, held, ["first_0", "second_1"]) == pytest.approx(0, abs=1e-12)


def test_tic_tac_toe_anchor_never_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    script("anchors", monkeypatch)
    plan = MatchPlan("tictactoe", ("anchors:TicTacToe", "random"), 20, "anchor")
    anchor, chance = run_match(plan, Rulesets()).scores
    assert anchor.points > 17
    alone = run_match(MatchPlan("tictactoe", ("anchors:TicTacToe",) * 2, 6, "alike"), Rulesets())
    assert alone.endings == {"board_full": 6}
    assert chance.points < 3


def test_connect_four_anchor_takes_and_prevents_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    anchors: Any = script("anchors", monkeypatch)
    plan = MatchPlan("connect4", ("anchors:ConnectFour", "random"), 2, "anchor", plugins_dir=CONNECT4)
    monkeypatch.setattr(anchors, "DEPTH", 4)
    assert run_match(plan, Rulesets(CONNECT4)).scores[0].points == 2
    four = [["red"] * 3, [], [], [], [], [], []]
    own, other, heights = anchors._discs(four, "red")
    assert anchors._search(own, other, heights, 2, -anchors.WON, anchors.WON, {}) > 100  # red wins at once
    assert anchors._search(other, own, heights, 3, -anchors.WON, anchors.WON, {}) == 0  # yellow prevents it
    wrapped = [["red"] * 3 + ["yellow"] * 3, ["red"], [], [], [], [], []]
    assert not anchors._has_four(anchors._discs(wrapped, "red")[0])


def test_small_network_learns_from_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    script_of: Any = script("desert_torch", monkeypatch)
    env = script_of.made("axis", shaping=1.0)
    network = script_of.Network(len(env.season.observer.names()))
    steps, _ = script_of.play(env, "axis", script_of.chooser(network), 1)
    with torch.no_grad():
        logs, _ = network(*script_of.arrays(steps)[:3])
    firsts = [logs[: len(steps[0].words)].argmax(), script_of.chooser(network, best=True)(*steps[0][:2], None)]
    assert firsts[0] == firsts[1], "a single position gives the same result"
    before = network.worth.weight.clone()
    script_of.learn(network, [steps], torch.optim.Adam(network.parameters()))
    assert not torch.equal(before, network.worth.weight)


def test_better_result_than_predicted_is_an_advantage(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    script_of: Any = script("desert_torch", monkeypatch)
    steps = [script_of.Step(None, None, 0, reward) for reward in (0.0, 0.0, 1.0)]
    thought = np.array([0.5, 0.5, 0.5], np.float32)
    gains = script_of.advantages(steps, thought)
    assert gains[2] == pytest.approx(0.5)
    assert all(0 < gain < 0.5 for gain in gains[:2])


def test_ladder_rung_is_deterministic(monkeypatch: pytest.MonkeyPatch) -> None:
    script("anchors", monkeypatch)
    ladder: Any = script("ladder", monkeypatch)
    line = ladder.rung(st.load("tictactoe").prepare(), 4, 2)
    assert line.startswith("4 nodes: ")
    assert " of 4 games; as x " in line
    assert "margin" not in line
    assert (
        ladder.play(st.load("tictactoe").prepare(), "x", 4, "a")[:2]
        == ladder.play(st.load("tictactoe").prepare(), "x", 4, "a")[:2]
    )
