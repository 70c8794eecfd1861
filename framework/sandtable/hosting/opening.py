"""Open a new game: its players, key, header and log."""

import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sandtable.errors import PlayError
from sandtable.hosting.keying import Keying
from sandtable.journal.epochs.heads import chain_tips, connect
from sandtable.journal.epochs.links_file import LinksFile
from sandtable.journal.file.keys import refuse_stray_key
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import Header, make_dice, make_header, person_plays
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.hands.writing import Hands
from sandtable.journal.record import form_for
from sandtable.journal.standing.answers import StandingOrders
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.play.game import Game
from sandtable.kernel.shared.chains import LINKS
from sandtable.kernel.shared.epochs import SHARED
from sandtable.kernel.shared.local import LocalLinks
from sandtable.players.players import HUMAN, best_for, name_seats
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import why_secret

Keep = Callable[[str, bytes], None]
"""A function that stores the key of a game next to its log, and reports where."""


class Opened(NamedTuple):
    """A game that has not begun, its log, and the hands that sign its orders."""

    game: Game
    writer: LogWriter
    header: Header
    hands: Hands


def with_opponents(prepared: Prepared, named: Mapping[str, str]) -> dict[str, str]:
    """Return the player of every seat: the one named for it or its side, or the best bot for the seat.

    The umpire's seat has the ruleset's usual umpire. Raises PlayError as ``name_seats`` does.
    """
    names = name_seats(prepared, named)
    free = [each for each, side in prepared.ruleset.seats.items() if not {each, side} & set(named) and each != UMPIRE]
    return names | {seat: best_for(prepared.installed, seat) for seat in free}


def open_game(
    prepared: Prepared,
    names: Mapping[str, str],
    keying: Keying,
    *,
    dice: str,
    path: str | Path = "",
    keys: Mapping[str, str] | None = None,
    signers: Mapping[str, SeatKey] | None = None,
    keep: Keep | None = None,
    force: bool = False,
) -> Opened:
    """Open the log of a new game, without playing. Its name is ``path``, or is made from the game.

    Before the header is written, a key that is not in a file or in the header is passed to ``keep``, and the secret
    links of shared dice are written to their file. ``keys`` are the public keys by seat. ``signers`` are secrets of
    seats, whose orders are signed here; their public keys are added to ``keys``. If a person plays, the log is durable,
    and seats may give standing orders.
    Raises LogExists and LogWriteFailed.
    """
    signers = signers or {}
    public = dict(keys or {}) | {seat: key.public for seat, key in signers.items()}
    keyed, header, chains = new_header(prepared, names, keying, dice, dict(sorted(public.items())))
    file = str(path) or f"{prepared.ruleset.id}-{prepared.scenario.id}-{header.game[:8]}.jsonl"
    durable = HUMAN in names.values()
    kept = keep if dice != "open" and not keying.file else None
    if kept is not None:
        refuse_stray_key(file, force=force)

    def first() -> None:
        if kept is not None:
            kept(file, keying.key)
        if chains:
            connect(keyed, header, prepared.ruleset, LinksFile.create(file, chains, notes=durable, replace=force))

    sources: Sequence[str] = [*map(str, prepared.sources()), *([keying.file] if keying.file else [])]
    writer = LogWriter.create(
        file,
        header,
        form_for(prepared.ruleset, keyed),
        durable=durable,
        force=force,
        private=person_plays(prepared.ruleset, names),
        sources=sources,
        first=first,
    )
    game, hands = prepared.new_game(keyed), Hands(header, writer, signers.values())
    hands.follow(game)
    if durable:
        StandingOrders(prepared, game)
    return Opened(game, writer, header, hands)


def new_header(
    prepared: Prepared,
    names: Mapping[str, str],
    keying: Keying,
    dice: str,
    keys: Mapping[str, str],
    links: int = LINKS,
) -> tuple[KeyedDice, Header, dict[str, bytes]]:
    """Return the dice and the header of a new game, and the secrets of the chains of shared dice, by side.

    Their chains have ``links`` links each. Raises PlayError for shared dice if the rules roll in secret.
    """
    secret = why_secret(prepared.installed.manifest, prepared.options) if dice == SHARED else ""
    if secret:
        raise PlayError(
            f"{prepared.ruleset.id} rolls dice that not all sides may see ({secret}), but shared dice are public: "
            "choose `host` dice"
        )
    keyed = make_dice(dice, keying.key, keying.salts)
    header = make_header(prepared, names, keyed, keys=dict(keys))
    if dice != SHARED:
        return keyed, header, {}
    found = link_secrets(keying, header, prepared.ruleset.viewers)
    local = LocalLinks(found, links)
    header = make_header(prepared, names, keyed, keys=header.keys, chains=chain_tips(local.tips()))
    connect(keyed, header, prepared.ruleset, local)
    return keyed, header, found


def link_secrets(keying: Keying, header: Header, names: Sequence[str]) -> dict[str, bytes]:
    """Return the secrets of the chains of ``names``: random, or those of a game with this ``header`` and key."""
    if keying.is_random:
        return {name: secrets.token_bytes(32) for name in names}
    return {name: hmac.digest(keying.key, f"links/{header.game}/{name}".encode(), "sha256") for name in names}
