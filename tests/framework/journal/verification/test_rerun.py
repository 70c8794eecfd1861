"""Reruns end where the log ends, and name the first difference."""

import gc
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cutting import cut_after, writes_in

from sandtable.errors import LogDamaged, RulesetLoops
from sandtable.journal.explain import explain
from sandtable.journal.fields import differences
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.luck.logs import read_ledger
from sandtable.journal.record import log_bytes
from sandtable.journal.resume import resume
from sandtable.journal.verification.rerun import Rerun, RerunObserver, named
from sandtable.journal.verification.verdicts import MAX_SHOWN, Difference, Verdict
from sandtable.journal.verification.verify import is_same, verify
from sandtable.kernel.decisions import Decision, EnterDice, Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play import watchdog
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord, UndoRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.tictactoe import Marked

DUEL = '''
"""Two seconds draw lots until one has more; then, at every turn, a duellist says what he does."""

from pathlib import Path
import sandtable as st

class Stand(st.Order, frozen=True):
    """Stand, or step back."""
    firm: bool

class Drawn(st.Event, frozen=True):
    """Lots were drawn."""
    red: int
    blue: int
    rule: str = "DU-1"

class Stood(st.Event, frozen=True):
    """He stood, or not."""
    firm: bool
    rule: str = "DU-2"

class Ground(st.State, kw_only=True):
    """How often somebody stood."""
    stood: int = 0

@st.evolves(Drawn)
def drawn(state, event):
    """Nothing."""

@st.evolves(Stood)
def stood(state, event):
    """Count it."""
    state.stood += event.firm

def draw(state):
    """Draw lots until they differ (DU-1)."""
    while True:
        (red,) = yield st.Roll(1, 2, "lot:red", "DU-1")
        (blue,) = yield st.Roll(1, 2, "lot:blue", "DU-1")
        yield Drawn(red, blue)
        if red != blue:
            return

def face(state):
    """Ask each in turn (DU-2)."""
    for side in ("red", "blue"):
        order = yield st.Decision(side, "stand?", st.OneOf([Stand(True), Stand(False)], "DU-2"), "DU-2")
        yield Stood(order.firm)
    if state.turn == 4:
        yield st.GameEnded("draw", "dusk", "DU-2")

@st.hookimpl
def ruleset_manifest():
    return st.Manifest(id="duel", title="Duel", version="1", edition="-", designer="-", sides=("red", "blue"),
                       board="none", endings=("dusk",), stage="complete")

@st.hookimpl
def ruleset_scenarios():
    return {}

@st.hookimpl
def ruleset_parts(options):
    return st.Parts(state_type=Ground, sequence=st.SequenceOfPlay((st.Phase("lots", draw, rule="DU-1"),
                    st.Phase("facing", face, rule="DU-2"))), handlers=(drawn, stood), orders=(Stand,),
                    events=(Drawn, Stood))

@st.hookimpl
def ruleset_setup(scenario):
    return Ground(), None
'''


