"""Fielding companies for an engagement: the permitted companies, and the decision of each side (KH-13, KH-17)."""

from collections.abc import Mapping

from msgspec.structs import replace

from khamsin.engagement.company_options import Companies
from khamsin.engagement.mission import fighters, has_significant, label, rerolls, title_of
from khamsin.leaders.honor import player_of
from khamsin.leaders.leaders import leaders_with
from khamsin.model.battle_events import CompaniesFielded
from khamsin.model.cards import ENEMY, SIDES, Board
from khamsin.model.forces import card
from khamsin.model.handlers import ledger
from khamsin.model.orders import FieldCompanies
from khamsin.model.state import TOTAL_WAR, Engagement, KhamsinState
from sandtable import Decision, Form, Procedure, Sealed

Bounds = dict[str, tuple[int, int]]


def field_companies(state: KhamsinState, engagement: Engagement) -> Procedure:
    """Let both sides field their companies: in secret at the same time, or openly, the attacker first (KH-R31)."""
    if state.options["company_selection"] == "attacker_first":
        first = attacking_side(state, engagement)
        for side in (first, ENEMY[first]):
            answer: FieldCompanies = yield _decision(state, engagement, side, secret=False)
            yield _fielded(state, engagement, side, answer)
        return
    answers = yield Sealed(tuple(_decision(state, engagement, side, secret=True) for side in SIDES))
    for side in SIDES:
        yield _fielded(state, engagement, side, answers[side])


def attacking_side(state: KhamsinState, engagement: Engagement) -> str:
    """Return the attacking side: the enemy of the stationary side.

    If both sides moved, it is the enemy of the side that controlled the area.
    """
    owner = engagement.stationary or engagement.holder or state.control[engagement.area]
    return ENEMY[owner]


def _decision(state: KhamsinState, engagement: Engagement, side: str, *, secret: bool) -> Decision:
    prompt = f"field your companies at {title_of(state, engagement)}: {engagement.mission}"
    space = Form(FieldCompanies, {"companies": companies_space(state, engagement, side)})
    purpose = f"field.{label(engagement)}.{side}"
    return Decision(side, prompt, space, "KH-13.01", secret=secret, purpose=purpose)


def _fielded(state: KhamsinState, engagement: Engagement, side: str, answer: FieldCompanies) -> CompaniesFielded:
    named = [replace(each, player=player_of(state, side, each)) for each in answer.companies]
    return CompaniesFielded(engagement.id, side, named)


def companies_space(state: KhamsinState, engagement: Engagement, side: str) -> Companies:
    """Return the companies that a side may field. Formations without strength field none."""
    board: Board = state.board
    able = fighters(state, engagement, side)
    people = leaders_with(state, engagement, side)
    number = engagement.number
    types = {each: card(state, each).options for each in able}
    large = engagement.mode == TOTAL_WAR
    bounds = _bounds(state, able, number, large=large)
    moved_in = large and side != engagement.stationary
    return Companies(
        number=number,
        types=types,
        bounds=bounds,
        bounds_rule="KH-R29" if state.options["action_allocation"] != "free" and not large else "KH-R28",
        players=board.commanders.get(side, ()),
        has_people=bool(people),
        has_team=any(board.leaders[each].command for each in people),
        has_bonus=has_significant(engagement, side),
        has_air=may_fly(state, side),
        may_trade=rerolls(engagement, side) > 0,
        stratagems=board.stratagems.get(side, ()) if moved_in else (),
        large=large,
        kinds=min(number, most_kinds(types, bounds)) if large else 0,
        status=lambda: _status_lines(state, able, side),
    )


def _status_lines(state: KhamsinState, able: list[str], side: str) -> dict[str, str]:
    """Return texts: each formation's attrition and supply, and under "air" the air support left (KH-7.04)."""
    found = {}
    for each in able:
        book, supplied = ledger(state, each), state.formations[each].supplied
        wear = f"attrition {book.armor} armor, {book.general} general"
        found[each] = f"{wear}, {'in supply' if supplied else 'OUT OF SUPPLY'}"
    board: Board = state.board
    if side in board.air:
        left = max(0, board.air[side].engagements - state.air_used.get(side, 0))
        level = air_level(state, side)
        flies = may_fly(state, side)
        found["air"] = f"{level}, for {left} more of this turn's engagements" if flies else "none for this engagement"
    return found


def may_fly(state: KhamsinState, side: str) -> bool:
    """Return whether a side's air force can support one more engagement this turn (KH-7.04)."""
    board: Board = state.board
    weather = board.weather.cards.get(state.weather)
    its_card = board.air.get(side)
    if its_card is None or air_level(state, side) == "none" or (weather is not None and weather.air == "none"):
        return False
    return state.air_used.get(side, 0) < its_card.engagements


def air_level(state: KhamsinState, side: str) -> str:
    """Return the level of a side's air support, including changes by events (KH-7.04)."""
    board: Board = state.board
    its_card = board.air.get(side)
    return state.air_level.get(side, its_card.level if its_card else "none")


def _bounds(state: KhamsinState, able: list[str], number: int, *, large: bool) -> Bounds:
    """Return the minimum and maximum number of companies of each formation (KH-R28, KH-R29).

    If strengths limit the shares and the limited shares are too few, only the strengths apply.
    """
    strengths = {each: state.formations[each].strength for each in able}
    bounds = share_bounds(strengths, number, "free" if large else state.options["action_allocation"])
    if state.options["strength_caps_actions"] == "yes":
        capped = {each: (min(low, strengths[each]), min(high, strengths[each])) for each, (low, high) in bounds.items()}
        if sum(high for _, high in capped.values()) >= number:
            return capped
        return {each: (0, strengths[each]) for each in able}
    return bounds


def share_bounds(strengths: Mapping[str, int], number: int, allocation: str) -> Bounds:
    """Return, for each formation, the minimum and maximum of its share of ``number`` companies.

    ``allocation`` is free, spread_evenly, or proportional to strength.
    """
    if allocation == "free":
        return dict.fromkeys(strengths, (0, number))
    total = sum(strengths.values())
    parts = {
        each: (number, len(strengths)) if allocation == "spread_evenly" else (number * own, total)
        for each, own in strengths.items()
    }
    return {each: (above // below, -(-above // below)) for each, (above, below) in parts.items()}


def most_kinds(types: Mapping[str, tuple[str, ...]], bounds: Bounds) -> int:
    """Return the maximum number of company types that can be fielded together within the bounds (KH-13.03, KH-R34).

    It can be lower than the number of types because a formation may field fewer companies than it has types (KH-R28).
    """
    fielder: dict[tuple[str, int], str] = {}

    def place(company: str, tried: set[tuple[str, int]]) -> bool:
        slots = [
            (each, number) for each, kinds in types.items() if company in kinds for number in range(bounds[each][1])
        ]
        for slot in slots:
            if slot not in tried:
                tried.add(slot)
                if slot not in fielder or place(fielder[slot], tried):
                    fielder[slot] = company
                    return True
        return False

    return sum(place(company, set()) for company in sorted({each for kinds in types.values() for each in kinds}))
