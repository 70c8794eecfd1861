"""``sandtable odds``."""

import click

from sandtable.cli.output import say, show, show_json, table
from sandtable.cli.setting import Setting, pairs, pass_setting, usage_errors
from sandtable.errors import PlayError


@click.command()
@click.argument("ruleset")
@click.option("--attack", required=True, metavar="FORCE", help="Like uk:infantry=10,armour=5.")
@click.option("--defend", required=True, metavar="FORCE", help="Like germany:infantry=10,armour=3.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="A rule or ruling to choose; repeat.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def odds(setting: Setting, ruleset: str, attack: str, defend: str, options: tuple[str, ...], as_json: bool) -> None:
    """Compute how a battle of RULESET ends, by walking chance through its live rules.

    Exact where the walk is not too large; otherwise battles are sampled, and the answer says so with an interval.
    """
    from sandtable.arena.odds import battle_odds  # noqa: PLC0415 - so that --help stays quick
    from sandtable.plugin.importing import one_line  # noqa: PLC0415

    installed = setting.rulesets.load(ruleset)
    chosen = pairs(options, "--option")
    with usage_errors():
        full = installed.full_options(chosen)
        try:
            battle = installed.hook.ruleset_battle(attack=attack, defend=defend, options=full)
        except (ValueError, LookupError) as error:
            problem = f"{ruleset} cannot read {attack!r} against {defend!r} as forces: {one_line(error)}"
            raise PlayError(problem) from error
    if battle is None:
        raise PlayError(f"{ruleset} has no battles whose odds could be computed")
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
