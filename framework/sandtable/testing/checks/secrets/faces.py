"""The check that secret dice, and cards that were dealt by them, stay secret: other faces fall, and nobody may notice.

Of a game that was played each run of secret rolls between two questions is rolled again with other faces, all of them
where they are few. Among the worlds that come of it a side must find others that look like its own, and in them, played
on by the same orders, it must go on noticing nothing until something is revealed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from msgspec import json, to_builtins

from sandtable.errors import SandtableError
from sandtable.journal.verification.rerun import differences
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.dice import SetDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.testing.checks.bench import FaultError, Harness, NotLookedAt, Trial
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
MOST_RUNS = 4
"""So many runs of rolls of a game are rolled again; more where more pairs are wanted."""
MOST_JOINT = 120
MOST_OPEN = 6
DEALS = 8
"""All faces of a run of rolls are tried where there are no more ways for them to fall."""
MOST_SINGLE = 12
"""So many other faces are tried else, one roll changed at a time."""
MOST_FOLLOWED = 3
"""So many worlds that look alike are played on, for each run of rolls and side."""
MOST_STEPS = 60
_encode = json.Encoder(order="deterministic").encode


class Run(NamedTuple):
    """The rolls that fell between two questions: after the order in ``place`` was given, -1 for the beginning."""

    place: int
    rolls: tuple[RollRecord, ...]


class World(NamedTuple):
    """A game in which ``faces`` fell, by label, in place of those that did; its run begins at record ``start``."""

    faces: Faces
    game: Game
    start: int


class Told:
    """What was found so far: by kind of roll and side how many worlds looked alike, and what was noticed in others."""

    def __init__(self) -> None:
        self.kept: Counter[tuple[str, str]] = Counter()
        self.shown: dict[tuple[str, str], tuple[int, str]] = {}
        self.rolls = 0
        self.impossible = ""

    def note(self, kind: tuple[str, str], differences: int, problem: str) -> None:
        """Keep a ``problem``, unless one with fewer ``differences`` is known: the plainest is told."""
        if kind not in self.shown or differences < self.shown[kind][0]:
            self.shown[kind] = differences, problem


def check_faces(bench: Harness) -> str:
    """Roll secret dice again: who may not see them must notice nothing, and whose they are no more than he is told."""
    if not bench.installed.manifest.hidden:
        return "nothing is secret"
    told = Told()
    for trial in bench.whole(max(USUAL_GAMES, bench.pairs // MOST_RUNS)):
        for run, base in _runs(trial, most=max(MOST_RUNS, bench.pairs // 40)):
            told.rolls += sum(bool(roll.side) for roll in run.rolls)
            _judge(bench, trial, run, base, told)
            if told.kept.total() >= max(bench.pairs, 1) * 2:
                break
    return _summed_up(told)


def _summed_up(told: Told) -> str:
    """Return what was seen; raises FaultError for what was noticed."""
    for kind, (_, problem) in told.shown.items():
        if kind not in told.kept:
            raise FaultError(problem)
    if told.impossible:
        raise FaultError(told.impossible)
    if not told.rolls and told.kept:
        return (
            f"no roll was secret; what {told.kept.total()} other faces of open rolls made was told to all who saw them"
        )
    if not told.rolls:
        return NotLookedAt("not looked at: no roll was ever secret, so no face could be changed")
    if not told.kept:
        return NotLookedAt(f"not looked at: 0 of {told.rolls} secret rolls could be changed to any effect")
    return f"other faces of {told.rolls} secret rolls made {told.kept.total()} worlds that look alike and go on so"


def _runs(trial: Trial, most: int) -> Iterator[tuple[Run, Game | None]]:
    """Yield runs of rolls, spread over the game, each with a game that stands before it; None for the beginning."""
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
    if not wanted:  # an open roll may make a secret
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
    """Tell whether a secret event follows one of the rolls before the next question."""
    first = run.rolls[0].n
    end = next((each.number for each in trial.played.given if each.number > first), len(trial.records) + 1)
    secret = trial.ruleset.secret_events
    return any(
        isinstance(record, EventRecord) and isinstance(record.event, secret)
        for record in trial.records[first : end - 1]
    )


def _world(trial: Trial, run: Run, base: Game | None, faces: Faces) -> World | None:
    """Return the game in which ``faces`` fell; None where the rules fail on them, which another check tells of."""
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


def _ways(trial: Trial, run: Run, viewer: str | None) -> list[Faces]:
    """Return other ways for the rolls to fall: all of the secret ones, or some in which one is changed.

    Where none is secret the open ones are changed, one at a time. ``viewer`` is who may not see what is changed.
    """
    secret = [roll for roll in run.rolls if roll.side] or list(run.rolls)
    fell = {roll.label: roll.dice for roll in secret}
    if _are_all(secret):
        spans = [list(product(range(1, roll.sides + 1), repeat=len(roll.dice))) for roll in secret]
        ways = [dict(zip(fell, faces, strict=True)) for faces in product(*spans)]
        ways.sort(key=lambda way: sum(way[label] != fell[label] for label in fell))
        return [way for way in ways if way != fell]
    stream = trial.stream(f"faces/{run.place}/{viewer}")
    able = [roll for roll in secret if roll.side != viewer]
    found: list[Faces] = []
    for _ in range(MOST_SINGLE if able else 0):
        roll = stream.pick(able)
        faces = tuple(stream.below(roll.sides) + 1 for _ in roll.dice)
        if faces != roll.dice and {roll.label: faces} not in found:
            found.append({roll.label: faces})
    return found


def _are_all(rolls: Sequence[RollRecord]) -> bool:
    """Tell whether all ways for ``rolls`` to fall are tried."""
    ways: int = prod(roll.sides ** len(roll.dice) for roll in rolls)
    return ways <= MOST_JOINT


def _judge(bench: Harness, trial: Trial, run: Run, base: Game | None, told: Told) -> None:
    """Roll one run of rolls again, and see what each side notices."""
    own = _world(trial, run, base, {})
    if own is None or own.game.is_over:
        return
    secret = [roll for roll in run.rolls if roll.side]
    for viewer in (*trial.ruleset.viewers, *([PUBLIC] if secret else [])):
        hidden = [roll for roll in secret if roll.side != viewer]
        if secret and not hidden:
            continue
        ways = _ways(trial, run, viewer)
        ways = ways if secret else ways[:MOST_OPEN]
        worlds = [world for way in ways if (world := _world(trial, run, base, way)) is not None]
        if not secret:
            _judge_open(trial, run, own, worlds, viewer, told)
            continue
        _judge_hidden(trial, run, own, worlds, viewer, told)
        if _are_all(secret):
            if len(hidden) < len(secret):
                _judge_own_die(trial, run, [own, *worlds], viewer)
            if run.place == -1:
                _judge_deals(bench, trial, own, worlds, viewer, told)


def _judge_hidden(trial: Trial, run: Run, own: World, worlds: list[World], viewer: str, told: Told) -> None:
    """See that worlds in which dice fell otherwise that ``viewer`` may not see look alike to him, and go on so."""
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
        if not watch.is_over and followed <= MOST_FOLLOWED:
            _follow(trial, run, own, world, watch, viewer)


def _noticed(trial: Trial, run: Run, world: World, found: Found) -> str:
    """Return what is said of a find; raises FaultError for traffic, which can never be public by the rules."""
    problem = f"{_at(trial, run, world)}; {found.viewer} notices it at once: {found.problem}"
    if found.is_traffic:
        raise FaultError(problem)
    return problem


def _judge_open(trial: Trial, run: Run, own: World, worlds: list[World], viewer: str, told: Told) -> None:
    """See that open dice do not make what is kept from ``viewer``: he could reckon it from what he sees fall."""
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
                f"{_at(trial, run, world)}; {viewer} sees the die, and is told nothing of what it makes ({other} "
                f"notices {made}): who knows the rules reckons it; name the `side` of the Roll"
            )
        told.kept[_kind(changed[0]), viewer] += 1


def _apart(trial: Trial, viewer: str, own: World, world: World) -> int:
    """Return in how many places two worlds differ for ``viewer``, dice aside."""
    looks = []
    for each in (own, world):
        records = without_rolls(seen(trial, viewer, each.game, each.start))
        looks.append(to_builtins([records, each.game.view(viewer)]))
    return sum(1 for _ in differences(*looks))


def _judge_own_die(trial: Trial, run: Run, worlds: list[World], viewer: str) -> None:
    """See that the viewer's own die tells him no more than he is told: raises FaultError where it gives others away.

    Of all worlds that look alike to him, dice aside, each face of his own must leave the same others possible.
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
                f"{trial.name}, the roll {label}, which {viewer} sees, tells more than its events do: that it fell "
                f"{seen_by} or otherwise leaves other worlds possible: {only[:160].decode()}: let nobody see the die"
            )


