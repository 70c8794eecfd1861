"""Differences that an edit of the rules cannot cause."""

from pathlib import Path
from typing import Any

import pytest
from cutting import cut_after
from msgspec import structs
from rechained import changed, fault_in

from sandtable.errors import LogClosed
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import log_bytes
from sandtable.journal.resume import resume
from sandtable.journal.verification.edits import altered_die, is_firm
from sandtable.journal.verification.verdicts import Difference
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Prepared, Rulesets


@pytest.mark.parametrize(
    ("kind", "field", "firm"),
    [
        ("altered dice", "dice[0]", True),
        ("altered dice", "", False),
        ("rules diverge", "dice[0]", False),
        ("rules diverge", "event.side", False),
        ("altered record", "hash", True),
        ("anchor", "", True),
    ],
)
def test_difference_is_firm_only_if_no_rule_influences_it(kind: str, field: str, firm: bool) -> None:
    assert is_firm(Difference(kind, 1, "", field)) is firm


SPIES = '''
"""Each turn a die is rolled, and each side learns part of what was seen."""

import sandtable as st

class GoOn(st.Order, frozen=True):
    """Nod."""

class Spied(st.Event, frozen=True):
    """Something was seen."""
    what: str
    rule: str = "SP-1"

class Night(st.State, kw_only=True):
    """The amount that was seen."""
    seen: int = 0

@st.evolves(Spied)
def spied(state, event):
    """Count it."""
    state.seen += 1

def watch(state):
    """Roll, and report the sighting (SP-1)."""
    yield st.Roll(1, 6, "watch", "SP-1")
    yield Spied("a heavy tank")
    yield st.Decision("a", "go on?", st.OneOf([GoOn()], "SP-1"), "SP-1")
    if state.turn == 2:
        yield st.GameEnded("draw", "dawn", "SP-1")

@st.hookimpl
def ruleset_manifest():
    return st.Manifest(id="spies", title="Spies", version="1", edition="-", designer="-", sides=("a", "b"),
                       board="none", endings=("dawn",), stage="complete", hidden=True)

@st.hookimpl
def ruleset_scenarios():
    return {}

@st.hookimpl
def ruleset_parts(options):
    return st.Parts(state_type=Night, sequence=st.SequenceOfPlay((st.Phase("night", watch, rule="SP-1"),)),
                    handlers=(spied,), orders=(GoOn,), events=(Spied,), secret_events=(Spied,),
                    visible=lambda event, side: Spied({"a": "a tank", "b": "a unit"}[side]),
                    view=lambda state, side: {"seen": state.seen})

@st.hookimpl
def ruleset_setup(scenario):
    return Night(), None
'''


@pytest.fixture
def spies(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "spies.py").write_text(SPIES, encoding="utf-8")
    return tmp_path / "rules"


def watched(prepared: Prepared, mode: str = "host") -> Game:
    game = prepared.new_game(make_dice(mode, key_from_seed("w")))
    game.start()
    while not game.is_over:
        game.submit(next(iter(game.waiting()[0].options.values())))
    return game


def bytes_of(prepared: Prepared, game: Game) -> bytes:
    dice: Any = game.dice
    return log_bytes(make_header(prepared, dict.fromkeys("ab", "random"), dice), game)[0]


def test_closed_record_without_the_umpires_opening_is_not_proven(spies: Path) -> None:
    prepared = Rulesets(spies).load("spies").prepare()
    game = watched(prepared)
    data = bytes_of(prepared, game)
    assert verify(parse_log(data, "log"), prepared, deep=True).verdict == "verified"
    number = next(each.n for each in game.records if getattr(each, "event", None) and hasattr(each.event, "what"))
    lines = cut_after(data, len(game.records) - 1).splitlines(keepends=True)
    mine = b'{"kind":"opening","n":%d,"to":"umpire"' % number
    kept = b"".join(line for line in lines if not line.startswith(mine))
    log = parse_log(kept, "log")
    verdict = verify(log, prepared)
    assert (verdict.verdict, verdict.missing) == ("not proven", (f"openings for umpire of record {number}",))

    assert "log.private must be next to the log" in verdict.note
    (spies / "cut.jsonl").write_bytes(kept)
    with pytest.raises(LogClosed, match=rf"record {number} is closed here"):
        resume(spies / "cut.jsonl", Rulesets(spies), key=key_from_seed("w"))

    def another(line: dict[str, Any]) -> None:
        line["root"] = "0" * 64

    verdict = verify(changed(kept, number, another), prepared)
    assert (verdict.verdict, verdict.exit_code) == ("not proven", 5)  # its salt is not known here


def test_edit_cannot_cause_a_die_that_the_key_does_not_give(spies: Path) -> None:
    game = watched(Rulesets(spies).load("spies").prepare(), "open")
    data = bytes_of(Rulesets(spies).load("spies").prepare(), game)
    (spies / "spies.py").write_text(SPIES.replace('"watch", "SP-1"', '"gaze", "SP-1"'), encoding="utf-8")
    edited = Rulesets(spies).load("spies").prepare()
    verdict = verify(parse_log(data, "log"), edited)
    assert (verdict.verdict, verdict.exit_code, verdict.other_files) == ("other ruleset files", 4, True)
    roll = [each for each in game.records if isinstance(each, RollRecord)][-1]
    face = roll.dice[0] % 6 + 1
    log = changed(data, roll.n, lambda line: line.update(dice=[face]))
    found = fault_in(log, edited)
    assert (found.kind, found.record, found.field) == ("altered dice", roll.n, "dice[0]")
    assert found.text == f"record {roll.n}: die 1 of {roll.label} is stored as {face}; the key gives {roll.dice[0]}"
    assert altered_die(parse_log(data, "log"), edited) is None
    log.header = structs.replace(log.header, dice_set={roll.label: (face,)})
    assert altered_die(log, edited) is None  # it was set
    log.header = structs.replace(log.header, dice_set={})
    log.lines[2] = b"{}"
    die = altered_die(log, edited)
    assert die is not None
    assert die.record == roll.n  # the other records need not be readable
