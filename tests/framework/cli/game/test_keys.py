"""The place of a secret dice key: `play` and `resume` with a person, a host, or physical dice."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import Refused, Run
from cutting import chain_in, openings_in, parts_of_file, within, writes_in
from guessing import proofs
from recording import recorded

from sandtable.journal.file.reading import read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import make_dice
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.openings import key_of
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.dice import Stream, commitment, key_from_seed
from sandtable.players.players import FirstPlayer, RandomPlayer
from sandtable.plugin.manager import Rulesets

RULESETS = Path(__file__).parents[2] / "rulesets"
KEY = bytes(range(32))
WORDS = ["a", "tobruk", "sandtable", "benghazi", "rommel", "contract", "demo", "1"]
PLAY = ("play", "toy", "--player", "north=human")
"""A game with secrets and a person at the table."""

ALWAYS = "lay ambush 2\ncommit 0\n" * 60
"""The same input for every decision, wherever a game is resumed."""

EVERYTHING = {"commitment", "root of the header", "dice", "own salts", "hidden record"}
"""The parts of a slice with open dice that prove a guess of key and salts."""


pytestmark = pytest.mark.usefixtures("toy_folder")


HOSTED = ("play", "toy", "--dice", "host", "--key", "my.key", "--player", "north=human", "--player", "south=random")


@pytest.fixture(autouse=True)
def file() -> str:
    Path("my.key").write_text(f"{KEY.hex()}\n")
    return "my.key"


@pytest.fixture
def laid(run: Run, file: str) -> Path:
    """Return the log of a game with hidden dice that was left after an ambush of north; its openings are beside it."""
    run(*HOSTED, "--out", "x.jsonl", typed="2\nquit\n", code=0)
    return Path("x.jsonl")


def begun(log: str, folder: Path, mode: str = "host", key: bytes = KEY) -> tuple[list[bytes], list[bytes]]:
    """Write the first lines of a game between bots to ``log``; return chain and openings of the whole game."""
    data = recorded(Rulesets(folder).load("toy").prepare(), key, mode).data
    Path(log).write_bytes(within(data, 20))
    return chain_in(data), openings_in(data)


def key_shown(log: str) -> str:
    """Return the dice key that an opening of the log shows."""
    found: list[bytes] = re.findall(rb'"to":"umpire",.*"key":"([0-9a-f]{64})"', Path(log).read_bytes())
    return found[-1].decode()


# --- no seed where it could be guessed ---


@pytest.mark.parametrize("mode", ["host", "manual"])
@pytest.mark.parametrize("person", [(), ("--player", "north=human")])
def test_hidden_dice_refuse_a_seed(refused: Refused, mode: str, person: tuple[str, ...]) -> None:
    told = refused(2, "play", "toy", *person, "--dice", mode, "--seed", "tobruk", "--out", "x.jsonl")
    assert told.startswith("sandtable play: --seed: a seed can be guessed")
    assert f"{mode} dice" in told
    assert "name a key file with --key" in told
    assert {each.name for each in Path().iterdir()} == {"rulesets", "my.key"}


@pytest.mark.full
@pytest.mark.parametrize("mode", ["host", "manual"])
def test_guessed_seed_does_not_open_a_slice_with_hidden_dice(run: Run, mode: str) -> None:
    result = run(*PLAY, "--dice", mode, "--out", "x.jsonl", typed="1\n" * 60)
    assert "seed" not in result.stderr
    key = key_shown("x.jsonl")
    slices = [run("log", "redact", "x.jsonl", "--side", side) for side in ("north", "south")]
    for each in slices:
        data = each.stdout_bytes
        assert not [word for word in WORDS if proofs(data, key_from_seed(word))]
        assert proofs(data, bytes.fromhex(key)).keys() >= {"commitment", "own salts", "hidden record"}
        assert key.encode() not in data
    assert not any(key in text for text in (result.stdout, result.stderr, *(each.stderr for each in slices)))


def test_seed_of_open_dice_reveals_only_the_dice(run: Run) -> None:
    run(*PLAY, "--seed", "tobruk", "--out", "x.jsonl", typed="1\n" * 60)
    header = read_log("x.jsonl").header
    assert header.key == key_from_seed("tobruk").hex()
    for side in ("north", "south"):
        result = run("log", "redact", "x.jsonl", "--side", side)
        data = result.stdout_bytes
        assert [word for word in WORDS if proofs(data, key_from_seed(word))] == ["tobruk"]
        assert proofs(data, key_from_seed("tobruk")).keys() == {"commitment", "dice"}  # no record
        assert proofs(data, key_from_seed("tobruk"), bytes.fromhex(header.salts)).keys() == EVERYTHING
        assert header.key.encode() not in data
        assert header.salts.encode() not in data
        assert "guesses" not in result.stderr
    run("verify", "--deep", "x.jsonl", code=0)


def test_each_game_has_separate_salts_which_bots_use(run: Run, toy_folder: Path) -> None:
    logs = []
    for number in ("1", "2"):
        run(*PLAY, "--seed", "a", "--out", f"{number}.jsonl", typed="1\n" + "0\n" * 60)
        logs.append(read_log(f"{number}.jsonl"))
    assert logs[0].header.salts != logs[1].header.salts
    key, prepared = key_from_seed("a"), Rulesets(toy_folder).load("toy").prepare()
    for log in logs:
        salts = bytes.fromhex(log.header.salts)
        game = prepared.new_game(make_dice("open", key, salts))
        bot = RandomPlayer(Stream.for_player(salts, "south"))
        game.play({"north": FirstPlayer(), "south": bot})  # the person typed the lowest number each time
        bodies = LineForm(prepared.ruleset, KeyedSalts(salts)).encode(game.records).bodies
        assert [line[: len(body)] for line, body in zip(log.lines[1:], bodies, strict=True)] == bodies


def test_game_has_no_salts_without_secrets_or_people(run: Run) -> None:
    skirmish = ("skirmish", "--plugins-dir", str(RULESETS), "--player", "red=human")
    for words in (("toy", "--player", "umpire=human", "--seed", "a"), ("toy", "--seed", "a"), skirmish):
        run("play", *words, "--out", "x.jsonl", "--force", typed="quit\n", code=0)
        assert b'"salts"' not in Path("x.jsonl").read_bytes()


def test_slice_of_a_bot_game_warns_of_a_guessable_seed(run: Run) -> None:
    run("play", "toy", "--seed", "tobruk", "--out", "bots.jsonl")
    told = run("log", "redact", "bots.jsonl", "--side", "north", "--out", "1.jsonl").stderr.splitlines()
    assert told[0] == (
        "bots.jsonl: its salts may be derived from a seed: anyone who guesses it can open everything this slice hides"
    )
    assert proofs(Path("1.jsonl").read_bytes(), key_from_seed("tobruk")).keys() == EVERYTHING


# --- the key beside the log ---


def test_key_is_next_to_the_log_until_the_game_ends(run: Run) -> None:
    result = run(*PLAY, "--dice", "host", "--out", "x.jsonl", typed="1\nquit\n")
    assert result.stderr.count("key: x.jsonl.key (the game cannot be resumed without it;") == 1
    assert "Resume with: sandtable resume x.jsonl --plugins-dir" in result.stderr
    kept = Path("x.jsonl.key")
    assert kept.stat().st_mode & 0o777 == 0o600
    key = bytes.fromhex(kept.read_text().strip())
    assert read_log("x.jsonl").header.commitment == commitment(key)
    assert key.hex() not in result.stderr + result.stdout
    run("resume", "x.jsonl", "--player", "north=first", code=0)
    assert not kept.exists()
    assert key_shown("x.jsonl") == key.hex()
    assert not Path("x.jsonl.private").exists()
    run("verify", "x.jsonl", code=0)


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_games_with_the_same_key_file_are_byte_identical(run: Run, file: str, mode: str) -> None:
    for name in ("1", "2"):
        result = run(*PLAY, "--dice", mode, "--key", file, "--out", f"{name}.jsonl", typed=ALWAYS)
        assert result.stdout.count("in turn"), result.stderr
        assert "key:" not in result.stderr
    assert parts_of_file("1.jsonl") == parts_of_file("2.jsonl")
    assert Path(file).read_text() == f"{KEY.hex()}\n"
    assert {each.name for each in Path().iterdir()} == {"rulesets", file, "1.jsonl", "2.jsonl"}
    assert (b'"salts"' in Path("1.jsonl").read_bytes()) == (mode == "open")


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_game_with_a_person_resumes_to_the_same_bytes(run: Run, file: str, mode: str) -> None:
    run(*PLAY, "--player", "south=random", "--dice", mode, "--key", file, "--out", "x.jsonl", typed=ALWAYS)
    whole = parts_of_file("x.jsonl")
    assert whole[0][-1].startswith(b'{"kind":"close"')
    header, *others = writes_in(b"".join(whole[0]))
    for count in range(0, len(others), 3):
        records = len(chain_in(header + b"".join(others[:count]))) - 1
        openings = [line for line in whole[1] if (key_of(line) or (0, ""))[0] <= records]
        Path("x.jsonl").write_bytes(b"".join([header, *openings, *others[:count]]))
        naming = [] if mode == "open" else ["--key", file]
        run("resume", "x.jsonl", *naming, typed=ALWAYS, code=0)
        assert parts_of_file("x.jsonl") == whole


def test_hidden_data_is_only_in_the_private_file_until_the_end(run: Run, laid: Path, file: str) -> None:
    shown, kept = laid.read_bytes(), Path("x.jsonl.private").read_bytes()
    assert Path("x.jsonl.private").stat().st_mode & 0o777 == 0o600
    assert b"LayAmbush" not in shown
    assert b"AmbushLaid" not in shown
    assert b"LayAmbush" in kept
    unproven = run("verify", "x.jsonl").stderr
    assert unproven.startswith("x.jsonl: verified so far: ")
    assert "pending: the dice key, which the close will show; " in unproven
    Path("sent").mkdir()
    Path("sent/x.jsonl").write_bytes(shown)
    assert "not proven" in run("verify", "sent/x.jsonl", code=5).stdout
    assert "verified so far" in run("verify", "sent/x.jsonl", "--as", "public", code=0).stdout
    run("resume", "x.jsonl", "--key", file, "--player", "north=first", code=0)
    assert not Path("x.jsonl.private").exists()
    assert set(kept.splitlines()) < set(laid.read_bytes().splitlines())
    run("verify", "--deep", "x.jsonl", code=0)


def test_opening_without_a_written_record_is_discarded(run: Run, laid: Path, file: str) -> None:
    """A program that is killed between the two writes leaves such an opening; the order was never acknowledged."""
    number = read_log(laid).records + 1
    with Path("x.jsonl.private").open("ab") as kept:
        kept.write(b'{"kind":"opening","n":%d,"to":"north","salt":"%b","part":{"order":{}}}\n' % (number, b"0" * 32))
        kept.write(b'{"kind":"opening","n":%d,"to":"sou' % number)
    assert run("verify", "x.jsonl").stderr.startswith("x.jsonl: verified so far: ")
    run("resume", "x.jsonl", "--key", file, "--player", "north=first", code=0)
    run("verify", "--deep", "x.jsonl", code=0)
    assert b'"order":{}' not in laid.read_bytes()


def test_new_game_resumed_from_a_copy_has_its_own_private_file(run: Run, file: str) -> None:
    """No record is closed yet, so nothing is missing: the copy gets a separate file of openings."""
    run(*HOSTED, "--out", "x.jsonl", typed="quit\n")
    assert Path("x.jsonl.private").read_bytes() == b""
    Path("copy.jsonl").write_bytes(Path("x.jsonl").read_bytes())
    run("resume", "copy.jsonl", "--key", file, typed="2\nquit\n", code=0)
    assert b"LayAmbush" in Path("copy.jsonl.private").read_bytes()
    assert b'"opening"' not in Path("copy.jsonl").read_bytes()


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_game_is_not_resumed_under_another_name_of_its_log(
    run: Run, file: str, link: Callable[[str, str], None]
) -> None:
    """Its openings are next to the first name; under another name, closed records would go into the log itself."""
    run(*HOSTED, "--out", "x.jsonl", typed="quit\n")
    before = Path("x.jsonl").read_bytes(), Path("x.jsonl.private").read_bytes()
    link("x.jsonl", "alias.jsonl")
    run("resume", "alias.jsonl", "--key", file, typed="2\nquit\n", code=1)
    assert (Path("x.jsonl").read_bytes(), Path("x.jsonl.private").read_bytes()) == before
    assert not Path("alias.jsonl.private").exists()


def test_game_with_a_replaced_log_stops_with_a_message(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    log, calls, put = Path("x.jsonl"), [0], LogWriter.put

    def replaced(writer: LogWriter, records: Sequence[Any]) -> None:
        calls[0] += 1
        if calls[0] == 3:
            Path("copy").write_bytes(log.read_bytes())
            Path("copy").replace(log)
        put(writer, records)

    monkeypatch.setattr(LogWriter, "put", replaced)
    result = run(*PLAY, "--seed", "a", "--out", "x.jsonl", typed=ALWAYS, code=1)
    assert "was moved, removed or replaced" in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert calls[0] == 3


RUBBISH = (b'{"kind":"opening","n":7,"to\xff\x00\n\x07\n', b"9\n\x00\x00", b'{"kind":"annex","a":1\n{}\n')


@pytest.mark.parametrize("rubbish", RUBBISH)
def test_torn_private_write_after_a_power_cut_is_discarded(run: Run, laid: Path, file: str, rubbish: bytes) -> None:
    aside = Path("x.jsonl.private")
    whole = aside.read_bytes()
    aside.write_bytes(whole + rubbish)
    assert run("verify", "x.jsonl").stderr.startswith("x.jsonl: verified so far: ")
    run("resume", "x.jsonl", "--key", file, "--player", "north=human", typed="2\nquit\n")
    assert aside.read_bytes().startswith(whole)
    assert rubbish not in aside.read_bytes()
    first, _, rest = aside.read_bytes().partition(b"\n")
    aside.write_bytes(first[:40] + rubbish + rest)
    told = run("resume", "x.jsonl", "--key", file, code=3)
    assert "x.jsonl.private: line 1: is not an opening" in told.stderr  # no acknowledged order is lost in silence


def test_torn_log_with_opened_sealed_orders_is_repaired(run: Run, file: str) -> None:
    """The opening of a sealed order is in a later write than the order: before the order that completes the group."""
    words = ("--dice", "host", "--key", file, "--player", "north=human", "--player", "south=random")
    run("play", "toy", *words, "--out", "x.jsonl", typed="2\n1\n1\nquit\n")
    whole = Path("x.jsonl").read_bytes()
    assert openings_in(whole)
    *before, last = writes_in(whole)
    Path("x.jsonl").write_bytes(b"".join(before) + bytes(len(last) // 2) + b"\r\n" + last[len(last) // 2 :])
    assert run("log", "repair", "x.jsonl").exit_code == 0
    assert Path("x.jsonl").read_bytes() == b"".join(before)


def test_game_with_a_key_file_resumes_by_naming_it(run: Run, file: str) -> None:
    result = run(*PLAY, "--dice", "host", "--key", file, typed="1\nquit\n")
    words = result.stderr.partition("Resume with: sandtable ")[2].split()
    assert words[2:4] == ["--key", file]
    run(*words, "--player", "north=first", code=0)
    assert Path(file).exists()


def test_wrong_key_is_refused_in_one_sentence(run: Run, refused: Refused, file: str, toy_folder: Path) -> None:
    whole, before = begun("x.jsonl", toy_folder), Path("x.jsonl").read_bytes()
    refused(1, "resume", "x.jsonl")
    Path("x.jsonl.key").write_text("05" * 32 + "\n")
    for naming in ((), ("--key", "x.jsonl.key")):
        told = refused(3, "resume", "x.jsonl", *naming)
        assert told == "sandtable: x.jsonl.key: is not the key of x.jsonl: its header commits to a different key"
    Path("bad.key").write_text("secret words")
    told = refused(3, "resume", "x.jsonl", "--key", "bad.key")
    assert told.startswith("sandtable: bad.key: holds no key: expected 64 hex digits")
    assert "secret" not in told
    assert "bad.key: holds no key" in refused(3, "play", "toy", "--key", "bad.key", "--out", "y.jsonl")
    assert "nowhere.key: cannot be read" in refused(3, "play", "toy", "--key", "nowhere.key", "--out", "y.jsonl")
    assert "use only one" in refused(2, "play", "toy", "--key", file, "--seed", "a")
    assert "use only one" in refused(2, "resume", "x.jsonl", "--key", file, "--seed", "a")
    assert Path("x.jsonl").read_bytes() == before
    assert not Path("y.jsonl").exists()
    run("resume", "x.jsonl", "--key", file, code=0)
    assert parts_of_file("x.jsonl") == whole


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_log_of_a_seeded_game_resumes_with_its_seed(
    run: Run, refused: Refused, file: str, toy_folder: Path, mode: str
) -> None:
    whole = begun("x.jsonl", toy_folder, mode, key_from_seed("old times"))
    if mode == "open":
        assert "its header shows the key" in refused(3, "resume", "x.jsonl", "--key", file)
        assert "its header shows the key" in refused(3, "resume", "x.jsonl", "--seed", "new times")
    else:
        assert "--seed: is not the key of x.jsonl" in refused(3, "resume", "x.jsonl", "--seed", "new times")
        assert "printable" in refused(2, "resume", "x.jsonl", "--seed", "")
    run("resume", "x.jsonl", "--seed", "old times", code=0)
    assert parts_of_file("x.jsonl") == whole


# --- stopped as it began ---

KILLED = """
import os, signal
from sandtable.cli.main import cli
from sandtable.journal.file.writer import LogWriter
LogWriter._write_header = lambda self, header: os.kill(os.getpid(), signal.SIGKILL)
cli.main(["play", "toy", "--dice", "host", "--out", "x.jsonl"])
"""


@pytest.mark.full
def test_game_killed_between_key_and_header_restarts_with_force(run: Run, refused: Refused) -> None:
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", KILLED], env=paths, check=False).returncode == -signal.SIGKILL
    left = Path("x.jsonl.key").read_text()
    assert Path("x.jsonl").read_bytes() == b""
    words = ["play", "toy", "--dice", "host", "--out", "x.jsonl"]
    told = refused(2, *words)
    assert "x.jsonl: the file exists, but is empty" in told
    assert "use --force" in told
    assert Path("x.jsonl.key").read_text() == left
    run(*words, "--force", code=0)
    assert left.strip().encode() not in Path("x.jsonl").read_bytes()
    run("verify", "x.jsonl", code=0)


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_key_without_a_log_is_kept_and_reusable(run: Run, refused: Refused, force: list[str]) -> None:
    Path("x.jsonl.key").write_text(f"{KEY.hex()}\n")
    told = refused(2, "play", "toy", "--dice", "host", "--out", "x.jsonl", *force)
    assert "x.jsonl.key: this key file exists, but it is not the key of a log x.jsonl: start with it (--key" in told
    assert not Path("x.jsonl").exists()
    assert Path("x.jsonl.key").read_text() == f"{KEY.hex()}\n"
    words = ("play", "toy", "--dice", "host", "--out", "x.jsonl", *force, "--key", "x.jsonl.key")
    run(*words, code=0)
    assert read_log("x.jsonl").header.commitment == commitment(KEY)


def test_only_force_replaces_log_and_key(run: Run, refused: Refused, toy_folder: Path) -> None:
    begun("x.jsonl", toy_folder)
    Path("x.jsonl.key").write_text(f"{KEY.hex()}\n")
    words = (*PLAY, "--dice", "host", "--out", "x.jsonl")
    refused(2, *words)
    assert Path("x.jsonl.key").read_text() == f"{KEY.hex()}\n"
    run(*words, "--force", typed="quit\n", code=0)
    key = bytes.fromhex(Path("x.jsonl.key").read_text().strip())
    assert key != KEY
    assert read_log("x.jsonl").header.commitment == commitment(key)


def test_log_in_a_device_leaves_no_key_file(run: Run) -> None:
    run("play", "toy", "--dice", "host", "--out", "/dev/null", "--force", code=0)
    assert not Path("/dev/null.key").exists()


# --- the openings of a resumed game ---


def test_force_keeps_the_private_file_of_a_running_game(laid: Path, refused: Refused) -> None:
    kept = Path("x.jsonl.private").read_bytes()
    writer, _ = LogWriter.reopen(laid)
    with writer:
        assert "another process is writing" in refused(1, *HOSTED, "--out", "x.jsonl", "--force")
        assert Path("x.jsonl.private").read_bytes() == kept


def test_openings_before_an_interruption_are_logged_once(run: Run, file: str) -> None:
    run(*PLAY, "--dice", "host", "--key", file, "--out", "x.jsonl", typed="2\n1\n1\nquit\n")
    assert b'"kind":"opening"' in Path("x.jsonl").read_bytes()
    run("resume", "x.jsonl", "--key", file, "--player", "north=first", code=0)
    openings = parts_of_file("x.jsonl")[1]
    assert len(openings) == len(set(openings))
