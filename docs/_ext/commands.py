"""Documentation of the commands from click: a section for each, with its arguments, options and subcommands."""

import re
from collections.abc import Iterator

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from sandtable.cli.commands import COMMANDS
from sandtable.cli.main import cli


class Commands(SphinxDirective):
    """Documents the commands of a group, or the top-level commands."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a section for each command."""
        context = click.Context(cli, info_name="sandtable")
        lines: list[str] = []
        group = self.arguments[0] if self.arguments else ""
        for name in [group] if group else COMMANDS:
            command = cli.get_command(context, name)
            assert command is not None  # noqa: S101 - the table lists only existing commands
            lines += documented(command, click.Context(command, context, info_name=name), "###")
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def documented(command: click.Command, context: click.Context, level: str) -> Iterator[str]:
    """Yield the lines of a command and of its subcommands, as Markdown."""
    yield from (f"{level} {context.command_path}", "", "```text")
    yield from (f"{context.command_path} {' '.join(command.collect_usage_pieces(context))}", "```", "")
    for paragraph in (command.help or "").replace("\b\n", "").split("\n\n"):
        yield from (marked(" ".join(paragraph.split())), "")
    options = [
        each for each in command.get_params(context) if isinstance(each, click.Option) and "--help" not in each.opts
    ]
    for record in filter(None, (each.get_help_record(context) for each in options)):
        yield from (f"`{record[0]}`", f": {marked(' '.join(record[1].split()))}", "")
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None  # noqa: S101 - it was listed
            yield from documented(below, click.Context(below, context, info_name=name), f"{level}#")


def marked(text: str) -> str:
    """Return prose with the special characters of Markdown escaped."""
    return re.sub(r"([*_<>\[\]{}|~$])", r"\\\1", text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
