"""Tactical bombing raids on reinforcement zones (DAA-13)."""

from collections.abc import Callable

from desert_aa.combat.control import enemy_units
from desert_aa.combat.flak import fire_flak
from desert_aa.combat.losses import defenders_lose
from desert_aa.model.events import RaidFlown
from desert_aa.model.state import DesertState
from desert_aa.model.tables import BOMBER, VALUES
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure

RAIDER_NEEDS: dict[str, Callable[[str], int]] = {
    "one": lambda _: 1,
    "four": lambda _: 4,
    "own_attack": lambda power: VALUES[power][BOMBER].attack,
}
"""What a raiding bomber of a power hits on (DAA-13.03, DAA-R54)."""


def fly_raid(state: DesertState, space: str) -> Procedure:
    """Let flak fire at the raiders, those left at the zone; its defender picks the losses (DAA-13.02, DAA-13.04)."""
    yield from fire_flak(state, space, list(state.raids[space]), "raidflak", "DAA-10.04")
    bombers, targets = list(state.raids[space]), enemy_units(state, space)
    hits = 0
    if bombers and targets:
        need = RAIDER_NEEDS[state.options["tbr_hit"]](state.phasing_power)
        needs, side = (need,) * len(bombers), state.phasing_side
        roll = Roll(len(bombers), 6, f"raid.{space}", "DAA-13.03", needs, pooled=True, favours=side)
        hits = roll.hits((yield roll))
    yield RaidFlown(state.phasing_power, space, bombers, hits)
    yield from defenders_lose(state, space, targets, hits, "raid", "DAA-13.04")
