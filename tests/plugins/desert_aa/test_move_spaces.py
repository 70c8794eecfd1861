"""The spaces of move orders, held against plain walks over the map of Frontier: judged, listed, drawn, asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.plugins.desert_aa.conftest import ready, set_up

from desert_aa.model.orders import EndMoves, MoveUnits
from desert_aa.model.state import DesertState, Minefield, Unit
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, NonCombatMoves
from sandtable import Space
from sandtable.kernel.dice import Stream

if TYPE_CHECKING:
    from desert_aa.movement.routes import MoveSpace

ROAD = "BTR-RAS BTR-TEL MGH-TEL MSH-RAS"
TRACKS = "KHA-MSH KHA-OAS KHA-RAS MGH-WAZ OAS-RAS OAS-TEL OAS-WAZ TEL-WAZ"
PAN = "BTR-SHO OAS-SHO RAS-SHO SHO-TEL"
"""The salt pan in the middle, which planes alone cross."""
ZONES = {"MGH", "WAZ", "MSH", "KHA"}
STEPS = {"infantry": 1, "artillery": 1, "armour": 2, "aa_gun": 1, "fighter": 4, "bomber": 6}
SIDE = {"italy": "axis", "germany": "axis", "england": "allies"}
PLANES = ("fighter", "bomber")


def links(*tables: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pair in " ".join(tables).split():
        one, _, two = pair.partition("-")
        found.setdefault(one, []).append(two)
        found.setdefault(two, []).append(one)
    return found


BY_ROAD, BY_LAND, BY_AIR = links(ROAD), links(ROAD, TRACKS), links(ROAD, TRACKS, PAN)

Way = tuple[tuple[str, ...], bool]
"""A path, and whether it is a raid."""


def walks(near: Mapping[str, list[str]], start: str, most: int) -> Iterator[tuple[str, ...]]:
    """Yield every walk of one step to ``most`` steps."""
    edge: list[tuple[str, ...]] = [(start,)]
    for _ in range(most):
        edge = [(*path, there) for path in edge for there in near[path[-1]]]
        yield from edge


class Umpire:
    """Judges moves by the text of the rules, on a map of his own."""

    def __init__(self, state: DesertState) -> None:
        self.state, self.power, self.side = state, state.phasing_power, state.phasing_side
        enemies = [unit for unit in state.units.values() if SIDE[unit.power] != self.side]
        self.defended = {unit.space for unit in enemies if unit.kind != "aa_gun"}
        self.manned = {unit.space for unit in enemies}
        self.hostile = self.manned | {space for space, power in state.control.items() if SIDE[power] != self.side}
        mines = state.minefields.items()
        self.mined = {space for space, mine in mines if mine.known and SIDE[mine.power] != self.side}
        own = state.options["air_land_ally"] == "own_only"
        self.landable = {
            space
            for space, power in state.control.items()
            if (power == self.power if own else SIDE[power] == self.side) and space not in state.captured
        }

    def far(self, unit: Unit) -> int:
        return STEPS[unit.kind] - unit.moved if unit.kind in PLANES else STEPS[unit.kind] + 1  # DAA-4.02, DAA-5.01

    def home(self, space: str) -> int:
        ways = (len(path) - 1 for path in walks(BY_AIR, space, 6) if path[-1] in self.landable)
        return 0 if space in self.landable else next(ways, 99)

    def halts(self, kind: str, space: str) -> bool:
        foot = kind in ("infantry", "artillery") and self.state.options["mech_blitz"] == "tanks_only"
        return space in self.manned or space in self.mined or (foot and space in self.hostile)

    def attacks(self, unit: Unit) -> Iterator[Way]:
        if unit.kind in PLANES:
            homes = {space: self.home(space) for space in self.defended}
            for path in walks(BY_AIR, unit.space, self.far(unit)):
                if len(path) - 1 + homes.get(path[-1], 99) <= self.far(unit):
                    yield path, False
                    if unit.kind == "bomber" and path[-1] in ZONES:
                        yield path, True
        elif unit.kind != "aa_gun" and unit.condition not in ("extended", "cut"):
            for path in walks(BY_LAND, unit.space, self.far(unit)):
                if self.hostile & {*path[1:]} and not any(self.halts(unit.kind, space) for space in path[1:-1]):
                    yield path, False

    def marches(self, unit: Unit) -> Iterator[Way]:
        if unit.kind in PLANES:
            flights = [path for path in walks(BY_AIR, unit.space, self.far(unit)) if path[-1] in self.landable]
            if any(path[-1] != unit.space for path in flights):
                yield from ((path, False) for path in flights)
        elif (
            not unit.moved
            and unit.condition not in ("extended", "cut")
            and self.name(unit) not in self.state.taken_flak
        ):
            for path in walks(BY_LAND, unit.space, self.far(unit)):
                if not self.hostile & {*path[1:]} and not (unit.kind == "aa_gun" and self.is_full(path[-1])):
                    yield path, False

    def name(self, unit: Unit) -> str:
        return next(each for each, known in self.state.units.items() if known is unit)

    def is_full(self, space: str) -> bool:
        guns = [each for each in self.state.units.values() if each.kind == "aa_gun" and SIDE[each.power] == self.side]
        return self.few and any(gun.space == space for gun in guns)

    @property
    def few(self) -> bool:
        return self.state.options["aa_limit"] == "one_per_space"

    def ways(self, combat: bool, only: str = "") -> dict[str, list[Way]]:
        """Return the ways of every unit that has any."""
        judge = self.attacks if combat else self.marches
        own = {each: unit for each, unit in self.state.units.items() if unit.power == self.power and only in ("", each)}
        return {each: ways for each, unit in own.items() if (ways := list(judge(unit)))}

    def orders(self, combat: bool, only: str = "") -> set[tuple[tuple[str, ...], tuple[str, ...], bool]]:
        """Return every order: all groups of those who may go the same way."""
        able: dict[Way, list[str]] = {}
        for each, ways in self.ways(combat, only).items():
            for way in ways:
                able.setdefault(way, []).append(each)
        found = set()
        for (path, raid), units in able.items():
            for size in range(1, len(units) + 1):
                for group in combinations(sorted(units), size):
                    flak = sum(self.state.units[each].kind == "aa_gun" for each in group)
                    if flak < 2 or not self.few:
                        found.add((group, path, raid))
        return found

    def lies_after(self, unit: Unit, path: tuple[str, ...]) -> bool:
        """Tell whether a move is paid for, its last step being the extra one (DAA-4.03, DAA-6.02, DAA-R18)."""
        return (
            unit.kind not in PLANES and len(path) - 1 > STEPS[unit.kind] and path[-1] not in BY_ROAD.get(path[-2], ())
        )


class Table(NamedTuple):
    """A position, whose move it is and in which phase."""

    units: str
    power: str
    combat: bool = True
    options: dict[str, str] = {}
    tweak: Callable[[DesertState], object] = lambda state: None
    control: dict[str, str] = {}
    mines: dict[str, Minefield] = {}
    only: str = ""


def with_units(**changes: dict[str, Any]) -> Callable[[DesertState], None]:
    """Return what changes units, named with "_" for "-"."""

    def tweak(state: DesertState) -> None:
        for name, facts in changes.items():
            for fact, value in facts.items():
                setattr(state.units[name.replace("_", "-")], fact, value)

    return tweak


def after_a_fight(state: DesertState) -> None:
    """England took the oasis with its gun; one unit moved, one lies, planes are in the air."""
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
    "nobody is near": Table("MGH it-inf-1 it-arm-1 it-ftr-1; MSH uk-aa-1", "italy"),
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
    """Return what the umpire says of a position, and its space of orders."""
    return laid(TABLES[name])


def laid(table: Table) -> tuple[Umpire, MoveSpace]:
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
def test_moves_are_all_that_the_rules_allow(name: str) -> None:
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
def test_every_other_walk_is_refused(name: str) -> None:
    """Each unit alone, on every walk a step longer than it can go, over everything that is next to anything."""
    umpire, space = opened(name)
    table = TABLES[name]
    lawful = umpire.ways(table.combat, table.only)
    for each, unit in umpire.state.units.items():
        ways = {*lawful.get(each, ())}
        for path in walks(BY_AIR, unit.space, min(4, umpire.far(unit) + 1)):
            for raid in (False, True):
                legal = space.why_not(MoveUnits([each], list(path), raid)) is None
                home_only = unit.kind in PLANES and not ways and path[-1] == unit.space
                assert legal == ((path, raid) in ways) or home_only, (each, path, raid)


def answers(space: MoveSpace) -> Iterator[Any]:
    """Yield every order to which questions part by part lead."""
    begun: list[list[Any]] = [[]]
    while begun:
        told = begun.pop()
        asking = space.in_parts()
        assert asking is not None
        _, options = next(asking)
        try:
            for answer in told:
                _, options = asking.send(answer)
        except StopIteration as done:
            yield done.value
        else:
            assert not isinstance(options, Space)
            begun += [[*told, option] for option in options]


SMALL = ("nobody is near", "Italy lands on its own", "one plane must land", "a tank and two men", "three guns")


@pytest.mark.rule("DAA-16.02", "DAA-18.02", "DAA-R50")
@pytest.mark.parametrize("name", SMALL)
def test_questions_part_by_part_lead_to_every_move_and_so_do_draws(name: str) -> None:
    umpire, space = opened(name)
    table = TABLES[name]
    wanted = umpire.orders(table.combat, table.only)
    asked = list(answers(space))
    assert Counter(moves(asked)) == {order: len(order[0]) for order in wanted}  # whoever of a group is named first
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
def test_the_moves_of_many_units_are_counted_up_to_a_million(combat: bool) -> None:
    assert laid(Table("OAS uk-inf-1..30", "england", combat))[1].count() == 1_000_000


@pytest.mark.rule("DAA-16.01", "DAA-13.01")
def test_moves_are_ended_with_one_draw_in_eight_and_half_the_sorties_against_a_zone_are_raids() -> None:
    _, space = opened("nobody is near")
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
def test_a_march_ends_as_often_after_a_space_as_it_goes_on_in_either_way() -> None:
    """Between two spaces: half of the drawn marches of a tank make one space, a quarter two, a quarter three."""
    _, space = opened("to and fro")
    stream = Stream(b"marches")
    drawn = [space.sample(stream) for _ in range(1_200)]
    steps = [len(order.path) - 1 for order in drawn if order != EndMoves()]
    assert [round(4 * steps.count(each) / len(steps), 1) for each in (1, 2, 3)] == pytest.approx([2, 1, 1], abs=0.21)


@pytest.mark.rule("DAA-4.03", "DAA-6.02", "DAA-16.02")
@pytest.mark.parametrize("name", TABLES)
def test_destinations_come_with_a_shortest_way_and_without_a_penalty_if_there_is_one(name: str) -> None:
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
