"""Every command line that commands, rulesets, scenarios, bots and seats form together.

Nothing here names a command, a game or a bot. Commands come from their table, arguments from their parameters, and
everything else from manifests and hooks. A parameter of a new kind is given a value by its type.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.testing import CliRunner, Result
from cutting import first_half

from sandtable.cli.commands import all_commands
from sandtable.cli.context import CliContext
from sandtable.cli.main import cli
from sandtable.journal.anchors.disputes import dispute_bytes, open_dispute
from sandtable.journal.battles import fights_battles
from sandtable.journal.file.reading import read_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_into_file
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import HUMAN, holders, makers, name_seats, seat_players
from sandtable.players.umpires import fighters, has_battles
from sandtable.plugin.manager import AND, Installed, Prepared

BRIEF = """
from msgspec.structs import replace

import sandtable as st


def over(state):
    if state.turn == {turns}:
        yield st.GameEnded("draw", {ending!r}, {rule!r})


@st.hookimpl
def variant_manifest():
    return st.Variant({ident!r}, {ruleset!r}, "Soon over")


@st.hookimpl(wrapper=True)
def ruleset_parts(scenario, options):
    parts = yield
    last = st.Phase("over", over, rule={rule!r})
    return replace(parts, sequence=st.SequenceOfPlay((*parts.sequence.turn, last), parts.sequence.setup))
