"""The parser of a result in a TOML file that a person filled in.

Keys are the fields of ``Result``. Short forms: ``points = "4-3"``, the winner's first; and a table for each side with
``lost`` and other lists of platoons, ``attrition = "5/4"`` (armor, general) instead of platoons, ``recovery``, ``hit``.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.files.document import Problems, TomlTable, decode_toml
from sandtable.kernel.options.choices import listing, shown
from sandtable.tabletop.brief import Brief, Platoon, digest_of
from sandtable.tabletop.checking import Results
from sandtable.tabletop.result import Attrition, PlatoonLosses, Result, Transfer
from sandtable.tabletop.scoring import DRAW, doubt_of
from sandtable.tabletop.terms import companies_by_parent
from sandtable.tabletop.validation import all_faults

PAIR = re.compile(r"(\d{1,3})\s*[-:/]\s*(\d{1,3})")
COUNTS = ("destroyed", "routed", "bailed", "transports", "upgrades")
SIDE_KEYS = ("lost", *COUNTS, "attrition", "recovery", "hit")
LARGEST = 9999


def read_result(text: str, source: str, brief: Brief, results: Results | None = None) -> Result:
    """Return the result in a TOML file; ``source`` names the file. It is checked if ``results`` are given.

    A platoon without losses is left out, and the remaining teams of a lost platoon count as routed. Raises DataError
    with every problem: file, key, reason.
    """
    problems = Problems(source)
    table = TomlTable(problems, "", decode_toml(text.encode(errors="surrogatepass"), source))
    result = _Reader(problems, brief).result(table)
    problems.stop()
    for fault in all_faults(result, results.terms) if results is not None else ():
        rule = results.rules.get(fault.field, results.rule) if results is not None else ""
        problems.refuse(fault.place, f"{fault.reason} ({rule})" if rule else fault.reason)
    doubt = doubt_in(result, brief) if results is not None and table.values.get("as_said") is not True else ""
    if doubt:
        problems.refuse("points", f"{doubt}; correct it, or write as_said = true to confirm it")
    problems.stop()
    return result


def points_from(brief: Brief, winner: str, text: str) -> dict[str, int] | None:
    """Return points written "4-3", the winner's first, a draw's in the order of the brief, or None for other text."""
    found = PAIR.fullmatch(text.strip())
    if found is None:
        return None
    first, second = brief.sides
    if winner == second:
        first, second = second, first
    return {first: int(found[1]), second: int(found[2])}


def attrition_from(text: str) -> Attrition | None:
    """Return attrition written "5/4" (armor, general), or None for other text."""
    found = PAIR.fullmatch(text.strip())
    return Attrition(int(found[1]), int(found[2])) if found else None


def completed(losses: Mapping[str, PlatoonLosses], platoons: Mapping[str, Platoon]) -> dict[str, PlatoonLosses]:
    """Return losses as they are stored: without platoons that lost nothing; remaining teams of lost ones are routed."""
    found = {}
    for name, entered in losses.items():
        each, platoon = entered, platoons.get(name)
        if each.lost and platoon is not None:
            down = each.destroyed + each.routed + each.bailed + sum(number for _, number in each.exited)
            each = replace(each, routed=each.routed + max(0, platoon.fielded - down))
        if each != PlatoonLosses():
            found[name] = each
    return found


def doubt_in(result: Result, brief: Brief) -> str:
    """Return the doubt about the score of a result by platoon, or "" if there is none."""
    if result.conceded or not result.platoons:
        return ""
    own = result.platoons.get(result.winner, {})
    return doubt_of(brief, result.winner, result.points, [name for name, each in own.items() if each.lost])


class _Reader:
    """A reader of the tables of one file; errors are added to ``problems``."""

    def __init__(self, problems: Problems, brief: Brief) -> None:
        self.problems = problems
        self.brief = brief

    def result(self, table: TomlTable) -> Result:
        sides = self.brief.sides
        table.refuse_unknown(("brief", "digest", "as_said", *Result.__struct_fields__, *sides))
        self._refuse_other_brief(table)
        conceded = self._optional(table, "conceded")
        winner = self._winner(table, conceded)
        forms = {side: self._inner(table, side) for side in sides if side in table.values}
        for side, form in forms.items():
            form.refuse_unknown(SIDE_KEYS)
            for name in SIDE_KEYS:
                long = {"attrition": "short", "recovery": "recovery", "hit": "casualties"}.get(name, "platoons")
                if name in form.values and side in self._table(table, long):
                    form.refuse(name, f"is also in [{long}]; remove one of them")
        return Result(
            winner,
            self._points(table, winner),
            self._by_side({side: self._platoons(table, forms, side) for side in sides}),
            self._by_side({side: self._short(table, forms, side) for side in sides}),
            {side: dice for side in sides if (dice := self._dice(table, forms, side)) is not None},
            self._by_side({side: self._hit(table, forms, side) for side in sides}),
            heroic=self._names(table, "heroic"),
            unchivalrous=self._names(table, "unchivalrous"),
            recon_ahead=self._names(table, "recon_ahead"),
            transfers=self._transfers(table),
            conceded=conceded,
            turns=self._whole(table, "turns"),
            note=self._optional(table, "note"),
            source=self._optional(table, "source") or "table",
            battle=self._optional(table, "battle"),
        )

    def _refuse_other_brief(self, table: TomlTable) -> None:
        """Refuse a file for another battle, or for another brief of it; a file that names neither is accepted."""
        due = {"brief": self.brief.id, "digest": digest_of(self.brief)}
        for name, wanted in due.items():
            named = str(table.get(str, name)) if name in table.values else wanted
            if named != wanted:
                table.refuse(name, f"is {shown(named)}, but the battle is {shown(wanted)}; use the file of this battle")

    @staticmethod
    def _by_side(found: Mapping[str, Any]) -> dict[str, Any]:
        return {side: each for side, each in found.items() if each}

    def _optional(self, table: TomlTable, name: str) -> str:
        return str(table.get(str, name)) if name in table.values else ""

    def _whole(self, table: TomlTable, name: str) -> int:
        return table.whole(name, LARGEST) or 0

    def _names(self, table: TomlTable, name: str) -> tuple[str, ...]:
        if name not in table.values:
            return ()
        names = table.get(list, name)
        key = table.key_of(name)
        return tuple(each for place, each in enumerate(names) if self.problems.is_a(str, f"{key}[{place}]", each))

    def _inner(self, table: TomlTable, name: str) -> TomlTable:
        return TomlTable(self.problems, table.key_of(name), table.get(dict, name) if name in table.values else {})

    def _table(self, table: TomlTable, name: str) -> dict[str, Any]:
        value = table.values.get(name)
        return value if isinstance(value, dict) else {}

    def _winner(self, table: TomlTable, conceded: str) -> str:
        if conceded in self.brief.sides and "winner" not in table.values:
            return self.brief.enemy_of(conceded)
        winner = str(table.get(str, "winner"))
        if "winner" in table.values and winner not in {*self.brief.sides, DRAW}:
            table.refuse("winner", f"is {shown(winner) or 'empty'}; write {listing((*self.brief.sides, DRAW))}")
        return winner

    def _points(self, table: TomlTable, winner: str) -> dict[str, int]:
        value = table.values.get("points", {})
        if isinstance(value, str):
            points = points_from(self.brief, winner, value)
            if points is None:
                table.refuse(
                    "points", f"is {shown(value) or 'empty'}; write the winner's and the loser's, as in \"4-3\""
                )
            return points or {}
        inner = self._inner(table, "points")
        inner.refuse_unknown(self.brief.sides)
        return {side: self._whole(inner, side) for side in inner.values if side in self.brief.sides}

    def _platoons(self, table: TomlTable, forms: Mapping[str, TomlTable], side: str) -> dict[str, PlatoonLosses]:
        known = self.brief.platoons(side)
        outer = self._inner(table, "platoons")
        outer.refuse_unknown(self.brief.sides)
        inner = self._inner(outer, side)
        self._refuse_strangers(inner, inner.values, known, side)
        found = {name: self._losses(self._inner(inner, name)) for name in inner.values if name in known}
        form = forms.get(side)
        if form is not None:
            found |= self._from_lists(form, known, side)
        return completed(found, known)

    def _refuse_strangers(self, table: TomlTable, named: Iterable[str], known: Mapping[str, Any], side: str) -> None:
        for name in named:
            if name not in known:
                table.refuse(name, f"was not fielded by {side}; choose {listing(list(known), 20)}")

    def _losses(self, table: TomlTable) -> PlatoonLosses:
        table.refuse_unknown(PlatoonLosses.__struct_fields__)
        counts = {name: self._whole(table, name) for name in COUNTS}
        lost = bool(table.get(bool, "lost")) if "lost" in table.values else False
        exited = table.get(list, "exited") if "exited" in table.values else []
        pairs = [
            tuple(each) for each in exited if isinstance(each, list) and [type(part) for part in each] == [int, int]
        ]
        if len(pairs) < len(exited):
            table.refuse("exited", "is not a list of pairs; write table turn and number of teams, as in [[4, 2]]")
        return PlatoonLosses(**counts, lost=lost, exited=tuple((turn, number) for turn, number in pairs))

    def _from_lists(self, form: TomlTable, known: Mapping[str, Platoon], side: str) -> dict[str, PlatoonLosses]:
        """Read ``lost = ["t1"]`` and ``destroyed = { t2 = 1 }`` from a side's own table."""
        found: dict[str, dict[str, Any]] = {}
        lost = self._names(form, "lost")
        self._refuse_strangers(TomlTable(self.problems, form.key_of("lost"), {}), lost, known, side)
        for name in lost:
            found.setdefault(name, {})["lost"] = True
        for what in COUNTS:
            inner = self._inner(form, what)
            self._refuse_strangers(inner, inner.values, known, side)
            for name in inner.values:
                found.setdefault(name, {})[what] = self._whole(inner, name)
        return {name: PlatoonLosses(**each) for name, each in found.items() if name in known}

    def _short(self, table: TomlTable, forms: Mapping[str, TomlTable], side: str) -> dict[str, Attrition]:
        parents = companies_by_parent(self.brief, side)
        outer = self._inner(table, "short")
        outer.refuse_unknown(self.brief.sides)
        inner = self._inner(outer, side)
        form = forms.get(side)
        if form is not None and "attrition" in form.values:
            if isinstance(form.values["attrition"], str) and len(parents) == 1:
                inner = TomlTable(self.problems, form.key, dict.fromkeys(parents, form.values["attrition"]))
            else:
                inner = self._inner(form, "attrition")
        self._refuse_strangers(inner, inner.values, parents, side)
        return {name: self._attrition(inner, name) for name in inner.values if name in parents}

    def _attrition(self, table: TomlTable, name: str) -> Attrition:
        value = table.values[name]
        if isinstance(value, dict):
            inner = self._inner(table, name)
            inner.refuse_unknown(Attrition.__struct_fields__)
            return Attrition(self._whole(inner, "armor"), self._whole(inner, "general"))
        found = attrition_from(value) if isinstance(value, str) else None
        if found is None:
            table.refuse(name, f'is {shown(value)}; write armor and general attrition, as in "5/4"')
        return found or Attrition()

    def _dice(self, table: TomlTable, forms: Mapping[str, TomlTable], side: str) -> tuple[int, ...] | None:
        outer = self._inner(table, "recovery")
        outer.refuse_unknown(self.brief.sides)
        form = forms.get(side)
        holder, name = (form, "recovery") if form is not None and "recovery" in form.values else (outer, side)
        if name not in holder.values:
            return None
        dice, key = holder.get(list, name), holder.key_of(name)
        return tuple(die for place, die in enumerate(dice) if self.problems.is_a(int, f"{key}[{place}]", die))

    def _hit(self, table: TomlTable, forms: Mapping[str, TomlTable], side: str) -> tuple[str, ...]:
        outer = self._inner(table, "casualties")
        outer.refuse_unknown(self.brief.sides)
        form = forms.get(side)
        return self._names(form, "hit") if form is not None and "hit" in form.values else self._names(outer, side)

    def _transfers(self, table: TomlTable) -> tuple[Transfer, ...]:
        found = []
        for place, each in enumerate(table.get(list, "transfers") if "transfers" in table.values else []):
            key = f"transfers[{place}]"
            if self.problems.is_a(dict, key, each):
                inner = TomlTable(self.problems, key, each)
                inner.refuse_unknown(Transfer.__struct_fields__)
                side, platoon = str(inner.get(str, "side")), str(inner.get(str, "platoon"))
                found.append(Transfer(side, platoon, int(inner.get(int, "turn")), int(inner.get(int, "to"))))
        return tuple(found)
