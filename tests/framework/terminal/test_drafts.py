"""An order of several sheets: a line typed at one may be about another, in the game's own notation."""

from typing import Any

import pytest
from transcripts import Transcript
from typist import Typist

from sandtable.errors import IllegalOrder, RefusalCollector
from sandtable.kernel.decisions import Order
from sandtable.kernel.options import Form, OneOf, Sheet, SomeOf, Words
from sandtable.terminal.form_filling import fill
from sandtable.terminal.sheets import HELP


class Write(Order, frozen=True):
    """An order with three sheets and a plan."""

    moves: dict[str, str]
    leaders: dict[str, str]
    air: list[str]
    plan: str = ""


PLACES = ("mill", "ford")


def read_order(text: str) -> Write | None:
    """Read "NAME: PLACE; ..; plan: WORDS" as the notation of a small game, which names all that it cannot read."""
    if ":" not in text:
        return None
    order, wrong = Write({}, {}, []), RefusalCollector()
    before, plan, words = text.partition("plan:")
    for line in filter(None, (part.strip() for part in before.split(";"))):
        key, _, place = (part.strip() for part in line.partition(":"))
        if key == "air":
            order.air.append(place)
        elif key in {"general", "colonel"}:
            order.leaders[key] = place
        elif key in {"1st battalion", "b1"}:
            order.moves["b1"] = place
        else:
            wrong.add(IllegalOrder("W-2", f"character 1 of {line!r}: there is nobody {key}"))
    wrong.refuse()
    return Write(order.moves, order.leaders, order.air, words.strip() if plan else "")


def form() -> Form:
    lines = {"b1": OneOf(PLACES), "b2": OneOf(PLACES)}
    fields = {
        "moves": Sheet(lines, rule="W-1"),
        "leaders": Sheet({"general": OneOf(PLACES)}, rule="W-3"),
        "air": SomeOf(PLACES, 0, 1, "W-4"),
        "plan": Words(20, "W-5"),
    }
    return Form(Write, fields)


def written(*lines: str, read: Any = read_order) -> tuple[Any, Typist]:
    typist = Typist(*lines, read=read)
    typist.is_new(HELP)
    order = fill(form(), "orders", typist)
    assert form().is_legal(order)
    assert not typist.lines
    return order, typist


SESSIONS = {
    "sheet_after_sheet": ["b1: mill", "done", "general: ford", "done", "ford", "hold; then strike"],
    "nothing": ["done", "done", "-", "-"],
    "all_at_the_first_sheet": ["b2: ford; general: mill; air: ford; plan: hold; then go", "done", "done"],
    "changed_later": ["plan: hold", "general: mill", "done", "general: ford", "plan: go", "done", "-"],
    "a_name_of_the_notation": ["1st battalion: mill", "done", "done", "-", "-"],
    "refused_by_the_notation": ["b1: mill", "nobody: mill", "done", "done", "-", "-"],
    "refused_on_other_sheets": [
        f"general: moon; colonel: mill; air: moon; plan: {'x' * 21}",
        "1st battalion: moon",
        "done",
        "done",
        "ford",
        "go",
    ],
    "handed_in_already": ["b1: mill", "done", "b1: ford", "done", "-", "-"],
    "no_notation": ["b3 mill", "done", "done", "-", "-"],
    "done_all": ["b1: mill", "done all"],
    "done_all_keeps_other_sheets": ["b1: mill; general: ford", "done all"],
    "none_is_an_empty_plan": ["done", "done", "-", "none"],
}


@pytest.mark.parametrize("name", SESSIONS)
def test_draft_session_matches_its_transcript(name: str, transcript: Transcript) -> None:
    order, typist = written(*SESSIONS[name])
    transcript(typist.session(order))


def test_complete_order_is_submitted_if_no_line_is_written() -> None:
    hold = Write({}, {}, [])
    order, typist = written(
        "hold", "b1: mill", "hold", "done all", read=lambda text: hold if text == "hold" else read_order(text)
    )
    assert order == Write({"b1": "mill"}, {}, [])
    assert typist.handed_in == [hold]
    assert typist.refused == [("", "the sheet has entries: type done to hand it in, or back to begin the order again")]
