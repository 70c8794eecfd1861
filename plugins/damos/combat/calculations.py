"""The calculations of a combat, for the log: strengths, columns, rolls, loss points, winner (DM-8.2a).

Loss points are counted as indexes of their ladder, "0" at 0: "0h" is 1, "1" is 3 (DM-8.7a).
"""

from collections.abc import Mapping

from damos.combat.battle import ATTACKER, DEFENDER, Battle, Throw, other
from damos.map.calculations import attack_steps, defense_steps
from damos.model.calculations import ATTACK, DEFENSE, Steps, held, rolled
from damos.model.tables import CRT_TITLES, column_of, combat_result, crt_row, lp_number, lp_rank
from damos.model.terrain_chart import Cell
from sandtable import Calculation

WORDS = {ATTACKER: "attack", DEFENDER: "defense"}


def modified(battle: Battle, role: str) -> Calculation:
    """Return the calculation of the modified strength of a role (DM-8.2b, DM-8.2c)."""
    state, units, points = battle.state, battle.of(role), battle.strength_of(role)
    if role == ATTACKER:
        return Calculation("attack_modified", attack_steps(state, units, points, battle.hex, battle.entry))
    return Calculation("defense_modified", defense_steps(state, units, points, battle.hex))


def column(role: str, throw: Throw, *, shifted: bool) -> Calculation:
    """Return the column of a role: that of its strength, and the shift of the air unit (DM-8.6b, AGC-4.4b)."""
    own = column_of(throw.modified)
    steps: Steps = ((f"strength {throw.modified}", own, "R-DM-21" if throw.modified < 1 else "DM-8.6b"),)
    if shifted:
        steps = (*steps, ("air unit", 1, "AGC-4.4b"))
        if throw.column == own:
            steps = (*steps, ("last column", -1, "AGC-4.4b"))
    return Calculation(f"{WORDS[role]}_column", steps)


def total(role: str, throw: Throw) -> Calculation:
    """Return the modified roll of a role (DM-8.5f)."""
    rules = ATTACK if role == ATTACKER else DEFENSE
    return rolled(f"{WORDS[role]}_total", throw.faces, "DM-8.2e", throw.modifiers, rules)


def suffered(battle: Battle, role: str, enemy: Throw, cell: Cell) -> Calculation:
    """Return the loss points that a role suffers, from the results table and the matrix (DM-8.6b, DM-8.4b)."""
    change = cell.attacker_points if role == ATTACKER else cell.defender_points
    matrix: Steps = ((f"matrix {battle.plan} {battle.posture}", change, "DM-8.4b"),) if change else ()
    if not enemy.rolls:
        return held(f"on_{role}", (("no roll", 0, "R-DM-21"), *matrix), 0, "DM-8.7d")
    clamp = battle.state.options["crt_clamp"]
    points = combat_result(enemy.column, enemy.total, clamp)
    found = held(f"on_{role}", ((f"table {points}", lp_rank(points), "DM-8.6b"), *matrix), 0, "DM-8.7d")
    row = crt_row(enemy.column, enemy.total, clamp)
    title = "<=0" if row == 0 else ">=20" if row == 20 else str(row)
    return Calculation(found.name, found.steps, ("crt", title, CRT_TITLES[enemy.column - 1]))


def exchanged(battle: Battle, throws: Mapping[str, Throw], cell: Cell, shifted: str) -> tuple[Calculation, ...]:
    """Return the calculations of an exchange of fire. ``shifted`` is the role whose column the air unit moved."""
    attack, defense = throws[ATTACKER], throws[DEFENDER]
    return (
        modified(battle, ATTACKER),
        modified(battle, DEFENDER),
        column(ATTACKER, attack, shifted=shifted == ATTACKER),
        column(DEFENDER, defense, shifted=shifted == DEFENDER),
        total(ATTACKER, attack),
        total(DEFENDER, defense),
        suffered(battle, DEFENDER, attack, cell),
        suffered(battle, ATTACKER, defense, cell),
    )


def overwhelming(battle: Battle, attack: int, defense: int, ratio: int) -> tuple[Calculation, ...]:
    """Return both strengths, and the attacker's margin over ``ratio`` to one (AGC-4.6.2a, R-DM-63)."""
    margin = (("attack", attack, "R-DM-63"), (f"{ratio} times defense", -ratio * max(1, defense), "AGC-4.6.2a"))
    return (modified(battle, ATTACKER), modified(battle, DEFENDER), Calculation("margin", margin))


def countered(battle: Battle, ratio: str, die: int, points: Mapping[str, int]) -> tuple[Calculation, ...]:
    """Return the calculations of a counterattack: strengths, and the cell of its table (DM-8.9d to DM-8.9h)."""
    cell = ("counterattack", str(die), ratio)
    state, hex_ = battle.state, battle.hex
    counter, attack = battle.strength_of(DEFENDER), battle.strength_of(ATTACKER)
    return (
        held("counter_strength", attack_steps(state, battle.defenders, counter, hex_), 1, "R-DM-45"),
        held("attack_strength", defense_steps(state, battle.attackers, attack, hex_), 1, "R-DM-45"),
        *(Calculation(f"on_{role}", (("table", number, "DM-8.9h"),), cell) for role, number in points.items()),
    )


def decided(
    battle: Battle, initial: Mapping[str, str], added: Mapping[str, int], totals: Mapping[str, str]
) -> tuple[Calculation, ...]:
    """Return the calculation of the winner: the sole survivor, or the side ahead on the ladder (DM-8.10)."""
    sums = tuple(
        Calculation(
            f"on_{role}",
            (
                (f"exchange {initial[role]}", lp_number(initial[role]), "DM-8.10a"),
                ("counterattack", added[role], "DM-8.10a"),
            ),
        )
        for role in added
    )
    left = {role: len(battle.of(role)) for role in (ATTACKER, DEFENDER)}
    if battle.state.options["eliminated_side_loses"] == "survivor_wins" and not all(left.values()):
        steps = (("attackers left", left[ATTACKER], "R-DM-46"), ("defenders left", -left[DEFENDER], "R-DM-46"))
        return (*sums, Calculation("survivors", steps))
    margin = tuple(
        (f"{other(role)} suffered {totals[other(role)]}", sign * lp_rank(totals[other(role)]), "DM-8.10b")
        for role, sign in ((ATTACKER, 1), (DEFENDER, -1))
    )
    return (*sums, Calculation("margin", margin))
