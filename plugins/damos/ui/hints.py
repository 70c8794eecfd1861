"""Hints before an order: its typed form with examples, its cost, and what it excludes."""

from collections.abc import Iterator, Sequence

from damos.combat.chances import Strength, win_chance
from damos.map.stacking import excess, excess_of
from damos.map.supply import has_supply_line
from damos.map.terrain import combat_strengths, ground_of
from damos.map.zones import in_enemy_zone, is_zone_capable
from damos.model.forces import enemy_of, is_demoralized, stacks, units_in
from damos.model.state import DamosState
from damos.model.tables import SOVIET, UNSUPPLIED_ATTACK_PER_DIE, dice_of
from damos.model.terrain_chart import CLEAR
from damos.movement.march import March
from damos.movement.planning import FreshForces
from damos.turn.historical import WORD
from damos.turn.special_rules import DUTY_TURN
from damos.turn.strategic import surrendering
from damos.ui.terms import moves, name_of
from sandtable.notation import OrderQuestion, legal_orders, typed
from sandtable.pictures import counted, in_words, listed

MAX_NAMED = 4
"""Maximum number of hexes of one kind to name."""
SHEET_LINES = 2
MAX_SHARES = 20
"""Maximum number of units to name that can get replacements."""


def replacements(asked: OrderQuestion) -> Iterator[str]:
    """Yield the typed form of replacements, with the points that each unit can get."""
    shares = asked.field("points")
    counters = shares.state.board.counters
    able = [
        f"{each} {least} to {most}" if least < most else f"{each} {least}"
        for each, (least, most) in sorted(shares.allowed.items(), key=lambda row: (-counters[row[0]].sp, row[0]))
    ]
    more = f", and {len(able) - MAX_SHARES} more" if len(able) > MAX_SHARES else ""
    for first in list(shares.allowed)[:1]:
        facts = f"{', '.join(able[:MAX_SHARES])}{more}"
        yield f"replace {first} {shares.allowed[first][0]}  (points that each unit can get: {facts})"


def activation(asked: OrderQuestion) -> Iterator[str]:
    """Yield examples that activate the fresh units of a hex, or some of them."""
    for hex_, units in list(asked.field("units").by_hex.items())[:1]:
        yield f"activate {hex_}  (all fresh units there)"
        yield f"activate {' '.join(units[:2])}  (add its march: go HEX HEX stop, go to NAME, go HEX standard)"


def march(asked: OrderQuestion) -> Iterator[str]:
    """Yield examples that move the units of a hex, or one of them, strategically."""
    movers = asked.field("units")
    for hex_, units in list(movers.by_hex.items())[:1]:
        path = movers.paths(units[:1])
        near = next((each for each in path.steps([hex_]) if path.why_no_step([hex_, each]) is None), "HEX")
        yield from (
            f"march {hex_} {near}  (all in {hex_}; add more hexes for a longer march)",
            f"march {units[0]} {hex_} {near}",
        )


def sheet(asked: OrderQuestion) -> Iterator[str]:
    """Yield an example of a sheet that places up to two units into hexes with space, then remarks in parentheses."""
    lines, found, stacks_ = asked.field("hexes"), list[str](), dict[str, list[str]]()
    for unit_id, line in lines.lines.items():
        found += [f"{unit_id}: {it}" for it in line.values() if lines.has_room(stacks_, it, unit_id)][:1]
        if len(found) == SHEET_LINES:
            break
    yield "; ".join(found)
    yield f"(or several to a hex, {found[0].partition(': ')[2] if found else 'HEX'}: UNIT UNIT)"
    if lines.parts is not None and len(lines.parts(WORD)) > 1:
        yield f"(or {WORD}: the positions of 22 June 1941)"


def steps(asked: OrderQuestion) -> Iterator[str]:
    """Yield the hexes that can be entered: cost, terrain, units, and the odds of an attack."""
    hexes = asked.field("hex")
    for hex_, halves in hexes.halves.items():
        yield f"go {hex_} ({'; '.join(step_facts(hexes.state, hexes.march, hex_, halves))})"
    yield "(go HEX HEX ... for several steps, go to NAME for the whole path)"


def plan(asked: OrderQuestion) -> Iterator[str]:
    """Yield an attack with its units."""
    yield from (f"{order.plan} {' '.join(order.units)}" for order in legal_orders(asked))


def losses(asked: OrderQuestion) -> Iterator[str]:
    """Yield legal losses."""
    for order in legal_orders(asked):
        yield f"lose {typed(order.losses)}" + (f" rp {order.replacements}" if order.replacements else "")


