"""Importing a ruleset: from its entry point, or from a file or folder. Output and errors become single lines.

A version that is next to another one, in ``hexwar@1``, has separate modules under a different name from the one in its
files. Its imports of ``hexwar`` are therefore resolved to that name.
"""

import ast
import contextlib
import hashlib
import importlib.util
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import machinery, metadata
from importlib.metadata import EntryPoint
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from sandtable.errors import RulesetError
from sandtable.quoting import plain

_FROM_FOLDERS: dict[str, ModuleType] = {}
"""Modules from a ``--plugins-dir``: a module of the same name from another folder may replace them."""

VERSION = "@"
"""Separator between a ruleset's id and its version, in the name of an entry point or folder: ``hexwar@1``."""

Source = EntryPoint | Path
"""The location of a ruleset or a variant."""


def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of ``group``; packages are scanned once, and again after one was added or removed."""
    return tuple(_all_points(tuple((place, _changed(place)) for place in sys.path)).select(group=group))


@lru_cache(maxsize=1)
def _all_points(_places: tuple[tuple[str, int], ...]) -> Any:
    """Return the entry points of all packages, cached because finding them is slow."""
    return metadata.entry_points()


def _changed(place: str) -> int:
    """Return when the content of the folder ``place`` last changed, in nanoseconds, or 0 if it is not a folder."""
    try:
        return Path(place).stat().st_mtime_ns
    except OSError:
        return 0


def child_variables() -> dict[str, str]:
    """Return environment variables with which a new process of this Python imports from the same folders.

    Python would put the current folder, or that of the script, first on the search path of the process, and treat an
    empty entry of ``PYTHONPATH`` as the current folder. Code that is only located there must not run.
    """
    return {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(place for place in sys.path if place)}


def rulesets_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and path of each possible ruleset or variant in ``folder``: a package, or a module of one file."""
    for path in sorted(folder.iterdir()):
        name = path.name if path.is_dir() else path.name.removesuffix(".py")
        base, _, version = name.partition(VERSION)
        is_module = path.suffix == ".py" and path.is_file() and base.isidentifier() and bool(version) == (base != name)
        if is_module or (path / "__init__.py").is_file():
            yield name, path


def place_of(source: Source) -> str:
    """Return the location of ``source``, for a message."""
    if isinstance(source, Path):
        return str(source)
    return f"{source.value} of {source.dist.name if source.dist else 'an unknown distribution'}"


def only_one(sources: Iterable[Source], what: str) -> Source:
    """Return the single source; raises RulesetError with all locations if there are several."""
    first, *others = sources
    if others:
        places = " and ".join(map(place_of, (first, *others)))
        raise RulesetError(f"two {what}: {places}; remove one of them")
    return first


