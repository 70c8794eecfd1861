"""The folder of a game by mail: one player's copy of the game, with the messages that were sent and taken.

==================  ============================================================================
``mail.json``       terms, packets in the order in which they were applied, and unsent items
``seed``            the player's secret, from which keys, salts and links follow; only the owner reads it
``game.jsonl``      the log so far, made from the packets after every change
``*.txt``           the messages to send
==================  ============================================================================

The folder holds the player's own sealed orders until they are opened, so no other player may read it.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from sandtable.errors import DataError, PlayError
from sandtable.files.folders import claimed_folder, held_folder
from sandtable.files.reading import read_file
from sandtable.files.writing import write_secret, write_whole
from sandtable.journal.file.keys import read_key
from sandtable.mail.game import Choose, MailGame, RefusedPacket, SealedOrder
from sandtable.mail.packets import (
    Invitation,
    Item,
    Joining,
    Message,
    Packet,
    Start,
    encoded,
    is_from,
    sign,
    text_of,
)
from sandtable.mail.terms import (
    Secrets,
    check_invitation,
    check_joining,
    check_start,
    header_of,
    invite,
    join,
    missing_sides,
    salt_key,
    start_of,
)
from sandtable.plugin.manager import Prepared, Rulesets

STATE, SEED, LOG = "mail.json", "seed", "game.jsonl"
MAX_STATE = 64 << 20


class Kept(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The content of ``mail.json``. ``scenario_file`` is that of a scenario that is not shipped."""

    format: int
    side: str
    invitation: Invitation
    joined: list[Joining] = []
    start: Start | None = None
    packets: list[Packet] = []
    unsent: list[Item] = []
    sealed: dict[str, SealedOrder] = {}
    scenario_file: str = ""


