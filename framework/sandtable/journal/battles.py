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
"""Bytes of the log of one battle at most, once it is unpacked."""

_MARK = b'"battle":"'
_ROOM = 1 << 12
"""What of a line may be around the packed log."""


class BattleRecord(Struct, frozen=True):
    """The log of a battle of the brief ``brief``, fought by ``ruleset``: all its bytes, and their SHA-256."""

    brief: str
    ruleset: str
    digest: str
    data: bytes


class _Annex(Struct, frozen=True):
    """An annex as far as a battle is in it; of other annexes the fields are empty."""

    battle: str = ""
    brief: str = ""
    ruleset: str = ""
    log: str = ""


_DECODER = msgspec.json.Decoder(_Annex)


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
    return [each.battle for each in _annexes(log)]


def read_battles(log: Log) -> list[BattleRecord]:
    """Return the battles in ``log``, in the order of the file; their bytes may not fit their digest.

    Raises LogDamaged for one that cannot be unpacked.
    """
    return [BattleRecord(each.brief, each.ruleset, each.battle, _unpacked(each, log.name)) for each in _annexes(log)]


def _annexes(log: Log) -> Iterator[_Annex]:
    for line in log.annexes():
        if _MARK in line:
            try:
                annex = _DECODER.decode(line)
            except UNREADABLE as error:
                raise LogDamaged(f"{log.name}: an annex with a battle cannot be read: {error}") from error
            if annex.battle:
                yield annex


def _unpacked(annex: _Annex, name: str) -> bytes:
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(b64decode(annex.log, validate=True), MOST_BATTLE + 1)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise LogDamaged(f"{name}: the battle {annex.brief} cannot be unpacked: {error}") from error
    if len(data) > MOST_BATTLE:
        raise LogError(f"{name}: the battle {annex.brief} unpacks to more than {MOST_BATTLE >> 20} MiB: no battle does")
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
