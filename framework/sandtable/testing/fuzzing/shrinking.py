"""A fuzzer with short failures: orders are drawn by their index in the list of options, and shrunk by Hypothesis.

Shrinking tends to index 0. Then orders are removed one at a time, as long as the rest is legal and still fails. The
result is a game to inspect, and a test to paste.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sandtable.errors import IllegalOrder, SandtableError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Prepared
from sandtable.testing.checks.bench import listed

MAX_LISTED = 200
"""Maximum number of options of a space that is drawn from by index; others use the seed of a sample."""
SEEDS = 64
KEYS = 16

Property = Callable[[Game], str]
"""A function that checks a game after each order and returns the problem with it, or ""."""


class Shrunk(NamedTuple):
    """The shortest failing game that was found: the seed of its dice, its orders, the problem, and the game."""

    seed: str
    orders: tuple[tuple[str, Order], ...]
    problem: str
    game: Game

    def as_test(self, ruleset: str, scenario: str = "") -> str:
        """Return the source of a test that gives these orders and fails until the fault is fixed."""
        names = sorted({type(order).__name__ for _, order in self.orders})
        lines = [f"    ({seat!r}, {order!r})," for seat, order in self.orders]
        home = type(self.orders[0][1]).__module__ if self.orders else ruleset
        return "\n".join(
            [
                f"from {home} import {', '.join(names)}" if names else "",
                "from sandtable.testing import fuzz_case",
                "",
                "",
                "def test_found_by_the_fuzzer() -> None:",
                f"    # {self.problem}",
                f"    fuzz_case({ruleset!r}, {scenario!r}, seed={self.seed!r}, orders=[",
                *(f"    {line}" for line in lines),
                "    ])",
                "",
            ]
        ).lstrip("\n")


def fuzz_case(
    ruleset: str, scenario: str = "", *, seed: str, orders: Sequence[tuple[str, Order]], wrong: Property | None = None
) -> Game:
    """Play ``orders`` in a game of the installed ``ruleset``. Raises AssertionError if the rules or ``wrong`` fail."""
    from sandtable.plugin.manager import Rulesets  # noqa: PLC0415 - needed only by pasted tests

    game, problem = _played(Rulesets().load(ruleset).prepare(scenario), seed, orders, wrong or _nothing)
    if problem:
        raise AssertionError(problem)
    return game


def shrink(prepared: Prepared, wrong: Property | None = None, *, examples: int = 200, most: int = 60) -> Shrunk | None:
    """Return a game in which the rules fail or ``wrong`` finds a problem, or None if no such game is found.

    ``examples`` games of up to ``most`` orders are tried, always the same ones.
    """
    from hypothesis import HealthCheck, Phase, settings  # noqa: PLC0415 - an optional dependency
    from hypothesis import find as find_example  # noqa: PLC0415 - as above
    from hypothesis import strategies as st  # noqa: PLC0415 - as above
    from hypothesis.errors import NoSuchExample  # noqa: PLC0415 - as above

    judge = wrong or _nothing
    drawn = st.tuples(st.integers(0, KEYS - 1), st.lists(st.integers(0, MAX_LISTED - 1), max_size=most))
    quiet = settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )

    def fails(example: tuple[int, list[int]]) -> bool:
        return bool(_drawn(prepared, f"fuzz/{example[0]}", example[1], judge).problem)

    try:
        number, places = find_example(drawn, fails, settings=quiet)
    except NoSuchExample:
        return None
    return _shorter(prepared, _drawn(prepared, f"fuzz/{number}", places, judge), judge)


def _nothing(game: Game) -> str:  # noqa: ARG001 - the shape of a property
    return ""


def _order_at(decision: Decision, place: int) -> Order | None:
    """Return the option with index ``place`` in the list, or a sample by that seed if the list is empty.

    The index is taken modulo the length of the list. Returns None if the space is empty.
    """
    values = listed(decision.options, MAX_LISTED)
    if values is None:
        values = [*([decision.done] if decision.done else []), *islice(decision.options.values(), SEEDS)]
    if values:
        found: Order = values[place % len(values)]
        return found
    try:
        sample: Order = decision.options.sample(Stream(b"%d" % place))
    except ValueError:
        return None
    return sample


def _drawn(prepared: Prepared, seed: str, places: Sequence[int], wrong: Property) -> Shrunk:
    """Play the orders with the indexes ``places``; stop at the first problem."""
    game, given = _new(prepared, seed), list[tuple[str, Order]]()
    problem = _tried(game.start) or wrong(game)
    for place in places:
        if problem or game.is_over or not game.waiting():
            break
        decision = game.waiting()[0]
        order = _order_at(decision, place)
        if order is None:
            problem = f"{decision.seat} must {decision.prompt!r} ({decision.rule}), but has no option"
            break
        given.append((decision.seat, order))
        problem = _tried(game.submit, order, decision.seat) or wrong(game)
    return Shrunk(seed, tuple(given), problem, game)


def _shorter(prepared: Prepared, found: Shrunk, wrong: Property) -> Shrunk:
    """Remove each order, the last first, if the rest is legal and ends with a problem; return what remains."""
    place = len(found.orders) - 1
    while place >= 0:
        rest = [*found.orders[:place], *found.orders[place + 1 :]]
        try:
            game, problem = _played(prepared, found.seed, rest, wrong)
        except IllegalOrder:
            problem = ""
        if problem:
            found = Shrunk(found.seed, tuple(rest), problem, game)
        place = min(place, len(found.orders)) - 1
    return found


def _played(prepared: Prepared, seed: str, orders: Sequence[tuple[str, Order]], wrong: Property) -> tuple[Game, str]:
    """Play ``orders`` up to the first problem. Raises IllegalOrder if one is not legal."""
    game = _new(prepared, seed)
    problem = _tried(game.start) or wrong(game)
    for seat, order in orders:
        if problem:
            break
        pending = next((each for each in game.waiting() if each.seat == seat), None)
        if pending is None:
            raise IllegalOrder("", f"{seat} has no decision")
        pending.check(order)
        problem = _tried(game.submit, order, seat) or wrong(game)
    return game, problem


def _new(prepared: Prepared, seed: str) -> Game:
    return prepared.new_game(KeyedDice(key_from_seed(seed)))


def _tried(call: Callable[..., Any], *given: Any) -> str:
    try:
        call(*given)
    except SandtableError as error:
        return str(error)
    return ""
