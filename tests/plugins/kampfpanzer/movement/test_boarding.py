"""Trucks and carriers (12): embarking, debarking, passengers, and shared results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.cases import face, group
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import (
    ContestDecided,
    FireResolved,
    OperationFailed,
    RecoveryRolled,
    UnitDebarked,
    UnitDestroyed,
    UnitEmbarked,
    UnitsMoved,
)
from kampfpanzer.model.orders import ChooseFacing

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

UP, DOWN = "29 M; 138 M 0808", "29 Q; 138 Q 0909"
PAIR = "138 0808; 29 aboard 138"
# --- embarking ---


@pytest.mark.rule(
    "KP-12.0a KP-12.0b KP-12.0e KP-12.0f KP-12.11a KP-12.11b KP-12.12a KP-12.14a KP-12.15a KP-12.15b KP-13.0c"
    " KP-5.31a KP-5.31b KP-5.31c KP-6.2a KP-7.2a KP-9.4a KP-9.67a KP-9.71c R-KP-63 R-KP-64 R-KP-66"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-12.0f KP-12.0a KP-5.31a KP-5.31b KP-5.31c KP-7.2a KP-12.11b KP-9.4a", f"{unit}_into_{vehicle}",
              f"{unit} 0808{'' if unit == '29' else ' A'}; {vehicle} 0807", f=f"{unit} M; {vehicle} M 0808",
              one=(UnitEmbarked, {"unit": unit, "vehicle": vehicle, "hex": "0808"}),
              at=f"{unit} 0808; {vehicle} 0808", aboard=f"{unit} {vehicle}", facing=f"{unit} -")
          for vehicle in ("138", "146") for unit in ("29", "38", "39")),
        row("KP-12.11a KP-5.31a", "both_must_plot", "29 0808; 138 0807",
            refused={"29 M": "KP-12.11a", "138 M 0808": "KP-12.11a", "29 A1; 138 M 0808": "KP-7.0a",
                     "29 M; 138 A1": "KP-12.11a"}),
        row("KP-12.11a KP-5.31a", "waiting_unit_destroyed", "29 0808; 138 0807", "105 0809; 106 0909; 107 0707",
            dice="fire:0808:29 1", reply=[group("germans", "105 106 107")], f=UP,
            g="105 N 0808; 106 N 0808; 107 N 0808", levels="29 4", at="138 0807",
            one=(OperationFailed, {"rule": "KP-12.11a", "why": "no unit waits for it in 0808"})),
        row("KP-12.11a KP-12.12a", "each_pair_separately", "29 0808; 138 0807; 30 1208; 139 1207; 31 0208; 140 0207",
            "102 0810", dice="fire:0808:29 6", f=f"{UP}; 30 M; 139 M 1208; 31 M; 140 M 0208", g="102 N 0808",
            failed={"29": "embark", "138": "embark"}, aboard="29 -; 30 139; 31 140"),
        row("KP-12.0e KP-12.0b KP-6.2a", "no_other_operation", "29 0808; 138 0807", "94 0810",
            refused=dict.fromkeys(("29 M A1; 138 M 0808", "29 M; 138 D1 M 0808", "29 M; 138 M 0808 D1",
                                   "29 M N 0810; 138 M 0808"), True)),
        row("KP-12.12a KP-9.71c R-KP-66", "disrupted_infantry", "29 0808 D1; 138 0807", refused={UP: True}),
        row("KP-12.12a KP-9.71c R-KP-66", "disrupted_truck", "29 0808; 138 0807 D1", refused={UP: True}),
        *(row("R-KP-66 KP-12.12a KP-12.15a", f"vehicle_hit_{die}", "6 0804", "138 0808; 112 0809",
              dice=f"fire:0808:138 {die}", f="6 N 0808", g="112 M; 138 M 0809", at="138 0808; 112 0809",
              aboard="112 -", failed={"112": "embark", "138": "embark"}) for die in (6, 4)),
        row("KP-12.15b KP-9.67a", "overrun_of_infantry_first", "29 0808; 138 0709", "94 0806", dice="overrun:0808 6",
            f=UP, g="94 D1 VD", aboard="29 -", never=(UnitEmbarked,)),
        row("KP-12.15b KP-9.67a", "overrun_of_truck_first", "138 0808; 29 0709", "94 0806", dice="overrun:0808 6",
            f="29 M; 138 M 0709", g="94 D1 VD", aboard="29 -", never=(UnitEmbarked,)),
        row("R-KP-64 KP-13.0c", "entrenched", "29 0808 entrenched; 138 0807", refused={UP: "R-KP-64"}),
        row("R-KP-64 KP-13.0c", "entrenched_allowed", "29 0808 entrenched; 138 0807", embark_entrenched="allowed",
            refused={UP: ""}, f=UP, aboard="29 138"),
    ],
)  # fmt: skip
def test_embarking_is_executed_refused_or_fails(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-12.15a", "KP-12.0d", "KP-4.1e")
def test_embarking_follows_all_movement(new_case: NewCase) -> None:
    case = new_case(french="29 0808; 138 0807; 1 0202; 30 1208; 139 1208; 31 aboard 139").turn(french=f"{UP}; 1 D9")
    kinds = [type(event) for event in case.all_events()]
    assert kinds.index(UnitEmbarked) > max(index for index, kind in enumerate(kinds) if kind is UnitsMoved)


# --- debarking ---

GROUND = [{"woods": "0909"}, {"slope": "0909"}, {"stream_sides": "0808/0909"}, {"wrecks": "0909"}]
CONTEST = "contest:0909:french {}; contest:0909:germans {}"


@pytest.mark.full
@pytest.mark.rule(
    "KP-12.0d KP-12.0e KP-12.0g KP-12.11a KP-12.11b KP-12.12a KP-12.13c KP-12.14b KP-12.14c KP-12.15a KP-13.0c"
    " KP-5.32a KP-5.32b KP-6.4d KP-6.4e KP-9.4b R-KP-34 R-KP-65 R-KP-66"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-12.0g KP-5.32a KP-5.32b KP-12.0d", f"from_{vehicle}", f"{vehicle} 0808; 29 aboard {vehicle}",
              f=f"29 Q; {vehicle} Q 0909", at=f"29 0808; {vehicle} 0909", aboard="29 -", facing="29 -",
              one=(UnitDebarked, {"unit": "29", "vehicle": vehicle, "hex": "0909", "facing": ""}))
          for vehicle in ("138", "146")),
        row("KP-12.11a", "both_must_plot", PAIR, refused={"29 Q": "KP-12.11a", "138 Q 0909": "KP-12.11a"}),
        # without a letter a gun faces away from its vehicle, which moved in direction C
        *(row("R-KP-34 KP-9.4b", f"gun_{number}", "138 0808; 38 aboard 138", f=f"{plot}; 138 Q 0909",
              facing=f"38 {facing}")
          for number, (plot, facing) in enumerate((("38 Q C", "C"), ("38 Q F", "F"), ("38 Q", "F")))),
        row("KP-12.14b KP-12.14c R-KP-65", "hex_of_a_tank", f"{PAIR}; 1 0909", refused={DOWN: True}),
        row("KP-12.14b KP-12.14c R-KP-65", "hex_that_a_tank_leaves", f"{PAIR}; 1 0909", f=f"{DOWN}; 1 D2",
            aboard="29 -"),
        row("KP-12.14b KP-12.14c R-KP-65", "hex_of_infantry", f"{PAIR}; 30 0909", refused={DOWN: True}),
        row("KP-12.14b KP-12.14c R-KP-65", "next_to_a_moving_tank", f"{PAIR}; 1 0906", f=f"{DOWN}; 1 D1",
            aboard="29 -"),
        row("KP-12.14b R-KP-65 KP-12.14c KP-12.0e KP-12.11a", "enemy_arrives", PAIR, "94 0910", f=DOWN, g="94 A1",
            aboard="29 138", failed={"138": "debark", "29": "debark"}),
        row("KP-12.14b R-KP-65 KP-12.14c", "enemy_leaves", PAIR, "139 0909", refused={DOWN: ""}, f=DOWN, g="139 D1",
            aboard="29 -"),
        *(row("R-KP-65", f"any_ground_{number}", PAIR, **ground, f=DOWN, at="29 0808; 138 0909")
          for number, ground in enumerate(GROUND)),
        row("R-KP-65 KP-12.0g R-KP-34", "enemy_zone", PAIR, "112 0910", debark_hex="any_vacant_adjacent", f=DOWN,
            aboard="29 -"),
        row("R-KP-65 KP-12.0g R-KP-34", "enemy_zone_restricted", PAIR, "112 0910", debark_hex="zoc_restricted", f=DOWN,
            aboard="29 138"),
        row("R-KP-65", "gun_beside_an_enemy", "29 0710", "138 0808; 115 aboard 138", g="138 Q 0809; 115 Q",
            at="138 0809; 115 0808", facing="115 A"),
        row("R-KP-65 KP-13.0c", "entrenchment", f"{PAIR}; 30 0909 entrenched", refused={f"{DOWN}; 30 D1": True}),
        row("R-KP-65", "two_friends_at_one_hex", f"{PAIR}; 139 1008; 30 aboard 139",
            refused={f"{DOWN}; 30 Q; 139 Q 0909": "KP-12.11a"}),
        *(row("R-KP-65 KP-6.4d KP-6.4e", f"contest_{french}_{german}", f"{french} 0808; 29 aboard {french}",
              f"{german} 1008; 112 aboard {german}", dice=dice, f=f"29 Q; {french} Q 0909", g=f"112 Q; {german} Q 0909",
              at=f"{winner} 0909", one=(ContestDecided, {"winners": [winner]}), aboard=aboard)
          for french, german, dice, winner, aboard in (
              ("138", "146", "", "138", "29 -; 112 146"), ("146", "138", "", "138", "29 146; 112 -"),
              ("138", "139", CONTEST.format(3, 5), "139", "29 138; 112 -"),
              ("138", "139", CONTEST.format("5 6", "5 2"), "138", "29 -; 112 139"))),
        row("KP-12.13c KP-12.12a R-KP-66", "pinned_pair", PAIR, "6 0804", dice="fire:0808:138 6", f=DOWN, g="6 N 0808",
            aboard="29 138"),
        row("KP-12.0d KP-12.15a KP-12.14c", "hex_left_during_movement", f"{PAIR}; 139 0811; 30 aboard 139; 1 0909",
            f=f"{DOWN}; 30 Q; 139 Q 0810; 1 B3", at="29 0808; 138 0909; 30 0811; 139 0810"),
        row("KP-12.14c KP-12.15a", "hex_left_by_an_embarking_truck", "138 0808; 29 0809; 139 0807; 38 aboard 139",
            f="138 M 0809; 29 M; 139 Q 0808; 38 Q C", at="138 0809; 29 0809; 139 0808; 38 0807", aboard="29 138",
            facing="38 C"),
    ],
)  # fmt: skip
def test_debarking_is_executed_refused_or_fails(new_case: NewCase, turn: Row) -> None:
    case = play(new_case, turn)
    assert all(event.why for event in case.events(OperationFailed))


@pytest.mark.rule("R-KP-34", "KP-9.4b")
def test_facing_is_chosen_when_the_gun_has_debarked(new_case: NewCase) -> None:
    case = new_case(french="138 0808; 38 aboard 138", debark_facing="chosen_on_execution")
    case.upto(french="38 Q; 138 Q 0909")
    assert case.pending.side == "french"
    assert case.refuses("french", ChooseFacing("G"))
    case.answer(face("french", "B"))
    assert case.state.units["38"].facing == "B"


# --- passengers ---


@pytest.mark.rule("KP-12.2a", "KP-12.2b", "KP-7.2a", "KP-12.2c")
@pytest.mark.parametrize(("vehicle", "hexes"), [("138", 10), ("146", 18)])
@pytest.mark.parametrize("unit", ["29", "38"])
def test_passenger_moves_with_its_vehicle(new_case: NewCase, vehicle: str, hexes: int, unit: str) -> None:
    case = new_case(french=f"{vehicle} 0802; {unit} aboard {vehicle}")
    assert case.refused(f"{vehicle} D{hexes}") == ""
    case.turn(french=f"{vehicle} D{hexes}")
    assert case.at(vehicle, unit) == f"08{2 + hexes:02} 08{2 + hexes:02}"
    assert case.turn(french=f"{vehicle} A2").at(unit) == f"08{hexes:02}"


SHOTS = ("29 N 0811", "29 P 0810", "39 T 0811", "138 N 0811", "146 P 0610", "138 T 0811", "39 C", "29 D1")


@pytest.mark.rule(
    "KP-12.0b KP-12.0c KP-12.2b KP-12.31a KP-12.31b KP-12.32a KP-12.32b KP-9.51b KP-9.51d KP-9.71c KP-9.91a KP-9.91d"
)
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-12.0b KP-12.31a KP-12.2b", "neither_fires", f"{PAIR}; 146 0608; 39 aboard 146", "112 0811",
            refused=dict.fromkeys(SHOTS, True)),
        *(row("KP-12.0c KP-12.31b KP-12.32a KP-9.51d KP-9.51b", f"defends_as_vehicle_{firer}_{vehicle}",
              f"{vehicle} 0808; 29 aboard {vehicle}", f"{firer} 0804", dice="fire:0808:* 6", g=f"{firer} N 0808",
              one=(FireResolved, {"strengths": [strength], "defense": defense, "targets": [vehicle]}),
              levels=f"29 {level}; {vehicle} {level}", pinned=pinned)
          for firer, vehicle, defense, strength, level, pinned in (
              ("11", "138", 1, 4, 1, ""), ("105", "138", 1, 10, 4, ""), ("63", "138", 1, 4, 1, ""),
              ("11", "146", 3, 4, 0, "146 29"), ("105", "146", 3, 5, 0, "146 29"))),
        row("KP-12.32a KP-12.0c KP-9.51b", "passenger_is_no_target", "146 0808; 29 aboard 146", "112 0804; 105 0704",
            refused={"112 N 0808": "KP-9.51b", "105 N 0808/29": True, "105 N 0808/146": "", "105 N 0808": ""}),
        row("KP-12.32a KP-9.91a KP-9.91d", "one_wreck", PAIR, "105 0807", dice="fire:0808:138 6", g="105 N 0808",
            one=(UnitDestroyed, {"unit": "138", "passengers": ["29"], "wreck": True}), levels="138 4; 29 4",
            wrecked="0808"),
        *(row("KP-12.32b KP-12.0c", f"one_recovery_roll_{die}", "138 0808 D2; 29 aboard 138 D2",
              dice=f"recovery:138 {die}", levels=f"138 {level}; 29 {level}", one=(RecoveryRolled, {"unit": "138",
              "passengers": ["29"]}))
          for die, level in ((2, 0), (3, 2))),
        row("KP-12.2b KP-12.32a KP-9.71c", "disrupted_pair", "138 0808 D1; 29 aboard 138 D1",
            refused={"138 D1": True, "29 Q; 138 Q 0809": True}),
    ],
)  # fmt: skip
def test_passengers_share_fate_and_limits_of_their_vehicle(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)
