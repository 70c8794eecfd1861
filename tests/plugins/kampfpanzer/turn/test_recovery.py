"""Recovery (9.71, 9.72), wrecks (9.9), and entrenchments (13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.kampfpanzer.cases import group
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import (
    EntrenchmentsLost,
    FireResolved,
    PinsLifted,
    RecoveryRolled,
    ResultsApplied,
    UnitDestroyed,
    UnitsMoved,
    WrecksLeft,
)

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

# --- recovery ---


@pytest.mark.rule("KP-9.71b", "KP-9.72b", "KP-9.72c", "KP-4.1f", "R-KP-59")
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("option", ["full", "one_level"])
def test_recovery_die_lowers_the_level(new_case: NewCase, level: int, die: int, option: str) -> None:
    case = new_case(french=f"1 0808 D{level}", dice={"recovery:1": str(die)}, recovery=option).turn()
    after = level if die > 4 - level else (0 if option == "full" else level - 1)
    rolled = case.one(RecoveryRolled)
    assert (rolled.unit, rolled.level, rolled.die, rolled.after) == ("1", level, die, after)
    assert case.level("1") == after
    assert (case.refused("1 D1") == "") == (after == 0)


@pytest.mark.rule("KP-9.72c", "KP-9.72b")
def test_recovery_is_rolled_every_turn(new_case: NewCase) -> None:
    case = new_case(french="1 0808 D3", dice={"recovery:1": "2 4 1"})
    assert [case.turn().level("1") for _ in range(4)] == [3, 3, 0, 0]


@pytest.mark.rule("KP-9.72b", "KP-9.71d")
def test_unit_hit_this_turn_rolls_as_well(new_case: NewCase) -> None:
    dice = {"fire:*": "5", "recovery:94": "3", "recovery:95": "1"}
    case = new_case(french="1 0804", germans="94 0808; 95 0508 D1", dice=dice)
    assert case.turn(french="1 N 0808").levels("94", "95") == [0, 0]
    events = [event for event in case.all_events() if isinstance(event, ResultsApplied | RecoveryRolled)]
    assert isinstance(events[0], ResultsApplied)


@pytest.mark.rule("KP-9.72a", "KP-4.1f", "KP-9.71a")
def test_pins_are_lifted_before_recovery(new_case: NewCase) -> None:
    case = new_case(french="1 0804; 2 0204 D1", germans="94 0808", dice={"fire:*": "6"})
    case.turn(french="1 N 0808", germans="94 D1")
    kinds = [type(event) for event in case.all_events()]
    assert case.one(PinsLifted).units == ["94"]
    assert kinds.index(PinsLifted) < kinds.index(RecoveryRolled)
    assert case.turn(germans="94 D1").at("94") == "0809"


@pytest.mark.rule("R-KP-90", "KP-9.72b")
def test_units_roll_in_order_of_their_numbers(new_case: NewCase) -> None:
    case = new_case(french="10 0804 D1; 2 0204 D1", germans="94 0808 D1; 102 0608 D1").turn()
    assert [event.unit for event in case.events(RecoveryRolled)] == ["2", "10", "94", "102"]


@pytest.mark.rule("KP-9.71d", "R-KP-58", "KP-9.82b")
@pytest.mark.parametrize(
    ("option", "tanks", "at_once"),
    [("accumulate_kill_at_4", 1, True), ("end_only", 1, False), ("end_only", 3, True)],  # three: D4
)
def test_disrupted_unit_is_killed_in_movement(new_case: NewCase, option: str, tanks: int, at_once: bool) -> None:
    units, plots = ["94 0806", "95 0707", "96 0907"], ["94 D1 VD", "95 D1 VC", "96 D1 VE"]
    dice = {"overrun:0808": "6"}
    case = new_case(french="29 0808 D3", germans="; ".join(units[:tanks]), dice=dice, pending_results=option)
    case.turn(germans="; ".join(plots[:tanks]))
    kinds = [type(event) for event in case.all_events()]
    last_step = max(index for index, kind in enumerate(kinds) if kind is UnitsMoved)
    assert (kinds.index(UnitDestroyed) < last_step) == at_once
    assert case.level("29") == 4


# --- wrecks ---


@pytest.mark.rule("KP-10.0e KP-7.0a KP-8.0a KP-9.91a KP-9.91b KP-9.91d KP-9.92a R-KP-58")
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-9.91a KP-9.91d KP-9.92a", f"wreck_of_{unit}", "19 0807; 20 0709",
              f"{unit} 0808{' A' if unit == '115' else ''}", dice="fire:* 1", reply=[group("french", "19 20")],
              f="19 N 0808; 20 N 0808", levels=f"{unit} 4", one=(UnitDestroyed, {"wreck": wreck}),
              wrecked="0808" if wreck else "")
          for unit, wreck in (("91", True), ("122", True), ("138", True), ("146", True), ("112", False),
                              ("115", False))),
        row("KP-9.92a KP-10.0e", "no_cost_in_the_turn_of_fire", "1 0807", "122 0808; 94 0810", dice="fire:0808:122 1",
            f="1 N 0808", g="122 B1; 94 A2", track="94 2:0809 4:0808", wrecked="0808"),
        row("KP-9.92a KP-10.0e", "no_cost_in_the_turn_of_movement", "1 0803", "122 0705; 94 0706",
            dice="fire:0804:122 1", f="1 P 0808", g="122 B2; 94 A1 B1", levels="122 4", hexes="122 0804",
            track="94 2:0705 4:0804", wrecked="0804"),
        *(row("KP-9.92a KP-10.0e", f"cover_{superiority}", "1 0803", "122 0808", dice="fire:0808:122 6", wrecks=wrecks,
              f="1 N 0808", fire=f"1>122 {superiority}") for wrecks, superiority in (("", 3), ("0808", 1))),
        row("KP-9.91b KP-8.0a KP-7.0a", "does_not_stop_or_stack", "1 0806", "94 1212", wrecks="0808 0707", f="1 D2",
            at="1 0808", stops={}),
        row("KP-9.92a KP-9.91a R-KP-58", "all_at_once", "1 0807; 39 0320 A; 40 0420 A", "122 0808; 138 0306",
            dice="fire:0808:122 1; shell:138:39 1 1; shell:138:40 1 1", f="1 N 0808; 39 L 0308; 40 L 0308",
            g="138 D5", one=(WrecksLeft, {"hexes": ["0308", "0808"]})),
    ],
)  # fmt: skip
def test_wreck_has_cost_and_cover_from_the_next_turn(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-9.92a", "KP-9.91b", "KP-9.91c", "KP-10.0e")
@pytest.mark.parametrize("before", ["", "1008"])  # two wrecks count as one
def test_wreck_is_ground_from_the_next_turn_on(new_case: NewCase, before: str) -> None:
    case = new_case(french="19 1007", germans="122 1008; 94 1011", wrecks=before, dice={"fire:1008:122": "1"})
    case.turn(french="19 N 1008")
    assert case.state.wrecks == ["1008"]
    case.turn(french="19 A5")
    assert case.turn(germans="94 A3").track("94") == [(2, "1010"), (4, "1009"), (8, "1008")]


# --- entrenchments ---

SHOT_OUT: dict[str, Any] = {"dice": "fire:0808:29 1", "reply": [group("germans", "105 106")]}
"""Dice and groups with which two tanks destroy a garrison."""
GARRISON, STORM = "29 0808 entrenched", "105 0807; 106 0709; 112 0809"
BOTH = "105 N 0808; 106 N 0808"


@pytest.mark.rule("KP-13.0b KP-13.0c KP-13.1a KP-13.1b KP-13.1c R-KP-16")
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-13.1a", "left_empty", "29 0808 entrenched; 30 0608 entrenched", f="29 A1",
            one=(EntrenchmentsLost, {"hexes": ["0808"]}), trenches={"0608": "french"}),
        row("KP-13.1a", "one_of_two_stays", "29 0808 entrenched; 38 0808 A", f="29 A1", trenches={"0808": "french"}),
        row("KP-13.1a", "relieved", "29 0808 entrenched; 30 0809", f="29 A1; 30 A1", at="30 0808",
            trenches={"0808": "french"}),
        row("KP-13.1a", "garrison_destroyed", GARRISON, STORM, **SHOT_OUT, g=BOTH, levels="29 4", trenches={}),
        row("KP-13.1c", "leaving_costs_nothing", GARRISON, f="29 A1", track="29 2:0807"),
        *(row("KP-13.0c KP-13.0b R-KP-16", f"no_place_for_{unit}", f"{GARRISON}; {unit} 0806; 30 0402", f=f"{unit} D3",
              refused={f"{unit} D2": True, f"29 C1; {unit} D2": "KP-13.0c"}, at=f"{unit} 0809")
          for unit in ("1", "138", "146")),
        row("KP-13.1b", "no_digging_during_play", "29 0808; 38 0608 A", trenches={},
            refused={"29 entrenched": True, "29 X": True, "29 0808 entrenched": True}),
    ],
)  # fmt: skip
def test_entrenchment_lasts_while_occupied(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-13.0d", "KP-13.1b", "KP-13.21b", "KP-13.21a")
def test_unit_that_enters_later_is_entrenched(new_case: NewCase) -> None:
    case = new_case(french="38 0808 A entrenched; 29 0809", germans="105 0805", dice={"fire:0808:29": "6"})
    case.turn(french="29 A1")
    shot = case.turn(germans="105 N 0808/29").one(FireResolved)
    assert (shot.addition, shot.cover) == (4, "entrenchment")
    assert case.state.entrenchments == {"0808": "french"}


@pytest.mark.rule("R-KP-73", "KP-13.1a", "KP-13.0c")
@pytest.mark.parametrize(("option", "left"), [("side_bound", {}), ("capturable", {"0808": "germans"})])
def test_enemy_that_moves_in_takes_the_trench_by_option(new_case: NewCase, option: str, left: dict[str, str]) -> None:
    case = new_case(french=GARRISON, germans=STORM, dice={"fire:0808:29": "1"}, entrench_owner=option)
    case.turn(*SHOT_OUT["reply"], germans=f"{BOTH}; 112 A1")
    assert (case.at("112"), case.state.entrenchments) == ("0808", left)
    assert case.refused("112 D1; 105 D1") == ("KP-13.0c" if left else "")  # tanks of the new owner may not enter it
    assert case.turn().state.entrenchments == left
    assert case.turn(germans="112 D1").state.entrenchments == {}
