"""A planned game: a what-if of one side, which continues from a position that fits the side's knowledge.

The position is dealt by a simulator, which holds no secret of another side. Nothing of a plan is stored, and no real
game changes. It is a list of steps over the dealt position, so taking one back deals the same position again.
"""

import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, structs

from sandtable.errors import NothingToUndo, PlayError
from sandtable.kernel.decisions import UMPIRE, Decision, Order, Roll
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.simulator import Simulated, Simulator, sees_roll
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.players.courses import only_empty_order
from sandtable.players.players import HUMAN, best_for, seat_bot
from sandtable.plugin.manifest import Course
from sandtable.viewer.film.camera import Camera
from sandtable.viewer.narrate import StoryLine, sentence
from sandtable.viewer.story import StoryUpdate
from sandtable.web.live.game import LiveGame

EXPECTED, TYPED, RANDOM = "expected", "typed", "random"
DICE = (EXPECTED, TYPED, RANDOM)
BOT, ME = "bot", "me"
OTHERS = (BOT, ME)
MAX_STEPS = 400
"""Maximum number of orders and rolls in a plan."""


MAX_SAME = 3
"""Maximum number of rolls with expected faces for one purpose until the next question."""


class PlanRoll(Struct, frozen=True):
    """A roll that waits for typed faces."""

    words: str
    dice: int
    sides: int
    needs: tuple[int, ...]


class PlannedStory:
    """The story of a plan, as a LiveStory: a line for each record that the side would see, numbered by its step."""

    def __init__(self) -> None:
        self.lines: list[StoryLine] = []
        self.known: list[Any] = []

    def since(self, _number: int) -> StoryUpdate:
        """Return the whole story."""
        return StoryUpdate(0, self.lines)


