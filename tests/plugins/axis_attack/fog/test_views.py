"""The view of each side: its roster, and revealed platoons of the enemy."""

from typing import Any

import msgspec
import pytest
from tests.plugins.axis_attack.cases import Lay, chooses
from tests.plugins.axis_attack.positions import ruleset
from tests.plugins.axis_attack.seen import SCENARIOS, answer, begun

from axis_attack.fog.views import OWNED, SECRET, view, visibility
from axis_attack.model import events, orders
from axis_attack.model.cards import DEPLETED, ENEMY, FULL, SIDES
from axis_attack.model.state import Purchase
from sandtable.tabletop.result import ReportBattle


def encoded(value: object) -> bytes:
    return msgspec.msgpack.encode(value, order="deterministic")


@pytest.mark.rule("AOA-1.03")
def test_owner_sees_a_roster_that_the_enemy_does_not(lay: Lay) -> None:
    state = lay("forces").state
    own, other, umpire = (view(state, each) for each in ("german", "soviet", "umpire"))
    assert umpire.rosters == own.rosters | {"soviet": umpire.rosters["soviet"]}
    assert set(own.rosters["german"]) == set(state.rosters["german"])
    assert own.rosters["german"]["pg1"].upgrades == {"light_mortar": 1}
    assert other.rosters["german"] == {}
    assert other.ladder["german"] == {}
    assert "german" not in other.aircraft


def test_fielded_platoon_is_known_by_type_and_level(lay: Lay) -> None:
    case = lay("forces", soviet="s1 strelkovy full; s2 strelkovy full komissar=1")
    case.play(chooses("german", "pg1 7; pg2 5"), chooses("soviet", "s1 9; s2 9"), until=ReportBattle)
    it = view(case.state, "soviet").rosters["german"]
    assert set(it) == {"pg1", "pg2"}
    assert (it["pg1"].type, it["pg1"].level, it["pg1"].bought) == ("pg", FULL, FULL)
    assert (it["pg1"].upgrades, it["pg1"].teams, it["pg1"].transports) == ({}, 0, 0)


@pytest.mark.rule("AOA-R14", "AOA-9.17")
def test_forces_are_shown_without_targets_after_both_are_chosen(lay: Lay) -> None:
    case = lay("forces", mission="hold_the_line", balance=(9, 9))
    shoot = Purchase("battalion_shoot", 1, (), ("the farm",))
    case.play(until=orders.ChooseForce, by="german")
    assert view(case.state, "soviet").forces == {}
    case.play(chooses("german", "pg1 7; pg2 7; howitzers 4", buys=shoot), until=ReportBattle)
    assert view(case.state, "german").forces["german"].purchase.targets == ("the farm",)
    assert view(case.state, "umpire").forces["german"].purchase.targets == ("the farm",)
    theirs = view(case.state, "soviet").forces["german"]
    assert (theirs.purchase.kind, theirs.purchase.targets) == ("battalion_shoot", ())
    visible_event = visibility("own")(case.one(events.ForceChosen, side="german"), "soviet")
    assert isinstance(visible_event, events.ForceChosen)
    assert visible_event.purchase.targets == ()


@pytest.mark.rule("AOA-O1")
def test_both_sides_see_both_rosters_by_option(lay: Lay) -> None:
    state = lay("forces", roster_visibility="all").state
    for side in SIDES:
        assert set(view(state, side).rosters[ENEMY[side]]) == set(state.rosters[ENEMY[side]])
    built = events.CompanyBuilt("german", {}, {}, {}, {}, 0)
    assert visibility("all")(built, "soviet") == built
    assert visibility("own")(built, "soviet") is None
    assert visibility("own")(built, "german") == built
    assert visibility("own")(built, "umpire") == built


@pytest.mark.rule("AOA-10.18")
def test_lowering_a_platoon_is_visible_to_the_enemy() -> None:
    lowered = events.PlatoonLowered("german", "pg1", DEPLETED)
    assert visibility("own")(lowered, "soviet") == lowered


@pytest.mark.parametrize("kind", SECRET)
def test_secret_events_name_a_side_or_hold_a_brief(kind: type[Any]) -> None:
    assert "side" in kind.__struct_fields__ or kind is events.BattleBriefed
    assert set(OWNED) <= set(SECRET)


@pytest.mark.rule("AOA-9.01")
def test_brief_hides_notes_of_a_side_from_its_enemy(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7 light_mortar; pg2 7"})
    brief = case.one(events.BattleBriefed)
    visible_event = visibility("own")(brief, "soviet")
    assert isinstance(visible_event, events.BattleBriefed)
    assert brief.brief.parties["german"].notes
    assert visible_event.brief.parties["german"].notes == ()
    assert visible_event.brief.parties["soviet"] == brief.brief.parties["soviet"]


def test_unshown_enemy_platoons_do_not_change_a_view(lay: Lay) -> None:
    state = lay("forces").state
    before = encoded(view(state, "soviet"))
    it = state.rosters["german"]["pg1"]
    it.level, it.bought, it.immobile, it.upgrades = DEPLETED, DEPLETED, True, {}
    state.rosters["german"].pop("hmg")
    state.aircraft["german"] = {"ju87": "priority"}
    state.ladder["german"]["pg1"] = [DEPLETED]
    assert encoded(view(state, "soviet")) == before
    assert encoded(view(state, "german")) != before


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_view_shares_no_object_with_the_state(scenario: str) -> None:
    _, game, stream = begun(scenario, 4)
    while not game.is_over and game.state.turn < 3:
        for side in (*SIDES, "umpire"):
            its = view(game.state, side)
            before = encoded(game.state)
            tables: list[dict[str, Any]] = [its.balance, its.earned, its.options]
            for table in (*tables, *its.rosters.values(), *its.ladder.values()):
                table.clear()
            for battle in its.track:
                battle.points.clear()
            assert encoded(game.state) == before
        answer(game, stream)


def test_ruleset_declares_all_secret_events() -> None:
    rules = ruleset()
    assert set(rules.secret_events) == set(SECRET)