"""
EVENT = """
[tournament]
title = "Sweep"
seed = "sweep"
[[contest]]
ruleset = "{ruleset}"
scenario = "{scenario}"
[[entrant]]
name = "first"
player = "{first}"
[[entrant]]
name = "second"
player = "{second}"
"""
SEATS = "SIDE=NAME"
OPTION_VALUE = "OPTION=VALUE"
QUIT = "quit\n" * 3


def write_brief(folder: Path, installed: Installed) -> str:
    """Write a variant that ends games early into ``folder``. Return the name of the ruleset with this variant.

    One turn is enough, but if the umpire reports battles, there must be time for one.
    """
    ruleset, ident = installed.manifest.id, f"brief_{installed.manifest.id}"
    ending, rule = installed.manifest.endings[0], installed.hook.ruleset_index()[0].id
    turns = 3 if has_battles(installed.prepare()) else 1
    text = BRIEF.format(ident=ident, ruleset=ruleset, ending=ending, rule=rule, turns=turns)
    (folder / f"{ident}.py").write_text(text, encoding="utf-8")
    return f"{ruleset}{AND}{ident}"


def run(words: Sequence[str], setting: CliContext) -> Result:
    """Run a command line in this process with the outermost error handling. A person who must decide quits."""
    return CliRunner().invoke(cli, words, input=QUIT, prog_name="sandtable", obj=setting)


@dataclass
class Ground:
    """A ruleset in one scenario, with files in ``folder``. With ``whole`` every combination of players is used."""

    setting: CliContext
    installed: Installed
    scenario: str
    folder: Path
    whole: bool = False
    made: dict[str, Path] = field(default_factory=dict)

    @cached_property
    def prepared(self) -> Prepared:
        """The prepared ruleset."""
        return self.installed.prepare(self.scenario)

    @cached_property
    def able(self) -> dict[str, list[str]]:
        """The players that may sit in each seat, without people, including rulesets that may be the umpire."""
        found = {seat: holders(self.installed, seat) for seat in self.prepared.ruleset.seats}
        found[UMPIRE] += fighters(self.prepared)
        return found

    @cached_property
    def named(self) -> list[str]:
        """All names of players, without people: bots, and rulesets that fight battles for others."""
        beside = self.setting.rulesets.load_all()
        others = [name for name, each in beside.items() if isinstance(each, Installed) and fights_battles(each)]
        return [*makers(self.installed), *others]

    def seatings(self) -> Iterator[dict[str, str]]:
        """Yield the players of all seats: each bot at least once in each seat, or with ``whole`` all combinations.

        People sit in all seats or none, because they quit immediately and no other player would decide.
        """
        yield dict.fromkeys(self.able, HUMAN)
        if self.whole:
            yield from (dict(zip(self.able, each, strict=True)) for each in product(*self.able.values()))
        else:
            for turn in range(max(map(len, self.able.values()))):
                yield {seat: bots[turn % len(bots)] for seat, bots in self.able.items()}

    def misplaced(self) -> Iterator[tuple[str, str]]:
        """Yield each seat with each name that may not sit there."""
        yield from ((seat, name) for seat, bots in self.able.items() for name in self.named if name not in bots)

    def pairs(self) -> Iterator[tuple[str, str, str]]:
        """Yield two names, and a word of the refusal if one of them cannot play both sides."""
        seats = [seat for seat in self.able if seat != UMPIRE]
        both = [name for name in self.named if all(name in self.able[seat] for seat in seats)]
        pairs = product(both, both) if self.whole else zip(both[::2], [*both[1::2], both[0]], strict=False)
        yield from ((*pair, "") for pair in pairs)
        yield from ((name, both[0], name) for name in self.named if name not in both)
        yield HUMAN, both[0], "people"

    def log(self, kind: str) -> Path:
        """Return the log of a game: complete ("whole"), cut off ("half"), or torn in its last line ("torn")."""
        if kind not in self.made:
            path = self.made[kind] = self.folder / f"{self.scenario}-{kind}.jsonl"
            if kind == "whole":
                names, key = name_seats(self.prepared, {}), key_from_seed("sweep")
                dice = make_dice("open", key)
                header = make_header(self.prepared, names, dice)
                play_into_file(self.prepared, seat_players(self.prepared, names, key), dice, header, path)
            else:
                whole = self.log("whole").read_bytes()
                half = first_half(whole)
                path.write_bytes(half if kind == "half" else whole[:-20])
        return self.made[kind]

    def event(self, first: str, second: str) -> Path:
        """Return the manifest of a tournament between two."""
        path = self.folder / f"{self.scenario}-{first}-{second}.toml"
        facts = {"ruleset": self.installed.name, "scenario": self.scenario, "first": first, "second": second}
        path.write_text(EVENT.format(**facts), encoding="utf-8")
        return path

    def dispute(self) -> Path:
        """Return the file of a dispute over the first record of a complete log."""
        log = read_log(self.log("whole"))
        file = self.folder / f"{self.scenario}.toml"
        file.write_bytes(dispute_bytes(open_dispute(log, 1, "that was not so", next(iter(log.header.players)), "")))
        return file

    def played_event(self) -> Path:
        """Return the folder of a finished tournament: with ``whole`` of this scenario, otherwise of any."""
        path = self.folder / (f"{self.scenario}-event" if self.whole else "event")
        if not path.exists():
            first, second, _ = next(self.pairs())
            event = str(self.event(first, second))
            done = run(("tournament", "run", event, "--out", str(path), "--workers", "1"), self.setting)
            assert done.exit_code == 0, done.stderr
        return path


class Part(NamedTuple):
    """The words for one parameter.

    ``refused`` is a word of the refusal if a player cannot sit in its seat. A ``guessed`` value need not make sense to
    the command. With ``copied`` the command gets a copy of a file that it may change.
    """

    words: tuple[str, ...] = ()
    refused: str = ""
    guessed: bool = False
    copied: bool = False


class Line(NamedTuple):
    """A command line that consists of parts."""

    command: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the line."""
        return (*self.command, *(word for part in self.parts for word in part.words))

    @property
    def refused(self) -> str:
        """A word of the required refusal, or ""."""
        return next((part.refused for part in self.parts if part.refused), "")

    @property
    def good(self) -> bool:
        """Whether the line is valid: no part is guessed or refused."""
        return not self.refused and not any(part.guessed for part in self.parts)

    def run(self, setting: CliContext) -> Result:
        """Run it in the current folder, which must be empty."""
        words = list(self.command)
        for number, part in enumerate(self.parts):
            words += part.words
            if part.copied:
                words[-1] = f"{number}.jsonl"
                shutil.copyfile(part.words[-1], words[-1])
        return run(words, setting)


