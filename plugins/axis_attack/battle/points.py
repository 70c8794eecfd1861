"""Victory points of a game: those of the table, and the bonus of the outnumbered (AOA-5.16 to AOA-5.24)."""

from axis_attack.model.cards import ENEMY, SIDES
from axis_attack.model.events import PointsScored
from axis_attack.model.state import AxisState
from sandtable.kernel.sequence import Procedure
from sandtable.rules.tabletop.result import Result

BANDS = ((50, 0, "AOA-5.18"), (150, 1, "AOA-5.19"), (300, 2, "AOA-5.20"))
MOST, MOST_RULE = 3, "AOA-5.21"
"""The bonus by the difference in points, up to so much, and beyond (AOA-R27)."""

CONCEDED = (6, 1)
"""Points of the winner and of who conceded (AOA-5.23)."""


def bonus_for(difference: int) -> tuple[int, str]:
    """Return the bonus of a side with so many points less on the table, and its rule; none without a difference."""
    return next(((bonus, rule) for most, bonus, rule in BANDS if difference <= most), (MOST, MOST_RULE))


def score(state: AxisState, result: Result) -> Procedure:
    """Give both sides their points (AOA-5.16).

    The bonus goes by the points as fielded (AOA-R26). After a concession there is none: nobody fought with less
    (AOA-5.24).
    """
    for side in SIDES:
        if result.conceded:
            won, lost = CONCEDED
            yield PointsScored(side, lost if side == result.conceded else won, 0, "AOA-5.23")
            continue
        difference = state.forces[ENEMY[side]].points - state.forces[side].points
        bonus, rule = bonus_for(difference)
        yield PointsScored(side, result.points[side], bonus, rule if bonus else "AOA-5.16")
