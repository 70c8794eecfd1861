"""Find the rules that bots use when they play: those that a record of their games cites.

A rule that no game cites may be one that is never cited, such as a definition or a prohibition. So the bots' games are
compared with as many random games: a rule counts as usable if either of them, or a recorded game, uses it.
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
    """A number of ``games`` of ``player`` ("" means the best of each seat) in every seat, on all scenarios in turn."""

    ruleset: str
    games: int
    seed: str
    player: str = ""
    plugins_dir: str | None = None


@dataclass(frozen=True)
class TouchRun(Batch[dict[str, Prepared], int, Counter[str]]):
    """The task of a worker."""

    plan: TouchPlan

    @property
    def key(self) -> object:
        """The plan, which identifies the task."""
        return self.plan

    def make_ready(self) -> dict[str, Prepared]:
        """Return the ruleset prepared for each of its scenarios."""
        return all_ready(Rulesets(self.plan.plugins_dir).load(self.plan.ruleset))

    def do(self, ready: dict[str, Prepared], item: int) -> Counter[str]:
        """Play game ``item`` and count the rules that its records cite."""
        prepared = list(ready.values())[item % len(ready)]
        seats = prepared.ruleset.seats
        named = {seat: self.plan.player or best_for(prepared.installed, seat) for seat in seats if seat != UMPIRE}
        names = name_seats(prepared, named)
        key = key_from_seed(f"{self.plan.seed}/{item + 1}")
        dice = make_dice("open", key)
        played = play_recorded(prepared, seat_players(prepared, names, key), dice, make_header(prepared, names, dice))
        return Counter(each.decode() for each in _CITED.findall(played.data))


def all_ready(installed: Installed) -> dict[str, Prepared]:
    """Return the ruleset prepared for each shipped scenario that ends by itself."""
    ready = {name: installed.prepare(name) for name in installed.scenario_ids()}
    return {name: each for name, each in ready.items() if not each.scenario.data["scenario"].get("endless")}


def touched(
    plan: TouchPlan, rulesets: Rulesets, *, workers: int = 1, seen: Callable[[int], object] = lambda _: None
) -> dict[str, int]:
    """Return the number of games of ``plan`` in which a record cites each rule id, the most frequent first.

    ``seen`` is called with the number of finished games. Raises PlayError for a player that cannot play.
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
    """Return the same games with random play."""
    return TouchPlan(plan.ruleset, plan.games, plan.seed, RANDOM, plan.plugins_dir)
