"""The exclusive rules of Army Group Center: what the series asks for (``damos.exclusive``), answered.

``capability.py`` tells who has zones, ``stacks.py`` how many stack, ``boundaries.py`` where play goes, ``lines.py`` and
``rails.py`` what supply lines run along, ``deployment.py`` and ``arrivals.py`` who comes in where. ``duty.py``,
``pause.py`` and ``cossacks.py`` are special rules with a moment of their own (``moments.py``); ``postures.py``,
``combat.py`` and ``air.py`` belong to combat; ``victory.py`` judges.
"""

import sys
from typing import TYPE_CHECKING, cast

from damos.combat.air_support import check_support, reroll, support
from damos.combat.combat import overwhelms, payable, reaction_modifiers
from damos.combat.postures import postures
from damos.map.boundaries import is_open, may_retreat, must_leave, why_no_move
from damos.map.capability import has_zones, ignores_rivers, projects_zone
from damos.map.rails import (
    is_supply_source,
    own_rail,
    rail_sources,
    supply_ground,
    supply_length,
    supply_sources,
    usable_rails,
)
from damos.map.stacks import is_full_stack, most_stacked
from damos.movement.pause import hexes_allowed, may_attack
from damos.turn.arrivals import entry_hexes
from damos.turn.deployment import must_fill, set_up_hexes
from damos.turn.moments import after_activation, open_player_turn, open_strategic, open_turn
from damos.turn.rail_conversion import railheads
from damos.turn.special_rules import has_player_turn, replacements_due
from damos.turn.victory import judge

if TYPE_CHECKING:
    from damos.exclusive import Exclusive

__all__ = [
    "EXCLUSIVE",
    "after_activation",
    "check_support",
    "entry_hexes",
    "has_player_turn",
    "has_zones",
    "hexes_allowed",
    "ignores_rivers",
    "is_full_stack",
    "is_open",
    "is_supply_source",
    "judge",
    "may_attack",
    "may_retreat",
    "most_stacked",
    "must_fill",
    "must_leave",
    "open_player_turn",
    "open_strategic",
    "open_turn",
    "overwhelms",
    "own_rail",
    "payable",
    "postures",
    "projects_zone",
    "rail_sources",
    "railheads",
    "reaction_modifiers",
    "replacements_due",
    "reroll",
    "set_up_hexes",
    "supply_ground",
    "supply_length",
    "supply_sources",
    "support",
    "usable_rails",
    "why_no_move",
]

EXCLUSIVE = cast("Exclusive", sys.modules[__name__])
