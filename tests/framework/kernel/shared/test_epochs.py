"""Epochs of shared dice in running games."""

import hashlib
from collections.abc import Sequence
from typing import Any

import pytest
from shared_games import Held, epochs_in

from sandtable.errors import NothingToUndo, PlayError
from sandtable.kernel.decisions import UMPIRE, Roll, Sealed
from sandtable.kernel.dice import roll_dice
from sandtable.kernel.play.endings import ADJUDICATION
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import BurntRecord, ChainRecord, EndRecord, OrderRecord, RollRecord, SharesRecord
from sandtable.kernel.sequence import Procedure
from sandtable.kernel.shared.chains import LINKS, epoch_key
from sandtable.kernel.shared.epochs import Epochs, SharedDice, WrongShares, begins_epoch
from sandtable.kernel.shared.local import LocalLinks
from sandtable.testing.scratch import Said, Say, ask, scratch_game

GAME = "0011223344556677"
SECRETS = {"red": b"r" * 32, "blue": b"b" * 32}


def head(at: int, records: Sequence[Any]) -> str:
    return hashlib.sha256(b"head %d" % at).hexdigest()


def dice_from(source: Any, links: int = LINKS) -> SharedDice:
    dice = SharedDice(b"salts" * 6 + b"..")
    dice.epochs = Epochs(GAME, LocalLinks(SECRETS, links).tips(), head, source)
    return dice


def started(procedure: Any, source: Any = None, links: int = LINKS) -> Game:
    return scratch_game(procedure, dice=dice_from(source or LocalLinks(SECRETS, links), links))


def answer(game: Game, word: str = "go") -> None:
    game.submit(Say(word), game.waiting()[0].seat)


def battle(_: Any) -> Procedure:
    for side in ("red", "blue", "red", "blue"):
        order = yield ask(side, "go", "wait")
        for _ in range(2 if order.word == "go" else 0):
            dice = yield Roll(3, 6, f"battle:{side}", "X-6")
            yield Said(str(dice))


def rolls(game: Game) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.label, each.dice) for each in game.records if isinstance(each, RollRecord)]


def test_roll_after_an_answer_waits_for_the_links_of_all_sides() -> None:
    game = started(battle)
    answer(game)
    assert isinstance(game.pending, Roll)
    assert rolls(game) == []
    assert game.share() == ()
    order = next(each for each in game.records if isinstance(each, OrderRecord))
    assert epochs_in(game.records) == [(1, order.n)]
    local = LocalLinks(SECRETS)
    links = {name: due for name in SECRETS if (due := local._chain(name, 1)[1])}
    key = epoch_key(GAME, 1, head(order.n, ()), links)
    assert rolls(game) == [
        (label, roll_dice(key, label, 3, 6)) for label in ("1/battle/battle:red/1", "1/battle/battle:red/2")
    ]
    assert game.waiting()[0].seat == "blue"


def test_all_rolls_between_two_answers_share_one_epoch() -> None:
    game = started(battle)
    for _ in range(4):
        answer(game)
        game.share()
    orders = [each.n for each in game.records if isinstance(each, OrderRecord)]
    assert epochs_in(game.records) == [(epoch, at) for epoch, at in enumerate(orders[:4], start=1)]
    assert len(rolls(game)) == 8


def test_answer_without_a_roll_needs_no_links() -> None:
    game = started(battle)
    answer(game, "wait")
    assert game.waiting()[0].seat == "blue"
    answer(game)
    game.share()
    orders = [each.n for each in game.records if isinstance(each, OrderRecord)]
    assert epochs_in(game.records) == [(1, orders[1])]


def test_roll_before_the_first_answer_is_bound_to_the_header() -> None:
    def weather(_: Any) -> Procedure:
        yield Roll(1, 6, "weather", "X-6")
        yield ask("red", "go")

    game = started(weather)
    assert game.share() == ()
    assert epochs_in(game.records) == [(1, 0)]


def test_missing_links_change_nothing_and_are_named() -> None:
    source = Held(LocalLinks(SECRETS), "red", 1)
    game = started(battle, source)
    answer(game)
    before = list(game.records)
    assert game.share() == ("red",)
    assert (game.records, game.number) == (before, len(before))
    assert [name for name, _ in source.asked] == ["blue", "red"]
    assert {due.epoch for _, due in source.asked} == {1}
    source._epoch = 99
    assert game.share() == ()


