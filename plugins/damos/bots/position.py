"""The data of the staff bot: distances, forces, supply, the enemy's estimated strength, legal options."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, TypeVar

from damos.bots.paths import Legs, cached, distances, distances_to, legs, next_hexes, rail_distances, spread
from damos.combat.chances import Strength, win_chance
from damos.map.rails import SOVIET_HEXES, SUMMER_HEXES, WINTER_HEXES
from damos.map.stacking import excess_of
from damos.map.supplied import land
from damos.map.terrain import ground_of
from damos.map.zones import around_at
from damos.model.board import Board
from damos.model.forces import position_of
from damos.model.tables import DEMORALIZED_DEFENSE, GERMAN, SOVIET, UNSUPPLIED_ATTACK_PER_DIE, dice_of, zone_range
from damos.model.terrain_chart import RIVER
from damos.movement.pause import turns_of_pause
from sandtable import Decision, Form, Order

T = TypeVar("T")
FAR = 1 << 16
ON_FOOT = 6
"""Half movement points by which infantry arrives later than mobile units from the same hex."""
PACE, FOOT_PACE = 10, 8
"""Half movement points of advance in a turn of a dash: of a mobile force, and of infantry."""
SPARE = 1
"""Number of extra turns for the combats at the gates."""
FOOT_TURNS = 3
"""Maximum number of turns of an infantry dash; only the last turn if one hex next to the objective is enough."""
SPEARHEAD = 10
"""Number of mobile units that dash for a single hex next to the objective; for more hexes, all units dash."""
EVE, FORE = 6, 10
"""Number of turns left from which infantry leaves the foremost hexes to mobile units, and the depth of these hexes."""
GATE_HALVES = 2
"""Cost in halves of the step from a gate into the objective."""
AHEAD = 6
"""Number of rail hexes ahead of the railhead that matter: two or three turns of conversion (AGC-4.3.1d)."""


class StaffPosition:
    """A side's view of the game, prepared for fast queries. It contains only what that side may know.

    ``own`` and ``enemies`` are the stacks by hex, ``distances`` the cost in halves of a march to the ``objective``. The
    ``gates`` are the hexes next to it, which make a minor victory (AGC-5.0c).
    """

    def __init__(self, view: Any, board: Board, side: str) -> None:
        self.view, self.board, self.side = view, board, side
        self.options: Mapping[str, str] = view.options
        self.duties: Mapping[str, str] = {}
        self.enemy = board.enemy_of(side)
        self.units = view.units
        self._sides = position_of(view.units, board).sides
        self.own, self.enemies = self._sides[side].stacks, self._sides[self.enemy].stacks
        self.distances = distances(board)
        self.objective = board.victory.objective
        self.gates = board.around[self.objective]

    # --- forces ---

    def friends_in(self, hex_: str) -> list[str]:
        """Return the own units in a hex."""
        return self.own.get(hex_, [])

    def enemies_in(self, hex_: str) -> list[str]:
        """Return the enemy units in a hex."""
        return self.enemies.get(hex_, [])

    def meets_enemies(self, hexes: Iterable[str]) -> bool:
        """Return whether enemies are in any of these hexes."""
        return not self.enemies.keys().isdisjoint(hexes)

    def is_mobile(self, unit_id: str) -> bool:
        """Return whether a unit projects a zone of influence by its printed type."""
        return self.board.counters[unit_id].zoi

    def room_for(self, units: Sequence[str], hex_: str) -> bool:
        """Return whether units can end in a hex with the friends there; excess units are lost (DM-2.3e)."""
        stack = [*units, *(each for each in self.friends_in(hex_) if each not in units)]
        return self.fits(stack)

    def fits(self, units: Sequence[str]) -> bool:
        """Return whether units, in any hexes, could end in one hex."""
        return excess_of(self, units) == 0

    def strength(self, unit_ids: list[str]) -> int:
        """Return the strength of units: the known strength, or the printed one."""
        return sum(self._sp(each) for each in unit_ids)

    def _sp(self, unit_id: str) -> int:
        known = self.units[unit_id].sp
        return self.board.counters[unit_id].sp if known is None else int(known)

    # --- the ground ---

    @property
    def is_dry(self) -> bool:
        """Whether rivers have no effect on the side this turn (AGC-4.6.5a)."""
        return self.side == GERMAN and self.view.turn == 1

    @cached_property
    def steps(self) -> Legs:
        """The steps of the map with their cost this turn."""
        return legs(self.board, dry=self.is_dry)

    def far(self, hex_: str) -> int:
        """Return the distance to the objective in half movement points."""
        return self.distances.get(hex_, FAR)

    @cached_property
    def threat(self) -> Mapping[str, int]:
        """By hex, the cost in halves for the nearest enemy to march there; infantry comes later."""
        key = (self._sides[self.enemy], self.is_dry)
        return cached(self.board, "threat", key, self._threat)

    def _threat(self) -> Mapping[str, int]:
        begun = {
            hex_: 0 if any(map(self.is_mobile, units)) else ON_FOOT
            for hex_, units in self.enemies.items()
            if hex_ in self.steps
        }
        return spread(self.steps, begun)

    def on_duty(self, units: Sequence[str]) -> bool:
        """Return whether units go to a post or hold; if not, they advance on the objective."""
        return not self.advances() or units[0] in self.duties

    @cached_property
    def watched(self) -> frozenset[str]:
        """The hexes into which the enemy may react, judged by printed strengths (DM-2.6b)."""
        return cached(self.board, "watched", (self._sides[self.enemy], self.view.turn == 1), self._watched)

    def _watched(self) -> frozenset[str]:
        if self.enemy == SOVIET and self.view.turn == 1:  # AGC-4.6.1b
            return frozenset()
        found: set[str] = set()
        for hex_, units in self.enemies.items():
            if any(map(self.is_mobile, units)):
                reach = zone_range(sum(self.board.counters[each].sp for each in units))
                found.update(self.board.hexmap.within(hex_, reach))
        return frozenset(found)

    def distance_left(self, units: Sequence[str], hex_: str) -> int:
        """Return the distance in halves from a hex to the units' destination: their post, or the objective."""
        post = self.duties.get(units[0])
        return self.far(hex_) if post is None else distances_to(self.board, post).get(hex_, FAR)

    def advances(self) -> bool:
        """Return whether the side must take the objective; the other side only has to keep it."""
        return self.side == GERMAN

    @property
    def turns_left(self) -> int:
        """The number of turns left, including the current one."""
        return self.board.last_turn - int(self.view.turn) + 1

    def is_paused(self) -> bool:
        """Return whether mobile units may move at most one hex this turn (AGC-4.7a)."""
        paused = turns_of_pause(self.view.pause_turn, self.view.options)
        return self.side == GERMAN and self.view.turn in paused

    def is_losing(self) -> bool:
        """Return whether the side would lose if the game ended now (AGC-5.0), apart from isolation."""
        held = self.view.control.get(self.objective) == GERMAN
        stacks = self._sides[GERMAN].stacks
        won = held or sum(gate in stacks for gate in self.gates) >= self.board.victory.adjacent
        return won != (self.side == GERMAN)

    # --- supply ---

    @cached_property
    def enemy_zone(self) -> frozenset[str]:
        """The hexes in enemy zones of control (DM-2.5a)."""
        if self.enemy == SOVIET and self.view.turn == 1:  # AGC-4.6.1b
            return frozenset()
        return around_at(self.board, self._sides[self.enemy], self.units)

    @cached_property
    def _blocked(self) -> frozenset[str]:
        """The hexes that a supply line cannot pass: enemies, and their zones without a friend (DM-2.10a, DM-2.10b)."""
        return self.enemy_zone.difference(self.own).union(self.enemies)

    @property
    def supply_hexes(self) -> int:
        """Maximum length in hexes of the part of a supply line off the railway (AGC-4.3.1a, AGC-4.3.2a)."""
        if self.side != GERMAN:
            return SOVIET_HEXES
        return WINTER_HEXES if self.board.period(self.view.turn).is_winter else SUMMER_HEXES

    @cached_property
    def lasting_hexes(self) -> int:
        """Maximum length in hexes of a supply line that also holds next turn: winter is shorter (AGC-4.3.1b)."""
        winter = self.side == GERMAN and self.board.period(self.view.turn + 1).is_winter
        return WINTER_HEXES if winter else self.supply_hexes

    @cached_property
    def supply(self) -> Mapping[str, int]:
        """By hex with a supply line, its distance in hexes from the railway, as for a force that enters the hex."""
        key = (self.side, self.own_rails, self._blocked, self._sides[self.enemy], self.supply_hexes)
        return cached(self.board, "supply", key, lambda: self._supply(self._blocked))

    @cached_property
    def lasting_supply(self) -> Mapping[str, int]:
        """``supply`` with the zones that the enemy gets after turn 1 (AGC-4.6.1b)."""
        if self.enemy != SOVIET or self.view.turn > 1:
            return self.supply
        blocked = around_at(self.board, self._sides[self.enemy], self.units).difference(self.own).union(self.enemies)
        key = (self.side, self.own_rails, blocked, self._sides[self.enemy], self.supply_hexes)
        return cached(self.board, "supply", key, lambda: self._supply(blocked))

    def _supply(self, blocked: frozenset[str]) -> Mapping[str, int]:
        open_ = self.own_rails - blocked
        edge: Iterable[str] = cached(self.board, "live", (self.side, open_), lambda: self._live_rails(open_))
        found, ground = dict.fromkeys(edge, 0), land(self.board)
        for step in range(1, self.supply_hexes + 1):
            ends = next_hexes(ground, edge).difference(found, self.enemies)
            found.update(dict.fromkeys(ends, step))
            edge = ends - blocked
        return found

    def would_be_supplied(self, hex_: str) -> bool:
        """Return whether a force that enters a hex, or beats the enemies in it, has a supply line afterwards."""
        if hex_ not in self.enemies:
            return self.lasting_supply.get(hex_, FAR) <= self.lasting_hexes
        near = land(self.board).get(hex_, ())
        return any(self.lasting_supply.get(each, FAR) < self.supply_hexes for each in near if each not in self._blocked)

    def is_in_the_way(self, units: Sequence[str], hex_: str) -> bool:
        """Return whether infantry would occupy a foremost hex that units of the dash will need soon."""
        if not self.advances() or self.turns_left > EVE or all(map(self.is_mobile, units)) or self.dashes(units):
            return False
        return self.far(hex_) < self._gap + GATE_HALVES + FORE

    def dashes(self, units: Sequence[str]) -> bool:
        """Return whether units should leave supply now, since the railway will not reach the gates in time.

        Units go when the turns left are no more than they need from the foremost supplied hex, with ``SPARE`` for
        mobile units and at most ``FOOT_TURNS`` for infantry. If one gate is enough, only the spearhead goes before the
        last turn.
        """
        if all(map(self.is_mobile, units)):
            is_time = self.turns_left <= -(-self._gap // PACE) + SPARE
            return is_time and (self.turns_left == 1 or not self.spearhead.isdisjoint(units))
        return self.turns_left <= min(1 if self._is_single else FOOT_TURNS, -(-self._gap // FOOT_PACE))

    @property
    def _is_single(self) -> bool:
        """Whether occupying a single hex next to the objective is enough (AGC-5.0c)."""
        return self.board.victory.adjacent == 1

    @cached_property
    def spearhead(self) -> frozenset[str]:
        """The mobile units that make the dash: the nearest ones if one gate is enough, or all."""
        mobile = ((self.far(hex_), each) for hex_, stack in self.own.items() for each in stack if self.is_mobile(each))
        return frozenset(each for _, each in sorted(mobile)[: SPEARHEAD if self._is_single else None])

    @cached_property
    def _gap(self) -> int:
        """The distance in half movement points from the foremost supplied hex to the gates."""
        return max(0, min(map(self.far, self.supply), default=0) - GATE_HALVES)

    @cached_property
    def own_rails(self) -> frozenset[str]:
        """The railways that the side can use: under its control, and of its gauge (AGC-4.3.1c)."""
        held = _rails(self.board)(self.view.control)
        return cached(self.board, "rails", (self.side, held, self.view.converted), self._own_rails)

    def _own_rails(self) -> frozenset[str]:
        converted, control = set(self.view.converted), self.view.control
        gauge = (each for each in self.board.rail_around if (each in converted) == (self.side == GERMAN))
        return frozenset(each for each in gauge if control.get(each) == self.side)

    def _live_rails(self, open_: frozenset[str]) -> set[str]:
        """Return the railways among ``open_`` that are connected to a source."""
        live = set(open_.intersection(land(self.board)))
        found = edge = live.intersection(self.board.sources[self.side])
        while edge:
            edge = (next_hexes(self.board.rail_around, edge) & live) - found
            found = found | edge
        return found

    @cached_property
    def home_ground(self) -> frozenset[str]:
        """The hexes connected to the own edge by free hexes (DM-10.0b); a marching force does not hold a hex open."""
        marching = set(self.view.active)
        held = {hex_ for hex_, units in self.own.items() if not marching.issuperset(units)}
        barred = (self.enemy_zone - held).union(self.enemies)
        sources = frozenset(self.sources)
        return cached(self.board, "home", (barred, sources), lambda: self._home_ground(barred, sources))

    def _home_ground(self, barred: frozenset[str], sources: frozenset[str]) -> frozenset[str]:
        ground = land(self.board)
        found = edge = set(sources - barred)
        while edge:
            edge = (next_hexes(ground, edge) - found) - barred
            found = found | edge
        return frozenset(found)

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The hexes where the side's lines across country may end: on its edge, in its cities (R-DM-23)."""
        edges, control = {*self.board.edges["west"], *self.board.edges["east"]}, self.view.control
        return tuple(hex_ for hex_ in self.board.entries[self.side] if hex_ in edges or control.get(hex_) == self.side)

    def is_trapped(self, hex_: str) -> bool:
        """Return whether a force would have to surrender in a hex: cut off, with an enemy next to it (DM-10.0a)."""
        around = land(self.board).get(hex_, ())
        if not self.meets_enemies(around):
            return False
        return hex_ not in self.home_ground and self.home_ground.isdisjoint(around)

    # --- the railway ahead ---

    @cached_property
    def track(self) -> frozenset[str]:
        """The next hexes of the railway ahead of the railhead that is nearest to the objective by rail."""
        control = self.view.control
        heads = tuple(hex_ for hex_ in self.view.converted if control.get(hex_) == GERMAN)
        return cached(self.board, "track", heads, lambda: self._track(heads))

    def _track(self, heads: Iterable[str]) -> frozenset[str]:
        far = rail_distances(self.board)
        here = min((hex_ for hex_ in heads if hex_ in far), key=lambda hex_: (far[hex_], hex_), default="")
        found: list[str] = []
        while here and far[here] > 0 and len(found) < AHEAD:
            here = min(self.board.rail_around[here], key=lambda hex_: (far.get(hex_, FAR), hex_))
            found.append(here)
        return frozenset(found)

    @cached_property
    def missing_track(self) -> frozenset[str]:
        """The hexes of ``track`` that the side does not control yet (R-DM-57)."""
        return frozenset(hex_ for hex_ in self.track if self.view.control.get(hex_) != self.side)

    @cached_property
    def breaks(self) -> list[str]:
        """The unusable hexes of the own railway: lost, or in an enemy zone without a friend in them."""
        control = self.view.control
        ground = land(self.board)
        return [
            hex_
            for hex_ in self.view.converted
            if hex_ in ground and (control.get(hex_) != self.side or hex_ in self._blocked)
        ]

    def blocks(self, hex_: str) -> bool:
        """Return whether an enemy in a hex blocks the extension of the railway (AGC-4.3.1e)."""
        return hex_ in self.track or not self.track.isdisjoint(self.board.around[hex_])

    # --- combat ---

    def is_starved(self, hex_: str) -> bool:
        """Return whether enemies in a hex are on a railway that they use, or too far from it to be in supply."""
        return hex_ in self.enemy_rails or self.enemy_rails.isdisjoint(self.board.hexmap.within(hex_, self.far_hexes))

    @cached_property
    def far_hexes(self) -> int:
        """Maximum length in hexes of the enemy's supply line off the railway."""
        return SOVIET_HEXES if self.enemy != GERMAN else SUMMER_HEXES

    @cached_property
    def enemy_rails(self) -> frozenset[str]:
        """The railways that the enemy can use."""
        converted, control = set(self.view.converted), self.view.control
        gauge = (each for each in self.board.rail_around if (each in converted) == (self.enemy == GERMAN))
        return frozenset(each for each in gauge if control.get(each) == self.enemy)

    def chance(self, units: list[str], start: str, hex_: str, modifier: int = 0) -> int:
        """Return the percentage of attacks from a hex on the enemies in an adjacent one that succeed (DM-8.2)."""
        enemies = self.enemies_in(hex_)
        ground = ground_of(self.board, hex_)
        points = self.strength(units)
        points = max(1, points + ground.attack - self._lost_across(points, start, hex_))
        if self.supply.get(start, FAR) >= self.supply_hexes:
            modifier += UNSUPPLIED_ATTACK_PER_DIE * dice_of(points)
        if any(self.units[each].demoralized for each in enemies):
            modifier += DEMORALIZED_DEFENSE
        return win_chance(Strength(points, modifier), Strength(self.strength(enemies) + ground.defense))

    def _lost_across(self, points: int, start: str, hex_: str) -> int:
        """Return the strength that a river subtracts from an attack."""
        per = self.board.aid.hexsides[RIVER].attack_per
        wet = RIVER in self.board.hexmap.sides.get((start, hex_), ()) and not self.is_dry
        return -(-points // per) if wet and per else 0


def _rails(board: Board) -> Callable[[Mapping[str, str]], tuple[str, ...]]:
    """Return a function that picks the controllers of all rail hexes from ``control``."""
    if "staff rails" not in board.caches:
        board.caches["staff rails"] = itemgetter(*board.rail_around)
    picks: Callable[[Mapping[str, str]], tuple[str, ...]] = board.caches["staff rails"]
    return picks


def field_of(decision: Decision, kind: type[Order], field: str) -> Any:
    """Return the space of a field of the form for orders of a type, or None."""
    spaces = getattr(decision.options, "spaces", ())
    return next((each.fields[field] for each in spaces if isinstance(each, Form) and each.order is kind), None)
