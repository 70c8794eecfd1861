"""Odds of a hypothetical attack: strengths, and exact probabilities of its exchange of fire by the live procedure."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

from damos.combat.battle import ATTACKER, DEFENDER, ROLES, Battle, Throw
from damos.combat.calculations import modified
from damos.combat.exchange import exchange, overwhelms, strengths
from damos.combat.plans import plans_open, postures_open
from damos.map.stacking import excess
from damos.map.supply import has_supply_line
from damos.model.forces import enemy_of, is_demoralized, units_in
from damos.model.tables import lp_number, lp_rank
from damos.movement.march import March, printed_rate
from damos.movement.steps import cost_of, why_no_step
from damos.ui.asking.paths import fresh_of, why_not_now
from damos.ui.asking.scene import Scene
from damos.ui.terms import names, place, plan_words, side_of
from sandtable import Answer, Roll
from sandtable.questions import NO

SIDES_OF_A_DIE = 6


def odds(scene: Scene, words: list[str]) -> Answer:
    """Return the odds of an attack by a force on the next hex, without air unit and reactions (DM-8.2)."""
    force, target = scene.two(words)
    units, hex_ = fresh_of(scene, force), scene.find_hex(target)
    seen = scene.view.units[units[0]]
    march = March(scene.state, units, printed_rate(scene.state))
    refusal = why_not_now(scene, units)
    if refusal is None and hex_ not in scene.board.around[seen.hex]:
        where = f"{place(hex_, scene.board)} is not adjacent to {place(seen.hex, scene.board)}"
        return Answer(NO, (f"{where}: ask for the path there first",), ("DM-7.0j",))
    refusal = refusal or why_no_step(scene.state, march, hex_)
    if refusal is not None:
        return Answer(NO, (refusal.reason,), (refusal.rule,))
    defenders = units_in(scene.state, hex_, enemy_of(seen.side))
    if not defenders:
        return Answer(NO, (f"no enemy is in {place(hex_, scene.board)}",), ("DM-8.0a",))
    left = march.left - (cost_of(scene.state, march, hex_) or 0)
    return _odds_answer(scene.moved(units, hex_, seen.side), units, defenders, (seen.hex, hex_, left))


def _odds_answer(scene: Scene, units: list[str], defenders: list[str], where: tuple[str, str, int]) -> Answer:
    entry, hex_, left = where
    state, side = scene.state, scene.view.units[units[0]].side
    attackers = units_in(state, hex_, side)
    for owner in (side, enemy_of(side)):
        if excess(state, owner, hex_):
            return Answer(NO, (f"too many of {side_of(owner, scene.board)} would be in {hex_}",), ("DM-2.3f",))
    first = _battle(scene, attackers, defenders, (hex_, entry))
    who = f"{names(attackers, scene.board)} against {names(defenders, scene.board)} in {place(hex_, scene.board)}"
    sums = [f"{role}: {_sum(first, role)}" for role in ROLES]
    hidden = scene.unknown([*attackers, *defenders])
    if hidden:
        sums.append(f"strength unknown to you, printed strength used: {names(hidden, scene.board)}")
    rules = ("DM-8.2e", "DM-8.10b", *(("DM-2.4c",) if hidden else ()))
    throws = strengths(first)
    both = throws[ATTACKER], throws[DEFENDER]
    if overwhelms(state, (both[0].strength, both[1].strength), (both[0].modified, both[1].modified)):
        return Answer(None, (f"{who}: 12 to 1, the defender is eliminated without a roll", *sums), ("AGC-4.6.2a",))
    lines = [f"{who}, without air unit and reactions, after the exchange of fire:"]
    for plan in plans_open(state, attackers, left):
        for posture in postures_open(state, defenders, hex_) or [""]:
            first.plan, first.posture = plan, posture
            lines.append(_row(first))
    return Answer(None, (*lines, *sums), rules)


def _battle(scene: Scene, attackers: list[str], defenders: list[str], where: tuple[str, str]) -> Battle:
    """Return the combat as it would be after the force has entered the hex."""
    state, (hex_, entry) = scene.state, where
    state.air.ready = False
    battle = Battle(state, hex_, entry, {ATTACKER: attackers, DEFENDER: defenders})
    battle.shaken = is_demoralized(state, defenders)
    ignoring = (hex_,) if state.options["los_in_combat_hex"] == "combatants_cancel" else ()
    battle.supplied = {role: has_supply_line(state, battle.side_of(role), hex_, ignoring) for role in ROLES}
    return battle


def _sum(battle: Battle, role: str) -> str:
    throw = strengths(battle)[role]
    steps = ", ".join(f"{name} {amount:+}" for name, amount, _ in modified(battle, role).steps)
    supply = "" if battle.supplied[role] else ", no supply line"
    return f"{throw.modified} ({steps}{supply}), column {throw.column}, {throw.dice} d6"


def _row(battle: Battle) -> str:
    """Return the probabilities of one plan against one posture."""
    ahead, points = Fraction(0), {role: dict[int, Fraction]() for role in ROLES}
    for chance, suffered in _exchanges(battle):
        ahead += chance * (lp_rank(suffered[DEFENDER]) > lp_rank(suffered[ATTACKER]))
        for role in ROLES:
            number = lp_number(suffered[role])
            points[role][number] = points[role].get(number, Fraction(0)) + chance
    against = f" against {plan_words(battle.posture)}" if battle.posture else ""
    losses = "; ".join(f"{role} loses {_shares(points[role])}" for role in reversed(ROLES))
    exact = f" ({ahead})" if 0 < ahead < 1 else ""
    return f"{plan_words(battle.plan)}{against}: attacker ahead {float(ahead):.0%}{exact}; {losses}"


def _shares(points: dict[int, Fraction]) -> str:
    """Return the mean and the distribution of points, such as "3.7 on average: 2 (2%), 3 (24%), 4 (74%)".

    Probabilities below 0.5% are shown as "<1%".
    """
    mean = sum(number * share for number, share in points.items())
    shares = (f"{number} ({_percent(share)})" for number, share in sorted(points.items()) if share)
    return f"{float(mean):.1f} on average: {', '.join(shares)}"


def _percent(share: Fraction) -> str:
    return f"{float(share):.0%}" if share >= Fraction(1, 200) else "<1%"


def _exchanges(battle: Battle) -> Iterator[tuple[Fraction, dict[str, str]]]:
    """Yield what each side suffers for every pair of totals, with its probability, by the live procedure."""
    dice = strengths(battle)
    for (own, weight), (other, against) in product(_throws(dice[ATTACKER].dice), _throws(dice[DEFENDER].dice)):
        chance = Fraction(weight * against, SIDES_OF_A_DIE ** (len(own) + len(other)))
        yield chance, _suffered(battle, strengths(battle), {"combat.attack": own, "combat.defence": other})


def _suffered(battle: Battle, throws: dict[str, Throw], faces: dict[str, tuple[int, ...]]) -> dict[str, str]:
    procedure, reply = exchange(battle, throws), None
    while True:
        try:
            request = procedure.send(reply)
        except StopIteration as end:
            suffered: dict[str, str] = end.value[1]
            return suffered
        reply = faces[request.purpose.partition(":")[0]] if isinstance(request, Roll) else None


@lru_cache
def _throws(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return, for each total of ``dice`` dice, one set of faces, and the number of rolls with that total."""
    found: dict[int, tuple[tuple[int, ...], int]] = {}
    for faces in product(range(1, SIDES_OF_A_DIE + 1), repeat=dice):
        first, count = found.get(sum(faces), (faces, 0))
        found[sum(faces)] = first, count + 1
    return tuple(found.values())
