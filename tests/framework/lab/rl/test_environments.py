"""Every ruleset as an environment: the test suites of PettingZoo, Gymnasium and OpenSpiel, and what they do not ask."""

import copy
import subprocess
import sys
import warnings
from functools import partial
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from work import lines_run

import sandtable as st
from sandtable.errors import PlayError
from sandtable.lab.rl.episode import IllegalAction
from sandtable.lab.rl.features import MOST, Columns
from sandtable.testing import toy

with warnings.catch_warnings():  # it loads a game of PettingZoo's own by the old way, where that is installed
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, parallel_api_test, seed_test

GAMES = {
    "tictactoe": "",
    "toy": "",
    "desert_aa": "frontier",
    "kampfpanzer": "abbeville",
    "khamsin": "teaching",
    "axis_attack": "",
    "damos": "smolensk",
}
QUICK = ["tictactoe", "toy", "desert_aa", "khamsin"]
every_game = pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in QUICK else pytest.mark.slow) for each in GAMES]
)
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:.*action space.*:UserWarning"),
]
"""PettingZoo warns of observations with a mask in them, of its own classic games too, but for a list of names."""


@pytest.mark.full
@every_game
def test_pettingzoo_finds_no_fault(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(st.make(name, GAMES[name], seed=1), num_cycles=60)
    seed_test(lambda: st.make(name, GAMES[name], seed=1), num_cycles=20)
    parallel_api_test(st.make(name, GAMES[name], api="parallel", seed=1), num_cycles=60)
    assert "Passed Parallel API test" in capsys.readouterr().out


@pytest.mark.full
@every_game
def test_gymnasium_finds_no_fault(name: str) -> None:
    check_env(st.make(name, GAMES[name], api="gym", seed=1, most=40), skip_render_check=True)


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in QUICK[:2] else pytest.mark.slow) for each in GAMES]
)
def test_openspiel_finds_no_fault(name: str) -> None:
    game = st.make(name, GAMES[name], api="openspiel")
    pyspiel.random_sim_test(game, 1, False, False)


def played(env: Any, picks: Any, most: int = 400) -> list[tuple[str, bytes, float]]:
    """Play ``env`` on by ``picks(mask)``; return who saw what, and earned what, at each step."""
    seen = []
    for agent in env.agent_iter(most):
        observation, reward, ended, cut, _ = env.last()
        seen.append((agent, observation["observation"].tobytes(), reward))
        env.step(None if ended or cut else picks(observation["action_mask"]))
    return seen


