"""A board of hexes as named parts: from each picture to the next, only changes are drawn."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sandtable.board.hexes.map import HexMap
from sandtable.viewer.film.frames import Part, SharedParts
from sandtable.viewer.hexes.drawing.counters import SIZE, HexFaces, caption, counter_facts, draw_counter, stands
from sandtable.viewer.hexes.drawing.lines import draw_lines, draw_waters, draw_ways
from sandtable.viewer.hexes.drawing.marks import draw_area, draw_arrows, draw_mark, draw_spreads
from sandtable.viewer.hexes.drawing.terrain import draw_fields, draw_grid, draw_numbers, draw_places, draw_sites
from sandtable.viewer.hexes.layout import SHAPES, HexLayout
from sandtable.viewer.hexes.legend import draw_legend
from sandtable.viewer.hexes.picture import HexArea, HexArrow, HexCounter, HexMark, HexPicture, HexTray
from sandtable.viewer.side_marks import mark_of
from sandtable.viewer.svg import Svg, group, legend_svg

GROUND_LAYERS = ("fields", "grid", "waters", "ways", "lines", "sites", "numbers", "places")
LIVE_LAYERS = ("held", "areas", "spreads", "marks", "arrows", "counters", "impacts")
LAYERS_BY_PREFIX = {
    "h": "held",
    "a": "areas",
    "s": "spreads",
    "m": "marks",
    "i": "impacts",
    "r": "arrows",
    "c": "counters",
}


LEGEND_WIDTH = 860
_SIDE_REMARK = re.compile(r"( \(|,).*")
"""The remark after the meaning of a figure, such as how an unknown one is written."""


class HexFilm:
    """The film of one view of a board of hexes; drawings that another view of its stock has made are reused."""

    kind = "hexes"

    def __init__(self, first: HexPicture, stock: SharedParts) -> None:
        self._layout = HexLayout(first.ground, first.part)
        self._faces: HexFaces = stock.kept.setdefault("faces", HexFaces(first, stock.ident))
        stock.faces = self._faces
        self._first = first
        # Layers of drawn grounds by the identity of the map, which is kept with them.
        self._grounds: dict[int, tuple[HexMap, dict[str, Svg]]] = stock.kept.setdefault("grounds", {})
        self._lying: HexMap | None = None
        self._ground: dict[str, Svg] = {}
        self._shown: tuple[tuple[HexCounter, ...], tuple[HexTray, ...]] = ((), ())
        self._on_map: dict[str, HexCounter] = {}
        self._trays: tuple[HexTray, ...] = ()
        self._beside: dict[str, tuple[HexCounter, str]] = {}
        self._counters: dict[str, HexCounter] = {}
        self._values: dict[HexCounter, Part] = stock.kept.setdefault("counters", {})
        self._places: dict[str, str] = {}
        self._stacks: dict[str, list[HexCounter]] = {}
        self._order = {power.id: place for place, power in enumerate(first.powers)}
        self._held: dict[str, str] = {}
        self._held_areas: tuple[HexArea, ...] = ()
        self._other: dict[str, Part] = {}
        self._areas: dict[int, tuple[HexArea, Part]] = {}
        self._arrows: dict[HexArrow, Svg] = stock.kept.setdefault("arrows", {})
        self._marks: tuple[HexMark, ...] | None = None
        self._taken: frozenset[str] = frozenset()
        self._mark_parts: dict[str, Part] = {}

    def changes(self, picture: HexPicture) -> dict[str, Part | None]:
        """Return the parts of ``picture`` that differ from the previous picture."""
        found: dict[str, Part | None] = {}
        found.update(self._ground_changes(picture))
        self._counter_changes(picture, found)
        self._held_changes(picture, found)
        now = dict(self._other_parts(picture))
        found.update({key: value for key, value in now.items() if self._other.get(key) != value})
        found.update(dict.fromkeys(key for key in self._other if key not in now))
        self._other = now
        return found

    # --- the ground ---

    def _ground_changes(self, picture: HexPicture) -> Iterator[tuple[str, Part]]:
        """Yield the changed layers of the ground, for example when railways change hands. All views share a drawing."""
        if self._lying is picture.ground:
            return
        self._lying = picture.ground
        known = self._grounds.get(id(picture.ground))
        if known is None:
            known = self._grounds[id(picture.ground)] = picture.ground, self._drawn_ground(picture)
        for name, drawn in known[1].items():
            if self._ground.get(name) != drawn:
                yield f"g:{name}", drawn
        self._ground = known[1]

    def _drawn_ground(self, picture: HexPicture) -> dict[str, Svg]:
        layout, style = self._layout, picture.style
        layout.ground = picture.ground
        now = {"waters": draw_waters(layout, style), "ways": draw_ways(layout, style)}
        now["lines"] = draw_lines(layout, style)
        for before, drawn in self._grounds.values():
            if before.terrain is picture.ground.terrain or before.terrain == picture.ground.terrain:
                return {**drawn, **now}
        now |= {"fields": draw_fields(layout, style), "grid": draw_grid(layout, style)}
        now |= {"sites": draw_sites(layout, style), "places": draw_places(layout, style)}
        return now | {"numbers": draw_numbers(layout, style, frozenset(mark.hex for mark in picture.marks))}

    # --- counters ---

    def _counter_changes(self, picture: HexPicture, found: dict[str, Part | None]) -> None:
        """Add the counters that look different, and those that have moved: on the map or in a tray."""
        if self._shown == (picture.counters, picture.trays):
            return
        self._shown = picture.counters, picture.trays
        center, before = self._layout.center, self._on_map
        now = {counter.id: counter for counter in picture.counters if counter.hex in center}
        if picture.trays != self._trays:
            self._trays = picture.trays
            self._beside = {each.id: (each, f"={tray.title}") for tray in picture.trays for each in tray.counters}
        beside = {ident: known for ident, known in self._beside.items() if ident not in now}
        fresh = [each for each in now.values() if before.get(each.id) is not each]
        gone = [each for ident, each in before.items() if ident not in now]
        touched = {each.hex for each in (*fresh, *gone)} | {before[each.id].hex for each in fresh if each.id in before}
        if touched:
            self._restack(now, touched, found)
        found.update(self._faces_changed({each.id: each for each in fresh}))
        found.update(self._faces_changed({ident: each for ident, (each, _) in beside.items()}))
        for ident, (_, place) in beside.items():
            if self._places.get(ident) != place:
                found[f"@{ident}"] = self._places[ident] = place
        for ident in [each for each in self._places if each not in now and each not in beside]:
            found[f"c:{ident}"] = found[f"@{ident}"] = None
            del self._places[ident], self._counters[ident]
        self._on_map = now

    def _restack(self, now: Mapping[str, HexCounter], touched: Collection[str], found: dict[str, Part | None]) -> None:
        """Add the positions of counters in hexes that counters have entered or left."""
        stacks: dict[str, list[HexCounter]] = {}
        for counter in now.values():
            if counter.hex in touched:
                stacks.setdefault(counter.hex, []).append(counter)
        for number in touched:
            self._stacks.pop(number, None)
        self._stacks |= stacks
        for number, counters in stacks.items():
            for ident, place in self._stack(number, counters):
                if self._places.get(ident) != place:
                    found[f"@{ident}"] = self._places[ident] = place

    def _faces_changed(self, now: Mapping[str, HexCounter]) -> Iterator[tuple[str, Part]]:
        for ident, counter in now.items():
            old = self._counters.get(ident)
            if old is not counter:
                self._counters[ident] = counter
                value = self._value(counter)
                if old is None or self._value(old) != value:
                    yield f"c:{ident}", value

    def _value(self, counter: HexCounter) -> Part:
        made = self._values.get(counter)
        if made is None:
            drawn = draw_counter(counter, (0, 0), SIZE, self._faces)
            made = [drawn, counter.owner, self._words(counter), caption(counter)]
            self._values[counter] = made
        return made

    def _words(self, counter: HexCounter) -> str:
        """Return the description of a counter: the meaning of its corner figures, its type, and its condition."""
        facts = [counter.type_words]
        for figure, meaning in zip(counter.corners, self._first.corner_words, strict=True):
            sign, _, rest = meaning.partition(": ")
            if figure:
                facts.append(rest if sign == figure else f"{_SIDE_REMARK.sub('', meaning)} {figure}")
        return (
            f"{caption(counter)}: {', '.join([each for each in (*facts, *counter_facts(counter, rules=True)) if each])}"
        )

    def _stack(self, number: str, counters: list[HexCounter]) -> Iterator[tuple[str, str]]:
        """Yield the position of each counter of a hex: corner, size, order in the pile, and the hex."""
        order, last = self._order, len(self._order)
        counters = sorted(
            counters, key=lambda each: (order.get(each.owner, last), bool(each.aboard), len(each.id), each.id)
        )
        x, y = self._layout.center[number]
        for place, (counter, stand) in enumerate(zip(counters, stands(counters, self._faces.shape), strict=True)):
            yield counter.id, f"{x + stand.x} {y + stand.y} {stand.size} {place} {number}"

    # --- areas, markers, arrows, words ---

    def _held_changes(self, picture: HexPicture, found: dict[str, Part | None]) -> None:
        areas = tuple(area for area in picture.areas if area.kind == "held")
        if areas == self._held_areas:
            return
        now = {number: area.owner for area in areas for number in area.hexes if number in self._layout.center}
        found.update((f"h:{number}", owner) for number, owner in now.items() if self._held.get(number) != owner)
        found.update((f"h:{number}", None) for number in self._held if number not in now)
        self._held, self._held_areas = now, areas

    def _other_parts(self, picture: HexPicture) -> Iterator[tuple[str, Part]]:
        yield "t:moment", picture.subtitle
        yield "t:notes", list(picture.notes)
        others = [area for area in picture.areas if area.kind != "held"]
        for number, area in enumerate(others):
            known = self._areas.get(number)
            if known is None or known[0] != area:
                mark = mark_of(picture.powers, area.owner)
                shape = draw_area(area.kind, "", picture.power(area.owner), mark, area.note)
                hexes = " ".join(each for each in area.hexes if each in self._layout.center)
                known = self._areas[number] = area, [shape, cited(area.note, area.rule), hexes]
            yield f"a:{number}", known[1]
        for number, arrow in enumerate(picture.arrows):
            drawn = self._arrows.get(arrow)
            if drawn is None:
                drawn = self._arrows[arrow] = draw_arrows(self._layout, _only(picture, arrow))
            if drawn:
                yield f"r:{number}", drawn
        yield from self._marked(picture).items()

    def _marked(self, picture: HexPicture) -> Mapping[str, Part]:
        """Return the markers, which are moved aside in hexes with a counter."""
        taken = frozenset(self._stacks)
        if self._marks == picture.marks and (not picture.marks or taken == self._taken):
            return self._mark_parts
        center, found = self._layout.center, dict[str, Part]()
        for mark in picture.marks:
            if mark.hex in center:
                drawn = draw_mark(mark, center[mark.hex], self._layout.shape, aside=mark.hex in taken)
                name, count = "i" if mark.kind == "impact" else "m", 0
                while f"{name}:{mark.hex}.{count}" in found:
                    count += 1
                found[f"{name}:{mark.hex}.{count}"] = [drawn, cited(mark.note, mark.rule)]
        spreads = draw_spreads(self._layout, picture)
        if spreads:
            found["s:all"] = spreads
        self._marks, self._taken, self._mark_parts = picture.marks, taken, found
        return found

    # --- data that are on the page once ---

    def facts(self) -> dict[str, Any]:
        """Return the facts about the board for the page's scripts."""
        layout, first = self._layout, self._first
        names = {fill.kind: fill.name for fill in first.style.fills}
        words = {
            number: ", ".join(names.get(kind, kind) for kind in layout.ground.grounds[number])
            for number in layout.numbers
        }
        shape = SHAPES[layout.ground.layout]
        return {
            "kind": self.kind,
            "box": [0, 0, layout.width, layout.height],
            "ground": list(GROUND_LAYERS),
            "live": list(LIVE_LAYERS),
            "prefixes": LAYERS_BY_PREFIX,
            "size": SIZE,
            "places": {number: [*layout.center[number], words[number]] for number in layout.numbers},
            "names": _names(layout),
            "sides": shape.sides,
            "corners": shape.corners,
            "holding": next((area.rule for area in first.areas if area.kind == "held" and area.rule), ""),
            "held": {each.id: draw_area("held", "", each, mark_of(first.powers, each.id)) for each in first.powers},
            "powers": [[power.id, power.name, power.color] for power in first.powers],
            "paper": first.style.ground,
        }

    def legend(self) -> Svg:
        """Return the meaning of signs, as a separate drawing."""
        first = self._first
        bare = HexPicture(
            title="",
            ground=first.ground,
            powers=first.powers,
            style=first.style,
            counters=(*first.counters, *(counter for tray in first.trays for counter in tray.counters)),
            legend=first.legend,
            corner_words=first.corner_words,
            areas=first.areas,
            arrows=first.arrows,
        )
        layout = HexLayout(bare.ground, bare.part)
        layout.sheet, layout.tenths = LEGEND_WIDTH, 10
        drawn = draw_legend(bare, layout, self._faces)
        inner = group([drawn.drawing], transform=f"translate(0 {-layout.height})")
        box = f"-20 0 {LEGEND_WIDTH + 40} {drawn.height + 20}"
        return legend_svg(inner, box)

    def strength(self) -> dict[str, int]:
        """Return the number of counters of each side that are on the map now."""
        owners = Counter(counter.owner for counters in self._stacks.values() for counter in counters)
        return {power.id: 0 for power in self._first.powers} | owners

    def territory(self) -> dict[str, int]:
        """Return the number of hexes that each side holds now, or {} if no hex is held."""
        return dict(Counter(self._held.values()))


def cited(words: str, rule: str) -> str:
    """Return ``words`` followed by their rule, if there is one."""
    return f"{words} [{rule}]" if words and rule else words


def _names(layout: HexLayout) -> dict[str, str]:
    """Return the names of named hexes: towns, and areas of several hexes."""
    found: dict[str, str] = {}
    for name, numbers in layout.ground.places.items():
        for number in numbers:
            found[number] = f"{found[number]}, {name}" if number in found else name
    return found


def _only(picture: HexPicture, arrow: Any) -> HexPicture:
    """Return a picture of only an arrow, for the function that draws arrows."""
    return HexPicture(title="", ground=picture.ground, powers=picture.powers, arrows=(arrow,))
