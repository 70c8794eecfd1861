"""Reactions and combat in sentences: dice with their modifiers, losses, and the fate of the loser."""

from functools import singledispatch

from damos.model import events
from damos.model.board import Board
from damos.model.tables import REACTION_TARGET
from damos.ui.terms import (
    agreed,
    counted_points,
    do,
    loss,
    moves,
    name_of,
    names,
    path_words,
    place,
    plan_words,
    rolled,
    side_of,
)
from sandtable import Event
from sandtable.pictures import capital, in_words, listed, number_word

ELIMINATED = {
    "losses": "no strength is left",
    "retreat": "no retreat is possible",
    "stacking": "too many units are in the hex",
    "overwhelmed": "overwhelmed",
    "rout": "no rout is possible",
}
RETREATED = {"lost": "retreat", "reaction": "withdraw", "rout": "rout"}
DEMORALIZED = {"lost": "the combat is lost", "stacked": "stacked with demoralized units", "rout": "routed"}
BENEFITS = {"shift": "column shift", "reroll": "re-roll"}


@singledispatch
def narrate_combat(event: Event, board: Board) -> str | None:  # noqa: ARG001 - each type of event has its function below
    """Return the sentence of an event of reactions and combat, or None for other events."""
    return None


# ---------------------------------------------------------------------- reactions


@narrate_combat.register
def _(event: events.ReactionRolled, board: Board) -> str:
    goal = f"to react into {place(event.hex, board)}"
    if event.retreat:
        goal = f"to withdraw before the enemy in {place(event.hex, board)}"
    who = f"{names(event.units, board)} in {place(event.start, board)}"
    end = agreed("succeed" if event.success else "fail", event.units)
    if not event.dice:
        return f"{who} {end} {goal}: no roll is needed." if event.success else f"{who} {end} {goal}."
    need = f"{agreed('need', event.units)} a total of {REACTION_TARGET} {goal}"
    roll = agreed("roll", event.units)
    shown = [step for each in event.calculations or () if each.name == "mobile" for step in each.steps]
    strengths = f" Mobile strength {shown[0][1]} against {-shown[1][1]}." if shown else ""
    return f"{who} {need}, {roll} {rolled(event.dice, event.modifiers, event.total)} and {end}.{strengths}"


# ---------------------------------------------------------------------- combat


@narrate_combat.register
def _(event: events.CombatBegan, board: Board) -> str:
    who = f"{do(event.attackers, board, 'attack')} {names(event.defenders, board)} in {place(event.hex, board)}"
    entry = f" from {place(event.entry, board)}" if event.entry else ""
    return f"{who}{entry}{' during exploitation' if event.exploiting else ''}."


@narrate_combat.register
def _(event: events.PlansRevealed, board: Board) -> str:
    posture = in_words(event.posture) or "no posture (the defender is demoralized)"
    return f"plans in {place(event.hex, board)}: {plan_words(event.plan) or 'no plan'} against {posture}."


@narrate_combat.register
def _(event: events.AirUsed, board: Board) -> str:
    chosen = [BENEFITS[name] for name, used in (("shift", event.shift), ("reroll", event.reroll)) if used]
    return f"the air unit takes part in {place(event.hex, board)}: {listed(chosen) or 'no benefit is used'}."


@narrate_combat.register
def _(event: events.AirChecked, _board: Board) -> str:
    outcome = {
        "one_benefit": f"it can be used again this turn, but only for its {BENEFITS.get(event.benefit, 'one benefit')}",
        "nothing": "the first failed check has no effect",
        "grounded": "it is grounded for the rest of the turn",
    }
    end = outcome.get(event.outcome, in_words(event.outcome) or "no effect")
    faces = listed(map(str, event.dice)) or "no dice"
    return f"the air unit needs {event.needed} or more on its check and rolls {faces}: {end}."


