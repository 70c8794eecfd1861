"""Scenarios read from TOML files, shipped with a ruleset or written by a user, and their earlier editions.

A log names its scenario and the digest of its data, so that it can still be verified after the scenario was corrected.
Before a shipped scenario is changed, its current edition is stored next to it as ``former/<id>-<first 12 of the
digest>.json``, including the tables of its base and its files. ``sandtable ruleset archive`` does this.

A value that depends on an option is a table by the option's values:

    turns = { by_option = "calendar", short = 12, long = 13 }
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, json, structs

from sandtable.errors import DataError
from sandtable.files.document import Problems, TomlTable, decode_toml, read_toml
from sandtable.files.folders import make_folder
from sandtable.files.reading import read_file
from sandtable.files.words import quoted
from sandtable.files.writing import write_new
from sandtable.plugin.manifest import Option

_ENCODER = json.Encoder(order="deterministic")
_ID = re.compile(r"[a-z0-9_]{1,40}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Scenario(Struct, frozen=True):
    """A scenario's data as plain tables, and its identity.

    ``source`` names the file in messages, and ``digest`` is the SHA-256 of the canonical data. ``own`` marks a user's
    file, whose data go into the log so that the game can be re-run anywhere. ``files`` names, for messages, the files
    that provide whole tables. ``read`` are the paths of all files that were read for it.
    """

    id: str
    title: str
    data: dict[str, Any]
    source: str
    digest: str
    own: bool = False
    files: dict[str, str] = {}
    read: tuple[Path, ...] = ()

    def place(self, key: str) -> tuple[str, str]:
        """Return the file that contains a key of the data, and its key in that file."""
        table, _, rest = key.partition(".")
        return (self.files[table], rest) if table in self.files else (self.source, key)


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with the tables of ``over`` merged into it, key by key."""
    result = dict(base)
    for key, value in over.items():
        below = result.get(key)
        result[key] = merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result


def load_scenario(name: str, shipped: Mapping[str, Path]) -> Scenario:
    """Return the scenario ``name``: an id of ``shipped``, or the path of a user's own TOML file.

    A file may have ``base = "<shipped id>"`` in its ``[scenario]`` table; its tables are then merged over those of the
    base. With ``map = "<file>"`` there, the tables of that TOML file, in the folder of the scenario, become its table
    ``map``. ``[scenario.files]`` names such files for further tables, ``forces = "<file>"``. Raises DataError.
    """
    if name in shipped:
        return _scenario(Path(shipped[name]), shipped, own=False)
    path = Path(name)
    if path.suffix == ".toml" or _is_there(path):
        return _scenario(path, shipped, own=True)
    raise DataError(name, "", f"no such scenario: choose {', '.join(shipped)}, or the path of a .toml file")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # not a valid file name: for example, too long
        return False


def scenario_of(data: dict[str, Any], source: str, *, own: bool, files: Mapping[str, str] | None = None) -> Scenario:
    """Return the scenario of parsed tables; raises DataError if its own table is wrong."""
    table = data.get("scenario")
    if not isinstance(table, dict):
        raise DataError(source, "scenario", "the table [scenario] is missing")
    ident, title = table.get("id"), table.get("title")
    if not isinstance(ident, str) or not _ID.fullmatch(ident):
        raise DataError(source, "scenario.id", "must be 1 to 40 characters: a-z, 0-9 or _")
    if not isinstance(title, str) or not title:
        raise DataError(source, "scenario.title", "must be a text")
    try:
        digest = hashlib.sha256(_ENCODER.encode(data)).hexdigest()
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(source, "", f"contains data that a scenario cannot have: {error}") from error
    return Scenario(ident, title, data, source, digest, own, dict(files or {}))


def on_map(base: Scenario, file: str) -> Scenario:
    """Return ``base`` on the map of a user's TOML file; raises DataError if the map cannot be used.

    If the base names a map file, ``file`` replaces it. If its map is among its own tables, those of ``file`` replace
    its tables of the same names.
    """
    tables, named = _tables(Path(file)), "map" in base.files
    if "scenario" in tables:
        raise DataError(file, "scenario", "is not a table of a map: this is a scenario, so name it as one")
    if "map" not in base.data:
        raise DataError(file, "", f"the scenario {base.id} has no map that can be replaced")
    if not named and "map" not in tables:
        raise DataError(file, "map", "the table [map] is missing")
    data = base.data | ({"map": tables} if named else tables)
    files = base.files | ({"map": file} if named else {})
    whole = scenario_of(data, f"{file} on {base.source}", own=True, files=files)
    return structs.replace(whole, read=(*base.read, Path(file)))


def _scenario(path: Path, shipped: Mapping[str, Path], *, own: bool) -> Scenario:
    read: list[Path] = []
    data, files = _with_base(path, shipped, (), read)
    whole = scenario_of(data, str(path) if own else path.name, own=own, files=files)
    return structs.replace(whole, read=tuple(read))


