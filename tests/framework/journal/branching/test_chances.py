"""Outcomes of a roll in words: faces, hits, sums, single dice, and limits of the list."""

from collections.abc import Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.errors import LogError
from sandtable.journal.branching import chances
from sandtable.journal.branching.chances import (
    ChanceRow,
    FaceRow,
    before_roll,
    chance_rows,
    count_of,
    described,
    faces_of_roll,
    faces_told,
    first_roll,
    node_of,
    sentence,
    spans,
)
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.record import Recorded
from sandtable.kernel.decisions import Roll
from sandtable.kernel.events import Event, PhaseBegan
from sandtable.kernel.records import EventRecord, RollRecord, UndoRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.rules.chance.rolls import Chances, RollOutcome
from sandtable.testing.toy import AmbushSprung, FrontMoved, TroopsSpent


@pytest.mark.parametrize(("dice", "sides", "ways"), [(1, 64, (64, 0)), (2, 8, (64, 0)), (1, 65, (65, 1))])
def test_up_to_64_outcomes_are_listed_and_beyond_that_single_dice(
    dice: int, sides: int, ways: tuple[int, int], toy: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[tuple[int, int]] = []

    class _Noted(chances._Fall):
        def rows(self, ways: Sequence[tuple[int, ...]], die: int = 0) -> list[FaceRow]:
            listed.append((len(ways), die))
            return []

    monkeypatch.setattr(chances, "_Fall", _Noted)
    game: Any = SimpleNamespace(pending=Roll(dice, sides, "x"))
    record = RollRecord(1, "x", sides, (1,) * dice)
    assert faces_of_roll(toy, game, [record], record, None) == []
    assert listed == [ways]


def event(number: int, happened: Any) -> EventRecord[Any]:
    return EventRecord(number, happened)


def fronts(*spaces: int) -> list[EventRecord[Any]]:
    return [event(number, FrontMoved(space, "TOY-3")) for number, space in enumerate(spaces, start=1)]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([4], "4"), ([1, 2], "1-2"), ([1, 3], "1 3"), ([1, 2, 3, 5, 7, 8], "1-3 5 7-8"), ([2, 4, 5], "2 4-5")],
)
def test_consecutive_numbers_are_shown_as_ranges(numbers: list[int], text: str) -> None:
    assert spans(numbers) == text


def test_faces_are_named_with_die_and_unit() -> None:
    one = FaceRow(((3,), (1,), (4,)), fell=True, told="")
    assert faces_told(one, ("tank",)) == "1 3-4"
    several = FaceRow(((3, 1), (1, 1)), fell=False, told="")
    assert faces_told(several, ("tank", "gun")) == "2 outcomes, such as 3 1"
    second = FaceRow(((3, 5), (3, 4), (3, 1)), fell=False, told="", die=2)
    assert faces_told(second) == "die 2 1 4-5"
    assert faces_told(second, ("tank",)) == "die 2 1 4-5"
    assert faces_told(second, ("tank", "gun")) == "die 2 (gun) 1 4-5"
    first = FaceRow(((2, 5), (6, 5)), fell=False, told="", die=1)
    assert faces_told(first, ("tank", "gun")) == "die 1 (tank) 2 6"


def test_at_most_three_different_events_are_described(toy: Prepared) -> None:
    assert described(toy, []) == described(toy, [event(1, PhaseBegan("battle"))]) == "nothing happens"
    assert described(toy, fronts(1, 2, 3)) == (
        "The front moves to space 1; The front moves to space 2; The front moves to space 3"
    )
    assert described(toy, fronts(1, 2, 2, 3, 4)).endswith("space 3; and one thing more")
    assert described(toy, fronts(1, 2, 3, 4, 5)).endswith("space 3; and 2 things more")
    assert (count_of(1), count_of(2), count_of(0)) == ("one thing", "2 things", "0 things")


def test_event_without_narration_is_described_by_type_and_fields(toy: Prepared) -> None:
    assert sentence(toy, event(1, AmbushSprung("north"))) == "AmbushSprung: side north"
    assert sentence(toy, event(1, TroopsSpent({"north": 1}, "TOY-2"))) == "TroopsSpent"
    assert sentence(toy, event(1, PhaseBegan("battle"))) == "PhaseBegan: phase battle"
    assert sentence(toy, event(1, FrontMoved(2, "TOY-3"))) == "The front moves to space 2."


