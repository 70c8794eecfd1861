"""Count results: everything that the statistics of a tournament need, in one pass over its rows.

The counts do not depend on the order of the rows. A row costs about a microsecond: games that agree in everything
counted (contest, lineup, outcome, ending) share one cell.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import msgspec

from sandtable.errors import DataError
from sandtable.files.words import quoted
from sandtable.kernel.play.endings import WHOLE, exact_shares, leading, shares_of
from sandtable.lab.plan import GamePlan, Row, Tournament
from sandtable.lab.ratings.rows import NUMBERS, SHARES, TEXTS, VERDICTS, RowResult, why_not_played
from sandtable.lab.ratings.sets import TableSets

Lineup = tuple[tuple[str, str], ...]
"""The entrant of each side, as (side, entrant) pairs."""

Shares = tuple[tuple[str, int], ...]
"""The shares that a game states, as (side, thousandths) pairs."""

CellKey = tuple[int, Lineup, str, str, Shares, tuple[str, ...]]
"""Contest, lineup, outcome, ending, shares, and the entrants that forfeited."""

COLUMNS = (
    "number, pair, contest, lineup, outcome, winner, ending, turns, records, verdicts, luck, "
    "decisions || char(10) || nodes, shares"
)
"""Columns that ``add_stored`` requires of a game, in this order, as SQL."""

Stored = tuple[int, int, int, str, str, str, str, int, int, str, str, str, str]

MANY_TEXTS = 10_000
"""Maximum number of different texts that are collected before they are decoded and counted."""


@dataclass
class Pairing:
    """Two entrants in one contest with two sides.

    ``pairs[i]`` counts complete pairs in which the first one won i half points, by the outcomes of both games.
    ``scores`` counts them by the sum of its shares, in thousandths. ``waiting`` holds, by number of the pair, half
    points and share of a game whose counterpart has not been played.
    """

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    scores: Counter[int] = field(default_factory=Counter)
    waiting: dict[int, tuple[int, int]] = field(default_factory=dict)


@dataclass
class Cell:
    """Equal games: of one contest and lineup, with one outcome, ending and shares, and the same ``forfeiters``.

    ``luck`` is the sum, and ``luck_square`` the sum of squares, of the first side's luck minus the others', in
    thousandths (see ``luck.py``). ``first`` and ``longest`` are numbers of games. ``parts`` are the exact shares of the
    sides. ``pairing`` is set if two entrants play for two sides, and ``points`` are then half points and share of its
    first entrant in such a game. ``table`` is set if more entrants play for as many sides, and ``points`` are then
    their shares. ``decisions`` are sums by entrant, ``nodes`` by entrant that searches. ``leaders`` are the sides that
    won or drew.
    """

    contest: int
    lineup: Lineup
    outcome: str
    winner: str
    ending: str
    shares: Shares = ()
    forfeiters: tuple[str, ...] = ()
    games: int = 0
    turns: int = 0
    records: int = 0
    first: int = -1
    longest: int = -1
    max_turns: int = -1
    ledgers: int = 0
    luck: int = 0
    luck_square: int = 0
    pairing: Pairing | None = None
    table: TableSets | None = None
    points: tuple[int, ...] = ()
    decisions: dict[str, int] = field(default_factory=dict)
    nodes: dict[str, int] = field(default_factory=dict)
    parts: dict[str, Fraction] = field(default_factory=dict)
    leaders: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Compute the result of the sides."""
        stated = self.stated
        self.parts = exact_shares(self.outcome, stated, list(stated))
        self.leaders = (self.outcome,) if self.winner else tuple(leading(stated))

    @property
    def stated(self) -> dict[str, int]:
        """The share of each side, in thousandths."""
        return shares_of(self.outcome, dict(self.shares), [side for side, _ in self.lineup])

    @property
    def key(self) -> "CellKey":
        """The features that these games share."""
        return self.contest, self.lineup, self.outcome, self.ending, self.shares, self.forfeiters

    def share(self, name: str) -> Fraction:
        """Return the points of ``name`` in such a game: the shares of its sides."""
        return sum((self.parts[side] for side, who in self.lineup if who == name), Fraction())

    def leads(self, name: str) -> bool:
        """Return whether ``name`` won such a game, or shares its first place."""
        return any(side in self.leaders for side, who in self.lineup if who == name)

    def lead(self, luck: Mapping[str, int]) -> int:
        """Return the first side's luck minus the others'. ``luck`` is by entrant."""
        return 2 * luck.get(self.lineup[0][1], 0) - sum(luck.values())

    def spend(self, decisions: Mapping[str, int], nodes: Mapping[str, int], games: int = 1) -> None:
        """Count the effort of each entrant in ``games`` equal games."""
        for name, each in decisions.items():
            self.decisions[name] = self.decisions.get(name, 0) + each * games
        for name, each in nodes.items():
            self.nodes[name] = self.nodes.get(name, 0) + each * games


