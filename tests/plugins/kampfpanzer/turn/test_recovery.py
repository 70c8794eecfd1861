"""Recovery, 9.71 and 9.72, and wrecks, 9.9."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import PinsLifted, RecoveryRolled, ResultsApplied, UnitDestroyed, UnitsMoved, WrecksLeft

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay

from tests.plugins.kampfpanzer.cases import group

# --- recovery ---


@pytest.mark.rule("KP-9.71b", "KP-9.72b", "KP-9.72c", "KP-4.1f", "R-KP-59")
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("option", ["full", "one_level"])
def test_recovery(lay: Lay, level: int, die: int, option: str) -> None:
    case = lay(french=f"1 0808 D{level}", dice={"recovery:1": str(die)}, recovery=option).turn()
    after = level if die > 4 - level else (0 if option == "full" else level - 1)
    rolled = case.one(RecoveryRolled)
    assert (rolled.unit, rolled.level, rolled.die, rolled.after) == ("1", level, die, after)
    assert case.level("1") == after
    assert (case.refused("1 D1") == "") == (after == 0)


@pytest.mark.rule("KP-9.72c", "KP-9.72b")
def test_it_is_tried_every_turn(lay: Lay) -> None:
    case = lay(french="1 0808 D3", dice={"recovery:1": "2 4 1"})
    assert [case.turn().level("1") for _ in range(4)] == [3, 3, 0, 0]


@pytest.mark.rule("KP-9.72b", "KP-9.71d")
def test_who_was_hit_this_turn_rolls_as_well(lay: Lay) -> None:
    case = lay(
        french="1 0804", germans="94 0808; 95 0508 D1", dice={"fire:*": "5", "recovery:94": "3", "recovery:95": "1"}
    )
    assert case.turn(french="1 N 0808").levels("94", "95") == [0, 0]
    events = [event for event in case.all_events() if isinstance(event, ResultsApplied | RecoveryRolled)]
    assert isinstance(events[0], ResultsApplied)


@pytest.mark.rule("KP-9.72a", "KP-4.1f", "KP-9.71a")
def test_pins_come_off_before_anybody_recovers(lay: Lay) -> None:
    case = lay(french="1 0804; 2 0204 D1", germans="94 0808", dice={"fire:*": "6"}).turn(
        french="1 N 0808", germans="94 D1"
    )
    kinds = [type(event) for event in case.all_events()]
    assert case.one(PinsLifted).units == ["94"]
    assert kinds.index(PinsLifted) < kinds.index(RecoveryRolled)
    assert case.turn(germans="94 D1").at("94") == "0809"


@pytest.mark.rule("R-KP-90", "KP-9.72b")
def test_they_roll_in_the_order_of_their_numbers(lay: Lay) -> None:
    case = lay(french="10 0804 D1; 2 0204 D1", germans="94 0808 D1; 102 0608 D1").turn()
    assert [event.unit for event in case.events(RecoveryRolled)] == ["2", "10", "94", "102"]


@pytest.mark.rule("KP-9.71d", "R-KP-58", "KP-9.82b")
@pytest.mark.parametrize(("option", "at_once"), [("accumulate_kill_at_4", True), ("end_only", False)])
def test_who_was_disrupted_before_is_killed_in_movement(lay: Lay, option: str, at_once: bool) -> None:
    case = lay(french="29 0808 D3", germans="94 0806", dice={"overrun:0808": "6"}, pending_results=option)
    case.turn(germans="94 D1 VD")
    kinds = [type(event) for event in case.all_events()]
    last_step = max(place for place, kind in enumerate(kinds) if kind is UnitsMoved)
    assert (kinds.index(UnitDestroyed) < last_step) == at_once
    assert case.level("29") == 4


# --- wrecks ---


@pytest.mark.rule("KP-9.91a", "KP-9.91d", "KP-9.92a")
@pytest.mark.parametrize(
    ("unit", "wreck"), [("91", True), ("122", True), ("138", True), ("146", True), ("112", False), ("115", False)]
)
def test_what_leaves_a_wreck(lay: Lay, unit: str, wreck: bool) -> None:
    facing = " A" if unit == "115" else ""
    case = lay(french="19 0807; 20 0709", germans=f"{unit} 0808{facing}", dice={"fire:*": "1"})
    case.turn(group("french", "19 20"), french="19 N 0808; 20 N 0808")
    assert (case.level(unit), case.one(UnitDestroyed).wreck) == (4, wreck)
    assert case.state.wrecks == (["0808"] if wreck else [])


@pytest.mark.rule("KP-9.92a", "KP-10.0e")
def test_a_tank_that_died_by_fire_slows_nobody_that_turn(lay: Lay) -> None:
    case = lay(french="1 0807", germans="122 0808; 94 0810", dice={"fire:0808:122": "1"})
    case.turn(french="1 N 0808", germans="122 B1; 94 A2")
    assert case.track("94") == [(2, "0809"), (4, "0808")]
    assert case.state.wrecks == ["0808"]


@pytest.mark.rule("KP-9.92a", "KP-10.0e")
def test_nor_does_one_that_died_moving(lay: Lay) -> None:
    case = lay(french="1 0803", germans="122 0705; 94 0706", dice={"fire:0804:122": "1"})
    case.turn(french="1 P 0808", germans="122 B2; 94 A1 B1")
    assert (case.level("122"), case.hexes("122")) == (4, "0804")
    assert case.track("94") == [(2, "0705"), (4, "0804")]
    assert case.state.wrecks == ["0804"]


@pytest.mark.rule("KP-9.92a", "KP-10.0e")
@pytest.mark.parametrize(("wrecks", "superiority"), [("", 3), ("0808", 1)])
def test_cover(lay: Lay, wrecks: str, superiority: int) -> None:
    case = lay(french="1 0803", germans="122 0808", dice={"fire:0808:122": "6"}, wrecks=wrecks)
    assert case.turn(french="1 N 0808").fire() == [("1", "122", superiority)]


@pytest.mark.rule("KP-9.92a", "KP-9.91b", "KP-10.0e")
def test_a_wreck_is_ground_from_the_next_turn_on(lay: Lay) -> None:
    case = lay(french="1 1007", germans="122 1008; 94 1010", dice={"fire:1008:122": "1"})
    case.turn(french="1 N 1008", germans="94 D1")
    assert case.state.wrecks == ["1008"]
    case.turn(french="1 A5")
    assert case.turn(germans="94 A3").track("94") == [(2, "1010"), (4, "1009"), (8, "1008")]


@pytest.mark.rule("KP-9.91c", "KP-10.0e")
def test_two_wrecks_are_like_one(lay: Lay) -> None:
    case = lay(french="19 0807", germans="122 0808; 94 0811", wrecks="0808", dice={"fire:0808:122": "1"})
    case.turn(french="19 N 0808")
    assert case.state.wrecks == ["0808"]
    case.turn(french="19 A5")
    assert case.turn(germans="94 A3").track("94") == [(2, "0810"), (4, "0809"), (8, "0808")]


@pytest.mark.rule("KP-9.91b", "KP-8.0a", "KP-7.0a")
def test_a_wreck_neither_stops_nor_fills_a_hex(lay: Lay) -> None:
    case = lay(french="1 0806", germans="94 1212", wrecks="0808 0707").turn(french="1 D2")
    assert (case.at("1"), case.stops()) == ("0808", {})


@pytest.mark.rule("KP-9.92a", "KP-9.91a", "R-KP-58")
def test_all_wrecks_of_a_turn_come_together(lay: Lay) -> None:
    dice = {"fire:0808:122": "1", "shell:138:39": "1 1", "shell:138:40": "1 1"}
    case = lay(french="1 0807; 39 0320 A; 40 0420 A", germans="122 0808; 138 0306", dice=dice)
    case.turn(french="1 N 0808; 39 L 0308; 40 L 0308", germans="138 D5")
    assert case.one(WrecksLeft).hexes == ["0308", "0808"]
