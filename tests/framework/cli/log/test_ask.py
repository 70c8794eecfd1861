"""`sandtable ask`: what the rules say of a position of a log, with the witness."""

from pathlib import Path

import msgspec
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
        raise st.PlayError(f"{side!r} is not a side: ask far west")
    return st.Answer(None, (f"the front is {view['front']} spaces from the west",), ("TOY-1",))

@st.hookimpl
def ruleset_ui():
    return st.Ui(answer=answer, narrate=narrate, draw=draw)
"""


@pytest.fixture
def log(run: Run, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the log of a game of the toy, played at random."""
    Path("games").mkdir()
    Path("games/toy.py").write_text(TOY)
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", "games")
    run("play", "toy", "--seed", "a", "--out", "toy.jsonl", code=0)
    return "toy.jsonl"


@pytest.fixture
def at_order(log: str) -> tuple[str, ...]:
    """Return the command line that asks before the first order."""
    order = next(line for line in Path(log).read_bytes().splitlines() if line.startswith(b'{"kind":"order"'))
    return ("ask", log, "--at", str(msgspec.json.decode(order)["n"] - 1))


def test_answer_has_a_witness_and_a_rule(run: Run, run_json: RunJson, log: str) -> None:
    told = run("ask", log, "far west", "--at", "1", code=0)
    assert told.stdout.startswith("the front is ")
    assert "TOY-1: " in told.stderr
    document = run_json("ask", log, "far west", "--at", "1")
    assert document["yes"] is None
    assert list(document["rules"]) == ["TOY-1"]
    assert run("ask", log, "?").stdout.startswith("far west")
    assert "south has no decision after record" in run("ask", log, "order south: {}").stdout


def test_order_is_judged_at_the_pending_decision(run: Run, run_json: RunJson, at_order: tuple[str, ...]) -> None:
    told = run(*at_order, 'order north: {"type": "LayAmbush", "space": 99}').stdout
    assert told.startswith("no\n  decision: ")
    assert run_json(*at_order, 'order north: {"type": "LayAmbush", "space": 1}')["yes"] is True
    told = run(*at_order, "order north: charge").stdout
    assert "'charge' is not an order of toy, neither in its notation nor as JSON" in told


def test_side_may_query_only_its_own_orders(run: Run, refused: Refused, at_order: tuple[str, ...]) -> None:
    order = 'north: {"type": "LayAmbush", "space": 1}'
    assert run(*at_order, "--side", "north", f"order {order}").stdout.startswith("yes")
    run(*at_order, "--side", "north", f"odds {order}", code=0)
    for word in ("order", "odds"):
        assert "north does not belong to south" in refused(2, *at_order, "--side", "south", f"{word} {order}")


WRONG = """
ask a.jsonl 'far north'
ask a.jsonl 'sees 1 2'
ask a.jsonl 'order west: x'
ask a.jsonl 'bot west: random'
ask a.jsonl 'far west' --at 99999
ask a.jsonl 'far west' --side west
"""


def test_invalid_queries_are_refused(refusals: Refusals, log: str) -> None:
    refusals(WRONG.replace("a.jsonl", log))
