"""``sandtable ask``."""

from typing import TYPE_CHECKING, Any

import click

from sandtable.cli.context import CliContext, check_record, pass_setting, say_doubts
from sandtable.cli.output import say, show, show_json, show_sentence

if TYPE_CHECKING:
    from sandtable.journal.file.log import Log
    from sandtable.plugin.manager import Prepared
    from sandtable.plugin.manifest import Answer

ORDER, ODDS = "order", "odds"


@click.command()
@click.argument("log", type=click.Path())
@click.argument("question")
@click.option("--at", "upto", type=click.IntRange(0), metavar="N", help="After record N; otherwise at the log's end.")
@click.option("--side", help="Answer from what this side saw; otherwise from everything.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def ask(setting: CliContext, log: str, question: str, upto: int | None, side: str | None, as_json: bool) -> None:
    """Ask the rules about a position of LOG: QUESTION as at the prompt, `order SEAT: ORDER` or `odds SEAT: ORDER`.

    The answer comes with its witness: the way, what is in the way, the rule. QUESTION `?` lists what can be asked of
    this ruleset. `order` tells whether an order would be taken there, and why not; `odds` what its dice may come to.
    """
    from sandtable.errors import PlayError  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.file.log import read_log  # noqa: PLC0415
    from sandtable.journal.fold import prepare_for  # noqa: PLC0415

    read = read_log(log)
    check_record(read.records, upto, "--at")
    number = read.records if upto is None else upto
    prepared = prepare_for(read, setting.rulesets)
    if side is not None and side not in prepared.ruleset.viewers:
        sides = " and ".join(prepared.ruleset.viewers)
        raise click.BadParameter(f"no such side: {side!r}; there are {sides}", param_hint="--side")
    say_doubts(read, prepared)
    if question.partition(" ")[0] == ORDER:
        found: Answer | None = _of_order(setting, read, prepared, number, side, question.removeprefix(ORDER))
    else:
        found = _of_odds(setting, read, prepared, number, side, question)
        found = found or _of_position(read, prepared, number, side, question)
    if found is None:
        raise PlayError(f"{prepared.ruleset.id} has no answer to {question!r}: `sandtable ask {log} ?` lists questions")
    _tell(found, prepared, as_json=as_json)


def _of_position(log: "Log", prepared: "Prepared", number: int, side: str | None, question: str) -> "Answer | None":
    from sandtable.journal.fold import fitting, fold_log  # noqa: PLC0415
    from sandtable.kernel.decisions import UMPIRE  # noqa: PLC0415

    state = fold_log(log, prepared, number)
    with fitting(log.name, f"the state after record {number} cannot be asked about"):
        return prepared.installed.answer(prepared.ruleset.view(state, side or UMPIRE), prepared.board, question)


def _check_seat(prepared: "Prepared", seat: str, side: str | None) -> None:
    """Raise BadParameter where ``side`` asks about an order that is not its own: it knows no question of others."""
    if side is not None and prepared.ruleset.side_of(seat) != side:
        raise click.BadParameter(f"{seat} is not of the side {side}: what it is asked is its own", param_hint="--side")


def _of_order(
    setting: CliContext, log: "Log", prepared: "Prepared", number: int, side: str | None, text: str
) -> "Answer":
    from sandtable.cli.desk.branches import order_typed  # noqa: PLC0415
    from sandtable.errors import IllegalOrder  # noqa: PLC0415
    from sandtable.journal.positions import game_at, next_question  # noqa: PLC0415
    from sandtable.plugin.manifest import Answer  # noqa: PLC0415

    seat, colon, typed = text.partition(":")
    if not colon or seat.strip() not in prepared.ruleset.seats:
        seats = ", ".join(prepared.ruleset.seats)
        raise click.BadParameter(f"write order SEAT: ORDER; the seats are {seats}", param_hint="QUESTION")
    _check_seat(prepared, seat.strip(), side)
    waiting = {each.seat: each for each in game_at(log, number, setting.rulesets).waiting()}
    decision = waiting.get(seat.strip())
    if decision is None:
        asked = ", ".join(waiting) or "nobody"
        later = next_question(log, number, setting.rulesets)
        more = f"; the next question is open after record {later}" if later and not waiting else ""
        return Answer(False, (f"{seat.strip()} is not asked after record {number}: {asked} is{more}",))
    try:
        order = order_typed(prepared, decision, typed.strip())
    except IllegalOrder as error:
        wrong: list[Any] = [error, *error.also]
    else:
        wrong = decision.all_wrong(order)
    asked = f"asked: {decision.prompt}"
    if not wrong:
        return Answer(True, (asked, "the order is taken"), (decision.rule,) if decision.rule else ())
    rules = tuple(dict.fromkeys(each.rule for each in wrong if each.rule))
    return Answer(False, (asked, *(each.reason for each in wrong)), rules)


def _of_odds(
    setting: CliContext, log: "Log", prepared: "Prepared", number: int, side: str | None, question: str
) -> "Answer | None":
    """Return what the dice of `odds SEAT: ORDER` may come to, from what ``side`` knows; None for another question."""
    from sandtable.cli.desk.chances import odds_of_order  # noqa: PLC0415
    from sandtable.players.odds import odds_lines  # noqa: PLC0415
    from sandtable.plugin.manifest import Answer  # noqa: PLC0415

    word, _, text = question.partition(" ")
    seat = text.partition(":")[0].strip()
    if word != ODDS or seat not in prepared.ruleset.seats:
        return None
    _check_seat(prepared, seat, side)
    found = odds_of_order(setting, log, prepared, number, text, side=side or "")
    rule = found.roll.rule if found.roll is not None else ""
    return Answer(None, tuple(odds_lines(prepared, found)), (rule,) if rule else ())


def _tell(found: "Answer", prepared: "Prepared", *, as_json: bool) -> None:
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
        say(f"{rule}: {texts.get(rule, 'is not in the rule index')}")