class PlannedGame(LiveGame):
    """A plan of ``side``, used instead of a live game. Its person answers for all seats of the side, or for all seats.

    Raises PlayError or NoDeal if no position can be dealt.
    """

    def __init__(self, live: LiveGame, side: str, simulator: Simulator) -> None:
        header = structs.replace(live.header, key="", salts="", commitment="", dice="plan")
        self.ident, self.names, self.prepared, self.header = live.ident, dict(live.names), live.prepared, header
        self.side, self.dice_mode, self.others, self.is_busy = side, EXPECTED, BOT, False
        self.thinking, self.key, self.bots = "", b"", {}
        self._simulator = simulator
        self._questions, self._looks, self._staff, self._courses = {}, {}, {}, {}
        self.deal_again()

    # --- the position ---

    def deal_again(self) -> None:
        """Deal another position that fits the side's knowledge, and begin the plan again."""
        self._seed = secrets.token_bytes(32)
        self._steps: list[tuple[str, Any]] = []
        self._build()

    def _build(self) -> None:
        """Deal the position, and take the steps again."""
        stream, deal = Stream(self._seed), self.prepared.installed.bots.deal
        game: Simulated = self._simulator.deal(stream, deal, any_prompt=True)
        self.game: Any = game
        self._stream = stream.branch("plan")
        self._bots: dict[str, Any] = {}
        self._told = len(game.records)
        self._story = PlannedStory()
        self._camera = Camera(self.prepared, self.side)
        self._camera.take(0, game.state)
        self._taken = 0
        for step in self._steps:
            self._take(*step)

    def _take(self, seat: str, what: Any) -> None:
        """Take a step: an order of ``seat``, or faces for the pending roll if ``seat`` is ""."""
        if seat:
            self.game.submit(what, seat)
        else:
            self.game.resolve_roll(what)
        self._taken += 1
        self._camera.take(self._taken, self.game.state)
        self._story.known = []
        self._story.lines += self._lines(self.game.records[self._told :])
        self._told = len(self.game.records)

    def _lines(self, records: Sequence[Any]) -> Iterator[StoryLine]:
        ruleset, ui = self.prepared.ruleset, self.prepared.installed.ui
        for record in records:
            seen = record
            if isinstance(record, EventRecord) and isinstance(record.event, ruleset.secret_events):
                event = ruleset.visible(record.event, self.side)
                seen = None if event is None else structs.replace(record, event=event)
            if isinstance(record, RollRecord) and not sees_roll(record, self.side):
                seen = None
            text = sentence(seen, lambda each: ui.narrate(each, self.prepared.board) if ui.narrate else None)
            for line in (text or "").splitlines():
                yield StoryLine("sentence", line, self._taken)

    def _step(self, seat: str, what: Any) -> None:
        if len(self._steps) >= MAX_STEPS:
            raise PlayError(f"a plan has at most {MAX_STEPS} steps: take some back, or deal again")
        self._take(seat, what)
        self._steps.append((seat, what))

    # --- playing on ---

    def waiting(self, seats: Sequence[str]) -> Decision | None:  # noqa: ARG002 - as at a table
        """Return the decision that the person must answer, or None."""
        return None if self.is_busy else self._mine()

    def _mine(self) -> Decision | None:
        side_of = self.prepared.ruleset.side_of
        found = self.game.waiting()
        return next((each for each in found if self.others == ME or side_of(each.seat) == self.side), None)

    def give(self, decision: Decision, order: Order, course: Course | None = None) -> None:
        """Give an order, and continue to the next question or typed roll. Raises IllegalOrder."""
        self._step(decision.seat, order)
        for each in course.orders[1:] if course is not None else ():
            pending = self._mine()
            if pending is None or pending.seat != decision.seat or pending.why_not(each) is not None:
                break
            self._step(decision.seat, each)
        self.play_on()

    def play_on(self) -> None:
        """Roll and let the bots of the other seats answer, until the person must. Raises PlayError."""
        self._rolled = Counter[str]()
        while not self.game.is_over:
            roll = self.game.pending
            if isinstance(roll, Roll):
                if self.typed_roll() is not None:
                    return
                self._step("", self._faces(roll))
                continue
            mine = self._mine()
            if mine is None:
                decision = self.game.waiting()[0]
                self._step(decision.seat, self._bot(decision.seat).choose(decision, self.game.seat_view(decision.side)))
            elif (order := only_empty_order(mine)) is not None:
                self._step(mine.seat, order)
            else:
                return

    def _bot(self, seat: str) -> Any:
        if seat not in self._bots:
            name, is_umpire = self.names[seat], self.prepared.ruleset.side_of(seat) == UMPIRE
            name = name if is_umpire and name != HUMAN else best_for(self.prepared.installed, seat)
            self._bots[seat] = seat_bot(self.prepared, seat, name, self._seed)
        return self._bots[seat]

    def _faces(self, roll: Roll) -> tuple[int, ...]:
        """Return faces: random, or the expected number of hits, or average faces.

        Expected faces that lead to the same roll again and again, as a tie does, become random.
        """
        self._rolled[roll.purpose] += 1
        is_again = self._rolled[roll.purpose] > MAX_SAME
        if self.dice_mode == RANDOM or is_again or not sees_roll(roll, self.side):
            return tuple(self._stream.below(roll.sides) + 1 for _ in range(roll.dice))
        return expected_faces(roll)

    def typed_roll(self) -> Roll | None:
        """Return the roll whose faces the person must type, or None."""
        roll = self.game.pending
        is_mine = isinstance(roll, Roll) and self.dice_mode == TYPED and sees_roll(roll, self.side)
        return roll if is_mine else None

    def type_faces(self, faces: Sequence[int]) -> None:
        """Give faces to the roll that waits for them, and continue. Raises PlayError if they do not fit."""
        if self.typed_roll() is None:
            raise PlayError("no roll waits for faces")
        self._step("", tuple(faces))
        self.play_on()

    def set_up(self, dice: str, others: str) -> None:
        """Choose the kind of dice, and the players of the other sides."""
        self.dice_mode, self.others = dice, others

    # --- instead of a live game ---

    def undo(self, seats: Sequence[str]) -> None:  # noqa: ARG002 - as at a table
        """Undo the last order of the person's side, and everything after it. Raises NothingToUndo."""
        side_of = self.prepared.ruleset.side_of
        places = [at for at, (seat, _) in enumerate(self._steps) if seat and side_of(seat) == self.side]
        if not places:
            raise NothingToUndo("you have not given an order in this plan")
        del self._steps[places[-1] :]
        self._build()

    def no_undo(self, seats: Sequence[str]) -> str:  # noqa: ARG002 - as at a table
        """Return why nothing can be taken back, or ""."""
        return "" if self._steps else "you have not given an order in this plan"

    def resign(self, seat: str) -> None:  # noqa: ARG002 - as at a table
        """Refuse: a plan has no ending by people."""
        raise PlayError("this is a planning board: resign at the table")

    agree_on_draw = resign

    def store(self) -> None:
        """Store nothing."""

    def catch_up(self) -> None:
        """Forget the answered questions."""
        self._questions.clear()
        self._looks.clear()

    def bot_turn(self) -> None:
        """Return None: bots have answered already."""

    def last_order(self, seats: Sequence[str]) -> int:  # noqa: ARG002 - as at a table
        """Return 0: a plan has no film."""
        return 0

    def viewer_of(self, seats: Sequence[str], now: str = "") -> str:  # noqa: ARG002 - as at a table
        """Return the side that plans, whatever the seat."""
        return self.side

    def needs_curtain(self, seats: Sequence[str]) -> bool:  # noqa: ARG002 - as at a table
        """Return False: a plan shows only the knowledge of one side."""
        return False

    def camera(self, viewer: str) -> Camera:  # noqa: ARG002 - as at a table
        """Return the camera of the plan."""
        return self._camera

    def story(self, viewer: str) -> Any:  # noqa: ARG002 - as at a table
        """Return the story of the plan."""
        return self._story

    def facts(self) -> dict[str, Any]:
        """Return the facts as of a live game, and those of the plan."""
        roll, state = self.typed_roll(), self.game.state
        asked = PlanRoll(roll.purpose, roll.dice, roll.sides, roll.needs) if roll is not None else None
        plan = {"dice": self.dice_mode, "others": self.others, "steps": len(self._steps), "roll": asked}
        mine = self._mine()
        return {
            "turn": state.turn,
            "phase": state.phase,
            "waiting": [mine.seat] if mine is not None else [],
            "thinking": "",
            "outcome": "",
            "ending": "",
            "last": self._taken,
            "plan": plan | {"side": self.side, "over": state.outcome},
        }


