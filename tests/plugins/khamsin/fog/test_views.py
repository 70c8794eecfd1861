"""The view of each side: its own pieces, orders and reports, and no secrets of the enemy."""

from typing import Any

import msgspec
import pytest
from tests.plugins.khamsin.games import SIDES, change_secrets, crusader, played
from tests.plugins.khamsin.positions import single

from khamsin.fog.views import view
from khamsin.fog.visibility import OWNED, SECRET, SHOWN_IN_PART, visibility
from khamsin.model import battle_events as battle
from khamsin.model import events
from khamsin.model.cards import ENEMY
from khamsin.model.events import ActivationRolled, FormationMoved, LeaderMoved, OrdersWritten
from khamsin.model.state import Engagement, Formation, KhamsinState
from sandtable.kernel.records import EventRecord

PUBLIC = {
    events.TurnOpened, events.SituationChanged, events.WeatherSet, events.AreasInterdicted, events.ControlChanged,
    events.HonorGained, events.MedalsAwarded, events.ConditionCounted, battle.WithdrawalAllowed, battle.ModeAgreed,
    battle.MissionSet, battle.EngagementDecided, battle.EngagementSettled,
}  # fmt: skip
"""Events that every side may see unchanged, each reviewed by hand."""


def bytes_of(state: KhamsinState, side: str) -> bytes:
    return msgspec.json.encode(view(state, side))


@pytest.mark.rule("KH-6.08", "KH-6.07", "KH-3.06", "KH-R101")
@pytest.mark.parametrize("side", SIDES)
def test_view_does_not_depend_on_enemy_secrets(side: str) -> None:
    state, _ = crusader()
    before, whole = bytes_of(state, side), bytes_of(state, "umpire")
    change_secrets(state, ENEMY[side])
    assert bytes_of(state, side) == before
    assert bytes_of(state, "umpire") != whole


@pytest.mark.parametrize("side", SIDES)
def test_view_contains_all_pieces_and_reports_of_the_side(side: str) -> None:
    state, _ = crusader()
    seen = view(state, side)
    assert set(seen.formations) == {key for key, it in state.formations.items() if it.side == side}
    assert set(seen.leaders) == {key for key, it in state.leaders.items() if it.side == side}
    assert (set(seen.sheets), set(seen.reports), set(seen.air_used)) == ({side}, {side}, {side})
    for key, it in seen.formations.items():
        own: Any = state.formations[key]
        for name in it.__struct_fields__:
            theirs = getattr(own, name)
            assert getattr(it, name) == (tuple(theirs) if name == "path" else theirs)


def test_umpire_view_contains_both_sides() -> None:
    state, _ = crusader()
    seen = view(state, "umpire")
    assert set(seen.formations) == set(state.formations)
    assert set(seen.sheets) == set(SIDES)
    assert seen.engagements["sidi_rezegh"].forces == {"axis": ("90_light_div",), "allies": ("7_armd_bde",)}


@pytest.mark.rule("KH-R103", "KH-11.01")
@pytest.mark.parametrize("side", SIDES)
def test_control_is_public(side: str) -> None:
    state, board = crusader()
    assert view(state, side).control == state.control
    assert set(state.control) == set(board.areas)


@pytest.mark.rule("KH-R59")
@pytest.mark.parametrize(
    ("reveal", "names", "companies"),
    [("composition", False, {"armor": 2}), ("full", True, {"armor": 2}), ("none", False, None)],
)
def test_contact_reveals_names_or_companies_by_option(
    reveal: str, names: bool, companies: dict[str, int] | None
) -> None:
    state, _ = crusader(engagement_reveal=reveal)
    it = view(state, "axis").engagements["sidi_rezegh"]
    assert ("allies" in it.forces) is names
    assert it.companies.get("allies") == companies
    assert it.companies["axis"] == {"infantry": 3}
    assert it.fielded["allies"][0].company == "crusader_squadron"
    assert (it.fielded["allies"][0].formation != "") is names
    found = battle.EngagementFound("e", "e", "", {"axis": ["a"], "allies": ["b"]}, {"a": "x", "b": "y"},
                                   {"axis": {"armor": 1}, "allies": {"armor": 2}}, "moving", "", "axis")  # fmt: skip
    visible = visibility(reveal)(found, "axis")
    assert isinstance(visible, battle.EngagementFound)
    assert visible.forces["allies"] == (["b"] if names else [])
    assert visible.composition["allies"] == (companies or {})
    assert ("b" in visible.origins) is names


@pytest.mark.rule("KH-R117")
def test_contact_information_survives_a_rejoining_part() -> None:
    state, _ = crusader()
    state.formations["7_armd_bde_2"] = Formation("allies", 1, "map", "sidi_rezegh", parent="7_armd_bde")
    state.engagements["sidi_rezegh"].forces["allies"].append("7_armd_bde_2")
    before = view(state, "axis").engagements["sidi_rezegh"]
    del state.formations["7_armd_bde_2"]
    assert view(state, "axis").engagements["sidi_rezegh"] == before


@pytest.mark.rule("KH-19.01", "KH-6.08")
def test_enemy_sees_kind_and_number_of_withdrawals_only() -> None:
    chosen = battle.WithdrawalChosen("e", "axis", "stand", {"15_pz_div": "precipitous"}, 1)
    visible = visibility("composition")(chosen, "allies")
    assert isinstance(visible, battle.WithdrawalChosen)
    assert (visible.how, visible.number, visible.leaving) == ("stand", 1, {})
    assert visibility("composition")(chosen, "axis") == chosen
    assert visibility("full")(chosen, "allies") == chosen


def test_every_event_is_public_owned_or_shown_in_part() -> None:
    kinds = {*events.EVENTS, *battle.EVENTS}
    assert set(SECRET) == {*OWNED, *SHOWN_IN_PART}
    assert kinds == PUBLIC | set(SECRET)
    assert not PUBLIC & set(SECRET)
    assert all("side" in kind.__struct_fields__ for kind in OWNED)


@pytest.mark.rule("KH-6.08", "KH-3.10", "KH-6.07")
def test_owned_events_are_visible_to_their_side_and_the_umpire() -> None:
    _, game = played("fixture")
    visible = visibility("composition")
    found = [record.event for record in game.records if isinstance(record, EventRecord)]
    assert {OrdersWritten, battle.SideActed} <= {type(event) for event in found}
    assert {ActivationRolled, FormationMoved, LeaderMoved} <= {type(event) for event in single(found)}
    for event in found:
        assert visible(event, "umpire") is event
        if isinstance(event, OWNED):
            owner = event.side  # type: ignore[attr-defined]  # each of OWNED has one
            assert visible(event, owner) is event
            assert visible(event, ENEMY[owner]) is None


@pytest.mark.rule("KH-6.08", "KH-R59")
@pytest.mark.parametrize("seed", ["wadi", "dune"])
def test_visible_events_name_no_enemy_formation(seed: str) -> None:
    prepared, game = played("fixture", seed)
    visible = visibility("composition")
    for side in SIDES:
        names = {key for key, card in prepared.board.formations.items() if card.side != side}
        for record in game.records:
            event = visible(record.event, side) if isinstance(record, EventRecord) else None
            text = "" if event is None else msgspec.json.encode(event).decode()
            assert not [name for name in names if f'"{name}"' in text], text


def test_connector_engagement_shows_both_ends() -> None:
    state, _ = crusader()
    state.engagements["a~b"] = Engagement("a~b", "gambut", "tobruk", {"axis": [], "allies": []})
    assert view(state, "axis").engagements["a~b"].other == "tobruk"
