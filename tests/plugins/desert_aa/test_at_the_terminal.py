"""What a person stumbled over who played a whole game at the terminal, both sides by hand: each as it was mended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from refused import reasons
from tests.plugins.desert_aa.conftest import move, shipped_one

from desert_aa.fog.views import view
from desert_aa.model import orders
from desert_aa.model.events import MovePlanned
from desert_aa.model.state import Minefield
from desert_aa.ui.asking.answers import answer
from desert_aa.ui.digest import digest
from desert_aa.ui.draw import draw
from desert_aa.ui.focus import shown
from desert_aa.ui.menus import words
from desert_aa.ui.narrate import sentence
from desert_aa.ui.notation import NOTATION, read_order
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.records import RollRecord

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay, Opening


def read(case: Case, text: str) -> Any:
    return read_order(case.asked, text, case.prepared.board)


# --- menus ---


@pytest.mark.rule("DAA-9.02", "DAA-9.06", "DAA-9.09", "DAA-9.10")
@pytest.mark.parametrize(("entries", "lost", "lifted"), [(0, 3, 2), (1, 2, 3)])
def test_a_move_into_a_known_minefield_tells_its_dice(lay: Lay, entries: int, lost: int, lifted: int) -> None:
    def mined(state: Any) -> None:
        state.control["GSA"] = "germany"
        state.minefields["GSA"] = Minefield("germany", known=True, entries=entries)

    case = lay("HAB uk-arm-1..2", "england", tweak=mined).to_phase("combat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    told = words(move("uk-arm-1", "HAB GSA"), seen, board) or ""
    dice = f"minefield of Germany: a land unit is lost on a die of {lost} or less, and one of {lifted} or less lifts it"
    assert told.endswith(f"nobody is there; {dice}")
    case.submit(move("uk-arm-1..2", "HAB GSA"))
    seen = view(case.state, "allies")
    assert f"and enter Gabr Saleh-Maddalena (GSA): 2 armour ({dice})" in (words(orders.EndMoves(), seen, board) or "")
    answered = answer(seen, board, "odds GSA")
    assert answered is not None
    assert f"each is lost on a die of {lost} or less" in answered.lines[0]


@pytest.mark.rule("DAA-12.04", "DAA-16.07")
def test_a_plane_that_flies_a_way_round_is_no_line_of_the_menu(lay: Lay) -> None:
    case = lay("BUQ uk-ftr-1; GSA de-inf-1", "england").to_phase("combat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    ways = [path for path, _ in case.asked.options.ways("uk-ftr-1") if path[-1] == "GSA"]  # type: ignore[attr-defined]
    told = [way for way in ways if words(orders.MoveUnits(["uk-ftr-1"], way), seen, board)]
    assert len(ways) > 3
    assert len(told) == 1
    for way in ways:
        assert case.asked.options.why_not(orders.MoveUnits(["uk-ftr-1"], way)) is None, "it may be ordered all the same"


@pytest.mark.rule("DAA-18.01")
def test_a_march_round_to_where_it_began_is_no_line_of_the_menu(lay: Lay) -> None:
    case = lay("HAB uk-inf-1", "england").to_phase("noncombat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    assert words(move("uk-inf-1", "HAB SIB HAB"), seen, board) == ""
    assert words(move("uk-inf-1", "HAB SIB"), seen, board)


def test_the_end_of_a_phase_tells_who_has_not_moved_and_the_raids(lay: Lay) -> None:
    case = lay("ALX uk-bom-1; HAB uk-inf-1 uk-aa-1; GSA de-inf-1; TRI it-inf-1", "england").to_phase("combat_move")
    case.submit(orders.EndMoves()).to_phase("noncombat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    told = words(orders.EndMoves(), seen, board) or ""
    assert told.startswith("end moves; may still move: ALX 1 bomber; HAB 1 infantry, 1 flak")
    case.submit(move("uk-inf-1", "HAB SIB"))
    assert "HAB 1 flak;" in (words(orders.EndMoves(), view(case.state, "allies"), board) or "")


# --- what is typed ---


def test_half_a_title_and_words_between_are_understood(lay: Lay) -> None:
    case = lay("HAB uk-inf-1 uk-arm-1", "england").to_phase("noncombat_move")
    for text in (
        "move 1 infantry from habata to barrani",
        "move infantry HAB, sidi",
        "move 1 infantry in HAB into SIB",
    ):
        assert read(case, text) == orders.MoveUnits(["uk-inf-1"], ["HAB", "SIB"]), text
    assert (
        reasons(lambda: read(case, "move 1 infantry HAB mersa"))[0] == "word 5, 'mersa': a space of the map is wanted"
    )


def test_all_moves_every_kind_and_a_start_that_is_plain_need_not_be_named(lay: Lay) -> None:
    case = lay("HAB uk-inf-1..2 uk-arm-1; BUQ uk-aa-1", "england").to_phase("noncombat_move")
    both = orders.MoveUnits(["uk-inf-1", "uk-inf-2", "uk-arm-1"], ["HAB", "SIB"])
    assert read(case, "move all HAB SIB") == both
    assert read(case, "move 1 armour SIB") == orders.MoveUnits(["uk-arm-1"], ["HAB", "SIB"])
    told = reasons(lambda: read(case, "move all TOB SIB"))
    assert told == ["word 2, 'all': nobody of England who may move now stands in TOB"]
    assert "as in: move 1 " in reasons(lambda: read(case, "move 1 fighter SIB"))[0]


@pytest.mark.rule("DAA-18.03")
def test_a_plane_that_must_land_is_told_where_and_needs_no_name(lay: Lay) -> None:
    case = lay("BUQ uk-ftr-1; HAB uk-arm-1; GSA de-inf-1", "england", dice="1 1, 6").to_phase("combat_move")
    case.submit(move("uk-ftr-1", "BUQ GSA")).submit(move("uk-arm-1", "HAB GSA")).submit(orders.EndMoves())
    case.to_phase("noncombat_move").submit(orders.EndMoves())
    lines = NOTATION.examples(case.asked, case.prepared.board)
    assert "land BUQ" in lines
    assert len(lines) > 2
    assert read(case, "land buq buq") == orders.MoveUnits(["uk-ftr-1"], ["GSA", "BUQ"])


@pytest.mark.rule("DAA-17.06")
def test_losses_are_named_by_their_power_as_the_menu_names_them(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..3; GSA de-inf-1..2 it-inf-1..2", "england", dice="1 1 6, 6 6 6 6")
    case.attack("uk-arm-1..3", "HAB GSA").submit(orders.EndMoves()).to(orders.TakeLosses)
    for text in ("lose 2 Italy's infantry", "lose 2 italian infantry", "lose Italy 2 infantry"):
        assert read(case, text) == orders.TakeLosses(["it-inf-1", "it-inf-2"]), text
    assert read(case, "lose 1 German infantry, 1 Italian infantry") == orders.TakeLosses(["de-inf-1", "it-inf-1"])
    assert reasons(lambda: read(case, "lose 2")) == ["at the end: a kind of unit is wanted, of 4 infantry"]
    assert reasons(lambda: read(case, "lose 3 Italian infantry"))[0].endswith("only 2 infantry of Italy can be chosen")


@pytest.mark.rule("DAA-2.01", "DAA-8.03")
def test_a_minefield_of_the_grant_is_bought_without_a_space(opening: Opening) -> None:
    case = opening()
    board = case.prepared.board
    asked = next(decision for decision in case.game.waiting() if decision.side == "allies")
    told = reasons(lambda: read_order(asked, "place england 1 minefield HAB", board))
    assert "is bought without a space: where it lies is asked next" in told[0]
    assert read_order(asked, "place england minefield", board) == orders.PlaceBonus({}, {"england": 1})


def test_an_id_that_nobody_has_is_told_as_that(lay: Lay) -> None:
    case = lay("HAB uk-inf-1", "england").to_phase("noncombat_move")
    assert "there is no such unit" in reasons(lambda: read(case, "move uk-bmb-1 HAB SIB"))[0]


# --- what is told ---


def test_flak_alone_leaves_the_example_of_a_move_to_others(lay: Lay) -> None:
    """Flak has no combat move, but stood first in its space: there was no example of a move then."""
    case = lay("HAB uk-aa-1 uk-inf-1; GSA de-inf-1", "england").to_phase("combat_move")
    assert NOTATION.examples(case.asked, case.prepared.board)[0] == "move 1 infantry HAB GSA"


@pytest.mark.rule("DAA-8.03")
def test_odds_warn_of_hidden_mines_only_where_some_may_lie(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england", mines={"GSA": "germany"}).to_phase("combat_move")
    board = case.prepared.board
    warned = answer(view(case.state, "allies"), board, "odds uk:arm=2 v GSA")
    assert warned is not None
    assert "a minefield, of which you may not know, is left out" in warned.lines
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england").to_phase("combat_move")
    plain = answer(view(case.state, "allies"), board, "odds uk:arm=2 v GSA")
    assert plain is not None
    assert not any("minefield" in line for line in plain.lines)


def test_a_closer_look_names_the_power_once(lay: Lay) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1 it-inf-1..2; BUQ uk-inf-1", "england", dice="6, 6 6 6")
    case.attack("uk-arm-1", "HAB GSA").submit(orders.EndMoves()).to(orders.PressOn)
    told = shown(view(case.state, "allies"), case.prepared.board, "GSA")
    assert "Germany 1 infantry; Italy 2 infantry" in told
    assert told.count("in reach of here") == 1


@pytest.mark.rule("DAA-13.03", "DAA-10.04")
def test_a_raid_is_told_at_the_end_of_moves_in_its_odds_and_in_its_dice(lay: Lay) -> None:
    case = lay("BDI de-bom-1; MAT uk-inf-1 uk-aa-1; TOB de-arm-1", "germany", dice="6, 6").to_phase("combat_move")
    assert read(case, "raid matruh") == read(case, "raid bomber MAT")
    case.submit(read(case, "raid bomber BDI MAT"))
    seen, board = view(case.state, "axis"), case.prepared.board
    assert (words(orders.EndMoves(), seen, board) or "").startswith("end moves, and raid Mersa Matruh (MAT): 1 bomber")
    told = answer(seen, board, "odds mersa matruh")
    assert told is not None
    hits, flak = "each hits on 1 or less of a die", "flak shoots at each plane first, and hits on 1"
    assert told.lines == (f"de:bom=1 raid MAT (Mersa Matruh): {hits}; {flak}",)
    case.submit(orders.EndMoves()).to_phase("noncombat_move")
    rolls = [sentence(each, board) for each in case.game.records if isinstance(each, RollRecord)]
    assert (rolls[0] or "").startswith("Rolls 1d6 for flak against the raid at Mersa Matruh: 6")
    planned = [each.n for each in case.game.records if isinstance(getattr(each, "event", None), MovePlanned)]
    assert digest(case.game.records) == dict.fromkeys(planned, ""), "it is told once"


@pytest.mark.rule("DAA-R63", "DAA-14.04")
def test_the_end_by_income_tells_the_incomes_that_decided(lay: Lay) -> None:
    """What was collected last is not what counts: ground that fell after it is counted, too."""
    case = lay("HAB uk-inf-1; TOB de-inf-1", "germany", round_limit="1")
    case.until(lambda each: each.game.is_over)
    told = digest(case.game.records, case.prepared.board)
    worth = answer(view(case.state, "axis"), case.prepared.board, "worth")
    assert worth is not None
    sums = [line.partition(" (")[0] for line in worth.lines[:2]]
    (ended,) = (text for text in told.values() if text)
    assert ended.startswith("The game is over: ")
    assert ended.endswith(f"Worth of the ground at the end: {', '.join(sums).replace(':', '')} [DAA-R63].")


@pytest.mark.parametrize(
    ("scenario", "told"),
    [
        ("frontier", "KHA-MSH, KHA-OAS, KHA-RAS, MGH-WAZ, OAS-RAS, OAS-TEL, OAS-WAZ, TEL-WAZ"),
        ("western_desert", "view SPACE tells those of a space"),
    ],
)
def test_the_map_in_letters_tells_the_ways_that_it_does_not_draw(scenario: str, told: str) -> None:
    ready = shipped_one(scenario, ())
    game = ready.new_game(KeyedDice(key_from_seed("map")))
    game.start()
    assert (draw(game.view("axis"), ready.board, "text") or "").endswith(f"\nWays over desert: {told}\n")
