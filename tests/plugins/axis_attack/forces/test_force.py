"""Game forces (chapter III): points, sizes, mobility, refusals and samples."""

from itertools import islice
from typing import Any

import msgspec
import pytest
from tests.plugins.axis_attack.cases import Case, Lay, bound, chooses
from tests.plugins.axis_attack.ground import platoon
from tests.plugins.axis_attack.pools import FOOT, GUNS, MORTARS, drawn, line, pool, refusals, refused
from tests.plugins.axis_attack.positions import fielded
from tests.plugins.axis_attack.rows import Row, play, row
from transcripts import Transcript

from axis_attack.forces.air import AirAllotment
from axis_attack.forces.force import Forces, force_space, points_calculation
from axis_attack.model import orders
from axis_attack.model.events import ForceChosen
from axis_attack.model.orders import ChooseForce, Concede
from axis_attack.model.state import AirSupport, AxisState, Fielded, Purchase
from axis_attack.model.tables import OFFERS
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal
from sandtable.tabletop.result import ReportBattle

WORN = (
    "pg1 pg full immobile; pg2 pg depleted; pg3 pg full; hmg hmg full immobile; panzer panzer full;"
    " howitzers howitzers full"
)
encoded = msgspec.json.Encoder(order="deterministic").encode


def wings(state: AxisState) -> None:
    state.aircraft["german"] = {"ju87": "limited", "bf109": "sporadic"}
    state.bound = "german"


def space_of(case: Case, side: str = "german") -> Forces:
    found = case.decision(side, orders.ChooseForce).options
    assert isinstance(found, Forces)
    return found


@pytest.mark.rule("AOA-3.01", "AOA-3.02", "AOA-3.05", "AOA-7.05")
@pytest.mark.parametrize("mission", ["encounter", "breakthrough", "trench_fight"])
@pytest.mark.parametrize("tweak", [wings, lambda state: None], ids=["bound, with aircraft", "free"])
def test_drawn_and_listed_forces_can_be_fielded(lay: Lay, mission: str, tweak: Any) -> None:
    case = lay("forces", german=WORN, mission=mission, balance=(9, 9), tweak=tweak).play(until=orders.ChooseForce)
    space = space_of(case)
    for order in [*drawn(space), *islice(space.values(), 500)]:
        assert space.why_not(order) is None, order


@pytest.mark.rule("AOA-3.01")
def test_every_force_is_listed_once_and_can_be_drawn(lay: Lay) -> None:
    case = lay("forces", german="pg1 pg depleted light_mortar=1; pg2 pg full; howitzers howitzers depleted")
    space = space_of(case.play(until=orders.ChooseForce))
    listed = [encoded(order) for order in space.values()]
    assert len(listed) == len(set(listed)) == 2 * 2 * 3  # 5 or 7 teams, mortar or not; howitzers out, on or off
    assert {encoded(order) for order in drawn(space)} == set(listed)


@pytest.mark.full
@pytest.mark.rule("AOA-9.03", "AOA-4.01", "AOA-3.03")
def test_all_purchases_are_drawn(lay: Lay) -> None:
    case = lay("forces", german=WORN, mission="hold_the_line", balance=(9, 9), tweak=wings).play(
        until=orders.ChooseForce
    )
    seen = drawn(space_of(case), 2000)
    assert {each.purchase.kind for each in seen} == {
        "",
        "smoke",
        "night_attack",
        "counterbattery",
        "battalion_shoot",
        "aerial_bombardment",
    }
    assert {each.extra for each in seen} == {0, 1, 2, 3}
    assert {each.air.aircraft for each in seen} == {"", "ju87", "bf109"}
    assert {platoon.carried_by for each in seen for platoon in each.platoons} == {"", "panzer"}
    assert {platoon.platoon for each in seen for platoon in each.platoons} == set(case.state.rosters["german"])


@pytest.mark.rule("AOA-R62", "AOA-7.05")
@pytest.mark.parametrize(
    ("german", "is_empty"),
    [
        ("pg1 pg full; pg2 pg full", False),
        ("pg1 pg full; pg2 pg gutted; panzer panzer full", True),
        ("pg1 pg full immobile; pg2 pg full; panzer panzer full", False),
        ("pg1 pg full immobile; pg2 pg full immobile; panzer panzer full", False),
        ("pg1 pg full immobile; pg2 pg full immobile; panzer panzer depleted", True),
        ("pg1 pg full immobile; pg2 pg full; cars cars full", True),
    ],
    ids=["two", "one left", "one rides", "both ride at 5 teams", "nine teams of room for ten", "no carrier"],
)
def test_empty_space_is_known_without_listing_forces(lay: Lay, german: str, is_empty: bool) -> None:
    case = lay("selection", german=german)
    case.state.bound = "german"
    space = force_space(case.state, "german")
    assert space.is_empty() is is_empty
    assert (next(space.values(), None) is None) is is_empty
    if is_empty:
        with pytest.raises(ValueError, match="nothing can be chosen"):
            space.sample(Stream(b"none"))


