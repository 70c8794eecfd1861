"""Hostile bytes: each is refused with one line that says where and what, and nothing is raised that is not ours."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import LogError, SandtableError
from sandtable.journal.file.log import annex_line, parse_log, read_log
from sandtable.journal.fold import read_records
from sandtable.journal.format.chain import START, chain
from sandtable.journal.record import Recorded
from sandtable.journal.verification.verify import verify_log
from sandtable.plugin.manager import Prepared, Rulesets

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
def test_what_is_no_log_is_unreadable(name: str, tmp_path: Path, rulesets: Rulesets) -> None:
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
def test_a_hostile_record_under_a_good_hash_is_refused(
    name: str, game: Recorded, tmp_path: Path, rulesets: Rulesets
) -> None:
    bodies = [line.partition(b',"hash":"')[0] for line in game.data.splitlines()]
    path = tmp_path / "log.jsonl"
    path.write_bytes(chain([*bodies[:3], RECORDS[name]], START)[0])
    verdict = verify_log(path, rulesets)
    assert (verdict.verdict, verdict.exit_code) == ("unreadable", 3)
    assert verdict.first_difference is not None
    assert ": line 4: " in verdict.first_difference.text
    assert len(verdict.first_difference.text) < 400


def test_crlf_names_the_line(game: Recorded) -> None:
    with pytest.raises(LogError, match=r"log: line 1: line ends were changed to CRLF"):
        parse_log(game.data.replace(b"\n", b"\r\n"), "log")


@pytest.mark.full
def test_a_line_of_a_megabyte_and_a_file_of_a_hundred(game: Recorded, tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"line \d+: is longer than 1024 KiB"):
        parse_log(game.data + b"x" * (1 << 20) + b"x\n", "log")
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(LogError, match="larger than 64 MiB"):
        read_log(path)


@pytest.mark.full
@given(st.binary(max_size=300))
def test_random_bytes_raise_nothing_but_our_errors(data: bytes) -> None:
    with pytest.raises(LogError):
        parse_log(data, "log")


def test_random_damage_raises_nothing_but_our_errors(game: Recorded, prepared: Prepared) -> None:
    dice = random.Random(7)  # noqa: S311 - damage, not secrets
    for _ in range(300):
        data = bytearray(game.data)
        for _ in range(dice.randrange(1, 4)):
            place = dice.randrange(len(data))
            kind = dice.randrange(3)
            if kind == 0:
                data[place] = dice.randrange(256)
            elif kind == 1:
                del data[place : place + dice.randrange(1, 200)]
            else:
                data[place:place] = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 20)))
        refusal = ""
        try:
            read_records(parse_log(bytes(data), "log"), prepared.ruleset)
        except SandtableError as error:
            refusal = str(error)
        assert "\n" not in refusal


def test_an_annex_is_outside_the_chain_but_not_outside_sight(record: Callable[..., Recorded]) -> None:
    lines = record().data.splitlines(keepends=True)
    annex = annex_line({"started": "2026-01-01T00:00:00Z"})
    assert parse_log(b"".join([lines[0], annex, *lines[1:]]), "log").broken is None
    with pytest.raises(LogError, match="line 2: the annex was altered"):
        parse_log(b"".join([lines[0], annex.replace(b"2026", b"2027"), *lines[1:]]), "log")
