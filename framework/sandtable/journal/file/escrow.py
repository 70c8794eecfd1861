"""The dice key split into shares of words (SLIP 39), by the package ``shamir-mnemonic`` (the extra ``[escrow]``).

Some of the shares restore the key; fewer show nothing of it. Messages never contain a share.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.errors import DataError, PlayError

MOST = 16
"""Maximum number of shares, by SLIP 39."""
LONGEST = 1_000
"""Maximum number of characters of a share; 33 words of up to eight letters are fewer."""
MISSING = "the shares of a key require the package shamir-mnemonic: install sandtable[escrow]"


def split_key(key: bytes, holders: Sequence[str], needed: int) -> dict[str, str]:
    """Return the share of each of ``holders``: 33 words. Any ``needed`` of them restore ``key``.

    Each call makes new shares, which do not fit those of an earlier call. Raises PlayError for fewer than two or more
    than ``MOST`` holders, for a name that occurs twice, for a wrong ``needed``, and without the package.
    """
    if not 2 <= len(holders) <= MOST:
        raise PlayError(f"a key is split among 2 to {MOST} holders, not {len(holders)}: change the list (--holder)")
    if len(dict.fromkeys(holders)) < len(holders):
        raise PlayError(f"a holder is named twice: {', '.join(holders)}; each has one share")
    if not 2 <= needed <= len(holders):
        raise PlayError(f"{needed} of {len(holders)} shares cannot restore a key: --needs is 2 to {len(holders)}")
    (shares,) = _package().generate_mnemonics(1, [(needed, len(holders))], key, iteration_exponent=0)
    return dict(zip(holders, shares, strict=True))


def restore_key(shares: Mapping[str, str]) -> bytes:
    """Return the key that the ``shares``, words by source, restore; more than are needed are allowed.

    Raises DataError, naming the source, if a share has a wrong, missing or additional word or belongs to another key.
    Raises PlayError if there are too few, and without the package.
    """
    package = _package()
    found = {where: _decoded(package, where, words) for where, words in shares.items()}
    first = next(iter(found.values()), None)
    if first is None:
        raise PlayError("no share is given: name the files of the shares")
    for where, share in found.items():
        if share.group_parameters() != first.group_parameters():
            raise DataError(where, "", "comes from a different split than the first share: use shares made together")
    by_index = {share.index: share for share in found.values()}
    if len(by_index) < first.member_threshold:
        raise PlayError(f"{first.member_threshold} different shares restore this key; {len(by_index)} given")
    used = [share.mnemonic() for share in by_index.values()][: first.member_threshold]
    try:
        return bytes(package.combine_mnemonics(used))
    except package.MnemonicError as error:
        raise DataError(next(iter(found)), "", "does not fit the other shares: use shares made together") from error


def _decoded(package: Any, where: str, words: str) -> Any:
    text = " ".join(re.findall("[a-z]+", words[:LONGEST].lower()))
    try:
        return package.Share.from_mnemonic(text)
    except package.MnemonicError as error:
        raise DataError(where, "", "is not a share: a word is wrong, missing or misplaced; check all") from error


def _package() -> Any:
    try:
        import shamir_mnemonic  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise PlayError(MISSING) from error
    return shamir_mnemonic
