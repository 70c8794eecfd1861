"""The game in sentences: every event has one, and those that people read most read well."""

import re
from typing import Any, get_args, get_origin, get_type_hints

import pytest

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
    "defence_dice": [6, 5],
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
    """Return the types of the fields; calculations are for the log, and in no sentence."""
    known = get_type_hints(event_type).items()
    return {name: kind for name, kind in known if not name.startswith("_") and name != "calculations"}


def sample(event_type: type[Event]) -> Event:
    """Build an event from its annotations: every field filled."""
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


def told(event: Event, board: Board) -> str | None:
    return sentence(EventRecord(1, event), board)


def as_seen_by(event: Event, side: str) -> Event:
    seen = visible(event, side)
    assert seen is not None
    return seen


@pytest.mark.parametrize("event_type", events.EVENTS, ids=lambda each: each.__name__)
def test_every_event_has_a_sentence_in_words(event_type: type[Event], board: Board) -> None:
    text = told(sample(event_type), board)
    assert text
    assert not text[0].islower()
    assert text.endswith(".")
    assert "\n" not in text
    assert not re.search(r"_|\bgerman\b|\bsoviet\b|[{}]|None|\bg-|\bs-", text), text
    assert not re.search(r"\b267\b(?! Inf)", text), text


@pytest.mark.parametrize("event_type", events.EVENTS, ids=lambda each: each.__name__)
def test_an_event_with_nothing_in_it_breaks_nothing(event_type: type[Event], board: Board) -> None:
    empty = {str: "", int: 0, bool: False}
    fields = {name: empty[kind] if kind in empty else get_origin(kind)() for name, kind in hints(event_type).items()}
    assert told(event_type(**fields), board)


def test_units_and_places_have_names(board: Board) -> None:
    assert [name_of(unit, board) for unit in (TANKS, FOOT, ENEMY)] == ["3 Pz", "267 Inf", "13 MC"]
    assert [place(hex_, board) for hex_ in ("2819", "2820", "2702")] == ["2819 (Minsk)", "2820", "2702 (Moscow)"]
    names = [name_of(unit, board) for unit in board.counters]
    assert len(set(names)) == len(names)


def test_points_are_told_as_printed() -> None:
    assert [points(halves) for halves in (0, 1, 2, 3, 12)] == ["0", "½", "1", "1½", "6"]
    assert [loss(token) for token in ("0", "0h", "1d", "2", "11")] == [
        "0",
        "0 with a heart",
        "1 with a diamond",
        "2",
        "11",
    ]


def test_movement_is_told_step_by_step(board: Board) -> None:
    moved = events.ForceMoved([TANKS, FOOT], "2820", "2819", 3, 5)
    assert told(moved, board) == "3 Pz and 267 Inf move from 2820 to 2819 (Minsk), 2½ points left."
    moved = events.ForceMoved([TANKS], "2820", "2821", 2, 2, exploiting=True)
    assert told(moved, board) == "3 Pz exploits from 2820 to 2821, 1 point left."
    assert told(events.ForceRallied([TANKS], "2820", 0), board) == "3 Pz rallies in 2820, no points left."
    assert told(events.ForceRallied([ENEMY], "2820", 0, why="won"), board) == "13 MC rallies in 2820, having won."
    ended = events.ActivationEnded([TANKS], [ENEMY])
    assert told(ended, board) == "3 Pz is done, and spent; 13 MC has reacted and is spent too."


def test_a_combat_tells_how_its_totals_came_about(board: Board) -> None:
    fight = events.CombatResolved(
        "2819",
        attack_strength=18,
        defence_strength=12,
        attack_modified=15,
        defence_modified=12,
        attack_column=9,
        defence_column=8,
        attack_dice=[6, 5, 5],
        defence_dice=[6, 6],
        attack_modifiers=[("plan", 2)],
        defence_modifiers=[("matrix", -1)],
        attack_total=18,
        defence_total=11,
        on_defender="5",
        on_attacker="1h",
    )
    assert told(fight, board) == (
        "Combat in 2819 (Minsk): "
        "attack 18 (15 in this terrain, column 9) rolls 6 5 5, +2 for the attack plan, makes 18; "
        "defence 12 (column 8) rolls 6 6, -1 for the combat matrix, makes 11: "
        "the defender suffers 5, the attacker 1 with a heart."
    )


def test_a_reaction_tells_its_modifiers(board: Board) -> None:
    tried = events.ReactionRolled([ENEMY], "2720", "2819", [4, 4], [("mobile", 1), ("forest", -1)], 8, success=False)
    assert told(tried, board) == (
        "13 MC in 2720 tries to react into 2819 (Minsk): 4 4, +1 for stronger mobile units, -1 for forest, makes 8: "
        "it fails."
    )


