"""What the checks work on: a ruleset made ready in every setting, and games of it that were played at random."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import prod
from types import ModuleType
from typing import Any, NamedTuple

import msgspec

from sandtable.errors import IllegalOrder
from sandtable.journal.verification.rerun import differences
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import AnyOf, Form, OneForEach, OneOf, Range, ShareOut, SomeOf, Space
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import settled
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.importing import adopt
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.scenarios import Scenario
from sandtable.testing.fuzz import ENDLESS, MOST_RECORDS, Fuzzed, fuzz_game

MOST_TRIES = 20_000


class FaultError(AssertionError):
    """A check found that the ruleset breaks the contract; the text says where, with all that is needed to see it."""


class NothingToJudgeError(FaultError):
    """There is nothing that a check could look at; the text says which other check tells why."""


class NotLookedAt(str):
    """What a check returns that had nothing to look at, for no fault of the ruleset: never told as "ok"."""

    __slots__ = ()


class Trial(NamedTuple):
    """A game that was played at random in one setting of the ruleset."""

    prepared: Prepared
    played: Fuzzed

    @property
    def ruleset(self) -> Ruleset:
        """The rules that were played."""
        return self.prepared.ruleset

    @property
    def records(self) -> list[Any]:
        """The records of the game."""
        return self.played.game.records

    @property
    def name(self) -> str:
        """How messages name the game: seed, scenario, and the options that are not the usual ones."""
        usual = {option.name: option.default for option in self.prepared.installed.manifest.options}
        told = [f"{name}={value}" for name, value in self.prepared.options.items() if value != usual[name]]
        return f"game {self.played.seed} ({', '.join([self.prepared.scenario.id, *told])})"

    def dice(self) -> KeyedDice:
        """Return the dice that the game was played with."""
        return KeyedDice(key_from_seed(self.played.seed))

    def stream(self, purpose: str) -> Stream:
        """Return random numbers for a check, the same for the same game and purpose."""
        return Stream.for_player(key_from_seed(self.played.seed), f"contract/{purpose}")

    def new_game(self) -> Game:
        """Return the game anew, not started."""
        return self.prepared.new_game(self.dice())

    def replay(self) -> Iterator["Turning"]:
        """Play the game again, stopping at each decision; the order is given when the caller goes on."""
        game = self.new_game()
        game.start()
        for seat, order, _ in self.played.given:
            decision = next((each for each in game.waiting() if each.seat == seat), None)
            if decision is None:
                raise self.other_course(game, f"{seat} is not asked")
            yield Turning(game, decision, order)
            try:
                game.submit(order, seat)
            except IllegalOrder as error:
                raise self.other_course(game, f"{order} is refused: {error}") from error

    def other_course(self, game: Game, problem: str) -> FaultError:
        """Return what is said where the game, played again, does not go as it went."""
        return FaultError(
            f"{self.name}: played again by the same orders and dice it goes otherwise after record {game.number}: "
            f"{problem}: the rules look at a clock, or keep something outside the state"
        )


class Turning(NamedTuple):
    """A game that waits for ``decision``, and the order that was given in it."""

    game: Game
    decision: Decision
    order: Order

    @property
    def place(self) -> str:
        """Where this is, for a message."""
        return f"record {self.game.number + 1}: {self.decision.seat} is asked to {self.decision.prompt!r}"


@dataclass
class Harness:
    """A ruleset under test: ``games`` games of it are played from ``seed``, each ``bound`` records at most.

    With ``scenario``, an id, the path of a file or a scenario as read, only that one is looked at. ``pairs`` is how
    many pairs of worlds each check of secrets compares, about. ``stopped`` is the check in which the rules stood still,
    ``crashes`` those that were told of: by place the check.
    """

    installed: Installed
    games: int = 20
    seed: str = "contract"
    bound: int = MOST_RECORDS
    scenario: str | Scenario = ""
    pairs: int = 60
    stopped: str = ""
    crashes: dict[str, str] = field(default_factory=dict, repr=False)
    _trials: list[Trial] = field(default_factory=list, repr=False)

    @cached_property
    def usual_settings(self) -> tuple[Prepared, ...]:
        """Every scenario with the usual options."""
        names: tuple[str | Scenario, ...] = (self.scenario,) if self.scenario else self.installed.scenario_ids()
        return tuple(self.installed.prepare(name) for name in names)

    @cached_property
    def settings(self) -> tuple[Prepared, ...]:
        """Every scenario with the usual options, and the usual scenario with each other value of an option."""
        found, usual = list(self.usual_settings), self.usual_settings[0].scenario
        for option in self.installed.manifest.options:
            found += [self.installed.prepare(usual, {option.name: value}) for value in option.values[1:]]
        return tuple(found)

    @cached_property
    def played_settings(self) -> tuple[Prepared, ...]:
        """The settings but those that are declared endless: random games of such need not come to an end."""
        endless = {option.name: option.endless for option in self.installed.manifest.options}
        found = tuple(
            prepared
            for prepared in self.settings
            if not prepared.scenario.data["scenario"].get("endless")
            and not any(value in endless[name] for name, value in prepared.options.items())
        )
        if not found:
            raise FaultError("every setting is declared endless: one scenario at least must come to an end by itself")
        return found

    @property
    def trials(self) -> list[Trial]:
        """All games, however they went; the settings in turn. Behind one that is endless no more are played."""
        while len(self._trials) < self.games and not self.is_endless:
            self._trials.append(self.play(len(self._trials)))
        return self._trials

    @property
    def is_endless(self) -> bool:
        """Whether the last game that was played has no end."""
        return bool(self._trials) and self._trials[-1].played.verdict == ENDLESS

    def play(self, number: int) -> Trial:
        """Return game ``number``, played."""
        prepared = self.played_settings[number % len(self.played_settings)]
        return Trial(prepared, fuzz_game(prepared, f"{self.seed}/{number}", bound=self.bound))

    def whole(self, most: int = 1_000_000) -> list[Trial]:
        """Return the games that came to an end, ``most`` of them; raises NothingToJudgeError when none did."""
        ended = [trial for trial in self.trials if trial.played.ended]
        if not ended:
            raise NothingToJudgeError(
                "no game came to an end, so there is nothing to judge by: see the check games_end"
            )
        return ended[:most]

    @cached_property
    def rule_ids(self) -> frozenset[str]:
        """The ids of the rule index; empty when the ruleset has none."""
        return frozenset(row.id for row in self.installed.hook.ruleset_index() or ())


def installed_from(ruleset: Installed | ModuleType) -> Installed:
    """Return ``ruleset`` as the plugin manager would load it, under the id of its manifest."""
    if isinstance(ruleset, Installed):
        return ruleset
    adopt(ruleset)
    return Installed(ruleset.ruleset_manifest().id, ruleset, str(ruleset.__file__))


def listed(options: Space, most: int) -> list[Any] | None:
    """Return all values of ``options``; None when there are more than ``most``, or looking would not find them all.

    A form is listed by trying out all that its fields allow: where its last word refuses most of that, a list of three
    may take a million tries.
    """
    if _tries(options) > MOST_TRIES or not _lists_all(options):
        return None
    values = list(islice(options.values(), most + 1))
    return values if len(values) <= most else None


def _lists_all(options: Space) -> bool:
    fields = options.fields.values() if isinstance(options, Form) else ()
    return options.lists_all and all(field.lists_all for field in fields if isinstance(field, Space))


def _tries(options: Space) -> int:
    """Return how many values must be tried to list ``options``, as far as can be told."""
    if isinstance(options, Form):
        spaces = [field for field in options.fields.values() if isinstance(field, Space)]
        return prod(map(_tries, spaces)) if options.also else 1
    if isinstance(options, OneForEach):
        return prod(map(_tries, options.spaces.values()))
    if isinstance(options, AnyOf):
        return sum(map(_tries, options.spaces))
    return options.count(MOST_TRIES + 1) if isinstance(options, OneOf | Range | ShareOut | SomeOf) else 1


def parting(a: Any, b: Any) -> str:
    """Return where two plain values that are not the same part, as "path: one, not the other"."""
    one, other = msgspec.to_builtins(settled(a)), msgspec.to_builtins(settled(b))
    for where, left, right in differences(one, other):
        return f"{where or 'it'}: {left}, not {right}"
    return next(_other_orders(one, other, ""), "nowhere that can be told")


def _other_orders(a: Any, b: Any, where: str) -> Iterator[str]:
    """Yield each place where two equal values differ by the order of their keys."""
    if isinstance(a, dict):
        if list(a) != list(b):
            yield f"{where or 'it'}: keys {', '.join(a)}, not {', '.join(b)}"
        for key in a:
            yield from _other_orders(a[key], b[key], f"{where}.{key}" if where else str(key))
    elif isinstance(a, list | tuple):
        for place, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from _other_orders(left, right, f"{where}[{place}]")
