"""The drawn map: railways, control, units with known strengths, zones and a supply line."""

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hash_seeds import outputs
from work import lines_run

import damos
from damos.fog.views import view
from damos.model.board import Board
from damos.model.state import ELIMINATED, ON_MAP, POOL, SURRENDERED, Air, DamosState
from damos.model.tables import SIZES, TYPES
from damos.ui.draw import ECHELONS, LETTERS, STYLES, counter_of, draw, picture_of, powers_of
from damos.ui.parsing import NOTATION
from sandtable.errors import PlayError
from sandtable.kernel.dice import KeyedDice
from sandtable.plugin.manager import Installed, Prepared
from sandtable.viewer.hexes.drawing import faces as hexes_faces
from sandtable.viewer.hexes.drawing.counters import stands
from sandtable.viewer.hexes.layout import POINTED
from sandtable.viewer.hexes.picture import HexArea, HexCounter, HexPicture

GERMAN, SOVIET, UMPIRE = "german", "soviet", "umpire"
PLACES = "g-3pz 2720, g-4pz 2720, g-267 2923, s-13mc 2817, s-4rc 2817, s-24army 2702"


@cache
def prepared(scenario: str) -> Prepared:
    return Installed("damos", damos, "test").prepare(scenario)


def opening(scenario: str = "agc") -> tuple[DamosState, Board]:
    ready = prepared(scenario)
    state = ready.new_game(KeyedDice(bytes(32))).state
    assert isinstance(state, DamosState)
    return state, ready.board


def placed(units: str = PLACES) -> tuple[DamosState, Board]:
    """Return a state in the German operations of turn 2 with units on the map. All others are yet to arrive."""
    state, board = opening()
    state.turn, state.phase, state.phasing_side = 2, "german.operations", GERMAN
    for unit_id, hex_ in (row.split() for row in units.split(",")):
        state.units[unit_id].hex, state.units[unit_id].standing = hex_, ON_MAP
        state.control[hex_] = state.units[unit_id].side
    return state, board


def drawn(state: DamosState, board: Board, style: str = "svg", side: str = UMPIRE) -> str:
    drawing = draw(view(state, side), board, style)
    assert drawing is not None
    return drawing


def picture(state: DamosState, board: Board, side: str = UMPIRE) -> HexPicture:
    return picture_of(view(state, side), board)


def counter(state: DamosState, board: Board, unit_id: str, side: str = UMPIRE) -> HexCounter:
    seen = view(state, side)
    return counter_of(unit_id, seen.units[unit_id], seen, board)


def areas(state: DamosState, board: Board, kind: str, side: str = UMPIRE) -> list[HexArea]:
    return [area for area in picture(state, board, side).areas if area.kind == kind]


# ---------------------------------------------------------------------- the map


@pytest.mark.parametrize("scenario", ["agc", "smolensk"])
def test_a_scenario_is_drawn_completely(scenario: str) -> None:
    state, board = opening(scenario)
    drawing = drawn(state, board)
    assert set(board.hexmap.numbers) <= set(re.findall(r">([0-9]{4})</text>", drawing))
    for name in board.names.values():
        assert f">{name}</text>" in drawing
    for way in ("rail", "converted_rail"):
        assert f'data-way="{way}"' in drawing
    for line in ("frontier", "boundary"):
        assert f'data-hexside="{line}"' in drawing
    tray = [unit.id for tray in picture(state, board).trays for unit in tray.counters]
    assert sorted(tray) == sorted(board.counters)
    assert max(map(len, drawn(state, board, "text_whole").splitlines())) <= 160


@pytest.mark.rule("AGC-4.3.1c", "AGC-4.3.1d")
def test_the_converted_part_of_a_railway_is_drawn() -> None:
    state, board = placed()
    before = picture(state, board).ground
    assert "rail" in before.side_of("3127", "3126")
    state.converted = sorted([*state.converted, "3127", "3126"])
    ground = picture(state, board).ground
    assert "converted_rail" in ground.side_of("3127", "3126")
    assert "converted_rail" in ground.side_of("3128", "3127")
    assert "rail" in ground.side_of("3126", "3125")
    assert "rail" in before.side_of("3127", "3126"), "a picture does not change after it was made"
    assert set(ground.side_of("2714", "2814")) == {"rail", "river"}
    rails = {pair for pair, kinds in board.hexmap.sides.items() if "rail" in kinds}
    assert rails == {pair for pair, kinds in ground.sides.items() if {"rail", "converted_rail"} & set(kinds)}


