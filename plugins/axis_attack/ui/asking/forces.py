"""Answers about forces: platoons that can be fielded, the cost of a force, odds of the game, reinforcement dice."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from axis_attack.battle.briefs import bonus_for, brief_of
from axis_attack.forces.company import company_points, company_space, starting_force
from axis_attack.forces.force import Forces, cost_calculation, force_space
from axis_attack.forces.pool import Pool
from axis_attack.model.cards import ENEMY, SIDES, Board
from axis_attack.model.orders import BuildCompany, ChooseForce
from axis_attack.model.state import AxisState
from axis_attack.model.strength import kind_of, level_of, levels_of, next_level
from axis_attack.model.tables import OFFERS, STEP_POINTS
from axis_attack.recovery.reinforcement import candidates, needed, raising_space
from axis_attack.ui.asking.doubts import additions
from axis_attack.ui.parsing_forces import built, fielded
from axis_attack.ui.terms import level_words, side_words
from sandtable import Answer, Decision, IllegalOrder, PlayError
from sandtable.notation import OrderQuestion, TypedLine
from sandtable.pictures import counted
from sandtable.questions import NO, YES
from sandtable.tabletop import DRAW, chances

FACES = 6
NOT_BUILT = "your company is not built yet: view lists its platoon types, and force start; drop ID computes a cost"


def of_force(state: AxisState, side: str, words: Sequence[str]) -> Answer:
    """Return the platoons that a side can field in the coming game, or the cost of a typed force (AOA-3.01)."""
    if side not in SIDES:
        return Answer(NO, ("the umpire has no force: ask as one of the sides",), ("AOA-3.01",))
    if not state.rosters.get(side) and words:
        return _company_cost(state, side, " ".join(words))
    if not state.rosters.get(side):
        return Answer(NO, (NOT_BUILT,), ("AOA-1.01",))
    space = force_space(state, side)
    return _cost(state, side, space, " ".join(words)) if words else _listed(space.pool)


def _listed(pool: Pool) -> Answer:
    company = f"including {pool.base} for the headquarters; {pool.least} to {pool.most} combat platoons"
    lines = [f"{pool.limit} points, {company}", _money(pool)]
    for line in pool.lines.values():
        sizes = ", ".join(f"{size.teams} ({size.points})" for size in line.sizes)
        extras = "".join(
            f"; {f'{number} ' if number > 1 else ''}{name} +{line.prices[name]}{' each' if number > 1 else ''}"
            for name, number in line.upgrades.items()
            if number
        )
        moves = "" if line.mobile else "; not mobile by itself"
        lines.append(f"{line.id}, {line.kind.title}, {line.kind.slot}: teams (points) {sizes}{extras}{moves}")
    lines += [f"unavailable: {each}, {_why(reason.reason)}" for each, reason in pool.absent.items()]
    lines += [
        f"air {aircraft}: {', '.join(f'{level} {pool.air_allotment.prices[level]}' for level in levels)}"
        for aircraft, levels in pool.air_allotment.levels.items()
    ]
    return Answer(None, tuple(lines), ("AOA-3.01", "AOA-3.02"))


def _money(pool: Pool) -> str:
    """Return the text about the purchases that victory points pay for in the coming game."""
    if not pool.balance:
        return "you have no victory points to spend"
    offers = [f"extra 1 to {pool.steps}: {STEP_POINTS} points each"]
    for kind, refusal in pool.offers.items():
        if refusal is None and OFFERS[kind].price <= pool.balance:
            each = f" a {OFFERS[kind].each}" if OFFERS[kind].each else ""
            offers.append(f"buy {kind}: {OFFERS[kind].price}{each}")
    return f"{counted(pool.balance, 'victory point')} to spend; {'; '.join(offers)}"


def _why(reason: str) -> str:
    """Return "gutted" for "pak40 (PaK40 platoon) is gutted: it cannot be fielded", or the whole reason."""
    return reason.partition(" is ")[2].partition(":")[0] or reason


def _company_cost(state: AxisState, side: str, text: str) -> Answer:
    """Return the cost of a typed starting force (AOA-1.01)."""
    space = company_space(state, side)
    decision = Decision(side, "", space, "AOA-1.01", done=starting_force(space.company))
    try:
        order = built(TypedLine(text, OrderQuestion(decision, BuildCompany, space, state.board)))
    except IllegalOrder as error:
        raise PlayError(error.reason) from error
    if not isinstance(order, BuildCompany):
        raise PlayError("write a company as at the set-up prompt: force start; drop ID; ID TYPE TEAMS")
    refusal = space.why_not(order)
    if refusal is not None:
        return Answer(NO, (refusal.reason,), (refusal.rule,))
    points = company_points(space.company, order.platoons, order.aircraft)
    lines = [f"{points} of {space.points} points, {space.points - points} left"]
    for name, each in order.platoons.items():
        kind = space.company.types[each.type]
        level = level_of(kind, each.teams)
        if level < max(levels_of(kind)):
            lines.append(f"{name}, bought with {each.teams} teams, never rises above {level_words(level)}")
    return Answer(YES, tuple(lines), ("AOA-1.01", "AOA-1.10"))


def _cost(state: AxisState, side: str, space: Forces, text: str) -> Answer:
    try:
        order = fielded(
            TypedLine(text, OrderQuestion(Decision(side, "", space, "AOA-3.01"), ChooseForce, space, state.board))
        )
    except IllegalOrder as error:
        raise PlayError(error.reason) from error
    if not isinstance(order, ChooseForce):
        raise PlayError("write a force as at its prompt: force pg1; pg2 5 bare; extra 1")
    refusal = space.why_not(order)
    if refusal is not None and refusal.rule != "AOA-3.02":
        return Answer(NO, (refusal.reason,), (refusal.rule,))
    points, most = space.points(order), space.pool.ceiling(order.extra)
    price = cost_calculation(order.extra, order.purchase).total
    paid = f", for {counted(price, 'victory point')}" if price else ""
    if refusal is not None:
        more = -(-(points - most) // STEP_POINTS) + order.extra
        helps = (f"extra {more} is enough",) if more <= space.pool.steps else ()
        return Answer(NO, (*helps, f"{points} of {most} points{paid}: {points - most} too many")[::-1], (refusal.rule,))
    fits = additions(order, space)
    enough = f", enough for {', '.join(fits)}" if fits else ""
    left = f"{points} of {most} points{paid}, {most - points} left{enough}"
    return Answer(YES, (left,), ("AOA-3.02", "AOA-3.17"))


def of_odds(state: AxisState) -> Answer:
    """Return the resolver's odds of the game after both forces are shown, and the outnumbered side (AOA-5.17)."""
    board: Board = state.board
    known = all(each.platoon in state.rosters[side] for side, it in state.forces.items() for each in it.platoons)
    if len(state.forces) < len(SIDES) or not known:
        return Answer(NO, ("the forces are secret until both sides have chosen: ask again then",), ("AOA-R14",))
    found = chances(replace(brief_of(state), weather="clear"))
    odds = [f"{board.sides[side]} {_percent(found[side])}" for side in SIDES]
    odds += [f"a draw {_percent(found[DRAW])}"] if found[DRAW] else []
    lines = [f"by the resolver, in clear weather: {', '.join(odds)}; a game at the table may have different odds"]
    for side in SIDES:
        less = state.forces[ENEMY[side]].points - state.forces[side].points
        bonus = bonus_for(less)[0]
        if bonus:
            points = counted(bonus, "bonus victory point")
            lines.append(f"{side_words(side, board)} have {less} points fewer and score {points}, win or lose")
    return Answer(None, tuple(lines), ("AOA-3.17", "AOA-5.17"))


