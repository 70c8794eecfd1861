"""The triad: three sides bid at once, dice decide, and the winner of the bid acts openly."""

import sandtable as st

SIDES = ("north", "south", "west")
TURNS = 3

RULES = """
    TR-1  Each turn all sides bid one to three points at once.
    TR-2  Each side adds a die to its bid; the highest total, the first side of several, is on turn.
    TR-3  The side on turn stops, or strikes as often as it likes; each strike is a die, and a six ends its turn.
    TR-4  After three turns the side with the most strikes wins.
"""

game = st.Ruleset("triad", title="The triad", sides=SIDES, endings=("counted",), rules=RULES)


@game.state
class Field(st.State, kw_only=True):
    """The strikes of each side, and the side on turn."""

    strikes: dict[str, int] = {}
    leader: str = ""


@game.order
class Bid(st.Order, frozen=True):
    """Bid ``points``."""

    points: int


@game.order
class Strike(st.Order, frozen=True):
    """Strike once."""


@game.order
class Stop(st.Order, frozen=True):
    """End the turn."""


@game.event
class Led(st.Event, frozen=True):
    """``side`` is on turn."""

    side: str
    rule: str = "TR-2"

    def apply(self, field: Field) -> None:
        """Note the side."""
        field.leader = self.side


@game.event
class Struck(st.Event, frozen=True):
    """``side`` struck with the die ``face``."""

    side: str
    face: int
    rule: str = "TR-3"

    def apply(self, field: Field) -> None:
        """Count it."""
        field.strikes[self.side] = field.strikes.get(self.side, 0) + self.face


@game.phase("TR-1")
def bids(field: Field) -> st.Procedure:
    """Ask all sides, and add a die to each bid (TR-1, TR-2)."""
    form = st.Form(Bid, {"points": st.Range(1, 3, "TR-1")})
    orders = yield st.Sealed(tuple(st.Decision(side, "bid", form, "TR-1") for side in SIDES))
    faces = yield st.Roll(3, 6, "bid", "TR-2")
    totals = {side: orders[side].points + face for side, face in zip(SIDES, faces, strict=True)}
    yield Led(max(SIDES, key=lambda side: totals[side]))


@game.phase("TR-3")
def strikes(field: Field) -> st.Procedure:
    """Let the side on turn strike (TR-3, TR-4)."""
    options = st.AnyOf((st.Form(Strike, {}), st.Form(Stop, {})))
    while True:
        order = yield st.Decision(field.leader, "strike or stop", options, "TR-3")
        if isinstance(order, Stop):
            break
        (face,) = yield st.Roll(1, 6, "strike", "TR-3")
        yield Struck(field.leader, face)
        if face == 6:
            break
    if field.turn == TURNS:
        most = max(SIDES, key=lambda side: field.strikes.get(side, 0))
        yield st.GameEnded(most, "counted", "TR-4")
