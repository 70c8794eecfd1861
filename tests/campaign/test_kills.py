"""Kill -9 at any moment: the log opens, is complete to the last acknowledged order, and resumes to the same bytes."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaign_figures import Share
from cutting import cut_after, questions_in
from killing import Killer, acknowledged
from recorded_sessions import SESSIONS, Session, what_is_lost

from sandtable.journal.file.reading import read_log
from sandtable.journal.repair import repair
from sandtable.plugin.manager import Rulesets

KILLS = 1_000
PROMISE = "nothing acknowledged is lost"
RULESETS = Rulesets()
ONCE_MORE = 10
"""One in this many remaining logs is resumed to the end, which must be the same."""


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    with Killer(tmp_path_factory.mktemp("plugins")) as killer:
        yield killer


def without_annexes(data: bytes) -> list[bytes]:
    return [line for line in data.splitlines() if not line.startswith(b'{"kind":"annex"')]


def emptied(folder: Path) -> Path:
    """Return a folder with nothing in it: that of a program that ended before it was killed is used again."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("session", SESSIONS, ids=str)
def test_killed_session_keeps_every_acknowledged_order(
    session: Session, killer: Killer, campaign: Share, tmp_path: Path
) -> None:
    rng, kills, failures = campaign.rng("kills of play", session), 0, []
    target = max(1, campaign.of(KILLS) // len(SESSIONS))
    while kills < target:
        seed = f"{campaign.seed}/{rng.randrange(20)}"
        (whole := tmp_path / seed.replace("/", "-")).mkdir(exist_ok=True)
        if not (whole / "taken").exists():
            (whole / "taken").write_text(str(killer.session(session, seed, whole).seconds))
        folder = emptied(tmp_path / f"{kills}")
        fate = killer.session(session, seed, folder, after=rng.random() * float((whole / "taken").read_text()))
        if fate.ended:
            continue
        kills += 1
        data = (whole / "game.jsonl").read_bytes()
        wrong = what_is_lost(folder / "game.jsonl", acknowledged(folder), data, RULESETS)
        failures += [f"{seed}, after {fate.seconds:.3f} s: {wrong}"] if wrong else []
    campaign.tried(PROMISE, "kills of play", kills, failures)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["play", "resume", "repair"])
def test_killed_command_leaves_a_resumable_log(what: str, killer: Killer, campaign: Share, tmp_path: Path) -> None:
    rng, kills, failures = campaign.rng("kills", what), 0, []
    play = ("play", "desert_aa", "--scenario", "frontier", "--seed", campaign.seed, "--out", "game.jsonl")
    whole = tmp_path / "whole"
    whole.mkdir()
    taken = killer.command(whole, *play).seconds
    data = (whole / "game.jsonl").read_bytes()
    words = {"play": play, "resume": ("resume", "game.jsonl"), "repair": ("log", "repair", "game.jsonl")}[what]
    while kills < campaign.of(KILLS):
        folder = emptied(tmp_path / f"{kills}")
        if what != "play":
            torn = cut_after(data, rng.choice(questions_in(data)[1:-1]))
            (folder / "game.jsonl").write_bytes(torn + b'{"kind":"eve' * (what == "repair"))
        fate = killer.command(folder, *words, after=rng.random() * taken / (10 if what == "repair" else 1))
        if fate.ended:
            continue
        kills += 1
        least = len(read_log(folder / "game.jsonl").lines) if what != "play" else 0
        wrong = what_is_lost(folder / "game.jsonl", 0, data, RULESETS)
        if not wrong and least and len(read_log(folder / "game.jsonl").lines) < least:
            wrong = "stored records are lost"
        if not wrong and kills % ONCE_MORE == 0 and (folder / "game.jsonl").exists():
            wrong = _resume_fault(killer, folder, data)
        failures += [f"{what} killed after {fate.seconds:.3f} s: {wrong}"] if wrong else []
    campaign.tried(PROMISE, f"kills of {what}", kills, failures)


def _resume_fault(killer: Killer, folder: Path, data: bytes) -> str:
    """Resume the log in ``folder`` by command. Return the fault, or ""."""
    log = folder / "game.jsonl"
    if b"\n" not in log.read_bytes():
        return ""
    repair(log)
    if len(read_log(log).lines) > 1 and not read_log(log).lines[-1].startswith(b'{"kind":"close"'):
        code = killer.command(folder, "resume", "game.jsonl").code
        if code or without_annexes(log.read_bytes()) != without_annexes(data):
            return f"resumed, code {code}, with a different end"
    return ""


@pytest.mark.slow
def test_killed_match_leaves_complete_logs(killer: Killer, campaign: Share, tmp_path: Path) -> None:
    rng, kills, failures = campaign.rng("kills", "match"), 0, []
    players = ("--player", "random", "--player", "first", "--games", "12", "--seed", campaign.seed)
    words = ("match", "toy", *players, "--workers", "1", "--out", "logs")
    (whole := tmp_path / "whole").mkdir()
    taken = killer.command(whole, *words).seconds
    true = {file.name: file.read_bytes() for file in (whole / "logs").iterdir()}
    while kills < campaign.of(KILLS):
        folder = emptied(tmp_path / f"{kills}")
        fate = killer.command(folder, *words, after=rng.random() * taken)
        if fate.ended:
            continue
        kills += 1
        left = {file.name: file.read_bytes() for file in (folder / "logs").glob("*.jsonl")}
        wrong = [name for name, data in left.items() if data != true[name]]
        failures += [f"killed after {fate.seconds:.3f} s: {name} is incomplete" for name in wrong]
    campaign.tried(PROMISE, "kills of match", kills, failures)
