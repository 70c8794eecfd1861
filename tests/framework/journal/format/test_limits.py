"""Exact limits of the format, and the fast check compared with a slow count (section 7)."""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from growth import growth_faults
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.format import limits
from sandtable.journal.format.chain import Kinds
from sandtable.journal.format.limits import check_file, check_line, check_lines, check_rewinds, check_shape, check_size
from sandtable.kernel.play.rewind import MAX_UNDOS

MIB = 1_048_576


def test_file_has_at_most_64_mib_and_a_million_lines() -> None:
    check_size(bytes(64 * MIB), "f")
    with pytest.raises(LogError, match=r"^f: the file is larger than 64 MiB"):
        check_size(bytes(64 * MIB + 1), "f")
    check_size(b"\n" * 1_000_000, "f")
    with pytest.raises(LogError, match=r"^f: the file has more than 1,000,000 lines"):
        check_size(b"\n" * 1_000_001, "f")


def test_log_has_at_most_ten_thousand_undo_records() -> None:
    undos = [b'{"kind":"undo","n":2,"by":"red","to":1}'] * 10_000
    check_rewinds(undos, Kinds.of(undos), "f")
    more = [b"{}", *undos, undos[0]]
    with pytest.raises(LogError, match=r"^f: the file has more than 10,000 undo records, the limit for a log$"):
        check_rewinds(more, Kinds.of(more), "f")


@pytest.mark.parametrize(
    "line", [b'{"kind":"ruling","n":2,"event":%b', b'{"n":2,"rule":"event","kind":"ruling","event":%b']
)
def test_log_has_at_most_a_hundred_rulings_that_set_options(line: bytes) -> None:
    rulings = [line % b'{"type":"OptionSet","option":"tie"}}'] * 100
    check_rewinds(rulings, Kinds.of(rulings), "f")
    more = [*rulings, rulings[0]]
    with pytest.raises(LogError, match=r"^f: the file has more than 100 rulings that set an option"):
        check_rewinds(more, Kinds.of(more), "f")


def test_line_has_at_most_one_mebibyte() -> None:
    for check in (check_line, check_shape):
        check(b"x" * MIB, 1, "f")
        with pytest.raises(LogError, match=r"^f: line 3: is longer than 1024 KiB"):
            check(b"x" * (MIB + 1), 3, "f")
    check_lines(b"\n" + b"x" * MIB + b"\n", "f")
    with pytest.raises(LogError, match=r"^f: line 2: is longer than 1024 KiB"):
        check_lines(b"\n" + b"x" * (MIB + 1) + b"\n", "f")


@pytest.mark.parametrize(("opens", "closes"), [(b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]")])
def test_line_is_at_most_32_deep_and_closed_pairs_do_not_count(opens: bytes, closes: bytes) -> None:
    times = 32 // (opens.count(b"[") + opens.count(b"{"))
    deepest = opens * times + b"1" + closes * times
    for line in (deepest, (opens + closes) * 40):
        check_shape(line, 1, "f")
    with pytest.raises(LogError, match=r"^f: line 7: is nested more than 32 deep"):
        check_shape(b"[" + deepest + b"]", 7, "f")
    in_text = b'["' + opens.replace(b'"', b'\\"') * 50 + b'"]'
    check_shape(in_text, 1, "f")
    check_lines(b"[]\n" + deepest + b"\n" + in_text, "f")
    with pytest.raises(LogError, match=r"^f: line 2: is nested"):
        check_lines(b"\n[" + deepest + b"]\n", "f")


@pytest.mark.parametrize("before", [b'{"a":', b"[", b"[1,", b"[-"])
def test_number_has_at_most_19_digits(before: bytes) -> None:
    check_line(before + b"1" * 19, 1, "f")
    for digits in (20, 21, 300):
        with pytest.raises(LogError, match=r"^f: line 5: holds a number of more than 19 digits"):
            check_line(before + b"1" * digits, 5, "f")
    text = b'{"a":"' + before.replace(b'"', b'\\"') + b"1" * 20 + b'"}'
    check_line(text, 1, "f")
    check_lines(text + b"\n" + before + b"1" * 19, "f")
    for number in (1, 2, 4):
        with pytest.raises(LogError, match=rf"^f: line {number}: holds a number"):
            check_lines(b"\n" * (number - 1) + before + b"1" * 20 + b"\n\n", "f")


def test_first_of_several_faulty_lines_is_named() -> None:
    faults = {"longer": b"x" * (MIB + 1), "nested": b"[" * 33, "digits": b"[" + b"1" * 20}
    for (first, one), (_, other) in combinations(faults.items(), 2):
        with pytest.raises(LogError, match=f"^f: line 2: .*{first}"):
            check_lines(b"[]\n" + one + b"\n" + other, "f")


def test_crlf_byte_order_mark_and_empty_file_are_refused() -> None:
    for number in (1, 2, 3):
        with pytest.raises(LogDamaged, match=rf"^f: line {number}: line ends were changed to CRLF"):
            check_file(b"x\n" * (number - 1) + b"x\r\n\r\n", "f")
    with pytest.raises(LogDamaged, match=r"^f: line 1: .*byte order mark"):
        check_file(b"\xef\xbb\xbf{}\n", "f")
    check_file(b"{}\xef\xbb\xbf\n", "f")
    with pytest.raises(LogError, match=r"^f: the file is empty: it holds no game"):
        check_file(b"", "f")


def test_limits_match_the_document() -> None:
    page = (Path(__file__).parents[4] / "replays" / "README.md").read_text(encoding="utf-8")
    printed = "a file over 64 MiB or of more than 1,000,000 lines, a line over 1 MiB, nesting deeper than 32, a number"
    assert printed in page
    assert f"more than {MAX_UNDOS:,} undo records" in page
    assert (limits.MAX_FILE, limits.MAX_LINES) == (64 * 1024 * 1024, 10**6)
    assert (limits.MAX_LINE, limits.MAX_DEPTH, limits.MAX_DIGITS) == (1024 * 1024, 32, 19)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.text('"\\[]{}9a:,', max_size=25),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=3), inner, max_size=4),
    max_leaves=12,
)

