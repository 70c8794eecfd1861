"""Answers to questions about a campaign from a side's view, by the rules for strength, front and selection."""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from msgspec.structs import asdict

from axis_attack.fog.views import SideView, common
from axis_attack.mission.front import BREAKTHROUGH, RULES, conquered, moved, near_enemy_home, result_code
from axis_attack.mission.selection import RULES as MODIFIER_RULES
from axis_attack.mission.selection import adjuster, can_change, claimable, higher, modifiers
from axis_attack.model.cards import ENEMY, SIDES, Board
from axis_attack.model.state import AxisState, Force, Platoon
from axis_attack.model.strength import is_mobile, kind_of, size_of_level, teams_available
from axis_attack.model.tables import CHANGE_PRICE, LADDER_ROWS, mission_of
from axis_attack.recovery.mobility import lacking
from axis_attack.ui.asking.forces import of_dice, of_force, of_odds
from axis_attack.ui.asking.problems import of_problems
from axis_attack.ui.terms import RESULTS, level_words, mission_words, sector_words, side_words, sizes_words
from sandtable import Answer
from sandtable.notation import named as name_meant
from sandtable.pictures import capital, in_words
from sandtable.questions import NO, Query, chances, named, replied, unknown

FACES = range(1, 7)


class Scene(NamedTuple):
    """A view as a state that the rules can judge, with the enemy as far as it is known."""

    view: SideView
    board: Board
    state: AxisState

    @classmethod
    def of(cls, view: SideView, board: Board) -> "Scene":
        """Return the scene of a view."""
        state = AxisState(
            **common(view, list),
            rosters={
                side: {k: Platoon(**asdict(it)) for k, it in roster.items()} for side, roster in view.rosters.items()
            },
            aircraft={side: dict(bought) for side, bought in view.aircraft.items()},
            forces={side: Force(**asdict(it)) for side, it in view.forces.items()},
        )
        state.place_board(board)
        return cls(view, board, state)

    @property
    def is_fought(self) -> bool:
        """Whether the game of the turn is over, or its mission is not selected yet."""
        track = self.view.track
        return not self.view.turn or self.view.phase == "selection" or bool(track and track[-1].turn == self.view.turn)


def answer(view: SideView, board: Board, text: str) -> Answer | None:
    """Return the answer to a question, or None if the text is not a question."""
    return replied(named(QUESTIONS, _examples(view)), text, lambda: Scene.of(view, board), Answer)


def _examples(view: SideView) -> dict[str, str]:
    """Return a platoon, of the asking side if possible, for the examples."""
    own = view.rosters.get(view.side) or next((roster for roster in view.rosters.values() if roster), {})
    platoon = next(iter(own), "")
    return {"platoon": platoon, "some": f", or the cost of a force (force {platoon})" if platoon else ""}


# --- platoons ---


def _level(scene: Scene, words: list[str]) -> Answer:
    """Return the level of a platoon, the teams that it can field, and its mobility (AOA-3.05, AOA-10.09)."""
    state, view = scene.state, scene.view
    sides = sorted(state.rosters, key=lambda side: side != view.side)
    side = next((each for each in sides if words[0] in state.rosters[each]), "")
    if not side:
        raise unknown("platoon that you know", words[0], [key for each in sides for key in state.rosters[each]])
    platoon, kind = state.rosters[side][words[0]], kind_of(state, side, words[0])
    owner = f"{scene.board.sides[side]} {words[0]}"
    sizes = f"sizes in teams (points): {sizes_words(kind)}"
    lines = [f"{owner}, {in_words(kind.id)}: {level_words(platoon.level)}; {sizes}"]
    if side != view.side and view.side in SIDES and view.options["roster_visibility"] != "all":
        size = size_of_level(kind, platoon.level)
        fields = f"fields at least {size.teams} teams; " if size else "cannot be fielded; "
        lines.append(f"{fields}its upgrades, transports and exact strength are hidden from you")
        return Answer(None, tuple(lines), ("AOA-10.09",))
    teams = teams_available(state, side, words[0])
    if not teams:
        return Answer(NO, (*lines, "it is below depleted, so it cannot be fielded"), ("AOA-3.05", "AOA-10.09"))
    lines.append(f"it can be fielded with up to {teams} teams; bought at {level_words(platoon.bought)}")
    short = lacking(state, side, [words[0]]).get(words[0], 0)
    if is_mobile(kind, platoon):
        lack = f", although it lacks {short} transport{'s' if short > 1 else ''}" if short else ""
        lines.append(f"operationally mobile{lack}")
    else:
        lines.append("immobile" if platoon.immobile else "on foot: it is mobile only if carried")
    return Answer(None, tuple(lines), ("AOA-3.05", "AOA-3.11", "AOA-10.09"))


