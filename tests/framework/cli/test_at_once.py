"""Programs that write the same file or folder at once: those that say they did it did, one after the other.

The judge is a model of each command on what the file holds: what ended with 0 must make, in some order, what is there.
"""

import random
import shutil
from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations
from pathlib import Path

import pytest
from at_once import Ended, Starter
from cutting import cut_after
from tournaments import TEXT

from sandtable.journal.battles import annex_facts, battle_of
from sandtable.journal.file.log import annex_line

ARENA = Path(__file__).parents[1] / "arena"
LOG = "game.jsonl"
COMMANDS = {
    "play": ("play", "skirmish", "--seed", "b", "--out", LOG, "--force"),
    "resume": ("resume", LOG),
    "repair": ("repair", LOG),
    "slice": ("slice", "whole.jsonl", "--side", "red", "--out", LOG, "--force"),
    "extract": ("extract", "whole.jsonl", "--battle", "1", "--out", LOG, "--force"),
    "board": ("board", "desert_aa", "--out", LOG, "--force"),
}
MAKES = {"play": "played", "slice": "sliced", "extract": "extracted", "board": "drawn"}
"""What a command makes of the file, whatever it held."""
PAIRS = list(combinations_with_replacement(COMMANDS, 2))


def after(command: str, held: str) -> str | None:
    """Return what the file holds when ``command`` is done with it; None where it must refuse."""
    if command in MAKES:
        return MAKES[command]
    if command == "resume":
        return {"torn": "resumed", "cut": "resumed"}.get(held)
    return {"torn": "cut", "sliced": None, "drawn": None}.get(held, held)


def could_be(done: list[str], found: str) -> bool:
    """Answer whether the commands ``done``, in some order, make ``found`` of a torn log."""
    for order in set(permutations(done)):
        held: str | None = "torn"
        for command in order:
            held = held and after(command, held)
        if held == found:
            return True
    return False


ANNEX, SLICE = b'{"kind":"annex"', b'{"kind":"annex","slice"'


def game_in(data: bytes) -> bytes:
    """Return a log without its annexes but that of a slice, anything else as it is."""
    return b"".join(
        line for line in data.splitlines(keepends=True) if line.startswith(SLICE) or not line.startswith(ANNEX)
    )


