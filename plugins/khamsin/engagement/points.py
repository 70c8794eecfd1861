"""What companies may cost, in points of the tabletop's lists (KH-17)."""

from collections.abc import Mapping

from khamsin.engagement.advantage import has_significant, has_strategic
from khamsin.model.board import Board
from khamsin.model.figures import SIGNIFICANT_PART, SMALL_BASE, STRATEGIC_PART, USUAL_BASE
from khamsin.model.state import TOTAL_WAR, Engagement, Fielded, KhamsinState


def base_points(state: KhamsinState) -> int:
    """Return what a basic company costs; less on a small table, in proportion (KH-17.02, KH-17.08, KH-26.06)."""
    board: Board = state.board
    if state.options["small_table"] == "yes":
        return board.base_points * SMALL_BASE // USUAL_BASE
    return board.base_points


def rounded(amount: int, part: int, rounding: str) -> int:
    """Return the ``part``-th part of ``amount``, rounded as KH-R45 says: nearest_5, nearest_10 or floor."""
    if rounding == "floor":
        return amount // part
    step = 10 if rounding == "nearest_10" else 5
    return step * ((2 * amount + step * part) // (2 * step * part))


def strategic_bonus(options: Mapping[str, str], amount: int) -> int:
    """Return the bonus of a strategic advantage for a force of ``amount`` points: 3.33 % (KH-17.04, KH-26.07)."""
    return rounded(amount, STRATEGIC_PART, options["points_rounding"])


def significant_bonus(options: Mapping[str, str], base: int) -> int:
    """Return the bonus of a significant advantage where a basic company costs ``base`` (KH-17.05, KH-R46)."""
    if options["significant_scales"] == "fixed_100":
        return USUAL_BASE // SIGNIFICANT_PART
    return rounded(base, SIGNIFICANT_PART, options["points_rounding"])


def company_points(state: KhamsinState, engagement: Engagement, side: str, fielded: Fielded) -> int:
    """Return what a company may cost in an action."""
    base = base_points(state)
    total = base
    if engagement.mode == TOTAL_WAR:
        return total
    if has_strategic(engagement, side):
        total += strategic_bonus(state.options, base)
    if fielded.bonus and has_significant(engagement, side):
        total += significant_bonus(state.options, base)
    return total


def large_bonus(state: KhamsinState, engagement: Engagement, side: str, companies: int) -> int:
    """Return a side's bonus in a large battle: that of its whole size, and the greater one once (KH-R35)."""
    base, total = base_points(state), 0
    if has_strategic(engagement, side):
        total += strategic_bonus(state.options, base * companies)
    if has_significant(engagement, side):
        total += significant_bonus(state.options, base)
    return total
