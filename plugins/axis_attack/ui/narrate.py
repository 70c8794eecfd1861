"""Sentences for events and dice, with titles and names instead of ids.

This module hides no secrets, because the records of a side do not contain them.
"""

from collections.abc import Callable, Iterable
from string import Formatter
from typing import Any

from axis_attack.model import events
from axis_attack.model.cards import Board
from axis_attack.model.tables import MUD
from axis_attack.ui.terms import (
    ENDINGS,
    PlatoonNames,
    air_words,
    corner_words,
    level_words,
    mission_words,
    plane_words,
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
    is_reported_by_event,
    listed,
    number_word,
    roll_sentence,
)
from sandtable.tabletop import PlatoonLosses

REPORTED_BY_EVENTS = ("selection", "roles", "choice", "weather", "bailed", "reinforce")
"""Purposes of rolls whose faces are in an event."""
TOPICS = {
    "roles": "attack or defense",
    "choice": "the first choice",
    "bailed": "bailed vehicles",
    "reinforce": "reinforcement",
    "selection": "the selection",
}
GROUND = {"morass": "a morass"}
"""Names of the ground that need an article."""
FACES = 6
MODIFIERS = {
    "points": "for the last game",
    "higher_total": "for the higher total",
    "recon": "for reconnaissance",
    "won_as_defender": "for a win as the defender",
}
WITH_PLATOONS = (
    events.CompanyBuilt,
    events.ReconClaimed,
    events.ForceChosen,
    events.BattleFought,
    events.StrengthAssessed,
    events.VehiclesTaken,
    events.PlatoonLowered,
    events.MobilityAssessed,
    events.PlatoonRaised,
    events.PlatoonReinforced,
    events.PlatoonExchanged,
)
"""Events whose sentences name platoons."""


def sentence(record: Any, board: Board, names: PlatoonNames | None = None) -> str | None:
    """Return the sentence of a record, "" to omit the record, or None to use the framework's sentence.

    ``names`` are the names of platoons (default: those of the lists' starting forces).
    """
    if isinstance(record, RollRecord):
        if is_reported_by_event(record, REPORTED_BY_EVENTS):
            return ""
        return roll_sentence(record, {**TOPICS, **{side: board.sides[side] for side in board.sides}})
    if not isinstance(record, EventRecord):
        return None
    template = SENTENCES.get(type(record.event))
    filled = Filled(record.event, board, names or PlatoonNames(board))
    text = template if template is None or isinstance(template, str) else template(record.event, filled)
    return text and capital(filled.format(text))


def digest(records: Iterable[Any], board: Board | None = None) -> dict[int, str]:
    """Return the sentences that name platoons, by the number of their record; a battle has a line for each platoon."""
    if board is None:
        return {}
    texts: dict[int, str] = {}
    names = PlatoonNames(board)
    for record in records:
        if isinstance(record, EventRecord) and isinstance(record.event, WITH_PLATOONS):
            if isinstance(record.event, events.CompanyBuilt):
                names.follow(record.event)
            if isinstance(record.event, events.BattleFought):
                texts[record.n] = capital("\n".join(battle_lines(record.event, board, names)))
            else:
                texts[record.n] = sentence(record, board, names) or ""
            names.follow(record.event)
    return texts


