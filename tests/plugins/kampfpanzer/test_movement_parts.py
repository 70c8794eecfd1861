"""The clock of phase E by itself: plots that stand written already, on a clear map; phases C and E are played."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import pytest

import kampfpanzer
from kampfpanzer.model import events, handlers, orders
from kampfpanzer.model.board import Board, Victory
from kampfpanzer.model.forces import Group, counters
from kampfpanzer.model.state import DESTROYED, ON_MAP, WAITING, KampfState, Unit
from kampfpanzer.turn.combat import combat
from kampfpanzer.turn.movement import movement
from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import Event
from sandtable.kernel.handlers import functions_of
from sandtable.kernel.options import OneOf
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Phase, Procedure, SequenceOfPlay
from sandtable.testing.loaded_dice import LoadedDice

E = TypeVar("E", bound=Event)
FRENCH, GERMANS = SIDES = ("french", "germans")
GRID = HexGrid(columns=16, rows=24)


def rest(_state: KampfState) -> Procedure:
    """Stand still after the phases."""
    yield Decision(FRENCH, "the turn is over", OneOf([]))


RULES = Ruleset(
    id="clock",
    version="1",
    sides=SIDES,
    state_type=KampfState,
    sequence=SequenceOfPlay((Phase("combat", combat), Phase("movement", movement), Phase("rest", rest))),
    functions=tuple(functions_of([handlers])),
    orders=orders.ORDERS,
    events=events.EVENTS,
)


def kind_name(unit_id: str, options: Mapping[str, str]) -> str:
    return next(name for name, ids in counters(options).ids.items() if unit_id in ids)


class Turn:
    """A turn from phase C to the end of phase E, or to the question that is still open."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def state(self) -> KampfState:
        state = self.game.state
        assert isinstance(state, KampfState)
        return state

    def at(self, *unit_ids: str) -> str:
        return " ".join(self.state.units[each].hex or "-" for each in unit_ids)

    def level(self, unit_id: str) -> int:
        unit = self.state.units[unit_id]
        return 4 if unit.standing == DESTROYED else unit.disruption

    def events(self, kind: type[E]) -> list[E]:
        found = (record.event for record in self.game.records if isinstance(record, EventRecord))
        return [event for event in found if isinstance(event, kind)]

    def stops(self) -> dict[str, tuple[int, str, str]]:
        return {each.unit: (each.tick, each.hex, each.why) for each in self.events(events.UnitStopped)}

    def track(self, unit_id: str) -> dict[int, str]:
        return {each.tick: each.hexes[unit_id] for each in self.events(events.UnitsMoved) if unit_id in each.hexes}

    def rolls(self) -> list[str]:
        return [record.label.split("/")[-2] for record in self.game.records if isinstance(record, RollRecord)]


def unit_line(unit_id: str, side: str, words: str, options: Mapping[str, str]) -> Unit:
    """Read "0708 A", "aboard 146", "waits", each also with "D1" or "pinned" behind it."""
    unit = Unit(kind_name(unit_id, options), side, standing=ON_MAP)
    for word in words.split():
        if word.isdigit() and len(word) == 4:
            unit.hex = word
        elif word == "waits":
            unit.standing = WAITING
        elif word.isdigit():
            unit.carrier = word
        elif len(word) == 2:
            unit.disruption = int(word[1])
        elif word != "aboard":
            unit.pinned, unit.facing = word == "pinned", "" if word == "pinned" else word
    return unit


