"""Test cases: a campaign that is played with scripted orders, loaded dice and battle results."""

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
"""Prefixes of the purposes of rolls for several pieces at once."""
DEFAULT_FACES = {"weather": 6, "mission": 1, "type": 1, "engagement": 1, "recovery": 1}
"""Default faces by prefix of the purpose: good weather, the first mission, no recovery."""


# --- answers ---


def fighting(side: str) -> Answer:
    """Order a fighting withdrawal of a side's force."""
    return side, orders.Withdraw("fighting")


def leaves(side: str, how: str, *formations: str, rest: str = "stand", **more: str) -> Answer:
    """Withdraw single formations of a side: ``leaves("axis", "precipitous", "15_pz_div")``."""
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
    """Propose the same mode of battle for both sides."""
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


# --- battle results ---


def short(text: str) -> Attrition:
    armor, general = text.split("/")
    return Attrition(int(armor), int(general))


def result(winner: str, score: str, axis: str = "0/0", allies: str = "0/0", **more: Any) -> Fought:
    """Return a result maker: winner, score with the winner's points first, and armor/general attrition by side."""
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
    """Return a result maker with losses by side and platoon; a platoon is given by its kind and its index in the kind.

    ``axis={"afv.0": PlatoonLosses(destroyed=2)}`` is the first armored platoon.
    """

    def fought(brief: Brief) -> Result:
        found = result(winner, score)(brief)
        platoons = {}
        for side, lost_by_platoon in ((AXIS, axis or {}), (ALLIES, allies or {})):
            by_kind: dict[str, list[str]] = {}
            for ident, platoon in brief.platoons(side).items():
                by_kind.setdefault("independent" if platoon.independent else platoon.kind, []).append(ident)
            platoons[side] = {
                by_kind[key.split(".")[0]][int(key.split(".")[1])]: lost for key, lost in lost_by_platoon.items()
            }
        return msgspec.structs.replace(found, platoons={s: p for s, p in platoons.items() if p}, **more)

    return fought


# --- dice ---


