"""Handlers and reactions: one handler per event, reactions in source order."""

from types import ModuleType
from typing import Any

import pytest

from sandtable.errors import RulesetError
from sandtable.kernel.decisions import Roll
from sandtable.kernel.events import KERNEL_EVENTS, Event, GameEnded, TurnBegan
from sandtable.kernel.handlers import Special, compile_table, evolves, functions_of, reacts
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.kernel.sequence import HiddenStep, Phase, Procedure
from sandtable.testing import LoadedDice
from sandtable.testing.scratch import Said, Say, Shown, Whispered, ask, note, said, scratch_game


class Shot(Event, frozen=True):
    number: int
    rule: str = "X-5"


@evolves(Shot)
def shot(state: Any, event: Shot) -> None:
    state.said.append(f"shot {event.number}")


def speak(_: Any) -> Procedure:
    yield Said("move")
    yield Said("move on")
    yield ask("red", "end")


def test_every_event_of_the_kernel_has_its_handler() -> None:
    table = compile_table([], [])
    assert set(table) == set(KERNEL_EVENTS)
    assert [event for event in table if table[event].special is not None] == [GameEnded]


def test_an_event_without_handler_is_refused_by_name() -> None:
    unhandled: list[type[Event]] = [Shot, Said]
    for count in (1, 2):
        with pytest.raises(RulesetError, match=r"the event Shot has no handler: write one with @evolves\(Shot\)"):
            compile_table([], unhandled[:count])


def test_the_later_handler_replaces_the_earlier() -> None:
    @evolves(Shot)
    def variant(state: Any, event: Shot) -> None:
        state.said.append("missed")

    def fire(_: Any) -> Procedure:
        yield Shot(1)
        yield ask("red", "end")

    game = scratch_game(fire, functions=(shot, variant), events=(Shot,))
    assert said(game) == ["missed"]


def test_handler_of_a_kernel_event_can_be_replaced() -> None:
    @evolves(TurnBegan)
    def double_time(state: Any, event: TurnBegan) -> None:
        state.turn = event.turn * 2

    assert scratch_game(speak, functions=(double_time,)).state.turn == 2


def test_marked_functions_are_found_in_order_without_imports() -> None:
    module = ModuleType("rules")
    source = (
        "from sandtable.kernel.handlers import evolves, reacts\n"
        "from sandtable.testing.scratch import Said, Shown, note\n"
        "@reacts(Said)\ndef second(state, event): yield\n"
        "@evolves(Shown)\ndef first(state, event): pass\n"
        "def unmarked(state, event): pass\n"
    )
    exec(source, vars(module))  # noqa: S102 - a module made on the spot
    module.second.__module__ = module.first.__module__ = "rules"
    assert [function.__name__ for function in functions_of([module])] == ["second", "first"]


def test_reactions_run_after_their_event_in_order() -> None:
    def reaction(name: str) -> Any:
        @reacts(Said)
        def react(state: Any, event: Said) -> Procedure:
            if event.word.startswith("move"):
                yield Shown(f"{name} saw {event.word}")

        return react

    game = scratch_game(speak, functions=(reaction("first"), reaction("second")))
    assert said(game) == [
        "move",
        "first saw move",
        "second saw move",
        "move on",
        "first saw move on",
        "second saw move on",
    ]


def test_reaction_may_ask_and_roll_within_another_procedure() -> None:
    @reacts(Said)
    def opportunity_fire(state: Any, event: Said) -> Procedure:
        if event.word == "move":
            order: Say = yield ask("blue", "fire", "hold")
            if order.word == "fire":
                (die,) = yield Roll(1, 6, "fire", "X-6")
                yield Shot(die)

    with LoadedDice((4,)) as dice:
        game = scratch_game(speak, functions=(shot, opportunity_fire), events=(Shot,), dice=dice)
        assert game.waiting()[0].side == "blue"
        assert [name for name, _ in game.procedures()][-2:] == ["speak", "opportunity_fire"]
        game.submit(Say("fire"))
    assert said(game) == ["move", "shot 4", "move on"]
    assert [type(record) for record in game.records[3:5]] == [OrderRecord, RollRecord]
    assert game.waiting()[0].side == "red"


