"""Cases: a game that is set up by hand, orders in short form, and loaded dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import desert_aa
from desert_aa.model import orders
from desert_aa.model.events import IncomeCollected
from desert_aa.model.state import DesertState, Minefield, Unit
from desert_aa.model.tables import KIND_OF, POWERS, PREFIX, SIDE_OF
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order, Roll
from sandtable.kernel.options import Form, OneOf, Space
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.scenarios import Scenario, merged, scenario_of
from sandtable.testing.loaded_dice import LoadedDice

if TYPE_CHECKING:
    from sandtable.kernel.events import Event

POWER_OF = {prefix: power for power, prefix in PREFIX.items()}


@cache
def installed() -> Installed:
    return Installed("desert_aa", desert_aa, "the casebook")


@cache
def shipped_one(scenario: str, options: tuple[tuple[str, str], ...]) -> Prepared:
    if scenario == ANNEXED:
        return installed().prepare(changed_scenario(annex()), dict(options))
    return installed().prepare(scenario, dict(options))


def ready(scenario: str | Scenario, **options: str) -> Prepared:
    """Return the prepared ruleset, cached for shipped scenarios."""
    if isinstance(scenario, Scenario):
        return installed().prepare(scenario, options)
    return shipped_one(scenario, tuple(sorted(options.items())))


def changed_scenario(changes: Mapping[str, Any], base: str = "western_desert") -> Scenario:
    """Return a shipped scenario with changed tables and additional connectors."""
    shipped = installed().scenario(base).data
    data = merged(shipped, changes)
    data["connectors"] = [*shipped["connectors"], *changes.get("connectors", [])]
    data["scenario"] = data["scenario"] | {"id": "changed"}
    return scenario_of(data, "changed.toml", own=True)


def annex() -> dict[str, Any]:
    """Return six worthless spaces far behind Tripoli, in which each power has a unit that can always move.

    So every movement phase has a decision, and ends only by an order.
    """
    area = {"terrain": "desert", "lon_milli": 1, "lat_milli": 1}
    owners = {"XI": "italy", "XE": "england", "XG": "germany"}
    names = {f"{stem}{number}": owner for stem, owner in owners.items() for number in (1, 2)}
    pairs = ["XI1 XI2", "XE1 XE2", "XG1 XG2", "XE2 XI1", "XE2 XG1", "XE1 XI2", "HUN XI2"]
    return {
        "areas": {name: {**area, "name": f"Annex {name}", "owner": owner} for name, owner in names.items()},
        "connectors": [{"between": pair.split(), "kind": "desert"} for pair in pairs],
    }


ANNEXED = "western_desert with an annex"
SPARE = "99"
SPARES = "; XI1 it-inf-99; XE1 uk-inf-99; XG1 de-inf-99"


def unit_ids(words: str) -> list[str]:
    """Return the ids of "uk-inf-1 de-arm-1..3": ids or ranges of ids."""
    found = []
    for word in words.split():
        first, dots, last = word.partition("..")
        stem, _, number = first.rpartition("-")
        found += [f"{stem}-{each}" for each in range(int(number), int(last if dots else number) + 1)]
    return found


def faces(words: str) -> list[tuple[int, ...]]:
    """Return the rolls of "2 5 3, 3": commas separate rolls, spaces separate dice."""
    return [tuple(int(face) for face in roll.split()) for roll in words.split(",") if roll.strip()]


def set_up(
    prepared: Prepared,
    units: str,
    power: str,
    *,
    round_: int = 2,
    control: Mapping[str, str] | None = None,
    mines: Mapping[str, str | Minefield] | None = None,
    state: Mapping[str, Any] | None = None,
    tweak: Callable[[DesertState], object] = lambda state: None,
) -> DesertState:
    """Return the state at the beginning of a turn of ``power``, with only these units on the map.

    Units hold the enemy ground on which they are, unless ``control`` (spaces by power) gives it a different holder.
    """
    first: DesertState = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    first.units, first.made = {}, {}
    for group in filter(None, map(str.strip, units.split(";"))):
        space, _, words = group.partition(" ")
        for unit_id in unit_ids(words):
            owner = POWER_OF[unit_id[:2]]
            stem, _, number = unit_id.rpartition("-")
            first.units[unit_id] = Unit(owner, KIND_OF[stem[3:]], space)
            if number != SPARE:
                first.made[stem] = max(first.made.get(stem, 0), int(number))
            if SIDE_OF[first.control[space]] != SIDE_OF[owner]:
                first.control[space] = owner
    for holder, spaces in (control or {}).items():
        first.control.update(dict.fromkeys(spaces.split(), holder))
    for space, mine in (mines or {}).items():
        first.minefields[space] = mine if isinstance(mine, Minefield) else Minefield(mine)
    sequence = prepared.ruleset.sequence
    first.position = [step.power for step in sequence.steps].index(power, sequence.first)
    first.turn = round_ - (first.position == sequence.first)
    for name, value in (state or {}).items():
        setattr(first, name, value)
    tweak(first)
    return first


OWN_SPACES: dict[str, set[type[Order]]] = {
    "GrantSpace": {orders.PlaceBonus},
    "Arrivals": {orders.PlaceUnits},
    "MinePlaces": {orders.PlaceMinefields},
    "CombatMoves": {orders.MoveUnits, orders.EndMoves},
    "NonCombatMoves": {orders.MoveUnits, orders.EndMoves},
}
"""The order types of the ruleset's own option spaces."""