def _percent(chance: int) -> str:
    return f"{(chance + 5_000) // 10_000} %"


def of_dice(state: AxisState, side: str) -> Answer:
    """Return the need and the effect of a die for each platoon that can be reinforced (AOA-11.06 to AOA-11.12)."""
    able = candidates(state, side, []) if side in SIDES else []
    lines = []
    for each in able:
        kind, platoon = kind_of(state, side, each), state.rosters[side][each]
        needs = needed(kind)[0]
        wins = max(0, FACES + 1 - needs)
        rise = f"{level_words(platoon.level)} to {level_words(next_level(kind, platoon.level))}"
        two = FACES**2 - (FACES - wins) ** 2
        lines.append(f"{each} ({kind.slot}), {rise}: {needs} or more; {wins} in 6 with one die, {two} in 36 with two")
    if not lines:
        return Answer(NO, ("every platoon is at the level at which it was bought",), ("AOA-11.08",))
    tanks = ("AOA-11.12",) if any(kind_of(state, side, each).all_tanks for each in able) else ()
    if raising_space(state, side) is not None:
        lines.append("a platoon raised without a roll uses a die for each level and gets no other dice this turn")
    return Answer(
        None,
        (*lines, *_of_several(state, side, able), "a platoon rises by at most one level"),
        ("AOA-11.06", "AOA-11.09", *tanks),
    )


def _of_several(state: AxisState, side: str, able: Sequence[str]) -> Iterator[str]:
    """Yield the probability of success with one to four dice, for each need."""
    for needs in sorted({needed(kind_of(state, side, each))[0] for each in able}):
        fails = min(FACES, needs - 1)
        failures = [1_000_000 * fails**number // FACES**number for number in (1, 2, 3, 4)]
        odds = [f"{number} {_percent(1_000_000 - each)}" for number, each in enumerate(failures, 1)]
        yield f"{needs} or more, by number of dice: {', '.join(odds)}"
