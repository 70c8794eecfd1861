"""Every hook of a ruleset, on one page.

A ruleset is a module (usually a package) with these functions, each marked ``@hookimpl``. It is found by its entry
point in the group ``sandtable.rulesets``, or in a ``--plugins-dir``. All hooks are called for one chosen ruleset, when
a game is set up or viewed. ``ruleset_bots``, ``ruleset_ui`` and ``ruleset_battles`` return groups of functions,
which are described in ``sandtable.plugin.groups``. A variant is a second plugin that wraps some hooks
(``@hookimpl(wrapper=True)``). It is found by its entry point in the group ``sandtable.variants``, or in a ``--plugins-
dir``, and is named after its ruleset: ``toy+dusk``. ``plugins/README.md`` shows each hook in use.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pluggy

from sandtable.kernel.ruleset import Upcast
from sandtable.plugin.groups import Battles, Bots, Group, Ui
from sandtable.plugin.manifest import Manifest, Parts, RuleRow, Variant
from sandtable.plugin.scenarios import Scenario

PROJECT = "sandtable"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function as an implementation of the hook with its name."""


@hookspec(firstresult=True)
def ruleset_manifest() -> Manifest:
    """Return the facts about the ruleset, and do nothing else: it must be fast. Called when rulesets are listed."""


@hookspec(firstresult=True)
def ruleset_index() -> tuple[RuleRow, ...]:
    """Return the rule index: every rule id with one line in your own words. Called to print or cite rules."""


@hookspec(firstresult=True)
def ruleset_scenarios() -> Mapping[str, Any]:
    """Return the scenario files (paths) by id, the default one first. Called when a game is set up."""


@hookspec(firstresult=True)
def ruleset_parts(scenario: Scenario, options: Mapping[str, str]) -> Parts:
    """Return the sequence, handlers, orders, events and views for these options. Called when a game is set up."""


@hookspec(firstresult=True)
def ruleset_setup(scenario: Scenario, options: Mapping[str, str]) -> tuple[Any, Any]:
    """Return the first state and its board (or None). Called when a game is set up.

    Raise DataError, naming file and key, if the scenario's data are wrong.
    """


@hookspec(firstresult=True)
def ruleset_upcasts() -> Mapping[str, Upcast]:
    """Return the ``Upcast`` of each version: how its records become those of the next. Called when a game is set up.

    With them a log of an earlier version can be narrated, drawn, and reduced to a side's view. They run no rules.
    """


@hookspec(firstresult=True)
def ruleset_bots() -> Bots:
    """Return the ruleset's own bots, and the functions that simulations need. Called once, when a game is set up."""


@hookspec(firstresult=True)
def ruleset_ui() -> Ui:
    """Return the functions that narrate, draw, read typed orders and answer. Called once, when a game is set up."""


@hookspec(firstresult=True)
def ruleset_battles() -> Battles:
    """Return the functions for odds and for battles of other rulesets. Called once, when a game is set up."""


@hookspec(firstresult=True)
def variant_manifest() -> Variant:
    """Return the facts about a variant. Called when it is loaded; a ruleset does not have this hook."""


HOOKS = {name: each for name, each in vars().items() if hasattr(each, f"{PROJECT}_spec")}
"""The specification of each hook, by name."""

GROUPS: dict[str, type[Group]] = {"ruleset_bots": Bots, "ruleset_ui": Ui, "ruleset_battles": Battles}
"""The group that each hook returns."""


class Without:
    """A plugin with an empty group for each hook that ``module`` does not have, for variants to wrap."""

    def __init__(self, module: ModuleType) -> None:
        for hook, group in GROUPS.items():
            if not hasattr(module, hook):
                setattr(self, hook, hookimpl(trylast=True)(lambda made=group: made()))
