"""``sandtable resume``."""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from sandtable.cli.game.keying import key_of_seed
from sandtable.cli.game.play import Session, finish
from sandtable.cli.output import count, say
from sandtable.cli.setting import Setting, pairs, pass_setting, usage_errors

if TYPE_CHECKING:
    from sandtable.journal.format.header import Header
    from sandtable.kernel.decisions import Decision
    from sandtable.kernel.play.game import Game
    from sandtable.plugin.manager import Prepared


@click.command()
@click.argument("log", type=click.Path())
@click.option("--player", "players", multiple=True, metavar="SIDE=NAME", help="Let another player take over a seat.")
@click.option("--key", type=click.Path(), metavar="FILE", help="The dice key, if it is not in LOG.key.")
@click.option(
    "--seed", metavar="TEXT", help="The seed that the key follows from, in logs of version 0.1 and of tournaments."
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that think for `search`; it orders the same with any number of them.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def resume(
    setting: Setting,
    *,
    log: str,
    players: tuple[str, ...],
    key: str | None,
    seed: str | None,
    workers: int,
    as_json: bool,
) -> None:
    """Go on with the game in LOG where it was interrupted, with the players it names.

    Bots are asked again for what they have decided already, so that the game goes on as if nothing had happened. A last
    line that was cut off while it was written is repaired first; the file as it was is kept. The key of `host` and
    `manual` dice is found in LOG.key, where `sandtable play` has put it.
    """
    from sandtable.journal.file.writer import LogWriter  # noqa: PLC0415
    from sandtable.journal.repair import cut_tail  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.resume import take_up  # noqa: PLC0415

    others = pairs(players, "--player")
    writer, found = LogWriter.reopen(log, durable=True)
    with writer:
        if found.torn and found.broken is None:
            lost, kept = cut_tail(writer, found)
            say(f"{log}: {count(lost, 'byte')} of an unfinished line cut off; the file as it was: {kept}")
        header = found.header
        known, words = _key_named(log, header, key, seed)
        salts = header.known_salts(log)
        bots = _Bots(header.players, others, salts)
        resumed = take_up(writer, found, setting.rulesets, key=known, before=bots.seat)
        table = Session(resumed.prepared, bots.names, resumed.key, salts, words, setting.plugins_words, workers=workers)
        say(f"{log}: taken up after record {count(resumed.game.number, 'record').split()[0]}")
        if bots.names != header.players:
            writer.annex(players=bots.names)
        finish(table, resumed.game, writer, as_json=as_json, seated=bots.seated)


def _key_named(log: str, header: "Header", file: str | None, seed: str | None) -> tuple[bytes | None, str]:
    """Return the key that was named, checked, and the words that name it again; None and "" where none was."""
    from sandtable.journal.file.keys import check_key, read_key  # noqa: PLC0415 - so that --help stays quick

    if file is not None and seed is not None:
        raise click.UsageError("--seed and --key both say what the dice are: leave one out")
    if file is not None:
        key, where, words = read_key(file), file, f" --key {shlex.quote(file)}"
    elif seed is not None:
        key, where, words = key_of_seed(seed), "--seed", f" --seed {shlex.quote(seed)}"
    else:
        return None, ""
    check_key(key, header, where, log)
    return key, words if header.dice != "open" else ""


class _Bots:
    """The bots of a game that is taken up: seated when its ruleset is known, asked again for what they decided."""

    def __init__(self, before: dict[str, str], others: dict[str, str], salts: bytes) -> None:
        self.names: dict[str, str] = {}
        self.seated: dict[str, Any] = {}
        self._before = before
        self._others = others
        self._salts = salts

    def seat(self, prepared: "Prepared", key: bytes, game: "Game") -> "Callable[[Decision], None]":
        """Name and seat the players; those that were replaced are not asked for what others decided."""
        from sandtable.errors import LogDamaged  # noqa: PLC0415
        from sandtable.players.players import HUMAN, admit, ask_again, name_seats, seat_players  # noqa: PLC0415

        known = {*prepared.ruleset.seats, *prepared.ruleset.viewers}
        strange = [seat for seat in self._before if seat not in known]
        if strange:
            raise LogDamaged(f"the header of the log has a player for {strange[0]!r}, no seat of {prepared.ruleset.id}")
        side_of = prepared.ruleset.side_of
        with usage_errors():
            stay = {seat: name for seat, name in self._before.items() if not {seat, side_of(seat)} & {*self._others}}
            admit(prepared.installed, self._others.values())
            self.names = name_seats(prepared, stay | self._others)
        bots = {seat: name for seat, name in self.names.items() if name != HUMAN}
        everybody = seat_players(prepared, bots, key, salts=self._salts)
        self.seated = {seat: player for seat, player in everybody.items() if seat in bots}
        same = {seat: player for seat, player in self.seated.items() if self._before.get(seat) == self.names[seat]}
        return ask_again(prepared, same, game.view)
