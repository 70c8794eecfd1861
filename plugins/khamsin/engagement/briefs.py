"""The briefs of an engagement: the data that a table needs to fight and judge an action (KH-1.01, KH-17)."""

from collections.abc import Mapping

from khamsin.engagement.companies import air_level
from khamsin.engagement.mission import Step, has_significant, has_strategic, rerolls, title_of, withdraws
from khamsin.leaders.leaders import leaders_with
from khamsin.model.cards import ENEMY, SIDES, Board
from khamsin.model.forces import card, nation, strength, total_attrition
from khamsin.model.handlers import ledger
from khamsin.model.state import LINKED, TOTAL_WAR, Engagement, Fielded, KhamsinState
from khamsin.model.tables import (
    AFV_LESS_FROM,
    AFV_LESS_TWO_FROM,
    BID_POINTS,
    BID_RULES,
    DEFENSIVE_BATTLE,
    FLAGS,
    LARGE_UNIT,
    OBJECTIVES,
    OBJECTIVES_IF_STATIONARY,
    SIGNIFICANT_PART,
    SMALL_BASE,
    STAND_LESS_FROM,
    STRATEGIC_PART,
    USUAL_BASE,
)
from sandtable import Calculation
from sandtable.tabletop import Brief, Company, Mode, Party, Table, roster


def battle_notes(state: KhamsinState, engagement: Engagement) -> tuple[str, ...]:
    """Return the notes for both sides."""
    notes: list[str] = []
    if engagement.on_connector:
        notes.append("Use the most open of the listed terrains (KH-12.14).")
        notes.append(
            f"{_road_layer(state, engagement)} places a road between opposite edges after all other terrain (KH-12.15)."
        )
    if state.options["small_table"] == "yes" and engagement.mode != TOTAL_WAR:
        notes.append("The table is 4 ft by 4 ft for wide missions, 3 ft by 6 ft for long ones (KH-17.08).")
    if engagement.mode == TOTAL_WAR:
        notes.append("The table's size is that of the Total War guidelines for these forces (KH-14.06).")
        notes.append("Roll terrain for each square of 2 ft (KH-14.07). A flight is 1 to 3 aircraft (KH-14.04).")
        if engagement.stationary:
            notes.append("The attacker places no objective within 6 in of the center line: 5, not 6 (KH-14.10).")
    if engagement.mode == LINKED:
        notes.append("Commanders in chief may give support platoons to any table; they enter as reserves (KH-15.07).")
        notes.append("Roll for air support on each table when forces are deployed (KH-15.09).")
        notes.append("A force that leaves for an adjacent table is a reserve there from the next turn on (KH-15.14).")
        if state.options["linked_reserves"] == "announced":
            notes.append(f"It enters by the reserve rules of this table's mission, {engagement.mission} (KH-15.15).")
    return tuple(notes)


def _road_layer(state: KhamsinState, engagement: Engagement) -> str:
    """Return the side, or the role of the mission, that places the road of a connector (KH-R22)."""
    board: Board = state.board
    own = {side: strength(state, engagement.forces[side]) for side in SIDES}
    weaker = next((side for side in SIDES if own[side] < own[ENEMY[side]]), "")
    if state.options["connector_road_by"] == "weaker_side" and weaker:
        return board.sides[weaker]
    return "The mission's defender"


def party_notes(
    state: KhamsinState, engagement: Engagement, side: str, fielded: list[Fielded], guns: list[str]
) -> tuple[str, ...]:
    """Return the notes for one side."""
    notes: list[str] = []
    for each in dict.fromkeys(one.formation for one in fielded):
        lists = nation(state, each).lists
        if lists:
            notes.append(f"{card(state, each).title}: lists of {lists} (KH-1.12).")
        if not state.formations[each].supplied:
            title = card(state, each).title
            notes.append(f"{title} is out of supply: its vehicles make half moves (KH-10.08).")
            notes.append(f"{title}: no march moves, and none at the double (KH-10.09).")
            notes.append(f"{title}: -1 to firepower, a 6 always succeeds (KH-10.10).")
    if rerolls(engagement, side):
        any_die = state.options["reroll_scope"] == "any_die"
        dice = "any die of the action" if any_die else "only your own dice, each at most once"
        notes.append(f"Re-roll {dice} (KH-16.13).")
    notes += [f"{card(state, each).title} bombards for you." for each in guns]
    return tuple(notes)


def base_points(state: KhamsinState) -> int:
    """Return the points of a basic company, reduced in proportion on a small table (KH-17.02, KH-17.08, KH-26.06)."""
    board: Board = state.board
    if state.options["small_table"] == "yes":
        return board.base_points * SMALL_BASE // USUAL_BASE
    return board.base_points


