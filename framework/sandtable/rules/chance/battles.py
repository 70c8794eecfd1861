"""The odds of a battle, computed exactly by walking through every roll with the live rules.

This is not a second implementation of combat. A game of the ruleset is set up without dice. At each roll it branches
once for each outcome, and each branch continues by the rules. At the start of each activation, the battle's ``key``
identifies the position, and each position is computed once. A round without hits leads back to its own position: if
that has probability p, all other probabilities are multiplied by 1/(1 - p).
"""

from collections.abc import Hashable
from itertools import count
from typing import NamedTuple

import msgspec
from msgspec import Struct

from sandtable.kernel.decisions import Roll
from sandtable.kernel.dice import key_from_seed, roll_dice
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.rewind import fold
from sandtable.kernel.ruleset import Ruleset
from sandtable.rules.chance.battlefield import RESULTS, Battlefield, OddsBattle, at_boundary
from sandtable.rules.chance.outcomes import TooLarge, wilson
from sandtable.rules.chance.walker import Faces, Walker, roll_of

MAX_STEPS = 60_000
SAMPLES = 4_000
MAX_ROLLS = 100_000
"""Maximum number of rolls of a sampled battle; beyond it, the battle is taken to be endless."""


class Odds(Struct, frozen=True):
    """The ending of a battle: probabilities that sum to 1, the average number of rounds, and the method."""

    attacker: float
    defender: float
    draw: float
    rounds: float
    method: str


class Chance(NamedTuple):
    """The outlook of a position: the probability of each ending and of a return, and the rounds to come."""

    attacker: float = 0.0
    defender: float = 0.0
    draw: float = 0.0
    rounds: float = 0.0
    again: float = 0.0


_END = {
    "attacker": Chance(attacker=1.0),
    "defender": Chance(defender=1.0),
    "draw": Chance(draw=1.0),
}
_AGAIN = Chance(again=1.0)


def battle_odds(battle: OddsBattle, ruleset: Ruleset, *, most_steps: int = MAX_STEPS, samples: int = SAMPLES) -> Odds:
    """Return the odds of ``battle``: exact if the walk takes at most ``most_steps`` steps, or sampled."""
    try:
        return Enumeration(battle, ruleset, most_steps).odds()
    except TooLarge:
        return sampled_odds(battle, ruleset, samples)


