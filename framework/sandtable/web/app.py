"""The routes of the server: lobby, table, and the JSON interface."""

import asyncio
import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from sandtable.errors import SandtableError
from sandtable.web.around.downloads import log_for, may_see, page_for
from sandtable.web.connection import serve_page
from sandtable.web.live.game import LiveGame
from sandtable.web.live.games import Games, NewGame
from sandtable.web.lobby import described_rulesets, described_scenario

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
MAX_BODY = 65_536
KINDS = {"js": "text/javascript", "css": "text/css", "html": "text/html"}
FOLDERS = {"viewer": "sandtable.viewer.page", "web": "sandtable.web.page"}
"""The packages with the scripts and styles of the page."""

Handler = Callable[[Request], Awaitable[Response]]


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /api/games``, see ``NewGame``."""

    ruleset: str
    scenario: str = ""
    options: dict[str, str] = {}
    players: dict[str, str] = {}
    dice: str = ""
    hot_seat: bool = False
    umpire: str = ""
    pace: str = ""


class Server:
    """The application over ``games``. ``token`` is the host's secret; ``hosts`` are the names it may be called by."""

    def __init__(self, games: Games, token: str, hosts: frozenset[str]) -> None:
        self.games, self._token, self._hosts = games, token, hosts
        api = [
            Route("/api/rulesets", self._hosted(self.rulesets)),
            Route("/api/rulesets/{ruleset}/{scenario}", self._hosted(self.scenario)),
            Route("/api/games", self._hosted(self.list_games)),
            Route("/api/games", self._hosted(self.make_game), methods=["POST"]),
            Route("/api/games/{game}", self._hosted(self.one_game)),
            Route("/api/games/{game}/links", self._hosted(self.new_links), methods=["POST"]),
            Route("/api/logs/{log}", self._hosted(self.adopt_log), methods=["POST"]),
            Route("/g/{game}/log", self._checked(self.log)),
            Route("/g/{game}/page", self._checked(self.replay_page)),
        ]
        pages = [
            Route("/", self._checked(self.lobby)),
            Route("/g/{game}", self._checked(self.table_page)),
            Route("/g/{game}/plan", self._checked(self.table_page)),
            Route("/s/{folder}/{path:path}", self._checked(self.asset)),
            WebSocketRoute("/g/{game}/ws", self.socket),
        ]
        self.app = Starlette(routes=[*api, *pages], lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> Any:
        yield
        self.games.close()

    # --- who may ask ---

    def _is_ours(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request is addressed to this server and, if it names an origin, comes from its own page."""
        host = headers.get("host", "")
        origin = headers.get("origin")
        return host in self._hosts and (origin is None or origin.partition("://")[2] == host)

    def _checked(self, handler: Handler) -> Handler:
        async def checked(request: Request) -> Response:
            if not self._is_ours(request.headers):
                return _refused(403, "this request was made for another site")
            try:
                return await handler(request)
            except SandtableError as error:
                return _refused(422, str(error))

        return checked

    def _hosted(self, handler: Handler) -> Handler:
        async def hosted(request: Request) -> Response:
            given = request.headers.get("authorization", "").removeprefix("Bearer ")
            if not hmac.compare_digest(given.encode(), self._token.encode()):
                return _refused(401, "this is for the host: open the link that `sandtable serve` printed")
            return await handler(request)

        return self._checked(hosted)

    # --- pages ---

    async def lobby(self, _request: Request) -> Response:
        """Send the lobby, the same for all; its script asks with the host's secret."""
        return _page("lobby.html")

    async def table_page(self, _request: Request) -> Response:
        """Send the page of a table, the same for all; the secret of a seat is behind the ``#`` and is not sent."""
        return _page("table.html")

    async def asset(self, request: Request) -> Response:
        """Send a script or style."""
        package, path = FOLDERS.get(request.path_params["folder"]), request.path_params["path"]
        kind = KINDS.get(path.rpartition(".")[2])
        if package is None or kind is None or any(part in {"", ".", ".."} for part in path.split("/")):
            return _refused(404, "there is no such file")
        found = files(package).joinpath(*path.split("/"))
        if not found.is_file():
            return _refused(404, "there is no such file")
        data = found.read_bytes()
        tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        headers = HEADERS | {"cache-control": "no-cache", "etag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=kind, headers=headers)

    async def socket(self, socket: WebSocket) -> None:
        """Serve the connection of a page."""
        if not self._is_ours(socket.headers) or "origin" not in socket.headers:
            await socket.close(4403)
            return
        await serve_page(socket, self.games)

    # --- the JSON interface ---

    async def rulesets(self, _request: Request) -> Response:
        """Send the rulesets that can be played, with their scenarios."""
        return _json(await asyncio.to_thread(described_rulesets, self.games.rulesets))

    async def scenario(self, request: Request) -> Response:
        """Send the seats and options of a scenario."""
        names = request.path_params["ruleset"], request.path_params["scenario"]
        return _json(await asyncio.to_thread(described_scenario, self.games.rulesets, *names))

    async def list_games(self, _request: Request) -> Response:
        """Send all games, and the logs in the folder that have no table yet."""
        return _json({"games": self.games.listed(), "logs": list(self.games.unknown_logs())})

    async def make_game(self, request: Request) -> Response:
        """Make a game; send its id and links."""
        body = await request.body()
        if len(body) > MAX_BODY:
            return _refused(413, "the request is too large")
        try:
            wish = msgspec.json.decode(body, type=Wish)
        except msgspec.MsgspecError as error:
            return _refused(400, f"the request is not understood: {error}")
        made = await self.games.make(NewGame(**msgspec.structs.asdict(wish)))
        return _json({"game": made.ident, "links": _links(made.ident, made.links)}, 201)

    async def one_game(self, request: Request) -> Response:
        """Send the state of a game as all may know it."""
        table = await self.games.table(request.path_params["game"])
        return _json({"game": table.live.ident, "players": table.live.names, **table.live.facts()})

    async def new_links(self, request: Request) -> Response:
        """Replace the links of a game."""
        ident = request.path_params["game"]
        return _json({"game": ident, "links": _links(ident, await self.games.new_links(ident))})

    async def adopt_log(self, request: Request) -> Response:
        """Make a table for a log in the folder."""
        made = await self.games.adopt(request.path_params["log"])
        return _json({"game": made.ident, "links": _links(made.ident, made.links)}, 201)

    async def log(self, request: Request) -> Response:
        """Send the log of a finished game; while it is played, the slice of the side whose secret is given.

        With ``?side=`` it is the slice of that side in any case, if the holder of the link may see it.
        """
        found = await self._seen(request)
        if found is None:
            return _refused(401, "this link opens no seat of this game")
        live, side = found
        data = await asyncio.to_thread(log_for, live, side)
        name = f"{live.path.stem}{f'-{side}' if side else ''}.jsonl"
        return _attached(data, "application/jsonl", name)

    async def replay_page(self, request: Request) -> Response:
        """Send the replay page of a game, as far as the holder of the link may see it."""
        found = await self._seen(request)
        if found is None:
            return _refused(401, "this link opens no seat of this game")
        live, side = found
        data = await asyncio.to_thread(page_for, live, side)
        return _attached(data, "text/html", f"{live.path.stem}{f'-{side}' if side else ''}.html")

    async def _seen(self, request: Request) -> tuple[LiveGame, str] | None:
        """Return a game and the side whose part the holder of the link may have, "" for all of it; None without a seat.

        Raises PlayError for a side that they may not see.
        """
        ident = request.path_params["game"]
        link = self.games.store.link(ident, request.headers.get("authorization", "").removeprefix("Bearer "))
        if link is None:
            return None
        live = (await self.games.table(ident)).live
        return live, may_see(live, live.viewer_of(link.seats), request.query_params.get("side", ""))


def _links(ident: str, links: Mapping[str, str]) -> dict[str, str]:
    return {name: f"/g/{ident}#{token}" for name, token in links.items()}


def _page(name: str) -> Response:
    data = files("sandtable.web.page").joinpath(name).read_bytes()
    return Response(data, media_type="text/html", headers=HEADERS)


def _attached(data: bytes, kind: str, name: str) -> Response:
    headers = HEADERS | {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, HEADERS, "application/json")


def _refused(status: int, words: str) -> Response:
    return _json({"error": words}, status)
