"""Views, built field by field from the facts that a side may know (KH-6.03 to KH-6.08). The umpire sees everything."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from khamsin.fog.visibility import unnamed
from khamsin.model.cards import SIDES
from khamsin.model.state import Engagement, Fielded, Formation, KhamsinState, Summary
from sandtable import UMPIRE
from sandtable.tabletop import Attrition


class FormationSeen(Struct, frozen=True, kw_only=True):
    """A formation of the viewing side, or of any side for the umpire; see ``khamsin.model.state.Formation``."""

    side: str
    strength: int
    standing: str
    area: str
    armor: int
    general: int
    supplied: bool
    cut: int
    mark: str
    assimilating: bool
    regroup: bool
    regroup_next: bool
    doctrine: bool
    recovered: int
    recovered_now: int
    overwhelmed: bool
    overwhelmed_now: bool
    path: tuple[str, ...]
    spent: int
    activated: str
    delayed: bool
    parent: str


class LeaderSeen(Struct, frozen=True):
    """A leader of the viewing side, or of any side for the umpire; see ``khamsin.model.state.Leader``."""

    side: str
    standing: str
    area: str
    returns: int
    path: tuple[str, ...]


class SheetSeen(Struct, frozen=True):
    """The viewing side's orders of this turn; see ``khamsin.model.state.Sheet``."""

    moves: dict[str, tuple[str, ...]]
    leaders: dict[str, tuple[str, ...]]
    interdict: tuple[str, ...]
    detach: dict[str, int]
    plan: str


class ReportSeen(Struct, frozen=True):
    """The last report to the viewing side; see ``khamsin.model.state.Report``."""

    turn: int
    occupied: tuple[str, ...]
    seen: dict[str, dict[str, int]]
    fought: tuple[Summary, ...] = ()


class ActionSeen(Struct, frozen=True):
    """A tabletop action: its points, its winner, and the attrition of the viewing side's formations."""

    number: int
    points: dict[str, int]
    winner: str
    attrition: dict[str, Attrition]


class EngagementSeen(Struct, frozen=True, kw_only=True):
    """An engagement; see ``khamsin.model.state.Engagement``.

    ``forces`` and ``left`` are those of the viewing side, and of the enemy if contact reveals names. ``companies`` are
    by side and class at the time of contact, as far as contact reveals them (KH-R59).
    """

    id: str
    area: str
    other: str
    forces: dict[str, tuple[str, ...]]
    origins: dict[str, str]
    companies: dict[str, dict[str, int]]
    column: str
    stationary: str
    holder: str
    withdrawing: dict[str, str]
    left: dict[str, str]
    mode: str
    mission: str
    number: int
    favored: str
    net: int
    fielded: dict[str, tuple[Fielded, ...]]
    actions: tuple[ActionSeen, ...]
    points: dict[str, int]
    winner: str
    scale: str
    over: bool
    settled: bool


class SideView(Struct, frozen=True, kw_only=True):
    """The campaign as ``side`` sees it: its own pieces and orders, its reports, and public facts."""

    side: str
    turn: int
    phase: str
    outcome: str
    ending: str
    options: dict[str, str]
    weather: str
    control: dict[str, str]
    interdicted: dict[str, str]
    formations: dict[str, FormationSeen]
    leaders: dict[str, LeaderSeen]
    sheets: dict[str, SheetSeen]
    reports: dict[str, ReportSeen]
    engagements: dict[str, EngagementSeen]
    honor: dict[str, int]
    air_used: dict[str, int]
    air_level: dict[str, str]
    supply_on: tuple[str, ...]
    supply_off: tuple[str, ...]
    stocks: dict[str, int]
    held: dict[str, int]


def _knows(side: str, owner: str) -> bool:
    """Return whether a seat knows the secrets of a side: each side knows its own, and the umpire knows all."""
    return side in (UMPIRE, owner)


