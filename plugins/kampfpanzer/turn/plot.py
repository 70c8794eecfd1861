"""Phase A: both sides write a plot for each of their units in secret, and open them together (KP-4.1a, KP-2.0b)."""

from kampfpanzer.model.events import PlotsWritten
from kampfpanzer.model.state import KampfState
from kampfpanzer.plotting.legality import VOID
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.sheet import plot_options, possible_plots
from sandtable.kernel.decisions import Decision, Sealed
from sandtable.kernel.sequence import Procedure

RULE = "KP-4.1a"


def plot(state: KampfState) -> Procedure:
    """Ask both sides for their plots; with reveal_plots = lazy the sheets stay secret (R-KP-23)."""
    secret = state.options["reveal_plots"] == "lazy"
    sides = state.board.sides
    prompt = "write a plot for each of your units"
    orders = yield Sealed(
        tuple(Decision(side, prompt, plot_options(state, side), RULE, secret=secret) for side in sides)
    )
    for side in sides:
        yield PlotsWritten(side, _canonical(state, side, orders[side].plots))


def _canonical(state: KampfState, side: str, plots: dict[str, str]) -> dict[str, str]:
    if state.options["plot_validation"] == VOID:
        return possible_plots(state, side, plots)
    return {unit_id: parse_plot(plots[unit_id]).text for unit_id in sorted(plots, key=int)}
