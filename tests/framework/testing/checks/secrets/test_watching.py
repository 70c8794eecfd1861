"""The checks of secrets compare the traffic of a log: how many records are closed to a side, and where."""

from pathlib import Path

import pytest

from sandtable.plugin.manager import Rulesets
from sandtable.testing import check_ruleset
from sandtable.testing.contract import Finding

POST = '''"""Four sides: a writes letters in secret, to b or c or nobody; d is never written to."""
import sandtable as st

SIDES = ("a", "b", "c", "d")
game = st.Ruleset("NAME", title="The post", sides=SIDES, endings=("night",), rules="""
    PO-1  Each evening a writes a letter, or none.
    PO-2  After three evenings the game is drawn.
""")


@game.state
class Town(st.State, kw_only=True):
    letters: dict[str, str] = {}


@game.order
class Write(st.Order, frozen=True):
    to: str
    text: str


@game.event(seen_by=READERS, reveals=REVEALS)
class Written(st.Event, frozen=True):
    to: str
    text: str
    rule: str = "PO-1"

    def apply(self, town):
        if self.to and self.text:
            town.letters[self.to] = self.text


@game.event(seen_by="side")
class Rested(st.Event, frozen=True):
    side: str
    rule: str = "PO-1"

    def apply(self, town):
        pass


@game.phase("PO-1")
def evening(town):
    letters = st.Form(Write, {"to": st.OneOf(TO, "PO-1"), "text": st.OneOf(("come", "stay"), "PO-1")})
    order = yield st.Decision("a", "write a letter", letters, "PO-1", secret=True)
    POSTED
    yield st.Decision("d", "sleep", st.OneOf((Write("", "come"),), "PO-1"), "PO-1")
    if town.turn == 3:
        yield st.GameEnded("draw", "night", "PO-2")


@game.view
def view(town, side):
    return {"letter": town.letters.get(side, "")}
'''
ONE_OF_TWO = {
    "READERS": 'lambda event, side: event if side in ("a", event.to) else None',
    "REVEALS": "True",
    "TO": '("b", "c")',
    "POSTED": "yield Written(order.to, order.text)",
}
TO_EACH = 'for each in ("b", "c"):\n        yield Written(each, order.text if order.to == each else "")'
IN_EITHER_ORDER = 'for each in sorted("bc", reverse=order.to == "c"):\n        yield Written(each, order.text)'
ALL_IF_COME = (
    "lambda event, side: event if side == 'a' else Written('b', '') if side == 'd' or event.text == 'come' else None"
)
IF_ANY = 'if order.to != "nobody":\n        yield Written("b", order.text)'


def judged(folder: Path, name: str, **changes: str) -> Finding:
    """Return the finding of the secret-order check for the post, with other lines in it."""
    text = POST.replace("NAME", name)
    for old, new in (ONE_OF_TWO | changes).items():
        text = text.replace(old, new)
    (folder / f"{name}.py").write_text(text)
    return check_ruleset(Rulesets(folder).load(name), 2, checks=["secrets_are_kept"])[0]


@pytest.mark.full
def test_addressee_that_depends_on_an_order_passes_the_check(tmp_path: Path) -> None:
    """A closed record does not show who may open it."""
    found = judged(tmp_path, "post_one")
    assert found.word == "ok", found.detail


@pytest.mark.full
def test_letters_numbered_by_a_secret_order_are_found(tmp_path: Path) -> None:
    """Two sides read one letter each, the same one, but the number of its record depends on the secret order."""
    found = judged(tmp_path, "post_both", POSTED=IN_EITHER_ORDER)
    assert not found.ok
    assert "b notices it" in found.detail


@pytest.mark.full
def test_side_that_learned_the_secret_may_see_a_difference(tmp_path: Path) -> None:
    """After a letter that reveals secrets b may know that it rests; c and d have a closed record in any case."""
    rests = "yield Written('b', 'come')\n    yield Rested('b' if order.text == 'come' else 'a')"
    found = judged(tmp_path, "post_rest", TO='("b",)', POSTED=rests)
    assert found.word == "ok", found.detail


@pytest.mark.full
def test_record_closed_by_a_secret_order_is_found(tmp_path: Path) -> None:
    """All sides see that a letter is sent if it says "come"; otherwise only d does, and the record is closed."""
    found = judged(tmp_path, "post_open", TO='("b",)', READERS=ALL_IF_COME)
    assert not found.ok
    assert "d notices it" in found.detail
    assert "a closed record" in found.detail
    assert "event with a closed part" in found.detail
    assert "in the same form" in found.detail


@pytest.mark.full
def test_letter_that_is_always_sent_to_every_side_passes(tmp_path: Path) -> None:
    found = judged(tmp_path, "post_each", POSTED=TO_EACH)
    assert found.word == "ok", found.detail


@pytest.mark.full
def test_letter_that_reveals_a_secret_to_its_reader_passes_the_check(tmp_path: Path) -> None:
    found = judged(tmp_path, "post_reader", TO='("b",)')
    assert found.word == "ok", found.detail


@pytest.mark.full
def test_undeclared_reveal_is_reported_with_its_reader_and_fix(tmp_path: Path) -> None:
    found = judged(tmp_path, "post_plain", TO='("b",)', REVEALS="False")
    assert not found.ok
    assert "b notices it: a record of its log: " in found.detail
    assert "if it may read Written, the event is one of those that reveal" in found.detail


@pytest.mark.full
def test_record_that_depends_on_a_secret_is_found(tmp_path: Path) -> None:
    found = judged(tmp_path, "post_silent", TO='("b", "nobody")', POSTED=IF_ANY)
    assert not found.ok
    assert "c notices it" in found.detail
    assert "1 closed records (an order of a)" in found.detail
    assert "2 closed records (an order of a; a closed record)" in found.detail


@pytest.mark.full
def test_sequence_of_closed_records_that_depends_on_an_order_is_found(tmp_path: Path) -> None:
    steps = "steps = [Written('b', order.text), Rested('a')]"
    both = f"{steps}\n    yield from (steps if order.text == 'come' else steps[::-1])"
    found = judged(tmp_path, "post_turned", TO='("b",)', POSTED=both)
    assert not found.ok
    assert "b notices it" in found.detail
    assert "(an order of a) before Written" in found.detail
    assert "(an order of a; a closed record) before Written" in found.detail
