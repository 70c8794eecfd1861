import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.framework.players.processes.conftest import LIMITS, PRESSED

from sandtable.errors import BotFault, DataError, PlayError
from sandtable.journal.file.reading import parse_log
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import OneOf
from sandtable.players.players import seat_players
from sandtable.players.processes import bot as bot_module
from sandtable.players.processes.bot import ProcessBot
from sandtable.players.processes.channel import Broken
from sandtable.players.processes.limits import Budget, Limits
from sandtable.plugin.manager import Prepared
from sandtable.testing import tictactoe

Entered = Callable[..., Any]
Script = Callable[..., tuple[str, ...]]


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host"])
def test_process_bot_plays_a_complete_game_that_verifies(
    entered: Entered, script: Script, bot_folders: Path, tictactoe_game: Prepared, mode: str
) -> None:
    played, bots = entered({"x": script()}, mode=mode)
    assert played.fault is None
    assert played.ending in {"three_in_a_row", "board_full"}
    assert bots["x"].verdict == "ok"
    assert 3 <= bots["x"].decisions <= 5
    assert bots["x"].exit_report["why"] == "left"
    assert not list(bot_folders.iterdir())
    assert verify(parse_log(played.recorded.data, "game"), tictactoe_game).exit_code == 0


@pytest.mark.full
def test_process_bot_orders_are_logged_like_others(entered: Entered, script: Script, tictactoe_game: Prepared) -> None:
    played, bots = entered({"x": script(), "o": script()})
    assert played.outcome == "x"  # both take the first free cell: x gets 0, 2, 4, 6
    assert [bot.verdict for bot in bots.values()] == ["ok", "ok"]
    players = seat_players(tictactoe_game, dict.fromkeys(("x", "o"), "first"), key_from_seed("bots"))
    same = tictactoe_game.new_game(played.recorded.game.dice)
    same.play(players)
    assert same.records == played.recorded.game.records


@pytest.mark.full
def test_process_bot_receives_the_game_and_no_secret(entered: Entered, script: Script, ford: Prepared) -> None:
    command = script(
        "print(json.dumps(m), file=sys.stderr)",
        "if m['options']['kind'] != 'list': raise SystemExit(9)",
        "answer(m)",
        ready="print(json.dumps(hello), file=sys.stderr); say(type='ready', protocol=1)",
    )
    played, bots = entered({"north": command}, prepared=ford, mode="host")
    assert played.fault is None, played.fault
    assert verify(parse_log(played.recorded.data, "game"), ford).exit_code == 0
    received = bots["north"].tail
    lines = received.splitlines()
    hello, first, *_ = [msgspec.json.decode(line) for line in lines]
    assert (hello["protocol"], hello["ruleset"], hello["side"]) == (1, "toy", "north")
    assert hello["sides"] == ["north", "south"]
    assert hello["seats"] == ["north"]
    assert hello["limits"]["seconds"] == 60
    assert 0 <= hello["seed"] < 1 << 53
    assert list(first) == ["type", "id", "side", "seat", "prompt", "rule", "options", "done", "view"]
    assert first["options"]["orders"][0] == {"type": "LayAmbush", "space": 1}
    assert key_from_seed("bots").hex() not in received
    assert "ambush" in received
    assert bots["north"].decisions == len(lines) - 1


@pytest.mark.full
def test_process_bot_is_deterministic_for_a_seed(entered: Entered, script: Script) -> None:
    draw = ("import random", "random.seed(hello['seed'] + m['id'])")
    command = script(*draw, "say(type='answer', id=m['id'], order=random.choice(m['options']['orders']))")
    one, two, other = (entered({"x": command}, seed=seed)[0] for seed in ("a", "a", "b"))
    assert one.recorded.data == two.recorded.data
    assert one.recorded.head != other.recorded.head


@pytest.mark.full
def test_bot_requests_are_answered(entered: Entered, script: Script) -> None:
    command = script(
        "say(type='sample', id=m['id'], count=3); s = hear()",
        "say(type='list', id=m['id'], start=1, count=2); l = hear()",
        "say(type='judge', id=m['id'], order=dict(type='Mark', cell=9)); j = hear()",
        "say(type='judge', id=m['id'], order=dict(type='Mark')); k = hear()",
        "say(type='judge', id=m['id'], order=m['options']['orders'][0]); y = hear()",
        "print(json.dumps([s, l, j, k, y]), file=sys.stderr)",
        "answer(m)",
    )
    played, bots = entered({"x": command})
    assert played.fault is None, played.fault
    sampled, listed, illegal, broken, legal = msgspec.json.decode(bots["x"].tail.splitlines()[0])
    assert len(sampled["orders"]) == 3
    assert listed == {"type": "orders", "id": 1, "orders": [{"type": "Mark", "cell": c} for c in (1, 2)], "more": True}
    assert (illegal["legal"], illegal["rule"]) == (False, "T3-1")
    assert "cannot be chosen here" in illegal["reason"]
    assert "missing required field `cell`" in broken["reason"]
    assert legal == {"type": "judged", "id": 1, "legal": True, "rule": "", "reason": ""}


