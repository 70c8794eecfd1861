"""Reading a tournament's manifest: one TOML file that says everything on which its results depend."""

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, cast, get_args

import msgspec

from sandtable.errors import DataError
from sandtable.files.document import Problems, TomlTable, decode_toml, read_toml
from sandtable.files.fields import choice_of, inner, listed_rows, noted, number_of
from sandtable.files.words import quoted
from sandtable.lab.plan import Contest, Entrant, Keeping, Scheduling, StopRule, Tournament
from sandtable.players.processes.limits import Budget
from sandtable.quoting import shortened

LONGEST_NAME = 60
LONGEST_SEED = 150
MOST_GAMES = 1_000_000
MOST_ROUNDS = 1_000
MOST = 10**15
"""The largest limit, setting or rating."""

MODES = ("open", "host")


@dataclass(frozen=True)
class TournamentManifest:
    """A manifest that was read: its text, the folder that its paths start from, and what it means."""

    text: str
    base: str
    tournament: Tournament


def read_manifest(path: str | Path) -> TournamentManifest:
    """Return the manifest in the file ``path``; raises DataError, naming file and key, with all that is wrong."""
    file = Path(path)
    if not file.is_file():
        raise DataError(str(path), "", "is no file: name a tournament's manifest (TOML)")
    data = read_toml(file)
    tables = decode_toml(data, str(path))
    return TournamentManifest(data.decode("utf-8-sig"), str(file.resolve().parent), _tournament(tables, str(path)))


def parse_manifest(text: str, where: str) -> Tournament:
    """Return the tournament of a manifest's text; ``where`` stands in messages."""
    return _tournament(decode_toml(text.encode(), where), where)


def canonical(tournament: Tournament) -> dict[str, Any]:
    """Return everything that a tournament is, but its digest, as plain tables."""
    tables = asdict(tournament)
    del tables["digest"]
    return tables


def digest_of(tournament: Tournament) -> str:
    """Return the SHA-256 of the canonical tables: comments, spaces and the order of keys do not count."""
    return hashlib.sha256(msgspec.json.encode(canonical(tournament), order="sorted")).hexdigest()


def differences(there: Any, here: Any, key: str = "") -> Iterator[str]:
    """Tell, one after the other, where plain tables differ: "games: 20 there, 40 here"."""
    if isinstance(there, dict) and isinstance(here, dict):
        for name in dict.fromkeys([*there, *here]):
            inner = f"{key}.{name}" if key else str(name)
            yield from differences(there.get(name), here.get(name), inner)
    elif isinstance(there, list | tuple) and isinstance(here, list | tuple):
        for place in range(max(len(there), len(here))):
            one, other = (side[place] if place < len(side) else None for side in (there, here))
            yield from differences(one, other, f"{key}[{place}]")
    elif there != here:
        yield f"{key}: {_shown(there)} there, {_shown(here)} here"


def _shown(value: Any) -> str:
    return "nothing" if value is None else msgspec.json.encode(value).decode()[:80]


def _tournament(tables: dict[str, Any], where: str) -> Tournament:
    """Return what the tables mean; raises DataError with everything that is wrong in itself, whatever is installed."""
    problems = Problems(where)
    document = noted(TomlTable(problems, "", tables), ("tournament", "contest", "entrant", "budget", "stop"))
    event = inner(document, "tournament", ("title", "seed", "schedule", "games", "rounds", "dice", "logs"))
    scheduling = cast("Scheduling", choice_of(event, "schedule", get_args(Scheduling), "round_robin"))
    tournament = Tournament(
        title=_line(event, "title", LONGEST_NAME),
        seed=_line(event, "seed", LONGEST_SEED, may_be_blank=True),
        scheduling=scheduling,
        games=_games(event),
        rounds=_rounds(event, scheduling),
        dice=choice_of(event, "dice", MODES, "open"),
        logs=cast("Keeping", choice_of(event, "logs", get_args(Keeping), "orders")),
        contests=_contests(document),
        entrants=_entrants(document),
        budget=_budget(document),
        stop=_stop(document),
    )
    problems.stop()
    return replace(tournament, digest=digest_of(tournament))


def _line(table: TomlTable, name: str, longest: int, *, may_be_blank: bool = False) -> str:
    """Return a text that must be there, on one line of printable characters and at most so long."""
    text: str = table.get(str, name)
    is_told = bool(text if may_be_blank else text.strip())
    if isinstance(table.values.get(name), str) and not (is_told and text.isprintable() and len(text) <= longest):
        table.refuse(name, f"must be 1 to {longest} printable characters")
    return text


def _games(event: TomlTable) -> int:
    if "games" not in event.values:
        return 2
    games: int = event.get(int, "games")
    if type(event.values["games"]) is int and (not 2 <= games <= MOST_GAMES or games % 2):
        event.refuse("games", f"is {quoted(games)}: must be an even number from 2 to {MOST_GAMES:,}")
    return games


