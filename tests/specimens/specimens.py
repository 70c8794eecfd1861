"""Examples for several test files: spaces of options, a scripted player, a game of words."""

from typing import Any

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import GameEnded
from sandtable.kernel.options import Form, OneOf, Path, Refusal, SomeOf
from sandtable.kernel.play.views import View
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, ask


class Attack(Order, frozen=True):
    target: str
    units: list[str]


class Build(Order, frozen=True):
    share: dict[str, int]


RING = {"a": ["b", "d"], "b": ["a", "c"], "c": ["b", "d"], "d": ["c", "a"]}


def path_space(start: str = "a", longest: int = 3) -> Path:
    """Return paths around a ring of four that enter no space twice and do not end in d."""

    def why_no_step(path: Any) -> Refusal | None:
        return Refusal("P-2", f"{path[-1]} was entered already") if path[-1] in path[:-1] else None

    def why_no_end(path: Any) -> Refusal | None:
        return Refusal("P-3", "no path ends in d") if path[-1] == "d" else None

    return Path(start, lambda path: RING[path[-1]], why_no_step, why_no_end, longest, "P-1")


def attack_space() -> Form:
    """Return an attack by one or two of the units next to the target, never on c with u3."""
    near = {"b": ["u1", "u2"], "c": ["u2", "u3"]}

    def also(order: Any) -> Refusal | None:
        wrong = order.target == "c" and "u3" in order.units
        return Refusal("A-3", "u3 may not attack c") if wrong else None

    fields: dict[str, Any] = {
        "target": OneOf(["b", "c"], "A-1"),
        "units": lambda target: SomeOf(near[target], 1, 2, "A-2"),
    }
    return Form(Attack, fields, also)


def noting(seen: list[Any], answer: Any) -> Any:
    """Return a check that always returns ``answer`` and appends each value to ``seen``."""

    def judge(value: Any) -> Any:
        seen.append(value)
        return answer

    return judge


class Talker:
    """A player that gives its words in turn, and records the prompts."""

    def __init__(self, *say: Any) -> None:
        self.say = list(say)
        self.asked: list[str] = []

    def choose(self, decision: Decision, view: View) -> Order:
        self.asked.append(decision.prompt)
        word = self.say.pop(0)
        if isinstance(word, BaseException):
            raise word
        return Say(word) if isinstance(word, str) else word


def talk(state: Any) -> Procedure:
    """Ask red, then blue, for a word each, for three rounds."""
    for side in ("red", "blue"):
        order: Say = yield ask(side, "yes", "no")
        yield Said(f"{side} {order.word}")
    if state.turn == 3:
        yield GameEnded("red", "talked_out", "X-9")
