"""The changes of a tutorial page, generated from the packages, so that they are always current.

``{step} hill 3`` shows the differences between the third package of ``docs/examples/hill`` and the second: changed
files as a diff, new ones in full. The packages are ``steps/1``, ``steps/2`` and so on; the last is ``src``, the
example itself. ``{drawing} hill`` is the board of the example before the first move.
"""

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import sandtable

EXAMPLES = Path(__file__).parents[1] / "examples"
LANGUAGES = {".py": "python", ".toml": "toml"}


class Shown(NamedTuple):
    """A file of a step: its name, the shown text and its language, and the remark in the caption."""

    name: str
    text: str
    language: str
    remark: str


def folders(example: str) -> list[Path]:
    """Return the folders of the packages of an example, step by step."""
    return [*sorted((EXAMPLES / example / "steps").iterdir()), EXAMPLES / example / "src"]


def files(folder: Path) -> dict[str, str]:
    """Return the files of a package by name."""
    found = sorted(path for path in folder.rglob("*") if path.suffix in LANGUAGES)
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in found}


def changes(example: str, number: int) -> Iterator[Shown]:
    """Yield the new and the changed files of a step."""
    steps = folders(example)
    now, before = files(steps[number - 1]), files(steps[number - 2]) if number > 1 else {}
    for name, text in now.items():
        if name not in before:
            yield Shown(name, text, LANGUAGES[Path(name).suffix], "new")
        elif text != before[name]:
            lines = unified_diff(before[name].splitlines(keepends=True), text.splitlines(keepends=True), n=2)
            yield Shown(name, "".join(list(lines)[2:]), "diff", "changed")
    for name in before.keys() - now.keys():
        yield Shown(name, "", "text", "gone")


class Step(SphinxDirective):
    """Shows a step of an example."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        """Return each file, under its name."""
        example, number = self.arguments
        found: list[nodes.Node] = []
        for folder in folders(example)[max(0, int(number) - 2) : int(number)]:
            for path in folder.rglob("*"):
                self.env.note_dependency(str(path))
        for each in changes(example, int(number)):
            caption = nodes.caption("", "", nodes.literal(text=each.name), nodes.Text(f" {each.remark}"))
            block = nodes.literal_block(each.text, each.text, language=each.language)
            found.append(nodes.container("", caption, block, literal_block=True, classes=["literal-block-wrapper"]))
        return found


class Drawing(SphinxDirective):
    """Shows the board of an example before the first move."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the drawing."""
        prepared = sandtable.load(self.arguments[0], EXAMPLES / self.arguments[0] / "src").prepare()
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        svg = prepared.installed.draw(prepared.ruleset.view(state, "umpire"), prepared.board, "svg")
        return [nodes.raw("", f'<div class="board">{svg}</div>', format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("step", Step)
    app.add_directive("drawing", Drawing)
    return {"parallel_read_safe": True}
