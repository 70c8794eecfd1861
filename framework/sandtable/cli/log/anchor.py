"""``sandtable log anchor``."""

import click
from msgspec import to_builtins

from sandtable.cli import arguments
from sandtable.cli.context import check_record
from sandtable.cli.output import facts, say, show, show_json
from sandtable.files.writing import write_new
from sandtable.journal.anchors.anchors import seal_line, seal_of
from sandtable.journal.anchors.signing import read_signing_key
from sandtable.journal.file.log import read_log


@click.command()
@arguments.log
@arguments.at(least=0)
@arguments.sign
@arguments.out("Write the anchor, for `verify --anchor FILE`.")
@arguments.force
@arguments.as_json
def anchor(log: str, at: int | None, sign: str | None, out: str | None, force: bool, as_json: bool) -> None:
    """Print the anchor of LOG: its head, also as 12 words to read out or to mail.

    Whoever has it can tell later that no other log was put in its place: `sandtable verify LOG --anchor`.
    """
    whole = read_log(log)
    check_record(whole.records, at, "--at")
    key = read_signing_key(sign) if sign else None
    made = seal_of(whole, at, key)
    if out is not None:
        sources = (log, sign) if sign else (log,)
        write_new(out, seal_line(made), force=force, sources=sources)
    if as_json:
        show_json({**to_builtins(made), "words": made.words()})
        return
    rows = [("game", made.game), ("record", str(made.record)), ("head", made.head), ("words", made.words())]
    if made.by:
        rows += [("signed by", made.by), ("signature", made.signature)]
    show(facts(rows))
    if out is not None:
        say(f"{out}: the anchor; check it later: sandtable verify {log} --anchor {out}")
