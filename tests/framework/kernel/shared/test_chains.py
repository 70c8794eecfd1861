"""The hash chains of shared dice."""

import pytest

from sandtable.kernel.dice import roll_dice
from sandtable.kernel.shared.chains import Chain, KnownChain, epoch_key, link_before, link_bytes

SEEDS = {"axis": bytes(range(32)), "allies": bytes(range(32, 64))}


def test_chain_matches_the_test_vector_of_the_format_page() -> None:
    chains = {side: Chain(seed, 4) for side, seed in SEEDS.items()}
    assert chains["axis"].tip == "ecea7db0673b20dfdde8e3490edc4ec145fc3a0f6f1d10ce4593295af6f28b54"
    assert chains["allies"].tip == "241d7b74db4cd77e34872562ddbb13d90cfce69529e6da0516d230f9e33df840"
    key = epoch_key("0011223344556677", 1, "ab" * 32, {side: chain[1] for side, chain in chains.items()})
    assert key.hex() == "dd9145a85b11c8c7e03e60e2ccdb1e8b35b402b322dbbaf9e92dcdeb8cf90ce3"
    assert roll_dice(key, "1/italy.combat/attack.TOB/1", 6, 6) == (3, 1, 2, 4, 3, 6)


def test_last_link_is_the_seed_and_each_link_gives_the_previous_one() -> None:
    chain = Chain(SEEDS["axis"], 5)
    assert chain[5] == SEEDS["axis"]
    assert all(link_before(index, chain[index]) == chain[index - 1] for index in range(1, 6))
    assert chain.links == 5


def test_known_chain_accepts_only_the_link_of_the_epoch() -> None:
    chain, known = Chain(SEEDS["axis"], 5), KnownChain(Chain(SEEDS["axis"], 5).tip, 5)
    other = Chain(SEEDS["allies"], 5)
    for epoch in (1, 2):
        assert known.why_not(epoch, chain[epoch]) == ""
        for wrong in (chain[epoch + 1], chain[epoch - 1], other[epoch], b"", chain[epoch] + b"x"):
            assert known.why_not(epoch, wrong) == f"is not link {epoch} of the chain"
        known.accept(epoch, chain[epoch])
    assert known.why_not(2, chain[2]) == "is not link 2 of the chain"  # given before


def test_known_chain_is_hashed_through_a_gap() -> None:
    chain = Chain(SEEDS["axis"], 5)
    known = KnownChain(chain.tip, 5)
    known.accept(1, chain[1])
    assert known.why_not(4, chain[4]) == ""
    assert known.why_not(4, chain[3])


def test_chain_ends_with_its_last_link() -> None:
    chain = Chain(SEEDS["axis"], 2)
    known = KnownChain(chain.tip, 2, base=7)
    assert known.why_not(9, chain[2]) == ""
    assert known.why_not(10, chain[2]) == "the chain ends with link 2: it has no link for epoch 10"


@pytest.mark.parametrize("text", ["", "ab", "AB" * 32, "ab" * 33, "xy" * 32, "ab" * 32 + "\n"])
def test_text_that_is_not_a_link_fits_no_chain(text: str) -> None:
    assert link_bytes(text) == b""
    assert KnownChain("ab" * 32, 3).why_not(1, link_bytes(text))


def test_key_depends_on_game_epoch_head_and_every_link() -> None:
    links = {side: Chain(seed, 2)[1] for side, seed in SEEDS.items()}
    key = epoch_key("00" * 8, 1, "ab" * 32, links)
    others = {
        epoch_key("01" * 8, 1, "ab" * 32, links),
        epoch_key("00" * 8, 2, "ab" * 32, links),
        epoch_key("00" * 8, 1, "ac" * 32, links),
        epoch_key("00" * 8, 1, "ab" * 32, {**links, "axis": links["allies"]}),
        epoch_key("00" * 8, 1, "ab" * 32, {**links, "host": links["allies"]}),
    }
    assert len(others | {key}) == 6
