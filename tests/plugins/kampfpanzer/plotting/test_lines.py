"""Plots built from small choices: every plot is reached hex by hex, and a far hex by the cheapest way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kampfpanzer.plotting.lines import HALT, HERE, MOVE, PlotLine
from kampfpanzer.plotting.situation import Situation
from sandtable import Space

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

    from kampfpanzer.model.state import KampfState


def line_of(state: KampfState, unit: str) -> PlotLine:
    return PlotLine(Situation(state, "french"), unit)


def clicked(line: PlotLine, *picks: str) -> Any:
    """Return the plot that the picks lead to, or the options after them."""
    steps: Any = line.in_parts()
    _, options = next(steps)
    try:
        for pick in picks:
            assert not isinstance(options, Space)
            assert pick in options
            _, options = steps.send(pick)
    except StopIteration as end:
        return end.value
    return options


def every_plot(line: PlotLine) -> set[str]:
    """Return every plot that picks lead to."""
    found: set[str] = set()
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        picks = waiting.pop()
        options = clicked(line, *picks)
        if isinstance(options, str):
            found.add(options)
        else:
            assert options, picks
            waiting += [(*picks, each) for each in options]
    return found


@pytest.mark.rule("KP-5.1a", "KP-5.1c", "KP-5.22c", "KP-14.0d")
@pytest.mark.parametrize("unit", ["6", "48", "29"])
def test_every_listed_plot_is_built_by_clicks(new_case: NewCase, unit: str) -> None:
    slow = {"kinds": {"R35": {"movement": 3, "range_hexes": 1}, "A11": {"movement": 2}}}
    case = new_case(french="6 0807; 48 enters 0801; 29 aboard 146; 146 0505", germans="30 0808; 94 0908", more=slow)
    line = line_of(case.state, unit)
    assert every_plot(line) == set(line.values())


@pytest.mark.rule("KP-13.0c")
def test_no_click_leads_to_a_move_that_cannot_end(new_case: NewCase) -> None:
    slow = {"kinds": {"R35": {"movement": 2, "range_hexes": 1}}}
    case = new_case(french="6 0807; 30 0806 entrenched", germans="94 0118", more=slow)
    line = line_of(case.state, "6")
    assert clicked(line, MOVE, "0806", "0805", HERE) == "A2"
    assert HERE not in clicked(line, MOVE, "0806")
    assert "0806" not in clicked(line, MOVE, "0707")


@pytest.mark.rule("KP-6.0c")
def test_far_hex_is_reached_by_the_cheapest_path(new_case: NewCase) -> None:
    line = line_of(new_case(french="6 0807", germans="94 0118").state, "6")
    assert clicked(line, MOVE, "0808", HERE) == "D1"
    assert clicked(line, MOVE, "0810", HERE) == "D3"
    assert clicked(line, MOVE, "0808", HALT, "0810", HERE) == "D1 S1 D2"
