"""The rule index and the rulings of Khamsin as files."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from typing import Any

import pytest
from tests.plugins.khamsin.modules import HOME

from sandtable.plugin.rulefiles import read_index, read_options

RULES, RULINGS, CHOICES = 308, 118, 4
CHAPTERS = (13, 13, 14, 9, 17, 8, 7, 16, 10, 14, 7, 23, 4, 12, 20, 16, 9, 14, 17, 10, 15, 15, 5, 10, 3, 7)
"""How many rules each chapter of the index has."""
INFO = [
    f"KH-{number}" for number in ("2.06", "8.05", "8.06", "8.07", "8.08", "24.04", "24.05", "24.09", "26.01", "26.02")
]
NUMBERED = {"actions_per_engagement", "base_points"}
TOKEN = re.compile(r"[a-z0-9][a-z0-9_]*")

Table = dict[str, Any]


@pytest.fixture(scope="module")
def rulings() -> list[Table]:
    entries: list[Table] = tomllib.loads((HOME / "rulings.toml").read_text(encoding="utf-8"))["ruling"]
    return entries


def test_the_index_has_every_rule_in_order_then_every_ruling(rulings: list[Table]) -> None:
    wanted = [f"KH-{chapter}.{rule:02}" for chapter, rules in enumerate(CHAPTERS, 1) for rule in range(1, rules + 1)]
    ids = [row.id for row in read_index(HOME / "rules.toml")]
    assert len(wanted) == RULES
    assert ids == wanted + [ruling["id"] for ruling in rulings]
    assert ids[RULES:] == [f"KH-R{n:02}" for n in range(1, RULINGS + 1)] + [f"KH-O{n}" for n in range(1, CHOICES + 1)]


def test_each_text_of_the_index_is_one_short_line_of_its_own() -> None:
    texts = [row.text for row in read_index(HOME / "rules.toml")]
    assert [text for text, times in Counter(texts).items() if times > 1] == []
    assert all(0 < len(text) <= 160 and text.isprintable() and text.strip() == text for text in texts)


def test_states_fit_the_ids_and_info_is_rare() -> None:
    rows = read_index(HOME / "rules.toml")
    assert [row.id for row in rows if row.state == "info"] == INFO
    assert all((row.state == "ruling") == (row.id[3] in "RO") for row in rows)


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


def test_the_readme_lists_the_rulings_as_the_file_has_them(rulings: list[Table]) -> None:
    lines = (HOME / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [line.strip("|").split(" | ") for line in lines if re.match(r"\| KH-[RO]\d+ ", line)]
    assert len(rows) == RULINGS + CHOICES
    for ruling, row in zip(rulings, rows, strict=True):
        ruling_id, option, question, values, reason = (cell.strip() for cell in row)
        assert (ruling_id, option) == (ruling["id"], f"`{ruling['option']}`")
        assert (question, reason) == (ruling["question"], ruling["reason"])
        assert values == "; ".join(
            f"{'**' if place == 0 else ''}`{value['token']}`{'**' if place == 0 else ''} {value['text']}"
            for place, value in enumerate(ruling["values"])
        )


@pytest.mark.rule("KH-26.06", "KH-O3", "KH-R27")
def test_numbers_can_be_chosen_where_the_book_counts() -> None:
    options = {option.name: option for option in read_options(HOME / "rulings.toml")}
    assert {name for name, option in options.items() if option.number} == NUMBERED
    assert options["base_points"].default == "1500"
    assert options["base_points"].allows("1750")
    assert options["actions_per_engagement"].allows("2")
    assert not options["small_table"].allows("2")
