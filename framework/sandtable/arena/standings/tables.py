"""Findings as tables of words: what the terminal shows; the page of HTML has the same columns."""

from dataclasses import dataclass, replace

from sandtable.arena.ratings.findings import ContestFindings, Encounter, Findings, Standing
from sandtable.arena.ratings.sprt import Judgement
from sandtable.arena.standings.figures import MINUS, NONE, interval, likelihood, number, percent, points, signed

GAP = 2
"""So many blanks between two columns."""


@dataclass(frozen=True)
class TableSheet:
    """A table: headings, rows of words, which columns stand to the right; the first ``keys`` of them name a row."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    keys: int = 1


def sheets(found: Findings) -> tuple[TableSheet, ...]:
    """Return all tables that have a row, in the order in which they are read."""
    every = [standings(found), encounters(found), *map(balance, found.contests), *map(endings, found.contests)]
    every.append(efforts(found))
    return tuple(sheet for sheet in every if sheet.rows)


def standings(found: Findings) -> TableSheet:
    """Return the standings; columns that nobody has a figure for are left out."""
    columns: list[tuple[str, list[str], bool]] = [
        ("", [str(place) for place in places(found)], True),
        ("player", [each.name for each in found.standings], False),
        ("score", [percent(each.score) for each in found.standings], True),
        ("95 % interval", [interval(each.low, each.high) for each in found.standings], True),
    ]
    if found.encounters:
        columns.append(("Elo", [elo_of(each) for each in found.standings], True))
    if any(each.skill for each in found.standings):
        columns.append(("skill", [skill_of(each) for each in found.standings], True))
    if any(each.adjusted for each in found.standings):
        columns.append(("score without luck", [luckless(each) for each in found.standings], True))
    columns += [
        ("points", [points(each.points) for each in found.standings], True),
        ("games", [number(each.games) for each in found.standings], True),
        ("won", [number(each.wins) for each in found.standings], True),
        ("drawn", [number(each.draws) for each in found.standings], True),
        ("lost", [number(each.losses) for each in found.standings], True),
    ]
    if any(each.verdicts for each in found.standings):
        columns.append(("forfeits", [forfeits(each) for each in found.standings], False))
    return _sheet("standings", columns, keys=2)


def places(found: Findings) -> list[int]:
    """Return the place of each standing; who scored the same shares one."""
    taken: list[int] = []
    for index, each in enumerate(found.standings):
        same = index > 0 and each.score == found.standings[index - 1].score
        taken.append(taken[-1] if same else index + 1)
    return taken


def elo_of(each: Standing) -> str:
    """Return the rating in words."""
    return signed(each.elo.elo, each.elo.margin) if each.elo else NONE


def skill_of(each: Standing) -> str:
    """Return openskill's rating in words."""
    return f"{each.skill.mu:.1f} ± {1.96 * each.skill.sigma:.1f}" if each.skill else NONE


def luckless(each: Standing) -> str:
    """Return the luck-adjusted score in words."""
    return f"{percent(each.adjusted.score)} ± {100 * each.adjusted.margin:.1f}" if each.adjusted else NONE


def forfeits(each: Standing) -> str:
    """Return "2 time, 1 crash"."""
    return ", ".join(f"{count} {verdict}" for verdict, count in each.verdicts.items())


def encounters(found: Findings) -> TableSheet:
    """Return who did what against whom, with the sequential test where one was set."""
    rows = found.encounters
    columns: list[tuple[str, list[str], bool]] = [
        ("player", [each.first for each in rows], False),
        ("against", [each.second for each in rows], False),
        ("games", [number(each.games) for each in rows], True),
        ("won-drawn-lost", [record(each) for each in rows], True),
        ("score", [percent(each.score) for each in rows], True),
        ("95 % interval", [interval(each.low, each.high) for each in rows], True),
        ("Elo difference", [signed(each.elo, each.margin) for each in rows], True),
        ("stronger", [likelihood(each.superiority) for each in rows], True),
        ("pairs by half points", [" ".join(map(str, each.pairs)) for each in rows], True),
    ]
    if any(each.test for each in rows):
        bounds = next(f"{MINUS}{-each.test.lower:.2f} to {each.test.upper:.2f}" for each in rows if each.test)
        columns.append((f"test, {bounds}", [test(each.test) for each in rows], False))
    return _sheet("each against each", columns, keys=2)


