"""The hooks of a ruleset that is a package, whose modules are imported on first use.

Listing rulesets must be fast, so the package's ``__init__`` imports none of its modules. It makes a ``RulesetPackage``
and names the functions of each group as "module.function":

    PACKAGE = RulesetPackage(__name__, Path(__file__).parent, scenarios=("western_desert", "frontier"))
    ruleset_bots = PACKAGE.bots("bots.players.PLAYERS", deal="fog.determinization.deal")
    ruleset_ui = PACKAGE.ui(narrate="ui.narrate.sentence", draw="ui.draw.draw")
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from sandtable.errors import RulesetError
from sandtable.files.words import did_you_mean
from sandtable.plugin.groups import Battles, Bots, Group, Later, Maker, Ui
from sandtable.plugin.hookspecs import hookimpl
from sandtable.plugin.manifest import RuleRow
from sandtable.plugin.options.rulefiles import read_index

Place = str | Callable[..., Any]
"""A function, or "module.function" in the package."""


class RulesetPackage:
    """The modules of ``package`` in the folder ``home``; ``scenarios`` are the ids of its scenarios, default first.

    If a module lacks a named function, the call raises an AttributeError that names both.
    """

    def __init__(self, package: str, home: Path, scenarios: tuple[str, ...] = ()) -> None:
        self._package, self._home, self._ids = package, home, scenarios

    def __getitem__(self, name: str) -> Any:
        """Return the module ``name`` of the package, as in "model.state"."""
        return import_module(f"{self._package}.{name}")

    @hookimpl
    def index(self) -> tuple[RuleRow, ...]:
        """Return the rule index of ``rules.toml``."""
        return read_index(self._home / "rules.toml")

    @hookimpl
    def scenarios(self) -> dict[str, Path]:
        """Return the shipped scenario files in ``scenarios/``."""
        return {name: self._home / "scenarios" / f"{name}.toml" for name in self._ids}

    def bots(self, players: str = "", **functions: Place) -> Callable[[], Bots]:
        """Return the hook ``ruleset_bots``: ``players`` is the place of a dict of bots by name."""
        makers = _LaterBots(self._found(players)) if players else {}
        return self._hook(Bots, functions, players=makers)

    def ui(self, **functions: Place) -> Callable[[], Ui]:
        """Return the hook ``ruleset_ui``."""
        return self._hook(Ui, functions)

    def battles(self, **functions: Place) -> Callable[[], Battles]:
        """Return the hook ``ruleset_battles``."""
        return self._hook(Battles, functions)

    def _hook(self, group: type[Any], functions: Mapping[str, Place], **others: Any) -> Callable[[], Any]:
        known = [spec.__name__ for spec in group.SPECS]
        for name in functions:
            if name not in known:
                raise RulesetError(
                    f"{self._package}: {group.__name__} has no function {name}{did_you_mean(name, known)} "
                    f"It has: {', '.join(known)}."
                )
        given = {
            name: Later(self._found(place)) if isinstance(place, str) else place for name, place in functions.items()
        }

        @hookimpl
        def hook() -> Group:
            made: Group = group(**others, **given)
            return made

        return hook

    def _found(self, place: str) -> Callable[[], Any]:
        """Return a function that imports the object ``place``; raises RulesetError if its module does not exist."""
        module, _, attribute = place.rpartition(".")
        path = self._home / module.replace(".", "/")
        if not module or not (path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()):
            raise RulesetError(
                f"{self._package}: {place!r} is not a function: the module {module or place} does not exist"
            )
        return lambda: getattr(self[module], attribute)


class _LaterBots(Mapping[str, Maker]):
    """The bots of a dict that is imported when the first one is requested."""

    def __init__(self, load: Callable[[], Mapping[str, Maker]]) -> None:
        self._load = load

    @cached_property
    def _bots(self) -> Mapping[str, Maker]:
        return self._load()

    def __getitem__(self, name: str) -> Maker:
        return self._bots[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._bots)

    def __len__(self) -> int:
        return len(self._bots)
