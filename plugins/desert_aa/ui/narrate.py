"""The game in sentences: what each event means to a reader, with names for ids and like units counted together."""

from collections.abc import Callable, Iterable, Mapping
from functools import singledispatch
from typing import Any

from desert_aa.model import events
from desert_aa.model.board import Board
from desert_aa.model.tables import (
    ALLIES,
    ARMOUR,
    ARTILLERY,
    BOMBER,
    FIGHTER,
    FLAK,
    INFANTRY,
    KIND_OF,
    KINDS,
    MINEFIELD,
    POWER_NAMES,
    PREFIX,
    SIDE_NAMES,
)
from sandtable import Event, EventRecord, GameEnded, RollRecord
from sandtable.pictures import capital, counted, ended_sentence, in_words, listed, roll_sentence

# Troops are a mass ("3 infantry"), machines are counted ("3 fighters").
NOUNS = {
    INFANTRY: ("infantry", "infantry"),
    ARTILLERY: ("artillery", "artillery"),
    ARMOUR: ("armour", "armour"),
    FIGHTER: ("fighter", "fighters"),
    BOMBER: ("bomber", "bombers"),
    FLAK: ("flak gun", "flak guns"),
    MINEFIELD: ("minefield", "minefields"),
    "unit": ("unit", "units"),  # an id that names no kind, in a log that is not sound
}
Names = Mapping[str, str]
TOPICS = {"guns": "anti-tank guns", "sweep": "sweeping the mines", "raidflak": "flak against the raid"}
"""What dice are for, where the first word of their purpose is not plain."""
POWER_OF_PREFIX = {prefix: power for power, prefix in PREFIX.items()}


OUTCOMES = {
    "taken": "the attackers win and take it",
    "cleared": "the attackers win, but do not take it",
    "held": "the defenders hold it",
    "destroyed": "nobody is left on either side",
    "withdrawn": "the attack is broken off",
}
SENTENCES: dict[type[Event], str] = {
    events.GrantReceived: "{purse} {verb} an opening grant of {amount} IPC.",
    events.UnitsBought: "{power} buys {units} for {cost} IPC.",
    events.MinefieldsBought: "{power} buys {number} for {cost} IPC.",
    events.UnitsArrived: "{power} brings {arrived} into {space}.",
    events.IncomeCollected: "{power} collects {amount} IPC.",
    events.MovePlanned: "{power} orders {units} {raid}{path}.",
    events.EntryChecked: "",  # a minefield that is revealed now has its own event
    events.MinefieldDeclared: "Mines! {power} declares the minefield at {space}.",
    events.MinefieldForfeited: "{power} keeps quiet about its minefield at {space} and loses it [{rule}].",
    events.MinesStruck: "The mines of {power} at {space} go off under {units} ({entry}): {hits}.",
    events.MinefieldSwept: "{by} sweeps the minefield of {power} at {space}.",
    events.SweepFailed: "{by} {declined} the minefield at {space} and must fall back.",
    events.BattleOpened: "Battle for {space}: {attackers} against {defenders}.",
    events.FlakFired: "Flak at {space} fires at {planes}: {hits}.",
    events.GunsFired: "At {space} {guns} at {tanks}: {hits}.",
    events.RoundFought: "Round {round} at {space}: {attack_hits} for the attack, {defence_hits} for the defence.",
    events.RaidFlown: "{power} raids {space} with {bombers}: {hits}.",
    events.BattleEnded: "{space}: {outcome}.",
}
"""Templates of the sentences that need only the fields of their event, written as ``Fields`` does."""


def sentence(record: Any, board: Board) -> str | None:
    """Return one sentence for a record; None leaves it to the framework, "" passes it over."""
    if isinstance(record, RollRecord):
        sweeps = "/sweep" in record.label
        return roll_sentence(record, {**board.names, **TOPICS}, _swept if sweeps else None)
    if not isinstance(record, EventRecord):
        return None
    told = narrate_event(record.event, board.names)
    return None if told is None else capital(told)


def _swept(hits: int) -> str:
    return "the mines are swept" if hits else "the mines remain"


@singledispatch
def narrate_event(event: Event, names: Names) -> str | None:
    """Return the sentence of an event, None for the kernel's own; rules are named only where something is unusual."""
    template = SENTENCES.get(type(event))
    return None if template is None else template.format_map(Fields(event, names))


# ---------------------------------------------------------------------- words


