"""Explain each record beyond what the log states: decisions, alternatives, active procedures and rules.

The rules are rerun once, from the first record to the last. The page finds everything else in the log: the order and
the rolls before a record, their labels, the calculation and the table's cell.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from msgspec import Struct, json, to_builtins

from sandtable.errors import SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import other_version
from sandtable.journal.side_view.hints import Noted
from sandtable.journal.side_view.worlds import Worlds
from sandtable.journal.sides.side_log import SideLog
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.kernel.state import State
from sandtable.plugin.manager import Prepared

MAX_OTHERS = 6
"""Maximum number of alternatives that are shown for each decision."""
LONGEST = 160
_RULE_ID = re.compile(r"\b[A-Z][A-Z0-9]{0,4}-[A-Z]?\d+(?:\.\d+)*[a-z]?\b")


class AnsweredOrder(Struct, frozen=True):
    """The decision that an order answered: prompt, rule, some legal alternatives, and whether there were more."""

    by: str
    prompt: str
    rule: str
    others: tuple[str, ...]
    more: bool


class Reasons(Struct):
    """The results of a rerun: decisions by record, active procedures by record, and the side that each roll favors.

    ``fault`` is the first difference under the rules, or "". Without a ``game`` nothing was rerun, because the
    installed rules are of another version, or because of a slice. ``noted`` is for slices. ``lost`` is the number of
    questions that were not found.
    """

    questions: dict[int, AnsweredOrder]
    procedures: dict[int, tuple[str, ...]]
    summaries: dict[str, str]
    fault: str = ""
    game: Game | None = None
    noted: Noted | None = None
    lost: int = 0


class _Watcher:
    """An observer of a game while it is rerun."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self.game: Game
        self.questions: dict[int, AnsweredOrder] = {}
        self.procedures: dict[int, tuple[str, ...]] = {}
        self.summaries: dict[str, str] = {}
        self._decision: Decision | None = None

    def ask(self, decision: Decision) -> None:
        """Store the decision that the next order answers."""
        self._decision = decision

    def look(self, record: Any) -> None:
        """Store the procedures that are active at ``record``, and the decision of an order."""
        names = []
        for name, live in self.game.procedures():
            if name != "walk":
                names.append(name)
                if name not in self.summaries:
                    text = live.gi_code.co_consts[0] if live.gi_code.co_consts else ""
                    self.summaries[name] = text.strip().split("\n")[0] if isinstance(text, str) else ""
        if names:
            self.procedures[record.n] = tuple(names)
        if isinstance(record, OrderRecord) and self._decision is not None:
            ruleset, state = self.prepared.ruleset, self.game.state
            prepared = self.prepared.at(state)
            self.questions[record.n] = _answered(
                self._decision, record, prepared, lambda: ruleset.view(state, ruleset.side_of(record.by))
            )
            self._decision = None


def _answered(decision: Decision, record: Any, prepared: Prepared, look: Callable[[], Any]) -> AnsweredOrder:
    """Return the ``decision`` that the order in ``record`` answered; ``look`` gives the view of its side."""
    found = [each for each in islice(_listed(decision.options), MAX_OTHERS + 2) if each != record.order]
    words = tuple(dict.fromkeys(_words(found[:MAX_OTHERS], prepared, look)))
    return AnsweredOrder(record.by, decision.prompt, decision.rule, words, len(found) > MAX_OTHERS)


def _words(orders: Sequence[Any], prepared: Prepared, look: Callable[[], Any]) -> Iterator[str]:
    """Yield orders in the words of a menu or, without such words, as stored in a log."""
    words = prepared.installed.ui.words
    view = look() if orders and words else None
    for order in orders:
        told = None
        if words and view is not None:
            with suppress(Exception):
                told = words(order, view, prepared.board)
        if told == "":
            continue  # a menu has no line for it either
        text: str = told or _plain(to_builtins(order))
        yield text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _listed(space: Any) -> Iterator[Any]:
    """Yield the values of a space, as far as they can be listed."""
    with suppress(SandtableError, ValueError, NotImplementedError):
        yield from space.values()


