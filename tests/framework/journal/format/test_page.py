"""The verifier in JavaScript computes the same dice, running hashes and roots."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.journal.anchors.anchors import anchor_line, anchor_of
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.openings import OPENING
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Prepared


def verified(*paths: Path) -> tuple[int, str]:
    """Return exit code and output of the JavaScript verifier."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = Path(__file__).parents[3] / "replays" / "verify.js"
    ended = subprocess.run([node, script, *paths], capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host"])
def test_javascript_verifier_computes_the_same_dice(mode: str, record: Callable[..., Recorded], tmp_path: Path) -> None:
    recorded, path = record(ruleset="toy", mode=mode), tmp_path / "log.jsonl"
    rolls = [each for each in recorded.game.records if isinstance(each, RollRecord)]
    path.write_bytes(recorded.data)
    code, output = verified(path)
    assert code == 0, output
    assert f"0 closed; dice: {len(rolls)} of {len(rolls)} rolls verified" in output
    first = rolls[0]
    line = f'"label":"{first.label}","sides":{first.sides},"dice":[{first.dice[0]}'
    path.write_text(recorded.data.decode().replace(line, line[:-1] + str(first.dice[0] % first.sides + 1)))
    code, output = verified(path)
    assert code == 1
    assert f"record {first.n}" in output


@pytest.mark.full
def test_javascript_verifier_needs_no_salts(salted: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(salted)
    code, output = verified(tmp_path / "log.jsonl")
    assert code == 0
    assert "dice: " in output


@pytest.mark.full
def test_javascript_verifier_computes_the_hash_after_any_record(salted: bytes, tmp_path: Path) -> None:
    log, path, seals = parse_log(salted, "log"), tmp_path / "log.jsonl", tmp_path / "seals"
    path.write_bytes(salted)
    anchors = [anchor_line(anchor_of(log, number)) for number in range(log.records + 1)]
    assert len(set(log.lines)) > sum(b'"hash":"' in line for line in set(log.lines))
    seals.write_bytes(b"".join(anchors))
    code, output = verified(path, seals)
    assert code == 0, output
    other = anchor_of(log, 2).head.encode()
    seals.write_bytes(anchors[1].replace(anchor_of(log, 1).head.encode(), other))
    assert verified(path, seals)[0] == 1


@pytest.mark.full
def test_javascript_verifier_refuses_any_altered_opening(salted: bytes, toy: Prepared, tmp_path: Path) -> None:
    path = tmp_path / "slice.jsonl"
    data = slice_log(parse_log(salted, "log"), toy, toy.ruleset.viewers[0])
    path.write_bytes(data)
    assert verified(path)[0] == 0
    lines = data.splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if line.startswith(OPENING)]
    assert any(b'"records"' not in lines[place] and b'"part"' not in lines[place] for place in places)
    for place in places:
        digit = lines[place].index(b'"salt":"') + len(b'"salt":"')
        other = b"1" if lines[place][digit : digit + 1] == b"0" else b"0"
        altered = lines[place][:digit] + other + lines[place][digit + 1 :]
        path.write_bytes(b"".join([*lines[:place], altered, *lines[place + 1 :]]))
        code, output = verified(path)
        assert code == 1
        assert "is not what the chain commits to" in output
