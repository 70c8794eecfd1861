"""The README: rosters that can be played, keys, notation and corrections."""

import re
from functools import cache
from pathlib import Path

import pytest
from tests.plugins.axis_attack.modules import HOME, SHIPPED, USUAL, board
from tests.plugins.axis_attack.seen import begun

import axis_attack
from axis_attack.fog.views import view
from axis_attack.forces.company import starting_force
from axis_attack.model.orders import BuildCompany
from axis_attack.model.tables import OFFERS
from axis_attack.setup.lists import LIST_KEYS, TYPE_KEYS
from axis_attack.setup.reading import CAMPAIGN_KEYS, MISSION_KEYS, read_board
from axis_attack.ui.draw import draw
from axis_attack.ui.parsing import NOTATION, read_order
from sandtable.plugin.scenarios import load_scenario

README = (HOME / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def row(first: str, title: str = "Your own rosters") -> set[str]:
    line = next(line for line in section(title).splitlines() if line.startswith(f"| {first} |"))
    return {word for each in re.findall(r"`([^`]+)`", line) for word in re.split(r"[ =.]+", each)}


@cache
def fences() -> tuple[str, ...]:
    return tuple(re.findall(r"```toml\n(.*?)```", README, re.DOTALL))


@pytest.mark.rule("AOA-1.01", "AOA-1.05")
def test_readme_roster_can_be_played(tmp_path: Path) -> None:
    for text in fences():
        (tmp_path / text.splitlines()[0].removeprefix("# ")).write_text(text, encoding="utf-8")
    found = read_board(load_scenario(str(tmp_path / "mine.toml"), SHIPPED), USUAL)
    assert (found.title, found.points, found.turns, len(found.sectors)) == ("My front", 3000, 6, 7)
    assert list(found.lists["german"].types) == ["grenadiers", "guns"]
    assert [each.id for each in found.lists["german"].start] == ["first", "second", "guns"]


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ("`campaign`", CAMPAIGN_KEYS),
        ("`missions.ID`", MISSION_KEYS),
        ("`german`, `soviet`", LIST_KEYS),
        ("`types.ID`", TYPE_KEYS),
    ],
)
def test_readme_lists_each_key_of_a_scenario(table: str, keys: tuple[str, ...]) -> None:
    assert set(keys) <= row(table)


@pytest.mark.rule("AOA-1.01")
def test_readme_describes_the_scenarios() -> None:
    rows = [line for line in section("Scenarios").splitlines() if re.match(r"\| `(eastern|armoured)", line)]
    assert len(rows) == len(SHIPPED)
    for line in rows:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found = board(cells[0].strip("`"))
        points = ", ".join(f"{title} {found.points_of(side)}" for side, title in found.sides.items())
        assert [str(found.turns), points] == cells[2:]
        described = load_scenario(cells[0].strip("`"), SHIPPED).data["scenario"]["description"]
        assert all(f"{found.points_of(side):,}" in described for side in found.sides)


@pytest.mark.rule("AOA-12.01", "AOA-12.03", "AOA-12.04")
def test_readme_lists_each_ending() -> None:
    endings = re.findall(r"(?m)^\| `(\w+)` \|", section("How to win"))
    assert tuple(endings) == axis_attack.ruleset_manifest().endings


def test_readme_notation_has_a_row_for_each_order_and_the_result() -> None:
    rows = [line for line in section("At the terminal").splitlines() if line.startswith("| ") and "`" in line]
    assert len(rows) == len({verb.kind for verb in NOTATION.verbs}) + 1
    text = section("At the terminal")
    assert all(f"`{kind}`" in text or f"`{kind} 2" in text for kind in OFFERS)


def test_readme_starting_force_can_be_typed() -> None:
    prepared, game, _ = begun("eastern_front")
    line = next(line for line in section("At the terminal").splitlines() if line.startswith("| set-up"))
    decision = game.waiting()[0]
    examples = re.findall(r"`([^`]+)`", line)
    found = [read_order(decision, text, prepared.board) for text in examples]
    assert found[0] == starting_force(prepared.board.lists["german"])
    assert all(isinstance(each, BuildCompany) for each in found)
    assert [decision.options.why_not(each) for each in found] == [None, None, None]


def test_readme_picture_is_a_drawing_of_this_game() -> None:
    prepared, game, _ = begun("eastern_front")
    picture = (HOME / "board.svg").read_text(encoding="utf-8")
    assert "<title>Eastern Front. Turn 7 of 9" in picture
    fresh = draw(view(game.state, "german"), prepared.board, "svg") or ""
    assert (
        re.findall(r"<title>([^<]*: [^<]*)</title><", fresh)[:1]
        == re.findall(r"<title>([^<]*: [^<]*)</title><", picture)[:1]
    )
    assert len(re.findall("data-turn", picture)) == 6


def test_readme_lists_all_corrections() -> None:
    found = re.findall(r"(?m)^\| AOA-C(\d\d) ", section("Corrections to the printed text"))
    assert [int(number) for number in found] == list(range(1, 18))
