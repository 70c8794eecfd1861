"""``sandtable odds``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sandtable.cli.context import CliContext, pairs, pass_setting, usage_errors
from sandtable.cli.output import say, show, show_json, table
from sandtable.errors import DataError, IllegalOrder, PlayError

if TYPE_CHECKING:
    from sandtable.plugin.manager import Installed


@click.command()
@click.argument("target", metavar="RULESET|LOG")
@click.option("--attack", metavar="FORCE", help="Of a ruleset: like uk:infantry=10,armour=5.")
@click.option("--defend", metavar="FORCE", help="Of a ruleset: like germany:infantry=10,armour=3.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="A rule or ruling to choose; repeat.")
@click.option("--at", "number", type=click.IntRange(0), metavar="N", help="Of a log: the roll in record N or after it.")
@click.option("--order", metavar="ORDER", help="Of a log: the dice of `SEAT: ORDER`, given after record N.")
@click.option("--to-question", is_flag=True, help="Of a log: go on to the next question, not to what happens first.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def odds(
    setting: CliContext,
    *,
    target: str,
    attack: str | None,
    defend: str | None,
    options: tuple[str, ...],
    number: int | None,
    order: str | None,
    to_question: bool,
    as_json: bool,
) -> None:
    """Compute how likely what is, by walking chance through the live rules.

    Of a RULESET: how a battle between two forces ends. Of a LOG: what a roll of its game may come to, or the dice that
    an order would bring about. Exact where the walk is not too large; otherwise sampled, and the answer says so with
    an interval.
    """
    if number is not None or Path(target).is_file():
        from sandtable.cli.desk.chances import odds_at  # noqa: PLC0415 - so that --help stays quick

        odds_at(setting, target, number, order, to_question=to_question, as_json=as_json)
        return
    for name, given in (("--attack", attack), ("--defend", defend)):
        if given is None:
            raise click.UsageError(f"Missing option '{name}'. Or name a log, and a record of it with --at.")
    _odds_of_battle(setting, target, attack or "", defend or "", options, as_json=as_json)


def _wanted(installed: "Installed") -> str:
    """Return what the hook itself says of the forces that it reads, in its first line; "" where it says nothing."""
    told = (getattr(installed.battles.odds, "function", None).__doc__ or "").strip().splitlines()
    return f". Its author says: {told[0]}" if told else ""


def _odds_of_battle(
    setting: CliContext, ruleset: str, attack: str, defend: str, options: tuple[str, ...], *, as_json: bool
) -> None:
    from sandtable.plugin.groups import nothing  # noqa: PLC0415
    from sandtable.plugin.importing import one_line  # noqa: PLC0415
    from sandtable.rules.chance.battles import battle_odds  # noqa: PLC0415 - so that --help stays quick

    installed = setting.rulesets.load(ruleset)
    chosen = pairs(options, "--option")
    with usage_errors():
        full = installed.full_options(chosen)
        try:
            battle = (installed.battles.odds or nothing)(attack, defend, full)
        except (PlayError, DataError, IllegalOrder):
            raise
        except Exception as error:
            problem = f"{ruleset} cannot read {attack!r} against {defend!r} as forces: {one_line(error)}"
            raise PlayError(f"{problem}{_wanted(installed)}") from error
    if battle is None:
        raise PlayError(f"{ruleset} has no battles whose odds could be computed: try a roll of a log, with --at")
    found = battle_odds(battle, installed.prepare("", chosen).ruleset)
    if as_json:
        show_json(found)
        return
    rows = [
        ("attacker wins", f"{found.attacker:.2%}"),
        ("defender wins", f"{found.defender:.2%}"),
        ("draw", f"{found.draw:.2%}"),
    ]
    show(table(("end", "likelihood"), rows, right=(1,)))
    show(f"{found.rounds:.2f} rounds on average")
    say(f"method: {found.method}")
