"""The printed tables, which show the cells next to the one that was used."""

from khamsin.leaders.leaders import CAPTURED_UP_TO, KILLED_ON, WOUNDED_UP_TO
from khamsin.model.cards import Board
from khamsin.model.tables import MISSIONS
from sandtable import PrintedTable

DICE = range(1, 7)


def table(name: str, board: Board) -> PrintedTable | None:
    """Return a table by its name in calculations, or None."""
    if name == "engagement_types":
        return PrintedTable(
            tuple(MISSIONS), {str(die): tuple(each[die - 1] for each in MISSIONS.values()) for die in DICE}
        )
    if name == "weather" and board.weather.table:
        return PrintedTable(("weather",), {str(die): (board.weather.table[die - 1],) for die in DICE})
    if name == "schedule":
        return PrintedTable(("weather",), _schedule(board))
    if name == "character_casualty":
        return PrintedTable(("fate",), {str(die): (_fate(die),) for die in DICE})
    if name == "capture":
        return PrintedTable(("fate",), {str(die): ("captured" if die <= CAPTURED_UP_TO else "free",) for die in DICE})
    return None


def _schedule(board: Board) -> dict[str, tuple[str, ...]]:
    """Return the weather that the module fixes, by turn; other turns roll, or keep the last weather (KH-4.02)."""
    other = "die roll" if board.weather.table else "unchanged"
    fixed = {1: board.weather.first} if board.weather.first else {}
    fixed |= {turn: each.weather for turn, many in board.events.items() for each in many if each.kind == "weather"}
    return {f"turn {turn}": (fixed.get(turn, other),) for turn in range(1, board.turns + 1)}


def _fate(die: int) -> str:
    """Return the effect of a die on a leader (KH-23.02 to KH-23.05)."""
    if die == KILLED_ON:
        return "killed"
    return "minor" if die > WOUNDED_UP_TO else "wounded"
