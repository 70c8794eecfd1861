"""Reinforcements at their entries: open, closed, by another way, delayed, by force; and leaders who come back."""

from __future__ import annotations

from typing import Any

import pytest
from tests.plugins.khamsin.rooms import of, ordered, position, run

from khamsin.model.events import ActivationRolled, FormationArrived, FormationDelayed, FormationMoved, LeaderReturned
from khamsin.model.orders import PlaceLeader, WriteOrders
from khamsin.model.state import WAITING, KhamsinState
from khamsin.movement.orders_sheet import orders_space
from khamsin.turn.arrivals import arrivals
from khamsin.turn.movement import action

SOUTH_AFRICANS = "2_sa_div"
ENTRIES = ("assembly_area", "sidi_barrani")


def due(closed: tuple[str, ...], *, turn: int = 8, delayed: bool = False, **places: str) -> KhamsinState:
    """Return Crusader on the turn of the South Africans, with these areas in Axis hands."""
    state = position(places, "crusader", turn=turn)
    state.control.update(dict.fromkeys(closed, "axis"))
    state.formations[SOUTH_AFRICANS].delayed = delayed
    return state


def came(happened: list[Any]) -> list[tuple[str, str]]:
    return [(each.area, each.rule) for each in of(happened, FormationArrived) if each.formation == SOUTH_AFRICANS]


@pytest.mark.rule("KH-4.04", "KH-4.05", "KH-4.06", "KH-4.08", "KH-11.03", "KH-R97")
@pytest.mark.parametrize(
    ("closed", "delayed", "expected"),
    [
        ((), False, [("assembly_area", "KH-4.04")]),
        (ENTRIES[:1], False, [("sidi_barrani", "KH-4.05")]),
        (ENTRIES[1:], True, [("assembly_area", "KH-4.08")]),
        (ENTRIES, False, []),
        (ENTRIES, True, []),
    ],
)
def test_where_reinforcements_arrive(closed: tuple[str, ...], expected: list[Any], *, delayed: bool) -> None:
    state = due(closed, turn=8 + delayed, delayed=delayed)
    happened = run(state, arrivals(state))
    assert came(happened) == expected
    assert [each.formation for each in of(happened, FormationDelayed)] == [SOUTH_AFRICANS] * (
        not expected and not delayed
    )


@pytest.mark.rule("KH-4.06", "KH-4.07", "KH-R98", "KH-R99")
@pytest.mark.parametrize(
    ("defender", "face", "end"), [(False, 0, "assembly_area"), (True, 4, ""), (True, 5, "assembly_area")]
)
def test_after_a_turn_they_may_come_by_force(face: int, end: str, *, defender: bool) -> None:
    state = due(ENTRIES)
    run(state, arrivals(state))
    way = WriteOrders({SOUTH_AFRICANS: ["assembly_area"]})
    assert orders_space(state, "allies").why_not(way) is not None
    places = {"15_pz_div": "assembly_area"} if defender else {}
    state = due(ENTRIES, turn=9, delayed=True, **places)
    run(state, arrivals(state))
    assert orders_space(state, "allies").why_not(way) is None
    ordered(state, "allies", moves=way.moves)
    happened = run(state, action(state), {f"activation:{SOUTH_AFRICANS}": [face]} if defender else {})
    assert len(of(happened, ActivationRolled)) == defender
    formation = state.formations[SOUTH_AFRICANS]
    assert formation.area == end
    if not end:
        assert (formation.standing, formation.delayed) == (WAITING, True)
    elif defender:
        assert list(state.engagements) == ["assembly_area"]
    else:
        assert of(happened, FormationMoved)[0].start == ""
        assert state.control["assembly_area"] == "allies"


@pytest.mark.rule("KH-23.04", "KH-R108")
def test_a_leader_comes_back_by_an_open_entry() -> None:
    state = due(())
    state.leaders["norrie"].standing, state.leaders["norrie"].returns = "wounded", 9
    assert not of(run(state, arrivals(state)), LeaderReturned)
    state.turn = 9
    (back,) = of(run(state, arrivals(state), answers={"allies": PlaceLeader("sidi_barrani")}), LeaderReturned)
    assert back.area == "sidi_barrani"
    state = due(ENTRIES, turn=9)
    state.leaders["norrie"].standing, state.leaders["norrie"].returns = "wounded", 9
    assert not of(run(state, arrivals(state)), LeaderReturned)
