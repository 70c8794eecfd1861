"""Games of bots with shared dice, and their players."""

from collections.abc import Sequence
from typing import Any

from rechained import tables_of

from sandtable.hosting.keying import Keying
from sandtable.hosting.opening import new_header
from sandtable.journal.format.header import Header
from sandtable.journal.record import Recorded, play_recorded
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.records import SharesRecord
from sandtable.kernel.shared.chains import LINKS
from sandtable.kernel.shared.epochs import Due
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Prepared

Lines = list[dict[str, Any]]


def shared_dice(prepared: Prepared, seed: str, links: int = LINKS, **named: str) -> tuple[KeyedDice, Header]:
    """Return dice whose chains follow from ``seed``, and the header of the game. Unnamed seats are random."""
    keying = Keying(key_from_seed(seed))
    dice, header, _ = new_header(prepared, name_seats(prepared, named), keying, "shared", {}, links)
    return dice, header


def shared_game(prepared: Prepared, seed: str, links: int = LINKS, **named: str) -> Recorded:
    """Return a complete game with ``shared_dice``."""
    dice, header = shared_dice(prepared, seed, links, **named)
    return play_recorded(prepared, seat_players(prepared, header.players, key_from_seed(seed)), dice, header)


def shares_in(data: bytes) -> list[int]:
    """Return the numbers of the shares in a log."""
    return [number for number, line in enumerate(tables_of(data)) if line["kind"] == "shares"]


class Held:
    """A source that holds back the links of ``name`` from ``epoch`` on, and notes the requests."""

    def __init__(self, source: Any, name: str, epoch: int) -> None:
        self._source, self._name, self._epoch = source, name, epoch
        self.asked: list[tuple[str, Due]] = []

    def link(self, name: str, due: Due) -> bytes | None:
        self.asked.append((name, due))
        found: bytes | None = self._source.link(name, due)
        return None if name == self._name and due.epoch >= self._epoch else found

    def renewal(self, name: str, serial: int) -> tuple[str, int] | None:
        found: tuple[str, int] | None = self._source.renewal(name, serial)
        return found


def epochs_in(records: Sequence[Any]) -> list[tuple[int, int]]:
    """Return epoch and bound record of the shares among ``records``."""
    return [(each.epoch, each.at) for each in records if isinstance(each, SharesRecord)]