# --- the front ---


def _outcomes(scene: Scene, words: list[str]) -> Answer:
    """Return the effect of each result on the front, for the game of the turn or any mission (AOA-7.01)."""
    state, board = scene.state, scene.board
    if words:
        return _of_mission(scene, " ".join(words).lower())
    if scene.is_fought:
        return Answer(NO, ("no mission is selected yet: type outcomes MISSION, or missions",), ("AOA-8.01",))
    title, where = mission_words(state.mission, board), sector_words(state.sector, board)
    lines = [f"{title} in {where}, {_roles(scene)}"]
    attackers = [state.attacker] if state.attacker else list(SIDES)
    for attacker in attackers:
        lines += _rows(scene, state.mission, attacker)
    return Answer(None, tuple(dict.fromkeys(lines)), (RULES.get(state.mission, "AOA-7.01"), "AOA-12.01"))


def _of_mission(scene: Scene, text: str) -> Answer:
    missions = scene.board.missions
    titles = {key: mission_words(key, scene.board).lower().removeprefix("the ") for key in missions}
    found = name_meant(text.removeprefix("the "), titles)
    if not found and text != "all":
        raise unknown("mission", text, [*missions, "all"])
    lines = list[str]()
    for each in [found] if found else missions:
        rows = [f"{mission_words(each, scene.board)} in {sector_words(scene.state.sector, scene.board)}"]
        for attacker in SIDES:
            rows += _rows(scene, each, attacker)
        lines += dict.fromkeys(rows)
    return Answer(None, tuple(lines), (RULES.get(found, "AOA-7.01"), "AOA-12.01"))


def _roles(scene: Scene) -> str:
    mission, attacker = scene.board.missions[scene.state.mission], scene.state.attacker
    if not mission.defender:
        return "both sides attack"
    return f"{side_words(attacker, scene.board)} attack" if attacker else "roles not decided"


def _rows(scene: Scene, mission: str, attacker: str) -> list[str]:
    """Return a line for the win of each side and for a draw, with its effect on the front."""
    state, board = scene.state, scene.board
    state.mission, state.attacker, state.defender = mission, attacker, ENEMY[attacker]
    rows = []
    for winner in (*SIDES, "draw"):
        state.winner = winner
        code = result_code(state)
        role = "" if winner == "draw" else " attacking" if winner == attacker else " defending"
        role = role if board.missions[mission].defender else ""
        who = "a draw" if winner == "draw" else f"{side_words(winner, board)} win{role}"
        if conquered(state, state.sector):
            rows.append(f"{who}: they win the campaign, because this is the enemy's home sector")
            continue
        goal = sector_words(moved(state, code), board)
        two = sector_words(moved(state, code, 2), board)
        far = f", or {two} if their force is mobile" if code == BREAKTHROUGH and two != goal else ""
        rows.append(f"{who}: {RESULTS[code]}, next game in {goal}{far}")
    return rows


def _front(scene: Scene, words: list[str]) -> Answer:  # noqa: ARG001 - the shape of all questions
    """Return the front, and the sector that each side needs (AOA-12.01 to AOA-12.04)."""
    state, board = scene.state, scene.board
    here = f"the battle is in {sector_words(state.sector, board)}, turn {scene.view.turn} of {board.turns}"
    row = " - ".join(f"[{each.title}]" if each.number == state.sector else each.title for each in board.sectors)
    lines = [here, row]
    for side in SIDES:
        home = board.home[ENEMY[side]]
        gap = abs(home - state.sector)
        away = f"{gap} sectors away" if gap > 1 else "the next one" if gap else "this one"
        lines.append(
            f"{capital(side_words(side, board))} win if they attack and win in {sector_words(home, board)}, {away}"
        )
    near = near_enemy_home(state)
    end = f"a minor victory of {side_words(near[0], board)}" if len(near) == 1 else "a stalemate"
    lines.append(f"if turn {board.turns} ended here: {end}")
    return Answer(None, tuple(lines), ("AOA-12.01", "AOA-12.03", "AOA-12.04"))


# --- the next mission ---


