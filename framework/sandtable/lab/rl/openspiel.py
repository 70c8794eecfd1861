"""OpenSpiel: rulesets as the game ``sandtable``, with one chance node for each die.

``pyspiel.load_game("sandtable(ruleset=desert_aa,scenario=frontier)")`` works after ``import
sandtable.lab.rl.openspiel``. Players are the sides in their order. An order is made choice by choice, as everywhere in
``sandtable.lab.rl``. Sealed orders are chosen one after the other, hidden from the other players. Bots in the umpire's
seat play by the seed.
"""

import hashlib
from typing import Any

import numpy as np
import pyspiel

from sandtable.errors import PlayError
from sandtable.front import load
from sandtable.kernel.dice import ChanceDice, key_from_seed
from sandtable.lab.rl.episode import Episode
from sandtable.lab.rl.features import Array
from sandtable.lab.rl.observing import Observer

SHORT_NAME = "sandtable"
DEFAULTS: dict[str, Any] = {
    "ruleset": "tictactoe",
    "scenario": "",
    "seed": 0,
    "actions": 64,
    "width": 256,
    "most": 20_000,
}
MAX_FACES = 100
FEWEST_PLAYERS, MAX_PLAYERS = 2, 100

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Sandtable",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=FEWEST_PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification=DEFAULTS,
)


class SandtableGame(pyspiel.Game):
    """One ruleset at one scenario. A game that reaches ``most`` actions ends as a draw."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**DEFAULTS, **(params or {})}
        self.prepared = load(chosen["ruleset"]).prepare(chosen["scenario"])
        self.chosen = chosen
        first = self.new_episode()
        if len(first.agents) < FEWEST_PLAYERS:
            raise PlayError(f"OpenSpiel plays games of two sides or more; {chosen['ruleset']} has {len(first.agents)}")
        self.observer = Observer(first, chosen["width"], 0, nested=False)
        self.size = self.observer.columns.size
        info = pyspiel.GameInfo(
            num_distinct_actions=chosen["actions"],
            max_chance_outcomes=MAX_FACES,
            num_players=len(first.agents),
            min_utility=-1.0 / (len(first.agents) - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=chosen["most"],
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_episode(self) -> Episode:
        """Return a new game, at its first choice or roll."""
        chosen = self.chosen
        key = key_from_seed(f"{chosen['seed']}/0")
        return Episode(self.prepared, key, ChanceDice(), chosen["actions"], {}, most=chosen["most"])

    def new_initial_state(self) -> "SandtableState":
        """Return the initial state."""
        return SandtableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SandtableObserver":
        """Return an observer of states. With perfect recall it includes the player's own past.

        Raises ValueError if ``params`` has any parameter.
        """
        if params:
            raise ValueError(f"observation parameters are not known: {params}")
        return SandtableObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SandtableState(pyspiel.State):
    """A state: a player's choice, a die, or the end. ``recalled`` is the digest of what each player has seen."""

    def __init__(self, game: SandtableGame) -> None:
        super().__init__(game)
        self.episode = game.new_episode()
        self.faces: tuple[int, ...] = ()
        self.recalled = [""] * len(self.episode.agents)

    def current_player(self) -> int:
        """Return the player that must choose, CHANCE at a roll, or TERMINAL at the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.episode.roll is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return self.episode.agents.index(self.episode.asked)

    def is_terminal(self) -> bool:
        """Return whether the game is over or was cut off."""
        return self.episode.is_over or self.episode.is_cut

    def _legal_actions(self, player: int) -> list[int]:
        picking = self.episode.open.get(self.episode.agents[player])
        return list(range(picking.count)) if picking is not None and player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the faces of the next die, counted from 0, with equal probabilities."""
        roll = self.episode.roll
        sides = roll.sides if roll else 0
        return [(face, 1 / sides) for face in range(sides)]

    def _apply_action(self, action: int) -> None:
        roll = self.episode.roll
        if roll is None:
            player = self.current_player()
            seen = self.observed(player)
            past = f"{self.recalled[player]}\n{seen}\n{action}"
            self.recalled[player] = hashlib.sha256(past.encode()).hexdigest()
            self.episode.act(action)
        else:
            self.faces += (action + 1,)
            if len(self.faces) == roll.dice:
                faces, self.faces = self.faces, ()
                self.episode.resolve_roll(faces)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            roll = self.episode.roll
            return f"die {len(self.faces) + 1} of {roll.purpose if roll else ''}: {action + 1}"
        picking = self.episode.open[self.episode.agents[player]]
        return f"{picking.part}: {picking.labels()[action]} ({action})"

    def returns(self) -> list[float]:
        """Return the ``reward`` of each player: 1 for a winner, -1 for the loser if two play, and 0 before the end."""
        score = self.episode.score()
        return [score[agent] for agent in self.episode.agents]

    def observed(self, player: int) -> str:
        """Return the player, the player's view, and its open question, as text."""
        agent = self.episode.agents[player]
        picking = self.episode.open.get(agent)
        asked = f"{picking.decision.prompt} | {' '.join(picking.made())} | {picking.part}" if picking else "waits"
        return f"{agent} | {self.episode.view(agent)!r} | {asked}"

    def __str__(self) -> str:
        """Return a summary of the state."""
        state = self.episode.game.state
        asked = self.episode.open.get(self.episode.asked)
        activity = f"{self.episode.asked}: {asked.part}" if asked else "a roll" if self.episode.roll else state.ending
        number, steps = self.episode.game.number, self.episode.steps
        return f"turn {state.turn}, {state.phase}, record {number}, action {steps}: {activity}"


class SandtableObserver:
    """An OpenSpiel observer: a player's view as a tensor and a text, both including the player."""

    def __init__(self, game: SandtableGame, kind: Any) -> None:
        self._observer = game.observer
        self._recalls = kind.perfect_recall
        players = game.num_players()
        self.tensor: Array = np.zeros(players + len(game.observer.names()), np.float32)
        self.dict = {"player": self.tensor[:players], "observation": self.tensor[players:]}

    def set_from(self, state: SandtableState, player: int) -> None:
        """Fill the tensor with the view of ``player`` in ``state``."""
        self.dict["player"][:] = 0
        self.dict["player"][player] = 1
        self.dict["observation"][:] = self._observer.observe(state.episode, state.episode.agents[player])["observation"]

    def string_from(self, state: SandtableState, player: int) -> str:
        """Return the view of ``player`` in ``state``, after the digest of its own past if recall is perfect."""
        now = state.observed(player)
        return f"{state.recalled[player]} | {now}" if self._recalls else now


pyspiel.register_game(GAME_TYPE, SandtableGame)
