"""Plots that come to light one by one, as they are carried out or take effect otherwise (R-KP-23)."""

from collections.abc import Iterable

from kampfpanzer.model.events import PlotShown
from kampfpanzer.model.state import KampfState
from kampfpanzer.terrain.targets import by_number
from sandtable.kernel.sequence import Procedure

LAZY = "lazy"
"""The value of the option reveal_plots under which plots are not opened all at once."""


def show_plots(state: KampfState, unit_ids: Iterable[str]) -> Procedure:
    """Show the plots of these units, by identity number, that are hidden still."""
    if state.options["reveal_plots"] == LAZY:
        for unit_id in by_number(unit_ids):
            if unit_id not in state.shown:
                yield PlotShown(unit_id, state.plots[unit_id])
