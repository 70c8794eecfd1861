"""Every hook of a ruleset, on one page.

A ruleset is a module (usually a package) with these functions, each marked ``@hookimpl``; it is found by its entry
point in the group ``sandtable.rulesets``, or in a ``--plugins-dir``. All hooks are asked of one chosen ruleset, when a
game is set up or looked at; while it is played, only players who try things out ask two, ``ruleset_deal`` and
``ruleset_evaluate``. A variant is a second plugin that wraps some of them (``@hookimpl(wrapper=True)``); it is found
by its entry point in the group ``sandtable.variants``, or in a ``--plugins-dir``, and named behind its ruleset:
``toy+dusk``. ``plugins/README.md`` shows each in use.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pluggy

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import Calculation
from sandtable.kernel.play.game import Player
from sandtable.kernel.ruleset import Upcast
from sandtable.plugin.manifest import (
    Answer,
    Course,
    Manifest,
    Parts,
    PrintedTable,
    RuleRow,
    Staged,
    Variant,
)
from sandtable.plugin.scenarios import Scenario
from sandtable.rules.chance.battlefield import OddsBattle
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.result import Result
from sandtable.tabletop.terms import Terms

PROJECT = "sandtable"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec(firstresult=True)
def ruleset_manifest() -> Manifest:  # type: ignore[empty-body]
    """Asked when rulesets are listed. Return the facts about the ruleset; do nothing else, this must be quick."""


@hookspec(firstresult=True)
def ruleset_index() -> tuple[RuleRow, ...]:  # type: ignore[empty-body]
    """Asked by ``rules`` and ``explain``. Return the rule index: every rule id with one line in your own words."""


@hookspec(firstresult=True)
def ruleset_scenarios() -> Mapping[str, Any]:  # type: ignore[empty-body]
    """Asked when a game is set up. Return the scenario files (paths) by id, the usual one first."""


@hookspec(firstresult=True)
def ruleset_parts(scenario: Scenario, options: Mapping[str, str]) -> Parts:  # type: ignore[empty-body]
    """Asked when a game is set up. Return sequence of play, handlers, messages, views for these options."""


@hookspec(firstresult=True)
def ruleset_setup(scenario: Scenario, options: Mapping[str, str]) -> tuple[Any, Any]:  # type: ignore[empty-body]
    """Asked when a game is set up. Return the first state and its board (or None).

    Raise DataError, naming file and key, when the scenario's data are wrong.
    """


@hookspec(firstresult=True)
def ruleset_upcasts() -> Mapping[str, Upcast]:  # type: ignore[empty-body]
    """Asked when a game is set up. Return the steps, by version, that make its records those of the next: ``Upcast``.

    With them a log of a former version can be looked at: told, drawn, cut down to a side. They run no rules.
    """


@hookspec(firstresult=True)
def ruleset_players() -> Mapping[str, Callable[[str, Stream, Any], Player]]:  # type: ignore[empty-body]
    """Asked when players are seated. Return the ruleset's own bots by name: functions of (seat, stream, board)."""


@hookspec(firstresult=True)
def ruleset_deal(view: Any, side: str, board: Any, stream: Stream, now: Any) -> Any:
    """Asked by players who try things out. Return a new state that looks to ``side`` exactly as ``view`` does.

    What that side may not know is dealt by ``stream``, each possibility as likely as it is. Turn, phase and options are
    put in for you. ``now`` is what the side sees at its question, to which the rules go on from there with what is
    known: what has come to light since is in it. A ruleset without secrets needs no such hook.
    """


@hookspec(firstresult=True)
def ruleset_evaluate(state: Any, board: Any) -> Mapping[str, int]:  # type: ignore[empty-body]
    """Asked by players who try things out, of an imagined game that they break off. Return who will win, by side.

    In thousandths that come to 1,000: how likely each side is to win, or what is its due of a draw. It is asked often,
    of any state of a game that is not over, and must be quick; the state is not to be changed.
    """


@hookspec(firstresult=True)
def ruleset_narrate(record: Any, board: Any) -> str | None:
    """Asked by ``replay`` for each record. Return one sentence for a reader, or None to leave it out."""


@hookspec(firstresult=True)
def ruleset_digest(records: Sequence[Any], board: Any) -> Mapping[int, str]:  # type: ignore[empty-body]
    """Asked by ``replay`` for a whole log, before records are told one by one. Return what is told together.

    By the number of a record the text that stands in place of its own sentence: one line or several, "" to pass it
    over. Records that are not in it are told as ever, and with ``replay --full`` all are.
    """


