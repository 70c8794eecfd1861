"""Plots in the notation of the book: "D5 VD", "N 0704/38", "L 0304", "P 0603", "M 0506", "Q C", "C" (KP-5.4a).

Blanks and commas are needed only to separate tokens that would otherwise run together, and lower case is accepted
(KP-5.1b). This module parses plots and writes their canonical form. ``legality`` decides whether a plot is legal.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple, NoReturn

from msgspec import Struct

from sandtable import IllegalOrder, shown

LETTERS = "ABCDEF"
"""The six directions clockwise; A is north."""
STOP = "S"
LONGEST = 120
"""Maximum number of characters of a plot; a longer text is not parsed."""
MOST = 99
"""Maximum number of hexes in one direction, or of points of one halt."""

_FIRE = {"N": "direct", "T": "tight", "L": "loose", "P": "opportunity"}
_HEX_DIGITS, _UNIT_DIGITS = 4, 6
_DIGITS = tuple("0123456789")


class Plot(Struct, frozen=True, gc=False):
    """A parsed plot. ``kind`` is one of ``KINDS``; ``text`` is the canonical form.

    ``legs`` are pairs such as ("D", 5), or ("S", 2) for a halt of two points. ``entry`` is the hex by which a unit
    enters the map. ``overrun`` is the direction of the hex to overrun. ``hex`` is the target, pick-up or drop hex,
    ``target`` the single unit that is fired at, ``facing`` a new facing. Fields that do not apply are empty.
    """

    kind: str
    text: str
    legs: tuple[tuple[str, int], ...] = ()
    entry: str = ""
    overrun: str = ""
    hex: str = ""
    target: str = ""
    facing: str = ""

    @property
    def is_movement(self) -> bool:
        """Whether it is a movement plot, including an overrun (KP-5.22a)."""
        return self.kind in MOVEMENT

    @property
    def is_fire(self) -> bool:
        """Whether it is fire of any kind, except for overruns (KP-5.21b)."""
        return self.kind in FIRE


KINDS = ("move", "overrun", "direct", "tight", "loose", "opportunity", "embark", "debark", "facing")
MOVEMENT = ("move", "overrun")
FIRE = ("direct", "tight", "loose", "opportunity")


def legs_of(letters: Iterable[str]) -> str:
    """Return single directions as a plot, such as "D2 E1" for D, D, E."""
    return " ".join(f"{letter}{len(list(run))}" for letter, run in groupby(letters))


@lru_cache(maxsize=1 << 15)
def parse_plot(text: str) -> Plot:
    """Return the plot in ``text``. Raises IllegalOrder with the rule, and the position of the error if there is one."""
    if len(text) > LONGEST:
        raise IllegalOrder("KP-5.0h", f"{shown(text, 20)} is too long for a plot: write up to {LONGEST} characters")
    plot = _parse_canonical(text)
    if plot is not None:
        return plot
    reader = _Reader(text)
    if not reader.tokens:
        raise IllegalOrder("KP-5.0i", "the plot is empty: leave the unit out if it does nothing")
    first = reader.tokens[0].text
    if first in _FIRE:
        return _read_fire(reader)
    if first == "M":
        return _read_embark(reader)
    if first == "Q":
        return _read_debark(reader)
    if len(reader.tokens) == 1 and first in LETTERS:
        return Plot("facing", first, facing=first)
    return _read_movement(reader)


_SHOT = re.compile(r"([TLP]) ([0-9]{4})|N ([0-9]{4})(?:/([1-9][0-9]{0,5}))?")
_MOVE = re.compile(r"(?:([0-9]{4}) )?((?:[A-FS][1-9][0-9]? )*)(?:V([A-F]) )?")
_LEG = re.compile(r"([A-FS])([0-9]+) ")


def _parse_canonical(text: str) -> Plot | None:
    """Return the plot of a shot or a move in canonical form, or None for other texts, which need the full parser."""
    shot = _SHOT.fullmatch(text)
    if shot is not None:
        letter, hex_, aim, target = shot.groups()
        return Plot(_FIRE[letter or "N"], text, hex=hex_ or aim, target=target or "")
    move = _MOVE.fullmatch(text + " ")
    if move is None:
        return None
    entry, row, overrun = move.groups()
    legs = tuple((letter, int(count)) for letter, count in _LEG.findall(row))
    is_halt = not entry and not overrun and all(letter == STOP for letter, _ in legs)
    if is_halt or any(leg[0] == after[0] for leg, after in pairwise(legs)):
        return None
    return Plot("overrun" if overrun else "move", text, legs, entry or "", overrun or "")


class _Token(NamedTuple):
    text: str
    place: int


class _Reader:
    """The letters, numbers and slashes of a text, one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[_Token] = []
        self.place = 0
        number_open = False
        for place, mark in enumerate(text.upper() if text.isascii() else text):
            is_digit = mark in _DIGITS
            if is_digit and number_open:
                self.tokens[-1] = _Token(self.tokens[-1].text + mark, self.tokens[-1].place)
            elif mark not in " ,\t":
                self.tokens.append(_Token(mark, place))
            number_open = is_digit

    @property
    def now(self) -> str:
        """The current token, or "" at the end."""
        return self.tokens[self.place].text if self.place < len(self.tokens) else ""

    @property
    def at_number(self) -> bool:
        """Whether the current token is a number."""
        return self.now[:1] in _DIGITS

    def take(self) -> str:
        """Return the current token and advance."""
        self.place += 1
        return self.tokens[self.place - 1].text

    def refuse(self, rule: str, reason: str) -> NoReturn:
        """Raise IllegalOrder with the position of the current token."""
        place = self.tokens[self.place].place if self.place < len(self.tokens) else len(self.text.rstrip())
        raise IllegalOrder(rule, f"character {place + 1} of {shown(repr(self.text), LONGEST + 2)}: {reason}")

    def hex(self, rule: str, what: str) -> str:
        """Take a hex number. Raises IllegalOrder if the current token is not one."""
        if len(self.now) != _HEX_DIGITS or not self.at_number:
            self.refuse(rule, f"{what} is missing here: a hex has four digits, column and row, such as 0304")
        return self.take()

    def end(self, rule: str, reason: str) -> None:
        """Raise IllegalOrder if a token is left."""
        if self.now:
            self.refuse(rule, f"nothing may follow here: {reason}")


