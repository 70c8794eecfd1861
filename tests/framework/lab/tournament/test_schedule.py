"""The schedule: every pairing twice with the same dice and sides swapped, seats rotated, Swiss rounds fair."""

from collections import Counter
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.lab.plan import Contest, Entrant, GamePlan, Tournament
from sandtable.lab.tournament.schedule import Round, games_of, history_of, opening, paired, rounds_of, swiss_round

TWO, THREE = ("red", "blue"), ("ant", "bee", "cat")


def event(players: int, **more: Any) -> Tournament:
    entrants = tuple(Entrant(chr(ord("a") + each)) for each in range(players))
    return Tournament("t", "x", entrants, (Contest("one"), Contest("other")), **more)


@pytest.mark.full
@given(
    st.integers(3, 6), st.integers(1, 5), st.permutations([TWO, THREE]), st.sampled_from(["round_robin", "gauntlet"])
)
def test_scheduled_game_depends_on_its_number(players: int, half: int, sides: list[tuple[str, ...]], kind: str) -> None:
    round_one = opening(event(players, games=2 * half, scheduling=kind), tuple(sides))
    plans = list(round_one)
    assert plans == [round_one[number] for number in range(len(round_one))]
    assert [plan.number for plan in plans] == list(range(len(plans)))
    assert plans[-1].pair + 1 == round_one.pairs == len({plan.seed for plan in plans})
    with pytest.raises(IndexError):
        round_one[len(round_one)]


@given(
    st.integers(3, 7),
    st.integers(1, 5),
    st.sampled_from([(TWO, THREE), (THREE, TWO), (TWO, TWO)]),
    st.sampled_from(["round_robin", "gauntlet", "swiss"]),
)
def test_game_count_matches_the_schedule(
    players: int, half: int, sides: tuple[tuple[str, ...], ...], kind: str
) -> None:
    if kind == "swiss":
        sides = (TWO, TWO)
    tournament = event(players, games=2 * half, scheduling=kind, rounds=3 if kind == "swiss" else 0)
    assert games_of(tournament, sides) == len(opening(tournament, sides)) * rounds_of(tournament)


def test_games_of_thousands_of_entrants_are_counted() -> None:
    crowd = Tournament("t", "x", tuple(Entrant(str(each)) for each in range(2_000)), (Contest("one"),), games=2)
    assert games_of(crowd, (TWO,)) == 2_000 * 1_999


