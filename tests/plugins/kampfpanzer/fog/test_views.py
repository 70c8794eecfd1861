"""Views of each side: everything except hidden plots (R-KP-23) and hidden panic rolls (R-KP-71)."""

from typing import Any

import msgspec
import pytest
from tests.plugins.kampfpanzer.positions import shipped

from kampfpanzer.fog.views import SideView, UnitSeen, secret_events, view, visible
from kampfpanzer.model import events
from kampfpanzer.model.state import ON_MAP, Impact, KampfState, PanicRoll, Unit
from kampfpanzer.ui.draw import draw
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_header
from sandtable.journal.record import log_bytes
from sandtable.journal.sides.slices import seen_records, slice_log
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Prepared

FRENCH, GERMANS, UMPIRE = "french", "germans", "umpire"
TANK, ENEMY = "6", "94"
HIDDEN = {"panic_roll_secret": "hidden"}


def prepared(**options: str) -> Prepared:
    return shipped("flavion", tuple(sorted(options.items())))


def position(**options: str) -> KampfState:
    """Return a French and a German tank on the map, with plots, panic and markers."""
    ready = prepared(**options)
    state = ready.new_game(KeyedDice(bytes(32))).state
    assert isinstance(state, KampfState)
    state.turn, state.phase = 2, "panic"
    for unit_id, hex_ in ((TANK, "2010"), (ENEMY, "2014")):
        state.units[unit_id].hex, state.units[unit_id].standing = hex_, ON_MAP
    state.plots = {TANK: "D2", ENEMY: "A2"}
    state.panic = {FRENCH: PanicRoll(3, ["3"]), GERMANS: PanicRoll(4, ["4"])}
    state.units[ENEMY].panicked = state.units[TANK].panicked = True
    state.impacts = [Impact("115", "2009", "L", ["2009", "2010"])]
    state.entrenchments, state.wrecks = {"2014": GERMANS}, ["1010"]
    return state


def pictures(state: KampfState, side: str) -> list[str | None]:
    return [draw(view(state, side), state.board, style) for style in ("svg", "svg_part", "text", "text_whole")]


def everything(state: KampfState, side: str) -> tuple[bytes, list[str | None]]:
    return msgspec.json.encode(view(state, side)), pictures(state, side)


def test_view_has_every_field_of_the_state() -> None:
    fields = set(KampfState.__struct_fields__) - {"phasing_power", "position", "in_phase"}
    assert set(SideView.__struct_fields__) == fields | {"side"}
    assert UnitSeen.__struct_fields__ == Unit.__struct_fields__


@pytest.mark.parametrize("side", [FRENCH, GERMANS, UMPIRE])
def test_view_is_complete_by_default(side: str) -> None:
    state = position()
    seen = view(state, side)
    assert seen.plots == state.plots
    assert {owner: (roll.die, list(roll.digits)) for owner, roll in seen.panic.items()} == {
        FRENCH: (3, ["3"]),
        GERMANS: (4, ["4"]),
    }
    assert {unit_id for unit_id, unit in seen.units.items() if unit.panicked} == {TANK, ENEMY}
    plain = msgspec.json.decode(msgspec.json.encode(seen))
    assert plain["units"][ENEMY]["hex"] == "2014"
    assert (plain["wrecks"], plain["entrenchments"]) == (["1010"], {"2014": GERMANS})
    assert plain["impacts"] == [{"firer": "115", "hex": "2009", "pattern": "L", "hexes": ["2009", "2010"]}]


def test_view_is_a_copy() -> None:
    state = position()
    before = msgspec.msgpack.encode(state)
    seen = view(state, FRENCH)
    for table in (seen.plots, seen.options, seen.units, seen.entrenchments, seen.panic, seen.panic_plots):
        table.clear()
    assert msgspec.msgpack.encode(state) == before


@pytest.mark.rule("R-KP-23")
def test_enemy_plot_is_hidden_until_shown() -> None:
    state = position(reveal_plots="lazy")
    assert view(state, FRENCH).plots == {TANK: "D2"}
    assert view(state, GERMANS).plots == {ENEMY: "A2"}
    assert view(state, UMPIRE).plots == state.plots
    state.shown = [ENEMY]
    assert view(state, FRENCH).plots == state.plots


@pytest.mark.full
@pytest.mark.rule("R-KP-23")
@pytest.mark.parametrize("other", ["D7 C2", "P 2010", "T 2010", "", None])
def test_view_does_not_depend_on_a_hidden_plot(other: str | None) -> None:
    state = position(reveal_plots="lazy")
    mine, its = everything(state, FRENCH), everything(state, GERMANS)
    if other is None:
        del state.plots[ENEMY]
    else:
        state.plots[ENEMY] = other
    assert everything(state, FRENCH) == mine
    assert everything(state, GERMANS) != its


