"""The steps of a combat (DM-8.2a), the counterattack (DM-8.9), and control of the hex (DM-2.9a)."""

from collections.abc import Sequence

from damos.combat.aftermath import decide, settle
from damos.combat.air_support import check_support
from damos.combat.battle import ATTACKER, DEFENDER, ROLES, Battle, Outcome, Throw
from damos.combat.calculations import countered, overwhelming
from damos.combat.exchange import OVERWHELMING_RATIO, exchange, overwhelms, strengths
from damos.combat.losses import COMBAT, COUNTERATTACK, suffer
from damos.combat.plans import choose_plans, leave_out
from damos.map.supply import has_supply_line
from damos.map.terrain import after_terrain
from damos.model.events import (
    CombatBegan,
    CombatDecided,
    CounterattackResolved,
    DefenderOverwhelmed,
    HexHeld,
    UnitsEliminated,
)
from damos.model.forces import enemy_of, is_demoralized, is_occupied, units_in
from damos.model.state import DamosState
from damos.model.tables import COUNTERATTACK as POSTURE
from damos.model.tables import lp_number, lp_rank
from sandtable import Procedure, Roll


def is_due(battle: Battle, suffered: dict[str, str]) -> bool:
    """Return whether the defender counterattacks (R-DM-45).

    True if it chose that posture and lost the exchange, and both sides are still in the hex.
    """
    lost = lp_rank(suffered[DEFENDER]) > lp_rank(suffered[ATTACKER])  # DM-8.9b, R-DM-47
    return battle.posture == POSTURE and lost and bool(battle.attackers) and bool(battle.defenders)


def counterattack(battle: Battle) -> Procedure:
    """Roll, let both absorb, and return the loss points of each role as a number (DM-8.9c to DM-8.9i).

    The attacker gets the terrain of the hex like a defender, and the defender like an attacker, without hexsides
    (DM-8.9d, DM-8.9e).
    """
    yield from battle.state_strengths()
    counter, attack = (max(1, each) for each in _strengths(battle))
    table = battle.state.board.aid.counterattack
    column = table.column(counter, attack)
    (die,) = yield Roll(1, 6, f"counter:{battle.hex}", "DM-8.9g", favors=battle.side_of(DEFENDER))
    on_defender, on_attacker = table.result(column, die)
    added = {ATTACKER: on_attacker, DEFENDER: on_defender}
    yield CounterattackResolved(
        hex=battle.hex,
        counter_strength=counter,
        attack_strength=attack,
        ratio=table.title(column),
        die=die,
        on_defender=on_defender,
        on_attacker=on_attacker,
        calculations=countered(battle, table.title(column), die, added),
    )
    yield from suffer(battle, added, COUNTERATTACK)
    return added


def _strengths(battle: Battle) -> tuple[int, int]:
    """Return the strengths of counterattacker and original attacker, after the terrain of the hex."""
    points = (battle.strength_of(DEFENDER), battle.strength_of(ATTACKER))
    strengths: tuple[int, int] = after_terrain(battle.state, battle.side_of(DEFENDER), points, battle.hex)
    return strengths


def take_control(state: DamosState, hex_: str) -> Procedure:
    """Give the hex to the side that is alone in it, if the side does not control it already."""
    sides = [side for side in state.board.sides if is_occupied(state, hex_, side)]
    if len(sides) == 1 and state.control.get(hex_) != sides[0]:
        yield HexHeld(hex_, sides[0])


