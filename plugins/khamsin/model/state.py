"""The game at one moment: formations and leaders, control, orders written, engagements, what each side knows."""

from msgspec import Struct, field

from sandtable import State
from sandtable.tabletop import Attrition

WAITING, ON_MAP, IN_BASE, LOST = "waiting", "map", "base", "lost"
"""A formation is: not here yet, on the map, combat ineffective in its base (KH-22.14), out for good (KH-20.04)."""

WOUNDED, DEAD = "wounded", "dead"
"""A leader is these besides ``WAITING`` and ``ON_MAP`` (KH-23)."""

DEFENDS, FIGHTING, PRECIPITOUS, RECON = "stand", "fighting", "precipitous", "recon"
"""Ways to meet an engagement (KH-19)."""

ORDINARY, TOTAL_WAR, LINKED = "ordinary", "total_war", "linked"

DOUBLE, MORE, EVEN = "double", "more", "even"
"""The scale of a victory (KH-18)."""


class Formation(Struct, array_like=True):
    """A formation, or a part of one that is divided by a fortress (KH-7.02): then ``parent`` is whose part it is.

    ``strength`` is in companies, ``armor`` and ``general`` are attrition points; a part's are kept by its parent
    (KH-R117). ``cut`` counts the turns that began out of supply. ``mark`` is "stationary" or "moving" for who received
    replacements (KH-R94). ``regroup`` binds this turn, ``regroup_next`` the next; ``doctrine`` tells that it moved
    instead and owes its regrouping (KH-20.10). ``recovered`` is armour attrition got back by vehicle recovery last
    turn, ``recovered_now`` in this one; so with ``overwhelmed`` (KH-16.08). ``path`` are the areas of this turn's move,
    from where it stood; ``spent`` are movement points. ``activated`` is the enemy area it may enter this turn.
    ``got_armor`` and ``got_general`` are the attrition points that replacements took off this turn.
    """

    side: str
    strength: int
    standing: str = WAITING
    area: str = ""
    armor: int = 0
    general: int = 0
    supplied: bool = True
    cut: int = 0
    mark: str = ""
    assimilating: bool = False
    regroup: bool = False
    regroup_next: bool = False
    doctrine: bool = False
    recovered: int = 0
    recovered_now: int = 0
    overwhelmed: bool = False
    overwhelmed_now: bool = False
    path: list[str] = field(default_factory=list)
    spent: int = 0
    activated: str = ""
    delayed: bool = False
    parent: str = ""
    got_armor: int = 0
    got_general: int = 0

    @property
    def moved(self) -> bool:
        """Whether it crossed a connector in this turn's action phase (KH-R23)."""
        return len(self.path) > 1


class Leader(Struct, array_like=True):
    """A leader; ``returns`` is the turn in which a wounded one comes back (KH-23.03)."""

    side: str
    standing: str = WAITING
    area: str = ""
    returns: int = 0
    path: list[str] = field(default_factory=list)


class Sheet(Struct, array_like=True):
    """A side's orders of this turn: paths of formations and leaders, areas to interdict, parts left in fortresses."""

    moves: dict[str, list[str]] = field(default_factory=dict)
    leaders: dict[str, list[str]] = field(default_factory=dict)
    interdict: list[str] = field(default_factory=list)
    detach: dict[str, int] = field(default_factory=dict)
    plan: str = ""


class Fielded(Struct, frozen=True, array_like=True):
    """A company that a formation puts on a table, who leads it, and what goes with it (KH-13, KH-16, KH-17).

    ``command``: the higher command team; ``bonus``: the extra points of a significant advantage; ``air``: air support;
    ``trade``: re-rolls given up for a move before the game (KH-16.16); ``stratagems``: whose (KH-14.11).
    """

    formation: str
    company: str
    player: str = ""
    command: bool = False
    bonus: bool = False
    air: bool = False
    trade: bool = False
    stratagems: str = ""


class Action(Struct, array_like=True):
    """A tabletop action that has been fought: points and winner, attrition by formation after recovery and halving."""

    number: int
    points: dict[str, int] = field(default_factory=dict)
    winner: str = ""
    attrition: dict[str, Attrition] = field(default_factory=dict)


class Engagement(Struct, array_like=True):
    """An engagement of this turn. ``id`` is its area, or "a~b" for one on the connector between two areas.

    ``forces`` are those who (still) take part, by side; ``origins`` where each of them came from on a connector.
    ``column`` is "moving", "stationary" or "fortified" (KH-12.06), ``stationary`` the side that stood still, ``holder``
    who controlled the area before. ``companies`` is what contact tells of each side, companies by class (KH-R59).
    ``withdrawing`` is by side how it meets the engagement, ``left`` by formation how it withdrew. ``net`` is the net
    advantage of the side ``favoured``. ``over`` tells that there is nothing left to fight.
    """

    id: str
    area: str
    other: str = ""
    forces: dict[str, list[str]] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    column: str = "moving"
    stationary: str = ""
    holder: str = ""
    companies: dict[str, dict[str, int]] = field(default_factory=dict)
    withdrawing: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    mode: str = ORDINARY
    mission: str = ""
    number: int = 0
    favoured: str = ""
    net: int = 0
    fielded: dict[str, list[Fielded]] = field(default_factory=dict)
    actions: list[Action] = field(default_factory=list)
    points: dict[str, int] = field(default_factory=dict)
    winner: str = ""
    scale: str = ""
    over: bool = False
    settled: bool = False

    @property
    def on_connector(self) -> bool:
        """Whether it is fought on a connector (KH-12.13)."""
        return bool(self.other)


class Summary(Struct, frozen=True, array_like=True):
    """What all learn of an engagement (KH-6.02): its id, points by side, winner ("" for nobody), scale.

    Without points it was not fought.
    """

    engagement: str
    points: dict[str, int] = {}
    winner: str = ""
    scale: str = ""


class Report(Struct, array_like=True):
    """What a side was told at the end of a turn (KH-6).

    ``occupied`` are adjacent areas with enemies, ``seen`` companies by class in areas where its reconnaissance looked,
    ``fought`` are the engagements of the turn.
    """

    turn: int = 0
    occupied: list[str] = field(default_factory=list)
    seen: dict[str, dict[str, int]] = field(default_factory=dict)
    fought: list[Summary] = field(default_factory=list)


class KhamsinState(State, kw_only=True):
    """A campaign.

    By id: ``formations``, ``leaders``. By area: ``control`` (a side), ``interdicted`` (the side that did it this turn).
    By side: ``sheets`` (orders of this turn), ``air_used`` (actions supported this turn), ``reports``, ``air_level``
    (levels that an event has changed). ``engagements`` are those of this turn by id. ``honour`` is by player.
    ``supply_on`` and ``supply_off`` are supply areas that an event has opened or closed, as "side:area"; so in
    ``stocks`` the turns that one with limited stocks has lived on them. ``held``
    counts, by number of the condition, the turns for which a condition of victory has held.
    """

    formations: dict[str, Formation] = field(default_factory=dict)
    leaders: dict[str, Leader] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    interdicted: dict[str, str] = field(default_factory=dict)
    weather: str = ""
    sheets: dict[str, Sheet] = field(default_factory=dict)
    air_used: dict[str, int] = field(default_factory=dict)
    air_level: dict[str, str] = field(default_factory=dict)
    reports: dict[str, Report] = field(default_factory=dict)
    engagements: dict[str, Engagement] = field(default_factory=dict)
    honour: dict[str, int] = field(default_factory=dict)
    supply_on: list[str] = field(default_factory=list)
    supply_off: list[str] = field(default_factory=list)
    stocks: dict[str, int] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
