"""Signing keys of people: Ed25519 (RFC 8032), by the package ``cryptography`` (the extra ``[keys]``).

A public key is 64 hex digits, a signature 128. A private key is a PEM file (PKCS 8) readable only by its owner.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.errors import DataError, PlayError, SignaturesUnchecked
from sandtable.files.reading import read_file
from sandtable.files.writing import write_secret

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_PUBLIC = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_MAX_KEY = 4_096
MISSING = "signatures require the package cryptography: install sandtable[keys]"
UNCHECKED = "a signature cannot be checked here: install sandtable[keys]"


class SigningKey:
    """A private key that signs."""

    def __init__(self, key: "Ed25519PrivateKey") -> None:
        self._key = key

    @property
    def public(self) -> str:
        """The public key."""
        return self._key.public_key().public_bytes_raw().hex()

    @property
    def seed(self) -> bytes:
        """The 32 secret bytes of the key."""
        return self._key.private_bytes_raw()

    def sign(self, message: bytes) -> str:
        """Return the signature of ``message``."""
        return self._key.sign(message).hex()


def signing_key(seed: bytes) -> SigningKey:
    """Return the private key whose 32 secret bytes are ``seed``; raise PlayError without ``cryptography``."""
    ed25519, _ = _library()
    return SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(seed))


def new_key(path: str | Path) -> SigningKey:
    """Write a new private key into the file ``path``, readable only by its owner, and return it.

    Raises DataError if the file exists or cannot be written, PlayError without ``cryptography``.
    """
    ed25519, serialization = _library()
    key = ed25519.Ed25519PrivateKey.generate()
    data = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    try:
        write_secret(path, data)
    except FileExistsError:
        raise DataError(str(path), "", "exists: a key is never overwritten; name another file") from None
    except OSError as error:
        raise DataError(str(path), "", f"cannot be written: {error.strerror}") from error
    return SigningKey(key)


def read_signing_key(path: str | Path) -> SigningKey:
    """Return the private key in the file ``path``; raise DataError if invalid, PlayError without ``cryptography``."""
    ed25519, serialization = _library()
    data = read_file(path, _MAX_KEY)
    try:
        key = serialization.load_pem_private_key(data, None)
    except (ValueError, TypeError) as error:
        raise DataError(str(path), "", "holds no private key of the form that `sandtable key new` writes") from error
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise DataError(str(path), "", "holds a key of another kind: expected an Ed25519 key")
    return SigningKey(key)


def is_public_key(text: str) -> bool:
    """Return whether ``text`` has the form of a public key."""
    return _PUBLIC.fullmatch(text) is not None


def is_signed(public: str, message: bytes, signature: str) -> bool:
    """Return whether ``signature`` is that of ``message`` by the key ``public``.

    Raises SignaturesUnchecked without ``cryptography``, because the signature may be valid.
    """
    if not (_PUBLIC.fullmatch(public) and _SIGNATURE.fullmatch(signature)):
        return False
    try:
        ed25519, _ = _library()
    except PlayError as error:
        raise SignaturesUnchecked(UNCHECKED) from error
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - an extra

    try:
        ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _library() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - an extra
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra
    except ImportError:
        raise PlayError(MISSING) from None
    return ed25519, serialization
