"""Non-interference: change only what a side may not see, and nothing that it sees changes (DAA-8.03, DAA-R37, DAA-R08).

A game is played twice in step, with the same dice and the same orders, but for the secret ones of one side. The other
side must not be able to tell the two apart until an entry brings a minefield into the open.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.framework.viewer.page.side_pages import assert_alike, side_page, without_log

from desert_aa.model.events import EntryChecked, MinefieldDeclared, MinefieldForfeited, MinefieldsPlaced
from desert_aa.model.orders import BuyMinefields, BuyUnits, MoveUnits, PlaceBonus, PlaceMinefields
from desert_aa.model.state import DesertState, Minefield
from desert_aa.model.tables import SIDE_OF
from sandtable.errors import NothingToUndo
from sandtable.journal.file.log import parse_log
from sandtable.journal.format.header import make_header
from sandtable.journal.record import log_lines
from sandtable.journal.sides.slices import seen_records, slice_log
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.records import EventRecord
from sandtable.testing.fuzz import random_order

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Changed, Lay, Prepare

    from sandtable.kernel.decisions import Decision, Order
    from sandtable.kernel.play.game import Game
    from sandtable.plugin.manager import Prepared

OBSERVER = {"england": "axis", "italy": "allies", "germany": "allies"}


def sliced(game: Game, prepared: Prepared, side: str, length: int) -> list[dict[str, Any]]:
    """Return the log of the first ``length`` records as ``side`` may see it, without hashes and digests.

    What commits to something closed is a salted digest of it: only whom it is for counts.
    """
    dice = game.dice
    assert isinstance(dice, KeyedDice)
    header = make_header(prepared, dict.fromkeys(prepared.ruleset.seats, "random"), dice)
    whole = prepared.new_game(dice)
    whole.records = game.records[:length]
    first, rest, _ = log_lines(header, whole)
    lines = slice_log(parse_log(first + rest, "log"), prepared, side).splitlines()
    parsed = [json.loads(line) for line in lines]
    for line in parsed:
        line["sealed"] = sorted(line.get("sealed", {}))
        line["asked"] = line.get("asked", "").partition("#")[0]
    return [{key: value for key, value in line.items() if key not in {"hash", "digest"}} for line in parsed]


def probes(game: Game, stream: Stream) -> list[Order]:
    """Orders to try on the observer's options, lawful or not."""
    state: Any = game.state
    units = sorted(state.units)
    board = state.board
    tried: list[Order] = [BuyUnits({"bomber": 99}), PlaceMinefields(list(board.mineable[:1]))]
    for _ in range(6):
        unit = stream.pick(units)
        path = [state.units[unit].space]
        for _ in range(1 + stream.below(3)):
            path.append(stream.pick(board.map.adjacent(path[-1])))
        tried.append(MoveUnits([unit], path, raid=stream.one_in(6)))
    return tried


