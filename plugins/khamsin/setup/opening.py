"""The state in which a campaign begins: nobody is deployed yet."""

from collections.abc import Mapping

from khamsin.model.board import Board
from khamsin.model.cards import SIDES
from khamsin.model.state import Formation, KhamsinState, Leader, Report


def opening_state(board: Board, options: Mapping[str, str]) -> KhamsinState:
    """Return the state before deployment: all formations and leaders wait off the map, control is the module's."""
    players = [player for side in SIDES for player in board.commanders[side]]
    return KhamsinState(
        formations={key: Formation(side=card.side, strength=card.strength) for key, card in board.formations.items()},
        leaders={key: Leader(side=card.side) for key, card in board.leaders.items()},
        control=dict(board.control),
        reports={side: Report() for side in SIDES},
        honour=dict.fromkeys(players, 0),
        options=dict(options),
    )
