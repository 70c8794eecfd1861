"""Sentences for events and dice. They use names instead of ids and count like units together."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import singledispatch
from typing import Any

from desert_aa.model import events
from desert_aa.model.board import Board
from desert_aa.model.tables import (
    ALLIES,
    ARMOR,
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
    ARMOR: ("armor", "armor"),
    FIGHTER: ("fighter", "fighters"),
    BOMBER: ("bomber", "bombers"),
    FLAK: ("flak gun", "flak guns"),
    MINEFIELD: ("minefield", "minefields"),
    "unit": ("unit", "units"),  # an unknown kind in the id of a damaged log
}
Names = Mapping[str, str]
POWER_OF_PREFIX = {prefix: power for power, prefix in PREFIX.items()}


OUTCOMES = {
    "taken": "the attackers win and take it",
    "cleared": "the attackers win, but do not take it",
    "held": "the defenders hold it",
    "destroyed": "no unit is left on either side",
    "withdrawn": "the attack is broken off",
}
SENTENCES: dict[type[Event], str] = {
    events.GrantReceived: "{purse} {verb} an opening grant of {amount} IPC.",
    events.UnitsBought: "{power} buys {units} for {cost} IPC.",
    events.MinefieldsBought: "{power} buys {number} for {cost} IPC.",
    events.UnitsArrived: "{power} places {arrived} in {space}.",
    events.IncomeCollected: "{power} collects {amount} IPC.",
    events.MovePlanned: "{power} orders {units} to {raid} {path}.",
    events.EntryChecked: "",  # a minefield that is revealed now has its own event
    events.MinefieldDeclared: "Mines! {power} declares its minefield at {space}.",
    events.MinefieldForfeited: "{power} does not declare its minefield at {space} and loses it [{rule}].",
    events.MinesStruck: "{power}'s mines at {space} strike {units} ({entry}): {hits}.",
    events.MinefieldSwept: "{by} sweeps {power}'s minefield at {space}.",
    events.SweepFailed: "{by} {declined} the minefield at {space}, and its units must fall back.",
    events.BattleOpened: "Battle for {space}: {attackers} against {defenders}.",
    events.FlakFired: "Flak at {space} fires at {planes}: {hits}.",
    events.GunsFired: "At {space} {guns} at {tanks}: {hits}.",
    events.RoundFought: "Round {round} at {space}: {attack_hits} for the attack, {defense_hits} for the defense.",
    events.RaidFlown: "{power} raids {space} with {bombers}: {hits}.",
    events.BattleEnded: "{space}: {outcome}.",
}
"""Templates of the sentences that need only the fields of their event, which ``Fields`` puts into words."""


def sentence(record: Any, board: Board) -> str | None:
    """Return the sentence of a record, "" to omit the record, or None to use the framework's sentence."""
    if isinstance(record, RollRecord):
        return dice_sentence(record, board.names)
    if not isinstance(record, EventRecord):
        return None
    text = narrate_event(record.event, board.names)
    return None if text is None else capital(text)


@singledispatch
def narrate_event(event: Event, names: Names) -> str | None:
    """Return the sentence of an event, or None for an event of the kernel. Unusual events cite a rule."""
    template = SENTENCES.get(type(event))
    return None if template is None else template.format_map(Fields(event, names))


# ---------------------------------------------------------------------- words


def name_of(owner: str) -> str:
    """Return the name of a power, or of a side: "Italy", "the Axis"."""
    return POWER_NAMES.get(owner) or SIDE_NAMES.get(owner) or in_words(owner)


def stack_words(stack: dict[str, int]) -> str:
    """Return units in words, such as "2 infantry and 1 armor", in the order of the price list."""
    order = [*KINDS, *(kind for kind in stack if kind not in KINDS)]
    parts = [f"{stack[kind]} {NOUNS.get(kind, (kind, kind))[stack[kind] != 1]}" for kind in order if stack.get(kind)]
    return listed(parts) or "nothing"


def unit_words(units: Iterable[str]) -> str:
    """Return units, given by id, as a stack in words."""
    stack: dict[str, int] = {}
    for unit_id in units:
        kind = KIND_OF.get(unit_id.partition("-")[2].partition("-")[0], "unit")
        stack[kind] = stack.get(kind, 0) + 1
    return stack_words(stack)


def by_power(units: Iterable[str]) -> dict[str, list[str]]:
    """Return the ids grouped by the power of their prefix, in their order."""
    found: dict[str, list[str]] = {}
    for unit_id in units:
        found.setdefault(POWER_OF_PREFIX.get(unit_id.split("-", 1)[0], ""), []).append(unit_id)
    return found


