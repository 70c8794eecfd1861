"""A battle for exact odds: two forces given as text, in a small state at the beginning of combat."""

from collections.abc import Hashable, Mapping

from desert_aa import options as all_options
from desert_aa.model.board import Board
from desert_aa.model.state import DesertState, Unit
from desert_aa.model.tables import (
    ALIASES,
    DESERT,
    FIGHTING,
    FLAK,
    KIND_NAMES,
    KINDS,
    OPEN,
    PREFIX,
    ROAD,
    SHORT,
    SIDE_NAMES,
    SIDE_OF,
    SIDES,
)
from desert_aa.setup.opening import build_board, opening_state
from desert_aa.setup.reading import Sheet
from desert_aa.setup.validation import Facts
from desert_aa.turn.sequence import SEQUENCE
from sandtable import Decision, IllegalOrder, OddsBattle, Order
from sandtable.areas import Area, AreaMap, Connector

POWER_WORDS = {**{power: power for power in SIDE_OF}, **{short: power for power, short in PREFIX.items()}}
KIND_WORDS = {
    **{kind: kind for kind in KINDS},
    **{word: kind for names in (SHORT, KIND_NAMES) for kind, word in names.items()},
    **ALIASES,
}
FIELD, HOME, AWAY = "FIELD", "HOME", "AWAY"
MAX_UNITS = 99

Force = dict[str, dict[str, int]]
"""The number of units by power and kind."""


def battle(attack: str, defend: str, options: Mapping[str, str]) -> OddsBattle:
    """Return the battle of ``attack`` on ``defend``, such as "uk: infantry=10, armor=5"; partners join with "+".

    The cheapest units are lost first, no gun is an anti-tank gun, and neither side retreats. Raises IllegalOrder if a
    text cannot be parsed or the forces cannot fight each other.
    """
    attackers, defenders = read_force(attack, "the attack"), read_force(defend, "the defense")
    if len(attackers) > 1:
        raise IllegalOrder("DAA-16.09", "the attack: partners never attack together; name one power")
    power = next(iter(attackers))
    sides = {SIDE_OF[each] for each in defenders}
    if SIDE_OF[power] in sides:
        raise IllegalOrder(
            "",
            f"the defense: {SIDE_NAMES[SIDE_OF[power]]} cannot attack and defend; name powers of the other side",
        )
    if FLAK in attackers[power]:
        raise IllegalOrder("DAA-15.06", "the attack: flak never attacks")
    chosen = {option.name: option.default for option in all_options()} | dict(options) | {"round_limit": "1"}
    board = _board(power, next(iter(defenders)), chosen)
    state = _state(board, chosen, attackers, defenders)
    return OddsBattle(state, board, choose, result, key)


def read_force(text: str, label: str) -> Force:
    """Return the force that ``text`` means. Raises IllegalOrder, with ``label`` for the force, if it is wrong."""
    force: Force = {}
    for part in text.split("+"):
        word, colon, stacks = part.partition(":")
        power = POWER_WORDS.get(word.strip().lower())
        if not colon or power is None:
            known = ", ".join(PREFIX.values())
            raise IllegalOrder("", f"{label}: begin with a power and a colon, such as uk:infantry=2; powers: {known}")
        counts = force.setdefault(power, {})
        for stack in stacks.split(","):
            name, _, number = (word.strip().lower() for word in stack.partition("="))
            kind = KIND_WORDS.get(name)
            if kind is None:
                kinds = ", ".join(KIND_NAMES[each] for each in KINDS)
                raise IllegalOrder("", f"{label}: unknown kind {name[:40]!r}; kinds: {kinds}")
            if not (number.isascii() and number.isdigit() and len(number) < 4 and 0 < int(number) <= MAX_UNITS):
                raise IllegalOrder(
                    "",
                    f"{label}: {name}={number[:20]} must have a whole number from 1 to {MAX_UNITS}",
                )
            counts[kind] = counts.get(kind, 0) + int(number)
    if not any(kind in FIGHTING for counts in force.values() for kind in counts):
        raise IllegalOrder("", f"{label}: flak alone cannot fight; add another kind of unit")
    return force


def _board(attacker: str, defender: str, options: Mapping[str, str]) -> Board:
    """Return a board of three spaces: the capitals of attacker and defender, and the field between them."""
    owners = {HOME: attacker, FIELD: defender, AWAY: defender}
    facts = {
        space: Facts(
            OPEN,
            owner,
            1,
            road=space != FIELD,
            city=False,
            zone=False,
            capital="" if space == FIELD else SIDE_OF[owner],
        )
        for space, owner in owners.items()
    }
    areas = tuple(Area(space, space.title(), OPEN) for space in owners)
    links = (Connector(HOME, FIELD, DESERT), Connector(FIELD, AWAY, DESERT), Connector(HOME, AWAY, ROAD))
    income = {power: sum(owner == power for owner in owners.values()) for power in SIDE_OF}
    sheet = Sheet(AreaMap("battle", areas, links), facts, income, dict.fromkeys(SIDES, 0), 0, {}, 1)
    return build_board("battle", "A battle", sheet, options)


def _state(board: Board, options: Mapping[str, str], attackers: Force, defenders: Force) -> DesertState:
    """Return the state at the beginning of the attacker's combat phase, with all units in the field."""
    state = opening_state(board, options)
    state.cash = dict.fromkeys(state.cash, 0)
    for force in (attackers, defenders):
        for power, counts in force.items():
            for kind, number in counts.items():
                for place in range(1, number + 1):
                    unit = Unit(power, kind, FIELD)
                    if force is attackers:
                        unit.path, unit.moved = [HOME, FIELD], 1
                    state.units[f"{PREFIX[power]}-{SHORT[kind]}-{place}"] = unit
    power = next(iter(attackers))
    state.combats = {FIELD: [each for each, unit in state.units.items() if unit.power == power]}
    steps = [step.name for step in SEQUENCE.steps]
    state.turn, state.in_phase, state.phase = 1, True, f"{power}.combat"
    state.position = steps.index(state.phase)
    state.phasing_power, state.phasing_side = power, SIDE_OF[power]
    return state


def choose(decision: Decision) -> Order:
    """Return the first option: the cheapest losses, no anti-tank guns, fight on, no other action."""
    order: Order = next(decision.options.values())
    return order


def _fighting(state: DesertState) -> tuple[int, int]:
    """Return the numbers of attacking and of defending units, without flak."""
    side = SIDE_OF[state.board.owner[HOME]]
    fighting = [SIDE_OF[unit.power] == side for unit in state.units.values() if unit.kind in FIGHTING]
    return sum(fighting), len(fighting) - sum(fighting)


def result(state: DesertState) -> str | None:
    """Return "attacker", "defender" or "draw" if a side has no unit left except flak, or None while both have one."""
    attackers, defenders = _fighting(state)
    if attackers and defenders:
        return None
    return "attacker" if attackers else "defender" if defenders else "draw"


def key(state: DesertState) -> Hashable:
    """Return the facts that decide the rest of the battle: whether it has begun, and the units by power and kind."""
    counts: dict[str, int] = {}
    for unit in state.units.values():
        name = f"{unit.power}.{unit.kind}"
        counts[name] = counts.get(name, 0) + 1
    return state.battle is not None, tuple(sorted(counts.items()))
