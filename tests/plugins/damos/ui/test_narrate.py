"""Narration: a sentence for every event."""

import re
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from transcripts import Transcript

import damos
from damos.fog.views import visible
from damos.model import events
from damos.model.board import Board
from damos.ui.narrate import ENDINGS, digest, sentence
from damos.ui.narrate_combat import DEMORALIZED, ELIMINATED, RETREATED
from damos.ui.terms import loss, modifier, name_of, place, points
from sandtable.kernel.events import Event, GameEnded, PhaseEnded
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.plugin.manager import Installed

TANKS, FOOT, ENEMY = "g-3pz", "g-267", "s-13mc"
SAMPLES: dict[str, Any] = {
    "side": "german",
    "unit": TANKS,
    "hex": "2819",
    "start": "2820",
    "entry": "2820",
    "target": "2819",
    "railhead": "3126",
    "units": [TANKS, FOOT],
    "attackers": [TANKS, FOOT],
    "defenders": [ENEMY],
    "reacted": [ENEMY],
    "path": ["2821", "2820", "2819"],
    "dice": [3, 5],
    "attack_dice": [6, 5, 5],
    "defense_dice": [6, 5],
    "plan": "penetration",
    "posture": "counterattack",
    "why": "lost",
    "winner": "attacker",
    "outcome": "one_benefit",
    "benefit": "shift",
    "ratio": "1:2",
    "on_defender": "1d",
    "on_attacker": "0h",
}
LISTS: dict[str, list[str]] = {"hexes": ["3125", "3024"]}
MAPS: dict[str, dict[str, Any]] = {
    "hexes": {TANKS: "2819", FOOT: "2820"},
    "losses": {TANKS: 2, FOOT: 1},
    "units": {TANKS: 2, FOOT: 1},
}


@pytest.fixture(scope="module")
def board() -> Board:
    found: Board = Installed("damos", damos, "test").prepare("agc").board
    return found


def hints(event_type: type[Event]) -> dict[str, Any]:
    """Return the fields of an event with their types, except calculations, which are not narrated."""
    known = get_type_hints(event_type).items()
    return {name: kind for name, kind in known if not name.startswith("_") and name != "calculations"}


def sample(event_type: type[Event]) -> Event:
    """Return an event with every field filled according to its type."""
    fields: dict[str, Any] = {}
    for name, kind in hints(event_type).items():
        if name == "rule":
            fields[name] = "DM-0.0"
        elif get_origin(kind) is dict:
            fields[name] = MAPS[name]
        elif get_origin(kind) is list and name not in SAMPLES:
            pairs = get_args(kind) != (str,)
            fields[name] = [("plan", -1), ("supply", -2), ("matrix", 0)] if pairs else LISTS[name]
        elif kind is int:
            fields[name] = 2
        else:
            fields[name] = SAMPLES[name] if name in SAMPLES else {bool: True}[kind]
    return event_type(**fields)


def narrated(event: Event, board: Board) -> str | None:
    return sentence(EventRecord(1, event), board)


def read_by_sides(event: Event, board: Board) -> list[str]:
    """Return the sentence of an event, and the one for the Soviets if they see less."""
    return list(dict.fromkeys(str(narrated(each, board)) for each in (event, visible(event, "soviet")) if each))


def test_every_event_has_a_sentence_in_words(board: Board, transcript: Transcript) -> None:
    """The transcript has each event with filled fields, its version for the Soviets, and an empty event."""
    lines = []
    for event_type in events.EVENTS:
        blank = {str: "", int: 0, bool: False}
        fields = {
            name: blank[kind] if kind in blank else get_origin(kind)() for name, kind in hints(event_type).items()
        }
        event, empty = sample(event_type), narrated(event_type(**fields), board)
        text = narrated(event, board) or ""
        assert re.fullmatch(r"[^a-z\n].*\.", text), text
        assert not re.search(r"_|\bgerman\b|\bsoviet\b|[{}]|None|\bg-|\bs-|demoralis", text), text
        assert not re.search(r"\b267\b(?! Inf)", text), text
        assert empty
        lines += [event_type.__name__, *(f"  {each}" for each in (*read_by_sides(event, board), empty))]
    transcript("\n".join(lines))


