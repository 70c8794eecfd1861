"""Deals of the facts that a side does not know: spaces of the enemy's minefields and, if secret, numbers and money.

A view has no memory, so it does not show that an earlier entry met no minefield.
"""

from desert_aa.fog.views import BattleSeen, SideView
from desert_aa.model.board import Board
from desert_aa.model.state import Battle, CapitalTaken, DesertState, Minefield, Plan, Unit
from desert_aa.model.tables import PLANES, POWERS, SIDE_OF
from sandtable import Stream


def deal(view: SideView, board: Board, stream: Stream) -> DesertState:
    """Return a possible state for ``view``. The kernel adds turn and phase."""
    return DesertState(
        units={
            each: Unit(seen.power, seen.kind, seen.space, seen.condition, seen.stands_up, seen.moved, list(seen.path))
            for each, seen in view.units.items()
        },
        made=dict(view.made),
        control=dict(view.control),
        cash={purse: _purse(view, board, purse, stream) for purse in dict.fromkeys(board.purse_of.values())},
        waiting={power: dict(units) for power, units in view.waiting.items()},
        mines_waiting={power: view.mines_waiting.get(power, 0) for power in POWERS},
        minefields=_minefields(view, board, stream),
        plans=[Plan(list(plan.units), list(plan.path), plan.raid) for plan in view.plans],
        combats={space: list(units) for space, units in view.combats.items()},
        raids={space: list(units) for space, units in view.raids.items()},
        battle=None if view.battle is None else _battle(view.battle),
        captured=list(view.captured),
        taken_flak=list(view.taken_flak),
        blocked=list(view.blocked),
        capital_taken={side: CapitalTaken(power, turn) for side, (power, turn) in view.capital_taken.items()},
    )


def _battle(seen: BattleSeen) -> Battle:
    return Battle(seen.space, list(seen.attackers), list(seen.defenders), seen.round, list(seen.spent))


def _minefields(view: SideView, board: Board, stream: Stream) -> dict[str, Minefield]:
    """Return the visible minefields, and hidden ones of the enemy in random spaces, all equally probable.

    The spaces are those that may be mined, that the enemy holds, and that no land unit of the side is in or entered
    this turn. If the number of minefields is secret, each such space has one with a probability of one in four. If the
    number is known and exceeds these spaces, the rest is in other spaces that may be mined.
    """
    mines = {space: Minefield(seen.power, seen.known, seen.entries) for space, seen in view.minefields.items()}
    entered = _entered(view)
    for power in POWERS:
        if SIDE_OF[power] == view.side:
            continue
        places = [
            space
            for space in board.mineable
            if space not in mines and space not in entered and SIDE_OF[view.control[space]] == SIDE_OF[power]
        ]
        laid = view.mines_laid.get(power)
        if laid is None:
            number = sum(stream.one_in(4) for _ in places)
        else:
            number = laid - sum(mine.power == power for mine in mines.values())
        chosen = stream.sample(places, min(number, len(places)))
        if number > len(chosen):  # the number is known, so some fields are in other spaces
            others = [space for space in board.mineable if space not in mines and space not in places]
            chosen += stream.sample(others, min(number - len(chosen), len(others)))
        for space in chosen:
            mines[space] = Minefield(power)
    return mines


def _entered(view: SideView) -> set[str]:
    """Return the spaces that the side's land units are in or entered this turn: a minefield there would be revealed."""
    found = set()
    for unit in view.units.values():
        if SIDE_OF[unit.power] == view.side and unit.kind not in PLANES:
            found.add(unit.space)
            found.update(unit.path if view.phasing_power == unit.power and unit.moved else ())
    return found


def _purse(view: SideView, board: Board, purse: str, stream: Stream) -> int:
    """Return the money in a purse. A hidden purse gets a random amount up to its income in a round."""
    if purse in view.cash:
        return view.cash[purse]
    income = sum(board.worth(view.control, power) for power in POWERS if board.purse_of[power] == purse)
    return stream.below(income + 1)
