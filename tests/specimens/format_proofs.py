"""What a file proves, judged by the description of the format alone, without the rules and without the verifier."""

import hashlib
import hmac
import json
from typing import Any

from rechained import rechained, tables_of

from sandtable.journal.file.reading import parse_log
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.shared.epochs import SHARED

Tables = list[dict[str, Any]]


NO_KEY = "there is no key"
NO_CLOSE = "there is no close"


def unshown(data: bytes, side: str) -> list[str]:
    """Return what the slice of a side lacks: openings of the side, and the umpire's of sealed orders that all saw."""
    lines = tables_of(data)
    group: list[int] = []
    opened: set[int] = set()
    for index, line in enumerate(lines):
        if line["kind"] == "order" and line.get("missing"):
            group.append(index)
            opened.update(each for each in group if line["missing"] == 1 and not lines[each].get("secret"))
        elif line["kind"] in ("order", "undo", "ruling"):
            group = []
    found = []
    for index, to in _closed(lines):
        own = side == PUBLIC or side in lines[index].get("opened", {})
        if index in opened or not own:
            found.append(f"{index} is closed for {side if not own else to}")
    return found


def unproven(data: bytes) -> list[str]:
    """Return what a file does not prove of a finished game: no close, closed parts, no key, or dice of another key."""
    lines = tables_of(data)
    found = [f"{index} is closed for {to}" for index, to in _closed(lines)] + _unsigned(lines)
    if lines[-1]["kind"] != "close":
        return [*found, NO_CLOSE]
    shown = [part for line in (lines[0], lines[-1]) for part in (line, *line.get("opened", {}).values())]
    key = next((part["key"] for part in shown if part.get("key")), "")
    if not key:
        return [*found, NO_KEY]
    commitment = hashlib.sha256(b"sandtable commitment\n" + bytes.fromhex(key)).hexdigest()
    if lines[0].get("commitment", commitment) != commitment:
        found.append("the key is not the committed one")
    if lines[0]["dice"] == SHARED:
        found += unshared(lines)
    elif lines[0]["dice"] != "manual":
        found += _other_dice(lines, bytes.fromhex(key))
    return found


def _unsigned(lines: Tables) -> list[str]:
    """Return the inputs of seats with keys that the next hand of their seat does not sign, or that no hand follows."""
    keys = lines[0].get("keys", {})
    found: list[str] = []
    inputs: dict[str, list[int]] = {seat: [] for seat in keys}
    orders: list[int] = []
    again: list[int] = []
    replaced: dict[int, list[int]] = {}
    is_amending = False
    for index, line in enumerate(lines):
        kind, by = line["kind"], line.get("by", "")
        if kind in {"undo", "ruling"}:
            amends, first = line.get("amends", 0), line.get("to") or line.get("amends") or line.get("withdraws")
            later = [each for each in orders if first and each >= first and each > amends]
            orders = [each for each in orders if not first or each < first]
            replaced[index] = later if amends else []
            again = [*(replaced.get(line.get("withdraws", 0)) or later)] if kind == "ruling" else []
        owner = UMPIRE if kind == "order" and is_amending else by
        needs_no_hand = kind not in {"order", "undo"} or by not in keys or owner not in keys
        if kind == "order":
            orders.append(index)
            is_again = bool(again) and not is_amending and _same_order(lines[again.pop(0)], line)
            again = again if is_again or is_amending else []
            needs_no_hand = needs_no_hand or is_again
        if not needs_no_hand:
            inputs[owner].append(index)
        is_amending = kind == "ruling" and bool(line.get("amends"))
        if kind == "hand" and by in inputs:
            digest = hashlib.sha256("\n".join(_item(lines[each]) for each in inputs[by]).encode()).hexdigest()
            found += [f"{each} is not signed" for each in inputs[by] if digest != line.get("items")]
            inputs[by] = []
    return found + [f"{each} is not signed" for own in inputs.values() for each in own]


def _item(line: dict[str, Any]) -> str:
    """Return the line of an order or undo among the items of a hand."""
    names = ("by", "to") if line["kind"] == "undo" else ("by", "own") if "own" in line else ("asked", "by", "order")
    item = {name: line[name] for name in names if name in line}
    return json.dumps(item, separators=(",", ":"), ensure_ascii=False)


