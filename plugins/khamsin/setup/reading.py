"""The board of a module, and the opening state, in which no piece is deployed."""

from collections.abc import Mapping
from dataclasses import replace

from khamsin.model.cards import SIDES, Board, Change, FormationCard
from khamsin.model.state import Formation, KhamsinState, Leader, Report
from khamsin.setup.map import sides_in
from khamsin.setup.sheet import Sheet, placed, read_sheet
from khamsin.setup.validation import problems_of, starts_of
from sandtable import Scenario, raise_all
from sandtable.areas import AreaMap


def read_board(scenario: Scenario, options: Mapping[str, str]) -> Board:
    """Return the board of a module. Raises DataError, with file and key, for all errors in its data."""
    sheet = read_sheet(scenario)
    raise_all([placed(scenario, key, problem) for key, problem in problems_of(sheet)])
    return build_board(scenario.id, scenario.title, sheet, options)


def build_board(ident: str, title: str, sheet: Sheet, options: Mapping[str, str]) -> Board:
    """Compile a valid sheet into a board."""
    area_map, muster = sheet.ground.map, sheet.muster
    areas = area_map.areas
    neighbors = {area: area_map.adjacent(area) for area in area_map.ids}
    fortress = {area.id: area.text("fortress") for area in areas if area.text("fortress")}
    fortified = {area.id: area.text("fortified") for area in areas if area.text("fortified")} | fortress
    return Board(
        module=ident,
        title=title,
        sides={side: sheet.sides[side].title for side in SIDES},
        commanders={side: sheet.sides[side].commanders for side in SIDES},
        turns=sheet.calendar.turns,
        calendar=sheet.calendar.labels,
        map=area_map,
        areas=area_map.ids,
        names={area.id: area.name for area in areas},
        terrain={area.id: area.terrain for area in areas},
        neighbors=neighbors,
        kind_between=_kinds(area_map),
        distances={area: _distances(neighbors, area) for area in area_map.ids},
        kinds=tuple(sheet.cost),
        cost=sheet.cost,
        cross_country=sheet.cross_country,
        control={area.id: area.text("control") for area in areas},
        supply={area.id: sides_in(area, "supply") for area in areas if area.text("supply")},
        stocks={area.id: area.number("stocks") for area in areas if area.number("stocks")},
        base={area.text("base"): area.id for area in areas if area.text("base")},
        entries={side: tuple(area.id for area in areas if side in sides_in(area, "entry")) for side in SIDES},
        fortress=fortress,
        fortified=dict(sorted(fortified.items())),
        objectives=tuple(area for area, points in sheet.victory.score.items() if points),
        closed={side: sheet.sides[side].closed for side in SIDES},
        guides=sheet.guides,
        companies=muster.companies,
        formations={key: _formation(sheet, card) for key, card in muster.formations.items()},
        leaders={key: replace(card, start=starts_of(sheet, card)) for key, card in muster.leaders.items()},
        nations=muster.nations,
        pools=sheet.pools,
        weather=sheet.weather,
        air=sheet.air,
        victory=sheet.victory,
        events=_by_turn(sheet.events),
        stratagems={side: sheet.sides[side].stratagems for side in SIDES},
        apart=sheet.apart,
        base_points=int(options["base_points"]),
    )


def _formation(sheet: Sheet, card: FormationCard) -> FormationCard:
    """Return a card with its open values filled in: starting areas, historical area, commander."""
    start = starts_of(sheet, card)
    historical = card.historical or (start or card.entries)[0]
    commander = card.commander or sheet.sides[card.side].commanders[0]
    return replace(card, start=start, historical=historical, commander=commander)


def _by_turn(changes: tuple[Change, ...]) -> dict[int, tuple[Change, ...]]:
    turns = sorted({change.turn for change in changes})
    return {turn: tuple(change for change in changes if change.turn == turn) for turn in turns}


def _kinds(area_map: AreaMap) -> dict[tuple[str, str], str]:
    one_way = [(link.a, link.b, link.kind) for link in area_map.connectors]
    return {(a, b): kind for a, b, kind in sorted(one_way + [(b, a, kind) for a, b, kind in one_way])}


def _distances(neighbors: Mapping[str, tuple[str, ...]], start: str) -> dict[str, int]:
    found = {start: 0}
    edge = [start]
    for here in edge:
        for there in neighbors[here]:
            if there not in found:
                found[there] = found[here] + 1
                edge.append(there)
    return dict(sorted(found.items()))


def opening_state(board: Board, options: Mapping[str, str]) -> KhamsinState:
    """Return the state before deployment: all pieces are off the map, and control is as in the module."""
    players = [player for side in SIDES for player in board.commanders[side]]
    return KhamsinState(
        formations={key: Formation(side=card.side, strength=card.strength) for key, card in board.formations.items()},
        leaders={key: Leader(side=card.side) for key, card in board.leaders.items()},
        control=dict(board.control),
        reports={side: Report() for side in SIDES},
        honor=dict.fromkeys(players, 0),
        options=dict(options),
    )
