"""Differences between a log and what the rules make of it: which is told, of which record, and what that means."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cutting import chain_in, cut_after, openings_in
from msgspec import structs
from rechained import changed, fault_in, rechained, tables_of

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.file.log import annex_line, parse_log
from sandtable.journal.format.header import Parent
from sandtable.journal.positions import game_at, next_question
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification import verify as verification
from sandtable.journal.verification.one_game import same_games
from sandtable.journal.verification.rerun import MOST_SHOWN, Difference, differences, named
from sandtable.journal.verification.stored import StoredDice, dice_of, shown_key
from sandtable.journal.verification.verify import Verdict, is_same, verify
from sandtable.kernel.dice import SetDice, key_from_seed
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord, UndoRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.tictactoe import Marked

Play = Callable[..., Recorded]


@pytest.fixture
def toy(rulesets: Rulesets) -> Prepared:
    return rulesets.load("toy").prepare()


# --- what verify says ---

CODES = {
    "verified": 0,
    "proven in part": 0,
    "unreadable": 3,
    "ruleset missing": 4,
    "other ruleset files": 4,
    "altered record": 1,
    "file ends early": 1,
    "seal": 1,
}


@pytest.mark.parametrize("verdict", CODES)
def test_each_verdict_has_its_exit_code(verdict: str) -> None:
    assert Verdict("log", verdict, 1).exit_code == CODES[verdict]


def test_values_in_a_difference_are_not_endless() -> None:
    long = "x" * 5000
    found = Difference("rules diverge", 1, long, long, long, long, long)
    for value in (found.field, found.stored, found.expected, found.rule):
        assert value == "x" * 2000 + "… (5,000 letters)"
    assert MOST_SHOWN == 2000
    assert len(found.text) < 2100
    assert str(Difference("seal", 1, "it differs", edited="edited")) == "edited: it differs"
    assert str(Difference("seal", 1, "it differs")) == "it differs"


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ({"x": 1}, {"x": 1}, []),
        ({"x": 1}, {"x": True}, [("x", "1", "true")]),
        ({"x": {"y": [1, 2]}}, {"x": {"y": [1, 3]}}, [("x.y[1]", "2", "3")]),
        ({"x": [1]}, {"x": [1, 2]}, [("x", "[1]", "[1,2]")]),
        ({"x": 1}, {"y": None}, [("x", "1", "nothing"), ("y", "nothing", "null")]),
        ([(1, "a")], [[1, "b"]], [("[0][1]", '"a"', '"b"')]),
        ("a", "b", [("", '"a"', '"b"')]),
    ],
)
def test_where_two_values_differ_is_told_by_path(a: Any, b: Any, found: list[Any]) -> None:
    assert list(differences(a, b)) == found
    assert list(differences(a, b, "at")) == [
        (f"at{'' if not path or path[0] == '[' else '.'}{path}", one, other) for path, one, other in found
    ]


def test_records_are_named_by_what_they_are() -> None:
    assert named(EventRecord(1, Marked("x", 1))) == "the event Marked"
    assert named(RollRecord(1, "1/a/b/1", 6, (1,))) == "the roll 1/a/b/1"
    assert named(SealRecord(1, "00")) == "the seal"
    assert named(UndoRecord(1, "x", 1)) == "the undo"


def test_openings_and_annexes_may_stand_anywhere_behind_the_header(record: Play, toy: Prepared) -> None:
    data = record(ruleset="toy").data
    head, *rest = chain_in(data)
    note = annex_line({"note": 1})
    for other in (
        [head, *openings_in(data), *rest],
        [head, *rest[:5], note, *openings_in(data), *rest[5:]],
        [*data.splitlines(keepends=True)[:-1], note, data.splitlines(keepends=True)[-1], note],
    ):
        log = parse_log(b"".join(other), "log")
        assert is_same(log, toy)
        assert verify(log, toy, deep=True).verdict == "verified"
    torn = parse_log(data + b'{"kind', "log")
    assert not is_same(torn, toy)
    found = fault_in(torn, toy)
    assert (found.kind, found.record) == ("damaged tail", torn.records + 1)
    assert found.text == "log: the last line was cut off after 6 bytes: `sandtable log repair` repairs the file"


def test_what_is_not_proven_of_the_dice_is_noted(record: Play, toy: Prepared) -> None:
    notes = {
        "open": "",
        "host": "dice not yet proven: they are taken as they stand until the key is shown at the close",
        "manual": "the dice are what the umpire typed: no key proves them",
    }
    for mode, note in notes.items():
        data = record("a", mode, "toy").data
        assert verify(parse_log(cut_after(data, 9), "log"), toy).note == note
        assert verify(parse_log(data, "log"), toy).note == ""
    head, first = chain_in(record("a", "open", "toy").data)[:2]
    assert verify(parse_log(head + first, "log"), toy).note == (
        "dice not proven: the key is not open in this file, they are taken as they stand"
    )


def test_of_a_branch_it_is_said_what_it_is(game: Recorded) -> None:
    log = parse_log(game.data, "log")
    assert verification._branch_note(log) == ""
    for faces, told in (({}, ""), ({"a": (1,)}, ", with 1 roll set"), ({"a": (1,), "b": (2,)}, ", with 2 rolls set")):
        log.header = structs.replace(log.header, parent=Parent("abc", 7), dice_set=faces)
        assert verification._branch_note(log) == (
            f"a branch of the game abc from record 7 on{told}: no game that was played"
        )


def test_deep_a_digest_that_the_events_do_not_lead_to_is_told(game: Recorded, prepared: Prepared) -> None:
    lines = tables_of(game.data)
    lines[-1]["digest"] = "0" * 64
    log = parse_log(rechained(lines), "log")
    found = verification._deep(log, prepared)
    assert found is not None
    due = msgspec.json.decode(game.data.splitlines()[-1])["digest"]
    assert (found.kind, found.record, found.field) == ("rules diverge", log.records, "digest")
    assert (found.stored, found.expected) == ("0" * 64, due)
    assert found.text == f"record {log.records}: the events fold to {due}; the seal says {'0' * 64}"


def test_a_battle_whose_log_is_not_whole_is_no_proof(record: Play, toy: Prepared) -> None:
    part = parse_log(slice_log(parse_log(record(ruleset="toy").data, "log"), toy, "north"), "its log")
    found = verification._battle_difference(part, toy)
    assert found is not None
    closed = verify(part, toy).closed
    assert (found.kind, found.text) == (
        "battle differs",
        f"{closed} of its records are closed: the whole log is wanted",
    )


# --- dice as they stand ---


def test_stored_dice_fit_or_are_none() -> None:
    records = [RollRecord(1, "a", 6, (1, 6)), SealRecord(2, "00")]
    dice = StoredDice(records)
    assert (dice.mode, dice.shown_key()) == ("stored", "")
    assert dice.roll("a", 2, 6) == (1, 6)
    assert [dice.roll("a", 1, 6), dice.roll("a", 3, 6), dice.roll("a", 2, 5), dice.roll("b", 2, 6)] == [None] * 4
    assert dice.roll("b", 0, 6) == ()
    assert StoredDice([RollRecord(1, "a", 6, (0, 1))]).roll("a", 2, 6) is None
    assert StoredDice(records, "manual").roll("a", 2, 6) is None


def test_the_dice_of_a_log_are_those_of_its_key_and_those_that_were_set(record: Play, game: Recorded) -> None:
    log = parse_log(game.data, "log")
    log.header = structs.replace(log.header, dice_set={"a": (3,)})
    with pytest.raises(LogDamaged, match=r"^log: line 1: dice are set, and it is no branch of another game$"):
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
    with pytest.raises(LogDamaged, match=r"^log: the key is not the one that the header is committed to$"):
        dice_of(log, [], bytes(32))


# --- beside ---


def test_two_logs_of_one_game_are_told_of(game: Recorded, record: Play, tmp_path: Path, prepared: Prepared) -> None:
    lines = game.data.splitlines(keepends=True)
    files = {
        "whole": game.data,
        "again": game.data,
        "part": b"".join(lines[:5]),
        "other": record("b").data,
        "way": changed(game.data, 5, lambda line: line.update(by="z")).data,
        "none": b"",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)

    def told(*names: str) -> list[str]:
        paths = [str(tmp_path / name) for name in names]
        verdicts = [Verdict(path, "verified", 1, game="" if "none" in path else "g") for path in paths]
        verdicts = [structs.replace(each, game="h") if each.log.endswith("other") else each for each in verdicts]
        return [each.replace(f"{tmp_path}/", "") for each in same_games(paths, verdicts)]

    assert told("whole", "other", "none", "none") == []
    assert told("whole", "again") == ["whole and again: the same game twice"]
    for pair in (("whole", "part"), ("part", "whole")):
        assert told(*pair) == ["part: the beginning of whole, up to record 4"]
    (parted,) = told("whole", "way")
    assert parted.startswith("whole and way: the same game up to record 4: one of them was played on from a copy; ")
    (tmp_path / "part").unlink()
    assert told("part", "whole", "again") == ["whole and again: the same game twice"]


def test_a_game_stands_after_any_of_its_records(game: Recorded, rulesets: Rulesets) -> None:
    log = parse_log(game.data, "log")
    orders = [each.n for each in game.game.records if isinstance(each, OrderRecord)]
    for number in (0, 1, orders[1], log.records):
        assert len(game_at(log, number, rulesets).records) == number
    assert len(game_at(log, orders[1], rulesets, goes_on=True).records) == orders[2] - 1
    for number in (-1, log.records + 1):
        with pytest.raises(LogError, match=rf"^log: has records 1 to {log.records}, no {number}$"):
            game_at(log, number, rulesets)
    assert [next_question(log, number, rulesets) for number in (0, orders[0] - 1, orders[0], orders[-1])] == [
        orders[0] - 1,
        orders[0] - 1,
        orders[1] - 1,
        0,
    ]
    spoiled = changed(game.data, 6, lambda line: line["event"].update(cell=8 - line["event"]["cell"] or 7))
    with pytest.raises(LogDamaged, match=r"^log: record 7 cannot be reached: record 6: the event Marked: event\.cell"):
        game_at(spoiled, 7, rulesets)
    assert len(game_at(spoiled, 5, rulesets).records) == 5
