"""Findings as text tables for the terminal. The HTML page has the same columns."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from sandtable.journal.luck.tables import MINUS, NONE, TableSheet
from sandtable.kernel.play.endings import shares_of
from sandtable.lab.plan import Clock
from sandtable.lab.ratings.findings import ContestFindings, Example, Findings
from sandtable.lab.ratings.scores import Encounter, Standing
from sandtable.lab.reports.figures import (
    interval,
    likelihood,
    number,
    percent,
    points,
    signed,
    span,
    took,
)

POOLED = "all games, pooled"
"""Title of the table of all contests together."""

GAP = 2
"""Number of spaces between two columns."""


class Scored(NamedTuple):
    """Standings and encounters of one contest, or of all games pooled: ``contest`` is then None."""

    title: str
    games: int
    standings: tuple[Standing, ...]
    encounters: tuple[Encounter, ...]
    contest: ContestFindings | None = None


def scored(found: Findings) -> tuple[Scored, ...]:
    """Return the scores of each contest, and of all games pooled at the end if there are several contests."""
    if len(found.contests) == 1:
        (only,) = found.contests
        return (Scored(only.title, only.games, found.standings, found.encounters, only),)
    played = [Scored(each.title, each.games, each.standings, each.encounters, each) for each in found.contests]
    return (*(each for each in played if each.games), Scored(POOLED, found.games, found.standings, found.encounters))


def sheets(found: Findings) -> tuple[TableSheet, ...]:
    """Return all tables that have a row, in reading order."""
    found_sheets: list[TableSheet] = []
    for each in scored(found):
        found_sheets += [standings(each), encounters(each), tests(each)]
        found_sheets += [balance(each.contest), endings(each.contest)] if each.contest else []
    found_sheets += [efforts(found), reasons(found), origin(found)]
    return tuple(sheet for sheet in found_sheets if sheet.rows)


def standings(own: Scored) -> TableSheet:
    """Return the standings. Columns without any value are left out."""
    rows = own.standings
    columns: list[tuple[str, list[str], bool]] = [
        ("", [str(place) for place in places(rows)], True),
        ("player", [each.name for each in rows], False),
        ("score", [percent(each.score) for each in rows], True),
        ("95 % interval", [interval(each.low, each.high) for each in rows], True),
        ("from", [each.kind or NONE for each in rows], False),
    ]
    if own.encounters or any(each.elo for each in rows):
        columns.append(("Elo", [elo_of(each) for each in rows], True))
        columns.append(("95 % of Elo", [elo_span(each) for each in rows], True))
    if any(each.adjusted for each in rows):
        columns.append(("score without luck", [luckless(each) for each in rows], True))
    columns += [
        ("points", [points(each.points) for each in rows], True),
        ("games", [number(each.games) for each in rows], True),
        ("won", [number(each.wins) for each in rows], True),
        ("drawn", [number(each.draws) for each in rows], True),
        ("lost", [number(each.losses) for each in rows], True),
    ]
    if any(each.verdicts for each in rows):
        columns.append(("forfeits", [forfeits(each) for each in rows], False))
    return _sheet(f"standings, {own.title}", columns, keys=2)


def places(rows: Sequence[Standing]) -> list[int]:
    """Return the rank of each standing. Equal scores share a rank."""
    ranks: list[int] = []
    for index, each in enumerate(rows):
        same = index > 0 and each.score == rows[index - 1].score
        ranks.append(ranks[-1] if same else index + 1)
    return ranks


def elo_of(each: Standing) -> str:
    """Return the rating with its sign, rounded, or a dash if there is none."""
    return signed(each.elo.elo if each.elo else None)


def elo_span(each: Standing) -> str:
    """Return the interval of the rating as text."""
    return span(each.elo.low, each.elo.high) if each.elo else NONE


def luckless(each: Standing) -> str:
    """Return the luck-adjusted score as text."""
    return f"{percent(each.adjusted.score)} ± {100 * each.adjusted.margin:.1f}" if each.adjusted else NONE


def forfeits(each: Standing) -> str:
    """Return forfeits as text, such as "2 time, 1 crash"."""
    return ", ".join(f"{count} {verdict}" for verdict, count in each.verdicts.items())


def encounters(own: Scored) -> TableSheet:
    """Return the encounters."""
    rows = own.encounters
    columns: list[tuple[str, list[str], bool]] = [
        ("player", [each.first for each in rows], False),
        ("against", [each.second for each in rows], False),
        ("games", [number(each.games) for each in rows], True),
        ("won-drawn-lost", [record(each) for each in rows], True),
        ("score", [percent(each.score) for each in rows], True),
        ("95 % interval", [interval(each.low, each.high) for each in rows], True),
        ("from", [each.kind for each in rows], False),
        ("Elo", [signed(each.elo) for each in rows], True),
        ("95 % of Elo", [span(each.elo_low, each.elo_high) for each in rows], True),
        ("stronger", [likelihood(each.superiority) for each in rows], True),
        ("pairs", [" ".join(map(str, each.pairs)) for each in rows], True),
    ]
    return _sheet(f"each against each, {own.title}", columns, keys=2)


def tests(own: Scored) -> TableSheet:
    """Return the state of each pairing's sequential test, if tests were set."""
    rows = [(each, each.test) for each in own.encounters if each.test]
    columns: list[tuple[str, list[str], bool]] = [
        ("player", [each.first for each, _ in rows], False),
        ("against", [each.second for each, _ in rows], False),
        ("verdict", [f"{test.accepted} accepted" if test.accepted else "open" for _, test in rows], False),
        ("pairs", [number(test.pairs) for _, test in rows], True),
        ("LLR", [NONE if test.llr is None else _ratio(test.llr) for _, test in rows], True),
        ("elo0 at", [_ratio(test.lower) for _, test in rows], True),
        ("elo1 at", [_ratio(test.upper) for _, test in rows], True),
    ]
    return _sheet(f"sequential test, {own.title}", columns, keys=2)


