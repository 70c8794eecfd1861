"""Headers, game ids, keys and dice modes (section 2)."""

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from sandtable.errors import LogDamaged, LogError, LogTooNew
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.header import game_id, key_bytes, make_dice, person_plays
from sandtable.journal.record import Recorded
from sandtable.kernel.dice import commitment, key_from_seed
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, scratch_rules


def test_key_is_64_hex_digits_of_either_case() -> None:
    assert key_bytes("0aF" + "0" * 61, "x") == bytes.fromhex("0af" + "0" * 61)
    for text in ("0" * 63, "0" * 65, "g" + "0" * 63, "0" * 64 + "\n", ""):
        with pytest.raises(LogDamaged, match=r"^here '.*' is not 64 hex digits: it was altered$"):
            key_bytes(text, "here")
    with pytest.raises(LogDamaged, match=r"0…\ \(90 characters\)"):
        key_bytes("0" * 90, "here")


def test_dice_have_three_modes() -> None:
    for mode in ("open", "host", "manual"):
        dice = make_dice(mode, bytes(32), b"s" * 32)
        assert (dice.mode, dice.salts) == (mode, b"s" * 32)
        assert (dice.roll("1/a/b/1", 1, 6) is None) == (mode == "manual")
    with pytest.raises(LogError, match=r"'loaded'.*open, host, manual"):
        make_dice("loaded", bytes(32))


def refusal_of(data: bytes) -> LogError:
    with pytest.raises(LogError) as caught:
        parse_log(data, "log")
    return caught.value


def test_line_that_is_not_a_header_of_this_format_is_refused(game: Recorded) -> None:
    first, rest = game.data.split(b"\n", 1)
    assert "line 1: this is not a Sandtable log" in str(refusal_of(b'{"kind":"header","format":"another"}\n' + rest))
    assert "holds no finished line" in str(refusal_of(first))
    for version, kind, reason in (
        (0, LogError, "format version 0 does not exist"),
        (2, LogError, "written by a pre-release of Sandtable; this version reads format 3"),
        (4, LogTooNew, "format 4 is newer than 3: update sandtable to read it"),
        (-1, LogError, "format version -1 does not exist"),
    ):
        error = refusal_of(first.replace(b'"format_version":3', b'"format_version":%d' % version) + b"\n" + rest)
        assert type(error) is kind
        assert str(error) == f"log: line 1: {reason}"
    newer = first.replace(b'"format_version":3', b'"format_version":12').replace(b'"dice":', b'"bones":')
    assert type(refusal_of(newer + b"\n" + rest)) is LogTooNew
    pre_release = first.replace(b'"format_version":3', b'"format_version":1').replace(b'"dice":', b'"bones":')
    assert "written by a pre-release" in str(refusal_of(pre_release + b"\n" + rest))
    older = first.replace(b'"dice":', b'"bones":')
    assert str(refusal_of(older + b"\n" + rest)).startswith("log: line 1: the header cannot be read: ")


def test_header_with_a_duplicate_field_is_refused(game: Recorded) -> None:
    body = game.data.partition(b',"hash":"')[0]
    twice = body.replace(b'"dice":"open"', b'"dice":"open","dice":"open"')
    with pytest.raises(LogDamaged, match=r"log: line 1: the header is not in canonical form"):
        parse_log(chain([twice], START)[0], "log")


def test_game_id_is_16_digits_of_the_hash_of_its_header(game: Recorded) -> None:
    body = game.data.partition(b',"hash":"')[0]
    bare = body.replace(b'"game":"%b"' % game.header.game.encode(), b'"game":""')
    assert game_id(game.header) == hashlib.sha256(bare).hexdigest()[:16] == game.header.game


def test_header_shows_the_key_or_commits_to_it(record: Callable[..., Recorded]) -> None:
    """Section 2: open dice without hidden information show the key; other headers show commitments."""
    key = key_from_seed("a")
    for ruleset, hidden in (("tictactoe", False), ("toy", True)):
        for mode in ("open", "host", "manual"):
            data = record("a", mode, ruleset).data
            line, header = msgspec.json.decode(data.partition(b"\n")[0]), parse_log(data, "log").header
            shown = mode == "open" and not hidden
            assert line.get("key") == (key.hex() if shown else None)
            assert line.get("commitment") == (None if shown else commitment(key))
            assert ("root" in line) == (mode == "open" and hidden)
            assert header.key == (key.hex() if mode == "open" else "")


def nothing(_: Any) -> Procedure:
    """Ask no question."""
    yield Said("loud")


RULES = scratch_rules(nothing, powers={"red cavalry": "red"})


def test_person_plays_only_in_the_seat_of_a_side() -> None:
    for players, plays in (
        ({"red": "human"}, True),
        ({"red cavalry": "human", "blue": "random"}, True),
        ({"umpire": "human", "red": "random"}, False),
        ({"red": "random", "blue": "humane"}, False),
        ({}, False),
    ):
        assert person_plays(RULES, players) is plays