def name_of(owner: str) -> str:
    """Return the name of a power, or of a side: "Italy", "the Axis"."""
    return POWER_NAMES.get(owner) or SIDE_NAMES.get(owner) or in_words(owner)


def stack_words(stack: dict[str, int]) -> str:
    """Return "2 infantry and 1 armour", the kinds in the order of the price list."""
    order = [*KINDS, *(kind for kind in stack if kind not in KINDS)]
    told = [f"{stack[kind]} {NOUNS.get(kind, (kind, kind))[stack[kind] != 1]}" for kind in order if stack.get(kind)]
    return listed(told) or "nothing"


def unit_words(units: Iterable[str]) -> str:
    """Return units by id as a stack in words."""
    stack: dict[str, int] = {}
    for unit_id in units:
        kind = KIND_OF.get(unit_id.partition("-")[2].partition("-")[0], "unit")
        stack[kind] = stack.get(kind, 0) + 1
    return stack_words(stack)


def by_power(units: Iterable[str]) -> dict[str, list[str]]:
    """Return the ids by the power that made them, in the order in which they come."""
    found: dict[str, list[str]] = {}
    for unit_id in units:
        found.setdefault(POWER_OF_PREFIX.get(unit_id.split("-", 1)[0], ""), []).append(unit_id)
    return found


def force_words(units: Iterable[str]) -> str:
    """Return "2 infantry of Germany and 1 artillery of Italy"."""
    return listed(f"{unit_words(ids)} of {name_of(power)}" for power, ids in by_power(units).items()) or "nobody"


def space_words(spaces: Iterable[str], names: Names) -> str:
    """Return the names of spaces as a list."""
    return listed(names.get(space, space) for space in spaces)


def at(event: Any, names: Names) -> str:
    """Return the name of the space of an event."""
    return names.get(event.space, event.space)


def way_words(path: list[str], names: Names) -> str:
    """Return "from Tobruk to Bardia-Sollum by way of Bir el Gubi-El Adem"."""
    if len(path) < 2:
        return f"at {space_words(path, names)}"
    over = f" by way of {space_words(path[1:-1], names)}" if len(path) > 2 else ""
    return f"from {space_words(path[:1], names)} to {space_words(path[-1:], names)}{over}"


def _stack(units: list[str] | dict[str, int]) -> str:
    return stack_words(units) if isinstance(units, dict) else unit_words(units)


def _hits(hits: int) -> str:
    return counted(hits, "hit")


def _fire(guns: list[str]) -> str:
    return f"{counted(len(guns), 'anti-tank gun')} {'fires' if len(guns) == 1 else 'fire'}"


WRITTEN: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("power", "by", "purse"), name_of),
    **dict.fromkeys(("units", "planes", "tanks", "bombers"), _stack),
    **dict.fromkeys(("attackers", "defenders"), force_words),
    **dict.fromkeys(("hits", "attack_hits", "defence_hits"), _hits),
    "number": lambda number: counted(number, "minefield"),
    "raid": lambda raid: "for a raid " if raid else "",
    "entry": lambda entry: "first entry" if entry == 1 else "a later entry",
    "declined": lambda declined: "does not try to sweep" if declined else "fails to sweep",
    "guns": _fire,
    "outcome": lambda outcome: OUTCOMES.get(outcome, in_words(outcome)),
}
"""Fields in words, apart from spaces."""


class Fields:
    """The fields of an event, in words, for templates."""

    def __init__(self, event: Any, names: Names) -> None:
        self.event, self.names = event, names

    def __getitem__(self, name: str) -> Any:
        if name == "verb":
            return "receive" if self.event.purse == ALLIES else "receives"
        if name == "arrived":
            return stack_words({self.event.kind: len(self.event.units)})
        value = getattr(self.event, name)
        if name == "space":
            return at(self.event, self.names)
        if name == "path":
            return way_words(value, self.names)
        return WRITTEN[name](value) if name in WRITTEN else value


# ---------------------------------------------------------------------- money, purchases, arrivals


@narrate_event.register
def _(event: events.MinefieldsPlaced, names: Names) -> str:
    power = name_of(event.power)
    if event.spaces:
        fields = "a minefield" if len(event.spaces) == 1 else counted(len(event.spaces), "minefield")
        return f"{power} secretly lays {fields}: {space_words(event.spaces, names)}."
    if event.number:
        return f"{power} lays {counted(event.number, 'minefield')} in secret [{event.rule}]."
    return f"{power} lays no minefields."


# ---------------------------------------------------------------------- turns, fuel and supply


