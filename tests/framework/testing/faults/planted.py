"""The faults that an author's trial planted, one by one, in three small games, and the expected findings.

Connect Four and Kuhn poker are the examples of the documentation; "hexwar" is written by ``sandtable new``.
"""

from pathlib import Path
from typing import NamedTuple

import sandtable
from sandtable.scaffold.writing import files_of

EXAMPLES = "docs/examples"
TOY = "toy"


class Fault(NamedTuple):
    """A fault: in ``file`` of ``game``, ``old`` becomes ``new``, for each pair of ``changes``.

    ``check`` must report text that fits ``told``. The check "" is the loading itself.
    """

    game: str
    file: str
    changes: tuple[tuple[str, str], ...]
    check: str
    told: str


def sources(root: str, game: str) -> dict[str, str]:
    """Return the files of ``game``, by their path in its package, under the checkout ``root``."""
    if game == "hexwar":
        files = files_of("hexwar", "", "hexes", sandtable.__version__, cards=False, secrets=True)
        return {path.removeprefix("src/"): text for path, text in files.items() if path.startswith("src/")}
    folder = Path(root) / EXAMPLES / game / "src"
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((folder / game).rglob("*.py"))
    }


def c4(old: str, new: str, check: str, told: str, *more: tuple[str, str]) -> Fault:
    return Fault("connect4", "connect4/__init__.py", ((old, new), *more), check, told)


def kuhn(old: str, new: str, check: str, told: str, *more: tuple[str, str]) -> Fault:
    return Fault("kuhn", "kuhn/__init__.py", ((old, new), *more), check, told)


def hexwar(room: str, old: str, new: str, check: str, told: str, *more: tuple[str, str]) -> Fault:
    return Fault("hexwar", f"hexwar/{room}.py", ((old, new), *more), check, told)


IMPORT = "import sandtable as st\n"
DROPPED = "    yield Dropped(side, order.column)\n"
DEAL = '    hands = yield from st.deal(CARDS, {"first": 1, "second": 1}, "KU-1")\n'
BY_HAND = """    left, hands = list(CARDS), {{}}
    for side in OTHER:
        (face,) = yield st.Roll(1, len(left), f"deal:{{side}}", "KU-1"{side})
        hands[side] = [left.pop(face - 1)]
"""
HANDS = '{"card": table.cards.get(side, ""), "bets": " ".join(table.bets)}'
FREE = "    free = [column"
NEXT = "            board.next = "