def test_the_frontier_is_drawn_between_the_home_hexes_of_the_sides() -> None:
    state, board = placed()
    ground = picture(state, board).ground
    for (start, end), kinds in ground.sides.items():
        assert ("frontier" in kinds) == (board.home[start] != board.home[end])
        assert ("boundary" in kinds) == ((start in board.area) != (end in board.area))


@pytest.mark.rule("DM-2.9a")
def test_control_is_drawn() -> None:
    state, board = placed()
    held = {area.owner: set(area.hexes) for area in areas(state, board, "held")}
    assert held[GERMAN] | held[SOVIET] == board.area
    assert "2720" in held[GERMAN]
    assert "2817" in held[SOVIET]
    state.control["2817"] = GERMAN
    assert "2817" in {area.owner: area.hexes for area in areas(state, board, "held")}[GERMAN]


@pytest.mark.rule("AGC-6.0b", "AGC-6.0d")
def test_set_up_areas_are_drawn_before_set_up() -> None:
    state, board = opening()
    found = {area.owner: area.hexes for area in areas(state, board, "set_up")}
    assert found[GERMAN] == board.set_up
    assert set(board.frontier) < set(found[SOVIET])
    for unit in state.units.values():
        if unit.side == SOVIET and not unit.arrives:
            unit.standing, unit.hex = ON_MAP, "2727"
    assert [area.owner for area in areas(state, board, "set_up")] == [GERMAN]


# ---------------------------------------------------------------------- units


def test_each_type_and_size_of_unit_has_a_symbol() -> None:
    _, board = opening()
    assert {unit.type for unit in board.counters.values()} <= set(TYPES) == set(LETTERS)
    assert {unit.size for unit in board.counters.values()} <= set(SIZES) == set(ECHELONS)
    assert set(LETTERS) <= hexes_faces.SYMBOLS.keys()
    assert len(set(LETTERS.values())) == len(LETTERS)
    first, second = powers_of(board)
    assert first.letter != second.letter
    assert first.color != second.color


@pytest.mark.rule("DM-2.2a", "DM-2.4c")
def test_a_counter_shows_printed_values_and_own_strength() -> None:
    state, board = placed()
    assert counter(state, board, "g-3pz").corners == ("Z", "2", "7", "6")
    assert counter(state, board, "g-267").corners == ("", "", "6", "4")
    assert (counter(state, board, "g-3pz").caption, counter(state, board, "g-267").caption) == ("3 Pz", "267 Inf")
    assert (counter(state, board, "g-3pz").echelon, counter(state, board, "s-13mc").echelon) == ("XX", "XXX")
    state.units["g-3pz"].sp, state.units["s-13mc"].sp = 5, 1
    strengths = {
        side: (counter(state, board, "g-3pz", side).corners[2], counter(state, board, "s-13mc", side).corners[2])
        for side in (GERMAN, SOVIET, UMPIRE)
    }
    assert strengths == {GERMAN: ("5/7", "2?"), SOVIET: ("7?", "1/2"), UMPIRE: ("5/7", "1/2")}


def test_conditions_of_units_are_drawn() -> None:
    state, board = placed()
    state.units["g-267"].spent = state.units["s-4rc"].demoralized = state.units["s-4rc"].spent = True
    state.active, state.reacted, state.cossacks = ["g-3pz", "g-4pz"], ["s-13mc"], "2817"
    signs = {each.id: "".join(tab.sign for tab in each.tabs) for each in picture(state, board).counters}
    assert signs == {"g-3pz": "A", "g-4pz": "A", "g-267": "S", "s-13mc": "C", "s-4rc": "DSC", "s-24army": ""}
    assert counter(state, board, "s-13mc").note == "has tried to react"
    text = drawn(state, board, "text")
    assert re.search(r"2817 s-4rc +4 RC +3 3 +town, demoralized", text)


