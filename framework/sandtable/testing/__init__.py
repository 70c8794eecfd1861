"""Tools for authors of rulesets: the contract suite, a fuzz driver, loaded dice, strategies, and a toy to copy.

Everything is loaded when it is first used. The modules: ``contract`` (the checks that every ruleset must pass),
``fuzz``, ``fuzzing`` (counting lines of play, shrinking failures), ``loaded_dice``, ``mutants`` (wrong orders),
``pytest_plugin``, ``scratch`` (games for one procedure), ``strategies`` (for Hypothesis), ``toy``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandtable.testing.contract import CHECKS, Finding, Report, check_ruleset, ruleset_contract
    from sandtable.testing.fuzz import Fuzzed, fuzz_game, random_order
    from sandtable.testing.fuzzing.perft import perft
    from sandtable.testing.fuzzing.shrinking import Shrunk, fuzz_case, shrink
    from sandtable.testing.loaded_dice import LoadedDice, WrongRollError
    from sandtable.testing.mutants import mutants_of
    from sandtable.testing.scratch import scratch_game, scratch_rules
    from sandtable.testing.strategies import area_maps, dice_labels, played_games

_HOMES = {
    "contract": ("CHECKS", "Finding", "Report", "check_ruleset", "ruleset_contract"),
    "fuzz": ("Fuzzed", "fuzz_game", "random_order"),
    "fuzzing.perft": ("perft",),
    "fuzzing.shrinking": ("Shrunk", "fuzz_case", "shrink"),
    "loaded_dice": ("LoadedDice", "WrongRollError"),
    "mutants": ("mutants_of",),
    "scratch": ("scratch_game", "scratch_rules"),
    "strategies": ("area_maps", "dice_labels", "played_games"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CHECKS",
    "Finding",
    "Fuzzed",
    "LoadedDice",
    "Report",
    "Shrunk",
    "WrongRollError",
    "area_maps",
    "check_ruleset",
    "dice_labels",
    "fuzz_case",
    "fuzz_game",
    "mutants_of",
    "perft",
    "played_games",
    "random_order",
    "ruleset_contract",
    "scratch_game",
    "scratch_rules",
    "shrink",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'sandtable.testing' has no attribute {name!r}")
    return getattr(import_module(f"sandtable.testing.{_HOME_OF[name]}"), name)
