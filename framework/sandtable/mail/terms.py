"""The terms of a game by mail: its parties, and the header that follows from the invitation and its answers."""

import re
import secrets
from collections.abc import Sequence
from hashlib import sha256

from msgspec.structs import replace

import sandtable
from sandtable.errors import PlayError
from sandtable.journal.epochs.heads import chain_tips
from sandtable.journal.format.header import PERSON, Header, game_id, make_dice, make_header
from sandtable.journal.hands.seeds import SeatKey, last_link
from sandtable.kernel.shared.chains import Chain
from sandtable.kernel.shared.epochs import SHARED, why_no_chain
from sandtable.mail.packets import FORMAT, Invitation, JoinedSide, Joining, Start, by_side, digest_of, is_from, sign
from sandtable.players.players import name_seats
from sandtable.plugin.manager import Prepared
from sandtable.plugin.options.keepers import keeper_for

LINKS = 16_384
"""Number of links of a chain, and so the maximum number of epochs in a game by mail."""

_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,40}")


class Secrets:
    """The secrets of a player in one game, derived from a ``seed`` of 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        self.key = SeatKey.of_seed(seed)
        self.chain = Chain(last_link(seed), LINKS)

    def party(self, side: str) -> JoinedSide:
        """Return the public facts about the player of ``side``."""
        return JoinedSide(side, self.key.public, self.chain.tip, self.chain.links)


def check_by_mail(prepared: Prepared) -> None:
    """Raise PlayError, which names the secret, if a game needs a keeper: the players' programs cannot play it alone."""
    keeping = keeper_for(prepared.installed.manifest, prepared.options)
    if keeping.keeper != "none":
        raise PlayError(
            f"{prepared.ruleset.id} cannot be played by mail: it needs a keeper of {' and '.join(keeping.because)}. "
            "Choose other options, or play on a server"
        )


def invite(prepared: Prepared, named: str, side: str, own: Secrets) -> Invitation:
    """Return an invitation to a game of the ruleset that is ``named``, from the player of ``side``.

    Raises PlayError for a game that cannot be played by mail, or a side that it does not have.
    """
    check_by_mail(prepared)
    _check_side(prepared, side)
    return sign(
        Invitation(
            format=FORMAT,
            ruleset=named,
            ruleset_version=prepared.installed.manifest.version,
            ruleset_hash=prepared.installed.content_hash,
            scenario=prepared.scenario.id,
            scenario_hash=prepared.scenario.digest,
            options=dict(prepared.options),
            nonce=secrets.token_hex(32),
            party=own.party(side),
        ),
        own.key,
    )


def check_invitation(prepared: Prepared, invitation: Invitation) -> None:
    """Raise PlayError unless ``prepared`` is the game of ``invitation``, and its sender signed it."""
    if not is_from(invitation, invitation.party.key):
        raise PlayError("the invitation is not signed by its sender: ask for it again")
    check_by_mail(prepared)
    _check_party(prepared, invitation.party)
    here = prepared.installed
    if (here.manifest.version, here.content_hash) != (invitation.ruleset_version, invitation.ruleset_hash):
        raise PlayError(
            f"the invitation is for {invitation.ruleset} {invitation.ruleset_version} with other files than those of "
            f"{here.manifest.version} here: both sides must install the same version"
        )
    if (prepared.scenario.id, prepared.scenario.digest) != (invitation.scenario, invitation.scenario_hash):
        raise PlayError(
            f"the scenario {invitation.scenario} of the invitation differs from the one here: both sides need the "
            "same file"
        )
    if prepared.options != invitation.options:
        raise PlayError("the options of the invitation are not those of this ruleset")


def join(prepared: Prepared, invitation: Invitation, side: str, own: Secrets) -> Joining:
    """Return the answer of the player of ``side`` to an invitation. Raises PlayError if the side is taken."""
    _check_side(prepared, side)
    if side == invitation.party.side:
        raise PlayError(f"{side} is played by the sender of the invitation: choose another side")
    return sign(Joining(invitation=digest_of(invitation), party=own.party(side)), own.key)


def check_joining(prepared: Prepared, invitation: Invitation, joining: Joining) -> None:
    """Raise PlayError unless ``joining`` is a signed answer to ``invitation`` from a side that is free."""
    if not is_from(joining, joining.party.key):
        raise PlayError(f"the answer of {joining.party.side} is not signed by its sender: ask for it again")
    if joining.invitation != digest_of(invitation):
        raise PlayError(f"{joining.party.side} answers an invitation that is not yours")
    _check_party(prepared, joining.party)
    if joining.party.side == invitation.party.side:
        raise PlayError(f"{joining.party.side} is your own side: the other player must choose a different side")


def missing_sides(prepared: Prepared, invitation: Invitation, joined: Sequence[Joining]) -> list[str]:
    """Return the sides that have not joined yet."""
    here = {invitation.party.side, *(each.party.side for each in joined)}
    return [each for each in prepared.ruleset.viewers if each not in here]


def salt_key(invitation: Invitation, joined: Sequence[Joining]) -> bytes:
    """Return the key of the salts, which all players know; a sealed order has a salt of its seat as well."""
    answers = sorted(digest_of(each) for each in joined)
    return sha256("\n".join(["sandtable mail salts", digest_of(invitation), *answers]).encode()).digest()


def start_of(joined: Sequence[Joining]) -> Start:
    """Return the beginning of the game, which the side that invited sends to all others."""
    ordered = sorted(joined, key=lambda each: each.party.side)
    return Start(sandtable.__version__, ordered)


def header_of(prepared: Prepared, invitation: Invitation, start: Start) -> Header:
    """Return the header of the game that ``start`` begins; it is the same in every side's program."""
    parties = by_side([invitation.party, *(each.party for each in start.joined)])
    names = name_seats(prepared, dict.fromkeys(prepared.ruleset.viewers, PERSON))
    keys = {seat: parties[side].key for seat, side in prepared.ruleset.seats.items() if side in parties}
    dice = make_dice(SHARED, salt_key(invitation, start.joined))
    tips = chain_tips({side: (each.tip, each.links) for side, each in parties.items()})
    header = make_header(prepared, names, dice, keys=dict(sorted(keys.items())), chains=tips)
    header = replace(header, framework=start.framework, game="")
    return replace(header, game=game_id(header))


def check_start(prepared: Prepared, invitation: Invitation, own: Joining, start: Start) -> None:
    """Raise PlayError if ``start`` does not begin the game of ``invitation`` and of the answer ``own``."""
    for each in start.joined:
        check_joining(prepared, invitation, each)
    sides = [each.party.side for each in start.joined]
    if sides != sorted(set(sides)) or missing_sides(prepared, invitation, start.joined):
        raise PlayError("the packet begins the game before all sides have joined")
    if own not in start.joined:
        raise PlayError("the packet begins the game without your answer to the invitation")
    if not _VERSION.fullmatch(start.framework):
        raise PlayError("the packet begins the game with an invalid version of Sandtable")


def _check_side(prepared: Prepared, side: str) -> None:
    if side not in prepared.ruleset.viewers:
        raise PlayError(f"{prepared.ruleset.id} has no side {side!r}: choose {' or '.join(prepared.ruleset.viewers)}")


def _check_party(prepared: Prepared, party: JoinedSide) -> None:
    _check_side(prepared, party.side)
    if why := why_no_chain(party.tip, party.links):
        raise PlayError(f"{party.side}: {why}")
