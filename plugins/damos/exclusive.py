"""What the rooms of the series ask the exclusive rules: ``board.exclusive`` is a package with these functions.

Another game of the series is its data and such a package; ``damos.agc`` is one.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from damos.model.state import DamosState
from sandtable.kernel.options import Refusal
from sandtable.kernel.sequence import Procedure

if TYPE_CHECKING:
    from damos.combat.exchange import Throw
    from damos.model.board import Board, Counter


class Exclusive(Protocol):
    """A package of exclusive rules; all that follow are functions of it. A ``Procedure`` may do nothing."""

    # --- zones and stacking ---

    def projects_zone(self, state: DamosState, unit_id: str) -> bool:
        """Tell whether a unit has a zone of influence, demoralisation aside (DM-2.6a)."""

    def has_zones(self, state: DamosState, side: str) -> bool:
        """Tell whether the forces of a side have zones of control and influence at all now."""

    def most_stacked(self, state: DamosState, counters: "Sequence[Counter]") -> int:
        """Return how many of these units of one side may end in one hex, if they are chosen well (DM-2.3a)."""

    def is_full_stack(self, state: DamosState, counters: "Sequence[Counter]") -> bool:
        """Tell whether there is no place for another unit with these (DM-9.0f)."""

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

    def own_rail(self, state: DamosState, side: str, hex_: str) -> bool:
        """Tell whether a side can use the railway in a hex, enemy units and zones aside."""

    def usable_rails(self, state: DamosState, side: str) -> list[str]:
        """Return the rail hexes that a side can use: those of ``own_rail``."""

    def rail_sources(self, state: DamosState, side: str) -> list[str]:
        """Return the hexes where a supply line that comes from the railway ends (DM-2.10c)."""

    def is_supply_source(self, state: DamosState, side: str, hex_: str) -> bool:
        """Tell whether a hex is a source for who stands there (R-DM-36), or comes there by any way (R-DM-23)."""

    def supply_sources(self, state: DamosState, side: str) -> list[str]:
        """Return all hexes that are sources by ``is_supply_source``, sorted."""

    def supply_ground(self, board: "Board") -> frozenset[str]:
        """Return the hexes through which supply lines may run at all."""

    # --- set-up, arrivals, replacements ---

    def set_up_hexes(self, state: DamosState, side: str) -> tuple[str, ...]:
        """Return where a side may set up, sorted."""

    def must_fill(self, state: DamosState, side: str) -> tuple[str, ...]:
        """Return where it must have a unit."""

    def entry_hexes(self, state: DamosState, side: str) -> list[str]:
        """Return where reinforcements of a side can come in now, sorted (DM-5.0a)."""

    def replacements_due(self, state: DamosState, side: str) -> int:
        """Return the replacement points that a side receives this turn (DM-5.0a)."""

    # --- moments of a turn ---

    def has_player_turn(self, state: DamosState, side: str) -> bool:
        """Tell whether a side has a player turn in this game turn."""

    def open_turn(self, state: DamosState) -> Procedure:
        """Do what comes at the beginning of a game turn."""

    def open_player_turn(self, state: DamosState) -> Procedure:
        """Do what comes at the beginning of a player turn."""

    def open_strategic(self, state: DamosState) -> Procedure:
        """Do what comes at the beginning of a strategic movement phase."""

    def after_activation(self, state: DamosState) -> Procedure:
        """Do what comes after an activation."""

    def judge(self, state: DamosState) -> Procedure:
        """End the game if the turn that closes is its last."""

    # --- activations ---

    def hexes_allowed(self, state: DamosState, unit_id: str) -> int | None:
        """Return how many hexes a unit may move this turn, None for as many as it can."""

    def may_attack(self, state: DamosState, unit_id: str) -> bool:
        """Tell whether a unit may attack this turn."""

    # --- reactions and combat ---

    def reaction_modifiers(self, state: DamosState, phasing: Sequence[str]) -> list[tuple[str, int]]:
        """Return the modifiers of a reaction to a phasing force."""

    def postures(self, state: DamosState, defenders: Sequence[str], hex_: str) -> list[str]:
        """Return the postures that a force may choose in a hex (DM-8.4e)."""

    def overwhelms(self, state: DamosState, printed: tuple[int, int], modified: tuple[int, int]) -> bool:
        """Tell whether an attacker is so strong that no roll is made; strengths without and with terrain."""

    def payable(self, state: DamosState, side: str, paid: int) -> int:
        """Return how many loss points a supplied force may still pay with replacements."""

    def support(self, state: DamosState, hex_: str, throws: "dict[str, Throw]") -> Procedure:
        """Ask for support in a combat before the dice, change ``throws`` by it, and return what it is."""

    def reroll(self, state: DamosState, hex_: str, use: Any, throws: "dict[str, Throw]") -> Procedure:
        """Let support change dice that have fallen; ``use`` is what ``support`` returned."""

    def check_support(self, state: DamosState, hex_: str, use: Any) -> Procedure:
        """Roll whether support wears out."""
