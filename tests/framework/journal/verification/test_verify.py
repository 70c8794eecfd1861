"""Verdicts of verify, their exit codes, and the differences that it reports."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from cutting import chain_in, cut_after, openings_in, writes_in
from msgspec import structs
from rechained import changed, fault_in, rechained, tables_of

from sandtable.errors import LogDamaged
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.header import Parent
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification import verify as verification
from sandtable.journal.verification.proofs import branch_note
from sandtable.journal.verification.verdicts import Difference, Verdict
from sandtable.journal.verification.verify import is_same, verify, verify_log
from sandtable.kernel.options import OneOf, Refusal
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.tictactoe import Mark

Play = Callable[..., Recorded]


@pytest.mark.parametrize(
    ("code", "verdicts"),
    [
        (0, ("verified", "verified so far")),
        (1, ("false",)),
        (3, ("unreadable",)),
        (4, ("ruleset missing", "ruleset broken", "signatures not checked", "other ruleset files")),
        (5, ("not proven",)),
    ],
)
def test_verdict_has_its_exit_code(code: int, verdicts: tuple[str, ...]) -> None:
    assert {Verdict("log", verdict, 1).exit_code for verdict in verdicts} == {code}


def test_openings_and_annexes_may_follow_the_header_anywhere(record: Play, toy: Prepared) -> None:
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
    verdict = verify(torn, toy)
    assert (verdict.verdict, verdict.exit_code, verdict.missing) == ("verified so far", 0, ())
    (item,) = verdict.pending
    assert "cut off after 6 bytes" in item
    assert "sandtable log repair" in item


@pytest.mark.parametrize(
    ("mode", "pending"),
    [
        ("open", ()),
        ("host", ("the dice key, which the close will show",)),
        ("manual", ("the key of the salts, which the close will show",)),
    ],
)
def test_unfinished_log_lists_pending_proofs(mode: str, pending: tuple[str, ...], record: Play, toy: Prepared) -> None:
    data = record("a", mode, "toy").data
    verdict = verify(parse_log(cut_after(data, 9), "log"), toy, deep=True)
    assert (verdict.verdict, verdict.exit_code, verdict.records) == ("verified so far", 0, 9)
    assert (verdict.missing, verdict.pending, verdict.first_difference) == ((), pending, None)
    assert "the game is not finished: it ends after record 9" in verdict.note
    whole = verify(parse_log(data, "log"), toy, deep=True)
    assert (whole.verdict, whole.missing, whole.pending) == ("verified", (), ())
    assert ("umpire typed" in whole.note) == ("umpire typed" in verdict.note) == (mode == "manual")


def test_branch_is_described_in_the_note(log: Log) -> None:
    assert branch_note(log) == ""
    for faces, dice in (({}, ""), ({"a": (1,)}, ", with 1 roll set"), ({"a": (1,), "b": (2,)}, ", with 2 rolls set")):
        log.header = structs.replace(log.header, parent=Parent("abc", 7), dice_set=faces)
        assert branch_note(log) == (f"a branch of the game abc from record 7{dice}: not a game that was played")


def test_deep_check_reports_a_digest_the_events_do_not_give(game: Recorded, prepared: Prepared) -> None:
    lines = tables_of(game.data)
    lines[-1]["digest"] = "0" * 64
    log = parse_log(rechained(lines), "log")
    found = verification._deep(log, prepared)
    assert found is not None
    due = msgspec.json.decode(game.data.splitlines()[-1])["digest"]
    assert (found.kind, found.record, found.field) == ("rules diverge", log.records, "digest")
    assert (found.stored, found.expected) == ("0" * 64, due)
    assert found.text == f"record {log.records}: the events fold to {due}; the seal has {'0' * 64}"


def test_battle_with_an_incomplete_log_is_not_proven(record: Play, toy: Prepared) -> None:
    part = parse_log(slice_log(parse_log(record(ruleset="toy").data, "log"), toy, "north"), "its log")
    found = verification._battle_difference(part, toy)
    assert found is not None
    assert verify(part, toy).verdict == "not proven"
    assert (found.kind, found.field) == ("battle differs", "battle")
    assert "missing: the dice key" in found.text


def forged(data: bytes, old: bytes, new: bytes) -> bytes:
    """Return a log without openings with the last ``old`` replaced and the hashes recomputed."""
    bodies = [parted(line)[0] for line in data.splitlines()]
    place = max(place for place, body in enumerate(bodies) if old in body)
    bodies[place] = bodies[place].replace(old, new)
    return chain(bodies, START)[0]


def test_order_that_the_rules_cannot_judge_is_reported(
    game: Recorded, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    def why_not(space: OneOf, order: Mark) -> Refusal | None:
        return dict.fromkeys(range(9))[order.cell]

    monkeypatch.setattr(OneOf, "why_not", why_not)
    data = forged(game.data, b'"type":"Mark","cell":', b'"type":"Mark","cell":9')
    found = fault_in(parse_log(data, "log"), prepared)
    assert found.kind == "illegal order"
    assert "the order: the rules cannot judge it: KeyError: 9" in found.text


def test_fast_check_and_deep_check_verify_a_game(game: Recorded, log: Log, prepared: Prepared) -> None:
    assert is_same(log, prepared)
    verdict = verify(log, prepared, deep=True)
    assert (verdict.verdict, verdict.first_difference, verdict.exit_code) == ("verified", None, 0)
    assert verdict.records == len(game.game.records)


def test_lines_swapped_doubled_or_dropped_are_altered(game: Recorded, prepared: Prepared) -> None:
    lines = game.data.splitlines(keepends=True)
    for other in (
        [*lines[:4], lines[5], lines[4], *lines[6:]],
        [*lines[:5], lines[4], *lines[5:]],
        [*lines[:5], *lines[6:]],
    ):
        found = fault_in(parse_log(b"".join(other), "log"), prepared)
        assert found.kind == "altered record"
        assert 2 <= found.record <= 5


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (b'"type":"Marked","side":"x"', b'"type":"Marked","side":"o"', ("rules diverge", "event.side", '"o"', '"x"')),
        (b'"cell":', b'"cell":9,"cell":', ("altered record",)),
        (b'"players":{"o":"random"', b'"players":{"o":"nobody"', ("altered record", "game")),
    ],
    ids=["event", "key twice", "header"],
)
def test_forged_line_is_named_by_field_and_values(
    old: bytes, new: bytes, found: tuple[str, ...], game: Recorded, prepared: Prepared
) -> None:
    fault = fault_in(parse_log(forged(game.data, old, new), "log"), prepared)
    assert (fault.kind, fault.field, fault.stored, fault.expected)[: len(found)] == found
    assert (fault.rule == "T3-1") == (fault.kind == "rules diverge")


def test_forged_order_die_and_key_are_named(
    game: Recorded, toy_game: Recorded, record: Play, prepared: Prepared, toy: Prepared
) -> None:
    orders = [each for each in game.game.records if isinstance(each, OrderRecord)]
    log = changed(game.data, orders[-1].n, lambda line: line["order"].update(cell=orders[0].order.cell))
    found = fault_in(log, prepared)
    assert (found.kind, found.record, found.rule) == ("illegal order", orders[-1].n, "T3-1")
    roll = next(each for each in toy_game.game.records if isinstance(each, RollRecord))
    faces = [roll.dice[0] % roll.sides + 1, *roll.dice[1:]]
    found = fault_in(changed(toy_game.data, roll.n, lambda line: line.update(dice=faces)), toy)
    assert (found.kind, found.record, found.field) == ("altered dice", roll.n, "dice[0]")
    assert roll.label in found.text
    host = record(mode="host")
    last = host.game.records[-1].n
    assert "commitment" in fault_in(changed(host.data, last, lambda line: line.update(key="00" * 32)), prepared).text


def test_altered_header_is_reported_with_its_line(game: Recorded, prepared: Prepared) -> None:
    data = game.data.replace(b'"o":"random"', b'"o":"nobody"', 1)
    assert fault_in(parse_log(data, "log"), prepared) == Difference(
        "altered record", 0, "log: line 1: the header was altered: its hash does not match its text", "hash"
    )


@pytest.mark.parametrize("bad", ["north", "south"])
def test_deep_check_slices_the_log_for_each_side(
    bad: str, toy_log: Log, toy: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoiled(toy_log: Log, toy: Prepared, side: str) -> bytes:
        whole = slice_log(toy_log, toy, side)
        return whole.replace(b'"at":', b'"at":1', 1) if side == bad else whole

    monkeypatch.setattr("sandtable.journal.verification.verify.slice_log", spoiled)
    assert verify(toy_log, toy).verdict == "verified"
    with pytest.raises(LogDamaged, match=rf"^log \(as {bad} saw it\): .* was altered"):
        verify(toy_log, toy, deep=True)


def test_unusable_logs_have_their_exit_codes(game: Recorded, rulesets: Rulesets, tmp_path: Path) -> None:
    cases = {
        b'"ruleset_version":"1"': (b'"ruleset_version":"2"', 4),
        b'"ruleset":"tictactoe"': (b'"ruleset":"nowhere"', 4),
        b'"format_version":3': (b'"format_version":4', 3),
        b'"format":"sandtable-log"': (b'"format":"somethingelse"', 3),
    }
    for old, (new, code) in cases.items():
        path = tmp_path / "log.jsonl"
        path.write_bytes(forged(game.data, old, new))
        verdict = verify_log(path, rulesets)
        assert verdict.exit_code == code, verdict
        assert verdict.first_difference is not None
        assert "\n" not in verdict.first_difference.text
    assert verify_log(tmp_path / "none.jsonl", rulesets).exit_code == 3
    assert verify_log(tmp_path, rulesets).exit_code == 3


@pytest.mark.parametrize("torn", [0, 20, -2])
def test_log_cut_in_any_write_is_verified_so_far(game: Recorded, prepared: Prepared, torn: int) -> None:
    writes = writes_in(game.data)
    for whole in range(1, len(writes)):
        kept = b"".join(writes[:whole])
        verdict = verify(parse_log(kept + writes[whole][:torn], "log"), prepared)
        records = len(chain_in(kept)) - 1
        assert (verdict.verdict, verdict.exit_code, verdict.records) == ("verified so far", 0, records)
        assert len(verdict.pending) == bool(torn)
