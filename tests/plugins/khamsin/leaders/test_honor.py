"""Honor (KH-24) and the players that lead companies."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.procedures import of, position, run

from khamsin.leaders.honor import honor_battle, pay_for_withdrawal, player_of
from khamsin.model.events import HonorGained
from khamsin.model.state import Fielded
from sandtable.tabletop.result import Result


@pytest.mark.rule("KH-17.01", "KH-24.02")
def test_company_is_led_by_named_player_or_commander() -> None:
    state = position({}, "crusader")
    name, card = next((each, card) for each, card in board("crusader").formations.items() if card.commander)
    assert player_of(state, card.side, Fielded(name, "x", "Somebody")) == "Somebody"
    assert player_of(state, card.side, Fielded(name, "x")) == card.commander


@pytest.mark.rule("KH-24.06", "KH-24.07", "KH-R62", "KH-R69", "KH-R70")
@pytest.mark.parametrize(
    ("formation", "how", "options", "points"),
    [
        ("7_armd_bde", "stand", {}, []),
        ("7_armd_bde", "fighting", {}, [("Bart", -1, "KH-24.06")]),
        ("7_armd_bde", "precipitous", {}, [("Bart", -1, "KH-24.06"), ("Bart", -1, "KH-24.07")]),
        ("7_armd_bde", "precipitous", {"honor_precip": "only_one"}, [("Bart", -1, "KH-24.06")]),
        ("recon_cw", "precipitous", {}, [("Bart", -1, "KH-24.06")]),
        ("recon_cw", "recon", {"orders_by": "formation_commanders"}, [("Aaron", -1, "KH-24.06")]),
    ],
)
def test_withdrawal_costs_honor_of_its_author(
    formation: str, how: str, options: dict[str, Any], points: list[tuple[str, int, str]]
) -> None:
    state = position({formation: "gabr_saleh"}, **options)
    gained = of(run(state, pay_for_withdrawal(state, formation, how)), HonorGained)
    assert [(each.player, each.points, each.rule) for each in gained] == points


@pytest.mark.rule("KH-24.01", "KH-24.02", "KH-24.03", "KH-24.08", "KH-R113")
@pytest.mark.parametrize(
    ("source", "auto", "heroes", "rude"),
    [("table", "off", 2, 1), ("resolver", "off", 0, 0), ("resolver", "resolver", 2, 0)],
)
def test_players_gain_honor_for_their_own_actions(source: str, auto: str, heroes: int, rude: int) -> None:
    state = position({}, honor_auto=auto)
    fielded = {
        ALLIES: [Fielded("7_armd_bde", "crusader", ""), Fielded("recon_cw", "armoured_car", "Bart")],
        AXIS: [
            Fielded("15_pz_div", "panzer", "Gary"),
            Fielded("15_pz_div", "panzer", "Gary"),
            Fielded("21_pz_div", "panzer", "Jim"),
        ],
    }
    result = Result(AXIS, {AXIS: 6, ALLIES: 0}, source=source, heroic=("Jim", "Gary", "Jim"), unchivalrous=("Bart",))
    gained = of(run(state, honor_battle(state, result, fielded)), HonorGained)
    awarded = [(each.player, each.points, each.reason) for each in gained]
    own = [("Gary", 6, "points"), ("Gary", 1, "own_troops"), ("Jim", 6, "points")]
    assert [each for each in awarded if each[2] in {"points", "own_troops"}] == own  # 0 points are not a gain
    assert awarded.count(("Jim", 2, "heroism")) == heroes
    assert awarded.count(("Gary", 2, "heroism")) == heroes // 2
    assert awarded.count(("Bart", -5, "conduct")) == rude
