from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from sandtable.arena.players import name_seats, seat_players
from sandtable.arena.ratings.adjusted import ENOUGH, adjusted
from sandtable.arena.ratings.luck import by_entrant, entry, ledger, luck_milli, rolled_by
from sandtable.arena.ratings.tally import tally
from sandtable.arena.tournament.plan import Contest, Entrant, GamePlan, Row, Tournament
from sandtable.journal.fold import read_records
from sandtable.journal.store import read_bytes, split_log
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Prepared, Rulesets

REPLAYS = Path(__file__).parents[4] / "replays"


def roll(label: str, dice: tuple[int, ...], needs: tuple[int, ...] = (), side: str = "") -> RollRecord:
    return RollRecord(n=1, label=label, sides=6, dice=dice, needs=needs, side=side)


def test_a_roll_for_hits_against_its_expectation() -> None:
    found = entry(roll("1/p/attack/1", (1, 3, 6), (2, 2, 3)), 7, "north")
    assert (found.came, found.expected, found.surplus) == (1, Fraction(7, 6), Fraction(-1, 6))
    assert found.deviation == pytest.approx((2 / 9 + 2 / 9 + 1 / 4) ** 0.5)


def test_dice_that_cannot_miss_or_hit_are_no_luck() -> None:
    found = entry(roll("1/p/x/1", (6, 1), (6, 0)), 1, "")
    assert found.surplus == 0
    assert found.sigmas is None


def test_a_roll_read_by_its_faces_is_listed_but_nobodys_luck() -> None:
    rolls = [roll("1/north/weather/1", (6, 5))]
    found = ledger(rolls, lambda _: "north")[0]
    assert (found.counted, found.came) == (False, 11)
    assert found.expected == 7
    assert luck_milli(rolls, lambda _: "north") == {}


def test_who_rolled_is_read_off_the_label() -> None:
    desert = Rulesets().load("desert_aa").prepare().ruleset
    roller = rolled_by(desert)
    told = {
        "1/italy.combat/attack.TOB/1": "axis",
        "1/italy.combat/defence.TOB/1": "allies",
        "3/england.combat/defence.OAS/2": "axis",
        "0/bonus/draw/1": "",
        "2/england.combat/guns.TOB:germany/1": "axis",
    }
    assert {label: roller(roll(label, (1,))) for label in told} == told
    assert roller(roll("0/bonus/draw/1", (1,), side="axis")) == "axis"


def test_the_ledger_of_a_log_adds_up_to_the_luck_of_its_row() -> None:
    prepared = Rulesets().load("desert_aa").prepare()
    for path in sorted((REPLAYS / "desert_aa").glob("*.jsonl")):
        records = read_records(split_log(read_bytes(path), str(path)), prepared.ruleset)
        roller = rolled_by(prepared.ruleset)
        entries = ledger(records, roller)
        assert entries
        assert all(records[each.record - 1].label == each.label for each in entries)
        sums = {
            side: round(1000 * sum(each.surplus for each in entries if each.side == side and each.counted))
            for side in ("axis", "allies")
        }
        assert luck_milli(records, roller) == sums


def test_luck_is_nought_on_average_whoever_plays(ford: Prepared) -> None:
    prepared, total, square, games = ford, 0, 0, 300
    roller = rolled_by(prepared.ruleset)
    for number in range(games):
        key = key_from_seed(f"luck/{number}")
        game = prepared.new_game(KeyedDice(key))
        game.play(seat_players(prepared, name_seats(prepared, {}), key))
        luck = luck_milli(game.records, roller)
        lead = luck.get(prepared.ruleset.sides[0], 0)
        total += lead
        square += lead * lead
    assert square > 0
    assert abs(total) < 4 * square**0.5


def test_luck_goes_to_entrants_by_their_seats() -> None:
    assert by_entrant({"north": 500, "south": -200}, {"north": "a", "south": "b"}) == {"a": 500, "b": -200}
    assert by_entrant({"x": 1, "y": 2, "z": 4}, {"x": "a", "y": "b", "z": "a"}) == {"a": 5, "b": 2}
    assert by_entrant({}, {"north": "a"}) == {}


def lucky_event(games: int, seed: bytes, worth: int = 24) -> tuple[Tournament, list[GamePlan], list[Row]]:
    """Return games of equals that luck decides in great part: who has more hits to spare wins more."""
    tournament = Tournament("Luck", "s", (Entrant("a"), Entrant("b")), (Contest("toy"),))
    stream, plans, rows = Stream(seed), [], []
    for number in range(games):
        lineup = {"north": "a", "south": "b"} if number % 2 == 0 else {"north": "b", "south": "a"}
        luck = sum(stream.below(2) for _ in range(16)) - 8
        side = "north" if stream.below(100) < 50 + worth * luck / 2 else "south"
        told = by_entrant({"north": 500 * luck, "south": -500 * luck}, lineup)
        plans.append(GamePlan(number, 0, number // 2, 0, "s", lineup))
        rows.append(Row(number, side, lineup[side], "x", 1, 1, "", {}, {}, told))
    return tournament, plans, rows


def test_the_score_without_luck_is_nearer_to_the_truth_and_its_interval_holds_it() -> None:
    raw = better = 0.0
    inside, events = 0, 400
    for number in range(events):
        counts = tally(*lucky_event(200, b"%d" % number))
        found = adjusted(counts.cells.values())["a"]
        wins = sum(cell.games for cell in counts.cells.values() if cell.winner == "a")
        raw += (wins / 200 - 0.5) ** 2
        better += (found.score - 0.5) ** 2
        inside += abs(found.score - 0.5) <= found.margin
        assert found.games == 200
        assert 0.05 < found.explained < 0.6
    assert better < 0.92 * raw
    assert abs(inside / events - 0.95) < 0.04


def test_who_lost_everything_has_no_score_without_luck() -> None:
    tournament, plans, rows = lucky_event(100, b"lost")
    lost = [replace(row, outcome=_seat(plan, "b"), winner="b") for plan, row in zip(plans, rows, strict=True)]
    assert adjusted(tally(tournament, plans, lost).cells.values()) == {}


def _seat(plan: GamePlan, name: str) -> str:
    return next(side for side, who in plan.lineup.items() if who == name)


def test_the_adjusted_scores_of_two_sum_to_one() -> None:
    found = adjusted(tally(*lucky_event(100, b"x")).cells.values())
    assert found["a"].score + found["b"].score == pytest.approx(1)


def test_nothing_is_adjusted_without_enough_games_or_luck() -> None:
    assert adjusted(tally(*lucky_event(ENOUGH - 2, b"few")).cells.values()) == {}
    tournament, plans, rows = lucky_event(100, b"none")
    bare = [Row(row.number, row.outcome, row.winner, "x", 1, 1, "") for row in rows]
    assert adjusted(tally(tournament, plans, bare).cells.values()) == {}
    alike = [
        Row(row.number, "north", plans[row.number].lineup["north"], "x", 1, 1, "", {}, {}, row.luck_milli)
        for row in rows
    ]
    assert adjusted(tally(tournament, plans, alike).cells.values()) == {}