def rounded(amount: int, part: int, rounding: str) -> int:
    """Return ``amount`` divided by ``part``, rounded by nearest_5, nearest_10 or floor (KH-R45)."""
    if rounding == "floor":
        return amount // part
    step = 10 if rounding == "nearest_10" else 5
    return step * ((2 * amount + step * part) // (2 * step * part))


def strategic_bonus(options: Mapping[str, str], amount: int) -> int:
    """Return the bonus of a strategic advantage: 3.33 % of a force of ``amount`` points (KH-17.04, KH-26.07)."""
    return rounded(amount, STRATEGIC_PART, options["points_rounding"])


def significant_bonus(options: Mapping[str, str], base: int) -> int:
    """Return the bonus of a significant advantage for a basic company of ``base`` points (KH-17.05, KH-R46)."""
    if options["significant_scales"] == "fixed_100":
        return USUAL_BASE // SIGNIFICANT_PART
    return rounded(base, SIGNIFICANT_PART, options["points_rounding"])


def company_points(state: KhamsinState, engagement: Engagement, side: str, fielded: Fielded) -> int:
    """Return the maximum points of a company in an action."""
    return _sum(_company_steps(state, engagement, side, fielded))


def _company_steps(state: KhamsinState, engagement: Engagement, side: str, fielded: Fielded) -> list[Step]:
    base = base_points(state)
    raised = "KH-26.06" if base != USUAL_BASE else "KH-17.02"
    steps = [("company", base, "KH-17.08" if state.options["small_table"] == "yes" else raised)]
    bid = int(state.options[f"bid_{side}"])
    steps += [("bid", BID_POINTS * bid, BID_RULES[side])] if bid else []
    if engagement.mode == TOTAL_WAR:
        return steps
    if has_strategic(engagement, side):
        steps.append(("strategic advantage", strategic_bonus(state.options, base), "KH-17.04"))
    if fielded.bonus and has_significant(engagement, side):
        steps.append(("significant advantage", significant_bonus(state.options, base), "KH-17.05"))
    return steps


def large_bonus(state: KhamsinState, engagement: Engagement, side: str, companies: int) -> int:
    """Return a side's bonus in a large battle: strategic for its total size, significant once (KH-R35)."""
    return _sum(_large_steps(state, engagement, side, companies))


def _large_steps(state: KhamsinState, engagement: Engagement, side: str, companies: int) -> list[Step]:
    base, steps = base_points(state), []
    if has_strategic(engagement, side):
        steps.append(("strategic advantage", strategic_bonus(state.options, base * companies), "KH-17.04"))
    if has_significant(engagement, side):
        steps.append(("significant advantage", significant_bonus(state.options, base), "KH-17.05"))
    return steps


def _sum(steps: list[Step]) -> int:
    return sum(amount for _, amount, _ in steps)


def points_steps(state: KhamsinState, engagement: Engagement, side: str, fielded: list[Fielded]) -> list[Step]:
    """Return the steps of a side's total points in an action. A large battle includes the side's bonus."""
    steps = [step for each in fielded for step in _company_steps(state, engagement, side, each)]
    if engagement.mode == TOTAL_WAR:
        steps += _large_steps(state, engagement, side, len(fielded))
    return steps


MODES: dict[str, Mode] = {"ordinary": "ordinary", "total_war": "total_war", "linked": "linked"}


def briefs_of(state: KhamsinState, engagement: Engagement) -> list[Brief]:
    """Return the briefs of an engagement whose companies are fielded, one for each action."""
    return [_brief(state, engagement, action) for action in range(1, actions_of(engagement) + 1)]


def actions_of(engagement: Engagement) -> int:
    """Return the number of tabletop actions. Total War has one action for any number of companies."""
    return 1 if engagement.mode == TOTAL_WAR else engagement.number


def fielded_in(engagement: Engagement, action: int) -> dict[str, list[Fielded]]:
    """Return the companies of an action by side."""
    if engagement.mode == TOTAL_WAR:
        return {side: list(engagement.fielded[side]) for side in SIDES}
    return {side: [engagement.fielded[side][action - 1]] for side in SIDES}


def _brief(state: KhamsinState, engagement: Engagement, action: int) -> Brief:
    board: Board = state.board
    weather = board.weather.cards.get(state.weather)
    fielded = fielded_in(engagement, action)
    attacker, defender = roles(state, engagement, fielded)
    withdrawing = next((side for side in SIDES if withdraws(engagement, side)), "")
    return Brief(
        id=f"{board.module}:{state.turn}:{engagement.id}:{action}",
        campaign=board.title,
        turn=state.turn,
        place=engagement.id,
        place_title=title_of(state, engagement),
        mission=engagement.mission,
        parties=_parties(state, engagement, fielded),
        action=action,
        actions=actions_of(engagement),
        mode=MODES[engagement.mode],
        flags=FLAGS.get(engagement.mission, ()),
        attacker=attacker,
        defender=defender,
        withdrawing=withdrawing,
        objectives=_objectives(engagement),
        table=_table(state, engagement, action),
        weather=state.weather,
        mud=weather.mud if weather else 0,
        effects=weather.effects if weather else (),
        notes=battle_notes(state, engagement),
        rules=_rules(engagement),
    )


def _objectives(engagement: Engagement) -> int:
    if engagement.mode != TOTAL_WAR:
        return 0
    return OBJECTIVES_IF_STATIONARY if engagement.stationary else OBJECTIVES


def _rules(engagement: Engagement) -> tuple[str, ...]:
    by_mode = {TOTAL_WAR: ("KH-14.01",), LINKED: ("KH-15.01",)}.get(engagement.mode, ())
    place = ("KH-12.13",) if engagement.on_connector else ("KH-12.06",)
    return ("KH-1.01", "KH-12.05", *place, "KH-17.02", *by_mode)


# --- roles and table ---


def roles(state: KhamsinState, engagement: Engagement, fielded: dict[str, list[Fielded]]) -> tuple[str, str]:
    """Return the attacker and defender, or ("", "") if the mission rolls for them (KH-12.10, KH-R33).

    The withdrawing side defends (KH-19.03). In Total War the stationary side defends (KH-14.09). It also defends in a
    defensive battle if both companies are of the same type (KH-12.11).
    """
    going = next((side for side in SIDES if withdraws(engagement, side)), "")
    if going:
        return ENEMY[going], going
    still = engagement.stationary
    if not still:
        return "", ""
    is_defensive = DEFENSIVE_BATTLE in FLAGS.get(engagement.mission, ())
    if engagement.mode == TOTAL_WAR or (is_defensive and _are_alike(state, fielded)):
        return ENEMY[still], still
    return "", ""


def _are_alike(state: KhamsinState, fielded: dict[str, list[Fielded]]) -> bool:
    """Return whether the companies of an action are of the same type: by class, or exactly (KH-R32)."""
    board: Board = state.board
    exact = state.options["company_type_key"] == "exact_type"
    types = {each.company for companies in fielded.values() for each in companies}
    return len({each if exact else board.companies[each].intel for each in types}) == 1


def _table(state: KhamsinState, engagement: Engagement, action: int) -> Table:
    board: Board = state.board
    small = state.options["small_table"] == "yes"
    is_linked, is_large = engagement.mode == LINKED, engagement.mode == TOTAL_WAR
    places = [engagement.area, engagement.other] if engagement.other else [engagement.area]
    terrains = list(dict.fromkeys(board.terrain.get(each, "") for each in places))
    guides = [board.guides[each] for each in terrains if each in board.guides]
    near = [each for each in (action - 1, action + 1) if is_linked and 1 <= each <= engagement.number]
    return Table(
        width=4 if small and not is_large else 6,
        depth=6 if is_large else 4,
        small=small,
        terrain=" / ".join(each for each in terrains if each),
        guide=" / ".join(guides),
        road=engagement.on_connector,
        fortified=engagement.stationary if engagement.column == "fortified" else "",
        number=action if is_linked else 0,
        near=tuple(near),
    )


# --- parties ---


def _parties(state: KhamsinState, engagement: Engagement, fielded: dict[str, list[Fielded]]) -> dict[str, Party]:
    is_large = engagement.mode == TOTAL_WAR
    points = {side: _sum(points_steps(state, engagement, side, fielded[side])) for side in SIDES}
    units = large_units(state, min(points.values())) if is_large else 0
    return {side: _party(state, engagement, side, fielded[side], points[side], units) for side in SIDES}


def large_units(state: KhamsinState, smaller: int) -> int:
    """Return the number of flights or re-rolls for a smaller force of that many points (KH-14.04, KH-14.05, KH-R36)."""
    if state.options["tw_flights"] == "nearest":
        return (2 * smaller + LARGE_UNIT) // (2 * LARGE_UNIT)
    return smaller // LARGE_UNIT


def _party(
    state: KhamsinState, engagement: Engagement, side: str, fielded: list[Fielded], points: int, units: int
) -> Party:
    board: Board = state.board
    is_large = engagement.mode == TOTAL_WAR
    with_people = is_large or any(each.command for each in fielded)
    people = leaders_with(state, engagement, side) if with_people else []
    has_air = any(each.air for each in fielded)
    again = rerolls(engagement, side)
    companies = [
        _company(state, engagement, side, each, place if is_large else 0) for place, each in enumerate(fielded, 1)
    ]
    player = fielded[0].player
    guns = [each for each in engagement.forces[side] if card(state, each).bombards]
    return Party(
        side=side,
        title=board.sides[side],
        player=player,
        companies=tuple(companies),
        points=points,
        own_troops=any(each.player and card(state, each.formation).commander == each.player for each in fielded),
        stationary=engagement.stationary == side,
        rerolls=units if is_large and again else again,
        traded=any(each.trade for each in fielded),
        air=air_level(state, side) if has_air else "none",
        flights=units if is_large and has_air else 0,
        command=tuple(each for each in people if board.leaders[each].command),
        characters=tuple(each for each in people if board.leaders[each].character),
        stratagems=next((each.stratagems for each in fielded if each.stratagems), ""),
        extras={"battalion_shoot": len(guns)} if guns else {},
        notes=party_notes(state, engagement, side, fielded, guns),
    )


def _company(state: KhamsinState, engagement: Engagement, side: str, fielded: Fielded, place: int) -> Company:
    """Return a company. ``place`` is its number (from 1) in a large battle, or 0 in other battles.

    In a large battle the ids of its platoons begin with the number, and the first company receives the side's bonus.
    """
    board: Board = state.board
    kind, its_nation = board.companies[fielded.company], nation(state, fielded.formation)
    points = company_points(state, engagement, side, fielded)
    if place == 1:
        points += large_bonus(state, engagement, side, engagement.number)
    afv_less, stand_less = attrition_effects(state, fielded.formation)
    prefix, spends = f"c{place}_" if place else "", state.options["afv_saved"] == "spent"
    return Company(
        parent=fielded.formation,
        parent_title=card(state, fielded.formation).title,
        type=kind.type,
        nation=its_nation.id,
        intel=kind.intel,
        points=points,
        platoons=roster(kind.archetype, points, afv_less, stand_less=stand_less, spends_saved=spends, prefix=prefix),
        skill=its_nation.skill,
        motivation=its_nation.motivation,
        supplied=state.formations[fielded.formation].supplied,
        afv_less=afv_less,
        stand_less=stand_less,
    )


def attrition_effects(state: KhamsinState, formation_id: str) -> tuple[int, bool]:
    """Return the vehicles missing per armored platoon, and whether all platoons lack a stand (KH-22.05, KH-22.09).

    If a stand is missing, no vehicles are (KH-22.12).
    """
    if total_attrition(state, formation_id) >= STAND_LESS_FROM:
        return 0, True
    armor = ledger(state, formation_id).armor
    return (armor >= AFV_LESS_FROM) + (armor >= AFV_LESS_TWO_FROM), False


# --- calculations of a brief ---


def sums_of(state: KhamsinState, engagement: Engagement, brief: Brief) -> tuple[Calculation, ...]:
    """Return the calculations of points, re-rolls, flights and missing units. A side may see only its own."""
    fielded = fielded_in(engagement, brief.action)
    found: list[Calculation] = []
    for side, party in brief.parties.items():
        found.append(Calculation(f"points.{side}", tuple(points_steps(state, engagement, side, fielded[side]))))
        found += [Calculation(f"rerolls.{side}", _reroll_steps(engagement, party.rerolls))] if party.rerolls else []
        if party.flights:
            found.append(Calculation(f"flights.{side}", ((_EACH, party.flights, "KH-14.04"),)))
        for company in {each.parent: each for each in party.companies}.values():
            found += _lacking(company, side)
    return tuple(found)


_EACH = f"one for each {LARGE_UNIT} points of the smaller force"


def _reroll_steps(engagement: Engagement, number: int) -> tuple[Step, ...]:
    if engagement.mode == TOTAL_WAR:
        return ((_EACH, number, "KH-14.05"),)
    if number == 1:
        return (("net advantage of 3", 1, "KH-16.13"),)
    return (("net advantage", engagement.net, "KH-16.14"), ("minus 2", number - engagement.net, "KH-16.14"))


def _lacking(company: Company, side: str) -> list[Calculation]:
    """Return the effect of attrition on a formation's companies: missing vehicles or missing stands."""
    if company.stand_less:
        step = (f"total attrition of {STAND_LESS_FROM}", 1, "KH-22.09")
        return [Calculation(f"stand_less.{company.parent}.{side}", (step,))]
    tiers = ((AFV_LESS_FROM, "KH-22.05"), (AFV_LESS_TWO_FROM, "KH-22.06"))[: company.afv_less]
    steps = tuple((f"armor attrition of {least}", 1, rule) for least, rule in tiers)
    return [Calculation(f"afv_less.{company.parent}.{side}", steps)] if steps else []
