"""Nothing that was typed is lost by a refusal: whatever is refused at the console, the order that is begun stays."""

import contextlib
import io
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import headquarters as specimen
import pytest
from rich.console import Console as Screen
from transcripts import Transcript

from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, UndoRecord
from sandtable.players.players import seat_players
from sandtable.plugin.manager import Installed, Prepared
from sandtable.terminal.console import Console
from sandtable.terminal.drafts import DraftFile, left_unfinished
from sandtable.terminal.hotseat import ConsolePlayer, play_with_people
from sandtable.terminal.prompt import PlayerLeft

KEY = key_from_seed("refusals")
RODE = ["hill", ".", "2"]
WROTE = ["done", "done", "-", "-"]
SHARED = ["b1=1"]


class Watched(DraftFile):
    """The file of an unfinished order, which shows what it was asked to keep."""

    def keep(self, written: Mapping[str, tuple[Any, Any]], turn: int) -> Path | None:
        self.written = written
        return super().keep(written, turn)


class Table:
    """A person who types ``lines`` at headquarters and leaves; what stood written at each prompt is in ``drafts``."""

    def __init__(self, prepared: Prepared, lines: Sequence[str], unfinished: Path | None = None) -> None:
        self.prompts: list[str] = []
        self.drafts: list[dict[str, Any]] = []
        self.told: list[str] = []
        self.lines = list(lines)
        self.out = io.StringIO()
        screen = Screen(file=self.out, highlight=False, markup=False, soft_wrap=True, width=100)
        self.console = Console(prepared, self._read, screen)
        self.console._drafts = self.file = Watched(unfinished)
        self.game: Game = prepared.new_game(KeyedDice(KEY))
        people = seat_players(prepared, {"north": "human"}, KEY, lambda seat: ConsolePlayer(self.console, seat))
        with contextlib.suppress(PlayerLeft, KeyboardInterrupt):
            play_with_people(self.game, people, self.console)

    def _read(self, prompt: str) -> str | None:
        self.prompts.append(prompt)
        self.told.append(self.out.getvalue())
        self.drafts.append(deepcopy({name: value for name, (_, value) in self.file.written.items()}))
        if not self.lines:
            return None
        line = self.lines.pop(0)
        if line == "^C":
            raise KeyboardInterrupt
        return line

    @property
    def shown(self) -> str:
        return self.out.getvalue()

    @property
    def orders(self) -> list[Any]:
        return [record.order for record in self.game.trail if isinstance(record, OrderRecord)]


@pytest.fixture(scope="module")
def headquarters() -> Prepared:
    return Installed("headquarters", specimen, "here").prepare()


SHEET = [*RODE, "b1: mill", "b2: hill"]
LEADERS = [*SHEET, "done", "general: ford"]
PLACES = {
    "a road half gone": ["ford"],
    "behind a road": ["hill", "."],
    "a sheet half written": SHEET,
    "a sheet with two that do not go together": [*SHEET, "b3: ford", "b2: mill"],
    "the second sheet": LEADERS,
    "the second sheet, still empty": LEADERS[:-1],
    "behind the sheets": [*LEADERS, "done"],
    "before the last words": [*LEADERS, "done", "ford"],
    "a share": [*RODE, *WROTE],
    "one for each, half answered": [*RODE, *WROTE, *SHARED, "mill", "ford"],
}
REFUSED = {
    "a sheet half written": [
        "undo them",
        "done it",
        "b9: mill",
        "b9",
        ": mill",
        "b1: moon",
        "b3: ford; b1: moon; b2: sun",
        "b3: ford; nobody: mill; general: hill; plan: hold",
        "b3: ford; b3: mill",
        "b1: moon; b9: x; nobody: mill",
        "general: moon; air: sun; plan: hold",
        "general: moon; plan: hold; then go",
        "plan: 123456789012345678901",
        "general: hill; air: moon; plan: x",
        "1st battalion: moon; general: hill",
        "@no_such_file",
        "save .",
        "view the hill",
        '{"type": "Write"}',
        '{"type": "Write", "moves": {"b1": "moon"}, "leaders": {}, "air": []}',
        '{"type": "Ride", "road": ["bridge", "hill"], "riders": 1}',
        "{",
    ],
    "a sheet with two that do not go together": ["done"],
    "the second sheet": ["b1: ford", "b9: x", "general: moon", "done; plan: x", "air: moon; plan: x"],
    "the second sheet, still empty": ["undo", "general: moon"],
    "behind the sheets": ["undo", "7", "moon", "ford moon", "1 2", "air: moon"],
    "before the last words": ["undo", "1234567890 1234567890", "{}"],
    "a road half gone": ["undo it", "moon", "mill moon", "bridge moon", "bridge ford", ".", "hill", "."],
    "behind a road": ["undo", "100", "ten", "0"],
    "a share": ["undo", "b1=46", "b1=1 b2=9", "tank=1 b2=9", "b1=x", "b1", "loads b1 46", "loads tank 1 b2 9"],
    "one for each, half answered": ["undo", "moon", "9"],
}
HARMLESS = ["help", "?", "view", "options", "why", "o", "h"]


