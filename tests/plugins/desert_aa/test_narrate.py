"""The game in sentences: every event has one, and those that people read most read well."""

import re
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import desert_aa
from desert_aa.model import events
from desert_aa.model.board import Board
from desert_aa.ui.narrate import sentence
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.events import Event, GameEnded, PhaseEnded
from sandtable.kernel.records import EventRecord, RollRecord, RulingRecord
from sandtable.plugin.manager import Installed
from sandtable.viewer.narrate import narrate

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
    int: {"infantry": 2, "armour": 1},
    str: dict.fromkeys(UNITS, "TOB"),
    list[str]: {"TOB": UNITS},
}


@pytest.fixture(scope="module")
def board() -> Board:
    found: Board = Installed("desert_aa", desert_aa, "test").prepare().board
    return found


def sample(event_type: type[Event]) -> Event:
    """Build an event from its annotations: every field filled."""
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


def told(event: Event, board: Board) -> str | None:
    return sentence(EventRecord(1, event), board)


@pytest.mark.parametrize("event_type", events.EVENTS, ids=lambda each: each.__name__)
def test_every_event_has_a_sentence_in_words(event_type: type[Event], board: Board) -> None:
    text = told(sample(event_type), board)
    if event_type is events.EntryChecked:
        assert text == ""  # what shows there has an event of its own
        return
    assert text
    assert text[0].isupper()
    assert text.endswith(".")
    assert not re.search(r"\b(TOB|GUB|GSA|HAB|germany|axis)\b|de-|_", text), text


