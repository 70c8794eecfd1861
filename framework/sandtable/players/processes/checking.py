"""The trials of ``sandtable bot check``: whether a program can enter a tournament, and if not, why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sandtable.journal.format.header import make_dice, make_header
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.game import Player
from sandtable.players.players import DEFAULT_PLAYER, name_seats, seat_players
from sandtable.players.processes.bot import ProcessBot
from sandtable.players.processes.limits import Limits, Verdict
from sandtable.players.processes.supervised import SupervisedBot, play_guarded
from sandtable.plugin.manager import Prepared

SLOW = 0.5
"""Share of the time for a decision above which a bot is warned."""


@dataclass(frozen=True)
class BotFinding:
    """The result of one trial: "ok", "warn" (it may enter) or "FAIL", with the observations."""

    mark: Literal["ok", "warn", "FAIL"]
    what: str
    seen: str


@dataclass(frozen=True)
class BotTrial:
    """One game of the bot, as ``side``, against random players."""

    ruleset: str
    side: str
    seed: str
    played: SupervisedBot
    verdict: Verdict
    decisions: int
    slowest: float
    start_seconds: float
    memory_kb: int
    left: bool
    tail: str


@dataclass(frozen=True)
class BotReport:
    """All findings and games."""

    findings: tuple[BotFinding, ...]
    trials: tuple[BotTrial, ...]

    @property
    def ok(self) -> bool:
        """Whether the bot may enter."""
        return all(each.mark != "FAIL" for each in self.findings)


def try_bot(
    command: Sequence[str],
    prepared: Sequence[Prepared],
    *,
    games: int = 4,
    limits: Limits | None = None,
    seed: str = "check",
    base: Path | None = None,
    seen: Callable[[BotTrial], None] | None = None,
) -> BotReport:
    """Let the bot play ``games`` games of each of ``prepared``, its sides in turn, and repeat the first one.

    It stops at the first fault, because repeating the fault shows nothing new. ``seen`` is called with each game.
    """
    limits = limits or Limits()
    trials: list[BotTrial] = []
    for each in prepared:
        for game in range(games):
            trials.append(play_trial(command, each, game, seed=seed, limits=limits, base=base))
            if seen is not None:
                seen(trials[-1])
            if trials[-1].verdict != "ok":
                return BotReport(tuple(_judge(trials, limits, is_same=None)), tuple(trials))
    repeated = play_trial(command, prepared[0], 0, seed=seed, limits=limits, base=base)
    is_same = repeated.played.recorded.head == trials[0].played.recorded.head
    return BotReport(tuple(_judge(trials, limits, is_same=is_same)), tuple(trials))


def play_trial(
    command: Sequence[str], prepared: Prepared, game: int, *, seed: str, limits: Limits, base: Path | None = None
) -> BotTrial:
    """Return game ``game`` (from 0) of the bot against random players. The bot plays the sides in turn."""
    ruleset = prepared.ruleset
    side = ruleset.viewers[game % len(ruleset.viewers)]
    text = f"{seed}/{game + 1}"
    key = key_from_seed(text)
    names = name_seats(prepared, dict.fromkeys(ruleset.viewers, DEFAULT_PLAYER))
    players: dict[str, Player] = dict(seat_players(prepared, names, key))
    with ProcessBot(command, prepared, side, Stream.for_player(key, side), limits, base=base) as bot:
        players |= {seat: bot for seat, owner in ruleset.seats.items() if owner == side}
        dice = make_dice("open", key)
        played = play_guarded(prepared, players, dice, make_header(prepared, names, dice))
    return BotTrial(
        ruleset=ruleset.id,
        side=side,
        seed=text,
        played=played,
        verdict=bot.verdict,
        decisions=bot.decisions,
        slowest=bot.slowest,
        start_seconds=bot.start_seconds,
        memory_kb=int(bot.exit_report.get("memory_kb", 0)),
        left=bot.exit_report.get("why") == "left",
        tail=bot.tail,
    )


def _judge(trials: Sequence[BotTrial], limits: Limits, *, is_same: bool | None) -> list[BotFinding]:
    """Return the findings, in the order in which an author would fix them."""
    last = trials[-1]
    fault = last.played.fault
    if fault is not None and fault.verdict == "start":
        return [BotFinding("FAIL", "starts", fault.reason)]
    longest = max(trial.start_seconds for trial in trials)
    found = [BotFinding("ok", "starts", f"ready after {1000 * longest:.0f} ms")] if longest else []
    where = f"{last.ruleset} as {last.side}, decision {last.decisions + 1}"
    if fault is not None:
        return [*found, BotFinding("FAIL", f"plays: {fault.verdict}", f"{where}: {fault.reason}")]
    decisions = sum(trial.decisions for trial in trials)
    found.append(BotFinding("ok", "plays", f"{len(trials)} complete games, {decisions} decisions, all legal"))
    slowest = max(trial.slowest for trial in trials)
    seen = f"{1000 * slowest:.0f} ms for its slowest decision, of {limits.seconds} s"
    found.append(BotFinding("warn" if slowest > SLOW * limits.seconds else "ok", "is in time", seen))
    memory = max(trial.memory_kb for trial in trials)
    much = memory > SLOW * limits.memory_mb * 1024
    found.append(BotFinding("warn" if much else "ok", "memory", f"{memory >> 10} MB of {limits.memory_mb} MB"))
    stayed = sum(not trial.left for trial in trials if trial.decisions)
    seen = f"did not exit within 1 s of the end in {stayed} games and was killed" if stayed else "after each game"
    found.append(BotFinding("warn" if stayed else "ok", "leaves", seen))
    seen = (
        "same game, same seed, same orders"
        if is_same
        else "different orders in the same game: use only the seed of hello"
    )
    found.append(BotFinding("ok" if is_same else "warn", "repeats itself", seen))
    return found
