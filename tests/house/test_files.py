"""Files are opened by the reader and the writer in ``sandtable.files``; other places are reviewed, with a reason."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWN = "framework/sandtable/files/"
METHODS = {"open", "read_text", "read_bytes", "write_text", "write_bytes"}
CALLS = {
    "os.fdopen",
    "io.open",
    "sqlite3.connect",
    *(f"shutil.{name}" for name in ("copy", "copy2", "copyfile", "copyfileobj", "copytree", "move")),
    *(f"tempfile.{name}" for name in ("mkstemp", "NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile")),
}
"""The calls that open, read or write a file by its name; ``os.open`` and ``Path.open`` are among the methods."""

REVIEWED = {
    "framework/sandtable/cli/game/serve.py": "an address, in the browser",
    "framework/sandtable/cli/main.py": "/dev/null, in the place of a closed stdout",
    "framework/sandtable/lab/datasets/files.py": "a handle that the writer opened",
    "framework/sandtable/lab/reports/page.py": "a file of the package itself",
    "framework/sandtable/players/processes/channel.py": "/proc of the bots that are ended",
    "framework/sandtable/players/processes/fencing.py": "folders and devices of the fence, in a script of its own",
    "framework/sandtable/players/processes/supervisor.py": "/proc and /dev, in a script that imports nothing of ours",
    "framework/sandtable/plugin/checking.py": "code of a ruleset, which is run",
    "framework/sandtable/plugin/importing.py": "code of a ruleset, which is run",
    "framework/sandtable/scaffold/writing.py": "a file of the package itself",
    "framework/sandtable/testing/checks/code/source.py": "code of a ruleset, which is run",
    "framework/sandtable/viewer/page/assets.py": "a file of the package itself",
    "framework/sandtable/web/app.py": "scripts and styles of the package itself",
}


def openings(source: str) -> Iterator[str]:
    """Yield the calls in a module that open, read or write a file, but not methods such as ``Store.open``."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in {"open", *CALLS}:
            yield name
        elif isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            owner = node.func.value
            if not (isinstance(owner, ast.Name) and owner.id[0].isupper()):
                yield name


@pytest.mark.full
def test_files_are_opened_only_in_reviewed_places() -> None:
    modules = [path for folder in ("framework", "plugins") for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(modules) > 500
    names = {path.relative_to(ROOT).as_posix(): path for path in modules}
    found = {name: list(openings(path.read_text(encoding="utf-8"))) for name, path in names.items()}
    opening = {name for name, calls in found.items() if calls and not name.startswith(OWN)}
    assert {name: found[name] for name in opening - set(REVIEWED)} == {}
    assert set(REVIEWED) - opening == set()


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("open(name)", 1),
        ("Path(name).open('x')", 1),
        ("path.read_text()", 1),
        ("(folder / name).write_bytes(data)", 1),
        ("os.open(name, flags)", 1),
        ("os.fdopen(handle)", 1),
        ("sqlite3.connect(name)", 1),
        ("shutil.copyfile(one, other)", 1),
        ("Store.open(folder)", 0),
        ("read_bytes(name)", 0),
        ("open_new(name)", 0),
        ("path.unlink()", 0),
    ],
)
def test_call_that_opens_a_file_is_found(line: str, count: int) -> None:
    assert len(list(openings(f"def act():\n    {line}\n"))) == count
