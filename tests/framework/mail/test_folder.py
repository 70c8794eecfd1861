"""The folder of a player: interrupted at any write it continues, and a stranger's messages change nothing."""

from itertools import count
from pathlib import Path

import pytest
from mail_players import TRIAD, Players, bot_of
from msgspec.structs import replace

from sandtable.errors import DataError, LogExists, LogWriteFailed, PlayError
from sandtable.files import writing
from sandtable.kernel.decisions import Decision, Order
from sandtable.mail import folder as folders
from sandtable.mail.folder import MailFolder
from sandtable.mail.game import MailGame
from sandtable.mail.packets import Invitation, Message, Packet, read_message, sign

pytestmark = pytest.mark.full


class PowerCut(Exception):
    """The machine stops at a write."""


def cut_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Stop at write ``number``, from 1; earlier ones happen."""
    writes = count(1)

    def write(path: str | Path, data: bytes, *, mode: int = 0o666) -> None:
        if next(writes) == number:
            raise PowerCut
        writing.write_whole(path, data, mode=mode)

    monkeypatch.setattr(folders, "write_whole", write)


def sent_by(players: Players, side: str) -> Packet:
    with players.folder(side) as folder:
        file = folder.pack(bot_of(players.prepared))
    assert file is not None
    packet = read_message(file.read_text(), file.name)
    assert isinstance(packet, Packet)
    return packet


def test_pack_that_was_cut_off_at_any_write_sends_the_same_packet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in count(1):
        players = Players(tmp_path / str(number), "triad")
        players.play(2)
        with monkeypatch.context() as patch:
            cut_at(patch, number)
            try:
                sent_by(players, "west")
            except PowerCut:
                cut = True
            else:
                cut = False
        first, again = sent_by(players, "west"), sent_by(players, "west")
        assert first == again
        players.post(first)
        players.play()
        assert len({players.log(side) for side in players.sides}) == 1
        if not cut:
            break
    assert number > 3


def test_take_that_was_cut_off_at_any_write_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in count(1):
        players = Players(tmp_path / str(number), "triad")
        packet = players.play(5, until=lambda sent: sent.by == "north" and sent.number == 2)[-1]
        with monkeypatch.context() as patch:
            cut_at(patch, number)
            try:
                players.take("south", packet)
            except PowerCut:
                cut = True
            else:
                cut = False
        players.post(packet)
        players.play()
        assert len({players.log(side) for side in players.sides}) == 1
        if not cut:
            break
    assert number > 1


def test_unsent_orders_are_kept_and_can_be_undone(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")

    def leaves(decision: Decision, game: MailGame) -> Order:
        if game.state.phase.startswith("strikes"):
            raise PowerCut
        return bot_of(players.prepared)(decision, game)

    with players.folder("north") as folder:
        assert not folder.take_back()
        assert folder.pack(bot_of(players.prepared)) is not None
        assert not folder.take_back()
        with pytest.raises(PlayError, match="is your own"):
            folder.take(folder.kept.packets[-1], "mail")
    with players.folder("south") as folder, pytest.raises(PlayError, match="first packet of north is missing"):
        folder.pack(leaves)


def test_second_process_is_refused(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    with players.folder("north"), pytest.raises(LogWriteFailed, match="another process"), players.folder("north"):
        pass


def test_existing_folder_is_not_overwritten(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    before = players.state("north")
    with pytest.raises(LogExists):
        MailFolder.invite(tmp_path / "north", players.prepared, "triad", "north")
    assert players.state("north") == before


def test_only_their_owner_can_read_secrets(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    players.play(3)
    for name in ("seed", "mail.json"):
        assert (tmp_path / "west" / name).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"{}", b"[" * 1000, b'{"format":1,"side":"north"}', b"\xff"])
def test_invalid_state_is_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    (tmp_path / "north" / "mail.json").write_bytes(content)
    with pytest.raises(DataError) as refused, players.folder("north"):
        pass
    assert "\n" not in str(refused.value)


def invitation_of(players: Players, file: str = "invitation.txt") -> Invitation:
    message: Message = read_message((players.home / "north" / file).read_text(), file)
    assert isinstance(message, Invitation)
    return message


def test_invitation_to_other_rules_is_refused(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    invitation = invitation_of(players)
    wrong: list[dict[str, object]] = [
        {"ruleset_hash": "00" * 32},
        {"scenario_hash": "00" * 32},
        {"options": {"a": "b"}},
    ]
    for changes in wrong:
        with pytest.raises(PlayError):
            MailFolder.join(tmp_path / "x", players.prepared, _resigned(players, invitation, changes), "south")
        assert not (tmp_path / "x").exists()
    with pytest.raises(PlayError, match="choose another side"):
        MailFolder.join(tmp_path / "x", players.prepared, invitation, "north")


def _resigned(players: Players, invitation: Invitation, changes: dict[str, object]) -> Invitation:
    return sign(replace(invitation, **changes), players.secrets("north").key)


def test_side_can_join_only_once(tmp_path: Path) -> None:
    first = MailFolder.invite(tmp_path / "a", TRIAD.load("triad").prepare(), "triad", "north")
    invitation = read_message(first.read_text(), "invitation")
    assert isinstance(invitation, Invitation)
    prepared = TRIAD.load("triad").prepare()
    answers = [
        read_message(MailFolder.join(tmp_path / each, prepared, invitation, "south").read_text(), "answer")
        for each in ("b", "c")
    ]
    with MailFolder.opened(tmp_path / "a", TRIAD) as folder:
        folder.take(answers[0], "mail")
        assert "known already" in folder.take(answers[0], "mail")
        with pytest.raises(PlayError, match="has joined already"):
            folder.take(answers[1], "mail")
        assert folder.missing == ["west"]