@dataclass
class Tally:
    """All counts of a tournament.

    ``pairings`` are by contest and the two entrants, in the tournament's order, and ``tables`` by contest and the
    entrants of games with more than two sides. ``verdicts`` counts forfeits by contest, entrant and verdict.
    """

    tournament: Tournament
    games: int = 0
    cells: dict[CellKey, Cell] = field(default_factory=dict)
    pairings: dict[tuple[int, str, str], Pairing] = field(default_factory=dict)
    verdicts: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    forfeits: list[tuple[int, CellKey]] = field(default_factory=list)
    tables: dict[tuple[int, tuple[str, ...]], TableSets] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Store the order of the entrants."""
        self._index = {entrant.name: number for number, entrant in enumerate(self.tournament.entrants)}

    def add(self, plan: GamePlan, row: Row) -> None:
        """Count the game ``plan`` with the result ``row``. Call it once per game."""
        forfeiters: tuple[str, ...] = ()
        for name, verdict in row.verdicts.items():
            if verdict != "ok":
                forfeiters = (*forfeiters, name)
                self.verdicts[plan.contest, name, verdict] += 1
        shares = tuple(row.shares.items())
        key = (plan.contest, tuple(plan.lineup.items()), row.outcome, row.ending, shares, forfeiters)
        cell = self.cells.get(key) or self.new_cell(key, row.winner)
        luck = cell.lead(row.luck_milli) if row.luck_milli else None
        cell.spend(row.decisions, row.nodes)
        self._count(cell, row.number, plan.pair, row.turns, row.records, luck)

    def _count(self, cell: Cell, number: int, pair: int, turns: int, records: int, luck: int | None) -> None:
        """Count a game in ``cell``. ``luck`` is the first side's minus the others', None without a ledger."""
        self.games += 1
        cell.games += 1
        cell.turns += turns
        cell.records += records
        cell.first = number if number < cell.first or cell.first < 0 else cell.first
        if turns > cell.max_turns or (turns == cell.max_turns and number < cell.longest):
            cell.max_turns, cell.longest = turns, number
        if luck is not None:
            cell.ledgers += 1
            cell.luck += luck
            cell.luck_square += luck * luck
        pairing = cell.pairing
        if pairing is not None:
            other = pairing.waiting.pop(pair, None)
            if other is None:
                pairing.waiting[pair] = (cell.points[0], cell.points[1])
            else:
                pairing.pairs[other[0] + cell.points[0]] += 1
                pairing.scores[other[1] + cell.points[1]] += 1
        elif cell.table is not None:
            cell.table.add(pair, cell.points)
        if cell.forfeiters:
            self.forfeits.append((number, cell.key))

    def of(self, contest: int) -> "Tally":
        """Return the counts of one contest."""
        return Tally(
            self.tournament,
            games=sum(cell.games for cell in self.cells.values() if cell.contest == contest),
            cells={key: cell for key, cell in self.cells.items() if cell.contest == contest},
            pairings={key: each for key, each in self.pairings.items() if key[0] == contest},
            verdicts=Counter({key: count for key, count in self.verdicts.items() if key[0] == contest}),
            forfeits=[each for each in self.forfeits if each[1][0] == contest],
            tables={key: each for key, each in self.tables.items() if key[0] == contest},
        )

    def new_cell(self, key: CellKey, winner: str) -> Cell:
        """Create and return the cell of ``key``."""
        contest, lineup, outcome, ending, shares, forfeiters = key
        names = sorted({name for _, name in lineup}, key=lambda name: (self._index.get(name, len(self._index)), name))
        cell = self.cells[key] = Cell(contest, lineup, outcome, winner, ending, shares, forfeiters)
        if len(lineup) == len(names) == 2:
            cell.pairing = self.pairings.setdefault((contest, names[0], names[1]), Pairing())
            half_points = 1 if not winner else 2 if winner == names[0] else 0
            cell.points = (half_points, int(WHOLE * cell.share(names[0])))
        elif len(lineup) == len(names):
            table = cell.table = self.tables.setdefault((contest, tuple(names)), TableSets(tuple(names)))
            cell.points = tuple([int(table.unit * cell.share(name)) for name in names])
        return cell

    def add_stored(self, games: Iterable[Stored]) -> None:
        """Count games in stored form: ``COLUMNS``, tables as JSON text or "". This is faster than rows.

        Raises DataError for a game that is impossible in the tournament, or whose texts are not such tables.
        """
        known: dict[tuple[int, str, str, str, str, str], tuple[Cell, dict[str, str], Counter[str]]] = {}
        number = 0
        try:
            for stored in games:
                number, pair, contest, lineup, outcome, winner, ending, turns, records, *texts = stored
                verdicts, luck, spent, shares = texts
                text = (contest, lineup, outcome, ending, verdicts, shares)
                if text not in known:
                    known[text] = *self._cell_of(number, text, winner), Counter()
                cell, bad, efforts = known[text]
                for name, verdict in bad.items():
                    self.verdicts[contest, name, verdict] += 1
                self._count(cell, number, pair, turns, records, cell.lead(NUMBERS.decode(luck)) if luck else None)
                efforts[spent] += 1  # decoded once for many games with the same effort
                if len(efforts) > MANY_TEXTS:
                    _spend(cell, efforts)
            for cell, _, efforts in known.values():
                _spend(cell, efforts)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise self._wrong(number, f"is not a valid result: {error}") from error

    def _cell_of(
        self, number: int, text: tuple[int, str, str, str, str, str], winner: str
    ) -> tuple[Cell, dict[str, str]]:
        """Return the cell of game ``number`` and the verdicts of its forfeits, from stored text. Raises DataError."""
        contest, lineup, outcome, ending, verdicts, stated = text
        seats = TEXTS.decode(lineup)
        bad: dict[str, str] = {}
        if verdicts:
            bad.update((name, each) for name, each in VERDICTS.decode(verdicts).items() if each != "ok")
        shares = SHARES.decode(stated) if stated else {}
        problem = why_not_played(self.tournament, contest, seats, RowResult(outcome, winner, shares), bad)
        if problem:
            raise self._wrong(number, problem)
        key = (contest, tuple(seats.items()), outcome, ending, tuple(shares.items()), tuple(bad))
        return self.cells.get(key) or self.new_cell(key, winner), bad

    def _wrong(self, number: int, problem: str) -> DataError:
        return DataError(f"tournament {quoted(self.tournament.title)}", f"game {number}", problem)


def _spend(cell: Cell, efforts: Counter[str]) -> None:
    """Count the texts of decisions and nodes, then clear them."""
    for text, games in efforts.items():
        decisions, _, nodes = text.partition("\n")  # a newline occurs in no JSON text
        cell.spend(_numbers(decisions), _numbers(nodes), games)
    efforts.clear()


def _numbers(table: str) -> dict[str, int]:
    return NUMBERS.decode(table) if table else {}


Plans = Sequence[GamePlan] | Mapping[int, GamePlan]
"""The plan of a game by its number."""


def tally(tournament: Tournament, plans: Plans, rows: Iterable[Row]) -> Tally:
    """Return the counts of ``rows``."""
    counts = Tally(tournament)
    add = counts.add
    for row in rows:
        add(plans[row.number], row)
    return counts