@narrate_combat.register
def _(event: events.CombatResolved, board: Board) -> str:
    attack = _throw("the attacker", event.attack_strength, event.attack_modified, event.attack_column)
    defense = _throw("the defender", event.defense_strength, event.defense_modified, event.defense_column)
    first = rolled(event.attack_dice, event.attack_modifiers, event.attack_total)
    second = rolled(event.defense_dice, event.defense_modifiers, event.defense_total)
    suffered = f"The defender suffers {loss(event.on_defender)}, the attacker {loss(event.on_attacker)}"
    return f"combat in {place(event.hex, board)}: {attack} {first}. {capital(defense)} {second}. {suffered}."


def _throw(what: str, strength: int, modified: int, column: int) -> str:
    """Return the roll of a role without its dice: "the attacker (strength 18, 15 in this terrain, column 9) rolls"."""
    terrain = f"{modified} in this terrain, " if modified != strength else ""
    return f"{what} (strength {strength}, {terrain}column {column}) rolls"


@narrate_combat.register
def _(event: events.LossesTaken, board: Board) -> str:
    kind = {"counterattack": " from the counterattack", "attrition": " from attrition"}.get(event.why, "")
    shares = [f"{name_of(unit_id, board)} loses {number_word(lost)}" for unit_id, lost in event.losses.items() if lost]
    parts = [f"{listed(shares)}"] if shares else []
    parts += [f"{number_word(event.replacements)} paid with replacements"] if event.replacements else []
    parts += [f"{number_word(event.surplus)} more than the units have"] if event.surplus else []
    what = counted_points(event.points, "loss point")
    end = f": {listed(parts)}" if parts else ""
    return f"{side_of(event.side, board)} take {what} in {place(event.hex, board)}{kind}{end}."


@narrate_combat.register
def _(event: events.UnitsEliminated, board: Board) -> str:
    why = ELIMINATED.get(event.why, in_words(event.why) or "no reason is given")
    return f"{do(event.units, board, 'are')} eliminated in {place(event.hex, board)}: {why}."


@narrate_combat.register
def _(event: events.CounterattackResolved, board: Board) -> str:
    odds = f"{event.counter_strength} against {event.attack_strength} ({event.ratio or 'no ratio'})"
    suffered = f"The attacker suffers {event.on_attacker}, the defender {event.on_defender}"
    return f"the defender counterattacks in {place(event.hex, board)}, {odds}, and rolls {event.die}. {suffered}."


@narrate_combat.register
def _(event: events.CombatDecided, board: Board) -> str:
    suffered = f"attacker {loss(event.on_attacker)}, defender {loss(event.on_defender)}"
    won = {"attacker": "The attacker wins", "defender": "The defender wins"}.get(event.winner, "Neither side wins")
    return f"total loss points in {place(event.hex, board)}: {suffered}. {won}."


@narrate_combat.register
def _(event: events.ForceRetreated, board: Board) -> str:
    return f"{do(event.units, board, RETREATED.get(event.why, 'retreat'))} {path_words(event.path, board)}."


@narrate_combat.register
def _(event: events.ForceDemoralized, board: Board) -> str:
    why = DEMORALIZED.get(event.why, in_words(event.why) or "no reason is given")
    return f"{do(event.units, board, 'are')} demoralized in {place(event.hex, board)}: {why}."


@narrate_combat.register
def _(event: events.ExploitationBegan, board: Board) -> str:
    surplus = f" ({event.surplus} from surplus losses)" if event.surplus else ""
    return f"{do(event.units, board, 'exploit')} from {place(event.hex, board)} with {moves(event.halves)}{surplus}."


@narrate_combat.register
def _(event: events.AttritionRolled, board: Board) -> str:
    who = f"{do(event.units, board, 'have')} no supply line in {place(event.hex, board)}"
    lost = counted_points(event.points, "loss point")
    roll = f"{agreed('roll', event.units)} {rolled(event.dice, event.modifiers, event.total)}"
    return f"{who} and {roll} for attrition: {lost}."
