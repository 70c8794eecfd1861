"""Findings of an invented tournament with everything that a report can show."""

from collections.abc import Callable

import pytest

from sandtable.kernel.dice import Stream
from sandtable.lab.plan import Annex, Clock, Contest, Entrant, Forfeit, GamePlan, Row, StopRule, Tournament
from sandtable.lab.ratings.findings import Findings, findings
from sandtable.lab.ratings.results import tally
from sandtable.players.processes.limits import Verdict

Event = tuple[Tournament, list[GamePlan], list[Row]]
PLAYERS = ("captain", "steady", "<script>alert('x')</script> & Söhne", "loser")
ANNEX = Annex(
    began="1942-05-26 14:00 UTC",
    last="1942-06-21 09:30 UTC",
    command="sandtable tournament run manifest.toml --out again",
    manifest='[tournament]\ntitle = "Desert <cup> 1942"',
    surroundings={"framework": "version 0.1.0, files 0123456789abcdef", "toy": "version 1, files fedcba9876543210"},
    reasons=(
        ("steady", "crash", "ended by itself with exit code 1", 2),
        ("loser", "illegal", "no such <hex> (T-1)", 1),
    ),
    faults=(
        Forfeit(5, "steady", "north", "crash", "ended by itself with exit code 1", "reading the book\nError: <none>"),
    ),
    clocks=(Clock(0, "captain", 100, 4_000, 2_000_000_000), Clock(1, "steady", 50, 0, 0)),
)
SIDES = (("axis", "allies"), ("north", "south"))


def made_event(games: int, players: tuple[str, ...] = PLAYERS) -> Event:
    """Return an event of two contests in which "loser" loses every game, and some games are forfeited."""
    tournament = Tournament(
        "Desert <cup> 1942",
        "a seed",
        tuple(map(Entrant, players)),
        (Contest("desert_aa", "frontier"), Contest("toy", "", {"tie": "stay"})),
        stop=StopRule(0, 50),
        digest="0f" * 32,
    )
    meetings = [(one, other) for place, one in enumerate(players) for other in players[place + 1 :]]
    stream, plans, rows = Stream(b"report"), [], []
    for number in range(games):
        pair, contest = number // 2, number // 2 % 2
        one, other = meetings[pair % len(meetings)]
        seats = (one, other) if number % 2 == 0 else (other, one)
        lineup = dict(zip(SIDES[contest], seats, strict=True))
        plans.append(GamePlan(number, 0, pair, contest, f"a seed/{pair}", lineup))
        rows.append(_row(number, lineup, stream))
    return tournament, plans, rows


def _row(number: int, lineup: dict[str, str], stream: Stream) -> Row:
    drawn, luck = stream.below(100), stream.below(4001) - 2000
    first, second = lineup
    side = first if drawn + luck // 100 < 55 else second if drawn < 90 else "draw"
    loser = next((side for side, name in lineup.items() if name == "loser"), "")
    if loser:
        side = second if loser == first else first
    verdicts: dict[str, Verdict] = dict.fromkeys(lineup.values(), "ok")
    ending = "time_up" if side == "draw" else ("capital_captured", "round_limit")[drawn % 2]
    if number % 97 == 5 and side != "draw":
        verdicts[lineup[second if side == first else first]], ending = "time", "forfeit"
    luck_by_entrant = {lineup[first]: luck, lineup[second]: -luck}
    result = (number, side, lineup.get(side, ""), ending, 3 + drawn % 9, 100 + drawn, "ab" * 32)
    searched = {name: 2_000 + drawn for name in lineup.values() if name == "steady"}
    return Row(*result, verdicts, {lineup[first]: 40 + drawn, lineup[second]: 60}, luck_by_entrant, searched)


@pytest.fixture(scope="session")
def event() -> Callable[..., Event]:
    return made_event


@pytest.fixture(scope="session")
def found() -> Findings:
    return findings(tally(*made_event(600)), ANNEX)


@pytest.fixture(scope="session")
def nothing() -> Findings:
    return findings(tally(*made_event(0)))
