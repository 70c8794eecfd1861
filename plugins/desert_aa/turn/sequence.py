"""The sequence of play (DAA-1.03, DAA-2.01, DAA-14.01)."""

from desert_aa.model.tables import ALLIES, AXIS, ENGLAND, GERMANY, ITALY
from desert_aa.turn.battles import combat, income
from desert_aa.turn.grant import opening_grant
from desert_aa.turn.moves import combat_move, noncombat_move
from desert_aa.turn.placement import placement
from desert_aa.turn.purchase import purchase
from sandtable import Phase, PlayerTurn, SequenceOfPlay

PHASES = (
    Phase("purchase", purchase, rule="DAA-14.02"),
    Phase("combat_move", combat_move, rule="DAA-16.01"),
    Phase("combat", combat, rule="DAA-17.01", repeats=True),
    Phase("noncombat_move", noncombat_move, rule="DAA-18.01"),
    Phase("placement", placement, rule="DAA-14.05"),
    Phase("income", income, rule="DAA-14.04"),
)

SEQUENCE = SequenceOfPlay(
    setup=(Phase("bonus", opening_grant, rule="DAA-2.01"),),
    turn=(
        PlayerTurn("italy", AXIS, PHASES, ITALY),
        PlayerTurn("england", ALLIES, PHASES, ENGLAND),
        PlayerTurn("germany", AXIS, PHASES, GERMANY),
    ),
)
