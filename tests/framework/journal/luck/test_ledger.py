"""The luck of each roll, and the side that it belongs to."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import LogError
from sandtable.journal.file.reading import read_bytes, split_log
from sandtable.journal.fold import read_records
from sandtable.journal.luck.ledger import by_entrant, entry, ledger, luck_milli, luck_side_of
from sandtable.journal.luck.logs import read_ledger
from sandtable.journal.luck.tables import by_side
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.records import RollRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Prepared, Rulesets

REPLAYS = Path(__file__).parents[4] / "replays"


def roll(label: str, dice: tuple[int, ...], needs: tuple[int, ...] = (), side: str = "") -> RollRecord:
    return RollRecord(n=1, label=label, sides=6, dice=dice, needs=needs, side=side)


def test_roll_for_hits_has_expected_hits() -> None:
    found = entry(roll("1/p/attack/1", (1, 3, 6), (2, 2, 3)), 7, "north")
    assert (found.came, found.expected, found.surplus) == (1, Fraction(7, 6), Fraction(-1, 6))
    assert found.deviation == pytest.approx((2 / 9 + 2 / 9 + 1 / 4) ** 0.5)


def test_dice_that_always_hit_or_always_miss_have_no_luck() -> None:
    found = entry(roll("1/p/x/1", (6, 1), (6, 0)), 1, "")
    assert found.surplus == 0
    assert found.sigmas is None


def test_roll_by_faces_is_listed_without_a_side(toy: Prepared) -> None:
    rolls, whose = [roll("1/north/weather/1", (6, 5))], luck_side_of(toy.ruleset, {})
    found = ledger(rolls, whose)[0]
    assert (found.by_hits, found.came, found.side) == (False, 11, "")
    assert found.expected == 7
    assert luck_milli(rolls, whose) == {}


def test_faces_are_the_luck_of_the_favored_side(toy: Prepared) -> None:
    """Two dice at their best are two hits; one was expected."""
    rolls = [roll("1/p/march/1", (6, 6)), roll("1/p/march/2", (1,)), roll("1/p/fog/1", (6,))]
    whose = luck_side_of(toy.ruleset, {"1/p/march/1": "north", "1/p/march/2": "north"})
    one, two, fog = ledger(rolls, whose)
    assert [one.luck, two.luck] == [Fraction(1), Fraction(-1, 2)]
    assert fog.side == ""
    assert one.deviation / one.span == pytest.approx((2 * 7 / 60) ** 0.5)
    assert luck_milli(rolls, whose) == {"north": 500}


def test_side_favored_by_the_rules_overrides_the_label() -> None:
    """The mines of the desert roll in the enemy's phase: their hits are their owner's luck."""
    desert = Rulesets().load("desert_aa").prepare().ruleset
    mines = roll("3/england.combat_move/mines.WAZ/1", (1, 6), (1, 1))
    assert luck_side_of(desert, {})(mines) == "allies"
    assert luck_side_of(desert, {mines.label: "axis"})(mines) == "axis"


@pytest.mark.full
@given(st.lists(st.integers(1, 20), min_size=1, max_size=6), st.integers(2, 20))
def test_luck_over_all_faces_is_zero(needs: list[int], sides: int) -> None:
    """Summed over all faces, for a die read by its faces and for one read by hits."""
    shown = [RollRecord(n=1, label="1/p/x/1", sides=sides, dice=(face,)) for face in range(1, sides + 1)]
    assert sum(entry(each, 1, "north").luck for each in shown) == 0
    assert {abs(entry(shown[place], 1, "north").luck) for place in (0, -1)} == {Fraction(1, 2)}
    for need in needs:
        hits = [RollRecord(n=1, label="1/p/x/1", sides=sides, dice=each.dice, needs=(need,)) for each in shown]
        assert sum(entry(each, 1, "north").luck for each in hits) == 0


def test_side_of_a_roll_for_hits_defaults_to_its_label() -> None:
    desert = Rulesets().load("desert_aa").prepare().ruleset
    roller = luck_side_of(desert, {})
    sides_by_label = {
        "1/italy.combat/attack.TOB/1": "axis",
        "1/italy.combat/defence.TOB/1": "allies",
        "3/england.combat/defence.OAS/2": "axis",
        "0/bonus/draw/1": "",
        "2/england.combat/guns.TOB:germany/1": "axis",
    }
    assert {label: roller(roll(label, (1,), (3,))) for label in sides_by_label} == sides_by_label
    assert roller(roll("0/bonus/draw/1", (1,), (3,), side="axis")) == "axis"


def test_ledger_of_a_log_sums_to_the_luck_of_its_row() -> None:
    prepared = Rulesets().load("desert_aa").prepare()
    for path in sorted((REPLAYS / "desert_aa").glob("*.jsonl")):
        records = read_records(split_log(read_bytes(path), str(path)), prepared.ruleset)
        roller = luck_side_of(prepared.ruleset, {})
        entries = ledger(records, roller)
        assert entries
        assert all(records[each.record - 1].label == each.label for each in entries)
        sums = {
            side: round(1000 * sum(each.surplus for each in entries if each.side == side))
            for side in ("axis", "allies")
        }
        assert luck_milli(records, roller) == sums


@pytest.mark.full
def test_luck_averages_zero_for_any_player(toy: Prepared) -> None:
    prepared, total, square, games = toy, 0, 0, 300
    for number in range(games):
        key = key_from_seed(f"luck/{number}")
        game = prepared.new_game(KeyedDice(key))
        game.play(seat_players(prepared, name_seats(prepared, {}), key))
        luck = luck_milli(game.records, luck_side_of(prepared.ruleset, game.favors))
        lead = luck.get(prepared.ruleset.sides[0], 0)
        total += lead
        square += lead * lead
    assert square > 0
    assert abs(total) < 4 * square**0.5


GAMES = {"desert_aa": 0, "kampfpanzer": 794, "damos": 0, "khamsin": 158, "axis_attack": 64}
"""Number of rolls of the golden games that belong to no side: panic, weather, types of engagements, selection.

