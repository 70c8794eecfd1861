"""The coast road: free extra spaces, cut supply, relief (DAA-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import Lay, changed_scenario, ready, set_up
from tests.plugins.desert_aa.positions import minutes
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model import events as event_types
from desert_aa.model.state import Unit
from desert_aa.movement.supply import behind_on_own_path, blocked_units

if TYPE_CHECKING:
    from transcripts import Transcript

STOPPED = "DAA-6.04 DAA-6.05 DAA-4.09 DAA-4.03"
"""The rules that may be cited against moving a unit whose supply is cut."""
TRACK = changed_scenario({"connectors": [{"between": ["ALX", "FUK"], "kind": "desert"}]})
ROAD = [
    *(row("DAA-6.02", f"the extra space on the road is free for {unit}", f"ALA {unit}", f"shift {unit}: {path}",
          f"where {unit} = {path[-3:]}", f"is {unit} = advanced", "turn england", f"is {unit} = ready",
          f"shift {unit}: {' '.join(reversed(path.split()))}", f"where {unit} = ALA")
      for unit, path in (("uk-inf-1", "ALA FUK MAT"), ("uk-art-1", "ALA FUK MAT"), ("uk-arm-1", "ALA FUK MAT SIB"))),
    row("DAA-6.02", "the road is free in combat movement as well", "TOB de-inf-1", "attack de-inf-1: TOB BDI BUQ",
        "fight", "holder BUQ = germany", "is de-inf-1 = advanced"),
    row("DAA-6.02", "the road gives no space beyond the extra one", "ALA uk-inf-1 uk-arm-1",
        "no shift uk-inf-1: ALA FUK MAT SIB = DAA-4.02 DAA-16.02",
        "no shift uk-arm-1: ALA FUK MAT SIB BUQ = DAA-5.01 DAA-16.02"),
    row("DAA-6.01 DAA-R18", "a desert track between two road spaces is not the road", "MAT uk-inf-1",
        "shift uk-inf-1: MAT FUK ALX", "is uk-inf-1 = extended", scenario=TRACK),
    *(row("DAA-R19 DAA-10.01", f"flak on the road: {option}", "ALA uk-aa-1", "shift uk-aa-1: ALA FUK MAT",
          "where uk-aa-1 = MAT", f"is uk-aa-1 = {condition}", road_flak=option)
      for option, condition in (("yes", "advanced"), ("no", "extended"))),
]  # fmt: skip
BARDIA = "shift uk-arm-1: MAT SIB BUQ BDI"
"""The path of an English tank from Matruh to Bardia. Its rear is Buq Buq, then Sidi Barrani."""


def cut(rules: str, name: str, units: str, *steps: str, **setup: Any) -> Any:
    """Return a row in which the tank has gone to Bardia."""
    return row(rules, name, f"MAT uk-arm-1; {units}", BARDIA, *steps, **{"control": {"england": "BDI"}, **setup})


CUT_BY_ENGLAND = "shift it-arm-1: TOB BDI BUQ SIB", "turn england", "attack uk-inf-1: GSA BDI", "turn germany"
"""An Italian tank drives to Sidi Barrani, and England blocks Bardia. Its rear is towards Tripoli."""
HELD = {"italy": "BUQ SIB"}
FRIENDS = "TOB it-arm-1; GSA uk-inf-1; GUB de-inf-1"
BLOCKED = "turn germany", "attack de-inf-1: GSA BUQ"
CUTS = [
    *(cut("DAA-6.03 DAA-6.04 DAA-R22", f"a blocker in {blocker}", f"{start} de-inf-1", "turn germany",
          f"{'shift' if blocker == 'TOB' else 'attack'} de-inf-1: {start} {blocker}", "turn england",
          f"where de-inf-1 = {blocker}", f"is uk-arm-1 = {condition}")
      for start, blocker, condition in (
          ("GSA", "BUQ", "cut"),  # one road space behind
          ("HAB", "SIB", "cut"),  # two behind
          ("MIN", "MAT", "ready"),  # three behind: too far
          ("GUB", "TOB", "ready"),  # one ahead: no rear
          ("GSA", "HAB", "ready"),  # beside the road
      )),
    cut("DAA-6.03 DAA-R23", "the cut is made when the enemy turn ends", "GSA de-inf-1", *BLOCKED,
        "phase noncombat_move", "is uk-arm-1 = advanced", "turn italy", "is uk-arm-1 = cut", "cut = uk-arm-1 BUQ"),
    *(cut("DAA-6.03", f"{power} can cut", f"GSA {unit}", f"turn {power}", f"attack {unit}: GSA BUQ", "turn england",
          "is uk-arm-1 = cut") for power, unit in (("germany", "de-inf-1"), ("italy", "it-inf-1"))),
    row("DAA-6.03", "Axis units are cut in the turn of England", FRIENDS, *CUT_BY_ENGLAND, "is it-arm-1 = cut",
        control=HELD),
    cut("DAA-6.05", "a cut unit serves the penalty", "GSA de-inf-1", *BLOCKED, "turn england",
        f"no attack uk-arm-1: BDI BUQ = {STOPPED}", f"no shift uk-arm-1: BDI BUQ = {STOPPED} DAA-18.02",
        "is uk-arm-1 = cut", "turn germany", "is uk-arm-1 = ready"),
    cut("DAA-6.06 DAA-6.07", "a unit is free in non-combat movement once the blocker is destroyed",
        "GSA de-inf-1; HAB uk-inf-1", *BLOCKED, "turn england", f"no attack uk-arm-1: BDI TOB = {STOPPED}",
        "attack uk-inf-1: HAB BUQ", "fight", "is uk-arm-1 = ready", "shift uk-arm-1: BDI BUQ SIB",
        "where uk-arm-1 = SIB", dice="1, 6"),
    cut("DAA-6.06", "a blocker that survives the attack keeps the unit down", "GSA de-inf-1; HAB uk-inf-1", *BLOCKED,
        "turn england", "attack uk-inf-1: HAB BUQ", "fight retreat HAB", "is uk-arm-1 = cut", dice="6, 6"),
    cut("DAA-R26", "a blocker that stays costs one turn only", "GSA de-inf-1", *BLOCKED, "turn england germany england",
        "at BUQ = de-inf-1", "is uk-arm-1 = ready", "attack uk-arm-1: BDI GUB", "count UnitsCut = 1"),
    row("DAA-R20", "a unit that used no free space is not cut", "SIB uk-arm-1; HAB uk-inf-1; GSA de-inf-1",
        "shift uk-arm-1: SIB BUQ BDI; uk-inf-1: HAB SIB", *BLOCKED, "turn england",  # two spaces, one space
        "is uk-arm-1 uk-inf-1 = ready ready", control={"england": "BDI"}),
    cut("DAA-R20", "a free advance is safe once its power has played again", "GSA de-inf-1", "turn england", *BLOCKED,
        "turn england", "is uk-arm-1 = ready"),
    # English infantry marches east toward Cairo, from Matruh by Fuka to El Alamein. Alexandria is ahead, Fuka behind.
    *(row("DAA-R21", f"the rear by {rear}, a blocker in {blocker}", f"MAT uk-inf-1; {start} de-inf-1",
          "shift uk-inf-1: MAT FUK ALA", "turn germany", f"attack de-inf-1: {start} {blocker}", "turn italy",
          f"is uk-inf-1 = {condition}", rear_direction=rear)
      for rear, start, blocker, condition in (
          ("own_capital", "RUW", "FUK", "advanced"), ("own_capital", "NAT", "ALX", "cut"),
          ("own_path", "RUW", "FUK", "cut"), ("own_path", "NAT", "ALX", "advanced"),
      )),
    # Germany destroys the blocker before Italy's next turn.
    row("DAA-R23", "a cut once made stays", FRIENDS, *CUT_BY_ENGLAND, "attack de-inf-1: GUB BDI", "turn italy",
        f"no attack it-arm-1: SIB MAT = {STOPPED}", dice="1, 6", control=HELD, cut_test="enemy_turn_end"),
    row("DAA-R23", "by option the cut is tested at the start of the own turn", FRIENDS, *CUT_BY_ENGLAND,
        "attack de-inf-1: GUB BDI", "turn italy", "attack it-arm-1: SIB MAT", dice="1, 6", control=HELD,
        cut_test="own_turn_start"),
    cut("DAA-R23", "a cut at the start of the own turn costs that turn", "GSA de-inf-1", *BLOCKED, "turn italy",
        "is uk-arm-1 = advanced", "turn england", "is uk-arm-1 = cut", f"no attack uk-arm-1: BDI TOB = {STOPPED}",
        "turn germany", "is uk-arm-1 = ready", cut_test="own_turn_start"),
    # Germany holds the zone of Matruh, two road spaces behind Buq Buq.
    row("DAA-R24", "an enemy that arrives as a reinforcement cuts", "MIN uk-inf-1", "shift uk-inf-1: MIN SIB BUQ",
        "turn germany", "go buy infantry 1; place MAT infantry 1", "turn england", "at MAT = de-inf-1",
        "is uk-inf-1 = cut", control={"germany": "MAT"}, state={"cash": {"axis": 3, "allies": 0}}),
    *(row("DAA-R24", f"{blocker} in the rear", f"HAB uk-inf-1; SIB {blocker}", "shift uk-inf-1: HAB BUQ BDI",
          "is uk-inf-1 = advanced", "turn england", f"is uk-inf-1 = {condition}",
          control={"germany": "SIB", "england": "BDI"})
      for blocker, condition in (("de-ftr-1", "ready"), ("de-aa-1", "cut"))),
    *(row("DAA-R25", f"a partner clears the road: {option}", FRIENDS, *CUT_BY_ENGLAND, "attack de-inf-1: GUB BDI",
          "turn italy", "phase noncombat_move", f"is it-arm-1 = {condition}", dice="1, 6", control=HELD,
          cut_relief=option) for option, condition in (("side", "ready"), ("controller", "cut"))),
    *(cut("DAA-R25", f"the owner clears the road: {option}", "GSA de-inf-1; HAB uk-inf-1", *BLOCKED, "turn england",
          "attack uk-inf-1: HAB BUQ", "fight", "is uk-arm-1 = ready", "stood = uk-arm-1", dice="1, 6",
          cut_relief=option) for option in ("side", "controller")),
    cut("DAA-R25", "both rear spaces must be clear", "GSA de-inf-1..2; MIN uk-inf-1", *BLOCKED,
        "attack de-inf-2: GSA HAB SIB", "turn england", "attack uk-inf-1: MIN SIB", "fight", "at SIB = uk-inf-1",
        "at BUQ = de-inf-1", "is uk-arm-1 = cut", dice="1, 6", control={"england": "BDI", "germany": "HAB"}),
]  # fmt: skip


@pytest.mark.rule("DAA-10.01", "DAA-6.01", "DAA-6.02", "DAA-6.03", "DAA-6.04", "DAA-6.05", "DAA-6.06", "DAA-6.07")
@pytest.mark.rule("DAA-R18", "DAA-R19", "DAA-R20", "DAA-R21", "DAA-R22", "DAA-R23", "DAA-R24", "DAA-R25", "DAA-R26")
@pytest.mark.parametrize("row", ROAD + CUTS)
def test_supply_on_the_coast_road_follows_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


"""The rules that may be cited against moving a unit whose supply is cut."""


@pytest.mark.rule("DAA-R18")
@pytest.mark.parametrize(
    ("unit", "path", "extra_leg", "whole_move"),
    [
        ("uk-inf-1", "ALA FUK MAT", "advanced", "advanced"),
        ("uk-inf-1", "RUW FUK MAT", "advanced", "extended"),
        ("uk-inf-1", "MAT FUK RUW", "extended", "extended"),
        ("uk-arm-1", "HAB MIN FUK ALA", "advanced", "extended"),
        ("uk-arm-1", "SIB MAT FUK RUW", "extended", "extended"),
    ],
)
def test_free_move_follows_the_road_by_option(lay: Lay, unit: str, path: str, extra_leg: str, whole_move: str) -> None:
    assert lay(f"{path[:3]} {unit}").shift(unit, path).condition(unit) == extra_leg
    assert lay(f"{path[:3]} {unit}", road_rule="whole_move").shift(unit, path).condition(unit) == whole_move


@pytest.mark.rule("DAA-R21", "DAA-R22")
@pytest.mark.parametrize(
    ("path", "space", "behind"),
    [
        ("MAT SIB BUQ BDI", "BDI", ("BUQ", "SIB")),
        ("MAT SIB BUQ BDI", "BUQ", ("SIB", "MAT")),  # it withdrew one space
        ("HAB MIN FUK ALA", "ALA", ("FUK",)),  # Minqar Qaim is off the road, but counts as a step
        ("MIN FUK ALA", "ALA", ("FUK",)),
        ("HAB MIN RUW", "RUW", ()),
        ("MAT SIB BUQ BDI", "GUB", ()),  # it withdrew to a space that is not on its path
        ("", "BDI", ()),
    ],
)
def test_rear_of_a_unit_follows_its_own_path(path: str, space: str, behind: tuple[str, ...]) -> None:
    unit = Unit("england", "armor", space, path=path.split())
    assert behind_on_own_path(ready("western_desert").board, unit) == behind


@pytest.mark.rule("DAA-6.03", "DAA-R24")
def test_nearest_blocker_is_named_without_planes_and_friends() -> None:
    prepared = ready("western_desert")
    units = (
        "BDI uk-arm-1..2; BUQ de-inf-1; SIB it-inf-1 uk-inf-1; TOB de-arm-1; ALA uk-arm-3; ALX de-ftr-1; FUK uk-inf-2"
    )
    state = set_up(prepared, units, "england")
    state.place_board(prepared.board)
    for unit in ("uk-arm-1", "uk-arm-3", "de-arm-1"):
        state.units[unit].condition = "advanced"
    assert blocked_units(state, "england", "advanced") == {"uk-arm-1": "BUQ"}
    assert blocked_units(state, "germany", "advanced") == {}
    assert blocked_units(state, "england", "cut") == {}
    state.units["de-inf-1"].space = "ALX"
    assert blocked_units(state, "england", "advanced") == {"uk-arm-1": "SIB", "uk-arm-3": "ALX"}


@pytest.mark.rule("DAA-6.03", "DAA-6.05", "DAA-R15")
@pytest.mark.parametrize(
    ("owner", "unit", "path", "power", "blocker", "way"),
    [
        ("england", "uk-arm-1", "MAT SIB BUQ BDI", "germany", "de-inf-1", "GSA BUQ"),  # England plays next round
        ("england", "uk-arm-1", "MAT SIB BUQ BDI", "italy", "it-inf-1", "GSA BUQ"),  # in the same round
        ("italy", "it-arm-1", "TOB BDI BUQ SIB", "england", "uk-inf-1", "GSA BDI"),
        ("germany", "de-arm-1", "TOB BDI BUQ SIB", "england", "uk-inf-1", "GSA BDI"),
    ],
)
def test_cut_unit_stays_down_until_the_end_of_its_next_turn(
    lay: Lay, owner: str, unit: str, path: str, power: str, blocker: str, way: str, transcript: Transcript
) -> None:
    control = {"england": "BDI"} if owner == "england" else {"italy": "BUQ SIB"}
    case = lay(f"{path[:3]} {unit}; GSA {blocker}", owner, control=control).shift(unit, path).to_turn(power)
    now = case.state.turn
    case.attack(blocker, way).until(lambda case: bool(case.events(event_types.UnitsCut)))
    transcript(f"round {now}\n{minutes(case.events(event_types.UnitsCut))}")


@pytest.mark.rule("DAA-6.03", "DAA-4.10", "DAA-6.06", "DAA-14.07")
def test_partners_are_cut_together_and_recover_separately(lay: Lay, transcript: Transcript) -> None:
    """England blocks Bardia behind one Italian and two German units. Germany clears it; the Italian loses a turn."""
    units, held = "TOB it-arm-1 de-arm-1..2; GSA uk-inf-1; GUB de-inf-1", {"italy": "BUQ SIB"}
    case = lay(units, "italy", dice="1, 6", control=held, cut_relief="controller")
    case.shift("it-arm-1", "TOB BDI BUQ SIB").to_turn("england")
    for unit in ("de-arm-1", "de-arm-2"):
        case.state.units[unit].space, case.state.units[unit].condition = "SIB", "advanced"
    case.attack("uk-inf-1", "GSA BDI").to_turn("germany").attack("de-inf-1", "GUB BDI").fight()
    assert len(case.events(event_types.UnitsStoodUp)) == 1
    case.to_turn("italy").to_turn("england")
    transcript(minutes(case.events(event_types.PowerTurnBegan, event_types.UnitsCut, event_types.UnitsStoodUp)))
