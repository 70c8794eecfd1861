"""The contract suite finds what it is made to find: the toy with one fault planted in it, fault by fault."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.plugin.manager import Installed, Rulesets
from sandtable.testing import CHECKS, check_ruleset
from sandtable.testing import toy as module

SOURCE = Path(module.__file__)

Fault = tuple[str, str, str, str]

BOTS = "    return st.Bots(deal=deal, evaluate=evaluate)\n"
BOT = """
    class Clumsy:
        def __init__(self, seat: str, stream: st.Stream, board: Any) -> None:
            self.seat = seat

        def choose(self, decision: st.Decision, view: st.View) -> st.Order:
            return {order}

    return st.Bots({{"clumsy": Clumsy}}, deal, evaluate)
"""
CLAIM = next(line for line in SOURCE.read_text(encoding="utf-8").splitlines(keepends=True) if "st.Claim(" in line)
DECLARED = "        hidden=True,\n"

DECLARATIONS = {
    "a bot is declared that does not exist": (
        'bots={"bold": ("north",)}',
        "manifest: bots.bold: there is no such bot; choose from random, first, search",
    ),
    "a bot is declared for a seat that does not exist": (
        'bots={"random": ("north", "west")}',
        "manifest: bots.random: 'west' is not a seat; choose from north, south, umpire",
    ),
    "a bot is declared for no seat": ('bots={"first": ()}', "manifest: bots.first: names no seat"),
    "the usual player does not exist": (
        'usual={"umpire": "resolver"}',
        "manifest: usual.umpire: there is no bot 'resolver'; choose from random, first, search",
    ),
    "the usual player may not sit there": (
        'usual={"umpire": "search"}',
        "manifest: usual.umpire: search may not sit there",
    ),
    "somebody is usual in a seat that does not exist": (
        'usual={"west": "random"}',
        "manifest: usual.west: is not a seat; choose from north, south, umpire",
    ),
}
"""Each fault of the bots that a manifest declares: a line that is added to it, and the words of the check."""

FAULTS: dict[str, Fault] = {
    **{
        name: ("bots_hold_their_seats", DECLARED, f"{DECLARED}        {line},\n", told)
        for name, (line, told) in DECLARATIONS.items()
    },
    "a bot fails": (
        "bots_hold_their_seats",
        BOTS,
        BOT.format(order="Commit(view()['reserve'])"),
        "record 2: clumsy, as north at 'hide your ambush', fails: KeyError: 'reserve'",
    ),
    "an umpire cannot tell the dice": (
        "bots_hold_their_seats",
        BOTS,
        BOT.format(order="Commit(1)"),
        r"\(toy, dice manual\), record \d+: clumsy, as umpire at 'roll .*', gives Commit",
    ),
    "rules read a secret that another replica lacks": (
        "replicas_agree",
        "loser in state.ambush and (yield here)",
        "state.ambush.get(loser) == state.front",
        r"record \d+ (differs between north and south|is in only one replica of north and south): .*: yield a Claim",
    ),
    "a value that one side knows leads to what all see": (
        "replicas_agree",
        CLAIM,
        "    here = st.Secret(loser, lambda: state.ambush[loser] == state.front, False)\n",
        r"record \d+ (differs between north and south|is in only one replica of north and south): .*: yield a Claim",
    ),
    "whether a claim is made depends on a secret": (
        "replicas_agree",
        "if loser in state.ambush and",
        "if state.ambush.get(loser) == state.front and",
        r"record \d+.*(yield a Claim|whether a claim is made must depend on public facts)",
    ),
    "a claim is made that public facts do not allow": (
        "replicas_agree",
        "st.OneOf((False, True)), lambda",
        "st.OneOf((True,)), lambda",
        "the claim ambush of (north|south) is False, which its options refuse",
    ),
    "a secret order has nothing that stands in for it": (
        "replicas_agree",
        ", stand_in=LayAmbush(0)",
        "",
        r"the secret decision north \(TOY-1\) has no stand_in",
    ),
    "the manifest says that no claims are made": (
        "replicas_agree",
        'keeper="claims"',
        'keeper="none"',
        "makes claims, so its manifest must say claims, not none",
    ),
    "what is dealt again looks otherwise": (
        "secrets_are_dealt_again",
        'view["ambush"] if each == side else stream.pick(ROAD)',
        "stream.pick(ROAD)",
        r"must '.*': the dealt game looks different to (north|south): ambush: \d, not \d",
    ),
    "what is dealt again forgets what was spent": (
        "secrets_are_dealt_again",
        'troops=dict(view["troops"])',
        "troops=dict.fromkeys(FORWARD, 12)",
        r"the dealt game looks different to north: troops\.north: 12, not \d+",
    ),
    "what is dealt again is a view": (
        "secrets_are_dealt_again",
        'return Ford(troops=dict(view["troops"]), front=view["front"], ambush=ambush)',
        "return view",
        "deal gave dict, which is not a state",
    ),
    "shares of one side only": (
        "evaluation_is_shares",
        'return {"north": north, "south": 1000 - north}',
        'return {"north": 1000}',
        "it must have exactly the keys north, south",
    ),
    "shares in parts of one": (
        "evaluation_is_shares",
        'return {"north": north, "south": 1000 - north}',
        'return {"north": north / 1000, "south": 1 - north / 1000}',
        "the share of north is not an integer from 0 to 1,000",
    ),
    "an evaluation that spends troops": (
        "evaluation_is_shares",
        "    north = min(max(500 + ahead, 20), 980)\n",
        '    north = min(max(500 + ahead, 20), 980)\n    state.troops["north"] -= 1\n',
        "evaluate changed the state",
    ),
    "options that go on changing": (
        "questions_are_told_apart",
        '        spaces = st.Form(LayAmbush, {"space": st.OneOf(ROAD, "TOY-1")})\n',
        """        shared = list(ROAD) if side == "north" else shared
        shared.reverse()
        spaces = st.Form(LayAmbush, {"space": st.OneOf(shared, "TOY-1")})
