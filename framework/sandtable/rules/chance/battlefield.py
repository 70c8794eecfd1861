"""A battle for odds: games under the live rules that stop at every roll."""

import contextlib
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from sandtable.errors import RulesetError, SandtableError
from sandtable.kernel.decisions import Decision, Order, Roll
from sandtable.kernel.dice import ChanceDice
from sandtable.kernel.events import PhaseEnded
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State


class OddsBattle(Struct, frozen=True):
    """A battle for ``odds``: a small, separate state that is played by the live rules.

    Play begins at the boundary of ``state``. ``choose`` answers every decision. ``result`` returns "attacker",
    "defender" or "draw" once the battle is over, and None before that. ``key`` returns the part of the state that
    determines the rest of the battle: states with the same key are one position.
    """

    state: State
    board: Any
    choose: Callable[[Decision], Order]
    result: Callable[[Any], str | None]
    key: Callable[[Any], Any]


RESULTS = ("attacker", "defender", "draw")


class _Unsalted(ChanceDice):
    """Dice without a source, for games whose records are discarded."""

    def salt(self, number: int) -> str:  # noqa: ARG002 - the protocol's shape
        return ""


_DICE = _Unsalted()


class _Over(SandtableError):
    """The battle and its phase are over, so the rules need not continue."""


_append = list.append


class _Records(list[Any]):
    """The records of a game, which raise ``_Over`` at the end of the phase in which the battle ended."""

    def __init__(self, over: Callable[[], bool]) -> None:
        super().__init__()
        self._over = over

    def append(self, record: Any) -> None:
        _append(self, record)
        if record.__class__ is EventRecord and record.event.__class__ is PhaseEnded and self._over():
            raise _Over


class Battlefield:
    """A battle ready to be played: makes games at its start and continues them."""

    def __init__(self, battle: OddsBattle, ruleset: Ruleset) -> None:
        self.battle = battle
        self.ruleset = ruleset
        self._start = ruleset.codec.to_bytes(battle.state)

    def new_game(self, start: bytes = b"") -> Game:
        """Return a game at the first decision or roll after ``start``, a state at a boundary."""
        result = self.battle.result
        state = self.ruleset.codec.from_bytes(start or self._start, self.battle.board)
        game = Game(self.ruleset, state, _DICE)
        game.records = game.trail = _Records(lambda: result(state) is not None)
        with contextlib.suppress(_Over):
            game.start()
        return game

    def resolve_roll(self, game: Game, faces: tuple[int, ...]) -> None:
        """Enter ``faces`` as the dice of ``game``."""
        with contextlib.suppress(_Over):
            game.resolve_roll(faces)

    def settle(self, game: Game) -> str | None:
        """Answer all decisions up to the next roll; return the result if there is one by then, or None.

        Raises RulesetError if the game ends without a result.
        """
        battle = self.battle
        while True:
            result = battle.result(game.state)
            if result is not None:
                if result not in RESULTS:
                    raise RulesetError(
                        f"{self.ruleset.id}: a battle's result is {result!r}, not {' or '.join(RESULTS)}"
                    )
                return result
            if isinstance(game.pending, Roll):
                return None
            waiting = game.waiting()
            if not waiting:
                raise RulesetError(f"{self.ruleset.id}: the battle is over, but has no result")
            with contextlib.suppress(_Over):
                game.submit(battle.choose(waiting[0]), waiting[0].seat)

    def answer(self, game: Game) -> None:
        """Answer all decisions up to the next roll, in a game that is known to reach one."""
        while not isinstance(game.pending, Roll):
            decision = game.waiting()[0]
            game.submit(self.battle.choose(decision), decision.seat)


def at_boundary(game: Game) -> bool:
    """Return whether no die was rolled since the activation began, so that the position there is the whole state."""
    return not any(isinstance(record, RollRecord) for record in game.trail[game.boundaries[-1] :])
