"""Dice that are stored in a log."""

from collections.abc import Callable

import pytest
from msgspec import structs

from sandtable.errors import LogDamaged
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import Parent
from sandtable.journal.record import Recorded
from sandtable.journal.verification.stored import StoredDice, dice_of, shown_key
from sandtable.kernel.dice import SetDice, key_from_seed
from sandtable.kernel.records import RollRecord, SealRecord

Play = Callable[..., Recorded]


def test_stored_dice_that_do_not_fit_a_roll_are_ignored() -> None:
    records = [RollRecord(1, "a", 6, (1, 6)), SealRecord(2, "00")]
    dice = StoredDice(records)
    assert (dice.mode, dice.shown_key()) == ("stored", "")
    assert dice.roll("a", 2, 6) == (1, 6)
    assert [dice.roll("a", 1, 6), dice.roll("a", 3, 6), dice.roll("a", 2, 5), dice.roll("b", 2, 6)] == [None] * 4
    assert dice.roll("b", 0, 6) == ()
    assert StoredDice([RollRecord(1, "a", 6, (0, 1))]).roll("a", 2, 6) is None
    assert StoredDice(records, "manual").roll("a", 2, 6) is None


def test_label_rolled_again_with_other_dice_gives_the_first_of_the_same_faces() -> None:
    """After a ruling, a label may be rolled with more or fewer dice: an unfinished log with both is honest."""
    for lengths in ((2, 4), (4, 2)):
        dice = StoredDice([RollRecord(n, "a", 6, (1, 6, 3, 2)[:n]) for n in lengths])
        assert [dice.roll("a", count, 6) for count in (2, 3, 4)] == [(1, 6), None, (1, 6, 3, 2)]
    forged = StoredDice([RollRecord(1, "a", 6, (5, 5)), RollRecord(2, "a", 6, (1, 6, 3))])
    assert forged.roll("a", 2, 6) == (1, 6)  # not the stored ones: the rerun reports the first roll


def test_dice_of_a_log_follow_from_its_key_and_set_faces(record: Play, game: Recorded) -> None:
    log = parse_log(game.data, "log")
    log.header = structs.replace(log.header, dice_set={"a": (3,)})
    with pytest.raises(LogDamaged, match=r"^log: line 1: dice are set, but this is not a branch"):
        dice_of(log, [])
    log.header = structs.replace(log.header, parent=Parent("abc", 0))
    dice = dice_of(log, [])
    assert isinstance(dice, SetDice)
    assert dice.roll("a", 1, 6) == (3,)
    host = record(mode="host")
    log = parse_log(host.data, "log")
    key = key_from_seed("a")
    assert shown_key(log, host.game.records) == key
    assert shown_key(log, host.game.records[:-1]) is shown_key(log, []) is None
    with pytest.raises(LogDamaged, match=r"^log: the key does not match the commitment"):
        dice_of(log, [], bytes(32))
