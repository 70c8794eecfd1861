"""Data of a store besides the games: reasons of forfeits, processor time of decisions, and dates.

All of it depends on the machine and the day. It is stored apart from the rows, which do not, and is not exported.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec

from sandtable.lab.plan import Annex, Clock, Forfeit

MAX_FAULTS, MAX_REASONS = 50, 20
"""Maximum number of forfeits listed individually, and of distinct reasons."""

LAST_LINES, LONGEST_LINE, LONGEST_REASON = 12, 200, 500

TABLES = """
create table faults (
    number integer primary key, entrant text not null, side text not null, verdict text not null,
    reason text not null, tail text not null
);
create table clocks (
    contest integer not null, entrant text not null,
    games integer not null, decisions integer not null, nanoseconds integer not null,
    primary key (contest, entrant)
) without rowid;
"""
_FAULT = "number, entrant, side, verdict, reason, tail"
_COUNT = """
insert into clocks values (?, ?, ?, ?, ?) on conflict (contest, entrant) do update set
games = games + excluded.games, decisions = decisions + excluded.decisions,
nanoseconds = nanoseconds + excluded.nanoseconds
"""


@dataclass(frozen=True)
class Aside:
    """A worker's report about a game besides its row: the fault that ended it, and nanoseconds by entrant."""

    fault: Forfeit | None = None
    nanoseconds: dict[str, int] = field(default_factory=dict)


def last_lines(text: str) -> str:
    """Return the last lines of a program's output, shortened."""
    lines = [line.rstrip()[:LONGEST_LINE] for line in text.splitlines() if line.strip()]
    return "\n".join(lines[-LAST_LINES:])


def put_asides(base: sqlite3.Connection, games: Iterable[tuple[int, int, Mapping[str, int], Aside]]) -> None:
    """Store the asides of games, each with number, contest and decisions by entrant. Needs an open transaction."""
    spent: dict[tuple[int, str], list[int]] = {}
    for number, contest, decisions, aside in games:
        fault = aside.fault
        if fault is not None:
            values = (fault.entrant, fault.side, fault.verdict, fault.reason[:LONGEST_REASON], last_lines(fault.tail))
            base.execute("insert or replace into faults values (?, ?, ?, ?, ?, ?)", (number, *values))
        for name, nanoseconds in aside.nanoseconds.items():
            totals = spent.setdefault((contest, name), [0, 0, 0])
            for index, each in enumerate((1, decisions.get(name, 0), nanoseconds)):
                totals[index] += each
    base.executemany(_COUNT, [(*key, *totals) for key, totals in spent.items()])
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    base.execute("insert or ignore into facts values ('began', ?)", (now,))
    base.execute("insert or replace into facts values ('last', ?)", (now,))


def fault_of(base: sqlite3.Connection, number: int) -> Forfeit | None:
    """Return why a game was forfeited, or None if it was not or the reason was not stored."""
    found = base.execute(f"select {_FAULT} from faults where number = ?", (number,)).fetchone()  # noqa: S608 - fixed
    return Forfeit(*found) if found else None


def annex_of(base: sqlite3.Connection, manifest: str, command: str) -> Annex:
    """Return all stored data except the games."""
    facts = dict(base.execute("select name, value from facts"))
    faults = base.execute(f"select {_FAULT} from faults order by number limit ?", (MAX_FAULTS,))  # noqa: S608 - fixed
    kinds = "select entrant, verdict, reason, count(*) from faults group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit ?"
    clocks = base.execute("select contest, entrant, games, decisions, nanoseconds from clocks order by 1, 2")
    return Annex(
        began=facts.get("began", ""),
        last=facts.get("last", ""),
        command=command,
        manifest=manifest,
        surroundings=surroundings_of(facts.get("surroundings", "")),
        reasons=tuple(base.execute(kinds, (MAX_REASONS,))),
        faults=tuple(Forfeit(*each) for each in faults),
        clocks=tuple(Clock(*each) for each in clocks),
    )


def surroundings_of(noted: str) -> dict[str, str]:
    """Return the surroundings that a tournament began with, empty for "". Raises msgspec.MsgspecError."""
    return msgspec.json.decode(noted, type=dict[str, str]) if noted else {}
