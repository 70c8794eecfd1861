"""Every question of a played game is answered through the steps, by learners and by people who click sets."""

from collections import Counter
from itertools import islice
from types import ModuleType
from typing import Any

import pytest
from msgspec import json, to_builtins

from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, Sheet, SomeOf, Space
from sandtable.plugin.manager import Installed, Rulesets
from sandtable.rules.steps.choices import BLANK, LISTED_FOR_PEOPLE, Remark, Stuck, in_steps
from sandtable.testing import tictactoe, toy
from sandtable.testing.checks.bench import Harness, installed_from

MOST_ORDERS = 40
"""Maximum number of orders of a question whose every walk is followed."""
TRIES = 20
"""Maximum number of walks through the steps of one question: picks may lead to no value (``Stuck``)."""


as_json = json.Encoder(order="deterministic").encode


def parts_of(value: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Add the named parts of plain data, at any depth, to ``found``; return it."""
    if isinstance(value, dict):
        for name, part in value.items():
            found.setdefault(name, part)
            parts_of(part, found)
    elif isinstance(value, list):
        for part in value:
            parts_of(part, found)
    return found


def walk(space: Space, stream: Stream, order: Order | None) -> Any:
    """Return the value that picks lead to; raises Stuck. Learners pick at random, people towards ``order``."""
    wanted = parts_of(to_builtins(order), {"order": to_builtins(order)}) if order is not None else {}
    steps = in_steps(space, stream) if order is None else in_steps(space, stream, "order", LISTED_FOR_PEOPLE, (SomeOf,))
    try:
        choice = next(steps)
        while True:
            aim = wanted.get(choice.part)
            if choice.space is not None:
                choice = steps.send(aim if choice.space.is_legal(aim) else choice.space.sample(stream))
                continue
            assert len(choice.options) > 1, choice.part
            aimed = [at for at, each in enumerate(choice.options) if aim is not None and told(each, order) == aim]
            blank = [at for at, each in enumerate(choice.options) if order is not None and each is BLANK]
            choice = steps.send(next(iter(aimed or blank), stream.below(len(choice.options))))
    except StopIteration as end:
        return end.value


def told(option: Any, order: Any) -> Any:
    """Return an option as plain data; what leads to an order of the kind of ``order`` is taken for it."""
    if isinstance(option, Remark) or (isinstance(option, Space) and not isinstance(option, Form)):
        return None
    kind = option.order.__name__ if isinstance(option, Form) else ""
    return to_builtins(order if kind == type(order).__name__ else None if kind else option)


def assert_questions_are_answered(installed: Installed, games: int, every: int) -> None:
    """People must come to an order; learners may get stuck in sheets alone, where another order stands for theirs."""
    bench, reached = Harness(installed, games, "steps"), Counter[str]()
    for trial in bench.trials:
        for place, turning in enumerate(trial.replay()):
            if place % every:
                continue
            space = turning.decision.options
            for order in (None, turning.order):
                stream = trial.stream(f"{place}/{order is None}")
                for _ in range(TRIES):
                    try:
                        value = walk(space, stream, order)
                    except Stuck:
                        continue
                    assert space.why_not(value) is None, f"{trial.name}, {turning.place}: {value}"
                    reached["as given" if value == turning.order else "other"] += order is not None
                    break
                else:
                    is_sheet = isinstance(space, Form) and any(
                        isinstance(each, Sheet) for each in space.fields.values()
                    )
                    assert order is None, f"{trial.name}, {turning.place}: no picks lead to an order"
                    assert is_sheet, f"{trial.name}, {turning.place}: no picks lead to an order"
    assert reached["as given"]


def reachable(space: Space, stream: Stream) -> dict[bytes, int]:
    """Return every value that some picks lead to, as JSON, with the number of questions on the way there."""
    found: dict[bytes, int] = {}
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        picks = waiting.pop()
        steps = in_steps(space, stream)
        try:
            choice = next(steps)
            for pick in picks:
                choice = steps.send(pick)
        except StopIteration as end:
            found[as_json(end.value)] = len(picks)
        except Stuck:
            continue
        else:
            waiting += [(*picks, pick) for pick in range(len(choice.options))]
    return found


def assert_learners_are_asked(installed: Installed, games: int, every: int, kinds: int) -> None:
    """Of a question with few orders a learner can pick each, and is asked; at least so many ``kinds`` occur."""
    met: dict[str, int] = {}
    for trial in Harness(installed, games, "steps").trials:
        for place, turning in enumerate(trial.replay()):
            space = turning.decision.options
            kind = f"{type(turning.order).__name__} {turning.decision.prompt.split(' ')[0]}"
            if (place % every and kind in met) or not space.lists_all:
                continue
            orders = list(islice(space.values(), MOST_ORDERS + 1))
            if 1 < len(orders) <= MOST_ORDERS:
                found = reachable(space, trial.stream(f"{place}"))
                assert found.keys() == set(map(as_json, orders)), f"{trial.name}, {turning.place}"
                assert all(found.values()), f"{trial.name}, {turning.place}: nothing is asked"
                met[kind] = met.get(kind, 0) + 1
    assert len(met) >= kinds, met


@pytest.mark.parametrize("module", [toy, tictactoe], ids=["toy", "tictactoe"])
def test_learners_of_small_games_can_pick_every_order(module: ModuleType) -> None:
    assert_learners_are_asked(installed_from(module), 2, 1, 1)


@pytest.mark.full
@pytest.mark.parametrize("name", ["axis_attack", "damos", "desert_aa", "kampfpanzer", "khamsin"])
def test_learners_can_pick_every_order_of_short_questions(name: str) -> None:
    assert_learners_are_asked(Rulesets().load(name), 2, 5, 3)


@pytest.mark.parametrize("module", [toy, tictactoe], ids=["toy", "tictactoe"])
def test_questions_of_small_games_are_answered_in_steps(module: ModuleType) -> None:
    assert_questions_are_answered(installed_from(module), 3, 1)


@pytest.mark.full
@pytest.mark.parametrize("name", ["axis_attack", "damos", "desert_aa", "kampfpanzer", "khamsin"])
def test_questions_of_games_are_answered_in_steps(name: str) -> None:
    assert_questions_are_answered(Rulesets().load(name), 2, 7)
