"""The facts of a log's header that no rules are needed for: its id, its key, its commitments, and its chains."""

from collections.abc import Sequence
from typing import Any

from sandtable.journal.file.log import Log
from sandtable.journal.format.header import game_id
from sandtable.journal.verification.rerun import Difference
from sandtable.journal.verification.stored import shown_key
from sandtable.kernel.dice import commitment
from sandtable.kernel.shared.epochs import HOST
from sandtable.plugin.manager import Prepared
from sandtable.quoting import shortened


def header_difference(log: Log, prepared: Prepared) -> Difference | None:
    """Return the first error in the header, or None."""
    header = log.header
    if log.broken == 0:
        text = f"{log.where(0)}: the header was altered: its hash does not match its text"
        return Difference("altered record", 0, text, "hash")
    if game_id(header) != header.game:
        text = f"{log.where(0)}: the game id {header.game} does not follow from the header"
        return Difference("altered record", 0, text, "game", header.game, game_id(header))
    if header.dice_set and header.parent is None:
        text = f"{log.where(0)}: dice are set, but the header names no parent game"
        return Difference("altered record", 0, text, "dice_set")
    if prepared.ruleset.hidden and not header.commitment:
        text = f"{log.where(0)}: the header has no commitment to a dice key"
        return Difference("altered record", 0, text, "commitment")
    if unchained := [each for each in prepared.ruleset.viewers if each not in header.chains] if header.chains else []:
        text = f"{log.where(0)}: {unchained[0]} has no chain: the other sides could make the dice together"
        return Difference("altered record", 0, text, "chains")
    if strange := [each for each in header.chains if each not in (*prepared.ruleset.viewers, HOST)]:
        text = f"{log.where(0)}: the chain of {shortened(strange[0])} is of no side of the game"
        return Difference("altered record", 0, text, "chains")
    if header.root and not (header.dice == "open" and prepared.ruleset.hidden):
        text = f"{log.where(0)}: the header hides a key: this game does not allow that"
        return Difference("altered record", 0, text, "root")
    return None


def key_difference(log: Log, records: Sequence[Any]) -> Difference | None:
    """Return a difference if the dice key that the log shows does not match the commitment of its header, or None."""
    key, header = shown_key(log, records), log.header
    if key is None or not header.commitment or commitment(key) == header.commitment:
        return None
    number = 0 if header.key else log.records
    text = f"{log.where(number)}: the dice key does not match the commitment in the header"
    return Difference("altered record", number, text, "key", commitment(key), header.commitment)
