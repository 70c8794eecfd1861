"""No command line that names what there is ends in an internal error, and all keep one rule about who sits where."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from sweeping import Ground, Line, dealt, leaves, lines_of, write_brief

from sandtable.cli.author import timing, timing_players
from sandtable.cli.commands import COMMANDS, Entry, LazyGroup
from sandtable.cli.context import CliContext
from sandtable.journal.branching.readings import other_readings
from sandtable.lab.search.player import SearchPlayer
from sandtable.plugin.manager import Installed, Rulesets
from sandtable.testing.contract import CHECKS

pytestmark = pytest.mark.full

INSTALLED = [name for name, each in Rulesets().load_all().items() if isinstance(each, Installed)]
PROMISED = {0, 1, 2, 3, 4}
REFUSED = {2, 3}
"""Usage, or a file that names what cannot be."""

ONE_RULESET = (("check",), ("ruleset", "rules"))
"""Other tests run on every ruleset what these run, and they take long: one ruleset will do in the usual run."""

ONCE = (
    *ONE_RULESET,
    ("ruleset", "bench"),
    ("bot", "check"),
    ("dispute", "rulings"),
    ("ruleset", "perft"),
    ("dispute", "adjudicate"),
)
"""These take long, whatever is played: the usual scenario will do in the usual run."""


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Limit the work of search and bench, let check start no processes, and use a separate folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SANDTABLE_DEBUG", raising=False)
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR", raising=False)
    begin, in_turn = SearchPlayer.__init__, timing.in_turn

    def begin_thriftily(player: SearchPlayer, *told: Any, **more: Any) -> None:
        begin(player, *told, **more)
        player.configure({"nodes": 1, "depth": 1, "game_nodes": 3})

    monkeypatch.setattr(SearchPlayer, "__init__", begin_thriftily)
    for module in (timing, timing_players):
        monkeypatch.setattr(module, "in_turn", lambda ways, rounds=0: in_turn(ways, rounds=1))
    monkeypatch.setattr(timing, "YARDSTICK_GAMES", 1)
    monkeypatch.setattr(timing.time_toy, "__defaults__", (2,))
    monkeypatch.setattr(timing.time_ruleset, "__defaults__", (0.0,))
    monkeypatch.setattr(timing_players.time_games, "__defaults__", (0.0,))
    monkeypatch.setattr(timing_players.time_board, "__defaults__", (1,))
    rest = {name: check for name, check in CHECKS.items() if name != "same_bytes_in_two_processes"}
    for place in ("sandtable.testing.contract.CHECKS", "sandtable.cli.author.check.CHECKS"):
        monkeypatch.setattr(place, rest)


@pytest.fixture(autouse=True)
def _few_at_a_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let readings and perft look at few, but in a slow test at all."""
    if request.node.get_closest_marker("slow"):
        return
    monkeypatch.setattr("sandtable.testing.fuzzing.perft.MAX_ORDERS", 100)
    monkeypatch.setattr("sandtable.cli.dispute.rulings.other_readings", lambda *told: other_readings(*told)[:8])


def grounds(ruleset: str, folder: Path, *, whole: bool) -> Iterator[Ground]:
    """Yield a ruleset in each scenario, cut short to one turn or, with ``whole``, to the end if the game must end."""
    (folder / "variants").mkdir()
    brief = write_brief(folder / "variants", Rulesets().load(ruleset))
    setting = CliContext(str(folder / "variants"))
    plain = setting.rulesets.load(ruleset)
    for scenario in plain.scenario_ids():
        endless = plain.scenario(scenario).data["scenario"].get("endless", False)
        installed = plain if whole and not endless else setting.rulesets.load(brief)
        yield Ground(setting, installed, scenario, folder, whole)


