"""``join``, ``anchor``, ``key`` and ``rule``: what two people need who do not trust each other."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import RANDOM, Node, Refused, Run, RunJson
from cutting import asked_by, chain_in, cut_after, first_half, openings_in
from honest_logs import prepared_for
from rechained import lines_of, rechained, tables_of
from signed_games import Tables, hands_in, signed_game, without

from sandtable.plugin.manager import Prepared

# --- anchors ---


def test_log_without_an_anchor_is_verified_as_unanchored(run: Run, run_json: RunJson, log: str) -> None:
    assert "verified, unanchored" in run("verify", log).stdout
    (told,) = run_json("verify", log)
    assert (told["verdict"], told["anchor"]) == ("verified", "")
    assert told["head"] in Path(log).read_text()
    assert msgspec.json.decode(Path(log).read_bytes().splitlines()[-1])["kind"] in {"annex", "close"}


@pytest.mark.full
def test_anchor_distinguishes_a_game_from_a_continued_copy(run: Run, log: str) -> None:
    """Two logs of one game with different ends both verify; only an anchor proves which one was played."""
    run("log", "anchor", log, "--out", "end.anchor", code=0)
    run("log", "anchor", log, "--at", "20", "--out", "early.anchor", code=0)
    Path("b.jsonl").write_bytes(asked_by(Path(log).read_bytes(), 30))
    run("resume", "b.jsonl", "--player", "red=first", "--player", "blue=first", code=0)
    both = run("verify", log, "b.jsonl", code=0)
    assert "the same game up to record 3" in both.stderr
    assert "one of them was continued from a copy" in both.stderr
    for anchor, code in (("early.anchor", 0), ("end.anchor", 1)):
        run("verify", "b.jsonl", "--anchor", anchor, code=code)
        run("verify", log, "--anchor", anchor, code=0)
    told = run("verify", "b.jsonl", "--anchor", "end.anchor").stderr
    assert told.startswith("b.jsonl: false: anchor: end.anchor: the anchor does not match: ")
    assert run("verify", log, "--anchor", "end.anchor").stdout.count("anchored up to and including record") == 1


def test_anchor_is_accepted_as_code_or_words(run: Run, run_json: RunJson, log: str) -> None:
    code = run_json("log", "anchor", log, "--at", "12")["code"]
    assert len(code) == 39
    words = run_json("log", "anchor", log, "--at", "12")["words"]
    for given in (code.upper(), words, words.upper()):
        assert "anchored up to and including record 12" in run("verify", log, "--anchor", given, code=0).stdout
    wrong = " ".join(reversed(words.split()))
    assert "no record of this log has the anchor code" in run("verify", log, "--anchor", wrong, code=1).stderr
    result = run("verify", log, "--anchor", " ".join([*code.split()[1:], "0000"]), code=1)
    assert "no record of this log has the anchor code" in result.stderr
    assert code in " ".join(run("log", "anchor", log, "--at", "12").stdout.split())


@pytest.fixture
def public(run: Run) -> str:
    """Return the public key of an umpire, whose header is that of k.jsonl."""
    pytest.importorskip("cryptography")
    key = run("key", "new", "umpire.key").stdout.strip()
    run("play", "skirmish", *RANDOM, "--seed", "a", "--public-key", f"umpire={key}", "--out", "k.jsonl", code=0)
    return key


@pytest.mark.full
def test_signed_anchor_names_its_signer(run: Run, refused: Refused, public: str, node: Node) -> None:
    assert Path("umpire.key").stat().st_mode & 0o777 == 0o600
    assert run("key", "show", "umpire.key").stdout.strip() == public
    assert "never overwritten" in refused(3, "key", "new", "umpire.key")
    other = run("key", "new", "other.key").stdout.strip()
    run("log", "anchor", "k.jsonl", "--sign", "umpire.key", "--out", "k.anchor", code=0)
    assert "signed by umpire" in run("verify", "k.jsonl", "--anchor", "k.anchor").stdout
    told = node("k.jsonl", "k.anchor")
    assert told.returncode == 0, told.stdout
    anchor = Path("k.anchor").read_text()
    Path("k.anchor").write_text(anchor.replace(public, other))
    assert "the signature was not made with the key" in run("verify", "k.jsonl", "--anchor", "k.anchor").stderr
    assert node("k.jsonl", "k.anchor").returncode == 1
    run("log", "anchor", "k.jsonl", "--sign", "other.key", "--out", "o.anchor", code=0)
    assert "which the header does not name" in run("verify", "k.jsonl", "--anchor", "o.anchor").stdout


@pytest.mark.parametrize("words", ["nobody=" + "0" * 64, "umpire=abc", "umpire=" + "G" * 64])
def test_invalid_public_key_is_refused(refused: Refused, words: str) -> None:
    assert "--public-key" in refused(2, "play", "skirmish", *RANDOM, "--public-key", words, "--out", "k.jsonl")


@pytest.mark.parametrize("text", ["", "{}", "words", '{"game":"a","record":1,"head":"b","format":"x"}', "\x00" * 10])
def test_invalid_anchor_is_refused(run: Run, log: str, text: str) -> None:
    Path("x.anchor").write_text(text)
    result = run("verify", log, "--anchor", "x.anchor", code=3)
    assert "x.anchor: " in result.stderr


# --- files of several sides ---


@pytest.mark.full
def test_joined_slices_make_the_log_or_show_the_first_forged_record(run: Run, refused: Refused) -> None:
    run("play", "kampfpanzer", "--scenario", "summa", "--seed", "a", "--out", "a.jsonl", code=0)
    data = Path("a.jsonl").read_bytes()
    half = cut_after(data, len(chain_in(data)) // 2)
    Path("half.jsonl").write_bytes(half)
    sides = ("finns", "russians")
    for side in sides:
        run("log", "redact", "half.jsonl", "--side", side, "--out", f"{side}.jsonl", code=0)
    assert "not proven" in run("log", "join", "finns.jsonl", "russians.jsonl", "--out", "both.jsonl").stdout
    assert chain_in(Path("both.jsonl").read_bytes()) == chain_in(half)
    lines = Path("finns.jsonl").read_bytes().splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if line in openings_in(b"".join(lines)) and b"asked" in line)
    lines[place] = lines[place].replace(b'"asked":"', b'"asked":"9')
    Path("lied.jsonl").write_bytes(b"".join(lines))
    told = refused(3, "log", "join", "lied.jsonl", "russians.jsonl")
    assert "lied.jsonl: the opening of record" in told
    assert "was altered: it does not match the commitment in the chain" in told


def test_files_of_two_games_are_not_joined(run: Run, refused: Refused, log: str) -> None:
    run("play", "skirmish", "--seed", "b", "--out", "b.jsonl", code=0)
    assert "differ from the header on" in refused(3, "log", "join", log, "b.jsonl")


def test_luck_counts_a_game_once(run: Run, run_json: RunJson, log: str) -> None:
    shutil.copy(log, "copy.jsonl")
    once, twice = run_json("log", "luck", log), run_json("log", "luck", log, "copy.jsonl")
    assert once["luck"] == twice["luck"]
    told = run("log", "luck", log, "copy.jsonl").stderr
    assert "also in a.jsonl; counted once" in told
    assert "1 game," in told


# --- rulings ---


def half_of(log: str) -> tuple[str, tuple[str, ...]]:
    """Cut a log after 60 records; return its file, and the words that amend its last march."""
    Path("half.jsonl").write_bytes(asked_by(Path(log).read_bytes(), 60))
    marches = [line for line in lines_of(Path("half.jsonl")) if line.get("order", {}).get("type") == "March"]
    words = ("log", "rule", "half.jsonl", "--amend", str(marches[-1]["n"]), "--reason", "he had said so", "--order")
    return "half.jsonl", words


def test_an_order_is_replaced_and_the_log_verifies(run: Run, refused: Refused, log: str) -> None:
    half, words = half_of(log)
    before = chain_in(Path(half).read_bytes())
    assert "does not fit the ruleset" in refused(3, *words, '{"type":"Fly"}')
    assert chain_in(Path(half).read_bytes())[: len(before)] == before
    run(*words, '{"type":"Stay"}', "--claim", "stay", "--rule", "SK-3.1", code=0)
    ruling = next(line for line in lines_of(Path(half)) if line["kind"] == "ruling")
    number = int(words[4])
    assert (ruling["amends"], ruling["disputed"], ruling["claim"]) == (number, number, "stay")
    run("resume", half, code=0)
    run("verify", half, "--deep", code=0)
    assert "is replaced; everything since then is undone" in run("replay", half).stdout


@pytest.mark.full
@pytest.mark.usefixtures("public")
def test_ruling_must_be_signed_if_the_header_names_the_umpires_key(run: Run, refused: Refused, node: Node) -> None:
    run("key", "new", "other.key")
    half, words = half_of("k.jsonl")
    words = (*words, '{"type":"Stay"}')
    assert "sign the ruling with it" in refused(1, *words)
    assert "this is not the umpire's key" in refused(1, *words, "--sign", "other.key")
    run(*words, "--sign", "umpire.key", code=0)
    run("resume", half, code=0)
    run("verify", half, "--deep", code=0)
    assert node(half).returncode == 0
    lines = lines_of(Path(half))
    for change in ({"reason": "another reason"}, {"signature": "00" * 64}, {"signature": ""}):
        altered = [{**line, **change} if line["kind"] == "ruling" else line for line in lines]
        altered = [{key: value for key, value in line.items() if value != ""} for line in altered]
        Path("forged.jsonl").write_bytes(rechained(altered))
        assert "ruling: record" in run("verify", "forged.jsonl", code=1).stderr
        assert node("forged.jsonl").returncode == 1


RULED = Path(__file__).parents[4] / "replays" / "desert_aa" / "axis-capital_captured-ruled.jsonl"


@pytest.mark.usefixtures("_without_keys")
def test_signed_log_without_the_extra_keys_has_its_own_verdict(run: Run, run_json: RunJson) -> None:
    (verdict,) = run_json("verify", str(RULED), code=4)
    assert verdict["verdict"] == "signatures not checked"
    result = run("verify", str(RULED))
    assert "install sandtable[keys]" in result.stderr
    assert "ruleset missing" not in result.output
    run("explain", str(RULED), "--at", "570", code=0)
    frontier = RULED.parents[1] / "disputes" / "frontier"
    told = run("verify", f"{frontier}.jsonl", "--anchor", f"{frontier}.anchor", code=4)
    assert "signatures not checked" in told.stdout
    told = run("dispute", "show", str(RULED.parents[1] / "disputes" / "02-rolled-twice.toml"), code=0)
    assert "cannot be checked" in told.stdout


@pytest.fixture(scope="module")
def signed() -> Tables:
    """Return a game in which every seat signs; it is made while signatures can be made."""
    return tables_of(signed_game(prepared_for("desert_aa")))


@pytest.mark.usefixtures("_without_keys")
def test_signed_orders_without_the_extra_keys_are_not_checked(signed: Tables, run: Run, run_json: RunJson) -> None:
    lines = signed
    Path("signed.jsonl").write_bytes(rechained(lines))
    (verdict,) = run_json("verify", "signed.jsonl", code=4)
    assert verdict["verdict"] == "signatures not checked"
    hand = hands_in(lines)[-1]
    Path("forged.jsonl").write_bytes(rechained(without(lines, hand)))
    assert f"of {lines[hand]['by']} is not signed" in run("verify", "forged.jsonl", code=1).stderr


@pytest.mark.full
@pytest.mark.usefixtures("_without_keys")
def test_altered_record_after_a_signed_ruling_is_found_without_keys(run: Run) -> None:
    lines = lines_of(RULED)
    ruling = next(place for place, line in enumerate(lines) if line["kind"] == "ruling")
    roll = next(place for place, line in enumerate(lines) if line["kind"] == "roll" and place > ruling)
    lines[roll]["dice"][0] = lines[roll]["dice"][0] % 6 + 1
    Path("forged.jsonl").write_bytes(rechained(lines))
    result = run("verify", "forged.jsonl")
    assert result.exit_code in {1, 4}  # 4: the ruleset's files were edited since
    assert f"record {lines[roll]['n']}" in result.stderr
    assert "signatures not checked" not in result.output


def test_key_of_a_side_is_that_of_its_seats(run: Run, refused: Refused) -> None:
    for name in ("axis", "germany"):
        run("key", "new", "--seed", name, code=0)
    axis, germany = (run("key", "show", name).stdout.strip() for name in ("axis", "germany"))
    desert = ("play", "desert_aa", "--scenario", "frontier", "--seed", "a", "--max-records", "5")
    signs = ("--sign", "axis=axis", "--sign", "germany=germany")
    run(*desert, *signs, "--public-key", f"umpire={'c' * 64}", "--out", "k.jsonl")
    assert lines_of(Path("k.jsonl"))[0]["keys"] == {"germany": germany, "italy": axis, "umpire": "c" * 64}
    told = refused(2, *desert, "--public-key", f"france={axis}", "--out", "o.jsonl")
    assert "axis" in told
    assert "italy" in told
    told = refused(2, *desert, "--public-key", f"axis={axis}", "--out", "o.jsonl")
    assert "--sign germany=FILE" in told
    told = refused(2, *desert, "--public-key", f"axis={axis}", *signs, "--out", "o.jsonl")
    assert "is not the public key of --sign germany" in told


def test_duplicate_ruleset_is_not_reported_as_missing(run: Run) -> None:
    shutil.copytree(RULED.parents[2] / "plugins" / "kampfpanzer", "two/kampfpanzer")
    result = run("verify", str(RULED.parents[1] / "disputes" / "poland.jsonl"), "--plugins-dir", "two", code=4)
    assert "ruleset broken" in result.stdout
    assert "two rulesets are called 'kampfpanzer'" in result.stderr


def test_repair_of_a_finished_game_does_not_suggest_resume(run: Run, log: str) -> None:
    with Path(log).open("ab") as file:
        file.write(b'{"kind":"annex","notes')
    told = run("log", "repair", log)
    assert (told.exit_code, "sandtable resume" in told.stderr) == (0, False)
    Path(log).write_bytes(cut_after(Path(log).read_bytes(), 5)[:-9])
    assert "sandtable resume" in run("log", "repair", log).stderr


@pytest.mark.parametrize("words", [("explain", "a.jsonl", "--at", "20"), ("log", "luck", "a.jsonl")])
def test_answer_and_verdict_use_one_run_of_the_rules(
    words: tuple[str, ...], run: Run, log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []
    new_game = Prepared.new_game

    def counted(self: Prepared, *args: Any) -> Any:
        started.append(args)
        return new_game(self, *args)

    monkeypatch.setattr(Prepared, "new_game", counted)
    run(*words, code=0)
    assert len(started) == 1
    Path(log).write_bytes(first_half(Path(log).read_bytes()))
    del started[:]
    told = run(*words)
    assert (told.exit_code, len(started)) == (0, 1)
    assert "a.jsonl: verified so far" in told.stderr
