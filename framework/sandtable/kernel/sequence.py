"""The sequence of play as data, and the procedure that walks it."""

import re
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from sandtable.errors import RulesetError
from sandtable.kernel.decisions import Claim, Decision, Roll, Sealed, Secret
from sandtable.kernel.events import Event, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.state import State


class PhaseSealed(Struct, frozen=True):
    """Yielded by the walk after a phase: the kernel writes the state's digest."""


PHASE_SEALED = PhaseSealed()
_NAME = re.compile(r"[a-z0-9_.]+", re.ASCII)

Procedure = Generator[
    "Event | Roll | Claim | Secret | Decision | Sealed | HiddenStep | PhaseSealed | Procedure", Any, Any
]
"""A phase, a reaction or a part of one: a generator that yields events and requests, and receives answers."""


class HiddenStep(NamedTuple):
    """A step of play whose course is secret; the procedure that yields it gets the return value of the step.

    ``step(copy)`` runs on a copy of the state; its events and the reactions to them change only that copy. It may not
    ask a question, and it must request the same rolls whatever the secrets are, because rolls are recorded as they are
    made. ``tell(happened)`` gets the events in order and returns those to record, which must lead to the same state.
    Their number must not depend on what happened: put the secret ones into groups (``EventGroup``).
    """

    step: Callable[[Any], Procedure]
    tell: Callable[[list[Event]], Iterable[Event]]


class Phase(Struct, frozen=True):
    """A named part of a turn.

    ``procedure(state)`` plays it. With ``repeats`` it is called once for each activation until it returns True.
    ``side`` and ``power`` are on move.
    """

    name: str
    procedure: Callable[[Any], Procedure]
    side: str = ""
    power: str = ""
    rule: str = ""
    repeats: bool = False


class PlayerTurn(Struct, frozen=True):
    """The part of a turn in which one side, or one power of it, is on move."""

    name: str
    side: str
    phases: tuple[Phase, ...]
    power: str = ""


class SequenceOfPlay:
    """The phases in the order of the rulebook: ``setup`` once before turn 1, then ``turn`` repeatedly.

    ``steps`` is the flat list. A phase within a player turn is named "<player turn>.<phase>"; names are unique.
    """

    def __init__(self, turn: tuple[Phase | PlayerTurn, ...], setup: tuple[Phase | PlayerTurn, ...] = ()) -> None:
        if not turn:
            raise RulesetError("a sequence of play needs at least one phase in its turn")
        self.setup = setup
        self.turn = turn
        before = [step for part in setup for step in _flat(part)]
        during = [step for part in turn for step in _flat(part)]
        self.first = len(before)
        self.steps = tuple(before + during)
        names = [step.name for step in self.steps]
        strange = [name for name in names if not _NAME.fullmatch(name)]
        if strange:
            raise RulesetError(f"{strange[0]!r} is not a valid phase name: use a-z, 0-9, _ and .")
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise RulesetError(f"two phases of the sequence of play are named {doubled[0]!r}")

    def after(self, position: int) -> int:
        """Return the index of the phase that follows the one at ``position``."""
        return position + 1 if position + 1 < len(self.steps) else self.first

    def walk(self, state: State, trail: Sequence[Any], boundaries: list[int], asked: dict[str, int]) -> Procedure:
        """Continue from the position of ``state`` without end; a GameEnded event stops the kernel.

        ``asked`` counts the questions of a turn, and is cleared when a turn begins.

        Appends the length of ``trail`` to ``boundaries`` whenever no procedure of the ruleset is live; a game can be
        resumed there from the state alone. Yields each phase's procedure for the kernel to run, and receives its return
        value, which saves one frame between the kernel and the rules compared with ``yield from``.
        """
        while True:
            phase = self.steps[state.position]
            if not state.in_phase:
                if state.position == self.first:
                    asked.clear()
                    yield TurnBegan(state.turn + 1)
                yield PhaseBegan(phase.name, phase.side, phase.power, phase.rule)
            procedure, repeats = phase.procedure, phase.repeats
            while True:
                boundaries.append(len(trail))
                done = yield procedure(state)
                if done or not repeats:
                    break
            yield PhaseEnded(phase.name, self.after(state.position), phase.rule)
            yield PHASE_SEALED


def aside(procedure: Procedure) -> Procedure:
    """Run a reaction and discard its return value."""
    yield from procedure


def _flat(part: Phase | PlayerTurn) -> list[Phase]:
    if isinstance(part, Phase):
        return [part]
    return [
        Phase(
            name=f"{part.name}.{phase.name}",
            procedure=phase.procedure,
            side=phase.side or part.side,
            power=phase.power or part.power,
            rule=phase.rule,
            repeats=phase.repeats,
        )
        for phase in part.phases
    ]