def rout(asked: OrderQuestion) -> Iterator[str]:
    """Yield the unit that routs, and its path."""
    yield from (f"rout {order.unit} {' '.join(order.path)}" for order in legal_orders(asked))


def step_facts(state: DamosState, march: March, hex_: str, halves: int | None) -> list[str]:
    """Return the facts about a step: cost, terrain, units, and the odds of an attack."""
    enemies, friends = units_in(state, hex_, enemy_of(march.side)), units_in(state, hex_, march.side)
    facts = [] if halves is None else [moves(halves, "point")]
    facts += [in_words(row.name) for row in ground_of(state.board, hex_).rows if row.name != CLEAR]
    if enemies:
        who = listed([name_of(each, state.board) for each in enemies])
        facts.append(f"{who}, an attack wins {chance(state, march, hex_)} % at printed strengths")
    elif friends:
        facts.append(counted(len(friends), "friendly unit"))
    return facts


def chance(state: DamosState, march: March, hex_: str) -> int:
    """Return the percentage of standard attacks that a force wins, with the enemy at printed strength."""
    counters, enemies = state.board.counters, stacks(state, enemy_of(march.side))[hex_]
    attack, _ = combat_strengths(state, march.units, (), hex_, march.hex)
    defense = sum(counters[each].sp for each in enemies) + ground_of(state.board, hex_).defense
    attack = max(1, attack)
    supplied = has_supply_line(state, march.side, hex_, (hex_,))
    modifier = 0 if supplied else UNSUPPLIED_ATTACK_PER_DIE * dice_of(attack)
    modifier += int(is_demoralized(state, enemies))
    return win_chance(Strength(attack, modifier), Strength(max(1, defense)))


# --- orders that cannot be undone ---


def undone(state: DamosState, side: str) -> list[str]:
    """Return a list of the tasks that a side leaves undone if it ends its operations now."""
    fresh = [each for units in stacks(state, side).values() for each in units if not state.units[each].spent]
    able = [each for each in fresh if not state.zone_phase or is_zone_capable(state, [each])]  # DM-7.0d
    found = [f"{counted(len(able), 'unit')} still fresh"] if able else []
    found += troubles(state, side)
    if side == SOVIET and state.turn == DUTY_TURN and state.attacks_owed > state.attacks_made:
        found.append(f"{counted(state.attacks_owed - state.attacks_made, 'required attack')} not made")
    return found


def crowding(state: DamosState, units: Sequence[str], hex_: str) -> str:
    """Return the warning that units which stop in a hex exceed its limit with the units done there, or ""."""
    side = state.units[units[0]].side
    done = [each for each in units_in(state, hex_, side) if state.units[each].spent and each not in units]
    over = excess_of(state, sorted([*units, *done])) - excess_of(state, done)
    if over <= 0:
        return ""
    return f"{hex_} would hold {counted(over, 'unit')} too many, which would be lost at the end of the turn"


def troubles(state: DamosState, side: str) -> list[str]:
    """Return warnings about units that would surrender, over-stacked hexes, and fresh units that could rally."""
    found = []
    lost = surrendering(state, side)
    if lost:
        found.append(f"{counted(sum(map(len, lost.values())), 'unit')} would surrender ({_some(lost)})")
    crowded = [hex_ for hex_ in stacks(state, side) if excess(state, side, hex_)]
    if crowded:
        found.append(f"too many units are in {_some(crowded)}")
    down = {
        hex_: units
        for hex_, units in stacks(state, side).items()
        if any(state.units[each].demoralized and not state.units[each].spent for each in units)
        and not in_enemy_zone(state, side, hex_)
        and has_supply_line(state, side, hex_)
    }
    if down:
        found.append(f"demoralized units could rally in {_some(down)}")
    return found


def _some(hexes: "list[str] | dict[str, list[str]]") -> str:
    names = list(hexes)
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + more


def closes(forces: FreshForces, units: list[str]) -> str:
    """Return as text how many units the activation of ``units`` excludes from activation this turn, or "" (DM-7.0d)."""
    state = forces.state
    if forces.zones_only or not is_zone_capable(state, units):
        return ""
    shut = [each for fresh in forces.by_hex.values() for each in fresh if not is_zone_capable(state, [each])]
    shut = [each for each in shut if each not in units]
    return f"{counted(len(shut), 'fresh unit')} without a zone of influence" if shut else ""
