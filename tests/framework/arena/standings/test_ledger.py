from sandtable.arena.ratings.luck import ledger
from sandtable.arena.standings.ledger import luck, rolls
from sandtable.kernel.records import RollRecord

RECORDS = [
    RollRecord(n=1, label="1/p/attack:north/1", sides=6, dice=(1, 2, 6), needs=(3, 3, 3)),
    RollRecord(n=2, label="1/p/attack:south/1", sides=6, dice=(6,), needs=(6,)),
    RollRecord(n=3, label="1/p/weather/1", sides=6, dice=(2,)),
]


def _side(roll: RollRecord) -> str:
    return next((side for side in ("north", "south") if side in roll.label), "")


def test_every_roll_has_a_row() -> None:
    minus = "\N{MINUS SIGN}"
    assert rolls(ledger(RECORDS, _side)).rows == (
        ("1", "1/p/attack:north/1", "north", "3", "hits", "2", "1.50", "+0.50", "+0.58"),
        ("2", "1/p/attack:south/1", "south", "1", "hits", "1", "1.00", "0.00", "n/a"),
        ("3", "1/p/weather/1", "nobody", "1", "faces", "2", "3.50", f"{minus}1.50", f"{minus}0.88"),
    )


def test_luck_is_of_rolls_for_hits() -> None:
    assert luck(ledger(RECORDS, _side)).rows == (
        ("north", "1", "2", "1.50", "+0.50", "+0.58"),
        ("south", "1", "1", "1.00", "0.00", "n/a"),
    )


def test_a_game_without_dice() -> None:
    assert rolls([]).rows == luck([]).rows == ()
