"""What the staff officer works with: distances, forces, supply, the enemy's likely strength, open options."""

from functools import cached_property
from typing import Any

from damos.bots.evaluation import Strength, win_chance
from damos.bots.paths import Legs, distances, legs, rail_distances, supply_graph
from damos.map.rails import SOVIET_HEXES, SUMMER_HEXES, WINTER_HEXES
from damos.map.terrain import ground_of
from damos.model.board import Board
from damos.model.state import ON_MAP
from damos.model.tables import DEMORALIZED_DEFENCE, GERMAN, SOVIET, UNSUPPLIED_ATTACK_PER_DIE, dice_of
from damos.model.terrain_chart import RIVER
from damos.movement.pause import FIRST_TURNS, PAUSE_TURNS
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form

FAR = 1 << 16
AHEAD = 6
"""So many hexes of railway before the railhead are looked after: two or three turns of conversion (AGC-4.3.1d)."""


class Outlook:
    """A side's view of the game, set out for quick questions; only what that side may know is in it."""

    def __init__(self, view: Any, board: Board, side: str) -> None:
        self.view, self.board, self.side = view, board, side
        self.enemy = board.enemy_of(side)
        self.units = view.units

    # --- forces ---

    @cached_property
    def stacks(self) -> dict[str, dict[str, list[str]]]:
        """By side and hex, the units on the map."""
        found: dict[str, dict[str, list[str]]] = {side: {} for side in self.board.sides}
        for unit_id, unit in self.units.items():
            if unit.standing == ON_MAP:
                found[unit.side].setdefault(unit.hex, []).append(unit_id)
        return found

    def friends_in(self, hex_: str) -> list[str]:
        """Return the own units in a hex."""
        return self.stacks[self.side].get(hex_, [])

    def enemies_in(self, hex_: str) -> list[str]:
        """Return the enemy units in a hex."""
        return self.stacks[self.enemy].get(hex_, [])

    def is_mobile(self, unit_id: str) -> bool:
        """Tell whether a unit projects a zone of influence by what is printed on it."""
        return self.board.counters[unit_id].zoi

    def room_for(self, units: list[str], hex_: str) -> bool:
        """Tell whether units can end in a hex with the friends there: too many are lost (DM-2.3e)."""
        others = [each for each in self.friends_in(hex_) if each not in units]
        limits = self.board.stack_limits
        return len(units) + len(others) <= min(limits[self.board.counters[each].nation] for each in (*units, *others))

    def strength(self, unit_ids: list[str]) -> int:
        """Return the strength of units: what is known of it, else as printed."""
        return sum(self._sp(each) for each in unit_ids)

    def _sp(self, unit_id: str) -> int:
        known = self.units[unit_id].sp
        return self.board.counters[unit_id].sp if known is None else int(known)

    # --- the ground ---

    @property
    def is_dry(self) -> bool:
        """Tell whether rivers do not count for the side this turn (AGC-4.6.5a)."""
        return self.side == GERMAN and self.view.turn == 1

    @property
    def steps(self) -> Legs:
        """The steps of the map, and what they take this turn."""
        return legs(self.board, dry=self.is_dry)

    def far(self, hex_: str) -> int:
        """Return how far it is to the objective, in halves of movement points."""
        return distances(self.board).get(hex_, FAR)

    @property
    def objective(self) -> str:
        """The hex that the game is about."""
        return self.board.victory.objective

    @property
    def gates(self) -> tuple[str, ...]:
        """The hexes beside the objective, which make a minor victory (AGC-5.0c)."""
        return self.board.around[self.objective]

    def advances(self) -> bool:
        """Tell whether the side has to take the objective; the other one only has to keep it."""
        return self.side == GERMAN

    @property
    def turns_left(self) -> int:
        """How many turns are left, this one among them."""
        return self.board.last_turn - int(self.view.turn) + 1

    def is_paused(self) -> bool:
        """Tell whether mobile units make one hex at most this turn (AGC-4.7a)."""
        first = self.view.pause_turn + FIRST_TURNS[self.view.options["bso_first_turns"]]
        return self.side == GERMAN and self.view.pause_turn > 0 and first <= self.view.turn < first + PAUSE_TURNS

    # --- supply ---

    @cached_property
    def enemy_zone(self) -> frozenset[str]:
        """The hexes in enemy zones of control (DM-2.5a)."""
        if self.enemy == SOVIET and self.view.turn == 1:  # AGC-4.6.1b
            return frozenset()
        around, units = self.board.around, self.units
        firm = (h for h, force in self.stacks[self.enemy].items() if not all(units[each].demoralized for each in force))
        return frozenset(near for hex_ in firm for near in around[hex_])

    def _is_clear(self, hex_: str) -> bool:
        """Tell whether a supply line can pass a hex (DM-2.10a, DM-2.10b)."""
        return not self.enemies_in(hex_) and (hex_ not in self.enemy_zone or bool(self.friends_in(hex_)))

    @property
    def supply_hexes(self) -> int:
        """How long the part of a supply line off the railway may be (AGC-4.3.1a, AGC-4.3.2a)."""
        if self.side != GERMAN:
            return SOVIET_HEXES
        return WINTER_HEXES if self.board.period(self.view.turn).is_winter else SUMMER_HEXES

    @cached_property
    def supply(self) -> dict[str, int]:
        """By hex with a supply line, how many hexes it is from the railway; a force that goes there counts as there."""
        found, ground = dict.fromkeys(self._live_rails(), 0), supply_graph(self.board)
        edge = list(found)
        for step in range(1, self.supply_hexes + 1):
            near = {each for hex_ in edge for each in ground.get(hex_, ()) if each not in found}
            ends = sorted(each for each in near if not self.enemies_in(each))
            found.update(dict.fromkeys(ends, step))
            edge = [each for each in ends if self._is_clear(each)]
        return found

    @cached_property
    def own_rails(self) -> frozenset[str]:
        """The railways that the side can use (AGC-4.3.1c): in its hands, and of its gauge."""
        converted, control = set(self.view.converted), self.view.control
        gauge = (each for each in self.board.rail_around if (each in converted) == (self.side == GERMAN))
        return frozenset(each for each in gauge if control.get(each) == self.side)

    def _live_rails(self) -> list[str]:
        """Return the own railways that are joined to a source."""
        ground = supply_graph(self.board)
        live = {hex_ for hex_ in self.own_rails if hex_ in ground and self._is_clear(hex_)}
        found = [hex_ for hex_ in self.board.sources[self.side] if hex_ in live]
        live.difference_update(found)
        for hex_ in found:
            near = [each for each in self.board.rail_around.get(hex_, ()) if each in live]
            live.difference_update(near)
            found.extend(near)
        return found

    @cached_property
    def home_ground(self) -> frozenset[str]:
        """The hexes joined to the own edge by others that are clear (DM-10.0b); who is on the march joins nothing."""
        marching = set(self.view.active)
        held = {hex_ for hex_, units in self.stacks[self.side].items() if not marching.issuperset(units)}
        barred = (self.enemy_zone - held).union(self.stacks[self.enemy])
        ground = supply_graph(self.board)
        found = {hex_ for hex_ in self._sources() if hex_ not in barred}
        edge = list(found)
        while edge:
            near = {each for hex_ in edge for each in ground.get(hex_, ())}
            edge = [each for each in near if each not in found and each not in barred]
            found.update(edge)
        return frozenset(found)

    def _sources(self) -> list[str]:
        """Return where the side's lines across country may end: on its edge, in its cities (R-DM-23)."""
        board, control = self.board, self.view.control
        edges = {*board.edges["west"], *board.edges["east"]}
        return [hex_ for hex_ in board.entries[self.side] if hex_ in edges or control.get(hex_) == self.side]

    def is_trapped(self, hex_: str) -> bool:
        """Tell whether a force would have to surrender in a hex: cut off, and an enemy beside it (DM-10.0a)."""
        around = supply_graph(self.board).get(hex_, ())
        if not any(map(self.enemies_in, around)):
            return False
        return not any(each in self.home_ground for each in (hex_, *around))

    @cached_property
    def track(self) -> tuple[str, ...]:
        """The railway ahead of the railhead that is nearest to the objective by rail, the next hexes of it."""
        far = rail_distances(self.board)
        heads = [hex_ for hex_ in self.view.converted if hex_ in far and self.view.control.get(hex_) == GERMAN]
        here = min(heads, key=lambda hex_: (far[hex_], hex_), default="")
        found: list[str] = []
        while here and far[here] > 0 and len(found) < AHEAD:
            here = min(self.board.rail_around[here], key=lambda hex_: (far.get(hex_, FAR), hex_))
            found.append(here)
        return tuple(found)

    def wants(self, hex_: str) -> bool:
        """Tell whether a hex of the track is still to be taken (R-DM-57)."""
        return hex_ in self.track and self.view.control.get(hex_) != self.side

    def blocks(self, hex_: str) -> bool:
        """Tell whether an enemy in a hex keeps the railway from going on (AGC-4.3.1e)."""
        return hex_ in self.track or any(near in self.track for near in self.board.around[hex_])

    # --- combat ---

    def chance(self, units: list[str], start: str, hex_: str, modifier: int = 0) -> int:
        """Return in how many of a hundred attacks from a hex on the enemies in the next they win (DM-8.2)."""
        enemies = self.enemies_in(hex_)
        ground = ground_of(self.board, hex_)
        points = self.strength(units)
        points = max(1, points + ground.attack - self._lost_across(points, start, hex_))
        if self.supply.get(start, FAR) >= self.supply_hexes:
            modifier += UNSUPPLIED_ATTACK_PER_DIE * dice_of(points)
        if any(self.units[each].demoralized for each in enemies):
            modifier += DEMORALIZED_DEFENCE
        return win_chance(Strength(points, modifier), Strength(self.strength(enemies) + ground.defence))

    def _lost_across(self, points: int, start: str, hex_: str) -> int:
        """Return what a river takes of an attack's strength."""
        per = self.board.aid.hexsides[RIVER].attack_per
        wet = RIVER in self.board.hexmap.sides.get((start, hex_), ()) and not self.is_dry
        return -(-points // per) if wet and per else 0


def field_of(decision: Decision, kind: type[Order], field: str) -> Any:
    """Return the space of a field of the form for orders of a kind, None where there is none."""
    spaces = getattr(decision.options, "spaces", ())
    return next((each.fields[field] for each in spaces if isinstance(each, Form) and each.order is kind), None)


def groups_of(outlook: Outlook, fresh: list[str]) -> list[tuple[str, ...]]:
    """Return the forces of a hex: foot, mobile, and of each those who are demoralised, apart."""
    groups: dict[tuple[bool, bool], list[str]] = {}
    for each in fresh:
        groups.setdefault((outlook.is_mobile(each), outlook.units[each].demoralized), []).append(each)
    return [tuple(units) for _, units in sorted(groups.items())]
