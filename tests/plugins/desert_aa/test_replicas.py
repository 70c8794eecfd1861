"""Games without a keeper: each side's program knows only its own minefields and guns (DAA-8.03, DAA-R33, DAA-R37)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from apart import bots_apart, bots_together, log_apart, verdict_on_slice
from tests.plugins.desert_aa.conftest import installed, quiet_order, ready, set_up

from desert_aa.combat.minefields import hidden_fields
from desert_aa.economy.purchase import MinePlaces
from desert_aa.model.events import GunsDesignated, MinefieldDeclared, MinefieldForfeited, MinefieldsPlaced
from desert_aa.model.orders import DeclareMinefield, DesignateGuns, EndMoves, MoveUnits, PlaceMinefields
from desert_aa.model.state import DesertState
from sandtable.errors import IllegalOrder, PlayError
from sandtable.journal.sides.claims import Committed, FactTree, OpenedSecrets, judge_claims
from sandtable.journal.sides.slices import seen_records
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import UMPIRE, Claim
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.records import ClaimRecord
from sandtable.kernel.replicas.replica import Replica
from sandtable.plugin.options.keepers import keeper_for, without_keeper
from sandtable.testing.loaded_dice import LoadedDice

if TYPE_CHECKING:
    from collections.abc import Mapping

UNSEEN = {"unseen 1 germany 0": "germany"}
"""One minefield of Germany as a replica of the Allies knows it: without its space."""


def stand(
    side: str, mines: Mapping[str, str], *dice: Any, units: str = "HAB uk-inf-1", power: str = "england", **options: str
) -> Replica:
    """Return the replica of ``side`` at the combat moves of ``power``, which moves ``units``."""
    prepared = ready("western_desert", **options)
    replica = Replica(prepared.ruleset, set_up(prepared, units, power, mines=mines), LoadedDice(*dice), holds=(side,))
    replica.start()
    while not replica.state.phase.endswith("combat_move"):
        (asked,) = replica.waiting()
        replica.submit(quiet_order(asked), asked.seat)
    return replica


def attack(replica: Replica, *moves: str) -> Replica:
    """Order England's ``moves``, such as "uk-inf-1: HAB GSA", and end its combat moves."""
    for each in moves:
        units, path = each.split(": ")
        replica.submit(MoveUnits(units.split(), path.split()), "england")
    if replica.waiting() and replica.waiting()[0].purpose == "attack_with":
        replica.submit(EndMoves(), "england")
    return replica


def happened(replica: Replica, *kinds: type) -> list[Any]:
    return [each.event for each in replica.records if isinstance(getattr(each, "event", None), kinds)]


def desert(replica: Replica) -> DesertState:
    assert isinstance(replica.state, DesertState)
    return replica.state


# --- minefields ---


@pytest.mark.rule("DAA-8.10", "DAA-8.03")
def test_owner_states_whether_an_entered_space_is_mined() -> None:
    axis = attack(stand("axis", {"GSA": "germany"}, (6,)), "uk-inf-1: HAB GSA")
    allies = attack(stand("allies", UNSEEN, (6,)), "uk-inf-1: HAB GSA")
    claim = allies.pending
    assert isinstance(claim, Claim)
    assert (claim.side, claim.purpose, claim.fact) == ("axis", "mine.GSA", "GSA")
    (made,) = [each for each in axis.records if isinstance(each, ClaimRecord)]
    allies.resolve_claim(made.value)
    assert (
        happened(allies, MinefieldDeclared)
        == happened(axis, MinefieldDeclared)
        == [MinefieldDeclared("germany", "GSA")]
    )
    assert desert(allies).minefields == desert(axis).minefields  # it was found, so both know it


@pytest.mark.rule("DAA-8.10")
def test_space_without_a_minefield_is_claimed_empty_and_taken() -> None:
    axis = attack(stand("axis", {"SIW": "germany"}), "uk-inf-1: HAB GSA")
    allies = attack(stand("allies", UNSEEN), "uk-inf-1: HAB GSA")
    allies.resolve_claim("")
    assert [each.value for each in axis.records if isinstance(each, ClaimRecord)] == [""]
    for replica in (axis, allies):
        assert not happened(replica, MinefieldDeclared)
        assert desert(replica).control["GSA"] == "england"
    assert dict.fromkeys(desert(allies).minefields) == dict.fromkeys(UNSEEN)


