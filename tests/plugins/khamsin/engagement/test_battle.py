"""Large engagements by agreement: Total War (KH-14) and linked tables (KH-15)."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, NewCase, actions, field, losses, mode

from khamsin.model.battle_events import ModeAgreed
from khamsin.model.orders import FieldCompanies, ProposeMode, SetActions
from khamsin.model.state import Fielded
from sandtable.tabletop.result import PlatoonLosses

LARGE_AT = "15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh"
EVEN = {"forces.formations.7_armd_bde.strength": 3}


def large(
    new_case: NewCase, kind: str, number: int, *answers: Any, until: Any = None, where: str = LARGE_AT, **rest: Any
) -> Case:
    """Fight at Sidi Rezegh with ``number`` companies a side (Total War) or on ``number`` linked tables."""
    changes = rest.pop("changes", EVEN)
    options = {"large_engagements": "by_agreement", "actions_per_engagement": "player_pairs"}
    case = new_case(where, dice={"activation:*": "6"}, changes=changes, **(options | rest))
    return case.turn(*mode(kind), actions(number), *answers, allies="7_armd_bde sidi_rezegh", until=until)


@pytest.mark.rule("KH-12.12", "KH-14.01", "KH-14.02", "KH-15.01", "KH-O2")
def test_large_mode_requires_agreement_of_both_sides(new_case: NewCase) -> None:
    options = {"large_engagements": "by_agreement"}
    case = new_case(LARGE_AT, dice={"activation:*": "6"}, **options)
    case.turn((AXIS, ProposeMode("total_war")), (ALLIES, ProposeMode("linked")), allies="7_armd_bde sidi_rezegh")
    assert case.one(ModeAgreed).mode == "ordinary"
    assert {each.mode for each in case.briefs()} == {"ordinary"}
    case = new_case(LARGE_AT, dice={"activation:*": "6"}).turn(allies="7_armd_bde sidi_rezegh")
    assert {each.mode for each in case.briefs()} == {"ordinary"}
    assert case.events(ModeAgreed) == []  # no mode was proposed


@pytest.mark.rule("KH-14.11", "KH-14.12")
def test_moving_side_may_use_stratagems_of_its_commander(new_case: NewCase) -> None:
    changes = EVEN | {"sides.allies.stratagems": ["Montgomery"], "sides.axis.stratagems": ["Model"]}
    case = large(new_case, "total_war", 2, until=FieldCompanies, changes=changes)

    def rule(side: str, formation: str, kinds: tuple[str, str], name: str) -> str:
        first, second = kinds
        return case.why_not(
            side, field(side, Fielded(formation, first, stratagems=name), Fielded(formation, second))[1]
        )

    assert rule(ALLIES, "7_armd_bde", ("crusader", "a13"), "Montgomery") == ""
    assert rule(ALLIES, "7_armd_bde", ("crusader", "a13"), "Model") in {"KH-14.11", "KH-14.12"}
    assert rule(AXIS, "15_pz_div", ("panzer", "panzer_engineer"), "Model") == "KH-14.11"  # it did not move


@pytest.mark.rule("KH-15.02")
def test_linked_tables_require_at_least_2_actions(new_case: NewCase) -> None:
    case = new_case(
        LARGE_AT, dice={"activation:*": "6"}, large_engagements="by_agreement", actions_per_engagement="player_pairs"
    ).turn(*mode("linked"), allies="7_armd_bde sidi_rezegh", until=SetActions)
    assert not case.pending[0].options.is_legal(SetActions(1))
    case = large(new_case, "linked", 2, until=FieldCompanies)
    assert case.why_not(AXIS, field(AXIS, "15_pz_div panzer", "15_pz_div panzer")[1]) == ""


@pytest.mark.rule("KH-15.08")
def test_rerolls_apply_on_every_linked_table(new_case: NewCase) -> None:
    changes = {"forces.formations.15_pz_div.strength": 4, "forces.formations.7_armd_bde.strength": 1}
    assert [each.parties["axis"].rerolls for each in large(new_case, "linked", 2, changes=changes).briefs()] == [1, 1]


@pytest.mark.rule("KH-14.01", "KH-21.04", "KH-2.13")
def test_large_battle_losses_go_to_the_formation_that_fought(new_case: NewCase) -> None:
    reported = losses("axis", "6-1", axis={"afv.0": PlatoonLosses(destroyed=1)})
    case = large(new_case, "total_war", 3, reported)
    assert case.ledger("15_pz_div") == (1, 0)