def force_words(units: Iterable[str]) -> str:
    """Return units with their powers in words, such as "2 infantry of Germany and 1 artillery of Italy"."""
    return listed(f"{unit_words(ids)} of {name_of(power)}" for power, ids in by_power(units).items()) or "no units"


def space_words(spaces: Iterable[str], names: Names) -> str:
    """Return the names of spaces as a list."""
    return listed(names.get(space, space) for space in spaces)


def at(event: Any, names: Names) -> str:
    """Return the name of the space of an event."""
    return names.get(event.space, event.space)


def path_words(path: list[str], names: Names) -> str:
    """Return a path in words: "from Tobruk through Bir el Gubi to Sollum", or "from Tobruk to Sollum and back"."""
    if len(path) < 2:
        return f"at {space_words(path, names)}"
    if path[0] == path[-1] and len(path) == 3:
        return f"from {space_words(path[:1], names)} to {space_words(path[1:2], names)} and back"
    between = f" through {space_words(path[1:-1], names)}" if len(path) > 2 else ""
    end = f"back to {space_words(path[-1:], names)}" if path[0] == path[-1] else f"to {space_words(path[-1:], names)}"
    return f"from {space_words(path[:1], names)}{between} {end}"


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
    **dict.fromkeys(("hits", "attack_hits", "defense_hits"), _hits),
    "number": lambda number: counted(number, "minefield"),
    "raid": lambda raid: "fly a raid" if raid else "move",
    "entry": lambda entry: "first entry" if entry == 1 else "a later entry",
    "declined": lambda declined: "does not try to sweep" if declined else "fails to sweep",
    "guns": _fire,
    "outcome": lambda outcome: OUTCOMES.get(outcome, in_words(outcome)),
}
"""Functions that return a field of an event in words, by field, except spaces and paths."""


class Fields:
    """The fields of an event in words, as values for a template."""

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
            return path_words(value, self.names)
        return WRITTEN[name](value) if name in WRITTEN else value


# ---------------------------------------------------------------------- money, purchases, arrivals


@narrate_event.register
def _(event: events.MinefieldsPlaced, names: Names) -> str:
    power = name_of(event.power)
    if event.spaces:
        fields = "a minefield" if len(event.spaces) == 1 else counted(len(event.spaces), "minefield")
        return f"{power} secretly lays {fields} at {space_words(event.spaces, names)}."
    if event.number:
        return f"{power} lays {counted(event.number, 'minefield')} in secret [{event.rule}]."
    return f"{power} lays no minefields."


# ---------------------------------------------------------------------- turns, fuel and supply


@narrate_event.register
def _(event: events.PowerTurnBegan, _names: Names) -> str:
    if not event.blocked:
        return ""
    power = name_of(event.power)
    return f"{power} begins its turn; the road behind {unit_words(event.blocked)} is blocked [DAA-6.05]."


@narrate_event.register
def _(event: events.UnitsCut, names: Names) -> str:
    places: dict[str, list[str]] = {}
    for unit_id, space in event.units.items():
        places.setdefault(space, []).append(unit_id)
    cut = listed(f"{unit_words(units)} by the enemy at {space_words([at], names)}" for at, units in places.items())
    down = f"{'it is' if len(event.units) == 1 else 'they are'} laid down until turn {event.stands_up}"
    return f"{name_of(event.power)}'s supply is cut: {cut}; {down} [{event.rule}]."


@narrate_event.register
def _(event: events.UnitsStoodUp, _names: Names) -> str:
    why = "The road behind is free: " if event.rule == "DAA-6.06" else ""
    cited = f" [{event.rule}]" if why else ""
    return f"{why}{name_of(event.power)}'s {_with_verb(event.units, 'is', 'are')} ready again{cited}."


# ---------------------------------------------------------------------- movement


@narrate_event.register
def _(event: events.UnitsMoved, names: Names) -> str:
    text = f"{name_of(event.power)} moves {unit_words(event.units)} {path_words(event.path, names)}"
    if event.extended:
        some = "" if len(event.extended) == len(event.units) else f"{unit_words(event.extended)} "
        text += f"; {some}out of fuel until turn {event.stands_up} [DAA-4.03]"
    if event.advanced:
        some = "" if len(event.advanced) == len(event.units) else f" for {unit_words(event.advanced)}"
        text += f"; the extra space is free on the road{some} [DAA-6.02]"
    return f"{text}."


