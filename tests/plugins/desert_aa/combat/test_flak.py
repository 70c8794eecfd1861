"""Anti-aircraft guns: DAA-10."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import between, minutes
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model import events as event_types
from desert_aa.model.orders import Retreat, TakeLosses

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript

    from sandtable.kernel.decisions import Roll


FLAK = [
    # A fighter and a bomber: the second die is 1, so one is lost and the other attacks alone.
    row("DAA-10.03 DAA-17.02", "each plane meets a die of flak and falls on a one before it fires",
        "HAB uk-ftr-1 uk-bom-1; GSA de-inf-1 de-aa-1", "attack uk-ftr-1 uk-bom-1: HAB GSA", "fight retreat",
        "flak = uk-ftr-1 uk-bom-1", "lost = uk-bom-1", "needs = 1 1, 3, 2", dice="2 1, 6, 6"),
    row("DAA-10.03", "flak hits on one", "HAB uk-ftr-1; GSA de-inf-1 de-aa-1", "attack uk-ftr-1: HAB GSA", "fight",
        "where uk-ftr-1 = -", dice="1"),
    row("DAA-10.03", "flak misses with two", "HAB uk-ftr-1; GSA de-inf-1 de-aa-1", "attack uk-ftr-1: HAB GSA",
        "fight retreat", "where uk-ftr-1 = GSA", dice="2, 6, 6"),
    row("DAA-10.03", "flak does not fire at land units", "HAB uk-inf-1; GSA de-inf-1 de-aa-1",
        "attack uk-inf-1: HAB GSA", "fight retreat HAB", "needs = 1, 2", dice="6, 6"),
    row("DAA-10.05", "flak is silent in later rounds", "HAB uk-ftr-1; GSA de-inf-1 de-aa-1",
        "attack uk-ftr-1: HAB GSA", "end", "rounds 2", "go retreat", "needs = 1, 3, 2, 3, 2", dice="2, 6, 6, 6, 6"),
    # Two planes and three guns give two dice.
    row("DAA-17.03 DAA-R50", "one of many flak guns fires", "HAB uk-ftr-1..2; GSA de-inf-1 de-aa-1..3",
        "attack uk-ftr-1..2: HAB GSA", "fight retreat", "needs = 1 1, 3 3, 2", dice="2 2, 6 6, 6"),
    # Two hits on one infantry and two flak guns: only the infantry is lost.
    row("DAA-10.06", "flak is never among the losses", "HAB uk-arm-1..2; GSA de-inf-1 de-aa-1..2",
        "attack uk-arm-1..2: HAB GSA", "fight", "lost = de-inf-1", "at GSA = de-aa-1 de-aa-2 uk-arm-1 uk-arm-2",
        dice="1 1, 6"),
    row("DAA-10.06 DAA-17.06", "flak cannot be given up for a hit", "HAB uk-arm-1; GSA de-inf-1 de-art-1 de-aa-1",
        "attack uk-arm-1: HAB GSA", "end", "to lose", "refuse lose de-aa-1 = DAA-10.06 DAA-17.06",
        "go lose de-inf-1; retreat HAB", dice="1, 6 6"),
    row("DAA-10.07", "captured flak fires for its new owner", "HAB uk-arm-1; GSA de-inf-1 de-aa-1; TOB de-ftr-1",
        "attack uk-arm-1: HAB GSA", "turn germany", "attack de-ftr-1: TOB GUB GSA", "fight", "where de-ftr-1 = -",
        "gunners = england", dice="1, 6, 1"),
    *(row("DAA-R53 DAA-10.07", f"a space with flak alone falls to {unit} without a battle", f"HAB {unit}; GSA de-aa-1",
          f"attack {unit}: HAB GSA", "fight", "count BattleOpened = 0", "needs = -", "holder GSA = england",
          "taken = de-aa-1") for unit in ("uk-inf-1", "uk-arm-1")),
    # From Habata over the flak of Gabr Saleh to the infantry in El Gubi.
    *(row("DAA-R51", f"flak under the flight path: {option}", "HAB uk-ftr-1; GSA de-aa-1; GUB de-inf-1",
          "attack uk-ftr-1: HAB GSA GUB", "fight retreat", f"needs = {needs}", dice=dice, aa_overflight=option)
      for option, dice, needs in (("no", "6, 6", "3, 2"), ("yes", "2, 6, 6", "1, 3, 2"))),
    row("DAA-R51", "by option a plane may be shot down on its way", "HAB uk-ftr-1; GSA de-aa-1; GUB de-inf-1",
        "attack uk-ftr-1: HAB GSA GUB", "fight", "where uk-ftr-1 = -", "count BattleOpened = 0", dice="1",
        aa_overflight="yes"),
]  # fmt: skip


@pytest.mark.rule("DAA-10.03", "DAA-10.05", "DAA-10.06", "DAA-10.07", "DAA-17.02", "DAA-17.03", "DAA-17.06")
@pytest.mark.rule("DAA-R50", "DAA-R51", "DAA-R53")
@pytest.mark.parametrize("row", FLAK)
def test_flak_follows_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-13.02", "DAA-13.03", "DAA-13.04", "DAA-R54", "DAA-10.04")
@pytest.mark.parametrize(("option", "need"), [("one", 1), ("four", 4)])
def test_raid_on_a_zone_meets_flak_and_hits_by_option(
    lay: Lay, rolls: list[Roll], option: str, need: int, transcript: Transcript
) -> None:
    dice = f"6 1 6, {need} {need + 1}"
    case = lay("BDI de-bom-1..3; MAT uk-inf-1 uk-art-1 uk-aa-1", "germany", dice=dice, tbr_hit=option)
    case.attack("de-bom-1..3", "BDI BUQ SIB MAT", raid=True).fight(TakeLosses(["uk-art-1"]))
    planned = case.events(event_types.MovePlanned, event_types.CombatsDeclared)
    transcript(minutes([*planned, *between(case, event_types.FlakFired), *rolls]))


@pytest.mark.rule("DAA-13.02")
def test_raid_without_bombers_or_targets_has_no_effect(lay: Lay) -> None:
    shot = lay("BDI de-bom-1; MAT uk-inf-1 uk-aa-1", "germany", dice="1")
    shot.attack("de-bom-1", "BDI BUQ SIB MAT", raid=True).fight()
    assert shot.events(event_types.RaidFlown) == [event_types.RaidFlown("germany", "MAT", [], 0)]
    assert not [event for event in shot.events(event_types.UnitsLost) if event.cause == "raid"]


@pytest.mark.rule("DAA-10.03", "DAA-R51")
def test_planes_of_one_kind_with_different_paths_are_distinguished(lay: Lay, rolls: list[Roll]) -> None:
    case = lay("HAB uk-ftr-1; MIN uk-ftr-2; GSA de-inf-1 de-aa-1", dice="6 1, 6, 6")
    case.attack("uk-ftr-1", "HAB GSA").attack("uk-ftr-2", "MIN HAB GSA").fight(Retreat())
    assert not rolls[0].pooled
    assert case.events(event_types.UnitsLost)[0].units == ["uk-ftr-2"]


@pytest.mark.rule("DAA-R51")
def test_flak_fires_at_planes_on_their_path_by_option(lay: Lay, rolls: list[Roll]) -> None:
    # The path crosses two spaces with flak. The guns at the target fire when the battle begins.
    case = lay(
        "HAB uk-bom-1..2; GSA de-aa-1; GUB de-aa-2; TOB de-inf-1 de-aa-3", dice="1 6, 6, 6, 6, 6", aa_overflight="yes"
    )
    case.attack("uk-bom-1..2", "HAB GSA GUB TOB").fight(Retreat())
    assert [(roll.purpose, roll.rule, roll.units) for roll in rolls[:3]] == [
        ("overflight.GSA", "DAA-R51", ("uk-bom-1", "uk-bom-2")),
        ("overflight.GUB", "DAA-R51", ("uk-bom-2",)),
        ("flak.TOB", "DAA-10.03", ("uk-bom-2",)),
    ]
    assert [event.units for event in case.events(event_types.UnitsLost)] == [["uk-bom-1"]]
    alone = lay("HAB uk-bom-1; GSA de-aa-1; GUB de-aa-2; TOB de-inf-1", dice="1", aa_overflight="yes")
    alone.attack("uk-bom-1", "HAB GSA GUB TOB").fight()
    assert [event.space for event in alone.events(event_types.FlakFired)] == ["GSA"]


@pytest.mark.rule("DAA-R51", "DAA-18.01")
def test_flak_fires_at_transferring_planes_by_option(lay: Lay, rolls: list[Roll]) -> None:
    case = lay("HAB uk-ftr-1..2; GSA de-aa-1", dice="1 6", aa_overflight="yes", control={"england": "BUQ"})
    case.shift("uk-ftr-1..2", "HAB GSA BUQ").to_turn("germany")
    assert [roll.purpose for roll in rolls] == ["overflight.GSA"]
    assert case.at("BUQ") == "uk-ftr-2"
    assert case.events(event_types.UnitsMoved)[0].rule == "DAA-12.01"