BOTH = [TANKS, FOOT]
FIGHT = events.CombatResolved(
    "2819",
    attack_strength=18,
    defense_strength=12,
    attack_modified=15,
    defense_modified=12,
    attack_column=9,
    defense_column=8,
    attack_dice=[6, 5, 5],
    defense_dice=[6, 6],
    attack_modifiers=[("plan", 2)],
    defense_modifiers=[("matrix", -1)],
    attack_total=18,
    defense_total=11,
    on_defender="5",
    on_attacker="1h",
)
NARRATED: dict[str, list[Event]] = {
    "movement": [
        events.ForceMoved(BOTH, "2820", "2819", 3, 5),
        events.ForceMoved([TANKS], "2820", "2821", 2, 2, exploiting=True),
        events.ForceRallied([TANKS], "2820", 0),
        events.ForceRallied([ENEMY], "2820", 0, why="won"),
        events.ActivationEnded([TANKS], [ENEMY]),
    ],
    "combat": [
        FIGHT,
        events.ReactionRolled([ENEMY], "2720", "2819", [4, 4], [("mobile", 1), ("forest", -1)], 8, success=False),
    ],
    "hidden": [
        events.ReplacementsSpent("german", 3, {TANKS: 2, FOOT: 1}),
        events.AttackPlanned("german", "grand", BOTH),
        events.LossesTaken("german", "2819", 3, {TANKS: 2, FOOT: 1}, 1),
        events.UnitsRebuilt("german", [TANKS], 5),
        events.UnitsRebuilt("german", BOTH, 5),
    ],
    "eliminated": [events.UnitsEliminated([TANKS], "2819", why) for why in ELIMINATED],
    "demoralized": [events.ForceDemoralized([TANKS], "2819", why) for why in DEMORALIZED],
    "retreated": [events.ForceRetreated(BOTH, ["2819", "2820", "2821"], why) for why in RETREATED],
    "ended": [GameEnded("soviet", "some_{0}_day"), GameEnded("soviet", "substantial")],
}


@pytest.mark.parametrize("subject", NARRATED)
def test_sample_events_have_their_sentences(subject: str, board: Board, transcript: Transcript) -> None:
    """The transcript has each sentence, and its version for the Soviets if it differs."""
    lines = []
    for event in NARRATED[subject]:
        lines += read_by_sides(event, board)
    transcript("\n".join(lines))


def test_figures_are_written_in_words(board: Board, transcript: Transcript) -> None:
    names = ("demoralized", "matrix", "plan", "range", "supply", "zone")
    lines = [f"{halves} halves: {points(halves)}" for halves in (0, 1, 2, 3, 12)]
    lines += [f"{token}: {loss(token)}" for token in ("0", "0h", "1d", "2", "11")]
    transcript("\n".join([*lines, *(f"{name}: {modifier(name)}" for name in names)]))
    assert sentence(EventRecord(1, PhaseEnded("german.reset", 3)), board) is None


def test_units_and_hexes_have_unique_names(board: Board) -> None:
    assert [name_of(unit, board) for unit in (TANKS, FOOT, ENEMY)] == ["3 Pz", "267 Inf", "13 MC"]
    assert [place(hex_, board) for hex_ in ("2819", "2820", "2702")] == ["2819 (Minsk)", "2820", "2702 (Moscow)"]
    names = [name_of(unit, board) for unit in board.counters]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("scenario", "city"), [("agc", "Moscow"), ("smolensk", "Smolensk")])
def test_each_ending_has_a_sentence_that_names_the_objective(scenario: str, city: str) -> None:
    ready = Installed("damos", damos, "test").prepare(scenario)
    manifest = damos.ruleset_manifest()
    sentences = {ending: narrated(GameEnded("german", ending), ready.board) for ending in manifest.endings}
    assert set(ENDINGS) == set(manifest.endings)
    assert sentences["objective_held"] == f"The game is over: victory for the Germans ({city} is taken)."
    assert all(text is not None and city in text and "_" not in text for text in sentences.values())
    assert narrated(GameEnded("soviet", "substantial"), ready.board) == (
        f"The game is over: victory for the Soviets ({city} is safe)."
    )


def test_dice_of_an_event_are_not_narrated_twice(board: Board) -> None:
    purposes = ("reaction:2819", "combat.attack:2819", "combat.defence:2819", "reroll:2819", "air:2819", "counter:2819")
    for purpose in (*purposes, "attrition:2819", "rail:3126", "duty", "undying:s-13mc", "undying.turns:s-13mc"):
        assert sentence(RollRecord(1, f"3/german.operations/{purpose}/1", 6, (2,)), board) == "", purpose
    by_hand = RollRecord(1, "3/german.operations/counter:2819/1", 6, (2,), by="umpire")
    assert sentence(by_hand, board) == "Umpire rolls 1d6 for counter at 2819 (Minsk): 2."


def test_a_march_is_narrated_once_with_its_path(board: Board) -> None:
    def step(units: list[str], start: str, end: str, left: int) -> Event:
        return events.ForceMoved(units, start, end, 2, left)

    happened = [
        step(["g-3pz"], "3228", "3128", 10),
        step(["g-3pz"], "3128", "3127", 8),
        step(["g-3pz"], "3127", "3126", 6),
        step(["g-4pz"], "3228", "3128", 10),
        events.ActivationEnded(["g-4pz"], []),
    ]
    digested = digest([EventRecord(n, event) for n, event in enumerate(happened)], board)
    assert digested == {
        0: "",
        1: "",
        2: "3 Pz moves from 3228 through 3128, 3127 (Brest) to 3126 (Kobrin) (three hexes, 3 points left).",
    }
