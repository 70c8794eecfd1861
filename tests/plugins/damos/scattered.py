"""Random positions on the map of Army Group Center for oracles: units, control and railways in any state."""

from tests.plugins.damos.positions import GERMAN, SOVIET, shipped

from damos.model.state import ON_MAP, DamosState
from sandtable.kernel.dice import Stream

OTHER = {GERMAN: SOVIET, SOVIET: GERMAN}


def opening(**options: str) -> DamosState:
    """Return the state before set-up."""
    prepared = shipped("agc", tuple(sorted(options.items())))
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    assert isinstance(state, DamosState)
    return state


def scattered(seed: int, *, most: int = 90, **options: str) -> DamosState:
    """Return a random position: up to ``most`` units on some hexes, the front anywhere, most rail converted."""
    chance = Stream(b"scattered %d" % seed)
    state = opening(**options)
    board = state.board
    state.turn = chance.pick([2, 5, 9, 12])
    front = 3 + chance.below(22)
    for hex_ in state.control:
        east = int(hex_[2:]) < front
        holder = SOVIET if east else GERMAN
        state.control[hex_] = OTHER[holder] if chance.one_in(16) else holder
    state.converted = [
        hex_
        for hex_ in sorted(board.rail_around)
        if board.home[hex_] == GERMAN or (int(hex_[2:]) >= front and not chance.one_in(10))
    ]
    places = chance.sample(sorted(board.area), 60)
    for unit_id in chance.sample(sorted(state.units), 20 + chance.below(most - 19)):
        unit = state.units[unit_id]
        unit.hex, unit.standing = chance.pick(places), ON_MAP
        unit.sp = 1 + chance.below(unit.sp)
        unit.demoralized, unit.spent = chance.one_in(5), chance.one_in(3)
    return state
