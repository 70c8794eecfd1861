"""The context of all commands: the source of rulesets, and the errors that count as usage errors."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sandtable.errors import DataError, IllegalOrder, PlayError

if TYPE_CHECKING:
    from sandtable.plugin.manager import Rulesets


@dataclass
class CliContext:
    """The object of the click context: settings given before, or apart from, a command's own arguments."""

    plugins_dir: str | None = None

    @cached_property
    def rulesets(self) -> "Rulesets":
        """The rulesets of this machine and of ``--plugins-dir``."""
        from sandtable.plugin.manager import Rulesets

        return Rulesets(self.plugins_dir)

    @property
    def plugins_path(self) -> str | None:
        """The absolute path of ``--plugins-dir``, for other processes, or None without that option."""
        return self.plugins_dir and str(Path(self.plugins_dir).resolve())

    @property
    def plugins_words(self) -> str:
        """The option that a repeated command line needs to find the same rulesets, or an empty string."""
        return f" --plugins-dir {shlex.quote(str(self.plugins_dir))}" if self.plugins_dir else ""


pass_context = click.make_pass_decorator(CliContext, ensure=True)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn errors in arguments into usage errors (exit status 2)."""
    try:
        yield
    except (PlayError, DataError, IllegalOrder) as error:
        raise click.UsageError(str(error), click.get_current_context(silent=True)) from error
