"""Roles decided by the mission, the table's position (AOA-8.09, AOA-8.21, AOA-8.22), and weather (AOA-6.01)."""

from axis_attack.model.cards import ENEMY, SIDES, Board
from axis_attack.model.events import ChoiceRolled, RolesRolled, TablePlaced, TableShifted, WeatherRolled
from axis_attack.model.orders import PlaceTable, ShiftTable
from axis_attack.model.state import AxisState
from axis_attack.model.strength import roll_off
from axis_attack.model.tables import WEATHER, mud_steps
from sandtable import Calculation, Decision, Form, OneOf, Procedure, Range, Roll

ATTACKS_FIRST = ("tank", "mechanized", "infantry")
"""Types of company; in a defensive battle the type that is listed first attacks (AOA-R34, AOA-R38)."""


def place_table(state: AxisState) -> Procedure:
    """Decide open roles, let the last winner choose the table, and let the other side pay to shift it."""
    if not state.attacker:
        yield from _settle_roles(state)
    chooser = state.winner if state.winner in SIDES else ""
    if not chooser:
        chooser, dice = yield from roll_off("choice", "AOA-R33")
        yield ChoiceRolled(chooser, dice)
    columns, rows = corner_limits(state)
    column = row = 0
    if columns or rows:
        space = Form(PlaceTable, {"column": Range(0, columns, "AOA-R42"), "row": Range(0, rows, "AOA-R42")})
        prompt = "choose the position of the table on the sector's map"
        purpose = f"place_table.{state.sector}.{chooser}"
        order: PlaceTable = yield Decision(chooser, prompt, space, "AOA-8.21", purpose=purpose)
        column, row = order.column, order.row
    yield TablePlaced(chooser, column, row)
    yield from _shift(state, ENEMY[chooser])


def corner_limits(state: AxisState) -> tuple[int, int]:
    """Return the last column and row for the table's corner, so that the table stays inside the map (AOA-R42)."""
    board: Board = state.board
    sector, (width, depth) = board.sector(state.sector), board.table
    return max(0, sector.columns - width), max(0, sector.rows - depth)


def _settle_roles(state: AxisState) -> Procedure:
    """Decide attacker and defender by the mission's method (AOA-8.09, AOA-R38): company types or a roll-off."""
    board: Board = state.board
    if board.missions[state.mission].defensive_battle:
        ranks = {side: ATTACKS_FIRST.index(board.lists[side].company) for side in SIDES}
        if len(set(ranks.values())) > 1:
            attacker = min(SIDES, key=lambda side: ranks[side])
            yield RolesRolled(attacker, ENEMY[attacker])
            return
    attacker, dice = yield from roll_off("roles", "AOA-8.09")
    yield RolesRolled(attacker, ENEMY[attacker], dice)


def shifts(state: AxisState, side: str) -> list[ShiftTable]:
    """Return the shifts that a side can pay for, beginning with no shift. The table stays inside (AOA-8.22)."""
    columns, rows = corner_limits(state)
    column, row = state.corner
    others = [
        ShiftTable(there - column, down - row)
        for down in range(rows + 1)
        for there in range(columns + 1)
        if 0 < abs(there - column) + abs(down - row) <= state.balance[side]
    ]
    return [ShiftTable(), *others]


def _shift(state: AxisState, side: str) -> Procedure:
    """Let the other side shift the table, for one victory point per square."""
    orders = shifts(state, side)
    if len(orders) == 1:
        return
    why = f"the table stays inside the map, and a square costs 1 of your {state.balance[side]} victory points"
    space = OneOf(orders, "AOA-8.22", why)
    column, row = state.corner
    prompt, purpose = "shift the table, or leave it", f"shift_table.{state.sector}.{column}.{row}.{side}"
    order: ShiftTable = yield Decision(side, prompt, space, "AOA-8.22", done=orders[0], purpose=purpose)
    if order != orders[0]:
        squares = (("squares east or west", abs(order.east)), ("squares north or south", abs(order.south)))
        cost = Calculation("cost", tuple((what, number, "AOA-8.22") for what, number in squares if number))
        yield TableShifted(side, column + order.east, row + order.south, cost.total, calculations=(cost,))


def roll_weather(state: AxisState) -> Procedure:
    """Roll the weather by the last weather, for the defender (AOA-6.02, AOA-6.03); by option not after a concession."""
    if state.conceded and state.options["weather_if_conceded"] == "skipped":
        return
    (die,) = yield Roll(1, 6, "weather", "AOA-6.03")
    weather = WEATHER[state.weather][die - 1]
    waits = state.options["mud_timing"] == "end_of_turn"  # the mud changes when the turn closes (AOA-R18)
    unchanged = ("previous ground, changes at the end of the turn", state.mud, "AOA-R18")
    steps = (unchanged,) if waits else mud_steps(state.mud, weather)
    mud = Calculation("mud", steps)
    calculations = (Calculation("weather", (), ("AOA-6.03", state.weather, str(die))), mud)
    yield WeatherRolled(state.defender, die, weather, mud.total, calculations=calculations)
