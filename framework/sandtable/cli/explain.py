"""``sandtable explain``."""

import click

from sandtable.cli.output import facts, plain, show, show_json
from sandtable.cli.setting import Setting, pass_setting


@click.command()
@click.argument("log", type=click.Path())
@click.argument("number", type=click.IntRange(1), metavar="N")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def explain(setting: Setting, log: str, number: int, as_json: bool) -> None:
    """Show why record N of LOG happened: the order, the rolls, the procedures at work and the rules they cite."""
    from msgspec import json  # noqa: PLC0415 - so that --help stays quick

    from sandtable.journal.explain import explain as why  # noqa: PLC0415
    from sandtable.journal.store import read_log  # noqa: PLC0415

    found = why(read_log(log), number, setting.rulesets)
    if as_json:
        show_json(found)
        return
    show(
        facts(
            [
                ("record", f"{found.record}, {found.kind}"),
                ("when", f"turn {found.turn}, {found.phase or 'before the first phase'}"),
            ]
        )
    )
    show("\nwhat")
    for key, value in found.what.items():
        content = value.items() if isinstance(value, dict) else [(key, value)]
        show("\n".join(f"  {name}: {plain(json.encode(each).decode())}" for name, each in content))
    if found.order is not None:
        show(f"\nthe order before it: record {found.order['n']}, by {found.order['by']}")
        if found.asked:
            show(f"  asked: {plain(found.asked)}")
        show(f"  given: {plain(json.encode(found.order['order']).decode())}")
    if found.rolls:
        show("\nthe rolls since that order")
    for roll in found.rolls:
        needs = f", needing {' '.join(map(str, roll.needs))}" if roll.needs else ""
        fell = f"{len(roll.dice)}d{roll.sides} {roll.label}: {' '.join(map(str, roll.dice))}"
        show(f"  record {roll.record}: {fell}{needs} ({roll.rule})")
        show(f"    {roll.command}")
    if found.procedures:
        show("\nthe procedures at work, outermost first")
    for frame in found.procedures:
        show(f"  {frame.procedure}: {plain(frame.summary)}")
    if found.rules:
        show("\nthe rules")
        show(facts([(f"  {rule}", text) for rule, text in sorted(found.rules.items())]))
