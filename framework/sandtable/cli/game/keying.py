"""Where the key of a new game comes from: a seed, a file, or chance where a seed would give secrets away."""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from sandtable.cli.output import say
from sandtable.cli.setting import seed_or_fresh

if TYPE_CHECKING:
    from sandtable.plugin.manager import Prepared


@dataclass(frozen=True)
class Keying:
    """The ``key`` of a game, the ``salts`` if they are not made from it, and where it came from.

    That is a fresh ``seed``, or a ``file``; both are empty otherwise.
    """

    key: bytes = field(repr=False)
    salts: bytes = field(default=b"", repr=False)
    seed: str = ""
    file: str = ""


def usual_dice(prepared: "Prepared", names: Mapping[str, str], seed: str | None) -> str:
    """Return the dice of a game with the players ``names`` where none are named: hidden ones where two people play.

    Who names a seed asks for open dice.
    """
    from sandtable.journal.format.header import PERSON  # noqa: PLC0415 - so that --help stays quick
    from sandtable.kernel.decisions import UMPIRE  # noqa: PLC0415

    side_of = prepared.ruleset.side_of
    people = {side_of(seat) for seat, name in names.items() if name == PERSON} - {UMPIRE}
    return "host" if len(people) > 1 and seed is None else "open"


def public_keys(prepared: "Prepared", given: Sequence[str]) -> dict[str, str]:
    """Return the public keys that are named as SEAT=HEX, by seat; raises UsageError for what is none."""
    from sandtable.cli.setting import pairs  # noqa: PLC0415
    from sandtable.journal.anchors.signing import is_public_key  # noqa: PLC0415 - so that --help stays quick

    found = pairs(given, "--public-key")
    for seat, key in found.items():
        if seat not in prepared.ruleset.seats:
            raise click.UsageError(
                f"--public-key: no such seat: {seat!r}; there are {', '.join(prepared.ruleset.seats)}"
            )
        if not is_public_key(key):
            raise click.UsageError(f"--public-key {seat}: {key!r} is not 64 hex digits, as `sandtable key` prints them")
    return dict(sorted(found.items()))


def choose_key(prepared: "Prepared", names: Mapping[str, str], dice: str, seed: str | None, file: str | None) -> Keying:
    """Return the key for a game of ``prepared`` with the players ``names``.

    With ``host`` and ``manual`` dice it is 32 random bytes, or stands in ``file``. With ``open`` dice it may follow
    from ``seed``; where a person plays with secrets, they hang on salts of their own. Raises UsageError for a seed
    where there may be none, DataError for a file without a key.
    """
    import secrets  # noqa: PLC0415 - so that --help stays quick

    from sandtable.journal.file.keys import read_key  # noqa: PLC0415
    from sandtable.journal.format.header import person_plays  # noqa: PLC0415

    if seed is not None and file is not None:
        raise click.UsageError("--seed and --key both say what the dice are: leave one out")
    if seed is not None and dice != "open":
        raise click.UsageError(
            f"--seed: a seed can be guessed, and with it the key of {dice} dice: "
            "leave it out, then the key is random, or name a key file with --key"
        )
    salted = dice == "open" and prepared.ruleset.hidden and person_plays(prepared.ruleset, names)
    if file is not None:
        key = read_key(file)
        return Keying(key, hmac.digest(key, b"salts", "sha256") if salted else b"", file=file)
    if dice != "open":
        return Keying(secrets.token_bytes(32))
    seed, fresh = seed_or_fresh(seed)
    return Keying(key_of_seed(seed), secrets.token_bytes(32) if salted else b"", seed if fresh else "")


def key_of_seed(seed: str) -> bytes:
    """Return the key that follows from ``seed``; raises UsageError for one that nobody could type again."""
    from sandtable.kernel.dice import key_from_seed  # noqa: PLC0415 - so that --help stays quick

    return key_from_seed(seed_or_fresh(seed)[0])


def keep_and_tell(log: str, key: bytes, *, replace: bool) -> None:
    """Keep ``key`` in a file beside ``log``, and say so."""
    from sandtable.journal.file.keys import keep_key  # noqa: PLC0415 - so that --help stays quick

    say(f"key: {keep_key(log, key, replace=replace)} (the game cannot go on without it; it is removed at the end)")
