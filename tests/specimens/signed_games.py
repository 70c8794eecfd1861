"""Signed games with fixed test keys: recorded between bots, and played order by order."""

from collections.abc import Callable
from typing import Any

from rechained import rechained, tables_of

from sandtable.hosting.keying import Keying
from sandtable.hosting.opening import new_header
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.file.reading import parse_log
from sandtable.journal.hands.checking import entries_of
from sandtable.journal.hands.inputs import SignedLine, digest_of, hand_message
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.record import play_recorded
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Prepared

Tables = list[dict[str, Any]]


def fixed_key(seat: str, number: int = 1) -> SeatKey:
    """Return the secrets of a seat, which everyone can compute; ``number`` counts its keys."""
    return SeatKey.of_seed(key_from_seed(f"test key {number} of {seat}"))


def fixed_keys(prepared: Prepared) -> dict[str, SeatKey]:
    """Return the secrets of every seat of a ruleset."""
    return {seat: fixed_key(seat) for seat in prepared.ruleset.seats}


def signed_game(prepared: Prepared, seed: str = "signed", mode: str = "open") -> bytes:
    """Return the log of a game between bots in which every seat signs with its test key."""
    key, names, keys = key_from_seed(seed), name_seats(prepared, {}), fixed_keys(prepared)
    public = {seat: each.public for seat, each in sorted(keys.items())}
    dice, header, _ = new_header(prepared, names, Keying(key), mode, public)
    return play_recorded(prepared, seat_players(prepared, names, key), dice, header, keys.values()).data


def without(lines: Tables, *gone: int) -> Tables:
    """Return the lines without those at the indexes ``gone``, numbered consecutively."""
    kept = [dict(line) for index, line in enumerate(lines) if index not in gone]
    steps = [{"last": number + line["last"] - line["n"]} if "last" in line else {} for number, line in enumerate(kept)]
    return [kept[0], *({**line, "n": number, **steps[number]} for number, line in enumerate(kept[1:], start=1))]


def hands_in(lines: Tables) -> list[int]:
    """Return the numbers of the hands."""
    return [number for number, line in enumerate(lines) if line["kind"] == "hand"]


def resigned(lines: Tables, keys: dict[str, SeatKey], only: Callable[[SignedLine], bool] = lambda _: True) -> bytes:
    """Return a log in which the hands sign what is in it now, as far as their seats are in ``keys``.

    ``only`` selects the hands. Their starts stay.
    """
    for number in hands_in(lines):
        log = parse_log(rechained(lines), "log")
        entries = [each for each in entries_of(log) if each.n <= number]
        hand = entries[-1]
        if hand.by not in keys or not only(hand):
            continue
        last = max((each.n for each in entries[:-1] if each.kind == "hand" and each.by == hand.by), default=0)
        own = [each for each in entries if each.is_input and each.by == hand.by and last < each.n]
        items = digest_of(own)
        message = hand_message(log.header.game, hand.by, hand.start, head_at(log, hand.start), items)
        lines[number] = {**lines[number], "items": items, "signature": keys[hand.by].sign(message)}
    return rechained(lines)


__all__ = ["Tables", "fixed_key", "fixed_keys", "hands_in", "resigned", "signed_game", "tables_of", "without"]
