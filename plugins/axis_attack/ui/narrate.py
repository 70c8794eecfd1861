"""The campaign as a diary: what each event means to a reader, with titles and names for ids.

Platoons are named by their ids, as in the roster. What a side may not see is not in its records, so nothing is hidden
here.
"""

from functools import singledispatch
from typing import Any

from axis_attack.model import events
from axis_attack.model.cards import Board
from axis_attack.model.tables import MUD
from axis_attack.ui.terms import (
    ENDINGS,
    air_words,
    corner_words,
    fielded_words,
    level_words,
    mission_words,
    purchase_words,
    roles_words,
    score_words,
    sector_words,
    side_words,
)
from sandtable import Event, EventRecord, GameEnded, RollRecord
from sandtable.pictures import (
    capital,
    counted,
    ended_sentence,
    in_words,
    is_told,
    listed,
    number_word,
    roll_sentence,
    spaced,
)
from sandtable.tabletop import PlatoonLosses, Result

TOLD_BY_EVENTS = ("selection", "roles", "choice", "weather", "bailed", "reinforce")
"""Purposes of rolls whose faces stand in an event."""
TOPICS = {
    "roles": "attack or defence",
    "choice": "the first choice",
    "bailed": "bailed vehicles",
    "reinforce": "reinforcement",
    "selection": "the selection",
}
MODIFIERS = {
    "points": "for the last game",
    "higher_total": "for the higher total",
    "recon": "for reconnaissance",
    "won_as_defender": "for a win as defender",
}


def sentence(record: Any, board: Board) -> str | None:
    """Return one sentence for a record; None leaves it to the framework, "" passes it over."""
    if isinstance(record, RollRecord):
        return _roll(record, board)
    if not isinstance(record, EventRecord):
        return None
    told = narrate_event(record.event, board)
    return None if told is None else capital(told)


def _roll(record: RollRecord, board: Board) -> str:
    """Return the sentence of a roll: none where an event tells the face, but for physical dice."""
    if is_told(record, TOLD_BY_EVENTS):
        return ""
    return roll_sentence(record, {**TOPICS, **{side: board.sides[side] for side in board.sides}})


@singledispatch
def narrate_event(event: Event, board: Board) -> str | None:  # noqa: ARG001 - each kind of event has its own below
    """Return the sentence of an event, None for the kernel's own; rules are named only where something is unusual."""
    return None


@narrate_event.register
def _(event: events.CompanyBuilt, board: Board) -> str:
    aircraft = "".join(f"; {in_words(name)}, {level}" for name, level in event.aircraft.items())
    number = counted(len(event.platoons), "platoon")
    who = side_words(event.side, board)
    return f"{who} build a company of {event.points} points: {number}, {listed(event.platoons)}{aircraft}."


@narrate_event.register
def _(event: events.CampaignOpened, board: Board) -> str:
    agreed = f" Victory points agreed: {score_words(event.balance, board)}." if any(event.balance.values()) else ""
    where = sector_words(event.sector, board)
    what = mission_words(event.mission, board)
    return f"the campaign opens in {where}; the first mission: {what}; weather: {in_words(event.weather)}.{agreed}"


# --- the mission ---


@narrate_event.register
def _(event: events.ReconClaimed, board: Board) -> str:
    who = side_words(event.side, board)
    if not event.platoons:
        return f"{who} claim no reconnaissance."
    lost = f"; without transport, so not counted: {listed(event.immobile)}" if event.immobile else ""
    return f"{who} claim reconnaissance in the enemy's half: {listed(event.platoons)}{lost}."


@narrate_event.register
def _(event: events.SelectionRolled, board: Board) -> str:
    told = []
    for side, die in event.dice.items():
        more = [f" {value:+d} {MODIFIERS.get(name, in_words(name))}" for name, value in event.modifiers.get(side, ())]
        total = f" = {event.totals[side]}" if more else ""
        told.append(f"{board.sides.get(side, side)} {die}{','.join(more)}{total}")
    return f"rolls for the mission: {'; '.join(told)}."


@narrate_event.register
def _(event: events.TotalAdjusted, board: Board) -> str:
    verb = "add one to" if event.by > 0 else "take one off"
    whose = "their own total" if event.side == event.of else f"the total of {side_words(event.of, board)}"
    return f"{side_words(event.side, board)}, who won in defence, {verb} {whose}: {score_words(event.totals, board)}."


