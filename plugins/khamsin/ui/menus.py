"""The lines of menus in words: formations and areas by title, with wear and supply, companies with all they get."""

from collections.abc import Callable, Mapping
from typing import Any

from khamsin.fog.views import SideView
from khamsin.model import orders
from khamsin.model.cards import Board
from khamsin.model.state import Fielded
from khamsin.ui.terms import area_words, burden, piece_words
from sandtable.viewer.narrate import listed

WAYS = {"recon": "slips away", "precipitous": "leaves precipitously (two dice and 1 of attrition)"}
STANDS = {"stand": "stand", "fighting": "withdraw fighting"}


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order, or a part of one, in words; None for what its fields tell well enough."""
    told = TOLD.get(type(value))
    return told(value, view, board) if told else None


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
    told = [STANDS.get(order.how, order.how)]
    told += [f"{_who(each, view, board)} {WAYS.get(how, how)}" for each, how in order.leaving.items()]
    return "; ".join(told) + (", armor attrition" if order.ledger == "armor" else "")


def _gone(areas: Mapping[str, str], view: SideView, board: Board) -> str:
    if len(areas) > 1 and len(set(areas.values())) == 1:
        return f"all to {area_words(next(iter(areas.values())), board)}"
    return listed(f"{_who(each, view, board)} to {area_words(area, board)}" for each, area in areas.items())


def _fielded(it: Fielded, view: SideView, board: Board) -> str:
    """Return a company with whose it is, how worn, and all that it is given."""
    company = board.companies[it.company].title if it.company in board.companies else it.company
    extras = (
        ("command team", it.command),
        ("extra points", it.bonus),
        ("air support", it.air),
        ("re-rolls traded for a move before the game", it.trade),
        (it.stratagems, it.stratagems),
        (f"led by {it.player}", it.player),
    )
    return ", ".join([f"{company} of {_who(it.formation, view, board)}", *(text for text, has in extras if has)])


TOLD: dict[type, Callable[[Any, SideView, Board], str]] = {
    orders.Withdraw: _withdraw,
    orders.RetreatTo: lambda order, view, board: _gone(order.areas, view, board),
    orders.Advance: lambda order, view, board: _gone(order.areas, view, board) or "stay",
    orders.EnterBy: lambda order, view, board: _gone(order.areas, view, board),
    orders.PlaceLeader: lambda order, _, board: f"at {area_words(order.area, board)}",
    orders.FieldCompanies: lambda order, view, board: "; ".join(
        _fielded(each, view, board) for each in order.companies
    ),
    Fielded: _fielded,
}
"""By kind of order, how it is told."""