@hookspec(firstresult=True)
def ruleset_draw(view: Any, board: Any, style: str, focus: str) -> str | None:
    """Asked by ``board``, ``replay --board`` and the console. Return the board as ``style`` "text" or "svg".

    Of a large map both may be drawn as "_part", where the units are, and "_whole" too; return None for a style that you
    do not draw. ``view`` is what ``Parts.view`` gives: draw only what is in it. ``focus`` is what a person wants to see
    more of, such as a unit, "" for nothing; raise PlayError where it is unknown. Leave it out if you cannot use it.
    """


@hookspec(firstresult=True)
def ruleset_picture(view: Any, board: Any) -> Any:
    """Asked by ``replay --html`` after each event. Return what "svg" is drawn from: a HexPicture, or a Picture.

    From pictures the page tells quickly what has changed. A ruleset without this hook is shown by its "svg", one that
    draws none in words alone.
    """


@hookspec(firstresult=True)
def ruleset_fill_in(records: Sequence[Any], side: str, board: Any) -> Sequence[Any] | None:
    """Asked by ``replay --check`` of a side's page. Return ``records``, what ``side`` saw, with what they leave out.

    Handlers rebuild from them what the side sees. Where one needs an event of which the side was told nothing, or a
    part, put one in its place that fits all that the side came to know. None adds nothing: few rulesets need the hook.
    """


@hookspec(firstresult=True)
def ruleset_read_order(decision: Decision, text: str, board: Any) -> Order | Course | str | None:
    """Asked by the console for a line it does not know. Return the order that ``text`` means, or None.

    A line may stand for several orders, for one question after the other: return a Course. A text is told, and the
    question stays: so ask back where an order cannot be taken back and more may be meant.

    For the text "?" return, as text, how the orders that are asked for now can be typed, by example; lines that are set
    in tell more. Raise IllegalOrder with the place in the text when it is in your notation but wrong.
    """


@hookspec(firstresult=True)
def ruleset_words(value: Any, view: Any, board: Any) -> str | None:
    """Asked by the console for each line of a menu. Return ``value``, an order or a part of one, in words, or None.

    ``view`` is what the side that is asked sees. What has the same words is one line of the menu: the first is taken.
    What has none, "", has no line: for orders that nobody wants, and that can still be typed.
    """


@hookspec(firstresult=True)
def ruleset_answer(view: Any, board: Any, text: str) -> Answer | None:
    """Asked by ``ask`` and the console. Return what the rules say to a question about a position, or None.

    ``view`` is what ``Parts.view`` gives to who asks: answer from nothing else. For the text "?" return an Answer whose
    lines are the questions there are, one a line by example: "sees 98 1515   can it be seen from there". The first word
    of each is the question's name, and no order begins so. For a question that names what is not there raise PlayError.
    """


@hookspec(firstresult=True)
def ruleset_table(name: str, board: Any) -> PrintedTable | None:
    """Asked by ``explain``. Return the table that events name so in their ``calculations``, as it is printed, or None.

    So a reader sees what stands beside the cell that was read.
    """


@hookspec(firstresult=True)
def ruleset_sums(records: Sequence[Any], board: Any) -> Sequence[Calculation] | None:
    """Asked by ``explain`` of the last of the ``records``, an event that carries no ``calculations``. Return its sums.

    ``records`` are those of the log up to it, as far as who asks may see them: work out from nothing else how its
    figures came about, each named for its field. So events from before they had calculations are explained as well.
    """


@hookspec(firstresult=True)
def ruleset_battle(attack: str, defend: str, options: Mapping[str, str]) -> OddsBattle | None:
    """Asked by ``odds``. Return a battle of the live rules between two forces written as text.

    People type them: for what is no force raise IllegalOrder or DataError, with the place and what is wanted.
    """


@hookspec(firstresult=True)
def ruleset_stage(brief: Brief) -> Staged:  # type: ignore[empty-body]
    """Asked when another ruleset's battle is to be fought by this one. Return a scenario made of the brief.

    It must follow from the brief alone: ``verify`` makes it again. Raise PlayError for a battle that you do not fight.
    """


@hookspec(firstresult=True)
def ruleset_report(terms: Terms, state: Any, board: Any) -> Result:  # type: ignore[empty-body]
    """Asked when such a battle is over. Return what came of it, by its last state, as the campaign's ``terms`` want it.

    ``source`` and ``battle`` are filled in for you.
    """


@hookspec(firstresult=True)
def variant_manifest() -> Variant:  # type: ignore[empty-body]
    """Asked of a variant when it is loaded. Return the facts about it; a ruleset does not have this hook."""
