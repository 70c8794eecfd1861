"""A log of the toy ruleset with separate salts."""

import pytest

from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, log_bytes
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import ScriptPlayer
from sandtable.plugin.manager import Prepared


@pytest.fixture
def salted(toy_game: Recorded, toy: Prepared) -> bytes:
    """Return a log of the toy ruleset with the key of the seed "a" and the salts 00 to 1f."""
    dice = make_dice("open", key_from_seed("a"), bytes(range(32)))
    orders = [each.order for each in toy_game.game.records if isinstance(each, OrderRecord)]
    game = toy.new_game(dice)
    game.play(dict.fromkeys(toy.ruleset.seats, ScriptPlayer(orders)))
    return log_bytes(make_header(toy, toy_game.header.players, dice), game)[0]
