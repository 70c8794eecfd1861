"""Every ruleset as an environment: the test suites of PettingZoo, Gymnasium and OpenSpiel, and further requirements."""

import copy
import subprocess
import sys
import warnings
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from work import lines_run

import sandtable as st
from sandtable.errors import PlayError
from sandtable.kernel.play.endings import shares_of
from sandtable.lab.rl.episode import IllegalAction, reward
from sandtable.lab.rl.features import MOST, Columns
from sandtable.testing import toy

with warnings.catch_warnings():  # it loads one of PettingZoo's own games in a deprecated way, if that is installed
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, parallel_api_test, seed_test

GAMES = {
    "tictactoe": "",
    "toy": "",
    "league3": "",
    "desert_aa": "frontier",
    "kampfpanzer": "abbeville",
    "khamsin": "teaching",
    "axis_attack": "",
    "damos": "smolensk",
}
QUICK = ["tictactoe", "toy", "league3", "desert_aa", "khamsin"]
every_game = pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in QUICK else pytest.mark.slow) for each in GAMES]
)
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:.*action space.*:UserWarning"),
]
"""Warnings that PettingZoo gives for observations with a mask, even for its own classic games unless listed by name."""


@pytest.mark.full
@every_game
def test_environment_passes_the_pettingzoo_suite(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(st.make(name, GAMES[name], seed=1), num_cycles=60)
    seed_test(lambda: st.make(name, GAMES[name], seed=1), num_cycles=20)
    parallel_api_test(st.make(name, GAMES[name], api="parallel", seed=1), num_cycles=60)
    assert "Passed Parallel API test" in capsys.readouterr().out


@pytest.mark.full
@every_game
def test_environment_passes_the_gymnasium_suite(name: str) -> None:
    check_env(st.make(name, GAMES[name], api="gym", seed=1, most=40), skip_render_check=True)


@pytest.mark.full
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in QUICK[:2] else pytest.mark.slow) for each in GAMES]
)
def test_environment_passes_the_openspiel_suite(name: str) -> None:
    game = st.make(name, GAMES[name], api="openspiel")
    pyspiel.random_sim_test(game, 1, False, False)


def played(env: Any, picks: Any, most: int = 400) -> list[tuple[str, bytes, float]]:
    """Continue ``env`` with ``picks(mask)``. Return agent, observation and reward of each step."""
    seen = []
    for agent in env.agent_iter(most):
        observation, reward, ended, cut, _ = env.last()
        seen.append((agent, observation["observation"].tobytes(), reward))
        env.step(None if ended or cut else picks(observation["action_mask"]))
    return seen


