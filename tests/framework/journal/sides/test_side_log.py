"""A game as a side knows it from its slice: its records, and states that look to it like the true ones."""

from collections.abc import Callable

import pytest

from sandtable.errors import PlayError
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import fold_steps, read_records
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, log_bytes
from sandtable.journal.sides.side_log import SideLog, side_log
from sandtable.journal.sides.slices import seen_records, slice_log
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.records import OrderRecord, UndoRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.toy import Commit

Play = Callable[..., Recorded]


def cut_for(log: Log, prepared: Prepared, side: str) -> SideLog:
    return SideLog(parse_log(slice_log(log, prepared, side), "slice"), prepared, side)


@pytest.mark.parametrize("ruleset", ["toy", "league3", "league7"])
def test_states_of_a_slice_have_the_view_of_its_side(ruleset: str, record: Play, rulesets: Rulesets) -> None:
    prepared = rulesets.load(ruleset).prepare()
    log = parse_log(record(ruleset=ruleset).data, "log")
    view, records = prepared.ruleset.view, read_records(log, prepared.ruleset)
    for side in (*prepared.ruleset.viewers, PUBLIC):
        own = cut_for(log, prepared, side)
        assert own.shown == seen_records(records, prepared, side)
        for each, state in fold_steps(records, prepared):
            assert view(own.state_at(each.n), side) == view(state, side), f"record {each.n}, as {side} saw it"


def test_closed_orders_are_known_without_their_content(toy_log: Log, toy: Prepared) -> None:
    own = cut_for(toy_log, toy, "north")
    orders = [each for each in own.known if isinstance(each, OrderRecord)]
    assert [each.by for each in orders if each.order is None] == ["south"]
    assert [each for each in own.shown if getattr(each, "order", "") is None] == []
    assert [each.n for each in orders] == [
        each.n for each in read_records(toy_log, toy.ruleset) if isinstance(each, OrderRecord)
    ]


def test_states_before_an_undo_include_the_undone_orders(toy: Prepared) -> None:
    dice = make_dice("open", key_from_seed("undo"))
    game = toy.new_game(dice)
    game.start()
    for order, by in ((order.options.sample(Stream(b"1")), order.seat) for order in game.waiting()):
        game.submit(order, by)
    while not game.waiting() or game.waiting()[0].prompt != "commit troops":
        asked = game.waiting()[0]
        game.submit(asked.options.sample(Stream(b"2")), asked.seat)
    game.submit(Commit(2), "north")
    game.undo("north")
    game.submit(Commit(1), "north")
    game.submit(Commit(1), "south")
    log = parse_log(log_bytes(make_header(toy, dict.fromkeys(toy.ruleset.seats, "random"), dice), game)[0], "log")
    own = cut_for(log, toy, "north")
    back = next(each for each in own.known if isinstance(each, UndoRecord))
    assert [each.n for each in own.course(back.n - 1).known if isinstance(each, OrderRecord)][-1] == back.to
    assert back.to not in {each.n for each in own.course(back.n).known}
    assert (own.rewinds(back.n - 1), own.rewinds(back.n)) == ((), (back.n,))


def test_question_is_pending_before_an_order_and_at_the_end(toy_log: Log, toy: Prepared) -> None:
    own = cut_for(toy_log, toy, "north")
    orders = [each.n for each in own.known if isinstance(each, OrderRecord)]
    assert [number for number in range(toy_log.records) if own.is_asked(number)] == [each - 1 for each in orders]
    assert not own.is_asked(toy_log.records)


def test_complete_log_with_the_annex_of_a_slice_is_not_a_slice(toy_log: Log, toy: Prepared) -> None:
    assert side_log(toy_log, toy, "north") is None
    named = next(line for line in slice_log(toy_log, toy, "north").split(b"\n") if b'"slice"' in line)
    first, rest = toy_log.data.split(b"\n", 1)
    assert side_log(parse_log(b"%b\n%b\n%b" % (first, named, rest), "log"), toy, None) is None


def test_slice_is_read_for_its_own_side_only(toy_log: Log, toy: Prepared) -> None:
    part = parse_log(slice_log(toy_log, toy, "north"), "part")
    for side in (None, "north"):
        own = side_log(part, toy, side)
        assert own is not None
        assert own.side == "north"
    for side in ("south", PUBLIC, "umpire"):
        with pytest.raises(PlayError, match=f"part is redacted for north: it does not show what {side} saw"):
            side_log(part, toy, side)
    public = side_log(parse_log(slice_log(toy_log, toy, PUBLIC), "part"), toy, None)
    assert public is not None
    assert public.side == PUBLIC
