"""A game as one viewer saw it, from the first record to the last: board changes, story, counts by turn."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from sandtable.journal.fold import fitting, fold_steps
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.events import PhaseBegan, TurnBegan, shares_in
from sandtable.kernel.play.endings import shares_of
from sandtable.kernel.records import WITH_EVENT
from sandtable.kernel.state import State
from sandtable.plugin.manager import Prepared
from sandtable.viewer.film.camera import Camera
from sandtable.viewer.film.frames import Frames, SharedParts
from sandtable.viewer.narrate import StoryLine, as_seen_by, capital, phase_heading
from sandtable.viewer.story import story_of
from sandtable.viewer.svg import Svg


class Moment(Struct, frozen=True):
    """The beginning of a phase: its record, turn and heading."""

    record: int
    turn: int
    heading: str


class BoardCount(Struct, frozen=True):
    """The counts when a phase began or the game ended, by name of the graph and by side."""

    record: int
    turn: int
    counts: dict[str, dict[str, int]]


class Timeline(Struct):
    """A game as ``viewer`` saw it: a side, or the umpire, who sees everything.

    ``title`` names the view. ``facts`` describe the board, and are empty if the ruleset draws none. ``legend`` is
    markup, only of the first view. ``records`` are those that were seen and not undone.
    """

    viewer: str
    title: str
    frames: Frames
    records: list[Any]
    lines: list[StoryLine]
    moments: list[Moment]
    samples: list[BoardCount]
    facts: dict[str, Any]
    legend: Svg = Svg("")


def films_of(
    records: Sequence[Any],
    prepared: Prepared,
    viewers: Sequence[str],
    stock: SharedParts,
    name: str,
    shown: Sequence[Any] | None = None,
) -> list[Timeline]:
    """Return the game in ``records`` as each of ``viewers`` saw it, in one pass.

    For a slice, ``shown`` are its records, from which the story is made, and ``records`` the same with missing parts
    filled in. Raises LogDamaged for an event that does not fit the state, or that cannot be drawn or narrated.
    """
    cameras = [Camera(prepared, viewer, stock) for viewer in viewers]
    samples: list[list[BoardCount]] = [[] for _ in viewers]
    first = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    number = 0
    with fitting(name, "the board before the first record cannot be drawn"):
        for camera in cameras:
            camera.take(0, first)
    state: State = first
    shares = shares_in(records)
    for record, state in fold_steps(records, prepared, name):
        number = record.n
        event = record.event if isinstance(record, WITH_EVENT) else None
        if event is None:
            continue
        with fitting(name, f"the state after record {number} cannot be drawn"):
            for camera in cameras:
                camera.take(number, state)
        if isinstance(event, PhaseBegan | TurnBegan) or state.outcome:
            _sample(prepared, cameras, samples, state, number, shares)
    made = []
    for camera, found in zip(cameras, samples, strict=True):
        known, lines = _story(records, prepared, camera.viewer, name, shown)
        _sample(prepared, [camera], [found], state, known[-1].n if known else 0, shares)
        made.append(_film(camera, found, known, lines))
    made[0].legend = cameras[0].board.legend() if cameras[0].board else Svg("")
    return made


def _sample(
    prepared: Prepared,
    cameras: Sequence[Camera],
    samples: list[list[BoardCount]],
    state: State,
    number: int,
    shares: Mapping[str, int],
) -> None:
    """Add the counts after a record; only the umpire may see the evaluation. ``shares`` are those of the ending."""
    for camera, found in zip(cameras, samples, strict=True):
        counts = camera.counts()
        if camera.viewer == UMPIRE:
            evaluation = evaluation_of(prepared, state, shares)
            if evaluation:
                counts["evaluation"] = evaluation
        if counts and not (found and found[-1].record == number):
            found.append(BoardCount(number, state.turn, counts))


def evaluation_of(prepared: Prepared, state: State, shares: Mapping[str, int]) -> dict[str, int]:
    """Return the ruleset's evaluation of the sides, in thousandths; after the end, the result with these ``shares``.

    Without an evaluation it is empty.
    """
    evaluate = prepared.installed.bots.evaluate
    if evaluate is None:
        return {}
    sides = prepared.ruleset.viewers
    if state.outcome:
        return shares_of(state.outcome, shares, sides)
    return dict(evaluate(state, state.board))


def _story(
    records: Sequence[Any], prepared: Prepared, viewer: str, name: str, shown: Sequence[Any] | None
) -> tuple[list[Any], list[StoryLine]]:
    """Return the records that ``viewer`` saw, and their story; those of a slice are ``shown``."""
    is_cut = shown is not None or viewer == UMPIRE
    return story_of(records if shown is None else shown, prepared, "" if is_cut else viewer, name)


def _film(camera: Camera, samples: list[BoardCount], known: list[Any], lines: list[StoryLine]) -> Timeline:
    viewer, board = camera.viewer, camera.board
    return Timeline(
        viewer=viewer,
        title="Everything" if viewer == UMPIRE else capital(as_seen_by(viewer)),
        frames=camera.frames,
        records=known,
        lines=lines,
        moments=moments_of(known),
        samples=samples,
        facts=board.facts() if board else {},
    )


def moments_of(records: Sequence[Any]) -> list[Moment]:
    """Return the beginnings of turns and phases."""
    turn, found = 0, []
    for record in records:
        event = getattr(record, "event", None)
        if isinstance(event, TurnBegan):
            turn = event.turn
            found.append(Moment(record.n, turn, f"Turn {turn}"))
        elif isinstance(event, PhaseBegan):
            found.append(Moment(record.n, turn, capital(phase_heading(event, turn))))
    return found
