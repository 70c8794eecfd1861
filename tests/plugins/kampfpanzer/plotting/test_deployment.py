"""Set-up: lines, areas, stacking, facings, entrenchments, passengers and later entries (14.0, D-KP-03)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.kampfpanzer.positions import installed, shipped

import kampfpanzer
from kampfpanzer.model.events import ForceDeployed
from kampfpanzer.model.forces import ARTILLERY, INFANTRY
from kampfpanzer.model.orders import Deploy
from kampfpanzer.model.state import ON_MAP, WAITING, KampfState
from kampfpanzer.plotting.deployment import Place, parse_place, read_place
from kampfpanzer.plotting.deployment_sheet import DeploySheet, deploy_sheet
from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.kernel.options import Refusal
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord
from sandtable.plugin.manager import Prepared
from sandtable.plugin.scenarios import scenario_of

TABLE: dict[str, Any] = {
    "scenario": {"id": "table", "title": "The table", "turns": 5, "sides": ["french", "germans"]},
    "map": {
        "map": {"id": "table", "title": "The table", "provenance": "invented", "reason": "for the tests"},
        "grid": {"columns": 10, "rows": 10},
        "terrain": {"default": "clear"},
        "hexsides": {},
        "ways": {},
        "places": {"Town 1": ["1001"]},
    },
    "forces": {
        "french": {
            "title": "French",
            "panic": 1,
            "groups": [
                {"units": {"Inf-Fr": 3, "25mm": 2}, "hexes": ["0101-0105"], "may_entrench": True},
                {"units": {"S35": 1, "Truck": 2, "Inf-Br": 1}, "hexes": ["0104-0107 0202"]},
                {"units": {"Inf-Ru": 1}, "hexes": ["0110"], "entrenched": True},
                {"units": {"37mm": 1, "Inf-Ge": 1, "APC": 1, "R35": 1}, "enters": 3, "entries": ["0101"]},
            ],
        },
        "germans": {"title": "Germans", "panic": 1, "groups": [{"units": {"PzII": 2}, "hexes": ["0106-0109"]}]},
    },
    "victory": {"kind": "majority", "place": "Town 1"},
}
"""The French have infantry 26, 27, 28 and guns 35, 36; S35 1, trucks 138, 139 and infantry 63; infantry 81.

