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

ODD_GAMES = 50
"""So many games with a forfeit are remembered by number, of each contest."""


@dataclass
class Cell:
    """Games alike: of one contest and lineup, with one outcome and ending, all of them forfeits or none.

    ``luck`` is the sum, and ``luck_square`` the sum of squares, of the first side's luck less the others', in
    thousandths (see ``luck.py``). ``first`` and ``longest`` are numbers of games.
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


@dataclass
class Pairing:
    """Two entrants in one contest: ``pairs[i]`` counts whole pairs in which the first one won i half points.

    ``waiting`` holds, by number of the pair, the half points of games whose other half is not played.
    """

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    waiting: dict[int, int] = field(default_factory=dict)


@dataclass
class Tally:
    """All counts of a tournament so far. ``pairings`` are by contest and the two entrants, in the tournament's order."""

    tournament: Tournament
    games: int = 0
    cells: dict[tuple[int, Lineup, str, str, bool], Cell] = field(default_factory=dict)
    pairings: dict[tuple[int, str, str], Pairing] = field(default_factory=dict)
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    forfeits: dict[int, list[int]] = field(default_factory=dict)
    many_sided: list[tuple[int, tuple[str, ...], str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Note the order of the entrants."""
        self._place = {entrant.name: number for number, entrant in enumerate(self.tournament.entrants)}
        self._meeting: dict[Lineup, tuple[str, str] | None] = {}

    def add(self, plan: GamePlan, row: Row) -> None:
        """Count the game ``plan`` that ended as ``row`` says; each game once."""
        self.games += 1
        lineup = tuple(plan.lineup.items())
        forfeit = False
        for name, verdict in row.verdicts.items():
            if verdict != "ok":
                forfeit = True
                self.verdicts[name, verdict] += 1
        key = (plan.contest, lineup, row.outcome, row.ending, forfeit)
        cell = self.cells.get(key)
        if cell is None:
            cell = self.cells[key] = Cell(plan.contest, lineup, row.outcome, row.winner, row.ending, forfeit)
            cell.first = row.number
        self._measure(cell, row)
        if forfeit:
            self.forfeits.setdefault(plan.contest, []).append(row.number)
        try:
            meeting = self._meeting[lineup]
        except KeyError:
            meeting = self._meeting[lineup] = self._who_meet(lineup)
        if meeting is not None:
            self._pair(plan, row, meeting)
        elif len(lineup) > 2:
            self.many_sided.append((row.number, tuple(plan.lineup.values()), row.winner))

    @staticmethod
    def _measure(cell: Cell, row: Row) -> None:
        number, turns = row.number, row.turns
        cell.games += 1
        cell.turns += turns
        cell.records += row.records
        cell.first = min(cell.first, number)
        if turns > cell.most_turns or (turns == cell.most_turns and number < cell.longest):
            cell.most_turns, cell.longest = turns, number
        if row.luck_milli:
            own = cell.lineup[0][1]
            luck = 2 * row.luck_milli.get(own, 0) - sum(row.luck_milli.values())
            cell.ledgers += 1
            cell.luck += luck
            cell.luck_square += luck * luck

    def _who_meet(self, lineup: Lineup) -> tuple[str, str] | None:
        """Return the two entrants of a game for two sides, in the tournament's order; None for other games."""
        names = sorted({name for _, name in lineup}, key=lambda name: (self._place.get(name, len(self._place)), name))
        return (names[0], names[1]) if len(lineup) == len(names) == 2 else None

    def _pair(self, plan: GamePlan, row: Row, meeting: tuple[str, str]) -> None:
        key = (plan.contest, *meeting)
        pairing = self.pairings.get(key)
        if pairing is None:
            pairing = self.pairings[key] = Pairing()
        points = 2 if row.winner == meeting[0] else 0 if row.winner else 1
        other = pairing.waiting.pop(plan.pair, None)
        if other is None:
            pairing.waiting[plan.pair] = points
        else:
            pairing.pairs[other + points] += 1


def tally(
    tournament: Tournament, plans: Sequence[GamePlan] | Mapping[int, GamePlan], rows: Iterable[Row], *, into: Tally | None = None
) -> Tally:
    """Return the counts of ``rows``; ``plans`` gives the plan of a game by its number. ``into`` counts on."""
    counts = into or Tally(tournament)
    add = counts.add
    for row in rows:
        add(plans[row.number], row)
    return counts