@pytest.mark.rule("DAA-8.11", "DAA-R39")
def test_forfeited_minefield_is_gone_in_both_replicas_and_claimed_once() -> None:
    both = [
        attack(
            stand(side, mines, units="HAB uk-inf-1..2", mine_auto="manual"), "uk-inf-1: HAB GSA", "uk-inf-2: HAB GSA"
        )
        for side, mines in (("axis", {"GSA": "germany"}), ("allies", UNSEEN))
    ]
    both[1].resolve_claim("germany")
    for replica in both:
        replica.submit(DeclareMinefield(declare=False), "germany")
        assert happened(replica, MinefieldForfeited) == [MinefieldForfeited("germany", "GSA")]
        assert not desert(replica).minefields
        assert sum(isinstance(each, ClaimRecord) for each in replica.records) == 1


@pytest.mark.rule("DAA-R37")
def test_no_claim_is_made_where_public_facts_exclude_a_minefield() -> None:
    allies = attack(stand("allies", {}), "uk-inf-1: HAB GSA")
    assert desert(allies).control["GSA"] == "england"
    assert not [each for each in allies.records if isinstance(each, ClaimRecord)]


# --- an owner that lies (attack 34) ---


FACTS = {"GSA": "germany", "SIW": "", "TEN": ""}


def committed(facts: dict[str, str]) -> tuple[FactTree, Committed]:
    tree = FactTree(facts, 9, b"the axis")
    return tree, Committed("axis", 9, tuple(tree.names), tree.root)


@pytest.mark.rule("DAA-8.10")
@pytest.mark.parametrize(("space", "claimed"), [("GSA", ""), ("SIW", "germany")], ids=["denied", "invented"])
def test_minefield_can_be_neither_denied_nor_invented(space: str, claimed: str) -> None:
    tree, commitment = committed(FACTS)
    assert commitment.value_of(space, tree.opening(space)) == FACTS[space]
    forged = msgspec.json.encode(msgspec.json.decode(tree.opening(space)) | {"value": claimed})
    lying, _ = committed({**FACTS, space: claimed})
    for opening in (forged, lying.opening(space)):
        with pytest.raises(PlayError, match="does not fit the commitment after record 9"):
            commitment.value_of(space, opening)


@pytest.mark.rule("DAA-8.01", "DAA-R37")
def test_one_minefield_too_many_is_refused_at_once() -> None:
    allies = attack(stand("allies", UNSEEN, (6,)), "uk-inf-1: HAB GSA")
    with pytest.raises(IllegalOrder, match="italy"):
        allies.resolve_claim("italy")  # Italy has laid none
    allies = attack(stand("allies", {}), "uk-inf-1: HAB GSA")
    with pytest.raises(PlayError, match="no claim is pending"):
        allies.resolve_claim("germany")


@pytest.mark.full
def test_commitment_to_more_minefields_than_were_laid_shows_at_the_close() -> None:
    apart = bots_apart(ready("western_desert"), "too many")
    prepared, dice = apart.prepared, KeyedDice(key_from_seed("too many"))
    assert str(judge_claims(prepared, apart.first.records, dice, apart.opened, apart.committed)) == "proven"
    place = next(
        at
        for at, each in enumerate(apart.committed)
        if each.side == "axis" and any(each.n > n for n in apart.opened["axis"].orders)
    )
    honest = apart.committed[place]
    names = dict.fromkeys(honest.names, "italy")  # a field in every space
    lie = honest._replace(root=FactTree(names, honest.n, apart.opened["axis"].source).root)
    lies = [*apart.committed[:place], lie, *apart.committed[place + 1 :]]
    told = judge_claims(prepared, apart.first.records, dice, apart.opened, lies)
    assert told.false == (f"record {honest.n}: the facts that axis committed to do not follow from its opened orders")


