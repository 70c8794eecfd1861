"""Logs with standing orders: verified by two programs, sliced, cut, resumed, ruled on and branched."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cutting import cut_after, questions_in
from rechained import rechained, tables_of
from signed_games import fixed_key
from standing_games import StandingGame, a_game, fault, numbers, random_game

from sandtable.errors import LogError
from sandtable.hosting.ruling import Ruling, make_ruling
from sandtable.hosting.taking_up import Seating
from sandtable.journal.branching.branch import branch, original
from sandtable.journal.branching.changes import Changes
from sandtable.journal.file.reading import parse_log, read_log, split_log
from sandtable.journal.fold import fold_log, read_records
from sandtable.journal.format.limits import MAX_STANDING
from sandtable.journal.record import log_bytes
from sandtable.journal.resume import resume
from sandtable.journal.sides.side_log import SideLog
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.standing.answers import StandingOrders
from sandtable.journal.verification.stored import dice_of
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.records import OrderRecord, StandingRecord
from sandtable.players.players import first_order, seat_players
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.viewer.narrate import narrate

SPECIMENS = Path(__file__).parents[3] / "specimens"
KEYS = tuple(fixed_key(seat) for seat in ("red", "green", "blue"))


@pytest.mark.parametrize("mode", ["open", "host", "shared"])
def test_game_with_standing_orders_is_verified(convoy: Prepared, orders: Any, mode: str) -> None:
    played = a_game(convoy, orders, mode=mode)
    data = played.finish()
    marks = {(each.standing > 0, each.refused) for each in played.game.records if isinstance(each, OrderRecord)}
    assert {(False, ""), (True, ""), (True, "illegal")} <= marks
    verdict = verify(parse_log(data, "log"), convoy, deep=True)
    assert verdict.verdict == "verified", verdict.text


@pytest.mark.full
@pytest.mark.parametrize("keys", [(), KEYS])
def test_independent_verifier_accepts_random_games(
    convoy: Prepared, orders: Any, node: Callable[[bytes], str], keys: Any
) -> None:
    for seed in range(8):
        data = random_game(convoy, f"node {seed}", vars(orders), keys=keys, mode=("open", "shared")[seed % 2]).log()
        assert fault(data, convoy) is None
        assert node(data) == ""


# --- slices and unfinished games ---


def test_slice_is_judged_by_its_marks_without_running_the_rules(convoy: Prepared, finished: bytes) -> None:
    log = parse_log(finished, "log")
    for side in ("red", "green", "blue", "public"):
        cut = slice_log(log, convoy, side)
        verdict = verify(parse_log(cut, "slice"), convoy, side=side)
        assert verdict.exit_code == 0, verdict.text
        assert verdict.closed, "the rules cannot be run past a closed order"
        lines = [line for line in tables_of(cut) if line["kind"] != "annex"]
        fired = numbers(lines, lambda line: "standing" in line and "refused" not in line)
        assert fired == numbers(tables_of(finished), lambda line: "standing" in line and "refused" not in line)
        bare = {key: value for key, value in lines[fired[-1]].items() if key != "standing"}
        found = fault(rechained([*lines[: fired[-1]], bare, *lines[fired[-1] + 1 :]]), convoy, side)
        assert found is not None
        assert (found.kind, found.record) == ("standing", fired[-1])


def test_side_log_finds_questions_behind_standing_orders(convoy: Prepared, orders: Any) -> None:
    played = a_game(convoy, orders)
    data = played.log()
    side = SideLog(parse_log(slice_log(parse_log(data, "log"), convoy, "green"), "slice"), convoy, "green")
    given = [each.n for each in played.game.records if isinstance(each, StandingRecord)]
    assert all(side.is_asked(number - 1) for number in given)


def test_log_that_ends_at_any_question_is_verified_so_far(convoy: Prepared, finished: bytes) -> None:
    for number in questions_in(finished):
        verdict = verify(parse_log(cut_after(finished, number), "log"), convoy)
        is_over = number == len(tables_of(finished)) - 1
        assert verdict.verdict == ("verified" if is_over else "verified so far"), verdict.text


def test_resumed_game_answers_by_its_standing_orders(convoy: Prepared, orders: Any, tmp_path: Path) -> None:
    played = a_game(convoy, orders)
    path = tmp_path / "game.jsonl"
    path.write_bytes(played.log())
    resumed = resume(path, Rulesets(SPECIMENS))
    asked: list[str] = []

    class Asked:
        def choose(self, decision: Any, view: Any) -> Any:
            asked.append(decision.purpose)
            return decision.done or played.sampled(decision)

    with resumed.writer:
        game = resumed.game
        game.play(dict.fromkeys(convoy.ruleset.seats, Asked()), lambda: resumed.hands.store(game))
    later = [each for each in game.records[played.game.number :] if isinstance(each, OrderRecord)]
    by_bot = [each.by for each in later if each.standing and not each.refused]
    assert by_bot.count("green") >= 2
    assert len(asked) == len(later) - len(by_bot)
    assert verify(read_log(path), convoy).verdict == "verified"


def test_bot_gets_no_question_that_a_standing_order_answered(convoy: Prepared, tmp_path: Path) -> None:
    """A random bot draws from its stream for its own answers only, so a resumed game continues as the whole one."""

    def played_on(game: Any, players: Any, hands: Any) -> None:
        number = game.number
        game.play(players, lambda: hands.store(game))
        assert game.number > number

    played = StandingGame(convoy, "a")
    players = seat_players(convoy, played.header.players, key_from_seed("a"))
    while played.game.waiting()[0].secret:
        decision = played.game.waiting()[0]
        played.answer(decision, players[decision.seat].choose(decision, played.game.seat_view(decision.side)))
    for seat in ("red", "green"):
        played.give(seat, "sail", policy="drifter")
    played_on(played.game, players, played.hands)
    whole = played.log()
    path = tmp_path / "game.jsonl"
    for number in questions_in(whole)[6::7]:
        path.write_bytes(cut_after(whole, number))
        seating = Seating(played.header.players, {}, b"")
        resumed = resume(path, Rulesets(SPECIMENS), before=seating.seat)
        with resumed.writer:
            played_on(resumed.game, seating.seated, resumed.hands)
        assert parse_log(path.read_bytes(), "log").chain == parse_log(whole, "log").chain


def test_file_with_too_many_standing_orders_is_refused_before_it_is_read() -> None:
    line = b'{"kind":"standing","n":1,"by":"red"}\n'
    with pytest.raises(LogError) as few:
        split_log(line * MAX_STANDING, "a")
    with pytest.raises(LogError, match="more than 1,000 standing orders"):
        split_log(line * (MAX_STANDING + 1), "a")
    assert "1,000" not in str(few.value)


# --- rulings, branches, readers ---


@pytest.mark.parametrize("first", ["before", "after"])
def test_ruling_repeats_later_answers_only_if_their_standing_order_counts(
    convoy: Prepared, orders: Any, tmp_path: Path, first: str
) -> None:
    played = StandingGame(convoy, "a")
    played.answer_until("sail", "red")
    if first == "before":
        played.give("red", "sail", answer=orders.Sail(1))
        played.give("red", "sail", answer=orders.Sail(2))
    replaced = played.answer(played.game.waiting()[0], orders.Sail(2)).n
    if first == "after":
        played.give("red", "sail", answer=orders.Sail(2))
    played.answer(played.game.waiting()[0])
    path = tmp_path / "game.jsonl"
    path.write_bytes(played.log())
    resumed = resume(path, Rulesets(SPECIMENS))
    with resumed.writer:
        words: dict[str, Any] = {"event": None, "reason": "x", "disputed": 0, "claim": "", "rule": ""}
        ruling = Ruling(amends=replaced, order='{"type":"Sail","miles":1}', keeps_later=True, **words)
        ruled = make_ruling(resumed, ruling, None)
    assert (ruled.later, ruled.kept) == (1, 1 if first == "before" else 0)
    standing = resumed.game.standing
    assert isinstance(standing, StandingOrders)
    assert len(standing.of("red")) == (first == "before")
    assert verify(read_log(path), convoy).verdict == "verified so far"


def test_fold_and_story_know_standing_orders(convoy: Prepared, orders: Any) -> None:
    played = a_game(convoy, orders)
    log = parse_log(played.log(), "log")
    assert convoy.digest(fold_log(log, convoy)) == convoy.digest(played.game.state)
    told = "\n".join(narrate(played.game.records, lambda _: None))
    assert "Red gives standing order" in told
    assert "questions of the kind sail and press on.green are answered by the bot drifter" in told
    assert " until turn 2" in told
    assert "of red answers." in told
    assert "of red does not answer: its answer is not legal here." in told
    assert "Green takes back standing order" in told


def test_branch_has_no_marks_and_is_verified(convoy: Prepared, orders: Any) -> None:
    played = StandingGame(convoy, "a")
    played.answer_until("sail", "red")
    played.give("red", "sail", answer=orders.Sail(3))
    played.answer(played.game.waiting()[0])
    fired = played.answer(played.game.waiting()[0])
    log = parse_log(played.finish(), "log")
    records = read_records(log, convoy.ruleset)
    of = original(convoy, log, records, dice_of(log, records))
    made = branch(
        of, Changes(orders={fired.n: orders.Sail(1)}), lambda _, decision: decision.done or first_order(decision)
    )
    assert not [each for each in made.game.records if getattr(each, "standing", 0)]
    data, _ = log_bytes(made.header, made.game)
    assert fault(data, convoy) is None
