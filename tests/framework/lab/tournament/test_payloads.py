"""Stored bodies of games: logs restored from them byte for byte, and damaged bodies."""

import pytest
from tournaments import TEXT, stage_of

from sandtable.errors import LogDamaged
from sandtable.lab.tournament.payloads import FULL, ORDERS, RAW, compressed, expanded, full_body, log_of
from sandtable.lab.tournament.play import Played, play_planned
from sandtable.lab.tournament.schedule import opening
from sandtable.plugin.manager import Rulesets


def played(text: str, rulesets: Rulesets, number: int = 0) -> Played:
    stage = stage_of(text, rulesets)
    return play_planned(stage, opening(stage.tournament, stage.sides)[number])


@pytest.mark.parametrize("mode", ["open", "host"])
@pytest.mark.parametrize("kept", ["orders", "full"])
def test_stored_log_is_restored_byte_for_byte(kept: str, mode: str, rulesets: Rulesets) -> None:
    text = TEXT.replace('seed = "m"', f'seed = "m"\nlogs = "{kept}"\ndice = "{mode}"')
    stage = stage_of(text, rulesets)
    for number in range(6):
        plan = opening(stage.tournament, stage.sides)[number]
        one = play_planned(stage, plan)
        assert one.body[:1] == {"orders": ORDERS, "full": FULL}[kept]
        packed = compressed(one.body, b"so and so")
        body = expanded(packed, b"so and so", "x")
        assert log_of(body, stage.prepared[plan.contest], plan.seed, mode, one.row.head, "x") == one.log


def test_log_with_annexes_is_stored_unchanged(rulesets: Rulesets) -> None:
    one = played(TEXT, rulesets)
    lines = one.log.split(b"\n")
    data = b"\n".join([lines[0], b'{"kind":"annex"}', *lines[1:]])
    body = full_body(data)
    assert body == RAW + data
    stage = stage_of(TEXT, rulesets)
    assert log_of(body, stage.prepared[0], "m/1", "open", one.row.head, "x") == data


def test_damaged_body_is_one_clear_line(rulesets: Rulesets) -> None:
    stage = stage_of(TEXT, rulesets)
    one = played(TEXT, rulesets)
    packed = compressed(one.body, b"")
    for damaged in (packed[:-1], packed + b"x", b"\xff" * 20, b""):
        with pytest.raises(LogDamaged, match="game 0: its stored log is damaged"):
            expanded(damaged, b"", "game 0")
    wrong = [b"", b"?", ORDERS, ORDERS + b"\xc0", FULL + b"x", RAW, one.body[:-9], one.body.replace(b"bold", b"wary")]
    for body in (*wrong, ORDERS + one.body[1:].replace(b'"scenario"', b'"scenery!"')):
        with pytest.raises(LogDamaged, match="game 0") as found:
            log_of(body, stage.prepared[0], "m/1", "open", one.row.head, "game 0")
        assert "\n" not in str(found.value)
    with pytest.raises(LogDamaged, match="game 0"):  # other dice lead to another game
        log_of(one.body, stage.prepared[0], "m/2", "open", one.row.head, "game 0")
    with pytest.raises(LogDamaged, match=r"ends in the hash \w+…, the row has 0000"):
        log_of(one.body, stage.prepared[0], "m/1", "open", "0" * 64, "game 0")


def test_decompression_bomb_is_not_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.lab.tournament.payloads.MAX_BODY", 1000)
    with pytest.raises(LogDamaged, match="does not end where it should"):
        expanded(compressed(bytes(100_000), b""), b"", "x")
