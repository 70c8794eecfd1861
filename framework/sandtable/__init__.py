"""Sandtable plays wargames, records every game as a log, and replays any turn of it exactly.

Programs begin with ``rulesets``, ``load``, ``new_game``, ``read_log`` and ``verify``. The names for authors of rulesets
are here too, and in ``sandtable.testing``. A ruleset is a plugin (`hookimpl`, `Manifest`, `Parts`). Its phases are
procedures that yield events, rolls and decisions (`Event`, `Roll`, `Decision`, `Order`). Handlers change the state
(`evolves`, `State`). Boards are in ``hexes`` and ``areas``, searches on both in ``graphs``, drawing in ``pictures``,
typed orders in ``notation``.

``make`` gives any game as an environment for learners (extra ``[rl]``). Every name is loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandtable import areas, data, graphs, hexes, notation, pictures, questions, tabletop, testing
    from sandtable.authoring import Ruleset
    from sandtable.errors import (
        DataError,
        IllegalOrder,
        NoDeal,
        PlayError,
        RefusalCollector,
        RulesetError,
        SandtableError,
        raise_all,
    )
    from sandtable.front import RecordedGame, load, new_game, read_log, rulesets, verify
    from sandtable.journal.hands.seeds import SeatKey
    from sandtable.kernel.dealing import deal
    from sandtable.kernel.decisions import PUBLIC, UMPIRE, Claim, Decision, Order, Roll, Sealed, Secret
    from sandtable.kernel.dice import Stream
    from sandtable.kernel.events import (
        UNSET,
        Calculation,
        Calculations,
        Event,
        EventGroup,
        GameEnded,
        PhaseBegan,
        PhaseEnded,
        SideEliminated,
        TurnBegan,
    )
    from sandtable.kernel.handlers import evolves, reacts
    from sandtable.kernel.options import (
        AnyOf,
        Form,
        Groups,
        ListOf,
        OneForEach,
        OneOf,
        Path,
        Range,
        Refusal,
        ShareOut,
        Sheet,
        SomeOf,
        Space,
        Words,
    )
    from sandtable.kernel.options.choices import listing, shown
    from sandtable.kernel.options.space import Asking
    from sandtable.kernel.play.endings import equal_shares
    from sandtable.kernel.play.game import Game, Player
    from sandtable.kernel.play.views import View
    from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord
    from sandtable.kernel.ruleset import Upcast
    from sandtable.kernel.sequence import HiddenStep, Phase, PlayerTurn, Procedure, SequenceOfPlay
    from sandtable.kernel.state import State
    from sandtable.lab.rl.making import make
    from sandtable.plugin.groups import Battles, Bots, Ui
    from sandtable.plugin.hookspecs import hookimpl
    from sandtable.plugin.manager import Installed
    from sandtable.plugin.manifest import (
        Answer,
        Course,
        Manifest,
        Option,
        Parts,
        PrintedTable,
        RuleRow,
        Staged,
        Variant,
    )
    from sandtable.plugin.options.rulefiles import read_options
    from sandtable.plugin.package import RulesetPackage
    from sandtable.plugin.scenarios import Scenario, chosen
    from sandtable.rules.chance.battlefield import OddsBattle
    from sandtable.rules.chance.battles import Odds, battle_odds

__version__ = "0.1.0"

_HOMES = {
    "sandtable.rules.chance.battles": (
        "Odds",
        "battle_odds",
    ),
    "sandtable.plugin.options.rulefiles": ("read_options",),
    "sandtable.plugin.manager": ("Installed",),
    "sandtable.kernel.options.space": ("Asking",),
    "sandtable.kernel.options.choices": (
        "listing",
        "shown",
    ),
    "sandtable.kernel.records": (
        "EventRecord",
        "OrderRecord",
        "RollRecord",
    ),
    "sandtable.errors": (
        "DataError",
        "IllegalOrder",
        "NoDeal",
        "PlayError",
        "SandtableError",
        "RulesetError",
        "RefusalCollector",
        "raise_all",
    ),
    "sandtable.front": ("RecordedGame", "load", "new_game", "read_log", "rulesets", "verify"),
    "sandtable.journal.hands.seeds": ("SeatKey",),
    "sandtable.authoring": ("Ruleset",),
    "sandtable.kernel.dealing": ("deal",),
    "sandtable.kernel.decisions": ("PUBLIC", "UMPIRE", "Claim", "Decision", "Order", "Roll", "Sealed", "Secret"),
    "sandtable.kernel.dice": ("Stream",),
    "sandtable.kernel.events": (
        "UNSET",
        "Calculation",
        "Calculations",
        "Event",
        "EventGroup",
        "GameEnded",
        "PhaseBegan",
        "PhaseEnded",
        "SideEliminated",
        "TurnBegan",
    ),
    "sandtable.kernel.play.endings": ("equal_shares",),
    "sandtable.kernel.play.game": ("Game", "Player"),
    "sandtable.kernel.handlers": ("evolves", "reacts"),
    "sandtable.kernel.options": (
        "AnyOf",
        "Form",
        "Groups",
        "ListOf",
        "OneForEach",
        "OneOf",
        "Path",
        "Range",
        "Refusal",
        "ShareOut",
        "Sheet",
        "SomeOf",
        "Space",
        "Words",
    ),
    "sandtable.kernel.sequence": ("Phase", "PlayerTurn", "Procedure", "SequenceOfPlay", "HiddenStep"),
    "sandtable.kernel.state": ("State",),
    "sandtable.kernel.play.views": ("View",),
    "sandtable.kernel.ruleset": ("Upcast",),
    "sandtable.plugin.groups": ("Battles", "Bots", "Ui"),
    "sandtable.plugin.hookspecs": ("hookimpl",),
    "sandtable.plugin.manifest": (
        "Answer",
        "Course",
        "Manifest",
        "Option",
        "Parts",
        "PrintedTable",
        "RuleRow",
        "Staged",
        "Variant",
    ),
    "sandtable.plugin.package": ("RulesetPackage",),
    "sandtable.plugin.scenarios": ("Scenario", "chosen"),
    "sandtable.rules.chance.battlefield": ("OddsBattle",),
    "sandtable.lab.rl.making": ("make",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

_MODULES = ("areas", "data", "graphs", "hexes", "notation", "pictures", "questions", "tabletop", "testing")

__all__ = [
    "PUBLIC",
    "UMPIRE",
    "UNSET",
    "Answer",
    "AnyOf",
    "Asking",
    "Battles",
    "Bots",
    "Calculation",
    "Calculations",
    "Claim",
    "Course",
    "DataError",
    "Decision",
    "Event",
    "EventGroup",
    "EventRecord",
    "Form",
    "Game",
    "GameEnded",
    "Groups",
    "HiddenStep",
    "IllegalOrder",
    "Installed",
    "ListOf",
    "Manifest",
    "NoDeal",
    "Odds",
    "OddsBattle",
    "OneForEach",
    "OneOf",
    "Option",
    "Order",
    "OrderRecord",
    "Parts",
    "Path",
    "Phase",
    "PhaseBegan",
    "PhaseEnded",
    "PlayError",
    "Player",
    "PlayerTurn",
    "PrintedTable",
    "Procedure",
    "Range",
    "RecordedGame",
    "Refusal",
    "RefusalCollector",
    "Roll",
    "RollRecord",
    "RuleRow",
    "Ruleset",
    "RulesetError",
    "RulesetPackage",
    "SandtableError",
    "Scenario",
    "Sealed",
    "SeatKey",
    "Secret",
    "SequenceOfPlay",
    "ShareOut",
    "Sheet",
    "SideEliminated",
    "SomeOf",
    "Space",
    "Staged",
    "State",
    "Stream",
    "TurnBegan",
    "Ui",
    "Upcast",
    "Variant",
    "View",
    "Words",
    "areas",
    "battle_odds",
    "chosen",
    "data",
    "deal",
    "equal_shares",
    "evolves",
    "graphs",
    "hexes",
    "hookimpl",
    "listing",
    "load",
    "make",
    "new_game",
    "notation",
    "pictures",
    "questions",
    "raise_all",
    "reacts",
    "read_log",
    "read_options",
    "rulesets",
    "shown",
    "tabletop",
    "testing",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module, once."""
    if name in _MODULES:
        return import_module(f"sandtable.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'sandtable' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return found


def __dir__() -> list[str]:
    """Return all public names, loaded or not."""
    return sorted({*globals(), *__all__})