@pytest.mark.rule("R-KP-71")
@pytest.mark.parametrize(
    "phase", ["panic", *(pytest.param(each, marks=pytest.mark.full) for each in ("combat", "panic_plot"))]
)
def test_view_does_not_depend_on_a_hidden_panic_roll(phase: str) -> None:
    state = position(**HIDDEN)
    state.phase = phase
    mine = everything(state, FRENCH)
    assert view(state, FRENCH).panic.keys() == {FRENCH}
    assert view(state, UMPIRE).panic.keys() == {FRENCH, GERMANS}
    state.panic[GERMANS] = PanicRoll(6, [])
    state.units[ENEMY].panicked = False
    assert everything(state, FRENCH) == mine


@pytest.mark.rule("R-KP-71")
def test_panicked_units_are_visible_after_the_new_plots() -> None:
    state = position(**HIDDEN)
    assert not view(state, FRENCH).units[ENEMY].panicked
    state.panic_plots = {ENEMY: "C3"}
    assert view(state, FRENCH).units[ENEMY].panicked
    state.panic_plots, state.phase = {}, "movement"
    assert view(state, FRENCH).units[ENEMY].panicked
    assert view(state, FRENCH).panic.keys() == {FRENCH, GERMANS}


@pytest.mark.rule("R-KP-23", "R-KP-71")
def test_secret_events_follow_the_options() -> None:
    def secret(**options: str) -> set[str]:
        return {kind.__name__ for kind in secret_events(prepared(**options).options)}

    assert secret() == set()
    assert secret(reveal_plots="lazy") == {"PlotsWritten"}
    assert secret(**HIDDEN) == {"PanicRolled"}
    assert secret(reveal_plots="lazy", **HIDDEN) == {"PlotsWritten", "PanicRolled"}


def test_enemy_sees_a_secret_event_without_its_content() -> None:
    plots = events.PlotsWritten(FRENCH, {TANK: "D2"})
    roll = events.PanicRolled(FRENCH, 3, 1, ["1"], [])
    for side in (FRENCH, UMPIRE):
        assert visible(plots, side) is plots
        assert visible(roll, side) is roll
    assert visible(plots, GERMANS) == events.PlotsWritten(FRENCH, {})
    assert visible(roll, GERMANS) is None


# ---------------------------------------------------------------------- complete games


def played(ready: Prepared) -> tuple[Game, bytes]:
    key = key_from_seed("secrecy")
    dice = KeyedDice(key)
    names = name_seats(ready, {})
    game = ready.new_game(dice)
    game.play(seat_players(ready, names, key))
    return game, log_bytes(make_header(ready, names, dice), game)[0]


@pytest.mark.rule("R-KP-23")
def test_slice_reveals_enemy_plots_only_as_shown() -> None:
    ready = prepared(reveal_plots="lazy")
    game, data = played(ready)
    written = [record.event for record in game.records if _is(record, events.PlotsWritten)]
    for side in (FRENCH, GERMANS):
        seen = seen_records(game.records, ready, side)
        visible_plots: list[Any] = [record.event for record in seen if _is(record, events.PlotsWritten)]
        assert [event for event in visible_plots if event.side == side] == [
            event for event in written if event.side == side
        ]
        assert [event.plots for event in visible_plots if event.side != side] == [{}] * (len(written) // 2)
        orders = [each for each in seen if isinstance(each, OrderRecord) and type(each.order).__name__ == "HandInPlots"]
        assert {each.by for each in orders} == {side}
        cut = slice_log(parse_log(data, "log"), ready, side)
        assert cut.count(b'"HandInPlots"') == len(orders)
    shown = [record.event.unit for record in game.records if _is(record, events.PlotShown)]
    assert shown


@pytest.mark.rule("R-KP-23")
def test_every_side_sees_all_plots_by_default() -> None:
    ready = prepared()
    game, _ = played(ready)
    written = [record.event for record in game.records if _is(record, events.PlotsWritten)]
    for side in (FRENCH, GERMANS):
        seen = seen_records(game.records, ready, side)
        assert [record.event for record in seen if _is(record, events.PlotsWritten)] == written
    assert not [record for record in game.records if _is(record, events.PlotShown)]


def _is(record: Any, kind: type) -> bool:
    return isinstance(record, EventRecord) and isinstance(record.event, kind)
