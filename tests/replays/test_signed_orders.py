"""Attacks on signed games: the host of a game changes it, and has every key except that of one seat.

The chain, the commitments and the hands of all other seats fit in every file here. The second verifier must agree.
"""

import shutil
import subprocess
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from changes import another_order
from cutting import cut_after
from forger import judged
from honest_logs import SCENARIOS, as_slice, prepared_for
from rechained import rechained, tables_of
from signed_games import Tables, fixed_key, fixed_keys, hands_in, resigned, signed_game, without

from sandtable.errors import LogDamaged
from sandtable.journal.file.reading import parse_log
from sandtable.journal.hands.checking import signed_orders
from sandtable.journal.hands.cover import CoverFault

SCRIPT = Path(__file__).parent / "verify.js"
pytestmark = [pytest.mark.full, pytest.mark.parametrize("ruleset", SCENARIOS)]


@cache
def game_of(ruleset: str, seed: str = "signed") -> bytes:
    return signed_game(prepared_for(ruleset), seed)


def game(ruleset: str) -> Tables:
    return tables_of(game_of(ruleset))


def victim_of(lines: Tables) -> str:
    """Return the seat of the last hand but two that signs an order which is not sealed or secret, or of any hand."""
    given = [line["by"] for line in lines if line["kind"] == "order" and "order" in line and line["by"] != "umpire"]
    return str(given[-1] if given else lines[hands_in(lines)[0]]["by"])


def orders_of(lines: Tables, seat: str) -> list[int]:
    return [number for number, line in enumerate(lines) if line["kind"] == "order" and line["by"] == seat]


def hosted(lines: Tables, ruleset: str, victim: str) -> bytes:
    """Return the log of ``lines`` with the hands of all seats but ``victim`` signed again."""
    keys = {seat: key for seat, key in fixed_keys(prepared_for(ruleset)).items() if seat != victim}
    return resigned([dict(line) for line in lines], keys)