def _plain(told: Any) -> str:
    if not isinstance(told, Mapping):
        return json.encode(told).decode()
    kind = told.get("type", "")
    rest = ", ".join(f"{key} {json.encode(value).decode()}" for key, value in told.items() if key != "type")
    return f"{kind}: {rest}".rstrip(": ").replace('"', "")


def reasons_of(log: Log, records: Sequence[Any], prepared: Prepared) -> Reasons:
    """Return the results of a rerun of the game in ``log``, up to the first record that the rules do not reproduce.

    For a log of another version nothing is run, and the results are empty.
    """
    if other_version(log, prepared.ruleset):
        return Reasons({}, {}, {}, "", None)
    watcher = _Watcher(prepared)
    noted = Noted()
    rerun = noted.rerun = Rerun(prepared, log, records, dice_of(log, records), seen=watcher.look)
    watcher.game = rerun.game
    found = rerun.run(watcher.ask, noted.ask)
    fault = found.text if found is not None else ""
    return Reasons(watcher.questions, watcher.procedures, watcher.summaries, fault, rerun.game, noted)


def reasons_of_slice(own: SideLog) -> Reasons:
    """Return the decisions of the side of a slice, as far as possible states give them."""
    if other_version(own.log, own.prepared.ruleset):
        return Reasons({}, {}, {})
    records = {each.n: each for each in own.known}
    questions: dict[int, AnsweredOrder] = {}

    def watch(number: int, decision: Decision, state: State) -> None:
        prepared = own.prepared.at(state)
        view = prepared.ruleset.view
        questions[number] = _answered(decision, records[number], prepared, lambda: view(state, own.side))

    Worlds(own).watch_orders(watch)
    return Reasons(dict(sorted(questions.items())), {}, {})


def as_data(reasons: Reasons, seen: Sequence[Any], prepared: Prepared, viewer: str) -> dict[str, Any]:
    """Return the part of the reasons that ``viewer`` may know, as plain data.

    For a side, this is only its own decisions: active procedures, and other sides' alternatives, may be secret.
    """
    whole = viewer == UMPIRE
    numbers = {record.n for record in seen}
    side_of = prepared.ruleset.side_of
    questions = {
        str(number): [each.prompt, each.rule, list(each.others), each.more]
        for number, each in reasons.questions.items()
        if number in numbers and (whole or side_of(each.by) == viewer)
    }
    stacks: dict[tuple[str, ...], int] = {}
    live = {
        str(number): stacks.setdefault(names, len(stacks))
        for number, names in reasons.procedures.items()
        if whole and number in numbers
    }
    named = dict.fromkeys(name for names in stacks for name in names)
    return {
        "questions": questions,
        "stacks": [list(names) for names in stacks],
        "live": live,
        "summaries": {name: reasons.summaries[name] for name in named},
        "rules": _rules(seen, reasons, questions, list(named), prepared),
    }


def _rules(
    seen: Sequence[Any], reasons: Reasons, questions: Mapping[str, Any], named: Sequence[str], prepared: Prepared
) -> dict[str, str]:
    """Return all cited rules, in one line each."""
    cited: set[str] = set()
    for record in seen:
        if isinstance(record, RollRecord):
            cited.add(record.rule)
        elif (event := getattr(record, "event", None)) is not None:
            cited.add(getattr(event, "rule", ""))
            for each in getattr(event, "calculations", None) or ():
                cited.update(_RULE_ID.findall(str(to_builtins(each))))
    cited.update(each[1] for each in questions.values())
    cited.update(rule for name in named for rule in _RULE_ID.findall(reasons.summaries[name]))
    index = prepared.installed.hook.ruleset_index() or ()
    return {row.id: row.text for row in index if row.id in cited}
