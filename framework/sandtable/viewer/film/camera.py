"""Pictures of a game as one viewer sees it, and the additions since a mark, for pages and for live play.

follower = Follower(prepared)
camera = follower.camera("german")
follower.follow(game.records)       # after each order
news = camera.since(mark)           # send it, and keep news.mark
"""

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.journal.fold import fold_steps
from sandtable.kernel.records import WITH_EVENT, first_undone
from sandtable.kernel.state import State
from sandtable.plugin.manager import Prepared
from sandtable.viewer.film.areas import AreaFilm
from sandtable.viewer.film.drawn import DrawnFilm
from sandtable.viewer.film.frames import Frames, Part, SharedParts
from sandtable.viewer.film.hexes import HexFilm
from sandtable.viewer.hexes.picture import HexPicture
from sandtable.viewer.picture import Picture
from sandtable.viewer.svg import Svg

Board = HexFilm | AreaFilm | DrawnFilm


class FilmMark(NamedTuple):
    """A point in a camera's film: the number of its keys, frames, values and faces up to there."""

    keys: int = 0
    frames: int = 0
    values: int = 0
    faces: int = 0


class FilmUpdate(NamedTuple):
    """The additions to a film since a mark; ``mark`` is its new end.

    Append ``keys``, ``frames`` and ``values`` to the known ones (see ``Frames``). ``defined`` is markup that the new
    values use.
    """

    mark: FilmMark
    keys: list[str]
    frames: list[list[int]]
    values: list[Part]
    defined: Svg


class Camera:
    """A recorder of the board as ``viewer`` sees it: a side, the umpire, or PUBLIC for spectators.

    A picture is made only from the viewer's view. A ``stock`` may be shared by cameras whose films go to the same
    person: gaps in a film's numbers reveal what else is in its stock.
    """

    def __init__(self, prepared: Prepared, viewer: str, stock: SharedParts | None = None) -> None:
        self._prepared, self.viewer = prepared, viewer
        self._stock = stock or SharedParts()
        self._picture = prepared.installed.ui.picture
        self._draws = True
        self.frames = Frames(self._stock)
        self.board: Board | None = None

    def take(self, number: int, state: State) -> None:
        """Take a picture after record ``number``, and store the changes since the last one."""
        if not self._draws:
            return
        prepared = self._prepared
        view = prepared.ruleset.view(state, self.viewer)
        drawing: Any = None
        if self._picture:
            drawing = self._picture(view, state.board)
        else:
            drawing = prepared.installed.draw(view, state.board, "svg")
        if drawing is None:
            self._draws = False
            return
        if self.board is None:
            self.board = _board_for(drawing, self._stock)
        self.frames.add(number, self.board.changes(drawing))

    def since(self, mark: FilmMark = FilmMark()) -> FilmUpdate:  # noqa: B008 - it is immutable
        """Return the additions after ``mark`` (default: the whole film)."""
        frames, stock = self.frames, self._stock
        faces = len(stock.faces) if stock.faces else 0
        defined = Svg("")
        if mark == FilmMark():
            defined = stock.defined()
        elif stock.faces and faces > mark.faces:
            defined = stock.faces.defined(start=mark.faces)
        return FilmUpdate(
            FilmMark(len(frames.keys), len(frames.frames), len(stock.values), faces),
            frames.keys[mark.keys :],
            frames.frames[mark.frames :],
            stock.values[mark.values :],
            defined,
        )

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the counts of the current board, by name."""
        if self.board is None:
            return {}
        found = {"strength": self.board.strength(), "territory": self.board.territory()}
        return {name: counted for name, counted in found.items() if counted}


def _board_for(drawing: Any, stock: SharedParts) -> Board:
    """Return a new film for drawings of the kind of ``drawing``."""
    if isinstance(drawing, HexPicture):
        return HexFilm(drawing, stock)
    return AreaFilm(drawing, stock) if isinstance(drawing, Picture) else DrawnFilm(drawing)


class Follower:
    """The cameras of a running game, which it leads from record to record with its own copy of the state.

    Each camera has its own stock; only the ground of the map is shared by all.
    """

    def __init__(self, prepared: Prepared) -> None:
        self._prepared = prepared
        self._records: list[Any] = []
        self._state = self._first()
        self._cameras: dict[str, Camera] = {}
        self._grounds: dict[Any, Any] = {}

    def camera(self, viewer: str) -> Camera:
        """Return the camera of ``viewer``; a new camera first takes all pictures up to now."""
        if viewer not in self._cameras:
            camera = self._cameras[viewer] = self._new_camera(viewer)
            camera.take(0, self._first())
            for record, state in fold_steps(self._records, self._prepared):
                if _is_shown(record):
                    camera.take(record.n, state)
        return self._cameras[viewer]

    def _new_camera(self, viewer: str) -> Camera:
        stock = SharedParts()
        stock.kept["grounds"] = self._grounds
        return Camera(self._prepared, viewer, stock)

    def try_out(self, state: State) -> None:
        """Draw ``state`` once as each camera would, and keep nothing. Raises what a drawing raises."""
        for viewer in self._cameras:
            self._new_camera(viewer).take(0, state)

    def follow(self, records: Sequence[Any]) -> None:
        """Take pictures of the new records in ``records``, the whole game so far; undone orders are shown as undone."""
        new = records[len(self._records) :]
        self._records += new
        if any(map(first_undone, new)):
            ((_, self._state),) = deque(fold_steps(self._records, self._prepared), maxlen=1) or ((None, self._first()),)
            self._take(new[-1].n)
            return
        table = self._prepared.ruleset.table
        for record in new:
            if _is_shown(record):
                table[record.event.__class__].handler(self._state, record.event)
                self._take(record.n)

    def _take(self, number: int) -> None:
        for camera in self._cameras.values():
            camera.take(number, self._state)

    def _first(self) -> State:
        state: State = self._prepared.ruleset.codec.from_bytes(self._prepared.first_state, self._prepared.board)
        return state


def _is_shown(record: Any) -> bool:
    return isinstance(record, WITH_EVENT) and record.event is not None
