"""A brief: all data needed to fight one battle on a table, and to check its result.

It is plain data, complete in itself, and stored in the log. Points are those of the tabletop's lists, lengths are in
feet.
"""

from hashlib import sha256
from typing import Literal

from msgspec import Struct, json
from msgspec.structs import force_setattr, replace

Kind = Literal["afv", "light_afv", "infantry", "gun", "artillery"]
"""The kinds of platoon: armor with front armor above 2, light armor, infantry, guns, off-table or field artillery."""

Role = Literal["hq", "combat", "weapons", "support"]
"""The roles of a platoon in its company."""

Mode = Literal["ordinary", "total_war", "linked"]
"""The kinds of battle: one table for each action, one large table, or linked tables."""

ROLE: Role = "combat"
SKILL, MOTIVATION, NO_AIR = "trained", "confident", "none"
MODE: Mode = "ordinary"
"""The default, which is left out of the log."""

DIGEST_DIGITS = 16

_encode = json.Encoder(order="deterministic").encode


def settle(record: Struct, usual: dict[str, str]) -> None:
    """Replace texts that equal their default with the default object, because msgspec omits defaults by identity.

    Without this, the bytes of a record would depend on the origin of a text.
    """
    for name, text in usual.items():
        if getattr(record, name) == text:
            force_setattr(record, name, text)


class Platoon(Struct, frozen=True, gc=False, omit_defaults=True):
    """A platoon of a company.

    ``teams`` (vehicles, if armor) are paid for and determine half strength, and ``fielded`` of them are deployed.
    ``independent`` teams count singly. ``recon`` and ``off_table`` (artillery) are traits. ``transports`` is the number
    of its transports, and ``upgrades`` are upgrade teams in addition to ``teams``. ``level`` is the campaign's word for
    its strength, if it has one.
    """

    id: str
    title: str
    kind: Kind
    teams: int
    fielded: int
    points: int
    role: Role = ROLE
    transports: int = 0
    upgrades: int = 0
    independent: bool = False
    recon: bool = False
    off_table: bool = False
    level: str = ""

    def __post_init__(self) -> None:
        """Normalize the defaults."""
        settle(self, {"role": ROLE})


class Company(Struct, frozen=True, gc=False, omit_defaults=True):
    """A company: the force of one player in one battle, or one of several in a large battle.

    ``parent`` is the campaign's id of the formation that fields it. ``type`` is its kind among the tabletop's lists,
    and ``intel`` the enemy's name for it (infantry, mechanized, armor). ``skill`` is conscript, trained or veteran,
    ``motivation`` reluctant, confident or fearless. ``afv_less`` reduces the maximum number of vehicles of each armored
    platoon, and ``stand_less`` means that each platoon deploys one stand less; both are already applied to
    ``platoons``.
    """

    parent: str
    parent_title: str
    type: str
    nation: str
    intel: str
    points: int
    platoons: tuple[Platoon, ...]
    skill: str = SKILL
    motivation: str = MOTIVATION
    supplied: bool = True
    afv_less: int = 0
    stand_less: bool = False

    def __post_init__(self) -> None:
        """Normalize the defaults."""
        settle(self, {"skill": SKILL, "motivation": MOTIVATION})


class Party(Struct, frozen=True, gc=False, omit_defaults=True):
    """One side of a battle.

    ``points`` is the maximum cost of its companies together. ``rerolls`` may be traded for a full move before the game,
    and ``traded`` means that they are. ``air`` is none, sporadic, limited or priority; ``flights`` counts them in a
    large battle. ``extras`` are the campaign's purchases with their number ("smoke": 2).
    """

    side: str
    title: str
    player: str
    companies: tuple[Company, ...]
    points: int
    own_troops: bool = False
    stationary: bool = False
    rerolls: int = 0
    traded: bool = False
    air: str = NO_AIR
    flights: int = 0
    command: tuple[str, ...] = ()
    characters: tuple[str, ...] = ()
    stratagems: str = ""
    extras: dict[str, int] = {}
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Normalize the defaults."""
        settle(self, {"air": NO_AIR})


class Table(Struct, frozen=True, gc=False, omit_defaults=True):
    """The table: its dimensions in feet, its terrain, and whether the defender places a road last."""

    width: int = 6
    depth: int = 4
    small: bool = False
    terrain: str = ""
    guide: str = ""
    road: bool = False
    fortified: str = ""
    number: int = 0
    near: tuple[int, ...] = ()


class Brief(Struct, frozen=True, gc=False, omit_defaults=True):
    """One battle. ``id`` is unique in the campaign; ``action`` counts from 1 to ``actions`` of one engagement.

    ``attacker`` and ``defender`` are sides, or "" if the mission rolls for them on the table. ``flags`` are the
    mission's special rules by token (``fair_fight``, ``defensive_battle``). ``weather`` and ``mud`` (0 to 4) are those
    of the campaign, and ``effects`` are their effects in words. ``rules`` are the rule ids behind it.
    """

    id: str
    campaign: str
    turn: int
    place: str
    place_title: str
    mission: str
    parties: dict[str, Party]
    action: int = 1
    actions: int = 1
    mode: Mode = MODE
    flags: tuple[str, ...] = ()
    attacker: str = ""
    defender: str = ""
    withdrawing: str = ""
    objectives: int = 0
    table: Table = Table()
    weather: str = ""
    mud: int = 0
    effects: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Normalize the defaults."""
        settle(self, {"mode": MODE})

    @property
    def sides(self) -> tuple[str, str]:
        """The two sides, in the order of the brief."""
        first, second = self.parties
        return first, second

    def enemy_of(self, side: str) -> str:
        """Return the other side."""
        first, second = self.sides
        return second if side == first else first

    def platoons(self, side: str) -> dict[str, Platoon]:
        """Return the platoons of a side by id, those of all its companies."""
        return {each.id: each for company in self.parties[side].companies for each in company.platoons}


def for_side(brief: Brief, side: str) -> Brief:
    """Return a brief for one side, which shows of the enemy only the party and the kinds of its companies.

    It is for people to read: results are checked against the complete brief.
    """
    enemy = brief.enemy_of(side)
    party = brief.parties[enemy]
    companies = tuple(
        Company("", "", each.type, each.nation, each.intel, 0, (), each.skill, each.motivation)
        for each in party.companies
    )
    seen = Party(
        enemy,
        party.title,
        party.player,
        companies,
        party.points,
        stationary=party.stationary,
        air=party.air,
        flights=party.flights,
    )
    return replace(brief, parties={each: seen if each == enemy else it for each, it in brief.parties.items()})


def digest_of(brief: Brief) -> str:
    """Return the digest by which a report names the brief that it answers, because ids need not be unique."""
    return sha256(_encode(brief)).hexdigest()[:DIGEST_DIGITS]
