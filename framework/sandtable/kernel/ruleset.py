"""A ruleset as the kernel runs it: everything looked up once, nothing left to ask a plugin."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sandtable.errors import PlayError, RulesetError
from sandtable.kernel.decisions import KERNEL_ORDERS, PUBLIC, UMPIRE, Order
from sandtable.kernel.events import KERNEL_EVENTS, Event, GameEnded
from sandtable.kernel.handlers import Table, compile_table
from sandtable.kernel.sequence import SequenceOfPlay
from sandtable.kernel.state import State, StateCodec


def _all_visible(event: Event, side: str) -> Event | None:  # noqa: ARG001 - the hook's shape
    return event


def _whole_state(state: Any, side: str) -> Any:  # noqa: ARG001 - the hook's shape
    return state


class Upcast(NamedTuple):
    """How a record of one version is read by the next: ``record`` makes one of version ``to`` of it, as plain tables.

    It may rename and reckon, but leaves ``kind`` and ``n`` as they are: one record stays one.
    """

    to: str
    record: Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Ruleset:
    """The rules of one game as compiled for one scenario and one set of options.

    ``functions`` are the handlers and reactions, in order. ``secret_events`` are the types that some side may not see,
    or not whole; ``visible(event, side)`` gives what it sees of one (None: nothing). ``view(state, side)`` gives what
    a side sees of the state; PUBLIC sees what no side keeps secret. ``hidden`` tells whether the game has any secret at
    all: then digests are salted. Of the ``unsaid`` events nobody said who may see them: right behind a secret roll they
    are refused. ``upcasts`` are the steps, by version, from the records of former versions to those of this one.
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
    unsaid: tuple[type[Event], ...] = ()
    upcasts: Mapping[str, Upcast] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Compile the dispatch table, the codec, ``seats`` (powers, sides without, umpire), and guard the views."""
        object.__setattr__(self, "table", compile_table(self.functions, self.all_events, self.unsaid))
        owned = set(self.powers.values())
        single = {side: side for side in self.sides if side not in owned}
        object.__setattr__(self, "seats", {**self.powers, **single, UMPIRE: UMPIRE})
        codec = StateCodec(self.state_type, f"{self.id} {self.version}")
        object.__setattr__(self, "codec", codec)
        object.__setattr__(self, "shows_all", self.view is _whole_state)
        self._guard_views()

    def _guard_views(self) -> None:
        """Let ``view`` and ``visible`` refuse unknown viewers: a ruleset could take such a name for the umpire's."""
        if PUBLIC in self.seats:
            raise RulesetError(f"{self.id}: {PUBLIC!r} is the name of the spectators: give the side or power another")
        known = frozenset((*self.sides, PUBLIC, UMPIRE))
        codec, view, visible = self.codec, self.view, self.visible

        def check(viewer: str) -> None:
            if viewer not in known:
                raise PlayError(f"{self.id} has no viewer {viewer!r}: choose {', '.join(sorted(known))}")

        def seen_state(state: Any, viewer: str) -> Any:
            check(viewer)
            # A copy of a state that is shown whole: a player who changes its view does not change the game.
            return codec.from_bytes(codec.to_bytes(state), state.board) if self.shows_all else view(state, viewer)

        def seen_event(event: Any, viewer: str) -> Event | None:
            check(viewer)
            return visible(event, viewer) if viewer != PUBLIC else self._public_part(event, visible)

        object.__setattr__(self, "view", seen_state)
        object.__setattr__(self, "visible", seen_event)

    def _public_part(self, event: Event, visible: Callable[[Any, str], Event | None]) -> Event | None:
        """Return what a log's public part has of ``event``: what all sides see that do not see it whole, if equal."""
        if not isinstance(event, self.secret_events):
            return event
        less = [seen for side in self.viewers if (seen := visible(event, side)) != event]
        if not less:
            return event
        return less[0] if all(seen == less[0] for seen in less) else None

    table: Table = field(init=False, repr=False)
    shows_all: bool = field(init=False, repr=False)
    """Whether a view is the whole state: then a reader who changes nothing may look at the state itself."""
    codec: StateCodec[Any] = field(init=False, repr=False)
    seats: Mapping[str, str] = field(init=False, repr=False)

    @property
    def all_orders(self) -> tuple[type[Order], ...]:
        """The kernel's orders and the ruleset's."""
        return KERNEL_ORDERS + self.orders

    @property
    def all_events(self) -> tuple[type[Event], ...]:
        """The kernel's events and the ruleset's."""
        return KERNEL_EVENTS + self.events

    def is_last(self, event: Event) -> bool:
        """Return whether ``event`` ends the game."""
        return event.__class__ is GameEnded

    def side_of(self, seat: str) -> str:
        """Return the side that ``seat`` (a power, a side or the umpire) belongs to."""
        return self.seats.get(seat, seat)

    @property
    def viewers(self) -> tuple[str, ...]:
        """The sides whose sight is limited: all but the umpire."""
        return tuple(side for side in self.sides if side != UMPIRE)
