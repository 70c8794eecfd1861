"""The command ``sandtable explain``."""

from collections.abc import Sequence
from typing import Any

import click
from msgspec import json, to_builtins

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.inputs import open_log, own_part, say_verdict
from sandtable.cli.output import facts, show, show_json
from sandtable.journal.branching.answers import Decided
from sandtable.journal.branching.chances import faces_told
from sandtable.journal.explain import ExplainedCell, ExplainedRoll, Explanation, explained


@click.command()
@arguments.log
@arguments.at("The record to explain.", required=True)
@arguments.side(default="")
@arguments.as_json
@pass_context
def explain(context: CliContext, log: str, at: int, side: str, as_json: bool) -> None:
    """Show why a record of LOG happened: its rule, the order behind it, the alternatives, the rolls and other rules."""
    read, prepared = open_log(context, log, at, doubts=False)
    own_part(read, prepared, side or None)
    found, verdict = explained(read, at, context.rulesets, side)
    say_verdict(verdict)
    if as_json:
        show_json(found)
    else:
        _show(found)


def _show_calculations(calculations: Sequence[Any], cells: tuple[ExplainedCell, ...]) -> None:
    """Print how the figures of an event were calculated: one line per sum, then the table cell and its neighbors."""
    found = {(each.name, each.table): each for each in cells}
    for each in calculations:
        steps = [f"{what} {amount:+d} ({rule})" for what, amount, rule in each.get("steps", ())]
        total = sum(amount for _, amount, _ in each.get("steps", ()))
        figure = f" = {total}" if steps else ""
        cell = found.get((each["name"], tuple(each.get("table", ()))))
        looked_up = f"  in {', '.join(part for part in each['table'] if part)}" if each.get("table") else ""
        value = f": {cell.value}" if cell is not None and cell.value else ""
        told = f"{', '.join(steps)}{figure}{looked_up}{value}".strip()
        show(f"  {each['name']}: {told}")
        if cell is not None and cell.near:
            neighbors = "; ".join(f"{heading}: {told}" for heading, told in cell.near.items())
            show(f"    {'neighbors: ' if cell.value else ''}{neighbors}")


def _show_what(found: Explanation) -> None:

    _head("what")
    for key, value in found.what.items():
        content = value.items() if isinstance(value, dict) else [(key, value)]
        for name, each in content:
            if name != "calculations":
                show(f"  {name}: {json.encode(each).decode()}")
            elif each:
                _show_calculations(each, found.cells)
    _show_calculations(to_builtins(found.sums), found.cells)


def _show(found: Explanation) -> None:
    rule = [("by rule", f"{found.rule}: {found.rules.get(found.rule, 'not in the index')}")] if found.rule else []
    show(
        facts(
            [
                ("record", f"{found.record}, {found.kind}"),
                ("when", _when(found)),
                *rule,
                *([("in words", found.told)] if found.told else []),
            ]
        )
    )
    _show_what(found)
    for each in found.decided:
        _show_order(each, own=each.record == found.record)
    if found.kind == "seal":
        _head("a seal: the digest of the state at the end of a phase, by no rule of the game (log format, section 4)")
    elif not found.decided:
        _head("caused by no single order: it follows from the sequence of play")
    if found.rolls and found.kind == "roll":
        _head("the result, and the alternatives")
    elif found.rolls:
        _head("the preceding roll" if len(found.rolls) == 1 else "the preceding rolls")
    for roll in found.rolls:
        _show_roll(roll)
    if found.procedures:
        _head("the active procedures, outermost first")
    for frame in found.procedures:
        show(f"  {frame.procedure}: {frame.summary}")
    others = [(f"  {rule}", text) for rule, text in sorted(found.rules.items()) if rule != found.rule]
    if others:
        _head("other cited rules")
        show(facts(others))


def _show_roll(roll: ExplainedRoll) -> None:
    """Print the result of a roll, the command that reproduces it, and the results of other faces."""
    if not roll.dice:
        show(f"  record {roll.record}: {roll.label} needs no die, but the roll is recorded ({roll.rule})")
        return
    needs = f", needing {' '.join(map(str, roll.needs))}" if roll.needs else ""
    fell = f"{len(roll.dice)}d{roll.sides} {roll.label}: {' '.join(map(str, roll.dice))}"
    show(f"  record {roll.record}: {fell}{needs} ({roll.rule})")
    show(f"    {roll.command}")
    _show_faces(roll)


def _show_faces(roll: ExplainedRoll) -> None:
    """Print the result of each face. If all faces have the same result, print that the dice could not matter."""
    if len(roll.otherwise) == 1:
        (row,) = roll.otherwise
        is_all = len(row.faces) == roll.sides ** len(roll.dice)
        dice = ("the die" if len(roll.dice) == 1 else "these dice") if is_all else "no single die"
        show(f"    {dice} could {'not ' * is_all}matter: every face gives {row.told}")
        return
    if any(row.die for row in roll.otherwise):
        show("    each die changed alone; faces that are not listed do not change the result:")
    for row in roll.otherwise:
        if not (row.die and row.fell):
            show(f"    {faces_told(row, roll.units)}{' (rolled)' if row.fell else ''}: {row.told}")


def _when(found: Explanation) -> str:
    turn = [f"turn {found.turn}"] if found.turn else []
    before, after = found.between
    if found.phase:
        where = found.phase
    elif before and after:
        where = f"between the phases {before} and {after}"
    else:
        where = f"after the phase {before}" if before else "before the first phase"
    return ", ".join([*turn, where])


def _show_order(each: Decided, *, own: bool) -> None:
    """Print an order, the decision it answered, and the alternatives."""
    if not own:
        _head(f"decided by record {each.record}, {each.by}: {json.encode(each.order).decode()}")
    else:
        show()
    if each.asked:
        show(f"  decision: {each.asked}" + (f" ({each.rule})" if each.rule else ""))
    if each.instead:
        show(f"  this would have changed it: {json.encode(each.instead).decode()}")
    for other in each.others:
        show(f"  could also: {json.encode(other).decode()}")
    if each.more:
        show("    and more")
    if each.only:
        show("    no alternative was legal")


def _head(text: str) -> None:
    show()
    show(text)
