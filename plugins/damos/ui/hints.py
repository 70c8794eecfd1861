"""What a person is told before an order: how it is typed, by examples from what is asked, what it costs or closes."""

from collections.abc import Iterator

from damos.combat.chances import Strength, win_chance
from damos.map.stacking import excess
from damos.map.supply import has_supply_line
from damos.map.terrain import combat_strengths, ground_of
from damos.map.zones import in_enemy_zone, is_zone_capable
from damos.model import orders
from damos.model.forces import enemy_of, is_demoralized, stacks
from damos.model.state import DamosState
from damos.model.tables import UNSUPPLIED_ATTACK_PER_DIE, dice_of
from damos.model.terrain_chart import CLEAR
from damos.movement.march import March, points
from damos.movement.planning import FreshForces
from damos.movement.steps import NextHex
from damos.turn.setup import WORD, HexSheet, historical_hexes
from damos.turn.strategic import surrendering
from damos.ui.notation import field_of
from damos.ui.terms import name_of
from sandtable.kernel.decisions import Decision, Order
from sandtable.viewer.narrate import counted, listed

MOST_NAMED = 4
"""So many hexes of a kind are named."""
SHEET_LINES = 2


def example(kind: type[Order], decision: Decision, usual: str) -> str:
    """Return how an order of a kind is typed: from the live question where that tells more, else ``usual``."""
    space = decision.options
    if kind in (orders.SetUp, orders.PlaceReinforcements):
        sheet = field_of(space, kind, "hexes")
        return _sheet(sheet) if isinstance(sheet, HexSheet) else usual
    if kind is orders.Step:
        hexes = field_of(space, orders.Step, "hex")
        return "; ".join(_steps(hexes)) if isinstance(hexes, NextHex) else usual
    return usual


def _sheet(sheet: HexSheet) -> str:
    """Return two lines of a sheet, of units that are placed now and into hexes that have room."""
    found: list[str] = []
    stacks_: dict[str, list[str]] = {}
    for unit_id, line in sheet.lines.items():
        for hex_ in line.values():
            if sheet.has_room(stacks_, hex_, unit_id):
                found.append(f"{unit_id}: {hex_}")
                break
        if len(found) == SHEET_LINES:
            break
    known = [WORD] if sheet.required and not historical_hexes().keys().isdisjoint(sheet.lines) else []
    return "; ".join([*found, "or several to a hex, 3128: UNIT UNIT", *known])


def _steps(hexes: NextHex) -> Iterator[str]:
    """Yield the hexes that can be entered: what each costs, what it is, who is there and what an attack may come to."""
    state, march = hexes.state, hexes.march
    enemies = stacks(state, enemy_of(march.side))
    friends = stacks(state, march.side)
    for hex_, halves in hexes.halves.items():
        ground = [row.name for row in ground_of(state.board, hex_).rows if row.name != CLEAR]
        told = [points(halves), *ground]
        if hex_ in enemies:
            who = listed([name_of(each, state.board) for each in enemies[hex_]])
            told.append(f"{who}: an attack wins {chance(state, march, hex_)} % by printed strengths")
        elif hex_ in friends:
            told.append(f"{counted(len(friends[hex_]), 'friend')} there")
        yield f"go {hex_} ({', '.join(told)})"
    yield "go HEX HEX ...; go to NAME"


def chance(state: DamosState, march: March, hex_: str) -> int:
    """Return in how many of a hundred standard attacks a force wins, the enemy at his printed strength."""
    counters, enemies = state.board.counters, stacks(state, enemy_of(march.side))[hex_]
    attack, _ = combat_strengths(state, march.units, (), hex_, march.hex)
    defence = sum(counters[each].sp for each in enemies) + ground_of(state.board, hex_).defence
    attack = max(1, attack)
    supplied = has_supply_line(state, march.side, hex_, (hex_,))
    modifier = 0 if supplied else UNSUPPLIED_ATTACK_PER_DIE * dice_of(attack)
    modifier += int(is_demoralized(state, enemies))
    return win_chance(Strength(attack, modifier), Strength(max(1, defence)))


# --- what cannot be taken back ---


def undone(state: DamosState, side: str) -> list[str]:
    """Return, a sentence each, what a side leaves undone if it ends its operations now."""
    fresh = [each for units in stacks(state, side).values() for each in units if not state.units[each].spent]
    found = [f"{counted(len(fresh), 'unit')} still fresh"] if fresh else []
    found += troubles(state, side)
    return found


def troubles(state: DamosState, side: str) -> list[str]:
    """Return who would surrender, stacks too high, and fresh units that could rally."""
    found = []
    lost = surrendering(state, side)
    if lost:
        found.append(f"{counted(sum(map(len, lost.values())), 'unit')} would surrender ({_some(lost)})")
    crowded = [hex_ for hex_ in stacks(state, side) if excess(state, side, hex_)]
    if crowded:
        found.append(f"too many stand in {_some(crowded)}")
    down = {
        hex_: units
        for hex_, units in stacks(state, side).items()
        if any(state.units[each].demoralized and not state.units[each].spent for each in units)
        and not in_enemy_zone(state, side, hex_)
        and has_supply_line(state, side, hex_)
    }
    if down:
        found.append(f"demoralised units could rally in {_some(down)}")
    return found


def _some(hexes: "list[str] | dict[str, list[str]]") -> str:
    names = list(hexes)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def closes(forces: FreshForces, units: list[str]) -> str:
    """Return whom the activation of ``units`` keeps from being activated this turn, "" for nobody (DM-7.0d)."""
    state = forces.state
    if forces.zones_only or not is_zone_capable(state, units):
        return ""
    shut = [each for fresh in forces.by_hex.values() for each in fresh if not is_zone_capable(state, [each])]
    shut = [each for each in shut if each not in units]
    return f"{counted(len(shut), 'unit')} without a zone of influence" if shut else ""