@pytest.mark.parametrize("count", range(1, 17))
def test_counters_of_a_stack_do_not_overlap(count: int) -> None:
    state, board = placed()
    counters = [counter(state, board, "g-3pz")] * count
    found = stands(counters, POINTED)
    for place, (x, y, size) in enumerate(found):
        assert -56 <= x <= x + size <= 56
        assert -36 <= y <= y + size <= 56
        assert all(abs(x - a) >= size or abs(y - b) >= size for a, b, _ in found[:place])


def test_units_off_the_map_are_drawn_beside_it() -> None:
    state, board = placed()
    state.units["s-1rc"].standing, state.units["s-14mc"].standing = ELIMINATED, SURRENDERED
    state.units["g-5"].standing, state.units["g-5"].arrives = POOL, 3
    trays = {tray.title: tray.counters for tray in picture(state, board).trays}
    assert list(trays) == [
        "Germans to set up",
        "Germans reinforcements, by turn",
        "Soviets to set up",
        "Soviets reinforcements, by turn",
        "Soviets eliminated",
        "Soviets surrendered",
    ]
    (waiting,) = [each for each in trays["Germans reinforcements, by turn"] if each.id == "g-5"]
    assert [tab.sign for tab in waiting.tabs] == ["3"]
    text = drawn(state, board, "text")
    assert re.search(r"\nGermans from turn 3 on \([0-9]+\): .*5 Inf", text)
    assert "Soviets eliminated (1): 1 RC (s-1rc)\n" in text


# ---------------------------------------------------------------------- zones and supply


@pytest.mark.rule("DM-2.6b", "DM-2.4c")
def test_zones_of_influence_of_own_forces_are_drawn() -> None:
    state, board = placed()
    (zone,) = areas(state, board, "zone", GERMAN)
    assert set(zone.hexes) == set(board.hexmap.within("2720", 3)) & board.area  # 14 points: three hexes
    state.units["g-4pz"].sp = 1
    (zone,) = areas(state, board, "zone", GERMAN)
    assert set(zone.hexes) == set(board.hexmap.within("2720", 2)) & board.area
    (zone,) = areas(state, board, "zone", SOVIET)
    assert set(zone.hexes) == set(board.hexmap.within("2817", 1)) & board.area
    assert [area.owner for area in areas(state, board, "zone", UMPIRE)] == [GERMAN, SOVIET]
    state.units["s-13mc"].demoralized = True
    assert not areas(state, board, "zone", SOVIET)


def test_the_zone_of_the_active_force_is_drawn_for_its_side_only() -> None:
    state, board = placed("g-3pz 2720, g-7pz 2616, s-13mc 2817")
    state.active = ["g-3pz"]
    (zone,) = areas(state, board, "zone", GERMAN)
    assert set(zone.hexes) == set(board.hexmap.within("2720", 2)) & board.area
    assert zone.note == "zone of influence of the active force"
    assert not areas(state, board, "zone", SOVIET)


@pytest.mark.rule("DM-2.10a", "AGC-4.3.1a")
def test_the_supply_line_of_the_active_force_is_drawn() -> None:
    state, board = placed("g-3pz 3125, s-13mc 2817")
    state.converted = sorted([*state.converted, "3127", "3126"])
    state.control |= dict.fromkeys(["3127", "3126"], GERMAN)
    assert not picture(state, board).arrows
    state.active = ["g-3pz"]
    (arrow,) = picture(state, board).arrows
    assert (arrow.kind, arrow.owner, arrow.path[:3]) == ("supply", GERMAN, ("3125", "3126", "3127"))
    assert arrow.path[-1] in board.sources[GERMAN]
    text = drawn(state, board, "text")
    assert "The active force of the Germans in 3125 has a supply line: one hex across country, " in text
    state.units["s-13mc"].hex = "3127"
    assert not picture(state, board).arrows
    (note,) = [each for each in picture(state, board).notes if "supply line" in each]
    assert note.startswith(
        "The active force of the Germans in 3125 has no supply line: enemy zones in 3026, 3126 (Kobrin)"
    )


