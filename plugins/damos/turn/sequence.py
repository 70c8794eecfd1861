"""The sequence of play: opening, two player turns of five phases, close (DM-4.0a, DM-4.0b, AGC-4.4a, AGC-5.0a)."""

from damos.map.stacking import trim
from damos.model.events import TurnOpened, UnitsReset
from damos.model.state import DamosState
from damos.model.tables import GERMAN, SOVIET
from damos.movement.activation import operations as play_activation
from damos.movement.pause import begin_pause, choose_pause
from damos.turn.reinforcement import reinforcement
from damos.turn.setup import set_up
from damos.turn.special_rules import has_player_turn, name_cossacks
from damos.turn.strategic import strategic, surrender
from damos.turn.victory import check_victory
from sandtable import Phase, PlayerTurn, Procedure, SequenceOfPlay


def opening(state: DamosState) -> Procedure:
    """Clear the marks of the previous turn, check the pauses, name the Cossacks (AGC-4.7a, AGC-4.3.1h, AGC-4.8a)."""
    yield TurnOpened()
    yield from begin_pause(state)
    yield from choose_pause(state)
    yield from name_cossacks(state)


def operations(state: DamosState) -> Procedure:
    """Play one activation. Return True when the phase is over, after over-stacked units are eliminated."""
    if not has_player_turn(state, state.phasing_side):  # AGC-4.6.1a
        return True
    done: bool = yield from play_activation(state)
    if done:
        yield from trim(state, state.phasing_side)
    return done


def reset(state: DamosState) -> Procedure:
    """Reset the phasing side. Enemy units that reacted stay spent through their own player turn (DM-11.0b)."""
    if has_player_turn(state, state.phasing_side):
        yield UnitsReset(state.phasing_side)


PHASES = (
    Phase("reinforcement", reinforcement, rule="DM-5.0a"),
    Phase("strategic", strategic, rule="DM-6.0a"),
    Phase("operations", operations, rule="DM-7.0a", repeats=True),
    Phase("surrender", surrender, rule="DM-10.0a"),
    Phase("reset", reset, rule="DM-11.0a"),
)


def sequence_of(first: str) -> SequenceOfPlay:
    """Return the sequence of play with this first player (DM-2.1c, R-DM-01)."""
    order = (GERMAN, SOVIET) if first == GERMAN else (SOVIET, GERMAN)
    return SequenceOfPlay(
        setup=(
            Phase("setup.soviet", set_up, SOVIET, rule="AGC-6.0a"),
            Phase("setup.german", set_up, GERMAN, rule="AGC-6.0a"),
        ),
        turn=(
            Phase("opening", opening, rule="AGC-4.4a"),
            *(PlayerTurn(side, side, PHASES) for side in order),
            Phase("closing", check_victory, rule="AGC-5.0a"),
        ),
    )
