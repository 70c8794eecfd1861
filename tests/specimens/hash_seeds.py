"""One script in processes with different hash seeds: its output must not depend on the order of a set."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = (ROOT / "framework", ROOT / "plugins", ROOT / "tests" / "specimens")
SEEDS = ("1", "2")


def outputs(script: str, beside: str) -> set[bytes]:
    """Return the outputs of ``script`` under each hash seed. It may import modules from the folder of ``beside``."""
    paths = os.pathsep.join(str(each) for each in (*PACKAGES, Path(beside).parent))
    return {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONPATH": paths, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in SEEDS
    }
