"""Programs that work concurrently on one torn log, and the possible results of each.

The expectation is a model of each command by the content of the file: the successful commands must explain the result
in some order.
"""

from itertools import permutations
from pathlib import Path

from at_once import Ended, Starter
from command_line import RANDOM
from cutting import first_half, writes_in

from sandtable.journal.battles import annex_facts, battle_of
from sandtable.journal.file.annexes import annex_line

LOG = "game.jsonl"
COMMANDS = {
    "play": ("play", "skirmish", "--seed", "b", "--out", LOG, "--force"),
    "resume": ("resume", LOG),
    "repair": ("log", "repair", LOG),
    "slice": ("log", "redact", "whole.jsonl", "--side", "red", "--out", LOG, "--force"),
    "extract": ("log", "battle", "whole.jsonl", "--battle", "1", "--out", LOG, "--force"),
    "board": ("board", "desert_aa", "--out", LOG, "--force"),
}
MAKES = {"play": "played", "slice": "sliced", "extract": "extracted", "board": "drawn"}
"""Contents that commands make of the file, whatever it contained."""


def after(command: str, held: str) -> str | None:
    """Return the content of the file after ``command``, or None if it must refuse."""
    if command in MAKES:
        return MAKES[command]
    if command == "resume":
        return {"torn": "resumed", "cut": "resumed"}.get(held)
    return {"torn": "cut", "sliced": None, "drawn": None}.get(held, held)


def could_be(done: list[str], found: str) -> bool:
    """Return whether the commands ``done``, in some order, make ``found`` of a torn log."""
    for order in set(permutations(done)):
        held: str | None = "torn"
        for command in order:
            held = held and after(command, held)
        if held == found:
            return True
    return False


ANNEX, SLICE = b'{"kind":"annex"', b'{"kind":"annex","slice"'


def game_in(data: bytes) -> bytes:
    """Return a log without its annexes except that of a slice, and other data unchanged."""
    return b"".join(
        line for line in data.splitlines(keepends=True) if line.startswith(SLICE) or not line.startswith(ANNEX)
    )


class Folder:
    """A folder with a torn log, and the result of each command on it."""

    def __init__(self, path: Path, starter: Starter) -> None:
        self.path = path
        self.log = path / LOG
        for seed in ("a", "c"):
            starter.do("play", "skirmish", *RANDOM, "--seed", seed, "--out", f"{seed}.jsonl")
        whole, battle = game_in((path / "a.jsonl").read_bytes()), (path / "c.jsonl").read_bytes()
        (path / "whole.jsonl").write_bytes(whole + annex_line(annex_facts(battle_of("1:mill", "skirmish", battle))))
        cut = first_half(whole)
        self.torn = whole[: len(cut) + len(writes_in(whole[len(cut) :])[0]) - 20]
        self.holds = {self.torn: "torn", cut: "cut", whole: "resumed"}
        for command, made in MAKES.items():
            starter.do(*COMMANDS[command])
            self.holds[game_in(self.log.read_bytes())] = made
        assert len(self.holds) == len(MAKES) + 3

    def tear(self) -> None:
        """Restore the torn log, and remove everything else."""
        self.log.write_bytes(self.torn)
        for copy in self.copies():
            copy.unlink()

    def copies(self) -> list[Path]:
        """Return the copies of broken logs."""
        return list(self.path.glob(f"{LOG}.broken-*"))


def what_is_wrong(folder: Folder, commands: list[str], ended: list[Ended]) -> str:
    """Return the fault in the results of ``commands``, all started on the torn log at once, or ""."""
    results = "\n".join(f"{command}: {each}" for command, each in zip(commands, ended, strict=True))
    done = [command for command, each in zip(commands, ended, strict=True) if each.code == 0]
    found = folder.holds.get(game_in(folder.log.read_bytes()), "damaged")
    if not could_be(done, found):
        return f"{found}\n{results}"
    if any(each.code not in {0, 1, 3} or (each.code and len(each.stderr.splitlines()) != 1) for each in ended):
        return results
    cut_off = sum("of an unfinished line cut off" in each.stdout + each.stderr for each in ended)
    if cut_off > 1 or [copy.read_bytes() for copy in folder.copies()] != [folder.torn] * cut_off:
        return f"{cut_off} report that they cut off a line\n{results}"
    return ""
