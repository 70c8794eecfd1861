"""The commander: a bot that attacks with good odds, gathers units at the front and guards the capital.

It uses only the view of its side, and judges battles by their odds.
"""

from collections.abc import Callable, Mapping
from typing import Any

from desert_aa.bots.attacks import attacks
from desert_aa.bots.marches import marches
from desert_aa.bots.position import Position
from desert_aa.bots.purchases import best_places, minefields_wanted, purchase, shopping
from desert_aa.bots.settings import MOST, USUAL, Settings
from desert_aa.economy.grant import GrantSpace
from desert_aa.economy.purchase import Arrivals, MinePlaces
from desert_aa.model.board import FAR, Board
from desert_aa.model.orders import (
    BuyMinefields,
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
from desert_aa.model.tables import VALUES
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, MoveSpace, NonCombatMoves
from sandtable import Decision, Form, OneOf, Order, PlayError, Stream, View


class Commander:
    """A bot for one seat. It makes a plan at the first decision of a movement phase and executes it order by order."""

    def __init__(self, seat: str, stream: Stream, board: Board, settings: Settings = USUAL) -> None:
        self.seat = seat
        self.stream = stream
        self.board = board
        self.settings = settings
        self._plan: list[MoveUnits] = []
        self._planned: tuple[int, str] = (-1, "")
        self._ground: Ground | None = None
        """The ground of the latest move decision."""
        self._aloft: list[str] = []
        """The planes over hostile ground when non-combat moves began; only landing changes them."""

    def configure(self, settings: Mapping[str, int]) -> None:
        """Replace settings. Raises PlayError for an unknown name or a value out of range."""
        for name, value in settings.items():
            if name not in Settings._fields:
                raise PlayError(f"commander has no setting {name!r}; settings: {', '.join(Settings._fields)}")
            if not 0 <= value <= MOST:
                raise PlayError(f"commander: {name} is {value}: must be 0 to {MOST:,}")
        self.settings = self.settings._replace(**settings)

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a legal order. Without a preference it ends the phase, or is random if the phase cannot be ended."""
        options = decision.options
        order: Order | None = None
        if isinstance(options, MoveSpace):
            order = self._move(decision, options, view)
        elif isinstance(options, GrantSpace):
            order = self._grant(options, self._look(decision.power, view))
        elif isinstance(options, Arrivals):
            order = self._arrive(options, self._look(decision.power, view))
        elif isinstance(options, OneOf):
            order = self._pick(options, view)
        elif isinstance(options, Form):
            order = self._fill(options, decision, view)
        elif isinstance(options, MinePlaces):
            order = PlaceMinefields(best_places(self._look(decision.power, view), options.free())[: options.due()])
        if order is None or not options.is_legal(order):
            order = decision.done if decision.done is not None else options.sample(self.stream)
        return order

    def _look(self, power: str, view: View) -> Position:
        return Position(view(), self.board, power, self.settings)

    # --- money and arrivals ---

    def _grant(self, options: GrantSpace, position: Position) -> Order:
        """Return a grant order for troops at the front. In test games, grants with a minefield lost more often."""
        units: dict[str, dict[str, dict[str, int]]] = {}
        for purse in options.purses():
            power = next(power for power, of in options.purse_of.items() if of == purse)
            front = position.front(options.spaces)
            bought = shopping(options.grant[purse], {kind: VALUES[power][kind].cost for kind in VALUES[power]})
            if bought and front is not None:
                units.setdefault(power, {})[front] = bought
        return PlaceBonus(units)

    def _arrive(self, options: Arrivals, position: Position) -> Order | None:
        """Return an order for all units in the zone nearest to the enemy or a weak capital, or None without zones."""
        zones = list(options.zones)
        if not zones:
            return None
        home = self.board.capitals[position.side]
        near = position.steps_to([home] if position.home_is_weak() else position.goals())
        zone = min(zones, key=lambda each: (near.get(each, FAR), each))
        return PlaceUnits({zone: options.due()})

    # --- combat ---

    def _pick(self, options: OneOf, view: View) -> Order:
        """Return an order: fight on if the odds are good, otherwise retreat. Of other orders, declare, or the first."""
        orders = list(options.of)
        retreats = [each for each in orders if isinstance(each, Retreat)]
        if retreats and any(isinstance(each, PressOn) for each in orders):
            if self._look(self.seat, view).battle_goes_well():
                return PressOn()
            return retreats[0]
        declared: list[Order] = [each for each in orders if isinstance(each, DeclareMinefield) and each.declare]
        first: Order = (declared or orders)[0]
        return first

    def _fill(self, form: Form, decision: Decision, view: View) -> Order | None:
        """Return an order that loses the cheapest units, uses all guns or spends the money, or None for other forms."""
        if form.order is TakeLosses:
            space: Any = form.space_of("units", [])
            return TakeLosses(list(space.of[: space.least]))
        if form.order is DesignateGuns:
            space = form.space_of("guns", [])
            return DesignateGuns(list(space.of[: space.most]))
        if form.order is BuyUnits:
            space = form.space_of("units", [])
            return BuyUnits(purchase(self._look(decision.power, view), space.amount, space.prices, self.settings))
        if form.order is BuyMinefields:
            space = form.space_of("number", [])
            return BuyMinefields(minefields_wanted(self._look(decision.power, view), space.most, self.settings))
        return None

    # --- movement ---

    def _move(self, decision: Decision, options: MoveSpace, view: View) -> Order | None:
        """Return the next legal order of the plan of this phase. Planes land first. May return None."""
        if options.only:
            return self._land(options, options.only, self._look(decision.power, view))
        if options.ground is not self._ground:
            self._take_in(options, self._look(decision.power, view))
        aloft = [each for each in self._aloft if any(each in able for able in options.leaders.values())]
        if aloft:
            return self._land(options, aloft[0], self._look(decision.power, view))
        while self._plan:
            order = self._plan.pop(0)
            if options.is_legal(order):
                return order
        return decision.done

    def _take_in(self, options: MoveSpace, position: Position) -> None:
        """Store the ground and its planes to land, and make a plan if the phase is new."""
        self._ground = options.ground
        now = (position.turn, position.phase)
        if self._planned != now:
            self._planned = now
            plan = attacks if isinstance(options, CombatMoves) else marches
            self._plan = list(plan(position, self.settings))
        self._aloft = position.aloft() if isinstance(options, NonCombatMoves) else []

    def _land(self, options: MoveSpace, unit_id: str, position: Position) -> Order | None:
        """Return a landing behind the front, if possible in a space guarded by own units, or None if there is none."""
        ends = options.destinations(unit_id)
        if not ends:
            return None
        near = position.steps_to(position.hostile)
        best = min(ends, key=lambda each: (not position.is_guarded(each), abs(near.get(each, FAR) - 2), each))
        return MoveUnits([unit_id], ends[best])


PLAYERS: dict[str, Callable[[str, Stream, Any], Commander]] = {"commander": Commander}
