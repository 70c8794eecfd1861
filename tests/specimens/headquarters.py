"""A ruleset with one side and four questions: a road, an order of several sheets, a share, and a form with a check."""

from collections.abc import Mapping, Sequence
from pathlib import Path as File
from typing import Any

from sandtable import (
    Decision,
    Event,
    Form,
    GameEnded,
    IllegalOrder,
    Manifest,
    OneOf,
    Order,
    Parts,
    Path,
    Phase,
    Procedure,
    Refusal,
    Roll,
    RuleRow,
    SequenceOfPlay,
    ShareOut,
    State,
    evolves,
    hookimpl,
)
from sandtable.errors import RefusalCollector
from sandtable.kernel.options import OneForEach, Range, Sheet, SomeOf, Words
from sandtable.plugin.groups import Ui

PLACES = ("bridge", "ford", "hill", "mill")
NEXT = {"bridge": ("ford", "hill"), "ford": ("bridge", "mill"), "hill": ("bridge", "mill"), "mill": ("ford", "hill")}


class Write(Order, frozen=True):
    """Send battalions and leaders to places and the air to a target, with a plan."""

    moves: dict[str, str]
    leaders: dict[str, str]
    air: list[str]
    plan: str = ""


class Ride(Order, frozen=True):
    """Send ``riders`` along ``road``."""

    road: list[str]
    riders: int


class Supply(Order, frozen=True):
    """Distribute loads by battalion."""

    loads: dict[str, int]


class Post(Order, frozen=True):
    """Post the pickets, and set the hour of their relief."""

    pickets: dict[str, str]
    hour: int


class Given(Event, frozen=True):
    what: str
    rule: str = "HQ-1"


class Office(State, kw_only=True):
    given: list[str] = []


def write_space() -> Form:
    """Return the sheets. Two battalions may not go to one place."""

    def together(sheet: dict[str, str]) -> Any:
        if sheet.get("b1") is not None and sheet.get("b1") == sheet.get("b2"):
            yield "b2", Refusal("HQ-2", "b1 goes there already")

    moves = Sheet({each: OneOf(PLACES, "HQ-2") for each in ("b1", "b2", "b3")}, together, rule="HQ-2", key_of=battalion)
    return Form(
        Write,
        {
            "moves": moves,
            "leaders": Sheet({"general": OneOf(PLACES, "HQ-3")}, rule="HQ-3"),
            "air": SomeOf(PLACES, 0, 1, "HQ-4"),
            "plan": Words(20, "HQ-5"),
        },
    )


def battalion(text: str) -> str:
    """Return the id of "1st battalion" and so on, or ""."""
    words = text.split()
    return f"b{words[0][:1]}" if words[1:] == ["battalion"] and words[0][:1] in {"1", "2", "3"} else ""


def road_space() -> Form:
    """Return the roads from the bridge, which visit no place twice and do not end at the ford."""

    def step(path: Sequence[str]) -> Refusal | None:
        return Refusal("HQ-6", f"{path[-1]} was passed already") if path[-1] in path[:-1] else None

    def end(path: Sequence[str]) -> Refusal | None:
        return Refusal("HQ-6", "the ford is under fire") if path[-1] == "ford" or len(path) < 2 else None

    road = Path("bridge", lambda path: NEXT[path[-1]], step, end, 3, "HQ-6")
    return Form(Ride, {"road": road, "riders": Range(1, 99, "HQ-6")})


def picket_space() -> Form:
    """Return the posts of three pickets, which may not all be at one place."""

    def also(order: Post) -> Refusal | None:
        return Refusal("HQ-8", "not all at one place") if len(set(order.pickets.values())) < 2 else None

    pickets = OneForEach({each: OneOf(PLACES, "HQ-8") for each in ("p1", "p2", "p3")}, "HQ-8")
    return Form(Post, {"pickets": pickets, "hour": Range(1, 12, "HQ-8")}, also)


def office(state: Office) -> Procedure:
    """Ask the four questions, with a roll between the second and the third."""
    yield Decision("north", "send a rider", road_space(), "HQ-6")
    yield Given("ride")
    yield Decision("north", "write orders", write_space(), "HQ-1")
    yield Given("write")
    yield Roll(1, 6, "weather", "HQ-9")
    loads = ShareOut(90, {"b1": 2, "b2": 3, "b3": 5}, {"b2": 2}, rule="HQ-7", what="loads")
    yield Decision("north", "share the loads out", Form(Supply, {"loads": loads}), "HQ-7")
    yield Given("share")
    yield Decision("north", "post pickets", picket_space(), "HQ-8")
    yield GameEnded("draw", "night", "HQ-9")


@evolves(Given)
def given(state: Office, event: Given) -> None:
    state.given.append(event.what)


@hookimpl
def ruleset_manifest() -> Manifest:
    return Manifest(
        id="headquarters",
        title="Headquarters",
        version="1",
        edition="for tests",
        designer="nobody",
        stage="draft",
        sides=("north", "south"),
        board="areas",
    )


@hookimpl
def ruleset_index() -> tuple[RuleRow, ...]:
    return tuple(RuleRow(f"HQ-{number}", f"Rule {number} of headquarters.") for number in range(1, 10))


@hookimpl
def ruleset_scenarios() -> Mapping[str, File]:
    return {}


@hookimpl
def ruleset_parts() -> Parts:
    return Parts(
        state_type=Office,
        sequence=SequenceOfPlay((Phase("office", office, rule="HQ-1"),)),
        handlers=(given,),
        orders=(Write, Ride, Supply, Post),
        events=(Given,),
    )


@hookimpl
def ruleset_setup() -> tuple[Office, None]:
    return Office(), None


def read_order(decision: Decision, text: str, board: Any) -> Order | None:
    """Parse "general: hill; air: ford; plan: hold" for written orders, and "loads b1 2" for loads."""
    words = text.split()
    if words[:1] == ["loads"] and len(words) % 2:
        return Supply({name: int(number) for name, number in zip(words[1::2], words[2::2], strict=True)})
    if ":" not in text or decision.prompt != "write orders":
        return None
    order, wrong = Write({}, {}, []), RefusalCollector()
    before, plan, rest = text.partition("plan:")
    for line in filter(None, (part.strip() for part in before.split(";"))):
        name, _, place = (part.strip() for part in line.partition(":"))
        if name == "air":
            order.air.append(place)
        elif name == "general":
            order.leaders[name] = place
        elif name in {"b1", "b2", "b3"}:
            order.moves[name] = place
        else:
            wrong.add(IllegalOrder("HQ-1", f"{name} does not exist"))
    wrong.refuse()
    return Write(order.moves, order.leaders, order.air, rest.strip() if plan else "")


@hookimpl
def ruleset_ui() -> Ui:
    return Ui(read_order=read_order)
