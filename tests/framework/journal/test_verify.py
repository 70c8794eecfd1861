"""The log verifies, and every kind of difference is told from the others."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.anchors.anchors import seal_of
from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.format.chain import START, chain_opened
from sandtable.journal.format.header import game_id
from sandtable.journal.format.openings import OPENING
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.edits import is_firm
from sandtable.journal.verification.rerun import Difference, differences
from sandtable.journal.verification.verify import is_same, verify, verify_log
from sandtable.kernel.options import OneOf, Refusal
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.tictactoe import Mark


def rebuilt(data: bytes, change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    """Return the log after ``change`` of its bodies, chained anew: what a forger with time would hand in."""
    openings: dict[int, list[bytes]] = {}
    bodies: list[bytes] = []
    for line in data.splitlines():
        if line.startswith(OPENING):
            openings.setdefault(len(bodies), []).append(line)
        else:
            bodies.append(line.partition(b',"hash":"')[0])
    kept = {place: {str(line): line for line in lines} for place, lines in openings.items()}
    return chain_opened(change(bodies), kept, START)[0]


def replaced(old: bytes, new: bytes) -> Callable[[list[bytes]], list[bytes]]:
    """Return a change that replaces ``old`` by ``new`` in the last body that has it."""

    def change(bodies: list[bytes]) -> list[bytes]:
        place = max(place for place, body in enumerate(bodies) if old in body)
        return [*bodies[:place], bodies[place].replace(old, new), *bodies[place + 1 :]]

    return change


def test_an_order_that_the_rules_cannot_judge_is_told(
    game: Recorded, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    def why_not(space: OneOf, order: Mark) -> Refusal | None:
        return dict.fromkeys(range(9))[order.cell]

    monkeypatch.setattr(OneOf, "why_not", why_not)
    log = parse_log(rebuilt(game.data, replaced(b'"type":"Mark","cell":', b'"type":"Mark","cell":9')), "log")
    verdict = verify(log, prepared)
    assert verdict.verdict == "illegal order"
    assert verdict.first_difference is not None
    assert "the order: the rules cannot judge it: KeyError: 9" in verdict.first_difference.text


def test_a_game_verifies_deep_and_quick(game: Recorded, prepared: Prepared) -> None:
    log = parse_log(game.data, "log")
    assert is_same(log, prepared)
    verdict = verify(log, prepared, deep=True)
    assert (verdict.verdict, verdict.first_difference, verdict.exit_code) == ("verified", None, 0)
    assert verdict.records == len(game.game.records)


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_every_dice_mode_verifies(mode: str, record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    recorded = record(mode=mode, ruleset="toy")
    verdict = verify(parse_log(recorded.data, "log"), rulesets.load("toy").prepare(), deep=True)
    assert verdict.verdict == "verified", verdict.first_difference


@pytest.mark.full
def test_no_flipped_bit_ever_verifies(game: Recorded, prepared: Prepared) -> None:
    kinds: Counter[str] = Counter()
    for place in range(len(game.data)):
        for bit in (0, 5):
            data = bytearray(game.data)
            data[place] ^= 1 << bit
            try:
                verdict = verify(parse_log(bytes(data), "log"), prepared).verdict
            except LogError as error:
                verdict = type(error).__name__
            kinds[verdict] += 1
    assert "verified" not in kinds
    assert kinds["altered record"] > len(game.data)


@pytest.mark.full
def test_every_cut_is_a_torn_tail_or_an_early_end(game: Recorded, prepared: Prepared) -> None:
    header = game.data.index(b"\n") + 1
    for end in range(header, len(game.data)):
        verdict = verify(parse_log(game.data[:end], "log"), prepared).verdict
        assert verdict == ("file ends early" if game.data[end - 1 : end] == b"\n" else "damaged tail")


def test_lines_swapped_doubled_or_dropped_are_altered(game: Recorded, prepared: Prepared) -> None:
    lines = game.data.splitlines(keepends=True)
    for other in (
        [*lines[:4], lines[5], lines[4], *lines[6:]],
        [*lines[:5], lines[4], *lines[5:]],
        [*lines[:5], *lines[6:]],
    ):
        verdict = verify(parse_log(b"".join(other), "log"), prepared)
        assert verdict.verdict == "altered record"
        assert verdict.first_difference is not None
        assert 4 <= verdict.first_difference.record <= 5


def test_a_rebuilt_log_with_an_illegal_order_names_rule_and_reason(game: Recorded, prepared: Prepared) -> None:
    first = next(record for record in game.game.records if hasattr(record, "order")).order.cell
    last = b'"type":"Mark","cell":%d' % [r for r in game.game.records if hasattr(r, "order")][-1].order.cell
    data = rebuilt(game.data, replaced(last, b'"type":"Mark","cell":%d' % first))
    found = verify(parse_log(data, "log"), prepared).first_difference
    assert found is not None
    assert (found.kind, found.rule) == ("illegal order", "T3-1")


def test_a_rebuilt_log_with_another_event_names_record_field_and_both_values(
    game: Recorded, prepared: Prepared
) -> None:
    data = rebuilt(game.data, replaced(b'"type":"Marked","side":"x"', b'"type":"Marked","side":"o"'))
    found = verify(parse_log(data, "log"), prepared).first_difference
    assert found is not None
    assert (found.kind, found.field, found.stored, found.expected) == ("rules diverge", "event.side", '"o"', '"x"')
    assert found.rule == "T3-1"


def test_an_altered_die_names_the_die(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    recorded = record(ruleset="toy")
    roll = next(r for r in recorded.game.records if type(r).__name__ == "RollRecord")
    told = msgspec.json.encode(roll.dice)
    other = msgspec.json.encode([roll.dice[0] % roll.sides + 1, *roll.dice[1:]])
    label = b'"label":"%b"' % roll.label.encode()

    def change(bodies: list[bytes]) -> list[bytes]:
        return [body.replace(b'"dice":' + told, b'"dice":' + other) if label in body else body for body in bodies]

    found = verify(parse_log(rebuilt(recorded.data, change), "log"), rulesets.load("toy").prepare()).first_difference
    assert found is not None
    assert (found.kind, found.record, found.field) == ("altered dice", roll.n, "dice[0]")
    assert roll.label in found.text


def test_what_stands_behind_a_hash_is_compared_too() -> None:
    one, other = {"hash": "a", "by": "x", "dice": [1, 2]}, {"hash": "b", "by": "x", "dice": [1, 3]}
    assert list(differences(one, other)) == [("dice[1]", "2", "3")]


@pytest.mark.parametrize(
    ("kind", "field", "firm"),
    [
        ("altered dice", "dice[0]", True),
        ("altered dice", "", False),
        ("rules diverge", "dice[0]", False),
        ("rules diverge", "event.side", False),
        ("altered record", "hash", True),
        ("seal", "", True),
    ],
)
def test_rules_have_a_part_in_all_but_what_is_firm(kind: str, field: str, firm: bool) -> None:
    assert is_firm(Difference(kind, 1, "", field)) is firm


def test_a_game_may_be_sealed_before_its_first_record_and_not_before_that(game: Recorded) -> None:
    log = parse_log(game.data, "log")
    assert seal_of(log, 0).head == parse_log(game.data, "again").lines[0].rpartition(b'"hash":"')[2][:-2].decode()
    for number in (-1, log.records + 1):
        with pytest.raises(LogError, match=f"has records 1 to {log.records}, no {number}"):
            seal_of(log, number)


def test_another_key_than_the_committed_one_is_noticed(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    recorded = record(mode="host")
    key = recorded.game.records[-1].key
    data = rebuilt(recorded.data, replaced(key.encode(), b"00" * 32))
    found = verify(parse_log(data, "log"), rulesets.load("tictactoe").prepare()).first_difference
    assert found is not None
    assert "committed" in found.text


def test_a_key_twice_in_a_rebuilt_record_is_noticed(game: Recorded, prepared: Prepared) -> None:
    data = rebuilt(game.data, replaced(b'"cell":', b'"cell":9,"cell":'))
    assert verify(parse_log(data, "log"), prepared).verdict == "altered record"


def test_a_header_with_another_option_has_another_game_id(game: Recorded, prepared: Prepared) -> None:
    data = rebuilt(game.data, replaced(b'"players":{"o":"random"', b'"players":{"o":"nobody"'))
    verdict = verify(parse_log(data, "log"), prepared)
    assert verdict.first_difference is not None
    assert (verdict.verdict, verdict.first_difference.field) == ("altered record", "game")
    assert game_id(game.header) == game.header.game


def test_a_header_that_was_altered_is_told_with_its_line(game: Recorded, prepared: Prepared) -> None:
    data = game.data.replace(b'"o":"random"', b'"o":"nobody"', 1)
    found = verify(parse_log(data, "log"), prepared).first_difference
    assert found == Difference(
        "altered record", 0, "log: line 1: the header was altered: its hash does not fit its text", "hash"
    )


@pytest.mark.parametrize("bad", ["north", "south"])
def test_a_deep_look_slices_the_log_for_each_side(
    bad: str, toy_game: Recorded, rulesets: Rulesets, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoiled(log: Log, prepared: Prepared, side: str) -> bytes:
        whole = slice_log(log, prepared, side)
        return whole.replace(b'"troops":', b'"troops":1', 1) if side == bad else whole

    monkeypatch.setattr("sandtable.journal.verification.verify.slice_log", spoiled)
    prepared = rulesets.load("toy").prepare()
    log = parse_log(toy_game.data, "log")
    assert verify(log, prepared).verdict == "verified"
    with pytest.raises(LogDamaged, match=rf"^log \(as {bad} saw it\): .* was altered"):
        verify(log, prepared, deep=True)


def test_a_close_cut_off_at_the_line_ends_early(game: Recorded, prepared: Prepared) -> None:
    data = b"".join(game.data.splitlines(keepends=True)[:-1])
    verdict = verify(parse_log(data, "log"), prepared)
    assert (verdict.verdict, verdict.exit_code) == ("file ends early", 1)


def test_other_version_missing_ruleset_and_no_file(game: Recorded, rulesets: Rulesets, tmp_path: Path) -> None:
    cases = {
        b'"ruleset_version":"1"': (b'"ruleset_version":"2"', 4),
        b'"ruleset":"tictactoe"': (b'"ruleset":"nowhere"', 4),
        b'"format_version":2': (b'"format_version":3', 3),
        b'"format":"sandtable-log"': (b'"format":"somethingelse"', 3),
    }
    for old, (new, code) in cases.items():
        path = tmp_path / "log.jsonl"
        path.write_bytes(rebuilt(game.data, replaced(old, new)))
        verdict = verify_log(path, rulesets)
        assert verdict.exit_code == code, verdict
        assert verdict.first_difference is not None
        assert "\n" not in verdict.first_difference.text
    assert verify_log(tmp_path / "none.jsonl", rulesets).exit_code == 3
    assert verify_log(tmp_path, rulesets).exit_code == 3
