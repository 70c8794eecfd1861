"""``sandtable resign``, ``draw`` and ``dispute adjudicate --end``: who may end a game, signed where the header says."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import Node, Refused, Run
from cutting import within
from rechained import rechained, tables_of

pytest.importorskip("cryptography", reason="signatures require the extra keys")


@pytest.fixture
def game(run: Run, of_seed_a: str) -> Path:
    """Return an unfinished game without keys in its header."""
    return unfinished(run, of_seed_a)


@pytest.fixture
def keys(run: Run) -> dict[str, str]:
    """Return the public keys of both sides and the umpire; the private ones are in files of these names."""
    found = {}
    for name in ("red", "blue", "umpire"):
        run("key", "new", name, code=0)
        found[name] = run("key", "show", name).stdout.split()[-1]
    return found


def unfinished(run: Run, dice_key: str, *words: str) -> Path:
    path = Path("a.jsonl")
    run("play", "skirmish", "--key", dice_key, "--dice", "host", "--out", str(path), *words, code=0)
    path.write_bytes(within(path.read_bytes(), 9))
    Path("a.jsonl.key").write_bytes(Path(dice_key).read_bytes())
    return path


def last_lines(path: Path) -> list[dict[str, Any]]:
    lines = [msgspec.json.decode(line, type=dict[str, Any]) for line in path.read_bytes().splitlines()]
    return [line for line in lines if line["kind"] in ("end", "close")]


def test_resignation_is_recorded_closes_the_log_and_removes_the_dice_key(run: Run, game: Path) -> None:
    assert Path("a.jsonl.key").exists()
    run("resign", "a.jsonl", "--seat", "red", "--reason", "late", code=0)
    end, close = last_lines(game)
    assert (end["by"], end["how"], end["outcome"], end["reason"]) == ("red", "resignation", "blue", "late")
    assert (close["outcome"], close["ending"]) == ("blue", "resignation")
    assert close["key"]
    assert not Path("a.jsonl.key").exists()
    run("verify", "a.jsonl", code=0)


def test_draw_keeps_its_agreed_shares(run: Run, game: Path) -> None:
    run("draw", "a.jsonl", "--share", "red=500", "--share", "blue=500", code=0)
    end, close = last_lines(game)
    assert end["shares"] == close["shares"] == {"red": 500, "blue": 500}
    assert sorted(end["sides"]) == ["blue", "red"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("resign a.jsonl --seat green", "not a seat"),
        ("draw a.jsonl --share red=900 --share blue=100", "largest share"),
        ("dispute adjudicate a.jsonl --end green --reason x", "neither a side"),
        ("dispute adjudicate a.jsonl --end red", "reason"),
        ("draw a.jsonl --share red=half", "whole number"),
        ("dispute adjudicate a.jsonl --reason x", "belong to --end"),
    ],
)
def test_impossible_ending_is_refused_and_leaves_the_game_open(run: Run, game: Path, words: str, why: str) -> None:
    before = game.read_bytes()
    result = run(*words.split())
    assert result.exit_code in (1, 2)
    assert why in result.stderr
    assert game.read_bytes().startswith(before)
    assert not last_lines(game)


@pytest.mark.full
def test_ending_is_signed_by_the_keys_that_the_header_names(
    run: Run, of_seed_a: str, keys: dict[str, str], refused: Refused
) -> None:
    named = [word for name, key in keys.items() for word in ("--public-key", f"{name}={key}")]
    signs = [word for side in ("red", "blue") for word in ("--sign", f"{side}={side}")]
    assert "(--sign red=FILE)" in refused(2, "play", "skirmish", *named, *signs[2:], "--out", "b.jsonl")
    assert "(--sign blue=FILE)" in refused(2, "play", "skirmish", *named, *signs[:2], "--out", "b.jsonl")
    assert not Path("b.jsonl").exists()
    path = unfinished(run, of_seed_a, *named, *signs)
    before = path.read_bytes()
    resign = ("resign", "a.jsonl", "--seat", "red")
    adjudicate = ("dispute", "adjudicate", "a.jsonl", "--end", "red", "--reason", "x")
    unsigned: list[tuple[tuple[str, ...], str]] = [
        (resign, "red"),
        (("draw", "a.jsonl", "--sign", "red"), "blue"),
        (("draw", "a.jsonl"), "blue and red"),
        (adjudicate, "umpire"),
    ]
    for words, missing in unsigned:
        assert f"signed by {missing}" in refused(1, *words)
    wrong: list[tuple[str, ...]] = [(*resign, "--sign", "blue"), (*adjudicate, "--sign", "red")]
    for words in wrong:
        assert "other keys" in refused(1, *words)
    assert not last_lines(path)
    signed: list[tuple[str, ...]] = [
        (*resign, "--sign", "red"),
        ("draw", "a.jsonl", "--sign", "blue", "--sign", "red"),
        (*adjudicate, "--sign", "umpire"),
    ]
    for words in signed:
        path.write_bytes(before)
        Path("a.jsonl.key").write_bytes(Path(of_seed_a).read_bytes())
        run(*words, code=0)
        told = run("verify", "a.jsonl", code=0)
        assert "unsigned" not in told.stdout


@pytest.mark.full
def test_removed_or_changed_signature_makes_the_verdict_false(
    run: Run, of_seed_a: str, keys: dict[str, str], node: Node
) -> None:
    path = unfinished(run, of_seed_a, "--public-key", f"red={keys['red']}", "--sign", "red=red")
    run("resign", "a.jsonl", "--seat", "red", "--sign", "red", code=0)
    assert "not signed" not in node("a.jsonl").stdout
    lines = tables_of(path.read_bytes())
    number = next(place for place, line in enumerate(lines) if line["kind"] == "end")
    for forged in ("0" * 128, lines[number]["signatures"]["red"][::-1], ""):
        lines[number]["signatures"] = {"red": forged} if forged else {}
        path.write_bytes(rechained(lines))
        run("verify", "a.jsonl", code=1)
        told = node("a.jsonl")
        assert "not signed by red" in told.stdout + told.stderr


def at_prompt(run: Run, players: tuple[str, ...], typed: str, *words: str) -> Any:
    named = [word for each in players for word in ("--player", each)]
    return run("play", "skirmish", *named, "--seed", "a", "--out", "p.jsonl", *words, typed=typed)


HUMAN_RED = ("red=human", "blue=random")
TWO_PEOPLE = ("red=human", "blue=human")


def test_resign_at_the_prompt_ends_the_game_after_yes(run: Run) -> None:
    result = at_prompt(run, HUMAN_RED, "resign\nyes\n")
    assert result.exit_code == 0, result.output
    end, close = last_lines(Path("p.jsonl"))
    assert (end["by"], end["how"], end["sides"], close["outcome"]) == ("red", "resignation", ["red"], "blue")
    assert "won by blue: resignation" in result.stdout
    assert "Red resigns: victory for blue" in run("replay", "p.jsonl", code=0).stdout
    assert "ended by people" in run("verify", "p.jsonl", "--deep", code=0).stderr


@pytest.mark.parametrize("answer", ["no", "n", "", "red", "resign"])
def test_resign_without_yes_changes_nothing(run: Run, answer: str) -> None:
    result = at_prompt(run, HUMAN_RED, f"resign\n{answer}\nquit\n")
    assert "you did not resign" in result.stderr
    assert "march or stay" not in result.stderr
    assert not last_lines(Path("p.jsonl"))


def test_resign_after_resume_removes_the_key(run: Run, of_seed_a: str) -> None:
    run("play", "skirmish", "--player", "red=human", "--dice", "host", "--out", "p.jsonl", typed="quit\n", code=0)
    assert Path("p.jsonl.key").exists()
    run("resume", "p.jsonl", typed="resign\ny\n", code=0)
    assert not Path("p.jsonl.key").exists()
    run("verify", "p.jsonl", "--deep", code=0)


def test_draw_at_the_prompt_needs_yes_from_the_other_person(run: Run) -> None:
    result = at_prompt(run, TWO_PEOPLE, "draw\nno\ndraw\nyes\n", "--dice", "open")
    assert "blue does not agree to a draw" in result.stderr
    end, close = last_lines(Path("p.jsonl"))
    assert (end["by"], end["how"], end["sides"]) == ("red", "agreed_draw", ["red", "blue"])
    assert (close["outcome"], close["ending"]) == ("draw", "agreed_draw")
    run("verify", "p.jsonl", "--deep", code=0)


def test_bot_never_agrees_to_a_draw(run: Run) -> None:
    result = at_prompt(run, HUMAN_RED, "draw\nquit\n")
    assert "no person plays blue at this terminal, and a bot never agrees to a draw" in result.stderr
    assert not last_lines(Path("p.jsonl"))


@pytest.mark.parametrize(("word", "signers"), [("resign", ["blue"]), ("draw", ["blue", "red"])])
def test_ending_at_the_prompt_is_signed_by_the_keys_of_the_players(
    run: Run, keys: dict[str, str], word: str, signers: list[str]
) -> None:
    words = [each for side in ("red", "blue") for each in ("--sign", f"{side}={side}")]
    named = [each for side in ("red", "blue") for each in ("--public-key", f"{side}={keys[side]}")]
    at_prompt(run, TWO_PEOPLE, f"buy 2 guns\nbuy 2 guns\nbold\n{word}\nyes\n", "--dice", "open", *named, *words)
    lines = tables_of(Path("p.jsonl").read_bytes())
    assert [line["kind"] for line in lines[-3:]] == ["hand", "end", "close"], (
        "the open half of the group is signed first"
    )
    assert sorted(lines[-2]["signatures"]) == signers
    told = run("verify", "p.jsonl", "--deep", code=0)
    assert "unsigned" not in told.stdout + told.stderr


@pytest.mark.parametrize("word", ["resign", "draw"])
@pytest.mark.usefixtures("toy_folder")
def test_game_with_shared_dice_ends_at_the_prompt_without_its_links(run: Run, word: str) -> None:
    people = ("play", "toy", "--dice", "shared", "--player", "north=human", "--player", "south=human")
    run(*people, "--out", "x.jsonl", typed=f"2\n4\n1\n1\n1\n{word}\ny\n", code=0)
    assert not list(Path().glob("x.jsonl.*"))
    assert [line["kind"] for line in last_lines(Path("x.jsonl"))] == ["end", "close"]
    assert run("verify", "x.jsonl", "--deep", code=0).stdout.count("verified, ended by people") == 1


def test_help_at_the_prompt_names_both_endings(run: Run) -> None:
    assert "resign the game, after a confirmation" in at_prompt(run, HUMAN_RED, "help\nquit\n").stderr
    assert "offer a draw" in at_prompt(run, HUMAN_RED, "help draw\nquit\n", "--force").stderr


def test_umpire_cannot_resign_at_the_prompt(run: Run) -> None:
    words = ("--dice", "manual", "--player", "umpire=human", "--player", "red=random", "--player", "blue=random")
    result = run("play", "skirmish", *words, "--out", "p.jsonl", typed="resign\nyes\nquit\n", code=0)
    assert "is not an order" in result.stderr or "refused" in result.stderr
    assert not last_lines(Path("p.jsonl"))


def test_abandoned_game_is_won_by_the_remaining_side(run: Run, game: Path) -> None:
    run("dispute", "adjudicate", "a.jsonl", "--end", "blue", "--left", "red", "--reason", "two weeks", code=0)
    end, close = last_lines(game)
    assert (end["by"], end["how"], end["sides"], end["reason"]) == ("umpire", "abandonment", ["red"], "two weeks")
    assert close["outcome"] == "blue"
    assert "Red abandoned the game (two weeks): victory for blue" in run("replay", "a.jsonl", code=0).stdout
    run("verify", "a.jsonl", "--deep", code=0)


def test_impossible_abandonment_is_refused(run: Run, game: Path) -> None:
    for words in (("--end", "red", "--left", "red"), ("--end", "blue", "--left", "green"), ("--left", "red")):
        assert run("dispute", "adjudicate", "a.jsonl", *words).exit_code in (1, 2)
    assert not last_lines(game)
