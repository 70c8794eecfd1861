"""The player aid: terrain chart, combat matrix and counterattack table, as in the file ``aid.toml`` of a scenario.

The rules explain these tables but do not contain them. Movement points are whole in the file and halves here.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from damos.model.tables import ATTACK_PLANS, STEADFAST, TYPES
from sandtable.data import NAME, TomlTable, flag_of, inner, number_of, rows_of, words_of

RIVER, LAKE, RAIL = "river", "lake", "rail"
CLEAR, TOWN, CITY, MAJOR_CITY = "clear", "town", "city", "major_city"
SETTLEMENTS = (TOWN, CITY, MAJOR_CITY)
"""The kinds of terrain that have a name on the map, the greatest last; other terrain surrounds them."""

MAX_CHANGE, MAX_POINTS = 20, 20


class Terrain(Struct, frozen=True):
    """A row of the terrain chart (DM-3.0a). ``halves`` is None if only the other terrain of the hex sets the cost.

    ``attack`` and ``defense`` change the strength of attackers and defenders; ``reaction`` and ``attrition`` are
    modifiers. If ``steadfast``, no other posture may be chosen (AGC-2.1a). Types in ``closed`` may enter only along a
    railway or in retreat.
    """

    name: str
    halves: int | None = None
    foot_halves: int | None = None
    attack: int = 0
    defense: int = 0
    reaction: int = 0
    attrition: int = 0
    steadfast: bool = False
    closed: tuple[str, ...] = ()


class Hexside(Struct, frozen=True):
    """A hexside of the terrain chart: crossing it costs ``halves`` more. If ``closed``, no unit may cross it.

    Attackers that cross it lose 1 of every ``attack_per`` strength points or part thereof (0: none).
    """

    name: str
    halves: int = 0
    attack_per: int = 0
    reaction: int = 0
    closed: bool = False


class Posture(Struct, frozen=True):
    """A defensive posture (DM-8.4a) and the sides that may choose it, but not in terrain of ``closed``.

    ``mobile`` requires a unit of armor or mechanized infantry (AGC-2.1c).
    """

    name: str
    sides: tuple[str, ...]
    mobile: bool = False
    closed: tuple[str, ...] = ()


class Cell(Struct, frozen=True):
    """A cell of the combat matrix (DM-8.4b): modifiers of both rolls, and changes of the loss points of each side."""

    attacker_modifier: int = 0
    defender_modifier: int = 0
    attacker_points: int = 0
    defender_points: int = 0


class CounterattackTable(Struct, frozen=True):
    """The counterattack table: ratios, the worst first, each with the results of die rolls 1 to 6.

    A result is the loss points of the counterattacker and those of the original attacker (DM-8.9h).
    """

    ratios: tuple[tuple[int, int], ...]
    results: tuple[tuple[tuple[int, int], ...], ...]

    def column(self, counter: int, attack: int) -> int:
        """Return the column of two strengths, each at least 1, rounded in the attacker's favor (DM-8.9f, R-DM-45)."""
        fits = [counter * right >= attack * left for left, right in self.ratios]
        return max(0, sum(fits) - 1)

    def title(self, column: int) -> str:
        """Return the title of a column, such as "1:3"."""
        left, right = self.ratios[column]
        return f"{left}:{right}"

    def result(self, column: int, die: int) -> tuple[int, int]:
        """Return the loss points of counterattacker and attacker (DM-8.9g)."""
        return self.results[column][die - 1]


class PlayerAid(Struct, frozen=True):
    """The player aid; the matrix is by attack plan and posture. ``rail_halves`` is for strategic moves (DM-6.0e)."""

    terrain: dict[str, Terrain]
    hexsides: dict[str, Hexside]
    rail_halves: int
    foot: tuple[str, ...]
    postures: dict[str, Posture]
    matrix: dict[str, dict[str, Cell]]
    counterattack: CounterattackTable


TERRAIN_KEYS = ("points", "foot_points", *(name for name in Terrain.__struct_fields__ if "halves" not in name))
HEXSIDE_KEYS = ("points", "attack_per", "reaction", "closed")
POSTURE_KEYS = ("sides", "mobile", "closed")
CELL_KEYS = Cell.__struct_fields__


