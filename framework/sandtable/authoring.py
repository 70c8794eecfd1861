"""Rulesets by decorators, as an alternative to writing the hooks.

    import sandtable as st

    game = st.Ruleset("duel", title="Duel", sides=("red", "blue"), rules=\"\"\"
        DU-1  Red chooses a number; an even one wins.
    \"\"\")

    @game.order
    class Choose(st.Order, frozen=True): ...

    @game.phase("DU-1")
    def choose(state): ...

Each decorator returns its argument. The module that defines ``game`` is the ruleset: its entry point names the module,
or ``module:game``. Hooks in that module that are marked ``@st.hookimpl`` take precedence.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from inspect import isgeneratorfunction
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, overload

from sandtable.errors import RulesetError
from sandtable.files.words import did_you_mean
from sandtable.kernel.decisions import Order
from sandtable.kernel.events import Event
from sandtable.kernel.handlers import evolves, reacts
from sandtable.kernel.sequence import Phase, SequenceOfPlay
from sandtable.kernel.state import State
from sandtable.plugin.groups import Battles, Bots, Ui
from sandtable.plugin.hookspecs import GROUPS, hookimpl
from sandtable.plugin.manifest import Manifest, Option, Parts, RuleRow, Stage
from sandtable.plugin.options.rulefiles import read_index

F = TypeVar("F", bound=Callable[..., Any])
S = TypeVar("S", bound=type[State])
O = TypeVar("O", bound=type[Order])  # noqa: E741 - O for order
E = TypeVar("E", bound=type[Event])

ALL = "all"
UNSAID = "undeclared"
_ROW = re.compile(r"^\s*(\S+)\s{2,}(?:\((ruling|info)\)\s+)?(\S.*)$")
_HOOKS = ("setup", "upcasts")
_MEMBERS = {hook: tuple(spec.__name__ for spec in group.SPECS) for hook, group in GROUPS.items()}


class Authored:
    """A ruleset that is built by decorators; ``hooks`` returns the hooks for the plugin manager.

    ``rules`` is the index: a text of lines "ID sentence" (an id, two blanks; "(ruling)" or "(info)" may follow), or the
    path of a ``rules.toml``. ``scenarios`` are files by id; without any, there is one scenario without data. The other
    arguments are as in ``Manifest``; ``hidden`` follows from the events.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 - the manifest's word
        *,
        title: str,
        sides: tuple[str, ...],
        rules: str | Path = "",
        version: str = "1",
        edition: str = "of its author",
        designer: str = "its author",
        stage: Stage = "draft",
        board: str = "none",
        endings: tuple[str, ...] = (),
        options: tuple[Option, ...] = (),
        scenarios: Mapping[str, Path] | None = None,
        **facts: Any,
    ) -> None:
        self._manifest = Manifest(id, title, version, edition, designer, stage, sides, board, endings=endings, **facts)
        self._options = options
        self._rules = rules
        self._scenarios = dict(scenarios or {})
        self._state: type[State] | None = None
        self._orders: list[type[Order]] = []
        self._events: dict[type[Event], Any] = {}
        self._reveals: list[type[Event]] = []
        self._functions: list[Callable[..., Any]] = []
        self._phases: list[Phase] = []
        self._setup: list[Phase] = []
        self._view: Callable[[Any, str], Any] | None = None
        self._bots: dict[str, Any] = {}
        self._own: dict[str, Callable[..., Any]] = {}
        self._closed = False

    # ------------------------------------------------------------------ decorators

    def state(self, kind: S) -> S:
        """Register ``kind``, a State, as the state of a game. Raises RulesetError if there is one already."""
        self._open_for(kind)
        if self._state is not None:
            raise RulesetError(f"{self._manifest.id}: two states: {self._state.__name__} and {kind.__name__}")
        self._state = kind
        return kind

    def order(self, kind: O) -> O:
        """Register ``kind`` as an order."""
        self._open_for(kind)
        self._orders.append(kind)
        return kind

    @overload
    def event(self, kind: E) -> E: ...

    @overload
    def event(self, *, seen_by: Any = UNSAID, reveals: bool = False) -> Callable[[E], E]: ...

    def event(self, kind: Any = None, *, seen_by: Any = UNSAID, reveals: bool = False) -> Any:
        """Register a class as an event; its method ``apply(self, state)``, if any, is its handler.

        ``seen_by`` defines the visibility of such an event: "all", the name of the field that contains the side, () for
        no side, or a function of (event, side) that returns what the side sees of it, or None. If it is not given, all
        sides see the event, but right after a secret roll, before the next order, such an event is refused. Raises
        RulesetError if ``seen_by`` names no field, or if ``apply`` is a generator.
        """

        def take(kind: Any) -> Any:
            self._open_for(kind)
            if isinstance(seen_by, str) and seen_by not in {ALL, UNSAID, *kind.__struct_fields__}:
                named = ", ".join(kind.__struct_fields__)
                raise RulesetError(f"{kind.__name__}: seen_by={seen_by!r} is not a field of it; there are {named}")
            self._events[kind] = seen_by
            if reveals:
                self._reveals.append(kind)
            if isgeneratorfunction(getattr(kind, "apply", None)):
                raise RulesetError(f"{kind.__name__}.apply yields: a handler changes the state, and is not a procedure")
            if hasattr(kind, "apply"):
                self._functions.append(evolves(kind)(_applying(kind)))
            return kind

        return take if kind is None else take(kind)

    def evolves(self, *events: type[Event]) -> Callable[[F], F]:
        """Register a function of (state, event) as the handler of ``events``, outside their classes."""
        return self._marking(evolves(*events))

    def reacts(self, *events: type[Event]) -> Callable[[F], F]:
        """Register a procedure of (state, event) that runs after ``events``."""
        return self._marking(reacts(*events))

    def _marking(self, mark: Callable[[F], F]) -> Callable[[F], F]:
        def take(function: F) -> F:
            self._open_for(function)
            self._functions.append(mark(function))
            return function

        return take

    def phase(
        self, rule: str = "", *, side: str = "", repeats: bool = False, setup: bool = False, name: str = ""
    ) -> Callable[[F], F]:
        """Register a procedure as the next phase of the turn, with its name; with ``setup`` as one before turn 1."""

        def take(procedure: F) -> F:
            self._open_for(procedure)
            phase = Phase(name or procedure.__name__, procedure, side, rule=rule, repeats=repeats)
            (self._setup if setup else self._phases).append(phase)
            return procedure

        return take

    def view(self, function: F) -> F:
        """Register a function of (state, side) that returns what a side sees of the state."""
        self._open_for(function)
        self._view = function
        return function

    def bot(self, name: str) -> Callable[[F], F]:
        """Register a class or function of (seat, stream, board) as the bot ``name``."""

        def take(maker: F) -> F:
            self._open_for(maker)
            self._bots[name] = maker
            return maker

        return take

    def hook(self, name: str) -> Callable[[F], F]:
        """Register a function as the hook ``setup`` or ``upcasts``, or as ``name`` of ``Bots``, ``Ui`` or ``Battles``.

        It takes the arguments that it needs, by name. Raises RulesetError if a name is registered twice.
        """
        known = [*_HOOKS, *(each for members in _MEMBERS.values() for each in members)]
        if name not in known:
            raise RulesetError(f"{name!r} is not a hook{did_you_mean(name, known)} There are: {', '.join(known)}.")

        def take(function: F) -> F:
            self._open_for(function)
            if name in self._own:
                raise RulesetError(
                    f"{self._manifest.id}: two hooks {name}: {self._own[name].__name__} and {function.__name__}"
                )
            self._own[name] = function
            return function

        return take

    def _open_for(self, what: Any) -> None:
        if self._closed:
            name = getattr(what, "__name__", what)
            raise RulesetError(f"{self._manifest.id}: {name} comes too late: the ruleset is already in use")

    # ------------------------------------------------------------------ hooks for the plugin manager

    def hooks(self) -> dict[str, Callable[..., Any]]:
        """Return the hooks by name, as in a ruleset's module. Raises RulesetError if no state was registered."""
        if self._state is None:
            raise RulesetError(f"{self._manifest.id}: no state: mark its class with @game.state")
        self._closed = True
        own = {f"ruleset_{name}": _as_hook(self._own[name]) for name in _HOOKS if name in self._own}
        usual = (self.ruleset_manifest, self.ruleset_index, self.ruleset_scenarios, self.ruleset_parts)
        grouped = (self.ruleset_bots, self.ruleset_ui, self.ruleset_battles)
        return {each.__name__: each for each in (*usual, self.ruleset_setup, *grouped)} | own

    @hookimpl
    def ruleset_manifest(self) -> Manifest:
        """Return the manifest."""
        values = {name: getattr(self._manifest, name) for name in Manifest.__struct_fields__}
        hidden = values["hidden"] or bool(self._secret())
        return Manifest(**values | {"hidden": hidden, "options": self._options})

    @hookimpl
    def ruleset_index(self) -> tuple[RuleRow, ...]:
        """Return the rule index."""
        return read_index(self._rules) if isinstance(self._rules, Path) else tuple(_rows(self._rules))

    @hookimpl
    def ruleset_scenarios(self) -> dict[str, Path]:
        """Return the scenario files."""
        return self._scenarios

    @hookimpl
    def ruleset_parts(self) -> Parts:
        """Return the parts that the kernel runs."""
        assert self._state is not None  # noqa: S101 - ``hooks`` has checked
        secret = self._secret()
        return Parts(
            state_type=self._state,
            sequence=SequenceOfPlay(tuple(self._phases), tuple(self._setup)),
            handlers=tuple(self._functions),
            orders=tuple(self._orders),
            events=tuple(self._events),
            view=self._view,
            visible=self._visible if secret else None,
            secret_events=secret,
            reveals=tuple(self._reveals),
            undeclared=tuple(kind for kind, by in self._events.items() if by == UNSAID),
        )

    @hookimpl
    def ruleset_setup(self) -> tuple[State, None]:
        """Return the first state if the ruleset has no hook ``setup``: one made without arguments."""
        assert self._state is not None  # noqa: S101 - as above
        return self._state(), None

    @hookimpl
    def ruleset_bots(self) -> Bots:
        """Return the bots."""
        return Bots(self._bots, **self._given("ruleset_bots"))

    @hookimpl
    def ruleset_ui(self) -> Ui:
        """Return the functions that narrate, draw and parse."""
        return Ui(**self._given("ruleset_ui"))

    @hookimpl
    def ruleset_battles(self) -> Battles:
        """Return the battles."""
        return Battles(**self._given("ruleset_battles"))

    def _given(self, hook: str) -> dict[str, Any]:
        return {name: self._own[name] for name in _MEMBERS[hook] if name in self._own}

    def _secret(self) -> tuple[type[Event], ...]:
        return tuple(kind for kind, by in self._events.items() if by not in (ALL, UNSAID))

    def _visible(self, event: Any, side: str) -> Event | None:
        """Return the part of a secret event that ``side`` sees, or None."""
        by = self._events[type(event)]
        if callable(by):
            seen: Event | None = by(event, side)
            return seen
        sees = isinstance(by, str) and getattr(event, by) == side
        return event if sees else None


