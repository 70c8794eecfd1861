"""A case at the umpire's desk: orders in, dice as they are told, results of tables, and what has happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
import pytest
from tests.plugins.khamsin.positions import dice_for, sheet, single, uses_of

from khamsin.model import battle_events, events, orders
from khamsin.model.state import Fielded, Formation, KhamsinState
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.events import Event
from sandtable.kernel.options import AnyOf, Form, OneOf
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.plugin.manager import Prepared
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.result import Attrition, ReportBattle, Result
from sandtable.testing.loaded_dice import LoadedDice

E = TypeVar("E", bound=Event)
Answer = tuple[str, Order]
Fought = Callable[[Brief], Result]
AXIS, ALLIES = SIDES = ("axis", "allies")
SHARED = ("activation:", "leaders:")
"""Beginnings of the purposes of rolls for many at once."""
USUAL_FACES = {"weather": 6, "mission": 1, "type": 1, "engagement": 1, "recovery": 1}
"""What falls where nothing is told, by the beginning of the purpose: good weather, the first mission, no recovery."""


# --- answers ---


def fighting(side: str) -> Answer:
    """Withdraw fighting with the force of a side."""
    return side, orders.Withdraw("fighting")


def leaves(side: str, how: str, *formations: str, rest: str = "stand", **more: str) -> Answer:
    """Withdraw formations of a side by themselves: ``leaves("axis", "precipitous", "15_pz_div")``."""
    return side, orders.Withdraw(rest, dict.fromkeys(formations, how), **more)


def let_go(side: str, *, allowed: bool = True) -> Answer:
    return side, orders.LetGo(allowed)


def company(text: str) -> Fielded:
    formation, kind = text.split()
    return Fielded(formation, kind)


def field(side: str, *companies: str | Fielded) -> Answer:
    """Field a company for each action: ``field("axis", "15_pz_div panzer", "15_pz_div panzer_grenadier")``."""
    return side, orders.FieldCompanies([company(each) if isinstance(each, str) else each for each in companies])


def retreats(side: str, **areas: str) -> Answer:
    return side, orders.RetreatTo({name.removeprefix("f"): area for name, area in areas.items()})


def advances(side: str, **areas: str) -> Answer:
    return side, orders.Advance({name.removeprefix("f"): area for name, area in areas.items()})


def mode(name: str) -> tuple[Answer, Answer]:
    """Both sides agree how to fight."""
    return (AXIS, orders.ProposeMode(name)), (ALLIES, orders.ProposeMode(name))


def actions(number: int) -> Answer:
    return UMPIRE, orders.SetActions(number)


def share(side: str, **shares: str) -> Answer:
    """Allocate replacements: ``share("axis", f15_pz_div="2/1", f21_pz_div="1/0 moving")``."""
    found = {}
    for name, text in shares.items():
        points, _, moving = text.partition(" ")
        armor, general = points.split("/")
        found[name.removeprefix("f")] = orders.Share(int(armor), int(general), bool(moving))
    return side, orders.Allocate(found)


# --- results of tables ---


def short(text: str) -> Attrition:
    armor, general = text.split("/")
    return Attrition(int(armor), int(general))


def result(winner: str, score: str, axis: str = "0/0", allies: str = "0/0", **more: Any) -> Fought:
    """Return a result in short: who won, the winner's points first, attrition as armor/general of each side."""
    first, second = map(int, score.split("-"))

    def fought(brief: Brief) -> Result:
        points = dict(zip(SIDES, (first, second) if winner in {AXIS, "draw"} else (second, first), strict=True))
        lost = {
            side: {brief.parties[side].companies[0].parent: short(text)}
            for side, text in ((AXIS, axis), (ALLIES, allies))
            if text != "0/0"
        }
        return Result(winner, points, short=lost, **more)

    return fought


