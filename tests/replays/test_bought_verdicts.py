"""Forged games of every ruleset: withholding the disproof never yields a verdict of exit status 0.

The forger can compute hashes: chain, commitments and game id fit in every file here.
"""

from pathlib import Path
from random import Random

import pytest
from changes import dice_raised, other_winner
from click.testing import CliRunner
from forger import KINDS, Forged, bought, case, judged
from format_proofs import unproven
from honest_logs import (
    MODES,
    PARTS,
    SCENARIOS,
    File,
    Kind,
    as_slice,
    branched,
    file_of,
    game_of,
    played,
    prepared_for,
    unfinished,
)
from rechained import rechained, tables_of
from removals import openings_of, without_key, without_openings

from sandtable.cli.main import cli
from sandtable.journal.file.reading import parse_log
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verdicts import Verdict
from sandtable.kernel.decisions import UMPIRE

CASES = 100
"""Number of forged files of each ruleset."""
KINDS_OF_GAMES = 8
KEYED = ("open", "host")
NO_KEY = "the dice key"

pytestmark = [pytest.mark.full, pytest.mark.parametrize("ruleset", SCENARIOS)]


def kind_of(verdict: Verdict) -> str:
    """Return the class of a false verdict."""
    assert (verdict.verdict, verdict.exit_code) == ("false", 1), verdict.text
    assert verdict.first_difference is not None
    return verdict.first_difference.kind


@pytest.mark.parametrize("mode", MODES)
def test_complete_game_is_verified_with_nothing_missing(ruleset: str, mode: str) -> None:
    verdict = judged(played(ruleset, mode))
    assert (verdict.verdict, verdict.missing, verdict.pending, verdict.rulings) == ("verified", (), (), ())
    assert ("umpire typed" in verdict.note) == (mode == "manual")
    assert unproven(played(ruleset, mode)) == []


@pytest.mark.parametrize("mode", MODES)
def test_finished_game_without_its_key_is_not_proven(ruleset: str, mode: str) -> None:
    verdict = judged(rechained(without_key(tables_of(played(ruleset, mode)))))
    assert (verdict.verdict, verdict.exit_code) == ("not proven", 5), verdict.text
    assert any("key" in item for item in verdict.missing)


@pytest.mark.parametrize("mode", KEYED)
def test_branch_with_a_set_die_is_not_verified_as_a_game(ruleset: str, mode: str) -> None:
    lines = tables_of(branched(ruleset, mode))
    assert judged(rechained(lines)).note.startswith("a branch of the game ")
    head = {name: value for name, value in lines[0].items() if name not in {"parent", "dice_set"}}
    bare = [head, *lines[1:]]
    assert kind_of(judged(rechained(bare))) == "altered dice"
    hidden = without_key(bare)
    assert judged(rechained(hidden)).exit_code == 5
    hidden[0] = {**hidden[0], "commitment": "12" * 32}
    verdict = judged(rechained(hidden))
    assert (verdict.verdict, verdict.exit_code) == ("not proven", 5), verdict.text
    alone = [{name: value for name, value in lines[0].items() if name != "parent"}, *lines[1:]]
    assert kind_of(judged(rechained(alone))) == "altered record"


@pytest.mark.parametrize("mode", MODES)
def test_raised_dice_and_another_winner_are_false_without_opening(ruleset: str, mode: str) -> None:
    lines = other_winner(dice_raised(tables_of(played(ruleset, mode))))
    kept = [key for key in openings_of(lines) if key[0] not in {0, len(lines) - 1}]
    for gone in ({kept[0]}, {kept[-1]}, set(kept)):
        assert kind_of(judged(rechained(without_openings(lines, gone)))) in {"altered dice", "rules diverge"}


@pytest.mark.parametrize("mode", KEYED)
def test_altered_die_after_a_closed_order_is_false_by_the_key(ruleset: str, mode: str) -> None:
    lines = tables_of(played(ruleset, mode))
    orders = [key for key in openings_of(lines) if lines[key[0]]["kind"] == "order"]
    gone = set(orders) or set(openings_of(lines)[1:-1])
    rolls = [place for place, line in enumerate(lines) if line.get("dice") and line["kind"] == "roll"]
    last = lines[rolls[-1]]
    lines[rolls[-1]] = {**last, "dice": [last["dice"][0] % last["sides"] + 1, *last["dice"][1:]]}
    verdict = judged(rechained(without_openings(lines, gone)))
    assert kind_of(verdict) == "altered dice"
    assert verdict.first_difference is not None
    assert verdict.first_difference.record == rolls[-1]