class TableDice(LoadedDice):
    """Dice loaded by purpose: ``{"activation:15_pz_div": "3 5", "precipitous:*": "3+5"}``."""

    def __init__(self, loaded: Mapping[str, str]) -> None:
        super().__init__(
            by={p: [tuple(map(int, roll.split("+"))) for roll in faces.split()] for p, faces in loaded.items()}
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
        usual = next((face for start, face in DEFAULT_FACES.items() if purpose.startswith(start)), 0)
        if usual and not self._queue_for(label):
            return (usual,) * count
        return super().roll(label, count, sides)

    def _used(self, label: str, count: int, sides: int) -> tuple[int, ...]:
        """Return some dice of a side's roll, with default faces if none are loaded."""
        if not self._queue_for(label):
            return (DEFAULT_FACES.get(label.split("/")[-2].partition(":")[0], 6),) * count
        return super().roll(label, count, sides) or ()

    def _own(self, label: str, sides: int) -> int:
        """Return one die of a roll for several pieces; dice for leaders default to 6."""
        if "activation:" not in label and not self._queue_for(label):
            return 6
        (face,) = super().roll(label, 1, sides) or (0,)
        return face


# --- cases ---


def accepted_orders(decision: Decision) -> list[type[Order]]:
    """Return the types of order that a decision accepts."""
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
    """A campaign in which the test plays both sides and the umpire."""

    def __init__(self, prepared: Prepared, state: KhamsinState, dice: TableDice) -> None:
        self.prepared = prepared
        self.dice = dice
        dice.state = lambda: self.state
        self.game = Game(prepared.ruleset, state, dice)
        self.game.start()
        self.since = 0
        self.battles: list[Fought] = []
        self.left: list[Answer] = []

    # --- state and events ---

    @property
    def state(self) -> KhamsinState:
        state = self.game.state
        assert isinstance(state, KhamsinState)
        return state

    def __getitem__(self, formation: str) -> Formation:
        return self.state.formations[formation]

    def at(self, *pieces: str) -> str:
        """Return the areas of pieces as one string, such as "gambut sollum"; "-" means off the map."""
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
        """Return the events of a type since the latest orders whose fields equal ``facts``."""
        found = [event for event in self.happened() if isinstance(event, kind)]
        return [event for event in found if all(getattr(event, name) == value for name, value in facts.items())]

    def one(self, kind: type[E], **facts: Any) -> E:
        found = self.events(kind, **facts)
        happened = [type(event).__name__ for event in self.happened()]
        assert len(found) == 1, (found, happened)
        return found[0]

    def rolls(self, start: str) -> list[tuple[int, ...]]:
        """Return rolls by the start of their purpose; for activation, only the dice of attacking formations."""
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
        """Return the brief of the pending battle report."""
        results = results_in(self.pending[0].options)
        assert results is not None
        return results.brief

    @property
    def mission(self) -> str:
        return self.one(battle_events.MissionSet).mission

    @property
    def pending(self) -> list[Decision]:
        return list(self.game.waiting())

    def decision(self, side: str) -> Decision:
        return next(each for each in self.pending if each.side == side)

    def expects(self, kind: type[Order], side: str = "") -> bool:
        """Return whether an order of this type is pending (for ``side``, if given)."""
        return any(kind in accepted_orders(each) and side in {"", each.side} for each in self.pending)

    # --- actions ---

    def turn(
        self, *answers: Answer | Fought, axis: str = "", allies: str = "", until: type[Order] | None = None
    ) -> Case:
        """Submit both sides' orders, and play until the next orders (or until an order of type ``until`` is pending).

        ``answers`` are orders by side and battle results, each used once and in sequence. Any other decision gets
        the smallest legal answer.
        """
        assert self.expects(orders.WriteOrders), self.pending
        self.since = len(self.game.records)
        written = {AXIS: sheet(self.state, axis), ALLIES: sheet(self.state, allies)}
        turn, alone = self.state.turn, self.state.options["orders_by"] == "commander_in_chief"
        while self.expects(orders.WriteOrders) and self.state.turn == turn:
            decision = self.pending[0]
            own = [self.lines(decision, name) for name in ("moves", "leaders")]
            parts = [
                {piece: way for piece, way in all_of.items() if alone or piece in lines}
                for all_of, lines in zip(written[decision.side], own, strict=True)
            ]
            self.game.submit(orders.WriteOrders(parts[0], parts[1]), decision.seat)
        return self.play(*answers, until=until)

    @staticmethod
    def lines(decision: Decision, name: str) -> list[str]:
        """Return the pieces that have a line in a sheet of orders."""
        form: Any = decision.options
        return list(form.fields[name].lines)

    def submit_whole(
        self, *answers: Answer | Fought, until: type[Order] | None = None, **sheets: orders.WriteOrders
    ) -> Case:
        """Submit complete sheets of orders, then play as ``play`` does."""
        self.since = len(self.game.records)
        for side in SIDES:
            self.game.submit(sheets.get(side, orders.WriteOrders()), side)
        return self.play(*answers, until=until)

    def play(self, *answers: Answer | Fought, until: type[Order] | None = None) -> Case:
        """Answer decisions until the next orders of a turn, or until an order of type ``until`` is pending."""
        self.left += [each for each in answers if isinstance(each, tuple)]
        self.battles += [each for each in answers if not isinstance(each, tuple)]
        stop = until or orders.WriteOrders
        while not self.game.is_over and not (self.expects(stop) and not self.has_scripted_answer()):
            decision = self.pending[0]
            self.game.submit(self.answer(decision), decision.seat)
        if until is None:
            assert not self.left, f"answers without a decision: {self.left}"
            assert not self.battles, "more results than battles"
        return self

    def has_scripted_answer(self) -> bool:
        """Return whether a scripted answer fits a pending decision, so that play must not stop yet."""
        return any(
            side == each.side and type(order) in accepted_orders(each)
            for each in self.pending
            for side, order in self.left
        )

    def answer(self, decision: Decision) -> Order:
        kinds = accepted_orders(decision)
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

    # --- refusals ---

    def why_not(self, side: str, order: Order) -> str:
        """Return the rule that forbids an order for the pending decision of a side, or "" if it is legal."""
        refusal = self.decision(side).options.why_not(order)
        if refusal is None:
            return ""
        assert refusal.reason
        assert refusal.rule, refusal.reason
        return refusal.rule

    def refuses(self, side: str, text: str) -> str:
        """Return the rule that forbids a sheet of moves, or "" if it is legal."""
        return self.why_not(side, orders.WriteOrders(*sheet(self.state, text)))

    def rejects(self, side: str, order: Order) -> str:
        """Submit an illegal order, check that the state does not change, and return the rule of the refusal."""
        before, number = msgspec.msgpack.encode(self.state), self.game.number
        with pytest.raises(IllegalOrder) as caught:
            self.game.submit(order, side)
        assert msgspec.msgpack.encode(self.state) == before
        assert self.game.number == number
        return caught.value.rule


# --- a standard attack ---

NewCase = Callable[..., Case]
"""The fixture ``new_case``, which sets up a case."""
AT_REZEGH, AT_SALEH = "15_pz_div sidi_rezegh", "7_armd_bde gabr_saleh"


def attacked(new_case: NewCase, panzer: str = "", more: str = "", **rest: Any) -> Case:
    """Set up an attack of 7th Armored on 15th Panzer at Sidi Rezegh, with a die that activates it."""
    dice = {"activation:7_armd_bde": "6"} | rest.pop("dice", {})
    return new_case(f"{AT_REZEGH} {panzer}; {AT_SALEH}; {more}", dice=dice, **rest)


def fought(case: Case, *answers: Any, **rest: Any) -> Case:
    """Order the attack of ``attacked``, and play the turn."""
    return case.turn(*answers, allies="7_armd_bde sidi_rezegh", **rest)


def panzer_fought(case: Case, *answers: Any, company: str = "panzer") -> Case:
    """Order the attack of ``attacked``, field one company of 15th Panzer in every action, and play the turn."""
    number = int(case.state.options["actions_per_engagement"])
    return fought(case, field(AXIS, *[f"15_pz_div {company}"] * number), *answers)


def at_sidi_rezegh(new_case: NewCase, *answers: Any, until: Any = None, **rest: Any) -> Case:
    """Set up the attack of ``attacked``, and play the turn."""
    return fought(attacked(new_case, **rest), *answers, until=until)


def strengths(axis: int, allies: int) -> dict[str, int]:
    """Return module changes that set the strengths of the two formations of ``attacked``."""
    return {"forces.formations.15_pz_div.strength": axis, "forces.formations.7_armd_bde.strength": allies}


def brief_of(new_case: NewCase) -> Any:
    """Return the umpire's pending decision to report a battle."""
    case = new_case(f"{AT_REZEGH}; {AT_SALEH}", dice={"activation:15_pz_div": "6"})
    case.turn(axis="15_pz_div gabr_saleh", until=ReportBattle)
    return case.decision("umpire")


ROWS = [
    ("allies", "6-1", "8/14", "2/3"),
    ("axis", "4-3", "4/3", "10/3"),
    ("allies", "4-3", "4/6", "6/4"),
    ("axis", "4-3", "5/8", "3/8"),
]
"""Four actions of a worked example: winner, score, attrition of the Axis and of the Commonwealth."""
FOUR = {"actions_per_engagement": "4"}
