"""Narration: every event has a sentence, and each move is narrated once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import pytest
from tests.plugins.desert_aa.conftest import Case, Lay, move
from tests.plugins.desert_aa.positions import entered

import desert_aa
from desert_aa.fog.views import view
from desert_aa.model import events, orders
from desert_aa.model.events import MovePlanned
from desert_aa.ui.asking.answers import answer
from desert_aa.ui.digest import digest
from desert_aa.ui.doubts import read_order
from desert_aa.ui.menus import words
from desert_aa.ui.narrate import sentence
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.events import Event, GameEnded, PhaseEnded
from sandtable.kernel.records import EventRecord, RollRecord, RulingRecord
from sandtable.plugin.manager import Installed
from sandtable.viewer.narrate import narrate

if TYPE_CHECKING:
    from transcripts import Transcript

    from desert_aa.model.board import Board


@pytest.mark.rule("DAA-16.01", "DAA-R38")
def test_combat_move_is_narrated_once(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england", dice="1 1, 6").to_phase("combat_move")
    case.submit(move("uk-arm-1..2", "HAB GSA"))
    assert digest(case.game.records) == {}, "it is an order until it is made"
    case.submit(orders.EndMoves())
    planned = [each.n for each in case.game.records if isinstance(getattr(each, "event", None), MovePlanned)]
    assert digest(case.game.records) == dict.fromkeys(planned, "")


@pytest.mark.rule("DAA-9.01")
def test_move_into_hidden_mines_is_narrated_before_them(lay: Lay) -> None:
    case = entered(lay, "uk-arm-1", "6").submit(orders.EndMoves())
    board, records = case.prepared.board, case.game.records
    (text,) = (text for text in digest(records, board).values() if text)
    first, second = text.splitlines()
    assert first.startswith("England moves 1 armor ")
    assert second.startswith("Mines! Germany ")


@pytest.mark.rule("DAA-4.10", "DAA-6.06")
def test_relieved_units_are_narrated_with_their_reason(lay: Lay) -> None:
    units, held = "TOB it-arm-1 de-arm-1; GSA uk-inf-1; GUB de-inf-1", {"italy": "BUQ SIB"}
    case = lay(units, "italy", dice="1, 6", control=held, cut_relief="controller")
    case.shift("it-arm-1", "TOB BDI BUQ SIB").to_turn("england")
    case.state.units["de-arm-1"].space, case.state.units["de-arm-1"].condition = "SIB", "advanced"
    case.attack("uk-inf-1", "GSA BDI").to_turn("germany").attack("de-inf-1", "GUB BDI").fight()
    case.to_turn("italy").to_turn("england")
    stood_up = [each for each in case.game.records if isinstance(getattr(each, "event", None), events.UnitsStoodUp)]
    first, second = (str(sentence(each, case.prepared.board)) for each in stood_up)
    assert first.startswith("The road behind is free: Germany's")
    assert first.endswith("[DAA-6.06].")
    assert second.startswith("Italy's")


def test_dice_have_the_unit_and_need_of_each_face(board: Board) -> None:
    units = ("it-inf-3", "it-arm-1", "it-arm-2")
    roll = RollRecord(1, "1/italy.combat/attack.TOB/1", 6, (2, 6, 2), needs=(1, 2, 2), units=units)
    text = sentence(roll, board)
    assert text == "Attack on Tobruk: Italy's infantry 2 (needs 1), armor 6 and 2 (need 2 or less): one hit."


def read(case: Case, text: str) -> Any:
    return read_order(case.asked, text, case.prepared.board)


@pytest.mark.rule("DAA-13.03", "DAA-10.04")
def test_raid_is_named_in_menu_odds_and_rolls(lay: Lay) -> None:
    case = lay("BDI de-bom-1; MAT uk-inf-1 uk-aa-1; TOB de-arm-1", "germany", dice="6, 6").to_phase("combat_move")
    assert read(case, "raid matruh") == read(case, "raid bomber MAT")
    case.submit(read(case, "raid bomber BDI MAT"))
    seen, board = view(case.state, "axis"), case.prepared.board
    assert (words(orders.EndMoves(), seen, board) or "").startswith("end moves, and raid Mersa Matruh (MAT): 1 bomber")
    found = answer(seen, board, "odds mersa matruh")
    assert found is not None
    hits, flak = "each bomber hits on 1 or less", "flak fires at each plane first and hits on 1"
    assert found.lines == (f"1 bomber of Germany on a raid on MAT (Mersa Matruh): {hits}; {flak}",)
    case.submit(orders.EndMoves()).to_phase("noncombat_move")
    rolls = [sentence(each, board) for each in case.game.records if isinstance(each, RollRecord)]
    assert (rolls[0] or "").startswith("Flak at Mersa Matruh against Germany's raid: bomber 6 (needs 1)")
    planned = [each.n for each in case.game.records if isinstance(getattr(each, "event", None), MovePlanned)]
    assert digest(case.game.records) == dict.fromkeys(planned, ""), "it is narrated once"


@pytest.mark.rule("DAA-R63", "DAA-14.04")
def test_end_by_income_names_the_deciding_incomes(lay: Lay) -> None:
    """The current ground decides, including ground that was captured after the last collection."""
    case = lay("HAB uk-inf-1; TOB de-inf-1", "germany", round_limit="1")
    case.until(lambda each: each.game.is_over)
    texts = digest(case.game.records, case.prepared.board)
    worth = answer(view(case.state, "axis"), case.prepared.board, "worth")
    assert worth is not None
    sums = [line.partition(" (")[0] for line in worth.lines[:2]]
    (ended,) = (text for text in texts.values() if text)
    assert ended.startswith("The game is over: ")
    assert ended.endswith(f" {', '.join(sums).replace(':', '')} [DAA-R63].")

    ruling = RulingRecord(1, "umpire", "resigned", GameEnded("axis", "round_limit"))
    assert digest([ruling], case.prepared.board) == {}, "a ruling counts no incomes"


UNITS = ["de-inf-1", "de-inf-2", "de-arm-1"]
SAMPLES: dict[str, Any] = {
    "power": "germany",
    "by": "germany",
    "owner": "germany",
    "lost_by": "england",
    "purse": "axis",
    "space": "TOB",
    "kind": "infantry",
    "cause": "battle",
    "outcome": "held",
    "path": ["TOB", "GUB", "GSA"],
    "spaces": ["GSA", "HAB"],
}
IN_UNITS: dict[Any, dict[str, Any]] = {
    int: {"infantry": 2, "armor": 1},
    str: dict.fromkeys(UNITS, "TOB"),
    list[str]: {"TOB": UNITS},
}


@pytest.fixture(scope="module")
def board() -> Board:
    found: Board = Installed("desert_aa", desert_aa, "test").prepare().board
    return found


def sample(event_type: type[Event]) -> Event:
    """Return an event of a type with every field filled, from its annotations."""
    fields: dict[str, Any] = {}
    for name, kind in get_type_hints(event_type).items():
        if name in {"__msgspec_config__", "__struct_config__", "calculations"} or name.startswith("_"):
            continue
        if name == "rule":
            fields[name] = "DAA-0.00"
        elif name in SAMPLES:
            fields[name] = SAMPLES[name]
        elif get_origin(kind) is dict:
            fields[name] = IN_UNITS[get_args(kind)[1]]
        elif get_origin(kind) is list:
            fields[name] = UNITS
        else:
            fields[name] = {int: 2, bool: True}[kind]
    return event_type(**fields)


def sentence_of(event: Event, board: Board) -> str | None:
    return sentence(EventRecord(1, event), board)


def test_every_event_has_a_sentence_in_words(board: Board, transcript: Transcript) -> None:
    sentences = {each.__name__: sentence_of(sample(each), board) for each in events.EVENTS}
    for name, text in sentences.items():
        assert text is not None
        if name != "EntryChecked":  # a revealed minefield has a separate event
            assert text[0].isupper()
            assert text.endswith(".")
        assert not re.search(r"\b(TOB|GUB|GSA|HAB|germany|axis)\b|de-|_", text), text
    transcript("\n".join(f"{name}: {text}" for name, text in sentences.items()))


EVENTS: list[Event] = [
    events.UnitsMoved("germany", UNITS, ["TOB", "GUB"]),
    events.UnitsMoved("germany", UNITS, ["TOB", "GUB", "GSA"], ["de-inf-1", "de-inf-2"], [], 4),
    events.UnitsMoved("italy", ["it-inf-1"], ["TOB", "BDI", "BUQ"], [], ["it-inf-1"]),
    events.GrantReceived("allies", 12),
    events.GrantReceived("italy", 6),
    events.UnitsBought("italy", "axis", {"armor": 1, "infantry": 3, "aa_gun": 2}, 20),
    events.UnitsBought("italy", "axis", {}, 0),
    events.MinefieldsPlaced("germany", 2, ["GSA", "HAC"]),
    events.MinefieldsPlaced("germany", 1),
    events.MinefieldsPlaced("germany", 0),
    events.SpaceCaptured("TOB", "england", "england", "germany"),
    events.SpaceCaptured("SIR", "germany", "italy", "england", ["uk-aa-1"]),
    events.UnitsLost("TOB", ["it-inf-1", "de-ftr-1", "it-inf-2"], "battle"),
    events.UnitsLost("TOB", ["uk-arm-1"], "guns"),
    events.UnitsLost("TOB", ["uk-bom-1", "uk-bom-2"], "no_landing", "DAA-18.03"),
    events.UnitsWithdrew("england", "TOB", {"uk-inf-1": "BDI", "uk-arm-1": "GUB", "uk-inf-2": "BDI"}),
    events.UnitsCut("england", {"uk-arm-1": "SIB"}, 5),
    events.MinesStruck("italy", "GSA", 1, ["uk-inf-1", "uk-arm-1"], 0),
    events.CombatsDeclared("england", {"TOB": ["uk-inf-1"], "GUB": ["uk-arm-1"]}, {"BEN": ["uk-bom-1"]}),
    events.CombatsDeclared("england", {}, {}),
    events.PowerTurnBegan("england", []),
    GameEnded("allies", "capital_captured"),
    GameEnded("draw", "round_limit"),
    PhaseEnded("italy.combat", 3),
]


def test_sample_events_have_their_sentences(board: Board, transcript: Transcript) -> None:
    roll = RollRecord(1, "2/england.combat/guns.TOB/1", 6, (2, 5), needs=(3, 3))
    sweeps = [RollRecord(1, "2/england.combat/sweep.SIW/1", 6, (face,), needs=(2,)) for face in (2, 3)]
    rolls = [str(sentence(each, board)) for each in (roll, *sweeps)]
    transcript("\n".join([*(str(sentence_of(event, board)) for event in EVENTS), *rolls]))


@pytest.mark.parametrize("event_type", events.EVENTS, ids=lambda each: each.__name__)
def test_unknown_ids_have_sentences(event_type: type[Event], board: Board) -> None:
    """A damaged log is narrated as far as possible."""
    strange = {str: "nobody", int: -1, bool: False, list[str]: ["nobody", ""]}
    hints = {name: kind for name, kind in get_type_hints(event_type).items() if name in event_type.__struct_fields__}
    hints.pop("calculations", None)  # stored only for the log
    fields = {
        name: strange.get(kind, {"nobody": strange[get_args(kind)[1]]} if get_origin(kind) is dict else None)
        for name, kind in hints.items()
    }
    assert isinstance(sentence_of(event_type(**fields), board), str)


def test_rulings_use_the_framework_sentence(board: Board) -> None:
    ruling = RulingRecord(1, "umpire", "a slip", events.IncomeCollected("italy", "axis", 3))
    assert sentence(ruling, board) is None
    assert list(narrate([ruling], lambda record: sentence(record, board))) == [
        "  Umpire rules (a slip): Italy collects 3 IPC."
    ]


def test_opening_is_narrated_under_a_heading() -> None:
    prepared = Installed("desert_aa", desert_aa, "test").prepare()
    game = prepared.new_game(KeyedDice(bytes(32)))
    game.start()
    assert list(narrate(game.records, lambda record: sentence(record, prepared.board)))[:2] == [
        "Set-up — bonus",
        "  The Axis receives an opening grant of 12 IPC.",
    ]
