"""Limits of the log format at their very edge: what just passes, and what is refused, with its line (section 7)."""

import hashlib
import hmac
import os
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from sandtable.errors import LogDamaged, LogError, LogTooNew
from sandtable.journal.file.log import parse_log, read_log, readable
from sandtable.journal.format import limits
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.header import game_id, key_bytes, make_dice
from sandtable.journal.format.limits import check_file, check_line, check_lines, check_shape, check_size
from sandtable.journal.format.openings import holder_of_whole, key_of, opening_line, salt_of
from sandtable.journal.format.salts import KeyedSalts, StoredSalts
from sandtable.journal.record import Recorded
from sandtable.kernel.dice import commitment, key_from_seed

MIB = 1_048_576


def test_a_file_has_64_mib_and_a_million_lines_at_most() -> None:
    check_size(bytes(64 * MIB), "f")
    with pytest.raises(LogError, match=r"^f: the file is larger than 64 MiB: no log is$"):
        check_size(bytes(64 * MIB + 1), "f")
    check_size(b"\n" * 1_000_000, "f")
    with pytest.raises(LogError, match=r"^f: the file has more than 1,000,000 lines: no log has$"):
        check_size(b"\n" * 1_000_001, "f")


def test_a_file_on_the_disk_is_measured_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(64 * MIB)
        with readable(path):
            pass
        file.truncate(64 * MIB + 1)
    with pytest.raises(LogError, match=r"huge: the file is larger than 64 MiB: no log is"), readable(path):
        pass


def test_a_line_has_a_mebibyte_at_most() -> None:
    for check in (check_line, check_shape):
        check(b"x" * MIB, 1, "f")
        with pytest.raises(LogError, match=r"^f: line 3: is longer than 1024 KiB: no line of a log is$"):
            check(b"x" * (MIB + 1), 3, "f")
    check_lines(b"\n" + b"x" * MIB + b"\n", "f")
    with pytest.raises(LogError, match=r"^f: line 2: is longer than 1024 KiB"):
        check_lines(b"\n" + b"x" * (MIB + 1) + b"\n", "f")


