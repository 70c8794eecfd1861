"""Altered logs of ten kinds: accidental damage, and forgeries by someone who can compute hashes."""

from collections.abc import Callable
from random import Random
from typing import Any

from cutting import chain_in, cut_after, openings_in
from rechained import altered, places, rechained, strange, tables_of, value_at

from sandtable.errors import SandtableError
from sandtable.journal.anchors.anchors import anchor_of, misfit
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.openings import OPENING
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import UMPIRE
from sandtable.plugin.manager import Prepared

Mutation = Callable[[Random, bytes, bytes], bytes]


def flipped(rng: Random, data: bytes, other: bytes) -> bytes:
    """Flip one bit of the file."""
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]


def shuffled(rng: Random, data: bytes, other: bytes) -> bytes:
    """Leave out a line, repeat it, or exchange two."""
    lines = data.splitlines(keepends=True)
    one, two = sorted(rng.sample(range(1, len(lines)), 2))
    kind = rng.randrange(3)
    if kind == 0:
        return b"".join(lines[:one] + lines[one + 1 :])
    if kind == 1:
        return b"".join([*lines[:one], lines[one], *lines[one:]])
    return b"".join([*lines[:one], lines[two], *lines[one + 1 : two], lines[one], *lines[two + 1 :]])


def cut_off(rng: Random, data: bytes, other: bytes) -> bytes:
    """Truncate the file."""
    return data[: rng.randrange(1, len(data))]


def rechained_change(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change one field, also behind a commitment, and compute all hashes and commitments again."""
    lines = tables_of(data)
    spots = [place for place in places(lines) if strange(value_at(lines, place))]
    place = rng.choice(spots)
    return rechained(altered(lines, place, rng.choice(strange(value_at(lines, place)))))


def changed_opening(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change the content of an opening under the same head."""
    lines = data.splitlines(keepends=True)
    spots = [place for place, line in enumerate(lines) if line.startswith(OPENING)]
    if not spots:
        return flipped(rng, data, other)
    place = rng.choice(spots)
    digits = [at for at, byte in enumerate(lines[place]) if 48 <= byte < 58]
    at = rng.choice(digits)
    line = lines[place][:at] + b"%d" % ((lines[place][at] - 48 + rng.randrange(1, 10)) % 10) + lines[place][at + 1 :]
    return b"".join([*lines[:place], line, *lines[place + 1 :]])


def swapped_openings(rng: Random, data: bytes, other: bytes) -> bytes:
    """Replace an opening by one of another record or of another game."""
    own, foreign = openings_in(data), openings_in(other)
    if not own:
        return shuffled(rng, data, other)
    old = rng.choice(own)
    new = rng.choice(foreign or own)
    return data.replace(old, new)


def without_openings(rng: Random, data: bytes, other: bytes) -> bytes:
    """Remove some openings: a slice, or less."""
    gone = {line for line in openings_in(data) if rng.random() < 0.5}
    return b"".join(line for line in data.splitlines(keepends=True) if line not in gone)


def uncommitted(rng: Random, data: bytes, other: bytes) -> bytes:
    """Remove a commitment, of the key or of a closed part, which may then be open, and compute the chain again."""
    lines = tables_of(data)
    spots = [number for number, line in enumerate(lines) if "root" in line or "commitment" in line]
    if not spots:
        return rechained_change(rng, data, other)
    number = rng.choice(spots)
    bare = {key: value for key, value in lines[number].items() if key not in {"root", "commitment", "opened"}}
    if rng.randrange(2):
        shown = lines[number].get("opened", {}).get(UMPIRE, {})
        bare |= {key: value for key, value in shown.items() if key not in {"salt", "path"}}
    return rechained([*lines[:number], bare, *lines[number + 1 :]])


def spliced(rng: Random, data: bytes, other: bytes) -> bytes:
    """Chain the beginning of one game to the end of another."""
    own, foreign = tables_of(data), tables_of(other)
    place = rng.randrange(1, min(len(own), len(foreign)))
    return rechained(own[:place] + foreign[place:])


def shortened(rng: Random, data: bytes, other: bytes) -> bytes:
    """End the log after fewer records, followed by foreign close."""
    records = rng.randrange(1, len(chain_in(data)) - 1)
    kept = tables_of(cut_after(data, records))
    close: dict[str, Any] = {**tables_of(data)[-1], "n": len(kept)}
    return rechained([*kept, close])


MUTATIONS: dict[str, Mutation] = {
    each.__name__: each
    for each in (
        flipped,
        shuffled,
        cut_off,
        rechained_change,
        changed_opening,
        swapped_openings,
        without_openings,
        uncommitted,
        spliced,
        shortened,
    )
}


def what_is_wrong(data: bytes, true: bytes, prepared: Prepared) -> str:
    """Return what a forger achieved with ``data``, made from ``true``, or "" if it is detected or unanchored."""
    try:
        log = parse_log(data, "log")
        verdict = verify(log, prepared)
    except SandtableError:
        return ""
    if verdict.exit_code:
        return ""
    if chain_in(data) == chain_in(true):
        forged = set(openings_in(data)) - set(openings_in(true))
        return f"an opening is forged under the same head: {forged}" if forged else ""
    if not misfit(anchor_of(parse_log(true, "the true log")), log):
        return f"the log is another one, is {verdict.verdict}, and the seal fits"
    return ""
