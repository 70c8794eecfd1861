"""The facts that a scenario and the options fix: ground, compiled for play, purses and opening forces."""

from collections.abc import Mapping
from dataclasses import dataclass

from sandtable.areas import AreaMap

Neighbours = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Board:
    """The map and all other facts that do not change in a game. Read-only.

    ``spaces`` are the open spaces, sorted; ``closed`` has the terrain of the others. ``value``, ``owner`` (at the
    start), ``cities``, ``zones`` and ``mineable`` are facts of open spaces. ``land`` and ``air`` are the neighbors of
    each space by land and by air. ``land_distance`` and ``air_distance`` count steps; ``FAR`` means that no path
    exists. ``road`` is the road from end to end, and ``road_next`` the neighbors along it. ``rear`` has, by side and
    road space, the next two spaces toward the side's capital (DAA-R21, DAA-R22). ``purse_of`` names each power's purse;
    ``grant`` is each purse's part of the opening grant.
    """

    scenario: str
    title: str
    map: AreaMap
    names: dict[str, str]
    spaces: tuple[str, ...]
    closed: dict[str, str]
    value: dict[str, int]
    owner: dict[str, str]
    cities: tuple[str, ...]
    zones: tuple[str, ...]
    mineable: tuple[str, ...]
    capitals: dict[str, str]
    capital_of: dict[str, str]
    land: Neighbours
    air: Neighbours
    land_distance: dict[str, dict[str, int]]
    air_distance: dict[str, dict[str, int]]
    road: tuple[str, ...]
    road_next: Neighbours
    rear: dict[str, Neighbours]
    purse_of: dict[str, str]
    cash: dict[str, int]
    grant: dict[str, int]
    forces: dict[str, dict[str, dict[str, int]]]
    round_limit: int

    def worth(self, control: Mapping[str, str], power: str) -> int:
        """Return the income of ``power`` from the spaces that it holds (DAA-14.04)."""
        return sum(self.value[space] for space, holder in control.items() if holder == power)


FAR = 1_000_000
