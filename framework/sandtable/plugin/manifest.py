"""The manifest of a ruleset, and the parts that the kernel runs."""

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any, Literal

from msgspec import Struct

from sandtable.kernel.decisions import UMPIRE, Order
from sandtable.kernel.events import Event
from sandtable.kernel.sequence import SequenceOfPlay
from sandtable.kernel.state import State

Stage = Literal["draft", "playable", "complete"]
Keeper = Literal["", "none", "claims", "needed"]
KEEPERS: tuple[Keeper, ...] = ("none", "claims", "needed")


class Option(Struct, frozen=True):
    """A ruling or rule of the book that players may choose.

    ``values`` are the tokens, the default first; with ``number`` every whole number of up to nine digits is a value as
    well. ``ruling`` is the id of its ruling, ``text`` the question. ``endless`` are the values with which a game need
    not end by itself; the contract suite skips them, as it skips scenarios with ``endless = true``. ``bid`` is the side
    that receives a numeric value as a handicap, which a match may search for; "first" or "second" is that side of the
    scenario. An option that is ``fixed``, or a bid, belongs to the set-up: no ruling sets it in play. ``keeper`` gives
    the values that need more than ``Manifest.keeper``, each with the keeper that it needs.
    """

    name: str
    values: tuple[str, ...]
    text: str
    ruling: str = ""
    number: bool = False
    endless: tuple[str, ...] = ()
    bid: str = ""
    fixed: bool = False
    keeper: dict[str, Keeper] = {}

    @property
    def default(self) -> str:
        """The value that applies if none is chosen."""
        return self.values[0]

    def allows(self, value: str) -> bool:
        """Return whether ``value`` may be chosen."""
        return value in self.values or (self.number and value.isascii() and value.isdigit() and len(value) < 10)


class Manifest(Struct, frozen=True):
    """The facts about a ruleset, available without running it.

    ``sides`` win together, and are all sides of any scenario (see ``Parts.sides``); ``powers`` (power: side) move
    separately. ``board`` is "areas", "hexes", "track" or "none". ``hidden`` means that a side may not see everything.
    ``endings`` are all possible endings of a game (the ``ending`` of GameEnded); each has a golden log in ``replays/``.

    ``usual`` gives the default player by seat, for instance a resolver for the umpire. ``bots`` gives, by bot, the
    sides, powers or "umpire" that it may play; a bot that is not listed may play every side, but not the umpire (see
    ``may_sit``). ``newcomer`` is the side for a first game: ``sandtable demo`` recommends a ruleset that names one.
    ``secret_rolls`` states when the rules roll dice that not all sides may see: "always", or with a value of an option,
    "OPTION=VALUE"; no shared dice are possible then. ``umpire`` is advice for a club that lets this ruleset fight the
    battles of a campaign; it is shown with the choice.

    ``keeper`` says whether a neutral program must hold the secrets of all sides during play: "none" if no side's rules
    need a secret of another, "claims" if sides state what the rules need of their secrets (see ``Claim``), otherwise
    "needed". If it is left out, a game with secrets needs one. ``secrets`` names what the sides keep secret, in the
    plural: "strengths". See ``options.keepers``.
    """

    id: str
    title: str
    version: str
    edition: str
    designer: str
    stage: Stage
    sides: tuple[str, ...]
    board: str
    hidden: bool = False
    powers: dict[str, str] = {}
    options: tuple[Option, ...] = ()
    description: str = ""
    endings: tuple[str, ...] = ()
    usual: dict[str, str] = {}
    bots: dict[str, tuple[str, ...]] = {}
    umpire: str = ""
    secret_rolls: tuple[str, ...] = ()
    newcomer: str = ""
    keeper: Keeper = ""
    secrets: str = ""


class Variant(Struct, frozen=True):
    """The facts about a variant: a small plugin that wraps hooks of the ruleset ``ruleset``, such as a house rule."""

    id: str
    ruleset: str
    title: str
    version: str = "1"


class RuleRow(Struct, frozen=True):
    """One row of the rule index: ``state`` is "rule", "ruling", or "info" for a row without effect on play."""

    id: str
    text: str
    state: str = "rule"


class Parts(Struct, frozen=True):
    """The parts that the kernel runs: see ``sandtable.kernel.ruleset.Ruleset`` for the meaning of each.

    ``handlers`` are modules (their marked functions are taken in order) or functions. ``sides`` are the sides of this
    scenario; empty means all of the manifest's. ``undeclared`` are events whose visibility is not declared. ``view`` is
    called for each side, for UMPIRE and for PUBLIC: show PUBLIC what no side keeps secret. ``visible`` is not called
    for PUBLIC: spectators see the part of an event that all sides share. ``facts`` returns the secret facts of a side
    that claims state one by one: always the same names, and plain values (see ``Claim.fact``).
    """

    state_type: type[State]
    sequence: SequenceOfPlay
    handlers: Iterable[ModuleType | Callable[..., Any]]
    orders: tuple[type[Order], ...]
    events: tuple[type[Event], ...]
    view: Callable[[Any, str], Any] | None = None
    visible: Callable[[Any, str], Event | None] | None = None
    secret_events: tuple[type[Event], ...] = ()
    reveals: tuple[type[Event], ...] = ()
    sides: tuple[str, ...] = ()
    undeclared: tuple[type[Event], ...] = ()
    facts: Callable[[Any, str], Mapping[str, Any]] | None = None


