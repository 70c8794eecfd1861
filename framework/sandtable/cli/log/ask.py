"""The command ``sandtable ask``."""

from typing import Any

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.branches import order_typed
from sandtable.cli.dispute.chances import odds_of_order
from sandtable.cli.inputs import check_side, open_log
from sandtable.cli.output import say, show, show_json, show_sentence
from sandtable.errors import IllegalOrder, PlayError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import fitting, fold_log
from sandtable.journal.positions import game_at, next_question
from sandtable.kernel.decisions import UMPIRE
from sandtable.players.odds import odds_lines
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Answer

ORDER, ODDS = "order", "odds"


@click.command()
@arguments.log
@click.argument("question")
@arguments.at(least=0)
@arguments.side("Use only what this side saw (default: everything).")
@arguments.as_json
@pass_context
def ask(context: CliContext, log: str, question: str, at: int | None, side: str | None, as_json: bool) -> None:
    """Ask the rules about a position of LOG.

    QUESTION is a query as at the prompt, `order SEAT: ORDER`, `odds SEAT: ORDER`, or `?`, which lists the queries of
    the ruleset. The answer includes its evidence: the path, the obstacle and the rule. `order` reports whether an order
    would be legal, and why not. `odds` computes the possible results of its dice.
    """
    read, prepared = open_log(context, log, at)
    check_side(prepared, side)
    number = read.records if at is None else at
    if question.partition(" ")[0] == ORDER:
        found: Answer | None = _of_order(context, read, prepared, number, side, question.removeprefix(ORDER))
    else:
        found = _of_odds(context, read, prepared, number, side, question)
        found = found or _of_position(read, prepared, number, side, question)
    if found is None:
        raise PlayError(f"{prepared.ruleset.id} cannot answer {question!r}: `sandtable ask {log} ?` lists the queries")
    _show(found, prepared, as_json=as_json)


def _of_position(log: Log, prepared: Prepared, number: int, side: str | None, question: str) -> Answer | None:

    state = fold_log(log, prepared, number)
    with fitting(log.name, f"the state after record {number} cannot be queried"):
        return prepared.installed.answer(prepared.ruleset.view(state, side or UMPIRE), state.board, question)


def _check_seat(prepared: Prepared, seat: str, side: str | None) -> None:
    """Raise BadParameter if ``side`` asks about an order of another side, whose decisions it may not know."""
    if side is not None and prepared.ruleset.side_of(seat) != side:
        raise click.BadParameter(f"{seat} does not belong to {side}, and its decisions are secret", param_hint="--side")


def _of_order(context: CliContext, log: Log, prepared: Prepared, number: int, side: str | None, text: str) -> Answer:

    seat, colon, typed = text.partition(":")
    if not colon or seat.strip() not in prepared.ruleset.seats:
        seats = ", ".join(prepared.ruleset.seats)
        raise click.BadParameter(f"write order SEAT: ORDER; the seats are {seats}", param_hint="QUESTION")
    _check_seat(prepared, seat.strip(), side)
    game = game_at(log, number, context.rulesets)
    waiting = {each.seat: each for each in game.waiting()}
    decision = waiting.get(seat.strip())
    if decision is None:
        pending = f"; pending: {', '.join(waiting)}" if waiting else ""
        later = next_question(log, number, context.rulesets)
        more = f"; the next decision follows record {later}" if later and not waiting else ""
        return Answer(False, (f"{seat.strip()} has no decision after record {number}{pending}{more}",))
    try:
        order = order_typed(prepared.at(game.state), decision, typed.strip())
    except IllegalOrder as error:
        wrong: list[Any] = [error, *error.also]
    else:
        wrong = decision.all_wrong(order)
    prompt = f"decision: {decision.prompt}"
    if not wrong:
        return Answer(True, (prompt, "the order is legal"), (decision.rule,) if decision.rule else ())
    rules = tuple(dict.fromkeys(each.rule for each in wrong if each.rule))
    return Answer(False, (prompt, *(each.reason for each in wrong)), rules)


def _of_odds(
    context: CliContext, log: Log, prepared: Prepared, number: int, side: str | None, question: str
) -> Answer | None:
    """Return the odds of the dice of `odds SEAT: ORDER`, from what ``side`` knows; None for another question."""
    word, _, text = question.partition(" ")
    seat = text.partition(":")[0].strip()
    if word != ODDS or seat not in prepared.ruleset.seats:
        return None
    _check_seat(prepared, seat, side)
    found = odds_of_order(context, log, prepared, number, text, side=side or "")
    rule = found.roll.rule if found.roll is not None else ""
    return Answer(None, tuple(odds_lines(prepared, found)), (rule,) if rule else ())


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
