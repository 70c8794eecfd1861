"""Contact, connectors, and guns alone with the enemy (KH-20.01)."""

import pytest
from msgspec.structs import replace as changed
from tests.plugins.khamsin.cases import ALLIES, AXIS
from tests.plugins.khamsin.procedures import of, ordered, position, run

from khamsin.model.battle_events import EngagementFound, FormationRetreated
from khamsin.model.events import CharacterHit, ControlChanged, FormationLost
from khamsin.model.state import ON_MAP, KhamsinState
from khamsin.movement.contact import find_engagements, is_stationary, withdraw_guns

GUNS = "afrika_div"
"""Without companies it is artillery that only bombards."""


def guns_at(area: str, **others: str) -> KhamsinState:
    """Return a position with guns that cannot fight, and others by name."""
    state = position({GUNS: area, **{each.removeprefix("f"): where for each, where in others.items()}})
    state.formations[GUNS].strength = 0
    return state


def fell_back(state: KhamsinState) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the areas that the guns retreat to, and the changes of control."""
    happened = run(state, withdraw_guns(state), spare=True)
    went = [each.area for each in of(happened, FormationRetreated)]
    return went, [(each.area, each.side) for each in of(happened, ControlChanged)]


@pytest.mark.rule("KH-20.01", "KH-9.01", "KH-11.05")
def test_lone_guns_fall_back_to_friends_then_own_areas_then_by_name() -> None:
    assert fell_back(guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh")) == (["el_adem"], [])
    friends = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", f15_pz_div="gambut")
    assert fell_back(friends) == (["gambut"], [])
    abroad = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", f15_pz_div="gabr_saleh")
    assert fell_back(abroad) == (["gabr_saleh"], [("gabr_saleh", "axis")])
    closed = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", frecon_cw="el_adem", finf_cw="gambut")
    assert fell_back(closed) == (["gabr_saleh"], [("gabr_saleh", "axis")])
    lost = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", frecon_cw="el_adem", finf_cw="gambut")
    lost.control["gabr_saleh"] = lost.control["el_adem"] = "allies"
    lost.formations["recon_cw"].area = "gabr_saleh"
    assert fell_back(lost) == (["el_adem"], [("el_adem", "axis")])


@pytest.mark.rule("KH-20.01", "KH-2.09")
def test_guns_stay_with_fighting_friends_or_without_enemies() -> None:
    assert fell_back(guns_at("sidi_rezegh")) == ([], [])
    assert fell_back(guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", f15_pz_div="sidi_rezegh")) == ([], [])
    both = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh")
    both.formations["7_armd_bde"].strength = 0  # guns on both sides: the side that does not hold the area leaves
    happened = run(both, withdraw_guns(both))
    assert [(each.formation, each.area) for each in of(happened, FormationRetreated)] == [("7_armd_bde", "gabr_saleh")]
    both = guns_at("gabr_saleh", f7_armd_bde="gabr_saleh")
    both.formations["7_armd_bde"].strength = 0
    happened = run(both, withdraw_guns(both))
    assert [each.formation for each in of(happened, FormationRetreated)] == [GUNS]


@pytest.mark.rule("KH-20.03", "KH-R105")
@pytest.mark.parametrize(("face", "taken"), [(3, True), (4, False)])
def test_guns_without_retreat_surrender_and_their_leader_rolls(face: int, taken: bool) -> None:
    state = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", frecon_cw="gabr_saleh", finf_cw="gambut")
    state.leaders["rommel"].standing, state.leaders["rommel"].area = ON_MAP, "sidi_rezegh"
    state.formations["more"] = changed(state.formations["7_armd_bde"], area="el_adem", parent="7_armd_bde")
    happened = run(state, withdraw_guns(state), {"capture:rommel": [face]})
    assert [(each.formation, each.rule) for each in of(happened, FormationLost)] == [(GUNS, "KH-20.03")]
    assert [each.fate for each in of(happened, CharacterHit)] == ["captured"] * taken


@pytest.mark.rule("KH-8.16", "KH-R23", "KH-R24", "KH-12.06", "KH-2.08")
@pytest.mark.parametrize(
    ("choice", "moved", "still"),
    [
        ("any_unmoved", (), True),
        ("any_unmoved", ("15_pz_div",), True),
        ("any_unmoved", ("15_pz_div", "21_pz_div"), False),
        ("per_formation", ("15_pz_div",), False),
        ("per_formation", (), True),
        ("majority_strength", ("15_pz_div",), False),
        ("majority_strength", ("afrika_div",), True),
        ("majority_strength", ("15_pz_div", "21_pz_div", "afrika_div"), False),
    ],
)
def test_partly_moved_force_is_stationary_by_option(choice: str, moved: tuple[str, ...], still: bool) -> None:
    """Each formation has 3 companies: half of the strength is not a majority, nor is a third."""
    force = ["15_pz_div", "21_pz_div", *(["afrika_div"] if "afrika_div" in moved else [])]
    state = position(dict.fromkeys(force, "sidi_rezegh"), mixed_force_status=choice)
    for each in moved:
        state.formations[each].path = ["el_adem", "sidi_rezegh"]
    assert is_stationary(state, force) is still
    for each in force:
        state.formations[each].strength = 0
    assert not is_stationary(state, force)


@pytest.mark.rule("KH-12.01", "KH-12.06", "KH-R24", "KH-R25", "KH-R26", "KH-R23")
@pytest.mark.parametrize(
    ("moved", "assault", "found"),
    [
        ((), "", None),
        ((), "15_pz_div", ("stationary", ALLIES)),
        ((), "7_armd_bde", ("stationary", AXIS)),
        (("15_pz_div",), "", ("stationary", ALLIES)),
        (("15_pz_div", "7_armd_bde"), "", ("moving", "")),
    ],
)
def test_two_stationary_forces_fight_only_on_an_assault(
    moved: tuple[str, ...], assault: str, found: tuple[str, str] | None
) -> None:
    guns = {"afrika_div": "bir_el_gubi", "recon_cw": "bir_el_gubi"}  # no engagement: one of them only bombards
    state = position({"15_pz_div": "fort_capuzzo", "7_armd_bde": "fort_capuzzo", **guns})
    state.formations["afrika_div"].strength = 0
    for each in moved:
        state.formations[each].path = ["sollum", "fort_capuzzo"]
    if assault:
        ordered(state, state.formations[assault].side, moves={assault: ["fort_capuzzo"]})
    engagements = [
        (each.column, each.stationary) for each in of(run(state, find_engagements(state, {})), EngagementFound)
    ]
    if found == ("stationary", AXIS):
        found = ("fortified", AXIS)  # the fort is the Axis's
    assert engagements == ([found] if found else [])
    for each in ("15_pz_div", "7_armd_bde"):
        state.formations[each].strength = 0
        assert run(state, find_engagements(state, {})) == []
