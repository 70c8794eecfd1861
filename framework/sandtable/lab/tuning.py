"""Tuning a bot's settings by play: simultaneous perturbation (SPSA: Spall 1992), in pairs of games with the same dice.

In each round all settings are moved at once, each up or down by the toss of a coin, and the bot plays itself with the
opposite moves; all settings then go some way towards who did better. What counts in the end is the mean of the later
half of the rounds, tested against the settings it began with. Every round is a tournament in a folder of its own: it
can be reported and played again, what was interrupted goes on, and nothing hangs on the number of workers.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sandtable.errors import PlayError
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.lab.plan import Entrant
from sandtable.lab.ratings.findings import findings
from sandtable.lab.ratings.results import COLUMNS, Tally
from sandtable.lab.ratings.scores import Encounter
from sandtable.lab.tournament.manifest import TournamentManifest, parse_manifest
from sandtable.lab.tournament.preparing import configured, set_stage
from sandtable.lab.tournament.running import Runner
from sandtable.lab.tournament.store import Store
from sandtable.players.players import admit, makers, name_seats
from sandtable.plugin.manager import Rulesets

REACH, STEP = 0.15, 0.5
"""Of its range, how far a setting is moved to try, and how far it goes at most, in the first round."""

LESS_REACH, LESS_STEP = 0.101, 0.602
"""The powers by which both grow less from round to round, as Spall advises."""

STILL = 12
"""Where the mean of all settings, in whole numbers, has stood still for so many rounds, it is found."""

ELO0, ELO1 = 0, 20


@dataclass(frozen=True)
class TunedSetting:
    """A setting, a whole number from ``low`` to ``high``, and where it begins."""

    name: str
    low: int
    high: int
    start: int

    def held(self, value: float) -> float:
        """Return ``value``, or the end of the range beyond which it lies."""
        return min(float(self.high), max(float(self.low), value))


@dataclass(frozen=True)
class TuningPlan:
    """What is tuned: a bot's ``settings`` in a contest, by ``rounds`` of ``games``; ``final`` are those of the test."""

    ruleset: str
    bot: str
    settings: tuple[TunedSetting, ...]
    seed: str
    rounds: int = 40
    games: int = 20
    final: int = 400
    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)

    @property
    def test(self) -> str:
        """The folder of the test: one with more games is another tournament, and the rounds are the same."""
        return f"test-{self.final}"


@dataclass(frozen=True)
class TuningRound:
    """A round: the settings of both, the score of the first, and where all settings stand after it, and on average."""

    number: int
    plus: dict[str, int]
    minus: dict[str, int]
    score: float
    values: dict[str, float]
    mean: dict[str, int]


@dataclass(frozen=True)
class Tuning:
    """What came of it; ``test`` is the meeting of ``found`` with ``start``, None where they are the same."""

    start: dict[str, int]
    found: dict[str, int]
    rounds: tuple[TuningRound, ...]
    test: Encounter | None


def tune(
    plan: TuningPlan,
    rulesets: Rulesets,
    folder: Path,
    *,
    workers: int = 1,
    plugins_dir: str | None = None,
    seen: Callable[[TuningRound], object] = lambda _: None,
) -> Tuning:
    """Tune, keeping every round in ``folder``; ``seen`` is told of each. What is there already is not played again.

    Raises PlayError for settings that the bot does not take, LogExists where the folder holds something else.
    """
    check_bot(plan, rulesets)
    start = {each.name: each.start for each in plan.settings}
    values = {name: float(value) for name, value in start.items()}
    past: list[dict[str, float]] = []
    rounds: list[TuningRound] = []

    def meet(name: str, first: Mapping[str, int], second: Mapping[str, int], games: int, stop: str = "") -> Encounter:
        text = _manifest(plan, name, first, second, games, stop)
        return _played(text, rulesets, folder / name, workers, plugins_dir)

    for number in range(1, plan.rounds + 1):
        plus, minus, coins = _tried(plan, values, number)
        score = meet(f"{number:04d}", plus, minus, plan.games).score
        size = STEP / (number + plan.rounds / 10) ** LESS_STEP
        for each in plan.settings:
            moved = size * (each.high - each.low) * (2 * score - 1) * coins[each.name]
            values[each.name] = each.held(values[each.name] + moved)
        past.append(dict(values))
        rounds.append(TuningRound(number, plus, minus, score, dict(values), _mean(plan, past)))
        seen(rounds[-1])
        if len(rounds) > STILL and all(each.mean == rounds[-1].mean for each in rounds[-STILL:]):
            break
    found = rounds[-1].mean
    stop = f"[stop]\nelo0 = {ELO0}\nelo1 = {ELO1}\n"
    test = None if found == start else meet(plan.test, found, start, plan.final, stop)
    return Tuning(start, found, tuple(rounds), test)


