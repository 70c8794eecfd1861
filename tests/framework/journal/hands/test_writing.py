"""Hands that are signed while a game is recorded."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import json
from signed_games import fixed_key, fixed_keys, hands_in, signed_game, tables_of

import sandtable as st
from sandtable.errors import IllegalOrder, PlayError
from sandtable.front import RecordedGame
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.salts import own_commitment
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.resume import resume
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import is_same, verify
from sandtable.kernel.records import HandRecord, OrderRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.toy import Commit, LayAmbush

SIDES = ("north", "south")


def judged(data: bytes, prepared: Prepared) -> Verdict:
    return verify(parse_log(data, "log"), prepared)


def of_toy(toy: Prepared, **players: Any) -> RecordedGame:
    """Return a game of the toy in which both sides sign and no player answers."""
    return st.new_game(toy.installed, seed="a", players=players, signers={side: fixed_key(side) for side in SIDES})


def play(game: RecordedGame) -> None:
    """Play to the end: both sides order what comes first."""
    while not game.is_over:
        decision = game.waiting()[0]
        game.submit(next(iter(decision.options.values())), decision.seat)


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_game_of_signing_bots_is_verified_by_comparing_bytes(toy: Prepared, mode: str) -> None:
    data = signed_game(toy, mode=mode)
    log = parse_log(data, "log")
    assert len(hands_in(tables_of(data))) > 6
    assert is_same(log, toy)
    verdict = judged(data, toy)
    assert (verdict.verdict, verdict.missing, verdict.pending) == ("verified", (), ())
    assert signed_game(toy, mode=mode) == data


def test_unsigned_game_has_no_hand_and_no_commitment_of_a_seat(toy: Prepared) -> None:
    game = st.new_game(toy.installed, seed="a")
    play(game)
    data = game.log()
    assert b'"hand"' not in data
    assert b'"own"' not in data


def test_sealed_and_secret_orders_have_a_commitment_of_their_seat(toy: Prepared) -> None:
    game = of_toy(toy)
    play(game)
    hidden = [each for each in tables_of(game.log()) if each["kind"] == "order"]
    assert {(bool(each.get("missing")), each.get("secret", False)) for each in hidden} == {(True, False), (False, True)}
    for record in (each for each in game.records if isinstance(each, OrderRecord)):
        line = next(each for each in hidden if each["n"] == record.n)
        part = line["opened"]["umpire"]
        shown = json.encode(record.order)
        assert line["own"] == own_commitment(record.by, part["asked"], part["own_salt"], shown)
    assert judged(game.log(), toy).verdict == "verified"


def test_equal_orders_of_one_hand_have_different_salts(toy: Prepared) -> None:
    game = of_toy(toy)
    game.submit(LayAmbush(2), "north")
    game.undo("north")
    game.submit(LayAmbush(2), "north")
    first, second = (each for each in game.records if isinstance(each, OrderRecord))
    assert first.own_salt != second.own_salt


def test_orders_of_a_hand_are_pending_until_the_hand_changes(toy: Prepared) -> None:
    game = of_toy(toy)
    number = game.number + 1
    game.submit(LayAmbush(2), "north")
    game.undo("north")
    game.submit(LayAmbush(3), "north")
    hand = next(each for each in game.records if isinstance(each, HandRecord))
    assert (hand.by, hand.start) == ("north", number - 1)
    game.submit(LayAmbush(3), "south")
    game.submit(Commit(1), "north")
    verdict = judged(game.log(), toy)
    assert verdict.verdict == "verified so far"
    last = game.number
    assert f"the signature of north for record {last}" in verdict.pending
    game.submit(Commit(2), "south")
    assert not any("signature" in each for each in judged(game.log(), toy).pending)


def test_undone_order_and_its_replacement_are_both_signed(toy: Prepared) -> None:
    game = of_toy(toy)
    game.submit(LayAmbush(2), "north")
    game.submit(LayAmbush(3), "south")
    game.submit(Commit(1), "north")
    game.undo("north")
    game.submit(Commit(2), "north")
    game.submit(Commit(0), "south")
    play(game)
    assert judged(game.log(), toy).verdict == "verified"


def test_signature_made_elsewhere_replaces_a_signer(toy: Prepared) -> None:
    far = fixed_key("south")
    game = st.new_game(toy.installed, seed="a", keys={"south": far.public}, signers={"north": fixed_key("north")})
    while not game.is_over:
        decision = game.waiting()[0]
        order = next(iter(decision.options.values()))
        if decision.seat == "north":
            game.submit(order, "north")
            continue
        salt = "5" * 32
        number, message = game.number, game.hands.message(game, decision, order, salt)
        for wrong, why in ((far.sign(message[:-1]), "not signed"), (fixed_key("north").sign(message), "not signed")):
            with pytest.raises(PlayError, match=why):
                game.hands.give(game, order, "south", wrong, salt)
        with pytest.raises(PlayError, match="needs its own salt"):
            game.hands.give(game, order, "south", far.sign(message))
        with pytest.raises(IllegalOrder):
            game.hands.give(game, LayAmbush(77), "south", far.sign(message), salt)
        assert game.number == number
        game.hands.give(game, order, "south", far.sign(message), salt)
    verdict = judged(game.log(), toy)
    assert (verdict.verdict, verdict.pending) == ("verified", ())


def test_order_of_a_seat_without_a_signer_is_refused(toy: Prepared) -> None:
    game = st.new_game(toy.installed, seed="a", keys={"north": fixed_key("north").public})
    with pytest.raises(PlayError, match="no commitment of its seat"):
        game.submit(LayAmbush(2), "north")


@pytest.mark.full
def test_resumed_game_signs_later_orders(rulesets: Rulesets, toy: Prepared, tmp_path: Path) -> None:
    keys = fixed_keys(toy)
    game = st.new_game(toy.installed, seed="a", signers=keys)
    game.submit(LayAmbush(2), "north")
    game.submit(LayAmbush(3), "south")
    game.submit(Commit(1), "north")
    path = tmp_path / "game.jsonl"
    game.save(path)
    unsigned = resume(path, rulesets)
    with unsigned.writer:
        unsigned.game.submit(Commit(1), "south")
        with pytest.raises(PlayError, match="no commitment of its seat"):
            unsigned.hands.store(unsigned.game)
    resumed = resume(path, rulesets, signers=[*keys.values()])
    with resumed.writer:
        while not resumed.game.is_over:
            decision = resumed.game.waiting()[0]
            resumed.game.submit(next(iter(decision.options.values())), decision.seat)
            resumed.hands.store(resumed.game)
    assert verify(parse_log(path.read_bytes(), "log"), toy).verdict == "verified"


def test_new_key_is_signed_by_the_old_one_and_old_orders_stay_signed(toy: Prepared) -> None:
    game = of_toy(toy)
    game.submit(LayAmbush(2), "north")
    game.submit(LayAmbush(3), "south")
    game.submit(Commit(1), "north")
    new = fixed_key("north", 2)
    game.hands.change_key(game, "north", new, [fixed_key("north")])
    play(game)
    verdict = judged(game.log(), toy)
    assert (verdict.verdict, verdict.rulings) == ("verified", ())


def test_lost_key_is_replaced_by_the_other_side_and_every_verdict_names_it(toy: Prepared) -> None:
    game = of_toy(toy)
    game.submit(LayAmbush(2), "north")
    new, stranger = fixed_key("north", 2), SeatKey.of_seed(bytes(32))
    refused: list[tuple[list[SeatKey], str, str]] = [
        ([], "lost", "must be signed by its old key"),
        ([stranger], "lost", "must be signed by its old key"),
    ]
    away = st.new_game(toy.installed, seed="a", keys={side: fixed_key(side).public for side in SIDES})
    for signing, reason, why in [*refused, ([fixed_key("south")], "", "reason")]:
        with pytest.raises(PlayError, match=why):
            away.hands.change_key(away, "north", new, signing, reason)
    record = game.hands.change_key(game, "north", new, [fixed_key("south")], "the disk died")
    play(game)
    verdict = judged(game.log(), toy)
    assert verdict.verdict == "verified"
    assert verdict.rulings == (f"record {record.n} by south, signed: north has a new key: the disk died",)
    assert "the disk died" in verdict.text
