"""The keeper that a game needs, from the manifest and the values of its options."""

from typing import Any

import pytest

from sandtable.plugin.manifest import Manifest, Option
from sandtable.plugin.options.keepers import keeper_for, without_keeper


def manifest(keeper: Any, *options: Option, **facts: Any) -> Manifest:
    usual: dict[str, Any] = {"hidden": True, "secrets": "strengths", "keeper": keeper, "options": options}
    return Manifest("x", "X", "1", "first", "nobody", "draft", ("red", "blue"), "none", **usual | facts)


FOG = Option("fog", ("thick", "thin", "none"), "How thick?", keeper={"thick": "needed", "thin": "claims"})


@pytest.mark.parametrize(
    ("made", "options", "keeper", "because"),
    [
        (manifest("none"), {}, "none", ()),
        (manifest("claims"), {}, "claims", ("strengths",)),
        (manifest("needed", secrets=""), {}, "needed", ("what the sides keep secret",)),
        (manifest("", hidden=False), {}, "none", ()),
        (manifest(""), {}, "needed", ("strengths",)),
        (manifest("none", FOG), {}, "needed", ("fog=thick",)),
        (manifest("none", FOG), {"fog": "thin"}, "claims", ("fog=thin",)),
        (manifest("claims", FOG), {"fog": "thin"}, "claims", ("strengths", "fog=thin")),
        (manifest("claims", FOG), {"fog": "none"}, "claims", ("strengths",)),
        (manifest("none", secret_rolls=("always",)), {}, "needed", ("secret rolls",)),
        (manifest("none", secret_rolls=("fog=none",)), {"fog": "thin"}, "none", ()),
        (manifest("none", secret_rolls=("fog=none",)), {"fog": "none"}, "needed", ("fog=none",)),
    ],
)
def test_most_demanding_fact_decides(made: Manifest, options: dict[str, str], keeper: str, because: Any) -> None:
    found = keeper_for(made, options)
    assert (found.keeper, found.because) == (keeper, because)


def test_values_that_need_a_keeper_are_replaced() -> None:
    assert without_keeper(manifest("none", FOG), {"fog": "thick", "wind": "west"}) == {"fog": "thin", "wind": "west"}
    assert without_keeper(manifest("none", FOG), {"fog": "none"}) == {"fog": "none"}
    assert without_keeper(manifest("claims", FOG, secret_rolls=("fog=thin",)), {}) == {"fog": "none"}
    assert without_keeper(manifest("needed", FOG), {}) is None
    assert without_keeper(manifest("none", secret_rolls=("always",)), {}) is None