def leaves() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield the words of every command, including groups, and the command.

    Not among them are ``serve``, which does not end, and those of games by mail, which take no log.
    """
    context = click.Context(cli)
    for words in all_commands():
        if words == ("serve",) or words[0] == "mail":
            continue
        command: click.Command | None = cli
        for word in words:
            assert isinstance(command, click.Group)
            command = command.get_command(context, word)
        assert command is not None
        yield words, command


def lines_of(words: tuple[str, ...], command: click.Command, ground: Ground) -> list[Line]:
    """Return the lines of a command on a ground."""
    goes_on = any(each.metavar == SEATS for each in command.params)
    given = [list(_parts(each, ground, logs=("half",) if goes_on else LOGS)) for each in command.params]
    more = (Part((), guessed=True),) if words in MAY_BE_REFUSED else ()
    return [Line(words, (*parts, *more)) for parts in product(*given)]


def dealt(lines: list[Line], place: int, places: int) -> list[Line]:
    """Return a scenario's share of lines, at least one. Together the ``places`` shares contain all."""
    return lines[place::places] or lines[place % len(lines) :][:1]


MAY_BE_REFUSED = (("resign",), ("draw",), ("log", "rule"), ("key", "split"))
"""Commands that fit only some games: a game may be over, a ruling may lack its content, open dice have no key file."""
LOGS = ("whole", "half", "torn")
GIVEN: dict[str, Callable[[Ground], list[str]]] = {
    "ruleset": lambda ground: [ground.installed.name],
    "rulesets": lambda ground: [ground.installed.name],
    "what": lambda ground: [ground.installed.name],
    "scenario": lambda ground: [ground.scenario],
    "side": lambda ground: list(ground.prepared.ruleset.viewers),
}
"""Values of parameters with these names, required or not. ``ID`` is that of a ruleset."""

FEW = ("games", "workers")
"""Parameters that get their least value although they are optional."""


def _parts(parameter: click.Parameter, ground: Ground, logs: Sequence[str]) -> Iterator[Part]:
    """Yield the possible values of a parameter, or an empty part if it is irrelevant."""
    mark, name = parameter.metavar or "", "ruleset" if parameter.metavar == "ID" else parameter.name or ""
    option = [max(parameter.opts, key=len)] if isinstance(parameter, click.Option) else []

    def part(*values: str, **facts: Any) -> Part:
        return Part(tuple(word for value in values for word in [*option, value]), **facts)

    if mark == SEATS:
        for seating in ground.seatings():
            yield part(*(f"{seat}={who}" for seat, who in seating.items()))
        for seat, who in ground.misplaced():
            yield part(f"{seat}={who}", refused=who)
    elif mark == "NAME" and name == "players":
        yield from (part(*pair, refused=refused) for *pair, refused in ground.pairs())
    elif mark == OPTION_VALUE:
        ruling = next(each for each in ground.installed.manifest.options if len(each.values) > 1)
        yield part(f"{ruling.name}={ruling.values[1]}")
    elif name in GIVEN:
        yield from map(part, GIVEN[name](ground))
    elif isinstance(parameter.type, click.Path) and isinstance(parameter, click.Argument):
        yield from _files(mark, ground, logs)
    else:
        yield part(_any(parameter), guessed=name not in FEW) if parameter.required or name in FEW else Part()


def _files(mark: str, ground: Ground, logs: Sequence[str]) -> Iterator[Part]:
    """Yield the possible values of a path: manifests, the folder of a tournament, or logs, the intended one first."""
    if mark == "FILE":
        for first, second, refused in ground.pairs():
            yield Part((str(ground.event(first, second)),), refused)
    elif mark.startswith("DISPUTE"):
        yield Part((str(ground.dispute()),), copied=True)
    elif mark == "KEY":
        yield Part((str(ground.folder / "no.key"),), guessed=True)
    elif mark == "DIR":
        yield Part((str(ground.played_event()),))
    else:
        yield from (Part((str(ground.log(kind)),), guessed=kind != logs[0], copied=True) for kind in logs)


def _any(parameter: click.Parameter) -> str:
    """Return a value by the type of a parameter: the least number, the first choice, a new file, or a word."""
    kind = parameter.type
    if isinstance(kind, click.IntRange | click.FloatRange):
        return str(kind.min or 0)
    if isinstance(kind, click.Choice):
        return str(kind.choices[0])
    return "0" if kind in {click.INT, click.FLOAT} else "new"
