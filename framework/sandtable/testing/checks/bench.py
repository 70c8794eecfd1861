"""The material of the checks: a ruleset prepared in every setting, and random games of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import prod
from types import ModuleType
from typing import Any, NamedTuple

import msgspec

from sandtable.errors import IllegalOrder
from sandtable.journal.fields import differences
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import AnyOf, Form, OneForEach, OneOf, Range, ShareOut, SomeOf, Space
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import settled
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.importing import adopt
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.scenarios import Scenario
from sandtable.testing.fuzz import ENDLESS, MAX_RECORDS, Fuzzed, fuzz_game

MAX_TRIES = 20_000


class FaultError(AssertionError):
    """A check found that the ruleset breaks the contract; the text gives the place and the data to reproduce it."""


class NothingToJudgeError(FaultError):
    """A check has no game to judge; the text names the check that explains why."""


class NotChecked(str):
    """The result of a check that had nothing to check, for no fault of the ruleset. It is never reported as "ok"."""

    __slots__ = ()


class Trial(NamedTuple):
    """A random game in one setting of the ruleset."""

    prepared: Prepared
    played: Fuzzed

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the game."""
        return self.prepared.ruleset

    @property
    def records(self) -> list[Any]:
        """The records of the game."""
        return self.played.game.records

    @property
    def name(self) -> str:
        """The name of the game in messages: its seed, scenario, and options that differ from the default."""
        usual = {option.name: option.default for option in self.prepared.installed.manifest.options}
        options = [f"{name}={value}" for name, value in self.prepared.options.items() if value != usual[name]]
        return f"game {self.played.seed} ({', '.join([self.prepared.scenario.id, *options])})"

    def dice(self) -> KeyedDice:
        """Return the dice of the game."""
        return KeyedDice(key_from_seed(self.played.seed))

    def stream(self, purpose: str) -> Stream:
        """Return a random stream for a check; it depends only on the game and ``purpose``."""
        return Stream.for_player(key_from_seed(self.played.seed), f"contract/{purpose}")

    def new_game(self) -> Game:
        """Return the game again, not started."""
        return self.prepared.new_game(self.dice())

    def replay(self) -> Iterator["DecisionPoint"]:
        """Play the game again, stopping at each decision. The order is given when the caller continues."""
        game = self.new_game()
        game.start()
        for seat, order, _ in self.played.given:
            decision = next((each for each in game.waiting() if each.seat == seat), None)
            if decision is None:
                raise self.other_course(game, f"{seat} has no decision")
            yield DecisionPoint(game, decision, order)
            try:
                game.submit(order, seat)
            except IllegalOrder as error:
                raise self.other_course(game, f"{order} is refused: {error}") from error

    def other_course(self, game: Game, problem: str) -> FaultError:
        """Return the error to raise if the game, played again, takes a different course."""
        return FaultError(
            f"{self.name}: played again with the same orders and dice, it differs after record {game.number}: "
            f"{problem}: the rules use a clock, or keep data outside the state"
        )


class DecisionPoint(NamedTuple):
    """A game at a pending ``decision``, and the order that was given for it."""

    game: Game
    decision: Decision
    order: Order

    @property
    def place(self) -> str:
        """The position, for a message."""
        return f"record {self.game.number + 1}: {self.decision.seat} must {self.decision.prompt!r}"


