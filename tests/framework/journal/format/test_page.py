"""The verifier in JavaScript computes the same dice."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.journal.record import Recorded
from sandtable.kernel.records import RollRecord


def verified(path: Path) -> tuple[int, str]:
    """Return exit code and output of the JavaScript verifier."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = Path(__file__).parents[3] / "replays" / "verify.js"
    ended = subprocess.run([node, script, path], capture_output=True, text=True, check=False)
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
