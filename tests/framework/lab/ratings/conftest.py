"""An invented tournament: rows as a runner would store them."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from sandtable.lab.plan import Contest, Entrant, GamePlan, Row, Tournament

Played = tuple[Tournament, list[GamePlan], list[Row]]


@pytest.fixture
def two_sided() -> Callable[..., Played]:
    """Return a maker of events between "a" and "b" for north and south, from winners by name ("" for a draw)."""

    def make(winners: Sequence[str], **more: Any) -> Played:
        tournament = Tournament("Cup", "seed", (Entrant("a"), Entrant("b")), (Contest("toy", "road"),), **more)
        plans, rows = [], []
        for number, winner in enumerate(winners):
            lineup = {"north": "a", "south": "b"} if number % 2 == 0 else {"north": "b", "south": "a"}
            side = next((side for side, name in lineup.items() if name == winner), "draw")
            plans.append(GamePlan(number, 0, number // 2, 0, f"seed/{number // 2}", lineup))
            rows.append(Row(number, side, winner, "road_cut" if winner else "time_up", 4 + number, 100, "", {}))
        return tournament, plans, rows

    return make
