"""Set-up: both sides deploy in secret where the module leaves a choice (KH-1.08, KH-D01)."""

from khamsin.model.board import Board
from khamsin.model.cards import SIDES
from khamsin.model.events import SideDeployed
from khamsin.model.orders import Deploy
from khamsin.model.state import KhamsinState
from khamsin.movement.orders_sheet import are_apart
from sandtable.kernel.decisions import Decision, Sealed
from sandtable.kernel.options import Form, OneForEach, OneOf, Refusal, Space
from sandtable.kernel.sequence import Procedure


def deploy(state: KhamsinState) -> Procedure:
    """Ask each side that has a choice, then put both on the map; one area is no choice."""
    asked = []
    for side in SIDES:
        space = deployment_space(state, side)
        if space is not None:
            asked.append(Decision(side, "deploy your side", space, "KH-1.08", secret=True))
    answers: dict[str, Deploy] = yield Sealed(tuple(asked))
    for side in SIDES:
        order = answers.get(side, Deploy())
        areas = {each: order.areas.get(each, starts[0]) for each, starts in _formations(state, side).items()}
        leaders = {each: order.leaders.get(each, starts[0]) for each, starts in _leaders(state, side).items()}
        yield SideDeployed(side, areas, leaders)


def deployment_space(state: KhamsinState, side: str) -> Form | None:
    """Return the space of a side's deployment: who has more than one area to begin in; None if nobody has."""
    formations, leaders = _lines(_formations(state, side)), _lines(_leaders(state, side))
    if not formations and not leaders:
        return None

    def also(order: Deploy) -> Refusal | None:
        return _why_not_together(state, side, order)

    fields = {"areas": OneForEach(formations, "KH-1.08"), "leaders": OneForEach(leaders, "KH-1.08")}
    return Form(Deploy, fields, also)


def _lines(starts: dict[str, tuple[str, ...]]) -> dict[str, Space]:
    return {each: OneOf(areas, "KH-1.08") for each, areas in starts.items() if len(areas) > 1}


def _formations(state: KhamsinState, side: str) -> dict[str, tuple[str, ...]]:
    """Return the formations of a side that are there at the start, and where each may begin, by id."""
    board: Board = state.board
    there = sorted(each for each, its_card in board.formations.items() if its_card.side == side and not its_card.enters)
    return {each: board.formations[each].start for each in there if board.formations[each].start}


def _leaders(state: KhamsinState, side: str) -> dict[str, tuple[str, ...]]:
    board: Board = state.board
    people = sorted(each for each, its_card in board.leaders.items() if its_card.side == side and its_card.start)
    return {each: board.leaders[each].start for each in people}


def _why_not_together(state: KhamsinState, side: str, order: Deploy) -> Refusal | None:
    """Refuse nations in one area that may not share it (KH-7.03)."""
    board: Board = state.board
    there: dict[str, list[str]] = {}
    for each, starts in _formations(state, side).items() if board.apart else ():
        area = order.areas.get(each, starts[0])
        clash = next((one for one in there.get(area, ()) if are_apart(state, each, one)), None)
        if clash is not None:
            titles = f"{board.formations[each].title} may not share {board.names[area]} with"
            return Refusal("KH-7.03", f"{each}: {titles} {board.formations[clash].title}")
        there.setdefault(area, []).append(each)
    return None