@pytest.mark.rule("AOA-3.17", "AOA-R24")
def test_space_and_event_compute_the_same_points(lay: Lay) -> None:
    case = lay("forces", german=WORN, balance=(9, 9), tweak=wings).play(until=orders.ChooseForce)
    space = space_of(case)
    for order in drawn(space, 50):
        assert space.points(order) == points_calculation(case.state, "german", order.platoons, order.air).total


TIRED = (
    "pg1 pg full immobile; pg2 pg full; hmg hmg full immobile; pak38 pak38 full immobile; panzer panzer full;"
    " a apg full; hq knackers full"
)


DEAR = "pg1 7; pg2 7; hmg 5; panzer 5; pak40 4; cars 4"  # 50 + 205 + 205 + 135 + 525 + 345 + 135 = 1600


def tried(rules: str, name: str, wrong: Any = (), legal: Any = (), *, side: str = "german", **words: Any) -> Any:
    """Return a row of illegal forces with their rules, and of legal forces."""
    refused = [(chooses(side, force), found) for force, found in dict(wrong).items()]
    allowed = [chooses(side, force) for force in legal]
    return row(rules, name, at="forces", until=orders.ChooseForce, wrong=refused, legal=allowed, **words)


def extra(points: int, rules: str) -> Any:
    answer = chooses("german", DEAR, points)
    tries = {"wrong": [(answer, rules)]} if rules else {"legal": [answer]}
    return row("3.02 3.03 3.04", f"extra {points}", at="forces", until=orders.ChooseForce, balance=(9, 0), **tries)


def rides(mission: str, attacker: str, winner: str, legal: bool) -> Any:
    """Return a row of carried platoons, which need the attacker of a breakthrough or a bound side."""
    force = "pg1 7 on=panzer; pg2 7; panzer 5"
    tries: Any = {"legal": [force]} if legal else {"wrong": {force: ""}}
    return tried(
        "3.10 8.08", f"riders {mission} {attacker} {winner}", **tries, mission=mission, attacker=attacker,
        german="pg1 pg full immobile; pg2 pg full; panzer panzer full", tweak=lambda it: setattr(it, "bound", winner),
    )  # fmt: skip


SIZES, UNFIT = "3.05 3.06 1.05", "3.10 3.11 7.05"
WEARY: dict[str, Any] = {"german": TIRED, "tweak": bound}
UNDER = "t1 tankovy under; t2 tankovy full"
STRONG = "t1 tankovy under teams=9; t2 tankovy full"


