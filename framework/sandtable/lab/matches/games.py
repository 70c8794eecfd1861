"""The games of a match. Each game depends only on the plan and its number."""

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from sandtable.errors import PlayError, SandtableError
from sandtable.files.writing import write_whole
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_recorded
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.events import margin_in, shares_in
from sandtable.kernel.play.endings import exact_shares
from sandtable.lab.seating import games_in_set, seats_of
from sandtable.players.players import admit, name_seats, seat_players
from sandtable.plugin.manager import Prepared


@dataclass(frozen=True)
class MatchPlan:
    """A match as plain data, from which any process can play any of its games."""

    ruleset: str
    players: tuple[str, ...]
    games: int
    seed: str
    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)
    dice: str = "open"
    plugins_dir: str | None = None
    out: str | None = None

    def seed_of(self, game: int, sides: int = 2) -> str:
        """Return the seed of game ``game`` (from 0): all games of a set share one, as the two games of a pair.

        If a player meets itself, changing sides changes nothing, so each game has its own seed.
        """
        is_mirror = len(set(self.players)) == 1
        return f"{self.seed}/{(game if is_mirror else game // games_in_set(len(self.players), sides)) + 1}"

    def file_of(self, game: int) -> str:
        """Return the name of the log of game ``game`` (from 0)."""
        return f"{game + 1:0{max(4, len(str(self.games)))}d}.jsonl"


@dataclass(frozen=True)
class GameResult:
    """One game of a match: ``seats`` is the number of each side's player, ``head`` the log's last running hash.

    ``shares`` are those of the sides, or {} if they follow from the outcome. ``margin`` is the number of points that
    the first player won by (negative: lost by), or None if the rules define no margin.
    """

    game: int
    seats: dict[str, int]
    outcome: str
    ending: str
    turns: int
    records: int
    head: str
    margin: int | None = None
    shares: dict[str, int] = field(default_factory=dict)

    @property
    def first(self) -> str:
        """The first player's side: the first of several."""
        return next(side for side, player in self.seats.items() if player == 0)

    @property
    def parts(self) -> dict[str, Fraction]:
        """The exact share of each side."""
        return exact_shares(self.outcome, self.shares, list(self.seats))

    def points(self, player: int) -> Fraction:
        """Return the shares of all sides of a player."""
        return sum((self.parts[side] for side, its in self.seats.items() if its == player), Fraction())


def check_players(prepared: Prepared, players: tuple[str, ...]) -> None:
    """Raise PlayError if the players cannot play all sides. Admit players named as ``module:Class``."""
    sides = prepared.ruleset.viewers
    if len(sides) < 2:
        raise PlayError(f"a match needs two sides; {prepared.ruleset.id} has {len(sides)}: {', '.join(sides)}")
    games_in_set(len(players), len(sides))
    admit(prepared.installed, players)
    for name in dict.fromkeys(players):
        name_seats(prepared, dict.fromkeys(sides, name))


def play_one(prepared: Prepared, plan: MatchPlan, game: int) -> GameResult:
    """Play game ``game`` of ``plan``, and write its log if ``plan.out`` is set.

    Raises PlayError, with the command that repeats the game, if it fails.
    """
    sides = prepared.ruleset.viewers
    seats = dict(zip(sides, seats_of(game, len(plan.players), len(sides)), strict=True))
    lineup = {side: plan.players[player] for side, player in seats.items()}
    seed = plan.seed_of(game, len(sides))
    names = name_seats(prepared, lineup)
    key = key_from_seed(seed)
    dice = make_dice(plan.dice, key)
    header = make_header(prepared, names, dice)
    try:
        played = play_recorded(prepared, seat_players(prepared, names, key), dice, header)
    except SandtableError as error:
        who = " ".join(
            f"--player {side}={name}" for side, name in sorted(lineup.items(), key=lambda each: seats[each[0]])
        )
        again = f"sandtable play {plan.ruleset} {who} --seed {seed}"
        raise PlayError(f"game {game + 1} failed: {error}; replay it with: {again}") from error
    if plan.out is not None:
        write_whole(Path(plan.out) / plan.file_of(game), played.data)
    records, state = played.game.records, played.game.state
    margins = margin_in(records)
    margin = sum(margins[side] for side, player in seats.items() if player == 0) if margins else None
    number, head = played.game.number, played.head.hex()
    result = (game, seats, state.outcome, state.ending, state.turn, number, head)
    return GameResult(*result, margin, shares_in(records))
