"""Games at the ford, by hand, and their pages."""

from collections.abc import Callable

import pytest

from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_recorded
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Prepared
from sandtable.testing.toy import Commit, LayAmbush
from sandtable.viewer.page.document import page_of
from sandtable.viewer.page.page_data import GameData, tell

Play = Callable[..., bytes]


class ByHand:
    """Hides its ambush in a space, and commits a troop each turn."""

    def __init__(self, space: int) -> None:
        self.space = space

    def choose(self, decision: Decision, view: View) -> Order:
        return LayAmbush(self.space) if decision.prompt.startswith("hide") else Commit(1)


@pytest.fixture
def play(ford: Prepared) -> Play:
    """Return a function that plays a game and returns its log; ``north`` and ``south`` hide their ambushes there."""

    def playing(north: int = 1, south: int = 5, name: str = "hand", seed: str = "a") -> bytes:
        dice = make_dice("open", key_from_seed(seed))
        players = {"north": ByHand(north), "south": ByHand(south)}
        header = make_header(ford, dict.fromkeys(players, name), dice)
        game = play_recorded(ford, players, dice, header)
        return game.data

    return playing


@pytest.fixture
def told(ford: Prepared) -> Callable[..., GameData]:
    def telling(data: bytes, side: str = "", beside: GameData | None = None) -> GameData:
        return tell(parse_log(data, "the log"), ford, side, beside=beside)

    return telling


@pytest.fixture
def page(told: Callable[..., GameData]) -> Callable[..., str]:
    """Return a function that makes the page of a log."""

    def making(data: bytes, side: str = "") -> str:
        return page_of([told(data, side)]).decode()

    return making