@pytest.mark.full
def test_withheld_opening_leaves_the_minefields_unproven() -> None:
    apart = bots_apart(ready("western_desert"), "too many")
    dice = KeyedDice(key_from_seed("too many"))
    told = judge_claims(apart.prepared, apart.first.records, dice, {"allies": apart.opened["allies"]}, apart.committed)
    assert (told.false, told.not_proven) == ("", ("not proven: minefields of axis",))


# --- laying ---


@pytest.mark.rule("DAA-8.03", "DAA-R37")
@pytest.mark.parametrize("number", [1, 3])
def test_laid_minefields_show_their_number_only(number: int) -> None:
    places: list[str] = []
    replicas = []
    for side in ("axis", "allies"):
        state: dict[str, Any] = {"mines_waiting": {"italy": 0, "england": 0, "germany": number}}
        replica = _at_placement(side, state)
        if side == "axis":
            space = replica.waiting()[0].options
            assert isinstance(space, MinePlaces)
            places = list(space.places[:number])
            replica.submit(PlaceMinefields(places))
        else:
            replica.submit_hidden("germany")
        replicas.append(replica)
    axis, allies = replicas
    assert [len(each.spaces) for each in happened(allies, MinefieldsPlaced)] == [number]
    assert not set(places) & set(desert(allies).minefields)
    assert axis.view("allies") == allies.view("allies")
    assert allies.view("allies").mines_laid["germany"] == number
    assert hidden_fields(desert(allies), "axis") == dict.fromkeys(desert(allies).board.mineable, "")


@pytest.mark.rule("DAA-8.01", "DAA-8.05")
def test_side_claims_mine_number_and_choice_if_few_spaces_are_left() -> None:
    mineable = ready("western_desert").board.mineable
    held = [
        each
        for each in mineable
        if set_up(ready("western_desert"), "TRI de-inf-1", "germany").control[each] != "england"
    ]
    full = dict.fromkeys(held[1:], "germany")
    state = {"mines_waiting": {"italy": 0, "england": 0, "germany": 2}}
    axis = _at_placement("axis", state, full)
    allies = _at_placement("allies", state, {f"unseen 1 germany {at}": "germany" for at in range(len(full))})
    claims = [each for each in axis.records if isinstance(each, ClaimRecord)]
    assert [each.value for each in claims] == [1, True]
    for each in claims:
        allies.resolve_claim(each.value)
    assert [len(each.spaces) for each in happened(axis, MinefieldsPlaced)] == [1]
    assert [len(each.spaces) for each in happened(allies, MinefieldsPlaced)] == [1]
    assert axis.view("allies") == allies.view("allies")
    assert not set(held) & set(desert(allies).minefields)


def _at_placement(side: str, state: Mapping[str, Any], mines: Mapping[str, str] | None = None) -> Replica:
    prepared = ready("western_desert")
    first = set_up(prepared, "TRI de-inf-1", "germany", mines=mines or {}, state=state)
    replica = Replica(prepared.ruleset, first, LoadedDice(), holds=(side,))
    replica.start()
    while replica.waiting() and not replica.waiting()[0].purpose.startswith("lay_mines"):
        (asked,) = replica.waiting()
        if replica.state.phasing_power != "germany" or isinstance(replica.pending, Claim):
            break
        replica.submit(quiet_order(asked), asked.seat)
    return replica


# --- anti-tank guns ---


@pytest.mark.rule("DAA-R33", "DAA-7.06")
def test_designated_guns_are_claimed_by_their_side() -> None:
    units = "HAB uk-arm-1..2; GSA de-art-1 de-art-2 de-inf-1"
    dice = (6,), (6, 6), (6, 6)
    axis, allies = (
        attack(stand(side, {}, *dice, units=units), "uk-arm-1 uk-arm-2: HAB GSA") for side in ("axis", "allies")
    )
    for replica in (axis, allies):
        while replica.waiting() and not replica.waiting()[0].purpose.startswith("designate_guns"):
            (asked,) = replica.waiting()
            replica.submit(quiet_order(asked), asked.seat)
    axis.submit(DesignateGuns(["de-art-2"]))
    allies.submit_hidden("germany")
    assert not happened(allies, GunsDesignated)
    with pytest.raises(IllegalOrder):
        allies.resolve_claim(["de-inf-1"])
    allies.resolve_claim(["de-art-2"])
    assert [each.guns for each in happened(allies, GunsDesignated)] == [["de-art-2"]]
    assert happened(allies, GunsDesignated) == happened(axis, GunsDesignated)


