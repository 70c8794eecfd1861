"""Module data about companies, formations, leaders, nations, weather, air forces, victory and scheduled changes.

Cards are frozen data; their fields are read by name. Ids are lower-case words. Sides are ``axis`` and ``allies``. Turns
count from 1, costs are movement points, and probabilities are the lowest face of a d6 that succeeds.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sandtable.areas import AreaMap

AXIS, ALLIES = "axis", "allies"
SIDES = (AXIS, ALLIES)
ENEMY = {AXIS: ALLIES, ALLIES: AXIS}

RECON, MOTOR, SEMI_MOTOR, LEG = "recon", "motor", "semi_motor", "leg"
MOBILITIES = (RECON, MOTOR, SEMI_MOTOR, LEG)
"""Mobility classes from the quickest to the slowest (KH-8.01 to KH-8.04)."""

ARCHETYPES = ("armor", "mechanized", "infantry", "recon")
"""Kinds of roster that a company may have on a table."""
INTEL_CLASSES = ("infantry", "mechanized", "armor")
"""Classes of companies, the only detail of a company that intelligence reveals to an enemy (KH-6.05)."""

DEDICATED, POOL = "dedicated", "pool"
SYSTEMS = (DEDICATED, POOL)
SKILLS = ("conscript", "trained", "veteran")
MOTIVATIONS = ("reluctant", "confident", "fearless")
AIR_LEVELS = ("none", "sporadic", "limited", "priority")

AirRule: TypeAlias = Literal["full", "none", "needs_six"]
AIR_RULES: tuple[AirRule, ...] = ("full", "none", "needs_six")
"""Effects of weather on air support."""

CHAIN, AREA, INEFFECTIVE = "chain", "area", "ineffective"
CONDITION_KINDS = (CHAIN, AREA, INEFFECTIVE)
EVENT_KINDS = ("supply_on", "supply_off", "air", "weather", "control", "replacements", "note")


@dataclass(frozen=True, slots=True)
class Company:
    """A company type: an option of formations on the table (KH-1.06).

    ``archetype`` selects its roster. ``intel`` is the class by which the enemy knows it (KH-R101).
    """

    type: str
    title: str
    archetype: str
    intel: str


@dataclass(frozen=True, slots=True)
class FormationCard:
    """The unchanging data of a formation (KH-2.07).

    ``options`` are company types, the most usual first. ``intel`` is the class of the formation as a whole. ``start``
    are the areas where it may be deployed: one area is fixed, and an empty tuple means that it is not on the map at the
    start. ``enters`` is the turn of its entry, 0 for the start. ``entries`` are its entry areas: the scheduled one
    first, then the permitted alternatives (KH-4.05). It may not leave its area before the turn ``held_until``. 0 sets
    no limit, and a turn after the last one holds it for the whole campaign. ``historical`` is its historical area. A
    formation that ``bombards`` fields no company and supports the force in its area. In an area of ``works`` it counts
    as fortified while it is stationary.
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
    """A leader who adds ``bonus`` to activation rolls of formations of their ``corps``, or of all if "" (KH-9.03).

    ``command`` means that the leader brings a higher command team (KH-17.03), ``character`` that they can be a casualty
    on a table (KH-23.01). ``start`` are the areas where they may begin.
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
    """A nation with its replacement ``system`` (KH-5.10) and the quality of its troops.

    With ``doctrine`` its formations may move when they should regroup (KH-20.07). ``lists`` names the tabletop lists
    for its companies (KH-1.12).
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
    """Replacement points that a side receives for ``nations`` in each turn from ``first`` to ``last`` (KH-5.01)."""

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

    ``extra`` are the additional movement points of a connector, by kind. ``air`` is the effect on air support,
    ``interdiction`` whether areas can be interdicted, and ``composition`` whether recon formations report the companies
    that they see. ``effects`` are descriptions for the players at the table; ``mud`` (0 to 4) is their value for a
    computed battle.
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
    """The weather of the campaign.

    ``first`` is the weather of turn 1, or "" if it is rolled, too. ``table`` has six ids of ``cards``, by d6.
    """

    first: str
    table: tuple[str, ...]
    cards: dict[str, WeatherCard]