FRAGMENTS = st.lists(st.sampled_from(["[", "]", "{", "}", '"', "\\", ":", ",", "-", "1" * 19, "9" * 21, "a"])).map(
    "".join
)


def nested(value: Any, depth: int) -> Any:
    return value if depth == 0 else [nested(value, depth - 1)]


def outside_strings(line: bytes) -> bytes:
    """Return the concatenated bytes outside strings; a string that is never closed ends with the line."""
    outside = bytearray()
    within = escaped = False
    for byte in line:
        if within:
            within, escaped = byte != ord('"') or escaped, byte == ord("\\") and not escaped
        else:
            within = byte == ord('"')
            outside.append(byte)
    return bytes(outside)


def depth_of(line: bytes) -> int:
    depth = deepest = 0
    for byte in outside_strings(line):
        depth += (byte in b"[{") - (byte in b"]}")
        deepest = max(deepest, depth)
    return deepest


def is_refused(line: bytes) -> bool:
    try:
        limits.check_lines(line, "x")
    except LogError:
        return True
    return False


def exceeds(line: bytes) -> bool:
    """Return whether a line exceeds the limits, counted byte by byte."""
    long_number = re.search(rb"[:,\[\-][0-9]{20}", outside_strings(line))
    return long_number is not None or depth_of(line) > limits.MAX_DEPTH


@given(JSON, st.integers(0, 40))
def test_limits_agree_with_a_slow_count_on_json(value: Any, depth: int) -> None:
    line = json.dumps(nested(value, depth), separators=(",", ":")).encode()
    assert is_refused(line) == exceeds(line)


@given(FRAGMENTS)
def test_limits_agree_with_a_slow_count_on_fragments(text: str) -> None:
    line = (text * 3).encode()
    assert is_refused(line) == exceeds(line)


@pytest.mark.parametrize(("depth", "refused"), [(limits.MAX_DEPTH, False), (limits.MAX_DEPTH + 1, True)])
@pytest.mark.parametrize("form", ["[]", "{}", "mixed", "escaped", "wide"])
def test_depth_limit_is_exact(form: str, depth: int, refused: bool) -> None:
    opened = {"{}": b'{"a":' * depth, "mixed": (b'[{"a":' * depth)[: depth // 2 * 6] + b"[" * (depth % 2)}
    before = {"escaped": b'["\\"[[[",', "wide": b"[" + b"[]," * 99}.get(form, b"")
    line = before + opened.get(form, b"[" * (depth - bool(before))) + b"1"
    assert depth_of(line) == depth
    assert is_refused(line) == refused


@pytest.mark.full
@pytest.mark.parametrize("end", [b"", b"\\"])
def test_unclosed_string_is_checked_in_linear_time(end: bytes) -> None:
    def line(size: int) -> bytes:
        return b"[" * 40 + b'"' + b'\\"' * size + end

    assert not list(growth_faults(line, lambda data: check_line(data, 1, "f"), 20_000))


@pytest.mark.parametrize("end", [b"", b"\\", b'\\"'])
def test_brackets_in_an_unclosed_string_do_not_count(end: bytes) -> None:
    check_line(b'[1,"' + b"[" * 40 + end, 1, "f")
    check_line(b'[1,"' + b"[" * 40 + b"\n" + b"[" * 40 + end, 1, "f")
    check_line(b'[1,"' + b"," + b"1" * 30 + end, 1, "f")
