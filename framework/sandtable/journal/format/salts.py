"""Blinding the secrets of a log (log format, section 5): salts of openings and questions, and masked digests."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Protocol

from sandtable.kernel.dice import hmac_of
from sandtable.kernel.questions import MARK, AnsweredQuestion, label_of, text_of


def own_commitment(by: str, asked: str, salt: str, order: bytes) -> str:
    """Return the seat's own commitment to its sealed or secret ``order``, given as JSON, in hex (section 8).

    ``asked`` is the question or its label. It needs no secret of the keeper.
    """
    return sha256(f"sandtable own\n{by}\n{asked.partition(MARK)[0]}\n{salt}\n".encode() + order).hexdigest()


class Salts(Protocol):
    """A source of the salts of one log."""

    def of_step(self, number: int) -> Callable[[str], str]:
        """Return a function from an addressee to its salt, 32 hex digits, for record or step ``number``."""

    def asked(self, number: int, asked: AnsweredQuestion, *, hidden: bool) -> str:
        """Return the stored form of the question that record ``number`` answers, blinded if ``hidden``."""

    def masked(self, number: int, digest: str) -> str:
        """Return the stored form of the state digest of record ``number``."""


class KeyedSalts:
    """Salts derived from 32 bytes: the header's ``salts``, or the dice key."""

    def __init__(self, source: bytes) -> None:
        self._source = source

    def _hmac(self, message: bytes) -> bytes:
        return hmac_of(self._source)(message)

    def of_step(self, number: int) -> Callable[[str], str]:
        """Return the salts by addressee: the first 32 hex digits of SHA-256(HMAC-SHA256(S, "salt/<n>"), to)."""
        seed = sha256(self._hmac(b"salt/%d" % number))

        def salt(to: str) -> str:
            salted = seed.copy()
            salted.update(to.encode())
            return salted.hexdigest()[:32]

        return salt

    def asked(self, number: int, asked: AnsweredQuestion, *, hidden: bool) -> str:
        """Return the label and digest; if ``hidden``, the digest is salted with HMAC-SHA256(S, "question/<n>")."""
        return text_of(asked, self._hmac(b"question/%d" % number) if hidden else b"")

    def masked(self, number: int, digest: str) -> str:
        """Return HMAC-SHA256(S, "state/<n>/<digest>") in hex."""
        return self._hmac(f"state/{number}/{digest}".encode()).hex()


class StoredSalts:
    """The salts stored in a log whose key is not known; values that depend on the key are taken as stored.

    ``openings`` are the salts; ``asked`` and ``digests`` are the stored values by record number.
    """

    def __init__(
        self,
        openings: Mapping[tuple[int, str], str],
        asked: Mapping[int, str],
        digests: Mapping[int, str],
    ) -> None:
        self._openings = openings
        self._asked = asked
        self._digests = digests

    def of_step(self, number: int) -> Callable[[str], str]:
        """Return the stored salts, "" for an addressee without an opening."""
        return lambda to: self._openings.get((number, to), "")

    def asked(self, number: int, asked: AnsweredQuestion, *, hidden: bool) -> str:
        """Return the stored text if it is blinded and its label is right, or the expected unblinded text."""
        stored = self._asked.get(number, "")
        if hidden and stored.partition(MARK)[0] == label_of(asked):
            return stored
        return text_of(asked)

    def masked(self, number: int, digest: str) -> str:
        """Return the stored digest, or ``digest`` itself if none is stored."""
        return self._digests.get(number, digest)
