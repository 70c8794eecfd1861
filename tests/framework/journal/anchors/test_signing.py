"""Signing keys: files, signatures, and a missing package."""

import os
import stat
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519

from sandtable.errors import DataError, PlayError, SignaturesUnchecked
from sandtable.journal.anchors.signing import SigningKey, is_public_key, is_signed, new_key, read_signing_key


@pytest.fixture
def key() -> SigningKey:
    return SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def test_private_key_is_readable_by_owner_only_and_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    made = new_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_signing_key(path).public == made.public
    assert is_public_key(made.public)
    assert is_signed(made.public, b"words", read_signing_key(path).sign(b"words"))
    before = path.read_bytes()
    with pytest.raises(DataError, match="exists: a key is never overwritten"):
        new_key(path)
    assert path.read_bytes() == before
    with pytest.raises(DataError, match="cannot be written: No such file or directory"):
        new_key(tmp_path / "no" / "a.key")


def test_invalid_private_key_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    path.write_bytes(b"words")
    with pytest.raises(DataError, match="holds no private key"):
        read_signing_key(path)
    plain = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    for other, text in (
        (x25519.X25519PrivateKey.generate().private_bytes(*plain, serialization.NoEncryption()), "of another kind"),
        (
            ed25519.Ed25519PrivateKey.generate().private_bytes(*plain, serialization.BestAvailableEncryption(b"x")),
            "holds no private key",
        ),
    ):
        path.write_bytes(other)
        with pytest.raises(DataError, match=text):
            read_signing_key(path)


def test_keys_and_signatures_are_hex_digits_of_fixed_length(key: SigningKey) -> None:
    signature = key.sign(b"words")
    assert is_signed(key.public, b"words", signature)
    assert not is_signed(key.public, b"other words", signature)
    for public, text in (
        (key.public.upper(), signature),
        (key.public + "0", signature),
        (key.public, signature + "0"),
        (key.public, signature[:-1] + "g"),
        ("", signature),
        (key.public, ""),
        ("f" * 64, signature),
    ):
        assert not is_signed(public, b"words", text)
    assert [is_public_key(text) for text in ("0" * 64, "0" * 63, "0" * 65, "A" * 64, "")] == [True, *[False] * 4]


def test_missing_cryptography_makes_no_signature_false(
    tmp_path: Path, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = key.sign(b"words")
    for name in [each for each in sys.modules if each.partition(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    text = r"signatures require the package cryptography: install sandtable\[keys\]"
    for act in (new_key, read_signing_key):
        with pytest.raises(PlayError, match=text):
            act(tmp_path / "a.key")
    with pytest.raises(SignaturesUnchecked, match=r"install sandtable\[keys\]"):
        is_signed(key.public, b"words", signature)
    assert not is_signed(key.public, b"words", "none")
    assert not os.path.lexists(tmp_path / "a.key")