class Staged(Struct, frozen=True):
    """A scenario made from another ruleset's brief: its tables as in a file, and the options that are not default."""

    tables: dict[str, Any]
    options: dict[str, str] = {}


class Answer(Struct, frozen=True):
    """A ruleset's answer to a query about a position. ``yes`` is None if the query is not a yes-no one.

    ``lines`` explain it, sentence by sentence: the path, the obstacles, the costs. ``rules`` are the ids that it relies
    on, the most important first.
    """

    yes: bool | None
    lines: tuple[str, ...]
    rules: tuple[str, ...] = ()


class PrintedTable(Struct, frozen=True):
    """A printed table of the rules: the headings of its columns, and by row the cells, in order.

    The headings are those that a ``Calculation`` names.
    """

    columns: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]

    def around(self, row: str, column: str) -> tuple[str, dict[str, str]] | None:
        """Return the content of a cell, and the cells next to it, above and below it by heading, or None.

        It returns None for an unknown cell. Without a column it returns the whole row. A row whose cells are all equal
        has no cells to the left and right.
        """
        if row not in self.rows or column not in ("", *self.columns):
            return None
        cells = self.rows[row]
        if not column:
            return "", {f"column {name}": cell for name, cell in zip(self.columns, cells, strict=True)}
        names, place = list(self.rows), self.columns.index(column)
        at = names.index(row)
        near = {
            f"row {name}": self.rows[name][place] for name in (*names[max(0, at - 1) : at], *names[at + 1 : at + 2])
        }
        if len(dict.fromkeys(cells)) > 1:
            beside = (*range(max(0, place - 1), place), *range(place + 1, min(place + 2, len(cells))))
            near |= {f"column {self.columns[each]}": cells[each] for each in beside}
        return cells[place], near


class Course(Struct, frozen=True):
    """Several orders typed as one line, for consecutive questions: the steps of a march.

    The next order is given automatically while it is legal, while no events happen except those of the types ``quiet``,
    and while no other seat is asked a question that leads to an event. ``said`` describes the result of the line for
    the person who typed it. If ``closing`` is set, the last order ends the action; it is left out if the action has
    ended by itself.
    """

    orders: tuple[Order, ...]
    quiet: tuple[type[Event], ...] = ()
    said: str = ""
    closing: bool = False


ALWAYS = "always"


def why_secret(manifest: Manifest, options: Mapping[str, str]) -> str:
    """Return the entry of ``secret_rolls`` that applies with ``options``, or "" if all dice are public."""
    chosen = {ALWAYS, *(f"{name}={value}" for name, value in options.items())}
    return next((each for each in manifest.secret_rolls if each in chosen), "")


# --- seats: powers, sides without powers, and the umpire; every ruleset has the bots COMMON and its own

RANDOM, FIRST, SEARCH = "random", "first", "search"
COMMON = (RANDOM, FIRST, SEARCH)

JUDGE_NOTHING = (RANDOM, FIRST)
"""Bots that draw at random or take the first option; they may play the umpire if they are named for it."""


def seats_of(manifest: Manifest) -> tuple[str, ...]:
    """Return every seat that a scenario of the ruleset may have, the umpire's last."""
    owned = set(manifest.powers.values())
    single = (side for side in manifest.sides if side not in owned)
    return tuple(dict.fromkeys([*manifest.powers, *(side for side in single if side != UMPIRE), UMPIRE]))


def may_sit(manifest: Manifest, bot: str, seat: str) -> bool:
    """Return whether ``bot`` may play the seat ``seat``.

    A bot in ``Manifest.bots`` may play the seats listed there; a side includes all of its powers. Any other bot may
    play every side, but not the umpire, because a bot for a side need not know the umpire's decisions.
    """
    declared = manifest.bots.get(bot)
    if declared is None:
        return seat != UMPIRE or bot in JUDGE_NOTHING
    return seat in declared or manifest.powers.get(seat, seat) in declared


def plays_any_side(manifest: Manifest, bot: str) -> bool:
    """Return whether ``bot`` may play every seat except the umpire's."""
    return all(may_sit(manifest, bot, seat) for seat in seats_of(manifest) if seat != UMPIRE)