@dataclass(frozen=True, slots=True)
class AirCard:
    """The air force of a side in one turn.

    It gives support of ``level`` in up to ``engagements`` engagements (KH-7.04) and may interdict up to
    ``interdictions`` areas. An interdiction succeeds on a die of ``needs`` or more, always if ``needs`` is 1 (KH-7.06).
    """

    side: str
    level: str = "none"
    engagements: int = 0
    interdictions: int = 0
    needs: int = 1


@dataclass(frozen=True, slots=True)
class Chain:
    """A victory by a chain of controlled areas from ``start`` to ``end``, held by ``side``.

    The chain must exist at the end of ``turns`` consecutive turns.
    """

    side: str
    start: str
    end: str
    turns: int
    text: str
    kind: Literal["chain"] = "chain"


@dataclass(frozen=True, slots=True)
class Held:
    """A victory of ``side`` by control of ``area`` at the end of ``turns`` consecutive turns."""

    side: str
    area: str
    turns: int
    text: str
    kind: Literal["area"] = "area"


@dataclass(frozen=True, slots=True)
class Broken:
    """A victory of ``side`` when ``count`` of the formations ``of`` are combat ineffective or permanently lost."""

    side: str
    of: tuple[str, ...]
    count: int
    text: str
    kind: Literal["ineffective"] = "ineffective"


Condition: TypeAlias = Chain | Held | Broken


@dataclass(frozen=True, slots=True)
class Victory:
    """The victory conditions of a campaign (KH-25.01).

    ``conditions`` end the campaign at once. If both sides meet a condition in the same turn, the side that comes first
    in ``ranks`` wins; without ``ranks`` the game is a draw. At the end of the last turn, a side scores the ``score`` of
    each area that it controls, and ``ineffective`` points for each enemy formation that is ineffective or lost. It wins
    if it leads by ``margin`` points or more.
    """

    conditions: tuple[Condition, ...]
    score: dict[str, int]
    ineffective: int = 0
    margin: int = 1
    ranks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the situation at the start of ``turn`` (KH-2.04). Both sides see ``text``.

    Fields used by each ``kind``: ``supply_on`` and ``supply_off`` use side and area, ``air`` side and ``level`` of
    support, ``weather`` the weather of this turn. ``control`` uses side and area, and has no effect if enemy formations
    are in the area. ``replacements`` uses side, nations (all of the side if empty), armor and general; these points are
    for this turn and in addition to the pools. ``note`` uses the text only.
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
    """The data of a campaign that no event changes. Read-only; mappings are sorted by id except as noted.

    ``sides`` has the titles of the two sides. ``commanders`` has their players by name, the commander in chief first.
    ``calendar`` labels the turns 1 to ``turns``.

    ``kind_between`` has each pair of adjacent areas in both directions. ``cost`` is in movement points by kind of
    connector and mobility, without weather. ``distances`` counts connectors.

    ``supply`` has the sides that an area can supply. ``stocks`` has the number of turns for which a supply area still
    supplies a side after it is cut off from all of the side's unlimited supply areas. An area without an entry is
    unlimited. ``base`` has the base area of each side. ``entries`` has the areas where a side's reinforcements and
    returning leaders may enter.

    ``fortress`` has the owner of each area where a formation may be divided. ``fortified`` has the side whose
    stationary formations are in fortifications in an area, fortresses included. ``objectives`` are areas that count at
    the end. ``closed`` has the areas where a side may not deploy. ``events`` is by turn. ``guides`` describes by
    terrain how to set up the table. ``apart`` has pairs of nations that may not share an area.
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
    neighbors: dict[str, tuple[str, ...]]
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
        """Return the areas within ``steps`` connectors of ``area``, sorted, without ``area`` itself."""
        return tuple(sorted(other for other, far in self.distances[area].items() if 0 < far <= steps))

    def distance(self, start: str, end: str) -> int:
        """Return the number of connectors on the shortest path from ``start`` to ``end``. All areas are connected."""
        return self.distances[start][end]

    def is_fortified(self, area: str, side: str, formations: tuple[str, ...] = ()) -> bool:
        """Return whether a force of ``side``, stationary in ``area``, is in fortifications (KH-R26).

        It is if the area is fortified for ``side``, or if each of its ``formations`` has its own works there.
        """
        if self.fortified.get(area) == side:
            return True
        return bool(formations) and all(area in self.formations[each].works for each in formations)

    def label(self, turn: int) -> str:
        """Return the calendar label of a turn."""
        return self.calendar[turn - 1] if 0 < turn <= len(self.calendar) else f"turn {turn}"
