"""The games of a match. Each game depends only on the plan and its number."""

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
    """A match as plain data, from which any process can play any of its games."""

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
        """Return the seed of game ``game`` (from 0): both games of a pair share one.

        If a player meets itself, swapping sides changes nothing, so each game has its own seed.
        """
        is_mirror = self.players[0] == self.players[1]
        return f"{self.seed}/{(game if is_mirror else game // 2) + 1}"

    def file_of(self, game: int) -> str:
        """Return the name of the log of game ``game`` (from 0)."""
        return f"{game + 1:0{max(4, len(str(self.games)))}d}.jsonl"


@dataclass(frozen=True)
class GameResult:
    """One game of a match: ``first`` is the first player's side, ``head`` the log's last running hash.

    ``margin`` is the number of points that the first player won by (negative: lost by), or None if the rules define no
    margin.
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
    """Return the two sides that play a match. Raises PlayError if the ruleset has more or fewer sides."""
    sides = prepared.ruleset.viewers
    if len(sides) != 2:
        raise PlayError(f"a match needs two sides; {prepared.ruleset.id} has {len(sides)}: {', '.join(sides)}")
    return sides[0], sides[1]


def check_players(prepared: Prepared, players: tuple[str, str]) -> None:
    """Raise PlayError if one of the two players cannot play both sides. Admit players named as ``module:Class``."""
    sides = sides_of(prepared)
    admit(prepared.installed, players)
    for lineup in (sides, sides[::-1]):
        name_seats(prepared, dict(zip(lineup, players, strict=True)))


def play_one(prepared: Prepared, plan: MatchPlan, game: int) -> GameResult:
    """Play game ``game`` of ``plan``, and write its log if ``plan.out`` is set."""
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
        raise PlayError(f"game {game + 1} failed: {error}; replay it with: {again}") from error
    if plan.out is not None:
        write_whole(Path(plan.out) / plan.file_of(game), played.data)
    state = played.game.state
    margin = margin_in(played.game.records).get(lineup[0])
    number, head = played.game.number, played.head.hex()
    return GameResult(game, lineup[0], state.outcome, state.ending, state.turn, number, head, margin)
