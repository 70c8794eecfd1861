"""Panic (11): the units that panic, their lost plots, their flight, and hidden rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.plugins.kampfpanzer.cases import group
from tests.plugins.kampfpanzer.model.test_tables import PANIC, cells
from tests.plugins.kampfpanzer.positions import installed
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import (
    ContestDecided,
    FacingChanged,
    FireResolved,
    FireTriggered,
    PanicPlotted,
    PanicRolled,
    UnitShelled,
)
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_header
from sandtable.journal.record import log_bytes
from sandtable.journal.sides.slices import check_slice, read_slice, slice_log
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.events import PhaseBegan
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Rulesets

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import NewCase, Stage


def panicked(case: Case, side: str = "french") -> list[str]:
    """Return the units of a side that panicked this turn."""
    return sorted(next(event.units for event in case.events(PanicRolled) if event.side == side))


def panicking(new_case: NewCase, units: str, die: str, **rest: Any) -> Case:
    """Set up a case in which the French have panic level 2 and roll ``die``."""
    return new_case(
        french=units, more={"panic": {"french": 2}}, dice={"panic:french": die, **rest.pop("dice", {})}, **rest
    )


def flee(rules: str, name: str, *positions: str, die: Any = 1, dice: Any = "", **words: Any) -> Any:
    """Return a row in which the French have panic level 2 and roll ``die``: units in rows 1 and 7 panic on a 1."""
    more = {"panic": {"french": 2}, **words.pop("more", {})}
    return row(rules, name, *positions, dice=f"panic:french {die}; {dice}", more=more, **words)


# --- units that panic ---

TEN = [str(number) for number in (1, 2, 3, 4, 5, 69, 70, 71, 72, 73)]


@pytest.mark.rule("KP-11.3a", "KP-11.11a", "KP-11.11b", "KP-11.11c", "KP-11.0a", "KP-3.3a")
@pytest.mark.parametrize(("place", "printed"), cells(PANIC).items())
def test_units_panic_by_the_table(new_case: NewCase, place: tuple[str, str], printed: str) -> None:
    (die, level), digits = map(int, place), printed.strip("-").split(",")
    units = "; ".join(f"{unit} 08{hex_row:02}" for hex_row, unit in enumerate(TEN, start=1))
    case = new_case(french=units, more={"panic": {"french": level}}, dice={"panic:french": str(die)}).turn()
    assert panicked(case) == sorted(unit for number, unit in enumerate(TEN, start=1) if str(number)[-1] in digits)
    rolled = next(event for event in case.events(PanicRolled) if event.side == "french")
    assert (rolled.level, rolled.die, sorted(rolled.digits)) == (level, die, sorted(filter(None, digits)))


@pytest.mark.rule("KP-11.11b", "KP-4.1b", "KP-4.0a")
def test_each_side_rolls_once_by_its_own_level(new_case: NewCase) -> None:
    dice = {"panic:french": "1", "panic:germans": "1"}
    case = new_case(french="1 0807", germans="94 0507", more={"panic": {"french": 2, "germans": 4}}, dice=dice).turn()
    assert [(event.side, event.level) for event in case.events(PanicRolled)] == [("french", 2), ("germans", 4)]
    assert (panicked(case), panicked(case, "germans")) == (["1"], [])
    phases = [event.phase for event in case.events(PhaseBegan)][:5]
    assert phases == ["panic", "combat", "panic_plot", "movement", "recovery"]


@pytest.mark.rule("KP-11.0a KP-11.12a KP-12.13a KP-12.13b KP-12.13c KP-14.0e")
@pytest.mark.parametrize(
    ("units", "plots", "panicked_units", "end"),
    [
        pytest.param(units, plots, panicked_units, end, marks=pytest.mark.rule(*rules.split()))
        for rules, units, plots, panicked_units, end in (
            ("KP-11.12a", "1 0807 D1; 2 0507 D3; 3 0301", "", "3", "1 0807"),
            ("KP-12.13a KP-12.13b KP-12.13c KP-11.0a", "29 0807; 138 0806", "29 M; 138 M 0807", "29", "138 0806"),
            ("KP-12.13a KP-12.13b KP-12.13c KP-11.0a", "29 0806; 138 0807", "29 M; 138 M 0806", "", "138 0806"),
            ("KP-12.13a KP-12.13c KP-11.0a", "138 0807; 29 aboard 138", "138 Q 0808; 29 Q", "138 29", "138 0807"),
            ("KP-12.13a KP-12.13c KP-11.0a", "138 0807; 29 aboard 138", "138 D1", "138 29", "138 0808"),
            ("KP-12.13a", "138 0807; 29 0806", "", "138", "138 0807"),
            ("KP-14.0e KP-11.0a", "1 enters 0701; 2 0811; 3 enters 0301 turn 2", "1 0701 D6", "2", "1 0707"),
            ("KP-14.0e KP-11.0a", "1 0807; 3 enters 0301 turn 2", "", "1", "1 0807"),
        )
    ],
)
def test_panic_affects_units_by_row_and_state(
    new_case: NewCase, units: str, plots: str, panicked_units: str, end: str
) -> None:
    dice = {"scatter:138": "4", "points:138": "2"} if plots == "138 D1" else {}
    case = panicking(new_case, units, "1", dice=dice).turn(french=plots)
    assert panicked(case) == panicked_units.split()
    assert case.at(end.split(maxsplit=1)[0]) == end.split()[1]
    assert "29 M" not in plots or case.state.units["29"].carrier == ("" if panicked_units else "138")
    assert "aboard" not in units or case.at("29") == end.split()[1]


@pytest.mark.rule("KP-11.0d")
def test_panic_lasts_one_turn(new_case: NewCase) -> None:
    case = panicking(new_case, "1 0807", "1 2 1").turn()
    assert not case.state.units["1"].panicked
    assert panicked(case.turn()) == []
    assert panicked(case.turn()) == ["1"]


# --- lost plots and flight ---


@pytest.mark.rule("KP-11.0c", "KP-11.21a")
@pytest.mark.parametrize(
    ("units", "plot"), [("1 0807", "1 N 0811"), ("39 0807 D", "39 T 0811"), ("38 0807 A", "38 C"), ("1 0807",
    "1 P 0810")]
)  # fmt: skip
def test_panicked_unit_loses_operations_other_than_movement(new_case: NewCase, units: str, plot: str) -> None:
    case = panicking(new_case, units, "1", germans="94 0811; 95 0710").turn(french=plot, germans="95 C1")
    unit = units.partition(" ")[0]
    assert panicked(case) == [unit]
    assert case.never(FireResolved, FacingChanged, PanicPlotted, UnitShelled, FireTriggered)
    assert case.at(unit) == "0807"


ROAD = "0807 0806 0805 0804 0803"
POINTS = "KP-11.22c R-KP-69 KP-6.0b"
EDGE = "KP-11.22d KP-11.22c KP-14.0i"


def north(points: int, unit: str = "1") -> str:
    """Return the dice of a flight to the north."""
    return f"scatter:{unit} 1; points:{unit} {points}"


@pytest.mark.rule(
    "KP-11.0b KP-11.0d KP-11.12b KP-11.21a KP-11.22a KP-11.22b KP-11.22c KP-11.22d KP-11.23a KP-11.23b KP-13.0c"
    " KP-14.0i KP-4.1d KP-4.1e KP-6.0b KP-6.3a KP-6.4c KP-6.4d KP-7.0c KP-7.1a KP-9.71a KP-9.71c R-KP-03 R-KP-14"
    " R-KP-15 R-KP-54 R-KP-67 R-KP-68 R-KP-69 R-KP-70 R-KP-74"
)
@pytest.mark.parametrize(
    "turn",
    [
        flee("R-KP-68 KP-11.21a", "no_plot", "1 0807", never=(PanicPlotted,), at="1 0807"),
        *(flee("KP-11.0b KP-11.21a KP-11.22a R-KP-03 KP-4.1d KP-11.22c", f"scatter_{die}", "1 0807", f="1 D9",
               dice=f"scatter:1 {die}; points:1 2", at=f"1 {end}",
               one=(PanicPlotted, {"unit": "1", "direction": "ABCDEF"[die - 1], "points": 2,
                                   "plot": f"{'ABCDEF'[die - 1]}2"}))
          for die, end in enumerate(("0805", "1006", "1008", "0809", "0608", "0606"), start=1)),
        *(flee("R-KP-03", option, "1 0807", f="1 B1", dice=north(1), more={"scatter": list("DEFABC")}, scatter=option,
               at=f"1 {end}") for option, end in (("die1_is_a_clockwise", "0806"), ("custom_table", "0808"))),
        *(flee("KP-11.22b R-KP-69", f"infantry_{number}", "29 0807", **ground, f="29 D1", dice="scatter:29 1",
               at="29 0806", one=(PanicPlotted, {"direction": "A", "points": 1, "plot": "A1"}))
          for number, ground in enumerate(({}, {"woods": "0806"}, {"stream_sides": "0806/0807"}, {"slope": "0806"},
                                           {"road": ROAD}))),
        *(flee(POINTS, f"points_{unit}_{points}_{number}", f"{unit} 0807", **ground, f=f"{unit} D1",
               dice=north(points, unit), at=f"{unit} {end}",
               one=(PanicPlotted, {"points": 3 if unit == "48" else points}))
          for number, (unit, points, ground, end) in enumerate((
              ("1", 6, {}, "0801"), ("1", 3, {"woods": "0806"}, "0806"),
              ("1", 2, {"woods": "0806"}, "0807"),  # not enough for the first hex
              ("1", 4, {"woods": "0806 0805"}, "0806"), ("1", 5, {"stream_sides": "0805/0806"}, "0805"),
              ("1", 4, {"stream_sides": "0805/0806"}, "0806"), ("138", 5, {}, "0805"), ("138", 1, {}, "0807"),
              ("48", 6, {}, "0804"),  # an A11 has three points
              ("1", 2, {"road": ROAD}, "0803"), ("1", 1, {"road": ROAD}, "0805")))),
        flee("R-KP-67 KP-11.22c KP-11.22b", "carrier_and_infantry", "146 0807; 29 aboard 146", dice=north(3, "146"),
             f="146 D1", at="146 0804; 29 0804", one=(PanicPlotted, {"unit": "146"})),
        # no unit leaves the map, not even by an exit hex
        *(flee(EDGE, f"edge_{unit}_{start}_{number}", f"{unit} {start}", die=3 if start[-1] == "3" else 1,
               dice=f"scatter:{unit} {scatter}" + (f"; points:{unit} 4" if unit == "1" else ""), f=f"{unit} D1",
               more=more, at=f"{unit} {end}")
          for unit, start, scatter, end in (("1", "0803", 1, "0801"), ("1", "0801", 1, "0801"), ("29", "0801", 1,
          "0801"),
                                            ("1", "0217", 5, "0118"), ("1", "1507", 3, "1607"), ("1", "0101", 6,
                                            "0101"))
          for number, more in enumerate(({}, {"exits": {"french": end}}))),
        row("KP-11.22d KP-11.0d KP-4.1e", "others_move_as_plotted", "1 0801; 2 1208", f="1 D2; 2 D2",
            dice=f"panic:french 1; {north(6)}", more={"panic": {"french": 5}}, at="1 0801; 2 1210"),
        *(flee("KP-11.12b KP-9.71a KP-9.71c", f"hit_before_{die}", "6 0807", "102 0804", dice=f"fire:0807:6 {die}",
               f="6 D2", g="102 N 0807", at="6 0807", levels=f"6 {level}", never=(PanicPlotted,))
          for die, level in ((6, 0), (3, 1))),
        flee("KP-11.21a R-KP-54 KP-11.0b", "overrun_is_movement", "1 0807", "112 0809", dice=north(1), f="1 D1 VD",
             at="1 0806"),
        # execution
        flee("KP-11.23a KP-6.3a", "zone", "1 0807", "112 0803", dice=north(6), f="1 D1", at="1 0804",
             stops="1 0804 zone"),
        flee("R-KP-70 KP-7.0c KP-11.23a", "enemy_in_the_way", "1 0807", "138 0804", dice=north(6), f="1 D1",
             at="1 0805", stops="1 0805 enemy"),
        *(flee("R-KP-70 R-KP-15", f"friend_in_the_way_{points}", "1 0807; 2 0805", dice=north(points), f="1 D1",
               at=f"1 {end}; 2 0805") for points, end in ((2, "0806"), (3, "0804"), (1, "0806"))),
        flee("R-KP-70 R-KP-74 KP-13.0c", "entrenchment", "1 0807; 29 0805 entrenched", dice=north(2), f="1 D1",
             at="1 0806"),
        flee("R-KP-70 KP-7.1a", "infantry_to_a_gun", "29 0807; 38 0806 A", dice="scatter:29 1", f="29 D1",
             at="29 0806; 38 0806"),
        # S35 with 12 points against PzIVE with 10, each one hex from 0808
        flee("KP-11.23b KP-6.4d", "panicked_unit_is_slower", "1 0807", "105 0809", dice="scatter:1 4; points:1 1",
             f="1 D1", g="105 A1", contest="0808 105>1 allowance"),
        flee("KP-11.23b KP-6.4d", "unpanicked_unit_is_faster", "1 0807", "105 0809", die=2, f="1 D1", g="105 A1",
             contest="0808 1>105 allowance"),
        flee("KP-11.23b KP-6.4c", "fewer_hexes_first", "1 0807", "105 0810", dice="scatter:1 4; points:1 1",
             road="0810 0809 0808", f="1 D1", g="105 A2", contest="0808 1>105 hexes"),
        flee("R-KP-14 KP-11.23b", "two_panicked_units", "1 0807", "105 0809", more={"panic": {"french": 2,
            "germans": 4}},
             dice="panic:germans 2; scatter:1 4; points:1 1; scatter:105 1; points:105 1", f="1 D1", g="105 A1",
             contest="0808 1>105 allowance"),
        flee("KP-11.23b", "slower_than_infantry", "1 0807", "112 0809", dice="scatter:1 4; points:1 1", f="1 D1",
             g="112 A1", one=(ContestDecided, {"winners": ["112"]})),
    ],
)  # fmt: skip
def test_panicked_unit_flees_by_its_dice(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("R-KP-78", "KP-14.7.2")
def test_no_flight_on_a_turn_without_movement(stage: Stage) -> None:
    case = stage("flavion", french="11 2138; 6 2338", germans="122 0101", dice={"panic:french": "2"})
    case.turn()
    assert case.events(PanicPlotted) == []
    assert case.at("11", "6") == "2138 2338"


# --- hidden rolls ---


@pytest.mark.rule("R-KP-71")
@pytest.mark.parametrize("option", ["open", "hidden"])
def test_hidden_panic_roll_is_not_in_the_enemy_view(new_case: NewCase, option: str) -> None:
    case = panicking(
        new_case, "1 1211", "1", germans="102 1215; 103 1115", panic_roll_secret=option, dice={"fire:*": "6"}
    )
    case.upto(germans="102 N 1211; 103 N 1211")  # the phase after the rolls
    rolled = next(each for each in case.events(PanicRolled) if each.side == "french")
    assert case.seen(rolled, "french") == rolled
    assert (case.seen(rolled, "germans") is not None) == (option == "open")
    views = [msgspec.to_builtins(case.game.view(side)) | {"side": ""} for side in ("french", "germans")]
    assert (views[0] == views[1]) == (option == "open")
    case.answer(group("germans", "102 103"))


@pytest.mark.full
@pytest.mark.rule("R-KP-71")
@pytest.mark.parametrize(("choice", "sides_seen"), [("open", {"germans", "poles"}), ("hidden", {"poles"})])
def test_hidden_panic_roll_is_not_in_the_enemy_slice(choice: str, sides_seen: set[str]) -> None:
    prepared, key = installed().prepare("poland", {"panic_roll_secret": choice}), key_from_seed("hidden panic")
    names, dice = name_seats(prepared, {}), KeyedDice(key, "host")
    game = prepared.new_game(dice)
    game.play(seat_players(prepared, names, key))
    log = parse_log(log_bytes(make_header(prepared, names, dice), game)[0], "log")
    assert verify(log, prepared).verdict == "verified"
    cut = slice_log(log, prepared, "poles")
    assert check_slice(cut, "slice") == len(log.lines) - 1
    _, records = read_slice(parse_log(cut, "slice"), Rulesets())
    rolls = {record.label.split("/")[2] for record in records if isinstance(record, RollRecord)}
    happened = [record.event for record in records if isinstance(record, EventRecord)]
    assert {label for label in rolls if label.startswith("panic:")} == {f"panic:{side}" for side in sides_seen}
    assert {event.side for event in happened if isinstance(event, PanicRolled)} == sides_seen
    assert (b"panic:germans" in cut) == (choice == "open")