def losses(winner: str, score: str, *, axis: Any = None, allies: Any = None, **more: Any) -> Fought:
    """Return a result platoon by platoon: of each side, losses by place of the platoon among those of a kind.

    ``axis={"afv.0": PlatoonLosses(destroyed=2)}`` is the first armoured platoon.
    """

    def fought(brief: Brief) -> Result:
        found = result(winner, score)(brief)
        platoons = {}
        for side, told in ((AXIS, axis or {}), (ALLIES, allies or {})):
            by_kind: dict[str, list[str]] = {}
            for ident, platoon in brief.platoons(side).items():
                by_kind.setdefault("independent" if platoon.independent else platoon.kind, []).append(ident)
            platoons[side] = {by_kind[key.split(".")[0]][int(key.split(".")[1])]: lost for key, lost in told.items()}
        return msgspec.structs.replace(found, platoons={s: p for s, p in platoons.items() if p}, **more)

    return fought


# --- dice ---


class TableDice(LoadedDice):
    """Dice told by purpose: ``{"activation:15_pz_div": "3 5", "precipitous:*": "3+5"}``."""

    def __init__(self, told: Mapping[str, str]) -> None:
        super().__init__(
            by={p: [tuple(map(int, roll.split("+"))) for roll in faces.split()] for p, faces in told.items()}
        )
        self.state: Callable[[], KhamsinState]

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        purpose = label.split("/")[-2]
        uses = uses_of(purpose)
        if uses is not None:
            return tuple(
                face for use, number in uses for face in self._used(label.replace(purpose, use), number, sides)
            )
        shared = dice_for(self.state(), purpose, count) if purpose.startswith(SHARED) else None
        if shared is not None:
            return tuple(self._own(label.replace(purpose, each), sides) if each else 1 for each in shared)
        usual = next((face for start, face in USUAL_FACES.items() if purpose.startswith(start)), 0)
        if usual and not self._queue_for(label):
            return (usual,) * count
        return super().roll(label, count, sides)

    def _used(self, label: str, count: int, sides: int) -> tuple[int, ...]:
        """Return some dice of a side's roll; those that may prove needless need not be foreseen."""
        if not self._queue_for(label):
            return (USUAL_FACES.get(label.split("/")[-2].partition(":")[0], 6),) * count
        return super().roll(label, count, sides) or ()

    def _own(self, label: str, sides: int) -> int:
        """Return one die of a roll for many; what may befall a leader need not be foreseen."""
        if "activation:" not in label and not self._queue_for(label):
            return 6
        (face,) = super().roll(label, 1, sides) or (0,)
        return face


# --- the case ---


def kinds_wanted(decision: Decision) -> list[type[Order]]:
    """Return the types of order that a decision may be answered by."""
    space = decision.options
    spaces = space.spaces if isinstance(space, AnyOf) else [space]
    found: list[type[Order]] = []
    for each in spaces:
        if isinstance(each, Form):
            found.append(each.order)
        elif isinstance(each, OneOf):
            found += [type(value) for value in each.of]
    return found


EMPTY: tuple[Order, ...] = (
    orders.WriteOrders(),
    orders.EnterBy(),
    orders.Allocate(),
    orders.Withdraw(),
    orders.LetGo(False),
    orders.ProposeMode("ordinary"),
    orders.Advance(),
    orders.SetActions(1),
)


