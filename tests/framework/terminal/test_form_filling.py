from collections.abc import Iterator
from typing import Any

import pytest
from typist import Typist

from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import (
    AnyOf,
    Form,
    Groups,
    ListOf,
    OneForEach,
    OneOf,
    Path,
    Range,
    Refusal,
    ShareOut,
    Sheet,
    SomeOf,
    Space,
    Words,
)
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described
from sandtable.terminal.form_filling import entries, fill
from sandtable.terminal.prose import numbered

NEXT = {"a": ["b", "c"], "b": ["a", "c"], "c": ["a", "b", "d"], "d": ["c"]}


class Concede(Order, frozen=True):
    """An order whose only field has the same name."""

    concede: bool


def filled(space: Space, *lines: str) -> tuple[Any, Typist]:
    typist = Typist(*lines)
    value = fill(space, "it", typist)
    assert space.is_legal(value)
    assert not typist.lines
    return value, typist


def a_path() -> Path:
    def step(path: Any) -> Refusal | None:
        return Refusal("P-1", "twice") if path[-1] in path[:-1] else None

    def end(path: Any) -> Refusal | None:
        return None if len(path) > 1 else Refusal("P-2", "go somewhere")

    return Path("a", lambda path: NEXT[path[-1]], step, end, 3)


@pytest.mark.parametrize(
    ("space", "lines", "value"),
    [
        (OneOf(["north", "south"]), ["2"], "south"),
        (OneOf(["north", "south"]), ["north"], "north"),
        (OneOf(["north", "south"]), ["so"], "south"),
        (OneOf([10, 20]), ["20"], 20),
        (Range(3, 900), ["77"], 77),
        (Range(-5, 5), ["-5"], -5),
        (SomeOf(["x", "y", "z"]), ["1, 3"], ["x", "z"]),
        (SomeOf(["x", "y", "z"]), ["-"], []),
        (SomeOf(["x", "y", "z"]), ["all"], ["x", "y", "z"]),
        (SomeOf(["x", "y", "z"]), ["y z"], ["y", "z"]),
        (ListOf(Range(1, 6), 3), ["3 5 6"], [3, 5, 6]),
        (ShareOut(10, {"gun": 3, "man": 1}), ["gun=2 man=1"], {"gun": 2, "man": 1}),
        (ShareOut(10, {"gun": 3, "man": 1}), ["2 gun, 1 man"], {"gun": 2, "man": 1}),
        (ShareOut(10, {"gun": 3, "man": 1}), ["gun 2"], {"gun": 2}),
        (ShareOut(10, {"gun": 3, "man": 1}), ["none"], {}),
        (ShareOut(10, {"gun": 3, "man": 1}), ["gun=0 man=1"], {"man": 1}),
        (OneForEach({"p": Range(1, 9), "q": OneOf(["u", "v"])}), ["4", "v"], {"p": 4, "q": "v"}),
        (Groups(["x", "y", "z"]), ["z x / y"], [["z", "x"], ["y"]]),
        (Groups(["x", "y"]), ["all"], [["x", "y"]]),
        (Groups(["x", "y"]), ["each"], [["x"], ["y"]]),
        (AnyOf([Range(1, 500), OneOf(["pass"])]), ["2"], "pass"),
        (AnyOf([Range(1, 500), OneOf(["pass"])]), ["1", "33"], 33),
        (a_path(), ["1", "."], ["a", "b"]),
        (a_path(), ["b c", "."], ["a", "b", "c"]),
        (a_path(), ["b > c > d"], ["a", "b", "c", "d"]),
        (a_path(), ["c", "2"], ["a", "c", "d"]),
    ],
)
def test_each_kind_of_space_can_be_filled(space: Space, lines: list[str], value: Any) -> None:
    assert filled(space, *lines)[0] == value


@pytest.mark.parametrize(
    ("space", "lines", "refused"),
    [
        (OneOf(["north", "norway"]), ["0", "3", "nor", "east", "1"], 4),
        (Range(1, 9), ["ten", "10", "1"], 2),
        (SomeOf(["x", "y"], 1, 1), ["1 2", "-", "q", "1"], 3),
        (ListOf(Range(1, 6), 2), ["7 1", "1", "x y", "1 2"], 4),
        (ShareOut(4, {"gun": 3}), ["gun", "gun=9", "gun=1 gun=1", "tank=1", "gun=x", "gun=1"], 5),
        (Range(1, 9), ["9" * 30, "1"], 1),
        (Groups(["x", "y"]), ["x", "x / x y", "x / z", "x / y"], 3),
    ],
)
def test_wrong_input_is_refused_and_requested_again(space: Space, lines: list[str], refused: int) -> None:
    _, typist = filled(space, *lines)
    assert len(typist.refused) == refused