@pytest.mark.parametrize("mode", MODES)
def test_rulings_and_endings_by_people_are_named(ruleset: str, mode: str) -> None:
    data = game_of(Kind(ruleset, mode, "ruled", "nobody"))
    verdict = judged(data)
    made = [place for place, line in enumerate(tables_of(data)) if line["kind"] in ("ruling", "end")]
    assert len(made) == 4
    for number, text in zip(made, (*verdict.rulings, verdict.ended), strict=True):
        assert text.startswith(f"record {number} by umpire, unsigned: ")
        assert text in verdict.text
    assert verdict.verdict == "verified"


@pytest.mark.parametrize("mode", MODES)
def test_ruling_by_a_player_or_an_unknown_rule_is_false(ruleset: str, mode: str) -> None:
    lines = tables_of(game_of(Kind(ruleset, mode, "ruled", "nobody")))
    number = next(place for place, line in enumerate(lines) if line["kind"] == "ruling")
    side = prepared_for(ruleset).ruleset.viewers[0]
    for field, value in (("by", side), ("by", "arbiter"), ("rule", "NO-1")):
        ruled = {
            "kind": "ruling",
            **{name: each for name, each in lines[number].items() if name != "kind"},
            field: value,
        }
        for forged in ([*lines[:number], ruled, *lines[number + 1 :]], [*lines[:number], ruled]):
            verdict = judged(rechained(forged))
            assert kind_of(verdict) == "ruling"
            assert verdict.first_difference is not None
            assert verdict.first_difference.record == number


@pytest.mark.parametrize("mode", MODES)
def test_forged_ending_by_people_is_false(ruleset: str, mode: str) -> None:
    lines = tables_of(game_of(Kind(ruleset, mode, "ruled", "nobody")))
    number = next(place for place, line in enumerate(lines) if line["kind"] == "end")
    side, other = prepared_for(ruleset).ruleset.viewers[:2]
    for change in ({"by": side}, {"how": "resignation"}, {"how": "agreed_draw"}, {"outcome": "nobody"}, {"reason": ""}):
        ended = {**lines[number], **change}
        for forged in ([*lines[:number], ended, *lines[number + 1 :]], [*lines[:number], ended]):
            verdict = judged(rechained(forged))
            assert kind_of(verdict) == "ruling"
            assert verdict.first_difference is not None
            assert verdict.first_difference.record == number
    winner = judged(rechained([*lines[:number], {**lines[number], "outcome": other}, *lines[number + 1 :]]))
    assert kind_of(winner) == "rules diverge"


@pytest.mark.parametrize("mode", KEYED)
def test_one_changed_die_without_the_key_is_not_verified(ruleset: str, mode: str) -> None:
    lines = tables_of(played(ruleset, mode))
    rolls = [place for place, line in enumerate(lines) if line["kind"] == "roll" and "dice" in line][:6]
    for place in rolls:
        line = lines[place]
        die = {**line, "dice": [line["dice"][0] % line["sides"] + 1, *line["dice"][1:]]}
        verdict = judged(rechained(without_key([*lines[:place], die, *lines[place + 1 :]])))
        assert verdict.exit_code in {1, 5}, verdict.text


@pytest.mark.parametrize("mode", KEYED)
def test_another_game_under_the_same_commitment_is_not_proven(ruleset: str, mode: str) -> None:
    """A keeper rolls until the dice are favorable, and withholds what shows that the key differs."""
    for seed in ("luck 1", "luck 2"):
        data = played(ruleset, mode, seed, "forged")
        assert tables_of(data)[0]["commitment"] == tables_of(played(ruleset, mode))[0]["commitment"]
        verdict = judged(data)
        assert verdict.verdict == "false", verdict.text
        hidden = rechained(without_key(tables_of(data)))
        verdict = judged(hidden)
        assert (verdict.verdict, verdict.exit_code) == ("not proven", 5), verdict.text


