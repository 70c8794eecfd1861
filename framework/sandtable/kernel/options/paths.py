"""The space of paths: from a start, step by step, as far as the rules of the game allow."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandtable.kernel.dice import Stream
from sandtable.kernel.options.choices import listing, shown
from sandtable.kernel.options.space import Refusal, Space

Steps = Callable[[Sequence[str]], Sequence[str]]
Judge = Callable[[Sequence[str]], Refusal | None]


class Path(Space):
    """A list of spaces, the first of them ``start``.

    ``steps(path)`` names the spaces next to the end of ``path``; ``why_no_step(path)`` judges a path by its last step
    (the steps before it were judged already), ``why_no_end(path)`` whether it may end there. ``longest`` is the number
    of steps that no path exceeds. A sample goes step by step, each way on as likely as the other, and stops where it
    may; so every path may come up, but long ones are rarer than short ones.
    """

    start: str
    steps: Steps
    why_no_step: Judge
    why_no_end: Judge
    longest: int
    rule: str = ""

    def outline(self) -> Any:
        """Return where it starts and how long it may be."""
        return ["Path", self.start, self.longest]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse at the first step that is no neighbour or against a rule."""
        if not isinstance(value, list | tuple) or not value:
            return Refusal(self.rule, f"a path is wanted, not {shown(value)}")
        if value[0] != self.start:
            return Refusal(self.rule, f"the path starts in {self.start}, not in {shown(value[0])}")
        if len(value) - 1 > self.longest:
            return Refusal(self.rule, f"{len(value) - 1} steps are more than the {self.longest} allowed")
        for end in range(1, len(value)):
            near = self.steps(value[:end])
            if value[end] not in near:
                reason = f"{shown(value[end])} is not next to {value[end - 1]}: that touches {listing(near)}"
                return Refusal(self.rule, reason)
            refusal = self.why_no_step(value[: end + 1])
            if refusal is not None:
                return refusal
        return self.why_no_end(value)

    def ways_on(self, path: list[str]) -> list[list[str]]:
        """Return ``path`` with each step that it may be followed by, wherever that leads."""
        if len(path) > self.longest:
            return []
        longer = [[*path, step] for step in self.steps(path)]
        return [each for each in longer if self.why_no_step(each) is None]

    def values(self) -> Iterator[list[str]]:
        """Yield every path, in the order of the neighbours."""

        def onwards(path: list[str]) -> Iterator[list[str]]:
            if self.why_no_end(path) is None:
                yield path
            for longer in self.ways_on(path):
                yield from onwards(longer)

        return onwards([self.start])

    def sample(self, stream: Stream) -> list[str]:
        """Return one path; raises ValueError when there is none."""
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
        """Return whether ``path`` may end here or further on."""
        return self.why_no_end(path) is None or any(map(self.leads_on, self.ways_on(path)))
