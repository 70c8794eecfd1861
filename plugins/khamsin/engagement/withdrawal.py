"""How a force meets an engagement: stand, fighting withdrawal, formations that leave by themselves (KH-19, KH-D11)."""

from khamsin.battle_events import FormationWithdrew, WithdrawalAllowed, WithdrawalChosen
from khamsin.engagement.figures import PRECIPITOUS_DICE, PRECIPITOUS_PLUS, RECON_GENERAL
from khamsin.engagement.kinds import title_of
from khamsin.engagement.retreat import ways_out
from khamsin.forces import card, fighters_of
from khamsin.module.cards import ENEMY, RECON as RECON_MOBILITY, SIDES
from khamsin.orders import LetGo, Withdraw
from khamsin.people.honour import pay_for_withdrawal
from khamsin.state import DEFENDS, FIGHTING, PRECIPITOUS, RECON, Engagement, KhamsinState
from sandtable.kernel.decisions import Decision, Roll, Sealed
from sandtable.kernel.options import AnyOf, Form, OneOf, Refusal, Sheet, Space
from sandtable.kernel.sequence import Procedure

LEDGERS = ("general", "armor")
