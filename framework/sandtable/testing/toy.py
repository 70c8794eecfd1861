"""The ford: a complete ruleset on one page, to read and to copy.

Two sides face each other on a road of five spaces, with the front in the middle. Each hides an ambush on it (TOY-1).
Every turn both secretly commit troops (TOY-2) and roll for them; more hits push the front forward (TOY-3). A side that
pushes it off the road wins (TOY-4). After the last turn, the side on enemy ground wins (TOY-5).
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import sandtable as st

FORWARD, ROAD, MIDDLE = {"north": 1, "south": -1}, (1, 2, 3, 4, 5), 3
TIES: dict[str, Callable[[int], int]] = {"stay": lambda front: front, "fall_back": lambda _: MIDDLE}
INDEX = (
    st.RuleRow("TOY-1", "Each side hides an ambush: if the enemy moves the front there, it loses a troop on 1 to 3."),
    st.RuleRow("TOY-2", "Both sides commit up to three troops, without knowing the other's number; they are spent."),
    st.RuleRow("TOY-3", "Each troop hits on 1 to 3 of a die; more hits move the front a space toward the enemy."),
    st.RuleRow("TOY-3a", "A tie leaves the front where it is, or throws it back to the middle (option tie).", "ruling"),
    st.RuleRow("TOY-4", "A side that pushes the front off the road wins at once."),
    st.RuleRow("TOY-5", "After the last turn, the side on enemy ground wins; in the middle it is a draw."),
)


# Orders are answers, in the imperative.
class LayAmbush(st.Order, frozen=True):
    """Hide your ambush in ``space``."""

    space: int


class Commit(st.Order, frozen=True):
    """Spend ``troops`` on this battle."""

    troops: int


# Events are facts, in the past tense; they carry all data that their handlers need, and their rule.
class AmbushLaid(st.Event, frozen=True):
    """``side`` hid its ambush (a secret event)."""

    side: str
    space: int
    rule: str = "TOY-1"


class AmbushSprung(st.Event, frozen=True):
    """The ambush of ``side`` was found; it is used up."""

    side: str
    rule: str = "TOY-1"


class TroopsSpent(st.Event, frozen=True):
    """The troops of each side decreased by ``troops``."""

    troops: dict[str, int]
    rule: str


class FrontMoved(st.Event, frozen=True):
    """The front moved to ``front``."""

    front: int
    rule: str


# The state is plain data, and only handlers change it. The fixed data of a scenario are the board: {"turns": 6}.
class Ford(st.State, kw_only=True):
    """The position of the front, and the resources of each side."""

    troops: dict[str, int]
    front: int = MIDDLE
    ambush: dict[str, int] = {}


@st.evolves(AmbushLaid)
def ambush_laid(state: Ford, event: AmbushLaid) -> None:
    """Store the space of the ambush."""
    state.ambush[event.side] = event.space


@st.evolves(AmbushSprung)
def ambush_sprung(state: Ford, event: AmbushSprung) -> None:
    """Remove the ambush; a log of the other side does not say where it was laid."""
    state.ambush.pop(event.side, None)


@st.evolves(TroopsSpent)
def troops_spent(state: Ford, event: TroopsSpent) -> None:
    """Subtract the troops."""
    for side, troops in event.troops.items():
        state.troops[side] -= troops


@st.evolves(FrontMoved)
def front_moved(state: Ford, event: FrontMoved) -> None:
    """Move the front."""
    state.front = event.front


# Procedures are the rules: generators that yield events, rolls and decisions.
def lay_ambushes(_: Ford) -> st.Procedure:
    """Let each side hide its ambush (TOY-1); a secret order is never opened."""
    for side in FORWARD:
        spaces = st.Form(LayAmbush, {"space": st.OneOf(ROAD, "TOY-1")})
        order = yield st.Decision(side, "hide your ambush", spaces, "TOY-1", secret=True, stand_in=LayAmbush(0))
        yield AmbushLaid(side, order.space)


def battle(tie: Callable[[int], int], state: Ford) -> st.Procedure:
    """Let both sides commit troops, opened together (TOY-2), roll for them and move the front (TOY-3, TOY-4, TOY-1)."""
    asked = []
    for side, troops in state.troops.items():
        numbers = st.Form(Commit, {"troops": st.Range(0, min(3, troops), "TOY-2")})
        asked.append(st.Decision(side, "commit troops", numbers, "TOY-2"))
    orders: dict[str, Commit] = yield st.Sealed(tuple(asked))
    yield TroopsSpent({side: order.troops for side, order in orders.items()}, "TOY-2")
    hits = {}
    for side, order in orders.items():
        roll = st.Roll(order.troops, 6, f"battle:{side}", "TOY-3", needs=(3,) * order.troops)
        hits[side] = roll.hits((yield roll))
    if hits["north"] == hits["south"]:
        return (yield FrontMoved(tie(state.front), "TOY-3a"))
    winner, loser = ("north", "south") if hits["north"] > hits["south"] else ("south", "north")
    yield FrontMoved(state.front + FORWARD[winner], "TOY-3")
    if state.front not in ROAD:
        yield st.GameEnded(winner, "breakthrough", "TOY-4")
    here = st.Claim(loser, "ambush", st.OneOf((False, True)), lambda: state.ambush[loser] == state.front, "TOY-1")
    if loser in state.ambush and (yield here):
        yield AmbushSprung(loser)  # before its die, because the die alone would reveal it
        roll = st.Roll(1, 6, f"ambush:{loser}", "TOY-1", needs=(3,))
        if roll.hits((yield roll)) and state.troops[winner]:
            yield TroopsSpent({winner: 1}, "TOY-1")


def dusk(state: Ford) -> st.Procedure:
    """End the game after its last turn (TOY-5)."""
    if state.turn == state.board["turns"]:
        ahead = "north" if state.front > MIDDLE else "south"
        yield st.GameEnded(ahead if state.front != MIDDLE else "draw", "nightfall", "TOY-5")


# Build a view from the facts that the side may know; never remove secrets from the whole.
def view(state: Ford, side: str) -> dict[str, Any]:
    """Return what ``side`` sees of the state."""
    return {"front": state.front, "troops": dict(state.troops), "ambush": state.ambush.get(side, 0)}


def visible(event: AmbushLaid, side: str) -> AmbushLaid | None:
    """Return what ``side`` sees of a secret event."""
    return event if event.side == side else None


# Hooks connect the ruleset to the framework.
@st.hookimpl
def ruleset_manifest() -> st.Manifest:
    """Return the facts."""
    return st.Manifest(
        id="toy",
        title="The ford",
        version="1",
        edition="of the documentation",
        designer="the authors of Sandtable",
        stage="complete",
        sides=("north", "south"),
        board="track",
        hidden=True,
        keeper="claims",
        endings=("breakthrough", "nightfall"),
        options=(st.Option("tie", tuple(TIES), "What does a tie do to the front?", "TOY-3a"),),
    )


@st.hookimpl
def ruleset_index() -> tuple[st.RuleRow, ...]:
    """Return the rules, one line each."""
    return INDEX


@st.hookimpl
def ruleset_scenarios() -> dict[str, Path]:
    """Return the scenario files by id, the default first."""
    return {"toy": Path(__file__).with_name("toy.toml")}


@st.hookimpl
def ruleset_parts(options: Mapping[str, str]) -> st.Parts:
    """Return the parts that the kernel runs; an option replaces one of them."""
    laying = st.Phase("ambush", lay_ambushes, rule="TOY-1")
    fight = st.Phase("battle", partial(battle, TIES[options["tie"]]), rule="TOY-3")
    return st.Parts(
        state_type=Ford,
        sequence=st.SequenceOfPlay((fight, st.Phase("dusk", dusk, rule="TOY-5")), setup=(laying,)),
        handlers=(ambush_laid, ambush_sprung, troops_spent, front_moved),
        orders=(LayAmbush, Commit),
        events=(AmbushLaid, AmbushSprung, TroopsSpent, FrontMoved),
        view=view,
        visible=visible,
        secret_events=(AmbushLaid,),
        reveals=(AmbushSprung,),
    )


@st.hookimpl
def ruleset_setup(scenario: st.Scenario) -> tuple[Ford, dict[str, int]]:
    """Return the first state and the board."""
    numbers = {key: scenario.data["scenario"].get(key) for key in ("troops", "turns")}
    for key, number in numbers.items():
        if type(number) is not int or number < 1:
            raise st.DataError(scenario.source, f"scenario.{key}", "must be an integer greater than 0")
    return Ford(troops=dict.fromkeys(FORWARD, numbers["troops"])), {"turns": numbers["turns"]}


# The functions of a group take the arguments that they need, by name.
def deal(view: dict[str, Any], side: str, stream: st.Stream) -> Ford:
    """Return a state that gives ``side`` this view; the enemy's ambush may be anywhere."""
    ambush = {each: view["ambush"] if each == side else stream.pick(ROAD) for each in FORWARD}
    return Ford(troops=dict(view["troops"]), front=view["front"], ambush=ambush)


def evaluate(state: Ford) -> dict[str, int]:
    """Return each side's probability of winning, in thousandths: 150 per space of ground, 20 per extra troop."""
    ahead = 150 * (state.front - MIDDLE) + 20 * (state.troops["north"] - state.troops["south"])
    north = min(max(500 + ahead, 20), 980)
    return {"north": north, "south": 1000 - north}


def narrate(record: Any) -> str | None:
    """Return a sentence for a reader, or None."""
    event = getattr(record, "event", None)
    return f"The front moves to space {event.front}." if isinstance(event, FrontMoved) else None


def draw(view: dict[str, Any], style: str) -> str | None:
    """Return the road and the front, as text."""
    return "".join("X" if space == view["front"] else "-" for space in ROAD) if style == "text" else None


@st.hookimpl
def ruleset_bots() -> st.Bots:
    """Return the functions for players that simulate games; the ruleset has no bots."""
    return st.Bots(deal=deal, evaluate=evaluate)


@st.hookimpl
def ruleset_ui() -> st.Ui:
    """Return how records are narrated and the road is drawn."""
    return st.Ui(narrate=narrate, draw=draw)
