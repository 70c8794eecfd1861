"""A small ruleset in any number of versions: the race."""

import sys
from pathlib import Path

INIT = '''"""A race: each turn somebody chooses a pace, and a die is thrown."""

import sandtable as st
import race.rules
from race import rules as own
from race.rules import Ran, Walk

game = st.Ruleset("race", title="Race", version="VERSION", sides=("a", "b"), rules="R-1  Walk.")
game.state(race.rules.Track)
game.order(Walk)
game.event(Ran)

@game.phase("R-1", side="a")
def walk(state):
    for side in ("a", "b"):
        paces = st.OneOf(tuple(Walk(n) for n in (1, 2)), rule="R-1")
        order = yield st.Decision(side, "walk", paces, "R-1", purpose=side)
        (die,) = yield st.Roll(1, 6, "walk", rule="R-1", favors=side)
        yield Ran(FIELD=order.pace + die * own.TIMES)
    if state.place > 12:
        yield st.GameEnded("a", "home", "R-1")
'''
RULES = """
import sandtable as st

TIMES = 1

class Walk(st.Order, frozen=True):
    pace: int

class Track(st.State, kw_only=True):
    place: int = 0

class Ran(st.Event, frozen=True):
    FIELD: int
    rule: str = "R-1"

    def apply(self, state):
        state.place += self.FIELD
"""
UPCAST = """

@game.hook("upcasts")
def upcasts():
    return {"1": st.Upcast("2", renamed)}

def renamed(record):
    event = record.get("event", {})
    if event.get("type") == "Ran":
        record["event"] = {"steps" if name == "by" else name: each for name, each in event.items()}
    return record
"""
BOTS = {"a": "random", "b": "random"}


def write(folder: Path, version: str, name: str = "race", *, more: str = "", **edits: str) -> None:
    """Write a version of the race into a folder of rulesets, as ``name``, and unload the modules of other versions.

    ``edits`` are of the two words that versions differ by, ``field`` and ``times``; or ``old`` text and ``new``.
    """
    for each in [each for each in sys.modules if each.partition(".")[0] == "race"]:
        del sys.modules[each]
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    for file, text in (("__init__.py", INIT.replace("VERSION", version) + more), ("rules.py", RULES)):
        edited = text.replace("FIELD", edits.get("field", "by")).replace(
            "TIMES = 1", f"TIMES = {edits.get('times', 1)}"
        )
        (home / file).write_text(edited.replace(edits.get("old", "\0"), edits.get("new", "")))
