"""Games recorded into files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandtable.errors import LogExists, PlayError
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.reading import read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.record import Recorded, play_into_file, play_on
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared, Rulesets

NOTE = annex_line({"note": 1})


def test_facts_follow_the_header_and_records_are_limited(
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
            text = r"^more than 7 records without an end, in turn 1, phase play: .*--max-records"
            with pytest.raises(PlayError, match=text):
                play_on(prepared.new_game(dice), players, writer, most)
        assert read_log(tmp_path / f"{most}").records == 8


class _Again:
    """Submits recorded orders one after the other, for any seat."""

    def __init__(self, orders: list[OrderRecord[Any]]) -> None:
        self.orders = iter(orders)

    def choose(self, decision: Any, view: Any) -> Any:
        return next(self.orders).order
