"""The README: playable modules, names, examples to type, figures of the resolver."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.plugins.khamsin.modules import DEFAULTS, HOME
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.positions import shipped

import khamsin
from khamsin.fog.views import view
from khamsin.model.cards import EVENT_KINDS, Broken, Held
from khamsin.model.tables import FAIR_FIGHT, FLAGS
from khamsin.setup.calendar import AIR_KEYS, CALENDAR_KEYS, EVENT_KEYS, KIND_KEYS, POOL_KEYS
from khamsin.setup.forces import COMPANY_KEYS, FORMATION_KEYS, LEADER_KEYS, NATION_KEYS
from khamsin.setup.map import AreaFacts
from khamsin.setup.reading import read_board
from khamsin.setup.sheet import SIDE_KEYS, TABLES
from khamsin.ui.draw import draw
from khamsin.ui.parsing import NOTATION
from sandtable.kernel.dice import KeyedDice
from sandtable.plugin.scenarios import load_scenario
from sandtable.tabletop.resolver.constants import SR1
from sandtable.tabletop.resolver.logit import ln_ratio, logistic

README = (HOME / "README.md").read_text(encoding="utf-8")
NOTES = {"provenance", "reason", "note"}
"""Keys for human readers, which the README explains once for all tables."""


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def row(first: str, title: str = "Your own module") -> set[str]:
    """Return the code words in the table row that starts with ``first``."""
    line = next(line for line in section(title).splitlines() if line.startswith(f"| {first} |"))
    return {word for each in re.findall(r"`([^`]+)`", line) for word in re.split(r"[ =.]+", each)}


@pytest.mark.rule("KH-1.02")
def test_readme_modules_are_playable(tmp_path: Path) -> None:
    found = []
    for number, text in enumerate(re.findall(r"```toml\n(.*?)```", README, re.DOTALL)):
        path = tmp_path / f"{number}.toml"
        path.write_text(text, encoding="utf-8")
        board = read_board(load_scenario(str(path), khamsin.ruleset_scenarios()), DEFAULTS)
        found.append((board.module, board.turns, len(board.areas), len(board.formations)))
    assert found == [("my_crusader", 10, 27, 25), ("crossroads", 4, 3, 2)]


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ("`sides.axis`, `sides.allies`", SIDE_KEYS),
        ("`calendar`", CALENDAR_KEYS),
        ("`weather`", KIND_KEYS),
        ("`air.axis`, `air.allies`", AIR_KEYS),
        ("`replacements.ID`", POOL_KEYS),
        ("`forces.nations.ID`", NATION_KEYS),
        ("`forces.companies.ID`", COMPANY_KEYS),
        ("`forces.formations.ID`", FORMATION_KEYS),
        ("`forces.leaders.ID`", LEADER_KEYS),
        ("`map.areas.ID`", AreaFacts.__struct_fields__),
    ],
)
def test_readme_table_lists_each_key_of_a_module(table: str, keys: tuple[str, ...]) -> None:
    assert set(keys) - NOTES <= row(table)


def test_readme_names_each_table_and_event_kind() -> None:
    heads = {each for line in section("Your own module").splitlines() for each in re.findall(r"^\| `(\w+)", line)}
    assert set(TABLES) <= heads
    assert set(EVENT_KINDS) <= row("`events` (list)")
    assert set(EVENT_KEYS) - row("`events` (list)") == {"side", "area", "level", "nations", "armor", "general"}


def test_readme_states_length_and_size_of_each_scenario() -> None:
    for line in section("Scenarios").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        name = cells[0].strip("`")
        if name in khamsin.SCENARIOS:
            board = board_of(name)
            assert (f"{board.turns} days", str(len(board.formations))) == (cells[2], cells[3]), name


def test_readme_states_victory_of_each_scenario() -> None:
    text = section("Scenarios")
    for name in ("crusader", "crusader_full"):
        board = board_of(name)
        assert (board.victory.margin, board.victory.ineffective, board.victory.ranks) == (5, 2, ())
        assert {each.area for each in board.victory.conditions if isinstance(each, Held)} == {"tobruk"}
        assert [each.count for each in board.victory.conditions if isinstance(each, Broken)] == [4, 5]
    assert board_of("teaching").victory.margin == 2
    assert "by 5 points" in text
    assert "by 2 points" in text


def test_readme_has_an_example_for_each_typed_order() -> None:
    rows = [line for line in section("The umpire's desk").splitlines() if line.startswith("| ") and "`" in line]
    assert (
        len(rows) == len({verb.kind for verb in NOTATION.verbs}) + 1
    )  # turn orders have 3 rows, retreats and advances share 1


def test_readme_examples_use_names_of_the_game() -> None:
    words = {
        word.strip(":;,")
        for each in re.findall(r"`([^`]+)`", section("The umpire's desk"))
        for word in re.split(r"[ ~]", each)
        if "_" in word and "/" not in word
    }
    known: set[str] = set()
    for name in khamsin.SCENARIOS:
        board = board_of(name)
        known |= {*board.formations, *board.areas, *board.leaders, *board.companies}
    assert words <= known


def test_readme_picture_is_drawn_from_this_game() -> None:
    ready = shipped("crusader")
    picture = (HOME / "board.svg").read_text(encoding="utf-8")
    state: Any = ready.new_game(KeyedDice(bytes(32))).state
    fresh = draw(view(state, "allies"), ready.board, "svg") or ""
    assert "<title>Operation Crusader. Turn 8 of 21, 25 November 1941" in picture
    places = re.findall(r'data-place="\w+"', fresh)
    assert places
    assert set(places) <= set(re.findall(r'data-place="\w+"', picture))


def test_readme_odds_match_the_resolver() -> None:
    lines = section("The tabletop boundary").splitlines()
    heads = next(line for line in lines if line.startswith("| points, own to enemy"))
    chances = next(line for line in lines if line.startswith("| probability of winning"))
    for head, printed in zip(heads.split("|")[2:-1], chances.split("|")[2:-1], strict=True):
        own, enemy = map(int, head.split(":"))
        tenths = (logistic(SR1.exponent * ln_ratio(own, enemy)) + 500) // 1000
        assert int(printed.replace("%", "").replace(".", "").strip()) in (tenths, tenths // 10), head


def test_readme_names_the_missions_that_allow_draws() -> None:
    fair = [mission for mission, flags in FLAGS.items() if FAIR_FIGHT in flags]
    assert f"fair fights: {' and '.join(fair)}" in section("Details beyond the rulings")


def test_readme_lists_every_correction() -> None:
    found = re.findall(r"KH-C(\d\d)", section("Corrections to the printed text"))
    assert [int(number) for number in found] == list(range(1, 16))
