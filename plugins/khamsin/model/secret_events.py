"""What one side does out of the enemy's sight, in one record a side, so that the number of records betrays nothing.

A side counts the records of its slice of the log, also those that it may not read. Were each secret move a record, it
would know how many of the enemy's formations are on the march. So a procedure whose steps depend on secret orders runs
on a copy of the state; what came of it is then told in a fixed order: what concerns either side, always, and after that
what all may see. Whom a side met comes first, since it shows in what that side did.
"""

from collections.abc import Callable, Mapping

from msgspec.msgpack import Decoder, Encoder

from khamsin.model import battle_events as battle
from khamsin.model import battle_handlers, events, handlers
from khamsin.model.cards import SIDES
from khamsin.model.state import KhamsinState
from sandtable.errors import RulesetError
from sandtable.kernel.decisions import Roll
from sandtable.kernel.events import Event
from sandtable.kernel.handlers import compile_table, evolves, functions_of
from sandtable.kernel.sequence import Procedure

Secret = (
    events.FormationLost
    | events.FormationDisabled
    | events.ReplacementsGiven
    | events.FormationDivided
    | events.FormationJoined
    | events.ActivationRolled
    | events.DoctrineInvoked
    | events.DoctrineEnded
    | events.FormationMoved
    | events.LeaderMoved
    | events.CharacterHit
    | battle.FormationRetreated
)
"""What may happen out of sight."""


class SideActed(Event, frozen=True):
    """All that a side did and suffered out of the enemy's sight in a step of play, in order; there may be nothing."""

    side: str
    happened: list[Secret]
    rule: str = "KH-6.08"


EVENTS: tuple[type[Event], ...] = (SideActed,)

_HANDLERS = compile_table(functions_of((handlers, battle_handlers)), (*events.EVENTS, *battle.EVENTS))
_ENCODER, _DECODER = Encoder(), Decoder(KhamsinState)


def meetings(pieces: Mapping[str, list[str]]) -> Procedure:
    """Tell each side who of it met enemies, in one record in any case."""
    for side in SIDES:
        yield events.EnemyMet(side, sorted(pieces[side])) if pieces[side] else events.NobodyMet(side)


@evolves(SideActed)
def side_acted(state: KhamsinState, event: SideActed) -> None:
    """Let each part of it happen."""
    for each in event.happened:
        _HANDLERS[type(each)].handler(state, each)


def out_of_sight(state: KhamsinState, step: Callable[[KhamsinState], Procedure]) -> Procedure:
    """Carry out a step of play in a constant number of secret records; return what the step returns.

    ``step`` gets a copy of the state, and asks nobody. Its dice are rolled as it wants them: it must want the same
    rolls whatever the orders are. An event with a ``side`` that may happen out of sight is that side's secret.
    """
    work = _DECODER.decode(_ENCODER.encode(state))
    work.place_board(state.board)
    hidden: dict[str, list[Secret]] = {side: [] for side in SIDES}
    met: list[Event] = []
    seen: list[Event] = []
    procedure, answer = step(work), None
    while True:
        try:
            item = procedure.send(answer)
        except StopIteration as stop:
            result = stop.value
            break
        answer = None
        if isinstance(item, Roll):
            answer = yield item
            continue
        if not isinstance(item, Event):
            raise RulesetError(f"out of sight nobody can be asked: {item!r}")
        _HANDLERS[type(item)].handler(work, item)
        if isinstance(item, Secret):
            hidden[item.side].append(item)
        elif isinstance(item, events.EnemyMet | events.NobodyMet):
            met.append(item)
        else:
            seen.append(item)
    yield from met
    for side in SIDES:
        yield SideActed(side, hidden[side])
    yield from seen
    return result
