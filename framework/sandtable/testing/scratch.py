"""Scratch games, with two sides and words instead of forces, for trying a single procedure and testing the kernel."""

from collections.abc import Callable, Iterable
from typing import Any

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Dice, KeyedDice
from sandtable.kernel.events import Event
from sandtable.kernel.handlers import evolves
from sandtable.kernel.options import OneOf
from sandtable.kernel.play.game import Game
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Phase, PlayerTurn, Procedure, SequenceOfPlay
from sandtable.kernel.state import State

Part = Phase | PlayerTurn | Callable[[Any], Procedure]


class Say(Order, frozen=True):
    """Say ``word``."""

    word: str


class Said(Event, frozen=True):
    """``word`` was said."""

    word: str
    rule: str = "X-1"


class Whispered(Event, frozen=True):
    """``side`` said ``word`` to itself: a secret event."""

    side: str
    word: str
    rule: str = "X-2"


class Shown(Event, frozen=True):
    """A secret was revealed."""

    word: str
    rule: str = "X-3"


class ScratchState(State, kw_only=True):
    """All words that were said, in order."""

    said: list[str] = []


@evolves(Said, Whispered, Shown)
def note(state: ScratchState, event: Said | Whispered | Shown) -> None:
    """Add the word."""
    state.said.append(event.word)


def visible(event: Any, side: str) -> Event | None:
    """Return what ``side`` sees of an event: everything except words that the other side whispered."""
    found: Event | None = event if getattr(event, "side", side) == side else None
    return found


def view(state: ScratchState, side: str) -> dict[str, Any]:  # noqa: ARG001 - the hook's shape
    """Return the view, which is the same for every side."""
    return {"turn": state.turn, "count": len(state.said)}


def word_options(*of: str) -> OneOf:
    """Return the options to say one of these words."""
    return OneOf([Say(word) for word in of], "X-1")


def ask(side: str, *of: str, **more: Any) -> Decision:
    """Return a decision of ``side`` between the words ``of``; ``more`` are fields of ``Decision``."""
    return Decision(side, "say something", word_options(*of), "X-1", **more)


def scratch_rules(
    *turn: Part,
    setup: Iterable[Part] = (),
    functions: Iterable[Callable[..., Any]] = (),
    orders: tuple[type[Order], ...] = (),
    events: tuple[type[Event], ...] = (),
    **facts: Any,
) -> Ruleset:
    """Return rules whose turn is ``turn``: phases, or procedures that become phases named after them.

    ``functions``, ``orders`` and ``events`` are added to those of this module; ``facts`` are fields of ``Ruleset``.
    """
    usual: dict[str, Any] = {
        "id": "scratch",
        "version": "1",
        "sides": ("red", "blue"),
        "state_type": ScratchState,
        "secret_events": (Whispered,),
        "reveals": (Shown,),
        "visible": visible,
        "view": view,
        "hidden": True,
    }
    return Ruleset(
        sequence=SequenceOfPlay(tuple(map(_phase, turn)), tuple(map(_phase, setup))),
        functions=(note, *functions),
        orders=(Say, *orders),
        events=(Said, Whispered, Shown, *events),
        **usual | facts,
    )


def scratch_game(*turn: Part, dice: Dice | None = None, state: State | None = None, **facts: Any) -> Game:
    """Return a started game with the rules that ``scratch_rules`` makes of the other arguments."""
    rules = scratch_rules(*turn, **facts)
    game = Game(rules, rules.state_type() if state is None else state, dice or KeyedDice(bytes(32)))
    game.start()
    return game


def said(game: Any) -> list[str]:
    """Return all words that were said in ``game``, in order."""
    state: Any = game.state
    return list(state.said)


def _phase(part: Part) -> Phase | PlayerTurn:
    if isinstance(part, Phase | PlayerTurn):
        return part
    return Phase(getattr(part, "__name__", "phase"), part, rule="X-0")
