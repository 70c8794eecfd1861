"""Tune a bot's settings by play: simultaneous perturbation (SPSA: Spall 1992), in pairs of games with the same dice.

In each round all settings are moved at once, each up or down at random, and the bot plays itself with the opposite
moves. All settings then move toward the better side. The result is the mean of the later half of the rounds, which is
tested against the initial settings. Every round is a tournament in its own folder: it can be reported, replayed and
resumed. Nothing depends on the number of workers.
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
"""Distance at which a setting is tried, and its largest step, in the first round, as shares of its range."""

LESS_REACH, LESS_STEP = 0.101, 0.602
"""Exponents by which both shrink from round to round, as Spall recommends."""

STILL = 12
"""Number of rounds without a change of the rounded mean after which the tuning ends."""

ELO0, ELO1 = 0, 20


@dataclass(frozen=True)
class TunedSetting:
    """A setting with whole values from ``low`` to ``high``, and its initial value."""

    name: str
    low: int
    high: int
    start: int

    def clamped(self, value: float) -> float:
        """Return ``value`` limited to the range."""
        return min(float(self.high), max(float(self.low), value))


@dataclass(frozen=True)
class TuningPlan:
    """The settings of a bot to tune in a contest.

    It takes ``rounds`` of ``games`` games. ``final`` is the number of games in the final test.
    """

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
        """The folder of the final test.

        Its name contains its size, because a larger test is another tournament after the same rounds.
        """
        return f"test-{self.final}"


@dataclass(frozen=True)
class TuningRound:
    """A round: the settings of both opponents, the score of the first, the values after the round, and their mean."""

    number: int
    plus: dict[str, int]
    minus: dict[str, int]
    score: float
    values: dict[str, float]
    mean: dict[str, int]


@dataclass(frozen=True)
class Tuning:
    """The result of a tuning. ``test`` is the encounter of ``found`` with ``start``, or None if they are equal."""

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
    """Tune a bot and keep every round in ``folder``. ``seen`` is called with each round. Stored games are not replayed.

    Raises PlayError for settings that the bot does not take, and LogExists if the folder holds something else.
    """
    check_bot(plan, rulesets)
    start = {each.name: each.start for each in plan.settings}
    values = {name: float(value) for name, value in start.items()}
    past: list[dict[str, float]] = []
    rounds: list[TuningRound] = []

    def meet(name: str, first: Mapping[str, int], second: Mapping[str, int], games: int, stop: str = "") -> Encounter:
        text = _manifest(plan, name, first, second, games, stop)
        return _encounter(text, rulesets, folder / name, workers, plugins_dir)

    for number in range(1, plan.rounds + 1):
        plus, minus, coins = _perturbed(plan, values, number)
        score = meet(f"{number:04d}", plus, minus, plan.games).score
        size = STEP / (number + plan.rounds / 10) ** LESS_STEP
        for each in plan.settings:
            moved = size * (each.high - each.low) * (2 * score - 1) * coins[each.name]
            values[each.name] = each.clamped(values[each.name] + moved)
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
    """Raise PlayError if there is nothing to tune, or if the bot does not exist or does not take these settings.

    It is also raised for a ruleset that does not have two sides, because the bot plays against one opponent.

    Both ends of each range are tried, so that no round stops at a value that the bot refuses.
    """
    if not plan.settings:
        raise PlayError("no setting is named: name at least one to tune")
    prepared = rulesets.load(plan.ruleset).prepare(plan.scenario, plan.options)
    sides = prepared.ruleset.viewers
    if len(sides) != 2:
        raise PlayError(f"tuning is for two sides, and {plan.ruleset} has {len(sides)}: compare bots with `match`")
    admit(prepared.installed, [plan.bot])
    name_seats(prepared, dict.fromkeys(sides, plan.bot))
    player = makers(prepared.installed)[plan.bot](sides[0], Stream(b""), prepared.board)
    for ends in zip(*((each.start, each.low, each.high) for each in plan.settings), strict=True):
        names = (each.name for each in plan.settings)
        configured(player, Entrant(plan.bot, settings=dict(zip(names, ends, strict=True))))


def _perturbed(
    plan: TuningPlan, values: Mapping[str, float], number: int
) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Return the settings of both opponents in a round, and the coins: 1 if the first one's value is larger, or -1."""
    chance = Stream(key_from_seed(f"{plan.seed}/coins/{number}"))
    plus, minus, coins = {}, {}, {}
    for each in plan.settings:
        coins[each.name] = coin = 1 - 2 * chance.below(2)
        reach = max(1.0, REACH * (each.high - each.low) / number**LESS_REACH)
        plus[each.name] = round(each.clamped(values[each.name] + coin * reach))
        minus[each.name] = round(each.clamped(values[each.name] - coin * reach))
    return plus, minus, coins


def _mean(plan: TuningPlan, past: Sequence[Mapping[str, float]]) -> dict[str, int]:
    """Return the mean of the later half of the rounds, rounded."""
    late = past[len(past) // 2 :]
    return {each.name: round(sum(values[each.name] for values in late) / len(late)) for each in plan.settings}


def _manifest(
    plan: TuningPlan, name: str, first: Mapping[str, int], second: Mapping[str, int], games: int, stop: str
) -> str:
    """Return the manifest of a round. JSON strings are valid in TOML."""
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


def _encounter(text: str, rulesets: Rulesets, folder: Path, workers: int, plugins_dir: str | None) -> Encounter:
    """Play the missing games of a round, and return the encounter of both opponents."""
    manifest = TournamentManifest(text, str(Path.cwd()), parse_manifest(text, str(folder)))
    stage = set_stage(manifest.tournament, rulesets, manifest.base, str(folder), to_play=True, code=manifest.base)
    with Store.create(folder, manifest) as store:
        Runner(store, stage, plugins_dir, workers).run()
        tally = Tally(manifest.tournament)
        tally.add_stored(store.results(COLUMNS))
    return findings(tally).encounters[0]
