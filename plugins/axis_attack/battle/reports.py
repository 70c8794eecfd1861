"""The space of battle reports: that of the tabletop package, with losses platoon by platoon (AOA-10.01)."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable import Form, Refusal, Stream
from sandtable.tabletop import ANY_RULESET, DRAW, Brief, Result, Results, Terms, drawn_points, report_form

SOURCES = ("table", "resolver", ANY_RULESET)
"""The accepted sources of a result."""

FIELD_RULES = {
    "winner": "AOA-7.01",
    "points": "AOA-5.16",
    "platoons": "AOA-10.01",
    "short": "AOA-10.01",
    "recon_ahead": "AOA-8.04",
    "conceded": "AOA-5.22",
}
"""The rule that an error in a field of a result breaks."""


class Reports(Results):
    """The results that fit a brief and list losses platoon by platoon.

    Summed losses are refused, because levels of strength do not follow from them.
    """

    counts_attrition = False

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse results that the tabletop package refuses, and results with summed losses."""
        refusal = super().why_not(value)
        if refusal is None and value.short:
            reason = "levels cannot be computed from summed losses: write them platoon by platoon, in platoons"
            return Refusal(self.rules.get("short", self.rule), f"short: {reason}")
        return refusal

    def sample(self, stream: Stream) -> Result:
        """Draw a result that fits. Summed losses that the tabletop package draws are left out."""
        drawn: Result = super().sample(stream)
        if not drawn.short:
            return drawn
        points = drawn_points(self.brief, {}, self.draws) if drawn.winner == DRAW else drawn.points
        return replace(drawn, short={}, points=points)

    def values(self) -> Iterator[Result]:
        """Yield the outcomes without losses, and concessions."""
        return (each for each in super().values() if not each.short)


def report_space(brief: Brief) -> Form:
    """Return the space of the reports of a battle, which may be conceded before deployment (AOA-R28).

    In fair fights, draws score the points of the tabletop rules (AOA-R31).
    """
    terms = Terms(brief, concessions=True, sources=SOURCES)
    return report_form(Reports(terms, FIELD_RULES, "AOA-5.16"), "AOA-5.16")
