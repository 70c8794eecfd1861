"""Goals in typed lines: ``to 0508`` means the cheapest path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.positions import FRENCH

from kampfpanzer.plotting.sheet import plot_sheet
from kampfpanzer.plotting.situation import Situation
from sandtable.errors import IllegalOrder

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

FOE = "94 0520"
LATER = "146 0507; 29 aboard 146; 38 0905 A; 2 enters 0101/0901/1301 turn 1"
BLOCKED = "1 0507; 2 0604"


@pytest.mark.rule("KP-3.1a KP-12.2b KP-14.0f KP-14.0g KP-5.1a KP-6.0c KP-7.0c KP-8.0b KP-8.0e KP-8.2a KP-8.3a R-KP-17")
@pytest.mark.parametrize(
    ("french", "germans", "woods", "typed", "plots"),
    [
        pytest.param(french, germans, woods, typed, plots, marks=pytest.mark.rule(*rules.split()))
        for rules, french, germans, woods, typed, plots in (
            ("KP-6.0c KP-5.1a", "1 0507", FOE, "0506", "1 to 0508", "D1"),
            ("KP-6.0c KP-5.1a", "1 0507", FOE, "0506", "1 go to 0505", "B1 A1 F1|F1 A1 B1"),  # around the wood
            ("KP-6.0c KP-5.1a", "1 0507", FOE, "0506", "1 to 0523", "!KP-6.0c points away"),
            ("KP-6.0c KP-5.1a", "1 0507", FOE, "0506", "1 to 0507", "!KP-5.1a is already in 0507"),
            ("KP-3.1a", "1 0507", FOE, "0506", "1 to 9999", "!KP-3.1a not a hex of this map"),
            ("KP-12.2b", LATER, FOE, "0901", "29 to 0509", "!KP-12.2b cannot move by itself"),
            ("R-KP-17", LATER, FOE, "0901", "38 to 0509", "!R-KP-17 cannot move by itself"),
            ("KP-14.0f KP-14.0g", LATER, FOE, "0901", "2 to 1301", "1301"),
            ("KP-14.0f KP-14.0g", LATER, FOE, "0901", "2 to 1304", "1301 D3"),
            ("KP-14.0f KP-14.0g", LATER, FOE, "0901", "2 to 0901", "0901"),
            ("KP-14.0f KP-14.0g", LATER, FOE, "0901", "2 to 0101", "0101"),
            # three points for the wood
            ("KP-14.0f KP-14.0g", LATER, FOE, "0901", "2 to 0922", "!KP-6.0c 0922 is 24 points away"),
            # only units with a zone block the path
            ("KP-8.2a KP-8.3a KP-7.0c", BLOCKED, "94 0605", "", "1 to 0503", "-A4"),
            ("KP-8.2a KP-8.3a KP-7.0c", BLOCKED, "94 0605 D1", "", "1 to 0503", "A4"),
            ("KP-8.2a KP-8.3a KP-7.0c", BLOCKED, "138 0605", "", "1 to 0503", "A4"),
            ("KP-8.2a KP-8.3a KP-7.0c", BLOCKED, "138 0605; 115 aboard 138", "", "1 to 0503", "A4"),
            ("KP-8.2a KP-8.3a KP-7.0c", BLOCKED, "138 0605; 112 aboard 138", "", "1 to 0503", "-A4"),
            ("KP-8.2a KP-8.3a KP-7.0c", BLOCKED, "94 enters 0605", "", "1 to 0503", "A4"),
            ("KP-7.0c", "1 0507", "138 0505", "", "1 to 0505", "!KP-7.0c no path to 0505"),
            ("KP-8.0e", "1 0506", "94 0404; 95 0604; 96 0605", "", "1 to 0505", "!KP-8.0e no path to 0505"),
            ("KP-8.0b KP-8.0e", "1 0507", "94 0505", "", "1 to 0503", "-A4|A2"),
            ("KP-8.0b KP-8.0e", "1 0507", "94 0505", "", "1 to 0506", "A1"),  # it may end in a zone
        )
    ],
)
def test_goal_is_read_as_a_plot(
    new_case: NewCase, french: str, germans: str, woods: str, typed: str, plots: str
) -> None:
    """``plots`` are alternatives; "-" precedes excluded plots, and "!" the rule and words of a refusal."""
    ground = {"woods": woods} if woods else {}
    sheet = plot_sheet(Situation(new_case(french=french, germans=germans, **ground).state, FRENCH))
    assert sheet.read is not None
    unit, text = typed.split(" ", 1)
    if plots[0] == "!":
        rule, _, words = plots[1:].partition(" ")
        with pytest.raises(IllegalOrder, match=words) as refused:
            sheet.read(unit, text)
        assert refused.value.rule == rule
    else:
        assert (sheet.read(unit, text) in plots.removeprefix("-").split("|")) == (plots[0] != "-")