def play(
    french: Mapping[str, str],
    germans: Mapping[str, str],
    dice: Mapping[str, str] | None = None,
    entrenched: Mapping[str, str] | None = None,
    ground: Mapping[str, str] | None = None,
    answers: Sequence[tuple[str, Order]] = (),
    more: Mapping[str, Any] | None = None,
    **chosen: str,
) -> Turn:
    """Play phases C and E: by unit "0708 A: P 0603", where it stands and what it plotted; dice by purpose.

    ``entrenched`` are sides by hex, ``ground`` is terrain by hex. All ``answers`` must be asked for, all dice fall.
    """
    options = {option.name: option.default for option in kampfpanzer.options()} | chosen
    lines = {
        unit: (side, line) for side, own in zip(SIDES, (french, germans), strict=True) for unit, line in own.items()
    }
    units = {unit: unit_line(unit, side, line.split(":")[0], options) for unit, (side, line) in lines.items()}
    for unit in units.values():
        if unit.carrier:
            unit.hex, unit.standing = units[unit.carrier].hex, units[unit.carrier].standing
    plots = {unit: line.split(": ")[1] for unit, (_, line) in lines.items() if ": " in line}
    state = KampfState(units=units, plots=plots, options=options, entrenchments=dict(entrenched or {}))
    facts = dict(more or {})
    for name in ("panicked", "panic_plots"):
        for unit_id, text in facts.pop(name, {}).items():
            units[unit_id].panicked = True
            if name == "panic_plots":
                state.panic_plots[unit_id] = text
    state.place_board(board_of(units, ground or {}, options, facts))
    told = {purpose: [(int(face),) for face in faces.split()] for purpose, faces in (dice or {}).items()}
    with LoadedDice(by=told) as loaded:
        game = Game(RULES, state, loaded)
        game.start()
        for side, order in answers:
            game.submit(order, side)
        assert game.state.phase == "rest", game.waiting()
    return Turn(game)


def board_of(units: Mapping[str, Unit], ground: Mapping[str, str], options: Mapping[str, str], facts: Any) -> Board:
    groups = tuple(
        Group(side, tuple(each for each, unit in units.items() if unit.side == side), enters=facts.get("enters", 0))
        for side in SIDES
    )
    listed = counters(options)
    return Board(
        scenario="clock",
        title="The clock",
        hexmap=HexMap("clock", GRID, {number: (kind,) for number, kind in ground.items()}),
        kinds=listed.kinds,
        units={each: unit.kind for each, unit in units.items()},
        sides=SIDES,
        titles={side: side for side in SIDES},
        panic=dict.fromkeys(SIDES, 1),
        last_turn=10,
        groups=groups,
        victory=Victory(kind="majority"),
        exits=facts.get("exits", {}),
        no_move={},
        riders=facts.get("riders", False),
        scatter={},
        side_of={each: unit.side for each, unit in units.items()},
        group_of={each: group for group in groups for each in group.units},
    )


EXAMPLE_FRENCH = {
    "39": "0313 A: L 0304",
    "38": "0708 A: P 0603",
    "10": "0508: A2 F4",
    "20": "0509: F1 A2 F3",
    "18": "1205: F2 B4",
    "29": "0807: E1",
}
EXAMPLE_GERMANS = {
    "145": "0102: C7",
    "94": "0702: D5 VD",
    "93": "0804: D2 VD",
    "104": "0202: D6",
    "105": "1002: D3",
    "114": "0304 D1",
}
EXAMPLE_DICE = {
    "shell:114:39": "6",
    "shell:145:39": "2 3",
    "fire:0706:94": "3",
    "overrun:0807": "4",
    "counter:29": "3",
    "contest:1004:french": "2",
    "contest:1004:germans": "5",
}
COUNTER = [(FRENCH, orders.Counterattack("93"))]


@pytest.mark.rule("KP-5.5a")
def test_example_5_5_ends_as_the_book_says() -> None:
    turn = play(EXAMPLE_FRENCH, EXAMPLE_GERMANS, EXAMPLE_DICE, {"0708": FRENCH}, {"0807": "hilltop"}, COUNTER)
    assert turn.at("145", "94", "93", "104", "105", "114") == "0805 0707 0808 0206 1004 0304"
    assert turn.at("39", "38", "10", "20", "18", "29") == "0313 0708 0104 0306 1105 0807"
    assert [turn.level(each) for each in ("145", "94", "29", "93", "114")] == [1, 1, 2, 0, 1]
    assert turn.events(events.UnitsFrozen)[0].units == ["29", "38"]
    assert turn.stops() == {
        "18": (4, "1105", "contest"),
        "105": (4, "1004", "contest_won"),
        "94": (10, "0707", "hit"),
        "104": (8, "0206", "zone"),
        "20": (8, "0306", "zone"),
    }


