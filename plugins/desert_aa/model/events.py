"""The events of the game. They name units and spaces by id; the dice are in the roll records before them."""

from msgspec import field

from sandtable import UNSET, Calculations, Event

# --- money, purchases, arrivals ---


class GrantReceived(Event, frozen=True):
    """A purse received its part of the opening grant."""

    purse: str
    amount: int
    rule: str = "DAA-2.01"


class UnitsBought(Event, frozen=True):
    """``power`` paid ``cost`` from ``purse`` for units, by kind; they wait off the map."""

    power: str
    purse: str
    units: dict[str, int]
    cost: int
    rule: str = "DAA-14.02"
    calculations: Calculations = UNSET


class MinefieldsBought(Event, frozen=True):
    """``power`` paid ``cost`` from ``purse`` for minefields to lay later. May be secret (DAA-R37)."""

    power: str
    purse: str
    number: int
    cost: int
    rule: str = "DAA-8.01"
    calculations: Calculations = UNSET


class UnitsArrived(Event, frozen=True):
    """New units of one kind were placed in one space."""

    power: str
    space: str
    kind: str
    units: list[str]
    rule: str = "DAA-3.02"


class MinefieldsPlaced(Event, frozen=True):
    """``power`` laid all its waiting minefields. The enemy sees at most ``number``, never ``spaces`` (DAA-R37)."""

    power: str
    number: int
    spaces: list[str] = field(default_factory=list)
    rule: str = "DAA-8.03"


class IncomeCollected(Event, frozen=True):
    """``power`` collected the income of its spaces into ``purse``."""

    power: str
    purse: str
    amount: int
    rule: str = "DAA-14.04"
    calculations: Calculations = UNSET


# --- turns, fuel and supply ---


class PowerTurnBegan(Event, frozen=True):
    """The turn of ``power`` began. ``blocked`` are its cut units with an enemy on the road behind them."""

    power: str
    blocked: list[str]
    rule: str = "DAA-14.07"


class UnitsCut(Event, frozen=True):
    """Units were cut off from supply, each at the road space in ``units``, and laid down until round ``stands_up``."""

    power: str
    units: dict[str, str]
    stands_up: int
    rule: str = "DAA-6.03"
    calculations: Calculations = UNSET


class UnitsStoodUp(Event, frozen=True):
    """Units are ready again, because their turn of waiting is over or their supply line is free."""

    power: str
    units: list[str]
    rule: str = "DAA-4.10"


# --- movement ---


class MovePlanned(Event, frozen=True):
    """A combat move was ordered; it is made after all are committed (DAA-R38)."""

    power: str
    units: list[str]
    path: list[str]
    raid: bool = False
    rule: str = "DAA-16.01"


class EntryChecked(Event, frozen=True):
    """The spaces that land units of ``power`` enter were checked for hidden minefields (DAA-R38)."""

    power: str
    spaces: list[str]
    rule: str = "DAA-8.10"


class UnitsMoved(Event, frozen=True):
    """Units moved along ``path``, which ends where they stopped.

    The units in ``extended`` are laid down until the round ``stands_up``. Those in ``advanced`` moved their extra space
    free along the road.
    """

    power: str
    units: list[str]
    path: list[str]
    extended: list[str] = field(default_factory=list)
    advanced: list[str] = field(default_factory=list)
    stands_up: int = 0
    rule: str = "DAA-16.02"
    calculations: Calculations = UNSET


class SpaceCaptured(Event, frozen=True):
    """``by`` took the space from ``lost_by``; ``owner`` holds it now. ``by`` captured ``flak`` (DAA-10.07)."""

    space: str
    by: str
    owner: str
    lost_by: str
    flak: list[str] = field(default_factory=list)
    rule: str = "DAA-17.11"


# --- minefields ---


class MinefieldDeclared(Event, frozen=True):
    """The minefield of ``power`` was declared, and is known to both sides."""

    power: str
    space: str
    rule: str = "DAA-9.01"


class MinefieldForfeited(Event, frozen=True):
    """``power`` did not declare its minefield and lost it."""

    power: str
    space: str
    rule: str = "DAA-8.11"


