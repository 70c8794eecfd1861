"""The referee's table: units put on a small map, plots for both sides, dice that fall as they are told.

A case reads: who stands where, what both sides plot, which dice fall, and then what has happened.

    case = lay(french="38 0708 A entrenched", germans="94 0703", dice={"fire:0706:94": "3"})
    case.turn(french="38 P 0706", germans="94 D3")
    assert case.level("94") == 1

The map is clear, 16 columns of 24 hexes, unless a case says otherwise; identity numbers are those of the counters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, TypeVar

import msgspec
import pytest

import kampfpanzer
from kampfpanzer import orders
from kampfpanzer.board import build_board, opening_state
from kampfpanzer.events import (
    FireResolved,
    OperationFailed,
    ResultsApplied,
    UnitsMoved,
    UnitStopped,
)
from kampfpanzer.forces import Counters, counters
from kampfpanzer.scenario import read_sheet
from kampfpanzer.state import DESTROYED, EXITED, ON_MAP, WAITING, KampfState, Unit
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import Event
from sandtable.kernel.game import Game
from sandtable.kernel.options import Refusal
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.scenarios import scenario_of
from sandtable.testing.loaded import LoadedDice

E = TypeVar("E", bound=Event)
Answer = tuple[str, Order]

FRENCH, GERMANS = SIDES = ("french", "germans")
COLUMNS, ROWS = 16, 24
CORNER = "1601"
"""The place to fight for, far from everything."""


@cache
def installed() -> Installed:
    return Installed("kampfpanzer", kampfpanzer, "the casebook")


@cache
def shipped(scenario: str, options: tuple[tuple[str, str], ...] = ()) -> Prepared:
    return installed().prepare(scenario, dict(options))


def lines(text: str) -> dict[str, str]:
    """Read "38 P 0603; 94 D5 VD": by unit what stands behind its number."""
    rows = [row.split(None, 1) for row in filter(None, map(str.strip, text.split(";")))]
    return {row[0]: row[1] if len(row) > 1 else "" for row in rows}


def plots(text: str) -> orders.HandInPlots:
    return orders.HandInPlots(lines(text))


# --- answers to the questions of a turn ---


def group(side: str, *groups: str) -> Answer:
    """Fire in these groups: ``group("french", "6 11", "1")``."""
    return side, orders.GroupFire([each.split() for each in groups])


def target(side: str, unit: str) -> Answer:
    return side, orders.ChooseTarget(unit)


def counter(side: str, unit: str) -> Answer:
    return side, orders.Counterattack(unit)


def decline(side: str) -> Answer:
    return side, orders.DeclineCounterattack()


def back(side: str, unit: str) -> Answer:
    return side, orders.BackUp(unit)


def face(side: str, letter: str) -> Answer:
    return side, orders.ChooseFacing(letter)


# --- dice ---


class TableDice(LoadedDice):
    """One die a roll, told by purpose: ``{"fire:0706:*": "3 5"}``. Where nothing is told, nobody panics or recovers."""

    def __init__(self, told: Mapping[str, str]) -> None:
        super().__init__(by={purpose: [(int(face_),) for face_ in faces.split()] for purpose, faces in told.items()})

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        purpose = label.split("/")[-2]
        if fnmatchcase(purpose, "panic:*") or fnmatchcase(purpose, "recovery:*"):
            if not self._queue_for(label):
                return (6,)
        return super().roll(label, count, sides)


# --- positions ---


def type_of(unit_id: str) -> str:
    """Return the type of a counter."""
    kinds = counters({"ft17_movement": "8", "bt7_13": "synthetic_154"}).ids
    return next(name for name, ids in kinds.items() if unit_id in ids)


class Placed(msgspec.Struct):
    """A unit as a position tells it: "38 0708 A entrenched D1", "29 aboard 146", "10 enters 0101/0201 turn 2"."""

    unit_id: str
    side: str
    hex: str = ""
    facing: str = ""
    carrier: str = ""
    entrenched: bool = False
    disruption: int = 0
    pinned: bool = False
    entries: list[str] = []
    enters: int = 0


def placed(unit_id: str, side: str, words: str) -> Placed:
    """Read one line of a position."""
    found = Placed(unit_id, side)
    rest = iter(words.split())
    for word in rest:
        if word == "aboard":
            found.carrier = next(rest)
        elif word == "enters":
            found.entries, found.enters = next(rest).split("/"), found.enters or 1
        elif word == "turn":
            found.enters = int(next(rest))
        elif word == "entrenched":
            found.entrenched = True
        elif word == "pinned":
            found.pinned = True
        elif len(word) == 4:
            found.hex = word
        elif len(word) == 2:
            found.disruption = int(word[1])
        else:
            found.facing = word
    return found


def position(**sides: str) -> dict[str, Placed]:
    """Read a position, side by side; passengers stand where their carrier stands."""
    units = {unit: placed(unit, side, words) for side, text in sides.items() for unit, words in lines(text).items()}
    for unit in units.values():
        if unit.carrier:
            carrier = units[unit.carrier]
            unit.hex, unit.entries, unit.enters = carrier.hex, carrier.entries, carrier.enters
    return units


# --- the small map ---

GROUND = ("woods", "town", "slope", "hilltop")


def map_tables(features: Mapping[str, str]) -> dict[str, Any]:
    """Return the tables of a small map: kinds of terrain "0405 0506", hexsides "0404/0405", a road "0101 0102"."""
    terrain = {name: [text] for name, text in features.items() if name in GROUND}
    sides = {name.removesuffix("_sides"): [text] for name, text in features.items() if name not in (*GROUND, "road")}
    ways = {"road": features["road"].split(", ")} if "road" in features else {}
    return {
        "map": {"id": "table", "title": "The table", "provenance": "invented", "reason": "for the casebook"},
        "grid": {"columns": COLUMNS, "rows": ROWS},
        "terrain": {"default": "clear", **terrain},
        "hexsides": sides,
        "ways": ways,
        "places": {"Town 1": [CORNER]},
    }


def scenario_tables(units: Mapping[str, Placed], features: Mapping[str, str], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scenario of a position; ``more`` may tell panic, exits, no_move (by side), scatter, riders, victory."""
    return {
        "scenario": {
            "id": "table",
            "title": "The table",
            "turns": more.get("turns", 10),
            "sides": list(SIDES),
            "riders": more.get("riders", False),
            "scatter": more.get("scatter", list("ABCDEF")),
        },
        "map": map_tables(features),
        "forces": {side: force_tables(side, units, more) for side in SIDES},
        "victory": more.get("victory", {"kind": "majority", "place": "Town 1"}),
    }


