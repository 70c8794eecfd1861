"""The orders of the game. They name units by id and spaces by the ids of the map."""

from msgspec import field

from sandtable import Order


class PlaceBonus(Order, frozen=True):
    """Spend the grant; unspent money is saved (DAA-2.02).

    ``units`` has the number of units by power, space and kind. ``minefields`` has the number of minefields by power,
    which are laid in secret afterward.
    """

    units: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    minefields: dict[str, int] = field(default_factory=dict)


class BuyUnits(Order, frozen=True):
    """Buy a number of each kind, including "minefield" if their number is public."""

    units: dict[str, int] = field(default_factory=dict)


class BuyMinefields(Order, frozen=True):
    """Buy ``number`` minefields in secret (option mine_secrecy)."""

    number: int


class MoveUnits(Order, frozen=True):
    """Move units along ``path`` from its first space. If ``raid`` is set, bombers raid the last space."""

    units: list[str]
    path: list[str]
    raid: bool = False


class EndMoves(Order, frozen=True):
    """End the moves of this phase, and commit combat moves."""


class DeclareMinefield(Order, frozen=True):
    """Declare the minefield that the enemy enters, or forfeit it (DAA-8.10, DAA-8.11)."""

    declare: bool


class ChooseCombat(Order, frozen=True):
    """Choose the raid or battle in ``space`` as the next one (DAA-17.01)."""

    space: str


class DesignateGuns(Order, frozen=True):
    """Designate artillery as anti-tank guns for this battle (DAA-7.01)."""

    guns: list[str]


class TakeLosses(Order, frozen=True):
    """Lose these units for the hits taken (DAA-17.06)."""

    units: list[str]


class PressOn(Order, frozen=True):
    """Fight another round."""


class Retreat(Order, frozen=True):
    """Break off the attack. Land units go to the space ``to``; if it is "", each returns to its origin (DAA-17.09)."""

    to: str = ""


class Sweep(Order, frozen=True):
    """Try to sweep the minefield (DAA-9.06)."""


class DeclineSweep(Order, frozen=True):
    """Withdraw without trying to sweep the minefield."""


class PlaceUnits(Order, frozen=True):
    """Place purchased units: their numbers by zone and kind."""

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
