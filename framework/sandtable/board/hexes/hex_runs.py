"""Hexes, hexsides and ways in the lists of a map file: texts of printed numbers, checked word by word."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import lattice_of
from sandtable.errors import DataError
from sandtable.files.document import TomlTable
from sandtable.files.words import quoted

Note: TypeAlias = Callable[[str], None]
"""Records a problem of the current text."""

Spelling: TypeAlias = Callable[[str, Note], Iterable[str]]
"""A function that converts one word into entries, "0404" or "0404/0405", and notes problems with it."""


class HexRuns:
    """The entries of one table, or of several tables that share their kinds, on a grid; each entry once in a kind.

    The three ``read_`` methods note problems in the problems of the table.
    """

    def __init__(self, grid: HexGrid) -> None:
        self._grid = grid
        self._lattice = lattice_of(grid)
        self._keys: dict[tuple[str, str], str] = {}

    def read_hexes(self, table: TomlTable, known: Sequence[str] | None) -> None:
        """Read a table of hexes, and of ranges along one rank, such as 0601-0605; ``known`` kinds only, None: any."""
        self._read(table, known, str.split, self._hexes)

    def read_hexsides(self, table: TomlTable, known: Sequence[str]) -> None:
        """Read a table of hexsides, such as 0404/0405; the two numbers may come in either order."""
        self._read(table, known, str.split, self._hexside)

    def read_ways(self, table: TomlTable, known: Sequence[str]) -> None:
        """Read a table of ways: each text is a chain of adjacent hexes, and each step of it is a hexside entry."""
        self._read(table, known, lambda text: [text], self._steps)

    def by_entry(self) -> dict[str, tuple[str, ...]]:
        """Return the kinds of each entry, ``{"0404": ("slope", "woods")}``, all sorted."""
        found: dict[str, list[str]] = {}
        for entry, kind in sorted((entry, kind) for kind, entry in self._keys):
            found.setdefault(entry, []).append(kind)
        return {entry: tuple(kinds) for entry, kinds in found.items()}

    def by_kind(self) -> dict[str, tuple[str, ...]]:
        """Return the entries of each kind, ``{"Town 1": ("2138", "2139")}``, all sorted."""
        found: dict[str, list[str]] = {}
        for kind, entry in sorted(self._keys):
            found.setdefault(kind, []).append(entry)
        return {kind: tuple(entries) for kind, entries in found.items()}

    def _read(
        self, table: TomlTable, known: Sequence[str] | None, words: Callable[[str], list[str]], spelling: Spelling
    ) -> None:
        for kind in table.values:
            if known is not None and kind not in known:
                table.refuse(kind, f"is unknown here; correct or remove it, known are: {_listed(known)}")
                continue
            for position, text in enumerate(table.get(list, kind)):
                key = f"{table.key_of(kind)}[{position}]"
                if not table.problems.is_a(str, key, text):
                    continue
                note = _noting(table, key)
                if not text.strip():
                    note("is blank; write hex numbers, or remove it")
                    continue
                for word in words(text):
                    self._mark(kind, spelling(word, note), key, note)

    def _mark(self, kind: str, entries: Iterable[str], key: str, note: Note) -> None:
        """Store the entries of one word, up to the first that is already listed."""
        for entry in entries:
            if (kind, entry) in self._keys:
                note(f"{entry} is already listed in {self._keys[kind, entry]}; remove one of them")
                return
            self._keys[kind, entry] = key

    def _hexes(self, word: str, note: Note) -> Sequence[str]:
        first, dash, last = word.partition("-")
        ends = (first, last) if dash else (first,)
        if dash and (first[:2] != last[:2] or first > last):
            rank = "column" if self._grid.layout == "columns" else "row"
            note(f"{quoted(word)} is not a range; give two hexes of one {rank}, lower number first, such as 0601-0605")
            return ()
        if not self._are_hexes(ends, note):
            return ()
        index = self._lattice.index
        return self._lattice.numbers[index[first] : index[ends[-1]] + 1]

    def _hexside(self, word: str, note: Note) -> Iterator[str]:
        ends = word.split("/")
        if len(ends) != 2:
            note(f"{quoted(word)} is not a hexside; give the numbers of two adjacent hexes, such as 0404/0405")
        elif self._are_hexes(ends, note):
            yield from self._step(ends[0], ends[1], note)

    def _steps(self, text: str, note: Note) -> Iterator[str]:
        numbers = text.split()
        if len(numbers) == 1:
            note(f"{quoted(numbers[0])} alone is not a way; give at least two hexes, each adjacent to the previous one")
        on_map = [self._is_hex(number, note) for number in numbers]
        for (first, here), (second, there) in pairwise(zip(numbers, on_map, strict=True)):
            if here and there:
                yield from self._step(first, second, note)

    def _step(self, first: str, second: str, note: Note) -> Iterator[str]:
        if second in self._lattice.around[first]:
            yield f"{min(first, second)}/{max(first, second)}"
        else:
            note(f"{first} and {second} do not share a hexside; give two adjacent hexes")

    def _are_hexes(self, numbers: Iterable[str], note: Note) -> bool:
        """Return whether all hexes are on the map, and note each that is not."""
        on_map = [self._is_hex(number, note) for number in numbers]
        return all(on_map)

    def _is_hex(self, number: str, note: Note) -> bool:
        """Return whether the hex is on the map, and note the reason if not."""
        if number in self._lattice.index:
            return True
        try:
            self._grid.hex_at(number)
        except DataError as error:
            note(f"{error.key} {error.problem}")
        return False


def _noting(table: TomlTable, key: str) -> Note:
    return lambda problem: table.problems.refuse(key, problem)


def _listed(known: Sequence[str]) -> str:
    return ", ".join(known) or "none at all"
