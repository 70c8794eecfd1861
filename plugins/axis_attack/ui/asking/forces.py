"""Questions about the coming game: what can be fielded, what a force would cost, how the game will go, what dice do."""

from collections.abc import Sequence

from msgspec.structs import replace

from axis_attack.battle.briefs import bonus_for, brief_of
from axis_attack.forces.force import Forces, cost_calculation, force_space
from axis_attack.forces.pool import Pool
from axis_attack.model.cards import ENEMY, SIDES, Board
from axis_attack.model.orders import ChooseForce
from axis_attack.model.state import AxisState
from axis_attack.model.strength import kind_of, next_level
from axis_attack.model.tables import STEP_POINTS
from axis_attack.recovery.reinforcement import candidates, needed
from axis_attack.ui.parsing_forces import fielded
from axis_attack.ui.terms import level_words, side_words
from sandtable.errors import IllegalOrder, PlayError
from sandtable.kernel.decisions import Decision
from sandtable.plugin.manifest import Answer
from sandtable.rules.notation.line import OrderAsked, TypedLine
from sandtable.rules.questions import NO, YES
from sandtable.rules.tabletop.resolver.odds import chances
from sandtable.rules.tabletop.scoring import DRAW

FACES = 6


def of_force(state: AxisState, side: str, words: Sequence[str]) -> Answer:
    """Tell what a side can field in the coming game, or what a force that is written out would cost (AOA-3)."""
    if side not in SIDES:
        return Answer(NO, ("the umpire fields nothing: ask as one of the sides",), ("AOA-3.01",))
    if not state.rosters.get(side):
        return Answer(NO, ("your company is not built yet: view lists what it can be made of",), ("AOA-1.01",))
    space = force_space(state, side)
    return _cost(state, side, space, " ".join(words)) if words else _listed(space.pool)


def _listed(pool: Pool) -> Answer:
    company = f"headquarters {pool.base} of them; {pool.least} to {pool.most} combat platoons"
    money = f"{pool.balance} victory points, of which {pool.steps} can buy {STEP_POINTS} points each"
    lines = [f"{pool.limit} points, {company}; {money}"]
    for line in pool.lines.values():
        sizes = ", ".join(f"{size.teams} ({size.points})" for size in line.sizes)
        extras = "".join(f"; {name} +{line.prices[name]}" for name, number in line.upgrades.items() if number)
        moves = "" if line.mobile else "; does not move by itself"
        lines.append(f"{line.id}, {line.kind.title}, {line.kind.slot}: teams (points) {sizes}{extras}{moves}")
    lines += [f"not {reason.reason}" for reason in pool.absent.values()]
    lines += [
        f"air {aircraft}: {', '.join(f'{level} {pool.air_allotment.prices[level]}' for level in levels)}"
        for aircraft, levels in pool.air_allotment.levels.items()
    ]
    return Answer(None, tuple(lines), ("AOA-3.01", "AOA-3.02"))


def _cost(state: AxisState, side: str, space: Forces, text: str) -> Answer:
    try:
        order = fielded(
            TypedLine(text, OrderAsked(Decision(side, "", space, "AOA-3.01"), ChooseForce, space, state.board))
        )
    except IllegalOrder as error:
        raise PlayError(error.reason) from error
    if not isinstance(order, ChooseForce):
        raise PlayError("write a force as for the question: force pg1; pg2 5 bare; extra 1")
    refusal = space.why_not(order)
    if refusal is not None and refusal.rule != "AOA-3.02":
        return Answer(NO, (refusal.reason,), (refusal.rule,))
    points, most = space.points(order), space.pool.ceiling(order.extra)
    price = cost_calculation(order.extra, order.purchase).total
    paid = f", for {price} victory points" if price else ""
    if refusal is not None:
        return Answer(NO, (f"{points} points of {most}{paid}: {points - most} too many",), (refusal.rule,))
    return Answer(YES, (f"{points} points of {most}{paid}; {most - points} are left",), ("AOA-3.02", "AOA-3.17"))


def of_odds(state: AxisState) -> Answer:
    """Tell how the statistical resolver sees the game whose forces are shown, and who is outnumbered (AOA-5.17)."""
    board: Board = state.board
    known = all(each.platoon in state.rosters[side] for side, it in state.forces.items() for each in it.platoons)
    if len(state.forces) < len(SIDES) or not known:
        return Answer(NO, ("both forces are secret until both are chosen: ask again then",), ("AOA-R14",))
    found = chances(replace(brief_of(state), weather="clear"))
    told = [f"{board.sides[side]} {_percent(found[side])}" for side in SIDES]
    told += [f"a draw {_percent(found[DRAW])}"] if found[DRAW] else []
    lines = [f"by the resolver, in clear weather: {', '.join(told)}; people at a table may see it otherwise"]
    for side in SIDES:
        less = state.forces[ENEMY[side]].points - state.forces[side].points
        bonus = bonus_for(less)[0]
        if bonus:
            lines.append(f"{side_words(side, board)} have {less} points less: +{bonus} victory points whoever wins")
    return Answer(None, tuple(lines), ("AOA-3.17", "AOA-5.17"))


def _percent(chance: int) -> str:
    return f"{(chance + 5_000) // 10_000} %"


def of_dice(state: AxisState, side: str) -> Answer:
    """Tell of each platoon that can be reinforced what a die must show, and what it brings (AOA-11.06 to 11.12)."""
    able = candidates(state, side, []) if side in SIDES else []
    lines = []
    for each in able:
        kind, platoon = kind_of(state, side, each), state.rosters[side][each]
        needs = needed(kind)[0]
        wins = max(0, FACES + 1 - needs)
        rise = f"{level_words(platoon.level)} to {level_words(next_level(kind, platoon.level))}"
        two = FACES**2 - (FACES - wins) ** 2
        lines.append(f"{each}, {kind.slot}: {needs} or more, {rise}; one die {wins} in 6, two dice {two} in 36")
    if not lines:
        return Answer(NO, ("every platoon has the level that it was bought at",), ("AOA-11.08",))
    return Answer(None, (*lines, "more dice on a platoon raise it by one level, no more"), ("AOA-11.06", "AOA-11.09"))
