"""``sandtable explain``."""

from typing import TYPE_CHECKING, Any

import click

from sandtable.cli.output import facts, show, show_json
from sandtable.cli.setting import Setting, check_record, pass_setting

if TYPE_CHECKING:
    from sandtable.journal.explain import Explanation


@click.command()
@click.argument("log", type=click.Path())
@click.argument("number", type=click.IntRange(1), metavar="N")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def explain(setting: Setting, log: str, number: int, as_json: bool) -> None:
    """Show why record N of LOG happened: the order, the rolls, the procedures at work and the rules they cite."""
    from sandtable.journal.explain import explain as why  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.file.log import read_log  # noqa: PLC0415

    read = read_log(log)
    check_record(read.records, number, "N")
    found = why(read, number, setting.rulesets)
    if as_json:
        show_json(found)
    else:
        _tell(found)


def _show_calculations(calculations: Any) -> None:
    """Print how the figures of an event came about: a sum a line, then the cell of the table."""
    for each in calculations:
        steps = [f"{what} {amount:+d} ({rule})" for what, amount, rule in each.get("steps", ())]
        total = sum(amount for _, amount, _ in each.get("steps", ()))
        figure = f" = {total}" if steps else ""
        cell = ", ".join(part for part in each.get("table", ()) if part)
        looked_up = f"  in {cell}" if cell else ""
        show(f"  {each['name']}: {', '.join(steps)}{figure}{looked_up}")


def _show_what(what: dict[str, Any]) -> None:
    from msgspec import json  # noqa: PLC0415 - so that --help stays quick

    _head("what")
    for key, value in what.items():
        content = value.items() if isinstance(value, dict) else [(key, value)]
        for name, each in content:
            if name != "calculations":
                show(f"  {name}: {json.encode(each).decode()}")
            elif each:
                _show_calculations(each)


def _tell(found: "Explanation") -> None:
    from msgspec import json  # noqa: PLC0415 - so that --help stays quick

    show(
        facts(
            [
                ("record", f"{found.record}, {found.kind}"),
                ("when", f"turn {found.turn}, {found.phase or 'before the first phase'}"),
            ]
        )
    )
    _show_what(found.what)
    if found.order is not None:
        _head(f"the order before it: record {found.order['n']}, by {found.order['by']}")
        if found.asked:
            show(f"  asked: {found.asked}")
        show(f"  given: {json.encode(found.order['order']).decode()}")
    if found.rolls:
        _head("the rolls since that order")
    for roll in found.rolls:
        needs = f", needing {' '.join(map(str, roll.needs))}" if roll.needs else ""
        fell = f"{len(roll.dice)}d{roll.sides} {roll.label}: {' '.join(map(str, roll.dice))}"
        show(f"  record {roll.record}: {fell}{needs} ({roll.rule})")
        show(f"    {roll.command}")
    if found.procedures:
        _head("the procedures at work, outermost first")
    for frame in found.procedures:
        show(f"  {frame.procedure}: {frame.summary}")
    if found.rules:
        _head("the rules")
        show(facts([(f"  {rule}", text) for rule, text in sorted(found.rules.items())]))


def _head(text: str) -> None:
    show()
    show(text)
