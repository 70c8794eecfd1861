"""Words for people: names of pieces and areas, companies by class, remarks on formations, states of engagements."""

from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Any

from khamsin.fog.views import EngagementSeen, FormationSeen, SideView
from khamsin.model.cards import INTEL_CLASSES, Board
from khamsin.model.state import IN_BASE, LOST, WAITING
from khamsin.model.tables import AFV_LESS_FROM, AFV_LESS_TWO_FROM, INEFFECTIVE, TIRED, WORN
from sandtable.pictures import counted, ended_sentence, in_words, listed, spaced

MOBILITY_WORDS = {"recon": "recon", "motor": "motor", "semi_motor": "semi-motor", "leg": "leg"}
MISSION_MODES = {"total_war": "one large battle", "linked": "linked tables"}
WITHDRAWAL_WORDS = {
    "stand": "stays to fight",
    "fighting": "chooses a fighting withdrawal",
    "precipitous": "withdraws precipitously",
    "recon": "slips away",
}
ENDING_WORDS = {
    "objective": "a victory condition about areas is met",
    "broken": "the enemy's formations are broken",
    "position": "better position after the last turn",
    "even": "neither side is ahead",
}
BOTH_MET = "both sides met a victory condition in the same turn"
SCALE_WORDS = {"double": "by double or more", "more": "by less than double", "even": "even"}
MODIFIERS = {
    "out_of_supply": "out of supply",
    "attrition_40": "attrition of 40 or more",
    "attrition_60": "attrition of 60 or more",
}


def side_words(side: str, board: Board) -> str:
    """Return the side with its article, such as "the Axis"."""
    return f"the {board.sides[side]}" if side in board.sides else f"the {in_words(side)}"


def whole_of(piece: str, board: Board) -> str:
    """Return the formation that a piece is part of, such as "70_div" for "70_div_2", or the piece itself (KH-R117)."""
    parent, _, number = piece.rpartition("_")
    is_part = piece not in board.formations and number.isdigit() and parent in board.formations
    return parent if is_part else piece


def piece_words(piece: str, board: Board) -> str:
    """Return the title of a formation, of a part of one, or of a leader; an unknown piece keeps its id, in words."""
    whole = whole_of(piece, board)
    if whole in board.formations:
        title = board.formations[whole].title
        return title if whole == piece else f"a part of {title}"
    return board.leaders[piece].title if piece in board.leaders else in_words(piece)


def pieces_words(pieces: Iterable[str], board: Board) -> str:
    """Return titles as a list, or "none" if there are no pieces."""
    return listed(piece_words(each, board) for each in pieces) or "none"


def area_words(area: str, board: Board) -> str:
    """Return the name of an area."""
    return board.names.get(area, in_words(area))


def areas_words(areas: Iterable[str], board: Board) -> str:
    """Return names of areas as a list, or "nowhere" if there are none."""
    return listed(area_words(each, board) for each in areas) or "nowhere"


def place_words(engagement: str, board: Board) -> str:
    """Return the place of an engagement, read from its id: an area, or the connector between two areas."""
    here, _, there = engagement.partition("~")
    between = f"the connector between {area_words(here, board)} and {area_words(there, board)}"
    return between if there else area_words(here, board)


def at_words(engagement: str, board: Board) -> str:
    """Return an engagement's place with preposition: "at Gambut", "on the connector between Gambut and Sollum"."""
    return f"{'on' if '~' in engagement else 'at'} {place_words(engagement, board)}"


