"""Resume a game from its log: seat its players, and restore the state of its bots."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec

from sandtable.errors import LogDamaged
from sandtable.journal.file.log import Log
from sandtable.kernel.decisions import Decision
from sandtable.kernel.play.game import Game
from sandtable.players.players import HUMAN, admit, ask_again, makers, name_seats, seat_bot, seat_players
from sandtable.plugin.manager import Prepared
from sandtable.plugin.third_party import is_named_bot


def changed_seats(log: Log) -> dict[str, str]:
    """Return the players that the last annex of ``log`` about players names, for seats that its header gives to others.

    An annex is outside the chain and decides only about the players who continue the game. Names that would import a
    module are left out.
    """
    annexes: list[dict[str, Any]] = [msgspec.json.decode(line) for line in log.annexes()]
    found: dict[str, Any] = next(
        (each["players"] for each in reversed(annexes) if isinstance(each.get("players"), dict)), {}
    )
    before = log.header.players
    names = {seat: name for seat, name in found.items() if before.get(seat) not in {None, name}}
    return {seat: name for seat, name in names.items() if isinstance(name, str) and not is_named_bot(name)}


class Seating:
    """The bots of a resumed game: seated when its ruleset is known, then asked again for their earlier decisions.

    ``wrong`` is the context in which faults of ``others``, the players who take over, are raised.
    """

    def __init__(
        self,
        before: Mapping[str, str],
        others: Mapping[str, str],
        salts: bytes,
        wrong: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self.names: dict[str, str] = {}
        self.seated: dict[str, Any] = {}
        self._made: tuple[Prepared, bytes] | None = None
        self._before = before
        self._others = others
        self._salts = salts
        self._wrong = wrong

    def seat(self, prepared: Prepared, key: bytes, game: Game) -> Callable[[Decision], None]:
        """Name and seat the players; return a function that repeats decisions of bots that were not replaced.

        Raises LogDamaged if the log's header has a player for an unknown seat.
        """
        known = {*prepared.ruleset.seats, *prepared.ruleset.viewers}
        unknown = [seat for seat in self._before if seat not in known]
        if unknown:
            raise LogDamaged(
                f"the header of the log has a player for {unknown[0]!r}, which is not a seat of {prepared.ruleset.id}"
            )
        side_of = prepared.ruleset.side_of
        with self._wrong():
            stay = {seat: name for seat, name in self._before.items() if not {seat, side_of(seat)} & {*self._others}}
            admit(prepared.installed, self._others.values())
            self.names = name_seats(prepared, stay | dict(self._others))
        self._made = prepared, key
        bots = {seat: name for seat, name in self.names.items() if name != HUMAN}
        all_players = seat_players(prepared, bots, key, salts=self._salts)
        self.seated = {seat: player for seat, player in all_players.items() if seat in bots}

        def ask(decision: Decision) -> None:
            self.follow(game)
            if game.standing is not None and game.standing.answer(decision) is not None:
                return  # the bot had no question
            same = {seat: player for seat, player in self.seated.items() if self._before.get(seat) == self.names[seat]}
            ask_again(prepared, same, game.view)(decision)

        return ask

    def follow(self, game: Game) -> None:
        """Seat the ruleset's own bots again if a ruling has set an option, because it made a new board.

        Their streams begin again, so the same log always continues with the same bots.
        """
        assert self._made is not None  # noqa: S101 - called after seat
        prepared, key = self._made
        if game.state.board is prepared.board:
            return
        prepared = prepared.at(game.state)
        self._made = prepared, key
        for seat in self.seated:
            if self.names[seat] in makers(prepared.installed):
                self.seated[seat] = seat_bot(prepared, seat, self.names[seat], key, salts=self._salts)
