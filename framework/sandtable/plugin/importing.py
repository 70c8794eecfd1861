"""Importing a ruleset: by its entry point, or a file or folder that was named; what it says and raises is a line."""

import contextlib
import importlib.util
import io
import sys
from importlib import machinery
from importlib.metadata import EntryPoint
from pathlib import Path
from types import CodeType, ModuleType

from sandtable.errors import RulesetError
from sandtable.quoting import plain

_FROM_FOLDERS: dict[str, ModuleType] = {}
"""Modules that came from a ``--plugins-dir``: another folder's of the same name may take their place."""


def one_line(error: BaseException) -> str:
    """Return what kind of error it is and what it says, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


def adopt(module: ModuleType) -> None:
    """Give a module that holds a ruleset put together by decorators the hooks of it, where it has none of its own.

    Raises RulesetError where it holds two.
    """
    made = {id(each): each for each in vars(module).values() if type(each).__name__ == "Authored"}
    if len(made) > 1:
        raise RulesetError(f"{module.__name__} holds two rulesets: one module, one ruleset")
    for each in made.values():
        for name, hook in each.hooks().items():
            vars(module).setdefault(name, hook)


def import_ruleset(ident: str, source: EntryPoint | Path) -> ModuleType:
    """Import a ruleset; what it prints goes to stderr, what it raises becomes one line."""
    spoken = io.StringIO()
    try:
        with contextlib.redirect_stdout(spoken):
            module = _import_path(source) if isinstance(source, Path) else source.load()
    except (Exception, SystemExit) as error:
        raise RulesetError(f"{ident} cannot be loaded: {one_line(error)}") from error
    if spoken.getvalue():
        sys.stderr.writelines(f"{plain(line)}\n" for line in spoken.getvalue().splitlines())
    if type(module).__name__ == "Authored" and not isinstance(source, Path):
        module = sys.modules[source.module]
    if not isinstance(module, ModuleType):
        raise RulesetError(f"{ident}: its entry point must name a module, not {type(module).__name__}")
    return module


def _import_path(path: Path) -> ModuleType:
    is_package = path.is_dir()
    file = path / "__init__.py" if is_package else path
    spec = importlib.util.spec_from_file_location(
        path.stem,
        file,
        loader=_FromSource(path.stem, str(file)),
        submodule_search_locations=[str(path)] if is_package else None,
    )
    assert spec is not None  # noqa: S101 - a .py file always has one
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(path.stem)
    if path.stem in sys.stdlib_module_names or (before is not None and path.stem not in _FROM_FOLDERS):
        raise ImportError(f"another module is called {path.stem} already: give the ruleset another name")
    for folder in (path, *path.rglob("*/")) if is_package else ():
        sys.path_importer_cache[str(folder)] = machinery.FileFinder(str(folder), *_LOADERS)
    sys.modules[path.stem] = module
    _FROM_FOLDERS[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[path.stem]
        raise
    return module


class _FromSource(machinery.SourceFileLoader):
    """Compiles what stands in the file now.

    Python takes kept bytecode for that of a file of the same size and second: rules that were edited in that second
    would be the old ones under the hash of the new.
    """

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the module."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


_LOADERS = (
    (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
    (_FromSource, machinery.SOURCE_SUFFIXES),
)