class MailFolder:
    """A folder of a game by mail, locked by this process: ``game`` is None until all sides have joined."""

    def __init__(self, path: Path, kept: Kept, prepared: Prepared) -> None:
        self.path, self.kept, self.prepared = path, kept, prepared
        self._own = Secrets(read_key(path / SEED))
        self.game = self._built() if kept.start is not None else None

    # --- making and opening ---

    @classmethod
    def invite(cls, path: Path, prepared: Prepared, named: str, side: str, scenario_file: str = "") -> Path:
        """Make the folder ``path`` for a new game, and return the file with the invitation. Raises PlayError."""
        seed = secrets.token_bytes(32)
        invitation = invite(prepared, named, side, Secrets(seed))
        return _made(path, seed, Kept(1, side, invitation, scenario_file=scenario_file), "invitation", invitation)

    @classmethod
    def join(cls, path: Path, prepared: Prepared, invitation: Invitation, side: str, scenario_file: str = "") -> Path:
        """Make the folder ``path`` to join a game, and return the file with the answer. Raises PlayError."""
        check_invitation(prepared, invitation)
        seed = secrets.token_bytes(32)
        joining = join(prepared, invitation, side, Secrets(seed))
        kept = Kept(1, side, invitation, [joining], scenario_file=scenario_file)
        return _made(path, seed, kept, f"join-{side}", joining)

    @classmethod
    @contextmanager
    def opened(cls, path: Path, rulesets: Rulesets) -> "Iterator[MailFolder]":
        """Open the folder ``path``; no other process can use it in the meantime. Raises DataError and PlayError."""
        with held_folder(path):
            kept = _read_kept(path)
            invitation = kept.invitation
            installed = rulesets.load(invitation.ruleset)
            prepared = installed.prepare(kept.scenario_file or invitation.scenario, invitation.options)
            check_invitation(prepared, invitation)
            folder = cls(path, kept, prepared)
            if folder.game is not None:
                folder._write_log()  # an interrupted command may have left an earlier one
            yield folder

    # --- the game ---

    @property
    def log(self) -> Path:
        """The file with the log so far."""
        return self.path / LOG

    @property
    def missing(self) -> list[str]:
        """The sides whose answer to this side's own invitation has not been taken yet."""
        invited = self.kept.invitation.party.side == self.kept.side
        return missing_sides(self.prepared, self.kept.invitation, self.kept.joined) if invited else []

    @property
    def sent(self) -> int:
        """The number of packets that this side has sent."""
        return sum(each.by == self.kept.side for each in self.kept.packets)

    @property
    def is_due(self) -> bool:
        """Whether this side has something to send."""
        game, kept = self.game, self.kept
        if game is None:
            return False
        return kept.side in game.awaited() or bool(kept.unsent) or self._sends_start

    @property
    def _sends_start(self) -> bool:
        """Whether the next packet of this side begins the game for the others."""
        return self.sent == 0 and self.kept.invitation.party.side == self.kept.side

    def _built(self) -> MailGame:
        """Return the game after all packets and unsent items."""
        kept = self.kept
        assert kept.start is not None  # noqa: S101 - the caller knows
        header = header_of(self.prepared, kept.invitation, kept.start)
        salts = salt_key(kept.invitation, kept.start.joined)
        game = MailGame(self.prepared, header, salts, kept.side, self._own, kept.sealed)
        for each in kept.packets:
            game.take(each)
        for item in kept.unsent:
            game.accept(item, kept.side)
        return game

    # --- packing ---

    def pack(self, choose: Choose) -> Path | None:
        """Let this side answer until another side must act, and return the file with the packet.

        If there is nothing new, the file has the last packet again; it is None if another side has answered that. Each
        order is on the disk before the next question. Raises PlayError and the errors of ``choose``; the orders so far
        are then kept unsent.
        """
        kept = self.kept
        game = self._begun()
        while (item := game.next_item(choose)) is not None:
            kept.unsent.append(item)
            _keep(self.path, kept)
        if not kept.unsent and not self._sends_start:
            is_last = bool(kept.packets) and kept.packets[-1].by == kept.side
            return _write_text(self.path, _file_of(kept.packets[-1]), kept.packets[-1]) if is_last else None
        place = self._built_before().place
        packet = Packet(
            game=game.header.game,
            by=kept.side,
            number=self.sent + 1,
            start=place,
            items=kept.unsent,
            end=game.place,
            seen=self._numbers(),
            first=kept.start if self._sends_start else None,
        )
        kept.packets.append(sign(packet, self._own.key))
        kept.unsent = []
        _keep(self.path, kept)
        self._write_log()
        return _write_text(self.path, _file_of(kept.packets[-1]), kept.packets[-1])

    def _numbers(self) -> dict[str, int]:
        """Return the number of packets that were taken from each other side."""
        others = [each.by for each in self.kept.packets if each.by != self.kept.side]
        return {side: others.count(side) for side in sorted(set(others))}

    def take_back(self) -> bool:
        """Drop the last unsent order and the records after it; return whether this was possible.

        A roll that this side has already seen cannot be taken back.
        """
        kept, game = self.kept, self._begun()
        if not kept.unsent or self._rolled_since_unsent(game):
            return False
        kept.unsent.pop()
        self.game = self._built()
        _keep(self.path, kept)
        return True

    def _rolled_since_unsent(self, game: MailGame) -> bool:
        start = self._built_before().number
        return any(record.__struct_config__.tag == "roll" for record in game.records[start:])

    def _built_before(self) -> MailGame:
        """Return the game without the unsent items."""
        unsent, self.kept.unsent = self.kept.unsent, []
        try:
            return self._built()
        finally:
            self.kept.unsent = unsent

    def repeated(self, since: int) -> list[Path]:
        """Write this side's packets from number ``since`` on again, and return their files."""
        own = [each for each in self.kept.packets if each.by == self.kept.side and each.number >= since]
        return [_write_text(self.path, _file_of(each), each) for each in own]

    def _begun(self) -> MailGame:
        if self.game is None:
            inviting, missing = self.kept.invitation.party.side, " and ".join(self.missing)
            wanted = f"{missing} must join" if missing else f"the first packet of {inviting} is missing"
            raise PlayError(f"the game has not begun: {wanted}")
        return self.game

    # --- taking ---

    def take(self, message: Message, name: str) -> str:
        """Take a message from another side, read from ``name``, and return a description of it.

        Raises PlayError for a message that does not fit; the folder is then unchanged.
        """
        if isinstance(message, Invitation):
            raise PlayError(f"{name}: is an invitation: answer it with `sandtable mail join`")
        if isinstance(message, Joining):
            return self._take_joining(message)
        return self._take_packet(message, name)

    def _take_joining(self, joining: Joining) -> str:
        kept, side = self.kept, joining.party.side
        if kept.side != kept.invitation.party.side:
            raise PlayError(
                f"the answer of {side} is for the player of {kept.invitation.party.side}, who sent the invitation"
            )
        check_joining(self.prepared, kept.invitation, joining)
        if joining in kept.joined:
            return f"the answer of {side} is known already"
        if any(each.party.side == side for each in kept.joined):
            raise PlayError(f"{side} has joined already, with another key: ask its player which answer is right")
        kept.joined.append(joining)
        if not missing_sides(self.prepared, kept.invitation, kept.joined):
            kept.start = start_of(kept.joined)
            self.game = self._built()
            self._write_log()
        _keep(self.path, kept)
        return f"answer of {side} to the invitation"

    def _take_packet(self, packet: Packet, name: str) -> str:
        kept, title = self.kept, f"packet {packet.number} of {packet.by}"
        start = kept.start if kept.start is not None else self._start_from(packet, name)
        self._check_sender(packet, start, f"{name}: {title}")
        known = [each for each in kept.packets if each.by == packet.by]
        if packet.number <= len(known):
            if encoded(known[packet.number - 1]) != encoded(packet):
                raise PlayError(
                    f"{name}: {packet.by} signed two different packets with number {packet.number} (equivocation): "
                    "keep both files, they prove it"
                )
            return f"{title} is known already"
        self._check_order(packet, len(known), f"{name}: {title}")
        game = self._with(start, packet, name)
        kept.start, self.game = start, game
        kept.packets.append(packet)
        _keep(self.path, kept)
        self._write_log()
        return title

    def _check_sender(self, packet: Packet, start: Start, title: str) -> None:
        """Raise PlayError unless another side of this game made and signed the packet."""
        kept = self.kept
        game = header_of(self.prepared, kept.invitation, start).game
        if packet.game != game:
            raise PlayError(f"{title} is from game {packet.game}, but this folder has game {game}")
        if packet.by == kept.side:
            raise PlayError(f"{title} is your own: take the packets of other sides")
        parties = [kept.invitation.party, *(each.party for each in start.joined)]
        keys = {each.side: each.key for each in parties}
        if packet.by not in keys or not is_from(packet, keys[packet.by]):
            raise PlayError(f"{title} is not signed by that side")
        begins = packet.by == kept.invitation.party.side and packet.number == 1
        if packet.number < 1 or packet.first != (start if begins else None):
            raise PlayError(f"{title} begins a different game")

    def _check_order(self, packet: Packet, known: int, title: str) -> None:
        """Raise PlayError if packets before this one are missing; ``known`` is the number taken from its side."""
        if packet.number > known + 1:
            raise PlayError(
                f"{title}: earlier packets are missing: ask {packet.by} for those from number {known + 1} on"
            )
        numbers = self._numbers() | {self.kept.side: self.sent}
        for side, number in packet.seen.items():
            if number <= numbers.get(side, 0):
                continue
            if side == self.kept.side:
                raise PlayError(
                    f"{title} follows your packet {number}, but this folder has sent only {self.sent}: use its newest "
                    "copy"
                )
            raise PlayError(f"{title} follows packet {number} of {side}, which is missing: take that packet first")

    def _start_from(self, packet: Packet, name: str) -> Start:
        """Return the beginning of the game in the first packet, checked."""
        if packet.first is None or packet.by != self.kept.invitation.party.side or packet.number != 1:
            inviting = self.kept.invitation.party.side
            raise PlayError(
                f"{name}: the first packet of {inviting}, which begins the game, is missing: ask for that packet"
            )
        check_start(self.prepared, self.kept.invitation, self.kept.joined[0], packet.first)
        return packet.first

    def _with(self, start: Start, packet: Packet, name: str) -> MailGame:
        """Return the game with ``packet`` taken, or raise PlayError; the folder is unchanged."""
        before, self.kept.start = self.kept.start, start
        try:
            if self.kept.unsent:
                raise RefusedPacket("you have unsent orders: write their packet first (`sandtable mail pack`)")
            game = self._built()
            game.take(packet)
        except PlayError as error:
            raise PlayError(f"{name}: {error}: nothing was changed") from error
        finally:
            self.kept.start = before
        return game

    def _write_log(self) -> None:
        assert self.game is not None  # noqa: S101 - written after a packet
        data = self.game.log()
        with suppress(DataError):  # it is missing at first
            if read_file(self.log, MAX_STATE, follow=False) == data:
                return
        write_whole(self.log, data)


def _file_of(packet: Packet) -> str:
    return f"packet-{packet.number:03}-{packet.by}"


def _write_text(path: Path, name: str, message: Message) -> Path:
    file = path / f"{name}.txt"
    write_whole(file, text_of(message).encode())
    return file


def _keep(path: Path, kept: Kept) -> None:
    write_whole(path / STATE, encoded(kept), mode=0o600)


def _read_kept(path: Path) -> Kept:
    file = path / STATE
    try:
        return msgspec.json.decode(read_file(file, MAX_STATE, follow=False), type=Kept)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise DataError(str(file), "", f"is not the file of a mail game: {error}") from error


def _made(path: Path, seed: bytes, kept: Kept, name: str, message: Message) -> Path:
    """Make the folder ``path``, and return the file with its first message. Raises LogExists if it is not empty."""
    with claimed_folder(path):
        write_secret(path / SEED, seed.hex().encode() + b"\n")
        _keep(path, kept)
        return _write_text(path, name, message)
