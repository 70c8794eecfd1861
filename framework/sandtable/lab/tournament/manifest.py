"""Read a tournament's manifest: one TOML file with everything on which its results depend."""

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
MAX_GAMES = 1_000_000
MAX_ROUNDS = 1_000
MOST = 10**15
"""Largest absolute value of a limit, setting or rating."""

MODES = ("open", "host")


@dataclass(frozen=True)
class TournamentManifest:
    """A manifest that was read: its text, the base folder of its paths, and the tournament that it describes."""

    text: str
    base: str
    tournament: Tournament


def read_manifest(path: str | Path) -> TournamentManifest:
    """Return the manifest in the file ``path``. Raises DataError with file, key and every problem."""
    file = Path(path)
    if not file.is_file():
        raise DataError(str(path), "", "is not a file: name a tournament's manifest (TOML)")
    data = read_toml(file)
    tables = decode_toml(data, str(path))
    return TournamentManifest(data.decode("utf-8-sig"), str(file.resolve().parent), _tournament(tables, str(path)))


def parse_manifest(text: str, where: str) -> Tournament:
    """Return the tournament that a manifest's text describes. ``where`` names the source in messages."""
    return _tournament(decode_toml(text.encode(), where), where)


def canonical(tournament: Tournament) -> dict[str, Any]:
    """Return everything in a tournament except its digest, as plain tables."""
    tables = asdict(tournament)
    del tables["digest"]
    return tables


def digest_of(tournament: Tournament) -> str:
    """Return the SHA-256 of the canonical tables. Comments, spaces and the order of keys do not count."""
    return hashlib.sha256(msgspec.json.encode(canonical(tournament), order="sorted")).hexdigest()


def differences(there: Any, here: Any, key: str = "") -> Iterator[str]:
    """Yield each difference between plain tables, for example "games: 20 there, 40 here"."""
    if isinstance(there, dict) and isinstance(here, dict):
        for name in dict.fromkeys([*there, *here]):
            inner = f"{key}.{name}" if key else str(name)
            yield from differences(there.get(name), here.get(name), inner)
    elif isinstance(there, list | tuple) and isinstance(here, list | tuple):
        for index in range(max(len(there), len(here))):
            one, other = (side[index] if index < len(side) else None for side in (there, here))
            yield from differences(one, other, f"{key}[{index}]")
    elif there != here:
        yield f"{key}: {_as_json(there)} there, {_as_json(here)} here"


def _as_json(value: Any) -> str:
    return "nothing" if value is None else msgspec.json.encode(value).decode()[:80]


def _tournament(tables: dict[str, Any], where: str) -> Tournament:
    """Return the tournament of the tables.

    Raises DataError with every problem that does not depend on what is installed.
    """
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
    """Return a required text: one line of printable characters, at most ``longest`` of them."""
    text: str = table.get(str, name)
    is_given = bool(text if may_be_blank else text.strip())
    if isinstance(table.values.get(name), str) and not (is_given and text.isprintable() and len(text) <= longest):
        table.refuse(name, f"must be 1 to {longest} printable characters")
    return text


def _games(event: TomlTable) -> int:
    if "games" not in event.values:
        return 2
    games: int = event.get(int, "games")
    if type(event.values["games"]) is int and not 2 <= games <= MAX_GAMES:
        event.refuse("games", f"is {quoted(games)}: must be a number from 2 to {MAX_GAMES:,}")
    return games


def _rounds(event: TomlTable, scheduling: Scheduling) -> int:
    rounds: int = event.get(int, "rounds") if "rounds" in event.values else 0
    if type(event.values.get("rounds", 0)) is not int:
        return 0
    if scheduling == "swiss" and not 1 <= rounds <= MAX_ROUNDS:
        event.refuse("rounds", f"is {quoted(rounds)}: a Swiss tournament requires 1 to {MAX_ROUNDS} rounds")
    if scheduling != "swiss" and rounds:
        event.refuse("rounds", f"is for Swiss tournaments; this is a {shortened(scheduling, LONGEST_NAME)}")
    return rounds


def _contests(document: TomlTable) -> tuple[Contest, ...]:
    rows = listed_rows(document, "contest", ("ruleset", "scenario", "options"), must=True)
    if document.values.get("contest") == []:
        document.refuse("contest", "is empty: name at least one ruleset")
    return tuple(Contest(row.get(str, "ruleset"), _text(row, "scenario"), _options(row)) for row in rows)


def _options(contest: TomlTable) -> dict[str, str]:
    """Return the options in the form that rulesets use: words, with true and false as "yes" and "no"."""
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
        document.refuse("entrant", f"there are {len(listed)}: a tournament requires at least two")
    entrants = tuple(map(_entrant, rows))
    seen: set[str] = set()
    for row, entrant in zip(rows, entrants, strict=True):
        if entrant.name and entrant.name in seen:
            row.refuse("name", f"{quoted(entrant.name)} is used twice: every entrant needs its own name")
        seen.add(entrant.name)
    return entrants


def _entrant(row: TomlTable) -> Entrant:
    name, player = _line(row, "name", LONGEST_NAME), _text(row, "player")
    table = inner(row, "players", must=False)
    players = {**({"*": player} if player else {}), **{each: table.get(str, each) for each in table.values}}
    command = row.get(list, "command") if "command" in row.values else []
    for index, word in enumerate(command):
        row.problems.is_a(str, f"{row.key_of('command')}[{index}]", word)
    if "" in command:
        row.refuse("command", "has an empty word")
    table = inner(row, "settings", must=False)
    settings = {each: number_of(table, each, -MOST, MOST) for each in table.values}
    if command and settings:
        row.refuse("settings", "are for players; pass options to a command as its words")
    if bool(players) == bool(command):
        both = ", not both" if players else ""
        row.problems.refuse(row.key, f"{quoted(name)} requires either player (or players) or a command{both}")
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
    """Return a probability in whole thousandths, or 50 if the table has no number; invalid values are refused."""
    probability = table.values.get(name, 0.05)
    if not isinstance(probability, int | float) or isinstance(probability, bool):
        table.refuse(name, f"is {quoted(probability)}; write a number such as 0.05")
        return 50
    milli = round(1000 * probability) if 0 < probability < 1 else 0
    if not 1 <= milli < 500 or abs(1000 * probability - milli) > 1e-6:
        table.refuse(name, f"is {quoted(probability)}: must be in thousandths, 0.001 to 0.499")
    return milli


def _text(table: TomlTable, name: str) -> str:
    return str(table.get(str, name)) if name in table.values else ""
