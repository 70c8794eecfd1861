"""Entrenchments, section 13."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import EntrenchmentsLost, FireResolved, OverrunResolved, UnitBackedUp, UnitShelled
from kampfpanzer.model.orders import Deploy
from sandtable.kernel.decisions import Decision

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay, Prepare

from tests.plugins.kampfpanzer.cases import TableDice, group


def setting_up(prepare: Prepare, scenario: str, **options: str) -> Decision:
    """Return the first question of a shipped scenario: the deployment of the first side."""
    game = prepare(scenario, **options).new_game(TableDice({}))
    game.start()
    return game.waiting()[0]


def why(decision: Decision, lines: dict[str, str]) -> str:
    """Return what is wrong with the lines named, in a deployment that names no others."""
    refusal = decision.options.why_not(Deploy(lines))
    assert refusal is not None  # the rest of the force is missing at least
    return refusal.reason


@pytest.mark.rule("KP-13.0a", "KP-13.0b", "KP-14.1.1", "KP-14.5.1", "KP-14.9.2")
@pytest.mark.parametrize(
    ("scenario", "unit", "line", "allowed"),
    [
        ("spain", "26", "2138 entrenched", True),
        ("spain", "35", "2138 A entrenched", True),
        ("summa", "63", "0305 entrenched", True),
        ("hannut", "26", "1903 entrenched", False),
        ("hannut", "1", "1903 entrenched", False),
        ("arras", "112", "2138 entrenched", False),
    ],
)
def test_who_may_start_entrenched(prepare: Prepare, scenario: str, unit: str, line: str, allowed: bool) -> None:
    decision = setting_up(prepare, scenario)
    plain = why(decision, {unit: line.removesuffix(" entrenched")})
    dug = why(decision, {unit: line})
    assert (dug == plain) == allowed  # then only what is missing is complained of


@pytest.mark.rule("KP-13.0d", "KP-13.1b", "KP-13.21b", "KP-13.21a")
def test_who_comes_later_is_entrenched_too(lay: Lay) -> None:
    case = lay(french="38 0808 A entrenched; 29 0809", germans="105 0805", dice={"fire:0808:29": "6"})
    case.turn(french="29 A1")
    shot = case.turn(germans="105 N 0808/29").one(FireResolved)
    assert (shot.addition, shot.cover) == (4, "entrenchment")
    assert case.state.entrenchments == {"0808": "french"}


@pytest.mark.rule("KP-13.1a")
def test_left_empty_it_is_lost_when_the_turn_ends(lay: Lay) -> None:
    case = lay(french="29 0808 entrenched; 30 0608 entrenched").turn(french="29 A1")
    assert case.one(EntrenchmentsLost).hexes == ["0808"]
    assert case.state.entrenchments == {"0608": "french"}


@pytest.mark.rule("KP-13.1a")
def test_one_of_two_is_enough_to_keep_it(lay: Lay) -> None:
    case = lay(french="29 0808 entrenched; 38 0808 A").turn(french="29 A1")
    assert case.state.entrenchments == {"0808": "french"}


@pytest.mark.rule("KP-13.1a")
def test_changing_guard_keeps_it(lay: Lay) -> None:
    case = lay(french="29 0808 entrenched; 30 0809").turn(french="29 A1; 30 A1")
    assert (case.at("30"), case.state.entrenchments) == ("0808", {"0808": "french"})


SHOT_OUT = {
    "french": "29 0808 entrenched",
    "germans": "105 0807; 106 0709; 112 0809",
    "dice": {"fire:0808:29": "1"},
}
"""A garrison that two tanks destroy, and infantry that can walk in."""


@pytest.mark.rule("KP-13.1a")
def test_it_is_lost_with_its_garrison(lay: Lay) -> None:
    case = lay(**SHOT_OUT)
    case.turn(group("germans", "105 106"), germans="105 N 0808; 106 N 0808")
    assert (case.level("29"), case.state.entrenchments) == (4, {})


@pytest.mark.rule("R-KP-73", "KP-13.1a")
@pytest.mark.parametrize(("option", "left"), [("side_bound", {}), ("capturable", {"0808": "germans"})])
def test_the_enemy_moves_in(lay: Lay, option: str, left: dict[str, str]) -> None:
    case = lay(**SHOT_OUT, entrench_owner=option)
    case.turn(group("germans", "105 106"), germans="105 N 0808; 106 N 0808; 112 A1")
    assert (case.at("112"), case.state.entrenchments) == ("0808", left)
    assert case.turn().state.entrenchments == left
    assert case.turn(germans="112 D1").state.entrenchments == {}


@pytest.mark.rule("R-KP-73", "KP-13.0c")
def test_a_captured_one_keeps_off_its_new_owner_s_tanks_as_well(lay: Lay) -> None:
    case = lay(**SHOT_OUT, entrench_owner="capturable")
    case.turn(group("germans", "105 106"), germans="105 N 0808; 106 N 0808; 112 A1")
    assert case.refused("112 D1; 105 D1") == "KP-13.0c"


@pytest.mark.rule("KP-13.1c")
def test_leaving_costs_nothing(lay: Lay) -> None:
    assert lay(french="29 0808 entrenched").turn(french="29 A1").track("29") == [(2, "0807")]


@pytest.mark.rule("KP-13.0c", "KP-13.0b", "R-KP-16")
@pytest.mark.parametrize("unit", ["1", "138", "146"])
def test_tanks_and_vehicles_do_not_end_there(lay: Lay, unit: str) -> None:
    case = lay(french=f"29 0808 entrenched; {unit} 0806; 30 0402")
    assert case.refused(f"{unit} D2") != ""
    assert case.refused(f"29 C1; {unit} D2") == "KP-13.0c"
    assert case.turn(french=f"{unit} D3").at(unit) == "0809"


@pytest.mark.rule("KP-13.0c", "KP-9.62a")
def test_an_overrun_passes_through(lay: Lay) -> None:
    case = lay(french="29 0808 entrenched", germans="94 0806", dice={"overrun:0808": "6"})
    assert case.turn(germans="94 D1 VD").at("94") == "0809"
    assert case.one(OverrunResolved).counted == 2


@pytest.mark.rule("R-KP-74", "R-KP-15", "KP-13.0c")
def test_stopped_in_one_a_tank_goes_back(lay: Lay) -> None:
    # 112 leaves 0807, where the zone of 29 in 0908 holds the tank that passes.
    case = lay(french="29 0908", germans="112 0807 entrenched; 94 0805").turn(germans="112 E1; 94 D4")
    gone = case.one(UnitBackedUp)
    assert (gone.unit, gone.start, gone.hex, gone.why) == ("94", "0807", "0806", "entrenchment")
    assert case.at("94", "112") == "0806 0708"


@pytest.mark.rule("R-KP-74", "KP-13.0c")
def test_in_an_enemy_s_as_well(lay: Lay) -> None:
    # 29 slips out of 0807 into 0708, and holds the tank that drives into its trench.
    case = lay(french="29 0807 entrenched", germans="94 0905").turn(french="29 E1", germans="94 D2 E1 A1")
    assert case.hexes("94") == "0906 0907 0807"
    assert case.at("29", "94") == "0708 0907"


@pytest.mark.rule("KP-13.0e", "KP-13.0d")
def test_the_book_s_infantry_in_woods(lay: Lay) -> None:
    case = lay(french="29 0808 entrenched", germans="19 0806", woods="0808", dice={"fire:0808:29": "6"})
    assert case.turn(germans="19 N 0808").one(FireResolved).defence == 9


@pytest.mark.rule("KP-13.22a", "KP-13.21b")
def test_each_unit_counts_twice(lay: Lay) -> None:
    case = lay(french="38 0808 A entrenched; 29 0808", germans="94 0806", dice={"overrun:0808": "6"}).turn(
        germans="94 D1 VD"
    )
    assert case.one(OverrunResolved).counted == 4


@pytest.mark.rule("KP-13.23a", "KP-13.23b")
@pytest.mark.parametrize(("pattern", "column"), [("L", "moving"), ("T", "static")])
def test_shells(lay: Lay, pattern: str, column: str) -> None:
    case = lay(french="39 0820 A", germans="115 0808 A entrenched", dice={"shell:115:39": "6"})
    assert case.turn(french=f"39 {pattern} 0808").one(UnitShelled).column == column


@pytest.mark.rule("KP-13.1b")
def test_nobody_digs_during_play(lay: Lay) -> None:
    case = lay(french="29 0808; 38 0608 A")
    assert all(case.refused(f"29 {text}") != "" for text in ("entrenched", "X", "0808 entrenched"))
    assert case.turn().state.entrenchments == {}
