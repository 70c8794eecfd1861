"""Prepare a tournament: load the rulesets, prepare every contest, and find every entrant.

The versions and file hashes that a machine plays with are its *surroundings*. Every process that plays a tournament
must have the same surroundings, from beginning to end.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

import sandtable
from sandtable.errors import DataError, PlayError, SandtableError, raise_all
from sandtable.files.reading import hash_file
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Player
from sandtable.lab.plan import Contest, Entrant, Tournament
from sandtable.lab.ratings.sprt import is_enabled
from sandtable.players.players import HUMAN, AbsentPlayer, admit, makers, name_seats
from sandtable.players.processes.limits import cannot_start, fence
from sandtable.plugin.importing import hash_of
from sandtable.plugin.manager import AND, Prepared, Rulesets
from sandtable.plugin.third_party import is_named_bot

ALLOW = "--allow-code"
"""The option that lets a tournament import the classes that its entrants name."""

_NOTED = re.compile(r"version (.+), files ([0-9a-f]+)")
"""The form of a ruleset's entry in the surroundings."""


@dataclass(frozen=True)
class Stage:
    """The prepared contests, in the order of the tournament. ``base`` is the folder of relative paths.

    ``folder`` is the tournament's folder, if it is stored. No bot may read these two folders while it plays. ``code``
    is the folder from which entrants of the form ``module:Class`` may be imported, or None if no code from files may
    run.
    """

    tournament: Tournament
    base: str
    prepared: tuple[Prepared, ...]
    folder: str = ""
    code: str | None = None

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The sides of each contest."""
        return tuple(prepared.ruleset.viewers for prepared in self.prepared)

    def entrant(self, name: str) -> Entrant:
        """Return the entrant ``name``."""
        return next(each for each in self.tournament.entrants if each.name == name)


def player_of(entrant: Entrant, contest: Contest) -> str:
    """Return the name of the player that an entrant has for a contest, or "".

    A player for ``toy+dusk`` takes precedence over one for ``toy``, and that over one for ``*``.
    """
    names = (contest.ruleset, contest.ruleset.split(AND)[0], "*")
    return next((entrant.players[name] for name in names if name in entrant.players), "")


def set_stage(
    tournament: Tournament,
    rulesets: Rulesets,
    base: str,
    where: str = "manifest",
    *,
    to_play: bool = False,
    code: str | None = None,
    noted: Mapping[str, str] = MappingProxyType({}),
) -> Stage:
    """Return the prepared tournament. Raises DataError with everything that does not exist.

    If ``noted`` surroundings name a ruleset's version, that version is loaded even if others are installed.

    The programs and classes of entrants are required only if games are ``to_play``: stored games are read without them.
    The tournament comes from a file, so a class is imported, or a program started without a fence, only if the user
    allowed it. ``code`` is then the folder of the classes; the user names it, never a file.
    """
    found: list[DataError] = []
    ready: list[Prepared] = []
    for index, contest in enumerate(tournament.contests):
        try:
            ready.append(_prepare(contest, rulesets, base, noted.get(contest.ruleset, "")))
        except SandtableError as error:
            key = f"contest[{index}]"
            problem = str(error)
            if isinstance(error, DataError) and error.where == "option":
                key, problem = f"{key}.options.{error.key}", error.problem
            found.append(DataError(where, key, problem, error.also if isinstance(error, DataError) else ()))
            continue
        found += _missing_bots(tournament, ready[-1], where, code, to_play=to_play)
        own = (tournament, index, ready[-1])
        problems = [*_misfits(*own), *_missing_players(*own)]
        found += [DataError(where, key, problem) for key, problem in problems]
    for index, entrant in enumerate(tournament.entrants):
        unused = [name for name in entrant.players if name != "*" and not _is_played(name, tournament)]
        found += [DataError(where, f"entrant[{index}].players.{name}", "is played in no contest") for name in unused]
        problem = _why_not_started(entrant, base, code) if to_play and entrant.command else ""
        if problem:
            found.append(DataError(where, f"entrant[{index}].command", problem))
    raise_all(found)
    return Stage(tournament, base, tuple(ready), code=code)


def _why_not_started(entrant: Entrant, base: str, code: str | None) -> str:
    """Return why the program of an entrant cannot be started, or ""."""
    if code is None and not fence():
        return f"is a program, which this system cannot isolate: use {ALLOW} to start it if you trust it"
    return cannot_start(entrant.command, Path(base))


def _is_played(name: str, tournament: Tournament) -> bool:
    return any(name in {each.ruleset, each.ruleset.split(AND)[0]} for each in tournament.contests)


def _prepare(contest: Contest, rulesets: Rulesets, base: str, noted: str) -> Prepared:
    played = _NOTED.fullmatch(noted)
    installed = rulesets.load_version(contest.ruleset, *played.groups()) if played else rulesets.load(contest.ruleset)
    scenario = contest.scenario
    if scenario and scenario not in installed.scenario_ids():
        if not scenario.endswith(".toml"):
            known = ", ".join(installed.scenario_ids())
            problem = f"has no scenario {scenario!r}: it has {known}, or name a .toml file"
            raise DataError(contest.ruleset, "", problem)
        scenario = str(Path(base, scenario))
    return installed.prepare(scenario, contest.options)


def _missing_bots(
    tournament: Tournament, prepared: Prepared, where: str, code: str | None, *, to_play: bool
) -> Iterator[DataError]:
    """Admit the bots named as ``module:Class``. Yield an error for each one that may not or cannot be imported.

    Such a bot is imported only if games are to be played and ``code`` names its folder.
    """
    for number, entrant in enumerate(tournament.entrants):
        for key, name in entrant.players.items():
            admit(prepared.installed, [name], absent=True)
            if not to_play or makers(prepared.installed).get(name) is not AbsentPlayer:
                continue
            try:
                if code is None:
                    raise PlayError(f"{name!r} is Python code: use {ALLOW} to import it if you trust it")
                admit(prepared.installed, [name], code)
            except PlayError as error:
                yield DataError(where, f"entrant[{number}].{'player' if key == '*' else f'players.{key}'}", str(error))


def _misfits(tournament: Tournament, index: int, prepared: Prepared) -> Iterator[tuple[str, str]]:
    """Yield the key and problem of each mismatch between the tournament and the number of sides of a contest."""
    name, sides = tournament.contests[index].ruleset, len(prepared.ruleset.viewers)
    key, entrants = f"contest[{index}]", len(tournament.entrants)
    if sides < 2:
        yield key, f"{name} is for {sides} side: it has no opponent to play against"
    if sides > entrants:
        problem = f"{name} is for {sides} sides, but there are only {entrants} entrants"
        yield key, f"{problem}: name one for each side; `sandtable match` lets two bots fill them"
    if sides == 2 and tournament.games % 2:
        yield "tournament.games", f"is {tournament.games}: must be even, because {name} is played in pairs"
    if sides > 2 and is_enabled(tournament.stop):
        yield "stop", f"a sequential test is for two sides, and {name} has {sides}: leave [stop] out"
    if sides > 2 and tournament.scheduling == "swiss":
        yield key, f"{name} is for {sides} sides: Swiss rounds pair two; use round_robin or gauntlet"


def _missing_players(tournament: Tournament, index: int, prepared: Prepared) -> Iterator[tuple[str, str]]:
    """Yield the key and problem of each entrant without a suitable player for a contest."""
    contest, sides = tournament.contests[index], prepared.ruleset.viewers
    for number, entrant in enumerate(tournament.entrants):
        if entrant.command:
            continue
        name, key = player_of(entrant, contest), f"entrant[{number}]"
        if not name:
            yield f"{key}.players", f"{entrant.name!r} has no player for {contest.ruleset}: name one, or one for '*'"
            continue
        try:
            if name == HUMAN:
                raise DataError("", "", "a tournament is for bots: people play with `sandtable play`")
            name_seats(prepared, dict.fromkeys(sides, name))
        except SandtableError as error:
            yield f"{key}.player", str(error).lstrip(": ")
            continue
        if entrant.settings:
            yield from _settings_problems(prepared, entrant, name, key)


def _settings_problems(prepared: Prepared, entrant: Entrant, name: str, key: str) -> Iterator[tuple[str, str]]:
    seat = next(iter(prepared.ruleset.seats))
    try:
        configured(makers(prepared.installed)[name](seat, Stream(b""), prepared.board), entrant)
    except SandtableError as error:
        yield f"{key}.settings", str(error)


def configured(player: Player, entrant: Entrant, nodes: int = 0) -> Player:
    """Return ``player`` after its method ``configure`` received the entrant's settings.

    A player that searches (it has ``game_nodes``) gets at most ``nodes`` for the game, unless ``nodes`` is 0. Raises
    PlayError if the player takes no settings, or not these.
    """
    settings = dict(entrant.settings)
    if nodes and hasattr(player, "game_nodes"):
        settings["game_nodes"] = min(settings.get("game_nodes") or nodes, nodes)
    if settings:
        configure = getattr(player, "configure", None)
        if configure is None:
            raise PlayError(f"the player of {entrant.name!r} takes no settings")
        configure(settings)
    return player


def surroundings(stage: Stage) -> dict[str, str]:
    """Return the surroundings of this process: versions and hashes of framework, rulesets, scenarios and bots."""
    return rules_here(stage) | _bots_here(stage)


def rules_here(stage: Stage) -> dict[str, str]:
    """Return the surroundings without the bots: everything that makes a log from its orders."""
    facts = {"framework": f"version {sandtable.__version__}, files {_framework_hash()[:16]}"}
    for contest, prepared in zip(stage.tournament.contests, stage.prepared, strict=True):
        installed = prepared.installed
        facts[contest.ruleset] = f"version {installed.manifest.version}, files {installed.content_hash[:16]}"
        facts[f"{contest.ruleset} {prepared.scenario.id}"] = f"scenario {prepared.scenario.digest[:16]}"
    return facts


def _bots_here(stage: Stage) -> dict[str, str]:
    facts = {}
    for entrant in stage.tournament.entrants:
        for word in entrant.command:
            file = Path(stage.base, word)
            if file.is_file():
                facts[f"{entrant.name}: {word}"] = hash_file(file)[:16]
        for name in filter(is_named_bot, entrant.players.values()):
            module = sys.modules.get(name.partition(":")[0].partition(".")[0])
            if module is not None and module.__file__:
                facts[f"{entrant.name}: {name}"] = hash_of(module)[:16]
    return facts


@cache
def _framework_hash() -> str:
    """Return the SHA-256 of the framework's files at the first call of this process."""
    return hash_of(sandtable)
