"""Two games that differ only in strengths: the other side sees no difference until a rule reveals it (DM-2.4c).

Positions, orders and dice are random. The games are played in step until an event reveals strengths by the rules:
totals in a combat, losses of attrition, the side with stronger mobile units, a unit without strength.
"""

from dataclasses import replace
from itertools import islice, pairwise, zip_longest
from typing import Any

import msgspec
import pytest
from tests.plugins.damos.positions import GERMAN, SOVIET, shipped
from tests.plugins.damos.scattered import OTHER, scattered

from damos.fog.views import view
from damos.model import events
from damos.model.state import ON_MAP, DamosState
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.testing.mutants import mutants_of

pytestmark = pytest.mark.full

OPENING = (
    events.ReactionRolled,  # +1 for the stronger mobile units (DM-2.6.1n)
    events.CombatResolved,
    events.DefenderOverwhelmed,
    events.CounterattackResolved,
    events.AttritionRolled,
    events.UnitsEliminated,
)
"""The events that may reveal strengths. Two such games may differ only after one of them."""
MAX_UNITS = 90
MAX_STEPS, MAX_LISTED, TRIES = 60, 60, 30


class Parted(Exception):
    """Raised when the games differ, as the rules allow."""


class Pair:
    """Two games in step. ``hider`` is the side whose strengths differ."""

    def __init__(
        self, seed: int, hider: str, phase: str, options: dict[str, str] | None = None, *, keep_totals: bool = False
    ) -> None:
        self.hider, self.observer = hider, OTHER[hider]
        self.stream = Stream(b"pair %d" % seed)
        chosen = options or {}
        self.prepared = shipped("agc", tuple(sorted(chosen.items())))
        self.kinds: list[str] = []
        first, second = (scattered(seed, most=MAX_UNITS, **chosen) for _ in range(2))
        for state in (first, second):
            begin(state, phase)
        redraw(second, hider, self.stream, keep_totals=keep_totals)
        dice = [KeyedDice(key_from_seed(f"pair {seed}")) for _ in range(2)]
        ruleset = self.prepared.ruleset
        self.games = (Game(ruleset, first, dice[0]), Game(ruleset, second, dice[1]))
        self.compared = 0
        for game in self.games:
            game.start()

    def play(self) -> list[str]:
        """Play both games in step, and return the kinds of the orders that were given."""
        try:
            for _ in range(MAX_STEPS):
                self.compare()
                if self.games[0].is_over:
                    break
                self.step()
        except Parted:
            pass
        return self.kinds

    def step(self) -> None:
        """Answer a decision in both games."""
        decision = self.games[0].waiting()[0]
        other = next(each for each in self.games[1].waiting() if each.seat == decision.seat)
        order = self.draw(decision, other)
        self.kinds.append(f"{decision.seat} {type(order).__name__}")
        for game in self.games:
            game.submit(order, decision.seat)

    def draw(self, decision: Decision, other: Decision) -> Order:
        """Return an order that both games allow. The observer must have the same legal orders in both."""
        for _ in range(TRIES):
            order: Order = decision.options.sample(self.stream)
            if order == decision.done and not self.stream.one_in(4):
                continue
            refusal = other.options.why_not(order)
            if refusal is None:
                return order
            assert decision.seat == self.hider, (decision.prompt, order, refusal)
        if decision.done is not None:
            return decision.done
        raise Parted

    # --- comparing ---

    def compare(self) -> None:
        """Assert that the observer sees the same in both games."""
        self.compare_records()
        one, two = (view(game.state, self.observer) for game in self.games)  # type: ignore[arg-type]  # a State of this game
        assert msgspec.json.encode(one) == msgspec.json.encode(two)
        questions = [[each for each in game.waiting() if each.seat == self.observer] for game in self.games]
        assert [len(each) for each in questions] == [len(questions[0])] * 2
        assert [each.seat for each in self.games[0].waiting()] == [each.seat for each in self.games[1].waiting()]
        for first, second in zip(*questions, strict=True):
            assert answers(first, self.probes(first)) == answers(second, self.probes(first))

    def compare_records(self) -> None:
        """Raise Parted if the first difference is an event that reveals strengths."""
        news = [game.records[self.compared :] for game in self.games]
        for one, two in zip_longest(*news):
            seen = [each and seen_records([each], self.prepared, self.observer) for each in (one, two)]
            if seen[0] == seen[1]:
                continue
            if opens(one) or opens(two):
                raise Parted
            raise AssertionError((one, two))
        self.compared = len(self.games[0].records)

    def probes(self, decision: Decision) -> list[Any]:
        """Return orders, and small changes of them."""
        drawn = [decision.options.sample(Stream(b"probe %d" % number)) for number in range(3)]
        return [*drawn, *(mutant.value for each in drawn for mutant in islice(mutants_of(each), 8))]