def test_a_reaction_to_a_reaction_comes_before_the_next_reaction() -> None:
    @reacts(Said)
    def first(state: Any, event: Said) -> Procedure:
        if event.word == "move":
            yield Shot(1)

    @reacts(Said)
    def second(state: Any, event: Said) -> Procedure:
        if event.word == "move":
            yield Shown("second")

    @reacts(Shot)
    def smoke(state: Any, event: Shot) -> Procedure:
        yield Shown("smoke")

    game = scratch_game(speak, functions=(shot, first, second, smoke), events=(Shot,))
    assert said(game) == ["move", "shot 1", "smoke", "second", "move on"]


def test_a_reaction_to_the_beginning_of_a_turn_runs_before_its_first_phase() -> None:
    @reacts(TurnBegan)
    def weather(state: Any, event: TurnBegan) -> Procedure:
        yield Said(f"rain in {state.phase or 'no phase'}")

    game = scratch_game(Phase("speak", speak), functions=(weather,))
    assert said(game)[0] == "rain in no phase"


def test_secret_events_may_have_reactions() -> None:
    @reacts(Whispered)
    def echo(state: Any, event: Whispered) -> Procedure:
        yield Said(f"echo {event.word}")

    def whisper(_: Any) -> Procedure:
        yield Whispered("red", "now")
        yield ask("red", "end")

    game = scratch_game(whisper, functions=(echo,))
    assert said(game) == ["now", "echo now"]
    assert isinstance(game.records[2].event, game.ruleset.secret_events)
    assert not isinstance(game.records[3].event, game.ruleset.secret_events)


def test_result_of_a_reaction_is_discarded() -> None:
    got: list[object] = []

    @reacts(Said)
    def first(state: Any, event: Said) -> Procedure:
        yield Shown("first")
        return True

    @reacts(Said)
    def second(state: Any, event: Said) -> Procedure:
        yield Shown("second")
        return True

    def listen(_: Any) -> Procedure:
        got.append((yield Said("move")))
        yield ask("red", "end")

    scratch_game(listen, functions=(first, second))
    assert got == [None]


def test_no_label_is_ever_used_twice() -> None:
    @reacts(TurnBegan)
    def weather(state: Any, event: TurnBegan) -> Procedure:
        yield Roll(1, 6, "luck", "X-6")

    def luck(state: Any) -> Procedure:
        yield Roll(1, 6, "luck", "X-6")
        if state.turn == 3:
            yield GameEnded("draw", "time", "X-9")

    def quiet(_: Any) -> Procedure:
        yield from ()

    game = scratch_game(Phase("quiet", quiet), Phase("luck", luck), functions=(weather,))
    labels = [record.label for record in game.records if isinstance(record, RollRecord)]
    assert len(labels) == len(set(labels)) == 6


class Heard(Event, frozen=True):
    word: str
    rule: str = "X-4"


@evolves(Heard)
def heard(state: Any, event: Heard) -> None:
    state.said.append(f"heard {event.word}")


def reaction(name: str) -> Any:
    @reacts(Said, Whispered)
    def react(_: Any, event: Any) -> Procedure:
        if len(event.word) < 2:
            yield Heard(f"{name} {event.word}")

    return react


def test_reactions_in_a_hidden_step_run_in_order() -> None:
    def step(_: Any) -> Procedure:
        yield Whispered("red", "a")
        yield Whispered("red", "b")
        return "done"

    def play(_: Any) -> Procedure:
        answer = yield HiddenStep(step, lambda happened: happened)
        yield Said(f"{answer} and told")
        yield ask("red", "end")

    plain = [each for word in "ab" for each in (word, f"heard one {word}", f"heard two {word}")]
    expected: list[str] = []

    def tell(happened: list[Event]) -> list[Event]:
        expected.extend(getattr(each, "word", "") for each in happened)
        return [Shown(str(len(happened)))]

    def quietly(_: Any) -> Procedure:
        yield HiddenStep(step, tell)
        yield ask("red", "end")

    facts: dict[str, Any] = {"functions": (heard, reaction("one"), reaction("two")), "events": (Heard,)}
    assert said(scratch_game(quietly, **facts)) == ["6"]
    assert expected == [each.removeprefix("heard ") for each in plain]
    game = scratch_game(play, functions=(heard,), events=(Heard,))
    assert said(game) == ["a", "b", "done and told"]


def test_dispatch_table_marks_special_events() -> None:
    react = reaction("one")
    table = compile_table([note, heard, react], [Said, Whispered, Shown, Heard], (Shown, Said))
    assert table[Heard].special is None
    assert table[Said].special == Special((react,), False, True)
    assert table[Whispered].special == Special((react,), False, False)
    assert table[Shown].special == Special((), False, True)
    assert Special((), True).undeclared is False
