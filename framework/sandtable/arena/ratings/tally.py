"""Counting results: one pass over the rows of a tournament, everything that its statistics need.

The counts do not depend on the order of the rows. A row costs about a microsecond: games that are alike in what is
counted (contest, who sat where, outcome, ending) share one cell.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sandtable.arena.tournament.plan import GamePlan, Row, Tournament

Lineup = tuple[tuple[str, str], ...]
"""Who sat where: (side, entrant) for each side."""

CellKey = tuple[int, Lineup, str, str, bool]
"""Contest, lineup, outcome, ending, and whether somebody forfeited."""


@dataclass
class Pairing:
    """Two entrants in one contest: ``pairs[i]`` counts whole pairs in which the first one won i half points.

    ``waiting`` holds, by number of the pair, the half points of games whose other half is not played.
    """

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    waiting: dict[int, int] = field(default_factory=dict)


@dataclass
class Cell:
    """Games alike: of one contest and lineup, with one outcome and ending, all of them forfeits or none.

    ``luck`` is the sum, and ``luck_square`` the sum of squares, of the first side's luck less the others', in
    thousandths (see ``luck.py``). ``first`` and ``longest`` are numbers of games. ``pairing`` is theirs where two
    entrants play for two sides, and ``points`` the half points of its first one in such a game.
    """

    contest: int
    lineup: Lineup
    outcome: str
    winner: str
    ending: str
    forfeit: bool
    games: int = 0
    turns: int = 0
    records: int = 0
    first: int = -1
    longest: int = -1
    most_turns: int = -1
    ledgers: int = 0
    luck: int = 0
    luck_square: int = 0
    pairing: Pairing | None = None
    points: int = 0


@dataclass
class Tally:
    """All counts of a tournament. ``pairings`` are by contest and the two entrants, in the tournament's order."""

    tournament: Tournament
    games: int = 0
    cells: dict[CellKey, Cell] = field(default_factory=dict)
    pairings: dict[tuple[int, str, str], Pairing] = field(default_factory=dict)
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    forfeits: list[tuple[int, CellKey]] = field(default_factory=list)
    many_sided: list[tuple[int, tuple[str, ...], str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Note the order of the entrants."""
        self._place = {entrant.name: number for number, entrant in enumerate(self.tournament.entrants)}

    def add(self, plan: GamePlan, row: Row) -> None:
        """Count the game ``plan`` that ended as ``row`` says; each game once."""
        self.games += 1
        number, turns = row.number, row.turns
        forfeit = False
        for name, verdict in row.verdicts.items():
            if verdict != "ok":
                forfeit = True
                self.verdicts[name, verdict] += 1
        key = (plan.contest, tuple(plan.lineup.items()), row.outcome, row.ending, forfeit)
        cell = self.cells.get(key)
        if cell is None:
            cell = self.cells[key] = self._new_cell(key, row)
        cell.games += 1
        cell.turns += turns
        cell.records += row.records
        cell.first = number if number < cell.first else cell.first  # min() takes twice as long
        if turns > cell.most_turns or (turns == cell.most_turns and number < cell.longest):
            cell.most_turns, cell.longest = turns, number
        if row.luck_milli:
            luck = 2 * row.luck_milli.get(cell.lineup[0][1], 0) - sum(row.luck_milli.values())
            cell.ledgers += 1
            cell.luck += luck
            cell.luck_square += luck * luck
        if forfeit:
            self.forfeits.append((number, key))
        self._pair(cell, plan, row)

    def _pair(self, cell: Cell, plan: GamePlan, row: Row) -> None:
        """Count the game to its pair, or, where it is for more than two sides, keep it for openskill."""
        pairing = cell.pairing
        if pairing is not None:
            other = pairing.waiting.pop(plan.pair, None)
            if other is None:
                pairing.waiting[plan.pair] = cell.points
            else:
                pairing.pairs[other + cell.points] += 1
        elif len(cell.lineup) > 2:
            self.many_sided.append((row.number, tuple(plan.lineup.values()), row.winner))

    def _new_cell(self, key: CellKey, row: Row) -> Cell:
        contest, lineup, _, _, forfeit = key
        names = sorted({name for _, name in lineup}, key=lambda name: (self._place.get(name, len(self._place)), name))
        cell = Cell(contest, lineup, row.outcome, row.winner, row.ending, forfeit, first=row.number)
        if len(lineup) == len(names) == 2:
            cell.pairing = self.pairings.setdefault((contest, names[0], names[1]), Pairing())
            cell.points = 1 if not row.winner else 2 if row.winner == names[0] else 0
        return cell


Plans = Sequence[GamePlan] | Mapping[int, GamePlan]
"""The plan of a game by its number."""


def tally(tournament: Tournament, plans: Plans, rows: Iterable[Row]) -> Tally:
    """Return the counts of ``rows``."""
    counts = Tally(tournament)
    add = counts.add
    for row in rows:
        add(plans[row.number], row)
    return counts
