"""Functions that a ruleset provides in groups: its bots, its user interface, and battles for other rulesets.

A hook returns each group once: ``ruleset_bots``, ``ruleset_ui``, ``ruleset_battles``. Every function of a group is
optional and takes the arguments that it needs, by name. A leading underscore marks an argument that it ignores. The
functions of this module are the specifications: signature, caller, and result.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from inspect import Parameter, signature
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import force_setattr

from sandtable.errors import RulesetError
from sandtable.files.words import did_you_mean
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import Calculation
from sandtable.kernel.options import Refusal
from sandtable.kernel.play.game import Player
from sandtable.plugin.manifest import Answer, Course, PrintedTable, Staged
from sandtable.rules.chance.battlefield import OddsBattle
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.result import Result
from sandtable.tabletop.terms import Terms

Maker = Callable[[str, Stream, Any], Player]
_NAMED = {Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY}


def deal(view: Any, side: str, board: Any, stream: Stream, now: Any) -> Any:
    """Return a new state whose view for ``side`` equals ``view``. Called by players that simulate games.

    ``stream`` deals everything hidden from the side, each possibility with its probability. Turn, phase and options are
    filled in for you. ``now`` is what the side sees at its decision, including everything revealed since ``view``. A
    ruleset without hidden information may not have this function.
    """


def evaluate(state: Any, board: Any) -> Mapping[str, int]:
    """Return each side's winning probability. Called by players that simulate games, when they cut a game off.

    ``log page`` also calls it for its graph, and training environments for shaped rewards. The probabilities are in
    thousandths and sum to 1,000; a draw counts by shares. The function is called often, with any state of a game that
    is not over, so it must be fast. It must not change the state.
    """


def narrate(record: Any, board: Any) -> str | None:
    """Return one sentence for a reader, or None to leave the record out.

    Called by ``replay``, ``log page``, the console and comparisons for each record without a text of ``digest``. A side
    may see only part of an event.
    """


def digest(records: Sequence[Any], board: Any) -> Mapping[int, str]:
    """Return summaries by record number. Called by ``replay``, ``log page`` and the console before they narrate.

    ``records`` are those that still count, as a side sees them. The game may be unfinished.

    Each text replaces the sentence of its record: one line or several, or "" to leave the record out. Other records are
    narrated as usual. ``replay --full`` narrates all records.
    """


def draw(view: Any, board: Any, style: str, focus: str) -> str | None:
    """Return the board as ``style`` "text" or "svg". Called by ``board``, ``replay --board`` and the console.

    A large map may also have the styles "text_part", "text_whole", "svg_part" and "svg_whole". Return None for a style
    that you do not draw. Draw only what is in ``view``, the result of ``Parts.view``. ``focus`` names an object to show
    in detail, such as a unit, or is "". Raise PlayError if it is unknown; leave the argument out if you do not use it.
    """


def picture(view: Any, board: Any) -> Any:
    """Return the data of the "svg" drawing: a HexPicture or a Picture. Called by ``log page`` after each event.

    The page compares pictures to find changes fast. Without this function it shows the "svg" drawings, or only text.
    """


def fill_in(records: Sequence[Any], side: str, board: Any) -> Sequence[Any] | None:
    """Return ``records``, as seen by ``side``, completed. Called by commands that read the slice of a side.

    Handlers rebuild the side's view from them, at any record. If one needs an event that is hidden from the side,
    insert an event that fits everything the side knows. None adds nothing. A ruleset without hidden information may not
    have this function.
    """


def read_order(decision: Decision, text: str, board: Any) -> Order | Course | Refusal | str | None:
    """Return the order that ``text`` means, or None. Called by the console for a line that it does not know.

    A line may mean several orders, one for each of the next decisions: return a Course. Return a str to show it and ask
    again, or a Refusal, for example to confirm an order that cannot be undone. For the text "?" return examples of the
    orders that can be typed now, one a line; indented lines are comments. Raise IllegalOrder with the position in the
    text if the line is in your notation but wrong.
    """


def doubt(order: Order, decision: Decision, board: Any) -> Refusal | str | None:
    """Return a question to ask before a legal order is given, or None. Called by the browser table.

    Ask about a likely mistake, such as money that would be left unspent. The console asks what ``read_order`` returns.
    """


def words(value: Any, view: Any, board: Any) -> str | None:
    """Return ``value``, an order or a part of one, in words, or None. Called for each line of a menu and each button.

    A text is a part of an order: return the name of a unit, place or kind for its id, because players never see ids.

    ``view`` is what the deciding side sees. Orders with the same words share one line of the menu, which means the
    first of them. An order with the words "" has no line; it can still be typed.
    """


def answer(view: Any, board: Any, text: str) -> Answer | None:
    """Return the rules' answer to a query about a position, or None. Called by ``ask`` and the console.

    Answer only from ``view``, the result of ``Parts.view`` for the asking side. For the text "?" return an Answer whose
    lines are the known queries by example: "sees 98 1515 can it be seen from there". The first word of each is the
    query's name; no order begins with it. Raise PlayError if the query names something unknown.
    """


def table(name: str, board: Any) -> PrintedTable | None:
    """Return the table that ``calculations`` of events name, as it is printed, or None. Called by ``explain``.

    The reader is shown the cells next to the one that was read.
    """


def sums(records: Sequence[Any], board: Any) -> Sequence[Calculation] | None:
    """Return an event's calculations, each named for its field. Called by ``explain`` if the event does not hold them.

    ``records`` are those of the log up to the event, as the asking side sees them. Compute only from them. Return None
    for an event without calculations.
    """


def odds(attack: str, defend: str, options: Mapping[str, str]) -> OddsBattle | None:
    """Return a battle under the current rules between two forces given as text, or None. Called by ``odds``.

    People type them: raise IllegalOrder or DataError, with the position and the expected form, for invalid text. Return
    None if the ruleset cannot compute odds of a battle.
    """


def stage(brief: Brief) -> Staged:
    """Return a scenario made from the brief. Called when this ruleset fights a battle of another ruleset.

    Use the brief alone: ``verify`` makes the scenario again. Raise PlayError for a battle that you do not fight.
    """


def report(terms: Terms, state: Any, board: Any) -> Result:
    """Return the result of the battle under the campaign's ``terms``, from the final state. Called when it is over.

    ``source`` and ``battle`` are filled in for you.
    """


class Later:
    """A function that ``load`` imports when it is first called."""

    def __init__(self, load: Callable[[], Callable[..., Any]]) -> None:
        self.load = load


class Member:
    """A function of a group; it can be called with all arguments of its specification, by position or by name."""

    def __init__(self, function: Callable[..., Any] | Later, spec: Callable[..., Any]) -> None:
        self._given, self._spec = function, spec
        if not isinstance(function, Later):
            _ = self._arguments

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function with the arguments that it takes."""
        given = dict(zip(self._known, arguments, strict=False)) | named
        return self.function(**{own: given[name] for own, name in self._arguments.items()})

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The author's function."""
        return self._given.load() if isinstance(self._given, Later) else self._given

    @cached_property
    def _known(self) -> tuple[str, ...]:
        return tuple(signature(self._spec).parameters)

    @cached_property
    def _arguments(self) -> dict[str, str]:
        """The names of the function's parameters, and the arguments of the specification that they take."""
        if not callable(self.function):
            raise RulesetError(f"{self._spec.__name__} is not a function: {self.function!r:.60}")
        try:
            parameters = signature(self.function).parameters.values()
        except ValueError as error:  # some functions of Python itself
            raise RulesetError(f"{self._spec.__name__} is not a function with known arguments: {error}") from error
        if any(each.kind is Parameter.VAR_KEYWORD for each in parameters):
            return {name: name for name in self._known}
        found = {}
        for each in parameters:
            name = each.name if each.name in self._known else each.name.removeprefix("_")
            if each.kind in _NAMED and name in self._known:
                found[each.name] = name
            elif each.kind in _NAMED and each.default is Parameter.empty:
                hint = did_you_mean(each.name, self._known)
                raise RulesetError(
                    f"{self._spec.__name__} has no argument {each.name}{hint} It has: {', '.join(self._known)}."
                )
        return found

    def takes(self, name: str) -> bool:
        """Return whether the function has the argument ``name``."""
        return name in self._arguments.values()


