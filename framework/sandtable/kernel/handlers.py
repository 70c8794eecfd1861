"""Which function evolves the state for which event, and which reactions run after it."""

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
    """Mark ``function(state, event)`` as the handler of ``events``: it changes the state, never rolls, never asks."""
    return _marked("_evolves", events)


def reacts(*events: type[Event]) -> Callable[[F], F]:
    """Mark ``function(state, event)`` as a reaction: a procedure that runs after the event, before play goes on."""
    return _marked("_reacts", events)


def _marked(mark: str, events: tuple[type[Event], ...]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        setattr(function, mark, events)
        return function

    return decorate


class Special(NamedTuple):
    """What an event is besides a change of state; ``unsaid``: nobody said who may see it."""

    reactions: tuple[Reaction, ...]
    ends_game: bool
    unsaid: bool = False


class Dispatch(NamedTuple):
    """What the kernel does with one type of event; ``special`` is None for a plain one."""

    handler: Handler
    special: Special | None


Table = dict[type[Event], Dispatch]


@evolves(TurnBegan)
def turn_began(state: State, event: TurnBegan) -> None:
    """Count the turn."""
    state.turn = event.turn


@evolves(PhaseBegan)
def phase_began(state: State, event: PhaseBegan) -> None:
    """Note the phase and who is on move."""
    state.phase = event.phase
    state.phasing_side = event.side
    state.phasing_power = event.power
    state.in_phase = True


@evolves(PhaseEnded)
def phase_ended(state: State, event: PhaseEnded) -> None:
    """Step to the next phase; between two phases there is none."""
    state.position = event.next
    state.phase = ""
    state.in_phase = False


@evolves(GameEnded)
def game_ended(state: State, event: GameEnded) -> None:
    """Note how the game ended."""
    state.outcome = event.outcome
    state.ending = event.ending


def functions_of(modules: Iterable[ModuleType]) -> list[Callable[..., Any]]:
    """Return the marked functions of ``modules``, in the order in which they stand there."""
    found = []
    for module in modules:
        for function in vars(module).values():
            own = getattr(function, "__module__", None) == module.__name__
            if own and (hasattr(function, "_evolves") or hasattr(function, "_reacts")):
                found.append(function)
    return found


def compile_table(
    functions: Iterable[Callable[..., Any]], events: Iterable[type[Event]], unsaid: Collection[type[Event]] = ()
) -> Table:
    """Return the dispatch table: one handler for each event, reactions in the order of ``functions``.

    A later handler of the same event replaces the earlier one: that is how a variant swaps a rule. Raises RulesetError
    when an event has no handler.
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
        raise RulesetError(f"no handler for the event {missing[0]}: write one with @evolves({missing[0]})")
    for event, handler in handlers.items():
        special = Special(tuple(reactions.get(event, ())), event is GameEnded, event in unsaid)
        table[event] = Dispatch(handler, special if any(special) else None)
    return table


def _each_of(table: Table) -> Handler:
    """Return the handler of a group of events: each happens by its handler of ``table``."""

    def each_happens(state: Any, event: Any) -> None:
        for part in event.happened:
            table[part.__class__].handler(state, part)

    return each_happens
