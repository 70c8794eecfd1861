"""Two files of one game in which a seat signed different orders."""

from pathlib import Path

import pytest
from rechained import rechained, tables_of
from signed_games import fixed_key, hands_in

import sandtable as st
from sandtable.errors import LogError
from sandtable.journal.file.reading import parse_log
from sandtable.journal.hands.equivocation import equivocation
from sandtable.journal.sides.merging import merged
from sandtable.journal.verification.one_game import same_games
from sandtable.journal.verification.verify import verify
from sandtable.plugin.manager import Prepared
from sandtable.testing.toy import LayAmbush


def played(toy: Prepared, north: tuple[int, ...], south: int) -> bytes:
    """Return a finished signed game; all but the last of the orders of ``north`` are taken back again."""
    game = st.new_game(toy.installed, seed="a", signers={side: fixed_key(side) for side in ("north", "south")})
    for space in north[:-1]:
        game.submit(LayAmbush(space), "north")
        game.undo("north")
    game.submit(LayAmbush(north[-1]), "north")
    game.submit(LayAmbush(south), "south")
    while not game.is_over:
        decision = game.waiting()[0]
        game.submit(next(iter(decision.options.values())), decision.seat)
    return game.log()


def between(one: bytes, other: bytes) -> str:
    return equivocation(parse_log(one, "one"), parse_log(other, "other"))


def test_seat_that_signed_two_histories_is_named(toy: Prepared, tmp_path: Path) -> None:
    one, other = played(toy, (2,), 3), played(toy, (3,), 3)
    first, second = hands_in(tables_of(one))[0], hands_in(tables_of(other))[0]
    said = between(one, other)
    assert said.startswith(f"north signed both: other orders in record {first} of one than in record {second} of other")
    assert between(played(toy, (2,), 3), played(toy, (2,), 2)).startswith("south signed both")
    files = [str(tmp_path / name) for name in ("one", "other")]
    for file, data in zip(files, (one, other), strict=True):
        Path(file).write_bytes(data)
    verdicts = [verify(parse_log(Path(file).read_bytes(), file), toy) for file in files]
    assert [each.verdict for each in verdicts] == ["verified", "verified"]
    (line,) = same_games(files, verdicts)
    assert "north signed both" in line
    with pytest.raises(LogError, match="north signed both"):
        merged([parse_log(one, "one"), parse_log(other, "other")])


def test_later_difference_after_the_same_orders_is_not_equivocation(toy: Prepared) -> None:
    one = played(toy, (2,), 3)
    assert between(one, one) == ""
    longer = played(toy, (2, 3), 3)  # the hand has the same first order, followed by an undo
    assert between(one, longer) == between(longer, one) == ""
    unsigned = st.new_game(toy.installed, seed="a").log()
    assert between(one, unsigned) == between(unsigned, one) == ""


def test_forged_hand_proves_nothing_against_its_seat(toy: Prepared) -> None:
    one, lines = played(toy, (2,), 3), tables_of(played(toy, (3,), 3))
    hand = hands_in(lines)[0]
    lines[hand] = {**lines[hand], "signature": fixed_key("south").sign(b"other")}
    assert between(one, rechained(lines)) == ""
