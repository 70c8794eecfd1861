"""Draw one place of an area map: name above its mark, owner, value and badges beside it, counters below."""

from itertools import groupby

from sandtable.viewer.areas.counters import SIDE, badge_width, draw_badge, face, site
from sandtable.viewer.faces import CounterFaces
from sandtable.viewer.picture import Counter, Picture, Place, Point
from sandtable.viewer.side_marks import mark_of
from sandtable.viewer.style import ALARM, CODE_INK, HALO, INK, PAPER, SANS, WASTE_INK
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, label, text_node

LABEL_SIZE, LABEL_LEADING, LONGEST_LINE = 25, 25, 13
IN_SITE = {"city", "capital"}
# Counters in a row, and their size, by the number of counters in the place: many are drawn smaller.
ROW_SIZES = ((6, 4, 45), (12, 4, 37), (25, 5, 30))
MAX_ROW, MAX_SIZE = 8, 24


class AreaFaces(CounterFaces):
    """The faces that a picture uses."""

    def __init__(self, picture: Picture, ident: str) -> None:
        super().__init__(f"{ident}-face", SIDE)
        self._picture, self.ident = picture, ident
        owners = {(counter.symbol, counter.owner) for place in picture.places for counter in place.counters}
        shown = {(entry.key, "") for entry in picture.legend if entry.kind in {"counter", "down"}}
        for symbol, owner in sorted(owners | shown):
            self._name(symbol, owner)

    def _name(self, symbol: str, owner: str) -> str:
        picture = self._picture
        return self.named((symbol, owner), lambda: face(symbol, picture.power(owner), mark_of(picture.powers, owner)))

    def use(self, symbol: str, owner: str, x: int, y: int, size: int) -> Svg:
        """Return the face at a position; a new face is added to the definitions."""
        return element("use", href=f"#{self._name(symbol, owner)}", x=x, y=y, width=size, height=size)


def draw_place(place: Place, picture: Picture, faces: AreaFaces) -> Svg:
    """Return a place with everything in it."""
    kinds = frozenset(badge.kind for badge in place.badges)
    parts = [element("title", text_node(describe(place, picture)))]
    lines = name_lines(place.label)
    rise = 24 if "capital" in kinds else 20
    for number, line in enumerate(lines):
        y = place.y - rise - LABEL_LEADING * (len(lines) - 1 - number)
        style: dict[str, Attribute] = {"font_weight": "bold", "fill": INK}
        if place.ground != "open":
            style = {"font_style": "italic", "fill": WASTE_INK}
        parts.append(label(line, (place.x, y), LABEL_SIZE, style, HALO))
    if place.ground == "open":
        parts.append(site(kinds, (place.x, place.y)))
        parts.append(_pill(place, picture))
    parts.append(_beside(place))
    parts.append(_counters(place, faces))
    return group(parts, data_place=place.id)


def describe(place: Place, picture: Picture, *, rules: bool = False) -> str:
    """Return the description of a place and its signs in one line, as in its tooltip.

    ``rules`` adds the rule of each sign.
    """
    power = picture.power(place.owner)
    facts = [power.name if power else "", f"{picture.value_word} {place.value}" if place.value else ""]
    cited = [(badge.note, badge.rule) for badge in place.badges]
    cited += [(counter_words(counter), counter.rule) for counter in place.counters]
    facts += [f"{note} [{rule}]" if rules and note and rule else note for note, rule in cited]
    facts_text = "; ".join(fact for fact in facts if fact)
    return f"{place.label}: {facts_text}" if facts_text else place.label


def counter_words(counter: Counter) -> str:
    """Return a counter in words: "3 infantry (laid down)"."""
    noun = f"{counter.count} {counter.name or counter.symbol}"
    return f"{noun} ({counter.note})" if counter.note else noun


def name_lines(name: str) -> list[str]:
    """Return a name in one line, or a long name in two lines, broken near its middle."""
    breaks = [at + 1 for at, letter in enumerate(name) if letter in " -"]
    if len(name) <= LONGEST_LINE or not breaks:
        return [name]
    middle = min(breaks, key=lambda at: (abs(2 * at - len(name)), at))
    return [name[:middle].rstrip(" "), name[middle:]]


def _pill(place: Place, picture: Picture) -> Svg:
    """Return the sign of owner and value to the left of the place's mark."""
    power = picture.power(place.owner)
    if power is None:
        return Svg("")
    x, y = place.x - 22, place.y
    letters: dict[str, Attribute] = {"font_family": SANS, "font_weight": "bold", "fill": INK}
    plate: dict[str, Attribute] = {"y": y - 13, "height": 26, "stroke": INK, "stroke_width": 2}
    worth = []
    if place.value:
        wide = 12 + 12 * len(str(place.value))
        x -= wide
        worth.append(element("rect", x=x, width=wide, fill=PAPER, **plate))
        worth.append(label(str(place.value), (x + wide // 2, y + 7), 20, letters))
    owner = element("rect", x=x - 24, width=25, fill=power.color, **plate)
    return joined([owner, label(power.letter[:2], (x - 12, y + 7), 19, letters), *worth])


def _beside(place: Place) -> Svg:
    """Return the short code to the right of the place's mark, followed by the badges."""
    parts = []
    x = place.x + 20
    if place.sublabel:
        style: dict[str, Attribute] = {"text_anchor": "start", "font_family": SANS, "fill": CODE_INK}
        parts.append(label(place.sublabel, (x, place.y + 6), 18, style, HALO))
        x += 6 + 13 * len(place.sublabel)
    for badge in place.badges:
        if badge.kind not in IN_SITE:
            wide = badge_width(badge)
            parts.append(draw_badge(badge, (x + wide // 2, place.y)))
            x += wide + 4
    return joined(parts)


def _counters(place: Place, faces: AreaFaces) -> Svg:
    """Return the counters in rows under the place. If one row is not enough, each owner's begin a new one."""
    number = len(place.counters)
    row, size = next(((row, size) for most, row, size in ROW_SIZES if number <= most), (MAX_ROW, MAX_SIZE))
    owners = groupby(place.counters, key=lambda counter: counter.owner if number > row else "")
    stacks = [list(owned) for _, owned in owners]
    rows = [stack[at : at + row] for stack in stacks for at in range(0, len(stack), row)]
    step = size + 2
    drawn = (
        draw_counter(counter, (place.x - len(line) * step // 2 + at * step, place.y + 20 + down * step), size, faces)
        for down, line in enumerate(rows)
        for at, counter in enumerate(line)
    )
    return group(drawn, class_="as-printed")


def draw_counter(counter: Counter, at: Point, size: int, faces: AreaFaces) -> Svg:
    """Return a counter with its count. A counter that is ``down`` is tilted; a mark is on a tab at its corner."""
    x, y = at
    middle, tab = x + size // 2, size * 16 // 40
    bold: dict[str, Attribute] = {"font_family": SANS, "font_weight": "bold", "fill": INK}
    parts = [faces.use(counter.symbol, counter.owner, x, y, size)]
    parts.append(label(str(counter.count), (middle - 1, y + size * 36 // 40), size * 16 // 40, bold))
    if counter.mark:
        parts.append(element("rect", x=middle, y=y - 5, width=size // 2 + 2, height=tab, fill=ALARM, rx=3))
        parts.append(label(counter.mark[:2], (x + size * 3 // 4 + 1, y + tab - 9), tab - 4, bold | {"fill": PAPER}))
    turned: dict[str, Attribute] = {"transform": f"rotate(-18 {middle} {y + size // 2})"} if counter.down else {}
    return group(parts, **turned)
