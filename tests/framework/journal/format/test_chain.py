"""The hash chain and the vectors printed in the format document."""

import re
from pathlib import Path

import pytest

from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.dice import commitment, key_from_seed, roll_dice


def test_hash_is_found_only_at_the_end_of_its_line() -> None:
    line = chain([b'{"kind":"event"'], START)[0][:-1]
    body, stored = parted(line) or (b"", b"")
    assert body == b'{"kind":"event"'
    assert stored == line[-66:-2]
    assert len(stored) == 64
    for other in (line[:-1] + b"]", line[:-2] + b"'}", line + b" ", line[:-3] + b'"}', line.replace(b"hash", b"Hash")):
        assert parted(other) is None
    assert parted(b"") is None


PAGE = (Path(__file__).parents[4] / "replays" / "README.md").read_text(encoding="utf-8")
KEY = bytes(range(32))
VECTORS = re.findall(r"^\| bytes 00 to 1f \| `([^`]+)` \| (\d+) \| ([\d ]+) \|$", PAGE, re.MULTILINE)


def test_document_prints_vectors() -> None:
    assert len(VECTORS) >= 7


@pytest.mark.parametrize(("label", "sides", "dice"), VECTORS)
def test_dice_vector_is_as_printed(label: str, sides: str, dice: str) -> None:
    stored = tuple(map(int, dice.split()))
    assert roll_dice(KEY, label, len(stored), int(sides)) == stored


def test_seed_commitment_salt_and_chain_are_as_printed() -> None:
    key = key_from_seed("sandtable")
    for printed in (key.hex(), commitment(key), KeyedSalts(KEY).opening(17, "axis")):
        assert f"`{printed}`" in PAGE
    assert chain([b'{"kind":"event","n":1'], START)[0].decode().strip() in PAGE
