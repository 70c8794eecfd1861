"""Deals of hidden information: the parts of the enemy's roster that were not shown (AOA-O1).

A platoon that was never shown has never fought, so it has the level at which it was bought. If the shown platoons fit
the starting force of the enemy's list, the enemy has that force with a probability of 7/8. In other deals it has any
legal company that includes the shown platoons. A view contains neither the report of a game nor the reported losses of
vehicles, so deals ignore them. If rosters are open, nothing is dealt, and all platoons count as shown.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from axis_attack.fog.views import PlatoonSeen, SideView
from axis_attack.forces.company import Companies, company_space, starting_force
from axis_attack.model.cards import (
    AIR_LEVELS,
    COMBAT,
    DEPLETED,
    DESTROYED,
    ENEMY,
    MOTOR,
    SUPPORT,
    Board,
    CompanyList,
    PlatoonType,
)
from axis_attack.model.handlers import company_built
from axis_attack.model.orders import BuildCompany, Wanted
from axis_attack.model.state import AxisState, Force, Platoon
from axis_attack.model.strength import available, level_of, levels_of, size_of_level, transports_needed
from axis_attack.recovery.mobility import enough
from axis_attack.turn.opening import company_built as built
from sandtable import Stream

OTHER = 8
"""One in this number of deals rejects the list's starting force, although the shown platoons fit it."""

VEHICLE_LOST = 6
"""One in this number of vehicles is dealt as lost and not replaced."""


def deal(view: SideView, board: Board, stream: Stream) -> AxisState:
    """Return a random state that has this view for ``view.side``. The kernel sets turn and phase."""
    side, enemy = view.side, ENEMY[view.side]
    state = AxisState(
        rosters={owner: {} for owner in view.rosters},
        aircraft={owner: dict(bought) for owner, bought in view.aircraft.items()},
        balance=dict(view.balance),
        earned=dict(view.earned),
        raw=dict(view.raw),
        forces={
            owner: Force(list(it.platoons), it.points, it.extra, it.purchase, it.air)
            for owner, it in view.forces.items()
        },
        claims={owner: list(claimed) for owner, claimed in view.claims.items()},
        dice=dict(view.dice),
        sector=view.sector,
        mission=view.mission,
        attacker=view.attacker,
        defender=view.defender,
        winner=view.winner,
        result=view.result,
        corner=list(view.corner),
        weather=view.weather,
        mud=view.mud,
        bound=view.bound,
        moved_two=view.moved_two,
        conceded=view.conceded,
        recon_ahead=list(view.recon_ahead),
        track=[replace(battle, points=dict(battle.points)) for battle in view.track],
        ladder={owner: {each: list(levels) for each, levels in rows.items()} for owner, rows in view.ladder.items()},
        options=dict(view.options),
    )
    state.place_board(board)
    is_open = view.options["roster_visibility"] == "all"
    for owner in view.rosters if is_open else (side,):
        state.rosters[owner] = {each: _as_seen(seen) for each, seen in view.rosters[owner].items()}
    state.shown = {owner: list(view.rosters[owner]) for owner in (side, enemy)}
    if not is_open and view.rosters[side]:  # both companies are built
        state.shown[side] = [
            each for each in view.rosters[side] if _is_known(view, each) or _may_be_known(view, stream)
        ]
        _deal_enemy(state, view, board, stream)
    return state


def _as_seen(seen: PlatoonSeen) -> Platoon:
    return Platoon(
        type=seen.type,
        bought=seen.bought,
        level=seen.level,
        upgrades=dict(seen.upgrades),
        teams=seen.teams,
        transports=seen.transports,
        immobile=seen.immobile,
        fought=seen.fought,
        raised=seen.raised,
    )


# --- own platoons that the enemy may know ---


def _is_known(view: SideView, platoon_id: str) -> bool:
    """Return whether the enemy knows a platoon of the side: it was fielded, claimed or raised, or its level changed."""
    seen, force = view.rosters[view.side][platoon_id], view.forces.get(view.side)
    fielded = force is not None and any(each.platoon == platoon_id for each in force.platoons)
    levels = view.ladder[view.side].get(platoon_id, ())
    changed = any(level != seen.level for level in levels)
    return fielded or changed or seen.fought or seen.raised or platoon_id in view.claims.get(view.side, ())


def _may_be_known(view: SideView, stream: Stream) -> bool:
    """Return at random whether the enemy knows a platoon of the side that it may not have seen.

    Before the first game it knows none.
    """
    return bool(view.track or view.forces) and stream.one_in(2)


