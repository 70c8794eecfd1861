"""Counters defined in a scenario, with errors by file and key."""

from typing import Any

import pytest

from kampfpanzer.model.forces import counters
from kampfpanzer.setup.counters import with_own
from sandtable.errors import DataError
from sandtable.plugin.manager import Rulesets
from sandtable.plugin.scenarios import scenario_of

ROW = {
    "nation": "british", "category": "afv", "attack": 6, "weapon": "A", "range_hexes": 12, "defense": 5, "hard": True,
    "movement": 10, "ids": [[1, 3], [7, 7]],
}  # fmt: skip


def read(**rows: Any) -> Any:
    options = Rulesets().load("kampfpanzer").full_options({})
    head = {"id": "own", "title": "Own counters"}
    return with_own(counters(options), scenario_of({"scenario": head, "counters": rows}, "own.toml", own=True))


def test_user_counter_has_its_figures_and_numbers() -> None:
    listed = read(Grant=ROW)
    assert listed.ids["Grant"] == ("1", "2", "3", "7")
    assert (listed.kinds["Grant"].attack, listed.kinds["Grant"].mobility) == (6, "armor")
    assert "PzII" in listed.kinds


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"attack": 13}, r"own\.toml: counters\.Grant\.attack: is 13; use 0 to 12"),
        ({"range_hexes": 21}, r"counters\.Grant\.range_hexes: is 21; use 0 to 20"),
        ({"weapon": "X"}, r"counters\.Grant\.weapon: is 'X'; choose A, M, R, H"),
        ({"category": "ship"}, r"counters\.Grant\.category: is 'ship'; choose afv, apc"),
        ({"ids": [[3, 1]]}, r"counters\.Grant\.ids: has \[3, 1\]; use numbers from 1 to 9999"),
        ({"ids": [[1, 2], [2, 3]]}, r"counters\.Grant\.ids: has 2, which counters\.Grant already has"),
        ({"ids": ["1"]}, r"counters\.Grant\.ids: has '1'; give runs"),
        ({"hard": 1}, r"counters\.Grant\.hard: is 1; write true or false"),
        ({"color": "tan"}, r"counters\.Grant\.color: is not a key"),
    ],
)
def test_invalid_counter_is_reported_by_key(change: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        read(Grant=ROW | change)


def test_printed_counter_types_may_not_be_redefined() -> None:
    with pytest.raises(DataError, match=r"counters\.PzII: is not a valid name"):
        read(PzII=ROW)
    with pytest.raises(DataError, match=r"counters\.Grant"):
        read(Grant=5)