def kinds(space: Space) -> set[type[Order]]:
    """Return the order types that an option space accepts."""
    if isinstance(space, Form):
        return {space.order}
    if isinstance(space, OneOf):
        return {type(each) for each in space.of}
    return OWN_SPACES[type(space).__name__]


QUIET: tuple[Order, ...] = (
    orders.PlaceBonus(),
    orders.BuyUnits(),
    orders.BuyMinefields(0),
    orders.EndMoves(),
    orders.DeclareMinefield(declare=True),
    orders.DesignateGuns([]),
    orders.PressOn(),
    orders.Sweep(),
    orders.PlaceUnits({}),
    orders.PlaceMinefields(),
)


def quiet_order(decision: Decision) -> Order:
    """Return the order that does least: the end of the decision, or the first option."""
    for order in QUIET:
        if decision.options.is_legal(order):
            return order
    order = next(decision.options.values())
    assert isinstance(order, Order)
    return order


class Case:
    """A game that is played from a position, with orders given in advance."""

    def __init__(self, prepared: Prepared, state: DesertState, dice: LoadedDice) -> None:
        self.prepared = prepared
        self.dice = dice
        self.game = Game(prepared.ruleset, state, dice)
        self.game.start()
        self.here = self.now()

    # --- what there is ---

    @property
    def state(self) -> DesertState:
        state = self.game.state
        assert isinstance(state, DesertState)
        return state

    @property
    def phase(self) -> str:
        """The phase, without the power's name."""
        return self.state.phase.rpartition(".")[2]

    @property
    def asked(self) -> Decision:
        return self.game.waiting()[0]

    def expects(self, kind: type[Order]) -> bool:
        return any(kind in kinds(decision.options) for decision in self.game.waiting())

    def at(self, space: str) -> str:
        """Return the units in a space, sorted, in one string."""
        return " ".join(sorted(unit_id for unit_id, unit in self.state.units.items() if unit.space == space))

    def units(self) -> dict[str, Unit]:
        """All units except the spare ones of the annex."""
        return {unit_id: unit for unit_id, unit in self.state.units.items() if not unit_id.endswith(f"-{SPARE}")}

    def where(self, unit_id: str) -> str:
        """Return the space of a unit, or "" if it is not on the map."""
        return self.state.units[unit_id].space if unit_id in self.state.units else ""

    def condition(self, unit_id: str) -> str:
        return self.state.units[unit_id].condition

    def holder(self, space: str) -> str:
        return self.state.control[space]

    def events(self, *kinds_: type[Event]) -> list[Any]:
        """Return the events of these types so far, in order (default: all events)."""
        found = [record.event for record in self.game.records if isinstance(record, EventRecord)]
        return [event for event in found if not kinds_ or isinstance(event, kinds_)]

    def income(self) -> list[IncomeCollected]:
        """Return the collected income so far."""
        return self.events(IncomeCollected)

    def rolls(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return the purpose and the sorted needs of every roll so far."""
        rolled = [record for record in self.game.records if isinstance(record, RollRecord)]
        return [(record.label.split("/")[-2], tuple(sorted(record.needs))) for record in rolled]

    def needs(self) -> list[tuple[int, ...]]:
        """Return the sorted needs of the dice of every roll so far."""
        return [needs for _, needs in self.rolls()]

    def refused_to_move(self, units: str, path: str) -> str:
        """Return the rule against a combat move, or "" if it is legal, without ordering it."""
        refusal = self.to_phase(COMBAT_MOVE).asked.options.why_not(move(units, path))
        return refusal.rule if refusal else ""

    # --- orders ---

    def submit(self, order: Order, by: str | None = None) -> Case:
        self.game.submit(order, by)
        return self

    def refused(self, order: Order, by: str | None = None) -> str:
        """Submit an illegal order, check that the state is unchanged, and return the rule."""
        before = msgspec.json.encode(self.state)
        with pytest.raises(IllegalOrder) as caught:
            self.game.submit(order, by)
        assert msgspec.json.encode(self.state) == before
        return caught.value.rule

    def until(self, done: Callable[[Case], bool]) -> Case:
        """Play quietly until ``done``."""
        for _ in range(2_000):
            if done(self):
                return self
            decision = self.asked
            self.game.submit(quiet_order(decision), decision.seat)
        raise AssertionError("the condition was never met")

    def to(self, kind: type[Order]) -> Case:
        """Play quietly until a decision expects an order of this type."""
        return self.until(lambda case: case.expects(kind))

    def to_phase(self, phase: str) -> Case:
        """Play quietly until a decision in that phase of the current turn."""
        if self.here[0] == 0:  # the grant is placed: the first turn has begun
            self.here = self.until(lambda case: case.state.turn > 0).now()
        found = self.until(lambda case: case.game.is_over or case.phase == phase or case.now() != case.here)
        assert (self.phase, self.now()) == (phase, self.here), "the phase passed without a decision"
        return found

    def to_turn(self, power: str) -> Case:
        """Play quietly to the next turn of ``power`` after this one."""
        round_, place = self.here
        self.here = (round_ + (POWERS.index(power) <= place), POWERS.index(power))
        self.until(lambda case: case.game.is_over or case.now() >= case.here)
        assert self.now() == self.here
        return self

    def now(self) -> tuple[int, int]:
        """Return the round, and the position in it of the power on move."""
        power = self.state.phasing_power
        return self.state.turn, POWERS.index(power) if power else -1

    def go(self, *given: Order) -> Case:
        """Give these orders, each as soon as a decision expects its type. Play quietly in between."""
        for order in given:
            self.to(type(order))
            self.submit(order)
        return self

    def attack(self, units: str, path: str, *, raid: bool = False) -> Case:
        """Order a combat move."""
        return self.to_phase(COMBAT_MOVE).submit(move(units, path, raid=raid))

    def shift(self, units: str, path: str) -> Case:
        """Order a non-combat move."""
        return self.to_phase(NONCOMBAT_MOVE).submit(move(units, path))

    def no_attack(self, units: str, path: str, *, raid: bool = False) -> str:
        """Return the rule against a combat move."""
        return self.to_phase(COMBAT_MOVE).refused(move(units, path, raid=raid))

    def no_shift(self, units: str, path: str) -> str:
        """Return the rule against a non-combat move."""
        return self.to_phase(NONCOMBAT_MOVE).refused(move(units, path))

    def fight(self, *given: Order) -> Case:
        """End the combat moves, give the orders ``given``, and play quietly until combat is over."""
        if self.phase == COMBAT_MOVE and self.expects(orders.EndMoves):
            self.submit(orders.EndMoves())
        self.go(*given)
        return self.until(lambda case: case.game.is_over or case.phase not in {COMBAT_MOVE, COMBAT})


COMBAT_MOVE, COMBAT, NONCOMBAT_MOVE = "combat_move", "combat", "noncombat_move"


def move(units: str, path: str, *, raid: bool = False) -> orders.MoveUnits:
    return orders.MoveUnits(unit_ids(units), path.split(), raid)


Lay = Callable[..., Case]
Opening = Callable[..., Case]
Changed = Callable[..., Scenario]
Prepare = Callable[..., Prepared]


@pytest.fixture
def prepare() -> Prepare:
    """Prepare the ruleset: ``prepare("frontier", mine_auto="manual")``."""
    return ready


@pytest.fixture
def changed() -> Changed:
    """Change a shipped scenario: ``changed({"treasury": {"bonus": 8}})``."""
    return changed_scenario


@pytest.fixture
def lay() -> Iterator[Lay]:
    """Set up a case: ``lay("TOB de-inf-1..2; BDI uk-arm-1", "england", dice="2 5, 3")``.

    The default map is Western Desert with an annex. Other keywords are options of the ruleset or arguments of
    ``set_up``. At the end all loaded dice must have been rolled.
    """
    cases: list[Case] = []
    known = [option.name for option in installed().manifest.options]

    def set_up_case(
        units: str, power: str = "england", *, dice: str = "", scenario: str | Scenario = ANNEXED, **keywords: Any
    ) -> Case:
        prepared = ready(scenario, **{name: keywords.pop(name) for name in known if name in keywords})
        units += SPARES if scenario == ANNEXED else ""
        cases.append(Case(prepared, set_up(prepared, units, power, **keywords), LoadedDice(*faces(dice))))
        return cases[-1]

    yield set_up_case
    for case in cases:
        case.dice.assert_all_used()


@pytest.fixture
def opening() -> Iterator[Opening]:
    """Begin a game of a scenario with the given options: ``opening("frontier", dice="2, 6")``."""
    begun: list[Case] = []

    def begin(scenario: str | Scenario = "western_desert", dice: str = "", **options: str) -> Case:
        prepared = ready(scenario, **options)
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        begun.append(Case(prepared, state, LoadedDice(*faces(dice))))
        return begun[-1]

    yield begin
    for case in begun:
        case.dice.assert_all_used()


assert set(POWERS) == set(POWER_OF.values())


@pytest.fixture
def rolls(monkeypatch: pytest.MonkeyPatch) -> list[Roll]:
    """Return a list to which every roll of the rules is added."""
    made: list[Roll] = []
    plain = Game._record_roll

    def record(game: Game, roll: Roll, *rest: Any) -> None:
        made.append(roll)
        plain(game, roll, *rest)

    monkeypatch.setattr(Game, "_record_roll", record)
    return made
