"""A case: a campaign with orders by side, loaded dice and results of battles, and queries of its events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
import pytest
from tests.plugins.axis_attack.positions import fielded

from axis_attack.model import events, orders
from axis_attack.model.cards import DEPLETED, LEVEL_TITLES, SIDES
from axis_attack.model.state import AirSupport, AxisState, Platoon, Purchase
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.options import AnyOf, Form, OneOf
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.result import PlatoonLosses, ReportBattle, Result
from sandtable.testing.loaded_dice import LoadedDice

E = TypeVar("E", bound=Event)
Answer = tuple[str, Order]
Fought = Callable[[Brief], Result]
Lay = Callable[..., "Case"]
GERMAN, SOVIET = SIDES
ENEMY = {GERMAN: SOVIET, SOVIET: GERMAN}
USUAL_FACES = {
    "weather": 1,
    "selection": 1,
    "roles:german": 6,
    "roles:soviet": 1,
    "choice:german": 6,
    "choice:soviet": 1,
    "reinforce": 1,
    "bailed": 1,
}
"""Faces of rolls without loaded dice, by the start of the purpose: clear weather, Germans win roll-offs."""
PATIENCE = 300


# --- answers ---


def claims(side: str, *platoons: str) -> Answer:
    return side, orders.ClaimRecon(list(platoons))


def adjusts(side: str, of: str, by: int) -> Answer:
    return side, orders.AdjustTotal(of, by)


def changes(side: str, mission: str) -> Answer:
    return side, orders.ChangeMission(mission)


def places(side: str, column: int, row: int) -> Answer:
    return side, orders.PlaceTable(column, row)


def shifts(side: str, east: int = 0, south: int = 0) -> Answer:
    return side, orders.ShiftTable(east, south)


def builds(side: str, force: str, **aircraft: str) -> Answer:
    """Return the order to build a company such as "pg1 pg 7 light_mortar=1; pg2 pg 5"."""
    wanted = {}
    for row in filter(None, map(str.strip, force.split(";"))):
        ident, kind, teams, *upgrades = row.split()
        bought = {name: int(number or 1) for name, _, number in (each.partition("=") for each in upgrades)}
        wanted[ident] = orders.Wanted(kind, int(teams), bought)
    return side, orders.BuildCompany(wanted, aircraft)


def concedes(side: str) -> Answer:
    return side, orders.Concede(True)


def chooses(
    side: str, force: str, extra: int = 0, buys: Purchase | None = None, air: AirSupport | None = None
) -> Answer:
    return side, orders.ChooseForce(fielded(force), extra, buys or Purchase(), air or AirSupport())


def breaks_through(side: str, sectors: int) -> Answer:
    return side, orders.ChooseBreakthrough(sectors)


def keeps(side: str, lowered: dict[str, int] | None = None, taken: dict[str, int] | None = None) -> Answer:
    return side, orders.KeepMobile(lowered or {}, taken or {})


def raises(side: str, *platoons: str) -> Answer:
    return side, orders.RaisePlatoons(list(platoons))


def assigns(side: str, bought: int = 0, **dice: int) -> Answer:
    return side, orders.AssignDice(bought, dice)


def exchanges(side: str, platoon: str, kind: str, teams: int) -> Answer:
    return side, orders.ExchangePlatoon(platoon, orders.Wanted(kind, teams))


# --- positions ---


def rolled(german: int, soviet: int) -> dict[str, str]:
    """Return the dice of a selection."""
    return {"selection:german": str(german), "selection:soviet": str(soviet)}


def ahead(*platoons: str) -> Callable[[AxisState], object]:
    """Return a tweak that puts reconnaissance platoons ahead."""
    return lambda state: setattr(state, "recon_ahead", list(platoons))


def sky(weather: str, mud: int = 0) -> Callable[[AxisState], None]:
    """Return a tweak that sets the last turn's weather and the mud."""

    def tweak(state: AxisState) -> None:
        state.weather, state.mud = weather, mud

    return tweak


def bound(state: AxisState) -> None:
    state.bound = GERMAN


# --- results of tables ---


def losses(text: str, gone: int) -> PlatoonLosses:
    """Read "2d 1r 3b 2t 1u 3:2": destroyed, routed, bailed, transports, upgrades, two teams exited in turn 3."""
    names = {"d": "destroyed", "r": "routed", "b": "bailed", "t": "transports", "u": "upgrades"}
    found: dict[str, Any] = {}
    exits = []
    for each in text.split():
        if each == "lost":
            found["lost"] = True
        elif ":" in each:
            turn, number = each.split(":")
            exits.append((int(turn), int(number)))
        else:
            found[names[each[-1]]] = int(each[:-1])
    if found.get("destroyed", 0) + found.get("routed", 0) == gone:
        found["lost"] = True
    return PlatoonLosses(**found, exited=tuple(exits))


