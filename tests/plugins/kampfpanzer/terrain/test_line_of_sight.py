"""What stands between firer and target: defence additions (10.0, 10.2), lines of sight (9.13 to 9.17), facing (9.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import FacingChanged, FireResolved, FireWithheld, UnitsMoved

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay

from tests.plugins.kampfpanzer.cases import group

SIGHT = {"KP-9.13c", "KP-9.15a", "KP-9.15b", "KP-9.16b", "KP-9.16d", "R-KP-29", "R-KP-30", "R-KP-31"}

# --- defence additions ---


@pytest.mark.rule("KP-10.0a", "KP-10.0b", "KP-10.0c", "KP-10.0d", "KP-10.0e", "KP-10.0i", "KP-10.0l", "R-KP-19")
@pytest.mark.parametrize(
    ("ground", "wrecks", "addition", "cover"),
    [
        ({}, "", 0, {""}),
        ({"hilltop": "0808", "crest_sides": "0807/0808"}, "", 0, {""}),
        ({"woods": "0808"}, "", 2, {"woods"}),
        ({"town": "0808"}, "", 4, {"town"}),
        ({"slope": "0808"}, "", 0, {""}),
        ({"slope": "0808", "crest_sides": "0807/0808"}, "", 3, {"slope"}),
        ({"slope": "0808", "crest_sides": "0808/0809 0808/0908"}, "", 0, {""}),
        ({"slope": "0805 0807 0808", "crest_sides": "0806/0807"}, "", 0, {""}),
        ({}, "0808", 2, {"wreck"}),
        ({"woods": "0808"}, "0808", 2, {"woods", "wreck"}),
        ({"town": "0808"}, "0808", 4, {"town"}),
        ({"slope": "0808", "crest_sides": "0807/0808"}, "0808", 3, {"slope"}),
        ({"slope": "0808"}, "0808", 2, {"wreck"}),
        ({"stream_sides": "0807/0808"}, "", 0, {""}),
        ({"road": "0807 0808 0809"}, "", 0, {""}),
        ({"slope": "0808", "woods": "0808", "crest_sides": "0807/0808"}, "", 3, {"slope"}),
        ({"slope": "0808", "woods": "0808"}, "", 2, {"woods"}),
        ({"town": "0808", "woods": "0808"}, "", 4, {"town"}),
    ],
)
def test_defence_additions(lay: Lay, ground: dict[str, str], wrecks: str, addition: int, cover: set[str]) -> None:
    case = lay(french="1 0805", germans="94 0808", dice={"fire:*": "6"}, wrecks=wrecks, **ground)
    shot = case.turn(french="1 N 0808").one(FireResolved)
    assert (shot.addition, shot.defence, shot.superiority) == (addition, 3 + addition, 2 - addition)
    assert shot.cover in cover


@pytest.mark.rule("KP-13.0d", "KP-13.0e", "KP-9.4d")
@pytest.mark.parametrize(
    ("ground", "wrecks"), [({}, ""), ({"woods": "0808"}, ""), ({"town": "0808"}, ""), ({"slope": "0808"}, "0808")]
)
def test_an_entrenchment_replaces_all_of_them(lay: Lay, ground: dict[str, str], wrecks: str) -> None:
    for facing in "AD":
        case = lay(
            french="1 0805", germans=f"115 0808 {facing} entrenched", dice={"fire:*": "6"}, wrecks=wrecks, **ground
        )
        shot = case.turn(french="1 N 0808").one(FireResolved)
        assert (shot.addition, shot.cover, shot.superiority) == (4, "entrenchment", -3)


@pytest.mark.rule("KP-10.0j", "KP-10.0i")
@pytest.mark.parametrize(("groups", "superiorities"), [(["1 2"], [4]), (["1", "2"], [-1, 2])])
def test_one_shot_across_the_crest_is_enough(lay: Lay, groups: list[str], superiorities: list[int]) -> None:
    case = lay(
        french="1 0805; 2 1007",
        germans="94 0808",
        slope="0808",
        crest_sides="0807/0808",
        dice={"fire:*": " ".join("6" for _ in groups)},
    )
    case.turn(group("french", *groups), french="1 N 0808; 2 N 0808")
    assert sorted(value for _, _, value in case.fire()) == superiorities


@pytest.mark.rule("KP-10.0j", "KP-9.7b", "KP-9.11a")
def test_whoever_would_bring_the_crest_in_may_have_to_leave_the_attack_to_others(lay: Lay) -> None:
    # 5 - 8 is allowed beside the crest; with the R35, which fires across it, it would be 7 - 11.
    case = lay(french="6 0805; 1 1007", germans="52 0808", slope="0808", crest_sides="0807/0808", dice={"fire:*": "6"})
    case.turn(french="6 N 0808; 1 N 0808")
    assert case.fire() == [("1", "52", -3)]
    assert case.one(FireWithheld).firers == ["6"]


# --- lines of sight ---


@pytest.mark.rule("KP-9.13a", "KP-9.13c", "KP-9.14a", "KP-9.15a", "KP-9.16d", "KP-9.16e", "KP-9.37b", "KP-9.31a")
@pytest.mark.parametrize(
    ("ground", "allowed"),
    [
        ({"woods_sides": "0806/0807"}, False),
        ({"town_sides": "0806/0807"}, False),
        ({"crest_sides": "0806/0807"}, False),
        ({"stream_sides": "0806/0807"}, True),
        ({"woods_sides": "0707/0807 0806/0907"}, True),
        ({"woods_sides": "0804/0805"}, False),  # the firer's own, and yet: only next door it does not block
        ({"crest_sides": "0804/0805"}, True),
        ({"hilltop": "0804 0809", "crest_sides": "0806/0807"}, True),
        ({"slope": "0804 0809", "crest_sides": "0806/0807"}, True),
        ({"hilltop": "0804", "crest_sides": "0806/0807"}, False),
        ({"slope": "0804 0809", "woods_sides": "0806/0807"}, False),
    ],
)
def test_what_blocks_a_line(lay: Lay, ground: dict[str, str], allowed: bool) -> None:
    case = lay(french="1 0804; 39 0803 D", germans="94 0809", **ground)
    refused = case.refused("1 N 0809")
    assert (refused == "") == allowed
    assert allowed or refused in SIGHT
    if "0804" not in str(ground):
        assert (case.refused("39 T 0809") == "") == allowed


@pytest.mark.rule("KP-9.16d", "R-KP-32")
def test_next_door_nothing_blocks(lay: Lay) -> None:
    sides = {"woods_sides": "0807/0808", "town_sides": "0807/0808", "crest_sides": "0807/0808"}
    case = lay(french="1 0807", germans="94 0808", woods="0807 0808", **sides)
    assert case.refused("1 N 0808") == ""


@pytest.mark.rule("KP-9.16f", "KP-9.16g", "KP-9.37a")
@pytest.mark.parametrize("kind", ["woods", "town"])
def test_into_woods_and_towns_from_three_hexes_at_most(lay: Lay, kind: str) -> None:
    case = lay(french="1 0805; 2 0804; 39 0803 D", germans="94 0808", **{kind: "0808 0804"})
    assert case.refused("1 N 0808") == ""
    assert case.refused("2 N 0808") == "KP-9.16f"
    assert case.refused("39 T 0808") == case.refused("39 L 0808") == ""
    far = lay(french="2 0804", germans="94 0809", **{kind: "0804"})
    assert far.refused("2 N 0809") == ""


@pytest.mark.rule("KP-9.16a")
def test_units_do_not_stand_in_the_way(lay: Lay) -> None:
    case = lay(french="1 0804; 2 0806", germans="94 0809; 95 0807", dice={"fire:0809:94": "6"}, wrecks="0805")
    assert case.refused("1 N 0809") == ""
    case.turn(french="1 N 0809")
    assert case.fire() == [("1", "94", 2)]
    assert case.level("95") == 0


@pytest.mark.rule("KP-9.15b", "R-KP-29")
@pytest.mark.parametrize("kind", ["woods", "town", "crest"])
@pytest.mark.parametrize(("option", "allowed"), [("blocked", False), ("clear", True)])
@pytest.mark.parametrize(
    ("firer", "aim", "side"),
    [
        ("11 0305", "0905", "0404/0405"),  # the line runs along it
        ("11 0305", "0905", "0404/0505"),  # and ends of these touch it
        ("6 0708", "0603", "0604/0705"),
        ("6 0708", "0603", "0606/0707"),
    ],
)
def test_ties_are_the_defenders(
    lay: Lay, kind: str, option: str, allowed: bool, firer: str, aim: str, side: str
) -> None:
    case = lay(french=firer, germans=f"94 {aim}", los_ties=option, **{f"{kind}_sides": side})
    refused = case.refused(f"{firer.partition(' ')[0]} N {aim}")
    assert (refused == "") == allowed
    assert allowed or refused in SIGHT


@pytest.mark.rule("R-KP-30")
@pytest.mark.parametrize(
    ("option", "woods", "allowed"),
    [
        ("map_flags", "0806", True),
        ("map_flags", "0806 0807", True),
        ("both_hexes", "0806", True),
        ("both_hexes", "0806 0807", False),
        ("lone_blocks", "0806", False),
        ("lone_blocks", "0706", True),
    ],
)
def test_which_sides_are_woods(lay: Lay, option: str, woods: str, allowed: bool) -> None:
    for kind in ("woods", "town"):
        case = lay(french="1 0804", germans="94 0809", woods_hexsides=option, **{kind: woods})
        assert (case.refused("1 N 0809") == "") == allowed


# --- facing ---

ARC = {
    **dict.fromkeys(("0804", "0904", "0705", "1006", "0506"), True),
    **dict.fromkeys(("1206", "1007", "0406", "0708", "0908"), None),  # on the edge of the arc
    **dict.fromkeys(("1207", "0909", "0709", "0812", "0407", "1009"), False),
}


@pytest.mark.rule("KP-9.4c", "R-KP-33", "KP-5.33a")
@pytest.mark.parametrize("option", ["inclusive_60", "strict"])
@pytest.mark.parametrize(("hex_", "inside"), ARC.items())
def test_a_gun_fires_to_its_front(lay: Lay, option: str, hex_: str, inside: bool | None) -> None:
    case = lay(french="62 0808 A; 39 0808 A", germans=f"94 {hex_}", facing_arc=option)
    allowed = option == "inclusive_60" if inside is None else inside
    for plot in (f"62 N {hex_}", f"39 T {hex_}"):
        assert (case.refused(plot) == "") == allowed
        assert allowed or case.refused(plot) in {"KP-9.4c", "R-KP-33"}


@pytest.mark.rule("KP-9.4e", "KP-5.33a", "KP-9.4a", "KP-5.4a")
def test_a_gun_turns_at_the_end_of_movement(lay: Lay) -> None:
    case = lay(french="62 0808 A; 1 0202; 29 0402; 138 0602; 35 aboard 138")
    assert [letter for letter in "ABCDEF" if case.refused(f"62 {letter}") == ""] == list("BCDEF")
    assert all(case.refused(f"{unit} C") for unit in ("1", "29", "138", "35"))
    case.turn(french="62 C; 1 D1")
    kinds = [type(event) for event in case.all_events()]
    assert kinds.index(FacingChanged) > kinds.index(UnitsMoved)
    assert case.state.units["62"].facing == "C"


@pytest.mark.rule("KP-9.4f", "KP-9.67a")
def test_a_gun_being_overrun_does_not_turn(lay: Lay) -> None:
    case = lay(french="62 0808 A", germans="94 0806", dice={"overrun:0808": "6"})
    case.turn(french="62 C", germans="94 D1 VD")
    assert (case.state.units["62"].facing, case.level("62")) == ("A", 1)


@pytest.mark.rule("KP-9.4d")
def test_facing_does_not_change_defence(lay: Lay) -> None:
    for facing in "ABCDEF":
        case = lay(french="1 0804", germans=f"115 0808 {facing}", dice={"fire:*": "6"})
        assert case.turn(french="1 N 0808").fire() == [("1", "115", 1)]