@pytest.mark.full
@pytest.mark.parametrize(
    ("line", "verdict", "reason"),
    [
        ("say(type='sample', id=m['id'], count=257)", "protocol", "requested 257 orders; it may request 1 to 256"),
        ("say(type='sample', id=m['id'], count=0)", "protocol", "requested 0 orders"),
        ("say(type='list', id=m['id'], start=-1)", "protocol", "requested a list from -1"),
        ("say(type='ready', protocol=1)", "protocol", "sent ready twice"),
        ("say(type='answer', id=9, order=dict(type='Mark', cell=0))", "protocol", "answered decision 9 instead of 1"),
        ("say(type='answer', id=1, order=dict(type='Mark', cell=9))", "illegal", "(T3-1)"),
        ("say(type='answer', id=1, order=7)", "illegal", "is not an order of tictactoe: Expected `object`"),
        ("say(type='bye')", "protocol", "instead of an answer: Invalid value 'bye'"),
        ("print('thinking...', flush=True)", "protocol", "wrote 'thinking...' instead of an answer"),
        ("print('x' * 70_000, flush=True)", "output", "more than 64 KB"),
        ("sys.exit('no idea')", "crash", "exit code 1 before the game was over; its last line: no idea"),
        ("time.sleep(9)", "time", "gave no answer within 1 s"),
        ("[(say(type='sample', id=m['id']), hear()) for _ in range(1001)]", "protocol", "more than 1,000 requests"),
    ],
)
def test_bot_fault_has_its_verdict_and_reason(
    entered: Entered, script: Script, line: str, verdict: str, reason: str
) -> None:
    played, bots = entered({"x": script(line)}, limits=PRESSED if verdict == "time" else LIMITS)
    assert played.ending == "forfeit"
    assert played.outcome == "o"
    assert played.fault.verdict == bots["x"].verdict == verdict
    assert reason in played.fault.reason
    assert str(played.fault).startswith(f"the x bot (x): {verdict}: ")
    assert "\n" not in str(played.fault)


@pytest.mark.full
@pytest.mark.parametrize("ask", ["type='sample', id=m['id'], count=256", "type='list', id=m['id'], start=9999"])
@pytest.mark.parametrize("times", [1, 1000])
def test_costly_requests_use_the_bots_own_time(
    entered: Entered, script: Script, monkeypatch: pytest.MonkeyPatch, ask: str, times: int
) -> None:
    """One request that cost very long, and many that take long together."""
    cost = {1: 0.01, 1000: 0.0005}[times]

    def burn(*_: object) -> Iterator[object]:
        """Yield orders forever, each of which cost some processor time."""
        while True:
            until = time.thread_time() + cost
            while time.thread_time() < until:
                pass
            yield tictactoe.Mark(0)

    monkeypatch.setattr(OneOf, "sample", lambda *_: next(burn()))
    monkeypatch.setattr(OneOf, "values", burn)
    limits = replace(LIMITS, seconds=1, request_seconds=0)
    asks = f"[(say({ask}), hear()) for _ in range({times})]"
    played, bots = entered({"x": script(asks)}, limits=limits)
    assert bots["x"].verdict == "time"
    assert "costs of its requests above 0 s count" in played.fault.reason


