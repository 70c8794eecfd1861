"""The drawing, the narration, the typed orders, and the table that ``explain`` shows."""

from typing import Any

import sandtable as st
from hill import COLUMNS, RESULTS, Attack, BattleFought, Halt, March, Retreat, UnitMarched, game
from hill.ground import Ground
from sandtable.pictures import HexArea, HexCounter, HexEntry, HexPicture, Power, hexes_svg, hexes_text, listed

POWERS = (Power("red", "Red", "R", "#b5473c", "#f0d8d4"), Power("blue", "Blue", "B", "#3f6fa8", "#d6e2f2"))


@game.hook("draw")
def draw(view: dict[str, Any], board: Ground, style: str) -> str | None:
    """Return the board as "text" or "svg"."""
    counters = tuple(
        HexCounter(name, side, number, "infantry", "infantry", "i", ("", "", str(strength), ""), caption=name)
        for name, (side, number, strength) in view["units"].items()
    )
    picture = HexPicture(
        title="The hill",
        ground=board.map,
        powers=POWERS,
        counters=counters,
        areas=(HexArea("goal", (board.hill,), note="Hill 40"),),
        legend=(HexEntry("goal", "the hill: the side that holds it at the end wins"),),
        corner_words=("", "", "strength", ""),
    )
    return {"text": hexes_text, "svg": hexes_svg}[style](picture) if style in {"text", "svg"} else None


@game.hook("narrate")
def narrate(record: Any) -> str | None:
    """Return a sentence for marches and battles; the framework narrates the rest."""
    event = getattr(record, "event", None)
    if isinstance(event, UnitMarched):
        return f"{event.unit} marches to {event.path[-1]}."
    if isinstance(event, BattleFought):
        return f"{listed(event.units)} attack {event.target} and roll {event.die}: {event.result}."
    return None


NOTATION = st.notation.Notation(
    st.notation.Verb("march, m", March),  # m r1 0105 0204
    st.notation.Verb("attack, a", Attack),  # a b1 r1 r2
    st.notation.Verb("retreat", Retreat),
    st.notation.Verb("halt, h", Halt()),
)


@game.hook("read_order")
def read_order(decision: st.Decision, text: str, board: Ground) -> st.Order | str | None:
    """Return the order that was typed, or the notation for "?"."""
    return NOTATION.read_order(decision, text, board)


@game.hook("table")
def table(name: str) -> st.PrintedTable | None:
    """Return the table of results (HI-6)."""
    rows = {str(die): results for die, results in RESULTS.items()}
    return st.PrintedTable(COLUMNS, rows) if name == "results" else None
