"""Overruns and counterattacks (9.6): the table, legal plots, frozen units, failed overruns, and carriers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.cases import counter, decline
from tests.plugins.kampfpanzer.rows import OBSERVED, Row, play, row

from kampfpanzer.model.events import (
    CounterattackResolved,
    OverrunResolved,
    UnitBackedUp,
    UnitsFrozen,
    UnitsMoved,
    UnitStopped,
)
from kampfpanzer.model.orders import Counterattack

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import NewCase

APPROACH = {
    "94": ("0806", "D1 VD", "0809"),
    "95": ("0707", "D1 VC", "0909"),
    "96": ("0907", "D1 VE", "0709"),
    "97": ("0810", "A1 VA", "0807"),
    "98": ("0710", "A1 VB", "0908"),
    "99": ("0910", "A1 VF", "0708"),
}
"""Six approaches to 0808 as (start, plot, end)."""


def charge(new_case: NewCase, tanks: int, defenders: str, die: int = 6) -> Case:
    """Let ``tanks`` PzII overrun 0808 from different sides."""
    paths = dict(list(APPROACH.items())[:tanks])
    case = new_case(
        french=defenders,
        germans="; ".join(f"{unit} {start}" for unit, (start, _, _) in paths.items()),
        dice={"overrun:0808": str(die)},
    )
    return case.turn(germans="; ".join(f"{unit} {plot}" for unit, (_, plot, _) in paths.items()))


TABLE = {
    ("29 0808", 1): "+3 +6 +8 +8 +8 +8",
    ("29 0808; 38 0808 A", 2): "0 +3 +5 +6 +7 +8",
    ("29 0808 entrenched", 2): "0 +3 +5 +6 +7 +8",
    ("29 0808 entrenched; 38 0808 A", 4): "-2 0 +2 +3 +4 +5",
}


@pytest.mark.rule("KP-9.69a", "KP-9.63a", "KP-9.64a", "KP-9.0j", "KP-9.62c", "KP-13.22a", "KP-9.63b", "KP-3.3a")
@pytest.mark.rule("KP-13.0c", "KP-13.21b", "KP-9.62a")
@pytest.mark.parametrize("tanks", range(1, 7))
@pytest.mark.parametrize(("defenders", "counted"), TABLE)
def test_overrun_superiority_matches_the_table(new_case: NewCase, tanks: int, defenders: str, counted: int) -> None:
    case = charge(new_case, tanks, defenders)
    overrun = case.one(OverrunResolved)
    assert (overrun.counted, overrun.superiority) == (counted, int(TABLE[defenders, counted].split()[tanks - 1]))
    assert case.one(UnitsFrozen).units == sorted(each.partition(" ")[0] for each in defenders.split("; "))
    assert case.at(*list(APPROACH)[:tanks]) == " ".join(end for _, _, end in list(APPROACH.values())[:tanks])


@pytest.mark.rule("KP-9.63b", "KP-10.0m")
@pytest.mark.parametrize("attacker", ["91", "52", "105"])
@pytest.mark.parametrize("defender", ["29", "138", "112"])
def test_overrun_ignores_strengths(new_case: NewCase, attacker: str, defender: str) -> None:
    case = new_case(french=f"{defender} 0808", germans=f"{attacker} 0806", dice={"overrun:0808": "6"})
    case.turn(germans=f"{attacker} D1 VD")
    assert OBSERVED["overrun"](case, "") == f"{attacker}>{defender} 1 3"


@pytest.mark.rule("KP-9.82b", "KP-9.62b")
def test_defender_is_destroyed_at_once(new_case: NewCase) -> None:
    case = charge(new_case, 3, "29 0808")
    assert (case.level("29"), case.at("94", "95", "96"), case.state.wrecks) == (4, "0809 0909 0709", [])


@pytest.mark.rule("KP-9.83a", "KP-9.65b")
def test_pin_has_no_effect(new_case: NewCase) -> None:
    case = charge(new_case, 1, "29 0808 entrenched")  # superiority 0
    assert (case.level("29"), case.pinned()) == (0, [])
    assert case.turn(french="29 A1").at("29") == "0807"


# --- legal plots ---

NOT_HARD = "29 0808; 1 0208; 146 0408; 138 0608; 38 1008 A; 30 1208; 31 1408; 32 1508"
GROUND = {"woods": "1208", "hilltop": "1008", "town": "1408", "slope": "1508"}
ANY = {"overrun_target": "any_hex"}


@pytest.mark.rule(
    "KP-10.0c KP-10.0f KP-12.31a KP-12.33a KP-13.0c KP-5.21a KP-5.22a KP-5.22b KP-5.22c KP-6.0c KP-6.2a KP-9.0c"
    " KP-9.61a KP-9.62a KP-9.62b KP-9.66a KP-9.6b KP-9.6c KP-9.6d KP-9.91b R-KP-51 R-KP-53 R-KP-91"
)
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-9.6b KP-9.6c KP-9.66a R-KP-51 KP-12.33a KP-12.31a", "attackers_and_defenders", NOT_HARD,
            "94 0806; 112 0807; 95 0206; 96 0406; 97 0606; 98 1006; 99 1206; 101 1406; 105 1506", **GROUND,
            refused={"94 D1 VD": "", "112 VD": "KP-9.6b", "95 D1 VD": "KP-9.6c", "96 D1 VD": "KP-9.6c", "97 D1 VD": "",
                     "98 D1 VD": "", "99 D1 VD": "KP-9.66a", "101 D1 VD": "KP-9.66a", "105 D1 VD": "KP-9.66a"}),
        row("KP-9.6c", "tank_in_any_hex", "1 0808", "94 0806", **ANY, refused={"94 D1 VD": ""}),
        row("R-KP-53", "enemy_behind_any_hex", "29 0809", "94 0806", **ANY, refused={"94 D1 VD": "R-KP-53"}),
        row("KP-13.0c", "trench_behind", "29 0808", "94 0806", refused={"94 D1 VD": "KP-13.0c"},
            tweak=lambda state: state.entrenchments.update({"0809": "germans"})),
        row("KP-9.66a KP-9.91b", "wreck", "29 0808", "94 0806", wrecks="0808", refused={"94 D1 VD": "KP-9.66a"}),
        row("KP-9.6b", "truck", "29 0808", "138 0806; 112 aboard 138", refused={"138 D1 VD": "KP-9.6b"}),
        row("R-KP-51", "empty_hex_refused", "29 1208", "94 0806; 95 0906", refused={"94 D1 VD": "R-KP-51"}),
        row("R-KP-51", "empty_hex", "29 1208", "94 0806; 95 0906", **ANY, refused={"94 D1 VD": ""}, g="94 D1 VD",
            overrun="", track="94 2:0807 4:0808 10:0809"),
        # A12 with 6 points: 1 for 0808, 1 for 0809 and 2 for the overrun leave 2 for the approach
        *(row("KP-9.6d KP-9.61a R-KP-91", f"points_from_{start}", "29 0808", f"52 {start}",
              refused={f"52 {plot}": rule})
          for start, plot, rule in (("0806", "D1 VD", ""), ("0805", "D2 VD", ""), ("0804", "D3 VD", "KP-6.0c"))),
        row("KP-9.61a KP-10.0c", "exit_in_woods", "29 0808", "52 0807", woods="0809", refused={"52 VD": ""}),
        row("KP-9.61a KP-10.0f", "exit_over_stream", "29 0808", "52 0807", stream_sides="0808/0809",
            refused={"52 VD": True}),
        row("KP-9.61a KP-10.0c", "approach_and_exit_in_woods", "29 0808", "52 0806", woods="0809",
            refused={"52 D1 VD": True}),
        row("KP-9.62a KP-9.62b KP-5.22a KP-5.22b KP-5.22c KP-6.2a", "notation", "29 0808", "94 0806",
            dice="overrun:0808 6", g="94 D1 VD", hexes="94 0807 0808 0809",
            refused={f"94 {plot}": True for plot in ("D1 VD D1", "D1 V", "V0808", "D1 VDVD", "D1 VB")}),
        row("KP-9.61a KP-9.62a", "without_approach", "29 0808", "94 0807", dice="overrun:0808 6", g="94 VD",
            track="94 2:0808 8:0809"),
        row("R-KP-53 KP-6.0c", "exit_off_the_map_or_held", "29 0824; 30 0808; 1 0809", "94 0822; 95 0806",
            refused={"94 D1 VD": True, "95 D1 VD": "R-KP-53"}),
        *(row("R-KP-91", option, "29 0808", "94 0806", dice="overrun:0808 6", overrun_points_timing=option,
              g="94 D1 VD", track=f"94 2:0807 {entry}:0808 10:0809")
          for option, entry in (("in_target_hex", 4), ("before_entry", 8))),
        *(row("KP-12.33a", f"carrier_{number}", "29 0808", f"146 0806{load}", refused={"146 D1 VD": "KP-12.33a"})
          for number, load in enumerate(("", "; 115 aboard 146"))),
        row("KP-5.21a KP-9.0c KP-6.2a", "only_operation", "29 0808", "94 0806",
            refused={"94 D1 VD N 0808": True, "94 N 0808 D1": True}),
    ],
)  # fmt: skip
def test_overrun_plots_are_legal_or_refused(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


# --- attacks ---

OVER, TWO, GUN = "overrun:0808 6", "94 0806; 95 0705", "39 0820 A"
ROUND = "30 0708; 31 0709; 32 0908; 33 0909"


@pytest.mark.rule(
    "KP-11.0b KP-12.15c KP-12.33a KP-12.33b KP-6.3a KP-8.1a KP-8.1c KP-9.0a KP-9.63a KP-9.67a KP-9.67b KP-9.67c"
    " KP-9.6a KP-9.6c KP-9.71d KP-9.82a R-KP-51 R-KP-52 R-KP-54 R-KP-57"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-9.63a KP-9.6a R-KP-57 KP-9.82a", f"result_waits_{die}", "29 0808", "94 0806",
              dice=f"overrun:0808 {die}", g="94 D1 VD", levels=f"29 {level}", at="29 0808; 94 0809")
          for die, level in ((1, 3), (3, 2), (6, 1))),
        row("KP-9.63a KP-9.71d KP-9.67a", "disrupted_defender", "29 0808 D1", "94 0806", dice=OVER, g="94 D1 VD",
            overrun="94>29 1 3", levels="29 2"),
        row("R-KP-52", "one_attack", "29 0808", TWO, dice=OVER, g="94 D1 VD; 95 D3 VC", overrun="94+95>29 1 6",
            overrun_combination="all_units_same_hex_one_attack", at="94 0809; 95 0909"),
        row("R-KP-52", "attack_per_arrival", "29 0808", TWO, dice="overrun:0808 6 6", g="94 D1 VD; 95 D3 VC",
            overrun_combination="per_arrival", overrun="94>29 1 3; 95>29 1 3", at="94 0809; 95 0909"),
        row("R-KP-51", "defender_destroyed_before", "29 0808", "94 0806; 106 0909", dice="fire:0808:29 1",
            g="94 D1 VD; 106 N 0808", levels="29 4", overrun="", track="94 2:0807 4:0808 10:0809"),
        # 29 is destroyed by fire, and a French tank enters its hex before 94 does
        row("R-KP-51 KP-9.6c", "hard_target_arrives", "29 0808; 11 0909", "94 0805; 106 0709", dice="fire:0808:29 1",
            f="11 F1; 29 B1", g="94 D2 VD; 106 N 0808", overrun="", at="11 0808; 94 0807"),
        # the zone of 30 stops 94 in 0807; 29 stays frozen
        row("KP-9.67b KP-8.1c KP-6.3a", "frozen_although_overrun_fails", "29 0808; 30 0908", "94 0806", f="29 C1",
            g="94 D1 VD", overrun="", at="29 0808; 94 0807"),
        row("KP-9.67c KP-9.0a", "frozen_unit_fires", "38 0808 A", "94 0806; 95 0804", f="38 N 0804", g="94 D1 VD",
            dice=f"fire:0804:95 6; {OVER}", pinned="95", levels="38 1"),
        row("R-KP-54 KP-9.67a KP-11.0b", "panicked_overrunner", "29 0808", "94 0806", f="29 D1", g="94 D1 VD",
            dice="panic:germans 6; scatter:94 1; points:94 1", more={"panic": {"germans": 2}}, at="29 0809; 94 0805"),
        row("KP-12.33a KP-12.33b KP-12.15c KP-8.1a", "carrier_with_infantry", "29 0808", "146 0806; 112 aboard 146",
            dice=f"{OVER}; counter:29 1", reply=[counter("french", "146")], g="146 D1 VD", overrun="146>29 1 3",
            at="146 0809; 112 0809", levels="146 1; 112 1"),
    ],
)  # fmt: skip
def test_overrun_attack_has_the_result_of_its_table(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-9.67a", "KP-4.1e")
@pytest.mark.parametrize(
    ("french", "plot"),
    [
        ("29 0808", "29 B1"), ("138 0808", "138 B3"), ("38 0808 A", "38 C"),
        ("29 0808; 138 0908", "29 M; 138 M 0808"), ("138 0808; 29 0709", "29 M; 138 M 0709"),
        ("138 0808; 29 aboard 138", "138 Q 0908; 29 Q"),
    ],
)  # fmt: skip
def test_overrun_freezes_its_defenders(new_case: NewCase, french: str, plot: str) -> None:
    case = new_case(french=french, germans="94 0806", dice={"overrun:0808": "6"})
    before = {unit_id: (unit.hex, unit.carrier, unit.facing) for unit_id, unit in case.state.units.items()}
    case.turn(french=plot, germans="94 D1 VD")
    after = {unit_id: (unit.hex, unit.carrier, unit.facing) for unit_id, unit in case.state.units.items()}
    assert {unit_id for unit_id in before if after[unit_id] != before[unit_id]} == {"94"}
    assert case.events(UnitsFrozen)


# --- overruns that fail ---


@pytest.mark.rule(
    "KP-6.3b KP-6.4a KP-8.0e KP-8.1a KP-8.1b KP-8.1c KP-9.32c KP-9.65a KP-9.65b KP-9.67b KP-9.82b R-KP-07 R-KP-09"
    " R-KP-15 R-KP-52 R-KP-53 R-KP-58"
)
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-9.65a KP-9.65b KP-9.67b", "hit_in_approach", "29 0808; 1 0811", "94 0704", dice="fire:0806:94 1",
            f="1 P 0806; 29 B1", g="94 D1 C1 D2 VD", at="29 0808", overrun="", stops="94 0807 hit"),
        row("KP-9.65a KP-9.65b KP-9.67b", "pinned_in_approach", "29 0808; 1 0811", "94 0704",
            dice=f"fire:0806:94 6; {OVER}", f="1 P 0806; 29 B1", g="94 D1 C1 D2 VD", at="94 0809; 29 0808",
            overrun="94>29 1 3", stops={}),
        row("KP-9.65a", "hit_early", "29 0808; 1 0811", "94 0704", dice="fire:0705:94 1", f="1 P 0603",
            g="94 D1 C1 D2 VD", hexes="94 0705 0805 0806 0807", stops="94 0807 hit"),
        row("KP-9.65a R-KP-53", "hit_in_target", "29 0808; 1 0408", "94 0806", dice="fire:0808:94 4", f="1 P 0808",
            g="94 D1 VD", overrun="", back="94 0808 0807 overrun", stops="94 0807 hit"),
        row("KP-9.65a R-KP-53", "pinned_in_target", "29 0808; 1 0408", "94 0806", dice=f"fire:0808:94 6; {OVER}",
            f="1 P 0808", g="94 D1 VD", overrun="94>29 1 3", at="94 0809"),
        row("KP-9.82b KP-9.65a R-KP-58", "destroyed_in_target", "29 0808; 1 0709", "91 0806", dice="fire:0808:91 6",
            f="1 P 0808", g="91 D1 VD", levels="91 4", overrun="", wrecked="0808", never=(UnitBackedUp,)),
        row("R-KP-53 KP-6.4a", "nowhere_to_go", f"29 0808; 11 0810; 1 0806; {ROUND}", "94 0807", dice=OVER,
            f="11 S1 A1; 1 S1 D1", g="94 VD", at="11 0809; 1 0807; 29 0808", levels="94 4", wrecked="0808"),
        # hit in 0806 and held there by the zone of 30, it does not reach 0807
        row("KP-9.65a KP-9.65b", "zone_before_hit", "29 0808; 30 0707; 1 0811", "94 0704", dice="fire:0806:94 1",
            f="1 P 0806", g="94 D1 C1 D2 VD", stops="94 0806 zone"),
        row("KP-9.65a KP-9.32c", "shelled", f"29 0808; {GUN}", "94 0805", dice="shell:94:39 2", f="39 T 0806",
            g="94 D2 VD", at="94 0807"),
        row("KP-9.65a KP-9.32c", "shelled_without_effect", f"29 0808; {GUN}", "94 0805",
            dice=f"shell:94:39 3; {OVER}", f="39 T 0806", g="94 D2 VD", at="94 0809"),
        # From 0910 a zone reaches the exit hex, from 0909 the target hex as well, from 0908 the approach.
        *(row("KP-8.1a KP-8.1b KP-8.1c R-KP-09", f"zone_from_{other}", f"29 0808; 30 {other}", "94 0806", dice=dice,
              g="94 D1 VD", at=f"94 {end}", overrun=overrun)
          for other, end, dice, overrun in (("0910", "0809", OVER, "94>29 1 3"), ("0909", "0809", OVER, "94>29 1 3"),
                                            ("0908", "0807", "", ""))),
        row("KP-8.0e KP-8.1c", "zone_to_zone_in_approach", "29 0808; 30 0907", "94 0806", g="94 D1 VD", at="94 0806",
            overrun=""),
        # the exit is taken in time, so it does not enter the target
        row("R-KP-53", "exit_taken_before", "29 0808; 11 0811", "94 0805", f="11 A2", g="94 D2 VD",
            at="11 0809; 94 0807",
            overrun="", hexes="94 0806 0807"),
        row("R-KP-53", "exit_taken_on_arrival", "29 0808; 11 0812", "94 0805", f="11 A3", g="94 D2 VD",
            at="11 0809; 94 0807", overrun="", hexes="94 0806 0807 0808"),
        row("R-KP-53 R-KP-07", "exit_taken_at_that_moment", "29 0808; 138 0910", "94 0806", f="138 F1", g="94 D1 VD",
            at="94 0807; 138 0809", overrun="", one=(UnitStopped, {"tick": 4, "hex": "0807", "why": "exit"})),
        row("R-KP-53 R-KP-52", "exit_taken_while_it_is_there", "29 0808; 138 0910", "94 0806", dice=OVER,
            f="138 S2 F1", g="94 D1 VD", at="94 0807; 138 0809", back="94 0808 0807 overrun", stops="94 0807 exit",
            one=(UnitBackedUp, {"rule": "R-KP-53"})),
        row("R-KP-53 R-KP-07", "exit_left_at_that_moment", "29 0808; 11 0810", "94 0806", dice=OVER, f="11 A1 C1",
            g="94 D1 VD", at="11 0910; 94 0809"),
        # 11 enters 0809 while 94 waits in 0808 for 95
        row("R-KP-53 R-KP-52", "no_exit_no_attack", "29 0808; 11 0811", "94 0806; 95 0703", dice=OVER, f="11 S2 A2",
            g="94 D1 VD; 95 D5 VC", overrun="95>29 1 3", at="94 0807; 95 0909; 11 0809"),
        row("KP-8.1b KP-6.3b R-KP-09", "enemy_arrives_next_to_it", "29 0808; 1 0910", "94 0807", dice=OVER, f="1 S1 A1",
            g="94 VD", at="1 0909; 94 0809"),
        # 95 is held in 0809 by the zone of 29 before 94 is in 0808
        row("R-KP-53 R-KP-15", "friend_in_exit", "29 0808", "94 0805; 95 1010", dice=OVER, g="94 D2 VD; 95 F3",
            at="94 0807; 95 0809"),
    ],
)  # fmt: skip
def test_failed_overrun_ends_in_front_of_its_target(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-8.1c KP-9.65a R-KP-52")
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-9.65a R-KP-52", "hit", f"29 0808; {GUN}", "94 0805; 95 0707", dice=f"shell:94:39 1; {OVER}",
            f="39 T 0806", g="94 D2 VD; 95 D1 VC", overrun="95>29 1 3", at="94 0807; 95 0909"),
        row("R-KP-52 KP-8.1c", "held", "29 0808; 30 0606", "94 0806; 95 0704", dice=OVER, g="94 D1 VD; 95 D4 VC",
            overrun="94>29 1 3", at="94 0809; 95 0706"),
    ],
)  # fmt: skip
def test_other_overrunner_does_not_wait_for_a_failed_one(new_case: NewCase, turn: Row) -> None:
    kinds = [type(event) for event in play(new_case, turn).all_events()]
    assert kinds.index(OverrunResolved) < max(index for index, kind in enumerate(kinds) if kind is UnitsMoved)


@pytest.mark.rule("R-KP-53", "KP-6.4a", "KP-7.0c")
def test_overrunner_with_both_hexes_barred_ends_in_an_adjacent_hex(new_case: NewCase) -> None:
    # while 94 is in 0808, enemies enter its exit hex 0809 and its start hex 0807
    case = new_case(french="29 0808; 11 0810; 1 0806", germans="94 0807", dice={"overrun:0808": "6"})
    case.turn(french="11 S1 A1; 1 S1 D1", germans="94 VD")
    assert case.at("11", "1", "29") == "0809 0807 0808"
    assert case.at("94") in {"0708", "0709", "0908", "0909"}
    assert case.stops()["94"][1] == "exit"


# --- counterattacks ---

BACK = [counter("french", "94")]


@pytest.mark.rule("KP-9.68a KP-9.68b KP-9.71a KP-9.82b R-KP-55 R-KP-56")
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-9.68a KP-9.68b R-KP-56", f"at_minus_two_{die}", "29 0808 entrenched", "52 0806",
              dice=f"{OVER}; counter:29 {die}", reply=[counter("french", "52")], g="52 D1 VD", levels=f"52 {level}",
              at="52 0809", one=(CounterattackResolved, {"superiority": -2}))
          for die, level in ((1, 1), (2, 1), (3, 0), (6, 0))),
        row("KP-9.68a KP-9.68b", "each_once_at_one_target", "29 0808; 38 0808 A", "94 0806",
            dice=f"{OVER}; counter:29 1; counter:38 2", reply=BACK * 2, g="94 D1 VD", levels="94 2"),
        row("KP-9.68a", "declined", "29 0808", "94 0806", dice=OVER, reply=[decline("french")], g="94 D1 VD",
            never=(CounterattackResolved,)),
        row("R-KP-56 KP-9.82b R-KP-55", "destroyed_unit", "29 0808", "94 0806; 95 0707; 96 0907",
            dice="overrun:0808 1; counter:29 1", reply=[counter("french", "96")], g="94 D1 VD; 95 D1 VC; 96 D1 VE",
            levels="29 4; 96 1"),
        row("R-KP-55 KP-9.71a", "pinned_unit", "29 0808", "94 0806; 102 0610",
            dice=f"fire:0808:29 6; {OVER}; counter:29 6", reply=BACK, g="94 D1 VD; 102 N 0808", pinned="29",
            one=(CounterattackResolved, {"result": "P"})),
    ],
)  # fmt: skip
def test_counterattack_result_is_applied(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-9.68a")
def test_counterattack_target_is_one_of_the_overrunners(new_case: NewCase) -> None:
    dice = {"overrun:0808": "6", "counter:29": "1"}
    case = new_case(french="29 0808", germans="94 0806; 95 0707; 97 0202", dice=dice)
    case.upto(germans="94 D1 VD; 95 D1 VC")
    assert (case.pending.side, case.pending.purpose) == ("french", "counterattack.29:94.95")
    assert case.refuses("french", Counterattack("97"))
    case.answer(counter("french", "95"))
    assert case.levels("94", "95") == [0, 1]


@pytest.mark.rule("R-KP-55", "KP-12.31a", "KP-9.71c", "KP-12.0b")
@pytest.mark.parametrize(
    ("option", "defender", "allowed"),
    [
        ("not_disrupted_not_vehicle", "29 0808", True),
        ("not_disrupted_not_vehicle", "29 0808 D1", False),
        ("not_disrupted_not_vehicle", "138 0808", False),
        ("not_disrupted_not_vehicle", "138 0808; 29 aboard 138", False),
        ("all", "29 0808 D1", True),
        ("all", "138 0808", False),
        ("all", "138 0808; 29 aboard 138", True),
    ],
)
def test_option_sets_which_units_may_counterattack(
    new_case: NewCase, option: str, defender: str, allowed: bool
) -> None:
    case = new_case(french=defender, germans="94 0806", dice={"overrun:0808": "6"}, counterattack_eligible=option)
    case.upto(germans="94 D1 VD")
    assert (not case.plotting()) == allowed
    assert not allowed or case.pending.purpose == "counterattack.29:94"
    case.answer()
