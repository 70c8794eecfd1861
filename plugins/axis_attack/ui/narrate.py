"""The campaign as a diary: what each event means to a reader, with titles and names for ids.

Platoons are named by their ids, as in the roster. What a side may not see is not in its records, so nothing is hidden
here.
"""

from collections.abc import Callable
from string import Formatter
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
from sandtable.tabletop import PlatoonLosses

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
        if is_told(record, TOLD_BY_EVENTS):
            return ""
        return roll_sentence(record, {**TOPICS, **{side: board.sides[side] for side in board.sides}})
    if not isinstance(record, EventRecord):
        return None
    told = SENTENCES.get(type(record.event))
    text = told if told is None or isinstance(told, str) else told(record.event, board)
    return text and capital(Filled(record.event, board).format(text))


class Filled(Formatter):
    """A formatter that fills the fields of an event into a sentence, as ``{side:side} concede the game.``."""

    def __init__(self, event: Any, board: Board) -> None:
        self.event, self.board = event, board

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:  # noqa: ARG002 - as Formatter calls it
        """Return a field of the event."""
        return getattr(self.event, str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a field in words."""
        if format_spec in FIELDS:
            return FIELDS[format_spec](value, self.board)
        return counted(value, *format_spec.split(",")) if format_spec else str(value)


FIELDS: dict[str, Callable[[Any, Board], str]] = {
    "side": side_words,
    "owner": lambda side, board: f"{board.sides.get(side, side)}:",
    "sector": sector_words,
    "mission": mission_words,
    "score": score_words,
    "level": lambda level, _: level_words(level),
    "mud": lambda mud, _: MUD[mud],
    "words": lambda value, _: in_words(value),
    "list": lambda values, _: listed(values),
    "dice": lambda values, _: spaced(values),
    "points": lambda points, _: counted(points, "victory point"),
}
"""Fields in words; another one names what is counted."""


def _built(event: events.CompanyBuilt, _: Board) -> str:
    aircraft = "".join(f"; {in_words(name)}, {level}" for name, level in event.aircraft.items())
    number = counted(len(event.platoons), "platoon")
    return f"{{side:side}} build a company of {{points}} points: {number}, {{platoons:list}}{aircraft}."


def _opened(event: events.CampaignOpened, _: Board) -> str:
    agreed = " Victory points agreed: {balance:score}." if any(event.balance.values()) else ""
    where = "the campaign opens in {sector:sector}; the first mission: {mission:mission}"
    return f"{where}; weather: {{weather:words}}.{agreed}"


def _claimed(event: events.ReconClaimed, _: Board) -> str:
    if not event.platoons:
        return "{side:side} claim no reconnaissance."
    lost = "; without transport, so not counted: {immobile:list}" if event.immobile else ""
    return f"{{side:side}} claim reconnaissance in the enemy's half: {{platoons:list}}{lost}."


def _selected(event: events.SelectionRolled, board: Board) -> str:
    told = []
    for side, die in event.dice.items():
        more = [f" {value:+d} {MODIFIERS.get(name, in_words(name))}" for name, value in event.modifiers.get(side, ())]
        total = f" = {event.totals[side]}" if more else ""
        told.append(f"{board.sides.get(side, side)} {die}{','.join(more)}{total}")
    return _plain(f"rolls for the mission: {'; '.join(told)}.")


def _adjusted(event: events.TotalAdjusted, _: Board) -> str:
    verb = "add one to" if event.by > 0 else "take one off"
    whose = "their own total" if event.side == event.of else "the total of {of:side}"
    return f"{{side:side}}, who won in defence, {verb} {whose}: {{totals:score}}."


def _rolled_off(dice: dict[str, list[int]], board: Board) -> str:
    return _plain("; ".join(f"{board.sides.get(side, side)} {spaced(faces)}" for side, faces in dice.items()))


def _roles(event: events.RolesRolled, board: Board) -> str:
    how = f"roll-off ({_rolled_off(event.dice, board)})" if event.dice else "by the types of their companies"
    return f"attack and defence, {how}: {{attacker:side}} count as the attacker, {{defender:side}} as the defender."


def _first(event: events.ChoiceRolled, board: Board) -> str:
    what = "chooses the table" if event.rule == "AOA-R33" else "may change the mission first"
    return f"roll-off for who {what} ({_rolled_off(event.dice, board)}): {{winner:side}}."


def _chosen(event: events.ForceChosen, _: Board) -> str:
    also = [purchase_words(event.purchase), air_words(event.air)]
    extra = [f"limit raised {event.extra} times" if event.extra > 1 else "limit raised once"] if event.extra else []
    told = _plain("".join(f"; {each}" for each in [*extra, *also] if each))
    cost = " They pay {cost:points}." if event.cost else ""
    platoons = _plain(", ".join(map(fielded_words, event.platoons)))
    return f"{{side:side}} field {{points}} points: {platoons}{told}.{cost}"


def _briefed(event: events.BattleBriefed, board: Board) -> str:
    brief = event.brief
    roles = f"{side_words(brief.attacker, board)} attack" if brief.attacker else "both sides attack"
    return _plain(f"to the table: {brief.mission} in sector {brief.place} ({brief.place_title}), {roles}.")


def _fought(event: events.BattleFought, board: Board) -> str:
    it = event.result
    if it.conceded:
        return _plain(f"nobody plays: a win for {side_words(it.winner, board)}.")
    who = "Nobody wins" if it.winner not in board.sides else f"{side_words(it.winner, board)} win"
    losses = ""
    for side in board.sides:
        lost = "; ".join(f"{name} {_lost(each)}" for name, each in it.platoons.get(side, {}).items())
        losses += f" Losses of {side_words(side, board)}: {lost}." if lost else ""
    ahead = f" In the enemy's half: {listed(it.recon_ahead)}." if it.recon_ahead else ""
    note = f" {it.note}{'' if it.note.endswith(('.', '!')) else '.'}" if it.note else ""
    return _plain(f"{who}.{losses}{ahead}{note}")


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


def _plain(text: str) -> str:
    """Return text that is no template."""
    return text.replace("{", "{{").replace("}", "}}")


def _scored(event: events.PointsScored, _: Board) -> str:
    bonus = f", and {number_word(event.bonus)} more as the outnumbered side" if event.bonus else ""
    return f"{{side:side}} score {{points:points}}{bonus}."


def _assessed(event: events.StrengthAssessed, _: Board) -> str:
    rolled = " (bailed vehicles: {dice:dice})" if event.dice else ""
    if event.level == event.before:
        return f"{{side:owner}} {{platoon}} stays {{level:level}}{rolled}." if rolled else ""
    return f"{{side:owner}} {{platoon}} falls from {{before:level}} to {{level:level}}{rolled}."


def _mobility(event: events.MobilityAssessed, _: Board) -> str:
    stays = ["immobile for lack of transport: {immobile:list} of {side:side}"] if event.immobile else []
    again = ["mobile again: {mobile:list} of {side:side}"] if event.mobile else []
    return "; ".join([*stays, *again]) + "." if stays or again else ""


def _reinforced(event: events.PlatoonReinforced, _: Board) -> str:
    done = "it rises to {level:level}" if max(event.dice) >= event.needs else "in vain"
    return f"{{side:owner}} {{platoon}} rolls {{dice:dice}} for reinforcement and needs {{needs}}: {done}."


def _exchanged(event: events.PlatoonExchanged, board: Board) -> str:
    types = board.lists[event.side].types if event.side in board.lists else {}
    title = types[event.wanted.type].title if event.wanted.type in types else in_words(event.wanted.type)
    more = "".join(f", {in_words(name)} {number}" for name, number in sorted(event.wanted.upgrades.items()))
    new = _plain(f"{title} of {counted(event.wanted.teams, 'team')}{more}")
    return f"{{side:side}} pay {{cost:points}}: {{platoon}} is now a {new}."


def _ended(event: GameEnded, board: Board) -> str:
    outcome = event.outcome if event.outcome == "draw" else side_words(event.outcome, board)
    return _plain(ended_sentence(outcome, ENDINGS.get(event.ending, event.ending)))


SENTENCES: dict[type[Event], str | Callable[[Any, Board], str]] = {
    events.CompanyBuilt: _built,
    events.CampaignOpened: _opened,
    events.ReconClaimed: _claimed,
    events.SelectionRolled: _selected,
    events.TotalAdjusted: _adjusted,
    events.MissionSelected: lambda event, board: (
        f"the next mission is {{mission:mission}}: {_plain(roles_words(event.mission, event.attacker, board))}."
    ),
    events.MissionChanged: "{side:side} pay {cost:points}: the mission becomes {mission:mission}.",
    events.RolesRolled: _roles,
    events.ChoiceRolled: _first,
    events.TablePlaced: lambda event, _: (
        f"{{side:side}} choose the table: its north-west corner is in {corner_words(event.column, event.row)}"
        " of the sector."
    ),
    events.TableShifted: lambda event, _: (
        f"{{side:side}} shift the table to {corner_words(event.column, event.row)}, for {{cost:points}}."
    ),
    events.GameConceded: lambda event, _: (
        "{side:side} can form no legal force, and concede the game [{rule}]."
        if event.rule == "AOA-R62"
        else "{side:side} concede the game."
    ),
    events.ForceChosen: _chosen,
    events.WeatherRolled: "the weather: {weather:words} (a {die}); ground: {mud:mud}.",
    events.BattleBriefed: _briefed,
    events.BattleFought: _fought,
    events.PointsScored: _scored,
    events.PointsSpent: "{side:side} pay {points:points} for {what:words}.",
    events.StrengthAssessed: _assessed,
    events.FrontMoved: lambda event, _: (
        "{result:words}: the front stays in {was:sector}."
        if event.sector == event.was
        else "{result:words}: the front moves from {was:sector} to {sector:sector}."
    ),
    events.VehiclesTaken: "{side:owner} {receiver} takes {number:vehicle} of {donor}.",
    events.PlatoonLowered: "{side:side} lower {platoon} to {level:level}, to keep it mobile.",
    events.MobilityAssessed: _mobility,
    events.PlatoonRaised: "{side:side} raise {platoon} to {level:level}, for {dice:die,dice}.",
    events.DiceBought: lambda event, _: (
        "{side:side} have {dice:reinforcement die,reinforcement dice}"
        f"{', {bought} of them bought' if event.bought else ''}."
    ),
    events.PlatoonReinforced: _reinforced,
    events.PlatoonExchanged: _exchanged,
    events.GroundChanged: "the ground now: {mud:mud}.",
    events.TurnClosed: "",
    GameEnded: _ended,
}
"""By type of event, its sentence, see ``Filled``; or a function that returns it. The kernel tells its own events."""