@pytest.mark.parametrize("focus", ["2720", "g-3pz", "4pz", "3 PZ", "g-4pz"])
def test_the_force_in_focus_is_drawn(focus: str) -> None:
    state, board = placed("g-3pz 2720, g-4pz 2720, g-7pz 2616, s-13mc 2817")
    state.active = ["g-7pz"]
    shown = picture_of(view(state, GERMAN), board, focus)
    (zone,) = [area for area in shown.areas if area.kind == "zone"]
    assert set(zone.hexes) == set(board.hexmap.within("2720", 3)) & board.area
    assert any(note.startswith("The force of the Germans in 2720 has no supply line: ") for note in shown.notes)
    assert "Its zone of influence reaches three hexes." in shown.notes
    assert not any("active force" in note for note in shown.notes)


@pytest.mark.rule("DM-2.4c", "DM-2.10a")
def test_an_enemy_in_focus_has_a_supply_line_but_no_zone() -> None:
    state, board = placed("g-3pz 2720, s-13mc 2817, s-4rc 2817, s-24army 2702, s-1rc 2711")
    shown = picture_of(view(state, GERMAN), board, "borisov")
    assert not [area for area in shown.areas if area.kind == "zone"]
    assert "The range of its zone of influence, if it has one, is unknown." in shown.notes
    (arrow,) = shown.arrows
    assert (arrow.owner, arrow.path[0]) == (SOVIET, "2817")
    (note,) = [note for note in shown.notes if "supply line" in note]
    assert note.endswith(f": {' '.join(arrow.path)}.")
    assert "It has no zone of influence." in picture_of(view(state, SOVIET), board, "1rc").notes
    moscow = picture_of(view(state, UMPIRE), board, "Moscow")
    assert "The force of the Soviets in 2702 (Moscow) is in the hex of a supply source." in moscow.notes
    assert not moscow.arrows


@pytest.mark.parametrize(("focus", "message"), [
    ("2721", "no units are in 2721: name a hex with units"),
    ("minsk", "no units are in 2819 (Minsk): name a hex with units"),
    ("g-7", "7 Inf is not on the map: strength 6, 4 movement points"),
    ("9999", "'9999' is not a unit, hex or town: type for example g-3pz, 3 Pz, 2720 or Minsk"),
])  # fmt: skip
def test_an_invalid_focus_is_refused(focus: str, message: str) -> None:
    state, board = placed()
    with pytest.raises(PlayError) as refused:
        draw(view(state, GERMAN), board, "text", focus)
    assert str(refused.value) == message


def test_the_target_of_a_concerted_attack_is_marked() -> None:
    state, board = placed()
    assert not areas(state, board, "goal")
    state.attack_target = "2817"
    assert [area.hexes for area in areas(state, board, "goal")] == [("2817",)]
    assert "A concerted attack on 2817 (Borisov) is announced." in drawn(state, board, "text")


# ---------------------------------------------------------------------- words


def test_drawing_has_head_and_notes() -> None:
    state, board = placed()
    state.replacements, state.undying = {GERMAN: 1, SOVIET: 5}, {"s-1rc": 4}
    state.attacks_owed, state.attacks_made, state.pause_turn = 3, 1, 4
    lines = drawn(state, board, "text", SOVIET).splitlines()
    assert lines[0].startswith("Army Group Center, July to December 1941 ")
    assert lines[0].endswith("Turn 2 — German: operations (2nd July, seen by the Soviets)")
    assert "Length: 12 turns. Replacement points: Germans 1 and Soviets 5." in lines
    assert "The air unit is ready; failed checks this turn: 0." in lines
    assert "Attacks required: 3, made: 1." in lines
    assert "Turns 5 and 6: mobile German units may move only one hex and may not attack." in lines
    assert "1 RC returns on turn 4." in lines
    state.options["bso_first_turns"] = "current_and_next"
    assert "Turns 4 and 5: mobile German units may move only one hex and may not attack." in drawn(state, board, "text")
    state.air = Air(benefit="shift", failures=1)
    assert "The air unit is ready only for its column shift; failed checks this turn: 1." in drawn(state, board, "text")
    state.air, state.outcome, state.ending = Air(ready=False), SOVIET, "substantial"
    lines = drawn(state, board, "text").splitlines()
    assert lines[0].endswith("Turn 2: the game is over (2nd July, seen by the umpire)")
    assert "The game is over: victory for the Soviets (substantial)." in lines
    assert "The air unit is grounded this turn." in lines


