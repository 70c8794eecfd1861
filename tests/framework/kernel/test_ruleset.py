"""Rulesets: seats, viewers, the views of spectators, and defaults."""

from typing import Any

import pytest

from sandtable.errors import PlayError, RulesetError
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.events import Event
from sandtable.kernel.handlers import reacts
from sandtable.kernel.play.game import Game
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Phase, Procedure, SequenceOfPlay
from sandtable.testing import tictactoe
from sandtable.testing.checks.bench import installed_from
from sandtable.testing.scratch import Said, ScratchState, Shown, Whispered, ask, note, scratch_game, scratch_rules


def quiet(_: Any) -> Procedure:
    yield from ()


def test_ruleset_lists_seats_and_viewers() -> None:
    rules = scratch_rules(quiet, sides=("axis", "allies", "umpire"), powers={"dak": "axis", "italy": "axis"})
    assert dict(rules.seats) == {"dak": "axis", "italy": "axis", "allies": "allies", "umpire": "umpire"}
    assert [rules.side_of(seat) for seat in ("dak", "allies", "umpire", "nobody")] == [
        "axis",
        "allies",
        "umpire",
        "nobody",
    ]
    assert rules.viewers == ("axis", "allies")
    assert scratch_rules(quiet, sides=("ussr", "umpire", "axis")).viewers == ("ussr", "axis")


def test_rules_without_secrets_show_a_copy_of_the_state() -> None:
    rules = Ruleset(
        "plain", "1", ("red",), ScratchState, SequenceOfPlay((Phase("quiet", quiet),)), (note,), (), (Said,)
    )
    with pytest.raises(RulesetError, match="the event Shown has no handler"):
        Ruleset("plain", "1", ("red",), ScratchState, rules.sequence, (), (), (Shown,))
    assert (rules.hidden, rules.secret_events, rules.reveals, rules.undeclared) == (False, (), (), ())
    assert (dict(rules.powers), dict(rules.seats)) == ({}, {"red": "red", "umpire": "umpire"})
    assert rules.visible(Said("x"), "red") == Said("x")
    assert rules.shows_all
    state = ScratchState(said=["a"])
    seen = rules.view(state, "red")
    assert seen == state
    seen.said.append("b")
    assert state.said == ["a"]


def step(_: Any) -> Procedure:
    yield Whispered("red", "flank")
    yield ask("red", "go")


def seen_by_sides(of: dict[str, Event | None]) -> Game:
    """Return a game in which each side sees the part ``of`` of a secret event; the umpire sees it in full."""
    return scratch_game(
        step,
        secret_events=(Whispered,),
        visible=lambda event, viewer: of.get(viewer, event),
        view=lambda state, viewer: {"viewer": viewer, "said": list(state.said)},
    )


LESS, LEAST = Whispered("red", "something"), Whispered("", "")
WHOLE = Whispered("red", "flank")


def test_each_viewer_has_a_view() -> None:
    game = seen_by_sides({})
    assert {viewer: game.view(viewer)["viewer"] for viewer in ("red", "blue", UMPIRE, PUBLIC)} == {
        viewer: viewer for viewer in ("red", "blue", UMPIRE, PUBLIC)
    }


@pytest.mark.parametrize("viewer", ["nobody", "", "Red", "PUBLIC", "spectator"])
def test_unknown_viewer_is_refused(viewer: str) -> None:
    for game in (seen_by_sides({}), scratch_game(step)):
        with pytest.raises(PlayError, match=f"scratch has no viewer {viewer!r}: choose .*public, red, umpire"):
            game.view(viewer)
        with pytest.raises(PlayError, match="has no viewer"):
            game.ruleset.visible(WHOLE, viewer)


@pytest.mark.parametrize(
    ("of", "public"),
    [
        ({"red": WHOLE, "blue": WHOLE}, WHOLE),
        ({"red": WHOLE, "blue": LESS}, LESS),
        ({"red": WHOLE, "blue": None}, None),
        ({"red": LESS, "blue": LESS}, LESS),
        ({"red": None, "blue": None}, None),
        ({"red": LESS, "blue": LEAST}, None),
        ({"red": LESS, "blue": None}, None),
    ],
)
def test_spectators_see_the_part_of_an_event_that_all_sides_share(
    of: dict[str, Event | None], public: Event | None
) -> None:
    ruleset = seen_by_sides(of).ruleset
    assert ruleset.visible(WHOLE, PUBLIC) == public
    assert ruleset.visible(WHOLE, UMPIRE) == WHOLE
    assert ruleset.visible(WHOLE, "red") == of["red"]
    assert ruleset.visible(Said("open"), PUBLIC) == Said("open")


def test_view_of_an_open_game_is_a_copy_for_spectators() -> None:
    game = installed_from(tictactoe).prepare().new_game(KeyedDice(bytes(32)))
    seen = game.view(PUBLIC)
    assert seen == game.state
    seen.turn = 7
    assert game.state.turn != 7


@pytest.mark.parametrize("facts", [{"sides": ("red", PUBLIC)}, {"powers": {PUBLIC: "red"}}])
def test_side_or_power_named_public_is_refused(facts: dict[str, Any]) -> None:
    with pytest.raises(RulesetError, match="'public' is reserved for the spectators"):
        scratch_game(step, **facts)


def test_rules_list_all_orders_and_events_and_the_last_event() -> None:
    @reacts(Said)
    def echo(_: Any, event: Said) -> Procedure:
        yield from ()

    rules = scratch_rules(quiet, functions=(echo,))
    assert [each.__name__ for each in rules.all_orders] == ["EnterDice", "Say"]
    assert [each.__name__ for each in rules.all_events[:5]] == [
        "TurnBegan",
        "PhaseBegan",
        "PhaseEnded",
        "GameEnded",
        "Said",
    ]
    assert not rules.shows_all
    assert (dict(rules.upcasts), rules.undeclared) == ({}, ())