def test_play_with_a_missing_link_stops_with_a_message() -> None:
    game = started(battle, Held(LocalLinks(SECRETS), "red", 1))
    answer(game)
    with pytest.raises(PlayError, match="the dice for battle:red wait for a share of another side"):
        game.play({})


def test_play_asks_for_the_links_automatically() -> None:
    game = started(battle)
    stored: list[int] = []
    answer(game)
    with pytest.raises(PlayError, match="blue has no player"):
        game.play({}, after=lambda: stored.append(len(game.records)))
    assert len(rolls(game)) == 2
    first = next(each.n for each in game.records if isinstance(each, SharesRecord))
    assert stored[0] == first - 1  # all records are stored before a link is used


@pytest.mark.parametrize("change", ["amend", "rule"])
def test_undo_and_rulings_wait_until_the_links_are_given(change: str) -> None:
    game = started(battle)
    answer(game)
    order = next(each for each in game.records if isinstance(each, OrderRecord))
    with pytest.raises(NothingToUndo, match="the dice for the last order are being rolled"):
        game.undo()
    with pytest.raises(PlayError, match="until the shares of the pending roll are given"):
        {"amend": lambda: game.amend(order.n, Say("wait"), "x"), "rule": lambda: game.rule(Said("x"), "x")}[change]()
    game.end(EndRecord(game.number + 1, UMPIRE, ADJUDICATION, "red", "blue gives no link"))
    assert game.is_over


def test_amended_order_gives_the_same_dice_under_the_same_label() -> None:
    game = started(battle)
    answer(game)
    game.share()
    first = rolls(game)
    answer(game)
    game.share()
    order = next(each for each in game.records if isinstance(each, OrderRecord))
    game.amend(order.n, Say("go"), "the same again")
    assert rolls(game)[4:] == first
    assert game.waiting()[0].seat == "blue"
    answer(game)
    assert rolls(game)[6:] == rolls(game)[2:4]  # a label keeps its epoch
    answer(game)
    assert isinstance(game.pending, Roll)  # a new label does not


def test_ruling_between_the_shares_and_a_new_roll_begins_an_epoch() -> None:
    def again(state: Any) -> Procedure:
        yield ask("red", "go")
        yield Roll(1, 6, "one", "X-6")
        while "enough" not in state.said:
            yield ask("red", "stay")
        yield Roll(1, 6, "two", "X-6")
        yield ask("blue", "go")

    game = started(again)
    answer(game)
    game.share()
    game.rule(Said("enough"), "because")
    assert isinstance(game.pending, Roll)
    ruling = game.records[-1]
    assert begins_epoch(ruling)
    game.share()
    assert epochs_in(game.records)[-1] == (2, ruling.n)


def test_undo_after_the_shares_of_an_earlier_order_is_unchanged() -> None:
    def halves(_: Any) -> Procedure:
        yield ask("red", "go")
        yield Roll(1, 6, "one", "X-6")
        yield ask("red", "a", "b")
        yield ask("red", "c")
        yield Roll(1, 6, "two", "X-6")
        yield ask("blue", "go")

    game = started(halves)
    answer(game)
    game.share()
    answer(game, "a")
    game.undo()
    answer(game, "b")
    answer(game, "c")
    game.share()
    assert [epoch for epoch, _ in epochs_in(game.records)] == [1, 2]


def test_fork_stops_at_each_roll_and_does_not_use_the_key() -> None:
    game = started(battle)
    answer(game)
    game.share()
    twin = game.fork()
    twin.submit(Say("go"), "blue")
    assert isinstance(twin.pending, Roll)
    with pytest.raises(PlayError, match="no roll waits for the shares"):
        twin.share()
    twin.resolve_roll((1, 1, 1))
    other = started(battle)
    for each in (game, other):
        while len(rolls(each)) < 4:
            answer(each)
            each.share()
    assert rolls(game) == rolls(other)


def test_secret_roll_is_refused() -> None:
    def spy(_: Any) -> Procedure:
        yield ask("red", "go")
        yield Roll(1, 6, "spy", "X-6", side="red")

    game = started(spy)
    with pytest.raises(PlayError, match="the roll for spy is secret"):
        answer(game)