def lines(ruleset: str, folder: Path, *, whole: bool) -> Iterator[tuple[Line, Ground]]:
    """Yield the lines of a ruleset: a share of them for every scenario or, with ``whole``, all of them."""
    seen: set[tuple[str, ...]] = set()
    every = list(grounds(ruleset, folder, whole=whole))
    for place, ground in enumerate(every):
        for words, command in leaves():
            if not whole and ((place and words in ONCE) or (words in ONE_RULESET and ruleset != INSTALLED[0])):
                continue
            found = lines_of(words, command, ground)
            for line in found if whole else dealt(found, place, len(every)):
                if line.words != words and line.words not in seen:  # some lines are those of any scenario, or ruleset
                    seen.add(line.words)
                    yield line, ground


def judge(line: Line, setting: CliContext, folder: Path) -> str:
    """Run a line in a new folder; return what is wrong with how it ended, "" for nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.chdir(folder)
    done = line.run(setting)
    problem = ""
    if done.exit_code not in PROMISED or "Traceback" in done.output:
        problem = "an internal error"
    elif line.refused and (done.exit_code not in REFUSED or line.refused not in done.stderr):
        problem = f"{line.refused} cannot sit there, and is not refused so"
    elif line.good and done.exit_code:
        problem = "all of this is there, and may be so"
    told = done.stderr.strip().splitlines()[-1:]
    return problem and f"{problem}: sandtable {' '.join(line.words)}: exit {done.exit_code}: {told}"


@pytest.mark.full
@pytest.mark.parametrize("ruleset", INSTALLED)
def test_every_command_succeeds_with_every_scenario_bot_and_seat(ruleset: str, tmp_path: Path) -> None:
    found = [judge(line, ground.setting, tmp_path / "now") for line, ground in lines(ruleset, tmp_path, whole=False)]
    assert not any(found), "\n".join(filter(None, found))


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", INSTALLED)
def test_every_combination_succeeds_in_complete_games(ruleset: str, tmp_path: Path) -> None:
    found = [judge(line, ground.setting, tmp_path / "now") for line, ground in lines(ruleset, tmp_path, whole=True)]
    assert not any(found), "\n".join(filter(None, found))


def test_commands_without_arguments_exit_0(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [write_brief(tmp_path, Rulesets().load(ruleset)) for ruleset in INSTALLED]
    setting = CliContext(str(tmp_path))
    monkeypatch.setattr(Rulesets, "ids", lambda _: names)
    ground = Ground(setting, setting.rulesets.load(names[0]), "", tmp_path)
    told = [line for leaf in leaves() for line in lines_of(*leaf, ground) if line.words == line.command]
    assert told
    for line in told:
        done = line.run(setting)
        assert done.exit_code == 0, f"{line.words}: {done.stderr}"


def test_new_command_is_swept_automatically(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    @click.argument("ruleset")
    @click.argument("log", type=click.Path())
    @click.option("--player", "players", multiple=True, metavar="SIDE=NAME")
    @click.option("--depth", type=click.IntRange(3, 9), required=True)
    @click.option("--way", type=click.Choice(["up", "down"]), required=True)
    def frob(ruleset: str, log: str, players: tuple[str, ...], depth: int, way: str) -> None:
        assert ruleset.startswith(INSTALLED[0])
        assert (Path(log).is_file(), depth, way) == (True, 3, "up")
        raise KeyError if "umpire=random" in players else click.UsageError(f"I want no {players}")

    known = LazyGroup.get_command
    monkeypatch.setitem(COMMANDS, "frob", Entry("", "Frobnicate."))
    monkeypatch.setattr(LazyGroup, "get_command", lambda *told: frob if told[2] == "frob" else known(*told))
    swept = [each for each in lines(INSTALLED[0], tmp_path, whole=False) if each[0].command == ("frob",)]
    told = {line: judge(line, ground.setting, tmp_path / "now").split(":")[0] for line, ground in swept}
    assert {*told.values()} == {"", "an internal error"}
    for line, problem in told.items():
        assert bool(problem) == ("umpire=random" in line.words)
        assert line.refused or not line.good
