"""Notices: at most one for a seat and question, only to allowed public servers, and bounded in time and tries."""

import asyncio
import json
from collections.abc import Callable, Iterator
from socket import create_server
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from web_robot import PATIENCE, Page, Robot, Site

from sandtable.errors import PlayError
from sandtable.web.around import notices
from sandtable.web.around.notices import Notices, checked_url, is_public, post

TOY = {"north": "human", "south": "human"}
HOSTS = ("hooks.example",)
URL = "https://hooks.example/turn?who=1"


# --- addresses ---


@pytest.mark.parametrize(
    "text",
    [
        "http://hooks.example/",
        "https://hooks.example:8443/",
        "https://me@hooks.example/",
        "https://hooks.example.evil/",
        "https://127.0.0.1/",
        "https://hooks.example/a\r\nX: y",
        "https://hooks.example/" + "x" * 500,
        "https://hooks.example:99999/",
        "https://[::1",
        "nonsense",
    ],
)
def test_address_that_is_not_allowed_is_refused(text: str) -> None:
    with pytest.raises(PlayError, match=r"an address like|allows notices to"):
        checked_url(text, HOSTS)


def test_without_allowed_servers_every_address_is_refused() -> None:
    with pytest.raises(PlayError, match="sends no notices"):
        checked_url(URL, ())


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),  # noqa: S104 - refused
        *("224.0.0.1", "::1", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "::"),
    ],
)
def test_private_address_is_not_public(address: str) -> None:
    assert not is_public(address)


def test_address_of_the_internet_is_public() -> None:
    assert is_public("9.9.9.9")
    assert is_public("2620:fe::9")


@pytest.mark.parametrize("addresses", [[], ["127.0.0.1"], ["9.9.9.9", "10.0.0.1"]])
def test_name_with_a_private_address_is_not_connected(addresses: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async def found(*_: Any, **__: Any) -> list[Any]:
            return [(2, 1, 6, "", (each, 443)) for each in addresses]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", found)
        await notices.connect("hooks.example")

    with pytest.raises(OSError, match="private"):
        asyncio.run(run())


# --- posting ---


class Receiver:
    """A server that gives ``answers`` one after the other, the last one again, and stores what it was sent."""

    def __init__(self, *answers: bytes) -> None:
        self.answers, self.got = list(answers), list[bytes]()
        self._socket = create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                pipe, _ = self._socket.accept()
            except OSError:
                return
            data = b""
            while b"}" not in data:
                data += pipe.recv(65_536)
            self.got.append(data)
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            if answer:
                pipe.sendall(answer)
                pipe.close()
            else:
                self.kept = pipe  # silence

    def bodies(self) -> list[Any]:
        """Return the posted documents."""
        return [json.loads(each.partition(b"\r\n\r\n")[2]) for each in self.got]

    def wait(self, number: int) -> None:
        """Wait until ``number`` posts have arrived."""
        end = monotonic() + PATIENCE
        while len(self.got) < number:
            assert monotonic() < end
            sleep(0.01)

    def close(self) -> None:
        """Close the server."""
        self._socket.close()


Receive = Callable[..., Receiver]


@pytest.fixture
def receive(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receive]:
    """Return a function that makes a receiver, to which all notices go without TLS."""
    made: list[Receiver] = []

    def receiving(*answers: bytes) -> Receiver:
        made.append(Receiver(*answers))

        async def plain(_: str) -> Any:
            return await asyncio.open_connection("127.0.0.1", made[-1].port, limit=notices.MAX_STATUS_LINE)

        monkeypatch.setattr(notices, "connect", plain)
        monkeypatch.setattr(notices, "PAUSES", (0.0, 0.01, 0.01))
        return made[-1]

    yield receiving
    for each in made:
        each.close()


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"HTTP/1.1 204 No Content\r\n\r\n", 204),
        (b"HTTP/1.1 302 Found\r\nLocation: https://10.0.0.1/\r\n\r\n", 302),
        (b"nonsense\n", 0),
        (b"x" * 99_999, 0),
        (b"", 0),
    ],
)
def test_post_reads_one_line_and_follows_nothing(
    answer: bytes, status: int, receive: Receive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "POST_SECONDS", 0.5)
    receiver = receive(answer)
    assert asyncio.run(post(checked_url(URL, HOSTS), b"{}")) == status
    assert len(receiver.got) == 1
    assert receiver.got[0].startswith(b"POST /turn?who=1 HTTP/1.1\r\nHost: hooks.example\r\n")


# --- at a table ---


@pytest.fixture
def hooked(site: Site) -> Site:
    """Let the server send notices."""
    site.games.notice_hosts = frozenset(HOSTS)
    site.games.watch = Notices(HOSTS, "https://table.example").look
    return site


def hook(page: Page, url: str = URL) -> dict[str, Any]:
    """Set the address of a page's notices; return the reply."""
    number = page._send({"t": "webhook", "url": url})
    while (reply := page.listen()).get("id") != number:
        pass
    return reply


@pytest.mark.full
@pytest.mark.parametrize(("answers", "tries"), [((b"HTTP/1.1 200 OK\r\n",), 1), ((b"HTTP/1.1 503 Busy\r\n",), 3)])
def test_seat_without_a_page_gets_one_notice_for_a_question(
    answers: tuple[bytes, ...], tries: int, hooked: Site, receive: Receive
) -> None:
    receiver = receive(*answers)
    links = hooked.make("toy", players=TOY)
    pages = {side: hooked.open(links[side]) for side in TOY}
    assert [hook(page)["url"] for page in pages.values()] == [URL, URL]
    asked = next(side for side, page in pages.items() if page.ask is not None)
    other = next(side for side in TOY if side != asked)
    pages[other].socket.close()
    page, robot = pages[asked], Robot(pages[asked], "notices")
    while page.ask is not None:
        robot.answer()
        page.catch_up()
    receiver.wait(tries)
    for _ in range(3):
        page.tell({"t": "say", "words": "your turn"})
        page.until("chat")
    sleep(0.3)
    assert len(receiver.got) == tries
    body = receiver.bodies()[0]
    assert (body["event"], body["seat"]) == ("your_turn", other)
    assert body["page"] == f"https://table.example{links[other].partition('#')[0]}"
    assert links[other].partition("#")[2] not in receiver.got[0].decode()


@pytest.mark.full
def test_end_of_the_game_is_posted_to_all_absent_players(hooked: Site, receive: Receive) -> None:
    receiver = receive(b"HTTP/1.1 200 OK\r\n")
    links = hooked.make("toy", players=TOY)
    north, south = (hooked.open(links[side]) for side in TOY)
    hook(south)
    south.socket.close()
    while north.until("presence")["present"] != ["north"]:
        pass
    north.tell({"t": "resign"})
    receiver.wait(1)
    assert receiver.bodies()[-1]["event"] == "game_over"


@pytest.mark.full
def test_addresses_are_checked_when_they_are_set(hooked: Site) -> None:
    links = hooked.make("toy", players=TOY)
    page = hooked.open(links["north"])
    assert page.until("webhook")["hosts"] == list(HOSTS)
    assert "allows notices" in hook(page, "https://evil.example/")["words"]
    assert "only players" in hook(hooked.open(links["spectator"]))["words"]
    assert hook(page, "")["url"] == ""
