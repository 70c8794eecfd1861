"""The front door of the environments."""

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
    """Return a ruleset as an environment: PettingZoo's AEC or Parallel, Gymnasium's, or an OpenSpiel game, by ``api``.

    ``options`` are those of the ruleset, ``bots`` the players of sides that are not to act themselves. ``gym`` is for
    one ``side`` (the first, unless named): bots play all others, the usual ones unless named. ``settings`` are those of
    ``season.Settings``: seed, actions, width, labels, nested, shaping, margin, most, render_mode. Raises PlayError,
    RulesetError and DataError, one line each; PlayError as well where the packages of the extra ``[rl]`` are missing.
    """
    if api not in APIS:
        raise PlayError(f"{api!r} is no kind of environment: choose {', '.join(APIS)}")
    installed = ruleset if isinstance(ruleset, Installed) else load(ruleset)
    if api == "openspiel":
        return _openspiel(installed, scenario, options, bots, settings)
    prepared = installed.prepare(scenario, options)
    season = _room("season")
    others = dict(bots or {})
    if api == "gym":
        others = _opponents(prepared, side, others)
    elif side:
        raise PlayError(f"a side is for api='gym'; name the bots of the others for {api!r}")
    chosen = season.Settings(bots=others, **settings)
    if api == "gym":
        return _room("single").OneSide(prepared, chosen)
    if api == "parallel":
        return _room("parallel").Parallel(prepared, chosen)
    return _room("aec").GuardedCycle(prepared, chosen)


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
    room = _room("openspiel")
    if options or bots:
        raise PlayError("an OpenSpiel game takes no options and no bots: it is played by its own players")
    unknown = [name for name in settings if name not in room.DEFAULTS]
    if unknown:
        raise PlayError(f"{unknown[0]!r} is no setting of an OpenSpiel game: choose {', '.join(room.DEFAULTS)}")
    load_game: Callable[..., Any] = import_module("pyspiel").load_game
    return load_game(room.SHORT_NAME, {"ruleset": installed.name, "scenario": scenario, **settings})


def _room(name: str) -> Any:
    try:
        return import_module(f"sandtable.lab.rl.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("sandtable"):
            raise
        raise PlayError(
            f"{error.name} is missing: pip install 'sandtable[rl]' brings what environments need"
        ) from error
