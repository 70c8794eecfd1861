"""What the rooms of the series ask the exclusive rules of a game: ``board.exclusive`` is a package with these functions."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from damos.state import DamosState
from sandtable.kernel.options import Refusal
from sandtable.kernel.sequence import Procedure

if TYPE_CHECKING:
    from damos.board import Counter
    from damos.combat.exchange import Throw


class Exclusive(Protocol):
    """A package of exclusive rules, such as ``damos.agc``; all that follow are functions of it."""

    # --- zones and stacking ---

    def projects_zone(self, state: DamosState, unit_id: str) -> bool:
        """Tell whether a unit has a zone of influence, demoralisation aside (DM-2.6a)."""

    def has_zones(self, state: DamosState, side: str) -> bool:
        """Tell whether the forces of a side have zones of control and influence at all now."""

    def most_stacked(self, state: DamosState, counters: "Sequence[Counter]") -> int:
        """Return how many of these units of one side may end in one hex, if they are chosen well (DM-2.3a)."""

    def is_full_stack(self, state: DamosState, counters: "Sequence[Counter]") -> bool:
        """Tell whether there is no place for another unit with these, whichever it is (DM-9.0f)."""

    # --- ground ---

    def ignores_rivers(self, state: DamosState, side: str) -> bool:
        """Tell whether rivers do nothing to a side now."""

    def is_open(self, state: DamosState, side: str, hex_: str) -> bool:
        """Tell whether a side may be in a hex by the boundaries of the game."""

    def why_no_move(self, state: DamosState, side: str, start: str, hex_: str) -> Refusal | None:
        """Return the boundary that keeps a force of a side from moving out of one hex into another, None without."""

    def may_retreat(self, state: DamosState, side: str, hex_: str, *, forced: bool) -> bool:
        """Tell whether a side may retreat into a hex by the boundaries; ``forced``: there is no other way."""

    # --- supply ---

    def supply_length(self, state: DamosState, side: str) -> int:
        """Return how many hexes long the part of a supply line across country may be (DM-2.10a)."""

    def usable_rails(self, state: DamosState, side: str) -> Iterable[str]:
        """Return the rail hexes along which a supply line of a side may run, the enemy aside."""

    def own_rail(self, state: DamosState, side: str, hex_: str) -> bool:
        """Tell whether a hex is among ``usable_rails``."""

    def supply_sources(self, state: DamosState, side: str) -> Iterable[str]:
        """Return the sources of a side: hexes where its supply lines end, by rail or without (DM-2.10c)."""

    # --- reactions and combat ---

    def reaction_modifiers(self, state: DamosState, phasing: Sequence[str]) -> list[tuple[str, int]]:
        """Return what else changes the roll of a reaction against a phasing force: names and numbers."""

    def postures(self, state: DamosState, defenders: Sequence[str], hex_: str) -> list[str]:
        """Return the postures that a force that is not demoralised may choose in a hex, one at least (DM-8.4e)."""

    def overwhelms(self, state: DamosState, printed: tuple[int, int], modified: tuple[int, int]) -> bool:
        """Tell whether an attacker eliminates the defender without a roll; strengths without and with terrain."""

    def payable(self, state: DamosState, side: str, paid: int) -> int:
        """Return how many loss points a supplied force may pay with replacements, ``paid`` in this combat already."""

    def support(self, state: DamosState, hex_: str, throws: "dict[str, Throw]") -> Procedure:
        """Ask for support in a combat before the dice, change the throws by role, and return what it is."""

    def reroll(self, state: DamosState, hex_: str, use: Any, throws: "dict[str, Throw]") -> Procedure:
        """Let support change the faces of the throws after the dice."""

    def check_support(self, state: DamosState, hex_: str, use: Any) -> Procedure:
        """Look after a combat at what becomes of the support that was used."""

    # --- the end ---

    def judge(self, state: DamosState) -> Procedure:
        """End the game if the turn that closes is its last (AGC-5.0a)."""
