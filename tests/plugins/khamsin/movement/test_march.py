"""Marches without a state: meetings, catches, bounces and control."""

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS

from khamsin.movement.march import March, Piece, Rules, run_march


@pytest.mark.rule("KH-R13", "KH-R99", "KH-8.11")
@pytest.mark.parametrize("clock", [True, False])
def test_clock_spreads_legs_over_the_day(clock: bool) -> None:
    """In twelfths of a day: 1 point of 6 takes 2, 2 of 4 take 6, 1 of 2 takes 6, and 4 of 1 take all 12."""
    costs = {("b", "c"): 1, ("c", "d"): 2, ("e", "f"): 2, ("f", "g"): 2, ("h", "i"): 1, ("j", "k"): 4}
    pieces = [
        Piece("entering", "axis", ["", "a"], 4, 1),
        Piece("recon", "axis", ["b", "c", "d"], 6, 1),
        Piece("motor", "axis", ["e", "f", "g"], 4, 1),
        Piece("semi", "axis", ["h", "i"], 2, 1),
        Piece("leg", "axis", ["j", "k"], 1, 1),
    ]
    rules = Rules(clock=clock, live=False, continues=False, caught=False, single=False, any_time=False)
    march = March(pieces, {"axis": set(), "allies": set()}, {}, lambda _, a, b: costs[a, b], rules)
    march.run()
    ticks = [[each.id for each in tick.crossings] for tick in march.ticks]
    if clock:
        assert ticks == [["entering"], ["recon"], ["motor", "recon", "semi"], ["leg", "motor"]]
    else:
        assert ticks == [["entering", "leg", "motor", "recon", "semi"], ["motor", "recon"]]
    assert [each.spent for each in march.pieces] == [0, 4, 4, 3, 1]


DEFAULTS = Rules(clock=False, live=False, continues=False, caught=False, single=False, any_time=False)


def piece(name: str, path: str, strength: int = 1, storms: str = "", points: int = 6) -> Piece:
    """Return a piece whose side is the first letter of its name: g is German, b British. Paths are "a b c"."""
    side = AXIS if name.startswith("g") else ALLIES
    return Piece(name, side, path.split(), points, strength, storms)


def marched(
    *pieces: Piece, control: str = "", cost: int = 1, held: dict[str, str] | None = None, **rules: bool
) -> March:
    """Run a march; ``control`` lists the areas of the Axis, and the Allies control all others."""
    areas = {area for each in pieces for area in each.path}
    owners = {area: AXIS if area in control.split() else ALLIES for area in areas}
    enemies = {side: set((held or {}).get(side, "").split()) for side in (AXIS, ALLIES)}

    def make() -> March:
        fresh = [Piece(it.id, it.side, list(it.path), it.allowance, it.strength, it.storms) for it in pieces]
        return March(fresh, enemies, owners, lambda *_: cost, DEFAULTS._replace(**rules))

    return run_march(make)


def ends(march: March) -> dict[str, str]:
    return {each.id: each.area for each in march.pieces}


def taken(march: March) -> list[tuple[str, str]]:
    return [each for tick in march.ticks for each in tick.taken]


@pytest.mark.rule("KH-3.09", "KH-R13", "KH-11.05", "KH-11.07", "KH-3.13", "KH-R103")
def test_areas_are_entered_by_leg_and_change_control_once() -> None:
    march = marched(piece("g", "a b c"), piece("g2", "x b"), control="a")
    assert [[(it.id, it.start, it.area, it.cost) for it in tick.crossings] for tick in march.ticks] == [
        [("g", "a", "b", 1), ("g2", "x", "b", 1)],
        [("g", "b", "c", 1)],
    ]
    assert taken(march) == [("b", AXIS), ("c", AXIS)]
    assert march.control["b"] == AXIS
    assert [tick.taken for tick in marched(piece("g", "a b"), control="a b").ticks] == [[]]


@pytest.mark.rule("KH-8.10", "KH-8.11", "KH-R11")
def test_later_leg_requires_points_and_an_area_free_at_the_start() -> None:
    assert ends(marched(piece("g", "a b c d", points=2))) == {"g": "c"}
    assert ends(marched(piece("g", "a b c", points=1), cost=4)) == {"g": "b"}
    assert ends(marched(piece("g", "a b c"), held={ALLIES: "c"})) == {"g": "b"}
    assert ends(marched(piece("g", "a b c"), held={AXIS: "c"})) == {"g": "c"}
    assert ends(marched(piece("g", "a b c"), held={ALLIES: "b"})) == {"g": "c"}  # the occupant has left before
    assert ends(marched(piece("g", "a b c"), held={ALLIES: "c"}, live=True)) == {"g": "c"}
    bounced = marched(piece("g", "a b c"), piece("b", "c"), held={ALLIES: "c"}, live=True)
    assert ends(bounced) == {"g": "b", "b": "c"}
    assert len(bounced.ticks[-1].crossings) == 0
    assert ends(marched(piece("g", "a c"), piece("b", "c"), live=True)) == {"g": "c", "b": "c"}