class Twins:
    """Two games in step; ``hider`` is the power whose minefields lie elsewhere in the second.

    ``places`` are where its first field lies in either game; without them that is left to chance.
    """

    def __init__(self, prepared: Prepared, seed: str, hider: str, places: str = "") -> None:
        self.prepared, self.hider, self.observer = prepared, hider, OBSERVER[hider]
        self.places = places.split()
        key = key_from_seed(seed)
        self.games = [prepared.new_game(KeyedDice(key)) for _ in range(2)]
        self.streams = {seat: Stream.for_player(key, seat) for seat in prepared.ruleset.seats}
        self.seen = 0
        self.orders = 0
        for game in self.games:
            game.start()

    def revealed(self) -> bool:
        """Whether, since it was last compared, somebody entered a space that is mined in one of the games."""
        new = [
            record.event
            for game in self.games
            for record in game.records[self.seen :]
            if isinstance(record, EventRecord)
        ]
        entered = [space for event in new if isinstance(event, EntryChecked) for space in event.spaces]
        shown = [event.space for event in new if isinstance(event, MinefieldDeclared | MinefieldForfeited)]
        return bool(shown or any(space in mines for mines in self.mines() for space in entered))

    def mines(self) -> list[dict[str, Minefield]]:
        return [game.state.minefields for game in self.games if isinstance(game.state, DesertState)]

    def compare(self) -> None:
        """All that the observer sees must be the same in both games."""
        one, two = self.games
        assert one.view(self.observer) == two.view(self.observer)
        assert [decision.seat for decision in one.waiting()] == [decision.seat for decision in two.waiting()]
        shown = [seen_records(game.records[self.seen :], self.prepared, self.observer) for game in self.games]
        assert shown[0] == shown[1]
        assert len(one.records) == len(two.records)
        self.seen = len(one.records)
        for first, second in zip(one.waiting(), two.waiting(), strict=True):
            if first.side == self.observer:
                self.compare_question(first, second)

    def compare_question(self, first: Decision, second: Decision) -> None:
        assert (first.prompt, first.rule, first.done, first.secret) == (
            second.prompt,
            second.rule,
            second.done,
            second.secret,
        )
        count = first.options.count(300)
        assert count == second.options.count(300)
        if count < 300:
            assert list(first.options.values()) == list(second.options.values())
        pair = [Stream(b"%d" % self.orders) for _ in range(2)]
        assert first.options.sample(pair[0]) == second.options.sample(pair[1])
        for order in probes(self.games[0], Stream(b"probe %d" % self.orders)):
            assert first.options.why_not(order) == second.options.why_not(order)

    def give(self, orders: list[Order], seat: str) -> None:
        self.orders += 1
        for game, order in zip(self.games, orders, strict=True):
            game.submit(order, seat)

    def play(self, most: int) -> bool:
        """Play at random, comparing before every order, until a field shows; whether one did."""
        for _ in range(most):
            if self.games[0].is_over:
                return False
            self.compare()
            first, second = self.games[0].waiting()[0], self.games[1].waiting()[0]
            order = self.chosen(first)
            pair = [order, order]
            if isinstance(order, PlaceMinefields) and first.side != self.observer:
                chosen = [PlaceMinefields([space]) for space in self.places]
                pair = [*chosen] if chosen and first.seat == self.hider else [order, self.elsewhere(order, second)]
                self.places = []
            self.give(pair, first.seat)
            if self.revealed():
                return True
        return False

    def chosen(self, decision: Decision) -> Order:
        if isinstance(decision.options.sample(Stream(b"kind")), PlaceBonus) and decision.seat == self.hider:
            return PlaceBonus(minefields={self.hider: 1})
        return random_order(decision, self.streams[decision.seat])

    def elsewhere(self, order: PlaceMinefields, decision: Decision) -> Order:
        """Return a lawful laying of as many fields in other places, if there is one."""
        other = [PlaceMinefields([space]) for space in self.games[1].state.board.mineable if [space] != order.spaces]
        lawful = [each for each in other if decision.options.is_legal(each)]
        return self.streams[decision.seat].pick(lawful) if lawful else random_order(decision, Stream(b"other"))


def check(twins: Twins, most: int) -> bool:
    """Play the twins and compare the logs cut for the observer as well; whether a field showed in the end."""
    shown = twins.play(most)
    length = twins.seen
    logs = [sliced(game, twins.prepared, twins.observer, length) for game in twins.games]
    assert logs[0] == logs[1]
    placed = [[record for record in game.records if is_laying(record)] for game in twins.games]
    assert placed[0] != placed[1], "the two games must differ in what is secret"
    text = json.dumps(logs[0])
    assert '"type":"MinefieldsPlaced"' in text.replace(" ", "")
    return shown


def is_laying(record: Any) -> bool:
    return isinstance(record, EventRecord) and isinstance(record.event, MinefieldsPlaced)


FAR_APART = {"england": "FAY NAT", "italy": "HUN GIA", "germany": "ANT MEK"}
"""Two places for a field of each power, behind its lines, so that it takes a while until somebody walks in."""


@pytest.mark.full
@pytest.mark.rule("DAA-8.03", "DAA-R37")
@pytest.mark.parametrize("hider", ["england", "italy", "germany"])
def test_the_enemy_cannot_tell_where_mines_lie_until_they_show(prepare: Prepare, hider: str) -> None:
    pairs = [Twins(prepare("western_desert"), f"wide {seed}", hider, FAR_APART[hider]) for seed in range(4)]
    for twins in pairs:
        check(twins, 300)
    assert sum(twins.orders for twins in pairs) > 100


@pytest.mark.full
@pytest.mark.rule("DAA-8.03", "DAA-R37")
def test_no_byte_of_the_enemys_page_tells_where_mines_lie(prepare: Prepare) -> None:
    hider = "england"
    twins = Twins(prepare("western_desert"), "wide 0", hider, FAR_APART[hider])
    check(twins, 40)
    pages = [side_page(game, twins.prepared, twins.observer, twins.seen) for game in twins.games]
    assert_alike(*pages)
    own = [side_page(game, twins.prepared, SIDE_OF[hider], twins.seen) for game in twins.games]
    assert without_log(own[0]) != without_log(own[1])


