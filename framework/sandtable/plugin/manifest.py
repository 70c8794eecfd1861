"""What a ruleset tells about itself, and the parts it is made of."""

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Literal

from msgspec import Struct

from sandtable.kernel.decisions import UMPIRE, Order
from sandtable.kernel.events import Event
from sandtable.kernel.sequence import SequenceOfPlay
from sandtable.kernel.state import State

Stage = Literal["draft", "playable", "complete"]


class Option(Struct, frozen=True):
    """A ruling or rule of the book that players may choose.

    ``values`` are the tokens, the default first; with ``number`` any whole number may stand as well. ``ruling`` is the
    id of the ruling it belongs to, ``text`` what is asked. ``endless`` are the values with which a game need not end by
    itself: the contract suite leaves them out, as it does scenarios that say ``endless = true``. ``bid`` is the side
    that a number as this option's value gives so much of something: a handicap, which a match may look for; "first"
    or "second" is that side of the scenario.
    """

    name: str
    values: tuple[str, ...]
    text: str
    ruling: str = ""
    number: bool = False
    endless: tuple[str, ...] = ()
    bid: str = ""

    @property
    def default(self) -> str:
        """The value that stands when nobody says otherwise."""
        return self.values[0]

    def allows(self, value: str) -> bool:
        """Return whether ``value`` may be chosen."""
        return value in self.values or (self.number and value.isascii() and value.isdigit() and len(value) < 10)


class Manifest(Struct, frozen=True):
    """The facts about a ruleset, without running it.

    ``sides`` win together: all that any scenario has (see ``Parts.sides``); ``powers`` (power: side) move on their own.
    ``board`` is "areas", "hexes", "track" or "none". ``hidden`` tells whether a side may not see everything.
    ``endings`` are all the ways in which a game can end (the ``ending`` of GameEnded): each has a golden log in
    ``replays/``. ``usual`` names, by seat, the player who sits where nobody is named: a resolver for the umpire, say.
    ``bots`` gives, by bot, the sides, powers or "umpire" for which it may sit; one that is not there may sit for every
    side, and not as umpire (see ``may_sit``). ``newcomer`` is the side for a first game: ``sandtable demo``
    recommends a ruleset that names one. ``umpire`` is what a club should know before it lets this ruleset fight the
    battles of a campaign: it is told where that is chosen.
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
    newcomer: str = ""


class Variant(Struct, frozen=True):
    """The facts about a variant: a small plugin that wraps hooks of the ruleset ``ruleset`` (a house rule, say)."""

    id: str
    ruleset: str
    title: str
    version: str = "1"


class RuleRow(Struct, frozen=True):
    """One row of the rule index: ``state`` is "rule", "ruling", or "info" for what has no effect on play."""

    id: str
    text: str
    state: str = "rule"


class Parts(Struct, frozen=True):
    """What the kernel runs: see ``sandtable.kernel.ruleset.Ruleset`` for the meaning of each.

    ``handlers`` are modules (their marked functions are taken in order) or functions. ``sides`` are those of the
    manifest's sides that this scenario is fought by; empty: all. ``unsaid`` are events of which nobody said who may
    see them. ``view`` is called for each side, for UMPIRE and for PUBLIC: show PUBLIC what no side keeps secret.
    ``visible`` is not called for PUBLIC: spectators see the part of an event that all sides share.
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
    unsaid: tuple[type[Event], ...] = ()


class Staged(Struct, frozen=True):
    """A scenario made of another ruleset's brief: its tables as in a file, and the options that are not the usual."""

    tables: dict[str, Any]
    options: dict[str, str] = {}


class Answer(Struct, frozen=True):
    """What a ruleset says of a position to a question: ``yes`` or not, or None where it is no matter of yes and no.

    ``lines`` are the witness, sentence by sentence: the way there, what is in the way, what it costs. ``rules`` are the
    ids on which it stands, the weightiest first.
    """

    yes: bool | None
    lines: tuple[str, ...]
    rules: tuple[str, ...] = ()


class PrintedTable(Struct, frozen=True):
    """A table of the rules as it is printed: the headings of its columns, and by row the cells, in their order.

    The headings are those that a ``Calculation`` names.
    """

    columns: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]

    def around(self, row: str, column: str) -> tuple[str, dict[str, str]] | None:
        """Return what stands in a cell, and in the cells beside, above and below it by heading; None for none.

        Where the column is not told it is all of the row; a row that is the same all over has nothing beside a cell.
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
    """Several orders typed as one line, for one question after the other: steps of a march.

    The next is given by itself while it is allowed, and while nothing has happened but events of the types ``quiet``
    and nobody else was asked anything but what brought none. ``said`` is what the line comes to, for who typed it. The
    last order of one that is ``closing`` ends what was begun: it is left out where that has ended by itself.
    """

    orders: tuple[Order, ...]
    quiet: tuple[type[Event], ...] = ()
    said: str = ""
    closing: bool = False


# --- seats: powers, sides without powers, and the umpire; every ruleset has the bots COMMON besides its own

RANDOM, FIRST, SEARCH = "random", "first", "search"
COMMON = (RANDOM, FIRST, SEARCH)

JUDGE_NOTHING = (RANDOM, FIRST)
"""They draw, or take what is listed first, in whichever seat: who names one of them as umpire wants just that."""


def seats_of(manifest: Manifest) -> tuple[str, ...]:
    """Return every seat that a scenario of the ruleset may have, the umpire's last."""
    owned = set(manifest.powers.values())
    single = (side for side in manifest.sides if side not in owned)
    return tuple(dict.fromkeys([*manifest.powers, *(side for side in single if side != UMPIRE), UMPIRE]))


def may_sit(manifest: Manifest, bot: str, seat: str) -> bool:
    """Return whether ``bot`` may sit in ``seat``.

    A bot that ``Manifest.bots`` names sits where that says: a side there stands for all of its powers. Any other sits
    for every side, and not as umpire: who plays for a side need not know what an umpire is asked.
    """
    declared = manifest.bots.get(bot)
    if declared is None:
        return seat != UMPIRE or bot in JUDGE_NOTHING
    return seat in declared or manifest.powers.get(seat, seat) in declared


def plays_any_side(manifest: Manifest, bot: str) -> bool:
    """Return whether ``bot`` may sit in every seat but the umpire's."""
    return all(may_sit(manifest, bot, seat) for seat in seats_of(manifest) if seat != UMPIRE)