@narrate_event.register
def _(event: events.MissionSelected, board: Board) -> str:
    roles = roles_words(event.mission, event.attacker, board)
    return f"the next mission is {mission_words(event.mission, board)}: {roles}."


@narrate_event.register
def _(event: events.MissionChanged, board: Board) -> str:
    who, cost = side_words(event.side, board), counted(event.cost, "victory point")
    return f"{who} pay {cost}: the mission becomes {mission_words(event.mission, board)}."


def _rolled_off(dice: dict[str, list[int]], board: Board) -> str:
    return "; ".join(f"{board.sides.get(side, side)} {spaced(faces)}" for side, faces in dice.items())


@narrate_event.register
def _(event: events.RolesRolled, board: Board) -> str:
    how = f"roll-off ({_rolled_off(event.dice, board)})" if event.dice else "by the types of their companies"
    attacker, defender = side_words(event.attacker, board), side_words(event.defender, board)
    return f"attack and defence, {how}: {attacker} count as the attacker, {defender} as the defender."


@narrate_event.register
def _(event: events.ChoiceRolled, board: Board) -> str:
    what = "chooses the table" if event.rule == "AOA-R33" else "may change the mission first"
    return f"roll-off for who {what} ({_rolled_off(event.dice, board)}): {side_words(event.winner, board)}."


@narrate_event.register
def _(event: events.TablePlaced, board: Board) -> str:
    where = corner_words(event.column, event.row)
    return f"{side_words(event.side, board)} choose the table: its north-west corner is in {where} of the sector."


@narrate_event.register
def _(event: events.TableShifted, board: Board) -> str:
    where, cost = corner_words(event.column, event.row), counted(event.cost, "victory point")
    return f"{side_words(event.side, board)} shift the table to {where}, for {cost}."


# --- the game ---


@narrate_event.register
def _(event: events.GameConceded, board: Board) -> str:
    who = side_words(event.side, board)
    if event.rule == "AOA-R62":
        return f"{who} can form no legal force, and concede the game [{event.rule}]."
    return f"{who} concede the game."


@narrate_event.register
def _(event: events.ForceChosen, board: Board) -> str:
    also = [purchase_words(event.purchase), air_words(event.air)]
    extra = [f"limit raised {event.extra} times" if event.extra > 1 else "limit raised once"] if event.extra else []
    told = "".join(f"; {each}" for each in [*extra, *also] if each)
    cost = f" They pay {counted(event.cost, 'victory point')}." if event.cost else ""
    platoons = ", ".join(map(fielded_words, event.platoons))
    return f"{side_words(event.side, board)} field {event.points} points: {platoons}{told}.{cost}"


@narrate_event.register
def _(event: events.WeatherRolled, board: Board) -> str:  # noqa: ARG001 - the shape of all of these
    return f"the weather: {in_words(event.weather)} (a {event.die}); ground: {MUD[event.mud]}."


@narrate_event.register
def _(event: events.BattleBriefed, board: Board) -> str:
    brief = event.brief
    roles = f"{side_words(brief.attacker, board)} attack" if brief.attacker else "both sides attack"
    return f"to the table: {brief.mission} in sector {brief.place} ({brief.place_title}), {roles}."


@narrate_event.register
def _(event: events.BattleFought, board: Board) -> str:
    it = event.result
    if it.conceded:
        return f"nobody plays: a win for {side_words(it.winner, board)}."
    who = "Nobody wins" if it.winner not in board.sides else f"{side_words(it.winner, board)} win"
    losses = "".join(
        f" Losses of {side_words(side, board)}: {_losses(it, side)}." for side in board.sides if it.platoons.get(side)
    )
    ahead = f" In the enemy's half: {listed(it.recon_ahead)}." if it.recon_ahead else ""
    note = f" {it.note}{'' if it.note.endswith(('.', '!')) else '.'}" if it.note else ""
    return f"{who}.{losses}{ahead}{note}"


def _losses(result: Result, side: str) -> str:
    return "; ".join(f"{name} {_lost(lost)}" for name, lost in result.platoons[side].items())


def _lost(it: PlatoonLosses) -> str:
    left = sum(number for _, number in it.exited)
    counts = {
        "destroyed": it.destroyed,
        "routed": it.routed,
        "bailed out or bogged": it.bailed,
        "gone by their own edge": left,
    }
    told = [f"{number} {name}" for name, number in counts.items() if number]
    told += [counted(it.transports, "transport")] if it.transports else []
    told += [counted(it.upgrades, "upgrade team")] if it.upgrades else []
    return ", ".join(told) or "lost as a platoon"


