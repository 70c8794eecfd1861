"""Honest logs of every ruleset and dice mode, with what people did in the games: whole, cut off, sliced, merged."""

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from apart import log_apart
from cutting import cut_after
from interventions import Impostor, Table
from msgspec import json
from originals import original_of
from rechained import tables_of
from signed_games import fixed_keys

from sandtable.hosting.keying import Keying
from sandtable.hosting.opening import new_header
from sandtable.journal.branching.branch import branch
from sandtable.journal.branching.changes import Changes
from sandtable.journal.file.annexes import ANNEX
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import prepare_for
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.record import log_bytes, play_recorded
from sandtable.journal.sides.merging import merged
from sandtable.journal.sides.slices import slice_log
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.endings import ABANDONMENT, adjudication, agreed_draw, resignation
from sandtable.kernel.records import EndRecord, RollRecord
from sandtable.kernel.shared.chains import LINKS
from sandtable.kernel.shared.epochs import SHARED
from sandtable.players.players import name_seats, seat_bot, seat_players
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.plugin.manifest import why_secret
from sandtable.plugin.options.keepers import without_keeper

SCENARIOS = {
    "axis_attack": "eastern_front",
    "damos": "smolensk",
    "desert_aa": "frontier",
    "kampfpanzer": "summa",
    "khamsin": "teaching",
}
"""A short scenario of each ruleset."""
MODES = ("open", "host", "manual")
RULESETS = Rulesets()
FEW_LINKS = 12
"""Links of a chain of shared dice in a game whose chains are replaced several times."""
_REPLAYS = Path(__file__).parents[2] / "replays"
BATTLES = _REPLAYS / "khamsin" / "allies-broken-teaching-kampfpanzer.jsonl"


@cache
def prepared_for(ruleset: str) -> Prepared:
    """Return a ruleset with its short scenario."""
    return RULESETS.load(ruleset).prepare(SCENARIOS[ruleset])


def _undone(table: Table) -> None:
    table.play(6)
    table.undo()
    table.play()


def _ruled(table: Table) -> None:
    table.play(8)
    table.amend()
    table.play(5)
    table.amend()
    table.withdraw()
    table.play(2)
    table.end(adjudication(0, table.game.ruleset.viewers[0], "it is late"))


def _set(table: Table) -> None:
    table.play(6)
    table.set_option()
    table.play(8)
    side, other, *_ = table.game.ruleset.viewers
    table.end(EndRecord(0, UMPIRE, ABANDONMENT, other, f"{side} is gone", (side,)))


def _resigned(table: Table) -> None:
    table.play(12)
    seat = next(seat for seat, side in table.game.ruleset.seats.items() if side in table.game.ruleset.viewers)
    table.end(resignation(table.game.ruleset, 0, seat))


def _drawn(table: Table) -> None:
    table.play(12)
    table.end(agreed_draw(table.game.ruleset, 0, UMPIRE))


def _new_keys(table: Table) -> None:
    table.play(6)
    table.new_keys()
    table.play()


_SCRIPTS: dict[str, Callable[[Table], None]] = {
    "plain": Table.play,
    "undone": _undone,
    "renewed": Table.play,
    "ruled": _ruled,
    "set": _set,
    "resigned": _resigned,
    "drawn": _drawn,
    "new keys": _new_keys,
}


@cache
def played(ruleset: str, mode: str, seed: str = "forged", header_seed: str = "") -> bytes:
    """Return a game of bots. With a ``header_seed`` its header is that of another game, so that the key is false."""
    prepared = prepared_for(ruleset)
    key, names = key_from_seed(seed), name_seats(prepared, {})
    dice, header, _ = new_header(prepared, names, Keying(key), mode, {})
    recorded = play_recorded(prepared, seat_players(prepared, names, key), dice, header)
    if not header_seed:
        return recorded.data
    other = make_dice(mode, key_from_seed(header_seed))
    return log_bytes(make_header(prepared, names, other), recorded.game)[0]


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


SIGNING = ("nobody", "all", "one side")
"""Who signs: no seat, every seat and the umpire, or the seats of the first side."""


class Kind(NamedTuple):
    """A kind of game: its ruleset, dice mode, script (or "branched", "apart", "battles"), and who signs."""

    ruleset: str
    mode: str
    script: str
    signing: str


