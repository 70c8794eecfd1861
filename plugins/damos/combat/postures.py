"""Which postures a defender may choose (AGC-2): cities want Steadfast, and the Soviets counterattack if they can."""

from collections.abc import Sequence

from damos.model.state import DamosState
from damos.model.tables import COUNTERATTACK, COUNTERATTACKING_TYPES, STEADFAST
from damos.model.terrain_chart import CITY, CLEAR, MAJOR_CITY, SETTLEMENTS, Terrain
from damos.setup.reading import SOVIET

CITIES = {"city_and_major_city": (CITY, MAJOR_CITY), "city_only": (CITY,)}
"""What counts as a city (R-DM-53)."""


def postures(state: DamosState, defenders: Sequence[str], hex_: str) -> list[str]:
    """Return the postures that a force that is not demoralised may choose in a hex; Steadfast always is (R-DM-83)."""
    side = state.units[defenders[0]].side
    fitting = _fitting(state, defenders, side, hex_)
    if _is_bound(state, hex_):
        counters = state.options["soviet_city_counterattack"] == "counterattack_wins"  # R-DM-54
        return [COUNTERATTACK] if counters and side == SOVIET and COUNTERATTACK in fitting else [STEADFAST]
    if side == SOVIET:  # AGC-2.1b
        return [COUNTERATTACK if COUNTERATTACK in fitting else STEADFAST]
    return fitting


def _is_bound(state: DamosState, hex_: str) -> bool:
    """Tell whether the terrain of a hex allows Steadfast alone (AGC-2.1a)."""
    cities = CITIES[state.options["city_means"]]
    return any(
        row.steadfast and (row.name in cities or row.name not in (CITY, MAJOR_CITY)) for row in _rows(state, hex_)
    )


def _rows(state: DamosState, hex_: str) -> list[Terrain]:
    """Return the rows of the terrain chart that hold in a hex."""
    board = state.board
    return [board.aid.terrain[kind] for kind in board.hexmap.terrain_of(hex_)]


def _fitting(state: DamosState, defenders: Sequence[str], side: str, hex_: str) -> list[str]:
    """Return the postures that side, units and terrain allow (AGC-2.1c, AGC-2.1d)."""
    board = state.board
    is_mobile = any(board.counters[each].type in COUNTERATTACKING_TYPES for each in defenders)
    kinds = [row.name for row in _rows(state, hex_)]
    if all(kind in SETTLEMENTS for kind in kinds):
        kinds.append(CLEAR)  # the ground around a settlement
    return [
        name
        for name, posture in board.aid.postures.items()
        if name == STEADFAST
        or (side in posture.sides and (is_mobile or not posture.mobile) and not any(k in posture.closed for k in kinds))
    ]
