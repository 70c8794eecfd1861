"""A full disk, an I/O error or a partial write at any call is one line, and acknowledged orders remain."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from campaign_figures import Share
from recorded_sessions import SESSIONS, Session, play_session, what_is_lost

from sandtable.errors import SandtableError
from sandtable.plugin.manager import Rulesets

CALLS = ("open", "write", "fsync", "ftruncate", "unlink")
KINDS = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS)
GAMES = 20


class Failing:
    """A substitute for calls that change files: call number ``at`` fails, and with ``on`` all later ones.

    A failing write may have written half of its bytes.
    """

    def __init__(self, folder: Path, at: int, kind: int, *, on: bool, half: bool) -> None:
        self.folder, self.at, self.kind, self.goes_on, self.half = folder, at, kind, on, half
        self.calls = 0

    def substitute(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return the substitute for the function ``name`` of ``os``."""

        def failing_call(what: Any, *rest: Any, **more: Any) -> Any:
            if not self._is_here(what) or (name == "open" and not rest[0] & (os.O_WRONLY | os.O_RDWR)):
                return real(what, *rest, **more)
            self.calls += 1
            if self.calls == self.at or (self.goes_on and self.calls > self.at):
                if name == "write" and self.half:
                    real(what, rest[0][: len(rest[0]) // 2])
                raise OSError(self.kind, os.strerror(self.kind))
            return real(what, *rest, **more)

        return failing_call

    def _is_here(self, what: Any) -> bool:
        path = Path(f"/proc/self/fd/{what}").readlink() if isinstance(what, int) else Path(os.fsdecode(what))
        return path.resolve().is_relative_to(self.folder)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Let calls fail within this context."""
        substitutes: dict[str, Any] = {name: self.substitute(name, getattr(os, name)) for name in CALLS}
        with mock.patch.multiple(os, **substitutes):
            yield


@pytest.mark.slow
@pytest.mark.parametrize("session", SESSIONS[:3], ids=str)
def test_write_error_loses_no_acknowledged_order(session: Session, campaign: Share, tmp_path: Path) -> None:
    rulesets = Rulesets()
    prepared = rulesets.load(session.ruleset).prepare()
    tried, failures = 0, []
    for game in range(campaign.of(GAMES)):
        seed, folder = f"{campaign.seed}/{game}", (tmp_path / f"{game}").resolve()
        rng = campaign.rng("errors", session, game)
        folder.mkdir()
        counting = Failing(folder, 0, errno.EIO, on=False, half=False)
        with counting.on():
            whole = play_session(prepared, session, seed, folder / "game.jsonl", lambda _: None)
        for at in range(1, counting.calls + 1):
            place = folder / f"{at}"
            place.mkdir()
            acknowledged: list[int] = [0]
            failing = Failing(place, at, rng.choice(KINDS), on=rng.random() < 0.5, half=rng.random() < 0.5)
            message = "nothing"
            try:
                with failing.on():
                    play_session(prepared, session, seed, place / "game.jsonl", acknowledged.append)
            except SandtableError as error:
                message = str(error)
            wrong = what_is_lost(place / "game.jsonl", acknowledged[-1], whole, rulesets)
            tried += 1
            if wrong or "\n" in message:
                failures.append(f"game {game}, call {at} ({os.strerror(failing.kind)}): {wrong}; message: {message}")
    campaign.tried("nothing acknowledged is lost", "errors of the disk, at each call of a game", tried, failures)
