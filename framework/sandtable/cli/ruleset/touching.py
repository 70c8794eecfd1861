"""``sandtable rules --touched``: which rules the bots meet when they play."""

from pathlib import Path

from sandtable.arena.touched import TouchPlan, by_chance, touched
from sandtable.cli.output import count, say, show, show_json, table
from sandtable.cli.ruleset.rule_tests import times_recorded
from sandtable.cli.series.match import cores, progress
from sandtable.cli.setting import Setting, seed_or_fresh


def show_touched(
    setting: Setting,
    ruleset: str,
    games: int,
    *,
    player: str,
    seed: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Play and show which rules were met; raises PlayError for a player that the ruleset has not."""
    installed = setting.rulesets.load(ruleset)
    seed, fresh = seed_or_fresh(seed)
    if fresh:
        say(f"seed: {seed}")
    plan = TouchPlan(ruleset, games, seed, player, setting.plugins_dir)
    found = []
    for each in (plan, by_chance(plan)):
        with progress(games) as seen:
            found.append(touched(each, setting.rulesets, workers=workers or cores(), seen=seen))
    own, chance = found
    recorded = times_recorded(Path(installed.module.__file__ or ".").parent, installed.manifest.id)
    acting = {row.id: row.text for row in installed.hook.ruleset_index() or () if row.state != "info"}
    possible = [ident for ident in acting if ident in own or ident in chance or ident in recorded]
    missed = [ident for ident in possible if ident not in own]
    if as_json:
        show_json(
            {
                "games": games,
                "seed": seed,
                "can_be_touched": len(possible),
                "touched": len(possible) - len(missed),
                "rows": [
                    {"id": each, "games": own.get(each, 0), "by_chance": chance.get(each, 0)} for each in possible
                ],
            }
        )
        return
    if missed:
        cells = [(each, chance.get(each, 0) or "", recorded.get(each, 0) or "", acting[each]) for each in missed]
        show(table(("not touched", "games by chance", "recorded", "in our words"), cells, right=(1, 2)))
    share = f" ({(len(possible) - len(missed)) / len(possible):.1%})" if possible else ""
    who = player or "the usual bots"
    say(
        f"{count(games, 'game')} of {who} touch {len(possible) - len(missed)} of {count(len(possible), 'rule')}{share} "
        f"that can be touched; the others of {len(acting)} are cited by no record, of these games, of recorded ones, "
        "or of as many by chance"
    )
