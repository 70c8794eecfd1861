"""Questions about the platoons of a roster: what they are, how many teams they have, whether they move by themselves.

Nothing here changes anything. Mobility is as in AOA-3.11; a platoon on foot never has it.
"""

from axis_attack.model.board import Board
from axis_attack.model.cards import FOOT, PlatoonType
from axis_attack.model.state import AxisState, Fielded, Platoon
from axis_attack.model.strength import available, size_of_level


def kind_of(state: AxisState, side: str, platoon_id: str) -> PlatoonType:
    """Return the type of a platoon."""
    board: Board = state.board
    return board.lists[side].types[state.rosters[side][platoon_id].type]


def teams_available(state: AxisState, side: str, platoon_id: str) -> int:
    """Return the counted teams that a platoon has for a game, 0 below depleted (AOA-3.05, AOA-3.07, AOA-R10)."""
    platoon = state.rosters[side][platoon_id]
    exact = platoon.teams if state.options["strength_memory"] == "exact_teams" else 0
    return available(kind_of(state, side, platoon_id), platoon.level, exact)


def is_mobile(kind: PlatoonType, platoon: Platoon) -> bool:
    """Return whether a platoon is operationally mobile: vehicles of its own, and enough of them (AOA-3.11)."""
    return kind.transport != FOOT and not platoon.immobile


def transports_needed(kind: PlatoonType, level: int) -> int:
    """Return the transports that belong to a level (AOA-10.17); none below depleted."""
    size = size_of_level(kind, level)
    return size.transports if size else 0


def platoon_points(kind: PlatoonType, teams: int, upgrades: dict[str, int]) -> int:
    """Return what a platoon costs at a legal size with so many of its upgrades; raises KeyError for another size."""
    prices = {size.teams: size.points for size in kind.sizes}
    return prices[teams] + sum(each.points * upgrades.get(each.id, 0) for each in kind.upgrades)


def fielded_points(state: AxisState, side: str, fielded: Fielded) -> int:
    """Return what a platoon costs as it is fielded."""
    return platoon_points(kind_of(state, side, fielded.platoon), fielded.teams, fielded.upgrades)
