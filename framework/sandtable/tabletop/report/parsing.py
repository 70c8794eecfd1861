"""The parser of a result typed on one line: "axis 4-3; axis 5/4; allies 3/8", or platoon by platoon.

Parts are separated by semicolons. The first names the winner and the points; the others describe the losses of a side.
"""

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.errors import IllegalOrder, RefusalCollector
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options.choices import listing, shown
from sandtable.rules.notation.tokens import SURE
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.checking import Results, results_in
from sandtable.tabletop.report.form import COUNTS, attrition_from, completed, doubt_in, points_from
from sandtable.tabletop.result import PlatoonLosses, ReportBattle, Result
from sandtable.tabletop.scoring import DRAW
from sandtable.tabletop.terms import companies_by_parent

MAX_PARTS = 200


def read_typed(decision: Decision, text: str) -> Order | str | None:
    """Return the report that ``text`` means, or None if no battle must be reported or the text has another notation.

    For "?" it returns what can be typed. Raises IllegalOrder with the part that cannot be parsed. The decision's
    options then check whether the result fits the brief.
    """
    results = results_in(decision.options)
    if results is None:
        return None
    if text.strip() == "?":
        return examples(results.brief)
    result = typed_result(results, text, decision.rule)
    return None if result is None else ReportBattle.of(results.brief, result)


def typed_result(results: Results, text: str, rule: str) -> Result | None:
    """Return the result that ``text`` means, or None if it is not in this notation; IllegalOrder cites ``rule``."""
    brief = results.brief
    words = text.split()
    if not words or (words[0].lower() != DRAW and _side(brief, words[0]) is None):
        return None
    parts = [part.split() for part in text.replace("\n", ";").split(";") if part.strip()]
    if len(parts) > MAX_PARTS:
        raise IllegalOrder(rule, f"{len(parts)} parts are more than a battle needs: use at most {MAX_PARTS}")
    return _Reading(results, rule).result(parts)


def examples(brief: Brief, *, attrition: bool = True) -> str:
    """Return examples of reports for ``brief``; without ``attrition``, losses are only by platoon."""
    first, second = brief.sides
    platoons = [name for name, each in brief.platoons(second).items() if not each.independent][:2] or ["t1", "t2"]
    if not attrition:
        return (
            f"{first} 6-1; {second} lost {' '.join(platoons)}; {second} destroyed {platoons[-1]} 2; "
            f"{second} routed {platoons[0]} 1; {first} bailed, transports and upgrades like destroyed; "
            f"turns 6; note WORDS; or: draw 1-1; or: {second} concedes"
        )
    return (
        f"{first} 4-3; {first} 5/4; {second} 3/8  (armor/general attrition after recovery), or by platoon: "
        f"{first} 6-1; {second} lost {' '.join(platoons)}; {second} destroyed {platoons[-1]} 2; {first} dice 6 1"
    )


def _side(brief: Brief, word: str) -> str | None:
    """Return the side that a word names: its id or title, or an unambiguous beginning of one; or None."""
    typed = word.lower()
    near = {side for side in brief.sides if typed in {side.lower(), brief.parties[side].title.lower()}}
    near = near or {
        side
        for side in brief.sides
        if len(typed) > 1 and any(name.lower().startswith(typed) for name in (side, brief.parties[side].title))
    }
    return next(iter(near)) if len(near) == 1 else None