@pytest.mark.parametrize(("opens", "shuts"), [(b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]")])
def test_a_line_is_32_deep_at_most_and_what_is_shut_again_does_not_count(opens: bytes, shuts: bytes) -> None:
    times = 32 // (opens.count(b"[") + opens.count(b"{"))
    deepest = opens * times + b"1" + shuts * times
    for line in (deepest, (opens + shuts) * 40):
        check_shape(line, 1, "f")
    with pytest.raises(LogError, match=r"^f: line 7: is nested more than 32 deep: no line of a log is$"):
        check_shape(b"[" + deepest + b"]", 7, "f")
    in_text = b'["' + opens.replace(b'"', b'\\"') * 50 + b'"]'
    check_shape(in_text, 1, "f")
    check_lines(b"[]\n" + deepest + b"\n" + in_text, "f")
    with pytest.raises(LogError, match=r"^f: line 2: is nested"):
        check_lines(b"\n[" + deepest + b"]\n", "f")


@pytest.mark.parametrize("before", [b'{"a":', b"[", b"[1,", b"[-"])
def test_a_number_has_19_digits_at_most(before: bytes) -> None:
    check_line(before + b"1" * 19, 1, "f")
    for digits in (20, 21, 300):
        with pytest.raises(LogError, match=r"^f: line 5: holds a number of more than 19 digits: no line of a log does"):
            check_line(before + b"1" * digits, 5, "f")
    text = b'{"a":"' + before.replace(b'"', b'\\"') + b"1" * 20 + b'"}'
    check_line(text, 1, "f")
    check_lines(text + b"\n" + before + b"1" * 19, "f")
    for number in (1, 2, 4):
        with pytest.raises(LogError, match=rf"^f: line {number}: holds a number"):
            check_lines(b"\n" * (number - 1) + before + b"1" * 20 + b"\n\n", "f")


def test_of_many_faults_in_a_file_the_first_line_is_named() -> None:
    faults = {"longer": b"x" * (MIB + 1), "nested": b"[" * 33, "digits": b"[" + b"1" * 20}
    for (first, one), (_, other) in combinations(faults.items(), 2):
        with pytest.raises(LogError, match=f"^f: line 2: .*{first}"):
            check_lines(b"[]\n" + one + b"\n" + other, "f")


def test_a_line_end_of_another_system_is_named_by_its_line() -> None:
    for number in (1, 2, 3):
        with pytest.raises(LogDamaged, match=rf"^f: line {number}: line ends were changed to CRLF"):
            check_file(b"x\n" * (number - 1) + b"x\r\n\r\n", "f")
    with pytest.raises(LogDamaged, match=r"^f: line 1: begins with a byte order mark"):
        check_file(b"\xef\xbb\xbf{}\n", "f")
    check_file(b"{}\xef\xbb\xbf\n", "f")
    with pytest.raises(LogError, match=r"^f: the file is empty: it holds no game"):
        check_file(b"", "f")


def test_a_hash_stands_at_the_end_of_its_line_or_nowhere() -> None:
    line = chain([b'{"kind":"event"'], START)[0][:-1]
    body, told = parted(line) or (b"", b"")
    assert body == b'{"kind":"event"'
    assert told == line[-66:-2]
    assert len(told) == 64
    for other in (line[:-1] + b"]", line[:-2] + b"'}", line + b" ", line[:-3] + b'"}', line.replace(b"hash", b"Hash")):
        assert parted(other) is None
    assert parted(b"") is None


def test_a_key_is_64_hex_digits_of_either_case() -> None:
    assert key_bytes("0aF" + "0" * 61, "x") == bytes.fromhex("0af" + "0" * 61)
    for text in ("0" * 63, "0" * 65, "g" + "0" * 63, "0" * 64 + "\n", ""):
        with pytest.raises(LogDamaged, match=r"^here '.*' is not 64 hex digits: it was altered$"):
            key_bytes(text, "here")
    with pytest.raises(LogDamaged, match=r"0…\ \(90 letters\)"):
        key_bytes("0" * 90, "here")


def test_dice_have_three_modes() -> None:
    for mode in ("open", "host", "manual"):
        dice = make_dice(mode, bytes(32), b"s" * 32)
        assert (dice.mode, dice.salts) == (mode, b"s" * 32)
        assert (dice.roll("1/a/b/1", 1, 6) is None) == (mode == "manual")
    with pytest.raises(LogError, match=r"^no such dice mode: 'loaded'; there are open, host, manual$"):
        make_dice("loaded", bytes(32))


SALT = "0123456789abcdef" * 2


def test_an_opening_is_written_in_one_way_alone() -> None:
    line = opening_line(17, "axis", SALT, {"key": "x"})
    assert (key_of(line), salt_of(line)) == ((17, "axis"), SALT)
    assert key_of(opening_line(0, "a" * 64, SALT, {})) == (0, "a" * 64)
    assert key_of(opening_line(999_999_999, "a", SALT, {})) == (999_999_999, "a")
    for other in (
        opening_line(1_000_000_000, "axis", SALT, {}),
        opening_line(17, "a" * 65, SALT, {}),
        opening_line(17, "", SALT, {}),
        opening_line(17, "axis", SALT[:-1], {}),
        opening_line(17, "axis", SALT.upper(), {}),
        line.replace(b":17,", b":017,"),
        line.replace(b":17,", b":-1,"),
        b" " + line,
    ):
        assert (key_of(other), salt_of(other)) == (None, "")


def test_the_umpire_holds_the_whole_where_he_is_named_and_else_anybody() -> None:
    known: Mapping[tuple[int, str], bytes] = {(3, "axis"): b"of axis", (4, "umpire"): b"of the umpire"}
    assert holder_of_whole({"axis": "", "allies": ""}, known, 3) == b"of axis"
    assert holder_of_whole({"allies": ""}, known, 3) is None
    assert holder_of_whole({"axis": "", "umpire": ""}, known, 3) is None
    assert holder_of_whole({"axis": "", "umpire": ""}, known, 4) == b"of the umpire"


def test_salts_follow_from_their_source_by_record_and_reader() -> None:
    """Section 5 of the format: the first 32 hex digits of an HMAC; reckoned by ``hmac`` here."""
    source = bytes(range(32))

    def told(message: str) -> str:
        return hmac.new(source, message.encode(), hashlib.sha256).hexdigest()

    salts = KeyedSalts(source)
    assert salts.opening(17, "axis") == told("salt/17/axis")[:32]
    assert salts.masked(17, "ab") == told("state/17/ab")
    stored = StoredSalts({(17, "axis"): SALT}, {}, {17: "ef"})
    assert (stored.opening(17, "axis"), stored.opening(17, "allies"), stored.opening(1, "axis")) == (SALT, "", "")
    assert (stored.masked(17, "ab"), stored.masked(18, "ab")) == ("ef", "ab")


def refusal_of(data: bytes) -> LogError:
    with pytest.raises(LogError) as caught:
        parse_log(data, "log")
    return caught.value


def test_a_header_is_told_from_what_is_none(game: Recorded) -> None:
    first, rest = game.data.split(b"\n", 1)
    assert "line 1: this is no Sandtable log" in str(refusal_of(b'{"kind":"header","format":"another"}\n' + rest))
    assert "holds no finished line" in str(refusal_of(first))
    for version, kind, told in (
        (0, LogError, "there is no format version 0"),
        (1, LogError, "written by a pre-release of Sandtable; this version reads format 2"),
        (3, LogTooNew, "format 3 is newer than 2: update sandtable to read it"),
        (-1, LogError, "there is no format version -1"),
    ):
        error = refusal_of(first.replace(b'"format_version":2', b'"format_version":%d' % version) + b"\n" + rest)
        assert type(error) is kind
        assert str(error) == f"log: line 1: {told}"
    newer = first.replace(b'"format_version":2', b'"format_version":12').replace(b'"dice":', b'"bones":')
    assert type(refusal_of(newer + b"\n" + rest)) is LogTooNew
    pre_release = first.replace(b'"format_version":2', b'"format_version":1').replace(b'"dice":', b'"bones":')
    assert "written by a pre-release" in str(refusal_of(pre_release + b"\n" + rest))
    older = first.replace(b'"dice":', b'"bones":')
    assert str(refusal_of(older + b"\n" + rest)).startswith("log: line 1: the header cannot be read: ")


def test_a_header_with_a_field_twice_is_refused_though_its_hash_fits(game: Recorded) -> None:
    body = game.data.partition(b',"hash":"')[0]
    twice = body.replace(b'"dice":"open"', b'"dice":"open","dice":"open"')
    with pytest.raises(LogDamaged, match=r"log: line 1: the header is not written as this format writes it"):
        parse_log(chain([twice], START)[0], "log")


def test_the_id_of_a_game_is_16_digits_of_the_header_without_it(game: Recorded) -> None:
    body = game.data.partition(b',"hash":"')[0]
    bare = body.replace(b'"game":"%b"' % game.header.game.encode(), b'"game":""')
    assert game_id(game.header) == hashlib.sha256(bare).hexdigest()[:16] == game.header.game


def test_what_is_no_ordinary_file_is_told_as_that(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, told in (
        (tmp_path, "is a folder: name the log file in it"),
        (tmp_path / "pipe", "is no ordinary file"),
        (tmp_path / "none", "cannot be read: No such file or directory"),
    ):
        with pytest.raises(LogError, match=f"^{path}: {told}$"), readable(path):
            pass
    with pytest.raises(LogError, match="is a folder: name the log file in it"):
        read_log(tmp_path)


def test_a_log_of_a_game_says_where_each_record_stands(game: Recorded) -> None:
    lines = game.data.splitlines()
    log = parse_log(game.data, "log")
    assert [log.where(number) for number in range(len(lines))] == [
        f"log: line {number + 1}" for number in range(len(lines))
    ]
    assert log.where(len(lines)) == f"log: line {len(lines) + 1}"  # where the next one would stand
    assert log.where(len(lines) + 1) == "log"
    assert log.records == msgspec.json.decode(lines[-1])["n"]


def test_limits_are_those_of_the_page() -> None:
    page = (Path(__file__).parents[3] / "replays" / "README.md").read_text(encoding="utf-8")
    said = "a file over 64 MiB or of more than 1,000,000 lines, a line over 1 MiB, nesting deeper than 32, a number"
    assert said in page
    assert (limits.MOST_FILE, limits.MOST_LINES) == (64 * 1024 * 1024, 10**6)
    assert (limits.MOST_LINE, limits.MOST_DEPTH, limits.MOST_DIGITS) == (1024 * 1024, 32, 19)


def test_a_header_shows_the_key_or_commits_to_it(record: Callable[..., Recorded]) -> None:
    """Section 2: the key of open dice without hidden information; otherwise its commitment, and what is sealed."""
    key = key_from_seed("a")
    for ruleset, hidden in (("tictactoe", False), ("toy", True)):
        for mode in ("open", "host", "manual"):
            data = record("a", mode, ruleset).data
            line, header = msgspec.json.decode(data.partition(b"\n")[0]), parse_log(data, "log").header
            shown = mode == "open" and not hidden
            assert line.get("key") == (key.hex() if shown else None)
            assert line.get("commitment") == (None if shown else commitment(key))
            assert ("sealed" in line) == (mode == "open" and hidden)
            assert header.key == (key.hex() if mode == "open" else "")
