"""Games that follow from another: a branch in which another order is tried, and a rematch."""

import secrets
from pathlib import Path

from sandtable.errors import PlayError
from sandtable.files.writing import write_new
from sandtable.journal.battles import battle_lines
from sandtable.journal.branching.branch import branch, original
from sandtable.journal.branching.changes import Changes
from sandtable.journal.file.keys import keep_key
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import effective, read_records
from sandtable.journal.record import log_bytes
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import HUMAN
from sandtable.web.live.game import LiveGame
from sandtable.web.live.games import NewGame


def write_branch(live: LiveGame, record: int) -> str:
    """Write the log of a branch of a finished game in which the order in ``record`` is still to be given.

    Returns the name of the new log, next to the old one. The dice are those of the game. Raises PlayError if that
    record is not an order, or the game is not over, and SandtableError if the branch cannot be made.
    """
    if not live.game.is_over:
        raise PlayError("another order can be tried when the game is over")
    log = read_log(live.path)
    records = read_records(log, live.prepared.ruleset)
    if not any(each.n == record and isinstance(each, OrderRecord) for each in effective(records)):
        raise PlayError(f"record {record} is not an order that counts: choose an order")
    of = original(live.origin, log, records, dice_of(log, records))
    made = branch(of, Changes(), until=record - 1)
    data, _ = log_bytes(made.header, made.game, battle_lines(log))
    path = Path(live.path.parent) / f"{live.path.stem[:60]}-branch-{secrets.token_hex(4)}.jsonl"
    write_new(path, data)
    if made.header.dice != "open":
        keep_key(path, of.key)
    return path.name


def rematch_of(live: LiveGame, *, is_swapped: bool, hot_seat: bool, pace: str = "") -> NewGame:
    """Return a request for the same game again, at the same ``pace``. If ``is_swapped``, the players change sides.

    Raises PlayError if they cannot: there are not two sides, or a side has several players.
    """
    header, ruleset = live.header, live.prepared.ruleset
    players = dict(live.names)
    if is_swapped:
        held: dict[str, set[str]] = {side: set() for side in ruleset.viewers}
        for seat, side in ruleset.seats.items():
            if side != UMPIRE:
                held[side].add(live.names[seat])
        if len(held) != 2 or any(len(names) != 1 for names in held.values()):
            raise PlayError("sides can change only between two sides with one player each: choose a plain rematch")
        first, second = held
        umpire = {seat: name for seat, name in live.names.items() if ruleset.side_of(seat) == UMPIRE}
        players = {first: min(held[second]), second: min(held[first])} | umpire
    return NewGame(header.ruleset, header.scenario, dict(header.options), players, header.dice, hot_seat, pace=pace)


def people_of(live: LiveGame) -> set[str]:
    """Return the seats of sides that people play."""
    side_of = live.prepared.ruleset.side_of
    return {seat for seat, name in live.names.items() if name == HUMAN and side_of(seat) != UMPIRE}
