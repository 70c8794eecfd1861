"""Narration with the names of platoons: the types of platoons follow from the records before a sentence."""

from collections.abc import Iterable
from typing import Any

from axis_attack.model import events
from axis_attack.model.cards import Board
from axis_attack.ui.names import PlatoonNames
from axis_attack.ui.narrate import battle_lines, sentence
from sandtable import EventRecord
from sandtable.pictures import capital

WITH_PLATOONS = (
    events.CompanyBuilt,
    events.ReconClaimed,
    events.ForceChosen,
    events.BattleFought,
    events.StrengthAssessed,
    events.VehiclesTaken,
    events.PlatoonLowered,
    events.MobilityAssessed,
    events.PlatoonRaised,
    events.PlatoonReinforced,
    events.PlatoonExchanged,
)
"""Events whose sentences name platoons."""


def digest(records: Iterable[Any], board: Board | None = None) -> dict[int, str]:
    """Return the sentences that name platoons, by the number of their record; a battle has a line for each platoon."""
    if board is None:
        return {}
    texts: dict[int, str] = {}
    names = PlatoonNames(board)
    for record in records:
        if isinstance(record, EventRecord) and isinstance(record.event, WITH_PLATOONS):
            if isinstance(record.event, events.CompanyBuilt):
                names.follow(record.event)
            if isinstance(record.event, events.BattleFought):
                texts[record.n] = capital("\n".join(battle_lines(record.event, board, names)))
            else:
                texts[record.n] = sentence(record, board, names) or ""
            names.follow(record.event)
    return texts
