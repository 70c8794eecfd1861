"""A bot that a page shows can be copied: it plays every ruleset, and walks no space of orders to its end."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from pages import FENCE, samples
from shipped import complete_games

import sandtable as st
from sandtable.errors import PlayError
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import Space
from sandtable.kernel.play.views import View
from sandtable.players.players import RandomPlayer
from sandtable.plugin.manager import Rulesets
from sandtable.testing import toy

ROOT = Path(__file__).parents[2]
PAGES = (*sorted((ROOT / "docs").rglob("*.md")), ROOT / "plugins" / "README.md")
SOURCES = (
    *sorted((ROOT / "docs" / "examples").rglob("*.py")),
    *sorted((ROOT / "framework" / "sandtable" / "scaffold").rglob("*.py.txt")),
)
MAX_VALUES = 1000
"""Maximum number of orders that a bot may list for one decision."""
DECISIONS = 150
"""Number of decisions of each game that a bot takes."""
WALKS = re.compile(r"\b(?:list|tuple|set|sorted|max|min|enumerate|len)\(\s*(?:\w+\.)*options\.values\(\)")


def fences(page: Path) -> Iterator[str]:
    """Yield the code in Python on a page, fence by fence; parts of one file together."""
    files: dict[str, str] = {}
    for sample in samples(page):
        if sample.file.endswith(".py"):
            files[sample.file] = files.get(sample.file, "") + sample.text
    yield from files.values()
    yield from (fence["text"] for fence in FENCE.finditer(page.read_text("utf-8")) if fence["info"].strip() == "python")


def sessions(page: Path) -> Iterator[str]:
    """Yield the sessions of Python on a page."""
    yield from (sample.text for sample in samples(page) if sample.kind == "pycon")


def bots() -> list[Any]:
    """Return each class with a method ``choose`` on a page, with the code around it."""
    return [
        pytest.param(code, node.name, id=f"{page.stem}-{node.name}")
        for page in PAGES
        for code in fences(page)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.ClassDef) and "choose" in {getattr(each, "name", "") for each in node.body}
    ]


class Enough(PlayError):
    """A bot has taken as many decisions as it is to take."""


class CountedSpace:
    """A space of orders of which a bot may list at most ``MAX_VALUES``."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def __getattr__(self, name: str) -> Any:
        return getattr(self._space, name)

    def values(self) -> Iterator[Any]:
        for number, value in enumerate(self._space.values()):
            assert number < MAX_VALUES, "the bot lists a space that may hold millions of orders"
            yield value


class Watched:
    """Lets ``bot`` take decisions, with spaces that are counted, and a random player the rest of a game."""

    def __init__(self, bot: Any, stream: Stream) -> None:
        self._bot, self._rest = bot, RandomPlayer(stream)
        self.taken = 0

    def choose(self, decision: Decision, view: View) -> Any:
        self.taken += 1
        if self.taken > DECISIONS:
            raise Enough
        space: Any = CountedSpace(decision.options)
        return self._bot.choose(structs.replace(decision, options=space), view)


def class_of(code: str, name: str) -> Any:
    """Return the class ``name`` of a sample; names of the ford that it does not define are those of the toy."""
    names: dict[str, Any] = {"st": st, "Any": Any, "Commit": toy.Commit, "__name__": "sample"}
    exec(compile(code, "sample", "exec"), names)  # noqa: S102 - a sample of our own documentation
    return names[name]


def play_with(bot: Any, ruleset: str, seed: str = "documented") -> int:
    """Let the class ``bot`` take the seats of a game for a while; return how many decisions it took."""
    prepared = Rulesets().load(ruleset).prepare()
    key = key_from_seed(seed)
    seats = [seat for seat in prepared.ruleset.seats if seat != UMPIRE]
    players: dict[str, Any] = {
        seat: Watched(bot(seat, Stream.for_player(key, seat), prepared.board), Stream.for_player(key, seat))
        for seat in seats
    }
    taken = list(players.values())
    players[UMPIRE] = RandomPlayer(Stream.for_player(key, UMPIRE))
    game = prepared.new_game(KeyedDice(key))
    with suppress(Enough):
        game.play(players)
    return sum(each.taken for each in taken)


@pytest.mark.full
@pytest.mark.parametrize("ruleset", complete_games())
@pytest.mark.parametrize(("code", "name"), bots())
def test_documented_bot_plays_every_ruleset(code: str, name: str, ruleset: str) -> None:
    assert play_with(class_of(code, name), ruleset) > 20


def test_documented_bots_are_found() -> None:
    found = {param.id for param in bots()}
    assert {"bots-Cautious", "README-Bold"} <= found


def test_bot_that_lists_a_large_space_is_noticed() -> None:
    class Lister:
        def __init__(self, *_: object) -> None:
            pass

        def choose(self, decision: Decision, view: View) -> Any:
            return list(decision.options.values())[0]  # noqa: RUF015 - what is to be noticed

    with pytest.raises(AssertionError, match="may hold millions"):
        play_with(Lister, "kampfpanzer")


@pytest.mark.parametrize("path", [*PAGES, *SOURCES], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_or_sample_lists_all_orders_of_a_space(path: Path) -> None:
    texts = (*fences(path), *sessions(path)) if path.suffix == ".md" else [path.read_text("utf-8")]
    assert [hit for text in texts for hit in WALKS.findall(text)] == []