@narrate_event.register
def _(event: events.PointsScored, board: Board) -> str:
    bonus = f", and {number_word(event.bonus)} more as the outnumbered side" if event.bonus else ""
    return f"{side_words(event.side, board)} score {counted(event.points, 'victory point')}{bonus}."


@narrate_event.register
def _(event: events.PointsSpent, board: Board) -> str:
    cost = counted(event.points, "victory point")
    return f"{side_words(event.side, board)} pay {cost} for {in_words(event.what)}."


# --- what follows ---


def _of(side: str, board: Board) -> str:
    """Return "Germans:", before a sentence about one of their platoons, which are named by ids."""
    return f"{board.sides.get(side, side)}:"


@narrate_event.register
def _(event: events.StrengthAssessed, board: Board) -> str:
    rolled = f" (bailed vehicles: {spaced(event.dice)})" if event.dice else ""
    if event.level == event.before:
        if not rolled:
            return ""
        return f"{_of(event.side, board)} {event.platoon} stays {level_words(event.level)}{rolled}."
    fall = f"falls from {level_words(event.before)} to {level_words(event.level)}"
    return f"{_of(event.side, board)} {event.platoon} {fall}{rolled}."


@narrate_event.register
def _(event: events.FrontMoved, board: Board) -> str:
    if event.sector == event.was:
        return f"{in_words(event.result)}: the front stays in {sector_words(event.was, board)}."
    was, now = sector_words(event.was, board), sector_words(event.sector, board)
    return f"{in_words(event.result)}: the front moves from {was} to {now}."


@narrate_event.register
def _(event: events.VehiclesTaken, board: Board) -> str:
    number = counted(event.number, "vehicle")
    return f"{_of(event.side, board)} {event.receiver} takes {number} of {event.donor}."


@narrate_event.register
def _(event: events.PlatoonLowered, board: Board) -> str:
    return f"{side_words(event.side, board)} lower {event.platoon} to {level_words(event.level)}, to keep it mobile."


@narrate_event.register
def _(event: events.MobilityAssessed, board: Board) -> str:
    who = side_words(event.side, board)
    stays = [f"immobile for lack of transport: {listed(event.immobile)} of {who}"] if event.immobile else []
    again = [f"mobile again: {listed(event.mobile)} of {who}"] if event.mobile else []
    return "; ".join([*stays, *again]) + "." if stays or again else ""


@narrate_event.register
def _(event: events.PlatoonRaised, board: Board) -> str:
    dice = counted(event.dice, "die", "dice")
    return f"{side_words(event.side, board)} raise {event.platoon} to {level_words(event.level)}, for {dice}."


@narrate_event.register
def _(event: events.DiceBought, board: Board) -> str:
    bought = f", {event.bought} of them bought" if event.bought else ""
    dice = counted(event.dice, "reinforcement die", "reinforcement dice")
    return f"{side_words(event.side, board)} have {dice}{bought}."


@narrate_event.register
def _(event: events.PlatoonReinforced, board: Board) -> str:
    done = f"it rises to {level_words(event.level)}" if max(event.dice) >= event.needs else "in vain"
    who = f"{_of(event.side, board)} {event.platoon}"
    return f"{who} rolls {spaced(event.dice)} for reinforcement and needs {event.needs}: {done}."


@narrate_event.register
def _(event: events.PlatoonExchanged, board: Board) -> str:
    types = board.lists[event.side].types if event.side in board.lists else {}
    title = types[event.wanted.type].title if event.wanted.type in types else in_words(event.wanted.type)
    more = "".join(f", {in_words(name)} {number}" for name, number in sorted(event.wanted.upgrades.items()))
    cost = counted(event.cost, "victory point")
    teams = counted(event.wanted.teams, "team")
    return f"{side_words(event.side, board)} pay {cost}: {event.platoon} is now a {title} of {teams}{more}."


@narrate_event.register
def _(event: events.GroundChanged, board: Board) -> str:  # noqa: ARG001 - the shape of all of these
    return f"the ground now: {MUD[event.mud]}."


@narrate_event.register
def _(_event: events.TurnClosed, _board: Board) -> str:
    return ""


@narrate_event.register
def _(event: GameEnded, board: Board) -> str:
    outcome = event.outcome if event.outcome == "draw" else side_words(event.outcome, board)
    return ended_sentence(outcome, ENDINGS.get(event.ending, event.ending))
