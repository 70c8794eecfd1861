"""A game at a table: its questions, orders, board and story, for one seat or viewer at a time.

Nothing here waits or sends; ``table`` does. A change is stored (``store``) before it is shown.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from sandtable.errors import NothingToUndo, PlayError
from sandtable.journal.file.keys import drop_key
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import Header
from sandtable.journal.record import store_records
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.play.endings import agreed_draw, left_by, resignation
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import OrderRecord
from sandtable.players.courses import CourseFollower, only_empty_order
from sandtable.players.players import HUMAN, best_for, makers, name_seats, seat_bot
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Course
from sandtable.viewer.film.camera import Camera, Follower
from sandtable.viewer.story import LiveStory
from sandtable.web.asking.dice import asked_dice
from sandtable.web.asking.looking import Look, Looked
from sandtable.web.asking.places import Whereabouts
from sandtable.web.asking.question import AskedQuestion
from sandtable.web.asking.walk import PickWalk


@dataclass
class OpenedTable:
    """A game that is open for play: prepared rules, game, log, header, bots by seat, and the key."""

    prepared: Prepared
    game: Game
    writer: LogWriter
    header: Header
    bots: Mapping[str, Player]
    key: bytes


class LiveGame:
    """A game in progress, in which people and bots play. ``ident`` is its id in the store, ``names`` its players."""

    def __init__(self, ident: str, opened: OpenedTable, names: Mapping[str, str]) -> None:
        self.ident, self.names = ident, dict(names)
        self.prepared, self.game, self.writer = opened.prepared, opened.game, opened.writer
        self.header, self.bots = opened.header, dict(opened.bots)
        self.thinking = ""
        self.key = opened.key
        self.origin = replace(self.prepared, board=self.game.base.board)
        """The same with the board of the first record, which differs if a ruling set an option."""
        self._follower = Follower(self.origin)
        self._stories: dict[str, LiveStory] = {}
        self._questions: dict[str, AskedQuestion] = {}
        self._looks: dict[str, Look] = {}
        self._courses: dict[str, CourseFollower] = {}
        self._staff: dict[str, Player] = {}
        self._follower.follow(self.game.records)

    @cached_property
    def rules(self) -> Mapping[str, str]:
        """The text of each rule, by id."""
        return {row.id: row.text for row in self.prepared.installed.hook.ruleset_index() or ()}

    # --- pending questions ---

    def waiting(self, seats: Sequence[str]) -> Decision | None:
        """Return the first pending decision of one of ``seats`` that a person plays, or None."""
        asked = (each for each in self.game.waiting() if each.seat in seats and each.seat not in self.bots)
        return next(asked, None)

    def label(self, decision: Decision) -> str:
        """Return the label of a pending decision's question."""
        return text_of(self.game.question_of(decision))

    def question(self, decision: Decision) -> AskedQuestion:
        """Return the question of a pending decision; it is kept while the decision is pending."""
        q = self.label(decision)
        if q not in self._questions:
            side = self.prepared.ruleset.side_of(decision.seat)
            known, places = self._known(side)
            view = self.game.seat_view(side)
            self._questions[q] = AskedQuestion(
                self.prepared, decision, q, view, lambda seen: Whereabouts(known, places, seen), places
            )
        return self._questions[q]

    def _known(self, side: str) -> tuple[set[str], Mapping[str, str]]:
        """Return the ids on the board that ``side`` sees, and the names of its places."""
        places = self.place_names(side)
        keys = self.camera(side).frames.keys
        return {key[2:] for key in keys if key.startswith("c:")} | set(places), places

    def place_names(self, viewer: str) -> Mapping[str, str]:
        """Return the names of the places on the board of ``viewer``, by id; "" for a place without one."""
        board = self.camera(viewer).board
        facts = board.facts() if board is not None else {}
        return {each: facts.get("names", {}).get(each, "") for each in facts.get("places", ())}

    def no_undo(self, seats: Sequence[str]) -> str:
        """Return why the holder of ``seats`` cannot take back an order now, or ""."""
        try:
            self.game.check_undo(self._last_of(seats))
        except NothingToUndo as error:
            return str(error)
        return ""

    def _last_of(self, seats: Sequence[str]) -> str:
        """Return the seat among ``seats`` that gave the last order, or the first of them."""
        last = next((each.by for each in reversed(self.game.trail) if isinstance(each, OrderRecord)), "")
        return last if last in seats else (seats[0] if seats else "")

    def last_order(self, seats: Sequence[str]) -> int:
        """Return the number of the last order of ``seats`` that counts, or 0."""
        records = reversed(self.game.trail)
        return next((each.n for each in records if isinstance(each, OrderRecord) and each.by in seats), 0)

    # --- changes ---

    def give(self, decision: Decision, order: Order, course: Course | None = None) -> None:
        """Give a legal order, and the orders that follow from it without a question. Raises IllegalOrder."""
        number = self.game.number
        self.game.submit(order, decision.seat)
        self._courses.setdefault(decision.seat, CourseFollower()).begin(course, order, number)
        self.give_implied()

    def give_implied(self) -> None:
        """Give the pending orders that need no person: a standing order's, a course's, the only empty one."""
        while not self.game.is_over:
            for decision in self.game.waiting():
                order = self.game.standing.answer(decision) if self.game.standing is not None else None
                if order is None and decision.seat in self.bots:
                    continue
                follower = self._courses.get(decision.seat) if order is None else None
                order = follower.next(decision, self.game)[0] if follower else order
                order = order or only_empty_order(decision)
                if order is not None:
                    self.game.submit(order, decision.seat)
                    break
            else:
                return

    def undo(self, seats: Sequence[str]) -> None:
        """Take back the last order of the holder of ``seats``. Raises NothingToUndo."""
        self.game.undo(self._last_of(seats))
        self._forget_courses()

    def _forget_courses(self) -> None:
        for each in self._courses.values():
            each.forget()

    def try_out(self, game: Game) -> None:
        """Ask the first step of each question of ``game``, a copy, and draw its board. Raises what the rules raise."""
        for decision in game.waiting():
            PickWalk(decision.options, "trial", [])
        self._follower.try_out(game.state)

    def after_ruling(self) -> None:
        """Continue after a ruling changed the game: without courses and, if an option was set, with the new board."""
        self._forget_courses()
        if self.game.state.board is not self.prepared.board:
            self.prepared = self.prepared.at(self.game.state)
            self._staff.clear()
            for seat in list(self.bots):
                if self.names[seat] in makers(self.prepared.installed):
                    self.seat(seat, self.names[seat])
        self.give_implied()

    def seat(self, seat: str, player: str) -> None:
        """Let ``player``, a bot or "human", play ``seat`` from now on. Raises PlayError if it may not."""
        name_seats(self.prepared, {seat: player})
        self.names[seat] = player
        self.bots.pop(seat, None)
        if player != HUMAN:
            salts = self.header.known_salts(str(self.path))
            self.bots[seat] = seat_bot(self.prepared, seat, player, self.key, salts=salts)

    def resign(self, seat: str) -> None:
        """End the game: the side of ``seat`` resigns. Raises PlayError if it cannot."""
        self.game.end(resignation(self.prepared.ruleset, self.game.number + 1, seat))

    def agree_on_draw(self, seat: str) -> None:
        """End the game in a draw, on which all sides agreed. Raises PlayError if it cannot."""
        self.game.end(agreed_draw(self.prepared.ruleset, self.game.number + 1, seat))

    def abandon(self, side: str, reason: str) -> None:
        """End the game: ``side`` left it. Raises PlayError if it cannot."""
        self.game.end(left_by(self.prepared.ruleset, self.game.number + 1, side, reason))

    def store(self) -> None:
        """Write the new records and wait for the disk; at the end of the game also remove the key file."""
        store_records(self.game, self.bots, self.writer)
        if self.game.is_over and self.game.dice.shown_key():
            drop_key(str(self.writer.path), self.key)

    def catch_up(self) -> None:
        """Bring board and questions up to the newest record."""
        self._questions.clear()
        self._looks.clear()
        self._follower.follow(self.game.records)

    # --- bots ---

    def bot_turn(self) -> tuple[Decision, Player, View] | None:
        """Return a pending decision of a bot, the bot, and its view, or None if people must decide."""
        if self.game.is_over:
            return None
        side_of = self.prepared.ruleset.side_of
        for decision in self.game.waiting():
            player = self.bots.get(decision.seat)
            if player is not None:
                return decision, player, self.game.seat_view(side_of(decision.seat))
        return None

    def advice(self, decision: Decision) -> Order:
        """Return the order of the staff, the ruleset's best bot. It may take seconds.

        Raises PlayError for physical dice, which only a person may give.
        """
        seat = decision.seat
        if asked_dice(decision) is not None:
            raise PlayError("the staff rolls no dice: roll them, and type the faces")
        if seat not in self._staff:
            self._staff[seat] = seat_bot(self.prepared, seat, best_for(self.prepared.installed, seat), b"draft")
        return self._staff[seat].choose(decision, self.game.seat_view(self.prepared.ruleset.side_of(seat)))

    # --- what a viewer sees ---

    def viewer_of(self, seats: Sequence[str], now: str = "") -> str:
        """Return the viewer for the holder of ``seats``: the umpire if they hold that seat alone, or their side.

        With several sides it is the one that must decide; if none of them must, it is still ``now``, the side whose
        player is at the screen, or the first. Without seats it is "public".
        """
        sides = list(dict.fromkeys(map(self.prepared.ruleset.side_of, seats)))
        if UMPIRE in sides and len(sides) > 1:
            sides.remove(UMPIRE)
        if len(sides) <= 1:
            return sides[0] if sides else "public"
        decision = self.waiting(seats)
        asked = self.prepared.ruleset.side_of(decision.seat) if decision is not None else ""
        return next(each for each in (asked, now, *sides) if each in sides)

    def needs_curtain(self, seats: Sequence[str]) -> bool:
        """Return whether several sides that hide something from each other share the screen of these ``seats``."""
        sides = {*map(self.prepared.ruleset.side_of, seats)} - {UMPIRE}
        return self.prepared.ruleset.hidden and not self.game.is_over and len(sides) > 1

    def camera(self, viewer: str) -> Camera:
        """Return the camera of ``viewer``."""
        return self._follower.camera(viewer)

    def story(self, viewer: str) -> LiveStory:
        """Return the story for ``viewer``, up to the newest record."""
        if viewer not in self._stories:
            self._stories[viewer] = LiveStory(self.origin, viewer, self.ident)
        self._stories[viewer].follow(self.game.records)
        return self._stories[viewer]

    def look(self, viewer: str, what: str, other: str = "") -> list[Looked]:
        """Return the answers of the rules about a counter or place on the board of ``viewer``; see ``Look``."""
        if viewer not in self._looks:
            view = self.prepared.ruleset.view(self.game.state, viewer)
            known, places = self._known(viewer)
            self._looks[viewer] = Look(self.prepared, view, Whereabouts(known, places, view))
        return self._looks[viewer].at(what, other)

    def facts(self) -> dict[str, Any]:
        """Return what all may know: turn, phase, who must decide, and the result."""
        state = self.game.state
        return {
            "turn": state.turn,
            "phase": state.phase,
            "waiting": [each.seat for each in self.game.waiting()],
            "thinking": self.thinking,
            "outcome": state.outcome,
            "ending": state.ending,
            "last": self.game.number,
        }

    def close(self) -> None:
        """Close the log."""
        self.writer.annex(left=int(time.time()))
        self.writer.close()

    @property
    def path(self) -> Path:
        """The path of the log."""
        return Path(self.writer.path)


def check_people(prepared: Prepared, seats: Sequence[str]) -> None:
    """Raise PlayError for a seat that does not exist."""
    unknown = [each for each in seats if each not in prepared.ruleset.seats]
    if unknown:
        raise PlayError(f"{prepared.ruleset.id} has no seat {unknown[0]!r}")