def one_line(error: BaseException) -> str:
    """Return the type and the message of an error in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


def adopt(module: ModuleType) -> None:
    """Add the hooks of a ruleset built by decorators to its module, except those that the module has itself.

    Raises RulesetError if the module has two such rulesets.
    """
    made = {id(each): each for each in vars(module).values() if type(each).__name__ == "Authored"}
    if len(made) > 1:
        raise RulesetError(f"{module.__name__} has two rulesets: keep one in each module")
    for each in made.values():
        for name, hook in each.hooks().items():
            vars(module).setdefault(name, hook)


def import_ruleset(ident: str, source: Source, *, apart: bool = False) -> ModuleType:
    """Import a ruleset; its output goes to stderr, and its errors become a RulesetError of one line.

    With ``apart``, one from a folder has separate modules, whatever other modules have their names.
    """
    spoken = io.StringIO()
    try:
        with contextlib.redirect_stdout(spoken):
            module = _import_path(source, apart=apart) if isinstance(source, Path) else source.load()
    except (Exception, SystemExit) as error:
        raise RulesetError(f"{ident} cannot be loaded: {one_line(error)}") from error
    if spoken.getvalue():
        sys.stderr.writelines(f"{plain(line)}\n" for line in spoken.getvalue().splitlines())
    if type(module).__name__ == "Authored" and not isinstance(source, Path):
        module = sys.modules[source.module]
    if not isinstance(module, ModuleType):
        raise RulesetError(f"{ident}: its entry point must name a module, not {type(module).__name__}")
    return module


def _import_path(path: Path, *, apart: bool) -> ModuleType:
    path = path.absolute()
    is_package = path.is_dir()
    file = path / "__init__.py" if is_package else path
    own, _, version = (path.name if is_package else path.stem).partition(VERSION)
    name = f"{own}{VERSION}{_mark_of(path)}" if version or apart else own
    spec = importlib.util.spec_from_file_location(
        name,
        file,
        loader=_FromSource(name, str(file)),
        submodule_search_locations=[str(path)] if is_package else None,
    )
    assert spec is not None  # noqa: S101 - a .py file always has one
    assert spec.loader is not None  # noqa: S101 - it was passed
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    if name in sys.stdlib_module_names or (before is not None and name not in _FROM_FOLDERS):
        raise ImportError(f"another module already has the name {name}: rename the ruleset")
    _take_over(module, before)
    for folder in (path, *path.rglob("*/")) if is_package else ():
        sys.path_importer_cache[str(folder)] = machinery.FileFinder(str(folder), *_LOADERS)
    sys.modules[name] = module
    _FROM_FOLDERS[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _take_over(module: ModuleType, before: ModuleType | None) -> None:
    """Give ``module`` the loaded modules of the package ``before`` if it is the same one, or else remove them.

    Those of a ruleset by decorators are removed as well, because they registered their parts in the previous object.
    """
    by_decorators = any(type(each).__name__ == "Authored" for each in vars(before or module).values())
    is_same = before is not None and before.__file__ == module.__file__ and VERSION not in module.__name__
    is_same = is_same and not by_decorators
    for name in [each for each in sys.modules if each.startswith(f"{module.__name__}.")]:
        if not is_same:
            del sys.modules[name]
        elif "." not in (own := name.removeprefix(f"{module.__name__}.")):
            setattr(module, own, sys.modules[name])


def _mark_of(path: Path) -> str:
    """Return a name part that distinguishes the modules of ``path`` from others; the same in every process."""
    return hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]


class _Renamed(ast.NodeTransformer):
    """Replaces a package's original name with its name here, in all imports of its files."""

    def __init__(self, name: str) -> None:
        self._new = name
        self._old = name.partition(VERSION)[0]

    def _here(self, module: str) -> str:
        own, dot, rest = module.partition(".")
        return f"{self._new}{dot}{rest}" if own == self._old else module

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.module and not node.level:
            node.module = self._here(node.module)
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        names: list[ast.alias] = []
        for each in node.names:
            here = self._here(each.name)
            names.append(ast.alias(here, each.asname))
            if here != each.name and each.asname is None:  # the import binds the package, by its old name
                names.append(ast.alias(self._new, self._old))
        node.names = names
        return node


class _FromSource(machinery.SourceFileLoader):
    """Compiles the current content of the file.

    Python accepts cached bytecode if the file has the same size and modification second. Rules that were edited within
    that second would run in their old form under the hash of the new one.
    """

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the module."""
        path = self.get_filename(fullname)
        data = self.get_data(path)
        name = fullname.partition(".")[0]
        if VERSION not in name:
            return self.source_to_code(data, path)
        tree = ast.fix_missing_locations(_Renamed(name).visit(ast.parse(data, path)))
        return compile(tree, path, "exec", dont_inherit=True)


_LOADERS = (
    (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
    (_FromSource, machinery.SOURCE_SUFFIXES),
)


def hash_of(module: ModuleType) -> str:
    """Return the SHA-256 of a module's files, or of its whole package: code and data, regardless of line ends."""
    home = Path(module.__file__ or "").parent
    total = hashlib.sha256()
    for file in files_of(module):
        name = re.sub(rf"^(\w+){VERSION}.*(\.py)$", r"\1\2", file.relative_to(home).as_posix())  # toy@1.py is toy.py
        body = hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).digest()
        total.update(name.encode() + b"\n" + body)
    return total.hexdigest()


def files_of(module: ModuleType) -> list[Path]:
    """Return the files of a module or of its package that make up the rules, sorted: code and data."""
    start = Path(module.__file__ or "")
    files = sorted(start.parent.rglob("*")) if start.name == "__init__.py" else [start]
    wanted = {".py", ".toml", ".json"}
    return [file for file in files if file.is_file() and "__pycache__" not in file.parts and file.suffix in wanted]
