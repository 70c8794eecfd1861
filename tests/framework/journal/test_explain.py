"""Parts of an explanation: other orders, live procedures, calculations, cells, and phases around a record."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.errors import LogDamaged, LogError
from sandtable.journal import explain as explaining
from sandtable.journal.branching import answers
from sandtable.journal.branching.answers import Decided
from sandtable.journal.branching.influence import Led
from sandtable.journal.explain import ExplainedCell, Frame, explain, sums_of
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
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


def test_other_orders_of_a_sheet_are_lines_of_the_named_units() -> None:
    order = Write({"mill": "go", "well": "hold"})
    assert answers._others(SHEET, order, {"mill"}) == [{"posts": {"mill": "hold"}}]
    assert answers._others(SHEET, order, {"mill", "well", "road"}) == [
        {"posts": {"mill": "hold"}},
        {"posts": {"well": "go"}},
    ]
    many = answers._others(SHEET, Write({"inn": 3}), {"inn"})  # type: ignore[dict-item]  # a wrong value on purpose
    assert many == [{"posts": {"inn": each}} for each in (0, 1, 2, 4, 5, 6, 7, 8, 9)]  # one more than is shown


def picks(*units: str) -> OneOf:
    return OneOf([Pick(unit) for unit in units], "X-1")


def unit_names(found: list[dict[str, Any]]) -> list[str]:
    return [each["unit"] for each in found]


def test_other_orders_list_the_same_units_first_and_at_most_nine() -> None:
    units = [f"unit-{number:03}" for number in range(120)]
    assert unit_names(answers._others(picks("aa", "bb"), Pick("aa"), set())) == ["bb"]
    assert answers._others(picks("aa"), Pick("aa"), set()) == []
    found = unit_names(answers._others(picks(*units), Pick("unit-000"), set()))
    assert found == units[1:10]
    assert unit_names(answers._others(picks(*units), Pick("unit-000"), {"unit-050"}))[0] == "unit-050"
    assert unit_names(answers._others(picks(*units), Pick("unit-000"), {"unit-099"}))[0] == "unit-099"
    assert unit_names(answers._others(picks(*units), Pick("unit-000"), {"unit-100"}))[0] == "unit-001"


def test_explanation_states_whether_other_orders_existed(game: Recorded, log: Log, rulesets: Rulesets) -> None:
    orders = [each for each in game.game.records if isinstance(each, OrderRecord)]
    taken: list[int] = []
    for each in orders:
        (decided,) = explain(log, each.n, rulesets).decided
        free = [cell for cell in range(9) if cell not in taken and cell != each.order.cell]
        assert [other["cell"] for other in decided.others] == free
        assert (decided.more, decided.only) == (False, not free)
        taken.append(each.order.cell)


def live_for(log: Log, number: int, side: str = "", *, hidden: bool = False) -> Any:
    prepared: Any = SimpleNamespace(ruleset=SimpleNamespace(hidden=hidden, side_of=lambda seat: seat))
    return explaining._Live(log, prepared, [], number, side)


def test_explanation_shows_eight_other_orders_and_more(log: Log) -> None:
    game = SimpleNamespace(before=lambda number: SimpleNamespace(waiting=list), trail=[SimpleNamespace(n=3)])
    order: OrderRecord[Any] = OrderRecord(3, "x", Pick("u0"))
    plain = {"type": "Pick", "unit": "u0", "number": 0}
    for side, hidden in (("", False), ("x", False), ("o", False), ("x", True), ("o", True)):
        live = live_for(log, 3, side, hidden=hidden)
        live.rerun = SimpleNamespace(game=game)
        assert live.decided(Led(order), set()) == Decided(3, "x", "", "", plain)  # the question is unknown
        for count, more in ((12, True), (10, True), (9, False)):
            options = picks(*(f"u{number}" for number in range(count)))
            live._questions[3] = SimpleNamespace(seat="x", options=options, prompt="pick", rule="X-1")
            found = live.decided(Led(order), set())
            if side == "o":  # a question of another side may hold its secrets
                assert found == Decided(3, "x", *(("", "") if hidden else ("pick", "X-1")), plain)
                continue
            assert (len(found.others), found.more, found.only) == (8, more, False)
            assert (found.asked, found.rule) == ("pick", "X-1")


def test_entered_dice_are_explained_by_their_question(record: Play, rulesets: Rulesets) -> None:
    recorded = record(ruleset="toy", mode="manual")
    log = parse_log(recorded.data, "log")
    entered = next(each for each in recorded.game.records if isinstance(getattr(each, "order", None), EnterDice))
    (decided,) = explain(log, entered.n, rulesets).decided
    assert decided.by == "umpire"
    assert decided.asked.startswith(f"roll {len(entered.order.dice)}d6 for 1/battle/")
    assert decided.rule == "TOY-3"


def test_live_procedures_show_first_line_and_rules() -> None:
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


def test_record_between_phases_names_both_phases(log: Log) -> None:
    live = live_for(log, 2)
    states = iter([("move", 1), ("", 1)])

    class _Game:
        @property
        def state(self) -> Any:
            phase, turn = next(states)
            return SimpleNamespace(phase=phase, turn=turn)

        def procedures(self) -> list[Any]:
            return []

    live.rerun = SimpleNamespace(game=_Game())
    records: list[Any] = [EventRecord(1, PhaseBegan("move")), SealRecord(2, "00"), EventRecord(3, PhaseBegan("fire"))]
    for each in records:
        live.look(each)
    assert (live.turn, live.phase) == (1, "")
    assert live.phases == {1: (1, "move"), 2: (1, "")}  # later records do not matter
    live._last = "move"
    live.records = records
    assert live.between() == ("move", "fire")
    live.records = records[:2]
    assert live.between() == ("move", "")
    live.phase = "move"
    assert live.between() == ("", "")


class Counted(Event, frozen=True):
    """A figure."""

    number: int
    rule: str = "X-1"
    calculations: Calculations = UNSET


SUM = Calculation("attack", (("tank", 3, "X-2"),), ("crt", "3", "2-1"))


def with_ui(ui: Ui) -> Any:
    return SimpleNamespace(installed=SimpleNamespace(ui=ui), board=None)


def test_calculations_are_computed_for_an_event_without_them() -> None:
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


def test_table_cells_are_shown_if_the_ruleset_has_the_table() -> None:
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


def test_roll_without_a_shown_key_has_a_placeholder_key(record: Play, rulesets: Rulesets) -> None:
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


def test_results_of_other_faces_are_hidden_from_sides(record: Play, rulesets: Rulesets) -> None:
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
    with pytest.raises(LogError, match=rf"^log: {other} may not see record {ambush}$"):
        explain(log, ambush, rulesets, other)


def test_event_without_names_is_explained_by_its_rolls(toy_game: Recorded, rulesets: Rulesets) -> None:
    """TOY-3: the front moves by the dice of both sides; it names none if no other face would have moved it."""
    log = parse_log(toy_game.data, "log")
    moved = [each.n for each in toy_game.game.records if isinstance(getattr(each, "event", None), FrontMoved)]
    rolls = [[each.record for each in explain(log, number, rulesets).rolls] for number in moved[:4]]
    assert rolls == [[], [29], [42, 43], [55, 56]]


def undone_game(prepared: Prepared) -> tuple[Log, int]:
    """Return an unfinished log in which the second order was undone, and the number of that order."""
    dice = make_dice("open", key_from_seed("u"))
    played = prepared.new_game(dice)
    played.start()
    for cell in (0, 1):
        played.submit(Mark(cell))
    played.undo("o")
    taken = [each.n for each in played.records if isinstance(each, OrderRecord)][1]
    return parse_log(log_bytes(make_header(prepared, {}, dice), played)[0], "log"), taken


def test_undone_order_is_explained_as_at_its_time(prepared: Prepared, rulesets: Rulesets) -> None:
    log, taken = undone_game(prepared)
    (decided,) = explain(log, taken, rulesets).decided
    assert (decided.record, decided.by) == (taken, "o")
    assert len(decided.others) == 7  # cells 0 and 1 are taken by the first order and by itself


def test_record_that_cannot_be_explained_is_refused(prepared: Prepared, rulesets: Rulesets, game: Recorded) -> None:
    log, taken = undone_game(prepared)
    told = rf"^log: record {log.records}: o undid record {taken}; no rule made it happen$"
    with pytest.raises(LogError, match=told):
        explain(log, log.records, rulesets)
    for number in (0, log.records + 1):
        with pytest.raises(LogError, match=rf"^log: has records 1 to {log.records}, not {number}$"):
            explain(log, number, rulesets)
    assert explain(log, 1, rulesets).kind == "event"
    whole = parse_log(game.data, "log")
    whole.lines[6] = whole.lines[6].replace(b'"side":"', b'"side":"z')
    with pytest.raises(
        LogDamaged, match=r"^log: record 8 cannot be explained: record 6: the event Marked: event\.side"
    ):
        explain(whole, 8, rulesets)
