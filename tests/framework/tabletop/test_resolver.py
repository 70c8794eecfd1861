"""The statistical resolver: its results fit, are reproducible, and respond in the right direction.

Directions are shown with common random numbers: the same branches before and after one change.
"""

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import battles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import OneOf
from sandtable.kernel.play.views import View
from sandtable.tabletop.brief import Brief, Table
from sandtable.tabletop.checking import results_in, space_for
from sandtable.tabletop.resolver import resolver, response
from sandtable.tabletop.resolver.logit import MILLION
from sandtable.tabletop.resolver.odds import bands, chances, won_by
from sandtable.tabletop.resolver.resolver import ResolverPlayer, resolve
from sandtable.tabletop.resolver.strength import log_odds, strength
from sandtable.tabletop.result import ReportBattle, Result

RICH = battles.rich_brief()
EVEN = battles.brief(flags=())
TOTAL = battles.brief(
    battles.party("axis", companies=tuple(battles.company(kind, 1000) for kind in ("armor", "recon"))),
    mission="Total Victory",
    mode="total_war",
    attacker="",
)
PARTY, BRIEF = battles.party, battles.brief


def fight(brief: Brief, runs: int) -> list[Result]:
    stream = Stream(b"loaded with nothing")
    return [resolve(brief, stream.branch(str(run))) for run in range(runs)]


def attrition(brief: Brief, result: Result, side: str) -> tuple[int, int, int]:
    """Armor, general and armored vehicles lost by the default rulings (KH-21.04 to KH-21.09)."""
    armor = general = vehicles = 0
    for name, losses in result.platoons.get(side, {}).items():
        platoon = brief.platoons(side)[name]
        gone = platoon.fielded if losses.lost else losses.destroyed
        vehicles += gone if "afv" in platoon.kind else 0
        if platoon.independent:
            armor, general = armor + (gone if platoon.kind == "afv" else 0), general + gone
        elif platoon.kind == "afv":
            armor += gone + 2 * losses.lost
        elif platoon.kind == "light_afv":
            armor, general = armor + losses.lost, general + 3 * losses.lost
        elif losses.lost:
            general += 3
        else:
            general += 2 * (platoon.fielded - gone) < platoon.teams
    return armor, general, vehicles


# ---------------------------------------------------------------------- results


@given(st.binary(max_size=6), st.sampled_from([RICH, EVEN, TOTAL, battles.brief(), battles.brief(mission="Encounter")]))
def test_every_result_fits_its_brief(key: bytes, brief: Brief) -> None:
    space = results_in(space_for(brief))
    assert space is not None
    assert space.why_not(resolve(brief, Stream(key))) is None


def test_drawn_battle_may_score_three_points_each_by_setting() -> None:
    drawn = {tuple(resolve(battles.brief(), Stream(b"%d" % run), "three_three").points.values()) for run in range(300)}
    assert (3, 3) in drawn
    assert drawn <= {(3, 3), (6, 1), (5, 2), (4, 3), (3, 4), (2, 5), (1, 6)}


def test_stream_determines_the_result() -> None:
    assert resolve(RICH, Stream(b"k").branch("a")) == resolve(RICH, Stream(b"k").branch("a"))
    assert resolve(RICH, Stream(b"k").branch("a")) != resolve(RICH, Stream(b"k").branch("b"))


def test_bare_briefs_can_be_resolved() -> None:
    bare = replace(EVEN, parties={side: replace(PARTY(side), companies=()) for side in ("axis", "allies")})
    assert resolve(bare, Stream(b"k")).platoons == {}
    unknown = {side: battles.company() for side in ("axis", "allies")}
    parties = {side: replace(PARTY(side), companies=(replace(each, platoons=()),)) for side, each in unknown.items()}
    assert strength(replace(EVEN, parties=parties), "axis", "") == 1_500_000


def test_at_least_one_platoon_and_one_team_in_each_remain() -> None:
    small = BRIEF(PARTY("axis", points=500), flags=())
    companies = replace(battles.company(), platoons=battles.company().platoons[:2])
    small = replace(small, parties=dict(small.parties) | {"axis": replace(PARTY("axis"), companies=(companies,))})
    for result in fight(small, 200):
        assert not any(each.lost for each in result.platoons.get("axis", {}).values())


# ---------------------------------------------------------------------- the player in the umpire's seat


def ask(brief: Brief) -> Decision:
    return Decision("umpire", "fight", space_for(brief), "KH-12.05")


NO_VIEW = View("umpire", lambda side: side)


def test_resolver_player_uses_branches_for_battles() -> None:
    first, second = ResolverPlayer("umpire", Stream(b"u")), ResolverPlayer("umpire", Stream(b"u"), None)
    other = replace(EVEN, id="2:gambut:1")
    second.choose(ask(other), NO_VIEW)  # an additional battle
    second.choose(Decision("umpire", "which", OneOf([Order()])), NO_VIEW)
    report = first.choose(ask(RICH), NO_VIEW)
    assert second.choose(ask(RICH), NO_VIEW) == report == first.choose(ask(RICH), NO_VIEW)
    assert isinstance(report, ReportBattle)
    assert report.brief == RICH.id
    assert report.result.source == "resolver"
    assert ask(RICH).options.is_legal(report)


