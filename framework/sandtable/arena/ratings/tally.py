"""Counting results: one pass over the rows of a tournament, everything that its statistics need.

The counts do not depend on the order of the rows. A row costs about a microsecond: games that are alike in what is
counted (contest, who sat where, outcome, ending) share one cell.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from sandtable.arena.tournament.plan import GamePlan, Row, Tournament

Lineup = tuple[tuple[str, str], ...]
"""Who sat where: (side, entrant) for each side."""

CellKey = tuple[int, Lineup, str, str, bool]
"""Contest, lineup, outcome, ending, and whether somebody forfeited."""

COLUMNS = "number, pair, contest, lineup, outcome, winner, ending, turns, records, verdicts, luck"
"""What ``add_stored`` wants of a game, in this order."""

Stored = tuple[int, int, int, str, str, str, str, int, int, str, str]

_TEXTS = msgspec.json.Decoder(dict[str, str])
_LUCK = msgspec.json.Decoder(dict[str, int])


def _decoded(table: str) -> dict[str, str]:
    return _TEXTS.decode(table) if table else {}


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

    @property
    def key(self) -> "CellKey":
        """What these games have in common."""
        return self.contest, self.lineup, self.outcome, self.ending, self.forfeit

    def lead(self, luck: Mapping[str, int]) -> int:
        """Return the first side's luck less the others'; ``luck`` is by entrant."""
        return 2 * luck.get(self.lineup[0][1], 0) - sum(luck.values())


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
        forfeit = False
        for name, verdict in row.verdicts.items():
            if verdict != "ok":
                forfeit = True
                self.verdicts[name, verdict] += 1
        key = (plan.contest, tuple(plan.lineup.items()), row.outcome, row.ending, forfeit)
        cell = self.cells.get(key) or self.new_cell(key, row.winner)
        luck = cell.lead(row.luck_milli) if row.luck_milli else None
        self.count(cell, row.number, plan.pair, row.turns, row.records, luck)

    def count(self, cell: Cell, number: int, pair: int, turns: int, records: int, luck: int | None) -> None:
        """Count a game to ``cell``; ``luck`` is that of the first side less the others', None without a ledger."""
        self.games += 1
        cell.games += 1
        cell.turns += turns
        cell.records += records
        cell.first = number if number < cell.first or cell.first < 0 else cell.first
        if turns > cell.most_turns or (turns == cell.most_turns and number < cell.longest):
            cell.most_turns, cell.longest = turns, number
        if luck is not None:
            cell.ledgers += 1
            cell.luck += luck
            cell.luck_square += luck * luck
        pairing = cell.pairing
        if pairing is not None:
            other = pairing.waiting.pop(pair, None)
            if other is None:
                pairing.waiting[pair] = cell.points
            else:
                pairing.pairs[other + cell.points] += 1
        elif len(cell.lineup) > 2:
            self.many_sided.append((number, tuple([name for _, name in cell.lineup]), cell.winner))
        if cell.forfeit:
            self.forfeits.append((number, cell.key))

    def new_cell(self, key: CellKey, winner: str) -> Cell:
        """Return the cell of ``key``, made now."""
        contest, lineup, outcome, ending, forfeit = key
        names = sorted({name for _, name in lineup}, key=lambda name: (self._place.get(name, len(self._place)), name))
        cell = self.cells[key] = Cell(contest, lineup, outcome, winner, ending, forfeit)
        if len(lineup) == len(names) == 2:
            cell.pairing = self.pairings.setdefault((contest, names[0], names[1]), Pairing())
            cell.points = 1 if not winner else 2 if winner == names[0] else 0
        return cell

    def add_stored(self, games: Iterable[Stored]) -> None:
        """Count games as they are stored: ``COLUMNS``, tables as JSON text or ""; quicker than rows."""
        known: dict[tuple[int, str, str, str, str, str], tuple[Cell, dict[str, str]]] = {}
        for number, pair, contest, lineup, outcome, winner, ending, turns, records, verdicts, luck in games:
            text = (contest, lineup, outcome, winner, ending, verdicts)
            if text not in known:
                bad = {name: verdict for name, verdict in _decoded(verdicts).items() if verdict != "ok"}
                key = (contest, tuple(_decoded(lineup).items()), outcome, ending, bool(bad))
                known[text] = self.cells.get(key) or self.new_cell(key, winner), bad
            cell, bad = known[text]
            for name, verdict in bad.items():
                self.verdicts[name, verdict] += 1
            self.count(cell, number, pair, turns, records, cell.lead(_LUCK.decode(luck)) if luck else None)


Plans = Sequence[GamePlan] | Mapping[int, GamePlan]
"""The plan of a game by its number."""


def tally(tournament: Tournament, plans: Plans, rows: Iterable[Row]) -> Tally:
    """Return the counts of ``rows``."""
    counts = Tally(tournament)
    add = counts.add
    for row in rows:
        add(plans[row.number], row)
    return counts
