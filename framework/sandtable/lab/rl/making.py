"""The entry point for environments."""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from sandtable.errors import PlayError
from sandtable.front import load
from sandtable.kernel.decisions import UMPIRE
from sandtable.plugin.manager import Installed, Prepared

APIS = ("aec", "parallel", "gym", "openspiel")


def make(
    ruleset: str | ModuleType | Installed,
    scenario: str = "",
    *,
    api: str = "aec",
    options: Mapping[str, str] | None = None,
    side: str = "",
    bots: Mapping[str, str] | None = None,
    **settings: Any,
) -> Any:
    """Return a ruleset as an environment of ``api``: PettingZoo's AEC or Parallel, Gymnasium's, or an OpenSpiel game.

    ``options`` are the ruleset's, and ``bots`` name the players of sides that do not act themselves. ``gym`` is for one
    ``side`` (default: the first). Bots play all other sides (default: the best for their seat). ``settings`` are those
    of ``season.Settings``: seed, actions, width, labels, nested, shaping, margin, most, render_mode. Raises PlayError,
    RulesetError and DataError, one line each. PlayError is also raised if packages of the extra ``[rl]`` are missing.
    """
    if api not in APIS:
        raise PlayError(f"{api!r} is not a kind of environment: choose {', '.join(APIS)}")
    installed = ruleset if isinstance(ruleset, Installed) else load(ruleset)
    if api == "openspiel":
        return _openspiel(installed, scenario, options, bots, settings)
    prepared = installed.prepare(scenario, options)
    season = _adapter("season")
    others = dict(bots or {})
    if api == "gym":
        others = _opponents(prepared, side, others)
    elif side:
        raise PlayError(f"side is for api='gym' only; for {api!r}, name the bots of the other sides")
    chosen = season.Settings(bots=others, **settings)
    if api == "gym":
        return _adapter("single").OneSide(prepared, chosen)
    if api == "parallel":
        return _adapter("parallel").Parallel(prepared, chosen)
    return _adapter("aec").GuardedCycle(prepared, chosen)


def _opponents(prepared: Prepared, side: str, bots: Mapping[str, str]) -> dict[str, str]:
    from sandtable.players.players import best_for  # noqa: PLC0415 - start-up stays light

    sides = [each for each in dict.fromkeys(prepared.ruleset.seats.values()) if each != UMPIRE]
    chosen = side or sides[0]
    if chosen not in sides:
        raise PlayError(f"{prepared.ruleset.id} has no side {chosen!r}: it has {', '.join(sides)}")
    seats = prepared.ruleset.seats
    return {
        each: bots.get(each) or best_for(prepared.installed, next(seat for seat in seats if seats[seat] == each))
        for each in sides
        if each != chosen
    }


def _openspiel(installed: Installed, scenario: str, options: Any, bots: Any, settings: Mapping[str, Any]) -> Any:
    adapter = _adapter("openspiel")
    if options or bots:
        raise PlayError("an OpenSpiel game takes no options and no bots: it is played by its own players")
    unknown = [name for name in settings if name not in adapter.DEFAULTS]
    if unknown:
        raise PlayError(f"{unknown[0]!r} is not a setting of an OpenSpiel game: choose {', '.join(adapter.DEFAULTS)}")
    load_game: Callable[..., Any] = import_module("pyspiel").load_game
    return load_game(adapter.SHORT_NAME, {"ruleset": installed.name, "scenario": scenario, **settings})


def _adapter(name: str) -> Any:
    try:
        return import_module(f"sandtable.lab.rl.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("sandtable"):
            raise
        raise PlayError(f"{error.name} is missing: install it with pip install 'sandtable[rl]'") from error