class Enumeration(Battlefield):
    """The exact walk through one battle; ``positions`` and ``steps`` count how much of it was walked."""

    def __init__(self, battle: OddsBattle, ruleset: Ruleset, most_steps: int = MAX_STEPS) -> None:
        super().__init__(battle, ruleset)
        self.most_steps = most_steps
        self.steps = 0
        self._known: dict[Hashable, Chance] = {}
        self._open: list[Hashable] = []
        self._first_ways = 1

    @property
    def positions(self) -> int:
        """The number of positions that were computed."""
        return len(self._known)

    def odds(self) -> Odds:
        """Walk through the battle and return the odds; raises TooLarge if that takes too many steps."""
        chance = self._ahead(self.new_game(), self._walker(b""), ())
        whole = chance.attacker + chance.defender + chance.draw
        return Odds(chance.attacker / whole, chance.defender / whole, chance.draw / whole, chance.rounds, "exact")

    def _walker(self, start: bytes) -> Walker[Game]:
        """Return a walker from ``start``, a state at a boundary, that runs the activation again for each branch."""

        def again(falls: Faces) -> Game:
            game = self.new_game(start)
            self.answer(game)
            for faces in falls:
                game.resolve_roll(faces)
                self.answer(game)
            return game

        return Walker(again, self.resolve_roll, self._spend)

    def _ahead(self, game: Game, walker: Walker[Game], falls: Faces) -> Chance:
        """Return the outlook of ``game``, in which ``falls`` were rolled since the start; ``game`` is continued."""
        result = self.settle(game)
        if result is not None:
            return _END[result]
        if not at_boundary(game):
            return self._after_roll(game, walker, falls)
        position = self._position(game)
        known = self._known.get(position)
        if known is not None:
            return known
        if position in self._open:
            if position == self._open[-1]:
                return _AGAIN
            raise TooLarge("the battle returns to an earlier position")
        self._estimate()
        _, here = fold(self.ruleset, game.base, game.trail[: game.boundaries[-1]])
        self._open.append(position)
        chance = _solved(self._after_roll(game, self._walker(here.data), ()))
        self._open.pop()
        self._known[position] = chance
        return chance

    def _estimate(self) -> None:
        """Raise TooLarge if the first position shows that the walk would be far too long.

        In a battle of attrition, the number of positions is about the number of branches at the first one. The average
        position has about a quarter as many branches.
        """
        if len(self._open) == 1 and self._first_ways**2 > 4 * self.most_steps:
            raise TooLarge(f"about {self._first_ways**2 // 4} steps")

    def _position(self, game: Game) -> Hashable:
        """Return the identity of this position: the battle's key and the pending roll."""
        roll = roll_of(game)
        key = self.battle.key(game.state)
        try:
            hash(key)
        except TypeError:
            key = msgspec.json.encode(key, order="deterministic")
        return key, roll.dice, roll.sides, roll.needs

    def _spend(self, branches: int) -> None:
        self.steps += branches
        if self.steps > self.most_steps:
            raise TooLarge(f"more than {self.most_steps} steps")
        if len(self._open) == 1 and not self._known:
            self._first_ways *= branches

    def _after_roll(self, game: Game, walker: Walker[Game], falls: Faces) -> Chance:
        """Return the outlook over all outcomes of the pending roll of ``game``."""
        sums = [0.0] * len(Chance._fields)
        for chance, fell, branch in walker.branches(game, falls):
            share = float(chance)
            for field, value in enumerate(self._ahead(branch, walker, fell)):
                sums[field] += share * value
        return Chance(*sums)


def _solved(chance: Chance) -> Chance:
    """Return the outlook with repeats of the position included, and with its round counted."""
    if chance.again >= 1.0:
        raise TooLarge("the battle never ends: no roll changes the position")
    fold_back = 1.0 / (1.0 - chance.again)
    return Chance(
        chance.attacker * fold_back,
        chance.defender * fold_back,
        chance.draw * fold_back,
        (chance.rounds + 1) * fold_back,
    )


def sampled_odds(battle: OddsBattle, ruleset: Ruleset, samples: int = SAMPLES) -> Odds:
    """Return the odds from ``samples`` battles, which are the same at every call; ``method`` gives the confidence."""
    field = Battlefield(battle, ruleset)
    key = key_from_seed("odds")
    ends = dict.fromkeys(RESULTS, 0)
    rounds = 0
    for sample in range(samples):
        result, lasted = _fight(field, key, sample)
        ends[result] += 1
        rounds += lasted
    sure = [_interval(side, ends[side], samples) for side in RESULTS[:2]]
    attacker, defender, draw = (ends[side] / samples for side in RESULTS)
    method = f"sampled {samples} battles; with 95 % certainty {' and '.join(sure)}"
    return Odds(attacker, defender, draw, rounds / samples, method)


def _interval(side: str, wins: int, games: int) -> str:
    low, high = wilson(wins, games) or (0.0, 1.0)
    return f"{side} {low:.3f} to {high:.3f}"


def _fight(field: Battlefield, key: bytes, sample: int) -> tuple[str, int]:
    """Fight one battle; return its result and its number of rounds."""
    rolls, rounds, result = count(1), 0, ""

    def draw(roll: Roll) -> tuple[int, ...]:
        return roll_dice(key, f"{sample}/{next(rolls)}", roll.dice, roll.sides)

    def is_over(game: Game) -> bool:
        nonlocal rounds, result
        result = field.settle(game) or ""
        rounds += not result and at_boundary(game)
        return bool(result)

    Walker[Game](lambda _: field.new_game(), field.resolve_roll).sample(field.new_game(), draw, is_over, MAX_ROLLS)
    return result, rounds
