"""What a tournament is, a game of it, and what came of that game: plain data that any process can be told."""

from dataclasses import dataclass, field
from typing import Literal

from sandtable.players.processes.limits import Budget, Verdict

Scheduling = Literal["round_robin", "gauntlet", "swiss"]

Keeping = Literal["orders", "full"]
"""What is kept of a game's log: what its players chose, from which the rules make the rest again, or every record."""


@dataclass(frozen=True)
class Entrant:
    """Who takes part: a name, and either players of the rulesets by name (``"*"``: wherever it exists) or a command.

    ``settings`` are told to a search player: ``nodes``, for one.
    """

    name: str
    players: dict[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    settings: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Contest:
    """What is played: a ruleset, with variants as in ``toy+dusk``, a scenario ("" the usual one), options."""

    ruleset: str
    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StopRule:
    """When a pairing needs no more games: a sequential test of ``elo0`` against ``elo1``; none if both are equal."""

    elo0: int = 0
    elo1: int = 0
    alpha_milli: int = 50
    beta_milli: int = 50


@dataclass(frozen=True)
class Tournament:
    """A tournament. ``games`` a pairing and contest, an even number; ``rounds`` of a Swiss event; ``dice`` as in a log.

    ``logs`` is what is kept of them. ``digest`` is the SHA-256 of the manifest's canonical tables: a folder belongs to
    one of them for good.
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
    """One game: its number from 0, what is played, and which entrant sits for which side.

    Games of one ``pair`` have the same dice ``seed``, with the sides swapped, or rotated where there are more than two.
    """

    number: int
    round: int
    pair: int
    contest: int
    seed: str
    lineup: dict[str, str]


@dataclass(frozen=True)
class Row:
    """What came of a game. ``verdicts`` and ``decisions`` are by entrant, ``nodes`` by those who search.

    ``outcome`` is a side or "draw", ``winner`` the entrant that sat there ("" for a draw). A win is a point, a draw of
    n is 1/n for each. Who forfeits loses: of two the other wins, of more it is a draw of the others: 1/(n - 1) each.
    ``head`` is the log's last hash.
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


@dataclass(frozen=True)
class Forfeit:
    """Why an entrant forfeited a game: the verdict, the reason in a sentence, and the last that his program wrote."""

    game: int
    entrant: str
    side: str
    verdict: str
    reason: str
    tail: str = ""


@dataclass(frozen=True)
class Clock:
    """What an entrant's decisions in a contest took of the processor, in all games of it that were played."""

    contest: int
    entrant: str
    games: int
    decisions: int
    nanoseconds: int


@dataclass(frozen=True)
class Annex:
    """What is told of a tournament beside its results: it hangs on the machine and the day, and no result hangs on it.

    ``began`` and ``last`` are when the first and the latest games were stored, ``surroundings`` the versions and hashes
    of what was played with, ``command`` how it is played again from ``manifest``, the file's text. ``reasons`` counts
    forfeits alike (entrant, verdict, reason), the commonest first; ``faults`` are the first of them, one by one.
    """

    began: str = ""
    last: str = ""
    command: str = ""
    manifest: str = ""
    surroundings: dict[str, str] = field(default_factory=dict)
    reasons: tuple[tuple[str, str, str, int], ...] = ()
    faults: tuple[Forfeit, ...] = ()
    clocks: tuple[Clock, ...] = ()
