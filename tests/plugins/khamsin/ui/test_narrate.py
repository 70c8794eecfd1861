"""Narration of a campaign: a sentence for each event and each ending."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS
from tests.plugins.khamsin.games import played
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.positions import single
from transcripts import Transcript

from khamsin.model import battle_events as battle
from khamsin.model import events
from khamsin.model.battle_events import SideActed
from khamsin.model.events import FormationDivided, FormationJoined, HonorGained, TurnOpened
from khamsin.model.state import Fielded
from khamsin.ui.narrate import digest, sentence
from sandtable.kernel.events import GameEnded, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.tabletop.result import Result


def test_honor_of_an_action_is_narrated_in_one_line() -> None:
    gained = [("Clara", 5, "points"), ("Clara", 1, "own_troops"), ("Anna", 2, "points")]
    run = [
        EventRecord(7 + at, HonorGained(player, AXIS, n, why, "KH-24.01")) for at, (player, n, why) in enumerate(gained)
    ]
    alone = EventRecord(20, HonorGained("David", ALLIES, -1, "withdrawal", "KH-24.06"))
    lines = digest([*run, EventRecord(10, TurnOpened()), alone])
    both = "Clara +6 (victory points 5, led own troops 1), Anna +2 (victory points 2)"
    assert lines == {7: "", 8: "", 9: f"Honor: {both}."}


FORCES = {"axis": ["15_pz_div"], "allies": ["7_armd_bde"]}
CLASSES = {"axis": {"armor": 2, "mechanized": 1}, "allies": {"armor": 2}}
SHUT = {"axis": ["15_pz_div"], "allies": []}
STEPS = [("15_pz_div", "gambut", "sollum"), ("21_pz_div", "el_adem", "gambut"), ("15_pz_div", "sollum", "sidi_rezegh")]
EVENTS: list[Any] = [
    events.SituationChanged("note", text="A convoy has arrived."),
    events.SituationChanged("supply_on", "axis", "sollum"),
    events.SideDeployed("axis", {"15_pz_div": "gambut", "21_pz_div": "gambut"}, {"rommel": "el_adem"}),
    events.SupplyChecked("axis", ["15_pz_div"]),
    events.SupplyChecked("axis", []),
    events.SurrenderChecked("15_pz_div", "axis", [1, 2], [("out_of_supply", -1)], 4, held=False),
    events.FormationLost("15_pz_div", "axis", "gambut", "surrendered", "KH-20.03"),
    events.FormationDisabled("15_pz_div", "axis", "el_adem", "gambut"),
    events.FormationReturned("15_pz_div", "axis", "gambut"),
    events.FormationArrived("15_pz_div", "axis", "gambut", "KH-4.08"),
    events.FormationDelayed("15_pz_div", "axis"),
    events.ReplacementsGiven("7_armd_bde", "allies", 2, 1, 2, 1, "stationary", assimilating=True),
    events.WeatherSet("clear", 4),
    events.OrdersWritten(
        "axis",
        {"15_pz_div": ["sidi_rezegh", "gambut"], "21_pz_div": ["el_adem"]},
        {},
        ["tobruk"],
        {"15_pz_div": 1},
        "Hold",
    ),
    events.OrdersWritten("axis", {}, {}, [], {}),
    events.AircraftFlew("axis", {"tobruk": 6, "gambut": 1}),
    events.AreasInterdicted("axis", ["tobruk"]),
    events.FormationDivided("inf_cw", "allies", "inf_cw_2", 1, "tobruk"),
    events.FormationJoined("inf_cw", "allies", "inf_cw_2"),
    events.ActivationRolled("inf_cw_2", "allies", "el_adem", 5, [("rommel", 1)], 6, 4, activated=True),
    events.ActivationRolled("inf_cw_2", "allies", "el_adem", 1, [], 1, 4, activated=False),
    events.DoctrineInvoked("15_pz_div", "axis", 10, 4),
    events.EnemyMet("axis", ["15_pz_div", "rommel"]),
    events.DoctrineEnded("15_pz_div", "axis"),
    events.FormationMoved("15_pz_div", "axis", "gambut", "sollum", 1),
    events.FormationMoved("15_pz_div", "axis", "", "sollum", 0),
    events.LeaderMoved("rommel", "axis", ["gambut", "sollum"]),
    events.LeaderMoved("rommel", "axis", ["gambut", "sollum"], "KH-R104"),
    events.LeaderReturned("rommel", "axis", "gambut"),
    events.CharacterHit("rommel", "axis", 1, "killed"),
    events.CharacterHit("rommel", "axis", 2, "wounded", 1, 5),
    events.CharacterHit("rommel", "axis", 5, "minor"),
    events.ControlChanged("gambut", "allies"),
    events.HonorGained("Gary", "axis", 6, "points", "KH-24.01"),
    events.HonorGained("Gary", "axis", -1, "withdrawal", "KH-24.06"),
    events.MedalsAwarded({"axis": ["Gary", "Jim"], "allies": ["Bart"]}),
    events.ReportIssued("axis", ["gambut", "sollum"], {"sollum": {"armor": 1}}),
    events.ReportIssued("axis", [], {}),
    battle.EngagementFound("gambut", "gambut", "", FORCES, {}, CLASSES, "stationary", "axis", "axis"),
    battle.EngagementFound("gambut~sollum", "gambut", "sollum", SHUT, {}, CLASSES, "moving", "", "axis"),
    battle.WithdrawalChosen("gambut", "axis", "fighting", {"15_pz_div": "precipitous"}, 1),
    battle.WithdrawalChosen("gambut", "axis", "stand", {}, 2),
    battle.FormationWithdrew("gambut", "15_pz_div", "axis", "precipitous", [3, 5], 0, 9),
    battle.WithdrawalAllowed("gambut", ["axis"]),
    battle.WithdrawalAllowed("gambut", ["axis", "allies"], "KH-19.13"),
    battle.ModeAgreed("gambut", "linked"),
    battle.ModeAgreed("gambut", "ordinary"),
    battle.MissionSet("gambut", "Encounter", 4, 2),
    battle.AdvantageAssessed("gambut", {"axis": [("strength", 2)], "allies": []}, "axis", 2),
    battle.AdvantageAssessed("gambut", {}, "", 0),
    battle.CompaniesFielded("gambut", "axis", [Fielded("15_pz_div", "panzer", "Gary", command=True, air=True)]),
    battle.CompaniesFielded("gambut", "axis", [Fielded("", "panzer", "Gary")]),
    battle.BattleFought("gambut", 1, Result("axis", {"axis": 5, "allies": 2}, heroic=("Gary",))),
    battle.BattleFought("gambut", 1, Result("allies", conceded="axis")),
    battle.VehiclesRecovered("gambut", 1, "15_pz_div", "axis", [6, 1], 6, 1),
    battle.ActionCounted("gambut", 1, "15_pz_div", "axis", 4, 3, halved=True),
    battle.AttritionTaken("gambut", "15_pz_div", "axis", 0, 0),
    battle.EngagementDecided("gambut", {"axis": 12, "allies": 16}, "allies", "more", "KH-18.09"),
    battle.EngagementDecided("gambut", {"axis": 7, "allies": 7}, "", "even", "KH-18.11"),
    battle.RegroupOwed("gambut", "axis", ["15_pz_div"]),
    battle.EnemyOverwhelmed("gambut", "axis", ["15_pz_div"]),
    battle.FormationRetreated("15_pz_div", "axis", "gambut", "sollum"),
    battle.FormationAdvanced("15_pz_div", "axis", "gambut", "sollum"),
    GameEnded("draw", "even", "KH-25.03"),
    GameEnded("axis", "objective", "KH-25.02"),
    GameEnded("allies", "broken", "KH-25.02"),
    GameEnded("axis", "position", "KH-25.03"),
    GameEnded("draw", "even", "KH-R110"),
    SideActed(
        "axis",
        [
            events.FormationMoved("15_pz_div", "axis", "gambut", "sollum", 1),
            events.LeaderMoved("rommel", "axis", ["gambut", "sollum"]),
        ],
    ),
    SideActed("axis", []),
    SideActed("axis", [events.FormationMoved(who, "axis", start, end, 1) for who, start, end in STEPS]),
]


def narrated(event: Any, module: str = "fixture") -> str | None:
    return sentence(EventRecord(1, event), board(module))


@pytest.mark.rule("KH-R110", "KH-25.02")
def test_each_event_has_its_sentence(transcript: Transcript) -> None:
    transcript("\n".join(f"{type(event).__name__}: {narrated(event)}" for event in EVENTS))


def test_samples_contain_every_narrated_event() -> None:
    silent = {events.TurnOpened, events.ConditionCounted, events.NoEnemyMet, battle.BattleBriefed}
    shown = {type(event) for event in EVENTS} | silent | {battle.EngagementSettled, battle.SideActed}
    assert shown == {*events.EVENTS, *battle.EVENTS, GameEnded}


def test_conditions_of_victory_have_sentences(transcript: Transcript) -> None:
    counted = [("2", 2), ("2", 0), ("99", 1), ("0", 1), ("0", 3)]
    transcript("\n".join(f"{each}: {narrated(events.ConditionCounted(*each), 'teaching')}" for each in counted))


def test_roll_has_a_sentence_unless_an_event_shows_its_face(transcript: Transcript) -> None:
    action = [f"1/action/{label}/1" for label in ("activation:15_pz_div", "activation:axis", "leaders:axis:rommel")]
    rolls = [*((label, "") for label in action), (action[0], "umpire"), ("1/aftermath/capture:rommel/1", "")]
    lines = [(label, by, sentence(RollRecord(1, label, 6, (3,), by=by), board("fixture"))) for label, by in rolls]
    transcript("\n".join(f"{label} {by}: {line}" for label, by, line in lines))


@pytest.mark.parametrize("module", ["fixture", "teaching", "crusader"])
def test_complete_campaign_is_narrated_without_ids(module: str) -> None:
    prepared, game = played(module)
    ids = [each for each in (*prepared.board.areas, *prepared.board.formations) if "_" in each]
    for record in game.records:
        line = sentence(record, prepared.board)
        if isinstance(record, EventRecord):
            kernel = isinstance(record.event, TurnBegan | PhaseBegan | PhaseEnded)
            assert (line is None) is kernel, record
        parts = FormationDivided | FormationJoined  # a part has no title
        if not any(isinstance(each, parts) for each in single([getattr(record, "event", None)])):
            assert line is None or not [each for each in ids if f" {each}" in line], line