@dataclass
class Harness:
    """A ruleset under test: ``games`` games of it are played from ``seed``, each of at most ``bound`` records.

    ``scenario`` (an id, a path or a Scenario) restricts the checks to one scenario. ``pairs`` is the approximate number
    of pairs of worlds that each secrecy check compares. ``stopped`` is the check in which the rules hung. ``crashes``
    maps the place of each reported crash to the check that reported it.
    """

    installed: Installed
    games: int = 20
    seed: str = "contract"
    bound: int = MAX_RECORDS
    scenario: str | Scenario = ""
    pairs: int = 60
    stopped: str = ""
    crashes: dict[str, str] = field(default_factory=dict, repr=False)
    _trials: list[Trial] = field(default_factory=list, repr=False)

    @cached_property
    def usual_settings(self) -> tuple[Prepared, ...]:
        """Every scenario with the default options."""
        names: tuple[str | Scenario, ...] = (self.scenario,) if self.scenario else self.installed.scenario_ids()
        return tuple(self.installed.prepare(name) for name in names)

    @cached_property
    def settings(self) -> tuple[Prepared, ...]:
        """Every scenario with the default options, and the default scenario with each other value of an option."""
        found, usual = list(self.usual_settings), self.usual_settings[0].scenario
        for option in self.installed.manifest.options:
            found += [self.installed.prepare(usual, {option.name: value}) for value in option.values[1:]]
        return tuple(found)

    @cached_property
    def played_settings(self) -> tuple[Prepared, ...]:
        """The settings that are not declared endless. Random games of an endless setting need not end.

        Raises FaultError if every setting is declared endless.
        """
        endless = {option.name: option.endless for option in self.installed.manifest.options}
        found = tuple(
            prepared
            for prepared in self.settings
            if not prepared.scenario.data["scenario"].get("endless")
            and not any(value in endless[name] for name, value in prepared.options.items())
        )
        if not found:
            raise FaultError("every setting is declared endless: at least one scenario must end by itself")
        return found

    @property
    def trials(self) -> list[Trial]:
        """All games, whatever their result, with the settings in turn. After an endless game no more are played."""
        while len(self._trials) < self.games and not self.is_endless:
            self._trials.append(self.play(len(self._trials)))
        return self._trials

    @property
    def is_endless(self) -> bool:
        """Whether the last played game is endless."""
        return bool(self._trials) and self._trials[-1].played.verdict == ENDLESS

    def play(self, number: int) -> Trial:
        """Play and return game ``number``."""
        prepared = self.played_settings[number % len(self.played_settings)]
        return Trial(prepared, fuzz_game(prepared, f"{self.seed}/{number}", bound=self.bound))

    def whole(self, most: int = 1_000_000) -> list[Trial]:
        """Return up to ``most`` games that ended. Raises NothingToJudgeError if none did."""
        ended = [trial for trial in self.trials if trial.played.ended]
        if not ended:
            raise NothingToJudgeError("no game ended, so there is nothing to check: see the check games_end")
        return ended[:most]

    @cached_property
    def rule_ids(self) -> frozenset[str]:
        """The ids of the rule index, or an empty set if the ruleset has no index."""
        return frozenset(row.id for row in self.installed.hook.ruleset_index() or ())


def installed_from(ruleset: Installed | ModuleType) -> Installed:
    """Return ``ruleset`` as the plugin manager would load it, under the id of its manifest."""
    if isinstance(ruleset, Installed):
        return ruleset
    adopt(ruleset)
    return Installed(ruleset.ruleset_manifest().id, ruleset, str(ruleset.__file__))


def listed(options: Space, most: int) -> list[Any] | None:
    """Return all values of ``options``, or None if there are more than ``most`` or a search would not find all of them.

    A form is listed by trying every combination of its fields. If its final condition refuses most of them, a list of
    three values may take a million tries.
    """
    if _tries(options) > MAX_TRIES or not _lists_all(options):
        return None
    values = list(islice(options.values(), most + 1))
    return values if len(values) <= most else None


def _lists_all(options: Space) -> bool:
    fields = options.fields.values() if isinstance(options, Form) else ()
    return options.lists_all and all(field.lists_all for field in fields if isinstance(field, Space))


def _tries(options: Space) -> int:
    """Return the number of values to try in order to list ``options``, as far as it is known."""
    if isinstance(options, Form):
        spaces = [field for field in options.fields.values() if isinstance(field, Space)]
        return prod(map(_tries, spaces)) if options.also else 1
    if isinstance(options, OneForEach):
        return prod(map(_tries, options.spaces.values()))
    if isinstance(options, AnyOf):
        return sum(map(_tries, options.spaces))
    return options.count(MAX_TRIES + 1) if isinstance(options, OneOf | Range | ShareOut | SomeOf) else 1


def parting(a: Any, b: Any) -> str:
    """Return the first difference between two plain values, as "path: one, not the other"."""
    one, other = msgspec.to_builtins(settled(a)), msgspec.to_builtins(settled(b))
    for where, left, right in differences(one, other):
        return f"{where or 'it'}: {left}, not {right}"
    return next(_other_orders(one, other, ""), "no difference that can be shown")


def _other_orders(a: Any, b: Any, where: str) -> Iterator[str]:
    """Yield each path at which two equal values differ in the order of their keys."""
    if isinstance(a, dict):
        if list(a) != list(b):
            yield f"{where or 'it'}: keys {', '.join(a)}, not {', '.join(b)}"
        for key in a:
            yield from _other_orders(a[key], b[key], f"{where}.{key}" if where else str(key))
    elif isinstance(a, list | tuple):
        for place, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from _other_orders(left, right, f"{where}[{place}]")
