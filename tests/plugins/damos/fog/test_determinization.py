"""Evaluation of a game and random enemy strengths, for search bots (DM-2.4c)."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.plugins.damos.positions import MOSCOW, shipped

from damos.bots.evaluation import evaluate
from damos.fog.determinization import deal
from damos.fog.views import view
from damos.model.state import ON_MAP, DamosState
from sandtable.kernel.dice import Stream

Lay = Callable[..., Any]


def german(state: DamosState) -> int:
    shares = evaluate(state, state.board)
    assert sum(shares.values()) == 1000
    return shares["german"]


def test_prospects_before_set_up_are_even() -> None:
    prepared = shipped("agc", ())
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    for unit in state.units.values():
        if unit.side == "german":
            unit.standing = "pool"
    assert german(state) == 500


@pytest.mark.rule("AGC-5.0")
def test_strength_near_the_objective_early_is_better(lay: Lay) -> None:
    def evaluated(hexes: str, turn: int = 9, sp: int = 7) -> int:
        units = "; ".join(f"{hex_} A{number}:{sp}" for number, hex_ in enumerate(hexes.split(), 1))
        case = lay(german=units, soviet="2808 i1:9", turn=turn, moscow=MOSCOW)
        return german(case.state)

    far, near = "2812 2813 2814 2815", "2806 2807 2812 2813"
    assert evaluated(far) < evaluated(near)
    assert evaluated(near, sp=3) < evaluated(near)
    assert evaluated(near, turn=11) < evaluated(near)


@pytest.mark.rule("AGC-5.0a", "AGC-5.0c")
def test_holding_the_city_or_its_gates_is_better(lay: Lay) -> None:
    def evaluated(where: str, **more: Any) -> int:
        units = f"{where} A1:5; 2206 A2:5; 2306 A3:5; 2406 A4:5"
        case = lay(german=units, soviet="2808 i1:9", turn=12, moscow=MOSCOW, **more)
        return german(case.state)

    outside, inside = evaluated("2105"), evaluated("2102", control={"german": MOSCOW})
    before = german(lay("2103 A1:5; 2203 A2:5; 2306 A3:5; 2406 A4:5; 2808 i1:9", turn=12, moscow=MOSCOW).state)
    assert outside < 500 < inside
    assert outside < before


@pytest.mark.rule("DM-2.4c")
@pytest.mark.parametrize("side", ["german", "soviet"])
def test_only_the_enemys_strengths_are_dealt_again(lay: Lay, side: str) -> None:
    case = lay("2816 A1:5/7! I1:6; 2817 I2:5~; 2815 i1:5/9; 2814 a1:2/4!")
    seen = view(case.state, side)
    dealt_sp: dict[str, set[int]] = {}
    for number in range(40):
        dealt = deal(seen, case.state.board, Stream(bytes([number])))
        dealt.options = dict(case.state.options)
        for name in ("turn", "phase", "phasing_side", "phasing_power"):
            setattr(dealt, name, getattr(case.state, name))
        assert msgspec.json.encode(view(dealt, side)) == msgspec.json.encode(seen)
        for name, unit in dealt.units.items():
            if unit.side == side:
                assert unit == case.state.units[name]
            elif unit.standing == ON_MAP:
                assert 1 <= unit.sp <= case.state.board.counters[name].sp
                dealt_sp.setdefault(name, set()).add(unit.sp)
    assert all(len(found) > 1 for name, found in dealt_sp.items() if case.state.board.counters[name].sp > 2)
