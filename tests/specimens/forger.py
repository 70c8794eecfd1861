"""Forged logs: a proof of the game is removed, or the game is changed as well, and the chain is computed again.

``unproven`` judges a log by the description of the format alone, without the rules and without the verifier.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from cutting import cut_after
from originals import original_of
from rechained import altered, places, rechained, strange, tables_of, value_at
from shared_games import shared_dice, shared_game
from signed_games import signed_game

from sandtable.errors import LogError
from sandtable.journal.branching.branch import branch
from sandtable.journal.branching.changes import Changes
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import log_bytes, play_recorded
from sandtable.journal.sides.merging import merged
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.endings import ADJUDICATION
from sandtable.kernel.records import EndRecord, OrderRecord, RollRecord
from sandtable.kernel.shared.epochs import SHARED
from sandtable.players.players import name_seats, seat_bot, seat_players
from sandtable.plugin.manager import Prepared, Rulesets

Tables = list[dict[str, Any]]

SCENARIOS = {
    "axis_attack": "eastern_front",
    "damos": "smolensk",
    "desert_aa": "frontier",
    "kampfpanzer": "summa",
    "khamsin": "teaching",
}
"""A short scenario of each ruleset."""
MODES = ("open", "host", "manual")
UMPIRE = "umpire"
_RULESETS = Rulesets()


@cache
def prepared_for(ruleset: str) -> Prepared:
    """Return a ruleset with its short scenario."""
    return _RULESETS.load(ruleset).prepare(SCENARIOS[ruleset])


@cache
def played(ruleset: str, mode: str, seed: str = "forged", header_seed: str = "") -> bytes:
    """Return a game of bots. With a ``header_seed`` its header is that of another game, so that the key is false."""
    prepared = prepared_for(ruleset)
    if mode == SHARED:
        return shared_game(prepared, seed).data
    key, names = key_from_seed(seed), name_seats(prepared, {})
    dice = make_dice(mode, key)
    recorded = play_recorded(prepared, seat_players(prepared, names, key), dice, make_header(prepared, names, dice))
    if not header_seed:
        return recorded.data
    other = make_dice(mode, key_from_seed(header_seed))
    return log_bytes(make_header(prepared, names, other), recorded.game)[0]


@cache
def signed(ruleset: str, mode: str) -> bytes:
    """Return a game of bots in which every seat signs with its test key."""
    return signed_game(prepared_for(ruleset), "forged", mode)


@cache
def branched(ruleset: str, mode: str) -> bytes:
    """Return a branch of the game with a different first die, played to its end by bots."""
    prepared = prepared_for(ruleset)
    of = original_of(parse_log(played(ruleset, mode), "game"), prepared)
    roll = next(each for each in of.records if isinstance(each, RollRecord) and each.dice)
    bots = {seat: seat_bot(prepared, seat, name, of.key) for seat, name in name_seats(prepared, {}).items()}

    def answer(game: Any, decision: Any) -> Any:
        return bots[decision.seat].choose(decision, game.seat_view(prepared.ruleset.side_of(decision.seat)))

    made = branch(of, Changes(dice={roll.n: {1: roll.dice[0] % roll.sides + 1}}), answer)
    return log_bytes(made.header, made.game)[0]


@cache
def ended_by_people(ruleset: str, mode: str) -> bytes:
    """Return the beginning of a game in which the umpire amends an order and then adjudicates, without a signature."""
    prepared = prepared_for(ruleset)
    key, names = key_from_seed("ruled"), name_seats(prepared, {})
    dice = make_dice(mode, key)
    header = make_header(prepared, names, dice) if mode != SHARED else None
    if header is None:
        dice, header = shared_dice(prepared, "ruled")
    game = prepared.new_game(dice)
    game.start()
    bots = seat_players(prepared, names, key)
    for _ in range(8):
        game.proceed({})  # the shares of rolls
        decision = game.waiting()[0]
        game.submit(
            bots[decision.seat].choose(decision, game.seat_view(prepared.ruleset.side_of(decision.seat))), decision.seat
        )
    game.proceed({})
    last = next(each for each in reversed(game.trail) if isinstance(each, OrderRecord))
    game.amend(last.n, last.order, "read again")
    winner = prepared.ruleset.viewers[0]
    game.end(EndRecord(game.number + 1, UMPIRE, ADJUDICATION, winner, "it is late"))
    return log_bytes(header, game)[0]


def as_slice(data: bytes, ruleset: str, side: str) -> bytes:
    """Return the slice of a side."""
    return slice_log(parse_log(data, "game"), prepared_for(ruleset), side)


@cache
def joined(data: bytes, ruleset: str) -> bytes:
    """Return the merged slices of all sides of the log."""
    sides = prepared_for(ruleset).ruleset.viewers
    return merged([parse_log(as_slice(data, ruleset, side), side) for side in sides])


def unfinished(data: bytes, share: float) -> bytes:
    """Return the first part of a log, with its openings."""
    return cut_after(data, max(1, int((len(tables_of(data)) - 2) * share)))


# --- removing proofs ---


def without_key(lines: Tables) -> Tables:
    """Return the lines without the dice key.

    The field is removed, and openings of header or close that show it.
    """
    found = [dict(line) for line in lines]
    for line in (found[0], found[-1]):
        line.pop("key", None)
        line["opened"] = {to: part for to, part in line.get("opened", {}).items() if "key" not in part}
    return found


def openings_of(lines: Tables) -> list[tuple[int, str]]:
    """Return the openings of the lines, by line number and recipient."""
    return [
        (index, to) for index, line in enumerate(lines) for to, part in line.get("opened", {}).items() if "salt" in part
    ]


def without_openings(lines: Tables, gone: set[tuple[int, str]]) -> Tables:
    """Return the lines without some openings. The commitments stay."""
    found, first = [], 0
    for index, line in enumerate(lines):
        first = index if "root" in line else first
        kept = {to: part for to, part in line.get("opened", {}).items() if (first, to) not in gone}
        found.append({**line, "opened": kept} if "opened" in line else line)
    return found


def removals(rng: Random, lines: Tables) -> Iterator[tuple[str, Tables]]:
    """Yield one removal of each sort with its description: one line or field, two, or all of a kind."""
    openings = openings_of(lines)
    yield "the key", without_key(lines)
    if openings:
        one = rng.choice(openings)
        yield f"opening {one}", without_openings(lines, {one})
        yield "two openings", without_openings(lines, set(rng.sample(openings, min(2, len(openings)))))
        to = rng.choice(sorted({to for _, to in openings}))
        yield f"openings for {to}", without_openings(lines, {each for each in openings if each[1] == to})
        yield "all openings", without_openings(lines, set(openings))
    index = rng.randrange(1, len(lines))
    yield f"record {index}", lines[:index] + lines[index + 1 :]
    yield f"record {index}, renumbered", renumbered(lines[:index] + lines[index + 1 :])
    kind = rng.choice(sorted({line["kind"] for line in lines[1:]}))
    yield f"every {kind}", renumbered([line for line in lines if line["kind"] != kind])
    for number in (0, rng.randrange(1, len(lines))):
        names = [name for name in lines[number] if name not in {"kind", "n", "format", "format_version"}]
        for gone in (rng.sample(names, min(count, len(names))) for count in (1, 2)):
            bare = {name: value for name, value in lines[number].items() if name not in gone}
            yield f"{gone} of {number}", [*lines[:number], bare, *lines[number + 1 :]]
    for gone in (["parent", "dice_set"], ["root", "opened"], ["commitment", "root", "opened"], ["keys"]):
        yield (
            f"{gone} of the header",
            [
                {name: value for name, value in lines[0].items() if name not in gone},
                *lines[1:],
            ],
        )


def renumbered(lines: Tables) -> Tables:
    """Return the lines numbered consecutively."""
    return [lines[0], *({**line, "n": index} for index, line in enumerate(lines[1:], start=1))]


# --- changing ---


def changed(rng: Random, lines: Tables) -> tuple[str, Tables]:
    """Change a die, a field of an order or event, or the winner. Return a description and the lines."""
    sort = rng.choice(("die", "order", "event", "winner"))
    if sort == "winner":
        return sort, other_winner(lines)
    field = {"die": "dice"}.get(sort, sort)
    spots = [
        index
        for index in places(lines)
        if index[0] and field in index[1] and index[1][0] in {field, "opened"} and "calculations" not in index[1]
        if type(value_at(lines, index)) in {int, str} and "type" not in index[1]
    ]
    if not spots:
        return "winner", other_winner(lines)
    index = rng.choice(spots)
    value = value_at(lines, index)
    others = [value % 6 + 1] if sort == "die" else [each for each in strange(value) if each != value]
    return f"{sort} at {index}", altered(lines, index, rng.choice(others))


def other_winner(lines: Tables) -> Tables:
    """Return the lines with a different winner in the last event and the close."""
    last = lines[-1]
    if "outcome" not in last:
        index = max(index for index, line in enumerate(lines) if line["kind"] == "event")
        event = {"kind": "event", "n": index, "event": {"type": "TurnBegan", "turn": 77}}
        return [*lines[:index], event, *lines[index + 1 :]]
    return [
        _won_by_other(line) if line["kind"] == "close" or line.get("event", {}).get("type") == "GameEnded" else line
        for line in lines
    ]


def _won_by_other(line: dict[str, Any]) -> dict[str, Any]:
    if line["kind"] == "close":
        return {**line, "outcome": "draw" if line["outcome"] != "draw" else "axis"}
    was = line["event"]["outcome"]
    return {**line, "event": {**line["event"], "outcome": "draw" if was != "draw" else "axis"}}


def dice_raised(lines: Tables) -> Tables:
    """Return the lines with every visible die increased by one."""
    return [
        {**line, "dice": [face % line["sides"] + 1 for face in line["dice"]]}
        if line["kind"] == "roll" and "dice" in line
        else line
        for line in lines
    ]


def another_order(lines: Tables, number: int) -> dict[str, Any]:
    """Return a valid order that is not the one in record ``number``: another one of its seat, if there is one."""
    whole = [{**line, **line.get("opened", {}).get("umpire", {})} for line in lines]
    rest = [line for line in whole if line["kind"] == "order" and line["order"] != whole[number]["order"]]
    given: dict[str, Any] = max(rest, key=lambda line: line["by"] == whole[number]["by"])["order"]
    return given


# --- the description of the format ---


def unproven(data: bytes) -> list[str]:
    """Return what a file does not prove of a finished game: no close, closed parts, no key, or dice of another key."""
    lines = tables_of(data)
    found = [f"{index} is closed for {to}" for index, to in _closed(lines)] + _unsigned(lines)
    if lines[-1]["kind"] != "close":
        return [*found, "there is no close"]
    shown = [part for line in (lines[0], lines[-1]) for part in (line, *line.get("opened", {}).values())]
    key = next((part["key"] for part in shown if part.get("key")), "")
    if not key:
        return [*found, "there is no key"]
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
    inputs: dict[str, list[tuple[int, str]]] = {seat: [] for seat in keys}
    for index, line in enumerate(lines):
        own = inputs.get(line.get("by", ""), [])
        if line["kind"] in {"order", "undo"}:
            names = (
                ("by", "to") if line["kind"] == "undo" else ("by", "own") if "own" in line else ("asked", "by", "order")
            )
            item = {name: line[name] for name in names if name in line}
            own.append((index, json.dumps(item, separators=(",", ":"), ensure_ascii=False)))
        if line["kind"] == "hand" and "by" in line:
            digest = hashlib.sha256("\n".join(item for _, item in own).encode()).hexdigest()
            found += [f"{number} is not signed" for number, _ in own if digest != line.get("items")]
            own.clear()
    return found + [f"{number} is not signed" for own in inputs.values() for number, _ in own]


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


def unshared(lines: Tables) -> list[str]:
    """Return the faults in the shares of lines, and the dice that are not those of their epochs."""
    found, links, keys = [], {name: each["tip"] for name, each in lines[0]["chains"].items()}, dict[str, bytes]()
    epoch = answer = 0
    key: bytes | None = None
    heads = _heads(lines)
    for number, line in enumerate(lines):
        if line["kind"] in {"order", "ruling"}:
            answer, key = number, None
        elif line["kind"] == "shares":
            epoch += 1
            if (line["epoch"], line["at"], list(line["links"])) != (epoch, answer, list(links)) or key:
                found.append(f"the shares of {number} are not those of epoch {epoch}")
            for name, link in line["links"].items():
                back = b"sandtable link\n" + epoch.to_bytes(4, "big") + bytes.fromhex(link)
                if hashlib.sha256(back).hexdigest() != links[name]:
                    found.append(f"the share of {name} in {number} is no link of its chain")
            links = line["links"]
            text = f"sandtable epoch\n{lines[0]['game']}\n{epoch}\n{heads[answer]}\n".encode()
            shares = b"".join(name.encode() + b"=" + bytes.fromhex(link) for name, link in sorted(links.items()))
            key = hashlib.sha256(text + shares).digest()
        elif line["kind"] == "roll" and line["dice"]:
            known = keys.get(line["label"], key)
            if known is None:
                return [*found, f"the dice of {number} have no shares"]
            keys[line["label"]] = known
            if _dice(known, line["label"], len(line["dice"]), line["sides"]) != line["dice"]:
                found.append(f"the dice of {number} are not those of the shares")
    return found


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


# --- attacks ---


def judged(data: bytes, ruleset: str, side: str = "") -> Verdict:
    """Return the verdict on a file, or "unreadable" for one that is not a log."""
    try:
        return verify(parse_log(data, "log"), prepared_for(ruleset), side=side)
    except LogError:
        return Verdict("log", "unreadable", 0)


FILES = ("whole", "slice", "joined", "branched", "unfinished", "ruled", "signed")


def file_of(sort: str, ruleset: str, mode: str) -> bytes:
    """Return a file of the kind ``sort``, one of FILES."""
    data = played(ruleset, mode)
    if sort == "signed":
        return signed(ruleset, mode)
    if sort == "slice":
        return as_slice(data, ruleset, prepared_for(ruleset).ruleset.viewers[0])
    if sort == "joined":
        return joined(data, ruleset)
    if sort == "branched" and mode != "manual":
        return branched(ruleset, mode)
    if sort == "unfinished":
        return unfinished(data, 0.5)
    return ended_by_people(ruleset, mode) if sort == "ruled" else data


def forged_verdict(verdict: Verdict, data: bytes) -> str:
    """Return the forged verdict of a file: one with exit status 0 on something that the file does not prove."""
    if verdict.exit_code:
        return ""
    lacking = unproven(data)
    if verdict.verdict == "verified":
        return f"verified, but {lacking[0]}" if lacking else ""
    is_pending = any("key" in item for item in verdict.pending)
    lacking = [
        each for each in lacking if each != "there is no close" and not (is_pending and each == "there is no key")
    ]
    return f"verified so far, but {lacking[0]}" if lacking else ""


def kept_back(rng: Random, lines: Tables) -> list[tuple[str, Tables]]:
    """Return the lines without the key, without some openings, and without all."""
    openings = openings_of(lines)
    some = {each for each in openings if rng.random() < 0.3}
    return [
        ("the key", without_key(lines)),
        (f"openings {sorted(some)}", without_openings(lines, some)),
        ("all openings", without_openings(lines, set(openings))),
    ]


def removed(rng: Random, ruleset: str, mode: str, sort: str) -> list[str]:
    """Remove one thing of each sort from a file. Return the forged verdicts."""
    found = []
    for what, lines in removals(rng, tables_of(file_of(sort, ruleset, mode))):
        data = rechained(lines)
        wrong = forged_verdict(judged(data, ruleset), data)
        if wrong:
            found.append(f"{ruleset}, {mode}, {sort}: without {what}: {wrong}")
    return found


def kept_and_changed(rng: Random, ruleset: str, mode: str, sort: str) -> list[str]:
    """Remove the evidence against a file, and change something. Return the accepted changes.

    Only a die without consequences can be changed, in an unfinished game whose key is pending until the close shows it.
    """
    found = []
    for kept, lines in kept_back(rng, tables_of(file_of(sort, ruleset, mode))):
        what, forged = changed(rng, lines)
        verdict = judged(rechained(forged), ruleset)
        is_open_die = what.startswith("die ") and any("key, which the close" in item for item in verdict.pending)
        if not verdict.exit_code and not is_open_die:
            found.append(f"{ruleset}, {mode}, {sort}: without {kept}, {what}: {verdict.text}")
    return found
