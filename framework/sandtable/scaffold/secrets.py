"""The parts of a new ruleset with secrets: each side secretly names an elite unit, revealed when it fights."""

SECRETS = {
    "elite_state": "    elite: dict[str, str] = {}\n    shown: list[str] = []\n",
    "elite_order": '''@game.order
class NameElite(st.Order, frozen=True):
    """Name ``unit`` as your elite; the enemy does not learn which it is."""

    unit: str

''',
    "elite_event": '''

@game.event(seen_by="side")
class EliteNamed(st.Event, frozen=True):
    """``side`` secretly named ``unit`` as its elite."""

    side: str
    unit: str
    rule: str = "$prefix-5"

    def apply(self, table: Table) -> None:
        """Store the elite of the side."""
        table.elite[self.side] = self.unit


@game.event(seen_by="all", reveals=True)
class EliteShown(st.Event, frozen=True):
    """The ``elites`` (by side) fought and were revealed; an empty dict shows that no elite fought."""

    elites: dict[str, str]
    rule: str = "$prefix-5"

    def apply(self, table: Table) -> None:
        """Store which elites are known, also for a side that did not see them named."""
        table.elite.update(self.elites)
        table.shown += [side for side in self.elites if side not in table.shown]
''',
    "elite_phase": '''
@game.phase("$prefix-5", setup=True)
def name_elites(table: Table) -> st.Procedure:
    """Let each side name its elite in secret ($prefix-5)."""
    for side in SIDES:
        own = [name for name, unit in table.units.items() if unit.side == side]
        options = st.Form(NameElite, {"unit": st.OneOf(own, "$prefix-5")})
        order: NameElite = yield st.Decision(side, "name your elite", options, "$prefix-5", secret=True)
        yield EliteNamed(side, order.unit)

''',
    "elite_rule": """
[[rule]]
id = "$prefix-5"
text = "Before the game each side secretly names an elite unit. It adds one in its battles, which reveal it."
state = "rule"
""",
    "bonus": """    elites = {side: table.elite[side] for side in SIDES if table.elite[side] in {attacker, defender}}
    yield EliteShown(elites)  # before the die, because the bonus alone would reveal it
    signs = {table.units[attacker].side: 1, table.units[defender].side: -1}
    bonus = sum(signs[side] for side in elites)""",
    "turn_imports": "from $name.model import BattleFought, EliteNamed, EliteShown, Halt, March, NameElite, Table, "
    "UnitMarched",
    "fog_imports": "import sandtable as st",
    "fog_front": "SIDES, ",
    "fog_unit": ", Unit",
    "fog_view": ', "elite": table.elite.get(side, ""), "shown": _shown(table)',
    "fog_deal": '''

def _shown(table: Table) -> dict[str, str]:
    """Return the elites that both sides know."""
    return {side: table.elite[side] for side in table.shown}


@game.hook("deal")
def deal(view: dict[str, Any], side: str, stream: st.Stream) -> Table:
    """Return a table that gives ``side`` this view: the enemy's elite may be any enemy unit."""
    units = {name: Unit(unit["side"], unit["space"]) for name, unit in view["units"].items()}
    elite = {side: view["elite"]} if view["elite"] else {}
    enemy = next(each for each in SIDES if each != side)
    own = [name for name, unit in units.items() if unit.side == enemy]
    if view["elite"] and own:
        elite[enemy] = view["shown"].get(enemy) or stream.pick(own)
    return Table(units=units, elite=dict(sorted(elite.items())), shown=list(view["shown"]))
''',
    "test_imports": "from $name.model import Halt, March, NameElite",
    "test_elite": """    game.submit(NameElite("r2"), "red")
    game.submit(NameElite("b2"), "blue")""",
}
"""The text of each placeholder in the templates. Without secrets, it is empty or comes from ``writing.PLAIN``."""
