"""Orders: the answers to the decisions of the game. Units are named by id, hexes by printed number."""

from msgspec import field

from sandtable import Order


class SetUp(Order, frozen=True):
    """Set up a side: the hex of each unit (D-DM-02)."""

    hexes: dict[str, str] = field(default_factory=dict)


class ChooseHex(Order, frozen=True):
    """Name the hex whose units are ZOI-capable this turn (D-DM-03)."""

    hex: str


class Replace(Order, frozen=True):
    """Give replacement points by unit; an eliminated unit is rebuilt with them (D-DM-04)."""

    points: dict[str, int]


class PlaceReinforcements(Order, frozen=True):
    """Place arrivals: the hex of each unit. A unit without a hex waits (D-DM-05)."""

    hexes: dict[str, str] = field(default_factory=dict)


class ExtendRail(Order, frozen=True):
    """Convert these rail hexes, in order from a railhead (D-DM-06)."""

    hexes: list[str]


class MoveStrategically(Order, frozen=True):
    """Move a force along ``path``, which begins in its hex (D-DM-07)."""

    units: list[str]
    path: list[str]


class Activate(Order, frozen=True):
    """Activate a force to move, rally and fight (D-DM-08)."""

    units: list[str]


class DeclareAttack(Order, frozen=True):
    """Announce a concerted attack on the enemy force in a hex; plan and force stay secret (D-DM-09)."""

    target: str


class PlanAttack(Order, frozen=True):
    """Choose, in secret, the plan ("grand" or "penetration") and force of the announced concerted attack (D-DM-10)."""

    plan: str
    units: list[str]


class Step(Order, frozen=True):
    """Move the active force into an adjacent hex (D-DM-11)."""

    hex: str


class PickUp(Order, frozen=True):
    """Add these units to the active force."""

    units: list[str]


class DropOff(Order, frozen=True):
    """Leave these units in this hex."""

    units: list[str]


class Rally(Order, frozen=True):
    """Rally the active force from demoralization."""


class EndActivation(Order, frozen=True):
    """End the activation of the active force."""


class EndPhase(Order, frozen=True):
    """Make no more moves, activations or replacements in this phase."""


class ChoosePlan(Order, frozen=True):
    """Choose the attack plan on entering an enemy hex: "meeting" or "standard" (D-DM-12)."""

    plan: str


class ChoosePosture(Order, frozen=True):
    """Choose the defensive posture (D-DM-15)."""

    posture: str


class React(Order, frozen=True):
    """Attempt to react with these units of one hex along ``path`` into the hex of the decision (D-DM-13)."""

    units: list[str]
    path: list[str]


class AvoidCombat(Order, frozen=True):
    """Attempt to retreat with this force before combat, by ``path`` (D-DM-14)."""

    units: list[str]
    path: list[str]


class Decline(Order, frozen=True):
    """Decline a reaction (or a further one), a rout, the air unit or an exploitation."""


class LeaveOut(Order, frozen=True):
    """Leave these over-stacked units out of the combat, or give them up (D-DM-16, D-DM-24)."""

    units: list[str]


class UseAir(Order, frozen=True):
    """Use the air unit in this combat for its column shift, its re-roll, or both, if it still has them (D-DM-17)."""

    shift: bool = False
    reroll: bool = False


class Reroll(Order, frozen=True):
    """Roll one of your dice again; ``number`` counts from 1."""

    number: int


class KeepBenefit(Order, frozen=True):
    """Keep this benefit of the air unit, "shift" or "reroll", for the rest of the turn (D-DM-18)."""

    benefit: str


class TakeLosses(Order, frozen=True):
    """Take losses: strength points by unit, and the number of points paid with replacements (D-DM-19, D-DM-20)."""

    losses: dict[str, int]
    replacements: int = 0


class Retreat(Order, frozen=True):
    """Retreat along ``path``, which begins in the combat hex (D-DM-21)."""

    path: list[str]


class Rout(Order, frozen=True):
    """Rout the strongest unit along ``path`` and keep the major city (D-DM-22). ``path`` is empty if it has no way out.

    ``unit`` is always named, even if only one unit is strongest: otherwise the order would reveal a tie (DM-2.4c).
    """

    path: list[str]
    unit: str


class Exploit(Order, frozen=True):
    """Exploit with these units before any others (D-DM-23)."""

    units: list[str]


class Pause(Order, frozen=True):
    """Choose whether to keep still for the railways (D-DM-25)."""

    keep_still: bool


ORDERS: tuple[type[Order], ...] = (
    SetUp,
    ChooseHex,
    Replace,
    PlaceReinforcements,
    ExtendRail,
    MoveStrategically,
    Activate,
    DeclareAttack,
    PlanAttack,
    Step,
    PickUp,
    DropOff,
    Rally,
    EndActivation,
    EndPhase,
    ChoosePlan,
    ChoosePosture,
    React,
    AvoidCombat,
    Decline,
    LeaveOut,
    UseAir,
    Reroll,
    KeepBenefit,
    TakeLosses,
    Retreat,
    Rout,
    Exploit,
    Pause,
)
