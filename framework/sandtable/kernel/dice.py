"""The only source of randomness: dice keyed by purpose, and the private streams of the players.

A die is one 32-bit big-endian word of HMAC-SHA256(key, label), modulo its sides, plus one. Words at or above the
largest multiple of the sides are skipped, so that every face is equally likely. The dice of one roll are successive
words. When the eight words of a block are used up, the next block is HMAC-SHA256(key, label + "#1"), then "#2", and so
on. The normative text, with test vectors, is in ``replays/README.md``.
"""

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from struct import Struct as Layout
from typing import Protocol, TypeVar

from sandtable.errors import PlayError

LEAST_SIDES, MAX_SIDES = 2, 65_536
MAX_DICE = 4_096
_WORDS = 1 << 32
_BLOCK = Layout(">8I").unpack
_STREAM_BLOCK = Layout(">16I").unpack

T = TypeVar("T")


def key_from_seed(seed: str) -> bytes:
    """Return the 32-byte dice key of a seed text (log format, section 5)."""
    return hashlib.sha256(b"sandtable key\n" + seed.encode()).digest()


def commitment(key: bytes) -> str:
    """Return the hex commitment to ``key`` that a ``host`` log shows before its close (log format, section 5)."""
    return hashlib.sha256(b"sandtable commitment\n" + key).hexdigest()


_HMAC_BLOCK = 64
_INNER_PAD, _OUTER_PAD = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


@lru_cache(maxsize=64)
def hmac_of(key: bytes) -> Callable[[bytes], bytes]:
    """Return a function that computes the HMAC-SHA256 of a message under ``key`` (RFC 2104).

    It keeps the two hash states that depend only on the key, which halves the time of an HMAC for every label of a
    game.
    """
    padded = (key if len(key) <= _HMAC_BLOCK else hashlib.sha256(key).digest()).ljust(_HMAC_BLOCK, b"\0")
    inner = hashlib.sha256(padded.translate(_INNER_PAD)).copy
    outer = hashlib.sha256(padded.translate(_OUTER_PAD)).copy

    def digest(message: bytes) -> bytes:
        within = inner()
        within.update(message)
        around = outer()
        around.update(within.digest())
        return around.digest()

    return digest


def roll_dice(key: bytes, label: str, count: int, sides: int) -> tuple[int, ...]:
    """Return ``count`` dice of ``sides`` faces under ``label``: each from 1 to ``sides``, and always the same.

    Raises PlayError if ``sides`` is outside 2..65536 or ``count`` is outside 0..4096.
    """
    if not LEAST_SIDES <= sides <= MAX_SIDES:
        raise PlayError(f"a die has {LEAST_SIDES} to {MAX_SIDES} sides, not {sides}")
    if not 0 <= count <= MAX_DICE:
        raise PlayError(f"a roll has 0 to {MAX_DICE} dice, not {count}")
    digest = hmac_of(key)
    limit = _WORDS - _WORDS % sides
    faces: list[int] = []
    block = 0
    while len(faces) < count:
        message = label if block == 0 else f"{label}#{block}"
        words = _BLOCK(digest(message.encode("ascii")))
        faces += [word % sides + 1 for word in words if word < limit]
        block += 1
    return tuple(faces[:count])


class Dice(Protocol):
    """The source of a game's dice and of the salts of its secret records."""

    mode: str

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice, or None if they must come from outside (see ``mode``)."""

    def shown_key(self) -> str:
        """Return the key in hex if it is to be shown at the close of the game, otherwise ""."""


class KeyedDice:
    """Dice derived from a key: ``open`` (key in the header) or ``host`` (commitment first, key at the close).

    ``salts`` are the 32 bytes from which salts are derived, or empty to use the key.
    """

    def __init__(self, key: bytes, mode: str = "open", salts: bytes = b"") -> None:
        self.key = key
        self.mode = mode
        self.salts = salts

    @property
    def salt_source(self) -> bytes:
        """The secret from which the salts of the game's log are derived."""
        return self.salts or self.key

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice of ``label``."""
        return roll_dice(self.key, label, count, sides)

    def shown_key(self) -> str:
        """Return the key, or "" if the header already contains it (``open``)."""
        return "" if self.mode == "open" else self.key.hex()


class SetDice(KeyedDice):
    """Dice of a key, except for the given rolls in ``faces`` (by label); a branch uses them to change a die.

    A roll of fewer dice uses the first of the given faces; in a roll of more dice, the key gives the others. If one of
    the faces is not on a die of the roll, the key gives all.
    """

    def __init__(
        self, key: bytes, mode: str = "open", salts: bytes = b"", faces: Mapping[str, tuple[int, ...]] | None = None
    ) -> None:
        super().__init__(key, mode, salts)
        self.faces = dict(faces or {})

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice of ``label``."""
        fell = roll_dice(self.key, label, count, sides)
        given = self.faces.get(label, ())[:count]
        fit = tuple(face for face in given if 1 <= face <= sides)
        return fit + fell[len(fit) :] if len(fit) == len(given) else fell


class ManualDice(KeyedDice):
    """Physical dice: every roll becomes a question to the umpire. The key is used only for salts."""

    def __init__(self, key: bytes, salts: bytes = b"") -> None:
        super().__init__(key, "manual", salts)

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:  # noqa: ARG002 - the protocol's shape
        """Return None, because the umpire enters the dice."""
        return None


class ChanceDice(KeyedDice):
    """Dice without a source: the game stops at each roll until ``Game.resolve_roll``, for exact odds and search."""

    def __init__(self) -> None:
        super().__init__(bytes(32), "chance")

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:  # noqa: ARG002 - the protocol's shape
        """Return None, because the game stops at the roll."""
        return None


class Stream:
    """A player's private random numbers: a counter-based stream that never touches the game's dice."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._words: list[int] = []

    @classmethod
    def for_player(cls, key: bytes, seat: str) -> "Stream":
        """Return the stream of the player in ``seat`` of the game whose key is ``key``."""
        return cls(hmac.digest(key, b"player/" + seat.encode(), "sha256"))

    def branch(self, label: str) -> "Stream":
        """Return the substream of ``label``, which does not depend on what has been drawn from this stream."""
        return Stream(hmac.digest(self._key, b"branch/" + label.encode(), "sha256"))

    def _word(self) -> int:
        if not self._words:
            self._words = list(_STREAM_BLOCK(hashlib.sha512(self._key + b"%d" % self._block).digest()))
            self._block += 1
        return self._words.pop()

    def below(self, bound: int) -> int:
        """Return a uniformly random integer from 0 to ``bound`` - 1; ``bound`` must be at least 1."""
        if bound <= _WORDS:
            limit = _WORDS - _WORDS % bound
            while True:
                try:
                    word = self._words.pop()
                except IndexError:
                    word = self._word()
                if word < limit:
                    return word % bound
        words = (bound.bit_length() + 31) // 32 + 1
        span = 1 << (32 * words)
        while True:
            number = 0
            for _ in range(words):
                number = number << 32 | self._word()
            if number < span - span % bound:
                return number % bound

    def pick(self, values: Sequence[T]) -> T:
        """Return one of ``values``, uniformly at random."""
        return values[self.below(len(values))]

    def one_in(self, number: int) -> bool:
        """Return True with probability 1 / ``number``."""
        return self.below(number) == 0

    def sample(self, values: Sequence[T], count: int) -> list[T]:
        """Return the values at ``count`` distinct positions of ``values``, in order; every subset is equally likely."""
        left = count
        chosen: list[T] = []
        for place, value in enumerate(values):
            if left and self.below(len(values) - place) < left:
                chosen.append(value)
                left -= 1
        return chosen