def kinds_of_games() -> list[Kind]:
    """Return every kind of game that can be played."""
    found = []
    for ruleset in SCENARIOS:
        prepared = prepared_for(ruleset)
        manifest = prepared.installed.manifest
        is_secret = bool(why_secret(manifest, prepared.options))
        modes = MODES if is_secret else (*MODES, SHARED)
        for mode in modes:
            for script in _SCRIPTS:
                if script == "renewed" and mode != SHARED:
                    continue
                who = SIGNING[1:2] if script == "new keys" else SIGNING
                found += [Kind(ruleset, mode, script, signing) for signing in who]
        found += [Kind(ruleset, mode, "branched", "nobody") for mode in ("open", "host")]
        if manifest.keeper in ("none", "claims"):
            found.append(Kind(ruleset, "host", "apart", "nobody"))
    return [*found, Kind("khamsin", "open", "battles", "nobody")]


@cache
def game_of(kind: Kind) -> bytes:
    """Return the log of a game of this kind."""
    prepared = prepared_for(kind.ruleset)
    if kind.script == "branched":
        return branched(kind.ruleset, kind.mode)
    if kind.script == "apart":
        options = without_keeper(prepared.installed.manifest, prepared.options)
        return log_apart(prepared.installed.prepare(prepared.scenario, options), "forged").data
    if kind.script == "battles":
        return BATTLES.read_bytes()
    table = Table(prepared, "forged", kind.mode, _keys_of(kind), FEW_LINKS if kind.script == "renewed" else LINKS)
    _SCRIPTS[kind.script](table)
    return table.data


def replayed(kind: Kind, seat: str) -> bytes:
    """Return the plain game as its host plays it again with other orders of ``seat``: all fits but its signatures.

    The host has every key but that of the seat, and its signatures in the honest game.
    """
    keys = _keys_of(kind)
    if seat in keys:
        keys[seat] = Impostor(keys[seat], parse_log(game_of(kind), "honest"), seat)
    table = Table(prepared_for(kind.ruleset), "forged", kind.mode, keys, LINKS)
    return table.data if table.forge(seat) else game_of(kind)


def _keys_of(kind: Kind) -> dict[str, SeatKey]:
    ruleset = prepared_for(kind.ruleset).ruleset
    keys = fixed_keys(prepared_for(kind.ruleset)) if kind.signing != "nobody" else {}
    if kind.signing == "one side":
        keys = {seat: key for seat, key in keys.items() if ruleset.side_of(seat) == ruleset.viewers[0]}
    return keys


# --- parts of logs ---


_PREPARED: dict[bytes, Prepared] = {}


def prepared_of(log: Log) -> Prepared:
    """Return the ruleset as the header of a log states it; raises what ``prepare_for`` does."""
    facts = ("ruleset", "ruleset_version", "ruleset_hash", "scenario", "scenario_hash", "options", "variants", "keeper")
    asked = json.encode({name: getattr(log.header, name) for name in facts})
    if log.header.scenario_data is not None:
        return prepare_for(log, RULESETS)
    if asked not in _PREPARED:
        _PREPARED[asked] = prepare_for(log, RULESETS)
    return _PREPARED[asked]


def as_slice(data: bytes, side: str) -> bytes:
    """Return the slice of a side, or of spectators (``public``)."""
    log = parse_log(data, "game")
    return slice_log(log, prepared_of(log), side)


@lru_cache(64)
def joined(data: bytes) -> bytes:
    """Return the merged slices of all sides of the log."""
    sides = prepared_of(parse_log(data, "game")).ruleset.viewers
    return merged([parse_log(as_slice(data, side), side) for side in sides])


def unfinished(data: bytes, share: float) -> bytes:
    """Return the first part of a log, with its openings and the annexes of the log."""
    first, rest = cut_after(data, max(1, int((len(tables_of(data)) - 2) * share))).split(b"\n", 1)
    return b"".join([first, b"\n", *annexes_in(data), rest])


def annexes_in(data: bytes) -> list[bytes]:
    """Return the annexes of a log, with their line ends."""
    return [line for line in data.splitlines(keepends=True) if line.startswith(ANNEX)]


class File(NamedTuple):
    """A file of a game: its bytes, and the side as whose slice it is judged, or "" for the file of a keeper."""

    data: bytes
    side: str = ""


@lru_cache(256)
def _slice_of(kind: Kind, side: str) -> bytes:
    return as_slice(game_of(kind), side)


def file_of(kind: Kind, part: str, rng: Random) -> File:
    """Return the ``part`` of a game, one of PARTS, for a random side and with a random length."""
    whole = game_of(kind)
    if part == "joined":
        return File(joined(whole))
    side = rng.choice((*prepared_for(kind.ruleset).ruleset.viewers, PUBLIC)) if "slice" in part else ""
    data = _slice_of(kind, side) if side else whole
    return File(unfinished(data, rng.choice((0.1, 0.3, 0.5, 0.7, 0.9, 1))) if "unfinished" in part else data, side)


PARTS = ("whole", "unfinished", "slice", "unfinished slice", "joined")
