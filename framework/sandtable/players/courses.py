"""Orders that are given without asking a person: the rest of a typed course, and the only order of a decoy question."""

from msgspec import structs

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.play.game import Game
from sandtable.plugin.manifest import Course


def only_empty_order(decision: Decision) -> Order | None:
    """Return the only order of a secret decision if it is empty, or None.

    The decision exists so that the enemy does not learn that there is no choice; a person need not answer it.
    """
    if not decision.secret or decision.options.count(2) != 1:
        return None
    order: Order = next(iter(decision.options.values()))
    fields = [getattr(order, name) for name in order.__struct_fields__]
    return order if fields and not any(fields) else None


class CourseFollower:
    """The course that a person typed, given order by order while it fits the game."""

    def __init__(self) -> None:
        self._course: Course | None = None
        self._since = 0

    def begin(self, course: Course | None, order: Order, number: int) -> None:
        """Follow ``course``, whose first order was ``order``, given after record ``number``; None follows nothing."""
        is_begun = course is not None and order in course.orders
        self._course = structs.replace(course, orders=course.orders[1:]) if course and is_begun else None
        self._since = number

    def forget(self) -> None:
        """Drop the rest of the course."""
        self._course = None

    def next(self, decision: Decision, game: Game | None) -> tuple[Order | None, str]:
        """Return the next order of the course, or None and the reason if an event intervened or the order is illegal.

        The reason is "" without a course, and for an illegal last order of a course that closes by itself.
        """
        course = self._course
        if course is None or not course.orders or game is None:
            return None, ""
        events = [getattr(each, "event", None) for each in game.records if each.n > self._since]
        has_happened = any(each is not None and not isinstance(each, course.quiet) for each in events)
        order = course.orders[0]
        refusal = decision.why_not(order)
        if has_happened or refusal is not None:
            self._course = None
            if course.closing and len(course.orders) == 1 and refusal is not None:
                return None, ""
            return None, "something else happened first" if has_happened or refusal is None else refusal.reason
        self._course = structs.replace(course, orders=course.orders[1:])
        return order, ""