@narrate_event.register
def _(event: events.SpaceCaptured, names: Names) -> str:
    space = at(event, names)
    booty = f", with {unit_words(event.flak)} [DAA-10.07]" if event.flak else ""
    loser = f" from {name_of(event.lost_by)}" if event.lost_by else ""
    if event.owner not in {event.by, ""}:
        return f"{name_of(event.by)} wins {space} back for {name_of(event.owner)}{loser}{booty} [DAA-18.04]."
    return f"{name_of(event.by)} takes {space}{loser}{booty}."


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
    number = len(event.guns)
    turns = "turns out to be an anti-tank gun" if number == 1 else "turn out to be anti-tank guns"
    return f"{counted(number, 'gun')} at {at(event, names)} {turns} [{event.rule}]."


CAUSES = {"mines": " to mines", "flak": " to flak", "guns": " to anti-tank guns", "raid": " to the raid"}


@narrate_event.register
def _(event: events.UnitsLost, names: Names) -> str:
    space = at(event, names)
    lost = listed(f"{name_of(power)} loses {unit_words(units)}" for power, units in by_power(event.units).items())
    if not lost:
        return f"No unit is lost at {space}."
    if event.cause == "no_landing":
        return f"{lost} at {space}, with nowhere to land [{event.rule}]."
    return f"{lost} at {space}{CAUSES.get(event.cause, '')}."


@narrate_event.register
def _(event: events.UnitsWithdrew, names: Names) -> str:
    where: dict[str, list[str]] = {}
    for unit_id, space in event.to.items():
        where.setdefault(space, []).append(unit_id)
    moves = listed(f"{unit_words(units)} to {space_words([to], names)}" for to, units in where.items()) or "nothing"
    return f"{name_of(event.power)} falls back from {at(event, names)}: {moves}."


ENDINGS = {"capital_captured": "the enemy capital has fallen", "round_limit": "by income, after the last turn"}


@narrate_event.register
def _(event: GameEnded, _names: Names) -> str:
    outcome = event.outcome if event.outcome == "draw" else name_of(event.outcome)
    return ended_sentence(outcome, ENDINGS.get(event.ending, event.ending))


def _with_verb(units: list[str], one: str, many: str) -> str:
    return f"{unit_words(units)} {one if len(units) == 1 else many}"


# ---------------------------------------------------------------------- dice


TOPICS = {
    "attack": "Attack on {space}",
    "defence": "Defense of {space}",
    "guns": "Anti-tank fire at {space}",
    "flak": "Flak at {space} against {power}",
    "overflight": "Flak at {space} against {power}",
    "raidflak": "Flak at {space} against {power}'s raid",
    "mines": "Mines at {space} against {power}",
    "raid": "Raid on {space}",
    "sweep": "{power} sweeps for mines at {space}",
}
"""The beginning of the sentence of a roll, by the first word of its purpose. ``power`` is the phasing power."""
TARGETS = ("flak", "overflight", "raidflak", "mines")
"""Purposes of rolls that have a die for each target, instead of a die for each unit that fires."""


def dice_sentence(record: RollRecord, names: Names) -> str:
    """Return the sentence of a roll, such as "Attack on Tobruk: Italy's infantry 2 and 5 (need 1): no hits."."""
    label = record.label.split("/")
    word, _, space = (label[2] if len(label) > 2 else "").partition(".")
    if word not in TOPICS or len(record.needs) != len(record.dice):
        return roll_sentence(record, names)
    topic = TOPICS[word].format(space=names.get(space, space), power=name_of(label[1].partition(".")[0]))
    hits = sum(face <= need for face, need in zip(record.dice, record.needs, strict=True))
    result = ("the mines are swept" if hits else "the mines remain") if word == "sweep" else _hits(hits)
    hand = f"{capital(in_words(record.by))} rolls the dice. " if record.by else ""
    return f"{hand}{topic}: {', '.join(_faces(record, with_power=word not in TARGETS))}: {result}."


def _faces(record: RollRecord, *, with_power: bool) -> Iterator[str]:
    """Yield the faces of a roll in words, grouped by like units with the same need."""
    units = record.units if len(record.units) == len(record.dice) else ("",) * len(record.dice)
    groups: dict[tuple[str, str, int], list[int]] = {}
    for unit_id, face, need in zip(units, record.dice, record.needs, strict=True):
        prefix, _, rest = unit_id.partition("-")
        groups.setdefault((prefix, rest.partition("-")[0], need), []).append(face)
    named = ""
    for (prefix, short, need), faces in groups.items():
        power = f"{name_of(POWER_OF_PREFIX[prefix])}'s " if prefix in POWER_OF_PREFIX and prefix != named else ""
        kind = KIND_OF.get(short, "unit" if short else "")
        noun = f"{NOUNS[kind][len(faces) != 1]} " if kind else ""
        least = f"{need} or less" if need > 1 else str(need)
        named = prefix
        yield f"{power if with_power else ''}{noun}{listed(map(str, faces))} (need{'s' * (len(faces) == 1)} {least})"