@pytest.mark.rule("KH-R14", "KH-R12", "KH-2.09", "KH-R15", "KH-R13")
def test_pieces_that_meet_stop_unless_the_enemy_is_guns() -> None:
    assert ends(marched(piece("g", "a b c"), piece("b", "x b y"))) == {"g": "b", "b": "b"}
    assert ends(marched(piece("g", "a b c"), piece("b", "x b y", 0))) == {"g": "c", "b": "b"}
    assert ends(marched(piece("g", "a b c", 0), piece("b", "b"))) == {"g": "b", "b": "b"}
    three = marched(piece("g", "a b c"), piece("g2", "z b d", 0), piece("b", "b"))
    assert ends(three) == {"g": "b", "g2": "b", "b": "b"}
    for continues, end in ((False, "b"), (True, "c")):
        assert ends(marched(piece("g", "a b c", storms="b"), continues=continues))["g"] == end
    assert ends(marched(piece("g", "a b c d", storms="c")))["g"] == "d"  # only the first area is stormed


@pytest.mark.rule("KH-11.05", "KH-2.09")
def test_area_is_taken_by_its_only_fighters_or_its_only_guns() -> None:
    assert taken(marched(piece("g", "a b", 0), control="a")) == [("b", AXIS)]
    assert taken(marched(piece("g", "a b", 0), piece("b", "b", 0), control="a")) == []
    assert taken(marched(piece("g", "a b"), piece("b", "b", 0), control="a")) == [("b", AXIS)]
    assert taken(marched(piece("g", "a b"), piece("b", "b"), control="a")) == []
    assert taken(marched(piece("g", "a b", 0), piece("b", "b"), control="a b")) == [("b", ALLIES)]


@pytest.mark.rule("KH-12.13", "KH-R19", "KH-R55", "KH-2.09")
def test_connector_clash_involves_all_or_the_strongest_piece() -> None:
    pieces = (
        piece("g", "a b", 2), piece("g2", "a b", 3), piece("g3", "a b", 3), piece("g4", "a c"), piece("b", "b a c", 1),
    )  # fmt: skip
    march = marched(*pieces)
    assert march.clashes == {("a", "b"): {AXIS: ["g", "g2", "g3"], ALLIES: ["b"]}}
    assert ends(march) == {"g": "", "g2": "", "g3": "", "g4": "c", "b": ""}
    march = marched(*pieces, single=True)
    assert march.clashes == {("a", "b"): {AXIS: ["g2"], ALLIES: ["b"]}}
    assert ends(march) == {"g": "a", "g2": "", "g3": "a", "g4": "c", "b": ""}
    assert marched(piece("g", "a b"), piece("b", "b a", 0)).clashes == {}
    assert marched(piece("g", "a b"), piece("b", "x a")).clashes == {}
    guns = marched(piece("g", "a b"), piece("g2", "a b", 0), piece("b", "b a"))
    assert guns.clashes == {("a", "b"): {AXIS: ["g", "g2"], ALLIES: ["b"]}}


@pytest.mark.rule("KH-R16")
def test_assaulted_piece_is_caught_unless_it_meets_the_attacker() -> None:
    def caught(path: str, way: str = "x a", storms: str = "a") -> str:
        return ends(marched(piece("g", path), piece("b", way, storms=storms), caught=True))["g"]

    assert caught("a b") == "a"
    assert caught("a x") == ""  # they meet on the connector
    assert caught("a b", storms="") == "b"
    assert caught("a b", storms="z") == "b"
    assert ends(marched(piece("g", "a b"), piece("b", "x a", storms="a")))["g"] == "b"
    assert ends(marched(piece("g", "a b"), piece("g2", "x a", storms="a"), caught=True))["g"] == "b"
    both = marched(piece("g", "a b"), piece("b", "b a", storms="a"), piece("b2", "x a", storms="a"), caught=True)
    assert ends(both)["g"] == "a"  # one of the two comes by another connector


@pytest.mark.rule("KH-R17")
def test_connector_crossed_at_any_time_causes_a_clash_by_option() -> None:
    pieces = (piece("g", "a b c"), piece("b", "d c b"))
    assert marched(*pieces).clashes == {("b", "c"): {AXIS: ["g"], ALLIES: ["b"]}}  # both in the second leg
    later = (piece("g", "a b"), piece("b", "d b a", 1))
    assert ends(marched(*later)) == {"g": "b", "b": "b"}
    passing: tuple[Piece, ...] = (piece("g", "a b e"), piece("b", "f d c b a", 1))
    assert marched(*passing).clashes == {}
    assert ends(marched(*passing)) == {"g": "e", "b": "a"}
    march = marched(*passing, any_time=True)
    assert march.clashes == {("a", "b"): {AXIS: ["g"], ALLIES: ["b"]}}
    assert ends(march) == {"g": "", "b": ""}
    guns = marched(piece("g", "a b e"), piece("b", "f d c b a", 0), any_time=True)
    assert (guns.clashes, ends(guns)) == ({}, {"g": "e", "b": "a"})
