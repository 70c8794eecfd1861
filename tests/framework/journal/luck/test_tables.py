from sandtable.journal.luck.ledger import ledger
from sandtable.journal.luck.tables import by_side, luck, rolls
from sandtable.kernel.records import RollRecord

RECORDS = [
    RollRecord(n=1, label="1/p/attack:north/1", sides=6, dice=(1, 2, 6), needs=(3, 3, 3)),
    RollRecord(n=4, label="1/p/attack:south/1", sides=6, dice=(6,), needs=(6,)),
    RollRecord(n=5, label="1/p/weather/1", sides=6, dice=(2,)),
    RollRecord(n=7, label="1/p/march:north/1", sides=6, dice=(6, 1, 4)),
    RollRecord(n=8, label="1/p/march:south/1", sides=6, dice=()),
]
MINUS = "\N{MINUS SIGN}"


def _side(roll: RollRecord) -> str:
    return next((side for side in ("north", "south") if side in roll.label), "")


def test_every_roll_has_a_row() -> None:
    assert rolls(ledger(RECORDS, _side)).rows == (
        ("1", "1/p/attack:north/1", "3", "hits", "2", "1.50", "+0.50", "+0.58", "north", "+0.50"),
        ("4", "1/p/attack:south/1", "1", "hits", "1", "1.00", "0.00", "n/a", "south", "0.00"),
        ("5", "1/p/weather/1", "1", "faces", "2", "3.50", f"{MINUS}1.50", f"{MINUS}0.88", "nobody", ""),
        ("7", "1/p/march:north/1", "3", "faces", "11", "10.50", "+0.50", "+0.17", "north", "+0.10"),
    )


def test_luck_counts_only_rolls_that_belong_to_a_side() -> None:
    sheet = luck(by_side(ledger(RECORDS, _side)))
    assert sheet.headings == ("side", "rolls", "hits", "expected", "faces", "expected", "luck", "deviations")
    assert sheet.rows == (
        ("north", "2", "2", "1.50", "11", "10.5", "+0.60", "+0.57"),
        ("south", "1", "1", "1.00", "0", "0.0", "0.00", "n/a"),
    )


def test_game_with_only_hit_rolls_has_no_faces_column() -> None:
    assert luck(by_side(ledger(RECORDS[:2], _side))).headings == (
        *("side", "rolls", "hits", "expected"),
        *("luck", "deviations"),
    )


def test_game_without_dice_has_empty_tables() -> None:
    assert rolls([]).rows == luck({}).rows == ()