@narrate_event.register
def _(event: events.PowerTurnBegan, _names: Names) -> str:
    if not event.blocked:
        return ""
    return f"{name_of(event.power)} is to move; behind {unit_words(event.blocked)} the road is blocked [DAA-6.05]."


@narrate_event.register
def _(event: events.UnitsCut, names: Names) -> str:
    places: dict[str, list[str]] = {}
    for unit_id, space in event.units.items():
        places.setdefault(space, []).append(unit_id)
    told = listed(f"{unit_words(units)} by the enemy at {space_words([at], names)}" for at, units in places.items())
    return f"The supply of {name_of(event.power)} is cut: {told}; they lie until turn {event.stands_up} [{event.rule}]."


@narrate_event.register
def _(event: events.UnitsStoodUp, _names: Names) -> str:
    why = ", the road behind is free [DAA-6.07]" if event.rule == "DAA-6.07" else ""
    return f"{name_of(event.power)}: {_does(event.units, 'stands', 'stand')} up again{why}."


# ---------------------------------------------------------------------- movement


@narrate_event.register
def _(event: events.UnitsMoved, names: Names) -> str:
    text = f"{name_of(event.power)} moves {unit_words(event.units)} {way_words(event.path, names)}"
    if event.extended:
        whose = "" if len(event.extended) == len(event.units) else f"{unit_words(event.extended)} "
        text += f"; {whose}out of fuel until turn {event.stands_up} [DAA-4.03]"
    if event.advanced:
        whose = "" if len(event.advanced) == len(event.units) else f" of {unit_words(event.advanced)}"
        text += f"; extra space{whose} free on the road [DAA-6.02]"
    return f"{text}."


@narrate_event.register
def _(event: events.SpaceCaptured, names: Names) -> str:
    space = at(event, names)
    booty = f", with {unit_words(event.flak)} [DAA-10.07]" if event.flak else ""
    loser = f" from {name_of(event.lost_by)}" if event.lost_by else ""
    if event.owner not in {event.by, ""}:
        return f"{name_of(event.by)} wins {space} back for {name_of(event.owner)}{loser}{booty} [DAA-18.04]."
    return f"{name_of(event.by)} takes {space}{loser}{booty}."


# ---------------------------------------------------------------------- minefields


# ---------------------------------------------------------------------- combat


@narrate_event.register
def _(event: events.CombatsDeclared, names: Names) -> str:
    attacks = [f"attacks {space_words(event.combats, names)}"] if event.combats else []
    raids = [f"raids {space_words(event.raids, names)}"] if event.raids else []
    return f"{name_of(event.power)} {listed([*attacks, *raids]) or 'fights no battle this turn'}."


@narrate_event.register
def _(event: events.GunsDesignated, names: Names) -> str:
    if not event.guns:
        return ""
    return f"At {at(event, names)} {_does(event.guns, 'is', 'are')} revealed as anti-tank guns [{event.rule}]."


CAUSES = {"mines": " to mines", "flak": " to flak", "guns": " to anti-tank guns", "raid": " to the raid"}


@narrate_event.register
def _(event: events.UnitsLost, names: Names) -> str:
    space = at(event, names)
    lost = listed(f"{name_of(power)} loses {unit_words(units)}" for power, units in by_power(event.units).items())
    if not lost:
        return f"Nothing is lost at {space}."
    if event.cause == "no_landing":
        return f"{lost} at {space}, with nowhere to land [{event.rule}]."
    return f"{lost} at {space}{CAUSES.get(event.cause, '')}."


@narrate_event.register
def _(event: events.UnitsWithdrew, names: Names) -> str:
    where: dict[str, list[str]] = {}
    for unit_id, space in event.to.items():
        where.setdefault(space, []).append(unit_id)
    told = listed(f"{unit_words(units)} to {space_words([to], names)}" for to, units in where.items()) or "nothing"
    return f"{name_of(event.power)} falls back from {at(event, names)}: {told}."


ENDINGS = {"capital_captured": "the enemy capital has fallen", "round_limit": "by income, after the last turn"}


@narrate_event.register
def _(event: GameEnded, _names: Names) -> str:
    outcome = event.outcome if event.outcome == "draw" else name_of(event.outcome)
    return ended_sentence(outcome, ENDINGS.get(event.ending, event.ending))


def _does(units: list[str], one: str, many: str) -> str:
    return f"{unit_words(units)} {one if len(units) == 1 else many}"
