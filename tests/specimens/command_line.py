"""Types of the fixtures that run command lines."""

import subprocess
from collections.abc import Callable
from typing import Any

from click.testing import Result

Run = Callable[..., Result]
RunJson = Callable[..., Any]
Refused = Callable[..., str]
Refusals = Callable[[str], None]


Node = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]

RANDOM = ("--player", "red=random", "--player", "blue=random")
"""Players of the skirmish whose games are longer than those of its best bot."""