def result(
    chance: tuple[int, int], faces: list[tuple[tuple[int, ...], ...]], space: int, asked: str = ""
) -> RollOutcome:
    records = tuple(fronts(space) if space else [] for _ in faces)
    return RollOutcome(Fraction(*chance), tuple(faces), records, asked)  # type: ignore[arg-type]  # records are numbers here


def rows(prepared: Prepared, roll: Roll | None, *results: RollOutcome, samples: int = 0) -> list[tuple[Fraction, str]]:
    found = chance_rows(prepared, Chances(roll, results, samples))
    assert all(isinstance(each, ChanceRow) and each.told for each in found)
    return [(each.chance, each.faces) for each in found]


def test_equal_results_are_merged_and_sorted_by_probability(toy: Prepared) -> None:
    found = chance_rows(
        toy,
        Chances(
            Roll(1, 6, "x"),
            (
                result((1, 6), [((1,),)], 2),
                result((1, 2), [((2,),), ((3,),), ((4,),)], 4),
                result((1, 6), [((5,),)], 2),
                result((1, 6), [((6,),)], 0, "red must decide: go on?"),
            ),
            0,
        ),
    )
    assert found == [
        ChanceRow(Fraction(1, 2), "2-4", "The front moves to space 4"),
        ChanceRow(Fraction(1, 3), "1 5", "The front moves to space 2"),
        ChanceRow(Fraction(1, 6), "6", "red must decide: go on?"),
    ]


def test_one_die_is_named_by_faces_and_several_by_their_sum(toy: Prepared) -> None:
    low, high = result((1, 4), [((1, 1),)], 1), result((3, 4), [((1, 2),), ((2, 1),), ((2, 2),)], 2)
    assert rows(toy, Roll(2, 2, "x"), low, high) == [(Fraction(3, 4), "sum 3-4"), (Fraction(1, 4), "sum 2")]
    mixed = result((1, 2), [((1, 2),), ((2, 2),)], 1), result((1, 2), [((2, 1),), ((1, 1),)], 2)
    assert [faces for _, faces in rows(toy, Roll(2, 2, "x"), *mixed)] == ["", ""]
    assert [faces for _, faces in rows(toy, Roll(2, 2, "x"), low, high, samples=9)] == ["", ""]
    assert [faces for _, faces in rows(toy, None, low, high)] == ["", ""]
    further = result((3, 4), [((1, 2), (6,)), ((2, 1),), ((2, 2),)], 2)
    assert [faces for _, faces in rows(toy, Roll(2, 2, "x"), low, further)] == ["", "sum 2"]


def test_rolls_for_hits_are_named_by_hits(toy: Prepared) -> None:
    needs = Roll(1, 6, "x", needs=(3,))
    hit, miss = result((1, 2), [((1,),), ((2,),), ((3,),)], 1), result((1, 2), [((4,),), ((5,),), ((6,),)], 2)
    assert [faces for _, faces in rows(toy, needs, hit, miss)] == ["hit", "miss"]
    both = Roll(2, 2, "x", needs=(1, 1))
    found = rows(
        toy,
        both,
        result((1, 4), [((2, 2),)], 1),
        result((1, 2), [((1, 2),), ((2, 1),)], 2),
        result((1, 4), [((1, 1),)], 3),
    )
    assert [faces for _, faces in found] == ["1 hit", "0 hits", "2 hits"]
    some = result((3, 4), [((1, 2),), ((2, 1),), ((1, 1),)], 2)
    assert [faces for _, faces in rows(toy, both, some, result((1, 4), [((2, 2),)], 1))] == ["1-2 hits", "0 hits"]


def test_first_roll_skips_undone_rolls_and_rolls_without_dice() -> None:
    rolls = [RollRecord(1, "a", 6, (1,)), RollRecord(2, "b", 6, ()), RollRecord(3, "c", 6, (2,))]
    assert first_roll(rolls, 1) == rolls[0]
    assert first_roll(rolls, 2) == first_roll(rolls, 3) == rolls[2]
    assert first_roll(rolls, 4) is None
    assert first_roll([*rolls, UndoRecord(4, "red", 3)], 2) is None


def test_game_of_a_record_waits_at_the_next_roll(record: Any, rulesets: Rulesets) -> None:
    recorded: Recorded = record(ruleset="toy")
    log = parse_log(recorded.data, "log")
    rolls = [each for each in recorded.game.records if isinstance(each, RollRecord) and each.dice]
    game, roll = node_of(log, rolls[0].n + 1, rulesets)
    assert roll.label == rolls[1].label
    assert isinstance(game.pending, Roll)
    assert game.label_of(game.pending) == roll.label
    assert game.number == roll.n - 1
    with pytest.raises(LogError, match=rf"^log: there is no roll from record {rolls[-1].n + 1} on$"):
        node_of(log, rolls[-1].n + 1, rulesets)


