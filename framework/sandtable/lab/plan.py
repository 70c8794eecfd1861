"""Plain data that describes a tournament, its games and their results, for use in any process."""

from dataclasses import dataclass, field
from typing import Literal

from sandtable.players.processes.limits import Budget, Verdict

Scheduling = Literal["round_robin", "gauntlet", "swiss"]

Keeping = Literal["orders", "full"]
"""The part of a game's log that is stored: the orders, from which the rules recompute the rest, or every record."""


@dataclass(frozen=True)
class Entrant:
    """A participant: a name, and either players by ruleset (``"*"``: any ruleset that has this player) or a command.

    ``settings`` are passed to a search player, for example ``nodes``.
    """

    name: str
    players: dict[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    settings: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Contest:
    """A ruleset, with variants as in ``toy+dusk``, a scenario ("": the default) and options."""

    ruleset: str
    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StopRule:
    """A sequential test of ``elo0`` against ``elo1`` that ends a pairing early. Equal values mean no stop rule."""

    elo0: int = 0
    elo1: int = 0
    alpha_milli: int = 50
    beta_milli: int = 50


@dataclass(frozen=True)
class Tournament:
    """A tournament.

    ``games`` is the number of games per table and contest, rounded up to whole sets, ``rounds`` the number of Swiss
    rounds, and ``dice`` the dice mode of the logs. ``logs`` is the part of each log that is stored. ``digest`` is the
    SHA-256 of the manifest's canonical tables: a folder holds one tournament permanently.
    """

    title: str
    seed: str
    entrants: tuple[Entrant, ...]
    contests: tuple[Contest, ...]
    scheduling: Scheduling = "round_robin"
    games: int = 2
    rounds: int = 0
    dice: str = "open"
    logs: Keeping = "orders"
    budget: Budget = field(default_factory=Budget)
    stop: StopRule = StopRule()
    digest: str = ""


@dataclass(frozen=True)
class GamePlan:
    """One game: its number from 0, its contest, and the entrant of each side.

    The games of one ``pair`` have the same dice ``seed``, with the sides swapped, or rotated if there are more than
    two.
    """

    number: int
    round: int
    pair: int
    contest: int
    seed: str
    lineup: dict[str, str]


@dataclass(frozen=True)
class Row:
    """The result of a game. ``verdicts`` and ``decisions`` are by entrant, ``nodes`` by entrant that searches.

    ``outcome`` is a side or "draw", ``winner`` the entrant of that side ("" for a draw). ``shares`` are those of the
    sides in thousandths, or {} if they follow from the outcome. An entrant that forfeits loses: with two sides the
    other one wins, with n sides the others draw for 1/(n - 1) each. ``head`` is the log's last hash.
    """

    number: int
    outcome: str
    winner: str
    ending: str
    turns: int
    records: int
    head: str
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    decisions: dict[str, int] = field(default_factory=dict)
    luck_milli: dict[str, int] = field(default_factory=dict)
    nodes: dict[str, int] = field(default_factory=dict)
    shares: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Forfeit:
    """A forfeit: its verdict, the reason in one sentence, and the last lines that the entrant's program wrote."""

    game: int
    entrant: str
    side: str
    verdict: str
    reason: str
    tail: str = ""


@dataclass(frozen=True)
class Clock:
    """Processor time of an entrant's decisions in a contest, over all its games that were played."""

    contest: int
    entrant: str
    games: int
    decisions: int
    nanoseconds: int


@dataclass(frozen=True)
class Annex:
    """Facts about a tournament besides its results. They depend on the machine and the day; no result depends on them.

    ``began`` and ``last`` are the times when the first and the latest games were stored. ``surroundings`` holds
    versions and hashes of the installed code that was used. ``command`` replays the tournament from ``manifest``, the
    text of the file. ``reasons`` counts equal forfeits (entrant, verdict, reason), the most common first. ``faults``
    lists the first forfeits individually.
    """

    began: str = ""
    last: str = ""
    command: str = ""
    manifest: str = ""
    surroundings: dict[str, str] = field(default_factory=dict)
    reasons: tuple[tuple[str, str, str, int], ...] = ()
    faults: tuple[Forfeit, ...] = ()
    clocks: tuple[Clock, ...] = ()