class Case:
    """A campaign at the umpire's desk."""

    def __init__(self, prepared: Prepared, state: KhamsinState, dice: TableDice) -> None:
        self.prepared = prepared
        self.dice = dice
        dice.state = lambda: self.state
        self.game = Game(prepared.ruleset, state, dice)
        self.game.start()
        self.since = 0
        self.battles: list[Fought] = []
        self.left: list[Answer] = []

    # --- what there is ---

    @property
    def state(self) -> KhamsinState:
        state = self.game.state
        assert isinstance(state, KhamsinState)
        return state

    def __getitem__(self, formation: str) -> Formation:
        return self.state.formations[formation]

    def at(self, *pieces: str) -> str:
        """Return where pieces are, in one string: "gambut sollum", "-" for off the map."""
        pool: dict[str, Any] = {**self.state.formations, **self.state.leaders}
        return " ".join(pool[each].area or "-" for each in pieces)

    def ledger(self, formation: str) -> tuple[int, int]:
        """Return the armor and general attrition of a formation."""
        return self[formation].armor, self[formation].general

    def control(self, *areas: str) -> str:
        return " ".join(self.state.control[area] for area in areas)

    def happened(self) -> list[Event]:
        return single(each.event for each in list(self.game.records)[self.since :] if isinstance(each, EventRecord))

    def events(self, kind: type[E], **facts: Any) -> list[E]:
        """Return the events of a type since the newest orders, those with these facts."""
        found = [event for event in self.happened() if isinstance(event, kind)]
        return [event for event in found if all(getattr(event, name) == value for name, value in facts.items())]

    def one(self, kind: type[E], **facts: Any) -> E:
        found = self.events(kind, **facts)
        told = [type(event).__name__ for event in self.happened()]
        assert len(found) == 1, (found, told)
        return found[0]

    def rolls(self, start: str) -> list[tuple[int, ...]]:
        """Return what fell for purposes that begin so; of the dice for activation, those that somebody needed."""
        if start == "activation":
            return [(each.die,) for each in self.events(events.ActivationRolled)]
        records = [each for each in list(self.game.records)[self.since :] if isinstance(each, RollRecord)]
        return [tuple(each.dice) for each in records if each.label.split("/")[-2].startswith(start)]

    def found(self) -> list[str]:
        """Return the engagements found this turn, by id."""
        return [each.engagement for each in self.events(battle_events.EngagementFound)]

    def briefs(self) -> list[Brief]:
        return [each.brief for each in self.events(battle_events.BattleBriefed)]

    def brief(self) -> Brief:
        """Return the brief for which a result is wanted now."""
        results = results_in(self.asked[0].options)
        assert results is not None
        return results.brief

    @property
    def mission(self) -> str:
        return self.one(battle_events.MissionSet).mission

    @property
    def asked(self) -> list[Decision]:
        return list(self.game.waiting())

    def decision(self, side: str) -> Decision:
        return next(each for each in self.asked if each.side == side)

    def asks(self, kind: type[Order], side: str = "") -> bool:
        """Tell whether such an order is wanted now (of that side)."""
        return any(kind in kinds_wanted(each) and side in {"", each.side} for each in self.asked)

    # --- what is done ---

    def turn(
        self, *answers: Answer | Fought, axis: str = "", allies: str = "", until: type[Order] | None = None
    ) -> Case:
        """Hand in both sides' orders and play to the next ones (or until such an answer is wanted).

        ``answers`` are orders by side and results of tables, each used once, in their order; what is not told is
        answered by the least that can be.
        """
        assert self.asks(orders.WriteOrders), self.asked
        self.since = len(self.game.records)
        written = {AXIS: sheet(self.state, axis), ALLIES: sheet(self.state, allies)}
        turn, alone = self.state.turn, self.state.options["orders_by"] == "commander_in_chief"
        while self.asks(orders.WriteOrders) and self.state.turn == turn:
            decision = self.asked[0]
            own = [self.lines(decision, name) for name in ("moves", "leaders")]
            parts = [
                {piece: way for piece, way in all_of.items() if alone or piece in lines}
                for all_of, lines in zip(written[decision.side], own, strict=True)
            ]
            self.game.submit(orders.WriteOrders(parts[0], parts[1]), decision.seat)
        return self.play(*answers, until=until)

    @staticmethod
    def lines(decision: Decision, name: str) -> list[str]:
        """Return the pieces for which a sheet of orders has a line."""
        form: Any = decision.options
        return list(form.fields[name].lines)

    def hand_in(
        self, *answers: Answer | Fought, until: type[Order] | None = None, **sheets: orders.WriteOrders
    ) -> Case:
        """Hand in whole sheets of orders."""
        self.since = len(self.game.records)
        for side in SIDES:
            self.game.submit(sheets.get(side, orders.WriteOrders()), side)
        return self.play(*answers, until=until)

    def play(self, *answers: Answer | Fought, until: type[Order] | None = None) -> Case:
        """Answer what is asked until the next orders of a turn, or until ``until`` is wanted."""
        self.left += [each for each in answers if isinstance(each, tuple)]
        self.battles += [each for each in answers if not isinstance(each, tuple)]
        stop = until or orders.WriteOrders
        while not self.game.is_over and not (self.asks(stop) and not self.told_now()):
            decision = self.asked[0]
            self.game.submit(self.answer(decision), decision.seat)
        if until is None:
            assert not self.left, f"nobody asked for {self.left}"
            assert not self.battles, "more results were told than battles fought"
        return self

    def told_now(self) -> bool:
        """Tell whether a script answers one of the questions now, so that a stop must wait."""
        return any(
            side == each.side and type(order) in kinds_wanted(each) for each in self.asked for side, order in self.left
        )

    def answer(self, decision: Decision) -> Order:
        kinds = kinds_wanted(decision)
        for place, (side, order) in enumerate(self.left):
            if side == decision.side and type(order) in kinds:
                return self.left.pop(place)[1]
        if ReportBattle in kinds:
            return self.report(decision)
        for order in EMPTY:
            if type(order) in kinds and decision.options.is_legal(order):
                return order
        found: Order = next(iter(decision.options.values()))
        return found

    def report(self, decision: Decision) -> ReportBattle:
        results = results_in(decision.options)
        assert results is not None
        fought = self.battles.pop(0) if self.battles else result(AXIS, "4-3")
        return ReportBattle(results.brief.id, fought(results.brief))

    # --- what is refused ---

    def why_not(self, side: str, order: Order) -> str:
        """Return the rule against an order to the question that waits, "" if it is allowed."""
        refusal = self.decision(side).options.why_not(order)
        if refusal is None:
            return ""
        assert refusal.reason
        assert refusal.rule, refusal.reason
        return refusal.rule

    def refuses(self, side: str, text: str) -> str:
        """Return the rule against a sheet of moves, "" if it is allowed."""
        return self.why_not(side, orders.WriteOrders(*sheet(self.state, text)))

    def rejects(self, side: str, order: Order) -> str:
        """Submit an order that is refused: nothing may change. Return the rule."""
        before, number = msgspec.msgpack.encode(self.state), self.game.number
        with pytest.raises(IllegalOrder) as caught:
            self.game.submit(order, side)
        assert msgspec.msgpack.encode(self.state) == before
        assert self.game.number == number
        return caught.value.rule


