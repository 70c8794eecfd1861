"""A small battle game, to try players, console and odds on: money, a sealed plot, a march, rounds of dice."""

from collections.abc import Mapping
from pathlib import Path as File
from typing import Any

from sandtable import (
    AnyOf,
    DataError,
    Decision,
    Event,
    Form,
    GameEnded,
    IllegalOrder,
    Manifest,
    OddsBattle,
    OneOf,
    Option,
    Order,
    Parts,
    Path,
    Phase,
    PlayerTurn,
    Procedure,
    Refusal,
    Roll,
    RuleRow,
    Scenario,
    SequenceOfPlay,
    ShareOut,
    State,
    Stream,
    View,
    evolves,
    hookimpl,
)
from sandtable.kernel.decisions import Sealed
from sandtable.kernel.records import EventRecord
from sandtable.plugin.groups import Battles, Bots, Ui

PLACES = ("bridge", "ford", "hill", "mill")
NEXT = {"bridge": ("ford", "hill"), "ford": ("bridge", "mill"), "hill": ("bridge", "mill"), "mill": ("ford", "hill")}
PRICES = {"infantry": 2, "guns": 4}
HITS = {"infantry": 1, "guns": 3}


class Muster(Order, frozen=True):
    """Buy ``units`` with the money you have."""

    units: dict[str, int]


class Plot(Order, frozen=True):
    """Choose a stance, bold or wary."""

    stance: str


class March(Order, frozen=True):
    """March along ``path`` at ``speed``."""

    path: list[str]
    speed: int


class Stay(Order, frozen=True):
    """March no more this turn."""


class Press(Order, frozen=True):
    """Fight another round, or break off."""

    on: bool


class Mustered(Event, frozen=True):
    side: str
    units: dict[str, int]
    rule: str = "SK-1.1"


class Plotted(Event, frozen=True):
    side: str
    stance: str
    rule: str = "SK-2.1"


class Marched(Event, frozen=True):
    side: str
    path: list[str]
    rule: str = "SK-3.1"


class RoundFought(Event, frozen=True):
    red_hits: int
    blue_hits: int
    rule: str = "SK-4.1"


class BrokenOff(Event, frozen=True):
    side: str
    rule: str = "SK-4.2"


class Field(State, kw_only=True):
    units: dict[str, dict[str, int]]
    stance: dict[str, str] = {}
    place: dict[str, str] = {}
    fighting: bool = True


def muster(state: Field) -> Procedure:
    """Let both sides buy (SK-1.1)."""
    money = int(state.options["money"])
    for side in ("red", "blue"):
        space = Form(Muster, {"units": ShareOut(money, PRICES, rule="SK-1.1", what="crowns")})
        order: Muster = yield Decision(side, f"muster: {money} crowns", space, "SK-1.1")
        yield Mustered(side, order.units)


def plot(state: Field) -> Procedure:
    """Let both sides choose a stance in secret (SK-2.1)."""
    stances = OneOf([Plot("bold"), Plot("wary")], "SK-2.1")
    orders: dict[str, Plot] = yield Sealed(
        tuple(Decision(side, "choose a stance", stances, "SK-2.1") for side in ("red", "blue"))
    )
    for side, order in orders.items():
        yield Plotted(side, order.stance)


def march(state: Field) -> Procedure:
    """March until the side stays (SK-3.1, SK-3.2)."""
    side = state.phasing_side
    stay = Stay()

    def step(path: Any) -> Refusal | None:
        return Refusal("SK-3.2", f"{path[-1]} was passed already") if path[-1] in path[:-1] else None

    def end(path: Any) -> Refusal | None:
        return Refusal("SK-3.1", "a march goes at least one place on") if len(path) < 2 else None

    paths = Path(state.place[side], lambda path: NEXT[path[-1]], step, end, 3, "SK-3.1")
    space = AnyOf([OneOf([stay], "SK-3.1"), Form(March, {"path": paths, "speed": OneOf([1, 2], "SK-3.1")})])
    order = yield Decision(side, "march or stay", space, "SK-3.1", done=stay)
    if order == stay:
        return True
    yield Marched(side, list(order.path))
    return None


