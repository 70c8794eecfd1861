"""Rules by example: loaded dice, orders, and their result."""

import kuhn
import pytest
from kuhn import Act

import sandtable as st
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Installed
from sandtable.testing import LoadedDice

KING_TO_FIRST_QUEEN_TO_SECOND = ((3,), (2,))
"""Dice for the third of three cards, then the second of the remaining two."""


def game_with(*acts: str) -> Game:
    """Return a game after ``acts`` in which first has the king and second the queen."""
    game = (
        Installed("kuhn", kuhn, "the package under test").prepare().new_game(LoadedDice(*KING_TO_FIRST_QUEEN_TO_SECOND))
    )
    game.start()
    for what in acts:
        (asked,) = game.waiting()
        game.submit(Act(what), asked.side)
    return game


@pytest.mark.rule("KU-1")
def test_each_player_sees_only_their_own_card() -> None:
    game = game_with()
    assert game.view("first") == {"card": "king", "bets": ""}
    assert game.view("second") == {"card": "queen", "bets": ""}


@pytest.mark.rule("KU-2", "KU-3", "KU-4")
@pytest.mark.parametrize(
    ("acts", "ending", "won"),
    [
        (("check", "check"), "showdown", 1),
        (("bet", "call"), "showdown", 2),
        (("bet", "fold"), "fold", 1),
        (("check", "bet", "call"), "showdown", 2),
        (("check", "bet", "fold"), "fold", -1),
    ],
)
def test_the_king_wins_the_pot_unless_it_folds(acts: tuple[str, ...], ending: str, won: int) -> None:
    game = game_with(*acts)
    events = [record.event for record in game.records if hasattr(record, "event")]
    (ended,) = [event for event in events if isinstance(event, st.GameEnded)]
    assert (ended.ending, ended.margin) == (ending, {"first": won, "second": -won})