# --- the usual attack ---

Lay = Callable[..., Case]
"""Set up a case: the fixture ``lay``."""
AT_REZEGH, AT_SALEH = "15_pz_div sidi_rezegh", "7_armd_bde gabr_saleh"


def attacked(lay: Lay, panzer: str = "", more: str = "", **rest: Any) -> Case:
    """Lay the attack of 7th Armored on 15th Panzer at Sidi Rezegh, which its die activates."""
    dice = {"activation:7_armd_bde": "6"} | rest.pop("dice", {})
    return lay(f"{AT_REZEGH} {panzer}; {AT_SALEH}; {more}", dice=dice, **rest)


def fought(case: Case, *told: Any, **rest: Any) -> Case:
    """Order that attack and play the turn."""
    return case.turn(*told, allies="7_armd_bde sidi_rezegh", **rest)


def at_sidi_rezegh(lay: Lay, *told: Any, until: Any = None, **rest: Any) -> Case:
    """Lay that attack and play the turn."""
    return fought(attacked(lay, **rest), *told, until=until)


def strengths(axis: int, allies: int) -> dict[str, int]:
    """Return the changes of the module that give these strengths to the two formations of that attack."""
    return {"forces.formations.15_pz_div.strength": axis, "forces.formations.7_armd_bde.strength": allies}


def brief_of(lay: Lay) -> Any:
    """Return the umpire's decision for which the result of a battle is required."""
    case = lay(f"{AT_REZEGH}; {AT_SALEH}", dice={"activation:15_pz_div": "6"})
    case.turn(axis="15_pz_div gabr_saleh", until=ReportBattle)
    return case.decision("umpire")


ROWS = [
    ("allies", "6-1", "8/14", "2/3"),
    ("axis", "4-3", "4/3", "10/3"),
    ("allies", "4-3", "4/6", "6/4"),
    ("axis", "4-3", "5/8", "3/8"),
]
"""The four actions of an example of the book: winner, score, attrition of the Axis and of the Commonwealth."""
FOUR = {"actions_per_engagement": "4"}