class Chooser:
    """A player that orders at random and enters random dice."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, decision: Decision, view: View) -> Order:
        order: Order = decision.options.sample(self.stream)
        return order


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "duel.py").write_text(DUEL, encoding="utf-8")
    return tmp_path


@pytest.fixture
def rulesets(folder: Path) -> Rulesets:
    return Rulesets(folder)


@pytest.fixture
def duel(rulesets: Rulesets) -> Prepared:
    return rulesets.load("duel").prepare()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """Return a list to which every rerun game is added."""
    games: list[Game] = []
    original = Prepared.new_game

    def noted(self: Prepared, dice: Any) -> Game:
        games.append(original(self, dice))
        return games[-1]

    monkeypatch.setattr(Prepared, "new_game", noted)
    monkeypatch.setattr(watchdog, "RUN", 5_000)  # an endless rerun should fail early
    return games


def played(prepared: Prepared, mode: str, seed: str = "draws") -> tuple[bytes, Game]:
    """Return a complete log and its game; this seed causes ties."""
    dice = make_dice(mode, key_from_seed(seed))
    game = prepared.new_game(dice)
    seats = prepared.ruleset.seats
    game.play({seat: Chooser(Stream.for_player(dice.key, seat)) for seat in seats})
    assert sum(isinstance(record, RollRecord) for record in game.records) > 8
    return log_bytes(make_header(prepared, dict.fromkeys(seats, "random"), dice), game)[0], game


def cut(data: bytes, records: int) -> Log:
    return parse_log(cut_after(data, records), "cut")


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_verify_of_a_cut_log_makes_no_further_records(mode: str, duel: Prepared, made: list[Game]) -> None:
    data, whole = played(duel, mode)
    for records in range(len(whole.records)):
        made.clear()
        verdict = verify(cut(data, records), duel, deep=True)
        assert (verdict.verdict, verdict.exit_code) == ("verified so far", 0), verdict.first_difference
        assert made
        for game in made:
            assert list(game.records) == whole.records[:records]


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_note_shows_whether_the_last_order_is_complete(mode: str, duel: Prepared) -> None:
    data, whole = played(duel, mode)
    kinds = [type(record).__name__ for record in whole.records]
    asked = [place for place, kind in enumerate(kinds) if kind == "OrderRecord"]
    for records in range(len(kinds)):
        note = verify(cut(data, records), duel).note
        assert ("in the middle of the consequences" in note) == (records not in asked)


@pytest.mark.full
@pytest.mark.parametrize("mode", ["host", "manual"])
def test_luck_and_explain_of_a_cut_log_make_no_further_records(
    mode: str, duel: Prepared, rulesets: Rulesets, tmp_path: Path, made: list[Game]
) -> None:
    data, whole = played(duel, mode)
    for records in range(1, len(whole.records)):
        log = cut(data, records)
        (tmp_path / "cut.jsonl").write_bytes(log.data)
        made.clear()
        ledger = read_ledger(tmp_path / "cut.jsonl", rulesets)
        assert len(ledger.entries) == sum(isinstance(each, RollRecord) for each in whole.records[:records])
        assert explain(log, records, rulesets).record == records
        assert len(made) == 2
        assert all(list(game.records) == whole.records[:records] for game in made)


def forged(data: bytes, change: Callable[[bytes], bytes]) -> Log:
    bodies = [change(parted(line)[0]) for line in data.splitlines()]
    return parse_log(chain(bodies, START)[0], "forged")


def kind_of(verdict: Verdict) -> str:
    assert verdict.verdict == "false"
    assert verdict.first_difference is not None
    return verdict.first_difference.kind


def text_of(verdict: Verdict) -> str:
    assert verdict.first_difference is not None
    return verdict.first_difference.text


def test_impossible_stored_die_is_named_without_a_key(duel: Prepared, made: list[Game]) -> None:
    data, whole = played(duel, "host")
    roll = next(record for record in whole.records if isinstance(record, RollRecord))
    made.clear()
    label = b'"label":"%b"' % roll.label.encode()
    log = cut(data, 20)
    old = b'"dice":[%d]' % roll.dice[0]
    for new, kind, text in (
        (b'"dice":[7]', "altered dice", "one of its dice shows 7"),
        (b'"dice":[0]', "altered dice", "one of its dice shows 0"),
        (
            b'"dice":[1,1]',
            "rules diverge",
            f"the rules roll 1d2 for lot:red here; the log has the roll {roll.label}, 2d2",
        ),
    ):
        change = partial(replaced_where, label, old, new)
        verdict = verify(forged(log.data, change), duel)
        assert kind_of(verdict) == kind
        assert text in text_of(verdict)
    assert all(len(game.records) < roll.n for game in made)


def replaced_where(mark: bytes, old: bytes, new: bytes, body: bytes) -> bytes:
    return body.replace(old, new) if mark in body else body


def test_missing_roll_is_a_difference(duel: Prepared) -> None:
    data, whole = played(duel, "host")
    first = next(record.n for record in whole.records if isinstance(record, RollRecord))
    bodies = [parted(line)[0] for line in data.splitlines()][:20]
    kept = [*bodies[:first], *bodies[first + 1 :]]
    numbered = [re.sub(rb'"n":\d+', b'"n":%d' % place, body, count=1) for place, body in enumerate(kept)]
    verdict = verify(parse_log(chain(numbered, START)[0], "log"), duel)
    assert kind_of(verdict) == "rules diverge"
    assert "the rules roll 1d2 for lot:red here; the log has the roll 1/lots/lot:blue/1" in text_of(verdict)


@pytest.mark.parametrize("mode", ["open", "host"])
def test_fast_check_ends_where_the_game_differs_from_the_log(mode: str, duel: Prepared, made: list[Game]) -> None:
    data, whole = played(duel, mode)
    first = next(record.n for record in whole.records if isinstance(record, OrderRecord))
    bodies = [parted(line)[0] for line in data.splitlines()]
    made.clear()
    assert not is_same(parse_log(chain([*bodies[:first], *bodies[first + 1 :]], START)[0], "log"), duel)
    assert [len(game.records) for game in made] == [first - 1]


def test_endless_rules_are_stopped_and_reported(folder: Path, made: list[Game]) -> None:
    prepared = Rulesets(folder).load("duel").prepare()
    data, _ = played(prepared, "open")
    looping = DUEL.replace("        if red != blue:\n            return\n", "")
    (folder / "duel.py").write_text(looping, encoding="utf-8")
    edited = Rulesets(folder).load("duel").prepare()
    made.clear()
    log = parse_log(data, "log")
    verdict = verify(log, edited)
    assert verdict.verdict == "other ruleset files"
    assert made
    assert all(len(game.records) <= log.records + 2 * 5_000 for game in made)
    with pytest.raises(RulesetLoops, match="in draw < walk"):
        edited.new_game(make_dice("open", key_from_seed("x"))).start()


def test_procedures_are_explained_after_an_undo(duel: Prepared, rulesets: Rulesets) -> None:
    dice = make_dice("open", key_from_seed("u"))
    game = duel.new_game(dice)
    game.start()
    order = next(iter(game.waiting()[0].options.values()))
    for _ in range(2):
        game.submit(order)
        game.undo()
    game.submit(order)
    log = parse_log(log_bytes(make_header(duel, {}, dice), game)[0], "log")
    verdict = verify(log, duel, deep=True)
    assert verdict.verdict == "verified so far", verdict.first_difference
    found = explain(log, log.records, rulesets)
    assert [frame.procedure for frame in found.procedures] == ["face"]


def test_altered_entry_of_manual_dice_is_found(duel: Prepared) -> None:
    """An unfinished log of manual dice is rerun from the umpire's entries."""
    data, whole = played(duel, "manual")
    entered = next(record for record in whole.records if isinstance(getattr(record, "order", None), EnterDice))
    other = 3 - entered.order.dice[0]
    old, new = (b'"dice":[%d]' % face for face in (entered.order.dice[0], other))
    order = b'{"kind":"order","n":%d,' % entered.n
    log = forged(cut(data, 20).data, partial(replaced_where, order, old, new))
    verdict = verify(log, duel)
    assert (kind_of(verdict), verdict.exit_code) == ("altered dice", 1)