FAULTS: dict[str, Fault] = {
    "the state may hold a set": c4(
        '    next: str = "red"\n',
        '    next: str = "red"\n    used: set[int] = field(default_factory=set)\n',
        "",
        "used may contain a set: use only plain data",
    ),
    "a field of any type holds a set": c4(
        DROPPED,
        DROPPED + "    board.used = {1}\n",
        "state_is_plain_data",
        r"the state\.used is \{1\}: not plain data",
        ('    next: str = "red"\n', '    next: str = "red"\n    used: Any = None\n'),
    ),
    "a set puts orders in order": c4(
        "    order: Drop =",
        "    names = list({'a', 'b', 'c', 'd', 'e', 'f', 'g'})\n    free.sort(key=lambda column: names.index('abcdefg'[column - 1]))\n    order: Drop =",
        "same_bytes_in_two_processes",
        "two processes write different logs .* Does an order depend on a set",
    ),
    "hash puts orders in order": c4(
        DROPPED,
        "    yield Dropped(side, free[hash('x') % len(free)])\n",
        "same_bytes_in_two_processes",
        "two processes write different logs .* hash",
        ("order.column - 1):", "0):"),
        ("y = len(board.columns[x]) - 1", "y = max(0, len(board.columns[x]) - 1)"),
    ),
    "random.randint": c4(
        DROPPED,
        "    import random\n    random.randint(1, 6)\n" + DROPPED,
        "no_clock_no_chance",
        r"connect4, line \d+, calls random.randint: chance comes from a Roll",
    ),
    "a generator of its own": c4(
        DROPPED,
        "    import random\n    random.Random(0).random()\n" + DROPPED,
        "no_clock_no_chance",
        "calls random.Random",
    ),
    "secrets.choice": c4(
        DROPPED,
        "    import secrets\n    secrets.choice([1, 2])\n" + DROPPED,
        "no_clock_no_chance",
        "calls secrets.choice",
    ),
    "a view shows a secret order": hexwar(
        "fog",
        '"elite": table.elite.get(side, "")',
        '"elite": table.elite.get(side, ""), "all": dict(table.elite)',
        "secrets_are_kept",
        r"(red|blue) orders NameElite.* instead of .*; after record \d+ (red|blue) notices it: its view: all",
    ),
    "spectators see a secret order": hexwar(
        "fog",
        '"elite": table.elite.get(side, "")',
        '"elite": table.elite.get(side, "") if side != "public" else str(table.elite)',
        "secrets_are_kept",
        r"(red|blue) orders NameElite.* instead of .*; after record \d+ public notices it: its view: elite",
    ),
    "a prompt tells a secret order": hexwar(
        "turn",
        '"march a unit, or halt"',
        'f"march a unit, or halt {sorted(table.elite.values())}"',
        "secrets_are_kept",
        "notices it: its decisions: ",
    ),
    "options tell a secret order": hexwar(
        "turn",
        "    own = [name for name, unit in table.units.items() if unit.side == side]\n    return st.Form(March",
        "    own = [name for name, unit in table.units.items() if unit.side == side and not (name[1] == '1' and any(e[1] == '2' for s, e in table.elite.items() if s != side))]\n    return st.Form(March",
        "secrets_are_kept",
        "its options|may not order",
    ),
    "a refusal tells a secret order": hexwar(
        "turn",
        '"a unit cannot march to its own space: halt instead"',
        'f"a unit cannot march to its own space: halt instead; {sorted(table.elite.values())}"',
        "secrets_are_kept",
        "its options at 'march a unit, or halt': March.* is refused as .*b1.* in a game that looks the same",
    ),
    "a view shows a card": kuhn(
        HANDS,
        '{"card": table.cards.get(side, ""), "all": dict(table.cards), "bets": " ".join(table.bets)}',
        "secret_dice_are_kept",
        "notices it at once: its view: all",
    ),
    "spectators see a card": kuhn(
        HANDS,
        '{"card": table.cards.get(side, "") if side != "public" else str(table.cards), "bets": " ".join(table.bets)}',
        "secret_dice_are_kept",
        "public notices it at once: its view: card",
    ),
    "all see a secret event": kuhn(
        'seen_by="side"',
        "seen_by=lambda event, side: event",
        "secret_dice_are_kept",
        "notices it at once: a record of its log: event.card",
    ),
    "nobody said who sees an event": kuhn(
        '@game.event(seen_by="side")',
        "@game.event",
        "games_end",
        "the event CardDealt follows the secret roll .*deal.*declare its visibility",
        ('"kuhn", title', '"kuhn", hidden=True, title'),
    ),
    "a card's own die gives away the other": kuhn(
        DEAL,
        BY_HAND.format(side=", side=side"),
        "secret_dice_are_kept",
        "which second sees, reveals more than its events do",
    ),
    "an open roll deals": kuhn(
        DEAL,
        BY_HAND.format(side=""),
        "secret_dice_are_kept",
        r"falls .* effect \((first|second) notices .*\): the rules reveal the effect; name the `side` of the Roll",
    ),
    "options hang on the enemy's card": kuhn(
        "    for side, other in OTHER.items():\n        if (yield",
        "    for side, other in OTHER.items():\n        yield st.Decision(side, 'go on', st.OneOf([Act('on'), Act('off')][table.cards[OTHER[side]] == 'king' :], 'KU-2'), 'KU-2')\n        if (yield",
        "secret_dice_are_kept",
        r"its options at 'go on'",
    ),
    "a refusal hangs on the enemy's card": kuhn(
        "st.OneOf(ways, rule)",
        "st.OneOf(ways, rule, f'you lose to {lost}')",
        "secret_dice_are_kept",
        "refused as .*you lose to .* in a game that looks the same",
        ("def act(side: str", "def act(lost: str, side: str"),
        ("yield from act(side,", "yield from act(table.cards[OTHER[side]], side,"),
        ("yield from act(other,", "yield from act(table.cards[side], other,"),
    ),
    "an impossible world is dealt": kuhn(
        'stream.pick([card for card in CARDS if card != view["card"]])',
        "stream.pick(CARDS)",
        "secret_dice_are_kept",
        "deal makes a world that no dice lead to",
    ),
    "a handler changes the event": kuhn(
        '        """Change nothing: the state already holds the cards."""',
        "        table.cards = dict(self.cards)\n        self.cards.clear()",
        "fold_equals_run",
        "a handler changes or keeps a part of an event",
    ),
    "a handler keeps a list of the event": c4(
        DROPPED,
        "    yield Dropped(side, order.column)\n    yield Kept([order.column])\n",
        "clones_are_independent|fold_equals_run",
        "keeps a part of an event|shares state.kept",
        (
            "@game.phase",
            '@game.event\nclass Kept(st.Event, frozen=True):\n    """Kept."""\n\n    numbers: list[int]\n    rule: str = "C4-1"\n\n    def apply(self, board: Board) -> None:\n        """Keep."""\n        board.kept = KEPT if board.turn > 3 else self.numbers\n        board.kept.append(1)\n\n\nKEPT: list[int] = []\n\n\n@game.phase',
        ),
        ('    next: str = "red"\n', '    next: str = "red"\n    kept: list[int] = []\n'),
    ),
    "nothing can be chosen": c4(
        "st.OneOf(free, ",
        "st.OneOf(free[9:], ",
        "games_end",
        r"dead end: after record \d+: red must 'drop a disc' \(C4-1\), but has no option",
    ),
    "what judges the whole refuses all": c4(
        '{"column": st.OneOf(free, "C4-1")})',
        '{"column": st.OneOf(free, "C4-1")}, lambda _: st.Refusal("C4-1", "no"))',
        "games_end",
        "dead end: .* has no option",
    ),
    "a loop of events": c4(
        DROPPED,
        DROPPED + "    while len(board.columns[0]) > 2:\n        yield st.TurnBegan(1)\n",
        "games_end",
        r"phase drop \(C4-1\), in drop < walk, last TurnBegan|more than 2000 records",
    ),
    "a repeated phase that asks nothing": c4(
        '@game.phase("C4-1")\n',
        '@game.phase("C4-1")\ndef wait(board: Board) -> st.Procedure:\n    """Wait."""\n    yield from ()\n    return False\n\n\n@game.phase("C4-1")\n',
        "games_end",
        "endless",
        ("def drop", "def drop"),
        ('@game.phase("C4-1")\ndef wait', '@game.phase("C4-1", repeats=True)\ndef wait'),
    ),
    "a loop that yields nothing": c4(
        DROPPED,
        DROPPED + "    while len(board.columns[0]) > 2:\n        pass\n",
        "games_end",
        r"the rules hang: nothing happened for .* at .*:\d+, in drop",
    ),
    "an option crashes the rules": hexwar(
        "turn",
        "won = yield from fight(table, order.unit, enemy)",
        "won = yield from fight(table, order.unit, 'b9')",
        "games_end",
        r"KeyError: 'b9' \((model|turn)\.py:\d+, in \w+\)",
    ),
    "the clock": c4(
        DROPPED, "    import time\n    time.time()\n" + DROPPED, "no_clock_no_chance", "line .*, calls time.time"
    ),
    "the day": c4(
        DROPPED,
        "    datetime.now()\n" + DROPPED,
        "no_clock_no_chance",
        "line .*, calls datetime.now",
        (IMPORT, "from datetime import datetime\n\n" + IMPORT),
    ),
    "the environment": c4(
        DROPPED,
        "    os.environ.get('HOME')\n" + DROPPED,
        "no_clock_no_chance",
        "line .*, calls os.environ",
        (IMPORT, "import os\n\n" + IMPORT),
    ),
    "a float in a type": c4(
        '    next: str = "red"\n', '    next: str = "red"\n    odds: float = 0.5\n', "", "odds may contain a float"
    ),
    "a float slips in": c4(
        DROPPED,
        DROPPED + "    board.odds = 1.5\n",
        "state_is_plain_data",
        r"the state\.odds is 1\.5",
        ('    next: str = "red"\n', '    next: str = "red"\n    odds: int = 0\n'),
    ),
    "a drawing shows a secret by a module's global": hexwar(
        "ui",
        "    return board.drawing(where, style)",
        "    return str(board.drawing(where, style)) + str(sorted(SEEN[-2:]))",
        "secret_dice_are_kept|worlds_look_alike|looking_changes_nothing|games_do_not_mix|secrets_are_kept",
        "its drawing|drawn again after other games, another drawing",
        ("from hexwar.model import", "from hexwar.model import SEEN,"),
        ("hexwar/model.py::import msgspec\n", "import msgspec\n\nSEEN: list[str] = []\n"),
        (
            "hexwar/model.py::        table.elite[self.side] = self.unit",
            "        table.elite[self.side] = self.unit\n        SEEN.append(self.unit)",
        ),
    ),
    "no version": c4(
        '    title="Connect Four",\n',
        '    title="Connect Four",\n    version="",\n',
        "facts_agree",
        "manifest: version is ''",
    ),
    "a version of words": c4(
        '    title="Connect Four",\n',
        '    title="Connect Four",\n    version="the new one",\n',
        "facts_agree",
        "manifest: version is 'the new one'",
    ),
    "a version that is a number": c4(
        '    title="Connect Four",\n',
        '    title="Connect Four",\n    version=1,\n',
        "facts_agree",
        "manifest: version is 1: it must be a text",
    ),
    "a counter in a module": c4(
        DROPPED,
        "    SEEN.append(0)\n    yield Dropped(side, order.column if len(SEEN) % 50 else 1)\n",
        "log_verifies|games_do_not_mix|clones_play_on",
        ".",
        ("WIDE, HIGH = 7, 6", "WIDE, HIGH = 7, 6\nSEEN: list[int] = []"),
    ),
    "a procedure changes the state": c4(
        DROPPED,
        DROPPED + "    board.columns[0].append(side)\n",
        "fold_equals_run",
        "something other than a handler changes the state",
    ),
    "an event is not listed": c4(
        "@game.event\nclass Dropped", "class Dropped", "games_end", "drop yielded Dropped, which has no handler"
    ),
    "an order is not listed": c4(
        "@game.order\nclass Drop",
        "class Drop",
        "facts_agree|log_verifies|games_end|wrong_orders_are_refused",
        "Drop is no order of the ruleset|is not a record|Drop",
    ),
    "a handler is missing": c4("    def apply(self", "    def applies(self", "", "the event Dropped has no handler"),
    "a drawing crashes": c4(
        '    marks = {"red"',
        '    marks = {}["svg"]\n    marks = {"red"',
        "looking_changes_nothing",
        r"KeyError: 'svg' \(connect4/__init__\.py:\d+, in draw\)",
    ),
    "a narrator crashes": hexwar(
        "ui",
        "    event = getattr(record",
        "    record.x.name\n    event = getattr(record",
        "looking_changes_nothing",
        r"AttributeError: .* \(ui\.py:\d+, in narrate\)",
    ),
    "a bot gives a wrong order": hexwar(
        "bots",
        "        enemies = ",
        "        if decision.prompt.startswith('march'):\n            return March('r1', ['0101'])\n        enemies = ",
        "bots_hold_their_seats",
        "marcher, as (red|blue) at 'march.*gives March.*which is refused",
    ),
    "a bot remembers earlier games": hexwar(
        "bots",
        "        enemies = ",
        "        type(self).asked = getattr(type(self), 'asked', 0) + 1\n"
        "        if decision.done is not None and self.asked % 3 == 0:\n            return decision.done\n        enemies = ",
        "bots_hold_their_seats",
        "marcher, as (red|blue) at 'march.* answers .* and then .*from its stream only",
    ),
    "a notation crashes": hexwar(
        "ui",
        "    return NOTATION.read_order(",
        "    int(text)\n    return NOTATION.read_order(",
        "typed_orders_are_read",
        r"ValueError: .* \(ui\.py:\d+, in read_order\)",
    ),
    "an example that is refused": hexwar(
        "ui",
        "    return NOTATION.read_order(",
        "    if text == '?':\n        return 'march r9 0101'\n    return NOTATION.read_order(",
        "typed_orders_are_read",
        "typed 'march r9 0101': its own example cannot be parsed",
    ),
    "shares of 1,001": hexwar(
        "bots", '"blue": 1000 - share', '"blue": 1001 - share', "evaluation_is_shares", "they total 1001"
    ),
    "a rule that is not": c4(
        'rule: str = "C4-1"', 'rule: str = "C4-9"', "rules_are_named", "'C4-9' is not in the rule index"
    ),
    "a winner that is no side": c4(
        '"draw", "full"',
        '"nobody", "full"',
        "seats_exist",
        "'nobody' is neither a side nor a draw",
        ("WIDE, HIGH = 7, 6", "WIDE, HIGH = 7, 1"),
    ),
    "secrets in a game that hides nothing": Fault(
        TOY,
        "toy.py",
        (("        hidden=True,\n", ""), ("deal=deal, ", "")),
        "facts_agree",
        "manifest: hidden must be true: there are secret events",
    ),
    "a hook is misspelled": Fault(
        TOY,
        "toy.py",
        (("def ruleset_ui(", "def ruleset_iu("),),
        "",
        "toy: ruleset_iu is not a hook. Did you mean ruleset_ui",
    ),
    "a hook wants what is not": Fault(
        TOY,
        "toy.py",
        (("def ruleset_parts(options:", "def ruleset_parts(optons:"),),
        "",
        "has no argument optons. Did you mean options",
    ),
    "another id in the manifest": c4(
        '    "connect4",\n', '    "connect5",\n', "", "its manifest has the id 'connect5': use the same id"
    ),
    "no Python": c4(IMPORT, "import sandtable as\n", "", "connect4 cannot be loaded: SyntaxError"),
    "an option that the book forbids": c4(
        "if len(board.columns[column - 1]) < HIGH]", "]", "perft", "perft 343, wanted 336"
    ),
}

