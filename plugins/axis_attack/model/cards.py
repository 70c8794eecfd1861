"""The cards of the game: platoon types with sizes and prices, company lists, missions, sectors and the board.

Cards are immutable and are found by id. The side ``german`` has its home in the west (sector 1), ``soviet`` in the
east; a scenario may give them different titles. Teams are counted teams, which exclude transport and upgrade teams
(AOA-10.03).
"""

from dataclasses import dataclass, field

GERMAN, SOVIET = "german", "soviet"
SIDES = (GERMAN, SOVIET)
ENEMY = {GERMAN: SOVIET, SOVIET: GERMAN}

COMBAT, WEAPONS, HQ, SUPPORT = "combat", "weapons", "hq", "support"
SLOTS = (HQ, COMBAT, WEAPONS, SUPPORT)

DESTROYED, GUTTED, DEPLETED, UNDER, FULL = range(5)
"""The levels of strength, from the lowest to the highest (AOA-11.07)."""
LEVEL_TITLES = ("destroyed", "gutted", "depleted", "under strength", "full strength")

FOOT, MOTOR, ORGANIC = "foot", "motor", "organic"
"""Transport of a platoon: none, vehicles that carry it, or the platoon consists of vehicles (AOA-3.11)."""

KINDS = ("afv", "light_afv", "infantry", "gun", "artillery")
AIR_LEVELS = ("sporadic", "limited", "priority")
PROFILES = ("close_support", "superiority", "interdiction")
MISSIONS = ("breakthrough", "encounter", "cauldron", "fighting_withdrawal", "hold_the_line", "trench_fight")
"""The ladder of missions, from the highest selection score to the lowest (AOA-8.13 to AOA-8.18)."""


@dataclass(frozen=True, slots=True)
class Size:
    """A legal size of a platoon: counted teams, points and transports."""

    teams: int
    points: int
    transports: int = 0


@dataclass(frozen=True, slots=True)
class Upgrade:
    """An upgrade that a platoon can buy: its points each, and the maximum number (1 for an upgrade of the platoon)."""

    id: str
    title: str
    points: int
    most: int = 1


@dataclass(frozen=True, slots=True)
class PlatoonType:
    """A platoon of a list (AOA-1.05).

    ``sizes`` are in rising order. The first is depleted, the last full strength. A size of floor((least + most) / 2)
    teams between them is under strength (AOA-1.07 to AOA-1.10). ``kind`` is the kind of unit on the table. ``carries``
    is the number of teams that each of its vehicles can carry (AOA-3.15). ``vehicle`` is the type of its transports,
    which decides the platoons that can take them (AOA-10.19). ``towed`` guns cannot ride on tanks (AOA-3.14). A platoon
    that ``bombards`` may be off the table, ``smoke`` can fire smoke, ``staff`` has a staff team. ``most`` is the
    maximum number of such platoons in a company.
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
    """A platoon of a starting force: its type, its teams, and the number of each upgrade."""

    id: str
    type: str
    teams: int
    upgrades: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompanyList:
    """A list from which companies are built: platoon types by id, limits, and prices of the HQ and of air support.

    ``least`` and ``most`` limit the number of combat platoons; ``weapons`` and ``supports`` are the maximum numbers of
    the others. ``company`` is tank, mechanized or infantry, and decides the attacker of some defensive battles.
    ``start`` is the list's starting force, and ``air`` has its aircraft: the level by type. ``bombers`` are the
    ``aircraft`` that choose a load. ``points`` is the list's own total for a starting force, or 0 for the campaign's.
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
    """A mission: its result if the attacker wins and if the defender wins, and its special rules (AOA-R34).

    Results are advance, hold, breakthrough and retreat (AOA-7.02 to AOA-7.06). ``defender`` is "" if both sides
    attack. ``tabletop`` is its name for the resolver.
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
    """A sector of the track, numbered from the German home: its name, and its map in squares (AOA-R42)."""

    number: int
    title: str
    columns: int = 4
    rows: int = 3
    terrain: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """The data of a scenario, which play does not change.

    ``points`` is the agreed total of a starting force (AOA-1.01); a list may have its own. ``limit`` is the maximum of
    a game (AOA-3.02), ``turns`` the length of the campaign (AOA-12.02). ``start_sector`` is the first sector (AOA-R02),
    and ``start_points`` are the victory points of each side before the first game, without bids (AOA-R07). ``table`` is
    the size of a table, in columns and rows of a sector's map. ``home`` is the home sector of each side.
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
        """Return the sector with this number."""
        return self.sectors[number - 1]

    def type_of(self, side: str, type_id: str) -> PlatoonType:
        """Return a platoon type of a side's list."""
        return self.lists[side].types[type_id]
