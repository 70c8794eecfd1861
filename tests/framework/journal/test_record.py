"""Games recorded into files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandtable.errors import LogExists, PlayError
from sandtable.journal.file.log import annex_line, read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.record import Recorded, play_into_file, play_on
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared, Rulesets

NOTE = annex_line({"note": 1})


def test_facts_go_behind_the_header_and_a_game_has_a_length(
    record: Callable[..., Recorded], prepared: Prepared, rulesets: Rulesets, tmp_path: Path
) -> None:
    whole = record()
    players = {seat: _Again([each for each in whole.game.records if isinstance(each, OrderRecord)]) for seat in "xo"}
    shared = next(iter(players.values()))
    dice = whole.game.dice
    assert isinstance(dice, KeyedDice)
    play_into_file(prepared, dict.fromkeys("xo", shared), dice, whole.header, tmp_path / "a", facts={"note": 1})
    header, *rest = whole.data.splitlines(keepends=True)
    assert (tmp_path / "a").read_bytes() == b"".join([header, NOTE, *rest])
    with pytest.raises(LogExists):
        play_into_file(prepared, dict.fromkeys("xo", shared), dice, whole.header, tmp_path / "a")
    for most, fits in ((len(whole.game.records), True), (7, False)):
        players = dict.fromkeys("xo", _Again([each for each in whole.game.records if isinstance(each, OrderRecord)]))
        with LogWriter.create(tmp_path / f"{most}", whole.header, whole.form) as writer:
            if fits:
                play_on(prepared.new_game(dice), players, writer, most)
                continue
            told = r"^more than 7 records, and no end, in turn 1, phase play: the log stays; --max-records lets it"
            with pytest.raises(PlayError, match=told):
                play_on(prepared.new_game(dice), players, writer, most)
        assert read_log(tmp_path / f"{most}").records == 8


class _Again:
    """Gives recorded orders, one after the other, for whoever is asked."""

    def __init__(self, orders: list[OrderRecord[Any]]) -> None:
        self.orders = iter(orders)

    def choose(self, decision: Any, view: Any) -> Any:
        return next(self.orders).order
