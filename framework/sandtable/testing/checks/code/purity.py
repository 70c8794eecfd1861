"""The check that rules touch no clock, and no chance but the kernel's dice."""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import get_ident
from typing import Any

from sandtable.errors import SandtableError
from sandtable.testing.checks.bench import FaultError, Harness
from sandtable.testing.fuzz import play_on, streams_of

POISONED = {
    "random": "random randint randrange choice choices shuffle sample uniform gauss triangular betavariate seed "
    "expovariate normalvariate getrandbits randbytes",
    "secrets": "token_bytes token_hex token_urlsafe randbelow randbits choice",
    "uuid": "uuid1 uuid4",
    "os": "urandom",
    "time": "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time sleep localtime gmtime",
}
_GAMES = 5


class PoisonError(SandtableError):
    """Rules reached for something that is not the same in every run."""


def check_purity(bench: Harness) -> str:
    """Play with clock and chance poisoned: rules that reach for them are told so."""
    trials = bench.whole(_GAMES) if any(trial.played.ended for trial in bench.trials) else bench.trials[:_GAMES]
    chance = import_module("random")
    for trial in trials:
        game = trial.new_game()
        before = chance.getstate()
        try:
            with poisoned(bench.installed.module.__name__):
                trial.prepared.installed.prepare(trial.prepared.scenario, trial.prepared.options)
                for given in play_on(game, streams_of(trial.prepared, trial.played.seed)):
                    if given.number > trial.played.game.number:
                        break
        except SandtableError as error:
            poison = _poison_in(error)
            if poison is None:
                continue  # the check games_end tells
            raise FaultError(f"{trial.name}, after record {game.number}: {poison}") from error
        if chance.getstate() != before:
            raise FaultError(f"{trial.name}: the rules use the global random numbers: roll dice by yielding a Roll")
    return f"{len(trials)} games asked neither clock nor chance nor environment"


def _poison_in(error: BaseException | None) -> PoisonError | None:
    while error is not None and not isinstance(error, PoisonError):
        error = error.__cause__
    return error


@contextmanager
def poisoned(module: str) -> Iterator[None]:
    """Make clock and chance raise PoisonError in this thread, also under the names that ``module`` imported them by."""
    collecting = gc.isenabled()
    gc.disable()  # what others hang on the collector may look at the clock
    undo: list[tuple[Any, str, Any]] = []
    try:
        rooms = [room for name, room in list(sys.modules.items()) if name == module or name.startswith(f"{module}.")]
        for home, names in POISONED.items():
            source = import_module(home)
            for name in names.split():
                original = getattr(source, name)
                trap = _trap(f"{home}.{name}", original)
                for room in (source, *rooms):
                    held = [key for key, value in list(vars(room).items()) if value is original]
                    undo += [(room, key, original) for key in held]
                    for key in held:
                        setattr(room, key, trap)
        undo += _poison_dates(rooms)
        undo += _poison_environment(rooms)
        generator = import_module("random").Random
        undo.append((generator, "seed", generator.seed))
        generator.seed = _trap("random.Random", generator.seed)
        yield
    finally:
        for room, key, original in reversed(undo):
            setattr(room, key, original)
        if collecting:
            gc.enable()


def _poison_dates(rooms: list[Any]) -> list[tuple[Any, str, Any]]:
    """Put dates that tell no day in the place of ``datetime`` and ``date``; return how to undo it."""
    home, undo = import_module("datetime"), []
    for name in ("datetime", "date"):
        original = getattr(home, name)
        traps = {each: staticmethod(_trap(f"{name}.{each}", getattr(original, each))) for each in _NOW[name]}
        stand_in = type(name, (original,), traps)
        for room in (home, *rooms):
            for key in [key for key, value in list(vars(room).items()) if value is original]:
                undo.append((room, key, original))
                setattr(room, key, stand_in)
    return undo


_NOW = {"datetime": ("now", "utcnow", "today"), "date": ("today",)}


class _Environment(dict[str, str]):
    """Stands in for ``os.environ``: whoever of the rules looks into it is told so."""

    def __init__(self, original: Any) -> None:
        super().__init__(original)
        self.trap = _trap("os.environ", original.get)

    def __getitem__(self, key: str) -> str:
        self.trap(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Refuse."""
        self.trap(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.trap(key)
        return super().__contains__(key)


def _poison_environment(rooms: list[Any]) -> list[tuple[Any, str, Any]]:
    """Put an environment that may not be read in the place of ``os.environ`` and ``os.getenv``; return how to undo."""
    home = import_module("os")
    stand_ins = {"environ": _Environment(home.environ), "getenv": _trap("os.getenv", home.getenv)}
    undo = []
    for name, stand_in in stand_ins.items():
        original = getattr(home, name)
        for room in (home, *rooms):
            for key in [key for key, value in list(vars(room).items()) if value is original]:
                undo.append((room, key, original))
                setattr(room, key, stand_in)
    return undo


def _trap(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands in for ``original``: it raises in this thread, and lets the others have it."""
    owner = get_ident()

    def trap(*args: Any, **named: Any) -> Any:
        if get_ident() != owner:
            return original(*args, **named)
        caller = sys._getframe(1)  # noqa: SLF001 - to say who it was
        while caller.f_back is not None and caller.f_globals.get("__name__") == __name__:
            caller = caller.f_back
        place = f"{caller.f_globals.get('__name__')}, line {caller.f_lineno}"
        raise PoisonError(f"{place}, calls {name}: chance comes from a Roll, time from the turn, choices from options")

    return trap
