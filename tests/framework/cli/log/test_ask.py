"""`sandtable ask`: what the rules say of a position of a log, with the witness."""

from pathlib import Path

import pytest
from command_line import Refusals, Refused, Run, RunJson

TOY = """
import sandtable as st
from sandtable.testing.toy import *

def answer(view, text):
    if text == "?":
        return st.Answer(None, ("far west   how many spaces the front is from there",))
    word, _, side = text.partition(" ")
    if word != "far":
        return None
    if side != "west":
        raise st.PlayError(f"{side!r} is no side: ask far west")
    return st.Answer(None, (f"the front is {view['front']} spaces from the west",), ("TOY-1",))

@st.hookimpl
def ruleset_ui():
    return st.Ui(answer=answer, narrate=narrate, draw=draw)
"""


@pytest.fixture
def log(run: Run) -> str:
    """Return the log of a game of the toy, played at random."""
    Path("games").mkdir()
    Path("games/toy.py").write_text(TOY)
    words = "play", "toy", "--plugins-dir", "games", "--seed", "a", "--out", "toy.jsonl"
    assert run(*words).exit_code == 0
    return "toy.jsonl"


def test_an_answer_has_its_witness_and_its_rule(run: Run, run_json: RunJson, log: str) -> None:
    told = run("ask", log, "far west", "--at", "1", "--plugins-dir", "games")
    assert told.exit_code == 0, told.stderr
    assert told.stdout.startswith("the front is ")
    assert "TOY-1: " in told.stderr
    document = run_json("ask", log, "far west", "--at", "1", "--plugins-dir", "games")
    assert document["yes"] is None
    assert list(document["rules"]) == ["TOY-1"]


def test_possible_queries_are_listed(run: Run, log: str) -> None:
    assert run("ask", log, "?", "--plugins-dir", "games").stdout.startswith("far west")


def test_order_is_judged_at_the_pending_decision(run: Run, run_json: RunJson, log: str) -> None:
    number = next(
        int(line.split('"n":')[1].split(",")[0])
        for line in Path(log).read_text().splitlines()
        if line.startswith('{"kind":"order"')
    )
    words = "ask", log, "--at", str(number - 1), "--plugins-dir", "games"
    told = run(*words, 'order north: {"type": "LayAmbush", "space": 99}')
    assert told.stdout.startswith("no\n  decision: ")
    assert run_json(*words, 'order north: {"type": "LayAmbush", "space": 1}')["yes"] is True
    assert (
        "'charge' is not an order of toy, neither in its notation nor as JSON"
        in run(*words, "order north: charge").stdout
    )


def test_side_may_query_only_its_own_orders(run: Run, refused: Refused, log: str) -> None:
    number = next(
        int(line.split('"n":')[1].split(",")[0])
        for line in Path(log).read_text().splitlines()
        if line.startswith('{"kind":"order"')
    )
    words = "ask", log, "--at", str(number - 1), "--plugins-dir", "games", "--side"
    order = 'north: {"type": "LayAmbush", "space": 1}'
    assert run(*words, "north", f"order {order}").stdout.startswith("yes")
    assert run(*words, "north", f"odds {order}").exit_code == 0
    for word in ("order", "odds"):
        assert "north does not belong to south" in refused(2, *words, "south", f"{word} {order}")


def test_seat_without_a_decision_is_reported(run: Run, log: str) -> None:
    told = run("ask", log, "order south: {}", "--plugins-dir", "games").stdout
    assert "south has no decision after record" in told


WRONG = """
ask a.jsonl 'far north'
ask a.jsonl 'sees 1 2'
ask a.jsonl 'order west: x'
ask a.jsonl 'far west' --at 99999
ask a.jsonl 'far west' --side west
"""


def test_wrong_questions_are_refused(refusals: Refusals, monkeypatch: pytest.MonkeyPatch, log: str) -> None:
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", "games")
    refusals(WRONG.replace("a.jsonl", log))
