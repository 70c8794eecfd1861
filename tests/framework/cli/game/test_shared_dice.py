"""``play --dice shared``: at one terminal, between bots, interrupted, ruled on and sliced."""

import os
import stat
from pathlib import Path

import msgspec
import pytest
from command_line import Refused, Run
from cutting import chain_in
from rechained import lines_of

pytestmark = pytest.mark.usefixtures("toy_folder")

BOTS = ("play", "toy", "--dice", "shared", "--seed", "tobruk", "--player", "north=random", "--player", "south=random")
PEOPLE = ("play", "toy", "--dice", "shared", "--player", "north=human", "--player", "south=human")
ORDERS = "2\n4\n" + "1\n1\n" * 30
"""Ambushes, then one troop of each side in every battle."""


def chain_of(log: str) -> list[bytes]:
    return chain_in(Path(log).read_bytes())


def kinds_in(log: str) -> list[str]:
    return [line["kind"] for line in lines_of(Path(log))]


def test_two_people_at_one_terminal_play_a_game_that_verifies(run: Run) -> None:
    run(*PEOPLE, "--out", "x.jsonl", typed=ORDERS, code=0)
    assert kinds_in("x.jsonl")[-1] == "close"
    assert "shares" in kinds_in("x.jsonl")
    assert not list(Path().glob("x.jsonl.*"))
    assert "verified" in run("verify", "x.jsonl", "--deep", code=0).stdout


def test_owner_can_read_the_secret_links_beside_an_unfinished_log(run: Run) -> None:
    run(*PEOPLE, "--out", "x.jsonl", typed="2\n4\n1\n1\nquit\n", code=0)
    links = Path("x.jsonl.links")
    assert stat.S_IMODE(links.stat().st_mode) == 0o600
    kept = msgspec.json.decode(links.read_bytes())
    assert list(kept["secrets"]) == ["north", "south"]
    assert kept["epoch"] == kinds_in("x.jsonl").count("shares") == 1
    log = Path("x.jsonl").read_text() + Path("x.jsonl.key").read_text()
    assert not [secret for secret in kept["secrets"].values() if secret in log]
    first = set(kept["secrets"].values())
    run(*PEOPLE, "--out", "y.jsonl", typed="2\nquit\n", code=0)
    assert not first & set(msgspec.json.decode(Path("y.jsonl.links").read_bytes())["secrets"].values())


def test_game_is_resumed_with_the_links_beside_it(run: Run, refused: Refused) -> None:
    run(*PEOPLE, "--out", "x.jsonl", typed="2\n4\n1\n1\nquit\n", code=0)
    links = Path("x.jsonl.links").read_bytes()
    Path("x.jsonl.links").unlink()
    assert "put x.jsonl.links next to the log" in refused(1, "resume", "x.jsonl")
    Path("x.jsonl.links").write_bytes(links)
    run("resume", "x.jsonl", typed="1\n1\n" * 30, code=0)
    assert kinds_in("x.jsonl")[-1] == "close"
    run("verify", "x.jsonl", "--deep", code=0)
    assert not Path("x.jsonl.links").exists()


def test_game_whose_links_are_lost_can_be_ended(run: Run, refused: Refused) -> None:
    run(*PEOPLE, "--out", "x.jsonl", typed="2\n4\n1\n1\nquit\n", code=0)
    Path("x.jsonl.links").unlink()
    assert "put x.jsonl.links next to the log" in refused(1, "resume", "x.jsonl")
    run("draw", "x.jsonl", code=0)
    assert "ended by people" in run("verify", "x.jsonl", code=0).stdout


def test_log_that_stops_before_the_shares_of_a_roll_is_resumed(run: Run) -> None:
    """A power cut after the order was stored: the order stays, and its dice follow from it."""
    run(*PEOPLE, "--out", "x.jsonl", typed="2\n4\n1\n1\nquit\n", code=0)
    whole = Path("x.jsonl").read_bytes()
    Path("x.jsonl").write_bytes(whole[: whole.index(b'{"kind":"shares"')])
    verdict = run("verify", "x.jsonl", code=0)
    assert "pending: " in verdict.stderr
    assert "the shares of epoch 1 (for battle:north, after record " in verdict.stderr
    run("resume", "x.jsonl", typed="quit\n", code=0)
    assert chain_of("x.jsonl")[: len(chain_in(whole))] == chain_in(whole)


def test_older_copy_of_a_log_cannot_try_another_order(run: Run) -> None:
    run(*PEOPLE, "--out", "x.jsonl", typed="2\n4\nquit\n", code=0)
    older = {name: Path(name).read_bytes() for name in ("x.jsonl", "x.jsonl.private")}
    run("resume", "x.jsonl", typed="1\n1\nquit\n", code=0)
    for name, data in older.items():
        Path(name).write_bytes(data)
    result = run("resume", "x.jsonl", typed="0\n1\nquit\n", code=1)
    assert "the links of epoch 1 were already given for another order" in result.stderr
    for name, data in older.items():
        Path(name).write_bytes(data)
    run("resume", "x.jsonl", typed="1\n1\nquit\n", code=0)


