"""The sequence of play (KH-3.01): both sides act together in every phase."""

from khamsin.turn.arrivals import arrivals, deploy
from khamsin.turn.engagements import aftermath, engagements
from khamsin.turn.movement import action
from khamsin.turn.orders import replacements, weather, write_orders
from khamsin.turn.supply import check_supply
from khamsin.turn.victory import end
from sandtable import Phase, SequenceOfPlay

SEQUENCE = SequenceOfPlay(
    setup=(Phase("setup.deploy", deploy, rule="KH-1.08"),),
    turn=(
        Phase("start.supply", check_supply, rule="KH-3.02"),
        Phase("start.arrivals", arrivals, rule="KH-3.03"),
        Phase("start.replacements", replacements, rule="KH-3.03"),
        Phase("start.weather", weather, rule="KH-3.04"),
        Phase("orders", write_orders, rule="KH-3.06"),
        Phase("action", action, rule="KH-3.08"),
        Phase("engagements", engagements, rule="KH-3.11", repeats=True),
        Phase("aftermath", aftermath, rule="KH-3.12"),
        Phase("end", end, rule="KH-3.13"),
    ),
)