@pytest.mark.rule("KP-5.5a")
def test_example_5_5_goes_tick_by_tick_as_the_book_says() -> None:
    turn = play(EXAMPLE_FRENCH, EXAMPLE_GERMANS, EXAMPLE_DICE, {"0708": FRENCH}, {"0807": "hilltop"}, COUNTER)
    first = turn.events(events.UnitsMoved)[0]
    assert (first.tick, first.hexes) == (
        2,
        {"10": "0507", "18": "1105", "20": "0408", "93": "0805", "94": "0703", "104": "0203", "105": "1003"},
    )
    assert turn.track("145") == {4: "0202", 8: "0303", 12: "0403", 16: "0504", 20: "0604", 24: "0705", 28: "0805"}
    assert turn.track("93") == {2: "0805", 4: "0806", 6: "0807", 12: "0808"}
    (fire,) = turn.events(events.FireResolved)
    assert (fire.firers, fire.targets, fire.hex, fire.superiority, fire.result) == (["38"], ["94"], "0706", -1, "D1")
    (trigger,) = turn.events(events.FireTriggered)
    assert (trigger.tick, trigger.hex) == (8, "0706")
    (overrun,) = turn.events(events.OverrunResolved)
    assert (overrun.superiority, overrun.counted, overrun.result) == (3, 1, "D2")
    (counter,) = turn.events(events.CounterattackResolved)
    assert (counter.target, counter.superiority, counter.result) == ("93", -2, "P")


@pytest.mark.rule("KP-5.1e")
def test_a_halt_of_two_points_lets_both_pass() -> None:
    turn = play({"20": "0509: F1 S2 A2 F3"}, {"104": "0202: D6"})
    assert turn.at("20", "104") == "0105 0208"
    assert turn.stops() == {}


FIRERS = {"11": "0305: P 0905", "6": "0702: P 0708", "1": "1302: P 1308", "19": "1402: P 1408"}


@pytest.mark.rule("KP-9.23b", "KP-9.24b", "KP-9.24c")
def test_example_9_24a() -> None:
    dice = {"fire:1306:102": "6", "fire:1406:102": "6", "fire:0705:105": "6"}
    together = [(FRENCH, orders.GroupFire([["6", "11"]]))]
    turn = play(FIRERS, {"105": "0607: A2 B1", "102": "1206: B1 C1"}, dice, answers=together)
    assert [(each.firers, each.target, each.hex) for each in turn.events(events.FireTriggered)] == [
        (["1"], "102", "1306"),
        (["19"], "102", "1406"),
        (["6", "11"], "105", "0705"),
    ]
    assert [each.superiority for each in turn.events(events.FireResolved)] == [2, 3, 2]


@pytest.mark.rule("KP-9.23b")
def test_crossing_the_hexside_on_the_line_triggers() -> None:
    turn = play({"11": "0305: P 0905"}, {"105": "0607: A3"}, {"fire:0604:105": "6"})
    (trigger,) = turn.events(events.FireTriggered)
    assert (trigger.hex, trigger.tick) == ("0604", 6)


# --- zones, and the clock ---


@pytest.mark.rule("KP-8.0d")
def test_an_enemy_who_was_beside_it_before_does_not_stop_it() -> None:
    turn = play({"138": "0808: D2"}, {"94": "0807: C1"})
    assert (turn.at("138", "94"), turn.stops()) == ("0810 0908", {})


@pytest.mark.rule("R-KP-09", "KP-8.0e")
@pytest.mark.parametrize(
    ("option", "ends"),
    [("impossible_first", "0809 0708"), ("evaluate_tick", "0808 0708"), ("start_positions", "0809 0708")],
)
def test_two_enemies_side_by_side_drive_the_same_way(option: str, ends: str) -> None:
    turn = play({"1": "0808: D1"}, {"94": "0708: D1"}, zoc_to_zoc=option)
    assert turn.at("1", "94") == ends
    assert turn.stops()["94"] == (2, "0708", "zone_to_zone")


