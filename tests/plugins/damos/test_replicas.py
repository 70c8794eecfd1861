"""Games without a keeper: each side's program knows only its own strengths (DM-2.4c, R-DM-04)."""

import msgspec
import pytest
from apart import bots_apart, bots_together, log_apart, verdict_on_slice
from tests.plugins.damos.cases import react, total
from tests.plugins.damos.conftest import Lay

from damos.model import events
from sandtable.journal.sides.slices import seen_records
from sandtable.journal.verification.verify import verify
from sandtable.kernel.records import ClaimRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.plugin.options.keepers import keeper_for, without_keeper

SHOWN = {"reaction_mech_compare": "shown"}


@pytest.fixture(scope="module")
def smolensk() -> Prepared:
    return Rulesets().load("damos").prepare("smolensk", SHOWN)


@pytest.mark.rule("R-DM-04")
def test_only_shown_strengths_need_no_keeper() -> None:
    manifest = Rulesets().load("damos").manifest
    found = keeper_for(manifest, {})
    assert (found.keeper, found.because) == ("needed", ("reaction_mech_compare=known_forces_only",))
    assert keeper_for(manifest, SHOWN).keeper == "claims"
    assert without_keeper(manifest, {"reaction_mech_compare": "always"}) == SHOWN


@pytest.mark.rule("R-DM-04", "DM-2.6.1n")
@pytest.mark.parametrize(("ours", "modifier"), [(6, 0), (8, 1)])
@pytest.mark.parametrize("option", ["known_forces_only", "shown"])
def test_both_mobile_strengths_are_shown_by_option_only(lay: Lay, ours: int, modifier: int, option: str) -> None:
    units = f"2817 A1:7; 2815 a1:{ours}"
    case = lay(units, dice={"reaction": "11"}, reaction_mech_compare=option)
    case.march("A1", "2816", react("a1", "2815 2816")).rest()
    rolled = case.one(events.ReactionRolled)
    assert total(rolled.modifiers) == modifier
    shown = [tuple(step[1] for step in each.steps) for each in rolled.calculations or () if each.name == "mobile"]
    assert shown == ([(ours, -7)] if option == "shown" else [])


@pytest.mark.full
@pytest.mark.parametrize("seed", ["a", "b"])
def test_staffs_play_the_same_game_without_a_keeper(smolensk: Prepared, seed: str) -> None:
    apart, together = bots_apart(smolensk, seed), bots_together(smolensk, seed)
    assert apart.head("german") == apart.head("soviet")
    for side, replica in apart.by_side.items():
        made = [each for each in replica.records if not isinstance(each, ClaimRecord)]
        seen = [seen_records(each, smolensk, side) for each in (made, together.records)]
        plain = [[msgspec.structs.replace(each, n=0) for each in records] for records in seen]
        assert plain[0] == plain[1]
        assert replica.view(side) == together.view(side)
    assert any(isinstance(each, ClaimRecord) for each in apart.first.records)


@pytest.mark.full
def test_rules_run_through_both_slices(smolensk: Prepared) -> None:
    log = log_apart(smolensk, "7")
    assert verify(log, smolensk.apart(smolensk.ruleset.viewers)).verdict == "verified"
    for side, other in (("german", "soviet"), ("soviet", "german")):
        found = verdict_on_slice(log, smolensk, side)
        assert (found.verdict, found.note) == ("verified so far", "")
        assert f"the claims of {other} (strengths)" in found.pending
