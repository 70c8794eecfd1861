"""The end phase (KH-3.13, KH-3.14): control, parts that come together, reports, victory."""

from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.events import ControlChanged, DoctrineEnded, FormationJoined, ReportIssued
from khamsin.model.forces import occupied_by
from khamsin.model.secret_events import out_of_sight
from khamsin.model.state import ON_MAP, KhamsinState
from khamsin.turn.intelligence import compositions, occupied_areas, summaries
from khamsin.turn.victory import judge
from sandtable.kernel.sequence import Procedure


def end(state: KhamsinState) -> Procedure:
    """Bring control up to date, let parts join, issue the reports, and judge."""
    yield from _control(state)
    yield from out_of_sight(state, _mend)
    for side in SIDES:
        yield ReportIssued(side, occupied_areas(state, side), compositions(state, side), summaries(state))
    yield from judge(state)


def _control(state: KhamsinState) -> Procedure:
    """Give an area in which one side's formations stand alone to that side (KH-3.13)."""
    held = {side: occupied_by(state, side) for side in SIDES}
    for side in SIDES:
        for area in sorted(held[side] - held[ENEMY[side]]):
            if state.control[area] != side:
                yield ControlChanged(area, side, "KH-3.13")


def _mend(state: KhamsinState) -> Procedure:
    """Let parts join, and end what formations owed for their doctrine that have rested (KH-20.10)."""
    yield from _join(state)
    for formation_id, formation in sorted(state.formations.items()):
        if formation.doctrine and formation.standing == ON_MAP and not formation.moved:
            yield DoctrineEnded(formation_id, formation.side)


def _join(state: KhamsinState) -> Procedure:
    """Let a part that stands with its formation again be one with it (KH-R117)."""
    for piece, part in sorted(state.formations.items()):
        whole = state.formations.get(part.parent)
        if whole is not None and part.standing == whole.standing == ON_MAP and part.area == whole.area:
            yield FormationJoined(part.parent, part.side, piece)