@pytest.mark.rule(
    "AOA-1.02 AOA-1.04 AOA-1.16 AOA-10.20 AOA-3.02 AOA-3.03 AOA-3.04 AOA-3.05 AOA-3.06 AOA-3.07 AOA-3.08 AOA-3.09"
    " AOA-3.10 AOA-3.11 AOA-3.12 AOA-3.14 AOA-3.15 AOA-7.05 AOA-8.08 AOA-R10 AOA-R11 AOA-R49 AOA-R50 AOA-R51 AOA-R62"
)
@pytest.mark.parametrize(
    "case",
    [
        extra(0, "3.02"), extra(1, "3.02"), extra(2, ""), extra(3, ""), extra(4, "3.03"), extra(-1, "3.03"),
        tried("3.05 3.06 R11", "sizes", {f"t1 {tanks}; t2 5": SIZES for tanks in (4, 8, 10)},
              [f"t1 {tanks}; t2 5" for tanks in (5, 6, 7)], side="soviet", soviet=UNDER),
        tried("R10 3.05", "level_size", {"t1 9; t2 5": "", "t1 10; t2 5": ""}, side="soviet", soviet=STRONG),
        tried("R10 3.05", "exact_teams", {"t1 10; t2 5": ""}, ["t1 9; t2 5"], side="soviet", soviet=STRONG,
              strength_memory="exact_teams"),
        tried("3.07", "gutted", {"pg1 5; pg2 5; cars 2": "3.07"}, german="pg1 pg full; pg2 pg full; cars cars gutted"),
        tried("3.07", "destroyed", {"pg1 5; pg2 5; cars 2": "3.07"},
              german="pg1 pg full; pg2 pg full; cars cars destroyed"),
        tried("1.04", "above_the_strength_bought", {"pg1 7; pg2 7": "1.04 3.05"}, ["pg1 5; pg2 7"],
              german="pg1 pg depleted bought=depleted; pg2 pg full"),
        tried("1.02", "upgrade_not_bought", {"pg1 7; pg2 7 light_mortar": "1.02 1.16"}, ["pg1 7 light_mortar; pg2 7"]),
        tried("1.16 3.08", "upgrades_for_three_tanks",
              {f"t1 {tanks} cupola=4; t2 5": "1.16 3.08" for tanks in (5, 6, 7)},
              [f"t1 {tanks} cupola=3; t2 5" for tanks in (5, 6, 7)], side="soviet",
              soviet="t1 tankovy under cupola=3; t2 tankovy full"),
        tried("3.10 3.11 7.05 R50 10.20", "immobile_after_a_breakthrough", {"pg1 7; pg2 7": "3.10 7.05"},
              ["pg2 7; a 7; panzer 5"], attacker="soviet", **WEARY),
        tried("10.20 R51", "immobile_without_a_breakthrough", legal=["pg1 7; pg2 7; pak38 4"], german=TIRED),
        tried("3.11", "foot", {"pg2 7; a 7; hq 2; panzer 5": UNFIT}, ["pg2 7; a 7; hq 2 on=panzer; panzer 5"], **WEARY),
        tried("3.12 3.15", "three_teams_a_tank",
              dict.fromkeys(("pg1 7 on=panzer; hmg 5 on=panzer; pg2 7; panzer 3", "pg1 7 on=panzer; pg2 7; a 5",
                             "pg1 7 on=cars; pg2 7; panzer 5", "pg1 7 on=pg2; pg2 7; panzer 5",
                             "pg1 7 on=pg1; pg2 7; panzer 5"), ""),
              ["pg1 7 on=panzer; hmg 5 on=panzer; pg2 7; panzer 4",
               "pg1 5 on=panzer; hmg 4 on=panzer; pg2 7; panzer 3"], **WEARY),
        tried("3.14", "towed_guns", {"pg2 7; a 7; pak38 2 on=panzer; panzer 5": "3.14"}, **WEARY),
        # the attacker loses only the second sector (AOA-R47)
        tried("3.09 3.10 R49", "attacker_of_a_breakthrough",
              legal=["pg1 7; pg2 7", "pg1 7 on=panzer; pg2 7; panzer 4"], german=TIRED, mission="breakthrough"),
        rides("breakthrough", "german", "", True),
        rides("breakthrough", "soviet", "", False),
        rides("hold_the_line", "german", "", False),
        rides("hold_the_line", "soviet", "german", True),
        rides("hold_the_line", "german", "soviet", False),
        row("R62", "no_force", at="forces", german="pg1 pg full; pg2 pg gutted; cars cars full", left=(1, 6)),
    ],
)  # fmt: skip
def test_forces_follow_the_rules(lay: Lay, case: Row) -> None:
    play(lay, case)


@pytest.mark.rule("AOA-3.01", "AOA-5.01")
@pytest.mark.parametrize(
    ("force", "rule"),
    [
        *((force, "AOA-3.01") for force in ("pg1 7", "pg1 7; pg1 5", "pg1 7; nobody 5", "pg1 7; t1 5", "")),
        ("pg1 7; pg2 7; cars 4 off", "AOA-5.01"),
    ],
)
def test_refused_force_changes_nothing(lay: Lay, force: str, rule: str) -> None:
    assert lay("forces").play(until=orders.ChooseForce).rejects(chooses("german", force)) == rule


@pytest.mark.rule("AOA-3.03", "AOA-3.17", "AOA-R04")
def test_victory_points_of_a_force_are_paid_immediately(lay: Lay) -> None:
    case = lay("forces", balance=(2, 1)).play(until=orders.ChooseForce)
    assert case.rejects(chooses("soviet", "t1 5; t2 5", 2)) in {"AOA-3.03", "AOA-R04"}
    case.play(chooses("german", DEAR, 2), until=ReportBattle)
    assert case.balance() == (0, 1)
    chosen = case.one(ForceChosen, side="german")
    assert (chosen.points, chosen.extra, chosen.cost) == (1600, 2, 2)
    case = lay("forces").play(chooses("german", "pg1 7 light_mortar; pg2 5; cars 2"), until=ReportBattle)
    assert case.state.forces["german"].points == 50 + 205 + 15 + 145 + 70


