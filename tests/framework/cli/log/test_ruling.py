"""``sandtable log rule``: rulings that are withdrawn, and amended orders that keep later ones."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import Refused, Run
from cutting import asked_by
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


def test_withdrawn_amendment_restores_the_order_and_those_after_it(run: Run, half: str) -> None:
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
    ],
)
def test_contradictory_options_are_a_usage_error(refused: Refused, half: str, words: tuple[str, ...]) -> None:
    assert "--withdraw" in refused(2, "log", "rule", half, "--reason", "x", *words)


def test_ruling_about_nothing_is_refused(refused: Refused, half: str) -> None:
    words = ("log", "rule", half, "--reason", "x")
    assert "ruling" in refused(1, *words, "--withdraw", "3")
    assert "--event ?" in refused(3, *words, "--event", '{"type":"Rained"}')
    for missing in ((), ("--amend", "3")):
        assert "--event" in refused(2, *words, *missing)
    assert not [line for line in lines_of(Path(half)) if line["kind"] == "ruling"]


def test_every_event_of_the_ruleset_has_an_example_that_can_be_used(run: Run, half: str) -> None:
    shown = run("log", "rule", half, "--event", "?", code=0).stdout.splitlines()
    types = [msgspec.json.decode(line)["type"] for line in shown]
    happened = {line["event"]["type"] for line in lines_of(Path(half)) if "event" in line}
    assert len(types) == len(set(types))
    assert happened - {"TurnBegan", "PhaseBegan", "PhaseEnded"} <= set(types)
    for line in shown:
        assert "is not in the ruleset" not in run("log", "rule", half, "--event", line, "--reason", "x").stderr
