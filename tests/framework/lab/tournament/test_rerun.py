"""Replayed games of a tournament, and the findings of verification."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tournaments import HEAP, RULESETS, TEXT, base_of, stage_of

from sandtable.errors import DataError
from sandtable.journal.file.reading import parse_log
from sandtable.journal.verification.verify import verify
from sandtable.lab.tournament.rerun import Wrong, play_again, stored_log, wrong_games, wrong_with
from sandtable.lab.tournament.running import other_rules
from sandtable.lab.tournament.store import Store
from sandtable.plugin.manager import Rulesets

Play = Callable[..., Store]
CRASH = HEAP.replace('player = "random"', 'player = "crasher"', 1)
SWISS = TEXT.replace("games = 6", 'schedule = "swiss"\nrounds = 3\ngames = 2')


def text_of(wrong: Wrong | None) -> str:
    """Return the text of a problem."""
    assert wrong is not None
    return wrong.text


@pytest.mark.full
@pytest.mark.parametrize("text", [TEXT, HEAP, CRASH, SWISS])
def test_every_rerun_game_is_the_same(text: str, play: Play, rulesets: Rulesets) -> None:
    store, stage = play(text), stage_of(text, rulesets)
    for number in sorted(store.numbers()):
        rerun = play_again(store, stage, number)
        assert rerun.is_same, rerun.differences
        assert rerun.now.log == stored_log(store, stage, number)


@pytest.mark.parametrize("text", [TEXT, HEAP, CRASH, SWISS])
def test_intact_store_verifies(text: str, play: Play, rulesets: Rulesets) -> None:
    store, stage = play(text), stage_of(text, rulesets)
    assert not list(wrong_games(store, stage))
    assert not [wrong for number in sorted(store.numbers()) if (wrong := wrong_with(store, stage, number))]


def test_unfinished_store_verifies(play: Play, rulesets: Rulesets) -> None:
    store = play()
    store.drop(range(9, 36))
    assert not list(wrong_games(store, stage_of(TEXT, rulesets)))


def test_stored_log_verifies(play: Play, rulesets: Rulesets) -> None:
    store, stage = play(), stage_of(TEXT, rulesets)
    assert verify(parse_log(stored_log(store, stage, 5), "x"), stage.prepared[0], deep=True).verdict == "verified"


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("head", "0" * 64, "the row has 0000"),
        ("outcome", "nobody", "nobody was None|does not end with"),
        ("winner", "stubborn", "the row has stubborn"),
        ("ending", "boredom", "does not end with boredom"),
        ("shares", '{"red":900,"blue":100}', "the log has the shares {}"),
        ("records", 3, "the row has 3"),
    ],
)
def test_altered_row_is_found(column: str, value: object, problem: str, play: Play, rulesets: Rulesets) -> None:
    store, stage = play(), stage_of(TEXT, rulesets)
    with base_of(store.folder) as base:
        base.execute(f"update games set {column} = ? where number = 0", (value,))  # noqa: S608 - a test's own words
    rerun = play_again(store, stage, 0)
    assert not rerun.is_same
    assert rerun.differences
    with pytest.raises(AssertionError, match=problem):
        raise AssertionError(text_of(wrong_with(store, stage, 0)))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"outcome": "bee", "winner": "b", "shares": ""}, "ant forfeited it, the row has forfeit and bee"),
        ({"shares": '{"ant":400,"bee":400,"cat":200}'}, "ant forfeited it, the row has forfeit and draw"),
        ({"ending": "last_stone"}, "ant forfeited it, the row has last_stone and draw"),
        ({"verdicts": '{"a":"crash","b":"time"}'}, "ant and bee forfeited it: only one side can"),
        ({"verdicts": ""}, "verified so far"),
    ],
)
def test_altered_forfeit_is_found(changes: dict[str, str], problem: str, play: Play, rulesets: Rulesets) -> None:
    store, stage = play(CRASH), stage_of(CRASH, rulesets)
    assert not wrong_with(store, stage, 0)
    with base_of(store.folder) as base:
        for column, value in changes.items():
            base.execute(f"update games set {column} = ? where number = 0", (value,))  # noqa: S608 - a test's own words
    assert problem in text_of(wrong_with(store, stage, 0))


def test_forfeit_of_a_finished_game_is_found(play: Play, rulesets: Rulesets) -> None:
    store, stage = play(), stage_of(TEXT, rulesets)
    loser = next(iter(set(store.game(0)[0].lineup.values()) - {store.game(0)[1].winner}))
    with base_of(store.folder) as base:
        base.execute("update games set verdicts = ? where number = 0", (f'{{"{loser}":"time"}}',))
    assert "its log reaches the end of the game, but the row states that" in text_of(wrong_with(store, stage, 0))


FULL = TEXT.replace("games = 6", 'logs = "full"\ngames = 6')


@pytest.mark.parametrize(("text", "by_rules"), [(TEXT, True), (FULL, False)])
def test_problem_is_marked_if_changed_rules_may_cause_it(
    text: str, by_rules: bool, play: Play, rulesets: Rulesets
) -> None:
    """A log that is recomputed from its orders may differ with other rules. A log that was stored in full may not."""
    store, stage = play(text), stage_of(text, rulesets)
    with base_of(store.folder) as base:
        base.execute("update games set head = ? where number = 0", ("0" * 64,))
    wrong = wrong_with(store, stage, 0)
    assert wrong is not None
    assert wrong.by_rules == by_rules
    assert other_rules(store, stage) == ""


@pytest.mark.parametrize("text", [TEXT, FULL])
def test_edited_rules_are_reported_with_old_and_new_version(
    text: str, play: Play, rulesets: Rulesets, tmp_path: Path
) -> None:
    store = play(text)
    shutil.copytree(RULESETS, tmp_path / "edited")
    file = tmp_path / "edited" / "skirmish.py"
    file.write_text(file.read_text().replace('"guns": 3', '"guns": 4'))
    stage = stage_of(text, Rulesets(tmp_path / "edited"))
    assert re.fullmatch(
        r"rules differ from those it was played with: skirmish: was version 1, files \w+, is version 1, files \w+: "
        "this may cause the differences",
        other_rules(store, stage),
    )
    wrong = [found for number in store.numbers() if (found := wrong_with(store, stage, number))]
    assert wrong
    assert all(each.by_rules for each in wrong)
    store.note("surroundings", store.fact("surroundings").replace("framework", "bot: bot.py"))
    assert "framework: was nothing, is version" in other_rules(store, stage)


@pytest.mark.parametrize(("column", "value"), [("seed", "'m/9'"), ("lineup", """'{"red":"blind","blue":"bold"}'""")])
def test_altered_plan_is_found(column: str, value: str, play: Play, rulesets: Rulesets) -> None:
    store, stage = play(), stage_of(TEXT, rulesets)
    with base_of(store.folder) as base:
        base.execute(f"update games set {column} = {value} where number = 0")  # noqa: S608 - a test's own words
    assert [wrong.partition(":")[0] for wrong in wrong_games(store, stage)] == ["game 0"]


def test_surplus_game_is_found(play: Play, rulesets: Rulesets) -> None:
    store, stage = play(), stage_of(TEXT, rulesets)
    with base_of(store.folder) as base:
        base.execute("update games set number = 77 where number = 35")
    assert list(wrong_games(store, stage)) == ["game 77: the manifest defines no such game"]


def test_exchanged_logs_are_found(play: Play, rulesets: Rulesets) -> None:
    store, stage = play(), stage_of(TEXT, rulesets)
    with base_of(store.folder) as base:
        base.execute("update logs set number = 99 where number = 0")
        base.execute("update logs set number = 0 where number = 8")
    assert "game 0" in text_of(wrong_with(store, stage, 0))
    assert "its log is missing" in text_of(wrong_with(store, stage, 8))


def test_number_that_is_not_stored_is_refused(play: Play, rulesets: Rulesets) -> None:
    with pytest.raises(DataError, match="game 36: is not stored"):
        play_again(play(), stage_of(TEXT, rulesets), 36)
