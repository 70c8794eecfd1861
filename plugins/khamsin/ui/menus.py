"""Menu lines in words: titles for ids, companies with wear and supply, and reported enemies by area."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from khamsin.fog.views import SideView
from khamsin.model import orders
from khamsin.model.cards import ENEMY, Board
from khamsin.model.state import Fielded
from khamsin.ui.terms import (
    area_words,
    at_words,
    burden,
    by_area,
    composition_words,
    piece_words,
    pieces_words,
    place_words,
    side_words,
    whole_of,
)
from sandtable.pictures import listed

LEAVES = {
    "recon": ("slips away", "slip away"),
    "precipitous": (
        "withdraws precipitously (attrition of two dice + 1)",
        "withdraw precipitously (attrition of two dice + 1 each)",
    ),
}
"""Words for leaving a force, for one formation and for several."""
LARGE = 3
"""Minimum number of formations in a large force, which has too many combinations of leaving to list."""


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order, or the name of an id, in words, or None if it has no special wording."""
    if isinstance(value, str):
        return _name(value, board)
    function = FUNCTIONS.get(type(value))
    return function(value, view, board) if function else None


def _name(text: str, board: Board) -> str | None:
    """Return the name of a formation, a part of one, a leader, an area, an engagement or a side, or None."""
    if text in board.sides:
        return board.sides[text]
    if whole_of(text, board) in board.formations or text in board.leaders:
        return piece_words(text, board)
    if text in board.companies:
        return board.companies[text].title
    if text.partition("~")[0] in board.names:
        return place_words(text, board)
    _, turn, engagement, number = f"{text}:::".split(":")[:4]
    return f"battle {number} {at_words(engagement, board)} in turn {turn}" if engagement in board.names else None


def _deploy(order: orders.Deploy, _: SideView, board: Board) -> str:
    usual = all(board.formations[each].historical == area for each, area in order.areas.items())
    usual = usual and all(board.leaders[each].start[:1] == (area,) for each, area in order.leaders.items())
    places = by_area(order.areas | order.leaders)
    texts = "; ".join(f"{pieces_words(pieces, board)} at {area_words(area, board)}" for area, pieces in places.items())
    return texts + (" (historical)" if usual else "")


def _destinations(empty: str) -> Callable[[Any, SideView, Board], str]:
    def text_of(order: Any, view: SideView, board: Board) -> str:
        rows = [
            f"{pieces_words(pieces, board)} to {area_words(area, board)}{_reported(area, view, board)}"
            for area, pieces in by_area(order.areas).items()
        ]
        return "; ".join(rows) or empty

    return text_of


def _reported(area: str, view: SideView, board: Board) -> str:
    """Return enemies reported in an area, or a remark if the enemy controls it, or ""."""
    for side, report in view.reports.items():
        if side == view.side and (area in report.occupied or area in report.seen):
            seen = composition_words(report.seen[area]) if area in report.seen else "enemies"
            return f" (reported there in turn {report.turn}: {seen})"
    held = ENEMY.get(view.side) == view.control.get(area)
    return f" (controlled by {side_words(ENEMY[view.side], board)})" if held else ""


def _wear(piece: str, view: SideView) -> str:
    """Return the attrition and supply of a formation, such as " (attrition 35: .., out of supply)", or ""."""
    it = view.formations.get(piece)
    book = view.formations.get(it.parent, it) if it is not None else None
    if it is None or book is None:
        return ""
    total, costs = book.armor + book.general, burden(book.armor, book.general)
    texts = [f"attrition {total}" + (f": {costs}" if costs else "")] if total else []
    texts += [] if it.supplied else ["out of supply"]
    return f" ({', '.join(texts)})" if texts else ""


def _formation(piece: str, view: SideView, board: Board) -> str:
    return f"{piece_words(piece, board)}{_wear(piece, view)}"


def _withdraw(order: orders.Withdraw, view: SideView, board: Board) -> str:
    """Return the reaction of a force to the enemy, or "" if several formations leave a large force.

    Such answers are too many for a menu and are typed instead.
    """
    forces = (it.forces.get(view.side, ()) for it in view.engagements.values() if not it.over)
    if len(order.leaving) > 1 and any(len(force) >= LARGE and {*order.leaving} <= {*force} for force in forces):
        return ""
    texts = [{"stand": "stand", "fighting": "withdraw fighting"}.get(order.how, order.how)]
    for how, units in by_area(order.leaving).items():
        one, all_ = LEAVES.get(how, (how, how))
        texts.append(f"{listed([_formation(each, view, board) for each in units])} {one if len(units) == 1 else all_}")
    return "; ".join(texts) + (", armor attrition" if order.ledger == "armor" else "")


def _fielded(order: orders.FieldCompanies, view: SideView, board: Board) -> str:
    return "; ".join(_company(each, view, board) for each in order.companies) or "no companies"


def _company(each: Fielded, view: SideView, board: Board) -> str:
    """Return a company with its leader, its extras, and the wear of its formation."""
    flags = {
        "the command team": each.command,
        "the bonus points": each.bonus,
        "air support": each.air,
        "a move instead of re-rolls": each.trade,
        f"stratagems of {each.stratagems}": bool(each.stratagems),
    }
    texts = [name for name, is_there in flags.items() if is_there]
    leader = each.player or _leads(each.formation, view.side, board)
    led = f", led by {leader}" if leader else ""
    extra = f", with {', '.join(texts)}" if texts else ""
    title = board.companies[each.company].title
    return f"{title} of {_formation(each.formation, view, board)}{led}{extra}"


def _leads(formation: str, side: str, board: Board) -> str:
    """Return the default leader of a formation's companies: its commander, or else the commander in chief."""
    card = board.formations.get(whole_of(formation, board))
    chief = next(iter(board.commanders.get(side, ())), "")
    return (card.commander if card else "") or chief


FUNCTIONS: dict[type[Struct], Callable[[Any, SideView, Board], str]] = {
    Fielded: _company,
    orders.Deploy: _deploy,
    orders.EnterBy: _destinations("no formation enters"),
    orders.Withdraw: _withdraw,
    orders.FieldCompanies: _fielded,
    orders.RetreatTo: _destinations("no formation retreats"),
    orders.Advance: _destinations("stay"),
    orders.OrderEngagements: lambda order, _, board: (
        f"order {', '.join(place_words(each, board) for each in order.engagements)}"
    ),
}
"""Functions that put an order, or a part of one, into words, by its type."""
