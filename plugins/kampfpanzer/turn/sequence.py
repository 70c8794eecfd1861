"""The sequence of play: both sides set up (KP-14.0a), then each turn has six phases, A to F (KP-4.0a)."""

from kampfpanzer.turn.combat import combat
from kampfpanzer.turn.movement import movement
from kampfpanzer.turn.panic import panic, panic_plot
from kampfpanzer.turn.plotting import deploy_first, deploy_second, plot
from kampfpanzer.turn.recovery import recovery
from sandtable import Phase, SequenceOfPlay

SEQUENCE = SequenceOfPlay(
    setup=(
        Phase("deploy.first", deploy_first, rule="KP-14.0a"),
        Phase("deploy.second", deploy_second, rule="KP-14.0a"),
    ),
    turn=(
        Phase("plot", plot, rule="KP-4.1a"),
        Phase("panic", panic, rule="KP-4.1b"),
        Phase("combat", combat, rule="KP-4.1c"),
        Phase("panic_plot", panic_plot, rule="KP-4.1d"),
        Phase("movement", movement, rule="KP-4.1e"),
        Phase("recovery", recovery, rule="KP-4.1f"),
    ),
)