def roll_hits(state: Field, side: str) -> Procedure:
    units = state.units[side]
    needs = tuple(HITS[kind] for kind in ("infantry", "guns") for _ in range(units.get(kind, 0)))
    roll = Roll(len(needs), 6, f"fire.{side}", "SK-4.1", needs, pooled=True)
    faces: tuple[int, ...] = yield roll
    return roll.hits(faces)


def battle(state: Field) -> Procedure:
    """Fight one round: both fire at once, losses are infantry first (SK-4.1); red may break off (SK-4.2)."""
    red = yield from roll_hits(state, "red")
    blue = yield from roll_hits(state, "blue")
    yield RoundFought(red, blue)
    left = {side: sum(units.values()) for side, units in state.units.items()}
    if not all(left.values()):
        winner = next((side for side, number in left.items() if number), "draw")
        yield GameEnded(winner, "destroyed" if winner != "draw" else "both_destroyed", "SK-4.3")
    order = yield Decision("red", "fight on?", OneOf([Press(True), Press(False)], "SK-4.2"), "SK-4.2")
    if order.on:
        return False
    yield BrokenOff("red")
    return True


def dusk(state: Field) -> Procedure:
    """End the game after turn 3 (SK-5.1)."""
    if state.turn == 3:
        yield GameEnded("draw", "dusk", "SK-5.1")


@evolves(Mustered)
def mustered(state: Field, event: Mustered) -> None:
    state.units[event.side] = dict(event.units) or {"infantry": 1}
    state.place[event.side] = "mill" if event.side == "red" else "hill"


@evolves(Plotted)
def plotted(state: Field, event: Plotted) -> None:
    state.stance[event.side] = event.stance


@evolves(Marched)
def marched(state: Field, event: Marched) -> None:
    state.place[event.side] = event.path[-1]


@evolves(RoundFought)
def round_fought(state: Field, event: RoundFought) -> None:
    for side, hits in (("red", event.blue_hits), ("blue", event.red_hits)):
        units, left = state.units[side], hits
        for kind in ("infantry", "guns"):
            lost = min(left, units.get(kind, 0))
            units[kind] = units.get(kind, 0) - lost
            left -= lost


@evolves(BrokenOff)
def broken_off(state: Field, event: BrokenOff) -> None:
    state.fighting = False


SEQUENCE = SequenceOfPlay(
    (
        Phase("plot", plot, rule="SK-2.1"),
        PlayerTurn("red", "red", (Phase("march", march, rule="SK-3.1", repeats=True),)),
        PlayerTurn("blue", "blue", (Phase("march", march, rule="SK-3.1", repeats=True),)),
        Phase("battle", battle, rule="SK-4.1", repeats=True),
        Phase("dusk", dusk, rule="SK-5.1"),
    ),
    (Phase("muster", muster, rule="SK-1.1"),),
)
BATTLE_PLACE = next(place for place, step in enumerate(SEQUENCE.steps) if step.name == "battle")


@hookimpl
def ruleset_manifest() -> Manifest:
    return Manifest(
        id="skirmish",
        title="Skirmish at the Mill",
        version="1",
        edition="for tests",
        designer="nobody",
        stage="complete",
        sides=("red", "blue"),
        board="areas",
        options=(Option("money", ("8", "12"), "How much money is there?", number=True),),
    )


@hookimpl
def ruleset_index() -> tuple[RuleRow, ...]:
    return (
        RuleRow("SK-0.1", "Two sides meet at a mill.", "info"),
        RuleRow("SK-1.1", "Both sides buy units with what money they have."),
        RuleRow("SK-2.1", "Stances are chosen in secret and shown together."),
        RuleRow("SK-3.1", "A march leads from place to place."),
        RuleRow("SK-3.2", "No place is passed twice in one march.", "ruling"),
        RuleRow("SK-4.1", "Both sides fire at once; infantry is lost first."),
        RuleRow("SK-4.2", "Red may break off after a round."),
        RuleRow("SK-4.3", "Who has nobody left has lost."),
        RuleRow("SK-5.1", "After the third turn night falls: a draw."),
    )


