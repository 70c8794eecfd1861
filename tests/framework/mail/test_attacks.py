"""Attacks of a player on another one by mail: each is refused in a sentence, and changes nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mail_players import Players
from msgspec import Raw
from msgspec.structs import replace

from sandtable.errors import PlayError
from sandtable.mail.packets import Item, LogPlace, OpenedOrder, Packet, SealedCommitment, SentLink, SentOrder, sign

pytestmark = pytest.mark.full

Change = Callable[[Players, Packet], Packet]


def items(change: Callable[[list[Item]], list[Item]]) -> Change:
    return lambda players, packet: players.signed(packet, items=change(list(packet.items)))


def each_of(kind: type[Any], **changes: object) -> Change:
    """Return an attack that changes the items of a kind."""
    return items(lambda found: [replace(each, **changes) if isinstance(each, kind) else each for each in found])


def other_link(players: Players, packet: Packet, by: int) -> Packet:
    chain = players.secrets(packet.by).chain
    changed = [
        replace(each, link=chain[each.epoch + by].hex()) if isinstance(each, SentLink) else each
        for each in packet.items
    ]
    return players.signed(packet, items=changed)


def forged(players: Players, packet: Packet) -> Packet:
    """Return the packet with the signature of another side."""
    other = next(side for side in players.sides if side != packet.by)
    return sign(packet, players.secrets(other).key)


ZERO = "00" * 32
ATTACKS: dict[str, tuple[type[Any], Change]] = {
    "forged share": (SentLink, each_of(SentLink, link="11" * 32)),
    "later link": (SentLink, lambda players, packet: other_link(players, packet, 1)),
    "earlier link": (SentLink, lambda players, packet: other_link(players, packet, -1)),
    "epoch skipped": (
        SentLink,
        items(lambda found: [replace(each, epoch=9) if isinstance(each, SentLink) else each for each in found]),
    ),
    "share twice": (
        SentLink,
        items(lambda found: [*found, next(each for each in found if isinstance(each, SentLink))]),
    ),
    "other game": (SealedCommitment, lambda players, packet: players.signed(packet, game="0011223344556677")),
    "other side": (
        SealedCommitment,
        lambda players, packet: sign(replace(packet, by="west"), players.secrets(packet.by).key),
    ),
    "not signed": (SealedCommitment, lambda _, packet: replace(packet, signature="")),
    "signed by another": (SealedCommitment, forged),
    "order changed by the postman": (SentOrder, lambda _, packet: replace(packet, items=[*packet.items[:-1]])),
    "order changed and signed": (SentOrder, each_of(SentOrder, order=Raw(b'{"type":"Stop"}'), signature="22" * 64)),
    "order of another seat": (SentOrder, each_of(SentOrder, seat="south")),
    "order to another question": (SentOrder, each_of(SentOrder, asked="1/strikes/strike/9#0123456789abcdef")),
    "illegal order": (SentOrder, each_of(SentOrder, order=Raw(b'{"type":"Bid","points":2}'))),
    "no order": (SentOrder, each_of(SentOrder, order=Raw(b'{"type":"EndGame"}'))),
    "deep order": (SentOrder, each_of(SentOrder, order=Raw(b"[" * 500 + b"]" * 500))),
    "order dropped": (SentOrder, items(lambda found: [each for each in found if not isinstance(each, SentOrder)])),
    "commitment with another signature": (SealedCommitment, each_of(SealedCommitment, signature="22" * 64)),
    "commitment twice": (SealedCommitment, items(lambda found: [*found, found[0]])),
    "opening before the commitments": (
        SealedCommitment,
        items(lambda found: [*found, OpenedOrder("south", Raw(b'{"type":"Bid","points":3}'), "00" * 16)]),
    ),
    "another order opened": (OpenedOrder, each_of(OpenedOrder, order=Raw(b'{"type":"Bid","points":9}'))),
    "another salt": (OpenedOrder, each_of(OpenedOrder, salt="00" * 16)),
    "other end": (
        SealedCommitment,
        lambda players, packet: players.signed(packet, end=LogPlace(packet.end.record, ZERO)),
    ),
    "other beginning": (
        SentOrder,
        lambda players, packet: players.signed(packet, start=LogPlace(packet.start.record, ZERO)),
    ),
    "going back": (SentOrder, lambda players, packet: players.signed(packet, start=LogPlace(1, ZERO))),
    "out of the future": (SentOrder, lambda players, packet: players.signed(packet, start=LogPlace(999, ZERO))),
    "number 0": (SentOrder, lambda players, packet: players.signed(packet, number=0)),
    "number below 0": (SentOrder, lambda players, packet: players.signed(packet, number=-3)),
    "packet before it missing": (SentOrder, lambda players, packet: players.signed(packet, number=packet.number + 1)),
    "follows packets that were not sent": (
        SentOrder,
        lambda players, packet: players.signed(packet, seen={"south": 99}),
    ),
}


def holds(kind: type[Any]) -> Callable[[Packet], bool]:
    return lambda packet: packet.by != "south" and any(isinstance(each, kind) for each in packet.items)


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_refused_and_changes_nothing(name: str, tmp_path: Path) -> None:
    kind, attack = ATTACKS[name]
    players = Players(tmp_path, "triad")
    honest = players.play(until=holds(kind))[-1]
    assert holds(kind)(honest)
    before = players.state("south")
    with pytest.raises(PlayError) as refused:
        players.take("south", attack(players, honest))
    assert "\n" not in str(refused.value)
    assert players.state("south") == before
    players.take("south", honest)


@pytest.mark.parametrize("kind", [SentLink, OpenedOrder])
def test_side_that_withholds_a_share_or_order_is_awaited(kind: type[Any], tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    honest = players.play(until=holds(kind))[-1]
    players.take("south", players.signed(honest, items=[each for each in honest.items if not isinstance(each, kind)]))
    players.pack("south")
    with players.folder("south") as folder:
        assert folder.game is not None
        assert honest.by in folder.game.awaited()


def test_two_packets_with_one_number_are_reported(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    (honest,) = players.play(1)
    assert "known already" in players.take("south", honest)
    other = players.signed(honest, items=[])
    with pytest.raises(PlayError, match="equivocation"):
        players.take("south", other)


def test_missing_packet_is_named(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    players.play(2)
    lost = players.pack("west")
    assert lost is not None
    players.take("north", lost)
    later = players.pack("north")
    assert later is not None
    with pytest.raises(PlayError, match="packet 1 of west, which is missing"):
        players.take("south", later)
    with players.folder("west") as folder:
        again = folder.repeated(1)
    assert len(again) == 1
    players.take("south", lost)
    players.take("south", later)


def test_packet_of_another_game_with_the_same_players_is_refused(tmp_path: Path) -> None:
    one, two = Players(tmp_path / "one", "triad"), Players(tmp_path / "two", "triad", name="two")
    (packet,) = one.play(1)
    with pytest.raises(PlayError):
        two.take("south", packet)
