"""Fighting in minefields: strikes, sweeps, withdrawals (DAA-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.positions import GSA, between, minutes
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model import events as event_types
from desert_aa.model.orders import DeclineSweep, DesignateGuns, PressOn, Sweep, TakeLosses
from desert_aa.model.state import Minefield

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript

    from sandtable.kernel.decisions import Roll

OLD = Minefield("germany", known=True, entries=1)
"""A field that has been entered once."""


def enter(rules: str, name: str, units: str, defense: str, *steps: str, **setup: Any) -> Any:
    """Return a row: England's ``units`` go from Habata into mined Gabr Saleh."""
    setup = {"mines": {"GSA": "germany"}, **setup}
    return row(rules, name, f"HAB {units}; {defense}", f"attack {units}: HAB GSA", *steps, **setup)


AGAIN = "turn england", "attack uk-inf-1: HAB GSA", "fight"
FOOT = "GSA de-inf-1"
FIELDS = [
    *(enter("DAA-9.02", f"the first entry: a die of {die[0]}", "uk-inf-1", "", "fight", f"where uk-inf-1 = {left}",
            dice=die) for die, left in (("1", "-"), ("3", "-"), ("4, 6", "HAB"))),
    *(enter("DAA-9.03 DAA-9.09", f"a later entry: a die of {die[0]}", "uk-inf-1", "", "fight", *AGAIN,
            f"where uk-inf-1 = {left}", "struck = 1 2", dice=f"6, 6, {die}")
      for die, left in (("1", "-"), ("2", "-"), ("3, 6", "HAB"))),
    enter("DAA-9.11 DAA-9.09 DAA-9.10", "a known field keeps its weaker numbers until it is swept", "uk-inf-1", "",
          "fight", *AGAIN, *AGAIN, *AGAIN, "needs = 3, 2, 2, 3, 2, 3, 2, 3", "mines = -",
          dice="6, 6, 3, 4, 3, 4, 3, 3"),
    # Infantry, tank and artillery roll in the order of the move; the fighter rolls no die.
    enter("DAA-9.02 DAA-9.04 DAA-R40", "each land unit has its own die", "uk-inf-1 uk-arm-1 uk-art-1 uk-ftr-1", FOOT,
          "fight retreat HAB", "struck units = uk-inf-1 uk-arm-1 uk-art-1", "lost = uk-art-1", dice="6 6 2, 6 6 6, 6"),
    *(enter("DAA-R40", f"by option the owner of the intruders gives up {loss}", "uk-inf-1 uk-arm-1", "", "end",
            "asked = england", f"lose {loss}", "fight", f"units = {left}", dice="1 6, 6", mine_alloc="owner_chooses")
      for loss, left in (("uk-arm-1", "uk-inf-1"), ("uk-inf-1", "uk-arm-1"))),
    enter("DAA-9.04 DAA-9.05", "units struck are gone before the battle", "uk-arm-1..2", FOOT, "fight retreat HAB",
          "needs = 3 3, 3, 2", "opened = uk-arm-2", dice="1 6, 6, 6"),
    *(enter("DAA-9.06 DAA-9.07", f"a first field is swept on {die}", "uk-arm-1", FOOT, "fight", "needs = 3, 3, 2, 2",
            "mines = -", "holder GSA = england", "at GSA = uk-arm-1", "spaces MinefieldSwept = GSA",
            dice=f"6, 3, 6, {die}") for die in "12"),
    enter("DAA-9.06 DAA-9.08", "a three does not sweep a first field, and the attacker pulls out", "uk-arm-1", FOOT,
          "fight", "where uk-arm-1 = HAB", "holder GSA = germany", "known GSA = True", "spaces SweepFailed = GSA",
          dice="6, 3, 6, 3"),
    *(enter("DAA-9.10", f"a known field: a sweep of {die}", "uk-inf-1", "", "fight", "needs = 2, 3",
            f"holder GSA = {holder}", f"mines = {mines}", dice=f"6, {die}", mines={"GSA": OLD})
      for die, holder, mines in (("3", "england", "-"), ("4", "germany", "GSA"))),
    enter("DAA-9.08", "the attacker may leave the field unswept and pull out", "uk-inf-1", "", "fight decline",
          "where uk-inf-1 = HAB", "holder GSA = germany", dice="6"),
    row("DAA-9.06 DAA-R17", "after a failed sweep each unit withdraws along its path",
        "HAB uk-inf-1; BUQ uk-inf-2; MIN uk-arm-1",
        "attack uk-inf-1: HAB GSA; uk-inf-2: BUQ GSA; uk-arm-1: MIN SIW GSA", "fight",
        "where uk-inf-1 uk-inf-2 uk-arm-1 = HAB BUQ SIW", dice="6 6 6, 6", mines={"GSA": "germany"}),
    row("DAA-R17 DAA-16.04", "armor that withdraws after a blitz ends on captured ground", "HAB uk-arm-1",
        "attack uk-arm-1: HAB GSA TEN", "fight", "where uk-arm-1 = GSA", "holder GSA TEN = england italy", dice="6, 6",
        mines={"TEN": "italy"}),
    row("DAA-R41", "all units that enter in one phase are one entry", "HAB uk-inf-1; BUQ uk-inf-2",
        "attack uk-inf-1: HAB GSA; uk-inf-2: BUQ GSA", "fight", "needs = 3 3", "entries GSA = 1", "units = -",
        dice="3 3", mines={"GSA": "germany"}),
    # The infantry is lost in the field and the fighter wins, so there is neither a sweep nor a capture.
    enter("DAA-R44 DAA-R66", "planes do not sweep", "uk-inf-1 uk-ftr-1", FOOT, "fight", "units = uk-ftr-1",
          "count MinefieldSwept = 0", "count SweepFailed = 0", "holder GSA = germany", "mines = GSA", dice="1, 3, 6"),
    enter("DAA-9.06 DAA-R45", "a field is tried once in a combat phase", "uk-inf-1..3", "", "fight", "needs = 3 3 3, 2",
          "at HAB = uk-inf-1 uk-inf-2 uk-inf-3", dice="6 6 6, 6"),
    enter("DAA-R46", "an undefended field is swept right after the mine dice", "uk-inf-1", "", "end",
          "moment = combat_move", "asked = england", "wants sweep = True", "sweep", "count BattleOpened = 0",
          "holder GSA = england", "at GSA = uk-inf-1", dice="6, 2"),
    enter("DAA-R46 DAA-R53", "flak in an undefended field changes sides with the sweep", "uk-inf-1", "GSA de-aa-1",
          "fight", "count BattleOpened = 0", "power de-aa-1 = england", dice="6, 2"),
    # The battle is won and the sweep fails. The next entry meets only the mines, which hit.
    enter("DAA-R49 DAA-8.08", "a field stays active when its defenders are gone", "uk-arm-1", FOOT, "fight",
          "at GSA = -", "turn england", "attack uk-arm-1: HAB GSA", "fight", "units = -", "count RoundFought = 1",
          dice="6, 3, 6, 6, 2"),
    enter("DAA-R47 DAA-8.08", "a repelled attack leaves the ground with its holder", "uk-arm-1", FOOT,
          "fight retreat HAB", "holder GSA = germany", "entries GSA = 1", dice="6, 6, 6"),
    enter("DAA-9.08 DAA-18.01", "a unit that withdrew counts as moved", "uk-inf-1", "", "fight",
          "no shift uk-inf-1: HAB MIN = DAA-18.01", dice="6, 6"),
    enter("DAA-R34 DAA-9.05", "mines strike before flak fires", "uk-inf-1 uk-ftr-1", "GSA de-inf-1 de-aa-1",
          "fight retreat HAB", "rolls = mines flak attack defence", dice="6, 6, 6 6, 6"),
    row("DAA-R41 DAA-R46", "two fields that are entered strike one after the other", "SIW uk-inf-1..2; HAB uk-inf-3",
        "attack uk-inf-3: HAB GSA; uk-inf-1..2: SIW GIR", "fight sweep", "spaces MinesStruck = GIR GSA",
        "struck units = uk-inf-1 uk-inf-2; uk-inf-3", "struck hits = 2 0", "mines = GIR",
        "holder GSA GIR = england italy", dice="3 3, 6, 2", mines={"GIR": "italy", "GSA": "germany"}),
]  # fmt: skip


