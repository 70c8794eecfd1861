"""Logs with one altered field and a valid chain of hashes, so that they are read."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.header import Header, game_id
from sandtable.journal.format.openings import opening_line
from sandtable.journal.format.trees import leaf_hash
from sandtable.journal.verification.verdicts import Difference
from sandtable.journal.verification.verify import verify
from sandtable.plugin.manager import Prepared

Place = tuple[int, tuple[Any, ...]]
"""A field: the number of the line, and the keys that lead to it."""

_FRAME = ("at", "salt", "path")
_COMMITTED = frozenset(("at", "path"))
_encode = msgspec.json.Encoder().encode
_HEADER = msgspec.json.Decoder(Header)
_SORTED = msgspec.json.Encoder(order="deterministic")


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return header and records of a log by number, as plain tables, without hashes and annexes.

    The field ``opened`` of a record has the part of it that each recipient's opening shows. The frame of the opening
    (``salt``, ``at``, ``path``) is in that of the first record of a closed step.
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
            inner = range(table["n"] + 1, table.get("last", 0) + 1) if table["kind"] == "closed" else ()
            lines += [{"kind": "closed", "n": number} for number in inner]
    for opening in openings:
        _open(lines, opening)
    return lines


def _open(lines: list[dict[str, Any]], opening: dict[str, Any]) -> None:
    frame = {key: opening[key] for key in _FRAME if key in opening}
    to = opening["to"]
    lines[opening["n"]].setdefault("opened", {})[to] = {**frame, **opening.get("part", {})}
    for record in opening.get("records", ()):
        shown = lines[record["n"]].setdefault("opened", {}).setdefault(to, {})
        shown.update({key: value for key, value in record.items() if key != "n"})


def rechained(lines: list[dict[str, Any]]) -> bytes:
    """Return a log of these lines with new commitments. The game's id is computed from the header, if it is valid."""
    bodies: list[bytes] = []
    openings: dict[int, list[bytes]] = {}
    step: list[dict[str, Any]] = []
    for line in [*lines, {}]:
        if line.get("kind") == "closed":
            step.append(line)
            continue
        if step:
            _put(_step_line(step), _step_contents(step), bodies, openings)
            step = []
        if line:
            opened = {to: part for to, part in (line.get("opened") or {}).items() if isinstance(part, dict)}
            contents = {to: (part, {"part": _content(part)} if _content(part) else {}) for to, part in opened.items()}
            _put({key: value for key, value in line.items() if key != "opened"}, contents, bodies, openings)
    return chain(bodies, START, openings)[0]


_Contents = dict[str, tuple[dict[str, Any], dict[str, Any]]]
"""By recipient: the frame of its opening, and what it shows."""


def _put(line: dict[str, Any], contents: _Contents, bodies: list[bytes], openings: dict[int, list[bytes]]) -> None:
    leaves = {
        to: _encode({"kind": "opening", "n": line.get("n", 0), "to": to, **_start_of(frame), **shown})[:-1]
        for to, (frame, shown) in contents.items()
    }
    if leaves:
        nodes = _nodes(leaves, {to: frame for to, (frame, _) in contents.items()})
        line["root"] = nodes.get((), bytes(32)).hex()
        place = max(1, len(bodies))
        for to, leaf in leaves.items():
            path = _path(contents[to][0].get("at"), contents[to][0], nodes)
            openings.setdefault(place, []).append(opening_line(leaf, path))
    bodies.append(_header_body(line) if line.get("kind") == "header" else _encode(line)[:-1])


def _step_line(step: list[dict[str, Any]]) -> dict[str, Any]:
    first, last = step[0], max(step[-1].get("n", 0), step[0].get("last", 0))
    kept = {key: value for key, value in first.items() if key not in {"opened", "last", "root"}}
    return {**kept, **({"last": last} if last > first.get("n", 0) else {}), "root": first.get("root", "")}


def _step_contents(step: list[dict[str, Any]]) -> _Contents:
    found: _Contents = {}
    for line in step:
        for to, part in (line.get("opened") or {}).items():
            if isinstance(part, dict):
                frame, shown = found.setdefault(to, ({}, {}))
                frame.update(_start_of(part) | {key: part[key] for key in ("path",) if key in part})
                content = _content(part)
                if content:
                    kind = content.pop("kind", "event")
                    shown.setdefault("records", []).append({"kind": kind, "n": line.get("n", 0), **content})
    return {to: each for to, each in found.items() if "salt" in each[0]}  # without the first record there is no frame


def _content(part: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key not in _FRAME}


def _start_of(frame: dict[str, Any]) -> dict[str, Any]:
    return {key: frame[key] for key in ("at", "salt") if key in frame}


def _nodes(leaves: dict[str, bytes], frames: dict[str, dict[str, Any]]) -> dict[tuple[int, ...], bytes]:
    """Return the hashes of the nodes that are known: () is the root, (0,) the umpire's leaf, (1, ...) the sides'.

    A hash of a path counts only where no leaf below is known.
    """
    nodes: dict[tuple[int, ...], bytes] = {}
    depth = max((len(frame.get("path", "")) // 64 - 1 for to, frame in frames.items() if "at" in frame), default=0)
    for frame in frames.values():
        hashes = [bytes.fromhex(frame["path"][at : at + 64]) for at in range(0, len(frame.get("path", "")), 64)]
        if not hashes:
            continue
        if "at" not in frame:
            nodes.setdefault((1,), hashes[0])
        else:
            nodes.setdefault((0,), hashes[-1])
            place = _place(frame["at"], depth)
            for up, each in enumerate(hashes[:-1]):
                lowest = place[: len(place) - up]
                nodes.setdefault((*lowest[:-1], 1 - lowest[-1]), each)
    for to, leaf in leaves.items():
        at = frames[to].get("at")
        nodes[(0,) if at is None else _place(at, depth)] = leaf_hash(leaf)
    for length in range(depth, -1, -1):
        for place in [each[:-1] for each in nodes if len(each) == length + 1 and each[-1] == 0]:
            if (*place, 1) in nodes:
                nodes[place] = sha256(b"\1" + nodes[*place, 0] + nodes[*place, 1]).digest()
    return nodes


def _place(at: int, depth: int) -> tuple[int, ...]:
    return (1, *(at >> bit & 1 for bit in range(depth - 1, -1, -1)))


def _path(at: int | None, frame: dict[str, Any], nodes: dict[tuple[int, ...], bytes]) -> bytes:
    if at is None:
        return nodes.get((1,), bytes(32))
    place = _place(at, len(frame.get("path", "")) // 64 - 1)
    inner = [(*place[:length], 1 - place[length]) for length in range(len(place) - 1, 0, -1)]
    return b"".join(nodes.get(each, bytes(32)) for each in [*inner, (0,)])


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
            if name not in {"kind", "n", "root", "last"}:
                yield from ((number, (name, *rest)) for rest in _below(value))


def _below(value: Any) -> Iterator[tuple[Any, ...]]:
    yield ()
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in _COMMITTED:
                continue
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
