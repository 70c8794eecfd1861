"""An order of several sheets: a line typed at one may be about another, in the game's own notation."""

from typing import Any

from typist import Typist

from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.decisions import Order
from sandtable.kernel.options import Form, OneOf, Sheet, SomeOf, Words
from sandtable.terminal.form_filling import fill


class Write(Order, frozen=True):
    """What is written on three sheets, and a plan."""

    moves: dict[str, str]
    leaders: dict[str, str]
    air: list[str]
    plan: str = ""


PLACES = ("mill", "ford")


def read_order(text: str) -> Write | None:
    """Read "NAME: PLACE; ..; plan: WORDS" as the notation of a small game, which names all that it cannot read."""
    if ":" not in text:
        return None
    order, wrong = Write({}, {}, []), Wrongs()
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


def written(*lines: str) -> tuple[Any, Typist]:
    typist = Typist(*lines, read=read_order)
    order = fill(form(), "orders", typist)
    assert form().is_legal(order)
    assert not typist.lines
    return order, typist


def test_sheet_after_sheet_then_what_is_left() -> None:
    order, typist = written("b1: mill", "done", "general: ford", "done", "ford", "hold; then strike")
    assert order == Write({"b1": "mill"}, {"general": "ford"}, ["ford"], "hold; then strike")
    assert typist.refused == []
    assert typist.shown[-1] == "plan (in your own words, up to 20 characters; or nothing)"


def test_nothing_need_be_planned() -> None:
    assert written("done", "done", "-", "")[0] == Write({}, {}, [])


def test_all_of_an_order_may_be_typed_at_its_first_sheet() -> None:
    order, typist = written("b2: ford; general: mill; air: ford; plan: hold; then go", "done", "done")
    assert order == Write({"b2": "ford"}, {"general": "mill"}, ["ford"], "hold; then go")
    assert typist.refused == []
    assert "plan: hold; then go" in typist.shown
    assert "leaders, 1 of 1 written" in typist.shown


def test_what_was_said_may_be_said_otherwise() -> None:
    order, _ = written("plan: hold", "general: mill", "done", "general: ford", "plan: go", "done", "-")
    assert order == Write({}, {"general": "ford"}, [], "go")


def test_a_name_that_only_the_game_knows_is_a_line_of_this_sheet() -> None:
    assert written("1st battalion: mill", "done", "done", "-", "")[0].moves == {"b1": "mill"}


def test_what_is_wrong_is_refused_in_the_words_of_the_game_and_the_rest_stays() -> None:
    order, typist = written("b1: mill", "nobody: mill", "done", "done", "-", "")
    assert typist.refused == [("W-2", "character 1 of 'nobody: mill': there is nobody nobody")]
    assert order.moves == {"b1": "mill"}


def test_what_is_not_allowed_on_another_sheet_is_refused_there() -> None:
    order, typist = written(
        "general: moon; colonel: mill; air: moon; plan: " + "x" * 21,
        "1st battalion: moon",
        "done",
        "done",
        "ford",
        "go",
    )
    assert order == Write({}, {}, ["ford"], "go")
    assert [rule for rule, _ in typist.refused] == ["W-3", "W-3", "W-4", "W-5", "W-1"]
    assert typist.refused[3][1] == "plan: the text has 21 characters: use at most 20"


def test_what_was_handed_in_is_not_changed_behind_ones_back() -> None:
    order, typist = written("b1: mill", "done", "b1: ford", "done", "-", "")
    assert order.moves == {"b1": "mill"}
    assert typist.refused == [("", "moves: handed in already; type back to begin this order again")]


def test_a_line_that_is_no_notation_is_refused_as_ever() -> None:
    _, typist = written("b3 mill", "done", "done", "-", "")
    assert typist.refused[0][0] == "W-1"


# --- in one word ---


def test_done_all_leaves_what_follows_blank_or_as_it_is_written() -> None:
    assert written("b1: mill", "done all")[0] == Write({"b1": "mill"}, {}, [])
    assert written("b1: mill; general: ford", "done all")[0] == Write({"b1": "mill"}, {"general": "ford"}, [])


def test_nothing_is_a_plan_of_no_words() -> None:
    assert written("done", "done", "-", "none")[0].plan == ""


def test_a_whole_order_that_names_nobody_is_handed_in_where_nothing_is_written() -> None:
    def read(text: str) -> Write | None:
        return Write({}, {}, []) if text == "hold" else read_order(text)

    typist = Typist("hold", "b1: mill", "hold", "done all", read=read)
    assert fill(form(), "orders", typist) == Write({"b1": "mill"}, {}, [])
    assert typist.handed_in == [Write({}, {}, [])]
    assert typist.refused == [("", "something is written: done hands that in, back begins the order again")]