@pytest.mark.rule("DAA-16.04", "DAA-18.01", "DAA-8.08", "DAA-9.02", "DAA-9.03", "DAA-9.04", "DAA-9.05", "DAA-9.06")
@pytest.mark.rule("DAA-9.07", "DAA-9.08", "DAA-9.09", "DAA-9.10", "DAA-9.11", "DAA-R17", "DAA-R34", "DAA-R40")
@pytest.mark.rule("DAA-R41", "DAA-R44", "DAA-R45", "DAA-R46", "DAA-R47", "DAA-R49", "DAA-R53", "DAA-R66")
@pytest.mark.parametrize("row", FIELDS)
def test_minefields_follow_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


"""A field that has been entered once."""


@pytest.mark.rule("DAA-R34", "DAA-7.06", "DAA-9.02", "DAA-10.03", "DAA-17.04", "DAA-17.05", "DAA-9.07", "DAA-R31")
def test_battle_in_a_minefield_ends_with_the_field_swept(lay: Lay, rolls: list[Roll], transcript: Transcript) -> None:
    """Mines destroy infantry, flak the bomber, an Italian gun (on 2) a tank; the others win in two rounds."""
    case = lay(
        "HAB uk-inf-1..2 uk-art-1 uk-arm-1..2 uk-ftr-1 uk-bom-1; GSA de-inf-1 de-art-1 it-art-1 de-aa-1",
        dice="3 6 6 6 6, 2 1, 4 2, 2 6 3 6, 1, 6 6 1, 2",
        mines={GSA: "germany"},
        at_italy="two",
    )
    case.attack("uk-bom-1 uk-inf-1..2 uk-art-1 uk-arm-1..2 uk-ftr-1", "HAB GSA")
    guns = DesignateGuns(["de-art-1"]), DesignateGuns(["it-art-1"])
    case.fight(*guns, TakeLosses(["it-art-1", "de-inf-1"]), TakeLosses(["uk-ftr-1"]), PressOn(), Sweep())
    transcript(minutes([*between(case, event_types.EntryChecked), *between(case, event_types.BattleOpened), *rolls]))


@pytest.mark.rule("DAA-9.09", "DAA-9.10", "DAA-9.08", "DAA-R40")
@pytest.mark.parametrize("entries", [1, 2])
def test_later_entry_into_an_unswept_field_rolls_again(
    lay: Lay, rolls: list[Roll], entries: int, transcript: Transcript
) -> None:
    mine = Minefield("germany", known=True, entries=entries)
    units = "HAB uk-inf-1; BUQ uk-arm-1; SIW uk-arm-2"
    case = lay(units, dice="6 2 6, 4", mines={GSA: mine}, mine_alloc="owner_chooses")
    case.attack("uk-inf-1", "HAB GSA").attack("uk-arm-1", "BUQ GSA").attack("uk-arm-2", "SIW GSA")
    case.fight(TakeLosses(["uk-arm-1"]))
    transcript(minutes([*between(case, event_types.MinesStruck), *rolls]))


@pytest.mark.rule("DAA-9.08")
def test_field_stays_after_a_battle_without_a_sweep(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1", dice="6, 1, 6", mines={GSA: "italy"})
    case.attack("uk-arm-1", "HAB GSA").fight(DeclineSweep())
    transcript(minutes(between(case, event_types.SweepFailed)))
