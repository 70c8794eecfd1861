"""Cameras of a running game: their updates after marks add up to the page's film, and show no secret."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import effective, prepare_for, read_records
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.testing.fuzz import fuzz_game
from sandtable.testing.toy import Commit, LayAmbush
from sandtable.viewer.film.camera import Camera, FilmMark, FilmUpdate, Follower
from sandtable.viewer.film.frames import GONE, SharedParts
from sandtable.viewer.page.timeline import films_of
from sandtable.viewer.svg import Svg

REPLAYS = Path(__file__).parents[4] / "replays"
RULESETS = Rulesets()
LOGS = [
    "axis_attack/german-home_sector-eastern_front",
    "damos/soviet-substantial-smolensk",
    "desert_aa/allies-capital_captured",
    "kampfpanzer/russians-exited-summa",
    "khamsin/allies-broken-teaching",
]


def game_of(name: str) -> tuple[Prepared, list[Any]]:
    log = read_log(REPLAYS / f"{name}.jsonl")
    prepared = prepare_for(log, RULESETS)
    return prepared, read_records(log, prepared.ruleset)


@pytest.fixture
def drawn_ford(ford: Prepared, monkeypatch: pytest.MonkeyPatch) -> Prepared:
    """Return the toy with a board that shows all of a view."""

    def draw(_: Installed, view: Any, board: Any, style: str, focus: str = "") -> str:
        pieces = "".join(f"<text>{name} {value}</text>" for name, value in view.items())
        return f'<svg viewBox="0 0 9 9">{pieces}</svg>'

    monkeypatch.setattr(Installed, "draw", draw)
    return ford


def toy_game(ford: Prepared, *, north: int = 1) -> Game:
    """Return a game at the ford in which the ambushes are laid: that of north is never sprung."""
    game = ford.new_game(KeyedDice(key_from_seed("a")))
    game.start()
    game.submit(LayAmbush(north), "north")
    game.submit(LayAmbush(5), "south")
    for seat in ("north", "south"):
        game.submit(Commit(1), seat)
    return game


def followed(prepared: Prepared, viewer: str, records: Sequence[Any], step: int) -> tuple[list[FilmUpdate], Camera]:
    """Return what a camera gives for a game that comes in ``step`` records at a time."""
    follower = Follower(prepared)
    camera, mark, found = follower.camera(viewer), FilmMark(), []
    for end in (*range(0, len(records), step), len(records)):
        follower.follow(records[:end])
        found.append(camera.since(mark))
        mark = found[-1].mark
    return found, camera


def joined(changes: Sequence[FilmUpdate]) -> tuple[list[str], list[list[int]], list[Any]]:
    """Return keys, frames and values that a page has after some changes."""
    parts = zip(*[(each.keys, each.frames, each.values) for each in changes], strict=True)
    keys, frames, values = ([item for part in each for item in part] for each in parts)
    return keys, frames, values


def board(keys: list[str], frames: list[list[int]], values: list[Any]) -> dict[str, Any]:
    """Return the parts that a page shows after the last of some frames."""
    shown: dict[str, Any] = {}
    for frame in frames:
        for key, value in zip(frame[1::2], frame[2::2], strict=True):
            if value == GONE:
                del shown[keys[key]]
            else:
                shown[keys[key]] = values[value]
    return shown


def assert_film_is_that_of_the_page(prepared: Prepared, records: Sequence[Any], viewer: str, step: int) -> None:
    changes, camera = followed(prepared, viewer, records, step)
    stock = SharedParts()
    (film,) = films_of(records, prepared, [viewer], stock, "the log")
    keys, frames, values = joined(changes)
    assert {"keys": keys, "frames": frames} == film.frames.as_data()
    assert values == stock.values
    assert camera.board is not None
    assert camera.board.facts() == film.facts
    faces = "".join(each.defined for each in changes)
    assert faces.count('id="') == stock.defined().count('id="')
    # The keys, values and faces of each update suffice for its frames.
    for at in range(1, len(changes) + 1):
        board(*joined(changes[:at]))


@pytest.mark.full
@pytest.mark.parametrize("name", LOGS)
def test_updates_of_a_golden_game_make_the_film_of_the_page(name: str) -> None:
    prepared, records = game_of(name)
    for viewer, step in zip((*prepared.ruleset.viewers, PUBLIC, UMPIRE), (1, 7, 31, 1000), strict=True):
        assert_film_is_that_of_the_page(prepared, records, viewer, step)


@pytest.mark.parametrize("viewer", ["north", "south", PUBLIC, UMPIRE])
@pytest.mark.parametrize("step", [1, 3, 100])
def test_updates_of_the_toy_make_the_film_of_the_page(drawn_ford: Prepared, viewer: str, step: int) -> None:
    assert_film_is_that_of_the_page(drawn_ford, fuzz_game(drawn_ford, "camera").game.records, viewer, step)


@pytest.mark.full
def test_late_camera_has_the_complete_film() -> None:
    prepared, records = game_of(LOGS[3])
    follower = Follower(prepared)
    first, records = follower.camera(PUBLIC), records[:60]
    follower.follow(records)
    late, other = Follower(prepared), Follower(prepared)
    late.follow(records)
    other.follow(records[:30])
    other.camera(PUBLIC)
    other.follow(records)
    assert late.camera(PUBLIC).since() == first.since() == other.camera(PUBLIC).since()
    assert late.camera(PUBLIC) is late.camera(PUBLIC)


def test_update_without_changes_is_empty(drawn_ford: Prepared) -> None:
    game, follower = toy_game(drawn_ford), Follower(drawn_ford)
    camera = follower.camera("north")
    follower.follow(game.records)
    mark = camera.since().mark
    follower.follow(game.records)
    assert camera.since(mark) == FilmUpdate(mark, [], [], [], Svg(""))
    assert camera.since(FilmMark()).frames


@pytest.mark.full
def test_undone_order_is_shown_as_undone() -> None:
    prepared = RULESETS.load("damos").prepare("smolensk")
    game, follower = prepared.new_game(KeyedDice(key_from_seed("undo"))), Follower(prepared)
    game.start()
    camera, stream = follower.camera(UMPIRE), Stream(b"undo")
    taken_back = 0
    while taken_back < 3:
        follower.follow(game.records)
        before = board(*camera.since()[1:4])
        decision = game.waiting()[0]
        game.submit(decision.options.sample(stream), decision.seat)
        follower.follow(game.records)
        try:
            game.undo()
        except Exception:  # noqa: BLE001, S112 - an order that cannot be taken back stays
            continue
        follower.follow(game.records)
        taken_back += 1
        assert board(*camera.since()[1:4]) == before
        assert camera.frames.frames[-1][0] <= game.number
        live = Follower(prepared)
        live.follow(game.records)
        assert board(*live.camera(UMPIRE).since()[1:4]) == before
    assert len(effective(game.records)) < len(game.records)


def test_camera_does_not_show_a_hidden_ambush(drawn_ford: Prepared) -> None:
    """Two games that differ in the ambush of north give the same updates to all that may not know it."""
    one, other = toy_game(drawn_ford, north=1), toy_game(drawn_ford, north=2)
    assert [type(each) for each in one.records] == [type(each) for each in other.records]
    for viewer, is_same in {"south": True, PUBLIC: True, "north": False}.items():
        updates = [followed(drawn_ford, viewer, game.records, 1)[0] for game in (one, other)]
        assert (updates[0] == updates[1]) == is_same, viewer


@pytest.mark.full
@pytest.mark.parametrize("name", [each.partition("/")[0] for each in LOGS])
def test_camera_does_not_reveal_secrets_of_other_sides(name: str) -> None:
    """A state dealt for a side, which looks the same to it, changes nothing in its pictures."""
    installed = RULESETS.load(name)
    prepared = installed.prepare()
    played = fuzz_game(prepared, "worlds", bound=3000)
    game = prepared.new_game(KeyedDice(key_from_seed("worlds")))
    game.start()
    dealt = 0

    def deal(seen: Any, side: str, board: Any, stream: Stream, now: Any) -> Any:
        assert installed.bots.deal is not None
        return installed.bots.deal(seen, side, board, stream, now)

    for place, (seat, order, _) in enumerate(played.given):
        decision = next(each for each in game.waiting() if each.seat == seat)
        if place % max(1, len(played.given) // 8) == 0 and prepared.ruleset.side_of(seat) != UMPIRE:
            camera = Camera(prepared, decision.side)
            camera.take(1, game.state)
            mark = camera.since().mark
            world = game.simulator(decision).deal(Stream(f"{place}".encode()), deal)
            camera.take(2, world.state)
            assert camera.since(mark).frames == []
            dealt += 1
        game.submit(order, seat)
    assert dealt > 4


@pytest.mark.full
def test_shared_values_of_a_viewer_have_none_of_other_viewers() -> None:
    """The numbers of values have no gaps: each value is used by a frame of the viewer's own film."""
    prepared, records = game_of(LOGS[4])
    follower = Follower(prepared)
    for viewer in (*prepared.ruleset.viewers, PUBLIC, UMPIRE):
        follower.camera(viewer)
    follower.follow(records[:200])
    for viewer in (*prepared.ruleset.viewers, PUBLIC, UMPIRE):
        seen = follower.camera(viewer).since()
        used = {value for frame in seen.frames for value in frame[2::2] if value != GONE}
        assert used == set(range(len(seen.values)))
        alone = Follower(prepared)
        alone.follow(records[:200])
        assert alone.camera(viewer).since() == seen


@pytest.mark.full
def test_evaluation_ends_with_the_stated_shares() -> None:
    prepared = Rulesets().load("league7").prepare()
    game = fuzz_game(prepared, "3").game
    (film,) = films_of(game.records, prepared, ["umpire"], SharedParts(), "the log")
    shares = game.records[-1].shares
    assert 0 < min(filter(None, shares.values())) < 1000
    assert film.samples[-1].counts["evaluation"] == shares
    assert all(sum(each.counts["evaluation"].values()) == 1000 for each in film.samples)
