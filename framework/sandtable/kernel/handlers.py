"""Registration of event handlers, which change the state, and of reactions, which run after an event."""

from collections.abc import Callable, Collection, Iterable
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from sandtable.errors import RulesetError
from sandtable.kernel.events import Event, EventGroup, GameEnded, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.sequence import Procedure
from sandtable.kernel.state import State

F = TypeVar("F", bound=Callable[..., Any])
Handler = Callable[[Any, Any], None]
Reaction = Callable[[Any, Any], Procedure]


def evolves(*events: type[Event]) -> Callable[[F], F]:
    """Mark ``function(state, event)`` as the handler of ``events``. It changes the state and never rolls or asks."""
    return _marked("_evolves", events)


def reacts(*events: type[Event]) -> Callable[[F], F]:
    """Mark ``function(state, event)`` as a reaction: a procedure that runs after the event, before play continues."""
    return _marked("_reacts", events)


def _marked(mark: str, events: tuple[type[Event], ...]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        setattr(function, mark, events)
        return function

    return decorate


class Special(NamedTuple):
    """The special role of an event type besides changing the state.

    ``undeclared`` means that its visibility is not declared, ``rulings_only`` that the rules may not yield it.
    """

    reactions: tuple[Reaction, ...]
    ends_game: bool
    undeclared: bool = False
    rulings_only: bool = False


class Dispatch(NamedTuple):
    """The kernel's treatment of one event type; ``special`` is None for a plain event."""

    handler: Handler
    special: Special | None


Table = dict[type[Event], Dispatch]


@evolves(TurnBegan)
def turn_began(state: State, event: TurnBegan) -> None:
    """Count the turn."""
    state.turn = event.turn


@evolves(PhaseBegan)
def phase_began(state: State, event: PhaseBegan) -> None:
    """Store the phase and the side and power on move."""
    state.phase = event.phase
    state.phasing_side = event.side
    state.phasing_power = event.power
    state.in_phase = True


@evolves(PhaseEnded)
def phase_ended(state: State, event: PhaseEnded) -> None:
    """Move to the next position; between two phases, ``phase`` is empty."""
    state.position = event.next
    state.phase = ""
    state.in_phase = False


@evolves(GameEnded)
def game_ended(state: State, event: GameEnded) -> None:
    """Store the outcome and the ending of the game."""
    state.outcome = event.outcome
    state.ending = event.ending


def functions_of(modules: Iterable[ModuleType]) -> list[Callable[..., Any]]:
    """Return the marked functions of ``modules`` in source order."""
    found = []
    for module in modules:
        for function in vars(module).values():
            own = getattr(function, "__module__", None) == module.__name__
            if own and (hasattr(function, "_evolves") or hasattr(function, "_reacts")):
                found.append(function)
    return found


def compile_table(
    functions: Iterable[Callable[..., Any]], events: Iterable[type[Event]], undeclared: Collection[type[Event]] = ()
) -> Table:
    """Return the dispatch table: one handler for each event, and its reactions in the order of ``functions``.

    A later handler of the same event replaces an earlier one, so a variant can replace a rule. Raises RulesetError if
    an event has no handler.
    """
    handlers: dict[type[Event], Handler] = {}
    reactions: dict[type[Event], list[Reaction]] = {}
    kernel: tuple[Callable[..., Any], ...] = (turn_began, phase_began, phase_ended, game_ended)
    for function in (*kernel, *functions):
        for event in getattr(function, "_evolves", ()):
            handlers[event] = function
        for event in getattr(function, "_reacts", ()):
            reactions.setdefault(event, []).append(function)
    table: Table = {}
    for event in events:
        if issubclass(event, EventGroup):
            handlers.setdefault(event, _each_of(table))
    missing = [event.__name__ for event in events if event not in handlers]
    if missing:
        raise RulesetError(f"the event {missing[0]} has no handler: write one with @evolves({missing[0]})")
    for event, handler in handlers.items():
        special = Special(tuple(reactions.get(event, ())), event is GameEnded, event in undeclared)
        table[event] = Dispatch(handler, special if any(special) else None)
    return table


def _each_of(table: Table) -> Handler:
    """Return the handler of an event group, which calls the handler in ``table`` for each event."""

    def each_happens(state: Any, event: Any) -> None:
        for part in event.happened:
            table[part.__class__].handler(state, part)

    return each_happens
