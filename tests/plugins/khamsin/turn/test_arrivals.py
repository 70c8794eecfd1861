"""Deployment, reinforcements (KH-4), and returning leaders."""

from typing import Any

import pytest
from changing import TAKEN_OUT
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase
from tests.plugins.khamsin.modules import APART, board, built
from tests.plugins.khamsin.procedures import HERE, of, ordered, position, run

from khamsin.fog.views import view
from khamsin.model import events, orders
from khamsin.model.events import ActivationRolled, FormationArrived, FormationDelayed, FormationMoved, LeaderReturned
from khamsin.model.orders import Deploy, EnterBy, WriteOrders
from khamsin.model.state import ON_MAP, WAITING, KhamsinState
from khamsin.movement.orders_sheet import orders_space
from khamsin.turn.arrivals import arrivals, deploy, deployment_space, due, open_entries
from khamsin.turn.movement import action
from khamsin.ui.terms import remarks

COMING: dict[str, Any] = {
    "forces.formations.21_pz_div.start": TAKEN_OUT,
    "forces.formations.21_pz_div.enters": 3,
    "forces.formations.21_pz_div.entries": ["sollum", "gambut"],
    "map.areas.sollum.entry": "axis",
}
ONE_WAY = COMING | {"forces.formations.21_pz_div.entries": ["sollum"]}
FAR = "7_armd_bde assembly_area"


@pytest.mark.rule("KH-4.03", "KH-4.04", "KH-1.09", "KH-11.03", "KH-3.03", "KH-3.04")
def test_reinforcement_arrives_on_its_turn_in_its_area(new_case: NewCase) -> None:
    case = new_case(f"21_pz_div waiting; {FAR}", changes=COMING, at="start.supply", turn=2).play()
    assert case["21_pz_div"].standing == WAITING
    case.turn()
    assert case.one(events.FormationArrived).area == "sollum"
    names = [type(each).__name__ for each in case.happened()]
    assert names.index("SupplyChecked") < names.index("FormationArrived") < names.index("WeatherSet")


@pytest.mark.rule("KH-4.09")
def test_reinforcement_moves_on_its_turn_of_arrival(new_case: NewCase) -> None:
    case = new_case(f"21_pz_div waiting; {FAR}", changes=COMING, at="start.supply", turn=3).play()
    case.turn(axis="21_pz_div gambut sidi_rezegh")
    assert case.at("21_pz_div") == "sidi_rezegh"
    case = new_case(
        "21_pz_div waiting; 7_armd_bde fort_capuzzo",
        changes=COMING,
        at="start.supply",
        turn=3,
        control="allies: fort_capuzzo",
        dice={"activation:21_pz_div": "4"},
    ).play()
    case.turn(axis="21_pz_div fort_capuzzo", until=orders.Withdraw)
    assert case.found() == ["fort_capuzzo"]


def delayed(new_case: NewCase, enemy: str = "7_armd_bde sollum", **more: Any) -> Any:
    return new_case(
        f"21_pz_div waiting; {enemy}", changes=ONE_WAY, at="start.supply", turn=3, control="allies: sollum", **more
    ).play()


@pytest.mark.rule("KH-4.06", "KH-4.07")
def test_delayed_formation_shows_when_it_may_enter_by_force(new_case: NewCase) -> None:
    case = delayed(new_case)
    campaign = case.state.board
    enters, waits = campaign.formations["21_pz_div"].enters, "delayed: waits for Sollum"
    seen = view(case.state, "axis").formations["21_pz_div"]
    shown = [remarks("21_pz_div", seen, campaign, enters + later) for later in (0, 1)]
    assert shown == [[waits], [f"{waits}, or enters by assault"]]


