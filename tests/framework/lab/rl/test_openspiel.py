"""OpenSpiel: the states of the two players are distinct, so that its solvers find equilibria."""

from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms.cfr import CFRSolver
from open_spiel.python.algorithms.exploitability import nash_conv

from sandtable.front import load
from sandtable.lab.rl import openspiel

DOCS = Path(__file__).parents[4] / "docs"
NAMES = '''
import sandtable as st

RULES = "N-1  Each names 0 or 1, unseen."
game = st.Ruleset("names", title="Names", sides=("first", "second"), endings=("named",), rules=RULES)


@game.state
class Named(st.State, kw_only=True):
    """Nothing is kept."""


@game.order
class Name(st.Order, frozen=True):
    """Name a number."""

    number: int


@game.phase("N-1")
def name(_: Named) -> st.Procedure:
    """First wins if both name 0, second if both name 1."""
    form = st.Form(Name, {"number": st.OneOf([0, 1], "N-1")})
    asked = (st.Decision(side, "name 0 or 1", form, "N-1") for side in ("first", "second"))
    orders = yield st.Sealed(tuple(asked))
    winner = {(0, 0): "first", (1, 1): "second"}.get(tuple(order.number for order in orders.values()), "draw")
    yield st.GameEnded(winner, "named", "N-1")
'''


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    name = request.param
    folder = DOCS / "examples" / "kuhn" / "src"
    if name == "names":
        folder = tmp_path
        (tmp_path / "names").mkdir()
        (tmp_path / "names" / "__init__.py").write_text(f'"""A game of names."""\n{NAMES}')
    monkeypatch.setattr(openspiel, "load", lambda ruleset: load(ruleset, folder))
    return pyspiel.load_game(f"sandtable(ruleset={name})")


def information_states(state: Any) -> dict[int, set[str]]:
    """Return the information states of each player below a state."""
    found: dict[int, set[str]] = {0: set(), 1: set()}
    waiting = [state]
    while waiting:
        state = waiting.pop()
        player = state.current_player()
        if player >= 0:
            found[player].add(state.information_state_string(player))
        waiting += [state.child(action) for action in state.legal_actions()] if not state.is_terminal() else []
    return found


@pytest.mark.parametrize(("game", "count"), [("names", 1), ("kuhn", 6)], indirect=["game"])
def test_information_states_of_players_are_disjoint(game: Any, count: int) -> None:
    """Kuhn poker has twelve: three cards, and two questions for each player."""
    found = information_states(game.new_initial_state())
    assert [len(each) for each in found.values()] == [count, count]
    assert not found[0] & found[1]


@pytest.mark.parametrize("game", ["names"], indirect=True)
def test_tensors_and_strings_name_the_player(game: Any) -> None:
    observer, state = game.make_py_observer(), game.new_initial_state()
    seen = []
    for player in (0, 1):
        observer.set_from(state, player)
        seen.append(observer.dict["player"].tolist())
        assert observer.tensor[:2].tolist() == seen[-1]
    assert seen == [[1, 0], [0, 1]]
    assert observer.string_from(state, 0) != observer.string_from(state, 1)


@pytest.mark.full
@pytest.mark.parametrize("game", ["names"], indirect=True)
def test_cfr_solves_a_game_with_one_state_per_player(game: Any) -> None:
    """First names 0 and second names 1: both choices are dominant."""
    solver = CFRSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    assert nash_conv(game, solver.average_policy()) < 0.02
