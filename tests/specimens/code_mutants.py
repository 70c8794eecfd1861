"""Mutants of modules by the operators of Cosmic Ray: a changed comparison, number or word."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

LEFT_OUT = ("BitOr", "VariableInserter", "VariableReplacer", "ExceptionReplacer", "_Is", "Is_", "IsNot")
"""Excluded operators: they change annotations (``int | None``), are unrealistic, or fail type checks."""

DECLARED = ("frozen=", "compare=", "repr=", "kw_only=", "strict=", "*, ", "@cache", "@lru_cache")
"""Lines with these words stay unchanged: they affect type checks, printed forms, assertions or speed, and no game."""

OPERATORS = [name for name in operator_names() if not any(word in name for word in LEFT_OUT)]


class CodeMutant(NamedTuple):
    """A module in which an operator changed one place.

    ``line`` is the first line that differs, ``code`` the whole module.
    """

    module: Path
    operator: str
    line: int
    was: str
    now: str
    code: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.operator}: `{self.was.strip()}` became `{self.now.strip()}`"


def mutants_among(modules: list[Path], rng: Random, wanted: int) -> Iterator[CodeMutant]:
    """Yield ``wanted`` mutants of ``modules``.

    A module is drawn by its length, then an operator that applies to it, then a place.
    """
    sizes = [len(module.read_bytes()) for module in modules]
    while wanted:
        (module,) = rng.choices(modules, sizes)
        source = module.read_text(encoding="utf-8")
        places = _places(source)
        if not places:
            continue
        kind = rng.choice(sorted({name.split("_")[0] for name in places}))
        name = rng.choice([each for each in places if each.split("_")[0] == kind])
        code = mutate_code(source, get_operator(name)(), rng.randrange(places[name]))
        if code is None:
            continue
        pairs = zip(source.splitlines(), code.splitlines(), strict=False)
        line, (was, now) = next((number, pair) for number, pair in enumerate(pairs, start=1) if pair[0] != pair[1])
        left = set(code.splitlines())
        gone = [each for each in source.splitlines() if each not in left]
        if any(word in each for each in (was, *gone) for word in DECLARED):
            continue
        wanted -= 1
        yield CodeMutant(module, name.removeprefix("core/"), line, was, now, code)


def transplanted(mutant: CodeMutant, modules: list[Path]) -> CodeMutant | None:
    """Return ``mutant`` in the module among ``modules`` that corresponds to its own, or None if its lines have changed.

    The module is the one with the same path from its package on, or else the one with the most text in common.
    """
    source = mutant.module.read_text(encoding="utf-8").splitlines(keepends=True)
    tail = mutant.module.parts[-2:]
    here = max(modules, key=lambda module: (module.parts[-2:] == tail, _in_common(source, module)), default=None)
    if here is None:
        return None
    lines = here.read_text(encoding="utf-8").splitlines(keepends=True)
    blocks = SequenceMatcher(None, source, lines, autojunk=False).get_matching_blocks()
    moved = {block.a + at: block.b + at for block in blocks for at in range(block.size)}
    mutated = mutant.code.splitlines(keepends=True)
    changes = SequenceMatcher(None, source, mutated, autojunk=False).get_opcodes()
    for kind, first, last, new_first, new_last in reversed(changes):
        if kind == "equal":
            continue
        places = [moved.get(at) for at in range(first, last)] or [moved.get(first)]
        start = places[0]
        if start is None or places != list(range(start, start + len(places))):
            return None
        lines[start : start + last - first] = mutated[new_first:new_last]
    line = next(at for kind, at, *_ in changes if kind != "equal")
    return mutant._replace(module=here, line=moved[line] + 1, code="".join(lines))


def _in_common(source: list[str], module: Path) -> int:
    return len(set(source) & set(module.read_text(encoding="utf-8").splitlines(keepends=True)))


@cache
def _places(source: str) -> dict[str, int]:
    """Return the number of places for each operator that has any. The result is cached by source."""
    nodes = list(ast_nodes(get_ast(source)))
    operators = {name: get_operator(name)() for name in OPERATORS}
    found = {name: sum(1 for node in nodes for _ in each.mutation_positions(node)) for name, each in operators.items()}
    return {name: count for name, count in found.items() if count}
