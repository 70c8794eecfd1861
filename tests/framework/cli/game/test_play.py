import os
import signal
import subprocess
import time
from pathlib import Path

import msgspec
import pytest
from command_line import Refusals, Refused, Run, RunJson, Start
from cutting import chain_in, parts_of_file


def test_json_has_exactly_the_keys_that_scripts_depend_on(run_json: RunJson) -> None:
    told = run_json("play", "skirmish", "--seed", "a")
    assert list(told) == ["log", "outcome", "ending", "shares", "turns", "records", "seconds"]
    data = Path(told["log"]).read_bytes()
    assert told["records"] == len(chain_in(data)) - 1
    game = data.partition(b'"game":"')[2][:8].decode()
    assert told["log"] == f"skirmish-mill-{game}.jsonl"


def test_game_result_is_printed_with_the_next_command(run: Run) -> None:
    result = run("play", "skirmish", "--seed", "a", "--out", "a.jsonl", code=0)
    assert "log: a.jsonl" in result.stdout
    assert "replay it: sandtable replay a.jsonl" in result.stderr
    assert "seed:" not in result.stderr


def test_the_same_arguments_give_the_same_bytes(run: Run) -> None:
    words = ["play", "skirmish", "--seed", "a", "--player", "red=brave", "--option", "money=12", "--scenario", "dawn"]
    for name in ("1.jsonl", "2.jsonl"):
        run(*words, "--out", name, code=0)
    assert parts_of_file("1.jsonl") == parts_of_file("2.jsonl")
    run("verify", "1.jsonl", "2.jsonl", code=0)


def test_each_argument_changes_the_log(run_json: RunJson, of_seed_a: str) -> None:
    usual = ["play", "skirmish", "--seed", "a"]
    others = [
        ["play", "skirmish", "--seed", "b"],
        [*usual, "--player", "red=random"],
        [*usual, "--option", "money=12"],
        [*usual, "--scenario", "dawn"],
        ["play", "skirmish", "--key", of_seed_a, "--dice", "host"],
    ]
    names = {run_json(*words)["log"] for words in [usual, *others]}
    assert len(names) == 6


def test_new_seed_is_shown_and_reproduces_the_game(run: Run) -> None:
    first = run("play", "skirmish", "--out", "1.jsonl")
    seed = first.stderr.partition("seed: ")[2].split()[0]
    run("play", "skirmish", "--out", "2.jsonl", "--seed", seed, code=0)
    assert parts_of_file("1.jsonl") == parts_of_file("2.jsonl")
    assert run("play", "skirmish", "--out", "3.jsonl").stderr.partition("seed: ")[2].split()[0] != seed


def test_an_existing_file_is_refused_and_kept(run: Run, refused: Refused) -> None:
    Path("x.jsonl").write_text("precious")
    told = refused(2, "play", "skirmish", "--seed", "a", "--out", "x.jsonl")
    assert told.startswith("sandtable: x.jsonl: the file exists")
    assert Path("x.jsonl").read_text() == "precious"
    run("play", "skirmish", "--seed", "a", "--out", "x.jsonl", "--force", code=0)
    run("verify", "x.jsonl", code=0)


WRONG = """
play skirmish --scenario noon
play skirmish --player green=random
play skirmish --player red=caesar
play skirmish --player red
play skirmish --player red=brave --player red=first
play skirmish --option colour=blue
play skirmish --option money=much
play skirmish --option money=-1
play skirmish --option money=1e3
play skirmish --option money
play skirmish --seed ''
"""


@pytest.mark.full
def test_invalid_arguments_are_refused_before_a_file_is_created(refusals: Refusals, refused: Refused) -> None:
    refusals(WRONG)
    for seed in ("a\nb", "x" * 201):
        assert "must be 1 to 200 printable characters" in refused(2, "play", "skirmish", "--seed", seed)
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "mine.toml: cannot be read"),
        ('places = "many"\n[scenario]\nid = "x"\ntitle = "X"', "mine.toml: places: must be a whole number"),
    ],
)
def test_invalid_scenario_file_exits_3_and_names_file_and_key(refused: Refused, text: str | None, message: str) -> None:
    if text is not None:
        Path("mine.toml").write_text(text)
    assert message in refused(3, "play", "skirmish", "--scenario", "mine.toml")


def test_user_scenario_is_stored_in_the_log(run: Run) -> None:
    Path("mine.toml").write_text('places = 4\n[scenario]\nid = "mine"\ntitle = "Mine"\n')
    run("play", "skirmish", "--scenario", "mine.toml", "--seed", "a", "--out", "x.jsonl", code=0)
    Path("mine.toml").unlink()
    run("verify", "x.jsonl", code=0)


