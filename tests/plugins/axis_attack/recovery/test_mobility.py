"""Transports after a breakthrough, and mobility regained."""

from collections.abc import Hashable
from itertools import product
from typing import Any

import pytest
from every_draw import chances_of, even
from tests.plugins.axis_attack.cases import Lay, breaks_through, chooses, claims, keeps, result
from tests.plugins.axis_attack.pools import refusals
from tests.plugins.axis_attack.positions import campaign
from tests.plugins.axis_attack.rows import Row, play, row
from transcripts import Transcript

from axis_attack.model import events, orders
from axis_attack.model.cards import DEPLETED, FULL, GUTTED
from axis_attack.model.events import BattleBriefed, PlatoonLowered, ReconClaimed, VehiclesTaken
from axis_attack.model.orders import KeepMobile
from axis_attack.recovery.mobility import Keeping, Short, enough, lacking
from sandtable.kernel.dice import Stream
from sandtable.tabletop.result import ReportBattle

NEEDS = {DEPLETED: 2, FULL: 3}
KEEPING = Keeping(
    {"a": Short(1, FULL, NEEDS, "half_track"), "b": Short(1, FULL, NEEDS, "half_track")},
    {"a": ("half_track", 1), "b": ("half_track", 1), "c": ("half_track", 2), "d": ("truck", 5)},
)


def normal(order: KeepMobile) -> tuple[Any, ...]:
    return tuple(sorted(order.lowered.items())), tuple(sorted(order.taken.items()))


@pytest.mark.rule("AOA-10.18", "AOA-10.19")
def test_listed_orders_are_the_legal_ones_and_all_are_drawn() -> None:
    """All combinations of lowered levels and of vehicles between the four platoons are tried."""
    allowed = set()
    for low_a, low_b in product([None, DEPLETED], repeat=2):
        lowered = {name: level for name, level in (("a", low_a), ("b", low_b)) if level is not None}
        for numbers in product(range(3), range(3), range(2), range(2)):
            named = zip(("c>a", "c>b", "a>b", "b>a"), numbers, strict=True)
            order = KeepMobile(lowered, {key: number for key, number in named if number})
            if KEEPING.is_legal(order):
                allowed.add(normal(order))
    listed = [normal(each) for each in KEEPING.values()]
    assert len(listed) == len(set(listed)) == 10
    assert set(listed) == allowed
    stream = Stream(bytes(32))
    assert {normal(KEEPING.sample(stream)) for _ in range(2000)} == allowed


OTHERS = "pg1 pg full; pg2 pg full"


HALFTRACKS = "a apg full; b apg full; panzer panzer full; pg1 pg full"


def broke(rules: str, name: str, force: str, losses: dict[str, str], *more: Any, sectors: int = 2, **words: Any) -> Any:
    """Return a row of a German breakthrough by ``sectors``."""
    answers = (result("german", "6-1", german=losses), breaks_through("german", sectors), *more)
    return row(rules, name, *answers, mission="breakthrough", german=HALFTRACKS, forces={"german": force}, **words)


@pytest.mark.rule("AOA-10.15 AOA-10.16 AOA-10.17 AOA-10.18 AOA-10.19 AOA-R51 AOA-R53")
@pytest.mark.parametrize(
    "case",
    [
        broke(
            "10.15 10.16 10.17", "without_transport", "a 7; b 7; pg1 7", {"a": "1t", "pg1": "2d 1t"},
            immobile=["a"], assessed=["a"],
        ),
        broke("10.15 R51", "one_sector", "a 7; b 7", {"a": "3t"}, sectors=1, immobile=[], transports={"a": 0}),
        broke("10.17", "lower_level_needs_fewer", "a 7; b 7", {"a": "2d 1t"}, immobile=[]),
        broke(
            "10.18", "lowered", "a 7; b 7", {"a": "1t"}, keeps("german", {"a": DEPLETED}),
            immobile=[], levels="a depleted", each={PlatoonLowered: [{"platoon": "a"}]},
        ),
        broke(
            "10.19 R53", "vehicles_taken", "a 7; b 7; pg1 7", {"a": "1t"}, keeps("german", taken={"b>a": 1}),
            immobile=["b"], transports={"a": 3, "b": 2},
            each={VehiclesTaken: [{"donor": "b", "receiver": "a", "number": 1}]},
        ),
        broke(
            "10.19 R53", "donor_that_did_not_fight", "a 7; pg1 7", {"a": "1t"}, keeps("german", taken={"b>a": 1}),
            assessed=["b"],
        ),
    ],
)  # fmt: skip
def test_mobility_after_a_breakthrough_follows_the_rules(lay: Lay, case: Row) -> None:
    play(lay, case)


@pytest.mark.rule("AOA-10.16", "AOA-R51")
def test_vehicles_lost_in_an_earlier_turn_are_replaced(lay: Lay) -> None:
    """Only losses in the game before an assessment affect mobility (AOA-10.15)."""
    case = lay("battle", german=HALFTRACKS, mission="cauldron", forces={"german": "a 7; b 7"})
    case.play(result("german", "6-1", german={"a": "3t"})).next_turn()
    case.play(chooses("german", "a 7; b 7"), until=ReportBattle)
    platoons = [each.brief.platoons("german")["a"] for each in case.events(BattleBriefed, later=True)]
    assert [each.transports for each in platoons] == [3, 3]


