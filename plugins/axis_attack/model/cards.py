"""What rosters and missions say, as data: platoon types with their sizes and prices, missions, sectors, air support.

Cards are plain, frozen and read by id. Sides are ``german`` (home in the west, sector 1) and ``soviet`` (home in the
east); titles may say otherwise. Teams are counted teams: neither transport nor upgrade teams (AOA-10.03).
"""

from dataclasses import dataclass, field

GERMAN, SOVIET = "german", "soviet"
SIDES = (GERMAN, SOVIET)
ENEMY = {GERMAN: SOVIET, SOVIET: GERMAN}

COMBAT, WEAPONS, HQ, SUPPORT = "combat", "weapons", "hq", "support"
SLOTS = (HQ, COMBAT, WEAPONS, SUPPORT)

DESTROYED, GUTTED, DEPLETED, UNDER, FULL = range(5)
"""Levels of strength in their order (AOA-11.07)."""
LEVEL_TITLES = ("destroyed", "gutted", "depleted", "under strength", "full strength")

FOOT, MOTOR, ORGANIC = "foot", "motor", "organic"
"""Transport: none of its own, vehicles that carry it, or the platoon is vehicles itself (AOA-3.11)."""

KINDS = ("afv", "light_afv", "infantry", "gun", "artillery")
AIR_LEVELS = ("sporadic", "limited", "priority")
PROFILES = ("close_support", "superiority", "interdiction")
MISSIONS = ("breakthrough", "encounter", "cauldron", "fighting_withdrawal", "hold_the_line", "trench_fight")
"""The ladder of missions, from the highest selection score to the lowest (AOA-8.13 to AOA-8.18)."""


@dataclass(frozen=True, slots=True)
class Size:
    """A legal size of a platoon: counted teams, points, and the transports that belong to it."""

    teams: int
    points: int
    transports: int = 0


@dataclass(frozen=True, slots=True)
class Upgrade:
    """An upgrade that is bought once: its points, and for how many teams at most (1 for the platoon as a whole)."""

    id: str
    title: str
    points: int
    most: int = 1


@dataclass(frozen=True, slots=True)
class PlatoonType:
    """A platoon of a list (AOA-1.05).

    ``sizes`` rise; the first is depleted, the last full, the one of floor((least + most) / 2) teams, if there is one
    between, under strength (AOA-1.07 to AOA-1.10). ``kind`` is what it is on the table. ``carries`` are the teams that
    each of its vehicles can take as tank riders (AOA-3.15), ``vehicle`` the type of its transports, for stripping
    (AOA-10.19). ``towed`` guns cannot ride (AOA-3.14). ``bombards``: may be off the table; ``smoke``: can fire smoke;
    ``staff``: has a staff team.
    """

    id: str
    title: str
    slot: str
    kind: str
    sizes: tuple[Size, ...]
    transport: str = FOOT
    vehicle: str = ""
    all_tanks: bool = False
    recon: bool = False
    towed: bool = False
    carries: int = 0
    bombards: bool = False
    smoke: bool = False
    staff: bool = False
    upgrades: tuple[Upgrade, ...] = ()
    most: int = 1


@dataclass(frozen=True, slots=True)
class Bought:
    """A platoon of a starting force: its type, teams, and upgrades by id with their number."""

    id: str
    type: str
    teams: int
    upgrades: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompanyList:
    """A list that companies are built from: its platoon types by id, limits of combat platoons, HQ, air support prices.

    ``least`` and ``most`` are limits on the number of combat platoons, ``supports`` and ``weapons`` on the others.
    ``company`` is tank, mechanised or infantry: who attacks in a defensive battle. ``start`` is the starting force that
    comes with it, ``air`` the aircraft bought with it by type and level; ``points`` the agreed total of one, where that
    is not the campaign's.
    """

    id: str
    title: str
    side: str
    company: str
    hq_points: int
    types: dict[str, PlatoonType]
    start: tuple[Bought, ...]
    skill: str = "trained"
    motivation: str = "confident"
    least: int = 2
    most: int = 3
    weapons: int = 9
    supports: int = 9
    air: dict[str, str] = field(default_factory=dict)
    air_points: dict[str, int] = field(default_factory=dict)
    aircraft: tuple[str, ...] = ()
    bombers: tuple[str, ...] = ()
    points: int = 0


@dataclass(frozen=True, slots=True)
class Mission:
    """A mission: its results for an attacker and a defender who wins, and its special rules.

    Results are advance, hold, breakthrough, retreat (AOA-7.02 to AOA-7.06). ``fair_fight``, ``defensive_battle``: see
    AOA-R34. ``tabletop`` is its name for the resolver.
    """

    id: str
    title: str
    attacker: str
    defender: str
    fair_fight: bool = False
    defensive_battle: bool = False
    tabletop: str = ""


@dataclass(frozen=True, slots=True)
class Sector:
    """A sector of the track, 1 (German home) to 7 (Soviet home): its name and its map in squares (AOA-R42)."""

    number: int
    title: str
    columns: int = 4
    rows: int = 3
    terrain: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """All that no campaign changes. Read-only.

    ``lists`` are by side. ``points`` is the agreed total of a starting force (AOA-1.01), but for a list that has its
    own; ``limit`` is that of a game (AOA-3.02), ``turns`` the length (AOA-12.02), ``start_sector`` where it begins
    (AOA-R02), ``start_points`` what both have to begin with (AOA-R07). ``table`` is the size of a table in squares of a
    sector's map.
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
    table: tuple[int, int]
    start_points: int = 0

    def points_of(self, side: str) -> int:
        """Return the agreed total of a side's starting force."""
        return self.lists[side].points or self.points

    def sector(self, number: int) -> Sector:
        """Return a sector by its number."""
        return self.sectors[number - 1]

    def type_of(self, side: str, type_id: str) -> PlatoonType:
        """Return a platoon type of a side's list."""
        return self.lists[side].types[type_id]
