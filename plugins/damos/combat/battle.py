"""What a combat knows of itself while it lasts, and what it comes to."""

from dataclasses import dataclass, field
from typing import NamedTuple

from damos.model.forces import enemy_of, strength
from damos.model.state import ON_MAP, DamosState

ATTACKER, DEFENDER = ROLES = ("attacker", "defender")
"""The phasing side attacks, the other defends (DM-8.0a)."""


class Outcome(NamedTuple):
    """What a combat came to, for the activation that goes on.

    ``winner`` is "attacker", "defender" or "" for none; ``hex_empty`` tells that no defender is left in the hex,
    ``exploits`` that an exploitation activation may follow (DM-8.12a, R-DM-19), ``surplus`` the loss points that the
    defender could not take (DM-8.8d), ``supplied`` the attacker's supply line, which the exploitation keeps (DM-8.12g),
    ``plan`` the attack plan. After an automatic elimination, ``overwhelmed``, the allowance is 1 whatever else
    (AGC-4.6.2b, R-DM-82). ``left_out`` are the attacker's units that sat it out and are still there.
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
    """A combat in hand. By role: ``forces`` (units that take part), ``left_out``, ``supplied``, ``paid`` replacements.

    ``idle`` are demoralised friends of the attackers who sit it out (R-DM-92): they are not too many, as those who are
    left out are, and go with their force. ``entry`` is the hex from which the attacker came, "" for none (R-DM-87).
    ``shaken`` tells that the defender was demoralised at the beginning. ``surplus`` are loss points that the defender
    could not take.
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
    shaken: bool = False
    surplus: int = 0

    @property
    def attackers(self) -> list[str]:
        """Return the attacking units that take part and are still there."""
        return self.present(self.forces[ATTACKER])

    @property
    def defenders(self) -> list[str]:
        """Return the defending units that take part and are still there."""
        return self.present(self.forces[DEFENDER])

    def of(self, role: str) -> list[str]:
        """Return the units of a role that take part and are still there."""
        return self.present(self.forces[role])

    def sat_out(self, role: str) -> list[str]:
        """Return the units of a role that take no part and are still there: too many, or idle."""
        return self.present([*self.left_out[role], *(self.idle if role == ATTACKER else ())])

    def side_of(self, role: str) -> str:
        """Return whose role it is."""
        phasing = self.state.phasing_side
        return phasing if role == ATTACKER else enemy_of(phasing)

    def strength_of(self, role: str) -> int:
        """Return the strength points of a role."""
        return strength(self.state, self.of(role))

    def present(self, units: list[str]) -> list[str]:
        """Return those of the units that are still in the hex."""
        state = self.state.units
        return [each for each in units if state[each].standing == ON_MAP and state[each].hex == self.hex]


def other(role: str) -> str:
    """Return the other role."""
    return DEFENDER if role == ATTACKER else ATTACKER


@dataclass(slots=True)
class Throw:
    """What one side throws: ``strength`` and ``modified`` by terrain, ``column``, ``dice`` and their faces.

    ``modifiers`` are pairs of name and number. Whoever ``rolls`` none inflicts none (R-DM-21).
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
        """Return the modified roll (DM-8.5f)."""
        return sum(self.faces) + sum(number for _, number in self.modifiers)