@pytest.mark.rule("AOA-10.15", "AOA-10.20", "AOA-8.05")
def test_claiming_platoon_without_transports_is_immobile(lay: Lay) -> None:
    german = f"{OTHERS}; cycles cycles full"
    case = lay("battle", german=german, forces={"german": "pg1 7; pg2 7; cycles 7"})
    case.play(result("german", "5-2", german={"cycles": "1t"}, recon="cycles")).next_turn()
    case.play(claims("german", "cycles"), until=orders.PlaceTable)
    (claimed,) = case.events(ReconClaimed, later=True)
    assert (claimed.platoons, claimed.immobile) == (["cycles"], ["cycles"])


@pytest.mark.rule("AOA-11.19", "AOA-11.20", "AOA-R52")
def test_rested_and_fighting_platoons_recover_by_separate_rules(lay: Lay) -> None:
    german = "pg1 pg full immobile; pg2 pg full; hmg hmg full immobile"
    case = lay("battle", german=german, forces={"german": "pg1 7; pg2 7"}).play(result("german", "5-2"))
    told = [(each.rule, each.mobile) for each in case.events(events.MobilityAssessed)]
    assert told == [("AOA-11.19", ["hmg"]), ("AOA-11.20", ["pg1"])]


@pytest.mark.rule("AOA-10.16", "AOA-10.17")
def test_number_of_lacking_transports_depends_on_the_level() -> None:
    """A full platoon needs three, a depleted or gutted one needs one, a destroyed one zero."""
    german = (
        "a hmg full transports=1; b hmg under transports=0; c hmg depleted; d hmg gutted transports=0;"
        " e hmg destroyed transports=0; f knackers full; g panzer full; h flak full transports=0; i hmg full"
    )
    state = campaign(german)
    assert lacking(state, "german", list("abcdefghi")) == {"a": 2, "b": 2, "d": 1, "h": 2}
    flak = state.board.lists["german"].types["flak"]
    assert [enough(flak, level) for level in (0, 1, 2, 4)] == [2, 2, 2, 2]


@pytest.mark.rule("AOA-10.18", "AOA-10.19")
def test_no_change_and_each_remedy_are_equally_likely() -> None:
    """The platoon has one truck and needs three, or two if lowered, so it takes one or two trucks."""
    stock = {"a": ("truck", 1), "b": ("truck", 1), "c": ("truck", 2), "d": ("cart", 5)}
    space = Keeping({"a": Short(1, FULL, {2: 2, FULL: 3}, "truck")}, stock)

    def named(order: KeepMobile) -> Hashable:
        return tuple(order.lowered.items()), tuple(sorted(order.taken.items()))

    down = (("a", 2),)
    wanted = [
        ((), ()),
        (down, (("b>a", 1),)),
        (down, (("c>a", 1),)),
        ((), (("b>a", 1), ("c>a", 1))),
        ((), (("c>a", 2),)),
    ]
    assert chances_of(space.sample, named) == even(wanted)


VEHICLES = Keeping(
    {"a": Short(1, FULL, {DEPLETED: 2, 3: 3, FULL: 4}, "truck"), "b": Short(0, FULL, {FULL: 1}, "truck")},
    {"a": ("truck", 1), "c": ("truck", 2), "d": ("cart", 5), "e": ("truck", 4)},
)


ILLEGAL: list[Any] = [
    KeepMobile([], {}),  # type: ignore[arg-type]  # a wrong type on purpose
    KeepMobile({"c": 2}, {}),
    KeepMobile({"a": FULL}, {}),
    KeepMobile({}, {"c>x": 1}),
    KeepMobile({}, {"a>a": 1}),
    KeepMobile({}, {"x>a": 1}),
    KeepMobile({}, {"d>a": 1}),
    KeepMobile({}, {"c>a": 0}),
    KeepMobile({}, {"c>a": 3}),
    KeepMobile({}, {"c>a": 1, "c>b": 2}),
    KeepMobile({}, {"a>b": 1, "e>a": 3}),
    KeepMobile({"a": 2}, {"a>b": 1}),
    KeepMobile({}, {"c>a": 2}),
    KeepMobile({"a": 2}, {}),
    KeepMobile({}, {"e>a": 4}),
    KeepMobile({"a": 2}, {"c>a": 2}),
    KeepMobile({"a": 3}, {"c>a": 2}),
    KeepMobile({}, {"e>a": 3, "e>b": 1}),
    KeepMobile({}, {"c>a": 2, "e>a": 1, "a>b": 0}),
    KeepMobile({}, {"a>b": 1}),
    KeepMobile({"a": GUTTED}, {}),
    KeepMobile({"a": GUTTED + 10}, {}),
    KeepMobile({}, {"c>a": True}),
    KeepMobile({}, {"c": 1}),
]


@pytest.mark.rule("AOA-10.17", "AOA-10.18", "AOA-10.19", "AOA-R53")
def test_illegal_remedy_is_refused_by_its_rule(transcript: Transcript) -> None:
    transcript(refusals(VEHICLES, *ILLEGAL))
