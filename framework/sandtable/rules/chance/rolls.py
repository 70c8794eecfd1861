"""The outcomes of a pending roll under the live rules: exact if the tree is small, or sampled.

A game waits at a roll. The rules continue from each combination of the dice, through the rolls that follow, until an
event results or a decision is pending. Combinations that lead to the same position are one result. If all lead to the
same position, the totals of the dice distinguish the results.
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

MAX_WAYS = 1_500
"""Maximum number of combinations that are walked one by one; beyond that, samples are drawn."""
SAMPLES = 1_000
MAX_ROLLS = 12
"""Maximum number of consecutive rolls in a walk: ties that are rolled again could continue forever."""
MAX_SAMPLED = 1_000
"""Maximum number of consecutive rolls in a sample."""

_DICE = re.compile(r"(^|_)(dice|die)$|^calculations$")
_SUMS = re.compile(r"(^|_)(dice|die|totals?)$|^calculations$")
"""Event fields that show the dice and their totals, but not the result."""
ELSE = "..."
"""Placeholder for words in which sentences differ."""

Again = Callable[[], AnsweringGame]
"""A function that makes an independent game at the pending roll, or after an order that leads to it."""


class RollOutcome(NamedTuple):
    """A position that the dice may lead to.

    ``chance`` is its probability, ``faces`` are the dice that lead to it, and ``records`` are those of each path.
    ``asked`` describes the pending decisions there, or is "".
    """

    chance: Fraction
    faces: tuple[Faces, ...]
    records: tuple[tuple[Any, ...], ...]
    asked: str


class Chances(NamedTuple):
    """All results of a roll, the most probable first; ``samples`` is 0 if they are exact.

    If no roll is pending there are no results, and ``asked`` is the seat that must decide before any dice are rolled.
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
    again: Again, *, to_question: bool = False, most: int = MAX_WAYS, samples: int = SAMPLES, dealt_to: str = ""
) -> Chances:
    """Return the results of the pending roll of ``again()``; there are no results if no roll is pending.

    The dice are walked until an event has happened, or with ``to_question`` until the next decision. With ``dealt_to``,
    a side, the results are always sampled: the games that ``again`` makes are dealt from what that side knows, and
    positions are what it sees of them.
    """
    game = again()
    if not isinstance(game.pending, Roll):
        return Chances(None, (), 0, next((each.seat for each in game.waiting()), ""))
    first = game.pending
    walk = _Walk(again, dealt_to, to_question=to_question)
    try:
        if dealt_to:
            raise TooLarge("dealt games cannot be walked exactly")
        ways, drawn = walk.all_ways(most), 0
    except TooLarge:
        ways, drawn = walk.sampled(samples), samples
    return Chances(first, _grouped(ways), drawn)


def asked_of(game: AnsweringGame) -> str:
    """Return a description of the pending decisions, or "" if there are none."""
    return "; ".join(f"{each.seat} must decide: {each.prompt}" for each in game.waiting())


def after(game: AnsweringGame, since: int) -> tuple[Any, ...]:
    """Return the records of ``game`` after record number ``since``."""
    return tuple(each for each in game.trail if each.n > since)


def common(texts: Sequence[str]) -> str:
    """Return the words that several sentences have in common, with "..." for the words that differ.

    If their numbers of words differ, it returns the first sentence.
    """
    words = [text.split(" ") for text in texts]
    if len({len(each) for each in words}) > 1:
        return texts[0]
    shared = [each[0] if len(set(each)) == 1 else ELSE for each in zip(*words, strict=True)]
    return " ".join(word for word, before in zip(shared, ["", *shared], strict=False) if word != ELSE or before != ELSE)


class _Walk:
    """A walk that continues games until an event has happened, or until the next decision."""

    def __init__(self, again: Again, side: str, *, to_question: bool) -> None:
        self._again, self._to_question, self._side = again, to_question, side

    def all_ways(self, most: int) -> list[_Way]:
        """Return every path; raises TooLarge if there are more than ``most``."""
        ways = 1

        def spend(branches: int) -> None:
            nonlocal ways
            ways += branches - 1
            if ways > most:
                raise TooLarge(f"more than {most} outcomes")

        walker = Walker(self._fallen, AnsweringGame.resolve_roll, spend)
        game = self._again()
        return list(self._ahead(walker, game, (), Fraction(1), game.number))

    def _ahead(
        self, walker: Walker[AnsweringGame], game: AnsweringGame, faces: Faces, chance: Fraction, start: int
    ) -> Iterator[_Way]:
        """Yield every path from ``game`` on, in which ``faces`` were rolled."""
        if self._is_there(game, start):
            yield self._way(game, chance, faces, start)
            return
        if len(faces) == MAX_ROLLS:
            raise TooLarge(f"{MAX_ROLLS} consecutive rolls without an event")
        for share, fell, branch in walker.branches(game, faces):
            yield from self._ahead(walker, branch, fell, chance * share, start)

    def _fallen(self, faces: Faces) -> AnsweringGame:
        game = self._again()
        for fell in faces:
            game.resolve_roll(fell)
        return game

    def sampled(self, samples: int) -> list[_Way]:
        """Return ``samples`` paths, which are the same at every call."""
        stream, walker, found = Stream(key_from_seed("odds")), Walker(self._fallen, AnsweringGame.resolve_roll), []

        def draw(roll: Roll) -> tuple[int, ...]:
            return tuple(stream.below(roll.sides) + 1 for _ in range(roll.dice))

        for _ in range(samples):
            game = self._again()
            start = game.number
            faces = walker.sample(game, draw, partial(self._is_there, start=start), MAX_SAMPLED)
            found.append(self._way(game, Fraction(1, samples), faces, start))
        return found

    def _is_there(self, game: AnsweringGame, start: int) -> bool:
        """Return whether no roll is pending in ``game``, or an event has happened since record ``start``."""
        happened = not self._to_question and any(isinstance(each, EventRecord) for each in after(game, start))
        return happened or not isinstance(game.pending, Roll)

    def _way(self, game: AnsweringGame, chance: Fraction, faces: Faces, since: int) -> _Way:
        coarse, fine = (position_of(game, since, self._side, sums=each) for each in (False, True))
        return _Way(chance, faces, after(game, since), coarse, fine, asked_of(game))


def position_of(game: AnsweringGame, since: int, side: str = "", *, sums: bool = False) -> tuple[Any, ...]:
    """Return the identity of the position that ``game`` has reached since record ``since``.

    It consists of the events without their dice, what the game waits for, and its state. ``sums`` keeps the totals of
    the dice in the events. For a game dealt to ``side`` it contains only what that side sees, because the rest differs
    from deal to deal.
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
    """Return the fields of an event without its dice, with or without their ``sums``."""
    return json.encode(_kept(to_builtins(event), _DICE if sums else _SUMS), order="deterministic")


def _kept(value: Any, left_out: re.Pattern[str]) -> Any:
    if isinstance(value, dict):
        return {name: _kept(each, left_out) for name, each in value.items() if not left_out.search(name)}
    return [_kept(each, left_out) for each in value] if isinstance(value, list) else value


def _grouped(ways: list[_Way]) -> tuple[RollOutcome, ...]:
    by_position: dict[Any, list[_Way]] = {}
    is_all_one = all(way.position == ways[0].position for way in ways)  # then the totals are the result
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
