"""Game forces, chosen in secret and opened together, and conceding before or after (AOA-3, AOA-5.22, AOA-R14)."""

from axis_attack.forces.force import force_points, force_space
from axis_attack.forces.purchases import price_of
from axis_attack.model.cards import SIDES
from axis_attack.model.events import ForceChosen, GameConceded
from axis_attack.model.orders import ChooseForce, Concede
from axis_attack.model.state import AxisState
from sandtable.kernel.decisions import Decision, Sealed
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, OneOf
from sandtable.kernel.sequence import Procedure

SELDOM = 6


def choose_forces(state: AxisState) -> Procedure:
    """Ask who concedes, then for both forces; called once more when these are shown, ask again who concedes (AOA-R28).

    So an imagined game can begin where they are shown. Returns whether it is done.
    """
    if state.forces:
        yield from _concede(state, "play with these forces, or concede the game")
        return True
    yield from _concede(state, "play the mission, or concede the game without playing")
    if state.conceded:
        return True
    spaces = {side: force_space(state, side) for side in SIDES}
    for side in in_order(state):
        if spaces[side].is_empty():
            yield GameConceded(side, "AOA-R62")
            return True
    prompt = "choose your force for the game"
    asked = tuple(Decision(side, prompt, spaces[side], "AOA-3.01", secret=True) for side in SIDES)
    answers: dict[str, ChooseForce] = yield Sealed(asked)
    for side in SIDES:
        yield force_chosen(state, side, answers[side])
    return False


def in_order(state: AxisState) -> tuple[str, str]:
    """Return both sides, the attacker first: who is asked first, and concedes if neither can form a force."""
    first, second = SIDES
    return (second, first) if state.attacker == second else (first, second)


def force_chosen(state: AxisState, side: str, order: ChooseForce) -> ForceChosen:
    """Return the force of a legal order as an event, platoons in the order of the roster."""
    fielded = {each.platoon: each for each in order.platoons}
    platoons = [fielded[each] for each in state.rosters[side] if each in fielded]
    points = force_points(state, side, platoons, order.air)
    cost = order.extra + price_of(order.purchase)
    return ForceChosen(side, platoons, points, order.extra, order.purchase, order.air, cost)


class Conceding(Form):
    """Whether to concede; who answers at random gives up one game in ``SELDOM``, so that games are played."""

    def sample(self, stream: Stream) -> Concede:
        """Return one of the two, seldom to concede."""
        return Concede(stream.one_in(SELDOM))


def _concede(state: AxisState, prompt: str) -> Procedure:
    """Ask one side after the other whether it concedes; when one has, the other has won (AOA-5.22, AOA-5.23)."""
    for side in in_order(state):
        space = Conceding(Concede, {"concede": OneOf((False, True), "AOA-5.22")})
        order: Concede = yield Decision(side, prompt, space, "AOA-5.22", done=Concede())
        if order.concede:
            yield GameConceded(side)
            return