def test_what_is_hidden_is_told_without_it(board: Board) -> None:
    def pair(event: Event) -> tuple[str | None, str | None]:
        return told(event, board), told(as_seen_by(event, "soviet"), board)

    assert pair(events.ReplacementsSpent("german", 3, {TANKS: 2, FOOT: 1})) == (
        "The Germans spend three replacement points: 3 Pz 2 and 267 Inf 1.",
        "The Germans spend three replacement points.",
    )
    assert pair(events.AttackPlanned("german", "grand", [TANKS, FOOT])) == (
        "The Germans plan a grand assault by 3 Pz and 267 Inf.",
        "The Germans settle in secret how, and with whom.",
    )
    assert pair(events.LossesTaken("german", "2819", 3, {TANKS: 2, FOOT: 1}, 1)) == (
        (
            "The Germans take three loss points in 2819 (Minsk): 3 Pz loses two and 267 Inf loses one; "
            "one paid with replacements."
        ),
        "The Germans take three loss points in 2819 (Minsk): one paid with replacements.",
    )


@pytest.mark.parametrize(("reasons", "event_type"), [
    (ELIMINATED, events.UnitsEliminated), (DEMORALIZED, events.ForceDemoralized),
])  # fmt: skip
def test_each_reason_has_its_words(reasons: dict[str, str], event_type: type[Any], board: Board) -> None:
    for why, words in reasons.items():
        text = told(event_type([TANKS], "2819", why), board)
        assert text is not None
        assert text.startswith("3 Pz is ")
        assert text.endswith(f": {words}.")


def test_ways_of_retreat(board: Board) -> None:
    for why, verb in RETREATED.items():
        text = told(events.ForceRetreated([TANKS, FOOT], ["2819", "2820", "2821"], why), board)
        assert text == f"3 Pz and 267 Inf {verb} from 2819 (Minsk) to 2821 by 2820."


def test_who_is_rebuilt_is_told_to_all(board: Board) -> None:
    assert told(events.UnitsRebuilt("german", [TANKS], 5), board) == (
        "The Germans rebuild 3 Pz; it can come in on turn 5."
    )
    assert told(events.UnitsRebuilt("german", [TANKS, FOOT], 5), board) == (
        "The Germans rebuild 3 Pz and 267 Inf; they can come in on turn 5."
    )


@pytest.mark.parametrize(("scenario", "city"), [("agc", "Moscow"), ("smolensk", "Smolensk")])
def test_each_ending_has_a_sentence_that_names_the_objective(scenario: str, city: str) -> None:
    ready = Installed("damos", damos, "test").prepare(scenario)
    manifest = damos.ruleset_manifest()
    told_of = {ending: told(GameEnded("german", ending), ready.board) for ending in manifest.endings}
    assert set(ENDINGS) == set(manifest.endings)
    assert told_of["objective_held"] == f"The game is over: victory for the Germans ({city} is taken)."
    assert all(text is not None and city in text and "_" not in text for text in told_of.values())
    assert told(GameEnded("soviet", "substantial"), ready.board) == (
        f"The game is over: victory for the Soviets ({city} is safe)."
    )


def test_an_ending_that_nobody_knows_is_told_as_it_stands(board: Board) -> None:
    told_of = told(GameEnded("soviet", "some_{0}_day"), board)
    assert told_of == "The game is over: victory for the Soviets (some {0} day)."


def test_the_spelling_of_what_people_read(board: Board) -> None:
    tokens = {"plan", "supply", "matrix", "zone", "range"}
    texts = [told(sample(kind), board) or "" for kind in events.EVENTS]
    texts += [told(events.ForceDemoralized([TANKS], "2819", why), board) or "" for why in DEMORALIZED]
    texts += [modifier(name) for name in ("demoralized", *sorted(tokens))]
    assert any("demoralis" in text for text in texts)
    assert not [text for text in texts if "demoraliz" in text]


def test_dice_that_an_event_tells_are_not_told_twice(board: Board) -> None:
    purposes = ("reaction:2819", "combat.attack:2819", "combat.defence:2819", "reroll:2819", "air:2819", "counter:2819")
    for purpose in (*purposes, "attrition:2819", "rail:3126", "duty", "undying:s-13mc", "undying.turns:s-13mc"):
        assert sentence(RollRecord(1, f"3/german.operations/{purpose}/1", 6, (2,)), board) == "", purpose
    by_hand = RollRecord(1, "3/german.operations/counter:2819/1", 6, (2,), by="umpire")
    assert sentence(by_hand, board) == "Umpire rolls 1d6 for counter at 2819 (Minsk): 2."


def test_the_kernels_records_are_left_to_the_framework(board: Board) -> None:
    assert sentence(EventRecord(1, PhaseEnded("german.reset", 3)), board) is None
    ended = told(GameEnded("soviet", "substantial"), board)
    assert ended == "The game is over: victory for the Soviets (Moscow is safe)."


def test_a_march_is_told_once_with_its_way(board: Board) -> None:
    def step(units: list[str], start: str, end: str, left: int) -> Event:
        return events.ForceMoved(units, start, end, 2, left)

    happened = [
        step(["g-3pz"], "3228", "3128", 10),
        step(["g-3pz"], "3128", "3127", 8),
        step(["g-3pz"], "3127", "3126", 6),
        step(["g-4pz"], "3228", "3128", 10),
        events.ActivationEnded(["g-4pz"], []),
    ]
    told = digest([EventRecord(n, event) for n, event in enumerate(happened)], board)
    assert told == {
        0: "",
        1: "",
        2: "3 Pz moves from 3228 to 3126 (Kobrin), three hexes (by 3128, 3127 (Brest)), 3 points left.",
    }