@pytest.mark.rule("AOA-R14", "AOA-3.17")
def test_forces_are_chosen_without_seeing_the_enemy_force(lay: Lay) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    assert sorted(each.side for each in case.pending) == ["german", "soviet"]
    case.game.submit(chooses("german", "pg1 7; pg2 7")[1], "german")
    assert case.events(ForceChosen) == []
    assert len(case.play(until=ReportBattle).events(ForceChosen)) == 2


@pytest.mark.rule("AOA-3.13", "AOA-5.01")
def test_brief_has_carried_platoons_and_off_table_batteries(lay: Lay) -> None:
    case = lay("forces", german=TIRED, tweak=bound)
    case.play(chooses("german", "pg1 7 on=panzer; pg2 7; panzer 4"), until=ReportBattle)
    assert [case.brief().platoons("german")[each].transports for each in ("pg1", "pg2")] == [0, 4]
    case = lay("forces").play(chooses("german", "pg1 7; pg2 7; howitzers 4 off"), until=ReportBattle)
    assert case.brief().platoons("german")["howitzers"].off_table


TRUCKS = platoon("trucks", "combat", "infantry", "5/100/2 6/120/2 7/150/3", transport="motor", vehicle="truck")
TANKS = platoon("tanks", "combat", "afv", "2/200 3/300", transport="organic", all_tanks=True, carries=3)
HOWITZERS = platoon("howitzers", "support", "artillery", "2/60", bombards=True, smoke=True)
COLUMN = platoon("column", "support", "light_afv", "2/50", transport="organic", carries=2)


def forces_of(**more: Any) -> Forces:
    """Return forces of two foot platoons, tanks, lorries, guns and mortars, for 500 points with the HQ."""
    foot = line(FOOT, mobile=False, light_mortar=15)
    worn = type(foot)("worn", FOOT, FOOT.sizes[:2], {5: 100, 7: 150}, {}, {}, mobile=False, capacity=0)
    lines = (
        foot,
        worn,
        line(TANKS),
        line(GUNS, mobile=False),
        line(HOWITZERS),
        line(MORTARS),
        line(COLUMN),
        line(TRUCKS),
    )
    found: dict[str, Any] = {
        "caps": {"support": 2, "weapons": 0},
        "least": 2,
        "most": 3,
        "limit": 500,
        "balance": 2,
        "absent": {"gone": Refusal("AOA-3.07", "gone (gun) is gutted: it cannot be fielded")},
        "offers": dict.fromkeys(OFFERS),
        "air_allotment": AirAllotment({"ju87": ("sporadic",), "bf109": ("sporadic",)}, {"sporadic": 90}, ("ju87",)),
        "carries": True,
    }
    return Forces(pool(*lines, **(found | more)))


def force(text: str, extra: int = 0, buys: Any = None, air: Any = None) -> ChooseForce:
    return ChooseForce(fielded(text), extra, buys or Purchase(), air or AirSupport())


TWO = "foot 5; worn 5"
AIR = AirSupport("ju87", "sporadic", "close_support", "bombs")
LOADED = "choose bombs or rockets"