class _Either(Member):
    """Two functions combined: the second is called if the first returns None."""

    def __init__(self, first: Member, second: Member) -> None:
        self._first, self._second = first, second

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return the first result that is not None."""
        found = self._first(*arguments, **named)
        return self._second(*arguments, **named) if found is None else found

    def takes(self, name: str) -> bool:
        """Return whether one of the functions has the argument ``name``."""
        return self._first.takes(name) or self._second.takes(name)


class Group(Struct, frozen=True):
    """Functions that one hook returns; each becomes a ``Member``."""

    SPECS: ClassVar[tuple[Callable[..., Any], ...]] = ()

    def __post_init__(self) -> None:
        """Make each function callable with all arguments; raises RulesetError if it has others."""
        for spec in self.SPECS:
            function = getattr(self, spec.__name__)
            if function is not None and not isinstance(function, Member):
                force_setattr(self, spec.__name__, Member(function, spec))

    def members(self) -> list[str]:
        """Return the names of the functions that the group contains."""
        return [spec.__name__ for spec in self.SPECS if getattr(self, spec.__name__) is not None]


class Bots(Group, frozen=True):
    """The ruleset's own bots: ``players`` by name, functions of (seat, stream, board); and what simulations need."""

    SPECS: ClassVar[tuple[Callable[..., Any], ...]] = (deal, evaluate)

    players: Mapping[str, Maker] = {}
    deal: Callable[..., Any] | None = None
    evaluate: Callable[..., Mapping[str, int]] | None = None


