"""Options with a number: the first sector, victory points before the first game, and the starting total."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from axis_attack.model.cards import COMBAT, HQ, Board, CompanyList
from axis_attack.setup.validation import start_points

MAX_AGREED = 100


def settings_problems(board: Board, options: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each option with an impossible number, with its problem and the fix."""
    sector, agreed, total = options["start_sector"], options["vp_start"], options["start_total"]
    count = len(board.sectors)
    if sector.isdigit() and not 1 <= int(sector) <= count:
        yield "start_sector", f"is {sector}; choose one of the sectors 1 to {count} (AOA-R02)"
    if int(agreed) > MAX_AGREED:
        yield "vp_start", f"is {agreed}; use 0 to {MAX_AGREED} (AOA-R07)"
    for side, company in board.lists.items() if total.isdigit() else ():
        least = start_points(_fitted(company, int(total)))
        if least > int(total):
            small = f"the smallest starting force of {side} costs {least}; agree on more"
            yield "start_total", f"is {total}, but {small} (AOA-O2)"


def start_sector_of(board: Board, options: Mapping[str, str]) -> int:
    """Return the first sector, from the option or the scenario (default: the middle one, AOA-R02)."""
    chosen = options["start_sector"]
    if chosen.isdigit():
        return int(chosen)
    return board.start_sector or (len(board.sectors) + 1) // 2


def first_points(board: Board, options: Mapping[str, str], side: str) -> int:
    """Return the victory points of a side before the first game, including its bid (AOA-O3)."""
    return board.start_points + int(options[f"bid_{side}"])


def fitted(lists: Mapping[str, CompanyList], total: int) -> dict[str, CompanyList]:
    """Return the lists with starting forces reduced to ``total`` points (AOA-O2).

    A starting force that costs more loses its aircraft first, then platoons from the end that are not combat platoons
    (those of the HQ last), then combat platoons above the minimum. If it still costs too much, all platoons get their
    smallest size and lose their upgrades.
    """
    return {side: replace(_fitted(company, total), points=0) for side, company in lists.items()}


def _fitted(company: CompanyList, total: int) -> CompanyList:
    if start_points(company) <= total:
        return company
    company = replace(company, air={})
    while start_points(company) > total and (gone := _expendable(company)):
        company = replace(company, start=tuple(each for each in company.start if each.id != gone))
    if start_points(company) > total:
        bare = [replace(each, teams=company.types[each.type].sizes[0].teams, upgrades={}) for each in company.start]
        company = replace(company, start=tuple(bare))
    return company


def _expendable(company: CompanyList) -> str:
    """Return the platoon that is removed next, or ""."""
    slots = {each.id: company.types[each.type].slot for each in company.start}
    others = [each for each, slot in slots.items() if slot != COMBAT]
    combat = [each for each, slot in slots.items() if slot == COMBAT]
    if others:
        return next((each for each in reversed(others) if slots[each] != HQ), others[-1])
    return combat[-1] if len(combat) > company.least else ""