def second_verifier(data: bytes, tmp_path: Path) -> tuple[int, str]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    (tmp_path / "log").write_bytes(data)
    result = subprocess.run([node, SCRIPT, tmp_path / "log"], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def fault_of(data: bytes) -> CoverFault | None:
    """Return the fault that the hands alone show, also for a file that is not a log because two closed steps met."""
    try:
        return signed_orders(parse_log(data, "log")).fault
    except LogDamaged as error:
        return CoverFault(0, "", str(error))


def assert_refused(data: bytes, ruleset: str, tmp_path: Path, *words: str) -> None:
    """Assert that the hands alone, the whole verification and the second verifier refuse ``data``."""
    fault = fault_of(data)
    assert fault is not None
    assert all(word in fault.text for word in words), fault.text
    verdict = judged(data)
    assert verdict.exit_code in {1, 3}, verdict.text
    if verdict.exit_code == 3:
        return
    code, said = second_verifier(data, tmp_path)
    assert (code, f"record {fault.record}:" in said) == (1, True), said


def test_honest_game_is_verified_by_both(ruleset: str, tmp_path: Path) -> None:
    data = hosted(game(ruleset), ruleset, victim_of(game(ruleset)))
    assert data == game_of(ruleset)
    assert judged(data).verdict == "verified"
    code, said = second_verifier(data, tmp_path)
    assert (code, " 0 closed" in said) == (0, True), said


def test_slices_prove_the_hands(ruleset: str, tmp_path: Path) -> None:
    data = game_of(ruleset)
    for side in (*prepared_for(ruleset).ruleset.viewers, "public"):
        part = as_slice(data, side)
        verdict = judged(part, side)
        assert (verdict.verdict, verdict.missing) == ("verified so far", ()), verdict.text
        assert second_verifier(part, tmp_path)[0] == 0
        lines = tables_of(part)
        hand = hands_in(lines)[-1]
        lines[hand] = {**lines[hand], "signature": "0" * 128}
        assert judged(rechained(lines), side).verdict == "false"


def test_unsigned_order_is_named(ruleset: str, tmp_path: Path) -> None:
    lines = game(ruleset)
    hand = hands_in(lines)[-1]
    seat = lines[hand]["by"]
    data = hosted(without(lines, hand), ruleset, seat)
    assert_refused(data, ruleset, tmp_path, f"of {seat} is not signed")


def test_hand_signed_by_another_key_is_refused(ruleset: str, tmp_path: Path) -> None:
    lines, seat = game(ruleset), victim_of(game(ruleset))
    keys = {seat: fixed_key("an attacker")}
    data = resigned(lines, keys)
    assert_refused(data, ruleset, tmp_path, f"not signed by the key of {seat}")


def test_swapped_key_is_refused(ruleset: str, tmp_path: Path) -> None:
    """A new key needs the old one, or all other seats and a reason."""
    lines, seat = game(ruleset), victim_of(game(ruleset))
    new = fixed_key("an attacker")
    swap = {"kind": "key", "n": len(lines) - 1, "by": seat, "key": new.public, "proof": "0" * 128}
    others = {other: "0" * 128 for other in sorted(lines[0]["keys"]) if other not in {seat, "umpire"}}
    for more in ({}, {"signatures": {seat: "0" * 128}}, {"reason": "lost", "signatures": others}):
        close = {**lines[-1], "n": len(lines)}
        data = rechained([*lines[:-1], {**swap, **more}, close])
        assert_refused(data, ruleset, tmp_path, f"key of {seat}")


def test_changed_order_is_refused(ruleset: str, tmp_path: Path) -> None:
    """The host gives an order that differs from the signed one: open, or through the commitment of the seat."""
    lines, seat = game(ruleset), victim_of(game(ruleset))
    for number in orders_of(lines, seat)[-3:]:
        line = lines[number]
        changed = {**line, "order": another_order(lines, number)} if "order" in line else {**line, "own": "0" * 64}
        changed.pop("opened", None)
        data = hosted([*lines[:number], changed, *lines[number + 1 :]], ruleset, seat)
        assert_refused(data, ruleset, tmp_path, f"hand of {seat} signs other orders")


def test_opened_order_other_than_the_committed_one_is_refused(ruleset: str, tmp_path: Path) -> None:
    lines = game(ruleset)
    number = next(number for number, line in enumerate(lines) if "own" in line)
    opened = {to: dict(part) for to, part in lines[number]["opened"].items()}
    opened["umpire"]["order"] = another_order(lines, number)
    lines[number]["opened"] = opened
    data = rechained(lines)
    assert_refused(data, ruleset, tmp_path, "the opened order is not the one")


def test_dropped_order_is_refused(ruleset: str, tmp_path: Path) -> None:
    lines, seat = game(ruleset), victim_of(game(ruleset))
    for number in orders_of(lines, seat)[-3:]:
        data = hosted(without(lines, number), ruleset, seat)
        assert_refused(data, ruleset, tmp_path)


def test_order_of_another_seat_is_refused(ruleset: str, tmp_path: Path) -> None:
    lines, seat = game(ruleset), victim_of(game(ruleset))
    other = next(each for each in lines[0]["keys"] if each != seat)
    number = orders_of(lines, seat)[-1]
    taken = [*lines[:number], {**lines[number], "by": other}, *lines[number + 1 :]]
    assert_refused(hosted(taken, ruleset, seat), ruleset, tmp_path)
    hand = next(each for each in reversed(hands_in(lines)) if lines[each]["by"] == seat)
    given = [*lines[:hand], {**lines[hand], "by": other}, *lines[hand + 1 :]]
    assert_refused(rechained(given), ruleset, tmp_path)


def test_second_order_after_the_hand_is_refused(ruleset: str, tmp_path: Path) -> None:
    """The host takes an order of a seat back, gives another one for it, and lets the game end."""
    lines = game(ruleset)
    seat = victim_of(lines)
    number = orders_of(lines, seat)[-1]
    undo = {"kind": "undo", "n": len(lines) - 1, "by": seat, "to": number}
    other = {**lines[number], "n": len(lines)}
    data = rechained([*lines[:-1], undo, other, {**lines[-1], "n": len(lines) + 1}])
    assert_refused(data, ruleset, tmp_path, f"undo {len(lines) - 1} of {seat} is not signed")


def test_answer_to_another_question_is_refused(ruleset: str, tmp_path: Path) -> None:
    lines, seat = game(ruleset), victim_of(game(ruleset))
    number = orders_of(lines, seat)[-1]
    line = lines[number]
    if "asked" in line:
        line["asked"] = "1/other/question/1#" + line["asked"].partition("#")[2]
        data = hosted(lines, ruleset, seat)
    else:
        line["opened"]["umpire"]["asked"] = "1/other/question/1#" + "0" * 16
        data = rechained(lines)
    assert_refused(data, ruleset, tmp_path)


def test_hand_of_another_place_or_game_is_refused(ruleset: str, tmp_path: Path) -> None:
    lines, others = game(ruleset), tables_of(game_of(ruleset, "another"))
    hands = [each for each in hands_in(lines) if lines[each]["by"] == lines[hands_in(lines)[0]]["by"]]
    for source, place in ((lines, hands[0]), (others, hands_in(others)[0])):
        field = {name: source[place][name] for name in ("items", "signature")}
        data = rechained([*lines[: hands[-1]], {**lines[hands[-1]], **field}, *lines[hands[-1] + 1 :]])
        assert_refused(data, ruleset, tmp_path)


def test_log_without_a_hand_or_a_field_of_it_is_never_verified(ruleset: str) -> None:
    lines, rng = game(ruleset), Random(ruleset)  # noqa: S311 - a test repeats itself
    hands = hands_in(lines)
    gone: list[tuple[int, ...]] = [(each,) for each in hands]
    gone += [*pairwise(hands), *(tuple(rng.sample(hands, 2)) for _ in range(10)), tuple(hands)]
    for each in gone:
        assert fault_of(rechained(without(lines, *each))) is not None
    for number in rng.sample(hands, 3):
        for name in ("by", "from", "items", "signature"):
            bare = {key: value for key, value in lines[number].items() if key != name}
            verdict = judged(rechained([*lines[:number], bare, *lines[number + 1 :]]))
            assert verdict.exit_code in {1, 3}, verdict.text
    for each in ((hands[0],), (hands[-1],), tuple(hands)):
        assert judged(rechained(without(lines, *each))).exit_code in {1, 3}
    bare = {key: value for key, value in lines[0].items() if key != "keys"}
    assert judged(rechained([bare, *lines[1:]])).verdict == "false"


def test_only_orders_after_the_last_hand_are_pending(ruleset: str, tmp_path: Path) -> None:
    data, seen = game_of(ruleset), 0
    lines = game(ruleset)
    for hand in hands_in(lines)[:: max(1, len(hands_in(lines)) // 5)]:
        part = cut_after(data, hand - 1)
        verdict = judged(part)
        assert verdict.verdict == "verified so far", verdict.text
        assert any(f"the signature of {lines[hand]['by']} for record" in each for each in verdict.pending)
        code, said = second_verifier(part, tmp_path)
        assert (code, "not signed yet" in said) == (0, True), said
        seen += 1
        forged: list[dict[str, Any]] = tables_of(part)
        unsigned = next(each for each in reversed(forged) if each["kind"] == "order")
        forged += [{**lines[hand], "n": len(forged), "items": "0" * 64}]
        assert unsigned["by"]
        assert judged(rechained(forged)).verdict == "false"
    assert seen > 1
