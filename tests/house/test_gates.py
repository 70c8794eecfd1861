"""The gates: lint, format, types and import floors, as anybody's machine runs them."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]
GATES = {
    "ruff check": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "import floors": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
}


@pytest.mark.parametrize("gate", GATES)
def test_gate(gate: str) -> None:
    done = subprocess.run([sys.executable, *GATES[gate]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
