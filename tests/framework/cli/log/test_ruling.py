"""``sandtable log rule``: rulings that are withdrawn, and amended orders that keep later ones."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import Refused, Run
from cutting import asked_by, cut_after
from rechained import lines_of


@pytest.fixture
def half(log: str) -> str:
    """Return the first 60 records of a finished game of bots."""
    Path(log).write_bytes(asked_by(Path(log).read_bytes(), 60))
    return log


def orders_in(log: str) -> list[dict[str, Any]]:
    """Return the orders of a log with what their openings show."""
    orders = [line for line in lines_of(Path(log)) if line["kind"] == "order"]
    return [each | part for each in orders for part in each.get("opened", {"": {}}).values()]


def rule(run: Run, log: str, *words: str) -> str:
    result = run("log", "rule", log, "--reason", "looked up", *words, code=0)
    run("verify", log, "--deep", code=0)
    return result.stderr


def given_after(log: str, number: int) -> list[Any]:
    return [line["order"] for line in orders_in(log) if line["n"] > number]


def marches_in(log: str) -> list[int]:
    return [line["n"] for line in orders_in(log) if line["order"]["type"] == "March"]


def last_of(log: str) -> int:
    number: int = lines_of(Path(log))[-1]["n"]
    return number


def assert_ends_well(run: Run, log: str) -> None:
    run("resume", log, code=0)
    run("verify", log, "--deep", code=0)


def test_amendment_to_the_same_order_keeps_every_later_order(run: Run, half: str) -> None:
    number, last = orders_in(half)[-4]["n"], last_of(half)
    same = msgspec.json.encode(orders_in(half)[-4]["order"]).decode()
    later = given_after(half, number)
    told = rule(run, half, "--amend", str(number), "--order", same, "--keep-later")
    assert f"{len(later)} of {len(later)} later orders given again" in told
    assert given_after(half, last)[1:] == later


def test_amendment_that_changes_questions_keeps_the_orders_before_them(run: Run, half: str) -> None:
    number, last = marches_in(half)[0], last_of(half)
    later = given_after(half, number)
    rule(run, half, "--amend", str(number), "--order", '{"type":"Stay"}', "--keep-later")
    kept = given_after(half, last)[1:]
    assert kept == later[: len(kept)]
    assert len(kept) < len(later)
    assert_ends_well(run, half)


def test_amendment_takes_the_new_order_as_typed(run: Run, refused: Refused, half: str) -> None:
    number, last = next(each["n"] for each in orders_in(half) if each["order"]["type"] == "Muster"), last_of(half)
    words = ("log", "rule", half, "--reason", "looked up", "--amend")
    assert f"--at {number + 1}" in refused(2, *words, str(number + 1), "--order", "buy 1 infantry")
    assert f"record {number} answers red: " in refused(1, *words, str(number), "--order", "buy infantry")
    assert last_of(half) == last
    rule(run, half, "--amend", str(number), "--order", "buy 1 infantry")
    assert given_after(half, last)[0] == {"type": "Muster", "units": {"infantry": 1}}


def test_withdrawn_amendment_restores_the_order_and_later_orders(run: Run, half: str) -> None:
    number, last = marches_in(half)[-1], last_of(half)
    original = given_after(half, number - 1)
    rule(run, half, "--amend", str(number), "--order", '{"type":"Stay"}')
    amended = next(line["n"] for line in lines_of(Path(half))[1:] if line["n"] > last and line["kind"] == "ruling")
    before = last_of(half)
    assert "given again" in rule(run, half, "--withdraw", str(amended))
    assert given_after(half, before) == original
    assert "is withdrawn" in run("replay", half).stdout
    assert_ends_well(run, half)


@pytest.mark.parametrize(
    "words",
    [
        ("--withdraw", "3", "--event", "{}"),
        ("--withdraw", "3", "--amend", "3", "--order", "{}"),
        ("--keep-later",),
        ("--withdraw", "3", "--keep-later"),
        ("--event", "{}", "--keep-later"),
        ("--event", "{}", "--set", "money=12"),
    ],
)
def test_contradictory_options_are_a_usage_error(refused: Refused, half: str, words: tuple[str, ...]) -> None:
    assert "--withdraw" in refused(2, "log", "rule", half, "--reason", "x", *words)


def test_ruling_without_a_valid_subject_is_refused(refused: Refused, half: str) -> None:
    words = ("log", "rule", half, "--reason", "x")
    assert "ruling" in refused(1, *words, "--withdraw", "3")
    assert "--event ?" in refused(3, *words, "--event", '{"type":"Rained"}')
    for missing in ((), ("--amend", "3")):
        assert "--event" in refused(2, *words, *missing)
    assert not [line for line in lines_of(Path(half)) if line["kind"] == "ruling"]


def test_every_event_of_a_ruleset_has_a_usable_example(run: Run, half: str) -> None:
    shown = run("log", "rule", half, "--event", "?", code=0).stdout.splitlines()
    types = [msgspec.json.decode(line)["type"] for line in shown]
    happened = {line["event"]["type"] for line in lines_of(Path(half)) if "event" in line}
    assert len(types) == len(set(types))
    assert happened - {"TurnBegan", "PhaseBegan", "PhaseEnded"} <= set(types)
    for line in shown:
        assert "does not fit the ruleset" not in run("log", "rule", half, "--event", line, "--reason", "x").stderr


@pytest.fixture
def begun(log: str) -> str:
    """Return a game of bots at its first question."""
    data = Path(log).read_bytes()
    Path(log).write_bytes(cut_after(data, orders_in(log)[0]["n"] - 1))
    return log


def test_set_option_changes_the_next_question_and_is_named(run: Run, begun: str) -> None:
    assert "muster: 8 crowns" in run("ask", begun, "order red: x").stdout
    rule(run, begun, "--set", "money=12")
    assert "muster: 12 crowns" in run("ask", begun, "order red: x").stdout
    assert ", money is 12: looked up" in run("verify", begun, code=0).stderr
    assert "from here on, the option money is 12." in run("replay", begun, code=0).stdout
    assert_ends_well(run, begun)
    run("replay", begun, "--board", code=0)
    run("log", "page", begun, "--out", "page.html", code=0)
    run("log", "page", "--check", "page.html", code=0)


def test_withdrawn_option_restores_the_previous_question(run: Run, begun: str) -> None:
    number = last_of(begun) + 1
    rule(run, begun, "--set", "money=12")
    rule(run, begun, "--withdraw", str(number))
    assert "muster: 8 crowns" in run("ask", begun, "order red: x").stdout
    assert_ends_well(run, begun)


@pytest.mark.parametrize(
    ("words", "why"),
    [("money=8", "already"), ("money=none", "choose one of"), ("mony=9", "no option"), ("money", "NAME=VALUE")],
)
def test_option_that_cannot_be_set_is_refused(refused: Refused, begun: str, words: str, why: str) -> None:
    code = 2 if why == "NAME=VALUE" else 1
    assert why in refused(code, "log", "rule", begun, "--reason", "x", "--set", words)
    assert not [line for line in lines_of(Path(begun)) if line["kind"] == "ruling"]


def test_more_settings_than_a_log_may_hold_are_refused(
    refused: Refused, run: Run, begun: str, monkeypatch: Any
) -> None:
    for module in ("sandtable.kernel.play.game", "sandtable.journal.format.limits"):
        monkeypatch.setattr(f"{module}.MAX_SETTINGS", 2)
    for money in ("12", "9"):
        rule(run, begun, "--set", f"money={money}")
    assert "no log holds more" in refused(1, "log", "rule", begun, "--reason", "x", "--set", "money=10")
    monkeypatch.setattr("sandtable.journal.format.limits.MAX_SETTINGS", 1)
    assert "limit for a log" in run("verify", begun, code=3).stderr