# --- whole games ---


@pytest.mark.full
@pytest.mark.parametrize(("scenario", "seed"), [("western_desert", "a"), ("frontier", "b"), ("to_the_finish", "c")])
def test_commanders_play_the_same_game_without_a_keeper(scenario: str, seed: str) -> None:
    prepared = ready(scenario)
    apart, together = bots_apart(prepared, seed), bots_together(prepared, seed)
    assert apart.head("axis") == apart.head("allies")
    for side, replica in apart.by_side.items():
        made = [each for each in replica.records if not isinstance(each, ClaimRecord)]
        seen = [seen_records(each, prepared, side) for each in (made, together.records)]
        plain = [[msgspec.structs.replace(each, n=0) for each in records] for records in seen]
        assert plain[0] == plain[1]
        assert replica.view(side) == together.view(side)
    laid = [
        order
        for opened in apart.opened.values()
        for order in opened.orders.values()
        if isinstance(order, PlaceMinefields) and order.spaces
    ]
    assert laid or scenario == "frontier"
    assert [each.state.outcome for each in apart.by_side.values()] == [together.state.outcome] * 2


@pytest.mark.rule("DAA-R37")
def test_secret_numbers_need_a_keeper() -> None:
    manifest = installed().manifest
    assert keeper_for(manifest, {}).keeper == "claims"
    found = keeper_for(manifest, {"mine_secrecy": "all_secret"})
    assert (found.keeper, found.because) == ("needed", ("mine_secrecy=all_secret",))
    assert without_keeper(manifest, {"mine_secrecy": "all_secret"}) == {"mine_secrecy": "spaces_secret"}


@pytest.mark.full
def test_opened_orders_of_another_space_are_false() -> None:
    apart = bots_apart(ready("western_desert"), "too many")
    orders = dict(apart.opened["axis"].orders)
    n = next(n for n, order in orders.items() if isinstance(order, PlaceMinefields) and order.spaces)
    free = [each for each in apart.prepared.board.mineable if each not in orders[n].spaces]
    told = [
        judge_claims(
            apart.prepared,
            apart.first.records,
            KeyedDice(key_from_seed("too many")),
            {
                **apart.opened,
                "axis": OpenedSecrets({**orders, n: PlaceMinefields([each])}, apart.opened["axis"].source),
            },
            apart.committed,
        ).false
        for each in free
    ]
    assert all(told)


# --- logs ---


@pytest.mark.full
@pytest.mark.rule("DAA-8.10", "DAA-8.03")
def test_slice_with_half_of_the_secrets_is_run_to_the_first_closed_order() -> None:
    prepared = ready("western_desert")
    log = log_apart(prepared, "7")
    assert verify(log, prepared.apart(prepared.ruleset.viewers)).verdict == "verified"
    secret = re.compile(rb'"by":"(germany|italy)","secret":true')
    orders = [number for number, line in enumerate(log.lines) if secret.search(line)]
    for side, other in (("axis", "allies"), ("allies", "axis")):
        found = verdict_on_slice(log, prepared, side)
        assert (found.verdict, found.note) == ("verified so far", "")
        assert f"the claims of {other} (minefields)" in found.pending
    for opened, stopped in ((orders[0], orders[1]), (orders[-1], orders[0])):
        found = verdict_on_slice(log, prepared, "allies", log.openings[opened, UMPIRE])
        assert (found.verdict, found.first_difference) == ("verified so far", None)
        assert found.note.endswith(f"record {stopped} is closed")
