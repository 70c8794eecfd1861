"""What a roll may come to, by the live rules: exact where that is a small tree, otherwise sampled.

A game stands at a roll. Each way that the dice can fall is played on by the rules, through the rolls that follow, until
something has happened of it, or until somebody is asked. Ways that lead to the same position are one result.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from msgspec import json, to_builtins

from sandtable.kernel.decisions import Roll
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.session import AnsweringGame
from sandtable.kernel.records import EventRecord
from sandtable.rules.chance.outcomes import TooLarge
from sandtable.rules.chance.walker import Faces, Walker

MOST_WAYS = 1_500
"""So many ways are walked one by one; of more, samples are drawn."""
SAMPLES = 1_000
MOST_ROLLS = 12
"""So many rolls may follow each other in a walk: ties that are rolled again go on for ever."""
MOST_SAMPLED = 1_000
"""So many may in a sample."""

_DICE = re.compile(r"(^|_)(dice|die)$|^calculations$")
_SUMS = re.compile(r"(^|_)(dice|die|totals?)$|^calculations$")
"""Fields of events that tell how dice fell, and what they added up to, not what came of it."""
ELSE = "..."
"""Stands for words in which sentences differ."""

Again = Callable[[], AnsweringGame]
"""Makes a game that stands at the roll, or where an order leads to it; each time an independent one."""


class RollOutcome(NamedTuple):
    """A position that the dice may lead to: its ``chance``, the ``faces`` that do, and the records on each way there.

    ``asked`` is who is asked what there, "" where nobody is.
    """

    chance: Fraction
    faces: tuple[Faces, ...]
    records: tuple[tuple[Any, ...], ...]
    asked: str


class Chances(NamedTuple):
    """All that a roll may come to, the likeliest first; ``samples`` is 0 where it is exact.

    If no roll is pending there are no results, and ``asked`` is the seat that is asked before any dice are rolled.
    """

    roll: Roll | None
    results: tuple[RollOutcome, ...]
    samples: int
    asked: str = ""


class _Way(NamedTuple):
    chance: Fraction
    faces: Faces
    records: tuple[Any, ...]
    position: Any
    sums: Any
    asked: str


def chances(
    again: Again, *, to_question: bool = False, most: int = MOST_WAYS, samples: int = SAMPLES, dealt_to: str = ""
) -> Chances:
    """Return what the roll at which ``again()`` stands may come to; no results where it stands at none.

    The dice are walked until something has happened, or ``to_question``. With ``dealt_to``, a side, nothing is exact:
    games that ``again`` makes are dealt to what that side knows, and positions are what it sees of them.
    """
    game = again()
    if not isinstance(game.pending, Roll):
        return Chances(None, (), 0, next((each.seat for each in game.waiting()), ""))
    first = game.pending
    walk = _Walk(again, dealt_to, to_question=to_question)
    try:
        if dealt_to:
            raise TooLarge("what is dealt is not known")
        ways, drawn = walk.all_ways(most), 0
    except TooLarge:
        ways, drawn = walk.sampled(samples), samples
    return Chances(first, _grouped(ways), drawn)


def asked_of(game: AnsweringGame) -> str:
    """Return who is asked what; "" where nobody is."""
    return "; ".join(f"{each.seat} is asked: {each.prompt}" for each in game.waiting())


def after(game: AnsweringGame, since: int) -> tuple[Any, ...]:
    """Return the records of ``game`` after the one of number ``since``."""
    return tuple(each for each in game.trail if each.n > since)


def common(texts: Sequence[str]) -> str:
    """Return what several sentences have in common, with "..." for words in which they differ.

    Where they are not built alike it is the first of them.
    """
    words = [text.split(" ") for text in texts]
    if len({len(each) for each in words}) > 1:
        return texts[0]
    shared = [each[0] if len(set(each)) == 1 else ELSE for each in zip(*words, strict=True)]
    return " ".join(word for word, before in zip(shared, ["", *shared], strict=False) if word != ELSE or before != ELSE)


class _Walk:
    """Makes games fall: to where something has happened, or to the next question."""

    def __init__(self, again: Again, side: str, *, to_question: bool) -> None:
        self._again, self._to_question, self._side = again, to_question, side

    def all_ways(self, most: int) -> list[_Way]:
        """Return every way; raises TooLarge where there are more than ``most``."""
        ways = 1

        def spend(branches: int) -> None:
            nonlocal ways
            ways += branches - 1
            if ways > most:
                raise TooLarge(f"more than {most} ways")

        walker = Walker(self._fallen, AnsweringGame.fall, spend)
        game = self._again()
        return list(self._ahead(walker, game, (), Fraction(1), game.number))

    def _ahead(
        self, walker: Walker[AnsweringGame], game: AnsweringGame, faces: Faces, chance: Fraction, start: int
    ) -> Iterator[_Way]:
        """Yield every way on from ``game``, in which ``faces`` fell."""
        if self._is_there(game, start):
            yield self._way(game, chance, faces, start)
            return
        if len(faces) == MOST_ROLLS:
            raise TooLarge(f"{MOST_ROLLS} rolls follow each other, and nothing happens")
        for share, fell, branch in walker.branches(game, faces):
            yield from self._ahead(walker, branch, fell, chance * share, start)

    def _fallen(self, faces: Faces) -> AnsweringGame:
        game = self._again()
        for fell in faces:
            game.fall(fell)
        return game

    def sampled(self, samples: int) -> list[_Way]:
        """Return as many ways as wanted, always the same ones."""
        stream, walker, found = Stream(key_from_seed("odds")), Walker(self._fallen, AnsweringGame.fall), []

        def draw(roll: Roll) -> tuple[int, ...]:
            return tuple(stream.below(roll.sides) + 1 for _ in range(roll.dice))

        for _ in range(samples):
            game = self._again()
            start = game.number
            faces = walker.sample(game, draw, partial(self._is_there, start=start), MOST_SAMPLED)
            found.append(self._way(game, Fraction(1, samples), faces, start))
        return found

    def _is_there(self, game: AnsweringGame, start: int) -> bool:
        """Return whether ``game`` stands at no roll, or something has happened since record ``start``."""
        happened = not self._to_question and any(isinstance(each, EventRecord) for each in after(game, start))
        return happened or not isinstance(game.pending, Roll)

    def _way(self, game: AnsweringGame, chance: Fraction, faces: Faces, since: int) -> _Way:
        coarse, fine = (position_of(game, since, self._side, sums=each) for each in (False, True))
        return _Way(chance, faces, after(game, since), coarse, fine, asked_of(game))


def position_of(game: AnsweringGame, since: int, side: str = "", *, sums: bool = False) -> tuple[Any, ...]:
    """Return what tells where ``game`` has come since record ``since`` from other places that it could have come to.

    That is what happened, but for the dice of it, and their ``sums``, what it waits for, and its state. Of a game that
    is dealt to ``side`` it is what that side sees happen: what it does not see differs from deal to deal.
    """
    roll = game.pending if isinstance(game.pending, Roll) else None
    asked = [(each.seat, "" if side else each.prompt) for each in game.waiting()]
    state = b"" if side else game.ruleset.codec.to_bytes(game.state)
    events = [_seen(game, each.event, side, sums=sums) for each in after(game, since) if isinstance(each, EventRecord)]
    return state, b"".join(events), *asked, roll and (roll.purpose, roll.dice, roll.needs)


def _seen(game: AnsweringGame, event: Any, side: str, *, sums: bool) -> bytes:
    """Return an event, as ``side`` sees it, without its dice."""
    if side and isinstance(event, game.ruleset.secret_events):
        event = game.ruleset.visible(event, side)
    return without_dice(event, sums=sums)


def without_dice(event: Any, *, sums: bool = False) -> bytes:
    """Return what an event tells but for the dice in it; with their ``sums``, or without."""
    return json.encode(_kept(to_builtins(event), _DICE if sums else _SUMS), order="deterministic")


def _kept(value: Any, left_out: re.Pattern[str]) -> Any:
    if isinstance(value, dict):
        return {name: _kept(each, left_out) for name, each in value.items() if not left_out.search(name)}
    return [_kept(each, left_out) for each in value] if isinstance(value, list) else value


def _grouped(ways: list[_Way]) -> tuple[RollOutcome, ...]:
    by_position: dict[Any, list[_Way]] = {}
    is_all_one = all(way.position == ways[0].position for way in ways)  # then the sums are what came of it
    for way in ways:
        by_position.setdefault(way.sums if is_all_one else way.position, []).append(way)
    found = [
        RollOutcome(
            sum((each.chance for each in group), Fraction()),
            tuple(each.faces for each in group),
            tuple(each.records for each in group),
            group[0].asked,
        )
        for group in by_position.values()
    ]
    return tuple(sorted(found, key=lambda each: -each.chance))
