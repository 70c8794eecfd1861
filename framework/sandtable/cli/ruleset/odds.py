"""The command ``sandtable ruleset odds``."""

from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, usage_errors
from sandtable.cli.dispute.chances import odds_at
from sandtable.cli.inputs import pairs
from sandtable.cli.output import say, show, show_json, table
from sandtable.errors import DataError, IllegalOrder, PlayError
from sandtable.plugin.groups import nothing
from sandtable.plugin.importing import one_line
from sandtable.plugin.manager import Installed
from sandtable.rules.chance.battles import battle_odds


@click.command()
@click.argument("target", metavar="RULESET|LOG")
@click.option("--attack", metavar="FORCE", help="The attackers of a RULESET, such as uk:infantry=10,armor=5.")
@click.option("--defend", metavar="FORCE", help="The defenders of a RULESET, such as germany:infantry=10,armor=3.")
@arguments.options
@arguments.at("The record of a LOG with the roll, or the last one before it.", least=0)
@click.option("--order", metavar="ORDER", help="Compute the dice of `SEAT: ORDER`, given after that record of a LOG.")
@click.option("--until-decision", is_flag=True, help="Continue to the next decision of a LOG.")
@arguments.as_json
@pass_context
def odds(
    context: CliContext,
    *,
    target: str,
    attack: str | None,
    defend: str | None,
    options: tuple[str, ...],
    at: int | None,
    order: str | None,
    until_decision: bool,
    as_json: bool,
) -> None:
    """Compute the odds of a battle, a roll or an order.

    For a RULESET: how a battle between two forces ends. For a LOG: the possible results of a roll, or of the dice that
    an order would cause. The rules themselves are run. The odds are exact if there are few enough results; otherwise
    they are sampled, and an interval is given.
    """
    if at is not None or Path(target).is_file():
        odds_at(context, target, at, order, to_question=until_decision, as_json=as_json)
        return
    for name, given in (("--attack", attack), ("--defend", defend)):
        if given is None:
            raise click.UsageError(f"Missing option '{name}'. Or name a log, and one of its records with --at.")
    _odds_of_battle(context, target, attack or "", defend or "", options, as_json=as_json)


def _described(installed: Installed) -> str:
    """Return the first line of the hook's documentation, which describes its forces, or ""."""
    description = (getattr(installed.battles.odds, "function", None).__doc__ or "").strip().splitlines()
    return f". Its author says: {description[0]}" if description else ""


def _odds_of_battle(
    context: CliContext, ruleset: str, attack: str, defend: str, options: tuple[str, ...], *, as_json: bool
) -> None:

    installed = context.rulesets.load(ruleset)
    chosen = pairs(options, "--option")
    with usage_errors():
        full = installed.full_options(chosen)
        try:
            battle = (installed.battles.odds or nothing)(attack, defend, full)
        except (PlayError, DataError, IllegalOrder):
            raise
        except Exception as error:
            problem = f"{ruleset} cannot parse {attack!r} and {defend!r} as forces: {one_line(error)}"
            raise PlayError(f"{problem}{_described(installed)}") from error
    if battle is None:
        raise PlayError(f"{ruleset} cannot compute the odds of a battle: try a roll of a log, with --at")
    found = battle_odds(battle, installed.prepare("", chosen).ruleset)
    if as_json:
        show_json(found)
        return
    rows = [
        ("attacker wins", f"{found.attacker:.2%}"),
        ("defender wins", f"{found.defender:.2%}"),
        ("draw", f"{found.draw:.2%}"),
    ]
    show(table(("result", "probability"), rows, right=(1,)))
    show(f"{found.rounds:.2f} rounds on average")
    say(f"method: {found.method}")
