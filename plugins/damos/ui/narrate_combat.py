"""Reactions and combat in sentences: dice with what was added to them, losses, and what becomes of the loser."""

from functools import singledispatch

from damos.model import events
from damos.model.board import Board
from damos.ui.terms import (
    agreed,
    counted_points,
    do,
    loss,
    moves,
    name_of,
    names,
    place,
    plan_words,
    rolled,
    side_of,
    way,
)
from sandtable import Event
from sandtable.pictures import in_words, listed, number_word, spaced

ELIMINATED = {
    "losses": "no strength is left",
    "retreat": "there is no way to retreat",
    "stacking": "there are too many in the hex",
    "overwhelmed": "overwhelmed",
    "rout": "there is no way to rout",
}
RETREATED = {"lost": "retreat", "reaction": "get out of the way", "rout": "rout"}
DEMORALIZED = {"lost": "the combat is lost", "stacked": "stacked with demoralised units", "rout": "routed"}
BENEFITS = {"shift": "column shift", "reroll": "re-roll"}


@singledispatch
def tell_combat(event: Event, board: Board) -> str | None:  # noqa: ARG001 - each kind of event has its own below
    """Return the sentence of an event of reactions and combat, None for any other."""
    return None


# ---------------------------------------------------------------------- reactions


@tell_combat.register
def _(event: events.ReactionRolled, board: Board) -> str:
    goal = f"to react into {place(event.hex, board)}"
    if event.retreat:
        goal = f"to get out of the way of the enemy in {place(event.hex, board)}"
    end = "success" if event.success else "it fails"
    who = f"{names(event.units, board)} in {place(event.start, board)} {agreed('try', event.units)}"
    return f"{who} {goal}: {rolled(event.dice, event.modifiers, event.total)}: {end}."


# ---------------------------------------------------------------------- combat


@tell_combat.register
def _(event: events.CombatBegan, board: Board) -> str:
    who = f"{do(event.attackers, board, 'attack')} {names(event.defenders, board)} in {place(event.hex, board)}"
    entry = f", coming from {place(event.entry, board)}" if event.entry else ""
    return f"{who}{entry}{', exploiting' if event.exploiting else ''}."


@tell_combat.register
def _(event: events.PlansRevealed, board: Board) -> str:
    posture = in_words(event.posture) or "a defender who is demoralised and has no posture"
    return f"in {place(event.hex, board)} it is {plan_words(event.plan) or 'no plan'} against {posture}."


@tell_combat.register
def _(event: events.AirUsed, board: Board) -> str:
    chosen = [BENEFITS[name] for name, used in (("shift", event.shift), ("reroll", event.reroll)) if used]
    return f"the air unit takes part in {place(event.hex, board)}: {listed(chosen) or 'nothing of it is used'}."


@tell_combat.register
def _(event: events.AirChecked, _board: Board) -> str:
    outcome = {
        "one_benefit": f"it can be used again this turn, for its {BENEFITS.get(event.benefit, 'one benefit')} alone",
        "nothing": "a first bad check, without effect",
        "grounded": "it is grounded for the rest of the turn",
    }
    end = outcome.get(event.outcome, in_words(event.outcome) or "no effect")
    return f"the air unit checks, {spaced(event.dice) or 'nothing'}, needing {event.needed} or more: {end}."


@tell_combat.register
def _(event: events.CombatResolved, board: Board) -> str:
    attack = _throw("attack", event.attack_strength, event.attack_modified, event.attack_column)
    defence = _throw("defence", event.defence_strength, event.defence_modified, event.defence_column)
    first = rolled(event.attack_dice, event.attack_modifiers, event.attack_total)
    second = rolled(event.defence_dice, event.defence_modifiers, event.defence_total)
    suffered = f"the defender suffers {loss(event.on_defender)}, the attacker {loss(event.on_attacker)}"
    return f"combat in {place(event.hex, board)}: {attack} {first}; {defence} {second}: {suffered}."


def _throw(what: str, strength: int, modified: int, column: int) -> str:
    """Return "attack 18 (15 in this terrain, column 9) rolls"."""
    terrain = f"{modified} in this terrain, " if modified != strength else ""
    return f"{what} {strength} ({terrain}column {column}) rolls"


@tell_combat.register
def _(event: events.LossesTaken, board: Board) -> str:
    kind = {"counterattack": " by the counterattack", "attrition": " by attrition"}.get(event.why, "")
    shares = [f"{name_of(unit_id, board)} loses {number_word(lost)}" for unit_id, lost in event.losses.items() if lost]
    told = [f"{listed(shares)}"] if shares else []
    told += [f"{number_word(event.replacements)} paid with replacements"] if event.replacements else []
    told += [f"{number_word(event.surplus)} beyond all that was there"] if event.surplus else []
    what = counted_points(event.points, "loss point")
    end = f": {'; '.join(told)}" if told else ""
    return f"{side_of(event.side, board)} take {what} in {place(event.hex, board)}{kind}{end}."


@tell_combat.register
def _(event: events.UnitsEliminated, board: Board) -> str:
    why = ELIMINATED.get(event.why, in_words(event.why) or "no reason is given")
    return f"{do(event.units, board, 'are')} eliminated in {place(event.hex, board)}: {why}."


@tell_combat.register
def _(event: events.CounterattackResolved, board: Board) -> str:
    odds = f"{event.counter_strength} against {event.attack_strength} ({event.ratio or 'no ratio'}), die {event.die}"
    suffered = f"the attacker suffers {event.on_attacker}, the defender {event.on_defender}"
    return f"counterattack in {place(event.hex, board)}: {odds}: {suffered}."


@tell_combat.register
def _(event: events.CombatDecided, board: Board) -> str:
    suffered = f"attacker {loss(event.on_attacker)}, defender {loss(event.on_defender)}"
    won = {"attacker": "the attacker wins", "defender": "the defender wins"}.get(event.winner, "nobody wins")
    return f"{won} in {place(event.hex, board)}; loss points in all: {suffered}."


@tell_combat.register
def _(event: events.ForceRetreated, board: Board) -> str:
    return f"{do(event.units, board, RETREATED.get(event.why, 'retreat'))} {way(event.path, board)}."


@tell_combat.register
def _(event: events.ForceDemoralized, board: Board) -> str:
    why = DEMORALIZED.get(event.why, in_words(event.why) or "no reason is given")
    return f"{do(event.units, board, 'are')} demoralised in {place(event.hex, board)}: {why}."


@tell_combat.register
def _(event: events.ExploitationBegan, board: Board) -> str:
    surplus = f", surplus losses {event.surplus}" if event.surplus else ""
    return f"{do(event.units, board, 'exploit')} from {place(event.hex, board)} with {moves(event.halves)}{surplus}."


@tell_combat.register
def _(event: events.AttritionRolled, board: Board) -> str:
    who = f"{do(event.units, board, 'have')} no supply line in {place(event.hex, board)}"
    lost = counted_points(event.points, "loss point")
    return f"{who}: attrition {rolled(event.dice, event.modifiers, event.total)}: {lost}."