def _rounds(event: TomlTable, scheduling: Scheduling) -> int:
    rounds: int = event.get(int, "rounds") if "rounds" in event.values else 0
    if type(event.values.get("rounds", 0)) is not int:
        return 0
    if scheduling == "swiss" and not 1 <= rounds <= MOST_ROUNDS:
        event.refuse("rounds", f"is {quoted(rounds)}: a Swiss tournament wants 1 to {MOST_ROUNDS} of them")
    if scheduling != "swiss" and rounds:
        event.refuse("rounds", f"is for Swiss tournaments; this is a {shortened(scheduling, LONGEST_NAME)}")
    return rounds


def _contests(document: TomlTable) -> tuple[Contest, ...]:
    rows = listed_rows(document, "contest", ("ruleset", "scenario", "options"), must=True)
    if document.values.get("contest") == []:
        document.refuse("contest", "there is none: name at least one ruleset")
    return tuple(Contest(row.get(str, "ruleset"), _text(row, "scenario"), _options(row)) for row in rows)


def _options(contest: TomlTable) -> dict[str, str]:
    """Return the options as the rulesets have them: words; true and false are yes and no."""
    table, words = inner(contest, "options", must=False), {True: "yes", False: "no"}
    options = {}
    for name, value in table.values.items():
        if not isinstance(value, str | int):
            table.refuse(name, f"is {quoted(value)}; write text, a whole number, true or false")
        else:
            options[name] = words[value] if isinstance(value, bool) else str(value)
    return options


def _entrants(document: TomlTable) -> tuple[Entrant, ...]:
    keys = ("name", "player", "players", "command", "settings")
    rows = listed_rows(document, "entrant", keys, must=True)
    listed = document.values.get("entrant")
    if isinstance(listed, list) and len(listed) < 2:
        document.refuse("entrant", f"there are {len(listed)}: a tournament wants at least two")
    entrants = tuple(map(_entrant, rows))
    seen: set[str] = set()
    for row, entrant in zip(rows, entrants, strict=True):
        if entrant.name and entrant.name in seen:
            row.refuse("name", f"{quoted(entrant.name)} is there twice: every entrant has a name of its own")
        seen.add(entrant.name)
    return entrants


def _entrant(row: TomlTable) -> Entrant:
    name, player = _line(row, "name", LONGEST_NAME), _text(row, "player")
    table = inner(row, "players", must=False)
    players = {**({"*": player} if player else {}), **{each: table.get(str, each) for each in table.values}}
    command = row.get(list, "command") if "command" in row.values else []
    for place, word in enumerate(command):
        row.problems.is_a(str, f"{row.key_of('command')}[{place}]", word)
    if "" in command:
        row.refuse("command", "has an empty word")
    table = inner(row, "settings", must=False)
    settings = {each: number_of(table, each, -MOST, MOST) for each in table.values}
    if command and settings:
        row.refuse("settings", "are for players; a command takes its own words")
    if bool(players) == bool(command):
        both = ", not both" if players else ""
        row.problems.refuse(row.key, f"{quoted(name)} wants either player (or players) or a command{both}")
    return Entrant(name, players, tuple(map(str, command)), settings)


def _budget(document: TomlTable) -> Budget:
    names = [each.name for each in fields(Budget)]
    table = inner(document, "budget", names, must=False)
    return Budget(**{name: number_of(table, name, 0, MOST, 0) for name in names})


def _stop(document: TomlTable) -> StopRule:
    table = inner(document, "stop", ("elo0", "elo1", "alpha", "beta"), must=False)
    elo0, elo1 = (number_of(table, name, -MOST, MOST, 0) for name in ("elo0", "elo1"))
    if elo0 > elo1:
        table.refuse("elo1", f"is {elo1}: must be above elo0, which is {elo0}")
    return StopRule(elo0, elo1, _thousandths(table, "alpha"), _thousandths(table, "beta"))


def _thousandths(table: TomlTable, name: str) -> int:
    """Return a chance in whole thousandths, 50 where the table has none or a wrong one."""
    chance = table.values.get(name, 0.05)
    if not isinstance(chance, int | float) or isinstance(chance, bool):
        table.refuse(name, f"is {quoted(chance)}; write a number such as 0.05")
        return 50
    milli = round(1000 * chance) if 0 < chance < 1 else 0
    if not 1 <= milli < 500 or abs(1000 * chance - milli) > 1e-6:
        table.refuse(name, f"is {quoted(chance)}: must be in thousandths, 0.001 to 0.499")
    return milli


def _text(table: TomlTable, name: str) -> str:
    return str(table.get(str, name)) if name in table.values else ""
