"""Distribution of the loss points on both sides of a combat (DM-8.2g)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from damos.combat.battle import DEFENDER, ROLES, Battle
from damos.combat.exchange import payable
from damos.model.events import ForceDemoralized, LossesTaken, UnitsEliminated
from damos.model.forces import is_demoralized, units_in
from damos.model.orders import TakeLosses
from damos.model.state import ON_MAP, DamosState
from sandtable import (
    UNSET,
    Calculation,
    Claim,
    Decision,
    OneOf,
    Procedure,
    Range,
    Refusal,
    Secret,
    SomeOf,
    Space,
    Stream,
)


def half(points: int) -> int:
    """Return the share that the strongest unit must take in combat: half, rounded down (DM-8.8b)."""
    return points // 2


def the_first(points: int) -> int:
    """Return the share that the strongest unit must take by attrition: the first point (DM-9.0g)."""
    return min(points, 1)


def everything(points: int) -> int:
    """Return the share of the strongest unit if it alone suffers: all points (DM-8.11f)."""
    return points


class LossRule(NamedTuple):
    """A kind of loss: ``strongest`` returns the share of the strongest unit, and each unit keeps ``keeps`` points.

    ``rule`` is for the points as a whole, ``strongest_rule`` for the share of the strongest unit.
    """

    why: str
    strongest: Callable[[int], int]
    keeps: int
    rule: str
    strongest_rule: str


COMBAT = LossRule("combat", half, 0, "DM-8.8a", "DM-8.8b")
COUNTERATTACK = LossRule("counterattack", half, 0, "DM-8.9i", "DM-8.8e")
DEMORALIZED = LossRule("demoralized", everything, 0, "DM-8.11f", "DM-8.11f")
ATTRITION = LossRule("attrition", the_first, 1, "DM-9.0h", "DM-9.0g")


class LossShare(Space):
    """The ``TakeLosses`` orders that distribute ``points``.

    ``strengths`` are the current strength points by unit. Up to ``replacements`` points may be paid instead
    (AGC-4.5.1a). The rest is capped by the strength that the units can lose. One of the strongest units takes its
    share, as far as it can (R-DM-15, R-DM-62).
    """

    strengths: Mapping[str, int]
    points: int
    loss_rule: LossRule
    replacements: int = 0

    @property
    def spare(self) -> dict[str, int]:
        """The number of points that each unit can lose."""
        return {unit_id: max(0, sp - self.loss_rule.keeps) for unit_id, sp in self.strengths.items()}

    def due(self, replacements: int) -> int:
        """Return how many strength points the units lose if ``replacements`` points are paid."""
        return min(self.points - replacements, sum(self.spare.values()))

    def surplus(self, replacements: int) -> int:
        """Return how many points no unit can take (DM-8.8d)."""
        return self.points - replacements - self.due(replacements)

    def least(self, replacements: int) -> int:
        """Return the minimum share of the strongest unit."""
        top = max(self.strengths.values())
        return min(self.loss_rule.strongest(self.points - replacements), max(0, top - self.loss_rule.keeps))

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse units of other forces, more points than a unit has, a wrong total, a strongest share too small."""
        if not isinstance(value, TakeLosses) or not isinstance(value.losses, dict):
            return Refusal(self.loss_rule.rule, "give the strength points that each unit loses")
        paid, losses = value.replacements, value.losses
        if type(paid) is not int or not 0 <= paid <= self.replacements:
            return Refusal(
                "AGC-4.5.1a", f"from 0 to {self.replacements} points can be paid with replacement points here"
            )
        spare = self.spare
        for unit_id, lost in losses.items():
            if unit_id not in spare:
                return Refusal(self.loss_rule.rule, f"{unit_id} is not in this force: choose from {', '.join(spare)}")
            if type(lost) is not int or not 1 <= lost <= spare[unit_id]:
                return Refusal(self.loss_rule.rule, f"{unit_id} can lose 1 to {spare[unit_id]} strength points")
        total, due = sum(losses.values()), self.due(paid)
        if total != due:
            return Refusal(self.loss_rule.rule, f"the units must lose a total of {due} strength points, not {total}")
        if not self._strongest_pays(losses, paid):
            reason = f"a strongest unit ({' or '.join(self._strongest())}) must take at least {self.least(paid)}"
            return Refusal(self.loss_rule.strongest_rule, reason)
        return None

    def values(self) -> Iterator[TakeLosses]:
        """Yield every order, those without payment first."""
        for paid in range(self.replacements + 1):
            yield from self._paying(paid)

    def sample(self, stream: Stream) -> TakeLosses:
        """Return a random order: first the payment, then any share."""
        shares = list(self._paying(stream.below(self.replacements + 1)))
        return shares[stream.below(len(shares))]

    def _strongest(self) -> list[str]:
        top = max(self.strengths.values())
        return [unit_id for unit_id, sp in self.strengths.items() if sp == top]

    def _strongest_pays(self, losses: Mapping[str, int], paid: int) -> bool:
        least = self.least(paid)
        return any(losses.get(unit_id, 0) >= least for unit_id in self._strongest())

    def _paying(self, paid: int) -> Iterator[TakeLosses]:
        spare = list(self.spare.items())
        below = [sum(most for _, most in spare[place:]) for place in range(len(spare) + 1)]

        def rest(place: int, left: int) -> Iterator[dict[str, int]]:
            if place == len(spare):
                yield {}
                return
            unit_id, most = spare[place]
            for lost in range(max(0, left - below[place + 1]), min(most, left) + 1):
                for more in rest(place + 1, left - lost):
                    yield ({unit_id: lost} | more) if lost else more

        for losses in rest(0, self.due(paid)):
            if self._strongest_pays(losses, paid):
                yield TakeLosses(losses, paid)


