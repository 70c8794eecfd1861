"""Companies of the standard kinds, for campaigns whose module has no army lists.

The four archetypes are our own design, of 1,500 points each, similar to the tabletop's companies of the period.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sandtable.tabletop.brief import Kind, Platoon, Role


class _Row(NamedTuple):
    id: str
    title: str
    kind: Kind
    teams: int
    transports: int
    points: int
    role: Role
    recon: bool = False


FULL_POINTS = 1500

ARCHETYPES: Mapping[str, Sequence[_Row]] = {
    "armor": (
        _Row("hq", "Company HQ tanks", "afv", 2, 0, 120, "hq"),
        _Row("t1", "1st tank platoon", "afv", 4, 0, 280, "combat"),
        _Row("t2", "2nd tank platoon", "afv", 4, 0, 280, "combat"),
        _Row("t3", "3rd tank platoon", "afv", 4, 0, 280, "combat"),
        _Row("rec", "Recon patrol", "light_afv", 3, 0, 110, "support", recon=True),
        _Row("mot", "Motor platoon", "infantry", 7, 4, 160, "support"),
        _Row("at", "Anti-tank platoon", "gun", 4, 4, 110, "support"),
        _Row("arty", "Field battery", "artillery", 4, 4, 160, "support"),
    ),
    "mechanized": (
        _Row("hq", "Company HQ", "infantry", 2, 0, 50, "hq"),
        _Row("p1", "1st motor platoon", "infantry", 7, 3, 190, "combat"),
        _Row("p2", "2nd motor platoon", "infantry", 7, 3, 190, "combat"),
        _Row("w", "Weapons platoon", "infantry", 5, 3, 130, "weapons"),
        _Row("t", "Tank platoon", "afv", 4, 0, 320, "support"),
        _Row("rec", "Recon patrol", "light_afv", 3, 0, 110, "support", recon=True),
        _Row("at", "Anti-tank platoon", "gun", 4, 4, 150, "support"),
        _Row("arty", "Field battery", "artillery", 4, 4, 240, "support"),
        _Row("pi", "Pioneer platoon", "infantry", 7, 3, 120, "support"),
    ),
    "infantry": (
        _Row("hq", "Company HQ", "infantry", 2, 0, 40, "hq"),
        _Row("p1", "1st rifle platoon", "infantry", 9, 0, 190, "combat"),
        _Row("p2", "2nd rifle platoon", "infantry", 9, 0, 190, "combat"),
        _Row("p3", "3rd rifle platoon", "infantry", 9, 0, 190, "combat"),
        _Row("w", "Weapons platoon", "infantry", 5, 0, 110, "weapons"),
        _Row("at", "Anti-tank platoon", "gun", 4, 4, 150, "support"),
        _Row("arty", "Field battery", "artillery", 4, 4, 240, "support"),
        _Row("pi", "Pioneer platoon", "infantry", 7, 0, 130, "support"),
        _Row("t", "Tank platoon", "afv", 3, 0, 260, "support"),
    ),
    "recon": (
        _Row("hq", "Company HQ cars", "light_afv", 2, 0, 80, "hq"),
        _Row("r1", "1st recon patrol", "light_afv", 3, 0, 130, "combat", recon=True),
        _Row("r2", "2nd recon patrol", "light_afv", 3, 0, 130, "combat", recon=True),
        _Row("r3", "3rd recon patrol", "light_afv", 3, 0, 130, "combat", recon=True),
        _Row("mot", "Motor platoon", "infantry", 7, 4, 180, "combat"),
        _Row("t", "Tank platoon", "afv", 4, 0, 320, "support"),
        _Row("at", "Anti-tank platoon", "gun", 4, 4, 180, "support"),
        _Row("arty", "Field battery", "artillery", 4, 4, 350, "support"),
    ),
}


def roster(
    archetype: str,
    points: int,
    afv_less: int = 0,
    *,
    stand_less: bool = False,
    spends_saved: bool = True,
    prefix: str = "",
) -> tuple[Platoon, ...]:
    """Return the platoons of a company of an archetype that costs ``points`` at full strength.

    ``afv_less`` vehicles fewer are allowed in each armored platoon, light ones too, and only fielded vehicles are paid
    for (KH-22.05 to KH-22.07). If ``spends_saved``, the points saved go to the platoons that keep their number, in
    proportion to their prices (KH-R123). With ``stand_less`` instead, each platoon is paid in full and deploys one team
    fewer (KH-22.09, KH-22.11, KH-22.12). Independent teams are not a platoon. ``prefix`` goes before the ids, for a
    battle with several companies per side. Raises KeyError for an unknown archetype.
    """
    rows = ARCHETYPES[archetype]
    teams = [row.teams if stand_less else _allowed(row, afv_less) for row in rows]
    full = _scaled([row.points for row in rows], points)
    costs = [cost * number // row.teams for cost, number, row in zip(full, teams, rows, strict=True)]
    if spends_saved:
        kept = [at for at, row in enumerate(rows) if teams[at] == row.teams and row.role != "hq"]
        for at, more in zip(kept, _scaled([costs[at] for at in kept], points - sum(costs)), strict=True):
            costs[at] += more
    return tuple(
        _platoon(row, number, cost, stand_less=stand_less, prefix=prefix)
        for row, number, cost in zip(rows, teams, costs, strict=True)
    )


def _allowed(row: _Row, afv_less: int) -> int:
    """Return the teams that a platoon may have if ``afv_less`` vehicles fewer are allowed (KH-22.05, KH-R85)."""
    is_reduced = row.kind in {"afv", "light_afv"} and row.role != "hq"
    return max(1, row.teams - afv_less) if is_reduced else row.teams


def _scaled(prices: list[int], points: int) -> list[int]:
    """Return proportional prices that sum to ``points``; the remainder goes to the largest fractions."""
    whole = sum(prices)
    scaled = [price * points // whole for price in prices]
    by_rest = sorted(range(len(prices)), key=lambda place: (-(prices[place] * points % whole), place))
    for place in by_rest[: points - sum(scaled)]:
        scaled[place] += 1
    return scaled


def _platoon(row: _Row, teams: int, points: int, *, stand_less: bool, prefix: str) -> Platoon:
    independent = row.role == "hq"
    fielded = max(1, teams - 1) if stand_less and not independent else teams
    return Platoon(
        prefix + row.id,
        row.title,
        row.kind,
        teams,
        fielded,
        points,
        row.role,
        transports=row.transports,
        independent=independent,
        recon=row.recon,
    )
