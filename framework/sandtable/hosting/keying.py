"""The key of a new game: from a seed, from a file, or random if a seed would give secrets away."""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from sandtable.errors import PlayError
from sandtable.journal.file.keys import read_key
from sandtable.journal.format.header import PERSON, person_plays
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.shared.epochs import SHARED
from sandtable.plugin.manager import Prepared


@dataclass(frozen=True)
class Keying:
    """The ``key`` of a game, its ``salts`` if they are not derived from the key, and its source.

    The source is a fresh ``seed`` or a ``file``; both may be empty. ``is_random`` means that the key cannot be made
    again; then the chains of shared dice are random, too.
    """

    key: bytes = field(repr=False)
    salts: bytes = field(default=b"", repr=False)
    seed: str = ""
    file: str = ""
    is_random: bool = False


def usual_dice(prepared: Prepared, names: Mapping[str, str], seed: str | None) -> str:
    """Return the dice mode for the players ``names``: "host" if people play two or more sides, "open" for all others.

    A ``seed`` means open dice. The umpire's seat does not count as a side.
    """
    side_of = prepared.ruleset.side_of
    people = {side_of(seat) for seat, name in names.items() if name == PERSON} - {UMPIRE}
    return "host" if len(people) > 1 and seed is None else "open"


def takes_seed(dice: str, names: Mapping[str, str]) -> bool:
    """Return whether the dice of the players ``names`` may follow from a seed: open dice, and shared dice of bots."""
    return dice == "open" or (dice == SHARED and PERSON not in names.values())


def choose_key(
    prepared: Prepared, names: Mapping[str, str], dice: str, *, seed: str | None = None, file: str | None = None
) -> Keying:
    """Return the key for a game of ``prepared`` with the players ``names``.

    With ``open`` dice it may be derived from ``seed``, or from a fresh seed; with other dice it is 32 random bytes, or
    the key in ``file``. Shared dice of bots may have a seed, too. If a person plays with secrets and open dice, the
    secrets use separate salts. Raises PlayError for a seed that is not allowed, DataError for a file without a key.
    """
    if seed is not None and (not takes_seed(dice, names) or file is not None):
        raise PlayError(f"a seed can be guessed, which would reveal {dice} dice: omit the seed, or name a key file")
    salted = dice == "open" and prepared.ruleset.hidden and person_plays(prepared.ruleset, names)
    if file is not None:
        key = read_key(file)
        return Keying(key, hmac.digest(key, b"salts", "sha256") if salted else b"", file=file)
    if dice != "open" and seed is None:
        return Keying(secrets.token_bytes(32), is_random=True)
    fresh = "" if seed is not None else secrets.token_hex(8)
    return Keying(key_from_seed(seed or fresh), secrets.token_bytes(32) if salted else b"", fresh)