def middle(mask: Any) -> int:
    open_actions = np.flatnonzero(mask)
    return int(open_actions[len(open_actions) // 2])


def test_game_depends_on_seed_and_index() -> None:
    """The same seed gives the same game. Consecutive games differ in their dice."""
    env = st.make("toy", seed=7)
    env.reset(seed=7)
    first = played(env, middle)
    env.reset()
    second = played(env, middle)
    env.reset(seed=7)
    assert played(env, middle) == first
    assert second != first


@pytest.mark.full
def test_clone_is_independent_with_the_same_dice() -> None:
    """A clone that is played like its original sees the same, and the original stays unchanged."""
    env = st.make("desert_aa", "frontier", seed=3).unwrapped
    env.reset(seed=3)
    played(env, middle, 25)
    twin, other = env.clone(), copy.deepcopy(env)
    number_before = env.season.episode.game.number
    after = played(twin, middle, 60)
    assert env.season.episode.game.number == number_before
    assert played(other, middle, 60) == after
    assert played(env, middle, 60) == after


def test_winner_earns_one_and_loser_minus_one() -> None:
    env = st.make("tictactoe", seed=1)
    env.reset()
    earned = played(env, lambda mask: int(np.flatnonzero(mask)[0]))
    assert [reward for _, _, reward in earned[-2:]] in ([1.0, -1.0], [-1.0, 1.0])


@pytest.mark.parametrize(
    ("share", "sides", "earned"),
    [
        *(("1", 2, 1.0), ("0", 2, -1.0), ("1/2", 2, 0.0)),
        *(("1", 3, 1.0), ("0", 3, -0.5), ("1/3", 3, 0.0)),
        *(("1/2", 7, 2.5 / 6), ("0", 7, -1 / 6)),
        *(("1", 1, 1.0), ("0", 1, 0.0)),
    ],
)
def test_reward_is_the_share_above_an_equal_one(share: str, sides: int, earned: float) -> None:
    assert reward(Fraction(share), sides) == pytest.approx(earned)


@pytest.mark.full
@pytest.mark.parametrize(("name", "sides"), [("league3", 3), ("league7", 7)])
def test_rewards_of_many_sides_are_their_shares_and_sum_to_zero(name: str, sides: int) -> None:
    for seed in range(6):
        env = st.make(name, api="parallel", seed=seed, options={"score": ("survivors", "strength")[seed % 2]})
        env.reset(seed=seed)
        chance, rewards = np.random.default_rng(seed), {}
        while env.agents:
            seen = env._observations()
            actions = {each: int(chance.choice(np.flatnonzero(seen[each]["action_mask"]))) for each in env.agents}
            _, rewards, *_ = env.step(actions)
        game = env.season.episode.game
        shares = shares_of(game.state.outcome, game.records[-1].shares, game.ruleset.viewers)
        assert list(rewards.values()) == pytest.approx(
            [(sides * share / 1000 - 1) / (sides - 1) for share in shares.values()], abs=2e-3
        )
        assert sum(rewards.values()) == pytest.approx(0)


@pytest.mark.full
@pytest.mark.parametrize("name", ["league3", "league7"])
def test_openspiel_plays_many_sides_to_returns_that_sum_to_zero(name: str) -> None:
    game = st.make(name, api="openspiel")
    sides = int(name[-1])
    assert (game.num_players(), game.max_utility()) == (sides, 1)
    assert game.min_utility() == pytest.approx(-1 / (sides - 1))
    state, chance = game.new_initial_state(), np.random.default_rng(3)
    while not state.is_terminal():
        state.apply_action(int(chance.choice(state.legal_actions())))
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.returns()) > 0
    pyspiel.random_sim_test(game, 1, False, False)


def test_illegal_action_loses_and_gives_the_others_nothing() -> None:
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


def test_sealed_orders_are_given_together_in_parallel_env() -> None:
    """Both sides of the toy commit their troops secretly, so both have a choice in one step."""
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
def test_shaped_rewards_sum_to_the_change_of_evaluation() -> None:
    """Shaped rewards sum to the outcome minus the first evaluation, because they are potential-based."""
    env = st.make("desert_aa", "frontier", api="gym", seed=2, shaping=1.0, bots={"allies": "random"})
    env.reset(seed=2)
    judge = env.season.prepared.installed.bots.evaluate
    first = judge(env.season.episode.game.state, env.season.prepared.board)["axis"] / 500 - 1
    total, over = 0.0, False
    while not over:
        _, reward, over, _, _ = env.step(middle(env.action_masks()))
        total += reward
    assert total == pytest.approx(env.season.episode.score()["axis_0"] - first, abs=1e-6)


@pytest.mark.full
def test_game_is_cut_off_at_its_limit_of_actions() -> None:
    env = st.make("desert_aa", "frontier", seed=2, most=10)
    env.reset()
    for _ in env.agent_iter():
        _, _, ended, cut, _ = env.last()
        assert not ended
        env.step(None if cut else 0)
    assert env.unwrapped.season.episode.steps == 10


def test_choices_are_described_in_words() -> None:
    env = st.make("desert_aa", "frontier", seed=1).unwrapped
    env.reset()
    assert len(env.choices()) == env.observe(env.agent_selection)["action_mask"].sum() > 1
    assert set(env.infos[env.agent_selection]) == {"prompt", "purpose", "part", "rule"}


@pytest.mark.parametrize("nested", [False, True])
def test_columns_have_names_flat_and_nested(*, nested: bool) -> None:
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
def test_column_is_the_same_in_every_process() -> None:
    """The column of a path depends on a hash of its bytes. Python's own hash differs between processes."""
    columns = Columns({"units": {"a": 1}, "turn": 0}, 64)
    program = (
        "from sandtable.lab.rl.features import Columns\n"
        "print(Columns({'units': {'a': 1}, 'turn': 0}, 64).place('units.b=x'))\n"
    )
    message = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(message.stdout) == columns.place("units.b=x")


def test_array_depends_on_its_view_alone() -> None:
    """The array of a view depends on that view alone, not on earlier views."""
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


def test_sealed_order_is_in_no_observation() -> None:
    """The order that the first of two seats committed is in no observation of the other seat before both are in."""
    seen = []
    for action in (0, 3):
        env = st.make("toy", seed=1).unwrapped
        env.reset()
        for step in (0, 0, action):
            env.step(step)
        seen.append(env.observe(env.agent_selection)["observation"].tobytes())
    assert seen[0] == seen[1]


def test_openspiel_states_recall_past_observations() -> None:
    """Games that look the same to a player share an information state until the player's own choice separates them."""
    game = st.make("toy", api="openspiel")

    def after(*actions: int) -> Any:
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return state

    hidden = [after(0, 0, action) for action in (1, 3)]  # the ambushes, and the commitment of north
    assert hidden[0].information_state_string(1) == hidden[1].information_state_string(1)
    assert after(0, 0, 1, 2).information_state_string(0) != after(0, 0, 3, 2).information_state_string(0)
    assert after(0, 0, 1, 2).is_chance_node()
    assert after(0, 0, 1, 2).chance_outcomes() == [(face, 1 / 6) for face in range(6)]


def test_invalid_environment_is_refused_with_a_reason() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"api": "jax"}, "'jax' is not a kind of environment: choose aec, parallel, gym, openspiel"),
        ({"api": "gym", "side": "green"}, "has no side 'green'"),
        ({"side": "x"}, "side is for api='gym' only"),
        ({"actions": 1}, "1 actions are too few"),
        ({"render_mode": "human"}, "render_mode 'human' does not exist: choose ansi, svg"),
        ({"shaping": 1.0}, "has no evaluate in its ruleset_bots"),
        ({"api": "openspiel", "labels": 3}, "'labels' is not a setting of an OpenSpiel game"),
    ]
    for settings, message in refused:
        with pytest.raises(PlayError) as error:
            st.make("tictactoe", **settings)
        assert message in str(error.value)


