"""The sequence of play: one game a turn (AOA-2.06), in the order of AOA-R13."""

from axis_attack.turn.battle import battle, casualties, choose_forces
from axis_attack.turn.front import close, move_front
from axis_attack.turn.opening import build_companies
from axis_attack.turn.reinforcement import exchange, reinforce
from axis_attack.turn.selection import select_mission
from axis_attack.turn.table import place_table, roll_weather
from sandtable import Phase, SequenceOfPlay

SEQUENCE = SequenceOfPlay(
    setup=(Phase("setup.company", build_companies, rule="AOA-1.01"),),
    turn=(
        Phase("selection", select_mission, rule="AOA-8.01"),
        Phase("table", place_table, rule="AOA-8.21"),
        Phase("forces", choose_forces, rule="AOA-3.01", repeats=True),
        Phase("weather", roll_weather, rule="AOA-6.01"),
        Phase("battle", battle, rule="AOA-3.17"),
        Phase("casualties", casualties, rule="AOA-10.01"),
        Phase("front", move_front, rule="AOA-7.01"),
        Phase("reinforcement", reinforce, rule="AOA-11.01"),
        Phase("exchange", exchange, rule="AOA-11.21"),
        Phase("closing", close, rule="AOA-12.02"),
    ),
)
