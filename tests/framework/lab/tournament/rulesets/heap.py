"""Three sides take stones from a heap in turn, up to a die roll. Its bots are good, bad and tunable."""

from collections.abc import Mapping
from pathlib import Path

from sandtable import (
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
    View,
    evolves,
    hookimpl,
)
from sandtable.errors import PlayError
from sandtable.plugin.groups import Bots

SIDES = ("ant", "bee", "cat")


class Take(Order, frozen=True):
    """Take ``stones``."""

    stones: int


class Taken(Event, frozen=True):
    """``side`` took ``stones``."""

    side: str
    stones: int
    rule: str = "H-1"


class Heap(State, kw_only=True):
    """The remaining stones."""

    stones: int = 20


def take(state: Heap) -> Procedure:
    """Let the sides take stones in turn. The side that takes the last one wins (H-1)."""
    while True:
        for side in SIDES:
            (die,) = yield Roll(1, 3, side, "H-1")
            most = min(die, state.stones)
            order: Take = yield Decision(side, "take", OneOf([Take(n + 1) for n in range(most)], "H-1"), "H-1")
            yield Taken(side, order.stones)
            if state.stones == 0:
                yield GameEnded(side, "last_stone", "H-1")


@evolves(Taken)
def taken(state: Heap, event: Taken) -> None:
    """Remove the stones."""
    state.stones -= event.stones


class Tuned:
    """A bot that takes as many stones as it is set to."""

    def __init__(self) -> None:
        self.stones = 1

    def configure(self, settings: Mapping[str, int]) -> None:
        """Apply the setting ``stones``."""
        if set(settings) != {"stones"}:
            raise PlayError("it has one setting: stones")
        self.stones = settings["stones"]

    def choose(self, decision: Decision, view: View) -> Take:
        """Return the largest legal number up to ``stones``."""
        most = max(order.stones for order in decision.options.values())
        return Take(min(most, self.stones))


class Crasher(Tuned):
    """A bot that fails at its second decision."""

    def choose(self, decision: Decision, view: View) -> Take:
        """Return one stone, once."""
        self.stones += 1
        if self.stones > 2:
            raise ValueError("I am\nlost")
        return Take(1)


class Cheat(Tuned):
    """A bot that takes more than there is."""

    def choose(self, decision: Decision, view: View) -> Take:
        """Return an illegal number."""
        return Take(99)


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the manifest."""
    return Manifest(
        id="heap",
        title="The heap",
        version="1",
        edition="first",
        designer="nobody",
        stage="complete",
        sides=SIDES,
        board="none",
    )


@hookimpl
def ruleset_index() -> tuple[RuleRow, ...]:
    """Return the rule."""
    return (RuleRow("H-1", "Sides take stones in turn, as many as a die of three allows; the last one wins."),)


@hookimpl
def ruleset_bots() -> Bots:
    """Return the bots."""
    return Bots(
        {
            "tuned": lambda seat, stream, board: Tuned(),
            "crasher": lambda seat, stream, board: Crasher(),
            "cheat": lambda seat, stream, board: Cheat(),
        }
    )


@hookimpl
def ruleset_scenarios() -> dict[str, Path]:
    """Return no scenarios."""
    return {}


@hookimpl
def ruleset_parts() -> Parts:
    """Return the parts that the kernel runs."""
    return Parts(
        state_type=Heap,
        sequence=SequenceOfPlay((Phase("take", take, rule="H-1"),)),
        handlers=(taken,),
        orders=(Take,),
        events=(Taken,),
    )


@hookimpl
def ruleset_setup() -> tuple[Heap, None]:
    """Return a full heap."""
    return Heap(), None
