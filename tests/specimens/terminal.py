"""A real terminal for command lines: a pseudo-terminal whose other end is read."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

BETWEEN = "@@ case %d ended with %s @@"

CHILD = """
import json, os, sys
from sandtable.cli.main import cli

for number, (folder, words) in enumerate(json.load(open(sys.argv[1]))):
    os.chdir(folder)
    code = "nothing"
    try:
        cli.main(words, prog_name="sandtable")
    except SystemExit as stop:
        code = stop.code
    sys.stdout.flush()
    sys.stderr.flush()
    print(sys.argv[2] % (number, code), flush=True)
"""


class TerminalOutput(NamedTuple):
    """The output of a command line on the terminal, stdout and stderr together, and its exit code."""

    words: tuple[str, ...]
    text: str
    code: int


def at_terminal(
    plan: Path, runs: Sequence[tuple[Path, Sequence[str]]], environment: dict[str, str]
) -> list[TerminalOutput]:
    """Run command lines, each in its folder, one after the other in one process whose output is a terminal.

    ``plan`` is a file to write them to. stdin is closed, so nothing can be typed.
    """
    plan.write_text(json.dumps([(str(folder), list(words)) for folder, words in runs]), encoding="utf-8")
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(plan), BETWEEN],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "400", "PYTHONIOENCODING": "utf-8", **environment},
    ):
        os.close(theirs)
        text = b"".join(_read(ours)).decode().replace("\r\n", "\n")
    os.close(ours)
    found = []
    for number, (_, words) in enumerate(runs):
        before, _, after = text.partition(BETWEEN.partition("%d")[0] + f"{number} ended with ")
        code, _, text = after.partition(" @@\n")
        assert code.isdigit(), (words, before[-2000:])
        found.append(TerminalOutput(tuple(words), before, int(code)))
    return found


def _read(handle: int) -> Iterator[bytes]:
    while True:
        try:
            data = os.read(handle, 1 << 16)
        except OSError:  # Linux reports the closed other end in this way
            return
        if not data:
            return
        yield data
