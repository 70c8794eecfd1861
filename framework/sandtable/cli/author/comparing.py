"""Compare two runs of ``sandtable ruleset bench``: which costs grew, and which fell."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import MsgspecError, json

from sandtable.errors import DataError
from sandtable.files.reading import read_file

Figures = Mapping[str, Mapping[str, float]]
"""The figures of a run by ruleset (or "toy", "board") and name."""

SLOWER = 1.05
"""Maximum ratio of a new cost to an old one that is not reported as slower."""

MAX_BYTES = 1_000_000
COST = "_cost"


class Change(NamedTuple):
    """A cost in two runs. ``ratio`` is the new cost divided by the old one."""

    of: str
    what: str
    then: float
    now: float

    @property
    def ratio(self) -> float:
        """The new cost divided by the old one."""
        return self.now / self.then

    @property
    def verdict(self) -> str:
        """Whether the cost got "slower" or "faster" by more than a twentieth; otherwise empty."""
        if self.ratio > SLOWER:
            return "slower"
        return "faster" if self.ratio * SLOWER < 1 else ""


def read_figures(path: Path) -> dict[str, dict[str, float]]:
    """Return the figures of an earlier ``bench --json``. Raises DataError if the file has no figures."""
    data = read_file(path, MAX_BYTES)
    try:
        figures = json.decode(data[:MAX_BYTES], type=dict[str, dict[str, float]])
    except (MsgspecError, UnicodeDecodeError) as error:
        raise DataError(str(path), "", f"is not the output of bench --json ({error})") from error
    if not any(key.endswith(COST) and figure > 0 for each in figures.values() for key, figure in each.items()):
        raise DataError(str(path), "", "has no costs: an older version wrote it. Write a new one with bench --json")
    return figures


def changes(then: Figures, now: Figures) -> Iterator[Change]:
    """Yield every cost that both runs have, in the order of the new one."""
    for of, figures in now.items():
        for key, figure in figures.items():
            before = then.get(of, {}).get(key, 0)
            if key.endswith(COST) and before > 0:
                yield Change(of, key.removesuffix(COST).replace("_", " "), before, figure)


def settled(then: Figures, now: Figures, again: Callable[[str], Mapping[str, float]]) -> dict[str, Mapping[str, float]]:
    """Return ``now`` with entries that seem slower measured ``again`` by name; the lower cost of both runs counts."""
    doubtful = {change.of for change in changes(then, now) if change.verdict == "slower"}
    return {of: _better(figures, again(of)) if of in doubtful else figures for of, figures in now.items()}


def _better(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    return {
        key: min(figure, second.get(key, figure)) if key.endswith(COST) else figure for key, figure in first.items()
    }
