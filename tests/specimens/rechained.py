"""Logs with one altered field and a valid chain of hashes, so that they are read."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.format.chain import START, chain_opened
from sandtable.journal.format.header import Header, game_id
from sandtable.journal.format.openings import commitment_of
from sandtable.journal.verification.rerun import Difference
from sandtable.journal.verification.verify import verify
from sandtable.plugin.manager import Prepared

Place = tuple[int, tuple[Any, ...]]
"""A field: the number of the line, and the keys that lead to it."""

_HEADER = msgspec.json.Decoder(Header)
_SORTED = msgspec.json.Encoder(order="deterministic")


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return header and records of a log as plain tables, without hashes and annexes.

    The openings of a line are in its field ``opened``, by recipient.
    """
    return tables_of(path.read_bytes())


def tables_of(data: bytes) -> list[dict[str, Any]]:
    """Return what ``lines_of`` returns, for the bytes of a log."""
    lines: list[dict[str, Any]] = []
    openings = []
    for line in data.splitlines():
        table = msgspec.json.decode(line)
        if table["kind"] == "opening":
            openings.append(table)
        elif table["kind"] != "annex":
            lines.append({key: value for key, value in table.items() if key != "hash"})
    for opening in openings:
        part = {key: value for key, value in opening.items() if key not in {"kind", "n", "to"}}
        lines[opening["n"]].setdefault("opened", {})[opening["to"]] = part
    return lines


def rechained(lines: list[dict[str, Any]]) -> bytes:
    """Return a log of these lines with new commitments. The game's id is computed from the header, if it is valid."""
    bodies: list[bytes] = []
    openings: dict[int, dict[str, bytes]] = {}
    for number, line in enumerate(lines):
        opened = line.get("opened") or {}
        shown = {to: _opening(line, to, part) for to, part in opened.items() if isinstance(part, dict)}
        bare = {key: value for key, value in line.items() if key != "opened"}
        if shown:
            bare["sealed"] = {**bare.get("sealed", {}), **{to: commitment_of(text) for to, text in shown.items()}}
            openings[max(1, number)] = openings.get(max(1, number), {}) | {f"{number}/{to}": shown[to] for to in shown}
        bodies.append(_header_body(bare) if number == 0 else msgspec.json.encode(bare)[:-1])
    return chain_opened(bodies, openings, START)[0]


def changed(data: bytes, number: int, change: Callable[[dict[str, Any]], None]) -> Log:
    """Return the log with one line changed, with new commitments and chain."""
    lines = tables_of(data)
    change(lines[number])
    return parse_log(rechained(lines), "log")


def fault_in(log: Log, prepared: Prepared) -> Difference:
    """Return the first difference that verify finds. Fail if there is none."""
    found = verify(log, prepared).first_difference
    assert found is not None
    return found


def _opening(line: dict[str, Any], to: str, part: dict[str, Any]) -> bytes:
    return msgspec.json.encode({"kind": "opening", "n": line.get("n", 0), "to": to, **part})


def _header_body(head: dict[str, Any]) -> bytes:
    try:
        header = _HEADER.decode(_SORTED.encode(head))
        return _SORTED.encode(msgspec.convert({**head, "game": game_id(header)}, Header))[:-1]
    except (msgspec.MsgspecError, ValueError):
        return msgspec.json.encode(head)[:-1]


def places(lines: list[dict[str, Any]]) -> Iterator[Place]:
    """Yield every field of every line, except kinds, numbers and commitments."""
    for number, line in enumerate(lines):
        for name, value in line.items():
            if name not in {"kind", "n", "sealed"}:
                yield from ((number, (name, *rest)) for rest in _below(value))


def _below(value: Any) -> Iterator[tuple[Any, ...]]:
    yield ()
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ((key, *rest) for rest in _below(inner))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from ((place, *rest) for rest in _below(inner))


def value_at(lines: list[dict[str, Any]], place: Place) -> Any:
    """Return the value of a field."""
    value: Any = lines[place[0]]
    for key in place[1]:
        value = value[key]
    return value


def altered(lines: list[dict[str, Any]], place: Place, value: Any) -> list[dict[str, Any]]:
    """Return the lines with ``value`` in one field."""
    number, keys = place
    return [*lines[:number], _with(lines[number], keys, value), *lines[number + 1 :]]


def _with(tree: Any, keys: tuple[Any, ...], value: Any) -> Any:
    if not keys:
        return value
    key, *rest = keys
    if isinstance(tree, dict):
        return {**tree, key: _with(tree[key], tuple(rest), value)}
    return [*tree[:key], _with(tree[key], tuple(rest), value), *tree[key + 1 :]]


def strange(value: Any) -> list[Any]:
    """Return values of the same type that no rule would produce."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [0, -1, value + 1, value - 1, 99, 10**6, (1 << 63) - 1, -(1 << 63)]
    if isinstance(value, str):
        return ["", "nowhere", value[::-1] or "x", "9" * 12, "x" * 300]
    if isinstance(value, list):
        return [[], value[::-1], value + value, value[:1]]
    if isinstance(value, dict):
        return [{}, dict(list(value.items())[:1]), {f"{key}x": inner for key, inner in value.items()}]
    return []
