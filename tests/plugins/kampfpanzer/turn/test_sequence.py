"""The sequence of play, the secrecy of plots, and all options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from kampfpanzer.model.events import PlotShown, PlotsWritten, TurnCleared
from sandtable.kernel.events import PhaseBegan, TurnBegan
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manifest import Option

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import NewCase, Prepare

from tests.plugins.kampfpanzer.cases import group, plots
from tests.plugins.kampfpanzer.positions import installed
from tests.plugins.kampfpanzer.rows import Row, play, row

# --- sequence of play ---


@pytest.mark.rule("KP-4.0a", "KP-4.1a", "KP-4.1b", "KP-4.1c", "KP-4.1d", "KP-4.1e", "KP-4.1f", "KP-2.0a")
def test_each_turn_has_six_phases(new_case: NewCase) -> None:
    case = new_case(french="1 0808", germans="94 1212")
    for turn in (1, 2, 3):
        case.turn()
        begun = [event for event in case.all_events() if isinstance(event, PhaseBegan | TurnBegan)]
        phases = [event.phase for event in begun if isinstance(event, PhaseBegan)]
        assert phases == ["panic", "combat", "panic_plot", "movement", "recovery", "plot"]
        assert [event.turn for event in begun if isinstance(event, TurnBegan)] == [turn + 1]


@pytest.mark.rule("KP-3.4a", "R-KP-90")
def test_every_roll_is_one_six_sided_die_in_the_log(new_case: NewCase) -> None:
    dice = {
        "fire:0806:94": "6",
        "overrun:1008": "6",
        "shell:138:39": "6",
        "contest:0410:*": "1 2",
        "scatter:3": "1",
        "points:3": "2",
    }
    case = new_case(
        french="1 0804; 29 1008; 39 0320 A; 11 0409; 3 1501",
        germans="94 0806; 95 1006; 138 0303; 105 0411",
        dice=dice | {"panic:french": "1"},
    )
    case.turn(french="1 N 0806; 39 T 0303; 11 D1; 3 D1", germans="95 D1 VD; 105 A1")
    rolls = [record for record in case.game.records if isinstance(record, RollRecord)]
    assert {record.sides for record in rolls} == {6}
    assert {len(record.dice) for record in rolls} == {1}
    purposes = [record.label.split("/")[-2] for record in rolls]
    assert purposes[:2] == ["panic:french", "panic:germans"]
    assert {purpose.partition(":")[0] for purpose in purposes} >= {
        "fire",
        "overrun",
        "shell",
        "contest",
        "scatter",
        "points",
    }


@pytest.mark.rule("KP-3.2a", "KP-9.72a", "KP-9.32d", "KP-11.0d")
def test_turn_markers_are_cleared(new_case: NewCase) -> None:
    case = new_case(french="1 0804; 39 0320 A", germans="94 0808; 95 1201", dice={"fire:*": "6", "panic:germans": "1"})
    case.turn(french="1 N 0808; 39 T 0303", germans="94 D1")
    assert case.events(TurnCleared)
    state = case.state
    assert (state.plots, state.panic_plots, state.panic, state.impacts, state.fired, state.frozen) == (
        {},
        {},
        {},
        [],
        [],
        [],
    )
    assert not any(unit.pinned or unit.panicked or unit.pending or unit.pending_pin for unit in state.units.values())


@pytest.mark.rule("KP-3.2a", "KP-9.91b", "KP-13.0a")
def test_permanent_markers_remain(new_case: NewCase) -> None:
    case = new_case(french="29 0808 entrenched; 1 0404 D2", germans="94 1212", wrecks="0606").turn()
    assert (case.state.entrenchments, case.state.wrecks, case.level("1")) == ({"0808": "french"}, ["0606"], 2)


# --- secrecy of plots ---


def knows(case: Case, side: str, plot: str) -> bool:
    """Return whether the current view of a side contains a plot."""
    return plot.encode() in msgspec.json.encode(case.game.view(side))


@pytest.mark.rule("KP-2.0b", "KP-4.1a", "R-KP-23")
@pytest.mark.parametrize("option", ["end_of_phase_a", "lazy"])
def test_plots_are_hidden_until_both_sides_submit(new_case: NewCase, option: str) -> None:
    case = new_case(french="1 0804", germans="94 1212", reveal_plots=option)
    case.game.submit(plots("1 P 0809"), "french")
    assert [(decision.side, decision.secret) for decision in case.game.waiting()] == [("germans", option == "lazy")]
    assert not knows(case, "germans", "P 0809")
    before = case.game.view("germans")
    other = new_case(french="1 0804", germans="94 1212", reveal_plots=option)
    other.game.submit(plots("1 D3"), "french")
    assert msgspec.json.encode(before) == msgspec.json.encode(other.game.view("germans"))
    for each in (case, other):
        each.game.submit(plots("94 D1"), "germans")


@pytest.mark.rule("R-KP-23", "KP-2.0b")
@pytest.mark.parametrize(("option", "seen"), [("end_of_phase_a", True), ("lazy", False)])
def test_enemy_sees_submitted_plots_by_option(new_case: NewCase, option: str, seen: bool) -> None:
    case = new_case(french="1 0804; 2 0904; 3 0404", germans="94 0808", reveal_plots=option, dice={"fire:*": "6"})
    case.upto(french="1 N 0808; 2 N 0808; 3 P 0410")
    assert knows(case, "germans", "P 0410") == seen
    assert knows(case, "french", "P 0410")
    written = next(event for event in case.events(PlotsWritten) if event.side == "french")
    assert (case.seen(written, "germans") == written) == seen
    assert case.seen(written, "french") == written
    case.answer(group("french", "1 2"))


@pytest.mark.rule("R-KP-23 KP-6.3b R-KP-08")
@pytest.mark.parametrize(
    "turn",
    [
        # 29 never fires
        row("R-KP-23", "one_by_one", "1 0804; 2 0403; 29 1212", "95 0808; 94 0306; 138 1408", reveal_plots="lazy",
            dice="fire:0808:95 6; fire:0406:94 6", f="1 N 0808; 2 P 0408; 29 P 1216", g="94 C2; 138 A2",
            shown="1 N 0808; 2 P 0408; 94 C2; 138 A2"),
        # the truck has not paid for its first hex yet
        row("R-KP-23 KP-6.3b R-KP-08", "stopped_before_moving", "1 0806", "138 0808", reveal_plots="lazy", f="1 D1",
            g="138 D2", stops="138 0808 met", shown="1 D1; 138 D2"),
        row("R-KP-23", "after_movement", "29 0808; 138 0807; 139 0811; 30 aboard 139; 38 0303 A", "94 1515",
            reveal_plots="lazy", f="29 M; 138 M 0808; 30 Q; 139 Q 0812; 38 C", g="94 P 1513",
            shown="29 M; 138 M 0808; 30 Q; 139 Q 0812; 38 C"),
        row("R-KP-23", "open", "1 0804", "94 0808", dice="fire:* 6", f="1 N 0808", shown={}),
    ],
)  # fmt: skip
def test_lazy_plots_are_shown_when_they_are_executed(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("R-KP-23", "KP-11.21a", "KP-12.13a")
def test_panic_shows_plots(new_case: NewCase) -> None:
    """A panicked unit shows its lost move; an embarking vehicle shows why it is spared."""
    french = "6 0105; 7 0106; 8 0103; 138 0205; 26 0206"
    dice = {"panic:french": "5", "scatter:6": "1", "points:6": "1", "fire:0101:94": "6"}
    case = new_case(french=french, germans="94 0101", reveal_plots="lazy", dice=dice, more={"panic": {"french": 2}})
    case.turn(french="6 A1; 7 N 0101; 8 B1; 138 M 0206; 26 M")
    assert [event.unit for event in case.events(PlotShown)][:3] == ["138", "7", "6"]


@pytest.mark.rule("R-KP-23", "KP-5.0h")
def test_plots_are_stored_in_canonical_notation(new_case: NewCase) -> None:
    case = new_case(french="18 1205; 39 0320 A", germans="94 0303")
    case.turn(french="18 f2b4; 39 t0308", germans="94 a1")
    written = {event.side: event.plots for event in case.events(PlotsWritten)}
    assert written == {"french": {"18": "F2 B4", "39": "T 0308"}, "germans": {"94": "A1"}}


# --- the options ---


@pytest.mark.rule("R-KP-16", "R-KP-24")
@pytest.mark.parametrize("option", installed().manifest.options, ids=lambda option: option.name)
def test_every_value_of_every_option_can_be_played(prepare: Prepare, option: Option) -> None:
    name, values = option.name, option.values
    for value in values:
        assert prepare("hannut", **{name: value}).options[name] == value