SLIPS: dict[str, Fault] = {
    "the state shares a list with the view": hexwar(
        "fog",
        '{"units": units,',
        '{"units": units, "list": table.shown,',
        "looking_changes_nothing",
        "viewing the state as red, or changing the view, changed it .*a view must consist of copies",
    ),
    "a view holds a set": hexwar(
        "fog",
        '{"units": units,',
        '{"units": units, "set": {1},',
        "looking_changes_nothing",
        r"the view of red\.set is \{1\}: not plain data",
    ),
    "an order is not frozen": c4(
        "class Drop(st.Order, frozen=True)",
        "class Drop(st.Order, frozen=False)",
        "|facts_agree",
        "Drop.*frozen|[Cc]annot.*frozen",
    ),
    "two handlers for one event": hexwar(
        "model",
        '@game.event(seen_by="all")\nclass BattleFought',
        '@game.evolves(UnitMarched)\ndef again(table: Table, event: UnitMarched) -> None:\n    """Do it again."""\n\n\n@game.event(seen_by="all")\nclass BattleFought',
        "",
        r"two handlers of UnitMarched: hexwar\.model\.UnitMarched\.apply and hexwar\.model\.again\. Remove one",
    ),
    "a procedure that is called and never run": hexwar(
        "turn",
        "        if not enemy:\n",
        "        fight(table, order.unit, enemy)\n        if not enemy:\n",
        "facts_agree",
        r"turn\.py:\d+: fight is called and never run: write yield from fight",
    ),
    "an unknown stage": c4(
        '    title="Connect Four",\n',
        '    title="Connect Four",\n    stage="complet",\n',
        "facts_agree",
        "manifest: stage is 'complet': choose draft",
    ),
    "no yield in a procedure": c4(
        "@game.phase",
        '@game.phase("C4-1")\ndef think(board: Board) -> None:\n    """Think."""\n\n\n@game.phase',
        "games_end",
        "think, the procedure of the phase think .*gave None: it is not a generator",
    ),
    "a handler that yields": hexwar(
        "model",
        "        del table.units[self.lost]",
        "        del table.units[self.lost]\n        yield self",
        "",
        "apply yields: a handler changes the state",
    ),
    "options are a bare list": c4(
        'st.Form(Drop, {"column": st.OneOf(free, "C4-1")})',
        "[Drop(1)]",
        "games_end",
        r"AttributeError: 'list' object has no attribute 'sample'|options are a list",
    ),
    "set up without a board": Fault(
        "hexwar",
        "hexwar/setup.py",
        (("    return Table(units=units), ground", "    return Table(units=units)"),),
        "",
        "ruleset_setup must return a state and its board",
    ),
    "a name that is not defined": c4(
        DROPPED, "    nothing_such\n" + DROPPED, "games_end", r"NameError: .* \(connect4/__init__\.py:\d+, in drop\)"
    ),
    "an order is yielded": c4(
        DROPPED, "    yield order\n", "games_end", "drop yielded Drop.*yield only events, rolls, claims and decisions"
    ),
    "numbers are keys": c4(
        '    next: str = "red"\n',
        '    next: str = "red"\n    lines: dict[int, int] = {}\n',
        "state_is_plain_data",
        "Board.lines has keys that are not str",
    ),
    "an event without a rule": c4(
        '    column: int\n    rule: str = "C4-1"\n',
        "    column: int\n",
        "facts_agree",
        "the event Dropped has no field `rule`",
    ),
    "a purpose with blanks": kuhn(
        DEAL,
        DEAL.replace('"KU-1")', '"KU-1", "deal the cards")'),
        "games_end",
        "'deal the cards:first' is not a valid purpose of a roll",
    ),
    "a phase with blanks": c4(
        '@game.phase("C4-1")', '@game.phase("C4-1", name="Drop a disc")', "", "'Drop a disc' is not a valid phase name"
    ),
    "an ending that the manifest has not": c4(
        '"four", "C4-2")', '"line", "C4-2")', "seats_exist", "the manifest has no ending 'line'"
    ),
    "a side that is none is asked": c4(
        'st.Decision(side, "drop',
        'st.Decision("green", "drop',
        "games_end",
        "'green' must 'drop a disc', but there is no such seat",
    ),
    "no state": c4("@game.state\n", "", "", "connect4: no state: mark its class with @game.state"),
    "who sees is no field": kuhn(
        'seen_by="side"', 'seen_by="sied"', "", "seen_by='sied' is not a field of it; there are side, card, rule"
    ),
    "no such hook": kuhn(
        '@game.hook("deal")',
        '@game.hook("redeal")',
        "",
        r"'redeal' is not a hook\. Did you mean deal\? There are: setup",
    ),
    "a rule without an id": c4("        C4-3  When", "        When it is full\n        C4-3  When", "", "."),
    "a prompt is empty": c4('"drop a disc"', '""', "seats_exist", "the decision of red has no prompt"),
    "a decision without a rule": c4(
        '{"column": st.OneOf(free, "C4-1")}), "C4-1")',
        '{"column": st.OneOf(free, "C4-1")}))',
        "rules_are_named",
        "the decision names no rule",
    ),
    "a mutable default": c4(
        "field(default_factory=lambda: [[] for _ in range(WIDE)])", "[[]] * 7", "", "mutable collection"
    ),
    "a die of one side": kuhn(
        DEAL, "    yield st.Roll(1, 1, 'idle', 'KU-1')\n" + DEAL, "games_end", "a die has 2 to 65536 sides"
    ),
    "an event is no State's": c4(
        "board.columns[self.column - 1].append",
        "board.column[self.column - 1].append",
        "games_end",
        r"'Board' object has no attribute 'column'.*in apply\)",
    ),
    "a file of rules is missing": Fault(
        "hexwar", "hexwar/__init__.py", (('"rules.toml"', '"rule.toml"'),), "facts_agree", "rule.toml"
    ),
}
"""Slips of a first hour."""

THROUGH = {"a rule without an id"}
"""Faults known to pass: a line without an id continues the previous one."""

DEALT: dict[str, Fault] = {
    name: fault._replace(check="worlds_look_alike", told=told)
    for name, told, fault in (
        ("a prompt tells what is dealt", "in a world that looks the same", FAULTS["a prompt tells a secret order"]),
        ("options tell what is dealt", "in a world that looks the same", FAULTS["options hang on the enemy's card"]),
    )
}
"""The same, found by worlds that are dealt."""
