"""Players of a game by mail, each with a separate folder, whose bots answer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha512
from itertools import count
from pathlib import Path
from unittest.mock import patch

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision, Order
from sandtable.mail.folder import SEED, MailFolder
from sandtable.mail.game import MailGame
from sandtable.mail.packets import Invitation, Message, Packet, read_message, sign
from sandtable.mail.terms import Secrets
from sandtable.players.players import seat_bot
from sandtable.plugin.manager import Prepared, Rulesets

FOLDER = Path(__file__).parents[1] / "framework" / "mail" / "rulesets"
TRIAD = Rulesets(FOLDER)
"""The installed rulesets, and the triad: three sides that bid in secret and roll dice."""


def bot_of(prepared: Prepared, name: str = "random") -> Callable[[Decision, MailGame], Order]:
    """Return a function that answers with bots of this name."""

    def choose(decision: Decision, game: MailGame) -> Order:
        bot = seat_bot(prepared, decision.seat, name, f"{game.number}".encode())
        return bot.choose(decision, game.seat_view(game.side))

    return choose


@contextmanager
def fixed_secrets(name: str) -> Iterator[None]:
    """Make the secrets of players from ``name``, so that their game is the same in every run."""
    drawn = count()

    def token(size: int) -> bytes:
        return sha512(f"{name} {next(drawn)}".encode()).digest()[:size]

    with patch("secrets.token_bytes", token), patch("secrets.token_hex", lambda size: token(size).hex()):
        yield


class Players:
    """Folders in ``home`` for the sides of a new game; all have joined. The first side invited."""

    def __init__(
        self, home: Path, ruleset: str, rulesets: Rulesets = TRIAD, bot: str = "random", name: str = ""
    ) -> None:
        self.home, self.rulesets, self.bot = home, rulesets, bot
        self.prepared = rulesets.load(ruleset).prepare()
        self.sides = list(self.prepared.ruleset.viewers)
        with fixed_secrets(f"{ruleset} {name}"):
            self._begin(ruleset)

    def _begin(self, ruleset: str) -> None:
        home = self.home
        first, *others = self.sides
        text = MailFolder.invite(home / first, self.prepared, ruleset, first).read_text()
        for side in others:
            invitation = read_message(text, "invitation")
            assert isinstance(invitation, Invitation)
            joined = MailFolder.join(home / side, self.prepared, invitation, side)
            self.take(first, read_message(joined.read_text(), "answer"))

    @contextmanager
    def folder(self, side: str) -> Iterator[MailFolder]:
        with MailFolder.opened(self.home / side, self.rulesets) as folder:
            yield folder

    def pack(self, side: str) -> Packet | None:
        """Return the packet that ``side`` sends now, or None."""
        with self.folder(side) as folder:
            file = folder.pack(bot_of(self.prepared, self.bot)) if folder.is_due else None
        if file is None:
            return None
        packet = read_message(file.read_text(), file.name)
        assert isinstance(packet, Packet)
        return packet

    def take(self, side: str, message: Message) -> str:
        with self.folder(side) as folder:
            return folder.take(message, "mail")

    def post(self, packet: Packet) -> None:
        """Deliver a packet to all other sides."""
        for side in self.sides:
            if side != packet.by:
                self.take(side, packet)

    def play(self, mails: int = 1_000, until: Callable[[Packet], bool] = lambda _: False) -> list[Packet]:
        """Deliver up to ``mails`` packets, or up to the first, undelivered, that ``until`` accepts; return them."""
        sent: list[Packet] = []
        while len(sent) < mails:
            before = len(sent)
            for side in self.sides:
                packet = self.pack(side) if len(sent) < mails else None
                if packet is not None:
                    sent.append(packet)
                    if until(packet):
                        return sent
                    self.post(packet)
            if len(sent) == before:
                break
        return sent

    def log(self, side: str) -> bytes:
        """Return the log in the folder of ``side``."""
        return (self.home / side / "game.jsonl").read_bytes()

    def state(self, side: str) -> dict[str, bytes]:
        """Return the files of a folder."""
        return {each.name: each.read_bytes() for each in sorted((self.home / side).iterdir())}

    def secrets(self, side: str) -> Secrets:
        return Secrets(bytes.fromhex((self.home / side / SEED).read_text().strip()))

    def signed(self, packet: Packet, **changes: object) -> Packet:
        """Return ``packet`` with ``changes``, signed again by its side."""
        return sign(replace(packet, **changes), self.secrets(packet.by).key)