@pytest.mark.parametrize("place", PLACES)
def test_refused_line_leaves_the_order_unchanged(headquarters: Prepared, place: str, transcript: Transcript) -> None:
    """No refused line changes the order that is begun, nor does one that only asks."""
    before, lines = PLACES[place], [*REFUSED[place], *HARMLESS]
    table, start = Table(headquarters, [*before, *lines]), len(before)
    assert table.drafts[start:] == [table.drafts[start]] * (len(lines) + 1)
    assert table.prompts[start:] == [table.prompts[start]] * (len(lines) + 1)
    assert len(table.orders) == len(Table(headquarters, before).orders)
    assert not any(isinstance(record, UndoRecord) for record in table.game.records)
    answers = [
        after.removeprefix(told) for told, after in zip(table.told[start:], table.told[start + 1 :], strict=False)
    ]
    assert all("refused: " in answer for answer in answers[: len(REFUSED[place])])
    shown = "".join(f"{line}\n{answer}" for line, answer in zip(REFUSED[place], answers, strict=False))
    transcript(re.sub(r"(that JSON is no order of \w+): .*", r"\1", shown))


def test_draft_has_the_lines_of_all_sheets(headquarters: Prepared) -> None:
    draft = Table(headquarters, [*SHEET, "done", "plan: hold"]).drafts[-1]
    assert draft == {"moves": {"b1": "mill", "b2": "hill"}, "leaders": {}, "plan": "hold"}
    shown = Table(headquarters, [*RODE, "general: ford", "b1: mill", "show"]).shown
    assert shown.count("leaders: general ford") == 2


def test_undo_removes_lines_one_by_one_and_then_the_previous_order(headquarters: Prepared) -> None:
    table = Table(headquarters, [*SHEET, "b1: ford", "rest", "undo", "undo", "undo", "undo", "undo", *RODE])
    moves = [draft.get("moves") for draft in table.drafts[3:]]
    both = {"b1": "ford", "b2": "hill"}
    assert moves[:4] == [{}, {"b1": "mill"}, {"b1": "mill", "b2": "hill"}, both]
    assert list(moves[4] or {}) == ["b1", "b2", "b3"]
    assert moves[5:9] == [both, {"b1": "mill", "b2": "hill"}, {"b1": "mill"}, {}]
    assert sum(isinstance(record, UndoRecord) for record in table.game.records) == 1
    assert len(table.orders) == 1


def test_undo_also_reverts_values_on_other_sheets(headquarters: Prepared) -> None:
    table = Table(headquarters, [*RODE, "plan: hold", "b1: ford; general: hill; plan: go", "undo", "undo"])
    assert table.drafts[4:] == [
        {"moves": {}, "plan": "hold"},
        {"moves": {"b1": "ford"}, "leaders": {"general": "hill"}, "plan": "go"},
        {"moves": {}, "plan": "hold"},
        {"moves": {}},
    ]


def test_undo_removes_the_last_steps_of_a_path(headquarters: Prepared) -> None:
    table = Table(headquarters, ["ford", "mill", "undo", "undo", "hill", ".", "1"])
    assert table.orders[0].road == ["bridge", "hill"]
    table = Table(headquarters, ["hill mill", "ford", ".", "1"])
    assert "refused: the ford is under fire (HQ-6)" in table.shown
    assert table.orders[0].road == ["bridge", "hill", "mill"]


