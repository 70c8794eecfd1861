"""Rule index, rulings and README of every shipped game: complete, in order, and saying the same."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from shipped import complete_games

from sandtable.plugin.manager import Rulesets
from sandtable.plugin.options.rulefiles import read_index, read_options

pytestmark = pytest.mark.full

PLUGINS = Path(__file__).parents[2] / "plugins"
TOKEN = re.compile(r"[a-z0-9][a-z0-9_]*")
RULING_KEYS = {"id", "option", "question", "default", "values", "reason", "rules"}
OPTIONAL_KEYS = {"kind", "endless", "bid", "fixed", "keeper"}


class Inventory(NamedTuple):
    """The required index of a game, counted by hand from the inventory of its rulebook.

    ``rules`` is the number of rules by prefix, per chapter if ids are numbered consecutively. ``rulings`` are the
    patterns of ruling ids with their numbers. ``info`` are rows without effect on play. ``numbered`` are options that
    also accept a number. ``of_no_rule`` are options about topics that the book does not mention.
    """

    rules: dict[str, int | tuple[int, ...]]
    rulings: dict[str, list[int]]
    info: tuple[str, ...] = ()
    numbered: tuple[str, ...] = ()
    of_no_rule: tuple[str, ...] = ()

    def chapters(self) -> list[str]:
        """Return the ids of rules that are numbered through."""
        counts = [(prefix, count) for prefix, count in self.rules.items() if isinstance(count, tuple)]
        return [
            f"{prefix}{chapter}.{rule:02}"
            for prefix, chapters in counts
            for chapter, number in enumerate(chapters, start=1)
            for rule in range(1, number + 1)
        ]


def up_to(last: int, without: tuple[int, ...] = ()) -> list[int]:
    return [number for number in range(1, last + 1) if number not in without]


INVENTORIES = {
    "axis_attack": Inventory(
        {"AOA-": (16, 6, 17, 10, 25, 26, 12, 22, 27, 20, 26, 4)},
        {"AOA-R{:02}": up_to(69), "AOA-O{}": up_to(4)},
        numbered=("start_sector", "vp_start", "start_total", "bid_german", "bid_soviet"),
    ),
    "damos": Inventory(
        {"DM-": 216, "AGC-": 69},
        {"R-DM-{:02}": up_to(95)},
        info=("DM-1.0a", "DM-1.1a", "DM-2.1k", "DM-2.2b", "DM-2.2c", "DM-12.0a", "AGC-1.0a", "AGC-2.0a"),
        numbered=("german_bid", "soviet_bid"),
    ),
    "desert_aa": Inventory(
        {"DAA-": (5, 5, 13, 10, 2, 7, 9, 12, 11, 7, 4, 4, 5, 9, 8, 10, 13, 6)},
        {"DAA-R{:02}": up_to(69)},
        info=("DAA-R67",),
        numbered=("round_limit", "axis_bid", "allies_bid"),
        of_no_rule=("dice",),
    ),
    "kampfpanzer": Inventory(
        {"KP-": 346},
        {"R-KP-{:02}": up_to(94, without=(27, 35, 43, 75, 85, 86, 87, 88))},
        info=("KP-1.1a", "KP-1.1b", "KP-1.1c", "KP-5.0j", "KP-14.0l"),
        numbered=("bid_first", "bid_second"),
    ),
    "khamsin": Inventory(
        {"KH-": (13, 13, 14, 9, 17, 8, 7, 16, 10, 14, 7, 23, 4, 12, 20, 16, 9, 14, 17, 10, 15, 15, 5, 10, 3, 7)},
        {"KH-R{:02}": up_to(123), "KH-O{}": up_to(4)},
        info=(
            *(f"KH-{number}" for number in ("2.06", "8.05", "8.06", "8.07", "8.08", "24.04", "24.05", "24.09")),
            *("KH-26.01", "KH-26.02", "KH-R01"),
        ),
        numbered=("actions_per_engagement", "bid_axis", "bid_allies", "base_points"),
    ),
}

Table = dict[str, Any]


@pytest.fixture(params=complete_games())
def game(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def inventory(game: str) -> Inventory:
    return INVENTORIES[game]


@pytest.fixture
def index(game: str) -> list[Table]:
    rows: list[Table] = tomllib.loads((PLUGINS / game / "rules.toml").read_text(encoding="utf-8"))["rule"]
    return rows


@pytest.fixture
def rulings(game: str) -> list[Table]:
    rows: list[Table] = tomllib.loads((PLUGINS / game / "rulings.toml").read_text(encoding="utf-8"))["ruling"]
    return rows


def test_index_lists_every_rule_once_and_then_every_ruling(
    inventory: Inventory, index: list[Table], rulings: list[Table]
) -> None:
    ids = [row["id"] for row in index]
    asked = [ruling["id"] for ruling in rulings]
    rules = ids[: -len(asked)]
    assert ids == [*rules, *asked]
    assert [each for each, times in Counter(ids).items() if times > 1] == []
    for prefix, count in inventory.rules.items():
        assert sum(each.startswith(prefix) for each in rules) == (sum(count) if isinstance(count, tuple) else count)
    assert all(each.startswith(tuple(inventory.rules)) for each in rules)
    assert rules == (inventory.chapters() or rules)
    wanted = [form.format(number) for form, numbers in inventory.rulings.items() for number in numbers]
    assert sorted(asked) == sorted(wanted)


def test_each_text_of_the_index_is_one_short_unique_line(index: list[Table]) -> None:
    texts = [row["text"] for row in index]
    assert [text for text, times in Counter(texts).items() if times > 1] == []
    assert [text for text in texts if not 0 < len(text) <= 160 or not text.isprintable() or text.strip() != text] == []


def test_row_states_match_rulings_and_listed_information(
    inventory: Inventory, index: list[Table], rulings: list[Table]
) -> None:
    asked = {ruling["id"] for ruling in rulings}
    for row in index:
        assert set(row) == {"id", "text", "state"}
        assert row["state"] in ("info", "ruling" if row["id"] in asked else "rule"), row["id"]
    assert tuple(row["id"] for row in index if row["state"] == "info") == inventory.info


def test_each_ruling_has_a_question_values_and_a_reason(rulings: list[Table]) -> None:
    names = [ruling["option"] for ruling in rulings]
    assert [name for name, times in Counter(names).items() if times > 1] == []
    for ruling in rulings:
        assert RULING_KEYS <= set(ruling) <= RULING_KEYS | OPTIONAL_KEYS, ruling["id"]
        tokens = [value["token"] for value in ruling["values"]]
        assert ruling["default"] == tokens[0], ruling["id"]
        assert len(set(tokens)) == len(tokens), ruling["id"]
        assert all(TOKEN.fullmatch(token) for token in [ruling["option"], *tokens]), ruling["id"]
        assert all(value["text"] and value["text"].isprintable() for value in ruling["values"]), ruling["id"]
        assert ruling["question"].endswith("?"), ruling["id"]
        assert ruling["reason"], ruling["id"]


def test_rulings_name_rules_of_the_index(inventory: Inventory, index: list[Table], rulings: list[Table]) -> None:
    asked = {ruling["id"] for ruling in rulings}
    rules = {row["id"] for row in index if row["id"] not in asked}
    assert [ruling["id"] for ruling in rulings if not set(ruling["rules"]) <= rules] == []
    assert tuple(ruling["option"] for ruling in rulings if not ruling["rules"]) == inventory.of_no_rule


def test_the_rulings_are_the_options_of_the_manifest(game: str, inventory: Inventory, rulings: list[Table]) -> None:
    options = Rulesets().load(game).manifest.options
    assert options == read_options(PLUGINS / game / "rulings.toml")
    assert [(each.name, each.ruling) for each in options] == [(each["option"], each["id"]) for each in rulings]
    assert tuple(option.name for option in options if option.number) == inventory.numbered
    assert tuple(option.name for option in options if option.allows("12345")) == inventory.numbered
    assert Rulesets().load(game).hook.ruleset_index() == read_index(PLUGINS / game / "rules.toml")


def test_readme_lists_the_rulings_of_the_file(game: str, inventory: Inventory, rulings: list[Table]) -> None:
    lines = (PLUGINS / game / "README.md").read_text(encoding="utf-8").splitlines()
    prefixes = tuple(f"| {form.partition('{')[0]}" for form in inventory.rulings)
    rows = [line.strip("|").split(" | ") for line in lines if line.startswith(prefixes) and line.count(" | ") == 4]
    assert len(rows) == len(rulings)
    for ruling, row in zip(rulings, rows, strict=True):
        ident, option, question, values, reason = (cell.strip() for cell in row)
        assert (ident, option) == (ruling["id"], f"`{ruling['option']}`")
        assert (question, reason) == (ruling["question"], ruling["reason"])
        listed, _, number = values.replace("<br>", "; ").partition("; or any whole number")
        assert not number or ruling["option"] in inventory.numbered
        assert listed == "; ".join(
            f"{'**' if place == 0 else ''}`{value['token']}`{'**' if place == 0 else ''} {value['text']}"
            for place, value in enumerate(ruling["values"])
        )
