"""Hidden steps run on a copy and make a fixed number of records; groups of events call each event's handler."""

from collections.abc import Iterable
from typing import Any

import pytest

from sandtable.errors import RulesetError, RulesetLoops
from sandtable.kernel.decisions import Roll
from sandtable.kernel.events import Event, EventGroup
from sandtable.kernel.handlers import evolves, reacts
from sandtable.kernel.play import watchdog
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.kernel.sequence import HiddenStep, Procedure
from sandtable.testing import LoadedDice
from sandtable.testing.scratch import Said, Say, Whispered, ask, said, scratch_game


class Whispers(EventGroup, frozen=True):
    happened: list[Whispered]
    rule: str = "X-6"


def told(happened: list[Event]) -> Iterable[Event]:
    yield Whispers([each for each in happened if isinstance(each, Whispered)])
    yield from (each for each in happened if isinstance(each, Said))


def whisper(*words: str) -> Any:
    def step(state: Any) -> Procedure:
        for word in words:
            yield Whispered("red", word)
        return len(state.said)

    return step


def game_of(step: Any, tell: Any = told, **facts: Any) -> Game:
    def play(_: Any) -> Procedure:
        yield Said("before")
        count = yield HiddenStep(step, tell)
        yield Said(f"{count} by then")
        yield ask("red", "end")

    return scratch_game(play, events=(Whispers,), **facts)


def records_of(game: Game) -> list[Event]:
    return [each.event for each in game.records if isinstance(each, EventRecord)]


@pytest.mark.parametrize("words", [(), ("a",), ("a", "b", "c")])
def test_hidden_step_makes_a_fixed_number_of_records(words: tuple[str, ...]) -> None:
    game = game_of(whisper(*words))
    assert said(game) == ["before", *words, f"{1 + len(words)} by then"]
    made = [each for each in records_of(game) if isinstance(each, Whispers)]
    assert made == [Whispers([Whispered("red", word) for word in words])]


def test_hidden_step_changes_the_state_only_by_reported_events() -> None:
    game = game_of(whisper("lost"), lambda _: [Said("nothing to see")])
    assert said(game) == ["before", "nothing to see", "2 by then"]


def test_replaced_handler_is_called_within_an_event_group() -> None:
    @evolves(Whispered)
    def variant(state: Any, event: Whispered) -> None:
        state.said.append(event.word.upper())

    assert said(game_of(whisper("a", "b"), functions=(variant,))) == ["before", "A", "B", "3 by then"]


def test_variant_may_replace_the_handler_of_a_group() -> None:
    @evolves(Whispers)
    def variant(state: Any, event: Whispers) -> None:
        state.said.append(f"{len(event.happened)} whispers")

    assert said(game_of(whisper("a", "b"), functions=(variant,))) == ["before", "2 whispers", "3 by then"]


def test_reactions_run_within_a_hidden_step() -> None:
    @reacts(Whispered)
    def answer(_: Any, event: Whispered) -> Procedure:
        if event.word != "hush":
            yield Whispered("red", "hush")

    assert said(game_of(whisper("a", "b"), functions=(answer,))) == ["before", "a", "hush", "b", "hush", "5 by then"]


def test_hidden_step_runs_nested_procedures() -> None:
    def inner() -> Procedure:
        yield Whispered("red", "inner")
        return "done"

    def step(_: Any) -> Procedure:
        result = yield inner()
        yield Whispered("red", result)

    assert said(game_of(step))[:3] == ["before", "inner", "done"]


def test_hidden_step_records_rolls_before_its_events() -> None:
    def step(_: Any) -> Procedure:
        (face,) = yield Roll(1, 6, "luck", "X-7", side="red")
        yield Whispered("red", f"a {face}")

    game = game_of(step, dice=LoadedDice((4,)))
    assert said(game)[1] == "a 4"
    kinds = [type(each) for each in game.records]
    place = kinds.index(RollRecord)
    assert [each.n for each in game.records] == list(range(1, len(kinds) + 1))
    assert isinstance(game.records[place + 1].event, Whispers)


def test_question_in_a_hidden_step_is_refused() -> None:
    def step(_: Any) -> Procedure:
        yield ask("red", "end")

    with pytest.raises(RulesetError, match=r"^step yielded Decision.*: a hidden step cannot ask a question"):
        game_of(step)


def test_endless_hidden_step_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "RUN", 100)

    def step(_: Any) -> Procedure:
        while True:
            yield Whispered("red", "again")

    with pytest.raises(RulesetLoops, match="scratch: the hidden step step does not end after 100 actions"):
        game_of(step)


def test_undo_and_fork_of_a_hidden_step_give_the_same_state() -> None:
    game = game_of(whisper("a", "b"))
    before = said(game)
    twin = game.fork()
    assert said(twin) == before
    game.submit(Say("end"))
    game.undo()
    assert said(game) == before
