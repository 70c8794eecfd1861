"""Rulings on a game whose ruleset fails after some events: they are refused, and the table continues."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.framework.web.umpire.test_desk import ask
from web_robot import running

from sandtable.plugin.manager import Rulesets

pytestmark = pytest.mark.full

FRAGILE = '''
"""A ruleset that fails where it is used."""
import sandtable as st

game = st.Ruleset("fragile", title="Fragile", sides=("a", "b"), endings=("end",), rules="""
    FR-1  A side passes.
""")


@game.state
class Fragile(st.State, kw_only=True):
    """The unit."""

    unit: str = "u"
    size: int = 1


@game.order
class Pass(st.Order, frozen=True):
    """Pass."""

    word: str
    number: int
    times: int


@game.event
class UnitChanged(st.Event, frozen=True):
    """The unit changed."""

    unit: str
    size: int
    rule: str = "FR-1"

    def apply(self, state: Fragile) -> None:
        """Change it."""
        state.unit, state.size = self.unit, self.size


def times(word: str, number: int) -> st.OneOf:
    """Return the times that go with a word, or fail."""
    return st.OneOf(({"pass": 1}[word],))


@game.phase("FR-1")
def passing(state: Fragile) -> st.Procedure:
    """Let a side pass (FR-1)."""
    choice = st.Form(Pass, {"word": st.OneOf(("pass", "fault")), "number": st.Range(1, 3000), "times": times})
    yield st.Decision("a", f"pass {6 // state.size}", choice, "FR-1")
    yield st.GameEnded("a", "end", "FR-1")


@game.hook("draw")
def draw(view, board, style):
    """Return a board, or fail."""
    return {"u": "<svg xmlns=\'http://www.w3.org/2000/svg\'/>", "told": ""}[view.unit] if style == "svg" else None


@game.hook("narrate")
def narrate(record):
    """Return a sentence, or fail."""
    event = getattr(record, "event", None)
    return {"u": "The unit changed.", "drawn": ""}[event.unit] if isinstance(event, UnitChanged) else None
'''


@pytest.mark.parametrize(
    "event",
    [
        {"unit": "u", "size": 0},  # the next question divides by it
        {"unit": "drawn", "size": 1},  # there is no drawing of it
        {"unit": "told", "size": 1},  # there is no sentence about it
    ],
)
def test_event_that_makes_the_ruleset_fail_is_refused(tmp_path: Path, unlimited: None, event: dict[str, Any]) -> None:
    (tmp_path / "fragile.py").write_text(FRAGILE)
    (tmp_path / "games").mkdir()
    with running(tmp_path / "games", Rulesets(tmp_path)) as site:
        links = site.make("fragile", players={"a": "human", "b": "human"}, umpire="link")
        umpire, player = site.open(links["umpire"]), site.open(links["a"])
        ruling = {"t": "rule", "reason": "a test"}
        reply = ask(umpire, {**ruling, "event": json.dumps({"type": "UnitChanged", **event})})
        assert "the ruleset fails after this event" in reply["words"]
        assert ask(umpire, {"t": "desk"})["rulings"] == []
        good = {"type": "UnitChanged", "unit": "u", "size": 2}
        assert ask(umpire, {**ruling, "event": json.dumps(good)})["t"] == "ruled"
        player.until("notice")
        assert player.ask is not None
        assert player.ask["prompt"] == "pass 3"
        for _ in range(2):
            reply = player.say({"t": "expand", "picks": ['"fault"', "1"]})
            assert reply["words"].startswith("the rules failed to answer this")