def opens(record: Any) -> bool:
    """Return whether a record may reveal strengths: by its event, or by the number of dice in a combat (DM-2.4d)."""
    if isinstance(record, RollRecord):
        return "/combat." in record.label
    return isinstance(record, EventRecord) and isinstance(record.event, OPENING)


def answers(decision: Decision, probes: list[Any]) -> list[Any]:
    """Return everything that a decision shows."""
    listed = list(islice(decision.options.values(), MAX_LISTED))
    judged = [decision.options.why_not(each) for each in probes]
    sampled = decision.options.sample(Stream(b"answers"))
    return [decision.prompt, decision.rule, decision.done, decision.secret, listed, judged, sampled]


def begin(state: DamosState, phase: str) -> None:
    """Put a state at the beginning of a phase, with points saved."""
    state.position = [step.name for step in shipped("agc").ruleset.sequence.steps].index(phase)
    state.replacements = {GERMAN: 5, SOVIET: 8}


def redraw(state: DamosState, side: str, stream: Stream, *, keep_totals: bool) -> None:
    """Change the strengths of a side: each at random, or by shifting points within a hex."""
    by_hex: dict[str, list[str]] = {}
    for each, unit in sorted(state.units.items()):
        if unit.side == side and unit.standing == ON_MAP:
            by_hex.setdefault(unit.hex, []).append(each)
    printed = state.board.counters
    for units in by_hex.values():
        for each in () if keep_totals else units:
            state.units[each].sp = 1 + stream.below(printed[each].sp)
        for giver, taker in pairwise(units) if keep_totals else ():
            most = min(state.units[giver].sp - 1, printed[taker].sp - state.units[taker].sp)
            points = stream.below(most + 1)
            state.units[giver].sp -= points
            state.units[taker].sp += points


# ---------------------------------------------------------------------- tests

PHASES = ("german.reinforcement", "soviet.reinforcement", "german.strategic", "german.operations", "soviet.operations")


@pytest.mark.rule("DM-2.4c", "DM-2.4d")
@pytest.mark.parametrize("hider", [GERMAN, SOVIET])
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("keep_totals", [False, True])
def test_strengths_stay_hidden_until_a_rule_reveals_them(hider: str, phase: str, *, keep_totals: bool) -> None:
    for seed in range(2):
        Pair(seed, hider, phase, keep_totals=keep_totals).play()


@pytest.mark.rule("DM-2.4c", "DM-2.6.1c", "R-DM-02", "R-DM-03", "R-DM-25", "R-DM-48")
@pytest.mark.parametrize(
    "options",
    [
        {"zoi_force_sp": "zoi_units_only", "reaction_path": "any"},
        {"reaction_trigger_order": "end_of_move", "reaction_attempts": "one_per_hex_entered"},
        {"entry_order": "ap_before_react", "reaction_stack_subset": "all_or_none"},
        {"rebuild_eliminated": "full_only", "rp_absorb_limits": "per_player_turn"},
    ],
    ids=lambda options: "+".join(options.values()),
)
def test_strengths_stay_hidden_with_other_rulings(options: dict[str, str]) -> None:
    for seed, (hider, phase) in enumerate(((SOVIET, PHASES[3]), (GERMAN, PHASES[4]), (SOVIET, PHASES[1])), 900):
        Pair(seed, hider, phase, options).play()


@pytest.mark.rule("DM-2.4c")
def test_parallel_games_cover_seven_kinds_of_orders() -> None:
    """Without this, the tests above could pass because little happens."""
    found: set[str] = set()
    for seed in range(20, 30):
        found |= {kind.split()[1] for hider in OTHER for kind in Pair(seed, hider, PHASES[3], keep_totals=True).play()}
    assert {"React", "Decline", "PlanAttack", "TakeLosses", "Retreat", "Exploit", "AvoidCombat"} <= found


@pytest.mark.rule("DM-2.6.1c")
def test_a_zone_that_reveals_strength_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If reactions depended on the current strength instead of the printed strength, they would reveal it."""
    monkeypatch.setattr("damos.movement.reaction.replace", lambda trigger, **_: replace(trigger, printed=False))

    def notices(seed: int) -> bool:
        try:
            Pair(seed, SOVIET, PHASES[3]).play()
        except AssertionError:
            return True
        return False

    assert any(map(notices, range(60)))
