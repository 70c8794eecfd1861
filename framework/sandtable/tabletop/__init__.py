"""The tabletop boundary: a campaign's battle is handed out as a typed brief and returns as a typed result.

``brief.py`` defines the brief, and ``result.py`` the result, which the umpire reports in an order. ``checking.py`` is
the space of results that fit a brief, with the campaign's rulings in ``terms.py`` and the possible errors in
``validation.py``. ``scoring.py`` computes the score of a battle, and ``rosters.py`` the companies in it. ``report/``
prints a brief and reads its answer. ``resolver/`` is an umpire that computes the result by odds and dice.

The player in the umpire's seat answers: a person, the resolver, or another ruleset's battle.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandtable.tabletop.brief import Brief, Company, Kind, Mode, Party, Platoon, Role, Table
    from sandtable.tabletop.checking import Results, report_form, results_in, space_for
    from sandtable.tabletop.report.parsing import read_typed
    from sandtable.tabletop.resolver.constants import SR1, table_key
    from sandtable.tabletop.resolver.logit import MILLION, ln_ratio
    from sandtable.tabletop.resolver.odds import bands, chances, won_by
    from sandtable.tabletop.resolver.resolver import ResolverPlayer
    from sandtable.tabletop.result import Attrition, PlatoonLosses, ReportBattle, Result
    from sandtable.tabletop.rosters import roster
    from sandtable.tabletop.scoring import DRAW, WON, Draws, drawn_points, won_points
    from sandtable.tabletop.terms import ANY_RULESET, ARMOR, Count, Terms

_HOMES = {
    "brief": (
        "Brief",
        "Company",
        "Kind",
        "Mode",
        "Party",
        "Platoon",
        "Role",
        "Table",
    ),
    "checking": (
        "Results",
        "report_form",
        "results_in",
        "space_for",
    ),
    "report.parsing": ("read_typed",),
    "resolver.constants": (
        "SR1",
        "table_key",
    ),
    "resolver.logit": (
        "MILLION",
        "ln_ratio",
    ),
    "resolver.odds": (
        "bands",
        "chances",
        "won_by",
    ),
    "resolver.resolver": ("ResolverPlayer",),
    "result": (
        "Attrition",
        "PlatoonLosses",
        "ReportBattle",
        "Result",
    ),
    "rosters": ("roster",),
    "scoring": (
        "DRAW",
        "Draws",
        "WON",
        "drawn_points",
        "won_points",
    ),
    "terms": (
        "ANY_RULESET",
        "ARMOR",
        "Count",
        "Terms",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "ANY_RULESET",
    "ARMOR",
    "DRAW",
    "MILLION",
    "SR1",
    "WON",
    "Attrition",
    "Brief",
    "Company",
    "Count",
    "Draws",
    "Kind",
    "Mode",
    "Party",
    "Platoon",
    "PlatoonLosses",
    "ReportBattle",
    "ResolverPlayer",
    "Result",
    "Results",
    "Role",
    "Table",
    "Terms",
    "bands",
    "chances",
    "drawn_points",
    "ln_ratio",
    "read_typed",
    "report_form",
    "results_in",
    "roster",
    "space_for",
    "table_key",
    "won_by",
    "won_points",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module, once."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'sandtable.tabletop' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"sandtable.tabletop.{_HOME_OF[name]}"), name)
    return found
