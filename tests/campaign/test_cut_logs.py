"""A log whose key is not shown yet, cut off at any record: every command comes to an end with it, and tells the same.

Such a log is run again with the dice that stand in it. What is counted is the records that are made: no more than are
stored, but for ``resume``, which goes on to the next question.
"""

from pathlib import Path
from typing import Any

import pytest
from cutting import cut_after
from figures_of_campaigns import Share

from sandtable.journal.explain import explain
from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.luck.logs import read_ledger
from sandtable.journal.record import log_bytes
from sandtable.journal.resume import resume
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.players.players import name_seats, seat_players
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
    """A whole game, in a log of its own, and the games that were made of parts of it."""

    def __init__(self, ruleset: str, mode: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.prepared = RULESETS.load(ruleset).prepare(GAMES[ruleset])
        names = name_seats(self.prepared, {})
        dice = make_dice(mode, KEY)
        game = self.prepared.new_game(dice)
        game.play(seat_players(self.prepared, names, KEY))
        self.records = list(game.records)
        self.data = log_bytes(make_header(self.prepared, names, dice), game)[0]
        self.path = folder / "cut.jsonl"
        self.made: list[Game] = []
        original = Prepared.new_game

        def noted(prepared: Prepared, dice: Any) -> Game:
            self.made.append(original(prepared, dice))
            return self.made[-1]

        monkeypatch.setattr(Prepared, "new_game", noted)

    def cut(self, records: int) -> Log:
        """Return the log of the first ``records``, which is also written to the file."""
        data = cut_after(self.data, records)
        self.path.write_bytes(data)
        return parse_log(data, str(self.path))

    def came_to(self, records: int) -> bool:
        """Tell whether every game that was made came to the first ``records``, and no further."""
        games, self.made[:] = list(self.made), []
        return bool(games) and all(list(game.records) == self.records[:records] for game in games)

    def try_all(self, records: int) -> None:
        """Look at the log of the first ``records`` with all that runs the rules again, and go on with it."""
        log = self.cut(records)
        verdict = verify(log, self.prepared)
        assert verdict.verdict == "verified so far", verdict.first_difference
        assert self.came_to(records)
        rolls = sum(isinstance(record, RollRecord) and record.dice != () for record in self.records[:records])
        assert len(read_ledger(self.path, RULESETS).entries) == rolls
        assert self.came_to(records)
        assert explain(log, records, RULESETS).record == records
        assert self.came_to(records)
        resume(self.path, RULESETS, key=KEY, durable=False).writer.close()
        rest = range(records, len(self.records))
        asked = (place for place in rest if isinstance(self.records[place], OrderRecord))
        assert self.came_to(next(asked, len(self.records)))


@pytest.mark.full
@every_game
def test_cut_off_before_a_roll_and_here_and_there(
    ruleset: str, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Trial(ruleset, mode, tmp_path, monkeypatch)
    rolls = [place for place, record in enumerate(trial.records) if isinstance(record, RollRecord) and place]
    whole = len(trial.records)
    for records in sorted({*rolls[:2], whole // 3, whole - 1}):
        trial.try_all(records)


@pytest.mark.slow
@every_game
def test_cut_off_at_every_record(
    ruleset: str, mode: str, campaign: Share, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Trial(ruleset, mode, tmp_path, monkeypatch)
    places = range(1, len(trial.records))
    chosen = campaign.rng("cuts", ruleset, mode).sample(places, campaign.of(len(places)))
    for records in chosen:
        trial.try_all(records)
    campaign.tried("nothing acknowledged is lost", "logs cut off at a record, and gone on with", len(chosen))