@pytest.mark.rule("R-KP-06")
@pytest.mark.parametrize(
    ("option", "track", "met_in"),
    [
        ("mp_ticks", {4: "0806", 12: "0807", 16: "0808"}, "0807"),
        ("hex_steps", {2: "0806", 8: "0807", 10: "0808"}, "0808"),
    ],
)
def test_the_clock(option: str, track: dict[int, str], met_in: str) -> None:
    assert play({"138": "0805: D1 S2 D2"}, {}, movement_clock=option).track("138") == track
    turn = play({"138": "0805: D4"}, {"94": "0812: A4"}, movement_clock=option)
    assert turn.stops()["138"][1:] == (met_in, "zone")


# --- the end of the move ---


@pytest.mark.rule("R-KP-15")
@pytest.mark.parametrize(("unit", "end"), [("94", "0808 0809"), ("95", "0809 0909")])
def test_the_owner_may_choose_who_goes_back(unit: str, end: str) -> None:
    answers = [(GERMANS, orders.BackUp(unit))]
    turn = play({"29": "0710"}, {"94": "0807: D3", "95": "0909: E2"}, answers=answers, end_overstack="owner_chooses")
    assert turn.at("94", "95") == end


@pytest.mark.rule("R-KP-15")
def test_back_at_its_start_it_sends_back_who_has_come_there() -> None:
    # 95 has no legal hex but its start, into which 94 has moved: 94 is the next to go.
    turn = play({"29": "0711"}, {"94": "0808: D1", "95": "0809: D2", "96": "0810"})
    assert turn.at("94", "95", "96") == "0808 0809 0810"
    assert [each.unit for each in turn.events(events.UnitBackedUp)] == ["95", "94"]


@pytest.mark.rule("R-KP-15")
def test_where_an_enemy_has_come_to_its_start_it_goes_beside() -> None:
    turn = play({"1": "0806: S2 D2"}, {"94": "0808: D1", "96": "0809"})
    assert turn.at("1", "94", "96") == "0808 0909 0809"
    (back,) = turn.events(events.UnitBackedUp)
    assert (back.unit, back.start, back.hex, back.why) == ("94", "0809", "0909", "stack")


@pytest.mark.rule("R-KP-15")
def test_where_an_enemy_has_come_to_its_start_and_nowhere_else_is_free_it_is_eliminated() -> None:
    ring = dict.fromkeys(("0709", "0710", "0810", "0909", "0910"), GERMANS)  # no place for a tank (KP-13.0c)
    turn = play({"1": "0806: S2 D2"}, {"94": "0808: D1", "96": "0809"}, entrenched=ring)
    assert (turn.at("1", "96"), turn.state.units["94"].standing) == ("0808 0809", DESTROYED)
    assert turn.events(events.UnitBackedUp) == []
    (lost,) = turn.events(events.UnitDestroyed)
    assert (lost.unit, lost.rule) == ("94", "R-KP-15")


# --- overruns ---


@pytest.mark.rule("R-KP-53", "R-KP-07")
def test_an_enemy_comes_behind_it_at_the_same_moment() -> None:
    turn = play({"29": "0808", "138": "0910: F1"}, {"94": "0806: D1 VD"})
    assert (turn.at("94", "138"), turn.events(events.OverrunResolved)) == ("0807 0809", [])
    assert turn.stops() == {"94": (4, "0807", "exit")}


@pytest.mark.rule("R-KP-53", "R-KP-52")
def test_an_enemy_comes_behind_it_while_it_is_there() -> None:
    answers = [(FRENCH, orders.DeclineCounterattack())]
    turn = play({"29": "0808", "138": "0910: S2 F1"}, {"94": "0806: D1 VD"}, {"overrun:0808": "6"}, answers=answers)
    assert turn.at("94", "138") == "0807 0809"
    (back,) = turn.events(events.UnitBackedUp)
    assert (back.start, back.hex, back.why, back.rule) == ("0808", "0807", "overrun", "R-KP-53")
    assert turn.stops()["94"] == (10, "0807", "exit")


