"""Proposals: orders that a search tries besides the advice."""

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, OneOf, Sheet
from sandtable.lab.search.proposals import Proposals
from sandtable.testing.tictactoe import Mark


class Plot(Order, frozen=True):
    """A sheet with one line for each unit."""

    lines: dict[str, int]


def test_few_orders_are_all_proposed_once() -> None:
    options = OneOf(tuple(Mark(cell) for cell in range(4)))
    proposals = Proposals(Decision("x", "which?", options), Mark(1), [Mark(3)], Stream(b"p"))
    proposed = [proposals.another(Mark(1)) for _ in range(6)]
    assert proposed == [Mark(3), Mark(0), Mark(1), Mark(2), Mark(3), None]


def test_sole_plans_are_the_only_proposals() -> None:
    options = Form(Mark, {"cell": OneOf(range(1, 4))})
    question = Decision("x", "which?", options, done=Mark(2))
    proposals = Proposals(question, Mark(1), [Mark(3)], Stream(b"p"), is_sole=True)
    assert [proposals.another(Mark(1)) for _ in range(2)] == [Mark(3), None]


def test_lines_of_plans_are_mixed_into_proposals() -> None:
    sheet = Sheet({str(unit): OneOf(tuple(range(100))) for unit in range(30)})
    options = Form(Plot, {"lines": sheet})
    mine, theirs = (Plot({str(unit): number for unit in range(30)}) for number in (1, 2))
    proposals = Proposals(Decision("x", "which?", options), mine, [theirs], Stream(b"p"))
    proposed = [proposals.another(mine) for _ in range(30)]
    mixed = [each for each in proposed[1:] if isinstance(each, Plot) and set(each.lines.values()) == {1, 2}]
    assert proposed[0] == theirs
    assert len(mixed) > 5
    assert all(options.is_legal(each) for each in proposed if each is not None)
