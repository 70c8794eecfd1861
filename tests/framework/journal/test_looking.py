"""Diff, explain, and what one side may see."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.errors import LogDamaged, LogError, PlayError
from sandtable.journal.diff import diff_logs
from sandtable.journal.explain import explain
from sandtable.journal.file.log import Log, parse_log, read_log
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import check_slice, read_slice, seen_records, slice_log, sliced_for
from sandtable.kernel.dice import roll_dice
from sandtable.kernel.records import OrderRecord, RollRecord, SealRecord
from sandtable.plugin.manager import Prepared, Rulesets


def test_diff_names_the_first_record_its_fields_and_the_state(
    record: Callable[..., Recorded], rulesets: Rulesets
) -> None:
    one, other = record("a"), record("b")
    a, b = parse_log(one.data, "a"), parse_log(other.data, "b")
    found = diff_logs(a, b, rulesets)
    pairs = zip(one.game.records, other.game.records, strict=False)
    first = next(left.n for left, right in pairs if left != right)
    assert found.record == first
    assert [field.field for field in found.in_record] == ["order.cell"]
    assert "key" in {field.field for field in found.header}
    following = diff_logs(a, parse_log(one.data, "again"), rulesets)
    assert (following.record, following.header) == (None, ())


def test_diff_of_a_game_and_its_beginning(game: Recorded, rulesets: Rulesets) -> None:
    part = parse_log(b"".join(game.data.splitlines(keepends=True)[:8]), "part")
    found = diff_logs(parse_log(game.data, "whole"), part, rulesets)
    assert found.record == 8
    assert found.note == "part ends after record 7"


def test_explain_shows_order_procedure_and_rules(game: Recorded, rulesets: Rulesets) -> None:
    log = parse_log(game.data, "log")
    found = explain(log, 6, rulesets)
    assert found.what["event"]["type"] == "Marked"
    (order,) = found.decided
    assert order.record == 5
    assert order.asked == "mark a cell"
    assert order.rule == "T3-1"
    assert order.order not in order.others
    assert len(order.others) == 8 - (5 - 3) // 2
    assert [frame.procedure for frame in found.procedures] == ["play"]
    assert found.rules["T3-1"]
    with pytest.raises(LogError, match="has records 1 to"):
        explain(log, 1000, rulesets)


@pytest.mark.full
def test_every_record_of_the_toy_can_be_explained(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    recorded = record(ruleset="toy")
    log = parse_log(recorded.data, "log")
    for number in range(1, log.records + 1):
        found = explain(log, number, rulesets)
        for roll in found.rolls:
            key = bytes.fromhex(log.header.key)
            assert roll_dice(key, roll.label, len(roll.dice), roll.sides) == roll.dice
            assert roll.label in roll.command


@pytest.mark.full
def test_the_command_that_explain_prints_gives_the_die(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    log = parse_log(record(ruleset="toy").data, "log")
    rolls = [roll for n in range(1, log.records + 1) for roll in explain(log, n, rulesets).rolls]
    printed = subprocess.run(["sh", "-c", rolls[0].command], capture_output=True, text=True, check=True).stdout
    word = int(printed.split()[-1][:8], 16)
    assert word % rolls[0].sides + 1 == rolls[0].dice[0]


def test_a_slice_keeps_the_chain_and_no_secret(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    recorded = record(ruleset="toy")
    prepared = rulesets.load("toy").prepare()
    log = parse_log(recorded.data, "log")
    for side in prepared.ruleset.viewers:
        data = slice_log(log, prepared, side)
        assert check_slice(data, "slice") == log.records
        assert log.header.key.encode() not in data
        part = parse_log(data, "slice")
        assert part.lines == log.lines
        assert sliced_for(part) == side
        secret = [r for r in recorded.game.records if isinstance(r, OrderRecord) and r.secret and r.by != side]
        assert secret
        for each in secret:
            assert not [to for number, to in part.openings if number == each.n]
            assert b'"order":' not in log.lines[each.n]
        _, records = read_slice(part, rulesets)
        assert [r.n for r in records if not isinstance(r, SealRecord)] == [
            r.n for r in seen_records(recorded.game.records, prepared, side)
        ]


def test_a_slice_that_is_no_text_is_told_in_a_line(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    prepared = rulesets.load("toy").prepare()
    data = slice_log(parse_log(record(ruleset="toy").data, "log"), prepared, "north")
    spoiled = data.replace(b'"type":"FrontMoved"', b'"type":"Front\xffMoved"', 1)
    assert spoiled != data
    with pytest.raises(LogDamaged, match=r"slice: line [0-9]+: is no record of toy"):
        read_slice(parse_log(spoiled, "slice"), rulesets)


@pytest.mark.full
def test_a_flipped_byte_in_a_slice_is_noticed(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    prepared = rulesets.load("toy").prepare()
    data = slice_log(parse_log(record(ruleset="toy").data, "log"), prepared, prepared.ruleset.viewers[0])
    for place in range(0, len(data), 7):
        other = bytearray(data)
        other[place] ^= 1
        with pytest.raises(LogError):
            check_slice(bytes(other), "slice")


def test_there_is_no_slice_for_a_stranger(game: Recorded, prepared: Prepared) -> None:
    with pytest.raises(PlayError, match="no side 'z'"):
        slice_log(parse_log(game.data, "log"), prepared, "z")


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host"])
def test_another_language_reckons_the_same_dice(mode: str, record: Callable[..., Recorded], tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    recorded = record(ruleset="toy", mode=mode)
    rolls = sum(isinstance(r, RollRecord) for r in recorded.game.records)
    assert rolls
    path = tmp_path / "log.jsonl"
    path.write_bytes(recorded.data)
    script = Path(__file__).parents[2] / "replays" / "verify.js"
    told = subprocess.run([node, script, path], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout
    assert f"0 closed; dice: {rolls} of {rolls} rolls verified" in told.stdout
    first = next(r for r in recorded.game.records if isinstance(r, RollRecord))
    line = f'"label":"{first.label}","sides":{first.sides},"dice":[{first.dice[0]}'
    path.write_text(recorded.data.decode().replace(line, line[:-1] + str(first.dice[0] % first.sides + 1)))
    told = subprocess.run([node, script, path], capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert f"record {first.n}" in told.stdout


REPLAYS = Path(__file__).parents[3] / "replays"


def golden(name: str) -> Log:
    return read_log(REPLAYS / name)


def test_a_roll_is_traced_to_the_orders_that_sent_its_units() -> None:
    """The dice of an attack follow from the move that brought the units there, in an earlier phase."""
    found = explain(golden("desert_aa/draw-round_limit.jsonl"), 33, Rulesets())
    assert found.rule == "DAA-17.04"
    assert [each.record for each in found.decided] == [21, 23]
    assert found.decided[0].order["units"] == ["it-arm-1", "it-inf-3"]
    assert found.decided[0].more
    assert [roll.record for roll in found.rolls] == [33]


def test_of_a_plot_only_the_line_that_matters_is_told() -> None:
    found = explain(golden("kampfpanzer/british-reached-arras.jsonl"), 29, Rulesets())
    assert [each.by for each in found.decided] == ["germans", "british"]
    assert found.decided[0].order["plots"] == {"113": "N 3433/66"}
    assert all(set(each["plots"]) == {"113"} for each in found.decided[0].others)


def test_what_no_order_made_follows_from_the_sequence_of_play() -> None:
    found = explain(golden("desert_aa/draw-round_limit.jsonl"), 306, Rulesets())
    assert found.what["event"]["type"] == "PhaseEnded"
    assert found.decided == ()
    assert found.rolls == ()


def test_a_side_is_told_nothing_that_it_may_not_see() -> None:
    log = golden("desert_aa/draw-round_limit.jsonl")
    rulesets = Rulesets()
    assert explain(log, 4, rulesets, "axis").decided[0].by == "italy"
    with pytest.raises(LogError, match="record 4 is nothing that allies may see"):
        explain(log, 4, rulesets, "allies")
    other = explain(log, 33, rulesets, "allies").decided[0]
    assert other.by == "italy"
    assert other.others == ()