class Ui(Group, frozen=True):
    """The functions that narrate, draw and parse; each is described in ``sandtable.plugin.groups``."""

    SPECS: ClassVar[tuple[Callable[..., Any], ...]] = (
        narrate,
        digest,
        draw,
        picture,
        fill_in,
        read_order,
        doubt,
        words,
        answer,
        table,
        sums,
    )

    narrate: Callable[..., str | None] | None = None
    digest: Callable[..., Mapping[int, str] | None] | None = None
    draw: Callable[..., str | None] | None = None
    picture: Callable[..., Any] | None = None
    fill_in: Callable[..., Sequence[Any] | None] | None = None
    read_order: Callable[..., Order | Course | Refusal | str | None] | None = None
    doubt: Callable[..., Refusal | str | None] | None = None
    words: Callable[..., str | None] | None = None
    answer: Callable[..., Answer | None] | None = None
    table: Callable[..., PrintedTable | None] | None = None
    sums: Callable[..., Sequence[Calculation] | None] | None = None

    def over(self, other: "Ui") -> "Ui":
        """Return both: functions of ``other`` are called if these are missing or return None."""
        found = {}
        for name in dict.fromkeys([*self.members(), *other.members()]):
            first, second = getattr(self, name), getattr(other, name)
            found[name] = _Either(first, second) if first and second else first or second
        return Ui(**found)


class Battles(Group, frozen=True):
    """The odds of battles (``odds``), and battles fought for other rulesets (``stage`` and ``report``)."""

    SPECS: ClassVar[tuple[Callable[..., Any], ...]] = (odds, stage, report)

    odds: Callable[..., OddsBattle | None] | None = None
    stage: Callable[..., Staged] | None = None
    report: Callable[..., Result] | None = None


def nothing(*_: Any, **__: Any) -> None:
    """Replace a function that a ruleset does not have."""