class Filled(Formatter):
    """A formatter that puts the fields of an event into a template such as ``{side:side} concede the game.``."""

    def __init__(self, event: Any, board: Board, names: PlatoonNames) -> None:
        self.event, self.board, self.names = event, board, names

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:  # noqa: ARG002 - as Formatter calls it
        """Return a field of the event."""
        return getattr(self.event, str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a field in words."""
        if format_spec == "platoon":
            return self.names.of(self.event.side, value)
        if format_spec == "owned":
            return self.names.owned(self.event.side, value)
        if format_spec == "platoons":
            return self.names.list(self.event.side, value)
        if format_spec in FIELDS:
            return FIELDS[format_spec](value, self.board)
        return counted(value, *format_spec.split(",")) if format_spec else str(value)


FIELDS: dict[str, Callable[[Any, Board], str]] = {
    "side": side_words,
    "Side": lambda side, board: capital(side_words(side, board)),
    "sector": sector_words,
    "mission": mission_words,
    "score": score_words,
    "level": lambda level, _: level_words(level),
    "mud": lambda mud, _: MUD[mud],
    "words": lambda value, _: in_words(value),
    "list": lambda values, _: listed(values),
    "dice": lambda values, _: listed(map(str, values)),
    "points": lambda points, _: counted(points, "victory point"),
}
"""Functions that return a field in words, by format. Any other format is a noun, which is counted."""


def _built(event: events.CompanyBuilt, it: Filled) -> str:
    aircraft = "".join(f", and {level} air support by {plane_words(name)}" for name, level in event.aircraft.items())
    number = counted(len(event.platoons), "platoon")
    titles: dict[str, int] = {}
    types = it.board.lists[event.side].types if event.side in it.board.lists else {}
    for each in event.platoons.values():
        title = types[each.type].title if each.type in types else in_words(each.type)
        titles[title] = titles.get(title, 0) + 1
    platoons = _plain(listed(f"{title} ({n})" if n > 1 else title for title, n in titles.items()))
    return f"{{side:side}} build a company of {{points}} points with {number}{aircraft}: {platoons}."


def _opened(event: events.CampaignOpened, _: Filled) -> str:
    agreed = " Victory points at the start: {balance:score}." if any(event.balance.values()) else ""
    opening = "the campaign opens in {sector:sector} with {mission:mission}. The weather is {weather:words}."
    return f"{opening}{agreed}"


def _claimed(event: events.ReconClaimed, _: Filled) -> str:
    if not event.platoons:
        return "{side:side} claim no reconnaissance platoon."
    lost = " Without transport, these do not count: {immobile:platoons}." if event.immobile else ""
    return f"{{side:side}} claim reconnaissance in the enemy's half by {{platoons:platoons}}.{lost}"


def _selected(event: events.SelectionRolled, it: Filled) -> str:
    rolls = []
    for side, die in event.dice.items():
        more = [f" {value:+d} {MODIFIERS.get(name, in_words(name))}" for name, value in event.modifiers.get(side, ())]
        total = f", total {event.totals[side]}" if more else ""
        rolls.append(f"{capital(side_words(side, it.board))} roll {die}{','.join(['', *more])}{total}")
    return _plain(f"selection of the mission. {'. '.join(rolls)}.")


def _adjusted(event: events.TotalAdjusted, _: Filled) -> str:
    verb = "add one to" if event.by > 0 else "subtract one from"
    total = "their own total" if event.side == event.of else "the total of {of:side}"
    return f"{{side:side}}, who won as the defender, {verb} {total}: {{totals:score}}."


def _rolled_off(dice: dict[str, list[int]], board: Board) -> str:
    return _plain(", ".join(f"{side_words(side, board)} roll {then(faces)}" for side, faces in dice.items()))


def then(faces: list[int]) -> str:
    """Return the faces of a side's repeated rolls, such as "5, then 1"."""
    return ", then ".join(map(str, faces))


def _roles(event: events.RolesRolled, it: Filled) -> str:
    reason = _rolled_off(event.dice, it.board) if event.dice else "the types of their companies decide"
    return f"roles: {reason}. {{attacker:Side}} count as the attacker, {{defender:side}} as the defender."


def _first(event: events.ChoiceRolled, it: Filled) -> str:
    choice = "choose the table" if event.rule == "AOA-R33" else "may change the mission first"
    return f"roll-off for the first choice: {_rolled_off(event.dice, it.board)}. {{winner:Side}} {choice}."


def _chosen(event: events.ForceChosen, it: Filled) -> str:
    also = [it.names.purchase(event.side, event.purchase), air_words(event.air)]
    extra = [f"limit raised {event.extra} times" if event.extra > 1 else "limit raised once"] if event.extra else []
    more = _plain("".join(f" {capital(each)}." for each in [*extra, *also] if each))
    cost = " They pay {cost:points}." if event.cost else ""
    platoons = _plain(", ".join(it.names.force(event.side, each) for each in event.platoons))
    return f"{{side:side}} field {{points}} points: {platoons}.{more}{cost}"


def _briefed(event: events.BattleBriefed, it: Filled) -> str:
    brief = event.brief
    roles = f"{side_words(brief.attacker, it.board)} attack" if brief.attacker else "both sides attack"
    return _plain(f"the battle begins: {brief.mission} in sector {brief.place} ({brief.place_title}), {roles}.")


def _fought(event: events.BattleFought, it: Filled) -> str:
    return _plain(" ".join(battle_lines(event, it.board, it.names)))


def battle_lines(event: events.BattleFought, board: Board, names: PlatoonNames) -> list[str]:
    """Return the result of a battle as sentences: the winner, then the losses of each platoon."""
    result = event.result
    if result.conceded:
        return [f"the game is not played; {side_words(result.winner, board)} win by concession."]
    won = f"{side_words(result.winner, board)} win the game" if result.winner in board.sides else "the game is a draw"
    lines = [f"{won}."]
    if result.recon_ahead and result.winner in board.sides:
        lines.append(f"In the enemy's half: {names.list(result.winner, result.recon_ahead)}.")
    if result.note:
        lines.append(f"{result.note}{'' if result.note.endswith(('.', '!')) else '.'}")
    for side in board.sides:
        lost = result.platoons.get(side, {})
        lines += [f"{capital(names.owned(side, name))}: {_lost(each)}." for name, each in lost.items()]
    return lines


def _lost(it: PlatoonLosses) -> str:
    left = sum(number for _, number in it.exited)
    counts = {
        "destroyed": it.destroyed,
        "routed": it.routed,
        "bailed out or bogged": it.bailed,
        "left by its own edge": left,
    }
    parts = [f"{number} {name}" for name, number in counts.items() if number]
    parts += [f"{counted(it.transports, 'transport')} lost"] if it.transports else []
    parts += [f"{counted(it.upgrades, 'upgrade team')} lost"] if it.upgrades else []
    return listed(parts) or "lost as a platoon"


def _plain(text: str) -> str:
    """Return text with its braces doubled, so that a formatter leaves it unchanged."""
    return text.replace("{", "{{").replace("}", "}}")


def _scored(event: events.PointsScored, _: Filled) -> str:
    bonus = f", and {number_word(event.bonus)} more as the outnumbered side" if event.bonus else ""
    return f"{{side:side}} score {{points:points}}{bonus}."


def _assessed(event: events.StrengthAssessed, _: Filled) -> str:
    rolled = " after rolls of {dice:dice} for bailed vehicles" if event.dice else ""
    if event.level == event.before:
        return f"{{platoon:owned}} stays at {{level:level}}{rolled}." if rolled else ""
    return f"{{platoon:owned}} falls from {{before:level}} to {{level:level}}{rolled}."


def _mobility(event: events.MobilityAssessed, _: Filled) -> str:
    stays = ["immobile for lack of transport: {immobile:platoons}"] if event.immobile else []
    again = ["mobile again: {mobile:platoons}"] if event.mobile else []
    return f"{{side:Side}}: {'; '.join([*stays, *again])}." if stays or again else ""


def _reinforced(event: events.PlatoonReinforced, _: Filled) -> str:
    done = "it rises to {level:level}" if max(event.dice) >= event.needs else "no effect"
    needs = "{needs} or more" if event.needs < FACES else "a {needs}"
    return f"{{platoon:owned}} rolls {{dice:dice}} for reinforcement and needs {needs}: {done}."


def _exchanged(event: events.PlatoonExchanged, it: Filled) -> str:
    types = it.board.lists[event.side].types if event.side in it.board.lists else {}
    title = types[event.wanted.type].title if event.wanted.type in types else in_words(event.wanted.type)
    more = "".join(f", {in_words(name)} {number}" for name, number in sorted(event.wanted.upgrades.items()))
    new = _plain(f"{title}, {counted(event.wanted.teams, 'team')}{more}")
    return f"{{side:side}} pay {{cost:points}} and exchange {{platoon:platoon}} for: {new}."


def _ended(event: GameEnded, it: Filled) -> str:
    outcome = event.outcome if event.outcome == "draw" else side_words(event.outcome, it.board)
    return _plain(ended_sentence(outcome, ENDINGS.get(event.ending, event.ending)))


SENTENCES: dict[type[Event], str | Callable[[Any, Filled], str]] = {
    events.CompanyBuilt: _built,
    events.CampaignOpened: _opened,
    events.ReconClaimed: _claimed,
    events.SelectionRolled: _selected,
    events.TotalAdjusted: _adjusted,
    events.MissionSelected: lambda event, it: (
        f"the next mission is {{mission:mission}}: {_plain(roles_words(event.mission, event.attacker, it.board))}."
    ),
    events.MissionChanged: "{side:side} pay {cost:points} and change the mission to {mission:mission}.",
    events.RolesRolled: _roles,
    events.ChoiceRolled: _first,
    events.TablePlaced: lambda event, _: (
        f"{{side:side}} choose the table with its north-west corner at {corner_words(event.column, event.row)}"
        " of the sector."
    ),
    events.TableShifted: lambda event, _: (
        f"{{side:side}} pay {{cost:points}} and shift the table to {corner_words(event.column, event.row)}."
    ),
    events.GameConceded: lambda event, _: (
        "{side:side} cannot form a legal force and concede the game [{rule}]."
        if event.rule == "AOA-R62"
        else "{side:side} concede the game."
    ),
    events.ForceChosen: _chosen,
    events.WeatherRolled: lambda event, _: (
        f"the weather roll is {{die}}: {{weather:words}}; the ground is {GROUND.get(MUD[event.mud], MUD[event.mud])}."
    ),
    events.BattleBriefed: _briefed,
    events.BattleFought: _fought,
    events.PointsScored: _scored,
    events.PointsSpent: "{side:side} pay {points:points} for {what:words}.",
    events.StrengthAssessed: _assessed,
    events.FrontMoved: lambda event, _: (
        "result {result:words}: the front stays in {was:sector}."
        if event.sector == event.was
        else "result {result:words}: the front moves from {was:sector} to {sector:sector}."
    ),
    events.VehiclesTaken: "{receiver:owned} takes {number:vehicle} from {donor:platoon}.",
    events.PlatoonLowered: "{side:side} lower {platoon:platoon} to {level:level} to keep it mobile.",
    events.MobilityAssessed: _mobility,
    events.PlatoonRaised: "{side:side} raise {platoon:platoon} to {level:level} with {dice:die,dice}.",
    events.DiceBought: lambda event, _: (
        "{side:side} have {dice:reinforcement die,reinforcement dice}"
        f"{', including {bought:bought die,bought dice}' if event.bought else ''}."
    ),
    events.PlatoonReinforced: _reinforced,
    events.PlatoonExchanged: _exchanged,
    events.GroundChanged: lambda event, _: f"the ground is now {GROUND.get(MUD[event.mud], MUD[event.mud])}.",
    events.TurnClosed: "",
    GameEnded: _ended,
}
"""The template of each event's sentence (see ``Filled``), or a function that returns it."""