def test_refused_lines_of_a_sheet_stay_for_correction(headquarters: Prepared) -> None:
    table = Table(headquarters, [*SHEET, "b2: mill", "done", "b2: -", *WROTE])
    assert "b2: b1 goes there already" in table.shown
    assert table.orders[1].moves == {"b1": "mill"}
    table = Table(headquarters, [*SHEET, "1st battalion: -; 3rd battalion: ford", *WROTE])
    assert table.orders[1].moves == {"b2": "hill", "b3": "ford"}, "a title is a key and may be blanked"


def test_refused_form_keeps_the_chosen_parts(headquarters: Prepared) -> None:
    lines = [*RODE, *WROTE, *SHARED, "mill", "mill", "mill", "7", "", "new", "ford", "what?", "", ""]
    table = Table(headquarters, lines)
    assert "refused: not all at one place (HQ-8)" in table.shown
    assert "refused: 'what?' is neither" in table.shown
    assert table.orders[-1].pickets == {"p1": "mill", "p2": "ford", "p3": "mill"}
    assert table.orders[-1].hour == 7


# --- leaving ---


@pytest.mark.parametrize("way", ["quit", "exit", None, "^C"])
def test_sheets_of_a_leaving_person_are_restored_from_a_file(
    headquarters: Prepared, tmp_path: Path, way: str | None
) -> None:
    file = tmp_path / "game.jsonl.unfinished.txt"
    table = Table(headquarters, [*LEADERS, "plan: hold", *([way] if way else [])], file)
    assert f"the unfinished order is kept in {file}" in table.shown
    assert "# plan: hold" in file.read_text()
    again = Table(headquarters, [*RODE, f"@{file}", "done", f"@{file}", "done", "-", "-"])
    assert again.orders[1].moves == {"b1": "mill", "b2": "hill"}
    assert again.orders[1].leaders == {"general": "ford"}
    assert "refused" not in again.shown


def test_sheet_is_saved_before_the_next_line_is_read(headquarters: Prepared, tmp_path: Path) -> None:
    """A process that dies at a prompt loses nothing."""
    file, kept = tmp_path / "game.jsonl.unfinished.txt", []

    class Dying(Table):
        def _read(self, prompt: str) -> str | None:
            kept.append(file.read_text() if file.exists() else "")
            return super()._read(prompt)

    Dying(headquarters, [*SHEET, "b2: -", "back", *SHEET, "done", *WROTE[1:]], file)
    texts = [[line for line in text.splitlines() if line[:2] in {"b1", "b2"}] for text in kept]
    assert texts[len(RODE) :][:5] == [[], ["b1: mill"], ["b1: mill", "b2: hill"], ["b1: mill"], []]


def test_unfinished_order_files_are_found(tmp_path: Path) -> None:
    name = tmp_path / "game.jsonl.unfinished.txt"
    assert left_unfinished(name, 1) == []
    for file in ("game.jsonl.unfinished.txt", "game.jsonl.unfinished-2.txt", "other.jsonl.unfinished.txt"):
        (tmp_path / file).write_text("# turn 1\n")
    assert left_unfinished(name, 1) == [name, tmp_path / "game.jsonl.unfinished-2.txt"]
    assert left_unfinished(name, 2) == [], "an order begun in turn 1 is useless in turn 2"


def test_unfinished_sheet_file_has_lines_and_replaces_no_file(headquarters: Prepared, tmp_path: Path) -> None:
    file = tmp_path / "unfinished.txt"
    for lines in ([], RODE, [*RODE, "b1: mill", "b1: -"], ["hill"]):
        Table(headquarters, lines, file)
    assert len(Table(headquarters, [*SHEET, *WROTE], file).orders) == 2
    assert list(tmp_path.iterdir()) == []
    for _ in range(3):
        Table(headquarters, SHEET, file)
    names = ["unfinished-2.txt", "unfinished-3.txt", "unfinished.txt"]
    assert sorted(each.name for each in tmp_path.iterdir()) == names


def test_unfinished_sheet_is_printed_if_it_cannot_be_saved(headquarters: Prepared, tmp_path: Path) -> None:
    for unfinished in (None, tmp_path / "no folder" / "unfinished.txt"):
        table = Table(headquarters, SHEET, unfinished)
        assert "the unfinished order:\n# turn 1\n[moves]" in table.shown
        assert "\nb1: mill\nb2: hill\n" in table.shown
