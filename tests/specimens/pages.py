"""Markdown pages whose samples run: files, commands with their output, and Python sessions."""

import doctest
import importlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner, Result

from sandtable.cli.main import cli

GAP = "…"
FENCE = re.compile(r"^(?P<slow><!-- slow -->\n\n)?```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
CAPTION = re.compile(r"\A(?::[\w-]+:[^\n]*\n)*?:caption: (?P<file>[\w./-]+)\n(?::[\w-]+:[^\n]*\n)*\n", re.MULTILINE)


class Sample(NamedTuple):
    """A fence of a page: its ``kind`` (python, toml, console, pycon), its text, and the file to which it belongs."""

    kind: str
    text: str
    file: str = ""
    slow: bool = False


def samples(page: Path) -> Iterator[Sample]:
    """Yield the runnable samples of a page, in order."""
    for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
        info, text, slow = fence["info"].strip(), fence["text"], bool(fence["slow"])
        caption = CAPTION.match(text)
        if info.startswith("{code-block}") and caption:
            yield Sample(info.split()[-1], text[caption.end() :], caption["file"], slow)
        elif info in {"console", "pycon"}:
            yield Sample(info, text, slow=slow)


def fits(shown: str, printed: str) -> bool:
    """Return whether a line of a page matches an output line, with anything where the page has a gap."""
    pattern = ".*".join(re.escape(part.strip()) for part in " ".join(shown.split()).split(GAP))
    return re.fullmatch(pattern, " ".join(printed.split())) is not None


def run_command(*words: str, typed: str | None = None) -> Result:
    """Run a command line in this process."""
    return CliRunner().invoke(cli, words, input=typed, prog_name="sandtable")


def run_console(block: str) -> None:
    """Run each command of a block, and check that its output contains the lines below it, in order."""
    for command in block.split("$ ")[1:]:
        first, *shown = command.rstrip("\n").split("\n")
        name, *words = shlex.split(first)
        assert name == "sandtable", first
        result = run_command(*words)
        printed = [line for line in (result.stdout.rstrip("\n") + "\n" + result.stderr).split("\n") if line.strip()]
        whole = "\n".join(printed)
        for line in filter(str.strip, shown):
            while line != GAP and printed and not fits(line, printed[0]):
                printed.pop(0)
            assert line == GAP or printed, f"{first}\ndoes not print\n{line}\nbut\n{whole}"


def run_page(page: Path, *, slow: bool) -> int:
    """Run the samples of a page in the current folder, in order. Return their number.

    Parts of one file are joined in order. ``slow`` samples are skipped unless requested.
    """
    names: dict[str, object] = {}
    found = 0
    for sample in samples(page):
        if sample.slow and not slow:
            continue
        found += 1
        if sample.file:
            path = Path(sample.file)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(sample.text)
            importlib.invalidate_caches()
        elif sample.kind == "console":
            run_console(sample.text)
        else:
            test = doctest.DocTestParser().get_doctest(sample.text, names, page.name, str(page), 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
            spoken: list[str] = []
            runner.run(test, out=spoken.append, clear_globs=False)
            names = test.globs
            assert runner.failures == 0, "".join(spoken)
    return found
