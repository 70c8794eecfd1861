"""The minutes of a fight, line by line: every event with its rule and its sums, every roll with what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desert_aa.model import events as told
from desert_aa.model.orders import (
    DeclineSweep,
    DesignateGuns,
    EndMoves,
    PressOn,
    Retreat,
    Sweep,
    TakeLosses,
)
from desert_aa.model.state import Minefield
from sandtable.kernel.decisions import Roll
from sandtable.kernel.events import Calculation, Event, PhaseBegan, PhaseEnded
from sandtable.kernel.play.game import Game

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay


def sums(name: str, *steps: tuple[str, int, str]) -> tuple[Calculation, ...]:
    return (Calculation(name, steps),)


@pytest.fixture
def rolls(monkeypatch: pytest.MonkeyPatch) -> list[Roll]:
    """Every roll that is made, as the rules ask for it."""
    made: list[Roll] = []
    plain = Game._record_roll

    def record(game: Game, roll: Roll, *rest: Any) -> None:
        made.append(roll)
        plain(game, roll, *rest)

    monkeypatch.setattr(Game, "_record_roll", record)
    return made


def minutes(case: Case, since: type[Event], until: type[Event] = PhaseEnded) -> list[Event]:
    """Return what happened from the first event of a type up to the next of another."""
    happened = [event for event in case.events() if not isinstance(event, PhaseBegan)]
    first = next(place for place, event in enumerate(happened) if isinstance(event, since))
    last = next(place for place, event in enumerate(happened) if place > first and isinstance(event, until))
    return happened[first:last]


HAB, GSA = ["HAB", "GSA"], "GSA"


@pytest.mark.rule("DAA-R34", "DAA-7.06", "DAA-9.02", "DAA-10.03", "DAA-17.04", "DAA-17.05", "DAA-9.07", "DAA-R31")
def test_a_battle_in_a_minefield_from_the_first_step_to_the_lifted_field(lay: Lay, rolls: list[Roll]) -> None:
    """Mines take an infantryman, flak the bomber, an Italian gun that needs 2 a tank; the rest win in two rounds."""
    case = lay(
        "HAB uk-inf-1..2 uk-art-1 uk-arm-1..2 uk-ftr-1 uk-bom-1; GSA de-inf-1 de-art-1 it-art-1 de-aa-1",
        dice="3 6 6 6 6, 2 1, 4 2, 2 6 3 6, 1, 6 6 1, 2",
        mines={GSA: "germany"},
        at_italy="two",
    )
    case.attack("uk-bom-1 uk-inf-1..2 uk-art-1 uk-arm-1..2 uk-ftr-1", "HAB GSA")
    case.fight(
        DesignateGuns(["de-art-1"]),
        DesignateGuns(["it-art-1"]),
        TakeLosses(["it-art-1", "de-inf-1"]),
        TakeLosses(["uk-ftr-1"]),
        PressOn(),
        Sweep(),
    )
    walkers = ["uk-inf-1", "uk-inf-2", "uk-art-1", "uk-arm-1", "uk-arm-2"]
    planes = ["uk-ftr-1", "uk-bom-1"]
    assert minutes(case, told.EntryChecked) == [
        told.EntryChecked("england", [GSA], "DAA-8.10"),
        told.MinefieldDeclared("germany", GSA, "DAA-9.01"),
        told.UnitsMoved("england", walkers, HAB),
        told.UnitsMoved(
            "england",
            ["uk-bom-1", "uk-ftr-1"],
            HAB,
            rule="DAA-16.07",
            calculations=(
                *sums("left.bomber", ("range", 6, "DAA-15.05"), ("this flight", -1, "DAA-16.07")),
                *sums("left.fighter", ("range", 4, "DAA-15.04"), ("this flight", -1, "DAA-16.07")),
            ),
        ),
        told.MinesStruck("germany", GSA, 1, walkers, 1, "DAA-9.02", sums("hits", ("unit x5 on 3", 1, "DAA-9.02"))),
        told.UnitsLost(GSA, ["uk-inf-1"], "mines", "DAA-9.04"),
        told.CombatsDeclared("england", {GSA: ["uk-bom-1", *walkers[1:], "uk-ftr-1"]}, {}),
    ]
    assert minutes(case, told.BattleOpened) == [
        told.BattleOpened("england", GSA, [*walkers[1:], *planes], ["de-art-1", "it-art-1", "de-inf-1"]),
        told.FlakFired("germany", GSA, planes, 1, "DAA-10.03", sums("hits", ("plane x2 on 1", 1, "DAA-10.03"))),
        told.UnitsLost(GSA, ["uk-bom-1"], "flak", "DAA-17.02"),
        told.GunsDesignated(GSA, ["de-art-1", "it-art-1"]),
        told.GunsFired(
            GSA,
            ["de-art-1", "it-art-1"],
            ["uk-arm-1", "uk-arm-2"],
            1,
            "DAA-7.07",
            sums("hits", ("gun x1 on 3", 0, "DAA-7.08"), ("gun x1 on 2", 1, "DAA-R31")),
        ),
        told.UnitsLost(GSA, ["uk-arm-1"], "guns", "DAA-7.09"),
        told.RoundFought(
            GSA,
            1,
            2,
            1,
            "DAA-17.08",
            (
                *sums(
                    "attack_hits",
                    ("england infantry x1 on 2", 1, "DAA-11.01"),
                    ("england artillery x1 on 2", 0, "DAA-15.02"),
                    ("england armour x1 on 3", 1, "DAA-15.03"),
                    ("england fighter x1 on 3", 0, "DAA-15.04"),
                ),
                *sums("defence_hits", ("germany infantry x1 on 2", 1, "DAA-15.01")),
            ),
        ),
        told.UnitsLost(GSA, ["it-art-1", "de-inf-1"], "battle", "DAA-17.06"),
        told.UnitsLost(GSA, ["uk-ftr-1"], "battle", "DAA-17.06"),
        told.RoundFought(
            GSA,
            2,
            1,
            0,
            "DAA-17.08",
            (
                *sums(
                    "attack_hits",
                    ("england infantry x1 on 2", 0, "DAA-11.01"),
                    ("england artillery x1 on 2", 0, "DAA-15.02"),
                    ("england armour x1 on 3", 1, "DAA-15.03"),
                ),
                *sums("defence_hits"),
            ),
        ),
        told.UnitsLost(GSA, ["de-art-1"], "battle", "DAA-17.06"),
        told.MinefieldSwept(
            "germany",
            GSA,
            "england",
            calculations=sums("margin", ("needs at most", 2, "DAA-9.06"), ("die", -2, "DAA-9.06")),
        ),
        told.SpaceCaptured(GSA, "england", "england", "germany", ["de-aa-1"], "DAA-9.07"),
        told.BattleEnded(GSA, "taken", "DAA-9.07"),
    ]
    four, three = ("uk-inf-2", "uk-art-1", "uk-arm-2", "uk-ftr-1"), ("uk-inf-2", "uk-art-1", "uk-arm-2")
    guns = ("de-art-1", "it-art-1")
    assert rolls == [
        Roll(5, 6, "mines.GSA", "DAA-9.02", (3,) * 5, pooled=False, favours="axis", units=tuple(walkers)),
        Roll(2, 6, "flak.GSA", "DAA-10.03", (1, 1), pooled=False, favours="axis", units=tuple(planes)),
        Roll(2, 6, "guns.GSA", "DAA-7.08", (3, 2), pooled=True, favours="axis", units=guns),
        Roll(4, 6, "attack.GSA", "DAA-17.04", (2, 2, 3, 3), pooled=True, favours="allies", units=four),
        Roll(1, 6, "defence.GSA", "DAA-17.05", (2,), pooled=True, favours="axis", units=("de-inf-1",)),
        Roll(3, 6, "attack.GSA", "DAA-17.04", (2, 2, 3), pooled=True, favours="allies", units=three),
        Roll(1, 6, "sweep.GSA", "DAA-9.06", (2,), pooled=True, favours="allies"),
    ]


# --- flak and raids ---


@pytest.mark.rule("DAA-13.02", "DAA-13.03", "DAA-13.04", "DAA-R54", "DAA-10.04")
@pytest.mark.parametrize(("option", "need", "rule"), [("one", 1, "DAA-13.03"), ("four", 4, "DAA-R54")])
def test_a_raid_on_a_zone_with_flak(lay: Lay, rolls: list[Roll], option: str, need: int, rule: str) -> None:
    bombers = ["de-bom-1", "de-bom-2", "de-bom-3"]
    case = lay(
        "BDI de-bom-1..3; MAT uk-inf-1 uk-art-1 uk-aa-1", "germany", dice=f"6 1 6, {need} {need + 1}", tbr_hit=option
    )
    case.attack("de-bom-1..3", "BDI BUQ SIB MAT", raid=True).fight(TakeLosses(["uk-art-1"]))
    assert case.events(told.MovePlanned, told.CombatsDeclared) == [
        told.MovePlanned("germany", bombers, ["BDI", "BUQ", "SIB", "MAT"], raid=True),
        told.CombatsDeclared("germany", {}, {"MAT": bombers}),
    ]
    assert minutes(case, told.FlakFired) == [
        told.FlakFired("england", "MAT", bombers, 1, "DAA-10.04", sums("hits", ("plane x3 on 1", 1, "DAA-10.04"))),
        told.UnitsLost("MAT", ["de-bom-1"], "flak", "DAA-17.02"),
        told.RaidFlown("germany", "MAT", bombers[1:], 1, "DAA-13.03", sums("hits", (f"bomber x2 on {need}", 1, rule))),
        told.UnitsLost("MAT", ["uk-art-1"], "raid", "DAA-13.04"),
    ]
    assert rolls == [
        Roll(3, 6, "raidflak.MAT", "DAA-10.04", (1,) * 3, pooled=True, favours="allies", units=tuple(bombers)),
        Roll(2, 6, "raid.MAT", "DAA-13.03", (need,) * 2, pooled=True, favours="axis", units=tuple(bombers[1:])),
    ]


@pytest.mark.rule("DAA-13.02")
def test_a_raid_without_bombers_or_without_targets_strikes_nothing(lay: Lay) -> None:
    shot = lay("BDI de-bom-1; MAT uk-inf-1 uk-aa-1", "germany", dice="1")
    shot.attack("de-bom-1", "BDI BUQ SIB MAT", raid=True).fight()
    assert shot.events(told.RaidFlown) == [told.RaidFlown("germany", "MAT", [], 0)]
    assert not [event for event in shot.events(told.UnitsLost) if event.cause == "raid"]


@pytest.mark.rule("DAA-10.03", "DAA-R51")
def test_planes_of_one_kind_that_flew_different_ways_are_told_apart(lay: Lay, rolls: list[Roll]) -> None:
    case = lay("HAB uk-ftr-1; MIN uk-ftr-2; GSA de-inf-1 de-aa-1", dice="6 1, 6, 6")
    case.attack("uk-ftr-1", "HAB GSA").attack("uk-ftr-2", "MIN HAB GSA").fight(Retreat())
    assert not rolls[0].pooled
    assert case.events(told.UnitsLost)[0].units == ["uk-ftr-2"]


@pytest.mark.rule("DAA-R51")
def test_by_option_every_gun_on_the_way_fires_at_those_who_are_left(lay: Lay, rolls: list[Roll]) -> None:
    # Two spaces with flak are crossed; the guns at the target fire as the battle opens.
    case = lay(
        "HAB uk-bom-1..2; GSA de-aa-1; GUB de-aa-2; TOB de-inf-1 de-aa-3", dice="1 6, 6, 6, 6, 6", aa_overflight="yes"
    )
    case.attack("uk-bom-1..2", "HAB GSA GUB TOB").fight(Retreat())
    assert [(roll.purpose, roll.rule, roll.units) for roll in rolls[:3]] == [
        ("overflight.GSA", "DAA-R51", ("uk-bom-1", "uk-bom-2")),
        ("overflight.GUB", "DAA-R51", ("uk-bom-2",)),
        ("flak.TOB", "DAA-10.03", ("uk-bom-2",)),
    ]
    assert [event.units for event in case.events(told.UnitsLost)] == [["uk-bom-1"]]
    alone = lay("HAB uk-bom-1; GSA de-aa-1; GUB de-aa-2; TOB de-inf-1", dice="1", aa_overflight="yes")
    alone.attack("uk-bom-1", "HAB GSA GUB TOB").fight()
    assert [event.space for event in alone.events(told.FlakFired)] == ["GSA"]


@pytest.mark.rule("DAA-R51", "DAA-18.01")
def test_by_option_guns_fire_at_planes_that_change_their_field_as_well(lay: Lay, rolls: list[Roll]) -> None:
    case = lay("HAB uk-ftr-1..2; GSA de-aa-1", dice="1 6", aa_overflight="yes", control={"england": "BUQ"})
    case.shift("uk-ftr-1..2", "HAB GSA BUQ").to_turn("germany")
    assert [roll.purpose for roll in rolls] == ["overflight.GSA"]
    assert case.at("BUQ") == "uk-ftr-2"
    assert case.events(told.UnitsMoved)[0].rule == "DAA-12.01"


# --- anti-tank guns ---


@pytest.mark.rule("DAA-R27", "DAA-7.06")
@pytest.mark.parametrize(
    ("option", "dice", "shooters", "lost"),
    [
        ("double_up", "6 3 6", ("de-art-1", "de-art-2", "de-art-3"), ["uk-arm-2"]),
        ("double_up", "6 6 3", ("de-art-1", "de-art-2", "de-art-3"), ["uk-arm-1"]),
        ("double_up", "3 3 6", ("de-art-1", "de-art-2", "de-art-3"), ["uk-arm-1", "uk-arm-2"]),
        ("wasted", "6 3", ("de-art-1", "de-art-2"), ["uk-arm-1"]),
    ],
)
def test_more_guns_than_tanks(
    lay: Lay, rolls: list[Roll], option: str, dice: str, shooters: tuple[str, ...], lost: list[str]
) -> None:
    guns = ["de-art-1", "de-art-2", "de-art-3"]
    left = 2 - len(lost)
    case = lay("HAB uk-arm-1..2; GSA de-art-1..3", dice=dice + (", 6" if left else ""), at_surplus=option)
    case.attack("uk-arm-1..2", "HAB GSA").submit(EndMoves()).submit(DesignateGuns(guns))
    hits = dice.count("3")
    assert case.events(told.GunsFired) == [
        told.GunsFired(
            GSA,
            guns,
            ["uk-arm-1", "uk-arm-2"],
            hits,
            calculations=sums("hits", (f"gun x{len(shooters)} on 3", hits, "DAA-7.08")),
        )
    ]
    assert case.events(told.UnitsLost)[0] == told.UnitsLost(GSA, lost, "guns", "DAA-7.09")
    assert rolls[0] == Roll(
        len(shooters),
        6,
        "guns.GSA",
        "DAA-7.08",
        (3,) * len(shooters),
        pooled=option == "wasted",
        favours="axis",
        units=shooters,
    )


# --- minefields ---


@pytest.mark.rule("DAA-9.09", "DAA-9.10", "DAA-9.08", "DAA-R40")
@pytest.mark.parametrize("entries", [1, 2])
def test_a_later_entry_into_a_field_that_is_not_lifted(lay: Lay, rolls: list[Roll], entries: int) -> None:
    case = lay(
        "HAB uk-inf-1; BUQ uk-arm-1; SIW uk-arm-2",
        dice="6 2 6, 4",
        mines={GSA: Minefield("germany", known=True, entries=entries)},
        mine_alloc="owner_chooses",
    )
    case.attack("uk-inf-1", "HAB GSA").attack("uk-arm-1", "BUQ GSA").attack("uk-arm-2", "SIW GSA")
    case.fight(TakeLosses(["uk-arm-1"]))
    units = ["uk-inf-1", "uk-arm-1", "uk-arm-2"]
    assert minutes(case, told.MinesStruck) == [
        told.MinesStruck("germany", GSA, 2, units, 1, "DAA-9.09", sums("hits", ("unit x3 on 2", 1, "DAA-9.09"))),
        told.UnitsLost(GSA, ["uk-arm-1"], "mines", "DAA-9.04"),
        told.SweepFailed(
            GSA, "england", calculations=sums("margin", ("needs at most", 3, "DAA-9.10"), ("die", -4, "DAA-9.10"))
        ),
        told.UnitsWithdrew("england", GSA, {"uk-inf-1": "HAB", "uk-arm-2": "SIW"}, "DAA-9.08"),
        told.CombatsDeclared("england", {}, {}),
    ]
    assert rolls == [
        Roll(3, 6, "mines.GSA", "DAA-9.02", (2,) * 3, pooled=True, favours="axis", units=tuple(units)),
        Roll(1, 6, "sweep.GSA", "DAA-9.10", (3,), pooled=True, favours="allies"),
    ]


@pytest.mark.rule("DAA-9.08")
def test_a_field_that_is_left_unswept_after_a_battle(lay: Lay) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1", dice="6, 1, 6", mines={GSA: "italy"})
    case.attack("uk-arm-1", "HAB GSA").fight(DeclineSweep())
    assert minutes(case, told.SweepFailed) == [
        told.SweepFailed(GSA, "england", declined=True),
        told.UnitsWithdrew("england", GSA, {"uk-arm-1": "HAB"}, "DAA-9.08"),
        told.BattleEnded(GSA, "cleared", "DAA-9.08"),
    ]


@pytest.mark.rule("DAA-8.10", "DAA-R38", "DAA-R37")
@pytest.mark.parametrize(
    ("path", "mines", "secrecy", "checked"),
    [
        ("HAB GSA TEN", {}, "spaces_secret", None),  # everybody knows that there are none
        ("HAB GSA TEN", {}, "all_secret", ["GSA", "TEN"]),
        ("HAB GSA TEN", {"HUN": "italy"}, "spaces_secret", ["GSA", "TEN"]),
        ("HAB GSA TEN", {"HUN": Minefield("italy", known=True)}, "spaces_secret", None),
        ("HAB GSA TEN", {"SIW": "england"}, "spaces_secret", None),  # an own one
        ("HAB GSA TEN", {"HUN": "italy", "TEN": Minefield("italy", known=True)}, "spaces_secret", ["GSA"]),
        ("BUQ BDI TOB", {"HUN": "italy"}, "spaces_secret", None),  # no mines on the road
        ("MIN HAB GSA", {"HUN": "italy"}, "spaces_secret", ["GSA"]),  # none of the enemy in Habata
    ],
)
def test_where_a_field_might_have_lain_is_told(
    lay: Lay, path: str, mines: dict[str, Any], secrecy: str, checked: list[str] | None
) -> None:
    known = any(not isinstance(mine, str) and space == "TEN" for space, mine in mines.items())
    dice = "6, 6" if known else ""
    case = lay(f"{path[:3]} uk-arm-1", mines=mines, mine_secrecy=secrecy, dice=dice).attack("uk-arm-1", path).fight()
    assert [event.spaces for event in case.events(told.EntryChecked)] == ([checked] if checked else [])
