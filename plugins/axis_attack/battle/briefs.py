"""The brief of a turn's game (AOA-3.17), its victory points, and the bonus of the outnumbered side (AOA-5.16)."""

from axis_attack.battle.rosters import company_of
from axis_attack.battle.terms import battle_notes, effects, party_notes
from axis_attack.mission.front import both_attack
from axis_attack.model.cards import ENEMY, SIDES, Board, Mission
from axis_attack.model.events import PointsScored
from axis_attack.model.state import AxisState
from axis_attack.model.tables import STEP_POINTS
from sandtable import Calculation, Procedure
from sandtable.tabletop import Brief, Party, Result, Table

RESERVES = {
    "encounter": ("attacker", "defender"),
    "cauldron": ("attacker",),
    "hold_the_line": ("defender",),
    "breakthrough": ("attacker",),
    "trench_fight": ("defender",),
}
"""The roles that have reserves, by mission; interdiction works only against reserves (AOA-4.08)."""

AIR_EXTRAS = {"superiority": "air_superiority", "interdiction": "battlefield_interdiction"}
"""The names of air profiles in the brief."""


def brief_of(state: AxisState) -> Brief:
    """Return the brief of the prepared game. Both forces must have been chosen."""
    board: Board = state.board
    mission, sector = board.missions[state.mission], board.sector(state.sector)
    attacker, defender = ("", "") if both_attack(mission) else (state.attacker, state.defender)
    return Brief(
        id=f"{board.scenario}:{state.turn}",
        campaign=board.title,
        turn=state.turn,
        place=str(state.sector),
        place_title=sector.title,
        mission=mission.tabletop or mission.title,
        parties={side: _party(state, side) for side in SIDES},
        flags=_flags(state, mission),
        attacker=attacker,
        defender=defender,
        table=Table(terrain=sector.terrain),
        weather=state.weather,
        mud=state.mud,
        effects=effects(state),
        notes=battle_notes(state, mission),
        rules=("AOA-3.17", "AOA-5.16", "AOA-10.01"),
    )


def _flags(state: AxisState, mission: Mission) -> tuple[str, ...]:
    flags = ("fair_fight",) * mission.fair_fight + ("defensive_battle",) * mission.defensive_battle
    return (*flags, "reserves") if _reserves_matter(state) else flags


def _reserves_matter(state: AxisState) -> bool:
    """Return whether the mission has reserves, and if sides interdict, whether all their enemies have some."""
    roles = RESERVES.get(state.mission, ())
    has = {side: ("attacker" if side == state.attacker else "defender") in roles for side in SIDES}
    against = [ENEMY[side] for side in SIDES if state.forces[side].air.profile == "interdiction"]
    return all(has[side] for side in against) if against else any(has.values())


def _party(state: AxisState, side: str) -> Party:
    board: Board = state.board
    force = state.forces[side]
    air, bought = force.air, force.purchase
    extras = {bought.kind: max(bought.number, len(bought.platoons), 1)} if bought.kind else {}
    if air.aircraft and air.profile in AIR_EXTRAS:
        extras[AIR_EXTRAS[air.profile]] = 1
    return Party(
        side=side,
        title=board.sides[side],
        player=board.players.get(side, ""),
        companies=(company_of(state, side),),
        points=board.limit + STEP_POINTS * force.extra,
        air=air.level if air.aircraft else "none",
        extras=extras,
        notes=party_notes(state, side),
    )


BANDS = ((50, 0, "AOA-5.18"), (150, 1, "AOA-5.19"), (300, 2, "AOA-5.20"))
MOST, MAX_RULE = 3, "AOA-5.21"
"""The bonus above the last of ``BANDS``, and its rule. A band has its upper limit, its bonus and its rule (AOA-R27)."""

CONCEDED = (6, 1)
"""Points of the winner and of the side that conceded (AOA-5.23)."""


def bonus_for(difference: int) -> tuple[int, str]:
    """Return the bonus of a side with ``difference`` fewer points on the table, and its rule."""
    return next(((bonus, rule) for most, bonus, rule in BANDS if difference <= most), (MOST, MAX_RULE))


def score(state: AxisState, result: Result) -> Procedure:
    """Give both sides their victory points (AOA-5.16).

    The bonus depends on the fielded points (AOA-R26). After a concession there is no bonus, because no side fought with
    fewer points (AOA-5.24).
    """
    for side in SIDES:
        if result.conceded:
            yield _conceded(side, result)
            continue
        theirs, own = state.forces[ENEMY[side]].points, state.forces[side].points
        bonus, rule = bonus_for(theirs - own)
        steps = ((f"{ENEMY[side]} points", theirs, "AOA-R26"), (f"{side} points", -own, "AOA-R26"))
        calculations = (
            Calculation("points", (("points of the game", result.points[side], "AOA-5.16"),)),
            Calculation("difference", steps, ("AOA-5.17", _band(theirs - own), str(bonus))),
            Calculation("bonus", (("outnumbered", bonus, rule),)),
        )
        yield PointsScored(side, result.points[side], bonus, rule if bonus else "AOA-5.16", calculations)


def _conceded(side: str, result: Result) -> PointsScored:
    won, lost = CONCEDED
    what, points = ("conceded", lost) if side == result.conceded else ("the enemy conceded", won)
    return PointsScored(side, points, 0, "AOA-5.23", (Calculation("points", ((what, points, "AOA-5.23"),)),))


def _band(difference: int) -> str:
    """Return the heading of the row of a difference, such as "51 to 150"."""
    return next((title for (most, _, _), title in zip(BANDS, band_titles(), strict=False) if difference <= most), _LAST)


_LAST = f"{BANDS[-1][0] + 1} or more"


def band_titles() -> tuple[str, ...]:
    """Return the headings of the rows of the table of bonuses: "up to 50", "51 to 150", and so on."""
    least = (0, *(most + 1 for most, _, _ in BANDS))
    pairs = zip(least, BANDS, strict=False)
    return (*(f"{first} to {most}" if first else f"up to {most}" for first, (most, _, _) in pairs), _LAST)
