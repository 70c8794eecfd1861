"""Which rules bots meet when they play: those that a record of their games cites.

A rule that no game cites may be one that is cited nowhere, a definition or a bar. So each bot's games are held against
as many of players by chance: what either touches, or a recorded game, can be touched.
"""

import re
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_recorded
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import best_for, name_seats, seat_players
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.plugin.manifest import RANDOM
from sandtable.workers.tasks import Batch, Scheduler, Workload, have_ready

_CITED = re.compile(rb'"rule":"([^"]+)"')


@dataclass(frozen=True)
class TouchPlan:
    """So many ``games`` of ``player`` ("" the best of each seat) in every seat, over all scenarios in turn."""

    ruleset: str
    games: int
    seed: str
    player: str = ""
    plugins_dir: str | None = None


@dataclass(frozen=True)
class TouchRun(Batch[dict[str, Prepared], int, Counter[str]]):
    """What a worker is told."""

    plan: TouchPlan

    @property
    def key(self) -> object:
        """The plan."""
        return self.plan

    def make_ready(self) -> dict[str, Prepared]:
        """Return the ruleset made ready for each of its scenarios."""
        return all_ready(Rulesets(self.plan.plugins_dir).load(self.plan.ruleset))

    def do(self, ready: dict[str, Prepared], item: int) -> Counter[str]:
        """Play game ``item`` and count what its records cite."""
        prepared = list(ready.values())[item % len(ready)]
        seats = prepared.ruleset.seats
        named = {seat: self.plan.player or best_for(prepared.installed, seat) for seat in seats if seat != UMPIRE}
        names = name_seats(prepared, named)
        key = key_from_seed(f"{self.plan.seed}/{item + 1}")
        dice = make_dice("open", key)
        played = play_recorded(prepared, seat_players(prepared, names, key), dice, make_header(prepared, names, dice))
        return Counter(each.decode() for each in _CITED.findall(played.data))


def all_ready(installed: Installed) -> dict[str, Prepared]:
    """Return the ruleset made ready for each shipped scenario that ends by itself."""
    ready = {name: installed.prepare(name) for name in installed.scenario_ids()}
    return {name: each for name, each in ready.items() if not each.scenario.data["scenario"].get("endless")}


def touched(
    plan: TouchPlan, rulesets: Rulesets, *, workers: int = 1, seen: Callable[[int], object] = lambda _: None
) -> dict[str, int]:
    """Return by rule id in how many of the games of ``plan`` a record cites it, most often first.

    ``seen`` is told how many games are done. Raises PlayError for a player that cannot play.
    """
    ready = all_ready(rulesets.load(plan.ruleset))
    job, games = TouchRun(plan), Counter[str]()
    have_ready(job, ready)
    done = 0

    def take(_: tuple[int, ...], results: list[Counter[str]]) -> None:
        nonlocal done
        for result in results:
            games.update(result.keys())
        done += len(results)
        seen(done)

    with ExitStack() as leaving:
        Scheduler(leaving, ready.values(), workers).run(
            Workload(iter(range(plan.games)), plan.games, lambda _: job, take)
        )
    return dict(games.most_common())


def by_chance(plan: TouchPlan) -> TouchPlan:
    """Return the same games, played by chance."""
    return TouchPlan(plan.ruleset, plan.games, plan.seed, RANDOM, plan.plugins_dir)