def _read_fire(reader: _Reader) -> Plot:
    letter = reader.take()
    target_hex = reader.hex("KP-5.21b", f"the target hex of {letter}")
    target = ""
    if letter == "N" and reader.now:
        if reader.now == "/":
            reader.take()
        if not reader.at_number or len(reader.now) > _UNIT_DIGITS:
            reader.refuse("KP-5.21d", "the number of the target unit is missing, as in N 0704/38")
        target = str(int(reader.take()))
    reader.end("KP-5.0b", "fire is a letter and a hex, and a unit has one operation per turn")
    text = f"{letter} {target_hex}" + (f"/{target}" if target else "")
    return Plot(_FIRE[letter], text, hex=target_hex, target=target)


def _read_embark(reader: _Reader) -> Plot:
    reader.take()
    if not reader.now:
        return Plot("embark", "M")
    pick_up = reader.hex("KP-5.31c", "the hex where the vehicle picks up")
    reader.end("KP-5.31c", "write M alone, or with one hex for the vehicle")
    return Plot("embark", f"M {pick_up}", hex=pick_up)


def _read_debark(reader: _Reader) -> Plot:
    reader.take()
    if not reader.now:
        return Plot("debark", "Q")
    if reader.now in LETTERS:
        facing = reader.take()
        reader.end("R-KP-34", "Q takes one facing")
        return Plot("debark", f"Q {facing}", facing=facing)
    drop = reader.hex("KP-5.32b", "the hex that the vehicle goes to, or the facing of a gun,")
    reader.end("KP-5.32b", "write Q alone, with one facing for a gun, or with one hex for the vehicle")
    return Plot("debark", f"Q {drop}", hex=drop)


def _read_movement(reader: _Reader) -> Plot:
    entry = reader.hex("KP-14.0d", "a direction (as in C2) or an entry hex") if reader.at_number else ""
    legs: list[tuple[str, int]] = []
    overrun = ""
    while reader.now and not overrun:
        letter = reader.now
        if letter == "V":
            reader.take()
            if not reader.now or reader.now not in LETTERS:
                reader.refuse("KP-5.22c", "the direction of the hex to be overrun is missing: a letter A to F")
            overrun = reader.take()
        elif letter == STOP or letter in LETTERS:
            reader.take()
            _add_leg(legs, letter, _number(reader, letter), reader)
        else:
            _refuse_token(reader)
    if overrun:
        reader.end("KP-9.62b", "a unit stops behind the hex that it overran")
    elif not entry and all(letter == STOP for letter, _ in legs):
        reader.place = 0
        reader.refuse("KP-5.1c", "a halt must be part of a move: add the move, such as S2 D3")
    parts = ([entry] if entry else []) + [f"{letter}{count}" for letter, count in legs]
    parts += [f"V{overrun}"] if overrun else []
    return Plot("overrun" if overrun else "move", " ".join(parts), tuple(legs), entry, overrun)


def _number(reader: _Reader, letter: str) -> int:
    """Take the number that belongs to a direction or halt."""
    what = "points" if letter == STOP else "hexes"
    rule = "KP-5.1c" if letter == STOP else "KP-5.1a"
    if not reader.at_number:
        reader.refuse(rule, f"a number of {what} must follow {letter}, such as {letter}2")
    if len(reader.now) > _UNIT_DIGITS or not 1 <= int(reader.now) <= MOST:
        reader.refuse(rule, f"write 1 to {MOST} {what}")
    return int(reader.take())


def _add_leg(legs: list[tuple[str, int]], letter: str, count: int, reader: _Reader) -> None:
    """Add a leg; the same letter twice in a row makes one leg (KP-5.1b)."""
    if legs and legs[-1][0] == letter:
        count += legs.pop()[1]
        if count > MOST:
            reader.place -= 1
            reader.refuse("KP-5.1a", f"that makes {count} in direction {letter}: the maximum is {MOST}")
    legs.append((letter, count))


def _refuse_token(reader: _Reader) -> NoReturn:
    now = reader.now
    if reader.at_number:
        reader.refuse(
            "KP-5.1a", "a number must follow a direction A to F or a halt S, such as C2; only an entry hex comes first"
        )
    before = [token.text for token in reader.tokens[: reader.place]]
    if (now in _FIRE or now in ("M", "Q")) and len(before) == 1 and len(before[0]) == _HEX_DIGITS:
        reader.refuse("KP-5.4a", f"the letter comes before its hex: write {now} {before[0]}")
    if now in _FIRE or now in ("M", "Q"):
        reader.refuse("KP-5.0b", f"{now} is a second operation: a unit has one operation per turn")
    reader.refuse("KP-5.4a", f"{shown(now)} is not a letter of a plot: write A to F, N, T, L, P, V, M, Q or S")
