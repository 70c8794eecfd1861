"""The convoy: three sides with open, sealed and secret questions of the same kinds, to try standing orders on.

Each side loads a secret cargo, and all choose a course at once. Then each in turn sails until it stops, answers for the
storm, and may press on in the night as often as it likes.
"""

from typing import Any

import sandtable as st

SIDES = ("red", "green", "blue")
RULES = """
    CO-1  Each side loads a cargo that others do not see.
    CO-2  All choose a course at once.
    CO-3  A side sails one to three miles at a time, as far as its fuel lasts, and stops when it likes.
    CO-4  On a storm a side loses one crew for each mile of the last leg, or all of a small crew.
    CO-5  In the night a side may press on, which costs nothing. Then red inspects its cargo.
    CO-6  After turn 3 the side with the most miles wins.
"""
game = st.Ruleset("convoy", title="The convoy", sides=SIDES, rules=RULES, keeper="needed", secrets="the cargoes")


@game.state
class Sea(st.State, kw_only=True):
    """Fuel, crew and miles by side, and the secret cargoes."""

    fuel: dict[str, int]
    crew: dict[str, int]
    miles: dict[str, int]
    cargo: dict[str, int] = {}
    leg: dict[str, int] = {}


@game.hook("setup")
def begin() -> tuple[Sea, None]:
    """Return the first state."""
    return Sea(fuel=dict.fromkeys(SIDES, 9), crew=dict.fromkeys(SIDES, 4), miles=dict.fromkeys(SIDES, 0)), None


@game.view
def view(sea: Sea, side: str) -> dict[str, Any]:
    """Return what ``side`` sees."""
    own = sea.cargo.get(side, 0)
    return {"fuel": dict(sea.fuel), "crew": dict(sea.crew), "miles": dict(sea.miles), "cargo": own, "turn": sea.turn}


@game.order
class Load(st.Order, frozen=True):
    """Load ``tons``."""

    tons: int


@game.order
class Steer(st.Order, frozen=True):
    """Steer ``course``."""

    course: str


@game.order
class Sail(st.Order, frozen=True):
    """Sail ``miles``."""

    miles: int


@game.order
class Stop(st.Order, frozen=True):
    """Sail no farther."""


@game.order
class Lose(st.Order, frozen=True):
    """Lose ``crew``."""

    crew: int


@game.order
class Press(st.Order, frozen=True):
    """Press on, or rest."""

    on: bool


@game.event(seen_by="side")
class Loaded(st.Event, frozen=True):
    """A side loaded."""

    side: str
    tons: int
    rule: str = "CO-1"

    def apply(self, sea: Sea) -> None:
        """Keep the cargo."""
        sea.cargo[self.side] = self.tons


@game.event(seen_by="all")
class Steered(st.Event, frozen=True):
    """All steered."""

    courses: dict[str, str]
    rule: str = "CO-2"

    def apply(self, sea: Sea) -> None:
        """Begin new legs."""
        sea.leg.update(dict.fromkeys(self.courses, 0))


@game.event(seen_by="all")
class Sailed(st.Event, frozen=True):
    """A side sailed."""

    side: str
    miles: int
    rule: str = "CO-3"

    def apply(self, sea: Sea) -> None:
        """Use the fuel."""
        sea.fuel[self.side] -= self.miles
        sea.miles[self.side] += self.miles
        sea.leg[self.side] = self.miles


@game.event(seen_by="all")
class CrewLost(st.Event, frozen=True):
    """A side lost crew."""

    side: str
    crew: int
    rule: str = "CO-4"

    def apply(self, sea: Sea) -> None:
        """Reduce the crew."""
        sea.crew[self.side] -= self.crew


def _ask(side: str, purpose: str, options: st.Space, rule: str, **more: Any) -> st.Decision:
    return st.Decision(side, purpose, options, rule, purpose=f"{purpose}.{side}", **more)


@game.phase("CO-1", setup=True)
def load(_: Sea) -> st.Procedure:
    """Load (CO-1)."""
    for side in SIDES:
        order = yield _ask(side, "sail", st.Form(Load, {"tons": st.Range(0, 9)}), "CO-1", secret=True)
        yield Loaded(side, order.tons)


@game.phase("CO-2")
def steer(_: Sea) -> st.Procedure:
    """Choose courses at once (CO-2)."""
    courses = st.OneOf([Steer("north"), Steer("south")], "CO-2")
    orders = yield st.Sealed(tuple(_ask(side, "sail", courses, "CO-2") for side in SIDES))
    yield Steered({side: order.course for side, order in orders.items()})


@game.phase("CO-3")
def sail(sea: Sea) -> st.Procedure:
    """Sail (CO-3), and lose crew to storms (CO-4)."""
    for side in SIDES:
        while True:
            legs = [Sail(miles) for miles in range(1, min(3, sea.fuel[side]) + 1)]
            order = yield _ask(side, "sail", st.OneOf([Stop(), *legs], "CO-3"), "CO-3", done=Stop())
            if order == Stop():
                break
            yield Sailed(side, order.miles)
        (face,) = yield st.Roll(1, 6, f"storm.{side}", "CO-4")
        if face < 5 and sea.leg[side] and sea.crew[side]:
            exactly = min(sea.leg[side], sea.crew[side])
            lost = st.Form(Lose, {"crew": st.Range(exactly, exactly, "CO-4")})
            order = yield _ask(side, "losses", lost, "CO-4")
            yield CrewLost(side, order.crew)


@game.phase("CO-5")
def night(sea: Sea) -> st.Procedure:
    """Press on (CO-5), and count the miles (CO-6)."""
    for side in SIDES:
        while (yield _ask(side, "press_on", st.OneOf([Press(False), Press(True)], "CO-5"), "CO-5")).on:
            pass
    rest = st.OneOf([Press(False)], "CO-5")
    yield _ask("red", "inspect", rest, "CO-5", outside=rest)
    yield st.Decision("red", "without a purpose", st.OneOf([Press(False), Press(True)], "CO-5"), "CO-5")
    if sea.turn == 3:
        best = max(sea.miles.values())
        first = [side for side in SIDES if sea.miles[side] == best]
        yield st.GameEnded(first[0] if len(first) == 1 else "draw", "dawn", "CO-6")


class Careful:
    """Sails one mile while it has the most fuel, and takes what it must."""

    def __init__(self, seat: str, stream: st.Stream, board: Any) -> None:
        self._seat, self._stream = seat, stream

    def choose(self, decision: st.Decision, view: st.View) -> st.Order:
        """Return an order that follows from what all may see."""
        fuel = view()["fuel"]
        if decision.done is None:
            first: st.Order = next(iter(decision.options.values()))
            return first
        return Sail(1) if fuel[self._seat] == max(fuel.values()) and fuel[self._seat] else Stop()


class Drifter(Careful):
    """Chooses at random."""

    def choose(self, decision: st.Decision, view: st.View) -> st.Order:
        """Return any order."""
        order: st.Order = decision.options.sample(self._stream)
        return order


class Reckless(Careful):
    """Sails farther than it can."""

    def choose(self, decision: st.Decision, view: st.View) -> st.Order:
        """Return an order that may be illegal."""
        return Sail(3)


class Spy(Careful):
    """Needs its own cargo."""

    def choose(self, decision: st.Decision, view: st.View) -> st.Order:
        """Return an order that follows from the cargo; fail without one."""
        return Sail(1) if 9 // view()["cargo"] else Stop()


game.bot("careful")(Careful)
game.bot("drifter")(Drifter)
game.bot("reckless")(Reckless)
game.bot("spy")(Spy)
