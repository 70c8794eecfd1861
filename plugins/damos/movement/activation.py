"""The activation of forces, one by one (DM-7.0): march, combat, exploitation, attrition; then they are spent."""

from damos.combat.battle import Outcome
from damos.combat.demoralization import spread
from damos.map.zones import is_zone_capable
from damos.model.events import ActivationEnded, ForceActivated
from damos.model.forces import is_demoralized, stacks
from damos.model.orders import Activate, DeclareAttack, EndPhase
from damos.model.state import DamosState
from damos.movement.attrition import check_attrition
from damos.movement.choices import choose_activation
from damos.movement.concerted import concerted_attack
from damos.movement.exploitation import exploit
from damos.movement.march import March, printed_rate
from damos.movement.moving import march_on
from damos.movement.pause import look_at_smolensk
from damos.movement.reaction import spent_by_reaction
from sandtable.kernel.sequence import Procedure


def operations(state: DamosState) -> Procedure:
    """Play one activation of the phasing side; return True when it is done with its operations (DM-7.0i)."""
    order: Activate | DeclareAttack | EndPhase | None = yield from choose_activation(state)
    if order is None or isinstance(order, EndPhase):
        return True
    if isinstance(order, DeclareAttack):
        march: March = yield from concerted_attack(state, order.target)
    else:
        march = yield from _activate(state, sorted(order.units))
    yield from _finish(state, march)
    return False


def _activate(state: DamosState, units: list[str]) -> Procedure:
    """Let a force march, rally and fight (DM-7.0b); return its March."""
    march = March(state, units, printed_rate(state))
    yield ForceActivated(units, march.hex, is_zone_capable(state, units), march.left)
    while march.units:
        outcome: Outcome | None = yield from march_on(state, march)
        if outcome is None:
            break
        exploited = yield from exploit(state, march, outcome)
        if exploited or state.options["after_combat"] != "may_continue" or outcome.winner != "attacker":  # R-DM-09
            break
    return march


def _finish(state: DamosState, march: March) -> Procedure:
    """End an activation: attrition, then who was active or reacted is spent (DM-7.0e, DM-7.0f, DM-2.6.1s).

    Where a concerted attack came to nothing nobody was activated, but some may have reacted (R-DM-27).
    """
    yield from check_attrition(state, march)
    for side in state.board.sides:
        yield from _spread(state, side)
    if state.active or state.reacted or state.attack_target:  # the whole force may be gone by its concerted attack
        yield ActivationEnded(list(state.active), spent_by_reaction(state))
    yield from look_at_smolensk(state)  # AGC-4.7a


def _spread(state: DamosState, side: str) -> Procedure:
    """Demoralise what ends stacked with demoralised units (DM-2.8b, R-DM-06, R-DM-80)."""
    mixed = [hex_ for hex_, units in stacks(state, side).items() if is_demoralized(state, units)]
    for hex_ in sorted(mixed):
        yield from spread(state, side, hex_)
