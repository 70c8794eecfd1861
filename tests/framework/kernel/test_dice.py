"""The dice: they can be recomputed, no face is favored, and no roll changes another."""

import hashlib
import hmac
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import PlayError
from sandtable.kernel.dice import (
    LEAST_SIDES,
    MAX_DICE,
    MAX_SIDES,
    ChanceDice,
    Dice,
    KeyedDice,
    ManualDice,
    SetDice,
    Stream,
    commitment,
    hmac_of,
    key_from_seed,
    roll_dice,
)
from sandtable.testing import dice_labels

KEY = bytes(range(32))

VECTORS = [
    ("1/combat/attack/1", 6, (5, 3, 5)),
    ("1/combat/attack/2", 6, (2, 1, 5, 1, 3, 5, 3, 2, 6, 1)),
    ("12/axis.movement/weather:rain/1", 10, (2, 4, 1, 7, 4, 1, 4, 3, 4)),
    ("3/setup/draw/1", 52, (33, 6, 43, 47)),
    ("7/combat/overrun-3/4", 65_536, (173, 3858, 14269)),
    ("dice1/combat/0/0", 6, (2,)),  # from here: values of a different program, computed before this one was written
    ("dice1/combat/0/1", 6, (6,)),
    ("dice1/combat/37/0", 6, (6,)),
    ("dice1/weather/37/0", 10, (10,)),
    ("dice1/draw.axis/1/0", 52, (17,)),
    ("dice1/combat/1000000/0", 100, (30,)),
]
"""Label, sides and faces, for the key 00 01 .. 1f: a change here is a change of every log there is."""

PASSED_OVER = [("1/test/hunt/33731", 1), ("1/test/hunt/48586", 3), ("1/test/hunt/53389", 5)]
"""Labels whose first block holds, in this place, a word that dice of 65 175 sides pass over: one word in 65 928."""


def computed(key: bytes, label: str, count: int, sides: int) -> list[int]:
    """Return the dice by the definition in the log format, implemented a second time."""
    found: list[int] = []
    block = 0
    while len(found) < count:
        text = label + (f"#{block}" if block else "")
        digest = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        for start in range(0, 64, 8):
            word = int(digest[start : start + 8], 16)
            if word < 2**32 // sides * sides and len(found) < count:
                found.append(word % sides + 1)
        block += 1
    return found


@pytest.mark.parametrize(("label", "sides", "faces"), VECTORS)
def test_dice_match_the_published_vectors(label: str, sides: int, faces: tuple[int, ...]) -> None:
    assert roll_dice(KEY, label, len(faces), sides) == faces
    assert computed(KEY, label, len(faces), sides) == list(faces)


@pytest.mark.full
@given(st.binary(min_size=32, max_size=32), dice_labels(), st.integers(0, 40), st.integers(LEAST_SIDES, MAX_SIDES))
def test_any_roll_can_be_recomputed(key: bytes, label: str, count: int, sides: int) -> None:
    rolled = roll_dice(key, label, count, sides)
    assert list(rolled) == computed(key, label, count, sides)
    assert len(rolled) == count
    assert all(1 <= face <= sides for face in rolled)


def test_keys_and_commitments_match_the_format() -> None:
    assert key_from_seed("moltke").hex() == "f6e192b4b9a66bb97395390c430ea8a4fd4cd4cd9d297a001728f22a6f429ae3"
    assert commitment(KEY) == "0fef8f9789114a932ea37da1c5d29a8aac77b2ac1e6cbc75f5793962637cf84b"
    assert key_from_seed("moltke") == hashlib.sha256(b"sandtable key\nmoltke").digest()
    assert commitment(KEY) == hashlib.sha256(b"sandtable commitment\n" + KEY).hexdigest()


@pytest.mark.full
@given(dice_labels(), st.integers(1, 30), st.integers(1, 30))
def test_larger_roll_begins_with_the_smaller(label: str, few: int, more: int) -> None:
    assert roll_dice(KEY, label, few + more, 6)[:few] == roll_dice(KEY, label, few, 6)


@given(st.binary(max_size=200), st.lists(st.binary(max_size=300), min_size=1, max_size=4))
def test_cached_hmac_matches_the_standard_library(key: bytes, messages: list[bytes]) -> None:
    assert [hmac_of(key)(message) for message in messages] == [
        hmac.digest(key, message, "sha256") for message in messages
    ]


