"""Named characters on the table: who is there, and the die for who was hit (KH-17.03, KH-23)."""

from khamsin.leaders.casualty import roll_casualty
from khamsin.leaders.leaders import leaders_in
from khamsin.model.board import Board
from khamsin.model.cards import SIDES
from khamsin.model.state import ON_MAP, Engagement, KhamsinState
from sandtable.kernel.sequence import Procedure
from sandtable.rules.tabletop.result import Result


def people_with(state: KhamsinState, engagement: Engagement, side: str) -> list[str]:
    """Return the leaders of a side with its force who go to a table: command teams and characters.

    Nobody of them is on a connector: leaders stay in areas.
    """
    if engagement.on_connector:
        return []
    board: Board = state.board
    here = leaders_in(state, side, engagement.area)
    return [each for each in here if board.leaders[each].command or board.leaders[each].character]


def settle_casualties(state: KhamsinState, result: Result) -> Procedure:
    """Roll for each character who was a casualty in an action (KH-23.02)."""
    for side in SIDES:
        for each in sorted(result.casualties.get(side, ())):
            if each in state.leaders and state.leaders[each].standing == ON_MAP:
                yield from roll_casualty(state, each)
