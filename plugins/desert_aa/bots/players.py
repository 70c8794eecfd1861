"""The commander: a player who attacks where the odds are good, masses at the front and guards the capital.

It knows only what its side sees. Battles are judged by what the dice bring on average, counted in sixths of a hit.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from desert_aa.bots.position import Position, expected_survivors
from desert_aa.economy.grant import GrantSpace
from desert_aa.economy.purchase import Arrivals
from desert_aa.model.board import FAR, Board
from desert_aa.model.orders import (
    BuyUnits,
    DeclareMinefield,
    DesignateGuns,
    MoveUnits,
    PlaceBonus,
    PlaceMinefields,
    PlaceUnits,
    PressOn,
    Retreat,
    TakeLosses,
)
from desert_aa.model.tables import ARMOUR, ARTILLERY, INFANTRY, PLANES, VALUES
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, MoveSpace, NonCombatMoves
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, OneOf
from sandtable.kernel.play.views import View

CAPITAL_WORTH = 200
ZONE_WORTH = 8
VALUE_WORTH = 4
MIX = (INFANTRY, ARMOUR, INFANTRY, ARTILLERY, ARMOUR, INFANTRY)
"""What is bought in turn, as long as the money lasts."""


class Commander:
    """Plays one seat. A plan is made at the first question of a movement phase, and carried out order by order."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat = seat
        self.stream = stream
        self.board = board
        self._plan: list[MoveUnits] = []
        self._planned: tuple[int, str] = (-1, "")
        self._ground: Ground | None = None
        """The ground of the latest question for a move; as long as it is the same, so is the phase."""
        self._aloft: list[str] = []
        """The planes that were in the air over hostile ground as that came up; only landing changes it."""

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order that is legal; where it has no opinion, one at random."""
        options = decision.options
        order: Order | None = None
        if isinstance(options, MoveSpace):
            order = self._move(decision, options, view)
        elif isinstance(options, GrantSpace):
            order = self._grant(options, Position(view(), self.board, decision.power))
        elif isinstance(options, Arrivals):
            order = self._arrive(options, Position(view(), self.board, decision.power))
        elif isinstance(options, OneOf):
            order = self._pick(options, view)
        elif isinstance(options, Form):
            order = self._fill(options)
        if order is None or not options.is_legal(order):
            order = decision.done if decision.done is not None else options.sample(self.stream)
        return order

    # --- money and arrivals ---

    def _grant(self, options: GrantSpace, position: Position) -> Order:
        """Spend the grant on infantry and armour at the front."""
        units: dict[str, dict[str, dict[str, int]]] = {}
        for purse in options.purses():
            power = next(power for power, of in options.purse_of.items() if of == purse)
            front = position.front(options.spaces)
            bought = shopping(options.grant[purse], {kind: VALUES[power][kind].cost for kind in VALUES[power]})
            if bought and front is not None:
                units.setdefault(power, {})[front] = bought
        return PlaceBonus(units)

    def _arrive(self, options: Arrivals, position: Position) -> Order | None:
        """Bring everything in through the zone nearest to the enemy, or next to a capital in danger."""
        zones = list(options.zones)
        if not zones:
            return None
        home = self.board.capitals[position.side]
        near = position.steps_to([home] if position.home_is_weak() else position.goals())
        zone = min(zones, key=lambda each: (near.get(each, FAR), each))
        return PlaceUnits({zone: options.due()})

    # --- combat ---

    def _pick(self, options: OneOf, view: View) -> Order:
        """Sweep, declare, fight on while it pays; otherwise the first that offers itself."""
        orders = list(options.of)
        retreats = [each for each in orders if isinstance(each, Retreat)]
        if retreats and any(isinstance(each, PressOn) for each in orders):
            if Position(view(), self.board, self.seat).battle_goes_well():
                return PressOn()
            return retreats[0]
        declared: list[Order] = [each for each in orders if isinstance(each, DeclareMinefield) and each.declare]
        first: Order = (declared or orders)[0]
        return first

    def _fill(self, form: Form) -> Order | None:
        """Give up the cheapest, fire every gun there is use for, spend what there is."""
        if form.order is TakeLosses:
            space: Any = form.space_of("units", [])
            return TakeLosses(list(space.of[: space.least]))
        if form.order is DesignateGuns:
            space = form.space_of("guns", [])
            return DesignateGuns(list(space.of[: space.most]))
        if form.order is BuyUnits:
            space = form.space_of("units", [])
            return BuyUnits(shopping(space.amount, space.prices))
        if form.order is PlaceMinefields:
            return PlaceMinefields([])
        return None

    # --- movement ---

    def _move(self, decision: Decision, options: MoveSpace, view: View) -> Order | None:
        """Carry out the plan of this phase, made at its first question."""
        if options.only:
            return self._land(options, options.only, Position(view(), self.board, decision.power))
        if options.ground is not self._ground:
            self._take_in(options, Position(view(), self.board, decision.power))
        aloft = [each for each in self._aloft if any(each in able for able in options.leaders.values())]
        if aloft:
            return self._land(options, aloft[0], Position(view(), self.board, decision.power))
        while self._plan:
            order = self._plan.pop(0)
            if options.is_legal(order):
                return order
        return decision.done

    def _take_in(self, options: MoveSpace, position: Position) -> None:
        """Look at ground that is new, and plan for it if the phase is new, too."""
        self._ground = options.ground
        now = (position.turn, position.phase)
        if self._planned != now:
            self._planned = now
            self._plan = list(attacks(position) if isinstance(options, CombatMoves) else marches(position))
        self._aloft = position.aloft() if isinstance(options, NonCombatMoves) else []

    def _land(self, options: MoveSpace, unit_id: str, position: Position) -> Order | None:
        """Land behind the front, where own ground units stand if possible."""
        ends = options.destinations(unit_id)
        if not ends:
            return None
        near = position.steps_to(position.hostile)
        best = min(ends, key=lambda each: (not position.is_guarded(each), abs(near.get(each, FAR) - 2), each))
        return MoveUnits([unit_id], ends[best])


def shopping(money: int, prices: Mapping[str, int]) -> dict[str, int]:
    """Return what to buy for ``money``: the mix, kind by kind, then whatever is still affordable."""
    bought: dict[str, int] = {}
    while True:
        before = money
        for kind in MIX:
            if prices.get(kind, FAR) <= money:
                bought[kind] = bought.get(kind, 0) + 1
                money -= prices[kind]
        if money == before:
            return bought


def attacks(position: Position) -> Iterable[MoveUnits]:
    """Yield the combat moves worth making, the best targets first."""
    free = dict.fromkeys(position.able_to_attack(), True)
    for target in sorted(position.hostile, key=lambda each: (-worth(position, each), each)):
        defence = position.defence_in(target)
        ways = position.ways_to(target, free, is_defended=bool(defence))
        if not ways:
            continue
        chosen = enough(position, ways, defence, target)
        for unit_id in chosen:
            del free[unit_id]
        yield from grouped({unit_id: ways[unit_id] for unit_id in chosen})


def worth(position: Position, space: str) -> int:
    """Return how much it is worth to take ``space``."""
    board = position.board
    capital = CAPITAL_WORTH if board.capital_of.get(space, position.side) != position.side else 0
    return capital + ZONE_WORTH * (space in board.zones) + VALUE_WORTH * board.value[space] + 1


def enough(position: Position, ways: Mapping[str, list[str]], defence: Sequence[int], target: str) -> list[str]:
    """Return the fewest of the units that will take ``target`` with something to spare; none if all are not enough."""
    land = [each for each in ways if position.kind(each) not in PLANES]
    if not land:
        return []
    mined = position.is_mined(target)
    if not defence and not mined:
        return [min(land, key=lambda each: (position.cost(each), len(ways[each]), each))]
    if mined and len(land) * 2 < 3 * len(defence) + 6:
        return []  # a third is lost on the way, and what is left must win and sweep
    order = sorted(ways, key=lambda each: (position.kind(each) in PLANES, -position.attack(each), each))
    chosen: list[str] = []
    for each in order:
        chosen.append(each)
        left, foes = expected_survivors([position.attack(one) for one in chosen], defence)
        spare = 1 if position.is_late and position.board.value[target] else len(chosen)
        if not foes and left * 3 >= spare and any(one in land for one in chosen):
            return chosen
    prize = worth(position, target) >= CAPITAL_WORTH
    left, foes = expected_survivors([position.attack(one) for one in order], defence)
    return order if prize and not foes and left else []


def marches(position: Position) -> Iterable[MoveUnits]:
    """Yield the non-combat moves: to a capital in danger, otherwise towards the enemy."""
    home = position.board.capitals[position.side]
    towards_enemy = position.steps_to(position.goals())
    towards_home = position.board.land_distance[home]
    in_danger = position.home_is_weak()
    kept = position.garrison()
    moves: dict[str, list[str]] = {}
    paths: dict[tuple[str, int], list[str]] = {}
    for unit_id in position.able_to_march():
        if unit_id in kept:
            continue
        start = space, most = position.space(unit_id), position.steps_of(unit_id)
        if start not in paths:
            guards_home = in_danger and towards_home.get(space, FAR) <= 4
            towards, stop_at = (towards_home, 0) if guards_home else (towards_enemy, 1)
            paths[start] = position.step_on(space, most, towards, stop_at)
        if len(paths[start]) > 1:
            moves[unit_id] = paths[start]
    yield from grouped(moves)


def grouped(moves: Mapping[str, list[str]]) -> Iterable[MoveUnits]:
    """Yield the moves of units, those along one path in one order."""
    together: dict[tuple[str, ...], list[str]] = {}
    for unit_id in sorted(moves):
        together.setdefault(tuple(moves[unit_id]), []).append(unit_id)
    for path, units in together.items():
        yield MoveUnits(units, list(path))


PLAYERS: dict[str, Callable[[str, Stream, Any], Commander]] = {"commander": Commander}