def check_bot(plan: TuningPlan, rulesets: Rulesets) -> None:
    """Raise PlayError where there is nothing to tune, no such bot, or one that does not take these settings.

    Both ends of each range are tried, so that no round stops at a value that the bot refuses.
    """
    if not plan.settings:
        raise PlayError("no setting is named: nothing can be tuned")
    prepared = rulesets.load(plan.ruleset).prepare(plan.scenario, plan.options)
    admit(prepared.installed, [plan.bot])
    name_seats(prepared, dict.fromkeys(prepared.ruleset.viewers, plan.bot))
    player = makers(prepared.installed)[plan.bot](prepared.ruleset.viewers[0], Stream(b""), prepared.board)
    for ends in zip(*((each.start, each.low, each.high) for each in plan.settings), strict=True):
        names = (each.name for each in plan.settings)
        configured(player, Entrant(plan.bot, settings=dict(zip(names, ends, strict=True))))


def _tried(
    plan: TuningPlan, values: Mapping[str, float], number: int
) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Return the settings of both who meet in a round, and the coins: 1 where the first has the larger one, else -1."""
    chance = Stream(key_from_seed(f"{plan.seed}/coins/{number}"))
    plus, minus, coins = {}, {}, {}
    for each in plan.settings:
        coins[each.name] = coin = 1 - 2 * chance.below(2)
        reach = max(1.0, REACH * (each.high - each.low) / number**LESS_REACH)
        plus[each.name] = round(each.held(values[each.name] + coin * reach))
        minus[each.name] = round(each.held(values[each.name] - coin * reach))
    return plus, minus, coins


def _mean(plan: TuningPlan, past: Sequence[Mapping[str, float]]) -> dict[str, int]:
    """Return the mean of the later half of the rounds, in whole numbers."""
    late = past[len(past) // 2 :]
    return {each.name: round(sum(values[each.name] for values in late) / len(late)) for each in plan.settings}


def _manifest(
    plan: TuningPlan, name: str, first: Mapping[str, int], second: Mapping[str, int], games: int, stop: str
) -> str:
    """Return the manifest of a round; JSON's texts are TOML's."""
    quoted = json.dumps
    lines = ["[tournament]", f"title = {quoted(f'{plan.bot}: {name}'[:60])}", f"seed = {quoted(f'{plan.seed}/{name}')}"]
    lines += [f"games = {games}", "[[contest]]", f"ruleset = {quoted(plan.ruleset)}"]
    lines += [f"scenario = {quoted(plan.scenario)}"] if plan.scenario else []
    lines += ["[contest.options]"] if plan.options else []
    lines += [f"{quoted(key)} = {quoted(value)}" for key, value in plan.options.items()]
    for who, settings in (("first", first), ("second", second)):
        lines += ["[[entrant]]", f'name = "{who}"', f"player = {quoted(plan.bot)}", "[entrant.settings]"]
        lines += [f"{quoted(key)} = {value}" for key, value in settings.items()]
    return "\n".join([*lines, stop])


def _played(text: str, rulesets: Rulesets, folder: Path, workers: int, plugins_dir: str | None) -> Encounter:
    """Play a round, or what is missing of it, and return how the two met."""
    manifest = TournamentManifest(text, str(Path.cwd()), parse_manifest(text, str(folder)))
    stage = set_stage(manifest.tournament, rulesets, manifest.base, str(folder), to_play=True, code=manifest.base)
    with Store.create(folder, manifest) as store:
        Runner(store, stage, plugins_dir, workers).run()
        tally = Tally(manifest.tournament)
        tally.add_stored(store.results(COLUMNS))
    return findings(tally).encounters[0]