@pytest.mark.parametrize("mode", KEYED)
def test_joined_slices_under_the_same_commitment_are_not_proven(ruleset: str, mode: str, tmp_path: Path) -> None:
    data = played(ruleset, mode, "luck 1", "forged")
    names = []
    for side in prepared_for(ruleset).ruleset.viewers:
        names.append(str(tmp_path / f"{side}.jsonl"))
        part = slice_log(parse_log(data, "game"), prepared_for(ruleset), side)
        Path(names[-1]).write_bytes(rechained(without_key(tables_of(part))))
        assert judged(Path(names[-1]).read_bytes()).exit_code == 5
        verdict = judged(Path(names[-1]).read_bytes(), side)
        assert (verdict.verdict, verdict.exit_code) == ("verified so far", 0), verdict.text
        assert any("key" in item for item in verdict.pending)
    result = CliRunner().invoke(cli, ["log", "join", *names, "--out", str(tmp_path / "joined.jsonl")])
    assert result.exit_code == 5
    assert "not proven" in result.stdout
    assert NO_KEY in result.stderr


@pytest.mark.parametrize("mode", MODES)
def test_slice_lacks_only_proofs_that_it_may_lack(ruleset: str, mode: str) -> None:
    prepared = prepared_for(ruleset)
    for side in (*prepared.ruleset.viewers, "public"):
        lines = tables_of(as_slice(played(ruleset, mode), side))
        verdict = judged(rechained(lines), side)
        assert (verdict.verdict, verdict.missing) == ("verified so far", ()), verdict.text
        shown = [key for key in openings_of(lines) if key[1] == UMPIRE or (key[0], UMPIRE) not in openings_of(lines)]
        for key in shown[:4]:
            verdict = judged(rechained(without_openings(lines, {key})), side)
            assert (verdict.verdict, verdict.exit_code) == ("not proven", 5), verdict.text
            assert any(str(key[0]) in item for item in verdict.missing)


@pytest.mark.parametrize("mode", MODES)
def test_altered_opening_is_false_and_named(ruleset: str, mode: str) -> None:
    side = prepared_for(ruleset).ruleset.viewers[0]
    for data in (played(ruleset, mode), as_slice(played(ruleset, mode), side)):
        for place, to in openings_of(tables_of(data))[:5]:
            line = next(
                each
                for each in data.splitlines()
                if each.startswith(b'{"kind":"opening","n":%d,"to":"%b"' % (place, to.encode()))
            )
            at = line.index(b'"salt":"') + 8
            forged = line[:at] + (b"0" if line[at : at + 1] != b"0" else b"1") + line[at + 1 :]
            for judge_as in ("", side):
                verdict = judged(data.replace(line, forged), judge_as)
                assert kind_of(verdict) == "altered record"
                assert verdict.first_difference is not None
                assert (verdict.first_difference.record, verdict.first_difference.field) == (place, f"opening for {to}")


@pytest.mark.parametrize("mode", MODES)
def test_unfinished_game_is_verified_so_far_for_its_keeper(ruleset: str, mode: str) -> None:
    for share in (0.2, 0.6):
        data = unfinished(played(ruleset, mode), share)
        verdict = judged(data)
        assert (verdict.verdict, verdict.missing) == ("verified so far", ()), verdict.text
        assert bool(verdict.pending) == (mode != "open")
        lines = tables_of(data)
        for key in openings_of(lines)[:3]:
            assert judged(rechained(without_openings(lines, {key}))).exit_code == 5
        bare = rechained(without_openings(lines, set(openings_of(lines))))
        assert judged(bare).exit_code == (5 if openings_of(lines) else 0)


@pytest.mark.parametrize("part", PARTS)
def test_honest_part_of_every_kind_of_game_gets_its_verdict(ruleset: str, part: str) -> None:
    expected = {"whole": "verified", "joined": "not proven"}.get(part, "verified so far")
    rng = Random(f"{ruleset}/{part}")  # noqa: S311 - a test repeats itself
    for kind in rng.sample([each for each in KINDS if each.ruleset == ruleset], KINDS_OF_GAMES):
        file = file_of(kind, part, rng)
        verdict = judged(*file)
        assert verdict.verdict == expected or _is_empty(file), f"{kind}, {part}: {verdict.text}"
        assert bought(Forged("", file.data), file, verdict) == "", kind


def _is_empty(file: File) -> bool:
    """Return whether nothing in the merged slices of a game is closed: all its records are public."""
    return unproven(file.data) == []


def test_removed_proofs_and_changes_never_exit_0(ruleset: str) -> None:
    """A small part of the campaign in ``campaign/test_bought_verdicts.py``."""
    kinds = [each for each in KINDS if each.ruleset == ruleset]
    assert [each for each in (case(number, ruleset, kinds) for number in range(CASES)) if each[1]] == []
