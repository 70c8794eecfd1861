"""The question that an order answered: its label, its digest, and their form in the log."""

import gc
from hashlib import sha256
from typing import Any

import pytest
from specimens import Talker

from sandtable.errors import RulesetError
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import GameEnded, TurnBegan
from sandtable.kernel.handlers import reacts
from sandtable.kernel.options import Range
from sandtable.kernel.questions import AnsweredQuestion, label_of, place_of, settled, text_of
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, ask, said, scratch_game

ASKED = Decision("axis", "march?", Range(1, 6), "X-7", power="italy")
TOLD = b'["3/move/march/2","italy","X-7",["Range",1,6]]'
"""The JSON that is hashed: label, seat, rule, outline of the options."""


def test_question_is_logged_by_label_and_sixteen_digits() -> None:
    asked = AnsweredQuestion(3, "move/march", 2, ASKED)
    assert label_of(asked) == "3/move/march/2"
    assert text_of(asked) == f"3/move/march/2#{sha256(TOLD).hexdigest()[:16]}"
    assert text_of(asked, b"salt") == f"3/move/march/2#{sha256(b'salt' + TOLD).hexdigest()[:16]}"
    assert place_of(asked) == place_of(text_of(asked)) == "move/march"


def test_label_between_two_phases_has_a_dash() -> None:
    asked = AnsweredQuestion(3, "/red", 1, ASKED)
    assert label_of(asked) == "3/-/red/1"
    assert text_of(asked).startswith("3/-/red/1#")
    assert place_of(asked) == place_of(text_of(asked)) == "/red"
    assert label_of(AnsweredQuestion(3, ".dawn/red", 1, ASKED)) == "3/.dawn/red/1"  # a phase may have this name


def test_questions_with_equal_texts_are_equal() -> None:
    one, same = (AnsweredQuestion(3, "move/march", 2, ASKED) for _ in range(2))
    assert one == same == text_of(one)
    assert hash(one) == hash(same)
    for other in (
        AnsweredQuestion(4, "move/march", 2, ASKED),
        AnsweredQuestion(3, "move/halt", 2, ASKED),
        AnsweredQuestion(3, "move/march", 1, ASKED),
        AnsweredQuestion(3, "move/march", 2, Decision("axis", "march?", Range(1, 5), "X-7", power="italy")),
        "3/move/march/2",
    ):
        assert one != other
    assert not gc.is_tracked(one)


def test_settled_replaces_only_a_question_with_its_text() -> None:
    asked: Any = AnsweredQuestion(3, "move/march", 2, ASKED)
    record = settled(OrderRecord(7, "italy", Say("go"), asked=asked))
    assert (record.n, type(record.asked), record.asked) == (7, str, text_of(asked))
    assert settled(record) is record
    assert settled("a line") == "a line"
    assert (record.missing, record.secret) == (0, False)


@pytest.mark.parametrize("purpose", ["two words", "#1"])
def test_question_with_invalid_purpose_is_refused(purpose: str) -> None:
    with pytest.raises(RulesetError, match=rf"^'move/{purpose}' is not a valid purpose of a question"):
        label_of(AnsweredQuestion(1, f"move/{purpose}", 1, ASKED))


@reacts(TurnBegan)
def omens(_: Any, event: TurnBegan) -> Procedure:
    yield ask("blue", "good", "bad", purpose="omen")


def march(state: Any) -> Procedure:
    for power in ("dak", "italy", ""):
        order: Say = yield ask("red", "go", "halt", power=power, secret=power == "italy")
        yield Said(f"{power or 'red'} {order.word}")
    for _ in range(2):
        yield ask("blue", "go", purpose="pursuit")
    if state.turn == 2:
        yield GameEnded("red", "time", "X-9")


def asked(record: OrderRecord[Any]) -> Any:
    return record.asked


def test_questions_are_counted_by_turn_phase_and_purpose() -> None:
    expected = []
    for after in (None, lambda: None):
        game = scratch_game(march, functions=(omens,), powers={"dak": "red", "italy": "red"})
        blue = Talker(*["good", "go", "go"] * 2)
        game.play({"dak": Talker("go", "go", "go", "go"), "italy": Talker("halt", "halt"), "blue": blue}, after)
        orders = [record for record in game.records if isinstance(record, OrderRecord)]
        expected.append([(each.by, each.secret, label_of(asked(each)), text_of(asked(each))) for each in orders])
        assert said(game) == ["dak go", "italy halt", "red go"] * 2  # red's own question goes to the first power
    assert expected[0] == expected[1]
    assert [each[:3] for each in expected[0]] == [
        (by, by == "italy", label.format(turn))
        for turn in (1, 2)
        for by, label in (
            ("blue", "{}/-/omen/1"),
            ("dak", "{}/march/dak/1"),
            ("italy", "{}/march/italy/1"),
            ("red", "{}/march/red/1"),
            ("blue", "{}/march/pursuit/1"),
            ("blue", "{}/march/pursuit/2"),
        )
    ]


def test_question_of_a_pending_decision_matches_the_record() -> None:
    game = scratch_game(march, functions=(omens,), powers={"dak": "red", "italy": "red"})
    while not game.is_over:
        (decision,) = game.waiting()
        question = game.question_of(decision)
        game.submit(decision.options.sample(Stream(b"")))
        given = [record for record in game.records if isinstance(record, OrderRecord)][-1]
        assert (given.by, given.asked) == (decision.seat, text_of(question))
