"""Connecting shared dice to a game: the running hash to which each epoch is bound (log format, section 5)."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.header import ChainTip, Header, header_body
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.shared.epochs import Epochs, LinkSource, SharedDice


class RunningHeads:
    """The running hash of a game after a record with which a stretch begins, computed as the game continues."""

    def __init__(self, header: Header, form: LineForm) -> None:
        _, self._head = chain([header_body(header)], START)
        self._form = form
        self._count = 0
        self._found = {0: self._head.hex()}

    def __call__(self, at: int, records: Sequence[Any]) -> str:
        """Return the running hash after record ``at`` of ``records`` in hex. Record 0 is the header."""
        if at not in self._found:
            *before, last = self._form.encode(records[self._count : at]).bodies
            if before:
                _, self._head = chain(before, self._head)
            self._count = at - 1
            self._found = {0: self._found[0], at: sha256(self._head + last).hexdigest()}
        return self._found[at]


def tips_of(header: Header) -> dict[str, tuple[str, int]]:
    """Return the tip and number of links of the chains in ``header``, by name."""
    return {name: (each.tip, each.links) for name, each in header.chains.items()}


def chain_tips(tips: dict[str, tuple[str, int]]) -> dict[str, ChainTip]:
    """Return ``tips`` as a header has them."""
    return {name: ChainTip(*each) for name, each in tips.items()}


def connect(dice: object, header: Header, ruleset: Ruleset, source: LinkSource) -> None:
    """Give shared ``dice`` the epochs of a game with ``header``, whose links come from ``source``."""
    if isinstance(dice, SharedDice):
        dice.epochs = Epochs(header.game, tips_of(header), _heads(dice, header, ruleset), source)


def continue_with(dice: object, header: Header, ruleset: Ruleset, source: LinkSource) -> None:
    """Let shared ``dice`` of a resumed game take further links from ``source``."""
    if isinstance(dice, SharedDice):
        dice.epochs.heads, dice.epochs.source = _heads(dice, header, ruleset), source


def _heads(dice: SharedDice, header: Header, ruleset: Ruleset) -> RunningHeads:
    return RunningHeads(header, LineForm(ruleset, KeyedSalts(dice.salt_source)))