def middle(mask: Any) -> int:
    open_actions = np.flatnonzero(mask)
    return int(open_actions[len(open_actions) // 2])


def test_a_game_is_its_seeds_and_the_next_one_is_another() -> None:
    """Twice the same seed is the same game; games in a row differ in their dice."""
    env = st.make("toy", seed=7)
    env.reset(seed=7)
    first = played(env, middle)
    env.reset()
    second = played(env, middle)
    env.reset(seed=7)
    assert played(env, middle) == first
    assert second != first


@pytest.mark.full
def test_a_copy_goes_its_own_way_and_has_the_same_luck() -> None:
    """A clone played like its original sees the same; the original stands where it stood."""
    env = st.make("desert_aa", "frontier", seed=3).unwrapped
    env.reset(seed=3)
    played(env, middle, 25)
    twin, other = env.clone(), copy.deepcopy(env)
    stood = env.season.episode.game.number
    after = played(twin, middle, 60)
    assert env.season.episode.game.number == stood
    assert played(other, middle, 60) == after
    assert played(env, middle, 60) == after


def test_the_winner_earns_one_and_the_loser_loses_it() -> None:
    env = st.make("tictactoe", seed=1)
    env.reset()
    earned = played(env, lambda mask: int(np.flatnonzero(mask)[0]))
    assert [reward for _, _, reward in earned[-2:]] in ([1.0, -1.0], [-1.0, 1.0])


def test_who_acts_against_the_mask_loses_at_once_and_nobody_gains() -> None:
    env = st.make("tictactoe", api="parallel", seed=1)
    seen, _ = env.reset()
    asked = next(agent for agent in env.agents if seen[agent]["action_mask"].sum() > 1)
    other = next(agent for agent in env.agents if agent != asked)
    _, rewards, ended, _, infos = env.step({asked: 63, other: 0})
    assert rewards == {asked: -1.0, other: 0.0}
    assert ended == {asked: True, other: True}
    assert infos[asked] == {"illegal": True}
    alone = st.make("tictactoe", api="gym", seed=1)
    alone.reset()
    assert alone.step(63)[1:3] == (-1.0, True)


def test_sealed_orders_are_given_at_once_in_the_parallel_environment() -> None:
    """Both sides of the toy commit their troops unseen: both have a choice in one step."""
    env = st.make("toy", api="parallel", seed=1)
    env.reset()
    for _ in env.agents:  # the ambushes, one after the other
        seen, _, _, _, infos = env.step(dict.fromkeys(env.agents, 0))
    assert all(seen[agent]["action_mask"].sum() == 4 for agent in env.agents)
    assert all(infos[agent]["part"] == "troops" for agent in env.agents)
    env.step(dict.fromkeys(env.agents, 1))
    given = [record.order for record in env.season.episode.game.records if hasattr(record, "order")]
    assert given[2:] == [toy.Commit(1), toy.Commit(1)]


@pytest.mark.full
def test_shaped_rewards_come_to_the_change_of_the_evaluation() -> None:
    """Potential-based: over a game they add up to the outcome less the first evaluation."""
    env = st.make("desert_aa", "frontier", api="gym", seed=2, shaping=1.0, bots={"allies": "random"})
    env.reset(seed=2)
    judge = env.season.prepared.installed.bots.evaluate
    first = judge(env.season.episode.game.state, env.season.prepared.board)["axis"] / 500 - 1
    total, over = 0.0, False
    while not over:
        _, reward, over, _, _ = env.step(middle(env.action_masks()))
        total += reward
    assert total == pytest.approx(env.season.episode.score()["axis_0"] - first, abs=1e-6)


def test_a_game_can_be_cut_off() -> None:
    env = st.make("desert_aa", "frontier", seed=2, most=10)
    env.reset()
    for _ in env.agent_iter():
        _, _, ended, cut, _ = env.last()
        assert not ended
        env.step(None if cut else 0)
    assert env.unwrapped.season.episode.steps == 10


def test_the_choices_are_told_in_words() -> None:
    env = st.make("desert_aa", "frontier", seed=1).unwrapped
    env.reset()
    assert len(env.choices()) == env.observe(env.agent_selection)["action_mask"].sum() > 1
    assert set(env.infos[env.agent_selection]) == {"prompt", "purpose", "part", "rule"}


@pytest.mark.parametrize("nested", [False, True])
def test_names_of_the_columns_are_kept(*, nested: bool) -> None:
    env = st.make("desert_aa", "frontier", seed=1, nested=nested, labels=16).unwrapped
    env.reset()
    seen = env.observe(env.agent_selection)
    space = env.observation_space(env.agent_selection)
    assert space.contains(seen)
    names = env.season.observer.names()
    if nested:
        assert {name.split("[")[0] for name in names} == set(seen["observation"])
        assert seen["observation"]["cash"].any()
    else:
        assert len(names) == len(seen["observation"])
        assert seen["observation"][names.index("turn")] == env.season.episode.game.state.turn
    assert seen["choices"].any(axis=1).tolist() == seen["action_mask"].astype(bool).tolist()


@pytest.mark.full
def test_a_column_is_the_same_in_every_process() -> None:
    """The hash of a path is that of its bytes: not Python's, which differs from process to process."""
    columns = Columns({"units": {"a": 1}, "turn": 0}, 64)
    program = (
        "from sandtable.lab.rl.features import Columns\n"
        "print(Columns({'units': {'a': 1}, 'turn': 0}, 64).place('units.b=x'))\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(told.stdout) == columns.place("units.b=x")


def test_what_changes_from_view_to_view_is_all_that_changes() -> None:
    """The array of a view is that of the view alone, whatever was seen before it."""
    views = [
        {"units": {"a": 1, "b": "x"}, "turn": 1, "late": 0},
        {"units": {"a": 1, "c": ["x", "y"]}, "turn": 2, "new": {"d": True}},
        {"units": {}, "turn": 1 << 40, "new": 5},
    ]
    used = Columns(views[0], 64)
    for view in [*views, *reversed(views)]:
        fresh = Columns(views[0], 64)
        assert used.flat(view).tolist() == fresh.flat(view).tolist()
    assert used.flat(views[2]).max() == MOST


def test_a_side_sees_nothing_of_a_sealed_order() -> None:
    """What the first of two seats committed is in no observation of the other before both are in."""
    seen = []
    for action in (0, 3):
        env = st.make("toy", seed=1).unwrapped
        env.reset()
        for step in (0, 0, action):
            env.step(step)
        seen.append(env.observe(env.agent_selection)["observation"].tobytes())
    assert seen[0] == seen[1]


def test_openspiel_states_recall_what_was_seen() -> None:
    """Two games that look alike to a player have one information state; his own choice parts them."""
    game = st.make("toy", api="openspiel")

    def after(*actions: int) -> Any:
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return state

    hidden = [after(0, 0, action) for action in (1, 3)]  # the ambushes, and what north commits
    assert hidden[0].information_state_string(1) == hidden[1].information_state_string(1)
    assert after(0, 0, 1, 2).information_state_string(0) != after(0, 0, 3, 2).information_state_string(0)
    assert after(0, 0, 1, 2).is_chance_node()
    assert after(0, 0, 1, 2).chance_outcomes() == [(face, 1 / 6) for face in range(6)]


def test_what_cannot_be_made_is_refused_in_a_line() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"api": "jax"}, "'jax' is not a kind of environment: choose aec, parallel, gym, openspiel"),
        ({"api": "gym", "side": "green"}, "has no side 'green'"),
        ({"side": "x"}, "side is for api='gym' only"),
        ({"actions": 1}, "1 actions are too few"),
        ({"render_mode": "human"}, "render_mode 'human' does not exist: choose ansi, svg"),
        ({"shaping": 1.0}, "has no evaluate in its ruleset_bots"),
        ({"api": "openspiel", "labels": 3}, "'labels' is not a setting of an OpenSpiel game"),
    ]
    for settings, told in refused:
        with pytest.raises(PlayError) as error:
            st.make("tictactoe", **settings)
        assert told in str(error.value)