def test_text_shows_the_occupied_part_or_the_whole_map() -> None:
    state, board = placed("g-3pz 2720, s-13mc 2817")
    part, whole = drawn(state, board, "text"), drawn(state, board, "text_whole")
    assert whole.splitlines()[2].split() == [f"{column:02}" for column in range(30, 0, -1)]
    assert 2 * len(part.split("Germans: ")[0].splitlines()) < len(whole.split("Germans: ")[0].splitlines())
    assert "Ga" in part
    assert "Sa" in part
    assert len(drawn(state, board, "svg_part")) < len(drawn(state, board, "svg"))


def test_an_unknown_style_is_not_drawn() -> None:
    state, board = opening()
    assert draw(view(state, GERMAN), board, "oil on canvas") is None
    assert set(STYLES) == {"svg", "svg_part", "text", "text_whole"}


def test_a_drawing_is_small_and_takes_little_work() -> None:
    state, board = placed()
    hexes = iter(sorted(board.area) * 2)
    for unit in state.units.values():
        unit.hex, unit.standing = next(hexes), ON_MAP
    assert len(drawn(state, board)) < 1_000_000
    assert lines_run(lambda: drawn(state, board)) < 4_000_000  # measured: 1.1 million (0.15 s)


@pytest.mark.full
def test_drawing_changes_no_state() -> None:
    state, board = placed()
    state.active = ["g-3pz"]
    before = msgspec.msgpack.encode(state)
    for style in STYLES:
        assert drawn(state, board, style) == drawn(state, board, style)
    assert msgspec.msgpack.encode(state) == before


SCRIPT = """
import sys
from test_draw import STYLES, drawn, placed
state, board = placed()
state.active = ["g-3pz", "g-4pz"]
for style in STYLES:
    sys.stdout.write(drawn(state, board, style))
"""


@pytest.mark.full
def test_drawings_do_not_depend_on_the_hash_seed() -> None:
    (output,) = outputs(SCRIPT, __file__)
    assert len(output) > 100_000


README = Path(damos.__file__).with_name("README.md").read_text(encoding="utf-8")
SECTION = README.split("## At the terminal\n")[1].split("\n## ")[0]
EXAMPLES = [each for row in SECTION.splitlines() if row.startswith("| ") for each in re.findall(r"`([^`]+)`", row)]
SHEETS = {"3pz:", "3128:", "historical", "draft", "rest", "done"}
SHORT = {"meeting", "standard", "no"}
"""Synonyms of words that the table already has."""


def test_each_example_of_the_readme_begins_with_a_known_word() -> None:
    first = {each.split()[0] for each in EXAMPLES}
    assert first - SHEETS == set({name.split()[0] for verb in NOTATION.verbs for name in verb.names}) - SHORT


def test_the_readme_names_existing_units_and_hexes() -> None:
    ready = Installed("damos", damos, "test").prepare("agc")
    board = ready.board
    assert isinstance(board, Board)
    words = {word.strip(":;,") for each in re.findall(r"`([^`]+)`", SECTION) for word in each.split()}
    assert {word for word in words if re.fullmatch("[gs]-[a-z0-9]+", word)} <= set(board.counters)
    assert {word for word in words if re.fullmatch("[0-9]{4}", word)} - {"1500"} <= set(board.hexmap.numbers)


def test_the_picture_of_the_readme_shows_this_game() -> None:
    ready = Installed("damos", damos, "test").prepare("smolensk")
    picture = Path(damos.__file__).with_name("board.svg").read_text(encoding="utf-8")
    state = ready.new_game(KeyedDice(bytes(32))).state
    assert isinstance(state, DamosState)
    fresh = draw(view(state, "german"), ready.board, "svg") or ""
    assert f"<title>{ready.board.title}. Turn 2" in picture
    for sign in ('data-area="zone"', 'data-arrow="supply"', 'data-way="converted_rail"', 'data-hexside="frontier"'):
        assert sign in picture
    assert set(re.findall(r'data-(?:way|hexside|terrain)="\w+"', fresh)) == set(
        re.findall(r'data-(?:way|hexside|terrain)="\w+"', picture)
    )