# --- on and off the map ---


@pytest.mark.rule("R-KP-20", "R-KP-22", "KP-14.0g")
@pytest.mark.parametrize(("option", "missed"), [("allowed_if_blocked", []), ("never", ["94"])])
def test_the_entrance_is_held(option: str, missed: list[str]) -> None:
    turn = play({"29": "0105"}, {"94": "waits: 0105 D1", "95": "waits: 0103 B1"}, entry_delay=option)
    assert (turn.at("94", "95"), turn.state.missed) == ("- 0202", missed)
    assert turn.track("95") == {2: "0103", 4: "0202"}


@pytest.mark.rule("R-KP-20")
def test_into_an_enemy_zone_one_may_enter() -> None:
    turn = play({"29": "0106"}, {"94": "waits: 0105 B1", "95": "waits: 0105 A1", "112": "waits: 0105"})
    assert turn.at("94", "95") == "0105 -"
    assert turn.stops()["94"] == (2, "0105", "zone")
    assert turn.events(events.EntryMissed)[0].units == ["95", "112"]


@pytest.mark.rule("R-KP-15", "R-KP-20")
def test_back_off_the_map() -> None:
    turn = play({"1": "0306: A1"}, {"94": "waits: 0105 B1 A1", "95": "waits: 0105 B1", "96": "waits: 0105"})
    assert turn.at("94", "95", "96") == "0204 - 0105"
    assert (turn.events(events.UnitBackedUp)[0].hex, turn.state.units["95"].standing) == ("", WAITING)
    assert turn.events(events.EntryMissed)[0].units == ["95"]


@pytest.mark.rule("R-KP-21", "KP-14.0i")
@pytest.mark.parametrize(("option", "tick"), [("clear_cost", 4), ("free", 2)])
def test_off_the_map(option: str, tick: int) -> None:
    turn = play({}, {"146": "0102: A2", "112": "aboard 146"}, map_exit=option)
    (left,) = turn.events(events.UnitsExited)
    assert (left.tick, left.edges) == (tick, {"146": "0101"})
    assert {turn.state.units[each].standing for each in ("146", "112")} == {"exited"}


# --- on and off vehicles ---


@pytest.mark.rule("R-KP-65", "KP-12.0g", "R-KP-34")
@pytest.mark.parametrize(("option", "end"), [("any_vacant_adjacent", "0809"), ("zoc_restricted", "0808")])
def test_debarking_beside_an_enemy(option: str, end: str) -> None:
    turn = play({"29": "0710"}, {"138": "0808: Q 0809", "115": "aboard 138: Q"}, debark_hex=option)
    assert turn.at("138", "115") == f"{end} 0808"
    assert turn.state.units["115"].facing == ("A" if end == "0809" else "")


@pytest.mark.rule("R-KP-65", "KP-6.4e")
def test_both_sides_want_one_hex_for_their_trucks() -> None:
    dice = {"contest:0808:french": "5", "contest:0808:germans": "5"}
    dice = {purpose: f"{faces} {other}" for (purpose, faces), other in zip(dice.items(), "62", strict=True)}
    french = {"138": "0806", "30": "aboard 138", "139": "0807: Q 0808", "29": "aboard 139: Q"}
    turn = play(french, {"140": "0809: Q 0808", "112": "aboard 140: Q"}, dice)
    assert turn.at("139", "140") == "0808 0809"
    assert {each.unit for each in turn.events(events.OperationFailed)} == {"140", "112"}


@pytest.mark.rule("KP-12.14c", "KP-12.15a")
def test_a_hex_that_an_embarking_truck_leaves_is_vacant() -> None:
    french = {"138": "0808: M 0809", "29": "0809: M", "139": "0807: Q 0808", "38": "aboard 139: Q C"}
    turn = play(french, {})
    assert turn.at("138", "29", "139", "38") == "0809 0809 0808 0807"
    assert (turn.state.units["29"].carrier, turn.state.units["38"].facing) == ("138", "C")
