"""A campaign as one side sees it, prepared for queries; enemies are in the areas of the side's last report."""

from collections.abc import Sequence
from typing import NamedTuple

from khamsin.fog.views import FormationSeen, SheetSeen, SideView
from khamsin.model.cards import ENEMY, Board
from khamsin.model.state import ON_MAP, Formation, KhamsinState, Leader, Report, Sheet
from khamsin.ui.terms import piece_words
from sandtable import PlayError, listing, shown
from sandtable.notation import named
from sandtable.questions import unknown

REPORTED = "reported:"
"""Prefix of the id of a formation that represents reported enemies in an area."""


class Scene(NamedTuple):
    """A view as a state that the rules can query; its enemies are those that were reported."""

    view: SideView
    board: Board
    state: KhamsinState

    @classmethod
    def of(cls, view: SideView, board: Board) -> "Scene":
        """Return the scene of a view."""
        formations = {key: _own(seen) for key, seen in view.formations.items()}
        for area in _reported(view):
            enemy = Formation(ENEMY[view.side], 1, ON_MAP, area)
            formations[REPORTED + area] = enemy
        state = KhamsinState(
            turn=view.turn,
            phase=view.phase,
            options=dict(view.options),
            formations=formations,
            leaders={k: Leader(it.side, it.standing, it.area, it.returns) for k, it in view.leaders.items()},
            control=dict(view.control),
            interdicted=dict(view.interdicted),
            weather=view.weather,
            sheets={side: _sheet(it) for side, it in view.sheets.items()},
            reports={side: Report(it.turn, list(it.occupied)) for side, it in view.reports.items()},
            supply_on=list(view.supply_on),
            supply_off=list(view.supply_off),
            stocks=dict(view.stocks),
        )
        state.place_board(board)
        return cls(view, board, state)

    @property
    def knows_all(self) -> bool:
        """Whether the view is that of the umpire, who sees both sides."""
        return self.view.side not in ENEMY

    def enemies_in(self, side: str, area: str) -> bool:
        """Return whether enemies of a side are in an area, as far as the viewer knows."""
        there = self.state.formations.values()
        return any(it.side != side and (it.standing, it.area) == (ON_MAP, area) and it.strength for it in there)

    def find_formation(self, text: str) -> str:
        """Return the known formation whose id or title is, or begins with, ``text``, or ""."""
        return named(text, {each: piece_words(each, self.board) for each in self.view.formations})

    def formation(self, text: str) -> str:
        """Return the formation that a text names. Raises PlayError if no known formation has this name."""
        found = self.find_formation(text)
        if not found:
            raise unknown("formation of your side", text, sorted(self.view.formations))
        return found

    def find_area(self, text: str) -> str:
        """Return the area whose id or name is, or begins with, ``text``, or ""."""
        return named(text, self.board.names)

    def two(self, words: Sequence[str]) -> tuple[str, str]:
        """Return the formation and the area that the words name. Raises PlayError if they do not name both."""
        for count in range(1, len(words)):
            formation, area = self.find_formation(" ".join(words[:count])), self.find_area(" ".join(words[count:]))
            if formation and area:
                return formation, area
        formations = listing(sorted(self.view.formations), 12)
        raise PlayError(
            f"{shown(' '.join(words))} is not a formation of your side followed by an area. "
            f"Begin with {formations}, then name the area"
        )


def _own(seen: FormationSeen) -> Formation:
    values = {name: getattr(seen, name) for name in FormationSeen.__struct_fields__}
    return Formation(**values | {"path": list(values["path"])})


def _reported(view: SideView) -> Sequence[str]:
    report = view.reports.get(view.side)
    return () if report is None or view.side not in ENEMY else report.occupied


def _sheet(seen: SheetSeen) -> Sheet:
    return Sheet(leaders={key: list(path) for key, path in seen.leaders.items()})
