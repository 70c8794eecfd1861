"""The state of a campaign: formations and leaders, control, orders, engagements, and the reports of each side."""

from msgspec import Struct, field

from sandtable import State
from sandtable.tabletop import Attrition

WAITING, ON_MAP, IN_BASE, LOST = "waiting", "map", "base", "lost"
"""Status of a formation: not on the map yet, on the map, ineffective in its base (KH-22.14), or lost (KH-20.04)."""

WOUNDED, DEAD = "wounded", "dead"
"""Further status of a leader, besides ``WAITING`` and ``ON_MAP`` (KH-23)."""

DEFENDS, FIGHTING, PRECIPITOUS, RECON = "stand", "fighting", "precipitous", "recon"
"""Responses to an engagement (KH-19)."""

ORDINARY, TOTAL_WAR, LINKED = "ordinary", "total_war", "linked"

DOUBLE, MORE, EVEN = "double", "more", "even"
"""Scale of a victory (KH-18)."""


class Formation(Struct, array_like=True):
    """A formation, or a part of ``parent``, a formation that is divided by a fortress (KH-7.02).

    ``strength`` is in companies; ``armor`` and ``general`` are attrition points. The attrition of a part is in the
    ledger of its parent (KH-R117). ``cut`` counts the turns that began out of supply. ``mark`` is "stationary" or
    "moving" if the formation received replacements (KH-R94). ``regroup`` applies this turn, ``regroup_next`` next turn.
    ``doctrine`` means that the formation moved instead and still owes its regrouping (KH-20.10).

    ``recovered`` is the armor attrition that vehicle recovery saved in the previous turn, ``recovered_now`` in the
    current one. ``overwhelmed`` and ``overwhelmed_now`` mark a victory in the same way (KH-16.08). ``path`` are the
    areas of this turn's move, including the first; ``spent`` are the movement points used. ``activated`` is the enemy
    area that the formation may enter this turn. ``delayed`` marks a reinforcement that waits for an entry area.
    ``got_armor`` and ``got_general`` are the attrition points that replacements removed this turn.
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
        """Whether the formation crossed a connector in this turn's action phase (KH-R23)."""
        return len(self.path) > 1


class Leader(Struct, array_like=True):
    """A leader. ``returns`` is the turn in which a wounded leader comes back (KH-23.03)."""

    side: str
    standing: str = WAITING
    area: str = ""
    returns: int = 0
    path: list[str] = field(default_factory=list)


class Sheet(Struct, array_like=True):
    """A side's orders for this turn: paths, areas to interdict, parts left in fortresses, and the general plan."""

    moves: dict[str, list[str]] = field(default_factory=dict)
    leaders: dict[str, list[str]] = field(default_factory=dict)
    interdict: list[str] = field(default_factory=list)
    detach: dict[str, int] = field(default_factory=dict)
    plan: str = ""


class Fielded(Struct, frozen=True, array_like=True):
    """A company that a formation fields, with its player and extras (KH-13, KH-16, KH-17).

    ``command`` means that the higher command team is with it, ``bonus`` that it has the extra points of a significant
    advantage, ``air`` that it has air support. ``trade`` gives up the re-rolls for a move before the game (KH-16.16).
    ``stratagems`` is the commander whose stratagems are used (KH-14.11).
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
    """A completed tabletop action: points, winner, and attrition by formation after recovery and halving."""

    number: int
    points: dict[str, int] = field(default_factory=dict)
    winner: str = ""
    attrition: dict[str, Attrition] = field(default_factory=dict)


class Engagement(Struct, array_like=True):
    """An engagement of this turn. ``id`` is its area, or "a~b" on the connector between two areas.

    ``forces`` are the formations of each side that still take part; ``origins`` has the area from which each came onto
    a connector. ``column`` is "moving", "stationary" or "fortified" (KH-12.06), ``stationary`` the side that did not
    move, and ``holder`` the side that controlled the area before. ``companies`` has the companies of each side by
    class, as contact reveals them (KH-R59).

    ``withdrawing`` is the response of each side, ``left`` the kind of withdrawal of each formation that left. ``net``
    is the net advantage of the side ``favored``. ``over`` means that no fight remains.
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
    favored: str = ""
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
        """Whether the engagement is fought on a connector (KH-12.13)."""
        return bool(self.other)


class Summary(Struct, frozen=True, array_like=True):
    """The public summary of an engagement (KH-6.02): its id, points by side, winner ("" if none) and scale.

    ``points`` is empty if there was no fight.
    """

    engagement: str
    points: dict[str, int] = {}
    winner: str = ""
    scale: str = ""


class Report(Struct, array_like=True):
    """A side's report at the end of a turn (KH-6).

    ``occupied`` are adjacent areas with enemies. ``seen`` has the companies by class in areas that its reconnaissance
    saw. ``fought`` are the engagements of the turn.
    """

    turn: int = 0
    occupied: list[str] = field(default_factory=list)
    seen: dict[str, dict[str, int]] = field(default_factory=dict)
    fought: list[Summary] = field(default_factory=list)


class KhamsinState(State, kw_only=True):
    """The state of a campaign.

    ``formations`` and ``leaders`` are by id; ``engagements`` are those of this turn, by id. ``control`` has the side
    that controls each area, ``interdicted`` the side that interdicted it this turn.

    By side: ``sheets`` (orders of this turn), ``air_used`` (engagements supported this turn), ``reports``, and
    ``air_level`` (levels changed by events). ``honor`` is by player. ``supply_on`` and ``supply_off`` are supply areas
    that an event has opened or closed, as "side:area". ``stocks`` uses the same keys for the number of turns that a
    limited supply area has used its stocks. ``held`` counts, by index, the consecutive turns for which a victory
    condition has held.
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
    honor: dict[str, int] = field(default_factory=dict)
    supply_on: list[str] = field(default_factory=list)
    supply_off: list[str] = field(default_factory=list)
    stocks: dict[str, int] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
