"""The data that the lobby shows: the installed rulesets, their scenarios, and the players that each seat allows."""

from typing import Any

from sandtable.errors import SandtableError
from sandtable.players.players import HUMAN, best_for, holders
from sandtable.plugin.manager import Rulesets


def described_rulesets(rulesets: Rulesets) -> list[dict[str, Any]]:
    """Return every installed ruleset with its scenarios; one that cannot be loaded has a ``problem``."""
    found: list[dict[str, Any]] = []
    for ident in sorted(rulesets.ids()):
        try:
            installed = rulesets.load(ident)
            manifest = installed.manifest
            scenarios = {name: installed.scenario(name).title for name in installed.scenario_ids()}
        except SandtableError as error:
            found.append({"id": ident, "title": ident, "problem": str(error), "scenarios": {}})
            continue
        about: dict[str, Any] = {
            "id": ident,
            "title": manifest.title,
            "about": manifest.description,
            "hidden": manifest.hidden,
        }
        found.append({**about, "newcomer": manifest.newcomer, "scenarios": scenarios})
    return found


def described_scenario(rulesets: Rulesets, ident: str, scenario: str) -> dict[str, Any]:
    """Return the seats of a scenario with the players that may hold them, and the ruleset's options.

    Raises SandtableError for an unknown ruleset or scenario.
    """
    installed = rulesets.load(ident)
    prepared = installed.prepare(scenario)
    usual = installed.manifest.usual
    seats = {
        seat: {
            "side": side,
            "players": [HUMAN, *holders(installed, seat)],
            "usual": usual.get(seat) or best_for(installed, seat),
        }
        for seat, side in prepared.ruleset.seats.items()
    }
    options = [
        {"name": option.name, "values": list(option.values), "text": option.text}
        for option in installed.manifest.options
    ]
    return {"seats": seats, "options": options, "sides": list(prepared.ruleset.viewers)}
