"""Every query about a space that is not on the map is refused, just beyond it and far beyond it."""

from collections.abc import Callable
from typing import Any

import pytest

from sandtable.board.graph.masks import flags_at, mask_of
from sandtable.board.graph.paths import CostTable, cheapest_path, path_cost, reach
from sandtable.board.graph.retreat import retreat_paths
from sandtable.board.graph.supply import SupplyLeg, SupplyLines, supplied, trace_supply
from sandtable.errors import RulesetError

LINE = [[1], [0, 2], [1, 3], [2, 4], [3]]
"""Five spaces in a row, 0 to 4."""
TABLE = CostTable.compile(LINE, lambda _a, _b: 2)

ASKED: dict[str, Callable[[int], Any]] = {
    "flags of numbers": lambda space: flags_at((0, space), 5),
    "flags of a set": lambda space: mask_of({space}, 5),
    "costs of steps to": lambda space: CostTable.compile([*LINE[:4], [3, space]], lambda _a, _b: 2),
    "a change of a step to": lambda space: TABLE.changed({(0, space): 2}),
    "a change of a step from": lambda space: TABLE.changed({(space, 0): None}),
    "the cost of a step from": lambda space: TABLE.cost(space, 0),
    "the cost of a path from": lambda space: path_cost(TABLE, (space, 0)),
    "reach from": lambda space: reach(TABLE, space, 4),
    "a path from": lambda space: cheapest_path(TABLE, space, 0),
    "a path to": lambda space: cheapest_path(TABLE, 0, space),
    "a retreat from": lambda space: retreat_paths(LINE, space, (1, 2)),
    "supply of sources": lambda space: supplied(LINE, (0, space)),
    "the supply line of": lambda space: trace_supply(space, LINE, (0,)),
    "another position's sources": lambda space: supplied(LINE, (0,)).changed((space,), bytes(5)),
    "a position's sources": lambda space: SupplyLines(SupplyLeg(LINE)).net((space,), bytes(5)),
}


@pytest.mark.parametrize("asked", ASKED)
def test_a_space_beyond_the_map_is_refused(asked: str) -> None:
    for space in (-7, -1, 5, 6, 99):
        with pytest.raises(RulesetError, match=rf"^space {space} is not on the map; its spaces are numbered 0 to 4$"):
            ASKED[asked](space)
    ASKED[asked](4)
