"""The space of paths: from a start, step by step, as far as the rules of the game allow."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandtable.kernel.dice import Stream
from sandtable.kernel.options.choices import listing, shown
from sandtable.kernel.options.space import Refusal, Space

Steps = Callable[[Sequence[str]], Sequence[str]]
Judge = Callable[[Sequence[str]], Refusal | None]


class Path(Space):
    """A list of spaces that begins with ``start``.

    ``steps(path)`` names the spaces next to the end of ``path``. ``why_no_step(path)`` judges a path by its last step,
    because the earlier steps have been judged already, and ``why_no_end(path)`` judges whether the path may end there.
    ``longest`` is the maximum number of steps. A sample takes each next step with equal probability and stops where it
    may, so every path is possible, but long paths are rarer than short ones.
    """

    start: str
    steps: Steps
    why_no_step: Judge
    why_no_end: Judge
    longest: int
    rule: str = ""

    def outline(self) -> Any:
        """Return the start and the maximum length."""
        return ["Path", self.start, self.longest]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse the first step that is not adjacent or breaks a rule."""
        if not isinstance(value, list | tuple) or not value:
            return Refusal(self.rule, f"expected a path, not {shown(value)}")
        if value[0] != self.start:
            return Refusal(self.rule, f"the path starts in {self.start}, not in {shown(value[0])}")
        if len(value) - 1 > self.longest:
            return Refusal(self.rule, f"{len(value) - 1} steps are more than the {self.longest} allowed")
        for end in range(1, len(value)):
            near = self.steps(value[:end])
            if value[end] not in near:
                reason = f"{shown(value[end])} is not next to {value[end - 1]}, which borders {listing(near)}"
                return Refusal(self.rule, reason)
            refusal = self.why_no_step(value[: end + 1])
            if refusal is not None:
                return refusal
        return self.why_no_end(value)

    def ways_on(self, path: list[str]) -> list[list[str]]:
        """Return ``path`` extended by each possible next step, whether or not a legal end can be reached from there."""
        if len(path) > self.longest:
            return []
        longer = [[*path, step] for step in self.steps(path)]
        return [each for each in longer if self.why_no_step(each) is None]

    def values(self) -> Iterator[list[str]]:
        """Yield every path, in neighbor order."""

        def onwards(path: list[str]) -> Iterator[list[str]]:
            if self.why_no_end(path) is None:
                yield path
            for longer in self.ways_on(path):
                yield from onwards(longer)

        return onwards([self.start])

    def sample(self, stream: Stream) -> list[str]:
        """Return one path; raises ValueError if none exists."""
        found = self._sample(stream, [self.start])
        if found is None:
            raise ValueError("no path is allowed")
        return found

    def _sample(self, stream: Stream, path: list[str]) -> list[str] | None:
        ways: list[list[str]] = self.ways_on(path)
        if self.why_no_end(path) is None:
            ways.append(path)
        while ways:
            way = ways.pop(stream.below(len(ways)))
            if way is path:
                return path
            found = self._sample(stream, way)
            if found is not None:
                return found
        return None

    def leads_on(self, path: list[str]) -> bool:
        """Return whether ``path`` may end here or after further steps."""
        return self.why_no_end(path) is None or any(map(self.leads_on, self.ways_on(path)))