def view(state: KhamsinState, side: str) -> SideView:
    """Return the view of ``side``."""
    return SideView(
        side=side,
        turn=state.turn,
        phase=state.phase,
        outcome=state.outcome,
        ending=state.ending,
        options=dict(state.options),
        weather=state.weather,
        control=dict(state.control),
        interdicted=dict(state.interdicted),
        formations={key: _formation(it) for key, it in sorted(state.formations.items()) if _knows(side, it.side)},
        leaders={
            key: LeaderSeen(it.side, it.standing, it.area, it.returns, tuple(it.path))
            for key, it in sorted(state.leaders.items())
            if _knows(side, it.side)
        },
        sheets={owner: _sheet(state, owner) for owner in sorted(state.sheets) if _knows(side, owner)},
        reports={
            owner: ReportSeen(
                it.turn, tuple(it.occupied), {area: dict(n) for area, n in it.seen.items()}, tuple(it.fought)
            )
            for owner, it in sorted(state.reports.items())
            if _knows(side, owner)
        },
        engagements=_engagements(state, side),
        honor=dict(sorted(state.honor.items())),
        air_used={owner: used for owner, used in sorted(state.air_used.items()) if _knows(side, owner)},
        air_level=dict(sorted(state.air_level.items())),
        supply_on=tuple(state.supply_on),
        supply_off=tuple(state.supply_off),
        stocks={key: n for key, n in sorted(state.stocks.items()) if _knows(side, key.partition(":")[0])},
        held=dict(sorted(state.held.items())),
    )


def _formation(it: Formation) -> FormationSeen:
    seen = {name: getattr(it, name) for name in FormationSeen.__struct_fields__}
    return FormationSeen(**seen | {"path": tuple(it.path)})


def _sheet(state: KhamsinState, owner: str) -> SheetSeen:
    it = state.sheets[owner]
    return SheetSeen(
        {key: tuple(path) for key, path in it.moves.items()},
        {key: tuple(path) for key, path in it.leaders.items()},
        tuple(it.interdict),
        dict(it.detach),
        it.plan,
    )


def _engagements(state: KhamsinState, side: str) -> dict[str, EngagementSeen]:
    full = state.options["engagement_reveal"] == "full"
    found = {key: _engagement(state, it, side, full=full) for key, it in sorted(state.engagements.items())}
    if side in (*SIDES, UMPIRE):
        return found
    return {key: _announced(it) for key, it in found.items() if it.withdrawing}


def _announced(it: EngagementSeen) -> EngagementSeen:
    """Return an engagement as spectators see it: without the facts of events that have no public part."""
    unseen: dict[str, dict[str, Any]] = {name: {} for name in ("forces", "origins", "companies", "left")}
    return replace(it, **unseen, column="", stationary="", holder="", favored="", net=0, actions=())


def _engagement(state: KhamsinState, it: Engagement, side: str, *, full: bool) -> EngagementSeen:
    named = [owner for owner in SIDES if full or _knows(side, owner)]
    counted = SIDES if state.options["engagement_reveal"] != "none" else named
    mine = {key for owner in named for key in state.formations if state.formations[key].side == owner}
    return EngagementSeen(
        id=it.id,
        area=it.area,
        other=it.other,
        forces={owner: tuple(force) for owner, force in it.forces.items() if owner in named},
        origins={key: start for key, start in it.origins.items() if key in mine},
        companies={owner: dict(classes) for owner, classes in it.companies.items() if owner in counted},
        column=it.column,
        stationary=it.stationary,
        holder=it.holder,
        withdrawing=dict(it.withdrawing),
        left={key: how for key, how in it.left.items() if key in mine},
        mode=it.mode,
        mission=it.mission,
        number=it.number,
        favored=it.favored,
        net=it.net,
        fielded={
            owner: tuple(each if owner in named else unnamed(each) for each in companies)
            for owner, companies in it.fielded.items()
        },
        actions=tuple(
            ActionSeen(
                each.number,
                dict(each.points),
                each.winner,
                {
                    key: lost
                    for key, lost in each.attrition.items()
                    if key in state.formations and _knows(side, state.formations[key].side)
                },
            )
            for each in it.actions
        ),
        points=dict(it.points),
        winner=it.winner,
        scale=it.scale,
        over=it.over,
        settled=it.settled,
    )