90 of khamsin's are the dice for activation: one roll per side and action with a die for every formation, most unused.
"""


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_most_rolls_of_the_golden_games_belong_to_a_side(game: str) -> None:
    rulesets = Rulesets()
    entries = [
        each for path in sorted((REPLAYS / game).glob("*.jsonl")) for each in read_ledger(path, rulesets).entries
    ]
    assert sum(not each.side for each in entries) == GAMES[game]
    for_all = sum(not each.side and "/action/activation:" in each.label for each in entries)
    assert for_all == (90 if game == "khamsin" else 0)
    assert len(entries) - for_all > 2 * (GAMES[game] - for_all) or game == "kampfpanzer"
    for side, own in by_side(entries).items():
        assert own.sigmas is not None
        assert abs(own.sigmas) < 4, side


@pytest.mark.full
def test_desert_mines_and_guns_count_as_luck_of_their_owner() -> None:
    """The luck of mines and guns does not belong to the side whose phase it is."""
    seen: dict[str, set[str]] = {}
    for path in sorted((REPLAYS / "desert_aa").glob("*.jsonl")):
        for each in read_ledger(path, Rulesets()).entries:
            _, phase, purpose, _ = each.label.split("/")
            phasing = "allies" if phase.startswith("england") else "axis"
            seen.setdefault(purpose.split(".")[0], set()).add("own" if each.side == phasing else "enemy's")
    assert seen == {
        "attack": {"own"},
        "sweep": {"own"},
        "defence": {"enemy's"},
        "guns": {"enemy's"},
        "mines": {"enemy's"},
        "flak": {"enemy's"},
    }


def test_log_that_differs_from_the_rules_has_no_ledger(tmp_path: Path) -> None:
    text = (REPLAYS / "desert_aa" / "axis-round_limit.jsonl").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    path = tmp_path / "cut.jsonl"
    path.write_text("".join(lines[:40]), encoding="utf-8")
    assert read_ledger(path, Rulesets()).entries  # an interrupted game has one
    key = lines[0].index('"commitment":"') + len('"commitment":"')
    other = "0" if lines[0][key] != "0" else "1"
    path.write_text(lines[0][:key] + other + lines[0][key + 1 :] + "".join(lines[1:]), encoding="utf-8")
    with pytest.raises(LogError):
        read_ledger(path, Rulesets())


def test_luck_is_assigned_to_entrants_by_seat() -> None:
    assert by_entrant({"north": 500, "south": -200}, {"north": "a", "south": "b"}) == {"a": 500, "b": -200}
    assert by_entrant({"x": 1, "y": 2, "z": 4}, {"x": "a", "y": "b", "z": "a"}) == {"a": 5, "b": 2}
    assert by_entrant({}, {"north": "a"}) == {}
