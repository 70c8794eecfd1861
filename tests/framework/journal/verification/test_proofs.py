"""Proofs that a file lacks, judged as the keeper's file and as the slice of a side."""

from collections.abc import Callable

import pytest
from rechained import rechained, tables_of

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.matching import known_records
from sandtable.journal.verification.proofs import Proofs, proofs_of
from sandtable.journal.verification.stored import shown_key
from sandtable.plugin.manager import Prepared

Play = Callable[..., Recorded]


def lacking(log: Log, toy: Prepared, side: str = "") -> Proofs:
    records = known_records(log, toy.ruleset)
    return proofs_of(log, toy.ruleset, records, has_key=shown_key(log, records) is not None, side=side)


def without(data: bytes, number: int, to: str) -> Log:
    lines = tables_of(data)
    del lines[number]["opened"][to]
    return parse_log(rechained(lines), "log")


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_complete_log_lacks_no_proof(mode: str, record: Play, toy: Prepared) -> None:
    assert lacking(parse_log(record("a", mode, "toy").data, "log"), toy) == Proofs()


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_key_is_pending_in_a_slice_only_if_the_chain_commits_to_it(mode: str, record: Play, toy: Prepared) -> None:
    data = record("a", mode, "toy").data
    number = 0 if mode == "open" else len(tables_of(data)) - 1
    closed = without(data, number, "umpire")
    own = parse_log(slice_log(parse_log(data, "log"), toy, "north"), "slice")
    whole, part = lacking(closed, toy), lacking(own, toy, "north")
    assert (len(whole.missing), whole.pending) == (1, ())
    assert "key" in whole.missing[0]
    assert any("key" in item for item in part.pending)
    assert not part.missing
    lines = tables_of(own.data)
    del lines[number]["root"], lines[number]["opened"]
    assert any("key" in item for item in lacking(parse_log(rechained(lines), "log"), toy, "north").missing)


def test_slice_may_lack_openings_of_others_but_not_its_own(toy_game: Recorded, toy: Prepared) -> None:
    data = slice_log(parse_log(toy_game.data, "log"), toy, "north")
    part = parse_log(data, "log")
    assert lacking(part, toy, "north").missing == ()
    assert any(item.startswith("openings for umpire of ") for item in lacking(part, toy, "north").pending)
    number, to = next(key for key in part.openings if key[1] == "north")
    assert lacking(without(data, number, to), toy, "north").missing == (f"openings for north of record {number}",)


def test_opened_order_of_the_other_side_must_be_in_a_slice(toy_game: Recorded, toy: Prepared) -> None:
    data = slice_log(parse_log(toy_game.data, "log"), toy, "north")
    opened = [key for key in parse_log(data, "log").openings if key[1] == "umpire"]
    assert opened
    number, to = opened[0]
    assert lacking(without(data, number, to), toy, "north").missing == (f"openings for umpire of record {number}",)
