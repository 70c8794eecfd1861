"""Dice with predetermined results, for worked examples and for rare cases."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from types import TracebackType

from sandtable.errors import SandtableError

Faces = tuple[int, ...]


class WrongRollError(SandtableError, AssertionError):
    """The game did not roll as the test expected.

    An AssertionError for pytest, and a SandtableError so that the kernel passes it on unchanged.
    """


class LoadedDice:
    """Dice for a game whose rolls are known in advance.

    ``rolls`` fall in their order. ``by`` gives rolls for a purpose (``"battle:north"``), a whole label
    (``"2/battle/battle:north/1"``), or a pattern of either with ``*`` and ``?``. The first entry of ``by`` that matches
    and has faces left is used, before ``rolls`` is. An unexpected roll, and one with a different number of dice or too
    few sides, raises WrongRollError. As a context manager it also requires at the end that all have fallen::

        with LoadedDice((6, 1), (3,)) as dice:
            game = prepared.new_game(dice)
            ...

    Forks of a game share its dice; to avoid that, give a fork separate dice.
    """

    mode = "loaded"

    def __init__(self, *rolls: Iterable[int], by: Mapping[str, Iterable[Iterable[int]]] | None = None) -> None:
        self._rolls: list[Faces] = [tuple(faces) for faces in rolls]
        self._by = {pattern: [tuple(faces) for faces in told] for pattern, told in (by or {}).items()}
        self.fallen: list[tuple[str, Faces]] = []

    def roll(self, label: str, count: int, sides: int) -> Faces | None:
        """Return the expected faces for ``label``. Raises WrongRollError if they do not fit."""
        queue = self._queue_for(label)
        if not queue:
            fell = ", ".join(f"{each} fell {faces}" for each, faces in self.fallen[-3:]) or "nothing was rolled before"
            raise WrongRollError(f"the roll {label} ({count}d{sides}) was not expected; {fell}")
        faces = queue.pop(0)
        if len(faces) != count:
            raise WrongRollError(f"the roll {label} is {count}d{sides}, but {faces} was expected")
        strange = [face for face in faces if not 1 <= face <= sides]
        if strange:
            raise WrongRollError(f"the roll {label} is {count}d{sides}: none of its dice can show {strange[0]}")
        self.fallen.append((label, faces))
        return faces

    def _queue_for(self, label: str) -> list[Faces]:
        purpose = label.split("/")[-2] if label.count("/") > 1 else label
        for pattern, queue in self._by.items():
            if queue and (fnmatchcase(label, pattern) or fnmatchcase(purpose, pattern)):
                return queue
        return self._rolls

    def salt(self, number: int) -> str:
        """Return a salt that depends only on the record's number."""
        return f"{number:032x}"

    def shown_key(self) -> str:
        """Return "", because there is no key."""
        return ""

    def assert_all_used(self) -> None:
        """Raise WrongRollError if faces are left over."""
        left = [f"{faces}" for faces in self._rolls]
        left += [f"{faces} for {pattern}" for pattern, queue in self._by.items() for faces in queue]
        if left:
            raise WrongRollError(f"never rolled: {', '.join(left)}; rolled: {self.fallen or 'nothing'}")

    def __enter__(self) -> "LoadedDice":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self.assert_all_used()
