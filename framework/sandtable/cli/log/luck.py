"""The command ``sandtable log luck``."""

from collections.abc import Sequence

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, usage_errors
from sandtable.cli.inputs import say_verdict
from sandtable.cli.output import picked, say, show, show_json, table
from sandtable.journal.luck.dice_fairness import Faces, summed
from sandtable.journal.luck.logs import LogLedger, read_ledgers
from sandtable.journal.luck.tables import TableSheet
from sandtable.quoting import count


@click.command()
@arguments.logs
@click.option("--rolls", is_flag=True, help="Also list every roll.")
@click.option("--faces", is_flag=True, help="Count the faces of all dice, and test whether the dice are fair.")
@arguments.side("Count only the rolls that this side saw (default: all that the log shows).")
@arguments.as_json
@pass_context
def luck(
    context: CliContext, *, logs: tuple[str, ...], rolls: bool, faces: bool, side: str | None, as_json: bool
) -> None:
    """Show the luck of each side in LOGS by comparing every roll with its expectation.

    Several logs are summed. A roll that is in several logs of one game, or in a branch of it, counts once. Faces set
    for a branch do not count.

    Luck is counted in hits: a die that shows its best face is a hit, one that shows its worst face a miss. The rules
    are run again, because only they know which side a roll favors. A roll that favors no side is not counted for
    either.
    """
    from sandtable.journal.luck import tables as ledger

    with usage_errors():
        found = read_ledgers(logs, context.rulesets, side)
    for each in found:
        if each.verdict is not None:
            say_verdict(each.verdict)
    _say_notes(found)
    names = dict.fromkeys(each.ruleset for each in found)
    every = {name: [entry for each in found if each.ruleset == name for entry in each.entries] for name in names}
    sums = {name: ledger.by_side(entries) for name, entries in every.items()}
    if as_json:
        each_log = [
            {
                "log": each.log,
                "ruleset": each.ruleset,
                **picked(each, "game is_branch shared faces_set"),
                "luck": ledger.by_side(each.entries),
                **({"rolls": [ledger.facts(entry) for entry in each.entries]} if rolls else {}),
            }
            for each in found
        ]
        counted = {"faces": [_facts(each) for each in _faces(found)]} if faces else {}
        show_json({"logs": each_log, "luck": sums, **counted})
        return
    if rolls:
        for each in found:
            say(f"{each.log}:")
            _show(ledger.rolls(each.entries))
            show("")
    for name, sides in sums.items():
        neutral = sum(not entry.side for entry in every[name])
        games = _games([each for each in found if each.ruleset == name])
        say(f"{name}, {games}, {count(len(every[name]), 'roll')}, {neutral:,} of them favor no side:")
        _show(ledger.luck(sides))
    if faces:
        _show_faces(_faces(found))


def _say_notes(found: Sequence[LogLedger]) -> None:
    """Print the notes on each log, and which of its rolls are not counted."""
    for each in found:
        if each.note:
            say(each.note)
        if each.shared:
            say(f"{each.log}: {count(each.shared, 'roll')} also in {' and '.join(each.same_as)}; counted once")
        if each.faces_set:
            say(f"{each.log}: {count(each.faces_set, 'roll')} with faces set for the branch; not counted")


def _games(found: Sequence[LogLedger]) -> str:
    """Return the number of games and branches in the logs, in words."""
    games, branches = len({each.game for each in found}), sum(each.is_branch for each in found)
    return count(games, "game") + (f" with {count(branches, 'branch', 'branches')}" if branches else "")


def _faces(found: list[LogLedger]) -> list[Faces]:

    return summed([each for ledger in found for each in ledger.faces])


def _facts(each: Faces) -> dict[str, object]:
    return {"maker": each.maker or "key", **picked(each, "side sides counts chi_squared chance")}


def _show_faces(found: list[Faces]) -> None:
    """Print face counts and test results of each maker's dice: of all rolls, and of those that favor a side."""
    rows = [
        (
            each.maker or "the key",
            each.side or "all",
            f"d{each.sides}",
            " ".join(map(str, each.counts)) if each.sides <= 20 else f"{each.dice} dice",
            f"{each.chi_squared:.1f}",
            each.sides - 1,
            "" if each.chance is None else f"{each.chance:.2g}",
            each.verdict,
        )
        for each in found
    ]
    show("")
    heads = ("dice by", "for", "die", "faces 1, 2, ..", "chi-squared", "degrees", "chance", "verdict")
    show(table(heads, rows, right=(4, 5, 6)))


def _show(sheet: TableSheet) -> None:
    show(table(sheet.headings, sheet.rows, right=sheet.right) if sheet.rows else "no dice")
