"""Battles fought by another ruleset: each battle's log is an annex of the campaign's log (log format, section 10)."""

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
from sandtable.journal.format.limits import MAX_LINE
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.state import State
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.scenarios import scenario_of
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.result import Result
from sandtable.tabletop.terms import Terms

MAX_BATTLE = 16 << 20
"""Maximum number of unpacked bytes of one battle's log."""
MAX_BATTLES = 256 << 20
"""Maximum total number of bytes of battles that are unpacked from one log."""

_MARK = b'"battle":"'
_OVERHEAD = 1 << 12
"""Bytes of a line reserved for everything around the packed log."""


class BattleRecord(Struct, frozen=True):
    """The log of a battle of the brief ``brief``, fought by ``ruleset``: its bytes and their SHA-256."""

    brief: str
    ruleset: str
    digest: str
    data: bytes


class PackedBattle(Struct, frozen=True):
    """A battle as packed in its annex; ``battle`` is the digest. Other annexes have empty fields."""

    battle: str = ""
    brief: str = ""
    ruleset: str = ""
    log: str = ""


_DECODER = msgspec.json.Decoder(PackedBattle)


def battle_of(brief: str, ruleset: str, data: bytes) -> BattleRecord:
    """Return the battle whose log is ``data``."""
    return BattleRecord(brief, ruleset, hashlib.sha256(data).hexdigest(), data)


def annex_facts(battle: BattleRecord) -> dict[str, Any]:
    """Return the content of a battle's annex; raise PlayError if its log is too large for one line."""
    packed = b64encode(zlib.compress(battle.data, 9)).decode()
    if len(battle.data) > MAX_BATTLE or len(packed) > MAX_LINE - _OVERHEAD:
        raise PlayError(
            f"the battle {battle.brief} made a log of {len(battle.data) >> 10} KiB, too large for the campaign's log"
        )
    return {"battle": battle.digest, "brief": battle.brief, "ruleset": battle.ruleset, "log": packed}


def battle_digests(log: Log) -> list[str]:
    """Return the digests stated in the annexes of battles, in file order."""
    return [each.battle for each in packed_battles(log)]


def packed_battles(log: Log) -> Iterator[PackedBattle]:
    """Yield the battles in ``log`` in file order; raise LogDamaged if an annex cannot be read."""
    return (packed for _, packed in _annexes(log))


def read_battles(log: Log) -> Iterator[BattleRecord]:
    """Yield the battles in ``log``, unpacked one at a time; their bytes may not match their digest.

    Raises what ``Unpacker.unpack`` raises.
    """
    unpack = Unpacker(log.name).unpack
    return (BattleRecord(each.brief, each.ruleset, each.battle, unpack(each)) for each in packed_battles(log))


def battle_lines(log: Log) -> list[bytes]:
    """Return the annexes with battles as in the file, with line ends, the last one for each digest."""
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
    """A reader of the packed battles of the log ``name``, up to MAX_BATTLES in total.

    The limit is for all annexes together, because an annex may unpack to 1,000 times its size.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = MAX_BATTLES

    def unpack(self, packed: PackedBattle) -> bytes:
        """Return the bytes of a battle; raise LogDamaged if it cannot be unpacked, LogError if it is too large."""
        try:
            data = zlib.decompressobj().decompress(b64decode(packed.log, validate=True), MAX_BATTLE + 1)
        except (binascii.Error, zlib.error, ValueError) as error:
            raise LogDamaged(f"{self._name}: the battle {packed.brief} cannot be unpacked: {error}") from error
        if len(data) > MAX_BATTLE:
            most = f"{MAX_BATTLE >> 20} MiB, the limit for a battle"
            raise LogError(f"{self._name}: the battle {packed.brief} unpacks to more than {most}")
        self._left -= len(data)
        if self._left < 0:
            raise LogError(f"{self._name}: its battles unpack to more than {MAX_BATTLES >> 20} MiB in total")
        return data


# --- playing a battle ---


def stage(installed: Installed, brief: Brief) -> Prepared:
    """Return the ruleset prepared for the battle of ``brief``; raise RulesetMissing if it fights none for others."""
    make = installed.battles.stage
    if make is None:
        raise RulesetMissing(f"{installed.manifest.id} fights no battles for others: its ruleset_battles has no stage")
    staged = make(brief)
    scenario = scenario_of(staged.tables, f"the battle {brief.id}", own=True)
    return installed.prepare(scenario, staged.options)


def fights_battles(installed: Installed) -> bool:
    """Return whether a ruleset fights battles for others."""
    return installed.battles.stage is not None


def report(installed: Installed, terms: Terms, state: State, digest: str) -> Result:
    """Return the result of a battle that ended in ``state``, and whose log has the SHA-256 ``digest``."""
    assert installed.battles.report is not None  # noqa: S101 - rulesets with ``stage`` have ``report``
    result = installed.battles.report(terms, state, state.board)
    return msgspec.structs.replace(result, source=installed.manifest.id, battle=digest)


def battle_key(umpire: Stream, brief: str) -> bytes:
    """Return the dice key of a battle, which depends only on the umpire's stream and the brief's id."""
    branch = umpire.branch(brief)
    return bytes(branch.below(256) for _ in range(32))


def battle_key_in(campaign: bytes, brief: str) -> bytes:
    """Return the dice key of a battle in the campaign with the dice key ``campaign``."""
    return battle_key(Stream.for_player(campaign, UMPIRE), brief)


# --- battles in a campaign ---


class BattleTerms:
    """The terms of the battles that the umpire had to report, by brief id, and the records of its ``answers``."""

    def __init__(self) -> None:
        self.terms: dict[str, Terms] = {}
        self.answers: list[OrderRecord[Any]] = []

    def note(self, decision: Decision) -> None:
        """Keep the terms if ``decision`` asks for the result of a battle."""
        if decision.seat == UMPIRE:
            space = results_in(decision.options)
            if space is not None:
                self.terms[space.brief.id] = space.terms


def unknown(battles: Iterable[BattleRecord], digests: Iterable[str]) -> Mapping[str, BattleRecord]:
    """Return the ``battles`` whose digests are not among ``digests``, by digest."""
    known = set(digests)
    return {each.digest: each for each in battles if each.digest not in known}
