"""``sandtable diff``."""

import click

from sandtable.cli.output import say, show, show_json, table
from sandtable.cli.setting import Setting, pass_setting
from sandtable.quoting import told_apart


@click.command()
@click.argument("a", type=click.Path())
@click.argument("b", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def diff(setting: Setting, a: str, b: str, as_json: bool) -> int:
    """Find the first record in which the logs A and B part, and what of the state differs after it.

    Exit code: 0 the records are the same, 1 they part.
    """
    from sandtable.journal.diff import diff_logs  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.file.log import read_log  # noqa: PLC0415

    found = diff_logs(read_log(a), read_log(b), setting.rulesets)
    if as_json:
        show_json(found)
        return 0 if found.record is None else 1
    if found.record is None:
        show("the records are the same" + ("; the headers differ:" if found.header else ""))
    else:
        show(f"the logs part in record {found.record}" + (f": {found.note}" if found.note else ""))
    for title, fields in (
        ("in the header", found.header),
        ("in that record", found.in_record),
        ("in the state after it", found.state),
    ):
        if fields:
            show()
            show(title)
            show(table(("field", "a", "b"), [(each.field, *told_apart(each.a, each.b)) for each in fields]))
    if found.record:
        say(f"why: sandtable explain {a} {found.record}")
    return 0 if found.record is None else 1