def plans(_: Any) -> Procedure:
    for _ in range(3):
        orders = yield Sealed((ask("red", "go", "wait"), ask("blue", "go", "wait")))
        if orders["red"].word == "go":
            yield Roll(1, 6, "plans", "X-6")
    yield ask("red", "end")


def test_epoch_is_skipped_once_and_only_after_a_group_without_a_roll() -> None:
    game = started(plans)
    with pytest.raises(PlayError, match="only after a sealed group"):
        game.burn(BurntRecord(game.number + 1, 1))
    answer(game, "wait")
    with pytest.raises(PlayError, match="only at a question"):
        game.burn(BurntRecord(game.number + 1, 1))
    answer(game, "wait")
    with pytest.raises(WrongShares, match="epoch 2 is passed over, but epoch 1 is next"):
        game.burn(BurntRecord(game.number + 1, 2))
    game.burn(BurntRecord(game.number + 1, 1))
    with pytest.raises(PlayError, match="only once"):
        game.burn(BurntRecord(game.number + 1, 2))
    answer(game, "go")
    answer(game, "go")
    game.share()
    last = max(each.n for each in game.records if isinstance(each, OrderRecord))
    assert epochs_in(game.records) == [(2, last)]
    with pytest.raises(PlayError, match="only after a sealed group"):
        game.burn(BurntRecord(game.number + 1, 3))


def test_epoch_is_not_skipped_after_an_order_that_was_not_sealed() -> None:
    game = started(battle)
    answer(game, "wait")
    with pytest.raises(PlayError, match="only after a sealed group"):
        game.burn(BurntRecord(game.number + 1, 1))


def test_chain_that_ends_is_renewed_at_a_question_before_its_last_link() -> None:
    def long(_: Any) -> Procedure:
        while True:
            yield ask("red", "go")
            yield Roll(1, 6, "long", "X-6")

    class Eight:
        left = 8

        def choose(self, decision: Any, view: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return Say("go")

    game = started(long, links=3)
    with pytest.raises(KeyboardInterrupt):
        game.play({"red": Eight()}, after=lambda: None)
    assert [epoch for epoch, _ in epochs_in(game.records)] == [1, 2, 3, 4, 5, 6, 7, 8]
    announced = [each for each in game.records if isinstance(each, ChainRecord)]
    assert [each.by for each in announced] == ["blue", "red"] * 4
    local = LocalLinks(SECRETS, 3)
    assert announced[0].link == local._chain("blue", 1)[3].hex()
    assert announced[0].tip == local._chain("blue", 2).tip
    first = next(each for each in game.records if isinstance(each, SharesRecord) and each.epoch == 3)
    assert first.links["red"] == local._chain("red", 2)[1].hex()


def test_new_chain_needs_the_next_link_of_the_old_one() -> None:
    game = started(battle)
    local = LocalLinks(SECRETS)
    tip, link = local._chain("red", 2).tip, local._chain("red", 1)[1].hex()
    number = game.number + 1
    for record, match in (
        (ChainRecord(number, "red", tip, 9, local._chain("red", 1)[2].hex()), "is not link 1"),
        (ChainRecord(number, "green", tip, 9, link), "which has no chain"),
        (ChainRecord(number, "red", "ab", 9, link), "the tip is not 64"),
        (ChainRecord(number, "red", tip, 0, link), "1 to 65,536 links, not 0"),
        (ChainRecord(number, "red", tip, 65_537, link), "1 to 65,536 links, not 65537"),
    ):
        with pytest.raises(WrongShares, match=match):
            game.announce(record)
    game.announce(ChainRecord(number, "red", tip, 9, link))
    answer(game)
    with pytest.raises(PlayError, match="only at a question"):
        game.announce(ChainRecord(game.number + 1, "red", tip, 9, link))


def test_ended_chain_cannot_give_links() -> None:
    game = started(battle, links=1)
    answer(game)
    game.share()
    answer(game)
    assert game.share() == ("blue", "red")


def test_game_with_a_new_chain_at_a_boundary_can_be_undone_and_forked() -> None:
    game = started(battle)
    local = LocalLinks(SECRETS)
    game.announce(ChainRecord(game.number + 1, "red", local._chain("red", 2).tip, 9, local._chain("red", 1)[1].hex()))
    game.rule(Said("x"), "because")
    answer(game, "wait")
    game.undo()
    answer(game, "wait")
    assert game.fork().waiting()[0].seat == "blue"
