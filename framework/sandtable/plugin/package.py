"""The hooks of a ruleset that is a package with rooms of the usual names: each room is imported when it is first asked.

Listing rulesets must be quick, so the package's ``__init__`` imports none of its rooms. It makes a ``RulesetPackage``
and names the hooks that it wants; the others it writes as functions, marked ``@hookimpl``:

    ROOMS = RulesetPackage(__name__, Path(__file__).parent, scenarios=("western_desert", "frontier"))
    ruleset_players = ROOMS.players
    ruleset_draw = ROOMS.draw
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import Calculation
from sandtable.plugin.hookspecs import hookimpl
from sandtable.plugin.manifest import Answer, Course, PrintedTable, RuleRow
from sandtable.plugin.rulefiles import read_index

USUAL = {
    "players": ("bots.players", "players", "bots"),
    "evaluation": ("bots.evaluation", "evaluation"),
    "determinization": ("fog.determinization", "determinization"),
    "completion": ("fog.completion", "completion"),
    "narrate": ("ui.narrate", "narrate"),
    "draw": ("ui.draw", "draw"),
    "answers": ("ui.asking.answers", "ui.answers", "answers"),
    "sums": ("ui.asking.sums", "ui.sums", "sums"),
    "tables": ("ui.asking.tables", "ui.tables", "tables"),
    "menus": ("ui.menus", "ui.asking.menus", "menus"),
    "parsing": ("ui.parsing", "parsing", "typed"),
}
"""Where the rooms that hooks ask for may stand: in folders, or on the top floor of a small ruleset (old names last)."""


class RulesetPackage:
    """The rooms of ``package``, whose files are in ``home``; ``scenarios`` are the ids of those it ships, usual first.

    A room without the function that a hook asks it for is an AttributeError that names both.
    """

    def __init__(self, package: str, home: Path, scenarios: tuple[str, ...] = ()) -> None:
        self._package, self._home, self._ids = package, home, scenarios

    def __getitem__(self, name: str) -> Any:
        """Return the module ``name`` of the package, as in "model.state"."""
        return import_module(f"{self._package}.{name}")

    def _usual(self, room: str) -> Any:
        """Return the module of a room of ``USUAL``: the first of its places where there is one."""
        places = USUAL[room]
        return self[next((name for name in places if (self._home / f"{name.replace('.', '/')}.py").is_file()), room)]

    @hookimpl
    def index(self) -> tuple[RuleRow, ...]:
        """Return the rule index of ``rules.toml``."""
        return read_index(self._home / "rules.toml")

    @hookimpl
    def scenarios(self) -> dict[str, Path]:
        """Return the shipped scenario files, those of ``scenarios/``."""
        return {name: self._home / "scenarios" / f"{name}.toml" for name in self._ids}

    @hookimpl
    def players(self) -> Mapping[str, Callable[..., Any]]:
        """Return the bots: ``PLAYERS`` of the room ``players``."""
        players: Mapping[str, Callable[..., Any]] = self._usual("players").PLAYERS
        return players

    @hookimpl
    def deal(self, view: Any, board: Any, stream: Stream) -> Any:
        """Return a state that looks like ``view`` to its side: ``deal`` of the room ``determinization``."""
        return self._usual("determinization").deal(view, board, stream)

    @hookimpl
    def evaluate(self, state: Any, board: Any) -> Mapping[str, int]:
        """Return the share of each side in the game, in thousandths: ``evaluate`` of the room ``evaluation``."""
        found: Mapping[str, int] = self._usual("evaluation").evaluate(state, board)
        return found

    @hookimpl
    def fill_in(self, records: Sequence[Any], side: str, board: Any) -> Sequence[Any] | None:
        """Return what a side saw with what it leaves out: ``fill_in`` of the room ``completion``."""
        found: Sequence[Any] | None = self._usual("completion").fill_in(records, side, board)
        return found

    @hookimpl
    def narrate(self, record: Any, board: Any) -> str | None:
        """Return a sentence for a reader, or None: ``sentence`` of the room ``narrate``."""
        sentence: str | None = self._usual("narrate").sentence(record, board)
        return sentence

    @hookimpl
    def answer(self, view: Any, board: Any, text: str) -> Answer | None:
        """Return what the rules say to a question about a position, or None: ``answer`` of the room ``answers``."""
        found: Answer | None = self._usual("answers").answer(view, board, text)
        return found

    @hookimpl
    def table(self, name: str, board: Any) -> PrintedTable | None:
        """Return a printed table, or None: ``table`` of the room ``tables``."""
        found: PrintedTable | None = self._usual("tables").table(name, board)
        return found

    @hookimpl
    def sums(self, records: Sequence[Any], board: Any) -> Sequence[Calculation]:
        """Return how the figures of the last record came about: ``sums`` of the room ``sums``."""
        found: Sequence[Calculation] = self._usual("sums").sums(records, board)
        return found

    @hookimpl
    def draw(self, view: Any, board: Any, style: str) -> str | None:
        """Return the board as text or SVG: ``draw`` of the room ``draw``."""
        picture: str | None = self._usual("draw").draw(view, board, style)
        return picture

    @hookimpl
    def words(self, value: Any, view: Any, board: Any) -> str | None:
        """Return a line of a menu, or None: ``words`` of the room ``menus``."""
        told: str | None = self._usual("menus").words(value, view, board)
        return told

    @hookimpl
    def read_order(self, decision: Decision, text: str, board: Any) -> Order | Course | str | None:
        """Return the order that a person typed, or None; for "?" what can be typed: ``read_order`` of ``parsing``."""
        order: Order | Course | str | None = self._usual("parsing").read_order(decision, text, board)
        return order