def force_tables(side: str, units: Mapping[str, Placed], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return a side's groups: who is on the map, and who enters when and where; a stranger where there is nobody."""
    own = [unit for unit in units.values() if unit.side == side]
    ways = sorted({(unit.enters, tuple(unit.entries)) for unit in own}) or [(0, ())]
    groups = []
    for enters, entries in ways:
        names = [type_of(unit.unit_id) for unit in own if (unit.enters, tuple(unit.entries)) == (enters, entries)]
        place = {"enters": enters, "entries": list(entries)} if enters else {"rows": [1, ROWS], "may_entrench": True}
        groups.append({"units": {name: names.count(name) for name in names} or {STRANGER[side]: 1}, **place})
    table = {"title": side.title(), "panic": more.get("panic", {}).get(side, 1), "groups": groups}
    table |= {"exits": more["exits"][side].split()} if side in more.get("exits", {}) else {}
    return table | ({"no_move": more["no_move"][side]} if side in more.get("no_move", {}) else {})


STRANGER = {FRENCH: "T97", GERMANS: "M6"}


def counters_for(units: Mapping[str, Placed], options: Mapping[str, str], kinds: Mapping[str, Mapping[str, int]]) -> Counters:
    """Return the counter list in such an order that each side draws the identity numbers of its position."""
    listed = counters(options)
    drawn = sorted(units.values(), key=lambda unit: (SIDES.index(unit.side), unit.enters, unit.entries))
    asked = [unit.unit_id for unit in drawn]
    ids = {
        name: (*(each for each in asked if each in known), *(each for each in known if each not in asked))
        for name, known in listed.ids.items()
    }
    changed = {name: msgspec.structs.replace(listed.kinds[name], **facts) for name, facts in kinds.items()}
    return Counters(dict(listed.kinds) | changed, ids)


def prepared_for(
    units: Mapping[str, Placed], features: Mapping[str, str], more: Mapping[str, Any], chosen: Mapping[str, str]
) -> Prepared:
    """Return the ruleset made ready for a position: a shipped game's parts on a board of our own."""
    base = shipped("hannut", tuple(sorted(chosen.items())))
    scenario = scenario_of(scenario_tables(units, features, more), "table.toml", own=True)
    listed = counters_for(units, base.options, more.get("kinds", {}))
    board = build_board(scenario.id, scenario.title, read_sheet(scenario, base.options, listed), listed, base.options)
    first = base.ruleset.codec.to_bytes(opening_state(board, base.options))
    return replace(base, board=board, first_state=first, scenario=scenario)


def unit_of(state: KampfState, each: Placed) -> Unit:
    """Return the unit as it stands in the opening position."""
    first = state.units[each.unit_id]
    return Unit(
        kind=first.kind,
        side=each.side,
        hex=each.hex,
        standing=WAITING if each.enters else ON_MAP,
        facing=each.facing,
        carrier=each.carrier,
        disruption=each.disruption,
        pinned=each.pinned,
    )


def stand(state: KampfState, units: Mapping[str, Placed], wrecks: str = "", turn: int = 1, first: int = 0) -> None:
    """Put a state into the position, before the plots of ``turn``; ``first`` is the place of phase A."""
    state.entrenchments = {each.hex: each.side for each in units.values() if each.entrenched}
    state.units = {unit_id: unit_of(state, each) for unit_id, each in units.items()}
    state.wrecks = sorted(wrecks.split())
    state.deployed = list(state.board.sides)
    state.position, state.turn = first, turn - 1


class Case:
    """A game at the referee's table."""

    def __init__(self, prepared: Prepared, state: KampfState, dice: TableDice) -> None:
        self.prepared = prepared
        self.dice = dice
        self.game = Game(prepared.ruleset, state, dice)
        self.game.start()
        self.since = 0

    # --- what there is ---

    @property
    def state(self) -> KampfState:
        state = self.game.state
        assert isinstance(state, KampfState)
        return state

    @property
    def asked(self) -> Decision:
        return self.game.waiting()[0]

    def at(self, *unit_ids: str) -> str:
        """Return where units are, in one string: "0805 0707", "-" for off the map."""
        return " ".join(self.state.units[unit_id].hex or "-" for unit_id in unit_ids)

    def level(self, unit_id: str) -> int:
        """Return the level of disruption, 4 for destroyed."""
        unit = self.state.units[unit_id]
        return 4 if unit.standing == DESTROYED else unit.disruption

    def levels(self, *unit_ids: str) -> list[int]:
        return [self.level(unit_id) for unit_id in unit_ids]

    def left(self, unit_id: str) -> bool:
        """Tell whether a unit has left the map for good."""
        return self.state.units[unit_id].standing == EXITED

    def events(self, kind: type[E]) -> list[E]:
        """Return the events of a type since the newest plots were handed in."""
        records = list(self.game.records)[self.since :]
        return [record.event for record in records if isinstance(record, EventRecord) and isinstance(record.event, kind)]

    def all_events(self) -> list[Event]:
        """Return every event since the newest plots were handed in."""
        return self.events(Event)

    def seen(self, event: Event, side: str) -> Event | None:
        """Return what a side sees of an event, None for nothing."""
        ruleset = self.prepared.ruleset
        found: Event | None = ruleset.visible(event, side) if type(event) in ruleset.secret_events else event
        return found

    def one(self, kind: type[E]) -> E:
        """Return the only event of its type of this turn."""
        found = self.events(kind)
        assert len(found) == 1, found
        return found[0]

    def fire(self) -> list[tuple[str, str, int]]:
        """Return this turn's attacks by fire: firers, targets, superiority."""
        return [(" ".join(e.firers), " ".join(e.targets), e.superiority) for e in self.events(FireResolved)]

    def pinned(self) -> list[str]:
        """Return who was pinned this turn."""
        return sorted(unit_id for event in self.events(ResultsApplied) for unit_id in event.pinned)

    def stops(self) -> dict[str, tuple[str, str]]:
        """Return by unit where it was stopped this turn, and why."""
        return {event.unit: (event.hex, event.why) for event in self.events(UnitStopped)}

    def track(self, unit_id: str) -> list[tuple[int, str]]:
        """Return the moves of a unit this turn: (half points spent, hex)."""
        return [(e.tick, e.hexes[unit_id]) for e in self.events(UnitsMoved) if unit_id in e.hexes]

    def hexes(self, unit_id: str) -> str:
        """Return the hexes that a unit entered this turn, in one string."""
        return " ".join(hex_ for _, hex_ in self.track(unit_id))

    def failed(self) -> dict[str, str]:
        """Return by unit the embarkations, debarkations and facing changes that failed this turn."""
        return {event.unit: event.operation for event in self.events(OperationFailed)}

    def rolls(self) -> list[tuple[str, int]]:
        """Return this turn's dice, panic and recovery apart: purpose and face."""
        records = [record for record in list(self.game.records)[self.since :] if isinstance(record, RollRecord)]
        named = [(record.label.split("/")[-2], record.dice[0]) for record in records]
        return [(purpose, face_) for purpose, face_ in named if not purpose.startswith(("panic:", "recovery:"))]

    # --- what may be plotted ---

    def why_not(self, text: str, side: str = "") -> Refusal | None:
        """Return the refusal of a sheet of plots, whose side is that of its first unit unless named."""
        order = plots(text)
        side = side or self.state.units[next(iter(order.plots))].side
        decision = next(each for each in self.game.waiting() if each.side == side)
        refusal: Refusal | None = decision.options.why_not(order)
        return refusal

    def refused(self, text: str, side: str = "") -> str:
        """Return the rule against a sheet of plots, "" if it is allowed."""
        refusal = self.why_not(text, side)
        if refusal is None:
            return ""
        assert refusal.rule, refusal.reason
        return refusal.rule

    # --- what is done ---

    def turn(self, *answers: Answer, **sheets: str) -> Case:
        """Hand in both sides' plots and play to the next ones, with these answers on the way.

        Who is not told to counterattack declines; any other question that has no answer left is a mistake.
        """
        self.since = len(self.game.records)
        for side in self.state.board.sides:
            self.game.submit(plots(sheets.get(side, "")), side)
        return self.answer(*answers)

    def upto(self, *answers: Answer, **sheets: str) -> Case:
        """Play as ``turn`` does, and stand still at the first question that has no answer left."""
        self.since = len(self.game.records)
        for side in self.state.board.sides:
            self.game.submit(plots(sheets.get(side, "")), side)
        for side, order in answers:
            self.game.submit(order, side)
        return self

    def answer(self, *answers: Answer) -> Case:
        """Answer the questions of the turn, and play to the next plots."""
        left = list(answers)
        while not self.game.is_over and not self.plotting():
            if left and (self.wants(left[0]) or not self.may_decline()):
                side, order = left.pop(0)
                self.game.submit(order, side)
            else:
                assert self.may_decline(), f"{self.asked.side} is asked: {self.asked.prompt}"
                self.game.submit(orders.DeclineCounterattack())
        assert not left, f"nobody asked for {left}"
        return self

    def wants(self, answer: Answer) -> bool:
        return self.asked.side == answer[0] and self.asked.options.is_legal(answer[1])

    def may_decline(self) -> bool:
        return self.asked.options.is_legal(orders.DeclineCounterattack())

    def plotting(self) -> bool:
        return self.state.phase == "plot"

    def refuses(self, side: str, order: Order) -> str:
        """Return the rule against an order that is given; the state must be as before."""
        before = msgspec.json.encode(self.state)
        with pytest.raises(IllegalOrder) as caught:
            self.game.submit(order, side)
        assert msgspec.json.encode(self.state) == before
        return caught.value.rule


Lay = Callable[..., Case]
Stage = Callable[..., Case]
Prepare = Callable[..., Prepared]


def option_names() -> list[str]:
    return [option.name for option in installed().manifest.options]


@pytest.fixture
def prepare() -> Prepare:
    """Make a shipped scenario ready: ``prepare("spain", bt7_13="12_only")``."""
    return lambda scenario, **options: shipped(scenario, tuple(sorted(options.items())))


@pytest.fixture
def lay() -> Iterator[Lay]:
    """Set up a case on the small map, before the plots of a turn.

    ``french`` and ``germans`` say who stands where; ``dice`` what falls, by purpose. ``woods="0405"`` and the like are
    features of the map, ``more`` are tables of the scenario; ``wrecks`` lie already; the rest are options of the
    ruleset. In the end all dice that were told must have fallen.
    """
    laid: list[Case] = []

    def set_the_table(
        *,
        french: str = "",
        germans: str = "",
        dice: Mapping[str, str] | None = None,
        wrecks: str = "",
        turn: int = 1,
        more: Mapping[str, Any] | None = None,
        tweak: Callable[[KampfState], object] = lambda state: None,
        **rest: str,
    ) -> Case:
        options = {name: rest.pop(name) for name in option_names() if name in rest}
        units = position(french=french, germans=germans)
        prepared = prepared_for(units, rest, more or {}, options)
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        stand(state, units, wrecks, turn, prepared.ruleset.sequence.first)
        tweak(state)
        laid.append(Case(prepared, state, TableDice(dice or {})))
        return laid[-1]

    yield set_the_table
    for case in laid:
        case.dice.assert_all_used()


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Set up a shipped scenario in the middle: ``stage("arras", british="63 2341", germans="", turn=15)``.

    Only the units named are on the map; those after ``lost`` are destroyed and those after ``out`` have left it.
    """
    staged: list[Case] = []

    def set_the_stage(
        scenario: str,
        *,
        turn: int = 1,
        dice: Mapping[str, str] | None = None,
        lost: str = "",
        out: str = "",
        **rest: str,
    ) -> Case:
        options = {name: rest.pop(name) for name in option_names() if name in rest}
        prepared = shipped(scenario, tuple(sorted(options.items())))
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        gone = dict.fromkeys(lost.split(), DESTROYED) | dict.fromkeys(out.split(), EXITED)
        units = {unit_id: state.units[unit_id] for unit_id in gone}
        for unit_id, standing in gone.items():
            units[unit_id].standing = standing
        stand(state, position(**rest), turn=turn, first=prepared.ruleset.sequence.first)
        state.units |= units
        staged.append(Case(prepared, state, TableDice(dice or {})))
        return staged[-1]

    yield set_the_stage
    for case in staged:
        case.dice.assert_all_used()