def simulator_of(live: LiveGame, side: str) -> Simulator:
    """Return the simulator that deals positions as ``side`` may know them at the pending question of ``live``.

    If the question is to another side, only the seat of that question is used, which is public. Raises PlayError if
    nothing is pending.
    """
    waiting = live.game.waiting()
    if not waiting or live.game.is_over:
        raise PlayError("a plan begins at a question: wait until one is pending")
    side_of = live.prepared.ruleset.side_of
    own = next((each for each in waiting if side_of(each.seat) == side), None)
    decision = own or structs.replace(waiting[0], side=side, power=waiting[0].seat)
    return live.game.simulator(decision)


def expected_faces(roll: Roll) -> tuple[int, ...]:
    """Return faces with the expected number of hits, rounded; without needs, average faces, alternately up and down.

    The dice that hit most easily do. With the best and worst faces on the others, every reader of the dice agrees.
    """
    if not roll.needs:
        low, high = (roll.sides + 1) // 2, roll.sides // 2 + 1
        return tuple((high, low)[at % 2] for at in range(roll.dice))
    needs = [min(max(each, 0), roll.sides) for each in roll.needs]
    hits = (2 * sum(needs) + roll.sides) // (2 * roll.sides)
    easiest = sorted(range(roll.dice), key=lambda at: -needs[at])
    chosen = set(easiest[:hits])
    return tuple(max(1, need) if at in chosen else roll.sides for at, need in enumerate(needs))


def may_plan(side: str) -> bool:
    """Return whether the holder of ``side`` can plan: not a spectator, and not the umpire, who sees the game itself."""
    return side not in ("", "public", UMPIRE)


def known_modes(dice: str, others: str) -> bool:
    """Return whether these are modes of a plan."""
    return dice in DICE and others in OTHERS