def test_requests_are_free_up_to_a_budget_and_then_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot with 10 s, and 2 s of free requests. Wall clock and processor time are simulated."""
    wall, processor = 100.0, 0.0
    monkeypatch.setattr(bot_module, "monotonic", lambda: wall)
    monkeypatch.setattr(bot_module, "thread_time", lambda: processor)

    def serve(seconds: float, waiting: float = 0.0) -> None:
        nonlocal wall, processor
        with clock.serving():
            wall, processor = wall + seconds + waiting, processor + seconds

    clock = bot_module.DecisionClock(Limits(seconds=10, request_seconds=2))
    assert clock.until == 110
    serve(1.5, waiting=30.0)
    assert (clock.until, clock.taken) == (141.5, 0)
    serve(1.5)
    assert (clock.until, clock.taken) == (142, 1)
    wall += 2
    assert clock.taken == 3
    serve(7)
    assert (clock.until, clock.taken) == (142, 10)
    with pytest.raises(Broken, match="gave no answer within 10 s"):
        serve(0.1)


@pytest.mark.full
@pytest.mark.parametrize(
    ("ready", "verdict", "reason"),
    [
        ("say(type='ready', protocol=2)", "start", "speaks protocol 2; this is protocol 1"),
        ("print('Bot 3000 at your service', flush=True)", "protocol", "instead of a ready line"),
        ("sys.exit(3)", "start", "ended by itself with exit code 3 before it was ready"),
        ("time.sleep(9)", "start", "was not ready within 1 s"),
        ("answer({'id': 1, 'options': {'orders': [1]}})", "protocol", "must be of type ready"),
        (None, "start", "no-such-program cannot be started: No such file or directory"),
    ],
)
def test_failed_bot_start_has_its_verdict(
    entered: Entered, script: Script, ready: str | None, verdict: str, reason: str
) -> None:
    limits = Limits(start_seconds=1 if "within 1 s" in reason else 60)
    command = script(ready=ready) if ready else ("no-such-program", "x")
    played, bots = entered({"x": command}, limits=limits)
    assert played.fault.verdict == bots["x"].verdict == verdict
    assert reason in played.fault.reason


@pytest.mark.full
def test_bot_output_without_a_question_is_a_fault(entered: Entered, script: Script) -> None:
    played, _ = entered({"x": script("answer(m); say(type='sample', id=m['id'])")})
    assert played.fault.verdict == "protocol"
    assert played.fault.reason in {"wrote a line without a question", "answered decision 1 instead of 2"}


@pytest.mark.full
def test_end_of_bot_stderr_is_kept(entered: Entered, script: Script) -> None:
    played, bots = entered({"x": script("sys.stderr.write('line ' * 20_000 + 'last'); sys.exit(4)")})
    assert played.fault.verdict == "crash"
    assert played.fault.tail.endswith("last")
    assert len(bots["x"].tail) == 1 << 16


@pytest.mark.full
def test_forfeited_game_keeps_its_log(entered: Entered, script: Script) -> None:
    played, bots = entered({"x": script("answer(m) if m['id'] < 2 else sys.exit()")})
    assert bots["x"].decisions == 1
    game = played.recorded.game
    assert not game.is_over
    assert [record.by for record in game.records if hasattr(record, "order")] == ["x", "o"]


@pytest.mark.full
def test_bot_fault_is_raised_again(tictactoe_game: Prepared, script: Script) -> None:
    with ProcessBot(script("sys.exit()"), tictactoe_game, "x", Stream(b"s")) as bot:
        game = tictactoe_game.new_game(KeyedDice(bytes(32)))
        faults = []
        for _ in range(2):
            with pytest.raises(BotFault) as caught:
                game.play({"x": bot, "o": bot})
            faults.append(caught.value)
    assert faults[0] is faults[1]


def test_ended_bot_refuses_to_play(tictactoe_game: Prepared, script: Script) -> None:
    bot = ProcessBot(script(), tictactoe_game, "x", Stream(b"s"))
    assert bot.end("x", "three_in_a_row")
    with pytest.raises(PlayError, match="has already ended its game"):
        tictactoe_game.new_game(KeyedDice(bytes(32))).play({"x": bot})
    with pytest.raises(DataError, match="command: is empty"):
        ProcessBot((), tictactoe_game, "x", Stream(b"s"))


def test_files_in_a_command_are_found_from_its_base(tictactoe_game: Prepared, script: Script) -> None:
    program, path = script()
    bot = ProcessBot((program, Path(path).name), tictactoe_game, "x", Stream(b"s"), base=Path(path).parent)
    assert bot.command == (program, path)
    assert bot.name == Path(path).name


@pytest.mark.full
def test_bot_environment_contains_no_variable_of_its_parent(
    entered: Entered, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", "secret")
    dump = "print(json.dumps([dict(os.environ), os.getcwd()]), file=sys.stderr)"
    _, bots = entered({"x": script(dump, "answer(m)")})
    environment, place = msgspec.json.decode(bots["x"].tail.splitlines()[0])
    assert "MY_TOKEN" not in environment
    assert environment["HOME"] == environment["TMPDIR"] == place
    assert "sandtable-bot-" in place
    assert not Path(place).exists()


def test_budget_sets_limits_and_keeps_other_defaults() -> None:
    assert Limits.of(Budget()) == Limits()
    limits = Limits.of(Budget(seconds=2, memory_mb=64, output_kb=8, cpu_seconds=5, nodes=100))
    assert (limits.seconds, limits.memory_mb, limits.output_kb, limits.cpu_seconds) == (2, 64, 8, 5)
    assert limits.as_message()["nodes"] == 100