def _ratio(value: float) -> str:
    return f"{value:.2f}".replace("-", MINUS)


def record(each: Encounter) -> str:
    """Return a record such as "12-3-5": won, drawn, lost."""
    return f"{each.wins}-{each.draws}-{each.losses}"


def balance(each: ContestFindings) -> TableSheet:
    """Return the results of each side in a contest."""
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
    """Return the endings of a contest's games, by outcome."""
    outcomes = outcomes_of(each)
    rows = []
    for ending, by_outcome in each.endings.items():
        total = sum(by_outcome.values())
        for_whom = [number(by_outcome.get(outcome, 0)) for outcome in outcomes]
        rows.append((worded(ending), number(total), percent(total / each.games), *for_whom))
    headings = ("ending", "games", "share", *map(worded, outcomes))
    return TableSheet(f"endings of {each.title}", headings, tuple(rows), tuple(range(1, len(headings))))


def efforts(found: Findings) -> TableSheet:
    """Return each player's effort per game and contest: decisions, nodes if any player searches, processor time."""
    rows = [(place, each.title, effort) for place, each in enumerate(found.contests) for effort in each.efforts]
    columns: list[tuple[str, list[str], bool]] = [
        ("played", [title for _, title, _ in rows], False),
        ("player", [effort.name for *_, effort in rows], False),
        ("games", [number(effort.games) for *_, effort in rows], True),
        ("decisions a game", [number(effort.decisions, 1) for *_, effort in rows], True),
    ]
    if any(effort.nodes is not None for *_, effort in rows):
        nodes = ["" if effort.nodes is None else number(effort.nodes, 1) for *_, effort in rows]
        columns.append(("nodes a game", nodes, True))
    clocks = {(each.contest, each.entrant): each for each in found.annex.clocks}
    if clocks:
        own = [clocks.get((place, effort.name)) for place, _, effort in rows]
        columns.append(
            ("processor a decision", [_average_time(each, each.decisions) if each else NONE for each in own], True)
        )
        columns.append(("processor a game", [_average_time(each, each.games) if each else NONE for each in own], True))
    return _sheet("decisions", columns, keys=2)


def _average_time(clock: Clock, number_of: int) -> str:
    return took(clock.nanoseconds / 1e9 / number_of) if number_of else NONE


def reasons(found: Findings) -> TableSheet:
    """Return the reasons of forfeits, the most common first."""
    rows = [(entrant, verdict, number(count), why) for entrant, verdict, why, count in found.annex.reasons]
    return TableSheet("forfeits", ("player", "verdict", "games", "reason"), tuple(rows), (2,), keys=2)


def origin(found: Findings) -> TableSheet:
    """Return the origin of the findings: versions and hashes, dates, and the command to replay them."""
    annex = found.annex
    facts = [("played", "" if not annex.began else f"{annex.began} to {annex.last}"), ("seed", found.seed)]
    facts += [("manifest", found.digest), *annex.surroundings.items(), ("to repeat", annex.command)]
    return TableSheet("origin", ("what", "is"), tuple(each for each in facts if annex.command and each[1]))


def outcomes_of(each: ContestFindings) -> tuple[str, ...]:
    """Return the outcomes that occurred in a contest: sides first, then a draw."""
    seen = {outcome for by_outcome in each.endings.values() for outcome in by_outcome}
    sides = [side.side for side in each.sides]
    return (*(side for side in sides if side in seen), *sorted(seen - set(sides)))


def outcome_of(each: Example) -> str:
    """Return the outcome of a game, with the shares if the outcome does not imply them."""
    if each.shares == shares_of(each.outcome, {}, list(each.shares)):
        return worded(each.outcome)
    shares = ", ".join(f"{side} {percent(share / 1000)}" for side, share in each.shares.items() if share)
    return f"{worded(each.outcome)} ({shares})"


def worded(name: str) -> str:
    """Return an id, such as an ending, as words."""
    return name.replace("_", " ")


def fitted(sheet: TableSheet, width: int) -> tuple[TableSheet, ...]:
    """Return ``sheet`` split into parts of at most ``width`` characters. Each part begins with the row names.

    A column that does not fit next to the row names has a part to itself, which is wider.
    """
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
