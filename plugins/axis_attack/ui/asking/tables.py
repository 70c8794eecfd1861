"""The printed tables, for showing the cells next to the one that was used."""

from axis_attack.battle.briefs import BANDS, MOST, band_titles
from axis_attack.mission.front import HOLD, RULES
from axis_attack.model.cards import LEVEL_TITLES, Board, PlatoonType
from axis_attack.model.strength import level_of, levels_of
from axis_attack.model.tables import LADDER_ROWS, WEATHER
from sandtable import PrintedTable

DICE = range(1, 7)


def table(name: str, board: Board) -> PrintedTable | None:
    """Return the table that is printed under rule ``name``, or None."""
    if name == "AOA-6.03":
        return PrintedTable(tuple(map(str, DICE)), dict(WEATHER))
    if name == "AOA-8.07":
        return _ladder()
    if name == "AOA-5.17":
        return _bonuses()
    if name == "AOA-10.09":
        return _levels(board)
    return _fronts(board) if name in RULES.values() else None


def _ladder() -> PrintedTable:
    """Return the ladder of missions: the total chooses the mission in every column (AOA-8.13 to AOA-8.18)."""
    missions = tuple(LADDER_ROWS)
    return PrintedTable(missions, {row: (mission,) * len(missions) for mission, (row, _) in LADDER_ROWS.items()})


def _bonuses() -> PrintedTable:
    """Return the victory points of the outnumbered side (AOA-5.17)."""
    bonuses = (*(str(bonus) for _, bonus, _ in BANDS), str(MOST))
    return PrintedTable(
        bonuses, {title: (each,) * len(bonuses) for title, each in zip(band_titles(), bonuses, strict=True)}
    )


def _levels(board: Board) -> PrintedTable:
    """Return the number of teams of each level, by type of platoon (AOA-10.09)."""
    types = [kind for side in board.lists.values() for kind in side.types.values()]
    rows = {kind.title: tuple(_teams(kind, each) for each in range(len(LEVEL_TITLES))) for kind in types}
    return PrintedTable(LEVEL_TITLES, rows)


def _teams(kind: PlatoonType, level: int) -> str:
    if level not in levels_of(kind):
        return "-"
    fits = [teams for teams in range(1, kind.sizes[-1].teams + 1) if level_of(kind, teams) == level]
    if not fits:
        return "0 teams"
    return f"{fits[0]} teams" if len(fits) == 1 else f"{fits[0]}-{fits[-1]} teams"


def _fronts(board: Board) -> PrintedTable:
    """Return the result of each mission, by winner (AOA-7.01)."""
    return PrintedTable(
        ("attacker", "defender", "draw"),
        {each.id: (each.attacker, each.defender or "-", HOLD) for each in board.missions.values()},
    )
