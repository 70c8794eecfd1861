"""What is activated next: a force, a concerted attack, or nothing more (D-DM-08, D-DM-09)."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from damos.map.zones import is_zone_capable
from damos.model.forces import is_demoralized, stacks
from damos.model.orders import Activate, DeclareAttack
from damos.model.state import DamosState
from damos.movement.menu import END_PHASE, TRIES, Menu, some_of, why_no_force
from damos.movement.pause import hexes_allowed
from damos.movement.planning import Targets, ready_stacks
from damos.movement.steps import kept
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, OneOf, Refusal, Space
from sandtable.kernel.sequence import Procedure


class FreshForces(Space):
    """Lists of units that can be activated: one or more fresh units of one hex.

    ``by_hex`` holds those that could be part of one. Forces without a zone of influence come before all that have one:
    with ``zones_only`` they are too late (DM-7.0d).
    """

    state: DamosState
    by_hex: dict[str, list[str]]
    zones_only: bool

    @classmethod
    def of(cls, state: DamosState, side: str) -> "FreshForces":
        """Look who is fresh (DM-7.0a)."""
        by_hex = {}
        for hex_, units in sorted(stacks(state, side).items()):
            fresh = [each for each in units if not state.units[each].spent and hexes_allowed(state, each) != 0]
            if fresh and (not state.zone_phase or is_zone_capable(state, fresh)):
                by_hex[hex_] = fresh
        return cls(state, by_hex, state.zone_phase)

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse units that are spent, apart, or out of turn."""
        state = self.state
        refusal = why_no_force(state, state.phasing_side, value, "DM-7.0a")
        if refusal is not None:
            return refusal
        still = next((each for each in value if hexes_allowed(state, each) == 0), None)
        return kept(still, 0) if still is not None else self._why_not_together(sorted(value))

    def _why_not_together(self, units: list[str]) -> Refusal | None:
        zone = is_zone_capable(self.state, units)
        if zone and is_demoralized(self.state, units):
            down = ", ".join(each for each in units if self.state.units[each].demoralized)
            reason = f"{down}: demoralised units cannot act with a force that has a zone of influence; leave them out"
            return Refusal("DM-2.6c", reason)
        if self.zones_only and not zone:
            return Refusal("DM-7.0d", "forces without a zone of influence come before all others: it is too late")
        return None

    def values(self) -> Iterator[list[str]]:
        """Yield every force, hex by hex, few units first."""
        for units in self.by_hex.values():
            for size in range(1, len(units) + 1):
                for force in map(list, combinations(units, size)):
                    if self._why_not_together(force) is None:
                        yield force

    def sample(self, stream: Stream) -> list[str]:
        """Return a force; of a stack all as often as only some. Raises ValueError when none was found."""
        if not self.by_hex:
            raise ValueError("nothing can be chosen")
        hexes = list(self.by_hex)
        for attempt in range(TRIES):
            units = self.by_hex[stream.pick(hexes)]
            force = list(units) if attempt % 2 == 0 else some_of(units, stream)
            if self._why_not_together(force) is None:
                return force
        found = next(self.values(), None)
        if found is None:
            raise ValueError("nothing can be chosen")
        return found


def choose_activation(state: DamosState) -> Procedure:
    """Ask what is activated next; return the order, None if nothing is left (DM-7.0i)."""
    side = state.phasing_side
    forces = FreshForces.of(state, side)
    if not forces.by_hex:
        return None
    targets = Targets(state, side)
    spaces: list[Space] = [OneOf([END_PHASE], "DM-7.0i"), Form(Activate, {"units": forces})]
    if ready_stacks(state, side):
        spaces.append(Form(DeclareAttack, {"target": targets}))
    closed = {DeclareAttack: lambda order: targets.why_not(order.target)}
    prompt = "activate a force, announce a concerted attack, or end operations"
    return (yield Decision(side, prompt, Menu(spaces, closed=closed), "DM-7.0a", done=END_PHASE))
