"""Parts of third-party packages: bots, drawings and sentences, commands. They do not change rules.

    [project.entry-points."sandtable.players"]      # a bot: NAME@RULESET, or NAME for any ruleset
    "middle@connect4" = "clever:Middle"

    [project.entry-points."sandtable.views"]        # a module with ruleset_ui: its draw, narrate, ...
    "wood@connect4" = "wooden"

    [project.entry-points."sandtable.commands"]     # a command of click
    heatmap = "heat:command"

A log holds only the names of the players. A file never causes an import: a bot that is not an entry point,
``clever:Middle``, is imported only if the user types it on the command line, or allows the code of a tournament.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from sandtable.errors import PlayError, RulesetError
from sandtable.plugin.groups import Ui
from sandtable.plugin.importing import entry_points, one_line

PLAYERS, VIEWS = "sandtable.players", "sandtable.views"
AT = "@"
SHOWING = ("draw", "narrate", "digest", "words")
"""The functions that a view may have: they only show."""


def points_for(group: str, ruleset: str) -> Iterator[tuple[str, EntryPoint]]:
    """Yield the name and entry point of each part in ``group`` for ``ruleset``, sorted by name."""
    for point in sorted(entry_points(group=group), key=lambda each: each.name):
        name, _, of = point.name.partition(AT)
        if of in {"", ruleset}:
            yield name, point


def installed_bots(ruleset: str) -> dict[str, Callable[..., Any]]:
    """Return the makers of the third-party bots for ``ruleset``, by name; each is imported when called."""
    return {name: partial(_made, point) for name, point in points_for(PLAYERS, ruleset)}


def _made(point: EntryPoint, seat: str, stream: Any, board: Any) -> Any:
    try:
        maker = point.load()
    except Exception as error:
        raise PlayError(f"the bot {point.name} ({point.value}) cannot be loaded: {one_line(error)}") from error
    return maker(seat, stream, board)


def named_bot(name: str, folder: str | Path = ".") -> Callable[..., Any]:
    """Return the object ``module:Class``, a maker of bots; raises PlayError if it is not one.

    The module is installed, or is in ``folder``, which is searched last.
    """
    module, _, attribute = name.partition(":")
    place = str(Path(folder).resolve())
    if place not in sys.path:
        sys.path.append(place)
    try:
        maker = getattr(import_module(module), attribute)
    except Exception as error:
        raise PlayError(f"{name!r} is not a bot: {one_line(error)}") from error
    if not callable(maker):
        raise PlayError(f"{name!r} is not a bot: it cannot be called with (seat, stream, board)")
    found: Callable[..., Any] = maker
    return found


def is_named_bot(name: str) -> bool:
    """Return whether ``name`` has the form ``module:Class``."""
    module, _, attribute = name.partition(":")
    return attribute.isidentifier() and all(part.isidentifier() for part in module.split("."))


def view_modules() -> list[str]:
    """Return the modules of all views."""
    return [point.module for point in entry_points(group=VIEWS)]


def views_for(ruleset: str) -> Iterator[Ui]:
    """Yield the functions of each view for ``ruleset``; raises RulesetError for one that does more than show."""
    for _, point in points_for(VIEWS, ruleset):
        try:
            view = point.load()
            ui = view.ruleset_ui()
        except Exception as error:
            raise RulesetError(f"the view {point.name} ({point.value}) cannot be loaded: {one_line(error)}") from error
        others = [each for each in dir(view) if each.startswith(("ruleset_", "variant_")) and each != "ruleset_ui"]
        others += [each for each in ui.members() if each not in SHOWING]
        if others:
            raise RulesetError(
                f"the view {point.name} has {others[0]}: a view has ruleset_ui with {', '.join(SHOWING)}, and no rules"
            )
        yield ui
