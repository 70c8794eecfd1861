"""Run the server: a free port, the links that are printed first, and a clean end."""

import asyncio
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from sandtable.errors import PlayError
from sandtable.plugin.manager import Rulesets
from sandtable.web.app import Server
from sandtable.web.live.games import Games, NewGame
from sandtable.web.messages import MAX_MESSAGE

LOOPBACK = "127.0.0.1"
CHECK_SECONDS = 0.5
LEFT_SECONDS = 20.0
"""Seconds after the end of a game, without an open page, until the server of one game stops."""


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to ``host`` and ``port``; 0 takes a free port. Raises PlayError."""
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
    ready: Callable[[str], None],
) -> None:
    """Serve the games in ``folder`` until interrupted.

    ``address`` is the address that people type, if a proxy passes it on: ``https://games.example``. ``ready`` gets the
    link to open: the lobby or, with ``only``, the table of that new game, or of the log with that name. Then the server
    stops when that game is over and its page is closed. Raises SandtableError if it cannot begin.
    """
    made = bound(host, port)
    own = f"{host}:{made.getsockname()[1]}"
    site = address.rstrip("/") or f"http://{own}"
    token = secrets.token_urlsafe(16)
    names = frozenset({own, own.replace(LOOPBACK, "localhost"), site.partition("://")[2]})
    games = Games(folder, rulesets, is_brief=only is not None)
    server = http_server(Server(games, token, names))

    async def run() -> None:
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
    """Stop the server when the game is over and no page has been open for LEFT_SECONDS."""
    empty = 0.0
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        table = games.tables[ident]
        is_done = table.live.game.is_over and not table.lookers
        empty = empty + CHECK_SECONDS if is_done else 0.0
        if empty >= LEFT_SECONDS:
            server.should_exit = True
            return