def _as_hook(function: Any) -> Callable[..., Any]:
    """Return a copy of ``function`` marked as a hook, so that ``function`` itself may have any name in its module."""
    twin = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__kwdefaults__ = function.__kwdefaults__
    hook: Callable[..., Any] = hookimpl(twin)
    return hook


def _applying(kind: type[Event]) -> Callable[[Any, Any], None]:
    apply: Callable[[Any, Any], None] = kind.apply  # type: ignore[attr-defined]  # the caller has checked

    def handler(state: Any, event: Any) -> None:
        apply(event, state)

    handler.__name__ = f"{kind.__name__}.apply"
    handler.__module__ = kind.__module__
    return handler


def _rows(text: str) -> Iterable[RuleRow]:
    """Yield the rows of an index written as lines; a line without an id continues the previous one."""
    rows: list[list[str]] = []
    for line in text.splitlines():
        found = _ROW.match(line)
        if found and re.search(r"\d", found.group(1)):
            rows.append([found.group(1), found.group(3).strip(), found.group(2) or "rule"])
        elif line.strip() and rows:
            rows[-1][1] += f" {line.strip()}"
        elif line.strip():
            raise RulesetError(
                f"{line.strip()!r:.60} is not a row of a rule index: write an id, two blanks, a sentence"
            )
    return [RuleRow(*row) for row in rows]


Ruleset = Authored
"""The public name; the kernel's Ruleset is the compiled form."""
