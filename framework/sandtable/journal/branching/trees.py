"""Logs of one game and its branches as a tree, with the records at which they diverge and the end of each."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, json

from sandtable.journal.file.log import Log
from sandtable.journal.format.chain import parted


class Fork(Struct, frozen=True):
    """Logs that are equal before record ``record``, where they split into ``ways``; a single log ends there.

    ``first`` is the first record that only these logs have, as stored in the chain; ``since`` is its number.
    """

    logs: tuple[str, ...]
    since: int
    record: int
    first: str = ""
    ways: tuple["Fork", ...] = ()


def tree_of(logs: Sequence[Log]) -> Fork:
    """Return the tree of ``logs``, compared record by record without their headers, which differ in branches."""
    bodies = {log.name: [parted(line)[0] for line in log.lines[1:]] for log in logs}
    return _fork(bodies, 0)


def _fork(bodies: Mapping[str, list[bytes]], since: int) -> Fork:
    names = tuple(bodies)
    first = next(iter(bodies.values()))
    text = _shown(first[since]) if since < len(first) else ""
    at = since
    if len(bodies) > 1:
        shortest = min(map(len, bodies.values()))
        lists = list(bodies.values())
        while at < shortest and all(each[at] == lists[0][at] for each in lists):
            at += 1
        ways: dict[bytes, dict[str, list[bytes]]] = {}
        for name, each in bodies.items():
            ways.setdefault(each[at] if at < len(each) else b"", {})[name] = each
        if len(ways) > 1:
            parts = tuple(_fork(each, at) for each in ways.values())
            return Fork(names, since + 1, at + 1, text, parts)
    return Fork(names, since + 1, len(first) + 1, text)


def _shown(body: bytes) -> str:
    """Return the kind and content of a record, without its number, question and commitment."""
    plain = json.decode(body + b"}")
    kept = {key: value for key, value in plain.items() if key not in {"kind", "n", "asked", "root"}}
    return f"{plain.get('kind', '')} {json.encode(kept).decode()}"
