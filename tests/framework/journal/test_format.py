"""The format's page says what the code does: its vectors are read from the page itself."""

import re
from pathlib import Path

import pytest

from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.dice import commitment, key_from_seed, roll_dice

PAGE = (Path(__file__).parents[3] / "replays" / "README.md").read_text(encoding="utf-8")
KEY = bytes(range(32))
VECTORS = re.findall(r"^\| bytes 00 to 1f \| `([^`]+)` \| (\d+) \| ([\d ]+) \|$", PAGE, re.MULTILINE)


def test_there_are_vectors() -> None:
    assert len(VECTORS) >= 7


@pytest.mark.parametrize(("label", "sides", "dice"), VECTORS)
def test_each_dice_vector(label: str, sides: str, dice: str) -> None:
    told = tuple(map(int, dice.split()))
    assert roll_dice(KEY, label, len(told), int(sides)) == told


def test_seed_commitment_salt_and_chain_as_printed() -> None:
    key = key_from_seed("sandtable")
    for printed in (key.hex(), commitment(key), KeyedSalts(KEY).opening(17, "axis")):
        assert f"`{printed}`" in PAGE
    assert chain([b'{"kind":"event","n":1'], START)[0].decode().strip() in PAGE
