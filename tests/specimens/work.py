"""How much work something is, without a clock: the lines of Python that are run for it."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(do: Callable[[], object]) -> int:
    """Return how many lines of Python ``do`` runs: the same on any machine, whatever else that is at."""
    count = 0

    def trace(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        do()
    finally:
        sys.settrace(before)
    return count
