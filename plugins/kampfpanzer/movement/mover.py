"""A unit on its way, as the movement phase keeps it in mind; nothing of it is in the state."""

from kampfpanzer.movement.schedule import OVERRUN, Step, overrun_target


class Mover:
    """A unit that carries out a plot of movement: a unit by itself, or a vehicle with who is aboard.

    ``steps`` is its schedule and ``place`` the number of steps done, which is the number of hexes entered. ``path`` are
    the hexes where it may be put back, each with the half point at which it came there: its start first, the hex that
    it overruns never. ``target`` is the hex it is to overrun, also when it has lost the overrun: ``is_lost``; while it
    stands in that hex it ``is_inside``. ``entry`` is the hex by which it comes onto the map, "" if it is there already.
    """

    __slots__ = (
        "allowance",
        "entry",
        "hex",
        "is_inside",
        "is_lost",
        "number",
        "panicked",
        "path",
        "place",
        "side",
        "steps",
        "stopped",
        "target",
        "unit_id",
    )

    def __init__(self, unit_id: str, side: str, start: str, steps: list[Step]) -> None:
        self.unit_id = unit_id
        self.number = int(unit_id)
        self.side = side
        self.hex = start
        self.steps = steps
        self.place = 0
        self.path = [(start, 0)]
        self.target = overrun_target(steps)
        self.is_lost = False
        self.is_inside = False
        self.stopped = False
        self.panicked = False
        self.allowance = 0
        self.entry = "" if start else steps[0].hex

    @property
    def next(self) -> Step:
        """The step that is due next; there must be one."""
        return self.steps[self.place]

    @property
    def is_moving(self) -> bool:
        """Whether steps are left that it may still do (R-KP-08)."""
        return not self.stopped and self.place < len(self.steps)

    @property
    def is_coming(self) -> bool:
        """Whether it is still to enter the hex that it overruns (R-KP-52)."""
        return self.target != "" and not self.stopped and not self.is_lost and self.place < len(self.steps) - 1

    def ignores(self, hex_: str) -> bool:
        """Tell whether zones of enemies in ``hex_`` are nothing to it: in the hex it overruns, or all while it does.

        KP-8.1a, KP-8.1b. A unit that has lost its overrun still goes up to the hex in front (KP-9.65a).
        """
        return self.is_inside or (self.target != "" and hex_ == self.target)

    def go(self, tick: int) -> None:
        """Do the next step."""
        step = self.steps[self.place]
        self.hex = step.hex
        self.place += 1
        self.is_inside = step.kind == OVERRUN
        if not self.is_inside:
            self.path.append((self.hex, tick))

    def lose_overrun(self) -> None:
        """Let it go no further than the hex in front of the target (KP-9.65a)."""
        if self.is_coming:
            self.is_lost = True
            del self.steps[-2:]