def test_illegal_step_or_end_of_a_path_is_explained() -> None:
    typist = Typist(".", "z", "d", "b a", "b", ".")
    assert fill(a_path(), "path", typist) == ["a", "b"]
    assert typist.refused[0] == ("P-2", "go somewhere")
    assert "z is not next to a" in typist.refused[1][1]
    assert "d is not next to a" in typist.refused[2][1]
    assert typist.refused[3] == ("P-1", "twice")


@pytest.mark.parametrize(
    ("space", "answer", "shown"),
    [
        (ShareOut(30, {"tank": 5, "gun": 4}, what="IPC"), "-", "tank: 5 IPC each"),
        (OneOf(["north", "south"]), "north", "1  north"),
        (SomeOf(["north", "south"], 0, 2), "-", "1  north"),
        (a_path(), "b .", "1  b"),
        (Range(0, 3), "0", ""),
        (Words(10), "-", ""),
        (Sheet({"b1": OneOf(["hill"])}), "done", "b1: -"),
    ],
)
def test_empty_line_repeats_the_choice(space: Space, answer: str, shown: str) -> None:
    lines = answer.split()
    typist = Typist("", "", *lines)
    assert fill(space, "part", typist) == fill(space, "part", Typist(*lines))
    assert typist.refused == []
    assert typist.shown.count(shown) == (3 if shown and not isinstance(space, Sheet) else 2 if shown else 0)


def test_form_skips_fields_without_a_choice(orders: Any) -> None:
    form = Form(orders.March, {"path": a_path(), "speed": OneOf([7])})
    value, typist = filled(form, "b", ".")
    assert value == orders.March(["a", "b"], 7)
    assert not any("speed" in line for line in typist.shown)


def test_form_without_a_legal_value_does_not_loop(orders: Any) -> None:
    form = Form(orders.March, {"path": OneOf([["a"]]), "speed": OneOf([7])}, also=lambda order: Refusal("F-1", "no"))
    typist = Typist("", "")
    with pytest.raises(EOFError):
        fill(form, "march", typist)
    assert "type back" in typist.shown[-1]


class Odd(Space):
    """A stranger's space: the odd numbers."""

    def why_not(self, value: Any) -> Refusal | None:
        return None if isinstance(value, int) and value % 2 else Refusal("", "it is even")

    def values(self) -> Iterator[int]:
        return iter(range(1, 2_000, 2))

    def sample(self, stream: Stream) -> int:
        return 1


def test_unknown_space_accepts_json() -> None:
    value, typist = filled(Odd(), "[", "2", "41")
    assert value == 41
    assert "that is not JSON" in typist.refused[0][1]
    assert typist.refused[1] == ("", "it is even")


def test_menu_lists_few_values_and_names_large_spaces(orders: Any) -> None:
    march = Form(orders.March, {"path": a_path(), "speed": Range(1, 99)})
    menu = entries(AnyOf([OneOf([orders.Stay()]), march]))
    assert [label for label, _ in menu] == ["stay", "march …"]
    assert menu[1][1] is march


def test_orders_are_described_in_words(orders: Any) -> None:
    assert described(orders.Stay()) == "stay"
    assert described(orders.March(["a", "b"], 2)) == "march: path a, b; speed 2"
    assert described(orders.Muster({"guns": 2})) == "muster: guns 2"
    assert described(orders.Press(on=True)) == "press: on yes"
    assert described(orders.Muster({})) == "muster: nothing"
    assert described(Concede(concede=False)) == "concede: no"
    assert described(["a\x1b[31m"]) == "a\\x1b[31m"
    assert name_words("MoveUnits_far") == "move units far"


def test_long_order_is_described_by_its_parts_names(orders: Any) -> None:
    force = {"pg1": orders.March(["a", "b"], 2), "pg2": orders.March(["b", "c"], 3)}
    order = orders.Muster(force)
    told = "muster: pg1 march: path a, b; speed 2, pg2 march: path b, c; speed 3"
    assert described(order) == described(order, len(told)) == told
    assert described(order, len(told) - 1) == "muster: pg1, pg2"
    assert described(orders.Muster({"guns": 2}), 5) == "muster: guns 2"


def test_many_short_labels_are_in_columns() -> None:
    lines = numbered([f"place {number}" for number in range(1, 13)], 60)
    assert len(lines) < 12
    assert lines[0].startswith("   1  place 1")
    assert numbered(["one", "two"]) == ["   1  one", "   2  two"]
