"""Setup: both sides build starting forces in secret, then the campaign opens (AOA-1.01, AOA-2.05)."""

from axis_attack.forces.company import company_calculation, company_space, starting_force
from axis_attack.model.cards import SIDES, Board, CompanyList
from axis_attack.model.events import CampaignOpened, CompanyBuilt
from axis_attack.model.orders import BuildCompany, Wanted
from axis_attack.model.state import AxisState
from axis_attack.model.strength import level_of, size_of_level
from axis_attack.model.tables import CLEAR, FIRST_WEATHER
from axis_attack.setup.settings import first_points
from sandtable import UNSET, Calculation, Calculations, Decision, Procedure, Roll, Sealed

FIRST_MISSION = "encounter"


def build_companies(state: AxisState) -> Procedure:
    """Ask both sides for their starting forces, record the levels, and open the campaign."""
    board: Board = state.board
    decisions = []
    for side in SIDES:
        prompt = f"build your starting force of up to {board.points_of(side)} points"
        space, done = company_space(state, side), starting_force(board.lists[side])
        purpose = f"company.{side}"
        decisions.append(Decision(side, prompt, space, "AOA-1.01", done=done, secret=True, purpose=purpose))
    answers: dict[str, BuildCompany] = yield Sealed(tuple(decisions))
    for side in SIDES:
        yield company_built(state, side, answers[side])
    weather = CLEAR
    calculations: Calculations = UNSET
    if state.options["initial_weather"] == "random":
        (die,) = yield Roll(1, 6, "weather", "AOA-R16")
        weather, calculations = (
            FIRST_WEATHER[die - 1],
            (Calculation("weather", (), ("AOA-R16", "first turn", str(die))),),
        )
    balance = {side: first_points(board, state.options, side) for side in SIDES}
    yield CampaignOpened(board.start_sector, FIRST_MISSION, weather, balance, calculations=calculations)


def company_built(state: AxisState, side: str, order: BuildCompany) -> CompanyBuilt:
    """Return a legal starting force as an event: levels rounded down (AOA-1.10), and transports.

    The transports are those of the level, or of the exact size if ``strength_memory`` is "exact_teams" (AOA-R10).
    """
    company: CompanyList = state.board.lists[side]
    levels = {each: level_of(company.types[it.type], it.teams) for each, it in order.platoons.items()}
    is_exact = state.options["strength_memory"] == "exact_teams"
    transports = {
        each: _transports(company, it, 0 if is_exact else levels[each]) for each, it in order.platoons.items()
    }
    points = company_calculation(company, order)
    aircraft = dict(order.aircraft)
    return CompanyBuilt(side, dict(order.platoons), levels, transports, aircraft, points.total, calculations=(points,))


def _transports(company: CompanyList, wanted: Wanted, level: int) -> int:
    """Return the transports of a level, or for level 0 those of the exact size that was bought (AOA-R10)."""
    its_type = company.types[wanted.type]
    size = size_of_level(its_type, level) or next(each for each in its_type.sizes if each.teams == wanted.teams)
    return size.transports
