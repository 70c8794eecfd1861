"""Two people at one terminal."""

import contextlib
import io
from functools import partial

from rich.console import Console as Screen
from tests.plugins.axis_attack.seen import begun

from sandtable.terminal.console import Console
from sandtable.terminal.hotseat import ConsolePlayer, play_with_people
from sandtable.terminal.prompt import CLEAR, PlayerLeft


def _next(lines: list[str | None], _prompt: str) -> str | None:
    return lines.pop(0)


def test_resumed_hotseat_game_hides_the_screen_first() -> None:
    prepared, game, _ = begun("eastern_front")
    shown = []
    for lines in (["start", "quit"], ["quit"]):
        out, typed = io.StringIO(), [*lines, None]
        console = Console(prepared, partial(_next, typed), Screen(file=out, force_terminal=True))
        people = {side: ConsolePlayer(console, side) for side in ("german", "soviet")}
        console.hotseat.hide_on_resume(game)
        with contextlib.suppress(PlayerLeft):
            play_with_people(game, people, console)
        shown.append(out.getvalue())
    assert "set-up" in shown[0].partition(CLEAR)[0]
    assert shown[1].startswith(CLEAR)
    assert "set-up" not in shown[1]
