"""Completion of a spectator's slice: engagements are added just before the first event that names them."""

from typing import Any

import pytest
from tests.plugins.khamsin.modules import built

from khamsin.fog.completion import fill_in
from khamsin.model.battle_events import EngagementFound, WithdrawalChosen
from khamsin.model.events import TurnOpened
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.records import EventRecord

BOARD = built({})
EVENTS = [
    TurnOpened(),
    WithdrawalChosen("east_well~ridge", "axis", "fight", {}, 0),
    WithdrawalChosen("east_well~ridge", "allies", "fight", {}, 0),
    TurnOpened(),
    WithdrawalChosen("east_well~ridge", "axis", "fight", {}, 0),
]
RECORDS: list[Any] = [EventRecord(2 * number, event) for number, event in enumerate(EVENTS, 1)]


def found(records: Any) -> list[tuple[int, str, str]]:
    return [(each.n, each.event.area, each.event.other) for each in records if isinstance(each.event, EngagementFound)]


@pytest.mark.rule("KH-12.01")
def test_spectators_slice_gets_each_contact_once_a_turn() -> None:
    completed = fill_in(RECORDS, PUBLIC, BOARD)
    assert found(completed) == [(3, "east_well", "ridge"), (9, "east_well", "ridge")]
    assert [each for each in completed if each in RECORDS] == RECORDS
    assert fill_in(completed, PUBLIC, BOARD) == completed
    assert fill_in(RECORDS, "axis", BOARD) == RECORDS
