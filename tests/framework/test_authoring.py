"""Rulesets by decorators: the two examples from publications agree with outside figures, and are short."""

import ast
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import sandtable as st
from sandtable.errors import RulesetError
from sandtable.kernel.dice import ChanceDice, KeyedDice
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.testing import CHECKS, check_ruleset
from sandtable.testing.fuzzing.perft import perft

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def example(name: str) -> Installed:
    return Rulesets(EXAMPLES / name / "src").load(name)


def code_lines(source: str, *without: str) -> int:
    """Count the lines of code: no docstrings, no empty lines, and none of the functions ``without``."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass(lineno=node.body[0].lineno, end_lineno=node.body[0].lineno)]
        if isinstance(node, ast.Module):
            node.body = [each for each in node.body if getattr(each, "name", "") not in without]
    kept = {line for node in ast.walk(tree) if isinstance(node, ast.stmt) for line in _lines(node)}
    return len(kept)


def _lines(node: ast.stmt) -> Iterator[int]:
    body = getattr(node, "body", None)
    end = node.end_lineno or node.lineno
    yield from range(node.lineno, (body[0].lineno if body else end + 1))
    for each in getattr(node, "decorator_list", ()):
        yield from range(each.lineno, (each.end_lineno or each.lineno) + 1)


@pytest.mark.parametrize(("name", "most", "without"), [("connect4", 60, ("draw",)), ("kuhn", 80, ())])
def test_the_examples_are_short(name: str, most: int, without: tuple[str, ...]) -> None:
    source = (EXAMPLES / name / "src" / name / "__init__.py").read_text(encoding="utf-8")
    assert code_lines(source, *without) <= most


@pytest.mark.full
@pytest.mark.parametrize("name", ["connect4", "kuhn"])
def test_examples_pass_the_contract_checks(name: str) -> None:
    quick = [each for each in CHECKS if each != "same_bytes_in_two_processes"]
    report = check_ruleset(example(name), games=4, checks=quick)
    assert report.ok, str(report.broken)


def test_connect_four_perft_matches_published_counts() -> None:
    assert [perft(example("connect4").prepare(), depth) for depth in (1, 2, 3)] == [7, 49, 343]


@pytest.mark.slow
def test_connect_four_perft_of_depth_7_matches_published_count() -> None:
    assert perft(example("connect4").prepare(), 7) == 823_536


BLUFF, CALL = Fraction(1, 3), Fraction(1, 3)


def chance(card: str, what: str, prompt: str, seat: str) -> Fraction:
    """Return how often the known equilibrium (with bluffs of a third) does ``what``."""
    if seat == "first" and prompt == "check or bet":
        bets = {"jack": BLUFF, "queen": Fraction(0), "king": Fraction(1)}[card]
    elif seat == "first":
        bets = {"jack": Fraction(0), "queen": BLUFF + Fraction(1, 3), "king": Fraction(1)}[card]
    elif prompt == "check or bet":
        bets = {"jack": Fraction(1, 3), "queen": Fraction(0), "king": Fraction(1)}[card]
    else:
        bets = {"jack": Fraction(0), "queen": CALL, "king": Fraction(1)}[card]
    return bets if what in {"bet", "call"} else 1 - bets


def worth(prepared: Prepared, game: Game) -> tuple[Fraction, int]:
    """Return what first wins on the average from here by the equilibrium, and in how many histories."""
    if game.is_over:
        ended: Any = next(each.event for each in game.records if isinstance(getattr(each, "event", None), st.GameEnded))
        return Fraction(ended.margin["first"]), 1
    ways: list[tuple[Game, Fraction]] = []
    if isinstance(game.pending, st.Roll):
        for face in range(1, game.pending.sides + 1):
            twin = game.fork()
            twin.resolve_roll((face,))
            ways.append((twin, Fraction(1, game.pending.sides)))
    else:
        (asked,) = game.waiting()
        state: Any = game.state
        for order in asked.options.values():
            twin = game.fork()
            twin.submit(order, asked.seat)
            ways.append((twin, chance(state.cards[asked.seat], order.what, asked.prompt, asked.seat)))
    found = [(worth(prepared, twin), share) for twin, share in ways]
    return sum((value * share for (value, _), share in found), Fraction(0)), sum(number for (_, number), _ in found)


def test_kuhn_poker_is_worth_a_loss_of_an_eighteenth_to_first() -> None:
    prepared = example("kuhn").prepare()
    game = prepared.new_game(ChanceDice())
    game.start()
    assert worth(prepared, game) == (Fraction(-1, 18), 30)


def test_event_after_a_secret_roll_requires_a_visibility() -> None:
    game = st.Ruleset("hush", title="Hush", sides=("red", "blue"), rules="H-1  A die is thrown.")

    @game.state
    class Table(st.State, kw_only=True):
        die: int = 0

    @game.event
    class Thrown(st.Event, frozen=True):
        die: int
        rule: str = "H-1"

        def apply(self, table: Table) -> None:
            table.die = self.die

    @game.phase("H-1")
    def throw(_: Table) -> st.Procedure:
        (die,) = yield st.Roll(1, 6, "die", "H-1", side="red")
        yield Thrown(die)

    played = prepared_of(game).new_game(KeyedDice(bytes(32)))
    with pytest.raises(RulesetError, match=r"the event Thrown follows the secret roll 1/throw/die/1, so declare its"):
        played.start()


def prepared_of(game: Any) -> Prepared:
    module = ModuleType("hush")
    vars(module)["game"] = game
    module.__file__ = __file__
    return Installed("hush", module, "a test").prepare()


def test_decorator_returns_its_argument() -> None:
    game = st.Ruleset("mirror", title="Mirror", sides=("red",))

    @game.order
    class Say(st.Order, frozen=True):
        word: str

    @game.phase("M-1")
    def talk(_: Any) -> st.Procedure:
        yield from ()

    assert Say("x").word == "x"
    assert list(talk(None)) == []


def test_declaration_after_hooks_is_refused() -> None:
    game = st.Ruleset("late", title="Late", sides=("red",))
    with pytest.raises(RulesetError, match="late: no state: mark its class"):
        game.hooks()

    @game.state
    class Table(st.State, kw_only=True):
        pass

    game.hooks()
    with pytest.raises(RulesetError, match="late: go comes too late: the ruleset is already in use"):

        @game.phase("L-1")
        def go(_: Any) -> st.Procedure:
            yield from ()


def test_functions_of_groups_are_given_once_by_name() -> None:
    game = st.Ruleset("twice", title="Twice", sides=("red",))

    def first(**_: Any) -> None: ...

    def second(**_: Any) -> None: ...

    assert [game.hook(name)(first) for name in ("draw", "odds", "setup")] == [first] * 3
    assert (game.ruleset_ui().members(), game.ruleset_battles().members()) == (["draw"], ["odds"])
    with pytest.raises(RulesetError, match="twice: two hooks draw: first and second"):
        game.hook("draw")(second)
    with pytest.raises(RulesetError, match=r"'drow' is not a hook\. Did you mean draw\? There are: setup, upcasts"):
        game.hook("drow")


def test_index_may_be_a_text_of_lines() -> None:
    rules = """
        A-1  The first rule,
             which goes on.
        A-2  (ruling) How we read it.
    """
    rows = st.Ruleset("lines", title="Lines", sides=("red",), rules=rules).ruleset_index()
    assert [(row.id, row.text, row.state) for row in rows] == [
        ("A-1", "The first rule, which goes on.", "rule"),
        ("A-2", "How we read it.", "ruling"),
    ]


def test_a_deck_that_is_too_small_is_refused() -> None:
    with pytest.raises(st.PlayError, match="3 cards cannot be dealt from 2"):
        next(st.deal(("a", "b"), {"north": 3}))


def test_last_card_is_dealt_without_a_die() -> None:
    dealing = st.deal(("a", "b", "c"), {"north": 1, "": 2}, "X-1")
    roll = next(dealing)
    assert (roll.purpose, roll.sides, roll.side) == ("deal:north", 3, st.UMPIRE)
    assert dealing.send((2,)).purpose == "deal:table"
    with pytest.raises(StopIteration) as stop:
        dealing.send((1,))
    assert stop.value.value == {"north": ["b"], "": ["a", "c"]}
