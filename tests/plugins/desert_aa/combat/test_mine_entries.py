"""Entering and declaring minefields: DAA-8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model import events as event_types
from desert_aa.model.state import Minefield

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay


def enter(
    rules: str, name: str, units: str, *steps: str, path: str = "HAB GSA", defense: str = "", **setup: Any
) -> Any:
    """Return a row: England's ``units`` go along ``path`` into mined Gabr Saleh."""
    setup = {"mines": {"GSA": "germany"}, **setup}
    return row(rules, name, f"{path[:3]} {units}; {defense}", f"attack {units}: {path}", *steps, **setup)


NEXT = "turn england", "attack uk-inf-1: HAB GSA", "end"
TWO = "HAB uk-inf-1; BUQ uk-inf-2"
FUEL = ("actual", "ready"), ("declared", "extended")
MINED = {"GSA": "germany"}
ENTRIES = [
    # Mines miss three tanks, which hit one infantry three times. The sweep fails, so the field stays.
    enter("DAA-8.04", "hits of the attack do not touch a minefield", "uk-arm-1..3", "fight", "lost = de-inf-1",
          "mines = GSA", defense="GSA de-inf-1", dice="6 6 6, 1 1 1, 6, 6"),
    # Germany fails in mined Siwa, worth 1 to England.
    row("DAA-8.08 DAA-R47", "an enemy neither stays in a minefield nor owns it", "GSA de-inf-1",
        "attack de-inf-1: GSA SIW", "fight", "where de-inf-1 = GSA", "holder SIW = england", "turn england germany",
        "incomes = germany 10 italy 12 england 24", mines={"SIW": "england"}, dice="6, 6"),
    *(row("DAA-8.09 DAA-R43", f"Germany crosses a field of {owner} unharmed", "GUB de-arm-1; GSA de-inf-1",
          "attack de-arm-1: GUB GSA HAB", "fight", "shift de-inf-1: GSA GUB", "where de-arm-1 = HAB",
          "holder HAB = germany", "needs = -", mines={"GSA": owner}) for owner in ("germany", "italy")),
    # England decides next, not Germany.
    enter("DAA-8.10 DAA-R39", "the program declares for the owner", "uk-inf-1", "end", "wants sweep = True",
          "known GSA = True", "fight", dice="6, 6"),
    enter("DAA-R39 DAA-8.10", "by option the owner declares", "uk-inf-1", "end", "asked = germany",
          "wants declare = True", "declare", "where uk-inf-1 = -", dice="3", mine_auto="manual"),
    enter("DAA-8.11 DAA-R39", "a field that is not declared is lost without refund", "uk-arm-1", "end",
          "cash axis = 22", "keep", "fight", "mines = -", "cash axis = 22", "cash allies = 24", "holder GSA = england",
          "where uk-arm-1 = GSA", "count MinefieldForfeited = 1", mine_auto="manual"),
    enter("DAA-R39", "by option a field once declared need not be declared again", "uk-inf-1", "fight declare", *NEXT,
          "wants sweep = True", "fight", dice="6, 6, 6, 6", mine_auto="manual"),
    # Two tanks move through Gabr Saleh to El Gubi. They roll for mines and return to Habata.
    enter("DAA-8.12 DAA-9.01", "a field halts every intruder", "uk-arm-1..2", "fight", "at HAB = uk-arm-1 uk-arm-2",
          "holder GUB = germany", "turn england", "no attack uk-arm-1..2: HAB GSA GUB = DAA-8.12",
          "attack uk-arm-1..2: HAB GSA", "fight", path="HAB GSA GUB", dice="6 6, 6, 6 6, 6"),
    # Ordered one by one before the field is revealed; by option the first order reveals it to the second.
    *(enter("DAA-8.12 DAA-9.01", f"a field halts units that follow the first: {option}", "uk-arm-1",
            f"attack uk-arm-2: {path}", "fight", "needs = 3 3, 2", "at HAB = uk-arm-1 uk-arm-2", "holder GUB = germany",
            path="HAB GSA GUB", defense="HAB uk-arm-2", dice="6 6, 6", mine_reveal=option)
      for option, path in (("committed", "HAB GSA GUB"), ("immediate", "HAB GSA"))),
    row("DAA-R38 DAA-16.01", "fields show when all moves are committed", TWO, "attack uk-inf-1: HAB GSA",
        "count MinefieldDeclared = 0", "attack uk-inf-2: BUQ GSA", "end", "count MinefieldDeclared = 1", "fight",
        dice="6 6, 6", mines=MINED),
    row("DAA-R38", "by option a field shows with the first unit that enters", TWO, "attack uk-inf-1: HAB GSA",
        "count MinefieldDeclared = 1", "seen allies = GSA", "moment = combat_move", "fight",  # the other may stay away
        "where uk-inf-1..2 = HAB BUQ", dice="6, 6", mines=MINED, mine_reveal="immediate"),
    enter("DAA-R38 DAA-9.02", "by option planes reveal no field either", "uk-ftr-1", "fight retreat",
          "count EntryChecked = 0", "count MinefieldDeclared = 0", defense="GSA de-inf-1", dice="6, 6",
          mine_reveal="immediate"),
    # A tank blitzes the first field, which is forfeited, into the second, which strikes it.
    enter("DAA-8.11 DAA-8.12 DAA-R39", "by option one field may stay hidden and the next show", "uk-arm-1", "end",
          "asked = germany", "keep", "asked = italy", "declare", "spaces MinefieldForfeited = GSA",
          "spaces MinefieldDeclared = GIR", "mines = GIR", "units = -", "holder GSA = england", path="HAB GSA GIR",
          dice="3", mines={"GSA": "germany", "GIR": "italy"}, mine_auto="manual"),
    row("DAA-R42 DAA-18.02", "no unit enters a hidden field in non-combat movement", "HAB uk-inf-1..2",
        "no shift uk-inf-2: HAB GSA = DAA-18.02 DAA-R42", "count MinesStruck = 0", mines=MINED),
    enter("DAA-R42 DAA-18.02", "no unit enters a known field in non-combat movement", "uk-inf-1", "fight",
          "no shift uk-inf-2: HAB GSA = DAA-18.02 DAA-R42", "count MinesStruck = 1", defense="HAB uk-inf-2",
          dice="6, 6"),
    # From Minqar Qaim through Habata into the field, with El Gubi for a third space.
    enter("DAA-8.12 DAA-R48 DAA-R11", "armor halted before its third space has fuel", "uk-arm-1", "fight",
          "where uk-arm-1 = HAB", "is uk-arm-1 = ready", "turn england", "attack uk-arm-1: HAB GSA", "fight",
          path="MIN HAB GSA GUB", dice="6, 6, 6, 6", penalty_by="actual"),
    enter("DAA-8.12 DAA-R48 DAA-R11", "by option armor halted before its third space is out of fuel", "uk-arm-1",
          "fight", "where uk-arm-1 = HAB", "is uk-arm-1 = extended", "turn england",
          "no attack uk-arm-1: HAB GSA = DAA-4.09", path="MIN HAB GSA GUB", dice="6, 6", penalty_by="declared"),
    *(enter("DAA-R11", f"infantry halted before its second space: {option}", "uk-inf-1", "fight",
            "where uk-inf-1 = HAB", f"is uk-inf-1 = {condition}", path="HAB GSA GUB", dice="6, 6", penalty_by=option,
            mech_blitz="allowed") for option, condition in FUEL),
    enter("DAA-R11 DAA-4.03", "a piece halted on its second space has been pushed", "uk-inf-1", "fight",
          "where uk-inf-1 = HAB", "is uk-inf-1 = extended", path="MIN HAB GSA", dice="6, 6"),
    enter("DAA-9.02", "planes set off no mines", "uk-ftr-1", "fight retreat", "count MinefieldDeclared = 0",
          "count MinesStruck = 0", "count BattleOpened = 1", "seen allies = -", defense="GSA de-inf-1", dice="6, 6"),
]  # fmt: skip


