"""A combat from the first look at both forces to what it comes to, in the order of its steps (DM-8.2a)."""

from collections.abc import Sequence

from damos.combat.absorption import COMBAT
from damos.combat.aftermath import decide, settle
from damos.combat.air_support import check_support
from damos.combat.battle import ATTACKER, DEFENDER, ROLES, Battle, Outcome
from damos.combat.combat import overwhelms
from damos.combat.counterattack import counterattack, is_due
from damos.combat.exchange import exchange, strengths
from damos.combat.holding import hold
from damos.combat.losses import suffer
from damos.combat.plans import choose_plans, leave_out
from damos.map.supply import has_supply_line
from damos.model.events import CombatBegan, CombatDecided, DefenderOverwhelmed, UnitsEliminated
from damos.model.forces import enemy_of, is_demoralized, units_in
from damos.model.state import DamosState
from damos.model.tables import lp_number
from sandtable.kernel.sequence import Procedure


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

    ``attackers`` are the active force, which came from ``entry`` ("" for none, R-DM-87); friends that stand in the hex
    fight along (DM-8.2b). ``plan`` and ``posture`` are those fixed already, "" for those to be chosen now (DM-8.2d),
    with ``left_halves`` for the plan. An exploiting force keeps the supply that it had: ``supplied`` (DM-8.12g).
    """
    side = state.phasing_side
    forces = {
        ATTACKER: sorted({*attackers, *units_in(state, hex_, side)}),
        DEFENDER: units_in(state, hex_, enemy_of(side)),
    }
    battle = Battle(state, hex_, entry, forces, exploiting, plan, posture)
    battle.shaken = is_demoralized(state, forces[DEFENDER])
    yield CombatBegan(hex_, list(forces[ATTACKER]), list(forces[DEFENDER]), entry, exploiting)
    yield from choose_plans(battle, left_halves)
    yield from leave_out(battle)
    _check_supply(battle)
    if supplied is not None:
        battle.supplied[ATTACKER] = supplied
    throws = strengths(battle)
    attack, defence = throws[ATTACKER], throws[DEFENDER]
    if overwhelms(state, (attack.strength, defence.strength), (attack.modified, defence.modified)):
        yield from _overwhelm(battle, attack.modified, defence.modified)
        return _outcome(battle, ATTACKER, overwhelmed=True)
    support, suffered = yield from exchange(battle, throws)
    yield from suffer(battle, {role: lp_number(suffered[role]) for role in ROLES}, COMBAT)
    added: dict[str, int] = {}
    if is_due(battle, suffered):
        added = yield from counterattack(battle)
    winner = yield from decide(battle, suffered, added)
    yield from settle(battle, winner)
    yield from hold(state, hex_)
    yield from check_support(state, hex_, support)
    return _outcome(battle, winner)


def _check_supply(battle: Battle) -> None:
    """Look at both supply lines; the forces in the combat hex do not block each other's (DM-2.10d, R-DM-37)."""
    state = battle.state
    ignoring = (battle.hex,) if state.options["los_in_combat_hex"] == "combatants_cancel" else ()
    for role in ROLES:
        battle.supplied[role] = has_supply_line(state, battle.side_of(role), battle.hex, ignoring)


def _overwhelm(battle: Battle, attack: int, defence: int) -> Procedure:
    """Eliminate the defender without a roll; who sat it out goes with him (AGC-4.6.2a, R-DM-63)."""
    yield DefenderOverwhelmed(battle.hex, attack, defence)
    yield UnitsEliminated(battle.defenders, battle.hex, "overwhelmed", "AGC-4.6.2a")
    yield CombatDecided(battle.hex, ATTACKER, "0", "0", "AGC-4.6.2a")
    yield from settle(battle, ATTACKER)
    yield from hold(battle.state, battle.hex)


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
        left_out=tuple(battle.present(battle.left_out[ATTACKER])),
    )
