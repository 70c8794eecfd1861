"""Retreat paths, compared with an enumeration of every path."""

from itertools import islice, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from work import lines_run

from sandtable.board.graph.incremental_reach import FAR, flood
from sandtable.board.graph.masks import flags_at
from sandtable.board.graph.retreat import retreat_paths
from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.errors import RulesetError

Paths = list[tuple[int, ...]]

FIELD = HexMap("field", HexGrid(5, 4, layout="rows", columns_grow="west"))
SIZE = len(FIELD.numbers)
places = st.integers(0, SIZE - 1)
lengths = st.sampled_from([(1, 1), (1, 3), (2, 2), (2, 3), (3, 3)])


def every_walk(start: int, most: int, forbidden: set[int]) -> Paths:
    """Return all paths of 1 to ``most`` steps that enter no forbidden space and none twice."""
    found = []
    for count in range(1, most + 1):
        for path in product(range(SIZE), repeat=count):
            whole = (start, *path)
            joined = all(b in FIELD.adjacency[a] for a, b in pairwise(whole))
            if joined and len(set(whole)) == len(whole) and not forbidden & set(path):
                found.append(path)
    return found


WALKS: dict[int, Paths] = {}


def walks(start: int, most: int, forbidden: set[int]) -> Paths:
    """Filter the walks of three steps, enumerated once, by the given limits."""
    whole = WALKS.setdefault(start, every_walk(start, 3, set()))
    return [path for path in whole if len(path) <= most and not forbidden & set(path)]


def by_the_book(
    start: int, least: int, most: int, forbidden: set[int], distances: list[int] | None, refuge: set[int]
) -> Paths:
    """Judge each walk by itself: it is long enough, and each step that gets farther had no alternative."""
    every = walks(start, most, forbidden)
    ends = [path for path in every if len(path) >= least or path[-1] in refuge]

    def is_towards(path: tuple[int, ...]) -> bool:
        for step in range(len(path)):
            here = path[step - 1] if step else start
            if distances is None or distances[path[step]] <= distances[here]:
                continue
            passed = path[:step]
            others = {end[step] for end in ends if len(end) > step and end[:step] == passed}
            if any(distances[other] <= distances[here] for other in others):
                return False
        return True

    return sorted(path for path in ends if is_towards(path))


@pytest.mark.full
@given(
    places,
    lengths,
    st.sets(places, max_size=9),
    st.sets(places, max_size=3),
    st.sets(places, max_size=3),
    st.booleans(),
)
def test_retreat_paths_match_the_rulebook(
    start: int, span: tuple[int, int], forbidden: set[int], sources: set[int], refuge: set[int], aimless: bool
) -> None:
    distances = None if aimless else list(flood(FIELD.adjacency, flags_at(sources, SIZE), bytes(SIZE)).distances)
    found = list(retreat_paths(FIELD.adjacency, start, span, forbidden, distances, refuge=refuge))
    assert found == by_the_book(start, *span, forbidden, distances, refuge)


@pytest.mark.full
@given(places, st.sets(places, max_size=12), st.sets(places, max_size=2))
@pytest.mark.rule("DM-8.11d", "R-DM-17", "R-DM-72")
def test_no_retreat_exists_only_if_every_minimum_path_is_blocked(
    start: int, forbidden: set[int], sources: set[int]
) -> None:
    distances = flood(FIELD.adjacency, flags_at(sources, SIZE), bytes(SIZE)).distances
    found = next(retreat_paths(FIELD.adjacency, start, (2, 3), forbidden, distances), None)
    assert (found is None) is not any(len(path) == 2 for path in walks(start, 2, forbidden))


def ways(start: str, span: tuple[int, int], *forbidden: str, source: str = "", refuge: str = "") -> list[str]:
    distances = [FIELD.range_hexes(number, source) if source else FAR for number in FIELD.numbers]
    closed, haven = ({FIELD.index[number] for number in text} for text in (forbidden, [refuge] if refuge else []))
    paths = retreat_paths(FIELD.adjacency, FIELD.index[start], span, closed, distances, refuge=haven)
    return [" ".join(FIELD.numbers[place] for place in path) for path in paths]


@pytest.mark.rule("DM-8.11a", "DM-8.11b", "R-DM-16")
def test_attacker_retreats_one_hex_not_away_from_the_source() -> None:
    assert ways("0203", (1, 1), source="0205") == ["0104", "0204", "0304"]
    assert ways("0203", (1, 1), "0204", "0104", source="0205") == ["0304"]


@pytest.mark.rule("R-DM-16")
def test_retreat_leads_away_from_the_source_only_without_another_path() -> None:
    assert ways("0203", (1, 1), "0104", "0204", "0304", source="0205") == ["0103", "0202", "0303"]


@pytest.mark.rule("R-DM-17", "R-DM-72")
def test_too_short_retreat_is_not_a_path() -> None:
    dead_end = ("0105", "0205", "0305", "0103", "0204", "0303", "0304")
    assert ways("0203", (2, 2), *dead_end, source="0205") == ["0202 0102", "0202 0201", "0202 0302"]
    assert ways("0203", (1, 1), *dead_end, source="0205") == ["0104"]


@pytest.mark.rule("DM-8.11h")
def test_a_major_city_in_the_first_hex_may_end_the_retreat() -> None:
    found = ways("0203", (2, 3), source="0205", refuge="0204")
    assert "0204" in found
    assert "0204 0205" in found
    assert "0104" not in found


def test_surrounded_force_has_no_retreat_path() -> None:
    assert ways("0203", (1, 3), *(each for each in FIELD.around["0203"] if each)) == []


def test_retreat_paths_are_found_lazily() -> None:
    large = HexGrid(60, 60, layout="rows").adjacency()
    found: list[object] = []
    work = lines_run(lambda: found.extend(islice(retreat_paths(large, 1830, (40, 50)), 5)))
    assert len(found) == 5  # there are too many to count
    assert work < 200_000  # counted 65,000


@pytest.mark.parametrize("span", [(0, 1), (3, 2), (-1, -1)])
def test_invalid_retreat_lengths_are_refused(span: tuple[int, int]) -> None:
    with pytest.raises(RulesetError, match="is not possible; give 1 or more, the minimum first"):
        retreat_paths(FIELD.adjacency, 0, span)
