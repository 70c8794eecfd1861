"""Running a log with other versions of its ruleset, each in a separate process, to find the first that differs.

python -m sandtable.journal.versions FOLDER LOG     # one version: the ruleset in FOLDER; prints a JSON document
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from sandtable.errors import DataError, SandtableError
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_with, read_records
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.journal.verification.verdicts import Difference
from sandtable.plugin.importing import child_variables
from sandtable.plugin.manager import AND, Rulesets

SECONDS = 600
"""Time limit for one version, in seconds."""


class VersionRun(Struct, frozen=True):
    """The result of a log with the ruleset in ``folder``: its ``version``, ``files`` and first difference, if any.

    ``problem`` is the reason why it could not be run.
    """

    folder: str
    version: str = ""
    files: str = ""
    difference: Difference | None = None
    problem: str = ""

    @property
    def is_same(self) -> bool:
        """Whether the rerun equals the recorded game."""
        return self.difference is None and not self.problem


def run_version(folder: str, log: str) -> VersionRun:
    """Return the result of ``log`` with the ruleset in ``folder``, run in this process."""
    try:
        read = read_log(log)
        header = read.header
        named = AND.join([header.ruleset, *(each.partition(" ")[0] for each in header.variants)])
        prepared = prepare_with(read, Rulesets(folder, alone=True).load(named))
        if not Path(prepared.installed.module.__file__ or "").resolve().is_relative_to(Path(folder).resolve()):
            return VersionRun(folder, problem=f"it does not contain {read.header.ruleset}")
        records = read_records(read, prepared.ruleset)
        found = Rerun(prepared, read, records, dice_of(read, records)).run()
    except SandtableError as error:
        return VersionRun(folder, problem=str(error))
    return VersionRun(folder, prepared.installed.manifest.version, prepared.installed.content_hash, found)


def run_apart(folder: str, log: str) -> VersionRun:
    """Return the same result from a separate process, so that modules of two versions do not mix."""
    words = [sys.executable, "-P", "-m", "sandtable.journal.versions", folder, log]
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            words, env=os.environ | child_variables(), capture_output=True, timeout=SECONDS, check=False
        )
        return msgspec.json.decode(done.stdout, type=VersionRun)
    except subprocess.TimeoutExpired:
        return VersionRun(folder, problem=f"took longer than {SECONDS} seconds")
    except msgspec.MsgspecError:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        return VersionRun(folder, problem=f"the process ended with {done.returncode}: {last or 'no output'}")


def check_folders(folders: Sequence[str]) -> None:
    """Raise DataError if a path is not a folder."""
    for folder in folders:
        if not Path(folder).is_dir():
            raise DataError(folder, "", "is not a folder: name folders that each hold a version of the ruleset")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(msgspec.to_builtins(run_version(sys.argv[1], sys.argv[2]))))
