"""Echoes of typed lines: target and odds of fire, and end and cost of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.cases import plots
from tests.plugins.kampfpanzer.positions import FRENCH, lines

from kampfpanzer.fire.echoes import echo_of_fire
from kampfpanzer.plotting.sheet import plot_sheet
from kampfpanzer.plotting.situation import Situation

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

TANKS = {"french": "1 0507; 2 0508", "germans": "94 0510"}
STACK = {"french": "1 0507; 6 0508", "germans": "112 0512; 115 0512 A"}
ALONE = "at PzII 94, 5 - 3 = 2: D3 1/6, D2 1/3, D1 1/3, P 1/6"


@pytest.mark.rule("KP-9.0e", "KP-9.7a")
@pytest.mark.parametrize(
    ("position", "unit", "sheet", "echo"),
    [
        (TANKS, "1", "1 N 0510", ALONE),
        (TANKS, "1", "1 N 0510; 2 N 0510", "at PzII 94 with 2, 5+5 - 3 = 7: D3 1"),
        (TANKS, "2", "1 N 0510; 2 N 0510", "at PzII 94 with 1, 5+5 - 3 = 7: D3 1"),
        (TANKS, "1", "1 N 0510; 2 N 0510/94", ALONE), (TANKS, "1", "1 N 0510/94", ALONE),
        (TANKS, "1", "1 P 0510", ""), (TANKS, "1", "1 N 0511", ""), (TANKS, "1", "1 N 0510/999", ""),
        (STACK, "1", "1 N 0512", "at Inf-Ge 112 and 37mm 115, 5 - 12 = -7: too weak to fire"),
        (STACK, "6", "6 N 0512/115", "at 37mm 115, 2 - 4 = -2: D1 1/3, P 2/3"),
    ],
)  # fmt: skip
def test_fire_echo_shows_target_and_odds(
    new_case: NewCase, position: dict[str, str], unit: str, sheet: str, echo: str
) -> None:
    assert echo_of_fire(Situation(new_case(**position).state, FRENCH), unit, lines(sheet)) == echo


@pytest.mark.rule("KP-9.51b")
def test_fire_echo_of_small_arms_at_a_hard_target_names_the_weapon(new_case: NewCase) -> None:
    """An impossible plot is accepted under void_plot (R-KP-16)."""
    case = new_case(french="29 0508", germans="94 0509", plot_validation="void_plot")
    case.game.submit(plots("29 N 0509"), "french")
    echo = echo_of_fire(Situation(case.state, FRENCH), "29", lines("29 N 0509"))
    assert echo == "at PzII 94, small arms may not fire at a hard target"


CLASH = "S35 2 would end in 0508, where S35 1 ends"


@pytest.mark.rule("KP-5.1a KP-6.0c KP-7.0a")
@pytest.mark.parametrize(
    ("unit", "sheet", "echo"),
    [
        pytest.param(unit, sheet, echo, marks=pytest.mark.rule(*rules.split()))
        for rules, unit, sheet, echo in (
            ("KP-5.1a KP-6.0c", "1", "1 A1 B1", "ends in 0605, 2 of 12 points"),
            ("KP-5.1a KP-6.0c", "1", "1 A2 S1", "ends in 0505, 3 of 12 points"),
            ("KP-5.1a KP-6.0c", "1", "1 A3", "ends in 0504, 5 of 12 points"),
            ("KP-5.1a KP-6.0c", "1", "1 N 0520", ""),
            ("KP-7.0a", "2", "1 D1; 2 A1", f"ends in 0508, 1 of 12 points; {CLASH}: end in another hex [KP-7.0a]"),
            ("KP-7.0a", "1", "1 D2", None),  # a unit stays in that hex
            ("KP-7.0a", "1", "1 D2; 2 D1", "ends in 0509, 2 of 12 points"),
        )
    ],
)
def test_move_echo_shows_end_cost_and_conflict(new_case: NewCase, unit: str, sheet: str, echo: str | None) -> None:
    case = new_case(french="1 0507; 2 0509", germans="94 0520", woods="0504")
    echo_of = plot_sheet(Situation(case.state, FRENCH)).echo
    assert echo_of is not None
    found = echo_of(unit, lines(sheet))
    assert "would end" in found if echo is None else found == echo
