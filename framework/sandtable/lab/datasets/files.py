"""Files of decision tables: Parquet, CSV or JSON Lines, written row by row."""

import csv
import io
import os
from abc import abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import msgspec

from sandtable.errors import LogWriteFailed, PlayError
from sandtable.files.folders import sync_folder
from sandtable.files.handles import remove_own, sync
from sandtable.files.writing import open_new
from sandtable.lab.datasets.decisions import DecisionRow
from sandtable.lab.reports.export import guarded

GROUP = 20_000
"""Number of rows in a group of a Parquet file, which a reader loads at once."""


class DecisionsFile:
    """A new file of rows, to be used in a ``with``. It is removed if writing fails."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows = 0
        self.out: BinaryIO = os.fdopen(open_new(path), "wb")

    def put(self, rows: list[DecisionRow]) -> None:
        """Write ``rows``. Raises LogWriteFailed."""
        self.rows += len(rows)
        self.write(rows)

    @abstractmethod
    def write(self, rows: list[DecisionRow]) -> None:
        """Append ``rows``."""

    def finish(self) -> None:
        """Write the end of a file of this kind, if it has one."""

    def __enter__(self) -> Self:
        """Return this file."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish the file, or remove it if something failed."""
        try:
            if kind is None:
                self.finish()
                self.out.flush()
                sync(self.out.fileno())
                sync_folder(self.path)
        except OSError as failure:
            kind = type(failure)
            raise LogWriteFailed(f"{self.path}: {failure.strerror}") from failure
        finally:
            if kind is not None:
                remove_own(self.out.fileno(), self.path)
            self.out.close()


class _Lines(DecisionsFile):
    def write(self, rows: list[DecisionRow]) -> None:
        self.out.write(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


class _Csv(DecisionsFile):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._put_lines([list(DecisionRow.__struct_fields__)])

    def write(self, rows: list[DecisionRow]) -> None:
        self._put_lines([[guarded(cell) for cell in msgspec.structs.astuple(row)] for row in rows])

    def _put_lines(self, lines: list[list[Any]]) -> None:
        text = io.StringIO()
        csv.writer(text).writerows(lines)
        self.out.write(text.getvalue().encode())


class _Parquet(DecisionsFile):
    def __init__(self, path: Path) -> None:
        try:
            import pyarrow as pa  # noqa: PLC0415 - needed for Parquet only
            from pyarrow import parquet  # noqa: PLC0415 - needed for Parquet only
        except ImportError as error:
            raise PlayError(
                "Parquet requires pyarrow: install sandtable[data], or name a .csv or .jsonl file"
            ) from error
        types = {int: pa.int64(), str: pa.string()}
        hints = msgspec.structs.fields(DecisionRow)
        self._arrow = pa
        self._schema = pa.schema([(each.name, types[each.type]) for each in hints])
        self._buffered: list[DecisionRow] = []
        super().__init__(path)
        self._writer = parquet.ParquetWriter(self.out, self._schema, compression="zstd")

    def write(self, rows: list[DecisionRow]) -> None:
        self._buffered += rows
        if len(self._buffered) >= GROUP:
            self._put_group()

    def _put_group(self) -> None:
        columns = zip(*map(msgspec.structs.astuple, self._buffered), strict=True)
        arrays = [self._arrow.array(column, kind) for column, kind in zip(columns, self._schema.types, strict=True)]
        self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))
        self._buffered = []

    def finish(self) -> None:
        if self._buffered:
            self._put_group()
        self._writer.close()


KINDS: dict[str, type[DecisionsFile]] = {".parquet": _Parquet, ".csv": _Csv, ".jsonl": _Lines}


def decisions_file(path: Path) -> DecisionsFile:
    """Return the new file ``path``, whose suffix is one of KINDS. Raises PlayError or LogExists."""
    return KINDS[path.suffix](path)
