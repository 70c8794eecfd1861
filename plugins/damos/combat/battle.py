"""The data of a combat while it lasts, and its outcome."""

from dataclasses import dataclass, field
from typing import NamedTuple

from damos.model.forces import enemy_of, stated_strength, strength
from damos.model.state import ON_MAP, DamosState
from sandtable import Procedure

ATTACKER, DEFENDER = ROLES = ("attacker", "defender")
"""The phasing side attacks, the other defends (DM-8.0a)."""


class Outcome(NamedTuple):
    """The outcome of a combat, on which the rest of the activation depends.

    ``winner`` is "attacker", "defender" or "" for none. ``hex_empty`` is true if no defender is left in the hex,
    ``exploits`` if an exploitation activation may follow (DM-8.12a, R-DM-19). ``surplus`` are the loss points that the
    defender could not take (DM-8.8d). ``supplied`` is whether the attacker had a supply line, which the exploitation
    keeps (DM-8.12g). ``plan`` is the attack plan. After an automatic elimination (``overwhelmed``) the allowance is
    always 1 (AGC-4.6.2b, R-DM-82). ``left_out`` are the attacker's units that sat the combat out and are still in the
    hex.
    """

    winner: str
    hex_empty: bool
    exploits: bool
    surplus: int
    supplied: bool
    plan: str
    overwhelmed: bool = False
    left_out: tuple[str, ...] = ()


@dataclass(slots=True)
class Battle:
    """A current combat. By role: ``forces`` (units that take part), ``left_out``, ``supplied``, ``paid`` replacements.

    ``idle`` are demoralized friends of the attackers that sit the combat out (R-DM-92). Unlike units that are left out,
    they are not over the stacking limit, and they go with their force. ``points`` are the strengths by role that both
    sides have stated. ``entry`` is the hex from which the attacker
    came, "" for none (R-DM-87). ``shaken`` is true if the defender was demoralized at the beginning. ``surplus`` are
    loss points that the defender could not take.
    """

    state: DamosState
    hex: str
    entry: str
    forces: dict[str, list[str]]
    exploiting: bool = False
    plan: str = ""
    posture: str = ""
    left_out: dict[str, list[str]] = field(default_factory=lambda: {ATTACKER: [], DEFENDER: []})
    idle: list[str] = field(default_factory=list)
    supplied: dict[str, bool] = field(default_factory=dict)
    paid: dict[str, int] = field(default_factory=lambda: {ATTACKER: 0, DEFENDER: 0})
    points: dict[str, int] = field(default_factory=dict)
    shaken: bool = False
    surplus: int = 0

    @property
    def attackers(self) -> list[str]:
        """The attacking units that take part and are still in the hex."""
        return self.present(self.forces[ATTACKER])

    @property
    def defenders(self) -> list[str]:
        """The defending units that take part and are still in the hex."""
        return self.present(self.forces[DEFENDER])

    def of(self, role: str) -> list[str]:
        """Return the units of a role that take part and are still in the hex."""
        return self.present(self.forces[role])

    def sat_out(self, role: str) -> list[str]:
        """Return the units of a role that take no part and are still in the hex: over-stacked or idle."""
        return self.present([*self.left_out[role], *(self.idle if role == ATTACKER else ())])

    def side_of(self, role: str) -> str:
        """Return the side that has a role."""
        phasing = self.state.phasing_side
        return phasing if role == ATTACKER else enemy_of(phasing)

    def strength_of(self, role: str) -> int:
        """Return the strength points of a role: those that its side has stated, or those of the state."""
        return self.points[role] if role in self.points else strength(self.state, self.of(role))

    def state_strengths(self) -> Procedure:
        """Let both sides state the strength points of their units that take part (DM-8.2b, R-DM-42)."""
        for role in ROLES:
            purpose = f"strength.{self.hex}.{role}"
            self.points[role] = yield from stated_strength(self.state, self.of(role), purpose, "DM-8.2b")

    def present(self, units: list[str]) -> list[str]:
        """Return those of the units that are still in the hex."""
        state = self.state.units
        return [each for each in units if state[each].standing == ON_MAP and state[each].hex == self.hex]


def other(role: str) -> str:
    """Return the other role."""
    return DEFENDER if role == ATTACKER else ATTACKER


@dataclass(slots=True)
class Throw:
    """The roll of one side: ``strength``, ``modified`` by terrain, ``column``, number of ``dice`` and their ``faces``.

    ``modifiers`` are pairs of name and number. A side that does not roll inflicts no losses (R-DM-21).
    """

    strength: int
    modified: int
    column: int
    dice: int
    rolls: bool = True
    faces: list[int] = field(default_factory=list)
    modifiers: list[tuple[str, int]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The modified roll (DM-8.5f)."""
        return sum(self.faces) + sum(number for _, number in self.modifiers)