class _Reading:
    """A result that is being read part by part."""

    def __init__(self, results: Results, rule: str) -> None:
        self.brief = results.brief
        self.rule = rule
        self.points_rule = results.rules.get("points", rule)
        self.in_short = results.counts_attrition
        self.wrongs = RefusalCollector()
        self.losses: dict[str, dict[str, PlatoonLosses]] = {side: {} for side in self.brief.sides}
        self.found = Result("")
        self._said: set[tuple[str, ...]] = set()

    def result(self, parts: list[list[str]]) -> Result:
        """Return the result of all parts.

        Raises IllegalOrder for wrong parts, and for a doubtful result without ``SURE``.
        """
        with self.wrongs.part():
            self._outcome(parts[0])
        for words in parts[1:]:
            with self.wrongs.part():
                self._part(words)
        self.wrongs.refuse()
        losses = {side: completed(each, self.brief.platoons(side)) for side, each in self.losses.items()}
        found = replace(self.found, platoons={side: each for side, each in losses.items() if each})
        doubt = "" if (SURE,) in self._said else doubt_in(found, self.brief)
        if doubt:
            raise IllegalOrder(self.points_rule, f"{doubt}: correct it, or type it again with ; {SURE} at its end")
        return found

    def _refuse(self, words: list[str], reason: str) -> IllegalOrder:
        return IllegalOrder(self.rule, f"{shown(' '.join(words))}: {reason}")

    def _once(self, words: list[str], *said: str) -> None:
        """Refuse a repeated part, which would overwrite the first."""
        if said in self._said:
            raise self._refuse(words, f"{' '.join(said)} is written twice")
        self._said.add(said)

    def _outcome(self, words: list[str]) -> None:
        side = DRAW if words[0].lower() == DRAW else _side(self.brief, words[0]) or ""
        if [word.lower() for word in words[1:]] == ["concedes"] and side != DRAW:
            self.found = Result(self.brief.enemy_of(side), conceded=side)
            return
        points = points_from(self.brief, side, words[1]) if len(words) == 2 else None
        if points is None:
            raise self._refuse(words, f"begin with the winner and the points, as in {self.brief.sides[0]} 4-3")
        self.found = Result(side, points)

    def _part(self, words: list[str]) -> None:
        first = words[0].lower()
        if " ".join(words).lower() == SURE:
            self._once(words, SURE)
            return
        if first in {"heroic", "unchivalrous", "ahead", "turns", "note"} and len(words) > 1:
            self._of_all(first, words)
            return
        side = _side(self.brief, words[0])
        if side is None:
            wanted = listing([*self.brief.sides, "heroic", "unchivalrous", "ahead", "turns", "note"])
            raise self._refuse(words, f"a part begins with {wanted}")
        readers: dict[str, Callable[[str, list[str]], None]] = {
            "lost": self._lost,
            "dice": self._dice,
            "hit": self._hit,
            **dict.fromkeys(COUNTS, self._counts),
        }
        read = readers.get(words[1].lower()) if len(words) > 2 else None
        if read is not None:
            read(side, words)
        else:
            self._attrition(side, words)

    def _of_all(self, first: str, words: list[str]) -> None:
        if first in {"note", "turns"}:
            self._once(words, first)
        if first == "note":
            self.found = replace(self.found, note=" ".join(words[1:]))
        elif first == "turns":
            self.found = replace(self.found, turns=self._number(words, " ".join(words[1:])))
        else:
            field = "recon_ahead" if first == "ahead" else first
            whole = " ".join(words[1:])
            named = (whole,) if whole in {each.player for each in self.brief.parties.values()} else tuple(words[1:])
            self.found = replace(self.found, **{field: getattr(self.found, field) + named})

    def _number(self, words: list[str], text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 5):
            raise self._refuse(words, f"{shown(text)} is not a number")
        return int(text)

    def _platoon(self, words: list[str], side: str, name: str) -> str:
        known = self.brief.platoons(side)
        found = name if name in known else name.lower()
        if found not in known:
            raise self._refuse(words, f"{side} did not field {shown(name)}: choose {listing(list(known), 20)}")
        return found

    def _lost(self, side: str, words: list[str]) -> None:
        for word in words[2:]:
            name = self._platoon(words, side, word)
            self.losses[side][name] = replace(self.losses[side].get(name, PlatoonLosses()), lost=True)

    def _counts(self, side: str, words: list[str]) -> None:
        """Parse "allies destroyed t1 2 t2 1"."""
        if len(words) % 2:
            example = f"as in {words[1]} t1 2, with ; before other losses"
            raise self._refuse(words, f"each platoon needs its number, {example}")
        for word, number in zip(words[2::2], words[3::2], strict=True):
            name = self._platoon(words, side, word)
            self._once(words, side, words[1].lower(), name)
            counted = {words[1].lower(): self._number(words, number)}
            self.losses[side][name] = replace(self.losses[side].get(name, PlatoonLosses()), **counted)

    def _dice(self, side: str, words: list[str]) -> None:
        self._once(words, side, "dice")
        dice = tuple(self._number(words, word) for word in words[2:])
        self.found = replace(self.found, recovery=self.found.recovery | {side: dice})

    def _hit(self, side: str, words: list[str]) -> None:
        self._once(words, side, "hit")
        self.found = replace(self.found, casualties=self.found.casualties | {side: tuple(words[2:])})

    def _attrition(self, side: str, words: list[str]) -> None:
        """Parse "axis 5/4", or "axis 15_pz_div 5/4" if a side has several formations."""
        parents = list(companies_by_parent(self.brief, side))
        found = attrition_from(words[-1]) if self.in_short else None
        parent = words[1] if len(words) == 3 else parents[0] if len(parents) == 1 else ""
        if found is None or not 2 <= len(words) <= 3:
            by_platoon = "destroyed, routed, bailed, transports, upgrades with platoons and numbers, or lost"
            wanted = "5/4 (armor/general), or lost, destroyed, dice, hit" if self.in_short else by_platoon
            raise self._refuse(words, f"type the losses of {side}: {wanted}")
        if parent not in parents:
            raise self._refuse(words, f"name the formation: {listing(parents)}")
        self._once(words, side, parent)
        short = self.found.short.get(side, {}) | {parent: found}
        self.found = replace(self.found, short=self.found.short | {side: short})