@hookimpl
def ruleset_scenarios() -> Mapping[str, Any]:
    folder = File(__file__).parent
    return {"mill": folder / "skirmish_mill.toml", "dawn": folder / "skirmish_dawn.toml"}


@hookimpl
def ruleset_parts(scenario: Scenario, options: Mapping[str, str]) -> Parts:
    return Parts(
        state_type=Field,
        sequence=SEQUENCE,
        handlers=(mustered, plotted, marched, round_fought, broken_off),
        orders=(Muster, Plot, March, Stay, Press),
        events=(Mustered, Plotted, Marched, RoundFought, BrokenOff),
    )


@hookimpl
def ruleset_setup(scenario: Scenario, options: Mapping[str, str]) -> tuple[Any, Any]:
    if not isinstance(scenario.data.get("places"), int):
        raise DataError(scenario.source, "places", "must be a whole number")
    return Field(units={"red": {}, "blue": {}}), {"places": PLACES}


class Brave:
    """Always fights on, buys guns."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def choose(self, decision: Decision, view: View) -> Order:
        if decision.prompt.startswith("muster"):
            return Muster({"guns": 2})
        if decision.prompt == "fight on?":
            return Press(True)
        return decision.done or decision.options.sample(self._stream)


@hookimpl
def ruleset_bots() -> Bots:
    return Bots({"brave": lambda seat, stream, board: Brave(stream)})


@hookimpl
def ruleset_ui() -> Ui:
    return Ui(narrate=narrate, draw=draw, read_order=read_order)


@hookimpl
def ruleset_battles() -> Battles:
    return Battles(odds=battle_between)


def narrate(record: Any, board: Any) -> str | None:
    event = record.event if isinstance(record, EventRecord) else None
    if isinstance(event, Mustered):
        return f"{event.side} musters {event.units}."
    if isinstance(event, RoundFought):
        return f"Red scores {event.red_hits}, blue {event.blue_hits}."
    return None


def draw(view: Any, board: Any, style: str) -> str | None:
    return f"[board] red {view.units['red']} blue {view.units['blue']}" if style == "text" else None


def read_order(decision: Decision, text: str, board: Any) -> Order | None:
    words = text.split()
    if words[:1] == ["buy"]:
        if len(words) != 3 or not words[1].isdigit():
            raise IllegalOrder("SK-1.1", f"after 'buy' (column 4) a number and a kind are wanted, not {text[4:]!r}")
        return Muster({words[2]: int(words[1])})
    return None


def battle_between(attack: str, defend: str, options: Mapping[str, str]) -> OddsBattle | None:
    units = {"red": _force(attack), "blue": _force(defend)}
    state = Field(units=units, turn=1, phase="battle", in_phase=True, position=BATTLE_PLACE)
    return OddsBattle(
        state=state, board=None, choose=lambda decision: Press(True), result=_result, key=lambda state: state.units
    )


def _force(text: str) -> dict[str, int]:
    side, colon, units = text.partition(":")
    if not colon:
        raise IllegalOrder("", f"write the attack like red:infantry=3, not {text!r}")
    force: dict[str, int] = {}
    for each in units.split(","):
        kind, _, number = each.partition("=")
        if kind not in PRICES or not number.isdigit():
            raise DataError("force", text, f"{side}: {each!r} is not of the form infantry=3")
        force[kind] = int(number)
    return force


def _result(state: Field) -> str | None:
    left = {side: sum(units.values()) for side, units in state.units.items()}
    if all(left.values()):
        return None
    return "attacker" if left["red"] else "defender" if left["blue"] else "draw"
