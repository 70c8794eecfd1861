"""Secrets: campaigns that differ only in secrets of the enemy look the same to a side."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from tests.framework.viewer.page.side_pages import assert_alike, side_page, without_log
from tests.plugins.khamsin.cases import (
    ALLIES,
    AXIS,
    Case,
    NewCase,
    accepted_orders,
    attacked,
    field,
    fighting,
    fought,
    leaves,
    result,
    retreats,
    share,
)
from tests.plugins.khamsin.positions import prepared_for, shipped

from khamsin.fog.visibility import REVEALS
from khamsin.model.events import OrdersWritten
from khamsin.model.orders import FieldCompanies, LetGo, Withdraw, WriteOrders
from khamsin.model.state import Fielded
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.plugin.manager import Prepared
from sandtable.tabletop.result import ReportBattle
from sandtable.testing.checks.secrets.watching import line_of
from sandtable.testing.fuzz import random_order

FAR = "7_armd_bde assembly_area"
NEAR = "15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh"


def picture(case: Case, side: str) -> list[bytes]:
    """Return everything that a side can observe: its view, its records and its pending decisions."""
    seen: list[Any] = [case.game.view(side)]
    for record in seen_records(list(case.game.records), case.prepared, side):
        if isinstance(record, EventRecord):
            seen.append([type(record.event).__name__, record.event])
        elif isinstance(record, RollRecord):
            seen.append([record.label, record.dice])
        elif isinstance(record, OrderRecord):
            seen.append([record.by, record.order])
    for decision in case.pending:
        if decision.side == side:
            seen.append([decision.prompt, decision.rule])
            if accepted_orders(decision) != [WriteOrders]:  # these have too many values
                seen += list(islice(decision.options.values(), 40))
    return [msgspec.json.encode(each) for each in seen]


def same(side: str, *cases: Case) -> bool:
    first, *others = (picture(case, side) for case in cases)
    for other in others:
        for one, two in zip(first, other, strict=False):
            assert one == two
        assert len(first) == len(other)
    return True


@pytest.mark.rule("KH-3.06", "KH-6.08")
@pytest.mark.parametrize("way", ["15_pz_div sollum", "15_pz_div sollum fort_capuzzo", "15_pz_div sidi_rezegh el_adem"])
def test_enemy_view_does_not_depend_on_orders(new_case: NewCase, way: str) -> None:
    hold, go = new_case(f"15_pz_div gambut; {FAR}"), new_case(f"15_pz_div gambut; {FAR}")
    hold.game.submit(WriteOrders(plan="Hold."), AXIS)
    go.game.submit(WriteOrders({"15_pz_div": ["gambut", *way.split()[1:]]}, plan="Go."), AXIS)
    assert same(ALLIES, hold, go)
    if not way.endswith("fort_capuzzo"):  # next to the enemy
        for case in (hold, go):
            case.game.submit(WriteOrders(), ALLIES)
            case.play()
        assert hold.at("15_pz_div") != go.at("15_pz_div")
        assert hold.game.number == go.game.number
        assert same(ALLIES, hold, go)


@pytest.mark.rule("KH-6.03", "KH-6.08")
@pytest.mark.parametrize(
    "where",
    [
        "15_pz_div gambut; 21_pz_div sollum",
        "15_pz_div sollum; 21_pz_div gambut",
        "15_pz_div gambut armor=30 general=50 regroup; 21_pz_div el_adem",
        "15_pz_div gambut; 21_pz_div waiting",
        "15_pz_div gambut; 21_pz_div base armor=100 general=40; rommel el_adem",
        "15_pz_div gambut supplied=no cut=2; 21_pz_div lost; afrika_div bir_el_gubi",
    ],
)
def test_enemy_view_does_not_depend_on_unseen_positions(new_case: NewCase, where: str) -> None:
    cases = [new_case(f"{each}; inf_cw assembly_area; recon_cw assembly_area") for each in ("15_pz_div gambut", where)]
    assert same(ALLIES, *cases)
    assert same(ALLIES, *(case.turn() for case in cases))


def ordered(case: Case, order: Order) -> Case:
    case.game.submit(order, AXIS)
    return case


NEXT_DOOR = ("15_pz_div sidi_rezegh", "21_pz_div sidi_rezegh armor=9", "afrika_div sidi_rezegh; 15_pz_div sidi_rezegh")
ALL_KINDS = {"forces.formations.21_pz_div.options": ["panzer", "panzer_grenadier", "panzer_engineer"]}
WORN = f"15_pz_div gambut armor=6 general=6; {FAR} armor=1"
HIT = (
    field(AXIS, Fielded("15_pz_div", "panzer", "Gary", command=True)),
    result("axis", "4-3", casualties={"axis": ("rommel",)}),
)
WITHDRAWALS = (Withdraw(), Withdraw("fighting"), leaves(AXIS, "precipitous", "15_pz_div")[1])
ALIKE: dict[str, Callable[[NewCase], list[Case]]] = {
    "next door": lambda new_case: [new_case(f"{each}; 7_armd_bde gabr_saleh").turn() for each in NEXT_DOOR],
    "reconnaissance": lambda new_case: [
        new_case(f"{each} sidi_rezegh; recon_cw gabr_saleh", changes=ALL_KINDS).turn()
        for each in ("15_pz_div", "21_pz_div")
    ],
    "replacements": lambda new_case: [
        new_case(WORN, at="start.supply").play(share(AXIS, f15_pz_div=points)) for points in ("2/1", "1/0 moving")
    ],
    "losses": lambda new_case: [
        fought(attacked(new_case), result("axis", "4-3", axis=lost, allies="2/2")) for lost in ("1/1", "9/14", "0/18")
    ],
    **{
        f"wear at {stop.__name__}": lambda new_case, stop=stop: [  # type: ignore[misc]  # mypy infers no lambda with a default
            fought(attacked(new_case, marks), until=stop) for marks in ("", "armor=16 general=9")
        ]
        for stop in (Withdraw, FieldCompanies, ReportBattle)
    },
    "withdrawals": lambda new_case: [
        ordered(fought(attacked(new_case), until=Withdraw), order) for order in WITHDRAWALS
    ],
    "costs of a withdrawal": lambda new_case: [
        fought(attacked(new_case, dice={"withdrawal:15_pz_div": dice}), leaves(AXIS, "precipitous", "15_pz_div"))
        for dice in ("1+1", "6+5")
    ],
    "companies": lambda new_case: [
        ordered(fought(attacked(new_case), until=FieldCompanies), field(AXIS, Fielded("15_pz_div", kind, "Gary"))[1])
        for kind in ("panzer", "panzer_engineer")
    ],
    "casualties": lambda new_case: [
        fought(attacked(new_case, more="rommel sidi_rezegh", dice={"casualty:rommel": die}), *HIT) for die in ("1", "5")
    ],
}


@pytest.mark.rule(
    "KH-6.03",
    "KH-6.05",
    "KH-R101",
    "KH-5.02",
    "KH-6.08",
    "KH-6.02",
    "KH-21.01",
    "KH-R59",
    "KH-R58",
    "KH-19.01",
    "KH-19.10",
    "KH-R31",
    "KH-17.01",
    "KH-23.02",
    "KH-6.07",
)
@pytest.mark.parametrize("secret", ALIKE)
def test_enemy_view_does_not_depend_on_the_secret(new_case: NewCase, secret: str) -> None:
    assert same(ALLIES, *ALIKE[secret](new_case))


def traffic(case: Case, side: str) -> list[str]:
    """Return, for each record, the viewers that may open its closed part."""
    return [line_of(case.prepared.ruleset, side, record).closed for record in case.game.records]


FLIES = {"air.axis": {"level": "limited", "engagements": 1, "interdictions": 2, "needs": 6}}
COUNTED: dict[str, Callable[[NewCase], list[Case]]] = {
    **ALIKE,
    "no losses": lambda new_case: [
        fought(attacked(new_case), result("axis", "4-3", axis=lost, allies="2/2")) for lost in ("0/0", "1/1")
    ],
    "no losses of either": lambda new_case: [
        fought(attacked(new_case), result("axis", "4-3", axis=lost)) for lost in ("0/0", "1/1")
    ],
    "aircraft": lambda new_case: [
        new_case(
            f"15_pz_div gambut; {FAR}", changes=FLIES, dice={f"interdiction:axis:{area}": "1" for area in areas}
        ).submit_whole(axis=WriteOrders(interdict=areas))
        for areas in ([], ["gabr_saleh"], ["gabr_saleh", "sidi_rezegh"])
    ],
    "surrender": lambda new_case: [
        new_case(
            f"15_pz_div bir_el_gubi supplied=no cut={cut}; 7_armd_bde gabr_saleh",
            at="start.supply",
            control="allies: el_adem",
            dice={"surrender:15_pz_div": "6"} if cut == 3 else {},
        ).play()
        for cut in (1, 3)
    ],
    "wounds": lambda new_case: [
        new_case(f"15_pz_div gambut; {more}{FAR}", at="start.supply", turn=4).play()
        for more in ("", "rommel waiting standing=wounded returns=4; ")
    ],
    "wear": lambda new_case: [
        new_case(f"15_pz_div gambut {worn}; {FAR}", at="start.supply", turn=3).play() for worn in ("", "armor=6")
    ],
}


@pytest.mark.rule("KH-6.07", "KH-6.08", "KH-3.10", "KH-10.12", "KH-23.02", "KH-23.04", "KH-5.02")
@pytest.mark.parametrize("secret", COUNTED)
def test_closed_records_do_not_depend_on_the_secret(new_case: NewCase, secret: str) -> None:
    first, *others = (traffic(case, ALLIES) for case in COUNTED[secret](new_case))
    assert any(first)
    assert all(other == first for other in others)


@pytest.mark.rule("KH-6.07", "KH-R104")
@pytest.mark.parametrize("place", ["sidi_rezegh", "el_adem", "sollum"])
def test_enemy_never_sees_leaders(new_case: NewCase, place: str) -> None:
    pieces = "15_pz_div sidi_rezegh; recon_cw gabr_saleh"
    quiet, other = new_case(f"{pieces}; rommel gambut"), new_case(f"{pieces}; rommel {place}")
    assert same(ALLIES, quiet, other)
    assert same(ALLIES, quiet.turn(axis="rommel sollum"), other.turn())


@pytest.mark.rule("KH-6.01", "KH-6.08")
def test_report_is_visible_to_one_side_only(new_case: NewCase) -> None:
    cases = [new_case(f"15_pz_div el_adem; inf_cw {place}").turn() for place in ("tobruk", "bir_el_gubi")]
    assert cases[0].state.reports["axis"].occupied != cases[1].state.reports["axis"].occupied
    seen = [picture(case, AXIS) for case in cases]
    assert seen[0] != seen[1]
    hidden = [new_case(f"15_pz_div gambut; inf_cw {place}").turn() for place in ("tobruk", "assembly_area")]
    assert same(AXIS, *hidden)


@pytest.mark.rule("KH-9.06", "KH-6.08", "KH-3.10")
def test_enemy_does_not_notice_a_failed_attack(new_case: NewCase) -> None:
    held = new_case(NEAR).turn()
    failed = new_case(NEAR, dice={"activation:15_pz_div": "1"}).turn(axis="15_pz_div gabr_saleh")
    assert same(ALLIES, held, failed)
    assert held.game.number == failed.game.number


@pytest.mark.rule("KH-19.08")
def test_let_go_is_decided_by_the_enemy_only(new_case: NewCase) -> None:
    case = attacked(new_case).turn(fighting(AXIS), allies="7_armd_bde sidi_rezegh", until=LetGo)
    assert [each.side for each in case.pending] == [ALLIES]


@pytest.mark.rule("KH-20.01", "KH-6.08")
def test_enemy_sees_neither_formation_nor_its_retreat(new_case: NewCase) -> None:
    case = new_case("15_pz_div fort_capuzzo; 7_armd_bde assembly_area", dice={"activation:7_armd_bde": "6"})
    case.turn(result("allies", "4-3"), retreats(AXIS, f15_pz_div="sollum"), allies="7_armd_bde fort_capuzzo")
    assert "15_pz_div" not in b"".join(picture(case, ALLIES)).decode()


IN_ACTION = 9
"""Records of the action phase that the enemy does not see: 4 rolls, 2 of pieces met and 3 of acts."""


def turns_ordered(module: str, seed: str) -> Iterator[tuple[Prepared, Game, dict[str, Order]]]:
    """Play a random campaign; yield the game at the orders of each turn, with the orders that both sides will write."""
    prepared = shipped(module)
    key = key_from_seed(seed)
    game = prepared.new_game(KeyedDice(key))
    game.start()
    streams = {seat: Stream.for_player(key, seat) for seat in (AXIS, ALLIES, "umpire")}
    while not game.is_over:
        decisions = game.waiting()
        given = {each.seat: each.options.sample(streams[each.seat]) for each in decisions}
        if accepted_orders(decisions[0]) == [WriteOrders] and len(decisions) == 2:
            yield prepared, game, given
        for each in decisions:
            game.submit(given[each.seat], each.seat)


def after(game: Game, orders: dict[str, Order]) -> list[Any]:
    """Return the records from the submitted orders up to the end of the action phase."""
    twin = game.fork()
    start = len(twin.records)
    for seat, order in orders.items():
        twin.submit(order, seat)
    records = list(twin.records)[start:]
    ends = [isinstance(each, EventRecord) and getattr(each.event, "phase", "") == "action" for each in records]
    return records[: len(ends) - ends[::-1].index(True)]


def up_to_the_reveal(seen: list[Any]) -> list[Any]:
    ends = (place for place, each in enumerate(seen) if isinstance(getattr(each, "event", None), REVEALS))
    return seen[: next(ends, len(seen))]


@pytest.mark.full
@pytest.mark.rule("KH-3.06", "KH-6.07", "KH-6.08", "KH-9.06")
@pytest.mark.parametrize("seed", ["wadi", "dune"])
@pytest.mark.parametrize("module", ["teaching", "fixture", "crusader"])
def test_record_count_does_not_depend_on_orders(module: str, seed: str) -> None:
    compared = 0
    for prepared, game, given in turns_ordered(module, seed):
        for side, viewer in ((AXIS, ALLIES), (ALLIES, AXIS)):
            space = next(each for each in game.waiting() if each.seat == side).options
            others = [space.sample(Stream(f"{seed}/{number}".encode())) for number in range(3)]
            outcomes = [after(game, given | {side: order}) for order in (given[side], WriteOrders(), *others)]
            pictures = [up_to_the_reveal(seen_records(records, prepared, viewer)) for records in outcomes]
            for one in pictures[1:]:  # they include record numbers
                least = min(len(one), len(pictures[0]))
                assert msgspec.json.encode(one[:least]) == msgspec.json.encode(pictures[0][:least])
            for records in outcomes:
                action = [each for each in records if not isinstance(each, OrderRecord)]
                written = [each for each in action if isinstance(getattr(each, "event", None), OrdersWritten)]
                unseen = len(action) - len(seen_records(action, prepared, viewer))
                seals = sum(isinstance(each, SealRecord) for each in action)
                assert len(written) == 2
                assert unseen - 1 - seals == IN_ACTION
            compared += len(outcomes)
    assert compared


@pytest.mark.rule("KH-5.02", "KH-6.08")
def test_record_count_does_not_depend_on_replacements(new_case: NewCase) -> None:
    where = f"15_pz_div gambut armor=6 general=6; 21_pz_div gambut armor=6; {FAR} armor=1"
    cases = [new_case(where, at="start.supply") for _ in range(3)]
    cases[0].play(share(AXIS, f15_pz_div="2/1"))
    cases[1].play(share(AXIS, f15_pz_div="1/0", f21_pz_div="1/0"))
    cases[2].play(share(AXIS))
    assert len({case.game.number for case in cases}) == 1
    assert same(ALLIES, *cases)


@pytest.mark.full
@pytest.mark.rule("KH-3.06", "KH-6.08")
@pytest.mark.parametrize(("hider", "observer"), [(AXIS, ALLIES), (ALLIES, AXIS)])
def test_enemy_page_does_not_depend_on_the_plan(hider: str, observer: str) -> None:
    """The two campaigns differ only in the text of the plan in the orders, which no die depends on."""
    prepared = prepared_for("teaching", {}, {})
    key = key_from_seed("plans")
    games = []
    for plan in ("Hold the wells.", "Go round by the south."):
        game = prepared.new_game(KeyedDice(key))
        game.start()
        streams = {seat: Stream.for_player(key, seat) for seat in prepared.ruleset.seats}
        while len(game.records) < 120 and not game.is_over:
            decision = game.waiting()[0]
            order = random_order(decision, streams[decision.seat])
            if isinstance(order, WriteOrders) and decision.side == hider:
                order = msgspec.structs.replace(order, plan=plan)
            game.submit(order, decision.seat)
        games.append(game)
    length = min(len(game.records) for game in games)
    pages = [side_page(game, prepared, observer, length) for game in games]
    assert_alike(*pages)
    assert without_log(side_page(games[0], prepared, hider, length)) != without_log(
        side_page(games[1], prepared, hider, length)
    )
