"""Several logs of one game, and branches of it, as a tree: where they part, and how each comes out."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, json

from sandtable.journal.file.log import Log
from sandtable.journal.format.chain import parted


class Fork(Struct, frozen=True):
    """Logs that are the same before record ``record``, where they part into ``ways``; a single log ends there.

    ``first`` is the first record that only these logs have, as it stands in the chain; ``since`` its number.
    """

    logs: tuple[str, ...]
    since: int
    record: int
    first: str = ""
    ways: tuple["Fork", ...] = ()


def tree_of(logs: Sequence[Log]) -> Fork:
    """Return how ``logs`` part, record by record; their headers do not count: that of a branch is another."""
    bodies = {log.name: [(parted(line) or (line,))[0] for line in log.lines[1:]] for log in logs}
    return _fork(bodies, 0)


def _fork(bodies: Mapping[str, list[bytes]], since: int) -> Fork:
    names = tuple(bodies)
    first = next(iter(bodies.values()))
    told = _shown(first[since]) if since < len(first) else ""
    place = since
    if len(bodies) > 1:
        shortest = min(map(len, bodies.values()))
        lists = list(bodies.values())
        while place < shortest and all(each[place] == lists[0][place] for each in lists):
            place += 1
        ways: dict[bytes, dict[str, list[bytes]]] = {}
        for name, each in bodies.items():
            ways.setdefault(each[place] if place < len(each) else b"", {})[name] = each
        if len(ways) > 1:
            parts = tuple(_fork(each, place) for each in ways.values())
            return Fork(names, since + 1, place + 1, told, parts)
    return Fork(names, since + 1, len(first) + 1, told)


def _shown(body: bytes) -> str:
    """Return what a line of the chain holds, without its number and what is sealed in it."""
    plain = json.decode(body + b"}")
    kept = {key: value for key, value in plain.items() if key not in {"kind", "n", "asked", "sealed", "salt"}}
    return f"{plain.get('kind', '')} {json.encode(kept).decode()}"
