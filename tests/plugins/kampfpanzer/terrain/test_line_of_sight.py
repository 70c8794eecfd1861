"""Cover of a target (10.0, 10.2), lines of sight (9.13 to 9.17), and facing (9.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.cases import group
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import FacingChanged, FireResolved, UnitsMoved

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

CREST = "0807/0808"
SLOPE = {"slope": "0808", "crest_sides": CREST}

# --- cover ---

COVER = "KP-10.2a KP-10.0j KP-10.0a KP-10.0b KP-10.0c KP-10.0d KP-10.0e KP-10.0i KP-10.0l R-KP-19"


@pytest.mark.rule(
    "KP-10.0a KP-10.0b KP-10.0c KP-10.0d KP-10.0e KP-10.0i KP-10.0j KP-10.0l KP-10.2a KP-13.0d KP-13.0e KP-9.11a"
    " KP-9.13a KP-9.13c KP-9.14a KP-9.15a KP-9.15b KP-9.16a KP-9.16d KP-9.16e KP-9.16f KP-9.16g KP-9.31a KP-9.37a"
    " KP-9.37b KP-9.4d KP-9.4f KP-9.67a KP-9.7b R-KP-19 R-KP-29 R-KP-30 R-KP-32"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row(COVER, f"cover_{number}", "1 0805", "94 0808", dice="fire:* 6", **ground, f="1 N 0808",
              one=(FireResolved, {"addition": addition, "defense": 3 + addition, "superiority": 2 - addition,
                                  "cover": cover}))
          for number, (ground, addition, cover) in enumerate((
              ({}, 0, ""), ({"crest_sides": CREST}, 0, ""), ({"hilltop": "0808", "crest_sides": CREST}, 0, ""),
              ({"woods": "0808"}, 2, "woods"),
              ({"town": "0808"}, 4, "town"), ({"slope": "0808"}, 0, ""), (SLOPE, 3, "slope"),
              ({"slope": "0808", "crest_sides": "0808/0809 0808/0908"}, 0, ""),
              ({"slope": "0805 0807 0808", "crest_sides": "0806/0807"}, 0, ""), ({"wrecks": "0808"}, 2, "wreck"),
              ({"woods": "0808", "wrecks": "0808"}, 2, "woods"), ({"town": "0808", "wrecks": "0808"}, 4, "town"),
              ({**SLOPE, "wrecks": "0808"}, 3, "slope"), ({"slope": "0808", "wrecks": "0808"}, 2, "wreck"),
              ({"stream_sides": CREST}, 0, ""), ({"road": "0807 0808 0809"}, 0, ""),
              ({**SLOPE, "woods": "0808"}, 3, "slope"), ({"slope": "0808", "woods": "0808"}, 2, "woods"),
              ({"town": "0808", "woods": "0808"}, 4, "town")))),
        *(row("KP-13.0d KP-13.0e KP-9.4d", f"entrenchment_{number}_{facing}", "1 0805", f"115 0808 {facing} entrenched",
              dice="fire:* 6", **ground, f="1 N 0808",
              one=(FireResolved, {"addition": 4, "cover": "entrenchment", "superiority": -3}))
          for facing in "AD"
          for number, ground in enumerate(({}, {"woods": "0808"}, {"town": "0808"},
                                           {"slope": "0808", "wrecks": "0808"}))),
        row("KP-10.0j KP-10.0i", "crest_for_both", "1 0805; 2 1007", "94 0808", **SLOPE, dice="fire:* 6",
            reply=[group("french", "1 2")], f="1 N 0808; 2 N 0808", fire="1+2>94 4"),
        row("KP-10.0j KP-10.0i", "crest_for_one", "1 0805; 2 1007", "94 0808", **SLOPE, dice="fire:* 6 6",
            reply=[group("french", "1", "2")], f="1 N 0808; 2 N 0808", fire="1>94 -1; 2>94 2"),
        # 5 - 8 is legal beside the crest; with the R35, which fires across the crest, it would be 7 - 11
        row("KP-10.0j KP-9.7b KP-9.11a", "firer_across_the_crest_is_left_out", "6 0805; 1 1007", "52 0808", **SLOPE,
            dice="fire:* 6", f="6 N 0808; 1 N 0808", fire="1>52 -3", withheld="6 -9"),
        *(row("KP-9.4d", f"facing_{facing}", "1 0804", f"115 0808 {facing}", dice="fire:* 6", f="1 N 0808",
              fire="1>115 1") for facing in "ABCDEF"),
        # lines of sight
        *(row("KP-9.13a KP-9.13c KP-9.14a KP-9.15a KP-9.16d KP-9.16e KP-9.37b KP-9.31a", f"line_{number}",
              "1 0804; 39 0803 D", "94 0809", **ground,
              refused={"1 N 0809": rule} | ({} if "0804" in str(ground) else {"39 T 0809": rule}))
          for number, (ground, rule) in enumerate((
              ({"woods_sides": "0806/0807"}, "KP-9.16d"), ({"town_sides": "0806/0807"}, "KP-9.16d"),
              ({"crest_sides": "0806/0807"}, "KP-9.16b"), ({"stream_sides": "0806/0807"}, ""),
              ({"woods_sides": "0707/0807 0806/0907"}, ""),
              ({"woods_sides": "0804/0805"}, "KP-9.16d"),  # the firer's own hexside blocks, except to an adjacent hex
              ({"crest_sides": "0804/0805"}, ""), ({"hilltop": "0804 0809", "crest_sides": "0806/0807"}, ""),
              ({"slope": "0804 0809", "crest_sides": "0806/0807"}, ""),
              ({"hilltop": "0804", "crest_sides": "0806/0807"}, "KP-9.16b"),
              ({"slope": "0804 0809", "woods_sides": "0806/0807"}, "KP-9.16d"),
              ({"crest_sides": "0805/0806", "woods_sides": "0807/0808"}, "KP-9.16b"),  # the first obstacle is named
              ({"crest_sides": "0807/0808", "woods_sides": "0805/0806"}, "KP-9.16d")))),
        row("KP-9.16d R-KP-32", "adjacent", "1 0807", "94 0808", woods="0807 0808", woods_sides=CREST, town_sides=CREST,
            crest_sides=CREST, woods_hexsides="lone_blocks", refused={"1 N 0808": ""}),
        *(row("KP-9.16f KP-9.16g KP-9.37a", f"into_{kind}", "1 0805; 2 0804; 39 0803 D", "94 0808",
              **{kind: "0808 0804"},
              refused={"1 N 0808": "", "2 N 0808": "KP-9.16f", "39 T 0808": "", "39 L 0808": ""})
          for kind in ("woods", "town")),
        *(row("KP-9.16f KP-9.16g KP-9.37a", f"out_of_{kind}", "2 0804", "94 0809", **{kind: "0804"},
              refused={"2 N 0809": ""}) for kind in ("woods", "town")),
        row("KP-9.16a", "units_do_not_block", "1 0804; 2 0806", "94 0809; 95 0807", wrecks="0805",
            dice="fire:0809:94 6", refused={"1 N 0809": ""}, f="1 N 0809", fire="1>94 2", levels="95 0"),
        # the line runs along the first hexside, touches an end of the second, and crosses the last
        *(row("KP-9.15b R-KP-29", f"tie_{kind}_{option}_{side.replace('/', '_')}", firer, f"94 {aim}", los_ties=option,
              **{f"{kind}_sides": side},
              refused={f"{firer.split()[0]} N {aim}": "" if option == "clear" and aim != "0508" else rule})
          for kind, rule in (("woods", "KP-9.16d"), ("town", "KP-9.16d"), ("crest", "KP-9.16b"))
          for option in ("blocked", "clear")
          for firer, aim, side in (("11 0305", "0905", "0404/0405"), ("11 0305", "0905", "0404/0505"),
                                   ("6 0708", "0603", "0604/0705"), ("6 0708", "0603", "0606/0707"),
                                   ("6 0503", "0508", "0505/0506"))),
        *(row("R-KP-30", f"sides_of_{kind}_{option}_{number}", "1 0804", "94 0809", woods_hexsides=option,
              **{kind: hexes}, refused={"1 N 0809": rule})
          for kind in ("woods", "town")
          for number, (option, hexes, rule) in enumerate((
              ("map_flags", "0806", ""), ("map_flags", "0806 0807", ""), ("both_hexes", "0806", ""),
              ("both_hexes", "0806 0807", True), ("lone_blocks", "0806", "R-KP-30"), ("lone_blocks", "0706", "")))),
        *(row("R-KP-30 KP-9.16d", f"flagged_hexside_{option}", "1 0804", "94 0809", woods_hexsides=option,
              woods_sides="0806/0807", refused={"1 N 0809": rule})
          for option, rule in (("map_flags", "KP-9.16d"), ("both_hexes", ""), ("lone_blocks", True))),
        row("R-KP-30", "woods_beside_a_town", "1 0804", "94 0809", woods_hexsides="both_hexes", woods="0806",
            town="0807", refused={"1 N 0809": ""}),
        row("KP-9.4f KP-9.67a", "overrun_gun_does_not_turn", "62 0808 A", "94 0806", dice="overrun:0808 6", f="62 C",
            g="94 D1 VD", facing="62 A", levels="62 1"),
    ],
)  # fmt: skip
def test_line_of_fire_has_cover_or_is_blocked(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


# --- facing ---

ARC = {
    **dict.fromkeys(("0804", "0904", "0705", "1006", "0506"), True),
    **dict.fromkeys(("1206", "1007", "0406", "0708", "0908"), None),  # on the edge of the arc
    **dict.fromkeys(("1207", "0909", "0709", "0812", "0407", "1009"), False),
}


@pytest.mark.rule("KP-9.4c", "R-KP-33", "KP-5.33a")
@pytest.mark.parametrize("option", ["inclusive_60", "strict"])
@pytest.mark.parametrize(("hex_", "inside"), ARC.items())
def test_gun_fires_to_its_front(new_case: NewCase, option: str, hex_: str, inside: bool | None) -> None:
    case = new_case(french="62 0808 A; 39 0808 A", germans=f"94 {hex_}", facing_arc=option)
    allowed = option == "inclusive_60" if inside is None else inside
    for plot in (f"62 N {hex_}", f"39 T {hex_}"):
        assert (case.refused(plot) == "") == allowed
        assert allowed or case.refused(plot) in {"KP-9.4c", "R-KP-33"}


@pytest.mark.rule("KP-9.4e", "KP-5.33a", "KP-9.4a", "KP-5.4a")
def test_gun_turns_at_the_end_of_movement(new_case: NewCase) -> None:
    case = new_case(french="62 0808 A; 1 0202; 29 0402; 138 0602; 35 aboard 138")
    assert [letter for letter in "ABCDEF" if case.refused(f"62 {letter}") == ""] == list("BCDEF")
    assert all(case.refused(f"{unit} C") for unit in ("1", "29", "138", "35"))
    case.turn(french="62 C; 1 D1")
    kinds = [type(event) for event in case.all_events()]
    assert kinds.index(FacingChanged) > kinds.index(UnitsMoved)
    assert case.state.units["62"].facing == "C"