def result(winner: str, score: str, *, recon: str = "", german: Any = None, soviet: Any = None, **more: Any) -> Fought:
    """Return a result: winner, points with the winner's first (in a draw the Germans'), and losses by platoon."""

    def fought(brief: Brief) -> Result:
        first, second = map(int, score.split("-"))
        sides = (SOVIET, GERMAN) if winner == SOVIET else SIDES
        lost = {GERMAN: german or {}, SOVIET: soviet or {}}
        platoons = {
            side: {name: losses(text, brief.platoons(side)[name].fielded) for name, text in rows.items()}
            for side, rows in lost.items()
            if rows
        }
        points = dict(zip(sides, (first, second), strict=True))
        return Result(winner, points, platoons, recon_ahead=tuple(recon.split()), **more)

    return fought


def concession(side: str) -> Fought:
    return lambda _: Result(ENEMY[side], conceded=side)


# --- dice ---


class TableDice(LoadedDice):
    """Loaded dice by purpose: ``{"selection:german": "3", "reinforce:german:pg1": "5+2"}``."""

    def __init__(self, loaded: Mapping[str, str]) -> None:
        super().__init__(
            by={p: [tuple(map(int, roll.split("+"))) for roll in faces.split()] for p, faces in loaded.items()}
        )

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        purpose = label.split("/")[-2]
        usual = next((face for start, face in USUAL_FACES.items() if purpose.startswith(start)), 0)
        if usual and not self._queue_for(label):
            return (usual,) * count
        return super().roll(label, count, sides)


# --- the case ---


def accepted_kinds(decision: Decision) -> list[type[Order]]:
    """Return the types of orders that a decision accepts."""
    space = decision.options
    found: list[type[Order]] = []
    for each in space.spaces if isinstance(space, AnyOf) else [space]:
        if isinstance(each, Form):
            found.append(each.order)
        elif isinstance(each, OneOf):
            found += [type(value) for value in each.of]
        else:
            first = next(iter(each.values()), decision.done)
            found += [type(first)] if first is not None else []
    return list(dict.fromkeys(found))


QUIET: tuple[Order, ...] = (
    orders.ClaimRecon([]),
    orders.AdjustTotal(),
    orders.ChangeMission(),
    orders.PlaceTable(0, 0),
    orders.ShiftTable(),
    orders.Concede(False),
    orders.ChooseBreakthrough(1),
    orders.KeepMobile(),
    orders.RaisePlatoons([]),
    orders.AssignDice(0, {}),
    orders.ExchangePlatoon(),
)


