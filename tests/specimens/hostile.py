"""Corrupted inputs: a good one changed in its bytes, in its words, or joined with another."""

from random import Random

WORDS = (
    b"9" * 400,
    b"-1",
    b"1e999",
    b"NaN",
    b"0x10",
    "٣".encode(),
    b"null",
    b"true",
    b'""',
    b"[]",
    b"{}",
    b"[" * 5_000,
    b'{"a":' * 2_000,
    b'{"type":"',
    b"\\ud800",
    b"\\u0000",
    b"\xff\xfe",
    b"\x00",
    b"\r\n",
    b"\n",
    b"\x1b[2J",
    "\u202e".encode(),
    b"x" * 70_000,
    b"../../etc/passwd",
    b"/dev/zero",
    b"a.b." * 40,
    b'"""',
    b"'''",
    b"=",
    b"#",
    b"?",
    b" ",
)
"""Texts that have broken readers: numbers, depths, letters, paths."""

MAX_CHANGES = 4


def spoiled(rng: Random, good: bytes, other: bytes) -> bytes:
    """Return ``good`` changed one to four times, each in one of seven ways."""
    data = good
    for _ in range(rng.randint(1, MAX_CHANGES)):
        data = _changed(rng, data, other)
    return data


def _changed(rng: Random, data: bytes, other: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.choice((1, 2, 8, 40, 400)))
    kind = rng.randrange(7)
    if kind == 0 and at < len(data):
        return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[end:]
    if kind == 2:
        return data[:end] + data[at:end] * rng.choice((1, 2, 50)) + data[end:]
    if kind == 3:
        return data[:at] + rng.choice(WORDS) + data[at:]
    if kind == 4:
        return data[:at] + rng.choice(WORDS) + data[end:]
    if kind == 5:
        return data[:at] + other[rng.randrange(len(other) + 1) :]
    words = data.split(b" ") if rng.randrange(2) else data.split(b"\n")
    rng.shuffle(words)
    return b" ".join(words)
