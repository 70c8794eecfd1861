"""The check that secret dice, and cards dealt by them, stay secret: other faces are tried, and no side may notice.

In a played game, each run of secret rolls between two decisions is rolled again with other faces, and with all faces if
there are few. Among the resulting worlds, a side must find others that look like its own. If those are continued with
the same orders, it may not notice any difference until something is revealed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from msgspec import json, to_builtins

from sandtable.errors import SandtableError
from sandtable.journal.fields import differences
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.dice import SetDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.testing.checks.bench import FaultError, Harness, NotChecked, Trial
from sandtable.testing.checks.secrets.differences import (
    drawn_otherwise,
    fitting,
    give,
    seen,
    sees_otherwise,
    without_rolls,
)
from sandtable.testing.checks.secrets.watching import Found, Watch

Faces = dict[str, tuple[int, ...]]

USUAL_GAMES = 8
MAX_RUNS = 4
"""Number of runs of rolls of a game that are rolled again; larger if more pairs are requested."""
MAX_JOINT = 120
MAX_OPEN = 6
DEALS = 8
"""Maximum number of combinations of faces up to which all faces of a run of rolls are tried."""
MAX_SINGLE = 12
"""Number of other faces that are tried if there are more combinations, one roll changed at a time."""
MAX_FOLLOWED = 3
"""Maximum number of worlds that look the same and are continued, for each run of rolls and side."""
MAX_STEPS = 60
_encode = json.Encoder(order="deterministic").encode


class Run(NamedTuple):
    """The rolls between two decisions: after the order with index ``place``, or -1 for the beginning."""

    place: int
    rolls: tuple[RollRecord, ...]


class World(NamedTuple):
    """A game in which ``faces`` fell, by label, instead of the recorded ones; its run begins at record ``start``."""

    faces: Faces
    game: Game
    start: int


class FacesSeen:
    """The results by kind of roll and side: the number of worlds that looked the same, and noticed differences."""

    def __init__(self) -> None:
        self.kept: Counter[tuple[str, str]] = Counter()
        self.shown: dict[tuple[str, str], tuple[int, str]] = {}
        self.rolls = 0
        self.impossible = ""

    def note(self, kind: tuple[str, str], differences: int, problem: str) -> None:
        """Keep a ``problem``, unless one with fewer ``differences`` is known: the simplest one is reported."""
        if kind not in self.shown or differences < self.shown[kind][0]:
            self.shown[kind] = differences, problem


def check_faces(bench: Harness) -> str:
    """Roll secret dice again: among the new worlds a side must find some like its own, alike until the reveal."""
    if not bench.installed.manifest.hidden:
        return "nothing is secret"
    told = FacesSeen()
    for trial in bench.whole(max(USUAL_GAMES, bench.pairs // MAX_RUNS)):
        for run, base in _runs(trial, most=max(MAX_RUNS, bench.pairs // 40)):
            told.rolls += sum(bool(roll.side) for roll in run.rolls)
            _judge(bench, trial, run, base, told)
            if told.kept.total() >= max(bench.pairs, 1) * 2:
                break
    return _summed_up(told)


def _summed_up(told: FacesSeen) -> str:
    """Return a summary. Raises FaultError for a noticed difference."""
    for kind, (_, problem) in told.shown.items():
        if kind not in told.kept:
            raise FaultError(problem)
    if told.impossible:
        raise FaultError(told.impossible)
    if not told.rolls and told.kept:
        return f"no roll was secret; sides that saw open rolls saw their effects ({told.kept.total()} other faces)"
    if not told.rolls:
        return NotChecked("not checked: no roll was ever secret, so no face could be changed")
    if not told.kept:
        return NotChecked(f"not checked: changing {told.rolls} secret rolls had no effect")
    return f"other faces of {told.rolls} secret rolls made {told.kept.total()} worlds that look the same throughout"


def _runs(trial: Trial, most: int) -> Iterator[tuple[Run, Game | None]]:
    """Yield runs of rolls, spread over the game, each with the game before it (None for the beginning)."""
    found: dict[int, list[RollRecord]] = {}
    numbers = [given.number for given in trial.played.given]
    place = -1
    for record in trial.records:
        while place + 1 < len(numbers) and numbers[place + 1] <= record.n:
            place += 1
        if isinstance(record, RollRecord) and record.dice:
            found.setdefault(place, []).append(record)
    runs = [Run(where, tuple(rolls)) for where, rolls in found.items()]
    wanted = [run for run in runs if any(roll.side for roll in run.rolls)]
    if not wanted:  # an open roll may determine a secret
        wanted = [run for run in runs if _makes_secret(trial, run)]
        most = min(most, 2)
    chosen = {run.place: run for run in wanted[:: max(1, len(wanted) // most)][:most]}
    if -1 in chosen:
        yield chosen[-1], None
    last = max(chosen, default=-1)
    for at, turning in enumerate(trial.replay() if last >= 0 else ()):
        if at in chosen:
            yield chosen[at], turning.game.fork()
        if at >= last:
            return


def _makes_secret(trial: Trial, run: Run) -> bool:
    """Return whether a secret event follows one of the rolls before the next decision."""
    first = run.rolls[0].n
    end = next((each.number for each in trial.played.given if each.number > first), len(trial.records) + 1)
    secret = trial.ruleset.secret_events
    return any(
        isinstance(record, EventRecord) and isinstance(record.event, secret)
        for record in trial.records[first : end - 1]
    )


def _world(trial: Trial, run: Run, base: Game | None, faces: Faces) -> World | None:
    """Return the game in which ``faces`` fell, or None if the rules fail on them, which another check reports."""
    dice = SetDice(key_from_seed(trial.played.seed), faces=faces)
    try:
        if base is None:
            game, start = trial.prepared.new_game(dice), 0
            game.start()
        else:
            game = base.fork(dice)
            start = len(game.records)
            given = trial.played.given[run.place]
            game.submit(given.order, given.seat)
    except SandtableError:
        return None
    return World(faces, game, start)


def _other_faces(trial: Trial, run: Run, viewer: str | None) -> list[Faces]:
    """Return other results of the rolls: all those of the secret rolls, or some in which one roll is changed.

    If no roll is secret, the open ones are changed, one at a time. ``viewer`` may not see what is changed.
    """
    secret = [roll for roll in run.rolls if roll.side] or list(run.rolls)
    fell = {roll.label: roll.dice for roll in secret}
    if _are_all(secret):
        spans = [list(product(range(1, roll.sides + 1), repeat=len(roll.dice))) for roll in secret]
        others_tried = [dict(zip(fell, faces, strict=True)) for faces in product(*spans)]
        others_tried.sort(key=lambda way: sum(way[label] != fell[label] for label in fell))
        return [way for way in others_tried if way != fell]
    stream = trial.stream(f"faces/{run.place}/{viewer}")
    able = [roll for roll in secret if roll.side != viewer]
    found: list[Faces] = []
    for _ in range(MAX_SINGLE if able else 0):
        roll = stream.pick(able)
        faces = tuple(stream.below(roll.sides) + 1 for _ in roll.dice)
        if faces != roll.dice and {roll.label: faces} not in found:
            found.append({roll.label: faces})
    return found


def _are_all(rolls: Sequence[RollRecord]) -> bool:
    """Return whether all combinations of faces of ``rolls`` are tried."""
    others_tried: int = prod(roll.sides ** len(roll.dice) for roll in rolls)
    return others_tried <= MAX_JOINT


def _judge(bench: Harness, trial: Trial, run: Run, base: Game | None, told: FacesSeen) -> None:
    """Roll one run of rolls again, and check what each side notices."""
    own = _world(trial, run, base, {})
    if own is None or own.game.is_over:
        return
    secret = [roll for roll in run.rolls if roll.side]
    for viewer in (*trial.ruleset.viewers, *([PUBLIC] if secret else [])):
        hidden = [roll for roll in secret if roll.side != viewer]
        if secret and not hidden:
            continue
        others_tried = _other_faces(trial, run, viewer)
        others_tried = others_tried if secret else others_tried[:MAX_OPEN]
        worlds = [world for way in others_tried if (world := _world(trial, run, base, way)) is not None]
        if not secret:
            _judge_open(trial, run, own, worlds, viewer, told)
            continue
        _judge_hidden(trial, run, own, worlds, viewer, told)
        if _are_all(secret):
            if len(hidden) < len(secret):
                _judge_own_die(trial, run, [own, *worlds], viewer)
            if run.place == -1:
                _judge_deals(bench, trial, own, worlds, viewer, told)


def _judge_hidden(trial: Trial, run: Run, own: World, worlds: list[World], viewer: str, told: FacesSeen) -> None:
    """Check that worlds which differ only in dice hidden from ``viewer`` look the same to it, now and later."""
    hidden = {roll.label: roll for roll in run.rolls if roll.side not in {"", viewer}}
    mine, followed = trial.ruleset.codec.canonical(own.game.state), 0
    for world in worlds:
        changed = [label for label, faces in world.faces.items() if label in hidden and faces != hidden[label].dice]
        if not changed or trial.ruleset.codec.canonical(world.game.state) == mine:
            continue
        kinds = {(_kind(label), viewer) for label in changed}
        watch = Watch(trial, [viewer])
        found = watch.look(own.game, world.game, (own.start, world.start))
        if found is not None:
            problem, apart = _noticed(trial, run, world, found), _apart(trial, viewer, own, world)
            for kind in kinds:
                told.note(kind, apart, problem)
            continue
        told.kept.update(kinds)
        followed += 1
        if not watch.is_over and followed <= MAX_FOLLOWED:
            _follow(trial, run, own, world, watch, viewer)


def _noticed(trial: Trial, run: Run, world: World, found: Found) -> str:
    """Return the message for a difference. Raises FaultError for traffic, which can never be public by the rules."""
    problem = f"{_at(trial, run, world)}; {found.viewer} notices it at once: {found.problem}"
    if found.is_traffic:
        raise FaultError(problem)
    return problem


def _judge_open(trial: Trial, run: Run, own: World, worlds: list[World], viewer: str, told: FacesSeen) -> None:
    """Check that open dice do not determine what is hidden from ``viewer``, which could compute it from the dice."""
    fell = {roll.label: roll.dice for roll in run.rolls}
    mine = trial.ruleset.codec.canonical(own.game.state)
    for world in worlds:
        changed = [label for label, faces in world.faces.items() if faces != fell[label]]
        if len(changed) != 1 or trial.ruleset.codec.canonical(world.game.state) == mine:
            continue
        alike = _apart(trial, viewer, own, world) == 0
        other = next((each for each in trial.ruleset.viewers if each != viewer), viewer)
        made = sees_otherwise(other, own.game, world.game)
        if alike and made:
            raise FaultError(
                f"{_at(trial, run, world)}; {viewer} sees the die, but not its effect ({other} "
                f"notices {made}): the rules reveal the effect; name the `side` of the Roll"
            )
        told.kept[_kind(changed[0]), viewer] += 1


def _apart(trial: Trial, viewer: str, own: World, world: World) -> int:
    """Return the number of differences between two worlds for ``viewer``, except dice."""
    looks = []
    for each in (own, world):
        records = without_rolls(seen(trial, viewer, each.game, each.start))
        looks.append(to_builtins([records, each.game.view(viewer)]))
    return sum(1 for _ in differences(*looks))


def _judge_own_die(trial: Trial, run: Run, worlds: list[World], viewer: str) -> None:
    """Check that the viewer's own die reveals no more than its events do. Raises FaultError if it gives others away.

    In all worlds that look the same to the viewer, except for dice, each face of its own die must leave the same worlds
    of the others possible.
    """
    found: dict[bytes, dict[tuple[Any, ...], dict[bytes, World]]] = {}
    for world in worlds:
        records = without_rolls(seen(trial, viewer, world.game, world.start))
        look = _encode([records, world.game.view(viewer)])
        falls = [each for each in world.game.records[world.start :] if isinstance(each, RollRecord)]
        faces = tuple((each.label, each.dice) for each in falls if each.side == viewer)
        others = _encode([world.game.view(side) for side in trial.ruleset.viewers if side != viewer])
        found.setdefault(look, {}).setdefault(faces, {})[others] = world
    for by_faces in found.values():
        (first, worlds_of_first), *rest = by_faces.items()
        for faces, possible in rest:
            if possible.keys() == worlds_of_first.keys():
                continue
            only = next(iter(possible.keys() ^ worlds_of_first.keys()))
            label = next((label for label, dice in faces if dict(first).get(label) != dice), run.rolls[0].label)
            seen_by = "; ".join(f"{dict(each).get(label)}" for each in (first, faces))
            raise FaultError(
                f"{trial.name}, the roll {label}, which {viewer} sees, reveals more than its events do: the results "
                f"{seen_by} leave different worlds possible: {only[:160].decode()}: hide the die from every side"
            )


def _judge_deals(bench: Harness, trial: Trial, own: World, worlds: list[World], viewer: str, told: FacesSeen) -> None:
    """Check that a side's first decision is never dealt a world that no dice lead to."""
    deal = bench.installed.bots.deal
    asked = next((each for each in own.game.waiting() if trial.ruleset.side_of(each.seat) == viewer), None)
    if asked is None or deal is None:
        return

    def others(game: Any) -> bytes:
        return _encode([game.view(side) for side in trial.ruleset.viewers if side != viewer])

    def looks_alike(world: World) -> bool:
        watch = Watch(trial, [viewer])
        return watch.look(own.game, world.game, (own.start, world.start)) is None and not watch.is_over

    alike = [world for world in worlds if looks_alike(world)]
    possible = {others(world.game) for world in [own, *alike]}
    for number in range(DEALS):
        stream = trial.stream(f"impossible/{viewer}/{number}")
        try:
            dealt = own.game.simulator(asked).deal(stream, deal)
        except Exception:  # noqa: BLE001 - the check of deals reports it
            return
        if others(dealt) not in possible:
            told.impossible = (
                f"{trial.name}, {viewer}'s first decision: deal makes a world that no dice lead to: the "
                f"others see {others(dealt).decode():.160}"
            )


