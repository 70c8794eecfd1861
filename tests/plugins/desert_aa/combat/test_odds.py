"""Odds of battles against an independent calculation from the printed values."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.oracle.battles import after_flak, fight, force

from sandtable.plugin.groups import nothing
from sandtable.rules.chance.battles import battle_odds

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Prepare


def test_odds_match_a_manual_computation() -> None:
    # One infantry each: 1/6 against 1/3. Of 36 rounds both hit in 2, only the attack in 4, only the defense in 10.
    one = fight(force("uk: infantry=1"), force("de: infantry=1"))
    assert one == (Fraction(4, 16), Fraction(10, 16), Fraction(2, 16))


@pytest.mark.full
@pytest.mark.rule("DAA-17.04", "DAA-17.05", "DAA-17.07", "DAA-17.08", "DAA-15.07", "DAA-3.01")
@pytest.mark.parametrize(
    ("attack", "defense"),
    [
        ("uk: infantry=1", "de: infantry=1"),
        ("uk: infantry=3, artillery=1", "de: infantry=2"),
        ("de: infantry=2, artillery=2, armor=1", "uk: infantry=2, artillery=1"),
        ("de: armor=3", "uk: infantry=3, armor=1"),
        ("it: infantry=3, artillery=1, armor=1", "uk: infantry=2, fighter=1"),
        ("uk: infantry=2, armor=1", "it: infantry=3, artillery=1, fighter=1"),
        ("uk: fighter=1, bomber=1", "it: infantry=2, bomber=1"),
        ("de: infantry=4, armor=2, fighter=1", "uk: infantry=4, artillery=1, armor=1"),
    ],
)
def test_odds_match_the_printed_values(prepare: Prepare, attack: str, defense: str) -> None:
    prepared = prepare("western_desert")
    battle: Any = (prepared.installed.battles.odds or nothing)(attack, defense, prepared.options)
    odds = battle_odds(battle, prepared.ruleset)
    assert odds.method == "exact"
    expected = fight(force(attack), force(defense))
    assert (odds.attacker, odds.defender, odds.draw) == pytest.approx([float(part) for part in expected], abs=1e-9)


@pytest.mark.rule("DAA-10.03", "DAA-17.03")
@pytest.mark.parametrize("guns", [1, 3])
def test_odds_include_one_flak_die_per_plane(prepare: Prepare, guns: int) -> None:
    prepared = prepare("western_desert")
    attack, defense = "uk: infantry=1, fighter=1, bomber=1", f"de: infantry=3, aa_gun={guns}"
    battle: Any = (prepared.installed.battles.odds or nothing)(attack, defense, prepared.options)
    odds = battle_odds(battle, prepared.ruleset)
    expected = after_flak(force(attack), force(defense))
    assert (odds.attacker, odds.defender, odds.draw) == pytest.approx([float(part) for part in expected], abs=1e-9)
