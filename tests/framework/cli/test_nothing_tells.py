"""While a game with secrets is played, no command line, environment, file name, message or error holds any of them."""

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Start

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked at under /proc"),
]
KEY = "3b" * 32
TYPED = ("no such order", '{"type": "LayAmbush", "hex": 99}', "?", "{", "quit")
"""Inputs that are refused in several ways, after an ambush is laid, which is a secret order."""


def process_list() -> Iterator[str]:
    """Yield the command line of each process, which anyone may read, and its environment, which its owner may read."""
    for process in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            try:
                yield (process / name).read_bytes().decode(errors="replace")
            except OSError:  # it has ended, or belongs to another user
                continue


def secrets_of(log: Path) -> list[str]:
    """Return what only the host may know: the key, and each opening of a sealed order, with its salt."""
    kept = [json.loads(line) for line in Path(f"{log}.private").read_text().splitlines()]
    salts = [each["salt"] for each in kept if "salt" in each]
    assert salts
    return [KEY, *salts]


@pytest.mark.usefixtures("toy_folder")
def test_no_secret_is_visible_during_a_game(start: Start, tmp_path: Path) -> None:
    Path("host.key").write_text(f"{KEY}\n")
    words = ("--dice", "host", "--key", "host.key", "--player", "north=human", "--player", "south=human")
    game = start("play", "toy", *words, "--out", "x.jsonl")
    assert game.stdin is not None
    game.stdin.write("2\n")
    game.stdin.flush()
    while not Path("x.jsonl.private").exists():
        assert game.poll() is None
        time.sleep(0.02)
    seen = list(process_list())
    assert any("x.jsonl" in each and "host.key" in each for each in seen)
    out, err = game.communicate("\n".join(TYPED) + "\n", timeout=60)
    assert err.count("refused") >= 2
    names = "\n".join(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*"))
    for secret in secrets_of(Path("x.jsonl")):
        for shown in (*seen, out, err, names):
            assert not re.search(re.escape(secret), shown, re.IGNORECASE)
    assert KEY not in Path("x.jsonl").read_text()