@pytest.mark.full
@pytest.mark.rule("DAA-8.03", "DAA-R38", "DAA-R39")
@pytest.mark.parametrize(
    "options",
    [
        {"mine_auto": "manual"},
        {"mine_reveal": "immediate"},
        {"mine_reveal": "immediate", "mine_auto": "manual"},
        {"mine_alloc": "owner_chooses", "penalty_by": "declared", "mech_blitz": "allowed"},
        {"bonus_order": "axis_first", "axis_treasury": "shared", "mine_allied_space": "refused"},
    ],
)
def test_mines_are_as_secret_under_every_option(prepare: Prepare, options: dict[str, str]) -> None:
    for hider in ("england", "germany"):
        check(Twins(prepare("western_desert", **options), "two fields", hider, FAR_APART[hider]), 150)


@pytest.mark.rule("DAA-8.03")
@pytest.mark.parametrize(
    "options", [{}, {"mine_auto": "manual"}, {"mine_reveal": "immediate"}, {"mine_place": "rz_only"}]
)
def test_a_field_shows_in_the_end_and_not_before(prepare: Prepare, changed: Changed, options: dict[str, str]) -> None:
    # On the small map somebody walks at once into one of the two spaces that England can mine.
    wide = changed({"treasury": {"bonus": 16}, "areas": {"OAS": {"zone": True}}}, "frontier")
    assert any(check(Twins(prepare(wide, **options), f"small {seed}", "england"), 300) for seed in range(3))


@pytest.mark.full
@pytest.mark.rule("DAA-R37")
def test_by_option_the_number_of_minefields_is_secret_too(prepare: Prepare) -> None:
    """England lays a field in one game and none in the other; its money differs, and the Axis cannot tell."""
    twins = Twins(prepare("western_desert", mine_secrecy="all_secret"), "all", "england")
    numbers = iter([(1, 0)])
    for _ in range(250):
        twins.compare()
        first, second = (game.waiting()[0] for game in twins.games)
        order: Order = random_order(first, twins.streams[first.seat])
        pair: list[Order] = [order, order]
        if first.side == "allies" and isinstance(order, BuyUnits | PlaceBonus):
            pair = [type(order)(), type(order)()]
        elif isinstance(order, BuyMinefields) and first.side == "allies":
            pair = [BuyMinefields(number) for number in next(numbers, (0, 0))]
        elif isinstance(order, PlaceMinefields) and first.side == "allies":
            pair = [order, random_order(second, Stream(b"second"))]
        twins.give(pair, first.seat)
        if twins.revealed() or twins.games[0].is_over:
            break
    logs = [sliced(game, twins.prepared, "axis", twins.seen) for game in twins.games]
    assert logs[0] == logs[1]
    assert twins.orders > 20
    assert [sum(mine.power == "england" for mine in mines.values()) for mines in twins.mines()] == [1, 0]
    assert "allies" not in twins.games[0].view("axis").cash
    assert "england" not in twins.games[0].view("axis").mines_laid


@pytest.mark.rule("DAA-R08", "DAA-2.04")
@pytest.mark.parametrize(("first", "second"), [("italy", "england"), ("england", "italy")])
def test_what_one_side_buys_with_its_grant_is_hidden_until_both_have_decided(
    prepare: Prepare, first: str, second: str
) -> None:
    twins = Twins(prepare("western_desert"), "grant", first)
    space = {"italy": "HUN", "england": "SIW"}[first]
    twins.compare()
    twins.give([PlaceBonus(), PlaceBonus({first: {space: {"infantry": 1}}}, {first: 1})], first)
    twins.compare()
    logs = [sliced(game, twins.prepared, OBSERVER[first], twins.seen) for game in twins.games]
    assert logs[0] == logs[1]
    twins.give([PlaceBonus(), PlaceBonus()], second)
    views = [game.view(OBSERVER[first]) for game in twins.games]
    assert len(views[1].units) == len(views[0].units) + 1


@pytest.mark.rule("DAA-8.03")
@pytest.mark.parametrize("options", [{}, {"mine_reveal": "immediate"}, {"mine_auto": "manual"}])
def test_nobody_feels_for_mines_by_taking_moves_back(lay: Lay, options: dict[str, str]) -> None:
    # That no field showed is something learnt as well: there is one somewhere, and not here. The entry stands.
    case = lay("HAB uk-inf-1", mines={"GIR": "italy"}, **options).attack("uk-inf-1", "HAB GSA").fight()
    assert case.holder("GSA") == "england"
    with contextlib.suppress(NothingToUndo):
        for _ in range(4):
            case.game.undo("england")
    assert case.holder("GSA") == "england" or case.state.plans