def _missions(scene: Scene, words: list[str]) -> Answer:  # noqa: ARG001 - the shape of all questions
    """Return the probability of each mission and attacker over the 36 rolls of the selection (AOA-8.01)."""
    state, board = scene.state, scene.board
    if not scene.is_fought or not scene.view.turn or not scene.view.track:
        title = mission_words(state.mission, board) if state.mission else "no mission"
        return Answer(
            NO, (f"{title} is selected; the next selection depends on the result of this game",), ("AOA-8.01",)
        )
    recon = len(claimable(state))
    sums = {side: modifiers(state, side, recon) for side in SIDES}
    found: dict[tuple[str, str], int] = {}
    for faces in product(FACES, repeat=len(SIDES)):
        dice = dict(zip(SIDES, faces, strict=True))
        totals = {side: die + sum(number for _, number in sums[side]) for side, die in dice.items()}
        key = mission_of(max(totals.values())), higher(totals)
        found[key] = found.get(key, 0) + 1
    rolls = len(FACES) ** len(SIDES)
    throws = ", ".join(f"{board.sides[side]} a die {_added(sums[side])}" for side in SIDES)
    lines = [f"with the current points: {throws}"]
    for mission in LADDER_ROWS:
        roles = {side: found.get((mission, side), 0) for side in ("", *SIDES)}
        if any(roles.values()):
            overall = chances({"": sum(roles.values())}, rolls).strip()
            split = {f"{board.sides[side]} higher" if side else "equal": n for side, n in roles.items()}
            lines.append(f"{mission_words(mission, board)} {overall} ({chances(split, rolls)})")
    rows = ", ".join(f"{row} {mission_words(mission, board)}" for mission, (row, _rule) in LADDER_ROWS.items())
    lines.append(f"the side with the higher total attacks, and its total is the row: {rows}")
    return Answer(None, (*lines, *_open_choices(scene, recon)), ("AOA-8.07", *_rules(sums)))


def _added(named_: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{number:+} {in_words(name)}" for name, number in named_) or "alone"


def _rules(sums: dict[str, list[tuple[str, int]]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(MODIFIER_RULES[name] for row in sums.values() for name, _ in row))


def _open_choices(scene: Scene, recon: int) -> list[str]:
    """Return the choices that may still change a selection."""
    state, lines = scene.state, []
    if recon and scene.view.side in SIDES and scene.view.side != state.winner:
        lines.append(f"this counts all {recon} recon platoons; some may lack transports, which you cannot see")
    if adjuster(state):
        lines.append(f"{side_words(adjuster(state), scene.board)} may then change a total by one (AOA-8.10)")
    payers = [side_words(side, scene.board) for side in SIDES if can_change(state, side)]
    if payers:
        lines.append(f"{' and '.join(payers)} can pay {CHANGE_PRICE} points for a different mission (AOA-8.19)")
    return lines


# --- the coming game ---


def _odds(scene: Scene, words: list[str]) -> Answer:  # noqa: ARG001 - the shape of all questions
    """Return the odds of the game."""
    if scene.is_fought and len(scene.state.forces) == len(SIDES):
        over = "the game is over: ask again when the next forces are shown"
        return Answer(NO, (over,), ("AOA-3.17",))
    return of_odds(scene.state)


def _problems(scene: Scene, words: list[str]) -> Answer:  # noqa: ARG001 - the shape of all questions
    """Return the problems of the side's platoons."""
    return of_problems(scene.state, scene.view.side, scene.board)


QUESTIONS = {
    "force": Query(
        "",
        "platoons that you can field, with points{some}",
        lambda it, words: of_force(it.state, it.view.side, words),
        0,
    ),
    "odds": Query("", "the odds of the game, after both forces are shown", _odds, 0),
    "dice": Query(
        "",
        "the die that each platoon needs for reinforcement, and its effect",
        lambda it, _: of_dice(it.state, it.view.side),
        0,
    ),
    "level": Query("{platoon}", "the level of a platoon, the teams that it can field, its mobility", _level),
    "outcomes": Query(
        "", "the effect of each result on the front, also for a mission (outcomes encounter) or all", _outcomes, 0
    ),
    "front": Query("", "the front, and the sector that each side needs", _front, 0),
    "missions": Query("", "the probability of each next mission, after a game", _missions, 0),
    "problems": Query("", "platoons that are below strength, immobile, or cannot be fielded", _problems, 0),
}
