"""What a scenario and the options fix for good: sectors, missions, the lists of both sides."""

from dataclasses import dataclass

from axis_attack.model.cards import CompanyList, Mission, PlatoonType, Sector


@dataclass(frozen=True, slots=True)
class Board:
    """All that no campaign changes. Read-only.

    ``lists`` are by side. ``points`` is the agreed total of a starting force (AOA-1.01), ``limit`` that of a game
    (AOA-3.02), ``turns`` the length (AOA-12.02), ``start_sector`` where it begins (AOA-R02), ``start_points``
    what both have to begin with (AOA-R07). ``table`` is the size of a table in squares of a sector's map.
    """

    scenario: str
    title: str
    sides: dict[str, str]
    players: dict[str, str]
    sectors: tuple[Sector, ...]
    home: dict[str, int]
    missions: dict[str, Mission]
    lists: dict[str, CompanyList]
    points: int
    limit: int
    turns: int
    start_sector: int
    start_points: int
    table: tuple[int, int]

    def sector(self, number: int) -> Sector:
        """Return a sector by its number."""
        return self.sectors[number - 1]

    def type_of(self, side: str, type_id: str) -> PlatoonType:
        """Return a platoon type of a side's list."""
        return self.lists[side].types[type_id]
