"""Counterattacks against overruns, 9.68, and overruns by carriers, 12.33."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import CounterattackResolved, FireResolved, OverrunResolved
from kampfpanzer.model.orders import Counterattack

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay

from tests.plugins.kampfpanzer.cases import counter, decline

APPROACH = {
    "94": ("0806", "D1 VD", "0809"),
    "95": ("0707", "D1 VC", "0909"),
    "96": ("0907", "D1 VE", "0709"),
}
"""Ways into 0808: where from, how, and where to."""

# --- counterattacks ---


@pytest.mark.rule("KP-9.68a", "KP-9.68b", "R-KP-56")
@pytest.mark.parametrize(("die", "level"), [("1", 1), ("2", 1), ("3", 0), ("6", 0)])
def test_it_strikes_back_at_minus_two(lay: Lay, die: str, level: int) -> None:
    case = lay(french="29 0808 entrenched", germans="52 0806", dice={"overrun:0808": "6", "counter:29": die})
    case.turn(counter("french", "52"), germans="52 D1 VD")
    answer = case.one(CounterattackResolved)
    assert (answer.superiority, case.level("52"), case.at("52")) == (-2, level, "0809")


@pytest.mark.rule("KP-9.68a")
def test_it_chooses_its_target_among_the_overrunners(lay: Lay) -> None:
    dice = {"overrun:0808": "6", "counter:29": "1"}
    case = lay(french="29 0808", germans="94 0806; 95 0707; 97 0202", dice=dice)
    case.upto(germans="94 D1 VD; 95 D1 VC")
    assert case.asked.side == "french"
    assert case.refuses("french", Counterattack("97"))
    case.answer(counter("french", "95"))
    assert case.levels("94", "95") == [0, 1]


@pytest.mark.rule("KP-9.68a", "KP-9.68b")
def test_each_unit_strikes_once_and_both_may_strike_the_same(lay: Lay) -> None:
    dice = {"overrun:0808": "6", "counter:29": "1", "counter:38": "2"}
    case = lay(french="29 0808; 38 0808 A", germans="94 0806", dice=dice)
    case.turn(counter("french", "94"), counter("french", "94"), germans="94 D1 VD")
    assert case.level("94") == 2


@pytest.mark.rule("KP-9.68a")
def test_it_may_decline(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0806", dice={"overrun:0808": "6"})
    case.turn(decline("french"), germans="94 D1 VD")
    assert case.events(CounterattackResolved) == []


@pytest.mark.rule("R-KP-56", "KP-9.82b", "R-KP-55")
def test_who_is_destroyed_strikes_back_all_the_same(lay: Lay) -> None:
    ways = {unit: APPROACH[unit] for unit in ("94", "95", "96")}
    dice = {"overrun:0808": "1", "counter:29": "1"}
    case = lay(french="29 0808", germans="; ".join(f"{unit} {way[0]}" for unit, way in ways.items()), dice=dice)
    plots = "; ".join(f"{unit} {way[1]}" for unit, way in ways.items())
    case.turn(counter("french", "96"), germans=plots)
    assert case.levels("29", "96") == [4, 1]


@pytest.mark.rule("R-KP-55", "KP-12.31a", "KP-9.71c", "KP-12.0b")
@pytest.mark.parametrize(
    ("option", "defender", "asked"),
    [
        ("not_disrupted_not_vehicle", "29 0808", True),
        ("not_disrupted_not_vehicle", "29 0808 D1", False),
        ("not_disrupted_not_vehicle", "138 0808", False),
        ("not_disrupted_not_vehicle", "138 0808; 29 aboard 138", False),
        ("all", "29 0808 D1", True),
        ("all", "138 0808", False),
        ("all", "138 0808; 29 aboard 138", True),
    ],
)
def test_who_strikes_back(lay: Lay, option: str, defender: str, asked: bool) -> None:
    case = lay(french=defender, germans="94 0806", dice={"overrun:0808": "6"}, counterattack_eligible=option)
    case.upto(germans="94 D1 VD")
    assert (not case.plotting()) == asked
    case.answer()


@pytest.mark.rule("R-KP-55", "KP-9.71a")
def test_a_pinned_unit_strikes_back(lay: Lay) -> None:
    dice = {"fire:0808:29": "6", "overrun:0808": "6", "counter:29": "6"}
    case = lay(french="29 0808", germans="94 0806; 102 0610", dice=dice)  # 5 - 5
    case.turn(counter("french", "94"), germans="94 D1 VD; 102 N 0808")
    assert case.pinned() == ["29"]
    assert case.one(CounterattackResolved).result == "P"


# --- carriers ---


@pytest.mark.rule("KP-12.33a", "KP-12.33b", "KP-12.15c", "KP-8.1a")
def test_a_carrier_with_infantry_overruns_like_a_tank(lay: Lay) -> None:
    case = lay(french="29 0808", germans="146 0806; 112 aboard 146", dice={"overrun:0808": "6", "counter:29": "1"})
    case.turn(counter("french", "146"), germans="146 D1 VD")
    overrun = case.one(OverrunResolved)
    assert (overrun.attackers, overrun.defenders, overrun.superiority) == (["146"], ["29"], 3)
    assert case.at("146", "112") == "0809 0809"
    assert case.levels("146", "112") == [1, 1]


@pytest.mark.rule("KP-12.33a")
@pytest.mark.parametrize("load", ["", "; 115 aboard 146"])
def test_without_infantry_it_does_not(lay: Lay, load: str) -> None:
    case = lay(french="29 0808", germans=f"146 0806{load}")
    assert case.refused("146 D1 VD") == "KP-12.33a"


@pytest.mark.rule("KP-5.21a", "KP-9.0c", "KP-6.2a")
def test_an_overrun_is_the_only_operation(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0806")
    assert case.refused("94 D1 VD N 0808") != ""
    assert case.refused("94 N 0808 D1") != ""
    assert case.events(FireResolved) == []