@given(st.integers(3, 5), st.integers(1, 4))
def test_entrants_play_every_side_equally_often(players: int, half: int) -> None:
    plans = list(opening(event(players, games=2 * half), (TWO, THREE)))
    for contest, sides in enumerate((TWO, THREE)):
        own = [plan for plan in plans if plan.contest == contest]
        sets = -(-2 * half // len(sides))
        seats = Counter((name, side) for plan in own for side, name in plan.lineup.items())
        assert len(set(seats.values())) == 1
        assert len(seats) == players * len(sides)
        tables = Counter(frozenset(plan.lineup.values()) for plan in own)
        assert set(tables) == {frozenset(each) for each in combinations("abcdef"[:players], len(sides))}
        assert set(tables.values()) == {sets * len(sides)}
        for pair in {plan.pair for plan in own}:
            games = [plan for plan in own if plan.pair == pair]
            assert len({plan.seed for plan in games}) == 1
            assert len({tuple(plan.lineup.values()) for plan in games}) == len(sides)


def test_gauntlet_pairs_the_first_with_all_others() -> None:
    plans = list(opening(event(4, scheduling="gauntlet"), (TWO, TWO)))
    assert {frozenset(plan.lineup.values()) for plan in plans} == {frozenset("ab"), frozenset("ac"), frozenset("ad")}


def test_all_pairings_advance_together() -> None:
    plans = list(opening(event(3, games=4), (TWO, TWO)))
    assert [plan.pair for plan in plans] == [number // 2 for number in range(24)]
    assert {frozenset(plan.lineup.values()) for plan in plans[:6]} == {
        frozenset("ab"),
        frozenset("ac"),
        frozenset("bc"),
    }
    assert [plan.contest for plan in plans[::6]] == [0, 1, 0, 1]


@pytest.mark.full
def test_million_games_are_listed_lazily() -> None:
    round_one = opening(event(2, games=500_000), (TWO, TWO))
    assert len(round_one) == 1_000_000
    assert round_one[999_999].seed == "x/500000"


def won_by(plan: GamePlan, winner: str) -> dict[str, int]:
    return {side: 1000 * (name == winner) for side, name in plan.lineup.items()}


def test_swiss_points_are_shares_of_the_games() -> None:
    tournament = event(2, scheduling="swiss", rounds=2)
    first = opening(tournament, (TWO, TWO))
    shares = [{"red": 750, "blue": 250}, {"red": 500, "blue": 500}, {"red": 250, "blue": 750}, {"red": 0, "blue": 1000}]
    history = history_of(tournament, [first], zip(first, shares, strict=True))
    assert history.points == {0: (750 + 500 + 250 + 1000) // 4, 1: (250 + 500 + 750 + 0) // 4}


@pytest.mark.parametrize("sides", [3, 5, 7])
def test_every_two_entrants_get_every_two_sides_once(sides: int) -> None:
    """A prime number n of sides: n - 1 sets of n games, in which each pair of seats is taken by each pair once."""
    names = "abcdefg"[:sides]
    plans = list(opening(event(sides, games=sides * (sides - 1)), (tuple(names),) * 2))
    own = [plan for plan in plans if plan.contest == 0]
    met = Counter(
        (one, other, plan.lineup[one], plan.lineup[other]) for plan in own for one, other in permutations(names, 2)
    )
    assert len(own) == sides * (sides - 1)
    assert set(met.values()) == {1}
    assert len(met) == (sides * (sides - 1)) ** 2


@pytest.mark.parametrize("sides", [4, 6])
def test_each_set_seats_every_entrant_on_every_side(sides: int) -> None:
    names = "abcdef"[:sides]
    plans = list(opening(event(sides, games=4 * sides), (tuple(names),) * 2))
    for pair in {plan.pair for plan in plans}:
        seats = {(name, side) for plan in plans if plan.pair == pair for side, name in plan.lineup.items()}
        assert len(seats) == sides * sides


def swiss(players: int, rounds: int) -> list[Round]:
    """Play Swiss rounds in which the earlier letter always wins."""
    tournament = event(players, scheduling="swiss", rounds=rounds)
    sides = (TWO, TWO)
    found = [opening(tournament, sides)]
    results = []
    for _ in range(rounds_of(tournament) - 1):
        results += [(plan, won_by(plan, min(plan.lineup.values()))) for plan in found[-1]]
        found.append(swiss_round(tournament, sides, found[-1], history_of(tournament, found, results)))
    return found


@pytest.mark.parametrize(("players", "rounds"), [(8, 7), (7, 7), (16, 5), (33, 6)])
def test_swiss_rounds_repeat_no_pairing_and_no_bye(players: int, rounds: int) -> None:
    played = swiss(players, rounds)
    met = Counter(frozenset(table) for each in played for table in each.tables[0])
    assert set(met.values()) == {1}
    rests = Counter(place for each in played for place in set(range(players)) - {p for t in each.tables[0] for p in t})
    assert max(rests.values(), default=1) == 1
    numbers = [plan.number for each in played for plan in each]
    assert numbers == list(range(len(numbers)))
    pairs = sorted({plan.pair for each in played for plan in each})
    assert pairs == list(range(len(pairs)))


def test_swiss_rounds_pair_equal_scores() -> None:
    # round 1: 0 to 7 beat 8 to 15; round 2: 0-1, 2-3, 4-5, 6-7; round 3: 0-2, 4-6; two are unbeaten then
    assert [each.tables[0][0] for each in swiss(16, 4)] == [(0, 8), (0, 1), (0, 2), (0, 4)]


def test_extra_swiss_rounds_repeat_as_little_as_possible() -> None:
    met = Counter(tuple(sorted(table)) for each in swiss(4, 6) for table in each.tables[0])
    assert set(met.values()) == {2}


def test_bye_scores_like_a_win() -> None:
    tournament = event(3, scheduling="swiss", rounds=2)
    first = opening(tournament, (TWO, TWO))
    assert first.tables[0] == ((0, 1),)
    history = history_of(tournament, [first], [(plan, won_by(plan, "a")) for plan in first])
    assert history.points == {0: 1000, 1: 0, 2: 1000}
    assert history.idle == {2: 1}
    assert history.met == {(0, 1): 1}


@pytest.mark.full
@given(st.integers(2, 10), st.data())
def test_every_entrant_is_paired_once(half: int, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(2 * half)))
    pairs_met = st.tuples(st.integers(0, 2 * half - 1), st.integers(0, 2 * half - 1)).filter(lambda c: c[0] < c[1])
    met = data.draw(st.dictionaries(pairs_met, st.integers(1, 2), max_size=30))
    tables = paired(order, met)
    assert sorted(place for table in tables for place in table) == list(range(2 * half))
