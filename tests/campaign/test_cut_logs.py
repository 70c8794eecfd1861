"""A log whose key is not published yet, cut off after any line: every command finishes with it, and they agree.

Such a log is replayed with its stored dice. The test counts the records that are made: not more than are stored, except
for ``resume``, which runs to the next question, and refuses a log that does not end at one.
"""

import contextlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from campaign_figures import Share
from cutting import chain_in, cut_after
from recording import recorded

from sandtable.errors import LogDamaged
from sandtable.journal.explain import explain
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.luck.logs import read_ledger
from sandtable.journal.resume import resume
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.plugin.manager import Prepared, Rulesets

GAMES = {
    "axis_attack": "armoured_clash",
    "damos": "smolensk",
    "desert_aa": "frontier",
    "kampfpanzer": "spain",
    "khamsin": "teaching",
}
KEY = key_from_seed("cut")
RULESETS = Rulesets()

every_game = pytest.mark.parametrize(
    ("ruleset", "mode"), [(name, mode) for name in GAMES for mode in ("host", "manual")]
)


class Trial:
    """A complete game in its own log, and the games that were made from parts of it."""

    def __init__(self, ruleset: str, mode: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.prepared = RULESETS.load(ruleset).prepare(GAMES[ruleset])
        played = recorded(self.prepared, KEY, mode)
        self.records = list(played.game.records)
        self.data = played.data
        lines = [msgspec.json.decode(line) for line in chain_in(self.data)]
        self.ends = [line.get("last", line["n"]) for line in lines[1:]]
        self.path = folder / "cut.jsonl"
        self.made: list[Game] = []
        original = Prepared.new_game

        def recorded_game(prepared: Prepared, dice: Any) -> Game:
            self.made.append(original(prepared, dice))
            return self.made[-1]

        monkeypatch.setattr(Prepared, "new_game", recorded_game)

    def cut(self, records: int) -> Log:
        """Return the log of the first ``records`` records, which is also written to the file."""
        data = cut_after(self.data, records)
        self.path.write_bytes(data)
        return parse_log(data, str(self.path))

    def reached(self, records: int) -> bool:
        """Return whether every new game consists of exactly the first ``records`` records."""
        games, self.made[:] = list(self.made), []
        return bool(games) and all(list(game.records) == self.records[:records] for game in games)

    def try_all(self, records: int) -> None:
        """Run every function that replays rules on the log of the first ``records`` records, and then resume it.

        A closed step is not cut: if it holds the last record, all of it is there.
        """
        records = next(end for end in self.ends if end >= records)
        log = self.cut(records)
        verdict = verify(log, self.prepared)
        assert verdict.verdict == "verified so far", verdict.first_difference
        assert self.reached(records)
        rolls = sum(isinstance(record, RollRecord) and record.dice != () for record in self.records[:records])
        assert len(read_ledger(self.path, RULESETS).entries) == rolls
        assert self.reached(records)
        assert explain(log, records, RULESETS).record == records
        assert self.reached(records)
        rest = range(records, len(self.records))
        orders = (index for index in rest if isinstance(self.records[index], OrderRecord))
        asked = next(orders, len(self.records))
        with contextlib.nullcontext() if records == asked else pytest.raises(LogDamaged, match="in the middle"):
            resume(self.path, RULESETS, key=KEY, durable=False).writer.close()
        assert self.reached(asked)


@pytest.mark.full
@every_game
def test_logs_cut_at_rolls_and_some_records_are_read(
    ruleset: str, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Trial(ruleset, mode, tmp_path, monkeypatch)
    rolls = [index for index, record in enumerate(trial.records) if isinstance(record, RollRecord) and index]
    total = len(trial.records)
    for records in sorted({*rolls[:2], total // 3, total - 1}):
        trial.try_all(records)


@pytest.mark.slow
@every_game
def test_logs_cut_at_every_record_are_read(
    ruleset: str, mode: str, campaign: Share, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Trial(ruleset, mode, tmp_path, monkeypatch)
    places = range(1, len(trial.records))
    chosen = campaign.rng("cuts", ruleset, mode).sample(places, campaign.of(len(places)))
    for records in chosen:
        trial.try_all(records)
    campaign.tried("nothing acknowledged is lost", "logs cut off at a record, and gone on with", len(chosen))
