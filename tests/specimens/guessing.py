"""An attack on a slice of the toy: what tells that a guessed key is the right one, and the ambush that it betrays."""

import hashlib
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.journal.format.codec import encode_bodies
from sandtable.journal.format.header import Header, game_id, header_body
from sandtable.kernel.dice import KeyedDice, commitment, roll_dice
from sandtable.kernel.records import EventRecord
from sandtable.testing.toy import ROAD, AmbushLaid


def proofs(data: bytes, key: bytes, salts: bytes = b"") -> dict[str, Any]:
    """Return by what the slice ``data`` tells that ``key`` is its game's, each with what is seen; empty: by nothing.

    ``salts`` are those of the header, where they are guessed as well.
    """
    head, *lines = [msgspec.json.decode(line) for line in data.splitlines()[:-1]]
    dice = KeyedDice(key, salts=salts)
    return (
        _of_header(head, key, salts)
        | _of_rolls(lines, key)
        | _of_salts(lines, dice)
        | _of_hidden(head["side"], lines, dice)
    )


def _of_header(head: dict[str, Any], key: bytes, salts: bytes) -> dict[str, Any]:
    header = msgspec.convert(head["header"], Header)
    if header.dice != "open":
        return {"commitment": header.commitment} if header.commitment == commitment(key) else {}
    whole = replace(header, key=key.hex(), salts=salts.hex())
    digest = hashlib.sha256(header_body(whole)).hexdigest()
    found = {"digest of the header": digest} if digest == head["digest"] else {}
    return found | ({"game id": header.game} if header.game == game_id(whole) else {})


def _of_rolls(lines: list[Any], key: bytes) -> dict[str, Any]:
    rolls = [each for each in lines if each["kind"] == "roll" and each["dice"]]
    right = [list(roll_dice(key, each["label"], len(each["dice"]), each["sides"])) == each["dice"] for each in rolls]
    return {"dice": len(rolls)} if rolls and all(right) else {}


def _of_salts(lines: list[Any], dice: KeyedDice) -> dict[str, Any]:
    salts = [(each["n"], each["salt"]) for each in lines if each.get("salt")]
    return {"own salts": len(salts)} if salts and all(dice.salt(n) == salt for n, salt in salts) else {}


def _of_hidden(side: str, lines: list[Any], dice: KeyedDice) -> dict[str, Any]:
    enemy = {"north": "south", "south": "north"}[side]
    for line in lines:
        for space in ROAD if line["kind"] == "hidden" else ():
            record = EventRecord(line["n"], AmbushLaid(enemy, space), dice.salt(line["n"]))
            if hashlib.sha256(encode_bodies([record])[0]).hexdigest() == line["digest"]:
                return {"hidden record": space}
    return {}
