"""The games of a match: what each of them is follows from the plan and its number alone."""

from dataclasses import dataclass, field
from pathlib import Path

from sandtable.errors import PlayError, SandtableError
from sandtable.files.writing import write_whole
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_recorded
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.events import margin_in
from sandtable.players.players import admit, name_seats, seat_players
from sandtable.plugin.manager import Prepared


@dataclass(frozen=True)
class MatchPlan:
    """What a match is: plain data, from which any process can play any of its games."""

    ruleset: str
    players: tuple[str, str]
    games: int
    seed: str
    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)
    dice: str = "open"
    plugins_dir: str | None = None
    out: str | None = None

    def seed_of(self, game: int) -> str:
        """Return the seed of game ``game`` (from 0): one for a pair.

        Where a player meets himself, swapping changes nothing: then each game has its own.
        """
        alike = self.players[0] == self.players[1]
        return f"{self.seed}/{(game if alike else game // 2) + 1}"

    def file_of(self, game: int) -> str:
        """Return the name of the log of game ``game`` (from 0)."""
        return f"{game + 1:0{max(4, len(str(self.games)))}d}.jsonl"


@dataclass(frozen=True)
class GameResult:
    """One game of a match: ``first`` is the side of the first player, ``head`` the log's last running hash.

    ``margin`` is what the first player won in points, or lost; None where the rules tell no margin.
    """

    game: int
    first: str
    outcome: str
    ending: str
    turns: int
    records: int
    head: str
    margin: int | None = None


def sides_of(prepared: Prepared) -> tuple[str, str]:
    """Return the two sides that a match is played for; raises PlayError when there are more or fewer."""
    sides = prepared.ruleset.viewers
    if len(sides) != 2:
        raise PlayError(f"a match is for two sides; {prepared.ruleset.id} has {len(sides)}: {', '.join(sides)}")
    return sides[0], sides[1]


def check_players(prepared: Prepared, players: tuple[str, str]) -> None:
    """Raise PlayError when one of the two players of a match cannot play both sides; let in who is ``module:Class``."""
    sides = sides_of(prepared)
    admit(prepared.installed, players)
    for lineup in (sides, sides[::-1]):
        name_seats(prepared, dict(zip(lineup, players, strict=True)))


def play_one(prepared: Prepared, plan: MatchPlan, game: int) -> GameResult:
    """Play game ``game`` of ``plan``, and write its log where one is wanted."""
    sides = sides_of(prepared)
    lineup = sides if game % 2 == 0 else sides[::-1]
    names = name_seats(prepared, dict(zip(lineup, plan.players, strict=True)))
    key = key_from_seed(plan.seed_of(game))
    dice = make_dice(plan.dice, key)
    header = make_header(prepared, names, dice)
    try:
        played = play_recorded(prepared, seat_players(prepared, names, key), dice, header)
    except SandtableError as error:
        who = " ".join(f"--player {side}={name}" for side, name in zip(lineup, plan.players, strict=True))
        again = f"sandtable play {plan.ruleset} {who} --seed {plan.seed_of(game)}"
        raise PlayError(f"game {game + 1} failed: {error}; play it again with: {again}") from error
    if plan.out is not None:
        write_whole(Path(plan.out) / plan.file_of(game), played.data)
    state = played.game.state
    margin = margin_in(played.game.records).get(lineup[0])
    number, head = played.game.number, played.head.hex()
    return GameResult(game, lineup[0], state.outcome, state.ending, state.turn, number, head, margin)