@pytest.mark.rule("KH-2.04", "KH-2.03")
def test_situation_changes_apply_at_the_start_of_their_turn(new_case: NewCase) -> None:
    changes = {
        "events": [
            {"turn": 3, "kind": "supply_on", "side": "axis", "area": "bir_el_gubi", "text": "Dumps."},
            {"turn": 3, "kind": "control", "side": "allies", "area": "sollum", "text": "A landing."},
            {"turn": 3, "kind": "note", "text": "News."},
        ]
    }
    case = new_case(
        "15_pz_div bir_el_gubi; 7_armd_bde gabr_saleh", changes=changes, at="start.supply", control="allies: el_adem"
    ).play()
    assert not case["15_pz_div"].supplied
    case.turn()
    assert [each.text for each in case.events(events.SituationChanged)] == ["Dumps.", "A landing.", "News."]
    assert case["15_pz_div"].supplied
    assert case.control("sollum") == "allies"


@pytest.mark.rule("KH-1.08", "KH-1.04", "KH-2.05")
def test_side_deploys_only_in_areas_of_the_module(new_case: NewCase) -> None:
    case = new_case("", at="setup.deploy", turn=0)
    while case.expects(orders.Deploy):
        decision = case.pending[0]
        deployed = next(iter(decision.options.values()))
        wrong = {**deployed.areas, **dict.fromkeys(list(deployed.areas)[:1], "tobruk")}
        assert not decision.options.is_legal(orders.Deploy(wrong, deployed.leaders)) or not deployed.areas
        assert not decision.options.is_legal(orders.Deploy(deployed.areas, {"rommel": "tobruk"}))
        case.game.submit(deployed, decision.seat)
    assert len(case.events(events.SideDeployed)) == 2


SOUTH_AFRICANS = "2_sa_div"
ENTRIES = ("assembly_area", "sidi_barrani")


def south_africans(closed: tuple[str, ...], *, turn: int = 8, delayed: bool = False, **places: str) -> KhamsinState:
    """Return Crusader on the turn of the South Africans, with these areas in Axis hands."""
    state = position(places, "crusader", turn=turn)
    state.control.update(dict.fromkeys(closed, "axis"))
    state.formations[SOUTH_AFRICANS].delayed = delayed
    return state


def came(happened: list[Any]) -> list[tuple[str, str]]:
    return [(each.area, each.rule) for each in of(happened, FormationArrived) if each.formation == SOUTH_AFRICANS]


@pytest.mark.rule("KH-4.04", "KH-4.05", "KH-4.06", "KH-4.08", "KH-11.03", "KH-R97")
@pytest.mark.parametrize(
    ("closed", "delayed", "expected"),
    [
        ((), False, [("assembly_area", "KH-4.04")]),
        (ENTRIES[:1], False, [("sidi_barrani", "KH-4.05")]),
        (ENTRIES[1:], True, [("assembly_area", "KH-4.08")]),
        (ENTRIES, False, []),
        (ENTRIES, True, []),
    ],
)
def test_reinforcement_arrives_by_the_first_open_entry(
    closed: tuple[str, ...], expected: list[Any], *, delayed: bool
) -> None:
    state = south_africans(closed, turn=8 + delayed, delayed=delayed)
    happened = run(state, arrivals(state))
    assert came(happened) == expected
    assert [each.formation for each in of(happened, FormationDelayed)] == [SOUTH_AFRICANS] * (
        not expected and not delayed
    )


@pytest.mark.rule("KH-4.06", "KH-4.07", "KH-R98", "KH-R99")
@pytest.mark.parametrize(
    ("defender", "face", "end"), [(False, 0, "assembly_area"), (True, 4, ""), (True, 5, "assembly_area")]
)
def test_delayed_reinforcement_may_enter_by_force(face: int, end: str, *, defender: bool) -> None:
    state = south_africans(ENTRIES)
    run(state, arrivals(state))
    way = WriteOrders({SOUTH_AFRICANS: ["assembly_area"]})
    assert orders_space(state, "allies").why_not(way) is not None
    places = {"15_pz_div": "assembly_area"} if defender else {}
    state = south_africans(ENTRIES, turn=9, delayed=True, **places)
    run(state, arrivals(state))
    assert orders_space(state, "allies").why_not(way) is None
    ordered(state, "allies", moves=way.moves)
    happened = run(state, action(state), {f"activation:{SOUTH_AFRICANS}": [face]} if defender else {})
    assert len(of(happened, ActivationRolled)) == defender
    formation = state.formations[SOUTH_AFRICANS]
    assert formation.area == end
    if not end:
        assert (formation.standing, formation.delayed) == (WAITING, True)
    elif defender:
        assert list(state.engagements) == ["assembly_area"]
    else:
        assert of(happened, FormationMoved)[0].start == ""
        assert state.control["assembly_area"] == "allies"


