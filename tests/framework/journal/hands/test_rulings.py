"""Rulings and new keys in a signed game: whose signature an order needs that is given again."""

import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from changes import another_order
from cutting import cut_after
from honest_logs import prepared_for
from rechained import rechained, tables_of
from signed_games import Tables, fixed_key, fixed_keys, hands_in, signed_game

from sandtable.errors import PlayError
from sandtable.hosting.ruling import Ruled, Ruling, make_ruling
from sandtable.journal.file.reading import parse_log, read_log
from sandtable.journal.hands.checking import signed_orders
from sandtable.journal.resume import Resumed, resume
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Rulesets

RULESET = "desert_aa"
SCRIPT = Path(__file__).parents[3] / "replays" / "verify.js"


class Hosted(NamedTuple):
    """A signed game that was stopped, resumed by an umpire who has no key but their own."""

    resumed: Resumed
    path: Path
    lines: Tables

    def rule(self, **words: Any) -> Ruled:
        usual = {"event": None, "amends": 0, "order": None, "reason": "agreed", "disputed": 0, "claim": "", "rule": ""}
        return make_ruling(self.resumed, Ruling(**usual | words), fixed_key("umpire"))

    def last_orders(self, count: int) -> list[int]:
        """Return the last ``count`` orders, all in the current activation of the game."""
        return [number for number, line in enumerate(self.lines) if line["kind"] == "order"][-count:]

    def amend(self, number: int) -> Ruled:
        order = msgspec.json.encode(self.lines[number]["order"]).decode()
        return self.rule(amends=number, order=order, keeps_later=True)

    def play_on(self) -> None:
        """Play the game to its end, with the keys of all seats."""
        prepared, key = prepared_for(RULESET), key_from_seed("signed")
        game, hands = self.resumed.game, self.resumed.hands
        hands.add(fixed_keys(prepared).values())
        game.play(seat_players(prepared, name_seats(prepared, {}), key), lambda: hands.store(game))

    def assert_holds(self, verdict: str, tmp_path: Path) -> None:
        log = read_log(self.path)
        found = verify(log, prepared_for(RULESET))
        assert found.verdict == verdict, found.text
        node = shutil.which("node")
        if node is not None:
            result = subprocess.run([node, SCRIPT, self.path], capture_output=True, text=True, check=False)
            assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture
def hosted(tmp_path: Path) -> Any:
    data = signed_game(prepared_for(RULESET))
    lines = tables_of(data)
    place = hands_in(lines)[-3]
    path = tmp_path / "game.jsonl"
    path.write_bytes(cut_after(data, place))
    resumed = resume(path, Rulesets())
    with resumed.writer:
        yield Hosted(resumed, path, lines[: place + 1])


def test_orders_that_a_ruling_gives_again_need_only_the_umpires_hand(hosted: Hosted, tmp_path: Path) -> None:
    number = hosted.last_orders(4)[0]
    before = len(hosted.lines)
    ruled = hosted.amend(number)
    assert (ruled.kept, ruled.later) == (3, 3)
    hands = [line for line in tables_of(hosted.path.read_bytes())[before:] if line["kind"] == "hand"]
    assert [hand["by"] for hand in hands] == ["umpire"]
    hosted.assert_holds("verified so far", tmp_path)
    withdrawn = hosted.rule(withdraws=ruled.record)
    assert withdrawn.kept == 3
    hosted.assert_holds("verified so far", tmp_path)
    hosted.play_on()
    hosted.assert_holds("verified", tmp_path)


def test_different_order_after_a_ruling_must_be_signed_again(hosted: Hosted, tmp_path: Path) -> None:
    number = hosted.last_orders(4)[0]
    hosted.amend(number)
    hosted.play_on()
    lines = tables_of(hosted.path.read_bytes())
    ruling = next(place for place, line in enumerate(lines) if line["kind"] == "ruling")
    replaced, *again = [place for place, line in enumerate(lines) if line["kind"] == "order" and place > ruling][:4]
    for place, why in ((again[0], f"order {again[0]} of"), (replaced, "hand of umpire signs other orders")):
        forged = [*lines[:place], {**lines[place], "order": another_order(lines, place)}, *lines[place + 1 :]]
        fault = signed_orders(parse_log(rechained(forged), "log")).fault
        assert fault is not None
        assert why in fault.text


def test_ruling_waits_for_the_hands_of_the_seats(tmp_path: Path) -> None:
    data = signed_game(prepared_for(RULESET))
    path = tmp_path / "game.jsonl"
    path.write_bytes(cut_after(data, hands_in(tables_of(data))[-3] - 1))
    resumed = resume(path, Rulesets())
    with resumed.writer, pytest.raises(PlayError, match="is not signed"):
        make_ruling(resumed, Ruling(None, 5, None, "x", 0, "", ""), fixed_key("umpire"))


def test_orders_of_a_lost_key_are_signed_by_the_new_one(tmp_path: Path) -> None:
    data = signed_game(prepared_for(RULESET))
    lines = tables_of(data)
    hand = hands_in(lines)[-3]
    path, seat = tmp_path / "game.jsonl", lines[hand]["by"]
    path.write_bytes(cut_after(data, hand - 1))
    resumed = resume(path, Rulesets())
    with resumed.writer:
        resumed.hands.change_key(resumed.game, seat, fixed_key(seat, 2), [fixed_key("umpire")], "the disk died")
    Hosted(resumed, path, lines).assert_holds("verified so far", tmp_path)
    last = tables_of(path.read_bytes())[-1]
    assert (last["kind"], last["by"], last["items"]) == ("hand", seat, lines[hand]["items"])


def test_new_keys_are_confirmed_by_the_second_verifier(hosted: Hosted, tmp_path: Path) -> None:
    resumed = hosted.resumed
    first, second = (seat for seat in hosted.lines[0]["keys"] if seat in {"germany", "italy"})
    resumed.hands.change_key(resumed.game, first, fixed_key(first, 2), [fixed_key(first)])
    resumed.hands.change_key(resumed.game, second, fixed_key(second, 2), [fixed_key("umpire")], "the disk died")
    resumed.hands.add([fixed_key(first, 2), fixed_key(second, 2)])
    hosted.play_on()
    hosted.assert_holds("verified", tmp_path)
    (loss,) = verify(read_log(hosted.path), prepared_for(RULESET)).rulings
    assert f"{second} has a new key: the disk died" in loss
    lines = tables_of(hosted.path.read_bytes())
    changes = [number for number, line in enumerate(lines) if line["kind"] == "key"]
    for number in changes:
        for name in ("key", "proof", "signatures", "reason", "by"):
            bare = {key: value for key, value in lines[number].items() if key != name}
            changed = rechained([*lines[:number], bare, *lines[number + 1 :]])
            if name in lines[number]:
                with pytest.raises((AssertionError, msgspec.ValidationError)):
                    assert signed_orders(parse_log(changed, "log")).fault is None
