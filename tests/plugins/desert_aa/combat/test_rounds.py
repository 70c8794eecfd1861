"""Rounds and retreats (DAA-11.01, DAA-16.06, DAA-17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.rows import Row, battle, play, row

from desert_aa.model.events import BattleOpened
from desert_aa.model.orders import ChooseCombat, EndMoves, Retreat

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay


@pytest.mark.rule("DAA-17.01")
@pytest.mark.parametrize("first", ["GSA", "GIR"])
def test_attacker_chooses_the_next_battle(lay: Lay, first: str) -> None:
    case = lay("HAB uk-inf-1; SIW uk-inf-2; GSA de-inf-1; GIR it-inf-1", dice="6, 6, 6, 6")
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", "SIW GIR").submit(EndMoves())
    assert case.asked.seat == "england"
    assert case.refused(ChooseCombat("HAB")) == "DAA-17.01"
    second = {"GSA": "GIR", "GIR": "GSA"}[first]
    home = {"GSA": "HAB", "GIR": "SIW"}
    case.submit(ChooseCombat(first)).go(Retreat(home[first]), Retreat(home[second]))
    assert [event.space for event in case.events(BattleOpened)] == [first, second]
    assert [event.attackers for event in case.events(BattleOpened)][0 if first == "GSA" else 1] == ["uk-inf-1"]


THREE = "HAB uk-inf-1; BUQ uk-inf-2; MIN uk-arm-1; GSA de-inf-1"
FROM_THREE = "attack uk-inf-1: HAB GSA; uk-inf-2: BUQ GSA; uk-arm-1: MIN HAB GSA", "end", "to retreat"
ROUNDS = [
    *(battle("DAA-11.01 DAA-15.07", f"support for {attackers}", attackers, "de-inf-1", "go retreat HAB",
             f"needs = {needs}, 2", dice=f"{' '.join('6' for _ in needs.split())}, 6")
      for attackers, needs in (
          ("uk-inf-1..3", "1 1 1"), ("uk-inf-1..3 uk-art-1", "1 1 2 2"), ("uk-inf-1..3 uk-art-1..2", "1 2 2 2 2"),
          ("uk-inf-1 uk-art-1..2", "2 2 2"), ("uk-arm-1 uk-art-1", "2 3"),
      )),
    battle("DAA-15.07", "a gun that is lost supports nothing in the next round", "uk-inf-1 uk-art-1", "de-inf-1",
           "go lose uk-art-1; press", "go retreat HAB", "needs = 2 2, 2, 1, 2", dice="6 6, 2, 6, 6"),
    battle("DAA-11.01", "guns support no infantry in defense", "uk-inf-1", "it-inf-1 it-art-1", "go retreat HAB",
           "needs = 1, 1 1", dice="6, 6 6"),
    *(battle("DAA-17.04", f"an attacker of 3 hits with {die}", "uk-arm-1", "de-inf-1", "fight", "where de-inf-1 = -",
             dice=f"{die}, 6") for die in "13"),
    battle("DAA-17.04", "an attacker of 3 misses with 4", "uk-arm-1", "de-inf-1", "fight retreat HAB",
           "where de-inf-1 = GSA", dice="4, 6"),
    *(battle("DAA-17.05", f"a defender of 2 hits with {die}", "uk-arm-1", "de-inf-1", "fight", "where uk-arm-1 = -",
             dice=f"6, {die}") for die in "12"),
    battle("DAA-17.05", "a defender of 2 misses with 3", "uk-arm-1", "de-inf-1", "fight retreat HAB",
           "where uk-arm-1 = HAB", dice="6, 3"),
    battle("DAA-17.05 DAA-17.07", "a defender just hit fires back before it is removed", "uk-inf-1", "de-inf-1",
           "fight", "units = -", "happened = RoundFought", "lost = de-inf-1; uk-inf-1", "holder GSA = germany",
           "ended = destroyed", dice="1, 2"),
    battle("DAA-17.08 DAA-16.06", "rounds continue until one side is gone", "uk-arm-1", "de-inf-1",
           "fight press; press",
           "count RoundFought = 3", "at GSA = uk-arm-1", dice="6, 6, 6, 6, 3, 6"),
    battle("DAA-17.08 DAA-16.06", "an attack ends when the attacker is gone", "uk-arm-1", "de-inf-1", "fight",
           "at GSA = de-inf-1", "holder GSA = germany", "ended = held", dice="6, 1"),
    # Refused: a friendly space from which no attacker came, a space that is not adjacent, an enemy space.
    *(row("DAA-17.09 DAA-R16 DAA-16.06", f"all ground attackers pull back to {back}", THREE, *FROM_THREE,
          *(f"refuse retreat {other} = DAA-17.09" for other in ("SIW", "MIN", "GUB")), f"retreat {back}",
          f"at {back} = uk-arm-1 uk-inf-1 uk-inf-2", "at GSA = de-inf-1", dice="6 6 6, 6") for back in ("HAB", "BUQ")),
    row("DAA-R16", "by option each attacker retreats along its own path", THREE, *FROM_THREE,
        "refuse retreat HAB = DAA-17.09 DAA-R16", "retreat", "where uk-inf-1 uk-inf-2 uk-arm-1 = HAB BUQ HAB",
        dice="6 6 6, 6", retreat_rule="own_origin"),
    battle("DAA-17.09", "a retreat comes after a round, not before", "uk-arm-1", "de-inf-1", "wants retreat = True",
           "needs = 3, 2", "retreat HAB", dice="6, 6"),
    # In the second of two rounds one of two identical defenders is lost, so only England decides.
    battle("DAA-17.10", "the defense never decides on a retreat", "uk-arm-1", "de-inf-1..2", "asked = england", "press",
           "asked = england", "retreat HAB", "size GSA = 1", dice="6, 6 6, 1, 6 6"),
    battle("DAA-17.09", "planes stay behind a retreat and land later", "uk-inf-1 uk-ftr-1", "de-inf-1",
           "fight retreat HAB", "where uk-inf-1 uk-ftr-1 = HAB GSA", "shift uk-ftr-1: GSA HAB MIN",
           "where uk-ftr-1 = MIN", dice="6 6, 6"),
    battle("DAA-17.12", "partners defend as one force", "uk-inf-1", "de-inf-1 it-inf-1 it-ftr-1", "fight retreat HAB",
           "needs = 1, 1 2 3", dice="6, 6 6 6"),
    row("DAA-18.06", "stacks have no limit", "HAB uk-inf-1..30; MIN uk-inf-31..60 uk-arm-1..20",
        "shift uk-inf-31..60 uk-arm-1..20: MIN HAB", "size HAB = 80"),
]  # fmt: skip


@pytest.mark.rule("DAA-11.01", "DAA-15.07", "DAA-16.06", "DAA-17.04", "DAA-17.05", "DAA-17.07", "DAA-17.08")
@pytest.mark.rule("DAA-17.09", "DAA-17.10", "DAA-17.12", "DAA-18.06", "DAA-R16")
@pytest.mark.parametrize("row", ROUNDS)
def test_battle_rounds_follow_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-17.01", "DAA-R56")
def test_attacker_chooses_among_raids_before_battles(lay: Lay) -> None:
    case = lay("SIB de-bom-1 de-inf-1; MAT uk-inf-1; GSA de-inf-2; HAB uk-inf-2", "germany", dice="6, 6, 6, 6, 6")
    case.attack("de-bom-1", "SIB MAT", raid=True).attack("de-inf-1", "SIB MAT").attack("de-inf-2", "GSA HAB")
    case.submit(EndMoves())
    assert list(case.asked.options.values()) == [ChooseCombat("HAB"), ChooseCombat("MAT")]
    case.submit(ChooseCombat("MAT")).submit(ChooseCombat("MAT")).go(Retreat("SIB"), Retreat("GSA"))
    assert [purpose for purpose, _ in case.rolls()] == [
        "raid.MAT",
        "attack.MAT",
        "defence.MAT",
        "attack.HAB",
        "defence.HAB",
    ]
