"""Placement of new units and minefields: DAA-3, DAA-8, DAA-14.06."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import changed_scenario
from tests.plugins.desert_aa.positions import LONG, position, rich
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model.orders import BuyUnits, PlaceUnits
from desert_aa.turn.placement import why_no_mine, why_no_zone

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript


def cash(amount: int) -> dict[str, Any]:
    return {"cash": dict.fromkeys(("axis", "italy", "germany", "allies"), amount)}


def mine(rules: str, name: str, power: str, number: int, *steps: str, **setup: Any) -> Any:
    """Return a row in which ``power`` has bought minefields and decides where to lay them."""
    bought = f"buy minefield {number}", "to mine"
    return row(rules, name, "", *bought, *steps, **{"power": power, "state": cash(40), **setup})


def buy(rules: str, name: str, power: str, bought: str, *steps: str, units: str = "", **setup: Any) -> Any:
    """Return a row in which ``power`` buys units and decides where they arrive."""
    return row(rules, name, units, f"buy {bought}", *steps, **{"power": power, "state": cash(100), **setup})


OASIS = changed_scenario({"areas": {"SIW": {"city": True}}})
ONE_GUN = {"aa_limit": "one_per_space"}
OWN_ZONES = {"rz_scope": "per_nation"}
PLACES = [
    mine("DAA-8.01 DAA-R35", "minefields are bought and placed away from the zones", "england", 2, "mine HAB SIW",
         "mines = HAB SIW", "owners = england england", "cash allies = 48"),  # 40 - 2 x 8 + 24
    mine("DAA-8.01", "no more minefields are placed than were bought", "england", 1, "refuse mine HAB SIW = DAA-8.01"),
    mine("DAA-8.05", "a space has room for one minefield", "england", 2, "refuse mine HAB = DAA-8.05",
         "refuse mine MIN MIN = DAA-8.05", mines={"HAB": "england"}),
    mine("DAA-8.05 DAA-R43", "partners do not mine a space twice", "germany", 1, "refuse mine GSA = DAA-8.05",
         mines={"GSA": "italy"}),
    mine("DAA-8.06", "ground that the side does not hold cannot be mined", "england", 1,
         *(f"refuse mine {space} = DAA-8.06" for space in ("GSA", "QAT", "GSS"))),
    mine("DAA-8.07", "the road cannot be mined, nor a city on it", "england", 1, "refuse mine FUK = DAA-8.07",
         "refuse mine MAT = DAA-8.07"),
    mine("DAA-8.07", "a city off the road cannot be mined", "england", 1, "refuse mine SIW = DAA-8.07", scenario=OASIS),
    # In Frontier England may mine one of its zones, and the oasis, which is not a zone.
    mine("DAA-R35", "mines are not tied to the zones", "england", 1, "mine OAS", "mines = OAS", scenario="frontier"),
    # There is no choice, and the other minefield cannot be laid.
    row("DAA-R35", "by option mines are tied to the zones", "", "buy minefield 2", "turn germany", "mines = KHA",
        power="england", state=cash(16), scenario="frontier", mine_place="rz_only"),
    mine("DAA-R36", "ground of a partner may be mined", "italy", 1, "mine GSA", "owners = italy"),
    mine("DAA-R36", "by option ground of a partner may not be mined", "italy", 1, "refuse mine GSA = DAA-R36 DAA-8.06",
         "mine GIR", mine_allied_space="refused"),
    # Only Suez has room, for one of the two; the other unit waits.
    buy("DAA-R50", "by option a second gun finds no room in a zone", "england", "aa_gun 2", "turn germany",
        "at SUE = uk-aa-3", "waiting england = {'aa_gun': 1}", units="MAT uk-aa-1; ALX uk-aa-2", **ONE_GUN),
    buy("DAA-R50 DAA-R06", "by option guns without room need no decision", "england", "aa_gun 1", "turn germany",
        "waiting england = {'aa_gun': 1}", "count UnitsArrived = 0", units="MAT uk-aa-1; ALX uk-aa-2; SUE uk-aa-3",
        **ONE_GUN),
    buy("DAA-R50 DAA-18.06", "flak may be massed", "england", "aa_gun 4", "go place MAT aa_gun 4", "size MAT = 4"),
    *(buy("DAA-3.02 DAA-R04", f"units of {power} arrive at all three zones of the side", power, "infantry 3 fighter 1",
          "go place TRI infantry 1, SIR infantry 1 fighter 1, BEN infantry 1", "size TRI = 1", "size SIR = 2",
          "size BEN = 1") for power in ("italy", "germany")),
    buy("DAA-R04", "by option Italy uses its own zones only", "italy", "infantry 1", "to place",
        "refuse place BEN infantry 1 = DAA-3.11 DAA-R04", "place TRI infantry 1", **OWN_ZONES),
    # Germany holds only Benghazi, so there is no choice.
    buy("DAA-R04", "by option Germany uses its own zone only", "germany", "infantry 1", "turn italy",
        "at BEN = de-inf-1", **OWN_ZONES),
    buy("DAA-3.10 DAA-3.11 DAA-14.06 DAA-R05", "a captured zone serves its captor from its next turn on", "england",
        "infantry 1", "attack uk-inf-1: BUN SIR", "fight", "to place", "holder SIR = england",
        "refuse place SIR infantry 1 = DAA-14.06 DAA-R05", "place SUE infantry 1", "turn germany", "buy infantry 1",
        "to place", "refuse place SIR infantry 1 = DAA-3.11", "turn england", "buy artillery 1", "to place",
        "place SIR artillery 1", "at SIR = uk-art-1 uk-inf-1", units="BUN uk-inf-1"),
    buy("DAA-R05", "by option a captured zone serves immediately", "england", "artillery 1", "attack uk-inf-1: BUN SIR",
        "fight", "go place SIR artillery 1", "at SIR = uk-art-1 uk-inf-1", units="BUN uk-inf-1", rz_new="at_once"),
    row("DAA-R06", "units without a zone wait off the map", "HUN it-inf-1", "buy infantry 2", "turn england",
        "units = it-inf-1", "waiting italy = {'infantry': 2}", "turn italy", "attack it-inf-1: HUN SIR",
        "turn italy england", "waiting italy = {}", "size SIR = 3", control={"england": "TRI SIR BEN"},
        victory_time="hold_one_round"),
]  # fmt: skip


@pytest.mark.rule("DAA-14.06", "DAA-18.06", "DAA-3.02", "DAA-3.10", "DAA-3.11", "DAA-8.01", "DAA-8.05", "DAA-8.06")
@pytest.mark.rule("DAA-8.07", "DAA-R04", "DAA-R05", "DAA-R06", "DAA-R35", "DAA-R36", "DAA-R43", "DAA-R50")
@pytest.mark.parametrize("row", PLACES)
def test_placement_follows_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-3.09", "DAA-3.11", "DAA-14.06", "DAA-R05", "DAA-R04")
def test_illegal_placement_of_units_is_refused(transcript: Transcript) -> None:
    rows: list[tuple[str, str, dict[str, str]]] = [
        *(("england", space, {}) for space in ("MSH", "RAS", LONG, "WAZ", "KHA")),
        ("england", "KHA", {"rz_new": "at_once"}),
        ("germany", "WAZ", {}),
        ("germany", "WAZ", {"rz_scope": "per_nation"}),
        ("italy", "WAZ", {"rz_scope": "per_nation"}),
    ]
    lines = []
    for power, space, options in rows:
        state = position("", power, tweak=lambda state: setattr(state, "captured", ["KHA"]), **options)
        lines.append(f"{power} {space} {options}: {why_no_zone(state, power, space)}")
    transcript("\n".join(lines))


@pytest.mark.rule("DAA-8.06", "DAA-8.07", "DAA-R35", "DAA-R36")
def test_illegal_space_for_a_minefield_is_refused(transcript: Transcript) -> None:
    rows: list[tuple[str, str, dict[str, str]]] = [
        *(("england", space, {}) for space in ("OAS", "SHO", LONG, "WAZ", "MSH", "RAS")),
        ("germany", "WAZ", {}),
        ("germany", "WAZ", {"mine_allied_space": "refused"}),
        ("italy", "WAZ", {"mine_allied_space": "refused"}),
        ("england", "OAS", {"mine_place": "rz_only"}),
        ("england", "KHA", {"mine_place": "rz_only"}),
    ]
    found = [(*row, why_no_mine(position("", row[0], **row[2]), *row[:2])) for row in rows]
    transcript("\n".join(f"{power} {space} {options}: {refusal}" for power, space, options, refusal in found))


@pytest.mark.rule("DAA-3.09", "DAA-3.13")
def test_new_units_enter_the_map_only_in_zones(lay: Lay) -> None:
    doors = {}
    for power in ("germany", "england"):
        case = rich(lay, power).submit(BuyUnits({"infantry": 1})).to(PlaceUnits)
        options = case.asked.options
        spaces = case.prepared.board.spaces
        doors[power] = {space for space in spaces if options.is_legal(PlaceUnits({space: {"infantry": 1}}))}
        assert case.refused(PlaceUnits({"HUN": {"infantry": 1}})) == "DAA-3.09"
    assert doors == {"germany": {"TRI", "SIR", "BEN"}, "england": {"MAT", "ALX", "SUE"}}
