"""Parts of an explanation: other orders, live procedures, sums and cells, and the phases around a record."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.errors import LogDamaged, LogError, SandtableError
from sandtable.journal import explain as explaining
from sandtable.journal.explain import Decided, ExplainedCell, Frame, explain, sums_of
from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, log_bytes
from sandtable.kernel.decisions import EnterDice, Order
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.events import UNSET, Calculation, Calculations, Event, PhaseBegan
from sandtable.kernel.options import Form, OneOf, Range, Sheet
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.plugin.groups import Ui
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.tictactoe import Mark
from sandtable.testing.toy import AmbushLaid, FrontMoved

Play = Callable[..., Recorded]


class Write(Order, frozen=True):
    """Give posts their orders."""

    posts: dict[str, str]


class Pick(Order, frozen=True):
    """Pick a unit and a number."""

    unit: str
    number: int = 0


HOLD_OR_GO = OneOf(["hold", "go"], "X-1")
SHEET = Form(Write, {"posts": Sheet({"mill": HOLD_OR_GO, "well": HOLD_OR_GO, "inn": Range(0, 20, "X-1")})})


def test_of_a_sheet_only_the_other_lines_of_what_is_asked_about_are_told() -> None:
    order = Write({"mill": "go", "well": "hold"})
    assert explaining._others(SHEET, order, {"mill"}) == [{"posts": {"mill": "hold"}}]
    assert explaining._others(SHEET, order, {"mill", "well", "road"}) == [
        {"posts": {"mill": "hold"}},
        {"posts": {"well": "go"}},
    ]
    many = explaining._others(SHEET, Write({"inn": 3}), {"inn"})  # type: ignore[dict-item]  # a wrong value on purpose
    assert many == [{"posts": {"inn": each}} for each in (0, 1, 2, 4, 5, 6, 7, 8, 9)]  # one more than are shown


def picks(*units: str) -> OneOf:
    return OneOf([Pick(unit) for unit in units], "X-1")


def told_units(found: list[dict[str, Any]]) -> list[str]:
    return [each["unit"] for each in found]


def test_other_orders_are_those_about_the_same_things_first_and_nine_at_most() -> None:
    units = [f"unit-{number:03}" for number in range(120)]
    assert told_units(explaining._others(picks("aa", "bb"), Pick("aa"), set())) == ["bb"]
    assert explaining._others(picks("aa"), Pick("aa"), set()) == []
    found = told_units(explaining._others(picks(*units), Pick("unit-000"), set()))
    assert found == units[1:10]
    assert told_units(explaining._others(picks(*units), Pick("unit-000"), {"unit-050"}))[0] == "unit-050"
    assert told_units(explaining._others(picks(*units), Pick("unit-000"), {"unit-099"}))[0] == "unit-099"
    assert told_units(explaining._others(picks(*units), Pick("unit-000"), {"unit-100"}))[0] == "unit-001"


class Endless:
    """A space that cannot be listed: values are drawn, and after ``good`` draws there are none."""

    def __init__(self, good: int, error: type[Exception]) -> None:
        self.drawn, self.good, self.error = 0, good, error

    def values(self) -> Iterator[Any]:
        raise self.error

    def sample(self, stream: Any) -> Any:
        self.drawn += 1
        if self.drawn > self.good:
            raise ValueError
        return self.drawn // 2


@pytest.mark.parametrize("error", [SandtableError, ValueError, NotImplementedError])
def test_where_orders_cannot_be_listed_some_are_drawn_each_once(error: type[Exception]) -> None:
    space = Endless(99, error)
    assert list(explaining._legal(space)) == list(range(13))  # 24 draws
    assert space.drawn == 24
    assert list(explaining._legal(Endless(5, error))) == [0, 1, 2]
    assert list(explaining._legal(Endless(0, error))) == []


def test_whether_there_were_more_orders_or_no_other_is_told(game: Recorded, log: Log, rulesets: Rulesets) -> None:
    orders = [each for each in game.game.records if isinstance(each, OrderRecord)]
    taken: list[int] = []
    for each in orders:
        (decided,) = explain(log, each.n, rulesets).decided
        free = [cell for cell in range(9) if cell not in taken and cell != each.order.cell]
        assert [other["cell"] for other in decided.others] == free
        assert (decided.more, decided.only) == (False, not free)
        taken.append(each.order.cell)


def test_of_many_other_orders_eight_are_told_and_that_there_are_more() -> None:
    live = explaining._Live(3)
    live.game = SimpleNamespace(before=lambda number: SimpleNamespace(waiting=list))  # type: ignore[assignment]  # as much of a game as is used
    rules: Any = SimpleNamespace(side_of=lambda seat: seat)
    order: OrderRecord[Any] = OrderRecord(3, "x", Pick("u0"))
    plain = {"type": "Pick", "unit": "u0", "number": 0}
    assert live.decided(order, rules, "", set()) == Decided(3, "x", "", "", plain)  # nobody knows the question
    for count, more in ((12, True), (10, True), (9, False)):
        options = picks(*(f"u{number}" for number in range(count)))
        asked: Any = SimpleNamespace(seat="x", options=options, prompt="pick", rule="X-1")
        live._questions[3] = asked
        for side in ("", "x"):
            found = live.decided(order, rules, side, set())
            assert (len(found.others), found.more, found.only) == (8, more, False)
            assert (found.asked, found.rule) == ("pick", "X-1")
        assert live.decided(order, rules, "o", set()) == Decided(3, "x", "pick", "X-1", plain)


def test_dice_that_the_umpire_entered_are_explained_by_their_question(record: Play, rulesets: Rulesets) -> None:
    recorded = record(ruleset="toy", mode="manual")
    log = parse_log(recorded.data, "log")
    entered = next(each for each in recorded.game.records if isinstance(getattr(each, "order", None), EnterDice))
    (decided,) = explain(log, entered.n, rulesets).decided
    assert decided.by == "umpire"
    assert decided.asked.startswith(f"roll {len(entered.order.dice)}d6 for 1/battle/")
    assert decided.rule == "TOY-3"


def test_live_procedures_are_told_by_their_first_line_and_the_rules_in_it() -> None:
    def fight() -> Iterator[int]:
        """Fight it out (X-1.2, X-3).

        Then rest (X-1.2, Y-4).
        """
        yield 1

    def bare() -> Iterator[int]:
        yield 1

    procedures = [("walk", fight()), ("<genexpr>", bare()), ("fight", fight()), ("bare", bare())]
    game: Any = SimpleNamespace(procedures=lambda: procedures)
    assert explaining._frames(game) == (
        Frame("fight", "Fight it out (X-1.2, X-3).", ("X-1.2", "X-3", "Y-4")),
        Frame("bare", "", ()),
    )


def test_a_record_in_no_phase_is_told_with_those_around_it() -> None:
    live = explaining._Live(2)
    states = iter([("move", 1), ("", 1), ("fire", 1)])

    class _Game:
        @property
        def state(self) -> Any:
            phase, turn = next(states)
            return SimpleNamespace(phase=phase, turn=turn)

        def procedures(self) -> list[Any]:
            return []

    live.game = _Game()  # type: ignore[assignment]  # as much of a game as is used
    records: list[Any] = [EventRecord(1, PhaseBegan("move")), SealRecord(2, "00"), EventRecord(3, PhaseBegan("fire"))]
    for each in records:
        live.look(each)
    assert (live.turn, live.phase) == (1, "")
    assert live.phases == {1: (1, "move"), 2: (1, ""), 3: (1, "fire")}
    live._last = "move"
    assert live.between(records) == ("move", "fire")
    assert live.between(records[:2]) == ("move", "")
    live.phase = "move"
    assert live.between(records) == ("", "")


class Counted(Event, frozen=True):
    """A figure."""

    number: int
    rule: str = "X-1"
    calculations: Calculations = UNSET


SUM = Calculation("attack", (("tank", 3, "X-2"),), ("crt", "3", "2-1"))


def with_ui(ui: Ui) -> Any:
    return SimpleNamespace(installed=SimpleNamespace(ui=ui), board=None)


def test_sums_are_worked_out_for_an_event_that_does_not_tell_them() -> None:
    asked: list[Any] = []

    def sums(records: Any, board: Any) -> Any:
        asked.append(records)
        return [SUM] if len(asked) == 1 else None

    prepared = with_ui(Ui(sums=sums))
    records: list[Any] = [EventRecord(1, Counted(1)), EventRecord(2, Counted(2))]
    assert sums_of(prepared, records) == (SUM,)
    assert sums_of(prepared, records) == ()
    assert asked == [records, records]
    assert sums_of(prepared, [EventRecord(1, Counted(1, calculations=(SUM,)))]) == ()
    assert sums_of(prepared, [RollRecord(1, "a", 6, (1,))]) == ()
    assert len(asked) == 2


def test_cells_of_tables_are_told_as_far_as_the_ruleset_has_them() -> None:
    class _Table:
        def around(self, row: str, column: str) -> Any:
            return ("DR", {"left": "AR"}) if (row, column) == ("3", "2-1") else None

    prepared: Any = SimpleNamespace(
        installed=SimpleNamespace(table=lambda name, board: _Table() if name == "crt" else None), board=None
    )
    others = [
        Calculation("a", (), ("crt", "9", "2-1")),
        Calculation("b", (), ("other", "3", "2-1")),
        Calculation("c"),
        Calculation("d", (), ("crt", "3")),
    ]
    assert list(explaining._cells(prepared, [SUM, *others])) == [
        ExplainedCell("attack", ("crt", "3", "2-1"), "DR", {"left": "AR"})
    ]


def test_a_roll_whose_key_is_not_shown_is_told_without(record: Play, rulesets: Rulesets) -> None:
    recorded = record(ruleset="toy", mode="host")
    roll = next(each for each in recorded.game.records if isinstance(each, RollRecord) and each.dice)
    key = key_from_seed("a").hex()
    for data, told in (
        (recorded.data, key),
        (
            recorded.data[: recorded.data.index(b'{"kind":"opening","n":%d' % len(recorded.game.records))],
            "<key shown at the close>",
        ),
    ):
        found = explain(parse_log(data, "log"), roll.n, rulesets)
        (mine,) = found.rolls
        assert mine.command == (f"printf %s '{roll.label}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:{told}")
        assert (mine.record, mine.sides, mine.dice, mine.needs, mine.rule) == (
            roll.n,
            6,
            roll.dice,
            roll.needs,
            "TOY-3",
        )
        assert (found.kind, found.rule, found.turn, found.phase) == ("roll", "TOY-3", 1, "battle")
        assert found.what["label"] == roll.label
        assert not {"hash", "kind", "n"} & found.what.keys()


def test_what_faces_would_have_come_to_is_no_sides_to_know(record: Play, rulesets: Rulesets) -> None:
    recorded = record("c", ruleset="toy")
    log = parse_log(recorded.data, "log")
    roll = next(each for each in recorded.game.records if isinstance(each, RollRecord) and len(each.dice) == 1)
    for side in ("", "north", "south"):
        found = explain(log, roll.n, rulesets, side)
        assert [bool(each.otherwise) for each in found.rolls] == [not side]
        assert found.decided
        assert {bool(each.others) for each in found.decided if side and each.by != side} <= {False}
        assert found.rules.keys() >= {"TOY-2", roll.rule}
    ambush = next(each.n for each in recorded.game.records if isinstance(getattr(each, "event", None), AmbushLaid))
    laid_by = recorded.game.records[ambush - 1].event.side
    other = "south" if laid_by == "north" else "north"
    assert explain(log, ambush, rulesets, laid_by).told == explain(log, ambush, rulesets).told
    with pytest.raises(LogError, match=rf"^log: record {ambush} is nothing that {other} may see$"):
        explain(log, ambush, rulesets, other)


def test_an_event_that_names_nobody_is_explained_by_the_rolls_it_hangs_on(
    toy_game: Recorded, rulesets: Rulesets
) -> None:
    """TOY-3: the front moves by the dice of both sides, and by none where no other face would have moved it."""
    log = parse_log(toy_game.data, "log")
    moved = [each.n for each in toy_game.game.records if isinstance(getattr(each, "event", None), FrontMoved)]
    rolls = [[each.record for each in explain(log, number, rulesets).rolls] for number in moved[:4]]
    assert rolls == [[], [29], [42, 43], [55, 56]]


def test_what_cannot_be_explained_is_told(prepared: Prepared, rulesets: Rulesets, game: Recorded) -> None:
    dice = make_dice("open", key_from_seed("u"))
    played = prepared.new_game(dice)
    played.start()
    for cell in (0, 1):
        played.submit(Mark(cell))
    played.undo("o")
    log = parse_log(log_bytes(make_header(prepared, {}, dice), played)[0], "log")
    taken = [each.n for each in played.records if isinstance(each, OrderRecord)][1]
    told = rf"^log: record {log.records}: o took record {taken} back; no rule made it happen$"
    with pytest.raises(LogError, match=told):
        explain(log, log.records, rulesets)
    for number in (0, log.records + 1):
        with pytest.raises(LogError, match=rf"^log: has records 1 to {log.records}, no {number}$"):
            explain(log, number, rulesets)
    assert explain(log, 1, rulesets).kind == "event"
    whole = parse_log(game.data, "log")
    whole.lines[6] = whole.lines[6].replace(b'"side":"', b'"side":"z')
    with pytest.raises(
        LogDamaged, match=r"^log: record 8 cannot be explained: record 6: the event Marked: event\.side"
    ):
        explain(whole, 8, rulesets)
