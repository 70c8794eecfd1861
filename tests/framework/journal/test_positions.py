"""Games at any record of their log."""

import pytest
from rechained import changed

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.file.log import Log
from sandtable.journal.positions import game_at, of_log
from sandtable.journal.record import Recorded
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Rulesets


def test_game_at_gives_the_game_after_any_record(game: Recorded, log: Log, rulesets: Rulesets) -> None:
    orders = [each.n for each in game.game.records if isinstance(each, OrderRecord)]
    for number in (0, 1, orders[1], log.records):
        assert len(game_at(log, number, rulesets).records) == number
    assert len(game_at(log, orders[1], rulesets, goes_on=True).records) == orders[2] - 1
    for number in (-1, log.records + 1):
        with pytest.raises(LogError, match=rf"^log: has records 1 to {log.records}, not {number}$"):
            game_at(log, number, rulesets)
    assert [of_log(log, number, rulesets).later for number in (0, orders[0] - 1, orders[0], orders[-1])] == [
        orders[0] - 1,
        orders[0] - 1,
        orders[1] - 1,
        0,
    ]
    spoiled = changed(game.data, 6, lambda line: line["event"].update(cell=8 - line["event"]["cell"] or 7))
    with pytest.raises(LogDamaged, match=r"^log: record 7 cannot be reached: record 6: the event Marked: event\.cell"):
        game_at(spoiled, 7, rulesets)
    assert len(game_at(spoiled, 5, rulesets).records) == 5
