"""Compress a game's log for the store, and restore the complete log from it.

The kind ``orders`` keeps only the header and the orders, because the rules recompute the rest. The log's last hash,
which is stored in the row, proves that the result is the same. The kind ``full`` keeps every record without the hashes
of its lines. A log that contains battles of another ruleset, or that the rules alone cannot produce, is always kept in
full. Bodies are compressed with a dictionary of earlier games of the contest.
"""

import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec

from sandtable.errors import LogDamaged, PlayError, SandtableError
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.header import Header, header_body, make_dice
from sandtable.journal.format.limits import MAX_FILE
from sandtable.journal.format.openings import OPENING
from sandtable.journal.record import log_lines
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared

ORDERS, FULL, RAW = b"o", b"f", b"r"
"""First byte of a body: orders, all lines without hashes, or the unchanged log."""

DICTIONARY = 32_768
"""Size of deflate's window in bytes."""

MAX_BODY = MAX_FILE + 1
"""Maximum number of bytes of a body, compressed or not: a log and its kind."""

_LEVEL = 6


class _OutOfOrders(Exception):
    pass


class _Script:
    def __init__(self, orders: Iterator[Order]) -> None:
        self._orders = orders

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        for order in self._orders:
            return order
        raise _OutOfOrders


def orders_body(header: Header, records: list[Any]) -> bytes:
    """Return the body of kind ``orders``: tables of names once, then values."""
    shapes: dict[tuple[str, ...], int] = {}
    rows: list[list[Any]] = []
    for record in records:
        if record.__class__ is OrderRecord:
            order = msgspec.to_builtins(record.order)
            rows.append([shapes.setdefault(tuple(order), len(shapes)), *order.values()])
    return ORDERS + msgspec.msgpack.encode([header_body(header).decode(), list(shapes), rows])


def full_body(data: bytes) -> bytes:
    """Return the body of kind ``full`` of a log, or of kind ``raw`` if the log cannot be rebuilt from its lines."""
    bodies = [line if line.startswith(OPENING) else parted(line)[0] for line in data.split(b"\n")[:-1]]
    return FULL + b"\n".join(bodies) if _chained(bodies)[0] == data else RAW + data


def compressed(body: bytes, dictionary: bytes) -> bytes:
    """Return ``body`` compressed with ``dictionary``, which may be empty."""
    coder = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, dictionary)
    return coder.compress(body) + coder.flush()


def expanded(packed: bytes, dictionary: bytes, name: str) -> bytes:
    """Return the expanded body. Raises LogDamaged."""
    coder = zlib.decompressobj(-15, dictionary)
    try:
        body = coder.decompress(packed, MAX_BODY)
    except zlib.error as error:
        raise LogDamaged(f"{name}: its stored log is damaged: {error}") from error
    if not coder.eof or coder.unconsumed_tail or coder.unused_data:
        raise LogDamaged(f"{name}: its stored log is damaged: it does not end where it should")
    return body


def is_by_rules(body: bytes) -> bool:
    """Return whether the rules produce the log of ``body`` from its orders."""
    return body[:1] == ORDERS


def log_of(body: bytes, prepared: Prepared, seed: str, dice: str, head: str, name: str) -> bytes:
    """Return the log of a stored ``body`` as the file would hold it. Its last running hash is ``head``.

    Raises LogDamaged if the result differs: the body was altered, or the rules have changed.
    """
    kind, rest = body[:1], body[1:]
    try:
        if kind == RAW:
            data, found = rest, rest[-67:-3].decode("ascii")
        elif kind == FULL:
            data, last = _chained(rest.split(b"\n"))
            found = last.hex()
        elif kind == ORDERS:
            data, last = _replayed(rest, prepared, seed, dice)
            found = last.hex()
        else:
            raise LogDamaged(f"{name}: its stored log is of an unknown kind")
    except (msgspec.MsgspecError, ValueError, TypeError, SandtableError) as error:
        raise LogDamaged(f"{name}: its stored log cannot be restored: {error}") from error
    if found != head:
        raise LogDamaged(f"{name}: its stored log ends in the hash {found[:16]}…, the row has {head[:16]}…")
    return data


def _chained(lines: list[bytes]) -> tuple[bytes, bytes]:
    """Return the log whose lines, without their hashes, are ``lines``, and its last running hash."""
    bodies: list[bytes] = []
    openings: dict[int, list[bytes]] = {}
    for line in lines:
        if line.startswith(OPENING):
            openings.setdefault(len(bodies), []).append(line)
        else:
            bodies.append(line)
    return chain(bodies, START, openings)


def _replayed(rest: bytes, prepared: Prepared, seed: str, mode: str) -> tuple[bytes, bytes]:
    text, shapes, rows = msgspec.msgpack.decode(rest, type=tuple[str, list[list[str]], list[list[Any]]])
    plain = [dict(zip(shapes[each[0]], islice(each, 1, None), strict=True)) for each in rows]
    decode = RecordCodec.of(prepared.ruleset).order.decode
    orders = iter([decode(msgspec.json.encode(each)) for each in plain])

    dice = make_dice(mode, key_from_seed(seed))
    game = prepared.new_game(dice)
    with suppress(_OutOfOrders):  # a forfeited game: its log stops where its last order led
        game.play(dict.fromkeys(prepared.ruleset.seats, _Script(orders)))
    if next(orders, None) is not None:
        raise PlayError("the game is over before its last order")
    header = msgspec.json.decode(text + "}", type=Header)
    if header.root:
        header = msgspec.structs.replace(header, key=dice.key.hex())
    first, rest_of_log, head = log_lines(header, game)
    return first + rest_of_log, head
