"""Drawings of a campaign."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay, chooses, result
from tests.plugins.axis_attack.seen import SCENARIOS, answer, at_phase, begun, played
from transcripts import Transcript

from axis_attack.fog.views import view
from axis_attack.model import orders
from axis_attack.model.cards import LEVEL_TITLES, SIDES
from axis_attack.ui.draw import draw
from sandtable.tabletop.result import ReportBattle

SEATS = (*SIDES, "umpire")


def drawn(state: Any, board: Any, side: str, style: str = "svg") -> str:
    drawing = draw(view(state, side), board, style)
    assert drawing is not None
    return drawing


def found(pattern: str, text: str) -> list[Any]:
    return re.findall(pattern, text)


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_moment_of_a_campaign_is_drawn_for_each_viewer(scenario: str) -> None:
    prepared, game, stream = begun(scenario, 2)
    while not game.is_over:
        for side in SEATS:
            ET.fromstring(drawn(game.state, prepared.board, side))  # noqa: S314 - our own drawing
            for style in ("text", "report"):
                lines = drawn(game.state, prepared.board, side, style).splitlines()
                assert max(map(len, lines)) <= 100
                assert all(line == line.rstrip() and line.isprintable() for line in lines)
        answer(game, stream)
    assert draw(view(game.state, "german"), prepared.board, "ascii") is None


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_track_has_every_battle_in_its_sector_and_turn(scenario: str) -> None:
    prepared, game = played(scenario)
    svg = drawn(game.state, prepared.board, "soviet")
    battles = found(r'data-turn="(\d+)" data-sector="(\d+)"', svg)
    assert battles == [(str(it.turn), str(it.sector)) for it in game.state.track]
    assert found(r'data-front="(\d+)"', svg) == [str(game.state.sector)]
    text = drawn(game.state, prepared.board, "soviet", "text")
    assert len(found(r"(?m)^turn \d", text)) == len(game.state.track)


def test_umpire_sees_the_level_history_of_all_platoons() -> None:
    prepared, game = at_phase("eastern_front", "forces", 3)
    svg = drawn(game.state, prepared.board, "umpire")
    wanted = sorted((each, str(it.level)) for roster in game.state.rosters.values() for each, it in roster.items())
    assert sorted(found(r'data-platoon="([\w-]+)" data-level="(\d)"', svg)) == wanted
    text = drawn(game.state, prepared.board, "umpire", "report")
    for roster in game.state.rosters.values():
        for each, it in roster.items():
            assert any(line.strip().startswith(f"{each} (") for line in text.splitlines()), each
            assert LEVEL_TITLES[it.level] in text


@pytest.mark.rule("AOA-1.03")
def test_side_sees_fielded_enemy_platoons(lay: Lay) -> None:
    case = lay("forces")
    board = case.state.board
    assert not {"pg1", "panzer"} & set(found(r'data-platoon="([\w-]+)"', drawn(case.state, board, "soviet")))
    case.play(chooses("german", "pg1 7; pg2 7"), until=ReportBattle)
    svg = drawn(case.state, board, "soviet")
    names = set(found(r'data-platoon="([\w-]+)"', svg))
    assert {"pg1", "pg2"} <= names
    assert "panzer" not in names
    assert "panzer" not in drawn(case.state, board, "soviet", "text")


def test_report_names_the_next_sector_after_the_battle(lay: Lay) -> None:
    case = lay("battle", german="pg1 pg full; pg2 pg full", forces={"german": "pg1 7; pg2 7"})
    case.play(result("german", "5-2", german={"pg1": "3d"}), until=orders.AssignDice)
    text = drawn(case.state, case.state.board, "german", "text")
    assert "The next battle is in sector 5" in text
    assert "EN G5-2>" in text


def test_report_shows_the_own_list_before_companies_are_built() -> None:
    prepared, game, _ = begun("eastern_front")
    text = drawn(game.state, prepared.board, "german", "text")
    assert "panzergrenadier (Panzergrenadier platoon): combat; up to 3; teams (points) 5 (145), 7 (205)" in text
    assert "strelkovy (" not in text
    assert found(r'data-front="(\d+)"', drawn(game.state, prepared.board, "german")) == ["4"]


def test_picture_and_report_show_the_end() -> None:
    prepared, game = played("armoured_clash")
    for style in ("svg", "text"):
        assert "The game is over" in drawn(game.state, prepared.board, "german", style)


@pytest.mark.parametrize("sector", [9, 10**9, -1])
@pytest.mark.parametrize("style", ["text", "svg"])
def test_a_sector_that_is_not_on_the_track_is_refused(sector: int, style: str) -> None:
    prepared, game = played("eastern_front")
    codec = game.ruleset.codec
    damaged = codec.from_bytes(codec.to_bytes(game.state), prepared.board)
    damaged.track[-1].sector = sector
    with pytest.raises(ValueError, match=f"there is no sector {sector} on the track"):
        drawn(damaged, prepared.board, "umpire", style)


def test_report_lists_a_force(lay: Lay, transcript: Transcript) -> None:
    state = lay("forces", german="pg1 pg full light_mortar=1; pak40 pak40 depleted immobile bought=under").state
    transcript(drawn(state, state.board, "german", "report"))