def blocks_of(monkeypatch: pytest.MonkeyPatch, *blocks: tuple[int, ...]) -> list[bytes]:
    """Let the digests be these words, block by block; return the list that collects the messages."""
    asked: list[bytes] = []

    def digest(message: bytes) -> bytes:
        asked.append(message)
        return b"".join(word.to_bytes(4, "big") for word in blocks[len(asked) - 1])

    monkeypatch.setattr("sandtable.kernel.dice.hmac_of", lambda key: digest)
    return asked


def test_word_at_or_above_the_largest_multiple_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 2**32 // 6 * 6
    blocks_of(monkeypatch, (limit, 2**32 - 1, limit - 1, 0, 7, limit, 8, 9))
    assert roll_dice(KEY, "x", 4, 6) == (6, 1, 2, 3)


def test_the_next_block_follows_when_eight_words_are_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = blocks_of(monkeypatch, tuple(range(8)), tuple(range(8)), tuple(range(8)))
    assert roll_dice(KEY, "x", 18, 6) == (1, 2, 3, 4, 5, 6, 1, 2) * 2 + (1, 2)
    assert asked == [b"x", b"x#1", b"x#2"]


def test_block_of_only_skipped_words_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = blocks_of(monkeypatch, (2**32 - 1,) * 8, (0,) * 8)
    assert roll_dice(KEY, "x", 1, 6) == (1,)
    assert asked == [b"x", b"x#1"]


