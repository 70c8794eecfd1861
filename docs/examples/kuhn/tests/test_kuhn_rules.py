"""Rules by example: loaded dice, orders, and what comes of them."""

import kuhn
import pytest
from kuhn import Act

import sandtable as st
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Installed
from sandtable.testing import LoadedDice

KING_TO_FIRST_QUEEN_TO_SECOND = ((3,), (2,))
"""The third of three cards; of the two that are left, the second."""


def game_with(*acts: str) -> Game:
    """Return a game in which first has the king, second the queen, after these acts."""
    game = (
        Installed("kuhn", kuhn, "the package under test").prepare().new_game(LoadedDice(*KING_TO_FIRST_QUEEN_TO_SECOND))
    )
    game.start()
    for what in acts:
        (asked,) = game.waiting()
        game.submit(Act(what), asked.side)
    return game


@pytest.mark.rule("KU-1")
def test_each_sees_his_own_card_alone() -> None:
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
def test_what_the_king_wins(acts: tuple[str, ...], ending: str, won: int) -> None:
    game = game_with(*acts)
    events = [record.event for record in game.records if hasattr(record, "event")]
    (ended,) = [event for event in events if isinstance(event, st.GameEnded)]
    assert (ended.ending, ended.margin) == (ending, {"first": won, "second": -won})
