"""The lines of menus in words: titles for ids, companies with wear and supply, who was reported where."""

from collections.abc import Callable
from typing import Any

from khamsin.fog.views import SideView
from khamsin.model import orders
from khamsin.model.cards import ENEMY, Board
from khamsin.model.state import Fielded
from khamsin.ui.terms import (
    area_words,
    burden,
    by_area,
    composition_words,
    piece_words,
    pieces_words,
    place_words,
    whole_of,
)
from sandtable import Order
from sandtable.pictures import listed

LEAVES = {
    "recon": ("slips away", "slip away"),
    "precipitous": (
        "leaves precipitously (two dice and 1 of attrition)",
        "leave precipitously (two dice and 1 of attrition each)",
    ),
}
"""How one leaves a force, and how several do."""
LARGE = 3
"""A force of so many formations may be met in two dozen ways."""


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order in words; None for what its fields tell well enough."""
    told = TOLD.get(type(value))
    return told(value, view, board) if told else None


def _deploy(order: orders.Deploy, _: SideView, board: Board) -> str:
    usual = all(board.formations[each].historical == area for each, area in order.areas.items())
    usual = usual and all(board.leaders[each].start[:1] == (area,) for each, area in order.leaders.items())
    places = by_area(order.areas | order.leaders)
    told = "; ".join(f"{pieces_words(pieces, board)} at {area_words(area, board)}" for area, pieces in places.items())
    return told + (" (as they stood: historical)" if usual else "")


def _gone(nobody: str) -> Callable[[Any, SideView, Board], str]:
    def told(order: Any, view: SideView, board: Board) -> str:
        rows = [
            f"{pieces_words(pieces, board)} to {area_words(area, board)}{_reported(area, view, board)}"
            for area, pieces in by_area(order.areas).items()
        ]
        return "; ".join(rows) or nobody

    return told


def _reported(area: str, view: SideView, board: Board) -> str:
    """Return who of the enemy was reported in an area, and who has it."""
    for side, report in view.reports.items():
        if side == view.side and (area in report.occupied or area in report.seen):
            seen = composition_words(report.seen[area]) if area in report.seen else "enemies"
            return f" (reported there in turn {report.turn}: {seen})"
    held = ENEMY.get(view.side) == view.control.get(area)
    return f" ({board.sides[ENEMY[view.side]]} ground)" if held else ""


def _wear(piece: str, view: SideView) -> str:
    """Return what to know of a formation before it is spent: " (attrition 35: .., out of supply)"."""
    it = view.formations.get(piece)
    book = view.formations.get(it.parent, it) if it is not None else None
    if it is None or book is None:
        return ""
    total, costs = book.armor + book.general, burden(book.armor, book.general)
    told = [f"attrition {total}" + (f": {costs}" if costs else "")] if total else []
    told += [] if it.supplied else ["out of supply"]
    return f" ({', '.join(told)})" if told else ""


def _who(piece: str, view: SideView, board: Board) -> str:
    return f"{piece_words(piece, board)}{_wear(piece, view)}"


def _withdraw(order: orders.Withdraw, view: SideView, board: Board) -> str:
    """Return how a force meets the enemy; "" where several leave a large one: such ways are many, and are typed."""
    forces = (it.forces.get(view.side, ()) for it in view.engagements.values() if not it.over)
    if len(order.leaving) > 1 and any(len(force) >= LARGE and {*order.leaving} <= {*force} for force in forces):
        return ""
    told = [{"stand": "stand", "fighting": "withdraw fighting"}.get(order.how, order.how)]
    for how, who in by_area(order.leaving).items():
        one, all_ = LEAVES.get(how, (how, how))
        told.append(f"{listed([_who(each, view, board) for each in who])} {one if len(who) == 1 else all_}")
    return "; ".join(told) + (", armor attrition" if order.ledger == "armor" else "")


def _fielded(order: orders.FieldCompanies, view: SideView, board: Board) -> str:
    return "; ".join(_company(each, view, board) for each in order.companies) or "nobody"


def _company(each: Fielded, view: SideView, board: Board) -> str:
    """Return a company with who leads it and what goes with it, and how worn its formation is."""
    flags = {
        "the command team": each.command,
        "the bonus": each.bonus,
        "air support": each.air,
        "a move for the re-rolls": each.trade,
        f"stratagems of {each.stratagems}": bool(each.stratagems),
    }
    told = [name for name, is_there in flags.items() if is_there]
    leader = each.player or _leads(each.formation, view.side, board)
    led = f", led by {leader}" if leader else ""
    extra = f", with {', '.join(told)}" if told else ""
    title = board.companies[each.company].title
    return f"{title} of {_who(each.formation, view, board)}{led}{extra}"


def _leads(formation: str, side: str, board: Board) -> str:
    """Return who leads a formation's companies unless another is named: its commander, else the commander in chief."""
    card = board.formations.get(whole_of(formation, board))
    chief = next(iter(board.commanders.get(side, ())), "")
    return (card.commander if card else "") or chief


TOLD: dict[type[Order], Callable[[Any, SideView, Board], str]] = {
    orders.Deploy: _deploy,
    orders.EnterBy: _gone("nobody"),
    orders.Withdraw: _withdraw,
    orders.FieldCompanies: _fielded,
    orders.RetreatTo: _gone("nobody"),
    orders.Advance: _gone("stay"),
    orders.OrderEngagements: lambda order, _, board: (
        f"order {', '.join(place_words(each, board) for each in order.engagements)}"
    ),
}
"""By type of order, how it is told."""
