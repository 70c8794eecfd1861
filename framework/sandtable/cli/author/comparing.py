"""Two runs of ``sandtable ruleset bench`` side by side: what got slower, what got faster."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import MsgspecError, json

from sandtable.errors import DataError
from sandtable.files.reading import read_file

Figures = Mapping[str, Mapping[str, float]]
"""By ruleset (or "toy", "board") the figures of a run, by name."""

SLOWER = 1.05
"""A cost that grew more than this is told."""

MOST_BYTES = 1_000_000
COST = "_cost"


class Change(NamedTuple):
    """A cost of two runs: ``ratio`` is how many times as long it takes now."""

    of: str
    what: str
    then: float
    now: float

    @property
    def ratio(self) -> float:
        """How many times as long it takes now."""
        return self.now / self.then

    @property
    def verdict(self) -> str:
        """Whether it got "slower" or "faster" by more than a twentieth; otherwise empty."""
        if self.ratio > SLOWER:
            return "slower"
        return "faster" if self.ratio * SLOWER < 1 else ""


def read_figures(path: Path) -> dict[str, dict[str, float]]:
    """Return the figures of an earlier ``bench --json``. Raises DataError when the file holds none."""
    data = read_file(path, MOST_BYTES)
    try:
        figures = json.decode(data[:MOST_BYTES], type=dict[str, dict[str, float]])
    except (MsgspecError, UnicodeDecodeError) as error:
        raise DataError(str(path), "", f"is no run of the bench ({error}); write one with bench --json") from error
    if not any(key.endswith(COST) and figure > 0 for each in figures.values() for key, figure in each.items()):
        raise DataError(str(path), "", "has no costs: it is of an older bench; write one with bench --json")
    return figures


def changes(then: Figures, now: Figures) -> Iterator[Change]:
    """Yield every cost that both runs have, in the order of the new one."""
    for of, figures in now.items():
        for key, figure in figures.items():
            before = then.get(of, {}).get(key, 0)
            if key.endswith(COST) and before > 0:
                yield Change(of, key.removesuffix(COST).replace("_", " "), before, figure)


def settled(then: Figures, now: Figures, again: Callable[[str], Mapping[str, float]]) -> dict[str, Mapping[str, float]]:
    """Return ``now`` with what seems slower measured ``again``, by its name: the better of two runs counts."""
    doubtful = {change.of for change in changes(then, now) if change.verdict == "slower"}
    return {of: _better(figures, again(of)) if of in doubtful else figures for of, figures in now.items()}


def _better(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    return {
        key: min(figure, second.get(key, figure)) if key.endswith(COST) else figure for key, figure in first.items()
    }