def faces_at(record: Any, toy: Prepared, dice: int) -> list[tuple[RollRecord, list[FaceRow]]]:
    """Return the rolls of ``dice`` dice in two games of the toy, with the results of their faces."""
    found = []
    for log in (parse_log(record(seed, ruleset="toy").data, "log") for seed in "ac"):
        records = read_records(log, toy.ruleset)
        for roll in (each for each in records if isinstance(each, RollRecord) and len(each.dice) == dice):
            game = before_roll(toy, log, records, roll)
            found.append((roll, faces_of_roll(toy, game, records, roll, None)))
    return found


def test_two_dice_are_listed_as_36_outcomes(record: Any, toy: Prepared) -> None:
    """Up to 64 outcomes are listed."""
    found = faces_at(record, toy, 2)
    assert found
    for roll, rows in found:
        assert sorted(faces for row in rows for faces in row.faces) == [(a, b) for a in DIE for b in DIE]
        assert all(row.die == 0 for row in rows)
        assert [roll.dice in row.faces for row in rows] == [row.fell for row in rows]


def test_three_dice_are_listed_singly_if_one_of_them_matters(record: Any, toy: Prepared) -> None:
    """Three dice have 216 outcomes, so the faces of each die are listed; if no die matters, there is one row."""
    kinds = set()
    for roll, rows in faces_at(record, toy, 3):
        mattered = {row.die for row in rows}
        kinds.add(mattered == {0})
        assert len(rows) == 1 or 0 not in mattered
        for row in rows:
            assert row.fell == (roll.dice in row.faces)
            if row.die:
                others = roll.dice[: row.die - 1] + roll.dice[row.die :]
                assert {each[: row.die - 1] + each[row.die :] for each in row.faces} == {others}
        for die in mattered - {0}:
            assert any(not row.fell for row in rows if row.die == die)
            assert sorted(each[die - 1] for row in rows if row.die == die for each in row.faces) == [*DIE]
    assert kinds == {True, False}


DIE = range(1, 7)


def examined(dice: object) -> None:
    """Stand in for a game that is forked: the roll is examined."""
    raise LookupError


def test_roll_with_too_many_faces_is_not_listed(toy_log: Log, toy: Prepared) -> None:
    """At most 240 faces in total are listed."""
    records = read_records(toy_log, toy.ruleset)
    roll = next(each for each in records if isinstance(each, RollRecord))
    for dice, sides in ((1, 240), (40, 6)):
        roll = RollRecord(roll.n, roll.label, sides, (1,) * dice)
        game: Any = SimpleNamespace(pending=Roll(dice, sides, "x"), fork=examined, number=0)
        with pytest.raises(LookupError):
            faces_of_roll(toy, game, records, roll, None)
        game.pending = Roll(dice, sides + 1, "x")
        assert faces_of_roll(toy, game, records, roll, None) == []
    game.pending = None
    assert faces_of_roll(toy, game, records, roll, None) == []


class Struck(Event, frozen=True):
    """Units were struck, with the face of the die."""

    units: list[str]
    die: int = 0
    rule: str = "X-1"


class Fled(Event, frozen=True):
    """Unnamed units fled."""

    number: int = 0
    rule: str = "X-1"


def subject(prepared: Prepared, about: Any) -> chances._Subject:
    return chances._Subject(about, prepared)


def struck(n: int, *units: str) -> EventRecord[Any]:
    return event(n, Struck(list(units)))


def test_subject_event_shares_type_and_most_names(toy: Prepared) -> None:
    about = subject(toy, Struck(["aa", "bb", "cc", "dd", "north"]))  # a side's name is ignored
    assert about.events([struck(1, "aa", "bb"), struck(2, "aa", "bb", "cc"), struck(3, "aa", "bb", "cc", "dd")]) == [
        struck(2, "aa", "bb", "cc")
    ]
    assert about.events([struck(1, "aa", "bb"), event(2, Fled())]) == []
    assert about.describe([]) == "no Struck"
    assert about.describe([struck(1, "aa"), struck(2, "aa")]) == "Struck: die 0"
    nameless = subject(toy, Fled(3))
    assert nameless.events([struck(1, "aa"), event(2, Fled(1)), event(3, Fled(2))]) == [event(2, Fled(1))]
    assert nameless.events([struck(1, "aa")]) == []
    assert nameless.describe([]) == "no Fled"