def test_resume_with_another_key_is_refused(duel: Prepared, rulesets: Rulesets, tmp_path: Path) -> None:
    data, _ = played(duel, "host")
    (tmp_path / "cut.jsonl").write_bytes(b"".join(writes_in(data)[:4]))
    with pytest.raises(LogDamaged, match="the key does not match the commitment"):
        resume(tmp_path / "cut.jsonl", rulesets, key=bytes(32))


def test_values_in_a_difference_are_shortened() -> None:
    long = "x" * 5000
    found = Difference("rules diverge", 1, long, long, long, long, long)
    for value in (found.field, found.stored, found.expected, found.rule):
        assert value == "x" * 2000 + "… (5,000 characters)"
    assert MAX_SHOWN == 2000
    assert len(found.text) < 2100
    assert str(Difference("anchor", 1, "it differs", edited="edited")) == "edited: it differs"
    assert str(Difference("anchor", 1, "it differs")) == "it differs"


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ({"x": 1}, {"x": 1}, []),
        ({"x": 1}, {"x": True}, [("x", "1", "true")]),
        ({"x": {"y": [1, 2]}}, {"x": {"y": [1, 3]}}, [("x.y[1]", "2", "3")]),
        ({"x": [1]}, {"x": [1, 2]}, [("x", "[1]", "[1,2]")]),
        ({"x": 1}, {"y": None}, [("x", "1", "nothing"), ("y", "nothing", "null")]),
        ([(1, "a")], [[1, "b"]], [("[0][1]", '"a"', '"b"')]),
        ("a", "b", [("", '"a"', '"b"')]),
    ],
)
def test_differences_of_two_values_are_named_by_path(a: Any, b: Any, found: list[Any]) -> None:
    assert list(differences(a, b)) == found
    assert list(differences(a, b, "at")) == [
        (f"at{'' if not path or path[0] == '[' else '.'}{path}", one, other) for path, one, other in found
    ]


def test_records_are_named_by_kind_and_type() -> None:
    assert named(EventRecord(1, Marked("x", 1))) == "the event Marked"
    assert named(RollRecord(1, "1/a/b/1", 6, (1,))) == "the roll 1/a/b/1"
    assert named(SealRecord(1, "00")) == "the seal"
    assert named(UndoRecord(1, "x", 1)) == "the undo"


def test_fields_after_a_hash_are_compared() -> None:
    one, other = {"hash": "a", "by": "x", "dice": [1, 2]}, {"hash": "b", "by": "x", "dice": [1, 3]}
    assert list(differences(one, other)) == [("dice[1]", "2", "3")]


def test_rerun_of_a_verified_log_is_freed_at_once(duel: Prepared) -> None:
    log = parse_log(played(duel, "open")[0], "log")
    gc.collect()
    gc.disable()
    try:
        assert verify(log, duel, watch=RerunObserver()).verdict == "verified"
        assert not [each for each in gc.get_objects() if isinstance(each, Rerun)]
    finally:
        gc.enable()
