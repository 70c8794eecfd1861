"""``sandtable ruleset odds``."""

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
@click.option("--attack", metavar="FORCE", help="Of a ruleset: like uk:infantry=10,armour=5.")
@click.option("--defend", metavar="FORCE", help="Of a ruleset: like germany:infantry=10,armour=3.")
@arguments.options
@arguments.at("Of a log: the roll in this record or after it.", least=0)
@click.option("--order", metavar="ORDER", help="Of a log: the dice of `SEAT: ORDER`, given after that record.")
@click.option("--until-decision", is_flag=True, help="Of a log: continue to the next decision.")
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
    """Compute how likely what is, by walking chance through the live rules.

    Of a RULESET: how a battle between two forces ends. Of a LOG: what a roll of its game may come to, or the dice that
    an order would bring about. Exact where the walk is not too large; otherwise sampled, and the answer says so with
    an interval.
    """
    if at is not None or Path(target).is_file():
        odds_at(context, target, at, order, to_question=until_decision, as_json=as_json)
        return
    for name, given in (("--attack", attack), ("--defend", defend)):
        if given is None:
            raise click.UsageError(f"Missing option '{name}'. Or name a log, and a record of it with --at.")
    _odds_of_battle(context, target, attack or "", defend or "", options, as_json=as_json)


def _wanted(installed: Installed) -> str:
    """Return what the hook itself says of the forces that it reads, in its first line; "" where it says nothing."""
    told = (getattr(installed.battles.odds, "function", None).__doc__ or "").strip().splitlines()
    return f". Its author says: {told[0]}" if told else ""


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
