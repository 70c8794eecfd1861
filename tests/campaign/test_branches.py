"""Single dice and orders changed at random in golden games: branches verify, and no order answers another question."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from originals import golden

from sandtable.errors import SandtableError
from sandtable.journal.branching.branch import Original, branch
from sandtable.journal.branching.changes import Changes
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import effective
from sandtable.journal.positions import game_at
from sandtable.journal.record import log_bytes
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import Stream
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.players.players import best_for, name_seats, seat_bot
from sandtable.plugin.manager import Rulesets

REPLAYS = Path(__file__).parents[2] / "replays"
RULESETS = Rulesets()
TRIES = 200
GAMES = sorted({path.parent.name for path in REPLAYS.glob("*/*.jsonl")})


def filler(of: Original) -> Any:
    """Return a function that answers with the best bot of each seat."""
    prepared, seated = of.prepared, dict[str, Any]()
    sides = [seat for seat in prepared.ruleset.seats if seat != "umpire"]
    names = name_seats(prepared, {seat: best_for(prepared.installed, seat) for seat in sides})

    def answer(game: Any, decision: Any) -> Any:
        seat = decision.seat
        if seat not in seated:
            seated[seat] = seat_bot(prepared, seat, names[seat], of.key)
        return seated[seat].choose(decision, game.seat_view(prepared.ruleset.side_of(seat)))

    return answer


def changed(of: Original, random: Random) -> Changes:
    """Return a random change: a random face for one die, or a random legal order instead of the recorded one."""
    kept = effective(of.records)
    rolls = [each for each in kept if isinstance(each, RollRecord) and each.dice]
    if rolls and random.random() < 0.5:
        roll = random.choice(rolls)
        place = random.randrange(len(roll.dice))
        return Changes(dice={roll.n: {place + 1: random.randrange(roll.sides) + 1}})
    order = random.choice([each for each in kept if isinstance(each, OrderRecord)])
    game = game_at(of.log, order.n - 1, RULESETS)
    decision = next(each for each in game.waiting() if each.seat == order.by)
    try:
        drawn = decision.options.sample(Stream(random.randbytes(32)))
    except (SandtableError, ValueError):  # a space from which nothing can be drawn
        drawn = order.order
    return Changes(orders={order.n: drawn})


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_branches_verify_and_keep_orders_with_their_questions(ruleset: str) -> None:
    random = Random(ruleset)  # noqa: S311 - it chooses the changes, not the dice
    paths = sorted((REPLAYS / ruleset).glob("*.jsonl"), key=lambda path: path.stat().st_size)[:4]
    games = [golden(path) for path in paths]
    for number in range(TRIES):
        of = games[number % len(games)]
        changes = changed(of, random)
        made = branch(of, changes, filler(of))
        verdict = verify(parse_log(log_bytes(made.header, made.game)[0], "branch"), of.prepared)
        assert verdict.verdict == "verified", (of.log.name, changes, verdict.first_difference)
        answers = {of.questions[each.n]: each for each in of.records if isinstance(each, OrderRecord)}
        given = [each for each in made.game.trail if isinstance(each, OrderRecord)]
        for each in given:
            question: Any = each.asked
            recorded = answers.get(text_of(question))
            assert recorded is None or recorded.by == each.by
