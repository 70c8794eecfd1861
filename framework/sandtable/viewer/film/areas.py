"""A board of areas as named parts: from each picture to the next, only changes are drawn."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.viewer.areas.cells import cells
from sandtable.viewer.areas.connectors import draw_ways
from sandtable.viewer.areas.legend import draw_legend, legend_height, legend_width
from sandtable.viewer.areas.places import AreaFaces, describe, draw_place
from sandtable.viewer.areas.svg import borders, clip_land, coast, field, patterns, water
from sandtable.viewer.film.frames import Part, SharedParts
from sandtable.viewer.picture import Picture, Place
from sandtable.viewer.style import INK, PAPER, SEA, SERIF
from sandtable.viewer.svg import Svg, element, group, joined, legend_svg


class AreaFilm:
    """The film of one view of a board of areas."""

    kind = "areas"

    def __init__(self, first: Picture, stock: SharedParts) -> None:
        self._first, self._ident = first, stock.ident
        self._faces = stock.kept.setdefault("faces", AreaFaces(first, stock.ident))
        if stock.faces is None:
            cut = [clip_land(first, stock.ident)] if first.coast else []
            stock.faces, stock.fixed = self._faces, element("defs", *patterns(stock.ident), *cut)
        self._sides = cells(tuple((place.x, place.y) for place in first.places), first.width, first.height)
        self._last: Picture | None = None
        self._fields: dict[str, Part] = {}
        self._words: dict[str, Part] = {}

    def changes(self, picture: Picture) -> dict[str, Part | None]:
        """Return the parts of ``picture`` that differ from the previous picture."""
        last, found = self._last, dict[str, Part | None]()
        if last is None:
            found.update(self._ground(picture))
        elif last.links != picture.links:
            found["g:ways"] = draw_ways(replace(picture, moves=()))
        before = {place.id: place for place in last.places} if last else {}
        for number, place in enumerate(picture.places):
            if before.get(place.id) == place:
                continue
            drawn = joined(field(place, self._sides[number], picture, self._ident))
            if self._fields.get(place.id) != drawn:
                found[f"f:{place.id}"] = self._fields[place.id] = drawn
            words: Part = [draw_place(place, picture, self._faces), describe(place, picture, rules=True)]
            if self._words.get(place.id) != words:
                found[f"p:{place.id}"] = self._words[place.id] = words
        if last is None or last.moves != picture.moves:
            ordered = draw_ways(replace(picture, links=()))
            found["r:moves"] = ordered if picture.moves else None
        if last is None or last.subtitle != picture.subtitle:
            found["t:moment"] = picture.subtitle
        if last is None or last.notes != picture.notes:
            found["t:notes"] = list(picture.notes)
        self._last = picture
        return {key: value for key, value in found.items() if last is not None or value is not None}

    def _ground(self, picture: Picture) -> Iterator[tuple[str, Part]]:
        """Yield the layers under and over the fields of the places."""
        yield "g:water", water(picture)
        yield "g:borders", joined(borders(picture, self._sides))
        yield "g:coast", coast(picture)
        yield "g:ways", draw_ways(replace(picture, moves=()))

    def facts(self) -> dict[str, Any]:
        """Return the facts about the board for the page's scripts."""
        first = self._first
        return {
            "kind": self.kind,
            "box": [0, 0, first.width, first.height],
            "ground": ["water", "fields", "borders", "coast", "ways"],
            "live": ["arrows", "places"],
            "prefixes": {"f": "fields", "p": "places", "r": "arrows"},
            "serif": ["places"],
            "clip": {"fields": f"{self._ident}-land", "borders": f"{self._ident}-land"} if first.coast else {},
            "places": {place.id: [place.x, place.y, ""] for place in first.places},
            "names": {place.id: place.label for place in first.places},
            "powers": [[power.id, power.name, power.color] for power in first.powers],
            "paper": SEA if first.coast else PAPER,
        }

    def legend(self) -> Svg:
        """Return the meaning of signs, as a separate drawing."""
        bare = replace(self._first, notes=(), height=0, width=legend_width(2))
        box = f"0 0 {bare.width} {legend_height(bare)}"
        inner = group([draw_legend(bare, self._faces)], font_family=SERIF, fill=INK)
        return legend_svg(inner, box)

    def strength(self) -> dict[str, int]:
        """Return the number of units of each power that are on the map now."""
        found = {power.id: 0 for power in self._first.powers}
        for place in self._places():
            for counter in place.counters:
                if counter.owner in found:
                    found[counter.owner] += counter.count
        return found

    def territory(self) -> dict[str, int]:
        """Return the number of places that each power holds now."""
        return dict(Counter(place.owner for place in self._places() if place.owner))

    def _places(self) -> tuple[Place, ...]:
        return self._last.places if self._last else ()
