"""The outcomes of a roll: exact if the tree is small, sampled with an interval if not."""

from fractions import Fraction
from typing import Any

import pytest

from sandtable.kernel.dice import ChanceDice, KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import RollRecord
from sandtable.players.players import first_order
from sandtable.plugin.manager import Installed, Prepared
from sandtable.rules.chance.outcomes import wilson
from sandtable.rules.chance.rolls import Chances, chances, common
from sandtable.testing import toy


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return Installed("toy", toy, "").prepare()


def committed(prepared: Prepared, north: int, south: int, dice: KeyedDice | None = None) -> Game:
    """Return the first battle of the toy before its first die, with these numbers of troops."""
    game = prepared.new_game(dice or ChanceDice())
    game.start()
    while not (waiting := game.waiting()) or waiting[0].prompt != "commit troops":
        game.submit(first_order(waiting[0]), waiting[0].seat)
    game.submit(toy.Commit(north), "north")
    game.submit(toy.Commit(south), "south")
    return game


def pushed(found: Chances) -> dict[int, Fraction]:
    """Return the probability of each position of the front by its events; TroopsSpent alone leaves it in the middle."""
    fronts: dict[int, Fraction] = {}
    for each in found.results:
        moved = [record.event.front for record in each.records[0] if hasattr(getattr(record, "event", None), "front")]
        place = moved[0] if moved else toy.MIDDLE
        fronts[place] = fronts.get(place, Fraction()) + each.chance
    return fronts


def test_a_small_tree_is_walked_through_all_its_rolls(prepared: Prepared) -> None:
    """TOY-3: two dice against one, a hit on 1 to 3: north has more hits in 4 of 8 cases, south in 1."""
    game = committed(prepared, 2, 1)
    found = chances(game.fork)
    assert found.samples == 0
    assert sum(each.chance for each in found.results) == 1
    fronts = pushed(found)
    assert fronts[toy.MIDDLE + 1] == Fraction(4, 8)
    assert fronts[toy.MIDDLE - 1] == Fraction(1, 8)


@pytest.mark.full
def test_large_tree_is_sampled_within_the_interval(prepared: Prepared) -> None:
    game = committed(prepared, 2, 1)
    found = chances(game.fork, most=3, samples=400)
    assert found.samples == 400
    fronts = pushed(found)
    low, high = wilson(float(fronts[toy.MIDDLE + 1] * 400), 400) or (0.0, 0.0)
    assert low <= 0.5 <= high
    assert chances(game.fork, most=3, samples=400) == found, "always the same samples"


def test_without_a_pending_roll_there_are_no_results(prepared: Prepared) -> None:
    game = prepared.new_game(ChanceDice())
    game.start()
    assert chances(game.fork) == Chances(None, (), 0, game.waiting()[0].seat)


def test_game_is_restored_after_a_roll_of_zero_dice(prepared: Prepared) -> None:
    """A side that commits no troops rolls no dice: the next roll must not be given those."""
    game = committed(prepared, 0, 3, KeyedDice(key_from_seed("none")))
    rolls = [each for each in game.trail if isinstance(each, RollRecord)]
    assert [len(each.dice) for each in rolls[:2]] == [0, 3]
    stood = game.before(rolls[1].n)
    asked: Any = stood.pending
    assert (asked.dice, asked.purpose) == (3, "battle:south")
    stood.resolve_roll(rolls[1].dice)
    assert next(each for each in stood.trail if each.n == rolls[1].n) == rolls[1]


@pytest.mark.parametrize(
    ("texts", "shared"),
    [
        (["die 3: D1", "die 4: D1"], "die ... D1"),
        (["rolls 1 2: hit", "rolls 3 4: hit"], "rolls ... hit"),
        (["one", "one"], "one"),
        (["rolls 1", "rolls 1 2"], "rolls 1"),
    ],
)
def test_common_leaves_out_differing_words(texts: list[str], shared: str) -> None:
    assert common(texts) == shared