def by_area(areas: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the pieces in each area."""
    found: dict[str, list[str]] = {}
    for piece, area in areas.items():
        found.setdefault(area, []).append(piece)
    return found


def path_words(path: Iterable[str], board: Board) -> str:
    """Return a path in words: "Gambut - Sidi Rezegh - El Adem". Its first area may be "off the map"."""
    return " - ".join(area_words(each, board) if each else "off the map" for each in path)


def composition_words(classes: Mapping[str, int]) -> str:
    """Return companies by class in words: "3 armor and 2 infantry companies" (KH-6.05), or "no companies"."""
    texts = [f"{classes[name]} {name}" for name in reversed(INTEL_CLASSES) if classes.get(name)]
    if not texts:
        return "no companies"
    return f"{listed(texts)} {'company' if sum(classes.values()) == 1 else 'companies'}"


def score_words(points: Mapping[str, int], board: Board) -> str:
    """Return scores by side in words: "Axis 5, Commonwealth 2"."""
    return ", ".join(f"{board.sides.get(side, side)} {number}" for side, number in points.items())


def outcome_words(view: SideView, board: Board) -> str:
    """Return the sentence for the end of a campaign with its reason.

    A draw may mean that both sides met a victory condition (KH-R110).
    """
    aims = enumerate(board.victory.conditions)
    won = {aim.side for number, aim in aims if view.held.get(str(number), 0) >= getattr(aim, "turns", 1)}
    if view.outcome == "draw":
        return ended_sentence("draw", BOTH_MET if len(won) > 1 else ENDING_WORDS.get(view.ending, view.ending))
    return ended_sentence(board.sides[view.outcome], ENDING_WORDS.get(view.ending, view.ending))


def signed(number: int) -> str:
    """Return a number with its sign, such as "+1"."""
    return f"{number:+d}"


def modifier_words(modifiers: Iterable[tuple[str, int]], board: Board) -> str:
    """Return modifiers such as " (out of supply -1, Rommel +1)", or "" if there are none."""
    texts = [f"{MODIFIERS.get(name) or piece_words(name, board)} {signed(value)}" for name, value in modifiers]
    return f" ({', '.join(texts)})" if texts else ""


def attrition_words(armor: int, general: int) -> str:
    """Return attrition in words: "4 armor and 3 general attrition", or "no attrition"."""
    texts = [f"{points} {kind}" for points, kind in ((armor, "armor"), (general, "general")) if points]
    return f"{listed(texts) or 'no'} attrition"


# --- sentences of events ---

FIELDS: dict[str, Callable[[Any, Board], str]] = {
    "piece": piece_words,
    "pieces": pieces_words,
    "area": area_words,
    "areas": areas_words,
    "side": side_words,
    "sides": lambda sides, board: listed(side_words(each, board) for each in sides),
    "at": at_words,
    "place": place_words,
    "path": path_words,
    "score": score_words,
    "modifiers": modifier_words,
    "turn": lambda turn, board: board.label(turn),
    "die": lambda die, _: f" (die: {die})" if die else "",
    "dice": lambda dice, _: spaced(dice),
    "list": lambda values, _: listed(map(str, values)),
    "words": lambda text, _: in_words(text),
    "weather": lambda key, board: board.weather.cards[key].title if key in board.weather.cards else in_words(key),
    "withdrawal": lambda how, _: WITHDRAWAL_WORDS.get(how, in_words(how)),
    "mode": lambda mode, _: MISSION_MODES[mode],
    "scale": lambda scale, _: SCALE_WORDS[scale],
}
"""Functions that put a field of an event into words, by format. Any other format is a noun, as in ``{number:action}``.
"""


class Filled(Formatter):
    """A formatter that fills fields of an event into a sentence such as ``{leader:piece} returns at {area:area}``."""

    def __init__(self, event: Any, board: Board) -> None:
        self.event, self.board = event, board

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:  # noqa: ARG002 - as Formatter calls it
        """Return a field of the event."""
        return getattr(self.event, str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a field in words."""
        if format_spec in FIELDS:
            return FIELDS[format_spec](value, self.board)
        return counted(value, *format_spec.split(",")) if format_spec else str(value)


# --- obligations and burdens of a formation ---


def remarks(piece: str, it: FormationSeen, board: Board, turn: int) -> list[str]:
    """Return remarks on a formation that matter to its commander this turn, the most pressing first."""
    if it.standing == LOST:
        return ["out of the campaign"]
    if it.standing == IN_BASE:
        return [f"ineffective, in the base until its attrition is below {INEFFECTIVE}"]
    if it.standing == WAITING:
        return [_coming(it, board, piece, turn)]
    card = board.formations[it.parent or piece]
    until = f"until {board.label(card.held_until)}" if card.held_until <= board.turns else "for the campaign"
    texts = {
        f"OUT OF SUPPLY for {it.cut} turn{'s' if it.cut != 1 else ''}": not it.supplied,
        "must regroup": it.regroup,
        "must regroup next turn": it.regroup_next,
        "must still rest for a turn (doctrine)": it.doctrine,
        "took replacements: may not move": it.mark == "stationary",
        "took replacements: may move": it.mark == "moving",
        "is assimilating replacements": it.assimilating,
        "overwhelmed its enemy: has an advantage this turn": it.overwhelmed,
        "overwhelmed its enemy: will have an advantage next turn": it.overwhelmed_now,
        f"held in its area {until}": card.held_until > turn,
    }
    return [words_of for words_of, applies in texts.items() if applies]


def _coming(it: FormationSeen, board: Board, piece: str, turn: int) -> str:
    card = board.formations[it.parent or piece]
    if not card.enters:
        return "not deployed yet"
    at = areas_words(card.entries[:1], board)
    if it.delayed:
        return f"delayed: waits for {at}, or enters by assault" if card.enters < turn else f"delayed: waits for {at}"
    also = f" (or {areas_words(card.entries[1:], board)})" if card.entries[1:] else ""
    return f"arrives on {board.label(card.enters)} at {at}{also}"


def burden(armor: int, general: int) -> str:
    """Return the present effects of attrition on a formation, or "" if there are no effects (KH-22)."""
    total = armor + general
    if total >= WORN:
        return "one stand fewer in each platoon, activation -2"
    fewer = "two vehicles" if armor >= AFV_LESS_TWO_FROM else "one vehicle" if armor >= AFV_LESS_FROM else ""
    texts = [f"{fewer} fewer in each armored platoon"] if fewer else []
    return ", ".join([*texts, "activation -1"] if total >= TIRED else texts)


# --- engagements ---


def state_words(it: EngagementSeen, board: Board) -> str:
    """Return the progress of an engagement, or its result."""
    if it.scale:
        won = f"{side_words(it.winner, board)} won {SCALE_WORDS[it.scale]}" if it.winner else "neither side won"
        return f"{won} ({score_words(it.points, board)})"
    if it.over:
        return "ended without a fight"
    if it.mission:
        return f"{it.mission}, {len(it.actions)} of {it.number} actions fought"
    return "not fought yet"