@pytest.mark.full
def test_without_the_extra_packages_it_says_what_is_missing() -> None:
    program = (
        "import sys\n"
        "for name in ('gymnasium', 'pettingzoo', 'pyspiel', 'numpy'):\n"
        "    sys.modules[name] = None\n"
        "import sandtable\n"
        "try:\n"
        "    sandtable.make('tictactoe')\n"
        "except sandtable.PlayError as error:\n"
        "    print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "is missing: pip install 'sandtable[rl]' brings what environments need" in told.stdout


@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_the_board_is_drawn(mode: str) -> None:
    env = st.make("desert_aa", "frontier", seed=1, render_mode=mode)
    env.reset()
    assert ("<svg" in env.render()) == (mode == "svg")


@pytest.mark.full
def test_a_step_takes_little_work() -> None:
    """What a field of a view came to is kept, bots and players are found once: counted, since a clock tells nothing."""
    work = []
    for name, scenario in (("tictactoe", ""), ("desert_aa", "frontier")):
        env = st.make(name, scenario, seed=1)
        env.reset(seed=1)
        played(env, middle)  # what is learnt once is learnt
        env.reset(seed=2)
        counted = lines_run(partial(played, env, middle, 60))
        work.append(counted / env.unwrapped.season.episode.steps)
    assert work[0] < 420  # counted 340; it was 725 in PettingZoo's wrappers, with everything made anew
    assert work[1] < 1_600  # counted 1,436


def test_what_is_asked_out_of_order_is_refused_as_by_the_usual_wrappers() -> None:
    env = st.make("tictactoe", seed=1)
    with pytest.raises(AttributeError):
        env.agents  # noqa: B018 - asking is the test
    for ask in (lambda: env.step(0), lambda: env.observe("x_0"), lambda: env.agent_iter(5), env.render):
        with pytest.raises((AssertionError, AttributeError)):
            ask()
    env.reset()
    turns = env.agent_iter()
    next(turns)
    with pytest.raises(AssertionError, match="need to call step"):
        next(turns)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(64)


def test_who_acts_against_the_mask_in_turn_loses_at_once_too() -> None:
    env = st.make("tictactoe", seed=1)
    env.reset()
    first = env.agent_selection
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(63)
    assert env.terminations == {"x_0": True, "o_1": True}
    earned = {}
    for agent in env.agent_iter():
        earned[agent] = env.last()[1]
        env.step(None)
    assert earned == {"x_0": -1.0, "o_1": 0.0}
    assert first == "x_0"
    env.reset()
    with pytest.raises(IllegalAction):
        env.unwrapped.step(63)
