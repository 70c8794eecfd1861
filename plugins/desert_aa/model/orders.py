"""Orders: the answers to the decisions of the game. Units are named by id, spaces by the ids of the map."""

from msgspec import field

from sandtable import Order


class PlaceBonus(Order, frozen=True):
    """Spend the grant; what is left is saved (DAA-2.02).

    ``units`` gives, by power and space, how many of each kind; ``minefields`` how many by power, to be laid unseen
    after it.
    """

    units: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    minefields: dict[str, int] = field(default_factory=dict)


class BuyUnits(Order, frozen=True):
    """Buy so many of each kind, "minefield" among them where their number is open."""

    units: dict[str, int] = field(default_factory=dict)


class BuyMinefields(Order, frozen=True):
    """Buy so many minefields in secret (option mine_secrecy)."""

    number: int


class MoveUnits(Order, frozen=True):
    """Move units, all from the first space of ``path``, along it; with ``raid`` bombers raid where it ends."""

    units: list[str]
    path: list[str]
    raid: bool = False


class EndMoves(Order, frozen=True):
    """Make no more moves in this phase; combat moves are committed."""


class DeclareMinefield(Order, frozen=True):
    """Declare the minefield that the enemy walks into, or keep quiet and forfeit it (DAA-8.10, DAA-8.11)."""

    declare: bool


class ChooseCombat(Order, frozen=True):
    """Let the raid or battle in ``space`` come next (DAA-17.01)."""

    space: str


class DesignateGuns(Order, frozen=True):
    """Let these pieces of artillery be anti-tank guns in this battle (DAA-7.01)."""

    guns: list[str]


class TakeLosses(Order, frozen=True):
    """Give up these units for the hits taken (DAA-17.06)."""

    units: list[str]


class PressOn(Order, frozen=True):
    """Fight another round."""


class Retreat(Order, frozen=True):
    """Break off the attack: ground units go back ``to`` that space, or if it is "" each its own way (DAA-17.09)."""

    to: str = ""


class Sweep(Order, frozen=True):
    """Try to lift the minefield (DAA-9.06)."""


class DeclineSweep(Order, frozen=True):
    """Do not try to lift the minefield, and withdraw."""


class PlaceUnits(Order, frozen=True):
    """Bring in what was bought: by zone, how many of each kind."""

    units: dict[str, dict[str, int]]


class PlaceMinefields(Order, frozen=True):
    """Lay a minefield in each of these spaces, in secret."""

    spaces: list[str] = field(default_factory=list)


ORDERS: tuple[type[Order], ...] = (
    PlaceBonus,
    BuyUnits,
    BuyMinefields,
    MoveUnits,
    EndMoves,
    DeclareMinefield,
    ChooseCombat,
    DesignateGuns,
    TakeLosses,
    PressOn,
    Retreat,
    Sweep,
    DeclineSweep,
    PlaceUnits,
    PlaceMinefields,
)