def test_log_that_cannot_be_written_is_refused_in_one_line(refused: Refused) -> None:
    told = refused(1, "play", "skirmish", "--seed", "a", "--out", "no/such/folder/x.jsonl")
    assert told.startswith("sandtable: no/such/folder/x.jsonl: cannot be written")
    if Path("/dev/full").exists():
        told = refused(1, "play", "skirmish", "--seed", "a", "--out", "/dev/full", "--force")
        assert "No space left on device" in told


def test_person_plays_through_a_pipe_and_resumes(run: Run) -> None:
    typed = "help\n99\nbuy 9 guns\nwhy\n3\nundo\nbold\nquit\n"
    result = run("play", "skirmish", "--seed", "a", "--player", "red=human", "--out", "x.jsonl", typed=typed, code=0)
    assert "refused: that makes 36 crowns; it must be at most 8 (SK-1.1)" in result.stderr
    assert "the last order, record 4, is from blue" in result.stderr
    assert "Resume with: sandtable resume x.jsonl" in result.stderr
    assert result.stdout.startswith("not finished: turn 1")
    run("resume", "x.jsonl", "--player", "red=brave", code=0)
    run("verify", "x.jsonl", code=0)


@pytest.mark.full
def test_json_stays_one_document_when_a_person_plays(run: Run) -> None:
    words = ["play", "skirmish", "--seed", "a", "--player", "red=human", "--out", "x.jsonl", "--json"]
    told = msgspec.json.decode(run(*words, typed="3\n").stdout)
    assert told["outcome"] == ""


def type_until(process: "subprocess.Popen[str]", typed: str, prompt: str) -> None:
    """Type into a game, and wait until it prints ``prompt``."""
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(typed)
    process.stdin.flush()
    told = ""
    while prompt not in told:
        part = os.read(process.stderr.fileno(), 4096).decode()
        assert part, told
        told += part


@pytest.mark.full
def test_ctrl_c_keeps_the_log_and_prints_how_to_resume(start: Start, run: Run) -> None:
    process = start("play", "skirmish", "--player", "red=human", "--dice", "host", "--out", "x y.jsonl")
    type_until(process, "3\n", "choose a stance")
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in rest
    assert "Resume with: sandtable resume 'x y.jsonl' --plugins-dir" in rest
    run("resume", "x y.jsonl", "--player", "red=random", code=0)
    assert not Path("x y.jsonl.key").exists()


@pytest.mark.full
def test_killed_game_keeps_every_acknowledged_order(start: Start, run: Run) -> None:
    process = start("play", "skirmish", "--seed", "a", "--player", "red=human", "--out", "x.jsonl")
    type_until(process, "3\nbold\n", "march or stay")
    process.kill()
    process.communicate(timeout=60)
    text = Path("x.jsonl").read_text()
    assert '"by":"red","order":{"type":"Muster","units":{"guns":2}}' in text
    assert '"to":"umpire","salt":' in text
    assert '"order":{"type":"Plot","stance":"bold"}' in text
    run("resume", "x.jsonl", "--player", "red=first", code=0)


def annexless(path: str | Path) -> bytes:
    lines = Path(path).read_bytes().split(b"\n")
    return b"\n".join(line for line in lines if not line.startswith(b'{"kind":"annex"'))


@pytest.mark.slow
def test_two_hundred_kills_at_random_moments_lose_nothing(start: Start, run: Run) -> None:
    """Kill a bot game when its log has reached a certain size, and resume it: the bytes must not differ."""
    words = ["play", "desert_aa", "--seed", "kill", "--out"]
    run(*words, "whole.jsonl", code=0)
    whole = annexless("whole.jsonl")
    cut = 0
    for attempt in range(200):
        log = Path(f"{attempt}.jsonl")
        process = start(*words, str(log))
        until = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < until:
            if log.exists() and log.stat().st_size > len(whole) * attempt // 200:
                break
        process.kill()
        process.communicate(timeout=60)
        left = annexless(log)
        assert whole.startswith(left)  # perhaps torn at the end of a disk page, but not altered
        if left == whole:
            continue
        cut += 1
        result = run("resume", str(log))
        if "was never started" in result.stderr:
            assert left.count(b"\n") <= 1  # the header, without the line that shows its key
            continue
        assert result.exit_code == 0, result.stderr
        assert annexless(log) == whole
    assert cut > 150


def test_seat_without_a_named_player_gets_the_default_bot(run: Run) -> None:
    result = run("play", "skirmish", "--seed", "a", "--player", "red=human", "--out", "x.jsonl", typed="quit\n")
    assert "players: red=human, blue=brave, umpire=" in result.stderr
    named = run("play", "skirmish", "--seed", "a", "--player", "umpire=human", "--out", "y.jsonl", typed="quit\n")
    assert "players: red=brave, blue=brave, umpire=human" in named.stderr
    run("play", "skirmish", "--seed", "a", "--player", "red=first", "--out", "z.jsonl", code=0)
    header = msgspec.json.decode(Path("z.jsonl").read_bytes().partition(b"\n")[0])
    assert header["players"] == {"red": "first", "blue": "brave", "umpire": "random"}
