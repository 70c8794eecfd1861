"""Faces of counters: each is defined once in a document and then used by name."""

from collections.abc import Callable, Collection, Hashable

from sandtable.viewer.svg import Svg, element


class CounterFaces:
    """The faces that a drawing uses, in the order in which they were named.

    A name is ``prefix`` and a number. A face is a square of ``side``.
    """

    def __init__(self, prefix: str, side: int) -> None:
        self._prefix, self._box = prefix, f"0 0 {side} {side}"
        self._drawn: dict[Hashable, tuple[str, Callable[[], Svg]]] = {}

    def __len__(self) -> int:
        return len(self._drawn)

    def named(self, key: Hashable, draw: Callable[[], Svg]) -> str:
        """Return the name of the face ``key``; ``draw`` makes it if it is new."""
        if key not in self._drawn:
            self._drawn[key] = f"{self._prefix}{len(self._drawn)}", draw
        return self._drawn[key][0]

    def defined(self, only: Collection[str] | None = None, start: int = 0) -> Svg:
        """Return the definitions from number ``start`` on, restricted to those named in ``only`` if it is given."""
        chosen = [each for each in list(self._drawn.values())[start:] if only is None or each[0] in only]
        return element("defs", *(element("symbol", draw(), id=name, viewBox=self._box) for name, draw in chosen))
