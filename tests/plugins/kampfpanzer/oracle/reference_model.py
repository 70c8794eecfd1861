"""A reference model that follows the events of a game and asserts the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.plugins.kampfpanzer.model import test_tables as tables
from tests.plugins.kampfpanzer.model.test_tables import COMBAT, SHELLS, cells

from kampfpanzer.model import events
from kampfpanzer.model.state import DESTROYED, ON_MAP, KampfState
from sandtable.kernel.events import PhaseBegan, PhaseEnded
from sandtable.kernel.play.game import Game

if TYPE_CHECKING:
    from collections.abc import Callable

CRT, SHELL, OVERRUN = cells(COMBAT), cells(SHELLS), cells(tables.OVERRUN)
COLUMNS = ("armor", "wheels", "foot")
GROUND, SIDE = cells(tables.GROUND), cells(tables.SIDES)


def printed(superiority: int) -> str:
    """Return the head of a column of the combat table."""
    return f"{superiority:+}" if superiority else "0"


COLUMN = {"afv": 0, "apc": 0, "truck": 1, "infantry": 2, "artillery": 2}
LETTERS = "ABCDEF"


class ReferenceModel:
    """A state computed from events, with assertions for the rules."""

    def __init__(self, game: Game, *, strict: bool) -> None:
        self.table = game.ruleset.table
        self.board: Any = game.state.board
        codec: Any = game.ruleset.codec
        self.state: KampfState = codec.from_bytes(codec.to_bytes(game.state), self.board)
        self.strict = strict  # default options: also check the clock and the zones
        self.wrecks_to_come: set[str] = set()
        self.begin_phase("")

    def kind(self, unit: str) -> Any:
        return self.board.kind_of(unit)

    # --- events ---

    def read(self, event: Any) -> None:
        """Apply an event to the model's own state, and check it."""
        self.table[type(event)].handler(self.state, event)
        handlers: dict[type, Callable[[], None]] = {
            PhaseBegan: lambda: self.begin_phase(event.phase),
            PhaseEnded: lambda: self.end_phase(event.phase),
            events.FireResolved: lambda: self.fire(event),
            events.UnitShelled: lambda: self.shelled(event),
            events.OverrunResolved: lambda: self.overrun(event),
            events.CounterattackResolved: lambda: self.counterattack(event),
            events.RecoveryRolled: lambda: self.recovery(event),
            events.UnitsMoved: lambda: self.moved(event.tick, event.hexes),
            events.UnitBackedUp: lambda: self.backed_up(event),
            events.UnitsExited: lambda: self.left(event),
            events.UnitDestroyed: lambda: self.destroyed(event),
            events.ResultsApplied: lambda: self.applied(event),
        }
        if type(event) in handlers:
            handlers[type(event)]()

    def begin_phase(self, phase: str) -> None:
        self.phase = phase
        self.entered: dict[str, list[tuple[int, str]]] = {}
        self.held: dict[str, str] = {}
        self.arrived: dict[str, str] = {}
        self.fired: set[str] = set()
        if phase == "combat":
            self.wrecks_to_come = set()
        if phase == "movement":
            units = self.state.units.items()
            self.start = {unit_id: unit.hex for unit_id, unit in units}
            self.unfit = {unit_id for unit_id, unit in units if unit.pinned or unit.disruption}
            self.disrupted = {unit_id for unit_id, unit in units if unit.disruption}
            self.where = {unit_id: unit.hex for unit_id, unit in units if unit.hex and not unit.carrier}
            self.load = {unit.carrier: unit_id for unit_id, unit in units if unit.carrier}
            self.wrecks = set(self.state.wrecks)

    # --- tables ---

    def fire(self, event: events.FireResolved) -> None:
        assert event.superiority == min(sum(event.strengths) - event.defense, 8)
        assert event.superiority >= -3
        assert event.result == CRT[str(event.die), printed(event.superiority)]
        assert not self.fired & set(event.firers)  # KP-9.0c
        self.fired |= set(event.firers)
        sides = {self.board.side_of[unit] for unit in event.firers}
        assert sides.isdisjoint(self.board.side_of[unit] for unit in event.targets)
        for unit in event.firers:
            plot = self.state.plots[unit]
            assert plot.startswith("P" if event.opportunity else "N")
            assert self.board.hexmap.range_hexes(self.state.units[unit].hex, event.hex) <= self.kind(unit).range_hexes

    def shelled(self, event: events.UnitShelled) -> None:
        assert event.result == SHELL[str(min(event.die + event.added, 6)), event.column].strip("-")
        impact = next(each for each in self.state.impacts if each.firer == event.firer)
        assert event.hex in impact.hexes
        if impact.pattern == "L" and not self.board.riders:
            assert not self.kind(event.unit).hard

    def overrun(self, event: events.OverrunResolved) -> None:
        assert event.superiority == int(OVERRUN[str(event.counted), str(len(event.attackers))])
        assert event.result == CRT[str(event.die), printed(event.superiority)]
        assert all(self.kind(unit).hard for unit in event.attackers)
        assert not any(self.kind(unit).hard for unit in event.defenders)
        assert {self.state.units[unit].hex for unit in event.defenders} == {event.hex}
        for unit in event.attackers:  # it may wait behind the hex for a unit that was stopped (R-KP-52)
            assert event.hex in [hex_ for _, hex_ in self.entered[unit]]

    def counterattack(self, event: events.CounterattackResolved) -> None:
        assert (event.superiority, event.result) == (-2, CRT[str(event.die), "-2"])

    def recovery(self, event: events.RecoveryRolled) -> None:
        recovered = event.die <= 4 - event.level
        if self.state.options["recovery"] == "full":
            assert event.after == (0 if recovered else event.level)

    # --- results ---

    def applied(self, event: events.ResultsApplied) -> None:
        assert all(1 <= level <= 3 for level in event.disruption.values())
        assert not set(event.pinned) & set(event.disruption)
        if self.phase == "movement":
            assert event.pinned == []  # KP-9.83a

    def destroyed(self, event: events.UnitDestroyed) -> None:
        kind = self.kind(event.unit)
        assert event.wreck == (kind.category in {"afv", "apc", "truck"})
        if event.wreck:
            self.wrecks_to_come.add(event.hex)
        if self.phase == "movement":
            self.where.pop(event.unit, None)

    # --- movement ---

    def zone_of(self, unit: str) -> bool:
        kind = self.kind(unit)
        if unit in self.disrupted:
            return False
        loaded = self.load.get(unit, "")
        return not kind.is_vehicle or (loaded != "" and self.kind(loaded).category == "infantry")

    def in_zone(self, unit: str, hex_: str, where: dict[str, str]) -> bool:
        """Return whether enemies that the unit does not overrun have a zone in a hex."""
        side, spared = self.board.side_of[unit], self.overrun_hex(unit)
        near = {each for each in self.board.hexmap.around[hex_] if each and each != spared}
        return any(
            at in near and self.board.side_of[other] != side and self.zone_of(other) for other, at in where.items()
        )

    def cost(self, unit: str, start: str, hex_: str) -> int:
        """Return the half points of a step, computed from the printed chart."""
        column = COLUMNS[COLUMN[self.kind(unit).category]]
        side = set(self.board.hexmap.side_of(start, hex_)) if start else set()
        for feature in ("road", "bridge", "ford", "stream"):
            if feature in side:
                return int(SIDE[feature, column])
        kinds = set(self.board.hexmap.terrain_of(hex_))
        ground = max(int(GROUND[kind, column]) for kind in (["town"] if "town" in kinds else kinds))
        return max(ground, int(GROUND["wreck", column])) if hex_ in self.wrecks else ground

    def plot_of(self, unit: str) -> list[str]:
        return (self.state.panic_plots.get(unit) or self.state.plots[unit]).split()

    def first_overrun_step(self, unit: str) -> int:
        """Return the index of the step into the hex that a unit overruns, or 1000 if it overruns none."""
        words = self.plot_of(unit)
        if not words or words[-1][0] != "V":
            return 1000
        return sum(int(word[1:]) for word in words[:-1] if word[0] in LETTERS) + words[0][0].isdigit()

    def overrun_hex(self, unit: str) -> str:
        number = self.first_overrun_step(unit)
        return self.path(unit)[number][1] if number < 1000 else ""

    def path(self, unit: str) -> list[tuple[int, str]]:
        """Return the undisturbed path of a plot as (half points spent, hex)."""
        words, at, spent, steps = self.plot_of(unit), self.start[unit], 0, []
        for word in words:
            if word[0].isdigit():
                spent += self.cost(unit, "", word)
                steps.append((spent, word))
                at = word
            elif word[0] == "S":
                spent += 2 * int(word[1:])
            elif word[0] == "V":
                for extra in (0, 4):
                    nearby = self.board.hexmap.around[at][LETTERS.index(word[1])]
                    spent += extra + self.cost(unit, at, nearby)
                    steps.append((spent, nearby))
                    at = nearby
            else:
                for _ in range(int(word[1:])):
                    nearby = self.board.hexmap.around[at][LETTERS.index(word[0])]
                    spent += self.cost(unit, at, nearby) if nearby else 0
                    steps.append((spent, nearby))
                    at = nearby
        return steps

    def moved(self, tick: int, hexes: dict[str, str]) -> None:
        assert self.phase == "movement"
        if self.strict:
            self.record_stops(self.arrived)
        self.arrived = dict(hexes)
        before = dict(self.where)
        self.where |= hexes
        for unit, hex_ in hexes.items():
            assert unit not in self.unfit, f"{unit} is pinned or disrupted and moves"
            assert not self.state.units[unit].carrier
            assert self.kind(unit).category != "artillery"
            assert tick <= 2 * self.kind(unit).movement or self.state.options["movement_clock"] != "mp_ticks"
            trail = self.entered.setdefault(unit, [])
            trail.append((tick, hex_))
            if self.strict:
                self.check_step(unit, trail, before)

    def backed_up(self, event: events.UnitBackedUp) -> None:
        if event.why == "overrun":  # it stops in front of its target without entering it (R-KP-53)
            self.where[event.unit] = self.arrived[event.unit] = event.hex

    def check_step(self, unit: str, trail: list[tuple[int, str]], before: dict[str, str]) -> None:
        expected = self.path(unit)
        assert trail == expected[: len(trail)], f"{unit}: {self.plot_of(unit)}"
        overrunning = len(trail) - 1 >= self.first_overrun_step(unit)
        assert unit not in self.held or overrunning, f"{unit} was held in {self.held.get(unit)}"
        start = before.get(unit, "")
        if start and not overrunning and self.in_zone(unit, start, before):
            assert not self.in_zone(unit, trail[-1][1], self.where), f"{unit} went from zone to zone"

    def record_stops(self, hexes: dict[str, str]) -> None:
        """Record units in an enemy zone at the end of a tick in which they or that enemy arrived (R-KP-07, step 8)."""
        around = self.board.hexmap.around
        for unit, at in self.where.items():
            if unit not in self.state.plots or len(self.entered.get(unit, ())) > self.first_overrun_step(unit):
                continue
            if unit in hexes:
                held = self.in_zone(unit, at, self.where)
            else:
                came = {
                    each: hex_ for each, hex_ in hexes.items() if self.start[each] not in around[self.start[unit] or at]
                }
                held = self.in_zone(unit, at, came)
            if held:
                self.held.setdefault(unit, at)

    def left(self, event: events.UnitsExited) -> None:
        for unit in event.edges:
            assert event.edges[unit] in self.board.exits[self.board.side_of[unit]]
            self.where.pop(unit, None)

    # --- the end of a phase ---

    def end_phase(self, phase: str) -> None:
        units = self.state.units
        assert all(0 <= unit.disruption <= 3 for unit in units.values())
        for unit in units.values():
            if unit.carrier:
                assert (unit.hex, unit.standing) == (units[unit.carrier].hex, units[unit.carrier].standing)
            if unit.standing == DESTROYED:
                assert unit.hex == ""
        if phase in {"movement", "recovery"}:
            self.check_stacks()
        if phase == "movement":
            assert self.wrecks_to_come <= set(self.state.wrecks)
            assert self.wrecks_to_come | self.wrecks == set(self.state.wrecks)
            assert self.state.impacts == []

    def check_stacks(self) -> None:
        stacks: dict[str, list[str]] = {}
        for unit_id, unit in self.state.units.items():
            if unit.standing == ON_MAP and not unit.carrier:
                assert self.board.hexmap.holds(unit.hex)
                stacks.setdefault(unit.hex, []).append(unit_id)
        for hex_, stack in stacks.items():
            assert len({self.board.side_of[unit] for unit in stack}) == 1, f"enemies together in {hex_}"
            categories = sorted(self.kind(unit).category for unit in stack)
            assert len(stack) == 1 or categories == ["artillery", "infantry"], f"{categories} in {hex_}"
            if hex_ in self.state.entrenchments and self.state.options["embark_entrenched"] == "forbidden":
                assert set(categories) <= {"artillery", "infantry"}
