"""Large spaces of the shipped rulesets are built by small choices, each of which can end in a legal order."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from paper_table import PaperTable, people_play

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, Form, Sheet, Space
from sandtable.plugin.manager import Rulesets
from sandtable.rules.steps.choices import LISTED_FOR_PEOPLE, in_steps
from sandtable.web.live.game import LiveGame

pytestmark = pytest.mark.full

MAX_CLICKS = 100
LARGE = {
    "desert_aa": ("GrantSpace", 3),
    "kampfpanzer": ("PlotLine", 14),
    "khamsin": ("Companies", 90),
    "axis_attack": ("Forces", 40),
}
"""The large space of each ruleset, and the number of questions in which it is looked for."""


def game_of(ruleset: str, folder: Path) -> LiveGame:
    return people_play(Rulesets().load(ruleset).prepare(), folder, "parts")


def spaces_in(space: Space) -> Iterator[Space]:
    """Yield a space and those in it."""
    yield space
    inner = space.fields.values() if isinstance(space, Form) else space.spaces if isinstance(space, AnyOf) else ()
    for each in [*inner, *(space.lines.values() if isinstance(space, Sheet) else ())]:
        if isinstance(each, Space):
            yield from spaces_in(each)


@pytest.mark.parametrize("ruleset", LARGE)
def test_large_space_is_built_by_few_clicks(ruleset: str, tmp_path: Path) -> None:
    live, (kind, questions), met = game_of(ruleset, tmp_path), LARGE[ruleset], Counter[str]()
    stream = Stream.for_player(b"parts", ruleset)
    for _ in range(questions):
        decision = live.game.waiting()[0]
        for space in spaces_in(decision.options):
            if type(space).__name__ == kind and space.in_parts() is not None and not space.is_empty():
                clicks = built_by_clicks(space, stream)
                assert clicks <= MAX_CLICKS
                met[kind] += 1
        live.give(decision, live.advice(decision))
        live.catch_up()
    assert met[kind]


def built_by_clicks(space: Space, stream: Stream) -> int:
    """Build a value by random picks, check that it is legal, and return the number of picks."""
    steps, clicks, value = in_steps(space, stream, listed=LISTED_FOR_PEOPLE), 0, None
    try:
        choice = next(steps)
        while True:
            clicks += 1
            assert len(choice.options) <= LISTED_FOR_PEOPLE, choice.part
            choice = steps.send(stream.below(len(choice.options)))
    except StopIteration as end:
        value = end.value
    assert space.why_not(value) is None
    return clicks


def test_hexes_of_a_move_are_lit(tmp_path: Path) -> None:
    table = PaperTable(game_of("kampfpanzer", tmp_path), "lit")
    while "plot" not in table.live.game.waiting()[0].prompt:
        table.answer()
    live = table.live
    live.catch_up()
    question = live.question(live.game.waiting()[0])
    lines = question.sheet([])[1].lines
    key = next(key for key in lines if question.line([], key, []).options[0].words == "move")
    step = msgspec.to_builtins(question.line([], key, ['"move"']))
    hexes = [(json_of(pick), at) for pick, _, at, _ in step["options"] if json_of(pick).isdigit()]
    assert len(hexes) > 6
    assert all(at == [hex_] for hex_, at in hexes)


def json_of(pick: str) -> str:
    value = msgspec.json.decode(pick)
    return value if isinstance(value, str) else ""
