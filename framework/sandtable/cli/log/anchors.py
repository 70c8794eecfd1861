"""The commands ``sandtable log anchor``, ``key new`` and ``key show``."""

import click
from msgspec import to_builtins

from sandtable.cli import arguments
from sandtable.cli.inputs import check_record
from sandtable.cli.output import facts, say, show, show_json
from sandtable.files.writing import write_new
from sandtable.journal.anchors.anchors import anchor_line, anchor_of
from sandtable.journal.anchors.words import words_of
from sandtable.journal.file.reading import read_log
from sandtable.journal.hands.seeds import read_seat_key


@click.command()
@arguments.log
@arguments.at(least=0)
@arguments.sign
@arguments.out("Write the anchor to a file, for `verify --anchor`.")
@arguments.force
@arguments.as_json
def anchor(log: str, at: int | None, sign: str | None, out: str | None, force: bool, as_json: bool) -> None:
    """Print the anchor of LOG: its head, also as a code to read out or mail.

    With sandtable[words] the code is also given as twelve words. Anyone who has the anchor, the code or the words can
    check later that the log was not replaced: `sandtable verify LOG --anchor`.
    """
    whole = read_log(log)
    check_record(whole.records, at)
    key = read_seat_key(sign).signing if sign else None
    made = anchor_of(whole, at, key)
    if out is not None:
        sources = (log, sign) if sign else (log,)
        write_new(out, anchor_line(made), force=force, sources=sources)
    words = words_of(made.code())
    if as_json:
        show_json({**to_builtins(made), "code": made.code(), **({"words": words} if words else {})})
        return
    rows = [("game", made.game), ("record", str(made.record)), ("head", made.head), ("code", made.code())]
    rows += [("words", words)] if words else []
    if made.by:
        rows += [("signed by", made.by), ("signature", made.signature)]
    show(facts(rows))
    if out is not None:
        say(f"{out}: the anchor; check it later: sandtable verify {log} --anchor {out}")
