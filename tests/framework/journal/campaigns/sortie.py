"""The sortie, a campaign for tests: two turns, a company per side, and battles that the umpire reports.

Each turn both sides secretly order their posts to hold or to sortie. If the axis sorties from a post, a battle is
fought there and its points count. After two turns the side with more points wins.
"""

from collections.abc import Mapping
from typing import Any

import sandtable as st
from sandtable.tabletop.brief import Brief, Company, Party, Table
from sandtable.tabletop.checking import space_for
from sandtable.tabletop.result import ReportBattle, Result
from sandtable.tabletop.rosters import roster

SIDES = ("axis", "allies")
POSTS = ("mill", "well")
INDEX = (
    st.RuleRow("SO-1", "Both sides write orders for their posts: hold, or sortie."),
    st.RuleRow("SO-2", "Where the axis sorties, a battle is fought; its points count."),
    st.RuleRow("SO-3", "After two turns, more points win."),
)


class WriteOrders(st.Order, frozen=True):
    """Give each post its order."""

    posts: dict[str, str]


class OrdersGiven(st.Event, frozen=True):
    """The posts from which the axis sorties were ordered."""

    sorties: list[str]
    rule: str = "SO-1"


class BattleCounted(st.Event, frozen=True):
    """The result of a battle was counted."""

    result: Result
    rule: str = "SO-2"


class Campaign(st.State, kw_only=True):
    """Points by side, the posts that sortie, and their battles this turn."""

    points: dict[str, int]
    sorties: list[str]


@st.evolves(OrdersGiven)
def orders_given(state: Campaign, event: OrdersGiven) -> None:
    """Store the posts."""
    state.sorties = list(event.sorties)


@st.evolves(BattleCounted)
def battle_counted(state: Campaign, event: BattleCounted) -> None:
    """Add the points."""
    for side, number in event.result.points.items():
        state.points[side] += number


def _read(key: str, text: str) -> str:
    if text not in {"hold", "sortie"}:
        raise st.IllegalOrder("SO-1", f"{text!r}: hold or sortie")
    return text


def _sheet(state: Campaign) -> st.Form:
    lines = {post: st.OneOf(("hold", "sortie"), "SO-1") for post in POSTS if post != "well" or state.turn == 1}

    def stranger(key: str) -> st.Refusal:
        fallen = "fell last turn" if key in POSTS else "is no post of yours"
        return st.Refusal("SO-1", f"{key} {fallen}: take its line out")

    sheet = st.Sheet(lines, None, stranger=stranger, rule="SO-1", read=_read, titles={"mill": "the old mill"})
    return st.Form(WriteOrders, {"posts": sheet})


def write_orders(state: Campaign) -> st.Procedure:
    """Ask both sides (SO-1)."""
    sheets = _sheet(state)
    asked = tuple(st.Decision(side, "write your orders", sheets, "SO-1", secret=True) for side in SIDES)
    orders = yield st.Sealed(asked)
    yield OrdersGiven([post for post in POSTS if orders["axis"].posts.get(post) == "sortie"])


def brief_of(state: Campaign, post: str) -> Brief:
    """Return the brief of a battle."""
    companies = {
        side: Company(f"{side}_coy", f"{side} company", kind, nation, kind, 1500, roster(kind, 1500))
        for side, kind, nation in (("axis", "armor", "German"), ("allies", "infantry", "British"))
    }
    parties = {side: Party(side, side.title(), f"{side}_cic", (companies[side],), 1500) for side in SIDES}
    number = 1 + state.sorties.index(post)
    return Brief(
        f"{state.turn}:{post}",
        "the sortie",
        state.turn,
        post,
        post.title(),
        "Hasty Assault" if post == "mill" else "Free for All",
        parties,
        action=number,
        actions=len(state.sorties),
        attacker="axis" if post == "mill" else "",
        defender="allies" if post == "mill" else "",
        flags=() if post == "mill" else ("fair_fight",),
        table=Table(terrain="desert"),
    )


def battles(state: Campaign) -> st.Procedure:
    """Request the battles (SO-2)."""
    for post in list(state.sorties):
        brief = brief_of(state, post)
        space = space_for(brief, rule="SO-2", sources=("table", "resolver", "kampfpanzer"))
        order: ReportBattle = yield st.Decision(st.UMPIRE, f"report the battle at the {post}", space, "SO-2")
        yield BattleCounted(order.result)


def evening(state: Campaign) -> st.Procedure:
    """End the turn (SO-3)."""
    if state.turn == 2:
        axis, allies = (state.points[side] for side in SIDES)
        yield st.GameEnded("axis" if axis > allies else "allies" if allies > axis else "draw", "points", "SO-3")


@st.hookimpl
def ruleset_manifest() -> st.Manifest:
    """Return the manifest."""
    return st.Manifest(
        id="sortie",
        title="The sortie",
        version="1",
        edition="of the tests",
        designer="the authors of Sandtable",
        stage="draft",
        sides=SIDES,
        board="none",
        hidden=True,
        endings=("points",),
    )


@st.hookimpl
def ruleset_index() -> tuple[st.RuleRow, ...]:
    """Return the rules."""
    return INDEX


@st.hookimpl
def ruleset_scenarios() -> dict[str, Any]:
    """Return no scenarios: there is only the default one."""
    return {}


@st.hookimpl
def ruleset_parts() -> st.Parts:
    """Return the parts for the kernel."""
    phases = (
        st.Phase("orders", write_orders, rule="SO-1"),
        st.Phase("battles", battles, rule="SO-2"),
        st.Phase("evening", evening, rule="SO-3"),
    )
    return st.Parts(
        state_type=Campaign,
        sequence=st.SequenceOfPlay(turn=phases),
        handlers=(orders_given, battle_counted),
        orders=(WriteOrders, ReportBattle),
        events=(OrdersGiven, BattleCounted),
    )


@st.hookimpl
def ruleset_setup(options: Mapping[str, str]) -> tuple[Campaign, None]:
    """Return the first state."""
    return Campaign(points=dict.fromkeys(SIDES, 0), sorties=[]), None


@st.hookimpl
def ruleset_ui() -> st.Ui:
    """Return the drawing of the points."""
    return st.Ui(draw=lambda view, style: f"points: {view.points}" if style == "text" else None)
