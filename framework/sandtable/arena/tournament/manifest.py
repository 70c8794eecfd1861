"""Reading a tournament's manifest: one TOML file that says everything on which its results depend."""

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from sandtable.arena.plan import Contest, Entrant, Keeping, Scheduling, StopRule, Tournament
from sandtable.errors import DataError, raise_all
from sandtable.files.document import decode_toml
from sandtable.files.reading import read_file
from sandtable.players.processes.limits import Budget

LARGEST = 1 << 20
LONGEST_NAME = 60
LONGEST_SEED = 150
MOST_GAMES = 1_000_000
MOST_ROUNDS = 1_000
MODES = ("open", "host")

Choice = str | int | bool


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    pass


class _Event(_Strict):
    title: str
    seed: str
    schedule: Scheduling = "round_robin"
    games: int = 2
    rounds: int = 0
    dice: str = "open"
    logs: Keeping = "orders"


class _Contest(_Strict):
    ruleset: str
    scenario: str = ""
    options: dict[str, Choice] = {}


class _Entrant(_Strict):
    name: str
    player: str = ""
    players: dict[str, str] = {}
    command: list[str] = []
    settings: dict[str, int] = {}


class _Budget(_Strict):
    decisions: int = 0
    nodes: int = 0
    seconds: int = 0
    cpu_seconds: int = 0
    memory_mb: int = 0
    output_kb: int = 0


class _Stop(_Strict):
    elo0: int = 0
    elo1: int = 0
    alpha: float = 0.05
    beta: float = 0.05


class _File(_Strict):
    tournament: _Event
    contest: list[_Contest]
    entrant: list[_Entrant]
    budget: _Budget = msgspec.field(default_factory=_Budget)
    stop: _Stop = msgspec.field(default_factory=_Stop)


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
    data = read_file(file, LARGEST)
    if len(data) > LARGEST:
        raise DataError(str(path), "", "is larger than 1 MiB: no manifest is")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(str(path), "", f"is not UTF-8 (byte {error.start})") from error
    return TournamentManifest(text, str(file.resolve().parent), parse_manifest(text, str(path)))


def parse_manifest(text: str, where: str) -> Tournament:
    """Return the tournament of a manifest's text; ``where`` stands in messages."""
    tables = decode_toml(text.encode(), where)
    try:
        read = msgspec.convert(tables, _File)
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at `$")
        raise DataError(where, place.strip("`.") or "manifest", problem.replace("Object", "the table", 1)) from error
    tournament = Tournament(
        title=read.tournament.title,
        seed=read.tournament.seed,
        entrants=tuple(map(_entrant, read.entrant)),
        contests=tuple(Contest(each.ruleset, each.scenario, _options(each)) for each in read.contest),
        scheduling=read.tournament.schedule,
        games=read.tournament.games,
        rounds=read.tournament.rounds,
        dice=read.tournament.dice,
        logs=read.tournament.logs,
        budget=Budget(**msgspec.structs.asdict(read.budget)),
        stop=StopRule(read.stop.elo0, read.stop.elo1, round(1000 * read.stop.alpha), round(1000 * read.stop.beta)),
    )
    raise_all([DataError(where, key, problem) for key, problem in _problems(read, tournament)])
    return replace(tournament, digest=digest_of(tournament))


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


def _entrant(read: _Entrant) -> Entrant:
    players = {**({"*": read.player} if read.player else {}), **read.players}
    return Entrant(read.name, players, tuple(read.command), dict(read.settings))


def _options(read: _Contest) -> dict[str, str]:
    """Return the options as the rulesets have them: words; true and false are yes and no."""
    words = {True: "yes", False: "no"}
    return {name: words[value] if isinstance(value, bool) else str(value) for name, value in read.options.items()}


def _problems(read: _File, tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Yield key and sentence of everything that is wrong in itself, whatever is installed."""
    yield from _event_problems(read.tournament)
    if not read.contest:
        yield "contest", "there is none: name at least one ruleset"
    if len(read.entrant) < 2:
        yield "entrant", f"there are {len(read.entrant)}: a tournament wants at least two"
    yield from _entrant_problems(read)
    for name, value in msgspec.structs.asdict(read.budget).items():
        if value < 0:
            yield f"budget.{name}", f"is {value}: must be 0 (no limit) or more"
    stop = tournament.stop
    if stop.elo0 > stop.elo1:
        yield "stop.elo1", f"is {stop.elo1}: must be above elo0, which is {stop.elo0}"
    for name, exact, milli in (("alpha", read.stop.alpha, stop.alpha_milli), ("beta", read.stop.beta, stop.beta_milli)):
        if not 1 <= milli < 500 or abs(1000 * exact - milli) > 1e-6:
            yield f"stop.{name}", f"is {exact}: must be in thousandths, 0.001 to 0.499"


def _event_problems(event: _Event) -> Iterator[tuple[str, str]]:
    if not event.title.strip() or not event.title.isprintable() or len(event.title) > LONGEST_NAME:
        yield "tournament.title", f"must be 1 to {LONGEST_NAME} printable characters"
    if not event.seed or not event.seed.isprintable() or len(event.seed) > LONGEST_SEED:
        yield "tournament.seed", f"must be 1 to {LONGEST_SEED} printable characters"
    if not 2 <= event.games <= MOST_GAMES or event.games % 2:
        yield "tournament.games", f"is {event.games}: must be an even number from 2 to {MOST_GAMES:,}"
    if event.dice not in MODES:
        yield "tournament.dice", f"{event.dice!r} is none of {', '.join(MODES)}"
    if event.schedule == "swiss" and not 1 <= event.rounds <= MOST_ROUNDS:
        yield "tournament.rounds", f"is {event.rounds}: a Swiss tournament wants 1 to {MOST_ROUNDS} of them"
    if event.schedule != "swiss" and event.rounds:
        yield "tournament.rounds", f"is for Swiss tournaments; this is a {event.schedule}"


def _entrant_problems(read: _File) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for place, each in enumerate(read.entrant):
        key = f"entrant[{place}]"
        if not each.name.strip() or not each.name.isprintable() or len(each.name) > LONGEST_NAME:
            yield f"{key}.name", f"must be 1 to {LONGEST_NAME} printable characters"
        elif each.name in seen:
            yield f"{key}.name", f"{each.name!r} is there twice: every entrant has a name of its own"
        seen.add(each.name)
        plays = bool(each.player or each.players)
        if plays == bool(each.command):
            yield key, f"{each.name!r} wants either player (or players) or a command" + (", not both" if plays else "")
        if each.command and not all(each.command):
            yield f"{key}.command", "has an empty word"
        if each.command and each.settings:
            yield f"{key}.settings", "are for players; a command takes its own words"
