"""Standing orders while a game is played: given, answered, refused, withdrawn, undone, replaced."""

from typing import Any

import pytest
from standing_games import StandingGame, differing_marks, random_game

from sandtable.errors import IllegalOrder, PlayError
from sandtable.journal.standing.force import MAX_ROW
from sandtable.kernel.decisions import PUBLIC, Decision
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord, StandingRecord
from sandtable.plugin.manager import Prepared


def marks(played: StandingGame) -> list[tuple[str, int, str]]:
    """Return seat, standing order and reason of every order that is marked."""
    answers = (each for each in played.game.trail if isinstance(each, OrderRecord))
    return [(each.by, each.standing, each.refused) for each in answers if each.standing]


def test_fixed_answer_is_given_to_the_kind_that_it_names(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    number = begun.give("red", "sail", answer=orders.Sail(1))
    given = begun.answer(begun.game.waiting()[0], orders.Stop())
    assert (given.order, given.standing, given.refused) == (orders.Sail(1), number, "")
    assert marks(begun) == [("red", number, "")]


def test_answer_to_a_question_that_is_not_named_has_no_mark(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    begun.give("red", "losses", "press_on", "sail.blue", "sailing", answer=orders.Sail(1))
    given = begun.answer(begun.game.waiting()[0], orders.Sail(2))
    assert (given.order, given.standing, given.refused) == (orders.Sail(2), 0, "")


def test_standing_order_answers_for_its_seat_only(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    begun.give("red", "sail", answer=orders.Stop())
    begun.answer_until("sail", "green")
    assert begun.standing.answer(begun.game.waiting()[0]) is None
    assert {seat for seat, *_ in marks(begun)} == {"red"}


def test_sealed_and_secret_questions_of_the_kind_are_not_answered(begun: StandingGame, orders: Any) -> None:
    assert begun.game.waiting()[0].secret
    begun.give("red", "sail", answer=orders.Load(3))
    assert begun.answer(begun.game.waiting()[0], orders.Load(5)).order == orders.Load(5)
    while begun.game.waiting()[0].secret:
        begun.answer(begun.game.waiting()[0])
    assert len(begun.game.waiting()) == 3
    begun.give("green", "sail", answer=orders.Steer("north"))
    green = next(each for each in begun.game.waiting() if each.seat == "green")
    given = begun.answer(green, orders.Steer("south"))
    assert (given.order, given.standing) == (orders.Steer("south"), 0)
    assert not marks(begun)


def test_answer_that_is_not_legal_is_refused_and_the_seat_answers(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    number = begun.give("red", "sail", answer=orders.Lose(1))
    decision = begun.game.waiting()[0]
    assert (
        begun.standing.why_asked(decision) == f"standing order {number} does not answer: its answer is not legal here"
    )
    given = begun.answer(decision, orders.Sail(2))
    assert (given.order, given.standing, given.refused) == (orders.Sail(2), number, "illegal")


def test_legality_is_judged_at_each_question(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    begun.give("red", "sail", answer=orders.Sail(3))
    reasons = [begun.answer(begun.game.waiting()[0], orders.Stop()).refused for _ in range(4)]
    assert reasons == ["", "", "", "illegal"], "nine miles of fuel last for three legs"


@pytest.mark.parametrize(("policy", "reason"), [("careful", ""), ("drifter", ""), ("spy", "failed")])
def test_bot_answers_or_fails(begun: StandingGame, policy: str, reason: str) -> None:
    begun.answer_until("sail", "red")
    number = begun.give("red", "sail", policy=policy)
    begun.answer(begun.game.waiting()[0])
    assert marks(begun)[0] == ("red", number, reason)


def test_illegal_choice_of_a_bot_is_refused(begun: StandingGame) -> None:
    begun.answer_until("press_on", "red")
    number = begun.give("red", "press_on", policy="reckless")
    begun.answer(begun.game.waiting()[0])
    assert marks(begun) == [("red", number, "illegal")]


def test_bot_has_a_spectators_view(begun: StandingGame, convoy: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    class Watcher:
        def __init__(self, seat: str, stream: Any, board: Any) -> None:
            self.stream = stream

        def choose(self, decision: Decision, view: View) -> Any:
            seen.append((view.side, view(), self.stream.below(1000)))
            with pytest.raises(PlayError):
                view.simulator(decision)
            return decision.done

    monkeypatch.setitem(convoy.installed.bots.players, "careful", Watcher)
    begun.answer_until("sail", "red")
    begun.give("red", "sail", policy="careful")
    begun.answer(begun.game.waiting()[0])
    ((side, view, _),) = seen
    assert side == PUBLIC
    assert view["cargo"] == 0
    assert getattr(begun.game.state, "cargo")["red"]  # noqa: B009 - the type of the convoy's state is not imported


def test_random_bot_gives_the_same_answer_to_the_same_question(convoy: Prepared) -> None:
    found = []
    for seed in ("a", "b"):
        played = StandingGame(convoy, seed)
        played.answer_until("sail", "red")
        played.give("red", "sail", policy="drifter")
        found.append([played.answer(played.game.waiting()[0]).order for _ in range(2)])
    assert found[0] == found[1]
    assert found[0][0] != found[0][1], "the label has a running number"


def test_narrower_name_has_priority_and_newer_order_replaces_older_one(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    narrow = begun.give("red", "sail.red", answer=orders.Sail(1))
    wide = begun.give("red", "sail", answer=orders.Sail(2))
    assert begun.answer(begun.game.waiting()[0]).standing == narrow
    newer = begun.give("red", "sail.red", answer=orders.Stop())
    assert [each.n for each in begun.standing.of("red")] == [wide, newer]
    with pytest.raises(PlayError, match=f"has no standing order {narrow} in force"):
        begun.take_back("red", narrow)
    assert begun.answer(begun.game.waiting()[0]).order == orders.Stop()


def test_standing_order_ends_after_its_last_turn(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    assert begun.game.state.turn == 1
    number = begun.give("red", "press_on.red", answer=orders.Press(False), until=2)
    begun.finish()
    marked = [begun.questions[each.n].turn for each in begun.game.trail if getattr(each, "standing", 0) == number]
    assert marked == [1, 2]


def test_withdrawn_standing_order_no_longer_answers(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    number = begun.give("red", "sail", answer=orders.Sail(1))
    begun.answer(begun.game.waiting()[0])
    begun.take_back("red", number)
    assert begun.answer(begun.game.waiting()[0], orders.Sail(2)).standing == 0
    assert begun.standing.of("red") == []


def test_undo_of_an_answer_withdraws_its_standing_order(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    number = begun.give("red", "sail", answer=orders.Sail(1))
    begun.answer(begun.game.waiting()[0])
    begun.answer(begun.game.waiting()[0])
    begun.undo("red")
    assert begun.standing.of("red") == [], "otherwise it would give the same answer again"
    assert begun.answer(begun.game.waiting()[0], orders.Sail(3)).standing == 0
    assert [each.standing for each in begun.game.records if isinstance(each, OrderRecord)][-3:] == [number, number, 0]


def test_undo_to_before_a_standing_order_withdraws_it(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    begun.answer(begun.game.waiting()[0], orders.Sail(1))
    begun.give("red", "sail", answer=orders.Sail(1))
    begun.undo("red")
    assert begun.standing.of("red") == []
    assert begun.answer(begun.game.waiting()[0], orders.Sail(2)).standing == 0


def test_undo_to_before_a_withdrawal_restores_the_standing_order(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    number = begun.give("red", "losses", "press_on", answer=orders.Press(False))
    begun.answer(begun.game.waiting()[0], orders.Sail(1))
    begun.take_back("red", number)
    begun.undo("red")
    assert [each.n for each in begun.standing.of("red")] == [number]


def test_undone_refusal_leaves_the_standing_order_in_force(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    number = begun.give("red", "sail", answer=orders.Lose(1))
    begun.answer(begun.game.waiting()[0], orders.Sail(1))
    begun.undo("red")
    assert [each.n for each in begun.standing.of("red")] == [number]


def test_order_that_replaces_an_answer_is_the_umpires(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("sail", "red")
    number = begun.give("red", "sail", answer=orders.Sail(1))
    answered = begun.answer(begun.game.waiting()[0])
    begun.game.amend(answered.n, orders.Sail(3), "it was three miles")
    begun.store()
    replaced = begun.game.trail[-2]
    assert (replaced.order, replaced.standing) == (orders.Sail(3), 0)
    assert begun.answer(begun.game.waiting()[0]).standing == number, "the standing order was not replaced"


def test_endless_answers_stop_after_a_limit_and_the_seat_decides(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("press_on", "red")
    number = begun.give("red", "press_on", answer=orders.Press(True))
    for _ in range(MAX_ROW):
        assert begun.answer(begun.game.waiting()[0]).refused == ""
    assert begun.standing.answer(begun.game.waiting()[0]) is None
    given = begun.answer(begun.game.waiting()[0], orders.Press(True))
    assert (given.standing, given.refused) == (number, "repeats")
    assert begun.answer(begun.game.waiting()[0]).refused == "", "the seat has answered: it may go on"


def test_question_with_options_that_depend_on_secrets_is_not_answered(begun: StandingGame, orders: Any) -> None:
    begun.answer_until("inspect")
    number = begun.give("red", "inspect", answer=orders.Press(False))
    given = begun.answer(begun.game.waiting()[0], orders.Press(False))
    assert (given.standing, given.refused) == (number, "secret")


def test_other_answer_than_that_of_the_standing_order_is_refused(begun: StandingGame, orders: Any) -> None:
    decision = begun.answer_until("sail", "red")
    number = begun.give("red", "sail", answer=orders.Sail(1))
    before = begun.game.number
    with pytest.raises(PlayError, match=f"standing order {number} of red gives another answer"):
        begun.game.submit(orders.Sail(2), "red")
    with pytest.raises(IllegalOrder):
        begun.game.submit(orders.Lose(1), "red")
    assert begun.game.number == before
    assert begun.game.waiting()[0] == decision


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no kind": ({"purposes": ()}, "names 1 to 16 kinds"),
    "too many kinds": ({"purposes": tuple(f"a{number}" for number in range(17))}, "names 1 to 16 kinds"),
    "a seat": ({"purposes": ("red",)}, "red is not a kind"),
    "a long name": ({"purposes": ("a" * 101,)}, "is not a kind"),
    "a slash": ({"purposes": ("a/b",)}, "is not a kind"),
    "no answer": ({"policy": ""}, "either an answer or a bot"),
    "two answers": ({"answer": "Sail"}, "either an answer or a bot"),
    "an unknown bot": ({"policy": "nobody"}, "no bot 'nobody' for red: choose careful, drifter, reckless, spy"),
    "a bot of another package": ({"policy": "os:path"}, "no bot 'os:path'"),
    "a common bot": ({"policy": "random"}, "no bot 'random'"),
    "a negative turn": ({"until": -1}, "at most"),
    "another seat": ({"by": "green"}, "only when it must decide"),
    "the umpire": ({"by": "umpire"}, "only when it must decide"),
    "nothing to take back": ({"purposes": (), "policy": "", "withdraws": 3}, "has no standing order 3"),
    "answers while taking back": ({"withdraws": 3}, "gives no answers"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_standing_order_is_refused(begun: StandingGame, orders: Any, name: str) -> None:
    begun.answer_until("sail", "red")
    change, reason = WRONG[name]
    fields: dict[str, Any] = {"by": "red", "purposes": ("sail",), "policy": "careful"} | change
    if fields.get("answer"):
        fields["answer"] = orders.Sail(1)
    before = begun.game.number
    with pytest.raises(PlayError, match=reason):
        begun.standing.give(StandingRecord(0, **fields))
    assert begun.game.number == before


def test_question_without_a_purpose_cannot_be_named(begun: StandingGame, orders: Any) -> None:
    decision = begun.answer_until()
    while decision.purpose:
        begun.answer(decision)
        decision = begun.answer_until()
    with pytest.raises(PlayError, match="red is not a kind of question"):
        begun.give("red", "red", answer=orders.Press(True))


@pytest.mark.parametrize("seed", range(6))
def test_random_game_has_the_marks_of_a_second_model(convoy: Prepared, orders: Any, seed: int) -> None:
    played = random_game(convoy, f"game {seed}", vars(orders))
    wrong = [*differing_marks(played)]
    assert not wrong
