"""Two sides aim or fire blindly, and a die decides: a game so small that its odds can be computed exactly."""

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
"""Red wins on a die of EVEN or less, EDGE more if he alone aims, EDGE less if blue alone does."""


class Fire(Order, frozen=True):
    """Fire; aimed or not."""

    aimed: bool


class Fired(Event, frozen=True):
    """``side`` fired."""

    side: str
    aimed: bool
    rule: str = "DU-1"


class Duel(State, kw_only=True):
    """Who aimed."""

    aimed: list[str] = []


CHOICES = OneOf([Fire(aimed=True), Fire(aimed=False)], "DU-1")


def duel(state: Duel) -> Procedure:
    """Ask both, then roll (DU-1, DU-2)."""
    for side in SIDES:
        order: Fire = yield Decision(side, "fire", CHOICES, "DU-1")
        yield Fired(side, order.aimed)
    (die,) = yield Roll(1, FACES, "shot", "DU-2", favours="blue")
    edge = EDGE * (("red" in state.aimed) - ("blue" in state.aimed))
    yield GameEnded("red" if die <= EVEN + edge else "blue", "shot", "DU-2")


@evolves(Fired)
def fired(state: Duel, event: Fired) -> None:
    """Note who aimed."""
    if event.aimed:
        state.aimed.append(event.side)


class Marksman:
    """Plays well, which is to aim, ``skill`` times of 100, and at random otherwise; ``salt`` tells twins apart."""

    def __init__(self, stream: Stream) -> None:
        self.skill = self.salt = 0
        self._stream = stream

    def configure(self, settings: Mapping[str, int]) -> None:
        """Take over the settings."""
        self.skill, self.salt = settings["skill"], settings["salt"]

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a shot."""
        own = self._stream.branch(str(self.salt))
        return Fire(aimed=own.below(100) < self.skill or own.below(2) == 0)


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the facts."""
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
    """Return the rules there are."""
    return (RuleRow("DU-1", "Both fire, aimed or not."), RuleRow("DU-2", "A die decides; who aims has the edge."))


@hookimpl
def ruleset_bots() -> Bots:
    """Return the players."""
    return Bots({"marksman": lambda seat, stream, board: Marksman(stream)})


@hookimpl
def ruleset_scenarios() -> dict[str, Path]:
    """Return none."""
    return {}


@hookimpl
def ruleset_parts() -> Parts:
    """Return what the kernel runs."""
    return Parts(
        state_type=Duel,
        sequence=SequenceOfPlay((Phase("duel", duel, rule="DU-1"),)),
        handlers=(fired,),
        orders=(Fire,),
        events=(Fired,),
    )


@hookimpl
def ruleset_setup() -> tuple[Duel, None]:
    """Return a duel that has not begun."""
    return Duel(), None
