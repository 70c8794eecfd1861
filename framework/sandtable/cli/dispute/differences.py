"""Display of a branch: which recorded orders were given again, where the games differ, and who won or would win."""

from typing import Any

from sandtable.cli.game.play import ended
from sandtable.cli.output import show, show_sentence, table
from sandtable.journal.branching.branch import Branch, OpenQuestion, Original
from sandtable.journal.branching.changes import Changes
from sandtable.journal.branching.compare import Section, comparable, rolls, sections, states
from sandtable.journal.fields import differences
from sandtable.journal.fold import fold_log
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import RollRecord
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared
from sandtable.quoting import count, shortened
from sandtable.rules.chance.outcomes import wilson
from sandtable.rules.notation.wording import described
from sandtable.viewer.narrate import roll_sentence, story

MAX_SHOWN = 160
"""Maximum number of characters of an order that are shown."""
MAX_PHASES = 40
"""Maximum number of phases that are shown one by one."""


def document(of: Original, made: Branch, swing: Any) -> dict[str, Any]:
    """Return the description of a branch as plain data."""
    trail = list(made.game.trail)
    return {
        "given": made.given,
        "filled": made.filled,
        "unused": len(made.unused),
        "open_questions": made.open_questions,
        "rolls": rolls(of.made, trail),
        "sections": [each for each in sections(of.made, trail) if not each.is_same],
        "outcome": made.game.state.outcome,
        "ending": made.game.state.ending,
        "state": states(_last(of), made.game.state) if made.is_whole else [],
        "playouts": swing,
    }


def tell_branch(of: Original, made: Branch, changes: Changes, swing: Any) -> None:
    """Print the description of a branch."""
    trail = list(made.game.trail)
    for label, faces in made.header.dice_set.items():
        if of.log.header.has_dice_key or any(of.records[n - 1].label == label for n in changes.dice):
            show(f"set: {label}: {' '.join(map(str, faces))}")
    show(
        f"{count(made.given, 'recorded order')} given again, {made.filled} given by bots, "
        f"{count(len(made.unused), 'recorded order')} not used"
    )
    if made.open_questions:
        _show_parting(made.open_questions[0])
    dice = rolls(of.made, trail)
    show(f"rolls: {dice.same} unchanged, {len(dice.changed)} with other faces, {dice.gone} gone, {dice.new} new")
    differing = [each for each in sections(of.made, trail) if not each.is_same]
    if differing:
        _show_sections(of, differing)
    else:
        show("no record differs")
    show(f"recorded: {ended(_last(of))}")
    show(f"branch:   {ended(made.game.state)}")
    if swing is not None:
        _show_swing(of, swing)


def _show_sections(of: Original, differing: list[Section]) -> None:
    """Print the phases that differ. Phases that occur in only one of the games are only counted."""
    both = [each for each in differing if each.a and each.b]
    rows = [
        (each.turn or "", each.phase or "between phases", each.a, each.b, _first(of, each))
        for each in both[:MAX_PHASES]
    ]
    show()
    if rows:
        show(table(("turn", "phase", "records", "branch", "first difference"), rows, right=(0, 2, 3)))
    if len(both) > MAX_PHASES:
        show(f"and {count(len(both) - MAX_PHASES, 'other phase')} of both (--json lists all)")
    for name, alone in (
        ("the recorded game", [each for each in differing if not each.b]),
        ("the branch", [each for each in differing if not each.a]),
    ):
        if alone:
            records = count(sum(each.a + each.b for each in alone), "record")
            show(f"only in {name}: {count(len(alone), 'phase')}, {records}, up to turn {alone[-1].turn}")
    show()


def _show_parting(first: OpenQuestion) -> None:
    where = f"turn {first.turn}, {first.phase or 'between phases'}" if first.turn else "set-up"
    was = f" (record {first.recorded})" if first.recorded else ""
    cited = f" ({first.rule})" if first.rule else ""
    decision = f"before record {first.n}, {where}, {first.seat}: {first.prompt}"
    show_sentence(f"the orders diverge {decision}: {first.why}{cited}{was}")


def _first(of: Original, section: Section) -> str:
    """Return the first difference of a phase as narrated; if both narrations are equal, add the field that differs."""
    narrations = [record_text(of.prepared, record) for record in (section.first_a, section.first_b)]
    if narrations[0] == narrations[1]:
        field, a, b = next(differences(comparable(section.first_a), comparable(section.first_b)), ("", "", ""))
        return f"{narrations[0]} ({field}: {a} | {b})"
    return " | ".join(narrations)


def record_text(prepared: Prepared, record: Any) -> str:
    """Return the narration of a record, a description of a record without narration, or "-" if there is no record."""
    if record is None:
        return "-"
    event = getattr(record, "event", None)
    if isinstance(event, TurnBegan | PhaseBegan):
        return "it begins"
    if isinstance(event, PhaseEnded):
        return "it ends"
    narrate = prepared.installed.ui.narrate or nothing
    lines = story([record], lambda each: narrate(each, prepared.board))
    sentence = " ".join(line.text for line in lines if line.kind == "sentence")
    content = event or getattr(record, "order", None)
    if isinstance(record, RollRecord):
        return sentence or roll_sentence(record)
    return sentence or (shortened(described(content, 80), MAX_SHOWN) if content is not None else "the state")


def _show_swing(of: Original, swing: dict[str, dict[str, int]]) -> None:

    show()
    rows = []
    for outcome in (*of.prepared.ruleset.viewers, "draw"):
        cells: list[object] = [outcome]
        for each in swing.values():
            games = sum(each.values())
            low, high = wilson(each.get(outcome, 0), games) or (0.0, 1.0)
            cells.append(f"{each.get(outcome, 0) / games:.0%}  ({low:.0%} to {high:.0%})")
        rows.append(cells)
    games = sum(swing["recorded"].values())
    show(table((f"won, of {games} games of bots", "as recorded", "with the change"), rows))


def _last(of: Original) -> Any:

    return fold_log(of.log, of.prepared)
