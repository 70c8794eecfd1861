"""Standing orders in every ruleset: its best bot answers each kind of open question, and the log is verified."""

import pytest
from shipped import complete_games
from standing_games import StandingGame

from sandtable.errors import PlayError
from sandtable.journal.file.reading import parse_log
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import best_for, seat_bot
from sandtable.plugin.manager import Rulesets

pytestmark = pytest.mark.full
ANSWERS = 250
WITHOUT_OPEN_QUESTIONS = ("khamsin",)
"""Rulesets whose sides answer hardly any open question: their orders are secret or sealed."""


@pytest.mark.parametrize("ruleset", complete_games())
def test_best_bot_answers_every_kind_of_open_question_in_advance(ruleset: str) -> None:
    prepared = Rulesets().load(ruleset).prepare()
    played = StandingGame(prepared, "sweep")
    bots = {
        seat: seat_bot(prepared, seat, best_for(prepared.installed, seat), key_from_seed("x"))
        for seat in prepared.ruleset.seats
    }
    for _ in range(ANSWERS):
        if played.game.is_over:
            break
        decision = played.game.waiting()[0]
        policies = played.standing.policies(decision.seat)
        if played.standing.is_open(decision) and decision.purpose and not played.standing.named(decision) and policies:
            try:
                played.give(decision.seat, decision.purpose.partition(".")[0], policy=policies[0])
            except PlayError:
                assert decision.seat == "umpire"
        if played.standing.answer(decision) is None:
            order = bots[decision.seat].choose(decision, played.game.seat_view(prepared.ruleset.side_of(decision.seat)))
            played.answer(decision, order)
        else:
            played.answer(decision)
    marked = [each for each in played.game.records if isinstance(each, OrderRecord) and each.standing]
    answered = [each for each in marked if not each.refused]
    assert ruleset in WITHOUT_OPEN_QUESTIONS or len(answered) > len(marked) // 2 > 0
    verdict = verify(parse_log(played.log(), "log"), prepared)
    assert verdict.exit_code == 0, verdict.text
