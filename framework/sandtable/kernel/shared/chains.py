"""Hash chains, from which each side shares in the dice (log format, section 5)."""

import hashlib
import re
from collections.abc import Mapping

LINKS = 4_096
"""Usual number of links of a chain."""
MAX_LINKS = 65_536
"""Maximum number of links of a chain; it bounds the work of a reader."""
_LINK = re.compile(r"[0-9a-f]{64}")


def link_before(index: int, link: bytes) -> bytes:
    """Return link ``index`` - 1 of a chain whose link ``index`` is ``link``."""
    return hashlib.sha256(b"sandtable link\n" + index.to_bytes(4, "big") + link).digest()


def epoch_key(game: str, epoch: int, head: str, links: Mapping[str, bytes]) -> bytes:
    """Return the dice key of ``epoch`` of the ``game``; ``head`` is the running hash to which it is bound, in hex."""
    shares = b"".join(name.encode() + b"=" + links[name] for name in sorted(links))
    return hashlib.sha256(f"sandtable epoch\n{game}\n{epoch}\n{head}\n".encode() + shares).digest()


def link_bytes(text: str) -> bytes:
    """Return the link that ``text`` gives in 64 lower-case hex digits, or b"", which fits no chain."""
    return bytes.fromhex(text) if _LINK.fullmatch(text) else b""


class Chain:
    """A whole chain, which only its owner knows: link 0 is the public ``tip``, the last one is ``seed``."""

    def __init__(self, seed: bytes, links: int = LINKS) -> None:
        found = [seed]
        for index in range(links, 0, -1):
            found.append(link_before(index, found[-1]))
        self._links = found[::-1]

    @property
    def tip(self) -> str:
        """Link 0 in hex."""
        return self._links[0].hex()

    @property
    def links(self) -> int:
        """The number of links after the tip."""
        return len(self._links) - 1

    def __getitem__(self, index: int) -> bytes:
        return self._links[index]


class KnownChain:
    """The public part of a chain: its newest known link.

    ``serial`` counts the chains of its owner from 1. Link i of the chain belongs to epoch ``base`` + i.
    """

    __slots__ = ("_index", "_link", "base", "links", "serial")

    def __init__(self, tip: str, links: int, base: int = 0, serial: int = 1) -> None:
        self.links = links
        self.base = base
        self.serial = serial
        self._index = 0
        self._link = link_bytes(tip)

    def why_not(self, epoch: int, link: bytes) -> str:
        """Return why ``link`` is not that of ``epoch``, or "" if it is."""
        index = epoch - self.base
        if index > self.links:
            return f"the chain ends with link {self.links}: it has no link for epoch {epoch}"
        if index <= self._index or len(link) != len(self._link):
            return f"is not link {index} of the chain"
        back = link
        for each in range(index, self._index, -1):
            back = link_before(each, back)
        return "" if back == self._link else f"is not link {index} of the chain"

    def accept(self, epoch: int, link: bytes) -> None:
        """Note ``link``, for which ``why_not`` returns ""."""
        self._index, self._link = epoch - self.base, link