# --- the enemy's roster ---


def _deal_enemy(state: AxisState, view: SideView, board: Board, stream: Stream) -> None:
    """Deal a starting force that the enemy may have built, then set its shown platoons to their current state."""
    enemy = ENEMY[view.side]
    order = _printed(view, board, stream) or _drawn(state, view, board, stream)
    company_built(state, built(state, enemy, order))
    turns = max((len(levels) for levels in view.ladder[view.side].values()), default=1) - 1
    for each, platoon in state.rosters[enemy].items():
        seen = view.rosters[enemy].get(each)
        level = platoon.bought
        if seen is not None:
            level = seen.level
            state.rosters[enemy][each] = _current(view, board, each, platoon, stream)
        state.ladder[enemy][each] = [platoon.bought, *[level] * turns]


def _printed(view: SideView, board: Board, stream: Stream) -> BuildCompany | None:
    """Return the list's starting force with the enemy's exchanges, or None if it does not fit.

    It does not fit if the enemy has shown a platoon, level, upgrade or aircraft that it lacks. One in ``OTHER`` deals
    returns None although it fits.
    """
    enemy = ENEMY[view.side]
    company = board.lists[enemy]
    order = starting_force(company)
    platoons = dict(order.platoons)
    for each, seen in view.rosters[enemy].items():
        wanted, kind = platoons.get(each), company.types[seen.type]
        if wanted is None or not _covers(wanted.upgrades, _used(view, each)):
            return None
        if wanted.type != seen.type and kind.slot == SUPPORT == company.types[wanted.type].slot:
            platoons[each] = _bought(view, company, each, stream)
        elif wanted.type != seen.type or level_of(kind, wanted.teams) < seen.level:
            return None
    if not _covers_air(order.aircraft, _flown(view)) or stream.one_in(OTHER):
        return None
    return None if Companies(company, board.points_of(enemy)).why_not(order) else BuildCompany(platoons, order.aircraft)


def _drawn(state: AxisState, view: SideView, board: Board, stream: Stream) -> BuildCompany:
    """Draw a company that includes the enemy's shown platoons; it is legal if they fit into a starting company.

    If they do not fit after exchanges, only the combat platoons that the minimum requires are added.
    """
    enemy = ENEMY[view.side]
    company, space = board.lists[enemy], company_space(state, enemy)
    platoons = {each: _bought(view, company, each, stream) for each in view.rosters[enemy]}
    if space.why_not(BuildCompany(_with_least(platoons, company), _flown(view))) is not None:
        platoons = {each: _bought(view, company, each, None) for each in view.rosters[enemy]}
    shown = [wanted.type for wanted in platoons.values()]
    sampled = space.sample(stream)
    spare = []
    for each in sampled.platoons.values():
        if each.type in shown:
            shown.remove(each.type)
        else:
            spare.append(each)
    spare.sort(key=lambda each: company.types[each.type].slot != COMBAT)
    for each in spare:
        trial = {**platoons, _free_id(each.type, platoons): each}
        if space.why_not(BuildCompany(_with_least(trial, company), _flown(view))) is None:
            platoons = trial
    platoons = _with_least(platoons, company)
    aircraft = {**sampled.aircraft, **_flown(view)}
    fits = space.why_not(BuildCompany(platoons, aircraft)) is None
    return BuildCompany(platoons, aircraft if fits else _flown(view))


def _with_least(platoons: Mapping[str, Wanted], company: CompanyList) -> dict[str, Wanted]:
    """Return the platoons, with added small combat platoons up to the company's minimum."""
    found = dict(platoons)
    numbers: dict[str, int] = {}
    for each in platoons.values():
        numbers[each.type] = numbers.get(each.type, 0) + 1
    open_slots = [
        name
        for name, kind in company.types.items()
        if kind.slot == COMBAT
        for _ in range(kind.most - numbers.get(name, 0))
    ]
    open_slots.sort(key=lambda name: company.types[name].sizes[0].points)
    lacking = company.least - sum(company.types[each.type].slot == COMBAT for each in platoons.values())
    for name in open_slots[: max(0, lacking)]:
        found[_free_id(name, found)] = Wanted(name, company.types[name].sizes[0].teams)
    return found


def _free_id(type_id: str, platoons: Mapping[str, Wanted]) -> str:
    return next(
        name
        for number in range(1, len(platoons) + 2)
        for name in (type_id if number == 1 else f"{type_id}-{number}",)
        if name not in platoons
    )


