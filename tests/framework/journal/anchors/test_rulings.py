"""Rulings signed by the key that the header names."""

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from msgspec import structs

from sandtable.errors import PlayError
from sandtable.journal.anchors import rulings
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.anchors.rulings import why_not_umpires
from sandtable.journal.anchors.signing import SigningKey, is_signed
from sandtable.journal.file.log import Log
from sandtable.kernel.records import RulingRecord
from sandtable.testing.tictactoe import Marked


@pytest.fixture
def key() -> SigningKey:
    return SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def named(log: Log, **keys: str) -> Log:
    """Return the log with ``keys`` named in its header."""
    log.header = structs.replace(log.header, keys=keys)
    return log


def test_ruling_counts_if_signed_by_the_key_of_the_header(log: Log, key: SigningKey) -> None:
    ruling: RulingRecord[Any] = RulingRecord(4, "umpire", "his pen was dry", Marked("x", 4))
    head = head_at(log, 3)
    assert why_not_umpires(ruling, log) == ""  # the header names no key
    with pytest.raises(PlayError, match=rf"the header names {'0' * 16}…, not {key.public[:16]}…"):
        rulings.signed(ruling, head, key, {"umpire": "0" * 64})
    for keys in ({}, {"x": "0" * 64}, {"umpire": key.public}):
        signed = rulings.signed(ruling, head, key, keys)
        assert is_signed(key.public, rulings.ruling_message(ruling, head), signed.signature)
    named(log, umpire=key.public)
    assert why_not_umpires(signed, log) == ""
    assert why_not_umpires(ruling, log) == "the ruling is not signed; the header names the umpire's key"
    for other in (
        structs.replace(signed, reason="otherwise"),
        structs.replace(signed, n=5),
        rulings.signed(ruling, head_at(log, 4), key, {}),
    ):
        assert why_not_umpires(other, log) == "the ruling is not signed by the umpire whose key the header names"
