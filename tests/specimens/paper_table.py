"""A table without a server: people at all seats of a game, asked in this process, and everything that they read."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from web_robot import Robot

from sandtable.hosting.keying import choose_key
from sandtable.hosting.opening import open_game
from sandtable.plugin.manager import Prepared
from sandtable.terminal.drafts import lines_that_fit
from sandtable.terminal.prose import sheet_of
from sandtable.viewer.film.camera import FilmMark
from sandtable.web.asking.question import AskedQuestion, split_picks
from sandtable.web.asking.walk import SheetLine
from sandtable.web.live.game import LiveGame, OpenedTable
from sandtable.web.messages import encode

LINES = 6
"""Maximum number of lines of a sheet that are walked through."""
DEEP = 12
"""Maximum number of clicks within a line."""


def people_play(prepared: Prepared, folder: Path, seed: str) -> LiveGame:
    """Begin a game in which people have all seats."""
    names = dict.fromkeys(prepared.ruleset.seats, "human")
    keying = choose_key(prepared, names, "open", seed=seed)
    game, writer, header, _ = open_game(prepared, names, keying, dice="open", path=folder / f"{seed}.jsonl")
    live = LiveGame("paper", OpenedTable(prepared, game, writer, header, {}, keying.key), names)
    game.start()
    live.give_implied()
    return live


class PaperTable:
    """A page for ``Robot``: it answers its messages at once. ``labels`` are all labels that were shown.

    Each label has the kind of its place, and the pick that it stands for, or "".
    """

    def __init__(self, live: LiveGame, seed: str) -> None:
        page: Any = self
        self.live, self.robot = live, Robot(page, seed)
        self.labels: dict[tuple[str, str, str], int] = {}
        self.ask: dict[str, Any] | None = None
        self._question: AskedQuestion

    def play(self, orders: int) -> None:
        """Answer up to ``orders`` questions of the game."""
        for _ in range(orders):
            if self.live.game.is_over:
                return
            self.answer()

    def answer(self) -> None:
        """Let the robot answer the next question."""
        live = self.live
        live.catch_up()
        self._question = live.question(live.game.waiting()[0])
        self.ask = msgspec.to_builtins(self._question.ask(""))
        self._note("prompt", self.ask["prompt"])
        self._note("done", self.ask.get("done", ""))
        self._read(self.ask["step"])
        self.robot.answer()

    def say(self, message: dict[str, Any]) -> dict[str, Any]:
        """Reply to a message of the robot."""
        picks = split_picks(message["picks"])
        if message["t"] == "expand":
            lines = msgspec.convert(message.get("lines", {}), dict[str, SheetLine])
            return {"t": "step", "step": self._read(msgspec.to_builtins(self._question.step(picks, lines)))}
        if message["t"] == "staff":
            return {"t": "lines", "lines": self._staffed(picks)}
        self.live.give(self._question.decision, self._question.order(picks))
        return {"t": "taken"}

    def _staffed(self, picks: Sequence[str]) -> Any:
        question = self._question
        choice, sheet = question.sheet(picks)
        drafted = sheet_of(self.live.advice(question.decision), choice.part.replace("_", " ")) or {}
        lines = {key: SheetLine(value=value) for key, value in lines_that_fit(sheet, {}, drafted).items()}
        self._read(msgspec.to_builtins(question.step(picks, lines)))
        for key in list(sheet.lines)[:LINES]:
            self._walk_line(picks, key)
        return json.loads(encode(lines))

    def _walk_line(self, picks: Sequence[str], key: str) -> None:
        within: list[str] = []
        for _ in range(DEEP):
            step = self._read(msgspec.to_builtins(self._question.line(picks, key, within)))
            if not step.get("options"):
                return
            within = self.robot._picked(within, step)

    def _read(self, step: dict[str, Any]) -> dict[str, Any]:
        """Note everything that a person reads in a step."""
        self._note("part", step.get("part", ""))
        for pick, words, _, effect in [*step.get("options", ()), *(step.get("members") or {}).get("options", ())]:
            self._note(f"option of {step.get('part', '')}", words, pick.rpartition("\n")[2])
            self._note("effect", effect)
        for part, words in step.get("said", ()):
            self._note("said", f"{part}: {words}")
        for row in (step.get("table") or {}).get("rows", ()):
            self._note("row", row.get("title") or row["key"])
            self._note("written", row.get("written", ""))
            self._note("echo", row.get("echo", ""))
        for name in ("words", "warning"):
            self._note(name, step.get(name, ""))
        return step

    def _note(self, kind: str, text: str, pick: str = "") -> None:
        self.labels.setdefault((kind, text, pick), self.live.game.number)

    # --- the board and the story ---

    def read_boards(self) -> None:
        """Note the story and the texts on the board of every viewer."""
        self.live.catch_up()
        for viewer in self.live.prepared.ruleset.viewers:
            for line in self.live.story(viewer).lines:
                self._note("story", line.text)
            for text in self.printed(viewer):
                self._note("board", text)

    def printed(self, viewer: str) -> Iterator[str]:
        """Yield the texts and titles on the board of a viewer."""
        for value in _texts(json.loads(encode(self.live.camera(viewer).since(FilmMark()).values))):
            yield from _PRINTED.findall(value) if "<" in value else (value,)

    def ids(self) -> set[str]:
        """Return the ids of counters, and of the places that have a name, on the board of any viewer."""
        found: set[str] = set()
        for viewer in self.live.prepared.ruleset.viewers:
            camera = self.live.camera(viewer)
            names = camera.board.facts()["names"] if camera.board is not None else {}
            found |= {key[2:] for key in camera.frames.keys if key.startswith("c:")}
            found |= {each for each, name in names.items() if name and name != each}
        return found


_PRINTED = re.compile(r"<(?:text|title)[^>]*>([^<]*)<")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(each)
