"""Spaces for an order sheet, which has one optional line for each key, and for groupings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sandtable.kernel.dice import Stream
from sandtable.kernel.options.choices import listing, same, shown
from sandtable.kernel.options.space import Refusal, Space

TRIES = 50
NEAR = 3


class Sheet(Space):
    """A dict with a value for some of the keys of ``lines``: the order sheet that a player fills in.

    Each line is judged by its own space. ``together(sheet)`` then yields (key, refusal) for lines that are allowed by
    themselves but not in combination. ``required`` keys must have a line. ``stranger(key)`` gives the reason for
    refusing an unknown key. A sample leaves one line of ``blanks`` blank, at random, and redraws or blanks the lines
    that conflict.

    For human players: ``titles`` describes the keys. ``key_of(text)`` returns the key for a typed name, or "".
    ``read(key, text)`` returns the value of a typed line, or None to leave it blank; it may raise IllegalOrder.
    ``parts(text)`` splits a line for several keys into lines "KEY: ORDER". ``echo(key, sheet)`` describes the effect of
    a line on the current sheet, or returns "".
    """

    lines: Mapping[str, Space]
    together: Callable[[dict[str, Any]], Iterable[tuple[str, Refusal]]] | None = None
    required: Sequence[str] = ()
    stranger: Callable[[str], Refusal] | None = None
    rule: str = ""
    titles: Mapping[str, str] = {}
    key_of: Callable[[str], str] | None = None
    read: Callable[[str, str], Any] | None = None
    parts: Callable[[str], Sequence[str]] | None = None
    echo: Callable[[str, dict[str, Any]], str] | None = None
    blanks: int = 6
    drawn: dict[str, Any] | None = None

    def outline(self) -> Any:
        """Return the space of each line and the required keys."""
        return ["Sheet", {key: space.outline() for key, space in self.lines.items()}, list(self.required)]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse the first invalid line, by its key."""
        if self.drawn is not None and same(value, self.drawn):
            return None  # drawn from this space, so it was judged already
        if not isinstance(value, dict):
            return Refusal(self.rule, f"expected a sheet with a value for each key, not {shown(value)}")
        for key, refusal in self.refusals(value).items():
            return Refusal(refusal.rule or self.rule, f"{shown(key)}: {refusal.reason}")
        return None

    def wrong_parts(self, value: Any) -> list[Refusal]:
        """Return the refusals of every line, by key."""
        return self._by_key(self.refusals(value)) if isinstance(value, dict) else []

    def wrong_alone(self, value: Any) -> list[Refusal]:
        """Return the refusals of every line by itself, by key."""
        return self._by_key(self.refusals_alone(value)) if isinstance(value, dict) else self.all_wrong(value)

    def _by_key(self, found: Mapping[Any, Refusal]) -> list[Refusal]:
        return [Refusal(each.rule or self.rule, f"{shown(key)}: {each.reason}") for key, each in found.items()]

    def refusals(self, value: Mapping[Any, Any]) -> dict[str, Refusal]:
        """Return each refused line with the reason; the rest of the sheet is allowed if all required lines are in it.

        Only the lines that are allowed by themselves are judged together.
        """
        found = self.refusals_alone(value)
        found |= {
            key: Refusal(self.rule, "this line is required and is missing") for key in self.required if key not in value
        }
        if self.together is not None:
            sound = {key: each for key, each in value.items() if key not in found}
            for key, refusal in self.together(sound):
                found.setdefault(key, refusal)
        return found

    def refusals_alone(self, value: Mapping[Any, Any]) -> dict[str, Refusal]:
        """Return the lines that are refused regardless of the other lines, with the reasons."""
        judged = (
            (key, self.lines[key].why_not(each) if key in self.lines else self._unknown_key(key))
            for key, each in value.items()
        )
        return {key: refusal for key, refusal in judged if refusal is not None}

    def _unknown_key(self, key: Any) -> Refusal:
        if self.stranger is not None and isinstance(key, str):
            return self.stranger(key)
        return Refusal(self.rule, f"{shown(key)} has no line here: choose {listing(list(self.lines))}")

    def sample(self, stream: Stream) -> dict[str, Any]:
        """Return a sheet; raises ValueError if no value of a required line was found that fits the other lines."""
        for _ in range(TRIES):
            sheet = self._drawn(stream)
            if sheet is not None:
                self.drawn = dict(sheet)
                return sheet
        raise ValueError("nothing can be chosen")

    def near(self, value: Mapping[str, Any], stream: Stream) -> dict[str, Any]:
        """Return a sheet that differs from ``value`` in one to NEAR lines; lines that conflict with these are blank."""
        sheet = dict(value)
        for key in stream.sample(list(self.lines), 1 + stream.below(NEAR)):
            if key in self.required or stream.below(self.blanks):
                self._draw_line(sheet, key, self.lines[key], stream)
            else:
                sheet.pop(key, None)
        while refused := self.refusals(sheet):
            if any(key not in sheet for key in refused):
                return self.sample(stream)
            for key in refused:
                del sheet[key]
        return {key: sheet[key] for key in self.lines if key in sheet}

    def _drawn(self, stream: Stream) -> dict[str, Any] | None:
        sheet: dict[str, Any] = {}
        for key, space in self.lines.items():
            if key in self.required or stream.below(self.blanks):
                self._draw_line(sheet, key, space, stream)
        if self.together is not None:
            for attempt in range(len(self.lines) + 3):
                clashes = [key for key, _ in self.together(sheet)]
                for key in clashes:
                    sheet.pop(key, None)
                    if attempt < 3:
                        self._draw_line(sheet, key, self.lines[key], stream)
                if not clashes:
                    break
            sheet = {key: sheet[key] for key in self.lines if key in sheet}
        return sheet if all(key in sheet for key in self.required) else None

    @staticmethod
    def _draw_line(sheet: dict[str, Any], key: str, space: Space, stream: Stream) -> None:
        try:
            sheet[key] = space.sample(stream)
        except ValueError:  # no value is possible on this line: it stays blank
            sheet.pop(key, None)

    def values(self) -> Iterator[dict[str, Any]]:
        """Yield every sheet, blank lines first, the last line changing fastest."""
        keys = list(self.lines)

        def rest(place: int) -> Iterator[dict[str, Any]]:
            if place == len(keys):
                yield {}
                return
            key = keys[place]
            if key not in self.required:
                yield from rest(place + 1)
            for value in self.lines[key].values():
                for more in rest(place + 1):
                    yield {key: value} | more

        return (sheet for sheet in rest(0) if self.together is None or not any(True for _ in self.together(sheet)))

    def count(self, limit: int = 1_000_000) -> int:
        """Return how many sheets there are, up to ``limit``."""
        if self.together is not None:
            return super().count(limit)
        total = 1
        for key, space in self.lines.items():
            total = min(limit, total * (space.count(limit) + (key not in self.required)))
        return total


