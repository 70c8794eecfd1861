"""Chains whose secrets are on this machine: for games at one terminal, for a server, and for tests."""

import hmac
from collections.abc import Mapping

from sandtable.kernel.shared.chains import LINKS, Chain
from sandtable.kernel.shared.epochs import Due


class LocalLinks:
    """The links of the chains that follow from ``secrets``, 32 bytes by name; those of other names are not known.

    Chain number k of a name ends with HMAC-SHA256(secret, "chain/<k>"). A holder of the secrets of all sides can
    compute all dice in advance, so such a game proves nothing against that holder.
    """

    def __init__(self, secrets: Mapping[str, bytes], links: int = LINKS) -> None:
        self._secrets = dict(secrets)
        self._links = links
        self._chains: dict[tuple[str, int], Chain] = {}

    def _chain(self, name: str, serial: int) -> Chain:
        key = (name, serial)
        if key not in self._chains:
            seed = hmac.digest(self._secrets[name], b"chain/%d" % serial, "sha256")
            self._chains[key] = Chain(seed, self._links)
        return self._chains[key]

    def tips(self) -> dict[str, tuple[str, int]]:
        """Return the tip and number of links of the first chains, by name, for the header."""
        return {name: (self._chain(name, 1).tip, self._links) for name in sorted(self._secrets)}

    def link(self, name: str, due: Due) -> bytes | None:
        """Return the link of ``name``, or None if its chain is not here or has ended."""
        is_here = name in self._secrets and 0 < due.place <= self._links
        return self._chain(name, due.serial)[due.place] if is_here else None

    def renewal(self, name: str, serial: int) -> tuple[str, int] | None:
        """Return the tip and number of links of chain number ``serial`` of ``name``, or None if it is not here."""
        return (self._chain(name, serial).tip, self._links) if name in self._secrets else None
