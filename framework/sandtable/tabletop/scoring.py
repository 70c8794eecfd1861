"""Victory points of a battle: 6-1, 5-2 or 4-3 by the platoons that the winner lost, and the points of a draw.

The pairs are those of the tabletop's own rules. The campaign's rulebook uses them in its examples without printing the
table.
"""

from collections.abc import Mapping
from typing import Literal

from sandtable.tabletop.brief import Brief

DRAW = "draw"
"""The winner of a battle that neither side won."""

Draws = Literal["one_plus_lost", "three_three"]
"""Scoring of a draw: one point, and one for each enemy platoon lost up to two; or three each."""

WON = ((6, 1), (5, 2), (4, 3))
"""Points of winner and loser, by platoons that the winner lost: none, one, more."""


def won_points(brief: Brief, winner: str, lost: int) -> dict[str, int]:
    """Return the points of a battle that ``winner`` won with ``lost`` platoons lost, by side in the brief's order."""
    own, enemy = WON[min(lost, 2)]
    return {side: own if side == winner else enemy for side in brief.sides}


def doubt_of(brief: Brief, winner: str, points: Mapping[str, int], lost: list[str]) -> str:
    """Return why a score is too good for a winner that lost these platoons, or "" if it is not.

    By the tabletop's own table the winner's lost platoons determine the score, but the players decide. A lower score is
    not doubted, because not every loss need be written down.
    """
    if winner not in brief.sides:
        return ""
    right = won_points(brief, winner, len(lost))
    if points.get(winner, 0) <= right[winner]:
        return ""
    loser = brief.enemy_of(winner)
    said = f"{points.get(winner, 0)}-{points.get(loser, 0)}"
    named = f" ({', '.join(lost)})" if lost else ""
    platoons = f"{len(lost)} platoon{'' if len(lost) == 1 else 's'}{named}"
    return f"{winner} lost {platoons}, which gives {right[winner]}-{right[loser]}, not {said}"


def drawn_points(brief: Brief, lost: Mapping[str, int], draws: Draws) -> dict[str, int]:
    """Return the points of a draw, by side; ``lost`` are the platoons that each side lost."""
    if draws == "three_three":
        return dict.fromkeys(brief.sides, 3)
    return {side: 1 + min(2, lost.get(brief.enemy_of(side), 0)) for side in brief.sides}


def points_allowed(brief: Brief, winner: str, draws: Draws) -> list[dict[str, int]]:
    """Return every possible pair of points of a battle with this winner (or "draw")."""
    if winner != DRAW:
        return [won_points(brief, winner, lost) for lost in range(3)]
    if draws == "three_three":
        return [drawn_points(brief, {}, draws)]
    first, second = brief.sides
    return [drawn_points(brief, {first: a, second: b}, draws) for a in range(3) for b in range(3)]
