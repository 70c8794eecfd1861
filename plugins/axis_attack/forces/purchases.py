"""Special rules for a game, bought with victory points: offers by side, checks and draws (AOA-9.01 to AOA-9.26)."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from axis_attack.model.cards import SUPPORT, Board, Mission, PlatoonType
from axis_attack.model.state import AxisState, Purchase
from axis_attack.model.tables import OFFERS, Offer
from sandtable import Refusal, Stream, listing, shown

NOTHING = Purchase()
LONGEST = 80
"""Maximum number of characters of a written target."""


def offers_of(state: AxisState, side: str) -> dict[str, Refusal | None]:
    """Return, for each special rule, why a side cannot buy it in the next game, or None if it can."""
    board: Board = state.board
    mission = board.missions[state.mission]
    role = "attacker" if state.attacker == side else "defender" if state.defender == side else ""
    return {kind: _why_no_offer(offer, role, mission) for kind, offer in OFFERS.items()}


def _why_no_offer(offer: Offer, role: str, mission: Mission) -> Refusal | None:
    if offer.defensive and not mission.defensive_battle:
        return Refusal(
            offer.rule, f"{offer.title} is only for defensive battles, not for {mission.title}: leave it out"
        )
    if offer.role and role != offer.role:
        return Refusal(offer.rule, f"{offer.title} is for the {offer.role}: leave it out")
    return None


def price_of(purchase: Purchase) -> int:
    """Return the cost of a purchase in victory points; its kind must exist (AOA-9.02)."""
    return OFFERS[purchase.kind].price * purchase.number if purchase.kind else 0


def can_use(kind: str, platoon: PlatoonType) -> bool:
    """Return whether a special rule with a price per platoon can be bought for this type."""
    if kind == "smoke":  # AOA-R45
        return platoon.slot == SUPPORT and platoon.smoke
    return platoon.bombards


# --- judging ---


def why_not_purchase(
    purchase: Purchase, offers: Mapping[str, Refusal | None], fielded: Mapping[str, PlatoonType], *, flies: bool
) -> Refusal | None:
    """Return the refusal of a purchase for a force, or None if it is legal. The cost is not checked.

    ``flies`` means that the force has air support.
    """
    if type(purchase) is not Purchase:
        return Refusal("AOA-9.03", f"{shown(purchase)} is not a special rule")
    if not isinstance(purchase.kind, str) or purchase.kind not in ("", *OFFERS):
        return Refusal("AOA-9.03", f"{shown(purchase.kind)} is not a special rule: choose {listing(list(OFFERS))}")
    if not purchase.kind:
        if purchase == NOTHING:
            return None
        return Refusal("AOA-9.03", "number, platoons and targets without a special rule: name its kind")
    if flies and purchase.kind == "aerial_bombardment":
        return Refusal("AOA-9.26", "there is no air support in a game with an aerial bombardment: drop one of the two")
    return offers[purchase.kind] or _why_not_number(purchase) or _why_not_use(purchase, fielded)


def _why_not_number(purchase: Purchase) -> Refusal | None:
    offer, number = OFFERS[purchase.kind], purchase.number
    if type(number) is not int or number < 1:
        return Refusal(offer.rule, f"{offer.title}: {shown(number)} is not a number to buy: write 1 or more")
    if not offer.each and number != 1:
        return Refusal("AOA-R43", f"{offer.title} is bought once in a game, not {shown(number)} times")
    return None


def _why_not_use(purchase: Purchase, fielded: Mapping[str, PlatoonType]) -> Refusal | None:
    offer = OFFERS[purchase.kind]
    if offer.each == "platoon":
        refusal = _why_not_platoons(purchase, fielded)
        if refusal is not None:
            return refusal
    elif purchase.platoons:
        return Refusal(offer.rule, f"{offer.title} is not bought per platoon: name no platoons")
    return _why_not_targets(purchase)


def _why_not_platoons(purchase: Purchase, fielded: Mapping[str, PlatoonType]) -> Refusal | None:
    offer, named = OFFERS[purchase.kind], purchase.platoons
    if len(named) != purchase.number:
        return Refusal(
            offer.rule, f"{offer.title}: the number is {purchase.number}, the number of named platoons {len(named)}"
        )
    for place, each in enumerate(named):
        if not isinstance(each, str) or each not in fielded:
            return Refusal(offer.rule, f"{offer.title}: {shown(each)} is not in the force")
        if each in named[:place]:
            return Refusal(offer.rule, f"{offer.title}: {each} is named twice")
        if not can_use(purchase.kind, fielded[each]):
            what = "a support platoon that can fire smoke" if purchase.kind == "smoke" else "able to bombard"
            rule = "AOA-R45" if purchase.kind == "smoke" else offer.rule
            return Refusal(rule, f"{offer.title}: {each} ({fielded[each].title}) is not {what}")
    return None


def _why_not_targets(purchase: Purchase) -> Refusal | None:
    """Refuse written targets unless each shoot has one. Without any, they are named at the table (AOA-9.17)."""
    targets, offer = purchase.targets, OFFERS[purchase.kind]
    if not targets:
        return None
    if offer.each != "shoot":
        return Refusal(offer.rule, f"{offer.title} has no written targets: omit them")
    if len(targets) != purchase.number:
        counts = f"the number of targets is {len(targets)}, that of shoots {purchase.number}"
        return Refusal("AOA-9.17", f"{counts}: write one for each, or omit them")
    for each in targets:
        if not isinstance(each, str) or not each.isprintable() or not 0 < len(each) <= LONGEST:
            return Refusal("AOA-9.17", f"{shown(each)} is not a target: write up to {LONGEST} characters on one line")
    return None


# --- drawing and listing ---


def purchases(
    offers: Mapping[str, Refusal | None], fielded: Mapping[str, PlatoonType], balance: int, *, flies: bool
) -> Iterator[Purchase]:
    """Yield no purchase, then all purchases that the balance pays for, without written targets."""
    yield NOTHING
    for kind, offer in OFFERS.items():
        if offers[kind] is not None or (flies and kind == "aerial_bombardment"):
            continue
        if offer.each == "platoon":
            able = [each for each, its_type in fielded.items() if can_use(kind, its_type)]
            for number in range(1, min(len(able), balance // offer.price) + 1):
                yield from (Purchase(kind, number, chosen) for chosen in combinations(able, number))
        else:
            most = balance // offer.price
            yield from (Purchase(kind, number) for number in range(1, (most if offer.each else min(most, 1)) + 1))


def draw_purchase(
    stream: Stream,
    offers: Mapping[str, Refusal | None],
    fielded: Mapping[str, PlatoonType],
    balance: int,
    *,
    flies: bool,
) -> Purchase:
    """Draw a purchase: no purchase or a kind with equal probability, then its number and platoons."""
    numbers = {"": 1}
    for kind, offer in OFFERS.items():
        if offers[kind] is not None or balance < offer.price or (flies and kind == "aerial_bombardment"):
            continue
        able = sum(can_use(kind, each) for each in fielded.values()) if offer.each == "platoon" else balance
        most = min(able, balance // offer.price) if offer.each else 1
        if most:
            numbers[kind] = most
    kind = stream.pick(list(numbers))
    if not kind:
        return NOTHING
    number = 1 + stream.below(numbers[kind])
    if OFFERS[kind].each != "platoon":
        return Purchase(kind, number)
    able_ids = [each for each, its_type in fielded.items() if can_use(kind, its_type)]
    return Purchase(kind, number, tuple(stream.sample(able_ids, number)))
