"""Altered logs: each is detected, or has a different head, so that an anchor does not fit it."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from mutations import MUTATIONS, what_is_wrong
from named_cases import CASES, GOOD

from sandtable.errors import LogError, SandtableError
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verify import verify, verify_log
from sandtable.players.processes import protocol
from sandtable.plugin.manager import Prepared, Rulesets


@pytest.mark.full
def test_log_with_a_flipped_bit_is_never_verified(game: Recorded, prepared: Prepared) -> None:
    kinds: Counter[str] = Counter()
    for place in range(len(game.data)):
        for bit in (0, 5):
            data = bytearray(game.data)
            data[place] ^= 1 << bit
            try:
                found = verify(parse_log(bytes(data), "log"), prepared)
            except LogError as error:
                kinds[type(error).__name__] += 1
            else:
                kinds[found.verdict] += 1
    assert "verified" not in kinds
    assert kinds["false"] > len(game.data)


@pytest.mark.full
def test_log_cut_at_any_byte_is_verified_so_far(game: Recorded, prepared: Prepared) -> None:
    header = game.data.index(b"\n") + 1
    for end in range(header, len(game.data)):
        verdict = verify(parse_log(game.data[:end], "log"), prepared)
        assert verdict.verdict == "verified so far"
        is_whole = game.data[end - 1 : end] == b"\n" and b'"hash"' in game.data[:end].splitlines()[-1]
        assert len(verdict.pending) == (not is_whole)


HOSTILE = {
    "empty": b"",
    "one byte": b"{",
    "one line end": b"\n",
    "zeros": bytes(4096),
    "not json": b"hello\nworld\n",
    "another json": b'{"kind":"something"}\n',
    "an array": b"[1,2,3]\n",
    "byte order mark": b'\xef\xbb\xbf{"kind":"header"}\n',
    "utf-16": '{"kind":"header"}\n'.encode("utf-16"),
    "gzip": b"\x1f\x8b\x08\x00" + bytes(100),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_bytes_that_are_not_a_log_are_unreadable(name: str, tmp_path: Path, rulesets: Rulesets) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(HOSTILE[name])
    verdict = verify_log(path, rulesets)
    assert (verdict.verdict, verdict.exit_code) == ("unreadable", 3)
    assert verdict.first_difference is not None
    assert str(path) in verdict.first_difference.text
    assert path.read_bytes() == HOSTILE[name]


RECORDS = {
    "deep": b'{"kind":"order","n":3,"by":"x","order":' + b"[" * 5000 + b"]" * 5000,
    "deep as tables": b'{"kind":"order","n":3,"by":"x","order":' + b'{"a":' * 900 + b"1" + b"}" * 900,
    "huge number": b'{"kind":"order","n":3,"by":"x","order":{"type":"Mark","cell":' + b"9" * 4000 + b"}",
    "huge number in a list": b'{"kind":"roll","n":3,"label":"a","sides":6,"dice":[1,' + b"1" * 25 + b"]",
    "NaN": b'{"kind":"order","n":3,"by":"x","order":{"type":"Mark","cell":NaN}',
    "float": b'{"kind":"order","n":3,"by":"x","order":{"type":"Mark","cell":1.0}',
    "unknown kind": b'{"kind":"party","n":3',
    "unknown order": b'{"kind":"order","n":3,"by":"x","order":{"type":"Conquer"}',
    "unknown field": b'{"kind":"order","n":3,"by":"x","order":{"type":"Mark","cell":1},"import":"os"',
    "missing field": b'{"kind":"order","n":3,"by":"x"',
    "wrong number": b'{"kind":"order","n":44,"by":"x","order":{"type":"Mark","cell":1}',
    "lone surrogate": b'{"kind":"order","n":3,"by":"\\ud800","order":{"type":"Mark","cell":1}',
    "bad utf-8": b'{"kind":"order","n":3,"by":"\xff","order":{"type":"Mark","cell":1}',
}


@pytest.mark.parametrize("name", RECORDS)
def test_hostile_record_under_a_valid_hash_is_refused(
    name: str, game: Recorded, tmp_path: Path, rulesets: Rulesets
) -> None:
    bodies = [parted(line)[0] for line in game.data.splitlines()]
    path = tmp_path / "log.jsonl"
    path.write_bytes(chain([*bodies[:3], RECORDS[name]], START)[0])
    verdict = verify_log(path, rulesets)
    assert (verdict.verdict, verdict.exit_code) == ("unreadable", 3)
    assert verdict.first_difference is not None
    assert ": line 4: " in verdict.first_difference.text
    assert len(verdict.first_difference.text) < 400


TRIES = 10


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host"])
@pytest.mark.parametrize("name", MUTATIONS)
def test_mutated_log_is_detected_or_does_not_fit_the_anchor(
    name: str, mode: str, record: Callable[..., Recorded], toy: Prepared
) -> None:
    true, other = record("a", mode, "toy").data, record("b", mode, "toy").data
    part = slice_log(parse_log(true, "log"), toy, "north")
    for number in range(TRIES):
        for base in (true, part):
            data = MUTATIONS[name](Random(f"{name}/{mode}/{number}"), base, other)  # noqa: S311 - a test repeats itself
            assert what_is_wrong(data, true, toy) == "", number


def test_altered_line_of_a_slice_is_detected(record: Callable[..., Recorded], toy: Prepared) -> None:
    """Every line of a slice is chained or committed to."""
    part = slice_log(parse_log(record(ruleset="toy").data, "log"), toy, "north")
    for line in part.splitlines():
        if line.startswith((b'{"kind":"roll"', b'{"kind":"close"', b'{"kind":"opening"')):
            for old, new in (
                (b'"dice":[', b'"dice":[6,'),
                (b'"outcome":"', b'"outcome":"x'),
                (b'"space":', b'"space":1'),
            ):
                if old in line:
                    forged = part.replace(line, line.replace(old, new))
                    log = parse_log(forged, "forged")
                    assert log.broken is not None or log.misfit is not None
                    assert verify(log, toy).exit_code in {1, 3}


@pytest.mark.parametrize("mode", ["host", "manual"])
def test_hidden_dice_without_a_commitment_are_refused(
    mode: str, record: Callable[..., Recorded], rulesets: Rulesets
) -> None:
    data = record("a", mode, "tictactoe").data
    assert b'"commitment":"' in data
    bare = MUTATIONS["uncommitted"](Random(1), data, data)  # noqa: S311 - a test repeats itself
    with pytest.raises(SandtableError, match="without a commitment"):
        parse_log(bare, "log")


MAX_LETTERS = 400
KINDS = [pytest.param(kind, marks=pytest.mark.slow) if kind == "lengths" else kind for kind in CASES]
"""The cases with a megabyte of text are slow."""


def test_there_are_207_hostile_lines() -> None:
    assert sum(map(len, CASES.values())) == 207
    assert GOOD not in [line for cases in CASES.values() for line in cases.values()]


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_log_with_a_hostile_line_under_a_valid_hash_is_not_verified(
    kind: str, game: Recorded, tmp_path: Path, rulesets: Rulesets
) -> None:
    bodies = [parted(line)[0] for line in game.data.splitlines()]
    assert bodies[3] == GOOD
    path = tmp_path / "log.jsonl"
    for name, line in CASES[kind].items():
        path.write_bytes(chain([*bodies[:3], line, *bodies[4:]], START)[0])
        verdict = verify_log(path, rulesets)
        assert verdict.verdict in {"unreadable", "false"}, name
        assert verdict.first_difference is not None, name
        text = verdict.first_difference.text
        assert "\n" not in text, name
        assert len(text) < MAX_LETTERS, name


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_hostile_answer_of_a_bot_raises_only_value_error(kind: str) -> None:
    for name, line in CASES[kind].items():
        text = ""
        try:
            protocol.decode(line.replace(b'"kind":"order"', b'"type":"answer"').replace(b'"n":3', b'"id":3'))
        except ValueError as error:
            text = str(error)
        assert len(text) < MAX_LETTERS, name
