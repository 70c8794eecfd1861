"""One seed of 32 bytes for a player and a game, and the secrets derived from it (log format, section 9).

The derivation is HKDF-SHA256 (RFC 5869) without a salt, 32 bytes long, with the purpose as its info.
"""

import hmac
from pathlib import Path

from sandtable.errors import DataError
from sandtable.files.reading import read_file
from sandtable.journal.anchors.signing import SigningKey, read_signing_key, signing_key
from sandtable.journal.file.keys import read_key

SIGNING, LINKS, SALTS, BACKUP = "sandtable sign", "sandtable links", "sandtable salts", "sandtable backup"
"""Purposes of the derived secrets: the signing key, the last link of the chain, the key of salts, the backup key."""
_PEM = b"-----BEGIN"
_MAX_FILE = 4_096


def derived(seed: bytes, purpose: str) -> bytes:
    """Return the 32 bytes that HKDF-SHA256 derives from ``seed`` for ``purpose``."""
    inner = hmac.digest(bytes(32), seed, "sha256")
    return hmac.digest(inner, purpose.encode() + b"\1", "sha256")


def last_link(seed: bytes, chain: int = 1) -> bytes:
    """Return the last link of the chain of a player; ``chain`` counts the chains of a game, from 1."""
    return derived(seed, LINKS if chain == 1 else f"{LINKS} {chain}")


def own_salt(salts: bytes, label: str, start: int, head: str, index: int) -> str:
    """Return the salt of a sealed or secret order, 32 hex digits.

    ``salts`` is the key of salts, ``label`` that of the question. The order is input ``index`` (from 0) of the hand
    that begins after record ``start`` with the running hash ``head``, in hex.
    """
    return hmac.digest(salts, f"{label}\n{start}\n{head}\n{index}".encode(), "sha256").hex()[:32]


class SeatKey:
    """The secrets of a seat: the key that ``sign`` uses, and the key of its salts."""

    def __init__(self, signing: SigningKey, salts: bytes) -> None:
        self.signing = signing
        self._salts = salts

    @classmethod
    def of_seed(cls, seed: bytes) -> "SeatKey":
        """Return the secrets derived from ``seed``; raise PlayError without ``cryptography``."""
        return cls(signing_key(derived(seed, SIGNING)), derived(seed, SALTS))

    @property
    def public(self) -> str:
        """The public key, 64 hex digits."""
        return self.signing.public

    def sign(self, message: bytes) -> str:
        """Return the signature of ``message``, 128 hex digits."""
        return self.signing.sign(message)

    def salt(self, label: str, start: int, head: str, index: int) -> str:
        """Return the salt of an order, as ``own_salt`` does."""
        return own_salt(self._salts, label, start, head, index)


def read_seat_key(path: str | Path) -> SeatKey:
    """Return the secrets of a seat from a file with a seed (64 hex digits) or a private key (PEM).

    Raises DataError if it is neither, PlayError without ``cryptography``.
    """
    data = read_file(path, _MAX_FILE)
    if data.startswith(_PEM):
        key = read_signing_key(path)
        return SeatKey(key, derived(key.seed, SALTS))
    try:
        return SeatKey.of_seed(read_key(path))
    except DataError as error:
        raise DataError(
            str(path), "", "holds neither a seed (64 hex digits and a line end) nor a private key"
        ) from error
