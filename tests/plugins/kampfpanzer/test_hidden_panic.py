"""Panic rolls that are hidden from the enemy: in the view, in the events, in the log cut down for a side."""

import pytest

import kampfpanzer
from kampfpanzer.model.events import PanicRolled
from sandtable.journal.file.log import parse_log
from sandtable.journal.format.header import make_header
from sandtable.journal.record import log_bytes
from sandtable.journal.sides.slices import check_slice, read_slice, slice_log
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Installed, Rulesets

pytestmark = pytest.mark.full

KEY = key_from_seed("hidden panic")


def recorded(choice: str) -> tuple[Installed, bytes]:
    installed = Installed("kampfpanzer", kampfpanzer, "here")
    prepared = installed.prepare("poland", {"panic_roll_secret": choice})
    dice = KeyedDice(KEY, "host")
    names = name_seats(prepared, {})
    header = make_header(prepared, names, dice)
    game = prepared.new_game(dice)
    game.play(seat_players(prepared, names, KEY))
    return installed, log_bytes(header, game)[0]


@pytest.mark.rule("R-KP-71")
@pytest.mark.parametrize(("choice", "sides_seen"), [("open", {"germans", "poles"}), ("hidden", {"poles"})])
def test_a_hidden_panic_roll_is_in_no_slice_of_the_enemy(choice: str, sides_seen: set[str]) -> None:
    installed, data = recorded(choice)
    log = parse_log(data, "log")
    prepared = installed.prepare("poland", {"panic_roll_secret": choice})
    assert verify(log, prepared).verdict == "verified"
    cut = slice_log(log, prepared, "poles")
    assert check_slice(cut, "slice") == len(log.lines) - 1
    _, records = read_slice(parse_log(cut, "slice"), Rulesets())
    dice = {record.label.split("/")[2] for record in records if isinstance(record, RollRecord)}
    told = {
        record.event.side
        for record in records
        if isinstance(record, EventRecord) and isinstance(record.event, PanicRolled)
    }
    assert {label for label in dice if label.startswith("panic:")} == {f"panic:{side}" for side in sides_seen}
    assert told == sides_seen
    assert (b"panic:germans" in cut) == (choice == "open")
