"""A bot in its own namespaces: it sees nothing of the event and no other bot, and writes only to its own folder."""

import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import snooper
from tournaments import RULESETS, event_of

from sandtable.lab.tournament.manifest import read_manifest
from sandtable.lab.tournament.preparing import set_stage
from sandtable.lab.tournament.running import Runner
from sandtable.lab.tournament.store import Store
from sandtable.players.processes import channel
from sandtable.players.processes.channel import Broken, Channel
from sandtable.players.processes.limits import Limits, fence
from sandtable.players.processes.sandbox_view import covered, uncovered
from sandtable.plugin.manager import Rulesets

SECRET = "the-seed-of-the-spring-event"  # noqa: S105 - of a test
SNOOPER = Path(snooper.__file__)
NAMESPACES = pytest.mark.skipif(not fence(), reason="this system gives us no namespaces")
MANIFEST = event_of("skirmish", games=4, snooper="BOT", blind="random").replace('seed = "s"', f'seed = "{SECRET}"')
COMMAND = f'command = ["{sys.executable}", "snooper.py", "{SECRET[::-1]}", "BASE"]'


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """Return the folder of an event: a manifest, a folder of results, a snooping bot, and another bot in a folder."""
    base = tmp_path / "event"
    for place in ("spring.toml", "results/tournament.sqlite", "theirs/bot.py"):
        (base / place).parent.mkdir(parents=True, exist_ok=True)
        (base / place).write_text(f"# {SECRET}", encoding="utf-8")
    shutil.copy(SNOOPER, base)
    return base


def seen_by_snooper(event: Path, hidden: tuple[str, ...]) -> dict[str, Any]:
    """Return what a snooping bot in the folder of the event finds."""
    command = (sys.executable, str(event / "snooper.py"), SECRET[::-1], str(event))
    bot = Channel(command, Limits(), 1, hidden)
    bot.send(b"{}\n", time.monotonic() + 60)
    try:
        bot.line(time.monotonic() + 60)
    except Broken:
        bot.close()  # it exited with the secret
    bot.close()
    seen: dict[str, Any] = json.loads(bot.tail)
    return seen


@pytest.mark.full
@NAMESPACES
def test_fenced_bot_sees_neither_tournament_nor_other_bots(event: Path, bot_folders: Path) -> None:
    (bot_folders / "sandtable-bot-other").mkdir()
    seen = seen_by_snooper(event, (str(event), str(event / "results")))
    assert seen["found"] == []
    assert len(seen["beside"]) == 1
    assert seen["processes"] == ["1"]
    assert seen["supervisor"] == dict.fromkeys(("root", "cwd", "fd/3"), "PermissionError")
    assert seen["memory"] == "PermissionError"
    assert seen["open"][:3] == ["0", "1", "2"]
    assert len(seen["open"]) == 4, "the last is the look itself"
    assert not {"mem", "kmem", "vda", "sda", "kmsg"} & set(seen["devices"])


@pytest.mark.full
@NAMESPACES
def test_fenced_bot_writes_only_in_its_own_folder(event: Path) -> None:
    seen = seen_by_snooper(event, (str(event),))
    assert seen["powerless"]
    assert seen["own"] == {".": "done", "/dev/shm": "done"}  # noqa: S108 - an empty one
    assert seen["null"] == "done"
    assert set(seen["write"]) >= {str(event), "/", "/etc"}
    assert set(seen["write"].values()) == {"OSError"}, "read-only, even for root"
    assert seen["kernel"] in {"OSError", "PermissionError"}
    assert "done" not in [*seen["uncover"], seen["remount"]]
    assert seen["mask"] == 0o077


def test_unfenced_bot_reads_all_files_of_its_account(event: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The snooping bot works without the fence, as the documentation says."""
    monkeypatch.setattr(channel, "fence", lambda: ())
    seen = seen_by_snooper(event, (str(event),))
    assert {Path(each).name for each in seen["found"]} == {"spring.toml", "tournament.sqlite", "bot.py"}
    assert seen["powerless"]


@pytest.mark.full
@pytest.mark.parametrize("way", [pytest.param("fenced", marks=NAMESPACES), "bare"])
def test_fenced_bot_cannot_read_the_seed_of_a_running_tournament(
    way: str, event: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "bare":
        monkeypatch.setattr(channel, "fence", lambda: ())
    text = MANIFEST.replace('player = "BOT"', COMMAND.replace("BASE", str(event)))
    (event / "spring.toml").write_text(text, encoding="utf-8")
    manifest = read_manifest(event / "spring.toml")
    rulesets = Rulesets(RULESETS)
    with Store.create(event / "spring", manifest) as store:
        Runner(store, set_stage(manifest.tournament, rulesets, manifest.base), str(RULESETS)).run()
        verdicts = [row.verdicts["snooper"] for _, row in store.games()]
    assert verdicts == ["ok" if way == "fenced" else "start"] * 4


@NAMESPACES
def test_bot_with_several_files_reads_its_own_folder(event: Path) -> None:
    own = event / "mine"
    own.mkdir()
    (own / "book.py").write_text("OPENING = 'e4'", encoding="utf-8")
    (own / "bot.py").write_text("import book; print(book.OPENING)", encoding="utf-8")
    bot = Channel((sys.executable, str(own / "bot.py")), Limits(), 1, (str(event),))
    assert bot.line(time.monotonic() + 60) == b"e4"
    bot.close()


def test_covered_folders_show_only_files_of_the_command(tmp_path: Path, event: Path) -> None:
    home = tmp_path / "home"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "node").touch(mode=0o755)
    covers = covered([str(event), str(tmp_path)])
    assert str(event) in covers
    files = [home / "bin" / "node", event / "snooper.py", event / "theirs" / "bot.py"]
    shown = uncovered((*map(str, files), str(event), "-v"), covers, "")
    assert {Path(each) for each in shown} == {home, home / "bin", event / "theirs", *files}
    assert "/" not in covered(["/"])


def test_unreadable_paths_are_skipped() -> None:
    """An unreadable folder of the PATH or a word that is not a file is skipped, here because the names are too long."""
    far = f"/{'x' * 300}"
    assert uncovered((sys.executable, far), ["/nowhere"], f"{far}/bin") == ()