def _follow(trial: Trial, run: Run, own: World, world: World, watch: Watch, viewer: str) -> None:
    """Continue both games with the recorded orders.

    Raises FaultError if ``viewer`` notices a difference before a reveal.
    """
    game, twin = own.game.fork(), world.game.fork()
    others = [side for side in trial.ruleset.viewers if side != viewer]
    at = _at(trial, run, world)
    drawn = drawn_otherwise(trial, viewer, game, twin)
    if drawn:
        raise FaultError(f"{at}; {viewer} notices it in {drawn}")
    for seat, order, number in trial.played.given[run.place + 1 :][:MAX_STEPS]:
        fit = fitting(trial, [*others, *watch.told], twin, seat, order)
        if fit is None:
            return
        if isinstance(fit, str):
            raise FaultError(f"{at}; {fit}")
        starts = [len(table.records) for table in (game, twin)]
        game.submit(order, seat)
        failed = give(twin, order, seat)
        if failed:
            raise FaultError(f"{at}; {failed}")
        found = watch.look(game, twin, starts)
        if found is not None:
            raise FaultError(f"{at}; after record {number} {viewer} notices it: {found.problem}")
        if watch.is_over:
            return


def _kind(label: str) -> str:
    """Return the kind of a roll: its purpose up to the first colon."""
    return label.split("/")[-2].partition(":")[0]


def _at(trial: Trial, run: Run, world: World) -> str:
    fell = {roll.label: roll.dice for roll in run.rolls}
    changed = [
        f"{label} falls {faces}, not {fell[label]}" for label, faces in world.faces.items() if faces != fell[label]
    ]
    return f"{trial.name}, record {run.rolls[0].n}: {', '.join(changed)} ({run.rolls[0].rule})"
