"""Replies to a page about a question: plain data, to be written as JSON."""

from msgspec import Struct


class Choosable(Struct, array_like=True):
    """An option: its pick, its words, and the counters and places that it mentions.

    ``effect`` describes the order that it completes, with its costs and odds, or is "".
    """

    pick: str
    words: str
    at: list[str]
    effect: str = ""


class Refused(Struct, omit_defaults=True):
    """A refusal: the rule, the reason, and the text of the rule."""

    rule: str
    reason: str
    text: str = ""


class Members(Struct):
    """A set: from ``least`` to ``most`` of the ``options`` are chosen."""

    least: int
    most: int
    options: list[Choosable]


class SheetRow(Struct, omit_defaults=True):
    """A line of a sheet: its key and title, what is written, the effect, and why it is refused."""

    key: str
    title: str = ""
    written: str = ""
    echo: str = ""
    wrong: Refused | None = None
    required: bool = False
    at: list[str] = []


class SheetTable(Struct):
    """A sheet: its rows, and refusals that belong to no row."""

    rows: list[SheetRow]
    others: list[Refused] = []


class Step(Struct, omit_defaults=True):
    """The next step of a question after some picks.

    ``part`` names its subject; ``options``, ``members``, ``table`` or ``longest`` (a text) say how. ``more`` options
    were left out: they can be typed. ``jumps`` are further ways on by a click on the board: an order with its first
    part, which no button shows. ``ready`` is set if the picks lead to an order, and ``words`` describes it.
    ``warning`` is the ruleset's question before it is given. ``leads_to`` is "rolls" if dice follow the order, "passes"
    if another seat decides next, or "".
    """

    said: list[tuple[str, str]] = []
    part: str = ""
    about: list[str] = []
    options: list[Choosable] = []
    more: int = 0
    jumps: list[Choosable] = []
    members: Members | None = None
    table: SheetTable | None = None
    longest: int = 0
    ready: bool = False
    words: str = ""
    warning: str = ""
    leads_to: str = ""
    wrong: list[Refused] = []
    stuck: str = ""


class Ask(Struct, omit_defaults=True):
    """A pending question of a seat: label, seat, prompt, rule, first step, and what can be done besides.

    ``hint`` lists examples of typed orders, one a line; ``queries`` those of the rules. ``no_undo`` is the reason why
    the last order cannot be taken back, or "" if it can.
    """

    q: str
    seat: str
    prompt: str
    rule: str = ""
    rule_text: str = ""
    step: Step | None = None
    done: str = ""
    hint: str = ""
    queries: list[str] = []
    no_undo: str = ""
    secret: bool = False
