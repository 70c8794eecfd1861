"""The brief of a turn's game: all that a table must know to fight it, and to judge what comes back (AOA-3.17)."""

from axis_attack.battle.rosters import company_of
from axis_attack.battle.terms import battle_notes, effects, party_notes
from axis_attack.mission.front import both_attack
from axis_attack.model.board import Board
from axis_attack.model.cards import ENEMY, SIDES, Mission
from axis_attack.model.state import AxisState
from axis_attack.model.tables import STEP_POINTS
from sandtable.rules.tabletop.brief import Brief, Party, Table

RESERVES = {
    "encounter": ("attacker", "defender"),
    "cauldron": ("attacker",),
    "hold_the_line": ("defender",),
    "breakthrough": ("attacker",),
    "trench_fight": ("defender",),
}
"""Whose platoons come as reserves, by mission: only there can interdiction do something (AOA-4.08)."""

AIR_EXTRAS = {"superiority": "air_superiority", "interdiction": "battlefield_interdiction"}
"""Air profiles as the table calls them."""


def brief_of(state: AxisState) -> Brief:
    """Return the brief of the game that has been prepared; both forces are chosen."""
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
    """Tell whether the mission has reserves, and where somebody interdicts, whether they are his enemy's."""
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