Units 115, 112, 146 and 6 enter later.
"""


@cache
def table() -> Prepared:
    return installed().prepare(scenario_of(TABLE, "table.toml", own=True))


def begun(ready: Prepared | None = None) -> Game:
    game = (ready or table()).new_game(KeyedDice(bytes(32)))
    game.start()
    return game


def opened(scenario: str = "") -> KampfState:
    """Return the state of a game in which the set-up of the first side is pending."""
    return state_of(begun(shipped(scenario) if scenario else None))


SOUND = {
    "26": "0101 entrenched", "27": "0102", "28": "0103", "35": "0101 A entrenched", "36": "0102 D", "1": "0104",
    "138": "0105", "139": "0106", "63": "aboard 139", "81": "0110 entrenched", "115": "aboard 146",
}  # fmt: skip


def refusals(**changes: str) -> dict[str, str]:
    """Return the rules that forbid the valid deployment with changed lines, by unit; "" removes a line."""
    lines = {unit: text for unit, text in (SOUND | {k[1:]: v for k, v in changes.items()}).items() if text}
    sheet = deploy_sheet(state_of(begun()), "french")
    return {unit: refusal.rule for unit, refusal in sheet.refusals(lines).items()}


def state_of(game: Game) -> KampfState:
    assert isinstance(game.state, KampfState)
    return game.state


# --- lines ---


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("2138", Place("2138", "2138")),
        (" 2138  a ", Place("2138 A", "2138", "A")),
        ("2138a", Place("2138 A", "2138", "A")),
        ("2138 A Entrenched", Place("2138 A entrenched", "2138", "A", entrenched=True)),
        ("2138 entr", Place("2138 entrenched", "2138", entrenched=True)),
        ("2138 E", Place("2138 E", "2138", "E")),
        ("Aboard 0146", Place("aboard 146", carrier="146")),
    ],
)
def test_places_are_parsed(typed: str, place: Place) -> None:
    assert parse_place(typed) == place
    assert parse_place(place.text) == place


@pytest.mark.parametrize(
    "typed",
    ["", "213", "21380", "A 2138", "2138 G", "2138 A B", "2138 entrenched A", "2138 A entrenched entrenched", "aboard",
     "aboard me", "aboard 1 2", "2138 \u0661", "\u0662138", "x" * 500],
)  # fmt: skip
def test_invalid_place_is_refused(typed: str) -> None:
    with pytest.raises(IllegalOrder) as caught:
        parse_place(typed)
    assert caught.value.rule
    assert len(caught.value.reason) < 200


@pytest.mark.full
@given(st.text(max_size=80))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    place = read_place(text)
    assert all(place) if isinstance(place, Refusal) else parse_place(place.text) == place


@pytest.mark.rule("KP-9.4b", "KP-13.0a")
def test_facing_and_trench_may_be_typed_in_any_order() -> None:
    sheet = deploy_sheet(opened(), "french")
    assert sheet.read is not None
    assert sheet.read("35", "0101 entrenched F") == "0101 F entrenched"
    assert sheet.read("35", "0101 ent f") == sheet.read("35", "0101 F entrenched")


# --- areas, stacking, facings, trenches ---


@pytest.mark.rule("R-KP-77", "KP-7.0a", "KP-7.1a", "KP-9.4a", "KP-9.4b", "KP-13.0a", "KP-13.0b", "KP-13.21a")
@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ({}, {}),
        ({"u27": "0106"}, {"27": "R-KP-77"}),  # outside its area
        ({"u27": "9999"}, {"27": "R-KP-77"}),
        ({"u27": "0103"}, {"28": "KP-7.0a"}),
        ({"u1": "0105"}, {"138": "KP-7.0a"}),
        ({"u36": "0104 D"}, {"1": "KP-7.0a"}),  # a gun and a tank
        ({"u36": "0101 D"}, {"36": "KP-7.0a"}),  # two guns with infantry
        ({"u35": "0101 entrenched"}, {"35": "KP-9.4b"}), ({"u27": "0102 A"}, {"27": "KP-9.4a"}),
        ({"u1": "0104 A"}, {"1": "KP-9.4a"}), ({"u1": "0104 entrenched"}, {"1": "KP-13.0b"}),
        ({"u63": "0107 entrenched"}, {"63": "KP-13.0a"}), ({"u81": "0110"}, {"81": "KP-13.0a"}),
        ({"u81": "aboard 138"}, {"81": "KP-13.0a"}), ({"u27": ""}, {"27": "R-KP-77"}),
        ({"u6": "0101"}, {"6": "KP-14.0d"}), ({"u999": "0101"}, {"999": "KP-3.2b"}),
        ({"u94": "0106"}, {"94": "KP-14.0a"}), ({"u27": "D1"}, {"27": "R-KP-77"}),
    ],
)  # fmt: skip
def test_set_up_line_is_legal_or_refused(changes: dict[str, str], refused: dict[str, str]) -> None:
    assert refusals(**changes) == refused


@pytest.mark.rule("KP-3.2b", "KP-14.0a", "KP-14.0d")
def test_line_for_a_unit_that_does_not_set_up_is_explained() -> None:
    found = deploy_sheet(state_of(begun()), "french").refusals(SOUND | dict.fromkeys(("me", "999", "94", "6"), "0101"))
    assert {unit: refusal.reason for unit, refusal in found.items()} == {
        "me": "a line begins with the number of a unit, such as 94 D5; show lists them",
        "999": "there is no unit of this number in the game",
        "94": "PzII 94 belongs to the enemy",
        "6": "R35 6 enters on turn 3 and has no line now",
    }


@pytest.mark.rule("KP-14.0h", "KP-12.0a", "R-KP-63", "R-KP-77", "R-KP-17", "KP-14.0d")
@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ({"u63": "0107"}, {}),
        ({"u28": "aboard 138"}, {}),  # truck in 0105, which is in both areas
        ({"u28": "aboard 139"}, {"28": "KP-14.0h"}),  # 0106 is outside the infantry's area
        ({"u28": "aboard 138", "u36": "aboard 138"}, {"36": "R-KP-63"}),
        ({"u28": "aboard 1"}, {"28": "KP-12.0a"}),
        ({"u28": "aboard 94"}, {"28": "KP-12.0a"}),
        ({"u28": "aboard 146"}, {"28": "KP-14.0h"}),  # enters later
        ({"u138": "aboard 139"}, {"138": "KP-12.0a"}),
        ({"u138": "", "u28": "aboard 138"}, {"138": "R-KP-77", "28": "KP-14.0h"}),
        ({"u115": ""}, {"115": "R-KP-77"}),  # a gun cannot enter on foot
        ({"u115": "", "u112": "aboard 146"}, {"115": "R-KP-77"}),
        ({"u112": "aboard 146"}, {"112": "R-KP-63"}),
        ({"u112": "0101"}, {"112": "KP-14.0d"}),
    ],
)
def test_units_start_aboard_only_if_allowed(changes: dict[str, str], refused: dict[str, str]) -> None:
    assert refusals(**changes) == refused


@pytest.mark.rule("KP-14.0a", "KP-13.21b", "KP-7.2a")
def test_deployment_puts_a_force_on_the_map() -> None:
    game = begun()
    assert [each.side for each in game.waiting()] == ["french"]
    game.submit(Deploy({**SOUND, "35": "0101 a entr"}), "french")
    event = next(each.event for each in game.records if isinstance(each, EventRecord) and hasattr(each.event, "aboard"))
    assert isinstance(event, ForceDeployed)
    assert event.entrenchments == ["0101", "0110"]
    assert event.facings == {"35": "A", "36": "D"}
    assert event.aboard == {"63": "139", "115": "146"}
    units = state_of(game).units
    assert (units["63"].hex, units["63"].carrier, units["63"].standing) == ("0106", "139", ON_MAP)
    assert (units["115"].hex, units["115"].carrier, units["115"].standing) == ("", "146", WAITING)
    assert state_of(game).entrenchments == {"0101": "french", "0110": "french"}
    # the second side may not set up in hexes of the first
    assert [each.side for each in game.waiting()] == ["germans"]
    sheet = deploy_sheet(state_of(game), "germans")
    assert {unit: each.rule for unit, each in sheet.refusals({"94": "0106", "95": "0107"}).items()} == {"94": "KP-6.4a"}
    game.submit(Deploy({"94": "0108", "95": "0107"}), "germans")
    assert state_of(game).phase == "plot"


@pytest.mark.rule("KP-14.5.3", "R-KP-76")
def test_tanks_carry_only_riders_that_share_their_area() -> None:
    game = begun(shipped("summa"))
    game.submit(game.waiting()[0].options.sample(Stream(b"finns")), "finns")
    sheet = deploy_sheet(state_of(game), "russians")
    assert not any(text.startswith("aboard") for line in sheet.lines.values() for text in line.values())


# --- random deployments ---


def check_deployment(ready: Prepared, side: str, lines: dict[str, str]) -> None:
    """Check areas, passengers, facings, entrenchments and stacks of a deployment."""
    board = ready.board
    stacks: dict[str, list[str]] = {}
    carriers: list[str] = []
    for unit_id, group in board.group_of.items():
        if group.side != side:
            continue
        place = parse_place(lines[unit_id]) if unit_id in lines else Place("")
        assert group.enters or unit_id in lines
        if place.carrier:
            carriers.append(place.carrier)
            assert board.group_of[place.carrier].enters == group.enters
            assert group.enters or parse_place(lines[place.carrier]).hex in group.area
        elif place.hex:
            assert place.hex in group.area
            assert bool(place.facing) == board.kind_of(unit_id).is_gun
            assert place.entrenched or unit_id not in group.entrenched
            assert not place.entrenched or (group.may_entrench and board.kind_of(unit_id).is_foot)
            stacks.setdefault(place.hex, []).append(unit_id)
    assert len(set(carriers)) == len(carriers)
    for row in stacks.values():
        kinds = sorted(board.kind_of(each).category for each in row)
        assert len(row) == 1 or kinds == sorted((INFANTRY, ARTILLERY))


@pytest.mark.rule("KP-14.0a", "KP-2.0a", "KP-3.2b", "KP-14.0k", "KP-14.0d", "R-KP-77", "KP-7.0a", "KP-14.0h")
@pytest.mark.rule("KP-9.4b", "KP-13.0b")
@pytest.mark.parametrize("seed", ["1", "2", *(pytest.param(each, marks=pytest.mark.full) for each in "345678")])
@pytest.mark.parametrize("scenario", ["table", *kampfpanzer.SCENARIOS])
def test_random_deployment_is_legal(scenario: str, seed: str) -> None:
    ready = table() if scenario == "table" else shipped(scenario)
    game, stream = begun(ready), Stream(seed.encode())
    while state_of(game).phase != "plot":
        decision = game.waiting()[0]
        order = decision.options.sample(stream)
        assert deploy_sheet(state_of(game), decision.side).why_not(order.lines) is None
        check_deployment(ready, decision.side, order.lines)
        game.submit(order, decision.side)
    happened = [each.event for each in game.records if isinstance(each, EventRecord)]
    assert [each.side for each in happened if isinstance(each, ForceDeployed)] == list(ready.board.sides)
    for unit_id, unit in state_of(game).units.items():
        assert (unit.standing == WAITING) == (ready.board.group_of[unit_id].enters > 0)
        assert bool(unit.facing) == (
            unit.standing == ON_MAP and ready.board.kind_of(unit_id).is_gun and not unit.carrier
        )


@pytest.mark.rule("R-KP-77", "KP-13.0a", "KP-14.0h", "KP-9.4b")
def test_every_legal_place_is_sampled() -> None:
    sheet = deploy_sheet(state_of(begun()), "french")
    draws = [sheet.sample(Stream(number.to_bytes(2, "big"))) for number in range(600)]
    places = {unit: [parse_place(lines[unit]) for lines in draws if unit in lines] for unit in sheet.lines}
    assert {each.hex for each in places["1"]} == {"0104", "0105", "0106", "0107", "0202"}
    for unit in ("26", "35"):
        assert {each.hex for each in places[unit]} == {"", "0101", "0102", "0103", "0104", "0105"}
        dug = [each.entrenched for each in places[unit] if each.hex]
        assert 0.4 < sum(dug) / len(dug) < 0.6
        assert {each.carrier for each in places[unit]} == {"", "138", "139"}
    assert {each.facing for each in places["35"] if each.hex} == set("ABCDEF")
    assert {each.text for each in places["81"]} == {"0110 entrenched"}
    assert {each.text for each in places["115"]} == {"aboard 146"}  # it cannot enter on foot
    assert places["112"] == []
    first = sum(each.carrier != "" for each in places["26"])
    assert 0.28 < first / 600 < 0.39  # 1 in 3
    with_26 = {parse_place(lines[parse_place(lines["26"]).carrier]).hex for lines in draws if "aboard" in lines["26"]}
    assert with_26 == {"0104", "0105"}  # the hexes in both areas
    two = [lines for lines in draws if sum("aboard" in text for text in lines.values()) > 2]
    assert two
    shared = Counter(parse_place(text).hex for lines in draws for text in lines.values() if "aboard" not in text)
    assert shared["0103"] > 600


@pytest.mark.rule("KP-13.0a", "KP-13.0b", "KP-9.4a", "KP-14.0h")
def test_every_legal_line_is_listed() -> None:
    lines = {unit: list(line.values()) for unit, line in deploy_sheet(state_of(begun()), "french").lines.items()}
    area = [f"010{row}" for row in range(1, 6)]
    trucks = ["aboard 138", "aboard 139"]
    assert lines["1"] == ["0104", "0105", "0106", "0107", "0202"]
    assert sorted(lines["26"]) == sorted([*area, *(f"{hex_} entrenched" for hex_ in area), *trucks])
    faced = [f"{hex_} {letter}" for hex_ in area for letter in "ABCDEF"]
    assert sorted(lines["35"]) == sorted([*faced, *(f"{each} entrenched" for each in faced), *trucks])
    assert sorted(lines["63"]) == ["0104", "0105", "0106", "0107", "0202", *trucks]
    assert (lines["81"], lines["112"], lines["115"]) == (["0110 entrenched"], ["aboard 146"], ["aboard 146"])
    assert {parse_place(each).hex for each in lines["138"]} == {"0104", "0105", "0106", "0107", "0202"}


def tight(**units: int) -> DeploySheet:
    """Return the sheet of a force that fills its area of 3 hexes."""
    forces = {**TABLE["forces"]["french"], "groups": [{"units": units, "hexes": ["0101-0103"]}]}
    tables = {**TABLE, "forces": {**TABLE["forces"], "french": forces}}
    ready = installed().prepare(scenario_of(tables, "table.toml", own=True))
    return deploy_sheet(state_of(begun(ready)), "french")


@pytest.mark.rule("KP-7.1a", "KP-7.2a", "KP-14.0h")
@pytest.mark.parametrize(
    "units",
    [{"Inf-Fr": 3, "25mm": 3}, {"Truck": 3, "Inf-Fr": 3}, {"APC": 1, "Inf-Fr": 2, "25mm": 3}, {"S35": 3}],
)
def test_deployment_fits_a_tight_area(units: dict[str, int]) -> None:
    sheet = tight(**units)
    for number in range(20):
        lines = sheet.sample(Stream(bytes([number])))
        assert len(lines) == sum(units.values())
        sheet.drawn = None
        assert sheet.why_not(lines) is None
    assert next(sheet.values(), None) is not None


@pytest.mark.rule("KP-6.4a", "KP-14.0h")
@pytest.mark.parametrize("held", ["0106 0107 0108", "0106 0107 0108 0109"])
def test_area_that_is_too_small_raises_an_error(held: str) -> None:
    game = begun()
    game.submit(Deploy(SOUND), "french")
    state = state_of(game)
    for unit_id, hex_ in zip(("1", "26", "27", "28"), held.split(), strict=False):
        state.units[unit_id].hex = hex_
    sheet = deploy_sheet(state, "germans")
    with pytest.raises(ValueError, match="too small"):
        sheet.sample(Stream(b"x"))
    assert list(sheet.values()) == []


def test_listed_deployments_are_legal_and_unique() -> None:
    sheet = deploy_sheet(state_of(begun()), "french")
    listed = list(islice(sheet.values(), 100))
    assert len({str(each) for each in listed}) == 100
    assert all(sheet.why_not(each) is None for each in listed)
    assert deploy_sheet(state_of(begun()), "germans").count(1000) == 12
    pairs = tight(S35=2)
    assert pairs.count() == len(list(pairs.values())) == 6


@pytest.mark.parametrize("lines", [None, ["2138"], {"26": 7}, {"26": None}, {"26": "x" * 999}, {"who": "2138"}])
def test_hostile_deployment_is_refused_briefly(lines: Any) -> None:
    refusal = begun().waiting()[0].options.why_not(Deploy(lines))
    assert refusal is not None
    assert refusal.rule
    assert len(refusal.reason) < 300
