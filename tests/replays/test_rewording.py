"""Prompts and other sentences may be reworded: no byte of a log depends on them. Its digests depend on the options."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.journal.record import log_lines
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import Decision
from sandtable.kernel.options import ListOf, OneOf, Range, Space
from sandtable.kernel.questions import AnsweredQuestion, text_of
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Rulesets

FOLDER = Path(__file__).parents[2] / "replays"
RULESETS = Rulesets()
GAMES = [
    "axis_attack/german-home_sector-eastern_front",
    "damos/soviet-substantial-smolensk",
    "desert_aa/axis-capital_captured-ruled",
    "kampfpanzer/russians-exited-summa",
    "khamsin/allies-broken-teaching",
]
PROSE = ("why", "what", "titles", "told")
"""Fields of spaces with sentences for people, in the framework and the rulesets."""


@pytest.mark.parametrize("name", [GAMES[-1], *(pytest.param(name, marks=pytest.mark.full) for name in GAMES[:-1])])
def test_rewording_every_text_of_a_ruleset_changes_no_byte_of_its_log(name: str) -> None:
    log = read_log(FOLDER / f"{name}.jsonl")
    prepared = prepare_for(log, RULESETS)
    records = read_records(log, prepared.ruleset)
    rerun = Rerun(prepared, log, records, dice_of(log, records))
    assert rerun.run() is None
    before = log_lines(log.header, rerun.game)
    reworded = 0
    for record in rerun.game.records:
        asked: Any = record.asked if isinstance(record, OrderRecord) else None
        if isinstance(asked, AnsweredQuestion):
            reworded += 1
            structs.force_setattr(asked.decision, "prompt", f"in other words: {asked.decision.prompt}")
            reword(asked.decision.options)
    assert reworded
    assert log_lines(log.header, rerun.game) == before


def reword(space: Space) -> None:
    """Reword every text of ``space`` and of the spaces in it."""
    for field in space.__struct_fields__:
        value = getattr(space, field)
        if field in PROSE:
            structs.force_setattr(space, field, {"x": "y"} if isinstance(value, dict) else "other words")
        for inner in (
            value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else [value]
        ):
            if isinstance(inner, Space):
                reword(inner)


@pytest.mark.parametrize(
    "changed",
    [
        {"options": OneOf(["a", "c"])},
        {"options": OneOf(["a"])},
        {"options": ListOf(OneOf(["a", "b"]), 1)},
        {"options": Range(1, 2)},
        {"side": "blue"},
        {"power": "cavalry"},
        {"rule": "X-2"},
    ],
    ids=str,
)
def test_changed_options_change_the_digest(changed: dict[str, Any]) -> None:
    asked = Decision("red", "choose", OneOf(["a", "b"], "X-1", "a or b"), "X-1")
    same = structs.replace(asked, prompt="pick", options=OneOf(["a", "b"], "X-3", "pick one"))
    texts = [
        text_of(AnsweredQuestion(1, "move/red", 1, each)) for each in (asked, same, structs.replace(asked, **changed))
    ]
    assert texts[0] == texts[1] != texts[2]
