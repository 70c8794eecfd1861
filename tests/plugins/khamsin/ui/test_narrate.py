"""The campaign as a diary: a sentence for each event and each ending."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS
from tests.plugins.khamsin.games import played
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.positions import single

from khamsin.model import battle_events as battle
from khamsin.model import events
from khamsin.model.battle_events import SideActed
from khamsin.model.events import ConditionCounted, FormationDivided, FormationJoined, HonourGained, TurnOpened
from khamsin.model.state import Fielded
from khamsin.ui.narrate import digest, sentence
from sandtable.kernel.events import GameEnded, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.tabletop.result import Result


def test_honour_of_an_action_is_told_in_one_line() -> None:
    gained = [("Harris", 5, "points"), ("Harris", 1, "own_troops"), ("Brandt", 2, "points")]
    run = [EventRecord(7 + at, HonourGained(who, AXIS, n, why, "KH-24.01")) for at, (who, n, why) in enumerate(gained)]
    alone = EventRecord(20, HonourGained("Moore", ALLIES, -1, "withdrawal", "KH-24.06"))
    told = digest([*run, EventRecord(10, TurnOpened()), alone])
    both = "Harris +6 (victory points 5, led his own troops 1), Brandt +2 (victory points 2)"
    assert told == {7: "", 8: "", 9: f"Honour: {both}."}


@pytest.mark.rule("KH-R110", "KH-25.02")
def test_both_sides_meeting_a_condition_is_told_as_that() -> None:
    board = board_of("teaching")
    both = sentence(EventRecord(1, GameEnded("draw", "even", "KH-R110")), board)
    assert both == "The game is over: a draw (both sides met a condition of victory in the same turn)."
    even = sentence(EventRecord(1, GameEnded("draw", "even", "KH-25.03")), board)
    assert even == "The game is over: a draw (neither side is ahead)."
    assert sentence(EventRecord(1, ConditionCounted("0", 1)), board)


FORCES = {"axis": ["15_pz_div"], "allies": ["7_armd_bde"]}
CLASSES = {"axis": {"armour": 2, "mechanised": 1}, "allies": {"armour": 2}}
SHUT = {"axis": ["15_pz_div"], "allies": []}
SENTENCES: list[tuple[Any, str]] = [
    (events.SituationChanged("note", text="A convoy has come in."), "A convoy has come in."),
    (events.SituationChanged("supply_on", "axis", "sollum"), "The situation changes in Sollum: supply on."),
    (
        events.SideDeployed("axis", {"15_pz_div": "gambut", "21_pz_div": "gambut"}, {"rommel": "el_adem"}),
        "The Axis deploys: 15th Panzer Division and 21st Panzer Division at Gambut; Rommel at El Adem.",
    ),
    (events.SupplyChecked("axis", ["15_pz_div"]), "Out of supply of the Axis: 15th Panzer Division."),
    (events.SupplyChecked("axis", []), ""),
    (
        events.SurrenderChecked("15_pz_div", "axis", [1, 2], [("out_of_supply", -1)], 4, held=False),
        "15th Panzer Division, long without supply, rolls 1 and 2 and needs 4 (out of supply -1): it has had enough.",
    ),
    (
        events.FormationLost("15_pz_div", "axis", "gambut", "surrendered", "KH-20.03"),
        "15th Panzer Division surrenders at Gambut [KH-20.03].",
    ),
    (
        events.FormationDisabled("15_pz_div", "axis", "el_adem", "gambut"),
        "15th Panzer Division is combat ineffective: it goes from El Adem to its base, Gambut.",
    ),
    (
        events.FormationReturned("15_pz_div", "axis", "gambut"),
        "15th Panzer Division is fit again, and stands at Gambut.",
    ),
    (
        events.FormationArrived("15_pz_div", "axis", "gambut", "KH-4.08"),
        "15th Panzer Division arrives late at Gambut.",
    ),
    (
        events.FormationDelayed("15_pz_div", "axis"),
        "15th Panzer Division finds no entry open, and waits [KH-4.06].",
    ),
    (
        events.ReplacementsGiven("7_armd_bde", "allies", 2, 1, 2, 1, "stationary", assimilating=True),
        (
            "7th Armored Brigade receives replacements for 2 armor and 1 general attrition, and will hold; "
            "it assimilates them."
        ),
    ),
    (events.WeatherSet("clear", 4), "The weather: Clear (a 4)."),
    (
        events.OrdersWritten("axis", {"15_pz_div": ["sidi_rezegh", "gambut"], "21_pz_div": ["el_adem"]}, {}, ["tobruk"],
                             {"15_pz_div": 1}, "Hold"),
        ("The Axis orders: 15th Panzer Division: Sidi Rezegh - Gambut; 15th Panzer Division leaves 1 behind; "
         "aircraft to Tobruk. Plan: Hold"),
    ),
    (events.OrdersWritten("axis", {}, {}, [], {}), "The Axis orders: all hold."),
    (
        events.AreasInterdicted("axis", {"tobruk": 6, "gambut": 1}, ["tobruk"]),
        "Aircraft of the Axis fly against Tobruk (a 6) and Gambut (a 1): Tobruk is interdicted.",
    ),
    (events.AreasInterdicted("axis", {}, []), ""),
    (
        events.FormationDivided("inf_cw", "allies", "inf_cw_2", 1, "tobruk"),
        "Infantry leaves one company in Tobruk as inf_cw_2 [KH-R117].",
    ),
    (events.FormationJoined("inf_cw", "allies", "inf_cw_2"), "Infantry is whole again: inf_cw_2 has joined it."),
    (
        events.ActivationRolled("inf_cw_2", "allies", "el_adem", 5, [("rommel", 1)], 6, 4, activated=True),
        "A part of Infantry is to attack El Adem: it rolls 5, needs 4 (Rommel +1), and attacks.",
    ),
    (
        events.DoctrineInvoked("15_pz_div", "axis", 10, 4),
        "15th Panzer Division moves when it should regroup, for 10 general and 4 armor attrition [KH-20.07].",
    ),
    (
        events.EnemyMet("axis", ["15_pz_div", "rommel"]),
        "Met enemies, or did not get through: 15th Panzer Division and Rommel.",
    ),
    (events.DoctrineEnded("15_pz_div", "axis"), "15th Panzer Division has had its rest."),
    (
        events.FormationMoved("15_pz_div", "axis", "gambut", "sollum", 1),
        "15th Panzer Division moves from Gambut to Sollum.",
    ),
    (events.FormationMoved("15_pz_div", "axis", "", "sollum", 0), "15th Panzer Division comes in at Sollum."),
    (events.LeaderMoved("rommel", "axis", ["gambut", "sollum"]), "Rommel goes: Gambut - Sollum."),
    (
        events.LeaderMoved("rommel", "axis", ["gambut", "sollum"], "KH-R104"),
        "Rommel has to get away: Gambut - Sollum.",
    ),
    (events.LeaderReturned("rommel", "axis", "gambut"), "Rommel comes back, at Gambut."),
    (events.CharacterHit("rommel", "axis", 1, "killed"), "Rommel is killed (a 1)."),
    (
        events.CharacterHit("rommel", "axis", 2, "wounded", 1, 5),
        "Rommel is badly wounded (a 2): he comes back on turn 5 at the earliest.",
    ),
    (events.CharacterHit("rommel", "axis", 5, "minor"), "Rommel is only scratched (a 5)."),
    (events.ControlChanged("gambut", "allies"), "Gambut falls to the Commonwealth."),
    (
        events.HonourGained("Gary", "axis", 6, "points", "KH-24.01"),
        "Gary gains six points of honour for victory points.",
    ),
    (
        events.HonourGained("Gary", "axis", -1, "withdrawal", "KH-24.06"),
        "Gary loses one point of honour for a formation that withdraws.",
    ),
    (
        events.MedalsAwarded({"axis": ["Gary", "Jim"], "allies": ["Bart"]}),
        "Great battlefield tacticians: Gary and Jim of the Axis; Bart of the Commonwealth.",
    ),
    (
        events.ReportIssued("axis", ["gambut", "sollum"], {"sollum": {"armour": 1}}),
        "Report to the Axis: enemies at Gambut and 1 armour company at Sollum.",
    ),
    (events.ReportIssued("axis", [], {}), "Report to the Axis: no enemy near."),
    (
        battle.EngagementFound("gambut", "gambut", "", FORCES, {}, CLASSES, "stationary", "axis", "axis"),
        ("Contact at Gambut: 15th Panzer Division of the Axis (2 armour and 1 mechanised companies) against "
         "7th Armored Brigade of the Commonwealth (2 armour companies), the Axis standing."),
    ),
    (
        battle.EngagementFound("gambut~sollum", "gambut", "sollum", SHUT, {}, CLASSES, "moving", "", "axis"),
        ("Contact on the way between Gambut and Sollum: 15th Panzer Division of the Axis (2 armour and 1 mechanised "
         "companies) against a force of the Commonwealth (2 armour companies), both on the move."),
    ),
    (
        battle.WithdrawalChosen("gambut", "axis", "fighting", {"15_pz_div": "precipitous"}, 1),
        "At Gambut the Axis makes a fighting withdrawal; 15th Panzer Division leaves.",
    ),
    (battle.WithdrawalChosen("gambut", "axis", "stand", {}, 2), "At Gambut the Axis stands; two formations leave."),
    (
        battle.FormationWithdrew("gambut", "15_pz_div", "axis", "precipitous", [3, 5], 0, 9),
        "15th Panzer Division leaves precipitously from Gambut (dice 3 5): 9 general attrition.",
    ),
    (battle.WithdrawalAllowed("gambut", ["axis"]), "There is no fight at Gambut: the Axis withdrew."),
    (battle.ModeAgreed("gambut", "linked"), "Both sides agree on linked tables at Gambut."),
    (battle.ModeAgreed("gambut", "ordinary"), ""),
    (battle.MissionSet("gambut", "Encounter", 4, 2), "Gambut: Encounter (a 4), two actions."),
    (
        battle.AdvantageReckoned("gambut", {"axis": [("strength", 2)], "allies": []}, "axis", 2),
        "The Axis has an advantage of 2 at Gambut (Axis: strength 2).",
    ),
    (battle.AdvantageReckoned("gambut", {}, "", 0), "Neither side has an advantage at Gambut."),
    (
        battle.CompaniesFielded("gambut", "axis", [Fielded("15_pz_div", "panzer", "Gary", command=True, air=True)]),
        "The Axis fields at Gambut: Panzer Company of 15th Panzer Division (Gary, command team, air support).",
    ),
    (
        battle.CompaniesFielded("gambut", "axis", [Fielded("", "panzer", "Gary")]),
        "The Axis fields at Gambut: Panzer Company (Gary).",
    ),
    (
        battle.BattleFought("gambut", 1, Result("axis", {"axis": 5, "allies": 2}, heroic=("Gary",))),
        "Action 1 at Gambut: won by the Axis, Axis 5, Commonwealth 2; heroic: Gary.",
    ),
    (
        battle.BattleFought("gambut", 1, Result("allies", conceded="axis")),
        "Action 1 at Gambut: the Axis does not come.",
    ),
    (
        battle.VehiclesRecovered("gambut", 1, "15_pz_div", "axis", [6, 1], 6, 1),
        "15th Panzer Division recovers one vehicle (dice 6 1, 6 or more).",
    ),
    (
        battle.ActionCounted("gambut", 1, "15_pz_div", "axis", 4, 3, halved=True),
        "Action 1 costs 15th Panzer Division 4 armor and 3 general attrition, halved.",
    ),
    (
        battle.AttritionTaken("gambut", "15_pz_div", "axis", 0, 0),
        "15th Panzer Division takes no attrition at Gambut.",
    ),
    (
        battle.EngagementDecided("gambut", {"axis": 12, "allies": 16}, "allies", "more", "KH-18.09"),
        "Victory for the Commonwealth at Gambut by less than double: Axis 12, Commonwealth 16.",
    ),
    (
        battle.EngagementDecided("gambut", {"axis": 7, "allies": 7}, "", "even", "KH-18.11"),
        "Nobody wins at Gambut: Axis 7, Commonwealth 7.",
    ),
    (
        battle.RegroupOwed("gambut", "axis", ["15_pz_div"]),
        "15th Panzer Division must regroup next turn [KH-18.10].",
    ),
    (
        battle.EnemyOverwhelmed("gambut", "axis", ["15_pz_div"]),
        "15th Panzer Division will have an advantage next turn [KH-18.08].",
    ),
    (
        battle.FormationRetreated("15_pz_div", "axis", "gambut", "sollum"),
        "15th Panzer Division retreats from Gambut to Sollum.",
    ),
    (battle.FormationAdvanced("15_pz_div", "axis", "gambut", "sollum"), "15th Panzer Division advances to Sollum."),
    (GameEnded("draw", "even", "KH-25.03"), "The game is over: a draw (neither side is ahead)."),
    (
        GameEnded("axis", "objective", "KH-25.02"),
        "The game is over: victory for the Axis (a condition of victory about areas is met).",
    ),
    (
        GameEnded("allies", "broken", "KH-25.02"),
        "The game is over: victory for the Commonwealth (the enemy's formations are broken).",
    ),
    (
        GameEnded("axis", "position", "KH-25.03"),
        "The game is over: victory for the Axis (by the better position when time was up).",
    ),
]  # fmt: skip


def told(event: Any, module: str = "fixture") -> str | None:
    return sentence(EventRecord(1, event), board(module))


@pytest.mark.parametrize(("event", "text"), SENTENCES, ids=lambda each: type(each).__name__)
def test_the_sentence_of(event: Any, text: str) -> None:
    assert told(event) == text


def test_there_is_a_sentence_for_every_event() -> None:
    shown = {type(event) for event, _ in SENTENCES} | {events.TurnOpened, events.ConditionCounted}
    shown |= {events.NobodyMet, battle.BattleBriefed, battle.EngagementSettled, battle.SideActed}
    assert shown == {*events.EVENTS, *battle.EVENTS, GameEnded}


def test_what_a_side_did_out_of_sight_is_told_piece_by_piece() -> None:
    moved = events.FormationMoved("15_pz_div", "axis", "gambut", "sollum", 1)
    goes = events.LeaderMoved("rommel", "axis", ["gambut", "sollum"])
    assert told(SideActed("axis", [moved, goes])) == (
        "15th Panzer Division moves from Gambut to Sollum. Rommel goes: Gambut - Sollum."
    )
    assert told(SideActed("axis", [])) == ""


def test_a_way_of_several_steps_is_told_once_though_all_go_by_turns() -> None:
    steps = [
        ("15_pz_div", "gambut", "sollum"),
        ("21_pz_div", "el_adem", "gambut"),
        ("15_pz_div", "sollum", "sidi_rezegh"),
    ]
    acted = SideActed("axis", [events.FormationMoved(who, "axis", start, end, 1) for who, start, end in steps])
    assert told(acted) == (
        "15th Panzer Division moves from Gambut to Sidi Rezegh by way of Sollum. "
        "21st Panzer Division moves from El Adem to Gambut."
    )


def test_conditions_of_victory_that_are_met_and_lost() -> None:
    text = "The Axis has held the way to the ford for three turns running."
    met = f"Condition of victory of the Axis met, for turn 2 of 3: {text}"
    assert told(events.ConditionCounted("2", 2), "teaching") == met
    lost = f"No longer on the way to victory of the Axis: {text}"
    assert told(events.ConditionCounted("2", 0), "teaching") == lost
    assert told(events.ConditionCounted("99", 1), "teaching") == ""


def test_a_roll_is_told_unless_an_event_tells_its_face() -> None:
    def roll(label: str, by: str = "") -> str | None:
        return sentence(RollRecord(1, label, 6, (3,), by=by), board("fixture"))

    assert roll("1/action/activation:15_pz_div/1") == ""
    assert roll("1/action/activation:15_pz_div/1", "umpire") == (
        "Umpire rolls 1d6 for activation at 15th Panzer Division: 3."
    )
    assert roll("1/action/activation:axis/1") == ""
    assert roll("1/action/leaders:axis:rommel/1") == ""
    assert roll("1/aftermath/capture:rommel/1") == "Rolls 1d6 for the escape at Rommel: 3."


@pytest.mark.parametrize("module", ["fixture", "teaching", "crusader"])
def test_a_whole_campaign_can_be_told_with_names_for_ids(module: str) -> None:
    prepared, game = played(module)
    ids = [each for each in (*prepared.board.areas, *prepared.board.formations) if "_" in each]
    for record in game.records:
        line = sentence(record, prepared.board)
        if isinstance(record, EventRecord):
            kernel = isinstance(record.event, TurnBegan | PhaseBegan | PhaseEnded)
            assert (line is None) is kernel, record
        parts = FormationDivided | FormationJoined  # a part is known by its id
        if not any(isinstance(each, parts) for each in single([getattr(record, "event", None)])):
            assert line is None or not [each for each in ids if f" {each}" in line], line