UNKNOWN_LOSSES = TakeLosses({}, 0)
"""The placeholder for an order in the enemy's program."""


class Absorbed(NamedTuple):
    """The points that were paid with replacements, and those that no unit could take."""

    replacements: int = 0
    surplus: int = 0


def absorb(
    state: DamosState,
    hex_: str,
    units: Sequence[str],
    points: int,
    loss_rule: LossRule,
    replacements: int = 0,
    why: tuple[Calculation, ...] = (),
) -> Procedure:
    """Let the owner of ``units`` take ``points`` loss points, and return ``Absorbed``.

    The owner answers in secret (DM-2.4c). Whether the decision is made depends only on what is open to the enemy: the
    number of units and their total strength, never the distribution. The decision may therefore be made even if only
    one answer is legal. Units without strength leave the map (DM-2.4b). ``why`` explains the points to the owner alone.
    """
    if not points or not units:
        return Absorbed(0, points)
    side = state.units[units[0]].side
    strengths = {unit_id: state.units[unit_id].sp for unit_id in units}
    space = LossShare(strengths, points, loss_rule, min(replacements, points))
    purpose = f"losses.{hex_}.{loss_rule.why}.{side}"
    if space.replacements or (len(units) > 1 and not (yield from _all_fall(side, purpose, space))):
        prompt = f"share out {points} loss point{'s' if points > 1 else ''} in {hex_} ({loss_rule.why})"
        order: TakeLosses = yield Decision(
            side, prompt, space, loss_rule.rule, secret=True, purpose=purpose, stand_in=UNKNOWN_LOSSES
        )
    else:
        order = yield Secret(side, lambda: next(space.values()), UNKNOWN_LOSSES)
    paid, surplus = yield from _open_part(side, purpose, space, order)
    if surplus:
        why = (*why, _left_over(order, points, loss_rule))
    yield LossesTaken(
        side, hex_, points, dict(order.losses), paid, surplus, loss_rule.why, loss_rule.rule, why or UNSET
    )
    gone: list[str] = []
    if points > paid and not loss_rule.keeps:
        fallen = lambda: [unit_id for unit_id in units if state.units[unit_id].sp == 0]  # noqa: E731 - a claim's value
        gone = yield Claim(side, f"{purpose}.gone", SomeOf(units), fallen, "DM-2.4b")
    if gone:
        yield UnitsEliminated(list(gone), hex_, "losses")
    return Absorbed(paid, surplus)