@pytest.mark.rule("DAA-16.01", "DAA-18.02", "DAA-4.03", "DAA-8.04", "DAA-8.08", "DAA-8.09", "DAA-8.10", "DAA-8.11")
@pytest.mark.rule("DAA-8.12", "DAA-9.01", "DAA-9.02", "DAA-R11", "DAA-R38", "DAA-R39", "DAA-R42", "DAA-R43")
@pytest.mark.rule("DAA-R47", "DAA-R48")
@pytest.mark.parametrize("row", ENTRIES)
def test_minefield_entries_follow_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-8.10", "DAA-R38", "DAA-R37")
@pytest.mark.parametrize(
    ("path", "mines", "secrecy", "checked"),
    [
        ("HAB GSA TEN", {}, "spaces_secret", None),  # the public number of minefields is zero
        ("HAB GSA TEN", {}, "all_secret", ["GSA", "TEN"]),
        ("HAB GSA TEN", {"HUN": "italy"}, "spaces_secret", ["GSA", "TEN"]),
        ("HAB GSA TEN", {"HUN": Minefield("italy", known=True)}, "spaces_secret", None),
        ("HAB GSA TEN", {"SIW": "england"}, "spaces_secret", None),  # a field of its own side
        ("HAB GSA TEN", {"HUN": "italy", "TEN": Minefield("italy", known=True)}, "spaces_secret", ["GSA"]),
        ("BUQ BDI TOB", {"HUN": "italy"}, "spaces_secret", None),  # the road cannot be mined
        ("MIN HAB GSA", {"HUN": "italy"}, "spaces_secret", ["GSA"]),  # Habata has no enemy field
    ],
)
def test_entry_records_spaces_that_might_have_mines(
    lay: Lay, path: str, mines: dict[str, Any], secrecy: str, checked: list[str] | None
) -> None:
    known = any(not isinstance(mine, str) and space == "TEN" for space, mine in mines.items())
    dice = "6, 6" if known else ""
    case = lay(f"{path[:3]} uk-arm-1", mines=mines, mine_secrecy=secrecy, dice=dice).attack("uk-arm-1", path).fight()
    assert [event.spaces for event in case.events(event_types.EntryChecked)] == ([checked] if checked else [])
