"""What the staff officer reckons with: distances to the objective, his forces, and what the enemy may have."""

from functools import cached_property
from heapq import heappop, heappush
from typing import Any

from damos.board import GERMAN, Board
from damos.state import ON_MAP

FAR = 1 << 16
ROAD = 3
"""So many hexes from the rails supply is thought to reach."""
BY_RAIL, CROSS_COUNTRY = 1, 1
"""What a hex counts for: where the railway is taken, supply follows."""


class Outlook:
    """A side's view of the game, set out for quick questions; only what that side may know is in it."""

    def __init__(self, view: Any, board: Board, side: str) -> None:
        self.view, self.board, self.side = view, board, side
        self.enemy = board.enemy_of(side)
        self.units = view.units

    @cached_property
    def stacks(self) -> dict[str, dict[str, list[str]]]:
        """By side and hex, the units on the map."""
        found: dict[str, dict[str, list[str]]] = {side: {} for side in self.board.sides}
        for unit_id, unit in self.units.items():
            if unit.standing == ON_MAP:
                found[unit.side].setdefault(unit.hex, []).append(unit_id)
        return found

    @property
    def distances(self) -> dict[str, int]:
        """By hex of the area, how far it is to the objective, marsh left out: along the railways it is less."""
        known: dict[str, int] | None = self.board.caches.get("staff distances")
        if known is None:
            known = self.board.caches["staff distances"] = self._reckon_distances()
        return known

    def _reckon_distances(self) -> dict[str, int]:
        goal, board = self.board.victory.objective, self.board
        found: dict[str, int] = {}
        queue = [(0, goal)]
        while queue:
            far, hex_ = heappop(queue)
            if hex_ in found:
                continue
            found[hex_] = far
            for near in board.around[hex_]:
                if near in board.area and near not in board.marsh and near not in found:
                    heappush(queue, (far + (BY_RAIL if near in board.rail_around else CROSS_COUNTRY), near))
        return found

    def far(self, hex_: str) -> int:
        """Return how far it is to the objective, in ``BY_RAIL`` and ``CROSS_COUNTRY``."""
        return self.distances.get(hex_, FAR)

    def strength(self, unit_ids: list[str]) -> int:
        """Return the strength of units: what is known of it, else as printed."""
        return sum(self._sp(each) for each in unit_ids)

    def _sp(self, unit_id: str) -> int:
        known = self.units[unit_id].sp
        return self.board.counters[unit_id].sp if known is None else int(known)

    def enemies_in(self, hex_: str) -> list[str]:
        """Return the enemy units in a hex."""
        return self.stacks[self.enemy].get(hex_, [])

    def odds(self, unit_ids: list[str], hex_: str) -> int:
        """Return own strength for each hundredth of the enemy's in a hex; plenty where nobody is."""
        there = self.strength(self.enemies_in(hex_))
        return 100 * self.strength(unit_ids) // there if there else FAR

    @cached_property
    def supplied(self) -> frozenset[str]:
        """The hexes that a supply line of three hexes reaches from the own rails: near enough to the truth."""
        board = self.board
        rails = self.view.converted if self.side == GERMAN else tuple(board.rail_around)
        found = {hex_ for hex_ in rails if self.view.control.get(hex_, board.home[hex_]) == self.side}
        for _ in range(ROAD):
            found |= {near for hex_ in found for near in board.around[hex_] if not self.enemies_in(near)}
        return frozenset(found)

    @property
    def gates(self) -> tuple[str, ...]:
        """The hexes beside the objective, which make a minor victory (AGC-5.0c)."""
        return self.board.around[self.board.victory.objective]

    def free_gates(self, hex_: str) -> list[str]:
        """Return the gates beside a gate in which nobody stands."""
        if not self.advances() or hex_ not in self.gates:
            return []
        near = [each for each in self.board.around[hex_] if each in self.gates]
        return [each for each in near if not self.enemies_in(each) and not self.stacks[self.side].get(each)]

    def advances(self) -> bool:
        """Tell whether the side has to take the objective; the other one only has to keep it."""
        return self.side == GERMAN

    def is_mobile(self, unit_id: str) -> bool:
        """Tell whether a unit projects a zone of influence by what is printed on it."""
        return self.board.counters[unit_id].zoi
