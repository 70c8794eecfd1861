"""A duel in which two sides aim or fire blindly and a die decides, so that its odds can be computed exactly."""

from collections.abc import Mapping
from pathlib import Path

from sandtable import (
    Bots,
    Decision,
    Event,
    GameEnded,
    Manifest,
    OneOf,
    Order,
    Parts,
    Phase,
    Procedure,
    Roll,
    RuleRow,
    SequenceOfPlay,
    State,
    Stream,
    View,
    evolves,
    hookimpl,
)

SIDES = ("red", "blue")
FACES, EVEN, EDGE = 20, 10, 4
"""Red wins on a die of EVEN or less, plus EDGE if only red aims, minus EDGE if only blue aims."""


class Fire(Order, frozen=True):
    """Fire, aimed or not."""

    aimed: bool


class Fired(Event, frozen=True):
    """``side`` fired."""

    side: str
    aimed: bool
    rule: str = "DU-1"


class Duel(State, kw_only=True):
    """The sides that aimed."""

    aimed: list[str] = []


CHOICES = OneOf([Fire(aimed=True), Fire(aimed=False)], "DU-1")


def duel(state: Duel) -> Procedure:
    """Let both sides fire, then roll (DU-1, DU-2)."""
    for side in SIDES:
        order: Fire = yield Decision(side, "fire", CHOICES, "DU-1")
        yield Fired(side, order.aimed)
    (die,) = yield Roll(1, FACES, "shot", "DU-2", favors="blue")
    edge = EDGE * (("red" in state.aimed) - ("blue" in state.aimed))
    yield GameEnded("red" if die <= EVEN + edge else "blue", "shot", "DU-2")


@evolves(Fired)
def fired(state: Duel, event: Fired) -> None:
    """Record a side that aimed."""
    if event.aimed:
        state.aimed.append(event.side)


class Marksman:
    """A bot that aims, the better choice, ``skill`` times of 100, and otherwise chooses at random.

    ``salt`` gives bots with equal settings different streams.
    """

    def __init__(self, stream: Stream) -> None:
        self.skill = self.salt = 0
        self._stream = stream

    def configure(self, settings: Mapping[str, int]) -> None:
        """Apply the settings."""
        self.skill, self.salt = settings["skill"], settings["salt"]

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a shot."""
        own = self._stream.branch(str(self.salt))
        return Fire(aimed=own.below(100) < self.skill or own.below(2) == 0)


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the manifest."""
    return Manifest(
        id="duel",
        title="A duel",
        version="1",
        edition="first",
        designer="nobody",
        stage="complete",
        sides=SIDES,
        board="none",
    )


@hookimpl
def ruleset_index() -> tuple[RuleRow, ...]:
    """Return the rules."""
    return (RuleRow("DU-1", "Both fire, aimed or not."), RuleRow("DU-2", "A die decides; who aims has the edge."))


@hookimpl
def ruleset_bots() -> Bots:
    """Return the bots."""
    return Bots({"marksman": lambda seat, stream, board: Marksman(stream)})


@hookimpl
def ruleset_scenarios() -> dict[str, Path]:
    """Return no scenarios."""
    return {}


@hookimpl
def ruleset_parts() -> Parts:
    """Return the parts that the kernel runs."""
    return Parts(
        state_type=Duel,
        sequence=SequenceOfPlay((Phase("duel", duel, rule="DU-1"),)),
        handlers=(fired,),
        orders=(Fire,),
        events=(Fired,),
    )


@hookimpl
def ruleset_setup() -> tuple[Duel, None]:
    """Return the initial state."""
    return Duel(), None