""",
        "the options changed after the order was given",
    ),
    "an outline contains a label": (
        "outlines_hold_no_prose",
        'st.Range(0, min(3, troops), "TOY-2")',
        'type("Titled", (st.Range,), {"outline": lambda self: ["0 troops", self.most]})(0, min(3, troops), "TOY-2")',
        "the outline of the options contains '0 troops', which is not a value",
    ),
    "an outline contains a title in one word": (
        "outlines_hold_no_prose",
        'st.Range(0, min(3, troops), "TOY-2")',
        'type("Titled", (st.Range,), {"outline": lambda self: {"Troops": self.most}})(0, min(3, troops), "TOY-2")',
        "the outline of the options contains 'Troops', which is not a value",
    ),
    "a set puts an event in order": (
        "same_bytes_in_two_processes",
        "{side: order.troops for side, order in orders.items()}",
        "{side: orders[side].troops for side in set(orders)}",
        r"event\.troops: keys",
    ),
    "a view shows everything to a viewer that does not exist": (
        "looking_changes_nothing",
        "state.ambush.get(side, 0)}",
        'state.ambush.get(side, 0) if side in (*FORWARD, "public") else dict(state.ambush)}',
        r"view shows 'nobody', not a viewer, what it hides from 'public': ambush",
    ),
    "a view shows the enemy's secret": (
        "secrets_are_kept",
        '"ambush": state.ambush.get(side, 0)}',
        '"ambush": state.ambush.get(side, 0), "all": dict(state.ambush)}',
        "its view: all",
    ),
    "a view shows the secret by the order of its keys": (
        "secrets_are_kept",
        '"troops": dict(state.troops),',
        '"troops": dict(sorted(state.troops.items(), key=lambda each: state.ambush.get(each[0], 0))),',
        "its view: troops: keys",
    ),
    "a secret event is seen by all": (
        "secrets_are_kept",
        "    return event if event.side == side else None",
        "    return event",
        "a record of its log: event.space",
    ),
    "options tell the enemy's secret": (
        "secrets_are_kept",
        "st.OneOf(ROAD, ",
        "st.OneOf([space for space in ROAD if space not in _.ambush.values()], ",
        "its options|may not order",
    ),
    "a prompt tells the enemy's secret": (
        "secrets_are_kept",
        '"hide your ambush"',
        'f"hide your ambush {sum(_.ambush.values())}"',
        "its decisions: ",
    ),
    "a die tells of the secret before the reveal": (
        "secrets_are_kept",
        "        yield AmbushSprung(loser)  # before its die, because the die alone would reveal it\n",
        "        yield st.Roll(1, 6, 'scouts', 'TOY-1')\n        yield AmbushSprung(loser)\n",
        "a record of its log",
    ),
    "a procedure changes the state": (
        "fold_equals_run",
        "    hits = {}\n",
        '    hits = {}\n    state.troops["north"] += 1\n',
        "troops.north: ",
    ),
    "a handler keeps what belongs to an event": (
        "fold_equals_run",
        "        state.troops[side] -= troops\n",
        "        state.troops[side] -= troops\n    event.troops.clear()\n",
        r"troops\.(north|south): ",
    ),
    "a clone shares a list with the game": (
        "clones_are_independent",
        "    state.front = event.front\n",
        "    state.front = event.front\n    state.ambush = SHARED\n\n\nSHARED: dict[str, int] = {}\n",
        "shares state.ambush with another game",
    ),
    "rules roll dice under another name": (
        "no_clock_no_chance",
        "import sandtable as st\n",
        "import sandtable as st\nfrom random import randrange as cast\nUNUSED = 0\n",
        "random.randrange",
    ),
    "any number of troops is taken": (
        "wrong_orders_are_refused",
        'st.Range(0, min(3, troops), "TOY-2")',
        'type("Any", (st.Range,), {"why_not": lambda self, value: None})(0, min(3, troops), "TOY-2")',
        "why_not finds it legal",
    ),
    "a refusal names a rule that is not": (
        "wrong_orders_are_refused",
        'st.Range(0, min(3, troops), "TOY-2")',
        'st.Range(0, min(3, troops), "TOY-22")',
        "TOY-22, which is not in the rule index",
    ),
    "why_not fails on what it does not expect": (
        "wrong_orders_are_refused",
        'st.Range(0, min(3, troops), "TOY-2")',
        (
            'type("Brittle", (st.Range,), {"why_not": lambda self, value: None if 0 <= value + 0 <= self.most '
            'else st.Refusal("TOY-2", "no")})(0, min(3, troops))'
        ),
        "why_not fails on it: TypeError",
    ),
    "judging an order changes the state": (
        "wrong_orders_are_refused",
        'st.Form(Commit, {"troops": st.Range(0, min(3, troops), "TOY-2")})',
        'st.Form(Commit, {"troops": lambda: setattr(state, "front", state.front + 1) or st.Range(0, 0, "TOY-2")})',
        "the state or the log changed",
    ),
    "the game never ends": (
        "games_end",
        '    if state.turn == state.board["turns"]:',
        '    while True:\n        yield FrontMoved(state.front, "TOY-5")\n    if state.turn == state.board["turns"]:',
        "endless: more than 2000 records",
    ),
    "options are empty where a side must choose": (
        "options_are_sound",
        'st.OneOf(ROAD, "TOY-1")',
        'st.OneOf(ROAD[:0], "TOY-1")',
        "it has no options",
    ),
    "a sample is refused": (
        "options_are_sound",
        'st.Range(0, min(3, troops), "TOY-2")',
        'type("Wide", (st.Range,), {"sample": lambda self, stream: stream.below(9)})(0, min(3, troops), "TOY-2")',
        "the sample .* is refused|crash",
    ),
    "a value is listed twice": (
        "options_are_sound",
        "(1, 2, 3, 4, 5), 3",
        "(1, 2, 3, 4, 5, 5), 3",
        "is listed twice",
    ),
    "an event names no rule": (
        "rules_are_named",
        '    space: int\n    rule: str = "TOY-1"',
        '    space: int\n    rule: str = ""',
        "AmbushLaid.* names no rule",
    ),
    "a roll names no rule": (
        "rules_are_named",
        'f"battle:{side}", "TOY-3", needs',
        'f"battle:{side}", "", needs',
        "the roll .* names no rule",
    ),
    "a list of the state is a set in truth": (
        "state_is_plain_data",
        "        yield AmbushLaid(side, order.space)",
        "        yield AmbushLaid(side, order.space)\n    _.seen = set(FORWARD)",
        "the state.seen is {.*}: not plain data",
    ),
    "rules remember something outside the state": (
        "games_do_not_mix",
        "    asked = []\n",
        '    asked = [SEEN.append(0)][:0]\n    if len(SEEN) > 60:\n        yield FrontMoved(state.front, "TOY-3")\n',
        "played alternately with another, differs",
    ),
    "rules change the board": (
        "games_do_not_mix",
        '    if state.turn == state.board["turns"]:',
        '    state.board["turns"] = max(3, state.board["turns"] - 1)\n    if state.turn >= state.board["turns"]:',
        "played alternately with another, differs|has a different length",
    ),
    "a view is the state itself": (
        "looking_changes_nothing",
        '"troops": dict(state.troops)',
        '"troops": state.troops',
        "a view must consist of copies",
    ),
    "narration is no text": (
        "looking_changes_nothing",
        "if isinstance(event, FrontMoved) else None",
        "if isinstance(event, FrontMoved) else 7",
        "narrate returns 7",
    ),
    "drawing is no text": (
        "looking_changes_nothing",
        'if style == "text" else None',
        'if style == "text" else 7',
        "returns int, not text",
    ),
    "the manifest hides that there are secrets": (
        "facts_agree",
        "        hidden=True,\n",
        "",
        "deal is never called, because nothing is hidden",
    ),
    "the manifest has an option without values": (
        "facts_agree",
        "        options=(",
        '        options=(st.Option("empty", (), "What?"), ',
        "options.empty",
    ),
    "a ruling is not in the index": (
        "facts_agree",
        '"What does a tie do to the front?", "TOY-3a")',
        '"What does a tie do to the front?", "TOY-9")',
        "its ruling TOY-9 is not in the index",
    ),
    "a rule stands twice in the index": (
        "facts_agree",
        'st.RuleRow("TOY-5"',
        'st.RuleRow("TOY-4"',
        "the rule TOY-4 occurs twice",
    ),
    "a side of a phase is no side": (
        "facts_agree",
        'st.Phase("dusk", dusk, rule="TOY-5")',
        'st.Phase("dusk", dusk, "west", rule="TOY-5")',
        "'west' is not a side",
    ),
    "the game ends in a way that the manifest does not know": (
        "seats_exist",
        '"nightfall", "TOY-5")',
        '"dawn", "TOY-5")',
        "the manifest has no ending 'dawn'",
    ),
    "the log cannot be read back": (
        "log_verifies",
        "TroopsSpent, FrontMoved),",
        "TroopsSpent),",
        "is not a record of toy",
    ),
    "rules go another way when they are run again": (
        "clones_play_on",
        "    hits = {}\n",
        '    hits = {}\n    SEEN.append(0)\n    if len(SEEN) % 2:\n        yield FrontMoved(state.front, "TOY-3")\n',
        "makes a different record",
    ),
    "an order that is undone leaves something behind": (
        "undo_restores",
        "        order = yield",
        "        SEEN.append(0)\n        order = yield",
        "undoing LayAmbush.* does not restore the state",
    ),
}
"""Each fault: the check that must find it, what is replaced in the toy, by what, and what the check must say."""

MORE = {
    "an umpire cannot tell the dice": (DECLARED, DECLARED + '        bots={"clumsy": ("umpire",)},\n'),
    "rules roll dice under another name": ("    hits = {}\n", "    hits = {}\n    cast(6)\n"),
    "a phase is repeated for ever and does nothing": (
        "def dusk(",
        "def lay_nothing(_: Ford) -> st.Procedure:\n    yield from ()\n\n\ndef dusk(",
    ),
    "a list of the state is a set in truth": (
        "    front: int = MIDDLE\n",
        "    front: int = MIDDLE\n    seen: list[str] = []\n",
    ),
    "an order that is undone leaves something behind": (
        "yield AmbushLaid(side, order.space)",
        "yield AmbushLaid(side, order.space if len(SEEN) < 70 else 3)",
    ),
}
"""A second replacement, where one is not enough."""


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) >= 1, f"the toy has no {old!r} any more"
    return text.replace(old, new, 1)


@pytest.fixture
def faulty(tmp_path: Path) -> Callable[[str], Installed]:
    def plant(name: str) -> Installed:
        _, old, new, _ = FAULTS[name]
        source = replaced(SOURCE.read_text(encoding="utf-8"), old, new)
        if name in MORE:
            source = replaced(source, *MORE[name])
        source = replaced(source, "import sandtable as st\n", "import sandtable as st\n\nSEEN: list[int] = []\n")
        (tmp_path / "toy.py").write_text(source, encoding="utf-8")
        (tmp_path / "toy.toml").write_bytes(SOURCE.with_suffix(".toml").read_bytes())
        return Rulesets(tmp_path).load("toy")

    return plant


@pytest.mark.full
@pytest.mark.parametrize("name", FAULTS)
def test_planted_fault_is_found(name: str, faulty: Callable[[str], Installed]) -> None:
    check, _, _, told = FAULTS[name]
    (finding,) = check_ruleset(faulty(name), games=12, checks=[check], bound=2_000)
    assert not finding.ok, finding.detail
    assert re.search(told, finding.detail), finding.detail


def test_each_check_has_a_fault_that_it_finds() -> None:
    """All but the map (``checks/test_facts``), and what the toy has not (``test_author_faults``)."""
    not_in_the_toy = {"secret_dice_are_kept", "worlds_look_alike", "typed_orders_are_read"}
    assert set(CHECKS) - {fault[0] for fault in FAULTS.values()} == {"map_is_symmetric", *not_in_the_toy}


@pytest.mark.full
def test_the_toy_without_a_fault_passes(toy: Installed) -> None:
    report = check_ruleset(toy, games=12, bound=2_000)
    assert report.ok, str(report.broken)