ILLEGAL: list[Any] = [
    Concede(),
    ChooseForce([1]),  # type: ignore[list-item]  # a wrong type on purpose
    force("gone 5"),
    force("foot 5; foot 5"),
    force("foot 4"),
    force("worn 8"),
    force("worn 6"),
    force("worn 9"),
    force("foot 5 light_mortar=3"),
    force("foot 5 light_mortar=0"),
    force("foot 5 cupola=1"),
    force("worn 5 cupola=1"),
    ChooseForce([Fielded("foot", 5, ["x"])]),  # type: ignore[arg-type]  # a wrong type on purpose
    ChooseForce([Fielded("foot", 5, {}, 1)]),  # type: ignore[arg-type]  # a wrong type on purpose
    ChooseForce([Fielded("foot", 5, carried_by=3)]),  # type: ignore[arg-type]  # a wrong type on purpose
    force("foot 5 off"),
    force("foot 5"),
    force("foot 5; worn 5; tanks 2; trucks 5"),
    force(f"{TWO}; guns 2; howitzers 2; column 2"),
    force(f"{TWO}; mortars 2"),
    force(f"{TWO}; guns 2; howitzers 2"),
    force(TWO, air="x"),
    force(TWO, air=AirSupport("", "sporadic")),
    force(TWO, air=AirSupport("il2")),
    force(TWO, air=AirSupport("ju87", "limited", "x")),
    force(TWO, air=AirSupport("ju87", "sporadic", "x")),
    force(TWO, air=AirSupport("ju87", "sporadic", "superiority")),
    force(TWO, air=AirSupport("bf109", "sporadic", "superiority", "bombs")),
    force(TWO, air=AIR),
    force(TWO, buys="x"),
    force(TWO, buys=Purchase("", 1)),
    force(TWO, buys=Purchase("night_attack", 0)),
    force(TWO, buys=Purchase("night_attack", 2)),
    force(TWO, buys=Purchase("night_attack", 1, ("foot",))),
    force(TWO, buys=Purchase("counterbattery", 1, (), ("x",))),
    force(TWO, buys=Purchase("smoke", 2, ("foot",))),
    force(TWO, buys=Purchase("smoke", 1, ("guns",))),
    force(f"{TWO}; howitzers 2", buys=Purchase("smoke", 2, ("howitzers", "howitzers"))),
    force(f"{TWO}; guns 2", buys=Purchase("smoke", 1, ("guns",))),
    force(TWO, buys=Purchase("preregistered", 1, ("foot",))),
    force(TWO, buys=Purchase("battalion_shoot", 2, (), ("x",))),
    force(TWO, buys=Purchase("battalion_shoot", 1, (), ("",))),
    force(TWO, buys=Purchase("battalion_shoot", 1, (), ("a\nb",))),
    force(TWO, air=AIR, buys=Purchase("aerial_bombardment", 1)),
    force(TWO, 4),
    force(TWO, -1),
    force(TWO, 3),
    force(TWO, 0, Purchase("counterbattery", 1)),
    force(f"{TWO}; howitzers 2", 2, Purchase("smoke", 1, ("howitzers",))),
    force(f"{TWO}; howitzers 2", 1, Purchase("smoke", 1, ("howitzers",))),
    force("tanks 3; foot 5; howitzers 2"),
    force("tanks 3; foot 5 light_mortar=2; howitzers 2", 1),
    force("tanks 3; foot 5 light_mortar=2; howitzers 2", 1, air=AIR),
    force("foot 5 on=tanks; worn 5"),
    force("foot 5 on=foot; worn 5"),
    force("trucks 5 on=tanks; tanks 2"),
    force("foot 5 on=worn; worn 5"),
    force("foot 5; tanks 2; guns 2 on=tanks"),
    force("foot 5; worn 5; guns 2 on=column; column 2"),
    force("foot 7 on=tanks; tanks 2"),
    force("foot 5 on=column; worn 5; column 2"),
    force("foot 5 on=tanks; tanks 2"),
    ChooseForce("foot"),  # type: ignore[arg-type]  # a wrong type on purpose
    ChooseForce([Fielded(["foot"], 5)]),  # type: ignore[arg-type]  # a wrong type on purpose
    ChooseForce([Fielded("foot", True), Fielded("worn", 5)]),
    ChooseForce(fielded(TWO), True),
]


@pytest.mark.rule("AOA-3.01", "AOA-3.02", "AOA-3.05", "AOA-3.06", "AOA-3.08", "AOA-3.12", "AOA-3.15", "AOA-R11")
def test_illegal_force_is_refused_by_its_rule(transcript: Transcript) -> None:
    transcript(refusals(forces_of(), *ILLEGAL))


@pytest.mark.rule("AOA-1.12", "AOA-3.10", "AOA-7.05", "AOA-9.04")
def test_force_is_refused_by_the_conditions_of_its_game() -> None:
    carried = "AOA-3.10 foot: platoons cannot be carried in this game: omit its carrier"
    assert refused(forces_of(carries=False), force("foot 5 on=tanks; tanks 2")) == carried
    behind = "AOA-7.05 foot cannot move by itself after two sectors at once: omit it, or name a carrier"
    assert refused(forces_of(bound=True), force("tanks 2; foot 5")) == behind
    assert refused(forces_of(bound=True), force("tanks 2; foot 5 on=tanks")) == ""
    shut = {**dict.fromkeys(OFFERS), "smoke": Refusal("AOA-9.04", "not for you")}
    assert refused(forces_of(offers=shut), force(TWO, buys=Purchase("smoke", 0))) == "AOA-9.04 not for you"
    none = forces_of(air_allotment=AirAllotment({}, {}, ()))
    message = "AOA-1.12 ju87 was not bought with the starting force: the starting force has no aircraft"
    assert refused(none, force(TWO, air=AIR)) == message
    known = "foot, worn, tanks, guns, howitzers, mortars"
    assert refused(forces_of(), force("nobody 5")).startswith(f"AOA-3.01 nobody is not in the roster: choose {known}")
    for length, allowed in ((80, True), (81, False)):
        shoot = Purchase("battalion_shoot", 1, (), ("x" * length,))
        assert (refused(forces_of(balance=3), force(TWO, buys=shoot)) == "") is allowed
