"""The winner of a combat, and what happens to the loser: retreat, rout, demoralization (DM-8.10, DM-8.11)."""

from collections.abc import Callable, Sequence
from itertools import islice

from damos.combat.battle import ATTACKER, DEFENDER, ROLES, Battle, other
from damos.combat.calculations import decided
from damos.combat.losses import demoralize, propagate_demoralization
from damos.map.retreat import PathsOf, combat_retreats
from damos.model.events import CombatDecided, ForceRallied, ForceRetreated, UnitsEliminated
from damos.model.forces import strongest, units_in
from damos.model.orders import Decline, Retreat, Rout
from damos.model.tables import ATTACKER_RETREAT, DEFENDER_RETREAT, MEETING, lp_rank, lp_sum
from sandtable import AnyOf, Decision, Form, OneOf, Procedure, Space

# --- who won ---


def decide(battle: Battle, suffered: dict[str, str], added: dict[str, int]) -> Procedure:
    """Return the winning role, "" for none (DM-8.10). ``added`` are the points of a counterattack, if any."""
    symbols = battle.state.options["lp_sum_symbols"]
    totals = {role: lp_sum(token, added[role], symbols) if added else token for role, token in suffered.items()}
    winner = WINNERS[battle.state.options["eliminated_side_loses"]](battle, totals)
    why = decided(battle, suffered, added, totals)
    yield CombatDecided(battle.hex, winner, totals[ATTACKER], totals[DEFENDER], calculations=why)
    return winner


def _by_points(battle: Battle, totals: dict[str, str]) -> str:  # noqa: ARG001 - same signature as _survivor
    """Return the role that inflicted more; the defender wins a tie (DM-8.10b, DM-8.10e, R-DM-12)."""
    return ATTACKER if lp_rank(totals[DEFENDER]) > lp_rank(totals[ATTACKER]) else DEFENDER


def _survivor(battle: Battle, totals: dict[str, str]) -> str:
    """Return the role that is left if one side is gone, or "" if both are."""
    if battle.attackers and battle.defenders:
        return _by_points(battle, totals)
    if battle.attackers or battle.defenders:
        return ATTACKER if battle.attackers else DEFENDER
    return ""


WINNERS: dict[str, Callable[[Battle, dict[str, str]], str]] = {"survivor_wins": _survivor, "lp_only": _by_points}
"""Functions that return the winner, by option: whether an eliminated side always loses (R-DM-46)."""


# --- what happens to the loser ---


def settle(battle: Battle, winner: str) -> Procedure:
    """Carry out the result of the combat for both sides (DM-8.11).

    The loser's over-stacked units are eliminated (DM-2.3g), and those of both sides if neither won.
    """
    for role in (other(winner),) if winner else ROLES:
        gone = battle.present(battle.left_out[role])
        if gone:
            yield UnitsEliminated(gone, battle.hex, "stacking", "DM-2.3g")
    if winner == ATTACKER:
        yield from _defender_lost(battle)
    elif winner == DEFENDER:
        yield from _withdraw(battle, ATTACKER, in_meeting=battle.plan == MEETING)
        if battle.shaken and battle.defenders:  # units that sat out rally, too: the whole stack is demoralized together
            force = units_in(battle.state, battle.hex, battle.side_of(DEFENDER))
            yield ForceRallied(force, battle.hex, 0, "won", "DM-8.11g")


def _withdraw(battle: Battle, role: str, *, in_meeting: bool) -> Procedure:
    """Retreat a loser and then demoralize it; without a retreat path it is eliminated (DM-8.11b to DM-8.11e).

    Units that sat out and are still in the hex, for example after a rout, retreat with the others (DM-8.11c).
    """
    state, units = battle.state, sorted([*battle.of(role), *battle.sat_out(role)])
    if not units:
        return
    least, most = (ATTACKER_RETREAT, ATTACKER_RETREAT) if role == ATTACKER else DEFENDER_RETREAT
    space = combat_retreats(state, units, battle.hex, least, most)
    paths = list(islice(space.values(), 2))
    if not paths:
        yield UnitsEliminated(units, battle.hex, "retreat", "DM-8.11d")
        return
    order: Retreat = paths[0]
    if len(paths) > 1:
        purpose = f"retreat.{battle.hex}.{role}"
        order = yield Decision(battle.side_of(role), f"retreat from {battle.hex}", space, "DM-8.11b", purpose=purpose)
    yield ForceRetreated(units, list(order.path), "lost")
    yield from demoralize(state, units, in_meeting=in_meeting)
    yield from propagate_demoralization(state, battle.side_of(role), order.path[-1])


# --- major cities ---


def _defender_lost(battle: Battle) -> Procedure:
    """Retreat the defender, or rout its strongest unit and expel the attacker (DM-8.11i, R-DM-18)."""
    if battle.hex in battle.state.board.major_cities and len(battle.defenders) > 1:
        prompt = f"rout the strongest unit to keep {battle.hex}, or retreat"
        order = yield Decision(
            battle.side_of(DEFENDER),
            prompt,
            _routs(battle, strongest(battle.state, battle.defenders)),
            "DM-8.11i",
            done=Decline(),
            purpose=f"rout.{battle.hex}",
            outside=_routs(battle, battle.defenders),
        )
        if isinstance(order, Rout):
            yield from _rout(battle, order.unit, list(order.path))
            yield from _withdraw(battle, ATTACKER, in_meeting=False)
            return
    yield from _withdraw(battle, DEFENDER, in_meeting=battle.plan == MEETING)


def _routs(battle: Battle, units: Sequence[str]) -> Space:
    """Return the Decline order and the Rout orders of one of the ``units``: the strongest ones (R-DM-15).

    The path is empty for a unit that has no retreat path, or that option ``rout_meaning`` eliminates.
    """
    state = battle.state

    def paths(unit_id: str) -> Space:
        if state.options["rout_meaning"] == "unit_eliminated":
            return OneOf(([],), "R-DM-18")
        space = combat_retreats(state, [unit_id], battle.hex, *DEFENDER_RETREAT)
        return OneOf(([],), "R-DM-18") if space.is_empty() else PathsOf(space)

    return AnyOf((Form(Rout, {"unit": OneOf(units, "R-DM-15"), "path": paths}), OneOf((Decline(),), "DM-8.11i")))


def _rout(battle: Battle, unit_id: str, path: list[str]) -> Procedure:
    if not path:
        yield UnitsEliminated([unit_id], battle.hex, "rout", "R-DM-18")
        return
    yield ForceRetreated([unit_id], path, "rout", "DM-8.11i")
    yield from demoralize(battle.state, [unit_id], "rout")
    yield from propagate_demoralization(battle.state, battle.side_of(DEFENDER), path[-1])
