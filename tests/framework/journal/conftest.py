"""Games of tic-tac-toe and the toy ruleset, rulesets that read them, and a record of disk syncs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, play_recorded
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Prepared, Rulesets


class Sampler:
    """A player that orders at random."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, decision: Decision, view: View) -> Order:
        order: Order = decision.options.sample(self.stream)
        return order


@pytest.fixture
def rulesets(tmp_path: Path) -> Rulesets:
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "tictactoe.py").write_text("from sandtable.testing.tictactoe import *\n")
    (folder / "toy.py").write_text("from sandtable.testing.toy import *\n")
    return Rulesets(folder)


@pytest.fixture
def record(rulesets: Rulesets) -> Callable[..., Recorded]:
    def play(seed: str = "a", mode: str = "open", ruleset: str = "tictactoe") -> Recorded:
        prepared = rulesets.load(ruleset).prepare()
        dice = make_dice(mode, key_from_seed(seed))
        seats = list(prepared.ruleset.seats)
        players = {seat: Sampler(Stream.for_player(dice.key, seat)) for seat in seats}
        header = make_header(prepared, dict.fromkeys(seats, "random"), dice)
        return play_recorded(prepared, players, dice, header)

    return play


@pytest.fixture
def game(record: Callable[..., Recorded]) -> Recorded:
    return record()


@pytest.fixture
def toy_game(record: Callable[..., Recorded]) -> Recorded:
    return record(ruleset="toy")


@pytest.fixture
def prepared(rulesets: Rulesets) -> Prepared:
    return rulesets.load("tictactoe").prepare()


@pytest.fixture
def toy(rulesets: Rulesets) -> Prepared:
    return rulesets.load("toy").prepare()


@pytest.fixture
def log(game: Recorded) -> Log:
    return parse_log(game.data, "log")


@pytest.fixture
def toy_log(toy_game: Recorded) -> Log:
    return parse_log(toy_game.data, "log")
