"""The sequence of play as data, and the procedure that walks it."""

import re
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from sandtable.errors import RulesetError
from sandtable.kernel.decisions import Decision, Roll, Sealed
from sandtable.kernel.events import Event, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.state import State


class PhaseSealed(Struct, frozen=True):
    """Yielded by the walk after a phase: the kernel writes the state's digest."""


PHASE_SEALED = PhaseSealed()
_NAME = re.compile(r"[a-z0-9_.]+", re.ASCII)

Procedure = Generator["Event | Roll | Decision | Sealed | HiddenStep | PhaseSealed | Procedure", Any, Any]
"""What a phase, a reaction or a part of one is: it yields what happens and gets answers back."""


class HiddenStep(NamedTuple):
    """Yielded for a step of play whose course is secret; the answer is what the step returns.

    ``step(copy)`` runs on a copy of the state: its events, and the reactions to them, change that alone. It asks
    nobody, and it must want the same rolls whatever the secrets are: rolls are recorded as they fall.
    ``tell(happened)`` gets the events in order and gives those that are recorded, which must come to the same state:
    as many whatever happened, the secret ones in groups (``EventGroup``).
    """

    step: Callable[[Any], Procedure]
    tell: Callable[[list[Event]], Iterable[Event]]


class Phase(Struct, frozen=True):
    """A named part of a turn.

    ``procedure(state)`` plays it. With ``repeats`` it is called again and again, one activation a call, until it
    returns True. ``side`` and ``power`` are who is on move.
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
    """Phases as the rulebook prints them: ``setup`` once before turn 1, ``turn`` again and again.

    ``steps`` is the flat list. A phase within a player turn is called "<player turn>.<phase>"; names are unique.
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
            raise RulesetError(f"{strange[0]!r} is no name of a phase: a-z, 0-9, _ and . make one")
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise RulesetError(f"two phases of the sequence of play are called {doubled[0]!r}")

    def after(self, position: int) -> int:
        """Return the place of the phase that follows the one at ``position``."""
        return position + 1 if position + 1 < len(self.steps) else self.first

    def walk(self, state: State, trail: Sequence[Any], boundaries: list[int], asked: dict[str, int]) -> Procedure:
        """Play on from where ``state`` stands, without end; a GameEnded event stops the kernel.

        ``asked`` counts the questions of a turn: it is emptied where one begins.

        Notes the length of ``trail`` in ``boundaries`` where no procedure of the ruleset is live: there a game can be
        taken up again from the state alone. Yields each phase's procedure for the kernel to run, and gets back what it
        returned: one frame less between the kernel and the rules than ``yield from``.
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
    """Run a reaction; what it returns concerns nobody."""
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