class Case:
    """A campaign that is played from a position, with orders and results given in advance."""

    def __init__(self, rules: Ruleset, state: AxisState, dice: TableDice) -> None:
        self.dice = dice
        self.game = Game(rules, state, dice)
        self.game.start()
        self.turn = max(1, self.state.turn)  # a set-up continues into the first turn
        self.battles: list[Fought] = []
        self.left: list[Answer] = []

    # --- state and events ---

    @property
    def state(self) -> AxisState:
        state = self.game.state
        assert isinstance(state, AxisState)
        return state

    def platoon(self, name: str) -> Platoon:
        return next(roster[name] for roster in self.state.rosters.values() if name in roster)

    def level(self, *platoons: str) -> str:
        """Return the levels of platoons in words: "gutted, full strength"."""
        return ", ".join(LEVEL_TITLES[self.platoon(name).level] for name in platoons)

    def immobile(self) -> list[str]:
        return sorted(name for roster in self.state.rosters.values() for name, each in roster.items() if each.immobile)

    def balance(self) -> tuple[int, int]:
        return self.state.balance[GERMAN], self.state.balance[SOVIET]

    def roles(self) -> tuple[str, str, str]:
        return self.state.mission, self.state.attacker, self.state.defender

    def happened(self, *, later: bool = False) -> list[Event]:
        """Return the events up to the close of the turn, or all with ``later``."""
        found: list[Event] = []
        for record in self.game.records:
            if isinstance(record, EventRecord):
                found.append(record.event)
                if isinstance(record.event, events.TurnClosed) and not later:
                    break
        return found

    def events(self, kind: type[E], *, later: bool = False, **facts: Any) -> list[E]:
        """Return the events of a type with these values, up to the close of the turn."""
        found = [event for event in self.happened(later=later) if isinstance(event, kind)]
        return [event for event in found if all(getattr(event, name) == value for name, value in facts.items())]

    def one(self, kind: type[E], **facts: Any) -> E:
        found = self.events(kind, **facts)
        assert len(found) == 1, str(found) or str(self.happened())
        return found[0]

    def rolls(self, start: str) -> list[tuple[int, ...]]:
        records = [each for each in self.game.records if isinstance(each, RollRecord)]
        return [tuple(each.dice) for each in records if each.label.split("/")[-2].startswith(start)]

    def ended(self) -> tuple[str, str]:
        """Return outcome and ending."""
        assert self.game.is_over
        assert any(isinstance(each, GameEnded) for each in self.happened(later=True))
        return self.state.outcome, self.state.ending

    # --- the table ---

    def brief(self) -> Brief:
        return self.one(events.BattleBriefed).brief

    def words(self, side: str = "") -> str:
        """Return all notes of the brief, and those for a side, in lower case."""
        brief = self.brief()
        party = brief.parties[side].notes if side else ()
        return " | ".join((*brief.effects, *brief.notes, *party)).lower()

    def modifiers(self, side: str) -> int:
        return sum(value for _, value in self.one(events.SelectionRolled).modifiers[side])

    def totals(self) -> tuple[int, int]:
        rolled = self.one(events.SelectionRolled).totals
        return rolled[GERMAN], rolled[SOVIET]

    # --- decisions ---

    @property
    def pending(self) -> list[Decision]:
        return list(self.game.waiting())

    def decision(self, side: str, kind: type[Order] | None = None) -> Decision:
        found = [each for each in self.pending if each.side == side and (kind is None or kind in accepted_kinds(each))]
        assert found, f"no decision of {side} expects {kind}: {[(e.side, accepted_kinds(e)) for e in self.pending]}"
        return found[0]

    def expects(self, kind: type[Order], side: str = "") -> bool:
        return any(kind in accepted_kinds(each) and side in {"", each.side} for each in self.pending)

    # --- orders ---

    def play(self, *answers: Answer | Fought, until: type[Order] | None = None, by: str = "") -> Case:
        """Answer decisions until the turn is over, or until side ``by`` is to give an order of type ``until``.

        Other decisions get a quiet order. All given answers must be used.
        """
        self.left += [each for each in answers if isinstance(each, tuple)]
        self.battles += [each for each in answers if not isinstance(each, tuple)]
        for _ in range(PATIENCE):
            if self.game.is_over or self.state.turn > self.turn:
                break
            if until is not None and self.expects(until, by) and not self.is_given(until):
                return self
            decision = self.pending[0]
            self.game.submit(self.answer(decision), decision.seat)
        assert until is None, f"no decision expected {until}"
        assert not self.left, f"no decision expected {self.left}"
        assert not self.battles, "more results were given than battles fought"
        return self

    def next_turn(self) -> Case:
        """Continue with the turn that has begun."""
        self.turn = self.state.turn
        return self

    def is_given(self, kind: type[Order]) -> bool:
        return any(
            side == each.side and type(order) in accepted_kinds(each) and type(order) is kind
            for each in self.pending
            for side, order in self.left
        )

    def answer(self, decision: Decision) -> Order:
        kinds = accepted_kinds(decision)
        for place, (side, order) in enumerate(self.left):
            if side == decision.side and type(order) in kinds:
                return self.left.pop(place)[1]
        if ReportBattle in kinds:
            results = results_in(decision.options)
            assert results is not None
            fought = self.battles.pop(0) if self.battles else result(GERMAN, "4-3")
            return ReportBattle(results.brief.id, fought(results.brief))
        if orders.ChooseForce in kinds:
            return self.usual_force(decision)
        for order in QUIET:
            if type(order) in kinds and decision.options.is_legal(order):
                return order
        if decision.done is not None:
            return decision.done
        found: Order = next(iter(decision.options.values()))
        return found

    def usual_force(self, decision: Decision) -> Order:
        """Return a force of two combat platoons at their smallest size, or any legal order."""
        side, board = decision.side, self.state.board
        fit = [
            (name, board.type_of(side, each.type))
            for name, each in self.state.rosters[side].items()
            if each.level >= DEPLETED and board.type_of(side, each.type).slot == "combat"
        ]
        order = orders.ChooseForce(fielded("; ".join(f"{name} {kind.sizes[0].teams}" for name, kind in fit[:2])))
        if decision.options.is_legal(order):
            return order
        found: Order = decision.done if decision.done is not None else next(iter(decision.options.values()))
        return found

    # --- refusals ---

    def why_not(self, answer: Answer) -> str:
        """Return the rule against an answer to the pending decision, or "" if it is legal."""
        side, order = answer
        refusal = self.decision(side).options.why_not(order)
        if refusal is None:
            return ""
        assert refusal.reason
        assert refusal.rule, refusal.reason
        return refusal.rule

    def allows(self, answer: Answer) -> bool:
        return self.why_not(answer) == ""

    def rejects(self, answer: Answer) -> str:
        """Submit an illegal order, check that nothing changes, and return its rule."""
        side, order = answer
        before, number = msgspec.msgpack.encode(self.state), self.game.number
        with pytest.raises(IllegalOrder) as caught:
            self.game.submit(order, side)
        assert msgspec.msgpack.encode(self.state) == before
        assert self.game.number == number
        return caught.value.rule
