"""An empty line at a prompt gives no order and changes nothing that is written, in every shipped game."""

import contextlib
import io
from itertools import cycle

import pytest
from rich.console import Console as Screen
from shipped import complete_games

from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.players.players import FirstPlayer, seat_players
from sandtable.plugin.manager import Rulesets
from sandtable.terminal.console import Console
from sandtable.terminal.hotseat import ConsolePlayer, play_with_people
from sandtable.terminal.prompt import PlayerLeft

pytestmark = pytest.mark.full

KEY = key_from_seed("empty lines")
MOST = 600
"""Maximum number of typed lines per game."""


@pytest.mark.parametrize("others", [("staff",), ("1", "back", "staff"), ("1", "1", "-", "staff")])
@pytest.mark.parametrize("name", complete_games())
def test_empty_line_shows_the_menu_and_gives_no_order(name: str, others: tuple[str, ...]) -> None:
    prepared = Rulesets().load(name).prepare()
    game = prepared.new_game(KeyedDice(KEY))
    out, typed, asked, before = io.StringIO(), cycle(others), 0, (0, 0)

    def read(prompt: str) -> str | None:
        nonlocal asked, before
        asked += 1
        is_after = asked % 2 == 0  # the last typed line was empty
        now = len(game.records), len(out.getvalue().splitlines())
        if is_after:
            assert now[0] == before[0], f"an empty line at {prompt!r} gave an order"
            assert now[1] > before[1], f"an empty line at {prompt!r} shows nothing"
        before = now
        return None if asked > MOST else next(typed) if is_after else ""

    screen = Screen(file=out, highlight=False, markup=False, soft_wrap=True, width=100)
    console = Console(prepared, read, screen, staff=lambda _: FirstPlayer())
    seats = dict.fromkeys(prepared.ruleset.seats, "human")
    people = seat_players(prepared, seats, KEY, lambda seat: ConsolePlayer(console, seat))
    with contextlib.suppress(PlayerLeft):
        play_with_people(game, people, console)
    assert asked > 20
