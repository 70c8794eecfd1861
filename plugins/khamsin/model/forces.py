"""Queries about formations: place, strength, attrition, mobility, and whether they may move.

A formation without strength is artillery that only bombards. It does not fight its own battles: it neither holds an
area against the enemy nor enters an area that the enemy holds. Areas count as occupied only by formations that can
fight (KH-2.09, KH-9.01). All lists are sorted by id.
"""

from collections.abc import Collection

from khamsin.model.cards import ENEMY, INTEL_CLASSES, LEG, MOTOR, RECON, Board, FormationCard, NationCard
from khamsin.model.handlers import ledger
from khamsin.model.state import IN_BASE, LOST, ON_MAP, KhamsinState
from khamsin.model.tables import ALLOWANCE, INEFFECTIVE
from sandtable import Calculation, Refusal


def on_map(state: KhamsinState, side: str) -> list[str]:
    """Return the formations of a side on the map."""
    return sorted(each for each, it in state.formations.items() if it.side == side and it.standing == ON_MAP)


def in_area(state: KhamsinState, side: str, area: str) -> list[str]:
    """Return the force of a side in an area: its formations there (KH-2.08)."""
    return sorted(
        each for each, it in state.formations.items() if it.area == area and it.side == side and it.standing == ON_MAP
    )


def fighters_in(state: KhamsinState, side: str, area: str) -> list[str]:
    """Return the formations of a side in an area that can fight."""
    return [each for each in in_area(state, side, area) if state.formations[each].strength > 0]


def is_enemy_occupied(state: KhamsinState, side: str, area: str) -> bool:
    """Return whether enemies that can fight are in an area (KH-8.13). Leaders are not formations (KH-6.07)."""
    return area in occupied_by(state, ENEMY[side])


def occupied_by(state: KhamsinState, side: str) -> set[str]:
    """Return the areas in which a side has formations that can fight."""
    return {it.area for it in state.formations.values() if it.side == side and it.standing == ON_MAP and it.strength}


def areas_of(state: KhamsinState, side: str) -> set[str]:
    """Return the areas in which a side has any formation."""
    return {it.area for it in state.formations.values() if it.side == side and it.standing == ON_MAP}


# --- module data of a formation ---


def card_id(state: KhamsinState, formation_id: str) -> str:
    """Return the id of the card that applies: a part of a divided formation uses the card of the whole (KH-R117)."""
    return state.formations[formation_id].parent or formation_id


def card(state: KhamsinState, formation_id: str) -> FormationCard:
    """Return a formation's card, or for a part that of the whole formation."""
    board: Board = state.board
    return board.formations[card_id(state, formation_id)]


def nation(state: KhamsinState, formation_id: str) -> NationCard:
    """Return the card of a formation's nation."""
    board: Board = state.board
    return board.nations[card(state, formation_id).nation]


# --- strength and losses ---


def strength(state: KhamsinState, formations: list[str]) -> int:
    """Return the strength of a force in companies: the sum over its formations (KH-2.09)."""
    return sum(state.formations[each].strength for each in formations)


def composition(state: KhamsinState, formations: list[str]) -> dict[str, int]:
    """Return the companies of a force by class, which is all that an enemy may learn of it (KH-6.05, KH-R101)."""
    counts = dict.fromkeys(INTEL_CLASSES, 0)
    for each in formations:
        for name, count in companies_by_class(state.board, card(state, each), state.formations[each].strength).items():
            counts[name] += count
    return {name: count for name, count in counts.items() if count}


def companies_by_class(board: Board, its_card: FormationCard, number: int) -> dict[str, int]:
    """Return the companies by class of a formation with ``number`` companies (KH-R101).

    They are taken from its options in turn, the most usual first. With the options armor and mechanized, for example,
    two of three companies are armor. Classes without a company are omitted.
    """
    options, counts = its_card.options, dict.fromkeys(INTEL_CLASSES, 0)
    for index in range(number if options else 0):
        counts[board.companies[options[index % len(options)]].intel] += 1
    return {name: count for name, count in counts.items() if count}


def total_attrition(state: KhamsinState, formation_id: str) -> int:
    """Return the sum of armor and general attrition (KH-21.14). A part shares the ledger of its formation."""
    book = ledger(state, formation_id)
    return book.armor + book.general


def is_ineffective(state: KhamsinState, formation_id: str) -> bool:
    """Return whether a formation is combat ineffective (KH-22.13)."""
    return total_attrition(state, formation_id) >= INEFFECTIVE


# --- moving ---


def mobility(state: KhamsinState, formation_id: str) -> str:
    """Return the mobility class of a formation this turn: leg if it is out of supply (KH-8.12)."""
    return card(state, formation_id).mobility if state.formations[formation_id].supplied else LEG


def allowance(state: KhamsinState, formation_id: str) -> int:
    """Return a formation's movement points for this turn (KH-8.01 to KH-8.04)."""
    return ALLOWANCE[mobility(state, formation_id)]


def has_doctrine(state: KhamsinState, formation_id: str) -> bool:
    """Return whether a formation may move although it should regroup (KH-20.07, KH-R71)."""
    if not nation(state, formation_id).doctrine or card(state, formation_id).mobility not in (RECON, MOTOR):
        return False
    return state.formations[formation_id].supplied or state.options["doctrine_mobility"] == "ignore_supply"


def owes_regroup(state: KhamsinState, formation_id: str) -> bool:
    """Return whether a formation should regroup this turn (KH-20.05, KH-20.10)."""
    formation = state.formations[formation_id]
    return formation.regroup or formation.doctrine