def _judge_deals(bench: Harness, trial: Trial, own: World, worlds: list[World], viewer: str, told: Told) -> None:
    """See that at its first question a side is dealt no world to which no dice lead."""
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
        except Exception:  # noqa: BLE001 - the check of deals tells of it
            return
        if others(dealt) not in possible:
            told.impossible = (
                f"{trial.name}, {viewer}'s first question: deal makes a world to which no dice lead: the "
                f"others see {others(dealt).decode():.160}"
            )


def _follow(trial: Trial, run: Run, own: World, world: World, watch: Watch, viewer: str) -> None:
    """Play both on by the recorded orders; raises FaultError when ``viewer`` notices a difference before a reveal."""
    game, twin = own.game.fork(), world.game.fork()
    others = [side for side in trial.ruleset.viewers if side != viewer]
    at = _at(trial, run, world)
    drawn = drawn_otherwise(trial, viewer, game, twin)
    if drawn:
        raise FaultError(f"{at}; {viewer} notices it in {drawn}")
    for seat, order, number in trial.played.given[run.place + 1 :][:MOST_STEPS]:
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
    """Return what is common to rolls of one kind: the purpose up to its first colon."""
    return label.split("/")[-2].partition(":")[0]


def _at(trial: Trial, run: Run, world: World) -> str:
    fell = {roll.label: roll.dice for roll in run.rolls}
    changed = [
        f"{label} falls {faces}, not {fell[label]}" for label, faces in world.faces.items() if faces != fell[label]
    ]
    return f"{trial.name}, record {run.rolls[0].n}: {', '.join(changed)} ({run.rolls[0].rule})"