@pytest.mark.parametrize("event_type", events.EVENTS, ids=lambda each: each.__name__)
def test_ids_that_nobody_knows_do_no_harm(event_type: type[Event], board: Board) -> None:
    """A damaged log is told as well as may be."""
    strange = {str: "nobody", int: -1, bool: False, list[str]: ["nobody", ""]}
    hints = {name: kind for name, kind in get_type_hints(event_type).items() if name in event_type.__struct_fields__}
    hints.pop("calculations", None)  # for the log, and in no sentence
    fields = {
        name: strange.get(kind, {"nobody": strange[get_args(kind)[1]]} if get_origin(kind) is dict else None)
        for name, kind in hints.items()
    }
    assert isinstance(told(event_type(**fields), board), str)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            events.UnitsMoved("germany", UNITS, ["TOB", "GUB"]),
            "Germany moves 2 infantry and 1 armour from Tobruk to Bir el Gubi-El Adem.",
        ),
        (
            events.UnitsMoved("germany", UNITS, ["TOB", "GUB", "GSA"], ["de-inf-1", "de-inf-2"], [], 4),
            (
                "Germany moves 2 infantry and 1 armour from Tobruk to Gabr Saleh-Maddalena by way of Bir el Gubi-El "
                "Adem; 2 infantry out of fuel until turn 4 [DAA-4.03]."
            ),
        ),
        (
            events.UnitsMoved("italy", ["it-inf-1"], ["TOB", "BDI", "BUQ"], [], ["it-inf-1"]),
            (
                "Italy moves 1 infantry from Tobruk to Buq Buq by way of Bardia-Sollum; "
                "extra space free on the road [DAA-6.02]."
            ),
        ),
        (events.GrantReceived("allies", 12), "The Allies receive an opening grant of 12 IPC."),
        (events.GrantReceived("italy", 6), "Italy receives an opening grant of 6 IPC."),
        (
            events.UnitsBought("italy", "axis", {"armour": 1, "infantry": 3, "aa_gun": 2}, 20),
            "Italy buys 3 infantry, 1 armour and 2 flak guns for 20 IPC.",
        ),
        (events.UnitsBought("italy", "axis", {}, 0), "Italy buys nothing for 0 IPC."),
        (
            events.MinefieldsPlaced("germany", 2, ["GSA", "HAC"]),
            "Germany secretly lays two minefields: Gabr Saleh-Maddalena and Bir Hacheim.",
        ),
        (events.MinefieldsPlaced("germany", 1), "Germany lays one minefield in secret [DAA-8.03]."),
        (events.MinefieldsPlaced("germany", 0), "Germany lays no minefields."),
        (events.SpaceCaptured("TOB", "england", "england", "germany"), "England takes Tobruk from Germany."),
        (
            events.SpaceCaptured("SIR", "germany", "italy", "england", ["uk-aa-1"]),
            "Germany wins Sirte back for Italy from England, with 1 flak gun [DAA-10.07] [DAA-18.04].",
        ),
        (
            events.UnitsLost("TOB", ["it-inf-1", "de-ftr-1", "it-inf-2"], "battle"),
            "Italy loses 2 infantry and Germany loses 1 fighter at Tobruk.",
        ),
        (events.UnitsLost("TOB", ["uk-arm-1"], "guns"), "England loses 1 armour at Tobruk to anti-tank guns."),
        (
            events.UnitsLost("TOB", ["uk-bom-1", "uk-bom-2"], "no_landing", "DAA-18.03"),
            "England loses 2 bombers at Tobruk, with nowhere to land [DAA-18.03].",
        ),
        (
            events.UnitsWithdrew("england", "TOB", {"uk-inf-1": "BDI", "uk-arm-1": "GUB", "uk-inf-2": "BDI"}),
            "England falls back from Tobruk: 2 infantry to Bardia-Sollum and 1 armour to Bir el Gubi-El Adem.",
        ),
        (
            events.UnitsCut("england", {"uk-arm-1": "SIB"}, 5),
            "The supply of England is cut: 1 armour by the enemy at Sidi Barrani; they lie until turn 5 [DAA-6.03].",
        ),
        (
            events.MinesStruck("italy", "GSA", 1, ["uk-inf-1", "uk-arm-1"], 0),
            "The mines of Italy at Gabr Saleh-Maddalena go off under 1 infantry and 1 armour (first entry): no hits.",
        ),
        (
            events.CombatsDeclared("england", {"TOB": ["uk-inf-1"], "GUB": ["uk-arm-1"]}, {"BEN": ["uk-bom-1"]}),
            "England attacks Tobruk and Bir el Gubi-El Adem and raids Benghazi.",
        ),
        (events.CombatsDeclared("england", {}, {}), "England attacks nowhere."),
        (events.PowerTurnBegan("england", []), ""),
        (
            GameEnded("allies", "capital_captured"),
            "The game is over: victory for the Allies (the enemy capital has fallen).",
        ),
        (GameEnded("draw", "round_limit"), "The game is over: a draw (by income, after the last turn)."),
        (PhaseEnded("italy.combat", 3), None),
    ],
)
def test_sentences_read_well(event: Event, text: str | None, board: Board) -> None:
    assert told(event, board) == text


def test_dice_are_told_with_the_name_of_the_space(board: Board) -> None:
    roll = RollRecord(1, "2/england.combat/guns.TOB/1", 6, (2, 5), needs=(3, 3))
    assert sentence(roll, board) == "Rolls 2d6 for anti-tank guns at Tobruk: 2 5, needing 3 or less: one hit."


def test_rulings_are_left_to_the_framework(board: Board) -> None:
    ruling = RulingRecord(1, "umpire", "a slip", events.IncomeCollected("italy", "axis", 3))
    assert sentence(ruling, board) is None
    assert list(narrate([ruling], lambda record: sentence(record, board))) == [
        "  Umpire rules (a slip): Italy collects 3 IPC."
    ]


def test_the_opening_of_a_game_is_told_under_its_heading() -> None:
    prepared = Installed("desert_aa", desert_aa, "test").prepare()
    game = prepared.new_game(KeyedDice(bytes(32)))
    game.start()
    assert list(narrate(game.records, lambda record: sentence(record, prepared.board)))[:2] == [
        "Set-up — bonus",
        "  The Axis receives an opening grant of 12 IPC.",
    ]