def read_player_aid(table: TomlTable, sides: tuple[str, ...]) -> PlayerAid:
    """Return the player aid of a table. Errors are added to its problems, by key."""
    table.refuse_unknown(("provenance", "terrain", "hexsides", "strategic", "postures", "matrix", "counterattack"))
    chart = {name: _terrain(row, name) for name, row in _rows(table, "terrain", TERRAIN_KEYS).items()}
    for name in (CLEAR, *SETTLEMENTS):
        if name not in chart and isinstance(table.values.get("terrain"), dict):
            table.refuse("terrain", f"has no row {name}; add one")
    sided = {name: _hexside(row, name) for name, row in _rows(table, "hexsides", HEXSIDE_KEYS).items()}
    strategic = inner(table, "strategic")
    strategic.refuse_unknown(("rail_points", "foot"))
    rows = sorted(_rows(table, "postures", POSTURE_KEYS).items(), key=lambda row: row[0] != STEADFAST)
    postures = {name: _posture(row, name, sides, tuple(chart)) for name, row in rows}
    if STEADFAST not in postures:
        table.refuse("postures", f"has no {STEADFAST}, which must always be available (R-DM-83); add it")
    return PlayerAid(
        terrain=chart,
        hexsides=sided,
        rail_halves=_halves_of(strategic, "rail_points") or 1,
        foot=words_of(strategic, "foot", TYPES),
        postures=postures,
        matrix=_matrix(inner(table, "matrix"), tuple(postures)),
        counterattack=_counterattack(inner(table, "counterattack")),
    )


def _rows(table: TomlTable, name: str, keys: Iterable[str]) -> dict[str, TomlTable]:
    return rows_of(table, name, keys, must=True, spelling=NAME)


def _halves_of(table: TomlTable, name: str) -> int | None:
    """Return movement points in halves, or None if the key is missing. The file has whole points or "1/2"."""
    value = table.values.get(name)
    if value is None:
        return None
    return 1 if value == "1/2" else 2 * number_of(table, name, 0, MAX_POINTS)


def _changes(table: TomlTable, names: Iterable[str]) -> dict[str, int]:
    return {name: number_of(table, name, -MAX_CHANGE, MAX_CHANGE, 0) for name in names}


def _terrain(row: TomlTable, name: str) -> Terrain:
    if name not in SETTLEMENTS and "points" not in row.values:
        row.refuse("points", "is missing; add the movement points to enter such a hex")
    points = _halves_of(row, "points")
    foot = _halves_of(row, "foot_points")
    return Terrain(
        name=name,
        halves=points,
        foot_halves=points if foot is None else foot,
        steadfast=flag_of(row, "steadfast"),
        closed=words_of(row, "closed", TYPES),
        **_changes(row, ("attack", "defense", "reaction", "attrition")),
    )


def _hexside(row: TomlTable, name: str) -> Hexside:
    return Hexside(
        name=name,
        halves=_halves_of(row, "points") or 0,
        attack_per=number_of(row, "attack_per", 0, 100, 0),
        closed=flag_of(row, "closed"),
        **_changes(row, ("reaction",)),
    )


def _posture(row: TomlTable, name: str, sides: tuple[str, ...], terrain: tuple[str, ...]) -> Posture:
    return Posture(
        name=name,
        sides=words_of(row, "sides", sides) or sides,
        mobile=flag_of(row, "mobile"),
        closed=words_of(row, "closed", terrain),
    )


def _matrix(table: TomlTable, postures: tuple[str, ...]) -> dict[str, dict[str, Cell]]:
    """Return a cell for each plan and posture."""
    table.refuse_unknown(ATTACK_PLANS)
    matrix = {}
    for plan in ATTACK_PLANS:
        row = inner(table, plan)
        row.refuse_unknown((*postures,))
        cells = {posture: inner(row, posture) for posture in postures}
        for cell in cells.values():
            cell.refuse_unknown((*CELL_KEYS, "provenance"))
        matrix[plan] = {posture: Cell(**_changes(cell, CELL_KEYS)) for posture, cell in cells.items()}
    return matrix


def _counterattack(table: TomlTable) -> CounterattackTable:
    """Return the table with its columns in order of ratio. Refuses a column without six results."""
    columns: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
    for name in table.values:
        left, _, right = name.partition(":")
        if not all(part.isascii() and part.isdigit() and 0 < len(part) < 3 and int(part) for part in (left, right)):
            table.refuse(name, 'is not a ratio; write one such as "1:3"')
            continue
        results = [_result(each) for each in table.get(list, name)]
        if len(results) != 6 or None in results:
            table.refuse(name, 'is not six results; write one for each face of the die, such as "1/3"')
            continue
        columns[int(left), int(right)] = tuple(each for each in results if each is not None)
    if not columns:
        table.problems.refuse(table.key, 'has no column; add some, such as "1:1" = ["2/1", ..]')
    ratios = sorted(columns, key=lambda ratio: (ratio[0] * 10_000) // ratio[1])
    return CounterattackTable(tuple(ratios), tuple(columns[ratio] for ratio in ratios))


def _result(value: Any) -> tuple[int, int] | None:
    left, _, right = str(value).partition("/")
    fits = all(part.isascii() and part.isdigit() and len(part) < 3 for part in (left, right))
    return (int(left), int(right)) if fits else None
