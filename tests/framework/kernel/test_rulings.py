"""Rulings of the umpire: an event outside the rules, at an activation's start, in the open."""

from typing import Any

import pytest

from sandtable.errors import PlayError, SandtableError
from sandtable.kernel.decisions import Sealed
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.handlers import evolves, reacts
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord, RulingRecord
from sandtable.kernel.sequence import Phase, Procedure
from sandtable.testing.scratch import Said, Say, Shown, ask, said, scratch_game


def activation(_: Any) -> Procedure:
    """Take one word of red; "pass" ends the phase."""
    order: Say = yield ask("red", "attack", "march", "pass", done=Say("pass"))
    yield Said(order.word)
    return order.word == "pass"


@reacts(Said)
def heckle(_: Any, event: Said) -> Procedure:
    if event.word == "attack":
        order: Say = yield ask("blue", "fire", "hold")
        yield Shown(order.word)


def plots(_: Any) -> Procedure:
    yield Sealed((ask("red", "left", "right"), ask("blue", "left", "right")))


def campaign() -> Game:
    return scratch_game(Phase("activation", activation, repeats=True), Phase("plots", plots), functions=(heckle,))


def test_a_ruling_makes_an_event_happen_and_asks_afresh() -> None:
    game = campaign()
    game.rule(Said("rain"), "we forgot the rain")
    assert said(game) == ["rain"]
    assert game.records[-1] == RulingRecord(3, "umpire", "we forgot the rain", Said("rain"))
    assert game.waiting()[0].seat == "red"
    game.submit(Say("march"))
    assert said(game) == ["rain", "march"]


def test_a_ruling_waits_for_the_start_of_an_activation() -> None:
    game = campaign()
    game.submit(Say("attack"))
    with pytest.raises(PlayError, match="a ruling waits for the start of an activation"):
        game.rule(Said("rain"), "now")
    game.submit(Say("hold"), "blue")
    game.rule(Said("rain"), "now")
    assert said(game) == ["attack", "hold", "rain"]


def test_a_ruling_is_possible_again_after_undo_and_in_a_fork() -> None:
    game = campaign()
    game.submit(Say("march"))
    game.undo()
    game.submit(Say("march"))
    twin = game.fork()
    for table in (game, twin):
        table.rule(Said("rain"), "now")
        table.submit(Say("march"))
        table.rule(Said("more rain"), "again")
        assert said(table) == ["march", "rain", "march", "more rain"]


def test_a_ruling_with_a_sealed_plot_on_the_table_is_refused() -> None:
    game = campaign()
    game.submit(Say("pass"))
    game.rule(Said("rain"), "in time")
    game.submit(Say("left"), "red")
    with pytest.raises(PlayError, match="start of an activation"):
        game.rule(Said("rain"), "too late")


def test_a_ruling_must_be_an_event_of_the_game() -> None:
    class Strange(Event, frozen=True):
        rule: str = "X-5"

    with pytest.raises(PlayError, match="Strange is no event of scratch"):
        campaign().rule(Strange(), "why not")


def test_forks_and_undo_after_a_ruling_stand_on_it() -> None:
    game = campaign()
    game.submit(Say("march"))
    game.rule(Said("rain"), "now")
    game.submit(Say("march"))
    twin = game.fork()
    twin.submit(Say("pass"))
    assert said(twin) == ["march", "rain", "march", "pass"]
    game.undo()
    assert said(game) == ["march", "rain"]


def test_a_ruling_can_end_the_game() -> None:
    game = campaign()
    game.rule(GameEnded("red", "agreed"), "blue has gone home")
    assert game.is_over
    assert game.waiting() == ()
    assert isinstance(game.records[-1], CloseRecord)


@evolves(Shown)
def careless(state: Any, event: Shown) -> None:
    state.said.append(event.word)
    if event.word == "nonsense":
        raise KeyError(event.word)


def test_a_ruling_that_fails_changes_nothing() -> None:
    game = scratch_game(Phase("activation", activation, repeats=True), functions=(careless,))
    before = game.ruleset.codec.digest(game.state)
    with pytest.raises(SandtableError):
        game.rule(Shown("nonsense"), "by mistake")
    assert game.ruleset.codec.digest(game.state) == before