class Groups(Space):
    """A partition of ``of`` into groups: a list of lists, with each member in exactly one.

    ``why_not_group`` judges one group, whose members it gets in the order of ``of``. The order of groups, and of
    members within a group, has no meaning.
    """

    of: Sequence[str]
    why_not_group: Callable[[list[str]], Refusal | None] | None = None
    rule: str = ""

    def outline(self) -> Any:
        """Return the members to be grouped."""
        return ["Groups", list(self.of)]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a value that is not a partition of the members, or the first group that is not allowed."""
        if not isinstance(value, list | tuple) or not all(isinstance(group, list | tuple) for group in value):
            return Refusal(self.rule, f"expected a list of groups, not {shown(value)}")
        named = [each for group in value for each in group]
        strange = [each for each in named if not isinstance(each, str) or each not in self.of]
        if strange:
            return Refusal(self.rule, f"{shown(strange[0])} cannot be grouped here: choose {listing(self.of)}")
        if len(named) != len(self.of) or len(set(named)) != len(named) or not all(value):
            return Refusal(self.rule, f"each of {listing(self.of)} must be in one group, and no group may be empty")
        if self.why_not_group is None:
            return None
        ordered = ([each for each in self.of if each in group] for group in value)
        return next((refusal for refusal in map(self.why_not_group, ordered) if refusal), None)

    def sample(self, stream: Stream) -> list[list[str]]:
        """Return a grouping; raises ValueError if none is found."""
        for _ in range(TRIES):
            groups: list[list[str]] = []
            for each in self.of:
                place = stream.below(len(groups) + 1)
                if place == len(groups):
                    groups.append([each])
                else:
                    groups[place].append(each)
            if self._all_allowed(groups):
                return groups
        first = next(self.values(), None)
        if first is None:
            raise ValueError("nothing can be chosen")
        return first

    def _all_allowed(self, groups: list[list[str]]) -> bool:
        judge = self.why_not_group
        return judge is None or all(judge(group) is None for group in groups)

    def values(self) -> Iterator[list[list[str]]]:
        """Yield every grouping, beginning with the single group."""

        def rest(place: int, groups: list[list[str]]) -> Iterator[list[list[str]]]:
            if place == len(self.of):
                yield [list(group) for group in groups]
                return
            for group in groups:
                group.append(self.of[place])
                yield from rest(place + 1, groups)
                group.pop()
            yield from rest(place + 1, [*groups, [self.of[place]]])

        return filter(self._all_allowed, rest(0, []))
