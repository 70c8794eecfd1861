"""The planning board: a table of one page over a planned game. It ends with the page and leaves nothing behind."""

import asyncio
from collections.abc import Callable
from typing import Any

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Order
from sandtable.plugin.manifest import Course
from sandtable.viewer.film.camera import FilmMark
from sandtable.web.around.planned import PlannedGame, known_modes, may_plan, simulator_of
from sandtable.web.live.games import Answer, Visit
from sandtable.web.live.table import GameTable, Looker
from sandtable.web.messages import Ping, PlanFaces, SetPlan
from sandtable.web.store import TableStore

MAX_PLANS = 3
"""Maximum number of open planning boards of one link."""


class PlanTable(GameTable):
    """A planning board. Changes run in a thread, because bots and dealing take time; meanwhile there is no question."""

    live: PlannedGame

    async def give(self, looker: Looker, q: str, order: Order, course: Course | None = None) -> bool:  # noqa: ARG002 - as at a table
        """Give an order in the plan; return False if the question is no longer pending."""
        decision = self.live.waiting(())
        if decision is None or self.live.question(decision).q != q:
            return False
        await self.run(lambda: self.live.give(decision, order, course))
        return True

    async def undo(self, looker: Looker) -> None:  # noqa: ARG002 - as at a table
        """Take back the last order of the plan."""
        await self.run(lambda: self.live.undo(()), is_new=True)

    async def offer_draw(self, looker: Looker) -> None:  # noqa: ARG002 - as at a table
        """Refuse."""
        raise PlayError("this is a planning board: offer a draw at the table")

    async def run(self, change: Callable[[], None], *, is_new: bool = False) -> None:
        """Run a change of the plan and show it; with ``is_new``, show the whole board again."""
        if self.live.is_busy:
            raise PlayError("the planning board is busy: wait a moment")
        self.live.is_busy = True
        try:
            await asyncio.to_thread(change)
        finally:
            self.live.is_busy = False
            self.live.catch_up()
            for each in self.lookers:
                await self._shown(each, is_new=is_new)

    async def _shown(self, looker: Looker, *, is_new: bool) -> None:
        if is_new:
            looker.mark = FilmMark()
            await self.greet(looker)
        else:
            await self.show()


async def plan_table(visit: Visit) -> GameTable:
    """Return a planning board for the holder of a link. Raises PlayError if they cannot plan now, or NoDeal."""
    live, link = visit.table.live, visit.looker.link
    side = live.viewer_of(link.seats)
    if not may_plan(side):
        raise PlayError("only a player can plan")
    plans = visit.table.plans
    if sum(each == link.name for each in plans) >= MAX_PLANS:
        raise PlayError(f"{MAX_PLANS} planning boards are open: close one")
    plans.append(link.name)
    try:
        simulator = simulator_of(live, side)
        return PlanTable(await asyncio.to_thread(PlannedGame, live, side, simulator), TableStore(None))
    except BaseException:
        plans.remove(link.name)
        raise


async def set_plan(visit: Visit, message: SetPlan) -> None:
    """Choose dice and opponents, or deal another position. Raises PlayError for an unknown choice."""
    table = _plan_of(visit)
    if not known_modes(message.dice, message.others):
        raise PlayError("dice are expected, typed or random, and the others are a bot or me")

    def change() -> None:
        table.live.set_up(message.dice, message.others)
        if message.deal:
            table.live.deal_again()
        table.live.play_on()

    await table.run(change, is_new=message.deal)


async def plan_faces(visit: Visit, message: PlanFaces) -> None:
    """Give typed faces to the pending roll of a plan. Raises PlayError."""
    table = _plan_of(visit)
    await table.run(lambda: table.live.type_faces(message.faces))


def _plan_of(visit: Visit) -> PlanTable:
    if not isinstance(visit.table, PlanTable):
        raise PlayError("this is not a planning board")
    return visit.table


def check_plan(table: GameTable, message: Any) -> None:
    """Raise PlayError for a message that a planning board does not answer."""
    if isinstance(table, PlanTable) and not isinstance(message, SetPlan | PlanFaces | Ping):
        raise PlayError("this is not available on the planning board: use the table")


PLANNING: dict[type, Answer] = {SetPlan: set_plan, PlanFaces: plan_faces}
