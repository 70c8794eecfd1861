"""Railways and sources of supply lines (AGC-4.3): converted rail to the west, unconverted rail to the east."""

from typing import TYPE_CHECKING, NamedTuple

from damos.model.state import DamosState
from damos.model.tables import GERMAN

if TYPE_CHECKING:
    from damos.model.board import Board

SUMMER_HEXES, WINTER_HEXES, SOVIET_HEXES = 3, 2, 5


def supply_length(state: DamosState, side: str) -> int:
    """Return the maximum length in hexes of the part off the railway (AGC-4.3.1a, AGC-4.3.2a).

    The German part is shorter in winter (AGC-4.3.1b), the Soviet part is not (AGC-4.3.2c).
    """
    if side != GERMAN:
        return SOVIET_HEXES
    return WINTER_HEXES if state.board.period(state.turn).is_winter else SUMMER_HEXES


def own_rail(state: DamosState, side: str, hex_: str) -> bool:
    """Return whether a side can use the railway in a hex: under friendly control and of its gauge (AGC-4.3.1c)."""
    if hex_ not in state.board.rail_around or state.control.get(hex_) != side:
        return False
    return (hex_ in state.converted) == (side == GERMAN)


def usable_rails(state: DamosState, side: str) -> list[str]:
    """Return the rail hexes that a side can use (AGC-4.3.1a, AGC-4.3.2a)."""
    control = state.control
    if side == GERMAN:
        return [hex_ for hex_ in state.converted if control.get(hex_) == side]
    converted = set(state.converted)
    return [hex_ for hex_ in state.board.rail_around if control.get(hex_) == side and hex_ not in converted]


def rail_sources(state: DamosState, side: str) -> list[str]:
    """Return the hexes where a supply line by rail ends: west edge, or cities and east edge (AGC-4.3.2b).

    With ``los_core_vs_agc`` "both", a friendly city without a railway is also an end (R-DM-74).
    """
    ends = [hex_ for hex_ in state.board.sources[side] if own_rail(state, side, hex_)]
    return sorted({*ends, *_core_sources(state, side)})


def is_supply_source(state: DamosState, side: str, hex_: str) -> bool:
    """Return whether a hex is a source for units in it, or for units that trace to it by any path (R-DM-36, R-DM-23).

    Sources are the west edge for the Germans, and the east edge and friendly cities in Russia for the Soviets
    (AGC-4.3.2b). Cities outside the area are not sources (AGC-1.3e).
    """
    board = state.board
    if hex_ in board.entries[side] and (state.control.get(hex_) == side or hex_ in board.edges[EDGES[side]]):
        return True
    return hex_ in _core_sources(state, side)


def supply_sources(state: DamosState, side: str) -> list[str]:
    """Return all hexes that are sources by ``is_supply_source``, sorted."""
    hexes = {*state.board.entries[side], *_core_sources(state, side)}
    return sorted(hex_ for hex_ in hexes if is_supply_source(state, side, hex_))


EDGES = {"german": "west", "soviet": "east"}


def _core_sources(state: DamosState, side: str) -> list[str]:
    """Return the friendly cities if the series rules apply in addition to the exclusive ones (DM-2.10c, R-DM-74)."""
    if state.options["los_core_vs_agc"] != "both":
        return []
    board = state.board
    return [hex_ for hex_ in (*board.cities, *board.major_cities) if state.control.get(hex_) == side]


def supply_ground(board: "Board") -> frozenset[str]:
    """Return the hexes through which supply lines may run: the play area, and hexes behind the German frontier."""
    if "agc.supply_ground" not in board.caches:
        home = (hex_ for hex_, side in board.home.items() if side == GERMAN)
        board.caches["agc.supply_ground"] = board.retreat_area.union(board.area, home)
    ground: frozenset[str] = board.caches["agc.supply_ground"]
    return ground


class Line(NamedTuple):
    """A line that can be extended: its railhead, and the first unconverted hex ahead."""

    railhead: str
    ahead: str


def railheads(state: DamosState) -> list[str]:
    """Return the railheads, sorted: converted, under German control, with unconverted line ahead.

    If the foremost hex of a line is lost, the line ends in the foremost hex that is held (R-DM-89).
    """
    found = {line.railhead for line in lines_ahead(state)}
    if state.options["railhead_when_lost"] == "foremost_held":
        converted, control = set(state.converted), state.control
        around: dict[str, tuple[str, ...]] = state.board.rail_around
        found |= {
            hex_
            for hex_ in state.converted
            if control.get(hex_) == GERMAN
            and any(near in converted and control.get(near) != GERMAN for near in around[hex_])
        }
    return sorted(found)


def lines_ahead(state: DamosState) -> list[Line]:
    """Return the lines that lead on from railheads, sorted, including those that cannot be extended now."""
    converted = set(state.converted)
    around: dict[str, tuple[str, ...]] = state.board.rail_around
    return [
        Line(hex_, near)
        for hex_ in state.converted
        if state.control.get(hex_) == GERMAN
        for near in around[hex_]
        if near not in converted
    ]