def test_bot_games_with_the_same_seed_are_identical(run: Run) -> None:
    for name in ("x.jsonl", "y.jsonl"):
        run(*BOTS, "--out", name, code=0)
    assert chain_of("x.jsonl") == chain_of("y.jsonl")
    assert not list(Path().glob("*.jsonl.*"))
    run(*BOTS[:-1], "south=first", "--out", "z.jsonl", code=0)
    assert lines_of(Path("x.jsonl"))[0]["chains"] != lines_of(Path("z.jsonl"))[0]["chains"]
    assert "same chain" not in run("verify", "x.jsonl", "z.jsonl", code=0).stderr


def test_seed_is_refused_if_a_person_plays(refused: Refused) -> None:
    told = refused(2, *PEOPLE, "--seed", "tobruk", "--out", "x.jsonl")
    assert "a seed can be guessed, which would reveal shared dice" in told


def test_game_of_bots_that_was_stopped_resumes_to_the_same_lines(run: Run) -> None:
    run(*BOTS, "--out", "whole.jsonl", code=0)
    run(*BOTS, "--out", "x.jsonl", "--max-records", "40", code=1)
    run("resume", "x.jsonl", code=0)
    assert chain_of("x.jsonl") == chain_of("whole.jsonl")


def test_game_without_a_file_can_be_played(run: Run) -> None:
    run(*BOTS, "--out", "/dev/null", "--force", code=0)


def test_undo_and_rulings_work(run: Run) -> None:
    run(*PEOPLE, "--out", "x.jsonl", typed="2\nundo\n3\n4\n1\n1\n1\nundo\n0\n1\nquit\n", code=0)
    last = next(line["n"] for line in lines_of(Path("x.jsonl")) if line.get("missing") == 1)
    told = run(
        "log", "rule", "x.jsonl", "--reason", "r", "--amend", str(last), "--order", '{"type":"Commit","troops":2}'
    )
    assert told.exit_code == 0, told.stderr
    told = run("log", "rule", "x.jsonl", "--reason", "r", "--event", '{"type":"FrontMoved","front":3,"rule":"TOY-3"}')
    assert told.exit_code == 0, told.stderr
    run("verify", "x.jsonl", "--deep", code=0)
    run("resume", "x.jsonl", typed="1\n1\n" * 30, code=0)
    assert kinds_in("x.jsonl")[-1] == "close"
    assert run("verify", "x.jsonl", "--deep", code=0).stdout.count("verified, with 2 rulings") == 1


def test_amended_order_keeps_the_dice_and_the_later_orders(run: Run) -> None:
    run(*PEOPLE, "--out", "x.jsonl", typed="2\n4\n1\n1\n1\n1\nquit\n", code=0)
    before = lines_of(Path("x.jsonl"))
    first = next(line["n"] for line in before if line["kind"] == "order" and line.get("missing"))
    same = ("--amend", str(first), "--order", '{"type":"Commit","troops":1}', "--keep-later")
    told = run("log", "rule", "x.jsonl", "--reason", "r", *same, code=0)
    assert "3 of 3 later orders given again" in told.stderr
    after = lines_of(Path("x.jsonl"))
    dice = [[(line["label"], line["dice"]) for line in lines if line["kind"] == "roll"] for lines in (before, after)]
    assert dice[1] == dice[0] * 2
    run("verify", "x.jsonl", "--deep", code=0)


def test_slices_show_the_shares_and_are_joined(run: Run) -> None:
    run(*PEOPLE, "--out", "x.jsonl", typed=ORDERS, code=0)
    for side in ("north", "south", "public"):
        run("log", "redact", "x.jsonl", "--side", side, "--out", f"{side}.jsonl", code=0)
        assert kinds_in(f"{side}.jsonl").count("shares") == kinds_in("x.jsonl").count("shares")
        assert "verified so far" in run("verify", f"{side}.jsonl", "--as", side, code=0).stdout
    run("log", "join", "x.jsonl", "north.jsonl", "--out", "joined.jsonl", code=0)


def test_other_commands_take_the_log(run: Run) -> None:
    run(*BOTS, "--out", "x.jsonl", code=0)
    roll = next(line for line in lines_of(Path("x.jsonl")) if line["kind"] == "roll" and line["dice"])
    assert "hexkey:" in run("explain", "x.jsonl", "--at", str(roll["n"]), code=0).stdout
    assert "1 same" in run("ruleset", "regress", "x.jsonl", code=0).stderr
    run("replay", "x.jsonl", code=0)
    run("board", "x.jsonl", code=0)
    run("log", "luck", "x.jsonl", code=0)
    run("log", "page", "x.jsonl", "--out", "x.html", code=0)
    face = roll["dice"][0] % 6 + 1
    run("dispute", "whatif", "x.jsonl", "--die", f"{roll['n']}:1={face}", "--then", "bots", "--out", "b.jsonl", code=0)
    assert "not a game that was played" in run("verify", "b.jsonl", code=0).stderr


def test_rules_with_secret_rolls_refuse_shared_dice(refused: Refused) -> None:
    told = refused(1, "play", "khamsin", "--dice", "shared", "--out", "x.jsonl")
    assert "khamsin rolls dice that not all sides may see (always), but shared dice are public" in told
    hidden = ("--option", "panic_roll_secret=hidden")
    assert "(panic_roll_secret=hidden)" in refused(1, "play", "kampfpanzer", "--dice", "shared", *hidden)
    assert not os.path.lexists("x.jsonl")
