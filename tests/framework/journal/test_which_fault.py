"""Of several faults in a log, which one is told; faults that fit the chain; what an edit of the rules cannot do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cutting import cut_after
from msgspec import structs
from rechained import changed, fault_in

from sandtable.errors import PlayError, RulesetMissing
from sandtable.journal.file.log import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, log_bytes
from sandtable.journal.verification.edits import altered_die
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.toy import AmbushLaid

Play = Callable[..., Recorded]

SPIES = '''
"""Each turn a die falls, and each side learns a part of what was seen."""

import sandtable as st

class GoOn(st.Order, frozen=True):
    """Nod."""

class Spied(st.Event, frozen=True):
    """Something was seen."""
    what: str
    rule: str = "SP-1"

class Night(st.State, kw_only=True):
    """How much was seen."""
    seen: int = 0

@st.evolves(Spied)
def spied(state, event):
    """Count it."""
    state.seen += 1

def watch(state):
    """Roll, and tell (SP-1)."""
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


@pytest.fixture
def toy(rulesets: Rulesets) -> Prepared:
    return rulesets.load("toy").prepare()


def watched(prepared: Prepared, mode: str = "host") -> Game:
    game = prepared.new_game(make_dice(mode, key_from_seed("w")))
    game.start()
    while not game.is_over:
        game.submit(next(iter(game.waiting()[0].options.values())))
    return game


def bytes_of(prepared: Prepared, game: Game) -> bytes:
    dice: Any = game.dice
    return log_bytes(make_header(prepared, dict.fromkeys("ab", "random"), dice), game)[0]


def test_an_altered_line_is_told_with_what_is_wrong_in_it_and_after_what_is_wrong_before(
    game: Recorded, prepared: Prepared
) -> None:
    taken = game.game.records[4].order.cell
    lines = game.data.splitlines(keepends=True)
    number = next(each.n for each in game.game.records[5:] if isinstance(each, OrderRecord))
    cell = b'"cell":%d' % game.game.records[number - 1].order.cell
    lines[number] = lines[number].replace(cell, b'"cell":%d' % taken)
    found = fault_in(parse_log(b"".join(lines), "log"), prepared)
    assert (found.kind, found.record, found.field) == ("altered record", number, "hash")
    start = f"log: line {number + 1}: record {number} was altered: its hash does not fit its text"
    assert found.text.startswith(f"{start}; record {number}: the order of ")

    def spoil(line: dict[str, Any]) -> None:
        line["order" if "order" in line else "event"]["cell"] = 9

    for first, kind in ((5, "illegal order"), (6, "altered record")):
        log = changed(game.data, first, spoil)
        assert fault_in(log, prepared).record == first
        rows = log.data.splitlines(keepends=True)
        rows[number + 2] = rows[number + 2].replace(b'"hash":"', b'"hash":"0')[:-4] + b'"}\n'
        log = parse_log(b"".join(rows), "log")
        assert log.broken == number + 2
        found = fault_in(log, prepared)  # where rules diverge they may have been edited; a hash has no part in that
        assert (found.kind, found.record) == (kind, first if kind == "illegal order" else number + 2)
        assert ";" not in found.text or kind == "illegal order"


def test_an_opening_that_is_not_committed_to_is_told_with_its_record(record: Play, toy: Prepared) -> None:
    data = record(ruleset="toy").data
    number, to = next(key for key in parse_log(data, "log").openings if key[0])
    old = parse_log(data, "log").openings[number, to]
    forged = parse_log(data.replace(old, old.replace(b'"space":', b'"space":1')), "log")
    assert forged.misfit == (number, to)
    found = fault_in(forged, toy)
    assert (found.kind, found.record, found.field) == ("altered record", number, f"opening for {to}")
    told = f"record {number}: the opening of record {number} for {to} was altered: it is not what the chain commits to"
    assert found.text == told


def test_an_opening_that_is_committed_to_and_says_something_else_is_found(record: Play, toy: Prepared) -> None:
    """A forger with time makes opening, commitment and chain anew: the rules still make another event."""
    recorded = record(ruleset="toy")
    number = next(each.n for each in recorded.game.records if isinstance(getattr(each, "event", None), AmbushLaid))
    event = recorded.game.records[number - 1].event

    def other_space(line: dict[str, Any]) -> None:
        line["opened"][event.side]["event"]["space"] = event.space % 5 + 1

    found = fault_in(changed(recorded.data, number, other_space), toy)
    assert (found.kind, found.record, found.field, found.rule) == ("rules diverge", number, "event.space", "TOY-1")
    assert (found.stored, found.expected) == (str(event.space % 5 + 1), str(event.space))

    def other_salt(line: dict[str, Any]) -> None:
        line["opened"][event.side]["salt"] = "0" * 32

    found = fault_in(changed(recorded.data, number, other_salt), toy)
    assert (found.kind, found.record, found.field) == ("rules diverge", number, f"opening for {event.side}.salt")


def test_where_the_umpire_holds_the_whole_the_part_of_a_side_may_be_closed(spies: Path) -> None:
    prepared = Rulesets(spies).load("spies").prepare()
    game = watched(prepared)
    data = bytes_of(prepared, game)
    assert verify(parse_log(data, "log"), prepared, deep=True).verdict == "verified"
    number = next(each.n for each in game.records if getattr(each, "event", None) and hasattr(each.event, "what"))
    lines = cut_after(data, len(game.records) - 1).splitlines(keepends=True)
    mine = b'{"kind":"opening","n":%d,"to":"a"' % number
    kept = b"".join(line for line in lines if not line.startswith(mine))
    log = parse_log(kept, "log")
    assert verify(log, prepared).verdict == "file ends early", verify(log, prepared).first_difference

    def one_more(line: dict[str, Any]) -> None:
        line["sealed"]["c"] = "0" * 64

    found = fault_in(changed(kept, number, one_more), prepared)
    assert (found.kind, found.record) == ("rules diverge", number)

    def another(line: dict[str, Any]) -> None:
        line["sealed"]["a"] = "0" * 64

    assert fault_in(changed(kept, number, another), prepared).kind == "file ends early"  # its salt is not known here
    found = fault_in(changed(b"".join(lines), number, lambda line: line["opened"]["b"].update(event=None)), prepared)
    assert (found.kind, found.record) == ("rules diverge", number)


def test_a_question_that_was_not_asked_is_found_though_no_key_is_known(
    record: Play, prepared: Prepared, toy: Prepared
) -> None:
    """Without secrets nothing blinds the digest of a question; where something does, the label must be right."""
    for ruleset, rules, old, new in (("tictactoe", prepared, "#", "#0"), ("toy", toy, "/1#", "/2#")):
        recorded = record("a", "host", ruleset)
        number = next(each.n for each in recorded.game.records[4:] if isinstance(each, OrderRecord))
        part = cut_after(recorded.data, number + 3)
        assert verify(parse_log(part, "log"), rules).verdict == "file ends early"

        def other(line: dict[str, Any], old: str = old, new: str = new) -> None:
            for fields in (line, *line.get("opened", {}).values()):
                if "asked" in fields:
                    fields["asked"] = fields["asked"].replace(old, new)

        found = fault_in(changed(part, number, other), rules)
        assert (found.kind, found.record, found.field) == ("other question", number, "asked")


def test_rules_that_refuse_to_begin_are_told_of_the_first_record(
    game: Recorded, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(error: Exception, _: Game) -> None:
        raise error

    log = parse_log(game.data, "log")
    monkeypatch.setattr(Game, "start", lambda game: refuse(PlayError("no map"), game))
    found = fault_in(log, prepared)
    assert (found.kind, found.record, found.text) == ("rules diverge", 1, "record 1: no map")
    monkeypatch.setattr(Game, "start", lambda game: refuse(RulesetMissing("no module"), game))
    assert verify(log, prepared).verdict == "ruleset missing"
    records = read_records(log, prepared.ruleset)
    with pytest.raises(RulesetMissing):
        Rerun(prepared, log, records, dice_of(log, records)).run()


def test_a_die_that_the_key_does_not_give_is_no_edits_doing(spies: Path) -> None:
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
    log.lines[2] = b"{}"
    assert altered_die(log, edited) is None  # nothing can be read