def fight(
    state: DamosState,
    hex_: str,
    attackers: Sequence[str],
    entry: str,
    plan: str = "",
    posture: str = "",
    *,
    exploiting: bool = False,
    left_halves: int = 0,
    supplied: bool | None = None,
) -> Procedure:
    """Let the opposing forces in ``hex_`` fight, and return the ``Outcome``.

    ``attackers`` are the active force, which came from ``entry`` ("" for none, R-DM-87). Friends in the hex also fight,
    except idle ones (DM-8.2b, R-DM-92). ``plan`` and ``posture`` are "" if they are to be chosen now (DM-8.2d);
    ``left_halves`` limits the plans. An exploiting force keeps the supply that it had: ``supplied`` (DM-8.12g).
    """
    side = state.phasing_side
    idle = _idle(state, attackers, units_in(state, hex_, side))
    forces = {
        ATTACKER: sorted({*attackers, *units_in(state, hex_, side)}.difference(idle)),
        DEFENDER: units_in(state, hex_, enemy_of(side)),
    }
    battle = Battle(state, hex_, entry, forces, exploiting, plan, posture)
    battle.idle = idle
    battle.shaken = is_demoralized(state, forces[DEFENDER])
    yield CombatBegan(hex_, list(forces[ATTACKER]), list(forces[DEFENDER]), entry, exploiting)
    yield from choose_plans(battle, left_halves)
    yield from leave_out(battle)
    _check_supply(battle)
    if supplied is not None:
        battle.supplied[ATTACKER] = supplied
    yield from battle.state_strengths()
    throws = strengths(battle)
    attack, defense = throws[ATTACKER], throws[DEFENDER]
    if overwhelms(state, (attack.strength, defense.strength), (attack.modified, defense.modified)):
        yield from _overwhelm(battle, attack, defense)
        return _outcome(battle, ATTACKER, overwhelmed=True)
    support, suffered = yield from exchange(battle, throws)
    yield from suffer(battle, {role: lp_number(suffered[role]) for role in ROLES}, COMBAT)
    added: dict[str, int] = {}
    if is_due(battle, suffered):
        added = yield from counterattack(battle)
    winner = yield from decide(battle, suffered, added)
    yield from settle(battle, winner)
    yield from take_control(state, hex_)
    yield from check_support(state, hex_, support)
    return _outcome(battle, winner)


def _idle(state: DamosState, attackers: Sequence[str], units: Sequence[str]) -> list[str]:
    """Return the attackers' friends in the hex that sit the combat out because they are demoralized (R-DM-92)."""
    if state.options["friends_in_combat_hex"] == "all":
        return []
    return [each for each in units if each not in attackers and state.units[each].demoralized]


def _check_supply(battle: Battle) -> None:
    """Check both supply lines; the forces in the combat hex do not block each other's (DM-2.10d, R-DM-37)."""
    state = battle.state
    ignoring = (battle.hex,) if state.options["los_in_combat_hex"] == "combatants_cancel" else ()
    for role in ROLES:
        battle.supplied[role] = has_supply_line(state, battle.side_of(role), battle.hex, ignoring)


def _overwhelm(battle: Battle, attack: Throw, defense: Throw) -> Procedure:
    """Eliminate the defender without a roll, together with its units that sat out (AGC-4.6.2a, R-DM-63)."""
    compared = (attack.modified, defense.modified)
    if battle.state.options["ratio_12"] == "raw_sp":
        compared = (attack.strength, defense.strength)
    why = overwhelming(battle, *compared, OVERWHELMING_RATIO)
    yield DefenderOverwhelmed(battle.hex, attack.modified, defense.modified, calculations=why)
    yield UnitsEliminated(battle.defenders, battle.hex, "overwhelmed", "AGC-4.6.2a")
    yield CombatDecided(battle.hex, ATTACKER, "0", "0", "AGC-4.6.2a")
    yield from settle(battle, ATTACKER)
    yield from take_control(battle.state, battle.hex)


def _outcome(battle: Battle, winner: str, *, overwhelmed: bool = False) -> Outcome:
    state = battle.state
    empty = not units_in(state, battle.hex, battle.side_of(DEFENDER))
    won = winner == ATTACKER or state.options["ea_condition"] == "hex_empty"  # R-DM-19
    remain = [each for each in battle.forces[ATTACKER] if state.units[each].hex]
    return Outcome(
        winner=winner,
        hex_empty=empty,
        exploits=empty and won and bool(remain) and not battle.exploiting,  # DM-8.12a, DM-8.12f
        surplus=0 if overwhelmed else battle.surplus,
        supplied=battle.supplied[ATTACKER],
        plan=battle.plan,
        overwhelmed=overwhelmed,
        left_out=tuple(battle.sat_out(ATTACKER)),
    )