def _with_base(
    path: Path, shipped: Mapping[str, Path], over: tuple[Path, ...], read: list[Path]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the tables of ``path``, merged over those of its base, and the files that provide whole tables.

    ``over`` are the files merged over it; all files that are read are added to ``read``.
    """
    data, files = _with_files(path, read, own=path not in map(Path, shipped.values()))
    table = data.get("scenario")
    base = table.get("base") if isinstance(table, dict) else None
    if base is None:
        return data, files
    if not isinstance(base, str) or base not in shipped:
        raise DataError(str(path), "scenario.base", f"no such scenario: choose {', '.join(shipped)}")
    below = Path(shipped[base])
    if below in (path, *over):
        raise DataError(str(path), "scenario.base", f"{base} already has this file as its base: remove the cycle")
    under, under_files = _with_base(below, shipped, (path, *over), read)
    for name in files:
        under.pop(name, None)  # replace the whole map, rather than merge it
    whole = merged(under, data)
    del whole["scenario"]["base"]
    return whole, {name: file for name, file in under_files.items() if name not in data} | files


def _with_files(path: Path, read: list[Path], *, own: bool) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the tables of ``path``, with those of the files that it names, and these files by table."""
    tables = _tables if own else _shipped_tables
    data = tables(path)
    read.append(path)
    table = data.get("scenario")
    files = _take_files(table, path) if isinstance(table, dict) else {}
    for name, (key, file) in files.items():
        if not isinstance(file, str) or not file.endswith(".toml"):
            raise DataError(str(path), key, "must name a .toml file, relative to this file")
        if own and not _is_below(path.parent, file):
            problem = f"{quoted(file)} is outside the folder of this file: its data go into logs, so move it there"
            raise DataError(str(path), key, problem)
        if name in data:
            raise DataError(str(path), key, f"there is also a table [{name}]: remove one of the two")
        data[name] = tables(path.parent / file)
        read.append(path.parent / file)
    return data, {name: str(path.parent / file) if own else file for name, (_, file) in files.items()}


def _is_below(folder: Path, file: str) -> bool:
    """Return whether ``file`` is in ``folder`` or below it, after links are resolved."""
    try:
        return (folder / file).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # a null character or a cycle of links: reading will fail as well
        return True


def _tables(path: Path) -> dict[str, Any]:
    return decode_toml(read_toml(path), str(path))


def _shipped_tables(path: Path) -> dict[str, Any]:
    """Return a copy of the tables of a shipped file; only these are cached, because a user's file may be large."""
    return deepcopy(_decoded(read_toml(path), str(path)))


_decoded = lru_cache(maxsize=32)(decode_toml)


def _take_files(table: dict[str, Any], path: Path) -> dict[str, tuple[str, Any]]:
    """Remove the files from the table ``scenario``; return by provided table its key there and the file name."""
    files = {"map": ("scenario.map", table.pop("map"))} if "map" in table else {}
    named = table.pop("files", {})
    if not isinstance(named, dict):
        raise DataError(str(path), "scenario.files", 'must be a table, such as files = { forces = "forces.toml" }')
    for name, file in named.items():
        key = f"scenario.files.{name}"
        if not _ID.fullmatch(name):
            raise DataError(str(path), "scenario.files", "names of tables must be 1 to 40 characters: a-z, 0-9 or _")
        if name in files:
            raise DataError(str(path), key, "scenario.map already names the map: remove one of the two")
        files[name] = (key, file)
    return files


FOLDER = "former"


def archived_scenario(name: str, digest: str, shipped: Iterable[Path]) -> Scenario | None:
    """Return the edition of the scenario ``name`` with ``digest`` from a folder next to the ``shipped`` files, or None.

    Both values come from a log and form a file name, so a malformed id or digest returns None. Raises DataError if the
    content of the file does not match its name.
    """
    if not (_ID.fullmatch(name) and _DIGEST.fullmatch(digest)):
        return None
    for folder in sorted({Path(path).parent / FOLDER for path in shipped}):
        file = folder / _file_name(name, digest)
        if file.is_file():
            return _read_edition(file, digest)
    return None


def keep_edition(scenario: Scenario, folder: Path) -> Path:
    """Write the current ``scenario`` into ``folder``, and return the file; raises LogExists if it already exists."""
    file = folder / _file_name(scenario.id, scenario.digest)
    make_folder(folder)
    write_new(file, json.format(json.encode(scenario.data, order="deterministic"), indent=1) + b"\n")
    return file


def _file_name(name: str, digest: str) -> str:
    return f"{name}-{digest[:12]}.json"


_MAX_EDITION = 16 << 20
"""Maximum number of bytes of an earlier edition, which contains all files of a scenario."""


def _read_edition(file: Path, digest: str) -> Scenario:
    where = f"{FOLDER}/{file.name}"
    try:
        data = json.decode(read_file(file, _MAX_EDITION), type=dict)
    except (DecodeError, UnicodeError, RecursionError) as error:
        raise DataError(where, "", f"cannot be read: {error}") from error
    scenario = scenario_of(data, where, own=False)
    if scenario.digest != digest:
        raise DataError(
            where, "", f"has the digest {scenario.digest}, not {digest}: an earlier edition must not be edited"
        )
    return scenario


def chosen(value: Any, key: str, options: Mapping[str, str], problems: Problems, known: Sequence[Option] = ()) -> Any:
    """Return a value with every table that depends on an option replaced with the value for that option.

    ``key`` is the key of the value in its file. An unknown option, or a token without a value, is noted and replaced
    with None. A token that an option of ``known`` does not have is noted as well.
    """
    if isinstance(value, list):
        return [chosen(each, f"{key}[{place}]", options, problems, known) for place, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    table = TomlTable(problems, key, value)
    if "by_option" not in value:
        return {name: chosen(each, table.key_of(name), options, problems, known) for name, each in value.items()}
    name = table.get(str, "by_option")
    if name not in options:
        table.refuse("by_option", f"is {quoted(name)}, which is not an option of the game")
        return None
    for option in known:
        for word in value if option.name == name else ():
            if word != "by_option" and not option.allows(word):
                table.refuse(word, f"is not a value of {name}; it has {', '.join(option.values)}")
    if options[name] not in value:
        table.refuse("by_option", f"has no value for {name} = {options[name]}; add {options[name]} = ..")
        return None
    return chosen(value[options[name]], table.key_of(options[name]), options, problems, known)
