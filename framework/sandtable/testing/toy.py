"""The ford: a whole ruleset on one page, to read and to copy.

A road of five spaces lies between two sides, the front in the middle. Each hides an ambush on it (TOY-1). Every turn
both commit troops in secret (TOY-2) and roll for them: more hits push the front (TOY-3), and the winner may pursue
(TOY-4). Whoever is pushed off the road has lost (TOY-5); at nightfall the side that stands on enemy ground wins (TOY-6).
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import sandtable as st

SIDES = ("north", "south")
ENEMY = {"north": "south", "south": "north"}
FORWARD = {"north": 1, "south": -1}
ROAD, MIDDLE = range(1, 6), 3
INDEX = {
    "TOY-1": "Each side hides an ambush in a space of the road; the enemy who brings the front there loses a troop on 1-3.",
    "TOY-2": "Both sides commit up to three troops, neither knowing the other's number.",
    "TOY-3": "A die for each troop, 1-3 hits; more hits move the front a space towards the enemy.",
    "TOY-3a": "Ruling: a tie leaves the front where it is, or throws it back to the middle (option tie).",
    "TOY-4": "The winner may pursue: a troop spent for each further space.",
    "TOY-5": "A front that is pushed off the road wins the game at once.",
    "TOY-6": "After the last turn the front on enemy ground wins; in the middle it is a draw.",
}


# Orders are answers, in the imperative.
class LayAmbush(st.Order, frozen=True):
    """Hide your ambush in ``space``."""

    space: int


class Commit(st.Order, frozen=True):
    """Send ``troops`` into the battle."""

    troops: int


class Pursue(st.Order, frozen=True):
    """Spend a troop, push on."""


class Halt(st.Order, frozen=True):
    """Stay where you are."""


# Events are facts, in the past tense; each carries all that its handler needs, and the rule that made it happen.
class AmbushLaid(st.Event, frozen=True):
    """``side`` hid its ambush: only that side may see this."""

    side: str
    space: int
    rule: str = "TOY-1"


class BattleFought(st.Event, frozen=True):
    """Both sides fought with the troops they had committed."""

    committed: dict[str, int]
    hits: dict[str, int]
    rule: str = "TOY-3"


class FrontMoved(st.Event, frozen=True):
    """``side`` brought the front to ``front`` and spent ``troops`` for it; "" stands for nobody."""

    side: str
    front: int
    troops: int
    rule: str


class AmbushSprung(st.Event, frozen=True):
    """The ambush of ``side`` was found, and is used up."""

    side: str
    rule: str = "TOY-1"


class TroopLost(st.Event, frozen=True):
    """``side`` lost a troop."""

    side: str
    rule: str = "TOY-1"


# The state is plain data, and only handlers change it.
class Ford(st.State, kw_only=True):
    """Where the front is, and what each side has."""

    troops: dict[str, int]
    front: int = MIDDLE
    ambush: dict[str, int] = {}


@st.evolves(AmbushLaid)
def ambush_laid(state: Ford, event: AmbushLaid) -> None:
    """Note where it is."""
    state.ambush[event.side] = event.space


@st.evolves(BattleFought)
def battle_fought(state: Ford, event: BattleFought) -> None:
    """Change nothing: what follows from a battle are events of their own."""


@st.evolves(FrontMoved)
def front_moved(state: Ford, event: FrontMoved) -> None:
    """Move the front, pay for it."""
    state.front = event.front
    if event.troops:
        state.troops[event.side] -= event.troops


@st.evolves(AmbushSprung)
def ambush_sprung(state: Ford, event: AmbushSprung) -> None:
    """Take the ambush off the road."""
    del state.ambush[event.side]


@st.evolves(TroopLost)
def troop_lost(state: Ford, event: TroopLost) -> None:
    """Take off the troop."""
    state.troops[event.side] -= 1


# Procedures are the rules: generators that yield what happens, what is rolled, and what is asked.
def lay_ambushes(state: Ford) -> st.Procedure:
    """Let each side hide its ambush (TOY-1)."""
    for side in SIDES:
        spaces = st.Form(LayAmbush, {"space": st.OneOf(ROAD, "TOY-1")})
        order: LayAmbush = yield st.Decision(side, "hide your ambush", spaces, "TOY-1", secret=True)
        yield AmbushLaid(side, order.space)


...
