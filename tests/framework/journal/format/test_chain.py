"""The hash chain and the vectors printed in the format document."""

import hashlib
import re
from pathlib import Path

import msgspec
import pytest

from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.lines import committed
from sandtable.journal.format.openings import content_of_step, root_of
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import commitment, key_from_seed, roll_dice


def test_hash_is_found_only_at_the_end_of_its_line() -> None:
    line = chain([b'{"kind":"event"'], START)[0][:-1]
    body, stored = parted(line)
    assert body == b'{"kind":"event"'
    assert stored == line[-66:-2]
    assert len(stored) == 64
    for other in (line[:-1] + b"]", line[:-2] + b"'}", line + b" ", line[:-3] + b'"}', line.replace(b"hash", b"Hash")):
        assert parted(other) == (other[:-1], b"")
    assert parted(b"") == (b"", b"")


def digest(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def test_stretch_ends_at_header_before_input_records_and_at_end() -> None:
    kinds = ("header", "event", "event", "order", "undo", "seal", "ruling", "end", "hand", "key", "closed", "close")
    bodies = [b'{"kind":"%b","n":%d' % (kind.encode(), n) for n, kind in enumerate(kinds)]
    data, head = chain(bodies, START, {2: (b"{an opening}",)})
    lines = data.splitlines()
    hashed = [msgspec.json.decode(line)["kind"] for line in lines if b'"hash"' in line]
    assert hashed == ["header", "event", "order", "seal", "ruling", "end", "hand", "close"]
    assert lines[1] == b"{an opening}"
    expected = START
    for stretch in (
        bodies[:1],
        bodies[1:3],
        bodies[3:4],
        bodies[4:6],
        bodies[6:7],
        bodies[7:8],
        bodies[8:9],
        bodies[9:],
    ):
        expected = digest(expected, b"}\n".join(stretch))
        assert b'"hash":"%b"' % expected.hex().encode() in data
    assert head == expected
    assert chain([], START) == (b"", START)


PAGE = (Path(__file__).parents[4] / "replays" / "README.md").read_text(encoding="utf-8")
KEY = bytes(range(32))
VECTORS = re.findall(r"^\| bytes 00 to 1f \| `([^`]+)` \| (\d+) \| ([\d ]+) \|$", PAGE, re.MULTILINE)


def test_format_page_lists_the_test_vectors() -> None:
    assert len(VECTORS) >= 7


@pytest.mark.parametrize(("label", "sides", "dice"), VECTORS)
def test_dice_match_the_vectors_of_the_format_page(label: str, sides: str, dice: str) -> None:
    stored = tuple(map(int, dice.split()))
    assert roll_dice(KEY, label, len(stored), int(sides)) == stored


def test_seed_commitment_and_salt_match_the_format_page() -> None:
    key = key_from_seed("sandtable")
    for printed in (key.hex(), commitment(key), KeyedSalts(KEY).of_step(17)("axis")):
        assert f"`{printed}`" in PAGE


def test_stretch_and_closed_step_match_the_format_page() -> None:
    bodies = [b'{"kind":"order","n":1', b'{"kind":"event","n":2']
    for line in chain(bodies, START)[0].decode().splitlines():
        assert re.search(rf"^ .* {re.escape(line)}$", PAGE, re.MULTILINE)
    assert chain(bodies[:1], START)[1].hex() in PAGE
    closed, opening = re.findall(r'^    (\{"kind":"(?:closed|opening)".*)$', PAGE, re.MULTILINE)[::-1]
    step = msgspec.json.decode(closed)
    assert root_of(opening.encode()) == step["root"]
    content = content_of_step([msgspec.json.encode(each) for each in msgspec.json.decode(opening)["records"]])
    contents = {"axis": content, UMPIRE: content, "allies": b""}
    made = committed(step["n"], contents, ["allies", "axis"], KeyedSalts(KEY), "axis")
    assert made == (step["root"], opening.encode())
