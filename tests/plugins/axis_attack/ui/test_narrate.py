"""The sentence of each event and ending."""

from typing import Any

import pytest
from tests.plugins.axis_attack.ground import board as ground
from tests.plugins.axis_attack.seen import SCENARIOS, played

from axis_attack.model import events
from axis_attack.model.cards import DEPLETED, FULL, GUTTED
from axis_attack.model.orders import Wanted
from axis_attack.model.state import AirSupport, Fielded, Purchase
from axis_attack.ui.narrate import narrate_event, sentence
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.tabletop.result import PlatoonLosses, Result

BOARD = ground()
BOTH = {"german": 4, "soviet": 2}


def told(event: Event) -> str:
    text = sentence(EventRecord(1, event), BOARD)
    assert text is not None
    return text


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_campaign_is_told_in_sentences(scenario: str) -> None:
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


def test_every_event_has_a_sentence_of_its_own() -> None:
    for kind in events.EVENTS:
        assert narrate_event.dispatch(kind) is not narrate_event.dispatch(Event), kind


CASES: tuple[tuple[Event, str], ...] = (
    (
        events.CompanyBuilt("german", {"pg1": Wanted("pg", 7)}, {}, {}, {"ju87": "limited"}, 255),
        "The German build a company of 255 points: one platoon, pg1; ju87, limited.",
    ),
    (
        events.CampaignOpened(4, "encounter", "clear", {"german": 0, "soviet": 0}),
        "The campaign opens in sector 4 (Sector 4); the first mission: Encounter; weather: clear.",
    ),
    (events.ReconClaimed("german", [], []), "The German claim no reconnaissance."),
    (
        events.ReconClaimed("german", ["cars", "cycles"], ["cycles"]),
        (
            "The German claim reconnaissance in the enemy's half: cars and cycles;"
            " without transport, so not counted: cycles."
        ),
    ),
    (
        events.SelectionRolled(BOTH, {"german": [("points", 5)], "soviet": []}, {"german": 9, "soviet": 2}),
        "Rolls for the mission: German 4 +5 for the last game = 9; Soviet 2.",
    ),
    (
        events.TotalAdjusted("german", "soviet", -1, BOTH),
        "The German, who won in defence, take one off the total of the Soviet: German 4, Soviet 2.",
    ),
    (
        events.MissionSelected("hold_the_line", "soviet", "german"),
        "The next mission is Hold the Line: the Soviet attack.",
    ),
    (events.MissionSelected("encounter", "soviet", "german"), "The next mission is Encounter: both sides attack."),
    (
        events.MissionChanged("german", "cauldron", 5),
        "The German pay five victory points: the mission becomes Cauldron.",
    ),
    (
        events.RolesRolled("german", "soviet"),
        (
            "Attack and defence, by the types of their companies:"
            " the German count as the attacker, the Soviet as the defender."
        ),
    ),
    (
        events.ChoiceRolled("german", {"german": [3, 5], "soviet": [3, 1]}),
        "Roll-off for who chooses the table (German 3 5; Soviet 3 1): the German.",
    ),
    (
        events.TablePlaced("german", 1, 2),
        "The German choose the table: its north-west corner is in column 2, row 3 of the sector.",
    ),
    (events.TableShifted("soviet", 0, 0, 2), "The Soviet shift the table to column 1, row 1, for two victory points."),
    (events.GameConceded("german"), "The German concede the game."),
    (events.GameConceded("german", "AOA-R62"), "The German can form no legal force, and concede the game [AOA-R62]."),
    (
        events.ForceChosen(
            "german",
            [
                Fielded("pg1", 7, {"light_mortar": 1}),
                Fielded("hmg", 5, {}, False, "panzer"),
                Fielded("guns", 4, {}, True),
            ],
            1500,
            1,
            Purchase("smoke", 1, ("guns",)),
            AirSupport("ju87", "limited", "interdiction", "bombs"),
            2,
        ),
        (
            "The German field 1500 points: pg1 7 with light mortar, hmg 5 on panzer, guns 4 off the table; limit raised"
            " once; extra smoke for guns; limited interdiction by ju87 with bombs. They pay two victory points."
        ),
    ),
    (events.WeatherRolled("german", 6, "steady_rain", 2), "The weather: steady rain (a 6); ground: muddy."),
    (
        events.BattleFought(Result("german", BOTH, {"soviet": {"s1": PlatoonLosses(3, 2, transports=1)}})),
        "The German win. Losses of the Soviet: s1 3 destroyed, 2 routed, one transport.",
    ),
    (events.BattleFought(Result("draw", BOTH)), "Nobody wins."),
    (events.BattleFought(Result("german", conceded="soviet")), "Nobody plays: a win for the German."),
    (
        events.PointsScored("soviet", 2, 3),
        "The Soviet score two victory points, and three more as the outnumbered side.",
    ),
    (events.PointsSpent("soviet", 1, "a_shift", "AOA-8.22"), "The Soviet pay one victory point for a shift."),
    (events.StrengthAssessed("german", "pg1", 4, FULL, GUTTED, 0), "German: pg1 falls from full strength to gutted."),
    (events.StrengthAssessed("german", "pg1", 7, FULL, FULL, 0), ""),
    (
        events.StrengthAssessed("german", "panzer", 5, FULL, FULL, 0, [4, 5]),
        "German: panzer stays full strength (bailed vehicles: 4 5).",
    ),
    (
        events.FrontMoved("advance", "german", 5, 4),
        "Advance: the front moves from sector 4 (Sector 4) to sector 5 (Sector 5).",
    ),
    (events.FrontMoved("hold", "german", 4, 4), "Hold: the front stays in sector 4 (Sector 4)."),
    (events.VehiclesTaken("german", "pg2", "pg1", 2), "German: pg1 takes two vehicles of pg2."),
    (events.PlatoonLowered("german", "pg1", DEPLETED), "The German lower pg1 to depleted, to keep it mobile."),
    (events.MobilityAssessed("german", ["pg1"], []), "Immobile for lack of transport: pg1 of the German."),
    (events.MobilityAssessed("german", [], ["pg1"]), "Mobile again: pg1 of the German."),
    (events.MobilityAssessed("german", [], []), ""),
    (events.PlatoonRaised("german", "pg1", DEPLETED, 2), "The German raise pg1 to depleted, for two dice."),
    (events.DiceBought("german", 6, 2), "The German have six reinforcement dice, 2 of them bought."),
    (
        events.PlatoonReinforced("german", "pg1", [2, 4], 3, DEPLETED),
        "German: pg1 rolls 2 4 for reinforcement and needs 3: it rises to depleted.",
    ),
    (
        events.PlatoonReinforced("german", "pg1", [2, 1], 3, GUTTED),
        "German: pg1 rolls 2 1 for reinforcement and needs 3: in vain.",
    ),
    (
        events.PlatoonExchanged("german", "panzer", Wanted("pak40", 3), FULL, 3, 5),
        "The German pay five victory points: panzer is now a pak40 of three teams.",
    ),
    (events.GroundChanged(1), "The ground now: wet."),
    (events.TurnClosed(), ""),
    (
        GameEnded("german", "home_sector", "AOA-12.01"),
        "The game is over: victory for the German (the enemy's home sector is taken).",
    ),
)


@pytest.mark.parametrize(("event", "text"), CASES)
def test_what_each_event_tells(event: Event, text: str) -> None:
    assert told(event) == text


@pytest.mark.rule("AOA-12.01", "AOA-12.03", "AOA-12.04")
@pytest.mark.parametrize(
    ("outcome", "ending", "text"),
    [
        ("german", "home_sector", "home sector is taken"),
        ("soviet", "front", "a minor victory"),
        ("draw", "stalemate", "a draw (a stalemate"),
    ],
)
def test_each_ending_has_its_words(outcome: str, ending: str, text: str) -> None:
    assert text in told(GameEnded(outcome, ending, "AOA-12.01"))


def test_rolls_are_told_by_their_events_but_for_physical_dice() -> None:
    roll: Any = RollRecord(1, "2/selection/selection:german", 6, (4,))
    assert sentence(roll, BOARD) == ""
    by_hand = RollRecord(1, "2/selection/selection:german", 6, (4,), by="german")
    assert sentence(by_hand, BOARD) == "German rolls 1d6 for the selection at German: 4."


def test_other_records_are_left_to_the_framework() -> None:
    assert sentence(object(), BOARD) is None