def _all_fall(side: str, purpose: str, space: LossShare) -> Procedure:
    """Return whether the points eliminate all units, which their side states if it may be so (DM-2.4c)."""
    if space.loss_rule.keeps or space.points < len(space.strengths):
        return False
    falls = lambda: sum(space.strengths.values()) <= space.points  # noqa: E731 - a claim's value
    return (yield Claim(side, f"{purpose}.all", OneOf((False, True)), falls, "DM-2.4b"))


def _open_part(side: str, purpose: str, space: LossShare, order: TakeLosses) -> Procedure:
    """Return the points paid with replacements and those that no unit can take, which the enemy may know in combat.

    Each unit can take at least one point; after attrition the enemy does not know the second figure (DM-2.4c).
    """
    paid, most = order.replacements, space.replacements
    if most:
        paid = yield Claim(side, f"{purpose}.paid", Range(0, most), lambda: order.replacements, "AGC-4.5.1a")
    surplus, left = (lambda: space.surplus(paid)), space.points - paid - len(space.strengths)
    if space.loss_rule.keeps:
        return paid, (yield Secret(side, surplus, 0))
    if left <= 0:
        return paid, 0
    return paid, (yield Claim(side, f"{purpose}.surplus", Range(0, left), surplus, "DM-8.8d"))


def _left_over(order: TakeLosses, points: int, loss_rule: LossRule) -> Calculation:
    """Return the calculation of the surplus (DM-8.8d, AGC-4.5.1a)."""
    steps = (
        ("loss points", points, loss_rule.rule),
        ("paid with replacements", -order.replacements, "AGC-4.5.1a"),
        ("strength lost", -sum(order.losses.values()), loss_rule.rule),
    )
    return Calculation("surplus", steps)


def suffer(battle: Battle, points: Mapping[str, int], loss_rule: LossRule) -> Procedure:
    """Let the attacker absorb losses, then the defender; add up what the defender cannot take (DM-8.8d)."""
    for role in ROLES:
        side = battle.side_of(role)
        most = 0
        if battle.supplied[role]:  # AGC-4.5.1b
            most = payable(battle.state, side, battle.paid[role])
        absorbed = yield from absorb(battle.state, battle.hex, battle.of(role), points[role], loss_rule, most)
        battle.paid[role] += absorbed.replacements
        if role == DEFENDER:
            battle.surplus += absorbed.surplus


def demoralize(state: DamosState, units: Sequence[str], why: str = "lost", *, in_meeting: bool = False) -> Procedure:
    """Demoralize a force that lost, in its current hex (DM-8.11e).

    After a meeting engagement it is not demoralized. In a force that was demoralized already, the strongest unit loses
    a strength point instead (DM-8.11f). After a meeting engagement it does so only by option ``me_already_demoralized``
    (R-DM-44).
    """
    there = [each for each in units if state.units[each].standing == ON_MAP]
    if not there:
        return
    hex_ = state.units[there[0]].hex
    if is_demoralized(state, there):
        if not in_meeting or state.options["me_already_demoralized"] == "lose_1_sp":
            yield from absorb(state, hex_, there, 1, DEMORALIZED)
    elif not in_meeting:
        yield ForceDemoralized(there, hex_, why)


def propagate_demoralization(state: DamosState, side: str, hex_: str) -> Procedure:
    """Demoralize units that are stacked with demoralized units where a force ends (DM-2.8b, DM-2.6d, R-DM-06)."""
    units = units_in(state, hex_, side)
    firm = [each for each in units if not state.units[each].demoralized]
    if firm and len(firm) < len(units):
        yield ForceDemoralized(firm, hex_, "stacked", "DM-2.8b")
