"""Notices to an address of the player's choice: a small JSON is posted when a seat must decide, or the game is over.

The host allows the servers by name. Only https, no private address, no redirect; time, size and tries are bounded. The
text has no secret: neither the question nor the link of the seat.
"""

import asyncio
import ipaddress
import ssl
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

import msgspec

from sandtable.errors import PlayError
from sandtable.quoting import shortened
from sandtable.web.live.games import Answer, Visit
from sandtable.web.live.table import GameTable
from sandtable.web.messages import SetWebhook

WEBHOOK, TOLD = "webhook", "told"
"""Kinds of texts that the store keeps: an address, and the question of the last notice."""
MAX_URL = 500
POST_SECONDS = 6.0
"""Seconds for one attempt, from the name look-up to the first line of the answer."""
PAUSES = (0.0, 10.0, 60.0)
"""Seconds before each try."""
MAX_PENDING = 200
"""Maximum number of notices that are being sent; further ones are dropped."""
MAX_AT_ONCE = 8
MAX_STATUS_LINE = 1_024
_AGAIN = range(500, 600)
"""Statuses after which another attempt is made."""


def checked_url(text: str, hosts: Iterable[str]) -> SplitResult:
    """Return the parts of an address to which notices may go. Raises PlayError, and says which servers are allowed."""
    allowed = sorted(hosts)
    if not allowed:
        raise PlayError("the host of this server sends no notices (`sandtable serve --notices HOST`)")
    try:
        found = urlsplit(text)
        port = found.port
    except ValueError:
        found, port = urlsplit(""), None
    is_plain = text.isascii() and text.isprintable() and " " not in text and len(text) <= MAX_URL
    if not is_plain or found.scheme != "https" or "@" in found.netloc or port not in (None, 443):
        raise PlayError(f"a notice needs an address like https://{allowed[0]}/..., not {shortened(text)!r}")
    if (found.hostname or "") not in allowed:
        raise PlayError(f"the host of this server allows notices to {', '.join(allowed)} only")
    return found


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet, also if it hides another in it."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if found.sixtofour is not None or found.teredo is not None or found in _TRANSLATED:
            return False
    return found.is_global and not found.is_multicast


_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")


async def connect(host: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a public address of ``host``, whose certificate must fit. Raises OSError."""
    rows = await asyncio.get_running_loop().getaddrinfo(host, 443, type=1)
    addresses = [str(row[4][0]) for row in rows]
    if not addresses or not all(map(is_public, addresses)):
        raise OSError(f"{host} has no public address, or also a private one")
    return await asyncio.open_connection(
        addresses[0], 443, ssl=ssl.create_default_context(), server_hostname=host, limit=MAX_STATUS_LINE
    )


async def post(url: SplitResult, body: bytes) -> int:
    """Post ``body`` once; return the status of the answer, 0 if there was none. Redirects are not followed."""
    writer = None
    try:
        async with asyncio.timeout(POST_SECONDS):
            reader, writer = await connect(url.hostname or "")
            path = (url.path or "/") + (f"?{url.query}" if url.query else "")
            head = f"POST {path} HTTP/1.1\r\nHost: {url.hostname}\r\nContent-Type: application/json\r\n"
            rest = f"User-Agent: sandtable\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            writer.write((head + rest).encode("ascii") + body)
            await writer.drain()
            line = await reader.readuntil(b"\n")
            return _status(line)
    except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return 0
    finally:
        if writer is not None:
            writer.close()


def _status(line: bytes) -> int:
    parts = line.split(b" ", 2)
    is_http = len(parts) > 1 and parts[0].startswith(b"HTTP/1.") and len(parts[1]) == 3 and parts[1].isdigit()
    return int(parts[1]) if is_http else 0


class Notices:
    """The notices of a server to the ``hosts`` that are allowed. ``site`` is the address of the server."""

    def __init__(self, hosts: Iterable[str], site: str) -> None:
        self.hosts, self._site = frozenset(hosts), site
        self._pending: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._some = asyncio.Semaphore(MAX_AT_ONCE)

    def look(self, table: GameTable) -> None:
        """Send the notices that are due after a change: one for each seat and question, if no page of it is open."""
        live, store = table.live, table.store
        present = {each.link.seats for each in table.lookers}
        for joined, address in store.all_kept(live.ident, WEBHOOK) if self.hosts else ():
            seats = tuple(joined.split())
            decision = live.waiting(seats)
            about = "over" if live.game.is_over else live.label(decision) if decision is not None else ""
            if not about or seats in present or store.kept(live.ident, TOLD, seats) == about:
                continue
            store.keep(live.ident, TOLD, about, seats)
            state = live.game.state
            body = {
                "event": "game_over" if live.game.is_over else "your_turn",
                "game": live.ident,
                "title": live.prepared.scenario.title,
                "seat": decision.seat if decision is not None else seats[0],
                "turn": state.turn,
                "page": f"{self._site}/g/{live.ident}",
            }
            self._send((live.ident, joined), address, msgspec.json.encode(body))

    def _send(self, key: tuple[str, str], address: str, body: bytes) -> None:
        if (old := self._pending.pop(key, None)) is not None:
            old.cancel()
        if len(self._pending) < MAX_PENDING:
            task = self._pending[key] = asyncio.create_task(self._try(address, body))
            task.add_done_callback(lambda done: self._pending.pop(key) if self._pending.get(key) is done else None)

    async def _try(self, address: str, body: bytes) -> None:
        for pause in PAUSES:
            await asyncio.sleep(pause)
            try:
                url = checked_url(address, self.hosts)
            except PlayError:  # the host no longer allows it
                return
            async with self._some:
                status = await post(url, body)
            if status and status not in _AGAIN:
                return


async def set_webhook(visit: Visit, message: SetWebhook) -> None:
    """Keep the address for the notices of a seat, or "" for no notices. Raises PlayError if it is not allowed."""
    table, looker = visit.table, visit.looker
    if not looker.link.seats:
        raise PlayError("only players and the umpire get notices")
    text = message.url.strip()
    if text:
        checked_url(text, visit.games.notice_hosts)
    table.store.keep(table.live.ident, WEBHOOK, text, looker.link.seats)
    await looker.send({"t": "webhook", "id": message.id, "url": text, "hosts": sorted(visit.games.notice_hosts)})


async def ask_webhook(visit: Visit) -> None:
    """Send the address of a seat's notices, and the servers that are allowed, to a page that has come."""
    table, seats = visit.table, visit.looker.link.seats
    if seats and visit.games.notice_hosts:
        url = table.store.kept(table.live.ident, WEBHOOK, seats)
        await visit.looker.send({"t": "webhook", "url": url, "hosts": sorted(visit.games.notice_hosts)})


NOTICES: dict[type, Answer] = {SetWebhook: set_webhook}
