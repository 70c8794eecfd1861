"""A pending question of one seat, answered by picks or by typed text."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from sandtable.errors import IllegalOrder, PlayError, SandtableError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form, Refusal, Sheet, SomeOf, Space, Words
from sandtable.kernel.play.views import View
from sandtable.players.odds import PASSES, ROLLS, consequence, odds_lines, odds_of_order
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Course
from sandtable.quoting import plain
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described
from sandtable.rules.steps.choices import LISTED_FOR_PEOPLE, Choice, Remark
from sandtable.tabletop.checking import results_in
from sandtable.terminal.drafts import as_written
from sandtable.terminal.menu import Menu, read_typed
from sandtable.terminal.prose import answer_lines
from sandtable.web.asking.dice import HINT, asked_dice, dice_prompt, typed_dice
from sandtable.web.asking.places import Whereabouts
from sandtable.web.asking.replies import Ask, Choosable, Members, Refused, SheetRow, SheetTable, Step
from sandtable.web.asking.walk import HEAD, PickWalk, SheetLine, WalkError, pick_of, read_lines

MAX_LISTED = 150_000
"""Maximum number of characters of the options in one reply; the others can be typed."""
MAX_FLAT = 60
"""Maximum number of options of a one-field order that are listed next to the other orders."""
MAX_HEADS = 12
MAX_JUMPS = 400
"""Maximum number of first parts of an order that can be clicked before the order is chosen."""
MAX_EFFECTS = 24
"""Maximum number of options that are shown with their effects."""
LONGEST = 400
_IDENT = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
"""Texts that are ids and not words: those with underscores."""


class AskedQuestion:
    """The question ``decision``, with label ``q``.

    ``where`` finds the things on the board that it mentions, given the view; ``names`` are those of the places.
    """

    def __init__(
        self,
        prepared: Prepared,
        decision: Decision,
        q: str,
        view: View,
        where: Callable[[Any], Whereabouts],
        names: Mapping[str, str],
    ) -> None:
        self.q = q
        self._names = names
        self.decision = decision
        self.menu = Menu(prepared, decision, view)
        self._prepared = prepared
        self._view = view
        self._where = where

    @cached_property
    def _places(self) -> Whereabouts:
        return self._where(self.menu.seen)

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        """The titles of the platoons in a battle that must be reported, and of the battle."""
        space = results_in(self.decision.options)
        if space is None:
            return {}
        brief = space.brief
        found = {each.id: each.title for side in brief.sides for each in brief.platoons(side).values()}
        return found | {brief.id: f"{brief.place_title}, battle {brief.action} of {brief.actions}"}

    @cached_property
    def _rules(self) -> Mapping[str, str]:
        return {row.id: row.text for row in self._prepared.installed.hook.ruleset_index() or ()}

    # --- the question as data ---

    def ask(self, no_undo: str) -> Ask:
        """Return the question; ``no_undo`` as in ``Ask``."""
        decision = self.decision
        return Ask(
            q=self.q,
            seat=decision.seat,
            prompt=dice_prompt(decision, self.named),
            rule=decision.rule,
            rule_text=self._rules.get(decision.rule, ""),
            step=self.step([]),
            done=self.words(decision.done) if decision.done is not None else "",
            hint=HINT if asked_dice(decision) else self.menu.hint or "",
            queries=self.queries(),
            no_undo=no_undo,
            secret=decision.secret,
        )

    def step(self, picks: Sequence[str], lines: Mapping[str, SheetLine] | None = None) -> Step:
        """Return the next step after ``picks``; ``lines`` are written on the sheet of that step.

        Raises WalkError for picks that do not exist.
        """
        walk = PickWalk(self.decision.options, self.q, picks)
        found = self._described(walk, lines or {})
        if walk.choice is not None and walk.choice.space is None:
            listed, found.jumps = self._beside_heads(walk.choice, picks)
            found.options, found.more = self._options(walk.choice, listed)
            self._add_effects(found.options, picks)
        if walk.is_done:
            self._judge(walk.value, found)
        return found

    def line(self, picks: Sequence[str], key: str, within: Sequence[str]) -> Step:
        """Return the next step of line ``key`` of the sheet after ``picks``, along the picks ``within`` the line.

        Raises WalkError if the sheet does not have this line.
        """
        choice, sheet = self.sheet(picks)
        if key not in sheet.lines:
            raise WalkError(f"{key} is not a line of this question")
        walk = PickWalk(sheet.lines[key], f"{self.q}/{choice.part}/{key}", within)
        found = self._described(walk, {})
        if walk.choice is not None and walk.choice.space is None:
            found.options, found.more = self._options(walk.choice, {})
        found.about = self._places.of(key)
        if walk.is_done:
            found.ready, found.words = True, self.words(walk.value)
            refusal = sheet.lines[key].why_not(walk.value)
            found.wrong = [self.refused(refusal)] if refusal else []
        return found

    def sheet(self, picks: Sequence[str]) -> tuple[Choice, Sheet]:
        """Return the choice of the sheet after ``picks``, and the sheet. Raises WalkError if there is no sheet."""
        choice = PickWalk(self.decision.options, self.q, picks).choice
        if choice is None or not isinstance(choice.space, Sheet):
            raise WalkError("the picks do not lead to a sheet of this question")
        return choice, choice.space

    def _described(self, walk: PickWalk, lines: Mapping[str, SheetLine]) -> Step:
        """Return a step with everything but options."""
        found = Step(stuck=walk.stuck, wrong=[self.refused(each) for each in walk.wrong])
        found.said = [(self.named(part), self._label(each)) for part, each in walk.said]
        choice = walk.choice
        if choice is None:
            return found
        found.part, found.about = self.named(choice.part), self._places.of(choice.part)
        if isinstance(choice.space, SomeOf):
            options = [self._option(each) for each in choice.space.of]
            found.members = Members(choice.space.least, choice.space.most, options)
        elif isinstance(choice.space, Sheet):
            found.table = self._table(choice.space, lines, f"{self.q}/{choice.part}")
        elif isinstance(choice.space, Words):
            found.longest = choice.space.longest
        return found

    def _judge(self, order: Any, found: Step) -> None:
        """Add the order that the picks lead to, and its refusals or the ruleset's warning."""
        found.words = self.words(order)
        wrong = self.decision.all_wrong(order)
        found.wrong = [self.refused(each) for each in wrong]
        found.ready = not wrong
        if found.ready:
            warning = self.menu.doubt(order)
            found.warning = warning.reason if isinstance(warning, Refusal) else warning
            found.leads_to = self._consequence(order)

    def _consequence(self, order: Order) -> str:
        """Return the consequence of an order, see ``consequence``; of one that cannot be tried out, dice."""
        if self.decision.secret or order == self.decision.done:
            return PASSES
        try:
            return consequence(self._prepared, self._view, self.decision, order)
        except SandtableError:
            return ROLLS

    # --- options ---

    def _options(self, choice: Choice, more: Mapping[str, list[Choosable]]) -> tuple[list[Choosable], int]:
        """Return the options of a choice, and the number of those left out; ``more`` replaces some of them."""
        rows: list[Choosable] = []
        shown, size = 0, 0
        for option in islice(choice.options, LISTED_FOR_PEOPLE):
            row = self._option(option)
            shown, size = shown + 1, size + len(row.pick) + len(row.words)
            rows += more.get(row.pick, [row])
            if size > MAX_LISTED:
                break
        return rows, len(choice.options) - shown

    def _option(self, option: Any) -> Choosable:
        at = [] if isinstance(option, Space | Remark) else self._places.of(option)
        return Choosable(pick_of(option), self._label(option), at)

    def _beside_heads(self, choice: Choice, picks: Sequence[str]) -> tuple[dict[str, list[Choosable]], list[Choosable]]:
        """Return first parts of the orders in ``choice``, so that a hex or a unit is one click and not two.

        The first result has the options of one-field orders, by the pick of the order: they replace it in the list. The
        second has those of all other orders, if they are on the board. Each is a combined pick: two picks, separated by
        a line break.
        """
        listed: dict[str, list[Choosable]] = {}
        jumps: list[Choosable] = []
        for head in choice.options if len(choice.options) <= MAX_HEADS else ():
            if not isinstance(head, Form) or not head.fields:
                continue
            pick = pick_of(head)
            inner = PickWalk(self.decision.options, self.q, [*picks, pick]).choice
            if inner is None or inner.space is not None:
                continue
            options = [
                Choosable(f"{pick}\n{each.pick}", f"{self._label(head)}: {each.words}", each.at)
                for each in map(self._option, islice(inner.options, MAX_JUMPS))
            ]
            if len(head.fields) == 1 and len(inner.options) <= MAX_FLAT:
                listed[pick] = options
            else:
                jumps += [each for each in options if each.at]
        return listed, jumps

    def _add_effects(self, options: Sequence[Choosable], picks: Sequence[str]) -> None:
        """Add the effect of each option that completes an order, in the ruleset's words; for a few options only."""
        for row in options if len(options) <= MAX_EFFECTS else ():
            walk = PickWalk(self.decision.options, self.q, [*picks, *split_picks([row.pick])])
            told = self.menu.own_words(walk.value) if walk.is_done else None
            if told and told != row.words:
                row.effect = told[:LONGEST]

    def _label(self, option: Any) -> str:
        """Return an option in words."""
        if isinstance(option, Remark):
            return option.words
        if isinstance(option, Form):
            return name_words(option.order.__name__)
        if isinstance(option, Space):
            return name_words(type(option).__name__)
        return self.words(option)

    def words(self, value: Any) -> str:
        """Return an order, or a part of one, in words: up to ``LONGEST`` characters."""
        return (self._told(value) or described(value, told=self._told))[:LONGEST]

    def _told(self, value: Any) -> str | None:
        return (self.named(value) if value else None) if isinstance(value, str) else self.menu.own_words(value)

    def named(self, text: str) -> str:
        """Return the name of a text in an order: the ruleset's words, or the name of the place; never a bare id.

        The code of a place is added if it has no lower-case letters, because such codes are printed on the map.
        """
        told = self._titles.get(text) or self.menu.own_words(text)
        if told:
            return told
        name = self._names.get(text)
        if name and name != text:
            return name if text != text.upper() else f"{name} ({text})"
        return name_words(text) if _IDENT.fullmatch(text) else plain(text)

    # --- sheets ---

    def _table(self, space: Sheet, lines: Mapping[str, SheetLine], label: str) -> SheetTable:
        """Return the rows of a sheet with the written ``lines``, each judged alone and with the others."""
        sheet, unread = read_lines(space, lines, label)
        refusals = space.refusals(sheet) if sheet else {}
        unread_keys = {each.reason.partition(":")[0]: each for each in unread}
        rows = [
            SheetRow(
                key=key,
                title=space.titles.get(key, "") or self._title(key),
                written=self._written(sheet[key]) if key in sheet else _typed(lines.get(key)),
                echo=space.echo(key, sheet) if space.echo and key in sheet else "",
                wrong=self._wrong_line(refusals.get(key) or unread_keys.get(key), space),
                required=key in space.required,
                at=self._places.of(key),
            )
            for key in space.lines
        ]
        return SheetTable(rows, [self.refused(each) for key, each in refusals.items() if key not in space.lines])

    def _title(self, key: str) -> str:
        """Return the name of a line, or "" if it is its key, which the page may find on the board."""
        name = self.named(key)
        return "" if name == key else name

    def _written(self, value: Any) -> str:
        """Return a value of a line as it can be typed, or the name of a place or unit."""
        is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return ", ".join(map(self.named, value)) if is_list else self.words(value) if value else as_written(value)

    def _wrong_line(self, refusal: Refusal | None, space: Sheet) -> Refused | None:
        return self.refused(Refusal(refusal.rule or space.rule, refusal.reason)) if refusal else None

    def refused(self, refusal: Refusal) -> Refused:
        """Return a refusal with the text of its rule."""
        rule = refusal.rule or self.decision.rule
        return Refused(rule, refusal.reason, self._rules.get(rule, ""))

    # --- answers ---

    def order(self, picks: Sequence[str]) -> Order:
        """Return the legal order that the picks lead to. Raises WalkError if none, IllegalOrder if it is refused."""
        walk = PickWalk(self.decision.options, self.q, picks)
        if walk.wrong:
            raise IllegalOrder(*walk.wrong[0], [IllegalOrder(*each) for each in walk.wrong[1:]])
        if not walk.is_done:
            raise WalkError(walk.stuck or "the order is not finished")
        order: Order = walk.value
        wrong = self.decision.all_wrong(order)
        if wrong:
            raise IllegalOrder(*wrong[0], [IllegalOrder(*each) for each in wrong[1:]])
        return order

    def typed(self, text: str) -> tuple[Order | None, Course | None, str]:
        """Return the legal order that ``text`` means, the course that it begins, and the ruleset's answer to it.

        Raises IllegalOrder. The order is None if the ruleset answers with a question or a remark.
        """
        dice = asked_dice(self.decision)
        typed = typed_dice(text, dice.length) if dice else None
        read: Any = typed or (None if text.startswith("{") or text == "?" else self.menu.read(text))
        if isinstance(read, Refusal | str):
            return None, None, read if isinstance(read, str) else f"{read.reason} ({read.rule})"
        if isinstance(read, Course):
            self.decision.check(read.orders[0])
            return read.orders[0], read, read.said
        if read is None and not text.startswith("{"):
            read = self.menu.legal_orders(text)[0]
        order = read if isinstance(read, Order) else read_typed(self._prepared, self.decision, text)
        self.decision.check(order)
        return order, None, ""

    def odds(self, order: Order) -> list[str]:
        """Return the odds of the dice that ``order`` causes, as far as the seat may know them. Raises PlayError."""
        return odds_lines(self._prepared, odds_of_order(self._prepared, self._view, self.decision, order))

    # --- the ruleset's queries ---

    def queries(self) -> list[str]:
        """Return examples of the queries that the ruleset answers."""
        answer = self._prepared.installed.answer(self.menu.seen, self._prepared.board, "?")
        return list(answer.lines) if answer is not None else []

    def query(self, text: str) -> list[str]:
        """Return the ruleset's answer to a query. Raises PlayError if it knows no such query."""
        answer = self._prepared.installed.answer(self.menu.seen, self._prepared.board, text.lower())
        if answer is None:
            raise PlayError(f"{text!r} is not a query: try {', '.join(self.queries()[:3])}")
        rules = [f"{rule}: {self._rules.get(rule, '')}" for rule in answer.rules]
        return [*(each.strip() for each in answer_lines(answer)), *rules]


def split_picks(picks: Sequence[str]) -> list[str]:
    """Return picks with the combined ones taken apart (see ``Step.jumps``)."""
    return [part for each in picks for part in (each.split("\n") if each.startswith(HEAD) else [each])]


def _typed(line: SheetLine | None) -> str:
    return line.text if line is not None else ""
