"""A compiled ruleset: every lookup is done once, so that play never queries the plugin manager."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn, Protocol

from sandtable.errors import PlayError, RulesetError
from sandtable.kernel.decisions import KERNEL_ORDERS, PUBLIC, UMPIRE, Order
from sandtable.kernel.events import KERNEL_EVENTS, Event, OptionSet
from sandtable.kernel.handlers import Dispatch, Special, Table, compile_table
from sandtable.kernel.sequence import SequenceOfPlay
from sandtable.kernel.state import State, StateCodec


def _all_visible(event: Event, side: str) -> Event | None:  # noqa: ARG001 - the hook's shape
    return event


def _whole_state(state: Any, side: str) -> Any:  # noqa: ARG001 - the hook's shape
    return state


class Upcast(NamedTuple):
    """A step to the next version of a ruleset: ``record`` converts a record, as plain tables, to version ``to``.

    It may rename and compute fields, but keeps ``kind`` and ``n`` unchanged: each record remains one record.
    """

    to: str
    record: Callable[[dict[str, Any]], dict[str, Any]]


class OptionSettings(Protocol):
    """The options that may be set while a game is in progress, and the boards that result from them."""

    def check(self, options: Mapping[str, str], option: str, value: str) -> None:
        """Raise PlayError if ``option`` cannot be set to ``value`` in a game with ``options``."""

    def board(self, options: Mapping[str, str]) -> Any:
        """Return the board of the scenario with ``options``."""


@dataclass(frozen=True)
class Ruleset:
    """The rules of one game as compiled for one scenario and one set of options.

    ``functions`` are the handlers and reactions, in order. ``secret_events`` are the types that some side may not see,
    or not in full; ``visible(event, side)`` returns the part that a side sees, or None. ``view(state, side)`` returns
    what a side sees of the state; PUBLIC sees what no side keeps secret. ``hidden`` is set if the game has any secret;
    digests are then salted. ``undeclared`` are the events whose visibility is not declared; right after a secret roll
    they are refused. ``upcasts`` are the steps, by version, that convert records of earlier versions to this one.
    ``settings`` set options in play; without them no option can be set. ``facts(state, side)`` returns the secret facts
    of a side that claims state one by one, if there are any.
    """

    id: str
    version: str
    sides: tuple[str, ...]
    state_type: type[State]
    sequence: SequenceOfPlay
    functions: tuple[Callable[..., Any], ...]
    orders: tuple[type[Order], ...]
    events: tuple[type[Event], ...]
    powers: Mapping[str, str] = field(default_factory=dict)
    hidden: bool = False
    secret_events: tuple[type[Event], ...] = ()
    reveals: tuple[type[Event], ...] = ()
    visible: Callable[[Any, str], Event | None] = _all_visible
    view: Callable[[Any, str], Any] = _whole_state
    undeclared: tuple[type[Event], ...] = ()
    upcasts: Mapping[str, Upcast] = field(default_factory=dict)
    settings: OptionSettings | None = field(default=None, repr=False)
    facts: Callable[[Any, str], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        """Compile the dispatch table, the codec and ``seats`` (powers, other sides, umpire), and guard the views."""
        table = compile_table(self.functions, self.all_events, self.undeclared)
        table[OptionSet] = Dispatch(self._set_option, Special((), ends_game=False, rulings_only=True))
        object.__setattr__(self, "table", table)
        owned = set(self.powers.values())
        single = {side: side for side in self.sides if side not in owned}
        object.__setattr__(self, "seats", {**self.powers, **single, UMPIRE: UMPIRE})
        codec = StateCodec(self.state_type, f"{self.id} {self.version}")
        object.__setattr__(self, "codec", codec)
        object.__setattr__(self, "shows_all", self.view is _whole_state)
        object.__setattr__(self, "viewers", tuple(side for side in self.sides if side != UMPIRE))
        self._guard_views()

    def check_setting(self, state: State, event: OptionSet) -> None:
        """Raise PlayError if a ruling cannot set the option that ``event`` names in a game at ``state``."""
        if self.settings is None:
            raise PlayError(f"{self.id} was not loaded as a plugin: its options cannot be set in play")
        self.settings.check(state.options, event.option, event.value)

    def _set_option(self, state: State, event: OptionSet) -> None:
        """Set an option of ``state``, and place the board that results from it."""
        self.check_setting(state, event)
        assert self.settings is not None  # noqa: S101 - checked above
        state.options = {**state.options, event.option: event.value}
        state.place_board(self.settings.board(state.options))

    def _guard_views(self) -> None:
        """Make ``view`` and ``visible`` refuse unknown viewers, which a ruleset might treat like the umpire."""
        if PUBLIC in self.seats:
            raise RulesetError(f"{self.id}: {PUBLIC!r} is reserved for the spectators: rename the side or power")
        known = frozenset((*self.sides, PUBLIC, UMPIRE))
        codec, view, visible = self.codec, self.view, self.visible

        def refuse(viewer: str) -> NoReturn:
            raise PlayError(f"{self.id} has no viewer {viewer!r}: choose {', '.join(sorted(known))}")

        def seen_state(state: Any, viewer: str) -> Any:
            if viewer not in known:
                refuse(viewer)
            # A state that is shown in full is copied, so that a player that changes its view does not change the game.
            return codec.copy(state) if self.shows_all else view(state, viewer)

        def seen_event(event: Any, viewer: str) -> Event | None:
            if viewer not in known:
                refuse(viewer)
            return visible(event, viewer) if viewer != PUBLIC else self._public_part(event, visible)

        object.__setattr__(self, "view", seen_state)
        object.__setattr__(self, "visible", seen_event)

    def _public_part(self, event: Event, visible: Callable[[Any, str], Event | None]) -> Event | None:
        """Return the public part of ``event``, or None.

        It is what the sides with a reduced view see, if they all see the same. The event is public if no side has one.
        """
        if not isinstance(event, self.secret_events):
            return event
        less = [seen for side in self.viewers if (seen := visible(event, side)) != event]
        if not less:
            return event
        return less[0] if all(seen == less[0] for seen in less) else None

    table: Table = field(init=False, repr=False)
    shows_all: bool = field(init=False, repr=False)
    """Whether a view is the whole state, so that read-only code may use the state itself."""
    viewers: tuple[str, ...] = field(init=False, repr=False)
    """The sides with a limited view: all except the umpire."""
    codec: StateCodec[Any] = field(init=False, repr=False)
    seats: Mapping[str, str] = field(init=False, repr=False)

    @property
    def all_orders(self) -> tuple[type[Order], ...]:
        """The order types of the kernel and of the ruleset."""
        return KERNEL_ORDERS + self.orders

    @property
    def all_events(self) -> tuple[type[Event], ...]:
        """The event types of the kernel and of the ruleset."""
        return KERNEL_EVENTS + self.events

    def side_of(self, seat: str) -> str:
        """Return the side that ``seat`` (a power, a side or the umpire) belongs to."""
        return self.seats.get(seat, seat)
