"""Costs and odds beside the options that bring them about, and questions before an order is given."""

import re
from pathlib import Path

import pytest
from paper_table import PaperTable, people_play

from sandtable.plugin.manager import Rulesets
from sandtable.web.asking.question import AskedQuestion
from sandtable.web.asking.replies import Step

pytestmark = pytest.mark.full

PLANS = 120
"""Number of questions in which a step and an attack occur."""


def table_of(ruleset: str, folder: Path) -> PaperTable:
    return PaperTable(people_play(Rulesets().load(ruleset).prepare(), folder, "effects"), "effects")


def question_of(ruleset: str, folder: Path) -> AskedQuestion:
    live = table_of(ruleset, folder).live
    live.catch_up()
    return live.question(live.game.waiting()[0])


def effects(table: PaperTable) -> list[str]:
    return [text for kind, text, _ in table.labels if kind == "effect" and text]


def test_cost_and_odds_are_shown_beside_a_step(tmp_path: Path) -> None:
    table = table_of("damos", tmp_path)
    table.play(PLANS)
    found = effects(table)
    assert any(re.match(r"go [0-9]{4}.*: [0-9½]+ points?", each) for each in found), found[:5]
    assert any("an attack wins" in each for each in found)


def test_odds_are_shown_beside_the_last_choice_of_a_move(tmp_path: Path) -> None:
    table = table_of("desert_aa", tmp_path)
    table.play(PLANS)
    assert any(each.startswith("move ") and "(wins " in each for each in effects(table))


def bought(question: AskedQuestion) -> tuple[list[str], Step]:
    """Buy one unit of the grant and no more; return the picks and the last step."""
    picks: list[str] = []
    for place in (1, 0, 0):
        picks.append(question.step(picks).options[place].pick)
    return picks, question.step(picks)


def test_unspent_grant_needs_confirmation(tmp_path: Path) -> None:
    question = question_of("desert_aa", tmp_path)
    picks, step = bought(question)
    assert step.ready
    assert "would be left and saved" in step.warning
    assert question.order(picks)


def test_grant_saved_on_purpose_needs_no_confirmation(tmp_path: Path) -> None:
    question = question_of("desert_aa", tmp_path)
    step = question.step([question.step([]).options[0].pick])
    assert (step.ready, step.warning) == (True, "")


def test_company_with_unspent_points_needs_confirmation(tmp_path: Path) -> None:
    question, picks = question_of("axis_attack", tmp_path), ['"choose the platoons"']
    while not (step := question.step(picks)).ready:
        place = next((n for n, each in enumerate(step.options) if each.words in {"no more", "none"}), 0)
        picks.append(step.options[place].pick)
    assert "points are left, and cannot be spent later" in step.warning


def test_counter_can_be_clicked_before_the_kind_of_order_is_chosen(tmp_path: Path) -> None:
    table = table_of("damos", tmp_path)
    table.play(3)
    question = table.live.question(table.live.game.waiting()[0])
    step = question.step([])
    assert "MoveStrategically" in "".join(each.pick for each in step.options)
    assert len(step.jumps) > 100
    for each in step.jumps[::10]:
        head, part = each.pick.split("\n")
        assert head in {option.pick for option in step.options}
        assert each.at
        after = question.step([head, part])
        assert [words for _, words in after.said] == each.words.split(": ", 1)
