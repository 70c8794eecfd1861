"""Orders: the answers to the decisions of the game. Units are named by id, hexes by printed number."""

from msgspec import field

from sandtable import Order


class SetUp(Order, frozen=True):
    """Set up a side: the hex of each unit (AGC-6.0a)."""

    hexes: dict[str, str] = field(default_factory=dict)


class ChooseHex(Order, frozen=True):
    """Name the hex whose units are ZOI-capable this turn (AGC-4.8a)."""

    hex: str


class Replace(Order, frozen=True):
    """Give replacement points by unit; an eliminated unit is rebuilt with them (DM-5.0b)."""

    points: dict[str, int]


class PlaceReinforcements(Order, frozen=True):
    """Place arrivals: the hex of each unit. A unit without a hex waits (AGC-4.9a)."""

    hexes: dict[str, str] = field(default_factory=dict)


class ExtendRail(Order, frozen=True):
    """Convert these rail hexes, in order from a railhead (AGC-4.3.1d)."""

    hexes: list[str]


class MoveStrategically(Order, frozen=True):
    """Move a force along ``path``, which begins in its hex (DM-6.0b)."""

    units: list[str]
    path: list[str]


class Activate(Order, frozen=True):
    """Activate a force to move, rally and fight (DM-7.0a)."""

    units: list[str]


class DeclareAttack(Order, frozen=True):
    """Announce a concerted attack on the enemy force in a hex; plan and force stay secret (DM-8.1b)."""

    target: str


class PlanAttack(Order, frozen=True):
    """Choose, in secret, the plan ("grand" or "penetration") and force of the announced concerted attack (DM-8.1b)."""

    plan: str
    units: list[str]


class Step(Order, frozen=True):
    """Move the active force into an adjacent hex (DM-7.0j)."""

    hex: str


class PickUp(Order, frozen=True):
    """Add these units to the active force (DM-7.0n)."""

    units: list[str]


class DropOff(Order, frozen=True):
    """Leave these units in this hex (DM-7.0p)."""

    units: list[str]


class Rally(Order, frozen=True):
    """Rally the active force from demoralization (DM-7.0l)."""


class EndActivation(Order, frozen=True):
    """End the activation of the active force."""


class EndPhase(Order, frozen=True):
    """Make no more moves, activations or replacements in this phase."""


class ChoosePlan(Order, frozen=True):
    """Choose the attack plan on entering an enemy hex: "meeting" or "standard", "grand" if exploiting (DM-8.0b)."""

    plan: str


class ChoosePosture(Order, frozen=True):
    """Choose the defensive posture (DM-8.2d)."""

    posture: str


class React(Order, frozen=True):
    """Attempt to react with these units of one hex along ``path`` into the hex of the decision (DM-2.6.1e)."""

    units: list[str]
    path: list[str]


class AvoidCombat(Order, frozen=True):
    """Attempt to retreat with this force before combat, by ``path`` (DM-2.6.1g)."""

    units: list[str]
    path: list[str]


class Decline(Order, frozen=True):
    """Decline a reaction (or a further one), a rout, the air unit or an exploitation."""


class LeaveOut(Order, frozen=True):
    """Leave these over-stacked units out of the combat, or give them up (DM-2.3f, DM-2.3e)."""

    units: list[str]


class UseAir(Order, frozen=True):
    """Use the air unit in this combat for its column shift, its re-roll, or both, if it still has them (AGC-4.4a)."""

    shift: bool = False
    reroll: bool = False


class Reroll(Order, frozen=True):
    """Roll a die again. ``number`` counts from 1, the own dice first, then the enemy's if they may be rolled again."""

    number: int


class KeepBenefit(Order, frozen=True):
    """Keep this benefit of the air unit, "shift" or "reroll", for the rest of the turn (AGC-4.4d)."""

    benefit: str


class TakeLosses(Order, frozen=True):
    """Take losses: strength points by unit, and the number of points paid with replacements (DM-8.8a, AGC-4.5.1a)."""

    losses: dict[str, int]
    replacements: int = 0


class Retreat(Order, frozen=True):
    """Retreat along ``path``, which begins in the combat hex (DM-8.11a)."""

    path: list[str]


class Rout(Order, frozen=True):
    """Rout the strongest unit along ``path`` and keep the major city (DM-8.11i).

    ``path`` is empty if the unit has no retreat path, or if the option ``rout_meaning`` eliminates it (R-DM-18).
    ``unit`` is always named, even if only one unit is strongest: otherwise the order would reveal a tie (DM-2.4c).
    """

    path: list[str]
    unit: str


class Exploit(Order, frozen=True):
    """Exploit with these units before any others (DM-8.12.2a)."""

    units: list[str]


class Pause(Order, frozen=True):
    """Choose whether mobile units stay in place to extend the railways farther (AGC-4.3.1h)."""

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
