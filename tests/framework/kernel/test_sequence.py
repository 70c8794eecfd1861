"""The sequence of play: phases in their printed order, turns, repeated phases, boundaries."""

from typing import Any

import pytest

from sandtable.errors import RulesetError
from sandtable.kernel.events import GameEnded, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import EventRecord, SealRecord
from sandtable.kernel.sequence import Phase, PlayerTurn, Procedure, SequenceOfPlay
from sandtable.testing.scratch import Said, Say, ask, scratch_game


def quiet(_: Any) -> Procedure:
    yield from ()


def ends_after(turns: int) -> Phase:
    def end(state: Any) -> Procedure:
        if state.turn == turns:
            yield GameEnded("draw", "time", "X-9")

    return Phase("end", end)


def told(game: Any) -> list[str]:
    """Return the frame of the game as text."""
    found = []
    for record in game.records:
        match record:
            case EventRecord(event=TurnBegan(turn=turn)):
                found.append(f"turn {turn}")
            case EventRecord(event=PhaseBegan(phase=phase)):
                found.append(phase)
            case EventRecord(event=Said(word=word)):
                found.append(f"'{word}'")
            case SealRecord():
                found.append("seal")
    return found


def test_setup_is_played_once_and_before_turn_one() -> None:
    game = scratch_game(Phase("move", quiet), ends_after(2), setup=(Phase("deploy", quiet),))
    assert told(game) == ["deploy", "seal", "turn 1", "move", "seal", "end", "seal", "turn 2", "move", "seal", "end"]
    assert game.is_over


def test_phases_of_a_player_turn_have_its_name_and_side() -> None:
    german = PlayerTurn("german", "red", (Phase("move", quiet, rule="X-4"), Phase("fight", quiet, power="luftwaffe")))
    game = scratch_game(german, ends_after(1))
    began = [record.event for record in game.records if isinstance(getattr(record, "event", None), PhaseBegan)]
    assert began[:2] == [
        PhaseBegan("german.move", "red", "", "X-4"),
        PhaseBegan("german.fight", "red", "luftwaffe", ""),
    ]
    assert [step.name for step in game.ruleset.sequence.steps] == ["german.move", "german.fight", "end"]


def test_phase_with_a_side_keeps_it_within_a_player_turn() -> None:
    sequence = SequenceOfPlay((PlayerTurn("german", "red", (Phase("react", quiet, side="blue"),), power="dak"),))
    assert (sequence.steps[0].side, sequence.steps[0].power) == ("blue", "dak")


def test_state_contains_turn_and_phase() -> None:
    def look(state: Any) -> Procedure:
        yield Said(f"{state.turn} {state.phase} {state.phasing_side} {state.in_phase} {state.position}")
        yield ask("red", "go")

    game = scratch_game(Phase("look", look, side="red"), ends_after(1))
    assert "'1 look red True 0'" in told(game)


@pytest.mark.parametrize("part", [lambda phase: phase, lambda phase: PlayerTurn("german", "red", (phase,))])
def test_repeated_phase_is_called_until_done(part: Any) -> None:
    def activation(state: Any) -> Procedure:
        yield Said("once more")
        return len(state.said) == 3

    phase = part(Phase("activate", activation, repeats=True))
    heard = told(scratch_game(phase, ends_after(1)))
    assert heard.count("'once more'") == 3
    assert sum(each.endswith("activate") for each in heard) == 1


def test_nonrepeating_phase_is_called_once_despite_its_result() -> None:
    def phase(_: Any) -> Procedure:
        yield Said("once")
        return False

    assert told(scratch_game(Phase("phase", phase), ends_after(1))).count("'once'") == 1


def test_each_activation_begins_at_a_boundary() -> None:
    def activation(state: Any) -> Procedure:
        yield ask("red", "go")
        yield Said("gone")
        return len(state.said) == 2

    game = scratch_game(Phase("activate", activation, repeats=True), ends_after(1))
    assert game.boundaries == [2]
    game.submit(Say("go"))
    assert game.boundaries == [2, 4]


def test_a_phase_ends_with_its_successor_and_a_seal() -> None:
    game = scratch_game(Phase("move", quiet, rule="X-4"), ends_after(1))
    assert game.records[2].event == PhaseEnded("move", 1, "X-4")
    assert isinstance(game.records[3], SealRecord)


def test_sequence_needs_a_phase_and_unique_names() -> None:
    with pytest.raises(RulesetError, match="at least one phase"):
        SequenceOfPlay(())
    for setup, turn, twice in (("move", ["move"], "move"), ("x", ["a", "c", "b", "b", "c"], "b")):
        with pytest.raises(RulesetError, match=rf"^two phases of the sequence of play are named '{twice}'$"):
            SequenceOfPlay(tuple(Phase(name, quiet) for name in turn), (Phase(setup, quiet),))
    SequenceOfPlay((PlayerTurn("a", "red", (Phase("move", quiet),)), PlayerTurn("b", "blue", (Phase("move", quiet),))))


def test_first_phase_of_the_turn_follows_the_last_phase() -> None:
    sequence = SequenceOfPlay((Phase("b", quiet), Phase("c", quiet)), (Phase("a", quiet),))
    assert [sequence.after(place) for place in range(3)] == [1, 2, 1]
    assert sequence.first == 1


@pytest.mark.parametrize("name", ["", "Move", "two words", "a/b", "move\n", "zug2ä"])
def test_invalid_phase_name_is_refused(name: str) -> None:
    SequenceOfPlay((Phase("a_2.b", quiet),))
    with pytest.raises(RulesetError, match=r"is not a valid phase name: use a-z, 0-9, _ and .$") as caught:
        SequenceOfPlay((Phase("move", quiet), Phase(name, quiet)))
    assert str(caught.value).startswith(repr(name))


def test_setup_may_have_player_turns_before_turn_one() -> None:
    sequence = SequenceOfPlay((Phase("c", quiet),), (PlayerTurn("x", "red", (Phase("a", quiet), Phase("b", quiet))),))
    assert [step.name for step in sequence.steps] == ["x.a", "x.b", "c"]
    assert (sequence.first, sequence.after(2)) == (2, 2)
