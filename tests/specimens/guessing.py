"""An attack on a slice of the toy: evidence that a guessed key is right, and the ambush that it reveals."""

from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.journal.format.header import Header, header_commitment
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.dice import commitment, roll_dice
from sandtable.kernel.records import EventRecord
from sandtable.plugin.manager import Rulesets
from sandtable.testing.toy import ROAD, AmbushLaid

SIDES = ("north", "south")


def proofs(data: bytes, key: bytes, salts: bytes = b"") -> dict[str, Any]:
    """Return the evidence in the slice ``data`` that ``key`` is its game's, with the observed values, or {}.

    ``salts`` are those of the header, if they are guessed as well.
    """
    lines = [msgspec.json.decode(line) for line in data.splitlines()]
    side = next(line["slice"] for line in lines if "slice" in line)
    blinding = KeyedSalts(salts or key)
    return (
        _of_header(msgspec.json.decode(data.splitlines()[0], type=Header), key, salts)
        | _of_rolls(lines, key)
        | _of_salts(lines, blinding)
        | _of_hidden(side, lines, blinding)
    )


def _of_header(header: Header, key: bytes, salts: bytes) -> dict[str, Any]:
    found = {"commitment": header.commitment} if header.commitment == commitment(key) else {}
    root, _ = header_commitment(replace(header, key=key.hex(), salts=salts.hex()), SIDES)
    return found | ({"root of the header": root} if root and root == header.root else {})


def _of_rolls(lines: list[Any], key: bytes) -> dict[str, Any]:
    rolls = [each for each in lines if each["kind"] == "roll" and each.get("dice")]
    right = [list(roll_dice(key, each["label"], len(each["dice"]), each["sides"])) == each["dice"] for each in rolls]
    return {"dice": len(rolls)} if rolls and all(right) else {}


def _of_salts(lines: list[Any], blinding: KeyedSalts) -> dict[str, Any]:
    openings = [each for each in lines if each["kind"] == "opening"]
    right = [blinding.of_step(each["n"])(each["to"]) == each["salt"] for each in openings]
    return {"own salts": len(openings)} if openings and all(right) else {}


def _of_hidden(side: str, lines: list[Any], blinding: KeyedSalts) -> dict[str, Any]:
    enemy = {"north": "south", "south": "north"}[side]
    form = LineForm(Rulesets().load("toy").prepare().ruleset, blinding)
    for line in lines:
        for space in ROAD if line["kind"] == "closed" and "last" not in line else ():
            body = form.encode([EventRecord(line["n"], AmbushLaid(enemy, space))]).bodies[0]
            if msgspec.json.decode(body + b"}")["root"] == line["root"]:
                return {"hidden record": space}
    return {}
