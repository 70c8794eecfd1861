"""Battles fought by another ruleset: the log of each travels in an annex of the campaign's (log format, section 10)."""

import binascii
import hashlib
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from sandtable.errors import LogDamaged, LogError, PlayError, RulesetMissing
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.format.limits import MOST_LINE
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.state import State
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.scenarios import scenario_of
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.result import Result
from sandtable.tabletop.terms import Terms

MOST_BATTLE = 16 << 20
"""Maximum number of bytes of the log of one battle, unpacked."""
MOST_BATTLES = 256 << 20
"""Maximum number of bytes of all battles that one reading of a log unpacks."""

_MARK = b'"battle":"'
_ROOM = 1 << 12
"""What of a line may be around the packed log."""


class BattleRecord(Struct, frozen=True):
    """The log of a battle of the brief ``brief``, fought by ``ruleset``: all its bytes, and their SHA-256."""

    brief: str
    ruleset: str
    digest: str
    data: bytes


class PackedBattle(Struct, frozen=True):
    """A battle as its annex holds it, not unpacked: ``battle`` is the digest. Other annexes have empty fields."""

    battle: str = ""
    brief: str = ""
    ruleset: str = ""
    log: str = ""


_DECODER = msgspec.json.Decoder(PackedBattle)


def battle_of(brief: str, ruleset: str, data: bytes) -> BattleRecord:
    """Return the battle whose log is ``data``."""
    return BattleRecord(brief, ruleset, hashlib.sha256(data).hexdigest(), data)


def annex_facts(battle: BattleRecord) -> dict[str, Any]:
    """Return what the annex of a battle holds. Raises PlayError when its log is too large to travel in one line."""
    packed = b64encode(zlib.compress(battle.data, 9)).decode()
    if len(battle.data) > MOST_BATTLE or len(packed) > MOST_LINE - _ROOM:
        raise PlayError(
            f"the battle {battle.brief} made a log of {len(battle.data) >> 10} KiB, too large to go with the campaign's"
        )
    return {"battle": battle.digest, "brief": battle.brief, "ruleset": battle.ruleset, "log": packed}


def battle_digests(log: Log) -> list[str]:
    """Return the digests that the annexes of battles state, in the order of the file."""
    return [each.battle for each in packed_battles(log)]


def packed_battles(log: Log) -> Iterator[PackedBattle]:
    """Yield the battles in ``log``, in the order of the file; raises LogDamaged for an annex that cannot be read."""
    return (packed for _, packed in _annexes(log))


def read_battles(log: Log) -> Iterator[BattleRecord]:
    """Yield the battles in ``log``, unpacked one at a time; their bytes may not fit their digest.

    Raises what ``Unpacker.unpack`` raises.
    """
    unpack = Unpacker(log.name).unpack
    return (BattleRecord(each.brief, each.ruleset, each.battle, unpack(each)) for each in packed_battles(log))


def battle_lines(log: Log) -> list[bytes]:
    """Return the annexes with battles as they are in the file, with line ends, the last one of each digest."""
    return list({packed.battle: line + b"\n" for line, packed in _annexes(log)}.values())


def _annexes(log: Log) -> Iterator[tuple[bytes, PackedBattle]]:
    for line in log.annexes():
        if _MARK in line:
            try:
                annex = _DECODER.decode(line)
            except UNREADABLE as error:
                raise LogDamaged(f"{log.name}: an annex with a battle cannot be read: {error}") from error
            if annex.battle:
                yield line, annex


class Unpacker:
    """Unpacks battles of the log ``name``, up to MOST_BATTLES in all: an annex may unpack to 1,000 times its size."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = MOST_BATTLES

    def unpack(self, packed: PackedBattle) -> bytes:
        """Return the bytes of a battle. Raises LogDamaged if it cannot be unpacked, LogError if it is too large."""
        try:
            data = zlib.decompressobj().decompress(b64decode(packed.log, validate=True), MOST_BATTLE + 1)
        except (binascii.Error, zlib.error, ValueError) as error:
            raise LogDamaged(f"{self._name}: the battle {packed.brief} cannot be unpacked: {error}") from error
        if len(data) > MOST_BATTLE:
            most = f"{MOST_BATTLE >> 20} MiB: no battle does"
            raise LogError(f"{self._name}: the battle {packed.brief} unpacks to more than {most}")
        self._left -= len(data)
        if self._left < 0:
            raise LogError(f"{self._name}: its battles unpack to more than {MOST_BATTLES >> 20} MiB in all")
        return data


# --- fighting one ---


def stage(installed: Installed, brief: Brief) -> Prepared:
    """Return the ruleset made ready for the battle of ``brief``; raises RulesetMissing when it fights none."""
    make = installed.battles.stage
    if make is None:
        raise RulesetMissing(f"{installed.manifest.id} fights no battles for others: its ruleset_battles has no stage")
    staged = make(brief)
    scenario = scenario_of(staged.tables, f"the battle {brief.id}", own=True)
    return installed.prepare(scenario, staged.options)


def fights_battles(installed: Installed) -> bool:
    """Return whether a ruleset fights another's battles."""
    return installed.battles.stage is not None


def report(installed: Installed, terms: Terms, state: State, digest: str) -> Result:
    """Return what came of a battle that ended in ``state``, and whose log has the SHA-256 ``digest``."""
    assert installed.battles.report is not None  # noqa: S101 - it has ``stage``, and one needs the other
    told = installed.battles.report(terms, state, state.board)
    return msgspec.structs.replace(told, source=installed.manifest.id, battle=digest)


def battle_key(umpire: Stream, brief: str) -> bytes:
    """Return the dice key of a battle: it follows from the umpire's stream and the brief's id alone."""
    branch = umpire.branch(brief)
    return bytes(branch.below(256) for _ in range(32))


def key_due(campaign: bytes, brief: str) -> bytes:
    """Return the dice key of a battle in the campaign whose own is ``campaign``."""
    return battle_key(Stream.for_player(campaign, UMPIRE), brief)


# --- what was asked ---


class Asked:
    """What the umpire of a game was asked to report: the terms of each battle, by the id of its brief."""

    def __init__(self) -> None:
        self.terms: dict[str, Terms] = {}

    def note(self, decision: Decision) -> None:
        """Keep the terms, where ``decision`` asks for a result."""
        if decision.seat == UMPIRE:
            space = results_in(decision.options)
            if space is not None:
                self.terms[space.brief.id] = space.terms


def unknown(battles: Iterable[BattleRecord], digests: Iterable[str]) -> Mapping[str, BattleRecord]:
    """Return those of ``battles`` whose digests are not among ``digests``, by digest."""
    known = set(digests)
    return {each.digest: each for each in battles if each.digest not in known}