@pytest.mark.full
def test_missing_rl_packages_are_named() -> None:
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
    message = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "is missing: install it with pip install 'sandtable[rl]'" in message.stdout


@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_environment_renders_text_and_svg(mode: str) -> None:
    env = st.make("desert_aa", "frontier", seed=1, render_mode=mode)
    env.reset()
    assert ("<svg" in env.render()) == (mode == "svg")


@pytest.mark.full
def test_environment_step_needs_little_work() -> None:
    """Columns of fields are cached, and bots and players are found once.

    Lines are counted, because time is unreliable.
    """
    work = []
    for name, scenario in (("tictactoe", ""), ("desert_aa", "frontier")):
        env = st.make(name, scenario, seed=1)
        env.reset(seed=1)
        played(env, middle)  # warm the caches
        env.reset(seed=2)
        counted = lines_run(partial(played, env, middle, 60))
        work.append(counted / env.unwrapped.season.episode.steps)
    assert work[0] < 420  # 340 when it was measured; 725 in PettingZoo's wrappers without caches
    assert work[1] < 1_600  # 1,436 when it was measured


def test_calls_out_of_order_are_refused() -> None:
    env = st.make("tictactoe", seed=1)
    with pytest.raises(AttributeError):
        env.agents  # noqa: B018 - the access is the test
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


def test_illegal_action_in_the_aec_environment_loses() -> None:
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
