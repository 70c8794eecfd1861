"""What a module and the options fix for good: the map compiled for play, the cards, victory."""

from dataclasses import dataclass

from khamsin.model.cards import AirCard, Change, Company, FormationCard, LeaderCard, NationCard, Pool, Victory, Weather
from sandtable.board.areas.map import AreaMap


@dataclass(frozen=True, slots=True)
class Board:
    """All that no campaign changes. Read-only; mappings are sorted by id unless said otherwise.

    ``sides`` gives the titles of the two sides, ``commanders`` their players by name, the commander in chief first.
    ``calendar`` labels the turns 1 to ``turns``. ``kind_between`` has each pair of neighbours both ways; ``cost`` is
    movement points by kind of connector and mobility, without weather. ``distances`` counts connectors.
    ``supply`` gives the sides that an area can supply, ``stocks`` the turns for which it does so once it is cut off
    from all of the side's others that have no such limit (no entry: always). ``base``: of each side; ``entries``: where
    its reinforcements and returning people may come on. ``fortress``: areas where a formation may be divided, and whose
    they are; ``fortified``: the side whose stationary formations are in fortifications there, fortresses included.
    ``objectives`` are areas that count at the end. ``closed``: where a side may not deploy. ``events``: by turn.
    ``guides``: by terrain, how to lay the table. ``apart``: nations that may not share an area.
    """

    module: str
    title: str
    sides: dict[str, str]
    commanders: dict[str, tuple[str, ...]]
    turns: int
    calendar: tuple[str, ...]
    map: AreaMap
    areas: tuple[str, ...]
    names: dict[str, str]
    terrain: dict[str, str]
    neighbours: dict[str, tuple[str, ...]]
    kind_between: dict[tuple[str, str], str]
    distances: dict[str, dict[str, int]]
    kinds: tuple[str, ...]
    cost: dict[str, dict[str, int]]
    cross_country: str
    control: dict[str, str]
    supply: dict[str, tuple[str, ...]]
    stocks: dict[str, int]
    base: dict[str, str]
    entries: dict[str, tuple[str, ...]]
    fortress: dict[str, str]
    fortified: dict[str, str]
    objectives: tuple[str, ...]
    closed: dict[str, tuple[str, ...]]
    guides: dict[str, str]
    companies: dict[str, Company]
    formations: dict[str, FormationCard]
    leaders: dict[str, LeaderCard]
    nations: dict[str, NationCard]
    pools: tuple[Pool, ...]
    weather: Weather
    air: dict[str, AirCard]
    victory: Victory
    events: dict[int, tuple[Change, ...]]
    stratagems: dict[str, tuple[str, ...]]
    apart: tuple[tuple[str, str], ...]
    base_points: int

    def around(self, area: str, steps: int = 1) -> tuple[str, ...]:
        """Return the areas within so many connectors of ``area``, without itself, sorted."""
        return tuple(sorted(other for other, far in self.distances[area].items() if 0 < far <= steps))

    def distance(self, start: str, end: str) -> int:
        """Count the connectors from ``start`` to ``end`` by the shortest way; every map is in one piece."""
        return self.distances[start][end]

    def is_fortified(self, area: str, side: str, formations: tuple[str, ...] = ()) -> bool:
        """Return whether a force of ``side``, stationary in ``area``, is in fortifications (KH-R26).

        It is where the area is fortified for it, or where each of its ``formations`` has works of its own.
        """
        if self.fortified.get(area) == side:
            return True
        return bool(formations) and all(area in self.formations[each].works for each in formations)

    def label(self, turn: int) -> str:
        """Return how the calendar calls a turn."""
        return self.calendar[turn - 1] if 0 < turn <= len(self.calendar) else f"turn {turn}"
