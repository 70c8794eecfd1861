"""Set-up and placement of reinforcements: sheets with a hex for each unit (AGC-6.0a, AGC-4.9a)."""

from itertools import islice

import pytest
from tests.plugins.damos.conftest import Lay, Prepare

from damos.map.stacking import is_legal
from damos.model import events
from damos.model.orders import PlaceReinforcements, SetUp
from damos.model.state import ON_MAP, DamosState
from damos.turn.setup import HexSheet, must_fill, one_by_one, read_hex, set_up_hexes
from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import Form
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Prepared


def started(prepared: Prepared) -> Game:
    game = prepared.new_game(KeyedDice(key_from_seed("set-up")))
    game.start()
    return game


def state_of(game: Game) -> DamosState:
    assert isinstance(game.state, DamosState)
    return game.state


def sheet_of(game: Game) -> HexSheet:
    form = game.waiting()[0].options
    assert isinstance(form, Form)
    sheet = form.space_of("hexes", [])
    assert isinstance(sheet, HexSheet)
    return sheet


def stacks_of(lines: dict[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit_id, hex_ in lines.items():
        found.setdefault(hex_, []).append(unit_id)
    return found


@pytest.mark.rule("AGC-6.0a", "AGC-6.0b", "AGC-6.0c", "AGC-6.0d", "R-DM-78")
def test_the_soviets_set_up_first_and_random_set_ups_are_legal(prepare: Prepare) -> None:
    game = started(prepare())
    for side in ("soviet", "german"):
        state, sheet = state_of(game), sheet_of(game)
        assert game.waiting()[0].seat == side
        allowed, fill = set(set_up_hexes(state, side)), set(must_fill(state, side))
        for number in range(40):
            lines = sheet.sample(Stream(b"%d" % number))
            assert (
                set(lines)
                == set(sheet.lines)
                == {each for each, unit in state.units.items() if unit.side == side and unit.arrives == 0}
            )
            assert set(lines.values()) <= allowed
            assert fill <= set(lines.values())
            assert all(is_legal(state, units) for units in stacks_of(lines).values())
            assert HexSheet.why_not(sheet, dict(lines)) is None
        if side == "german":
            refuse_germans(game, state, sheet.sample(Stream(b"last")))
        game.submit(SetUp(sheet.sample(Stream(b"last"))))
    assert state.phase.startswith("german.")
    assert state.turn == 1
    assert len(must_fill(state, "soviet")) >= 8
    assert sum(unit.standing == ON_MAP for unit in state.units.values()) == len(sheet.lines) + 23


def refuse_germans(game: Game, state: DamosState, lines: dict[str, str]) -> None:
    """Assert that Germans set up only on their side of rows 25 to 32 and within the stacking limits (AGC-6.0d)."""
    space = game.waiting()[0].options
    assert all(state.board.home[hex_] == "german" and 25 <= int(hex_[:2]) <= 32 for hex_ in lines.values())
    for hex_ in ("2430", "3329", "2727", "2819"):
        assert not space.is_legal(SetUp(lines | {min(lines): hex_}))
    crowd = dict.fromkeys(list(lines)[:5], next(iter(lines.values())))
    assert not space.is_legal(SetUp(lines | crowd))


@pytest.mark.rule("AGC-6.0a")
def test_listed_set_ups_are_legal_and_different(prepare: Prepare) -> None:
    sheet = sheet_of(started(prepare()))
    listed = list(islice(sheet.values(), 50))
    assert len(listed) == 50
    assert all(sheet.why_not(lines) is None for lines in listed)
    assert all(lines not in listed[:place] for place, lines in enumerate(listed))


@pytest.mark.rule("AGC-6.0b", "AGC-6.0c", "DM-2.3a")
def test_a_refused_set_up_cites_its_rule(prepare: Prepare) -> None:
    game = started(prepare())
    sheet = sheet_of(game)
    lines = sheet.sample(Stream(b"one"))
    frontier = must_fill(state_of(game), "soviet")
    units = list(lines)

    def rule_against(other: dict[str, str]) -> str:
        refusal = game.waiting()[0].options.why_not(SetUp(other))
        assert refusal is not None
        return refusal.rule

    alone = next(each for each in units if lines[each] in frontier and list(lines.values()).count(lines[each]) == 1)
    assert rule_against(lines | {alone: next(each for each in lines.values() if each not in frontier)}) in {
        "AGC-6.0b",
        "DM-2.3a",
    }
    assert rule_against(dict.fromkeys(units, frontier[0])) == "DM-2.3a"
    mover = next(each for each in units if each != alone)
    for hex_ in ("2529", "2815", "3029", "2119", "9999", ""):  # Germans, open country, Siedlce, Daugavpils, off the map
        assert rule_against(lines | {mover: hex_}) == "AGC-6.0a"
    assert rule_against({each: lines[each] for each in units[1:]}) == "AGC-6.0a"
    assert rule_against(lines | {"g-3pz": frontier[0]}) == "AGC-6.0a"


@pytest.mark.rule("AGC-4.9a", "R-DM-69", "DM-2.3a")
def test_reinforcements_may_wait_and_stack_within_the_limits(lay: Lay) -> None:
    """Two units on the edge leave room for two more."""
    case = lay("pool I1:6 I2:6 I3:6; 2530 I4:6 I5:6", phase="reinforcement")
    assert case.allows(PlaceReinforcements({}))
    assert case.allows(PlaceReinforcements({"I1": "2530", "I2": "2530"}))
    assert case.why_not(PlaceReinforcements({"I1": "2530", "I2": "2530", "I3": "2530"})) == "DM-2.3a"
    assert case.why_not(PlaceReinforcements({"I1": "2529"})) == "AGC-4.9a"
    assert case.why_not(PlaceReinforcements({"I4": "2530"})) == "AGC-4.9a"
    case.submit(PlaceReinforcements({"I2": "2530"}))
    assert case.at("I1 I2 I3") == "- 2530 -"
    assert case.one(events.UnitsArrived).hexes == {"I2": "2530"}


@pytest.mark.rule("AGC-4.9a", "DM-2.3a")
def test_no_reinforcement_can_be_placed_if_all_hexes_are_full(lay: Lay) -> None:
    full = "; ".join(
        f"{hex_} " + " ".join(f"I{place}x{number}:1" for number in range(4))
        for place, hex_ in enumerate(f"{each}30" for each in range(20, 40))
    )
    case = lay(f"{full}; pool I1:6 I2:6 I3:6 I4:6", phase="reinforcement")
    assert case.offered(PlaceReinforcements) == [PlaceReinforcements({})]
    assert case.pending.options.sample(Stream(b"full")) == PlaceReinforcements({})


@pytest.mark.rule("DM-2.8b")
def test_a_unit_that_arrives_with_demoralized_friends_is_demoralized(lay: Lay) -> None:
    case = lay("pool I1:6; 2530 I4:6!", phase="reinforcement").submit(PlaceReinforcements({"I1": "2530"}))
    assert case.demoralized("I1 I4") == [True, True]


@pytest.mark.parametrize("typed", ["", "252", "25290", "25a9", "abcd", "\uff12\uff15\uff12\uff19", "2529 x"])
def test_a_text_that_is_not_a_hex_number_is_refused(typed: str) -> None:
    assert read_hex(" 2529 ") == "2529"
    with pytest.raises(IllegalOrder, match="is not a hex"):
        read_hex(typed)


@pytest.mark.parametrize(("typed", "lines"), [
    ("3128: 3pz 4pz", ["g-3pz: 3128", "g-4pz: 3128"]), ("3pz, 4pz: 3128", ["g-3pz: 3128", "g-4pz: 3128"]),
    ("g-3pz 3128", ["g-3pz: 3128"]), ("3128", ["3128"]), ("3128: 3pz 9pz", ["3128: 3pz 9pz"]),
    ("312: 3pz", ["312: 3pz"]), ("31x8: 3pz", ["31x8: 3pz"]),
    ("\uff13\uff11\uff12\uff18: 3pz", ["\uff13\uff11\uff12\uff18: 3pz"]), ("3pz: 4pz", ["3pz: 4pz"]), ("", [""]),
])  # fmt: skip
def test_a_line_with_several_units_is_split(typed: str, lines: list[str]) -> None:
    assert one_by_one(typed, ["g-3pz", "g-4pz"]) == lines