# ---------------------------------------------------------------------- directions


def wins(brief: Brief) -> int:
    return sum(result.winner == "axis" for result in fight(brief, 400))


BETTER: dict[str, tuple[Callable[[Any], Brief], list[Any]]] = {
    "points": (lambda points: BRIEF(PARTY("axis", points=points)), [1200, 1500, 1550, 1650, 2000, 3000]),
    "re-rolls": (lambda number: BRIEF(PARTY("axis", rerolls=number)), [0, 1, 2, 3]),
    "air": (lambda level: BRIEF(PARTY("axis", air=level)), ["none", "sporadic", "limited", "priority"]),
    "flights": (
        lambda flights: replace(BRIEF(PARTY("axis", flights=flights), mission="Total Victory"), mode="total_war"),
        [0, 1, 2, 3],
    ),
    "supply": (lambda supplied: BRIEF(PARTY("axis", company={"supplied": supplied})), [False, True]),
    "vehicles": (lambda less: BRIEF(PARTY("axis", company={"afv_less": less})), [2, 1, 0]),
    "stands": (lambda less: BRIEF(PARTY("axis", company={"stand_less": less})), [True, False]),
    "smoke": (
        lambda number: BRIEF(PARTY("axis", extras={"smoke": number}), mission="Trench Fight"),
        [0, 1, 2, 3],
    ),
    "purchase": (
        lambda name: BRIEF(PARTY("axis", extras={name: 1}), mission="Trench Fight"),
        ["", "preregistered", "counterbattery", "night_attack", "aerial_bombardment"],
    ),
    "mission": (
        lambda mission: BRIEF(mission=mission),
        ["Trench Fight", "The Big Push", "Hold the Line", "The Cauldron", "Breakthrough", "Fighting Withdrawal"],
    ),
    "mud": (lambda mud: BRIEF(PARTY("axis", "armor"), PARTY("allies", "infantry"), mud=mud), [4, 3, 2, 1, 0]),
    "weather": (
        lambda weather: BRIEF(PARTY("axis", air="priority"), weather=weather),
        ["steady_rain", "intermittent_rain", "clear"],
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("what", BETTER)
def test_advantages_win_more_and_disadvantages_less(what: str) -> None:
    make, values = BETTER[what]
    odds = [log_odds(make(value), "axis", make(value).attacker) for value in values]
    assert odds == sorted(set(odds))
    won = [wins(make(value)) for value in (values[0], values[-1])]
    assert won[0] < won[1]


def test_air_superiority_costs_its_owner_half_and_the_enemy_a_third() -> None:
    air = PARTY("axis", air="priority")
    own = PARTY("axis", air="priority", extras={"air_superiority": 1})
    assert log_odds(BRIEF(air), "axis", "") == 300_000
    assert log_odds(BRIEF(own), "axis", "") == 150_000
    assert log_odds(BRIEF(air, PARTY("allies", air="limited")), "axis", "") == 100_000
    assert log_odds(BRIEF(own, PARTY("allies", air="limited")), "axis", "") == 150_000 - 133_000


def test_interdiction_counts_against_reserves_only() -> None:
    own = PARTY("axis", air="priority", extras={"battlefield_interdiction": 1})
    assert log_odds(BRIEF(own), "axis", "") == 0
    assert log_odds(BRIEF(own, flags=("reserves",)), "axis", "") == 100_000


@pytest.mark.full
def test_quality_saves_teams() -> None:
    def lost(**quality: str) -> int:
        brief = BRIEF(PARTY("axis", "infantry", company=quality), flags=())
        return sum(attrition(brief, each, "axis")[1] for each in fight(brief, 500))

    def gone(**quality: str) -> int:
        brief = BRIEF(PARTY("axis", "infantry", company=quality), flags=())
        losses = [each for result in fight(brief, 500) for each in result.platoons.get("axis", {}).values()]
        return sum(each.destroyed for each in losses)

    assert gone(skill="veteran") < gone(skill="trained") < gone(skill="conscript")
    assert gone(motivation="reluctant") < gone(motivation="confident") < gone(motivation="fearless")
    assert lost(skill="veteran") < lost(skill="conscript")


@pytest.mark.full
def test_only_fair_fights_are_drawn() -> None:
    assert any(each.winner == "draw" for each in fight(battles.brief(), 200))
    assert not any(each.winner == "draw" for each in fight(EVEN, 200))


@pytest.mark.full
def test_random_attacker_favors_neither_side() -> None:
    rolled = BRIEF(mission="Trench Fight", attacker="", defender="")
    assert abs(chances(rolled)["axis"] - MILLION // 2) <= 1
    assert 150 < wins(rolled) < 250


def test_strength_is_deployed_points_times_factors() -> None:
    brief = BRIEF(mission="Trench Fight", mud=4)
    afv, other = 120 + 3 * 280, 160 * 1050 + 110 * 800 + 160 * 1150
    assert strength(brief, "axis", "axis") == afv * 950 * 800 // 1000 + 110 * 850 * 800 // 1000 + other
    defended = 160 * 1150 + 110 * 1150 + 160 * 1050
    assert strength(brief, "allies", "axis") == afv * 900 + 110 * 850 * 900 // 1000 + defended


# ---------------------------------------------------------------------- figures


def test_exact_odds_match_the_formula() -> None:
    for odds in (-3_000_000, 0, 700_000):
        split = bands(odds, fair_fight=True)
        assert (
            abs(
                sum(split.values())
                + bands(-odds, fair_fight=True)["narrow"]
                + bands(-odds)["clear"]
                + bands(-odds)["decisive"]
                - MILLION
            )
            <= 3
        )
        assert abs(split["decisive"] - MILLION / (1 + math.exp(2 - odds / MILLION))) < 1
    # By hand: of all wins 35.84 % are narrow, 40.32 % clear, 23.84 % decisive; 6-1 is 2/6 of clear and 4/6 of decisive.
    assert [each / 500_000 for each in won_by(0)] == pytest.approx([0.2933, 0.3333, 0.3733], abs=0.0001)


@pytest.mark.full
def test_sampled_battles_match_the_exact_odds() -> None:
    brief = BRIEF(PARTY("axis", points=1650, rerolls=1), flags=())
    results = fight(brief, 4000)
    seen = Counter(each.points["axis"] for each in results)
    odds = log_odds(brief, "axis", "")
    for points, chance in zip((6, 5, 4), won_by(odds), strict=True):
        assert abs(seen[points] / 4000 - chance / MILLION) < 0.03
    assert abs(sum(each.winner == "axis" for each in results) / 4000 - chances(brief)["axis"] / MILLION) < 0.03


REFERENCE_WINS = [
    (PARTY("axis"), PARTY("allies"), 0.50),
    (PARTY("axis", points=1550), PARTY("allies"), 0.53),
    (PARTY("axis", points=1650), PARTY("allies"), 0.60),
    (PARTY("axis", points=1650, rerolls=1), PARTY("allies"), 0.63),
    (PARTY("axis", points=3000), PARTY("allies"), 0.94),
]


@pytest.mark.parametrize(("axis", "allies", "share"), REFERENCE_WINS, ids=["even", "50", "150", "150 and 1", "double"])
def test_winning_probability_matches_the_design(axis: Any, allies: Any, share: float) -> None:
    assert abs(chances(BRIEF(axis, allies, flags=()))["axis"] / MILLION - share) <= 0.01


def means(archetype: str, runs: int) -> tuple[dict[str, float], dict[int, tuple[float, float]], tuple[float, float]]:
    """Split of points, mean attrition by own points, and overall, after recovery (winner 5 or 6, loser 6)."""
    brief = BRIEF(PARTY("axis", archetype), PARTY("allies", archetype), flags=())
    dice = Stream(b"recovery")
    split: Counter[str] = Counter()
    by_points: dict[int, list[tuple[int, int]]] = {points: [] for points in range(1, 7)}
    for result in fight(brief, runs):
        split["{}-{}".format(*sorted(result.points.values(), reverse=True))] += 1
        armor, general, vehicles = attrition(brief, result, "axis")
        least = 5 if result.winner == "axis" else 6
        armor = max(0, armor - sum(1 + dice.below(6) >= least for _ in range(vehicles)))
        by_points[result.points["axis"]].append((armor, general))
    rows = [row for each in by_points.values() for row in each]

    def mean(of: list[tuple[int, int]]) -> tuple[float, float]:
        return sum(armor for armor, _ in of) / len(of), sum(general for _, general in of) / len(of)

    return (
        {pair: number / runs for pair, number in split.items()},
        {p: mean(e) for p, e in by_points.items()},
        mean(rows),
    )


@pytest.mark.slow
def test_losses_match_the_design() -> None:
    """The figures are those of the design's reduced prototype, by default rulings: light vehicles get dice too."""
    split, by_points, whole = means("armor", 40_000)
    assert split == pytest.approx({"6-1": 0.29, "5-2": 0.335, "4-3": 0.37}, abs=0.01)
    assert whole == pytest.approx((6.6, 3.4), abs=0.3)
    for points, expected in {6: (1.2, 0.1), 4: (6.1, 3.4), 3: (8.1, 4.1), 1: (11.0, 6.0)}.items():
        assert by_points[points] == pytest.approx(expected, abs=0.3)
    assert means("infantry", 40_000)[2] == pytest.approx((1.6, 5.7), abs=0.3)


# ---------------------------------------------------------------------- the picture


def test_committed_response_plot_is_up_to_date() -> None:
    drawn = Path(response.__file__).with_name("response.svg").read_text(encoding="utf-8")
    assert drawn == response.picture(), "run: python -m sandtable.tabletop.resolver.response > response.svg"


def test_linked_tables_and_every_known_mission_have_odds() -> None:
    for mission in response.MISSIONS:
        brief = BRIEF(mission=mission, mode="linked", table=Table(number=1, near=(2,)))
        assert 50_000 < chances(brief)["axis"] < 950_000
    assert resolver.resolve(BRIEF(mission="Storm the Hill", flags=("defensive_battle",)), Stream(b"x")).winner
