"""Run the server: a free port, the links that are printed first, and a clean end."""

import asyncio
import secrets
import socket
from collections.abc import Callable, Iterable
from pathlib import Path

import uvicorn

from sandtable.errors import PlayError
from sandtable.plugin.manager import Rulesets
from sandtable.web.app import Server
from sandtable.web.around.notices import Notices
from sandtable.web.live.games import Games, NewGame
from sandtable.web.messages import MAX_MESSAGE

LOOPBACK = "127.0.0.1"
CHECK_SECONDS = 0.5
LEFT_SECONDS = 20.0
"""Seconds after the end of a game, without an open page, until the server of one game stops."""


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to ``host`` and ``port`` (0: a free port). Raises PlayError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(1024)
    except OSError as error:
        made.close()
        raise PlayError(f"{host}:{port}: cannot be listened on: {error.strerror}: choose another port") from error
    return made


def http_server(server: Server) -> uvicorn.Server:
    """Return the HTTP server of an application; run it with ``serve(sockets=[...])``."""
    config = uvicorn.Config(
        server.app,
        log_level="error",
        ws="websockets-sansio",
        ws_max_size=MAX_MESSAGE,
        ws_ping_interval=20.0,
        timeout_graceful_shutdown=2,
        access_log=False,
    )
    return uvicorn.Server(config)


def serve(
    folder: Path,
    rulesets: Rulesets,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    address: str = "",
    only: NewGame | str | None = None,
    notices: Iterable[str] = (),
    ready: Callable[[str], None],
    report: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve the games in ``folder`` until interrupted.

    ``address`` is the address that people type, if a proxy passes it on: ``https://games.example``. ``ready`` gets the
    link to open: the lobby or, with ``only``, the table of that new game, or of the log with that name. Then the server
    stops when that game is over and its page is closed. ``notices`` are the servers to which notices may be
    posted. ``report`` gets a line when rules or a bot fail. Raises SandtableError if it cannot begin.
    """
    made = bound(host, port)
    own = f"{host}:{made.getsockname()[1]}"
    site = address.rstrip("/") or f"http://{own}"
    token = secrets.token_urlsafe(16)
    names = frozenset({own, own.replace(LOOPBACK, "localhost"), site.partition("://")[2]})
    games = Games(folder, rulesets, is_brief=only is not None)
    games.report = report
    games.notice_hosts = frozenset(notices)
    server = http_server(Server(games, token, names))

    async def run() -> None:
        games.watch = Notices(games.notice_hosts, site).look
        link = f"{site}/#{token}"
        watch = None
        if only is not None:
            new = await (games.adopt(only, hot_seat=True) if isinstance(only, str) else games.make(only))
            name = next(iter(new.links))
            link = f"{site}/g/{new.ident}#{new.links[name]}"
            await games.table(new.ident)
            watch = asyncio.create_task(_stop_at_end(server, games, new.ident))
        ready(link)
        try:
            await server.serve(sockets=[made])
        finally:
            if watch is not None:
                watch.cancel()

    asyncio.run(run())


async def _stop_at_end(server: uvicorn.Server, games: Games, ident: str) -> None:
    """Stop the server when the game is over and no page, also of a game after it, has been open for LEFT_SECONDS."""
    empty = 0.0
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        is_over = games.tables[ident].live.game.is_over
        is_done = is_over and not any(each.lookers for each in games.tables.values())
        empty = empty + CHECK_SECONDS if is_done else 0.0
        if empty >= LEFT_SECONDS:
            server.should_exit = True
            return
