"""`sandtable ruleset odds LOG`: results of a recorded roll, and of the dice that an order would cause."""

import shutil
from pathlib import Path

import msgspec
import pytest
from command_line import Refusals, Run, RunJson

REPLAYS = Path(__file__).parents[4] / "replays"


def log(name: str) -> str:
    return str(REPLAYS / f"{name}.jsonl")


CRUSADER, FRONTIER = log("khamsin/axis-objective-crusader_full"), log("desert_aa/draw-round_limit")
SMOLENSK, POLAND = log("damos/german-gates-smolensk"), log("kampfpanzer/germans-held-poland")
CLASH = log("axis_attack/soviet-front-armoured_clash")


@pytest.mark.full
@pytest.mark.parametrize(
    ("log", "record", "chances"),
    [
        # KH-12.09: against a fortress Trench Fight on 1 or 2, The Big Push on 3 to 5, Breakout on a 6.
        pytest.param(CRUSADER, 74, {"3-5": 0.5, "1-2": 0.3333, "6": 0.1667}, id="mission"),
        # DM-9.0j: a strength of 4 or 5: two loss points on a 3, one on 4 to 8, none above; a single unit adds 1.
        pytest.param(SMOLENSK, 933, {"sum 3-7": 0.5556, "sum 8-12": 0.4167, "sum 2": 0.0278}, id="attrition"),
        # KP-9.7a: at superiority 0 a 1 is D2, 2 and 3 are D1, the rest a pin.
        pytest.param(POLAND, 466, {"4-6": 0.5, "2-3": 0.3333, "1": 0.1667}, id="shot"),
    ],
)
def test_odds_of_a_recorded_roll_are_exact(run_json: RunJson, log: str, record: int, chances: dict[str, float]) -> None:
    told = run_json("ruleset", "odds", log, "--at", str(record))
    assert told["method"].startswith("exact")
    assert {each["faces"]: round(each["chance"], 4) for each in told["results"]} == chances


def test_odds_show_the_roll_its_rule_and_results(run: Run) -> None:
    shown = run("ruleset", "odds", CRUSADER, "--at", "74").stdout
    assert "record 74: 1d6 1/engagements/type:tobruk/1, fell 2 (KH-12.04)" in shown
    assert "1/2, 50.0%" in shown
    assert "Trench Fight" in shown


def test_successive_rolls_are_enumerated_to_their_results(run_json: RunJson) -> None:
    told = run_json("ruleset", "odds", FRONTIER, "--at", "33")
    assert told["method"].startswith("exact")
    assert sum(each["chance"] for each in told["results"]) == pytest.approx(1)
    assert len(told["results"]) == 12, "0 to 3 hits of the attack, 0 to 2 of the defence"


def first_record(log: str, text: str) -> int:
    """Return the number of the first record of a log that contains ``text``."""
    line = next(line for line in Path(log).read_text().splitlines() if text in line)
    return int(msgspec.json.decode(line)["n"])


@pytest.mark.full
def test_rerolled_ties_are_sampled_with_an_interval(run_json: RunJson) -> None:
    """AOA-R69: equal dice are rolled again without limit, so the results cannot be enumerated."""
    told = run_json("ruleset", "odds", CLASH, "--at", str(first_record(CLASH, "/roles:german/") - 1))
    assert told["method"].startswith("sampled 1000 times")
    assert all(each["low"] < 0.5 < each["high"] for each in told["results"])


def test_roll_with_only_a_total_is_explained_face_by_face(run_json: RunJson) -> None:
    """AOA-8.01: a die and modifiers; the total is the result, and each face makes another."""
    told = run_json("explain", CLASH, "--at", str(first_record(CLASH, '"SelectionRolled"')))
    (first, *_) = told["rolls"]
    assert [row["faces"] for row in first["otherwise"]] == [[[face]] for face in range(1, 7)]


@pytest.mark.full
def test_odds_of_an_order_match_those_of_its_dice(run: Run) -> None:
    words = ("ruleset", "odds", FRONTIER, "--at", "37", "--order")
    assert "Round 2 at Oasis of Nakhl" in run(*words, 'italy: {"type":"PressOn"}', code=0).stdout
    told = run(*words, 'italy: {"type":"Retreat","to":"TEL"}')
    assert told.stdout == "no dice are rolled before the next question, to italy\n"
    assert "method: exact" in run("ask", FRONTIER, "--at", "37", 'odds italy: {"type":"PressOn"}').stdout


WRONG = """
ruleset odds frontier.jsonl
ruleset odds frontier.jsonl --at 9999
ruleset odds frontier.jsonl --at 689
ruleset odds frontier.jsonl --at 37 --order 'germany: pass'
ruleset odds frontier.jsonl --at 37 --order 'italy: {"type":"Retreat","to":"MSH"}'
"""


def test_odds_without_a_roll_are_refused(refusals: Refusals) -> None:
    shutil.copy(FRONTIER, "frontier.jsonl")
    refusals(WRONG)


def test_odds_of_an_edited_log_are_refused(run: Run) -> None:
    text = Path(FRONTIER).read_text(encoding="utf-8").replace('"dice":[2,6,6]', '"dice":[1,6,6]')
    Path("a.jsonl").write_text(text, encoding="utf-8")
    told = run("ruleset", "odds", "a.jsonl", "--at", "45", code=3)
    assert "record 33: die 1 of 1/italy.combat/attack.OAS/1 is stored as 1; the key gives 2" in told.stderr


@pytest.mark.full
@pytest.mark.rule("KH-R104", "KH-9.01")
def test_roll_is_explained_die_by_die_and_roll_of_zero_dice_is_noted(run: Run) -> None:
    log = str(REPLAYS / "khamsin" / "draw-even-teaching.jsonl")
    told = run("explain", log, "--at", "47").stdout
    assert "\nthe result, and the alternatives\n" in told
    assert "each die changed alone" in told
    assert "\n    die 2 (armoured_cars) 4-6: " in told
    assert "die 3 (garrison)" not in told, "it could not matter"
    idle = run("explain", log, "--at", "56").stdout
    assert "1/action/leaders:axis/1 needs no die, but the roll is recorded (KH-R104)" in idle
    assert "openssl" not in idle
