"""The rule index and the rulings of Axis of Attack as files."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from typing import Any

import pytest
from tests.plugins.axis_attack.modules import HOME

from sandtable.plugin.rulefiles import read_index, read_options

RULES, RULINGS, CHOICES = 211, 69, 2
CHAPTERS = (16, 6, 17, 10, 25, 26, 12, 22, 27, 20, 26, 4)
"""How many rules each chapter of the index has."""
NUMBERED = {"start_sector", "vp_start", "start_total"}
TOKEN = re.compile(r"[a-z0-9][a-z0-9_]*")

Table = dict[str, Any]


@pytest.fixture(scope="module")
def rulings() -> list[Table]:
    entries: list[Table] = tomllib.loads((HOME / "rulings.toml").read_text(encoding="utf-8"))["ruling"]
    return entries


def test_the_index_has_every_rule_in_order_then_every_ruling(rulings: list[Table]) -> None:
    wanted = [f"AOA-{chapter}.{rule:02}" for chapter, rules in enumerate(CHAPTERS, 1) for rule in range(1, rules + 1)]
    ids = [row.id for row in read_index(HOME / "rules.toml")]
    assert len(wanted) == RULES
    assert ids == wanted + [ruling["id"] for ruling in rulings]
    assert ids[RULES:] == [f"AOA-R{n:02}" for n in range(1, RULINGS + 1)] + [f"AOA-O{n}" for n in range(1, CHOICES + 1)]


def test_each_text_of_the_index_is_one_short_line_of_its_own() -> None:
    texts = [row.text for row in read_index(HOME / "rules.toml")]
    assert [text for text, times in Counter(texts).items() if times > 1] == []
    assert all(0 < len(text) <= 160 and text.isprintable() and text.strip() == text for text in texts)


def test_states_fit_the_ids_and_every_rule_has_an_effect() -> None:
    rows = read_index(HOME / "rules.toml")
    assert {row.state for row in rows[:RULES]} == {"rule"}
    assert {row.state for row in rows[RULES:]} == {"ruling"}


def test_each_ruling_has_a_question_values_a_default_a_reason_and_rules(rulings: list[Table]) -> None:
    known = {row.id for row in read_index(HOME / "rules.toml")}
    for ruling in rulings:
        assert set(ruling) - {"kind"} == {"id", "option", "question", "default", "values", "reason", "rules"}
        assert ruling["default"] == ruling["values"][0]["token"]
        assert ruling["question"].endswith("?")
        assert ruling["rules"]
        assert set(ruling["rules"]) <= known, ruling["id"]
        for value in ruling["values"]:
            assert TOKEN.fullmatch(value["token"])
            assert value["text"]
            assert value["text"].isprintable()


def test_option_names_and_tokens_are_unique(rulings: list[Table]) -> None:
    names = [ruling["option"] for ruling in rulings]
    assert len(set(names)) == len(names) == RULINGS + CHOICES
    for ruling in rulings:
        tokens = [value["token"] for value in ruling["values"]]
        assert len(set(tokens)) == len(tokens), ruling["id"]


@pytest.mark.rule("AOA-R02", "AOA-R07", "AOA-O2")
def test_numbers_can_be_chosen_where_the_players_agree_on_one() -> None:
    options = {option.name: option for option in read_options(HOME / "rulings.toml")}
    assert {name for name, option in options.items() if option.number} == NUMBERED
    assert options["vp_start"].default == "0"
    assert options["start_total"].allows("2500")
    assert options["start_sector"].allows("3")
    assert not options["roster_visibility"].allows("2")
