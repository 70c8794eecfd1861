"""Every question of a played game is answered through the steps, by learners and by people who click sets."""

from collections import Counter
from itertools import islice
from typing import Any

import pytest
from msgspec import json, to_builtins

from sandtable.kernel.decisions import UMPIRE, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, Sheet, SomeOf, Space
from sandtable.plugin.manager import Installed, Rulesets
from sandtable.rules.steps.choices import BLANK, LISTED_FOR_PEOPLE, REST_BLANK, Remark, Stuck, in_steps
from sandtable.testing import tictactoe, toy
from sandtable.testing.checks.bench import Harness, installed_from

MAX_ORDERS = 40
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
    """Return an option as plain data; an option that leads to the kind of ``order`` is equal to it."""
    if isinstance(option, Remark) or (isinstance(option, Space) and not isinstance(option, Form)):
        return None
    kind = option.order.__name__ if isinstance(option, Form) else ""
    return to_builtins(order if kind == type(order).__name__ else None if kind else option)


def assert_questions_are_answered(installed: Installed, games: int, every: int) -> None:
    """People must reach an order; learners may get stuck only in sheets, where a default order is used."""
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
    """Return every value that picks can reach, as JSON, with the number of questions on its path."""
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


def sheets_in(space: Space) -> list[Sheet]:
    """Return the order sheets that a form asks for."""
    return [each for each in space.fields.values() if isinstance(each, Sheet)] if isinstance(space, Form) else []


def has_own_parts(space: Space) -> bool:
    """Return whether a space, or a field of a form, asks for parts in its own way: its values are examples."""
    fields = space.fields.values() if isinstance(space, Form) else ()
    return any(isinstance(each, Space) and each.in_parts() is not None for each in (space, *fields))


def parts_asked(space: Space, stream: Stream) -> set[str]:
    """Return the parts that walks through a question ask for, until one of them ends; no rest is left blank."""
    asked: set[str] = set()
    for _ in range(TRIES):
        steps = in_steps(space, stream)
        try:
            choice = next(steps)
            while True:
                asked.add(choice.part)
                first = 1 if choice.options[0] is REST_BLANK else 0
                choice = steps.send(first + stream.below(len(choice.options) - first))
        except StopIteration:
            break
        except Stuck:
            continue
    return asked


def assert_learners_are_asked(installed: Installed, games: int, every: int, kinds: int) -> None:
    """Assert that learners can pick each order of a question with few orders; at least ``kinds`` occur."""
    met: dict[str, int] = {}
    for trial in Harness(installed, games, "steps").trials:
        for place, turning in enumerate(trial.replay()):
            space = turning.decision.options
            kind, where = f"{type(turning.order).__name__}", f"{trial.name}, {turning.place}"
            if (place % every and kind in met) or turning.decision.side == UMPIRE:  # no learner plays it
                continue
            for sheet in sheets_in(space):
                asked = parts_asked(sheet, trial.stream(f"{place}"))
                assert asked >= set(sheet.lines) - set(sheet.required), where
                met[kind] = met.get(kind, 0) + 1
            is_listed = space.lists_all and not has_own_parts(space)
            orders = list(islice(space.values(), MAX_ORDERS + 1)) if is_listed else []
            if 1 < len(orders) <= MAX_ORDERS:
                found = reachable(space, trial.stream(f"{place}"))
                assert found.keys() >= set(map(as_json, orders)), where
                assert all(found.values()), f"{where}: nothing is asked"
                met[kind] = met.get(kind, 0) + 1
    assert len(met) >= kinds, met


GAMES: list[Any] = [
    *(pytest.param(installed_from(module), 1, id=module.__name__.split(".")[-1]) for module in (toy, tictactoe)),
    *(
        pytest.param(name, 7, id=name, marks=pytest.mark.full)
        for name in ("axis_attack", "damos", "desert_aa", "kampfpanzer", "khamsin")
    ),
]
"""Each game, and how many questions are passed over for one that is looked at."""


def game_of(game: Installed | str) -> Installed:
    return Rulesets().load(game) if isinstance(game, str) else game


@pytest.mark.parametrize(("game", "every"), GAMES)
def test_learners_can_pick_every_order_of_short_questions(game: Installed | str, every: int) -> None:
    assert_learners_are_asked(game_of(game), 2, min(every, 5), 1 if every == 1 else 3)


@pytest.mark.parametrize(("game", "every"), GAMES)
def test_questions_of_games_are_answered_in_steps(game: Installed | str, every: int) -> None:
    assert_questions_are_answered(game_of(game), 3 if every == 1 else 2, every)
