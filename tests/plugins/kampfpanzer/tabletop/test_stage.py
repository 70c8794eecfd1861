"""Battles of other rulesets: scenarios from briefs, and results from final positions.

The mapping is not in a rulebook.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from battles import brief, company, party, rich_brief

from kampfpanzer.model.state import DESTROYED, EXITED, KampfState
from kampfpanzer.tabletop.mapping import bridge
from kampfpanzer.tabletop.outcome import report
from kampfpanzer.tabletop.plans import attacker_of
from kampfpanzer.tabletop.rosters import Squad, panic_level, squads
from kampfpanzer.tabletop.stage import sides_of, stage
from sandtable.errors import PlayError
from sandtable.journal.battles import stage as made_ready
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream
from sandtable.players.players import seat_players
from sandtable.players.umpires import RulesetUmpire
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.tabletop.brief import Brief, Platoon, Table
from sandtable.tabletop.checking import space_for
from sandtable.tabletop.result import PlatoonLosses, Result
from sandtable.tabletop.scoring import DRAW
from sandtable.tabletop.terms import Terms

MISSIONS = list(bridge()["missions"])
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def installed() -> Installed:
    return Rulesets().load("kampfpanzer")


def fought(installed: Installed, battle: Brief, seed: str = "x", **terms: Any) -> Result:
    """Return the result of a battle, and check that it is legal for the brief."""
    umpire = RulesetUmpire(Stream(seed.encode()), installed, "captain", seat_players)
    space = space_for(battle, sources=("kampfpanzer",), **terms)
    order: Any = umpire.choose(Decision("umpire", "report", space), None)  # type: ignore[arg-type]  # it uses no view
    assert space.why_not(order) is None
    result: Result = order.result
    return result


# ---------------------------------------------------------------- battles


@pytest.mark.full
@pytest.mark.parametrize("mission", [*MISSIONS, "A mission that nobody knows"])
@pytest.mark.parametrize("kinds", [("armor", "infantry"), ("infantry", "mechanized"), ("recon", "recon")])
def test_battle_of_each_mission_gives_a_valid_result(
    installed: Installed, mission: str, kinds: tuple[str, str]
) -> None:
    axis, allies = (party(side, kind) for side, kind in zip(("axis", "allies"), kinds, strict=True))
    result = fought(installed, brief(axis, allies, mission))
    assert (result.source, len(result.battle)) == ("kampfpanzer", 64)
    assert 1 <= result.turns <= bridge()["battle"]["turns"]


@pytest.mark.full
def test_battle_with_every_field_gives_a_valid_result(installed: Installed) -> None:
    for number in range(6):
        fought(installed, replace(rich_brief(), id=f"{number}:sidi_rezegh"), draws="three_three", draws_in="any")


@pytest.mark.full
@pytest.mark.parametrize("mission", ["Free for All", "Hasty Assault", "Fighting Withdrawal"])
def test_double_points_win_clearly_more_often(installed: Installed, mission: str) -> None:
    def wins(axis: int, allies: int) -> int:
        battles = (
            brief(party("axis", points=axis), party("allies", points=allies), mission, id=f"{n}") for n in range(8)
        )
        return sum(fought(installed, each).winner == "axis" for each in battles)

    assert wins(3000, 1500) >= wins(1500, 3000) + 4


def several(number: int, side: str, kind: str) -> Any:
    made = [company(kind, 1500, f"{kind}_{place}") for place in range(number)]
    companies = tuple(
        replace(each, platoons=tuple(replace(one, id=f"c{place}_{one.id}") for one in each.platoons))
        for place, each in enumerate(made, start=1)
    )
    return party(side, points=1500 * number, companies=companies, air="limited", flights=number)


@pytest.mark.full
def test_large_battle_uses_all_companies(installed: Installed) -> None:
    battle = brief(
        several(3, "axis", "mechanized"),
        several(3, "allies", "armor"),
        "Total Victory",
        mode="total_war",
        table=Table(depth=6),
    )
    result = fought(installed, battle)
    assert {name[:2] for losses in result.platoons.values() for name in losses} == {"c1", "c2", "c3"}


def test_battle_with_too_many_counters_is_refused() -> None:
    battle = brief(several(14, "axis", "mechanized"), several(14, "allies", "infantry"), "Total Victory")
    with pytest.raises(PlayError, match="3:sidi_rezegh:1 is too large: axis would have more than 150 counters"):
        stage(battle)


def test_side_without_teams_is_refused() -> None:
    empty = replace(company(), platoons=())
    with pytest.raises(PlayError, match="cannot be fought: allies has no team"):
        stage(brief(None, party("allies", companies=(empty,))))


# ---------------------------------------------------------------- scenarios from briefs


def tables(battle: Brief) -> dict[str, Any]:
    return stage(battle).tables


def test_scenario_is_determined_by_the_brief() -> None:
    assert msgspec.json.encode(tables(brief())) == msgspec.json.encode(tables(brief()))
    assert tables(brief())["map"]["terrain"] != tables(brief(id="4:sidi_rezegh:1"))["map"]["terrain"]


def test_equal_nations_map_to_default_sides() -> None:
    italian = party("allies", company={})
    germans = brief()
    assert sides_of(germans) == {"axis": "germans", "allies": "british"}  # both sides are German
    italians = replace(italian, companies=(replace(italian.companies[0], nation="Italian"),))
    assert sides_of(brief(None, italians)) == {"axis": "germans", "allies": "nationalists"}


@pytest.mark.parametrize(
    ("skill", "motivation", "level"),
    [
        ("veteran", "confident", 1), ("trained", "confident", 2), ("conscript", "confident", 3),
        ("conscript", "reluctant", 5), ("strange", "confident", 2),
    ],
)  # fmt: skip
def test_panic_level_follows_skill_and_motivation(skill: str, motivation: str, level: int) -> None:
    assert panic_level(party("axis", company={"skill": skill, "motivation": motivation})) == level


def test_rerolls_lower_the_panic_level_unless_traded() -> None:
    green = {"skill": "conscript", "motivation": "reluctant"}
    assert panic_level(party("axis", company=green, rerolls=2)) == 3
    assert panic_level(party("axis", company=green, rerolls=2, traded=True)) == 5
    assert panic_level(party("axis", company={"skill": "veteran"}, rerolls=3)) == 1


def squad(battle: Brief, side: str, platoon: str, what: str = "") -> Squad:
    (found,) = [
        each for each in squads(battle)[side] if each.platoon == platoon and (each.what == "truck") == (what == "truck")
    ]
    return found


def axis_with(**fields: Any) -> Brief:
    """Return a brief whose axis company has one platoon of 250 points with changed fields."""
    platoon = replace(Platoon("t1", "1st tanks", "afv", 5, 5, 250), **fields)
    return brief(party("axis", companies=(replace(company(), platoons=(platoon,)),)))


def test_points_set_number_and_strength_of_counters() -> None:
    usual = squad(axis_with(), "axis", "t1")
    assert usual.number == 1
    assert squad(axis_with(points=500), "axis", "t1").number == 2
    assert squad(axis_with(points=300), "axis", "t1").row["attack"] == usual.row["attack"] + 1
    assert squad(axis_with(points=200), "axis", "t1").row["attack"] == usual.row["attack"] - 1
    assert squad(axis_with(points=9000), "axis", "t1").number == bridge()["points"]["most_counters"]


def test_missing_teams_and_supply_reduce_attack_and_movement() -> None:
    usual = squad(axis_with(), "axis", "t1").row
    assert squad(axis_with(fielded=3), "axis", "t1").row["attack"] == -(-usual["attack"] * 3 // 5)
    cut_off = brief(party("axis", company={"supplied": False}))
    supplied = squad(brief(), "axis", "t1").row
    assert squad(cut_off, "axis", "t1").row["movement"] == supplied["movement"] // 2
    assert squad(cut_off, "axis", "t1").row["attack"] == supplied["attack"] - 1


def test_mud_reduces_movement_and_dust_reduces_range() -> None:
    dry, wet = squad(brief(), "axis", "t1").row, squad(brief(mud=3), "axis", "t1").row
    assert wet["movement"] == dry["movement"] * 3 // 6
    assert squad(brief(weather="dust"), "axis", "t1").row["range_hexes"] == 5


def test_flights_become_batteries_and_transports_trucks() -> None:
    battle = brief(party("axis", air="priority"), party("allies", air="limited", flights=4))
    flights = {side: [each.number for each in own if each.what == "air"] for side, own in squads(battle).items()}
    assert flights == {"axis": [2], "allies": [4]}
    assert squad(brief(), "axis", "mot", "truck").row["category"] == "truck"


def test_counters_may_depend_on_nation_and_year() -> None:
    british = replace(company(), nation="British")
    at = {year: brief(party("axis", companies=(british,)), None) for year in ("", "1941", "1942")}
    names = {
        year: squads(replace(each, campaign=f"Gazala {year}"))["axis"][1].name.split(".")[0]
        for year, each in at.items()
    }
    assert names == {"": "Cruiser", "1941": "Cruiser", "1942": "Grant"}


@pytest.mark.parametrize(
    ("mission", "kind", "judged"),
    [
        ("Free for All", "majority", ""), ("Hold the Line", "majority", ""), ("Breakthrough", "exit", "germans"),
        ("The Cauldron", "exit", "british"), ("Breakout", "exit", "british"),
        ("Fighting Withdrawal", "reach", "germans"), ("Total Victory", "multiple", "germans"),
    ],
)  # fmt: skip
def test_mission_sets_the_victory_conditions(mission: str, kind: str, judged: str) -> None:
    victory = tables(brief(mission=mission))["victory"]
    assert (victory["kind"], victory.get("side", "")) == (kind, judged)


def test_attacker_is_inferred_if_the_brief_omits_it() -> None:
    undeclared: dict[str, Any] = {"attacker": "", "defender": ""}
    assert attacker_of(brief(mission="Breakout", table=Table(fortified="axis"), **undeclared)) == "allies"
    assert attacker_of(brief(None, party("allies", stationary=True), "Hold the Line", **undeclared)) == "axis"
    drawn = {attacker_of(brief(mission="Breakthrough", id=str(number), **undeclared)) for number in range(20)}
    assert drawn == {"axis", "allies"}


def test_entrenchment_and_start_rows_follow_the_brief() -> None:
    def groups(battle: Brief, side: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = tables(battle)["forces"][sides_of(battle)[side]]["groups"]
        return found

    assert groups(brief(mission="No Retreat"), "allies")[0]["may_entrench"]
    assert "may_entrench" not in groups(brief(mission="No Retreat"), "axis")[0]
    assert groups(brief(table=Table(fortified="axis")), "axis")[0]["may_entrench"]
    far, near = groups(brief(), "axis"), groups(brief(party("axis", rerolls=1, traded=True)), "axis")
    attacker_or_defender = {far[0]["rows"][0] - near[0]["rows"][0], near[0]["rows"][1] - far[0]["rows"][1]}
    assert attacker_or_defender == {0, 3}


def test_map_has_a_road_if_the_brief_has_one() -> None:
    assert "ways" in tables(brief(table=Table(road=True)))["map"]
    assert "ways" not in tables(brief())["map"]


# ---------------------------------------------------------------- results from final positions


@pytest.fixture
def ended(installed: Installed) -> Callable[..., Result]:
    """Return a function that reports a battle whose platoons end with given standings or levels of disruption."""

    def end(battle: Brief, outcome: str = "germans", *, terms: Any = None, **fates: Any) -> Result:
        prepared: Prepared = made_ready(installed, battle)
        state: Any = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        assert isinstance(state, KampfState)
        state.outcome, state.ending, state.turn = outcome, "majority", 8
        for name, fate in fates.items():
            side, _, platoon = name.partition("_")
            squads_of = [each for each in squads(battle)[side] if each.platoon == platoon and each.fights]
            for unit in (unit for unit in state.units.values() if unit.kind == squads_of[0].name):
                if isinstance(fate, int):
                    unit.disruption = fate
                else:
                    unit.standing = fate
        return report(terms or Terms(battle), state, prepared.board)

    return end


def test_destroyed_counter_loses_its_platoon(ended: Callable[..., Result]) -> None:
    result = ended(brief(), axis_t1=DESTROYED, allies_t2=DESTROYED, allies_arty=DESTROYED)
    assert result.platoons["axis"] == {"t1": PlatoonLosses(destroyed=4, lost=True)}
    assert set(result.platoons["allies"]) == {"t2", "arty"}
    assert (result.winner, result.points) == ("axis", {"axis": 5, "allies": 2})


def test_independent_teams_count_singly(ended: Callable[..., Result]) -> None:
    assert ended(brief(), axis_hq=DESTROYED).platoons["axis"] == {"hq": PlatoonLosses(destroyed=2)}


@pytest.mark.parametrize(("level", "tanks", "foot"), [(1, 0, 0), (2, 2, 4), (3, 2, 4)])
def test_final_disruption_destroys_teams(ended: Callable[..., Result], level: int, tanks: int, foot: int) -> None:
    lost = ended(brief(), axis_t1=level, axis_mot=level).platoons.get("axis", {})
    assert lost.get("t1", PlatoonLosses()).destroyed == tanks
    assert lost.get("mot", PlatoonLosses()).destroyed == foot  # fewer than half of 7 teams are left


def test_exited_counter_is_not_lost(ended: Callable[..., Result]) -> None:
    assert ended(brief(), axis_t1=EXITED).platoons == {}


@pytest.mark.parametrize(("mission", "winner"), [("Free for All", DRAW), ("Hold the Line", "allies")])
def test_draw_is_reported_only_if_the_campaign_allows_it(
    ended: Callable[..., Result], mission: str, winner: str
) -> None:
    result = ended(brief(mission=mission), DRAW, axis_t1=DESTROYED)
    assert result.winner == winner
    assert result.points == ({"axis": 1, "allies": 2} if winner == DRAW else {"axis": 1, "allies": 6})


def test_characters_become_casualties_with_their_platoon(ended: Callable[..., Result]) -> None:
    battle = brief(party("axis", characters=("rommel", "cruewell")))
    assert ended(battle, axis_hq=DESTROYED).casualties == {"axis": ("rommel",)}
    assert ended(battle, axis_t1=DESTROYED).casualties == {"axis": ("cruewell",)}
    assert ended(battle, axis_t2=DESTROYED).casualties == {}
