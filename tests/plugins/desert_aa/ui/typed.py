"""Typed orders and menu lines as text, for transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desert_aa.fog.views import view
from desert_aa.ui.doubts import read_order
from desert_aa.ui.focus import shown
from desert_aa.ui.menus import words
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Order

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case

    from sandtable.kernel.decisions import Decision


def read(case: Case, text: str) -> Any:
    return read_order(case.asked, text, case.prepared.board)


def typed(case: Case, *texts: str, asked: Decision | None = None) -> str:
    """Return each text with its order, or the reasons of its refusal."""
    decision, lines = asked or case.asked, list[str]()
    for text in texts:
        lines.append(f"> {text}")
        try:
            found = read_order(decision, text, case.prepared.board)
        except IllegalOrder as error:
            lines += [f"  {each.rule} {each.reason}" for each in (error, *error.also)]
        else:
            refusal = decision.options.why_not(found) if isinstance(found, Order) else None
            lines += [f"  {found}"] + ([f"  {refusal.rule} {refusal.reason}"] if refusal else [])
    return "\n".join(lines)


def line(case: Case, order: Order) -> str:
    """Return the menu line of an order, or "" if the menu omits it."""
    return words(order, view(case.state, case.asked.side), case.prepared.board) or ""


def look(case: Case, side: str, *names: str) -> str:
    """Return the view of ``side`` of spaces and units."""
    return "\n\n".join(shown(view(case.state, side), case.prepared.board, name) for name in names)
