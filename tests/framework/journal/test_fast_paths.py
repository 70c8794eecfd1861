"""The fast paths of reading against their slow forms: limits without patterns, openings spliced as bytes."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import LogError
from sandtable.journal.format import limits, lines
from sandtable.journal.format.openings import Key, opening_line

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
    return re.sub(rb'"(?:[^"\\]|\\.)*"', b'""', line)


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
    """Return whether a line is over the limits, counted byte by byte."""
    long_number = re.search(rb"[:,\[\-][0-9]{20}", outside_strings(line))
    return long_number is not None or depth_of(line) > limits.MOST_DEPTH


@given(JSON, st.integers(0, 40))
def test_limits_agree_with_a_slow_count_on_json(value: Any, depth: int) -> None:
    line = json.dumps(nested(value, depth), separators=(",", ":")).encode()
    assert is_refused(line) == exceeds(line)


@given(FRAGMENTS)
def test_limits_agree_with_a_slow_count_on_fragments(text: str) -> None:
    line = (text * 3).encode()
    assert is_refused(line) == exceeds(line)


@pytest.mark.parametrize(("depth", "refused"), [(limits.MOST_DEPTH, False), (limits.MOST_DEPTH + 1, True)])
@pytest.mark.parametrize("form", ["[]", "{}", "mixed", "escaped", "wide"])
def test_limit_on_depth_is_exact(form: str, depth: int, refused: bool) -> None:
    opened = {"{}": b'{"a":' * depth, "mixed": (b'[{"a":' * depth)[: depth // 2 * 6] + b"[" * (depth % 2)}
    before = {"escaped": b'["\\"[[[",', "wide": b"[" + b"[]," * 99}.get(form, b"")
    line = before + opened.get(form, b"[" * (depth - bool(before))) + b"1"
    assert depth_of(line) == depth
    assert is_refused(line) == refused


@given(st.dictionaries(st.sampled_from(["event", "order", "dice", "digest", "by"]), JSON, min_size=1), st.booleans())
def test_spliced_opening_equals_decoded_opening(part: dict[str, Any], both: bool) -> None:
    opening = opening_line(7, "umpire", "ab" * 16, part)
    shown = {"kind": "event", "n": 7, **({"event": "public", "by": "a side"} if both else {})}
    body = json.dumps({**shown, "sealed": {"umpire": "0" * 64}}, separators=(",", ":")).encode()[:-1]
    line = body + b',"hash":"%b"}' % (b"0" * 64)
    known: dict[Key, bytes] = {(7, "umpire"): opening}
    spliced = lines._spliced(7, line, known, "")
    assert spliced is not None
    assert json.loads(spliced) == {**shown, **part}
