"""``sandtable seal``."""

import click

from sandtable.cli.context import check_record
from sandtable.cli.output import facts, say, show, show_json


@click.command()
@click.argument("log", type=click.Path())
@click.option("--at", "record", type=click.IntRange(0), metavar="N", help="After record N; else the last.")
@click.option("--sign", type=click.Path(), metavar="KEY", help="Sign it with the private key in this file.")
@click.option("--out", type=click.Path(), metavar="FILE", help="Write the seal, for `verify --seal FILE`.")
@click.option("--force", is_flag=True, help="Overwrite the file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def seal(log: str, record: int | None, sign: str | None, out: str | None, force: bool, as_json: bool) -> None:
    """Print the seal of LOG: its head, also as 12 words to read out or to mail.

    Whoever has it can tell later that no other log was put in its place: `sandtable verify LOG --seal`.
    """
    from msgspec import to_builtins  # noqa: PLC0415 - so that --help stays quick

    from sandtable.files.writing import write_new  # noqa: PLC0415
    from sandtable.journal.anchors.anchors import seal_line, seal_of  # noqa: PLC0415
    from sandtable.journal.anchors.signing import read_signing_key  # noqa: PLC0415
    from sandtable.journal.file.log import read_log  # noqa: PLC0415

    whole = read_log(log)
    check_record(whole.records, record, "--at")
    key = read_signing_key(sign) if sign else None
    made = seal_of(whole, record, key)
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
        say(f"{out}: the seal; check it later: sandtable verify {log} --seal {out}")
