"""The command ``sandtable ask``."""

from typing import Any

import click
from msgspec import json

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.branches import order_typed
from sandtable.cli.dispute.chances import odds_of_order
from sandtable.cli.inputs import open_part
from sandtable.cli.output import say, show, show_json, show_sentence
from sandtable.errors import IllegalOrder, PlayError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import fitting, fold_log
from sandtable.journal.positions import PendingQuestions, of_log, of_slice
from sandtable.journal.sides.side_log import SideLog
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.dice import key_from_seed
from sandtable.players import odds
from sandtable.players.players import seat_bot
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Answer
from sandtable.rules.chance.rolls import Chances
from sandtable.terminal.menu import read_typed

ORDER, ODDS, BOT = "order", "odds", "bot"


@click.command()
@arguments.log
@click.argument("question")
@arguments.at(least=0)
@arguments.side("Use only what this side saw (default: everything).")
@arguments.as_json
@pass_context
def ask(context: CliContext, log: str, question: str, at: int | None, side: str | None, as_json: bool) -> None:
    """Ask the rules about a position of LOG.

    QUESTION is a query as at the prompt, `order SEAT: ORDER`, `odds SEAT: ORDER`, `bot SEAT: BOT`, or `?`, which lists
    the queries of the ruleset. The answer includes its evidence: the path, the obstacle and the rule. `order` reports
    whether an order would be legal, and why not. `odds` computes the possible results of its dice. `bot` prints the
    order that a bot would choose. The slice of a side answers for that side.
    """
    read, prepared, own = open_part(context, log, at, side)
    side = own.side if own else side
    number = read.records if at is None else at
    word, _, rest = question.partition(" ")
    found: Answer | None
    named = rest.partition(":")[0].strip() in prepared.ruleset.seats
    if word not in (ORDER, BOT) and not (word == ODDS and named):
        found = _of_position(read, prepared, number, side, question, own)
    elif word == ODDS and side is None:
        found = _odds(prepared, odds_of_order(context, read, prepared, number, rest))
    else:
        seat, text = _seat_named(prepared, word, rest, side)
        goes_on = word != ORDER
        if own is not None:
            asked = of_slice(own, number, goes_on=goes_on)
        else:
            asked = of_log(read, number, context.rulesets, goes_on=goes_on)
        found = {ORDER: _of_order, ODDS: _of_odds, BOT: _of_bot}[word](asked, seat, text)
    if found is None:
        raise PlayError(f"{prepared.ruleset.id} cannot answer {question!r}: `sandtable ask {log} ?` lists the queries")
    _show(found, prepared, as_json=as_json)


def _of_position(
    log: Log, prepared: Prepared, number: int, side: str | None, question: str, own: SideLog | None
) -> Answer | None:

    state = fold_log(log, prepared, number) if own is None else own.state_at(number)
    with fitting(log.name, f"the state after record {number} cannot be queried"):
        return prepared.installed.answer(prepared.ruleset.view(state, side or UMPIRE), state.board, question)


def _seat_named(prepared: Prepared, word: str, text: str, side: str | None) -> tuple[str, str]:
    """Return the seat and the rest of ``SEAT: ...``; raise BadParameter for no seat, or one of another side."""
    seat, colon, rest = (each.strip() for each in text.partition(":"))
    if not colon or seat not in prepared.ruleset.seats:
        seats = ", ".join(prepared.ruleset.seats)
        raise click.BadParameter(f"write {word} SEAT: {word.upper()}; the seats are {seats}", param_hint="QUESTION")
    if side is not None and prepared.ruleset.side_of(seat) != side:
        raise click.BadParameter(f"{seat} does not belong to {side}, and its decisions are secret", param_hint="--side")
    return seat, rest


def _of_order(asked: PendingQuestions, seat: str, typed: str) -> Answer:

    decision = asked.decision_of(seat)
    if decision is None:
        pending = f"; pending: {', '.join(asked.seats)}" if asked.seats else ""
        more = f"; the next decision follows record {asked.later}" if asked.later and not asked.seats else ""
        return Answer(False, (f"{seat} has no decision after record {asked.number}{pending}{more}",))
    try:
        order = order_typed(asked.prepared, decision, typed)
    except IllegalOrder as error:
        wrong: list[Any] = [error, *error.also]
    else:
        wrong = decision.all_wrong(order)
    prompt = f"decision: {decision.prompt}"
    if not wrong:
        return Answer(True, (prompt, "the order is legal"), (decision.rule,) if decision.rule else ())
    rules = tuple(dict.fromkeys(each.rule for each in wrong if each.rule))
    return Answer(False, (prompt, *(each.reason for each in wrong)), rules)


def _pending(asked: PendingQuestions, seat: str) -> Decision:
    """Return the pending decision of ``seat``; raise BadParameter if there is no such decision."""
    decision = asked.decision_of(seat)
    if decision is None:
        who = " and ".join(asked.seats) or "no seat"
        raise click.BadParameter(f"after record {asked.number}, {who} has a decision to make", param_hint="QUESTION")
    return decision


def _of_odds(asked: PendingQuestions, seat: str, typed: str) -> Answer:
    """Return the odds of the dice of an order, as far as the seat may know."""
    decision = _pending(asked, seat)
    order = read_typed(asked.prepared, decision, typed)
    decision.check(order)
    return _odds(asked.prepared, odds.odds_of_order(asked.prepared, asked.view_of(seat), decision, order))


def _odds(prepared: Prepared, found: Chances) -> Answer:
    rule = found.roll.rule if found.roll is not None else ""
    return Answer(None, tuple(odds.odds_lines(prepared, found)), (rule,) if rule else ())


def _of_bot(asked: PendingQuestions, seat: str, name: str) -> Answer:
    """Return the order of a bot that has no memory of the game, only the view of the seat."""
    decision, view = _pending(asked, seat), asked.view_of(seat)
    bot = seat_bot(asked.prepared, seat, name, key_from_seed(f"advice after record {asked.number}"))
    order = bot.choose(decision, view)
    decision.check(order)
    told = (asked.prepared.installed.ui.words or nothing)(order, view(), asked.prepared.board)
    lines = (f"decision: {decision.prompt}", *([told] if told else []), json.encode(order).decode())
    return Answer(None, lines, (decision.rule,) if decision.rule else ())


def _show(found: Answer, prepared: Prepared, *, as_json: bool) -> None:
    texts = {row.id: row.text for row in prepared.installed.hook.ruleset_index() or ()}
    if as_json:
        rules = {each: texts.get(each, "") for each in found.rules}
        show_json({"yes": found.yes, "lines": found.lines, "rules": rules})
        return
    verdict = {True: "yes", False: "no", None: ""}[found.yes]
    if verdict:
        show(verdict)
    for line in found.lines:
        show_sentence(f"  {line}" if verdict else line)
    for rule in found.rules:
        say(f"{rule}: {texts.get(rule, 'not in the rule index')}")