@pytest.mark.parametrize(("label", "place"), PASSED_OVER)
def test_real_digests_contain_skipped_words(label: str, place: int) -> None:
    words = hmac.digest(KEY, label.encode(), "sha256")
    at = [int.from_bytes(words[start : start + 4], "big") for start in range(0, 32, 4)]
    assert [word for word in at if word >= 2**32 // 65_175 * 65_175] == [at[place]]
    faces = [word % 65_175 + 1 for word in at]
    rolled = roll_dice(KEY, label, 8, 65_175)
    assert list(rolled[:7]) == faces[:place] + faces[place + 1 :]
    assert list(rolled) == computed(KEY, label, 8, 65_175)


@pytest.mark.parametrize("bits", [4, 5, 6])
def test_skipping_favors_no_face(bits: int) -> None:
    """The same rule with words so short that all of them can be tried: every face is equally frequent."""
    words = range(2**bits)
    for sides in range(2, 2**bits + 1):
        limit = 2**bits - 2**bits % sides
        faces = Counter(word % sides + 1 for word in words if word < limit)
        assert set(faces) == set(range(1, sides + 1))
        assert len(set(faces.values())) == 1


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 20, 52, 100])
def test_chi_square_of_dice_is_within_fair_limits(sides: int) -> None:
    rolls = 4_000 * 8
    faces: Counter[int] = Counter()
    for number in range(rolls // 8):
        faces.update(roll_dice(KEY, f"1/test/chi/{number}", 8, sides))
    expected = rolls / sides
    chi = sum((faces[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    freedom = sides - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5 + 5


def test_adjacent_dice_and_labels_are_independent() -> None:
    rows = [roll_dice(KEY, f"1/test/pairs/{number}", 8, 6) for number in range(4_000)]
    within = Counter((mine, its) for row in rows for mine, its in pairwise(row))
    across = Counter((mine[0], its[0]) for mine, its in pairwise(rows))
    for pairs in (within, across):
        expected = pairs.total() / 36
        chi = sum((pairs[mine, its] - expected) ** 2 / expected for mine, its in product(range(1, 7), repeat=2))
        assert chi < 35 + 5 * 70**0.5


@pytest.mark.parametrize("sides", [-1, 0, 1, 65_537, 2**32])
def test_invalid_number_of_sides_is_refused(sides: int) -> None:
    with pytest.raises(PlayError, match="2 to 65536 sides"):
        roll_dice(KEY, "x", 1, sides)


@pytest.mark.parametrize("count", [-1, MAX_DICE + 1])
def test_invalid_number_of_dice_is_refused(count: int) -> None:
    with pytest.raises(PlayError, match="0 to 4096 dice"):
        roll_dice(KEY, "x", count, 6)


@pytest.mark.parametrize(("sides", "count"), [(2, 1), (65_536, 1), (6, 0), (6, MAX_DICE)])
def test_the_limits_themselves_are_allowed(sides: int, count: int) -> None:
    assert len(roll_dice(KEY, "x", count, sides)) == count


def test_each_kind_of_dice_has_its_mode() -> None:
    every: list[Dice] = [KeyedDice(KEY), KeyedDice(KEY, "host"), ManualDice(KEY), ChanceDice()]
    assert [each.mode for each in every] == ["open", "host", "manual", "chance"]
    assert [each.roll("x", 1, 6) is None for each in every] == [False, False, True, True]
    assert KeyedDice(KEY).shown_key() == ""
    assert KeyedDice(KEY, "host").shown_key() == KEY.hex()


def test_stream_depends_only_on_its_key() -> None:
    def head(stream: Stream) -> list[int]:
        return [stream.below(1000) for _ in range(50)]

    assert head(Stream(b"a")) == head(Stream(b"a"))
    assert head(Stream(b"a")) != head(Stream(b"b"))
    assert head(Stream.for_player(KEY, "red")) != head(Stream.for_player(KEY, "blue"))


def test_drawing_from_one_stream_changes_no_other() -> None:
    alone = Stream.for_player(KEY, "red")
    expected = [alone.below(6) for _ in range(40)]
    red, blue = Stream.for_player(KEY, "red"), Stream.for_player(KEY, "blue")
    found = []
    for _ in range(40):
        blue.below(17)
        found.append(red.below(6))
    assert found == expected


@given(st.lists(st.integers(1, 2**70), max_size=20))
def test_branch_does_not_depend_on_draws_from_its_stream(bounds: list[int]) -> None:
    def head(stream: Stream) -> list[int]:
        return [stream.below(1000) for _ in range(20)]

    fresh = Stream.for_player(KEY, "umpire")
    used = Stream.for_player(KEY, "umpire")
    for bound in bounds:
        used.below(bound)
    assert head(used.branch("3:sidi_rezegh:1")) == head(fresh.branch("3:sidi_rezegh:1"))
    assert head(fresh.branch("a")) != head(fresh.branch("b"))
    assert head(fresh.branch("a").branch("b")) != head(fresh.branch("ab"))
    assert head(fresh) == head(Stream.for_player(KEY, "umpire"))


def test_branch_can_be_recomputed() -> None:
    key = hmac.new(KEY, "branch/Gràn".encode(), "sha256").digest()
    words = [int.from_bytes(hashlib.sha512(key + b"0").digest()[i : i + 4], "big") for i in range(0, 64, 4)]
    branch = Stream(KEY).branch("Gràn")
    assert [branch.below(2**32) for _ in range(16)] == words[::-1]


@given(st.binary(max_size=8), st.one_of(st.integers(1, 100), st.integers(2**32 - 3, 2**32 + 3), st.integers(1, 2**200)))
def test_below_is_less_than_its_bound(key: bytes, bound: int) -> None:
    stream = Stream(key)
    assert all(0 <= stream.below(bound) < bound for _ in range(5))


@pytest.mark.parametrize("bound", [2, 3, 7, 10, 64])
def test_below_is_fair(bound: int) -> None:
    stream = Stream(b"fair")
    draws = 2_000 * bound
    seen = Counter(stream.below(bound) for _ in range(draws))
    chi = sum((seen[number] - 2_000) ** 2 / 2_000 for number in range(bound))
    assert chi < bound - 1 + 5 * (2 * (bound - 1)) ** 0.5 + 5


def test_large_bounds_reach_their_upper_half() -> None:
    stream = Stream(b"big")
    bound = 3 * 2**70
    draws = [stream.below(bound) for _ in range(300)]
    thirds = Counter(draw * 3 // bound for draw in draws)
    assert set(thirds) == {0, 1, 2}
    assert min(thirds.values()) > 60


def test_one_in_has_its_probability() -> None:
    stream = Stream(b"one in four")
    share = Fraction(sum(stream.one_in(4) for _ in range(8_000)), 8_000)
    assert Fraction(23, 100) < share < Fraction(27, 100)
    assert all(stream.one_in(1) for _ in range(20))


def test_samples_keep_order_and_are_uniform() -> None:
    stream = Stream(b"subsets")
    seen = Counter(tuple(stream.sample("abcde", 2)) for _ in range(10_000))
    assert all(list(pair) == sorted(pair) for pair in seen)
    assert len(seen) == 10
    assert all(850 < number < 1_150 for number in seen.values())
    assert stream.sample("abc", 0) == []
    assert stream.sample("abc", 3) == ["a", "b", "c"]


def test_pick_is_uniform() -> None:
    stream = Stream(b"pick")
    seen = Counter(stream.pick("abc") for _ in range(6_000))
    assert all(1_850 < number < 2_150 for number in seen.values())


def words_of(key: bytes, number: int) -> list[int]:
    """Return the first words of a stream of ``key``, recomputed: the last of each block comes first."""
    blocks = (hashlib.sha512(key + b"%d" % block).digest() for block in range(number // 16 + 1))
    drawn = [int.from_bytes(data[place : place + 4], "big") for data in blocks for place in range(60, -4, -4)]
    return drawn[:number]


@pytest.mark.parametrize(("bound", "wanted"), [(2**32 + 1, 3), (2**64, 4), (2**64 - 1, 3), (3 * 2**70, 4), (10**40, 6)])
def test_large_bound_uses_one_spare_word(bound: int, wanted: int) -> None:
    """Bots use these streams: the same key must always give the same numbers."""
    drawn = words_of(b"big", 5 * wanted)
    rows = [drawn[at : at + wanted] for at in range(0, 5 * wanted, wanted)]
    numbers = [int.from_bytes(b"".join(word.to_bytes(4, "big") for word in row), "big") for row in rows]
    stream = Stream(b"big")
    assert [stream.below(bound) for _ in range(5)] == [number % bound for number in numbers]


def test_stream_skips_words_that_favor_small_numbers() -> None:
    limit = 2**32 // 6 * 6
    stream = Stream(b"")
    stream._words = [7, limit, limit - 1, 2**32 - 1]  # the last is drawn first
    assert [stream.below(6), stream.below(6)] == [5, 1]
    stream._words = [2**32 - 1, 8]
    assert (stream.below(2**32), stream.below(2**32)) == (8, 2**32 - 1)
    most = 2**96 - 2**96 % (2**32 + 1)  # three words: the greatest numbers are skipped
    pairs = [most - 1, most]
    stream._words = [number >> 32 * place & 2**32 - 1 for number in pairs for place in range(3)]
    assert stream.below(2**32 + 1) == (most - 1) % (2**32 + 1)
    assert stream._words == []


def test_stream_of_a_player_can_be_recomputed() -> None:
    drawn = words_of(hmac.new(KEY, b"player/red", hashlib.sha256).digest(), 40)
    red = Stream.for_player(KEY, "red")
    assert [red.below(2**32) for _ in range(40)] == drawn


def test_salts_come_from_the_key_unless_given() -> None:
    salts = b"s" * 32
    assert [each.salt_source for each in (KeyedDice(KEY), KeyedDice(KEY, "open", salts), ManualDice(KEY, salts))] == [
        KEY,
        salts,
        salts,
    ]
    assert (ChanceDice().key, ChanceDice().salt_source) == (bytes(32), bytes(32))
    assert [each.shown_key() for each in (ManualDice(KEY), ChanceDice())] == [KEY.hex(), "00" * 32]


@pytest.mark.parametrize(
    ("given", "count", "sides", "fell"),
    [
        ((6, 1), 3, 6, (6, 1, None)),
        ((6, 1), 1, 6, (6,)),
        ((6, 1), 2, 6, (6, 1)),
        ((0, 1), 2, 6, (None, None)),
        ((7, 1), 2, 6, (None, None)),
        ((7, 1), 2, 7, (7, 1)),
        ((), 2, 6, (None, None)),
    ],
)
def test_set_dice_use_fitting_faces_and_then_the_key(
    given: tuple[int, ...], count: int, sides: int, fell: tuple[int | None, ...]
) -> None:
    of_key = roll_dice(KEY, "1/a/b/1", count, sides)
    expected = tuple(face or by_key for face, by_key in zip(fell, of_key, strict=True))
    assert SetDice(KEY, faces={"1/a/b/1": given}).roll("1/a/b/1", count, sides) == expected
    assert SetDice(KEY, faces={"1/a/b/2": given}).roll("1/a/b/1", count, sides) == of_key
