"""The arguments and options that several commands share, each declared once."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Decorator = Callable[[Any], Any]


def _cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


log = click.argument("log", type=click.Path())
logs = click.argument("logs", nargs=-1, required=True, type=click.Path())
ruleset = click.argument("ruleset")

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
force = click.option("--force", is_flag=True, help="Overwrite an existing file.")
options = click.option("--option", "options", multiple=True, metavar="K=V", help="Value of a rule option (repeatable).")
scenario = click.option("--scenario", default="", metavar="S", help="A scenario's id, or a .toml file.")
sign = click.option("--sign", type=click.Path(), metavar="KEY", help="Sign with the private key in this file.")
dice_key = click.option("--key", type=click.Path(), metavar="FILE", help="The dice key (default: LOG.key).")
search_workers = click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes for `search`; its orders do not depend on the number.",
)
workers = click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    default=_cores,
    help="Number of processes (default: one for each core).",
)


def at(text: str = "After this record (default: the last).", *, least: int = 1, required: bool = False) -> Decorator:
    """Return the option ``--at RECORD``."""
    return click.option("--at", type=click.IntRange(least), metavar="RECORD", required=required, help=text)


def out(text: str, *, metavar: str = "FILE", required: bool = False, path: bool = False) -> Decorator:
    """Return the option ``--out``; its value is a Path if ``path``."""
    kind = click.Path(path_type=Path) if path else click.Path()
    return click.option("--out", type=kind, metavar=metavar, required=required, help=text)


def side(text: str = "Use only what this side may know.", default: str | None = None) -> Decorator:
    """Return the option ``--side``."""
    return click.option("--side", metavar="SIDE", default=default, help=text)


judged_as = click.option(
    "--as", "judged_as", metavar="SIDE", default="", help="Judge the file as the slice of this side, or as public."
)


def seed(default: str | None = None) -> Decorator:
    """Return the option ``--seed``; a fresh seed is drawn and shown if there is no ``default``."""
    text = "Seed of all random choices" + ("." if default else " (default: a fresh one, which is shown).")
    return click.option("--seed", metavar="TEXT", default=default, show_default=default is not None, help=text)


def games(default: int, text: str = "Number of games.", *, least: int = 1, most: int = 1_000_000) -> Decorator:
    """Return the option ``--games N``."""
    return click.option(
        "--games", type=click.IntRange(least, most), default=default, show_default=True, metavar="N", help=text
    )


def playouts(text: str, default: int | None = None) -> Decorator:
    """Return the option ``--playouts K``."""
    return click.option(
        "--playouts",
        type=click.IntRange(1, 100_000),
        default=default,
        show_default=default is not None,
        metavar="K",
        help=text,
    )


def timeout(default: float, kind: click.IntRange | click.FloatRange, text: str) -> Decorator:
    """Return the option ``--timeout SECONDS``."""
    return click.option("--timeout", type=kind, default=default, show_default=True, metavar="SECONDS", help=text)
