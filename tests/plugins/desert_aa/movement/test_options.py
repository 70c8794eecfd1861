"""Spaces of move orders compared with the walks of an independent umpire."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.plugins.desert_aa.conftest import ready, set_up
from tests.plugins.desert_aa.oracle.searches import questions
from tests.plugins.desert_aa.oracle.umpire import BY_AIR, PLANES, SIDE, Umpire, walks

from desert_aa.model.orders import EndMoves, MoveUnits
from desert_aa.model.state import DesertState, Minefield
from desert_aa.movement import air
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, MoveSpace, NonCombatMoves
from sandtable import Space
from sandtable.kernel.dice import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desert_aa.movement.routes import MoveSpace


@pytest.mark.rule("DAA-6.02", "DAA-4.03")
@pytest.mark.parametrize("scenario", [pytest.param("western_desert", marks=pytest.mark.full), "frontier"])
def test_destination_paths_avoid_penalties_of_equal_length(scenario: str) -> None:
    spared = 0
    for game, decision in questions(scenario, "random"):
        space: Any = decision.options
        if game.state.turn > 2:
            break
        for leaders in space.leaders.values():
            unit_id = leaders[0]
            for end, path in space.destinations(unit_id).items():
                if space.lies_after(unit_id, path):
                    ways = [way for way, _ in space.routes(unit_id) if way[-1] == end and len(way) == len(path)]
                    assert all(space.lies_after(unit_id, way) for way in ways)
                    spared += 1
    assert spared


MAPS = ("western_desert", "frontier")


@pytest.mark.full
@pytest.mark.parametrize("scenario", MAPS)
def test_plane_destinations_have_the_first_listed_path(scenario: str) -> None:
    compared = 0
    for game, decision in questions(scenario, "random"):
        space: Any = decision.options
        fliers = [each for able in space.leaders.values() for each in able if game.state.units[each].kind in PLANES]
        for unit_id in fliers[:2] if game.state.turn % 3 == 1 else ():
            for raid in (False, True):
                plain: dict[str, list[str]] = {}
                for path, is_raid in space.routes(unit_id):
                    if is_raid == raid:
                        plain.setdefault(path[-1], path)
                assert list(space.destinations(unit_id, raid=raid).items()) == list(plain.items())
                compared += len(plain)
    assert compared > 20


@pytest.mark.parametrize("scenario", [pytest.param("western_desert", marks=pytest.mark.full), "frontier"])
def test_leaders_are_the_units_that_can_end_in_a_different_space(scenario: str) -> None:
    for game, decision in questions(scenario, "commander"):
        space: Any = decision.options
        if not isinstance(space, NonCombatMoves) or space.only or game.state.turn % 3 != 1:
            continue
        fresh = NonCombatMoves.on(Ground(game.state))
        for start, movers in fresh.ground.movers.items():
            for unit_id in movers:
                unit = game.state.units[unit_id]
                if unit.kind in PLANES:
                    ends = air.in_reach(fresh.ground, start, dict.fromkeys(fresh.ground.landable, 0), 6 - unit.moved)
                    far = fresh.ground.range_of(unit)
                    may = any(0 < game.state.board.air_distance[start][end] <= far for end in ends)
                else:
                    may = fresh.why_unit(unit_id, start) is None and any(True for _ in fresh.routes(unit_id))
                assert may == (unit_id in fresh.leaders.get(start, ()))


def test_combat_moves_have_every_unit_that_can_attack() -> None:
    for game, decision in questions("frontier", "random"):
        space = decision.options
        if isinstance(space, CombatMoves):
            fresh = CombatMoves.on(Ground(game.state))
            able = {unit_id for start in fresh.leaders.values() for unit_id in start}
            movers = {unit_id for start in fresh.ground.movers.values() for unit_id in start}
            for unit_id in sorted(movers):
                idle = fresh.why_unit(unit_id, game.state.units[unit_id].space) is not None
                assert (unit_id in able) == (not idle and any(True for _ in fresh.routes(unit_id)))


class Table(NamedTuple):
    """A position with the power on move and the phase."""

    units: str
    power: str
    combat: bool = True
    options: dict[str, str] = {}
    tweak: Callable[[DesertState], object] = lambda state: None
    control: dict[str, str] = {}
    mines: dict[str, Minefield] = {}
    only: str = ""


def with_units(**changes: dict[str, Any]) -> Callable[[DesertState], None]:
    """Return a function that changes units, which are named with "_" for "-"."""

    def tweak(state: DesertState) -> None:
        for name, facts in changes.items():
            for fact, value in facts.items():
                setattr(state.units[name.replace("_", "-")], fact, value)

    return tweak


def after_a_fight(state: DesertState) -> None:
    """Set England after a battle: it captured the oasis with flak, one unit moved, one is case_of down, planes fly."""
    state.captured, state.taken_flak = ["OAS"], ["uk-aa-4"]
    with_units(uk_inf_2={"moved": 1}, uk_inf_3={"condition": "cut"}, uk_ftr_1={"moved": 3}, uk_bom_1={"moved": 4})(
        state
    )


BEHIND = "KHA uk-aa-1..2 uk-inf-1; MSH uk-aa-3 uk-arm-1; RAS uk-inf-2..3; BTR uk-ftr-1 de-inf-1; OAS uk-bom-1 uk-aa-4"
HELD = {"germany": "BTR"}
KNOWN, HIDDEN = Minefield("england", known=True), Minefield("england")
TABLES = {
    "England attacks": Table(
        "OAS uk-inf-1..2 uk-arm-1 uk-aa-1; RAS uk-art-1 uk-ftr-1; KHA uk-bom-1; "
        "BTR de-inf-1; WAZ it-aa-1; MGH it-inf-1",
        "england",
        tweak=with_units(uk_inf_2={"condition": "extended"}, uk_bom_1={"moved": 1}),
    ),
    "Germany runs through": Table(
        "TEL de-arm-1..2 de-inf-1; BTR de-art-1 de-bom-1 it-inf-1; RAS uk-aa-1; MSH uk-inf-1",
        "germany",
        options={"mech_blitz": "allowed", "air_land_ally": "own_only"},
        mines={"OAS": KNOWN, "KHA": HIDDEN},
        tweak=with_units(de_arm_2={"condition": "cut"}, de_bom_1={"moved": 2}),
    ),
    "no enemy is near": Table("MGH it-inf-1 it-arm-1 it-ftr-1; MSH uk-aa-1", "italy"),
    "three spaces away": Table("MGH it-arm-1 it-inf-1; MSH uk-inf-1", "italy", control={"germany": "OAS KHA"}),
    "England behind its lines": Table(BEHIND, "england", combat=False, tweak=after_a_fight, control=HELD),
    "England has few guns": Table(
        BEHIND, "england", combat=False, tweak=after_a_fight, control=HELD, options={"aa_limit": "one_per_space"}
    ),
    "Italy lands on its own": Table(
        "WAZ it-ftr-1 it-aa-1; TEL de-inf-1; MGH it-bom-1",
        "italy",
        combat=False,
        options={"air_land_ally": "own_only"},
        tweak=with_units(it_ftr_1={"moved": 1}, it_bom_1={"moved": 3}),
    ),
    "nowhere to go": Table("MGH it-inf-1 it-ftr-1", "italy", combat=False, control={"england": "TEL WAZ BTR"}),
    "to and fro": Table("MGH it-arm-1", "italy", combat=False, control={"england": "TEL"}),
    "one plane must land": Table(
        "BTR uk-ftr-1 uk-bom-1; RAS uk-inf-1",
        "england",
        combat=False,
        control={"germany": "BTR"},
        tweak=with_units(uk_ftr_1={"moved": 2}, uk_bom_1={"moved": 5}),
        only="uk-ftr-1",
    ),
    "a tank and two men": Table("RAS uk-arm-1 uk-inf-1..2; BTR de-inf-1", "england", control={"england": "TEL"}),
    "three guns": Table(
        "KHA uk-aa-1..2 uk-inf-1; RAS uk-aa-3; OAS de-inf-1",
        "england",
        combat=False,
        options={"aa_limit": "one_per_space"},
    ),
}


def opened(name: str) -> tuple[Umpire, MoveSpace]:
    """Return the umpire of a position, and its space of orders."""
    return case_of(TABLES[name])


def case_of(table: Table) -> tuple[Umpire, MoveSpace]:
    prepared = ready("frontier", **table.options)
    state = set_up(
        prepared, table.units, table.power, control=table.control, mines=dict(table.mines), tweak=table.tweak
    )
    state.place_board(prepared.board)
    state.phasing_power, state.phasing_side = table.power, SIDE[table.power]
    ground = Ground(state)
    return Umpire(state), CombatMoves.on(ground) if table.combat else NonCombatMoves.on(ground, only=table.only)


def plain(order: MoveUnits) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    return tuple(order.units), tuple(order.path), order.raid


def moves(orders: list[Any]) -> list[tuple[tuple[str, ...], tuple[str, ...], bool]]:
    return [plain(order) for order in orders if order != EndMoves()]


@pytest.mark.rule("DAA-16.02", "DAA-16.03", "DAA-16.04", "DAA-16.05", "DAA-18.02", "DAA-18.03", "DAA-R50")
@pytest.mark.parametrize("name", TABLES)
def test_listed_moves_are_the_legal_ones(name: str) -> None:
    umpire, space = opened(name)
    table = TABLES[name]
    wanted = umpire.orders(table.combat, table.only)
    listed = list(space.values())
    assert (listed[:1] == [EndMoves()]) is not bool(table.only)
    assert len(moves(listed)) == len(listed) - (not table.only)
    assert len({*moves(listed)}) == len(moves(listed))
    assert {*moves(listed)} == wanted
    for limit in (1, 2, len(listed) - 1, len(listed), len(listed) + 1, 10**6):
        assert limit == 0 or space.count(limit) == min(limit, len(listed))
    assert {each for able in space.leaders.values() for each in able} == umpire.ways(table.combat, table.only).keys()
    assert all(space.why_not(order) is None for order in listed)
    stream = Stream(b"drawn")
    assert {*moves([space.sample(stream) for _ in range(200)])} <= wanted


@pytest.mark.rule("DAA-16.02", "DAA-18.02", "DAA-13.01", "DAA-R50")
@pytest.mark.parametrize("name", TABLES)
def test_every_illegal_walk_is_refused(name: str) -> None:
    """Each unit tries every walk of up to one step more than its range, over all connectors."""
    umpire, space = opened(name)
    table = TABLES[name]
    allowed = umpire.ways(table.combat, table.only)
    for each, unit in umpire.state.units.items():
        ways = {*allowed.get(each, ())}
        for path in walks(BY_AIR, unit.space, min(4, umpire.far(unit) + 1)):
            for raid in (False, True):
                legal = space.why_not(MoveUnits([each], list(path), raid)) is None
                home_only = unit.kind in PLANES and not ways and path[-1] == unit.space
                assert legal == ((path, raid) in ways) or home_only, (each, path, raid)


def answers(space: MoveSpace) -> Iterator[Any]:
    """Yield every order that answers part by part can build."""
    begun: list[list[Any]] = [[]]
    while begun:
        given = begun.pop()
        asking = space.in_parts()
        assert asking is not None
        _, options = next(asking)
        try:
            for answer in given:
                _, options = asking.send(answer)
        except StopIteration as done:
            yield done.value
        else:
            assert not isinstance(options, Space)
            begun += [[*given, option] for option in options]


SMALL = ("no enemy is near", "Italy lands on its own", "one plane must land", "a tank and two men", "three guns")


@pytest.mark.rule("DAA-16.02", "DAA-18.02", "DAA-R50")
@pytest.mark.parametrize("name", SMALL)
def test_every_move_is_built_part_by_part_and_can_be_drawn(name: str) -> None:
    umpire, space = opened(name)
    table = TABLES[name]
    wanted = umpire.orders(table.combat, table.only)
    asked = list(answers(space))
    assert Counter(moves(asked)) == {order: len(order[0]) for order in wanted}  # any unit of a group may be named first
    assert (EndMoves() in asked) is not bool(table.only)
    stream = Stream(b"every one")
    left = set(wanted)
    for _ in range(200 * len(wanted)):
        left -= {*moves([space.sample(stream)])}
        if not left:
            break
    assert not left


@pytest.mark.rule("DAA-16.02")
@pytest.mark.parametrize("combat", [True, False])
def test_moves_of_many_units_are_counted_up_to_a_million(combat: bool) -> None:
    assert case_of(Table("OAS uk-inf-1..30", "england", combat))[1].count() == 1_000_000


@pytest.mark.rule("DAA-16.01", "DAA-13.01")
def test_random_moves_end_in_one_of_eight_and_raid_in_half_of_sorties() -> None:
    _, space = opened("no enemy is near")
    stream = Stream(b"one in eight")
    ended = sum(space.sample(stream) == EndMoves() for _ in range(2_000))
    assert 235 < ended < 265
    umpire, space = opened("England attacks")
    sorties = [space.draw(umpire.state.units["uk-bom-1"], stream) for _ in range(600)]
    raids = [raid for path, raid in sorties if path[-1] == "MGH"]
    assert {path[-1] for path, raid in sorties} == {"MGH", "BTR"}
    assert 0.45 < sum(raids) / len(raids) < 0.55
    assert not any(raid for path, raid in sorties if path[-1] == "BTR")


@pytest.mark.rule("DAA-18.01")
def test_random_march_stops_or_continues_uniformly() -> None:
    """A tank between two spaces: half of its drawn marches have one step, a quarter two, a quarter three."""
    _, space = opened("to and fro")
    stream = Stream(b"marches")
    drawn = [space.sample(stream) for _ in range(1_200)]
    steps = [len(order.path) - 1 for order in drawn if order != EndMoves()]
    assert [round(4 * steps.count(each) / len(steps), 1) for each in (1, 2, 3)] == pytest.approx([2, 1, 1], abs=0.21)


@pytest.mark.rule("DAA-4.03", "DAA-6.02", "DAA-16.02")
@pytest.mark.parametrize("name", TABLES)
def test_destinations_have_shortest_paths_preferably_without_penalty(name: str) -> None:
    umpire, space = opened(name)
    table = TABLES[name]
    for each, ways in umpire.ways(table.combat, table.only).items():
        unit = umpire.state.units[each]
        for raid in (False, True):
            shortest: dict[str, list[tuple[str, ...]]] = {}
            for path, is_raid in sorted(ways, key=lambda way: len(way[0])):
                known = shortest.setdefault(path[-1], [path]) if is_raid == raid else []
                if known and path not in known and len(path) == len(known[0]):
                    known.append(path)
            found = space.destinations(each, raid=raid)
            assert found.keys() == shortest.keys()
            for end, way in found.items():
                assert tuple(way) in shortest[end]
                lies = [umpire.lies_after(unit, path) for path in shortest[end]]
                assert umpire.lies_after(unit, tuple(way)) == all(lies), (each, end)
