"""The companies of a brief: a game force in the terms of the table, platoon by platoon (AOA-3.05, AOA-3.13)."""

from typing import cast

from axis_attack.model.cards import FOOT, LEVEL_TITLES, Board
from axis_attack.model.state import AxisState, Fielded
from axis_attack.model.strength import fielded_points, kind_of
from sandtable.tabletop import Company, Kind, Platoon, Role

HQ_TEAMS = 2
"""Number of independent teams of a company's HQ, commander and second-in-command, replaced for free (AOA-11.13)."""

INTEL = {"tank": "armor", "mechanized": "mechanized", "infantry": "infantry"}


def company_of(state: AxisState, side: str) -> Company:
    """Return the company that a side fields: the HQ, then the platoons in the order of the force."""
    board: Board = state.board
    force, its_list = state.forces[side], board.lists[side]
    platoons = tuple(platoon_of(state, side, each) for each in force.platoons)
    headquarters = _headquarters(state, side)
    return Company(
        parent=side,
        parent_title=its_list.title,
        type=its_list.title,
        nation=side,
        intel=INTEL.get(its_list.company, its_list.company),
        points=force.points,
        platoons=headquarters + platoons,
        skill=its_list.skill,
        motivation=its_list.motivation,
    )


def platoon_of(state: AxisState, side: str, fielded: Fielded) -> Platoon:
    """Return a platoon as it is fielded. ``fielded.teams`` are its counted teams (AOA-3.05)."""
    kind, platoon = kind_of(state, side, fielded.platoon), state.rosters[side][fielded.platoon]
    return Platoon(
        id=fielded.platoon,
        title=kind.title,
        kind=cast("Kind", kind.kind),
        teams=fielded.teams,
        fielded=fielded.teams,
        points=fielded_points(state, side, fielded),
        role=cast("Role", kind.slot),
        transports=transports_fielded(state, side, fielded),
        upgrades=sum(
            fielded.upgrades.get(each.id, 0) for each in kind.upgrades if each.most == 1 and not kind.all_tanks
        ),
        recon=kind.recon,
        off_table=fielded.off_table,
        level=LEVEL_TITLES[platoon.level],
    )


def transports_fielded(state: AxisState, side: str, fielded: Fielded) -> int:
    """Return the transports of a fielded platoon: those of its size, or 0 on foot or if it is carried (AOA-3.13).

    An immobile platoon has only the transports that are left. Others replace their losses before a game (AOA-R51).
    """
    kind, platoon = kind_of(state, side, fielded.platoon), state.rosters[side][fielded.platoon]
    if fielded.carried_by or kind.transport == FOOT:
        return 0
    whole = next((size.transports for size in kind.sizes if size.teams == fielded.teams), 0)
    return min(whole, platoon.transports) if platoon.immobile else whole


def _headquarters(state: AxisState, side: str) -> tuple[Platoon, ...]:
    """Return the independent teams of the company's HQ as a platoon, or no platoon if the list has no HQ price."""
    board: Board = state.board
    its_list = board.lists[side]
    if not its_list.hq_points:
        return ()
    taken = {each.platoon for each in state.forces[side].platoons}
    ident = next(name for name in ("hq", "company_hq", "command_hq") if name not in taken)
    kind: Kind = "afv" if its_list.company == "tank" else "infantry"
    title = f"{its_list.title}: HQ"
    return (Platoon(ident, title, kind, HQ_TEAMS, HQ_TEAMS, its_list.hq_points, "hq", independent=True),)
