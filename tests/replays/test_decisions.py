"""The decision behind every roll of the recorded games, compared with branches and with the rules of each game."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from sandtable.journal.branching.branch import Original, branch, original
from sandtable.journal.branching.causes import is_choice, orders_behind
from sandtable.journal.branching.changes import Changes
from sandtable.journal.branching.influence import Led, led_to, result_of
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import effective, prepare_for, read_records
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.events import TurnBegan
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import label_of
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Rulesets

REPLAYS = Path(__file__).parents[2] / "replays"
LOGS = sorted(path.relative_to(REPLAYS).as_posix() for path in REPLAYS.glob("*/*.jsonl"))
GAMES = [each for each in LOGS if not each.startswith("disputes/")]
KEYED = [each for each in LOGS if each != "disputes/crashed.jsonl"]
"""Logs that show their dice key. A branch requires it for new rolls."""
FEW = 12
"""Number of rolls of each game that the full set looks at; the slow set looks at all."""


class Decisions:
    """The decisions behind the rolls of a recorded game."""

    def __init__(self, log: Log) -> None:
        prepared = prepare_for(log, Rulesets())
        records = read_records(log, prepared.ruleset)
        self.of: Original = original(prepared, log, records, dice_of(log, records))
        self.known = effective(records)
        self.rolls = [each for each in self.known if isinstance(each, RollRecord)]
        self.sides = frozenset((*prepared.ruleset.seats, *prepared.ruleset.viewers))
        turn, self.turns = 0, dict[int, int]()
        for each in self.known:
            event = getattr(each, "event", None)
            turn = event.turn if isinstance(event, TurnBegan) else turn
            self.turns[each.n] = turn

    def of_record(self, record: Any) -> list[Led]:
        """Return the orders that led to ``record``."""
        known = [each for each in self.known if each.n <= record.n]
        where = {each.n: (self.turns[each.n], "") for each in known}
        first = next(each.n for each in known if self.turns[each.n] == self.turns[record.n])
        named = orders_behind(known, where, self.sides)
        return led_to(self.of.game, known, named, first, result_of(self.known, record), self.of.key)

    def event_after(self, record: Any) -> Any:
        """Return the event that is the result of a roll."""
        return result_of(self.known, record)

    def last_choice(self, record: Any) -> Any:
        """Return the last order that a player chose before ``record``."""
        return [each for each in self.known if is_choice(each) and each.n < record.n][-1]


class RecordedAnswersUsedUp(Exception):
    """All orders up to a record were given in a branch."""


def fill_for(found: Decisions, replaced: Any, roll: RollRecord, seed: int) -> Callable[[Game, Decision], Order]:
    """Return answers to questions that the recorded game lacks: its next legal order, or a random one.

    The replaced order is given again if its seat must decide again at once. The answers end with the recorded orders.
    """
    stream = Stream(key_from_seed(f"oracle {seed}"))
    orders = [each for each in found.known if is_choice(each) and replaced.n < each.n < roll.n]
    first = sum(is_choice(each) and each.n <= replaced.n for each in found.known)

    def fill(game: Game, decision: Decision) -> Order:
        since = [each for each in game.trail if is_choice(each)][first:]
        given = [each.order for each in since]
        left = [each for each in orders if each.order not in given]
        again = [replaced] if not since and not replaced.missing else []
        place = label_of(game.question_of(decision)).rpartition("/")[0]
        alike = [each for each in left if each.asked.startswith(f"{place}/")]
        for each in (*alike, *again):
            if each.by == decision.seat and decision.why_not(each.order) is None:
                order: Order = each.order
                return order
        if not left:
            raise RecordedAnswersUsedUp(game)
        drawn: Order = decision.options.sample(stream)
        return drawn

    return fill


def is_same_in_branch(found: Decisions, led: Led, roll: RollRecord, seed: int) -> bool:
    """Return whether ``roll`` and its result happen in a branch, too, in which another order was given."""
    changes = Changes(orders={led.order.n: led.instead})
    of = structs.replace(found.of, kept=[each for each in found.known if each.n <= roll.n])
    try:
        game = branch(of, changes, fill_for(found, led.order, roll, seed), until=roll.n + 100).game
    except RecordedAnswersUsedUp as end:
        game = end.args[0]
    twin = next((each for each in game.trail if isinstance(each, RollRecord) and each.label == roll.label), None)
    if twin is None or (twin.sides, twin.dice, twin.needs) != (roll.sides, roll.dice, roll.needs):
        return False
    result = found.event_after(roll)
    return twin.units == roll.units and (result is None or result_of(game.trail, twin) == result)


def check_rolls(name: str, step: Callable[[int], int]) -> None:
    """Check that every order behind a roll changes that roll in a branch in which another order is given."""
    found = Decisions(read_log(REPLAYS / name))
    tested = 0
    for roll in found.rolls[:: step(len(found.rolls))]:
        for led in found.of_record(roll):
            if led.instead is not None:
                tested += 1
                same = sum(is_same_in_branch(found, led, roll, seed) for seed in range(3))
                assert same < 2, f"{roll.label}: record {led.order.n} did not lead to it"
    assert tested or len(found.rolls) < FEW


@pytest.mark.full
@pytest.mark.parametrize("name", GAMES)
def test_order_behind_a_roll_changes_it_in_a_branch(name: str) -> None:
    check_rolls(name, lambda count: max(1, count // FEW))


@pytest.mark.slow
@pytest.mark.parametrize("name", KEYED)
def test_order_behind_each_roll_changes_it_in_a_branch(name: str) -> None:
    check_rolls(name, lambda _: 1)


def last_of(found: Decisions, record: Any) -> Any:
    """Return the last decision behind ``record``, or None."""
    behind = found.of_record(record)
    return behind[-1] if behind else None


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in GAMES if each.startswith("kampfpanzer/")])
def test_fire_follows_from_the_plots_or_groups_of_its_firers(name: str) -> None:
    """KP-4.1c: no other fire of the phase decides it: fire is plotted and grouped before any die falls."""
    found = Decisions(read_log(REPLAYS / name))
    for roll in found.rolls:
        fired = found.event_after(roll)
        if type(fired).__name__ != "FireResolved" or fired.opportunity:
            continue
        grouped = [each for each in found.known if type(getattr(each, "order", None)).__name__ == "GroupFire"]
        turn = [each for each in grouped if found.turns[each.n] == found.turns[roll.n] and each.n < roll.n]
        mine = [each for each in turn if any(sorted(fired.firers) == sorted(group) for group in each.order.groups)]
        behind = found.of_record(roll)
        orders = {each.order.n for each in behind}
        assert not orders & {each.n for each in turn if each not in mine}, roll.label
        assert not mine or orders & {each.n for each in mine}, roll.label
        if not mine:
            lines = {line for each in behind for line in each.lines}
            assert lines & set(fired.firers), roll.label


@pytest.mark.full
@pytest.mark.parametrize("name", [each for each in GAMES if each.startswith("axis_attack/")])
def test_casualties_follow_from_the_report_of_the_battle(name: str) -> None:
    """AOA-10.02: the level of a platoon follows from the teams that the report counts, not from the forces."""
    found = Decisions(read_log(REPLAYS / name))
    assessed = [each for each in found.known if type(getattr(each, "event", None)).__name__ == "StrengthAssessed"]
    assert assessed
    for each in assessed[::3]:
        assert type(last_of(found, each).order.order).__name__ in {"ReportBattle", "Concede"}


@pytest.mark.full
@pytest.mark.parametrize("name", [each for each in GAMES if each.startswith("desert_aa/")])
def test_later_round_of_combat_follows_from_pressing_on(name: str) -> None:
    """DAA-17.04: the attacker of a zone decides after each round; all moves of the turn come before that."""
    found = Decisions(read_log(REPLAYS / name))
    tested = 0
    for each in found.rolls:
        choice = found.last_choice(each)
        zone = each.label.split("/")[2].partition(".")[2]
        if type(choice.order).__name__ == "PressOn" and choice.asked.split("/")[2] == f"press_on.{zone}":
            tested += 1
            assert last_of(found, each).order is choice
    assert tested