def test_subject_of_a_roll_is_the_first_two_events_with_its_names(toy: Prepared) -> None:
    about = subject(toy, RollRecord(1, "1/fight/shot:tank/1", 6, (1,), units=("gun",)))
    bookkeeping = event(1, PhaseBegan("tank"))
    known = [bookkeeping, struck(2, "mud"), struck(3, "tank"), struck(4, "gun"), struck(5, "tank")]
    assert about.events(known) == [struck(3, "tank"), struck(4, "gun")]
    assert about.events(known[:2]) == [struck(2, "mud")]  # none has: the first event
    assert about.events([bookkeeping, RollRecord(2, "1/fight/shot:tank/2", 6, (1,))]) == []
    assert about.describe([]) == "nothing happens"


def test_text_of_a_waiting_game_names_its_roll_or_question() -> None:
    game: Any = SimpleNamespace(pending=Roll(1, 6, "loss"), waiting=list)
    assert chances._waits(game) == "another roll follows: loss"
    asked = SimpleNamespace(seat="red", prompt="go on?")
    game = SimpleNamespace(pending=None, waiting=lambda: [asked])
    assert chances._waits(game) == "red must decide: go on?"
    assert chances._waits(SimpleNamespace(pending=None, waiting=list)) == ""  # type: ignore[arg-type]  # as much of a game as is used


class Falling:
    """A game of several consecutive rolls; each ends with or without an event."""

    def __init__(self, rolls: list[Roll], *, discloses: int = 99) -> None:
        self.rolls, self.discloses, self.number = list(rolls), discloses, 5
        self.trail: list[Any] = []
        self.fallen: list[tuple[int, ...]] = []

    @property
    def pending(self) -> Roll | None:
        return self.rolls[0] if self.rolls else None

    def label_of(self, roll: Roll) -> str:
        return roll.purpose

    def resolve_roll(self, faces: tuple[int, ...]) -> None:
        self.fallen.append(faces)
        self.rolls.pop(0)
        if len(self.fallen) >= self.discloses:
            self.trail.append(struck(self.number + len(self.fallen), "tank"))


def test_later_dice_are_as_recorded_until_the_subject_happens(toy: Prepared) -> None:
    rolls = [Roll(1, 6, "aa"), Roll(2, 6, "bb"), Roll(1, 6, "cc")]
    fell: dict[str, tuple[int, ...]] = {"aa": (4,), "bb": (1, 2), "cc": (6,)}
    about = subject(toy, Struck(["tank"]))
    cases: tuple[tuple[int, dict[str, tuple[int, ...]], list[tuple[int, ...]]], ...] = (
        (99, fell, [(4,), (1, 2), (6,)]),
        (2, fell, [(4,), (1, 2)]),
        (99, {**fell, "bb": (1,)}, [(4,)]),  # the recorded roll had a different number of dice
        (99, {"bb": (1, 2)}, []),
    )
    for discloses, known, fallen in cases:
        game: Any = Falling(rolls, discloses=discloses)
        chances._roll_on(game, known, 5, about)
        assert game.fallen == fallen


def test_outcomes_with_the_same_result_share_a_row(toy: Prepared) -> None:
    roll = RollRecord(6, "aa", 6, (2,))
    game: Any = SimpleNamespace(number=5)
    fall = chances._Fall(toy, game, [roll], roll, Struck(["tank"]))

    def rows(*ways: tuple[int, str, Any, Any]) -> list[tuple[tuple[tuple[int, ...], ...], bool, str, int]]:
        outcomes = {(face,): ((face,), text, coarse, fine) for face, text, coarse, fine in ways}
        fall._way = outcomes.get  # type: ignore[method-assign,assignment]  # the outcomes are given
        found = fall.rows([(face,) for face in range(1, 7)], 3)
        return [(row.faces, row.fell, row.told, row.die) for row in found]

    apart = rows((1, "hit by one", "h", "1"), (2, "hit by two", "h", "2"), (3, "miss", "m", "3"))
    assert apart == [(((1,), (2,)), True, "hit by ...", 3), (((3,),), False, "miss", 3)]
    alike = rows((1, "total one", "t", "1"), (2, "total two", "t", "2"), (3, "total one", "t", "1"))
    assert [each[:2] for each in alike] == [(((1,), (3,)), False), (((2,),), True)]
    assert rows() == []