class Folder:
    """A folder with a torn log, and what each command would make of it."""

    def __init__(self, path: Path, starter: Starter) -> None:
        self.path = path
        self.log = path / LOG
        for seed in ("a", "c"):
            starter.do("play", "skirmish", "--seed", seed, "--out", f"{seed}.jsonl")
        whole, battle = game_in((path / "a.jsonl").read_bytes()), (path / "c.jsonl").read_bytes()
        (path / "whole.jsonl").write_bytes(whole + annex_line(annex_facts(battle_of("1:mill", "skirmish", battle))))
        cut = cut_after(whole, 32)
        self.torn = cut_after(whole, 33)[:-20]
        self.holds = {self.torn: "torn", cut: "cut", whole: "resumed"}
        for command, made in MAKES.items():
            starter.do(*COMMANDS[command])
            self.holds[game_in(self.log.read_bytes())] = made
        assert len(self.holds) == len(MAKES) + 3

    def tear(self) -> None:
        """Put the torn log there, and nothing else."""
        self.log.write_bytes(self.torn)
        for copy in self.copies():
            copy.unlink()

    def copies(self) -> list[Path]:
        """Return the copies of broken logs."""
        return list(self.path.glob(f"{LOG}.broken-*"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("at_once")


@pytest.fixture(scope="module")
def starter(place: Path) -> Iterator[Starter]:
    with Starter(place, ARENA / "rulesets") as started:
        yield started


@pytest.fixture(scope="module")
def folder(place: Path, starter: Starter) -> Folder:
    return Folder(place, starter)


def check(folder: Folder, commands: list[str], ended: list[Ended]) -> None:
    """Check what became of ``commands``, all started on the torn log at once."""
    told = "\n".join(f"{command}: {each}" for command, each in zip(commands, ended, strict=True))
    done = [command for command, each in zip(commands, ended, strict=True) if each.code == 0]
    found = folder.holds.get(game_in(folder.log.read_bytes()), "damaged")
    assert could_be(done, found), f"{found}\n{told}"
    for each in ended:
        assert each.code in {0, 1, 3}, told
        assert each.code == 0 or len(each.stderr.splitlines()) == 1, told
    cut_off = sum("of an unfinished line cut off" in each.stdout + each.stderr for each in ended)
    assert [copy.read_bytes() for copy in folder.copies()] == [folder.torn] * cut_off, told
    assert cut_off <= 1, told


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_two_programs_on_one_log(pair: tuple[str, str], folder: Folder, starter: Starter) -> None:
    commands = [*pair, *pair]
    folder.tear()
    check(folder, commands, starter.run([COMMANDS[command] for command in commands]))


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(5))
def test_any_programs_on_one_log_two_hundred_times(batch: int, folder: Folder, starter: Starter) -> None:
    chance = random.Random(batch)  # noqa: S311 - which commands meet, not secrets
    for _ in range(200):
        commands = chance.choices(list(COMMANDS), k=chance.randint(2, 5))
        folder.tear()
        check(folder, commands, starter.run([COMMANDS[command] for command in commands]))


# ---------------------------------------------------------------- new files, and folders


def only_one(ended: list[Ended]) -> Ended:
    """Return what became of the one that did it; the others were refused in a line."""
    assert sorted(each.code for each in ended) == [0] + [2] * (len(ended) - 1), ended
    assert all(len(each.stderr.splitlines()) == 1 for each in ended if each.code), ended
    return next(each for each in ended if each.code == 0)


def test_a_new_log_is_begun_by_one(place: Path, starter: Starter) -> None:
    words = ["play", "skirmish", "--seed", "a", "--out", "new.jsonl"]
    only_one(starter.run([words] * 4))
    starter.do("verify", "new.jsonl")


@pytest.fixture(scope="module")
def event(place: Path, starter: Starter) -> tuple[Path, str]:
    """Return the manifest of a tournament that was played, in the folder ``spring``, and its rows."""
    (place / "spring.toml").write_text(TEXT)
    (place / "skirmish_dawn.toml").write_bytes((ARENA / "rulesets" / "skirmish_dawn.toml").read_bytes())
    starter.do("tournament", "run", "spring.toml", "--out", "spring", "--workers", "1")
    return place / "spring.toml", starter.do("tournament", "export", "spring").stdout


def test_a_folder_of_logs_is_filled_by_one(event: tuple[Path, str], place: Path, starter: Starter) -> None:
    match = ["match", "skirmish", "--player", "brave", "--player", "random", "--games", "8", "--seed", "m"]
    export = ["tournament", "export", "spring"]
    done = only_one(starter.run([[*match, "--workers", "1", "--out", "logs"], [*export, "--logs", "logs"]] * 2))
    logs = sorted(file.name for file in (place / "logs").iterdir())
    assert len(logs) == (36 if done.stdout == event[1] else 8)
    starter.do("verify", *(f"logs/{name}" for name in logs))


def test_a_tournament_is_played_by_one_at_a_time(event: tuple[Path, str], place: Path, starter: Starter) -> None:
    shutil.rmtree(place / "out", ignore_errors=True)
    go = [["tournament", "run", "spring.toml", "--out", "out"], ["tournament", "resume", "out"]]
    ended = starter.run([[*words, "--workers", "1"] for words in go * 2])
    done = [each for each in ended if each.code == 0]
    assert done, ended
    assert all("36 games in out" in each.stderr for each in done), ended
    for each in ended:
        assert each.code in {0, 1, 3}, ended  # 3: it was not begun yet
        assert each.code == 0 or len(each.stderr.splitlines()) == 1, ended
    assert starter.do("tournament", "export", "out").stdout == event[1]
    starter.do("tournament", "verify", "out")


def test_a_game_played_again_is_written_by_one(event: tuple[Path, str], starter: Starter) -> None:
    ended = starter.run([["tournament", "rerun", "spring", "3", "--out", "3.jsonl"]] * 4)
    assert "game 3: the same" in only_one(ended).stdout
    starter.do("verify", "3.jsonl")


def test_a_page_and_its_logs_are_whole(event: tuple[Path, str], place: Path, starter: Starter) -> None:
    shutil.rmtree(place / "spring" / "logs", ignore_errors=True)
    ended = starter.run([["tournament", "report", "spring", "--html"]] * 4)
    assert any(each.code == 0 for each in ended), ended
    for each in ended:
        assert each.code in {0, 1}, ended
        assert len(each.stderr.splitlines()) == 1, ended
        assert each.code == 0 or "another process" in each.stderr, ended
    page = (place / "spring" / "report.html").read_text()
    logs = sorted((place / "spring" / "logs").glob("*.jsonl"))
    pages = sorted((place / "spring" / "logs").glob("*.html"))
    assert page.endswith("</html>\n")
    assert [each.stem for each in pages] == [each.stem for each in logs] != []
    assert all(f'href="logs/{each.name}"' in page for each in pages)
    starter.do("verify", *map(str, logs))
    assert not list((place / "spring").rglob("*.part"))
