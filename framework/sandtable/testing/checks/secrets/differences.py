"""The differences between two games for a side besides their records: view, decisions, options, refusals, drawing."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from sandtable.errors import RulesetLoops, SandtableError
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.session import AnsweringGame
from sandtable.kernel.questions import AnsweredQuestion, label_of
from sandtable.kernel.records import RollRecord
from sandtable.testing.checks.bench import Trial, listed, parting
from sandtable.testing.fuzz import draw
from sandtable.testing.mutants import mutants_of

MAX_LISTED = 40
SAMPLES = 3
MAX_PROBES = 24
"""Maximum number of wrong orders that are made of each sample and tried in both games."""


def sees_otherwise(viewer: str, game: AnsweringGame, twin: AnsweringGame) -> str:
    """Return the difference between a viewer's views of two games, or ""."""
    one, other = game.view(viewer), twin.view(viewer)
    if msgspec.json.encode(one) == msgspec.json.encode(other):
        return ""
    return f"its view: {parting(other, one)}"


def seen(trial: Trial, viewer: str, game: AnsweringGame, start: int) -> list[Any]:
    """Return the records from ``start`` on as ``viewer`` sees them, except sealed orders."""
    records = [as_told(record) for record in game.records[start:] if not getattr(record, "missing", 0)]
    return seen_records(records, trial.prepared, viewer)


def as_told(record: Any) -> Any:
    """Return ``record``, without the digest of its options if it is an order for a decision that ``discloses``."""
    asked = getattr(record, "asked", None)
    if isinstance(asked, AnsweredQuestion) and asked.decision.discloses:
        return msgspec.structs.replace(record, asked=label_of(asked))
    return record


def drawn_otherwise(trial: Trial, viewer: str, game: AnsweringGame, twin: AnsweringGame) -> str:
    """Return the difference between the drawings of two games whose views are the same, or ""."""
    installed, board = trial.prepared.installed, trial.prepared.board
    for style in ("text", "svg"):
        one = installed.draw(game.view(viewer), board, style)
        other = installed.draw(twin.view(viewer), board, style)
        if one != other:
            return f"its drawing as {style}: {_line_apart(str(one), str(other))}"
    return ""


def _line_apart(one: str, other: str) -> str:
    pairs = zip(one.splitlines(), other.splitlines(), strict=False)
    mine, its = next((pair for pair in pairs if pair[0] != pair[1]), (one, other))
    return f"{its!r:.80}, not {mine!r:.80}"


def asked_otherwise(trial: Trial, viewer: str, game: AnsweringGame, twin: AnsweringGame) -> str:
    """Return the difference between the decisions of ``viewer`` in the two games, or their options, or ""."""
    side_of = trial.ruleset.side_of
    pairs = [[each for each in table.waiting() if side_of(each.seat) == viewer] for table in (game, twin)]
    shown = [[f"{each.seat}: {each.prompt} ({each.rule})" for each in decisions] for decisions in pairs]
    if shown[0] != shown[1]:
        return f"its decisions: {shown[1]}, not {shown[0]}"
    for one, other in zip(*pairs, strict=True):
        for probe, mine, its in answers_apart(one, other):
            where = f"its options at {one.prompt!r}"
            if not probe:
                return f"{where}: {its}, not {mine}"
            return f"{where}: {probe} is {_judged(its)} here, {_judged(mine)} in a game that looks the same"
    return ""


def _judged(refusal: Any) -> str:
    return "allowed" if refusal is None else f"refused as {refusal.reason!r} ({refusal.rule})"


def answers_apart(one: Decision, other: Decision) -> Iterator[tuple[str, Any, Any]]:
    """Yield the differences that a player can see between two decisions: number and content of options, and refusals.

    A decision with ``discloses`` is skipped, because its options show only what the rules let the player know.
    """
    if one.discloses:
        return
    lists = [listed(each.options, MAX_LISTED) for each in (one, other)]
    shown = [f"{values}" if values is not None else f"more than {MAX_LISTED}" for values in lists]
    if shown[0] != shown[1]:
        yield "", shown[0], shown[1]
    if one.done != other.done:
        yield "", f"done {one.done}", f"done {other.done}"
    for probe in [*probes(one), *(probes(other)[:SAMPLES])]:
        mine, its = (_why_not(each, probe) for each in (one, other))
        if mine != its:
            yield f"{probe}", mine, its


def _why_not(decision: Decision, probe: Any) -> Any:
    try:
        return decision.why_not(probe)
    except Exception as error:  # noqa: BLE001 - another check reports it; here both games must fail in the same way
        return f"{type(error).__name__}: {error}"


def probes(decision: Decision) -> list[Order]:
    """Return legal and illegal orders, legal ones first; they depend only on the options."""
    stream = Stream(b"probes")
    found = [order for order in (draw(decision.options, stream) for _ in range(SAMPLES)) if order is not None]
    for order in found[:SAMPLES]:
        wrong = [mutant.value for mutant in mutants_of(order)]
        found += stream.sample(wrong, MAX_PROBES) if len(wrong) > MAX_PROBES else wrong
    return found


def fitting(trial: Trial, owners: Sequence[str], twin: Game, seat: str, order: Order) -> Order | str | None:
    """Return ``order``, or None if the comparison ends because an owner of the secret cannot give it in ``twin``.

    Returns a sentence if another side cannot give it, because then its options betray the secret.
    """
    decision = next((each for each in twin.waiting() if each.seat == seat), None)
    if decision is None:
        return None
    refusal = decision.why_not(order)
    if refusal is None:
        return order
    if decision.discloses or trial.ruleset.side_of(seat) in {*owners, UMPIRE}:
        return None
    return f"then {seat}, at {decision.prompt!r}, may no longer order {order}: {refusal.reason}"


def give(twin: Game, order: Order, seat: str) -> str:
    """Give ``order`` in ``twin``; return how the rules fail on it, or ""."""
    try:
        twin.submit(order, seat)
    except RulesetLoops:
        raise
    except SandtableError as error:
        return f"then the rules fail on {order}: {error}"
    return ""


def without_rolls(records: Sequence[Any]) -> list[Any]:
    """Return ``records`` without dice and without their numbers."""
    return [msgspec.structs.replace(each, n=0) for each in records if not isinstance(each, RollRecord)]
