"""Shares: amounts, manual counts, and equal probability of every share."""

from collections import Counter
from itertools import product

import pytest

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import ShareOut


def test_amount_of_zero_has_one_share() -> None:
    nothing = ShareOut(0, {"gun": 1})
    assert (list(nothing.values()), nothing.count(), nothing.sample(Stream(b""))) == ([{}], 1, {})


def test_share_out_matches_a_manual_count() -> None:
    space = ShareOut(7, {"tank": 3, "gun": 2, "man": 1}, {"man": 2})
    by_hand = [
        {name: number for name, number in (("tank", tanks), ("gun", guns), ("man", men)) if number}
        for tanks, guns, men in product(range(3), range(4), range(3))
        if 3 * tanks + 2 * guns + men <= 7
    ]
    assert sorted(map(repr, space.values())) == sorted(map(repr, by_hand))
    assert space.count() == len(by_hand)


@pytest.mark.full
@pytest.mark.parametrize("exactly", [False, True])
def test_every_share_is_equally_likely(exactly: bool) -> None:
    space = ShareOut(6, {"tank": 3, "gun": 2, "man": 1}, {"gun": 2}, exactly=exactly)
    shares = [repr(sorted(share.items())) for share in space.values()]
    stream = Stream(b"shares")
    seen = Counter(repr(sorted(space.sample(stream).items())) for _ in range(500 * len(shares)))
    assert set(seen) == set(shares)
    chi = sum((seen[share] - 500) ** 2 / 500 for share in shares)
    freedom = len(shares) - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5 + 5
