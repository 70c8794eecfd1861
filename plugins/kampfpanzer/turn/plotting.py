"""Set-up by one side after the other (KP-14.0a), and phase A: secret plots, revealed together (KP-4.1a, KP-2.0b)."""

from kampfpanzer.fire.echoes import echo_of_fire
from kampfpanzer.model.events import ForceDeployed, PlotsWritten
from kampfpanzer.model.state import KampfState
from kampfpanzer.plotting.deployment_sheet import deploy_options, deploy_sheet, places_of
from kampfpanzer.plotting.legality import VOID
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.sheet import plot_options, possible_plots
from sandtable import Decision, Procedure, Sealed

DEPLOY_RULE = "KP-14.0a"


def deploy_first(state: KampfState) -> Procedure:
    """Let the side that is listed first set up."""
    yield from _deploy(state, state.board.sides[0])


def deploy_second(state: KampfState) -> Procedure:
    """Let the other side set up."""
    yield from _deploy(state, state.board.sides[1])


def _deploy(state: KampfState, side: str) -> Procedure:
    """Request a side's set-up, unless no unit sets up now or may start aboard."""
    sheet = deploy_sheet(state, side)
    lines: dict[str, str] = {}
    if sheet.lines:
        order = yield Decision(side, "set up your force", deploy_options(sheet), DEPLOY_RULE, purpose=f"deploy.{side}")
        lines = order.lines
    places = places_of(dict(sorted(lines.items(), key=lambda item: int(item[0]))))
    yield ForceDeployed(
        side,
        hexes={unit_id: place.hex for unit_id, place in places.items() if place.hex},
        facings={unit_id: place.facing for unit_id, place in places.items() if place.facing},
        aboard={unit_id: place.carrier for unit_id, place in places.items() if place.carrier},
        entrenchments=sorted({place.hex for place in places.values() if place.entrenched}),
        rule=DEPLOY_RULE,
    )


PLOT_RULE = "KP-4.1a"


def plot(state: KampfState) -> Procedure:
    """Request the plots of both sides; if reveal_plots is "lazy", they stay secret (R-KP-23)."""
    secret = state.options["reveal_plots"] == "lazy"
    sides = state.board.sides
    prompt = "write a plot for each of your units"
    questions = (
        Decision(
            side, prompt, plot_options(state, side, echo_of_fire), PLOT_RULE, secret=secret, purpose=f"plots.{side}"
        )
        for side in sides
    )
    orders = yield Sealed(tuple(questions))
    for side in sides:
        yield PlotsWritten(side, _canonical(state, side, orders[side].plots))


def _canonical(state: KampfState, side: str, plots: dict[str, str]) -> dict[str, str]:
    if state.options["plot_validation"] == VOID:
        return possible_plots(state, side, plots)
    return {unit_id: parse_plot(plots[unit_id]).text for unit_id in sorted(plots, key=int)}
