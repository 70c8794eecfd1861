"""The context of all commands: where rulesets come from, and which errors are of usage."""

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
    """The object of the click context: what was said before, or beside, a command's own arguments."""

    plugins_dir: str | None = None

    @cached_property
    def rulesets(self) -> "Rulesets":
        """The rulesets of this machine and of ``--plugins-dir``."""
        from sandtable.plugin.manager import Rulesets

        return Rulesets(self.plugins_dir)

    @property
    def plugins_path(self) -> str | None:
        """The absolute path of ``--plugins-dir``, for other processes."""
        return self.plugins_dir and str(Path(self.plugins_dir).resolve())

    @property
    def plugins_words(self) -> str:
        """What a command line that is to be repeated must say besides."""
        return f" --plugins-dir {shlex.quote(str(self.plugins_dir))}" if self.plugins_dir else ""


pass_context = click.make_pass_decorator(CliContext, ensure=True)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Make what is wrong with arguments a usage error (exit 2)."""
    try:
        yield
    except (PlayError, DataError, IllegalOrder) as error:
        raise click.UsageError(str(error), click.get_current_context(silent=True)) from error