class MinesStruck(Event, frozen=True):
    """The minefield of ``power`` rolled against ``units``. ``entry`` is 1 the first time, 2 every later time."""

    power: str
    space: str
    entry: int
    units: list[str]
    hits: int
    rule: str = "DAA-9.02"
    calculations: Calculations = UNSET


class MinefieldSwept(Event, frozen=True):
    """``by`` swept the minefield of ``power``."""

    power: str
    space: str
    by: str
    rule: str = "DAA-9.07"
    calculations: Calculations = UNSET


class SweepFailed(Event, frozen=True):
    """``by`` did not sweep the minefield: the die failed, or the sweep was ``declined``."""

    space: str
    by: str
    declined: bool = False
    rule: str = "DAA-9.08"
    calculations: Calculations = UNSET


# --- combat ---


class CombatsDeclared(Event, frozen=True):
    """All combat moves were made. The attackers of battles and the bombers of raids are listed by space."""

    power: str
    combats: dict[str, list[str]]
    raids: dict[str, list[str]]
    rule: str = "DAA-16.01"


class BattleOpened(Event, frozen=True):
    """The battle for the space began."""

    power: str
    space: str
    attackers: list[str]
    defenders: list[str]
    rule: str = "DAA-17.01"


class FlakFired(Event, frozen=True):
    """Flak of ``power`` fired at ``planes``, a die for each; losses follow."""

    power: str
    space: str
    planes: list[str]
    hits: int
    rule: str = "DAA-10.03"
    calculations: Calculations = UNSET


class GunsDesignated(Event, frozen=True):
    """Artillery was designated as anti-tank guns, which was secret until now (DAA-R33)."""

    space: str
    guns: list[str]
    rule: str = "DAA-7.01"


class GunsFired(Event, frozen=True):
    """Anti-tank guns fired their one shot at ``tanks``; losses follow."""

    space: str
    guns: list[str]
    tanks: list[str]
    hits: int
    rule: str = "DAA-7.07"
    calculations: Calculations = UNSET


class RoundFought(Event, frozen=True):
    """Both sides rolled for a round of a battle; losses follow."""

    space: str
    round: int
    attack_hits: int
    defense_hits: int
    rule: str = "DAA-17.08"
    calculations: Calculations = UNSET


class RaidFlown(Event, frozen=True):
    """``bombers`` raided the zone; losses follow."""

    power: str
    space: str
    bombers: list[str]
    hits: int
    rule: str = "DAA-13.03"
    calculations: Calculations = UNSET


class UnitsLost(Event, frozen=True):
    """Units were removed from the game. ``cause``: "battle", "mines", "flak", "guns", "raid" or "no_landing".

    If the number of lost units differs from the number of hits, a calculation "lost" gives the reason.
    """

    space: str
    units: list[str]
    cause: str
    rule: str = "DAA-17.07"
    calculations: Calculations = UNSET


class UnitsWithdrew(Event, frozen=True):
    """Ground units withdrew from ``space``; ``to`` has the destination of each unit."""

    power: str
    space: str
    to: dict[str, str]
    rule: str = "DAA-17.09"


class BattleEnded(Event, frozen=True):
    """A battle ended.

    ``outcome``: "taken" (attack won, space taken), "cleared" (won, but not taken), "held" (defense won), "destroyed"
    (no unit left on either side), "withdrawn" (attack broken off).
    """

    space: str
    outcome: str
    rule: str = "DAA-16.06"


EVENTS: tuple[type[Event], ...] = (
    GrantReceived,
    UnitsBought,
    MinefieldsBought,
    UnitsArrived,
    MinefieldsPlaced,
    IncomeCollected,
    PowerTurnBegan,
    UnitsCut,
    UnitsStoodUp,
    MovePlanned,
    EntryChecked,
    UnitsMoved,
    SpaceCaptured,
    MinefieldDeclared,
    MinefieldForfeited,
    MinesStruck,
    MinefieldSwept,
    SweepFailed,
    CombatsDeclared,
    BattleOpened,
    FlakFired,
    GunsDesignated,
    GunsFired,
    RoundFought,
    RaidFlown,
    UnitsLost,
    UnitsWithdrew,
    BattleEnded,
)