@pytest.mark.rule("KH-23.04", "KH-R108")
def test_wounded_leader_returns_by_an_open_entry() -> None:
    state = south_africans(())
    state.leaders["norrie"].standing, state.leaders["norrie"].returns = "wounded", 9
    nothing = {"allies": EnterBy(), "axis": EnterBy()}
    assert not of(run(state, arrivals(state), answers=nothing), LeaderReturned)
    state.turn = 9
    (back,) = of(run(state, arrivals(state), answers={"allies": EnterBy({"norrie": "sidi_barrani"})}), LeaderReturned)
    assert back.area == "sidi_barrani"
    state = south_africans(ENTRIES, turn=9)
    state.leaders["norrie"].standing, state.leaders["norrie"].returns = "wounded", 9
    assert not of(run(state, arrivals(state)), LeaderReturned)


@pytest.mark.rule("KH-1.08", "KH-7.03")
def test_deployment_keeps_separated_nations_apart() -> None:
    starts = {"afrika_div": ["el_adem", "gambut"], "21_pz_div": ["gambut", "sollum"]}
    state = position({})
    changes = APART | {f"forces.formations.{each}.start": areas for each, areas in starts.items()}
    state.place_board(built(changes, "fixture"))
    space = deployment_space(state, AXIS)
    assert space is not None
    people = {"rommel": state.board.leaders["rommel"].start[0]}

    def why(**areas: str) -> str:
        refusal = space.why_not(Deploy({name.removeprefix("f"): area for name, area in areas.items()}, people))
        return refusal.reason if refusal else ""

    assert why(fafrika_div="el_adem", f21_pz_div="gambut") == ""
    assert why(fafrika_div="gambut", f21_pz_div="sollum") == ""
    shared = "afrika_div: Afrika Division may not share Gambut with 21st Panzer Division"
    assert why(fafrika_div="gambut", f21_pz_div="gambut") == shared
    assert why(fafrika_div="sollum", f21_pz_div="gambut") != ""
    assert deployment_space(state, ALLIES) is None
    order = Deploy({"afrika_div": "gambut", "21_pz_div": "sollum"}, people)
    run(state, deploy(state), answers={AXIS: order})
    at = {each: it.area for each, it in state.formations.items()}
    assert (at["afrika_div"], at["21_pz_div"], at["15_pz_div"], at["7_armd_bde"]) == (
        "gambut",
        "sollum",
        HERE,
        "gabr_saleh",
    )


@pytest.mark.rule("KH-4.04", "KH-4.05", "KH-11.03")
def test_due_formation_uses_its_scheduled_entry_while_open() -> None:
    late = position({}, "crusader", turn=8)
    piece, ways = "2_sa_div", board("crusader").formations["2_sa_div"].entries
    enters = board("crusader").formations[piece].enters
    for turn, there in ((enters - 1, False), (enters, True), (enters + 1, True)):
        late.turn = turn
        assert (piece in due(late)) is there
    assert open_entries(late, piece) == list(ways[:1])
    late.control[ways[0]] = AXIS
    assert open_entries(late, piece) == list(ways[1:])
    late.control[ways[0]] = ALLIES
    german = late.formations["15_pz_div"]
    german.standing, german.area = ON_MAP, ways[0]
    assert open_entries(late, piece) == list(ways[1:])
    german.strength = 0
    assert open_entries(late, piece) == list(ways[:1])
