"""The fault that verify reports if there are several, and faults that fit the chain."""

from collections.abc import Callable
from typing import Any

import pytest
from cutting import cut_after
from rechained import changed, fault_in

from sandtable.errors import PlayError, RulesetMissing
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.record import Recorded
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.journal.verification.verify import verify
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared
from sandtable.testing.toy import AmbushLaid


def test_altered_line_is_reported_with_its_fault_after_earlier_faults(game: Recorded, prepared: Prepared) -> None:
    taken = game.game.records[4].order.cell
    lines = game.data.splitlines(keepends=True)
    number = next(each.n for each in game.game.records[5:] if isinstance(each, OrderRecord))
    cell = b'"cell":%d' % game.game.records[number - 1].order.cell
    lines[number] = lines[number].replace(cell, b'"cell":%d' % taken)
    found = fault_in(parse_log(b"".join(lines), "log"), prepared)
    assert (found.kind, found.record, found.field) == ("altered record", number, "hash")
    assert found.text.startswith(f"log: line {number + 1}: record {number} was altered: ")
    assert f"; record {number}: the order of " in found.text

    def spoil(line: dict[str, Any]) -> None:
        line["order" if "order" in line else "event"]["cell"] = 9

    for first, kind in ((5, "illegal order"), (6, "altered record")):
        log = changed(game.data, first, spoil)
        assert fault_in(log, prepared).record == first
        rows = log.data.splitlines(keepends=True)
        later = next(place for place in range(number + 2, len(rows)) if b'"hash"' in rows[place])
        rows[later] = rows[later].replace(b'"hash":"', b'"hash":"0')[:-4] + b'"}\n'
        log = parse_log(b"".join(rows), "log")
        assert log.broken is not None
        assert number < log.broken <= later
        found = fault_in(log, prepared)  # diverging rules may have been edited, which cannot break a hash
        assert (found.kind, found.record) == (kind, first if kind == "illegal order" else log.broken)
        assert ";" not in found.text or kind == "illegal order"


def test_opening_without_its_commitment_is_reported_with_its_record(toy_game: Recorded, toy: Prepared) -> None:
    number, to = next(key for key in parse_log(toy_game.data, "log").openings if key[0])
    old = parse_log(toy_game.data, "log").openings[number, to]
    forged = parse_log(toy_game.data.replace(old, old.replace(b'"space":', b'"space":1')), "log")
    assert forged.misfit == (number, to)
    found = fault_in(forged, toy)
    assert (found.kind, found.record, found.field) == ("altered record", number, f"opening for {to}")
    assert found.text.startswith(f"record {number}: the opening of record {number} for {to} was altered: ")


def test_forged_opening_with_a_new_commitment_is_found(toy_game: Recorded, toy: Prepared) -> None:
    """A forger can rebuild opening, commitment and chain, but the rules still make a different event."""
    number = next(each.n for each in toy_game.game.records if isinstance(getattr(each, "event", None), AmbushLaid))
    event = toy_game.game.records[number - 1].event

    def other_space(line: dict[str, Any]) -> None:
        line["opened"]["umpire"]["event"]["space"] = event.space % 5 + 1

    found = fault_in(changed(toy_game.data, number, other_space), toy)
    assert (found.kind, found.record, found.field, found.rule) == ("rules diverge", number, "event.space", "TOY-1")
    assert (found.stored, found.expected) == (str(event.space % 5 + 1), str(event.space))

    def other_salt(line: dict[str, Any]) -> None:
        line["opened"]["umpire"]["salt"] = "0" * 32

    found = fault_in(changed(toy_game.data, number, other_salt), toy)
    assert (found.kind, found.record, found.field) == ("rules diverge", number, "root")


def test_forged_question_is_found_without_a_key(
    record: Callable[..., Recorded], prepared: Prepared, toy: Prepared
) -> None:
    """Without secrets the digest of a question is not blinded; with secrets the label must be right."""
    for ruleset, rules, old, new in (("tictactoe", prepared, "#", "#0"), ("toy", toy, "/1#", "/2#")):
        recorded = record("a", "host", ruleset)
        number = next(each.n for each in recorded.game.records[4:] if isinstance(each, OrderRecord))
        part = cut_after(recorded.data, number + 3)
        assert verify(parse_log(part, "log"), rules).verdict == "verified so far"

        def other(line: dict[str, Any], old: str = old, new: str = new) -> None:
            for fields in (line, *line.get("opened", {}).values()):
                if "asked" in fields:
                    fields["asked"] = fields["asked"].replace(old, new)

        found = fault_in(changed(part, number, other), rules)
        assert (found.kind, found.record, found.field) == ("other question", number, "asked")


def test_rules_that_refuse_to_start_differ_in_the_first_record(
    game: Recorded, log: Log, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(error: Exception, _: Game) -> None:
        raise error

    monkeypatch.setattr(Game, "start", lambda game: refuse(PlayError("no map"), game))
    found = fault_in(log, prepared)
    assert (found.kind, found.record, found.text) == ("rules diverge", 1, "record 1: no map")
    monkeypatch.setattr(Game, "start", lambda game: refuse(RulesetMissing("no module"), game))
    assert verify(log, prepared).verdict == "ruleset missing"
    records = read_records(log, prepared.ruleset)
    with pytest.raises(RulesetMissing):
        Rerun(prepared, log, records, dice_of(log, records)).run()
