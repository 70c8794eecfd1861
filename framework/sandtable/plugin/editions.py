"""Former editions of shipped scenarios, so that a log verifies after its module was mended.

A log names its scenario and the digest of its data. Before a shipped scenario is changed, what it was is written beside
it, as ``former/<id>-<first 12 of the digest>.json``: its tables whole, those of its base and its files included.
``sandtable rulesets keep`` does so.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import DecodeError, json

from sandtable.errors import DataError
from sandtable.files.writing import make_folder, write_new
from sandtable.plugin.scenarios import Scenario, scenario_of

FOLDER = "former"


def former_edition(name: str, digest: str, shipped: Iterable[Path]) -> Scenario | None:
    """Return the scenario ``name`` as it was with ``digest``, from a folder beside the ``shipped`` files; else None.

    Raises DataError for a file that holds something else than its name says.
    """
    for folder in sorted({Path(path).parent / FOLDER for path in shipped}):
        file = folder / _file_name(name, digest)
        if file.is_file():
            return _read(file, digest)
    return None


def keep_edition(scenario: Scenario, folder: Path) -> Path:
    """Write ``scenario`` as it is into ``folder``, and return the file; raises LogExists where it is there already."""
    file = folder / _file_name(scenario.id, scenario.digest)
    make_folder(folder)
    write_new(file, json.format(json.encode(scenario.data, order="deterministic"), indent=1) + b"\n")
    return file


def _file_name(name: str, digest: str) -> str:
    return f"{name}-{digest[:12]}.json"


def _read(file: Path, digest: str) -> Scenario:
    where = f"{FOLDER}/{file.name}"
    try:
        data = json.decode(file.read_bytes(), type=dict)
    except (OSError, DecodeError, UnicodeError, RecursionError) as error:
        raise DataError(where, "", f"cannot be read: {error}") from error
    scenario = scenario_of(data, where, own=False)
    if scenario.digest != digest:
        raise DataError(
            where, "", f"has the digest {scenario.digest}, wanted is {digest}: a former edition is not edited"
        )
    return scenario
