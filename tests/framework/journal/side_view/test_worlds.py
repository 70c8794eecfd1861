"""The questions of a side from its slice: found in dealt states, with bounded work, also if the slice misleads."""

from collections.abc import Callable
from typing import Any

import pytest

from sandtable.errors import NoDeal
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.positions import of_log, of_slice
from sandtable.journal.record import Recorded
from sandtable.journal.side_view import worlds
from sandtable.journal.side_view.hints import hints_in, side_file
from sandtable.journal.side_view.worlds import SearchRun, Worlds
from sandtable.journal.sides.side_log import SideLog
from sandtable.journal.sides.slices import slice_log
from sandtable.kernel.decisions import Decision
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared, Rulesets

Play = Callable[..., Recorded]


def slice_of(log: Log, prepared: Prepared, side: str, annex: dict[str, Any] | None = None) -> SideLog:
    """Return the slice for ``side``, with ``annex`` instead of the original one."""
    data = side_file(log, prepared, side)
    if annex is not None:
        own = next(line for line in data.splitlines(keepends=True) if b'"slice"' in line)
        data = data.replace(own, annex_line({"slice": side, **annex}))
    return SideLog(parse_log(data, "slice"), prepared, side)


def facts(decision: Decision) -> Any:
    return decision.seat, decision.prompt, decision.rule, decision.purpose, decision.options.outline()


@pytest.mark.parametrize("ruleset", ["toy", "league3", "league7"])
@pytest.mark.parametrize("plain", [False, True])
def test_questions_of_a_slice_are_those_of_the_game(
    ruleset: str, plain: bool, record: Play, rulesets: Rulesets
) -> None:
    prepared = rulesets.load(ruleset).prepare()
    log = parse_log(record(ruleset=ruleset).data, "log")
    for side in prepared.ruleset.viewers[:3]:
        own = slice_of(log, prepared, side, {} if plain else None)
        for number in range(0, log.records, 3):
            true, mine = of_log(log, number, rulesets), of_slice(own, number)
            assert (mine.seats, mine.later) == (true.seats, true.later)
            due = [facts(each) for each in true.decisions if prepared.ruleset.side_of(each.seat) == side]
            assert [facts(each) for each in mine.decisions] == due
            if due:
                assert mine.view_of(side)() == true.view_of(side)()


def test_every_order_of_the_side_is_reported_with_its_question(toy_game: Recorded, toy_log: Log, toy: Prepared) -> None:
    met: list[tuple[int, str]] = []
    Worlds(slice_of(toy_log, toy, "north")).watch_orders(lambda number, asked, _: met.append((number, asked.prompt)))
    orders = [each for each in toy_game.game.records if isinstance(each, OrderRecord) and each.by == "north"]
    assert met == [(each.n, each.asked.decision.prompt) for each in orders]  # type: ignore[attr-defined]  # not text yet


def test_question_that_the_slice_contradicts_is_not_given(
    toy_log: Log, toy: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[int] = []
    monkeypatch.setattr(SearchRun, "run", counted(SearchRun.run, runs))
    true = hints_in(slice_of(toy_log, toy, "north").log)
    order = max(map(int, true.questions))
    lie = {"starts": list(true.starts), "questions": {**true.questions, str(order): "0" * 16}}
    with pytest.raises(NoDeal, match=r"^slice: no possible state leads to the records that north saw up to record"):
        of_slice(slice_of(toy_log, toy, "north", lie), order - 1)
    assert len(runs) <= 2 * (worlds.DEALS + 1)


@pytest.mark.parametrize("starts", [[1], [2, 3, 4, 5], [*range(200)], [10**18, -5], []])
def test_question_is_found_despite_wrong_activation_starts(starts: list[int], toy_log: Log, toy: Prepared) -> None:
    """A start only says where the search begins; without the right one it begins with the phase."""
    own = slice_of(toy_log, toy, "north", {"starts": starts})
    order = [each for each in own.known if isinstance(each, OrderRecord) and each.by == "north"][-1]
    (asked,) = of_slice(own, order.n - 1).decisions
    assert asked.prompt == "commit troops"


def test_work_of_a_search_is_bounded(toy_log: Log, toy: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    monkeypatch.setattr(SearchRun, "run", counted(SearchRun.run, runs))
    monkeypatch.setattr(worlds, "MAX_WORK", 30)
    own = slice_of(toy_log, toy, "north", {"questions": {str(number): "0" * 16 for number in range(200)}})
    order = [each for each in own.known if isinstance(each, OrderRecord) and each.by == "north"][-1]
    with pytest.raises(NoDeal):
        of_slice(own, order.n - 1)
    assert len(runs) <= 2 * 31 < 2 * worlds.DEALS


def counted(run: Callable[..., bool], runs: list[int]) -> Callable[..., bool]:
    def counting(trial: SearchRun, *words: Any) -> bool:
        runs.append(1)
        return run(trial, *words)

    return counting


def test_question_follows_from_the_records_if_no_deal_fits(
    toy_log: Log, toy: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "DEALS", 0)
    own = SideLog(parse_log(slice_log(toy_log, toy, "north"), "slice"), toy, "north")
    first = next(each for each in own.known if isinstance(each, OrderRecord) and each.by == "north")
    assert [each.prompt for each in of_slice(own, first.n - 1).decisions] == ["hide your ambush"]