def record(each: Encounter) -> str:
    """Return "12-3-5": won, drawn, lost."""
    return f"{each.wins}-{each.draws}-{each.losses}"


def test(each: Judgement | None) -> str:
    """Return "1.20: open", the log-likelihood ratio and what it comes to."""
    if each is None:
        return NONE
    ratio = NONE if each.llr is None else f"{each.llr:.2f}".replace("-", MINUS)
    verdict = f"{each.accepted} accepted" if each.accepted else "open"
    return f"{ratio}: {verdict}"


def balance(each: ContestFindings) -> TableSheet:
    """Return what each side of a contest got."""
    columns: list[tuple[str, list[str], bool]] = [
        ("side", [side.side for side in each.sides], False),
        ("won", [number(side.wins) for side in each.sides], True),
        ("drawn", [number(side.draws) for side in each.sides], True),
        ("of", [number(side.games) for side in each.sides], True),
        ("share", [percent(side.share) for side in each.sides], True),
        ("95 % interval", [interval(side.low, side.high) for side in each.sides], True),
    ]
    return _sheet(f"sides of {each.title}", columns)


def endings(each: ContestFindings) -> TableSheet:
    """Return how the games of a contest ended, and for whom."""
    outcomes = outcomes_of(each)
    rows = []
    for ending, by_outcome in each.endings.items():
        total = sum(by_outcome.values())
        for_whom = [number(by_outcome.get(outcome, 0)) for outcome in outcomes]
        rows.append((worded(ending), number(total), percent(total / each.games), *for_whom))
    headings = ("ending", "games", "share", *map(worded, outcomes))
    return TableSheet(f"endings of {each.title}", headings, tuple(rows), tuple(range(1, len(headings))))


def efforts(found: Findings) -> TableSheet:
    """Return what a game took each player, by contest; nodes where somebody searches."""
    rows = [(each.title, effort) for each in found.contests for effort in each.efforts]
    columns: list[tuple[str, list[str], bool]] = [
        ("played", [title for title, _ in rows], False),
        ("player", [effort.name for _, effort in rows], False),
        ("games", [number(effort.games) for _, effort in rows], True),
        ("decisions a game", [number(effort.decisions, 1) for _, effort in rows], True),
    ]
    if any(effort.nodes is not None for _, effort in rows):
        nodes = ["" if effort.nodes is None else number(effort.nodes, 1) for _, effort in rows]
        columns.append(("nodes a game", nodes, True))
    return _sheet("decisions", columns, keys=2)


def outcomes_of(each: ContestFindings) -> tuple[str, ...]:
    """Return the outcomes that a contest had: sides first, then a draw."""
    seen = {outcome for by_outcome in each.endings.values() for outcome in by_outcome}
    sides = [side.side for side in each.sides]
    return (*(side for side in sides if side in seen), *sorted(seen - set(sides)))


def worded(name: str) -> str:
    """Return an id, such as an ending, as words."""
    return name.replace("_", " ")


def fitted(sheet: TableSheet, width: int) -> tuple[TableSheet, ...]:
    """Return ``sheet`` in as many parts as it takes for ``width`` letters; each begins with the names of its rows."""
    wide = [max(map(len, column)) for column in zip(sheet.headings, *sheet.rows, strict=True)]
    names = list(range(sheet.keys))
    parts: list[list[int]] = [[]]
    for place in range(sheet.keys, len(wide)):
        if parts[-1] and sum(wide[each] + GAP for each in (*names, *parts[-1], place)) - GAP > width:
            parts.append([])
        parts[-1].append(place)
    return tuple(_part(sheet, [*names, *part]) for part in parts)


def _part(sheet: TableSheet, places: list[int]) -> TableSheet:
    return replace(
        sheet,
        headings=tuple(sheet.headings[each] for each in places),
        rows=tuple(tuple(row[each] for each in places) for row in sheet.rows),
        right=tuple(number for number, each in enumerate(places) if each in sheet.right),
    )


def _sheet(title: str, columns: list[tuple[str, list[str], bool]], keys: int = 1) -> TableSheet:
    return TableSheet(
        title,
        tuple(heading for heading, _, _ in columns),
        tuple(zip(*(cells for _, cells, _ in columns), strict=True)),
        tuple(place for place, (_, _, right) in enumerate(columns) if right),
        keys,
    )
