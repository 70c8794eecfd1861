"""Set-up: the first side deploys, then the second, which sees the first (KP-14.0a)."""

from kampfpanzer.model.events import ForceDeployed
from kampfpanzer.model.state import KampfState
from kampfpanzer.plotting.deployment_sheet import deploy_options, deploy_sheet, places_of
from sandtable.kernel.decisions import Decision
from sandtable.kernel.sequence import Procedure

RULE = "KP-14.0a"


def deploy_first(state: KampfState) -> Procedure:
    """Let the side that is listed first set up."""
    yield from _deploy(state, state.board.sides[0])


def deploy_second(state: KampfState) -> Procedure:
    """Let the other side set up."""
    yield from _deploy(state, state.board.sides[1])


def _deploy(state: KampfState, side: str) -> Procedure:
    """Ask a side for its lines; one whose whole force enters later, and on foot, has none."""
    sheet = deploy_sheet(state, side)
    lines: dict[str, str] = {}
    if sheet.lines:
        order = yield Decision(side, "set up your force", deploy_options(sheet), RULE)
        lines = order.lines
    places = places_of(dict(sorted(lines.items(), key=lambda item: int(item[0]))))
    yield ForceDeployed(
        side,
        hexes={unit_id: place.hex for unit_id, place in places.items() if place.hex},
        facings={unit_id: place.facing for unit_id, place in places.items() if place.facing},
        aboard={unit_id: place.carrier for unit_id, place in places.items() if place.carrier},
        entrenchments=sorted({place.hex for place in places.values() if place.entrenched}),
        rule=RULE,
    )
