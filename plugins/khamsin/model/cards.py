"""What a module says about single things: companies, formations, leaders, nations, weather, air, victory.

Cards are plain, frozen and read by name; ids are lower-case words. Sides are ``axis`` and ``allies``. Turns count from
1, costs are movement points, chances are what a d6 must show at least.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sandtable.areas import AreaMap

AXIS, ALLIES = "axis", "allies"
SIDES = (AXIS, ALLIES)
ENEMY = {AXIS: ALLIES, ALLIES: AXIS}

RECON, MOTOR, SEMI_MOTOR, LEG = "recon", "motor", "semi_motor", "leg"
MOBILITIES = (RECON, MOTOR, SEMI_MOTOR, LEG)
"""From the quickest to the slowest (KH-8.01 to KH-8.04)."""

ARCHETYPES = ("armour", "mechanised", "infantry", "recon")
"""Kinds of roster that a company may have on a table."""
INTEL_CLASSES = ("infantry", "mechanised", "armour")
"""All that an enemy may learn of a company (KH-6.05)."""

DEDICATED, POOL = "dedicated", "pool"
SYSTEMS = (DEDICATED, POOL)
SKILLS = ("conscript", "trained", "veteran")
MOTIVATIONS = ("reluctant", "confident", "fearless")
AIR_LEVELS = ("none", "sporadic", "limited", "priority")

AirRule: TypeAlias = Literal["full", "none", "needs_six"]
AIR_RULES: tuple[AirRule, ...] = ("full", "none", "needs_six")
"""What weather leaves of air support."""

CHAIN, AREA, INEFFECTIVE = "chain", "area", "ineffective"
CONDITION_KINDS = (CHAIN, AREA, INEFFECTIVE)
EVENT_KINDS = ("supply_on", "supply_off", "air", "weather", "control", "replacements", "note")


@dataclass(frozen=True, slots=True)
class Company:
    """A company type: an option of formations on the table (KH-1.06).

    ``archetype`` chooses its roster, ``intel`` is what an enemy calls it (KH-R101).
    """

    type: str
    title: str
    archetype: str
    intel: str


@dataclass(frozen=True, slots=True)
class FormationCard:
    """A formation (KH-2.07): what does not change in play.

    ``options`` are company types, the first the most usual; ``intel`` is the class of the formation as a whole.
    ``start`` are the areas in which it may be deployed: one is fixed, none means that it is not there at the start.
    ``enters`` is the turn of its entry, 0 for the start; ``entries`` are its areas of entry, the scheduled one first,
    then those allowed instead (KH-4.05). Before the turn ``held_until`` it may not leave its area (0: it is
    free; a turn after the last: it never may).
    ``historical`` is where it stood. One that ``bombards`` fields no company and helps the force that it is with.
    In an area of ``works`` it counts as fortified while it is stationary.
    """

    id: str
    title: str
    side: str
    nation: str
    corps: str
    mobility: str
    activation: int
    strength: int
    options: tuple[str, ...]
    intel: str
    start: tuple[str, ...] = ()
    commander: str = ""
    enters: int = 0
    entries: tuple[str, ...] = ()
    held_until: int = 0
    historical: str = ""
    bombards: bool = False
    works: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeaderCard:
    """A leader: adds ``bonus`` to activation rolls of formations of his ``corps``, "" for all (KH-9.03).

    ``command`` tells that he brings a higher command team (KH-17.03), ``character`` that he can be a casualty on a
    table (KH-23.01). ``start`` are the areas in which he may begin.
    """

    id: str
    title: str
    side: str
    bonus: int = 1
    corps: str = ""
    start: tuple[str, ...] = ()
    command: bool = False
    character: bool = False


@dataclass(frozen=True, slots=True)
class NationCard:
    """A nation: its replacement ``system`` (KH-5.10), the quality of its troops.

    With ``doctrine`` its formations may move when they should regroup (KH-20.07). ``lists`` are those that its
    companies are built from (KH-1.12).
    """

    id: str
    title: str
    side: str
    system: str = DEDICATED
    doctrine: bool = False
    skill: str = "trained"
    motivation: str = "confident"
    lists: str = ""


@dataclass(frozen=True, slots=True)
class Pool:
    """Replacement points that a side gets in each turn from ``first`` to ``last``, for these nations (KH-5.01)."""

    id: str
    side: str
    nations: tuple[str, ...]
    armor: int
    general: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class WeatherCard:
    """A kind of weather (KH-4.02).

    ``extra`` are movement points that a connector of a kind costs more. ``air`` is what it leaves of air support,
    ``interdiction`` whether areas can be interdicted, ``composition`` whether recon formations report what they see.
    ``effects`` are told at the table; ``mud`` (0 to 4) is for who computes there.
    """

    id: str
    title: str
    extra: dict[str, int] = field(default_factory=dict)
    air: AirRule = "full"
    interdiction: bool = True
    composition: bool = True
    effects: tuple[str, ...] = ()
    mud: int = 0


@dataclass(frozen=True, slots=True)
class Weather:
    """The weather: of the ``first`` turn ("" if it is rolled, too), and by d6 after it: six ids of ``cards``."""

    first: str
    table: tuple[str, ...]
    cards: dict[str, WeatherCard]


@dataclass(frozen=True, slots=True)
class AirCard:
    """A side's air force in a turn: support of ``level`` in so many ``engagements`` (KH-7.04).

    ``interdictions`` is how many areas it may interdict; each works on a die of ``needs`` or more, 1 always (KH-7.06).
    """

    side: str
    level: str = "none"
    engagements: int = 0
    interdictions: int = 0
    needs: int = 1


@dataclass(frozen=True, slots=True)
class Chain:
    """``side`` wins with controlled areas all the way from ``start`` to ``end`` at the end of so many turns running."""

    side: str
    start: str
    end: str
    turns: int
    text: str
    kind: Literal["chain"] = "chain"


@dataclass(frozen=True, slots=True)
class Held:
    """``side`` wins when it controls ``area`` at the end of so many turns running."""

    side: str
    area: str
    turns: int
    text: str
    kind: Literal["area"] = "area"


@dataclass(frozen=True, slots=True)
class Broken:
    """``side`` wins when ``count`` of the formations ``of`` are combat ineffective or gone for good."""

    side: str
    of: tuple[str, ...]
    count: int
    text: str
    kind: Literal["ineffective"] = "ineffective"


Condition: TypeAlias = Chain | Held | Broken


@dataclass(frozen=True, slots=True)
class Victory:
    """How a campaign is won (KH-25.01).

    ``conditions`` end it at once. When time is up, a side has the ``score`` of each area that it controls, and
    ``ineffective`` points for each enemy formation that is ineffective or gone; ``margin`` more than the enemy's win.
    If both sides meet a condition in one turn, the side that comes first in ``ranks`` wins; without ranks it is a draw.
    """

    conditions: tuple[Condition, ...]
    score: dict[str, int]
    ineffective: int = 0
    margin: int = 1
    ranks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the situation at the start of ``turn`` (KH-2.04); ``text`` is told to both sides.

    What a ``kind`` uses: ``supply_on`` and ``supply_off`` side and area; ``air`` side and ``level`` of support;
    ``weather`` that of this turn; ``control`` side and area (without enemy formations in it); ``replacements`` side,
    nations (none: all of the side), armor and general, in this turn besides the pools; ``note`` the text only.
    """

    turn: int
    kind: str
    text: str
    side: str = ""
    area: str = ""
    level: str = ""
    weather: str = ""
    nations: tuple[str, ...] = ()
    armor: int = 0
    general: int = 0


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
