"""Options that a ruling sets while a game is in progress, and the boards that result from them."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from sandtable.errors import DataError, PlayError, RulesetError
from sandtable.kernel.state import State
from sandtable.plugin.manifest import Manifest, Option, Parts
from sandtable.plugin.scenarios import Scenario
from sandtable.quoting import shortened

KEPT = 8
"""Maximum number of set-ups that are kept, by their options."""

SetUp = tuple[bytes, Any]
"""The first state without its options, as bytes, and the board."""


class PlaySettings:
    """The options of one scenario that a ruling may set.

    An option belongs to the set-up in three cases: the manifest makes it ``fixed`` or a bid, the parts of the rules
    depend on it (sequence of play, visibility, sides), or another value changes the first state. No ruling sets such an
    option. Any other option may be set: the rules look it up in the state, or in the board, which is made again.
    ``hook`` calls the ruleset's hooks, ``parts`` are those of ``scenario`` with ``options``.
    """

    def __init__(self, manifest: Manifest, hook: Any, scenario: Scenario, options: Mapping[str, str]) -> None:
        self._manifest = manifest
        self._hook = hook
        self._scenario = scenario
        self._made: dict[tuple[str, ...], SetUp] = {}
        self.parts: Parts = hook.ruleset_parts(scenario=scenario, options=options)

    def set_up(self, options: Mapping[str, str]) -> tuple[State, Any]:
        """Return the first state with ``options``, and its board.

        Raises DataError if the scenario does not allow the options, and RulesetError for a faulty hook.
        """
        made = self._hook.ruleset_setup(scenario=self._scenario, options=options)
        if isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], self.parts.state_type):
            return made
        kind = type(made).__name__
        raise RulesetError(f"{self._manifest.id}: ruleset_setup must return a state and its board, not {kind}")

    def check(self, options: Mapping[str, str], option: str, value: str) -> None:
        """Raise PlayError if ``option`` cannot be set to ``value`` in a game with ``options``."""
        ident = self._manifest.id
        known = {each.name: each for each in self._manifest.options}
        if option not in known:
            raise PlayError(f"{ident} has no option {shortened(option)!r}; it has: {', '.join(known)}")
        if not known[option].allows(value):
            also = " or a whole number" if known[option].number else ""
            listed = ", ".join(known[option].values)
            raise PlayError(f"{option} cannot be {shortened(value)!r}: choose one of {listed}{also}")
        if options[option] == value:
            raise PlayError(f"{option} is {value} already: a ruling must set another value")
        if why := self._why_fixed(known[option], options, value):
            raise PlayError(f"{option} cannot be set in a game in progress: {why}; start a new game with it")

    def board(self, options: Mapping[str, str]) -> Any:
        """Return the board of the scenario with ``options``."""
        return self._of(options)[1]

    def _why_fixed(self, option: Option, options: Mapping[str, str], value: str) -> str:
        """Return why the option belongs to the set-up, or ""."""
        if option.fixed or option.bid:
            return "it belongs to the set-up"
        if option.name in self._read_by_parts and self._changes_parts(options, option.name, value):
            return "the phases, or what each side may see, depend on it"
        try:
            before, after = self._of(options)[0], self._of({**options, option.name: value})[0]
        except DataError as error:
            return f"the scenario does not allow it ({error})"
        return "" if before == after else "it changes the first position"

    @cached_property
    def _read_by_parts(self) -> frozenset[str]:
        """The options that the ruleset reads when it makes the parts that the kernel runs."""
        read = _Noting({option.name: option.default for option in self._manifest.options})
        self._hook.ruleset_parts(scenario=self._scenario, options=read)
        return frozenset(read.noted)

    def _changes_parts(self, options: Mapping[str, str], option: str, value: str) -> bool:
        """Return whether the parts differ with another value; new functions and sequences count as different."""
        before, after = (
            self._hook.ruleset_parts(scenario=self._scenario, options=each)
            for each in (dict(options), {**options, option: value})
        )
        return msgspec.structs.astuple(before) != msgspec.structs.astuple(after)

    def _of(self, options: Mapping[str, str]) -> SetUp:
        key = tuple(options.values())
        if key not in self._made:
            while len(self._made) >= KEPT:
                del self._made[next(iter(self._made))]
            state, board = self.set_up(dict(options))
            state.options = {}
            self._made[key] = msgspec.msgpack.encode(state), board
        return self._made[key]


class _Noting(Mapping[str, str]):
    """A table of options that notes which ones are read."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._options = options
        self.noted: dict[str, None] = {}

    def __getitem__(self, name: str) -> str:
        self.noted[name] = None
        return self._options[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)
