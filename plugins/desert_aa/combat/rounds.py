"""Rounds of a battle and its end: losses, retreat, capture, swept mines (DAA-16.06, DAA-17.04 to DAA-17.11)."""

from collections.abc import Callable

from desert_aa.combat.calculations import ATTACK, DEFENSE, round_hits
from desert_aa.combat.control import capture, is_enemy_held, is_enemy_mined
from desert_aa.combat.losses import defenders_lose, take_losses
from desert_aa.combat.minefields import sweep
from desert_aa.model.events import BattleEnded, RoundFought, UnitsWithdrew
from desert_aa.model.orders import PressOn, Retreat
from desert_aa.model.state import Battle, DesertState
from desert_aa.model.tables import ARTILLERY, ENEMY, INFANTRY, PLANES, SUPPORTED_INFANTRY, VALUES
from sandtable import Calculation, Decision, OneOf, Procedure, Roll


def finish(state: DesertState) -> Procedure:
    """End a battle in which at least one side has no units left."""
    battle = state.battle
    assert battle is not None  # noqa: S101 - a battle is in progress
    space = battle.space
    land = [each for each in battle.attackers if state.units[each].kind not in PLANES]
    if battle.defenders:
        yield BattleEnded(space, "held", "DAA-17.08")
    elif not battle.attackers:
        yield BattleEnded(space, "destroyed", "DAA-17.08")
    elif not land:
        yield BattleEnded(space, "cleared", "DAA-16.10")
    elif is_enemy_mined(state, space):
        taken: bool = yield from sweep(state, space, land)
        yield BattleEnded(space, "taken" if taken else "cleared", "DAA-9.07" if taken else "DAA-9.08")
    else:
        yield capture(state, space, "DAA-17.11")
        yield BattleEnded(space, "taken", "DAA-17.11")


PRESS_ON = PressOn()


def attack_needs(state: DesertState, units: list[str]) -> tuple[int, ...]:
    """Return the need of each attacker; each gun supports one infantry unit (DAA-17.04, DAA-11.01, DAA-15.07)."""
    guns = sum(state.units[each].kind == ARTILLERY for each in units)
    needs = []
    for unit_id in units:
        unit = state.units[unit_id]
        need = VALUES[unit.power][unit.kind].attack
        if unit.kind == INFANTRY and guns:
            guns -= 1
            need = SUPPORTED_INFANTRY
        needs.append(need)
    return tuple(needs)


def defense_needs(state: DesertState, units: list[str]) -> tuple[int, ...]:
    """Return the need of each defender (DAA-17.05)."""
    known = state.units
    return tuple(VALUES[known[each].power][known[each].kind].defense for each in units)


def fight_round(state: DesertState, battle: Battle) -> Procedure:
    """Fight one round of ``battle``. It ends if a side has no units left or the attacker retreats (DAA-17.08)."""
    space = battle.space
    attacking = battle.attackers
    needs, side = attack_needs(state, attacking), state.phasing_side
    faces = yield from _roll(f"attack.{space}", "DAA-17.04", needs, side, attacking)
    attack: Calculation = round_hits(ATTACK, state, attacking, needs, faces)
    firing = [each for each in battle.defenders if each not in battle.spent]  # DAA-7.04, DAA-R30
    needs, side = defense_needs(state, firing), ENEMY[state.phasing_side]
    faces = yield from _roll(f"defence.{space}", "DAA-17.05", needs, side, firing)
    defense: Calculation = round_hits(DEFENSE, state, firing, needs, faces)
    yield RoundFought(space, battle.round + 1, attack.total, defense.total, calculations=(attack, defense))
    able, struck = may_fall(state, battle), list(battle.attackers)
    yield from defenders_lose(state, space, able, attack.total, "battle", "DAA-17.06")
    yield from take_losses(state, (state.phasing_power, struck, defense.total), space, "battle", "DAA-17.06")
    if battle.attackers and battle.defenders:
        yield from press_on(state, battle)
    else:
        yield from finish(state)


def _roll(purpose: str, rule: str, needs: tuple[int, ...], side: str, units: list[str]) -> Procedure:
    """Roll a die for each of the ``units`` of a side, if it has any; return the faces."""
    if not needs:
        return ()
    roll = Roll(len(needs), 6, purpose, rule, needs, pooled=True, favors=side, units=tuple(units))
    return (yield roll)


# --- losses among guns that have fired (DAA-R29, DAA-R30) ---


def may_fall(state: DesertState, battle: Battle) -> list[str]:
    """Return the defenders that can be lost. An option excludes spent guns while other units are left (DAA-R29)."""
    excluded = battle.spent if state.options["at_casualty"] == "excluded" else ()
    return [each for each in battle.defenders if each not in excluded] or list(battle.defenders)


# --- fighting on or retreating ---


def press_on(state: DesertState, battle: Battle) -> Procedure:
    """Ask the attacker to fight on or retreat, if a retreat is possible (DAA-17.09, DAA-4.06, DAA-R16).

    Land units retreat; planes stay in the air until they land in the non-combat phase.
    """
    land = [each for each in battle.attackers if state.units[each].kind not in PLANES]
    retreats = RETREATS[state.options["retreat_rule"]](state, land) if land else [Retreat()]
    if not retreats:
        return
    prompt = f"fight another round at {state.board.names[battle.space]}, or retreat"
    options = OneOf([PRESS_ON, *retreats], "DAA-17.09", why_no_retreat(retreats))
    purpose = f"press_on.{battle.space}"
    order = yield Decision(state.phasing_side, prompt, options, "DAA-17.09", state.phasing_power, purpose=purpose)
    if type(order) is Retreat:
        if land:
            back = {each: order.to or state.units[each].origin for each in land}
            yield UnitsWithdrew(state.phasing_power, battle.space, back)
        yield BattleEnded(battle.space, "withdrawn", "DAA-17.09")


def why_no_retreat(retreats: list[Retreat]) -> str:
    """Return the reason why other retreats are refused, with the orders that can be typed."""
    typed = [f"retreat {each.to}".rstrip() for each in retreats]
    reason = (
        "retreat to a space that an attacker came from"
        if retreats[0].to
        else "each unit retreats to the space it came from"
    )
    return f"{reason}: type fight on, or {' or '.join(typed)}"


def joint_retreats(state: DesertState, land: list[str]) -> list[Retreat]:
    """Return the retreats of all units to one space that one of them came from and that the enemy does not hold."""
    origins = sorted(dict.fromkeys(state.units[each].origin for each in land))
    return [Retreat(space) for space in origins if space and not is_enemy_held(state, space)]


def separate_retreat(state: DesertState, land: list[str]) -> list[Retreat]:
    """Return the retreat of each unit to its own origin, or [] if a unit has no origin."""
    return [Retreat()] if all(state.units[each].origin for each in land) else []


RETREATS: dict[str, Callable[[DesertState, list[str]], list[Retreat]]] = {
    "together": joint_retreats,
    "own_origin": separate_retreat,
}
