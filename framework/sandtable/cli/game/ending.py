"""``sandtable resign`` and ``sandtable draw``; ``end_log`` also serves ``sandtable dispute adjudicate --end``."""

from collections.abc import Callable, Sequence

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.game.play import ended
from sandtable.cli.inputs import pairs
from sandtable.cli.output import say, show
from sandtable.hosting.ending import end_game
from sandtable.journal.file.keys import read_key
from sandtable.journal.hands.seeds import read_seat_key
from sandtable.journal.resume import Resumed, resume
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.play.endings import agreed_draw, resignation
from sandtable.kernel.records import EndRecord

reason = click.option("--reason", default="", metavar="TEXT", help="Reason, kept in the log.")
shares = click.option(
    "--share",
    "shares",
    multiple=True,
    metavar="SIDE=N",
    help="Share of a side in thousandths; all shares add up to 1000 (repeatable).",
)
signs = click.option(
    "--sign", "signs", multiple=True, type=click.Path(), metavar="KEY", help="Sign with this private key (repeatable)."
)


@click.command()
@arguments.log
@click.option("--seat", required=True, metavar="SEAT", help="The seat, or side, that resigns.")
@reason
@signs
@arguments.dice_key
@pass_context
def resign(context: CliContext, *, log: str, seat: str, reason: str, signs: Sequence[str], key: str | None) -> None:
    """Resign the game in LOG: the other side wins.

    If the header names the key of the seat or its side, sign with it. A game of more than two sides does not end by a
    resignation: agree on a draw, or let the umpire adjudicate it.
    """
    end_log(
        context,
        log,
        lambda resumed: resignation(resumed.game.ruleset, resumed.game.number + 1, seat, reason),
        signs=signs,
        key=key,
    )


@click.command()
@arguments.log
@click.option("--seat", default=UMPIRE, metavar="SEAT", help="The seat that records it (default: the umpire).")
@shares
@reason
@signs
@arguments.dice_key
@pass_context
def draw(
    context: CliContext,
    *,
    log: str,
    seat: str,
    shares: Sequence[str],
    reason: str,
    signs: Sequence[str],
    key: str | None,
) -> None:
    """End the game in LOG as a draw on which all sides agree.

    Every seat or side whose key is in the header must sign it: give --sign once for each. With --share a draw can be
    among some of the sides only.
    """
    given = thousandths(shares)
    end_log(
        context,
        log,
        lambda resumed: agreed_draw(resumed.game.ruleset, resumed.game.number + 1, seat, given, reason),
        signs=signs,
        key=key,
    )


def thousandths(words: Sequence[str]) -> dict[str, int]:
    """Return the shares of repeated SIDE=N arguments; raise UsageError for another form."""
    found = pairs(words, "--share")
    if strange := next((f"{side}={share}" for side, share in found.items() if not share.isdecimal()), None):
        raise click.BadParameter(f"{strange} is not SIDE=N with a whole number of thousandths", param_hint="--share")
    return {side: int(share) for side, share in found.items()}


def end_log(
    context: CliContext,
    log: str,
    record_of: Callable[[Resumed], EndRecord],
    *,
    signs: Sequence[str],
    key: str | None,
) -> None:
    """End the game in ``log`` with the record that ``record_of`` makes, and show the result."""
    signing = [read_seat_key(each) for each in signs]
    resumed = resume(log, context.rulesets, key=read_key(key) if key else None)
    with resumed.writer:
        end_game(resumed.game, resumed.writer, resumed.hands, resumed.key, record_of(resumed), signing)
    show(f"{log}: {ended(resumed.game.state)}")
    say(f"the log is closed; check it: sandtable verify {log}")
