"""Random deals of the current strengths of the enemy's units, which a side does not know (DM-2.4c).

A view does not remember strengths that a battle revealed. Each unit of unknown strength is at full strength with a
probability of one half, and otherwise every strength is equally likely.
"""

from damos.fog.views import SideView
from damos.model.board import Board
from damos.model.state import ELIMINATED, SURRENDERED, Air, DamosState, Unit
from sandtable import Stream


def deal(view: SideView, board: Board, stream: Stream) -> DamosState:
    """Return a state that gives ``view.side`` this view. The kernel fills in turn, phase and options."""
    units = {}
    for unit_id, seen in view.units.items():
        strength = _strength(seen.standing, board.counters[unit_id].sp, stream) if seen.sp is None else seen.sp
        units[unit_id] = Unit(seen.side, strength, seen.hex, seen.standing, seen.demoralized, seen.spent, seen.arrives)
    return DamosState(
        units=units,
        control=dict(view.control),
        converted=list(view.converted),
        replacements=dict(view.replacements),
        active=list(view.active),
        reacted=list(view.reacted),
        responded=list(view.responded),
        zone_phase=view.zone_phase,
        attack_target=view.attack_target,
        paid=dict(view.paid),
        air=Air(view.air.ready, view.air.failures, view.air.benefit),
        undying=dict(view.undying),
        attacks_owed=view.attacks_owed,
        attacks_made=view.attacks_made,
        pause_turn=view.pause_turn,
        cossacks=view.cossacks,
        held=view.held,
    )


def _strength(standing: str, full: int, stream: Stream) -> int:
    if standing in (ELIMINATED, SURRENDERED):
        return 0
    return full if stream.one_in(2) else 1 + stream.below(full)