def is_bound_part(state: KhamsinState, formation_id: str) -> bool:
    """Return whether a formation is a part that holds a fortress while its parent is on the map (KH-7.02)."""
    board: Board = state.board
    formation = state.formations[formation_id]
    if not formation.parent or board.fortress.get(formation.area) != formation.side:
        return False
    return state.formations[formation.parent].standing == ON_MAP


def why_not_leave(state: KhamsinState, formation_id: str) -> Refusal | None:
    """Return why a formation may not leave its area this turn, or None if it may."""
    formation, its_card = state.formations[formation_id], card(state, formation_id)
    board: Board = state.board
    if its_card.held_until > state.turn:
        when = board.label(its_card.held_until)
        return Refusal("KH-7.03", f"{its_card.title} may not leave {board.names[formation.area]} before {when}")
    if formation.mark == "stationary":
        return Refusal("KH-R94", f"{its_card.title} was marked as stationary for its replacements: it holds this turn")
    if owes_regroup(state, formation_id) and not has_doctrine(state, formation_id):
        return Refusal("KH-20.05", f"{its_card.title} must regroup: it holds this turn")
    if is_bound_part(state, formation_id):
        here = board.names[formation.area]
        return Refusal("KH-7.02", f"this part of {its_card.title} holds {here} until its formation returns")
    return None


def why_no_orders(state: KhamsinState, side: str, formation_id: str) -> Refusal:
    """Return why a formation has no line on the orders sheet, without revealing whether an enemy formation exists."""
    board: Board = state.board
    formation = state.formations.get(formation_id)
    leader = state.leaders.get(formation_id)
    if leader is not None and leader.side == side:
        return Refusal("KH-8.15", f"{board.leaders[formation_id].title} is a leader: leaders have a separate sheet")
    if formation is None or formation.side != side:
        return Refusal("KH-3.06", "no formation of this side has this name")
    title = card(state, formation_id).title
    if formation.standing == LOST:
        return Refusal("KH-20.04", f"{title} is out of the campaign")
    if formation.standing == IN_BASE:
        return Refusal("KH-22.15", f"{title} is combat ineffective in its base: it can move again when fit")
    if formation.standing == ON_MAP:
        return Refusal("KH-3.06", f"another commander writes the orders of {title}")
    enters = card(state, formation_id).enters
    if not enters:
        return Refusal("KH-1.08", f"{title} is not deployed yet: it is deployed during setup")
    return Refusal("KH-4.03", f"{title} is not on the map yet: it arrives on {board.label(enters)}")


def crossing(state: KhamsinState, mobility_class: str, a: str, b: str, interdicted: Collection[str] = ()) -> int:
    """Return the cost from ``a`` to its neighbor ``b`` for a mobility class, in the weather of this turn."""
    return points_between(state.board, state.weather, mobility_class, (a, b), interdicted)


def points_between(
    board: Board, weather: str, mobility_class: str, ends: tuple[str, str], interdicted: Collection[str] = ()
) -> int:
    """Return the cost in movement points of a connector between two areas for a mobility class.

    A connector into or out of an interdicted area costs at least the cross-country rate, for both sides (KH-7.07,
    KH-R109).
    """
    points = _by_kind(board, weather, mobility_class, board.kind_between[ends])
    if any(each in interdicted for each in ends):
        points = max(points, _by_kind(board, weather, mobility_class, board.cross_country))
    return points


LEG_RULES = {"recon": "KH-8.01", "motor": "KH-8.02", "semi_motor": "KH-8.03", "leg": "KH-8.04"}
"""Rules of the movement points per turn, by mobility class."""


def points_left(state: KhamsinState, formation_id: str, cost: int) -> Calculation:
    """Return the calculation of the movement points left after ``cost`` is paid, which can be negative (KH-8.11)."""
    formation, kind = state.formations[formation_id], mobility(state, formation_id)
    steps = [(kind, ALLOWANCE[kind], LEG_RULES[kind] if formation.supplied else "KH-8.12")]
    steps += [("spent earlier", -formation.spent, "KH-8.10")] if formation.spent else []
    return Calculation("points_left", (*steps, ("this connector", -cost, "KH-8.10")))


def cost_of(state: KhamsinState, formation_id: str, a: str, b: str) -> Calculation:
    """Return the calculation of a connector's cost: its kind, the weather, interdiction (see ``points_between``)."""
    board: Board = state.board
    kind, card_of = board.kind_between[a, b], board.weather.cards.get(state.weather)
    usual = board.cost[kind][mobility(state, formation_id)]
    extra = card_of.extra.get(kind, 0) if card_of else 0
    steps = [(kind, usual, "KH-8.09")]
    steps += [(state.weather, extra, "KH-4.02")] if extra else []
    more = cost(state, formation_id, a, b) - usual - extra if state.interdicted else 0
    return Calculation("cost", (*steps, ("interdicted", more, "KH-7.07")) if more else tuple(steps))


def _by_kind(board: Board, weather: str, mobility_class: str, kind: str) -> int:
    card = board.weather.cards.get(weather)
    return board.cost[kind][mobility_class] + (card.extra.get(kind, 0) if card else 0)


def cost(state: KhamsinState, formation_id: str, a: str, b: str) -> int:
    """Return the cost for a formation from ``a`` to ``b`` now, including interdiction."""
    return crossing(state, mobility(state, formation_id), a, b, state.interdicted)
