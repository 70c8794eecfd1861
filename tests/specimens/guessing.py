"""An attack on a slice of the toy: evidence that a guessed key is right, and the ambush that it reveals."""

from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.journal.format.header import Header, header_opening
from sandtable.journal.format.openings import commitment_of, opening_line
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.dice import commitment, roll_dice
from sandtable.testing.toy import ROAD, AmbushLaid


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
    opening = header_opening(replace(header, key=key.hex(), salts=salts.hex()))
    sealed = opening is not None and commitment_of(opening) in header.sealed.values()
    return found | ({"sealed header": header.sealed} if sealed else {})


def _of_rolls(lines: list[Any], key: bytes) -> dict[str, Any]:
    rolls = [each for each in lines if each["kind"] == "roll" and each.get("dice")]
    right = [list(roll_dice(key, each["label"], len(each["dice"]), each["sides"])) == each["dice"] for each in rolls]
    return {"dice": len(rolls)} if rolls and all(right) else {}


def _of_salts(lines: list[Any], blinding: KeyedSalts) -> dict[str, Any]:
    openings = [each for each in lines if each["kind"] == "opening"]
    right = [blinding.opening(each["n"], each["to"]) == each["salt"] for each in openings]
    return {"own salts": len(openings)} if openings and all(right) else {}


def _of_hidden(side: str, lines: list[Any], blinding: KeyedSalts) -> dict[str, Any]:
    enemy = {"north": "south", "south": "north"}[side]
    for line in lines:
        sealed = line.get("sealed", {}).get(enemy, "") if line["kind"] == "event" else ""
        for space in ROAD if sealed else ():
            part = {"event": AmbushLaid(enemy, space)}
            if commitment_of(opening_line(line["n"], enemy, blinding.opening(line["n"], enemy), part)) == sealed:
                return {"hidden record": space}
    return {}