def _bought(view: SideView, company: CompanyList, platoon_id: str, stream: Stream | None) -> Wanted:
    """Return a possible purchase of a shown platoon: at a random level from its own up, or at its own level."""
    seen = view.rosters[ENEMY[view.side]][platoon_id]
    kind, used = company.types[seen.type], _used(view, platoon_id)
    levels = [level for level in levels_of(kind) if level >= max(seen.level, DEPLETED)]
    level = stream.pick(levels) if stream else levels[0]
    size = size_of_level(kind, level) or kind.sizes[-1]
    upgrades = {
        each.id: max(used.get(each.id, 0), stream.below(min(each.most, size.teams) + 1) if stream else 0)
        for each in kind.upgrades
    }
    return Wanted(seen.type, size.teams, {name: number for name, number in upgrades.items() if number})


def _used(view: SideView, platoon_id: str) -> Mapping[str, int]:
    """Return the upgrades that an enemy platoon uses in the game of the turn."""
    force = view.forces.get(ENEMY[view.side])
    return next((each.upgrades for each in force.platoons if each.platoon == platoon_id), {}) if force else {}


def _flown(view: SideView) -> dict[str, str]:
    """Return the level of the enemy's aircraft in the game of the turn, by type."""
    force = view.forces.get(ENEMY[view.side])
    return {force.air.aircraft: force.air.level} if force and force.air.aircraft else {}


def _covers(bought: Mapping[str, int], used: Mapping[str, int]) -> bool:
    return all(number <= bought.get(name, 0) for name, number in used.items())


def _covers_air(bought: Mapping[str, str], flown: Mapping[str, str]) -> bool:
    return all(
        name in bought and AIR_LEVELS.index(level) <= AIR_LEVELS.index(bought[name]) for name, level in flown.items()
    )


# --- the state of a shown platoon ---


def _current(view: SideView, board: Board, platoon_id: str, bought: Platoon, stream: Stream) -> Platoon:
    """Return an enemy platoon as seen, with possible teams, vehicles and mobility."""
    enemy = ENEMY[view.side]
    seen = view.rosters[enemy][platoon_id]
    kind = board.lists[enemy].types[seen.type]
    needed = transports_needed(kind, seen.level)
    immobile = _is_immobile(view, platoon_id, kind, seen, stream)
    lost = sum(stream.one_in(VEHICLE_LOST) for _ in range(needed)) if seen.fought else 0
    return Platoon(
        type=seen.type,
        bought=max(bought.bought, seen.level),
        level=seen.level,
        upgrades=dict(bought.upgrades),
        teams=_teams(view, platoon_id, kind, seen, stream),
        transports=stream.below(enough(kind, seen.level)) if immobile else needed - lost,
        immobile=immobile,
        fought=seen.fought,
        raised=seen.raised,
    )


def _is_immobile(view: SideView, platoon_id: str, kind: PlatoonType, seen: PlatoonSeen, stream: Stream) -> bool:
    """Draw whether an enemy platoon is immobile, which is assessed after a move of two sectors or a claim (AOA-10.15).

    In a bound force an immobile platoon can only be a passenger (AOA-7.05).
    """
    enemy = ENEMY[view.side]
    is_assessed = view.bound == enemy or platoon_id in view.claims.get(enemy, ())
    if not is_assessed or kind.transport != MOTOR or seen.level == DESTROYED or not enough(kind, seen.level):
        return False
    force = view.forces.get(enemy)
    walks = force is not None and any(each.platoon == platoon_id and not each.carried_by for each in force.platoons)
    return not (walks and view.bound == enemy) and stream.one_in(VEHICLE_LOST)


def _teams(view: SideView, platoon_id: str, kind: PlatoonType, seen: PlatoonSeen, stream: Stream) -> int:
    """Draw the teams of a platoon of this level: those of the level, or by option up to the next level (AOA-R10).

    A platoon that is fielded and has not fought yet has at least the teams that it fields.
    """
    least = available(kind, seen.level)
    if view.options["strength_memory"] != "exact_teams" or not least:
        return least
    force = view.forces.get(ENEMY[view.side])
    fields = [each.teams for each in force.platoons if each.platoon == platoon_id and not seen.fought] if force else []
    most = available(kind, seen.level, kind.sizes[-1].teams)
    return max(least + stream.below(most - least + 1), *fields, least)
