"""The first line of a log (log format, section 2)."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, json
from msgspec.structs import replace

import sandtable
from sandtable.errors import LogDamaged, LogError
from sandtable.journal.format.lines import committed
from sandtable.journal.format.openings import content_of_part
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import KeyedDice, ManualDice, commitment
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.shared.epochs import SHARED, SharedDice
from sandtable.plugin.manager import Prepared
from sandtable.quoting import shortened

FORMAT = "sandtable-log"
FORMAT_VERSION = 3

MODES = ("open", "host", "manual", SHARED)
_KEY = re.compile(r"[0-9a-fA-F]{64}")

NO_KEEPER = "none"
"""The ``keeper`` of a game without one."""
PERSON = "human"
"""The player name of a seat that a person plays."""


class Parent(Struct, frozen=True, forbid_unknown_fields=True):
    """The origin of a branch: the other game's id and the first record that may differ (0: from the start)."""

    game: str
    record: int


class ChainTip(Struct, frozen=True, forbid_unknown_fields=True):
    """The public beginning of a hash chain: its tip in hex, and its number of links."""

    tip: str
    links: int


class Header(Struct, frozen=True, tag="header", tag_field="kind", omit_defaults=True, forbid_unknown_fields=True):
    """The facts that are required to rerun a game.

    A ``root`` commits to key and salts, which are then in an opening and not in the chain. ``keys`` are the public
    keys of signers, by seat. ``chains`` are those of shared dice, by side. ``parent`` is the game from which this one
    branched off. ``dice_set`` are the faces, by label, that were set for the branch instead of following from the key.
    ``keeper`` is NO_KEEPER if no program held the secrets of all sides during play.
    """

    format: str
    format_version: int
    game: str
    framework: str
    ruleset: str
    ruleset_version: str
    ruleset_hash: str
    scenario: str
    scenario_hash: str
    options: dict[str, str]
    players: dict[str, str]
    dice: str
    key: str = ""
    commitment: str = ""
    salts: str = ""
    root: str = ""
    keys: dict[str, str] = {}
    chains: dict[str, ChainTip] = {}
    variants: tuple[str, ...] = ()
    scenario_data: dict[str, Any] | None = None
    parent: Parent | None = None
    dice_set: dict[str, tuple[int, ...]] = {}
    keeper: str = ""
    hash: str = ""

    @property
    def has_dice_key(self) -> bool:
        """Whether one key gives all dice of the game (``open``, ``host``); otherwise its key makes salts only."""
        return self.dice in ("open", "host")

    def known_key(self, name: str = "the log") -> bytes | None:
        """Return the dice key, or None if the header does not show it; raise LogDamaged, naming the log, if invalid."""
        return key_bytes(self.key, f"{name}: line 1: the dice key") if self.key else None

    def salt_source(self) -> bytes:
        """Return the source of salts as far as the header shows it: ``salts``, or without them the key."""
        return self.known_salts() or self.known_key() or b""

    def known_salts(self, name: str = "the log") -> bytes:
        """Return the source of salts, empty if that is the key; raises as ``known_key`` does."""
        return key_bytes(self.salts, f"{name}: line 1: the source of the salts") if self.salts else b""


ENCODER = json.Encoder(order="deterministic")


def header_body(header: Header) -> bytes:
    """Return the body of the header's line: its public part, in canonical form."""
    bare = replace(header, hash="", key="", salts="") if header.root else replace(header, hash="")
    return ENCODER.encode(bare)[:-1]


def header_commitment(header: Header, viewers: Sequence[str], to: str = UMPIRE) -> tuple[str, bytes]:
    """Return the root over what ``header`` hides, and the opening of the header for ``to``, without line end.

    Both are empty if the header hides nothing, or does not show its key. Only the umpire's opening shows something.
    """
    if not header.root or not header.key:
        return "", b""
    part = {"key": header.key} | ({"salts": header.salts} if header.salts else {})
    contents = dict.fromkeys(viewers, b"") | {UMPIRE: content_of_part(part)}
    return committed(0, contents, sorted(viewers), KeyedSalts(header.salt_source()), to)


def game_id(header: Header, body: bytes | None = None) -> str:
    """Return the id of the game: 16 hex digits of the SHA-256 of the header's body with an empty id."""
    whole = header_body(header) if body is None else body
    return hashlib.sha256(whole.replace(b'"game":"%b"' % header.game.encode(), b'"game":""', 1)).hexdigest()[:16]


def make_header(
    prepared: Prepared,
    players: Mapping[str, str],
    dice: KeyedDice,
    parent: Parent | None = None,
    keys: Mapping[str, str] | None = None,
    chains: Mapping[str, ChainTip] | None = None,
) -> Header:
    """Return the header of a game of ``prepared`` with ``players`` (by seat) and ``dice``.

    ``keys`` are public keys by seat; ``parent`` is given for a branch, and ``chains`` for shared dice.
    """
    manifest, scenario = prepared.installed.manifest, prepared.scenario
    is_open = dice.mode == "open" and not prepared.ruleset.hidden
    header = Header(
        format=FORMAT,
        format_version=FORMAT_VERSION,
        game="",
        framework=sandtable.__version__,
        ruleset=manifest.id,
        ruleset_version=manifest.version,
        ruleset_hash=prepared.installed.content_hash,
        scenario=scenario.id,
        scenario_hash=scenario.digest,
        options=dict(prepared.options),
        players=dict(players),
        dice=dice.mode,
        key=dice.key.hex() if dice.mode == "open" else "",
        commitment="" if is_open else commitment(dice.key),
        salts=dice.salts.hex(),
        keys=dict(keys or {}),
        chains=dict(chains or {}),
        variants=prepared.installed.variants,
        scenario_data=scenario.data if scenario.own else None,
        parent=parent,
        dice_set=dict(getattr(dice, "faces", {})),
        keeper="" if prepared.holds is None else NO_KEEPER,
    )
    if prepared.ruleset.hidden:
        root, _ = header_commitment(replace(header, root="0" * 64), prepared.ruleset.viewers)
        header = replace(header, root=root)
    return replace(header, game=game_id(header))


def key_bytes(text: str, where: str) -> bytes:
    """Return the 32 bytes that ``text`` gives in hex; raise LogDamaged, naming ``where``, if it is not such a key."""
    if not _KEY.fullmatch(text):
        raise LogDamaged(f"{where} {shortened(text)!r} is not 64 hex digits: it was altered")
    return bytes.fromhex(text)


def person_plays(ruleset: Ruleset, players: Mapping[str, str]) -> bool:
    """Return whether a person plays one of the sides. The umpire, who sees everything, does not count."""
    return any(name == PERSON and ruleset.side_of(seat) != UMPIRE for seat, name in players.items())


def make_dice(mode: str, key: bytes, salts: bytes = b"") -> KeyedDice:
    """Return the dice of ``mode``, one of MODES; raise LogError for any other mode. Shared dice still need epochs."""
    if mode not in MODES:
        raise LogError(f"unknown dice mode {mode!r}; use one of {', '.join(MODES)}")
    if mode == SHARED:
        return SharedDice(key, salts)
    return ManualDice(key, salts) if mode == "manual" else KeyedDice(key, mode, salts)
