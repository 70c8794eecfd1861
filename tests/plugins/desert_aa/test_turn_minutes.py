"""The minutes of a turn, but for its fights: money, arrivals, marches, flights, supply, incomes, each with its sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from desert_aa.model import events as told
from desert_aa.model.orders import (
    BuyMinefields,
    BuyUnits,
    EndMoves,
    PlaceBonus,
    PlaceMinefields,
    PlaceUnits,
    Sweep,
)
from desert_aa.model.state import DesertState
from sandtable.kernel.events import Calculation, GameEnded

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Changed, Lay, Opening


def sums(name: str, *steps: tuple[str, int, str]) -> tuple[Calculation, ...]:
    return (Calculation(name, steps),)


# --- the grant ---


@pytest.mark.rule("DAA-2.01", "DAA-2.03", "DAA-2.04", "DAA-8.01")
def test_what_each_side_buys_with_its_grant(opening: Opening) -> None:
    case = opening("frontier", axis_treasury="per_nation")
    assert {each.seat: each.prompt for each in case.game.waiting()} == {
        "italy": "spend the grant of 12 IPC, or save it",
        "england": "spend the grant of 12 IPC, or save it",
    }
    case.submit(PlaceBonus({"england": {"RAS": {"infantry": 1}}}, {"england": 1}), "england")
    case.submit(
        PlaceBonus({"italy": {"WAZ": {"infantry": 2}, "MGH": {"infantry": 1}}, "germany": {"BTR": {"aa_gun": 1}}}),
        "italy",
    ).submit(PlaceMinefields(["OAS"]))
    bought = case.events(
        told.GrantReceived, told.UnitsBought, told.UnitsArrived, told.MinefieldsBought, told.MinefieldsPlaced
    )
    assert bought == [
        told.GrantReceived("italy", 6),
        told.GrantReceived("germany", 6),
        told.GrantReceived("allies", 12),
        told.UnitsBought(
            "germany", "germany", {"aa_gun": 1}, 5, "DAA-2.01", sums("cost", ("aa_gun x1 at 5", 5, "DAA-15.06"))
        ),
        told.UnitsArrived("germany", "BTR", "aa_gun", ["de-aa-1"], "DAA-2.03"),
        told.UnitsBought(
            "italy", "italy", {"infantry": 3}, 6, "DAA-2.01", sums("cost", ("infantry x3 at 2", 6, "DAA-3.03"))
        ),
        told.UnitsArrived("italy", "MGH", "infantry", ["it-inf-5"], "DAA-2.03"),
        told.UnitsArrived("italy", "WAZ", "infantry", ["it-inf-6", "it-inf-7"], "DAA-2.03"),
        told.UnitsBought(
            "england", "allies", {"infantry": 1}, 3, "DAA-2.01", sums("cost", ("infantry x1 at 3", 3, "DAA-15.01"))
        ),
        told.UnitsArrived("england", "RAS", "infantry", ["uk-inf-8"], "DAA-2.03"),
        told.MinefieldsBought(
            "england", "allies", 1, 8, "DAA-8.01", sums("cost", ("minefield x1 at 8", 8, "DAA-8.02"))
        ),
        told.MinefieldsPlaced("england", 1, ["OAS"]),
    ]


@pytest.mark.rule("DAA-2.01", "DAA-R68")
@pytest.mark.parametrize(
    ("bids", "received"), [({}, {}), ({"axis_bid": "3"}, {"axis": 3}), ({"allies_bid": "4"}, {"allies": 4})]
)
def test_without_a_grant_nobody_is_asked(
    opening: Opening, changed: Changed, bids: dict[str, str], received: dict[str, int]
) -> None:
    case = opening(changed({"treasury": {"bonus": 0}}), **bids)
    assert {event.purse: event.amount for event in case.events(told.GrantReceived)} == received
    wanted = "GrantSpace" if bids else "Form"
    assert {type(each.options).__name__ for each in case.game.waiting()} == {wanted}


@pytest.mark.rule("DAA-8.02", "DAA-R37", "DAA-R01")
@pytest.mark.parametrize(("kind", "asked"), [("artillery", ["germany", "england"]), ("infantry", ["italy", "germany"])])
def test_who_has_eight_left_of_his_part_is_asked_for_mines(opening: Opening, kind: str, asked: list[str]) -> None:
    """Ten to each power of the Axis: after artillery for 3 Italy can pay no minefield, after infantry for 2 it can."""
    case = opening(mine_secrecy="all_secret", axis_treasury="per_nation", axis_bid="8")
    case.submit(PlaceBonus({"italy": {"TRI": {kind: 1}}}), "italy").submit(PlaceBonus(), "england")
    money = {"italy": 8, "germany": 10, "england": 12}
    for power in asked:
        wanted = (power, f"buy minefields, unseen: {money[power]} IPC", True)
        assert (case.asked.power, case.asked.prompt, case.asked.secret) == wanted
        assert [case.refused(BuyMinefields(number)) for number in (-1, 2)] == ["DAA-8.02"] * 2
        case.submit(BuyMinefields(1)).to(PlaceMinefields).submit(next(case.asked.options.values()))


@pytest.mark.rule("DAA-R36", "DAA-R37")
def test_who_could_lay_no_minefield_is_not_asked_for_any(opening: Opening) -> None:
    # In the teaching game Germany holds nothing but the road.
    case = opening("frontier", mine_secrecy="all_secret", mine_allied_space="refused", axis_bid="20")
    case.submit(PlaceBonus(), "italy").submit(PlaceBonus(), "england")
    asked = []
    while case.wants(BuyMinefields):
        asked.append(case.asked.power)
        case.submit(BuyMinefields(0)).submit(PlaceMinefields([]))
    assert asked == ["italy", "england"]
    assert case.events(told.MinefieldsPlaced) == [
        told.MinefieldsPlaced("italy", 0),
        told.MinefieldsPlaced("england", 0),
    ]


@pytest.mark.rule("DAA-8.05", "DAA-R07")
def test_how_many_minefields_a_grant_may_buy(opening: Opening) -> None:
    # In the teaching game the Axis can mine one space, whoever lays; England two.
    case = opening("frontier", axis_bid="50", allies_bid="50")
    for one, two in (("italy", "germany"), ("germany", "italy")):
        assert case.refused(PlaceBonus({}, {one: 2}), "italy") == "DAA-8.05"
        assert case.refused(PlaceBonus({}, {one: 1, two: 1}), "italy") == "DAA-8.05"
        assert case.game.waiting()[0].options.is_legal(PlaceBonus({}, {one: 1}))
    assert case.refused(PlaceBonus({}, {"england": 3}), "england") == "DAA-8.05"
    case.submit(PlaceBonus({}, {"england": 2}), "england").submit(PlaceBonus(), "italy")
    assert case.events(told.MinefieldsPlaced) == [told.MinefieldsPlaced("england", 2, ["KHA", "OAS"])]


# --- purchases and arrivals ---


@pytest.mark.rule("DAA-14.02", "DAA-8.01", "DAA-3.09", "DAA-14.05")
def test_a_purchase_and_where_it_arrives(lay: Lay) -> None:
    case = lay("ALX uk-inf-4", state=cash(30))
    assert case.asked.prompt == "buy units: 30 IPC"
    case.submit(BuyUnits({"artillery": 2, "infantry": 1, "minefield": 2})).to(PlaceUnits)
    case.submit(PlaceUnits({"SUE": {"infantry": 1, "artillery": 1}, "MAT": {"artillery": 1}}))
    assert case.asked.prompt == "lay your minefields, unseen: 2"
    case.submit(PlaceMinefields(["SIW", "HAB"]))
    cost = sums("cost", ("artillery x2 at 4", 8, "DAA-15.02"), ("infantry x1 at 3", 3, "DAA-15.01"))
    mines = sums("cost", ("minefield x2 at 8", 16, "DAA-8.02"))
    kinds = told.UnitsBought, told.MinefieldsBought, told.UnitsArrived, told.MinefieldsPlaced
    assert case.events(*kinds) == [
        told.UnitsBought("england", "allies", {"artillery": 2, "infantry": 1}, 11, "DAA-14.02", cost),
        told.MinefieldsBought("england", "allies", 2, 16, "DAA-8.01", mines),
        told.UnitsArrived("england", "MAT", "artillery", ["uk-art-1"], "DAA-3.02"),
        told.UnitsArrived("england", "SUE", "artillery", ["uk-art-2"], "DAA-3.02"),
        told.UnitsArrived("england", "SUE", "infantry", ["uk-inf-5"], "DAA-3.02"),
        told.MinefieldsPlaced("england", 2, ["HAB", "SIW"], "DAA-8.03"),
    ]


def cash(amount: int) -> dict[str, Any]:
    return {"cash": {"axis": amount, "allies": amount}}


@pytest.mark.rule("DAA-14.02")
@pytest.mark.parametrize(("power", "least"), [("italy", 2), ("england", 3), ("germany", 3)])
def test_who_can_buy_nothing_is_not_asked(lay: Lay, power: str, least: int) -> None:
    assert lay("", power, state=cash(least)).wants(BuyUnits)
    assert not lay("", power, state=cash(least - 1)).wants(BuyUnits)
    bought = lay("", power, state=cash(least)).submit(BuyUnits({}))
    assert bought.events(told.UnitsBought, told.MinefieldsBought) == []


@pytest.mark.rule("DAA-14.02", "DAA-8.01", "DAA-R37")
def test_who_buys_minefields_alone_has_bought_no_units(lay: Lay) -> None:
    openly = lay("", state=cash(9)).submit(BuyUnits({"minefield": 1}))
    unseen = lay("", state=cash(9), mine_secrecy="all_secret").submit(BuyUnits({})).submit(BuyMinefields(1))
    for case in (openly, unseen):
        assert [type(event) for event in case.events(told.UnitsBought, told.MinefieldsBought)] == [
            told.MinefieldsBought
        ]


@pytest.mark.rule("DAA-8.01", "DAA-R37")
def test_by_option_minefields_are_bought_in_a_second_and_secret_question(lay: Lay) -> None:
    case = lay("", "england", state=cash(20), mine_secrecy="all_secret")
    case.submit(BuyUnits({"infantry": 1}))
    assert (case.asked.prompt, case.asked.secret) == ("buy minefields, unseen: 17 IPC", True)
    assert case.refused(BuyMinefields(3)) == "DAA-8.02"
    case.submit(BuyMinefields(2)).to(PlaceMinefields)
    assert case.asked.prompt == "lay your minefields, unseen: 2"
    bought = case.events(told.UnitsBought, told.MinefieldsBought)
    assert bought == [
        told.UnitsBought(
            "england", "allies", {"infantry": 1}, 3, calculations=sums("cost", ("infantry x1 at 3", 3, "DAA-15.01"))
        ),
        told.MinefieldsBought(
            "england", "allies", 2, 16, calculations=sums("cost", ("minefield x2 at 8", 16, "DAA-8.02"))
        ),
    ]


@pytest.mark.rule("DAA-R50", "DAA-R06")
def test_by_option_guns_for_which_there_is_no_room_are_not_asked_about(lay: Lay) -> None:
    case = lay("MAT uk-aa-1; ALX uk-aa-2; SUE uk-aa-3", state=cash(5), aa_limit="one_per_space")
    case.submit(BuyUnits({"aa_gun": 1})).to_turn("germany")
    assert case.state.waiting["england"] == {"aa_gun": 1}
    assert case.events(told.UnitsArrived) == []


# --- marches and flights ---


@pytest.mark.rule("DAA-4.03", "DAA-10.01", "DAA-6.02", "DAA-16.02")
@pytest.mark.parametrize(
    ("power", "units", "path", "extended", "advanced", "rule", "beyond"),
    [
        ("england", "uk-inf-1 uk-arm-1", "HAB MIN RUW", ["uk-inf-1"], [], "DAA-4.03", {"infantry": ("DAA-15.01", 2)}),
        ("england", "uk-arm-1", "HAB MIN RUW NAT", ["uk-arm-1"], [], "DAA-4.03", {"armour": ("DAA-15.03", 3)}),
        ("england", "uk-inf-1 uk-arm-1", "HAB MIN", [], [], "DAA-16.02", {}),
        ("england", "uk-aa-1", "HAB MIN RUW", ["uk-aa-1"], [], "DAA-10.01", {"aa_gun": ("DAA-15.06", 2)}),
        ("england", "uk-aa-1", "HAB MIN", [], [], "DAA-16.02", {}),
        ("england", "uk-aa-1", "ALA FUK MAT", [], ["uk-aa-1"], "DAA-6.02", {"aa_gun": ("DAA-15.06", 2)}),
        (
            "england",
            "uk-aa-1 uk-art-1",
            "HAB MIN RUW",
            ["uk-aa-1", "uk-art-1"],
            [],
            "DAA-4.03",
            {"aa_gun": ("DAA-15.06", 2), "artillery": ("DAA-15.02", 2)},
        ),
        (
            "italy",
            "it-art-1 it-inf-1",
            "TEN GIA MAR",
            ["it-art-1", "it-inf-1"],
            [],
            "DAA-4.03",
            {"artillery": ("DAA-3.04", 2), "infantry": ("DAA-3.03", 2)},
        ),
        ("england", "uk-arm-1", "ALA FUK MAT SIB", [], ["uk-arm-1"], "DAA-6.02", {"armour": ("DAA-15.03", 3)}),
    ],
)
def test_what_a_march_costs(
    lay: Lay,
    power: str,
    units: str,
    path: str,
    extended: list[str],
    advanced: list[str],
    rule: str,
    beyond: dict[str, tuple[str, int]],
) -> None:
    case = lay(f"{path[:3]} {units}", power, round_=4).shift(units, path)
    why = [
        Calculation(f"beyond.{kind}", (("spaces", spaces, "DAA-16.02"), ("range", 1 - spaces, value)))
        for kind, (value, spaces) in beyond.items()
    ]
    if extended:
        why += sums("stands_up", ("this turn", 4, "DAA-4.03"), ("the next", 1, "DAA-4.03"))
    stands_up = 5 if extended else 0
    wanted = told.UnitsMoved(power, units.split(), path.split(), extended, advanced, stands_up, rule)
    assert case.events(told.UnitsMoved) == [replace(wanted, calculations=tuple(why)) if why else wanted]


@pytest.mark.rule("DAA-R11", "DAA-R48")
@pytest.mark.parametrize(("option", "extended"), [("actual", []), ("declared", ["uk-arm-1"])])
def test_by_which_path_fuel_is_judged(lay: Lay, option: str, extended: list[str]) -> None:
    case = lay("MIN uk-arm-1", dice="6, 6", mines={"GSA": "germany"}, penalty_by=option)
    case.attack("uk-arm-1", "MIN HAB GSA GUB").fight()
    (event,) = case.events(told.UnitsMoved)
    assert (event.path, event.extended) == (["MIN", "HAB", "GSA"], extended)
    assert bool(event.calculations) is bool(extended)


@pytest.mark.rule("DAA-16.07")
def test_what_flights_leave_of_the_range(lay: Lay) -> None:
    """Two bombers and a fighter strike Gabr Saleh from two fields; one bomber and the fighter go on together."""
    case = lay("HAB uk-bom-1 uk-ftr-1; MIN uk-bom-2; GSA it-inf-1", dice="1 6 6, 6", control={"italy": "GSA"})
    case.attack("uk-bom-1 uk-ftr-1", "HAB GSA").attack("uk-bom-2", "MIN HAB GSA").fight()
    case.shift("uk-bom-1 uk-bom-2 uk-ftr-1", "GSA HAB")

    def left(kind: str, far: int, rule: str, *flown: int) -> Calculation:
        names = ["this flight"] if len(flown) == 1 else ["flown before", "this flight"]
        steps = [(name, -spaces, "DAA-16.07") for name, spaces in zip(names, flown, strict=True)]
        return Calculation(f"left.{kind}", (("range", far, rule), *steps))

    bomber, fighter = ("bomber", 6, "DAA-15.05"), ("fighter", 4, "DAA-15.04")
    assert [(event.rule, event.calculations) for event in case.events(told.UnitsMoved)] == [
        ("DAA-16.07", (left(*bomber, 1), left(*fighter, 1))),
        ("DAA-16.07", (left(*bomber, 2),)),
        ("DAA-12.01", (left(*bomber, 1, 1), left(*bomber, 2, 1), left(*fighter, 1, 1))),
    ]


@pytest.mark.rule("DAA-18.03")
def test_a_plane_that_is_lost_keeps_no_other_from_landing(lay: Lay) -> None:
    """Over Gabr Saleh the bomber has no space left; one fighter has one and no choice, the other has two."""

    def aloft(state: DesertState) -> None:
        state.position = 1 + 6 + 3
        for unit, moved in (("uk-bom-1", 6), ("uk-ftr-1", 3), ("uk-ftr-2", 2)):
            state.units[unit].moved, state.units[unit].path = moved, ["HAB", "GSA"]

    held = {"germany": "GSA BUQ", "italy": "SIW"}
    case = lay("GSA uk-bom-1 uk-ftr-1..2", control=held, tweak=aloft).submit(EndMoves())
    assert case.events(told.UnitsLost) == [told.UnitsLost("GSA", ["uk-bom-1"], "no_landing", "DAA-18.03")]
    assert (case.where("uk-ftr-1"), case.asked.prompt) == ("HAB", "land uk-ftr-2")
    case.to_turn("germany")
    assert case.where("uk-ftr-2") in {"HAB", "MIN", "SIB"}


@pytest.mark.rule("DAA-R50")
def test_by_option_a_place_that_a_gun_has_left_is_free_for_another(lay: Lay) -> None:
    case = lay("HAB uk-aa-1; MIN uk-aa-2", aa_limit="one_per_space").shift("uk-aa-1", "HAB SIW")
    assert case.no_shift("uk-aa-2", "MIN SIW") == "DAA-8.05"
    case.shift("uk-aa-2", "MIN HAB")
    assert (case.where("uk-aa-1"), case.where("uk-aa-2")) == ("SIW", "HAB")


@pytest.mark.rule("DAA-R41", "DAA-R46")
def test_two_fields_that_are_entered_strike_one_after_the_other(lay: Lay) -> None:
    case = lay("SIW uk-inf-1..2; HAB uk-inf-3", dice="3 3, 6, 2", mines={"GIR": "italy", "GSA": "germany"})
    case.attack("uk-inf-3", "HAB GSA").attack("uk-inf-1..2", "SIW GIR").fight(Sweep())
    struck = [(event.space, event.units, event.hits) for event in case.events(told.MinesStruck)]
    assert struck == [("GIR", ["uk-inf-1", "uk-inf-2"], 2), ("GSA", ["uk-inf-3"], 0)]
    assert (set(case.state.minefields), case.holder("GSA"), case.holder("GIR")) == ({"GIR"}, "england", "italy")


# --- supply ---


@pytest.mark.rule("DAA-6.03", "DAA-6.05", "DAA-R15")
@pytest.mark.parametrize(
    ("unit", "path", "power", "blocker", "way", "round_"),
    [
        ("uk-arm-1", "MAT SIB BUQ BDI", "germany", "de-inf-1", "GSA BUQ", 1),  # England plays in the next round
        ("uk-arm-1", "MAT SIB BUQ BDI", "italy", "it-inf-1", "GSA BUQ", 0),  # England is next in the same round
        ("it-arm-1", "TOB BDI BUQ SIB", "england", "uk-inf-1", "GSA BDI", 1),
        ("de-arm-1", "TOB BDI BUQ SIB", "england", "uk-inf-1", "GSA BDI", 0),
    ],
)
def test_until_when_a_unit_that_was_cut_lies(
    lay: Lay, unit: str, path: str, power: str, blocker: str, way: str, round_: int
) -> None:
    owner = {"uk": "england", "it": "italy", "de": "germany"}[unit[:2]]
    control = {"england": "BDI"} if owner == "england" else {"italy": "BUQ SIB"}
    case = lay(f"{path[:3]} {unit}; GSA {blocker}", owner, control=control).shift(unit, path)
    now = case.to_turn(power).state.turn
    case.attack(blocker, way).until(lambda case: bool(case.events(told.UnitsCut)))
    steps = ("this turn", now, "DAA-6.05"), ("to its own turn", round_, "DAA-R15")
    cut = told.UnitsCut(owner, {unit: way[4:]}, now + round_, "DAA-6.03", sums("stands_up", *steps))
    assert case.events(told.UnitsCut) == [cut]


@pytest.mark.rule("DAA-6.03", "DAA-4.10", "DAA-6.06", "DAA-14.07")
def test_partners_are_cut_together_and_stand_up_one_by_one(lay: Lay) -> None:
    """England blocks Bardia behind an Italian and two Germans; Germany clears it, the Italian lies one turn."""
    case = lay(
        "TOB it-arm-1 de-arm-1..2; GSA uk-inf-1; GUB de-inf-1",
        "italy",
        dice="1, 6",
        control={"italy": "BUQ SIB"},
        cut_relief="controller",
    )
    case.shift("it-arm-1", "TOB BDI BUQ SIB").to_turn("england")
    case.state.units["de-arm-1"].space = case.state.units["de-arm-2"].space = "SIB"
    case.state.units["de-arm-1"].condition = case.state.units["de-arm-2"].condition = "advanced"
    case.attack("uk-inf-1", "GSA BDI").to_turn("germany")
    assert [(event.power, event.units) for event in case.events(told.UnitsCut)] == [
        ("italy", {"it-arm-1": "BDI"}),
        ("germany", {"de-arm-1": "BDI", "de-arm-2": "BDI"}),
    ]
    began = [(event.power, event.blocked) for event in case.events(told.PowerTurnBegan)]
    assert began == [("italy", []), ("england", []), ("germany", ["de-arm-1", "de-arm-2"])]
    case.attack("de-inf-1", "GUB BDI").fight()
    assert case.events(told.UnitsStoodUp) == [told.UnitsStoodUp("germany", ["de-arm-1", "de-arm-2"], "DAA-6.06")]
    case.to_turn("italy").to_turn("england")
    assert case.events(told.UnitsStoodUp)[1:] == [told.UnitsStoodUp("italy", ["it-arm-1"], "DAA-4.10")]


# --- incomes and ends ---


@pytest.mark.rule("DAA-14.04", "DAA-R63")
def test_what_ground_pays_and_who_is_richer_in_the_end(lay: Lay) -> None:
    case = lay("", "italy", scenario="frontier", round_=5, control={"england": "TEL"}).until(
        lambda case: case.game.is_over
    )
    german = ("amount", (("BTR", 2, "DAA-14.04"),))
    last = case.events(told.IncomeCollected)[-4:]
    assert [event.power for event in last] == ["germany", "italy", "england", "germany"]
    assert last[0] == told.IncomeCollected("germany", "axis", 2, "DAA-14.04", (Calculation(*german),))
    assert {step[:2] for step in last[1].calculations[0].steps} == {("MGH", 4), ("WAZ", 1)}
    assert [len(event.calculations) for event in last] == [1, 1, 1, 2]
    assert last[3].calculations == (
        Calculation(*german),
        Calculation("margin", (("axis", 7, "DAA-R63"), ("allies", -9, "DAA-R63"))),
    )
    assert case.events(GameEnded) == [GameEnded("allies", "round_limit", "DAA-R63")]


@pytest.mark.rule("DAA-1.04")
def test_a_capital_that_falls_ends_the_game_by_its_rule(lay: Lay) -> None:
    case = lay("HOM uk-inf-1").attack("uk-inf-1", "HOM TRI").fight()
    assert case.events(GameEnded) == [GameEnded("allies", "capital_captured", "DAA-1.04")]
