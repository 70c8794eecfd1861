"""Losses and the division of hits (DAA-17.06, DAA-R64)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import Lay, ready, set_up
from tests.plugins.desert_aa.positions import GSA, minutes
from tests.plugins.desert_aa.rows import Row, battle, play, row

from desert_aa.combat.losses import by_proportion
from desert_aa.model import events as event_types

if TYPE_CHECKING:
    from transcripts import Transcript

    from desert_aa.model.state import DesertState


def other(**facts: Any) -> Any:
    """Return a function that changes the second German infantry unit."""

    def tweak(state: DesertState) -> None:
        for fact, value in facts.items():
            setattr(state.units["de-inf-2"], fact, value)

    return tweak


FOUR_AND_TWO = "uk-arm-1..3", "de-inf-1..4 it-inf-1..2"
ASKED = "wants lose = True", "go lose de-inf-2; retreat HAB", "at GSA = de-inf-1"
LOSSES = [
    battle("DAA-17.06", "each side picks its own losses, one for each hit", "uk-inf-1 uk-arm-1..2",
           "de-inf-1 de-arm-1..2", "to lose", "asked = germany", "refuse lose de-inf-1 = DAA-17.06",  # two hits
           "refuse lose de-inf-1 uk-inf-1 = DAA-17.06", "lose de-inf-1 de-arm-2", "asked = england", "lose uk-arm-1",
           "go retreat HAB", "units = de-arm-1 uk-arm-2 uk-inf-1", dice="6 1 1, 1 6 6"),
    *(battle("DAA-R64 DAA-17.12", f"{holder} picks the losses of both partners: {loss}", "uk-arm-1",
             "de-inf-1 it-inf-1", "to lose", f"asked = {holder}", f"go lose {loss}; retreat HAB", f"where {loss} = -",
             dice="1, 6 6", control={holder: "GSA"})
      for holder, loss in (("germany", "it-inf-1"), ("italy", "de-inf-1"), ("italy", "it-inf-1"))),
    # Germany holds the space and chooses Italian losses.
    battle("DAA-R64", "the holder of the space divides the hits", *FOUR_AND_TWO, "lose de-inf-1 it-inf-1..2",
           "retreat HAB", "at GSA = de-inf-2 de-inf-3 de-inf-4", dice="1 1 1, 6 6 6 6 6 6"),
    # In proportion, two hits fall on Germany and one on Italy, and there is no choice.
    battle("DAA-R64", "by option hits are divided in proportion", *FOUR_AND_TWO, "retreat HAB",
           "at GSA = de-inf-3 de-inf-4 it-inf-2", dice="1 1 1, 6 6 6 6 6 6", multi_defense="proportional"),
    battle("DAA-R65", "planes may be given up for hits from the ground", "uk-inf-1 uk-ftr-1", "de-inf-1 de-ftr-1",
           "go lose de-ftr-1; lose uk-ftr-1; retreat HAB", "units = de-inf-1 uk-inf-1", dice="1 6, 1 6"),
    battle("DAA-17.06", "when all fall, the cheapest are named first", "uk-arm-1..5",
           "de-inf-2 de-inf-1 de-arm-1 it-arm-1 it-inf-1", "fight",
           "lost = it-inf-1 de-inf-1 de-inf-2 it-arm-1 de-arm-1",
           dice="3 3 3 3 3, 6 6 6 6 6"),
    # Its earlier path does not matter, because its supply cannot be cut.
    *(battle("DAA-17.06 DAA-R29", f"losses are not chosen: {name}", "uk-arm-1", "de-inf-1..2", "wants lose = False",
             "go retreat HAB", "at GSA = de-inf-2", dice="1, 6 6", tweak=tweak)
      for name, tweak in (("alike", other()), ("another path", other(path=["TOB", "BDI", GSA])))),
    *(battle("DAA-17.06 DAA-R29", f"losses are chosen: {tweak['condition']}", "uk-arm-1", "de-inf-1..2", *ASKED,
             dice="1, 6 6", tweak=other(**tweak))
      for tweak in (
          {"condition": "extended", "stands_up": 2}, {"condition": "cut", "stands_up": 3},
          {"condition": "advanced", "path": ["TOB", "BDI", GSA]},
      )),
    row("DAA-17.06", "attackers that came the same way do not differ", "HAB uk-inf-1..2; GSA de-inf-1",
        "attack uk-inf-1: HAB GSA; uk-inf-2: HAB GSA", "end", "wants lose = False", "go retreat HAB",
        "at HAB = uk-inf-2", dice="6 6, 1"),
    row("DAA-17.06", "attackers that came another way differ", "HAB uk-inf-1; BUQ uk-inf-2; GSA de-inf-1",
        "attack uk-inf-1: HAB GSA; uk-inf-2: BUQ GSA", "end", "wants lose = True", "go lose uk-inf-1; retreat BUQ",
        "at BUQ = uk-inf-2", dice="6 6, 1"),
]  # fmt: skip


@pytest.mark.rule("DAA-17.06", "DAA-17.12", "DAA-R29", "DAA-R64", "DAA-R65")
@pytest.mark.parametrize("row", LOSSES)
def test_losses_follow_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-R64", "DAA-17.12")
@pytest.mark.parametrize(
    ("germans", "italians", "hits", "holder", "shares"),
    [
        (4, 2, 3, "germany", (2, 1)),
        (2, 1, 1, "italy", (1, 0)),  # 2/3 to 1/3
        (1, 2, 2, "italy", (1, 1)),  # 2/3 to 4/3: Germany has the larger remainder
        (3, 2, 4, "germany", (2, 2)),  # 12/5 to 8/5
        (1, 1, 1, "germany", (1, 0)),  # equal remainders: the holder of the space
        (1, 1, 1, "italy", (0, 1)),
        (3, 2, 9, "germany", (3, 2)),
        (5, 4, 7, "germany", (4, 3)),  # 35/9 to 28/9
        (2, 2, 3, "italy", (1, 2)),
    ],
)
def test_hits_on_partners_are_divided(
    germans: int, italians: int, hits: int, holder: str, shares: tuple[int, int]
) -> None:
    prepared = ready("western_desert")
    state = set_up(prepared, f"GSA de-inf-1..{germans} it-inf-1..{italians}", "england", control={holder: GSA})
    units = sorted(state.units)
    assert [(power, hit) for power, _, hit in by_proportion(state, GSA, units, hits)] == [
        ("germany", shares[0]),
        ("italy", shares[1]),
    ]


@pytest.mark.rule("DAA-R64", "DAA-17.06")
def test_partners_lose_fewer_units_than_hits(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-arm-1..4; GSA de-inf-1..2 it-inf-1", dice="3 3 3 3, 6 6 6", multi_defense="proportional")
    case.attack("uk-arm-1..4", "HAB GSA").fight()
    transcript(minutes(case.events(event_types.UnitsLost)))