def _same_order(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether a ruling gives an order again."""
    if "own" in one or "own" in other:
        return bool(one.get("by") == other.get("by") and one.get("own") == other.get("own"))
    labels = [str(each.get("asked", "")).partition("#")[0] for each in (one, other)]
    return bool(one.get("by") == other.get("by") and one.get("order") == other.get("order")) and labels[0] == labels[1]


def _closed(lines: Tables) -> list[tuple[int, str]]:
    return [
        (index, UMPIRE) for index, line in enumerate(lines) if "root" in line and UMPIRE not in line.get("opened", {})
    ]


def _other_dice(lines: Tables, key: bytes) -> list[str]:
    given = lines[0].get("dice_set", {}) if "parent" in lines[0] else {}
    found = []
    for index, line in enumerate(lines):
        for part in (line, *line.get("opened", {}).values()):
            if "dice" in part and "label" in part and part["label"] not in given:
                due = _dice(key, part["label"], len(part["dice"]), part["sides"])
                if due != list(part["dice"]):
                    found.append(f"the dice of {index} are not those of the key")
    return found


class _Chain:
    """A hash chain of shared dice: the last known ``link``, that of epoch ``epoch``; link 1 is that of ``base`` + 1."""

    def __init__(self, tip: str, links: int, base: int = 0) -> None:
        self.link, self.links, self.base, self.epoch = tip, links, base, base

    def take(self, link: str, epoch: int) -> bool:
        """Take the link of an epoch; return whether it is one of the chain."""
        back = bytes.fromhex(link)
        for place in range(epoch - self.base, self.epoch - self.base, -1):
            back = hashlib.sha256(b"sandtable link\n" + place.to_bytes(4, "big") + back).digest()
        fits = epoch > self.epoch and epoch - self.base <= self.links and back.hex() == self.link
        self.link, self.epoch = link, epoch
        return fits


class _Shares:
    """The epochs of shared dice, line by line; ``found`` is what is wrong with them."""

    def __init__(self, lines: Tables) -> None:
        self.found: list[str] = []
        self._game, self._heads = lines[0]["game"], _heads(lines)
        self._chains = {name: _Chain(each["tip"], each["links"]) for name, each in lines[0]["chains"].items()}
        self._epoch = self._answer = 0
        self._key: bytes | None = None
        self._keys: dict[str, bytes] = {}

    def order(self, number: int, _: dict[str, Any]) -> None:
        """Take an answer: the next roll needs a new epoch."""
        self._answer, self._key = number, None

    ruling = order

    def burnt(self, _: int, line: dict[str, Any]) -> None:
        """Pass over an epoch."""
        self._epoch += 1

    def chain(self, number: int, line: dict[str, Any]) -> None:
        """Replace a chain."""
        if not self._chains[line["by"]].take(line["link"], self._epoch + 1):
            self.found.append(f"the last link of {line['by']} in {number} is not that of its chain")
        self._chains[line["by"]] = _Chain(line["tip"], line["links"], self._epoch)

    def shares(self, number: int, line: dict[str, Any]) -> None:
        """Begin an epoch."""
        self._epoch += 1
        due = (self._epoch, self._answer, list(self._chains))
        if (line["epoch"], line["at"], list(line["links"])) != due or self._key:
            self.found.append(f"the shares of {number} are not those of epoch {self._epoch}")
        for name, link in line["links"].items():
            if not self._chains[name].take(link, self._epoch):
                self.found.append(f"the share of {name} in {number} is no link of its chain")
        text = f"sandtable epoch\n{self._game}\n{self._epoch}\n{self._heads[self._answer]}\n".encode()
        shares = b"".join(name.encode() + b"=" + bytes.fromhex(link) for name, link in sorted(line["links"].items()))
        self._key = hashlib.sha256(text + shares).digest()

    def roll(self, number: int, line: dict[str, Any]) -> None:
        """Compare the dice of a roll; a label keeps its key."""
        known = self._keys.setdefault(line["label"], self._key or b"") if line["dice"] else b""
        if line["dice"] and not known:
            self.found.append(f"the dice of {number} have no shares")
        elif line["dice"] and _dice(known, line["label"], len(line["dice"]), line["sides"]) != line["dice"]:
            self.found.append(f"the dice of {number} are not those of the shares")


def unshared(lines: Tables) -> list[str]:
    """Return what is wrong with the shares of lines, and the dice that are not those of their epochs."""
    shares = _Shares(lines)
    for number, line in enumerate(lines):
        if line["kind"] in {"order", "ruling", "burnt", "chain", "shares", "roll"}:
            getattr(shares, line["kind"])(number, line)
    return shares.found


def _heads(lines: Tables) -> list[str]:
    """Return the running hash after each record: of the file that the lines make."""
    log = parse_log(rechained(lines), "log")
    return [log.heads[place].decode() for place in log.places]


def _dice(key: bytes, label: str, count: int, sides: int) -> list[int]:
    dice: list[int] = []
    block, limit = 0, (1 << 32) - (1 << 32) % sides
    while len(dice) < count:
        digest = hmac.digest(key, (f"{label}#{block}" if block else label).encode(), "sha256")
        words = [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
        dice += [word % sides + 1 for word in words if word < limit]
        block += 1
    return dice[:count]
