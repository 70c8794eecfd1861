"""Logs with standing orders in which a mark, an answer, a standing order or a signature is altered."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rechained import rechained, tables_of
from signed_games import fixed_key, resigned, without
from standing_games import StandingGame, fault, numbers

from sandtable.journal.file.reading import parse_log
from sandtable.journal.hands.checking import signed_orders
from sandtable.journal.verification.verify import verify
from sandtable.plugin.manager import Prepared

KEYS = {seat: fixed_key(seat) for seat in ("red", "green", "blue")}


def test_removed_or_changed_mark_is_false(
    convoy: Prepared, finished: bytes, node: Callable[[bytes], str], orders: Any
) -> None:
    lines = tables_of(finished)
    marked = numbers(lines, lambda line: "standing" in line)
    assert len(marked) > 6
    changes: list[dict[str, Any]] = [{}, {"standing": 1}, {"refused": "failed"}, {"refused": "late"}, {"refused": ""}]
    for number in marked:
        for change in changes:
            bare = {key: value for key, value in lines[number].items() if change or key not in ("standing", "refused")}
            other = {key: value for key, value in (bare | change).items() if value != ""}
            if other == lines[number]:
                continue
            found = fault(rechained([*lines[:number], other, *lines[number + 1 :]]), convoy)
            assert found is not None
            assert found.record == number
    data = rechained([*lines[: marked[0]], {**lines[marked[0]], "standing": 1}, *lines[marked[0] + 1 :]])
    assert f"record {marked[0]}: is not marked with the standing order" in node(data)


def test_mark_on_another_answer_is_false(convoy: Prepared, finished: bytes, node: Callable[[bytes], str]) -> None:
    lines = tables_of(finished)
    given = numbers(lines, lambda line: line["kind"] == "standing")[0]
    for number in numbers(lines, lambda line: line["kind"] == "order" and "standing" not in line and "order" in line):
        data = rechained([*lines[:number], {**lines[number], "standing": given}, *lines[number + 1 :]])
        found = fault(data, convoy)
        assert found is not None
        assert (found.record, found.kind, found.field) == (number, "standing", "standing")
        assert "which does not name its question" in found.text
    assert node(data)


def test_every_answer_of_a_bot_is_computed_again(convoy: Prepared, finished: bytes) -> None:
    lines = tables_of(finished)
    policies = {number: line["policy"] for number, line in enumerate(lines) if line.get("policy")}
    tried = 0
    for number in numbers(lines, lambda line: line.get("standing") in policies and "refused" not in line):
        given = lines[number]["order"]
        if given["type"] == "Stop":
            continue  # without fuel it is the only one
        other = {"type": "Stop"} if given["type"] == "Sail" else {"type": "Press", "on": not given["on"]}
        found = fault(rechained([*lines[:number], {**lines[number], "order": other}, *lines[number + 1 :]]), convoy)
        assert found is not None
        assert found.record == number
        assert "gives another answer to this question" in found.text
        tried += 1
    assert tried > 1


def test_refusal_of_a_due_answer_is_false(convoy: Prepared, finished: bytes) -> None:
    lines = tables_of(finished)
    fired = numbers(lines, lambda line: "standing" in line and "refused" not in line)
    for number in fired:
        for reason in ("illegal", "failed", "secret", "repeats"):
            line = {**lines[number], "refused": reason}
            found = fault(rechained([*lines[:number], line, *lines[number + 1 :]]), convoy)
            assert found is not None
            assert (found.record, found.field) == (number, "refused")


@pytest.mark.parametrize("gone", ["standing", "withdraws"])
def test_removed_standing_order_or_withdrawal_is_false(
    convoy: Prepared, finished: bytes, node: Callable[[bytes], str], gone: str
) -> None:
    lines = tables_of(finished)
    for number in numbers(lines, lambda line: line["kind"] == "standing" and (gone == "standing" or gone in line)):
        kept = [dict(line) for index, line in enumerate(lines) if index != number]
        for index, each in enumerate(kept[1:], start=1):
            later = [field for field in ("standing", "to", "withdraws", "last") if each.get(field, 0) > number]
            each.update({"n": index} | {field: each[field] - 1 for field in later})
        assert fault(rechained(kept), convoy) is not None
        assert node(rechained(kept))


CHANGES: dict[str, dict[str, Any]] = {
    "another kind": {"purposes": ["losses"]},
    "another seat": {"by": "blue"},
    "an unknown seat": {"by": "purple"},
    "no kind": {"purposes": []},
    "a seat as a kind": {"purposes": ["green"]},
    "too many kinds": {"purposes": [f"a{number}" for number in range(17)]},
    "a bot and an order": {"policy": "careful", "answer": {"type": "Stop"}},
    "neither": {"policy": "", "answer": None},
    "something to take back": {"withdraws": 1},
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_standing_order_is_false(
    convoy: Prepared, finished: bytes, node: Callable[[bytes], str], name: str
) -> None:
    lines = tables_of(finished)
    number = numbers(lines, lambda line: line["kind"] == "standing")[0]
    changed = {key: value for key, value in (lines[number] | CHANGES[name]).items() if value not in ("", None)}
    data = rechained([*lines[:number], changed, *lines[number + 1 :]])
    assert fault(data, convoy) is not None
    assert node(data)


def test_unknown_bot_is_false_and_is_not_imported(
    convoy: Prepared, finished: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trap.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    lines = tables_of(finished)
    number = numbers(lines, lambda line: line.get("policy") == "careful")[0]
    for policy in ("nobody", "trap:Bot", "random", "first", "search"):
        found = fault(rechained([*lines[:number], {**lines[number], "policy": policy}, *lines[number + 1 :]]), convoy)
        assert found is not None
        assert (found.kind, found.record, found.field) == ("standing", number, "policy")
        assert f"no bot '{policy}'" in found.text


def test_standing_order_of_a_seat_without_a_question_is_false(convoy: Prepared, finished: bytes) -> None:
    lines = tables_of(finished)
    place = numbers(lines, lambda line: line["kind"] == "order" and line["by"] == "red" and "standing" in line)[0]
    strange = {"kind": "standing", "n": place, "by": "blue", "purposes": ["losses"], "policy": "careful"}
    found = fault(rechained([*lines[:place], strange]), convoy)
    assert found is not None
    assert (found.kind, found.record, found.field) == ("standing", place, "by")


# --- signed ---


def test_standing_order_is_signed_and_its_answers_need_no_hand(
    convoy: Prepared, signed: bytes, node: Callable[[bytes], str]
) -> None:
    lines = tables_of(signed)
    assert fault(signed, convoy) is None
    assert node(signed) == ""
    for number in numbers(lines, lambda line: line["kind"] == "standing"):
        hand = lines[number + 1]
        assert (hand["kind"], hand["by"], hand["from"]) == ("hand", lines[number]["by"], number - 1)


def test_answer_of_a_standing_order_ends_no_hand(convoy: Prepared, orders: Any, node: Callable[[bytes], str]) -> None:
    played = StandingGame(convoy, "c", [*KEYS.values()])
    played.answer_until("sail", "red")
    played.give("red", "losses", "press_on", policy="careful")
    first = played.answer(played.game.waiting()[0], orders.Sail(3))
    played.answer(played.game.waiting()[0], orders.Stop())
    assert played.game.waiting()[0].purpose == "losses.red"
    fired = played.answer(played.game.waiting()[0])
    assert fired.standing
    data = played.log()
    assert fault(data, convoy) is None
    assert node(data) == ""
    hand = next(line for line in tables_of(data)[fired.n :] if line["kind"] == "hand" and line["by"] == "red")
    assert hand["from"] == first.n - 1, "it begins before the orders that red gave, and goes on behind its answer"


def test_changed_standing_order_of_a_seat_with_a_key_is_not_signed(
    convoy: Prepared, signed: bytes, node: Callable[[bytes], str]
) -> None:
    lines = tables_of(signed)
    number = numbers(lines, lambda line: line.get("policy") == "drifter")[0]
    for change in ({"until": 1}, {"purposes": ["sail"]}, {"policy": "careful"}):
        data = rechained([*lines[:number], {**lines[number], **change}, *lines[number + 1 :]])
        found = fault(data, convoy)
        assert found is not None
        assert (found.kind, found.record) == ("signature", number + 1)
        assert f"record {number + 1}: the hand of green signs other orders" in node(data)


def test_unsigned_standing_order_of_a_seat_with_a_key_is_false(signed: bytes, node: Callable[[bytes], str]) -> None:
    lines = tables_of(signed)
    for number in numbers(lines, lambda line: line["kind"] == "standing"):
        data = rechained(without(lines, number + 1))
        assert signed_orders(parse_log(data, "log")).fault is not None
        assert node(data)
    blue = next(each for each in numbers(lines, lambda line: line["kind"] == "standing") if lines[each]["by"] == "blue")
    data = rechained([*lines[: blue + 1], {"kind": "undo", "n": blue + 1, "by": "red", "to": 1}])
    found = signed_orders(parse_log(data, "log")).fault
    assert found is not None
    assert found.text == f"standing order {blue} of blue is not signed"
    assert f"record {blue}: standing {blue} of blue is not signed" in node(data)


def test_standing_order_at_the_end_waits_for_its_signature(convoy: Prepared, signed: bytes) -> None:
    lines = tables_of(signed)
    number = numbers(lines, lambda line: line["kind"] == "standing")[0]
    verdict = verify(parse_log(rechained(lines[: number + 1]), "log"), convoy)
    assert verdict.verdict == "verified so far"
    assert f"the signature of red for record {number}" in verdict.text


def test_forged_order_cannot_hide_behind_a_standing_order(convoy: Prepared, signed: bytes) -> None:
    """A keeper marks an own order of red as the answer of a standing order, and signs the rest with all other keys."""
    lines = tables_of(signed)
    own = numbers(lines, lambda line: line["kind"] == "order" and line["by"] == "red" and "order" in line)
    given = numbers(lines, lambda line: line["kind"] == "standing" and line["by"] == "red")[0]
    number = next(each for each in own if each > given and lines[each].get("refused"))
    forged = [dict(line) for line in lines]
    del forged[number]["refused"]
    found = fault(resigned(forged, KEYS), convoy)
    assert found is not None
    assert found.record == number
