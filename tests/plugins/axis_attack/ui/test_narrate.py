"""The sentence of each event and ending."""

from typing import Any

import pytest
from tests.plugins.axis_attack.ground import board as ground
from tests.plugins.axis_attack.seen import SCENARIOS, played
from transcripts import Transcript

from axis_attack.model import events
from axis_attack.model.cards import DEPLETED, FULL, GUTTED
from axis_attack.model.orders import Wanted
from axis_attack.model.state import AirSupport, Fielded, Purchase
from axis_attack.ui.narrate import SENTENCES, digest, sentence
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.tabletop.result import PlatoonLosses, Result

BOARD = ground()
BOTH = {"german": 4, "soviet": 2}


def narrated(event: Event) -> str:
    text = sentence(EventRecord(1, event), BOARD)
    assert text is not None
    return text


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_campaign_is_narrated_in_sentences(scenario: str) -> None:
    prepared, game = played(scenario)
    for record in game.records:
        text = sentence(record, prepared.board)
        if isinstance(record, EventRecord) and isinstance(record.event, events.EVENTS):
            assert text is not None
        if text:
            assert text[0] == text[0].upper()
            assert text.endswith((".", "]."))
            assert text.isprintable()
            assert "_" not in text.replace("ju_87d", "") or isinstance(record, EventRecord)


def test_every_event_has_a_sentence() -> None:
    assert set(events.EVENTS) <= set(SENTENCES)


FORCE = events.ForceChosen(
    "german",
    [Fielded("pg1", 7, {"light_mortar": 1}), Fielded("hmg", 5, {}, False, "panzer"), Fielded("guns", 4, {}, True)],
    1500,
    1,
    Purchase("smoke", 1, ("guns",)),
    AirSupport("ju87", "limited", "interdiction", "bombs"),
    2,
)
EVENTS: tuple[Event, ...] = (
    events.CompanyBuilt("german", {"pg1": Wanted("pg", 7)}, {}, {}, {"ju87": "limited"}, 255),
    events.CampaignOpened(4, "encounter", "clear", {"german": 0, "soviet": 0}),
    events.ReconClaimed("german", [], []),
    events.ReconClaimed("german", ["cars", "cycles"], ["cycles"]),
    events.SelectionRolled(BOTH, {"german": [("points", 5)], "soviet": []}, {"german": 9, "soviet": 2}),
    events.TotalAdjusted("german", "soviet", -1, BOTH),
    events.MissionSelected("hold_the_line", "soviet", "german"),
    events.MissionSelected("encounter", "soviet", "german"),
    events.MissionChanged("german", "cauldron", 5),
    events.RolesRolled("german", "soviet"),
    events.ChoiceRolled("german", {"german": [3, 5], "soviet": [3, 1]}),
    events.TablePlaced("german", 1, 2),
    events.TableShifted("soviet", 0, 0, 2),
    events.GameConceded("german"),
    events.GameConceded("german", "AOA-R62"),
    FORCE,
    events.WeatherRolled("german", 6, "steady_rain", 2),
    events.BattleFought(Result("german", BOTH, {"soviet": {"s1": PlatoonLosses(3, 2, transports=1)}})),
    events.BattleFought(Result("draw", BOTH)),
    events.BattleFought(Result("german", conceded="soviet")),
    events.PointsScored("soviet", 2, 3),
    events.PointsSpent("soviet", 1, "a_shift", "AOA-8.22"),
    events.StrengthAssessed("german", "pg1", 4, FULL, GUTTED, 0),
    events.StrengthAssessed("german", "pg1", 7, FULL, FULL, 0),
    events.StrengthAssessed("german", "panzer", 5, FULL, FULL, 0, [4, 5]),
    events.FrontMoved("advance", "german", 5, 4),
    events.FrontMoved("hold", "german", 4, 4),
    events.VehiclesTaken("german", "pg2", "pg1", 2),
    events.PlatoonLowered("german", "pg1", DEPLETED),
    events.MobilityAssessed("german", ["pg1"], []),
    events.MobilityAssessed("german", [], ["pg1"]),
    events.MobilityAssessed("german", [], []),
    events.PlatoonRaised("german", "pg1", DEPLETED, 2),
    events.DiceBought("german", 6, 2),
    events.PlatoonReinforced("german", "pg1", [2, 4], 3, DEPLETED),
    events.PlatoonReinforced("german", "pg1", [2, 1], 3, GUTTED),
    events.PlatoonExchanged("german", "panzer", Wanted("pak40", 3), FULL, 3, 5),
    events.GroundChanged(1),
    events.TurnClosed(),
    GameEnded("german", "home_sector", "AOA-12.01"),
    GameEnded("soviet", "front", "AOA-12.03"),
    GameEnded("draw", "stalemate", "AOA-12.04"),
)


@pytest.mark.rule("AOA-12.01", "AOA-12.03", "AOA-12.04")
def test_every_sample_event_has_its_sentence(transcript: Transcript) -> None:
    transcript("\n".join(f"{type(event).__name__}: {narrated(event)}".rstrip() for event in EVENTS))


def test_rolls_have_no_sentence_except_physical_dice() -> None:
    roll: Any = RollRecord(1, "2/selection/selection:german", 6, (4,))
    assert sentence(roll, BOARD) == ""
    by_hand = RollRecord(1, "2/selection/selection:german", 6, (4,), by="german")
    assert sentence(by_hand, BOARD) == "German rolls 1d6 for the selection at German: 4."


def test_digest_names_a_platoon_by_its_type_after_an_exchange() -> None:
    records = [
        EventRecord(1, events.CompanyBuilt("german", {"a": Wanted("pg", 7), "b": Wanted("panzer", 3)}, {}, {}, {}, 1)),
        EventRecord(2, events.PlatoonLowered("german", "b", DEPLETED)),
        EventRecord(3, events.PlatoonExchanged("german", "b", Wanted("pg", 5), DEPLETED, 3, 5)),
        EventRecord(4, events.PlatoonLowered("german", "b", DEPLETED)),
    ]
    texts = digest(records, BOARD)
    titles = {each: BOARD.lists["german"].types[each].title for each in ("pg", "panzer")}
    assert f"the {titles['panzer']} " in texts[2]
    assert f"the 2nd {titles['pg']} " in texts[4]


def test_other_records_use_the_framework_sentences() -> None:
    assert sentence(object(), BOARD) is None
