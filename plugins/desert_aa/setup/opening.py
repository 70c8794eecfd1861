"""The board and the first state of a scenario, read, checked and compiled for play."""

from collections.abc import Mapping

from desert_aa.model.board import FAR, Board, Neighbours
from desert_aa.model.state import DesertState, Unit
from desert_aa.model.tables import (
    ALLIES,
    AXIS,
    CLOSED_ALL,
    FLAK,
    OPEN,
    POWERS,
    POWERS_OF,
    PREFIX,
    REAR_SPACES,
    ROAD,
    SHORT,
    SIDE_OF,
    SIDES,
)
from desert_aa.setup.reading import Sheet, read_sheet
from sandtable import DataError, Scenario


def read_board(scenario: Scenario, options: Mapping[str, str]) -> Board:
    """Return the board of ``scenario``. Raises DataError, with file and key, if its data are wrong."""
    sheet = read_sheet(scenario)
    if options["aa_limit"] == "one_per_space":
        _check_flak(scenario, sheet)
    return build_board(scenario.id, scenario.title, sheet, options)


def build_board(ident: str, title: str, sheet: Sheet, options: Mapping[str, str]) -> Board:
    """Return the board of a valid sheet."""
    facts = sheet.facts
    area_map = sheet.map
    around = {area: area_map.adjacent(area) for area in area_map.ids}
    spaces = tuple(area for area in area_map.ids if facts[area].terrain == OPEN)
    flown = [area for area in area_map.ids if facts[area].terrain != CLOSED_ALL]
    air = {area: tuple(near for near in around[area] if near in flown) for area in flown}
    road_next: dict[str, list[str]] = {area: [] for area in spaces if facts[area].road}
    for link in area_map.connectors:
        if link.kind == ROAD:
            road_next[link.a].append(link.b)
            road_next[link.b].append(link.a)
    capitals = {facts[area].capital: area for area in spaces if facts[area].capital}
    road = _chain(road_next, capitals[AXIS])
    purse_of = _purses(options)
    land = {area: tuple(near for near in around[area] if near in spaces) for area in spaces}
    return Board(
        scenario=ident,
        title=title,
        map=area_map,
        names={area.id: area.name for area in area_map.areas},
        spaces=spaces,
        closed={area: facts[area].terrain for area in area_map.ids if area not in spaces},
        value={area: facts[area].value for area in spaces},
        owner={area: facts[area].owner for area in spaces},
        cities=tuple(area for area in spaces if facts[area].city),
        zones=tuple(area for area in spaces if facts[area].zone),
        mineable=tuple(area for area in spaces if not facts[area].city and not facts[area].road),
        capitals={side: capitals[side] for side in SIDES},
        capital_of={area: side for side, area in capitals.items()},
        land=land,
        air=air,
        land_distance={area: _distances(land, area) for area in spaces},
        air_distance={area: _distances(air, area) for area in flown},
        road=road,
        road_next={area: tuple(sorted(near)) for area, near in road_next.items()},
        rear={side: _rears(road, capitals[side]) for side in SIDES},
        purse_of=purse_of,
        cash=_opening_cash(sheet, purse_of),
        grant=_grants(sheet.bonus, purse_of, options),
        forces=sheet.forces,
        round_limit=_round_limit(sheet.round_limit, options),
    )


def _chain(neighbors: dict[str, list[str]], start: str) -> tuple[str, ...]:
    """Return the spaces of the road in order, from the end that is nearer to ``start``."""
    ends = sorted(area for area, near in neighbors.items() if len(near) < 2)
    found = []
    for end in ends:
        chain = [end]
        while on := [near for near in neighbors[chain[-1]] if near not in chain]:
            chain.append(on[0])
        found.append(tuple(chain))
    return min(found, key=lambda chain: chain.index(start))


def _distances(neighbors: Neighbours, start: str) -> dict[str, int]:
    found = dict.fromkeys(neighbors, FAR)
    found[start] = 0
    edge = [start]
    for here in edge:
        for there in neighbors[here]:
            if found[there] == FAR:
                found[there] = found[here] + 1
                edge.append(there)
    return found


def _rears(road: tuple[str, ...], capital: str) -> Neighbours:
    """Return, for each road space, up to two next spaces along the road toward ``capital``, the nearest first."""
    home = road.index(capital)
    rears = {}
    for place, space in enumerate(road):
        ahead = road[place + 1 : home + 1] if place < home else road[home:place][::-1]
        rears[space] = ahead[:REAR_SPACES]
    return rears


def _purses(options: Mapping[str, str]) -> dict[str, str]:
    """Return the purse of each power (DAA-R01): that of its side, or by option its own for Axis powers."""
    apart = options["axis_treasury"] == "per_nation"
    return {power: power if apart and SIDE_OF[power] == AXIS else SIDE_OF[power] for power in POWERS}


def _opening_cash(sheet: Sheet, purse_of: dict[str, str]) -> dict[str, int]:
    """Return the money in each purse at the start (DAA-R02): the printed sum, or the income of its power."""
    return {
        purse: sheet.cash[purse] if purse in SIDES else sheet.income[purse]
        for purse in dict.fromkeys(purse_of.values())
    }


BIDS = {AXIS: "axis_bid", ALLIES: "allies_bid"}
"""The handicap of each side (DAA-R68, DAA-R69)."""


def _grants(printed: int, purse_of: dict[str, str], options: Mapping[str, str]) -> dict[str, int]:
    """Return each purse's part of its side's grant, including its bid. The first power gets the odd IPC."""
    grants = {}
    for side in (AXIS, ALLIES):
        bid = options[BIDS[side]]
        bonus = printed + (0 if bid == "none" else int(bid))
        purses = list(dict.fromkeys(purse_of[power] for power in POWERS_OF[side]))
        for place, purse in enumerate(purses):
            grants[purse] = bonus // len(purses) + (1 if place < bonus % len(purses) else 0)
    return grants


def _round_limit(printed: int, options: Mapping[str, str]) -> int:
    """Return the last round, or 0 for no limit (DAA-R63)."""
    chosen = options["round_limit"]
    if chosen == "scenario":
        return printed
    return 0 if chosen == "none" else int(chosen)


def _check_flak(scenario: Scenario, sheet: Sheet) -> None:
    """Raise DataError if a side has more than one flak gun in a space, which the option forbids (DAA-R50)."""
    held: dict[str, int] = {}
    for power, stacks in sheet.forces.items():
        for space, stack in stacks.items():
            held[space] = held.get(space, 0) + stack.get(FLAK, 0)
            if held[space] > 1:
                problem = f"makes {held[space]} guns in {space}; aa_limit = one_per_space allows only one"
                raise DataError(scenario.source, f"forces.{power}.{space}.{FLAK}", problem)


def opening_state(board: Board, options: Mapping[str, str]) -> DesertState:
    """Return the first state: opening forces, money, no minefields."""
    units: dict[str, Unit] = {}
    made: dict[str, int] = {}
    for power in POWERS:
        for space, stack in board.forces.get(power, {}).items():
            for kind, number in stack.items():
                name = f"{PREFIX[power]}-{SHORT[kind]}"
                for _ in range(number):
                    made[name] = made.get(name, 0) + 1
                    units[f"{name}-{made[name]}"] = Unit(power, kind, space)
    return DesertState(
        units=units,
        made=made,
        control=dict(board.owner),
        cash=dict(board.cash),
        waiting={power: {} for power in POWERS},
        mines_waiting=dict.fromkeys(POWERS, 0),
        options=dict(options),
    )
