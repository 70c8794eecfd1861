"""The scripts of a replay page, run by node."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sandtable.viewer.page import assets

SCRIPTS = Path(assets.__file__).parent / "scripts"


def script_folder(folder: Path, ask: str) -> Path:
    """Fill ``folder`` with the scripts as modules that node can import, and with ``ask``; skip without node."""
    if shutil.which("node") is None:
        pytest.skip("no node here")
    shutil.copytree(SCRIPTS, folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type":"module"}', encoding="utf-8")
    (folder / "ask.js").write_text(ask, encoding="utf-8")
    return folder


def ask_scripts(folder: Path, data: bytes, *arguments: str) -> dict[str, Any]:
    """Return the output of the folder's ``ask`` for a page with the log ``data``."""
    (folder / "log.jsonl").write_bytes(data)
    node = shutil.which("node")
    assert node is not None
    asked = [node, "ask.js", "log.jsonl", *arguments]
    told = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=folder)
    found: dict[str, Any] = json.loads(told.stdout)
    return found
